/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env.h - send promises to the nodes of jobs.
 *
 * The promise of a job reaches its nodes in the SPANK environment of its
 * prolog: LIBRA_SHARE, LIBRA_ESTIMATE, LIBRA_DEADLINE, LIBRA_RULE.  If the
 * promise changes while the job runs, the change is in LIBRA_CHANGES of each
 * job that begins or ends on one of these nodes afterwards: Slurm sends that
 * environment with prolog and epilog, and slurmd accepts it from slurmctld
 * only.  LIBRA_CHANGE counts the changes of a job, so that a node never returns
 * to an older one.  All of these are in Slurm's state file.
 *
 * The caller holds Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_JOB_ENV_H
#define LIBRA_SELECT_JOB_ENV_H

#include "plugin/base/types.h"

struct job_record;

/* Set the present promise of a job.  If a running job's promise differs from
 * what its nodes know, count and remember the change.
 */
void libra_job_env_set(struct job_record *job,
		       const struct libra_host_record *record);

/* Return the estimate, in seconds, that the nodes of a promised job know; NAN:
 * the job has no promise.
 */
double libra_job_env_estimate(const struct job_record *job);

/* After a restart, note a running job whose promise was changed before. */
void libra_job_env_known(struct job_record *job);

/* If memory was out for the change of a running job, read all running jobs.
 * That walks over Slurm's list of jobs.
 */
void libra_job_env_look(void);

/* Set LIBRA_CHANGES of a job that is about to begin or to end on its nodes: the
 * changes of all other jobs there.  A value set by a user is removed.
 */
void libra_job_env_send(struct job_record *job);

#endif
