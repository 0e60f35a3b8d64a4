/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_places.c - places that are kept for jobs which others are stopped for,
 * over a restart, and in random workloads.  test_rooms.c has more of them
 * worked by hand.
 */
#include "tests/unit/rooms.h"

/* The place of job 77 on a node, which it has to come to within delay_s. */
static int restore_place(struct libra_engine *e, uint32_t node,
			 double estimate_s, double delay_s,
			 const uint64_t *gone, double now_s)
{
	const struct libra_part part = {{node * 8, 8}, 0, NULL};
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = gone,
					     .ngone = gone ? 1 : 0,
					     .delay_s = delay_s};
	struct libra_job job = host_job(now_s, estimate_s, INFINITY, 8);

	job.id = 77;
	return libra_engine_restore_place(e, &job, &at, now_s, NULL);
}

/* May a job start on a node now, where another one may be gone for it? */
static bool may_start(struct libra_engine *e, uint64_t id, uint32_t node,
		      double estimate_s, const uint64_t *gone, double now_s)
{
	const struct libra_part part = {{node * 8, 8}, 0, NULL};
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = gone,
					     .ngone = gone ? 1 : 0,
					     .delay_s = gone ? 60 : 0,
					     .stops = gone != NULL};
	struct libra_job job = host_job(now_s, estimate_s, INFINITY, 8);

	job.id = id;
	return libra_engine_may_start(e, &job, &at, now_s);
}

static const struct libra_range first_node = {0, 8};
static const struct libra_where on_first = {.allowed = &first_node,
					    .nallowed = 1};

/* 10 s after the place was given for 60 s, 55 s and the margin of 10: it is the
 * same, whether the one that was stopped is gone or still there.
 */
static void test_restored(void **state)
{
	struct libra_engine *e;
	uint64_t there;

	(void)state;
	for (int stays = 0; stays < 2; stays++) {
		e = open_with(PLAIN " margin=10");
		there = stays ? run_on(e, 1, 0, 70, 10) : 0;
		assert_int_equal(
			restore_place(e, 0, 55, 50, stays ? &there : NULL, 10),
			0);
		assert_near(libra_engine_place_until(e, 77), 60, 0);
		assert_start(e, submit(e, 8, 20, 1000, &on_first, 10),
			     60 + 55 + 10);
		if (stays) { /* and goes for nobody else */
			assert_false(may_start(e, 78, 0, 5, &there, 11));
			libra_engine_departed(e, there, 12);
		}
		assert_false(may_start(e, 78, 0, 5, NULL, 20));
		assert_true(may_start(e, 77, 0, 55, NULL, 20));
		run_on(e, 77, 0, 55, 20);
		host_pass(e, 20);
		assert_true(isnan(libra_engine_place_until(e, 77)));
		libra_engine_destroy(e);
	}
}

/* It is over when it was to be. */
static void test_over(void **state)
{
	struct libra_engine *e = open_with(PULL);
	uint64_t waits;

	(void)state;
	assert_int_equal(restore_place(e, 0, 55, 50, NULL, 10), 0);
	waits = submit(e, 8, 20, 1000, &on_first, 10);
	assert_near(libra_engine_next_event_s(e), 60, 0);
	host_pass(e, 59);
	assert_start(e, waits, 115);
	host_pass(e, 60);
	assert_start(e, waits, 60);
	assert_true(isnan(libra_engine_place_until(e, 77)));
	libra_engine_destroy(e);
}

/* A promised job of the whole machine for 100 s, that waits for 50. */
static uint64_t restore_waiting(struct libra_engine *e, double deadline_s)
{
	struct libra_job job = host_job(0, 100, deadline_s, 32);
	uint64_t ticket;

	assert_int_equal(
		libra_engine_restore_waiting(e, &job, 50, 10, &ticket, NULL),
		0);
	return ticket;
}

/* Plans that were told a start go behind a place, as far as their promises let
 * them: no further, for then it is the place that goes.
 */
