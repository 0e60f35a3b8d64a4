/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ipdps2007_claims.c - the paper's claims about results (R11 to R32), and the
 * table of all of its claims.
 *
 * Values are means over the seeds; "mean" is the mean over the five scenarios.
 * Each claim about results is judged for every reading of what the paper
 * leaves open; the adopted one decides, the others go into the note.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/ipdps2007.h"

#define ANY	INFINITY
#define ABOVE_0 DBL_MIN

/* What a claim is judged on: the results by one reading. */
struct view {
	const struct ipdps_study *s;
	int reading;
};

static double sd(const struct view *v, int set, int sc, int p, int o)
{
	return v->s->point[v->reading][set][sc][p][o].volatility;
}

static double mu(const struct view *v, int set, int sc, int p, int o)
{
	return v->s->point[v->reading][set][sc][p][o].performance;
}

static struct risk_point mean(const struct view *v, int set, int p,
			      unsigned objectives)
{
	return ipdps_mean(v->s, v->reading, set, p, objectives);
}

static double perf(const struct view *v, int set, int p, unsigned objectives)
{
	return mean(v, set, p, objectives).performance;
}

#define SLA	    (1u << IPDPS_SLA)
#define RELIABILITY (1u << IPDPS_RELIABILITY)
#define PROFIT	    (1u << IPDPS_PROFIT)

static const char set_letter[] = "AB";

/* "EDF-BF 74.9, FCFS-BF 65.8, ..." of the mean over the scenarios */
static void tell_means(const struct view *v, int set, unsigned objectives,
		       struct claim_result *r)
{
	claim_measured(r, "%s%c:", r->measured[0] ? "; " : "", set_letter[set]);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		claim_measured(r, "%s %s %.1f", p ? "," : "",
			       ipdps_policy_titles[p],
			       perf(v, set, p, objectives));
}

/* The highest of all but some policies. */
static double best_but(const struct view *v, int set, unsigned objectives,
		       unsigned but)
{
	double best = -INFINITY;

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		if (!(but & 1u << p))
			best = fmax(best, perf(v, set, p, objectives));
	return best;
}

static double worst_but(const struct view *v, int set, unsigned objectives,
			unsigned but)
{
	double worst = INFINITY;

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		if (!(but & 1u << p))
			worst = fmin(worst, perf(v, set, p, objectives));
	return worst;
}

#define BUT(p) (1u << (p))

/* ---- section 5.1: tuning, and no admission ---- */

static const struct ipdps_tuning *threshold_at(const struct ipdps_study *s,
					       bool hours, double value)
{
	for (size_t i = 0; i < IPDPS_NTUNINGS; i++) {
		const struct ipdps_tuning *t = &s->tuning[i];

		if (t->hours == hours && t->value == value &&
		    strcmp(t->param, "slack_threshold") == 0)
			return t;
	}
	return NULL;
}

static double profit_at(const struct ipdps_study *s, bool hours, int set,
			double threshold)
{
	return ipdps_value(s,
			   (size_t)threshold_at(s, hours, threshold)->cell[set],
			   IPDPS_PROFIT);
}

/* The best threshold of the sweep. */
static double best_threshold(const struct ipdps_study *s, bool hours, int set)
{
	double best = NAN, most = -INFINITY;

	for (size_t i = 0; i < IPDPS_NTUNINGS; i++) {
		const struct ipdps_tuning *t = &s->tuning[i];
		double profit =
			ipdps_value(s, (size_t)t->cell[set], IPDPS_PROFIT);

		if (t->hours != hours || strcmp(t->param, "slack_threshold") ||
		    !(profit > most))
			continue;
		most = profit;
		best = t->value;
	}
	return best;
}

