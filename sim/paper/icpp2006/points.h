/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.h - the points of the LibraRisk paper's figures, and scans
 * over them.
 *
 * For the files that judge the paper's claims.  Values are means over the
 * seeds.  A scan adds one row for each point to a claim's, see claims.h.
 */
#ifndef SIM_ICPP2006_PLACES_H
#define SIM_ICPP2006_PLACES_H

#include <float.h>
#include <math.h>

#include "sim/paper/icpp2006/experiment.h"

/* Bounds for "more than nothing" and for no bound. */
#define ICPP_ABOVE_0 DBL_MIN
#define ICPP_BELOW_0 (-DBL_MIN)
#define ICPP_ANY     INFINITY

#define ICPP_FIGURES_1_TO_3                                                    \
	(1u << ICPP_LOAD | 1u << ICPP_RATIO | 1u << ICPP_URGENCY)
#define ICPP_BOTH_VARIANTS (1u << ICPP_EXACT | 1u << ICPP_TRACE)

/* Runs over all points of some figures and variants. */
struct icpp_place {
	const struct icpp_study *study;
	unsigned figures, variants;
	int f, v;
	size_t i;
	bool begun;
};

/* Such as "delay 0.4, trace". */
struct icpp_place_name {
	char text[48];
};

/* A value of a policy there: icpp_ful() or icpp_sld(). */
typedef double icpp_metric_f(const struct icpp_place *p,
			     enum icpp_policy policy);

/* All points of some figures and variants (bit masks). */
struct icpp_place icpp_places(const struct icpp_study *s, unsigned figures,
			      unsigned variants);

/* Result: false behind the last one. */
bool icpp_next_place(struct icpp_place *p);

/* The swept value there. */
double icpp_x(const struct icpp_place *p);

/* Fulfilled in %, and mean slowdown, of a policy. */
double icpp_ful(const struct icpp_place *p, enum icpp_policy policy);
double icpp_sld(const struct icpp_place *p, enum icpp_policy policy);

struct icpp_place_name icpp_name_of(const struct icpp_place *p);

/* The point of a figure where the swept value is x. */
struct icpp_place icpp_place_at(const struct icpp_study *s,
				enum icpp_figure_id f, int variant, double x);

/* The default point, with the log's estimates or exact ones. */
struct icpp_place icpp_by_default(const struct icpp_study *s, int variant);

/* How many percentage points more LibraRisk fulfils than Libra. */
double icpp_gap(const struct icpp_place *p);

/* The same, with the log's estimates. */
double icpp_gap_at(const struct icpp_study *s, enum icpp_figure_id f, double x);

/* How much lower LibraRisk's slowdown is, with the log's estimates. */
double icpp_lead_at(const struct icpp_study *s, enum icpp_figure_id f,
		    double x);

/* Along x the metric must change by at least low and at most high per step, for
 * all variants and policies.
 */
void icpp_scan_all_steps(struct claim_scan *scan, const struct icpp_study *s,
			 enum icpp_figure_id f, icpp_metric_f *metric,
			 double low, double high);

/* Slowdowns must rise (sign 1) or fall (-1) at every step along x, but for what
 * the choice of seeds makes of it.
 */
void icpp_scan_slowdown(struct claim_scan *scan, const struct icpp_study *s,
			enum icpp_figure_id f, int v, enum icpp_policy policy,
			int sign);

/* The same, for all variants and policies. */
void icpp_scan_all_slowdowns(struct claim_scan *scan,
			     const struct icpp_study *s, enum icpp_figure_id f,
			     int sign);

/* One policy's slowdown less another's is at most limit. */
void icpp_scan_lower(struct claim_scan *scan, struct icpp_place p,
		     enum icpp_policy lower, enum icpp_policy upper,
		     double limit);

#endif
