/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait_check.c - see wait_check.h. */
#include "sim/site/wait_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/formula/forecast.h"
#include "sim/base/memory.h"
#include "sim/site/measure.h"

enum { WAIT, BOUND, ERROR, PLANNED, LIMITS, MEASURES };

/* The forecasts with a bound: n numbers of each measure. */
struct answers {
	const struct libra_forecast_job *jobs;
	double *values[MEASURES];
	size_t n, kept;
	size_t cap[MEASURES];
};

/* Receive a forecast and keep its measures.
 * Result: 0, or -1 with ENOMEM.
 */
static int take(void *context, const struct libra_start_forecast *f)
{
	struct answers *a = context;
	double start_s = a->jobs[f->job].start_s;
	const double measured[MEASURES] = {
		[WAIT] = start_s - f->asked_s,
		[BOUND] = f->bound_s - f->asked_s,
		[ERROR] = fabs(f->estimate_s - start_s),
		[PLANNED] = fabs(f->planned_s - start_s),
		[LIMITS] = fabs(f->limits_s - start_s),
	};

	if (isnan(f->bound_s))
		return 0;
	for (int i = 0; i < MEASURES; i++) {
		double *grown = sim_grown(a->values[i], &a->cap[i], a->n + 1,
					  sizeof(double));

		if (!grown)
			return -1;
		a->values[i] = grown;
		a->values[i][a->n] = measured[i];
	}
	a->n++;
	a->kept += start_s <= f->bound_s;
	return 0;
}

/* Sort values and return their median; NAN if n is 0. */
static double median(double *values, size_t n)
{
	if (n > 0)
		qsort(values, n, sizeof(*values), site_by_value);
	return site_quantile(values, n, 0.5);
}

static int by_submit(const void *a, const void *b)
{
	const struct libra_forecast_job *x = a, *y = b;

	return (x->submit_s > y->submit_s) - (x->submit_s < y->submit_s);
}

/* Copy the jobs of a log, by submission.  A job without a limit gets the
 * largest limit of the log.
 * Result: their number.
 */
static size_t take_jobs(struct libra_forecast_job *jobs,
			const struct swf_trace *trace, struct wait_check *check)
{
	double most_s = 0;
	size_t n = 0;

	for (size_t i = 0; i < trace->nrecords; i++)
		most_s = fmax(most_s, trace->records[i].request_s);
	for (size_t i = 0; most_s > 0 && i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];
		double start_s = r->submit_s + r->wait_s;

		if (r->wait_s < 0 || r->run_s < 0 || swf_job_procs(r) <= 0)
			continue;
		check->unlimited += !(r->request_s > 0);
		jobs[n] = (struct libra_forecast_job){
			.user = (uint32_t)r->user,
			.procs = (uint32_t)swf_job_procs(r),
			.limit_s = r->request_s > 0 ? r->request_s : most_s,
			.submit_s = r->submit_s,
			.start_s = start_s,
			.end_s = start_s + r->run_s,
			.place = (double)n,
		};
		n++;
	}
	if (n)
		qsort(jobs, n, sizeof(*jobs), by_submit);
	return n;
}

int wait_check(struct wait_check *check, const struct swf_trace *trace,
	       uint32_t procs, struct libra_error *err)
{
	struct libra_forecast_job *jobs =
		calloc(trace->nrecords + 1, sizeof(*jobs));
	struct answers a = {.jobs = jobs};
	int rc = -1;

	*check = (struct wait_check){.percent = LIBRA_FORECAST_PERCENT};
	if (!jobs)
		return sim_no_memory(err);
	check->jobs = take_jobs(jobs, trace, check);
	if (check->jobs == 0)
		libra_errf(err, EINVAL,
			   "no record of the log has a wait (field 3), or none "
			   "a limit (field 9): there is nothing to check");
	else
		rc = libra_forecast_all(jobs, check->jobs, procs, INFINITY,
					take, &a, err);
	check->asked = a.n;
	check->kept = a.kept;
	check->wait_s = median(a.values[WAIT], a.n);
	check->bound_s = median(a.values[BOUND], a.n);
	check->error_s = median(a.values[ERROR], a.n);
	check->planned_error_s = median(a.values[PLANNED], a.n);
	check->limits_error_s = median(a.values[LIMITS], a.n);
	for (int i = 0; i < MEASURES; i++)
		free(a.values[i]);
	free(jobs);
	return rc;
}
