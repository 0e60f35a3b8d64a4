/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the host: the admission engines inside slurmctld, shared by the
 * select and the job_submit plugin.
 *
 * The host owns an engine for each group of partitions, their lock, clock and
 * decision logs, and the table from Slurm jobs to tickets of an engine.  The
 * select plugin reports the cluster and what happens to jobs.  The job_submit
 * plugin asks for verdicts.  The host knows no structure of Slurm, and runs
 * without slurmctld.
 *
 * Locks: each function takes the host's lock for the length of the call, and
 * may be called from any thread.  Callers that need locks of Slurm take Slurm's
 * first.  Of struct libra_host_ops, the host calls right, rules and default_qos
 * without its lock, log and view with or without, all others under it.  None of
 * them may call the host.
 *   submit             Slurm's read locks of jobs, nodes, partitions, in the
 *                      thread of the request
 *   due, next_s, woken, may_try, took, log_times, counts, manages
 *                      no lock of Slurm
 *   fini               see there
 *   all others         Slurm's write lock of jobs, read locks of nodes and
 *                      partitions, in the thread of the request or scheduler,
 *                      or that of plugin/select/starter.h
 *
 * Memory: if memory is out, a submission fails with ENOMEM, and a job that asks
 * for a promise later is refused.  A job with a promise waits if its processors
 * cannot be read.  A record that cannot be composed stays stale, and is written
 * later.
 *
 * Life of a promise:
 *   submit             the engine holds an offer, which has no job id
 *   place              at the first sight of the job the offer is committed
 *   started            the job runs on the promised processors
 *   ended              the processors are free
 *
 * An offer expires if no job claims it.  A job without a promise asks for one
 * when the scheduler tests the job.  A job is without a promise if its offer
 * expired, if it was held or requeued, or if its nodes are gone.  A job that
 * never had a promise waits, and Slurm cancels it once its deadline cannot be
 * met.  A job that lost its promise may start wherever Slurm finds room; under
 * a sharing policy it then has the least share.
 */
#ifndef LIBRA_HOST_HOST_H
#define LIBRA_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct libra_host;

/* Return the host that the plugins of this process share.
 * Result: never NULL; before init and after fini the host manages no job.
 */
struct libra_host *libra_host_shared(void);

/* Create a host beside the shared one.
 * Result: NULL with ENOMEM.
 * Owner:  the caller ends it with libra_host_destroy(), which accepts NULL.
 */
struct libra_host *libra_host_create(void);
void libra_host_destroy(struct libra_host *host);

/* Set the functions that the host calls; *ops must outlive the host.  This is
 * the first call; a repeated call keeps all jobs.
 */
void libra_host_init(struct libra_host *host, const struct libra_host_ops *ops);

/* Forget everything and close the logs.  No submit or modify may be in progress
 * in another thread, as both call ops without the lock.  slurmctld waits for
 * its last request before it ends plugins, and ends job_submit first, which
 * waits for its own calls (22.05.8 and 26.05.3: controller.c, job_submit.c).
 */
void libra_host_fini(struct libra_host *host);

/* Set the cluster, at start and on reconfigure.  A group keeps its engine and
 * jobs if its settings and nodes are the same; else the group gets an empty
 * engine, which the caller fills by libra_host_started() and
 * libra_host_restore().  A wrong setting is logged and gets its default, or on
 * reconfigure its former value.
 * Result: 0, or -1 with errno (EINVAL: a node in two groups, or a partition
 *         without all nodes of a group whose starts are planned; ENOENT: a
 *         group has no node; ENOMEM); then no job is managed.
 */
int libra_host_set_cluster(struct libra_host *host,
			   const struct libra_host_cluster *cluster);

/* Decide on a submission.
 * Result: 0, or -1 with ENOMEM; then the job goes on as under stock Slurm.
 * Owner:  the caller ends the reply with libra_host_reply_fini().
 */
int libra_host_submit(struct libra_host *host,
		      const struct libra_host_request *request,
		      struct libra_host_reply *reply);

