/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.h - make the scheduler's model of a site and its log.
 *
 * A load is used once: it is simulated (simulate.h), or compared with a
 * recording (steps.h).
 */
#ifndef SIM_SLURM_LOAD_H
#define SIM_SLURM_LOAD_H

#include "sim/base/progress.h"
#include "sim/slurm/sched/ignored.h"
#include "sim/slurm/sched/watch.h"
#include "sim/slurm/site.h"

struct sched_load {
	const struct slurm_site *site;
	struct sched_model model;
	struct sched_ignored_list ignored;
	uint64_t skipped;    /* jobs without a time of submission, or without a
				partition of the site */
	uint64_t unmodelled; /* tasks with an option that the model ignores */
	uint32_t *row;	/* by task: the row of site->jobs that it was read from
			 */
	int32_t *nice;	/* by job of the model, as first made */
	uint64_t *sets; /* memory of all sets of the model */
	/* The caller may set these for sched_simulate(); NULL = none. */
	sim_progress_f *progress;
	void *progress_arg;
	struct sched_watch *watch;
};

/* Make the model of a site: nodes, rules, and one job for each job or array of
 * the log.  The site must outlive the model.
 * Result: 0, or -1 with ENOMEM or EINVAL (the log has no job that fits the
 *         site).
 * Owner:  the caller calls sched_load_fini(), after an error as well.
 */
int sched_load(struct sched_load *load, const struct slurm_site *site,
	       struct libra_error *err);
void sched_load_fini(struct sched_load *load);

#endif
