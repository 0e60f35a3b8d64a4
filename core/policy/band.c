/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * band.c - block-aligned neighbour demand.
 *
 * For a new job J of n processors with the deadline d:
 *
 *     c      = need(J); cA = min(phi c, max(c, d - now)); phi: see below
 *     barred = processors of each later job i, not late and in time, that
 *              would miss its deadline if J, gone at now + cA, were its
 *              neighbour and came before it (finish.h)
 *     for blocks of B = the least power of two >= n, at s = 0, B, 2 B, ...,
 *     s + n <= processors:
 *         S    = the first n processors of the block that are not barred
 *         J, needing cA, ends by d on S: finish(J) <= d
 *         then, in their order, the finishes of the later jobs on S, and of
 *         those after a job whose gone rose, are computed.  If a job was in
 *         time and no longer is: if it is on S, its processors are excluded
 *         and S is chosen again, four times; else S is not acceptable.
 *         cost = needs of J's earlier neighbours on S
 *                + the rise of all finishes
 *                + 1e-4 x (jobs promised each processor of S, summed)
 *         (skipped as soon as that is not less than the least so far)
 *     take the S of least cost (ties: the lowest s); if no block has one:
 *     processors one by one, each time the one that adds least to the needs of
 *     earlier neighbours + cA x later neighbours (ties: the lowest), and the
 *     same test of them all
 *
 * Deadlines are kept with a tolerance of 1e-6 s.  For a job that may use only
 * some processors the others are barred.  If it also matters on which nodes
 * they are, see core/gang/band_shape.c.
 *
 * A change of a job's estimate or deadline, on its processors, is accepted if
 * with the new numbers it ends in time, and so does every job that did before.
 *
 * finishes = no uses the plain sums of needs instead of the bound by finishes,
 * for comparison: barred is each later job with -1e-6 <= slack < cA; a
 * placement must have H, the needs of earlier neighbours, <= d - now - cA +
 * 1e-6, and costs H + cA x later neighbours + 1e-4 x promised jobs.
 *
 * The reserves.  phi = 1 + min(4, 5 rho) x min(4, work / mean work), where work
 * = n x estimate and rho = moving average (weight 0.01) of "refused" over the
 * offers of at most mean work.  The reserve of the machine is
 * core/formula/reserve.h.  Neither is used for a change.
 *
 * Here are the parameters, the reserves, and the barred processors;
 * core/gang/band.c finds the placement.  core/gang/finish.h has the proof of
 * the promise.  Blocks keep neighbourhoods small, and the cost of the others'
 * rise spreads the load.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/formula/reserve.h"
#include "core/gang/band.h"
#include "core/gang/ops.h"
#include "core/policy/policies.h"

/* The reserve: weight of one decision in the average of refusals, the gain per
 * refusal, up to how many mean jobs a job counts, and the most that refusals
 * add.
 */
#define RESERVE_WEIGHT 0.01
#define RESERVE_GAIN   5
#define RESERVE_SIZE   4
#define RESERVE_MOST   4

enum {
	PARAM_FINISHES,
	PARAM_MACHINE_RESERVE,
	PARAM_RESERVE,
	PARAM_RESIDENTS,
	PARAM_OVERRUN,
	PARAM_FLOOR,
	PARAM_GUARANTEED_ONLY,
	PARAM_NEIGHBOURS,
	PARAM_ALIGN,
	PARAM_SPREAD,
};

static const struct libra_param params[] = {
	[PARAM_FINISHES] =
		{
			.name = "finishes",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "bound when each job ends by when its neighbours "
				"end; else by the sum of their needs",
		},
	[PARAM_MACHINE_RESERVE] = LIBRA_PARAM_MACHINE_RESERVE,
	[PARAM_RESERVE] =
		{
			.name = "reserve",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "require more room for large jobs while small ones "
				"are refused",
		},
	[PARAM_RESIDENTS] =
		{
			.name = "residents",
			.type = LIBRA_PARAM_INTEGER,
			.unit = "",
			.value = 0,
			.max = 1000,
			.help = "most unfinished jobs on a processor, each of which "
				"keeps its memory; 0 = no limit",
		},
	[PARAM_OVERRUN] = LIBRA_PARAM_OVERRUN,
	[PARAM_FLOOR] = LIBRA_PARAM_OVERRUN_FLOOR,
	[PARAM_GUARANTEED_ONLY] = LIBRA_PARAM_GUARANTEED_ONLY,
	[PARAM_NEIGHBOURS] =
		{
			.name = "neighbours",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "sum the needs of all neighbours; no: test each "
				"processor alone, which breaks promises",
		},
	[PARAM_ALIGN] =
		{
			.name = "align",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "try aligned blocks of processors first",
		},
	[PARAM_SPREAD] =
		{
			.name = "spread",
			.type = LIBRA_PARAM_SWITCH,
			.unit = "",
			.value = 1,
			.max = 1,
			.help = "count the later neighbours in the cost of a place "
				"(without blocks, or by sums)",
		},
};

