/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - how many processors are free, from now on.
 *
 * A list of steps in order of time; the last one lasts for ever.  Reservations
 * take processors from a stretch of time, releases return them.  Nothing is
 * allocated after reserve: every take or give adds two steps at the most, and
 * neighbours of the same height are joined.
 */
#ifndef LIBRA_SPACE_TIMELINE_H
#define LIBRA_SPACE_TIMELINE_H

#include <stdint.h>

struct libra_step {
	double from_s; /* instant; until the next step */
	int64_t free;  /* below 0 never, if takes were found by find */
};

struct libra_timeline {
	struct libra_step *steps;
	uint32_t n, cap;
};

/* Make room for n steps.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_timeline_reserve(struct libra_timeline *p, uint32_t n);
void libra_timeline_fini(struct libra_timeline *p);

/* What another one has; there must be room. */
void libra_timeline_copy(struct libra_timeline *to,
			 const struct libra_timeline *from);

/* Forget all: so many processors are free from an instant on. */
void libra_timeline_reset(struct libra_timeline *p, double now_s,
			  uint32_t free);

/* Forget what was before an instant. */
void libra_timeline_advance(struct libra_timeline *p, double now_s);

/* Add delta free processors (below 0: take) in [from_s, to_s); what lies
 * before the first step is left out.  to_s may be INFINITY.
 */
void libra_timeline_add(struct libra_timeline *p, double from_s, double to_s,
			int64_t delta);

/* The least there is at any time. */
int64_t libra_timeline_least(const struct libra_timeline *p);

/* The first instant from which nprocs processors are free for so long; cost:
 * O(steps).
 * Result: the instant, or INFINITY if there is none.
 */
double libra_timeline_find(const struct libra_timeline *p, uint32_t nprocs,
			   double duration_s);

/* The same, and INFINITY if it is later than an instant. */
double libra_timeline_find_by(const struct libra_timeline *p, uint32_t nprocs,
			      double duration_s, double latest_s);

/* The same, at an instant or after it. */
double libra_timeline_find_from(const struct libra_timeline *p, uint32_t nprocs,
				double duration_s, double from_s,
				double latest_s);

#endif
