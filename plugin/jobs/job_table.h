/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_table.h - the jobs and offers for which the engine has tickets.
 *
 * A tracked job is one job, or one task of an array, with its ticket and
 * Slurm's job id.  An offer that was not committed has no job id yet.  All
 * waiting tasks of an array have the array's id.  Tracked jobs are found by job
 * id, offer or ticket.  A pointer to a tracked job is valid until the next
 * host_jobs_add(), which may move the table, or until the job is removed.
 *
 * Callers: plugin/host, jobs and request, in any thread, under the host's lock.
 * No function calls Slurm or needs a lock of Slurm.  Only host_jobs_add() needs
 * memory; if memory is out for a line of the decision log, that line is lost.
 */
#ifndef LIBRA_JOBS_JOB_TABLE_H
#define LIBRA_JOBS_JOB_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/engine_log.h"
#include "plugin/base/types.h"

/* Chains of each key; bytes of the text of a cause. */
enum { HOST_BUCKETS = 4096, HOST_CAUSE = 96 };

enum tracked_state {
	TRACKED_FREE = 0,
	TRACKED_OFFERED,   /* an open offer: not committed for a job yet */
	TRACKED_COMMITTED, /* the job waits for its start */
	TRACKED_RUNNING,
};

/* The keys by which jobs are found.  Each bucket is a chain in order of
 * insertion.
 */
enum host_key {
	HOST_BY_JOB,   /* the job id */
	HOST_BY_OFFER, /* tracked_job.first, until the job starts */
	HOST_KEYS,
};

struct host_chain {
	uint32_t head, tail;
};

/* Instants since which a job does not start, one for each cause; 0 = the cause
 * does not apply.
 */
struct tracked_since {
	double blocked_s;	/* held, dependent, or begins later */
	double surplus_s;	/* an array has fewer tasks than tickets */
	double overdue_s;	/* it may start, and its deadline is over, or it
				   is an ordinary job with an aged reservation */
	double limited_s;	/* a limit delays it */
	const char *limited_by; /* name of the limit; static */
	double barred_s;	/* it can never start */
	const char *barred_by;	/* reason, from libra_host_ops.barrier */
};

/* The last charge of a job. */
struct tracked_charge {
	double since_s; /* 0 = not yet */
	double left_s;	/* rest of the estimate at that time */
	double rate;	/* last passed to libra_host_ops.charge */
};

/* Failed tries of Slurm to start a job. */
struct tracked_tries {
	uint32_t n;
	double last_s;
	uint64_t ends; /* jobs ended and calls that freed capacity until then;
			  if there are more now, the next try comes sooner */
};

struct tracked_job {
	uint64_t offer, ticket;
	uint64_t first; /* host_jobs_first_offer(): the same for all tasks of an
			   array; equal to offer for a job that is none */
	struct libra_job job;
	double user_estimate_s; /* job.estimate_s may be a corrected one */
	struct request_size size;
	double share;
	double late_s;	  /* end after the deadline, by the estimate */
	double changed_s; /* last change of estimate or deadline; 0 = never */
	uint32_t job_id;
	struct {
		uint32_t prev,
			next; /* next is also the link of the free list */
	} at[HOST_KEYS];
	enum tracked_state state;
	int thread;	 /* id of the submitting thread; 0 = unknown */
	bool may_start;	 /* the engine has queued START, and no HOLD since */
	bool stale;	 /* the job's record has to be written */
	bool suspended;	 /* started, but suspended */
	bool queued;	 /* the offer's job has been seen in Slurm's queue */
	bool ordinary;	 /* without a promise */
	bool resized;	 /* an ordinary job that has lost nodes */
	bool waits_told; /* logged: the job waits for a node that is away */
	bool missed;	 /* the planned start passed before a restart */
	double start_s;	 /* planned start in the record; 0 = none yet */
	double told_start_s; /* start that the user was told; 0 = none yet */
	double executed_s;   /* progress of each part at the suspension */
	struct tracked_since since;
	struct tracked_charge charge;
	double wait_s; /* wait for a node, included in the estimate; 0 = none */
	struct tracked_tries tried;
	char broken[HOST_CAUSE]; /* cause of a broken promise, as in the record;
				    "" = not broken */
};

struct host_jobs {
	const struct libra_host_ops *ops;
	const struct host_cluster *cluster;
	struct libra_engine_log *log; /* the engine of the tickets */
	struct tracked_job *jobs;
	uint32_t njobs, cap, free_list;
	struct host_chain chains[HOST_KEYS][HOST_BUCKETS];
	uint32_t *by_slot; /* index of a job by its ticket's slot */
	uint32_t nslots;
	uint64_t *open; /* open tickets: host_jobs_open() */
	uint32_t nopen, open_cap;
	uint64_t last_offer;
	uint32_t nsuspended;
	uint32_t no_memory; /* nodes short of free memory at the last offer */
	/* Stale records (job_record.h): stale_left entries, from index stale_at
	 * on, are still to be checked.
	 */
	uint32_t stale_left, stale_at;
	double flushed_at_s, flush_took_s; /* last flush, on a steady clock */
};

