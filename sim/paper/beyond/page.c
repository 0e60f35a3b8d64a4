/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - all policies compared: the files of the report. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/paper/beyond/experiment.h"
#include "sim/report/plot.h"

static const char *const executions[BEYOND_NEXECUTIONS] = {
	"independent", "coupled", "spinning"};
static const char *const model_names[BEYOND_NMODELS] = {"run", "estimate",
							"user"};

/* ---- figures ---- */

/* Fulfilled by load, parts coupled, with the bound. */
int beyond_draw(const void *study, size_t picture, char **svg,
		struct libra_error *err)
{
	const struct beyond_study *s = study;
	int model = (int)picture;
	double y[BEYOND_NPOLICIES + 1][BEYOND_NDELAYS];
	struct plot_series series[BEYOND_NPOLICIES + 1];
	char id[8];
	struct plot plot = {
		.id = id,
		.title = beyond_models[model],
		.xlabel = "arrival delay factor",
		.ylabel = "fulfilled (%)",
		.kind = PLOT_LINES,
		.xmin = 0,
		.xmax = 1,
		.ymin = 0,
		.ymax = 100,
		.series = series,
		.nseries = BEYOND_NPOLICIES + 1,
		.width = 290,
		.height = 230,
	};

	snprintf(id, sizeof(id), "m%d", model);
	for (int p = 0; p <= BEYOND_NPOLICIES; p++) {
		bool bound = p == BEYOND_NPOLICIES;

		for (int d = 0; d < BEYOND_NDELAYS; d++) {
			struct beyond_point at = {1, model, d, 0};

			y[p][d] = bound ? s->bound[model][d][0]
					: beyond_value(s, p, at,
						       BEYOND_FULFILLED);
		}
		series[p] = (struct plot_series){
			.name = bound ? "fluid bound" : beyond_titles[p],
			.x = beyond_delays,
			.y = y[p],
			.n = BEYOND_NDELAYS,
			.style = p,
		};
	}
	return plot_svg(&plot, svg, err);
}

static void write_figures(FILE *fp, const struct sim_paper_pictures *pictures)
{
	const char *names[BEYOND_NPOLICIES + 1], *colours[BEYOND_NPOLICIES + 1];

	if (!pictures->any)
		return;
	for (int p = 0; p < BEYOND_NPOLICIES; p++) {
		names[p] = beyond_titles[p];
		colours[p] = plot_colour(p);
	}
	names[BEYOND_NPOLICIES] = "fluid bound";
	colours[BEYOND_NPOLICIES] = plot_colour(BEYOND_NPOLICIES);
	report_legend(fp, names, colours, BEYOND_NPOLICIES + 1);
	report_figures_begin(fp);
	for (int m = 0; m < BEYOND_NMODELS; m++)
		report_figure(fp, beyond_models[m], pictures->svg[m]);
	report_figures_end(fp);
}

/* ---- tables ---- */

static const struct out_column point_columns[] = {
	{"policy", OUT_LEFT},
	{"parts", OUT_LEFT},
	{"delay", OUT_RIGHT},
	{"fulfilled %", OUT_RIGHT},
	{"reliability %", OUT_RIGHT},
	{"slowdown", OUT_RIGHT},
	{"median", OUT_RIGHT},
	{"work %", OUT_RIGHT},
	{"fifth 1", OUT_RIGHT},
	{"2", OUT_RIGHT},
	{"3", OUT_RIGHT},
	{"4", OUT_RIGHT},
	{"5", OUT_RIGHT},
};

static const int decimals[BEYOND_NCOLUMNS] = {1, 2, 1, 2, 1, 1, 1, 1, 1, 1};

static void point_row(struct out_table *t, const struct beyond_study *s, int p,
		      struct beyond_point at, bool same)
{
	out_table_cell(t, "%s", beyond_titles[p]);
	out_table_cell(t, "%s",
		       same ? "all the same" : executions[at.execution]);
	out_table_cell(t, "%g", beyond_delays[at.delay]);
	for (int c = 0; c < BEYOND_NCOLUMNS; c++)
		out_table_number(t, decimals[c], beyond_value(s, p, at, c));
}

