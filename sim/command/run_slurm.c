/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_slurm.c - librasim run --policy slurm, a site's own scheduler; librasim
 * compare: how far it is from the log; librasim explain-wait: why one job
 * waits.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/command/run.h"
#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/table_file.h"
#include "sim/site/apart.h"
#include "sim/site/slurm/explain.h"
#include "sim/site/slurm/study.h"
#include "sim/slurm/priority.h"
#include "sim/slurm/result.h"

/* Print to standard output, or to standard error if the table goes there. */
static FILE *summary_to(const struct run_args *args)
{
	return args->jobs_out && strcmp(args->jobs_out, "-") == 0 ? stderr
								  : stdout;
}

/* Simulate the log, write the table of --jobs-out, and print the summary.
 * Result: 0, or -1 with err.
 */
static int simulate(const struct run_args *args, struct sched_load *load,
		    struct libra_error *err)
{
	struct sched_figures figures;
	struct sched_phases phases;
	struct out_file file = {NULL};
	struct progress bar = {false};
	int rc;

	sched_phases_draw(load, args->scenario.seed, &phases);
	if (args->jobs_out && out_check(args->jobs_out, err) < 0)
		return -1;
	load->progress = progress_show;
	load->progress_arg = &bar;
	rc = sched_simulate(load, &phases, &figures, err);
	progress_clear(&bar);
	if (rc < 0)
		return -1;
	if (args->jobs_out) {
		if (out_open(&file, args->jobs_out, err) < 0)
			return -1;
		sched_write_jobs(load, file.fp);
		if (out_commit(&file, err) < 0)
			return -1;
	}
	return sched_print_result(load, &figures, args->format == CMD_JSON,
				  summary_to(args));
}

/* Compare the model with a recording, pass by pass, and print the counts.
 * Result: 0, or -1 with err.
 */
static int compare(const struct run_args *args, struct sched_load *load,
		   struct libra_error *err)
{
	struct recording rec = {0};
	struct steps steps;
	struct out_file file = {NULL};
	int rc = 0;

	if (load->site->promises.share > 0)
		return libra_errf(err, EINVAL,
				  "a recording has no promises: leave out "
				  "--set promises=");
	if (args->jobs_out)
		rc = out_open(&file, args->jobs_out, err);
	if (rc == 0)
		rc = recording_read(&rec, args->recording, err);
	if (rc == 0 && file.fp)
		fputs("second,loop,job,what,reason\n", file.fp);
	if (rc == 0)
		rc = sched_steps(load, &rec, &steps, file.fp, err);
	if (rc == 0 && file.fp)
		rc = out_commit(&file, err);
	if (rc == 0)
		rc = sched_print_steps(&steps, args->format == CMD_JSON,
				       summary_to(args));
	if (rc < 0 && file.fp)
		out_abort(&file);
	free(rec.of);
	return rc;
}

/* Read a site with a log (NULL: its own), change it, and make its model.
 * Owner:  the caller calls both _fini(), after an error as well.
 */
static int load_site(struct slurm_site *site, struct sched_load *load,
		     const char *folder, const char *log,
		     const struct cmd_texts *sets, struct libra_error *err)
{
	int rc = slurm_site_read_with(site, folder, log, err);

	memset(load, 0, sizeof(*load));
	if (rc == 0)
		rc = slurm_prio_rewind(site, err);
	for (size_t i = 0; rc == 0 && i < sets->n; i++)
		rc = slurm_site_change(site, sets->of[i], err);
	return rc == 0 ? sched_load(load, site, err) : rc;
}

int run_slurm(const struct run_args *args, struct libra_error *err)
{
	struct slurm_site site;
	struct sched_load load;
	int rc = load_site(&site, &load, args->site, args->trace, &args->sets,
			   err);

	if (rc == 0)
		rc = args->recording ? compare(args, &load, err)
				     : simulate(args, &load, err);
	sched_load_fini(&load);
	slurm_site_fini(&site);
	return rc;
}

/* ---- librasim compare ---- */

enum { OPT_SITE = 0x700, OPT_PLOTS, OPT_SET, OPT_SEED };

#define SITE_OPTION                                                                   \
	{                                                                             \
		"site", OPT_SITE, "DIR", 0,                                           \
			"The folder of the site, as contrib/site-snapshot writes it", \
			0                                                             \
	}

/* Arguments of compare and explain-wait. */
struct site_args {
	const char *site, *log, *plots;
	const char *what;   /* the first argument: a table, or a job */
	const char *needed; /* the error without it */
	struct cmd_texts sets;
	uint64_t seed;
	enum cmd_format format;
};

