/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - all policies compared: which points are run. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/log/trace_find.h"
#include "sim/paper/beyond/experiment.h"
#include "sim/run/bound.h"
#include "sim/run/run.h"
#include "sim/study/checkpoint.h"

#define LAST_JOBS     3000
#define LAST_LOG_JOBS 5000
/* Results so far, within the report's folder while it is made. */
#define KEPT ".runs"

const char *const beyond_policies[BEYOND_NPOLICIES] = {
	"edf", "libra", "librarisk", "demand", "band"};
const char *const beyond_titles[BEYOND_NPOLICIES] = {
	"EDF", "Libra", "LibraRisk", "demand", "band"};
const char *const beyond_models[BEYOND_NMODELS] = {
	"(a) factor x run time", "(b) factor x estimate",
	"(c) factor x the user's mean run time"};
const double beyond_delays[BEYOND_NDELAYS] = {1, 0.3, 0.1};
const double beyond_urgent[BEYOND_NURGENT] = {20, 100};

const struct beyond_variant beyond_variants[BEYOND_NVARIANTS] = {
	{"band", NULL, 0},
	{"without the reserve", "reserve", 0},
	{"without the cap", "cap", 0},
	{"each processor tested alone", "neighbours", 0},
	{"without aligned blocks", "align", 0},
	{"without counting later neighbours", "spread", 0},
	{"at most 7 jobs on a processor", "residents", 7},
	{"at most 4 jobs on a processor", "residents", 4},
};

/* The usual quantile, and for band one that trusts users less. */
const struct beyond_corrected beyond_corrected[BEYOND_NCORRECTED] = {
	{BEYOND_LIBRA, SIM_CORRECT_USUAL},
	{BEYOND_LIBRARISK, SIM_CORRECT_USUAL},
	{BEYOND_BAND, SIM_CORRECT_USUAL},
	{BEYOND_BAND, 0.5},
};

const struct beyond_log beyond_logs[BEYOND_NLOGS] = {
	{"KTH SP2", "KTH-SP2-1996-2.1-cln.swf.gz", 1, {100, 93}},
	{"CTC SP2", "CTC-SP2-1996-3.1-cln.swf.gz", 1, {99, 92}},
	{"HPC2N", "HPC2N-2002-2.2-cln.swf.gz", 1, {99, 98}},
	{"SDSC Blue", "SDSC-BLUE-2000-4.2-cln.swf.gz", 8, {100, 98}},
	{"LANL CM5", "LANL-CM5-1994-4.1-cln.swf.gz", 1, {NAN, NAN}},
};

#define COLUMN(field, unit_, text)                                             \
	{                                                                      \
		.name = #field, .unit = unit_,                                 \
		.offset = offsetof(struct sim_result, field), .help = text     \
	}

const struct sim_result_column beyond_columns[BEYOND_NCOLUMNS] = {
	COLUMN(fulfilled_pct, "%", "fulfilled of submitted"),
	COLUMN(reliability_pct, "%", "fulfilled of accepted"),
	COLUMN(mean_slowdown, "", "mean slowdown of the fulfilled"),
	COLUMN(median_slowdown, "", "median slowdown of the fulfilled"),
	COLUMN(work_fulfilled_pct, "%", "fulfilled of submitted work"),
	COLUMN(quintile_pct[0], "%", "fulfilled, least fifth by work"),
	COLUMN(quintile_pct[1], "%", "fulfilled, second fifth"),
	COLUMN(quintile_pct[2], "%", "fulfilled, third fifth"),
	COLUMN(quintile_pct[3], "%", "fulfilled, fourth fifth"),
	COLUMN(quintile_pct[4], "%", "fulfilled, largest fifth by work"),
};

double beyond_value(const struct beyond_study *s, enum beyond_policy p,
		    struct beyond_point at, enum beyond_column column)
{
	long cell = s->cell[p][at.execution][at.model][at.delay][at.urgent];

	return study_stat(&s->study, (size_t)cell, &beyond_columns[column])
		.mean;
}

double beyond_variant_value(const struct beyond_study *s, int variant,
			    int model, int delay, enum beyond_column column)
{
	return study_stat(&s->study, (size_t)s->variant[variant][model][delay],
			  &beyond_columns[column])
		.mean;
}

