/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - the market paper: its figures and files. */
#include <string.h>

#include "sim/paper/ccgrid2008/experiment.h"
#include "sim/paper/page.h"

#define COUNT(of) DESIGN_COUNT(of)

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

/* ---- words ---- */

static const struct paper_ask asks[] = {
	{"on-trace", cc_on_trace},
	{"draws", cc_draws},
	{"tolerances", cc_tolerances},
	{NULL, NULL},
};

/* Does a claim hold with other options? */
static enum claim_status judge(const struct cc_study *s, const struct claim *c,
			       double reading)
{
	char given[32];

	snprintf(given, sizeof(given), "options=%g", reading);
	return paper_judge_given(&s->common, c, c->check, given,
				 s->runs[(size_t)reading].nseeds);
}

/* The claims that options decide. */
static bool is_simulated(const struct claim *c)
{
	return strcmp(c->id, "M22") >= 0 && strcmp(c->id, "M34") <= 0;
}

/* {{M22}}: pass or fail, at options; {{failing}}: all that do. */
static bool say(FILE *fp, const struct design_place *p, const char *word,
		const void *study)
{
	const struct cc_study *s = study;
	bool all = strcmp(word, "failing") == 0;
	size_t found = 0;

	for (size_t i = CC_NMODEL_CLAIMS; i < s->common.claims.n; i++) {
		const struct claim *c = &s->common.claims.claims[i];
		enum claim_status status;

		if (!is_simulated(c) || !(all || strcmp(word, c->id) == 0))
			continue;
		status = judge(s, c, design_number(p, 0));
		if (!all)
			fputs(claim_status_name(status), fp);
		else if (status == CLAIM_FAIL)
			fprintf(fp, "%s ", c->id);
		found++;
	}
	return found;
}

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
	{"table-1.csv", .over = "fit sample",
	 .columns = "first=sample series=sample.title success success_paper ks "
		    "ks_paper mean_ks mean_ks_paper"},
	{"table-2.csv", .over = "t pair metric configuration",
	 .columns = "first=pair.title second=pair.param metric configuration "
		    "t_paper t_first5 critical_one_sided critical_two_sided "
		    "t_all critical_all_one_sided critical_all_two_sided"},
	{"sensitivity.csv", .over = "readings options>=1",
	 .columns =
		 "options=options.title be_efficiency_low be_efficiency_high "
		 "be_inelastic_high be_elastic_high cac_efficiency_low "
		 "cac_efficiency_high be_violations sac_violations "
		 "cac_violations be_violations_equal sac_violations_equal "
		 "cac_rejections_high cac_rejections_low t_positive M22={{M22}} "
		 "M23={{M23}} M24={{M24}} M25={{M25}} M26={{M26}} M27={{M27}} "
		 "M28={{M28}} M29={{M29}} M30={{M30}} M31={{M31}} M32={{M32}} "
		 "M33={{M33}} M34={{M34}}"},
	{"options.csv", .table = &sim_paper_options},
	{"runs.csv",
	 .over = "market configuration=pareto-low model=BE,SAC,CAC;"
		 "market configuration=pareto-high model;"
		 "market configuration=equal,normal model=BE,SAC,CAC",
	 .columns = "configuration model seed violations utilization "
		    "rejections correlation efficiency_inelastic "
		    "efficiency_elastic ratio_inelastic ratio_elastic pw pa "
		    "pd q optimum_gap"},
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
	.size = sizeof(struct cc_study),
	.designs = cc_designs,
	.ndesigns = CC_NDESIGNS,
	.given = "options=0",
	.measure = cc_measure,
	.claims = sim_claims_ccgrid2008,
	.asks = asks,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.page.headline = "A computational market: best effort, statistical and "
			 "capacity admission",
	.page.text = sim_page_ccgrid2008,
	.page.word = say,
	.without_log = "claims about it are not judged.",
	.summary = "rows: metrics configuration=pareto-high metric=violations,"
		   "rejections,utilization,efficiency_inelastic,"
		   "efficiency_elastic\n"
		   "Pareto, high load < {{metric.name}}\n"
		   "each model: {{model}} > {{%.3f value}}\n",
	.fini = cc_fini,
};
