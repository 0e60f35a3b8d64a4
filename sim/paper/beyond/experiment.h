/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the comparison of all deadline policies, from inside.
 *
 * Not a paper but this project's own study: policies x execution models x
 * deadline models x loads, the bound that no policy can exceed, the effect of
 * each part of band, and other logs.  For the files of this folder alone.
 */
#ifndef SIM_BEYOND_H
#define SIM_BEYOND_H

#include "sim/paper/steps.h"

enum {
	BEYOND_NPOINTS = 18, /* deadline models x delays x urgencies */
};

struct beyond_study {
	struct sim_paper_study
		common; /* the first member, for the common steps */
	double bound[BEYOND_NPOINTS]; /* %, the last factor fastest */
	double cost_us[2]; /* of an offer: SDSC SP2 at 0.1, CTC at 0.3 */
};

extern const struct paper_ask beyond_asks[];

#endif
