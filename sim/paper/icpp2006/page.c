/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - the LibraRisk paper: the page of its report.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/icpp2006/experiment.h"
#include "sim/report/plot.h"

/* The panels of a figure, in the paper's order: (a) and (b) fulfilled, (c) and
 * (d) slowdown, each for both variants.
 */
enum { PANELS = ICPP_NPANELS };

static int panel_variant(int panel)
{
	return panel % 2;
}

static const struct sim_result_column *panel_column(const struct icpp_study *s,
						    int panel)
{
	return panel < 2 ? s->fulfilled : s->slowdown;
}

static const char *panel_label(int panel)
{
	return panel < 2 ? "jobs with deadlines fulfilled (%)"
			 : "average slowdown";
}

/* ---- figures ---- */

struct curve {
	double y[ICPP_MAX_X], spread[ICPP_MAX_X];
};

static void fill_curve(const struct icpp_study *s, int f, int panel, int policy,
		       struct curve *curve)
{
	for (size_t i = 0; i < icpp_figures[f].nx; i++) {
		long cell = s->cell[f][panel_variant(panel)][i][policy];
		struct study_stat stat = study_stat(&s->study, (size_t)cell,
						    panel_column(s, panel));

		curve->y[i] = stat.mean;
		curve->spread[i] = stat.sd;
	}
}

/* The same scale for both panels of a metric, so that they compare. */
static double slowdown_top(const struct icpp_study *s, int f)
{
	double top = 1;

	for (int panel = 2; panel < PANELS; panel++)
		for (int p = 0; p < ICPP_NPOLICIES; p++) {
			struct curve curve;

			fill_curve(s, f, panel, p, &curve);
			for (size_t i = 0; i < icpp_figures[f].nx; i++)
				top = fmax(top, curve.y[i]);
		}
	return ceil(top * 1.04);
}

static int draw_panel(const struct icpp_study *s, int f, int panel, char **svg,
		      struct libra_error *err)
{
	const struct icpp_figure *figure = &icpp_figures[f];
	/* Libra last, dashed: it often lies on LibraRisk's curve. */
	static const enum icpp_policy order[ICPP_NPOLICIES] = {
		ICPP_EDF, ICPP_LIBRARISK, ICPP_LIBRA};
	struct curve curve[ICPP_NPOLICIES];
	struct plot_series series[ICPP_NPOLICIES];
	char id[16], title[128];
	struct plot plot = {
		.id = id,
		.title = title,
		.xlabel = figure->xlabel,
		.ylabel = panel < 2 ? "fulfilled (%)" : "slowdown",
		.kind = PLOT_LINES,
		.xmin = figure->x[0] < 1 ? 0 : figure->x[0],
		.xmax = figure->x[figure->nx - 1],
		.ymin = 0,
		.ymax = panel < 2 ? 100 : slowdown_top(s, f),
		.series = series,
		.nseries = ICPP_NPOLICIES,
		.width = 290,
		.height = 215,
	};

	snprintf(id, sizeof(id), "f%d%c", f + 1, 'a' + panel);
	snprintf(title, sizeof(title), "Figure %d(%c): %s, %s", f + 1,
		 'a' + panel, panel_label(panel),
		 figure->variant_title[panel_variant(panel)]);
	for (int k = 0; k < ICPP_NPOLICIES; k++) {
		enum icpp_policy p = order[k];

		fill_curve(s, f, panel, p, &curve[p]);
		series[k] = (struct plot_series){
			.name = icpp_policy_titles[p],
			.x = figure->x,
			.y = curve[p].y,
			.spread = curve[p].spread,
			.n = figure->nx,
			.style = p,
		};
	}
	return plot_svg(&plot, svg, err);
}

int icpp_draw(const void *study, size_t picture, char **svg,
	      struct libra_error *err)
{
	return draw_panel(study, (int)(picture / PANELS),
			  (int)(picture % PANELS), svg, err);
}

