/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - limits of QOS and associations.
 *
 * A job is tested against the QOS of its partition, then its own QOS, then its
 * association, then the accounts above.  A job's QOS with the flag OverPartQOS
 * comes before that of the partition.  A limit that a QOS sets hides the same
 * limit of the other QOS, of the association and of the accounts; MaxJobsPA and
 * MaxSubmitPA also hide MaxJobs and MaxSubmit of the association.  A limit of
 * the association hides none of the accounts.  Of the accounts above, only
 * limits on all jobs together (Grp...) count.
 *
 * sched_run_begin() and sched_run_end() count the usage of runs.  The host of
 * the model counts submitted and accruing jobs.  Times are seconds, memory is
 * megabytes.  Nothing here allocates memory or fails, and the tests change
 * nothing.
 */
#ifndef SIM_SCHED_LIMITS_H
#define SIM_SCHED_LIMITS_H

#include "sim/slurm/sched/model.h"

/* Set all limits to none. */
void sched_limits_none(struct sched_limits *limits);

/* Set the member `limited` of each QOS and association from its limits.
 * sched_model_init() calls this.  A caller that changes a limit later must call
 * this again: a limit that is not in `limited` is not tested.
 */
void sched_limits_note(struct sched_model *m);

/* Add a run to the usage of its QOS, the QOS of its partition, its association
 * and the accounts above (sign 1), or subtract the run (sign -1).  Callers:
 * sched_run_begin() and sched_run_end().
 */
void sched_count(struct sched_model *m, const struct sched_run *run, int sign);

/* Add submitted tasks of a job to the usage of its QOS, the QOS of its first
 * partition, its association and the accounts above.  tasks < 0: subtract.
 */
void sched_count_submitted(struct sched_model *m, const struct sched_job *job,
			   int64_t tasks);

/* Add a waiting job whose age grows (sign 1), or subtract the job (sign -1).
 * The usage is that of its QOS, its association and the accounts above.
 */
void sched_count_accruing(struct sched_model *m, const struct sched_job *job,
			  int sign);

/* Return the sum over running jobs of the minutes left until the time limit,
 * times the job's amount of a resource.  tres is an enum sched_tres.
 */
uint64_t sched_run_mins(const struct sched_usage *usage, size_t tres,
			int64_t now_s);

/* Test the limits that need no nodes: the number of running jobs (one more
 * starts), and the job's time limit.
 * Result: SCHED_REASON_NONE, SCHED_QOS_LIMIT or SCHED_ASSOC_LIMIT, by the first
 *         limit that keeps the job.
 */
enum sched_reason sched_limits_before(const struct sched_model *m,
				      const struct sched_job *job,
				      uint32_t part);

/* Test the limits of resources, for the resources that the job would hold
 * (sched_tres_of()).  Result: as sched_limits_before().
 */
enum sched_reason sched_limits_after(const struct sched_model *m,
				     const struct sched_job *job, uint32_t part,
				     const uint64_t tres[SCHED_NTRES]);

/* Test the limits on submitted jobs that have not ended, for all tasks of a job
 * at its submission, in the job's first partition.  Call this before
 * sched_count_submitted().  Result: as sched_limits_before().
 */
enum sched_reason sched_limits_submission(const struct sched_model *m,
					  const struct sched_job *job);

/* Test the limits of resources and MaxWall in a job's first partition, for the
 * resources that the job asks for, as if no other job were there.  Nothing is
 * tested if no QOS of the job has DenyOnLimit.  Result: as
 * sched_limits_before().
 */
enum sched_reason sched_limits_denied(const struct sched_model *m,
				      const struct sched_job *job,
				      const uint64_t tres[SCHED_NTRES]);

/* Return true if a QOS or association bounds the number of waiting jobs whose
 * age grows.
 */
bool sched_limits_age(const struct sched_model *m);

/* Return the instant (s) from which the age of an eligible job counts.  Without
 * a limit this is its eligible time.  With a limit this is m->now_s if the
 * limit has room, else 0: the age does not grow yet.  The job must not be
 * counted as accruing.  The least limit of the job's own QOS decides; without
 * one, that of its association or the next account above.  The QOS of the
 * partition does not count.
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
	const char *limit;    /* sacctmgr's name, a constant: "MaxTRESPU" */
	uint32_t qos, assoc;  /* the one that has it; the other is SCHED_NONE */
	enum sched_tres tres; /* SCHED_NTRES: it counts no resource */
	uint64_t most, used, asked; /* a MinTRES: most is the least */
};

/* Find each limit that alone keeps a job from starting with these resources,
 * and write the first n of them to held.  Limits on submitted jobs are not
 * tested.  A hidden limit of a QOS on nodes is tested against the least nodes
 * of the job, because sched_limits_nodes() takes the least of both QOS.
 * Result: the number written.
 */
size_t sched_limits_held(const struct sched_model *m,
			 const struct sched_job *job, uint32_t part,
			 const uint64_t tres[SCHED_NTRES],
			 struct sched_held *held, size_t n);

#endif
