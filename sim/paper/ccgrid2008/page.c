/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - the market paper: the page of its report. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/ccgrid2008/experiment.h"
#include "sim/report/plot.h"

#define PLUS_MINUS "\xc2\xb1"

/* ---- figures ---- */

static const enum cc_metric panels[] = {CC_VIOLATIONS, CC_UTILIZATION,
					CC_REJECTIONS, CC_CORRELATION};
#define NPANELS 4
#define NALPHA	11

/* The pictures: figure 1, figure 2, and the two of figure 3. */
enum {
	FIGURE_1 = 0,
	FIGURE_2 = FIGURE_1 + NPANELS,
	FIGURE_3 = FIGURE_2 + CC_NCONFIGS,
};

/* The models stand side by side at each configuration. */
static int draw_metric(const struct cc_study *s, int panel, char **svg,
		       struct libra_error *err)
{
	double x[3][CC_NCONFIGS], y[3][CC_NCONFIGS], sd[3][CC_NCONFIGS];
	struct plot_series series[3];
	char id[8], title[96];
	struct plot plot = {
		.id = id,
		.title = title,
		.xlabel = "configuration",
		.ylabel = cc_columns[panels[panel]].name,
		.kind = PLOT_POINTS,
		.xmin = 0,
		.xmax = CC_NCONFIGS + 1,
		.ymin = 0,
		.ymax = 1,
		.series = series,
		.nseries = 3,
		.width = 290,
		.height = 215,
	};

	snprintf(id, sizeof(id), "f1%c", 'a' + panel);
	snprintf(title, sizeof(title), "Figure 1(%c): %s", 'a' + panel,
		 plot.ylabel);
	for (int m = 0; m < 3; m++) {
		for (int c = 0; c < CC_NCONFIGS; c++) {
			struct cc_stat stat =
				cc_stat(s, c, m, panels[panel], s->nseeds);

			x[m][c] = c + 1 + 0.2 * (m - 1);
			y[m][c] = stat.mean;
			sd[m][c] = stat.sd;
		}
		series[m] = (struct plot_series){.name = cc_model_titles[m],
						 .x = x[m],
						 .y = y[m],
						 .spread = sd[m],
						 .n = CC_NCONFIGS,
						 .style = m};
	}
	return plot_svg(&plot, svg, err);
}

static int draw_efficiency(const struct cc_study *s, int config, bool random,
			   char **svg, struct libra_error *err)
{
	double x[NALPHA], y[CC_NMODELS][NALPHA], sd[CC_NMODELS][NALPHA];
	struct plot_series series[CC_NMODELS];
	char id[8], title[96];
	struct plot plot = {
		.id = id,
		.title = title,
		.xlabel = "alpha, weight of inelastic utility",
		.ylabel = "efficiency",
		.kind = PLOT_LINES,
		.xmin = 0,
		.xmax = 1,
		.ymin = 0,
		.ymax = 1,
		.series = series,
		.nseries = random ? 4 : 3,
		.width = 290,
		.height = 215,
	};

	snprintf(id, sizeof(id), "f%d%c", random ? 3 : 2,
		 random ? 'b' : 'a' + config);
	snprintf(title, sizeof(title), "Figure %s: efficiency, %s",
		 random ? "3(b)" : "2", cc_configs[config].title);
	for (size_t m = 0; m < plot.nseries; m++) {
		for (int a = 0; a < NALPHA; a++) {
			struct cc_stat stat;

			x[a] = a / (NALPHA - 1.0);
			stat = cc_efficiency_stat(s, config, (int)m, x[a],
						  s->nseeds);
			y[m][a] = stat.mean;
			sd[m][a] = stat.sd;
		}
		series[m] = (struct plot_series){.name = cc_model_titles[m],
						 .x = x,
						 .y = y[m],
						 .spread = sd[m],
						 .n = NALPHA,
						 .style = (int)m};
	}
	return plot_svg(&plot, svg, err);
}

