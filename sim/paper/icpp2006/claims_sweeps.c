/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims_sweeps.c - the paper's claims about one figure each: load (L31 to
 * L35), deadlines (L36 to L39), urgency (L40 to L47) and estimates (L48 to
 * L56).  pp stands for percentage points.
 */
#include "sim/paper/icpp2006/points.h"

/* ---- section 5.2: workload ---- */

void icpp_l31(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double delays[] = {0.1, 0.5, 1};
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++)
			for (int k = 1; k < 3; k++) {
				struct icpp_place a = icpp_place_at(
					study, ICPP_LOAD, v, delays[k - 1]);
				struct icpp_place b = icpp_place_at(
					study, ICPP_LOAD, v, delays[k]);

				claim_scan_add(
					&scan,
					icpp_ful(&b, p) - icpp_ful(&a, p),
					ICPP_ABOVE_0, ICPP_ANY, "%s, %s to %g",
					icpp_policy_titles[p],
					icpp_name_of(&a).text, delays[k]);
			}
	icpp_scan_all_steps(&scan, study, ICPP_LOAD, icpp_ful, -2, ICPP_ANY);
	claim_scan_end(&scan, r, 1, "pp per step");
}

void icpp_l32(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++) {
			struct icpp_place a =
				icpp_place_at(study, ICPP_LOAD, v, 0.1);
			struct icpp_place b =
				icpp_place_at(study, ICPP_LOAD, v, 1);

			claim_scan_add(&scan, icpp_sld(&b, p) - icpp_sld(&a, p),
				       -ICPP_ANY, ICPP_BELOW_0,
				       "%s, %s: %.2f to %.2f",
				       icpp_policy_titles[p],
				       icpp_figures[ICPP_LOAD].variant_value[v],
				       icpp_sld(&a, p), icpp_sld(&b, p));
		}
	claim_scan_end(&scan, r, 2, "");
}

/* The arrival delay from which on another policy is above EDF, by straight
 * lines between the points.  Result: NAN if it never is or always was.
 */
static double overtakes_at(const struct icpp_study *s, int v,
			   enum icpp_policy other)
{
	struct icpp_place p = icpp_places(s, 1u << ICPP_LOAD, 1u << v);
	double x0 = NAN, d0 = NAN, found = NAN;

	while (icpp_next_place(&p)) {
		double d = icpp_ful(&p, other) - icpp_ful(&p, ICPP_EDF);

		if (d0 <= 0 && d > 0)
			found = x0 + (icpp_x(&p) - x0) * -d0 / (d - d0);
		x0 = icpp_x(&p);
		d0 = d;
	}
	return found;
}

static void tell_crossings(const struct icpp_study *s, struct claim_result *r)
{
	const char *before = " EDF is overtaken";

	for (int v = 0; v < 2; v++)
		for (int p = ICPP_LIBRA; p < ICPP_NPOLICIES; p++) {
			double x = overtakes_at(s, v, p);

			if (isnan(x))
				continue;
			claim_note(r, "%s by %s at about %.2f (%s)", before,
				   icpp_policy_titles[p], x,
				   icpp_figures[ICPP_LOAD].variant_title[v]);
			before = ",";
		}
	if (before[0] == ',')
		claim_note(r, ".");
}

static void scan_edf_against(struct claim_scan *scan,
			     const struct icpp_study *s, const double *delays,
			     size_t n, bool above)
{
	for (int v = 0; v < 2; v++)
		for (size_t k = 0; k < n; k++) {
			struct icpp_place p =
				icpp_place_at(s, ICPP_LOAD, v, delays[k]);

			for (int o = ICPP_LIBRA; o < ICPP_NPOLICIES; o++)
				claim_scan_add(scan,
					       icpp_ful(&p, ICPP_EDF) -
						       icpp_ful(&p, o),
					       above ? ICPP_ABOVE_0 : -ICPP_ANY,
					       above ? ICPP_ANY : ICPP_BELOW_0,
					       "%s: EDF %.1f, %s %.1f",
					       icpp_name_of(&p).text,
					       icpp_ful(&p, ICPP_EDF),
					       icpp_policy_titles[o],
					       icpp_ful(&p, o));
		}
}

