/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - predicted run times in backfilling, from inside.
 *
 * Five logs x the ways to predict.  A log is the design of its name; the
 * design all has the same cells, by log and method, and beside what was
 * measured what was published.
 */
#ifndef SIM_SC2015_H
#define SIM_SC2015_H

#include "sim/paper/steps.h"

#define SC2015_NLOGS 5 /* the first one is the paper's own: trace 0 */

struct sc2015_study {
	struct sim_paper_study paper; /* first: its steps see no more */
	char log_sha256[SC2015_NLOGS][65];
	double missing; /* logs that are not on this machine */
};

#endif
