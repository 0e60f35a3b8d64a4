/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what.c - the measures of a log, and the simulations beside them. */
#include "sim/site/what.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/run/run.h"
#include "sim/site/measure.h"

enum { MONTH_S = 30 * 86400 };

/* One job as it ran, wherever. */
struct lived {
	double arrival_s, wait_s, run_s;
	uint32_t procs;
};

/* ---- measures ---- */

static void measure_waits(struct what_waits *w, double *values, size_t n)
{
	double sum = 0;

	qsort(values, n, sizeof(*values), site_by_value);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	*w = (struct what_waits){
		.n = n,
		.mean_s = sum / (double)n,
		.p50_s = site_quantile(values, n, 0.5),
		.p90_s = site_quantile(values, n, 0.9),
		.p99_s = site_quantile(values, n, 0.99),
	};
}

static int measure_run(struct what_run *r, const struct lived *jobs, size_t n,
		       double span_s, struct libra_error *err)
{
	double *values = calloc(n + 1, sizeof(*values)), work = 0;
	double bucket_s = span_s / WHAT_BUCKETS;

	if (!values)
		return sim_no_memory(err);
	r->slowdown = 0;
	for (size_t s = 0; s < WHAT_SIZES; s++) {
		size_t k = 0;

		for (size_t i = 0; i < n; i++)
			if (site_size(jobs[i].procs) == s)
				values[k++] = jobs[i].wait_s;
		measure_waits(&r->by_size[s], values, k);
	}
	for (size_t i = 0; i < n; i++) {
		const struct lived *j = &jobs[i];
		double start_s = j->arrival_s + j->wait_s;
		double end_s = start_s + j->run_s;

		values[i] = j->wait_s;
		r->slowdown += site_slowdown(j->wait_s, j->run_s) / (double)n;
		work += j->procs *
			fmax(fmin(end_s, span_s) - fmin(start_s, span_s), 0);
		site_spread(r->busy_pct, WHAT_BUCKETS, bucket_s, start_s, end_s,
			    100.0 * j->procs / r->procs);
		site_spread(r->waiting, WHAT_BUCKETS, bucket_s, j->arrival_s,
			    start_s, 1);
	}
	measure_waits(&r->waits, values, n);
	for (size_t i = 0; i < WHAT_POINTS; i++)
		r->cdf_wait_s[i] = site_quantile(
			values, n, ((double)i + 0.5) / WHAT_POINTS);
	r->utilization_pct = 100 * work / (span_s * r->procs);
	free(values);
	return 0;
}

/* ---- groups ---- */

struct member {
	int32_t number;
	double wait_s, work;
};

