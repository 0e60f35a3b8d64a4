/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - what the studies of all papers have in common.
 *
 * The steps of a study: set up, read the log, measure, judge the claims, draw
 * the figures, write the report, say it in short.  All texts know {{file}} and
 * {{sha256}}, the log's at a place, and the log in numbers (traces.c).
 */
#ifndef SIM_PAPER_STEPS_H
#define SIM_PAPER_STEPS_H

#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/paper/study.h"
#include "sim/report/claims.h"

/* For who asks a part of a paper's claims, of a study with paper and source:
 * names for its texts and claims; then the verdicts on them.
 * Result: 0, or -1 with errno and text.
 */
int sim_paper_names(struct sim_paper_study *s, const uint64_t *seeds,
		    size_t nseeds, struct libra_error *err);
int sim_paper_judge(struct sim_paper_study *s, struct libra_error *err);
void sim_paper_study_destroy(struct sim_paper_study *s);

/* ---- how a claim is asked ---- */

/* range: one number, held against its bound; log: the same, of the log; scan:
 * many points, the extremes are told; all: all bounds have to be kept;
 * formula: the same, of what the program computes; parameter: are they as they
 * should be? report: for information; rests: on the claims that its setting
 * names.
 */
extern const struct paper_ask paper_asks[];
claim_check_f paper_ask_range, paper_ask_all;

/* scan, all or report, by what the row has: points, values, or neither. */
claim_check_f paper_ask_row;

/* A claim asked with other levels of what choices leave open, and with the
 * first so many seeds.
 */
enum claim_status paper_judge_given(const struct sim_paper_study *s,
				    const struct claim *c, claim_check_f *ask,
				    const char *given, size_t nseeds);

/* The value of a bound, for odd claims. */
double paper_asked(const struct claim *c, const struct sim_paper_study *s,
		   size_t bound);

/* results.json: an object that begins with the manifest and ends with the
 * claims.
 */
void sim_paper_json_begin(struct out_json *j, FILE *fp,
			  const struct sim_paper_study *s);
void sim_paper_json_end(struct out_json *j, const struct sim_paper_study *s);

#endif
