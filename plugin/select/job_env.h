/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env.h - what the nodes of a job know of promises.
 *
 * The promise of a job goes to its nodes in its SPANK environment, with the
 * prolog: LIBRA_SHARE, LIBRA_ESTIMATE, LIBRA_DEADLINE, LIBRA_RULE.  If it
 * changes while the job runs, each job that begins or ends on one of its nodes
 * from then on takes the change along in LIBRA_CHANGES: Slurm sends that
 * environment with the prolog and with the epilog, and slurmd takes both from
 * slurmctld alone.  LIBRA_CHANGE counts the changes of a job, so that a node
 * never goes back to an older one.  All of it is in Slurm's state file.
 *
 * The caller has Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_JOB_ENV_H
#define LIBRA_SELECT_JOB_ENV_H

#include "plugin/base/types.h"

struct job_record;

/* Set what is promised to a job now. */
void libra_job_env_set(struct job_record *job,
		       const struct libra_host_record *record);

/* What a promised job's nodes are told that it will take: NAN of any other. */
double libra_job_env_estimate(const struct job_record *job);

/* A job of the state file runs: remember it if its promise was changed. */
void libra_job_env_known(struct job_record *job);

/* If memory was out for the changes of running jobs, look at all of them: it
 * walks over Slurm's list of jobs.
 */
void libra_job_env_look(void);

/* A job is about to begin or to end on its nodes: give it the changes that they
 * have to know, and take away what a user may have put there.
 */
void libra_job_env_send(struct job_record *job);

#endif