double beyond_corrected_value(const struct beyond_study *s, int corrected,
			      int model, int delay, enum beyond_column column)
{
	return study_stat(&s->study,
			  (size_t)s->corrected[corrected][model][delay],
			  &beyond_columns[column])
		.mean;
}

double beyond_log_value(const struct beyond_study *s, int log, int run,
			int delay, enum beyond_column column)
{
	if (!s->have_log[log])
		return NAN;
	return study_stat(&s->logs[log], (size_t)s->log_cell[log][run][delay],
			  &beyond_columns[column])
		.mean;
}

/* ---- the points ---- */

static struct sim_scenario scenario(struct beyond_point at)
{
	struct sim_scenario sc;

	sim_scenario_init(&sc);
	sc.last = LAST_JOBS;
	sim_scenario_deadlines(
		&sc, (enum sim_deadline_model)(SIM_DEADLINE_RUN + at.model));
	sc.execution = (enum sim_execution)(SIM_INDEPENDENT + at.execution);
	sc.arrival_delay = beyond_delays[at.delay];
	sc.high_urgency_pct = beyond_urgent[at.urgent];
	return sc;
}

/* Calls next() for every point: the innermost index first. */
static bool next_point(struct beyond_point *at)
{
	if (++at->urgent < BEYOND_NURGENT)
		return true;
	at->urgent = 0;
	if (++at->delay < BEYOND_NDELAYS)
		return true;
	at->delay = 0;
	if (++at->model < BEYOND_NMODELS)
		return true;
	at->model = 0;
	return ++at->execution < BEYOND_NEXECUTIONS;
}

/* Result: the cell, or -1. */
static long add_cell(struct beyond_study *s, int p, struct beyond_point at,
		     double correct, struct libra_error *err)
{
	const struct libra_policy_type *policy =
		libra_policy_find(beyond_policies[p], err);
	struct sim_scenario sc;

	if (!policy)
		return -1;
	/* Jobs that are alone while they run know no models. */
	if (policy->mode != LIBRA_SHARE)
		at.execution = 0;
	sc = scenario(at);
	sc.correct = correct;
	return study_add(&s->study, &sc, policy, NULL, err);
}

static int add_point(struct beyond_study *s, int p, struct beyond_point at,
		     struct libra_error *err)
{
	long cell = add_cell(s, p, at, 0, err);

	s->cell[p][at.execution][at.model][at.delay][at.urgent] = cell;
	return cell < 0 ? -1 : 0;
}

static int add_corrected(struct beyond_study *s, int c, struct libra_error *err)
{
	const struct beyond_corrected *row = &beyond_corrected[c];
	struct beyond_point at = {.execution = 1};

	for (at.model = 0; at.model < BEYOND_NMODELS; at.model++)
		for (at.delay = 0; at.delay < BEYOND_NDELAYS; at.delay++) {
			long cell = add_cell(s, row->policy, at, row->quantile,
					     err);

			if (cell < 0)
				return -1;
			s->corrected[c][at.model][at.delay] = cell;
		}
	return 0;
}

static int add_variant(struct beyond_study *s, int v, struct libra_error *err)
{
	const struct libra_policy_type *band = libra_policy_find("band", err);
	const char *name = beyond_variants[v].param;
	struct beyond_point at = {0};

	s->params[v] = calloc(band->nparams, sizeof(double));
	if (!s->params[v])
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < band->nparams; i++) {
		s->params[v][i] = band->params[i].value;
		if (name && strcmp(band->params[i].name, name) == 0)
			s->params[v][i] = beyond_variants[v].value;
	}
	for (at.model = 0; at.model < BEYOND_NMODELS; at.model++)
		for (at.delay = 0; at.delay < BEYOND_NDELAYS; at.delay++) {
			struct sim_scenario sc = scenario(at);
			long cell = study_add(&s->study, &sc, band,
					      s->params[v], err);

			if (cell < 0)
				return -1;
			s->variant[v][at.model][at.delay] = cell;
		}
	return 0;
}

