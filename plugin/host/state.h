/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the host's own state and the rooms that work on it.
 *
 * For the files of plugin/host alone.  host.c owns the state and its lock:
 * every function here is called with the lock held.  Names begin with host_,
 * so that none is exported.
 *
 *     entries.c  jobs and offers, found by id, offer or ticket
 *     follow.c   what the engine and Slurm's nodes and jobs did meanwhile
 *     places.c   processors as parts of nodes, and as a record tells them
 *     shapes.c   tasks and CPUs as processors
 *     offers.c   a submission's verdict
 *     replies.c  what the user reads
 *     learn.c    estimates corrected by users' past
 *     modify.c   changes of a promised job
 *     jobs.c     first sight, start and restart of a job
 *     site.c     the cluster
 *
 * An entry is one job, or one task of an array: its ticket of the engine and
 * what Slurm calls it.  Entries of offers nobody has claimed yet have no job
 * id; those of an array's waiting tasks have the id of the array.  A pointer
 * to an entry is good until the next host_jobs_add(&host.jobs, ).
 */
#ifndef LIBRA_HOST_STATE_H
#define LIBRA_HOST_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/host/cluster.h"
#include "plugin/host/conf.h"
#include "plugin/host/engine_log.h"
#include "plugin/host/job_table.h"
#include "plugin/host/ops.h"
#include "plugin/host/messages.h"
#include "plugin/host/ask.h"
#include "plugin/host/sizing.h"
#include "plugin/host/promise.h"
#include "plugin/host/estimates.h"
#include "plugin/host/job_record.h"
#include "plugin/host/record.h"
#include "plugin/host/released.h"

enum { HOST_REFUSALS = 1024 };

/* A job that was refused when it asked again. */
struct host_refusal {
	uint32_t job_id;
	uint64_t changes; /* log.changes of then */
	double at_s;
};

struct host {
	pthread_mutex_t lock;
	const struct libra_host_ops *ops;
	struct libra_host_conf conf;
	struct libra_engine_log log;
	bool ready;

	struct host_cluster cluster;

	struct host_jobs jobs;
	uint64_t last_epoch;
	double scheduled_s, nodes_s; /* last done */
	uint64_t nodes_stamp;	     /* ops->nodes_stamp() of then */
	struct host_refusal refused[HOST_REFUSALS];
	struct host_released released;
	struct host_history history;
};

extern struct host host;

/* --- follow.c ------------------------------------------------------------- */

void host_take_actions(double now_s);

/* Tell the engine which nodes are up, if they are not as they were. */
void host_follow_nodes(double now_s);

/* Result: how many promises of jobs that are gone or held came back. */
uint32_t host_sweep(double now_s);

/* Bring the engine up to date. */
void host_catch_up(double now_s);

/* A job stands still from now on, or goes on. */
void host_suspend(struct tracked_job *t, bool suspended, double now_s);

/* To the engine a running job makes progress; tell it that suspended ones have
 * not.
 */
void host_stand_still(double now_s);

/* --- offers.c ------------------------------------------------------------- */

/* What no policy has to be asked about.  Result: true if reply is final. */
bool host_plain_answer(const struct libra_host_request *r, double now_s,
		       bool several, struct libra_host_reply *reply);
int host_submit(const struct libra_host_request *r,
		const struct host_partition *part, uint32_t tasks, double now_s,
		struct libra_host_reply *reply);

/* Offers for all tasks of a request, or for none.
 * Result: 0, or -1 with ENOMEM.
 */
int host_offer_all(const struct libra_job *job, uint32_t tasks,
		   const struct request_size *shape, double now_s,
		   struct libra_host_reply *reply);
int host_fill_reply(struct libra_host_reply *reply, const struct libra_job *job,
		    uint64_t first, uint32_t tasks,
		    const struct request_size *shape, double now_s);

/* --- modify.c ------------------------------------------------------------- */

/* A change of a job that is promised something. */
struct host_change {
	struct libra_host_request r;
	struct libra_host_job job; /* as Slurm has it */
	bool by_operator;	   /* asks for it */
};

/* A job whose record alone tells of a promise, for it is held or was requeued:
 * it will be asked for with the new numbers.  Writes the record.
 */
int host_modify_record(struct libra_promise *p, struct host_change *change,
		       double now_s, struct libra_host_reply *reply);

int host_modify(struct tracked_job *t, struct host_change *change, double now_s,
		struct libra_host_reply *reply);

/* --- jobs.c --------------------------------------------------------------- */

/* What a job's record promises; where somebody has overwritten the record,
 * what we know ourselves.
 * Result: false if nothing; then errno is EINVAL if the record is damaged.
 */
bool host_recorded(const struct libra_host_job *job, struct libra_promise *p);

/* The entry of a job that has not started: known, claimed now, or NULL. */
struct tracked_job *host_claim(const struct libra_host_job *job,
			       const struct libra_promise *p, double now_s);
enum libra_host_place host_place(const struct libra_host_job *job,
				 const struct libra_promise *p, double now_s,
				 struct libra_host_placement *placement);
void host_started(const struct libra_host_job *job,
		  const struct libra_promise *p, double now_s,
		  struct libra_host_placement *placement);
void host_known(const struct libra_host_job *job, const struct libra_promise *p,
		double now_s, struct libra_host_placement *placement);

#endif
