/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_results.c - the results of librasim run as table, CSV and JSON.
 *
 * Columns come from run/result.h, so all formats have the same ones.  Counts of
 * dropped and repaired records are printed above the table, on standard error
 * for CSV, and as members of "workload" in JSON.
 */
#include "sim/command/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/version.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"

/* How many records were dropped or repaired, and why. */
struct tally {
	const char *name, *text;
	size_t count;
};

#define NTALLIES 11

/* The jobs whose deadline is nearer than their estimate, and than their run
 * time.
 */
struct near {
	size_t estimate, run;
};

/* Count deadlines that are nearer than estimate or run time. */
static struct near count_near(const struct sim_workload *w)
{
	struct near n = {0};

	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];

		n.estimate += !libra_in_time(job->job.estimate_s,
					     job->deadline_rel_s);
		n.run += !libra_in_time(job->runtime_s, job->deadline_rel_s);
	}
	return n;
}

/* Fill in the counts of records and jobs. */
static void tally(const struct sim_workload *w, struct tally t[NTALLIES])
{
	struct near near = count_near(w);
	const struct tally all[NTALLIES] = {
		{"dropped_unrun", "dropped: run time <= 0", w->dropped_unrun},
		{"dropped_procs", "dropped: no processors", w->dropped_procs},
		{"dropped_large", "dropped: larger than the machine",
		 w->dropped_large},
		{"dropped_unrequested", "dropped: no request",
		 w->dropped_unrequested},
		{"dropped_unsubmitted", "dropped: submitted before 0",
		 w->dropped_unsubmitted},
		{"given_one_second", "run time <= 0: given 1 s",
		 w->given_one_second},
		{"estimate_from_run", "no estimate: run time used",
		 w->estimate_from_run},
		{"run_clipped", "run time cut to the estimate", w->run_clipped},
		{"reordered", "submitted out of order: sorted", w->reordered},
		{"near_estimate", "deadlines nearer than the estimate",
		 near.estimate},
		{"near_run", "deadlines nearer than the run time", near.run},
	};

	memcpy(t, all, sizeof(all));
}

/* Print the counts that are not 0. */
static void print_tallies(FILE *fp, const struct sim_workload *w)
{
	struct tally t[NTALLIES];
	struct near near;

	tally(w, t);
	fprintf(fp, "%zu records, %zu jobs, %u processors", w->records,
		w->njobs, w->procs);
	if (w->nodes)
		fprintf(fp, ", %u nodes", w->nodes->nnodes);
	fputc('\n', fp);
	for (size_t i = 0; i < NTALLIES; i++)
		if (t[i].count > 0)
			fprintf(fp, "  %zu %s\n", t[i].count, t[i].text);
	near = count_near(w);
	if (near.run > 0)
		fprintf(fp,
			"  at most %.2f %% can be fulfilled: each job alone\n",
			100 - 100 * (double)near.run / (double)w->njobs);
}

/* Has this run the column? */
static bool is_shown(const struct sim_result_column *column,
		     const struct sim_workload *w)
{
	return column->when == SIM_RESULT_ALWAYS ||
	       (column->when == SIM_RESULT_ENFORCED && w->enforced) ||
	       (column->when == SIM_RESULT_ORDINARY && w->has_ordinary) ||
	       (column->when == SIM_RESULT_NEAR && count_near(w).estimate > 0);
}

/* Print the columns that only some runs have, a line for each policy. */
static void print_extras(FILE *fp, const struct run_args *args,
			 const struct sim_workload *w,
			 const struct sim_result *results)
{
	for (size_t p = 0; p < args->policies.n; p++) {
		const char *lead = args->policies.list[p].type->name;

		for (size_t c = 0; c < sim_result_nextras; c++) {
			const struct sim_result_column *column =
				&sim_result_extras[c];

			if (!is_shown(column, w))
				continue;
			fprintf(fp, "%s%s %s %.0f", lead,
				strchr(lead, ',') ? "" : ":", column->name,
				sim_result_value(&results[p], column));
			lead = ",";
		}
		if (strcmp(lead, ",") == 0)
			fputc('\n', fp);
	}
}