void icpp_l33(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double delays[] = {0.02, 0.1, 0.2, 0.25};
	struct claim_scan scan = {0};

	scan_edf_against(&scan, study, delays, 4, true);
	claim_scan_end(&scan, r, 1, "pp");
	if (r->status == CLAIM_FAIL)
		tell_crossings(study, r);
}

void icpp_l34(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double delays[] = {0.4, 0.5, 0.6, 0.75, 1};
	struct claim_scan scan = {0};

	scan_edf_against(&scan, study, delays, 5, false);
	claim_scan_end(&scan, r, 1, "pp");
	if (r->status == CLAIM_FAIL)
		tell_crossings(study, r);
}

/* Each value above the one before, the first above 0. */
static void rising(struct claim_result *r, const char *what,
		   const double *value, size_t n, int decimals)
{
	bool holds = true;

	claim_measured(r, "%s%s", r->measured[0] ? "; " : "", what);
	for (size_t i = 0; i < n; i++) {
		claim_measured(r, "%s %.*f", i ? "," : "", decimals, value[i]);
		holds = holds && value[i] > (i ? value[i - 1] : 0);
	}
	if (!holds)
		claim_note(r, "%sThe %s does not grow at every step.",
			   r->note[0] ? " " : "", what);
	if (r->status == 0 || r->status == CLAIM_PASS)
		claim_verdict(r, holds);
}

void icpp_l35(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double delays[] = {0.5, 0.75, 1};
	double fulfilled[3], slowdown[3];

	for (int k = 0; k < 3; k++) {
		fulfilled[k] = icpp_gap_at(study, ICPP_LOAD, delays[k]);
		slowdown[k] = icpp_lead_at(study, ICPP_LOAD, delays[k]);
	}
	rising(r, "lead in pp", fulfilled, 3, 1);
	rising(r, "lead in slowdown", slowdown, 3, 2);
}

/* ---- section 5.3: deadline high:low ratio ---- */

void icpp_l36(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_all_steps(&scan, study, ICPP_RATIO, icpp_ful, -1, ICPP_ANY);
	claim_scan_end(&scan, r, 1, "pp per step");
}

void icpp_l37(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_all_slowdowns(&scan, study, ICPP_RATIO, 1);
	claim_scan_end(&scan, r, 2, "per step");
}

void icpp_l38(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(study, 1u << ICPP_RATIO, (1u << ICPP_TRACE));
	double g1 = icpp_gap_at(study, ICPP_RATIO, 1);
	double g4 = icpp_gap_at(study, ICPP_RATIO, 4);
	double g10 = icpp_gap_at(study, ICPP_RATIO, 10);
	struct claim_scan scan = {0};

	while (icpp_next_place(&p))
		claim_scan_add(&scan, icpp_gap(&p), ICPP_ABOVE_0, ICPP_ANY,
			       "%s", icpp_name_of(&p).text);
	claim_scan_end(&scan, r, 1, "pp");
	claim_measured(r, "; at 1, 4, 10: %.1f, %.1f, %.1f", g1, g4, g10);
	if (g1 > g4 && g4 >= g10)
		return;
	claim_verdict(r, false);
	claim_note(r, "%sThe lead is not largest at small ratios.",
		   r->note[0] ? " " : "");
}

void icpp_l39(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double ratios[] = {1, 4, 10};
	double lead[3];

	for (int k = 0; k < 3; k++)
		lead[k] = icpp_lead_at(study, ICPP_RATIO, ratios[k]);
	rising(r, "lead in slowdown", lead, 3, 2);
}

/* ---- section 5.4: high urgency jobs ---- */

/* How much is lost from no urgent job to all urgent. */
static double loss(const struct icpp_study *s, int v, enum icpp_policy p)
{
	struct icpp_place a = icpp_place_at(s, ICPP_URGENCY, v, 0);
	struct icpp_place b = icpp_place_at(s, ICPP_URGENCY, v, 100);

	return icpp_ful(&a, p) - icpp_ful(&b, p);
}

