/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_memory.h - memory of policies that reserve processors.
 *
 * All memory is reserved before a decision, so that no decision allocates.
 *
 * Only core/space calls these functions.
 */
#ifndef LIBRA_SPACE_PLANNED_MEMORY_H
#define LIBRA_SPACE_PLANNED_MEMORY_H

#include "core/space/spans.h"

/* Reserve memory for n jobs in all: their reservations and the steps of both
 * timelines.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_reservations_make_room(struct libra_planned_state *s, uint64_t n);

void libra_reservations_fini(struct libra_planned_state *s);

/* Reserve memory for the indices in waiting of nslots slots.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_reservations_make_index(struct libra_planned_state *s,
				  uint32_t nslots);

/* Allocate s->nodes if reservations are by node.
 * Result: 0, or -1 with ENOMEM.  Call libra_nodes_fini() in either case.
 */
int libra_nodes_init(struct libra_engine *e);

void libra_nodes_fini(struct libra_planned_state *s);

/* Add the job in a slot to the jobs for which the next libra_nodes_reserve()
 * reserves memory.
 */
void libra_nodes_expect(struct libra_engine *e, uint32_t slot);

/* Reserve spans and steps for the present jobs and njobs more of nprocs
 * processors.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_nodes_reserve(struct libra_engine *e, uint32_t njobs,
			uint32_t nprocs);

/* Replace the list of outages by a copy of n others.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_outages_set(struct libra_engine *e, const struct libra_outage *list,
		      uint32_t n);

void libra_outages_fini(struct libra_planned_state *s);

#endif