static void judge_r11(const struct view *v, struct claim_result *r)
{
	const struct ipdps_study *s = v->s;
	bool hours = ipdps_readings[v->reading].discount_unit_s != 1;
	bool holds = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		double here = profit_at(s, hours, set, 25);
		double below = profit_at(s, hours, set, 20);
		double above = profit_at(s, hours, set, 30);

		claim_measured(
			r,
			"%s%c: profit %.3f %% at 20, %.3f at 25, %.3f "
			"at 30; best %.3f at %g",
			set ? "; " : "", set_letter[set], below, here, above,
			profit_at(s, hours, set, best_threshold(s, hours, set)),
			best_threshold(s, hours, set));
		if (here < below || here < above) {
			claim_note(r, "%sIn set %c 25 is below a neighbour.",
				   r->note[0] ? " " : "", set_letter[set]);
			holds = false;
		}
	}
	claim_verdict(r, holds);
}

static void judge_r12(const struct view *v, struct claim_result *r)
{
	const struct ipdps_study *s = v->s;
	double highest = 0, lowest = INFINITY;

	for (int k = 0; k < IPDPS_NUNTESTED; k++) {
		const struct ipdps_untested *u = &s->untested[k];
		double with = ipdps_value(s, (size_t)u->with, IPDPS_SLA);
		double without = ipdps_value(s, (size_t)u->without, IPDPS_SLA);

		claim_measured(r, "%s%s %c, %g %% urgent: %.1f to %.1f",
			       k ? "; " : "", ipdps_policy_titles[u->policy],
			       set_letter[u->set], u->urgent, with, without);
		highest = fmax(highest, without / with);
		lowest = fmin(lowest, without / with);
	}
	claim_verdict(r, highest <= 0.7);
	if (r->status == CLAIM_FAIL)
		claim_note(r,
			   "Without the test the SLA is %.2f to %.2f times "
			   "what it is with it. It gains in set A: the test "
			   "also refuses jobs whose estimates are too long for "
			   "their deadlines, and many of them end in time. "
			   "Profit does fall far, in set A by default from "
			   "%.0f to %.0f %% with FCFS-BF.",
			   lowest, highest,
			   ipdps_value(s, (size_t)s->untested[0].with,
				       IPDPS_PROFIT),
			   ipdps_value(s, (size_t)s->untested[0].without,
				       IPDPS_PROFIT));
}

/* ---- section 6.1: separate analysis ---- */

static void judge_r13(const struct view *v, struct claim_result *r)
{
	bool holds = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		int best = 0;

		tell_means(v, set, SLA, r);
		for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++) {
			double top = -INFINITY;

			for (int p = 0; p < IPDPS_NPOLICIES; p++)
				top = fmax(top, mu(v, set, sc, p, IPDPS_SLA));
			best += mu(v, set, sc, IPDPS_LIBRARISK, IPDPS_SLA) >=
				top;
		}
		claim_measured(r, " (LibraRisk best in %d of 5)", best);
		holds &= best >= 4;
	}
	claim_verdict(r, holds);
}

static void tell_volatility(const struct view *v, int set, int sc,
			    struct claim_result *r)
{
	claim_measured(r, "%s%c:", r->measured[0] ? "; " : "", set_letter[set]);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		claim_measured(r, "%s %s %.1f", p ? "," : "",
			       ipdps_policy_titles[p],
			       sd(v, set, sc, p, IPDPS_SLA));
}

static void judge_r14(const struct view *v, struct claim_result *r)
{
	bool holds = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		double lr =
			sd(v, set, IPDPS_WORKLOAD, IPDPS_LIBRARISK, IPDPS_SLA);

		tell_volatility(v, set, IPDPS_WORKLOAD, r);
		for (int p = 0; p < IPDPS_NPOLICIES; p++)
			holds &= p == IPDPS_LIBRARISK ||
				 lr > sd(v, set, IPDPS_WORKLOAD, p, IPDPS_SLA);
	}
	claim_verdict(r, holds);
}