static void point_table(FILE *fp, const struct beyond_study *s, int model,
			int urgent)
{
	struct out_table t;
	char title[120];

	out_table_init(&t, point_columns,
		       sizeof(point_columns) / sizeof(point_columns[0]));
	for (int p = 0; p < BEYOND_NPOLICIES; p++) {
		bool same = p == BEYOND_EDF || p == BEYOND_BAND;

		for (int x = 0; x < (same ? 1 : BEYOND_NEXECUTIONS); x++)
			for (int d = 0; d < BEYOND_NDELAYS; d++) {
				struct beyond_point at = {x, model, d, urgent};

				point_row(&t, s, p, at, same);
			}
	}
	for (int d = 0; d < BEYOND_NDELAYS; d++) {
		out_table_cell(&t, "fluid bound");
		out_table_cell(&t, "-");
		out_table_cell(&t, "%g", beyond_delays[d]);
		out_table_number(&t, 1, s->bound[model][d][urgent]);
		for (int c = 1; c < BEYOND_NCOLUMNS; c++)
			out_table_cell(&t, "-");
	}
	snprintf(title, sizeof(title), "Deadlines %s, %g %% urgent",
		 beyond_models[model], beyond_urgent[urgent]);
	report_table(fp, title, &t, false);
	out_table_fini(&t);
}

