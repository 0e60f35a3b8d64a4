/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_only.h - answer two questions about a job: when would it start (sbatch
 * --test-only), and could it ever run (asked for each submission)?
 *
 * The answers repeat Slurm's own test of a job (forecast.h).  A bitmap is a
 * bitstr_t.  Called by select_p_job_test() under Slurm's job write lock, in the
 * thread of the request.
 */
#ifndef LIBRA_SELECT_TEST_ONLY_H
#define LIBRA_SELECT_TEST_ONLY_H

#include <stdint.h>

#include "plugin/base/types.h"

struct job_record;

/* A question, and Slurm's own test for it.  test() reads job and the counts,
 * reduces the bitmap nodes to those that it chooses, and uses no core of
 * not_these (NULL: any core), which it may change.
 */
struct libra_test_only {
	struct job_record *job;
	int64_t *nodes;
	uint32_t min_nodes, max_nodes, req_nodes;
	int (*test)(const struct libra_test_only *question, int64_t *not_these);
	const void *arg; /* of the test */
};

/* Find the start of a job, and write it to start_time of Slurm's job record
 * (libra_forecast_tell()).  If the host did not track the job before, the host
 * forgets the job again.  room: scratch, a placement of the caller's.
 * Result: the result of Slurm's test for this start, or Slurm's error if there
 *         is no start.
 */
int libra_test_only_answer(const struct libra_test_only *question,
			   struct libra_host_placement *room);

/* Return whether a job could ever run on the whole machine.  As Slurm's test
 * costs the number of nodes, the nodes of place, the job's placement by the
 * host, are tested first.  If they suffice, the answer is yes.  Else, or if
 * place has no parts, all nodes are tested.
 * Result: the result of Slurm's test.
 */
int libra_test_only_ever(const struct libra_test_only *question,
			 const struct libra_host_placement *place);

#endif