static void figure_table(FILE *fp, const struct icpp_study *s, int f)
{
	const struct icpp_figure *figure = &icpp_figures[f];
	char names[1 + PANELS * ICPP_NPOLICIES][24];
	struct out_column columns[1 + PANELS * ICPP_NPOLICIES];
	struct out_table t;

	columns[0] = (struct out_column){figure->short_x, OUT_RIGHT};
	for (int c = 0; c < PANELS * ICPP_NPOLICIES; c++) {
		snprintf(names[c], sizeof(names[c]), "(%c) %s",
			 'a' + c / ICPP_NPOLICIES,
			 icpp_policy_titles[c % ICPP_NPOLICIES]);
		columns[1 + c] = (struct out_column){names[c], OUT_RIGHT};
	}
	out_table_init(&t, columns, 1 + PANELS * ICPP_NPOLICIES);
	for (size_t i = 0; i < figure->nx; i++) {
		out_table_cell(&t, "%g", figure->x[i]);
		for (int c = 0; c < PANELS * ICPP_NPOLICIES; c++) {
			int panel = c / ICPP_NPOLICIES;
			long cell = s->cell[f][panel_variant(panel)][i]
					   [c % ICPP_NPOLICIES];
			struct study_stat stat =
				study_stat(&s->study, (size_t)cell,
					   panel_column(s, panel));

			if (isnan(stat.sd))
				out_table_number(&t, panel < 2 ? 1 : 2,
						 stat.mean);
			else
				out_table_cell(&t, "%.*f \xc2\xb1 %.*f",
					       panel < 2 ? 1 : 2, stat.mean,
					       panel < 2 ? 1 : 2, stat.sd);
		}
	}
	report_table(fp, "The numbers (mean \xc2\xb1 standard deviation)", &t,
		     false);
	out_table_fini(&t);
}

static void write_figure(FILE *fp, const struct icpp_study *s, int f,
			 const struct sim_paper_pictures *pictures)
{
	char title[128];

	snprintf(title, sizeof(title), "Figure %d. %s", f + 1,
		 icpp_figures[f].title);
	report_heading(fp, title);
	if (pictures->any) {
		report_figures_begin(fp);
		for (int panel = 0; panel < PANELS; panel++) {
			snprintf(title, sizeof(title), "(%c) %s, %s",
				 'a' + panel,
				 panel < 2 ? "fulfilled" : "slowdown",
				 icpp_figures[f]
					 .variant_title[panel_variant(panel)]);
			report_figure(fp, title,
				      pictures->svg[f * PANELS + panel]);
		}
		report_figures_end(fp);
	}
	figure_table(fp, s, f);
}

/* ---- the page ---- */

static void write_headline(FILE *fp, const struct icpp_study *s)
{
	size_t x = icpp_at(ICPP_LOAD, 1);
	double risk =
		icpp_fulfilled(s, ICPP_LOAD, ICPP_TRACE, x, ICPP_LIBRARISK);
	double libra = icpp_fulfilled(s, ICPP_LOAD, ICPP_TRACE, x, ICPP_LIBRA);

	fprintf(fp, "<p class=\"lead\">");
	fprintf(fp,
		"With run time estimates %s, LibraRisk fulfils %.1f %% of the deadlines, Libra %.1f %%: %+.1f "
		"percentage points. With exact estimates they reach "
		"%.1f and %.1f %%.</p>\n",
		s->paper.source.synthetic ? "drawn like those of users"
					  : "as users really gave them",
		risk, libra, risk - libra,
		icpp_fulfilled(s, ICPP_LOAD, ICPP_EXACT, x, ICPP_LIBRARISK),
		icpp_fulfilled(s, ICPP_LOAD, ICPP_EXACT, x, ICPP_LIBRA));
	fprintf(fp, "<nav><a href=\"#paper\">Paper and measurement</a>"
		    "<a href=\"#why\">Why</a><a href=\"#figures\">Figures</a>"
		    "<a href=\"#claims\">All claims</a>"
		    "<a href=\"#trace\">The workload</a>"
		    "<a href=\"#how\">How it was made</a></nav>\n</header>\n");
}