static void variant_table(FILE *fp, const struct beyond_study *s)
{
	static const struct out_column columns[] = {
		{"fulfilled % (least reliability %)", OUT_LEFT},
		BEYOND_COLUMNS,
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (int v = 0; v < BEYOND_NVARIANTS; v++) {
		double least = 100;

		for (int i = 0; i < 9; i++)
			least = fmin(least,
				     beyond_variant_value(s, v, i / 3, i % 3,
							  BEYOND_RELIABILITY));
		out_table_cell(&t, "%s (%.2f)", beyond_variants[v].title,
			       least);
		for (int i = 0; i < 9; i++)
			out_table_number(
				&t, 1,
				beyond_variant_value(s, v, i / 3, i % 3,
						     BEYOND_FULFILLED));
	}
	report_table(fp, "What each part of band is worth", &t, true);
	out_table_fini(&t);
}

/* A policy at all loads, by user estimates (c < 0) or corrected ones. */
static void corrected_row(struct out_table *t, const struct beyond_study *s,
			  enum beyond_policy p, int c)
{
	if (c < 0)
		out_table_cell(t, "%s", beyond_titles[p]);
	else
		out_table_cell(t, "%s, corrected at %g", beyond_titles[p],
			       beyond_corrected[c].quantile);
	for (int i = 0; i < 9; i++) {
		struct beyond_point at = {1, i / 3, i % 3, 0};
		double v[2];

		for (int k = 0; k < 2; k++) {
			enum beyond_column column =
				k ? BEYOND_RELIABILITY : BEYOND_FULFILLED;

			v[k] = c < 0 ? beyond_value(s, p, at, column)
				     : beyond_corrected_value(s, c, at.model,
							      at.delay, column);
		}
		out_table_cell(t, "%.1f (%.2f)", v[0], v[1]);
	}
}

static void corrected_table(FILE *fp, const struct beyond_study *s)
{
	static const struct out_column columns[] = {
		{"fulfilled % (reliability %)", OUT_LEFT},
		BEYOND_COLUMNS,
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (int c = 0; c < BEYOND_NCORRECTED; c++) {
		enum beyond_policy p = beyond_corrected[c].policy;

		if (c == 0 || p != beyond_corrected[c - 1].policy)
			corrected_row(&t, s, p, -1);
		corrected_row(&t, s, p, c);
	}
	report_table(fp,
		     "Estimates corrected by the user's own past, parts "
		     "coupled",
		     &t, true);
	out_table_fini(&t);
}

static void log_table(FILE *fp, const struct beyond_study *s)
{
	static const struct out_column columns[] = {
		{"log", OUT_LEFT},
		{"policy", OUT_LEFT},
		{"fulfilled % at 1", OUT_RIGHT},
		{"reliability %", OUT_RIGHT},
		{"fulfilled % at 0.3", OUT_RIGHT},
		{"reliability %", OUT_RIGHT},
	};
	static const char *const runs[BEYOND_NLOG_RUNS] = {
		"LibraRisk, independent", "LibraRisk, coupled", "band"};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (int l = 0; l < BEYOND_NLOGS; l++)
		for (int r = 0; s->have_log[l] && r < BEYOND_NLOG_RUNS; r++) {
			out_table_cell(&t, "%s", beyond_logs[l].name);
			out_table_cell(&t, "%s", runs[r]);
			for (int d = 0; d < BEYOND_NLOG_DELAYS; d++) {
				out_table_number(
					&t, 1,
					beyond_log_value(s, l, r, d,
							 BEYOND_FULFILLED));
				out_table_number(
					&t, 2,
					beyond_log_value(s, l, r, d,
							 BEYOND_RELIABILITY));
			}
		}
	report_table(fp, "Other logs: the last 5000 records, deadlines (a)", &t,
		     true);
	out_table_fini(&t);
}

/* ---- the page ---- */

static void write_headline(FILE *fp, const struct beyond_study *s)
{
	struct beyond_point at = {1, 0, 0, 0}, loaded = {1, 0, 2, 0};

	fprintf(fp,
		"<p class=\"lead\">If the parts of a job wait for each other, "
		"band fulfils %.1f %% of the deadlines and keeps %.2f %% of "
		"its promises; LibraRisk %.1f %% and %.1f %%. Under ten times "
		"the load it is %.1f %% against %.1f %%.</p>\n",
		beyond_value(s, BEYOND_BAND, at, BEYOND_FULFILLED),
		beyond_value(s, BEYOND_BAND, at, BEYOND_RELIABILITY),
		beyond_value(s, BEYOND_LIBRARISK, at, BEYOND_FULFILLED),
		beyond_value(s, BEYOND_LIBRARISK, at, BEYOND_RELIABILITY),
		beyond_value(s, BEYOND_BAND, loaded, BEYOND_FULFILLED),
		beyond_value(s, BEYOND_LIBRARISK, loaded, BEYOND_FULFILLED));
	fprintf(fp, "<nav><a href=\"#goals\">Goals</a>"
		    "<a href=\"#load\">By load</a>"
		    "<a href=\"#parts\">Parts of the rule</a>"
		    "<a href=\"#which\">Which policy</a>"
		    "<a href=\"#tables\">All numbers</a>"
		    "<a href=\"#how\">How it was made</a></nav>\n</header>\n");
}

/* The least and the greatest lead of band over another policy. */
static void lead(const struct beyond_study *s, int other, int execution,
		 double *least, double *most)
{
	*least = INFINITY;
	*most = -INFINITY;
	for (int i = 0; i < 18; i++) {
		struct beyond_point at = {execution, i / 6, i / 2 % 3, i % 2};
		double gap =
			beyond_value(s, BEYOND_BAND, at, BEYOND_FULFILLED) -
			beyond_value(s, other, at, BEYOND_FULFILLED);

		*least = fmin(*least, gap);
		*most = fmax(*most, gap);
	}
}

static void write_which(FILE *fp, const struct beyond_study *s)
{
	struct beyond_point heavy = {1, 0, 2, 0};
	double least, most;

	report_section(fp, "which", "When which policy wins");
	lead(s, BEYOND_LIBRARISK, 1, &least, &most);
	report_list_begin(fp);
	report_item(fp, "Parallel jobs whose parts communicate",
		    "band: over all deadline models, loads and urgencies it is "
		    "%.1f to %.1f points above LibraRisk.",
		    least, most);
	lead(s, BEYOND_DEMAND, 0, &least, &most);
	report_item(fp, "Independent parts, or jobs of one processor",
		    "demand and band differ by %+.1f to %+.1f points (band "
		    "less demand); demand needs no gang dispatch, and its "
		    "promises break if parts wait for each other after all.",
		    least, most);
	report_item(fp, "A fair judgement",
		    "Deadlines that are multiples of the real run time let "
		    "LibraRisk take over-estimated jobs that Libra refuses; "
		    "with deadlines from estimates the two are close.");
	report_list_end(fp);
	report_heading(fp, "Where band loses");
	report_list_begin(fp);
	report_item(fp, "Waiting",
		    "A job is held while earlier deadlines run: at ten times "
		    "the load the fulfilled have a mean slowdown of %.1f, "
		    "under EDF %.1f.",
		    beyond_value(s, BEYOND_BAND, heavy, BEYOND_SLOWDOWN),
		    beyond_value(s, BEYOND_EDF, heavy, BEYOND_SLOWDOWN));
	report_item(fp, "Memory",
		    "Held jobs stay in memory. The table above says what a "
		    "limit on the jobs of a processor costs.");
	report_item(fp, "Overruns",
		    "A promise holds while jobs keep to their estimates. A job "
		    "that overruns may make itself and its neighbours late; "
		    "logs where many overrun show it in the reliability.");
	report_item(fp, "Large jobs under load",
		    "The largest fifth by work is fulfilled to %.1f %% at ten "
		    "times the load, the smallest to %.1f %%: counting jobs "
		    "favours small ones.",
		    beyond_value(s, BEYOND_BAND, heavy,
				 BEYOND_QUINTILE + SIM_QUINTILES - 1),
		    beyond_value(s, BEYOND_BAND, heavy, BEYOND_QUINTILE));
	report_item(fp, "The bound",
		    "The fluid bound knows all run times and lets jobs run "
		    "anywhere in pieces; nobody knows how much of the gap "
		    "could be closed.");
	report_list_end(fp);
}

void beyond_write_readings(FILE *fp, const void *study)
{
	report_list_begin(fp);
	report_item(fp, "Execution",
		    "independent: each part on its own. coupled: all parts go "
		    "at the rate of the slowest, and time left over goes to "
		    "the other jobs there (weighted max-min). spinning: a part "
		    "that waits burns its time.");
	report_item(fp, "Deadlines",
		    "(a) 4 and 16 times the real run time, (b) 1.5 and 4 times "
		    "the estimate, (c) 4 and 16 times the mean run time of the "
		    "user's jobs, not below the run time; coefficient of "
		    "variation 0.25.");
	report_item(fp, "Fluid bound",
		    "All run times known, jobs divisible and migrating, parts "
		    "of jobs count as such: no policy can do better.");
	report_item(fp, "Corrected estimates",
		    "A quantile of run time / estimate of the user's last 20 "
		    "jobs that have ended, times the estimate; a job that "
		    "exceeds it gets the next one, the user's at the most. "
		    "Deadlines stay as they are.");
	report_item(fp, "Other logs",
		    "SDSC Blue is run with 8 processors as one, as they were "
		    "allocated.");
	report_item(fp, "Cost",
		    "timings.csv has the microseconds per job on this machine; "
		    "it is the one file that is not the same every time.");
	report_list_end(fp);
}

void beyond_write_page(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	write_headline(fp, s);
	if (s->paper.source.synthetic)
		report_notice(fp, "Synthetic workload.",
			      "The log was not found on this machine. All "
			      "numbers come from a generated workload that "
			      "resembles it, and other logs were left out.");
	report_section(fp, "goals", "Goals, and what was measured");
	report_score(fp, s->paper.results, BEYOND_NCLAIMS);
	report_claims(fp, beyond_claims, s->paper.results, BEYOND_NCLAIMS);
	report_section(fp, "load", "Fulfilled by load, parts coupled");
	write_figures(fp, &s->paper.pictures);
	report_section(fp, "parts",
		       "Parts of the rule, corrected estimates, other logs");
	variant_table(fp, s);
	corrected_table(fp, s);
	log_table(fp, s);
	write_which(fp, s);
	report_section(fp, "tables", "All numbers");
	for (int u = 0; u < BEYOND_NURGENT; u++)
		for (int m = 0; m < BEYOND_NMODELS; m++)
			point_table(fp, s, m, u);
}

/* ---- CSV ---- */

static void csv_columns(FILE *fp)
{
	for (int c = 0; c < BEYOND_QUINTILE; c++)
		fprintf(fp, ",%s", beyond_columns[c].name);
	for (int q = 1; q <= SIM_QUINTILES; q++)
		fprintf(fp, ",fifth_%d_pct", q);
	putc('\n', fp);
}

static void write_points(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp, "policy,execution,deadline_model,arrival_delay,"
		    "high_urgency_pct");
	csv_columns(fp);
	for (int i = 0; i < BEYOND_NPOLICIES * BEYOND_NEXECUTIONS * 18; i++) {
		int p = i / (BEYOND_NEXECUTIONS * 18);
		struct beyond_point at = {i / 18 % 3, i / 6 % 3, i / 2 % 3,
					  i % 2};

		fprintf(fp, "%s,%s,%s,%g,%g", beyond_policies[p],
			executions[at.execution], model_names[at.model],
			beyond_delays[at.delay], beyond_urgent[at.urgent]);
		for (int c = 0; c < BEYOND_NCOLUMNS; c++) {
			putc(',', fp);
			out_csv_number(fp, beyond_value(s, p, at, c));
		}
		putc('\n', fp);
	}
}

static void write_bound(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp,
		"deadline_model,arrival_delay,high_urgency_pct,bound_pct\n");
	for (int i = 0; i < 18; i++) {
		fprintf(fp, "%s,%g,%g,", model_names[i / 6],
			beyond_delays[i / 2 % 3], beyond_urgent[i % 2]);
		out_csv_number(fp, s->bound[i / 6][i / 2 % 3][i % 2]);
		putc('\n', fp);
	}
}

