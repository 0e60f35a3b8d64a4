/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - all that a policy may know about a job.
 *
 * The real run time is not here: only the simulator's own job has it, so that
 * no policy can use it.  Instants are absolute seconds, on one clock of the
 * host's choice.  A duration is named as such.
 */
#ifndef LIBRA_JOB_H
#define LIBRA_JOB_H

#include <stdbool.h>
#include <stdint.h>

/* Processors side by side: first, first + 1, ..., count of them. */
struct libra_range {
	uint32_t first;
	uint32_t count;
};

/* The most kinds of node resources besides processors (memory, generic
 * resources).  The host decides which they are (libra_engine_conf).
 */
#define LIBRA_RESOURCES 8
#define LIBRA_ALL	UINT64_MAX /* as much as the node has */

/* A placement constraint: which processors a job can use, and how many on one
 * node.  The caller owns the arrays.
 */
struct libra_where {
	const struct libra_range *allowed; /* in index order, with gaps between;
					      NULL = all processors */
	uint32_t nallowed;
	uint32_t chunk;	    /* processors of one task, on one node; 0 = 1 */
	uint32_t node_max;  /* most processors on one node; 0 = any */
	uint32_t min_nodes; /* 0 = any */
	uint32_t max_nodes; /* 0 = any */
	/* Amounts of other resources, nresources of each (libra_engine_conf):
	 * for each task, and once on each node, where LIBRA_ALL is allowed.
	 * NULL = none.  Only policies with reservations by node read them.
	 */
	const uint64_t *per_chunk, *per_node;
};

struct libra_job {
	uint64_t id;	   /* the host's id; 0 until known */
	double submit_s;   /* instant of submission */
	double estimate_s; /* duration on whole processors, > 0 */
	double deadline_s; /* instant; INFINITY = none */
	/* Credits: the payment for an end by the deadline, and the deduction
	 * for each second after it.  Both >= 0; 0 under policies without money.
	 */
	double budget;
	double penalty_rate;
	uint32_t nprocs; /* processors, >= 1 */
	uint32_t user;	 /* the host's number for the user */
	/* NULL = any processors.  The engine reads it only during the call that
	 * gets the job.  Space policies read it only with reservations by node.
	 */
	const struct libra_where *where;
};

/* An end may exceed its deadline by this much and still be in time, because
 * sums of times are rounded.
 */
#define LIBRA_DEADLINE_TOLERANCE_S 1e-6

static inline bool libra_in_time(double end_s, double deadline_s)
{
	return end_s <= deadline_s + LIBRA_DEADLINE_TOLERANCE_S;
}

/* Return the seconds by which an end is late; 0 = in time. */
static inline double libra_late_s(double end_s, double deadline_s)
{
	return libra_in_time(end_s, deadline_s) ? 0 : end_s - deadline_s;
}

#endif
