/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what.h - what happened on a site's machine, and what would have happened.
 *
 * Measured are the log's own waits (field 3).  Simulated are the same jobs,
 * with the processors that they got, under EASY; how near that comes to what
 * was measured says how far to trust the scenarios.  Where the site's
 * partitions are known, those that share nodes have one queue, and each job's
 * limit is within its partition's; else all jobs compete for all processors.
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

enum { WHAT_BUCKETS = 240, WHAT_POINTS = 200, WHAT_SIZES = SITE_SIZES };

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
	size_t ended;			/* by a cap on limits */
	size_t too_large;		/* for their machine: left out */
	double busy_pct[WHAT_BUCKETS];	/* over time */
	double waiting[WHAT_BUCKETS];	/* jobs, mean */
	double cdf_wait_s[WHAT_POINTS]; /* at (i + 0.5) / points */
	double run_s;			/* that the simulation took */
};

/* What part of the last month's jobs could have been promised an end. */
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
	size_t unplaced;      /* of partitions that are not known: left out */
	struct what_run
		*runs; /* of the plan's scenarios; the first: as it was */
	size_t nruns;
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

/* Mean replayed wait / mean measured one; NAN if nothing was measured. */
double what_trust(const struct what *what);

#endif
