/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_capacity.h - keep memory of nodes and shares of cores free for
 * promised jobs.
 *
 * Slurm divides a node's memory among jobs, and OverSubscribe=FORCE bounds the
 * jobs that share a core.  Ordinary jobs that used up either would keep a
 * promised job from its processors.  So these functions restrict the nodes and
 * cores of ordinary jobs.  Owns the number of jobs on each core.
 *
 * If malloc fails, an ordinary job waits, but the forecast of a start
 * (libra_shared_full_after()) ignores shared cores.
 *
 * The caller holds Slurm's job write lock, which protects the counts, and a
 * read lock of nodes.  A bitmap is a bitstr_t.
 */
#ifndef LIBRA_SELECT_SHARED_CAPACITY_H
#define LIBRA_SELECT_SHARED_CAPACITY_H

#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;

/* Clear in a bitmap the nodes on which a job might use memory (RAM) that is
 * promised to waiting jobs.
 */
void libra_shared_memory(const struct job_record *job,
			 const struct libra_host_job *seen, int64_t *nodes);

/* Return the crowded cores, which ordinary jobs must leave free: those with
 * half as many jobs as OverSubscribe=FORCE permits, in a managed partition.
 * Result: NULL if there are none.
 * Owner:  the caller frees the bitmap.
 * Cost:   the number of jobs once a second at most, if jobs have ended.
 */
int64_t *libra_shared_full(const struct job_record *job);

/* Return the same, counting only jobs that run beyond an instant by Slurm's end
 * times.
 * Cost:   the number of jobs.
 */
int64_t *libra_shared_full_after(const struct job_record *job, time_t at);

/* Return the first end of the running jobs of some nodes, by their limits; 0 if
 * none runs there.
 * Cost:   the number of jobs.
 */
time_t libra_shared_first_end(const int64_t *nodes);

/* Note that a job has started, or that one has ended. */
void libra_shared_started(const struct job_record *job);
void libra_shared_ended(void);

/* Free the counts: Slurm reads nodes or all jobs again, or the plugin ends. */
void libra_shared_fini(void);

#endif
