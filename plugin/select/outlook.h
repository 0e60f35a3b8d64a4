/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outlook.h - when would this job start?  The question of sbatch --test-only.
 *
 * Slurm asks select for a start with what runs now, and adds the time limits of
 * all that wait.  Promised jobs have limits that were lifted, some of a year,
 * and they wait for nothing that Slurm knows.  So we find the start ourselves:
 * Slurm's own test decides where a job fits, with the jobs taken to end when
 * their estimates say; and Slurm is kept from adding anything.
 *
 * A bitmap is a bitstr_t.  For the select plugin, under Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_OUTLOOK_H
#define LIBRA_SELECT_OUTLOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "plugin/host/types.h"

struct job_record;

/* Is a test of this mode somebody's question, and not the backfill scheduler's?
 */
bool libra_is_question(const struct job_record *job, uint16_t mode);

/* Slurm's test of a job: may it start now, but not on these cores (NULL: on
 * any), and, if not, when would it?  The cores are the callee's to change.
 */
struct libra_outlook_test {
	int (*test)(void *arg, int64_t *cores, time_t *start);
	void *arg;
};

/* The first instant at which the test succeeds, now or when a running job ends.
 * ordinary: such jobs leave cores alone that many jobs share (room.h).
 * Result: SLURM_SUCCESS and the start, with the test done for it last; or why
 *         there is none.
 */
int libra_outlook(struct job_record *job, const struct libra_outlook_test *test,
		  bool ordinary, time_t *start);

/* The same once all that runs has ended. */
int libra_outlook_empty(const struct libra_outlook_test *test);

/* How long an ordinary job waits for those that Slurm would start before it, by
 * Slurm's rule of thumb: their work, spread over the partition.
 */
double libra_outlook_queue_s(const struct job_record *job);

/* Those jobs, of all partitions, in their order: at most cap of them.
 * Result: how many.
 */
size_t libra_outlook_ahead(const struct job_record *job,
			   const struct job_record **ahead, size_t cap);

/* The job is told this start, and in a managed partition no later one: in
 * others Slurm adds what waits there.
 */
void libra_outlook_tell(struct job_record *job, time_t start);

/* A question is over: what was changed to answer it is put back. */
void libra_outlook_over(void);

#endif
