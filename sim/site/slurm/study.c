/* SPDX-License-Identifier: GPL-2.0-or-later */
/* study.c - simulate the scenarios, and measure waits by group. */
#include "sim/site/slurm/study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/priority.h"
#include "sim/slurm/simulate.h"

enum { PHASES_SEED = 1 };

/* The simulated times of a row of the log; start 0: it never started. */
struct outcome {
	int64_t eligible_s, start_s, end_s;
	bool promised;
};

/* The result of a scenario, as a worker writes it. */
struct ended {
	struct slurm_study_run run;
	struct outcome row[]; /* of the site */
};

/* Data that the worker processes and the measures of all results read. */
struct pieces {
	const struct slurm_study_conf *conf;
	size_t nrows, size; /* of a struct ended, with rows */
	/* to measure with */
	struct slurm_study *study;
	const char *results;
	uint32_t *group_of; /* of a kind and row: its group */
	double *waits, *others;
};

/* Return the result of a scenario. */
static const struct ended *ended_of(const struct pieces *p, size_t run)
{
	return (const struct ended *)(const void *)(p->results + run * p->size);
}

/* ---- one scenario ---- */

/* Read the site, set its usage back to the beginning of the log, and make the
 * changes of a scenario (NULL: none).
 * Result: 0, or -1 with err.
 * Owner: the caller calls slurm_site_fini(), after an error as well.
 */
static int read_site(struct slurm_site *site,
		     const struct slurm_study_conf *conf, bool jobs,
		     const char *changes, struct libra_error *err)
{
	int rc = jobs ? slurm_site_read_with(site, conf->folder, conf->log, err)
		      : slurm_site_read(site, conf->folder, false, err);
	char *copy, *word, *rest;

	if (rc == 0)
		rc = slurm_prio_rewind(site, err);
	if (rc < 0 || !changes)
		return rc;
	copy = strdup(changes);
	if (!copy)
		return sim_no_memory(err);
	for (word = strtok_r(copy, " ", &rest); rc == 0 && word;
	     word = strtok_r(NULL, " ", &rest))
		rc = slurm_site_change(site, word, err);
	free(copy);
	return rc;
}

/* Return the CPUs that a job got, or else asked for. */
static uint32_t cpus_of(const struct slurm_job *job)
{
	return job->cpus ? job->cpus : job->req_cpus;
}

/* Return the % of the CPUs that the rows used from from_s to to_s; NAN for an
 * empty time.
 */
static double used_pct(const struct slurm_site *site,
		       const struct outcome *rows, int64_t from_s, int64_t to_s)
{
	double used = 0, cpus = slurm_site_cpus(site);

	for (size_t i = 0; i < site->njobs; i++) {
		int64_t begin = rows[i].start_s, end = rows[i].end_s;

		if (begin == 0)
			continue;
		if (end > to_s)
			end = to_s;
		if (begin < from_s)
			begin = from_s;
		if (end > begin)
			used += (double)(end - begin) * cpus_of(&site->jobs[i]);
	}
	return to_s > from_s && cpus > 0
		       ? 100 * used / cpus / (double)(to_s - from_s)
		       : NAN;
}

/* Set the instants of the first and the last submission. */
static void span_of(const struct slurm_site *site, int64_t *first_s,
		    int64_t *last_s)
{
	*first_s = slurm_site_first_s(site);
	*last_s = site->njobs ? site->jobs[site->njobs - 1].submit_s : 0;
}

