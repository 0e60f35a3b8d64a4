/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weights.h - the cgroup weight of each job of a node: by its share, or by
 * whose turn it is.
 *
 * Pure arithmetic on the caller's arrays.
 *
 * Shares: weights are in proportion to what the jobs need now on all of their
 * CPUs together.  The job that needs the greatest part of one CPU weighs most
 * for each of its CPUs.  A late job needs all of them; where late jobs yield,
 * it weighs what those in time leave of the fullest of its cores, in equal
 * parts with the other late ones there.
 *
 * Turns: jobs are served in the order of core/gang/gang.h, cut down to this
 * node: late jobs last, then by deadline, then by id.  In this order, a job
 * whose cores are all free takes them and weighs most for each of its CPUs; the
 * others weigh hardly anything.  Weights waste no time: what a job with its
 * turn does not use goes to the others.
 */
#ifndef LIBRA_SPANK_WEIGHTS_H
#define LIBRA_SPANK_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "plugin/spank/record.h"

struct spank_weight_range {
	uint32_t least, most; /* for each CPU of a job */
	uint32_t greatest;    /* of a job: what the kernel takes */
};

/* Compute the weights of n jobs.  used_s is the CPU time that each has used on
 * the node, in seconds.  Jobs of best effort get the least.
 */
void spank_weights(const struct spank_job *jobs, const double *used_s, size_t n,
		   double now_s, const struct spank_weight_range *range,
		   uint32_t *weights);

#endif
