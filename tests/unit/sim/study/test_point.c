/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_point.c - the order and the fingerprint of points. */
#include "core/param.h"
#include "sim/study/point.h"
#include "tests/unit/test.h"

static const struct libra_param param = {.name = "p", .value = 0.5};
static const struct libra_policy_type a = {
	.name = "a", .params = &param, .nparams = 1};
static const struct libra_policy_type b = {.name = "b"};

static const double quarter = 0.25, half = 0.5;

static struct sim_point point_of(const struct libra_policy_type *policy,
				 const double *params)
{
	struct sim_point p = {.policy = policy, .params = params};

	sim_scenario_init(&p.scenario);
	return p;
}

/* Different by the order and by the fingerprint. */
static void assert_different(const struct sim_point *x,
			     const struct sim_point *y)
{
	char key[2][SIM_POINT_KEY_SIZE];
	int c = sim_point_compare(x, y);

	assert_int_not_equal(c, 0);
	assert_true((c < 0) == (sim_point_compare(y, x) > 0));
	sim_point_key(x, "log", key[0]);
	sim_point_key(y, "log", key[1]);
	assert_string_not_equal(key[0], key[1]);
}

static void padding_does_not_count(void **state)
{
	struct sim_point x, y;

	memset(&x, 0xff, sizeof(x));
	memset(&y, 0, sizeof(y));
	x.scenario.procs = y.scenario.procs = 3;
	x.scenario.node_procs = y.scenario.node_procs = 4;
	x.scenario.few_nodes = y.scenario.few_nodes = true;
	x.scenario.last = y.scenario.last = 0;
	x.scenario.keep_unrun = y.scenario.keep_unrun = true;
	x.scenario.kill_at_estimate = y.scenario.kill_at_estimate = false;
	x.scenario.size = y.scenario.size = SIM_SIZE_REQUESTED;
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		sim_scenario_set(&x.scenario, i, 2.385);
		sim_scenario_set(&y.scenario, i, 2.385);
	}
	x.scenario.budget_base = y.scenario.budget_base = 1;
	x.scenario.penalty_base = y.scenario.penalty_base = 1;
	x.scenario.deadline_model = y.scenario.deadline_model = 1;
	x.scenario.execution = y.scenario.execution = 1;
	x.scenario.correct = y.scenario.correct = 0;
	x.scenario.ordinary_pct = y.scenario.ordinary_pct = -1;
	for (int i = 0; i < SIM_NNAMES; i++) {
		sim_prediction_set(&x.scenario.prediction, i, 1);
		sim_prediction_set(&y.scenario.prediction, i, 1);
	}
	x.scenario.seed = y.scenario.seed = 1;
	assert_int_not_equal(
		memcmp(&x.scenario, &y.scenario, sizeof(x.scenario)), 0);
	assert_int_equal(sim_scenario_compare(&x.scenario, &y.scenario), 0);
}

static void every_member_of_a_scenario_counts(void **state)
{
	const struct sim_point x = point_of(&b, NULL);
	struct sim_point y;

	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		y = x;
		sim_scenario_set(&y.scenario, i, 0.1234);
		assert_different(&x, &y);
	}
#define CHANGED(member, value)                                                 \
	y = x;                                                                 \
	y.scenario.member = value;                                             \
	assert_different(&x, &y)

	CHANGED(procs, 77);
	CHANGED(node_procs, 4);
	CHANGED(few_nodes, true);
	CHANGED(last, 77);
	CHANGED(keep_unrun, true);
	CHANGED(kill_at_estimate, true);
	CHANGED(size, SIM_SIZE_ALLOCATED);
	CHANGED(budget_base, SIM_BUDGET_RUN);
	CHANGED(penalty_base, SIM_PENALTY_ONE);
	CHANGED(deadline_model, SIM_DEADLINE_USER);
	CHANGED(execution, SIM_COUPLED);
	CHANGED(correct, 0.9);
	CHANGED(ordinary_pct, 25);
	CHANGED(prediction.predictor, SIM_PREDICT_LAST_TWO);
	CHANGED(prediction.correction, SIM_CORRECTION_DOUBLE);
	CHANGED(prediction.event_order, SIM_ORDER_SC15);
	CHANGED(prediction.filter, SIM_FILTER_SC15);
	CHANGED(seed, 77);
	/* A member that this test does not know makes the struct larger than
	 * those above with the padding between them.
	 */
	assert_in_range(sizeof(y.scenario) -
				(sim_scenario_nfields + 3) * sizeof(double) -
				sizeof(size_t) -
				(7 + SIM_NNAMES) * sizeof(int32_t) - 3,
			0, 7);
}

/* As doubles both would be 2^53. */
static void large_seeds_are_told_apart(void **state)
{
	struct sim_point x = point_of(&b, NULL), y = x;

	x.scenario.seed = UINT64_C(9007199254740992);
	y.scenario.seed = UINT64_C(9007199254740993);
	assert_different(&x, &y);
}

static void policy_and_parameters_count(void **state)
{
	struct sim_point of_a = point_of(&a, NULL), of_b = point_of(&b, NULL);
	struct sim_point same = point_of(&a, &half);
	struct sim_point other = point_of(&a, &quarter);
	char key[2][SIM_POINT_KEY_SIZE];

	assert_different(&of_a, &of_b);
	assert_different(&of_a, &other);
	assert_int_equal(sim_point_compare(&of_a, &same), 0);
	sim_point_key(&of_a, "log", key[0]);
	sim_point_key(&same, "log", key[1]);
	assert_string_equal(key[0], key[1]);
	assert_int_equal(strlen(key[0]), SIM_POINT_KEY_SIZE - 1);
	sim_point_key(&same, "another log", key[1]);
	assert_string_not_equal(key[0], key[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(padding_does_not_count),
		cmocka_unit_test(every_member_of_a_scenario_counts),
		cmocka_unit_test(large_seeds_are_told_apart),
		cmocka_unit_test(policy_and_parameters_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