/* Copy the results of a simulation to the memory that this process shares. */
static void keep(struct ended *to, const struct sched_load *load,
		 const struct sched_figures *figures)
{
	const struct sched_model *m = &load->model;
	int64_t first_s, last_s;

	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];
		struct outcome *row = &to->row[load->row[t]];

		row->start_s = task->start_s;
		row->end_s = task->end_s;
		row->eligible_s = task->eligible_s
					  ? task->eligible_s
					  : m->jobs[task->job].times.submit_s;
		row->promised = task->promise == SCHED_PROMISE_GIVEN;
		to->run.started += task->start_s > 0;
	}
	span_of(load->site, &first_s, &last_s);
	sched_promises_count(m, &to->run.promises);
	to->run.unable = figures->unable;
	to->run.share = load->site->promises.share;
	to->run.within = load->site->promises.within;
	to->run.never = figures->waiting + figures->refused;
	to->run.preempted = figures->preempted;
	to->run.over_submit = figures->over_submit;
	to->run.utilization_pct =
		used_pct(load->site, to->row, first_s, last_s);
}

/* Simulate one scenario; a worker process calls this. */
static int run_scenario(struct sim_workers *w, void *arg, size_t piece,
			void *results, struct libra_error *err)
{
	const struct pieces *p = arg;
	struct ended *to =
		(struct ended *)(void *)((char *)results + piece * p->size);
	struct sched_figures figures;
	struct sched_phases phases;
	struct sched_load load;
	struct slurm_site site;
	int rc;

	memset(&load, 0, sizeof(load));
	rc = read_site(&site, p->conf, true, p->conf->plan->list[piece].changes,
		       err);
	if (rc == 0)
		rc = sched_load(&load, &site, err);
	if (rc == 0) {
		load.progress = sim_workers_part;
		load.progress_arg = w;
		sched_phases_draw(&load, PHASES_SEED, &phases);
		rc = sched_simulate(&load, &phases, &figures, err);
	}
	if (rc == 0) {
		keep(to, &load, &figures);
		sim_workers_step(w);
	}
	sched_load_fini(&load);
	slurm_site_fini(&site);
	return rc;
}

/* ---- groups ---- */

/* Return the name of the group of a kind to which a row belongs; "-": none. */
static const char *name_of(const struct slurm_study *s, size_t row,
			   enum slurm_study_kind kind)
{
	const struct slurm_job *job = &s->site.jobs[row];
	const char *name = "";

	switch (kind) {
	case STUDY_QOS:
		if (job->qos != SLURM_NONE)
			name = s->site.qos[job->qos].name;
		break;
	case STUDY_PARTITION:
		name = job->text.partition;
		break;
	case STUDY_ACCOUNT:
		name = job->text.account;
		break;
	case STUDY_SIZE:
		return s->sizes.names[site_size(&s->sizes, cpus_of(job))];
	default:
		return "all";
	}
	return *name ? name : "-";
}

/* Kinds in their order, sizes ascending, others with most rows first. */
static int by_rows(const void *a, const void *b)
{
	const struct slurm_study_group *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind == STUDY_SIZE)
		return (x->name > y->name) - (x->name < y->name);
	if (x->rows != y->rows)
		return x->rows > y->rows ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Find the group of a row, or add it.  Names of a site are one text each. */
static size_t find_group(struct slurm_study *s, size_t *cap,
			 enum slurm_study_kind kind, const char *name)
{
	struct slurm_study_group *bigger;

	for (size_t g = s->ngroups; g-- > 0;)
		if (s->groups[g].kind == kind &&
		    (s->groups[g].name == name ||
		     strcmp(s->groups[g].name, name) == 0))
			return g;
	bigger = sim_grown(s->groups, cap, s->ngroups + 1, sizeof(*bigger));
	if (!bigger)
		return SIZE_MAX;
	s->groups = bigger;
	s->groups[s->ngroups] =
		(struct slurm_study_group){.kind = kind, .name = name};
	return s->ngroups++;
}

/* Make the groups of all kinds, sort them, and note the group of each row.
 * Result: 0, or -1 with ENOMEM.
 */
