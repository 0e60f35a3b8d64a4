/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - the paper on integrated risk analysis: which points are run.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

#define LAST_JOBS    5000
#define SET_B_BIAS   14
#define DEFAULT_ADF  5 /* place of 1 among the workload's values */
#define OFFSET(name) offsetof(struct sim_scenario, name)

const char *const ipdps_policy_names[IPDPS_NPOLICIES] = {
	"fcfs-bf", "edf-bf", "libra", "librarisk", "firstreward"};
const char *const ipdps_policy_titles[IPDPS_NPOLICIES] = {
	"FCFS-BF", "EDF-BF", "Libra", "LibraRisk", "FirstReward"};
const char *const ipdps_objective_titles[IPDPS_NOBJECTIVES] = {
	"SLA", "reliability", "profit"};

/* Table 3. */
#define BIASES                                                                 \
	{                                                                      \
		{1, 2, 4, 6, 8, 10},                                           \
		{                                                              \
			1, 2, 4, 6, 8, 10                                      \
		}                                                              \
	}

const struct ipdps_scenario ipdps_scenarios[IPDPS_NSCENARIOS] = {
	[IPDPS_WORKLOAD] = {"workload",
			    "workload (arrival delay factor)",
			    {{0.02, 0.1, 0.25, 0.5, 0.75, 1},
			     {0.02, 0.1, 0.25, 0.5, 0.75, 1}},
			    OFFSET(arrival_delay)},
	[IPDPS_MIX] = {"job-mix",
		       "job mix (% of high urgency jobs)",
		       {{0, 20, 40, 60, 80, 100}, {0, 20, 40, 60, 80, 100}},
		       OFFSET(high_urgency_pct)},
	[IPDPS_DEADLINE] = {"deadline-bias",
			    "deadline bias",
			    {{1, 2, 4, 6, 8, 10}, {10, 12, 14, 16, 18, 20}},
			    OFFSET(deadline_bias)},
	[IPDPS_BUDGET] = {"budget-bias", "budget bias", BIASES,
			  OFFSET(budget_bias)},
	[IPDPS_PENALTY] = {"penalty-bias", "penalty bias", BIASES,
			   OFFSET(penalty_bias)},
};

const struct ipdps_reading ipdps_readings[IPDPS_NREADINGS] = {
	{"adopted",
	 "f = run time x processors, g = processors, the discount per second, "
	 "records that never ran left out",
	 false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 1},
	{"keep-unrun", "records that never ran given 1 s", true,
	 SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 1},
	{"per-hour", "FirstReward's discount per hour", false,
	 SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 3600},
	{"g-one", "g = 1", false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_ONE, 1},
	{"g-run-hours", "g = run time / 3600", false, SIM_BUDGET_RUN_PROCS,
	 SIM_PENALTY_RUN_HOURS, 1},
	{"f-run-g-one", "f = run time, g = 1", false, SIM_BUDGET_RUN,
	 SIM_PENALTY_ONE, 1},
	{"g-run", "g = run time in seconds", false, SIM_BUDGET_RUN_PROCS,
	 SIM_PENALTY_RUN, 1},
};

/* ---- what the points mean ---- */

double ipdps_value(const struct ipdps_study *s, size_t cell,
		   enum ipdps_objective o)
{
	return study_stat(&s->study, cell, s->column[o]).mean;
}

double ipdps_default(const struct ipdps_study *s, int reading,
		     enum ipdps_set set, enum ipdps_policy p,
		     enum ipdps_objective o)
{
	const long *cell = s->cell[reading][set][IPDPS_WORKLOAD][DEFAULT_ADF];

	return ipdps_value(s, (size_t)cell[p], o);
}

struct risk_point ipdps_integrated(const struct ipdps_study *s, int reading,
				   enum ipdps_set set,
				   enum ipdps_scenario_id sc,
				   enum ipdps_policy p, unsigned objectives)
{
	struct risk_point separate[IPDPS_NOBJECTIVES];
	double weights[IPDPS_NOBJECTIVES];
	size_t n = 0;

	for (int o = 0; o < IPDPS_NOBJECTIVES; o++)
		if (objectives & 1u << o)
			separate[n++] = s->point[reading][set][sc][p][o];
	for (size_t i = 0; i < n; i++)
		weights[i] = 1.0 / (double)n;
	return risk_integrated(separate, weights, n);
}

struct risk_point ipdps_mean(const struct ipdps_study *s, int reading,
			     enum ipdps_set set, enum ipdps_policy p,
			     unsigned objectives)
{
	struct risk_point mean = {0, 0};

	for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++) {
		struct risk_point point =
			ipdps_integrated(s, reading, set, sc, p, objectives);

		mean.performance += point.performance / IPDPS_NSCENARIOS;
		mean.volatility += point.volatility / IPDPS_NSCENARIOS;
	}
	return mean;
}

