/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traces.c - a study's logs, and the runs on them. */
#include "sim/paper/traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/log/synth.h"
#include "sim/log/trace_find.h"
#include "sim/log/trace_stats.h"
#include "sim/study/checkpoint.h"

#define DAY_S	86400.0
#define MONTH_D 30.4

/* The paper's own log, and others. */
size_t sim_paper_ntraces(const struct sim_paper_study *s)
{
	return 1 + s->paper->nlogs;
}

/* The synthetic log is one and the same, whatever the seeds. */
#define SYNTHETIC_SEED 1

/* Takes the path. */
static int read_swf(struct swf_trace *trace, char *path, char sha256[65],
		    struct libra_error *err)
{
	int rc = swf_read(trace, path, err);

	if (rc == 0)
		rc = swf_sha256(path, sha256, err);
	free(path);
	return rc;
}

/* Find and read the paper's log, or make a synthetic one. */
static int find_log(struct sim_paper_study *s, struct libra_error *err)
{
	struct sim_paper_log *log = &s->source;
	char *path = NULL;

	if (sim_trace_find(s->run->trace_option, s->paper->trace, &path, err) <
	    0)
		return -1;
	log->synthetic = !path;
	if (!path)
		return synth_trace(&log->trace, SYNTHETIC_SEED, err);
	return read_swf(&log->trace, path, log->sha256, err);
}

/* All but utilization and the machine are of the records that are used. */
static void set_numbers(struct sim_paper_study *s, const struct trace_stats *of,
			const struct trace_stats *whole)
{
	const struct design_value numbers[] = {
		{"records", (double)of->records},
		{"span_days", of->span_s / DAY_S},
		{"span_months", of->span_s / DAY_S / MONTH_D},
		{"gap_s", of->mean_gap_s},
		{"run_s", of->mean_run_s},
		{"procs", of->mean_procs},
		{"largest", of->max_procs},
		/* The papers give it for the whole log. */
		{"utilization_pct", 100 * whole->utilization},
		{"ran", (double)of->ran},
		{"over_pct", 100 * of->over_share},
		{"over_4_pct", 100 * of->over_4},
		{"over_16_pct", 100 * of->over_16},
		{"ratio_median", of->ratio[0]},
		{"ratio_75", of->ratio[1]},
		{"ratio_90", of->ratio[2]},
		{"ratio_most", of->ratio[3]},
		{"overruns", (double)of->overruns},
		{"overruns_pct",
		 100.0 * (double)of->overruns / (double)of->ran},
		{"overrun_s", of->overrun_max_s},
		{"overrun_ratio", of->overrun_max_ratio},
		{"machine", swf_procs(&s->source.trace)},
		{"synthetic", s->source.synthetic},
	};

	for (size_t i = 0; i < DESIGN_COUNT(numbers); i++)
		sim_paper_set(s, numbers[i].name, numbers[i].value);
}

int sim_paper_read_log(struct sim_paper_study *s, struct libra_error *err)
{
	struct trace_stats of, whole;

	if (find_log(s, err) < 0 ||
	    trace_stats(&s->source.trace, s->paper->last, &of, err) < 0 ||
	    trace_stats(&s->source.trace, 0, &whole, err) < 0)
		return -1;
	set_numbers(s, &of, &whole);
	return 0;
}

/* Some processors of a log are one here. */
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

static int run_trace(struct sim_paper_study *s, size_t i,
		     const struct swf_trace *trace, struct checkpoint *c,
		     struct libra_error *err)
{
	if (checkpoint_run(c, &s->designs.studies[i], trace, s->sha256[i],
			   s->run->workers, err) < 0)
		return -1;
	if (s->paper->ran)
		s->paper->ran(s, i, trace);
	return 0;
}

/* Other logs are run only with the paper's own log. */
static int run_other(struct sim_paper_study *s, size_t i, struct checkpoint *c,
		     struct libra_error *err)
{
	const struct sim_paper_other_log *log = &s->paper->logs[i - 1];
	struct swf_trace trace;
	char *path = NULL;
	int rc;

	if (s->source.synthetic || s->run->trace_option ||
	    sim_trace_find(NULL, log->file, &path, err) < 0 || !path) {
		s->missing++;
		return 0;
	}
	if (read_swf(&trace, path, s->sha256[i], err) < 0)
		return -1;
	if (log->unit > 1)
		join_processors(&trace, log->unit);
	rc = run_trace(s, i, &trace, c, err);
	swf_fini(&trace);
	return rc;
}

/* Where results so far are kept. */
static char *kept_path(const struct sim_paper_study *s)
{
	char *path;

	return asprintf(&path, "%s/.runs", s->run->dir) < 0 ? NULL : path;
}

/* Run the cells of each trace whose log is there. */
static int run_all(struct sim_paper_study *s, struct libra_error *err)
{
	struct checkpoint c = {.progress = s->run->progress,
			       .arg = s->run->progress_arg};
	char *path = s->paper->resumes ? kept_path(s) : NULL;
	int rc;

	if (s->paper->resumes && !path)
		return sim_no_memory(err);
	c.path = path;
	c.folder = s->run->dir;
	for (size_t i = 0; i < sim_paper_ntraces(s); i++)
		c.total += s->designs.studies[i].ncells * s->run->nseeds;
	strcpy(s->sha256[0], s->source.sha256);
	rc = run_trace(s, 0, &s->source.trace, &c, err);
	for (size_t i = 1; rc == 0 && i < sim_paper_ntraces(s); i++)
		rc = run_other(s, i, &c, err);
	free(path);
	return rc;
}

void sim_paper_forget(const struct sim_paper_study *s)
{
	char *path = kept_path(s);

	if (path)
		unlink(path);
	free(path);
}

int sim_paper_measure(struct sim_paper_study *s, struct libra_error *err)
{
	const struct sim_paper *paper = s->paper;
	const struct sim_paper_run *run = s->run;
	int rc = paper->measure ? paper->measure(s, err) : run_all(s, err);

	sim_paper_set(s, "missing", (double)s->missing);
	if (rc == 0 && paper->derive)
		rc = paper->derive(s, err);
	if (rc == 0 && run->progress)
		run->progress(run->progress_arg, 1, 1);
	return rc;
}