static void write_tiles(FILE *fp, const struct icpp_study *s)
{
	size_t x = icpp_at(ICPP_LOAD, 1);

	report_tiles_begin(fp);
	for (int p = 0; p < ICPP_NPOLICIES; p++)
		report_tile(fp, plot_colour(p), icpp_policy_titles[p],
			    icpp_fulfilled(s, ICPP_LOAD, ICPP_TRACE, x, p),
			    "of the deadlines fulfilled, with the log's "
			    "estimates",
			    icpp_fulfilled(s, ICPP_LOAD, ICPP_EXACT, x, p),
			    "with exact estimates");
	report_tiles_end(fp);
	report_text(fp,
		    "The default point: %zu simulated jobs on %u processors, "
		    "20 %% of high urgency, deadlines on average 4 times the "
		    "run time for these and 16 times for the others. Means of "
		    "%zu seed%s; all percentages are of simulated jobs.",
		    s->jobs.per_seed,
		    (unsigned)swf_procs(&s->paper.source.trace),
		    s->paper.run->nseeds, s->paper.run->nseeds == 1 ? "" : "s");
}

static void write_why(FILE *fp, const struct icpp_study *s)
{
	size_t x = icpp_at(ICPP_LOAD, 1);

	report_section(fp, "why", "Where the difference comes from");
	report_text(
		fp,
		"Libra takes a job if its share, estimate / deadline, still "
		"fits on each processor. A job whose estimate is longer than "
		"its deadline never fits, however short it really is, and "
		"EDF rejects it too. With the log's estimates these are "
		"%.1f %% of the jobs: of the %zu that ran, %.1f %% were "
		"estimated at more than 4 times and %.1f %% at more than 16 "
		"times their run time.",
		s->jobs.beyond_pct, s->log.ran, 100 * s->log.over_4,
		100 * s->log.over_16);
	report_text(fp,
		    "LibraRisk takes a processor if the standard deviation of "
		    "its jobs' deadline delays is zero. One job alone has the "
		    "deviation zero even if it is expected to be late, so an "
		    "over-estimated job is accepted on empty processors, where "
		    "in truth it mostly ends in time. That is what equation 6 "
		    "and algorithm 1 say when taken literally; the paper does "
		    "not mention it.");
	report_text(fp,
		    "So of the %.1f %% that LibraRisk "
		    "fulfils, %.1f are such jobs and %.1f the others; Libra "
		    "fulfils %.1f, all of them others.",
		    s->jobs.beyond_fulfilled_pct + s->jobs.within_fulfilled_pct,
		    s->jobs.beyond_fulfilled_pct, s->jobs.within_fulfilled_pct,
		    icpp_fulfilled(s, ICPP_LOAD, ICPP_TRACE, x, ICPP_LIBRA));
}

static void write_figures(FILE *fp, const struct icpp_study *s,
			  const struct sim_paper_pictures *pictures)
{
	const char *colours[ICPP_NPOLICIES];

	for (int p = 0; p < ICPP_NPOLICIES; p++)
		colours[p] = plot_colour(p);
	report_section(fp, "figures", "The paper's figures, measured");
	if (pictures->any)
		report_legend(fp, icpp_policy_titles, colours, ICPP_NPOLICIES);
	else
		report_notice(fp, "No figures.", pictures->why);
	report_text(fp,
		    "Mean of %zu seed%s%s. Slowdown is response time / run "
		    "time of the fulfilled jobs.",
		    s->paper.run->nseeds, s->paper.run->nseeds == 1 ? "" : "s",
		    pictures->any && s->paper.run->nseeds > 1
			    ? "; bars show one standard deviation"
			    : "");
	for (int f = 0; f < ICPP_NFIGURES; f++)
		write_figure(fp, s, f, pictures);
}

