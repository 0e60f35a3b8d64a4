/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_capacity.h - room that jobs without a promise leave to those with one.
 *
 * Slurm divides a node's memory, and lets so many jobs share a core as
 * OverSubscribe=FORCE says: ordinary jobs that had all of either would keep a
 * promised job from its processors.  Bitmaps are Slurm's bitstr_t.
 *
 * Where memory is out for what has to be known, they wait; but when a job would
 * start later is then told as if none shared too much.
 *
 * The caller holds Slurm's write lock of jobs, as the counts are kept here, and
 * may read nodes.
 */
#ifndef LIBRA_SELECT_SHARED_CAPACITY_H
#define LIBRA_SELECT_SHARED_CAPACITY_H

#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;

/* Take the nodes out whose memory is promised to jobs that wait: the most that
 * the job may take there has to be spare.
 */
void libra_shared_memory(const struct job_record *job,
			 const struct libra_host_job *seen, int64_t *nodes);

/* The cores of all nodes that half as many jobs share as may, in a managed
 * partition.
 * Result: NULL if there are none; for the caller to free.
 */
int64_t *libra_shared_full(const struct job_record *job);

/* The same if all that runs beyond an instant, by Slurm's end times, is there,
 * and nothing else; counted anew.
 */
int64_t *libra_shared_full_after(const struct job_record *job, time_t at);

/* A job has started, or one is over. */
void libra_shared_started(const struct job_record *job);
void libra_shared_ended(void);

/* Forget what is known: nodes or all jobs are read anew, or the end. */
void libra_shared_fini(void);

#endif
