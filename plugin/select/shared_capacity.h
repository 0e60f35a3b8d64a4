/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_capacity.h - keep memory of nodes and shares of cores free for
 * promised jobs.
 *
 * Slurm divides a node's memory among jobs, and OverSubscribe=FORCE:N permits N
 * jobs on a core.  If ordinary jobs used up the memory or all N places, a
 * promised job could not start on its processors.  So these functions restrict
 * the nodes and cores of ordinary jobs.  This file owns the number of jobs on
 * each core.
 *
 * Callers: the select plugin, follow.c, forecast.c and test_only.c, in the
 * thread of the request or scheduler, or that of starter.h.  The caller holds
 * Slurm's job write lock, which protects the counts, and a read lock of nodes.
 * A bitmap is a bitstr_t.
 */
#ifndef LIBRA_SELECT_SHARED_CAPACITY_H
#define LIBRA_SELECT_SHARED_CAPACITY_H

#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;

/* Clear in a bitmap the nodes on which a job might use memory (RAM) that is
 * promised to waiting jobs.  If malloc fails, clear all nodes: the job waits.
 */
void libra_shared_memory(const struct job_record *job,
			 const struct libra_host_job *seen, int64_t *nodes);

/* Return the crowded cores, which ordinary jobs must leave free.  In a managed
 * partition with OverSubscribe=FORCE:N, a core is crowded if it has N / 2 jobs
 * or more.
 * Result: NULL if there are none; all cores if malloc fails: the job waits.
 * Owner:  the caller frees the bitmap.
 * Cost:   the number of Slurm's jobs, if a job has ended since the last count;
 *         but at most once a second.
 */
int64_t *libra_shared_full(const struct job_record *job);

/* Return the cores that are crowded at an instant: count only jobs that Slurm
 * expects to end after it.
 * Result: as libra_shared_full().
 * Owner:  the caller frees the bitmap.
 * Cost:   the number of Slurm's jobs.
 */
int64_t *libra_shared_full_after(const struct job_record *job, time_t at);

/* Return the first end of the running jobs of some nodes, by their limits; 0 if
 * none runs there.
 * Cost:   the number of Slurm's jobs.
 */
time_t libra_shared_first_end(const int64_t *nodes);

/* Note that a job has started, or that one has ended. */
void libra_shared_started(const struct job_record *job);
void libra_shared_ended(void);

/* Free the counts, because Slurm reads nodes or all jobs again, or the plugin
 * ends.  The next call of libra_shared_full() counts anew.
 */
void libra_shared_fini(void);

#endif