static void judge_r15(const struct view *v, struct claim_result *r)
{
	bool holds = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		double edf =
			sd(v, set, IPDPS_WORKLOAD, IPDPS_EDF_BF, IPDPS_SLA);

		tell_volatility(v, set, IPDPS_WORKLOAD, r);
		for (int p = 0; p < IPDPS_NPOLICIES; p++)
			holds &= p == IPDPS_EDF_BF || p == IPDPS_FIRSTREWARD ||
				 edf < sd(v, set, IPDPS_WORKLOAD, p, IPDPS_SLA);
	}
	claim_verdict(r, holds);
}

static void judge_r16(const struct view *v, struct claim_result *r)
{
	static const int both[] = {IPDPS_LIBRA, IPDPS_LIBRARISK};
	bool holds = true;

	for (int k = 0; k < 2; k++) {
		double a = sd(v, IPDPS_A, IPDPS_WORKLOAD, both[k], IPDPS_SLA);
		double b = sd(v, IPDPS_B, IPDPS_WORKLOAD, both[k], IPDPS_SLA);

		claim_measured(r, "%s%s %.1f in A, %.1f in B", k ? "; " : "",
			       ipdps_policy_titles[both[k]], a, b);
		holds &= b < a;
	}
	claim_verdict(r, holds);
}

static void judge_r17(const struct view *v, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int sc = 0; sc < IPDPS_NSCENARIOS; sc++)
			for (int i = 0; i < IPDPS_NVALUES; i++)
				for (int p = IPDPS_FCFS_BF; p <= IPDPS_EDF_BF;
				     p++)
					claim_scan_add(
						&scan,
						ipdps_value(
							v->s,
							(size_t)v->s->cell
								[v->reading]
								[set][sc][i][p],
							IPDPS_RELIABILITY),
						99.9, 100, "%s, %c, %s %g",
						ipdps_policy_titles[p],
						set_letter[set],
						ipdps_scenarios[sc].name,
						ipdps_scenarios[sc]
							.value[set][i]);
	claim_scan_end(&scan, r, 2, "%");
}

static void judge_r18(const struct view *v, struct claim_result *r)
{
	double a = mean(v, IPDPS_A, IPDPS_FIRSTREWARD, RELIABILITY).volatility;
	double b = mean(v, IPDPS_B, IPDPS_FIRSTREWARD, RELIABILITY).volatility;

	claim_measured(r, "mean volatility %.1f in A, %.1f in B", a, b);
	claim_verdict(r, b > a);
}

static void judge_r19(const struct view *v, struct claim_result *r)
{
	static const int where[] = {IPDPS_WORKLOAD, IPDPS_DEADLINE,
				    IPDPS_BUDGET};
	struct claim_scan scan = {0};

	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int k = 0; k < 3; k++)
			for (int p = 0; p < IPDPS_NPOLICIES; p++)
				claim_scan_add(
					&scan,
					sd(v, set, where[k], p, IPDPS_PROFIT),
					10, ANY, "%s, %c, %s",
					ipdps_policy_titles[p], set_letter[set],
					ipdps_scenarios[where[k]].name);
	claim_scan_end(&scan, r, 1, "");
}

static void judge_r20(const struct view *v, struct claim_result *r)
{
	double backfilling = fmin(perf(v, IPDPS_A, IPDPS_FCFS_BF, PROFIT),
				  perf(v, IPDPS_A, IPDPS_EDF_BF, PROFIT));
	double libras = fmax(perf(v, IPDPS_A, IPDPS_LIBRA, PROFIT),
			     perf(v, IPDPS_A, IPDPS_LIBRARISK, PROFIT));

	tell_means(v, IPDPS_A, PROFIT, r);
	claim_verdict(r, backfilling >= libras);
}

