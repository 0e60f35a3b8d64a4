/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims_overview.c - the paper's claims about all figures together, L20 to
 * L30 (section 5.1), and its conclusions, L57 to L59 (sections 4 and 6).
 * pp stands for percentage points.
 */
#include <string.h>

#include "sim/paper/icpp2006/points.h"

/* ---- section 5.1: overview ---- */

void icpp_l20(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_TRACE));
	struct icpp_place exact = icpp_by_default(study, ICPP_EXACT);
	struct icpp_place trace = icpp_by_default(study, ICPP_TRACE);
	struct claim_scan scan = {0};

	while (icpp_next_place(&p))
		for (int pol = 0; pol < ICPP_NPOLICIES; pol++) {
			struct icpp_place e = p;

			e.v = ICPP_EXACT;
			claim_scan_add(&scan,
				       icpp_ful(&p, pol) - icpp_ful(&e, pol),
				       -ICPP_ANY, 1, "%s, %s %g",
				       icpp_policy_titles[pol],
				       icpp_figures[p.f].short_x, icpp_x(&p));
		}
	claim_scan_end(&scan, r, 1, "pp");
	claim_measured(r, "; by default");
	for (int pol = 0; pol < ICPP_NPOLICIES; pol++)
		claim_measured(r, "%s %s %.1f to %.1f", pol ? "," : "",
			       icpp_policy_titles[pol], icpp_ful(&exact, pol),
			       icpp_ful(&trace, pol));
}

static void scan_libra_edf(struct claim_scan *scan, struct icpp_place p,
			   double least_delay, double low, double high)
{
	while (icpp_next_place(&p)) {
		double d = icpp_ful(&p, ICPP_LIBRA) - icpp_ful(&p, ICPP_EDF);

		if (p.f == ICPP_LOAD && icpp_x(&p) < least_delay)
			continue;
		claim_scan_add(scan, d, low, high, "%s", icpp_name_of(&p).text);
	}
}

void icpp_l21(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_libra_edf(
		&scan,
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_EXACT)),
		0.4, 5, ICPP_ANY);
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l22(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_libra_edf(
		&scan,
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_TRACE)),
		0.6, -1, 6);
	claim_scan_end(&scan, r, 1, "pp");
}

void icpp_l23(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p = icpp_by_default(study, ICPP_TRACE);

	claim_range(r, icpp_gap(&p), 15, ICPP_ANY, 1, "pp");
	claim_measured(r, ": LibraRisk %.1f, Libra %.1f %%",
		       icpp_ful(&p, ICPP_LIBRARISK), icpp_ful(&p, ICPP_LIBRA));
}

void icpp_l24(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_EXACT));
	struct claim_scan scan = {0};

	while (icpp_next_place(&p)) {
		bool light = p.f != ICPP_LOAD || icpp_x(&p) >= 1;
		double limit = light ? 1 : 3;

		claim_scan_add(&scan, icpp_gap(&p), -limit, limit, "%s",
			       icpp_name_of(&p).text);
	}
	claim_scan_end(&scan, r, 2, "pp");
}

void icpp_l25(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_EXACT));
	struct claim_scan scan = {0};

	while (icpp_next_place(&p)) {
		double ratio =
			icpp_sld(&p, ICPP_LIBRARISK) / icpp_sld(&p, ICPP_LIBRA);

		claim_scan_add(&scan, 100 * (ratio - 1), -3, 3, "%s",
			       icpp_name_of(&p).text);
	}
	claim_scan_end(&scan, r, 2, "%");
	p = icpp_by_default(study, ICPP_EXACT);
	claim_measured(r, "; by default Libra %.2f, LibraRisk %.2f",
		       icpp_sld(&p, ICPP_LIBRA), icpp_sld(&p, ICPP_LIBRARISK));
}

