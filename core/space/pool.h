/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool.h - free processors, taken by jobs and released. */
#ifndef LIBRA_SPACE_POOL_H
#define LIBRA_SPACE_POOL_H

#include "core/space/state.h"

/* Take the job at a place out of the queue. */
void libra_pool_unqueue(struct libra_engine *e, uint32_t place);

/* Start the job at a place of the queue, on the first free processors. */
void libra_pool_start(struct libra_engine *e, uint32_t place);

/* The processors of a job are free again. */
void libra_pool_release(struct libra_engine *e, uint32_t slot);

/* Open or close a node for jobs; those on it go on.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_pool_node(struct libra_engine *e, const struct libra_node *node,
		    bool closed);

/* The instant at which a running job will end, by its estimate. */
static inline double libra_pool_end_s(const struct libra_slot *entry)
{
	return entry->start_s + entry->job.estimate_s;
}

#endif
