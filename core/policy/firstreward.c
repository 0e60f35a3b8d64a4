/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * firstreward.c - FirstReward: money decides (IPDPS 2007, section 5.1).
 *
 * A job is judged once, at its submission.  Its slack is how late it can be
 * before the present value of its budget is spent on what the accepted jobs may
 * lose while it runs.  A job with less slack than the threshold is refused.
 * Accepted jobs wait in order of reward, for all the processors they need; no
 * backfilling, no preemption, and deadlines are ignored.
 *
 * The cost of a job is the penalty rates of all other accepted, unfinished
 * jobs, running or waiting, times its own remaining time.  So its reward is
 *
 * 	alpha x value / remaining - (1 - alpha) x (all rates - its rate)
 *
 * and since "all rates" is the same for all waiting jobs, the order among them
 * never changes while they wait.
 */
#include "core/formula/reward.h"
#include "core/policy/policies.h"
#include "core/space/queue_ops.h"

enum {
	ALPHA,
	DISCOUNT,
	SLACK_THRESHOLD,
	DISCOUNT_UNIT,
};

static const struct libra_param params[] = {
	[ALPHA] =
		{.name = "alpha",
		 .type = LIBRA_PARAM_NUMBER,
		 .unit = "",
		 .value = 1,
		 .min = 0,
		 .max = 1,
		 .help = "weight of a job's value against what the others may "
			 "lose while it runs"},
	[DISCOUNT] =
		{.name = "discount",
		 .type = LIBRA_PARAM_NUMBER,
		 .unit = "%",
		 .value = 1,
		 .min = 0,
		 .max = 1000,
		 .help = "what a budget loses in each unit of time that its "
			 "job runs"},
	[SLACK_THRESHOLD] = {.name = "slack_threshold",
			     .type = LIBRA_PARAM_NUMBER,
			     .unit = "s",
			     .value = 25,
			     .min = -1e12,
			     .max = 1e12,
			     .help = "refuse a job with less slack than this"},
	[DISCOUNT_UNIT] =
		{.name = "discount_unit",
		 .type = LIBRA_PARAM_NUMBER,
		 .unit = "s",
		 .value = 1,
		 .min = 1e-3,
		 .max = 1e9,
		 .help = "unit of time of the discount: 1 = per second, "
			 "3600 = per hour"},
};

static double value_of(const struct libra_engine *e,
		       const struct libra_job *job)
{
	double discount = libra_engine_param(e, DISCOUNT) / 100 /
			  libra_engine_param(e, DISCOUNT_UNIT);

	return libra_present_value(job->budget, discount, job->estimate_s);
}

/* All jobs that the engine holds are accepted and unfinished. */
static double rates_of_others(const struct libra_engine *e,
			      const struct libra_job *job)
{
	double sum = 0;

	for (uint32_t i = 0; i < e->nslots; i++)
		if (e->slots[i].state != LIBRA_SLOT_FREE &&
		    &e->slots[i].job != job)
			sum += e->slots[i].job.penalty_rate;
	return sum;
}

static enum libra_reason refusal(const struct libra_engine *e,
				 const struct libra_job *job)
{
	double cost = libra_opportunity_cost(rates_of_others(e, job),
					     job->estimate_s);
	double slack_s =
		libra_slack_s(value_of(e, job), cost, job->penalty_rate);

	return slack_s < libra_engine_param(e, SLACK_THRESHOLD)
		       ? LIBRA_REASON_SLACK
		       : LIBRA_REASON_NONE;
}

/* The highest reward first, without the part common to all jobs. */
static double key(const struct libra_engine *e, const struct libra_job *job)
{
	double own_cost =
		libra_opportunity_cost(-job->penalty_rate, job->estimate_s);

	return -libra_reward(libra_engine_param(e, ALPHA), value_of(e, job),
			     own_cost, job->estimate_s);
}

static const struct libra_space_traits traits = {
	.order = LIBRA_ORDER_KEY,
	.backfill = LIBRA_BACKFILL_NONE,
	.admission_param = -1,
	.key = key,
	.refusal = refusal,
};

const struct libra_policy_type libra_policy_firstreward = {
	.name = "firstreward",
	.summary =
		"highest reward first; refuses a job whose budget leaves too "
		"little slack",
	.source = "IPDPS 2007, section 5.1",
	.mode = LIBRA_SPACE,
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.ops = &libra_space_ops,
	.traits = &traits,
	.state_size = sizeof(struct libra_space_state),
};
