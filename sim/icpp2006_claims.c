/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * icpp2006_claims.c - the paper's claims about results (L20 to L59), and the
 * table of all of its claims.  Values are means over the seeds; pp stands for
 * percentage points.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/icpp2006.h"

/* Bounds for "more than nothing" and for no bound. */
#define ABOVE_0 DBL_MIN
#define BELOW_0 (-DBL_MIN)
#define ANY	INFINITY

/* Means over seeds are not monotone to the digit, however clear the trend. */
#define FALLS "falls at every step, up to 2 s.e. of the seeds' own changes"
#define RISES "rises at every step, up to 2 s.e. of the seeds' own changes"

#define FIGURES_1_TO_3 (1u << ICPP_LOAD | 1u << ICPP_RATIO | 1u << ICPP_URGENCY)
#define EXACT	       (1u << ICPP_EXACT)
#define TRACE	       (1u << ICPP_TRACE)
#define BOTH	       (EXACT | TRACE)

/* ---- points of the figures ---- */

/* Runs over all points of some figures and variants. */
struct place {
	const struct icpp_study *study;
	unsigned figures, variants;
	int f, v;
	size_t i;
	bool begun;
};

static struct place places(const struct icpp_study *s, unsigned figures,
			   unsigned variants)
{
	return (struct place){
		.study = s, .figures = figures, .variants = variants};
}

static bool next_place(struct place *p)
{
	if (p->begun)
		p->i++;
	p->begun = true;
	for (; p->f < ICPP_NFIGURES; p->f++, p->v = 0, p->i = 0) {
		if (!(p->figures & 1u << p->f))
			continue;
		for (; p->v < 2; p->v++, p->i = 0)
			if ((p->variants & 1u << p->v) &&
			    p->i < icpp_figures[p->f].nx)
				return true;
	}
	return false;
}

static double at_x(const struct place *p)
{
	return icpp_figures[p->f].x[p->i];
}

static double ful(const struct place *p, enum icpp_policy policy)
{
	return icpp_fulfilled(p->study, p->f, p->v, p->i, policy);
}

static double sld(const struct place *p, enum icpp_policy policy)
{
	return icpp_slowdown(p->study, p->f, p->v, p->i, policy);
}

/* "delay 0.4, trace" */
struct place_name {
	char text[48];
};

static struct place_name name_of(const struct place *p)
{
	const struct icpp_figure *f = &icpp_figures[p->f];
	struct place_name name;

	snprintf(name.text, sizeof(name.text), "%s %g, %s%s", f->short_x,
		 at_x(p), f->variant_value[p->v],
		 p->f == ICPP_INACCURACY ? " % urgent" : "");
	return name;
}

static struct place place_at(const struct icpp_study *s, enum icpp_figure_id f,
			     int variant, double x)
{
	struct place p = {.study = s, .f = f, .v = variant};

	p.i = icpp_at(f, x);
	return p;
}

/* The default point, with the log's estimates or exact ones. */
static struct place by_default(const struct icpp_study *s, int variant)
{
	return place_at(s, ICPP_LOAD, variant, 1);
}

static double gap(const struct place *p)
{
	return ful(p, ICPP_LIBRARISK) - ful(p, ICPP_LIBRA);
}

static double gap_at(const struct icpp_study *s, enum icpp_figure_id f,
		     double x)
{
	struct place p = place_at(s, f, ICPP_TRACE, x);

	return gap(&p);
}

/* How much lower LibraRisk's slowdown is, with the log's estimates. */
static double lead_at(const struct icpp_study *s, enum icpp_figure_id f,
		      double x)
{
	struct place p = place_at(s, f, ICPP_TRACE, x);

	return sld(&p, ICPP_LIBRA) - sld(&p, ICPP_LIBRARISK);
}

typedef double metric_f(const struct place *p, enum icpp_policy policy);

/* Along x the metric must change by at least low and at most high per step. */
static void scan_steps(struct claim_scan *scan, const struct icpp_study *s,
		       enum icpp_figure_id f, int v, enum icpp_policy policy,
		       metric_f *metric, double low, double high)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	for (size_t i = 1; i < figure->nx; i++) {
		struct place a = {.study = s, .f = f, .v = v, .i = i - 1};
		struct place b = {.study = s, .f = f, .v = v, .i = i};
		double from = metric(&a, policy), to = metric(&b, policy);

		claim_scan_add(scan, to - from, low, high,
			       "%s, %s %g to %g, %s: %.2f to %.2f",
			       icpp_policy_titles[policy], figure->short_x,
			       figure->x[i - 1], figure->x[i],
			       figure->variant_value[v], from, to);
	}
}

