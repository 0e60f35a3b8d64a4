/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_reserve.c - the machine's reserve in the policies that have it: whom it
 * refuses, what it learns and keeps, and what is said of deadlines beside it.
 */
#include "core/engine_impl.h"
#include "core/formula/reserve.h"
#include "tests/unit/host.h"

enum { PROCS = 10, JOBS = 40, EVERY_S = 10 };
enum { LEAST = 5 + 2 * LIBRA_RESERVE_OCTAVES, MOST = LEAST + 9 };
#define END_S (1.0 * JOBS * EVERY_S)

static struct libra_engine *open_with(const char *policy, const char *settings)
{
	static const uint32_t procs = PROCS;

	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find(policy, NULL),
			.node_procs = &procs,
			.nnodes = 1,
			.offer_ttl_s = INFINITY,
		},
		settings);
}

/* Four times the work that fits: 40 s on all processors every 10 s, by 2,000 s
 * later.
 */
static void submit_traffic(struct libra_engine *e)
{
	for (int i = 0; i < JOBS; i++) {
		double now_s = i * EVERY_S;

		host_submit(e, host_job(now_s, 40, 2000, PROCS), now_s);
		host_pass(e, now_s);
	}
}

/* What was learned before a restart goes into the engine behind it. */
static void what_was_learned_goes_on(void **state)
{
	static const char *const names[] = {"planned", "band", "demand"};
	struct libra_job large = host_job(END_S, 100, 3000, PROCS);

	for (size_t k = 0; k < 3; k++) {
		const char *on = "machine_reserve=1";
		struct libra_engine *e = open_with(names[k], on);
		struct libra_engine *fresh = open_with(names[k], on);
		double values[MOST], again[MOST];
		size_t n;

		for (int i = 0; i < JOBS; i++)
			host_submit(e, host_job(10 * i, 40, 2000, PROCS),
				    10 * i);
		assert_int_equal(host_offer(e, large, END_S).reason,
				 LIBRA_REASON_RESERVE);
		n = libra_engine_learned(e, values, MOST);
		assert_in_range(n, LEAST, MOST);
		assert_fails(EINVAL,
			     libra_engine_relearn(fresh, values, n - 1, NULL));
		assert_int_equal(libra_engine_relearn(fresh, values, n, NULL),
				 0);
		assert_int_equal(libra_engine_learned(fresh, again, MOST), n);
		assert_memory_equal(values, again, n * sizeof(*values));
		values[n - 1] = NAN;
		assert_fails(EINVAL,
			     libra_engine_relearn(fresh, values, n, NULL));
		libra_engine_destroy(fresh);
		libra_engine_destroy(e);
	}
}

/* The papers' policies learn nothing. */
static void who_has_no_reserve_learns_nothing(void **state)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		const char *name = libra_policies[i]->name;
		bool has = strcmp(name, "planned") == 0 ||
			   strcmp(name, "band") == 0 ||
			   strcmp(name, "demand") == 0;
		struct libra_engine *e = host_engine(name, 1, PROCS);

		assert_int_equal(libra_engine_learned(e, NULL, 0) > 0, has);
		libra_engine_destroy(e);
	}
}

/* While it is off it learns all the same: who switches it on need not wait. */
static void it_learns_while_it_is_off(void **state)
{
	static const char *const names[] = {"planned", "band", "demand"};

	for (size_t k = 0; k < 3; k++) {
		struct libra_engine *off =
			open_with(names[k], "machine_reserve=0");
		double values[MOST];

		submit_traffic(off);
		assert_in_range(libra_engine_learned(off, values, MOST), LEAST,
				MOST);
		assert_near(values[0], JOBS, 0);       /* offers */
		assert_near(values[1], 400, 1e-9);     /* mean work */
		assert_near(values[2], JOBS - 1, 0);   /* instants */
		assert_near(values[4], EVERY_S, 1e-9); /* between */
		libra_engine_destroy(off);
	}
}

/* By hand: the load is 400 / (1.5 x 10 x 10) = 2.67, and the size of 1,000 s on
 * all processors 50, so it minds what is above 0.005 of the time.  The 40 jobs
 * need 1,600 s: the one that has run for 400 s a tenth of that.
 *
 *     400 + 1,600 / 0.005 = 320,400
 *
 * Without it: behind them all, 400 + 1,600 + 1,000.
 */
