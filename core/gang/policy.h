/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy.h - what a gang policy decides (traits), and its state.
 *
 * "Touched at e->now_s" means that libra_gang_catch_up() was called before.
 */
#ifndef LIBRA_GANG_POLICY_H
#define LIBRA_GANG_POLICY_H

#include "core/engine_impl.h"
#include "core/gang/gang.h"

struct libra_gang_state {
	struct libra_gang gang;
	uint64_t *closed; /* processors of nodes that take no new jobs */
	uint64_t *set;	  /* scratch: processors of the offered job */
	/* The position of next_action among the jobs that the host must still
	 * get an action for.
	 */
	uint32_t cursor;
	bool changed;  /* next_action is not at its end */
	bool starting; /* its second round: jobs to run, after those to hold */
};

struct libra_gang_traits {
	/* The over-estimate rule: indices of the parameters. */
	int overrun_param, floor_param;
	/* Choose processors for a job and write them to set.  Touched at
	 * e->now_s.
	 * Result: LIBRA_REASON_NONE, or why there are none.
	 */
	enum libra_reason (*place)(struct libra_engine *e,
				   const struct libra_job *job, uint64_t *set);
	/* As surely_accepts of libra_policy_ops.  Touched at e->now_s.  NULL:
	 * false.
	 */
	bool (*surely_accepts)(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs);
	/* Return true if a promised job may change to these numbers on its
	 * processors.  Touched at e->now_s; changes nothing.
	 */
	bool (*may_change)(struct libra_engine *e, uint32_t slot,
			   double estimate_s, double deadline_s);
	/* Return the instant by which a job that is not late has ended.
	 * Touched at e->now_s.
	 */
	double (*ends_by)(const struct libra_engine *e, uint32_t slot);
	/* The functions below may be NULL. init and fini: the policy's own
	 * state, beyond the common part that it begins with.
	 */
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Reserve memory for decisions with nslots slots; 0, or -1 with ENOMEM.
	 */
	int (*reserve)(struct libra_engine *e, uint32_t nslots);
	/* Called after a job was refused or accepted. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job,
			bool accepted);
	/* Offset and size in bytes of what the policy learns from decisions in
	 * its state; doubles only.
	 */
	size_t learned, learned_size;
};

static inline struct libra_gang_state *libra_gang_state(
	const struct libra_engine *e)
{
	return e->state;
}

/* Reserve memory, in the gang and the policy, for nslots slots.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_gang_make_room(struct libra_engine *e, uint64_t nslots);

/* Advance lateness, the order and all needs to e->now_s. */
void libra_gang_catch_up(struct libra_engine *e);

/* Advance lateness and the order to e->now_s, without needs. */
void libra_gang_pass_time(struct libra_engine *e);

/* Restart the search for actions at the first job, because jobs have changed.
 */
void libra_gang_rewind_actions(struct libra_gang_state *s);

#endif
