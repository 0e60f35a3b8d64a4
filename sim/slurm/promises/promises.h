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
 *     asks     = draw(job's id) < share, so that the jobs that ask with a small
 *                share also ask with a larger one
 *     deadline = submission, or a later begin time, + within x time limit
 *
 * A NULL struct sched_promises is allowed everywhere: there are no promises.
 */
#ifndef SIM_PROMISES_PROMISES_H
#define SIM_PROMISES_PROMISES_H

#include "sim/slurm/sched/ignored.h"
#include "sim/slurm/sched/model.h"

struct sched_promises;

/* Begin with a model in which nothing runs or waits yet.  unable: the caller's;
 * the tasks that cannot ask are counted there, by the option that bars them.
 * Result: NULL with ENOMEM, or EINVAL (more processors than an engine can
 *         have).
 * Owner:  the caller calls sched_promises_free(), before the model ends.
 */
struct sched_promises *sched_promises_new(struct sched_model *m, double share,
					  double within,
					  struct sched_ignored_list *unable,
					  struct libra_error *err);
void sched_promises_free(struct sched_promises *p);

/* Ask for a promise for a job submitted at m->now_s, if the draw chose it, or
 * let it ask later (later.h).  All tasks of an array are promised, or none.
 * Sets deadline_s and promise of each task.
 * Result: true if the job is out of Slurm's order; then job->promised is set.
 */
bool sched_promises_offer(struct sched_promises *p, uint32_t job);

/* Report that a waiting task was cancelled. */
void sched_promises_cancel(struct sched_promises *p, uint32_t task);

/* Report that a run, promised or not, has begun (_started), or will be removed
 * (_ended).
 */
void sched_promises_started(struct sched_promises *p,
			    const struct sched_run *run);
void sched_promises_ended(struct sched_promises *p, const struct sched_run *run,
			  int64_t at_s);

/* Start the promised tasks that are due at m->now_s; each start calls
 * hooks.started.
 */
void sched_promises_start(struct sched_promises *p);

/* Return the instant at which sched_promises_start() must be called next even
 * if no event happens; INT64_MAX: none.
 */
int64_t sched_promises_next_s(const struct sched_promises *p);

/* Counts of the tasks that the draw chose. */
struct sched_promise_counts {
	uint64_t unable; /* cannot ask: promise_bar(), promise_request() */
	uint64_t asked, given;
	/* Given promises by outcome; a task that still waits has none. */
	uint64_t kept;
	uint64_t cancelled; /* before they started */
	uint64_t overran;   /* ended late, having run beyond the limit */
	uint64_t broken;    /* ended late otherwise */
	uint64_t expired;   /* not given: SCHED_PROMISE_EXPIRED */
};

/* Count the tasks of a model whose simulation has ended. */
void sched_promises_count(const struct sched_model *m,
			  struct sched_promise_counts *counts);

/* The function of hooks.may_take (model.h). */
bool sched_promises_may_take(struct sched_promises *p, uint32_t job,
			     uint32_t part, uint32_t ngone, uint64_t *open);

#endif