void icpp_l26(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_lower(
		&scan,
		icpp_places(study, ICPP_FIGURES_1_TO_3, (1u << ICPP_TRACE)),
		ICPP_LIBRARISK, ICPP_LIBRA, ICPP_BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

/* Where EDF's jobs wait longest, of the places where it is not the lowest. */
static void explain_waiting(const struct icpp_study *s, struct claim_result *r)
{
	struct icpp_place p =
		icpp_places(s, ICPP_FIGURES_1_TO_3, ICPP_BOTH_VARIANTS);
	double most = -1, other = 0;
	struct icpp_place_name where = {""};

	while (icpp_next_place(&p)) {
		const long *cell = s->cell[p.f][p.v][p.i];
		double wait =
			study_stat(&s->study, (size_t)cell[ICPP_EDF], s->wait)
				.mean;

		if (icpp_sld(&p, ICPP_EDF) <= icpp_sld(&p, ICPP_LIBRARISK) ||
		    !(wait > most))
			continue;
		most = wait;
		other = study_stat(&s->study, (size_t)cell[ICPP_LIBRARISK],
				   s->wait)
				.mean;
		where = icpp_name_of(&p);
	}
	if (most > other)
		claim_note(r,
			   " There EDF's jobs wait in its queue, which counts "
			   "in their slowdown (%.0f s on average at %s), while "
			   "LibraRisk's start at once (%.0f s).",
			   most, where.text, other);
}

void icpp_l27(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	icpp_scan_lower(
		&scan,
		icpp_places(study, ICPP_FIGURES_1_TO_3, ICPP_BOTH_VARIANTS),
		ICPP_EDF, ICPP_LIBRARISK, 0);
	claim_scan_end(&scan, r, 2, "");
	if (r->status == CLAIM_FAIL)
		explain_waiting(study, r);
}

void icpp_l28(const struct claim *c, const void *study, struct claim_result *r)
{
	struct icpp_place exact = icpp_by_default(study, ICPP_EXACT);
	struct icpp_place trace = icpp_by_default(study, ICPP_TRACE);
	double a = icpp_sld(&exact, ICPP_EDF), b = icpp_sld(&trace, ICPP_EDF);

	claim_range(r, 100 * (b / a - 1), -10, 10, 1, "%");
	claim_measured(r, ": exact %.2f, trace %.2f", a, b);
}

void icpp_l29(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++) {
		struct icpp_place a = icpp_place_at(study, ICPP_RATIO, v, 1);
		struct icpp_place b = icpp_place_at(study, ICPP_RATIO, v, 10);
		double edf = icpp_sld(&b, ICPP_EDF) - icpp_sld(&a, ICPP_EDF);
		double libra =
			icpp_sld(&b, ICPP_LIBRA) - icpp_sld(&a, ICPP_LIBRA);

		claim_scan_add(
			&scan, edf / libra, -ICPP_ANY, nextafter(1.0 / 3, 0),
			"%s: EDF %+.1f, Libra %+.1f",
			icpp_figures[ICPP_RATIO].variant_value[v], edf, libra);
	}
	claim_scan_end(&scan, r, 2, "of Libra's rise");
}

void icpp_l30(const struct claim *c, const void *study, struct claim_result *r)
{
	struct claim_scan scan = {0};
	struct icpp_place a = icpp_place_at(study, ICPP_URGENCY, ICPP_TRACE, 0);
	struct icpp_place b =
		icpp_place_at(study, ICPP_URGENCY, ICPP_TRACE, 100);

	for (int v = 0; v < 2; v++)
		icpp_scan_slowdown(&scan, study, ICPP_URGENCY, v, ICPP_EDF, -1);
	claim_scan_end(&scan, r, 3, "per step");
	claim_measured(r, "; trace %.2f to %.2f over all",
		       icpp_sld(&a, ICPP_EDF), icpp_sld(&b, ICPP_EDF));
}

/* ---- section 6 and 4 ---- */

void icpp_l57(const struct claim *c, const void *study, struct claim_result *r)
{
	static const char *const parts[] = {"L23", "L35", "L38", "L42", "L51"};
	size_t bad = 0;

	for (size_t k = 0; k < 5; k++)
		for (size_t i = 0; i < ICPP_NCLAIMS; i++) {
			struct claim_result part = {0};

			if (strcmp(icpp_claims[i].id, parts[k]) != 0)
				continue;
			icpp_claims[i].check(&icpp_claims[i], study, &part);
			claim_measured(r, "%s%s %s", k ? ", " : "", parts[k],
				       claim_status_name(part.status));
			bad += part.status != CLAIM_PASS;
		}
	claim_verdict(r, bad == 0);
	if (bad)
		claim_note(r, "%zu of the five claims it rests on fail.", bad);
}

/* EDF without and with its admission test. */
struct no_admission {
	double without, with;
};

static struct no_admission no_admission(const struct icpp_study *s, int v,
					bool all_urgent)
{
	struct icpp_place p =
		icpp_place_at(s, ICPP_URGENCY, v, all_urgent ? 100 : 20);
	size_t cell = (size_t)s->no_admission_cell[v][all_urgent];

	return (struct no_admission){
		.without = study_stat(&s->study, cell, s->fulfilled).mean,
		.with = icpp_ful(&p, ICPP_EDF),
	};
}

void icpp_l58(const struct claim *c, const void *study, struct claim_result *r)
{
	const struct icpp_study *s = study;
	struct no_admission some, all, exact;
	double ratio[2];

	if (!s->no_admission) {
		r->status = CLAIM_INFO;
		claim_measured(r, "not run: this EDF cannot do without");
		return;
	}
	some = no_admission(s, ICPP_TRACE, false);
	all = no_admission(s, ICPP_TRACE, true);
	exact = no_admission(s, ICPP_EXACT, false);
	ratio[0] = some.without / some.with;
	ratio[1] = all.without / all.with;
	claim_measured(r,
		       "20 %% urgent: %.1f against %.1f %% (x %.2f); 100 %%: "
		       "%.1f against %.1f %% (x %.2f)",
		       some.without, some.with, ratio[0], all.without, all.with,
		       ratio[1]);
	claim_verdict(r, ratio[0] <= 0.7 && ratio[1] < ratio[0]);
	if (!(ratio[0] <= 0.7))
		claim_note(r,
			   "At 20 %% urgent EDF fulfils %.2f times as many "
			   "without its test (%.2f with exact estimates): it "
			   "then also starts the jobs whose estimates are too "
			   "long for their deadlines, %.1f %% of all.",
			   ratio[0], exact.without / exact.with,
			   s->jobs.beyond_pct);
	claim_note(r, "%sShort deadlines %s.", r->note[0] ? " " : "",
		   ratio[1] < ratio[0] ? "make it worse, as claimed"
				       : "do not make it worse");
}

void icpp_l59(const struct claim *c, const void *study, struct claim_result *r)
{
	const struct icpp_study *s = study;
	struct icpp_place p = icpp_place_at(s, ICPP_LOAD, ICPP_TRACE, 0.1);

	r->status = CLAIM_INFO;
	claim_measured(r, "at arrival delay 0.1, trace");
	for (int pol = 0; pol < ICPP_NPOLICIES; pol++)
		claim_measured(
			r, "%s %s fulfils %.1f %% after a mean wait of %.0f s",
			pol ? "," : ":", icpp_policy_titles[pol],
			icpp_ful(&p, pol),
			study_stat(&s->study,
				   (size_t)s->cell[p.f][p.v][p.i][pol], s->wait)
				.mean);
	claim_note(r, "EDF decides when processors are free, among all jobs "
		      "that wait; the others decide at submission.");
}