static int make_groups(struct pieces *p, struct libra_error *err)
{
	struct slurm_study *s = p->study;
	size_t cap = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = 0; k < STUDY_KINDS; k++)
			for (size_t i = 0; i < p->nrows; i++) {
				size_t g = find_group(
					s, &cap, (enum slurm_study_kind)k,
					name_of(s, i,
						(enum slurm_study_kind)k));

				if (g == SIZE_MAX)
					return sim_no_memory(err);
				s->groups[g].rows += pass == 0;
				p->group_of[k * p->nrows + i] = (uint32_t)g;
			}
		if (pass == 0 && s->ngroups > 0)
			qsort(s->groups, s->ngroups, sizeof(*s->groups),
			      by_rows);
	}
	for (size_t g = 0; g < s->ngroups; g++) {
		s->groups[g].runs =
			calloc(s->plan->n, sizeof(*s->groups[g].runs));
		s->groups[g].others =
			calloc(s->plan->n, sizeof(*s->groups[g].others));
		if (!s->groups[g].runs || !s->groups[g].others)
			return sim_no_memory(err);
	}
	return 0;
}

/* ---- measures ---- */

/* Return true if a row started in the log and, as it was, in the simulation. */
static bool both_waits(const struct pieces *p, size_t row,
		       double wait_s[APART_SIDES])
{
	const struct outcome *sim = &ended_of(p, 0)->row[row];
	int64_t from_s, logged_s;
	bool logged =
		slurm_job_waited(&p->study->site.jobs[row], &from_s, &logged_s);

	wait_s[APART_MEASURED] = (double)logged_s;
	wait_s[APART_SIMULATED] = (double)(sim->start_s - sim->eligible_s);
	return sim->start_s > 0 && logged;
}

int slurm_study_measure_waits(struct slurm_study_waits *w,
			      struct apart_job *jobs, size_t n,
			      struct libra_error *err)
{
	double *waits = calloc(n + 1, sizeof(*waits));
	int rc = waits ? apart_move(&w->moving, jobs, n, err)
		       : sim_no_memory(err);

	for (size_t k = 0; rc == 0 && k < APART_SIDES; k++) {
		for (size_t i = 0; i < n; i++)
			waits[i] = k == APART_MEASURED ? jobs[i].logged_s
						       : jobs[i].wait_s;
		qsort(waits, n, sizeof(*waits), site_by_value);
		for (size_t i = 0; i < STUDY_POINTS; i++)
			w->sorted_s[k][i] = site_quantile(
				waits, n, ((double)i + 0.5) / STUDY_POINTS);
	}
	free(waits);
	return rc;
}

/* Compare the waits of all rows that started in the log and in the first
 * scenario.
 * Result: 0, or -1 with ENOMEM.
 */
static int compare_waits(const struct pieces *p, struct libra_error *err)
{
	struct slurm_study *s = p->study;
	struct apart_job *jobs = calloc(p->nrows + 1, sizeof(*jobs));
	double wait_s[APART_SIDES];
	size_t n = 0;
	int rc = jobs ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < p->nrows; i++)
		if (both_waits(p, i, wait_s))
			jobs[n++] = (struct apart_job){
				.ready_s = (double)s->site.jobs[i].start_s -
					   wait_s[APART_MEASURED],
				.logged_s = wait_s[APART_MEASURED],
				.wait_s = wait_s[APART_SIMULATED],
			};
	s->waits.moving.error_pct = NAN;
	if (n > 0)
		rc = slurm_study_measure_waits(&s->waits, jobs, n, err);
	free(jobs);
	return rc;
}

/* Compare a group's jobs with the log. */
static void prove(struct pieces *p, size_t group)
{
	struct slurm_study *s = p->study;
	struct slurm_study_group *g = &s->groups[group];
	const struct outcome *rows = ended_of(p, 0)->row;
	const uint32_t *of = p->group_of + g->kind * p->nrows;
	size_t n = 0;

	for (size_t i = 0; i < p->nrows; i++) {
		double wait_s[APART_SIDES];

		if (of[i] != group || !both_waits(p, i, wait_s))
			continue;
		p->waits[n] = wait_s[APART_MEASURED];
		p->others[n++] = wait_s[APART_SIMULATED];
		for (size_t k = 0; k < SITE_WITHIN; k++)
			g->within[k] += llabs(rows[i].start_s -
					      s->site.jobs[i].start_s) <=
					site_within_s[k];
	}
	what_measure_waits(&g->measured, p->waits, n);
	what_measure_waits(&g->simulated, p->others, n);
	g->nearness =
		n ? what_wait_nearness(g->measured.mean_s, g->simulated.mean_s)
		  : NAN;
}

