/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_repairs.c - the plans of planned against its rule taken by the letter
 * (planned_rule.h).
 *
 * Admissions, overruns, early ends, cancellations, changes, nodes that close or
 * are out: after each of them all starts, latest starts, and who is told to be
 * late are those of the rule.  In some worlds plans are by node, of one
 * processor each: then names of nodes must not matter.
 *
 * All numbers are multiples of 1/64 s.
 */
#include "core/engine_impl.h"
#include "tests/property/planned_rule.h"
#include "tests/property/spans.h"
#include "tests/random.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define WORLDS 3000
#define STEPS  60

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static double draw_s(struct world *w, uint32_t most_s)
{
	return (1 + draw(w, most_s * 64)) / 64.;
}

static void open_world(struct world *w, uint64_t seed)
{
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("planned", NULL),
		.node_procs = w->node_procs,
		.offer_ttl_s = INFINITY,
	};
	uint32_t held, pull_held;
	char set[256];

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->by_node = draw(w, 3) == 0;
	w->nnodes = 2 + draw(w, MOST_NODES - 1);
	for (uint32_t i = 0; i < w->nnodes; i++) {
		w->node_procs[i] = w->by_node ? 1 : 1 + draw(w, 4);
		w->first[i + 1] = w->first[i] + w->node_procs[i];
	}
	w->nprocs = w->first[w->nnodes];
	w->hard = draw(w, 4) == 0;
	w->replan = draw(w, 5) > 0;
	w->pull = draw(w, 2);
	w->margin_s = 4 * draw(w, 2);
	held = 25 * draw(w, 3);
	pull_held = 25 * draw(w, 3);
	w->held_back = w->nprocs * held / 100;
	w->pull_held_back = w->nprocs * pull_held / 100;
	snprintf(set, sizeof(set),
		 "machine_reserve=0 hold_back=%u pull_hold_back=%u "
		 "hard_starts=%d replan=%d pull_forward=%d margin=%g "
		 "overrun=%g overrun_floor=%g",
		 held, pull_held, w->hard, w->replan, w->pull, w->margin_s,
		 OVERRUN, FLOOR_S);
	conf.nnodes = w->nnodes;
	conf.by_node = w->by_node;
	w->e = host_engine_with(conf, set);
	w->stale = true;
	libra_engine_schedule(w->e, 0);
}

static bool is_closed_anywhere(const struct world *w)
{
	for (uint32_t i = 0; i < w->nnodes; i++)
		if (w->closed[i])
			return true;
	return false;
}

static struct item *item_of(struct world *w, uint64_t ticket)
{
	for (int i = 0; i < MOST_JOBS; i++)
		if (w->items[i].life != NONE && w->items[i].ticket == ticket)
			return &w->items[i];
	fail_msg("an action of no job");
	return NULL;
}

static void start(struct world *w, struct item *it)
{
	assert_int_equal(it->life, WAITS);
	assert_true(it->start_s <= w->now_s);
	assert_false(it->untold); /* it was told before */
	extract(w, it);
	it->life = RUNS;
	it->end_s =
		fmax(it->start_s + it->duration_s, w->now_s + it->estimate_s);
	it->start_s = w->now_s;
}

/* Who is due must start, in this order, if it finds its processors. */
static void start_due(struct world *w)
{
	struct libra_action action;

	libra_engine_schedule(w->e, w->now_s);
	while (libra_engine_next_action(w->e, &action)) {
		struct item *it = item_of(w, action.ticket);

		if (action.kind == LIBRA_ACTION_START) {
			start(w, it);
			libra_engine_started(w->e, action.ticket, w->now_s);
			continue;
		}
		assert_int_equal(action.kind, LIBRA_ACTION_LATE);
		assert_true(it->untold);
		it->untold = false;
		told++;
	}
	for (int i = 0; i < w->nwaiting; i++) {
		assert_false(w->waiting[i]->untold);
		assert_true(w->waiting[i]->start_s > w->now_s ||
			    w->waiting[i]->nprocs >
				    libra_engine_free_procs(w->e));
	}
	w->raised = false;
}

