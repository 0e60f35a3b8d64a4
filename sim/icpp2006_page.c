/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * icpp2006_page.c - the LibraRisk paper: the files of its report.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/icpp2006.h"
#include "sim/plot.h"

/* The panels of a figure, in the paper's order: (a) and (b) fulfilled, (c) and
 * (d) slowdown, each for both variants.
 */
enum { PANELS = 4 };

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

struct pictures {
	char *svg[ICPP_NFIGURES][PANELS];
	bool any;
	char why[300]; /* there are none */
};

static void draw(const struct icpp_study *s, struct pictures *pictures)
{
	struct libra_error err = {.text = ""};

	snprintf(pictures->why, sizeof(pictures->why),
		 s->run->figures ? "Gnuplot was not found"
				 : "Figures were not asked for");
	if (!s->run->figures)
		return;
	for (int f = 0; f < ICPP_NFIGURES; f++)
		for (int panel = 0; panel < PANELS; panel++) {
			char **svg = &pictures->svg[f][panel];

			if (draw_panel(s, f, panel, svg, &err) < 0)
				snprintf(pictures->why, sizeof(pictures->why),
					 "%.250s", err.text);
			if (!*svg)
				return;
		}
	pictures->any = true;
}

static void pictures_fini(struct pictures *pictures)
{
	for (int f = 0; f < ICPP_NFIGURES; f++)
		for (int panel = 0; panel < PANELS; panel++)
			free(pictures->svg[f][panel]);
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
			 const struct pictures *pictures)
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
			report_figure(fp, title, pictures->svg[f][panel]);
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
		s->synthetic ? "drawn like those of users"
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
		    s->jobs.per_seed, (unsigned)swf_procs(s->trace),
		    s->run->nseeds, s->run->nseeds == 1 ? "" : "s");
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
			  const struct pictures *pictures)
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
		    s->run->nseeds, s->run->nseeds == 1 ? "" : "s",
		    pictures->any && s->run->nseeds > 1
			    ? "; bars show one standard deviation"
			    : "");
	for (int f = 0; f < ICPP_NFIGURES; f++)
		write_figure(fp, s, f, pictures);
}

struct log_row {
	const char *name, *unit, *paper;
	int decimals;
	double value;
};

#define LOG_ROWS 15

static void log_rows(const struct icpp_study *s, struct log_row *row)
{
	const struct trace_stats *log = &s->log;
	const struct log_row rows[LOG_ROWS] = {
		{"records", "", "3000", 0, (double)log->records},
		{"span", "d", "", 2, log->span_s / 86400},
		{"mean inter-arrival time", "s", "2131", 2, log->mean_gap_s},
		{"mean run time", "s", "8880", 2, log->mean_run_s},
		{"mean requested processors", "", "17", 2, log->mean_procs},
		{"largest request", "processors", "128", 0, log->max_procs},
		{"utilization of the whole log", "%", "83.2", 2,
		 100 * log->utilization},
		{"records that ran", "", "", 0, (double)log->ran},
		{"estimates longer than the run time", "%", "", 1,
		 100 * log->over_share},
		{"estimate / run time, median", "", "", 2, log->ratio[0]},
		{"estimate / run time, 75 %", "", "", 1, log->ratio[1]},
		{"estimate / run time, 90 %", "", "", 1, log->ratio[2]},
		{"estimate / run time, greatest", "", "", 0, log->ratio[3]},
		{"runs longer than their estimate", "%", "", 1,
		 100.0 * (double)log->overruns / (double)log->ran},
		{"longest overrun", "s", "", 0, log->overrun_max_s},
	};

	memcpy(row, rows, sizeof(rows));
}

