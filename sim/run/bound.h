/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - how many deadlines could be met at the most.
 *
 * The fluid bound: all run times are known from the beginning, a job is so and
 * so much work (processors x run time), which may be done at any time from its
 * submission to its deadline, by any processors, as many at once as one likes,
 * and a part of a job counts as that part of a fulfilled one.  The machine
 * alone limits: no more than all of its processors.
 *
 * Feasible amounts of work form a polymatroid (what is demanded within an
 * interval has to fit into it), so taking the jobs in order of work, the least
 * first, each as far as it still fits, gives the most.  Whether amounts fit is
 * asked of a simulation of earliest deadline first, which is optimal for work
 * that can be divided.
 */
#ifndef SIM_BOUND_H
#define SIM_BOUND_H

#include "sim/workload/workload.h"

/* Result: the bound in % of the jobs, >= what any policy fulfils (rounded up
 * by at most 0.1 % of a job for each that does not fit as a whole); NAN if
 * memory ran out.
 * Cost:   O(jobs^2 log jobs), a second for 3000 jobs.
 */
double sim_fluid_bound_pct(const struct sim_workload *w);

#endif
