/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - what kept one job of a site's log waiting under Slurm's own
 * scheduler, for people and programs.
 */
#ifndef SIM_SITE_SLURM_EXPLAIN_H
#define SIM_SITE_SLURM_EXPLAIN_H

#include <stdio.h>

#include "sim/slurm/load.h"

/* Find a job by the name that squeue prints (17, or 17_3 for a task of an
 * array) or by its JobIDRaw; an array's name means its first task.
 * Result: 0 with the model's task, or -1 with EINVAL: the model has no such
 * job.
 */
int slurm_explain_find(const struct sched_load *load, const char *name,
		       uint32_t *task, struct libra_error *err);

/* Print what a simulation with load->watch noted, and the logged start beside
 * the simulated one; json: as one object.
 * Result: 0, or -1 with ENOMEM.
 */
int slurm_explain_print(const struct sched_load *load, bool json, FILE *fp,
			struct libra_error *err);

#endif
