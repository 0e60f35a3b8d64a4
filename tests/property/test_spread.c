/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_spread.c - where identical jobs go on idle processors, with slurmctld's
 * defaults.
 *
 * Users have little else than identical jobs: arrays, and "now + 10 minutes".
 */
#include "tests/unit/host.h"
#include "tests/unit/test.h"

#include "sim/base/rng.h"

enum { PROCS = 16, CASES = 500 };

/* What was promised of each processor. */
struct load {
	uint32_t jobs[PROCS], bets[PROCS];
	double share[PROCS];
};

static void add(struct load *load, const struct libra_engine *e,
		const struct libra_verdict *v)
{
	struct libra_range at[PROCS];
	int64_t n = libra_engine_placement(e, v->ticket, at, PROCS);

	assert_in_range(n, 1, PROCS);
	for (int64_t i = 0; i < n; i++)
		for (uint32_t p = at[i].first; p < at[i].first + at[i].count;
		     p++) {
			load->jobs[p]++;
			load->bets[p] += v->late_s > 0;
			load->share[p] += v->share;
		}
}

static bool any_idle(const struct load *load)
{
	for (uint32_t p = 0; p < PROCS; p++)
		if (load->jobs[p] == 0)
			return true;
	return false;
}

/* A bet has its processors for itself, and what is promised of one is at most
 * all of it.  Jobs that take turns are apart as long as a processor is idle, as
 * are jobs that share and of which no two fit on one.
 */
static void check(const struct load *load, bool shares, double share)
{
	bool idle = any_idle(load);

	for (uint32_t p = 0; p < PROCS; p++) {
		if (load->bets[p] > 0)
			assert_int_equal(load->jobs[p], 1);
		else if (shares)
			assert_true(load->share[p] <= 1 + 1e-9);
		if (idle && (!shares || 2 * share > 1 + 1e-9))
			assert_true(load->jobs[p] <= 1);
	}
}

/* Result: how many jobs were accepted. */
static uint32_t submit_identical(const char *policy, struct rng_stream *s)
{
	struct libra_engine *e = host_cluster_engine(policy, PROCS);
	bool shares = libra_engine_policy(e)->mode == LIBRA_SHARE &&
		      !libra_engine_policy(e)->ranked;
	double estimate_s = 60 + 3600 * rng_uniform(s), now_s = 1e9;
	double rel_s = estimate_s * (0.5 + 3.5 * rng_uniform(s));
	uint32_t nprocs = 1u << (uint32_t)(3 * rng_uniform(s)), n = 0;
	uint32_t njobs = 1 + (uint32_t)(40 * rng_uniform(s));
	struct load load = {0};

	for (uint32_t i = 0; i < njobs; i++) {
		struct libra_job job =
			host_job(now_s, estimate_s, rel_s, nprocs);
		struct libra_verdict v = host_offer(e, job, now_s);

		if (v.answer != LIBRA_ACCEPT)
			break;
		n++;
		add(&load, e, &v);
		check(&load, shares, estimate_s / rel_s);
		libra_engine_commit(e, v.ticket, i + 1, now_s);
		host_obey(e, now_s);
	}
	libra_engine_destroy(e);
	return n;
}

static void identical_jobs_spread_over_idle_processors(void **state)
{
	static const char *const policies[] = {"libra", "librarisk", "demand",
					       "band"};

	for (int p = 0; p < 4; p++) {
		struct rng_stream s;
		uint32_t accepted = 0;

		rng_stream_init(&s, 11, policies[p], 0);
		for (int i = 0; i < CASES; i++)
			accepted += submit_identical(policies[p], &s);
		print_message("%s: %u accepted in %d cases\n", policies[p],
			      accepted, CASES);
		assert_true(accepted > 4 * CASES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identical_jobs_spread_over_idle_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
