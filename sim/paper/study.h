/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h - one study of a paper: its logs, designs, claims and numbers.
 *
 * steps.c creates a study, fills it step by step and frees it.
 */
#ifndef SIM_PAPER_STUDY_H
#define SIM_PAPER_STUDY_H

#include "sim/paper/paper.h"
#include "sim/report/claims.h"

/* The paper's log, or the synthetic trace in its place. */
struct sim_paper_log {
	struct swf_trace trace;
	bool synthetic;	 /* there is no such log on this machine */
	char sha256[65]; /* of the file; "" if synthetic */
};

/* The first member of each paper's study. */
struct sim_paper_study {
	const struct sim_paper_run *run;
	const struct sim_paper *paper;
	struct sim_paper_log source;
	struct sim_scenario base; /* of all designs */
	struct design_results designs;
	struct libra_error
		wrong; /* the first unknown name in a text or claim */
	struct paper_numbers numbers;
	struct paper_text text;
	struct paper_claims claims;
	struct claim_result *results;
	struct paper_pictures pictures;
	char (*sha256)[65]; /* of each trace's log; "" = it was not run */
	size_t missing;	    /* other logs that are not on this machine */
};

/* Give a number a name for texts and claims, at most PAPER_NUMBERS.  The name
 * must live as long as the study.
 */
void sim_paper_set(struct sim_paper_study *s, const char *name, double value);

/* Return the value of an expression at a place in words (design_go()). */
double sim_paper_value(const struct sim_paper_study *s, const char *at,
		       const char *expression);

/* Return the origin of a report; its texts belong to the study. */
struct report_source sim_paper_source(const struct sim_paper_study *s);

/* The table of the parameters of --set, with the values of this run. */
extern const struct paper_table sim_paper_options;

#endif
