/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.h - free processors, taken by jobs and released. */
#ifndef LIBRA_SPACE_POOL_H
#define LIBRA_SPACE_POOL_H

#include "core/space/state.h"

/* Take the job at a place out of the queue. */
void libra_pool_unqueue(struct libra_engine *e, uint32_t place);

/* Start the job at a place of the queue, on the first free processors. */
void libra_pool_start(struct libra_engine *e, uint32_t place);

/* The same for a job that is in no queue, expected to end at an instant. */
void libra_pool_begin(struct libra_engine *e, uint32_t slot, double end_s);

/* The same for one that has its processors by now. */
void libra_pool_run(struct libra_engine *e, uint32_t slot, double end_s);

/* A job has certain processors from now on; they hold no other job.  There is
 * room in the map for 2 runs for each part.
 */
void libra_pool_enter(struct libra_engine *e, uint32_t slot,
		      const struct libra_part *parts, uint32_t nparts,
		      double end_s);

/* Is one of these processors some job's? */
bool libra_pool_is_taken(const struct libra_engine *e,
			 const struct libra_part *parts, uint32_t nparts);

/* A running job is expected to end at another instant. */
void libra_pool_expect(struct libra_engine *e, uint32_t slot, double end_s);

/* The clock was set by so much: all that run end as long from now as before. */
void libra_pool_shift(struct libra_engine *e, double by_s);

/* How many of its processors will be free for others when a job ends: those on
 * nodes that are not closed.  Cost: O(1) while none is, else O(closed nodes x
 * runs).
 */
uint32_t libra_pool_open_procs(const struct libra_engine *e, uint32_t slot);

/* The processors of a job are free again. */
void libra_pool_release(struct libra_engine *e, uint32_t slot);

/* Open or close a node for jobs; those on it go on.
 * Result: 0.
 */
int libra_pool_node(struct libra_engine *e, const struct libra_node *node,
		    bool closed);

#endif