static const struct argp_child site_children[] = {
	{&cmd_format_no_csv_argp, 0, NULL, 0},
	{NULL, 0, NULL, 0},
};

static const struct argp_option compare_options[] = {
	SITE_OPTION,
	{"plots", OPT_PLOTS, "DIR", 0,
	 "Draw the waits of both over time, and their distributions, as SVG "
	 "into this folder",
	 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* The parser of the options of compare and explain-wait (argp). */
static error_t parse_site(int key, char *arg, struct argp_state *state)
{
	struct site_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->format;
		return 0;
	case OPT_SITE:
		args->site = arg;
		return 0;
	case OPT_PLOTS:
		args->plots = arg;
		return 0;
	case OPT_SET:
		cmd_add_text(state, &args->sets, arg);
		return 0;
	case OPT_SEED:
		args->seed = cmd_count(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (!args->what)
			args->what = arg;
		else
			cmd_argument(state, &args->log, arg);
		return 0;
	case ARGP_KEY_END:
		if (!args->what)
			cmd_usage(state, "%s", args->needed);
		if (!args->site)
			cmd_usage(state, "give the site: --site DIR");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- the jobs of both ---- */

/* Return a number of a row; NAN if the row has none. */
static double number_of(const struct table_row *row, const char *name)
{
	const char *text = table_row_text(row, name);

	return text && *text ? strtod(text, NULL) : NAN;
}

static int by_id(const void *a, const void *b)
{
	const struct slurm_job *x = *(const struct slurm_job *const *)a;
	const struct slurm_job *y = *(const struct slurm_job *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->submit_s != y->submit_s)
		return x->submit_s < y->submit_s ? -1 : 1;
	return (x->start_s > y->start_s) - (x->start_s < y->start_s);
}

/* Return how many runs of the sorted list are not behind a submission. */
static size_t not_behind(const struct slurm_job **list, size_t n, int64_t id,
			 int64_t submit_s)
{
	const struct slurm_job key = {
		.id = id, .submit_s = submit_s, .start_s = INT64_MAX};
	const struct slurm_job *of = &key;
	size_t low = 0, high = n;

	while (low < high) {
		size_t at = low + (high - low) / 2;

		if (by_id(&list[at], &of) <= 0)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

/* Return the run that was submitted then; of another time (the simulation
 * changed it), the only run of the job.  NULL: none.
 */
static const struct slurm_job *find(const struct slurm_job **list, size_t n,
				    int64_t id, double submit_s)
{
	size_t first = not_behind(list, n, id - 1, INT64_MAX);
	size_t end = not_behind(list, n, id, INT64_MAX);
	size_t at = submit_s > 0 && submit_s < 1e15
			    ? not_behind(list, n, id, (int64_t)submit_s)
			    : first;

	if (at > first && list[at - 1]->submit_s == (int64_t)submit_s)
		return list[at - 1];
	return end - first == 1 ? list[first] : NULL;
}

/* Pair the rows of the table with the log.  A job that did not start in both is
 * left out.  Result: the number of pairs.
 */
static size_t pair(const struct table_file *table,
		   const struct slurm_job **list, size_t n,
		   struct apart_job *jobs)
{
	size_t pairs = 0;

	for (size_t i = 0; i < table->nrows; i++) {
		const struct table_row *row = &table->rows[i];
		double id = number_of(row, "id");
		double start_s = number_of(row, "start_s");
		double wait_s = number_of(row, "wait_s");
		const char *qos = table_row_text(row, "qos");
		const char *part = table_row_text(row, "partition");
		const struct slurm_job *job;
		int64_t from_s, logged_s;

		if (!(id > 0 && id < 1e15) || isnan(start_s) || isnan(wait_s))
			continue;
		job = find(list, n, (int64_t)id, number_of(row, "submit_s"));
		if (!job || !slurm_job_waited(job, &from_s, &logged_s))
			continue;
		jobs[pairs++] = (struct apart_job){
			.ready_s = (double)from_s,
			.run_s = job->elapsed_s,
			.wait_s = wait_s,
			.logged_s = (double)logged_s,
			.apart_s = start_s - (double)job->start_s,
			.procs = job->cpus ? job->cpus : job->req_cpus,
			.partition = part ? part : "",
			.qos = qos ? qos : "",
		};
	}
	return pairs;
}

/* ---- the outcome ---- */

/* Print the comparison as one JSON object. */
static void print_apart_json(const struct apart *a)
{
	struct out_json j;

	out_json_init(&j, stdout);
	out_json_object(&j, NULL);
	out_json_number(&j, "window_s", a->window_s);
	out_json_number(&j, "rank_correlation", a->ranks);
	out_json_number(&j, "utilization_pct", a->utilization_pct);
	out_json_number(&j, "logged_utilization_pct", a->logged_pct);
	out_json_array(&j, "groups");
	for (size_t i = 0; i < a->n; i++) {
		const struct apart_group *g = &a->groups[i];

		out_json_object(&j, NULL);
		out_json_text(&j, "by", g->by);
		out_json_text(&j, "name", g->name);
		out_json_count(&j, "jobs", g->n);
		out_json_number(&j, "wait_s", g->wait_s);
		out_json_number(&j, "logged_wait_s", g->logged_s);
		out_json_number(&j, "moving_error_pct", g->error_pct);
		out_json_number(&j, "within_1_min_pct", g->within_pct[0]);
		out_json_number(&j, "within_10_min_pct", g->within_pct[1]);
		out_json_number(&j, "within_60_min_pct", g->within_pct[2]);
		out_json_end(&j);
	}
	out_json_end(&j);
	out_json_end(&j);
}

/* Print the comparison as a table.  Result: 0, or -1 with ENOMEM. */
static int print_apart(const struct apart *a)
{
	static const struct out_column columns[] = {
		{"jobs by", OUT_LEFT},	 {"", OUT_LEFT},
		{"jobs", OUT_RIGHT},	 {"wait s", OUT_RIGHT},
		{"logged s", OUT_RIGHT}, {"error %", OUT_RIGHT},
		{"1 min %", OUT_RIGHT},	 {"10 min %", OUT_RIGHT},
		{"60 min %", OUT_RIGHT},
	};
	struct out_table table;
	int rc;

	out_table_init(&table, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < a->n; i++) {
		const struct apart_group *g = &a->groups[i];

		out_table_cell(&table, "%s", g->by);
		out_table_cell(&table, "%s", g->name);
		out_table_number(&table, 0, (double)g->n);
		out_table_number(&table, 1, g->wait_s);
		out_table_number(&table, 1, g->logged_s);
		out_table_number(&table, 1, g->error_pct);
		for (size_t k = 0; k < SITE_WITHIN; k++)
			out_table_number(&table, 1, g->within_pct[k]);
	}
	rc = out_table_print(&table, stdout);
	out_table_fini(&table);
	printf("rank correlation of the waits %.3f; utilization %.2f %%, "
	       "logged %.2f %%; moving mean over %.0f s\n",
	       a->ranks, a->utilization_pct, a->logged_pct, a->window_s);
	return rc;
}

/* Write a picture into the set of files, and free it.  svg NULL: there is no
 * gnuplot, an error.
 */
static int keep_picture(struct out_set *set, const char *name, char *svg,
			struct libra_error *err)
{
	FILE *fp = svg ? out_set_open(set, name, err) : NULL;

	if (fp)
		fputs(svg, fp);
	else if (!svg)
		libra_errf(err, ENOENT,
			   "gnuplot was not found, which draws the pictures: "
			   "install it, or leave out --plots");
	free(svg);
	return fp ? 0 : -1;
}

/* Draw the jobs of both into a folder. */
static int draw_both(const char *folder, struct apart_job *jobs, size_t n,
		     struct libra_error *err)
{
	struct slurm_study_waits *waits = calloc(1, sizeof(*waits));
	struct out_set set;
	char *svg = NULL;
	int rc = waits ? slurm_study_measure_waits(waits, jobs, n, err)
		       : sim_no_memory(err);

	if (rc == 0 && out_set_init(&set, folder, err) == 0) {
		rc = slurm_draw_moving(&waits->moving, true, &svg, err);
		if (rc == 0)
			rc = keep_picture(&set, "mean-wait.svg", svg, err);
		if (rc == 0)
			rc = slurm_draw_waits(waits, true, &svg, err);
		if (rc == 0)
			rc = keep_picture(&set, "waits.svg", svg, err);
		if (rc == 0)
			rc = out_set_commit(&set, err);
		else
			out_set_abort(&set);
	} else {
		rc = -1;
	}
	free(waits);
	return rc;
}

/* Pair the jobs of a table with the log, compare both schedules, and print the
 * comparison.
 * Result: 0, or -1 with err.
 */
static int compare_with_log(const struct site_args *args,
			    const struct slurm_site *site,
			    const struct table_file *table,
			    struct libra_error *err)
{
	const struct slurm_job **list = calloc(site->njobs + 1, sizeof(*list));
	struct apart_job *jobs = calloc(table->nrows + 1, sizeof(*jobs));
	struct apart apart = {0};
	uint32_t cpus = slurm_site_cpus(site);
	size_t n = 0;
	int rc = list && jobs ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < site->njobs; i++)
		list[i] = &site->jobs[i];
	if (rc == 0) {
		qsort(list, site->njobs, sizeof(*list), by_id);
		n = pair(table, list, site->njobs, jobs);
		rc = n > 0 ? apart_measure(&apart, jobs, n, cpus ? cpus : 1,
					   err)
			   : libra_errf(err, EINVAL,
					"%s: no job started here and in the "
					"log: give the table and the log of "
					"one simulation",
					args->what);
	}
	if (rc == 0 && args->plots)
		rc = draw_both(args->plots, jobs, n, err);
	if (rc == 0 && args->format == CMD_JSON)
		print_apart_json(&apart);
	else if (rc == 0)
		rc = print_apart(&apart);
	apart_fini(&apart);
	free(list);
	free(jobs);
	return rc;
}

int cmd_compare(int argc, char **argv)
{
	static const struct argp argp = {
		.options = compare_options,
		.parser = parse_site,
		.children = site_children,
		.args_doc = "SIM.csv [LOG]",
		.doc = "Compare a simulation of Slurm's own scheduler with the "
		       "log of the site: how far are both schedules apart?",
	};
	struct site_args args = {
		.needed = "give the table that librasim run --jobs-out wrote",
		.format = CMD_TABLE,
	};
	struct libra_error err = {""};
	struct table_file table = {0};
	struct slurm_site site;
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = slurm_site_read_with(&site, args.site, args.log, &err);
	if (rc == 0)
		rc = table_file_read(&table, args.what, "job", &err);
	if (rc == 0) {
		rc = compare_with_log(&args, &site, &table, &err);
		table_file_fini(&table);
	}
	slurm_site_fini(&site);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}

/* ---- librasim explain-wait ---- */

static const struct argp_option explain_options[] = {
	SITE_OPTION,
	{"set", OPT_SET, "KEY=VALUE", 0,
	 "Change a setting of the site, see librasim-slurm(7); may be repeated",
	 0},
	{"seed", OPT_SEED, "N", 0,
	 "Seed of the phases of slurmctld's loops (default 1)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

/* Simulate the log with a watch on one job, and print why the job waited.
 * Result: 0, or -1 with err.
 */
static int explain(const struct site_args *args, struct sched_load *load,
		   struct libra_error *err)
{
	struct sched_figures figures;
	struct sched_phases phases;
	struct sched_watch watch;
	struct progress bar = {false};
	uint32_t task;
	int rc = slurm_explain_find(load, args->what, &task, err);

	if (rc < 0)
		return -1;
	sched_watch_begin(&watch, &load->model, task);
	load->watch = &watch;
	load->progress = progress_show;
	load->progress_arg = &bar;
	sched_phases_draw(load, args->seed, &phases);
	rc = sched_simulate(load, &phases, &figures, err);
	progress_clear(&bar);
	if (rc == 0)
		rc = slurm_explain_print(load, args->format == CMD_JSON, stdout,
					 err);
	sched_watch_fini(&watch);
	return rc;
}

int cmd_explain_wait(int argc, char **argv)
{
	static const struct argp argp = {
		.options = explain_options,
		.parser = parse_site,
		.children = site_children,
		.args_doc = "JOB [LOG]",
		.doc = "Simulate Slurm's own scheduler with a site's settings "
		       "and log, and print what kept a job waiting, from pass "
		       "to pass.",
	};
	struct site_args args = {
		.needed = "give the job: its JobID in the log",
		.seed = 1,
		.format = CMD_TABLE,
	};
	struct libra_error err = {""};
	struct slurm_site site;
	struct sched_load load;
	int rc;

	cmd_parse(&argp, argc, argv, 0, NULL, &args);
	rc = load_site(&site, &load, args.site, args.log, &args.sets, &err);
	if (rc == 0)
		rc = explain(&args, &load, &err);
	sched_load_fini(&load);
	slurm_site_fini(&site);
	free(args.sets.of);
	return rc == 0 ? CMD_DONE : cmd_fail(argv[0], &err);
}