static void scan_all_steps(struct claim_scan *scan, const struct icpp_study *s,
			   enum icpp_figure_id f, metric_f *metric, double low,
			   double high)
{
	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++)
			scan_steps(scan, s, f, v, p, metric, low, high);
}

/* Two standard errors of the slowdown's change from one point to the next: each
 * seed's own change, for a seed has the same jobs at both.
 */
static double noise(const struct icpp_study *s, enum icpp_figure_id f, int v,
		    size_t i, enum icpp_policy policy)
{
	size_t a = (size_t)s->cell[f][v][i - 1][policy];
	size_t b = (size_t)s->cell[f][v][i][policy], n = s->study.nseeds;
	double sum = 0, squares = 0;

	for (size_t k = 0; k < n; k++) {
		double d = study_result(&s->study, b, k)->mean_slowdown -
			   study_result(&s->study, a, k)->mean_slowdown;

		sum += d;
		squares += d * d;
	}
	if (n < 2)
		return 0;
	return 2 * sqrt(fmax(0, squares - sum * sum / (double)n) /
			((double)(n - 1) * (double)n));
}

/* Slowdowns must rise (sign 1) or fall (-1) at every step along x, but for what
 * the choice of seeds makes of it.
 */
static void scan_slowdown(struct claim_scan *scan, const struct icpp_study *s,
			  enum icpp_figure_id f, int v, enum icpp_policy policy,
			  int sign)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	for (size_t i = 1; i < figure->nx; i++) {
		double wrong = noise(s, f, v, i, policy);
		struct place a = {.study = s, .f = f, .v = v, .i = i - 1};
		struct place b = {.study = s, .f = f, .v = v, .i = i};
		double from = sld(&a, policy), to = sld(&b, policy);

		claim_scan_add(scan, to - from, sign > 0 ? -wrong : -ANY,
			       sign > 0 ? ANY : wrong,
			       "%s, %s %g to %g, %s: %.2f to %.2f (noise %.2f)",
			       icpp_policy_titles[policy], figure->short_x,
			       figure->x[i - 1], figure->x[i],
			       figure->variant_value[v], from, to, wrong);
	}
}

static void scan_all_slowdowns(struct claim_scan *scan,
			       const struct icpp_study *s,
			       enum icpp_figure_id f, int sign)
{
	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++)
			scan_slowdown(scan, s, f, v, p, sign);
}

/* ---- section 5.1: overview ---- */

static void l20(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = places(study, FIGURES_1_TO_3, TRACE);
	struct place exact = by_default(study, ICPP_EXACT);
	struct place trace = by_default(study, ICPP_TRACE);
	struct claim_scan scan = {0};

	while (next_place(&p))
		for (int pol = 0; pol < ICPP_NPOLICIES; pol++) {
			struct place e = p;

			e.v = ICPP_EXACT;
			claim_scan_add(&scan, ful(&p, pol) - ful(&e, pol), -ANY,
				       1, "%s, %s %g", icpp_policy_titles[pol],
				       icpp_figures[p.f].short_x, at_x(&p));
		}
	claim_scan_end(&scan, r, 1, "pp");
	claim_measured(r, "; by default");
	for (int pol = 0; pol < ICPP_NPOLICIES; pol++)
		claim_measured(r, "%s %s %.1f to %.1f", pol ? "," : "",
			       icpp_policy_titles[pol], ful(&exact, pol),
			       ful(&trace, pol));
}

static void scan_libra_edf(struct claim_scan *scan, struct place p,
			   double least_delay, double low, double high)
{
	while (next_place(&p)) {
		double d = ful(&p, ICPP_LIBRA) - ful(&p, ICPP_EDF);

		if (p.f == ICPP_LOAD && at_x(&p) < least_delay)
			continue;
		claim_scan_add(scan, d, low, high, "%s", name_of(&p).text);
	}
}

static void l21(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_libra_edf(&scan, places(study, FIGURES_1_TO_3, EXACT), 0.4, 5,
		       ANY);
	claim_scan_end(&scan, r, 1, "pp");
}

static void l22(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_libra_edf(&scan, places(study, FIGURES_1_TO_3, TRACE), 0.6, -1, 6);
	claim_scan_end(&scan, r, 1, "pp");
}

static void l23(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = by_default(study, ICPP_TRACE);

	claim_range(r, gap(&p), 15, ANY, 1, "pp");
	claim_measured(r, ": LibraRisk %.1f, Libra %.1f %%",
		       ful(&p, ICPP_LIBRARISK), ful(&p, ICPP_LIBRA));
}

static void l24(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = places(study, FIGURES_1_TO_3, EXACT);
	struct claim_scan scan = {0};

	while (next_place(&p)) {
		bool light = p.f != ICPP_LOAD || at_x(&p) >= 1;
		double limit = light ? 1 : 3;

		claim_scan_add(&scan, gap(&p), -limit, limit, "%s",
			       name_of(&p).text);
	}
	claim_scan_end(&scan, r, 2, "pp");
}

