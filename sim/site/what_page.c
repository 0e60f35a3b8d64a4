/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_page.c - a what-if study as a page. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"
#include "sim/output/table.h"
#include "sim/report/report.h"
#include "sim/site/measure.h"
#include "sim/site/what_parts.h"

enum { GROUPS_SHOWN = 12 };

/* ---- what is shown ---- */

/* Print a table, and end it.  Result: 0, or -1 if cells of it are missing. */
static int put_table(FILE *fp, const char *title, struct out_table *t,
		     bool open)
{
	bool failed = t->failed;

	report_table(fp, title, t, open);
	out_table_fini(t);
	return failed ? -1 : 0;
}

/* Durations for people. */
static void time_cell(struct out_table *t, double s)
{
	if (!isfinite(s))
		out_table_cell(t, "-");
	else if (s < 120)
		out_table_cell(t, "%.0f s", s);
	else if (s < 7200)
		out_table_cell(t, "%.0f min", s / 60);
	else
		out_table_cell(t, "%.1f h", s / 3600);
}

static void waits_cells(struct out_table *t, const struct what_waits *w)
{
	out_table_cell(t, "%zu", w->n);
	time_cell(t, w->mean_s);
	time_cell(t, w->p50_s);
	time_cell(t, w->p90_s);
	time_cell(t, w->p99_s);
}

static int groups_table(FILE *fp, const char *title,
			const struct what_groups *g,
			const struct swf_names *names, bool open)
{
	const struct out_column columns[] = {
		{title, OUT_LEFT},	  {"jobs", OUT_RIGHT},
		{"mean wait", OUT_RIGHT}, {"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},	  {"99 %", OUT_RIGHT},
		{"work %", OUT_RIGHT},
	};
	struct out_table t;
	char buf[40];

	if (g->n < 2 && g->n > 0 && g->list[0].number < 0)
		return 0;
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < g->n && i < GROUPS_SHOWN; i++) {
		out_table_cell(&t, "%s",
			       what_name(names, g->list[i].number, buf));
		waits_cells(&t, &g->list[i].waits);
		out_table_number(&t, 1, g->list[i].work_pct);
	}
	return put_table(fp, title, &t, open);
}

