/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - find the start of a job for sbatch --test-only.
 *
 * Slurm asks the select plugin for a start beside the running jobs, and adds
 * the time limits of all waiting jobs.  That is wrong for promised jobs: their
 * limits are raised, some to a year, and Slurm does not know what they wait
 * for.  So the start is searched here.  Slurm's own test decides where a job
 * fits, and running jobs count as ended at the end of their estimates.
 *
 * Only start_time of the tested job changes in Slurm's records: Slurm reads the
 * answer there.  end_time of running jobs is changed during a test, then
 * restored.
 *
 * A bitmap is a bitstr_t.  Called under Slurm's job write lock, in the thread
 * of the request.
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

/* Slurm's test of a job: whether it may start now without the given cores
 * (NULL: on any core), and *start, if it may.  The callee may change cores.
 */
struct libra_forecast_test {
	int (*test)(void *arg, int64_t *cores, time_t *start);
	void *arg;
};

enum { LIBRA_OUTLOOK_HALVINGS = 10 };

/* No halving begins later than this after the first test: Slurm's locks are
 * held, and anybody may ask.
 */
#define LIBRA_OUTLOOK_S 0.1

/* Find the first instant at which the test succeeds: now, or the end of a
 * running job.  ordinary: the job must leave crowded cores free
 * (shared_capacity.h).
 * Result: SLURM_SUCCESS and *start, for which the last test was made; or
 *         Slurm's error if there is no start.
 * Cost:   at most 3 + LIBRA_OUTLOOK_HALVINGS tests, or LIBRA_OUTLOOK_S and
 *         three of them.  With up to 1,024 running jobs *start is the first
 *         possible; with n jobs it may be up to n / 1,024 ends later.  If time
 *         is out it is the earliest end found by then.
 */
int libra_forecast(struct job_record *job,
		   const struct libra_forecast_test *test, bool ordinary,
		   time_t *start);

/* Run the test as if all running jobs had ended.
 * Result: that of the test.
 */
int libra_forecast_empty(const struct libra_forecast_test *test);

/* Return how long, in seconds, an ordinary job waits for the ordinary jobs
 * ahead of it in its partition: their work, spread over the partition's CPUs,
 * as Slurm estimates.
 */
double libra_forecast_queue_s(const struct job_record *job);

/* Read ordinary jobs of all partitions that wait for processors and have at
 * least the job's priority: the cap first ones, by priority.
 * Result: their number.
 * Cost: O(jobs of Slurm), and O(cap) for each of these.
 */
size_t libra_forecast_ahead(const struct job_record *job,
			    const struct job_record **ahead, size_t cap);

/* Set the start that Slurm answers with.  In a managed partition Slurm answers
 * with exactly this start.  In others Slurm adds the work of the jobs that wait
 * there.
 */
void libra_forecast_tell(struct job_record *job, time_t start);

#endif
