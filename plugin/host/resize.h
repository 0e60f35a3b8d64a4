/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resize.h - ordinary jobs that run and give nodes back.
 *
 * The engine forgets such a job and has it again, with what it has then.  That
 * one gets the nodes of another (--dependency=expand) is refused at submit:
 * Slurm 22.05 leaves it none of their cores, and 26.05.3 dies of it.
 */
#ifndef LIBRA_HOST_RESIZE_H
#define LIBRA_HOST_RESIZE_H

#include "plugin/host/state.h"

/* A job has lost nodes.  Slurm is not done with it yet: what it has is asked at
 * the next sync.
 */
void host_resize_note(struct host_state *h, uint32_t job_id);
void host_resize_sync(struct host_state *h, double now_s);

#endif
