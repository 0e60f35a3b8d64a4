/* SPDX-License-Identifier: GPL-2.0-or-later */
/* points.c - the market paper: its designs, and their values by name. */
#include <math.h>
#include <string.h>

#include "sim/paper/ccgrid2008/experiment.h"

#define N(v)	   DESIGN_NUMBER(v)
#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define LEVELS(of) DESIGN_LEVELS(of)

static const struct design_level configs[CC_NCONFIGS] = {
	L("pareto-low", "Pareto, low load", 1),
	L("pareto-high", "Pareto, high load", 2),
	L("equal", "equal, high load", 3),
	L("normal", "normal, high load", 4),
};
static const struct design_level models[CC_NMODELS] = {
	L("BE", "BE", 0), L("SAC", "SAC", 1), L("CAC", "CAC", 2),
	L("RAC", "RAC", 3)};

/* As in struct cc_metric; titles say what they are. */
static const struct design_level metrics[CC_NMETRICS] = {
	L("violations", "not fulfilled of the admitted jobs", 0),
	L("utilization", "CPU time used of all until the last end", 1),
	L("rejections", "rejected of the submitted jobs", 2),
	L("correlation", "of the price with best effort's", 3),
	L("efficiency_inelastic",
	  "sum of utilities / that of the optimum, alpha 1", 4),
	L("efficiency_elastic", "the same, alpha 0", 5),
	L("ratio_inelastic",
	  "utility / value, mean of the jobs in the optimum, alpha 1", 6),
	L("ratio_elastic", "the same, alpha 0", 7),
	L("pw", "fulfilled of the admitted jobs", 8),
	L("pa", "admitted of the submitted jobs", 9),
	L("pd", "part of the work done, mean of the admitted jobs", 10),
	L("q", "price / value, mean of the admitted jobs", 11),
	L("optimum_gap", "(bound - optimum) / bound: its greatest error", 12),
};

/* The weight of inelastic utility. */
static const struct design_level alphas[] = {
	L("0.0", NULL, 0),   L("0.1", NULL, 0.1), L("0.2", NULL, 0.2),
	L("0.3", NULL, 0.3), L("0.4", NULL, 0.4), L("0.5", NULL, 0.5),
	L("0.6", NULL, 0.6), L("0.7", NULL, 0.7), L("0.8", NULL, 0.8),
	L("0.9", NULL, 0.9), L("1.0", NULL, 1)};

/* Pairs of table 2; the title is the first, param the second. */
static const struct design_level pairs[] = {
	{"BE/SAC", "BE", CC_BE * 10 + CC_SAC, "SAC"},
	{"BE/CAC", "BE", CC_BE * 10 + CC_CAC, "CAC"},
	{"SAC/CAC", "SAC", CC_SAC * 10 + CC_CAC, "CAC"}};
static const struct design_level tested[] = {
	L("violations", NULL, CC_VIOLATIONS),
	L("utilization", NULL, CC_UTILIZATION)};
static const double paper_t[3][2][CC_NCONFIGS] = {
	{{2.48, 2.08, 2.82, 3.94}, {4.52, 1.67, 2.06, 1.79}},
	{{2.99, 4.90, 4.39, 7.09}, {6.30, 2.05, 3.33, 3.74}},
	{{1.71, 3.25, 2.20, 5.91}, {2.35, 0.72, 1.89, 2.60}},
};

static const struct design_level sizes[] = {N(8),  N(16),  N(32),
					    N(64), N(128), N(256)};
static const struct design_level workload_models[] = {
	L("hypweib", NULL, 0), L("polylin", NULL, 1), L("binbin", NULL, 2)};

#define FACTOR(name, of) DESIGN_FACTOR(name, name, LEVELS(of))
#define RUN                                                                    \
	FACTOR("configuration", configs), FACTOR("model", models),             \
		FACTOR("options", cc_readings)

static const struct design_factor market_factors[] = {RUN};
static const struct design_factor metric_factors[] = {
	RUN, FACTOR("metric", metrics)};
static const struct design_factor efficiency_factors[] = {
	RUN, FACTOR("alpha", alphas)};
static const struct design_factor t_factors[] = {
	FACTOR("pair", pairs), FACTOR("metric", tested),
	FACTOR("configuration", configs), FACTOR("options", cc_readings)};
static const struct design_factor reading_factors[] = {
	FACTOR("options", cc_readings)};
static const struct design_factor case_factors[] = {FACTOR("case", cc_cases)};
static const struct design_factor fit_factors[] = {
	FACTOR("sample", cc_samples)};
static const struct design_factor model_factors[] = {
	FACTOR("model", workload_models)};
static const struct design_factor size_factors[] = {FACTOR("size", sizes)};

/* ---- repetitions ---- */

static const struct cc_runs *runs_at(const void *owner,
				     const struct design_place *p)
{
	const struct cc_study *s = owner;

	return &s->runs[p->level[design_factor(p, "options")]];
}

/* Are there any with these options? */
static bool are_there(const void *owner, const struct design_place *p)
{
	return runs_at(owner, p)->nseeds > 0;
}

static size_t fill_metric(const struct cc_runs *r, const struct design_place *p,
			  size_t metric, double *values)
{
	memcpy(values, cc_value(r, p->level[0], p->level[1], metric, 0),
	       r->nseeds * sizeof(*values));
	return r->nseeds;
}

