/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.c - jobs from records.
 *
 * One pass over the chosen records in order of submission: repair or drop,
 * then draw.  All counts describe the chosen records, those of repairs the
 * jobs that were kept.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_randist.h>

#include "sim/rng.h"
#include "sim/workload.h"

enum { MAX_REDRAWS = 10000 };

void sim_scenario_init(struct sim_scenario *sc)
{
	*sc = (struct sim_scenario){
		.size = SIM_SIZE_REQUESTED,
		.arrival_delay = 1.0,
		.inaccuracy_pct = 100.0,
		.high_urgency_pct = 20.0,
		.deadline_mean = 4.0,
		.deadline_ratio = 4.0,
		.deadline_cv = 0.25,
		.deadline_model = SIM_DEADLINE_RUN,
		.seed = 1,
	};
}

#define FIELD(field) offsetof(struct sim_scenario, field)

const struct sim_scenario_field sim_scenario_fields[] = {
	{"arrival-delay", "F", "", FIELD(arrival_delay), 0, 1e6,
	 "multiply the times between arrivals"},
	{"inaccuracy", "PCT", "%", FIELD(inaccuracy_pct), 0, 100,
	 "estimates: 0 = the real run time, 100 = the user's"},
	{"high-urgency", "PCT", "%", FIELD(high_urgency_pct), 0, 100,
	 "jobs of the high urgency class"},
	{"deadline-mean", "X", "", FIELD(deadline_mean), 0.01, 1e6,
	 "mean of deadline / run time, high urgency class"},
	{"deadline-ratio", "R", "", FIELD(deadline_ratio), 0.01, 1e6,
	 "the low urgency class's mean is R times that"},
	{"deadline-cv", "C", "", FIELD(deadline_cv), 0, 10,
	 "coefficient of variation of deadline / run time"},
};

const size_t sim_scenario_nfields =
	sizeof(sim_scenario_fields) / sizeof(sim_scenario_fields[0]);

/* The comparison is written so that it refuses NAN. */
int sim_scenario_check(const struct sim_scenario *sc, struct libra_error *err)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		const struct sim_scenario_field *f = &sim_scenario_fields[i];
		double v = *(const double *)((const char *)sc + f->offset);

		if (!(v >= f->min && v <= f->max))
			return libra_errf(err, EINVAL,
					  "%s must be from %g to %g, not %g",
					  f->name, f->min, f->max, v);
	}
	if (sc->size != SIM_SIZE_REQUESTED && sc->size != SIM_SIZE_ALLOCATED)
		return libra_errf(err, EINVAL,
				  "no such choice of processors: %d",
				  (int)sc->size);
	if (sc->deadline_model != SIM_DEADLINE_RUN)
		return libra_errf(err, EINVAL, "no such deadline model: %d",
				  (int)sc->deadline_model);
	return 0;
}

/* The chosen records in order of submission. */

struct choice {
	const struct swf_record *records; /* the first chosen one */
	size_t n;
	size_t *order; /* places in records[], by submission */
};

static int by_submission(const void *a, const void *b, void *arg)
{
	const struct swf_record *records = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	double x = records[i].submit_s, y = records[j].submit_s;

	if (x != y)
		return x < y ? -1 : 1;
	return (i > j) - (i < j);
}

/* Result: how many records were submitted before their predecessor, or -1. */
static int64_t choose(struct choice *c, const struct swf_trace *trace,
		      size_t last, struct libra_error *err)
{
	int64_t unsorted = 0;

	c->n = trace->nrecords;
	if (last > 0 && last < c->n)
		c->n = last;
	c->records = trace->records + (trace->nrecords - c->n);
	c->order = calloc(c->n + 1, sizeof(*c->order));
	if (!c->order)
		return libra_errf(err, ENOMEM, "out of memory for %zu records",
				  c->n);
	for (size_t i = 0; i < c->n; i++) {
		c->order[i] = i;
		unsorted += i > 0 &&
			    c->records[i].submit_s < c->records[i - 1].submit_s;
	}
	if (unsorted > 0)
		qsort_r(c->order, c->n, sizeof(*c->order), by_submission,
			(void *)c->records);
	return unsorted;
}

/* One job. */

static int32_t record_procs(const struct swf_record *r, enum sim_size size)
{
	int32_t first = r->req_procs, second = r->alloc_procs;

	if (size == SIM_SIZE_ALLOCATED) {
		first = r->alloc_procs;
		second = r->req_procs;
	}
	return first > 0 ? first : second;
}

/* Result: whether the record becomes a job; if not it is counted. */
static bool is_kept(struct sim_workload *w, const struct swf_record *r,
		    const struct sim_scenario *sc)
{
	int32_t nprocs = record_procs(r, sc->size);

	if (r->run_s <= 0 && !sc->keep_unrun)
		w->dropped_unrun++;
	else if (nprocs <= 0)
		w->dropped_procs++;
	else if ((uint32_t)nprocs > w->procs)
		w->dropped_large++;
	else
		return true;
	return false;
}

