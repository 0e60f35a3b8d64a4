/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - the engine follows the cluster, the tracked jobs follow the engine.
 */
#ifndef LIBRA_HOST_SYNC_H
#define LIBRA_HOST_SYNC_H

#include "plugin/host/state.h"

/* Now, in seconds of the epoch.  A steady clock beside it tells time that
 * passed, in which jobs worked, from a clock that was set: where that was by
 * more than some seconds, the engine and what is counted from an instant follow
 * first.
 */
double host_now(struct host_state *h);

/* Bring the engine up to date: once a second at the most, but for nodes that
 * Slurm says have changed.
 */
void host_sync(struct host_state *h, double now_s);

/* Do what the engine wants done. */
void host_sync_actions(struct host_state *h, double now_s);

/* Tell the engine which nodes are up, if they are not as they were. */
void host_sync_nodes(struct host_state *h, double now_s);

/* To the engine a running job makes progress; tell it that suspended ones have
 * not.
 */
void host_sync_suspended(struct host_state *h, double now_s);

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

/* A job stands still from now on, or goes on. */
void host_suspend(struct host_state *h, struct tracked_job *t, bool suspended,
		  double now_s);

/* Say what part of their processors the running jobs have worked with lately:
 * they are charged for that.  Some of them in a call, each once a second.
 * Result: are there more to do?
 */
bool host_charge(struct host_state *h, double now_s);

#endif
