/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_places.c - places that are kept for jobs which others are stopped for,
 * in random workloads.  test_rooms.c has them worked by hand.
 */
#include "tests/unit/rooms.h"

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
	uint32_t ncame;
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
	const struct libra_opening at = {.parts = &part,
					 .nparts = 1,
					 .gone = &w->here[node],
					 .ngone = stops,
					 .delay_s = stops ? 20 : 0,
					 .stops = stops};

	job.id = id;
	return libra_engine_may_start_on(w->e, &job, &at, w->now_s);
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

/* Of 1,000 random workloads no promise breaks, and whoever others are stopped
 * for may come.
 */
static void test_rooms_at_random(void **state)
{
	uint32_t ncame = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 1000; seed++) {
		struct world w = {.seed = seed};

		w.e = open_with(PULL);
		for (int i = 0; i < 80; i++) {
			advance_to(&w, w.now_s + draw(&w, 12));
			act(&w);
		}
		ncame += w.ncame;
		libra_engine_destroy(w.e);
	}
	assert_true(ncame > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rooms_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