static void write_log(FILE *fp, const struct icpp_study *s)
{
	static const struct out_column columns[] = {
		{"", OUT_LEFT},
		{"measured", OUT_RIGHT},
		{"paper", OUT_RIGHT},
		{"unit", OUT_LEFT},
	};
	struct log_row row[LOG_ROWS];
	struct out_table t;

	report_section(fp, "trace", "The workload");
	report_text(fp,
		    s->synthetic
			    ? "A synthetic workload, made to resemble the last "
			      "3000 records of the paper's log."
			    : "The last %zu records of the log, as they stand "
			      "in the file; records that never ran are left "
			      "out of the simulation.",
		    s->log.records);
	log_rows(s, row);
	out_table_init(&t, columns, 4);
	for (size_t i = 0; i < LOG_ROWS; i++) {
		out_table_cell(&t, "%s", row[i].name);
		out_table_number(&t, row[i].decimals, row[i].value);
		out_table_cell(&t, "%s", row[i].paper);
		out_table_cell(&t, "%s", row[i].unit);
	}
	report_table(fp, "", &t, true);
	out_table_fini(&t);
}

static void write_readings(FILE *fp)
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

static void write_page(FILE *fp, const struct icpp_study *s,
		       const struct claim_result *results,
		       const struct pictures *pictures)
{
	struct report_source source = sim_paper_source(s->run, &s->source);

	report_begin(fp, &source,
		     "LibraRisk: deadlines kept in spite of inaccurate run "
		     "time estimates");
	write_headline(fp, s);
	if (s->synthetic)
		report_notice(fp, "Synthetic workload.",
			      "The paper's log was not found on this machine. "
			      "All numbers on this page come from a generated "
			      "workload that resembles it; they are no "
			      "reproduction. Fetch the log and run again, or "
			      "name it with --trace.");
	write_tiles(fp, s);
	report_section(fp, "paper",
		       "What the paper says, and what we measured");
	report_score(fp, results, ICPP_NCLAIMS);
	report_excerpt(fp, icpp_claims, results, ICPP_NCLAIMS, excerpt);
	write_why(fp, s);
	write_figures(fp, s, pictures);
	report_section(fp, "claims", "All claims");
	report_text(fp, "pp stands for percentage points; the range over many "
			"points names where its ends lie.");
	report_claims(fp, icpp_claims, results, ICPP_NCLAIMS);
	write_log(fp, s);
	report_section(fp, "how", "How it was made");
	report_provenance(fp, &source);
	write_readings(fp);
	report_end(fp, &source);
}

/* ---- CSV and JSON ---- */

static void csv_heading(FILE *fp, const struct icpp_figure *figure)
{
	fprintf(fp, "x,policy,%s,n", figure->variant_column);
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s_mean,%s_sd", sim_result_columns[c].name,
			sim_result_columns[c].name);
	putc('\n', fp);
}

static void write_csv(FILE *fp, const struct icpp_study *s, int f)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	csv_heading(fp, figure);
	for (int v = 0; v < 2; v++)
		for (size_t i = 0; i < figure->nx; i++)
			for (int p = 0; p < ICPP_NPOLICIES; p++) {
				size_t cell = (size_t)s->cell[f][v][i][p];

				out_csv_number(fp, figure->x[i]);
				fprintf(fp, ",%s,%s,%zu", icpp_policy_names[p],
					figure->variant_value[v],
					s->run->nseeds);
				for (size_t c = 0; c < sim_result_ncolumns;
				     c++) {
					struct study_stat stat = study_stat(
						&s->study, cell,
						&sim_result_columns[c]);

					putc(',', fp);
					out_csv_number(fp, stat.mean);
					putc(',', fp);
					out_csv_number(fp, stat.sd);
				}
				putc('\n', fp);
			}
}

static void write_trace_csv(FILE *fp, const struct icpp_study *s)
{
	struct log_row row[LOG_ROWS];

	log_rows(s, row);
	fprintf(fp, "statistic,measured,paper,unit\n");
	for (size_t i = 0; i < LOG_ROWS; i++) {
		out_csv_text(fp, row[i].name);
		putc(',', fp);
		out_csv_number(fp, row[i].value);
		fprintf(fp, ",%s,%s\n", row[i].paper, row[i].unit);
	}
}

static void json_cell(struct out_json *j, const struct icpp_study *s,
		      size_t cell)
{
	for (size_t c = 0; c < sim_result_ncolumns; c++) {
		const struct sim_result_column *column = &sim_result_columns[c];
		struct study_stat stat = study_stat(&s->study, cell, column);

		out_json_object(j, column->name);
		out_json_number(j, "mean", stat.mean);
		out_json_number(j, "sd", stat.sd);
		out_json_array(j, "values");
		for (size_t k = 0; k < s->run->nseeds; k++)
			out_json_number(
				j, NULL,
				study_value(study_result(&s->study, cell, k),
					    column));
		out_json_end(j);
		out_json_end(j);
	}
}

