/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - the LibraRisk paper: what its study measures beside the
 * designs.  For the files of this folder alone.
 */
#ifndef SIM_ICPP2006_H
#define SIM_ICPP2006_H

#include "sim/paper/steps.h"

/* Workloads as generated, over all seeds; L8 to L13. */
struct icpp_jobs {
	double jobs; /* of all seeds together */
	double per_seed;
	double urgent_pct, urgent_off; /* from 20 %, in standard errors */
	/* Deadline / run time, low urgency and high. */
	double mean[2], expected[2], off[2]; /* off in standard errors */
	double ratio8_to_4; /* low urgency means at ratio 8 and 4 */
	/* Jobs whose estimate is longer than their deadline, in % of all:
	 * how many there are, how many of them LibraRisk fulfils, and how
	 * many of the others.
	 */
	double beyond_pct, beyond_fulfilled_pct, within_fulfilled_pct;
	double least_factor;  /* deadline / run time */
	double delay_600_s;   /* a gap of 600 s at arrival delay 0.1 */
	double delay_error_s; /* largest difference over the whole log */
	double exact_error_s; /* |estimate - run time| at 0 % */
	double trace_error_s; /* |estimate - the log's| at 100 % */
};

struct icpp_study {
	struct sim_paper_study paper; /* first: its steps see no more */
	struct icpp_jobs jobs;
};

extern const struct paper_ask icpp_asks[];

/* properties.c */
int icpp_measure_jobs(void *study, struct libra_error *err);
claim_check_f icpp_l14, icpp_l15, icpp_l16, icpp_l17, icpp_l18;

#endif
