/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planned.c - promises with reservations of processors; no preemption.
 *
 * The rule of admission is in core/space/admit.h, the proof of the promises in
 * core/space/planned.h.  Here are the parameters and the reserve of the machine
 * (core/formula/reserve.h), with two constants of its own:
 *
 *     room = 0.4, unit = 0.6 of the mean work
 *     use  = the reserve's, and half of what jobs due later use before the
 *            deadline by their reservations: some of it could move, not all
 *     load = the reserve's x sqrt(observed / estimated work of the jobs that
 *            ended; both sums lose 0.5 % at each end): jobs that end early
 *            leave their processors to others
 *
 * Reservations move earlier when jobs end early.  Without other work they leave
 * a part of the machine free, for jobs that can only start at once: filling all
 * of it costs more jobs than it gains.  In slurmctld ordinary jobs would take
 * that part, so none is left free.
 */
#include <math.h>
#include <stddef.h>

#include "core/formula/reserve.h"
#include "core/policy/policies.h"
#include "core/space/planned_ops.h"

#define RESERVE_ROOM 0.4
#define RESERVE_UNIT 0.6
#define LATER_COUNTS 0.5
#define ENDED_KEEPS  0.995

enum {
	PARAM_MACHINE_RESERVE,
	PARAM_HOLD_BACK,
	PARAM_HARD_STARTS,
	PARAM_REPLAN,
	PARAM_PULL,
	PARAM_PULL_HOLD_BACK,
	PARAM_FIRM_AGE,
	PARAM_MARGIN,
	PARAM_OVERRUN,
	PARAM_FLOOR,
	PARAM_GUARANTEED_ONLY,
	NPARAMS,
};

static const struct libra_param params[NPARAMS] = {
	[PARAM_MACHINE_RESERVE] = LIBRA_PARAM_MACHINE_RESERVE,
	[PARAM_HOLD_BACK] =
		{
			.name = "hold_back",
			.type = LIBRA_PARAM_NUMBER,
			.unit = "%",
			.value = 20,
			.max = 100,
			.help = "look first for a start that leaves so much of the "
				"machine free",
		},
	[PARAM_HARD_STARTS] =
		{
			.name = "hard_starts",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.max = 1,
			.help = "never start a job later than it was told when it "
				"was accepted; no: that was a hint, the "
				"deadline is the promise",
		},
	[PARAM_REPLAN] =
		{
			.name = "replan",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "where a job finds no start, plan all that wait "
				"anew, each within its deadline",
		},
	[PARAM_PULL] =
		{
			.name = "pull_forward",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "start jobs earlier than planned when others end "
				"early",
		},
	[PARAM_PULL_HOLD_BACK] =
		{
			.name = "pull_hold_back",
			.type = LIBRA_PARAM_NUMBER,
			.unit = "%",
			.value = 20,
			.max = 100,
			.help = "where plans come forward, leave so much of the "
				"machine free for jobs that cannot wait; with "
				"ordinary jobs beside, which use it, 0",
		},
	[PARAM_FIRM_AGE] =
		{
			.name = "firm_age",
			.type = LIBRA_PARAM_NUMBER,
			.unit = "s",
			.value = 86400,
			.max = 1e9,
			.help = "after so long the oldest job without a deadline "
				"gets a planned start that does not move, one "
				"job at a time",
		},
	[PARAM_MARGIN] =
		{
			.name = "margin",
			.type = LIBRA_PARAM_NUMBER,
			.unit = "s",
			.max = 1e6,
			.help = "plan so much beyond each estimate: what it takes "
				"to start a job and to end it",
		},
	[PARAM_OVERRUN] = LIBRA_PARAM_OVERRUN,
	[PARAM_FLOOR] = LIBRA_PARAM_OVERRUN_FLOOR,
	[PARAM_GUARANTEED_ONLY] = LIBRA_PARAM_GUARANTEED_ONLY,
};

