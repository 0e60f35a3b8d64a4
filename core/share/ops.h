/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - the functions that all share policies have in common.
 *
 * A share policy says which rows of the ledger suit a job and in which order
 * they are taken; the rest (promise, start, renewal, nodes) is common.
 */
#ifndef LIBRA_SHARE_OPS_H
#define LIBRA_SHARE_OPS_H

#include "core/engine_impl.h"
#include "core/formula/risk.h"
#include "core/share/ledger.h"
#include "core/share/placement.h"

/* A row that suits, and how well. */
struct libra_fit {
	double key;
	uint32_t row;
};

struct libra_share_state {
	struct libra_ledger ledger;
	/* Scratch of one decision. */
	struct libra_outlook *outlook;	  /* for the longest row and one more */
	struct libra_fit *fits;		  /* for every row */
	uint8_t *asked;			  /* per row: see enum in share_ops.c */
	double *keys;			  /* per row */
	bool *suits;			  /* per row */
	struct libra_node_fit *node_fits; /* per node */
	uint32_t outlook_cap, rows_cap;
};

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
	/* The share that a row has left for a job with any deadline; < 0 =
	 * none, INFINITY = whatever the deadline.  NULL: only trial tells.
	 */
	double (*room)(const struct libra_engine *e,
		       const struct libra_ledger_row *row);
	/* The rest may be NULL.  State of the policy's own, beyond the common
	 * one that it begins with.
	 */
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Time has passed and the tasks are about to change. */
	void (*observe)(struct libra_engine *e);
	/* Is the choice, taken[] of the ledger, good as a whole?  trial: the
	 * question changes nothing.  What was agreed by it is not changed
	 * later. Result: 1, 0 with the reason, or -1 with ENOMEM.
	 */
	int (*admits)(struct libra_engine *e, const struct libra_job *job,
		      bool trial, enum libra_reason *reason);
};

static inline struct libra_share_state *libra_share_state(
	const struct libra_engine *e)
{
	return e->state;
}

extern const struct libra_policy_ops libra_share_ops;

#endif
