/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - the market paper: its tables, figures and files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/ccgrid2008/experiment.h"
#include "sim/paper/page.h"

#define COUNT(of) DESIGN_COUNT(of)

/* ---- the table over the options ---- */

/* Means over all seeds; under high load of three configurations. */
#define CELL(column, configuration, model)                                     \
	column "[market configuration=" configuration " model=" model "]"
#define HIGH(column, model)                                                    \
	CELL(column, "pareto-high", model)                                     \
	" / 3 + " CELL(column, "equal",                                        \
		       model) " / 3 + " CELL(column, "normal", model) " / 3"

const char *const cc_summary[CC_NSUMMARY] = {
	CELL("eff", "pareto-low", "BE"),
	HIGH("eff", "BE"),
	HIGH("eff1", "BE"),
	HIGH("eff0", "BE"),
	CELL("eff", "pareto-low", "CAC"),
	HIGH("eff", "CAC"),
	CELL("violations", "pareto-high", "BE"),
	CELL("violations", "pareto-high", "SAC"),
	CELL("violations", "pareto-high", "CAC"),
	CELL("violations", "equal", "BE"),
	CELL("violations", "equal", "SAC"),
	CELL("rejections", "pareto-high", "CAC"),
	CELL("rejections", "pareto-low", "CAC"),
};

/* What the paper has. */
static const double paper_summary[CC_NSUMMARY] = {
	.80, .55, .35, .90, .75, .75, .61, NAN, .01, .44, NAN, .37, .20};

/* Efficiencies come first, then what is about contracts. */
#define EFFICIENCIES 6

static void fill_point(struct paper_rows *rows, const char *name,
		       const double *values, size_t from, size_t to)
{
	paper_rows_text(rows, "%s", name);
	for (size_t k = from; k < to; k++)
		paper_rows_number(rows, 2, values[k]);
}

static void fill_variant(struct paper_rows *rows,
			 const struct cc_sensitivity *v, size_t from, size_t to)
{
	char name[160];

	cc_variant_name(v->variant, name, sizeof(name));
	fill_point(rows, name, v->values, from, to);
}

static void fill_sensitivity(struct paper_rows *rows, const void *study)
{
	const struct cc_study *s = study;

	for (size_t i = 0; i < s->nsensitivity; i++) {
		const struct cc_sensitivity *v = &s->sensitivity[i];
		const struct claim_result *r = &v->results[CC_FIRST_SIMULATED];

		fill_variant(rows, v, 0, CC_NSUMMARY);
		paper_rows_text(rows, "%u", v->positive);
		for (size_t k = 0; k < CC_NSIMULATED; k++)
			paper_rows_text(rows, "%s",
					claim_status_name(r[k].status));
	}
}

static void fill_contracts(struct paper_rows *rows, const void *study)
{
	const struct cc_study *s = study;
	const struct claim *claims =
		&s->paper.claims.claims[MODEL_NCLAIMS + CC_FIRST_SIMULATED];

	fill_point(rows, "paper", paper_summary, EFFICIENCIES, CC_NSUMMARY);
	paper_rows_text(rows, "24");
	paper_rows_text(rows, "-");
	for (size_t i = 0; i < s->nsensitivity; i++) {
		const struct cc_sensitivity *v = &s->sensitivity[i];
		const struct claim_result *r = &v->results[CC_FIRST_SIMULATED];
		char failing[128] = "";

		for (size_t k = 0; k < CC_NSIMULATED; k++)
			if (r[k].status == CLAIM_FAIL)
				claim_append(failing, sizeof(failing), "%s ",
					     claims[k].id);
		fill_variant(rows, v, EFFICIENCIES, CC_NSUMMARY);
		paper_rows_text(rows, "%u", v->positive);
		paper_rows_text(rows, "%s", failing);
	}
}

static void fill_efficiencies(struct paper_rows *rows, const void *study)
{
	const struct cc_study *s = study;

	fill_point(rows, "paper", paper_summary, 0, EFFICIENCIES);
	for (size_t i = 0; i < s->nsensitivity; i++)
		fill_variant(rows, &s->sensitivity[i], 0, EFFICIENCIES);
}

/* clang-format off */
#define CSV(name)   {name, NULL, OUT_RIGHT}
#define PAGE(title) {NULL, title, OUT_RIGHT}