static int print_table(FILE *fp, const struct run_args *args,
		       const struct sim_workload *w,
		       const struct sim_result *results)
{
	static const struct out_column columns[] = {
		{"policy", OUT_LEFT},	      {"submitted", OUT_RIGHT},
		{"accepted", OUT_RIGHT},      {"fulfilled %", OUT_RIGHT},
		{"reliability %", OUT_RIGHT}, {"slowdown", OUT_RIGHT},
		{"bounded", OUT_RIGHT},	      {"wait s", OUT_RIGHT},
		{"utilization %", OUT_RIGHT}, {"profit %", OUT_RIGHT},
		{"work %", OUT_RIGHT},
	};
	struct out_table t;
	int rc;

	print_tallies(fp, w);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t p = 0; p < args->policies.n; p++) {
		const struct sim_result *r = &results[p];

		out_table_cell(&t, "%s", args->policies.list[p].type->name);
		out_table_cell(&t, "%llu", (unsigned long long)r->submitted);
		out_table_cell(&t, "%llu", (unsigned long long)r->accepted);
		out_table_number(&t, 2, r->fulfilled_pct);
		out_table_number(&t, 2, r->reliability_pct);
		out_table_number(&t, 3, r->mean_slowdown);
		out_table_number(&t, 3, r->mean_bounded_slowdown);
		out_table_number(&t, 1, r->mean_wait_s);
		out_table_number(&t, 2, r->utilization_pct);
		out_table_number(&t, 2, r->profit_pct);
		out_table_number(&t, 2, r->work_fulfilled_pct);
	}
	rc = out_table_print(&t, fp);
	out_table_fini(&t);
	print_extras(fp, args, w, results);
	return rc;
}

static int print_csv(FILE *fp, const struct run_args *args,
		     const struct sim_workload *w,
		     const struct sim_result *results)
{
	print_tallies(stderr, w);
	fputs("policy", fp);
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s", sim_result_columns[c].name);
	for (size_t c = 0; c < sim_result_nextras; c++)
		if (is_shown(&sim_result_extras[c], w))
			fprintf(fp, ",%s", sim_result_extras[c].name);
	fputs(",seed\n", fp);
	for (size_t p = 0; p < args->policies.n; p++) {
		fputs(args->policies.list[p].type->name, fp);
		for (size_t c = 0; c < sim_result_ncolumns; c++) {
			fputc(',', fp);
			out_csv_number(
				fp, sim_result_value(&results[p],
						     &sim_result_columns[c]));
		}
		for (size_t c = 0; c < sim_result_nextras; c++) {
			const struct sim_result_column *column =
				&sim_result_extras[c];

			if (!is_shown(column, w))
				continue;
			fputc(',', fp);
			out_csv_number(fp,
				       sim_result_value(&results[p], column));
		}
		fprintf(fp, ",%llu\n", (unsigned long long)args->scenario.seed);
	}
	return 0;
}

/* Write columns as members, if they are shown. */
static void json_columns(struct out_json *j, const struct sim_workload *w,
			 const struct sim_result *result,
			 const struct sim_result_column *columns, size_t n)
{
	for (size_t c = 0; c < n; c++) {
		double value = sim_result_value(result, &columns[c]);

		if (!is_shown(&columns[c], w))
			continue;
		if (columns[c].is_count)
			out_json_count(j, columns[c].name, (uint64_t)value);
		else
			out_json_number(j, columns[c].name, value);
	}
}

/* Write the object of one policy. */
static void json_result(struct out_json *j, const struct sim_workload *w,
			const struct sim_policy *policy,
			const struct sim_result *result)
{
	out_json_object(j, NULL);
	out_json_text(j, "policy", policy->type->name);
	json_columns(j, w, result, sim_result_columns, sim_result_ncolumns);
	json_columns(j, w, result, sim_result_extras, sim_result_nextras);
	out_json_object(j, "params");
	for (size_t k = 0; k < policy->type->nparams; k++)
		out_json_number(j, policy->type->params[k].name,
				policy->params[k]);
	out_json_end(j);
	out_json_end(j);
}

