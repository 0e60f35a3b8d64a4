/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.c - the numbers of the report, as CSV and JSON.
 *
 * A file for each figure with the mean and the spread of every column of a
 * result, one for the log, and results.json with all of it, seed by seed.
 */
#include <string.h>

#include "sim/paper/icpp2006/experiment.h"

/* ---- the log ---- */

void icpp_log_rows(const struct icpp_study *s, struct icpp_log_row *row)
{
	const struct trace_stats *log = &s->log;
	const struct icpp_log_row rows[ICPP_NLOG_ROWS] = {
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

/* ---- CSV ---- */

static void csv_heading(FILE *fp, const struct icpp_figure *figure)
{
	fprintf(fp, "x,policy,%s,n", figure->variant_column);
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s_mean,%s_sd", sim_result_columns[c].name,
			sim_result_columns[c].name);
	putc('\n', fp);
}

static void write_figure(FILE *fp, const struct icpp_study *s, int f)
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
					s->paper.run->nseeds);
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

static void write_figure_1(FILE *fp, const void *study)
{
	write_figure(fp, study, ICPP_LOAD);
}

static void write_figure_2(FILE *fp, const void *study)
{
	write_figure(fp, study, ICPP_RATIO);
}

static void write_figure_3(FILE *fp, const void *study)
{
	write_figure(fp, study, ICPP_URGENCY);
}

static void write_figure_4(FILE *fp, const void *study)
{
	write_figure(fp, study, ICPP_INACCURACY);
}

static void write_trace_csv(FILE *fp, const void *study)
{
	const struct icpp_study *s = study;
	struct icpp_log_row row[ICPP_NLOG_ROWS];

	icpp_log_rows(s, row);
	fprintf(fp, "statistic,measured,paper,unit\n");
	for (size_t i = 0; i < ICPP_NLOG_ROWS; i++) {
		out_csv_text(fp, row[i].name);
		putc(',', fp);
		out_csv_number(fp, row[i].value);
		fprintf(fp, ",%s,%s\n", row[i].paper, row[i].unit);
	}
}

/* ---- JSON ---- */

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
		for (size_t k = 0; k < s->paper.run->nseeds; k++)
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

static void write_results(FILE *fp, const void *study)
{
	const struct icpp_study *s = study;
	struct report_source source =
		sim_paper_source(s->paper.run, &s->paper.source);
	struct icpp_log_row row[ICPP_NLOG_ROWS];
	struct out_json j;

	icpp_log_rows(s, row);
	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	report_manifest(&j, "manifest", &source);
	out_json_object(&j, "trace");
	for (size_t i = 0; i < ICPP_NLOG_ROWS; i++)
		out_json_number(&j, row[i].name, row[i].value);
	out_json_end(&j);
	out_json_array(&j, "figures");
	for (int f = 0; f < ICPP_NFIGURES; f++)
		json_figure(&j, s, f);
	out_json_end(&j);
	claims_json(&j, "claims", icpp_claims, s->paper.results, ICPP_NCLAIMS);
	out_json_end(&j);
}

const struct sim_paper_file icpp_files[ICPP_NFILES] = {
	{"figure-1.csv", write_figure_1}, {"figure-2.csv", write_figure_2},
	{"figure-3.csv", write_figure_3}, {"figure-4.csv", write_figure_4},
	{"trace.csv", write_trace_csv},	  {"results.json", write_results},
};
