/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - all that a policy may know of a job.
 *
 * There is no real run time here: only the simulator's own job has one, so
 * that no policy can peek.  Times are seconds, absolute, on one clock of the
 * host's choice; a duration is named so.
 */
#ifndef LIBRA_JOB_H
#define LIBRA_JOB_H

#include <stdbool.h>
#include <stdint.h>

/* Neighbouring processors: first, first + 1, ..., count of them. */
struct libra_range {
	uint32_t first;
	uint32_t count;
};

/* Resources of nodes besides processors, at most: memory, generic resources.
 * What they are is the host's business (libra_engine_conf).
 */
#define LIBRA_RESOURCES 8
#define LIBRA_ALL	UINT64_MAX /* as much as the node has */

/* Which processors a job can use, and in what shape. */
struct libra_where {
	const struct libra_range *allowed; /* in index order, apart from each
					      other; NULL = all */
	uint32_t nallowed;
	uint32_t chunk;	    /* processors of one task, on one node; 0 = 1 */
	uint32_t node_max;  /* processors on one node at the most; 0 = any */
	uint32_t min_nodes; /* 0 = any */
	uint32_t max_nodes; /* 0 = any */
	/* As many amounts as the engine's nodes have other resources; NULL =
	 * none.  For each task, and once on each node, where LIBRA_ALL may
	 * stand.  For policies that plan by node; others do not look at them.
	 */
	const uint64_t *per_chunk, *per_node;
};

struct libra_job {
	uint64_t id;	   /* the host's id; 0 until it is known */
	double submit_s;   /* instant of submission */
	double estimate_s; /* duration on whole processors, > 0 */
	double deadline_s; /* instant; INFINITY = none */
	/* Credits: what an end by the deadline pays, and what each second after
	 * it takes off; both >= 0, and 0 where no money is in play.
	 */
	double budget;
	double penalty_rate;
	uint32_t nprocs; /* processors, >= 1 */
	uint32_t user;	 /* the host's number for the user */
	/* NULL = anywhere.  Read only while the call lasts that it is given to;
	 * of space policies for those that plan by node.
	 */
	const struct libra_where *where;
};

/* An end may exceed a deadline by so much and still be in time: sums of times
 * are rounded.
 */
#define LIBRA_DEADLINE_TOLERANCE_S 1e-6

static inline bool libra_in_time(double end_s, double deadline_s)
{
	return end_s <= deadline_s + LIBRA_DEADLINE_TOLERANCE_S;
}

/* So late is an end; 0 in time. */
static inline double libra_late_s(double end_s, double deadline_s)
{
	return libra_in_time(end_s, deadline_s) ? 0 : end_s - deadline_s;
}

#endif