static void set_times(struct sim_workload *w, struct sim_job *job,
		      const struct swf_record *r, const struct sim_scenario *sc)
{
	double run_s = r->run_s, estimate_s = r->request_s;

	if (run_s <= 0) {
		run_s = 1;
		w->given_one_second++;
	}
	if (estimate_s <= 0) {
		estimate_s = run_s;
		w->estimate_from_run++;
	}
	if (sc->kill_at_estimate && run_s > estimate_s) {
		run_s = estimate_s;
		w->run_clipped++;
	}
	job->runtime_s = run_s;
	job->job.estimate_s = estimate_s;
	if (sc->inaccuracy_pct < 100)
		job->job.estimate_s =
			run_s + sc->inaccuracy_pct / 100 * (estimate_s - run_s);
}

/* Normal, drawn again until > 1.  Result: 0, or -1 if that (nearly) never
 * comes.
 */
static int draw_factor(double *factor, const struct sim_scenario *sc,
		       double mean, size_t place, struct libra_error *err)
{
	struct rng_stream stream;

	rng_stream_init(&stream, sc->seed, "deadline", place);
	for (int i = 0; i < MAX_REDRAWS; i++) {
		double z = gsl_ran_ugaussian(&stream.gsl);

		*factor = mean * (1 + sc->deadline_cv * z);
		if (*factor > 1)
			return 0;
		if (sc->deadline_cv == 0)
			break;
	}
	return libra_errf(err, EINVAL,
			  "deadlines of mean %g run times and cv %g are "
			  "(nearly) never longer than the run time: raise the "
			  "mean, the ratio or the cv",
			  mean, sc->deadline_cv);
}

static int set_deadline(struct sim_job *job, const struct sim_scenario *sc,
			size_t place, struct libra_error *err)
{
	struct rng_stream stream;
	double mean = sc->deadline_mean, factor;

	rng_stream_init(&stream, sc->seed, "class", place);
	job->high_urgency = rng_uniform(&stream) * 100 < sc->high_urgency_pct;
	if (!job->high_urgency)
		mean *= sc->deadline_ratio;
	if (draw_factor(&factor, sc, mean, place, err) < 0)
		return -1;
	job->deadline_rel_s = factor * job->runtime_s;
	job->job.deadline_s = job->job.submit_s + job->deadline_rel_s;
	return 0;
}

static int add_job(struct sim_workload *w, const struct choice *c, size_t place,
		   const struct sim_scenario *sc, struct libra_error *err)
{
	const struct swf_record *r = &c->records[place];
	double begin_s = c->records[c->order[0]].submit_s;
	struct sim_job *job = &w->jobs[w->njobs];

	if (!is_kept(w, r, sc))
		return 0;
	w->njobs++;
	job->job.id = (uint64_t)r->number;
	job->job.submit_s = sc->arrival_delay * (r->submit_s - begin_s);
	job->job.nprocs = (uint32_t)record_procs(r, sc->size);
	job->job.user = r->user > 0 ? (uint32_t)r->user : 0;
	set_times(w, job, r, sc);
	return set_deadline(job, sc, place, err);
}

static int fail_empty(const struct sim_workload *w, struct libra_error *err)
{
	return libra_errf(err, EINVAL,
			  "no job is left of %zu records: %zu never ran, %zu "
			  "have no processors, %zu need more than the %u "
			  "processors of the machine",
			  w->records, w->dropped_unrun, w->dropped_procs,
			  w->dropped_large, w->procs);
}

static int add_jobs(struct sim_workload *w, const struct choice *c,
		    const struct sim_scenario *sc, struct libra_error *err)
{
	w->jobs = calloc(c->n + 1, sizeof(*w->jobs));
	if (!w->jobs)
		return libra_errf(err, ENOMEM, "out of memory for %zu jobs",
				  c->n);
	for (size_t i = 0; i < c->n; i++) {
		if (add_job(w, c, c->order[i], sc, err) < 0)
			return -1;
	}
	return w->njobs > 0 ? 0 : fail_empty(w, err);
}

int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err)
{
	struct choice c;
	int64_t unsorted;
	int rc, saved;

	memset(w, 0, sizeof(*w));
	if (sim_scenario_check(sc, err) < 0)
		return -1;
	unsorted = choose(&c, trace, sc->last, err);
	if (unsorted < 0)
		return -1;
	w->procs = sc->procs ? sc->procs : swf_procs(trace);
	w->records = c.n;
	w->reordered = (size_t)unsorted;
	rc = add_jobs(w, &c, sc, err);
	saved = errno;
	free(c.order);
	if (rc < 0)
		sim_workload_fini(w);
	errno = saved;
	return rc;
}

void sim_workload_fini(struct sim_workload *w)
{
	free(w->jobs);
	memset(w, 0, sizeof(*w));
}
