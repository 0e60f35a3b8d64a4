/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_page.c - tables and figures of a what-if study. */
#include "sim/site/what_page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/version.h"
#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/report/plot.h"
#include "sim/report/report.h"
#include "sim/site/gantt.h"
#include "sim/site/measure.h"
#include "sim/site/pictures.h"

enum { GROUPS_SHOWN = 12, GANTT_DAYS = 7 };

/* ---- what is shown ---- */

static const char *name_of(const struct swf_names *names, int32_t number,
			   char buf[40])
{
	for (size_t i = 0; names && i < names->n; i++)
		if (names->list[i].number == number) {
			snprintf(buf, 40, "%.39s", names->list[i].name);
			return buf;
		}
	snprintf(buf, 40, number < 0 ? "-" : "%" PRId32, number);
	return buf;
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

static void groups_table(FILE *fp, const char *title,
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
		return;
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < g->n && i < GROUPS_SHOWN; i++) {
		out_table_cell(&t, "%s",
			       name_of(names, g->list[i].number, buf));
		waits_cells(&t, &g->list[i].waits);
		out_table_number(&t, 1, g->list[i].work_pct);
	}
	report_table(fp, title, &t, open);
	out_table_fini(&t);
}

static void sizes_table(FILE *fp, const struct what *w)
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
	report_table(fp, "Waits by size", &t, true);
	out_table_fini(&t);
}

static void scenarios_table(FILE *fp, const struct what_page *p)
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
	report_table(fp, "Scenarios", &t, true);
	out_table_fini(&t);
}

static void promises_table(FILE *fp, const struct what *w)
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
	report_table(fp, "Promises", &t, true);
	out_table_fini(&t);
}

static void when_table(FILE *fp, const struct what_page *p)
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
			name_of(&p->trace->partitions, c->partition, buf));
		out_table_cell(&t, "%s",
			       name_of(&p->trace->queues, c->queue, buf));
		out_table_cell(&t, "%s", when_size_name(p->when, c));
		out_table_cell(&t, "%zu", c->jobs);
		time_cell(&t, c->median_s);
		time_cell(&t, c->bound_s);
		out_table_number(&t, 2,
				 100 * (double)c->kept / (double)c->bounds);
	}
	report_table(fp, "Bounds by class", &t, p->when->n <= GROUPS_SHOWN);
	out_table_fini(&t);
}

/* ---- figures ---- */

static int figure(FILE *fp, const struct plot *plot, const char *caption,
		  struct libra_error *err)
{
	char *svg = NULL;

	if (plot_svg(plot, &svg, err) < 0)
		return -1;
	report_figure(fp, caption, svg);
	free(svg);
	return 0;
}

static int over_time(FILE *fp, const struct what *w, const char *id,
		     const char *ylabel, const double *measured,
		     const double *simulated, double ymax, const char *caption,
		     struct libra_error *err)
{
	double day[WHAT_BUCKETS];
	const struct plot_series series[] = {
		{.name = "measured",
		 .x = day,
		 .y = measured,
		 .n = WHAT_BUCKETS,
		 .style = 0},
		{.name = "simulated",
		 .x = day,
		 .y = simulated,
		 .n = WHAT_BUCKETS,
		 .style = 1},
	};
	const struct plot plot = {
		.id = id,
		.title = caption,
		.xlabel = "day",
		.ylabel = ylabel,
		.kind = PLOT_STEPS,
		.xmin = 0,
		.xmax = w->span_s / 86400,
		.ymin = 0,
		.ymax = ymax,
		.series = series,
		.nseries = 2,
		.key = true,
		.width = 560,
		.height = 270,
	};

	for (size_t i = 0; i < WHAT_BUCKETS; i++)
		day[i] = ((double)i + 0.5) * w->bucket_s / 86400;
	return figure(fp, &plot, caption, err);
}

static int waits_figure(FILE *fp, const struct what *w, struct libra_error *err)
{
	double part[WHAT_POINTS], measured[WHAT_POINTS], run[WHAT_POINTS];
	const struct plot_series series[] = {
		{.name = "measured",
		 .x = measured,
		 .y = part,
		 .n = WHAT_POINTS,
		 .style = 0},
		{.name = "simulated",
		 .x = run,
		 .y = part,
		 .n = WHAT_POINTS,
		 .style = 1},
	};
	const struct plot plot = {
		.id = "waits",
		.title = "Waits",
		.xlabel = "wait, minutes",
		.ylabel = "% of the jobs",
		.kind = PLOT_STEPS,
		.xlog = true,
		.xmin = NAN,
		.xmax = NAN,
		.ymin = 0,
		.ymax = 100,
		.series = series,
		.nseries = 2,
		.key = true,
		.width = 560,
		.height = 270,
	};

	for (size_t i = 0; i < WHAT_POINTS; i++) {
		part[i] = 100 * ((double)i + 0.5) / WHAT_POINTS;
		measured[i] = fmax(w->measured.cdf_wait_s[i], 1) / 60;
		run[i] = fmax(w->runs[0].cdf_wait_s[i], 1) / 60;
	}
	return figure(fp, &plot,
		      "Waits: measured, and simulated with EASY (waits below a "
		      "second are shown as one)",
		      err);
}

