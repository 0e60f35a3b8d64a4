/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outage.c - nodes that are out for some time, in the profile. */
#include "core/promise/outage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/promise/plan.h"

void libra_outages_fini(struct libra_promise_state *s)
{
	free(s->outages);
}

int libra_outages_set(struct libra_engine *e, const struct libra_outage *list,
		      uint32_t n)
{
	struct libra_promise_state *s = libra_promise_state(e);
	struct libra_outage *fresh = malloc((n + 1) * sizeof(*fresh));
	uint32_t was = s->noutages;

	s->noutages = n; /* for the room that plans reserve */
	if (!fresh || libra_plans_reserve(s, e->live + 1) < 0 ||
	    libra_rooms_reserve(e, 1, UINT32_MAX) < 0) {
		s->noutages = was;
		free(fresh);
		return -1;
	}
	if (n > 0)
		memcpy(fresh, list, n * sizeof(*list));
	free(s->outages);
	s->outages = fresh;
	s->stale = true;
	return 0;
}

/* What a node takes from the profile, and when. */
struct window {
	double from_s, to_s;
	int64_t taken; /* below 0: given */
};

static struct window window_of(const struct libra_engine *e,
			       const struct libra_outage *out)
{
	const struct libra_node *node = &e->nodes[out->node];

	if (node->state != LIBRA_NODE_UP && out->from_s <= e->now_s)
		return (struct window){out->to_s, INFINITY,
				       -(int64_t)node->count};
	return (struct window){out->from_s, out->to_s, node->count};
}

void libra_outages_lay_line(const struct libra_engine *e,
			    struct libra_line *line)
{
	const struct libra_promise_state *s = libra_promise_state(e);
	struct window w;

	for (uint32_t i = 0; i < s->noutages; i++) {
		w = window_of(e, &s->outages[i]);
		libra_line_set(e, line, s->outages[i].node, w.from_s, w.to_s,
			       w.taken < 0);
	}
}

/* Neighbours with the same times are one window. */
void libra_outages_lay(const struct libra_engine *e, struct libra_profile *p)
{
	const struct libra_promise_state *s = libra_promise_state(e);
	struct window sum = {0}, next;

	for (uint32_t i = 0; i < s->noutages; i++) {
		next = window_of(e, &s->outages[i]);
		if (next.from_s == sum.from_s && next.to_s == sum.to_s) {
			sum.taken += next.taken;
			continue;
		}
		libra_profile_add(p, sum.from_s, sum.to_s, -sum.taken);
		sum = next;
	}
	libra_profile_add(p, sum.from_s, sum.to_s, -sum.taken);
}
