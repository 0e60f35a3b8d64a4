/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - the functions that all gang policies have in common.
 *
 * A gang policy says on which processors a job may be promised its deadline;
 * the rest (promise, dispatch, hold and resume, nodes) is common.
 */
#ifndef LIBRA_GANG_OPS_H
#define LIBRA_GANG_OPS_H

#include "core/engine_impl.h"
#include "core/gang/gang.h"
#include "core/where.h"

/* Stamps are less: a processor of this job is taken for good. */
#define LIBRA_LOOK_TAKEN UINT64_MAX

/* What a decision knows of a bound job. */
struct libra_look {
	uint64_t seen;	/* the stamp of the candidate that counts it, or
			   LIBRA_LOOK_TAKEN */
	double need_s;	/* 0 unless it comes before the new job */
	uint32_t later; /* 1 if it comes after it; 0 too if it is late */
};

struct libra_gang_state {
	struct libra_gang gang;
	uint64_t *closed; /* processors of nodes that take no jobs */
	/* Of a decision. */
	uint64_t *barred;	  /* processors that may not be taken */
	uint64_t *set;		  /* the answer */
	struct libra_look *looks; /* by slot */
	uint32_t looks_cap;
	double *added; /* per processor: what taking it would add */
	uint64_t stamp;
	/* Of a decision about a shape. */
	struct libra_node_fit *fits; /* room for all nodes */
	uint32_t *chosen;	     /* processors of a candidate */
	uint64_t *renewed;	     /* whose additions have changed */
	/* What the host has to be told. */
	uint32_t cursor;
	bool changed, starting;
	/* Of the reserve. */
	uint64_t noffers;
	double mean_work_s; /* processors x estimate of all offers */
	double refused;	    /* moving average, of the small ones */
};

struct libra_gang_traits {
	/* The over-estimate rule: indices of the parameters. */
	int overrun_param, floor_param;
	/* Choose processors for a job into s->set; touched at e->now_s. */
	bool (*place)(struct libra_engine *e, const struct libra_job *job);
	/* May a job with so much left of its estimate be promised this
	 * deadline, wherever it is?
	 */
	bool (*promisable)(const struct libra_engine *e, double est_left_s,
			   double deadline_s);
	/* A job was refused or accepted; NULL = nobody cares. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job,
			bool accepted);
};

static inline struct libra_gang_state *libra_gang_state(
	const struct libra_engine *e)
{
	return e->state;
}

extern const struct libra_policy_ops libra_gang_ops;

#endif