static void json_figure(struct out_json *j, const struct icpp_study *s, int f)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	out_json_object(j, NULL);
	out_json_count(j, "figure", (uint64_t)f + 1);
	out_json_text(j, "title", figure->title);
	out_json_text(j, "x", figure->xlabel);
	out_json_array(j, "points");
	for (int v = 0; v < 2; v++)
		for (size_t i = 0; i < figure->nx; i++)
			for (int p = 0; p < ICPP_NPOLICIES; p++) {
				out_json_object(j, NULL);
				out_json_number(j, "x", figure->x[i]);
				out_json_text(j, "policy",
					      icpp_policy_names[p]);
				out_json_text(j, figure->variant_column,
					      figure->variant_value[v]);
				json_cell(j, s, (size_t)s->cell[f][v][i][p]);
				out_json_end(j);
			}
	out_json_end(j);
	out_json_end(j);
}

static void write_results(FILE *fp, const struct icpp_study *s,
			  const struct claim_result *results)
{
	struct report_source source = sim_paper_source(s->run, &s->source);
	struct log_row row[LOG_ROWS];
	struct out_json j;

	log_rows(s, row);
	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	report_manifest(&j, "manifest", &source);
	out_json_object(&j, "trace");
	for (size_t i = 0; i < LOG_ROWS; i++)
		out_json_number(&j, row[i].name, row[i].value);
	out_json_end(&j);
	out_json_array(&j, "figures");
	for (int f = 0; f < ICPP_NFIGURES; f++)
		json_figure(&j, s, f);
	out_json_end(&j);
	claims_json(&j, "claims", icpp_claims, results, ICPP_NCLAIMS);
	out_json_end(&j);
}

static void write_manifest(FILE *fp, const struct icpp_study *s)
{
	struct report_source source = sim_paper_source(s->run, &s->source);
	struct out_json j;

	out_json_init(&j, fp);
	report_manifest(&j, NULL, &source);
}

static void write_claims(FILE *fp, const struct claim_result *results)
{
	struct out_json j;

	out_json_init(&j, fp);
	claims_json(&j, NULL, icpp_claims, results, ICPP_NCLAIMS);
}

/* The page comes last: whoever sees it finds all that it belongs to. */
static int write_files(const struct icpp_study *s, struct out_set *set,
		       const struct claim_result *results,
		       const struct pictures *pictures, struct libra_error *err)
{
	char name[32];
	FILE *fp;

	for (int f = 0; f < ICPP_NFIGURES; f++) {
		snprintf(name, sizeof(name), "figure-%d.csv", f + 1);
		fp = out_set_open(set, name, err);
		if (!fp)
			return -1;
		write_csv(fp, s, f);
	}
	fp = out_set_open(set, "trace.csv", err);
	if (!fp)
		return -1;
	write_trace_csv(fp, s);
	fp = out_set_open(set, "results.json", err);
	if (!fp)
		return -1;
	write_results(fp, s, results);
	fp = out_set_open(set, "claims.json", err);
	if (!fp)
		return -1;
	write_claims(fp, results);
	fp = out_set_open(set, "manifest.json", err);
	if (!fp)
		return -1;
	write_manifest(fp, s);
	fp = out_set_open(set, "index.html", err);
	if (!fp)
		return -1;
	write_page(fp, s, results, pictures);
	return 0;
}

int icpp_write(const struct icpp_study *s, const struct claim_result *results,
	       struct libra_error *err)
{
	struct pictures *pictures = calloc(1, sizeof(*pictures));
	struct out_set set;
	int rc;

	if (!pictures)
		return libra_errf(err, ENOMEM, "out of memory");
	if (out_set_init(&set, s->run->dir, err) < 0) {
		free(pictures);
		return -1;
	}
	draw(s, pictures);
	rc = write_files(s, &set, results, pictures, err);
	if (rc == 0)
		rc = out_set_commit(&set, err);
	else
		out_set_abort(&set);
	pictures_fini(pictures);
	free(pictures);
	return rc;
}