static int by_number(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int by_work(const void *a, const void *b)
{
	const struct what_group *x = a, *y = b;

	if (x->work_pct != y->work_pct)
		return x->work_pct > y->work_pct ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int add_group(struct what_groups *g, const struct member *m, size_t n,
		     double all, double *values, struct libra_error *err)
{
	struct what_group *list =
		reallocarray(g->list, g->n + 1, sizeof(*list));
	double work = 0;

	if (!list)
		return sim_no_memory(err);
	g->list = list;
	for (size_t i = 0; i < n; i++) {
		values[i] = m[i].wait_s;
		work += m[i].work;
	}
	list[g->n] = (struct what_group){.number = m[0].number,
					 .work_pct = 100 * work / all};
	measure_waits(&list[g->n++].waits, values, n);
	return 0;
}

static bool is_measured(const struct swf_record *r)
{
	return r->run_s > 0 && r->wait_s >= 0 &&
	       (r->alloc_procs > 0 || r->req_procs > 0);
}

static uint32_t procs_of(const struct swf_record *r)
{
	return (uint32_t)(r->alloc_procs > 0 ? r->alloc_procs : r->req_procs);
}

/* Waits by a field of the log; field is its offset in the record. */
static int measure_groups(struct what_groups *g, const struct swf_trace *trace,
			  size_t field, struct libra_error *err)
{
	struct member *m = calloc(trace->nrecords + 1, sizeof(*m));
	double *values = calloc(trace->nrecords + 1, sizeof(*values)), all = 0;
	size_t n = 0;
	int rc = m && values ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		if (!is_measured(r))
			continue;
		m[n] = (struct member){.wait_s = r->wait_s,
				       .work = procs_of(r) * r->run_s};
		memcpy(&m[n].number, (const char *)r + field, sizeof(int32_t));
		all += m[n++].work;
	}
	if (rc == 0)
		qsort(m, n, sizeof(*m), by_number);
	for (size_t i = 0, k; rc == 0 && i < n; i += k) {
		for (k = 1; i + k < n && m[i + k].number == m[i].number;)
			k++;
		rc = add_group(g, m + i, k, all, values, err);
	}
	if (rc == 0 && g->n > 0)
		qsort(g->list, g->n, sizeof(*g->list), by_work);
	free(m);
	free(values);
	return rc;
}

/* ---- what happened ---- */

static uint32_t machine(const struct what_conf *conf,
			const struct swf_trace *trace)
{
	return conf->procs ? conf->procs : swf_procs(trace);
}

static int measure_limits(struct what *what, const struct swf_trace *trace,
			  struct libra_error *err)
{
	static const double parts[5] = {0.1, 0.25, 0.5, 0.75, 0.9};
	double *values = calloc(trace->nrecords + 1, sizeof(*values));

	if (!values)
		return sim_no_memory(err);
	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		if (r->run_s > 0 && r->request_s > 0)
			values[what->limited++] = r->run_s / r->request_s;
	}
	qsort(values, what->limited, sizeof(*values), site_by_value);
	for (size_t i = 0; i < 5; i++)
		what->limit_used[i] =
			site_quantile(values, what->limited, parts[i]);
	free(values);
	return 0;
}

static int measure_log(struct what *what, const struct swf_trace *trace,
		       const struct what_conf *conf, struct libra_error *err)
{
	struct lived *jobs = calloc(trace->nrecords + 1, sizeof(*jobs));
	double first_s = INFINITY, last_s = -INFINITY;
	size_t n = 0;
	int rc;

	if (!jobs)
		return sim_no_memory(err);
	for (size_t i = 0; i < trace->nrecords; i++) {
		first_s = fmin(first_s, trace->records[i].submit_s);
		last_s = fmax(last_s, trace->records[i].submit_s);
	}
	what->span_s = fmax(last_s - first_s, 1);
	what->bucket_s = what->span_s / WHAT_BUCKETS;
	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		if (is_measured(r))
			jobs[n++] =
				(struct lived){r->submit_s - first_s, r->wait_s,
					       r->run_s, procs_of(r)};
	}
	what->measured_jobs = n;
	what->measured.procs = machine(conf, trace);
	rc = measure_run(&what->measured, jobs, n, what->span_s, err);
	free(jobs);
	return rc;
}

/* ---- what would have happened ---- */

struct pieces {
	struct what *what;
	const struct swf_trace *trace;
	const struct what_conf *conf;
};

static uint32_t scenario_procs(const struct pieces *p,
			       const struct plan_scenario *s)
{
	double procs = machine(p->conf, p->trace);

	return s->procs ? s->procs
			: (uint32_t)fmax(
				  1, rint(procs * (1 + s->procs_pct / 100)));
}

static size_t cap_limits(struct sim_workload *w, double cap_s)
{
	size_t ended = 0;

	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];

		job->job.estimate_s = fmin(job->job.estimate_s, cap_s);
		ended += job->runtime_s > cap_s;
		job->runtime_s = fmin(job->runtime_s, cap_s);
	}
	return ended;
}

static int run_workload(struct what_run *r, const struct pieces *p,
			const struct plan_scenario *s, struct sim_workload *w,
			struct libra_error *err)
{
	struct sim_outcome *outcomes = calloc(w->njobs, sizeof(*outcomes));
	struct lived *jobs = calloc(w->njobs, sizeof(*jobs));
	struct sim_result result;
	size_t n = 0;
	int rc = outcomes && jobs ? 0 : sim_no_memory(err);