static void l25(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = places(study, FIGURES_1_TO_3, EXACT);
	struct claim_scan scan = {0};

	while (next_place(&p)) {
		double ratio = sld(&p, ICPP_LIBRARISK) / sld(&p, ICPP_LIBRA);

		claim_scan_add(&scan, 100 * (ratio - 1), -3, 3, "%s",
			       name_of(&p).text);
	}
	claim_scan_end(&scan, r, 2, "%");
	p = by_default(study, ICPP_EXACT);
	claim_measured(r, "; by default Libra %.2f, LibraRisk %.2f",
		       sld(&p, ICPP_LIBRA), sld(&p, ICPP_LIBRARISK));
}

static void scan_lower_slowdown(struct claim_scan *scan, struct place p,
				enum icpp_policy lower, enum icpp_policy upper,
				double limit)
{
	while (next_place(&p)) {
		double a = sld(&p, lower), b = sld(&p, upper);

		claim_scan_add(scan, a - b, -ANY, limit, "%s: %.2f, %.2f",
			       name_of(&p).text, a, b);
	}
}

static void l26(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_lower_slowdown(&scan, places(study, FIGURES_1_TO_3, TRACE),
			    ICPP_LIBRARISK, ICPP_LIBRA, BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

/* Where EDF's jobs wait longest, of the places where it is not the lowest. */
static void explain_waiting(const struct icpp_study *s, struct claim_result *r)
{
	struct place p = places(s, FIGURES_1_TO_3, BOTH);
	double most = -1, other = 0;
	struct place_name where = {""};

	while (next_place(&p)) {
		const long *cell = s->cell[p.f][p.v][p.i];
		double wait =
			study_stat(&s->study, (size_t)cell[ICPP_EDF], s->wait)
				.mean;

		if (sld(&p, ICPP_EDF) <= sld(&p, ICPP_LIBRARISK) ||
		    !(wait > most))
			continue;
		most = wait;
		other = study_stat(&s->study, (size_t)cell[ICPP_LIBRARISK],
				   s->wait)
				.mean;
		where = name_of(&p);
	}
	if (most > other)
		claim_note(r,
			   " There EDF's jobs wait in its queue, which counts "
			   "in their slowdown (%.0f s on average at %s), while "
			   "LibraRisk's start at once (%.0f s).",
			   most, where.text, other);
}

static void l27(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_lower_slowdown(&scan, places(study, FIGURES_1_TO_3, BOTH),
			    ICPP_EDF, ICPP_LIBRARISK, 0);
	claim_scan_end(&scan, r, 2, "");
	if (r->status == CLAIM_FAIL)
		explain_waiting(study, r);
}

static void l28(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place exact = by_default(study, ICPP_EXACT);
	struct place trace = by_default(study, ICPP_TRACE);
	double a = sld(&exact, ICPP_EDF), b = sld(&trace, ICPP_EDF);

	claim_range(r, 100 * (b / a - 1), -10, 10, 1, "%");
	claim_measured(r, ": exact %.2f, trace %.2f", a, b);
}

static void l29(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++) {
		struct place a = place_at(study, ICPP_RATIO, v, 1);
		struct place b = place_at(study, ICPP_RATIO, v, 10);
		double edf = sld(&b, ICPP_EDF) - sld(&a, ICPP_EDF);
		double libra = sld(&b, ICPP_LIBRA) - sld(&a, ICPP_LIBRA);

		claim_scan_add(&scan, edf / libra, -ANY, nextafter(1.0 / 3, 0),
			       "%s: EDF %+.1f, Libra %+.1f",
			       icpp_figures[ICPP_RATIO].variant_value[v], edf,
			       libra);
	}
	claim_scan_end(&scan, r, 2, "of Libra's rise");
}

static void l30(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};
	struct place a = place_at(study, ICPP_URGENCY, ICPP_TRACE, 0);
	struct place b = place_at(study, ICPP_URGENCY, ICPP_TRACE, 100);

	for (int v = 0; v < 2; v++)
		scan_slowdown(&scan, study, ICPP_URGENCY, v, ICPP_EDF, -1);
	claim_scan_end(&scan, r, 3, "per step");
	claim_measured(r, "; trace %.2f to %.2f over all", sld(&a, ICPP_EDF),
		       sld(&b, ICPP_EDF));
}

/* ---- section 5.2: workload ---- */

