/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_arrays.c - equal jobs that ask one after the other get what they would
 * get with other questions in between, for less work.
 *
 * Two engines plan by node.  In both live the same jobs: tasks of arrays, ends,
 * cancellations, nodes that close and open.  One is asked for another job's
 * deadline before each task, so that it never goes on where its last search
 * ended.  Verdicts and planned starts are compared, and the steps of all
 * offers.
 */
#include "core/engine_impl.h"
#include "tests/random.h"
#include "tests/unit/host.h"

enum { WORLDS = 300, STEPS = 40, NODES = 6, PROCS = 8, MOST_JOBS = 600 };
enum { PLAIN, ASKED, SIDES };

struct item {
	uint64_t tickets[SIDES];
	bool runs;
};

struct world {
	struct libra_engine *e[SIDES];
	struct item jobs[MOST_JOBS];
	uint32_t n;
	bool closed[NODES];
	double now_s;
	uint64_t random;
	/* The kinds of jobs, few of them, so that equal ones come again. */
	struct libra_where where[3];
	uint64_t memory[3];
	struct libra_range allowed[2];
	uint32_t kind, width; /* of the last array */
	double estimate_s;
};

static int accepted, later;
static uint64_t work[SIDES];

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_world(struct world *w, uint64_t seed)
{
	static const uint32_t procs[NODES] = {8, 8, 4, 8, 2, 8};
	static const uint64_t memory[NODES] = {16, 8, 16, 32, 8, 16};

	*w = (struct world){.random = seed, .allowed = {{0, 20}, {8, 30}}};
	for (uint32_t i = 0; i < 3; i++) {
		w->memory[i] = draw(w, 4);
		w->where[i] = (struct libra_where){
			.chunk = 1 + draw(w, 3),
			.max_nodes = draw(w, 3),
			.per_chunk = &w->memory[i],
			.allowed = draw(w, 2) ? w->allowed : NULL,
			.nallowed = 1,
		};
	}
	/* Alike, but for the nodes. */
	w->where[1] = w->where[0];
	w->where[0].allowed = &w->allowed[0];
	w->where[1].allowed = &w->allowed[1];
	w->width = w->where[0].chunk;
	w->estimate_s = 20;
	for (int side = 0; side < SIDES; side++)
		w->e[side] = host_engine_with(
			(struct libra_engine_conf){
				.policy = libra_policy_find("planned", NULL),
				.node_procs = procs,
				.nnodes = NODES,
				.offer_ttl_s = INFINITY,
				.by_node = true,
				.compress_later = seed % 4 > 0,
				.nresources = 1,
				.node_resources = memory,
			},
			seed % 2 ? "machine_reserve=0"
				 : "machine_reserve=0 hold_back=0.1");
}

/* Obey both engines. */
static void pass(struct world *w)
{
	struct libra_action action;

	for (int side = 0; side < SIDES; side++) {
		libra_engine_schedule(w->e[side], w->now_s);
		while (libra_engine_next_action(w->e[side], &action)) {
			if (action.kind != LIBRA_ACTION_START)
				continue;
			libra_engine_started(w->e[side], action.ticket,
					     w->now_s);
			for (uint32_t i = 0; i < w->n; i++)
				if (w->jobs[i].tickets[side] == action.ticket)
					w->jobs[i].runs = true;
		}
	}
}

/* Two questions of which one is not for the job that asks next. */
static void ask_others(struct world *w)
{
	static const struct libra_where two = {.max_nodes = 1, .chunk = 2};
	struct libra_job job = host_job(w->now_s, 33, 1e5, 2);

	job.where = &two;
	libra_engine_earliest_deadline(w->e[ASKED], &job, w->now_s);
	job.estimate_s = 34;
	libra_engine_earliest_deadline(w->e[ASKED], &job, w->now_s);
}

static void submit_array(struct world *w)
{
	uint32_t tasks = 1 + draw(w, 12);
	struct libra_verdict v[SIDES];
	struct libra_job job;

	/* As the last one, or another kind, or of another width or time. */
	switch (draw(w, 9)) {
	case 0:
	case 1:
		w->kind = draw(w, 3);
		w->estimate_s = 10 + 10 * draw(w, 4);
		/* fallthrough */
	case 2:
		w->width = w->where[w->kind].chunk * (1 + draw(w, 3));
		break;
	case 3:
		w->estimate_s = 10 + 10 * draw(w, 4);
	}
	job = host_job(w->now_s, w->estimate_s, 50 + draw(w, 600), w->width);
	job.where = &w->where[w->kind];
	for (bool first = true; tasks-- > 0 && w->n < MOST_JOBS;
	     first = false) {
		ask_others(w);
		for (int side = 0; side < SIDES; side++) {
			work[side] -= first ? 0 : w->e[side]->work;
			v[side] = host_offer(w->e[side], job, w->now_s);
			work[side] += first ? 0 : w->e[side]->work;
		}
		assert_int_equal(v[PLAIN].answer, v[ASKED].answer);
		if (v[PLAIN].answer != LIBRA_ACCEPT)
			return;
		for (int side = 0; side < SIDES; side++) {
			w->jobs[w->n].tickets[side] = v[side].ticket;
			libra_engine_commit(w->e[side], v[side].ticket, 1,
					    w->now_s);
		}
		w->jobs[w->n++].runs = false;
		accepted++;
	}
}

static void leave(struct world *w, uint32_t i)
{
	for (int side = 0; side < SIDES; side++) {
		uint64_t ticket = w->jobs[i].tickets[side];

		if (w->jobs[i].runs)
			libra_engine_departed(w->e[side], ticket, w->now_s);
		else
			libra_engine_withdraw(w->e[side], ticket, w->now_s);
	}
	w->jobs[i] = w->jobs[--w->n];
}

static void turn_node(struct world *w)
{
	uint32_t node = draw(w, NODES);

	w->closed[node] = !w->closed[node];
	for (int side = 0; side < SIDES; side++)
		libra_engine_node(w->e[side], node,
				  w->closed[node] ? LIBRA_NODE_DRAIN
						  : LIBRA_NODE_UP,
				  w->now_s);
}

static void compare(struct world *w)
{
	for (uint32_t i = 0; i < w->n; i++) {
		double start_s[SIDES];

		for (int side = 0; side < SIDES; side++)
			start_s[side] = libra_engine_planned_start(
				w->e[side], w->jobs[i].tickets[side]);
		if (isnan(start_s[PLAIN])) {
			assert_true(isnan(start_s[ASKED]));
			continue;
		}
		assert_true(start_s[PLAIN] == start_s[ASKED]);
		later += start_s[PLAIN] > w->now_s;
	}
}

static void step(struct world *w)
{
	uint32_t what = draw(w, 12);

	if (draw(w, 3) == 0)
		w->now_s += draw(w, 15);
	if (what == 0)
		turn_node(w);
	else if (what < 5 && w->n > 0)
		leave(w, draw(w, w->n));
	else if (what == 5)
		for (int side = 0; side < SIDES; side++)
			libra_engine_compress(w->e[side], w->now_s, 200);
	else
		submit_array(w);
	if (draw(w, 2))
		pass(w);
	compare(w);
}

static void equal_jobs_in_a_row_get_what_others_get(void **state)
{
	static struct world w;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		for (int side = 0; side < SIDES; side++)
			libra_engine_destroy(w.e[side]);
	}
	assert_true(accepted > 3000 && later > 10000);
	assert_true(work[PLAIN] < work[ASKED]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_jobs_in_a_row_get_what_others_get),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
