/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_places.c - where band puts a job, against its rule taken by the letter
 * (band_rule.h).
 *
 * Both must choose the same processors, on random machines with random promises
 * on them.  All numbers are multiples of 1/64 s, so that sums are exact and
 * equal costs are equal.
 */
#include "core/engine_impl.h"
#include "core/gang/ops.h"
#include "tests/property/band_rule.h"
#include "tests/random.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define WORLDS 2000
#define STEPS  40

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

/* In some worlds few numbers, so that many are equal. */
static double draw_s(struct world *w, uint32_t most_s)
{
	if (w->coarse)
		return 1 + draw(w, 1 + most_s / 10);
	return (1 + draw(w, most_s * 64)) / 64.;
}

static void open_world(struct world *w, uint64_t seed)
{
	const struct libra_policy_type *p = libra_policy_find("band", NULL);
	struct libra_engine_conf conf = {
		.policy = p,
		.node_procs = w->node_procs,
		.offer_ttl_s = INFINITY,
	};
	uint32_t largest;
	char set[256];

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->nnodes = 1 + draw(w, MOST_NODES);
	largest = 1 + draw(w, draw(w, 2) ? 4 : 24);
	for (uint32_t i = 0; i < w->nnodes; i++) {
		w->node_procs[i] = 1 + draw(w, largest);
		w->first[i + 1] = w->first[i] + w->node_procs[i];
	}
	w->nprocs = w->first[w->nnodes];
	w->max_jobs = draw(w, 5) ? 0 : 1 + draw(w, 4);
	w->residents = draw(w, 5) ? 0 : 1 + draw(w, 4);
	w->finishes = draw(w, 4) > 0;
	w->neighbours = draw(w, 8) > 0;
	w->align = draw(w, 4) > 0;
	w->spread = draw(w, 4) > 0;
	w->guaranteed = draw(w, 4) == 0;
	w->reserve = draw(w, 3) == 0;
	w->small = 1 + draw(w, 6);
	w->coarse = draw(w, 4) == 0;
	snprintf(
		set, sizeof(set),
		"reserve=%d machine_reserve=0 overrun=0 residents=%u "
		"finishes=%d neighbours=%d align=%d spread=%d guaranteed_only=%d",
		w->reserve, w->residents, w->finishes, w->neighbours, w->align,
		w->spread, w->guaranteed);
	conf.nnodes = w->nnodes;
	conf.max_jobs = w->max_jobs;
	w->e = host_engine_with(conf, set);
	if (!w->neighbours)
		w->finishes = false;
	/* In some worlds few make a crowd. */
	w->listed = seed % 3 ? MOST_JOBS : (uint32_t)(seed / 3 % 5);
	libra_gang_state(w->e)->gang.listed = w->listed;
}

static void draw_where(struct world *w)
{
	struct ask *a = &w->ask;
	uint32_t n = w->nprocs;

	a->where = (struct libra_where){0};
	a->job.where = &a->where;
	if (draw(w, 3) == 0) {
		uint32_t first = draw(w, n), count = 1 + draw(w, n - first);
		uint32_t from = first + count;

		a->allowed[0] = (struct libra_range){first, count};
		a->where.allowed = a->allowed;
		a->where.nallowed = 1;
		if (from + 1 < n) {
			from += 1 + draw(w, n - from - 1);
			a->allowed[1] = (struct libra_range){
				from, 1 + draw(w, n - from)};
			a->where.nallowed = 2;
		}
	}
	if (draw(w, 3) == 0) {
		a->where.chunk = draw(w, smaller(4, n / a->job.nprocs + 1));
		a->job.nprocs *= larger(a->where.chunk, 1);
	}
	if (draw(w, 4) == 0)
		a->where.node_max = 1 + draw(w, 6);
	if (draw(w, 4) == 0)
		a->where.min_nodes = draw(w, 4);
	if (draw(w, 2) == 0)
		a->where.max_nodes = larger(a->where.min_nodes, 1) + draw(w, 2);
}

/* ---- the reserve ---- */

static double phi(const struct world *w, const struct libra_job *job)
{
	double work_s = job->nprocs * job->estimate_s;

	if (!w->reserve || w->noffers == 0)
		return 1;
	return 1 + fmin(4, 5 * w->rho) * fmin(4, work_s / w->mean_work_s);
}