/* NAN where a policy accepted nothing: then no claim about it holds. */
static void analyze(struct ipdps_study *s, int reading, int set, int sc, int p)
{
	for (int o = 0; o < IPDPS_NOBJECTIVES; o++) {
		struct risk_point *point = &s->point[reading][set][sc][p][o];
		double value[IPDPS_NVALUES];

		for (int i = 0; i < IPDPS_NVALUES; i++)
			value[i] = ipdps_value(
				s, (size_t)s->cell[reading][set][sc][i][p], o);
		if (risk_separate(value, IPDPS_NVALUES, point) < 0)
			*point = (struct risk_point){NAN, NAN};
	}
}

static void analyze_all(struct ipdps_study *s)
{
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		for (int set = 0; set < IPDPS_NSETS; set++)
			for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
				for (int p = 0; p < IPDPS_NPOLICIES; p++)
					analyze(s, r, set, sc, p);
}

/* ---- the points ---- */

static struct sim_scenario set_base(const struct ipdps_study *s, int reading,
				    int set)
{
	const struct ipdps_reading *r = &ipdps_readings[reading];
	struct sim_scenario sc = s->base;

	sc.deadline_bias = set == IPDPS_A ? 1 : SET_B_BIAS;
	sc.keep_unrun = r->keep_unrun;
	sc.budget_base = r->f;
	sc.penalty_base = r->g;
	return sc;
}

static int add_point(struct ipdps_study *s, int reading, int set, int sc,
		     int value, struct libra_error *err)
{
	const struct ipdps_scenario *scenario = &ipdps_scenarios[sc];
	struct sim_scenario at = set_base(s, reading, set);

	*(double *)((char *)&at + scenario->offset) =
		scenario->value[set][value];
	for (int p = 0; p < IPDPS_NPOLICIES; p++) {
		bool hourly = p == IPDPS_FIRSTREWARD &&
			      ipdps_readings[reading].discount_unit_s != 1;
		long cell = study_add(&s->study, &at, s->policy[p],
				      hourly ? s->hourly : NULL, err);

		if (cell < 0)
			return -1;
		s->cell[reading][set][sc][value][p] = cell;
	}
	return 0;
}

static int add_reading(struct ipdps_study *s, int reading,
		       struct libra_error *err)
{
	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
			for (int i = 0; i < IPDPS_NVALUES; i++)
				if (add_point(s, reading, set, sc, i, err) < 0)
					return -1;
	return 0;
}

/* Result: the place of a parameter, which has to be there. */
static size_t param_at(const struct ipdps_study *s, int policy,
		       const char *name)
{
	const struct libra_policy_type *type = s->policy[policy];

	return (size_t)libra_param_find(type->params, type->nparams, name,
					NULL);
}

static void defaults(const struct ipdps_study *s, int policy, double *params)
{
	for (size_t i = 0; i < s->policy[policy]->nparams; i++)
		params[i] = s->policy[policy]->params[i].value;
}

static int add_tuning(struct ipdps_study *s, size_t *n, const char *param,
		      double value, bool hours, struct libra_error *err)
{
	struct ipdps_tuning *t = &s->tuning[*n];
	double *params = s->tuned[(*n)++];

	*t = (struct ipdps_tuning){param, value, hours, {0, 0}};
	defaults(s, IPDPS_FIRSTREWARD, params);
	if (hours)
		memcpy(params, s->hourly, sizeof(s->hourly));
	params[param_at(s, IPDPS_FIRSTREWARD, param)] = value;
	for (int set = 0; set < IPDPS_NSETS; set++) {
		struct sim_scenario sc = set_base(s, 0, set);

		t->cell[set] =
			study_add(&s->study, &sc, s->policy[IPDPS_FIRSTREWARD],
				  params, err);
		if (t->cell[set] < 0)
			return -1;
	}
	return 0;
}

/* R11: one parameter at a time, the others as in the paper. */
static int add_tunings(struct ipdps_study *s, struct libra_error *err)
{
	static const double threshold[] = {0,  5,  10, 15,  20,	 25, 30,
					   40, 50, 75, 100, 150, 200};
	static const double alpha[] = {0, 0.25, 0.5, 0.75, 1};
	static const double discount[] = {0, 0.01, 0.1, 1, 10};
	size_t n = 0;

	for (int hours = 0; hours < 2; hours++) {
		for (size_t i = 0; i < 13; i++)
			if (add_tuning(s, &n, "slack_threshold", threshold[i],
				       hours, err) < 0)
				return -1;
		for (size_t i = 0; i < 5; i++)
			if (add_tuning(s, &n, "alpha", alpha[i], hours, err) <
				    0 ||
			    add_tuning(s, &n, "discount", discount[i], hours,
				       err) < 0)
				return -1;
	}
	return 0;
}

