/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_only.h - the answer to sbatch --test-only: Slurm's test of a job is done
 * as often as it takes to find the start, for a job that is promised something,
 * for one that waits for it, and for an ordinary one.  And what Slurm asks of
 * each job that it takes: could it ever run?
 *
 * A bitmap is a bitstr_t.  For the select plugin, under Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_TEST_ONLY_H
#define LIBRA_SELECT_TEST_ONLY_H

#include <stdint.h>

#include "plugin/base/types.h"

struct job_record;

/* What Slurm asks, and its own test, with these counts: it uses its bitmap of
 * nodes up, and leaves cores alone (NULL: none), a bitmap that it may change.
 */
struct libra_test_only {
	struct job_record *job;
	int64_t *nodes;
	uint32_t min_nodes, max_nodes, req_nodes;
	int (*test)(const struct libra_test_only *question, int64_t *not_these);
	const void *arg; /* of the test */
};

/* The job is told its start (libra_forecast_tell()), and is not known
 * afterwards if it was not before.  room: the caller's, for a placement.
 * Result: what Slurm's test says of that start, or why there is none.
 */
int libra_test_only_answer(const struct libra_test_only *question,
			   struct libra_host_placement *room);

/* Could it ever run? That is asked of the whole machine, and Slurm's test costs
 * the number of nodes: of a job that has a place, its nodes are tried first,
 * where a yes is one, and all of them if there is none.
 * Result: what Slurm's test says.
 */
int libra_test_only_ever(const struct libra_test_only *question,
			 const struct libra_host_placement *place);

#endif
