/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rooms.h - an engine that plans by node, for the tests of that: 4 nodes of 8
 * processors, 64 GB of memory and, on the last two, 4 GPUs.
 */
#ifndef LIBRA_TEST_ROOMS_H
#define LIBRA_TEST_ROOMS_H

#include "tests/unit/host.h"

enum { MEMORY, GPUS, KINDS };

static const uint32_t procs[] = {8, 8, 8, 8};
static const uint64_t resources[] = {64, 0, 64, 0, 64, 4, 64, 4};

static inline struct libra_engine *open_with(const char *settings)
{
	return host_rooms_engine(procs, 4, resources, KINDS, settings);
}

#define PLAIN "hold_back=0 pull_forward=0 machine_reserve=0"
#define PULL  "hold_back=0 pull_hold_back=0 machine_reserve=0"

static inline uint64_t submit(struct libra_engine *e, uint32_t n,
			      double estimate_s, double deadline_s,
			      const struct libra_where *where, double now_s)
{
	struct libra_job job =
		host_job(now_s, estimate_s, deadline_s - now_s, n);

	job.where = where;
	return host_submit(e, job, now_s);
}

#define assert_start(e, ticket, start)                                         \
	assert_near(libra_engine_planned_start(e, ticket), start, 0)

/* An ordinary job of a whole node, that runs. */
static inline uint64_t run_on(struct libra_engine *e, uint64_t id,
			      uint32_t node, double estimate_s, double now_s)
{
	struct libra_part part = {{node * 8, 8}, estimate_s, NULL};
	struct libra_job job = host_job(now_s, estimate_s, INFINITY, 8);
	uint64_t ticket;

	job.id = id;
	assert_int_equal(libra_engine_restore(e, &job, &part, 1, true, now_s,
					      &ticket, NULL),
			 0);
	return ticket;
}

#endif
