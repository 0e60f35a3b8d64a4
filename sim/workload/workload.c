/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.c - jobs from records.
 *
 * One pass over the chosen records in order of submission: repair or drop, then
 * draw.  Counts of drops are over the chosen records, counts of repairs over
 * the jobs that were kept.
 */
#include "sim/workload/workload.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/workload/draw.h"

/* The chosen records in order of submission. */

/* The chosen records, in order of submission. */
struct choice {
	const struct swf_record *records; /* the first chosen one */
	size_t n;
	size_t *order; /* places in records[], by submission; NULL: all are */
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
	c->order = NULL;
	for (size_t i = 1; i < c->n; i++)
		unsorted += c->records[i].submit_s < c->records[i - 1].submit_s;
	if (unsorted == 0)
		return 0;
	c->order = calloc(c->n, sizeof(*c->order));
	if (!c->order)
		return sim_no_memory(err);
	for (size_t i = 0; i < c->n; i++)
		c->order[i] = i;
	qsort_r(c->order, c->n, sizeof(*c->order), by_submission,
		(void *)c->records);
	return unsorted;
}

/* The place of the i-th record by submission. */
static size_t place_of(const struct choice *c, size_t i)
{
	return c->order ? c->order[i] : i;
}

/* One job. */

int32_t sim_record_procs(const struct swf_record *r, enum sim_size size)
{
	return size == SIM_SIZE_ALLOCATED ? r->alloc_procs : r->req_procs;
}

/* Return the processors of a record by a field, or by the other field if it is
 * missing.
 */
static int32_t job_procs(const struct swf_record *r, enum sim_size size)
{
	enum sim_size other = size == SIM_SIZE_ALLOCATED ? SIM_SIZE_REQUESTED
							 : SIM_SIZE_ALLOCATED;
	int32_t procs = sim_record_procs(r, size);

	return procs > 0 ? procs : sim_record_procs(r, other);
}

static double whole(double seconds, const struct sim_scenario *sc)
{
	return sc->prediction.filter == SIM_FILTER_SC15 ? floor(seconds)
							: seconds;
}

/* Count a record that the filter sc15 drops for another reason.  Result: true
 * if it is kept.
 */
static bool is_complete(struct sim_workload *w, const struct swf_record *r)
{
	if (floor(r->request_s) <= 0)
		w->dropped_unrequested++;
	else if (r->submit_s < 0)
		w->dropped_unsubmitted++;
	else
		return true;
	return false;
}

/* Result: whether the record becomes a job; a drop is counted. */
static bool is_kept(struct sim_workload *w, const struct swf_record *r,
		    const struct sim_scenario *sc)
{
	int32_t nprocs = job_procs(r, sc->size);

	if (whole(r->run_s, sc) <= 0 && !sc->keep_unrun)
		w->dropped_unrun++;
	else if (nprocs <= 0)
		w->dropped_procs++;
	else if ((uint32_t)nprocs > w->procs)
		w->dropped_large++;
	else if (w->prediction.filter == SIM_FILTER_SC15)
		return is_complete(w, r);
	else
		return true;
	return false;
}

/* Set run time and estimate of a job, repaired and counted. */
static void set_times(struct sim_workload *w, struct sim_job *job,
		      const struct swf_record *r, const struct sim_scenario *sc)
{
	double run_s = whole(r->run_s, sc);
	double estimate_s = whole(r->request_s, sc);

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
		job->killed = w->enforced;
	}
	job->runtime_s = run_s;
	job->job.estimate_s = estimate_s;
	if (sc->inaccuracy_pct < 100)
		job->job.estimate_s =
			run_s + sc->inaccuracy_pct / 100 * (estimate_s - run_s);
}

/* Add the job of a record, or count why it is dropped. */
static void add_job(struct sim_workload *w, const struct choice *c,
		    size_t place, const struct sim_scenario *sc)
{
	const struct swf_record *r = &c->records[place];
	struct sim_job *job = &w->jobs[w->njobs];

	if (!is_kept(w, r, sc))
		return;
	w->njobs++;
	*job = (struct sim_job){.high_urgency = false};
	job->place = place;
	job->job.id = (uint64_t)r->number;
	job->job.submit_s = sc->arrival_delay * (r->submit_s - w->begin_s);
	job->job.nprocs = (uint32_t)job_procs(r, sc->size);
	job->job.user = r->user > 0 ? (uint32_t)r->user : 0;
	set_times(w, job, r, sc);
}

/* Report that no job is left, with the counts of dropped records. */
static int fail_empty(const struct sim_workload *w, struct libra_error *err)
{
	return libra_errf(
		err, EINVAL,
		"no job is left of %zu records: %zu never ran, %zu "
		"have no processors, %zu need more than the machine's "
		"%u processors",
		w->records, w->dropped_unrun, w->dropped_procs,
		w->dropped_large, w->procs);
}

/* Add the jobs of all chosen records, and draw their values. */
static int add_jobs(struct sim_workload *w, const struct choice *c,
		    const struct sim_scenario *sc, struct libra_error *err)
{
	w->jobs = sim_large(c->n + 1, sizeof(*w->jobs));
	if (!w->jobs)
		return sim_no_memory(err);
	for (size_t i = 0; i < c->n; i++)
		w->mean_run_s += c->records[i].run_s / (double)c->n;
	for (size_t i = 0; i < c->n; i++)
		add_job(w, c, place_of(c, i), sc);
	if (w->njobs == 0)
		return fail_empty(w, err);
	return sim_workload_draw(w, sc, err);
}

int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err)
{
	struct sim_scenario filtered = *sc;
	struct choice c;
	int64_t unsorted;
	int rc, saved;

	memset(w, 0, sizeof(*w));
	if (sim_scenario_check(sc, err) < 0)
		return -1;
	if (sc->prediction.filter == SIM_FILTER_SC15) {
		filtered.size = SIM_SIZE_REQUESTED;
		filtered.keep_unrun = false;
		filtered.kill_at_estimate = true;
	}
	unsorted = choose(&c, trace, sc->last, err);
	if (unsorted < 0)
		return -1;
	w->procs = sc->procs ? sc->procs : swf_procs(trace);
	w->execution = sc->execution;
	w->correct = sc->correct;
	w->has_ordinary = sc->ordinary_pct >= 0;
	w->enforced = sc->kill_at_estimate;
	w->begin_s = c.n > 0 ? c.records[place_of(&c, 0)].submit_s : 0;
	w->seed = sc->seed;
	w->prediction = sc->prediction;
	w->records = c.n;
	w->reordered = (size_t)unsorted;
	rc = add_jobs(w, &c, &filtered, err);
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
