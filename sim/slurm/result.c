/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.c - the outcome of a simulation or a comparison. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/slurm/result.h"

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
				: m->jobs[task->job].submit_s;
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

void sched_write_jobs(const struct sched_load *load, FILE *fp)
{
	const struct sched_model *m = &load->model;

	fputs("job,id,user,account,partition,qos,submit_s,eligible_s,start_s,"
	      "end_s,wait_s,loop,reason,preempted,logged_start_s\n",
	      fp);
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		const struct sched_job *job = &m->jobs[task->job];
		const struct slurm_job *row = &load->site->jobs[load->row[t]];
		uint32_t part = task->start_s ? task->part : job->parts[0];

		write_id(fp, task);
		fprintf(fp, ",%u,%s,%s,%s,%s,%" PRId64 ",%" PRId64, task->id,
			row->user_name, row->account, m->parts[part].name,
			job->qos == SCHED_NONE ? "" : m->qos[job->qos].name,
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
		fputc('\n', fp);
	}
}

static void print_ignored(const struct sched_load *load, bool json, FILE *fp)
{
	const struct sched_ignored_list *list = &load->ignored;

	if (json)
		fputs(",\n  \"not_modelled\": {", fp);
	for (size_t i = 0; i < list->n; i++)
		if (json)
			fprintf(fp, "%s\"%s\": %" PRIu64, i ? ", " : "",
				list->of[i].what, list->of[i].n);
		else
			fprintf(fp, "not modelled: %s (%" PRIu64 ")\n",
				list->of[i].what, list->of[i].n);
	if (json)
		fputs("}", fp);
}

int sched_print_result(const struct sched_load *load,
		       const struct sched_figures *f, bool json, FILE *fp)
{
	const struct sched_model *m = &load->model;
	struct waits waits = {0};
	double n, cpus = 0, span = (double)(f->last_s - f->first_s);

	if (!find_waits(load, &waits))
		return -1;
	n = waits.n ? (double)waits.n : 1;
	for (uint32_t i = 0; i < m->nnodes; i++)
		cpus += m->nodes[i].down ? 0 : m->nodes[i].cpus;
	fprintf(fp,
		json ? "{\n  \"jobs\": %u,\n  \"started\": %zu,\n  \"by_main\": "
		       "%" PRIu64 ",\n  \"by_backfill\": %" PRIu64
		       ",\n  \"at_submission\": %" PRIu64
		       ",\n  \"never_started\": %" PRIu64
		       ",\n  \"preemptions\": %" PRIu64
		       ",\n  \"skipped\": %" PRIu64
		     : "jobs %u, started %zu: by the main loop %" PRIu64
		       ", by backfill %" PRIu64 ", at submission %" PRIu64
		       "; never started %" PRIu64 ", preemptions %" PRIu64
		       ", skipped %" PRIu64 "\n",
		m->ntasks, waits.n, f->started[SCHED_MAIN],
		f->started[SCHED_BACKFILL], f->started[SCHED_SUBMIT],
		f->waiting, f->preempted, load->skipped);
	fprintf(fp,
		json ? ",\n  \"wait_mean_s\": %.1f,\n  \"wait_p50_s\": "
		       "%.0f,\n  \"wait_p90_s\": %.0f,\n  "
		       "\"wait_by_cpu_seconds_s\": %.1f"
		     : "wait: mean %.1f s, p50 %.0f s, p90 %.0f s, by CPU "
		       "seconds %.1f s\n",
		waits.sum / n, at(&waits, 0.5), at(&waits, 0.9),
		waits.cpu_seconds > 0 ? waits.weighted / waits.cpu_seconds : 0);
	fprintf(fp,
		json ? ",\n  \"utilization\": %.4f,\n  \"span_s\": "
		       "%.0f,\n  \"main_runs\": %" PRIu64
		       ",\n  \"backfill_runs\": %" PRIu64
		     : "utilization %.4f over %.0f s; %" PRIu64
		       " runs of the main loop, %" PRIu64 " of backfill\n",
		span > 0 && cpus > 0 ? waits.cpu_seconds / span / cpus : 0,
		span, f->main_runs, f->backfill_runs);
	print_ignored(load, json, fp);
	if (json)
		fputs("\n}\n", fp);
	free(waits.of);
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
	fputs(json ? "}\n" : "", fp);
	return 0;
}
