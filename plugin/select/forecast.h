/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - when would this job start?  The question of sbatch --test-only.
 *
 * Slurm asks select for a start with what runs now, and adds the time limits of
 * all that wait.  Promised jobs have limits that were lifted, some of a year,
 * and they wait for nothing that Slurm knows.  So we find the start ourselves:
 * Slurm's own test decides where a job fits, with the jobs taken to end when
 * their estimates say.
 *
 * Nothing of a record in Slurm's table is changed but its start_time, where
 * Slurm wants the answer.  The ends of running jobs differ during a test only.
 *
 * A bitmap is a bitstr_t.  For the select plugin, under Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_FORECAST_H
#define LIBRA_SELECT_FORECAST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;

/* Return true if the test is a user's question (sbatch --test-only, or
 * slurm_job_will_run2() for a job of the queue).  Backfill marks the jobs that
 * it tests; sched/builtin has no list for the jobs to preempt (preempts).
 */
bool libra_is_test_only(const struct job_record *job, uint16_t mode,
			bool preempts);

/* Slurm's test of a job: may it start now, but not on these cores (NULL: on
 * any), and, if not, when would it?  The cores are the callee's to change.
 */
struct libra_forecast_test {
	int (*test)(void *arg, int64_t *cores, time_t *start);
	void *arg;
};

enum { LIBRA_OUTLOOK_HALVINGS = 10 };

/* Find the first instant at which the test succeeds: now, or the end of a
 * running job.  ordinary: such jobs leave cores alone that many jobs share
 * (shared_capacity.h).
 * Result: SLURM_SUCCESS and the start, with the test done for it last; or why
 *         there is none.
 * Cost:   at most 3 + LIBRA_OUTLOOK_HALVINGS tests.  With up to 1,024 running
 *         jobs the start is the first; with n jobs it may be up to n / 1,024
 *         ends later, and the job fits then.
 */
int libra_forecast(struct job_record *job,
		   const struct libra_forecast_test *test, bool ordinary,
		   time_t *start);

/* The same once all that runs has ended. */
int libra_forecast_empty(const struct libra_forecast_test *test);

/* How long an ordinary job waits for those that Slurm would start before it, by
 * Slurm's rule of thumb: their work, spread over the partition.
 */
double libra_forecast_queue_s(const struct job_record *job);

/* Those jobs, of all partitions, in their order: at most cap of them.
 * Result: how many.
 */
size_t libra_forecast_ahead(const struct job_record *job,
			    const struct job_record **ahead, size_t cap);

/* Set the job's start so that Slurm answers with it.  In a managed partition
 * Slurm answers with this start.  In others Slurm adds to it the work of the
 * jobs that wait there.
 */
void libra_forecast_tell(struct job_record *job, time_t start);

#endif