static void learn(struct world *w, const struct libra_job *job, bool accepted)
{
	double work_s = job->nprocs * job->estimate_s;

	if (w->noffers > 0 && work_s <= w->mean_work_s)
		w->rho += 0.01 * (!accepted - w->rho);
	w->noffers++;
	w->mean_work_s += (work_s - w->mean_work_s) / w->noffers;
}

static void draw_ask(struct world *w)
{
	struct ask *a = &w->ask;
	double most = w->nprocs - 1, size = random_unit(&w->random), left_s;

	memset(a, 0, sizeof(*a));
	left_s = draw_s(w, draw(w, 4) ? 400 : 40);
	a->job = (struct libra_job){
		.submit_s = w->now_s,
		.estimate_s = draw_s(w, draw(w, 3) ? 40 : 400),
		.deadline_s = w->now_s + left_s,
		.nprocs = 1 + (uint32_t)(pow(size, w->small) * most),
	};
	if (draw(w, 10) == 0)
		a->job.nprocs = 1 + draw(w, w->nprocs);
	if (w->njobs > 0 && draw(w, 6) == 0)
		a->job.deadline_s =
			fmax(w->now_s + 1,
			     w->jobs[draw(w, (uint32_t)w->njobs)].deadline_s);
	if (draw(w, 3) == 0)
		draw_where(w);
	left_s = a->job.deadline_s - w->now_s;
	a->need_s = fmin(a->job.estimate_s, left_s);
	a->need_s = fmin(phi(w, &a->job) * a->need_s, fmax(a->need_s, left_s));
	a->budget_s = left_s - a->need_s;
	a->later_cost = w->spread ? a->need_s : 0;
}

/* ---- life ---- */

static void add(struct world *w, uint64_t ticket, const struct libra_job *job,
		double left_s, const bool *set)
{
	struct member *m = &w->jobs[w->njobs++];

	memset(m, 0, sizeof(*m));
	m->ticket = ticket;
	m->deadline_s = job->deadline_s;
	m->left_s = left_s;
	memcpy(m->on, set, sizeof(m->on));
	meet_all(w);
}

static void drop(struct world *w, int i)
{
	assert_int_equal(
		libra_engine_withdraw(w->e, w->jobs[i].ticket, w->now_s), 0);
	leave_all(w, i);
	memmove(&w->jobs[i], &w->jobs[i + 1],
		(size_t)(--w->njobs - i) * sizeof(w->jobs[0]));
}

static bool is_at(const struct world *w, uint64_t ticket, const bool *set)
{
	struct libra_range at[MOST_PROCS];
	int64_t n = libra_engine_placement(w->e, ticket, at, MOST_PROCS);
	bool found[MOST_PROCS] = {false};

	for (int64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].count; k++)
			found[at[i].first + k] = true;
	return memcmp(found, set, sizeof(found)) == 0;
}

static void offer(struct world *w)
{
	struct ask *a = &w->ask;
	struct libra_verdict v;
	bool found, unclear = false;

	draw_ask(w);
	look_around(w);
	project(w);
	bar(w);
	found = (!w->guaranteed ||
		 a->job.estimate_s <= a->job.deadline_s - w->now_s) &&
		find_place(w, &unclear);
	v = host_offer(w->e, a->job, w->now_s);
	learn(w, &a->job, v.answer == LIBRA_ACCEPT);
	refused += !found;
	if (!unclear)
		assert_int_equal(v.answer == LIBRA_ACCEPT, found);
	if (v.answer != LIBRA_ACCEPT)
		return;
	if (unclear) {
		libra_engine_withdraw(w->e, v.ticket, w->now_s);
		return;
	}
	assert_true(is_at(w, v.ticket, a->set));
	add(w, v.ticket, &a->job, a->job.estimate_s, a->set);
	if (draw(w, 5) == 0 || w->njobs == MOST_JOBS)
		drop(w, w->njobs - 1);
}

/* A promise that no rule would have made, maybe late by now. */
static void restore(struct world *w)
{
	struct libra_part parts[3];
	struct libra_job job = {
		.submit_s = w->now_s,
		.estimate_s = draw_s(w, 100),
		.deadline_s = w->now_s + draw_s(w, 300) - 30,
	};
	double left_s = job.estimate_s - draw(w, 2) * job.estimate_s / 2;
	bool set[MOST_PROCS] = {false};
	uint32_t nparts = 0, most = 1 + draw(w, 3);
	uint64_t ticket;

	for (uint32_t p = draw(w, w->nprocs); p < w->nprocs && nparts < most;
	     p += 1 + draw(w, 6)) {
		uint32_t end = smaller(w->nprocs, p + 1 + draw(w, 10));

		parts[nparts++] =
			(struct libra_part){{p, end - p}, left_s, NULL};
		for (; p < end; p++, job.nprocs++)
			set[p] = true;
	}
	if (draw(w, 2))
		job.deadline_s = w->now_s + left_s + 1 + draw(w, 60);
	assert_int_equal(libra_engine_restore(w->e, &job, parts, nparts, false,
					      w->now_s, &ticket, NULL),
			 0);
	add(w, ticket, &job, left_s, set);
}

