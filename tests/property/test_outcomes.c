/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_outcomes.c - what must come out of any run, under any policy. */
#include "core/policy/policies.h"
#include "tests/property/workloads.h"

/* Each job is decided once, and each accepted one ends once, after it began,
 * not before its work can be done.
 */
static void check_outcomes(const struct sim_workload *w,
			   const struct sim_outcome *o,
			   const struct sim_result *r)
{
	size_t accepted = 0, fulfilled = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *j = &w->jobs[i];

		accepted += o[i].accepted;
		fulfilled += o[i].fulfilled;
		assert_int_equal(o[i].accepted, isfinite(o[i].finish_s));
		assert_int_equal(o[i].accepted,
				 o[i].reason == LIBRA_REASON_NONE);
		if (!o[i].accepted)
			continue;
		assert_true(o[i].start_s >= j->job.submit_s);
		assert_true(o[i].finish_s >=
			    o[i].start_s + j->runtime_s - 2e-6);
		assert_int_equal(o[i].fulfilled,
				 o[i].finish_s <= j->job.deadline_s + 1e-6);
	}
	assert_int_equal(r->submitted, w->njobs);
	assert_int_equal(r->accepted, accepted);
	assert_int_equal(r->fulfilled, fulfilled);
}

static void every_job_is_decided_and_departs_once(void **state)
{
	static struct sim_outcome o[MAX_JOBS];
	struct sim_result r;

	for (uint64_t seed = 100; seed < 120; seed++) {
		struct sim_workload w;

		make(&w, &loaded, seed);
		for (size_t i = 0; libra_policies[i]; i++) {
			simulate(&w, libra_policies[i], o, &r);
			check_outcomes(&w, o, &r);
			if (libra_policies[i] == &libra_policy_easy ||
			    libra_policies[i] == &libra_policy_easy_sjbf ||
			    libra_policies[i] == &libra_policy_fcfs)
				assert_int_equal(r.accepted, w.njobs);
		}
		free(w.jobs);
	}
}

static void accepted_with_exact_estimates_means_fulfilled(void **state)
{
	static const struct libra_policy_type *const policies[] = {
		&libra_policy_libra, &libra_policy_librarisk,
		&libra_policy_edf};
	static struct sim_outcome o[MAX_JOBS];
	struct sim_result r;

	for (uint64_t seed = 200; seed < 240; seed++) {
		struct sim_workload w;

		make(&w, &exact, seed);
		for (int i = 0; i < 3; i++) {
			simulate(&w, policies[i], o, &r);
			assert_true(r.accepted > 20 && r.accepted < w.njobs);
			assert_int_equal(r.fulfilled, r.accepted);
		}
		free(w.jobs);
	}
}

/* Jobs of one processor whose estimates are exact. */
struct kept {
	struct libra_engine *e;
	uint64_t ticket[MAX_JOBS];
	double end_s[MAX_JOBS]; /* at the latest; INFINITY for a bet */
	size_t n;
};

/* End the jobs that end until then, in their order. */
static void end_until(struct kept *k, double *now_s, double to_s)
{
	for (;;) {
		double first_s = INFINITY;
		size_t first = 0;

		for (size_t i = 0; i < k->n; i++) {
			double rate, left_s = libra_engine_left_s(
					     k->e, k->ticket[i], *now_s, &rate);

			if (*now_s + fmax(left_s, 0) / rate < first_s) {
				first_s = *now_s + fmax(left_s, 0) / rate;
				first = i;
			}
		}
		if (first_s > to_s)
			break;
		*now_s = first_s;
		assert_true(first_s <= k->end_s[first] + 1e-6);
		assert_int_equal(
			libra_engine_departed(k->e, k->ticket[first], *now_s),
			0);
		k->ticket[first] = k->ticket[--k->n];
		k->end_s[first] = k->end_s[k->n];
	}
	*now_s = to_s;
}

/* Jobs in time by their verdicts are in time, whoever comes after them; bets
 * are best effort. Result: how many were bets.
 */
static size_t check_verdicts_come_true(const char *policy, uint64_t seed)
{
	struct kept k = {.e = host_cluster_engine(policy, MAX_PROCS)};
	double now_s = 0;
	struct rng_stream s;
	size_t bets = 0;

	rng_stream_init(&s, seed, "verdicts", 0);
	for (int i = 0; i < 500; i++) {
		struct libra_job job = {.nprocs = 1};
		struct libra_verdict v;

		end_until(&k, &now_s, now_s + pick(&s, 12));
		job.submit_s = now_s;
		job.estimate_s = 1 + pick(&s, 200);
		job.deadline_s = now_s + job.estimate_s * draw(&s, 0.4, 4);
		job.deadline_s = ceil(job.deadline_s / 100) * 100;
		if (job.deadline_s <= now_s || k.n == MAX_JOBS)
			continue;
		v = host_offer(k.e, job, now_s);
		if (v.answer != LIBRA_ACCEPT)
			continue;
		bets += v.late_s > 0;
		libra_engine_commit(k.e, v.ticket, 1, now_s);
		host_obey(k.e, now_s);
		k.ticket[k.n] = v.ticket;
		k.end_s[k.n++] = v.late_s > 0 ? INFINITY : job.deadline_s;
	}
	libra_engine_destroy(k.e);
	return bets;
}

static void what_verdicts_say_comes_true(void **state)
{
	size_t bets = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		assert_int_equal(check_verdicts_come_true("libra", seed), 0);
		bets += check_verdicts_come_true("librarisk", seed);
	}
	assert_true(bets > 20);
}

/* As many equal jobs as there are processors: each has one where the paper's
 * rule would put all on the first.
 */
static void equal_jobs_are_spread(void **state)
{
	for (int cluster = 0; cluster < 2; cluster++) {
		struct libra_engine *e =
			cluster ? host_cluster_engine("librarisk", MAX_PROCS)
				: host_engine("librarisk", 1, MAX_PROCS);

		for (uint32_t i = 0; i < MAX_PROCS; i++) {
			uint64_t ticket =
				host_submit(e, host_job(0, 540, 600, 1), 0);

			assert_placed(e, ticket, cluster ? i : 0, 1);
		}
		libra_engine_destroy(e);
	}
}

static void same_inputs_give_the_same_bytes(void **state)
{
	static struct sim_outcome a[MAX_JOBS], b[MAX_JOBS];
	struct sim_result ra, rb;

	for (size_t i = 0; libra_policies[i]; i++) {
		struct sim_workload w, again;

		memset(a, 0, sizeof(a));
		memset(b, 0, sizeof(b));
		memset(&ra, 0, sizeof(ra));
		memset(&rb, 0, sizeof(rb));
		make(&w, &loaded, 300 + i);
		make(&again, &loaded, 300 + i);
		simulate(&w, libra_policies[i], a, &ra);
		simulate(&again, libra_policies[i], b, &rb);
		assert_memory_equal(&ra, &rb, sizeof(ra));
		assert_memory_equal(a, b, sizeof(a));
		free(w.jobs);
		free(again.jobs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_decided_and_departs_once),
		cmocka_unit_test(accepted_with_exact_estimates_means_fulfilled),
		cmocka_unit_test(what_verdicts_say_comes_true),
		cmocka_unit_test(equal_jobs_are_spread),
		cmocka_unit_test(same_inputs_give_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