/* A picture that can be enlarged. */
static int drawn(char **svg, FILE *mem, int rc, FILE *fp, const char *caption)
{
	if (mem && fclose(mem) != 0)
		rc = -1;
	if (rc == 0 && *svg && **svg)
		report_wide_figure(fp, "gantt", caption, *svg);
	free(*svg);
	return rc;
}

/* The last days as they ran. */
static int gantt_figure(FILE *fp, const struct what_page *p,
			const struct site_jobs *jobs, struct libra_error *err)
{
	const struct swf_trace *t = p->trace;
	struct gantt g = {
		.jobs = jobs,
		.to_s = t->records[t->nrecords - 1].submit_s,
		.colour = jobs->users ? GANTT_USER : GANTT_SIZE,
	};
	struct libra_error none;
	char *svg = NULL;
	size_t size;
	FILE *mem = open_memstream(&svg, &size);

	g.from_s = fmax(g.to_s - GANTT_DAYS * 86400, t->records[0].submit_s);
	if (!mem)
		return sim_no_memory(err);
	/* A log whose last days are empty has no such picture. */
	if (gantt_svg(&g, mem, &none) < 0 && errno == ENOMEM)
		return drawn(&svg, mem, sim_no_memory(err), fp, "");
	return drawn(&svg, mem, 0, fp,
		     "The last days of the log: processors by time, jobs drawn "
		     "where they could have been");
}

static int picture(FILE *fp, enum picture_kind kind,
		   const struct site_jobs *jobs, const char *caption,
		   struct libra_error *err)
{
	struct picture *p = malloc(sizeof(*p));
	int rc = p ? picture_make(p, kind, jobs, NAN, NAN, err)
		   : sim_no_memory(err);

	if (rc == 0)
		rc = figure(fp, &p->plot, caption, err);
	free(p);
	return rc;
}

/* What is known of the jobs as they ran; a log without waits has none. */
static int pictures(FILE *fp, const struct what_page *p,
		    struct libra_error *err)
{
	struct site_jobs jobs;
	int rc;

	if (p->what->measured_jobs == 0)
		return 0;
	rc = site_jobs_of_log(&jobs, p->trace, p->what->measured.procs, err);
	if (rc < 0)
		return -1;
	rc = gantt_figure(fp, p, &jobs, err);
	report_figures_begin(fp);
	if (rc == 0)
		rc = picture(fp, PICTURE_WAITS, &jobs,
			     "Waits by size (below a second: one second)", err);
	if (rc == 0)
		rc = picture(fp, PICTURE_SLOWDOWN, &jobs,
			     "Slowdown by size, of runs of 10 s or more", err);
	report_figures_end(fp);
	if (rc == 0 && jobs.users) {
		fputs("<div style=\"max-width:56rem;margin:auto\">\n", fp);
		rc = picture(fp, PICTURE_USERS, &jobs, "Who had the processors",
			     err);
		fputs("</div>\n", fp);
	}
	site_jobs_fini(&jobs);
	return rc;
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

static int write_happened(FILE *fp, const struct what_page *p,
			  struct libra_error *err)
{
	const struct what *w = p->what;
	int rc;

