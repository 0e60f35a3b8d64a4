/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_exec.c - the execution models, worked by hand, and the deadline models.
 *
 * Workloads are written down job by job; the estimates are exact unless said
 * otherwise, so that nothing but the model matters.
 */
#include "sim/run/exec.h"
#include "sim/run/run.h"
#include "tests/countdown.h"
#include "tests/unit/host.h"
#include "tests/unit/test.h"

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return refuse() ? NULL : __real_calloc(n, size);
}

struct row {
	double submit_s, runtime_s, estimate_s, deadline_s; /* relative */
	uint32_t nprocs;
};

/* The finish of each job, NAN if it was refused. */
static void finishes_with(const char *policy, const double *params,
			  enum sim_execution execution, uint32_t procs,
			  const struct row *rows, size_t n, double *finish_s)
{
	struct sim_job jobs[8];
	struct sim_workload w = {
		.jobs = jobs,
		.njobs = n,
		.procs = procs,
		.execution = execution,
	};
	struct sim_outcome outcomes[8];
	struct sim_result result;

	for (size_t i = 0; i < n; i++)
		jobs[i] = (struct sim_job){
			.job = {.id = i + 1,
				.submit_s = rows[i].submit_s,
				.estimate_s = rows[i].estimate_s,
				.deadline_s =
					rows[i].submit_s + rows[i].deadline_s,
				.nprocs = rows[i].nprocs},
			.runtime_s = rows[i].runtime_s,
			.deadline_rel_s = rows[i].deadline_s,
		};
	assert_int_equal(sim_run(&w, libra_policy_find(policy, NULL), params,
				 &result, outcomes, NULL),
			 0);
	for (size_t i = 0; i < n; i++)
		finish_s[i] = outcomes[i].finish_s;
}

static void finishes(const char *policy, enum sim_execution execution,
		     uint32_t procs, const struct row *rows, size_t n,
		     double *finish_s)
{
	finishes_with(policy, NULL, execution, procs, rows, n, finish_s);
}

/* A on processor 0, B on 1, W on both; deadline 200 for all.
 *
 *     A: 40 s, share 0.2    B: 80 s, share 0.4    W: 60 s, share 0.3
 */
static const struct row three[] = {
	{0, 40, 40, 200, 1},
	{0, 80, 80, 200, 1},
	{0, 60, 60, 200, 2},
};

/* libra's best fit puts B beside A: give B an estimate that does not fit. */
static const struct row apart[] = {
	{0, 90, 90, 100, 1}, /* share 0.9 on processor 0 */
	{0, 40, 40, 100, 1}, /* 0.4: only processor 1 has room */
	{0, 10, 10, 100, 2}, /* 0.1 on both */
};

/* Processor 0: 0.9 and 0.1, processor 1: 0.4 and 0.1.
 *
 * A runs at 0.9, W's first part at 0.1; on 1 B runs at 0.8 and W's second part
 * at 0.2.  B ends at 50, when W's second part has 10: it ends then too.  W's
 * first part and A end at 100.
 */
static void independent_parts_go_at_their_own_rates(void **state)
{
	double f[3];

	finishes("libra", SIM_INDEPENDENT, 2, apart, 3, f);
	assert_near(f[0], 100, 1e-6);
	assert_near(f[1], 50, 1e-6);
	assert_near(f[2], 100, 1e-6);
}

/* Weights 0.9, 0.4, 0.1.  Raised together processor 0 is full at t = 1: A 0.9,
 * W 0.1.  B is raised further, to 1 - 0.1 = 0.9, and ends at 40 / 0.9 = 44.4.
 * Then shares are renewed: A has 50 s left of 55.6, W 5.56 of 55.6: 0.9 and
 * 0.1 again, so both end at 100.
 */
static void coupled_parts_hand_their_rest_over(void **state)
{
	double f[3];

	finishes("libra", SIM_COUPLED, 2, apart, 3, f);
	assert_near(f[0], 100, 1e-6);
	assert_near(f[1], 40 / 0.9, 1e-6);
	assert_near(f[2], 100, 1e-6);
}

