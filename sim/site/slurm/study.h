/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h - the log of a site under Slurm's own scheduler, as it was and with
 * changes.
 *
 * The first scenario of the plan changes nothing: its starts beside the logged
 * ones are the proof.
 */
#ifndef SIM_SITE_SLURM_STUDY_H
#define SIM_SITE_SLURM_STUDY_H

#include "sim/base/progress.h"
#include "sim/site/apart.h"
#include "sim/site/scenarios.h"
#include "sim/site/what.h"
#include "sim/slurm/load.h"
#include "sim/slurm/promises/promises.h"

enum slurm_study_kind {
	STUDY_ALL,
	STUDY_QOS,
	STUDY_PARTITION,
	STUDY_ACCOUNT,
	STUDY_SIZE,
	STUDY_KINDS,
};

enum {
	STUDY_WARN_PCT = 20,   /* of unmodelled jobs: a warning is shown */
	STUDY_LEAST_JOBS = 20, /* of a group that may be distrusted */
};

/* Waits of the jobs without a promise that start in a scenario, and as it was.
 */
struct slurm_study_others {
	struct what_waits with, without;
};

struct slurm_study_group {
	enum slurm_study_kind kind;
	const char *name; /* as the site has it; "-": none */
	size_t rows;	  /* of the log */
	/* The jobs that started in the log and, as it was, in the simulation.
	 */
	struct what_waits measured, simulated;
	double nearness; /* of the mean waits: the smaller / the larger */
	size_t within[SITE_WITHIN]; /* jobs: site_within_s */
	struct what_waits *runs;    /* in each scenario, of all that started */
	/* in each scenario; of sizes and accounts none are measured */
	struct slurm_study_others *others;
};

enum { STUDY_POINTS = 100 };

/* Waits of the jobs that started in the log and in the simulation. */
struct slurm_study_waits {
	struct apart_moving moving;
	double sorted_s[APART_SIDES][STUDY_POINTS]; /* at (i + 0.5) / points */
};

/* Measure the waits of n > 0 jobs, whose order becomes that of ready_s.
 * Result: 0, or -1 with ENOMEM.
 */
int slurm_study_measure_waits(struct slurm_study_waits *w,
			      struct apart_job *jobs, size_t n,
			      struct libra_error *err);

/* Draw mean waits over time, and the distribution of the waits, measured beside
 * simulated; alone: a file of its own.
 * Result and owner: as of plot_svg().
 */
int slurm_draw_moving(const struct apart_moving *m, bool alone, char **svg,
		      struct libra_error *err);
int slurm_draw_waits(const struct slurm_study_waits *w, bool alone, char **svg,
		     struct libra_error *err);

struct slurm_study_run {
	uint64_t started, never, preempted, over_submit;
	double utilization_pct; /* until the last submission */
	/* jobs that wait at least ten minutes less, or more, than as it was */
	size_t shorter, longer;
	double share, within; /* of promises; share 0: none are made */
	struct sched_promise_counts promises;
	struct sched_ignored_list unable; /* to ask for a promise */
};

struct slurm_study {
	struct slurm_site site;
	const struct plan *plan;
	struct slurm_study_group *groups; /* by kind; the first has all jobs */
	size_t ngroups;
	struct slurm_study_waits waits;
	struct slurm_study_run *runs; /* of each scenario */
	struct site_sizes sizes;
	uint64_t jobs, skipped, unmodelled; /* tasks */
	struct sched_ignored_list ignored;
	int64_t first_s, last_s; /* submissions */
	double measured_pct;	 /* utilization in the log */
};

struct slurm_study_conf {
	const char *folder, *log; /* log NULL: the folder's jobs.txt */
	const struct plan *plan;
	unsigned workers;
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
};

/* Simulate all scenarios.  The result does not depend on the workers.
 * Result: 0, or -1 with ENOMEM, EINVAL (a change, or the site's files) or errno
 *         of the system.
 * Owner:  the caller calls slurm_study_fini(), after an error as well.
 */
int slurm_study_make(struct slurm_study *s, const struct slurm_study_conf *conf,
		     struct libra_error *err);
void slurm_study_fini(struct slurm_study *s);

const char *slurm_study_kind_name(enum slurm_study_kind kind); /* "QOS", ... */

/* Return true if a group's simulated waits are not to be trusted: it has
 * STUDY_LEAST_JOBS, and its mean wait is far from the logged one.
 */
bool slurm_study_distrusts(const struct slurm_study_group *g);

/* Return the share of the jobs that ask for what is not modelled, in %. */
double slurm_study_unmodelled_pct(const struct slurm_study *s);

/* Write the page and its tables.
 * Result: 0, or -1 with errno of the system, or ENOMEM.
 */
int slurm_study_write(const struct slurm_study *s, const char *folder,
		      const char *command, struct libra_error *err);

#endif
