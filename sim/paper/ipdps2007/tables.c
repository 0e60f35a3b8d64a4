/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.c - the tables of the report, as CSV and JSON.
 *
 * results.csv and results.json have one row for each point, with the means
 * over the seeds under the names of a result's columns: `librasim risk` reads
 * both.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

static const char *const set_names[IPDPS_NSETS] = {"A", "B"};

/* ---- figures ---- */

struct figure_part {
	const char *name; /* of the objectives, in the file */
	unsigned objectives;
};

static const struct figure_part figure_2[] = {
	{"sla", 1u << IPDPS_SLA},
	{"reliability", 1u << IPDPS_RELIABILITY},
	{"profit", 1u << IPDPS_PROFIT},
};

static const struct figure_part figure_3[] = {
	{"sla+reliability", 1u << IPDPS_SLA | 1u << IPDPS_RELIABILITY},
	{"sla+profit", 1u << IPDPS_SLA | 1u << IPDPS_PROFIT},
	{"reliability+profit", 1u << IPDPS_RELIABILITY | 1u << IPDPS_PROFIT},
};

static const struct figure_part figure_4[] = {
	{"sla+reliability+profit", IPDPS_ALL},
};

static void write_part(FILE *fp, const struct ipdps_study *s,
		       const struct figure_part *part)
{
	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
			for (int p = 0; p < IPDPS_NPOLICIES; p++) {
				struct risk_point point = ipdps_integrated(
					s, 0, set, sc, p, part->objectives);

				fprintf(fp, "%s,%s,%s,%s,", part->name,
					set_names[set],
					ipdps_scenarios[sc].name,
					ipdps_policy_names[p]);
				out_csv_number(fp, point.performance);
				putc(',', fp);
				out_csv_number(fp, point.volatility);
				putc('\n', fp);
			}
}

static void write_figure(FILE *fp, const struct ipdps_study *s,
			 const struct figure_part *parts, size_t n)
{
	fprintf(fp, "objectives,set,scenario,policy,performance,volatility\n");
	for (size_t i = 0; i < n; i++)
		write_part(fp, s, &parts[i]);
}

static void write_figure_2(FILE *fp, const void *study)
{
	write_figure(fp, study, figure_2, 3);
}

static void write_figure_3(FILE *fp, const void *study)
{
	write_figure(fp, study, figure_3, 3);
}

static void write_figure_4(FILE *fp, const void *study)
{
	write_figure(fp, study, figure_4, 1);
}

/* ---- tables ---- */

static void write_table_2(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	fprintf(fp, "parameter,set_a,set_b\n");
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];

		fprintf(fp, "%s", f->name);
		for (int set = 0; set < IPDPS_NSETS; set++) {
			long cell = s->cell[0][set][IPDPS_WORKLOAD][5][0];
			const struct sim_point *point =
				&s->study.points[(size_t)cell *
						 s->study.nseeds];

			putc(',', fp);
			out_csv_number(fp,
				       *(const double *)((const char *)&point
								 ->scenario +
							 f->offset));
		}
		putc('\n', fp);
	}
}

static void write_table_3(FILE *fp, const void *study)
{
	fprintf(fp, "scenario,set,value\n");
	for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
		for (int set = 0; set < IPDPS_NSETS; set++)
			for (int i = 0; i < IPDPS_NVALUES; i++)
				fprintf(fp, "%s,%s,%g\n",
					ipdps_scenarios[sc].name,
					set_names[set],
					ipdps_scenarios[sc].value[set][i]);
}

/* The next point in the order of the files, or false. */
struct place {
	int set, sc, value, policy;
	bool begun;
};

static bool next_place(struct place *at)
{
	if (!at->begun)
		return at->begun = true;
	if (++at->policy < IPDPS_NPOLICIES)
		return true;
	at->policy = 0;
	if (++at->value < IPDPS_NVALUES)
		return true;
	at->value = 0;
	if (++at->sc < IPDPS_NSCENARIOS)
		return true;
	at->sc = 0;
	return ++at->set < IPDPS_NSETS;
}

static size_t cell_at(const struct ipdps_study *s, const struct place *at)
{
	return (size_t)s->cell[0][at->set][at->sc][at->value][at->policy];
}

static void begin_row(FILE *fp, const struct place *at)
{
	const struct ipdps_scenario *sc = &ipdps_scenarios[at->sc];

	fprintf(fp, "%s,%s,%g,%s", set_names[at->set], sc->name,
		sc->value[at->set][at->value], ipdps_policy_names[at->policy]);
}

static void write_results(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;
	struct place at = {0};

	fprintf(fp, "set,scenario,value,policy");
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s", sim_result_columns[c].name);
	fprintf(fp, ",seeds\n");
	while (next_place(&at)) {
		begin_row(fp, &at);
		for (size_t c = 0; c < sim_result_ncolumns; c++) {
			putc(',', fp);
			out_csv_number(fp,
				       study_stat(&s->study, cell_at(s, &at),
						  &sim_result_columns[c])
					       .mean);
		}
		fprintf(fp, ",%zu\n", s->paper.run->nseeds);
	}
}

