/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advise.c - which deadlines would be accepted: trials, and searches over them.
 *
 * Queries for one or several equal jobs (engine.h): would they be accepted, the
 * earliest deadline with which they would, whether that is exact, and which
 * deadline to suggest to a user.  A policy makes single trials; nothing here
 * changes a promise.
 */
#include <math.h>

#include "core/check.h"
#include "core/engine_impl.h"
#include "core/where.h"

/* The most doublings of the deadline, and how much later than the earliest one
 * the result may be, as a fraction of the time until it.
 */
#define DOUBLINGS   40
#define MOST_STEPS  64 /* for instants too large for whole seconds */
#define EXACT	    0.005
#define EXACT_S	    1.0
#define EXACT_BOUND (1.0 / 64)
/* A user acts on advice some seconds later: clocks round, and the needs of jobs
 * that have not started rise until they start.  So a deadline is tried as of
 * now and as of later.  If a later trial is not possible, the deadline is a
 * little later, and is tried with an estimate that is longer by a fraction of
 * the time until it.
 */
#define ADVICE_MARGIN_S 5.0
#define ADVICE_MARGIN	0.02
#define ADVICE_TRIALS	8
#define TRIALS		4   /* of one deadline */
#define CLOCK_S		1.0 /* now+5minutes counts from a whole second */

/* Return true if the query is valid. */
static bool is_askable(const struct libra_engine *e,
		       const struct libra_job *job, double now_s)
{
	return libra_check_job(job, now_s, NULL) == 0 &&
	       job->nprocs <= e->nprocs && libra_where_check(e, job, NULL) == 0;
}

bool libra_engine_would_accept(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs,
			       double now_s)
{
	struct libra_job at;

	if (!e->policy->ops->search.would_accept ||
	    !is_askable(e, job, now_s) ||
	    (e->policy->needs_deadline && job->deadline_s == INFINITY))
		return false;
	if (now_s > e->now_s)
		e->now_s = now_s;
	at = libra_engine_job_now(e, job, now_s);
	return e->policy->ops->search.would_accept(e, &at, njobs);
}

/* A search for the deadline of njobs equal jobs. */
struct question {
	struct libra_engine *e;
	struct libra_job job;
	uint32_t njobs;
};

typedef bool accepts_f(struct libra_engine *e, const struct libra_job *job,
		       uint32_t njobs);

/* The two tests: a trial, which costs as much as all the offers; or a bound. */
static bool tries(struct libra_engine *e, const struct libra_job *job,
		  uint32_t njobs)
{
	return libra_engine_would_accept(e, job, njobs, e->now_s);
}

static bool is_certain(struct libra_engine *e, const struct libra_job *job,
		       uint32_t njobs)
{
	return e->policy->ops->search.surely_accepts &&
	       libra_may_promise(e, job->estimate_s, job->deadline_s) &&
	       e->policy->ops->search.surely_accepts(e, job, njobs);
}

/* Return true if ntrials cost more than is left of the search budget; each
 * costs as many decisions as there are jobs.  False if there is no bound to use
 * instead.
 */
static bool are_dear(struct question *q, uint32_t ntrials)
{
	uint64_t began = q->e->work, left;

	if (q->njobs <= 1 || !is_certain(q->e, &q->job, q->njobs))
		return false;
	left = q->e->work_end > q->e->work ? q->e->work_end - q->e->work : 0;
	return (double)(q->e->work - began) * q->njobs * ntrials > (double)left;
}

/* Halve the time until an accepted deadline, within the search budget. */
static double narrow(struct question *q, accepts_f *accepts, double low_s,
		     double high_s)
{
	double exact = accepts == is_certain ? EXACT_BOUND : EXACT;

	for (int i = 0;
	     i < MOST_STEPS &&
	     high_s - low_s > fmax(EXACT_S, exact * (high_s - q->e->now_s)) &&
	     !libra_search_is_spent(q->e);
	     i++) {
		q->job.deadline_s = low_s + (high_s - low_s) / 2;
		if (accepts(q->e, &q->job, q->njobs))
			high_s = q->job.deadline_s;
		else
			low_s = q->job.deadline_s;
	}
	return high_s;
}

/* Return the earliest accepted deadline, from an instant on.
 * Result: INFINITY if none is accepted, NAN if the search budget was spent
 *         before.
 */
static double search(struct question *q, accepts_f *accepts, double low_s)
{
	double step_s = fmax(q->job.estimate_s, EXACT_S), high_s = low_s;

	for (int i = 0; i < DOUBLINGS; i++, step_s *= 2) {
		/* A search by the bound has no budget: it costs little. */
		if (accepts == tries && libra_search_is_spent(q->e))
			return NAN;
		q->job.deadline_s = high_s;
		if (accepts(q->e, &q->job, q->njobs))
			return narrow(q, accepts, low_s, high_s);
		low_s = high_s;
		high_s = low_s + step_s;
	}
	return accepts == tries && libra_search_is_spent(q->e) ? NAN : INFINITY;
}

/* Return the deadline by the bound, or a nearer one if the budget allows
 * trials.
 */
