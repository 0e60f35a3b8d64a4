/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_limits.c - rows that are passed over are rows that would not suit.
 *
 * The same random offers, starts, ends, drains and changes go to two engines,
 * of which one keeps no limits: all answers and placements must be the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/state.h"
#include "tests/random.h"
#include "tests/unit/host.h"

enum { NODES = 6, CPUS = 200, JOBS = 150, STEPS = 30000, RANGES = 64 };

struct pair {
	struct libra_engine *kept, *plain;
	uint64_t ticket[JOBS]; /* of both */
	bool started[JOBS];
	double now_s;
	uint64_t seed;
};

static double draw(struct pair *p)
{
	return random_unit(&p->seed);
}

static struct libra_job draw_job(struct pair *p)
{
	struct libra_job job = {
		.id = 1,
		.submit_s = p->now_s,
		.estimate_s = exp(2 + 6 * draw(p)),
		.nprocs = (uint32_t)exp(5.8 * draw(p)),
	};

	/* Now and then all come with one deadline, or with too short a one. */
	job.deadline_s = p->now_s + job.estimate_s * (0.7 + 12 * draw(p));
	if (draw(p) < 0.2)
		job.deadline_s = 1000 * ceil(job.deadline_s / 1000);
	return job;
}

static void drop_actions(struct pair *p)
{
	struct libra_action a, b;
	bool more;

	do {
		more = libra_engine_next_action(p->kept, &a);
		assert_int_equal(libra_engine_next_action(p->plain, &b), more);
		if (more) {
			assert_int_equal(a.kind, b.kind);
			assert_int_equal(a.ticket, b.ticket);
			assert_int_equal(a.row, b.row);
		}
	} while (more);
}

static void check_placement(const struct pair *p, uint64_t ticket)
{
	struct libra_range a[RANGES], b[RANGES];
	int64_t n = libra_engine_placement(p->kept, ticket, a, RANGES);

	assert_int_equal(libra_engine_placement(p->plain, ticket, b, RANGES),
			 n);
	for (int64_t i = 0; i < n && i < RANGES; i++) {
		assert_int_equal(a[i].first, b[i].first);
		assert_int_equal(a[i].count, b[i].count);
	}
}

static void offer(struct pair *p, uint32_t slot)
{
	struct libra_job job = draw_job(p);
	struct libra_verdict a, b;

	assert_int_equal(libra_engine_offer(p->kept, &job, p->now_s, &a, NULL),
			 0);
	assert_int_equal(libra_engine_offer(p->plain, &job, p->now_s, &b, NULL),
			 0);
	assert_int_equal(a.answer, b.answer);
	assert_int_equal(a.reason, b.reason);
	if (a.answer != LIBRA_ACCEPT)
		return;
	assert_int_equal(a.ticket, b.ticket);
	check_placement(p, a.ticket);
	p->ticket[slot] = a.ticket;
	p->started[slot] = false;
	libra_engine_commit(p->kept, a.ticket, 1, p->now_s);
	libra_engine_commit(p->plain, a.ticket, 1, p->now_s);
}

static void start(struct pair *p, uint32_t slot)
{
	libra_engine_started(p->kept, p->ticket[slot], p->now_s);
	libra_engine_started(p->plain, p->ticket[slot], p->now_s);
	p->started[slot] = true;
}

static void end(struct pair *p, uint32_t slot)
{
	if (p->started[slot]) {
		libra_engine_departed(p->kept, p->ticket[slot], p->now_s);
		libra_engine_departed(p->plain, p->ticket[slot], p->now_s);
	} else {
		libra_engine_withdraw(p->kept, p->ticket[slot], p->now_s);
		libra_engine_withdraw(p->plain, p->ticket[slot], p->now_s);
	}
	p->ticket[slot] = 0;
}

/* Some run longer than they said, or are told to have done less. */
static void change(struct pair *p, uint32_t slot)
{
	const struct libra_job *job =
		libra_engine_job(p->kept, p->ticket[slot]);
	struct libra_job changed = *job;
	struct libra_verdict a, b;
	double executed_s = job->estimate_s * draw(p);

	if (p->started[slot] && draw(p) < 0.5) {
		libra_engine_progress(p->kept, p->ticket[slot], executed_s,
				      p->now_s);
		libra_engine_progress(p->plain, p->ticket[slot], executed_s,
				      p->now_s);
		return;
	}
	changed.deadline_s = p->now_s + job->estimate_s * 4 * draw(p);
	assert_int_equal(libra_engine_modify(p->kept, p->ticket[slot], &changed,
					     p->now_s, &a, NULL),
			 0);
	assert_int_equal(libra_engine_modify(p->plain, p->ticket[slot],
					     &changed, p->now_s, &b, NULL),
			 0);
	assert_int_equal(a.answer, b.answer);
}

static void drain(struct pair *p)
{
	uint32_t node = (uint32_t)(draw(p) * NODES);
	enum libra_node_state state =
		draw(p) < 0.4 ? LIBRA_NODE_DRAIN : LIBRA_NODE_UP;

	libra_engine_node(p->kept, node, state, p->now_s);
	libra_engine_node(p->plain, node, state, p->now_s);
}

static void step(struct pair *p)
{
	uint32_t slot = (uint32_t)(draw(p) * JOBS);
	double what = draw(p);

	p->now_s += -30 * log(1 - draw(p));
	if (what < 0.02)
		drain(p);
	else if (!p->ticket[slot])
		offer(p, slot);
	else if (!p->started[slot] && what < 0.8)
		start(p, slot);
	else if (what < 0.1)
		change(p, slot);
	else if (what < 0.4)
		end(p, slot);
	libra_engine_schedule(p->kept, p->now_s);
	libra_engine_schedule(p->plain, p->now_s);
	drop_actions(p);
}

static struct libra_engine *create(const struct libra_policy_type *type,
				   const double *params)
{
	static const uint32_t procs[NODES] = {CPUS, CPUS, CPUS,
					      CPUS, CPUS, CPUS};
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = procs,
		.nnodes = NODES,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e = libra_engine_create(&conf, NULL);

	assert_non_null(e);
	return e;
}

static void compare(const char *policy, const char *param, double value)
{
	const struct libra_policy_type *type = libra_policy_find(policy, NULL);
	struct libra_share_traits traits =
		*(const struct libra_share_traits *)type->traits;
	struct libra_policy_type plain = *type;
	struct pair p = {.seed = 2385};
	double params[8];

	for (size_t i = 0; i < type->nparams; i++)
		params[i] = param && strcmp(type->params[i].name, param) == 0
				    ? value
				    : type->params[i].value;
	assert_non_null(traits.limit);
	traits.limit = NULL;
	plain.traits = &traits;
	p.kept = create(type, params);
	assert_non_null(libra_share_state(p.kept)->ledger.limits.of);
	p.plain = create(&plain, params);
	for (int i = 0; i < STEPS; i++)
		step(&p);
	libra_engine_destroy(p.kept);
	libra_engine_destroy(p.plain);
}

static void librarisk_answers_as_without_limits(void **state)
{
	compare("librarisk", NULL, 0);
}

static void so_it_does_where_a_late_job_is_alone(void **state)
{
	compare("librarisk", "equal_delays", 0);
}

static void so_it_does_where_the_late_yield(void **state)
{
	compare("librarisk", "late_yields", 1);
}

static void demand_answers_as_without_limits(void **state)
{
	compare("demand", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(librarisk_answers_as_without_limits),
		cmocka_unit_test(so_it_does_where_a_late_job_is_alone),
		cmocka_unit_test(so_it_does_where_the_late_yield),
		cmocka_unit_test(demand_answers_as_without_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
