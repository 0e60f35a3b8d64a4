/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spans.h - whose the spans of plans by node are, that there is room for more,
 * and what is counted of plans: no test of what they say.
 */
#ifndef TESTS_PROPERTY_SPANS_H
#define TESTS_PROPERTY_SPANS_H

#include "core/engine_impl.h"
#include "core/space/nodes.h"
#include "core/space/planned.h"
#include "tests/unit/test.h"

/* Fail unless each span is free, or of one job that runs, waits or was tried
 * last, or of a place that is kept, which are not looked into; and unless all
 * that was drawn had room.
 */
static inline void assert_spans_owned(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;
	uint64_t n = 0;

	if (!r)
		return;
	for (uint32_t i = r->free_span; i != LIBRA_NO_SPAN;
	     i = r->spans[i].next)
		n++;
	for (uint32_t i = 0; i < e->nslots; i++)
		n += libra_spans_count(r, r->held[i]);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		n += libra_spans_count(r, s->waiting[i].spans);
	for (uint32_t i = 0; i < r->ntried; i++)
		n += libra_spans_count(r, r->tried[i]);
	if (s->nholds == 0)
		assert_int_equal(n, r->nspans);
	else
		assert_true(n < r->nspans);
	assert_false(r->now.is_full || r->trial.is_full);
}

static inline uint64_t spans_of(const struct libra_engine *e, uint32_t nprocs)
{
	return nprocs < e->nnodes ? nprocs : e->nnodes;
}

/* Fail unless there is room for one job more, whatever its size, and for each
 * that there is to be planned, tried and moved: decisions allocate nothing.
 */
static inline void assert_reserved(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;
	uint64_t n = e->nnodes + s->noutages + spans_of(e, e->nprocs);
	uint32_t nsteps = 2 * (e->live + 1 + s->noutages) + 6;

	/* Nobody has come yet; a place that is kept has room for its job. */
	if (e->live == 0 || s->nholds > 0)
		return;
	assert_true(s->cap >= e->live + 2);
	assert_true(s->space.timeline.cap >= nsteps);
	assert_true(s->trial.cap >= nsteps);
	if (!r)
		return;
	for (uint32_t i = 0; i < e->nslots; i++)
		if (e->slots[i].state != LIBRA_SLOT_FREE)
			n += spans_of(e, e->slots[i].job.nprocs);
	n *= 2;
	assert_true(r->spans_cap >= n);
	assert_true(r->now.cap >= e->nnodes + 2 * n);
	assert_true(r->trial.cap >= e->nnodes + 2 * n);
	assert_true(r->nshapes >= e->nslots + 2);
}

/* Fail unless so many wait with this or that as is kept count of. */
static inline void assert_counted(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	uint32_t firm = 0, late = 0, untold = 0, pending = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		firm += s->waiting[i].firm;
		late += s->waiting[i].late;
		untold += s->waiting[i].unreported;
		pending += s->waiting[i].unplaced;
	}
	assert_int_equal(s->nfirm, firm);
	assert_int_equal(s->nlate, late);
	assert_int_equal(s->nunreported, untold);
	assert_int_equal(s->nunplaced, pending);
}

#endif
