/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_plans.c - random workloads under the policy planned, and a validator.
 *
 * A host of its own drives the engine, with changes, cancellations, jobs that
 * end early, ordinary jobs started by the engine or by the host, firm plans,
 * restarts and a clock that is set; in some worlds also with overruns and nodes
 * that close.  It keeps its own books: who has which processor, what was
 * promised to whom.
 *
 * Always: no processor has two jobs, none of a closed node is given out, nobody
 * starts later than the engine last said, and all starts come.
 * Without overruns, closed nodes and a clock set forward: nobody starts after
 * deadline - estimate - margin (a bet: after its offer) or, if firm or told for
 * good, after what it was told; the plans fit the machine at each instant;
 * nothing is said late.
 * With them: who could not keep its promise was told so before.
 */
#include <errno.h>

#include "tests/property/moves.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORLDS	   1000
#define MOST_JOBS  150
#define MOST_PROCS 32
#define MOST_NODES 4

enum kind { PROMISED, BET, ORDINARY, FIRM };
enum life { NONE, WAITS, STARTS, RUNS, ENDED };

struct item {
	struct libra_job job;
	uint64_t ticket;
	enum kind kind;
	enum life life;
	double runtime_s, decided_s, started_s;
	double told_s;	 /* the planned start, as first said */
	double latest_s; /* the latest start that was promised */
	bool late;	 /* the engine has said so */
	bool disturbed;	 /* nothing is promised any more */
};

struct world {
	struct libra_engine *e;
	struct libra_engine_conf conf;
	double params[16], margin_s, now_s;
	uint32_t node_procs[MOST_NODES], nprocs;
	bool closed[MOST_NODES];
	int owner[MOST_PROCS]; /* item, or -1 */
	struct item items[MOST_JOBS + 1];
	int nitems;
	uint64_t random;
	bool loose; /* overruns, nodes that close */
	bool hard, host_starts;
	double shift_s; /* what a restart may move starts by: the margin */
	struct moves moves;
	int kept, late; /* to see that the test is of something */
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_world(struct world *w, uint64_t seed)
{
	const struct libra_policy_type *p = libra_policy_find("planned", NULL);

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->conf.policy = p;
	w->conf.params = w->params;
	w->conf.node_procs = w->node_procs;
	w->conf.nnodes = 1 + draw(w, MOST_NODES);
	w->conf.offer_ttl_s = INFINITY;
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		w->node_procs[i] = 1 + draw(w, 8);
		w->nprocs += w->node_procs[i];
	}
	for (size_t i = 0; i < p->nparams; i++)
		w->params[i] = p->params[i].value;
	w->loose = draw(w, 3) == 0;
	w->hard = draw(w, 4) == 0;
	*host_param(p, w->params, "hard_starts") = w->hard;
	w->host_starts = draw(w, 2);
	*host_param(p, w->params, "replan") = draw(w, 5) > 0;
	*host_param(p, w->params, "pull_forward") = draw(w, 2);
	*host_param(p, w->params, "pull_hold_back") = 20 * draw(w, 2);
	*host_param(p, w->params, "machine_reserve") = draw(w, 2);
	*host_param(p, w->params, "hold_back") = 25 * draw(w, 3);
	*host_param(p, w->params, "firm_age") = 20 + draw(w, 200);
	w->margin_s = *host_param(p, w->params, "margin") = draw(w, 2) * 4;
	w->e = libra_engine_create(&w->conf, NULL);
	assert_non_null(w->e);
	for (int i = 0; i < MOST_PROCS; i++)
		w->owner[i] = -1;
}

static struct item *item_of(struct world *w, uint64_t ticket)
{
	for (int i = 0; i < w->nitems; i++)
		if (w->items[i].ticket == ticket && w->items[i].life != ENDED)
			return &w->items[i];
	fail_msg("an action of no job");
	return NULL;
}

/* ---- the books ---- */

static bool is_closed(const struct world *w, uint32_t proc)
{
	uint32_t node = 0, first = 0;

	while (proc >= first + w->node_procs[node])
		first += w->node_procs[node++];
	return w->closed[node];
}

