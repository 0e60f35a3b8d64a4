/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_skips.c - what a search need not read (core/space/peaks.h and steady.h)
 * changes no result.
 *
 * Many nodes, on which jobs with memory and GPUs start now or later, end early,
 * are cancelled and overrun.  At random instants equal jobs look for nodes with
 * and without the peaks and the steady nodes.
 */
#include <math.h>

#include "core/engine_impl.h"
#include "core/space/nodes.h"
#include "core/space/planned.h"
#include "tests/random.h"
#include "tests/unit/test.h"

#define WORLDS 4
#define STEPS  300
#define NODES  (LIBRA_PEAKS_LEAST + 30)

enum { MEMORY, GPUS, KINDS };

struct world {
	struct libra_engine *e;
	uint64_t random, tickets[STEPS];
	uint32_t ntickets;
	double now_s;
	int found, none, ended_early;
	struct libra_range allowed;
	uint64_t per_chunk[KINDS], per_node[KINDS];
	struct libra_where where;
	struct libra_job job;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_world(struct world *w, uint64_t seed)
{
	static uint32_t node_procs[NODES];
	static uint64_t resources[NODES * KINDS];
	const struct libra_policy_type *p = libra_policy_find("planned", NULL);
	double params[16];
	struct libra_engine_conf conf = {
		.policy = p,
		.params = params,
		.node_procs = node_procs,
		.nnodes = NODES,
		.offer_ttl_s = INFINITY,
		.by_node = true,
		.compress_later = seed % 2,
		.nresources = KINDS,
		.node_resources = resources,
	};

