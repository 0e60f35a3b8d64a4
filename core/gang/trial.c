/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial.c - would several equal jobs be accepted one after the other, and the
 * latest start and end of a job.
 */
#include "core/gang/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/gang/near.h"

/* Return what the policy learns from decisions: a trial restores it afterwards.
 */
static void *learned(struct libra_engine *e)
{
	const struct libra_gang_traits *traits = e->policy->traits;

	return (char *)e->state + traits->learned;
}

/* If max_jobs bounds the jobs of a processor: return true if each job finds
 * processors, for any deadline.
 */
static bool has_places(const struct libra_engine *e,
		       const struct libra_job *job, uint32_t njobs)
{
	const struct libra_gang *g = &libra_gang_state(e)->gang;
	uint64_t places = 0, wanted = (uint64_t)njobs * job->nprocs;

	if (e->max_jobs == UINT32_MAX)
		return true;
	for (uint32_t run = 0, next; run < g->nprocs && places < wanted;
	     run = next) {
		next = libra_gang_run_end(g, run, g->nprocs);
		if (g->runs.nbound[run] < e->max_jobs)
			places += (uint64_t)(next - run) *
				  (e->max_jobs - g->runs.nbound[run]);
	}
	return places >= wanted;
}

/* Tried jobs have slots after those of the engine.  They are removed in the
 * reverse order, so that all lists are as before.
 */
static bool try_jobs(struct libra_engine *e, const struct libra_job *job,
		     uint32_t njobs)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang_state *s = libra_gang_state(e);
	uint64_t upkeep = 0;
	uint32_t n = 0;

	while (n < njobs &&
	       libra_may_promise(e, job->estimate_s, job->deadline_s) &&
	       !libra_search_is_spent(e) &&
	       libra_gang_make_room(e, (uint64_t)e->nslots + n + 1) == 0 &&
	       traits->place(e, job, s->set) == LIBRA_REASON_NONE &&
	       libra_gang_add(&s->gang, e->nslots + n, e->order + 1 + n,
			      job->estimate_s, 0, job->deadline_s, s->set,
			      e->now_s) == 0) {
		if (traits->decided)
			traits->decided(e, job, true);
		upkeep = n++ == 0 ? e->upkeep : upkeep;
	}
	/* After the first job it does not depend on earlier queries. */
	e->work += n > 0 ? e->upkeep - upkeep : 0;
	for (uint32_t i = n; i-- > 0;)
		libra_gang_remove(&s->gang, e->nslots + i);
	return n == njobs;
}

bool libra_gang_would_accept(struct libra_engine *e,
			     const struct libra_job *job, uint32_t njobs)
{
	size_t size = ((const struct libra_gang_traits *)e->policy->traits)
			      ->learned_size;
	void *was = malloc(size + 1);
	bool accepted = false;

	if (was && has_places(e, job, njobs) &&
	    libra_gang_make_room(e, e->nslots) == 0) {
		libra_gang_catch_up(e);
		memcpy(was, learned(e), size);
		accepted = try_jobs(e, job, njobs);
		memcpy(learned(e), was, size);
	}
	free(was);
	return accepted;
}

double libra_gang_ends_by(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_gang_traits *traits = e->policy->traits;
	struct libra_gang *g = &libra_gang_state(e)->gang;
	const struct libra_gang_job *job = &g->jobs[slot];
	double left_s = job->estimate_s - libra_gang_executed_s(job, e->now_s);

	/* A read must not make a job late, because a replay does not repeat
	 * reads.
	 */
	if (g->at.now_s != e->now_s || job->nprocs == 0 || job->late ||
	    e->now_s + left_s > job->deadline_s + LIBRA_SLACK_TOLERANCE_S)
		return NAN;
	libra_gang_touch(g, e->now_s);
	return traits->ends_by(e, slot);
}

/* Return the remaining estimates of the neighbours that may hold a job: one of
 * them runs while it is held.  late: as if the job were late; neighbours that
 * are not late come before it then.
 */
static double held_s(const struct libra_gang *g, uint32_t slot, bool late,
		     double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	const struct libra_gang_side *sides[] = {&job->before, &job->behind};
	double sum_s = 0;

	for (int i = 0; i < (late ? 2 : 1); i++) {
		uint32_t cursor = 0, near;

		while ((near = libra_gang_next_near(g, slot, sides[i],
						    &cursor)) !=
		       LIBRA_GANG_NOBODY) {
			const struct libra_gang_job *other = &g->jobs[near];

			if (late ? !other->late || i == 0 : !other->late)
				sum_s += fmax(0, other->estimate_s -
							 libra_gang_executed_s(
								 other, now_s));
		}
	}
	return sum_s;
}

double libra_gang_starts_by(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_gang *g = &libra_gang_state(e)->gang;
	const struct libra_gang_job *job = &g->jobs[slot];
	double ends_s, wait_s;

	if (job->nprocs == 0)
		return NAN;
	if (job->runs)
		return e->now_s;
	ends_s = libra_gang_ends_by(e, slot);
	if (!isnan(ends_s))
		return fmax(e->now_s,
			    ends_s - (job->estimate_s - job->executed_s));
	wait_s = held_s(g, slot, job->late, e->now_s);
	if (!job->late && e->now_s + wait_s > job->deadline_s)
		wait_s = held_s(g, slot, true, e->now_s);
	return e->now_s + wait_s;
}