static void demand_names_a_deadline_that_the_reserve_admits(void **state)
{
	static const struct {
		const char *settings;
		double earliest_s;
		enum libra_reason before;
	} rows[] = {
		{"machine_reserve=1", 320400, LIBRA_REASON_RESERVE},
		{"machine_reserve=0", 3000, LIBRA_REASON_WOULD_MISS},
	};

	for (int i = 0; i < 2; i++) {
		struct libra_engine *e = open_with("demand", rows[i].settings);
		struct libra_job job = host_job(END_S, 1000, 0, PROCS);
		double at_s;

		submit_traffic(e);
		at_s = libra_engine_earliest_deadline(e, &job, END_S);
		assert_true(at_s >= rows[i].earliest_s - 1e-3);
		assert_true(at_s <= rows[i].earliest_s + 1);
		job.deadline_s = rows[i].earliest_s - 1;
		assert_int_equal(host_offer(e, job, END_S).reason,
				 rows[i].before);
		libra_engine_destroy(e);
	}
}

/* Three such jobs by 520,410 s: the first needs 0.0031 of the time, the second
 * 0.004999.  The third would need 0.0069, but with two large ones among the
 * offers mean work is 857, its size 23, and it minds what is above 0.07.
 */
static void a_trial_learns_and_leaves_nothing(void **state)
{
	struct libra_engine *e = open_with("demand", "machine_reserve=1");
	struct libra_job job = host_job(END_S, 1000, 520010, PROCS);
	double before[MOST], after[MOST];
	size_t n;

	submit_traffic(e);
	n = libra_engine_learned(e, before, MOST);
	assert_true(libra_engine_would_accept(e, &job, 3, END_S));
	assert_int_equal(libra_engine_learned(e, after, MOST), n);
	assert_memory_equal(before, after, n * sizeof(*before));
	/* Not for certain: the bound takes what all three need. */
	assert_false(e->policy->ops->search.surely_accepts(e, &job, 3));
	assert_true(e->policy->ops->search.surely_accepts(e, &job, 1));
	for (int i = 0; i < 3; i++)
		assert_int_equal(host_offer(e, job, END_S).answer,
				 LIBRA_ACCEPT);
	libra_engine_destroy(e);
}

static enum libra_reason reason_of(struct libra_engine *e, double estimate_s,
				   double by_s)
{
	struct libra_job job = host_job(END_S, estimate_s, by_s - END_S, PROCS);

	return host_offer(e, job, END_S).reason;
}

/* After the traffic, of which the last is due at 2,390 s, a job of 1,000 s on
 * all processors asks: what is due by its deadline, or at it, counts, and
 * each look at it is work.  By 2,390 s 1,600 of 1,990 are promised.
 */
static void demand_counts_what_is_due_by_then(void **state)
{
	struct libra_engine *e = open_with("demand", "machine_reserve=1");
	const double last_s = END_S - EVERY_S + 2000;
	uint64_t work;

	submit_traffic(e);
	work = e->work;
	assert_int_equal(reason_of(e, 1000, last_s), LIBRA_REASON_RESERVE);
	assert_true(e->work - work >= 1 + JOBS);
	/* At the instant of its own deadline nothing is left to reserve. */
	assert_int_equal(reason_of(e, 1000, END_S), LIBRA_REASON_WOULD_MISS);
	libra_engine_destroy(e);
	/* 400 s by 3,000 are 0.0154 of the time, and 0.005 may be; those that
	 * are due later are not in its way.
	 */
	for (int k = 0; k < 2; k++) {
		e = open_with("demand", "machine_reserve=1");
		for (int i = 0; i < JOBS; i++)
			host_submit(e,
				    host_job(i * EVERY_S, 40, i ? 200000 : 3000,
					     PROCS),
				    i * EVERY_S);
		assert_int_equal(reason_of(e, 1000, 2999 + k),
				 k ? LIBRA_REASON_RESERVE : LIBRA_REASON_NONE);
		libra_engine_destroy(e);
	}
}

