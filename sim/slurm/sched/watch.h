/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - what keeps one task of a simulation waiting, pass by pass.
 *
 * The simulation reports each pass, and each event of the task, to the watch.
 * The watch keeps a list of findings (looks); passes of one loop that found the
 * same are one finding.  A watch changes no decision: the simulation starts the
 * same jobs with and without it.
 *
 * Callers, for `librasim explain-wait`: run_slurm.c begins and ends a watch,
 * simulate.c fills it in, sim/site/slurm/explain.c reads it.  Times are seconds
 * since 1970.  If memory runs out, m->failed is set.  Calls change the model's
 * buffers (passes.h), but no job, run or node.
 */
#ifndef SIM_SCHED_WATCH_H
#define SIM_SCHED_WATCH_H

#include "sim/slurm/sched/limits.h"

enum sched_watched {
	SCHED_WATCH_PASS,
	SCHED_WATCH_STARTED,
	SCHED_WATCH_PREEMPTED, /* the task waits again, or is cancelled */
	SCHED_WATCH_CANCELLED,
};

/* Resources that the free nodes lack for a job.  sched_look.lacks is the
 * smallest sum with which the job would fit; 0: no sum suffices, or none was
 * looked for.
 */
enum {
	SCHED_LACKS_CPUS = 1,
	SCHED_LACKS_MEMORY = 2,
	SCHED_LACKS_GPUS = 4,
	SCHED_LACKS_IDLE = 8, /* nodes without any job */
};

enum { SCHED_WATCH_HELD = 3 }; /* limits of a finding, at most */

/* Another job in the way.  If the reason of the finding is SCHED_RESOURCES, the
 * blocker runs, and the job needs its end.  Else the blocker was ahead in the
 * queue.
 */
struct sched_blocker {
	uint32_t task;	      /* SCHED_NONE: none */
	uint32_t priority;    /* of a run: at its start */
	uint32_t nodes, cpus; /* of a run: held; else asked for */
	int64_t at_s; /* of a run: its end by the limit; else its planned start,
			 0: none */
};

/* A finding about the task: of consecutive passes of one loop that found the
 * same, with the numbers of the first pass; or an event.
 */
struct sched_look {
	enum sched_watched what;
	enum sched_loop loop;
	int64_t from_s, last_s; /* first and last pass */
	/* The reason at this pass.  A reason that an earlier pass left in the
	 * job is replaced by SCHED_PRIORITY.  SCHED_REASON_NONE: free nodes
	 * suffice, but backfill found no start, or looked for none.
	 */
	enum sched_reason reason;
	bool preempts; /* the blocker is preempted for the job */
	bool aside;    /* the job asks for several partitions, and the pass
			  tried this one before its last */
	uint32_t part, priority;
	uint32_t ahead;	     /* jobs before it in the queue of its partition */
	uint32_t siblings;   /* waiting tasks of its array before it */
	int64_t until_s;     /* end of a begin time or hold; 0: not known */
	int64_t planned_s;   /* the start that backfill plans; 0: none */
	uint32_t dependency; /* index in depends.on; SCHED_NONE: none */
	uint32_t lacks;	     /* SCHED_LACKS_... */
	struct sched_blocker blocker;
	struct sched_held held[SCHED_WATCH_HELD];
	size_t nheld;
};

struct sched_watch {
	uint32_t task; /* of the model */
	int64_t submit_s;
	struct sched_look *looks;
	size_t n, cap;
	/* 1 + the index of the look that a pass of a loop may extend; 0: none.
	 * aside: the same for the partitions that were tried before the last.
	 */
	size_t last[SCHED_NLOOPS], aside[SCHED_NLOOPS][SCHED_MAX_PARTS];
};

/* Begin to watch a task of a model that has not been simulated yet.  *w is
 * overwritten.
 * Owner:  the caller calls sched_watch_fini() once, which frees the looks.
 */
void sched_watch_begin(struct sched_watch *w, const struct sched_model *m,
		       uint32_t task);

/* Return the job (record) to which the waiting task belongs: an array, or the
 * task's own after a requeue.  SCHED_NONE: the task does not wait.
 */
uint32_t sched_watch_job(const struct sched_watch *w,
			 const struct sched_model *m);

/* Note what a pass that just ended found, in each partition in which the job is
 * in the queue.  Call this before anything changes the queue or the model.  If
 * the task does not wait, nothing is noted.  dependency: the index of the job's
 * first dependency that is not satisfied, or SCHED_NONE.
 * Cost:   grows with the queue, the running jobs and the choices of nodes.
 */
void sched_watch_pass(struct sched_watch *w, struct sched_model *m,
		      enum sched_loop loop, uint32_t dependency);

/* Note an event of the task at an instant; `what` is not SCHED_WATCH_PASS.  The
 * next pass of each loop begins a new look.
 */
void sched_watch_note(struct sched_watch *w, struct sched_model *m,
		      enum sched_watched what, enum sched_loop loop,
		      int64_t at_s);

void sched_watch_fini(struct sched_watch *w);

#endif
