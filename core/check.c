/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - validate the arguments of an engine's callers. */
#include "core/check.h"

#include <errno.h>
#include <math.h>

#include "core/engine_impl.h"

/* Instants and durations beyond this are invalid (3 million years). */
#define TIME_LIMIT_S 1e14
/* Credits beyond this are invalid: sums of them lose whole credits. */
#define MONEY_LIMIT 1e15

bool libra_is_time(double t)
{
	return fabs(t) <= TIME_LIMIT_S; /* false for NaN */
}

int libra_check_conf(const struct libra_engine_conf *conf,
		     struct libra_error *err)
{
	const struct libra_policy_type *policy = conf->policy;
	uint64_t nprocs = 0;

	for (uint32_t i = 0; i < conf->nnodes; i++) {
		if (conf->node_procs[i] == 0)
			return libra_errf(err, EINVAL,
					  "node %u has no processors", i);
		nprocs += conf->node_procs[i];
	}
	if (nprocs == 0 || nprocs > UINT32_MAX / 2)
		return libra_errf(err, EINVAL,
				  "there must be from 1 to %u processors, "
				  "not %llu",
				  UINT32_MAX / 2, (unsigned long long)nprocs);
	if (conf->nresources > LIBRA_RESOURCES ||
	    (conf->nresources > 0 && !conf->node_resources))
		return libra_errf(err, EINVAL,
				  "nodes may have %u resources besides "
				  "processors, not %u",
				  LIBRA_RESOURCES, conf->nresources);
	if (isnan(conf->offer_ttl_s) || conf->offer_ttl_s < 0)
		return libra_errf(err, EINVAL,
				  "offer_ttl_s must not be negative");
	for (size_t i = 0; conf->params && i < policy->nparams; i++) {
		const struct libra_param *param = &policy->params[i];

		if (!(conf->params[i] >= param->min &&
		      conf->params[i] <= param->max))
			return libra_errf(err, EINVAL,
					  "%s.%s must be from %g to %g",
					  policy->name, param->name, param->min,
					  param->max);
	}
	return 0;
}

static bool is_money(double credits)
{
	return credits >= 0 && credits <= MONEY_LIMIT; /* false for NaN */
}

int libra_check_job(const struct libra_job *job, double now_s,
		    struct libra_error *err)
{
	if (!(job->estimate_s > 0) || !libra_is_time(job->estimate_s))
		return libra_errf(err, EINVAL,
				  "the estimate must be above 0 s and at most "
				  "%g s, not %g",
				  TIME_LIMIT_S, job->estimate_s);
	if (job->nprocs == 0)
		return libra_errf(err, EINVAL,
				  "a job needs at least one processor");
	if (!libra_is_time(job->submit_s) || !libra_is_time(now_s))
		return libra_errf(err, EINVAL,
				  "submitted at %g s, asked at %g s: times "
				  "must be from %g to %g",
				  job->submit_s, now_s, -TIME_LIMIT_S,
				  TIME_LIMIT_S);
	if (!libra_is_time(job->deadline_s) && job->deadline_s != INFINITY)
		return libra_errf(err, EINVAL,
				  "the deadline must be from %g to %g s, or "
				  "infinite, not %g",
				  -TIME_LIMIT_S, TIME_LIMIT_S, job->deadline_s);
	if (!is_money(job->budget))
		return libra_errf(err, EINVAL,
				  "the budget must be from 0 to %g, not %g",
				  MONEY_LIMIT, job->budget);
	if (!is_money(job->penalty_rate))
		return libra_errf(err, EINVAL,
				  "the penalty rate must be from 0 to %g, "
				  "not %g",
				  MONEY_LIMIT, job->penalty_rate);
	return 0;
}

int libra_check_parts(const struct libra_engine *e, const struct libra_job *job,
		      const struct libra_part *parts, uint32_t nparts,
		      struct libra_error *err)
{
	uint64_t nprocs = 0;
	uint32_t end = 0;

	for (uint32_t i = 0; i < nparts; i++) {
		const struct libra_range *r = &parts[i].procs;

		if (!libra_is_range(*r, end, e->nprocs) ||
		    !libra_is_time(parts[i].est_left_s))
			return libra_errf(err, EINVAL,
					  "part %u is out of order or out of "
					  "range",
					  i);
		end = r->first + r->count;
		nprocs += r->count;
	}
	if (nprocs != job->nprocs)
		return libra_errf(err, EINVAL,
				  "the parts have %llu processors, the job "
				  "has %u",
				  (unsigned long long)nprocs, job->nprocs);
	return 0;
}