/* The engine's processors of a job are written down; they must be free. */
static void occupy(struct world *w, struct item *it, bool chosen)
{
	struct libra_range at[MOST_PROCS];
	int64_t n = libra_engine_placement(w->e, it->ticket, at, MOST_PROCS);
	uint32_t count = 0;

	for (int64_t i = 0; i < n; i++)
		for (uint32_t p = at[i].first; p < at[i].first + at[i].count;
		     p++, count++) {
			assert_int_equal(w->owner[p], -1);
			assert_false(chosen && is_closed(w, p));
			w->owner[p] = (int)(it - w->items);
		}
	assert_int_equal(count, it->job.nprocs);
}

static void vacate(struct world *w, const struct item *it)
{
	for (uint32_t p = 0; p < w->nprocs; p++)
		if (w->owner[p] == it - w->items)
			w->owner[p] = -1;
}

/* What a job was promised: the latest start. */
static void note_promise(struct world *w, struct item *it, double late_s)
{
	const struct libra_job *job = &it->job;

	it->told_s = libra_engine_planned_start(w->e, it->ticket);
	it->latest_s = job->deadline_s - job->estimate_s - w->margin_s;
	if (it->kind == PROMISED && late_s > 0)
		it->kind = BET;
	if (it->kind == BET || it->latest_s < w->now_s)
		it->latest_s = w->now_s;
	if (it->kind == FIRM || w->hard)
		it->latest_s = it->told_s;
	assert_true(it->told_s >= w->now_s);
	assert_true(it->told_s <= it->latest_s + 1e-6);
}

static bool is_planned(const struct item *it)
{
	return it->life == WAITS && it->kind != ORDINARY;
}

/* Processors that running and waiting jobs take at an instant, by the plans. */
static uint32_t planned_at(const struct world *w, double at_s)
{
	uint32_t n = 0;

	for (int i = 0; i < w->nitems; i++) {
		const struct item *it = &w->items[i];
		double from_s = it->decided_s;
		double to_s = it->decided_s + it->job.estimate_s + w->margin_s;

		if (it->life == RUNS &&
		    it->started_s + it->job.estimate_s > to_s)
			to_s = it->started_s + it->job.estimate_s;
		if (is_planned(it)) {
			from_s = libra_engine_planned_start(w->e, it->ticket);
			to_s = from_s + it->job.estimate_s + w->margin_s;
		} else if (it->life != STARTS && it->life != RUNS) {
			continue;
		}
		if (from_s <= at_s && at_s < to_s)
			n += it->job.nprocs;
	}
	return n;
}

static void look_at_moves(struct world *w)
{
	uint64_t tickets[MOST_JOBS + 1];
	int n = 0;

	for (int i = 0; i < w->nitems; i++)
		if (is_planned(&w->items[i]))
			tickets[n++] = w->items[i].ticket;
	moves_look(&w->moves, w->e, tickets, n);
}

static void validate(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		const struct item *it = &w->items[i];
		double start_s;

		if (!is_planned(it))
			continue;
		start_s = libra_engine_planned_start(w->e, it->ticket);
		assert_true(libra_engine_latest_start(w->e, it->ticket) >=
			    start_s - 1e-6);
		if (it->disturbed)
			continue;
		if (it->kind == PROMISED &&
		    start_s + it->job.estimate_s > it->job.deadline_s + 1e-6)
			assert_true(it->late);
		if (w->loose)
			continue;
		assert_true(start_s >= w->now_s);
		assert_true(start_s <= it->latest_s + w->shift_s + 1e-6);
		if (w->shift_s == 0)
			assert_true(planned_at(w, start_s) <= w->nprocs);
	}
}

/* ---- what happens ---- */

static void started(struct world *w, struct item *it)
{
	assert_int_equal(libra_engine_started(w->e, it->ticket, w->now_s), 0);
	it->life = RUNS;
	it->started_s = w->now_s;
}

