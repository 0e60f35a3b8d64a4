/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - the one engine inside slurmctld, for the plugins that share it.
 *
 * Owns the engine, its lock, clock and decision log, and which Slurm job has
 * which ticket.  The select plugin says what the cluster is and what happens
 * to jobs; the job_submit plugin asks for verdicts.  Nothing here knows a
 * structure of Slurm, so all of it runs without slurmctld.
 *
 * Threads: every function may be called from any thread; one lock, held for
 * one call.  The functions of struct libra_host_ops are called under it and
 * must not call back.
 *
 * A promise:  submit -> an offer without job id, held by the engine
 *             place  -> first sight of the job: the offer is committed
 *             started, ended
 * An offer nobody claims expires.  A job without a promise (its offer expired,
 * it was held, requeued, or its nodes are gone) asks again by itself when the
 * scheduler looks at it.  One that never had a promise waits for it until it is
 * too late.  One that had is not punished for what happened to its nodes: while
 * it gets no new promise it may start wherever Slurm finds room, at the least
 * share.
 */
#ifndef LIBRA_HOST_HOST_H
#define LIBRA_HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/host/types.h"

/* Once, before anything else; ops must live on. */
void libra_host_init(const struct libra_host_ops *ops);

/* Forget everything and close the log. */
void libra_host_fini(void);

/* The cluster is this from now on: at start and on reconfigure.  The ledger is
 * kept if nothing that matters has changed; else it is begun anew and filled
 * by libra_host_restore().
 * Result: 0, or -1 with errno; then no job is managed.
 */
int libra_host_set_cluster(const struct libra_host_cluster *site);

/* Ask for a job.  The reply is to be ended by libra_host_reply_fini().
 * Result: 0, or -1 with ENOMEM (then stock behaviour is right).
 */
int libra_host_submit(const struct libra_host_request *request,
		      struct libra_host_reply *reply);

/* A job would be changed by a user; record is Slurm's.  What the request leaves
 * out (estimate NAN, deadline NAN, numbers 0) stays as it is.  STOCK: no
 * promised job, or none that this user may change: Slurm will say so.
 * Result: as libra_host_submit(); but then nothing must be changed.
 */
int libra_host_modify(const void *record, uint32_t user,
		      const struct libra_host_request *change,
		      struct libra_host_reply *reply);
void libra_host_reply_fini(struct libra_host_reply *reply);

/* Where shall a job be now?  Commits its offer at first sight, and asks again
 * for a job that has none.
 */
enum libra_host_place libra_host_place(const struct libra_host_job *job,
				       struct libra_host_placement *placement);

/* The job runs.  Told again, it is nothing new.  placement->record may be set;
 * its parts are the promised ones (nparts 0: no promised job).
 */
void libra_host_started(const struct libra_host_job *job,
			struct libra_host_placement *placement);

/* A running job stands still from now on, or goes on. */
void libra_host_suspended(uint32_t job_id, bool suspended);

/* Bring the records of running jobs up to date (ops->write_record): the caller
 * may write them.  Where they are very many some calls do nothing, so that call
 * it often.
 */
void libra_host_flush_records(void);

/* The job is over, or goes back to the queue. */
void libra_host_ended(uint32_t job_id);

/* A waiting job of the state file, after libra_host_set_cluster(): it gets back
 * what it was promised.  placement->record may be set.
 */
void libra_host_restore(const struct libra_host_job *job,
			struct libra_host_placement *placement);

void libra_host_counts(struct libra_host_counts *counts);

#endif
