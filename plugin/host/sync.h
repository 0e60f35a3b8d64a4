/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sync.h - the engine follows the cluster, the tracked jobs follow the engine.
 */
#ifndef LIBRA_HOST_SYNC_H
#define LIBRA_HOST_SYNC_H

#include "plugin/host/state.h"

/* Bring the engine up to date: once a second at the most, but for nodes that
 * Slurm says have changed.
 */
void host_sync(struct host_state *h, double now_s);

/* Tell the engine which nodes are up, if they are not as they were. */
void host_sync_nodes(struct host_state *h, double now_s);

/* To the engine a running job makes progress; tell it that suspended ones have
 * not.
 */
void host_sync_suspended(struct host_state *h, double now_s);

/* A job stands still from now on, or goes on. */
void host_suspend(struct host_state *h, struct tracked_job *t, bool suspended,
		  double now_s);

/* Say what part of their processors the running jobs have worked with lately:
 * they are charged for that.  Some of them in a call, each once a second.
 * Result: are there more to do?
 */
bool host_charge(struct host_state *h, double now_s);

#endif