static void judge_r21(const struct view *v, struct claim_result *r)
{
	double libra = perf(v, IPDPS_A, IPDPS_LIBRA, PROFIT);
	double risk = perf(v, IPDPS_A, IPDPS_LIBRARISK, PROFIT);

	claim_measured(r, "LibraRisk %.1f, Libra %.1f", risk, libra);
	claim_verdict(r, fabs(risk - libra) <= 4);
}

static void judge_r22(const struct view *v, struct claim_result *r)
{
	double fcfs = ipdps_default(v->s, v->reading, IPDPS_A, IPDPS_FCFS_BF,
				    IPDPS_PROFIT);
	double edf = ipdps_default(v->s, v->reading, IPDPS_A, IPDPS_EDF_BF,
				   IPDPS_PROFIT);
	double risk = ipdps_default(v->s, v->reading, IPDPS_A, IPDPS_LIBRARISK,
				    IPDPS_PROFIT);

	claim_measured(r,
		       "EDF-BF %.1f - LibraRisk %.1f = %.1f; FCFS-BF %.1f, so "
		       "%.1f",
		       edf, risk, edf - risk, fcfs, fcfs - risk);
	claim_verdict(r, edf - risk >= 10 && edf - risk <= 25);
}

static void judge_r23(const struct view *v, struct claim_result *r)
{
	tell_means(v, IPDPS_B, PROFIT, r);
	claim_verdict(
		r, perf(v, IPDPS_B, IPDPS_LIBRARISK, PROFIT) >
			   best_but(v, IPDPS_B, PROFIT, BUT(IPDPS_LIBRARISK)));
}

static void judge_r24(const struct view *v, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int set = 0; set < IPDPS_NSETS; set++)
		for (int o = 0; o < IPDPS_NOBJECTIVES; o++) {
			double fr = perf(v, set, IPDPS_FIRSTREWARD, 1u << o);
			double next = worst_but(v, set, 1u << o,
						BUT(IPDPS_FIRSTREWARD));

			claim_scan_add(&scan, next - fr, ABOVE_0, ANY,
				       "%s, %c: %.1f, next %.1f",
				       ipdps_objective_titles[o],
				       set_letter[set], fr, next);
		}
	claim_scan_end(&scan, r, 1, "below the next");
}

/* ---- section 6.2: integrated analysis ---- */

static void judge_r25(const struct view *v, struct claim_result *r)
{
	const unsigned both = SLA | RELIABILITY;
	const unsigned others = BUT(IPDPS_LIBRARISK) | BUT(IPDPS_FIRSTREWARD);
	bool holds = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		double risk = perf(v, set, IPDPS_LIBRARISK, both);

		tell_means(v, set, both, r);
		holds &= risk > best_but(v, set, both, BUT(IPDPS_LIBRARISK));
		holds &= best_but(v, set, both, others) -
				 worst_but(v, set, both, others) <=
			 10;
	}
	claim_verdict(r, holds);
}

static void judge_r26(const struct view *v, struct claim_result *r)
{
	bool lowest = true;

	for (int set = 0; set < IPDPS_NSETS; set++) {
		double risk =
			ipdps_integrated(v->s, v->reading, set, IPDPS_WORKLOAD,
					 IPDPS_LIBRARISK, SLA | RELIABILITY)
				.volatility;

		claim_measured(r, "%s%c:", set ? "; " : "", set_letter[set]);
		for (int p = 0; p < IPDPS_NPOLICIES; p++) {
			double other = ipdps_integrated(v->s, v->reading, set,
							IPDPS_WORKLOAD, p,
							SLA | RELIABILITY)
					       .volatility;

			claim_measured(r, "%s %s %.1f", p ? "," : "",
				       ipdps_policy_titles[p], other);
			lowest &= risk <= other;
		}
	}
	r->status = CLAIM_INFO;
	claim_note(r, lowest ? "It holds."
			     : "It does not hold, and contradicts the paper's "
			       "own statement that LibraRisk is the most "
			       "volatile (R14).");
}