/* Slurm checks time limits twice a minute, and a job has KillWait to end. */
static const double cluster_params[NPARAMS] = {
	[PARAM_MACHINE_RESERVE] = 1, [PARAM_HOLD_BACK] = 10,
	[PARAM_REPLAN] = 1,	     [PARAM_PULL] = 1,
	[PARAM_PULL_HOLD_BACK] = 0,  [PARAM_FIRM_AGE] = 86400,
	[PARAM_MARGIN] = 60,	     [PARAM_OVERRUN] = 0.1,
	[PARAM_FLOOR] = 1,
};

/* Statistics of the offers and the ends so far. */
struct planned_memory {
	struct libra_reserve machine;
	double observed_s, estimated_s; /* work of jobs that ended */
};

struct planned_state {
	struct libra_planned_state promise; /* first */
	struct planned_memory memory;
};

static struct planned_memory *memory(const struct libra_engine *e)
{
	return &((struct planned_state *)e->state)->memory;
}

/* Return a percentage of the processors, rounded down. */
static uint32_t part_of_machine(const struct libra_engine *e, int param)
{
	return (uint32_t)(e->nprocs * libra_engine_param(e, param) / 100);
}

static void rules(const struct libra_engine *e, struct libra_planned_rules *r)
{
	r->overrun.part = libra_engine_param(e, PARAM_OVERRUN);
	r->overrun.floor_s = libra_engine_param(e, PARAM_FLOOR);
	r->margin_s = libra_engine_param(e, PARAM_MARGIN);
	r->firm_age_s = libra_engine_param(e, PARAM_FIRM_AGE);
	r->held_back = part_of_machine(e, PARAM_HOLD_BACK);
	r->pull_held_back = part_of_machine(e, PARAM_PULL_HOLD_BACK);
	r->hard = libra_engine_param(e, PARAM_HARD_STARTS) != 0;
	r->replan = libra_engine_param(e, PARAM_REPLAN) != 0;
	r->pull = libra_engine_param(e, PARAM_PULL) != 0;
}

static struct libra_reserve_job reserve_job(const struct libra_engine *e,
					    const struct libra_job *job)
{
	return (struct libra_reserve_job){
		.nprocs = job->nprocs,
		.estimate_s = job->estimate_s,
		.need_s = fmin(job->estimate_s, job->deadline_s - e->now_s),
		.submit_s = job->submit_s,
		.deadline_s = job->deadline_s,
	};
}

/* Return the part that counts of a job that is due later and has processors
 * until an instant.  A job without a deadline has no promise.
 */
static inline double later_s(double nprocs, double deadline_s, double start_s,
			     double end_s, double by_s)
{
	end_s = end_s < by_s ? end_s : by_s;
	return deadline_s < INFINITY && start_s < end_s
		       ? LATER_COUNTS * nprocs * (end_s - start_s)
		       : 0;
}

/* Return what a waiting job counts by an instant: if it is due then,
 * libra_need() of a job that has executed nothing.
 */
static inline double waiting_s(const struct libra_reservation *plan,
			       double by_s, double now_s)
{
	double left_s = plan->deadline_s - now_s;
	double start_s = plan->start_s > now_s ? plan->start_s : now_s;

	if (plan->deadline_s > by_s)
		return later_s(plan->nprocs, plan->deadline_s, start_s,
			       start_s + plan->duration_s, by_s);
	left_s = left_s > 0 ? left_s : 0;
	return plan->nprocs *
	       (plan->estimate_s < left_s ? plan->estimate_s : left_s);
}

/* Return what a running job counts: if it is due then, what it still needs. */
static double running_s(const struct libra_engine *e,
			const struct libra_slot *entry, double by_s)
{
	const struct libra_planned_rules *r = &libra_planned_state(e)->rules;
	const struct libra_job *job = &entry->job;

	if (job->deadline_s > by_s)
		return later_s(job->nprocs, job->deadline_s, e->now_s,
			       entry->end_s, by_s);
	return job->nprocs * libra_need(&r->overrun, job->estimate_s,
					e->now_s - entry->start_s,
					job->deadline_s, e->now_s);
}

