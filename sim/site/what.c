/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what.c - the simulations of a what-if study. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/run/run.h"
#include "sim/site/what_impl.h"

enum { MONTH_S = 30 * 86400 };

/* ---- what would have happened ---- */

/* A machine of the site, and the jobs of its partitions. */
struct machine {
	struct swf_trace trace; /* the log, with these records alone */
	uint32_t procs;
};

/* Data that the worker processes read. */
struct pieces {
	struct what *what;
	const struct swf_trace *trace;
	const struct what_conf *conf;
	struct sim_workers *workers; /* this process */
	const struct machine *machines;
	size_t nmachines;
};

/* The processors of a machine in a scenario. */
static uint32_t scenario_procs(const struct pieces *p,
			       const struct plan_scenario *s, uint32_t procs)
{
	double factor = s->procs ? (double)s->procs / p->what->measured.procs
				 : 1 + s->procs_pct / 100;

	return (uint32_t)fmax(1, rint(procs * factor));
}

/* Cut the limits of all jobs to cap_s, and end the jobs that run longer.
 * Result: the number of ended jobs.
 */
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

/* Add the jobs of one machine to those that ran; its instant 0 is its own first
 * submission.  trace is what the workload was made of.
 */
static int run_workload(struct what_run *r, const struct pieces *p,
			const struct plan_scenario *s, struct sim_workload *w,
			const struct swf_trace *trace, struct lived *jobs,
			size_t *n, struct libra_error *err)
{
	struct sim_outcome *outcomes = calloc(w->njobs, sizeof(*outcomes));
	double later_s = (w->begin_s - p->what->first_s) / s->load;
	struct sim_result result;
	int rc = outcomes ? 0 : sim_no_memory(err);

	if (s->limits == PLAN_LIMITS_CAPPED)
		r->ended += cap_limits(w, s->cap_s);
	if (rc == 0)
		rc = sim_run(w, s->policy, NULL, &result, outcomes, err);
	for (size_t i = 0; rc == 0 && i < w->njobs; i++)
		if (outcomes[i].accepted)
			jobs[(*n)++] = (struct lived){
				later_s + w->jobs[i].job.submit_s,
				outcomes[i].start_s - w->jobs[i].job.submit_s,
				outcomes[i].finish_s - outcomes[i].start_s,
				w->jobs[i].job.nprocs,
				trace->records[w->jobs[i].place].wait_s};
	free(outcomes);
	return rc;
}

/* How many jobs need more than some processors, and at most so many? */
static size_t count_jobs(const struct swf_trace *trace, uint32_t above,
			 uint32_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		n += what_is_job(r) && what_procs(r) > above &&
		     what_procs(r) <= most;
	}
	return n;
}

/* How many jobs fit the machine as it was, and not a scenario's? */
static size_t count_left_out(const struct pieces *p,
			     const struct plan_scenario *s)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nmachines; i++) {
		const struct machine *m = &p->machines[i];

		n += count_jobs(&m->trace, scenario_procs(p, s, m->procs),
				m->procs);
	}
	return n;
}

/* Remove the jobs that need more than so many processors. */
static void drop_large(struct sim_workload *w, uint32_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < w->njobs; i++)
		if (w->jobs[i].job.nprocs <= most)
			w->jobs[n++] = w->jobs[i];
	w->njobs = n;
}

/* Simulate the jobs of a machine that fit it in both scenarios, under s. */
static int run_machine(struct what_run *r, const struct pieces *p,
		       const struct plan_scenario *s,
		       const struct plan_scenario *other,
		       const struct machine *m, struct lived *jobs, size_t *n,
		       struct libra_error *err)
{
	struct sim_scenario sc;
	struct sim_workload w;
	uint32_t most;
	int rc;