/* Measure the waits of the jobs of a group that started in a scenario. */
static void measure_run(struct pieces *p, size_t group, size_t run)
{
	struct slurm_study_group *g = &p->study->groups[group];
	const struct outcome *rows = ended_of(p, run)->row;
	const uint32_t *of = p->group_of + g->kind * p->nrows;
	size_t n = 0;

	for (size_t i = 0; i < p->nrows; i++)
		if (of[i] == group && rows[i].start_s > 0)
			p->waits[n++] =
				(double)(rows[i].start_s - rows[i].eligible_s);
	what_measure_waits(&g->runs[run], p->waits, n);
}

/* Measure what promises cost the jobs that have none. */
static void measure_others(struct pieces *p, size_t group, size_t run)
{
	struct slurm_study_group *g = &p->study->groups[group];
	const struct outcome *was = ended_of(p, 0)->row;
	const struct outcome *now = ended_of(p, run)->row;
	const uint32_t *of = p->group_of + g->kind * p->nrows;
	size_t n = 0;

	for (size_t i = 0; i < p->nrows; i++) {
		if (of[i] != group || now[i].promised || now[i].start_s == 0 ||
		    was[i].start_s == 0)
			continue;
		p->waits[n] = (double)(now[i].start_s - now[i].eligible_s);
		p->others[n++] = (double)(was[i].start_s - was[i].eligible_s);
	}
	what_measure_waits(&g->others[run].with, p->waits, n);
	what_measure_waits(&g->others[run].without, p->others, n);
}

/* Count the jobs that a change lets wait ten minutes less, or more. */
static void count_changed(struct pieces *p, size_t run)
{
	const struct outcome *was = ended_of(p, 0)->row;
	const struct outcome *now = ended_of(p, run)->row;
	struct slurm_study_run *r = &p->study->runs[run];

	for (size_t i = 0; i < p->nrows; i++) {
		int64_t later;

		if (was[i].start_s == 0 || now[i].start_s == 0)
			continue;
		later = (now[i].start_s - now[i].eligible_s) -
			(was[i].start_s - was[i].eligible_s);
		r->shorter += later <= -site_within_s[1];
		r->longer += later >= site_within_s[1];
	}
}

/* Compute the utilization in the log.  Result: 0, or -1 with ENOMEM. */
static int measure_log(const struct pieces *p, struct libra_error *err)
{
	struct slurm_study *s = p->study;
	struct outcome *rows = calloc(p->nrows + 1, sizeof(*rows));

	if (!rows)
		return sim_no_memory(err);
	for (size_t i = 0; i < p->nrows; i++) {
		rows[i].start_s = s->site.jobs[i].start_s;
		rows[i].end_s = s->site.jobs[i].end_s;
	}
	s->measured_pct = used_pct(&s->site, rows, s->first_s, s->last_s);
	free(rows);
	return 0;
}

/* Compute all measures of the study from the results of the scenarios.
 * Result: 0, or -1 with ENOMEM.
 */
