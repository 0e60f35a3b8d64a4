/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - the paper on integrated risk analysis: its page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"
#include "sim/report/plot.h"

/* The figures in the paper's layout: rows of objectives, columns of sets. */
struct row {
	const char *title;
	unsigned objectives;
};

struct figure {
	int number;
	const char *title;
	int nrows;
	struct row row[3];
};

#define SLA	    (1u << IPDPS_SLA)
#define RELIABILITY (1u << IPDPS_RELIABILITY)
#define PROFIT	    (1u << IPDPS_PROFIT)
#define NFIGURES    3
#define NPANELS	    6

static const struct figure figures[NFIGURES] = {
	{2,
	 "Separate risk analysis of one objective",
	 3,
	 {{"SLA", SLA}, {"reliability", RELIABILITY}, {"profit", PROFIT}}},
	{3,
	 "Integrated risk analysis of two objectives",
	 3,
	 {{"SLA and reliability", SLA | RELIABILITY},
	  {"SLA and profit", SLA | PROFIT},
	  {"reliability and profit", RELIABILITY | PROFIT}}},
	{4,
	 "Integrated risk analysis of all three objectives",
	 1,
	 {{"SLA, reliability and profit", IPDPS_ALL}}},
};

static const char set_letter[] = "AB";

/* ---- figures ---- */

/* gnuplot's marks: filled square, circle, triangles up and down, diamond. */
static const struct {
	int mark;
	const char *text;
} marks[IPDPS_NSCENARIOS] = {
	{5, "square"},	       {7, "circle"},	{9, "triangle"},
	{11, "triangle down"}, {13, "diamond"},
};

static int draw_panel(const struct ipdps_study *s, const struct figure *f,
		      int panel, char **svg, struct libra_error *err)
{
	struct plot_series series[IPDPS_NPOLICIES * IPDPS_NSCENARIOS];
	struct risk_point point[IPDPS_NPOLICIES * IPDPS_NSCENARIOS];
	char names[IPDPS_NPOLICIES * IPDPS_NSCENARIOS][64];
	const struct row *row = &f->row[panel / 2];
	int set = panel % 2, n = 0;
	char id[16], title[128];
	struct plot plot = {
		.id = id,
		.title = title,
		.xlabel = "volatility",
		.ylabel = "performance",
		.kind = PLOT_POINTS,
		.xmin = 0,
		.xmax = NAN,
		.ymin = 0,
		.ymax = 100,
		.series = series,
		.nseries = IPDPS_NPOLICIES * IPDPS_NSCENARIOS,
		.width = 400,
		.height = 260,
	};

	snprintf(id, sizeof(id), "f%d%c", f->number, 'a' + panel);
	snprintf(title, sizeof(title), "Figure %d(%c): %s, set %c", f->number,
		 'a' + panel, row->title, set_letter[set]);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++, n++) {
			point[n] = ipdps_integrated(s, 0, set, sc, p,
						    row->objectives);
			snprintf(names[n], sizeof(names[n]), "%s, %s",
				 ipdps_policy_titles[p],
				 ipdps_scenarios[sc].name);
			series[n] = (struct plot_series){
				.name = names[n],
				.x = &point[n].volatility,
				.y = &point[n].performance,
				.n = 1,
				.style = p,
				.mark = marks[sc].mark,
			};
			if (point[n].performance < 0)
				plot.ymin = NAN;
		}
	return plot_svg(&plot, svg, err);
}

/* All figures have six panels but the last one, which has two. */
int ipdps_draw(const void *study, size_t picture, char **svg,
	       struct libra_error *err)
{
	return draw_panel(study, &figures[picture / NPANELS],
			  (int)(picture % NPANELS), svg, err);
}

static void point_cell(struct out_table *t, struct risk_point point)
{
	out_table_cell(t, "%.1f / %.1f", point.performance, point.volatility);
}