static void judge_r27(const struct view *v, struct claim_result *r)
{
	double risk = perf(v, IPDPS_B, IPDPS_LIBRARISK, SLA | PROFIT);
	double next = best_but(v, IPDPS_B, SLA | PROFIT, BUT(IPDPS_LIBRARISK));

	tell_means(v, IPDPS_B, SLA | PROFIT, r);
	claim_measured(r, " (%+.1f)", risk - next);
	claim_verdict(r, risk - next >= 8);
	if (r->status == CLAIM_FAIL)
		claim_note(r, "LibraRisk leads by %.1f, less than 8.",
			   risk - next);
}

static void judge_r28(const struct view *v, struct claim_result *r)
{
	const unsigned both = RELIABILITY | PROFIT;
	double range = best_but(v, IPDPS_B, both, BUT(IPDPS_FIRSTREWARD)) -
		       worst_but(v, IPDPS_B, both, BUT(IPDPS_FIRSTREWARD));
	double calm = 0, lively = INFINITY;

	tell_means(v, IPDPS_B, both, r);
	claim_measured(r, "; volatility");
	for (int p = 0; p < IPDPS_NPOLICIES; p++) {
		double volatility = mean(v, IPDPS_B, p, both).volatility;

		claim_measured(r, "%s %.1f", p ? "," : "", volatility);
		if (p == IPDPS_LIBRARISK || p == IPDPS_FIRSTREWARD)
			lively = fmin(lively, volatility);
		else
			calm = fmax(calm, volatility);
	}
	claim_verdict(r, range <= 6 && lively > calm);
}

static void judge_r29(const struct view *v, struct claim_result *r)
{
	const unsigned both = RELIABILITY | PROFIT;
	double backfilling = fmin(perf(v, IPDPS_A, IPDPS_FCFS_BF, both),
				  perf(v, IPDPS_A, IPDPS_EDF_BF, both));
	double libras = fmax(perf(v, IPDPS_A, IPDPS_LIBRA, both),
			     perf(v, IPDPS_A, IPDPS_LIBRARISK, both));

	tell_means(v, IPDPS_A, both, r);
	claim_verdict(r, backfilling > libras);
}

static void judge_r30(const struct view *v, struct claim_result *r)
{
	tell_means(v, IPDPS_B, ALL_OBJECTIVES, r);
	claim_verdict(r, perf(v, IPDPS_B, IPDPS_LIBRARISK, ALL_OBJECTIVES) >
				 best_but(v, IPDPS_B, ALL_OBJECTIVES,
					  BUT(IPDPS_LIBRARISK)));
}

static void judge_r31(const struct view *v, struct claim_result *r)
{
	double backfilling =
		fmax(perf(v, IPDPS_A, IPDPS_FCFS_BF, ALL_OBJECTIVES),
		     perf(v, IPDPS_A, IPDPS_EDF_BF, ALL_OBJECTIVES));

	tell_means(v, IPDPS_A, ALL_OBJECTIVES, r);
	claim_verdict(r, perf(v, IPDPS_A, IPDPS_LIBRARISK, ALL_OBJECTIVES) >=
				 backfilling - 6);
}

static void judge_r32(const struct view *v, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int p = IPDPS_FCFS_BF; p <= IPDPS_EDF_BF; p++)
		claim_scan_add(&scan,
			       perf(v, IPDPS_A, p, ALL_OBJECTIVES) -
				       perf(v, IPDPS_B, p, ALL_OBJECTIVES),
			       8, ANY, "%s", ipdps_policy_titles[p]);
	claim_scan_end(&scan, r, 1, "");
}

/* ---- all readings ---- */

typedef void judge_f(const struct view *v, struct claim_result *r);