	report_section(fp, "happened", "What happened");
	report_text(fp,
		    "%zu jobs in %.0f days on %" PRIu32
		    " processors, %.1f %% of them used until the last arrival. "
		    "Half of the jobs waited less than %.0f s, one in ten more "
		    "than %.1f h.",
		    w->measured_jobs, w->span_s / 86400, w->measured.procs,
		    w->measured.utilization_pct, w->measured.waits.p50_s,
		    w->measured.waits.p90_s / 3600);
	groups_table(fp, "partition", &w->partitions, &p->trace->partitions,
		     true);
	groups_table(fp, "queue", &w->queues, &p->trace->queues, true);
	groups_table(fp, "account", &w->accounts, NULL, false);
	groups_table(fp, "user", &w->users, NULL, false);
	report_text(fp,
		    "Limits: half of the jobs ran for less than %.0f %% of "
		    "theirs, a quarter for less than %.0f %%, nine in ten for "
		    "less than %.0f %%.",
		    100 * w->limit_used[2], 100 * w->limit_used[1],
		    100 * w->limit_used[4]);
	if (pictures(fp, p, err) < 0)
		return -1;
	report_section(fp, "replay", "What the simulator says of the same");
	trust_notice(fp, w);
	report_text(fp, "The same jobs with the processors that they got, in "
			"one queue under EASY: no priorities, partitions or "
			"reservations.");
	sizes_table(fp, w);
	report_figures_begin(fp);
	rc = over_time(fp, w, "busy", "% of the processors",
		       w->measured.busy_pct, w->runs[0].busy_pct, NAN,
		       "Processors in use", err);
	if (rc == 0)
		rc = over_time(fp, w, "queue", "jobs", w->measured.waiting,
			       w->runs[0].waiting, NAN, "Jobs that wait", err);
	report_figures_end(fp);
	/* Alone in its row it would be small, or as wide as the page. */
	fputs("<div style=\"max-width:36rem;margin:auto\">\n", fp);
	if (rc == 0)
		rc = waits_figure(fp, w, err);
	fputs("</div>\n", fp);
	return rc;
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
	scenarios_table(fp, p);
	report_section(fp, "promises", "What could have been promised");
	report_text(fp, "Of the last month's jobs (at most so many as shown), "
			"each asks at its arrival for an end within so many "
			"times its limit. Kept are the promises whose jobs "
			"ended in time.");
	promises_table(fp, p->what);
	if (p->when) {
		report_section(fp, "when", "When will it start?");
		report_text(
			fp,
			"95 %% of the waits of a class were below its "
			"bound, with a confidence of 95 %%. Tried on every "
			"job of this log with what was known at its "
			"arrival, such bounds held for %.2f %% of %zu jobs.",
			100 * (double)p->when->kept / (double)p->when->bounds,
			p->when->bounds);
		when_table(fp, p);
	}
	report_close(fp, p->command);
	return rc;
}

/* ---- tables ---- */

static void waits_row(FILE *fp, const char *kind, const char *name,
		      const struct what_waits *w, double work_pct)
{
	const double values[] = {w->mean_s, w->p50_s, w->p90_s, w->p99_s,
				 work_pct};

	fprintf(fp, "%s,", kind);
	out_csv_text(fp, name);
	fprintf(fp, ",%zu", w->n);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		fputc(',', fp);
		out_csv_number(fp, values[i]);
	}
	fputc('\n', fp);
}

static void waits_rows(FILE *fp, const char *kind, const struct what_groups *g,
		       const struct swf_names *names)
{
	char buf[40];

	for (size_t i = 0; i < g->n; i++)
		waits_row(fp, kind, name_of(names, g->list[i].number, buf),
			  &g->list[i].waits, g->list[i].work_pct);
}

static void write_waits(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;

	fputs("kind,name,jobs,mean_s,p50_s,p90_s,p99_s,work_pct\n", fp);
	waits_row(fp, "measured", "all", &w->measured.waits, 100);
	for (size_t i = 0; i < WHAT_SIZES; i++)
		waits_row(fp, "measured size", site_size_names[i],
			  &w->measured.by_size[i], NAN);
	for (size_t i = 0; i < WHAT_SIZES; i++)
		waits_row(fp, "simulated size", site_size_names[i],
			  &w->runs[0].by_size[i], NAN);
	waits_rows(fp, "partition", &w->partitions, &p->trace->partitions);
	waits_rows(fp, "queue", &w->queues, &p->trace->queues);
	waits_rows(fp, "account", &w->accounts, NULL);
	waits_rows(fp, "user", &w->users, NULL);
}

static void write_usage(FILE *fp, const struct what *w)
{
	fputs("from_s,measured_busy_pct,measured_waiting,simulated_busy_pct,"
	      "simulated_waiting\n",
	      fp);
	for (size_t i = 0; i < WHAT_BUCKETS; i++) {
		const double values[] = {
			w->measured.busy_pct[i], w->measured.waiting[i],
			w->runs[0].busy_pct[i], w->runs[0].waiting[i]};

		out_csv_number(fp, (double)i * w->bucket_s);
		for (size_t k = 0; k < 4; k++) {
			fputc(',', fp);
			out_csv_number(fp, values[k]);
		}
		fputc('\n', fp);
	}
}

