/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - report to the host what Slurm does: jobs that start, end or are
 * restored, and changes of the cluster while slurmctld runs.
 *
 * The caller holds Slurm's job write lock, and read locks of nodes and
 * partitions.
 *
 * Slurm (25.11 on) ends and starts jobs during a walk over its list of jobs,
 * and a second walk in the same thread aborts slurmctld.  Only
 * libra_cluster_sync() walks over the list, so operations that Slurm calls
 * during a walk must not call it.
 */
#ifndef LIBRA_SELECT_FOLLOW_H
#define LIBRA_SELECT_FOLLOW_H

struct job_record;

/* Report a job that has started; or, after a restart, restore a waiting or
 * running job.
 */
void libra_cluster_sync_job(struct job_record *job);

/* If a job has a promise and its AdminComment was overwritten, write the record
 * again.  Call this before records are read, and before the promise ends.
 */
void libra_follow_record(struct job_record *job);

/* Note that a job ends.  If it is requeued because its node failed, the next
 * libra_cluster_sync() asks the host for a promise until the job starts again
 * (libra_host_keep()).
 */
void libra_follow_end(const struct job_record *job);

/* Note that the cluster may have changed.  Any lock that excludes
 * libra_cluster_sync() is enough.
 */
void libra_cluster_sync_later(void);

/* If a change was noted and is one, report the cluster to the host, and all
 * jobs again.  Promises are restored from their records.  A job whose promise
 * cannot be restored asks for another.  If memory is out for that, or was for a
 * job that started, try again, at most once a second.
 * Cost:   that of a restart for each change.
 */
void libra_cluster_sync(void);

#endif