/* By the number of the claim; NULL: it has nothing to do with readings. */
static judge_f *const judges[IPDPS_NCLAIMS] = {
	[10] = judge_r11, [11] = judge_r12, [12] = judge_r13, [13] = judge_r14,
	[14] = judge_r15, [15] = judge_r16, [16] = judge_r17, [17] = judge_r18,
	[18] = judge_r19, [19] = judge_r20, [20] = judge_r21, [21] = judge_r22,
	[22] = judge_r23, [23] = judge_r24, [24] = judge_r25, [25] = judge_r26,
	[26] = judge_r27, [27] = judge_r28, [28] = judge_r29, [29] = judge_r30,
	[30] = judge_r31, [31] = judge_r32,
};

/* R11 knows seconds and hours, R12 the adopted reading alone. */
static bool is_measured(size_t claim, int reading)
{
	const struct ipdps_reading *r = &ipdps_readings[reading];

	if (reading == 0)
		return true;
	if (claim == 10)
		return r->discount_unit_s != 1;
	return claim != 11;
}

enum claim_status ipdps_judge(const struct ipdps_study *s, size_t claim,
			      int reading)
{
	struct view v = {s, reading};
	struct claim_result r = {0};

	if (!judges[claim] || !is_measured(claim, reading))
		return CLAIM_INFO;
	judges[claim](&v, &r);
	return r.status;
}

/* Name the readings under which the verdict is another one. */
static void tell_readings(const struct ipdps_study *s, size_t claim,
			  struct claim_result *r)
{
	enum claim_status other =
		r->status == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
	int n = 0;

	if (r->status == CLAIM_INFO)
		return;
	for (int k = 1; k < IPDPS_NREADINGS; k++) {
		if (ipdps_judge(s, claim, k) != other)
			continue;
		claim_note(r, "%s%s%s",
			   n		? "; "
			   : r->note[0] ? " "
					: "",
			   n			 ? ""
			   : other == CLAIM_PASS ? "It holds with "
						 : "It fails with ",
			   ipdps_readings[k].title);
		n++;
	}
	if (n > 0)
		claim_note(r, ".");
	else if (r->status == CLAIM_FAIL && is_measured(claim, 1))
		claim_note(r, "%sIt holds with no other reading tried.",
			   r->note[0] ? " " : "");
}

static void check(const struct claim *claim, const void *study,
		  struct claim_result *r)
{
	size_t index = (size_t)(claim - ipdps_claims);
	struct view v = {study, 0};

	judges[index](&v, r);
	tell_readings(study, index, r);
}

/* ---- the table ---- */

#define MEAN "mean of the scenarios"

