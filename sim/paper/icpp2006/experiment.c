/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.c - the LibraRisk paper: its four figures sweep one value each,
 * for three policies and two variants (exact estimates and the log's; in
 * figure 4 20 and 80 % urgent jobs).
 */
#include "sim/paper/icpp2006/experiment.h"

#include "sim/paper/page.h"
#include "sim/paper/steps.h"

#define N(v)	   DESIGN_NUMBER(v)
#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define COUNT(of)  DESIGN_COUNT(of)
#define LEVELS(of) DESIGN_LEVELS(of)

static const struct design_level policies[] = {
	L("edf", "EDF", 0),
	L("libra", "Libra", 1),
	L("librarisk", "LibraRisk", 2),
};
static const struct design_level estimates[] = {
	L("exact", "exact estimates", 0),
	L("trace", "the log's estimates", 100),
};
static const struct design_level urgencies[] = {
	L("20", "20 % high urgency jobs", 20),
	L("80", "80 % high urgency jobs", 80),
};
static const struct design_level delays[] = {
	N(0.02), N(0.1), N(0.2),  N(0.25), N(0.3), N(0.4), N(0.5),
	N(0.6),	 N(0.7), N(0.75), N(0.8),  N(0.9), N(1)};
static const struct design_level ratios[] = {N(1), N(2), N(3), N(4), N(5),
					     N(6), N(7), N(8), N(9), N(10)};
static const struct design_level percents[] = {N(0),  N(10), N(20), N(30),
					       N(40), N(50), N(60), N(70),
					       N(80), N(90), N(100)};
static const struct design_level some_or_all[] = {N(20), N(100)};
/* L58 needs an EDF that never rejects. */
static const struct design_level untested[] = {{"edf", "EDF", 0, "admission"}};

#define POLICY                                                                 \
	DESIGN_FACTOR("policy", "policy", LEVELS(policies), .policies = true)
#define ESTIMATES                                                              \
	DESIGN_FACTOR("estimates", "estimates", LEVELS(estimates), "inaccuracy")
#define X(title, levels_, field_)                                              \
	DESIGN_FACTOR("x", title, LEVELS(levels_), field_)

static const struct design_factor load[] = {
	ESTIMATES, X("delay", delays, "arrival-delay"), POLICY};
static const struct design_factor ratio[] = {
	ESTIMATES, X("ratio", ratios, "deadline-ratio"), POLICY};
static const struct design_factor urgency[] = {
	ESTIMATES, X("urgent", percents, "high-urgency"), POLICY};
static const struct design_factor inaccuracy[] = {
	{"high_urgency_pct", "high urgency", LEVELS(urgencies), "high-urgency"},
	X("inaccuracy", percents, "inaccuracy"),
	POLICY};
static const struct design_factor no_admission[] = {
	ESTIMATES,
	X("urgent", some_or_all, "high-urgency"),
	{"policy", "policy", LEVELS(untested), .policies = true}};

static const struct design designs[] = {
	{DESIGN("load", load)},
	{DESIGN("ratio", ratio)},
	{DESIGN("urgency", urgency)},
	{DESIGN("inaccuracy", inaccuracy)},
	{DESIGN("no-admission", no_admission)},
};

/* ---- the log ---- */

static const struct {
	const char *name, *number, *unit, *paper;
	int decimals;
} log_rows[] = {
	{"records", "records", "", "3000", 0},
	{"span", "span_days", "d", "", 2},
	{"mean inter-arrival time", "gap_s", "s", "2131", 2},
	{"mean run time", "run_s", "s", "8880", 2},
	{"mean requested processors", "procs", "", "17", 2},
	{"largest request", "largest", "processors", "128", 0},
	{"utilization of the whole log", "utilization_pct", "%", "83.2", 2},
	{"records that ran", "ran", "", "", 0},
	{"estimates longer than the run time", "over_pct", "%", "", 1},
	{"estimate / run time, median", "ratio_median", "", "", 2},
	{"estimate / run time, 75 %", "ratio_75", "", "", 1},
	{"estimate / run time, 90 %", "ratio_90", "", "", 1},
	{"estimate / run time, greatest", "ratio_most", "", "", 0},
	{"runs longer than their estimate", "overruns_pct", "%", "", 1},
	{"longest overrun", "overrun_s", "s", "", 0},
};

static void fill_log(struct out_table *rows, bool exact, const void *study)
{
	for (size_t i = 0; i < COUNT(log_rows); i++) {
		out_table_cell(rows, "%s", log_rows[i].name);
		paper_table_number(
			rows, exact, log_rows[i].decimals,
			sim_paper_value(study, "", log_rows[i].number));
		out_table_cell(rows, "%s", log_rows[i].paper);
		out_table_cell(rows, "%s", log_rows[i].unit);
	}
}

static const struct out_column log_columns[] = {
	{"statistic", OUT_LEFT},
	{"measured", OUT_RIGHT},
	{"paper", OUT_RIGHT},
	{"unit", OUT_LEFT},
};

static const struct paper_table log_table = {
	"log", NULL, log_columns, COUNT(log_columns), fill_log, false};
static const struct paper_table *const tables[] = {&log_table, NULL};

/* ---- figures and files ---- */

/* Panels (a) and (b): fulfilled; (c) and (d): slowdown, on one scale.  Libra
 * comes last, dashed: it often lies on LibraRisk's curve.
 */