static void scan_loss(struct claim_scan *scan, const struct icpp_study *s,
		      int v, enum icpp_policy p, double least)
{
	struct icpp_place a = icpp_place_at(s, ICPP_URGENCY, v, 0);
	struct icpp_place b = icpp_place_at(s, ICPP_URGENCY, v, 100);

	claim_scan_add(scan, -loss(s, v, p), -ICPP_ANY, -least,
		       "%s, %s: %.1f to %.1f", icpp_policy_titles[p],
		       icpp_figures[ICPP_URGENCY].variant_value[v],
		       icpp_ful(&a, p), icpp_ful(&b, p));
}

void icpp_l40(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int p = 0; p < ICPP_NPOLICIES; p++)
		scan_loss(&scan, study, ICPP_EXACT, p, ICPP_ABOVE_0);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_EDF, ICPP_ABOVE_0);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_LIBRA, ICPP_ABOVE_0);
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l41(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_all_slowdowns(&scan, study, ICPP_URGENCY, -1);
	claim_scan_end(&scan, r, 3, "per step");
}

void icpp_l42(const struct claim *c, const void *study, struct claim_result *r)
{
	claim_range(r, icpp_gap_at(study, ICPP_URGENCY, 100), 35, 45, 1, "pp");
}

void icpp_l43(const struct claim *c, const void *study, struct claim_result *r)
{
	claim_range(r, icpp_gap_at(study, ICPP_URGENCY, 0), 15, 27, 1, "pp");
}

void icpp_l44(const struct claim *c, const void *study, struct claim_result *r)
{
	claim_range(r,
		    icpp_gap_at(study, ICPP_URGENCY, 100) /
			    icpp_gap_at(study, ICPP_URGENCY, 0),
		    1.5, 2.4, 2, "");
}

void icpp_l45(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place a = icpp_place_at(study, ICPP_URGENCY, ICPP_TRACE, 0);
	struct icpp_place b =
		icpp_place_at(study, ICPP_URGENCY, ICPP_TRACE, 100);
	double edf = loss(study, ICPP_TRACE, ICPP_EDF);
	double libra = loss(study, ICPP_TRACE, ICPP_LIBRA);
	double risk = loss(study, ICPP_TRACE, ICPP_LIBRARISK);

	claim_measured(r, "%.1f to %.1f %%", icpp_ful(&a, ICPP_LIBRARISK),
		       icpp_ful(&b, ICPP_LIBRARISK));
	claim_verdict(r, risk <= 0);
	if (r->status == CLAIM_PASS)
		return;
	claim_note(r,
		   "LibraRisk loses %.1f pp between no urgent job and all "
		   "urgent, EDF %.1f and Libra %.1f: ",
		   risk, edf, libra);
	claim_note(r, risk <= 3 && edf >= 15 && libra >= 15
			      ? "urgency hardly touches it, but it does not "
				"rise."
			      : "not even the weaker form holds, that urgency "
				"hardly touches it alone.");
}

