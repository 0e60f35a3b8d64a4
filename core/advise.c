/* SPDX-License-Identifier: GPL-2.0-or-later */
/* advise.c - trials for several equal jobs at a time. */
#include <math.h>

#include "core/check.h"
#include "core/engine_impl.h"
#include "core/where.h"

/* How far the deadline is doubled, and what the result may be later than the
 * earliest one, as a part of the time until it.
 */
#define DOUBLINGS 40
#define EXACT	  0.005
#define EXACT_S	  1.0
/* Advice is for a user who acts on it some seconds later: clocks round, and
 * what others need that have not started yet rises until they do.  So it is
 * tried as of now and of later.  Where that cannot be, the deadline is a little
 * later, and is tried with an estimate that is longer by a part of the time
 * until it.
 */
#define ADVICE_MARGIN_S 5.0
#define ADVICE_MARGIN	0.02
#define ADVICE_TRIALS	8
#define CLOCK_S		1.0 /* now+5minutes counts from a whole second */

/* Can it be asked at all? */
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

	if (!e->policy->ops->would_accept || !is_askable(e, job, now_s) ||
	    (e->policy->needs_deadline && job->deadline_s == INFINITY))
		return false;
	if (now_s > e->now_s)
		e->now_s = now_s;
	at = libra_engine_job_now(e, job, now_s);
	return e->policy->ops->would_accept(e, &at, njobs);
}

double libra_engine_earliest_together(struct libra_engine *e,
				      const struct libra_job *job,
				      uint32_t njobs, double now_s)
{
	double low_s = libra_engine_earliest_deadline(e, job, now_s), high_s;
	double step_s = fmax(job->estimate_s, EXACT_S);
	struct libra_job trial = *job;
	int i = 0;

	if (njobs <= 1 || !isfinite(low_s) || !e->policy->ops->would_accept)
		return low_s;
	for (high_s = low_s; i < DOUBLINGS; i++, step_s *= 2) {
		trial.deadline_s = high_s;
		if (libra_engine_would_accept(e, &trial, njobs, now_s))
			break;
		low_s = high_s;
		high_s = low_s + step_s;
	}
	if (i == DOUBLINGS)
		return INFINITY;
	while (high_s - low_s > fmax(EXACT_S, EXACT * (high_s - e->now_s))) {
		trial.deadline_s = low_s + (high_s - low_s) / 2;
		if (libra_engine_would_accept(e, &trial, njobs, now_s))
			high_s = trial.deadline_s;
		else
			low_s = trial.deadline_s;
	}
	return libra_is_time(high_s) ? high_s : INFINITY;
}

/* May trials be made as of a later instant? */
static bool tries_ahead(const struct libra_engine *e)
{
	return e->policy->ops->tries_ahead && e->policy->ops->tries_ahead(e);
}

/* As if it were asked some seconds later. */
static bool would_later(struct libra_engine *e, const struct libra_job *job,
			uint32_t njobs, double later_s, double now_s)
{
	struct libra_job trial = *job;
	double kept_s = fmax(e->now_s, now_s);
	bool accepted;

	e->now_s = kept_s;
	trial.submit_s += later_s;
	trial.deadline_s += later_s - CLOCK_S;
	accepted =
		libra_engine_would_accept(e, &trial, njobs, kept_s + later_s);
	e->now_s = kept_s;
	return accepted;
}

/* Also a little later, as seen from others' deadlines: acceptance need not grow
 * with the deadline.
 */
static bool is_sure(struct libra_engine *e, const struct libra_job *job,
		    uint32_t njobs, double after_s, double now_s)
{
	bool ahead = tries_ahead(e), sure = true;
	struct libra_job trial = *job;

	for (int i = 0; sure && i < 3; i++) {
		double later_s = i * ADVICE_MARGIN_S;

		trial.deadline_s = now_s + after_s;
		if (ahead) {
			sure = would_later(e, &trial, njobs, later_s, now_s);
			continue;
		}
		trial.deadline_s += later_s;
		trial.estimate_s =
			job->estimate_s + (i == 0) * ADVICE_MARGIN * after_s;
		sure = libra_engine_would_accept(e, &trial, njobs, now_s);
	}
	return sure;
}

double libra_engine_advise(struct libra_engine *e, const struct libra_job *job,
			   uint32_t njobs, double earliest_s, double step_s,
			   double now_s)
{
	double after_s = earliest_s - now_s, n, low;
	int i = 0;

	if (tries_ahead(e))
		after_s += CLOCK_S;
	else
		after_s += ADVICE_MARGIN * after_s + ADVICE_MARGIN_S;
	n = ceil(after_s / step_s);
	low = n - 1;
	for (; isfinite(n) && !is_sure(e, job, njobs, n * step_s, now_s); i++) {
		if (i == ADVICE_TRIALS)
			return INFINITY;
		low = n;
		n += pow(2, i);
	}
	while (isfinite(n) && n - low > 1) {
		double middle = floor((low + n) / 2);

		if (is_sure(e, job, njobs, middle * step_s, now_s))
			n = middle;
		else
			low = middle;
	}
	return isfinite(n) ? n * step_s : INFINITY;
}

bool libra_engine_earliest_is_exact(const struct libra_engine *e,
				    uint32_t njobs)
{
	return njobs <= 1 && e->policy->ops->is_exact &&
	       e->policy->ops->is_exact(e);
}