static void test_gives_way(void **state)
{
	struct libra_engine *e = open_with(PULL);
	uint64_t waits;

	(void)state;
	waits = restore_waiting(e, 1000);
	assert_int_equal(restore_place(e, 0, 55, 50, NULL, 10), 0);
	libra_engine_schedule(e, 10);
	assert_int_equal(host_nlate(e, waits), 0);
	assert_start(e, waits, 115);
	assert_near(libra_engine_place_until(e, 77), 60, 0);
	libra_engine_destroy(e);

	e = open_with(PULL);
	waits = restore_waiting(e, 180);
	assert_int_equal(restore_place(e, 0, 55, 50, NULL, 10), 0);
	libra_engine_schedule(e, 10);
	assert_int_equal(host_nlate(e, waits), 0);
	assert_start(e, waits, 10);
	assert_true(isnan(libra_engine_place_until(e, 77)));
	libra_engine_destroy(e);
}

/* What is no place, or none of this engine. */
static void test_no_place(void **state)
{
	struct libra_engine *e = open_with(PULL);
	struct libra_part part = {{0, 8}, 0, NULL};
	struct libra_start_query at = {
		.parts = &part, .nparts = 1, .delay_s = 9};
	struct libra_job job = host_job(0, 55, INFINITY, 8);

	(void)state;
	assert_fails(EINVAL, restore_place(e, 4, 55, 50, NULL, 0));
	assert_fails(EINVAL, restore_place(e, 0, -1, 50, NULL, 0));
	assert_fails(EINVAL, restore_place(e, 0, 55, 0, NULL, 0));
	assert_fails(EINVAL, restore_place(e, 0, 55, NAN, NULL, 0));
	assert_fails(EINVAL, restore_place(e, 0, 55, INFINITY, NULL, 0));
	at.nparts = 0;
	assert_fails(EINVAL, libra_engine_restore_place(e, &job, &at, 0, NULL));
	assert_true(isnan(libra_engine_place_until(e, 77)));
	libra_engine_destroy(e);
	e = host_engine("planned", 4, 8);
	assert_fails(ENOTSUP, restore_place(e, 0, 55, 50, NULL, 0));
	libra_engine_destroy(e);
	e = host_engine("libra", 4, 8);
	assert_fails(ENOTSUP, restore_place(e, 0, 55, 50, NULL, 0));
	assert_true(isnan(libra_engine_place_until(e, 77)));
	libra_engine_destroy(e);
}

/* Jobs of whole nodes that all keep to their estimates, some of which others
 * are stopped for.
 */
enum { NHOSTS = 4, MOST = 400 };

struct world {
	struct libra_engine *e;
	uint32_t seed;
	double now_s;
	struct {
		uint64_t ticket;
		double estimate_s, end_s; /* INFINITY until it runs */
	} promised[MOST];
	uint32_t npromised;
	uint64_t here[NHOSTS]; /* the ordinary job of a node, or 0 */
	double end_s[NHOSTS];
	double by_s[NHOSTS], kept_s[NHOSTS]; /* a place; 0 = none */
	uint32_t ncame, nrestored;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	w->seed = w->seed * 1664525u + 1013904223u;
	return (w->seed >> 8) % n;
}

/* All that is promised comes true: nobody is late. */
static void pass(struct world *w)
{
	struct libra_action action;

	libra_engine_schedule(w->e, w->now_s);
	while (libra_engine_next_action(w->e, &action)) {
		assert_int_not_equal(action.kind, LIBRA_ACTION_LATE);
		if (action.kind != LIBRA_ACTION_START)
			continue;
		assert_int_equal(
			libra_engine_started(w->e, action.ticket, w->now_s), 0);
		for (uint32_t i = 0; i < w->npromised; i++)
			if (w->promised[i].ticket == action.ticket)
				w->promised[i].end_s =
					w->now_s + w->promised[i].estimate_s;
	}
}

