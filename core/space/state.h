/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - what a space-shared policy says, and what is kept for it.
 *
 * Policies differ in the order of the queue, in which jobs may skip ahead, in
 * whether a job is refused when it comes, and in whether one that would end too
 * late is refused when it could start: the traits.  The state is the queue, the
 * processors that are free, and what is expected of running jobs.
 */
#ifndef LIBRA_SPACE_STATE_H
#define LIBRA_SPACE_STATE_H

#include "core/engine_impl.h"
#include "core/space/procs.h"
#include "core/space/timeline.h"
#include "core/space/queue.h"

enum libra_order {
	LIBRA_ORDER_SUBMIT = 1,
	LIBRA_ORDER_DEADLINE, /* absolute; ties by submission */
	LIBRA_ORDER_KEY,      /* least key of the traits; ties likewise */
};

enum libra_backfill {
	LIBRA_BACKFILL_NONE = 1,
	LIBRA_BACKFILL_STRICT, /* must end before the head is to start */
	LIBRA_BACKFILL_EASY,   /* may also use what the head will not need */
	LIBRA_BACKFILL_CONSERVATIVE, /* a reservation for every job */
};

struct libra_space_traits {
	enum libra_order order;
	enum libra_backfill backfill;
	/* Who may skip ahead is asked in order of estimates, not of the queue;
	 * ties by submission.  With LIBRA_ORDER_SUBMIT only.
	 */
	bool shortest_first;
	/* Index of the switch parameter that turns the lateness test on, or
	 * -1: never refused.
	 */
	int admission_param;
	/* Of LIBRA_ORDER_KEY: fixed when the job comes. */
	double (*key)(const struct libra_engine *e,
		      const struct libra_job *job);
	/* Is a job refused when it comes?  NULL: never.  It has no slot yet, or
	 * its slot is offered and job lies in it.
	 */
	enum libra_reason (*refusal)(const struct libra_engine *e,
				     const struct libra_job *job);
};

struct libra_space_state {
	struct libra_procs procs;
	struct libra_queue queue;
	struct libra_queue shortest; /* the same jobs by estimate, if asked */
	struct libra_runlist running;
	uint32_t free;	  /* processors */
	uint32_t nclosed; /* nodes */
	/* The head's reservation, while nothing has ended since. */
	bool forecast_holds;
	uint64_t forecast_serial; /* of the head it is for */
	uint64_t scanned_serial;  /* younger jobs were not looked at yet */
	double shadow_s;	  /* when the head is expected to start */
	uint32_t extra;		  /* processors free then beyond its need */
	/* Conservative backfilling; see conservative.c. */
	struct libra_timeline timeline; /* less all that is reserved */
	double next_planned_s;		/* the earliest reservation */
	bool arrived;			/* jobs wait without a reservation */
	bool compress;			/* a job ended before its estimate */
	bool replan;			/* the profile is not to be trusted */
};

static inline struct libra_space_state *libra_space_state(
	const struct libra_engine *e)
{
	return e->state;
}

static inline bool libra_space_is_shortest(const struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;

	return traits->shortest_first;
}

/* Has every job a reservation?  See conservative.h. */
static inline bool libra_space_is_planned(const struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;

	return traits->backfill == LIBRA_BACKFILL_CONSERVATIVE;
}

#endif
