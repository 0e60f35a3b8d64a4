/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space_ops.h - the functions that all space-shared policies have in common.
 *
 * One queue, one pass at each schedule: while the head of the queue fits the
 * free processors it is taken; then, with backfilling, others that fit and
 * cannot delay the head.  Policies differ in the order of the queue, in which
 * jobs may skip ahead, and in whether a job that would end too late is
 * refused when it could start.
 */
#ifndef LIBRA_SPACE_OPS_H
#define LIBRA_SPACE_OPS_H

#include "core/engine_impl.h"
#include "core/queue.h"

enum libra_order {
	LIBRA_ORDER_SUBMIT = 1,
	LIBRA_ORDER_DEADLINE, /* absolute; ties by submission */
};

enum libra_backfill {
	LIBRA_BACKFILL_NONE = 1,
	LIBRA_BACKFILL_EASY, /* may also use what the head will not need */
};

struct libra_space_traits {
	enum libra_order order;
	enum libra_backfill backfill;
	/* Index of the switch parameter that turns the lateness test on, or
	 * -1: never refused.
	 */
	int admission_param;
};

/* Labels of the processor map; a job's is LIBRA_PROCS_JOB + slot. */
enum {
	LIBRA_PROCS_FREE = 0,
	LIBRA_PROCS_CLOSED = 1, /* free, on nodes that take no jobs */
	LIBRA_PROCS_JOB = 2,
};

struct libra_space_state {
	struct libra_procmap map;
	struct libra_queue queue;
	struct libra_runlist running;
	uint32_t free;	  /* processors */
	uint32_t nclosed; /* nodes */
	/* The head's reservation, while nothing has ended since. */
	bool forecast_holds;
	uint64_t forecast_serial; /* of the head it is for */
	uint64_t scanned_serial;  /* younger jobs were not looked at yet */
	double shadow_s;	  /* when the head is expected to start */
	uint32_t extra;		  /* processors free then beyond its need */
};

static inline struct libra_space_state *libra_space_state(
	const struct libra_engine *e)
{
	return e->state;
}

extern const struct libra_policy_ops libra_space_ops;

#endif