static int sizes_table(FILE *fp, const struct what *w)
{
	static const struct out_column columns[] = {
		{"processors", OUT_LEFT},
		{"jobs", OUT_RIGHT},
		{"measured: mean", OUT_RIGHT},
		{"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},
		{"99 %", OUT_RIGHT},
		{"simulated: mean", OUT_RIGHT},
		{"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},
		{"99 %", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i <= WHAT_SIZES; i++) {
		bool all = i == WHAT_SIZES;
		const struct what_waits *m =
			all ? &w->measured.waits : &w->measured.by_size[i];
		const struct what_waits *s =
			all ? &w->runs[0].waits : &w->runs[0].by_size[i];

		out_table_cell(&t, "%s", all ? "all" : site_size_names[i]);
		waits_cells(&t, m);
		time_cell(&t, s->mean_s);
		time_cell(&t, s->p50_s);
		time_cell(&t, s->p90_s);
		time_cell(&t, s->p99_s);
	}
	return put_table(fp, "Waits by size", &t, true);
}

static int scenarios_table(FILE *fp, const struct what_page *p)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	    {"processors", OUT_RIGHT},
		{"mean wait", OUT_RIGHT},   {"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},	    {"99 %", OUT_RIGHT},
		{"slowdown", OUT_RIGHT},    {"utilization %", OUT_RIGHT},
		{"ended early", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];

		out_table_cell(&t, "%s", p->plan->list[i].name);
		out_table_cell(&t, "%" PRIu32, r->procs);
		time_cell(&t, r->waits.mean_s);
		time_cell(&t, r->waits.p50_s);
		time_cell(&t, r->waits.p90_s);
		time_cell(&t, r->waits.p99_s);
		out_table_number(&t, 2, r->slowdown);
		out_table_number(&t, 1, r->utilization_pct);
		out_table_cell(&t, "%zu", r->ended);
	}
	return put_table(fp, "Scenarios", &t, true);
}

static int promises_table(FILE *fp, const struct what *w)
{
	static const struct out_column columns[] = {
		{"policy", OUT_LEFT},	      {"within", OUT_RIGHT},
		{"jobs", OUT_RIGHT},	      {"promised %", OUT_RIGHT},
		{"of the work %", OUT_RIGHT}, {"kept %", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < w->npromises; i++) {
		const struct what_promise *pr = &w->promises[i];

		out_table_cell(&t, "%s", pr->policy);
		out_table_cell(&t, "%g limits", pr->factor);
		out_table_cell(&t, "%zu", pr->jobs);
		out_table_number(&t, 1,
				 100 * (double)pr->promised / (double)pr->jobs);
		out_table_number(&t, 1, pr->work_pct);
		out_table_number(&t, 2,
				 100 * (double)pr->kept / (double)pr->promised);
	}
	return put_table(fp, "Promises", &t, true);
}

static int when_table(FILE *fp, const struct what_page *p)
{
	static const struct out_column columns[] = {
		{"partition", OUT_LEFT},   {"queue", OUT_LEFT},
		{"processors", OUT_LEFT},  {"jobs", OUT_RIGHT},
		{"half below", OUT_RIGHT}, {"95 % below", OUT_RIGHT},
		{"held %", OUT_RIGHT},
	};
	struct out_table t;
	char buf[40];

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->when->n; i++) {
		const struct when_class *c = &p->when->classes[i];

		out_table_cell(
			&t, "%s",
			what_name(&p->trace->partitions, c->partition, buf));
		out_table_cell(&t, "%s",
			       what_name(&p->trace->queues, c->queue, buf));
		out_table_cell(&t, "%s", when_size_name(p->when, c));
		out_table_cell(&t, "%zu", c->jobs);
		time_cell(&t, c->median_s);
		time_cell(&t, c->bound_s);
		out_table_number(&t, 2,
				 100 * (double)c->kept / (double)c->bounds);
	}
	return put_table(fp, "Bounds by class", &t, p->when->n <= GROUPS_SHOWN);
}

/* ---- the page ---- */

/* How far to believe the scenarios. */
static void trust_notice(FILE *fp, const struct what *w)
{
	double ratio = what_trust(w);
	char text[400];
	const char *judged =
		"Take the scenarios as a direction, not as numbers.";

	if (!isfinite(ratio)) {
		report_notice(
			fp, "Nothing to compare with:",
			"the log has no waits, so nobody can say how near "
			"the simulation comes.");
		return;
	}
	if (ratio > 2.0 / 3 && ratio < 1.5)
		judged = "That is near: differences between the scenarios that "
			 "are larger than this one mean something.";
	else if (ratio < 1.0 / 3 || ratio > 3)
		judged = "That is far off: something that is not simulated "
			 "ruled the waits (priorities, partitions, "
			 "reservations, nodes out of service; see --partition "
			 "and --capacity). Do not trust the scenarios.";
	snprintf(text, sizeof(text),
		 "the simulated mean wait is %.2f times the measured one (half "
		 "of the jobs: %.0f s simulated, %.0f s measured). %s",
		 ratio, w->runs[0].waits.p50_s, w->measured.waits.p50_s,
		 judged);
	report_notice(fp, "How far to trust this:", text);
}

/* What the simulation is made of, and what is not in it. */
static void replay_text(FILE *fp, const struct what_page *p)
{
	const struct site_parts *parts = p->parts;
	const struct what_run *r = &p->what->runs[0];

	if (parts)
		report_text(fp,
			    "The same jobs with the processors that they got, "
			    "under EASY: %zu partitions on %zu machine%s of "
			    "their own, each with one queue; limits are within "
			    "those of the partitions. No priorities or "
			    "reservations.",
			    parts->n, parts->nmachines,
			    parts->nmachines == 1 ? "" : "s");
	else
		report_text(fp, "The same jobs with the processors that they "
				"got, in one queue under EASY: no priorities, "
				"partitions or reservations.");
	if (p->what->unplaced > 0)
		report_text(fp,
			    "%zu jobs are not in it: nobody knows their "
			    "partitions.",
			    p->what->unplaced);
	if (r->too_large > 0)
		report_text(fp,
			    "%zu jobs are not in it: they are larger than "
			    "their machine.",
			    r->too_large);
}

static int write_happened(FILE *fp, const struct what_page *p,
			  struct libra_error *err)
{
	const struct what *w = p->what;

	report_section(fp, "happened", "What happened");
	report_text(fp,
		    "%zu jobs in %.0f days on %" PRIu32
		    " processors, %.1f %% of them used until the last arrival. "
		    "Half of the jobs waited less than %.0f s, one in ten more "
		    "than %.1f h.",
		    w->measured_jobs, w->span_s / 86400, w->measured.procs,
		    w->measured.utilization_pct, w->measured.waits.p50_s,
		    w->measured.waits.p90_s / 3600);
	if (groups_table(fp, "partition", &w->partitions, &p->trace->partitions,
			 true) < 0 ||
	    groups_table(fp, "queue", &w->queues, &p->trace->queues, true) <
		    0 ||
	    groups_table(fp, "account", &w->accounts, NULL, false) < 0 ||
	    groups_table(fp, "user", &w->users, NULL, false) < 0)
		return sim_no_memory(err);
	report_text(fp,
		    "Limits: half of the jobs ran for less than %.0f %% of "
		    "theirs, a quarter for less than %.0f %%, nine in ten for "
		    "less than %.0f %%.",
		    100 * w->limit_used[2], 100 * w->limit_used[1],
		    100 * w->limit_used[4]);
	if (what_log_figures(fp, p, err) < 0)
		return -1;
	report_section(fp, "replay", "What the simulator says of the same");
	trust_notice(fp, w);
	replay_text(fp, p);
	if (sizes_table(fp, w) < 0)
		return sim_no_memory(err);
	return what_replay_figures(fp, p, err);
}

static int write_page(FILE *fp, const struct what_page *p,
		      struct libra_error *err)
{
	const char *computer = p->trace->computer;
	int rc;

	report_open(fp, computer ? computer : "A log of jobs",
		    "What happened, and what if");
	rc = write_happened(fp, p, err);
	report_section(fp, "scenarios", "What if");
	report_text(fp, "The simulation again, with one thing changed. "
			"Slowdown is the mean of (wait + run time) / run time, "
			"both at least 10 s; a limit that is capped ends the "
			"jobs that would run longer.");
	if (rc == 0 && scenarios_table(fp, p) < 0)
		rc = sim_no_memory(err);
	report_section(fp, "promises", "What could have been promised");
	report_text(fp, "Of the last month's jobs (at most so many as shown), "
			"each asks at its arrival for an end within so many "
			"times its limit. Kept are the promises whose jobs "
			"ended in time.");
	if (rc == 0 && promises_table(fp, p->what) < 0)
		rc = sim_no_memory(err);
	if (p->when) {
		report_section(fp, "when", "When will it start?");
		report_text(
			fp,
			"95 %% of the waits of a class were below its "
			"bound, with a confidence of 95 %%. Tried on every "
			"job of this log with what was known at its "
			"arrival, such bounds held for %.2f %% of %zu jobs.",
			p->when->bounds ? 100 * (double)p->when->kept /
						  (double)p->when->bounds
					: 0,
			p->when->bounds);
		if (rc == 0 && when_table(fp, p) < 0)
			rc = sim_no_memory(err);
	}
	report_close(fp, p->command);
	return rc;
}

int what_page_write(const struct what_page *page, const char *folder,
		    struct libra_error *err)
{
	static const char *const names[] = {
		"waits.csv",	 "usage.csv",	 "limits.csv",
		"scenarios.csv", "promises.csv", "when.csv",
		"figures.csv",	 "what-if.json", "index.html"};
	FILE *fp[sizeof(names) / sizeof(names[0])];
	struct out_set set;
	int rc = out_set_init(&set, folder, err);

	if (rc < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(names[0]); i++)
		if (!(fp[i] = out_set_open(&set, names[i], err)))
			rc = -1;
	if (rc == 0) {
		what_write_waits(fp[0], page);
		what_write_usage(fp[1], page->what);
		what_write_limits(fp[2], page->what);
		what_write_scenarios(fp[3], page);
		what_write_promises(fp[4], page->what);
		what_write_when(fp[5], page->when);
		what_write_json(fp[7], page);
		rc = what_figures_csv(fp[6], page, err);
		if (rc == 0)
			rc = write_page(fp[8], page, err);
	}
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}
