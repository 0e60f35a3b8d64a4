/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libra.c - Libra: a processor suits if the shares of all its tasks,
 * the new one included, sum to 1 at the most (ICPP 2006, eqs 1 and 2); best
 * fit.
 */
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"

enum { PARAM_LATE_YIELDS };

static const struct libra_param params[] = {
	[PARAM_LATE_YIELDS] = LIBRA_PARAM_LATE_YIELDS,
};

static const double cluster_params[] = {[PARAM_LATE_YIELDS] = 1};

static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	const struct libra_division *division =
		&libra_share_state(e)->ledger.division;
	double low, high;

	/* Bounds can only refuse: best fit needs the sum itself. */
	if (libra_row_bounds(row, e->now_s, &low, &high) &&
	    low + new_share > 1 + LIBRA_BOUNDS_MARGIN)
		return false;
	*share = new_share + libra_row_share(row, division, e->now_s).share;
	return *share <= 1 + LIBRA_SHARE_TOLERANCE;
}

static double room(const struct libra_engine *e,
		   const struct libra_ledger_row *row)
{
	const struct libra_division *division =
		&libra_share_state(e)->ledger.division;

	return 1 - libra_row_share(row, division, e->now_s).share;
}

static int init(struct libra_engine *e)
{
	libra_share_state(e)->ledger.division.late_yields =
		libra_engine_param(e, PARAM_LATE_YIELDS) != 0;
	return 0;
}

static const struct libra_share_traits traits = {
	.refusal = LIBRA_REASON_NO_SHARE,
	.best_fit = true,
	.suits = suits,
	.room = room,
	.init = init,
};

const struct libra_policy_type libra_policy_libra = {
	.name = "libra",
	.summary = "shares by deadline; accepts a job where they sum to 1 at "
		   "most, fullest processors first",
	.source = "ICPP 2006, section 3.1",
	.mode = LIBRA_SHARE,
	.needs_deadline = true,
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cluster_params = cluster_params,
	.ops = &libra_share_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_share_state),
};