const struct claim ipdps_claims[IPDPS_NCLAIMS] = {
	{"R1", "5.2", "The workload is the last 5000 jobs, about 3.75 months",
	 "last 5000 records of the log", "3.65 to 3.85 months of 30.4 days",
	 ipdps_r1},
	{"R2", "5.2", "Mean inter-arrival time 1969 s",
	 "(last - first submission) / (n - 1)", "1969 s within 0.5", ipdps_r2},
	{"R3", "5.2", "Mean run time 8671 s",
	 "all chosen records as they stand", "8671 s within 0.5", ipdps_r3},
	{"R4", "5.2", "Jobs ask for 17 processors on average",
	 "requested processors", "17, rounded", ipdps_r4},
	{"R5", "5.2", "Utilization 83.2 %, 128 nodes",
	 "whole log: work / (submission span x processors)",
	 "83.2 % within 0.5; no request above 128", ipdps_r5},
	{"R6", "3", "SLA, reliability and profit are these ratios",
	 "eqs 1 to 3, two jobs", "equal", ipdps_r6},
	{"R7", "4",
	 "Performance and volatility are mean and population standard "
	 "deviation; integrated: their weighted sums",
	 "eqs 4 to 7, six numbers", "equal", ipdps_r7},
	{"R8", "table 2", "The default settings", "sets A and B", "as printed",
	 ipdps_r8},
	{"R9", "table 3", "The values that the scenarios vary",
	 "16 restored among set B's deadline biases", "six values each",
	 ipdps_r9},
	{"R10", "5.3",
	 "Utility = budget - delay x penalty rate, without a lower bound",
	 "eqs 8 and 9", "equal", ipdps_r10},
	{"R11", "5.1",
	 "FirstReward: alpha 1, discount 1 %, slack threshold 25 is best",
	 "default points; threshold 0 to 200", "profit at 25 >= at 20 and 30",
	 check},
	{"R12", "5.1", "Backfilling without admission control does much worse",
	 "default points, 20 and 100 % urgent", "SLA ratio <= 0.7", check},
	{"R13", "6.1", "SLA: LibraRisk is best", "sets A and B",
	 "highest performance in 4 of 5 scenarios or more", check},
	{"R14", "6.1", "SLA: LibraRisk is more volatile than the others",
	 "workload", "highest volatility", check},
	{"R15", "6.1",
	 "SLA: EDF-BF is the least volatile of those with many jobs",
	 "workload", "lowest volatility but FirstReward's", check},
	{"R16", "6.1",
	 "SLA: Libra and LibraRisk are less volatile in set B than in A",
	 "workload", "B < A", check},
	{"R17", "6.1", "FCFS-BF and EDF-BF: reliability 100 %", "all points",
	 "99.9 or more", check},
	{"R18", "6.1",
	 "FirstReward's reliability is more volatile in set B than in A", MEAN,
	 "B > A", check},
	{"R19", "6.1", "Profit: every policy is highly volatile",
	 "workload, deadline bias, budget bias", "volatility >= 10", check},
	{"R20", "6.1", "Set A: FCFS-BF and EDF-BF earn most", MEAN,
	 "both >= Libra and LibraRisk", check},
	{"R21", "6.1", "Set A: LibraRisk earns about what Libra does", MEAN,
	 "within 4", check},
	{"R22", "6.2",
	 "Set A: LibraRisk earns about 20 % less than the backfilling "
	 "policies",
	 "default point", "EDF-BF - LibraRisk in [10, 25]", check},
	{"R23", "6.1", "Set B: LibraRisk earns most", MEAN, "above all others",
	 check},
	{"R24", "6.1", "FirstReward is lowest in SLA, reliability and profit",
	 MEAN, "lowest in each, in both sets", check},
	{"R25", "6.2",
	 "SLA and reliability: LibraRisk is best in both sets, FCFS-BF, "
	 "EDF-BF and Libra about equal",
	 "weights 1/2; " MEAN, "highest; the others within 10", check},
	{"R26", "6.2",
	 "SLA and reliability: LibraRisk is best in volatility too",
	 "weights 1/2; workload", "reported", check},
	{"R27", "6.2", "SLA and profit, set B: LibraRisk is far ahead",
	 "weights 1/2; " MEAN, "LibraRisk - next >= 8", check},
	{"R28", "6.2",
	 "Reliability and profit, set B: all alike, LibraRisk and FirstReward "
	 "more volatile",
	 "weights 1/2; " MEAN,
	 "within 6 but for FirstReward; highest volatilities", check},
	{"R29", "6.2",
	 "Reliability and profit, set A: FCFS-BF and EDF-BF first, then Libra "
	 "and LibraRisk",
	 "weights 1/2; " MEAN, "in this order", check},
	{"R30", "6.2", "All three, set B: LibraRisk is best",
	 "weights 1/3; " MEAN, "highest", check},
	{"R31", "6.2",
	 "All three, set A: LibraRisk only slightly below the backfilling "
	 "policies",
	 "weights 1/3; " MEAN, "LibraRisk >= the better - 6", check},
	{"R32", "6.2, 7",
	 "The backfilling policies perform well in set A, but not in B",
	 "weights 1/3; " MEAN, "A - B >= 8", check},
	{"R33", "5.2", "Estimates are the log's", "all points", "as they stand",
	 ipdps_r33},
};
