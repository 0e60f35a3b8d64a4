/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spans.h - whose the spans of plans by node are: no test of what they say.
 */
#ifndef TESTS_PROPERTY_SPANS_H
#define TESTS_PROPERTY_SPANS_H

#include "core/promise/rooms.h"
#include "core/promise/state.h"
#include "tests/unit/test.h"

/* Fail unless each span is free, or of one job that runs, waits or was tried
 * last, or of a place that is kept, which are not looked into; and unless all
 * that was drawn had room.
 */
static inline void assert_spans_owned(const struct libra_engine *e)
{
	const struct libra_promise_state *s = libra_promise_state(e);
	const struct libra_rooms *r = s->rooms;
	uint64_t n = 0;

	if (!r)
		return;
	for (uint32_t i = r->free_span; i != LIBRA_NO_SPAN; i = r->spans[i].next)
		n++;
	for (uint32_t i = 0; i < e->nslots; i++)
		n += libra_spans_count(r, r->held[i]);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		n += libra_spans_count(r, s->waiting[i].spans);
	for (uint32_t i = 0; i < r->ntried; i++)
		n += libra_spans_count(r, r->tried[i]);
	if (s->nkept == 0)
		assert_int_equal(n, r->nspans);
	else
		assert_true(n < r->nspans);
	assert_false(r->now.is_full || r->trial.is_full);
}

#endif