static void compare(const struct world *w)
{
	assert_reserved(w->e);
	assert_counted(w->e);
	assert_spans_owned(w->e);
	for (int i = 0; i < w->nwaiting; i++) {
		const struct item *it = w->waiting[i];

		assert_near(libra_engine_planned_start(w->e, it->ticket),
			    it->start_s, 0);
		assert_near(libra_engine_latest_start(w->e, it->ticket),
			    it->latest_s, 0);
	}
}

/* ---- what happens ---- */

static void plan_of(const struct world *w, struct item *it, double estimate_s,
		    double deadline_s)
{
	it->estimate_s = estimate_s;
	it->deadline_s = deadline_s;
	it->duration_s = estimate_s + w->margin_s;
	it->latest_s = fmax(deadline_s - it->duration_s, w->now_s);
	it->promised_s = deadline_s - estimate_s;
	if (w->now_s + estimate_s > deadline_s + TOLERANCE_S)
		it->promised_s = INFINITY; /* a bet */
	it->start_s = INFINITY;
	it->late = it->untold = false;
}

/* Result: has it a place?  Then it waits there. */
static bool admit(struct world *w, struct item *it)
{
	it->start_s = hole_held(w, it, w->held_back, bound_s(w, it, false));
	if (it->start_s < INFINITY) {
		insert(w, it);
	} else {
		if (!w->replan)
			return false;
		insert(w, it);
		if (!try_all(w, false) || it->tried_s == INFINITY) {
			extract(w, it);
			return false;
		}
		adopt(w);
		anew++;
	}
	if (w->hard || it->firm)
		it->latest_s = it->start_s;
	sort(w, by_latest);
	return true;
}

static struct item *any_of(struct world *w, enum life life)
{
	uint32_t from = draw(w, MOST_JOBS);

	for (uint32_t i = 0; i < MOST_JOBS; i++)
		if (w->items[(from + i) % MOST_JOBS].life == life)
			return &w->items[(from + i) % MOST_JOBS];
	return NULL;
}

/* Result: is it accepted?  The rule says so, too. */
static bool offer_job(struct world *w, struct item *it, struct libra_job job)
{
	struct libra_verdict v;
	bool good;

	memset(it, 0, sizeof(*it));
	it->nprocs = job.nprocs;
	it->order = ++w->order;
	it->firm = job.deadline_s == INFINITY;
	catch_up(w);
	plan_of(w, it, job.estimate_s, job.deadline_s);
	good = admit(w, it);
	if (it->firm)
		assert_int_equal(libra_engine_plan_ordinary(w->e, &job,
							    w->now_s, &v, NULL),
				 0);
	else
		v = host_offer(w->e, job, w->now_s);
	assert_int_equal(v.answer == LIBRA_ACCEPT, good);
	refused += !good;
	admitted += good;
	it->ticket = v.ticket;
	if (good)
		assert_int_equal(
			libra_engine_commit(w->e, v.ticket, 1, w->now_s), 0);
	return good;
}

static void offer(struct world *w)
{
	struct item *it = any_of(w, NONE);
	double estimate_s = draw_s(w, draw(w, 4) ? 30 : 100);
	double left_s =
		draw(w, 8) ? estimate_s + draw_s(w, 100) : draw_s(w, 40);
	uint32_t n = 1 + draw(w, draw(w, 2) ? w->nprocs : 3);

	n = n < w->nprocs ? n : w->nprocs;
	if (draw(w, 12) == 0)
		left_s = INFINITY;
	if (it)
		offer_job(w, it, host_job(w->now_s, estimate_s, left_s, n));
}

static void cancel(struct world *w, struct item *it)
{
	assert_int_equal(libra_engine_withdraw(w->e, it->ticket, w->now_s), 0);
	extract(w, it);
	w->raised = true;
}

/* Would so many be accepted one after the other?  So they are, or not. */
static void try_several(struct world *w)
{
	const struct libra_policy_ops *ops = w->e->policy->ops;
	double estimate_s = draw_s(w, 30);
	struct libra_job job =
		host_job(w->now_s, estimate_s, estimate_s + draw_s(w, 60),
			 1 + draw(w, w->nprocs));
	uint32_t n = 1 + draw(w, 4), found = 0;
	bool would, is_sure = false;
	struct item *items[4];

	w->e->now_s = w->now_s;
	if (draw(w, 2))
		is_sure = ops->search.surely_accepts(w->e, &job, n);
	would = libra_engine_would_accept(w->e, &job, n, w->now_s);
	catch_up(w);
	compare(w);
	for (; found < n; found++) {
		struct item *it = any_of(w, NONE);

		if (!it || !offer_job(w, it, job))
			break;
		items[found] = it;
	}
	if (found == n || any_of(w, NONE))
		assert_int_equal(would, found == n);
	assert_true(would || !is_sure);
	several += would && n > 1;
	sure += is_sure && n > 1;
	while (found-- > 0)
		cancel(w, items[found]);
}