	*w = (struct world){.random = seed * 0x9e3779b97f4a7c15 + 1};
	w->now_s = draw(w, 2) * 1e9;
	for (uint32_t i = 0; i < NODES; i++) {
		node_procs[i] = i % 50 == 0 ? 300 : 4 + draw(w, 2) * 4;
		resources[i * KINDS + MEMORY] = 16 + draw(w, 2) * 16;
		resources[i * KINDS + GPUS] = i % 3 == 0 ? 2 : 0;
	}
	for (size_t i = 0; i < p->nparams; i++)
		params[i] = p->params[i].value;
	w->e = libra_engine_create(&conf, NULL);
	assert_non_null(w->e);
}

static void draw_job(struct world *w)
{
	w->where = (struct libra_where){.chunk = 1 + draw(w, 3),
					.per_chunk = w->per_chunk,
					.per_node = w->per_node};
	w->where.node_max = draw(w, 4) ? 0 : 2 * w->where.chunk;
	w->where.max_nodes = draw(w, 3) ? 0 : 1 + draw(w, 3);
	w->where.min_nodes = draw(w, 5) ? 0 : 1 + draw(w, 2);
	if (w->where.max_nodes > 0 && w->where.min_nodes > w->where.max_nodes)
		w->where.min_nodes = w->where.max_nodes;
	if (draw(w, 5) == 0) {
		w->allowed = (struct libra_range){
			draw(w, 500), 500 + draw(w, w->e->nprocs - 1000)};
		w->where.allowed = &w->allowed;
		w->where.nallowed = 1;
	}
	w->per_chunk[MEMORY] = draw(w, 2) * draw(w, 6);
	w->per_chunk[GPUS] = 0;
	w->per_node[MEMORY] = draw(w, 2) * draw(w, 8);
	w->per_node[GPUS] = draw(w, 4) ? 0 : draw(w, 3);
	w->job = (struct libra_job){
		.submit_s = w->now_s,
		.estimate_s = floor(exp(random_between(&w->random, 3, 13))),
		.nprocs = w->where.chunk *
			  (1 + draw(w, draw(w, 4) ? 6 : NODES / 2)),
		.where = &w->where,
	};
}

static void look_for_jobs(struct world *w)
{
	struct libra_action action;

	libra_engine_schedule(w->e, w->now_s);
	while (libra_engine_next_action(w->e, &action))
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(w->e, action.ticket, w->now_s);
}

static void live(struct world *w)
{
	struct libra_verdict v;

	w->now_s += draw(w, 20) ? draw(w, 1200) : draw(w, 100000);
	if (draw(w, 3) == 0 && w->ntickets > 0) {
		uint32_t i = draw(w, w->ntickets);

		if (libra_engine_departed(w->e, w->tickets[i], w->now_s) < 0)
			libra_engine_withdraw(w->e, w->tickets[i], w->now_s);
		w->tickets[i] = w->tickets[--w->ntickets];
	}
	draw_job(w);
	w->job.deadline_s =
		w->now_s + 2 * w->job.estimate_s + draw(w, 2) * draw(w, 300000);
	if (libra_engine_offer(w->e, &w->job, w->now_s, &v, NULL) < 0)
		fail_msg("no offer");
	if (v.answer == LIBRA_ACCEPT) {
		libra_engine_commit(w->e, v.ticket, 1, w->now_s);
		w->tickets[w->ntickets++] = v.ticket;
	}
	look_for_jobs(w);
}

/* Fail unless two lists have the same nodes and amounts. */
static void assert_equal(const struct libra_nodes *r, uint32_t a, uint32_t b)
{
	for (; a != LIBRA_NO_SPAN && b != LIBRA_NO_SPAN;
	     a = r->spans[a].next, b = r->spans[b].next) {
		assert_int_equal(r->spans[a].node, r->spans[b].node);
		assert_memory_equal(libra_span_amounts(r, a),
				    libra_span_amounts(r, b),
				    r->width * sizeof(int64_t));
	}
	assert_int_equal(a, LIBRA_NO_SPAN);
	assert_int_equal(b, LIBRA_NO_SPAN);
}

/* Return what libra_nodes_fit() finds if it reads all lanes. */
static uint32_t fit_slowly(struct world *w,
			   const struct libra_reservation *plan, double start_s)
{
	struct libra_lanes *lanes = &libra_planned_state(w->e)->nodes->now;
	uint32_t nranges = lanes->peaks.nranges, spans, i;

	lanes->peaks.nranges = 0;
	for (i = 0; i < NODES; i++)
		libra_steady_forget(&lanes->steady, i);
	spans = libra_nodes_fit(w->e, lanes, plan, start_s);
	lanes->peaks.nranges = nranges;
	for (i = 0; i * LIBRA_STEADY_READS < NODES; i++)
		libra_lanes_find_steady(w->e, lanes);
	return spans;
}

/* A search forward, and a look at each of its starts. */
static void compare(struct world *w)
{
	struct libra_nodes *r = libra_planned_state(w->e)->nodes;
	struct libra_reservation plan = {.shape = w->e->nslots};
	double start_s = w->now_s;
	uint32_t fast, slow, later;

	draw_job(w);
	libra_nodes_shape(w->e, w->e->nslots, &w->where);
	plan.nprocs = w->job.nprocs;
	plan.duration_s = w->job.estimate_s;
	for (int i = 0; i < 8; i++) {
		fast = libra_nodes_fit(w->e, &r->now, &plan, start_s);
		slow = fit_slowly(w, &plan, start_s);
		if (i == 0)
			libra_nodes_search(w->e);
		later = libra_nodes_fit_later(w->e, &r->now, &plan, start_s);
		assert_equal(r, fast, slow);
		assert_equal(r, later, slow);
		w->found += slow != LIBRA_NO_SPAN;
		w->none += slow == LIBRA_NO_SPAN;
		libra_spans_free(r, &fast);
		libra_spans_free(r, &slow);
		libra_spans_free(r, &later);
		start_s += draw(w, 3) ? draw(w, 700) : draw(w, 90000);
	}
}

static void test_worlds(void **state)
{
	static struct world w;
	int found = 0, none = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++) {
			live(&w);
			if (libra_nodes_are_named(libra_planned_state(w.e)))
				compare(&w);
		}
		found += w.found;
		none += w.none;
		libra_engine_destroy(w.e);
	}
	assert_true(found > WORLDS * STEPS);
	assert_true(none > WORLDS * STEPS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
