/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario.c - defaults, names, the table of fields, checks.
 *
 * The table of fields has the place of each number in struct sim_scenario, so
 * that options, files and comparisons need no code for a new one.
 */
#include "sim/workload/scenario.h"

#include <errno.h>
#include <string.h>

void sim_scenario_init(struct sim_scenario *sc)
{
	*sc = (struct sim_scenario){
		.size = SIM_SIZE_REQUESTED,
		.arrival_delay = 1.0,
		.inaccuracy_pct = 100.0,
		.high_urgency_pct = 20.0,
		.deadline_mean = 4.0,
		.deadline_ratio = 4.0,
		.deadline_cv = 0.25,
		.deadline_bias = 1.0,
		.budget_mean = 4.0,
		.budget_ratio = 4.0,
		.budget_cv = 0.25,
		.budget_bias = 1.0,
		.penalty_mean = 4.0,
		.penalty_ratio = 4.0,
		.penalty_cv = 0.25,
		.penalty_bias = 1.0,
		.budget_base = SIM_BUDGET_RUN_PROCS,
		.penalty_base = SIM_PENALTY_PROCS,
		.deadline_model = SIM_DEADLINE_RUN,
		.execution = SIM_INDEPENDENT,
		.ordinary_pct = -1,
		.prediction = {.quantile = SIM_QUANTILE_USUAL,
			       .depth = SIM_DEPTH_USUAL,
			       .window = SIM_WINDOW_USUAL},
		.seed = 1,
	};
}

static const char *const model_names[] = {
	[SIM_DEADLINE_RUN] = "run",
	[SIM_DEADLINE_ESTIMATE] = "estimate",
	[SIM_DEADLINE_USER] = "user",
};

const char *sim_deadline_model_name(enum sim_deadline_model model)
{
	return model_names[model];
}

enum sim_deadline_model sim_deadline_model_find(const char *name)
{
	for (int i = SIM_DEADLINE_RUN; i <= SIM_DEADLINE_USER; i++)
		if (strcmp(model_names[i], name) == 0)
			return (enum sim_deadline_model)i;
	return 0;
}

void sim_scenario_deadlines(struct sim_scenario *sc,
			    enum sim_deadline_model model)
{
	bool estimate = model == SIM_DEADLINE_ESTIMATE;

	sc->deadline_model = model;
	sc->deadline_mean = estimate ? 1.5 : 4;
	sc->deadline_ratio = estimate ? 4 / 1.5 : 4;
}

static const char *const execution_names[] = {
	[SIM_INDEPENDENT] = "independent",
	[SIM_COUPLED] = "coupled",
	[SIM_SPINNING] = "spinning",
};

const char *sim_execution_name(enum sim_execution execution)
{
	return execution_names[execution];
}

enum sim_execution sim_execution_find(const char *name)
{
	for (int i = SIM_INDEPENDENT; i <= SIM_SPINNING; i++)
		if (name && strcmp(execution_names[i], name) == 0)
			return (enum sim_execution)i;
	return 0;
}

static const char *const size_names[] = {
	[SIM_SIZE_REQUESTED] = "requested",
	[SIM_SIZE_ALLOCATED] = "allocated",
};

const char *sim_size_name(enum sim_size size)
{
	return size_names[size];
}

enum sim_size sim_size_find(const char *name)
{
	for (int i = SIM_SIZE_REQUESTED; i <= SIM_SIZE_ALLOCATED; i++)
		if (strcmp(size_names[i], name) == 0)
			return (enum sim_size)i;
	return 0;
}

#define FIELD(field) offsetof(struct sim_scenario, field)

