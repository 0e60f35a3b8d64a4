/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.h - release the promises of jobs that have no use for them.
 *
 * Once a second the sweep asks Slurm for each job that has a promise.
 */
#ifndef LIBRA_HOST_SWEEP_H
#define LIBRA_HOST_SWEEP_H

#include "plugin/host/state.h"

/* Slurm finds no way to start a job where it was promised, and its deadline has
 * been over for as long as an offer lives: what it keeps from others is of no
 * use to it.
 */
bool host_is_overdue(struct host_state *h, struct tracked_job *t, double now_s);

/* So all tasks of its job that wait release their promises; slurmctld's log
 * says that.  t is gone.
 */
void host_give_up(struct host_state *h, struct tracked_job *t, double now_s);

/* Release the promises of jobs that are gone, held for long or overdue, and
 * have records written again that others have overwritten: of all jobs, if that
 * is not costly or was not just done. Result: how many.
 */
uint32_t host_sweep(struct host_state *h, double now_s);

/* Sweep some of the jobs of this second (host_state.sweep_left).
 * Cost: O(1) jobs.
 */
void host_sweep_some(struct host_state *h, double now_s);

#endif
