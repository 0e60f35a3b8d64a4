/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h - simulate a site's log under Slurm's own scheduler, unchanged and
 * with changes.
 *
 * The first scenario of the plan changes nothing ("as it was").  The nearer its
 * waits are to the logged ones, the more the other scenarios can be trusted.
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
	STUDY_WARN_PCT = 20,   /* % of unmodelled jobs from which pages warn */
	STUDY_LEAST_JOBS = 20, /* smaller groups are not distrusted */
};

/* Waits of the jobs that have no promise in a scenario and start in that
 * scenario and in the first one: in that scenario, and in the first one.
 */
struct slurm_study_others {
	struct what_waits with, without;
};

struct slurm_study_group {
	enum slurm_study_kind kind;
	const char *name; /* as the site has it; "-": none */
	size_t rows;	  /* of the log, that are in the group */
	/* Waits of the jobs that started in the log and in the first scenario.
	 */
	struct what_waits measured, simulated;
	double nearness; /* of the mean waits: the smaller / the larger */
	/* Jobs whose simulated start is at most site_within_s[k] from the
	 * logged one.
	 */
	size_t within[SITE_WITHIN];
	struct what_waits *runs; /* by scenario: of all jobs that started */
	/* By scenario; zeros for sizes and accounts. */
	struct slurm_study_others *others;
};

enum { STUDY_POINTS = 100 };

/* Waits of the jobs that started in the log and in the simulation. */
struct slurm_study_waits {
	struct apart_moving moving;
	/* Quantiles (i + 0.5) / STUDY_POINTS. */
	double sorted_s[APART_SIDES][STUDY_POINTS];
};

/* Sort n > 0 jobs by ready_s and measure their waits.
 * Result: 0, or -1 with ENOMEM.
 */
int slurm_study_measure_waits(struct slurm_study_waits *w,
			      struct apart_job *jobs, size_t n,
			      struct libra_error *err);

/* Draw measured beside simulated waits: means over time (_moving), or their
 * distribution (_waits).  alone: a file of its own, not part of a page.
 * Result and owner: as of plot_svg().
 */
int slurm_draw_moving(const struct apart_moving *m, bool alone, char **svg,
		      struct libra_error *err);
int slurm_draw_waits(const struct slurm_study_waits *w, bool alone, char **svg,
		     struct libra_error *err);

struct slurm_study_run {
	uint64_t started, never; /* jobs that started, and that did not */
	uint64_t preempted, over_submit; /* as in struct sched_figures */
	double utilization_pct; /* from the first to the last submission */
	/* Jobs that wait at least ten minutes less, or more, than in the first
	 * scenario.
	 */
	size_t shorter, longer;
	double share, within; /* struct slurm_promises; share 0: no promises */
	struct sched_promise_counts promises;
	struct sched_ignored_list unable; /* why jobs cannot ask for one */
};

struct slurm_study {
	struct slurm_site site;
	const struct plan *plan;
	struct slurm_study_group *groups; /* by kind; the first has all jobs */
	size_t ngroups;
	struct slurm_study_waits waits; /* of the first scenario */
	struct slurm_study_run *runs;	/* by scenario */
	struct site_sizes sizes;
	/* Tasks that are simulated, that are not, and of the former those that
	 * ask for what is not modelled.
	 */
	uint64_t jobs, skipped, unmodelled;
	struct sched_ignored_list ignored; /* what is not modelled */
	int64_t first_s, last_s;	   /* instants of the submissions */
	double measured_pct;		   /* utilization in the log */
};

struct slurm_study_conf {
	const char *folder, *log; /* log NULL: the folder's jobs.txt */
	const struct plan *plan;
	unsigned workers;
	sim_progress_f *progress; /* or NULL */
	void *progress_arg;
};

/* Simulate all scenarios in conf->workers processes.  Their number does not
 * change the result.
 * Result: 0, or -1 with ENOMEM, EINVAL (a change, or the site's files) or errno
 *         of the system.
 * Owner:  the caller calls slurm_study_fini(), after an error as well.
 */
int slurm_study_make(struct slurm_study *s, const struct slurm_study_conf *conf,
		     struct libra_error *err);
void slurm_study_fini(struct slurm_study *s);

const char *slurm_study_kind_name(enum slurm_study_kind kind); /* "QOS", ... */

/* Return true if a group's simulated waits should not be trusted: the group has
 * at least STUDY_LEAST_JOBS, and the nearness of its mean waits is not
 * WHAT_NEAR.
 */
bool slurm_study_distrusts(const struct slurm_study_group *g);

/* Return the % of all tasks that are skipped or ask for what is not modelled.
 */
double slurm_study_unmodelled_pct(const struct slurm_study *s);

/* Write the page and its tables into a folder; command is for the page's last
 * line.
 * Result: 0, or -1 with errno of the system, or ENOMEM.
 */
int slurm_study_write(const struct slurm_study *s, const char *folder,
		      const char *command, struct libra_error *err);

#endif