static int add_log(struct beyond_study *s, int log, struct libra_error *err)
{
	static const struct {
		const char *policy;
		enum sim_execution execution;
	} runs[BEYOND_NLOG_RUNS] = {{"librarisk", SIM_INDEPENDENT},
				    {"librarisk", SIM_COUPLED},
				    {"band", SIM_INDEPENDENT}};
	static const double delays[BEYOND_NLOG_DELAYS] = {1, 0.3};

	study_init(&s->logs[log], s->paper.run->seeds, s->paper.run->nseeds);
	for (int r = 0; r < BEYOND_NLOG_RUNS; r++)
		for (int d = 0; d < BEYOND_NLOG_DELAYS; d++) {
			struct sim_scenario sc;
			long cell;

			sim_scenario_init(&sc);
			sc.last = LAST_LOG_JOBS;
			sc.arrival_delay = delays[d];
			sc.execution = runs[r].execution;
			cell = study_add(
				&s->logs[log], &sc,
				libra_policy_find(runs[r].policy, NULL), NULL,
				err);
			if (cell < 0)
				return -1;
			s->log_cell[log][r][d] = cell;
		}
	return 0;
}

static int set_up(void *study, struct libra_error *err)
{
	struct beyond_study *s = study;
	struct beyond_point at = {0};

	study_init(&s->study, s->paper.run->seeds, s->paper.run->nseeds);
	do
		for (int p = 0; p < BEYOND_NPOLICIES; p++)
			if (add_point(s, p, at, err) < 0)
				return -1;
	while (next_point(&at));
	for (int v = 0; v < BEYOND_NVARIANTS; v++)
		if (add_variant(s, v, err) < 0)
			return -1;
	for (int c = 0; c < BEYOND_NCORRECTED; c++)
		if (add_corrected(s, c, err) < 0)
			return -1;
	for (int log = 0; log < BEYOND_NLOGS; log++)
		if (add_log(s, log, err) < 0)
			return -1;
	return 0;
}

/* ---- the runs ---- */

