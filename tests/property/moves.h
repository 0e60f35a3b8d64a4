/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moves.h - a count of moves that stands still: so do the plans.
 */
#ifndef LIBRA_TESTS_MOVES_H
#define LIBRA_TESTS_MOVES_H

#include "core/space/planned.h"
#include "tests/unit/host.h"

enum { MOST_SEEN = 256 };

struct moves {
	const struct libra_engine *e;
	uint64_t count, tickets[MOST_SEEN];
	double starts[MOST_SEEN];
	int nseen;
	uint32_t npending;
	int still; /* plans that were compared */
};

static double moves_seen(const struct moves *m, uint64_t ticket)
{
	for (int i = 0; i < m->nseen; i++)
		if (m->tickets[i] == ticket)
			return m->starts[i];
	return NAN;
}

static bool moves_has(const uint64_t *tickets, int n, uint64_t ticket)
{
	for (int i = 0; i < n; i++)
		if (tickets[i] == ticket)
			return true;
	return false;
}

/* Plans that a repair found have moved. */
static void moves_repaired(const struct moves *m, bool same, uint32_t npending,
			   const uint64_t *tickets, int n)
{
	for (int i = 0; i < m->nseen; i++)
		if (!moves_has(tickets, n, m->tickets[i]))
			return;
	assert_false(same && npending < m->npending);
}

/* The jobs that wait with a plan; while a repair is to come nothing is asked of
 * their starts.
 */
static void moves_look(struct moves *m, const struct libra_engine *e,
		       const uint64_t *tickets, int n)
{
	bool same = m->e == e && m->count == libra_engine_plan_moves(e);
	uint32_t npending = libra_planned_state(e)->nunplaced;
	double starts[MOST_SEEN];

	assert_true(n <= MOST_SEEN);
	moves_repaired(m, same, npending, tickets, n);
	for (int i = 0; i < n; i++) {
		double seen_s = moves_seen(m, tickets[i]);

		starts[i] = npending > 0
				    ? NAN
				    : libra_engine_planned_start(e, tickets[i]);
		if (!same || isnan(seen_s) || isnan(starts[i]))
			continue;
		assert_true(starts[i] == seen_s);
		m->still++;
	}
	m->e = e;
	m->count = libra_engine_plan_moves(e);
	m->nseen = n;
	m->npending = npending;
	memcpy(m->tickets, tickets, (size_t)n * sizeof(*tickets));
	memcpy(m->starts, starts, (size_t)n * sizeof(*starts));
}

#endif
