/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.c - the outcome of a simulation or a comparison. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/slurm/result.h"

enum { UNKNOWN_LINES = 20 }; /* of the summary as text */

/* Waits of what started, ascending, and what they weigh. */
struct waits {
	int64_t *of;
	size_t n;
	double sum, weighted, cpu_seconds;
};

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t eligible(const struct sched_model *m,
			const struct sched_task *task)
{
	return task->eligible_s ? task->eligible_s
				: m->jobs[task->job].times.submit_s;
}

static bool find_waits(const struct sched_load *load, struct waits *waits)
{
	const struct sched_model *m = &load->model;

	waits->of = calloc(m->ntasks + 1, sizeof(*waits->of));
	if (!waits->of)
		return false;
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		double wait, weight;

		if (task->start_s == 0)
			continue;
		wait = (double)(task->start_s - eligible(m, task));
		weight = (double)(task->end_s - task->start_s) *
			 load->site->jobs[load->row[t]].cpus;
		waits->of[waits->n++] = (int64_t)wait;
		waits->sum += wait;
		waits->weighted += wait * weight;
		waits->cpu_seconds += weight;
	}
	qsort(waits->of, waits->n, sizeof(*waits->of), ascending);
	return true;
}

static double at(const struct waits *waits, double share)
{
	return waits->n ? (double)waits
				  ->of[(size_t)(share * (double)(waits->n - 1))]
			: 0;
}

static void write_id(FILE *fp, const struct sched_task *task)
{
	if (task->array && task->index != SLURM_NONE)
		fprintf(fp, "%u_%u", task->array, task->index);
	else
		fprintf(fp, "%u", task->id);
}

static void write_promise(FILE *fp, const struct sched_task *task)
{
	static const char *const names[] = {"",	       "unable",  "later",
					    "refused", "expired", "given"};

	fprintf(fp, ",%s,", names[task->promise]);
	if (task->deadline_s)
		fprintf(fp, "%" PRId64, task->deadline_s);
}

void sched_write_jobs(const struct sched_load *load, FILE *fp)
{
	const struct sched_model *m = &load->model;

	bool promises = load->site->promises.share > 0;

	fprintf(fp,
		"job,id,user,account,partition,qos,submit_s,eligible_s,start_s,"
		"end_s,wait_s,loop,reason,preempted,logged_start_s%s\n",
		promises ? ",promise,deadline_s" : "");
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		const struct sched_job *job = &m->jobs[task->job];
		const struct slurm_job *row = &load->site->jobs[load->row[t]];
		uint32_t part = task->start_s ? task->part : job->parts[0];

		write_id(fp, task);
		fprintf(fp, ",%u,%s,%s,%s,%s,%" PRId64 ",%" PRId64, task->id,
			row->text.user_name, row->text.account,
			m->parts[part].name,
			job->owner.qos == SCHED_NONE
				? ""
				: m->qos[job->owner.qos].name,
			row->submit_s, eligible(m, task));
		if (task->start_s)
			fprintf(fp, ",%" PRId64 ",%" PRId64 ",%" PRId64,
				task->start_s, task->end_s,
				task->start_s - eligible(m, task));
		else
			fputs(",,,", fp);
		fprintf(fp, ",%s,%s,%u,", sched_loop_name(task->loop),
			sched_reason_name(task->reason), task->preempted);
		if (row->start_s)
			fprintf(fp, "%" PRId64, row->start_s);
		if (promises)
			write_promise(fp, task);
		fputc('\n', fp);
	}
}

/* Contents of the summary, in the order of its lines. */
struct summary {
	const struct sched_load *load;
	const struct sched_figures *f;
	struct waits waits;
	double wait_s, wait_by_cpu_s, utilization, span_s;
	struct sched_promise_counts promises;
};

static void set_means(struct summary *s)
{
	const struct sched_model *m = &s->load->model;
	const struct waits *waits = &s->waits;
	double cpus = 0;

	for (uint32_t i = 0; i < m->nnodes; i++)
		cpus += m->nodes[i].down ? 0 : m->nodes[i].cpus;
	if (s->f->last_s > s->f->first_s)
		s->span_s = (double)(s->f->last_s - s->f->first_s);
	if (waits->n > 0)
		s->wait_s = waits->sum / (double)waits->n;
	if (waits->cpu_seconds > 0)
		s->wait_by_cpu_s = waits->weighted / waits->cpu_seconds;
	if (s->span_s > 0 && cpus > 0)
		s->utilization = waits->cpu_seconds / s->span_s / cpus;
}