void icpp_l46(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_loss(&scan, study, ICPP_TRACE, ICPP_EDF, 10);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_LIBRA, 10);
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l47(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_lower(
		&scan,
		icpp_places(study, 1u << ICPP_URGENCY, (1u << ICPP_TRACE)),
		ICPP_LIBRARISK, ICPP_LIBRA, ICPP_BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

/* ---- section 5.5: inaccurate estimates ---- */

/* 80 % urgent against 20 %, at every inaccuracy, for all policies. */
static void scan_80_20(struct claim_scan *scan, const struct icpp_study *s,
		       icpp_metric_f *metric, double high)
{
	struct icpp_place p =
		icpp_places(s, 1u << ICPP_INACCURACY, 1u << ICPP_HU80);

	while (icpp_next_place(&p))
		for (int pol = 0; pol < ICPP_NPOLICIES; pol++) {
			struct icpp_place q = p;
			double a, b;

			q.v = ICPP_HU20;
			a = metric(&q, pol);
			b = metric(&p, pol);
			claim_scan_add(scan, b - a, -ICPP_ANY, high,
				       "%s, inaccuracy %g: %.2f to %.2f",
				       icpp_policy_titles[pol], icpp_x(&p), a,
				       b);
		}
}

void icpp_l48(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_80_20(&scan, study, icpp_ful, 1);
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l49(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_80_20(&scan, study, icpp_sld, ICPP_BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

void icpp_l50(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_all_steps(&scan, study, ICPP_INACCURACY, icpp_ful, -ICPP_ANY,
			    1);
	claim_scan_end(&scan, r, 1, "pp per step");
}

void icpp_l51(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(study, 1u << ICPP_INACCURACY, ICPP_BOTH_VARIANTS);
	struct claim_scan scan = {0};

	while (icpp_next_place(&p)) {
		double best =
			fmax(icpp_ful(&p, ICPP_EDF), icpp_ful(&p, ICPP_LIBRA));

		if (icpp_x(&p) >= 20)
			claim_scan_add(&scan,
				       icpp_ful(&p, ICPP_LIBRARISK) - best,
				       ICPP_ABOVE_0, ICPP_ANY, "%s",
				       icpp_name_of(&p).text);
	}
	claim_scan_end(&scan, r, 1, "pp above the better of both");
}

void icpp_l52(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place a =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct icpp_place b =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);

	claim_range(r, icpp_ful(&b, ICPP_LIBRARISK) / icpp_ful(&b, ICPP_LIBRA),
		    1.7, 2.2, 2, "times Libra's");
	claim_measured(r, "; the lead at 80 %% is %.2f times that at 20 %%",
		       icpp_gap(&b) / icpp_gap(&a));
}

void icpp_l53(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place a =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct icpp_place b =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);
	struct claim_scan scan = {0};

	for (int p = 0; p < ICPP_NPOLICIES; p++) {
		double d = icpp_ful(&b, p) - icpp_ful(&a, p);
		bool risk = p == ICPP_LIBRARISK;

		claim_scan_add(&scan, d, risk ? -4 : -ICPP_ANY, risk ? 4 : -8,
			       "%s: %.1f to %.1f", icpp_policy_titles[p],
			       icpp_ful(&a, p), icpp_ful(&b, p));
	}
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l54(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = ICPP_LIBRA; p < ICPP_NPOLICIES; p++)
			icpp_scan_slowdown(&scan, study, ICPP_INACCURACY, v, p,
					   -1);
	claim_scan_end(&scan, r, 2, "per step");
}

void icpp_l55(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++) {
		struct icpp_place p =
			icpp_places(study, 1u << ICPP_INACCURACY, 1u << v);
		double least = INFINITY, most = 0;

		while (icpp_next_place(&p)) {
			double edf = icpp_sld(&p, ICPP_EDF);

			least = fmin(least, edf);
			most = fmax(most, edf);
			claim_scan_add(&scan,
				       edf - icpp_sld(&p, ICPP_LIBRARISK),
				       -ICPP_ANY, ICPP_BELOW_0, "%s",
				       icpp_name_of(&p).text);
		}
		claim_measured(r, "%s %% urgent: %.2f to %.2f; ",
			       icpp_figures[ICPP_INACCURACY].variant_value[v],
			       least, most);
		if (!(most / least <= 1.15))
			claim_scan_add(&scan, NAN, 0, 0,
				       "greatest / least %.2f", most / least);
	}
	claim_measured(r, "EDF less LibraRisk ");
	claim_scan_end(&scan, r, 2, "");
}

void icpp_l56(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place a =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct icpp_place b =
		icpp_place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);
	double x = icpp_sld(&a, ICPP_LIBRARISK) / icpp_sld(&a, ICPP_LIBRA);
	double y = icpp_sld(&b, ICPP_LIBRARISK) / icpp_sld(&b, ICPP_LIBRA);

	claim_range(r, fabs(x - y), 0, 0.15, 2, "apart");
	claim_measured(r, ": %.2f and %.2f of Libra's", x, y);
}
