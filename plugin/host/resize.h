/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.h - running ordinary jobs that give nodes back.
 *
 * The host removes such a job from the engine, and reports it again with its
 * remaining processors.
 * A job that takes over the nodes of another (--dependency=expand) is refused
 * at submit: Slurm 22.05 gives it none of their cores, and 26.05.3 crashes.
 * Called under the host's lock and Slurm's job write lock.
 */
#ifndef LIBRA_HOST_RESIZE_H
#define LIBRA_HOST_RESIZE_H

#include "plugin/host/state.h"

/* Mark a job that has lost nodes; Slurm has not updated its record yet. */
void host_resize_note(struct host_state *h, uint32_t job_id);

/* Read the records of marked jobs and report them to the engine.  If memory is
 * out, a job keeps its mark and its former processors until the next call.
 */
void host_resize_sync(struct host_state *h, double now_s);

#endif
