/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_log.c - what happened: waits, use and limits as the log has them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/site/what_impl.h"

/* ---- measures ---- */

void what_measure_waits(struct what_waits *w, double *values, size_t n)
{
	double sum = 0;

	qsort(values, n, sizeof(*values), site_by_value);
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	*w = (struct what_waits){
		.n = n,
		.mean_s = n > 0 ? sum / (double)n : NAN,
		.p50_s = site_quantile(values, n, 0.5),
		.p90_s = site_quantile(values, n, 0.9),
		.p99_s = site_quantile(values, n, 0.99),
	};
}

int what_measure_run(struct what_run *r, const struct lived *jobs, size_t n,
		     double span_s, const struct site_sizes *sizes,
		     struct libra_error *err)
{
	double *values = calloc(n + 1, sizeof(*values)), work = 0;
	double bucket_s = span_s / WHAT_BUCKETS;

	if (!values)
		return sim_no_memory(err);
	r->slowdown = 0;
	for (size_t s = 0; s < WHAT_SIZES; s++) {
		size_t k = 0;

		for (size_t i = 0; i < n; i++)
			if (site_size(sizes, jobs[i].procs) == s)
				values[k++] = jobs[i].wait_s;
		what_measure_waits(&r->by_size[s], values, k);
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
	what_measure_waits(&r->waits, values, n);
	for (size_t i = 0; i < WHAT_POINTS; i++)
		r->cdf_wait_s[i] = site_quantile(
			values, n, ((double)i + 0.5) / WHAT_POINTS);
	r->utilization_pct = 100 * work / (span_s * r->procs);
	if (n == 0)
		r->slowdown = r->utilization_pct = NAN;
	free(values);
	return 0;
}

/* ---- the replay ---- */

/* A wait, and the index of its job. */
struct ranked {
	double value;
	size_t job;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* Set the rank of each job's wait, minus the mean of all ranks.  Equal waits
 * share the mean of their ranks; waits below WHAT_LEAST_WAIT_S are equal.
 */
static void rank_waits(double *rank, struct ranked *list,
		       const struct lived *jobs, size_t n, bool logged)
{
	for (size_t i = 0; i < n; i++)
		list[i] = (struct ranked){
			fmax(logged ? jobs[i].logged_s : jobs[i].wait_s,
			     WHAT_LEAST_WAIT_S),
			i};
	qsort(list, n, sizeof(*list), by_rank);
	for (size_t i = 0, k; i < n; i += k) {
		for (k = 1; i + k < n && list[i + k].value == list[i].value;)
			k++;
		for (size_t j = i; j < i + k; j++)
			rank[list[j].job] =
				(double)i + (double)k / 2 - (double)n / 2;
	}
}

/* Set the rank correlation of simulated and logged waits. */
static int correlate(double *ranks, const struct lived *jobs, size_t n,
		     struct libra_error *err)
{
	double *x = calloc(2 * n + 1, sizeof(*x)), *y = x ? x + n : NULL;
	struct ranked *list = calloc(n + 1, sizeof(*list));
	double xx = 0, yy = 0, xy = 0;
	int rc = x && list ? 0 : sim_no_memory(err);

	if (rc == 0) {
		rank_waits(x, list, jobs, n, true);
		rank_waits(y, list, jobs, n, false);
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		xx += x[i] * x[i];
		yy += y[i] * y[i];
		xy += x[i] * y[i];
	}
	*ranks = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
	free(x);
	free(list);
	return rc;
}

int what_measure_replay(struct what_replay *replay, const struct lived *jobs,
			size_t n, const struct what *what,
			struct libra_error *err)
{
	uint32_t procs = what->measured.procs;
	struct lived *same = calloc(n + 1, sizeof(*same));
	size_t k = 0;
	int rc = same ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (jobs[i].logged_s >= 0)
			same[k++] = jobs[i];
	replay->measured.procs = replay->simulated.procs = procs;
	if (rc == 0)
		rc = what_measure_run(&replay->simulated, same, k, what->span_s,
				      &what->sizes, err);
	if (rc == 0)
		rc = correlate(&replay->ranks, same, k, err);
	for (size_t i = 0; i < k; i++)
		same[i].wait_s = same[i].logged_s;
	if (rc == 0)
		rc = what_measure_run(&replay->measured, same, k, what->span_s,
				      &what->sizes, err);
	free(same);
	return rc;
}

/* ---- groups ---- */

/* A job of a group: its number in the field, wait and work. */
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

/* Add the group of n jobs with the same number.  all: the work of all jobs.
 * values has room for n.
 * Result: 0, or -1 with ENOMEM.
 */
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
	what_measure_waits(&list[g->n++].waits, values, n);
	return 0;
}

bool what_is_job(const struct swf_record *r)
{
	return r->run_s > 0 && swf_job_procs(r) > 0;
}

/* Return true if a record is a job whose wait the log knows. */
static bool is_measured(const struct swf_record *r)
{
	return what_is_job(r) && r->wait_s >= 0;
}

uint32_t what_procs(const struct swf_record *r)
{
	return (uint32_t)swf_job_procs(r);
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
				       .work = what_procs(r) * r->run_s};
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

/* Set the quantiles of run time / limit.
 * Result: 0, or -1 with ENOMEM.
 */
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

int what_measure_log(struct what *what, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err)
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

		what->unrun += !what_is_job(r);
		if (is_measured(r))
			jobs[n++] = (struct lived){r->submit_s - first_s,
						   r->wait_s, r->run_s,
						   what_procs(r), r->wait_s};
	}
	what->measured_jobs = n;
	what->measured.procs = procs;
	what->first_s = first_s;
	site_sizes_init(&what->sizes, procs);
	rc = what_measure_run(&what->measured, jobs, n, what->span_s,
			      &what->sizes, err);
	free(jobs);
	return rc;
}

int what_measure_groups(struct what *what, const struct swf_trace *trace,
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
