/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - how the claims of claims.txt are judged: for every reading of what
 * the paper leaves open; the adopted one decides, the others go into the note.
 * And the numbers that need no designs: the formulas (R6, R7, R10), which are
 * asked of the program itself.
 */
#include <math.h>
#include <string.h>

#include "core/formula/reward.h"
#include "sim/paper/ipdps2007/experiment.h"
#include "sim/run/run.h"
#include "sim/study/risk_analysis.h"

/* ---- readings ---- */

/* R11 knows seconds and hours, R12 the adopted reading alone. */
static bool is_measured(const struct claim *c, size_t reading)
{
	if (reading == 0)
		return true;
	if (strcmp(c->id, "R11") == 0)
		return ipdps_readings[reading].discount_unit_s != 1;
	return strcmp(c->id, "R12") != 0;
}

static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r);

enum claim_status ipdps_judge(const struct sim_paper_study *s,
			      const struct claim *c, size_t reading)
{
	char given[64];

	if (c->check != by_readings || !is_measured(c, reading))
		return CLAIM_INFO;
	snprintf(given, sizeof(given), "reading=%s discount_unit_s=%g",
		 ipdps_reading_levels[reading].name,
		 ipdps_readings[reading].discount_unit_s);
	return paper_judge_given(s, c, paper_ask_row, given, s->run->nseeds);
}

/* Name the readings under which the verdict is another one. */
static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r)
{
	size_t n = 0;
	enum claim_status other;

	paper_ask_row(c, study, r);
	if (r->status == CLAIM_INFO)
		return;
	other = r->status == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
	for (size_t k = 1; k < IPDPS_NREADINGS; k++) {
		if (ipdps_judge(study, c, k) != other)
			continue;
		if (n++ > 0)
			claim_note(r, "; ");
		else
			claim_note(r, "%s%s", r->note[0] ? " " : "",
				   other == CLAIM_PASS ? "It holds with "
						       : "It fails with ");
		claim_note(r, "%s", ipdps_reading_levels[k].title);
	}
	if (n > 0)
		claim_note(r, ".");
	else if (r->status == CLAIM_FAIL && is_measured(c, 1))
		claim_note(r, "%sIt holds with no other reading tried.",
			   r->note[0] ? " " : "");
}

const struct paper_ask ipdps_asks[] = {{"by-readings", by_readings},
				       {NULL, NULL}};

/* ---- formulas ---- */

/* Two jobs of 100 s and 300 s on one processor, one after the other: the
 * second one has a deadline of 150 s, ends 250 s late if it runs, and pays 1200
 * less 4 a second.  FCFS takes both, EDF refuses the second one.
 */
static int run_two(const char *policy, struct sim_result *result)
{
	struct sim_job jobs[2] = {
		{.job = {.id = 1,
			 .estimate_s = 100,
			 .deadline_s = 100,
			 .nprocs = 1,
			 .budget = 400,
			 .penalty_rate = 4},
		 .runtime_s = 100},
		{.job = {.id = 2,
			 .estimate_s = 300,
			 .deadline_s = 150,
			 .nprocs = 1,
			 .budget = 1200,
			 .penalty_rate = 4},
		 .runtime_s = 300},
	};
	struct sim_workload w = {.jobs = jobs, .njobs = 2, .procs = 1};

	return sim_run(&w, libra_policy_find(policy, NULL), NULL, result, NULL,
		       NULL);
}

static void set_two(struct sim_paper_study *s, const char *policy,
		    const char *sla, const char *reliability,
		    const char *profit)
{
	struct sim_result result;

	if (run_two(policy, &result) < 0)
		return;
	sim_paper_set(s, sla, result.fulfilled_pct);
	sim_paper_set(s, reliability, result.reliability_pct);
	sim_paper_set(s, profit, result.profit_pct);
}

/* 10, 20, ..., 60: mean 35, sd sqrt(1750 / 6). */
static void set_risks(struct sim_paper_study *s)
{
	static const double six[] = {10, 20, 30, 40, 50, 60};
	static const double weights[] = {0.75, 0.25};
	struct risk_point p[2] = {{0, 0}, {90, 2}}, both;

	if (risk_separate(six, 6, &p[0]) < 0)
		return;
	both = risk_integrated(p, weights, 2);
	sim_paper_set(s, "six_mean", p[0].performance);
	sim_paper_set(s, "six_sd", p[0].volatility);
	sim_paper_set(s, "six_sd_expected", sqrt(1750.0 / 6));
	sim_paper_set(s, "both_mean", both.performance);
	sim_paper_set(s, "both_sd", both.volatility);
}

int ipdps_derive(void *study, struct libra_error *err)
{
	struct sim_paper_study *s = study;

	/* Simulated, of each seed. */
	sim_paper_set(
		s, "jobs",
		(double)study_result(s->designs.studies, 0, 0)->submitted);
	set_two(s, "fcfs", "two_sla", "two_reliability", "two_profit");
	set_two(s, "edf", "one_sla", "one_reliability", "one_profit");
	set_risks(s);
	sim_paper_set(s, "early", libra_utility(1000, 2.5, 499, 500));
	sim_paper_set(s, "on_time", libra_utility(1000, 2.5, 500, 500));
	sim_paper_set(s, "late", libra_utility(1000, 2.5, 600, 500));
	sim_paper_set(s, "loss", libra_utility(1000, 2.5, 1500, 500));
	return 0;
}