	sim_scenario_init(&sc);
	sc.procs = scenario_procs(p, s, m->procs);
	sc.size = SIM_SIZE_ALLOCATED;
	sc.arrival_delay = 1 / s->load;
	sc.correct = s->correct;
	sc.inaccuracy_pct = s->limits == PLAN_LIMITS_EXACT ? 0 : 100;
	most = scenario_procs(p, other, m->procs);
	most = most < sc.procs ? most : sc.procs;
	r->procs += sc.procs;
	r->too_large += count_jobs(&m->trace, most, UINT32_MAX);
	if (count_jobs(&m->trace, 0, most) == 0 &&
	    (p->conf->parts || s != other))
		return 0;
	if (sim_workload_make(&w, &m->trace, &sc, err) < 0)
		return -1;
	drop_large(&w, most);
	/* What is out of service was so on the machine as it was. */
	if (s->procs == 0 && s->procs_pct == 0 && s->load == 1)
		w.capacity = p->conf->capacity;
	w.progress = sim_workers_part;
	w.progress_arg = p->workers;
	rc = run_workload(r, p, s, &w, &m->trace, jobs, n, err);
	sim_workload_fini(&w);
	return rc;
}

/* Simulate the jobs that fit their machines in both scenarios, under s.  replay
 * is that of the log as it was, or NULL.
 */
static int run_scenario(struct what_run *r, struct what_replay *replay,
			const struct pieces *p, const struct plan_scenario *s,
			const struct plan_scenario *other,
			struct libra_error *err)
{
	struct lived *jobs = calloc(p->trace->nrecords + 1, sizeof(*jobs));
	int rc = jobs ? 0 : sim_no_memory(err);
	struct timespec begin, end;
	size_t n = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (size_t i = 0; rc == 0 && i < p->nmachines; i++)
		rc = run_machine(r, p, s, other, &p->machines[i], jobs, &n,
				 err);
	if (rc == 0 && n == 0 && s == other)
		rc = libra_errf(err, EINVAL,
				"no job is left: %zu are larger than the "
				"machines of their partitions, %zu of no known "
				"partition",
				r->too_large, p->what->unplaced);
	if (rc == 0)
		rc = what_measure_run(r, jobs, n, p->what->span_s / s->load,
				      &p->what->sizes, err);
	if (rc == 0 && replay)
		rc = what_measure_replay(replay, jobs, n, p->what, err);
	free(jobs);
	clock_gettime(CLOCK_MONOTONIC, &end);
	r->run_s = (double)(end.tv_sec - begin.tv_sec) +
		   1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
	return rc;
}

/* Run scenario k; if it leaves jobs out, also what the others had as it was. */
static int run_pair(struct what_run *runs, struct what_replay *replay,
		    const struct pieces *p, size_t k, struct libra_error *err)
{
	const struct plan_scenario *first = p->conf->plan->list;
	struct what_run *was = runs + p->what->nruns;
	int rc;

	rc = run_scenario(&runs[k], k == 0 ? replay : NULL, p, &first[k], first,
			  err);
	runs[k].left_out = count_left_out(p, &first[k]);
	if (rc == 0 && runs[k].left_out > 0)
		rc = run_scenario(&was[k], NULL, p, first, &first[k], err);
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

/* Count the jobs that a simulated policy promised an end, and their work. */
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
	sc.procs = p->what->measured.procs;
	sc.size = SIM_SIZE_ALLOCATED;
	sc.last = p->what->month_records;
	sc.deadline_model = SIM_DEADLINE_ESTIMATE;
	sc.high_urgency_pct = 100;
	sc.deadline_mean = pr->factor;
	sc.deadline_ratio = 1;
	sc.deadline_cv = 0;
	if (sim_workload_make(&w, p->trace, &sc, err) < 0)
		return -1;
	w.progress = sim_workers_part;
	w.progress_arg = p->workers;
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
	struct what_replay *replay =
		(struct what_replay *)(runs + 2 * p->what->nruns);
	struct what_promise *promises = (struct what_promise *)(replay + 1);
	int rc;

	p->workers = workers;
	if (piece < p->what->npromises)
		rc = run_promise(&promises[piece], p, err);
	else
		rc = run_pair(runs, replay, p, piece - p->what->npromises, err);
	sim_workers_step(workers);
	return rc;
}