const struct sim_scenario_field sim_scenario_fields[] = {
	{"arrival-delay", "F", "", FIELD(arrival_delay), 0, 1e6,
	 "Multiply the times between arrivals"},
	{"inaccuracy", "PCT", "%", FIELD(inaccuracy_pct), 0, 100,
	 "Estimates: 0 = the real run time, 100 = the user's"},
	{"high-urgency", "PCT", "%", FIELD(high_urgency_pct), 0, 100,
	 "Jobs of the high urgency class"},
	{"deadline-mean", "X", "", FIELD(deadline_mean), 0.01, 1e6,
	 "Mean of deadline / run time, high urgency class"},
	{"deadline-ratio", "R", "", FIELD(deadline_ratio), 0.01, 1e6,
	 "The low urgency class's mean is R times that"},
	{"deadline-cv", "C", "", FIELD(deadline_cv), 0, 10,
	 "Coefficient of variation of deadline / run time"},
	{"deadline-bias", "B", "", FIELD(deadline_bias), 0.01, 1e6,
	 "Divide the deadlines of jobs longer than the mean by B, multiply "
	 "those of shorter ones by B"},
	{"budget-mean", "X", "", FIELD(budget_mean), 0, 1e6,
	 "Mean of budget / its base, low urgency class"},
	{"budget-ratio", "R", "", FIELD(budget_ratio), 0.01, 1e6,
	 "The high urgency class's mean is R times that"},
	{"budget-cv", "C", "", FIELD(budget_cv), 0, 10,
	 "Coefficient of variation of budget / its base"},
	{"budget-bias", "B", "", FIELD(budget_bias), 0.01, 1e6,
	 "As --deadline-bias, of budgets"},
	{"penalty-mean", "X", "", FIELD(penalty_mean), 0, 1e6,
	 "Mean of penalty rate / its base, low urgency class"},
	{"penalty-ratio", "R", "", FIELD(penalty_ratio), 0.01, 1e6,
	 "The high urgency class's mean is R times that"},
	{"penalty-cv", "C", "", FIELD(penalty_cv), 0, 10,
	 "Coefficient of variation of penalty rate / its base"},
	{"penalty-bias", "B", "", FIELD(penalty_bias), 0.01, 1e6,
	 "As --deadline-bias, of penalty rates"},
	{"predictor-quantile", "Q", "", FIELD(prediction.quantile), 0.01, 0.99,
	 "Of the ratios of run time to request that the predictor quantile "
	 "takes"},
	{"predictor-window", "DAYS", "d", FIELD(prediction.window), 1, 1e6,
	 "How far the predictor leader looks back"},
	{"predictor-depth", "N", "", FIELD(prediction.depth), 1, SIM_DEPTH_MAX,
	 "How many of the user's last jobs it looks at"},
};

const size_t sim_scenario_nfields =
	sizeof(sim_scenario_fields) / sizeof(sim_scenario_fields[0]);

double sim_scenario_value(const struct sim_scenario *sc, size_t field)
{
	return *(const double *)((const char *)sc +
				 sim_scenario_fields[field].offset);
}

void sim_scenario_set(struct sim_scenario *sc, size_t field, double value)
{
	*(double *)((char *)sc + sim_scenario_fields[field].offset) = value;
}

const char *const sim_scenario_whole_names[SIM_SCENARIO_NWHOLE] = {
	"procs",	  "node_procs", "few_nodes",	    "last",
	"seed",		  "keep_unrun", "kill_at_estimate", "size",
	"deadline_model", "execution",	"budget_base",	    "penalty_base",
	"predictor",	  "correction", "event_order",	    "filter",
};

void sim_scenario_whole(const struct sim_scenario *sc,
			uint64_t value[SIM_SCENARIO_NWHOLE])
{
	const uint64_t all[SIM_SCENARIO_NWHOLE] = {
		sc->procs,
		sc->node_procs,
		sc->few_nodes,
		sc->last,
		sc->seed,
		sc->keep_unrun,
		sc->kill_at_estimate,
		sc->size,
		sc->deadline_model,
		sc->execution,
		sc->budget_base,
		sc->penalty_base,
		(uint64_t)sc->prediction.predictor,
		(uint64_t)sc->prediction.correction,
		(uint64_t)sc->prediction.event_order,
		(uint64_t)sc->prediction.filter,
	};

	memcpy(value, all, sizeof(all));
}

