/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.h - draw the values that a log does not have: class of urgency,
 * deadline, budget and penalty rate.
 *
 * Deadlines follow ICPP 2006, section 4, budgets and penalty rates IPDPS 2007,
 * section 5.2.  Each kind of draw has a stream of its own for each job, started
 * from its name, the seed and the job's place: no option changes the draws of
 * another.
 */
#ifndef SIM_DRAW_H
#define SIM_DRAW_H

#include "core/error.h"
#include "sim/workload/scenario.h"
#include "sim/workload/workload.h"

/* Draw the values of all jobs.  Their times, processors and places must be set.
 * Called by sim_workload_make() alone.
 * Result: 0, or -1 with EINVAL (deadlines are never longer than the run time)
 *         or ENOMEM.
 */
int sim_workload_draw(struct sim_workload *w, const struct sim_scenario *sc,
		      struct libra_error *err);

#endif
