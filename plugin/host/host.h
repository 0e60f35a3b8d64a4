/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the host: one engine inside slurmctld, for the plugins that share
 * it.
 *
 * Owns the engine, its lock, clock and decision log, and which Slurm job has
 * which ticket.  The select plugin says what the cluster is and what happens
 * to jobs; the job_submit plugin asks for verdicts.  Nothing here knows a
 * structure of Slurm, so all of it runs without slurmctld.
 *
 * Threads: every function may be called from any thread; one lock for a host,
 * held for one call.  The functions of struct libra_host_ops are called under
 * it and must not call back; log is called without it, too.
 *
 * A promise:  submit -> an offer without job id, held by the engine
 *             place  -> first sight of the job: the offer is committed
 *             started, ended
 * An offer that no job comes for expires.  A job without a promise (its offer
 * expired, it was held, requeued, or its nodes are gone) asks again by itself
 * when the scheduler looks at it.  One that never had a promise waits for it
 * until it is too late.  One that had is not punished for what happened to its
 * nodes: while it gets no new promise it may start wherever Slurm finds room,
 * at the least share.
 */
#ifndef LIBRA_HOST_HOST_H
#define LIBRA_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct libra_host;

/* The host that the plugins of this process share.
 * Result: never NULL; it is there before init and after fini, and manages no
 *         job then.
 */
struct libra_host *libra_host_shared(void);

/* Another host, beside the shared one.
 * Result: NULL with ENOMEM.
 * Owner:  the caller ends it with libra_host_destroy(); NULL is fine there.
 */
struct libra_host *libra_host_create(void);
void libra_host_destroy(struct libra_host *host);

/* Before anything else; ops must live on.  Told again, nothing is lost. */
void libra_host_init(struct libra_host *host, const struct libra_host_ops *ops);

/* Forget everything and close the log.  No submission or change may be under
 * way: these call ops without the lock.  slurmctld waits for its last request
 * before it ends plugins, and ends job_submit first, which waits for its own
 * calls (22.05.8 and 26.05.3: controller.c, job_submit.c).
 */
void libra_host_fini(struct libra_host *host);

/* The cluster is this from now on: at start and on reconfigure.  The ledger is
 * kept if nothing that matters has changed; else it is begun anew and filled
 * by libra_host_restore().
 * Result: 0, or -1 with errno; then no job is managed.
 */
int libra_host_set_cluster(struct libra_host *host,
			   const struct libra_host_cluster *cluster);

/* Ask for a job.  The reply is to be ended by libra_host_reply_fini().
 * Result: 0, or -1 with ENOMEM (then stock behaviour is right).
 */
int libra_host_submit(struct libra_host *host,
		      const struct libra_host_request *request,
		      struct libra_host_reply *reply);

/* A job would be changed by a user; record is Slurm's.  What the request leaves
 * out (estimate NAN, deadline NAN, numbers 0) stays as it is.  STOCK: no
 * promised job, or none that this user may change: Slurm will say so.
 * Result: as libra_host_submit(); but then nothing must be changed.
 */
int libra_host_modify(struct libra_host *host, const void *record,
		      uint32_t user, const struct libra_host_request *change,
		      struct libra_host_reply *reply);
void libra_host_reply_fini(struct libra_host_reply *reply);

/* Where shall a job be now?  Commits its offer at first sight, and asks again
 * for a job that has none.  One that has to wait has the parts that it would
 * have as things are now, if there are such.
 */
enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *job,
				       struct libra_host_placement *placement);

/* May a job without a promise start now on its parts, run to its limit, and be
 * in the way of no plan?  If not, nodes where it would be are marked in in_way,
 * n of Slurm's, for a look elsewhere; marks of before stay, and mean that this
 * is one.  NULL: nobody looks.
 */
bool libra_host_may_run(struct libra_host *host,
			const struct libra_host_job *job, uint8_t *in_way,
			uint32_t n);

/* Processors that are kept for jobs that were told to start: the parts. */
void libra_host_kept(struct libra_host *host,
		     struct libra_host_placement *placement);

/* Shall Slurm look at a waiting job now: may it start, or ask for a promise?
 * Nothing is changed.  Of the job its id, comment and tasks are enough.
 */
enum libra_host_wanted libra_host_wants(struct libra_host *host,
					const struct libra_host_job *job);

/* The jobs without a promise that have a plan and may start now, max of them at
 * the most.  Result: how many.
 */
uint32_t libra_host_due(struct libra_host *host, uint32_t *ids, uint32_t max);