static void l31(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const double delays[] = {0.1, 0.5, 1};
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++)
			for (int k = 1; k < 3; k++) {
				struct place a = place_at(study, ICPP_LOAD, v,
							  delays[k - 1]);
				struct place b = place_at(study, ICPP_LOAD, v,
							  delays[k]);

				claim_scan_add(&scan, ful(&b, p) - ful(&a, p),
					       ABOVE_0, ANY, "%s, %s to %g",
					       icpp_policy_titles[p],
					       name_of(&a).text, delays[k]);
			}
	scan_all_steps(&scan, study, ICPP_LOAD, ful, -2, ANY);
	claim_scan_end(&scan, r, 1, "pp per step");
}

static void l32(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++) {
			struct place a = place_at(study, ICPP_LOAD, v, 0.1);
			struct place b = place_at(study, ICPP_LOAD, v, 1);

			claim_scan_add(&scan, sld(&b, p) - sld(&a, p), -ANY,
				       BELOW_0, "%s, %s: %.2f to %.2f",
				       icpp_policy_titles[p],
				       icpp_figures[ICPP_LOAD].variant_value[v],
				       sld(&a, p), sld(&b, p));
		}
	claim_scan_end(&scan, r, 2, "");
}

/* The arrival delay from which on another policy is above EDF, by straight
 * lines between the points.  Result: NAN if it never is or always was.
 */
static double overtakes_at(const struct icpp_study *s, int v,
			   enum icpp_policy other)
{
	struct place p = places(s, 1u << ICPP_LOAD, 1u << v);
	double x0 = NAN, d0 = NAN, found = NAN;

	while (next_place(&p)) {
		double d = ful(&p, other) - ful(&p, ICPP_EDF);

		if (d0 <= 0 && d > 0)
			found = x0 + (at_x(&p) - x0) * -d0 / (d - d0);
		x0 = at_x(&p);
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
			struct place p = place_at(s, ICPP_LOAD, v, delays[k]);

			for (int o = ICPP_LIBRA; o < ICPP_NPOLICIES; o++)
				claim_scan_add(
					scan, ful(&p, ICPP_EDF) - ful(&p, o),
					above ? ABOVE_0 : -ANY,
					above ? ANY : BELOW_0,
					"%s: EDF %.1f, %s %.1f",
					name_of(&p).text, ful(&p, ICPP_EDF),
					icpp_policy_titles[o], ful(&p, o));
		}
}

static void l33(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const double delays[] = {0.02, 0.1, 0.2, 0.25};
	struct claim_scan scan = {0};

	scan_edf_against(&scan, study, delays, 4, true);
	claim_scan_end(&scan, r, 1, "pp");
	if (r->status == CLAIM_FAIL)
		tell_crossings(study, r);
}

static void l34(const struct claim *c, const void *study,
		struct claim_result *r)
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

static void l35(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const double delays[] = {0.5, 0.75, 1};
	double fulfilled[3], slowdown[3];

	for (int k = 0; k < 3; k++) {
		fulfilled[k] = gap_at(study, ICPP_LOAD, delays[k]);
		slowdown[k] = lead_at(study, ICPP_LOAD, delays[k]);
	}
	rising(r, "lead in pp", fulfilled, 3, 1);
	rising(r, "lead in slowdown", slowdown, 3, 2);
}

/* ---- section 5.3: deadline high:low ratio ---- */

static void l36(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_all_steps(&scan, study, ICPP_RATIO, ful, -1, ANY);
	claim_scan_end(&scan, r, 1, "pp per step");
}

static void l37(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_all_slowdowns(&scan, study, ICPP_RATIO, 1);
	claim_scan_end(&scan, r, 2, "per step");
}

static void l38(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = places(study, 1u << ICPP_RATIO, TRACE);
	double g1 = gap_at(study, ICPP_RATIO, 1);
	double g4 = gap_at(study, ICPP_RATIO, 4);
	double g10 = gap_at(study, ICPP_RATIO, 10);
	struct claim_scan scan = {0};

	while (next_place(&p))
		claim_scan_add(&scan, gap(&p), ABOVE_0, ANY, "%s",
			       name_of(&p).text);
	claim_scan_end(&scan, r, 1, "pp");
	claim_measured(r, "; at 1, 4, 10: %.1f, %.1f, %.1f", g1, g4, g10);
	if (g1 > g4 && g4 >= g10)
		return;
	claim_verdict(r, false);
	claim_note(r, "%sThe lead is not largest at small ratios.",
		   r->note[0] ? " " : "");
}

static void l39(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const double ratios[] = {1, 4, 10};
	double lead[3];

	for (int k = 0; k < 3; k++)
		lead[k] = lead_at(study, ICPP_RATIO, ratios[k]);
	rising(r, "lead in slowdown", lead, 3, 2);
}

/* ---- section 5.4: high urgency jobs ---- */

