/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - the steps that the studies of all papers have in common.
 *
 * The steps of a study: set up, read the log, measure, judge the claims, draw
 * the figures, write the report, print a summary.  All texts know {{file}} and
 * {{sha256}}, those of the log at a place, and the numbers of the log
 * (traces.c).
 */
#ifndef SIM_PAPER_STEPS_H
#define SIM_PAPER_STEPS_H

#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/paper/study.h"
#include "sim/report/claims.h"

/* For `librasim model check`, which judges some claims without the other steps.
 * names: prepare texts and claims of a study that has its paper and source.
 * judge: write the verdicts to s->results.  destroy: free a study with all its
 * parts.
 * Result: 0, or -1 with errno and text.
 */
int sim_paper_names(struct sim_paper_study *s, const uint64_t *seeds,
		    size_t nseeds, struct libra_error *err);
int sim_paper_judge(struct sim_paper_study *s, struct libra_error *err);
void sim_paper_study_destroy(struct sim_paper_study *s);

/* ---- how a claim is asked ---- */

/* The checks by name.  range: one number within its bounds.  log: the same for
 * a number of the log.  scan: numbers at many points, of which the extremes are
 * reported.  all: each bound must hold.  formula: the same for a formula of
 * this program.  parameter: the same for an input, for information.  report:
 * numbers for information.  rests: holds if the claims named in its setting
 * hold.
 */
extern const struct paper_ask paper_asks[];
claim_check_f paper_ask_range, paper_ask_all;

/* scan if the row has points, all if it has values, report if it has neither.
 */
claim_check_f paper_ask_row;

/* Return the status of a claim with other levels for the factors that choices
 * leave open (given, see design.h), and with the first nseeds seeds.
 */
enum claim_status paper_judge_given(const struct sim_paper_study *s,
				    const struct claim *c, claim_check_f *ask,
				    const char *given, size_t nseeds);

/* Return the value that a claim compares with its bound of an index. */
double paper_asked(const struct claim *c, const struct sim_paper_study *s,
		   size_t bound);

/* results.json: an object that begins with the manifest and ends with the
 * claims.
 */
void sim_paper_json_begin(struct out_json *j, FILE *fp,
			  const struct sim_paper_study *s);
void sim_paper_json_end(struct out_json *j, const struct sim_paper_study *s);

#endif