/* How long it is to the next planned start; INFINITY = there is none. */
double libra_host_next_s(struct libra_host *host);

/* Jobs that may start since this was last asked, and up to n of them.
 * Result: how many; more than n, and nothing in ids: too many, look at all.
 */
uint32_t libra_host_woken(struct libra_host *host, uint32_t *ids, uint32_t n);

/* Slurm has looked at it, and could not start it: it is not wanted again at
 * once, nor often.
 */
void libra_host_tried(struct libra_host *host, uint32_t job_id);

/* May it be tried now, as far as that goes?  Slurm's locks need not be held. */
bool libra_host_may_try(struct libra_host *host, uint32_t job_id);

/* Time has passed: some of what is due is done.  Called under Slurm's locks,
 * once a second or so.
 * Result: is there more to do?  The locks may be given back before.
 */
bool libra_host_look(struct libra_host *host);

/* For who asks when a job would start: instants, and no promise.  When a
 * waiting job with a promise starts at the latest, when a running one ends by
 * its estimate (NAN: it has none), and when the last of those that wait has
 * ended.
 */
double libra_host_starts_s(struct libra_host *host,
			   const struct libra_host_job *job);
double libra_host_ends_s(struct libra_host *host, uint32_t job_id);
double libra_host_last_end_s(struct libra_host *host);

/* Has the job been seen since it was submitted, or is it one that Slurm only
 * asks about?  What such a one was promised is free when it is forgotten.
 */
bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *job);
void libra_host_forget(struct libra_host *host,
		       const struct libra_host_job *job);

/* When an ordinary job would start on some of Slurm's nodes (nodes: 1 each)
 * beside jobs whose starts are planned, after those ahead of it, of which at
 * most LIBRA_FIT_AHEAD count.
 * Result: NAN if nothing is planned on them; INFINITY: never.
 */
double libra_host_earliest_fit_s(struct libra_host *host,
				 const struct libra_host_job *job,
				 const uint8_t *nodes, uint32_t nnodes,
				 const struct libra_host_job *ahead,
				 uint32_t nahead);

/* Is a partition of that name managed? */
bool libra_host_manages(struct libra_host *host, const char *partition);

/* Memory that an ordinary job may have, as host_spare_memory(), of all groups;
 * UINT64_MAX of other nodes.
 */
bool libra_host_spare_memory(struct libra_host *host, uint64_t *mb, uint32_t n);

/* The job runs.  Told again, it is nothing new.  placement->record may be set;
 * its parts are the promised ones (nparts 0: no promised job).
 */
void libra_host_started(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement);

/* The record of a job's promise as it is now, into the placement; none if the
 * job has no promise.
 */
void libra_host_record(struct libra_host *host, uint32_t job_id,
		       struct libra_host_placement *placement);

/* Has memory run out when jobs were told of that run, so that plans may lack
 * some?  Nothing is promised then until this is asked: who does tells of all
 * that run again.
 */
bool libra_host_untold(struct libra_host *host);

/* A waiting job was tried: what holds it back, whatever is free ("a limit of
 * its account or QOS"; static), or NULL.  One that is held back for as long as
 * an offer lives releases its promise.
 */
void libra_host_limited(struct libra_host *host, uint32_t job_id,
			const char *what);

/* A job's node failed, and Slurm will start it again in a while: keep a promise
 * for it until then, if there is room for one.
 */
void libra_host_keep(struct libra_host *host, const struct libra_host_job *job);

/* A running job stands still from now on, or goes on. */
void libra_host_suspended(struct libra_host *host, uint32_t job_id,
			  bool suspended);

/* Write records that are stale (ops->write_record): the caller may have them
 * written now.  Where they are many a call writes some, or does nothing, so
 * that call it often. Result: are there more?
 */
bool libra_host_flush_records(struct libra_host *host);

/* The job is over, or goes back to the queue. */
void libra_host_ended(struct libra_host *host, uint32_t job_id);

/* A job that runs has lost nodes. */
void libra_host_resized(struct libra_host *host, uint32_t job_id);

/* A waiting job of the state file, after libra_host_set_cluster(): what it was
 * promised is restored.  placement->record may be set.
 */
void libra_host_restore(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement);

void libra_host_counts(struct libra_host *host,
		       struct libra_host_counts *counts);

/* A call is over: count it, if calls are timed.  And a line for each kind of
 * call since the last such lines, in slurmctld's log (level debug): how long
 * they took.
 */
void libra_host_took(struct libra_host *host, enum libra_host_call call,
		     const struct libra_host_watch *watch);
void libra_host_log_times(struct libra_host *host);

#endif
