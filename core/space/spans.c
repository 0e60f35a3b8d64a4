/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spans.c - see spans.h. */
#include "core/space/spans.h"

#include <string.h>

#include "core/bits.h"

uint32_t libra_spans_new(struct libra_nodes *r, uint32_t node, uint32_t next)
{
	uint32_t span = r->free_span;

	if (span != LIBRA_NO_SPAN)
		r->free_span = r->spans[span].next;
	else if (r->nspans < r->spans_cap)
		span = r->nspans++;
	else
		return LIBRA_NO_SPAN;
	r->spans[span] = (struct libra_span){.node = node, .next = next};
	memset(&r->amounts[(size_t)span * r->width], 0,
	       r->width * sizeof(*r->amounts));
	return span;
}

void libra_spans_free(struct libra_nodes *r, uint32_t *spans)
{
	while (r && *spans != LIBRA_NO_SPAN) {
		uint32_t next = r->spans[*spans].next;

		r->spans[*spans].next = r->free_span;
		r->free_span = *spans;
		*spans = next;
	}
}

uint64_t libra_spans_count(const struct libra_nodes *r, uint32_t spans)
{
	uint64_t n = 0;

	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next)
		n++;
	return n;
}

int64_t libra_spans_procs(const struct libra_nodes *r, uint32_t spans)
{
	int64_t n = 0;

	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next)
		n += r->amounts[(size_t)span * r->width];
	return n;
}

/* Subtract what spans have on a node; not below 0. */
static void take_of_node(const struct libra_nodes *r, uint32_t spans,
			 uint32_t node, int64_t *amounts)
{
	for (uint32_t span = spans; span != LIBRA_NO_SPAN;
	     span = r->spans[span].next) {
		const int64_t *has_of = &r->amounts[(size_t)span * r->width];

		if (r->spans[span].node != node)
			continue;
		for (uint32_t i = 0; i < r->width; i++)
			amounts[i] = amounts[i] > has_of[i]
					     ? amounts[i] - has_of[i]
					     : 0;
	}
}

uint32_t libra_spans_beyond(struct libra_engine *e, uint32_t spans,
			    const uint32_t *others, uint32_t n)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t more = LIBRA_NO_SPAN, span;

	for (uint32_t of = spans; of != LIBRA_NO_SPAN; of = r->spans[of].next) {
		span = libra_spans_new(r, r->spans[of].node, more);
		if (span == LIBRA_NO_SPAN)
			return more;
		more = span;
		memcpy(libra_span_amounts(r, span), libra_span_amounts(r, of),
		       r->width * sizeof(*r->amounts));
		for (uint32_t i = 0; i < n; i++)
			take_of_node(r, others[i], r->spans[of].node,
				     libra_span_amounts(r, span));
	}
	return more;
}

static uint64_t free_without(const struct libra_engine *e,
			     struct libra_range range,
			     const struct libra_start_query *gone)
{
	const struct libra_procs *procs = &libra_space_state(e)->procs;
	uint64_t n = libra_procs_free(procs, range);

	for (uint32_t i = 0; gone && i < gone->ngone; i++) {
		uint32_t slot = libra_ticket_slot(gone->gone[i]);

		if (slot < e->nslots && e->slots[slot].ticket == gone->gone[i])
			n += libra_procs_count(procs, slot, range);
	}
	return n;
}

bool libra_spans_are_free(const struct libra_engine *e, uint32_t spans,
			  const struct libra_start_query *gone)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const struct libra_node *node = &e->nodes[r->spans[spans].node];

		if (node->state != LIBRA_NODE_UP ||
		    free_without(
			    e, (struct libra_range){node->first, node->count},
			    gone) < (uint64_t)libra_span_amounts(r, spans)[0])
			return false;
	}
	return true;
}

void libra_spans_take(struct libra_engine *e, uint32_t slot, uint32_t spans)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next) {
		const struct libra_node *node = &e->nodes[r->spans[spans].node];

		libra_procs_take_in(
			&s->space.procs, slot,
			(struct libra_range){node->first, node->count},
			(uint32_t)libra_span_amounts(r, spans)[0]);
	}
}