/* Name the policy and the factor of each simulation of promises. */
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

/* A job that names no limit has its partition's. */
static double limit_of(const struct swf_record *r, const struct site_part *part)
{
	double most_s = fmax(part->max_s, r->run_s);

	if (r->request_s > 0)
		return fmin(r->request_s, most_s);
	if (!isnan(part->default_s))
		return part->default_s;
	return isfinite(most_s) ? most_s : r->request_s;
}

/* Free the machines of list_machines(). */
static void free_machines(struct pieces *p)
{
	struct machine *m = (struct machine *)p->machines;

	for (size_t i = 0; p->conf->parts && m && i < p->nmachines; i++)
		free(m[i].trace.records);
	free(m);
}

/* The whole log on one machine, or each job on that of its partition. */
static int list_machines(struct pieces *p, struct libra_error *err)
{
	const struct site_parts *parts = p->conf->parts;
	struct machine *m;

	p->nmachines = parts ? parts->nmachines : 1;
	p->machines = m = calloc(p->nmachines, sizeof(*m));
	if (!m)
		return sim_no_memory(err);
	for (size_t i = 0; i < p->nmachines; i++) {
		m[i].trace = *p->trace;
		m[i].procs = parts ? parts->procs[i] : p->what->measured.procs;
		if (!parts)
			return 0;
		m[i].trace.nrecords = 0;
		m[i].trace.records = NULL;
	}
	for (size_t i = 0; i < p->nmachines; i++) {
		m[i].trace.records = calloc(p->trace->nrecords + 1,
					    sizeof(*m[i].trace.records));
		if (!m[i].trace.records)
			return sim_no_memory(err);
	}
	for (size_t i = 0; i < p->trace->nrecords; i++) {
		struct swf_record r = p->trace->records[i];
		const struct site_part *part =
			site_parts_find(parts, p->trace, r.partition);
		struct swf_trace *t = part ? &m[part->machine].trace : NULL;

		if (!part) {
			p->what->unplaced++;
			continue;
		}
		r.request_s = limit_of(&r, part);
		t->records[t->nrecords++] = r;
	}
	if (p->what->unplaced < p->trace->nrecords)
		return 0;
	return libra_errf(err, EINVAL,
			  "no job of the log is of a partition in that file");
}

/* Run all scenarios and promises in worker processes.
 * Result: 0, or -1 with err.
 */
static int run_all(struct what *what, const struct swf_trace *trace,
		   const struct what_conf *conf, struct libra_error *err)
{
	struct pieces p = {.what = what, .trace = trace, .conf = conf};
	struct sim_pieces pieces = {.run = run_piece, .arg = &p};
	size_t npolicies = 0;
	void *results;
	int rc;

	while (conf->policies[npolicies])
		npolicies++;
	what->nruns = conf->plan->n;
	what->npromises = npolicies * conf->nfactors;
	pieces.n = pieces.nsteps = what->nruns + what->npromises;
	pieces.size = 2 * what->nruns * sizeof(struct what_run) +
		      sizeof(struct what_replay) +
		      what->npromises * sizeof(struct what_promise);
	results = calloc(1, pieces.size);
	if (!results)
		return sim_no_memory(err);
	what->runs = results;
	what->was = what->runs + what->nruns;
	what->replay = (struct what_replay *)(what->was + what->nruns);
	what->promises = (struct what_promise *)(what->replay + 1);
	list_promises(what->promises, conf);
	pieces.results = results;
	what->month_records = last_month(&p);
	rc = list_machines(&p, err);
	if (rc == 0)
		rc = sim_workers_run(&pieces, conf->workers, conf->progress,
				     conf->progress_arg, err);
	free_machines(&p);
	for (size_t i = 0; rc == 0 && i < what->nruns; i++)
		if (what->runs[i].left_out == 0)
			what->was[i] = what->runs[0];
	return rc;
}

