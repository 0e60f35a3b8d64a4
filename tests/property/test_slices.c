/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_slices.c - reservations that move earlier in slices.
 *
 * Two engines of planned get the same random calls.  One compresses at once,
 * the other in libra_engine_compress(), with budgets of one step and more.
 * Without nodes both give each job the same start, and so they do where nodes
 * have a processor each until a job asks for certain nodes.  On nodes a slice
 * must keep every promise, and move no start later.  In both, no end and no
 * cancellation moves a reservation before the next slice.
 */
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORLDS 400
#define STEPS  120
#define JOBS   64
#define NNODES 6
#define PROCS  4
#define MOST   (NNODES * PROCS)

enum { AT_ONCE, LATER };

struct world {
	uint64_t random;
	struct libra_engine *e[2];
	double now_s;
	bool by_node; /* starts may differ */
	bool ones, asks;
	uint64_t tickets[JOBS][2]; /* 0 = free */
	double latest_s[JOBS];
	struct libra_range allowed[JOBS];
	uint32_t nprocs[JOBS];
	size_t moved;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_world(struct world *w, uint64_t seed)
{
	uint32_t procs[MOST];
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("planned", NULL),
		.node_procs = procs,
		.offer_ttl_s = INFINITY,
	};

	*w = (struct world){.random = seed * 0x9e3779b97f4a7c15 + 1};
	conf.by_node = draw(w, 2);
	w->ones = draw(w, 2);
	w->by_node = conf.by_node && !w->ones;
	conf.nnodes = w->ones ? MOST : NNODES;
	for (uint32_t i = 0; i < conf.nnodes; i++)
		procs[i] = w->ones ? 1 : PROCS;
	w->asks = conf.by_node && draw(w, 2);
	for (int i = AT_ONCE; i <= LATER; i++) {
		conf.compress_later = i == LATER;
		w->e[i] = host_engine_with(
			conf, "machine_reserve=0 hold_back=0 pull_hold_back=0 "
			      "margin=4");
	}
}

static double start_of(const struct world *w, int which, int job)
{
	return libra_engine_planned_start(w->e[which], w->tickets[job][which]);
}

/* Move reservations by slices; none may start later than before. */
static void compress(struct world *w)
{
	struct libra_engine *e = w->e[LATER];
	double before[JOBS];
	bool more = true;

	while (more && libra_engine_can_compress(e)) {
		for (int i = 0; i < JOBS; i++)
			before[i] = w->tickets[i][LATER] ? start_of(w, LATER, i)
							 : 0;
		more = libra_engine_compress(e, w->now_s, 1 + draw(w, 60));
		for (int i = 0; i < JOBS; i++) {
			if (!w->tickets[i][LATER])
				continue;
			assert_true(start_of(w, LATER, i) <= before[i]);
			w->moved += start_of(w, LATER, i) < before[i];
		}
	}
	assert_false(libra_engine_can_compress(e));
}

static void start_all(struct world *w)
{
	for (int i = AT_ONCE; i <= LATER; i++)
		host_pass(w->e[i], w->now_s);
}

static void submit(struct world *w, int at)
{
	struct libra_job job = host_job(w->now_s, 1 + draw(w, 400), 0,
					1 + draw(w, NNODES * PROCS / 2));
	const struct libra_range allowed = {PROCS * draw(w, NNODES / 2),
					    MOST / 2};
	const struct libra_where where = {.allowed = &allowed, .nallowed = 1};
	struct libra_verdict v[2];

	job.deadline_s = w->now_s + job.estimate_s + 5 + draw(w, 2000);
	if (w->asks && draw(w, 60) == 0) {
		job.where = &where;
		w->by_node = true;
	}
	w->nprocs[at] = job.nprocs;
	w->allowed[at] = job.where ? allowed : (struct libra_range){0, MOST};
	for (int i = AT_ONCE; i <= LATER; i++)
		v[i] = host_offer(w->e[i], job, w->now_s);
	if (!w->by_node)
		assert_int_equal(v[AT_ONCE].answer, v[LATER].answer);
	for (int i = AT_ONCE; i <= LATER; i++) {
		if (v[i].answer != LIBRA_ACCEPT)
			continue;
		libra_engine_commit(w->e[i], v[i].ticket, 1, w->now_s);
		w->tickets[at][i] = v[i].ticket;
	}
	w->latest_s[at] = job.deadline_s - job.estimate_s;
}

/* A job that runs ends, one that waits is cancelled; the others wait on. */
static void end(struct world *w, int at)
{
	double before[JOBS];

	for (int i = 0; i < JOBS; i++)
		before[i] = w->tickets[i][LATER] ? start_of(w, LATER, i) : 0;
	for (int i = AT_ONCE; i <= LATER; i++)
		if (w->tickets[at][i] &&
		    libra_engine_departed(w->e[i], w->tickets[at][i],
					  w->now_s) < 0)
			libra_engine_withdraw(w->e[i], w->tickets[at][i],
					      w->now_s);
	w->tickets[at][AT_ONCE] = w->tickets[at][LATER] = 0;
	for (int i = 0; i < JOBS; i++)
		if (w->tickets[i][LATER])
			assert_near(start_of(w, LATER, i), before[i], 0);
}

/* A job that runs has as many processors as it asked for, all of them allowed.
 */
static void assert_allowed(const struct world *w, int job)
{
	struct libra_range at[MOST], allowed = w->allowed[job];
	int64_t n = libra_engine_placement(w->e[LATER], w->tickets[job][LATER],
					   at, MOST);
	uint32_t has = 0;
	double rate;

	for (int64_t i = 0; i < n; i++)
		has += at[i].count;
	libra_engine_left_s(w->e[LATER], w->tickets[job][LATER], w->now_s,
			    &rate);
	if (rate > 0)
		assert_int_equal(has, w->nprocs[job]);
	for (int64_t i = 0; i < n; i++)
		assert_true(at[i].first >= allowed.first &&
			    at[i].first + at[i].count <=
				    allowed.first + allowed.count);
}

static void compare(const struct world *w)
{
	for (int i = 0; i < JOBS; i++) {
		if (!w->tickets[i][LATER])
			continue;
		assert_allowed(w, i);
		assert_true(start_of(w, LATER, i) <= w->latest_s[i]);
		if (!w->by_node)
			assert_near(start_of(w, LATER, i),
				    start_of(w, AT_ONCE, i), 0);
	}
}

/* Jobs end before their estimates, so that no promise may break. */
static void step(struct world *w)
{
	int at = (int)draw(w, JOBS);

	w->now_s += draw(w, 20) / 4.;
	if (draw(w, 3) == 0)
		w->now_s = fmin(libra_engine_next_event_s(w->e[LATER]),
				w->now_s + 30);
	start_all(w);
	for (int i = 0; i < JOBS; i++)
		if (w->tickets[i][LATER] &&
		    libra_engine_left_s(w->e[LATER], w->tickets[i][LATER],
					w->now_s, NULL) <= 35)
			end(w, i);
	compress(w);
	start_all(w);
	if (w->tickets[at][AT_ONCE] || w->tickets[at][LATER])
		end(w, at);
	else
		submit(w, at);
	compress(w);
	start_all(w);
	compare(w);
}

static void test_slices(void **state)
{
	size_t moved[2] = {0};
	struct world w;

	(void)state;
	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		moved[w.by_node] += w.moved;
		libra_engine_destroy(w.e[AT_ONCE]);
		libra_engine_destroy(w.e[LATER]);
	}
	assert_true(moved[0] > 1000 && moved[1] > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slices)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
