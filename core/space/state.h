/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - traits and state of the space-shared queue policies.
 *
 * The traits of a policy are the order of the queue, which jobs may skip
 * ahead, whether a job may be refused when it comes, and whether a job that
 * would end too late is refused when it could start.  The state is the queue,
 * the free processors, and the expected ends of running jobs.  Policies that
 * reserve processors (planned.h) begin with the same state, but have other
 * traits (struct libra_planned_traits).
 *
 * Only core/space and the policies use it.  The engine allocates the state
 * (e->state), and the policy's fini frees the arrays in it.  Memory is reserved
 * when a job is offered or restored: that call fails with ENOMEM, and later
 * decisions about the job do not allocate.  There is no lock (engine.h).
 */
#ifndef LIBRA_SPACE_STATE_H
#define LIBRA_SPACE_STATE_H

#include "core/engine_impl.h"
#include "core/space/procs.h"
#include "core/space/queue.h"
#include "core/timeline.h"

enum libra_order {
	LIBRA_ORDER_SUBMIT = 1,
	LIBRA_ORDER_DEADLINE, /* absolute; ties by submission */
	LIBRA_ORDER_KEY,      /* least key of the traits; ties by submission */
};

enum libra_backfill {
	LIBRA_BACKFILL_NONE = 1,
	LIBRA_BACKFILL_STRICT, /* jobs that end before the head is to start */
	LIBRA_BACKFILL_EASY,   /* also jobs on processors that the head will not
				  need */
	LIBRA_BACKFILL_CONSERVATIVE, /* a reservation for every job */
};

struct libra_space_traits {
	enum libra_order order;
	enum libra_backfill backfill;
	/* Jobs skip ahead in order of estimates instead of submission; ties by
	 * submission.  With LIBRA_ORDER_SUBMIT only.
	 */
	bool shortest_first;
	/* Index of the parameter that turns the lateness test on: a job that
	 * would end after its deadline is refused when it could start.  -1: no
	 * job is refused at its start.
	 */
	int admission_param;
	/* Return the key of LIBRA_ORDER_KEY; called once, when the job comes.
	 */
	double (*key)(const struct libra_engine *e,
		      const struct libra_job *job);
	/* Return why a job is refused when it comes, or LIBRA_REASON_NONE.
	 * NULL: no job is refused.  An offer passes the job in its slot, whose
	 * state is offered; a trial passes a job without a slot.
	 */
	enum libra_reason (*refusal)(const struct libra_engine *e,
				     const struct libra_job *job);
};

struct libra_space_state {
	struct libra_procs procs;
	struct libra_queue queue;
	struct libra_queue shortest; /* by estimate; shortest_first only */
	struct libra_runlist running;
	uint32_t free;	    /* processors that are free on open nodes now */
	uint32_t nclosed;   /* nodes that take no jobs */
	uint32_t node_turn; /* counts nodes that opened or closed */
	/* The reservation of the head (easy.h); valid until a job ends. */
	bool forecast_holds;
	uint64_t forecast_serial; /* serial of the head that it is for */
	uint64_t scanned_serial;  /* jobs with a later serial have not been
				     considered for backfilling yet */
	double shadow_s;	  /* expected start of the head, an instant */
	uint32_t extra; /* processors that the head leaves free at shadow_s */
	/* Free processors less all reservations: for conservative.c, and the
	 * current schedule of planned.h.
	 */
	struct libra_timeline timeline;
	/* Conservative backfilling alone; see conservative.c. */
	double next_planned_s; /* earliest reserved start of a waiting job, an
				  instant */
	bool arrived;	       /* jobs wait without a reservation */
	bool compress;	       /* a job ended before its estimate */
	bool replan;	       /* the timeline is invalid: rebuild it */
};

static inline struct libra_space_state *libra_space_state(
	const struct libra_engine *e)
{
	return e->state;
}

/* Return traits->shortest_first.  Only for policies whose traits are struct
 * libra_space_traits.
 */
static inline bool libra_space_is_shortest(const struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;

	return traits->shortest_first;
}

/* Return true if the policy is conservative backfilling: every job has a
 * reservation (conservative.h).  Only for policies whose traits are struct
 * libra_space_traits, not for those of planned.h.
 */
static inline bool libra_space_is_planned(const struct libra_engine *e)
{
	const struct libra_space_traits *traits = e->policy->traits;

	return traits->backfill == LIBRA_BACKFILL_CONSERVATIVE;
}

#endif
