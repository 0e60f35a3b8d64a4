/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_earliest.c - the earliest deadline that the engine names is accepted.
 *
 * Random sequences of calls for each policy: jobs that run over their estimates
 * and deadlines, nodes that close, outages, suspended jobs, restarts, and a
 * clock that is set.  After each call one query, as core/engine.h promises:
 *
 *   - an offer with the earliest deadline is accepted, and with a guarantee; so
 *     is each of several equal offers, where the policy can try several;
 *   - the deadline is not before the job's end by its estimate;
 *   - where the answer is exact, a deadline a little nearer is refused, or
 *     accepted without a guarantee;
 *   - the deadline to suggest is not earlier, and is accepted.
 *
 * LIBRA_EARLIEST_SEQUENCES sets the number of sequences of each policy.
 */
#include <math.h>

#include "tests/random.h"
#include "tests/unit/host.h"

enum { SEQUENCES = 3000, CALLS = 30, MOST_NODES = 4, MOST_JOBS = 10 };

struct world {
	struct libra_engine *e;
	struct libra_engine_conf conf;
	const struct libra_policy_type *policy;
	uint32_t node_procs[MOST_NODES], nprocs;
	double params[16], now_s;
	uint64_t tickets[MOST_JOBS], random;
	bool gpu_nodes, may_be_late; /* equal delays count as no risk */
	struct libra_where where;
	struct libra_range allowed;
	uint64_t resources[MOST_NODES], per_chunk;
	uint64_t named, nearer; /* counts of checks */
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static double duration(struct world *w)
{
	static const double units[] = {1, 1, 1, 2, 4, 10, 0.25, 1.0 / 3};

	return (1 + draw(w, 16)) * units[draw(w, 8)];
}

/* ---- the engine ---- */

static void open_world(struct world *w, uint64_t seed)
{
	bool cluster;
	int i;

	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	cluster = draw(w, 2);
	for (size_t k = 0; k < w->policy->nparams; k++)
		w->params[k] =
			cluster ? libra_policy_cluster_value(w->policy, k)
				: w->policy->params[k].value;
	i = libra_param_find(w->policy->params, w->policy->nparams,
			     "equal_delays", NULL);
	w->may_be_late = i >= 0 && w->params[i] != 0;
	w->conf = (struct libra_engine_conf){
		.policy = w->policy,
		.params = w->params,
		.node_procs = w->node_procs,
		.nnodes = 1 + draw(w, MOST_NODES),
		.offer_ttl_s = INFINITY,
		.max_jobs = draw(w, 3) ? 0 : 1 + draw(w, 3),
		.by_node = draw(w, 2),
		.compress_later = draw(w, 2),
		.node_resources = w->resources,
	};
	w->conf.nresources = w->conf.by_node && draw(w, 4) == 0;
	w->nprocs = 0;
	for (uint32_t k = 0; k < w->conf.nnodes; k++) {
		w->node_procs[k] = 1 + draw(w, 4);
		w->nprocs += w->node_procs[k];
		w->resources[k] = draw(w, 4);
	}
	memset(w->tickets, 0, sizeof(w->tickets));
	w->now_s = draw(w, 2) ? draw(w, 4) : 1e9;
	w->e = libra_engine_create(&w->conf, NULL);
	assert_non_null(w->e);
}

/* ---- jobs ---- */

static const struct libra_where *draw_where(struct world *w, uint32_t nprocs)
{
	bool may = w->policy->mode != LIBRA_SPACE ||
		   (w->policy->plans && w->conf.by_node);

	if (!may || draw(w, 3))
		return NULL;
	w->where = (struct libra_where){
		.chunk = nprocs % 2 ? 0 : 2 * draw(w, 2),
		.node_max = draw(w, 3) ? 0 : 2 + draw(w, 3),
		.max_nodes = draw(w, 3) ? 0 : 1 + draw(w, 3),
	};
	if (draw(w, 2)) {
		w->allowed.first = draw(w, w->nprocs);
		w->allowed.count = 1 + draw(w, w->nprocs - w->allowed.first);
		w->where.allowed = &w->allowed;
		w->where.nallowed = 1;
	}
	w->per_chunk = draw(w, 3);
	if (w->conf.nresources > 0)
		w->where.per_chunk = &w->per_chunk;
	return &w->where;
}

static struct libra_job draw_job(struct world *w)
{
	static const double factors[] = {1, 1.5, 2, 3, 6, 20, 0.5, 100};
	struct libra_job job = {
		.submit_s = w->now_s,
		.estimate_s = duration(w),
		.nprocs = 1 + draw(w, w->nprocs),
		.user = draw(w, 3),
		.budget = (1 + draw(w, 100)) * 10,
		.penalty_rate = draw(w, 3),
	};

