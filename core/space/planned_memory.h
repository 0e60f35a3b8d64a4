/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned_memory.h - all memory of planning policies: reserved ahead of a
 * decision, so that no decision allocates.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_PLANNED_MEMORY_H
#define LIBRA_SPACE_PLANNED_MEMORY_H

#include "core/space/spans.h"

/* Room for n jobs in all.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_reservations_make_room(struct libra_planned_state *s, uint32_t n);

void libra_reservations_fini(struct libra_planned_state *s);

/* Room to remember the places of so many slots.  Result: likewise. */
int libra_reservations_make_index(struct libra_planned_state *s,
				  uint32_t nslots);

/* Result: 0, or -1 with ENOMEM; fini in any case. */
int libra_nodes_init(struct libra_engine *e);

void libra_nodes_fini(struct libra_planned_state *s);

/* A job has come: room for it is asked for next. */
void libra_nodes_expect(struct libra_engine *e, uint32_t slot);

/* Room for the jobs there are and njobs more of nprocs processors.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_nodes_reserve(struct libra_engine *e, uint32_t njobs,
			uint32_t nprocs);

/* Replace all.  Result: 0, or -1 with ENOMEM and nothing changed. */
int libra_outages_set(struct libra_engine *e, const struct libra_outage *list,
		      uint32_t n);

void libra_outages_fini(struct libra_planned_state *s);

#endif