/* What was learned of offers of 400 s, one each 10 s: a load of 400 / (0.4 x
 * 10 x 10), ln 2.303.  Of nothing has anybody learned how early jobs end.
 */
static void teach_traffic(struct libra_engine *e)
{
	struct libra_reserve r = {
		.noffers = JOBS,
		.mean_work_s = 400,
		.ninstants = JOBS - 1,
		.between_s = EVERY_S,
		.offered_s = {[8] = 400},
	};
	double values[MOST] = {0};
	size_t n = libra_engine_learned(e, values, MOST);

	assert_in_range(n, sizeof(r) / sizeof(double), MOST);
	memset(values, 0, sizeof(values));
	memcpy(values, &r, sizeof(r));
	assert_int_equal(libra_engine_relearn(e, values, n, NULL), 0);
}

/* Jobs there are already: one runs, one waits behind it or not. */
struct there {
	uint32_t procs;
	double run_s, wait_s, due_s; /* wait_s 0 = none waits */
	enum libra_reason reason;
};

/* A job of 552 s asks, on one of ten processors, due in 1,000 s: its size is
 * 552 / (0.6 x 400) = 2.3, ln 0.833, and it minds what is above 1 - 0.3 x 2.303
 * x 0.833 = 0.4245 of the time.
 */
static enum libra_reason reason_beside(const struct there *there)
{
	struct libra_engine *e =
		open_with("planned", "machine_reserve=1 hold_back=0");
	enum libra_reason reason;

	host_submit(e, host_job(0, there->run_s, there->due_s, there->procs),
		    0);
	host_pass(e, 0);
	if (there->wait_s > 0)
		host_submit(
			e,
			host_job(0, there->wait_s, there->due_s, there->procs),
			0);
	host_pass(e, 0);
	teach_traffic(e);
	reason = host_offer(e, host_job(0, 552, 1000, 1), 0).reason;
	libra_engine_destroy(e);
	return reason;
}

/* Those due later count half of what they use until then, wherever they are;
 * what is due by then counts its need, and what has no deadline nothing.
 */
static void planned_counts_half_of_what_is_due_later(void **state)
{
	static const struct there rows[] = {
		/* 0.5 x 9 x 1,000 of 10,000 s; 8 are 0.4. */
		{9, 2000, 0, 9000, LIBRA_REASON_RESERVE},
		{8, 2000, 0, 9000, LIBRA_REASON_NONE},
		/* Until 940 s 0.423, until 950 s 0.4275. */
		{9, 940, 0, 9000, LIBRA_REASON_NONE},
		{9, 950, 0, 9000, LIBRA_REASON_RESERVE},
		/* The same, with the rest of one behind it. */
		{9, 500, 440, 9000, LIBRA_REASON_NONE},
		{9, 500, 450, 9000, LIBRA_REASON_RESERVE},
		/* One that waits until the deadline, or beyond. */
		{9, 500, 9000, 90000, LIBRA_REASON_RESERVE},
		{8, 1000, 9000, 90000, LIBRA_REASON_NONE},
		/* Due by then: 9 x 470 s are 0.423, of 475 s 0.4275. */
		{9, 470, 0, 1000, LIBRA_REASON_NONE},
		{9, 475, 0, 1000, LIBRA_REASON_RESERVE},
		{9, 235, 235, 1000, LIBRA_REASON_NONE},
		{9, 235, 240, 1000, LIBRA_REASON_RESERVE},
		/* Nothing is promised. */
		{9, 2000, 0, INFINITY, LIBRA_REASON_NONE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(reason_beside(&rows[i]), rows[i].reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_learned_goes_on),
		cmocka_unit_test(who_has_no_reserve_learns_nothing),
		cmocka_unit_test(it_learns_while_it_is_off),
		cmocka_unit_test(
			demand_names_a_deadline_that_the_reserve_admits),
		cmocka_unit_test(a_trial_learns_and_leaves_nothing),
		cmocka_unit_test(demand_counts_what_is_due_by_then),
		cmocka_unit_test(planned_counts_half_of_what_is_due_later),
	};

	return cmocka_run_group_tests_name("reserve", tests, NULL, NULL);
}