/* Performance / volatility of one row of panels. */
static void row_table(FILE *fp, const struct ipdps_study *s,
		      const struct row *row)
{
	struct out_column columns[2 + IPDPS_NPOLICIES] = {
		{"set", OUT_LEFT}, {"scenario", OUT_LEFT}};
	char title[96];
	struct out_table t;

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		columns[2 + p] =
			(struct out_column){ipdps_policy_titles[p], OUT_RIGHT};
	out_table_init(&t, columns, 2 + IPDPS_NPOLICIES);
	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int sc = 0; sc <= IPDPS_NSCENARIOS; sc++) {
			out_table_cell(&t, "%c", set_letter[set]);
			out_table_cell(&t, "%s",
				       sc < IPDPS_NSCENARIOS
					       ? ipdps_scenarios[sc].name
					       : "mean");
			for (int p = 0; p < IPDPS_NPOLICIES; p++)
				point_cell(
					&t,
					sc < IPDPS_NSCENARIOS
						? ipdps_integrated(
							  s, 0, set, sc, p,
							  row->objectives)
						: ipdps_mean(s, 0, set, p,
							     row->objectives));
		}
	snprintf(title, sizeof(title),
		 "The numbers for %s (performance / "
		 "volatility)",
		 row->title);
	report_table(fp, title, &t, false);
	out_table_fini(&t);
}

static void write_figure(FILE *fp, const struct ipdps_study *s, int f,
			 const struct sim_paper_pictures *pictures)
{
	const struct figure *figure = &figures[f];
	char title[128];

	snprintf(title, sizeof(title), "Figure %d. %s", figure->number,
		 figure->title);
	report_heading(fp, title);
	for (int panel = 0; pictures->any && panel < 2 * figure->nrows;
	     panel++) {
		if (panel % 2 == 0)
			report_figures_begin(fp);
		snprintf(title, sizeof(title), "(%c) %s, set %c", 'a' + panel,
			 figure->row[panel / 2].title, set_letter[panel % 2]);
		report_figure(fp, title, pictures->svg[f * NPANELS + panel]);
		if (panel % 2)
			report_figures_end(fp);
	}
	for (int i = 0; i < figure->nrows; i++)
		row_table(fp, s, &figure->row[i]);
}

static void write_figures(FILE *fp, const struct ipdps_study *s,
			  const struct sim_paper_pictures *pictures)
{
	const char *colours[IPDPS_NPOLICIES];

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		colours[p] = plot_colour(p);
	report_section(fp, "figures", "The paper's figures, measured");
	if (pictures->any)
		report_legend(fp, ipdps_policy_titles, colours,
			      IPDPS_NPOLICIES);
	else
		report_notice(fp, "No figures.", pictures->why);
	report_text(fp,
		    "One mark for each policy and scenario: %s for workload, "
		    "%s for job mix, %s for deadline bias, %s for budget bias, "
		    "%s for penalty bias. Performance is the mean of a "
		    "scenario's six results, volatility their standard "
		    "deviation; each result is the mean of %zu seed%s. High "
		    "and to the left is good.",
		    marks[0].text, marks[1].text, marks[2].text, marks[3].text,
		    marks[4].text, s->paper.run->nseeds,
		    s->paper.run->nseeds == 1 ? "" : "s");
	for (int f = 0; f < NFIGURES; f++)
		write_figure(fp, s, f, pictures);
}

/* ---- the page ---- */

