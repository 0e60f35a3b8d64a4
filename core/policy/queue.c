/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.c - the space-shared policies that queue: rows of one table.
 *
 * edf   queue by absolute deadline; a head that does not fit blocks; the
 *       lateness test when it could start (ICPP 2006, section 4)
 * fcfs  queue by submission; a head that does not fit blocks
 * easy  fcfs with backfilling: a job may start if it ends, by its estimate,
 *       before the head is expected to start, or uses processors that the
 *       head will not need (Lifka's EASY; one reservation, for the head)
 * easy-sjbf  easy, but the jobs after the head are tried in order of their
 *       estimates, not of submission (Tsafrir, Etsion and Feitelson, TPDS
 *       18(6), 2007: shortest job backfilled first)
 * conservative  fcfs with a reservation for every job: a job may start early
 *       if it delays none of those before it, by the estimates
 * fcfs-bf, edf-bf  fcfs and edf with strict EASY backfilling: a job may start
 *       early if it ends before the head is expected to start; the lateness
 *       test when a job could start (IPDPS 2007, section 5.1)
 */
#include "core/policy/policies.h"
#include "core/space/queue_ops.h"

static const struct libra_param admission[] = {
	{
		.name = "admission",
		.type = LIBRA_PARAM_SWITCH,
		.unit = "",
		.value = 1,
		.min = 0,
		.max = 1,
		.help = "refuse a job that could start but would end after "
			"its deadline",
	},
};

static const struct libra_space_traits edf_traits = {
	.order = LIBRA_ORDER_DEADLINE,
	.backfill = LIBRA_BACKFILL_NONE,
	.admission_param = 0,
};

const struct libra_policy_type libra_policy_edf = {
	.name = "edf",
	.summary =
		"earliest deadline first; refuses a job that could start but "
		"would end too late",
	.source = "ICPP 2006, section 4",
	.mode = LIBRA_SPACE,
	.needs_deadline = true,
	.params = admission,
	.nparams = sizeof(admission) / sizeof(admission[0]),
	.ops = &libra_space_ops,
	.traits = &edf_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits fcfs_traits = {
	.order = LIBRA_ORDER_SUBMIT,
	.backfill = LIBRA_BACKFILL_NONE,
	.admission_param = -1,
};

const struct libra_policy_type libra_policy_fcfs = {
	.name = "fcfs",
	.summary = "first come, first served; no deadlines",
	.source = "",
	.mode = LIBRA_SPACE,
	.ops = &libra_space_ops,
	.traits = &fcfs_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits easy_traits = {
	.order = LIBRA_ORDER_SUBMIT,
	.backfill = LIBRA_BACKFILL_EASY,
	.admission_param = -1,
};

const struct libra_policy_type libra_policy_easy = {
	.name = "easy",
	.summary = "fcfs with EASY backfilling; no deadlines",
	.source = "",
	.mode = LIBRA_SPACE,
	.ops = &libra_space_ops,
	.traits = &easy_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits easy_sjbf_traits = {
	.order = LIBRA_ORDER_SUBMIT,
	.backfill = LIBRA_BACKFILL_EASY,
	.shortest_first = true,
	.admission_param = -1,
};

const struct libra_policy_type libra_policy_easy_sjbf = {
	.name = "easy-sjbf",
	.summary = "easy, where the shortest by estimate skip ahead first",
	.source = "",
	.mode = LIBRA_SPACE,
	.ops = &libra_space_ops,
	.traits = &easy_sjbf_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits conservative_traits = {
	.order = LIBRA_ORDER_SUBMIT,
	.backfill = LIBRA_BACKFILL_CONSERVATIVE,
	.admission_param = -1,
};

const struct libra_policy_type libra_policy_conservative = {
	.name = "conservative",
	.summary = "fcfs with conservative backfilling; no deadlines",
	.source = "",
	.mode = LIBRA_SPACE,
	.ops = &libra_space_ops,
	.traits = &conservative_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits fcfs_bf_traits = {
	.order = LIBRA_ORDER_SUBMIT,
	.backfill = LIBRA_BACKFILL_STRICT,
	.admission_param = 0,
};

const struct libra_policy_type libra_policy_fcfs_bf = {
	.name = "fcfs-bf",
	.summary =
		"fcfs with strict EASY backfilling; refuses a job that could "
		"start but would end too late",
	.source = "IPDPS 2007, section 5.1",
	.mode = LIBRA_SPACE,
	.params = admission,
	.nparams = sizeof(admission) / sizeof(admission[0]),
	.ops = &libra_space_ops,
	.traits = &fcfs_bf_traits,
	.state_size = sizeof(struct libra_space_state),
};

static const struct libra_space_traits edf_bf_traits = {
	.order = LIBRA_ORDER_DEADLINE,
	.backfill = LIBRA_BACKFILL_STRICT,
	.admission_param = 0,
};

const struct libra_policy_type libra_policy_edf_bf = {
	.name = "edf-bf",
	.summary = "edf with strict EASY backfilling; refuses as edf",
	.source = "IPDPS 2007, section 5.1",
	.mode = LIBRA_SPACE,
	.needs_deadline = true,
	.params = admission,
	.nparams = sizeof(admission) / sizeof(admission[0]),
	.ops = &libra_space_ops,
	.traits = &edf_bf_traits,
	.state_size = sizeof(struct libra_space_state),
};
