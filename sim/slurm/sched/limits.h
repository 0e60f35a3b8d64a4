/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - limits of QOS and associations.
 *
 * A job asks the QOS of its partition first, then its own QOS, then its
 * association, then the accounts above.  A QOS with the flag OverPartQOS comes
 * before that of the partition.  The first that sets a limit hides the same
 * limit of those behind.  Of the accounts above, only limits on all jobs
 * together (Grp...) count.
 *
 * Usage is counted by the host of the model: sched_run_begin() and
 * sched_run_end() count runs, and the host counts submitted and accruing jobs.
 * Nothing here allocates memory or fails.
 */
#ifndef SIM_SCHED_LIMITS_H
#define SIM_SCHED_LIMITS_H

#include "sim/slurm/sched/model.h"

/* Set all limits to none. */
void sched_limits_none(struct sched_limits *limits);

/* Note for each QOS and association which limits it has.  sched_model_init()
 * does so; a caller that changes a limit later must do so again.
 */
void sched_limits_note(struct sched_model *m);

/* Add a run to the usage of its QOS, the QOS of its partition, its association
 * and the accounts above (sign 1), or take it away (sign -1).
 */
void sched_count(struct sched_model *m, const struct sched_run *run, int sign);

/* Add so many submitted tasks of a job (less than 0: take away), or a waiting
 * job whose age grows (sign 1 or -1), likewise.  Submitted tasks count for the
 * QOS of the job's first partition, and accruing jobs for no partition.
 */
void sched_count_submitted(struct sched_model *m, const struct sched_job *job,
			   int64_t tasks);
void sched_count_accruing(struct sched_model *m, const struct sched_job *job,
			  int sign);

/* Return the minutes that running jobs still may take, by their limits, times
 * their amount of a resource.
 */
uint64_t sched_run_mins(const struct sched_usage *usage, size_t tres,
			int64_t now_s);

/* Test the limits that need no nodes: on running jobs and time limits.
 * Result: SCHED_REASON_NONE, SCHED_QOS_LIMIT or SCHED_ASSOC_LIMIT; below as
 * well.
 */
enum sched_reason sched_limits_before(const struct sched_model *m,
				      const struct sched_job *job,
				      uint32_t part);

/* Test the limits of resources, for the resources that the job would hold
 * (sched_tres_of()).
 */
enum sched_reason sched_limits_after(const struct sched_model *m,
				     const struct sched_job *job, uint32_t part,
				     const uint64_t tres[SCHED_NTRES]);

/* Test the limits on submitted jobs that have not ended, for all tasks of
 * a job at its submission, in the job's first partition.
 */
enum sched_reason sched_limits_submission(const struct sched_model *m,
					  const struct sched_job *job);

/* Return true if a limit bounds how many jobs that wait have age. */
bool sched_limits_age(const struct sched_model *m);

/* Return the instant (s) from which the age of an eligible job counts.  Without
 * a limit this is its eligible time.  With one this is m->now_s if the limit
 * has room, else 0: the age does not grow yet.  The least limit of the job's
 * own QOS decides; without one, that of its association or the next account
 * above.
 */
int64_t sched_limits_accrue(const struct sched_model *m,
			    const struct sched_job *job);

/* Return the most nodes that limits allow the job; UINT32_MAX: no limit.  The
 * least limit of the two QOS decides; if they have none, that of the
 * association and the accounts above.
 */
uint32_t sched_limits_nodes(const struct sched_model *m,
			    const struct sched_job *job, uint32_t part);

/* A limit of a QOS or an association that alone keeps a job from starting. */
struct sched_held {
	const char *limit;    /* as sacctmgr names it: "MaxTRESPU" */
	uint32_t qos, assoc;  /* the one that has it; the other is SCHED_NONE */
	enum sched_tres tres; /* SCHED_NTRES: it counts no resource */
	uint64_t most, used, asked; /* a MinTRES: most is the least */
};

/* Find the limits that alone keep a job from starting with these resources, and
 * write the first n of them to held.
 * Result: the number written.
 */
size_t sched_limits_held(const struct sched_model *m,
			 const struct sched_job *job, uint32_t part,
			 const uint64_t tres[SCHED_NTRES],
			 struct sched_held *held, size_t n);

#endif
