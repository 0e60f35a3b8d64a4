/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - the paper on integrated risk analysis: its designs. */
#include "sim/paper/ipdps2007/experiment.h"

#include <math.h>
#include <string.h>

#include "sim/paper/page.h"
#include "sim/paper/steps.h"
#include "sim/study/risk_analysis.h"

#define SET_B_BIAS 14
#define NVALUES	   6
#define NSCENARIOS 5
#define OBJECTIVES 3

#define N(v)	   DESIGN_NUMBER(v)
#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define COUNT(of)  DESIGN_COUNT(of)
#define LEVELS(of) DESIGN_LEVELS(of)

/* ---- levels ---- */

static const struct design_level policies[] = {
	L("fcfs-bf", "FCFS-BF", 0),
	L("edf-bf", "EDF-BF", 1),
	L("libra", "Libra", 2),
	L("librarisk", "LibraRisk", 3),
	L("firstreward", "FirstReward", 4),
};
static const struct design_level sets[] = {L("A", "A", 0), L("B", "B", 1)};

const struct ipdps_reading ipdps_readings[IPDPS_NREADINGS] = {
	{false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 1},
	{true, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 1},
	{false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_PROCS, 3600},
	{false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_ONE, 1},
	{false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_RUN_HOURS, 1},
	{false, SIM_BUDGET_RUN, SIM_PENALTY_ONE, 1},
	{false, SIM_BUDGET_RUN_PROCS, SIM_PENALTY_RUN, 1},
};

const struct design_level ipdps_reading_levels[IPDPS_NREADINGS] = {
	L("adopted",
	  "f = run time x processors, g = processors, the discount per second, "
	  "records that never ran left out",
	  0),
	L("keep-unrun", "records that never ran given 1 s", 1),
	L("per-hour", "FirstReward's discount per hour", 2),
	L("g-one", "g = 1", 3),
	L("g-run-hours", "g = run time / 3600", 4),
	L("f-run-g-one", "f = run time, g = 1", 5),
	L("g-run", "g = run time in seconds", 6),
};

/* The last one is the mean over the others. */
static const struct design_level scenarios[] = {
	L("workload", "workload (arrival delay factor)", 1),
	L("job-mix", "job mix (% of high urgency jobs)", 2),
	L("deadline-bias", "deadline bias", 3),
	L("budget-bias", "budget bias", 4),
	L("penalty-bias", "penalty bias", 5),
	L("mean", "mean", 6),
};

/* Table 3: what a scenario varies, and its values in set A and B. */
#define BIASES                                                                 \
	{                                                                      \
		1, 2, 4, 6, 8, 10                                              \
	}
static const struct {
	const char *field; /* of a scenario */
	double value[2][NVALUES];
} table_3[NSCENARIOS] = {
	{"arrival-delay",
	 {{0.02, 0.1, 0.25, 0.5, 0.75, 1}, {0.02, 0.1, 0.25, 0.5, 0.75, 1}}},
	{"high-urgency", {{0, 20, 40, 60, 80, 100}, {0, 20, 40, 60, 80, 100}}},
	{"deadline-bias", {BIASES, {10, 12, 14, 16, 18, 20}}},
	{"budget-bias", {BIASES, BIASES}},
	{"penalty-bias", {BIASES, BIASES}},
};

/* The first to the sixth of a scenario. */
static const struct design_level values[NVALUES] = {N(1), N(2), N(3),
						    N(4), N(5), N(6)};

static double table_3_value(const struct design_place *p)
{
	size_t scenario = p->level[design_factor(p, "scenario")];
	size_t set = p->level[design_factor(p, "set")];

	if (scenario >= NSCENARIOS || set > 1)
		return NAN;
	return table_3[scenario]
		.value[set][p->level[design_factor(p, "value")]];
}

/* R11: FirstReward's parameters, one varied at a time. */
#define TUNED(name, v, param)                                                  \
	{                                                                      \
		name "-" #v, NULL, v, param                                    \
	}
#define T(v) TUNED("threshold", v, "slack_threshold")
#define A(v) TUNED("alpha", v, "alpha")
#define D(v) TUNED("discount", v, "discount")
static const struct design_level tunings[] = {
	T(0),	 T(5),	 T(10),	 T(15),	  T(20),  T(25), T(30), T(40),
	T(50),	 T(75),	 T(100), T(150),  T(200), A(0),	 D(0),	A(0.25),
	D(0.01), A(0.5), D(0.1), A(0.75), D(1),	  A(1),	 D(10),
};
static const struct design_level units[] = {
	{"1", "second", 1, "discount_unit"},
	{"3600", "hour", 3600, "discount_unit"},
};

