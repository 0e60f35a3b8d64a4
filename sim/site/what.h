/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what.h - a what-if study: measures of a log, and of simulations of scenarios.
 *
 * Measured waits are the log's own (field 3).  The replay simulates the same
 * jobs under EASY, each on as many processors as the log says that it got.  The
 * nearer the replay's waits are to the measured ones, the more the scenarios
 * can be trusted.  If the site's partitions are known, partitions that share
 * nodes have one queue, and no job's limit exceeds its partition's.  Otherwise
 * all jobs compete for all processors.
 *
 * Call these functions from one thread.  Simulations run in conf.workers
 * processes (workers.h).
 */
#ifndef SIM_WHAT_H
#define SIM_WHAT_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/base/workers.h"
#include "sim/log/swf.h"
#include "sim/site/measure.h"
#include "sim/site/partitions.h"
#include "sim/site/scenarios.h"
#include "sim/workload/workload.h"

enum {
	WHAT_BUCKETS = 240,
	WHAT_POINTS = 200,
	WHAT_SIZES = SITE_SIZES,
	WHAT_LEAST_WAIT_S = 60,
	WHAT_CHANGE_SIZE = 32,
};

/* Waits of some jobs, in seconds. */
struct what_waits {
	size_t n;
	double mean_s, p50_s, p90_s, p99_s;
};

/* A simulated (or measured) run of all jobs. */
struct what_run {
	struct what_waits waits;
	struct what_waits by_size[WHAT_SIZES];
	double slowdown;	/* mean of the bounded slowdowns (measure.h) */
	double utilization_pct; /* from the first to the last submission */
	uint32_t procs;
	size_t ended;	  /* jobs that PLAN_LIMITS_CAPPED ended early */
	size_t too_large; /* jobs larger than their machine: not simulated */
	size_t left_out;  /* of these, jobs that the first run has */
	/* Processors in use and mean number of waiting jobs, by bucket.  A
	 * bucket is what.bucket_s / the scenario's load long.
	 */
	double busy_pct[WHAT_BUCKETS];
	double waiting[WHAT_BUCKETS];
	double cdf_wait_s[WHAT_POINTS]; /* quantiles (i + 0.5) / WHAT_POINTS */
	double run_s; /* seconds of real time that the simulation took */
};

/* The replay (runs[0]) beside the log.  Both have the same jobs: those that
 * were simulated and have a wait in the log.
 */
struct what_replay {
	struct what_run measured, simulated;
	/* Spearman's rank correlation of the waits; NAN if all waits of a side
	 * are equal.
	 */
	double ranks;
};

enum what_measure {
	WHAT_MEAN = 0,
	WHAT_MEDIAN,
	WHAT_P90,
	WHAT_SLOWDOWN,
	WHAT_RANKS,
	WHAT_MEASURES,
};

enum what_verdict {
	WHAT_UNKNOWN = 0, /* the log has no waits */
	WHAT_NEAR,	  /* nearness above 2/3 */
	WHAT_ROUGH,	  /* above 1/3: trust directions, not numbers */
	WHAT_FAR,	  /* do not trust the scenarios */
};

/* How far to trust the scenarios. */
struct what_trust {
	/* By measure: the smaller of both values / the larger one; for
	 * WHAT_RANKS the rank correlation.  1 = equal; NAN = not known, without
	 * effect on the verdict.
	 */
	double nearness[WHAT_MEASURES];
	double worst_nearness; /* the least; NAN: the verdict is WHAT_UNKNOWN */
	enum what_measure worst;   /* the measure of worst_nearness */
	enum what_verdict verdict; /* of worst_nearness */
};

/* A policy's promises, if each job of the log's last 30 days had asked for the
 * same deadline.
 */
struct what_promise {
	char policy[32];
	double factor; /* (deadline - submission) / limit */
	size_t jobs, promised, kept;
	double work_pct; /* processor time of promised jobs, in % of all */
};

