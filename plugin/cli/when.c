/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.c - see when.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/forecast.h"
#include "plugin/base/units.h"
#include "plugin/cli/print.h"
#include "plugin/cli/when.h"

#define LONGEST_S (365 * 86400.)

enum {
	MOST_RUNS = 10000, /* of the past, of one machine */
	MOST_TASKS = 1000, /* of an array */
};

void cli_runs_read(struct cli_runs *runs, FILE *in)
{
	struct cli_past past = {0};
	size_t cap = 0, size = 0;
	char *line = NULL;
	ssize_t len;

	*runs = (struct cli_runs){0};
	errno = 0;
	while ((len = getline(&line, &size, in)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (runs->n == cap) {
			cap = cap ? 2 * cap : 1024;
			runs->list = reallocarray(runs->list, cap,
						  sizeof(*runs->list));
			if (!runs->list)
				cli_no_memory();
		}
		runs->n += cli_past_line(&past, line, &runs->list[runs->n]) > 0;
	}
	if (errno == ENOMEM)
		cli_no_memory();
	free(line);
}

/* ---- machines: partitions that share nodes ---- */

static bool share_node(const struct cli_cluster *cluster, uint32_t a,
		       uint32_t b)
{
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (cluster->parts[a].nodes[i] && cluster->parts[b].nodes[i])
			return true;
	return false;
}

/* The machine of each partition: the number of its first partition. */
static uint32_t *find_machines(const struct cli_cluster *cluster)
{
	uint32_t *machine = calloc(cluster->nparts + 1u, sizeof(*machine));

	if (!machine)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->nparts; i++) {
		machine[i] = i;
		for (uint32_t k = 0; k < i; k++) {
			uint32_t from = machine[k];

			if (from == machine[i] || !share_node(cluster, i, k))
				continue;
			for (uint32_t j = 0; j <= i; j++)
				if (machine[j] == from)
					machine[j] = machine[i];
		}
	}
	return machine;
}

/* The partition of a job or run, the first of several; nparts = none. */
static uint32_t find_part(const struct cli_cluster *cluster, const char *name)
{
	size_t len = strcspn(name, ",");
	uint32_t i = 0;

	while (i < cluster->nparts &&
	       (strlen(cluster->parts[i].name) != len ||
		strncmp(cluster->parts[i].name, name, len) != 0))
		i++;
	return i;
}

static uint32_t machine_cpus(const struct cli_cluster *cluster,
			     const uint32_t *machine, uint32_t which)
{
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		bool in = false;

		for (uint32_t k = 0; k < cluster->nparts; k++)
			in = in || (machine[k] == which &&
				    cluster->parts[k].nodes[i]);
		if (in && cluster->nodes[i].state == LIBRA_NODE_UP)
			cpus += cluster->nodes[i].cpus;
	}
	return cpus;
}

/* ---- jobs of a machine ---- */

struct machine {
	const struct cli_cluster *cluster;
	const uint32_t *of_part; /* the machine of each partition */
	uint32_t which;
	struct libra_forecast_job *jobs;
	uint32_t *index; /* of the cluster's job; UINT32_MAX = a run */
	size_t n, cap;
	struct cli_when *when;
	struct cli_when_past *past;
};

/* A job and its index, to be sorted. */
struct entry {
	struct libra_forecast_job job;
	uint32_t index;
};

static int by_submit(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->job.submit_s != y->job.submit_s)
		return x->job.submit_s < y->job.submit_s ? -1 : 1;
	return (x->job.place > y->job.place) - (x->job.place < y->job.place);
}

static double limit_of(const struct cli_partition *part, double limit_s)
{
	double most_s = part->max_minutes == UINT32_MAX
				? LONGEST_S
				: 60.0 * part->max_minutes;

	return fmax(1, fmin(isfinite(limit_s) ? limit_s : most_s, LONGEST_S));
}

static bool is_asked(const struct cli_cluster *cluster,
		     const struct cli_job *job)
{
	return job->state == CLI_JOB_WAITING && job->cpus > 0 &&
	       job->priority > 0 && job->eligible_s <= cluster->now_s;
}

static size_t add_runs(const struct machine *m, const struct cli_runs *runs,
		       struct entry *to)
{
	size_t n = 0, cut;

	for (size_t i = 0; i < runs->n; i++) {
		const struct cli_run *run = &runs->list[i];
		uint32_t part = find_part(m->cluster, run->part);

		if (part == m->cluster->nparts ||
		    m->of_part[part] != m->which ||
		    run->end_s > m->cluster->now_s)
			continue;
		to[n++] = (struct entry){
			{.user = run->user,
			 .procs = run->cpus,
			 .limit_s = limit_of(&m->cluster->parts[part],
					     run->limit_s),
			 .submit_s = run->eligible_s,
			 .start_s = run->start_s,
			 .end_s = run->end_s},
			UINT32_MAX};
	}
	if (n)
		qsort(to, n, sizeof(*to), by_submit);
	cut = n > MOST_RUNS ? n - MOST_RUNS : 0;
	memmove(to, to + cut, (n - cut) * sizeof(*to));
	return n - cut;
}