static const struct paper_column sensitivity_columns[] = {
	CSV("options"), CSV("be_efficiency_low"), CSV("be_efficiency_high"),
	CSV("be_inelastic_high"), CSV("be_elastic_high"),
	CSV("cac_efficiency_low"), CSV("cac_efficiency_high"),
	CSV("be_violations"), CSV("sac_violations"), CSV("cac_violations"),
	CSV("be_violations_equal"), CSV("sac_violations_equal"),
	CSV("cac_rejections_high"), CSV("cac_rejections_low"),
	CSV("t_positive"), CSV("M22"), CSV("M23"), CSV("M24"), CSV("M25"),
	CSV("M26"), CSV("M27"), CSV("M28"), CSV("M29"), CSV("M30"), CSV("M31"),
	CSV("M32"), CSV("M33"), CSV("M34"),
};
static const struct paper_column contracts_columns[] = {
	{NULL, "options", OUT_LEFT}, PAGE("BE, Pareto"), PAGE("SAC, Pareto"),
	PAGE("CAC, Pareto"), PAGE("BE, equal"), PAGE("SAC, equal"),
	PAGE("rej. high"), PAGE("rej. low"), PAGE("t > 0"),
	{NULL, "claims that fail", OUT_LEFT},
};
static const struct paper_column efficiency_columns[] = {
	{NULL, "options", OUT_LEFT}, PAGE("BE, low load"),
	PAGE("BE, high load"), PAGE("alpha 1"), PAGE("alpha 0"),
	PAGE("CAC, low load"), PAGE("CAC, high load"),
};
/* clang-format on */

static const struct paper_table sensitivity = {
	"sensitivity",	  NULL, sensitivity_columns, COUNT(sensitivity_columns),
	fill_sensitivity, false};
static const struct paper_table contracts = {
	"contracts",	NULL, contracts_columns, COUNT(contracts_columns),
	fill_contracts, false};
static const struct paper_table efficiencies = {
	"efficiencies",	    "The same: efficiency",
	efficiency_columns, COUNT(efficiency_columns),
	fill_efficiencies,  true};

/* ---- options ---- */

static void fill_options(struct paper_rows *rows, const void *study)
{
	const struct cc_study *s = study;

	for (size_t i = 0; i < MARKET_NOPTIONS; i++) {
		const struct libra_param *p = &market_options[i];

		paper_rows_text(rows, "%s", p->name);
		paper_rows_number(rows, -1, s->options[i]);
		paper_rows_number(rows, -1, p->value);
		paper_rows_text(rows, "%s", p->unit);
		paper_rows_text(rows, "%s", p->help);
	}
}

static const struct paper_column options_columns[] = {
	{"option", "option", OUT_LEFT},	   {"value", "value", OUT_RIGHT},
	{"default", "default", OUT_RIGHT}, {"unit", "unit", OUT_LEFT},
	{"help", "meaning", OUT_LEFT},
};
static const struct paper_table options = {
	"options",	 "All options (--set NAME=VALUE)",
	options_columns, COUNT(options_columns),
	fill_options,	 true};

/* ---- table 1 ---- */

static void fill_table_1(struct paper_rows *rows, const void *study)
{
	const struct cc_study *s = study;

	for (size_t i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		struct model_gof m = s->models.rows[i];

		if (!s->models.has_trace)
			m = (struct model_gof){NAN, NAN, NAN};
		paper_rows_text(rows, "%s", row->first);
		paper_rows_text(rows, "%s", model_series_name(row->series));
		paper_rows_number(rows, 3, m.success);
		paper_rows_number(rows, 3, row->success);
		paper_rows_number(rows, 4, m.ks);
		paper_rows_number(rows, 4, row->ks);
		paper_rows_number(rows, 4, m.mean_ks);
		paper_rows_number(rows, 4, row->mean_ks);
	}
}

static const struct paper_column table_1_columns[] = {
	{"first", "sample 1", OUT_LEFT},
	{"series", "the trace's", OUT_LEFT},
	{"success", "success", OUT_RIGHT},
	{"success_paper", "paper", OUT_RIGHT},
	{"ks", "KS, whole", OUT_RIGHT},
	{"ks_paper", "paper", OUT_RIGHT},
	{"mean_ks", "KS, mean", OUT_RIGHT},
	{"mean_ks_paper", "paper", OUT_RIGHT},
};
static const struct paper_table table_1 = {
	"table-1",    NULL, table_1_columns, COUNT(table_1_columns),
	fill_table_1, false};

/* ---- table 2 ---- */

static double critical(size_t n, bool two_sided)
{
	return gof_t_critical(0.05, (double)n - 1, two_sided);
}