void sched_json_promises(struct out_json *j,
			 const struct sched_promise_counts *counts,
			 const struct sched_ignored_list *unable)
{
	out_json_object(j, "promises");
	out_json_count(j, "unable", counts->unable);
	out_json_count(j, "asked", counts->asked);
	out_json_count(j, "given", counts->given);
	out_json_count(j, "kept", counts->kept);
	out_json_count(j, "overran", counts->overran);
	out_json_count(j, "broken", counts->broken);
	out_json_count(j, "cancelled", counts->cancelled);
	out_json_count(j, "expired", counts->expired);
	out_json_object(j, "unable_with");
	for (size_t i = 0; i < unable->n; i++)
		out_json_count(j, unable->of[i].what, unable->of[i].n);
	out_json_end(j);
	out_json_end(j);
}

static void print_promises(const struct summary *s, FILE *fp)
{
	const struct sched_ignored_list *unable = &s->f->unable;
	const struct sched_promise_counts *c = &s->promises;

	fprintf(fp,
		"promises: asked %" PRIu64 ", given %" PRIu64 ", kept %" PRIu64
		", broken %" PRIu64 ", overran %" PRIu64 ", cancelled %" PRIu64
		", expired %" PRIu64 "; could not ask %" PRIu64
		"; started as planned %" PRIu64 "\n",
		c->asked, c->given, c->kept, c->broken, c->overran,
		c->cancelled, c->expired, c->unable,
		s->f->started[SCHED_PROMISE]);
	for (size_t i = 0; i < unable->n; i++)
		fprintf(fp, "could not ask: %s (%" PRIu64 ")\n",
			unable->of[i].what, unable->of[i].n);
}

static void print_json(const struct summary *s, FILE *fp)
{
	const struct sched_ignored_list *ignored = &s->load->ignored;
	const struct slurm_site *site = s->load->site;
	const struct sched_figures *f = s->f;
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_count(&j, "jobs", s->load->model.ntasks);
	out_json_count(&j, "started", s->waits.n);
	out_json_count(&j, "by_main", f->started[SCHED_MAIN]);
	out_json_count(&j, "by_backfill", f->started[SCHED_BACKFILL]);
	out_json_count(&j, "at_submission", f->started[SCHED_SUBMIT]);
	out_json_count(&j, "never_started", f->waiting);
	out_json_count(&j, "refused", f->refused);
	out_json_count(&j, "preemptions", f->preempted);
	out_json_count(&j, "skipped", s->load->skipped);
	out_json_count(&j, "unmodelled", s->load->unmodelled);
	out_json_number(&j, "wait_mean_s", s->wait_s);
	out_json_number(&j, "wait_p50_s", at(&s->waits, 0.5));
	out_json_number(&j, "wait_p90_s", at(&s->waits, 0.9));
	out_json_number(&j, "wait_by_cpu_seconds_s", s->wait_by_cpu_s);
	out_json_number(&j, "utilization", s->utilization);
	out_json_number(&j, "span_s", s->span_s);
	out_json_count(&j, "main_runs", f->main_runs);
	out_json_count(&j, "backfill_runs", f->backfill_runs);
	if (site->promises.share > 0) {
		out_json_count(&j, "as_planned", f->started[SCHED_PROMISE]);
		sched_json_promises(&j, &s->promises, &f->unable);
	}
	out_json_object(&j, "not_modelled");
	for (size_t i = 0; i < ignored->n; i++)
		out_json_count(&j, ignored->of[i].what, ignored->of[i].n);
	out_json_end(&j);
	out_json_object(&j, "not_understood");
	for (size_t i = 0; i < site->nunknown; i++)
		out_json_count(&j, site->unknown[i].what, site->unknown[i].n);
	out_json_end(&j);
	out_json_end(&j);
}