/* R12: at the default point, and where all deadlines are short. */
static int add_untested(struct ipdps_study *s, struct libra_error *err)
{
	for (int k = 0; k < IPDPS_NUNTESTED; k++) {
		struct ipdps_untested *u = &s->untested[k];
		struct sim_scenario sc;

		u->set = k / 4;
		u->urgent = k / 2 % 2 ? 100 : 20;
		u->policy = k % 2 ? IPDPS_EDF_BF : IPDPS_FCFS_BF;
		sc = set_base(s, 0, u->set);
		sc.high_urgency_pct = u->urgent;
		u->with = study_add(&s->study, &sc, s->policy[u->policy], NULL,
				    err);
		u->without = study_add(&s->study, &sc, s->policy[u->policy],
				       s->no_admission, err);
		if (u->with < 0 || u->without < 0)
			return -1;
	}
	return 0;
}

static int set_up(void *study, struct libra_error *err)
{
	struct ipdps_study *s = study;
	static const char *const columns[IPDPS_NOBJECTIVES] = {
		"fulfilled_pct", "reliability_pct", "profit_pct"};

	sim_scenario_init(&s->base);
	s->base.last = LAST_JOBS;
	for (int p = 0; p < IPDPS_NPOLICIES; p++) {
		s->policy[p] = libra_policy_find(ipdps_policy_names[p], err);
		if (!s->policy[p])
			return -1;
	}
	for (int o = 0; o < IPDPS_NOBJECTIVES; o++)
		s->column[o] = study_column(columns[o]);
	defaults(s, IPDPS_FIRSTREWARD, s->hourly);
	s->hourly[param_at(s, IPDPS_FIRSTREWARD, "discount_unit")] = 3600;
	defaults(s, IPDPS_EDF_BF, s->no_admission);
	s->no_admission[param_at(s, IPDPS_EDF_BF, "admission")] = 0;
	study_init(&s->study, s->paper.run->seeds, s->paper.run->nseeds);
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		if (add_reading(s, r, err) < 0)
			return -1;
	if (add_tunings(s, err) < 0)
		return -1;
	return add_untested(s, err);
}

static int measure(void *study, struct libra_error *err)
{
	struct ipdps_study *s = study;

	if (trace_stats(&s->paper.source.trace, LAST_JOBS, &s->log, err) < 0 ||
	    trace_stats(&s->paper.source.trace, 0, &s->whole_log, err) < 0 ||
	    study_run(&s->study, &s->paper.source.trace, s->paper.run->workers,
		      s->paper.run->progress, s->paper.run->progress_arg,
		      err) < 0)
		return -1;
	s->jobs = study_result(&s->study, 0, 0)->submitted;
	analyze_all(s);
	return 0;
}

static void summarize(const void *study, struct out_table *t)
{
	for (int p = 0; p < IPDPS_NPOLICIES; p++) {
		out_table_cell(t, "%s", ipdps_policy_titles[p]);
		for (int k = 0; k <= IPDPS_NOBJECTIVES; k++)
			for (int set = 0; set < IPDPS_NSETS; set++)
				out_table_number(
					t, 1,
					ipdps_mean(study, 0, set, p,
						   k < IPDPS_NOBJECTIVES
							   ? 1u << k
							   : IPDPS_ALL)
						.performance);
	}
}

static void fini(void *study)
{
	struct ipdps_study *s = study;

	study_fini(&s->study);
}

static const struct out_column columns[] = {
	{"mean of the scenarios", OUT_LEFT},
	{"SLA A", OUT_RIGHT},
	{"SLA B", OUT_RIGHT},
	{"reliability A", OUT_RIGHT},
	{"reliability B", OUT_RIGHT},
	{"profit A", OUT_RIGHT},
	{"profit B", OUT_RIGHT},
	{"all A", OUT_RIGHT},
	{"all B", OUT_RIGHT},
};

static const struct sim_paper_steps steps = {
	.size = sizeof(struct ipdps_study),
	.set_up = set_up,
	.measure = measure,
	.claims = ipdps_claims,
	.nclaims = IPDPS_NCLAIMS,
	.npictures = IPDPS_NPICTURES,
	.draw = ipdps_draw,
	.files = ipdps_files,
	.nfiles = IPDPS_NFILES,
	.headline = "Which policy for which objective of a computing service",
	.write_page = ipdps_write_page,
	.write_readings = ipdps_write_readings,
	.without_log = SIM_PAPER_SYNTHETIC,
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.summarize = summarize,
	.fini = fini,
};

const struct sim_paper sim_paper_ipdps2007 = {
	.name = "ipdps2007",
	.title = "Integrated Risk Analysis for a Commercial Computing Service",
	.citation = "C. S. Yeo and R. Buyya, Integrated Risk Analysis for a "
		    "Commercial Computing Service, IPDPS 2007",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.steps = &steps,
};
