/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the host follows Slurm: a job that starts or is restored, and a
 * cluster that changes while slurmctld runs.
 *
 * The caller holds Slurm's write lock of jobs and may read nodes and
 * partitions.
 *
 * Slurm (25.11 on) ends and starts jobs from within walks over its list of
 * jobs, and a second walk in the same thread ends slurmctld.
 * libra_cluster_sync_job() and libra_follow_end() do not walk over the list;
 * libra_cluster_sync() does, and none of the operations that Slurm calls from a
 * walk may call it.
 */
#ifndef LIBRA_SELECT_FOLLOW_H
#define LIBRA_SELECT_FOLLOW_H

struct job_record;

/* One starts, or waits or runs when its promise is restored. */
void libra_cluster_sync_job(struct job_record *job);

/* If the job has a promise, and its AdminComment is another's text, write the
 * record again: before records are read, or the promise ends.
 */
void libra_follow_record(struct job_record *job);

/* A job ends.  If it goes back into the queue, as its node failed, the next
 * libra_cluster_sync() asks the host for a promise that is kept until it starts
 * again.
 */
void libra_follow_end(const struct job_record *job);

/* The cluster may have changed: any lock that keeps others from following. */
void libra_cluster_sync_later(void);

/* If that was noted, and it has, the host is told of it as it is; where it
 * keeps none of its promises it has them of their records again, and who cannot
 * have his asks for another.  Where memory was out for that, or for a job that
 * started, it is done again, once a second.  Cost: of a restart, once for each
 * change.
 */
void libra_cluster_sync(void);

#endif
