/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compress.h - move reservations earlier when capacity has grown.
 *
 * Capacity grows when a job ends early or is cancelled, or when a node opens
 * (libra_planned_state.capacity_grew).  Only core/space calls these functions.
 * None allocates memory.
 */
#ifndef LIBRA_SPACE_COMPRESS_H
#define LIBRA_SPACE_COMPRESS_H

#include "core/space/planned.h"

/* If capacity has grown, move each reservation, in order of latest starts, to
 * its earliest fit that leaves rules.pull_held_back processors free (none for a
 * reservation whose promise is broken).  No start becomes later.  Before that,
 * repair broken promises: replan all jobs if that keeps every promise;
 * otherwise move each reservation whose promise is broken earlier.
 * Cost: O(reservations x (timeline + nodes)).
 */
void libra_compress_all(struct libra_engine *e);

/* Only repair broken promises, as libra_compress_all() does first. */
void libra_compress_late(struct libra_engine *e);

/* Do a part of libra_compress_all(), until budget steps are counted; the next
 * call goes on from there.  A reservation that has nodes moves earlier on these
 * nodes, or to now on any nodes, and other reservations keep their nodes.  The
 * repair of broken promises has no budget.
 * Result: true if work is left.
 * Cost:   budget, and one reservation: O(timeline + its nodes x their steps),
 *         and O(nodes) if it could start now by the number of processors;
 *         LIBRA_SEARCH_BUDGET bounds the latter for a pass.
 */
bool libra_compress_some(struct libra_engine *e, uint64_t budget);

/* Return true if libra_compress_some() has work. */
bool libra_compress_has_work(const struct libra_planned_state *s);

#endif
