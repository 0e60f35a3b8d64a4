/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * properties.c - claims that need no experiment: the formulas (R6, R7, R10),
 * which are asked of the program itself, and the parameters (R8, R33).
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/formula/reward.h"
#include "sim/paper/ipdps2007/experiment.h"
#include "sim/run/run.h"
#include "sim/study/risk_analysis.h"

/* ---- the formulas ---- */

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

void ipdps_r6(const struct claim *c, const void *study, struct claim_result *r)
{
	struct sim_result both, one;

	if (run_two("fcfs", &both) < 0 || run_two("edf", &one) < 0) {
		claim_formula(r, false);
		return;
	}
	claim_measured(r,
		       "one of two late by 250 s: SLA %.10g, reliability "
		       "%.10g, profit %.10g %%; the late one refused: %.10g, "
		       "%.10g, %.10g %%",
		       both.fulfilled_pct, both.reliability_pct,
		       both.profit_pct, one.fulfilled_pct, one.reliability_pct,
		       one.profit_pct);
	claim_formula(r, claim_same(both.fulfilled_pct, 50) &&
				 claim_same(both.reliability_pct, 50) &&
				 claim_same(both.profit_pct, 37.5) &&
				 claim_same(one.fulfilled_pct, 50) &&
				 claim_same(one.reliability_pct, 100) &&
				 claim_same(one.profit_pct, 25));
}

/* 10, 20, ..., 60: mean 35, sd sqrt(1750 / 6). */
void ipdps_r7(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double six[] = {10, 20, 30, 40, 50, 60};
	static const double weights[] = {0.75, 0.25};
	struct risk_point p[2] = {{0, 0}, {90, 2}}, both;

	if (risk_separate(six, 6, &p[0]) < 0) {
		claim_formula(r, false);
		return;
	}
	both = risk_integrated(p, weights, 2);
	claim_measured(r,
		       "of 10, 20, ..., 60: %.6g and %.6g; 3/4 of that and 1/4 "
		       "of (90, 2): %.6g and %.6g",
		       p[0].performance, p[0].volatility, both.performance,
		       both.volatility);
	claim_formula(r,
		      claim_same(p[0].performance, 35) &&
			      claim_same(p[0].volatility, sqrt(1750.0 / 6)) &&
			      claim_same(both.performance, 48.75) &&
			      claim_same(both.volatility,
					 0.75 * sqrt(1750.0 / 6) + 0.5));
}

void ipdps_r10(const struct claim *c, const void *study, struct claim_result *r)
{
	double early = libra_utility(1000, 2.5, 499, 500);
	double on_time = libra_utility(1000, 2.5, 500, 500);
	double late = libra_utility(1000, 2.5, 600, 500);
	double loss = libra_utility(1000, 2.5, 1500, 500);

	claim_measured(r,
		       "budget 1000, 2.5 a second: early %.10g, on time %.10g, "
		       "100 s late %.10g, 1000 s late %.10g",
		       early, on_time, late, loss);
	claim_formula(r, claim_same(early, 1000) && claim_same(on_time, 1000) &&
				 claim_same(late, 750) &&
				 claim_same(loss, -1500));
}

/* ---- the parameters ---- */

void ipdps_r8(const struct claim *c, const void *study, struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	const struct sim_scenario *a, *b;

	design_go(&p, "main set=A scenario=workload value=6 policy=fcfs-bf");
	a = design_scenario(&p);
	design_go(&p, "set=B");
	b = design_scenario(&p);
	claim_measured(r,
		       "%g %% urgent; low means %g, %g, %g; ratios %g, %g, %g; "
		       "biases %g, %g, %g, in set B %g for deadlines; arrival "
		       "delay %g",
		       a->high_urgency_pct, a->deadline_mean, a->budget_mean,
		       a->penalty_mean, a->deadline_ratio, a->budget_ratio,
		       a->penalty_ratio, a->deadline_bias, a->budget_bias,
		       a->penalty_bias, b->deadline_bias, a->arrival_delay);
	claim_parameter(
		r, a->high_urgency_pct == 20 && a->deadline_mean == 4 &&
			   a->budget_mean == 4 && a->penalty_mean == 4 &&
			   a->deadline_ratio == 4 && a->budget_ratio == 4 &&
			   a->penalty_ratio == 4 && a->deadline_bias == 1 &&
			   a->budget_bias == 1 && a->penalty_bias == 1 &&
			   b->deadline_bias == 14 && a->arrival_delay == 1);
}

void ipdps_r33(const struct claim *c, const void *study, struct claim_result *r)
{
	const struct sim_paper_study *s = study;

	paper_tell(c, s, r);
	claim_parameter(r, s->base.inaccuracy_pct == 100);
}