static int measure_all(struct pieces *p, struct libra_error *err)
{
	struct slurm_study *s = p->study;

	p->group_of = calloc(STUDY_KINDS * p->nrows + 1, sizeof(*p->group_of));
	p->waits = calloc(p->nrows + 1, sizeof(*p->waits));
	p->others = calloc(p->nrows + 1, sizeof(*p->others));
	s->runs = calloc(s->plan->n, sizeof(*s->runs));
	if (!p->group_of || !p->waits || !p->others || !s->runs)
		return sim_no_memory(err);
	if (make_groups(p, err) < 0)
		return -1;
	span_of(&s->site, &s->first_s, &s->last_s);
	if (measure_log(p, err) < 0)
		return -1;
	for (size_t run = 0; run < s->plan->n; run++) {
		s->runs[run] = ended_of(p, run)->run;
		count_changed(p, run);
	}
	for (uint64_t i = 0; i < s->runs[0].over_submit; i++)
		sched_ignore(&s->ignored, "MaxSubmitJobs");
	if (compare_waits(p, err) < 0)
		return -1;
	for (size_t g = 0; g < s->ngroups; g++) {
		prove(p, g);
		for (size_t run = 0; run < s->plan->n; run++) {
			measure_run(p, g, run);
			if (s->runs[run].share > 0 &&
			    s->groups[g].kind <= STUDY_PARTITION)
				measure_others(p, g, run);
		}
	}
	return 0;
}

/* ---- all of it ---- */

/* Find a wrong change before anything is simulated. */
static int check_changes(const struct slurm_study_conf *conf,
			 struct libra_error *err)
{
	for (size_t i = 1; i < conf->plan->n; i++) {
		struct libra_error why = {""};
		struct slurm_site site;
		int rc = read_site(&site, conf, false,
				   conf->plan->list[i].changes, &why);
		int saved = errno;

		slurm_site_fini(&site);
		if (rc < 0)
			return libra_errf(err, saved, "scenario '%s': %s",
					  conf->plan->list[i].name, why.text);
	}
	return 0;
}

/* Count the jobs of the log, and the requests that are not modelled. */
static int count_jobs(struct slurm_study *s, struct libra_error *err)
{
	struct sched_load load;
	int rc = sched_load(&load, &s->site, err);

	s->jobs = load.model.ntasks;
	s->skipped = load.skipped;
	s->unmodelled = load.unmodelled;
	s->ignored = load.ignored;
	sched_load_fini(&load);
	return rc;
}

int slurm_study_make(struct slurm_study *s, const struct slurm_study_conf *conf,
		     struct libra_error *err)
{
	struct pieces p = {.conf = conf, .study = s};
	struct sim_pieces work = {.n = conf->plan->n,
				  .nsteps = conf->plan->n,
				  .run = run_scenario,
				  .arg = &p};
	char *results = NULL;
	int rc;

	memset(s, 0, sizeof(*s));
	s->plan = conf->plan;
	if (read_site(&s->site, conf, true, NULL, err) < 0 ||
	    check_changes(conf, err) < 0 || count_jobs(s, err) < 0)
		return -1;
	site_sizes_init(&s->sizes, slurm_site_cpus(&s->site));
	p.nrows = s->site.njobs;
	p.size = sizeof(struct ended) + p.nrows * sizeof(struct outcome);
	work.size = p.size * work.n;
	results = calloc(1, work.size);
	work.results = results;
	p.results = results;
	rc = results ? sim_workers_run(&work, conf->workers, conf->progress,
				       conf->progress_arg, err)
		     : sim_no_memory(err);
	if (rc == 0)
		rc = measure_all(&p, err);
	free(results);
	free(p.group_of);
	free(p.waits);
	free(p.others);
	return rc;
}

void slurm_study_fini(struct slurm_study *s)
{
	for (size_t g = 0; g < s->ngroups; g++) {
		free(s->groups[g].runs);
		free(s->groups[g].others);
	}
	free(s->groups);
	free(s->runs);
	slurm_site_fini(&s->site);
}

const char *slurm_study_kind_name(enum slurm_study_kind kind)
{
	static const char *const names[] = {"all", "QOS", "partition",
					    "account", "size"};

	return names[kind];
}

bool slurm_study_distrusts(const struct slurm_study_group *g)
{
	return g->measured.n >= STUDY_LEAST_JOBS &&
	       what_verdict(g->nearness) != WHAT_NEAR;
}

double slurm_study_unmodelled_pct(const struct slurm_study *s)
{
	double all = (double)(s->jobs + s->skipped);

	return all > 0 ? 100 * (double)(s->unmodelled + s->skipped) / all : 0;
}
