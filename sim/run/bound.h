/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bound.h - an upper bound on the deadlines that any policy can meet.
 *
 * The fluid bound: all run times are known from the beginning.  A job is an
 * amount of work (processors x run time) that may be done at any time from its
 * submission to its deadline, by any number of processors.  A part of a job
 * counts as that part of a fulfilled one.  The only limit is the number of
 * processors of the machine.
 *
 * The work demanded within an interval must fit into it, so feasible amounts
 * form a polymatroid.  The maximum is then found by taking jobs in order of
 * work, least first, each as far as it still fits.  Amounts fit if a simulation
 * of earliest deadline first meets all deadlines, which is optimal for
 * divisible work.
 */
#ifndef SIM_BOUND_H
#define SIM_BOUND_H

#include "sim/workload/workload.h"

/* Return the bound in % of the jobs; no policy fulfils more.  It is rounded up
 * by at most 0.1 % of a job for each job that does not fit as a whole.
 * Result: NAN if memory ran out.
 * Cost:   O(jobs^2 log jobs), about a second for 3000 jobs.
 */
double sim_fluid_bound_pct(const struct sim_workload *w);

#endif