/* R12: the backfilling policies with and without their test, at the default
 * point and where all deadlines are short.
 */
static const struct design_level urgencies[] = {N(20), N(100)};
static const struct design_level tests[] = {{NULL, NULL, 1, "admission"},
					    {NULL, NULL, 0, "admission"}};

static const struct design_level objectives[] = {
	L("sla", "SLA", 1),
	L("reliability", "reliability", 2),
	L("profit", "profit", 4),
	L("sla+reliability", "SLA and reliability", 1 | 2),
	L("sla+profit", "SLA and profit", 1 | 4),
	L("reliability+profit", "reliability and profit", 2 | 4),
	L("sla+reliability+profit", "SLA, reliability and profit", 1 | 2 | 4),
};

/* ---- designs ---- */

#define READING                                                                \
	DESIGN_FACTOR("reading", "reading", LEVELS(ipdps_reading_levels))
#define SET DESIGN_FACTOR("set", "set", LEVELS(sets))
#define POLICY                                                                 \
	DESIGN_FACTOR("policy", "policy", LEVELS(policies), .policies = true)

static const struct design_factor main_factors[] = {
	READING,
	SET,
	{"scenario", "scenario", .levels = scenarios, .n = NSCENARIOS},
	{"value", "value", LEVELS(values), .number = table_3_value},
	POLICY,
};
static const struct design_factor tuning_factors[] = {
	{"discount_unit_s", "discount per", LEVELS(units)},
	{"tuning", "parameter", LEVELS(tunings)},
	SET,
	{"policy", "policy", .levels = &policies[4], .n = 1, .policies = true},
};
static const struct design_factor untested_factors[] = {
	SET,
	{"high_urgency_pct", "urgent %", LEVELS(urgencies), "high-urgency"},
	{"policy", "policy", .levels = policies, .n = 2, .policies = true},
	{"admission", "admission", LEVELS(tests)},
};
static const struct design_factor risk_factors[] = {
	READING,
	SET,
	{"scenario", "scenario", LEVELS(scenarios)},
	POLICY,
	{"objectives", "objectives", LEVELS(objectives)}};

static void set_bias(struct design_cell *cell, const struct design_place *p)
{
	size_t set = p->level[design_factor(p, "set")];

	cell->scenario.deadline_bias = set ? SET_B_BIAS : 1;
}

/* Set the cell of a scenario under one reading of the paper. */
static void set_main(struct design_cell *cell, const struct design_place *p)
{
	const struct ipdps_reading *r = &ipdps_readings[p->level[0]];
	size_t scenario = p->level[design_factor(p, "scenario")];

	set_bias(cell, p);
	cell->scenario.keep_unrun = r->keep_unrun;
	cell->scenario.budget_base = r->f;
	cell->scenario.penalty_base = r->g;
	design_param(cell, "discount_unit", r->discount_unit_s);
	design_field(cell, table_3[scenario].field, table_3_value(p));
}

/* Eqs 4 and 5 of an objective; NAN where a policy accepted nothing: then no
 * claim about it holds.
 */
static struct risk_point separate(struct design_place p, const char *column)
{
	size_t f = design_factor(&p, "value");
	struct risk_point point = {NAN, NAN};
	double value[NVALUES];

	for (p.level[f] = 0; p.level[f] < NVALUES; p.level[f]++) {
		struct study_stat stat = {.mean = NAN};

		design_stat(&p, column, &stat);
		value[p.level[f]] = stat.mean;
	}
	if (risk_separate(value, NVALUES, &point) < 0)
		return (struct risk_point){NAN, NAN};
	return point;
}

/* Eqs 6 and 7 with equal weights. */
static struct risk_point integrated(const struct design_place *p,
				    unsigned chosen)
{
	static const char *const columns[OBJECTIVES] = {
		"fulfilled_pct", "reliability_pct", "profit_pct"};
	struct risk_point points[OBJECTIVES];
	double weights[OBJECTIVES];
	size_t n = 0;

	for (size_t o = 0; o < OBJECTIVES; o++)
		if (chosen & 1u << o)
			points[n++] = separate(*p, columns[o]);
	for (size_t i = 0; i < n; i++)
		weights[i] = 1.0 / (double)n;
	return risk_integrated(points, weights, n);
}