static double next_s(const struct world *w)
{
	double at_s = libra_engine_next_event_s(w->e);

	for (uint32_t i = 0; i < w->npromised; i++)
		at_s = fmin(at_s, w->promised[i].end_s);
	for (int i = 0; i < NHOSTS; i++)
		if (w->here[i])
			at_s = fmin(at_s, w->end_s[i]);
	return fmax(at_s, w->now_s);
}

static void leave(struct world *w, uint32_t node)
{
	assert_int_equal(libra_engine_departed(w->e, w->here[node], w->now_s),
			 0);
	w->here[node] = 0;
}

static void end_jobs(struct world *w)
{
	for (uint32_t i = 0; i < w->npromised; i++)
		if (w->promised[i].end_s <= w->now_s) {
			assert_int_equal(
				libra_engine_departed(
					w->e, w->promised[i].ticket, w->now_s),
				0);
			w->promised[i] = w->promised[--w->npromised];
			i--;
		}
	for (uint32_t i = 0; i < NHOSTS; i++)
		if (w->here[i] && w->end_s[i] <= w->now_s)
			leave(w, i);
}

static void advance_to(struct world *w, double to_s)
{
	for (int i = 0; i < 1000 && next_s(w) <= to_s; i++) {
		w->now_s = next_s(w);
		end_jobs(w);
		pass(w);
		if (next_s(w) <= w->now_s)
			break;
	}
	w->now_s = to_s;
	end_jobs(w);
	pass(w);
}

static bool may_have(struct world *w, uint32_t node, uint64_t id,
		     double estimate_s, bool stops)
{
	const struct libra_part part = {{node * 8, 8}, 0, NULL};
	struct libra_job job = host_job(w->now_s, estimate_s, INFINITY, 8);
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = &w->here[node],
					     .ngone = stops,
					     .delay_s = stops ? 20 : 0,
					     .stops = stops};

	job.id = id;
	return libra_engine_may_start(w->e, &job, &at, w->now_s);
}

static void put(struct world *w, uint32_t node, uint64_t id, double estimate_s)
{
	w->here[node] = run_on(w->e, id, node, estimate_s, w->now_s);
	w->end_s[node] = w->now_s + estimate_s;
}

/* Whoever others were stopped for may start until then. */
static void come(struct world *w, uint32_t node)
{
	if (!w->kept_s[node] || w->here[node] || w->by_s[node] <= w->now_s)
		return;
	assert_true(may_have(w, node, 100 + node, w->kept_s[node], false));
	put(w, node, 100 + node, w->kept_s[node]);
	w->kept_s[node] = 0;
	w->ncame++;
}

static void submit_one(struct world *w)
{
	double estimate_s = 5 + draw(w, 60);
	uint64_t ticket;

	if (w->npromised == MOST)
		return;
	ticket = submit(w->e, 8 * (1 + draw(w, 3)), estimate_s,
			w->now_s + estimate_s + draw(w, 100), NULL, w->now_s);
	if (!ticket)
		return;
	w->promised[w->npromised].ticket = ticket;
	w->promised[w->npromised].estimate_s = estimate_s;
	w->promised[w->npromised].end_s =
		host_runs(w->e, ticket) ? w->now_s + estimate_s : INFINITY;
	w->npromised++;
}

static void act(struct world *w)
{
	uint32_t node = draw(w, NHOSTS);
	double estimate_s = 5 + draw(w, 60);

	switch (draw(w, 8)) {
	case 0:
		submit_one(w);
		break;
	case 1:
	case 2:
	case 3:
		if (!w->here[node] && !w->kept_s[node] &&
		    may_have(w, node, 200, estimate_s, false))
			put(w, node, 200, estimate_s);
		break;
	case 4:
	case 5:
		if (!w->here[node] || w->kept_s[node] ||
		    !may_have(w, node, 100 + node, estimate_s, true))
			break;
		w->kept_s[node] = estimate_s;
		w->by_s[node] = w->now_s + 20;
		break;
	case 6:
		for (uint32_t i = 0; i < NHOSTS; i++) {
			if (w->kept_s[i] && w->here[i])
				leave(w, i);
			pass(w);
			come(w, i);
		}
		break;
	default:
		if (w->kept_s[node] && draw(w, 3) == 0) {
			libra_engine_forgo(w->e, 100 + node, w->now_s);
			w->kept_s[node] = 0;
		}
	}
	for (int i = 0; i < NHOSTS; i++)
		if (w->by_s[i] <= w->now_s)
			w->kept_s[i] = 0;
	pass(w);
}

