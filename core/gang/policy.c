/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.c - see policy.h. */
#include "core/gang/policy.h"

int libra_gang_make_room(struct libra_engine *e, uint64_t nslots)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang *g = &libra_gang_state(e)->gang;

	if (libra_gang_reserve(g, nslots) < 0)
		return -1;
	return traits->reserve ? traits->reserve(e, g->cap) : 0;
}

void libra_gang_rewind_actions(struct libra_gang_state *s)
{
	s->cursor = 0;
	s->starting = false;
}

void libra_gang_pass_time(struct libra_engine *e)
{
	struct libra_gang_state *s = libra_gang_state(e);
	uint32_t nlate = s->gang.nlate;

	libra_gang_pass(&s->gang, e->now_s);
	if (s->gang.nlate != nlate)
		libra_gang_rewind_actions(s);
}

void libra_gang_catch_up(struct libra_engine *e)
{
	libra_gang_pass_time(e);
	libra_gang_touch(&libra_gang_state(e)->gang, e->now_s);
}