/* Performance and volatility, from the means over the seeds. */
static size_t risk_values(const void *owner, const struct design_place *p,
			  const char *column, double *value)
{
	size_t f = design_factor(p, "scenario"), first = p->level[f];
	unsigned chosen =
		(unsigned)design_number(p, design_factor(p, "objectives"));
	bool performance = strcmp(column, "performance") == 0;
	struct design_place at = *p;
	size_t n = 1;

	if (!performance && strcmp(column, "volatility") != 0)
		return 0;
	at.seed = DESIGN_NONE;
	if (!design_go(&at, "main"))
		return 0;
	if (first == NSCENARIOS) {
		first = 0;
		n = NSCENARIOS;
	}
	*value = 0;
	f = design_factor(&at, "scenario");
	for (at.level[f] = first; at.level[f] < first + n; at.level[f]++) {
		struct risk_point point = integrated(&at, chosen);

		*value += (performance ? point.performance : point.volatility) /
			  (double)n;
	}
	return 1;
}

static const struct design designs[] = {
	{DESIGN("main", main_factors), .set = set_main},
	{DESIGN("firstreward", tuning_factors), .set = set_bias},
	{DESIGN("no-admission", untested_factors), .set = set_bias},
	{DESIGN("risk", risk_factors), .derived = true, .values = risk_values},
};

/* ---- tables that are filled by hand ---- */

/* Fill a row for each number of a scenario, with sets A and B. */
static void fill_settings(struct out_table *rows, bool exact, const void *study)
{
	static const char *const points[] = {
		"main set=A scenario=workload value=6 policy=fcfs-bf",
		"main set=B scenario=workload value=6 policy=fcfs-bf"};
	const struct sim_paper_study *s = study;

	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		out_table_cell(rows, "%s", sim_scenario_fields[i].name);
		for (size_t set = 0; set < COUNT(points); set++) {
			struct design_place p = design_nowhere(&s->designs);

			design_go(&p, points[set]);
			paper_table_number(
				rows, exact, -1,
				sim_scenario_value(design_scenario(&p), i));
		}
	}
}

/* Fill a row for each claim, with its status under each reading. */
static void fill_sensitivity(struct out_table *rows, bool exact,
			     const void *study)
{
	const struct sim_paper_study *s = study;

	for (size_t i = 0; i < s->claims.n; i++) {
		const struct claim *c = &s->claims.claims[i];

		if (ipdps_judge(s, c, 0) == CLAIM_INFO)
			continue;
		out_table_cell(rows, "%s", c->id);
		for (size_t r = 0; r < IPDPS_NREADINGS; r++) {
			enum claim_status status = ipdps_judge(s, c, r);

			out_table_cell(rows, "%s",
				       status == CLAIM_INFO
					       ? ""
					       : claim_status_name(status));
		}
	}
}

static const struct out_column settings_columns[] = {
	{"parameter", OUT_LEFT}, {"set_a", OUT_RIGHT}, {"set_b", OUT_RIGHT}};
static const struct out_column sensitivity_columns[] = {
	{"claim", OUT_LEFT},	   {"adopted", OUT_LEFT},
	{"keep-unrun", OUT_LEFT},  {"per-hour", OUT_LEFT},
	{"g-one", OUT_LEFT},	   {"g-run-hours", OUT_LEFT},
	{"f-run-g-one", OUT_LEFT}, {"g-run", OUT_LEFT},
};

static const struct paper_table settings = {
	"settings",	  "Table 2 as run",
	settings_columns, COUNT(settings_columns),
	fill_settings,	  false};
static const struct paper_table sensitivity = {
	"sensitivity",	  NULL, sensitivity_columns, COUNT(sensitivity_columns),
	fill_sensitivity, false};
static const struct paper_table *const tables[] = {&settings, &sensitivity,
						   NULL};

/* ---- figures and files ---- */