/* Processors that jobs leave early can be promised to others: hence the room.
 */
static struct libra_reserve_machine reserve_machine(
	const struct libra_engine *e)
{
	const struct planned_memory *m = memory(e);
	struct libra_reserve_machine machine = {
		.nprocs = e->nprocs,
		.room = RESERVE_ROOM,
		.unit = RESERVE_UNIT,
	};

	if (m->estimated_s > 0 && m->observed_s > 0)
		machine.room /= sqrt(m->observed_s / m->estimated_s);
	return machine;
}

/* Return what the promised jobs count by the deadline of an offered job.
 * Visits all of them, if that may lead to a refusal; reservations in one array
 * make it cheap.
 */
static double promised_s(const struct libra_engine *e,
			 const struct libra_job *job)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	struct libra_reserve_job asks = reserve_job(e, job);
	double sum_s = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].slot < e->nslots)
			sum_s += waiting_s(&s->waiting[i], job->deadline_s,
					   e->now_s);
		else /* of a trial, as this one */
			sum_s += asks.nprocs * asks.need_s;
	for (uint32_t i = 0; i < s->space.running.n; i++)
		sum_s += running_s(e, &e->slots[s->space.running.jobs[i].slot],
				   job->deadline_s);
	return sum_s;
}

static enum libra_reason refusal(const struct libra_engine *e,
				 const struct libra_job *job)
{
	struct libra_reserve_job asks = reserve_job(e, job);
	struct libra_reserve_machine m = reserve_machine(e);

	/* Mostly it cannot refuse, and no job is visited. */
	return libra_engine_param(e, PARAM_MACHINE_RESERVE) &&
			       libra_reserve_may_refuse(&memory(e)->machine, &m,
							&asks) &&
			       libra_reserve_refuses(&memory(e)->machine, &m,
						     &asks, promised_s(e, job),
						     e->now_s)
		       ? LIBRA_REASON_RESERVE
		       : LIBRA_REASON_NONE;
}

static bool surely_admits(const struct libra_engine *e,
			  const struct libra_job *job, uint32_t njobs)
{
	struct libra_reserve_job asks = reserve_job(e, job);
	struct libra_reserve_machine m = reserve_machine(e);

	return !libra_engine_param(e, PARAM_MACHINE_RESERVE) ||
	       libra_reserve_surely_admits(&memory(e)->machine, &m, &asks,
					   njobs, promised_s(e, job), e->now_s);
}

static void decided(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_reserve_job asked = reserve_job(e, job);

	asked.deadline_s = INFINITY; /* its load is all of its estimate */
	libra_reserve_learn(&memory(e)->machine, &asked, e->now_s);
}

static void ended(struct libra_engine *e, const struct libra_job *job,
		  double executed_s)
{
	struct planned_memory *m = memory(e);

	m->observed_s = ENDED_KEEPS * m->observed_s + job->nprocs * executed_s;
	m->estimated_s =
		ENDED_KEEPS * m->estimated_s + job->nprocs * job->estimate_s;
}

static const struct libra_planned_traits traits = {
	.rules = rules,
	.refusal = refusal,
	.surely_admits = surely_admits,
	.decided = decided,
	.ended = ended,
	.learned = offsetof(struct planned_state, memory),
	.learned_size = sizeof(struct planned_memory),
};

const struct libra_policy_type libra_policy_planned = {
	.name = "planned",
	.summary = "plans a start on processors of its own for each job; "
		   "accepts a job if every promise can be kept",
	.source = "docs/beyond.md",
	.mode = LIBRA_SPACE,
	.plans = true,
	.params = params,
	.nparams = NPARAMS,
	.cluster_params = cluster_params,
	.ops = &libra_planned_ops,
	.traits = &traits,
	.state_size = sizeof(struct planned_state),
};