/* Add what waits or runs.  A promised job comes before all others. */
static size_t add_present(const struct machine *m, struct entry *to, size_t n)
{
	const struct cli_cluster *cluster = m->cluster;

	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];
		uint32_t part = find_part(cluster, job->part ? job->part : "");
		bool runs = job->state == CLI_JOB_RUNNING;
		struct entry e = {.index = i};

		if (part == cluster->nparts || m->of_part[part] != m->which ||
		    job->cpus == 0 || (!runs && !is_asked(cluster, job)))
			continue;
		e.job = (struct libra_forecast_job){
			.user = job->uid,
			.procs = job->cpus,
			.limit_s =
				limit_of(&cluster->parts[part],
					 job->promised ? job->promise.estimate_s
						       : job->limit_s),
			.submit_s = fmin(job->eligible_s, cluster->now_s),
			.start_s = runs ? job->start_s : INFINITY,
			.end_s = INFINITY,
			.place = job->promised ? -(double)UINT32_MAX - 1
					       : -(double)job->priority,
		};
		if (runs)
			e.job.submit_s = fmin(e.job.submit_s, job->start_s);
		for (uint32_t k = 0; k < job->tasks && k < MOST_TASKS; k++) {
			to[n++] = e;
			e.index = UINT32_MAX; /* the first task is asked for */
		}
	}
	if (n)
		qsort(to, n, sizeof(*to), by_submit);
	return n;
}

static void set_jobs(struct machine *m, const struct cli_runs *runs)
{
	size_t room = runs->n + 1, n;
	struct entry *list;

	for (uint32_t i = 0; i < m->cluster->njobs; i++)
		room += m->cluster->jobs[i].tasks < MOST_TASKS
				? m->cluster->jobs[i].tasks
				: MOST_TASKS;
	list = calloc(room, sizeof(*list));
	m->jobs = calloc(room, sizeof(*m->jobs));
	m->index = calloc(room, sizeof(*m->index));
	if (!list || !m->jobs || !m->index)
		cli_no_memory();
	n = add_present(m, list, add_runs(m, runs, list));
	for (size_t i = 0; i < n; i++) {
		m->jobs[i] = list[i].job;
		m->index[i] = list[i].index;
	}
	m->n = n;
	free(list);
}

/* ---- answers ---- */

static int take(void *context, const struct libra_start_forecast *f)
{
	struct machine *m = context;
	double now_s = m->cluster->now_s, start_s = m->jobs[f->job].start_s;
	struct cli_when *when;

	if (f->asked_s < now_s) {
		bool known = start_s <= now_s || f->bound_s <= now_s;

		m->past->asked += !isnan(f->bound_s) && known;
		m->past->kept += !isnan(f->bound_s) && start_s <= f->bound_s &&
				 start_s <= now_s;
		return 0;
	}
	if (m->index[f->job] == UINT32_MAX)
		return 0;
	when = &m->when[m->index[f->job]];
	when->limits_s = isfinite(f->limits_s) ? f->limits_s : NAN;
	if (when->how == CLI_WHEN_PROMISED || !isfinite(f->planned_s))
		return 0;
	when->how = isnan(f->bound_s) ? CLI_WHEN_PLANNED : CLI_WHEN_FORECAST;
	when->start_s = f->estimate_s;
	when->latest_s = f->bound_s;
	return 0;
}

static double param_of(const struct libra_host_conf *conf, const char *name)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 name, NULL);

	return i >= 0 ? conf->params[i] : 0;
}

/* The planned start of a record, and the latest one. */
static void set_promised(struct cli_cluster *cluster, const struct cli_job *job,
			 struct cli_when *when)
{
	const struct libra_promise *p = &job->promise;
	double start_s;

	if (!job->promised || p->offer == 0 || p->broken.len > 0)
		return;
	start_s = cli_planned_start(p);
	if (isnan(start_s))
		return;
	for (size_t i = 0; i < cluster->groups.n; i++) {
		cli_cluster_choose(cluster, i);
		if (cli_cluster_has(cluster, job))
			break;
	}
	when->how = CLI_WHEN_PROMISED;
	when->start_s = when->latest_s = start_s;
	if (param_of(&cluster->conf, "hard_starts") == 0)
		when->latest_s = fmax(
			start_s, p->deadline_s - p->estimate_s -
					 param_of(&cluster->conf, "margin"));
}

int cli_when(struct cli_cluster *cluster, const struct cli_runs *runs,
	     struct cli_when *when, struct cli_when_past *past,
	     struct libra_error *err)
{
	uint32_t *machine = find_machines(cluster);
	int rc = 0;

