/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table.h - the jobs and offers that the engine has tickets for.
 *
 * A tracked job is one job, or one task of an array: its ticket of the engine,
 * and what Slurm calls it.  Offers nobody has committed yet have no job id; an
 * array's waiting tasks all have the id of the array.  They are found by job
 * id, by offer and by ticket.  A pointer to one is good until the next
 * host_jobs_add().
 */
#ifndef LIBRA_JOBS_JOB_TABLE_H
#define LIBRA_JOBS_JOB_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/engine_log.h"
#include "plugin/base/types.h"

enum { HOST_BUCKETS = 4096, HOST_CAUSE = 96 };

enum tracked_state {
	TRACKED_FREE = 0,
	TRACKED_OFFERED,   /* no job has come for it yet */
	TRACKED_COMMITTED, /* waits for its start */
	TRACKED_RUNNING,
};

/* What jobs are found by.  Those of one bucket are chained in the order in
 * which they came to it.
 */
enum host_key {
	HOST_BY_JOB,   /* the job id */
	HOST_BY_OFFER, /* the first offer, until it starts */
	HOST_KEYS,
};

struct host_chain {
	uint32_t head, tail;
};

struct tracked_job {
	uint64_t offer, ticket;
	uint64_t first; /* number of the array it is a task of; else offer */
	struct libra_job job;
	double user_estimate_s; /* job has the one promised */
	struct request_size size;
	double share;
	double late_s;	  /* of the verdict */
	double changed_s; /* of its numbers, after that; 0 = never */
	uint32_t job_id;
	struct {
		uint32_t prev, next; /* next also in the free list */
	} at[HOST_KEYS];
	enum tracked_state state;
	int thread;		 /* of its submission; 0 = not known */
	bool may_start;		 /* the engine said START */
	bool stale;		 /* its record says something else */
	bool suspended;		 /* it runs, but stands still */
	bool queued;		 /* it was in the queue: Slurm took it */
	bool ordinary;		 /* it has no promise: plans go round it */
	bool resized;		 /* it has lost nodes, ordinary as it is */
	bool waits_told;	 /* for a node that is away: it is reported */
	bool missed;		 /* its planned start passed before a restart */
	double start_s;		 /* planned, as its record says; 0 = not yet */
	double executed_s;	 /* of each part, when it was suspended */
	double blocked_since_s;	 /* seen held; 0 = it is not */
	double surplus_since_s;	 /* no task for it; 0 = there is one */
	double overdue_since_s;	 /* may start, after its deadline; 0 = not */
	double limited_since_s;	 /* something holds it back; 0 = nothing */
	const char *limited_by;	 /* what does; static */
	double barred_since_s;	 /* it could never start; 0 = it can */
	const char *barred_by;	 /* libra_host_ops.barrier */
	double charged_since_s;	 /* 0 = not yet; */
	double charged_left_s;	 /* what was left of its estimate then */
	double charged;		 /* rate that was told last */
	double wait_s;		 /* it waits to be started again, and its
				    estimate has that in it; 0 = it does not */
	uint32_t tries;		 /* of Slurm to start it, in vain */
	double tried_s;		 /* the last of them */
	uint64_t tried_ends;	 /* what had ended until then */
	char broken[HOST_CAUSE]; /* why its promise cannot be kept, as in its
				    record: reported; "" = it can */
};

struct host_jobs {
	const struct libra_host_ops *ops;
	const struct host_cluster *cluster;
	struct libra_engine_log *log; /* the engine that has the tickets */
	struct tracked_job *jobs;
	uint32_t njobs, cap, free_list;
	struct host_chain chains[HOST_KEYS][HOST_BUCKETS];
	uint32_t *by_slot; /* job by the slot of its ticket */
	uint32_t nslots;
	uint64_t *open; /* tickets; host_jobs_open() */
	uint32_t nopen, open_cap;
	uint64_t last_offer;
	uint32_t nsuspended;
	uint32_t no_memory; /* nodes left out of the last question for that */
	/* Records that have to be written (job_record.h): those of so many,
	 * from the one at an index on, have to be looked at.
	 */
	uint32_t stale_left, stale_at;
	double flushed_at_s, flush_took_s; /* last, on a steady clock */
};

/* Forget all jobs, but not what the next offer is called.  For a table of zeros
 * that is the beginning, too.
 */
void host_jobs_clear(struct host_jobs *jobs);

/* What the next offers are called together: an array has a number before those
 * of its tasks, a job just its own.
 */
uint64_t host_jobs_first_offer(struct host_jobs *jobs, uint32_t tasks);

/* An offer that the engine made; first as above.
 * Result: NULL if there is no memory.
 */
struct tracked_job *host_jobs_add(struct host_jobs *jobs, uint64_t ticket,
				  uint64_t first);
void host_jobs_remove(struct host_jobs *jobs, struct tracked_job *t);

/* It is this job's, from now on found by its id. */
void host_jobs_link(struct host_jobs *jobs, struct tracked_job *t,
		    uint32_t job_id);

/* The job runs: its offer is not looked for any more. */
void host_jobs_run(struct host_jobs *jobs, struct tracked_job *t,
		   uint32_t job_id);

/* Take a job that is not running off the engine and out of the table. */
void host_jobs_withdraw(struct host_jobs *jobs, struct tracked_job *t,
			double now_s);

/* The tickets of offers that no job has come for yet, in the order in which
 * they were made: of a few that are not so any more, too.
 * Result: how many; the list is good until the next host_jobs_add().
 */
uint32_t host_jobs_open(struct host_jobs *jobs, const uint64_t **tickets);

/* A job's record has to be written.  Soon: whoever asked reads it next. */
void host_jobs_set_stale(struct host_jobs *jobs, struct tracked_job *t);
void host_jobs_set_stale_soon(struct host_jobs *jobs, struct tracked_job *t);

/* All of them, one after the other: after NULL the first one.  The present one
 * may be removed before the next is asked for.
 */
struct tracked_job *host_jobs_next(const struct host_jobs *jobs,
				   const struct tracked_job *t);

/* The one of a job with the lowest offer, running ones apart, or NULL. */
struct tracked_job *host_jobs_find(const struct host_jobs *jobs,
				   uint32_t job_id, bool running);

/* The next one of its job, which waits. */
struct tracked_job *host_jobs_next_waiting(const struct host_jobs *jobs,
					   const struct tracked_job *t);

/* The one before it of its job, which waits, or NULL. */
struct tracked_job *host_jobs_waiting_before(const struct host_jobs *jobs,
					     const struct tracked_job *t);

/* Tasks that a job has a promise for, which wait; and the last of them. */
uint32_t host_jobs_count_waiting(const struct host_jobs *jobs, uint32_t job_id,
				 struct tracked_job **last);

/* The lowest of those with the same first offer that has not started, or NULL;
 * and the next one.
 */
struct tracked_job *host_jobs_find_offer(const struct host_jobs *jobs,
					 uint64_t first);
struct tracked_job *host_jobs_next_offer(const struct host_jobs *jobs,
					 const struct tracked_job *t);
struct tracked_job *host_jobs_find_ticket(const struct host_jobs *jobs,
					  uint64_t ticket);

#endif
