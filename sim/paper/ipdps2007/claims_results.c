/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims_results.c - the paper's claims about results (R11 to R32), each
 * judged on the results by one reading.
 *
 * Values are means over the seeds; "mean" is the mean over the five scenarios.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

#define ANY	INFINITY
#define ABOVE_0 DBL_MIN

static double sd(const struct ipdps_view *v, int set, int sc, int p, int o)
{
	return v->s->point[v->reading][set][sc][p][o].volatility;
}

static double mu(const struct ipdps_view *v, int set, int sc, int p, int o)
{
	return v->s->point[v->reading][set][sc][p][o].performance;
}

static struct risk_point mean(const struct ipdps_view *v, int set, int p,
			      unsigned objectives)
{
	return ipdps_mean(v->s, v->reading, set, p, objectives);
}

static double perf(const struct ipdps_view *v, int set, int p,
		   unsigned objectives)
{
	return mean(v, set, p, objectives).performance;
}

#define SLA	    (1u << IPDPS_SLA)
#define RELIABILITY (1u << IPDPS_RELIABILITY)
#define PROFIT	    (1u << IPDPS_PROFIT)

static const char set_letter[] = "AB";

/* "EDF-BF 74.9, FCFS-BF 65.8, ..." of the mean over the scenarios */
static void tell_means(const struct ipdps_view *v, int set, unsigned objectives,
		       struct claim_result *r)
{
	claim_measured(r, "%s%c:", r->measured[0] ? "; " : "", set_letter[set]);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		claim_measured(r, "%s %s %.1f", p ? "," : "",
			       ipdps_policy_titles[p],
			       perf(v, set, p, objectives));
}

/* The highest of all but some policies. */
static double best_but(const struct ipdps_view *v, int set, unsigned objectives,
		       unsigned but)
{
	double best = -INFINITY;

	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		if (!(but & 1u << p))
			best = fmax(best, perf(v, set, p, objectives));
	return best;
}

static double worst_but(const struct ipdps_view *v, int set,
			unsigned objectives, unsigned but)
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

void ipdps_judge_r11(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r12(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r13(const struct ipdps_view *v, struct claim_result *r)
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

static void tell_volatility(const struct ipdps_view *v, int set, int sc,
			    struct claim_result *r)
{
	claim_measured(r, "%s%c:", r->measured[0] ? "; " : "", set_letter[set]);
	for (int p = 0; p < IPDPS_NPOLICIES; p++)
		claim_measured(r, "%s %s %.1f", p ? "," : "",
			       ipdps_policy_titles[p],
			       sd(v, set, sc, p, IPDPS_SLA));
}

void ipdps_judge_r14(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r15(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r16(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r17(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r18(const struct ipdps_view *v, struct claim_result *r)
{
	double a = mean(v, IPDPS_A, IPDPS_FIRSTREWARD, RELIABILITY).volatility;
	double b = mean(v, IPDPS_B, IPDPS_FIRSTREWARD, RELIABILITY).volatility;

	claim_measured(r, "mean volatility %.1f in A, %.1f in B", a, b);
	claim_verdict(r, b > a);
}

void ipdps_judge_r19(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r20(const struct ipdps_view *v, struct claim_result *r)
{
	double backfilling = fmin(perf(v, IPDPS_A, IPDPS_FCFS_BF, PROFIT),
				  perf(v, IPDPS_A, IPDPS_EDF_BF, PROFIT));
	double libras = fmax(perf(v, IPDPS_A, IPDPS_LIBRA, PROFIT),
			     perf(v, IPDPS_A, IPDPS_LIBRARISK, PROFIT));

	tell_means(v, IPDPS_A, PROFIT, r);
	claim_verdict(r, backfilling >= libras);
}

void ipdps_judge_r21(const struct ipdps_view *v, struct claim_result *r)
{
	double libra = perf(v, IPDPS_A, IPDPS_LIBRA, PROFIT);
	double risk = perf(v, IPDPS_A, IPDPS_LIBRARISK, PROFIT);

	claim_measured(r, "LibraRisk %.1f, Libra %.1f", risk, libra);
	claim_verdict(r, fabs(risk - libra) <= 4);
}

void ipdps_judge_r22(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r23(const struct ipdps_view *v, struct claim_result *r)
{
	tell_means(v, IPDPS_B, PROFIT, r);
	claim_verdict(
		r, perf(v, IPDPS_B, IPDPS_LIBRARISK, PROFIT) >
			   best_but(v, IPDPS_B, PROFIT, BUT(IPDPS_LIBRARISK)));
}

void ipdps_judge_r24(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r25(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r26(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r27(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r28(const struct ipdps_view *v, struct claim_result *r)
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

void ipdps_judge_r29(const struct ipdps_view *v, struct claim_result *r)
{
	const unsigned both = RELIABILITY | PROFIT;
	double backfilling = fmin(perf(v, IPDPS_A, IPDPS_FCFS_BF, both),
				  perf(v, IPDPS_A, IPDPS_EDF_BF, both));
	double libras = fmax(perf(v, IPDPS_A, IPDPS_LIBRA, both),
			     perf(v, IPDPS_A, IPDPS_LIBRARISK, both));

	tell_means(v, IPDPS_A, both, r);
	claim_verdict(r, backfilling > libras);
}

void ipdps_judge_r30(const struct ipdps_view *v, struct claim_result *r)
{
	tell_means(v, IPDPS_B, IPDPS_ALL, r);
	claim_verdict(r, perf(v, IPDPS_B, IPDPS_LIBRARISK, IPDPS_ALL) >
				 best_but(v, IPDPS_B, IPDPS_ALL,
					  BUT(IPDPS_LIBRARISK)));
}

void ipdps_judge_r31(const struct ipdps_view *v, struct claim_result *r)
{
	double backfilling = fmax(perf(v, IPDPS_A, IPDPS_FCFS_BF, IPDPS_ALL),
				  perf(v, IPDPS_A, IPDPS_EDF_BF, IPDPS_ALL));

	tell_means(v, IPDPS_A, IPDPS_ALL, r);
	claim_verdict(r, perf(v, IPDPS_A, IPDPS_LIBRARISK, IPDPS_ALL) >=
				 backfilling - 6);
}

void ipdps_judge_r32(const struct ipdps_view *v, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int p = IPDPS_FCFS_BF; p <= IPDPS_EDF_BF; p++)
		claim_scan_add(&scan,
			       perf(v, IPDPS_A, p, IPDPS_ALL) -
				       perf(v, IPDPS_B, p, IPDPS_ALL),
			       8, ANY, "%s", ipdps_policy_titles[p]);
	claim_scan_end(&scan, r, 1, "");
}