static void write_scenarios(FILE *fp, const struct what_page *p)
{
	fputs("scenario,policy,procs,jobs,mean_s,p50_s,p90_s,p99_s,slowdown,"
	      "utilization_pct,ended\n",
	      fp);
	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];
		const double values[] = {r->waits.mean_s, r->waits.p50_s,
					 r->waits.p90_s,  r->waits.p99_s,
					 r->slowdown,	  r->utilization_pct};

		out_csv_text(fp, p->plan->list[i].name);
		fprintf(fp, ",%s,%" PRIu32 ",%zu",
			p->plan->list[i].policy->name, r->procs, r->waits.n);
		for (size_t k = 0; k < 6; k++) {
			fputc(',', fp);
			out_csv_number(fp, values[k]);
		}
		fprintf(fp, ",%zu\n", r->ended);
	}
}

static void write_promises(FILE *fp, const struct what *w)
{
	fputs("policy,factor,jobs,promised,kept,work_pct\n", fp);
	for (size_t i = 0; i < w->npromises; i++) {
		const struct what_promise *pr = &w->promises[i];

		fprintf(fp, "%s,%g,%zu,%zu,%zu,", pr->policy, pr->factor,
			pr->jobs, pr->promised, pr->kept);
		out_csv_number(fp, pr->work_pct);
		fputc('\n', fp);
	}
}

static void write_when(FILE *fp, const struct when *when)
{
	fputs("partition,queue,processors,jobs,bounds,kept,median_s,bound_s\n",
	      fp);
	for (size_t i = 0; when && i < when->n; i++) {
		const struct when_class *c = &when->classes[i];

		fprintf(fp, "%" PRId32 ",%" PRId32 ",%s,%zu,%zu,%zu,",
			c->partition, c->queue, when_size_name(when, c),
			c->jobs, c->bounds, c->kept);
		out_csv_number(fp, c->median_s);
		fputc(',', fp);
		out_csv_number(fp, c->bound_s);
		fputc('\n', fp);
	}
}

static void json_waits(struct out_json *j, const struct what_run *r)
{
	out_json_count(j, "procs", r->procs);
	out_json_count(j, "jobs", r->waits.n);
	out_json_number(j, "mean_s", r->waits.mean_s);
	out_json_number(j, "p50_s", r->waits.p50_s);
	out_json_number(j, "p90_s", r->waits.p90_s);
	out_json_number(j, "p99_s", r->waits.p99_s);
	out_json_number(j, "slowdown", r->slowdown);
	out_json_number(j, "utilization_pct", r->utilization_pct);
}

static void write_json(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "program", "librasim");
	out_json_text(&j, "version", sim_version());
	out_json_text(&j, "command", p->command);
	out_json_number(&j, "trust", what_trust(w));
	out_json_object(&j, "measured");
	json_waits(&j, &w->measured);
	out_json_end(&j);
	out_json_array(&j, "scenarios");
	for (size_t i = 0; i < w->nruns; i++) {
		out_json_object(&j, NULL);
		out_json_text(&j, "name", p->plan->list[i].name);
		json_waits(&j, &w->runs[i]);
		out_json_count(&j, "ended", w->runs[i].ended);
		out_json_end(&j);
	}
	out_json_end(&j);
	out_json_array(&j, "promises");
	for (size_t i = 0; i < w->npromises; i++) {
		const struct what_promise *pr = &w->promises[i];

		out_json_object(&j, NULL);
		out_json_text(&j, "policy", pr->policy);
		out_json_number(&j, "factor", pr->factor);
		out_json_count(&j, "jobs", pr->jobs);
		out_json_count(&j, "promised", pr->promised);
		out_json_count(&j, "kept", pr->kept);
		out_json_number(&j, "work_pct", pr->work_pct);
		out_json_end(&j);
	}
	out_json_end(&j);
	if (p->when) {
		out_json_count(&j, "bounds", p->when->bounds);
		out_json_count(&j, "bounds_kept", p->when->kept);
	}
	out_json_end(&j);
	fputc('\n', fp);
}

int what_page_write(const struct what_page *page, const char *folder,
		    struct libra_error *err)
{
	static const char *const names[] = {
		"waits.csv", "usage.csv",    "scenarios.csv", "promises.csv",
		"when.csv",  "what-if.json", "index.html"};
	FILE *fp[sizeof(names) / sizeof(names[0])];
	struct out_set set;
	int rc = out_set_init(&set, folder, err);

	if (rc < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(names[0]); i++)
		if (!(fp[i] = out_set_open(&set, names[i], err)))
			rc = -1;
	if (rc == 0) {
		write_waits(fp[0], page);
		write_usage(fp[1], page->what);
		write_scenarios(fp[2], page);
		write_promises(fp[3], page->what);
		write_when(fp[4], page->when);
		write_json(fp[5], page);
		rc = write_page(fp[6], page, err);
	}
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}