static double together(struct question *q)
{
	double low_s = q->e->now_s + q->job.estimate_s, tried_s;
	double sure_s = search(q, is_certain, low_s);

	q->job.deadline_s = sure_s;
	if (isfinite(sure_s) && are_dear(q, 1))
		return sure_s;
	low_s = q->e->policy->ops->search.earliest_deadline(q->e, &q->job);
	if (!isfinite(low_s))
		return isfinite(sure_s) ? sure_s : low_s;
	tried_s = search(q, tries, low_s);
	if (isfinite(sure_s) && !(tried_s <= sure_s))
		return narrow(q, tries, low_s, sure_s);
	return tried_s;
}

double libra_engine_earliest_together(struct libra_engine *e,
				      const struct libra_job *job,
				      uint32_t njobs, double now_s)
{
	struct question q = {.e = e, .njobs = njobs};
	double at_s;

	if (njobs <= 1 || !e->policy->ops->search.would_accept ||
	    !is_askable(e, job, now_s))
		return libra_engine_earliest_deadline(e, job, now_s);
	if (now_s > e->now_s)
		e->now_s = now_s;
	q.job = libra_engine_job_now(e, job, now_s);
	libra_search_begin(e);
	at_s = together(&q);
	libra_search_end(e);
	return isnan(at_s) || libra_is_time(at_s) ? at_s : INFINITY;
}

/* Return true if trials can be made as of a later instant. */
static bool tries_ahead(const struct libra_engine *e)
{
	return e->policy->ops->search.tries_ahead &&
	       e->policy->ops->search.tries_ahead(e);
}

/* Return true if the test accepts as of some seconds later. */
static bool would_later(const struct question *q, accepts_f *accepts,
			double deadline_s, double later_s)
{
	struct libra_engine *e = q->e;
	struct libra_job trial = q->job;
	double kept_s = e->now_s;
	bool accepted;

	trial.submit_s += later_s;
	trial.deadline_s = deadline_s + later_s - CLOCK_S;
	e->now_s = kept_s + later_s;
	accepted = accepts(e, &trial, q->njobs);
	e->now_s = kept_s;
	return accepted;
}

/* Return true if the test accepts as it is, and also a little later relative to
 * the other jobs' deadlines: acceptance need not grow with the deadline, nor as
 * the estimate falls.
 */
static bool is_sure(const struct question *q, accepts_f *accepts,
		    double after_s, double now_s)
{
	bool ahead = tries_ahead(q->e), sure = true;
	struct libra_job trial = q->job;

	for (int i = 0; sure && i < 3; i++) {
		double later_s = i * ADVICE_MARGIN_S;

		trial.deadline_s = now_s + after_s;
		if (ahead) {
			sure = would_later(q, accepts, now_s + after_s,
					   later_s);
			continue;
		}
		trial.deadline_s += later_s;
		trial.estimate_s =
			q->job.estimate_s + (i == 0) * ADVICE_MARGIN * after_s;
		sure = accepts(q->e, &trial, q->njobs);
	}
	trial = q->job;
	trial.deadline_s = now_s + after_s;
	return sure && accepts(q->e, &trial, q->njobs);
}

/* Return the first whole step for which is_sure() is true. */
static double step_up(const struct question *q, accepts_f *accepts,
		      double after_s, double step_s, double now_s)
{
	double n, low;

	if (tries_ahead(q->e))
		after_s += CLOCK_S;
	else
		after_s += ADVICE_MARGIN * after_s + ADVICE_MARGIN_S;
	n = ceil(after_s / step_s);
	low = n - 1;
	for (int i = 0; !is_sure(q, accepts, n * step_s, now_s); i++) {
		if (i == ADVICE_TRIALS)
			return INFINITY;
		low = n;
		n += ldexp(1, i);
	}
	while (n - low > 1) {
		double middle = floor((low + n) / 2);

		if (is_sure(q, accepts, middle * step_s, now_s))
			n = middle;
		else
			low = middle;
	}
	return n * step_s;
}

double libra_engine_advise(struct libra_engine *e, const struct libra_job *job,
			   uint32_t njobs, double earliest_s, double step_s,
			   double now_s)
{
	struct question q = {.e = e, .njobs = njobs};
	double try_s = INFINITY, after_s = earliest_s - now_s;

	if (!isfinite(earliest_s) || !is_askable(e, job, now_s))
		return INFINITY;
	if (now_s > e->now_s)
		e->now_s = now_s;
	libra_search_begin(e);
	q.job = libra_engine_job_now(e, job, now_s);
	q.job.deadline_s = earliest_s;
	if (!are_dear(&q, TRIALS))
		try_s = step_up(&q, tries, after_s, step_s, now_s);
	if (try_s == INFINITY && njobs > 1)
		try_s = step_up(&q, is_certain, after_s, step_s, now_s);
	libra_search_end(e);
	return try_s;
}

bool libra_engine_earliest_is_exact(const struct libra_engine *e,
				    uint32_t njobs)
{
	return njobs <= 1 && e->policy->ops->search.is_exact &&
	       e->policy->ops->search.is_exact(e);
}
