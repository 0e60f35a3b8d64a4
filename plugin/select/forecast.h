/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forecast.h - find the start of a job for sbatch --test-only.
 *
 * For a start Slurm asks the select plugin, which knows only running jobs.
 * Slurm then adds the time limits of all waiting jobs.  That is wrong for
 * promised jobs: their limits are longer than their estimates, some by a year,
 * and Slurm does not know their planned starts.  So the start is searched here.
 * Slurm's own test decides where a job fits, and running jobs count as ended at
 * the end of their estimates.
 *
 * Only start_time of the tested job changes in Slurm's records: Slurm reads the
 * answer there.  end_time of running jobs is changed during a test, then
 * restored.
 *
 * Called by test_only.c, and libra_is_test_only() by the select plugin, under
 * Slurm's job write lock, in the thread of the request.  A bitmap is a
 * bitstr_t.
 */
#ifndef LIBRA_SELECT_FORECAST_H
#define LIBRA_SELECT_FORECAST_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugin/base/types.h"

struct job_record;

/* Return true if the test is a user's question (sbatch --test-only, or
 * slurm_job_will_run2() for a job of the queue), and not a test by a scheduler.
 * Backfill marks the jobs that it tests.  preempts: the caller gave a list for
 * the jobs to preempt; sched/builtin gives none.
 */
bool libra_is_test_only(const struct job_record *job, uint16_t mode,
			bool preempts);

/* Slurm's test of a job.  test() returns SLURM_SUCCESS, and sets *start, if
 * Slurm finds nodes for the job without the given cores (NULL: on any core).
 * test() may change cores.
 */
struct libra_forecast_test {
	int (*test)(void *arg, int64_t *cores, time_t *start);
	void *arg;
};

/* The start is searched by halving the sorted list of the ends of running jobs,
 * at most so many times.  After LIBRA_OUTLOOK_S seconds no further halving
 * begins: Slurm's locks are held, and every user may ask.
 */
enum { LIBRA_OUTLOOK_HALVINGS = 10 };
#define LIBRA_OUTLOOK_S 0.1

/* Find the first instant at which the test succeeds: now, or the end of a
 * running job.  ordinary: the job must leave crowded cores free
 * (shared_capacity.h).
 * Result: SLURM_SUCCESS and *start; the last test was made for *start, so the
 *         caller has the nodes of this test.  Or Slurm's error if there is no
 *         start, or ENOMEM.  With n running jobs, *start is the first possible
 *         end if n is at most 1,024; else *start may be n / 1,024 ends later.
 *         After LIBRA_OUTLOOK_S *start is the earliest end found so far.
 * Cost:   the number of jobs; at most 3 + LIBRA_OUTLOOK_HALVINGS tests.
 */
int libra_forecast(struct job_record *job,
		   const struct libra_forecast_test *test, bool ordinary,
		   time_t *start);

/* Run the test as if all running jobs had ended.
 * Result: that of the test, or ENOMEM.
 */
int libra_forecast_empty(const struct libra_forecast_test *test);

/* Return how long, in seconds, an ordinary job waits for the ordinary jobs
 * ahead of it in its partition: their work, spread over the partition's CPUs,
 * as Slurm estimates.
 */
double libra_forecast_queue_s(const struct job_record *job);

/* Read ordinary jobs of all partitions that wait for processors and have at
 * least the priority of the job: the first cap of them, by priority.
 * Result: their number in ahead.
 * Cost:   O(jobs of Slurm), and O(cap) for each of these.
 */
size_t libra_forecast_ahead(const struct job_record *job,
			    const struct job_record **ahead, size_t cap);

/* Set start_time of the job to the start that Slurm shall answer.  In a managed
 * partition subtract the time that Slurm adds for waiting jobs, so that the
 * answer is exactly this start.  In other partitions Slurm's addition stays.
 */
void libra_forecast_tell(struct job_record *job, time_t start);

#endif
