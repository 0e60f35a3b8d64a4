/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy.h - a gang policy: what it decides (traits), and the gang of its
 * engine (state).
 */
#ifndef LIBRA_GANG_POLICY_H
#define LIBRA_GANG_POLICY_H

#include "core/engine_impl.h"
#include "core/gang/gang.h"

struct libra_gang_state {
	struct libra_gang gang;
	uint64_t *closed; /* processors of nodes that take no jobs */
	uint64_t *set;	  /* processors of the job that is looked at */
	/* What is to be reported to the host: see next_action. */
	uint32_t cursor;
	bool changed, starting;
};

struct libra_gang_traits {
	/* The over-estimate rule: indices of the parameters. */
	int overrun_param, floor_param;
	/* Choose processors for a job into a set; touched at e->now_s.
	 * Result: LIBRA_REASON_NONE, or why there are none.
	 */
	enum libra_reason (*place)(struct libra_engine *e,
				   const struct libra_job *job, uint64_t *set);
	/* As libra_policy_ops' surely_accepts; touched at e->now_s.  NULL:
	 * false.
	 */
	bool (*surely_accepts)(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs);
	/* May a job with so much left of its estimate be promised this
	 * deadline, wherever it is?
	 */
	bool (*promisable)(const struct libra_engine *e, double est_left_s,
			   double deadline_s);
	/* May a promised job have these numbers instead of its own, where it
	 * is?  Touched at e->now_s; changes nothing.
	 */
	bool (*may_change)(struct libra_engine *e, uint32_t slot,
			   double estimate_s, double deadline_s);
	/* When a job that is not late has ended at the latest; touched at
	 * e->now_s.
	 */
	double (*ends_by)(const struct libra_engine *e, uint32_t slot);
	/* The rest may be NULL.  State of the policy's own, beyond the common
	 * one that it begins with.
	 */
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Room for decisions with so many slots; 0, or -1 with ENOMEM. */
	int (*reserve)(struct libra_engine *e, uint32_t nslots);
	/* A job was refused or accepted. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job,
			bool accepted);
	/* What it keeps of that: bytes of the policy's state, all doubles. */
	size_t learned, learned_size;
};

static inline struct libra_gang_state *libra_gang_state(
	const struct libra_engine *e)
{
	return e->state;
}

/* Room for decisions with so many slots.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_gang_make_room(struct libra_engine *e, uint32_t nslots);

/* Bring the gang up to e->now_s, with all needs: for who reads them. */
void libra_gang_catch_up(struct libra_engine *e);

/* Bring lateness and the order up to e->now_s, without needs. */
void libra_gang_pass_time(struct libra_engine *e);

/* Look for actions from the first job on again, as the jobs have changed. */
void libra_gang_rewind_actions(struct libra_gang_state *s);

#endif