static int draw_random(const struct cc_study *s, char **svg,
		       struct libra_error *err)
{
	static const enum cc_metric metrics[] = {CC_VIOLATIONS, CC_UTILIZATION,
						 CC_CORRELATION};
	static const int models[] = {CC_BE, CC_CAC, CC_RAC};
	double x[3][3], y[3][3], sd[3][3];
	struct plot_series series[3];
	struct plot plot = {
		.id = "f3a",
		.title = "Figure 3(a): random rejection",
		.xlabel = "1 violations, 2 utilization, 3 correlation",
		.ylabel = "",
		.kind = PLOT_POINTS,
		.xmin = 0,
		.xmax = 4,
		.ymin = 0,
		.ymax = 1,
		.series = series,
		.nseries = 3,
		.width = 290,
		.height = 215,
	};

	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			struct cc_stat stat =
				cc_stat(s, CC_PARETO_HIGH, models[i],
					metrics[k], s->nseeds);

			x[i][k] = k + 1 + 0.2 * (i - 1);
			y[i][k] = stat.mean;
			sd[i][k] = stat.sd;
		}
		series[i] =
			(struct plot_series){.name = cc_model_titles[models[i]],
					     .x = x[i],
					     .y = y[i],
					     .spread = sd[i],
					     .n = 3,
					     .style = models[i]};
	}
	return plot_svg(&plot, svg, err);
}

int cc_draw(const void *study, size_t picture, char **svg,
	    struct libra_error *err)
{
	int i = (int)picture;

	if (i < FIGURE_2)
		return draw_metric(study, i - FIGURE_1, svg, err);
	if (i < FIGURE_3)
		return draw_efficiency(study, i - FIGURE_2, false, svg, err);
	if (i == FIGURE_3)
		return draw_random(study, svg, err);
	return draw_efficiency(study, CC_PARETO_HIGH, true, svg, err);
}

/* ---- tables ---- */

static void cell_stat(struct out_table *t, struct cc_stat stat)
{
	if (isnan(stat.sd))
		out_table_number(t, 3, stat.mean);
	else
		out_table_cell(t, "%.3f " PLUS_MINUS " %.3f", stat.mean,
			       stat.sd);
}

static void table_metrics(FILE *fp, const struct cc_study *s, bool five)
{
	static const struct out_column columns[] = {
		{"", OUT_LEFT},
		{"", OUT_LEFT},
		{"violations", OUT_RIGHT},
		{"utilization", OUT_RIGHT},
		{"rejections", OUT_RIGHT},
		{"correlation", OUT_RIGHT},
		{"efficiency 1", OUT_RIGHT},
		{"efficiency 0", OUT_RIGHT},
		{"ratios 1", OUT_RIGHT},
		{"ratios 0", OUT_RIGHT},
	};
	static const enum cc_metric metrics[] = {
		CC_VIOLATIONS,	    CC_UTILIZATION,  CC_REJECTIONS,
		CC_CORRELATION,	    CC_INELASTIC,    CC_ELASTIC,
		CC_RATIO_INELASTIC, CC_RATIO_ELASTIC};
	size_t n = five ? CC_PAPER_SEEDS : s->nseeds;
	char title[160];
	struct out_table t;

	out_table_init(&t, columns, 10);
	for (int c = 0; c < CC_NCONFIGS; c++)
		for (int m = 0; m < CC_NMODELS; m++) {
			if (!cc_runs(c, m))
				continue;
			out_table_cell(&t, "%s", cc_configs[c].title);
			out_table_cell(&t, "%s", cc_model_titles[m]);
			for (int k = 0; k < 8; k++)
				cell_stat(&t, cc_stat(s, c, m, metrics[k], n));
		}
	snprintf(title, sizeof(title),
		 "The numbers, %s %zu seeds (mean " PLUS_MINUS
		 " standard deviation)",
		 five ? "the first" : "all", n < s->nseeds ? n : s->nseeds);
	if (!five)
		report_heading(fp, title);
	report_table(fp, title, &t, !five);
	out_table_fini(&t);
}