/* "*" one-sided, "**" two-sided at 5 %. */
static void marked(struct paper_rows *rows, double value, size_t n)
{
	const char *mark = "";

	if (n > 1 && value > critical(n, true))
		mark = "**";
	else if (n > 1 && value > critical(n, false))
		mark = "*";
	if (isnan(value))
		paper_rows_text(rows, "-");
	else
		paper_rows_text(rows, "%.2f%s", value, mark);
}

static void fill_t(struct paper_rows *rows, const struct cc_study *s,
		   size_t pair, bool utilization, size_t config)
{
	size_t five = cc_first_five(s), all = s->nseeds;
	double paper = cc_paper_t[pair][utilization][config];
	double t_five = cc_t(s, pair, utilization, config, five);
	double t_all = cc_t(s, pair, utilization, config, all);

	paper_rows_text(rows, "%s", cc_pairs[pair][0]);
	paper_rows_text(rows, "%s", cc_pairs[pair][1]);
	paper_rows_text(rows, "%s", utilization ? "utilization" : "violations");
	paper_rows_text(rows, "%s", cc_configs[config].name);
	paper_rows_text(rows, "%s", cc_configs[config].title);
	paper_rows_number(rows, 2, paper);
	paper_rows_number(rows, 2, t_five);
	paper_rows_number(rows, 2, critical(five, false));
	paper_rows_number(rows, 2, critical(five, true));
	paper_rows_number(rows, 2, t_all);
	paper_rows_number(rows, 2, critical(all, false));
	paper_rows_number(rows, 2, critical(all, true));
	marked(rows, paper, CC_PAPER_SEEDS);
	marked(rows, t_five, five);
	marked(rows, t_all, all);
}

static void fill_table_2(struct paper_rows *rows, const void *study)
{
	for (size_t pair = 0; pair < CC_NPAIRS; pair++)
		for (int u = 0; u < 2; u++)
			for (size_t c = 0; c < CC_NCONFIGS; c++)
				fill_t(rows, study, pair, u, c);
}

static const struct paper_column table_2_columns[] = {
	{"first", "first", OUT_LEFT},
	{"second", "second", OUT_LEFT},
	{"metric", "metric", OUT_LEFT},
	{"configuration", NULL, OUT_LEFT},
	{NULL, "values and load", OUT_LEFT},
	CSV("t_paper"),
	CSV("t_first5"),
	CSV("critical_one_sided"),
	CSV("critical_two_sided"),
	CSV("t_all"),
	CSV("critical_all_one_sided"),
	CSV("critical_all_two_sided"),
	PAGE("paper"),
	PAGE("first five seeds"),
	PAGE("all seeds"),
};
static const struct paper_table table_2 = {
	"table-2",    NULL, table_2_columns, COUNT(table_2_columns),
	fill_table_2, false};

static const struct paper_table *const tables[] = {
	&contracts, &efficiencies, &options, &table_1, &table_2, NULL};

/* ---- figures ---- */

#define SIZE .width = 290, .height = 215
#define UNIT .ymin = "0", .ymax = "1", .spread = true
#define CURVES                                                                 \
	.points = "alpha", .xlabel = "alpha, weight of inelastic utility",     \
	.ylabel = "efficiency", .name = "{{model}}", .style = "model",         \
	.x = "alpha", .y = "value", .kind = PLOT_LINES, .xmin = "0",           \
	.xmax = "1", UNIT, SIZE
/* The models stand side by side. */
#define MARKS                                                                  \
	.name = "{{model}}", .style = "model", .y = "value",                   \
	.kind = PLOT_POINTS, UNIT, SIZE

static const struct paper_plot plots[] = {
	{.figure = "1",
	 .id = "f1{{letter}}",
	 .panels = "metrics metric=violations,utilization,rejections,"
		   "correlation",
	 .series = "model=BE,SAC,CAC",
	 .points = "configuration",
	 .title = "Figure 1({{letter}}): {{metric.name}}",
	 .caption = "Figure 1({{letter}}): {{metric.name}}",
	 .xlabel = "",
	 .ylabel = "{{metric.name}}",
	 .x = "configuration + 0.2 * (model - 1)",
	 .tick = "{{configuration.name}}",
	 .tick_at = "configuration",
	 .xmin = "0.4",
	 .xmax = "4.6",
	 MARKS},
	{.figure = "2",
	 .id = "f2{{letter}}",
	 .panels = "efficiency configuration",
	 .series = "model=BE,SAC,CAC",
	 .title = "Figure 2: efficiency, {{configuration}}",
	 .caption = "Figure 2({{letter}}): {{configuration}}",
	 CURVES},
	{.figure = "3",
	 .id = "f3a",
	 .panels = "metrics configuration=pareto-high",
	 .series = "model=BE,CAC,RAC",
	 .points = "metric=violations,utilization,correlation",
	 .title = "Figure 3(a): random rejection",
	 .caption = "Figure 3(a): random rejection",
	 .xlabel = "",
	 .ylabel = "",
	 .x = "min(metric + 1, 3) + 0.2 * (max(0, model - 1) - 1)",
	 .tick = "{{metric.name}}",
	 .tick_at = "min(metric + 1, 3)",
	 .xmin = "0.4",
	 .xmax = "3.6",
	 MARKS},
	{.figure = "3",
	 .id = "f3b",
	 .panels = "efficiency configuration=pareto-high",
	 .series = "model",
	 .title = "Figure 3(b): efficiency, {{configuration}}",
	 .caption = "Figure 3(b): the same, efficiency",
	 CURVES},
};

