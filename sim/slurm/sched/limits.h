/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - limits of QOS and associations.
 *
 * A limit that the job's QOS sets hides the same limit of its association and
 * of the accounts above; a partition's own QOS comes first (with the flag
 * OverPartQOS second).
 */
#ifndef SIM_SCHED_LIMITS_H
#define SIM_SCHED_LIMITS_H

#include "sim/slurm/sched/model.h"

/* Set all limits to none. */
void sched_limits_none(struct sched_limits *limits);

/* Note for each QOS and association which limits it has. */
void sched_limits_note(struct sched_model *m);

/* Add a run to what counts, or take it away (sign -1). */
void sched_count(struct sched_model *m, const struct sched_run *run, int sign);

/* The same for tasks that were submitted, and a job that waits and has age. */
void sched_count_submitted(struct sched_model *m, const struct sched_job *job,
			   int64_t tasks);
void sched_count_accruing(struct sched_model *m, const struct sched_job *job,
			  int sign);

/* Return the minutes that running jobs still may take, by their limits, times
 * their amount of a resource.
 */
uint64_t sched_run_mins(const struct sched_usage *usage, size_t tres,
			int64_t now_s);

/* Test the limits that need no nodes: numbers of jobs, time limits.
 * Result: SCHED_REASON_NONE or the limit's kind.
 */
enum sched_reason sched_limits_before(const struct sched_model *m,
				      const struct sched_job *job,
				      uint32_t part);

/* Test the limits of resources, for what the job would hold. */
enum sched_reason sched_limits_after(const struct sched_model *m,
				     const struct sched_job *job, uint32_t part,
				     const uint64_t tres[SCHED_NTRES]);

/* Test the limits on jobs that are submitted and not over. */
enum sched_reason sched_limits_submission(const struct sched_model *m,
					  const struct sched_job *job);

/* Return true if a limit bounds how many jobs that wait have age. */
bool sched_limits_age(const struct sched_model *m);

/* Return the instant from which the age of an eligible job counts, if it begins
 * now; 0: not yet.  The least limit of its QOS decides; without one, that of
 * its association or the next account above.
 */
int64_t sched_limits_accrue(const struct sched_model *m,
			    const struct sched_job *job);

/* Return the most nodes that limits allow the job. */
uint32_t sched_limits_nodes(const struct sched_model *m,
			    const struct sched_job *job, uint32_t part);

/* A limit of a QOS or an association that alone keeps a job from starting. */
struct sched_held {
	const char *limit;    /* as sacctmgr names it: "MaxTRESPU" */
	uint32_t qos, assoc;  /* the one that has it; the other is SCHED_NONE */
	enum sched_tres tres; /* SCHED_NTRES: it counts no resource */
	uint64_t most, used, asked; /* a MinTRES: most is the least */
};

/* Find the limits that alone keep a job from starting with these resources.
 * Result: their number, at most n of them.
 */
size_t sched_limits_held(const struct sched_model *m,
			 const struct sched_job *job, uint32_t part,
			 const uint64_t tres[SCHED_NTRES],
			 struct sched_held *held, size_t n);

#endif
