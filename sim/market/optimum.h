/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * optimum.h - the value that could be earned with knowledge of the future.
 *
 * A set of jobs can be done by the deadlines if a flow exists.  The flow goes
 * from each job, at most its CPUs, into the intervals between submissions and
 * deadlines, which have the CPUs of all hosts.  The rule that a part stays on
 * its host is ignored.
 *
 * The bound lets a part of a job earn a part of its value.  Then it is optimal
 * to take jobs by value per CPU second, each as far as it fits beside the jobs
 * before it, because the sums that fit form a polymatroid.  The set has whole
 * jobs.  It is the better of two greedy sets (by value per CPU second, by
 * value), improved by exchanges of one job.  The true optimum is at least the
 * value of the set and at most the bound.
 */
#ifndef SIM_OPTIMUM_H
#define SIM_OPTIMUM_H

#include "sim/market/market.h"

struct market_optimum {
	double value; /* credits: of the set of whole jobs that was found */
	double bound; /* credits: no set is worth more */
};

/* Compute both for n jobs.  chosen[i] becomes true if job i is in the set.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  chosen has n elements of the caller's, or is NULL.
 * Memory: O(n^2) numbers, freed before the return.
 */
int market_optimum(const struct market_job *jobs, size_t n,
		   const double *options, struct market_optimum *optimum,
		   bool *chosen, struct libra_error *err);

#endif
