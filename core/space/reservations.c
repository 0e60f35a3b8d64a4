/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - the sorted list of reservations. */
#include "core/space/reservations.h"

#include <string.h>

static bool by_latest(const struct libra_reservation *a,
		      const struct libra_reservation *b)
{
	if (a->latest_s != b->latest_s)
		return a->latest_s < b->latest_s;
	return a->order < b->order;
}

static bool by_start(const struct libra_reservation *a,
		     const struct libra_reservation *b)
{
	return a->start_s < b->start_s ||
	       (a->start_s == b->start_s && by_latest(a, b));
}

void libra_reservations_count(struct libra_planned_state *s,
			      const struct libra_reservation *plan, int by)
{
	s->nfirm += plan->firm ? by : 0;
	s->nlate += plan->late ? by : 0;
	s->nunreported += plan->unreported ? by : 0;
	s->nunplaced += plan->unplaced ? by : 0;
}

uint32_t libra_reservations_insert(struct libra_planned_state *s,
				   const struct libra_reservation *plan)
{
	uint32_t place = s->nwaiting++;

	for (; place > 0 && by_latest(plan, &s->waiting[place - 1]); place--)
		s->waiting[place] = s->waiting[place - 1];
	s->waiting[place] = *plan;
	libra_reservations_count(s, plan, 1);
	return place;
}

void libra_reservations_extract(struct libra_planned_state *s, uint32_t place)
{
	libra_reservations_count(s, &s->waiting[place], -1);
	s->nwaiting--;
	memmove(&s->waiting[place], &s->waiting[place + 1],
		(s->nwaiting - place) * sizeof(*s->waiting));
}

uint32_t libra_reservations_behind(const struct libra_planned_state *s,
				   double latest_s, uint64_t order)
{
	const struct libra_reservation at = {.latest_s = latest_s,
					     .order = order};
	uint32_t low = 0, high = s->nwaiting;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_latest(&at, &s->waiting[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Return the index where a slot was last found; it may be outdated. */
static uint32_t last_place(const struct libra_planned_state *s, uint32_t slot)
{
	uint32_t place = slot < s->nplaces ? s->places[slot] : 0;

	return place < s->nwaiting ? place : 0;
}

static bool is_at(const struct libra_planned_state *s, uint32_t slot,
		  uint32_t place)
{
	if (place >= s->nwaiting || s->waiting[place].slot != slot)
		return false;
	if (slot < s->nplaces)
		s->places[slot] = place;
	return true;
}

uint32_t libra_reservations_find(const struct libra_planned_state *s,
				 uint32_t slot)
{
	uint32_t last = last_place(s, slot);

	for (uint32_t d = 0; d <= last || d < s->nwaiting - last; d++) {
		if (is_at(s, slot, last + d))
			return last + d;
		if (d <= last && is_at(s, slot, last - d))
			return last - d;
	}
	return s->nwaiting;
}

typedef bool order_f(const struct libra_reservation *a,
		     const struct libra_reservation *b);

static void sort(struct libra_planned_state *s, order_f *in_order)
{
	for (uint32_t i = 1; i < s->nwaiting; i++) {
		struct libra_reservation plan = s->waiting[i];
		uint32_t place = i;

		for (; place > 0 && in_order(&plan, &s->waiting[place - 1]);
		     place--)
			s->waiting[place] = s->waiting[place - 1];
		s->waiting[place] = plan;
	}
}

void libra_reservations_sort(struct libra_planned_state *s)
{
	sort(s, by_latest);
}

void libra_reservations_sort_by_start(struct libra_planned_state *s)
{
	sort(s, by_start);
}
