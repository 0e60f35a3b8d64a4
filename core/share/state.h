/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - what a share policy defines (traits), and its state.
 *
 * A share policy decides which rows of the ledger suit a job, and in which
 * order they are taken.  The state is a ledger and the scratch memory of one
 * decision.  A policy with a state of its own begins it with this one.
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
	/* Scratch memory of one decision. */
	struct libra_forecast *outlook; /* one for each task of the longest row,
					   and one more */
	struct libra_fit *order; /* as many; for policies that sort tasks */
	struct libra_fit *fits;	 /* one for every row */
	uint8_t *asked;		 /* per row: see select.c */
	double *keys;		 /* per row */
	bool *suits;		 /* per row */
	struct libra_node_fit *node_fits; /* per node */
	uint32_t outlook_cap, rows_cap;
};

/* A smaller remaining share counts as none: with rounding, users would get a
 * deadline in a thousand years.
 */
#define LIBRA_LEAST_ROOM 1e-3

struct libra_share_traits {
	enum libra_reason refusal; /* if too few rows suit */
	bool best_fit; /* rows by the key of `suits`; else by index */
	/* Return true if a row of the ledger suits the job.  new_share is the
	 * share of the job alone.  *share becomes the key for best_fit: rows
	 * with greater keys are taken first (libra: eq. 2 with the job).
	 */
	bool (*suits)(const struct libra_engine *e,
		      const struct libra_ledger_row *row,
		      const struct libra_job *job, double new_share,
		      double *share);
	/* Best fit: return true if a row may suit as well as one without tasks,
	 * which suits best.  A cheap test of many rows before `suits`; never
	 * wrongly false.  NULL: no such test.
	 */
	bool (*as_empty)(const struct libra_engine *e,
			 const struct libra_ledger_row *row,
			 const struct libra_job *job);
	/* The number of a job and the limit of a row (limits.h), for the test
	 * in index order: suits, or with best fit as_empty.  Set both or
	 * neither.
	 */
	double (*number)(const struct libra_engine *e,
			 const struct libra_job *job, double new_share);
	libra_limit_f *limit;
	/* Return the share that a row has left for one more job; < 0 = none,
	 * INFINITY = the row suits with any deadline.  NULL: only a trial can
	 * answer.
	 */
	double (*room)(const struct libra_engine *e,
		       const struct libra_ledger_row *row);
	/* Return how many such jobs, one after the other, a usable row
	 * certainly takes; not more than by its room, if that is known.  NULL:
	 * use room, if there is one.
	 */
	double (*takes)(const struct libra_engine *e,
			const struct libra_ledger_row *row,
			const struct libra_job *job);
	/* Return the seconds after its deadline at which a job would end on a
	 * suitable row, by all estimates.  NULL: as on processors for itself
	 * alone.
	 */
	double (*late_s)(const struct libra_engine *e,
			 const struct libra_ledger_row *row,
			 const struct libra_job *job, double new_share);
	/* The functions below may be NULL. init and fini: the policy's own
	 * state, beyond the common part that it begins with.
	 */
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Called before tasks are added, changed or removed. */
	void (*observe)(struct libra_engine *e);
	/* Return true if capacity is reserved against this job, whichever rows
	 * suit it.  Called before any row is tested.
	 */
	bool (*reserves)(struct libra_engine *e, const struct libra_job *job);
	/* Return true if `reserves` is certainly false for njobs jobs, offered
	 * one after the other.  Set together with reserves.
	 */
	bool (*surely_admits)(struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs);
	/* Called after a job was refused or accepted. */
	void (*decided)(struct libra_engine *e, const struct libra_job *job);
	/* Offset and size in bytes of what the policy learns from decisions in
	 * its state; doubles only.
	 */
	size_t learned, learned_size;
	/* Test the choice (taken[] of the ledger) as a whole.  trial: nothing
	 * may change.  Policies with this test make contracts: no estimate or
	 * deadline changes later.
	 * Result: 1 if acceptable, 0 with the reason, or -1 with ENOMEM.
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

/* Reserve the scratch memory of one decision.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_share_reserve(struct libra_share_state *s);

/* Return true if a row may take one more task. */
static inline bool libra_share_usable(const struct libra_engine *e,
				      const struct libra_ledger_row *row)
{
	return row->pub.nprocs > 0 && !row->closed &&
	       row->pub.ntasks < e->max_jobs;
}

/* Return the share of a job at its submission (eq. 1). */
static inline double libra_initial_share(const struct libra_job *job)
{
	double deadline_s = job->deadline_s - job->submit_s;

	return deadline_s > 0 ? job->estimate_s / deadline_s : INFINITY;
}

/* Return the seconds after its deadline at which a job ends that has its
 * processors to itself.
 */
static inline double libra_late_alone_s(const struct libra_job *job,
					double now_s)
{
	return libra_late_s(now_s + job->estimate_s, job->deadline_s);
}

/* Inform the policy before the tasks change (observe). */
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