/* Decide on a change of a job by a user; record is Slurm's job record.  A field
 * that is not given (estimate NAN, deadline NAN, numbers 0) stays as it is.
 * The answer is STOCK if the job has no promise, or this user may not change
 * the job: Slurm reports that.
 * Result: 0, or -1 with ENOMEM; then the caller must refuse the change.
 * Owner:  as for libra_host_submit().
 */
int libra_host_modify(struct libra_host *host, const void *record,
		      uint32_t user, const struct libra_host_request *change,
		      struct libra_host_reply *reply);
void libra_host_reply_fini(struct libra_host_reply *reply);

/* Return whether a job may start now, and its processors in *placement.  At the
 * first sight of a job its offer is committed.  A job without a promise asks
 * for one, unless job->look_only is set.  For LIBRA_PLACE_WAIT the parts are
 * those of the present schedule, or none.  If memory is out for the parts, the
 * answer is LIBRA_PLACE_WAIT.
 * Owner:  the caller owns placement->parts and the comment of its record.
 */
enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *job,
				       struct libra_host_placement *placement);

/* Return true if a job without a promise may start now on its parts (the
 * processors that Slurm has chosen, by node): it delays no reservation, even if
 * it runs until its time limit.  If false, set in_way[i] = 1 for each of
 * Slurm's first n nodes on which the job would delay a reservation, so that the
 * caller tries other nodes.  Marks accumulate over retries.  in_way NULL: no
 * retry follows.  Before the test, host_compress() (sync.h) may move
 * reservations earlier.
 * Result: false also if memory is out.
 */
bool libra_host_may_run(struct libra_host *host,
			const struct libra_host_job *job, uint8_t *in_way,
			uint32_t n);

/* Read into *placement the processors of all jobs with a planned start that may
 * start now and do not run yet.  nparts is 0 if there are none.  If memory is
 * out, some are missing.
 * Owner:  the caller frees placement->parts.
 */
void libra_host_kept(struct libra_host *host,
		     struct libra_host_placement *placement);

/* Return whether Slurm should test a waiting job now, because the job may start
 * or has to ask for a promise.  Nothing changes.  Of *job, only job_id, comment
 * and waiting are read.
 */
enum libra_host_wanted libra_host_wants(struct libra_host *host,
					const struct libra_host_job *job);

/* Read at most max ids of ordinary jobs whose aged reservation has begun and
 * which may start now: one for each group at most.
 * Result: their number.
 */
uint32_t libra_host_due(struct libra_host *host, uint32_t *ids, uint32_t max);

/* Return the seconds until the next planned start; INFINITY = there is none. */
double libra_host_next_s(struct libra_host *host);

/* Read at most n ids of jobs that became able to start since the last call, and
 * forget these jobs.
 * Result: their number; if it exceeds n, ignore ids and test all waiting jobs.
 */
uint32_t libra_host_woken(struct libra_host *host, uint32_t *ids, uint32_t n);

/* Note that Slurm could not start a job.  The job is not wanted for 0.2 s after
 * the first failure, and for twice as long after each further one, up to 15 s.
 * Once a job has ended or capacity was freed, 0.2 s suffice again.
 */
void libra_host_tried(struct libra_host *host, uint32_t job_id);

/* Return false if a job failed to start so recently that it is not wanted. */
bool libra_host_may_try(struct libra_host *host, uint32_t job_id);

/* Do a part of the work that is due: drop unclaimed offers, bring the engines
 * up to date, charge running jobs.  The starter's thread calls this about once
 * a second.
 * Result: true if work is left; the caller may release Slurm's locks before the
 *         next call.
 */
bool libra_host_look(struct libra_host *host);

/* Forecast for sbatch --test-only: instants, without any guarantee.
 * starts_s:   when a waiting promised job starts at the latest; INFINITY: the
 *             schedule has no start for it; NAN: the job has no promise.
 * ends_s:     when a running promised job ends by its estimate; NAN: the job
 *             does not run, or has no promise.
 * last_end_s: when the last of the waiting promised jobs has ended; now if none
 *             waits; INFINITY if one has no start; 0 if there is no group.
 */
double libra_host_starts_s(struct libra_host *host,
			   const struct libra_host_job *job);
double libra_host_ends_s(struct libra_host *host, uint32_t job_id);
double libra_host_last_end_s(struct libra_host *host);