/* Several processors of the log are one here. */
static void join_processors(struct swf_trace *trace, int unit)
{
	for (size_t i = 0; i < trace->nrecords; i++) {
		struct swf_record *r = &trace->records[i];

		if (r->req_procs > 0)
			r->req_procs = (r->req_procs + unit - 1) / unit;
		if (r->alloc_procs > 0)
			r->alloc_procs = (r->alloc_procs + unit - 1) / unit;
	}
	trace->max_procs = (trace->max_procs + unit - 1) / unit;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What a job costs under band, with all its events, in microseconds. */
static double cost_us(const struct swf_trace *trace, size_t last, double delay,
		      struct libra_error *err)
{
	struct sim_scenario sc;
	struct sim_workload w;
	struct sim_result result;
	double begin_s, us = NAN;

	sim_scenario_init(&sc);
	sc.last = last;
	sc.arrival_delay = delay;
	if (sim_workload_make(&w, trace, &sc, err) < 0)
		return NAN;
	begin_s = seconds();
	if (sim_run(&w, libra_policy_find("band", NULL), NULL, &result, NULL,
		    err) == 0)
		us = (seconds() - begin_s) * 1e6 / (double)w.njobs;
	sim_workload_fini(&w);
	return us;
}

static int find_bounds(struct beyond_study *s, struct libra_error *err)
{
	struct beyond_point at = {0};

	do {
		double *bound = &s->bound[at.model][at.delay][at.urgent];

		*bound = 0;
		for (size_t i = 0; i < s->paper.run->nseeds; i++) {
			struct sim_scenario sc = scenario(at);
			struct sim_workload w;

			sc.seed = s->paper.run->seeds[i];
			if (sim_workload_make(&w, &s->paper.source.trace, &sc,
					      err) < 0)
				return -1;
			*bound += sim_fluid_bound_pct(&w) /
				  (double)s->paper.run->nseeds;
			sim_workload_fini(&w);
		}
	} while (next_point(&at) && at.execution == 0);
	return 0;
}

static int run_log(struct beyond_study *s, int log, struct resume *resume,
		   struct libra_error *err)
{
	const struct beyond_log *l = &beyond_logs[log];
	struct swf_trace trace;
	char *path = NULL;
	int rc;

	if (s->paper.source.synthetic || s->paper.run->trace_option ||
	    sim_trace_find(NULL, l->file, &path, err) < 0 || !path)
		return 0;
	rc = swf_read(&trace, path, err);
	if (rc == 0)
		rc = swf_sha256(path, s->log_sha256[log], err);
	free(path);
	if (rc < 0)
		return -1;
	join_processors(&trace, l->unit);
	rc = resume_run(resume, &s->logs[log], &trace, s->log_sha256[log],
			s->paper.run->workers, err);
	s->have_log[log] = rc == 0;
	if (rc == 0 && strcmp(l->name, "CTC SP2") == 0)
		s->cost_us[1] = cost_us(&trace, LAST_LOG_JOBS, 0.3, err);
	swf_fini(&trace);
	return rc;
}

static int measure(void *study, struct libra_error *err)
{
	struct beyond_study *s = study;
	struct resume resume = {
		.progress = s->paper.run->progress,
		.arg = s->paper.run->progress_arg,
		.total = s->study.ncells * s->paper.run->nseeds,
	};
	char *path = NULL;
	int rc;

	for (int log = 0; log < BEYOND_NLOGS; log++)
		resume.total += s->logs[log].ncells * s->paper.run->nseeds;
	if (asprintf(&path, "%s/" KEPT, s->paper.run->dir) < 0)
		return libra_errf(err, ENOMEM, "out of memory");
	resume.path = path;
	s->cost_us[0] = cost_us(&s->paper.source.trace, LAST_JOBS, 0.1, err);
	s->cost_us[1] = NAN;
	rc = resume_run(&resume, &s->study, &s->paper.source.trace,
			s->paper.source.sha256, s->paper.run->workers, err);
	for (int log = 0; rc == 0 && log < BEYOND_NLOGS; log++)
		rc = run_log(s, log, &resume, err);
	if (rc == 0)
		rc = find_bounds(s, err);
	if (rc == 0 && s->paper.run->progress)
		s->paper.run->progress(s->paper.run->progress_arg, resume.total,
				       resume.total);
	free(path);
	return rc;
}

static void forget_kept(void *study)
{
	const struct beyond_study *s = study;
	char *path;

	if (asprintf(&path, "%s/" KEPT, s->paper.run->dir) < 0)
		return;
	unlink(path);
	free(path);
}

/* ---- the summary ---- */

static void summarize(const void *study, struct out_table *t)
{
	const struct beyond_study *s = study;

	for (int p = 0; p <= BEYOND_NPOLICIES; p++) {
		bool bound = p == BEYOND_NPOLICIES;

		out_table_cell(t, "%s",
			       bound ? "fluid bound" : beyond_titles[p]);
		for (int i = 0; i < 9; i++) {
			struct beyond_point at = {1, i / 3, i % 3, 0};

			out_table_number(
				t, 1,
				bound ? s->bound[at.model][at.delay][0]
				      : beyond_value(s, p, at,
						     BEYOND_FULFILLED));
		}
	}
}

static void fini(void *study)
{
	struct beyond_study *s = study;

	study_fini(&s->study);
	for (int log = 0; log < BEYOND_NLOGS; log++)
		study_fini(&s->logs[log]);
	for (int v = 0; v < BEYOND_NVARIANTS; v++)
		free(s->params[v]);
}

static const struct out_column columns[] = {
	{"fulfilled %, parts coupled", OUT_LEFT},
	BEYOND_COLUMNS,
};

static const struct sim_paper_steps steps = {
	.size = sizeof(struct beyond_study),
	.set_up = set_up,
	.measure = measure,
	.claims = beyond_claims,
	.nclaims = BEYOND_NCLAIMS,
	.npictures = BEYOND_NMODELS,
	.draw = beyond_draw,
	.files = beyond_files,
	.nfiles = BEYOND_NFILES,
	.headline = "Promises that hold, for jobs whose parts run together",
	.write_page = beyond_write_page,
	.write_readings = beyond_write_readings,
	.written = forget_kept,
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.summarize = summarize,
	.fini = fini,
};

const struct sim_paper sim_paper_beyond = {
	.name = "beyond",
	.title = "Beyond LibraRisk: promises that hold, for jobs whose parts "
		 "run together",
	.citation = "this project's own study, see docs/beyond.md",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.steps = &steps,
};
