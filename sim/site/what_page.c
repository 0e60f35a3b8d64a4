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

static void wait_direction_cells(struct out_table *t,
				 const struct what_waits *w,
				 const struct what_waits *was)
{
	out_table_cell(t, "%s", what_wait_direction(w->mean_s, was->mean_s));
	out_table_cell(t, "%s", what_wait_direction(w->p50_s, was->p50_s));
	out_table_cell(t, "%s", what_wait_direction(w->p90_s, was->p90_s));
	out_table_cell(t, "%s", what_wait_direction(w->p99_s, was->p99_s));
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

	if (g->n == 0 || (g->n == 1 && g->list[0].number < 0))
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

/* Of a log without waits, what was simulated. */
static int sizes_table(FILE *fp, const struct what *w)
{
	static const struct out_column columns[] = {
		{"processors", OUT_LEFT},
		{"jobs", OUT_RIGHT},
		{"simulated: mean", OUT_RIGHT},
		{"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},
		{"99 %", OUT_RIGHT},
		{"measured: mean", OUT_RIGHT},
		{"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},
		{"99 %", OUT_RIGHT},
	};
	const struct what_run *m = &w->replay->measured;
	const struct what_run *s = what_simulated(w);
	struct out_table t;

	out_table_init(&t, columns, m->waits.n > 0 ? 10 : 6);
	for (size_t i = 0; i <= WHAT_SIZES; i++) {
		bool all = i == WHAT_SIZES;
		const struct what_waits *waits =
			all ? &m->waits : &m->by_size[i];

		out_table_cell(&t, "%s", all ? "all" : site_size_names[i]);
		waits_cells(&t, all ? &s->waits : &s->by_size[i]);
		if (m->waits.n == 0)
			continue;
		time_cell(&t, waits->mean_s);
		time_cell(&t, waits->p50_s);
		time_cell(&t, waits->p90_s);
		time_cell(&t, waits->p99_s);
	}
	return put_table(fp, "Waits by size", &t, true);
}

static int scenarios_table(FILE *fp, const struct what_page *p)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	      {"processors", OUT_RIGHT},
		{"jobs", OUT_RIGHT},	      {"mean wait", OUT_RIGHT},
		{"half", OUT_RIGHT},	      {"90 %", OUT_RIGHT},
		{"99 %", OUT_RIGHT},	      {"slowdown", OUT_RIGHT},
		{"utilization %", OUT_RIGHT}, {"ended early", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];

		out_table_cell(&t, "%s", p->plan->list[i].name);
		out_table_cell(&t, "%" PRIu32, r->procs);
		waits_cells(&t, &r->waits);
		out_table_number(&t, 2, r->slowdown);
		out_table_number(&t, 1, r->utilization_pct);
		out_table_cell(&t, "%zu", r->ended);
	}
	return put_table(fp, "Scenarios", &t, true);
}

/* Where the replay is far off, figures would mislead. */
static int directions_table(FILE *fp, const struct what_page *p)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	  {"processors", OUT_RIGHT},
		{"mean wait", OUT_RIGHT}, {"half", OUT_RIGHT},
		{"90 %", OUT_RIGHT},	  {"99 %", OUT_RIGHT},
		{"slowdown", OUT_RIGHT},  {"utilization", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 1; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];
		const struct what_run *was = &p->what->was[i];

		out_table_cell(&t, "%s", p->plan->list[i].name);
		out_table_cell(&t, "%" PRIu32, r->procs);
		wait_direction_cells(&t, &r->waits, &was->waits);
		out_table_cell(&t, "%s",
			       what_direction(r->slowdown, was->slowdown));
		out_table_cell(&t, "%s",
			       what_direction(r->utilization_pct,
					      was->utilization_pct));
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

static const char *const measure_names[WHAT_MEASURES] = {
	"mean wait", "median wait", "90th percentile of the waits", "slowdown",
	"rank correlation of the waits"};

/* What a verdict means for the scenarios. */
static const char *judged(enum what_verdict verdict)
{
	switch (verdict) {
	case WHAT_NEAR:
		return "That is near: differences between the scenarios that "
		       "are larger than this one mean something.";
	case WHAT_ROUGH:
		return "Take the scenarios as a direction, not as numbers.";
	default:
		return "That is far off: something that is not simulated ruled "
		       "the waits (priorities, partitions, reservations, nodes "
		       "out of service; see --partition and --capacity). Do "
		       "not trust the scenarios; only their directions are "
		       "shown.";
	}
}

/* How far to believe the scenarios. */
static void trust_notice(FILE *fp, const struct what *w)
{
	struct what_trust trust = what_trust(w);
	char text[600];

	if (trust.verdict == WHAT_UNKNOWN) {
		report_notice(
			fp, "Nothing to compare with:",
			"the log has no waits, so nobody can say how near "
			"the simulation comes.");
		return;
	}
	snprintf(text, sizeof(text),
		 "of five measures of the same %zu jobs the replay is worst in "
		 "the %s: its nearness is %.2f, where 1 is alike. %s",
		 w->replay->measured.waits.n, measure_names[trust.worst],
		 trust.worst_nearness, judged(trust.verdict));
	report_notice(fp, "How far to trust this:", text);
}

/* The five measures, of which the worst decides. */
static int trust_table(FILE *fp, const struct what *w)
{
	static const struct out_column columns[] = {
		{"measure", OUT_LEFT},	  {"measured", OUT_RIGHT},
		{"simulated", OUT_RIGHT}, {"nearness", OUT_RIGHT},
		{"that is", OUT_LEFT},
	};
	const struct what_run *runs[] = {&w->replay->measured,
					 &w->replay->simulated};
	struct what_trust trust = what_trust(w);
	struct out_table t;

	if (trust.verdict == WHAT_UNKNOWN)
		return 0;
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < WHAT_MEASURES; i++) {
		out_table_cell(&t, "%s", measure_names[i]);
		for (size_t k = 0; k < 2; k++) {
			const struct what_waits *waits = &runs[k]->waits;
			const double s[] = {waits->mean_s, waits->p50_s,
					    waits->p90_s};

			if (i < WHAT_SLOWDOWN)
				time_cell(&t, s[i]);
			else
				out_table_number(&t, 2,
						 i == WHAT_SLOWDOWN
							 ? runs[k]->slowdown
							 : NAN);
		}
		out_table_number(&t, 2, trust.nearness[i]);
		out_table_cell(
			&t, "%s",
			what_verdict_name(what_verdict(trust.nearness[i])));
	}
	report_text(fp, "Nearness is the smaller of two values divided by the "
			"larger one; a wait below a minute counts as a "
			"minute. Nearness in rank is Spearman's correlation: "
			"whether the same jobs wait long. Above 0.67 is near, "
			"above 0.33 rough, the rest far.");
	return put_table(fp, "How near", &t, true);
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
	if (p->what->measured_jobs > 0 &&
	    p->what->replay->measured.waits.n < r->waits.n)
		report_text(fp,
			    "%zu of its %zu jobs have no wait in the log; "
			    "below are the others, simulated and measured.",
			    r->waits.n - p->what->replay->measured.waits.n,
			    r->waits.n);
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

static void happened_text(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;

	if (w->measured_jobs > 0)
		report_text(fp,
			    "%zu jobs in %.0f days on %" PRIu32
			    " processors, %.1f %% of them used until the last "
			    "arrival. Half of the jobs waited less than %.0f "
			    "s, one in ten more than %.1f h.",
			    w->measured_jobs, w->span_s / 86400,
			    w->measured.procs, w->measured.utilization_pct,
			    w->measured.waits.p50_s,
			    w->measured.waits.p90_s / 3600);
	else
		report_text(fp,
			    "%zu jobs in %.0f days on %" PRIu32
			    " processors. The log has no waits: nobody knows "
			    "when its jobs started, and how much of the "
			    "machine was used.",
			    p->trace->nrecords - w->unrun, w->span_s / 86400,
			    w->measured.procs);
	if (w->unrun > 0)
		report_text(fp,
			    "%zu records of the log are not among them: they "
			    "never ran, or have no processors.",
			    w->unrun);
}

/* Scenarios with a smaller machine, beside the same jobs as it was. */
static void left_out_text(FILE *fp, const struct what_page *p)
{
	bool far = what_trust(p->what).verdict == WHAT_FAR;

	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *was = &p->what->was[i];

		if (p->what->runs[i].left_out == 0)
			continue;
		report_text(fp,
			    "%s: %zu jobs are larger than its machine and left "
			    "out.%s",
			    p->plan->list[i].name, p->what->runs[i].left_out,
			    was->waits.n == 0 ? " No job is left." : "");
		if (was->waits.n > 0 && !far)
			report_text(fp,
				    "The other %zu jobs alone, as it was: mean "
				    "wait %.2f h, half below %.2f h, 90 %% "
				    "below %.2f h, slowdown %.2f. Compare %s "
				    "with these.",
				    was->waits.n, was->waits.mean_s / 3600,
				    was->waits.p50_s / 3600,
				    was->waits.p90_s / 3600, was->slowdown,
				    p->plan->list[i].name);
	}
}