static const double cluster_params[] = {
	[PARAM_FINISHES] = 1,	[PARAM_MACHINE_RESERVE] = 0,
	[PARAM_RESERVE] = 1,	[PARAM_RESIDENTS] = 0,
	[PARAM_OVERRUN] = 0.1,	[PARAM_FLOOR] = 1,
	[PARAM_NEIGHBOURS] = 1, [PARAM_ALIGN] = 1,
	[PARAM_SPREAD] = 1,
};

/* The room of the machine's reserve: jobs of a gang use what others leave. */
#define RESERVE_ROOM 1.5
#define RESERVE_UNIT 0.5

struct band_state {
	struct libra_gang_state gang; /* first: gang/ops.c sees no more */
	struct libra_band_memory memory;
	struct libra_reserve machine; /* learned, from here on */
	double refused;		      /* rho */
};

static struct band_state *band_state(const struct libra_engine *e)
{
	return e->state;
}

static int init(struct libra_engine *e)
{
	struct band_state *s = band_state(e);

	return libra_band_init(&s->memory, &s->gang.gang, e->nnodes);
}

static void fini(struct libra_engine *e)
{
	libra_band_fini(&band_state(e)->memory);
}

static int make_room(struct libra_engine *e, uint32_t nslots)
{
	return libra_band_reserve(&band_state(e)->memory, nslots);
}

/* ---- one decision ---- */

static double phi(const struct libra_engine *e, const struct libra_job *job)
{
	const struct band_state *s = band_state(e);
	double work_s = job->nprocs * job->estimate_s;

	if (!libra_engine_param(e, PARAM_RESERVE) || s->machine.noffers == 0)
		return 1;
	return 1 + fmin(RESERVE_MOST, RESERVE_GAIN * s->refused) *
			   fmin(RESERVE_SIZE, work_s / s->machine.mean_work_s);
}

static double earlier_needs(const struct libra_gang *g, uint32_t run,
			    const struct libra_gang_job *job)
{
	double sum_s = 0;

	for (uint32_t i = 0; i < g->runs.nbound[run]; i++) {
		uint32_t slot = libra_gang_bound(g, run)[i];
		const struct libra_gang_job *other = &g->jobs[slot];

		if (!other->late && libra_gang_before(other, job))
			sum_s += libra_gang_need_s(g, slot);
	}
	return sum_s;
}

/* Return the largest sum of earlier needs on one of a job's processors. */
static double worst_processor(const struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	double worst_s = 0;

	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t run = job->parts[i].first;
		uint32_t end = run + job->parts[i].count;

		for (; run < end; run = libra_gang_run_end(g, run, end))
			worst_s = fmax(worst_s, earlier_needs(g, run, job));
	}
	return worst_s;
}

static double slack(const struct libra_band *b, uint32_t slot)
{
	const struct libra_gang_job *job = &b->g->jobs[slot];

	if (!b->alone)
		return libra_gang_slack(b->g, slot, b->now_s);
	return job->deadline_s - b->now_s - libra_gang_need_s(b->g, slot) -
	       worst_processor(b->g, slot);
}

/* Return true if a later job cannot wait for J: its processors are barred. */
static bool cannot_wait(const struct libra_band *b, uint32_t slot)
{
	double slack_s;

	if (b->by_finishes)
		return !libra_finishes_spared(&b->m->finishes, b->g, slot,
					      b->least_s) &&
		       libra_finishes_spoiled(&b->m->finishes, b->g, slot,
					      b->least_s, b->now_s);
	slack_s = slack(b, slot);
	return slack_s >= -LIBRA_SLACK_TOLERANCE_S && slack_s < b->least_s;
}