static void write_headline(FILE *fp, const struct ipdps_study *s)
{
	double a = ipdps_mean(s, 0, IPDPS_A, IPDPS_LIBRARISK, IPDPS_ALL)
			   .performance;
	double b = ipdps_mean(s, 0, IPDPS_B, IPDPS_LIBRARISK, IPDPS_ALL)
			   .performance;
	double edf_a =
		ipdps_mean(s, 0, IPDPS_A, IPDPS_EDF_BF, IPDPS_ALL).performance;
	double edf_b =
		ipdps_mean(s, 0, IPDPS_B, IPDPS_EDF_BF, IPDPS_ALL).performance;

	fprintf(fp, "<p class=\"lead\">");
	fprintf(fp,
		"With equal weights for kept deadlines, kept promises and "
		"profit, LibraRisk reaches %.1f of 100 in set A and %.1f in "
		"set B; EDF with backfilling %.1f and %.1f.</p>\n",
		a, b, edf_a, edf_b);
	fprintf(fp, "<nav><a href=\"#paper\">Paper and measurement</a>"
		    "<a href=\"#figures\">Figures</a>"
		    "<a href=\"#readings\">What depends on readings</a>"
		    "<a href=\"#tuning\">Tuning</a>"
		    "<a href=\"#claims\">All claims</a>"
		    "<a href=\"#trace\">The workload</a>"
		    "<a href=\"#how\">How it was made</a></nav>\n</header>\n");
}

static void write_tiles(FILE *fp, const struct ipdps_study *s)
{
	report_tiles_begin(fp);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		report_tile(fp, plot_colour(p), ipdps_policy_titles[p],
			    ipdps_mean(s, 0, IPDPS_B, p, IPDPS_ALL).performance,
			    "all three objectives, set B",
			    ipdps_mean(s, 0, IPDPS_A, p, IPDPS_ALL).performance,
			    "set A");
	report_tiles_end(fp);
	report_text(fp,
		    "%zu simulated jobs on %u processors; means of five "
		    "scenarios of six values and of %zu seed%s. SLA is what "
		    "was fulfilled of all jobs, reliability what was fulfilled "
		    "of the accepted ones, profit what was earned of all "
		    "budgets.",
		    s->jobs, (unsigned)swf_procs(&s->paper.source.trace),
		    s->paper.run->nseeds, s->paper.run->nseeds == 1 ? "" : "s");
}