/* Remove all jobs; the next offer's number stays.  This also initialises a
 * table of zeros.
 */
void host_jobs_clear(struct host_jobs *jobs);

/* Return the number that the offers of one submission share.  For a job this is
 * the number of its next offer.  For an array this is a number of its own,
 * before the numbers of its tasks.
 */
uint64_t host_jobs_first_offer(struct host_jobs *jobs, uint32_t tasks);

/* Add an offer that the engine accepted, as an open offer with the next number.
 * first: host_jobs_first_offer().
 * Result: the tracked job; NULL if memory ran out: then the table is unchanged,
 *         and the caller withdraws the ticket.
 */
struct tracked_job *host_jobs_add(struct host_jobs *jobs, uint64_t ticket,
				  uint64_t first);
/* Remove a job from the table.  The engine is not called. */
void host_jobs_remove(struct host_jobs *jobs, struct tracked_job *t);

/* Set the job id of an offer; the table finds the offer by this id from now on.
 */
void host_jobs_link(struct host_jobs *jobs, struct tracked_job *t,
		    uint32_t job_id);

/* Mark a job as running; it is no longer found by its offer. */
void host_jobs_run(struct host_jobs *jobs, struct tracked_job *t,
		   uint32_t job_id);

/* Begin a line of the decision log that reports what happened to a promise: the
 * event, the job, its partition and the promised numbers.  The caller may add
 * fields, and ends the line with libra_declog_end().
 *   promised, restored, started
 *   moved		the planned start is later than the user was told
 *   broken		the promise cannot be kept; the line has the cause
 *   holds		a broken promise can be kept again
 *   kept, late, lost, released, cancelled, replaced	the end of the promise
 * For each committed promise exactly one of the last six is written.
 * Result: the log, or NULL if the job is ordinary; then no line was begun.
 */
struct libra_declog *host_jobs_event(const struct host_jobs *jobs,
				     const struct tracked_job *t,
				     const char *event, double now_s);

/* Write the line that host_jobs_event() begins, without further fields.  cause:
 * the cause in the line; NULL: the cause in the record, if any.
 */
void host_jobs_report(const struct host_jobs *jobs, const struct tracked_job *t,
		      const char *event, const char *cause, double now_s);

/* Withdraw a job that is not running from the engine, and remove it from the
 * table.  end: the event for the log, which is written only if the offer was
 * committed; NULL: no event.
 */
void host_jobs_withdraw(struct host_jobs *jobs, struct tracked_job *t,
			const char *end, double now_s);

/* Return the number of open offers (not committed for a job), and their tickets
 * in order of creation.
 * Result: *tickets belongs to the table and is valid until the next call of
 *         this function or of host_jobs_add().  Removed jobs stay in it until
 *         then.
 */
uint32_t host_jobs_open(struct host_jobs *jobs, const uint64_t **tickets);

/* Mark a job's record as stale.  _soon: the next flush writes this record first
 * (a broken, moved or renewed promise).
 */
void host_jobs_set_stale(struct host_jobs *jobs, struct tracked_job *t);
void host_jobs_set_stale_soon(struct host_jobs *jobs, struct tracked_job *t);

/* Return the tracked job after t, or NULL; t NULL: the first one.  The caller
 * may remove t before this call.
 */
struct tracked_job *host_jobs_next(const struct host_jobs *jobs,
				   const struct tracked_job *t);

/* Return the tracked job with the lowest offer of a job id, among the running
 * or among the waiting ones, or NULL.
 */
struct tracked_job *host_jobs_find(const struct host_jobs *jobs,
				   uint32_t job_id, bool running);

/* Return the next waiting tracked job of the same job id, or NULL. */
struct tracked_job *host_jobs_next_waiting(const struct host_jobs *jobs,
					   const struct tracked_job *t);

/* Return the previous waiting tracked job of the same job id, or NULL. */
struct tracked_job *host_jobs_waiting_before(const struct host_jobs *jobs,
					     const struct tracked_job *t);

/* Return the number of waiting tracked jobs of a job id; *last is the last of
 * them, or NULL.
 */
uint32_t host_jobs_count_waiting(const struct host_jobs *jobs, uint32_t job_id,
				 struct tracked_job **last);

/* Return the waiting tracked job with the lowest offer among the jobs with this
 * first offer, or NULL.
 */
struct tracked_job *host_jobs_find_offer(const struct host_jobs *jobs,
					 uint64_t first);
/* Return the next waiting tracked job with the same first offer, or NULL. */
struct tracked_job *host_jobs_next_offer(const struct host_jobs *jobs,
					 const struct tracked_job *t);
/* Return the tracked job of a ticket, or NULL. */
struct tracked_job *host_jobs_find_ticket(const struct host_jobs *jobs,
					  uint64_t ticket);

#endif