int sim_scenario_compare(const struct sim_scenario *a,
			 const struct sim_scenario *b)
{
	uint64_t x[SIM_SCENARIO_NWHOLE], y[SIM_SCENARIO_NWHOLE];

	sim_scenario_whole(a, x);
	sim_scenario_whole(b, y);
	for (size_t i = 0; i < SIM_SCENARIO_NWHOLE; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		double v = sim_scenario_value(a, i);
		double w = sim_scenario_value(b, i);

		if (v != w)
			return v < w ? -1 : 1;
	}
	if (a->ordinary_pct != b->ordinary_pct)
		return a->ordinary_pct < b->ordinary_pct ? -1 : 1;
	return (a->correct > b->correct) - (a->correct < b->correct);
}

static const char *const budget_bases[] = {
	[SIM_BUDGET_RUN_PROCS] = "run-procs",
	[SIM_BUDGET_RUN] = "run",
};

static const char *const penalty_bases[] = {
	[SIM_PENALTY_PROCS] = "procs",
	[SIM_PENALTY_ONE] = "one",
	[SIM_PENALTY_RUN_HOURS] = "run-hours",
	[SIM_PENALTY_RUN] = "run",
};

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

/* Index of a name in a table that begins at 1, or 0. */
static size_t find_name(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return 0;
}

const char *sim_budget_base_name(enum sim_budget_base base)
{
	return budget_bases[base];
}

const char *sim_penalty_base_name(enum sim_penalty_base base)
{
	return penalty_bases[base];
}

enum sim_budget_base sim_budget_base_find(const char *name)
{
	return (enum sim_budget_base)find_name(budget_bases,
					       COUNT(budget_bases), name);
}

enum sim_penalty_base sim_penalty_base_find(const char *name)
{
	return (enum sim_penalty_base)find_name(penalty_bases,
						COUNT(penalty_bases), name);
}

/* Written so that NAN is refused. */
int sim_scenario_check(const struct sim_scenario *sc, struct libra_error *err)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];
		double v = sim_scenario_value(sc, i);

		if (!(v >= f->min && v <= f->max))
			return libra_errf(err, EINVAL,
					  "%s must be from %g to %g, not %g",
					  f->name, f->min, f->max, v);
	}
	if (sc->few_nodes && sc->node_procs == 0)
		return libra_errf(err, EINVAL,
				  "few_nodes needs node_procs: without nodes "
				  "there are no few");
	if (sc->size != SIM_SIZE_REQUESTED && sc->size != SIM_SIZE_ALLOCATED)
		return libra_errf(err, EINVAL,
				  "no such choice of processors: %d",
				  (int)sc->size);
	if (sc->budget_base < 1 || sc->budget_base >= COUNT(budget_bases))
		return libra_errf(err, EINVAL, "no such base of budgets: %d",
				  (int)sc->budget_base);
	if (sc->penalty_base < 1 || sc->penalty_base >= COUNT(penalty_bases))
		return libra_errf(err, EINVAL, "no such base of penalties: %d",
				  (int)sc->penalty_base);
	if (sc->execution < SIM_INDEPENDENT || sc->execution > SIM_SPINNING)
		return libra_errf(err, EINVAL, "no such execution model: %d",
				  (int)sc->execution);
	if (sc->correct != 0 &&
	    !(sc->correct >= SIM_CORRECT_MIN && sc->correct <= SIM_CORRECT_MAX))
		return libra_errf(
			err, EINVAL, "correct must be from %g to %g, not %g",
			SIM_CORRECT_MIN, SIM_CORRECT_MAX, sc->correct);
	if (sc->ordinary_pct != -1 &&
	    !(sc->ordinary_pct >= 0 && sc->ordinary_pct <= 100))
		return libra_errf(err, EINVAL,
				  "ordinary must be from 0 to 100, not %g",
				  sc->ordinary_pct);
	if (sc->correct != 0 && sc->prediction.predictor != 0)
		return libra_errf(err, EINVAL,
				  "correct and predictor are two predictions: "
				  "take one");
	if (sim_prediction_check(&sc->prediction, err) < 0)
		return -1;
	if (sc->deadline_model < SIM_DEADLINE_RUN ||
	    sc->deadline_model > SIM_DEADLINE_USER)
		return libra_errf(err, EINVAL, "no such deadline model: %d",
				  (int)sc->deadline_model);
	return 0;
}
