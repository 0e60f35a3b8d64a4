/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_tables.c - the numbers of a what-if study, as CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "sim/base/version.h"
#include "sim/output/json.h"
#include "sim/output/text.h"
#include "sim/site/measure.h"
#include "sim/site/what_parts.h"

const struct what_run *what_simulated(const struct what *w)
{
	return w->replay->simulated.waits.n > 0 ? &w->replay->simulated
						: &w->runs[0];
}

/* Write a row of the table of waits. */
static void waits_row(FILE *fp, const char *kind, const char *name,
		      const struct what_waits *w, double work_pct)
{
	const double values[] = {w->mean_s, w->p50_s, w->p90_s, w->p99_s,
				 work_pct};

	fprintf(fp, "%s,", kind);
	out_csv_text(fp, name);
	fprintf(fp, ",%zu", w->n);
	out_csv_numbers(fp, values, sizeof(values) / sizeof(values[0]));
	fputc('\n', fp);
}

/* Write a row for each group. */
static void waits_rows(FILE *fp, const char *kind, const struct what_groups *g,
		       const struct swf_names *names)
{
	char buf[40];

	for (size_t i = 0; i < g->n; i++)
		waits_row(fp, kind,
			  swf_name_text(names, g->list[i].number, buf),
			  &g->list[i].waits, g->list[i].work_pct);
}

void what_write_waits(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;

	fputs("kind,name,jobs,mean_s,p50_s,p90_s,p99_s,work_pct\n", fp);
	waits_row(fp, "measured", "all", &w->measured.waits,
		  w->measured_jobs > 0 ? 100 : NAN);
	for (size_t i = 0; i < WHAT_SIZES; i++)
		waits_row(fp, "measured size", w->sizes.names[i],
			  &w->replay->measured.by_size[i], NAN);
	for (size_t i = 0; i < WHAT_SIZES; i++)
		waits_row(fp, "simulated size", w->sizes.names[i],
			  &what_simulated(w)->by_size[i], NAN);
	waits_rows(fp, "partition", &w->partitions, &p->trace->partitions);
	waits_rows(fp, "queue", &w->queues, &p->trace->queues);
	waits_rows(fp, "account", &w->accounts, NULL);
	waits_rows(fp, "user", &w->users, NULL);
}

void what_write_usage(FILE *fp, const struct what *w)
{
	const struct what_run *m = &w->replay->measured;
	const struct what_run *s = what_simulated(w);
	bool waits = m->waits.n > 0;

	fputs("from_s,measured_busy_pct,measured_waiting,simulated_busy_pct,"
	      "simulated_waiting\n",
	      fp);
	for (size_t i = 0; i < WHAT_BUCKETS; i++) {
		const double values[] = {waits ? m->busy_pct[i] : NAN,
					 waits ? m->waiting[i] : NAN,
					 s->busy_pct[i], s->waiting[i]};

		out_csv_number(fp, (double)i * w->bucket_s);
		out_csv_numbers(fp, values, 4);
		fputc('\n', fp);
	}
}

/* Write the measures of a run, with a comma before each. */
static void run_fields(FILE *fp, const struct what_run *r)
{
	const double values[] = {r->waits.mean_s, r->waits.p50_s,
				 r->waits.p90_s,  r->waits.p99_s,
				 r->slowdown,	  r->utilization_pct};

	out_csv_numbers(fp, values, sizeof(values) / sizeof(values[0]));
}

void what_write_scenarios(FILE *fp, const struct what_page *p)
{
	const char *verdict = what_verdict_name(what_trust(p->what).verdict);

	fputs("scenario,policy,procs,jobs,mean_s,p50_s,p90_s,p99_s,slowdown,"
	      "utilization_pct,ended,replay,left_out,was_mean_s,was_p50_s,"
	      "was_p90_s,was_p99_s,was_slowdown,was_utilization_pct\n",
	      fp);
	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];

		out_csv_text(fp, p->plan->list[i].name);
		fprintf(fp, ",%s,%" PRIu32 ",%zu",
			p->plan->list[i].policy->name, r->procs, r->waits.n);
		run_fields(fp, r);
		fprintf(fp, ",%zu,%s,%zu", r->ended, verdict, r->left_out);
		run_fields(fp, &p->what->was[i]);
		fputc('\n', fp);
	}
}

void what_write_promises(FILE *fp, const struct what *w)
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

void what_write_when(FILE *fp, const struct when *when)
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

/* Write the measures of a run as members of the open object. */
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

/* Write how far to trust the scenarios, as members of the open object. */
static void json_trust(struct out_json *j, const struct what *w)
{
	static const char *const keys[WHAT_MEASURES] = {"mean", "p50", "p90",
							"slowdown", "ranks"};
	struct what_trust trust = what_trust(w);

	out_json_number(j, "trust", trust.worst_nearness);
	out_json_text(j, "replay", what_verdict_name(trust.verdict));
	out_json_object(j, "nearness");
	for (size_t i = 0; i < WHAT_MEASURES; i++)
		out_json_number(j, keys[i], trust.nearness[i]);
	out_json_end(j);
}

static const double limit_parts[] = {10, 25, 50, 75, 90};

/* Run times in parts of their limits. */
void what_write_limits(FILE *fp, const struct what *w)
{
	fputs("quantile_pct,run_per_limit\n", fp);
	for (size_t i = 0; w->limited > 0 && i < 5; i++) {
		fprintf(fp, "%g,", limit_parts[i]);
		out_csv_number(fp, w->limit_used[i]);
		fputc('\n', fp);
	}
}

void what_write_json(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "program", "librasim");
	out_json_text(&j, "version", sim_version());
	out_json_text(&j, "command", p->command);
	json_trust(&j, w);
	out_json_object(&j, "measured");
	json_waits(&j, &w->measured);
	out_json_end(&j);
	out_json_number(&j, "days", w->span_s / 86400);
	out_json_count(&j, "unrun", w->unrun);
	out_json_count(&j, "unplaced", w->unplaced);
	out_json_array(&j, "scenarios");
	for (size_t i = 0; i < w->nruns; i++) {
		out_json_object(&j, NULL);
		out_json_text(&j, "name", p->plan->list[i].name);
		json_waits(&j, &w->runs[i]);
		out_json_count(&j, "ended", w->runs[i].ended);
		out_json_count(&j, "too_large", w->runs[i].too_large);
		out_json_count(&j, "left_out", w->runs[i].left_out);
		out_json_object(&j, "was");
		json_waits(&j, &w->was[i]);
		out_json_end(&j);
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
