/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - report why one job of a site's log waited in a simulation of
 * Slurm's own scheduler.
 */
#ifndef SIM_SITE_SLURM_EXPLAIN_H
#define SIM_SITE_SLURM_EXPLAIN_H

#include <stdio.h>

#include "sim/slurm/load.h"

/* Find a job by the name that squeue prints (17, or 17_3 for a task of an
 * array) or by its JobIDRaw.  The name of an array means its first task.
 * Result: 0 with *task, an index of load->model.tasks, or -1 with EINVAL (the
 *         model has no such job).
 */
int slurm_explain_find(const struct sched_load *load, const char *name,
		       uint32_t *task, struct libra_error *err);

/* Print what sched_simulate() recorded about the job of load->watch, and the
 * logged start beside the simulated one; json: as one object.
 * Result: 0, or -1 with ENOMEM.
 */
int slurm_explain_print(const struct sched_load *load, bool json, FILE *fp,
			struct libra_error *err);

#endif