/* The jobs that are promised. */
static void promises_text(FILE *fp, const struct what_page *p)
{
	const struct swf_record *last =
		&p->trace->records[p->trace->nrecords - 1];
	const struct swf_record *first = last + 1 - p->what->month_records;

	report_text(fp,
		    "The last %zu records of the log are tried (those of its "
		    "last 30 days, at most as many as --promise-jobs says): "
		    "they were submitted in its last %.1f days. Each job asks "
		    "at its arrival for an end within so many times its limit. "
		    "Kept are the promises whose jobs ended in time.",
		    p->what->month_records,
		    (last->submit_s - first->submit_s) / 86400);
}

static void when_text(FILE *fp, const struct what_page *p)
{
	const struct when *when = p->when;

	report_text(fp,
		    "95 %% of the waits of a class were below its bound, with "
		    "a confidence of 95 %%.");
	if (when->bounds == 0) {
		report_text(fp, "The log has too few waits for a bound.");
		return;
	}
	report_text(fp,
		    "Tried on every job of this log with what was known at its "
		    "arrival, such bounds held for %.2f %% of %zu jobs. These "
		    "are of the %zu records that have a wait, whether they ran "
		    "or not; for %zu too few waits were known.",
		    100 * (double)when->kept / (double)when->bounds,
		    when->bounds, when->jobs, when->jobs - when->bounds);
}