static void sensitivity_table(FILE *fp, const struct ipdps_study *s)
{
	struct out_column columns[1 + IPDPS_NREADINGS] = {{"", OUT_LEFT}};
	struct out_table t;

	for (int r = 0; r < IPDPS_NREADINGS; r++)
		columns[1 + r] =
			(struct out_column){ipdps_readings[r].name, OUT_LEFT};
	out_table_init(&t, columns, 1 + IPDPS_NREADINGS);
	for (size_t i = 0; i < IPDPS_NCLAIMS; i++) {
		if (ipdps_judge(s, i, 0) == CLAIM_INFO)
			continue;
		out_table_cell(&t, "%s", ipdps_claims[i].id);
		for (int r = 0; r < IPDPS_NREADINGS; r++) {
			enum claim_status status = ipdps_judge(s, i, r);

			out_table_cell(&t, "%s",
				       status == CLAIM_INFO
					       ? ""
					       : claim_status_name(status));
		}
	}
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

static void profit_table(FILE *fp, const struct ipdps_study *s)
{
	struct out_column columns[2 + IPDPS_NPOLICIES] = {{"reading", OUT_LEFT},
							  {"set", OUT_LEFT}};
	struct out_table t;

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		columns[2 + p] =
			(struct out_column){ipdps_policy_titles[p], OUT_RIGHT};
	out_table_init(&t, columns, 2 + IPDPS_NPOLICIES);
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		for (int set = 0; set < IPDPS_NSETS; set++) {
			out_table_cell(&t, "%s", ipdps_readings[r].name);
			out_table_cell(&t, "%c", set_letter[set]);
			for (int p = 0; p < IPDPS_NPOLICIES; p++)
				point_cell(&t,
					   ipdps_mean(s, r, set, p, PROFIT));
		}
	report_table(fp, "Profit by each reading (performance / volatility)",
		     &t, false);
	out_table_fini(&t);
}

static void write_sensitivity(FILE *fp, const struct ipdps_study *s)
{
	report_section(fp, "readings", "What depends on readings");
	report_text(fp,
		    "The paper gives neither the functions f and g, of which "
		    "budgets and penalty rates are multiples, nor the unit of "
		    "time of FirstReward's discount, nor what becomes of "
		    "records that never ran. Everything was repeated with "
		    "other choices:");
	report_list_begin(fp);
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		report_item(fp, ipdps_readings[r].name, "%s.",
			    ipdps_readings[r].title);
	report_list_end(fp);
	sensitivity_table(fp, s);
	profit_table(fp, s);
}

static void tuning_table(FILE *fp, const struct ipdps_study *s, bool hours)
{
	static const struct out_column columns[] = {
		{"parameter", OUT_LEFT},      {"value", OUT_RIGHT},
		{"SLA A", OUT_RIGHT},	      {"reliability A", OUT_RIGHT},
		{"profit A", OUT_RIGHT},      {"SLA B", OUT_RIGHT},
		{"reliability B", OUT_RIGHT}, {"profit B", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < IPDPS_NTUNINGS; i++) {
		const struct ipdps_tuning *tuning = &s->tuning[i];

		if (tuning->hours != hours)
			continue;
		out_table_cell(&t, "%s", tuning->param);
		out_table_cell(&t, "%g", tuning->value);
		for (int set = 0; set < IPDPS_NSETS; set++)
			for (int o = 0; o < IPDPS_NOBJECTIVES; o++)
				out_table_number(
					&t, 2,
					ipdps_value(s,
						    (size_t)tuning->cell[set],
						    o));
	}
	report_table(
		fp, hours ? "The discount per hour" : "The discount per second",
		&t, false);
	out_table_fini(&t);
}

static void untested_table(FILE *fp, const struct ipdps_study *s)
{
	static const struct out_column columns[] = {
		{"policy", OUT_LEFT},	    {"set", OUT_LEFT},
		{"urgent %", OUT_RIGHT},    {"SLA with", OUT_RIGHT},
		{"without", OUT_RIGHT},	    {"reliability without", OUT_RIGHT},
		{"profit with", OUT_RIGHT}, {"without", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (int k = 0; k < IPDPS_NUNTESTED; k++) {
		const struct ipdps_untested *u = &s->untested[k];
		size_t with = (size_t)u->with, without = (size_t)u->without;

		out_table_cell(&t, "%s", ipdps_policy_titles[u->policy]);
		out_table_cell(&t, "%c", set_letter[u->set]);
		out_table_cell(&t, "%g", u->urgent);
		out_table_number(&t, 1, ipdps_value(s, with, IPDPS_SLA));
		out_table_number(&t, 1, ipdps_value(s, without, IPDPS_SLA));
		out_table_number(&t, 1,
				 ipdps_value(s, without, IPDPS_RELIABILITY));
		out_table_number(&t, 1, ipdps_value(s, with, IPDPS_PROFIT));
		out_table_number(&t, 1, ipdps_value(s, without, IPDPS_PROFIT));
	}
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

static void write_tuning(FILE *fp, const struct ipdps_study *s)
{
	report_section(fp, "tuning", "Tuning, and no admission control");
	report_text(fp, "FirstReward at the default points, one parameter "
			"varied at a time, the others as in the paper:");
	tuning_table(fp, s, false);
	tuning_table(fp, s, true);
	report_text(fp, "The backfilling policies with and without their test "
			"of lateness:");
	untested_table(fp, s);
}

static void write_settings(FILE *fp, const struct ipdps_study *s)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},
		{"set", OUT_LEFT},
		{"values", OUT_LEFT},
	};
	struct out_table t;

	out_table_init(&t, columns, 3);
	for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
		for (int set = 0; set < IPDPS_NSETS; set++) {
			const double *x = ipdps_scenarios[sc].value[set];

			out_table_cell(&t, "%s", ipdps_scenarios[sc].title);
			out_table_cell(&t, "%c", set_letter[set]);
			out_table_cell(&t, "%g %g %g %g %g %g", x[0], x[1],
				       x[2], x[3], x[4], x[5]);
		}
	report_table(fp, "Table 3 as run", &t, true);
	out_table_fini(&t);
}

static void write_defaults(FILE *fp, const struct ipdps_study *s)
{
	static const struct out_column columns[] = {
		{"parameter", OUT_LEFT},
		{"set A", OUT_RIGHT},
		{"set B", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, 3);
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];

		out_table_cell(&t, "%s", f->name);
		for (int set = 0; set < IPDPS_NSETS; set++) {
			long cell = s->cell[0][set][IPDPS_WORKLOAD][5][0];
			const struct sim_point *point =
				&s->study.points[(size_t)cell *
						 s->study.nseeds];

			out_table_cell(&t, "%g",
				       *(const double *)((const char *)&point
								 ->scenario +
							 f->offset));
		}
	}
	report_table(fp, "Table 2 as run", &t, true);
	out_table_fini(&t);
}

static void write_log(FILE *fp, const struct ipdps_study *s)
{
	report_section(fp, "trace", "The workload");
	report_text(fp,
		    "%s %zu records, %.2f days, on average %.2f s apart; mean "
		    "run time %.2f s, %.2f processors requested; utilization "
		    "of the whole log %.1f %%. %zu of them ran and are "
		    "simulated.",
		    s->paper.source.synthetic ? "A synthetic workload:"
					      : "The last records of the log:",
		    s->log.records, s->log.span_s / 86400, s->log.mean_gap_s,
		    s->log.mean_run_s, s->log.mean_procs,
		    100 * s->whole_log.utilization, s->jobs);
	write_defaults(fp, s);
	write_settings(fp, s);
}

void ipdps_write_readings(FILE *fp, const void *study)
{
	report_heading(fp, "How the paper was read");
	report_list_begin(fp);
	report_item(fp, "Classes",
		    "One class of a job rules all three parameters: high "
		    "urgency has the low deadline mean and the high budget and "
		    "penalty means. Factors are normal with a coefficient of "
		    "variation of 0.25, drawn again until a deadline exceeds "
		    "the run time, a budget or penalty 0.");
	report_item(fp, "Money",
		    "Budget = factor x run time x processors; penalty rate = "
		    "factor x processors, for each second of delay.");
	report_item(fp, "Bias",
		    "Jobs longer than the mean of all chosen records have "
		    "their value divided by the bias, shorter ones multiplied. "
		    "In set B long urgent jobs then have deadlines below their "
		    "run time; they are submitted and counted all the same.");
	report_item(fp, "EASY backfilling",
		    "Strict: a job that skips ahead ends, by its estimate, no "
		    "later than the head is expected to start. A running job "
		    "over its estimate counts as ending now. The test of "
		    "lateness is made when a job could start.");
	report_item(fp, "FirstReward",
		    "Remaining time is the estimate, in seconds; the cost sums "
		    "over all accepted jobs that have not ended, running or "
		    "waiting; the head waits for its processors, without "
		    "backfilling; deadlines are not looked at.");
	report_item(fp, "Table 3",
		    "16 is missing from set B's deadline biases in the printed "
		    "text, and was put back.");
	report_item(fp, "Analysis",
		    "Weights are 1/2 and 1/3; results are not normalized; "
		    "integrated values are formed for each scenario, then "
		    "averaged.");
	report_item(fp, "Denominators",
		    "Jobs and budgets are those of the simulated jobs; a "
		    "rejected job earns nothing.");
	report_list_end(fp);
}

static const char *const excerpt[] = {"R13", "R17", "R20", "R22", "R23",
				      "R24", "R25", "R27", "R30", "R31",
				      "R11", "R12", NULL};

void ipdps_write_page(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	write_headline(fp, s);
	sim_paper_notice_synthetic(fp, &s->paper);
	write_tiles(fp, s);
	sim_paper_score(fp, &s->paper);
	report_excerpt(fp, ipdps_claims, s->paper.results, IPDPS_NCLAIMS,
		       excerpt);
	write_figures(fp, s, &s->paper.pictures);
	write_sensitivity(fp, s);
	write_tuning(fp, s);
	sim_paper_all_claims(fp, &s->paper, NULL);
	write_log(fp, s);
}
