/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - what a share policy says, and what is kept for it.
 *
 * A share policy says which rows of the ledger suit a job and in which order
 * they are taken: the traits.  The state is a ledger and the scratch of one
 * decision; a policy with a state of its own begins it with this one.
 */
#ifndef LIBRA_SHARE_STATE_H
#define LIBRA_SHARE_STATE_H

#include "core/engine_impl.h"
#include "core/formula/risk.h"
#include "core/share/fit.h"
#include "core/share/ledger.h"
#include "core/where.h"

struct libra_share_state {
	struct libra_ledger ledger;
	/* Scratch of one decision. */
	struct libra_forecast *outlook;	  /* for the longest row and one more */
	struct libra_fit *fits;		  /* for every row */
	uint8_t *asked;			  /* per row: see select.c */
	double *keys;			  /* per row */
	bool *suits;			  /* per row */
	struct libra_node_fit *node_fits; /* per node */
	uint32_t outlook_cap, rows_cap;
};

/* What is left on a full processor is no room: rounding would be told to users
 * as a deadline in a thousand years.
 */
#define LIBRA_LEAST_ROOM 1e-3

struct libra_share_traits {
	enum libra_reason refusal;
	bool best_fit; /* fullest rows first, else index order */
	/* Does a row of the ledger suit the job?  *share is eq. 2 with the new
	 * job; share of the new job alone is given.
	 */
	bool (*suits)(const struct libra_engine *e,
		      const struct libra_ledger_row *row,
		      const struct libra_job *job, double new_share,
		      double *share);
	/* Best fit: may a row suit as well as one without tasks, which suits
	 * best?  Asked first, and of many: cheap, and never a wrong no.  NULL:
	 * not known.
	 */
	bool (*as_empty)(const struct libra_engine *e,
			 const struct libra_ledger_row *row,
			 const struct libra_job *job);
	/* The number of a job, and the limit of a row for it (limits.h), for
	 * what is asked in index order: suits, or with best fit as_empty.
	 * Both or neither.
	 */
	double (*number)(const struct libra_engine *e,
			 const struct libra_job *job, double new_share);
	libra_limit_f *limit;
	/* The share that a row has left for a job with any deadline; < 0 =
	 * none, INFINITY = whatever the deadline.  NULL: only trial tells.
	 */
	double (*room)(const struct libra_engine *e,
		       const struct libra_ledger_row *row);
	/* How many such jobs, promised one after the other, a usable row takes
	 * for certain; no more than its room says, where that is known.  NULL:
	 * as its room says, if it does.
	 */
	double (*takes)(const struct libra_engine *e,
			const struct libra_ledger_row *row,
			const struct libra_job *job);
	/* How long after its deadline, by all estimates, a job would end on a
	 * row that suits.  NULL: no later than with the processor for itself.
	 */
	double (*late_s)(const struct libra_engine *e,
			 const struct libra_ledger_row *row,
			 const struct libra_job *job, double new_share);
	/* The rest may be NULL.  State of the policy's own, beyond the common
	 * one that it begins with.
	 */
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Time has passed and the tasks are about to change. */
	void (*observe)(struct libra_engine *e);
	/* Is room kept from a job, whatever rows suit it?  Asked first. */
	bool (*reserves)(struct libra_engine *e, const struct libra_job *job);
	/* Is that certain to be no for so many, offered one after the other?
	 * With the one above.
	 */
	bool (*surely_admits)(struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs);
	/* A job was refused or accepted. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job);
	/* What it keeps of that: bytes of the policy's state, all doubles. */
	size_t learned, learned_size;
	/* Is the choice (taken[] of the ledger) acceptable as a whole?  trial:
	 * it is only asked, and nothing may change.  Policies with this test
	 * make contracts: no estimate or deadline is changed later.
	 * Result: 1, 0 with the reason, or -1 with ENOMEM.
	 */
	int (*admits)(struct libra_engine *e, const struct libra_job *job,
		      bool trial, enum libra_reason *reason);
};

static inline struct libra_share_state *libra_share_state(
	const struct libra_engine *e)
{
	return e->state;
}

int libra_share_init(struct libra_engine *e);
void libra_share_fini(struct libra_engine *e);

/* Room for the scratch of one decision.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_share_reserve(struct libra_share_state *s);

/* May a row take one more task? */
static inline bool libra_share_usable(const struct libra_engine *e,
				      const struct libra_ledger_row *row)
{
	return row->pub.nprocs > 0 && !row->closed &&
	       row->pub.ntasks < e->max_jobs;
}

/* The share a job comes with (eq. 1 at its submission). */
static inline double libra_initial_share(const struct libra_job *job)
{
	double deadline_s = job->deadline_s - job->submit_s;

	return deadline_s > 0 ? job->estimate_s / deadline_s : INFINITY;
}

/* How long after its deadline a job ends that has its processors for itself. */
static inline double libra_late_alone_s(const struct libra_job *job,
					double now_s)
{
	return libra_late_s(now_s + job->estimate_s, job->deadline_s);
}

/* Who shares is about to change. */
static inline void libra_share_observe(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;

	if (traits->observe)
		traits->observe(e);
}

/* Return the task of each part of a job, with its share at submission (eq. 1).
 */
struct libra_task libra_share_task(const struct libra_job *job, uint32_t slot,
				   double est_left_s);

#endif