	*past = (struct cli_when_past){0};
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];

		when[i] =
			(struct cli_when){job, CLI_WHEN_UNKNOWN, NAN, NAN, NAN};
		if (job->state == CLI_JOB_WAITING) {
			set_promised(cluster, job, &when[i]);
		} else if (job->state == CLI_JOB_RUNNING) {
			when[i].how = CLI_WHEN_STARTED;
			when[i].start_s = job->start_s;
		}
	}
	for (uint32_t i = 0; rc == 0 && i < cluster->nparts; i++) {
		struct machine m = {.cluster = cluster,
				    .of_part = machine,
				    .which = i,
				    .when = when,
				    .past = past};

		uint32_t cpus = machine_cpus(cluster, machine, i);

		if (machine[i] != i || cpus == 0)
			continue;
		set_jobs(&m, runs);
		rc = libra_forecast_all(m.jobs, m.n, cpus, cluster->now_s, take,
					&m, err);
		free(m.jobs);
		free(m.index);
	}
	free(machine);
	return rc;
}

/* ---- what is printed ---- */

static const char *const how_names[] = {
	[CLI_WHEN_PROMISED] = "promised", [CLI_WHEN_FORECAST] = "forecast",
	[CLI_WHEN_PLANNED] = "planned",	  [CLI_WHEN_UNKNOWN] = "unknown",
	[CLI_WHEN_STARTED] = "started",
};

static json_t *json_when(const struct cli_when *w)
{
	const struct cli_job *job = w->job;
	json_t *json = json_pack(
		"{s:s, s:I, s:s, s:s, s:i, s:i, s:s}", "job", job->label, "id",
		(json_int_t)job->id, "user", job->user, "partition",
		job->part ? job->part : "", "cpus", (int)job->cpus, "tasks",
		(int)job->tasks, "how", how_names[w->how]);

	cli_json_time(json, "start", w->start_s);
	cli_json_time(json, "latest", w->latest_s);
	json_object_set_new(json, "confidence",
			    w->how == CLI_WHEN_FORECAST
				    ? json_real(LIBRA_FORECAST_PERCENT / 100.)
				    : json_null());
	cli_json_time(json, "limits_start", w->limits_s);
	json_object_set_new(json, "wait_reason",
			    job->reason ? json_string(job->reason)
					: json_null());
	return json;
}

static void print_text(const struct cli_cluster *cluster,
		       const struct cli_when *w, FILE *out)
{
	const struct cli_job *job = w->job;
	const char *part = job->part ? job->part : "";
	char start[32], latest[32], bound[8];

	cli_print_cut(job->label, strlen(job->label), 14, out);
	cli_print_cut(job->user, strlen(job->user), 8, out);
	cli_print_cut(part, strlen(part), 10, out);
	cli_short_clock(w->start_s, cluster->now_s, start);
	cli_short_clock(w->latest_s, cluster->now_s, latest);
	snprintf(bound, sizeof(bound), "%d %%", LIBRA_FORECAST_PERCENT);
	fprintf(out, "%5u %-11s %-11s %s\n", job->cpus,
		isnan(w->start_s) ? "-" : start,
		isnan(w->latest_s) ? "-" : latest,
		w->how == CLI_WHEN_UNKNOWN && job->reason ? job->reason
		: w->how == CLI_WHEN_FORECAST		  ? bound
							  : how_names[w->how]);
}

static void print_past(const struct cli_when_past *past, FILE *out)
{
	if (past->asked > 0)
		fprintf(out,
			"\nOf the jobs of the past %.1f %% started by the "
			"bound of %d %% (%zu questions)\n",
			100 * (double)past->kept / (double)past->asked,
			LIBRA_FORECAST_PERCENT, past->asked);
}

int cli_print_when(const struct cli_cluster *cluster,
		   const struct cli_when *when, size_t n,
		   const struct cli_when_past *past, struct cli_output *o)
{
	char now[32];

	if (!cli_for_programs(o)) {
		libra_host_clock_text(floor(cluster->now_s), NAN, NAN, now);
		if (!o->no_header)
			fprintf(o->out,
				"As of %s\n"
				"%-14s %-8s %-10s %5s %-11s %-11s %s\n",
				now, "JOB", "USER", "PARTITION", "CPUS",
				"START", "LATEST", "HOW");
		for (size_t i = 0; i < n; i++)
			print_text(cluster, &when[i], o->out);
		if (!o->no_header)
			print_past(past, o->out);
		return CLI_DONE;
	}
	o->rows = json_array();
	o->columns = "job,user,partition,cpus,how,start,latest,confidence,"
		     "limits_start,wait_reason";
	for (size_t i = 0; i < n; i++)
		json_array_append_new(o->rows, json_when(&when[i]));
	o->data = json_object();
	cli_json_time(o->data, "now", cluster->now_s);
	json_object_update_new(
		o->data, json_pack("{s:O, s:{s:I, s:I}}", "jobs", o->rows,
				   "past", "asked", (json_int_t)past->asked,
				   "kept", (json_int_t)past->kept));
	return CLI_DONE;
}