/* How much is lost from no urgent job to all urgent. */
static double loss(const struct icpp_study *s, int v, enum icpp_policy p)
{
	struct place a = place_at(s, ICPP_URGENCY, v, 0);
	struct place b = place_at(s, ICPP_URGENCY, v, 100);

	return ful(&a, p) - ful(&b, p);
}

static void scan_loss(struct claim_scan *scan, const struct icpp_study *s,
		      int v, enum icpp_policy p, double least)
{
	struct place a = place_at(s, ICPP_URGENCY, v, 0);
	struct place b = place_at(s, ICPP_URGENCY, v, 100);

	claim_scan_add(scan, -loss(s, v, p), -ANY, -least,
		       "%s, %s: %.1f to %.1f", icpp_policy_titles[p],
		       icpp_figures[ICPP_URGENCY].variant_value[v], ful(&a, p),
		       ful(&b, p));
}

static void l40(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int p = 0; p < ICPP_NPOLICIES; p++)
		scan_loss(&scan, study, ICPP_EXACT, p, ABOVE_0);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_EDF, ABOVE_0);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_LIBRA, ABOVE_0);
	claim_scan_end(&scan, r, 1, "pp");
}

static void l41(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_all_slowdowns(&scan, study, ICPP_URGENCY, -1);
	claim_scan_end(&scan, r, 3, "per step");
}

static void l42(const struct claim *c, const void *study,
		struct claim_result *r)
{
	claim_range(r, gap_at(study, ICPP_URGENCY, 100), 35, 45, 1, "pp");
}

static void l43(const struct claim *c, const void *study,
		struct claim_result *r)
{
	claim_range(r, gap_at(study, ICPP_URGENCY, 0), 15, 27, 1, "pp");
}

static void l44(const struct claim *c, const void *study,
		struct claim_result *r)
{
	claim_range(r,
		    gap_at(study, ICPP_URGENCY, 100) /
			    gap_at(study, ICPP_URGENCY, 0),
		    1.5, 2.4, 2, "");
}

static void l45(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place a = place_at(study, ICPP_URGENCY, ICPP_TRACE, 0);
	struct place b = place_at(study, ICPP_URGENCY, ICPP_TRACE, 100);
	double edf = loss(study, ICPP_TRACE, ICPP_EDF);
	double libra = loss(study, ICPP_TRACE, ICPP_LIBRA);
	double risk = loss(study, ICPP_TRACE, ICPP_LIBRARISK);

	claim_measured(r, "%.1f to %.1f %%", ful(&a, ICPP_LIBRARISK),
		       ful(&b, ICPP_LIBRARISK));
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

static void l46(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_loss(&scan, study, ICPP_TRACE, ICPP_EDF, 10);
	scan_loss(&scan, study, ICPP_TRACE, ICPP_LIBRA, 10);
	claim_scan_end(&scan, r, 1, "pp");
}

static void l47(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_lower_slowdown(&scan, places(study, 1u << ICPP_URGENCY, TRACE),
			    ICPP_LIBRARISK, ICPP_LIBRA, BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

/* ---- section 5.5: inaccurate estimates ---- */

/* 80 % urgent against 20 %, at every inaccuracy, for all policies. */
static void scan_80_20(struct claim_scan *scan, const struct icpp_study *s,
		       metric_f *metric, double high)
{
	struct place p = places(s, 1u << ICPP_INACCURACY, 1u << ICPP_HU80);

	while (next_place(&p))
		for (int pol = 0; pol < ICPP_NPOLICIES; pol++) {
			struct place q = p;
			double a, b;

			q.v = ICPP_HU20;
			a = metric(&q, pol);
			b = metric(&p, pol);
			claim_scan_add(scan, b - a, -ANY, high,
				       "%s, inaccuracy %g: %.2f to %.2f",
				       icpp_policy_titles[pol], at_x(&p), a, b);
		}
}

static void l48(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_80_20(&scan, study, ful, 1);
	claim_scan_end(&scan, r, 1, "pp");
}

static void l49(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_80_20(&scan, study, sld, BELOW_0);
	claim_scan_end(&scan, r, 2, "");
}

static void l50(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	scan_all_steps(&scan, study, ICPP_INACCURACY, ful, -ANY, 1);
	claim_scan_end(&scan, r, 1, "pp per step");
}

static void l51(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place p = places(study, 1u << ICPP_INACCURACY, BOTH);
	struct claim_scan scan = {0};

	while (next_place(&p)) {
		double best = fmax(ful(&p, ICPP_EDF), ful(&p, ICPP_LIBRA));

		if (at_x(&p) >= 20)
			claim_scan_add(&scan, ful(&p, ICPP_LIBRARISK) - best,
				       ABOVE_0, ANY, "%s", name_of(&p).text);
	}
	claim_scan_end(&scan, r, 1, "pp above the better of both");
}

static void l52(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place a = place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct place b = place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);

	claim_range(r, ful(&b, ICPP_LIBRARISK) / ful(&b, ICPP_LIBRA), 1.7, 2.2,
		    2, "times Libra's");
	claim_measured(r, "; the lead at 80 %% is %.2f times that at 20 %%",
		       gap(&b) / gap(&a));
}

static void l53(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place a = place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct place b = place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);
	struct claim_scan scan = {0};

	for (int p = 0; p < ICPP_NPOLICIES; p++) {
		double d = ful(&b, p) - ful(&a, p);
		bool risk = p == ICPP_LIBRARISK;

		claim_scan_add(&scan, d, risk ? -4 : -ANY, risk ? 4 : -8,
			       "%s: %.1f to %.1f", icpp_policy_titles[p],
			       ful(&a, p), ful(&b, p));
	}
	claim_scan_end(&scan, r, 1, "pp");
}

static void l54(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++)
		for (int p = ICPP_LIBRA; p < ICPP_NPOLICIES; p++)
			scan_slowdown(&scan, study, ICPP_INACCURACY, v, p, -1);
	claim_scan_end(&scan, r, 2, "per step");
}

