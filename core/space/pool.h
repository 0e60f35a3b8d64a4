/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - assign free processors to jobs, and release them.
 *
 * These functions keep the processor map (procs.h), the list of running jobs
 * and the count of free processors consistent.  They allocate no memory: the
 * policy has reserved it when the job came.  A place is an index of the queue
 * (queue.h).
 *
 * Only core/space calls them.
 */
#ifndef LIBRA_SPACE_POOL_H
#define LIBRA_SPACE_POOL_H

#include "core/space/state.h"

/* Remove the job at a place from all queues. */
void libra_pool_unqueue(struct libra_engine *e, uint32_t place);

/* Start the job at a place of the queue on the first free processors, and
 * report the start as an action.  The caller has tested that enough are free.
 */
void libra_pool_start(struct libra_engine *e, uint32_t place);

/* Start a job that is in no queue on the first free processors, report that as
 * an action, and expect its end at end_s.
 */
void libra_pool_begin(struct libra_engine *e, uint32_t slot, double end_s);

/* As libra_pool_begin(), for a job whose processors are assigned already. */
void libra_pool_run(struct libra_engine *e, uint32_t slot, double end_s);

/* Add a job that already runs (after a restart) on the processors in parts,
 * which no other job has.  end_s: its expected end.
 */
void libra_pool_enter(struct libra_engine *e, uint32_t slot,
		      const struct libra_part *parts, uint32_t nparts,
		      double end_s);

/* Return true if a job has one of the processors in parts. */
bool libra_pool_is_taken(const struct libra_engine *e,
			 const struct libra_part *parts, uint32_t nparts);

/* Set the instant at which a running job is expected to end. */
void libra_pool_expect(struct libra_engine *e, uint32_t slot, double end_s);

/* Move the expected ends of all running jobs by by_s seconds, after the host's
 * clock was set.
 */
void libra_pool_shift(struct libra_engine *e, double by_s);

/* Return the node of a processor. */
uint32_t libra_pool_node_of(const struct libra_engine *e, uint32_t proc);

/* A node of a job, and the processors of one run there (procs.h).  A node with
 * several runs of the job comes several times.
 */
struct libra_job_node {
	uint32_t run, proc; /* for libra_pool_next_node() alone */
	uint32_t node, nprocs;
};

/* Return a place before the first node of a job, for libra_pool_next_node(). */
struct libra_job_node libra_pool_nodes(const struct libra_engine *e,
				       uint32_t slot);

/* Set *at to the next node.
 * Result: false if there is none.
 * Cost:   O(1), and O(log nodes) for each run.
 */
bool libra_pool_next_node(const struct libra_engine *e,
			  struct libra_job_node *at);

/* Return the number of a job's processors that others can use when it ends:
 * those on open nodes.
 * Cost: O(1) if no node is closed or has changed since the last call for this
 *       job, else O(nodes of the job).
 */
uint32_t libra_pool_open_procs(const struct libra_engine *e, uint32_t slot);

/* Release the processors of a job.  Those on closed nodes do not become free.
 */
void libra_pool_release(struct libra_engine *e, uint32_t slot);

/* Open or close a node for new jobs.  Jobs on the node continue.
 * Result: 0, for libra_policy_ops.
 */
int libra_pool_node(struct libra_engine *e, const struct libra_node *node,
		    bool closed);

#endif