static void depart(struct world *w, struct item *it)
{
	w->stale |= is_closed_anywhere(w);
	w->raised |= it->end_s > w->now_s;
	assert_int_equal(libra_engine_departed(w->e, it->ticket, w->now_s), 0);
	it->life = NONE;
}

static void reestimate(struct world *w, struct item *it)
{
	double estimate_s = draw_s(w, 60), end_s;

	end_s = it->start_s + estimate_s + w->margin_s;
	assert_int_equal(
		libra_engine_reestimate(w->e, it->ticket, estimate_s, w->now_s),
		0);
	w->raised |= end_s < it->end_s;
	it->end_s = end_s;
	it->estimate_s = estimate_s;
	w->stale = true;
}

static bool change_waiting(struct world *w, struct item *it, double estimate_s,
			   double deadline_s)
{
	struct item was = *it;

	extract(w, it);
	w->raised = true;
	plan_of(w, it, estimate_s, deadline_s);
	if (admit(w, it))
		return true;
	*it = was;
	insert(w, it);
	return false;
}

static bool change_running(struct world *w, struct item *it, double estimate_s)
{
	double was_s = it->end_s;

	it->end_s = it->start_s + estimate_s + w->margin_s;
	w->raised |= it->end_s < was_s;
	if (fits(w))
		return true;
	if (w->replan && try_all(w, false)) {
		adopt(w);
		return true;
	}
	it->end_s = was_s;
	return false;
}

static void modify(struct world *w, struct item *it)
{
	struct libra_job changed = {.estimate_s = draw_s(w, 60)};
	struct libra_verdict v;
	bool raised, good;

	if (it->firm)
		return;
	changed.deadline_s = w->now_s + changed.estimate_s + draw_s(w, 60) - 10;
	if (changed.deadline_s <= w->now_s)
		changed.deadline_s = w->now_s + 1;
	catch_up(w);
	raised = w->raised;
	good = it->life == RUNS ? change_running(w, it, changed.estimate_s)
				: change_waiting(w, it, changed.estimate_s,
						 changed.deadline_s);
	if (!good)
		w->raised = raised;
	assert_int_equal(libra_engine_modify(w->e, it->ticket, &changed,
					     w->now_s, &v, NULL),
			 0);
	assert_int_equal(v.answer == LIBRA_ACCEPT, good);
	if (good)
		it->estimate_s = changed.estimate_s;
}

/* A job that was told a start, or none, before a restart; maybe a bet. */
static void restore(struct world *w)
{
	struct item *it = any_of(w, NONE);
	double start_s = draw(w, 4) ? w->now_s + draw_s(w, 60) - 5 : NAN;
	struct libra_job job = host_job(w->now_s - draw_s(w, 20), draw_s(w, 30),
					draw_s(w, 100), 1 + draw(w, w->nprocs));

	if (!it)
		return;
	memset(it, 0, sizeof(*it));
	it->nprocs = job.nprocs;
	it->order = ++w->order;
	plan_of(w, it, job.estimate_s, job.deadline_s);
	if (job.submit_s + job.estimate_s <= job.deadline_s + TOLERANCE_S)
		it->promised_s = job.deadline_s - job.estimate_s;
	if (!isnan(start_s)) {
		it->start_s = fmax(start_s, w->now_s);
		if (w->hard || it->latest_s < it->start_s)
			it->latest_s = it->start_s;
	}
	insert(w, it);
	w->stale = true;
	assert_int_equal(libra_engine_restore_waiting(w->e, &job, start_s,
						      w->now_s, &it->ticket,
						      NULL),
			 0);
}

static void set_node(struct world *w)
{
	uint32_t node = draw(w, w->nnodes);

	w->closed[node] = !w->closed[node];
	w->stale = true;
	assert_int_equal(libra_engine_node(w->e, node,
					   w->closed[node] ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
					   w->now_s),
			 0);
}