/* By the sum of utilities, or by the mean of ratios if that is asked for. */
static size_t efficiency_metric(const struct cc_runs *r, bool inelastic)
{
	if (r->options[MARKET_RATIOS] != 0)
		return inelastic ? CC_RATIO_INELASTIC : CC_RATIO_ELASTIC;
	return inelastic ? CC_INELASTIC : CC_ELASTIC;
}

static void fill_efficiency(const struct cc_runs *r,
			    const struct design_place *p, double alpha,
			    double *values)
{
	const double *inelastic = cc_value(r, p->level[0], p->level[1],
					   efficiency_metric(r, true), 0);
	const double *elastic = cc_value(r, p->level[0], p->level[1],
					 efficiency_metric(r, false), 0);

	for (size_t i = 0; i < r->nseeds; i++)
		values[i] = alpha * inelastic[i] + (1 - alpha) * elastic[i];
}

/* All metrics; eff1, eff0 and eff: the mean efficiency at alpha 1, 0, 1/2. */
static size_t market_values(const void *owner, const struct design_place *p,
			    const char *column, double *values)
{
	const struct cc_runs *r = runs_at(owner, p);
	double alpha = column[3] == '1' ? 1 : column[3] == '0' ? 0 : 0.5;
	double inelastic;

	for (size_t m = 0; m < CC_NMETRICS; m++)
		if (strcmp(column, metrics[m].name) == 0)
			return fill_metric(r, p, m, values);
	if (strncmp(column, "eff", 3) != 0)
		return 0;
	fill_metric(r, p, efficiency_metric(r, true), values);
	inelastic = study_stat_of(values, r->nseeds).mean;
	fill_metric(r, p, efficiency_metric(r, false), values);
	*values = alpha * inelastic +
		  (1 - alpha) * study_stat_of(values, r->nseeds).mean;
	return 1;
}

/* mean, sd, ci95 (half of the interval) and count of the values. */
static size_t summary_of(const char *column, double *values, size_t n)
{
	struct study_stat stat = study_stat_of(values, n);

	if (strcmp(column, "mean") == 0)
		values[0] = stat.mean;
	else if (strcmp(column, "sd") == 0)
		values[0] = stat.sd;
	else if (strcmp(column, "count") == 0)
		values[0] = (double)stat.n;
	else if (strcmp(column, "ci95") != 0)
		return 0;
	else if (stat.n < 2)
		values[0] = NAN;
	else
		values[0] = gof_t_critical(0.05, (double)stat.n - 1, true) *
			    stat.sd / sqrt((double)stat.n);
	return 1;
}

/* The first five seeds, or as many as there are. */
static size_t first_five(const struct cc_runs *r)
{
	return r->nseeds < CC_PAPER_SEEDS ? r->nseeds : CC_PAPER_SEEDS;
}

/* value, and its summaries; first5_... those of the first five seeds. */
static size_t summary_values(const void *owner, const struct design_place *p,
			     const char *column, double *values)
{
	const struct cc_runs *r = runs_at(owner, p);
	bool five = strncmp(column, "first5_", 7) == 0;

	if (strcmp(p->design->name, "metrics") == 0)
		fill_metric(r, p, p->level[3], values);
	else
		fill_efficiency(r, p, design_number(p, 3), values);
	if (strcmp(column, "value") == 0)
		return r->nseeds;
	return summary_of(column + (five ? 7 : 0), values,
			  five ? first_five(r) : r->nseeds);
}

/* Paired t of the first n seeds; NAN if there is none. */
static double paired_t(const struct cc_runs *r, const struct design_place *p,
		       size_t n)
{
	size_t pair = (size_t)design_number(p, 0), config = p->level[2];
	size_t metric = (size_t)design_number(p, 1);
	struct gof_t t;

	if (gof_t_paired(cc_value(r, config, pair / 10, metric, 0),
			 cc_value(r, config, pair % 10, metric, 0), n, &t,
			 NULL) < 0)
		return NAN;
	return t.t;
}

/* t_paper, and t_... and above one-sided and two-sided critical values at 5 %,
 * of the first five seeds and of all.
 */
static size_t t_values(const void *owner, const struct design_place *p,
		       const char *column, double *value)
{
	const struct cc_runs *r = runs_at(owner, p);
	size_t n = strstr(column, "all") ? r->nseeds : first_five(r);

	if (strcmp(column, "t_paper") == 0)
		*value = paper_t[p->level[0]][p->level[1]][p->level[2]];
	else if (column[0] == 't')
		*value = paired_t(r, p, n);
	else if (strncmp(column, "critical_", 9) == 0)
		*value = gof_t_critical(0.05, (double)n - 1,
					strstr(column, "two") != NULL);
	else
		return 0;
	return 1;
}

#define DERIVED .derived = true, .values
#define MARKET	.there = are_there, DERIVED

const struct design cc_designs[CC_NDESIGNS] = {
	{DESIGN("market", market_factors), MARKET = market_values},
	{DESIGN("metrics", metric_factors), MARKET = summary_values},
	{DESIGN("efficiency", efficiency_factors), MARKET = summary_values},
	{DESIGN("t", t_factors), MARKET = t_values},
	/* Texts alone are made of it. */
	{DESIGN("readings", reading_factors), .there = are_there,
	 .derived = true},
	{DESIGN("cases", case_factors), DERIVED = cc_case_values},
	{DESIGN("fit", fit_factors), DERIVED = cc_fit_values},
	{DESIGN("models", model_factors), DERIVED = cc_model_values},
	{DESIGN("sizes", size_factors), DERIVED = cc_size_values},
};