static void l55(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct claim_scan scan = {0};

	for (int v = 0; v < 2; v++) {
		struct place p = places(study, 1u << ICPP_INACCURACY, 1u << v);
		double least = INFINITY, most = 0;

		while (next_place(&p)) {
			double edf = sld(&p, ICPP_EDF);

			least = fmin(least, edf);
			most = fmax(most, edf);
			claim_scan_add(&scan, edf - sld(&p, ICPP_LIBRARISK),
				       -ANY, BELOW_0, "%s", name_of(&p).text);
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

static void l56(const struct claim *c, const void *study,
		struct claim_result *r)
{
	struct place a = place_at(study, ICPP_INACCURACY, ICPP_HU20, 100);
	struct place b = place_at(study, ICPP_INACCURACY, ICPP_HU80, 100);
	double x = sld(&a, ICPP_LIBRARISK) / sld(&a, ICPP_LIBRA);
	double y = sld(&b, ICPP_LIBRARISK) / sld(&b, ICPP_LIBRA);

	claim_range(r, fabs(x - y), 0, 0.15, 2, "apart");
	claim_measured(r, ": %.2f and %.2f of Libra's", x, y);
}

/* ---- section 6 and 4 ---- */

static void l57(const struct claim *c, const void *study,
		struct claim_result *r)
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
	struct place p = place_at(s, ICPP_URGENCY, v, all_urgent ? 100 : 20);
	size_t cell = (size_t)s->no_admission_cell[v][all_urgent];

	return (struct no_admission){
		.without = study_stat(&s->study, cell, s->fulfilled).mean,
		.with = ful(&p, ICPP_EDF),
	};
}

static void l58(const struct claim *c, const void *study,
		struct claim_result *r)
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

static void l59(const struct claim *c, const void *study,
		struct claim_result *r)
{
	const struct icpp_study *s = study;
	struct place p = place_at(s, ICPP_LOAD, ICPP_TRACE, 0.1);

	r->status = CLAIM_INFO;
	claim_measured(r, "at arrival delay 0.1, trace");
	for (int pol = 0; pol < ICPP_NPOLICIES; pol++)
		claim_measured(
			r, "%s %s fulfils %.1f %% after a mean wait of %.0f s",
			pol ? "," : ":", icpp_policy_titles[pol], ful(&p, pol),
			study_stat(&s->study,
				   (size_t)s->cell[p.f][p.v][p.i][pol], s->wait)
				.mean);
	claim_note(r, "EDF decides when processors are free, among all jobs "
		      "that wait; the others decide at submission.");
}

/* ---- the table ---- */

#define ALL_1_TO_3 "every point of figures 1 to 3"
#define DEFAULT	   "default point, trace"

const struct claim icpp_claims[ICPP_NCLAIMS] = {
	{"L1", "4", "The workload is the last 3000 jobs, about 2.5 months",
	 "last 3000 records of the log", "2.35 to 2.55 months of 30.4 days",
	 icpp_l1},
	{"L2", "4", "Mean inter-arrival time 2131 s",
	 "(last - first submission) / (n - 1)", "2131 s within 0.5", icpp_l2},
	{"L3", "4", "Mean run time 8880 s", "all chosen records as they stand",
	 "8880 s within 0.5", icpp_l3},
	{"L4", "4", "Jobs ask for 17 processors on average",
	 "requested processors", "17, cut or rounded", icpp_l4},
	{"L5", "4", "The machine has 128 nodes", "largest request",
	 "at most 128", icpp_l5},
	{"L6", "4", "Utilization of the log 83.2 %",
	 "whole log: work / (submission span x processors)",
	 "83.2 % within 0.5", icpp_l6},
	{"L7", "1, 5.1, 6", "Users' estimates are far off, mostly too long",
	 "chosen records with run time > 0",
	 "85 % too long or more, median ratio 2 or more", icpp_l7},
	{"L8", "4", "20 % of the jobs are of high urgency, in random order",
	 "jobs of all seeds", "20 % within 3 standard errors", icpp_l8},
	{"L9", "4",
	 "Mean deadline / run time is 4 for urgent jobs, 16 for others",
	 "jobs of all seeds, factors <= 1 drawn again",
	 "expectation within 3 standard errors", icpp_l9},
	{"L10", "4", "A high:low ratio of 8 doubles the long deadlines of 4",
	 "low urgency means", "2 within 2 %", icpp_l10},
	{"L11", "4", "A deadline is always longer than the run time",
	 "jobs of all seeds", "least factor > 1", icpp_l11},
	{"L12", "4", "An arrival delay factor of 0.1 turns 600 s into 60 s",
	 "two jobs; all jobs", "equal", icpp_l12},
	{"L13", "4", "Inaccuracy 0 % is the run time, 100 % the log's estimate",
	 "all jobs", "equal", icpp_l13},
	{"L14", "3.2",
	 "Deadline delay of (delay 20, remaining 5) is 5, of "
	 "(20, 10) 3",
	 "eq. 4", "5 and 3", icpp_l14},
	{"L15", "3.2", "The least deadline delay is 1, at no delay", "eq. 4",
	 "1", icpp_l15},
	{"L16", "3.2", "Risk is the population standard deviation",
	 "eqs 5 and 6", "equal; 0 for a single job", icpp_l16},
	{"L17", "3.1",
	 "Share = remaining run time / remaining deadline; shares "
	 "may sum to 1",
	 "eqs 1 and 2", "equal", icpp_l17},
	{"L18", "3.3", "The first zero-risk nodes in index order are taken",
	 "algorithm 1", "equal", icpp_l18},

	{"L20", "5.1",
	 "Fewer jobs are fulfilled with the log's estimates than "
	 "with exact ones",
	 ALL_1_TO_3, "trace - exact <= 1 pp", l20},
	{"L21", "5.1", "Exact estimates: Libra fulfils more than EDF",
	 "delay >= 0.4, all ratios, all urgencies", "Libra - EDF >= 5 pp", l21},
	{"L22", "5.1", "Trace estimates: Libra only just beats EDF",
	 "delay >= 0.6, all ratios, all urgencies", "Libra - EDF in [-1, 6] pp",
	 l22},
	{"L23", "5.1",
	 "Trace estimates: LibraRisk fulfils many more than Libra", DEFAULT,
	 "LibraRisk - Libra >= 15 pp", l23},
	{"L24", "5.1", "Exact estimates: LibraRisk fulfils as many as Libra",
	 ALL_1_TO_3, "within 3 pp, at arrival delay 1 within 1 pp", l24},
	{"L25", "5.1",
	 "Exact estimates: Libra and LibraRisk have the same "
	 "slowdown",
	 ALL_1_TO_3, "within 3 %", l25},
	{"L26", "5.1", "Trace estimates: LibraRisk's slowdown is below Libra's",
	 ALL_1_TO_3, "LibraRisk - Libra < 0", l26},
	{"L27", "5.1", "EDF has the lowest slowdown",
	 ALL_1_TO_3 ", both estimates", "EDF - LibraRisk <= 0", l27},
	{"L28", "5.1", "EDF's slowdown is the same with both estimates",
	 "default point", "within 10 %", l28},
	{"L29", "5.1", "EDF's slowdown grows little with the deadline ratio",
	 "ratio 1 to 10", "rise below 1/3 of Libra's", l29},
	{"L30", "5.1", "EDF's slowdown falls a little with urgent jobs",
	 "0 to 100 % urgent", FALLS, l30},
	{"L31", "5.2", "More jobs are fulfilled as the load falls",
	 "arrival delay rises, both estimates",
	 "at 1 > at 0.5 > at 0.1; no step below -2 pp", l31},
	{"L32", "5.2", "Slowdown falls as the load falls",
	 "arrival delay 0.1 to 1", "at 1 < at 0.1", l32},
	{"L33", "5.2", "Heavy load: EDF fulfils more than both others",
	 "delay 0.02, 0.1, 0.2, 0.25, both estimates", "EDF - other > 0", l33},
	{"L34", "5.2", "Light load: EDF fulfils fewer than both others",
	 "delay 0.4, 0.5, 0.6, 0.75, 1, both estimates", "EDF - other < 0",
	 l34},
	{"L35", "5.2",
	 "Trace estimates: LibraRisk's lead over Libra grows as "
	 "the load falls",
	 "delay 0.5, 0.75, 1", "fulfilled and slowdown: rising, > 0", l35},
	{"L36", "5.3", "More jobs are fulfilled with longer deadlines",
	 "ratio 1 to 10, both estimates", "no step below -1 pp", l36},
	{"L37", "5.3", "Slowdown rises with longer deadlines",
	 "ratio 1 to 10, both estimates", RISES, l37},
	{"L38", "5.3",
	 "Trace estimates: LibraRisk leads Libra at every ratio, "
	 "most at small ones",
	 "ratio 1 to 10", "lead at 1 > at 4 >= at 10 > 0", l38},
	{"L39", "5.3",
	 "Trace estimates: LibraRisk's lead in slowdown grows "
	 "with the ratio",
	 "ratio 1, 4, 10", "rising, > 0", l39},
	{"L40", "5.4", "Fewer jobs are fulfilled with more urgent ones",
	 "0 and 100 % urgent; exact: all, trace: EDF, Libra", "falls", l40},
	{"L41", "5.4", "Slowdown falls with more urgent jobs",
	 "0 to 100 % urgent, both estimates", FALLS, l41},
	{"L42", "5.4",
	 "Trace estimates, all urgent: LibraRisk completes close "
	 "to 40 % more than Libra",
	 "100 % urgent, trace", "lead in [35, 45] pp", l42},
	{"L43", "5.4", "Trace estimates, none urgent: 20 % more",
	 "0 % urgent, trace", "lead in [15, 27] pp", l43},
	{"L44", "5.4", "The former lead is twice the latter",
	 "100 and 0 % urgent, trace", "ratio in [1.5, 2.4]", l44},
	{"L45", "5.4",
	 "Trace estimates: LibraRisk fulfils more as more are "
	 "urgent",
	 "0 and 100 % urgent, trace", "at 100 >= at 0", l45},
	{"L46", "5.4",
	 "Trace estimates: EDF and Libra fulfil fewer as more "
	 "are urgent",
	 "0 to 100 % urgent, trace", "each loses 10 pp or more", l46},
	{"L47", "5.4", "Trace estimates: LibraRisk keeps its lead in slowdown",
	 "all urgencies, trace", "LibraRisk - Libra < 0", l47},
	{"L48", "5.5", "More is fulfilled with 20 % urgent jobs than with 80 %",
	 "all inaccuracies", "80 % - 20 % <= 1 pp", l48},
	{"L49", "5.5", "Slowdown is lower with 80 % urgent jobs",
	 "all inaccuracies", "80 % - 20 % < 0", l49},
	{"L50", "5.5", "Fewer jobs are fulfilled as inaccuracy grows",
	 "0 to 100 %, 20 and 80 % urgent", "no step above 1 pp", l50},
	{"L51", "5.5", "LibraRisk fulfils more than EDF and Libra",
	 "inaccuracy >= 20 %, 20 and 80 % urgent", "lead > 0", l51},
	{"L52", "5.5", "80 % urgent: LibraRisk completes about twice as many",
	 "inaccuracy 100 %", "LibraRisk / Libra in [1.7, 2.2]", l52},
	{"L53", "5.5",
	 "LibraRisk fulfils as many at 80 % urgent as at 20 %, EDF "
	 "and Libra fewer",
	 "inaccuracy 100 %", "LibraRisk within 4 pp, others -8 pp or more",
	 l53},
	{"L54", "5.5", "Slowdown of Libra and LibraRisk falls with inaccuracy",
	 "20 and 80 % urgent", FALLS, l54},
	{"L55", "5.5", "EDF's slowdown is lowest and constant",
	 "all inaccuracies, 20 and 80 % urgent",
	 "greatest / least <= 1.15; EDF - LibraRisk < 0", l55},
	{"L56", "5.5",
	 "LibraRisk improves slowdown alike at 20 and 80 % urgent",
	 "inaccuracy 100 %", "LibraRisk / Libra within 0.15", l56},
	{"L57", "6",
	 "LibraRisk is best when load is low, deadlines are short "
	 "or estimates bad",
	 "L23, L35, L38, L42, L51", "all hold", l57},
	{"L58", "4",
	 "EDF without admission control does much worse, most with "
	 "short deadlines",
	 "trace, 20 and 100 % urgent", "ratio <= 0.7, smaller at 100 %", l58},
	{"L59", "4", "EDF has the better choice and rejects less eagerly",
	 "explains L33", "reported", l59},
};