/* Plans by count know nothing of jobs that an outage would meet, and a host
 * leaves none there.
 */
static void set_outages(struct world *w)
{
	double at_s = w->now_s + draw_s(w, 60) - 20;

	w->nout = draw(w, MOST_OUT + 1);
	for (uint32_t i = 0; i < w->nout; i++) {
		if (draw(w, 2))
			at_s += draw_s(w, 20);
		w->out[i] = (struct libra_outage){draw(w, w->nnodes), at_s,
						  at_s + draw_s(w, 40)};
		for (uint32_t k = 0; k < i; k++)
			if (w->out[k].node == w->out[i].node) {
				w->nout = i;
				break;
			}
	}
	w->stale = true;
	assert_int_equal(
		libra_engine_outages(w->e, w->out, w->nout, w->now_s, NULL), 0);
}

static bool lies_in(double at_s, double after_s, double by_s)
{
	return after_s < at_s && at_s <= by_s;
}

/* When an outage begins or is over a host may say anew what is out.  Else the
 * engine knows that a closed node is expected, or does not come, back.
 */
static void pass_outages(struct world *w, double was_s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->nout; i++) {
		const struct libra_outage *out = &w->out[i];

		if (w->closed[out->node] &&
		    (lies_in(out->from_s, was_s, w->now_s) ||
		     lies_in(out->to_s, was_s, w->now_s))) {
			w->stale = true;
			unasked++;
		}
	}
	if (draw(w, 2))
		return;
	for (uint32_t i = 0; i < w->nout; i++)
		if (w->out[i].to_s > w->now_s)
			w->out[n++] = w->out[i];
	if (n == w->nout)
		return;
	w->nout = n;
	w->stale = true;
	assert_int_equal(libra_engine_outages(w->e, w->out, n, w->now_s, NULL),
			 0);
}

static void look(struct world *w)
{
	catch_up(w);
	start_due(w);
	compare(w);
}

/* The engine is asked whenever it wants to be, and when a job that runs should
 * have ended.
 */
static void pass(struct world *w, double until_s)
{
	double next_s = 0, was_s;

	while (next_s < until_s) {
		next_s = libra_engine_next_event_s(w->e);
		for (int i = 0; i < MOST_JOBS; i++)
			if (w->items[i].life == RUNS)
				next_s = fmin(next_s, w->items[i].end_s);
		assert_true(next_s > w->now_s);
		was_s = w->now_s;
		w->now_s = fmin(next_s, until_s);
		pass_outages(w, was_s);
		/* Whoever asks next finds out what time it is. */
		if (next_s > until_s && draw(w, 2))
			return;
		for (int i = 0; i < MOST_JOBS; i++)
			if (w->items[i].life == RUNS &&
			    w->items[i].end_s <= w->now_s && draw(w, 6))
				depart(w, &w->items[i]);
		look(w);
	}
}

static void step(struct world *w)
{
	struct item *waits, *runs;
	uint32_t what = draw(w, 20);

	if (draw(w, 3))
		pass(w, w->now_s + draw_s(w, draw(w, 4) ? 8 : 40));
	waits = any_of(w, WAITS);
	runs = any_of(w, RUNS);
	if (what == 0 && waits)
		cancel(w, waits);
	else if (what < 5 && runs)
		depart(w, runs);
	else if (what == 5 && runs)
		reestimate(w, runs);
	else if (what == 6 && waits)
		modify(w, waits);
	else if (what == 7 && runs)
		modify(w, runs);
	else if (what == 8)
		set_node(w);
	else if (what == 9 && !w->by_node)
		set_outages(w);
	else if (what == 10)
		try_several(w);
	else if (what == 11)
		restore(w);
	else
		offer(w);
	look(w);
}

static void plans_are_those_of_the_rule(void **state)
{
	static struct world w;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		libra_engine_destroy(w.e);
	}
	assert_true(admitted > 3000 && anew > 300 && refused > 3000);
	assert_true(little > 1000 && large > 500 && rest > 500);
	assert_true(several > 1000 && sure > 300 && unasked > 300);
	assert_true(mended > 100 && pulled > 1000 && told > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(plans_are_those_of_the_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