static void carry_out(struct world *w)
{
	struct libra_action action;

	while (libra_engine_next_action(w->e, &action)) {
		struct item *it = item_of(w, action.ticket);

		if (action.kind == LIBRA_ACTION_LATE) {
			assert_true(w->loose);
			assert_int_equal(it->kind, PROMISED);
			assert_int_equal(it->life, WAITS);
			it->late = true;
			w->late++;
			continue;
		}
		assert_int_equal(action.kind, LIBRA_ACTION_START);
		assert_int_equal(it->life, WAITS);
		assert_false(it->kind == ORDINARY && w->host_starts);
		it->life = STARTS;
		it->decided_s = w->now_s;
		occupy(w, it, true);
		if (w->margin_s == 0)
			started(w, it);
		if (it->kind == ORDINARY || it->disturbed)
			continue;
		if (it->kind == PROMISED && !it->late && !w->loose)
			w->kept++;
		if (!w->loose)
			assert_true(w->now_s <=
				    it->latest_s + w->shift_s + 1e-6);
		else if (it->kind == PROMISED && !w->hard)
			assert_true(it->late ||
				    w->now_s + it->job.estimate_s <=
					    it->job.deadline_s + 1e-6);
	}
}

static void offer(struct world *w)
{
	struct item *it = &w->items[w->nitems];
	struct libra_verdict v;
	uint32_t estimate_s = 1 + draw(w, 60);

	if (w->nitems == MOST_JOBS)
		return;
	*it = (struct item){.kind = draw(w, 4) ? PROMISED : ORDINARY};
	it->job = (struct libra_job){
		.submit_s = w->now_s,
		.estimate_s = estimate_s,
		.deadline_s = it->kind == ORDINARY ? INFINITY
						   : w->now_s + estimate_s / 2 +
							     draw(w, 200),
		.nprocs = 1 + draw(w, w->nprocs),
	};
	it->runtime_s = 1 + draw(w, estimate_s * (w->loose ? 2 : 1));
	if (!w->loose && it->runtime_s > estimate_s)
		it->runtime_s = estimate_s;
	if (it->kind == ORDINARY && w->host_starts) {
		if (draw(w, 2))
			return;
		it->kind = FIRM;
		assert_int_equal(libra_engine_plan_ordinary(w->e, &it->job,
							    w->now_s, &v, NULL),
				 0);
	} else {
		assert_int_equal(
			libra_engine_offer(w->e, &it->job, w->now_s, &v, NULL),
			0);
	}
	if (v.answer == LIBRA_REJECT)
		return;
	assert_int_equal(v.answer,
			 it->kind == ORDINARY ? LIBRA_QUEUE : LIBRA_ACCEPT);
	it->ticket = v.ticket;
	it->life = WAITS;
	w->nitems++;
	if (it->kind != ORDINARY)
		note_promise(w, it, v.late_s);
	if (draw(w, 15) == 0) {
		assert_int_equal(
			libra_engine_withdraw(w->e, v.ticket, w->now_s), 0);
		it->life = ENDED;
		return;
	}
	assert_int_equal(libra_engine_commit(w->e, v.ticket, 7, w->now_s), 0);
}

/* The host starts an ordinary job on processors of its choice. */
static void start_ordinary(struct world *w)
{
	struct item *it = &w->items[w->nitems];
	struct libra_part parts[MOST_PROCS];
	uint32_t n = 0, free = 0;

	*it = (struct item){.kind = ORDINARY, .life = RUNS};
	for (uint32_t p = 0; p < w->nprocs; p++)
		free += w->owner[p] < 0 && !is_closed(w, p);
	if (free == 0 || w->nitems == MOST_JOBS)
		return;
	it->job = (struct libra_job){.submit_s = w->now_s,
				     .estimate_s = 1 + draw(w, 60),
				     .deadline_s = INFINITY,
				     .nprocs = 1 + draw(w, free)};
	it->runtime_s = 1 + draw(w, (uint32_t)it->job.estimate_s);
	if (!libra_engine_may_start(w->e, &it->job,
				    &(struct libra_start_query){0}, w->now_s))
		return;
	for (uint32_t p = 0; p < w->nprocs; p++)
		if (w->owner[p] < 0 && !is_closed(w, p) &&
		    free-- <= it->job.nprocs)
			parts[n++] = (struct libra_part){
				{p, 1}, it->job.estimate_s, NULL};
	assert_int_equal(libra_engine_restore(w->e, &it->job, parts, n, true,
					      w->now_s, &it->ticket, NULL),
			 0);
	it->started_s = it->decided_s = w->now_s;
	w->nitems++;
	occupy(w, it, true);
}