/* B gets 0.4 / 0.5 = 0.8 of processor 1, W's part there 0.2 of which it uses
 * 0.1, the least of its parts': B ends at 50.  At 50 A has 45 left of 50 s and
 * W 5 of 50 s: rates 0.9 and 0.1 on processor 0; on 1 W is alone.  Both end at
 * 100.
 */
static void spinning_parts_burn_their_rest(void **state)
{
	double f[3];

	finishes("libra", SIM_SPINNING, 2, apart, 3, f);
	assert_near(f[0], 100, 1e-6);
	assert_near(f[1], 50, 1e-6);
	assert_near(f[2], 100, 1e-6);
}

/* Estimates twice the run time: the shares are 0.45, 0.4, 0.1 at 0.
 *
 * All three fit on processor 0 for libra's best fit but for W, which needs
 * both.  Processor 0: A, B, W (0.95), processor 1: W.  Full at
 * t = 1 / 0.95: rates 0.45 / 0.95, 0.4 / 0.95, 0.1 / 0.95.  Independent: the
 * second part of W has processor 1 for itself and ends at 5.
 */
static void a_job_ends_with_its_slowest_part(void **state)
{
	static const struct row rows[] = {
		{0, 22.5, 45, 100, 1},
		{0, 20, 40, 100, 1},
		{0, 5, 10, 100, 2},
	};
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes("libra", (enum sim_execution)x, 2, rows, 3, f);
		/* 22.5 / (0.45 / 0.95) = 20 / (0.4 / 0.95) = 47.5. */
		assert_near(f[0], 47.5, 1e-6);
		assert_near(f[1], 47.5, 1e-6);
		assert_near(f[2], 47.5, 1e-6);
	}
}

/* late_yields, the only parameter of libra. */
static const double yields[] = {1};

/* A is late from 50 on, when it has executed 50 s.  B comes at 60 with a share
 * of 25 / 50 = 0.5 and gets just that; A gets the rest.  B ends at 110, when A
 * has executed 60 + 25 s, and A after 115 s more.  Where late jobs do not yield
 * B is refused, as A counts as 1.
 */
static void a_late_job_gets_what_is_left(void **state)
{
	static const struct row rows[] = {
		{0, 200, 40, 50, 1},
		{60, 25, 25, 50, 1},
	};
	double f[2];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes_with("libra", yields, (enum sim_execution)x, 1, rows,
			      2, f);
		assert_near(f[0], 225, 1e-4);
		assert_near(f[1], 110, 1e-4);
		finishes("libra", (enum sim_execution)x, 1, rows, 2, f);
		assert_near(f[0], 200, 1e-4);
		assert_true(isnan(f[1]));
	}
}

/* L is on both processors and late from 50 on.  From 60 on A needs 0.6 of
 * processor 0 and B 0.5 of 1, so that they leave L 0.4 and 0.5.  Coupled, L can
 * use 0.4 of each, and B has the 0.1 that is left: B ends at 60 + 50 / 0.6, A
 * at 160.  L has executed 60 + 0.4 x 100 by then and ends 400 s later.
 * Spinning, L burns the 0.1 and B ends at 160; as it does where parts are
 * independent and L ends with its slower one, on processor 0.
 */
static void a_late_job_waits_for_its_slowest_part(void **state)
{
	static const struct row rows[] = {
		{0, 500, 40, 50, 2},
		{60, 60, 60, 100, 1},
		{60, 50, 50, 100, 1},
	};
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes_with("libra", yields, (enum sim_execution)x, 2, rows,
			      3, f);
		assert_near(f[0], 560, 1e-3);
		assert_near(f[1], 160, 1e-3);
		assert_near(f[2], x == SIM_COUPLED ? 60 + 50 / 0.6 : 160, 1e-3);
	}
}

/* demand, most slack first.  A (25 s, said 62, by 100) goes to 0.  C (30 s by
 * 40) would leave 8 there and leaves 10 on 1.  W (20 s by 60) needs both:
 * earlier than A, later than C.
 *
 * independent: W's parts run 0-20 on 0 and 30-50 on 1; A runs 20-45.
 * coupled:     W waits for C until 30, so A runs 0-25 on 0; W 30-50.
 * spinning:    W's part on 0 burns 0-30 and W runs 30-50; A runs 50-75.
 */