static void write_log(FILE *fp, const struct icpp_study *s)
{
	static const struct out_column columns[] = {
		{"", OUT_LEFT},
		{"measured", OUT_RIGHT},
		{"paper", OUT_RIGHT},
		{"unit", OUT_LEFT},
	};
	struct icpp_log_row row[ICPP_NLOG_ROWS];
	struct out_table t;

	report_section(fp, "trace", "The workload");
	report_text(fp,
		    s->paper.source.synthetic
			    ? "A synthetic workload, made to resemble the last "
			      "3000 records of the paper's log."
			    : "The last %zu records of the log, as they stand "
			      "in the file; records that never ran are left "
			      "out of the simulation.",
		    s->log.records);
	icpp_log_rows(s, row);
	out_table_init(&t, columns, 4);
	for (size_t i = 0; i < ICPP_NLOG_ROWS; i++) {
		out_table_cell(&t, "%s", row[i].name);
		out_table_number(&t, row[i].decimals, row[i].value);
		out_table_cell(&t, "%s", row[i].paper);
		out_table_cell(&t, "%s", row[i].unit);
	}
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

void icpp_write_readings(FILE *fp, const void *study)
{
	report_heading(fp, "How the paper was read");
	report_list_begin(fp);
	report_item(fp, "Projected delay",
		    "Each processor hands out all of its time in proportion to "
		    "its jobs' shares, renewed whenever a job comes or ends; "
		    "admission runs the same model ahead on the estimates.");
	report_item(
		fp, "One delayed job on an empty processor",
		"Has the risk zero and is accepted, literally as equation 6 "
		"and algorithm 1 say. See above: it carries the effect.");
	report_item(
		fp, "Overrun and lateness",
		"Nothing is killed, neither at its estimate nor at its "
		"deadline. A task over its estimate keeps the share it came "
		"with, a late one asks for the whole processor, and "
		"LibraRisk does not use a processor with a late task.");
	report_item(
		fp, "Deadlines",
		"Factor x real run time. Factors are normal with a "
		"coefficient of variation of 0.25, which the paper does not "
		"give, drawn again until they exceed 1.");
	report_item(
		fp, "EDF",
		"Space-shared, no backfilling; the job with the earliest "
		"deadline waits for its processors and only then is tested, "
		"and perhaps rejected.");
	report_item(fp, "Parallel jobs",
		    "Parts progress independently, and the job ends with its "
		    "last part. Libra takes the fullest suitable processors, "
		    "LibraRisk the first ones.");
	report_item(fp, "Records",
		    "The last 3000, unfiltered; those with a run time of 0 or "
		    "less count in the statistics and are not simulated.");
	report_item(fp, "Percentages",
		    "Of simulated jobs; \xe2\x80\x9c"
		    "40 %% more\xe2\x80\x9d is "
		    "read as percentage points. Risk and sums of shares are "
		    "compared within 1e-9, ends and deadlines within 1e-6 s.");
	report_list_end(fp);
}

static const char *const excerpt[] = {"L20", "L22", "L23", "L24", "L26", "L42",
				      "L43", "L45", "L33", "L34", "L57", NULL};

void icpp_write_page(FILE *fp, const void *study)
{
	const struct icpp_study *s = study;

	write_headline(fp, s);
	sim_paper_notice_synthetic(fp, &s->paper);
	write_tiles(fp, s);
	sim_paper_score(fp, &s->paper);
	report_excerpt(fp, icpp_claims, s->paper.results, ICPP_NCLAIMS,
		       excerpt);
	write_why(fp, s);
	write_figures(fp, s, &s->paper.pictures);
	sim_paper_all_claims(fp, &s->paper,
			     "pp stands for percentage points; the range over "
			     "many points names where its ends lie.");
	write_log(fp, s);
}