static void write_seeds(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;
	struct place at = {0};

	fprintf(fp, "set,scenario,value,policy,seed");
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s", sim_result_columns[c].name);
	putc('\n', fp);
	while (next_place(&at))
		for (size_t k = 0; k < s->paper.run->nseeds; k++) {
			const struct sim_result *r =
				study_result(&s->study, cell_at(s, &at), k);

			begin_row(fp, &at);
			fprintf(fp, ",%" PRIu64, s->paper.run->seeds[k]);
			for (size_t c = 0; c < sim_result_ncolumns; c++) {
				putc(',', fp);
				out_csv_number(
					fp,
					study_value(r, &sim_result_columns[c]));
			}
			putc('\n', fp);
		}
}

/* R11 */
static void write_tuning(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	fprintf(fp, "parameter,value,discount_unit_s,set,fulfilled_pct,"
		    "reliability_pct,profit_pct\n");
	for (size_t i = 0; i < IPDPS_NTUNINGS; i++)
		for (int set = 0; set < IPDPS_NSETS; set++) {
			const struct ipdps_tuning *t = &s->tuning[i];

			fprintf(fp, "%s,%g,%d,%s", t->param, t->value,
				t->hours ? 3600 : 1, set_names[set]);
			for (int o = 0; o < IPDPS_NOBJECTIVES; o++) {
				putc(',', fp);
				out_csv_number(
					fp, ipdps_value(s, (size_t)t->cell[set],
							o));
			}
			putc('\n', fp);
		}
}

/* R12 */
static void write_untested(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	fprintf(fp, "policy,set,high_urgency_pct,admission,fulfilled_pct,"
		    "reliability_pct,profit_pct\n");
	for (int k = 0; k < IPDPS_NUNTESTED; k++)
		for (int test = 1; test >= 0; test--) {
			const struct ipdps_untested *u = &s->untested[k];

			fprintf(fp, "%s,%s,%g,%d",
				ipdps_policy_names[u->policy],
				set_names[u->set], u->urgent, test);
			for (int o = 0; o < IPDPS_NOBJECTIVES; o++) {
				putc(',', fp);
				out_csv_number(
					fp,
					ipdps_value(s,
						    (size_t)(test ? u->with
								  : u->without),
						    o));
			}
			putc('\n', fp);
		}
}

/* Every reading: means of the scenarios. */
static void write_readings(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	fprintf(fp, "reading,set,policy,objective,performance,volatility\n");
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		for (int set = 0; set < IPDPS_NSETS; set++)
			for (int p = 0; p < IPDPS_NPOLICIES; p++)
				for (int o = 0; o < IPDPS_NOBJECTIVES; o++) {
					struct risk_point m = ipdps_mean(
						s, r, set, p, 1u << o);

					fprintf(fp, "%s,%s,%s,%s,",
						ipdps_readings[r].name,
						set_names[set],
						ipdps_policy_names[p],
						ipdps_objective_titles[o]);
					out_csv_number(fp, m.performance);
					putc(',', fp);
					out_csv_number(fp, m.volatility);
					putc('\n', fp);
				}
}

static void write_sensitivity(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;

	fprintf(fp, "claim");
	for (int r = 0; r < IPDPS_NREADINGS; r++)
		fprintf(fp, ",%s", ipdps_readings[r].name);
	putc('\n', fp);
	for (size_t i = 0; i < IPDPS_NCLAIMS; i++) {
		if (ipdps_judge(s, i, 0) == CLAIM_INFO)
			continue;
		fprintf(fp, "%s", ipdps_claims[i].id);
		for (int r = 0; r < IPDPS_NREADINGS; r++) {
			enum claim_status status = ipdps_judge(s, i, r);

			fprintf(fp, ",%s",
				status == CLAIM_INFO
					? ""
					: claim_status_name(status));
		}
		putc('\n', fp);
	}
}

/* ---- JSON ---- */

static void json_results(FILE *fp, const void *study)
{
	const struct ipdps_study *s = study;
	struct report_source source =
		sim_paper_source(s->paper.run, &s->paper.source);
	struct place at = {0};
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	report_manifest(&j, "manifest", &source);
	out_json_array(&j, "results");
	while (next_place(&at)) {
		const struct ipdps_scenario *sc = &ipdps_scenarios[at.sc];

		out_json_object(&j, NULL);
		out_json_text(&j, "set", set_names[at.set]);
		out_json_text(&j, "scenario", sc->name);
		out_json_number(&j, "value", sc->value[at.set][at.value]);
		out_json_text(&j, "policy", ipdps_policy_names[at.policy]);
		for (size_t c = 0; c < sim_result_ncolumns; c++)
			out_json_number(&j, sim_result_columns[c].name,
					study_stat(&s->study, cell_at(s, &at),
						   &sim_result_columns[c])
						.mean);
		out_json_end(&j);
	}
	out_json_end(&j);
	claims_json(&j, "claims", ipdps_claims, s->paper.results,
		    IPDPS_NCLAIMS);
	out_json_end(&j);
}

const struct sim_paper_file ipdps_files[IPDPS_NFILES] = {
	{"figure-2.csv", write_figure_2},
	{"figure-3.csv", write_figure_3},
	{"figure-4.csv", write_figure_4},
	{"table-2.csv", write_table_2},
	{"table-3.csv", write_table_3},
	{"results.csv", write_results},
	{"seeds.csv", write_seeds},
	{"firstreward.csv", write_tuning},
	{"no-admission.csv", write_untested},
	{"readings.csv", write_readings},
	{"sensitivity.csv", write_sensitivity},
	{"results.json", json_results},
};
