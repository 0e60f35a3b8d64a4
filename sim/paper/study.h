/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h - one study of a paper: its logs, designs, claims and numbers.
 */
#ifndef SIM_PAPER_STUDY_H
#define SIM_PAPER_STUDY_H

#include "sim/paper/paper.h"
#include "sim/report/claims.h"

/* A log, or what stands for it. */
struct sim_paper_log {
	struct swf_trace trace;
	bool synthetic;	 /* there is no such log on this machine */
	char sha256[65]; /* of the file; "" if synthetic */
};

/* A paper's study begins with it. */
struct sim_paper_study {
	const struct sim_paper_run *run;
	const struct sim_paper *paper;
	struct sim_paper_log source;
	struct sim_scenario base; /* of all designs */
	struct design_results designs;
	struct libra_error wrong; /* a name that a text or a claim invents */
	struct paper_numbers numbers;
	struct paper_text text;
	struct paper_claims claims;
	struct claim_result *results;
	struct paper_pictures pictures;
	char (*sha256)[65]; /* of each trace's log; "" = it was not run */
	size_t missing;	    /* other logs that are not on this machine */
};

/* Give a number a name for texts and claims; the name lives as long. */
void sim_paper_set(struct sim_paper_study *s, const char *name, double value);

/* A value at a place in words. */
double sim_paper_value(const struct sim_paper_study *s, const char *at,
		       const char *expression);

/* What a report says of its origin. */
struct report_source sim_paper_source(const struct sim_paper_study *s);

/* The table of what --set can set, with the values of this run. */
extern const struct paper_table sim_paper_options;

#endif