/* ---- files, and the paper ---- */

#define THREE "configuration model=BE,SAC,CAC"
#define RAC   "configuration=pareto-high model=RAC"
#define METRICS                                                                \
	"configuration model metric seeds=count mean sd ci95 first5_mean "     \
	"first5_sd first5_ci95"

static const struct sim_paper_file files[] = {
	{"figure-1.csv", .over = "metrics " THREE " metric",
	 .columns = METRICS},
	{"figure-2.csv", .over = "efficiency " THREE " alpha",
	 .columns = "configuration model alpha mean sd ci95"},
	{"figure-3.csv", .over = "metrics " RAC " metric", .columns = METRICS},
	{"figure-3-efficiency.csv", .over = "efficiency " RAC " alpha",
	 .columns = "configuration model alpha mean sd ci95"},
	{"table-1.csv", .table = &table_1},
	{"table-2.csv", .table = &table_2},
	{"sensitivity.csv", .table = &sensitivity},
	{"options.csv", .table = &options},
	{"runs.csv",
	 .over = "market configuration=pareto-low model=BE,SAC,CAC;"
		 "market configuration=pareto-high model;"
		 "market configuration=equal,normal model=BE,SAC,CAC",
	 .columns = "configuration model seed violations utilization "
		    "rejections correlation efficiency_inelastic "
		    "efficiency_elastic ratio_inelastic ratio_elastic pw pa "
		    "pd q optimum_gap"},
};

static int set_up(void *study, struct libra_error *err)
{
	struct cc_study *s = study;

	s->nseeds = s->paper.run->nseeds;
	memcpy(s->options, s->paper.run->params, sizeof(s->options));
	return market_check(s->options, err);
}

static const void *models_of(const void *study)
{
	return &((const struct cc_study *)study)->models;
}

static void fini(void *study)
{
	struct cc_study *s = study;

	free(s->values);
	free(s->sensitivity);
}

/* {{critical one}}, {{critical two}}: of five repetitions. */
static bool say(FILE *fp, const struct design_place *p, const char *word,
		const void *study)
{
	if (strncmp(word, "critical ", 9) != 0)
		return false;
	fprintf(fp, "%.4f", critical(CC_PAPER_SEEDS, word[9] == 't'));
	return true;
}

static const struct sim_paper_steps steps = {
	.size = sizeof(struct cc_study),
	.designs = cc_designs,
	.ndesigns = CC_NDESIGNS,
	.numbers = cc_numbers,
	.set_up = set_up,
	.measure = cc_measure,
	.claims = sim_claims_ccgrid2008,
	.asks = cc_asks,
	.first_claims = model_claims,
	.nfirst = MODEL_NCLAIMS,
	.first_study = models_of,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.headline = "A computational market: best effort, statistical and "
		    "capacity admission",
	.page = sim_page_ccgrid2008,
	.tables = tables,
	.word = say,
	.without_log = "claims about it are not judged.",
	.summary = "rows: metrics configuration=pareto-high metric=violations,"
		   "rejections,utilization,efficiency_inelastic,"
		   "efficiency_elastic\n"
		   "Pareto, high load < {{metric.name}}\n"
		   "each model: {{model}} > {{%.3f value}}\n",
	.fini = fini,
};

const struct sim_paper sim_paper_ccgrid2008 = {
	.name = "ccgrid2008",
	.title = "Admission Control in a Computational Market",
	.citation =
		"T. Sandholm, K. Lai and S. Clearwater, Admission Control in "
		"a Computational Market, CCGrid 2008",
	.trace = "SDSC-BLUE-2000-4.2-cln.swf.gz",
	.seeds = 200,
	.params = market_options,
	.nparams = MARKET_NOPTIONS,
	.steps = &steps,
};