	if (s->limits == PLAN_LIMITS_CAPPED)
		r->ended = cap_limits(w, s->cap_s);
	if (rc == 0)
		rc = sim_run(w, s->policy, NULL, &result, outcomes, err);
	for (size_t i = 0; rc == 0 && i < w->njobs; i++)
		if (outcomes[i].accepted)
			jobs[n++] = (struct lived){
				w->jobs[i].job.submit_s,
				outcomes[i].start_s - w->jobs[i].job.submit_s,
				outcomes[i].finish_s - outcomes[i].start_s,
				w->jobs[i].job.nprocs};
	if (rc == 0)
		rc = measure_run(r, jobs, n, p->what->span_s / s->load, err);
	free(outcomes);
	free(jobs);
	return rc;
}

static int run_scenario(struct what_run *r, const struct pieces *p,
			const struct plan_scenario *s, struct libra_error *err)
{
	struct timespec begin, end;
	struct sim_scenario sc;
	struct sim_workload w;
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	sim_scenario_init(&sc);
	sc.procs = r->procs = scenario_procs(p, s);
	sc.size = SIM_SIZE_ALLOCATED;
	sc.arrival_delay = 1 / s->load;
	sc.correct = s->correct;
	sc.inaccuracy_pct = s->limits == PLAN_LIMITS_EXACT ? 0 : 100;
	if (sim_workload_make(&w, p->trace, &sc, err) < 0)
		return -1;
	/* What is out of service was so on the machine as it was. */
	if (s->procs == 0 && s->procs_pct == 0 && s->load == 1)
		w.capacity = p->conf->capacity;
	rc = run_workload(r, p, s, &w, err);
	sim_workload_fini(&w);
	clock_gettime(CLOCK_MONOTONIC, &end);
	r->run_s = (double)(end.tv_sec - begin.tv_sec) +
		   1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
	return rc;
}

/* The records of the last month, and not too many. */
static size_t last_month(const struct pieces *p)
{
	const struct swf_trace *t = p->trace;
	double last_s = t->records[t->nrecords - 1].submit_s;
	size_t n = 0;

	while (n < t->nrecords && n < p->conf->promise_jobs &&
	       t->records[t->nrecords - 1 - n].submit_s > last_s - MONTH_S)
		n++;
	return n;
}

static void count_promises(struct what_promise *pr,
			   const struct sim_workload *w,
			   const struct sim_outcome *outcomes)
{
	double all = 0, work = 0;

	pr->jobs = w->njobs;
	for (size_t i = 0; i < w->njobs; i++) {
		double mine = w->jobs[i].runtime_s * w->jobs[i].job.nprocs;

		all += mine;
		if (!outcomes[i].accepted)
			continue;
		work += mine;
		pr->promised++;
		pr->kept += outcomes[i].fulfilled;
	}
	pr->work_pct = 100 * work / all;
}

/* Every job asks for an end within so many times its limit. */
static int run_promise(struct what_promise *pr, const struct pieces *p,
		       struct libra_error *err)
{
	const struct libra_policy_type *policy =
		libra_policy_find(pr->policy, err);
	struct sim_outcome *outcomes;
	struct sim_result result;
	struct sim_scenario sc;
	struct sim_workload w;
	int rc;

	if (!policy)
		return -1;
	sim_scenario_init(&sc);
	sc.procs = machine(p->conf, p->trace);
	sc.size = SIM_SIZE_ALLOCATED;
	sc.last = last_month(p);
	sc.deadline_model = SIM_DEADLINE_ESTIMATE;
	sc.high_urgency_pct = 100;
	sc.deadline_mean = pr->factor;
	sc.deadline_ratio = 1;
	sc.deadline_cv = 0;
	if (sim_workload_make(&w, p->trace, &sc, err) < 0)
		return -1;
	outcomes = calloc(w.njobs, sizeof(*outcomes));
	rc = outcomes ? sim_run(&w, policy, NULL, &result, outcomes, err)
		      : sim_no_memory(err);
	if (rc == 0)
		count_promises(pr, &w, outcomes);
	free(outcomes);
	sim_workload_fini(&w);
	return rc;
}

