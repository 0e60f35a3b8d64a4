/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planner.c - the calls for policies that plan. */
#include <errno.h>
#include <math.h>

#include "core/check.h"
#include "core/slots.h"
#include "core/where.h"

int libra_engine_restore_waiting(struct libra_engine *e,
				 const struct libra_job *job, double start_s,
				 double now_s, uint64_t *ticket,
				 struct libra_error *err)
{
	struct libra_slot *entry;
	uint32_t slot;

	if (!e->policy->ops->plan.restore_waiting)
		return libra_errf(err, ENOTSUP, "%s plans no starts",
				  e->policy->name);
	if (libra_check_job(job, now_s, err) < 0 ||
	    libra_where_check(e, job, err) < 0)
		return -1;
	if (job->nprocs > e->nprocs)
		return libra_errf(err, EINVAL,
				  "the job has %u processors, the machine %u",
				  job->nprocs, e->nprocs);
	if (isfinite(start_s) && !libra_is_time(start_s))
		return libra_errf(err, EINVAL, "a planned start of %g s",
				  start_s);
	if (libra_slots_reserve(e) < 0)
		return libra_no_memory(err, "a job");
	libra_engine_tell_time(e, now_s);
	slot = libra_slot_take(e, job);
	entry = &e->slots[slot];
	if (e->policy->ops->plan.restore_waiting(e, slot, start_s) < 0) {
		libra_slot_free(e, slot);
		return libra_no_memory(err, "a job");
	}
	entry->job.where = NULL;
	entry->ticket = *ticket = libra_slot_ticket(e, slot);
	return 0;
}

bool libra_engine_may_start(struct libra_engine *e, const struct libra_job *job,
			    const struct libra_start_query *query, double now_s)
{
	if (!e->policy->ops->plan.may_start ||
	    libra_check_job(job, now_s, NULL) < 0 || job->nprocs > e->nprocs ||
	    libra_where_check(e, job, NULL) < 0)
		return false;
	for (uint32_t i = 0; i < query->nparts; i++)
		if (!libra_is_range(query->parts[i].procs, 0, e->nprocs))
			return false;
	libra_engine_tell_time(e, now_s);
	return e->policy->ops->plan.may_start(e, job, query);
}

void libra_engine_forgo(struct libra_engine *e, uint64_t job_id, double now_s)
{
	libra_engine_tell_time(e, now_s);
	if (e->policy->ops->plan.forgo)
		e->policy->ops->plan.forgo(e, job_id);
}

int libra_engine_restore_place(struct libra_engine *e,
			       const struct libra_job *job,
			       const struct libra_start_query *query,
			       double now_s, struct libra_error *err)
{
	if (!e->policy->ops->plan.restore_place)
		return libra_errf(err, ENOTSUP, "%s keeps no places",
				  e->policy->name);
	if (libra_check_job(job, now_s, err) < 0 ||
	    libra_where_check(e, job, err) < 0 ||
	    libra_check_parts(e, job, query->parts, query->nparts, err) < 0)
		return -1;
	if (!libra_is_time(query->delay_s) || query->delay_s <= 0)
		return libra_errf(err, EINVAL, "a place is kept for %g s",
				  query->delay_s);
	libra_engine_tell_time(e, now_s);
	if (e->policy->ops->plan.restore_place(e, job, query) == 0)
		return 0;
	return errno == ENOTSUP
		       ? libra_errf(err, ENOTSUP,
				    "places are kept where plans are by node")
		       : libra_no_memory(err, "a place");
}

bool libra_engine_compress(struct libra_engine *e, double now_s,
			   uint64_t budget)
{
	libra_engine_tell_time(e, now_s);
	return e->policy->ops->plan.compress &&
	       e->policy->ops->plan.compress(e, budget);
}

bool libra_engine_can_compress(const struct libra_engine *e)
{
	return e->policy->ops->plan.can_compress &&
	       e->policy->ops->plan.can_compress(e);
}

double libra_engine_place_until(const struct libra_engine *e, uint64_t job_id)
{
	return e->policy->ops->plan.place_until
		       ? e->policy->ops->plan.place_until(e, job_id)
		       : NAN;
}

int libra_engine_plan_ordinary(struct libra_engine *e,
			       const struct libra_job *job, double now_s,
			       struct libra_verdict *verdict,
			       struct libra_error *err)
{
	if (!e->policy->ops->plan.plan_ordinary)
		return libra_errf(err, ENOTSUP, "%s plans no starts",
				  e->policy->name);
	if (job->deadline_s != INFINITY)
		return libra_errf(err, EINVAL,
				  "a job with a deadline is offered");
	return libra_engine_ask(e, job, now_s,
				e->policy->ops->plan.plan_ordinary, verdict,
				err);
}

int libra_engine_outages(struct libra_engine *e,
			 const struct libra_outage *list, uint32_t n,
			 double now_s, struct libra_error *err)
{
	if (!e->policy->ops->plan.outages)
		return libra_errf(err, ENOTSUP, "%s plans no starts",
				  e->policy->name);
	for (uint32_t i = 0; i < n; i++)
		if (list[i].node >= e->nnodes ||
		    !libra_is_time(list[i].from_s) ||
		    !(list[i].from_s < list[i].to_s))
			return libra_errf(
				err, EINVAL, "node %u is out from %g to %g s",
				list[i].node, list[i].from_s, list[i].to_s);
	libra_engine_tell_time(e, now_s);
	if (e->policy->ops->plan.outages(e, list, n) < 0)
		return libra_no_memory(err, "outages");
	return 0;
}

double libra_engine_planned_start(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot != LIBRA_NO_SLOT && e->policy->ops->plan.planned_start
		       ? e->policy->ops->plan.planned_start(e, slot)
		       : NAN;
}

double libra_engine_latest_start(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot != LIBRA_NO_SLOT && e->policy->ops->plan.latest_start
		       ? e->policy->ops->plan.latest_start(e, slot)
		       : NAN;
}

uint64_t libra_engine_plan_moves(const struct libra_engine *e)
{
	return e->policy->ops->plan.plan_moves
		       ? e->policy->ops->plan.plan_moves(e)
		       : 0;
}
