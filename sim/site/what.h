/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what.h - what happened on a site's machine, and what would have happened.
 *
 * The measured waits are the log's own (field 3).  The replay simulates the
 * same jobs under EASY, with the processors that they got.  The nearer its
 * waits are to the measured ones, the more the scenarios can be trusted.  If
 * the site's partitions are known, partitions that share nodes have one queue,
 * and no job's limit exceeds its partition's.  Otherwise all jobs compete for
 * all processors.
 *
 * The caller has one thread.  Simulations run in conf.workers processes
 * (workers.h).
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
	double slowdown;	/* bounded at 10 s, mean */
	double utilization_pct; /* until the last arrival */
	uint32_t procs;
	size_t ended;	  /* jobs that a cap on limits ended */
	size_t too_large; /* jobs that are larger than their machines */
	size_t left_out;  /* of these, jobs that the first run has */
	double busy_pct[WHAT_BUCKETS];	/* over time */
	double waiting[WHAT_BUCKETS];	/* jobs, mean */
	double cdf_wait_s[WHAT_POINTS]; /* at (i + 0.5) / points */
	double run_s;			/* that the simulation took */
};

/* The replay (runs[0]) beside the log: both have the simulated jobs whose wait
 * the log knows, and no others.
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
	WHAT_NEAR,
	WHAT_ROUGH, /* scenarios are a direction, not numbers */
	WHAT_FAR,   /* scenarios are not to be trusted */
};

/* How far to trust the scenarios. */
struct what_trust {
	/* The smaller value of a measure / the larger one; for WHAT_RANKS the
	 * correlation.  1 = the same; NAN = not known, and not judged.
	 */
	double nearness[WHAT_MEASURES];
	double worst_nearness; /* NAN if the verdict is WHAT_UNKNOWN */
	enum what_measure worst;
	enum what_verdict verdict; /* by the worst */
};

/* The jobs of the last month that a policy would have promised an end. */
struct what_promise {
	char policy[32];
	double factor; /* deadline / limit */
	size_t jobs, promised, kept;
	double work_pct; /* of the processor time, promised */
};

/* A group of jobs by the log's own numbers. */
struct what_group {
	int32_t number;
	struct what_waits waits;
	double work_pct;
};

struct what_groups {
	struct what_group *list; /* most work first */
	size_t n;
};

struct what_conf {
	const struct plan *plan;
	uint32_t procs; /* 0 = the log's, or of all partitions */
	const struct site_parts *parts; /* NULL = one machine, one queue */
	const struct sim_capacity *capacity;
	const char *const *policies; /* to promise with; ends with NULL */
	const double *factors;
	size_t nfactors, promise_jobs; /* at most so many */
	unsigned workers;
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
};

struct what {
	struct what_run measured;
	size_t measured_jobs; /* with a wait */
	size_t unrun;	      /* records without a run time or processors */
	size_t unplaced;      /* of partitions that are not known: left out */
	/* A run for each scenario of the plan; the first is the log as it was.
	 * A job is in a run if it fits the machines of both.
	 */
	struct what_run *runs;
	/* Beside each run the first scenario with the jobs of that run only:
	 * scenarios are compared with these.
	 */
	struct what_run *was;
	size_t nruns;		 /* of runs, and of was */
	struct site_sizes sizes; /* of the whole machine */
	double first_s;		 /* submission of the first job */
	size_t month_records; /* records of the last month, for the promises */
	struct what_replay *replay;
	struct what_promise *promises;
	size_t npromises;
	struct what_groups partitions, queues, accounts, users;
	double span_s, bucket_s;
	/* Run time / limit of jobs that have both: quantiles at 10, 25, 50, 75,
	 * 90 %.
	 */
	double limit_used[5];
	size_t limited;
};

/* Study a log.  Records without a run time are passed over.
 * Result: 0, or -1 with ENOMEM, EINVAL (no job is left) or EIO.
 * Owner:  the caller calls what_fini().
 */
int what_study(struct what *what, const struct swf_trace *trace,
	       const struct what_conf *conf, struct libra_error *err);
void what_fini(struct what *what);

/* Measure n waits, in seconds, and sort waits_s.  If n is 0, times are NAN. */
void what_measure_waits(struct what_waits *w, double *waits_s, size_t n);

/* Return the nearness of two waits: the smaller / the larger one.  A wait below
 * WHAT_LEAST_WAIT_S counts as that long.
 */
double what_wait_nearness(double a_s, double b_s);

/* Compare the replay with the log.  A wait below WHAT_LEAST_WAIT_S counts as
 * that long, as a scheduler's pass takes part of it.
 */
struct what_trust what_trust(const struct what *what);
/* Judge one nearness; NAN is WHAT_UNKNOWN. */
enum what_verdict what_verdict(double nearness);
const char *what_verdict_name(enum what_verdict verdict); /* "near", ... */
const char *what_measure_name(enum what_measure measure); /* "mean wait", ... */

/* Return "lower" or "higher", or "same" if the change is below 5 %, or "-" if a
 * value is not known.
 */
const char *what_direction(double value, double was);
/* Print a relative change, "-55 %".  was > 0.  Result: buf. */
const char *what_change(char buf[WHAT_CHANGE_SIZE], double value, double was);
/* The same as what_direction() for waits, with WHAT_LEAST_WAIT_S. */
const char *what_wait_direction(double wait_s, double was_s);

#endif
