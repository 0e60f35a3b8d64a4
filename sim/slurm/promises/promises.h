/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promises.h - promises beside Slurm's own order.
 *
 * A fraction of the jobs (share) asks for a deadline at submission.  The engine
 * of the policy planned, with the parameters that slurmctld uses, answers at
 * once.  A promised job is out of Slurm's order: it starts as planned, on nodes
 * of its own, is never preempted, and counts against limits from its promise
 * on.  A refused job is an ordinary one.  The main loop and backfill start
 * ordinary jobs.  Before each start they ask here (hooks.may_take) whether the
 * start delays a promise.
 *
 *     asks     = draw(job's id) < share; so with a higher share all these jobs
 *                ask again, and more
 *     deadline = submission, or a later begin time, + within x time limit
 *
 * Every function but sched_promises_new() takes NULL and does nothing then.
 */
#ifndef SIM_PROMISES_PROMISES_H
#define SIM_PROMISES_PROMISES_H

#include "sim/slurm/sched/ignored.h"
#include "sim/slurm/sched/model.h"

struct sched_promises;

/* Follow a model in which nothing runs or waits yet.  unable counts the tasks
 * that cannot ask, by what bars them.
 * Result: NULL with ENOMEM, or EINVAL: the machine is too large.
 * Owner:  the caller calls sched_promises_free(), before the model ends.
 */
struct sched_promises *sched_promises_new(struct sched_model *m, double share,
					  double within,
					  struct sched_ignored_list *unable,
					  struct libra_error *err);
void sched_promises_free(struct sched_promises *p);

/* Ask for a promise for a job submitted at m->now_s, if the draw chose it, or
 * let it ask later (later.h).  An array is promised for all of its tasks or for
 * none.  Each task notes its deadline and the answer.
 * Result: true if the job is out of Slurm's order; then job->promised is set.
 */
bool sched_promises_offer(struct sched_promises *p, uint32_t job);

/* Note that a waiting task was cancelled. */
void sched_promises_cancel(struct sched_promises *p, uint32_t task);

/* Note that a run has begun, promised or not; that a run is about to be
 * removed.
 */
void sched_promises_started(struct sched_promises *p,
			    const struct sched_run *run);
void sched_promises_ended(struct sched_promises *p, const struct sched_run *run,
			  int64_t at_s);

/* Start the promised tasks that are due at m->now_s; each start calls
 * hooks.started.
 */
void sched_promises_start(struct sched_promises *p);

/* Return when sched_promises_start() is to be called next without an event;
 * INT64_MAX: not.
 */
int64_t sched_promises_next_s(const struct sched_promises *p);

/* The tasks that the draw chose, by their ends. */
struct sched_promise_counts {
	/* cannot ask, see promise_bar() and promise_request() */
	uint64_t unable;
	uint64_t asked, given, kept;
	uint64_t cancelled; /* before they started */
	uint64_t expired;   /* see SCHED_PROMISE_EXPIRED */
	uint64_t overran;   /* ended late, having run beyond the limit */
	uint64_t broken;    /* ended late otherwise */
};

void sched_promises_count(const struct sched_model *m,
			  struct sched_promise_counts *counts);

/* As hooks.may_take. */
bool sched_promises_may_take(struct sched_promises *p, uint32_t job,
			     uint32_t part, uint32_t ngone, uint64_t *open);

#endif
