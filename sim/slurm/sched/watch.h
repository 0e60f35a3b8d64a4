/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - what keeps one task of a simulation waiting, pass by pass.
 *
 * A watch changes nothing: the simulation starts the same jobs with and without
 * it.
 */
#ifndef SIM_SCHED_WATCH_H
#define SIM_SCHED_WATCH_H

#include "sim/slurm/sched/limits.h"

enum sched_watched {
	SCHED_WATCH_PASS,
	SCHED_WATCH_STARTED,
	SCHED_WATCH_PREEMPTED, /* it waits again, or is over */
	SCHED_WATCH_CANCELLED,
};

/* Resources that the free nodes lack for a job, as a set of bits. */
enum {
	SCHED_LACKS_CPUS = 1,
	SCHED_LACKS_MEMORY = 2,
	SCHED_LACKS_GPUS = 4,
	SCHED_LACKS_IDLE = 8, /* nodes without any job */
};

enum { SCHED_WATCH_HELD = 3 };

/* Another job in the way. */
struct sched_blocker {
	uint32_t task;	      /* SCHED_NONE: none */
	uint32_t priority;    /* of a job that waits */
	uint32_t nodes, cpus; /* that it asks for, or has */
	int64_t at_s; /* one that waits: its planned start, 0: none; one that
			 runs: its end by its limit */
};

/* A finding about the task: of consecutive passes of one loop that found the
 * same, with the numbers of the first pass; or an event.
 */
struct sched_look {
	enum sched_watched what;
	enum sched_loop loop;
	int64_t from_s, last_s; /* first and last pass */
	enum sched_reason reason;
	bool preempts; /* the blocker ends for the job */
	bool aside;    /* of a partition after which the pass looked at another
			  one */
	uint32_t part, priority;
	uint32_t ahead;	     /* jobs before it in the queue of its partition */
	uint32_t siblings;   /* tasks of its array that go first */
	int64_t until_s;     /* of begin times and holds; 0: not known */
	int64_t planned_s;   /* the start that backfill plans; 0: none */
	uint32_t dependency; /* of depends.on; SCHED_NONE: none */
	uint32_t lacks;
	struct sched_blocker blocker;
	struct sched_held held[SCHED_WATCH_HELD];
	size_t nheld;
};

struct sched_watch {
	uint32_t task; /* of the model */
	int64_t submit_s;
	struct sched_look *looks;
	size_t n, cap;
	/* look of each enum sched_loop, + 1; 0: none that goes on; and of each
	 * partition of the job that is aside
	 */
	size_t last[SCHED_NLOOPS], aside[SCHED_NLOOPS][SCHED_MAX_PARTS];
};

/* Watch a task of a model that has not been simulated yet. */
void sched_watch_begin(struct sched_watch *w, const struct sched_model *m,
		       uint32_t task);

/* Return the job with which a task waits; SCHED_NONE: it does not wait. */
uint32_t sched_watch_job(const struct sched_watch *w,
			 const struct sched_model *m);

/* Note what a pass that just ended found, in each partition that the job asks
 * for; dependency: the first of the job's that is not satisfied, or SCHED_NONE.
 * Without memory m->failed is set, here and below.
 */
void sched_watch_pass(struct sched_watch *w, struct sched_model *m,
		      enum sched_loop loop, uint32_t dependency);

/* Note what happened to the task at an instant. */
void sched_watch_note(struct sched_watch *w, struct sched_model *m,
		      enum sched_watched what, enum sched_loop loop,
		      int64_t at_s);

void sched_watch_fini(struct sched_watch *w);

#endif