static void print_text(const struct summary *s, FILE *fp)
{
	const struct sched_ignored_list *ignored = &s->load->ignored;
	const struct slurm_site *site = s->load->site;
	const struct sched_figures *f = s->f;

	fprintf(fp,
		"jobs %u, started %zu: by the main loop %" PRIu64
		", by backfill %" PRIu64 ", at submission %" PRIu64
		"; never started %" PRIu64 ", preemptions %" PRIu64
		", skipped %" PRIu64 "\n",
		s->load->model.ntasks, s->waits.n, f->started[SCHED_MAIN],
		f->started[SCHED_BACKFILL], f->started[SCHED_SUBMIT],
		f->waiting, f->preempted, s->load->skipped);
	if (f->refused > 0)
		fprintf(fp, "refused at submission %" PRIu64 "\n", f->refused);
	fprintf(fp,
		"wait: mean %.1f s, p50 %.0f s, p90 %.0f s, by CPU seconds "
		"%.1f s\n",
		s->wait_s, at(&s->waits, 0.5), at(&s->waits, 0.9),
		s->wait_by_cpu_s);
	fprintf(fp,
		"utilization %.4f over %.0f s; %" PRIu64
		" runs of the main loop, %" PRIu64 " of backfill\n",
		s->utilization, s->span_s, f->main_runs, f->backfill_runs);
	if (site->promises.share > 0)
		print_promises(s, fp);
	for (size_t i = 0; i < ignored->n; i++)
		fprintf(fp, "not modelled: %s (%" PRIu64 ")\n",
			ignored->of[i].what, ignored->of[i].n);
	for (size_t i = 0; i < site->nunknown && i < UNKNOWN_LINES; i++)
		fprintf(fp, "not understood: %s (%" PRIu64 ")\n",
			site->unknown[i].what, site->unknown[i].n);
	if (site->nunknown > UNKNOWN_LINES)
		fprintf(fp, "not understood: %zu others, see --json\n",
			site->nunknown - UNKNOWN_LINES);
}

int sched_print_result(const struct sched_load *load,
		       const struct sched_figures *f, bool json, FILE *fp)
{
	struct summary s = {.load = load, .f = f};

	if (!find_waits(load, &s.waits))
		return -1;
	set_means(&s);
	sched_promises_count(&load->model, &s.promises);
	(json ? print_json : print_text)(&s, fp);
	free(s.waits.of);
	return 0;
}

static void print_count(const char *loop, const struct step_count *c, bool json,
			FILE *fp)
{
	fprintf(fp,
		json ? "\"%s\": {\"runs\": %" PRIu64 ", \"right\": %" PRIu64
		       ", \"right_share\": %.4f, \"starting_runs\": %" PRIu64
		       ", \"starting_right\": %" PRIu64 ", \"starts\": %" PRIu64
		       ", \"found\": %" PRIu64 ", \"extra\": %" PRIu64
		       ", \"same_nodes\": %" PRIu64 "}"
		     : "%s: %" PRIu64 " runs, right %" PRIu64
		       " (%.4f); with starts %" PRIu64 ", right %" PRIu64
		       "; starts %" PRIu64 ", found %" PRIu64
		       ", too many %" PRIu64 ", on the same nodes %" PRIu64
		       "\n",
		loop, c->runs, c->right,
		c->runs ? (double)c->right / (double)c->runs : 1, c->busy_runs,
		c->busy_right, c->starts, c->found, c->extra, c->nodes);
}

int sched_print_steps(const struct steps *steps, bool json, FILE *fp)
{
	fputs(json ? "{" : "", fp);
	print_count("main", &steps->main, json, fp);
	fputs(json ? ",\n " : "", fp);
	print_count("backfill", &steps->backfill, json, fp);
	if (steps->priorities > 0)
		fprintf(fp,
			json ? ",\n \"priorities\": {\"computed\": %" PRIu64
			       ", \"equal\": %" PRIu64 "}"
			     : "priorities: computed %" PRIu64 ", as recorded "
			       "%" PRIu64 "\n",
			steps->priorities, steps->equal);
	fputs(json ? "}\n" : "", fp);
	return 0;
}