static void priority_waits_for_all_parts(void **state)
{
	static const struct row rows[] = {
		{0, 25, 62, 100, 1},
		{0, 30, 30, 40, 1},
		{0, 20, 20, 60, 2},
	};
	const double expected[3][3] = {
		{45, 30, 50}, {25, 30, 50}, {75, 30, 50}};
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes("demand", (enum sim_execution)x, 2, rows, 3, f);
		for (int i = 0; i < 3; i++)
			assert_near(f[i], expected[x - 1][i], 1e-6);
	}
}

/* The same under band: C before W before A.  C takes 0 and A avoids it: A on
 * 1, C on 0... whoever lies where, parts run together: W waits for C until 30
 * and ends at 50; A, which shares one processor with W alone, runs meanwhile.
 */
static void band_is_the_same_in_all_models(void **state)
{
	static const struct row rows[] = {
		{0, 30, 30, 100, 1},
		{0, 30, 30, 40, 1},
		{0, 20, 20, 60, 2},
	};
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes("band", (enum sim_execution)x, 2, rows, 3, f);
		assert_near(f[0], 30, 1e-6);
		assert_near(f[1], 30, 1e-6);
		assert_near(f[2], 50, 1e-6);
	}
}

/* Space-shared jobs have their processors for themselves. */
static void queues_are_the_same_in_all_models(void **state)
{
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes("edf", (enum sim_execution)x, 2, three, 3, f);
		assert_near(f[0], 40, 1e-6);
		assert_near(f[1], 80, 1e-6);
		assert_near(f[2], 140, 1e-6);
	}
}

/* A late job asks for a whole processor (share 1), and the admission knows
 * what it really did.  One processor, LibraRisk: A runs 60 s, said 30, by 40.
 * At 50 it is late, so nothing is taken; at 60 it ends.
 */
static void the_engine_is_told_the_progress(void **state)
{
	static const struct row rows[] = {
		{0, 60, 30, 40, 1},
		{50, 10, 10, 100, 1},
		{60, 10, 10, 100, 1},
	};
	double f[3];

	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
		finishes("librarisk", (enum sim_execution)x, 1, rows, 3, f);
		assert_near(f[0], 60, 1e-6);
		assert_true(isnan(f[1]));
		assert_near(f[2], 70, 1e-6);
	}
}

/* ---- deadline models ---- */

/* Three jobs of two users: run times 100 and 300 (user 1), 50 (user 2). */
static const char log_text[] = "; MaxProcs: 4\n"
			       "1 0 0 100 1 -1 -1 1 400 -1 1 1 1 1 1 1 -1 -1\n"
			       "2 10 0 300 1 -1 -1 1 500 -1 1 1 1 1 1 1 -1 -1\n"
			       "3 20 0 50 1 -1 -1 1 60 -1 1 2 1 1 1 1 -1 -1\n";

static void make(struct sim_workload *w, enum sim_deadline_model model,
		 double urgent_pct)
{
	struct swf_trace trace;
	struct sim_scenario sc;
	char name[32];

	test_write_file(name, log_text, strlen(log_text));
	assert_int_equal(swf_read(&trace, name, NULL), 0);
	unlink(name);
	sim_scenario_init(&sc);
	sim_scenario_deadlines(&sc, model);
	sc.deadline_cv = 0;
	sc.high_urgency_pct = urgent_pct;
	assert_int_equal(sim_workload_make(w, &trace, &sc, NULL), 0);
	swf_fini(&trace);
}

static void assert_deadlines(enum sim_deadline_model model, double urgent_pct,
			     double a, double b, double c)
{
	struct sim_workload w;

	make(&w, model, urgent_pct);
	assert_near(w.jobs[0].deadline_rel_s, a, 1e-9);
	assert_near(w.jobs[1].deadline_rel_s, b, 1e-9);
	assert_near(w.jobs[2].deadline_rel_s, c, 1e-9);
	assert_near(w.jobs[1].job.deadline_s, 10 + b, 1e-9);
	sim_workload_fini(&w);
}