#define PANEL(n, objectives)                                                   \
	{                                                                      \
		.figure = n, .id = "f" n "{{letter}}",                         \
		.panels = "risk objectives=" objectives " set",                \
		.series = "policy scenario<6", .points = "",                   \
		.title = "Figure " n "({{letter}}): {{objectives}}, set "      \
			 "{{set}}",                                            \
		.caption = "({{letter}}) {{objectives}}, set {{set}}",         \
		.xlabel = "volatility", .ylabel = "performance",               \
		.name = "{{policy}}, {{scenario.name}}", .style = "policy",    \
		.mark = "3 + 2 * scenario", .x = "volatility",                 \
		.y = "performance", .kind = PLOT_POINTS, .xmin = "0",          \
		.xmax = "ceil(1.04 * most(risk objectives=" objectives         \
			" set policy scenario<6: volatility))",                \
		.ymin = "min(0, least(risk objectives=" objectives             \
			" set policy scenario<6: performance))",               \
		.ymax = "100", .width = 400, .height = 260                     \
	}

static const struct paper_plot plots[] = {
	PANEL("2", "sla"),
	PANEL("2", "reliability"),
	PANEL("2", "profit"),
	PANEL("3", "sla+reliability"),
	PANEL("3", "sla+profit"),
	PANEL("3", "reliability+profit"),
	PANEL("4", "sla+reliability+profit"),
};

#define POINTS	  "main set scenario value policy"
#define OBJECTIVE "fulfilled_pct reliability_pct profit_pct"

static void write_results(FILE *fp, const void *study)
{
	const struct sim_paper_study *s = study;
	struct design_place nowhere = design_nowhere(&s->designs);
	struct out_json j;

	sim_paper_json_begin(&j, fp, s);
	paper_json(&j, "results", &nowhere, &s->text, POINTS,
		   "set scenario value policy *");
	sim_paper_json_end(&j, s);
}

#define FIGURE(file, chosen)                                                   \
	{                                                                      \
		file,                                                          \
			.over = "risk objectives=" chosen                      \
				" set scenario<6 policy",                      \
			.columns =                                             \
				"objectives set scenario policy performance "  \
				"volatility"                                   \
	}

static const struct sim_paper_file files[] = {
	FIGURE("figure-2.csv", "sla,reliability,profit"),
	FIGURE("figure-3.csv", "sla+reliability,sla+profit,reliability+profit"),
	FIGURE("figure-4.csv", "sla+reliability+profit"),
	{"table-2.csv", .table = &settings},
	{"table-3.csv", .over = "main scenario set value",
	 .columns = "scenario set value"},
	{"results.csv", .over = POINTS,
	 .columns = "set scenario value policy * seeds=n"},
	{"seeds.csv", .over = POINTS,
	 .columns = "set scenario value policy seed *"},
	{"firstreward.csv",
	 .over = "firstreward discount_unit_s=1,3600 tuning set policy",
	 .columns = "parameter=tuning.param value=tuning.value "
		    "discount_unit_s set " OBJECTIVE},
	{"no-admission.csv",
	 .over = "no-admission set high_urgency_pct policy admission",
	 .columns = "policy set high_urgency_pct admission " OBJECTIVE},
	{"readings.csv",
	 .over = "risk scenario=mean reading set policy "
		 "objectives=sla,reliability,profit",
	 .columns = "reading set policy objective=objectives.title "
		    "performance volatility"},
	{"sensitivity.csv", .table = &sensitivity},
	{"results.json", .write = write_results},
};

#define MEAN(title, objectives, set)                                           \
	title " " set " > {{%.1f performance[objectives=" objectives           \
	      " set=" set "]}}\n"
#define MEANS(title, objectives)                                               \
	MEAN(title, objectives, "A") MEAN(title, objectives, "B")

const struct sim_paper sim_paper_ipdps2007 = {
	.name = "ipdps2007",
	.title = "Integrated Risk Analysis for a Commercial Computing Service",
	.citation = "C. S. Yeo and R. Buyya, Integrated Risk Analysis for a "
		    "Commercial Computing Service, IPDPS 2007",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.designs = designs,
	.ndesigns = COUNT(designs),
	.given = "reading=adopted discount_unit_s=1",
	.last = 5000,
	.derive = ipdps_derive,
	.claims = sim_claims_ipdps2007,
	.asks = ipdps_asks,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.page.headline =
		"Which policy for which objective of a computing service",
	.page.text = sim_page_ipdps2007,
	.page.tables = tables,
	.without_log = SIM_PAPER_SYNTHETIC,
	.summary = "rows: risk scenario=mean policy\n"
		   "mean of the scenarios < {{policy}}\n" MEANS("SLA", "sla")
			   MEANS("reliability", "reliability") MEANS("profit",
								     "profit")
				   MEANS("all", "sla+reliability+profit"),
};