/* The jobs of one partition, queue, account or user. */
struct what_group {
	int32_t number; /* in the log */
	struct what_waits waits;
	double work_pct; /* processor time, in % of all jobs with a wait */
};

struct what_groups {
	struct what_group *list; /* most work first */
	size_t n;
};

struct what_conf {
	const struct plan *plan;
	uint32_t procs; /* 0 = of all partitions, or else the log's */
	const struct site_parts *parts;	     /* NULL = one machine, one queue */
	const struct sim_capacity *capacity; /* outages; NULL = none */
	/* Promises are simulated for each policy and factor, of at most
	 * promise_jobs jobs.
	 */
	const char *const *policies; /* names; ends with NULL */
	const double *factors;
	size_t nfactors, promise_jobs;
	unsigned workers;
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
};

struct what {
	struct what_run measured;
	size_t measured_jobs; /* jobs of the log with a wait */
	size_t unrun;	      /* records without a run time or processors */
	size_t unplaced;      /* records of unknown partitions: not simulated */
	/* A run for each scenario of the plan.  The first scenario is the
	 * unchanged log.  A run has the jobs that fit their machines in the
	 * first scenario and in its own.
	 */
	struct what_run *runs;
	/* Beside each run: the first scenario with the jobs of that run only.
	 * Pages show the difference of the two.
	 */
	struct what_run *was;
	size_t nruns;		 /* of runs, and of was */
	struct site_sizes sizes; /* of all machines together */
	double first_s;		 /* instant of the first submission */
	size_t month_records;	 /* records that the promises are about */
	struct what_replay *replay;
	struct what_promise *promises; /* by policy, then by factor */
	size_t npromises;
	struct what_groups partitions, queues, accounts, users;
	double span_s;	 /* from the first submission to the last */
	double bucket_s; /* span_s / WHAT_BUCKETS */
	/* Quantiles of run time / limit, at 10, 25, 50, 75 and 90 %, of the
	 * `limited` jobs that have both.
	 */
	double limit_used[5];
	size_t limited;
};

/* Measure a log and simulate the scenarios and promises.  Records without a run
 * time or processors are left out.
 * Result: 0, or -1 with ENOMEM, EINVAL (no job is left) or EIO (a worker
 *         failed).
 * Owner:  the caller calls what_fini() after success, and need not after an
 *         error.
 */
int what_study(struct what *what, const struct swf_trace *trace,
	       const struct what_conf *conf, struct libra_error *err);
void what_fini(struct what *what);

/* Sort n waits, in seconds, and measure them.  If n is 0, times are NAN. */
void what_measure_waits(struct what_waits *w, double *waits_s, size_t n);

/* Return the nearness of two waits: the smaller / the larger one.  A wait below
 * WHAT_LEAST_WAIT_S counts as WHAT_LEAST_WAIT_S.
 */
double what_wait_nearness(double a_s, double b_s);

/* Compare the replay with the log, waits as in what_wait_nearness(). */
struct what_trust what_trust(const struct what *what);

/* Return the verdict of a nearness; WHAT_UNKNOWN for NAN. */
enum what_verdict what_verdict(double nearness);

/* Return the name of a verdict ("near", ...) or measure ("mean wait", ...). */
const char *what_verdict_name(enum what_verdict verdict);
const char *what_measure_name(enum what_measure measure);

/* Return "lower" or "higher", or "same" if the change is below 5 %, or "-" if a
 * value is not known.
 */
const char *what_direction(double value, double was);

/* Return what_direction() of two waits; a wait below WHAT_LEAST_WAIT_S counts
 * as WHAT_LEAST_WAIT_S.
 */
const char *what_wait_direction(double wait_s, double was_s);

/* Print a relative change, "-55 %".  was > 0.  Result: buf. */
const char *what_change(char buf[WHAT_CHANGE_SIZE], double value, double was);

#endif