/* Without spread: urgent 4 and else 16 run times; 1.5 and 4 estimates; 4 and
 * 16 mean run times of the user (200 and 50).
 */
static void deadlines_are_multiples_of_what_was_chosen(void **state)
{
	assert_deadlines(SIM_DEADLINE_RUN, 100, 400, 1200, 200);
	assert_deadlines(SIM_DEADLINE_RUN, 0, 1600, 4800, 800);
	assert_deadlines(SIM_DEADLINE_ESTIMATE, 100, 600, 750, 90);
	assert_deadlines(SIM_DEADLINE_ESTIMATE, 0, 1600, 2000, 240);
	assert_deadlines(SIM_DEADLINE_USER, 100, 800, 800, 200);
	assert_deadlines(SIM_DEADLINE_USER, 0, 3200, 3200, 800);
}

/* A factor of 1.2 on a mean of 200 s is less than the 300 s of one job. */
static void a_users_deadline_is_never_below_the_run_time(void **state)
{
	struct swf_trace trace;
	struct sim_scenario sc;
	struct sim_workload w;
	char name[32];

	test_write_file(name, log_text, strlen(log_text));
	assert_int_equal(swf_read(&trace, name, NULL), 0);
	unlink(name);
	sim_scenario_init(&sc);
	sc.deadline_model = SIM_DEADLINE_USER;
	sc.deadline_mean = 1.2;
	sc.deadline_cv = 0;
	sc.high_urgency_pct = 100;
	assert_int_equal(sim_workload_make(&w, &trace, &sc, NULL), 0);
	assert_near(w.jobs[0].deadline_rel_s, 240, 1e-9);
	assert_near(w.jobs[1].deadline_rel_s, 300, 1e-9);
	sim_workload_fini(&w);
	swf_fini(&trace);
}

static void models_have_names(void **state)
{
	for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++)
		assert_int_equal(sim_execution_find(sim_execution_name(
					 (enum sim_execution)x)),
				 x);
	for (int m = SIM_DEADLINE_RUN; m <= SIM_DEADLINE_USER; m++)
		assert_int_equal(
			sim_deadline_model_find(sim_deadline_model_name(
				(enum sim_deadline_model)m)),
			m);
	assert_int_equal(sim_execution_find("together"), 0);
	assert_int_equal(sim_deadline_model_find("guess"), 0);
}

/* Rates that found no memory are found with the next call. */
static void coupled_rates_survive_a_lack_of_memory(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t ticket = host_submit(e, host_job(0, 10, 20, 1), 0);
	uint32_t slot = libra_ticket_slot(ticket);
	struct sim_exec x = {0};
	long at = 0;
	double next_s;

	sim_exec_init(&x, e, SIM_COUPLED);
	assert_int_equal(sim_exec_admit(&x, slot, 10), 0);
	assert_int_equal(x.type->start(&x, slot), 0);
	do {
		failed = false;
		countdown = at++;
		next_s = x.type->next_s(&x);
		countdown = -1;
		assert_int_equal(isnan(next_s), failed);
	} while (failed);
	assert_true(at > 3);
	assert_near(next_s, 10, 1e-9);
	sim_exec_fini(&x);
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(independent_parts_go_at_their_own_rates),
		cmocka_unit_test(coupled_parts_hand_their_rest_over),
		cmocka_unit_test(coupled_rates_survive_a_lack_of_memory),
		cmocka_unit_test(spinning_parts_burn_their_rest),
		cmocka_unit_test(a_job_ends_with_its_slowest_part),
		cmocka_unit_test(a_late_job_gets_what_is_left),
		cmocka_unit_test(a_late_job_waits_for_its_slowest_part),
		cmocka_unit_test(priority_waits_for_all_parts),
		cmocka_unit_test(band_is_the_same_in_all_models),
		cmocka_unit_test(queues_are_the_same_in_all_models),
		cmocka_unit_test(the_engine_is_told_the_progress),
		cmocka_unit_test(deadlines_are_multiples_of_what_was_chosen),
		cmocka_unit_test(a_users_deadline_is_never_below_the_run_time),
		cmocka_unit_test(models_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