static void write_variants(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp, "variant,deadline_model,arrival_delay");
	csv_columns(fp);
	for (int v = 0; v < BEYOND_NVARIANTS; v++)
		for (int i = 0; i < 9; i++) {
			out_csv_text(fp, beyond_variants[v].title);
			fprintf(fp, ",%s,%g", model_names[i / 3],
				beyond_delays[i % 3]);
			for (int c = 0; c < BEYOND_NCOLUMNS; c++) {
				putc(',', fp);
				out_csv_number(fp,
					       beyond_variant_value(s, v, i / 3,
								    i % 3, c));
			}
			putc('\n', fp);
		}
}

static void write_corrected(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp, "policy,quantile,deadline_model,arrival_delay");
	csv_columns(fp);
	for (int c = 0; c < BEYOND_NCORRECTED; c++)
		for (int i = 0; i < 9; i++) {
			fprintf(fp, "%s,%g,%s,%g",
				beyond_policies[beyond_corrected[c].policy],
				beyond_corrected[c].quantile,
				model_names[i / 3], beyond_delays[i % 3]);
			for (int k = 0; k < BEYOND_NCOLUMNS; k++) {
				putc(',', fp);
				out_csv_number(
					fp, beyond_corrected_value(s, c, i / 3,
								   i % 3, k));
			}
			putc('\n', fp);
		}
}

