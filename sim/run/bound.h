/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - an upper bound on the deadlines that any policy can meet.
 *
 * The fluid bound: all run times are known from the beginning; a job is an
 * amount of work (processors x run time) that may be done at any time from its
 * submission to its deadline, by any number of processors; and a part of a job
 * counts as that part of a fulfilled one.  The only limit is the number of
 * processors of the machine.
 *
 * Feasible amounts of work form a polymatroid (what is demanded within an
 * interval must fit into it), so the maximum is found by taking the jobs in
 * order of work, least first, each as far as it still fits.  Whether amounts
 * fit is decided by simulating earliest deadline first, which is optimal for
 * divisible work.
 */
#ifndef SIM_BOUND_H
#define SIM_BOUND_H

#include "sim/workload/workload.h"

/* Result: the bound in % of the jobs, at least what any policy fulfils (rounded
 *         up by at most 0.1 % of a job for each that does not fit as a whole);
 *         NAN if memory ran out.
 * Cost:   O(jobs^2 log jobs), about a second for 3000 jobs.
 */
double sim_fluid_bound_pct(const struct sim_workload *w);

#endif