#define PANELS(n, design_, variant, xlabel_, xmin_, xmax_)                     \
	.figure = n, .id = "f" n "{{letter}}", .panels = design_ " " variant,  \
	.series = "policy=edf,librarisk,libra", .points = "x",                 \
	.xlabel = xlabel_, .name = "{{policy}}", .style = "policy", .x = "x",  \
	.spread = true, .kind = PLOT_LINES, .xmin = xmin_, .xmax = xmax_,      \
	.ymin = "0", .width = 290, .height = 215
#define FULFILLED(n, design_, variant, xlabel_, xmin_, xmax_)                  \
	{                                                                      \
		PANELS(n, design_, variant, xlabel_, xmin_, xmax_),            \
			.title = "Figure " n "({{letter}}): jobs with "        \
				 "deadlines fulfilled (%), {{" variant "}}",   \
			.caption = "({{letter}}) fulfilled, {{" variant "}}",  \
			.ylabel = "fulfilled (%)", .y = "fulfilled_pct",       \
			.ymax = "100"                                          \
	}
#define SLOWDOWN(n, design_, variant, xlabel_, xmin_, xmax_)                   \
	{                                                                      \
		PANELS(n, design_, variant, xlabel_, xmin_, xmax_),            \
			.title = "Figure " n "({{letter}}): average "          \
				 "slowdown, {{" variant "}}",                  \
			.caption = "({{letter}}) slowdown, {{" variant "}}",   \
			.ylabel = "slowdown", .y = "mean_slowdown",            \
			.ymax = "ceil(1.04 * max(1, most(" design_ " " variant \
				" x policy: mean_slowdown)))"                  \
	}
#define FIGURE(...) FULFILLED(__VA_ARGS__), SLOWDOWN(__VA_ARGS__)

static const struct paper_plot plots[] = {
	FIGURE("1", "load", "estimates", "arrival delay factor", "0", "1"),
	FIGURE("2", "ratio", "estimates", "deadline high:low ratio", "1", "10"),
	FIGURE("3", "urgency", "estimates", "high urgency jobs (%)", "0",
	       "100"),
	FIGURE("4", "inaccuracy", "high_urgency_pct", "inaccuracy (%)", "0",
	       "100"),
};

/* Write results.json. */
static void write_results(FILE *fp, const void *study)
{
	const struct sim_paper_study *s = study;
	struct design_place nowhere = design_nowhere(&s->designs);
	static const char *const titles[] = {
		"Varying workload", "Varying deadline high:low ratio",
		"Varying high urgency jobs",
		"Varying inaccurate run time estimates"};
	char over[64], columns[64];
	struct out_json j;

	sim_paper_json_begin(&j, fp, s);
	out_json_object(&j, "trace");
	for (size_t i = 0; i < COUNT(log_rows); i++)
		out_json_number(&j, log_rows[i].name,
				sim_paper_value(s, "", log_rows[i].number));
	out_json_end(&j);
	out_json_array(&j, "figures");
	/* A design is a figure, its first factor is between panels. */
	for (size_t f = 0; f < COUNT(titles); f++) {
		const char *variant = designs[f].factors[0].name;

		snprintf(over, sizeof(over), "%s %s x policy", designs[f].name,
			 variant);
		snprintf(columns, sizeof(columns), "x policy %s *+values",
			 variant);
		out_json_object(&j, NULL);
		out_json_count(&j, "figure", f + 1);
		out_json_text(&j, "title", titles[f]);
		out_json_text(&j, "x", plots[2 * f].xlabel);
		paper_json(&j, "points", &nowhere, &s->text, over, columns);
		out_json_end(&j);
	}
	out_json_end(&j);
	sim_paper_json_end(&j, s);
}

#define COLUMNS "x policy estimates n *+sd"

static const struct sim_paper_file files[] = {
	{"figure-1.csv", .over = "load estimates x policy", .columns = COLUMNS},
	{"figure-2.csv", .over = "ratio estimates x policy",
	 .columns = COLUMNS},
	{"figure-3.csv", .over = "urgency estimates x policy",
	 .columns = COLUMNS},
	{"figure-4.csv", .over = "inaccuracy high_urgency_pct x policy",
	 .columns = "x policy high_urgency_pct n *+sd"},
	{"trace.csv", .table = &log_table},
	{"results.json", .write = write_results},
};

const struct sim_paper sim_paper_icpp2006 = {
	.name = "icpp2006",
	.title = "Managing Risk of Inaccurate Runtime Estimates for Deadline "
		 "Constrained Job Admission Control in Clusters",
	.citation = "C. S. Yeo and R. Buyya, Managing Risk of Inaccurate "
		    "Runtime Estimates for Deadline Constrained Job Admission "
		    "Control in Clusters, ICPP 2006",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.designs = designs,
	.ndesigns = COUNT(designs),
	.last = 3000,
	.derive = icpp_derive,
	.claims = sim_claims_icpp2006,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.page.headline = "LibraRisk: deadlines kept in spite of inaccurate run "
			 "time estimates",
	.page.text = sim_page_icpp2006,
	.page.tables = tables,
	.without_log = SIM_PAPER_SYNTHETIC,
	.summary = "rows: load x=1 policy\n"
		   "fulfilled, % of jobs < {{policy}}\n"
		   "exact estimates > {{%.1f fulfilled_pct[estimates=exact]}}\n"
		   "the log's > {{%.1f fulfilled_pct[estimates=trace]}}\n"
		   "the log's, all urgent > {{%.1f fulfilled_pct[urgency "
		   "estimates=trace x=100]}}\n",
};