	job.deadline_s = w->now_s + job.estimate_s * factors[draw(w, 8)];
	job.where = draw_where(w, job.nprocs);
	return job;
}

static uint64_t *room(struct world *w)
{
	for (int i = 0; i < MOST_JOBS; i++)
		if (!libra_engine_job(w->e, w->tickets[i]))
			return &w->tickets[i];
	return NULL;
}

static uint64_t any_job(struct world *w)
{
	uint32_t first = draw(w, MOST_JOBS);

	for (uint32_t i = 0; i < MOST_JOBS; i++) {
		uint64_t ticket = w->tickets[(first + i) % MOST_JOBS];

		if (libra_engine_job(w->e, ticket))
			return ticket;
	}
	return 0;
}

/* ---- calls ---- */

static void act(struct world *w)
{
	struct libra_action action;

	while (libra_engine_next_action(w->e, &action))
		if (action.kind == LIBRA_ACTION_START && draw(w, 8))
			libra_engine_started(w->e, action.ticket, w->now_s);
}

static void offer(struct world *w)
{
	struct libra_job job = draw_job(w);
	uint64_t *at = room(w);
	struct libra_verdict v;

	if (!at)
		return;
	if (!w->policy->needs_deadline && draw(w, 8) == 0)
		job.deadline_s = INFINITY;
	v = host_offer(w->e, job, w->now_s);
	if (v.answer == LIBRA_REJECT)
		return;
	*at = v.ticket;
	if (draw(w, 8))
		libra_engine_commit(w->e, v.ticket, 1, w->now_s);
	if (draw(w, 2))
		act(w);
}

/* As after a restart: a job that may be over its estimate and its deadline. */
static void restore(struct world *w)
{
	struct libra_job job = draw_job(w);
	struct libra_part part = {.procs = {draw(w, w->nprocs), 0}};
	uint64_t *at = room(w);

	part.procs.count = 1 + draw(w, w->nprocs - part.procs.first);
	part.est_left_s = (double)draw(w, 16) - 6;
	job.nprocs = part.procs.count;
	job.where = NULL;
	if (draw(w, 3) == 0)
		job.deadline_s = w->now_s - draw(w, 20);
	if (at)
		libra_engine_restore(w->e, &job, &part, 1, true, w->now_s, at,
				     NULL);
}

static void set_outages(struct world *w)
{
	struct libra_outage list[MOST_NODES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		if (draw(w, 2))
			continue;
		list[n].node = i;
		list[n].from_s = w->now_s + draw(w, 24) - 8;
		list[n].to_s =
			draw(w, 8) ? list[n].from_s + duration(w) : INFINITY;
		n++;
	}
	libra_engine_outages(w->e, list, n, w->now_s, NULL);
}

static void set_clock(struct world *w)
{
	double to_s = w->now_s + (draw(w, 2) ? -duration(w) : duration(w));

	if (libra_engine_clock(w->e, w->now_s, to_s) == 0)
		w->now_s = to_s;
}

static void pass(struct world *w)
{
	w->now_s += duration(w) / (1 << draw(w, 3));
	if (draw(w, 8) == 0)
		w->now_s -= draw(w, 4); /* a clock that nobody reports */
	if (draw(w, 4))
		libra_engine_schedule(w->e, w->now_s);
	act(w);
}

static void call(struct world *w)
{
	static const enum libra_node_state states[] = {
		LIBRA_NODE_UP, LIBRA_NODE_UP, LIBRA_NODE_DRAIN,
		LIBRA_NODE_DOWN};

	switch (draw(w, 20)) {
	case 0:
		libra_engine_departed(w->e, any_job(w), w->now_s);
		break;
	case 1:
		libra_engine_withdraw(w->e, any_job(w), w->now_s);
		break;
	case 2:
		libra_engine_node(w->e, draw(w, w->conf.nnodes),
				  states[draw(w, 4)], w->now_s);
		break;
	case 3:
		set_outages(w);
		break;
	case 4:
		set_clock(w);
		break;
	case 5:
		libra_engine_suspend(w->e, any_job(w), draw(w, 3) > 0,
				     w->now_s);
		break;
	case 6:
		libra_engine_progress(w->e, any_job(w), draw(w, 20), w->now_s);
		break;
	case 7:
		libra_engine_reestimate(w->e, any_job(w), duration(w),
					w->now_s);
		break;
	case 8:
		restore(w);
		break;
	case 9:
		libra_engine_compress(w->e, w->now_s, 1 + draw(w, 200));
		break;
	case 10:
	case 11:
	case 12:
	case 13:
		pass(w);
		break;
	default:
		offer(w);
	}
}

/* ---- queries ---- */

/* Offer njobs equal jobs one after the other; withdraw them, or keep them if
 * asked to.
 * Result: true if all are accepted with a guarantee.
 */
static bool accepts(struct world *w, const struct libra_job *job,
		    uint32_t njobs, bool keep)
{
	uint64_t tickets[3];
	uint32_t n = 0;
	bool good = true;

	while (n < njobs && good) {
		struct libra_verdict v = host_offer(w->e, *job, w->now_s);

		good = v.answer != LIBRA_REJECT;
		if (good)
			tickets[n++] = v.ticket;
		good = good && (v.late_s == 0 || w->may_be_late);
	}
	for (uint32_t i = n; i-- > 0;) {
		uint64_t *at = keep ? room(w) : NULL;

		if (at &&
		    libra_engine_commit(w->e, tickets[i], 1, w->now_s) == 0)
			*at = tickets[i];
		else
			libra_engine_withdraw(w->e, tickets[i], w->now_s);
	}
	return good;
}

/* A policy learns from each offer: one check of one answer. */
static void query(struct world *w)
{
	struct libra_job job = draw_job(w);
	bool tries = w->policy->mode != LIBRA_SPACE || w->policy->plans;
	uint32_t njobs = !tries || w->policy->needs_budget || draw(w, 3)
				 ? 1
				 : 2 + draw(w, 2);
	double at_s =
		libra_engine_earliest_together(w->e, &job, njobs, w->now_s);
	double rel_s =
		libra_engine_advise(w->e, &job, njobs, at_s, 1, w->now_s);
	bool nearer = libra_engine_earliest_is_exact(w->e, njobs) &&
		      !w->may_be_late && draw(w, 4) == 0;

	if (!isfinite(at_s))
		return;
	assert_true(at_s >= w->now_s + job.estimate_s * (1 - 1e-9));
	assert_false(w->now_s + rel_s < at_s);
	job.deadline_s = at_s;
	if (nearer)
		job.deadline_s -= (at_s - w->now_s) * 1e-5;
	else if (isfinite(rel_s) && draw(w, 2))
		job.deadline_s = w->now_s + rel_s;
	assert_int_equal(accepts(w, &job, njobs, draw(w, 2)), !nearer);
	w->named += !nearer;
	w->nearer += nearer;
}

static void check_policy(const struct libra_policy_type *policy, uint64_t n)
{
	struct world w = {.policy = policy};

	for (uint64_t seed = 1; seed <= n; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < CALLS; i++) {
			call(&w);
			if (draw(&w, 2))
				query(&w);
		}
		libra_engine_destroy(w.e);
	}
	print_message("%s: %u deadlines named, %u tried nearer\n", policy->name,
		      (unsigned)w.named, (unsigned)w.nearer);
	assert_true(w.named > n);
}

/* Random-reject draws at the offer: it promises nothing. */
static void a_named_deadline_is_accepted(void **state)
{
	const char *text = getenv("LIBRA_EARLIEST_SEQUENCES");
	uint64_t n = text ? strtoull(text, NULL, 10) : SEQUENCES;

	for (int i = 0; libra_policies[i]; i++)
		if (strcmp(libra_policies[i]->name, "random-reject") != 0)
			check_policy(libra_policies[i], n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_named_deadline_is_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