/* Bar all other processors. */
static void bar_all_but(const struct libra_band *b,
			const struct libra_where *where)
{
	uint32_t p = 0;

	for (uint32_t i = 0; i < where->nallowed; i++) {
		libra_bits_fill(b->m->barred, p, where->allowed[i].first);
		p = where->allowed[i].first + where->allowed[i].count;
	}
	libra_bits_fill(b->m->barred, p, b->g->nprocs);
}

/* Return the index in the order of the first job after J; late jobs are last.
 */
static uint32_t first_later(const struct libra_band *b)
{
	const struct libra_gang *g = b->g;
	uint32_t low = 0, high = g->njobs - g->nlate, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (libra_band_is_later(b, g->order[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Bar processors that have max_jobs jobs. */
static void bar_full(const struct libra_band *b)
{
	const struct libra_gang *g = b->g;

	if (b->limit == 0 || b->limit > g->runs.depth)
		return; /* no processor can have that many */
	for (uint32_t run = 0, next; run < g->nprocs; run = next) {
		next = libra_gang_run_end(g, run, g->nprocs);
		if (g->runs.nbound[run] >= b->limit)
			libra_bits_fill(b->m->barred, run, next);
	}
}

/* Visit the jobs after J, and bar those that cannot wait for it. */
static void survey(const struct libra_band *b, const uint64_t *closed)
{
	const struct libra_gang *g = b->g;

	libra_band_forget_taken(b);
	memcpy(b->m->barred, closed, g->words * sizeof(uint64_t));
	if (b->job->where && b->job->where->allowed)
		bar_all_but(b, b->job->where);
	bar_full(b);
	for (uint32_t i = first_later(b); i < g->njobs - g->nlate; i++)
		if (cannot_wait(b, g->order[i]))
			libra_gang_put(g, g->order[i], b->m->barred);
	memcpy(b->m->out, b->m->barred, g->words * sizeof(uint64_t));
}

/* Return the most jobs on a processor; 0 = any number. */
static uint32_t limit(const struct libra_engine *e)
{
	uint32_t residents = (uint32_t)libra_engine_param(e, PARAM_RESIDENTS);

	if (e->max_jobs == UINT32_MAX)
		return residents;
	return residents && residents < e->max_jobs ? residents : e->max_jobs;
}

static struct libra_reserve_job reserve_job(const struct libra_job *job,
					    double need_s)
{
	return (struct libra_reserve_job){
		.nprocs = job->nprocs,
		.estimate_s = job->estimate_s,
		.need_s = need_s,
		.submit_s = job->submit_s,
		.deadline_s = job->deadline_s,
	};
}

static struct libra_reserve_machine reserve_machine(
	const struct libra_engine *e)
{
	return (struct libra_reserve_machine){
		.nprocs = e->nprocs,
		.room = RESERVE_ROOM,
		.unit = RESERVE_UNIT,
		.residents = limit(e),
	};
}

/* Return the needs of the jobs that are due by a deadline, on all their
 * processors.
 */
static double due_s(const struct libra_gang *g, double deadline_s)
{
	double promised_s = 0;

	for (uint32_t i = 0; i < g->njobs - g->nlate; i++) {
		const struct libra_gang_job *other = &g->jobs[g->order[i]];

		if (other->deadline_s > deadline_s)
			break;
		promised_s += other->nprocs * libra_gang_need_s(g, g->order[i]);
	}
	return promised_s;
}

/* Return true if the reserve of the machine refuses the job. */
static bool is_reserved(const struct libra_engine *e,
			const struct libra_job *job, double need_s)
{
	struct libra_reserve_job asks = reserve_job(job, need_s);
	struct libra_reserve_machine m = reserve_machine(e);

	/* Mostly it cannot refuse, and no job is visited. */
	return libra_engine_param(e, PARAM_MACHINE_RESERVE) &&
	       libra_reserve_may_refuse(&band_state(e)->machine, &m, &asks) &&
	       libra_reserve_refuses(
		       &band_state(e)->machine, &m, &asks,
		       due_s(&libra_gang_state(e)->gang, job->deadline_s),
		       e->now_s);
}

/* Return true if it may refuse one of njobs jobs. */
static bool may_be_reserved(const struct libra_engine *e,
			    const struct libra_job *job, double need_s,
			    uint32_t njobs)
{
	struct libra_reserve_job asks = reserve_job(job, need_s);
	struct libra_reserve_machine m = reserve_machine(e);

	return libra_engine_param(e, PARAM_MACHINE_RESERVE) &&
	       !libra_reserve_surely_admits(
		       &band_state(e)->machine, &m, &asks, njobs,
		       due_s(&libra_gang_state(e)->gang, job->deadline_s),
		       e->now_s);
}

static bool choose(const struct libra_engine *e, const struct libra_band *b)
{
	bool aligned = libra_engine_param(e, PARAM_ALIGN) != 0;

	if (libra_band_has_shape(b))
		return libra_band_in_shape(b, aligned);
	return (aligned && libra_band_in_block(b)) || libra_band_singly(b);
}

/* Return a decision that requires the need of a job this many times. */
static struct libra_band decision(struct libra_engine *e,
				  const struct libra_job *job, uint64_t *set,
				  double need_s, double times)
{
	struct band_state *s = band_state(e);
	double left_s = job->deadline_s - e->now_s;
	struct libra_band b = {
		.m = &s->memory,
		.g = &s->gang.gang,
		.set = set,
		.now_s = e->now_s,
		.deadline_s = job->deadline_s,
		.least_s = fmin(times * need_s, fmax(need_s, left_s)),
		.job = job,
		.nodes = e->nodes,
		.nnodes = e->nnodes,
		.n = job->nprocs,
		.limit = limit(e),
		.by_finishes = libra_engine_param(e, PARAM_FINISHES) != 0,
		.alone = !libra_engine_param(e, PARAM_NEIGHBOURS),
	};

	if (b.alone)
		b.by_finishes = false;
	b.budget_s = left_s - b.least_s;
	b.later_cost = libra_engine_param(e, PARAM_SPREAD) ? b.least_s : 0;
	return b;
}

static double need(const struct libra_engine *e, const struct libra_job *job)
{
	return libra_need(&libra_gang_state(e)->gang.overrun, job->estimate_s,
			  0, job->deadline_s, e->now_s);
}

/* Compute finishes, visit all residents and bar processors. */
static void begin(struct libra_engine *e, const struct libra_band *b)
{
	struct libra_gang_state *s = libra_gang_state(e);

	if (b->by_finishes)
		libra_finishes_project(&b->m->finishes, b->g, e->now_s);
	survey(b, s->closed);
}

/* Begin a decision with the full search budget, or what is left of a search.
 * Result: the steps before it.
 */
static uint64_t count_from(const struct libra_engine *e, struct libra_band *b)
{
	uint64_t left = LIBRA_PLACE_WORK +
			(uint64_t)LIBRA_PLACE_WORK_A_PROC * e->nprocs;

	if (e->work_end < e->work + left)
		left = e->work_end > e->work ? e->work_end - e->work : 0;
	b->end = libra_band_steps(b) + left;
	return libra_band_steps(b);
}

/* End a decision: each job was visited once besides the counted steps. */
static void count_to(struct libra_engine *e, const struct libra_band *b,
		     uint64_t before)
{
	struct libra_finishes *f = &b->m->finishes;

	e->work += libra_band_steps(b) - before + b->g->njobs;
	e->upkeep += f->upkeep;
	f->upkeep = 0;
}

static enum libra_reason place(struct libra_engine *e,
			       const struct libra_job *job, uint64_t *set)
{
	double need_s = need(e, job);
	struct libra_band b = decision(e, job, set, need_s, phi(e, job));
	uint64_t before = count_from(e, &b);
	bool found;

	if (is_reserved(e, job, need_s))
		return LIBRA_REASON_RESERVE;
	libra_band_clear(&b);
	begin(e, &b);
	found = choose(e, &b);
	count_to(e, &b, before);
	return found ? LIBRA_REASON_NONE : LIBRA_REASON_WOULD_MISS;
}

/* Return the largest phi while such jobs are accepted: each lowers the weight
 * of refusals and moves mean work towards theirs.
 */
static double most_phi(const struct libra_engine *e,
		       const struct libra_job *job)
{
	const struct band_state *s = band_state(e);
	double work_s = job->nprocs * job->estimate_s, size;

	if (!libra_engine_param(e, PARAM_RESERVE) || s->machine.noffers == 0)
		return 1;
	size = fmax(1, work_s / s->machine.mean_work_s);
	return 1 + fmin(RESERVE_MOST, RESERVE_GAIN * s->refused) *
			   fmin(RESERVE_SIZE, size);
}

/* Only with aligned blocks and finishes. */
static bool surely_accepts(struct libra_engine *e, const struct libra_job *job,
			   uint32_t njobs)
{
	double need_s = need(e, job);
	struct libra_band b = decision(e, job, libra_gang_state(e)->set, need_s,
				       most_phi(e, job));
	uint64_t before = count_from(e, &b);
	bool sure;

	if (!b.by_finishes || !libra_engine_param(e, PARAM_ALIGN) ||
	    libra_band_has_shape(&b) || !(need_s >= job->estimate_s) ||
	    may_be_reserved(e, job, need_s, njobs))
		return false;
	begin(e, &b);
	sure = libra_band_surely_takes(&b, need_s, njobs);
	count_to(e, &b, before);
	return sure;
}

/* Make the change, compare all finishes, and undo it. */
static bool keeps_finishes(struct libra_engine *e, uint32_t slot,
			   double estimate_s, double deadline_s)
{
	struct band_state *s = band_state(e);
	struct libra_gang *g = &s->gang.gang;
	struct libra_finishes *f = &s->memory.finishes;
	struct libra_gang_job was = g->jobs[slot];
	uint32_t *keeps = s->memory.earlier; /* scratch, by slot */
	bool good = true;

	libra_finishes_project(f, g, e->now_s);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t other = g->order[i];

		keeps[other] = !g->jobs[other].late &&
			       libra_finishes_of(f, g, other)->in_time;
	}
	keeps[slot] = true;
	libra_gang_change(g, slot, estimate_s, deadline_s, e->now_s);
	libra_finishes_project(f, g, e->now_s);
	for (uint32_t i = 0; i < g->njobs && good; i++) {
		uint32_t other = g->order[i];

		good = !keeps[other] ||
		       (!g->jobs[other].late &&
			libra_finishes_of(f, g, other)->in_time);
	}
	libra_gang_change(g, slot, was.estimate_s, was.deadline_s, e->now_s);
	e->upkeep += f->upkeep + 2 * g->njobs;
	f->upkeep = 0;
	return good;
}

static bool may_change(struct libra_engine *e, uint32_t slot, double estimate_s,
		       double deadline_s)
{
	if (libra_engine_param(e, PARAM_FINISHES) &&
	    libra_engine_param(e, PARAM_NEIGHBOURS))
		return keeps_finishes(e, slot, estimate_s, deadline_s);
	return libra_gang_may_change(&libra_gang_state(e)->gang, slot,
				     estimate_s, deadline_s, e->now_s);
}

static double ends_by(const struct libra_engine *e, uint32_t slot)
{
	struct band_state *s = band_state(e);
	struct libra_gang *g = &s->gang.gang;

	if (!libra_engine_param(e, PARAM_FINISHES) ||
	    !libra_engine_param(e, PARAM_NEIGHBOURS))
		return e->now_s + libra_gang_load_s(g, slot);
	libra_finishes_project(&s->memory.finishes, g, e->now_s);
	return libra_finishes_of(&s->memory.finishes, g, slot)->finish_s;
}

/* rho counts refusals of jobs of at most mean work. */
static void decided(struct libra_engine *e, const struct libra_job *job,
		    bool accepted)
{
	struct band_state *s = band_state(e);
	struct libra_reserve_job asked = reserve_job(job, 0);
	double work_s = job->nprocs * job->estimate_s;

	if (s->machine.noffers > 0 && work_s <= s->machine.mean_work_s)
		s->refused += RESERVE_WEIGHT * (!accepted - s->refused);
	libra_reserve_learn(&s->machine, &asked, e->now_s);
}

static const struct libra_gang_traits traits = {
	.overrun_param = PARAM_OVERRUN,
	.floor_param = PARAM_FLOOR,
	.place = place,
	.surely_accepts = surely_accepts,
	.may_change = may_change,
	.ends_by = ends_by,
	.init = init,
	.fini = fini,
	.reserve = make_room,
	.decided = decided,
	.learned = offsetof(struct band_state, machine),
	.learned_size = sizeof(struct band_state) -
			offsetof(struct band_state, machine),
};

const struct libra_policy_type libra_policy_band = {
	.name = "band",
	.summary = "runs all parts of a job together, earliest deadline first; "
		   "accepts a job if it breaks no promise",
	.source = "docs/beyond.md",
	.mode = LIBRA_GANG,
	.needs_deadline = true,
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cluster_params = cluster_params,
	.ops = &libra_gang_ops,
	.traits = &traits,
	.state_size = sizeof(struct band_state),
};