/* tracks: return true if the host has a ticket for the waiting job.  If not,
 *         Slurm only tests the job: after libra_host_place() the caller calls
 *         libra_host_forget().
 * forget: withdraw the promises that the test has made.
 */
bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *job);
void libra_host_forget(struct libra_host *host,
		       const struct libra_host_job *job);

/* Return the instant at which an ordinary job would start on some of Slurm's
 * nodes (nodes[i] = 1) without delay to any reservation, after the jobs ahead
 * of it.  At most LIBRA_FIT_AHEAD of these count.
 * Result: NAN if no node has planned starts; INFINITY: never.
 */
double libra_host_earliest_fit_s(struct libra_host *host,
				 const struct libra_host_job *job,
				 const uint8_t *nodes, uint32_t nnodes,
				 const struct libra_host_job *ahead,
				 uint32_t nahead);

/* Return true if a partition of that name is managed; NULL: the default one. */
bool libra_host_manages(struct libra_host *host, const char *partition);

/* Read the memory, in MB, that an ordinary job may have on each of Slurm's
 * first n nodes; UINT64_MAX: any amount.
 * Result: false if no node has a bound.
 */
bool libra_host_spare_memory(struct libra_host *host, uint64_t *mb, uint32_t n);

/* Report that a job runs; a repeated report changes nothing.  *placement gets
 * the promised parts (nparts 0: the job has no promise, or was reported before)
 * and a record to write, if the record changed.
 */
void libra_host_started(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement);

/* Read the present record of a job's promise into placement->record.  The
 * comment is NULL if the job has no promise.
 */
void libra_host_record(struct libra_host *host, uint32_t job_id,
		       struct libra_host_placement *placement);

/* Return true, once, if memory was out when running jobs were reported: the
 * timeline then lacks some jobs, and no promise is given.  After true the
 * caller must report all running jobs again; promises are given again.
 */
bool libra_host_must_report(struct libra_host *host);

/* Report which limit keeps a waiting job from its start even if processors are
 * free ("a limit of its account or QOS"; static); NULL: none does.  Call this
 * after each try to start the job.  A job that is held back for longer than
 * libra_offer_ttl releases its promise.
 */
void libra_host_limited(struct libra_host *host, uint32_t job_id,
			const char *what);

/* Ask for a new promise for a job that lost a node and is requeued.  The engine
 * holds the processors until Slurm starts the job again, about two minutes
 * later.  If there is no room, or starts are planned, nothing is held: the job
 * asks when Slurm tests it again.
 */
void libra_host_keep(struct libra_host *host, const struct libra_host_job *job);

/* Report that a running job is suspended, or resumed. */
void libra_host_suspended(struct libra_host *host, uint32_t job_id,
			  bool suspended);

/* Write outdated records by ops->write_record.  If there are many, a call
 * writes some or none of them; so call this often.
 * Result: true if records are left.
 */
bool libra_host_flush_records(struct libra_host *host);

/* Report that a running job has ended, or goes back into the queue. */
void libra_host_ended(struct libra_host *host, uint32_t job_id);

/* Report that a running job has lost nodes. */
void libra_host_resized(struct libra_host *host, uint32_t job_id);

/* Restore the promise of a waiting job from its record, after
 * libra_host_set_cluster().  placement->record gets a record to write, if the
 * record changed.  If the promise cannot be restored (no room, no memory), that
 * is logged, and the job asks for another one when Slurm tests it.
 * Owner:  the caller frees the comment of placement->record.
 */
void libra_host_restore(struct libra_host *host,
			const struct libra_host_job *job,
			struct libra_host_placement *placement);

/* Count processors, offers, waiting and running jobs; zeros if there is no
 * group.
 */
void libra_host_counts(struct libra_host *host,
		       struct libra_host_counts *counts);

/* Add the time of a finished call to the statistics, if calls are timed. */
void libra_host_took(struct libra_host *host, enum libra_host_call call,
		     const struct libra_host_watch *watch);

/* Log a line with the times of each kind of call since the last such line, at
 * level debug.
 */
void libra_host_log_times(struct libra_host *host);

#endif
