/* SPDX-License-Identifier: GPL-2.0-or-later */
/* points.c - points of the figures, and scans over them. */
#include "sim/paper/icpp2006/points.h"

struct icpp_place icpp_places(const struct icpp_study *s, unsigned figures,
			      unsigned variants)
{
	return (struct icpp_place){
		.study = s, .figures = figures, .variants = variants};
}

bool icpp_next_place(struct icpp_place *p)
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

double icpp_x(const struct icpp_place *p)
{
	return icpp_figures[p->f].x[p->i];
}

double icpp_ful(const struct icpp_place *p, enum icpp_policy policy)
{
	return icpp_fulfilled(p->study, p->f, p->v, p->i, policy);
}

double icpp_sld(const struct icpp_place *p, enum icpp_policy policy)
{
	return icpp_slowdown(p->study, p->f, p->v, p->i, policy);
}

struct icpp_place_name icpp_name_of(const struct icpp_place *p)
{
	const struct icpp_figure *f = &icpp_figures[p->f];
	struct icpp_place_name name;

	snprintf(name.text, sizeof(name.text), "%s %g, %s%s", f->short_x,
		 icpp_x(p), f->variant_value[p->v],
		 p->f == ICPP_INACCURACY ? " % urgent" : "");
	return name;
}

struct icpp_place icpp_place_at(const struct icpp_study *s,
				enum icpp_figure_id f, int variant, double x)
{
	struct icpp_place p = {.study = s, .f = f, .v = variant};

	p.i = icpp_at(f, x);
	return p;
}

struct icpp_place icpp_by_default(const struct icpp_study *s, int variant)
{
	return icpp_place_at(s, ICPP_LOAD, variant, 1);
}

double icpp_gap(const struct icpp_place *p)
{
	return icpp_ful(p, ICPP_LIBRARISK) - icpp_ful(p, ICPP_LIBRA);
}

double icpp_gap_at(const struct icpp_study *s, enum icpp_figure_id f, double x)
{
	struct icpp_place p = icpp_place_at(s, f, ICPP_TRACE, x);

	return icpp_gap(&p);
}

double icpp_lead_at(const struct icpp_study *s, enum icpp_figure_id f, double x)
{
	struct icpp_place p = icpp_place_at(s, f, ICPP_TRACE, x);

	return icpp_sld(&p, ICPP_LIBRA) - icpp_sld(&p, ICPP_LIBRARISK);
}

/* One curve. */
static void scan_steps(struct claim_scan *scan, const struct icpp_study *s,
		       enum icpp_figure_id f, int v, enum icpp_policy policy,
		       icpp_metric_f *metric, double low, double high)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	for (size_t i = 1; i < figure->nx; i++) {
		struct icpp_place a = {.study = s, .f = f, .v = v, .i = i - 1};
		struct icpp_place b = {.study = s, .f = f, .v = v, .i = i};
		double from = metric(&a, policy), to = metric(&b, policy);

		claim_scan_add(scan, to - from, low, high,
			       "%s, %s %g to %g, %s: %.2f to %.2f",
			       icpp_policy_titles[policy], figure->short_x,
			       figure->x[i - 1], figure->x[i],
			       figure->variant_value[v], from, to);
	}
}

void icpp_scan_all_steps(struct claim_scan *scan, const struct icpp_study *s,
			 enum icpp_figure_id f, icpp_metric_f *metric,
			 double low, double high)
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

void icpp_scan_slowdown(struct claim_scan *scan, const struct icpp_study *s,
			enum icpp_figure_id f, int v, enum icpp_policy policy,
			int sign)
{
	const struct icpp_figure *figure = &icpp_figures[f];

	for (size_t i = 1; i < figure->nx; i++) {
		double wrong = noise(s, f, v, i, policy);
		struct icpp_place a = {.study = s, .f = f, .v = v, .i = i - 1};
		struct icpp_place b = {.study = s, .f = f, .v = v, .i = i};
		double from = icpp_sld(&a, policy), to = icpp_sld(&b, policy);

		claim_scan_add(scan, to - from, sign > 0 ? -wrong : -ICPP_ANY,
			       sign > 0 ? ICPP_ANY : wrong,
			       "%s, %s %g to %g, %s: %.2f to %.2f (noise %.2f)",
			       icpp_policy_titles[policy], figure->short_x,
			       figure->x[i - 1], figure->x[i],
			       figure->variant_value[v], from, to, wrong);
	}
}

void icpp_scan_all_slowdowns(struct claim_scan *scan,
			     const struct icpp_study *s, enum icpp_figure_id f,
			     int sign)
{
	for (int v = 0; v < 2; v++)
		for (int p = 0; p < ICPP_NPOLICIES; p++)
			icpp_scan_slowdown(scan, s, f, v, p, sign);
}

void icpp_scan_lower(struct claim_scan *scan, struct icpp_place p,
		     enum icpp_policy lower, enum icpp_policy upper,
		     double limit)
{
	while (icpp_next_place(&p)) {
		double a = icpp_sld(&p, lower), b = icpp_sld(&p, upper);

		claim_scan_add(scan, a - b, -ICPP_ANY, limit, "%s: %.2f, %.2f",
			       icpp_name_of(&p).text, a, b);
	}
}