/* Would so many be accepted one after the other?  So they are, or not. */
static void try_several(struct world *w)
{
	const struct libra_policy_ops *ops = w->e->policy->ops;
	uint64_t tickets[4];
	uint32_t n = 1 + draw(w, 4), found = 0;
	struct libra_verdict v;
	bool would, is_sure;

	draw_ask(w);
	would = libra_engine_would_accept(w->e, &w->ask.job, n, w->now_s);
	is_sure = ops->search.surely_accepts(w->e, &w->ask.job, n);
	for (; found < n; found++) {
		v = host_offer(w->e, w->ask.job, w->now_s);
		learn(w, &w->ask.job, v.answer == LIBRA_ACCEPT);
		if (v.answer != LIBRA_ACCEPT)
			break;
		tickets[found] = v.ticket;
	}
	assert_int_equal(would, found == n);
	assert_true(would || !is_sure);
	several += would && n > 1;
	sure += is_sure && n > 1;
	while (found-- > 0)
		libra_engine_withdraw(w->e, tickets[found], w->now_s);
}

/* What those before it have left; late: and those that are not late. */
static double held_s(const struct world *w, int i, bool late)
{
	double sum_s = 0;

	for (int k = 0; k < w->njobs; k++) {
		const struct member *m = &w->jobs[k];
		bool before = comes_before(w, k, i);

		if (k != i && w->near[i][k] &&
		    (m->late ? late && before : late || before))
			sum_s += fmax(m->left_s, 0);
	}
	return sum_s;
}

/* When each has ended and starts at the latest, as a host may ask. */
static void ask_for_times(struct world *w)
{
	uint32_t nfree = 0;

	for (uint32_t i = 0; i < w->nnodes; i++)
		for (uint32_t p = w->first[i]; p < w->first[i + 1]; p++)
			nfree += !w->closed[i] && nbound(w, p) == 0;
	assert_int_equal(libra_engine_free_procs(w->e), nfree);
	look_around(w);
	project(w);
	for (int i = 0; i < w->njobs && w->finishes; i++) {
		const struct member *m = &w->jobs[i];
		double end_s = libra_engine_ends_by(w->e, m->ticket);
		double start_s = libra_engine_starts_by(w->e, m->ticket);
		double held = held_s(w, i, m->late);

		if (!m->late && keeps(m, w->now_s + m->left_s)) {
			assert_near(end_s, m->finish_s, 0);
			assert_near(start_s, end_s - m->left_s, 0);
			continue;
		}
		if (!m->late && w->now_s + held > m->deadline_s)
			held = held_s(w, i, true);
		assert_true(isnan(end_s));
		assert_near(start_s, w->now_s + held, 0);
	}
}

static void step(struct world *w)
{
	uint32_t node = draw(w, w->nnodes);

	if (draw(w, 3) == 0)
		w->now_s += draw_s(w, 40);
	if (w->njobs > 0 && (w->njobs == MOST_JOBS - 1 || draw(w, 6) == 0))
		drop(w, (int)draw(w, (uint32_t)w->njobs));
	if (draw(w, 6) == 0) {
		restore(w);
	} else if (draw(w, 12) == 0) {
		w->closed[node] = !w->closed[node];
		assert_int_equal(libra_engine_node(w->e, node,
						   w->closed[node]
							   ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
						   w->now_s),
				 0);
	} else if (draw(w, 8) == 0) {
		try_several(w);
	} else {
		offer(w);
		ask_for_times(w);
	}
}

static void the_place_is_that_of_the_rule(void **state)
{
	static struct world w;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		libra_engine_destroy(w.e);
	}
	assert_true(in_block > 10000 && singly > 5000 && shaped > 1000);
	assert_true(by_nodes > 500 && on_few > 20 && refused > 5000);
	assert_true(again > 100 && several > 500 && sure > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(the_place_is_that_of_the_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