static void write_logs(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;
	static const char *const runs[] = {"librarisk,independent",
					   "librarisk,coupled",
					   "band,independent"};

	fprintf(fp, "log,sha256,policy,execution,arrival_delay");
	csv_columns(fp);
	for (int l = 0; l < BEYOND_NLOGS; l++)
		for (int i = 0; s->have_log[l] && i < 6; i++) {
			fprintf(fp, "%s,%s,%s,%g", beyond_logs[l].file,
				s->log_sha256[l], runs[i / 2],
				i % 2 ? 0.3 : 1.0);
			for (int c = 0; c < BEYOND_NCOLUMNS; c++) {
				putc(',', fp);
				out_csv_number(fp, beyond_log_value(s, l, i / 2,
								    i % 2, c));
			}
			putc('\n', fp);
		}
}

static void write_timings(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp, "log,arrival_delay,policy,us_per_job\n");
	fprintf(fp, "SDSC-SP2,0.1,band,");
	out_csv_number(fp, s->cost_us[0]);
	fprintf(fp, "\nCTC-SP2,0.3,band,");
	out_csv_number(fp, s->cost_us[1]);
	putc('\n', fp);
}

const struct sim_paper_file beyond_files[BEYOND_NFILES] = {
	{"points.csv", write_points},	  {"bound.csv", write_bound},
	{"variants.csv", write_variants}, {"corrected.csv", write_corrected},
	{"logs.csv", write_logs},	  {"timings.csv", write_timings},
};
