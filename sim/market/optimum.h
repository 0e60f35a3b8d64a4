/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * optimum.h - what could have been earned with knowledge of the future.
 *
 * Which jobs can be done by their deadlines is a question of flows: from each
 * job, at most its CPUs, into the intervals between submissions and deadlines,
 * each with the CPUs of all hosts (that a part stays on its host is ignored).
 * If a part of a job earned a part of its value, the optimum would be to take
 * jobs by value per CPU second, each as far as it fits beside those before it
 * (the sums that fit form a polymatroid): that is the bound.  But whole jobs
 * count: the set is the best of two greedy ones (by value per CPU second, by
 * value), improved by exchanges of one job.  The true optimum lies between the
 * two.
 */
#ifndef SIM_OPTIMUM_H
#define SIM_OPTIMUM_H

#include "sim/market/market.h"

struct market_optimum {
	double value; /* of the set of whole jobs that was found */
	double bound; /* no set has more */
};

/* Result: 0, or -1 with ENOMEM.
 * Owner:  chosen (n elements: is the job in the set?) is the caller's, or NULL.
 */
int market_optimum(const struct market_job *jobs, size_t n,
		   const double *options, struct market_optimum *optimum,
		   bool *chosen, struct libra_error *err);

#endif