/* Write the user's choices, except the fields of the scenario. */
static void json_choice(struct out_json *j, const struct sim_scenario *sc)
{
	out_json_count(j, "seed", sc->seed);
	if (sc->last > 0)
		out_json_count(j, "last", sc->last);
	else
		out_json_null(j, "last");
	out_json_text(j, "size", sim_size_name(sc->size));
	out_json_bool(j, "keep_unrun", sc->keep_unrun);
	out_json_bool(j, "kill_at_estimate", sc->kill_at_estimate);
	out_json_text(j, "deadline_model",
		      sim_deadline_model_name(sc->deadline_model));
	out_json_text(j, "budget_base", sim_budget_base_name(sc->budget_base));
	out_json_text(j, "penalty_base",
		      sim_penalty_base_name(sc->penalty_base));
	out_json_text(j, "execution", sim_execution_name(sc->execution));
	out_json_number(j, "correct", sc->correct > 0 ? sc->correct : NAN);
	if (sc->ordinary_pct >= 0)
		out_json_number(j, "ordinary", sc->ordinary_pct);
	for (int i = 0; i < SIM_NNAMES; i++) {
		enum sim_names names = (enum sim_names)i;
		int value = sim_prediction_value(&sc->prediction, names);

		out_json_text(j, sim_names_key(names),
			      sim_names_of(names, value));
	}
}

/* null: not counted. */
static void json_nodes(struct out_json *j, const struct sim_nodes *nodes)
{
	out_json_array(j, "nodes");
	for (size_t i = 0; i < nodes->ngroups; i++) {
		const struct sim_node_group *g = &nodes->groups[i];

		out_json_object(j, NULL);
		out_json_count(j, "count", g->count);
		out_json_count(j, "procs", g->procs);
		out_json_number(j, "mem_mb",
				nodes->has_mem ? (double)g->mem_mb : NAN);
		out_json_number(j, "gpus",
				nodes->has_gpus ? (double)g->gpus : NAN);
		out_json_end(j);
	}
	out_json_end(j);
}

/* Write the object "workload": log, options and counts. */
static void json_workload(struct out_json *j, const struct run_args *args,
			  const struct sim_workload *w, const char *sha256)
{
	struct tally t[NTALLIES];

	out_json_object(j, "workload");
	out_json_text(j, "version", sim_version());
	out_json_text(j, "trace", args->trace);
	out_json_text(j, "sha256", sha256[0] ? sha256 : NULL);
	out_json_text(j, "side", args->log.side);
	out_json_text(j, "partition", args->log.partition);
	out_json_text(j, "qos", args->log.qos);
	out_json_text(
		j, "unit",
		side_unit_name(args->log.unit ? args->log.unit : SIDE_CPUS));
	out_json_text(j, "jobs_in", args->jobs_in);
	json_choice(j, &args->scenario);
	out_json_count(j, "procs", w->procs);
	if (w->nodes)
		json_nodes(j, w->nodes);
	out_json_count(j, "records", w->records);
	out_json_count(j, "jobs", w->njobs);
	tally(w, t);
	for (size_t i = 0; i < NTALLIES; i++)
		out_json_count(j, t[i].name, t[i].count);
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		char key[OUT_KEY_SIZE];

		out_json_number(j, out_key(key, sim_scenario_fields[i].name),
				sim_scenario_value(&args->scenario, i));
	}
	out_json_end(j);
}

/* docs/run.schema.json describes it. */
static int print_json(FILE *fp, const struct run_args *args,
		      const struct sim_workload *w,
		      const struct sim_result *results, struct libra_error *err)
{
	char sha256[65];
	struct out_json j;

	if (swf_sha256(args->trace, sha256, err) < 0)
		return -1;
	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	json_workload(&j, args, w, sha256);
	out_json_array(&j, "results");
	for (size_t p = 0; p < args->policies.n; p++)
		json_result(&j, w, &args->policies.list[p], &results[p]);
	out_json_end(&j);
	out_json_end(&j);
	return 0;
}

int run_print(const struct run_args *args, const struct sim_workload *w,
	      const struct sim_result *results, struct libra_error *err)
{
	bool taken = args->jobs_out && strcmp(args->jobs_out, "-") == 0;
	FILE *fp = taken ? stderr : stdout;

	switch (args->format) {
	case CMD_JSON:
		return print_json(fp, args, w, results, err);
	case CMD_CSV:
		return print_csv(fp, args, w, results);
	case CMD_TABLE:
		break;
	}
	return print_table(fp, args, w, results);
}
