/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.c - steps of free processors over time. */
#include "core/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_STEPS 64

int libra_timeline_reserve(struct libra_timeline *p, uint64_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= p->cap)
		return 0;
	cap = libra_doubled(p->cap, FIRST_STEPS, n);
	p->steps = libra_grown(p->steps, cap, sizeof(*p->steps), &ok);
	if (!ok)
		return -1;
	p->cap = cap;
	return 0;
}

void libra_timeline_fini(struct libra_timeline *p)
{
	free(p->steps);
	memset(p, 0, sizeof(*p));
}

void libra_timeline_copy(struct libra_timeline *to,
			 const struct libra_timeline *from)
{
	to->n = from->n;
	memcpy(to->steps, from->steps, from->n * sizeof(*from->steps));
}

void libra_timeline_reset(struct libra_timeline *p, double now_s, uint32_t free)
{
	p->n = 1;
	p->steps[0] = (struct libra_step){now_s, free};
}

/* Return the step that contains an instant; the first one for earlier
 * instants.
 */
static uint32_t step_at(const struct libra_timeline *p, double at_s)
{
	uint32_t low = 0, high = p->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (p->steps[middle].from_s <= at_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void libra_timeline_advance(struct libra_timeline *p, double now_s)
{
	uint32_t first = step_at(p, now_s);

	p->n -= first;
	memmove(p->steps, p->steps + first, p->n * sizeof(*p->steps));
	if (p->steps[0].from_s < now_s)
		p->steps[0].from_s = now_s;
}

/* Split a step at an instant.  Result: the index of the step that begins
 * there.
 */
static uint32_t split(struct libra_timeline *p, double at_s)
{
	uint32_t at = step_at(p, at_s);

	if (p->steps[at].from_s >= at_s)
		return at;
	memmove(&p->steps[at + 2], &p->steps[at + 1],
		(p->n - at - 1) * sizeof(*p->steps));
	p->steps[at + 1] = (struct libra_step){at_s, p->steps[at].free};
	p->n++;
	return at + 1;
}

/* Join a step to its predecessor if nothing changes there. */
static void join(struct libra_timeline *p, uint32_t at)
{
	if (at == 0 || at >= p->n || p->steps[at].free != p->steps[at - 1].free)
		return;
	p->n--;
	memmove(&p->steps[at], &p->steps[at + 1],
		(p->n - at) * sizeof(*p->steps));
}

void libra_timeline_add(struct libra_timeline *p, double from_s, double to_s,
			int64_t delta)
{
	uint32_t from, to;

	if (!(from_s < to_s) || to_s <= p->steps[0].from_s)
		return;
	from = split(p, from_s);
	to = to_s == INFINITY ? p->n : split(p, to_s);
	for (uint32_t i = from; i < to; i++)
		p->steps[i].free += delta;
	join(p, to);
	join(p, from);
}

int64_t libra_timeline_least(const struct libra_timeline *p)
{
	int64_t least = p->steps[0].free;

	for (uint32_t i = 1; i < p->n; i++)
		if (p->steps[i].free < least)
			least = p->steps[i].free;
	return least;
}

double libra_timeline_find(const struct libra_timeline *p, uint32_t nprocs,
			   double duration_s)
{
	return libra_timeline_find_by(p, nprocs, duration_s, INFINITY);
}

/* Find a start at or after from_s, but not after latest_s; processors must be
 * free for duration_s seconds or until until_s.
 */
static double find(const struct libra_timeline *p, uint32_t nprocs,
		   double duration_s, double from_s, double latest_s,
		   double until_s)
{
	uint32_t begin = step_at(p, from_s);
	double at_s = p->steps[begin].from_s;

	at_s = at_s < from_s ? from_s : at_s;
	for (uint32_t i = begin; i < p->n && at_s <= latest_s; i++) {
		if (p->steps[i].free < (int64_t)nprocs && i + 1 < p->n)
			at_s = p->steps[i + 1].from_s;
		else if (p->steps[i].free < (int64_t)nprocs)
			return INFINITY;
		else if (i + 1 == p->n ||
			 p->steps[i + 1].from_s >=
				 fmin(at_s + duration_s, until_s))
			return at_s;
	}
	return INFINITY;
}

double libra_timeline_find_from(const struct libra_timeline *p, uint32_t nprocs,
				double duration_s, double from_s,
				double latest_s)
{
	return find(p, nprocs, duration_s, from_s, latest_s, INFINITY);
}

double libra_timeline_find_before(const struct libra_timeline *p,
				  uint32_t nprocs, double duration_s,
				  double from_s, double before_s)
{
	return find(p, nprocs, duration_s, from_s,
		    nextafter(before_s, -INFINITY), before_s);
}

double libra_timeline_find_by(const struct libra_timeline *p, uint32_t nprocs,
			      double duration_s, double latest_s)
{
	uint32_t begin = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		if (begin == i && p->steps[i].from_s > latest_s)
			return INFINITY;
		if (p->steps[i].free < (int64_t)nprocs)
			begin = i + 1;
		else if (i + 1 == p->n ||
			 p->steps[i + 1].from_s >=
				 p->steps[begin].from_s + duration_s)
			return p->steps[begin].from_s;
	}
	return INFINITY;
}