static void end(struct world *w, struct item *it)
{
	assert_int_equal(libra_engine_departed(w->e, it->ticket, w->now_s), 0);
	vacate(w, it);
	it->life = ENDED;
}

static void cancel(struct world *w, struct item *it)
{
	if (it->life == RUNS) {
		end(w, it);
	} else if (it->life == WAITS || it->life == STARTS) {
		assert_int_equal(
			libra_engine_withdraw(w->e, it->ticket, w->now_s), 0);
		vacate(w, it);
		it->life = ENDED;
	}
}

/* Another estimate and deadline: as promised, or nothing has changed. */
static void change(struct world *w, struct item *it)
{
	struct libra_job job = it->job;
	struct libra_verdict v;
	double start_s;

	libra_engine_may_start(w->e, &job, &(struct libra_start_query){0},
			       w->now_s); /* catches up */
	start_s = libra_engine_planned_start(w->e, it->ticket);
	if (it->kind == ORDINARY || it->kind == FIRM || it->life == ENDED)
		return;
	job.estimate_s = 1 + draw(w, 80);
	job.deadline_s = w->now_s + draw(w, 200);
	assert_int_equal(
		libra_engine_modify(w->e, it->ticket, &job, w->now_s, &v, NULL),
		0);
	if (v.answer == LIBRA_REJECT) {
		if (it->life == WAITS && !w->loose)
			assert_near(
				libra_engine_planned_start(w->e, it->ticket),
				start_s, 0);
		return;
	}
	it->job = job;
	it->kind = PROMISED;
	it->late = false;
	if (it->life == WAITS)
		note_promise(w, it, v.late_s);
	if (!w->loose)
		it->runtime_s = fmin(it->runtime_s, job.estimate_s);
	/* It may have run for longer than its new estimate. */
	if (it->life == RUNS && w->now_s - it->started_s >= it->runtime_s)
		end(w, it);
}

/* All that is promised goes into another engine. */
static void restart(struct world *w)
{
	struct libra_engine *fresh = libra_engine_create(&w->conf, NULL);

	for (uint32_t i = 0; i < w->conf.nnodes; i++)
		if (w->closed[i])
			libra_engine_node(fresh, i, LIBRA_NODE_DOWN, w->now_s);
	for (int i = 0; i < w->nitems; i++) {
		struct item *it = &w->items[i];
		struct libra_range at[MOST_PROCS];
		struct libra_part parts[MOST_PROCS];
		int64_t n;

		if (it->life == STARTS)
			cancel(w, it);
		if (it->life != RUNS && it->life != WAITS)
			continue;
		if (it->life == WAITS && it->kind == ORDINARY) {
			it->life = ENDED;
			continue;
		}
		if (it->kind == BET)
			it->disturbed = true;
		n = libra_engine_placement(w->e, it->ticket, at, MOST_PROCS);
		for (int64_t k = 0; k < n; k++)
			parts[k] = (struct libra_part){
				at[k],
				libra_engine_left_s(w->e, it->ticket, w->now_s,
						    NULL),
				NULL};
		if (it->life == RUNS)
			n = libra_engine_restore(fresh, &it->job, parts,
						 (uint32_t)n, true, w->now_s,
						 &it->ticket, NULL);
		else
			n = libra_engine_restore_waiting(
				fresh, &it->job,
				libra_engine_planned_start(w->e, it->ticket),
				w->now_s, &it->ticket, NULL);
		assert_int_equal(n, 0);
		if (it->life == RUNS)
			it->decided_s = it->started_s;
	}
	libra_engine_destroy(w->e);
	w->e = fresh;
	/* A part of the margin may be over, nobody knows: it is counted anew.
	 * The second time promises may break by it.
	 */
	w->loose |= w->shift_s > 0;
	w->shift_s = w->margin_s;
}