static int write_happened(FILE *fp, const struct what_page *p,
			  struct libra_error *err)
{
	const struct what *w = p->what;

	report_section(fp, "happened", "What happened");
	happened_text(fp, p);
	if (groups_table(fp, "partition", &w->partitions, &p->trace->partitions,
			 true) < 0 ||
	    groups_table(fp, "queue", &w->queues, &p->trace->queues, true) <
		    0 ||
	    groups_table(fp, "account", &w->accounts, NULL, false) < 0 ||
	    groups_table(fp, "user", &w->users, NULL, false) < 0)
		return sim_no_memory(err);
	if (w->limited > 0)
		report_text(
			fp,
			"Limits: half of the jobs ran for less than %.0f %% of "
			"theirs, a quarter for less than %.0f %%, nine in ten "
			"for less than %.0f %%.",
			100 * w->limit_used[2], 100 * w->limit_used[1],
			100 * w->limit_used[4]);
	else
		report_text(fp, "No job of the log has a limit.");
	if (what_log_figures(fp, p, err) < 0)
		return -1;
	report_section(fp, "replay", "What the simulator says of the same");
	trust_notice(fp, w);
	replay_text(fp, p);
	if (trust_table(fp, w) < 0 || sizes_table(fp, w) < 0)
		return sim_no_memory(err);
	return what_replay_figures(fp, w, err);
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
	if (rc == 0 && (what_trust(p->what).verdict == WHAT_FAR
				? directions_table(fp, p)
				: scenarios_table(fp, p)) < 0)
		rc = sim_no_memory(err);
	left_out_text(fp, p);
	if (rc == 0 && p->what->npromises > 0) {
		report_section(fp, "promises", "What could have been promised");
		promises_text(fp, p);
		if (promises_table(fp, p->what) < 0)
			rc = sim_no_memory(err);
	}
	if (rc == 0 && p->when) {
		report_section(fp, "when", "When will it start?");
		when_text(fp, p);
		if (when_table(fp, p) < 0)
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
