/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weights.h - compute the cgroup weight of each job of a node: by shares, or by
 * turns.
 *
 * The functions are pure arithmetic on the caller's arrays.
 *
 * Shares: the weight of a job is proportional to the CPU time that it needs now
 * on all of its CPUs together.  The job with the greatest need of one CPU gets
 * the greatest weight for each of its CPUs.  A late job needs all of its CPUs.
 * If late jobs yield, the late jobs of a core share equally what the jobs in
 * time leave; the fullest of its cores decides the weight of a late job.
 *
 * Turns: jobs are served in the order of core/gang/gang.h on this node: late
 * jobs last, then by deadline, then by id.  In this order, a job whose cores
 * are all free takes these cores and gets the greatest weight for each of its
 * CPUs.  All others get almost the least.  Weights waste no time: other jobs
 * use what a job with its turn leaves idle.
 */
#ifndef LIBRA_SPANK_WEIGHTS_H
#define LIBRA_SPANK_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#include "plugin/spank/record.h"

struct spank_weight_range {
	uint32_t least, most; /* for each CPU of a job */
	uint32_t greatest;    /* of a job: what the kernel accepts */
};

/* Compute the weights of n jobs.  used_s: the CPU time that each has used on
 * the node, in seconds.  Best-effort jobs get the least weight.
 */
void spank_weights(const struct spank_job *jobs, const double *used_s, size_t n,
		   double now_s, const struct spank_weight_range *range,
		   uint32_t *weights);

#endif