static void toggle_node(struct world *w)
{
	uint32_t node = draw(w, w->conf.nnodes);

	w->closed[node] = !w->closed[node];
	assert_int_equal(libra_engine_node(w->e, node,
					   w->closed[node] ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
					   w->now_s),
			 0);
}

/* The clock is set: deadlines and plans stay the instants that they are.  Back
 * leaves more time until them; forward less, so that promises may break.
 */
static void set_clock(struct world *w)
{
	double by_s = (double)draw(w, 81) - 40;

	assert_int_equal(libra_engine_clock(w->e, w->now_s, w->now_s + by_s),
			 0);
	w->now_s += by_s;
	w->loose |= by_s > 0;
	for (int i = 0; i < w->nitems; i++) {
		w->items[i].decided_s += by_s;
		w->items[i].started_s += by_s;
	}
}

static void departures(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		struct item *it = &w->items[i];

		if (it->life == STARTS &&
		    (draw(w, 2) || w->now_s - it->decided_s >= w->margin_s)) {
			started(w, it);
		}
		if (it->life == RUNS &&
		    w->now_s - it->started_s >= it->runtime_s)
			end(w, it);
	}
}

static void surprise(struct world *w)
{
	struct item *it =
		w->nitems ? &w->items[draw(w, (uint32_t)w->nitems)] : NULL;
	uint32_t what = draw(w, 40);

	if (it && it->life != NONE && what < 2)
		cancel(w, it);
	else if (it && it->life != NONE && what < 5)
		change(w, it);
	else if (what == 5)
		restart(w);
	else if (what == 6 && w->loose)
		toggle_node(w);
	else if (what == 7)
		set_clock(w);
}

/* The next whole second at which something happens. */
static double next_s(struct world *w)
{
	double next_s = ceil(fmin(libra_engine_next_event_s(w->e),
				  w->now_s + 1 + draw(w, 20)));

	for (int i = 0; i < w->nitems; i++) {
		const struct item *it = &w->items[i];

		if (it->life == RUNS)
			next_s = fmin(next_s, it->started_s + it->runtime_s);
		if (it->life == STARTS)
			next_s = fmin(next_s, w->now_s + 1);
	}
	return fmax(next_s, w->now_s + (next_s <= w->now_s));
}

static int count(const struct world *w, enum life life)
{
	int n = 0;

	for (int i = 0; i < w->nitems; i++)
		n += w->items[i].life == life;
	return n;
}

static void live(struct world *w, uint64_t seed)
{
	open_world(w, seed);
	for (int step = 0; step < 2000; step++) {
		departures(w);
		if (step < 150) {
			surprise(w);
			for (uint32_t n = draw(w, 3); n > 0; n--)
				offer(w);
			if (w->host_starts && draw(w, 3) == 0)
				start_ordinary(w);
		} else if (count(w, WAITS) + count(w, STARTS) +
				   count(w, RUNS) ==
			   0) {
			break;
		}
		for (uint32_t i = 0; step == 150 && i < w->conf.nnodes; i++) {
			w->closed[i] = false;
			libra_engine_node(w->e, i, LIBRA_NODE_UP, w->now_s);
		}
		libra_engine_schedule(w->e, w->now_s);
		carry_out(w);
		validate(w);
		look_at_moves(w);
		w->now_s = next_s(w);
	}
	assert_int_equal(count(w, WAITS), 0);
	libra_engine_destroy(w->e);
}

static void test_worlds(void **state)
{
	static struct world w;
	int kept = 0, late = 0, still = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		live(&w, seed);
		kept += w.kept;
		late += w.late;
		still += w.moves.still;
	}
	print_message("# %d promises kept, %d told late, %d stood still\n",
		      kept, late, still);
	assert_true(still > 10 * WORLDS);
	assert_true(kept > 5 * WORLDS);
	assert_true(late > WORLDS / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worlds),
	};

	return cmocka_run_group_tests_name("plans", tests, NULL, NULL);
}