/* The processors of all machines. */
static uint32_t machine_procs(const struct what_conf *conf,
			      const struct swf_trace *trace)
{
	uint32_t procs = 0;

	if (conf->procs)
		return conf->procs;
	for (size_t i = 0; conf->parts && i < conf->parts->nmachines; i++)
		procs += conf->parts->procs[i];
	return procs ? procs : swf_procs(trace);
}

int what_study(struct what *what, const struct swf_trace *trace,
	       const struct what_conf *conf, struct libra_error *err)
{
	int rc;

	memset(what, 0, sizeof(*what));
	rc = what_measure_log(what, trace, machine_procs(conf, trace), err);
	if (rc == 0)
		rc = what_measure_groups(what, trace, err);
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

/* ---- how far to trust it ---- */

/* The smaller of two positive values / the larger one. */
static double nearness(double a, double b)
{
	return fmin(a, b) / fmax(a, b);
}

double what_wait_nearness(double a_s, double b_s)
{
	return nearness(fmax(a_s, WHAT_LEAST_WAIT_S),
			fmax(b_s, WHAT_LEAST_WAIT_S));
}

struct what_trust what_trust(const struct what *what)
{
	const struct what_run *m = &what->replay->measured;
	const struct what_run *s = &what->replay->simulated;
	struct what_trust t = {.worst_nearness = NAN};

	if (m->waits.n == 0) {
		for (size_t i = 0; i < WHAT_MEASURES; i++)
			t.nearness[i] = NAN;
		return t;
	}
	t.nearness[WHAT_MEAN] =
		what_wait_nearness(m->waits.mean_s, s->waits.mean_s);
	t.nearness[WHAT_MEDIAN] =
		what_wait_nearness(m->waits.p50_s, s->waits.p50_s);
	t.nearness[WHAT_P90] =
		what_wait_nearness(m->waits.p90_s, s->waits.p90_s);
	t.nearness[WHAT_SLOWDOWN] = nearness(m->slowdown, s->slowdown);
	t.nearness[WHAT_RANKS] = what->replay->ranks;
	for (size_t i = 0; i < WHAT_MEASURES; i++)
		if (i == 0 || t.nearness[i] < t.worst_nearness) {
			t.worst_nearness = t.nearness[i];
			t.worst = (enum what_measure)i;
		}
	t.verdict = what_verdict(t.worst_nearness);
	return t;
}

enum what_verdict what_verdict(double nearness)
{
	if (isnan(nearness))
		return WHAT_UNKNOWN;
	return nearness > 2.0 / 3   ? WHAT_NEAR
	       : nearness > 1.0 / 3 ? WHAT_ROUGH
				    : WHAT_FAR;
}

const char *what_verdict_name(enum what_verdict verdict)
{
	static const char *const names[] = {"unknown", "near", "rough", "far"};

	return names[verdict];
}

const char *what_measure_name(enum what_measure measure)
{
	static const char *const names[WHAT_MEASURES] = {
		"mean wait", "median wait", "90th percentile of the waits",
		"slowdown", "rank correlation of the waits"};

	return names[measure];
}

const char *what_change(char buf[WHAT_CHANGE_SIZE], double value, double was)
{
	double pct = rint(100 * (value - was) / was);

	/* No sign of nothing. */
	snprintf(buf, WHAT_CHANGE_SIZE, pct == 0 ? "%.0f %%" : "%+.0f %%",
		 pct == 0 ? 0 : pct);
	return buf;
}

const char *what_direction(double value, double was)
{
	if (!isfinite(value) || !isfinite(was))
		return "-";
	if (fabs(value - was) < 0.05 * was || value == was)
		return "same";
	return value < was ? "lower" : "higher";
}

const char *what_wait_direction(double wait_s, double was_s)
{
	if (!isfinite(wait_s))
		return "-";
	return what_direction(fmax(wait_s, WHAT_LEAST_WAIT_S),
			      fmax(was_s, WHAT_LEAST_WAIT_S));
}