static void table_models(FILE *fp, const struct cc_study *s)
{
	static const struct out_column columns[] = {
		{"sample 1", OUT_LEFT},	  {"sample 2", OUT_LEFT},
		{"success", OUT_RIGHT},	  {"paper", OUT_RIGHT},
		{"KS, whole", OUT_RIGHT}, {"paper", OUT_RIGHT},
		{"KS, mean", OUT_RIGHT},  {"paper", OUT_RIGHT},
	};
	struct out_table t;

	if (!s->models.has_trace) {
		report_notice(fp, "No log.",
			      "Table 1 compares the workload models with the "
			      "paper's log, which was not found.");
		return;
	}
	out_table_init(&t, columns, 8);
	for (int i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		const struct model_gof *m = &s->models.rows[i];

		out_table_cell(&t, "%s", row->first);
		out_table_cell(&t, "trace, %s", model_series_name(row->series));
		out_table_number(&t, 3, m->success);
		out_table_number(&t, 3, row->success);
		out_table_number(&t, 4, m->ks);
		out_table_number(&t, 4, row->ks);
		out_table_number(&t, 4, m->mean_ks);
		out_table_number(&t, 4, row->mean_ks);
	}
	report_heading(fp, "Table 1. Goodness of fit");
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

/* "*" one-sided, "**" two-sided at 5 %. */
static void cell_t(struct out_table *t, double value, size_t n)
{
	const char *mark = "";

	if (n > 1 && value > gof_t_critical(0.05, (double)n - 1, true))
		mark = "**";
	else if (n > 1 && value > gof_t_critical(0.05, (double)n - 1, false))
		mark = "*";
	if (isnan(value))
		out_table_cell(t, "-");
	else
		out_table_cell(t, "%.2f%s", value, mark);
}

static void table_t(FILE *fp, const struct cc_study *s)
{
	static const struct out_column columns[] = {
		{"first/second", OUT_LEFT},	 {"metric", OUT_LEFT},
		{"values and load", OUT_LEFT},	 {"paper", OUT_RIGHT},
		{"first five seeds", OUT_RIGHT}, {"all seeds", OUT_RIGHT},
	};
	size_t five = s->nseeds < CC_PAPER_SEEDS ? s->nseeds : CC_PAPER_SEEDS;
	struct out_table t;

	out_table_init(&t, columns, 6);
	for (int p = 0; p < CC_NPAIRS; p++)
		for (int u = 0; u < 2; u++)
			for (int c = 0; c < CC_NCONFIGS; c++) {
				out_table_cell(&t, "%s/%s",
					       cc_model_titles[cc_pairs[p][0]],
					       cc_model_titles[cc_pairs[p][1]]);
				out_table_cell(&t, "%s",
					       u ? "utilization"
						 : "violations");
				out_table_cell(&t, "%s", cc_configs[c].title);
				cell_t(&t, cc_paper_t[p][u][c], CC_PAPER_SEEDS);
				cell_t(&t, cc_t(s, p, u, c, five), five);
				cell_t(&t, cc_t(s, p, u, c, s->nseeds),
				       s->nseeds);
			}
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

static void cell_name(struct out_table *t, const struct cc_variant *variant)
{
	char name[160];

	cc_variant_name(variant, name, sizeof(name));
	out_table_cell(t, "%s", name);
}

static void cell_failing(struct out_table *t, const struct cc_sensitivity *v)
{
	char failing[128] = "";

	for (int k = 0; k < CC_NSIMULATED; k++) {
		int at = CC_FIRST_SIMULATED + k;

		if (v->results[at].status == CLAIM_FAIL)
			claim_append(failing, sizeof(failing), "%s ",
				     cc_claims[at].id);
	}
	out_table_cell(t, "%s", failing);
}

static void cells(struct out_table *t, const double *values, int n)
{
	for (int k = 0; k < n; k++)
		out_table_number(t, 2, values[k]);
}

static void table_contracts(FILE *fp, const struct cc_study *s)
{
	static const struct out_column columns[] = {
		{"options", OUT_LEFT},	  {"BE, Pareto", OUT_RIGHT},
		{"equal", OUT_RIGHT},	  {"SAC, Pareto", OUT_RIGHT},
		{"equal", OUT_RIGHT},	  {"CAC, Pareto", OUT_RIGHT},
		{"rej. high", OUT_RIGHT}, {"rej. low", OUT_RIGHT},
		{"t > 0", OUT_RIGHT},	  {"claims that fail", OUT_LEFT},
	};
	const double paper[] = {.61, .44, NAN, NAN, .01, .37, .20};
	struct out_table t;

	out_table_init(&t, columns, 10);
	out_table_cell(&t, "paper");
	cells(&t, paper, 7);
	out_table_cell(&t, "24");
	out_table_cell(&t, "-");
	for (size_t i = 0; i < s->nsensitivity; i++) {
		const struct cc_sensitivity *v = &s->sensitivity[i];
		const double values[] = {v->be_violations,  v->be_equal,
					 v->sac_violations, v->sac_equal,
					 v->cac_violations, v->rejections,
					 v->low_rejections};

		cell_name(&t, v->variant);
		cells(&t, values, 7);
		out_table_cell(&t, "%u", v->positive);
		cell_failing(&t, v);
	}
	report_heading(fp, "Other readings and values: broken contracts, "
			   "CAC's rejections");
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

static void table_efficiency(FILE *fp, const struct cc_study *s)
{
	static const struct out_column columns[] = {
		{"options", OUT_LEFT},	       {"BE, low load", OUT_RIGHT},
		{"BE, high load", OUT_RIGHT},  {"alpha 1", OUT_RIGHT},
		{"alpha 0", OUT_RIGHT},	       {"CAC, low load", OUT_RIGHT},
		{"CAC, high load", OUT_RIGHT},
	};
	const double paper[] = {.80, .55, .35, .90, .75, .75};
	struct out_table t;

	out_table_init(&t, columns, 7);
	out_table_cell(&t, "paper");
	cells(&t, paper, 6);
	for (size_t i = 0; i < s->nsensitivity; i++) {
		const struct cc_sensitivity *v = &s->sensitivity[i];
		const double values[] = {v->be_low,	  v->be_high,
					 v->be_inelastic, v->be_elastic,
					 v->cac_low,	  v->cac_high};

		cell_name(&t, v->variant);
		cells(&t, values, 6);
	}
	report_table(fp, "The same: efficiency", &t, false);
	out_table_fini(&t);
}

static void table_options(FILE *fp, const struct cc_study *s)
{
	static const struct out_column columns[] = {
		{"option", OUT_LEFT},	{"value", OUT_RIGHT},
		{"default", OUT_RIGHT}, {"unit", OUT_LEFT},
		{"meaning", OUT_LEFT},
	};
	struct out_table t;

	out_table_init(&t, columns, 5);
	for (int i = 0; i < MARKET_NOPTIONS; i++) {
		const struct libra_param *p = &market_options[i];

		out_table_cell(&t, "%s", p->name);
		out_table_cell(&t, "%g", s->options[i]);
		out_table_cell(&t, "%g", p->value);
		out_table_cell(&t, "%s", p->unit);
		out_table_cell(&t, "%s", p->help);
	}
	report_table(fp, "All options (--set NAME=VALUE)", &t, false);
	out_table_fini(&t);
}

/* ---- the page ---- */

static void write_headline(FILE *fp, const struct cc_study *s)
{
	fprintf(fp,
		"<p class=\"lead\">With Pareto values under high load, best "
		"effort breaks %.0f %% of its contracts, statistical admission "
		"%.0f %%, capacity admission %.1f %%, which rejects %.0f %% "
		"of the jobs for it. For work that counts only when complete, "
		"their efficiency is %.2f, %.2f and %.2f; if every part "
		"counts, %.2f, %.2f and %.2f.</p>\n",
		100 * cc_mean(s, CC_PARETO_HIGH, CC_BE, CC_VIOLATIONS),
		100 * cc_mean(s, CC_PARETO_HIGH, CC_SAC, CC_VIOLATIONS),
		100 * cc_mean(s, CC_PARETO_HIGH, CC_CAC, CC_VIOLATIONS),
		100 * cc_mean(s, CC_PARETO_HIGH, CC_CAC, CC_REJECTIONS),
		cc_efficiency(s, CC_PARETO_HIGH, CC_BE, 1),
		cc_efficiency(s, CC_PARETO_HIGH, CC_SAC, 1),
		cc_efficiency(s, CC_PARETO_HIGH, CC_CAC, 1),
		cc_efficiency(s, CC_PARETO_HIGH, CC_BE, 0),
		cc_efficiency(s, CC_PARETO_HIGH, CC_SAC, 0),
		cc_efficiency(s, CC_PARETO_HIGH, CC_CAC, 0));
	fprintf(fp, "<nav><a href=\"#paper\">Paper and measurement</a>"
		    "<a href=\"#figures\">Figures</a>"
		    "<a href=\"#tables\">Tables</a>"
		    "<a href=\"#options\">Open parameters</a>"
		    "<a href=\"#claims\">All claims</a>"
		    "<a href=\"#how\">How it was made</a></nav>\n</header>\n");
}

static void write_figures(FILE *fp, const struct cc_study *s,
			  const struct sim_paper_pictures *p)
{
	const char *colours[CC_NMODELS];
	char caption[96];

	for (int m = 0; m < CC_NMODELS; m++)
		colours[m] = plot_colour(m);
	report_section(fp, "figures", "The paper's figures, measured");
	if (!p->any) {
		report_notice(fp, "No figures.", p->why);
	} else {
		report_legend(fp, cc_model_titles, colours, CC_NMODELS);
		report_text(fp, "Configurations: 1 Pareto values, low load; "
				"2 Pareto, 3 equal, 4 normal values, high "
				"load. Bars show one standard deviation.");
		report_figures_begin(fp);
		for (int i = 0; i < NPANELS; i++) {
			snprintf(caption, sizeof(caption), "Figure 1(%c): %s",
				 'a' + i, cc_columns[panels[i]].name);
			report_figure(fp, caption, p->svg[FIGURE_1 + i]);
		}
		for (int c = 0; c < CC_NCONFIGS; c++) {
			snprintf(caption, sizeof(caption), "Figure 2(%c): %s",
				 'a' + c, cc_configs[c].title);
			report_figure(fp, caption, p->svg[FIGURE_2 + c]);
		}
		report_figure(fp, "Figure 3(a): random rejection",
			      p->svg[FIGURE_3]);
		report_figure(fp, "Figure 3(b): the same, efficiency",
			      p->svg[FIGURE_3 + 1]);
		report_figures_end(fp);
	}
	table_metrics(fp, s, false);
	table_metrics(fp, s, true);
}

/* The greatest error of the optimum, over all configurations. */
static double optimum_gap(const struct cc_study *s, double *worst)
{
	double mean = 0;

	*worst = 0;
	for (int c = 0; c < CC_NCONFIGS; c++) {
		mean = fmax(mean, cc_mean(s, c, CC_BE, CC_OPT_GAP));
		for (size_t i = 0; i < s->nseeds; i++)
			*worst = fmax(*worst,
				      *cc_value(s, c, CC_BE, CC_OPT_GAP, i));
	}
	return mean;
}

void cc_write_readings(FILE *fp, const void *study)
{
	const struct cc_study *s = study;
	static const char *const ends[] = {
		[MARKET_END_PART] = "when its work is done",
		[MARKET_END_JOB] = "when all work of the job is done",
		[MARKET_END_DEADLINE] = "at the deadline, done or not",
	};
	double worst, mean = optimum_gap(s, &worst);

	report_heading(fp, "How the paper was read");
	report_list_begin(fp);
	report_item(fp, "Bids",
		    "A user's budget is split in proportion to value x run "
		    "time x processors, and spent evenly until the deadline, "
		    "the same on each host; nobody bids again.");
	report_item(fp, "Hosts",
		    "A host's CPUs are divided by bids at every instant: b / "
		    "(b + c); what a job cannot use %s. Jobs take the hosts "
		    "with the lowest price. A part of a job ends %s, or is "
		    "stopped at its deadline.",
		    s->options[MARKET_STRICT] != 0 ? "is lost"
						   : "goes to the others",
		    ends[(int)s->options[MARKET_ENDS]]);
	report_item(fp, "Promise",
		    "A job of n CPUs uses at the most %g CPUs (0: all) of each "
		    "of n hosts and is promised %g for its run time; its work "
		    "is as much, and its deadline the end of that time. The "
		    "paper does not say how much is promised: the value was "
		    "chosen by the contracts that best effort breaks under low "
		    "and high load.",
		    s->options[MARKET_MOST], s->options[MARKET_PROMISE]);
	report_item(fp, "Statistical admission",
		    "The bid must pay the promised share of a host at a bound "
		    "on the price: mean + k standard deviations over a window "
		    "of %g s, k by %s inequality. The price is the mean of the "
		    "cheapest %g %% of the hosts: there a job is put. Window "
		    "and hosts were chosen among several, with CAC's "
		    "rejections and the signs of table 2 in view.",
		    s->options[MARKET_WINDOW_S],
		    s->options[MARKET_ONE_SIDED] != 0 ? "Cantelli's one-sided"
						      : "Chebyshev's two-sided",
		    s->options[MARKET_WATCHED_PCT]);
	report_item(fp, "Capacity admission",
		    "In addition, every contract that shares a host with the "
		    "new one, and the new one, must keep its promise, summed "
		    "over its hosts (eq. 6).");
	report_item(fp, "Price and value",
		    "A job is worth its budget, and a run up to the deadline "
		    "costs %g of it, less if it ends earlier: in equations 14 "
		    "to 17 cost / value is 0.10 to 0.14.",
		    s->options[MARKET_CHARGE]);
	report_item(fp, "Efficiency",
		    "%s of the best set of jobs, for one who knows the future "
		    "and pays nothing. "
		    "The set is found by two greedy orders and exchanges of "
		    "one job, its feasibility by flows that let work change "
		    "hosts; no set can be better than the optimum of "
		    "fractional jobs, which is exact. By that bound the "
		    "optimum is at most %.2f %% too low on average (worst "
		    "configuration; %.1f %% in the worst of all work plans), "
		    "so efficiencies are too high by that at most.",
		    s->options[MARKET_RATIOS] != 0
			    ? "Mean of the jobs' utility / value, over the jobs"
			    : "Sum of utilities over the sum of values",
		    100 * mean, 100 * worst);
	report_item(fp, "Violations and rejections",
		    "Not fulfilled / admitted, and rejected / submitted: the "
		    "formula printed for violations is the complement.");
	report_item(fp, "Demand correlation",
		    "Pearson's, of the mean price of the hosts in bins of "
		    "%g s, with that of best effort on the same work plan.",
		    s->options[MARKET_BIN_S]);
	report_list_end(fp);
}

static const char *const excerpt[] = {"M12", "M22", "M23", "M24", "M25", "M26",
				      "M30", "M33", "M34", "M35", NULL};

static void write_tables(FILE *fp, const struct cc_study *s)
{
	report_section(fp, "tables", "The paper's tables");
	table_models(fp, s);
	report_heading(fp, "Table 2. Paired t of the differences");
	report_text(fp,
		    "Marked: * above the one-sided, ** above the two-sided "
		    "critical value at 5 %%: %.4f and %.4f for five "
		    "repetitions. The paper used 2.1318, the one-sided one. A "
		    "simulation repeats without the noise of a live cluster.",
		    gof_t_critical(0.05, 4, false),
		    gof_t_critical(0.05, 4, true));
	table_t(fp, s);
}

void cc_write_page(FILE *fp, const void *study)
{
	const struct cc_study *s = study;
	const struct sim_paper_study *paper = &s->paper;

	write_headline(fp, s);
	if (paper->source.synthetic)
		report_notice(fp, "The paper's log was not found.",
			      "Claims about it (M1 to M13) are not judged. The "
			      "experiments do not need it: their work plans "
			      "are drawn from the paper's models.");
	sim_paper_score(fp, paper);
	report_text(fp,
		    "Means of %zu seed%s. The original ran five times on a "
		    "live cluster: orders and signs are the target, its values "
		    "a guide.",
		    s->nseeds, s->nseeds == 1 ? "" : "s");
	report_excerpt(fp, paper->claims, paper->results, paper->nclaims,
		       excerpt);
	write_figures(fp, s, &paper->pictures);
	write_tables(fp, s);
	report_section(fp, "options", "What the paper leaves open");
	if (s->nsensitivity > 0) {
		table_contracts(fp, s);
		table_efficiency(fp, s);
	}
	table_options(fp, s);
	sim_paper_all_claims(fp, paper, NULL);
}