/* Promises first: they take longest. */
static int run_piece(struct sim_workers *workers, void *arg, size_t piece,
		     void *results, struct libra_error *err)
{
	struct pieces *p = arg;
	struct what_run *runs = results;
	struct what_promise *promises =
		(struct what_promise *)(runs + p->what->nruns);
	int rc;

	if (piece < p->what->npromises)
		rc = run_promise(&promises[piece], p, err);
	else
		rc = run_scenario(
			&runs[piece - p->what->npromises], p,
			&p->conf->plan->list[piece - p->what->npromises], err);
	sim_workers_step(workers);
	return rc;
}

static void list_promises(struct what_promise *promises,
			  const struct what_conf *conf)
{
	size_t n = 0;

	for (size_t i = 0; conf->policies[i]; i++)
		for (size_t k = 0; k < conf->nfactors; k++) {
			snprintf(promises[n].policy, sizeof(promises[n].policy),
				 "%s", conf->policies[i]);
			promises[n++].factor = conf->factors[k];
		}
}

static int run_all(struct what *what, const struct swf_trace *trace,
		   const struct what_conf *conf, struct libra_error *err)
{
	struct pieces p = {what, trace, conf};
	struct sim_pieces pieces = {.run = run_piece, .arg = &p};
	size_t npolicies = 0;
	void *results;
	int rc;

	while (conf->policies[npolicies])
		npolicies++;
	what->nruns = conf->plan->n;
	what->npromises = npolicies * conf->nfactors;
	pieces.n = pieces.nsteps = what->nruns + what->npromises;
	pieces.size = what->nruns * sizeof(struct what_run) +
		      what->npromises * sizeof(struct what_promise);
	results = calloc(1, pieces.size);
	if (!results)
		return sim_no_memory(err);
	what->runs = results;
	what->promises = (struct what_promise *)(what->runs + what->nruns);
	list_promises(what->promises, conf);
	pieces.results = results;
	rc = sim_workers_run(&pieces, conf->workers, conf->progress, NULL, err);
	return rc;
}

static int measure_all(struct what *what, const struct swf_trace *trace,
		       struct libra_error *err)
{
	const struct {
		struct what_groups *groups;
		size_t field;
	} all[] = {
		{&what->partitions, offsetof(struct swf_record, partition)},
		{&what->queues, offsetof(struct swf_record, queue)},
		{&what->accounts, offsetof(struct swf_record, group)},
		{&what->users, offsetof(struct swf_record, user)},
	};
	int rc = measure_limits(what, trace, err);

	for (size_t i = 0; rc == 0 && i < sizeof(all) / sizeof(all[0]); i++)
		rc = measure_groups(all[i].groups, trace, all[i].field, err);
	return rc;
}

int what_study(struct what *what, const struct swf_trace *trace,
	       const struct what_conf *conf, struct libra_error *err)
{
	int rc;

	memset(what, 0, sizeof(*what));
	rc = measure_log(what, trace, conf, err);
	if (rc == 0)
		rc = measure_all(what, trace, err);
	if (rc == 0)
		rc = run_all(what, trace, conf, err);
	if (rc < 0)
		what_fini(what);
	return rc;
}

void what_fini(struct what *what)
{
	free(what->runs);
	free(what->partitions.list);
	free(what->queues.list);
	free(what->accounts.list);
	free(what->users.list);
	memset(what, 0, sizeof(*what));
}

double what_trust(const struct what *what)
{
	if (what->measured_jobs == 0 || !(what->measured.waits.mean_s > 0))
		return NAN;
	return what->runs[0].waits.mean_s / what->measured.waits.mean_s;
}