/* A job that was promised something, in another engine. */
static uint64_t restore_promised(struct world *w,
				 const struct libra_engine *old, uint64_t was,
				 double end_s)
{
	struct libra_job job = *libra_engine_job(old, was);
	struct libra_range at[NHOSTS];
	struct libra_part parts[NHOSTS] = {0};
	int64_t n = libra_engine_placement(old, was, at, NHOSTS);
	uint64_t ticket;
	int rc;

	for (int64_t i = 0; i < n; i++)
		parts[i] = (struct libra_part){at[i], end_s - w->now_s, NULL};
	rc = end_s < INFINITY
		     ? libra_engine_restore(w->e, &job, parts, (uint32_t)n,
					    true, w->now_s, &ticket, NULL)
		     : libra_engine_restore_waiting(
			       w->e, &job, libra_engine_planned_start(old, was),
			       w->now_s, &ticket, NULL);
	assert_int_equal(rc, 0);
	return ticket;
}

static void restore_kept(struct world *w, uint32_t node)
{
	const struct libra_part part = {{node * 8, 8}, 0, NULL};
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = &w->here[node],
					     .ngone = w->here[node] != 0,
					     .delay_s =
						     w->by_s[node] - w->now_s};
	struct libra_job job = host_job(w->now_s, w->kept_s[node], INFINITY, 8);

	job.id = 100 + node;
	assert_int_equal(
		libra_engine_restore_place(w->e, &job, &at, w->now_s, NULL), 0);
}

/* All jobs, and the places, in a new engine: it breaks no promise either. */
static void restart(struct world *w)
{
	struct libra_engine *old = w->e;

	w->e = open_with(PULL);
	for (uint32_t i = 0; i < w->npromised; i++)
		w->promised[i].ticket = restore_promised(
			w, old, w->promised[i].ticket, w->promised[i].end_s);
	for (uint32_t i = 0; i < NHOSTS; i++)
		if (w->here[i])
			w->here[i] = run_on(w->e, 300, i,
					    w->end_s[i] - w->now_s, w->now_s);
	for (uint32_t i = 0; i < NHOSTS; i++)
		if (w->kept_s[i] && w->by_s[i] > w->now_s)
			restore_kept(w, i);
	libra_engine_destroy(old);
	pass(w);
	for (uint32_t i = 0; i < NHOSTS; i++)
		if (w->kept_s[i] && w->by_s[i] > w->now_s) {
			assert_near(libra_engine_place_until(w->e, 100 + i),
				    w->by_s[i], 1e-9);
			w->nrestored++;
		}
}

/* Of 1,000 random workloads no promise breaks, and whoever others are stopped
 * for may come; in half of them there are restarts.
 */
static void test_rooms_at_random(void **state)
{
	uint32_t ncame = 0, nrestored = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 1000; seed++) {
		struct world w = {.seed = seed};

		w.e = open_with(PULL);
		for (int i = 0; i < 80; i++) {
			advance_to(&w, w.now_s + draw(&w, 12));
			act(&w);
			if (seed % 2 == 0 && draw(&w, 5) == 0)
				restart(&w);
		}
		ncame += w.ncame;
		nrestored += w.nrestored;
		libra_engine_destroy(w.e);
	}
	assert_true(ncame > 1000);
	assert_true(nrestored > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_over),
		cmocka_unit_test(test_gives_way),
		cmocka_unit_test(test_no_place),
		cmocka_unit_test(test_rooms_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
