/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * market.h - the jobs of a computational market, and their values.
 *
 * A work plan as in CCGrid 2008, section 4.1: users with equal budgets submit
 * jobs whose inter-arrival times follow HypWeib, shifted and scaled; each
 * user's budget is split over the jobs by value x run time x processors.  One
 * table of options has everything that the paper leaves open.  Money is in
 * credits (the paper's dollars), times in seconds.
 *
 * Callers: the market paper (sim/paper/ccgrid2008), which passes jobs and
 * options to market_run() and market_optimum().  An array of options has
 * MARKET_NOPTIONS numbers.
 */
#ifndef SIM_MARKET_H
#define SIM_MARKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/job.h"
#include "core/param.h"

/* Options in the order of the table. */
enum market_option {
	MARKET_HOSTS = 0,
	MARKET_CPUS, /* CPUs of a host */
	MARKET_USERS,
	MARKET_JOBS,   /* jobs of each user */
	MARKET_BUDGET, /* credits of each user */
	MARKET_MIN_PROCS,
	MARKET_MAX_PROCS,
	MARKET_MIN_RUN_S,
	MARKET_MAX_RUN_S,
	MARKET_POLYLIN, /* run times by PolyLin, not uniform */
	MARKET_LOW_MIN_GAP_S,
	MARKET_LOW_MEAN_GAP_S,
	MARKET_HIGH_MIN_GAP_S,
	MARKET_HIGH_MEAN_GAP_S,
	MARKET_MAX_GAP_S,
	MARKET_NORMAL_CV,
	MARKET_PARETO_INDEX,
	MARKET_PROMISE, /* CPUs of each host that a job is promised */
	MARKET_MOST,	/* CPUs of a host that it can use; 0 = all */
	MARKET_STRICT,	/* the part of a share that a job cannot use is lost */
	MARKET_LEAST,	/* CPUs that a job must get at the present price */
	MARKET_POOLED,	/* the parts of a job share its work */
	MARKET_ENDS,	/* enum market_end */
	MARKET_CHARGE,	/* price of a whole run / value */
	MARKET_GUARANTEE,
	MARKET_ONE_SIDED,
	MARKET_WINDOW_S,
	MARKET_FLOOR,
	MARKET_WATCHED_PCT,
	MARKET_REJECT_PCT,  /* of random rejection; 0 = as much as CAC */
	MARKET_RATIOS,	    /* efficiency: mean of ratios, not ratio of sums */
	MARKET_BIN_S,	    /* length of a bin of the price series */
	MARKET_SENSITIVITY, /* seeds of the table of sensitivity */
	MARKET_NOPTIONS
};
extern const struct libra_param market_options[MARKET_NOPTIONS];

/* The instant at which a finished part leaves its host: at once, with its job,
 * or at the deadline.
 */
enum market_end { MARKET_END_PART = 0, MARKET_END_JOB, MARKET_END_DEADLINE };

enum market_load { MARKET_LOW = 0, MARKET_HIGH };
enum market_values { MARKET_EQUAL = 0, MARKET_NORMAL, MARKET_PARETO };

/* A job with budget and deadline.  Its estimate is exact: the CPU seconds of
 * work of each of its parts.
 */
struct market_job {
	struct libra_job job;
	double value; /* relative to other jobs; in credits: job.budget */
};

/* Check that jobs can be drawn with these options.
 * Result: 0, or -1 with ERANGE or EINVAL; the text names the option.
 */
int market_check(const double *options, struct libra_error *err);

/* Return how many jobs market_draw() makes: users x jobs. */
size_t market_njobs(const double *options);

/* Return the factor for which min_s + factor x HypWeib, limited to max_s, has
 * the mean mean_s.
 */
double market_gap_scale(double min_s, double mean_s, double max_s);

/* Draw a work plan; the same arguments give the same jobs.  Values, sizes, run
 * times, gaps and users have streams of their own.
 * Result: 0, or -1 with ENOMEM.  The jobs are in order of submission, and the
 *         first one is submitted at 0.
 * Owner:  jobs has market_njobs() elements of the caller's.
 */
int market_draw(const double *options, enum market_load load,
		enum market_values values, uint64_t seed,
		struct market_job *jobs, struct libra_error *err);

/* ---- utility: all or nothing, and by parts; of eqs 7 to 9 ---- */

/* Return the utility in credits of a job for which `paid` was paid.  done is
 * the part of the work that is done at the deadline, 0 to 1.
 */
double market_inelastic(double done, double paid, double value);
double market_elastic(double done, double paid, double value);

#endif
