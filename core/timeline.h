/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - the number of free processors over time, from now on.
 *
 * A timeline is a list of steps in order of time; the last step never ends.  A
 * reservation takes processors from a stretch of time, a release returns them.
 * Only libra_timeline_reserve() allocates.  Each add needs two more steps at
 * the most, and the caller has reserved them: the capacity is not checked.
 * Neighbouring steps of the same height are joined.  No function takes a lock.
 */
#ifndef LIBRA_TIMELINE_H
#define LIBRA_TIMELINE_H

#include <stdint.h>

struct libra_step {
	double from_s; /* instant; the step lasts until the next one */
	int64_t free;  /* processors; below 0 if more are reserved than exist */
};

struct libra_timeline {
	struct libra_step *steps;
	uint32_t n, cap;
};

/* Reserve memory for n steps.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_timeline_reserve(struct libra_timeline *p, uint64_t n);
void libra_timeline_fini(struct libra_timeline *p);

/* Copy a timeline.  The target has memory for its steps. */
void libra_timeline_copy(struct libra_timeline *to,
			 const struct libra_timeline *from);

/* Set the timeline to one step: `free` processors from now_s on. */
void libra_timeline_reset(struct libra_timeline *p, double now_s,
			  uint32_t free);

/* Remove the time before now_s. */
void libra_timeline_advance(struct libra_timeline *p, double now_s);

/* Add delta free processors (below 0: take them) over [from_s, to_s).  Time
 * before the first step is ignored.  to_s may be INFINITY.
 */
void libra_timeline_add(struct libra_timeline *p, double from_s, double to_s,
			int64_t delta);

/* Return the least number of free processors at any time. */
int64_t libra_timeline_least(const struct libra_timeline *p);

/* Return the first instant from which nprocs processors are free for
 * duration_s seconds, or INFINITY if there is none.
 * Cost: O(steps).
 */
double libra_timeline_find(const struct libra_timeline *p, uint32_t nprocs,
			   double duration_s);

/* As find, but return INFINITY if the instant is later than latest_s. */
double libra_timeline_find_by(const struct libra_timeline *p, uint32_t nprocs,
			      double duration_s, double latest_s);

/* As find_by, for an instant at or after from_s. */
double libra_timeline_find_from(const struct libra_timeline *p, uint32_t nprocs,
				double duration_s, double from_s,
				double latest_s);

/* Return the first instant in [from_s, before_s) from which nprocs processors
 * are free for duration_s seconds or until before_s, or INFINITY.  A
 * reservation that begins at before_s can move to this start, as its own
 * processors are reserved from before_s on.
 */
double libra_timeline_find_before(const struct libra_timeline *p,
				  uint32_t nprocs, double duration_s,
				  double from_s, double before_s);

#endif
