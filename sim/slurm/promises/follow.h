/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the state of promises: the engine of planned follows the runs of
 * the model.  Only the files of this folder include it.
 */
#ifndef SIM_PROMISES_FOLLOW_H
#define SIM_PROMISES_FOLLOW_H

#include "core/engine.h"
#include "core/guard.h"
#include "sim/slurm/promises/promises.h"
#include "sim/slurm/promises/request.h"

/* A task in the engine: it runs, or has a planned start. */
struct seat {
	uint64_t ticket; /* the engine's; 0: not in the engine */
	/* From the promise to the start: a run that counts against limits, and
	 * uses no node.  NULL: the task runs, or has no promise.
	 */
	struct sched_run *run;
};

/* The ordinary task with a plan (aged.h). */
struct aged {
	double age_s;  /* firm_age of the policy */
	uint32_t task; /* SCHED_NONE: no task has a plan */
	bool begins;   /* the task is being started on its processors */
	struct libra_guard guard;
};

/* A job that asks when it may start (later.h). */
struct asker {
	uint32_t job;
	bool given;	  /* a task of it has been promised */
	uint64_t refused; /* 1 + frees at the last refusal; 0: none */
};

struct later {
	struct asker *jobs;
	size_t n, cap;
	uint64_t seen; /* sched_promises.news when the jobs asked last */
	/* The next begin time, or instant after which a job's deadline cannot
	 * be met.
	 */
	int64_t next_s;
};

struct sched_promises {
	struct sched_model *m;
	struct libra_engine *engine;
	double share, within;
	uint64_t family;    /* the stream of random numbers (rng.h) */
	uint32_t *first;    /* by node: its first processor; nnodes + 1 */
	uint64_t *taken;    /* set of the processors of running tasks */
	struct seat *seats; /* by task of the model */
	struct promise_request request; /* scratch, as the next four */
	struct libra_part *parts;
	uint64_t *amounts; /* by part: PROMISE_RESOURCES each */
	struct libra_range *ranges;
	size_t room;	/* number of parts, and of ranges, allocated */
	uint64_t *gone; /* scratch: tickets of victims */
	uint32_t gone_cap;
	int64_t called_s; /* last call of sched_promises_start() */
	uint64_t moves;	  /* of reservations, at promise_see_moves() */
	struct aged aged;
	struct later later;
	struct sched_ignored_list *unable; /* the caller's */
	/* news: counts events after which a job may be able to start.  frees:
	 * counts those that may have freed processors.
	 */
	uint64_t news, frees;
};

/* Return the policy's margin, in seconds, that libra-doctor advises for the
 * site: usual_s, or more if the site's jobs may hold nodes longer after their
 * limits.
 */
double promise_margin_s(const struct sched_model *m, double usual_s);

/* Return the engine's processors for CPUs of one node: 1 if request.by_node,
 * else cpus.
 */
uint32_t promise_procs(const struct sched_promises *p, uint32_t cpus);

/* Return a task of job `at` (index) as a job of the engine, without deadline
 * and placement constraint.
 */
struct libra_job promise_job(const struct sched_promises *p, uint32_t at,
			     uint32_t task, uint32_t nprocs);

/* Set p->parts[n] to the processors, memory and GPUs that a job with these CPUs
 * holds on a node; part: its partition.
 */
void promise_set_part(struct sched_promises *p, uint32_t n,
		      const struct sched_job *job, uint32_t part, uint32_t node,
		      uint32_t cpus, struct libra_range procs);

/* Mark the planned processors of a task as taken, and set the model's
 * buffers->place to their nodes.  promise_give_back() marks them as free.
 */
void promise_set_place(struct sched_promises *p, uint32_t task);
void promise_give_back(struct sched_promises *p, uint32_t task);

#endif
