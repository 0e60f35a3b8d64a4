/* SPDX-License-Identifier: GPL-2.0-or-later */
/* points.c - the market paper: its designs, and their values by name. */
#include <math.h>
#include <string.h>

#include "sim/paper/ccgrid2008/experiment.h"

#define N(v)	   DESIGN_NUMBER(v)
#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define LEVELS(of) DESIGN_LEVELS(of)

const struct design_level cc_configs[CC_NCONFIGS] = {
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

#define CONFIGURATION                                                          \
	{                                                                      \
		"configuration", "configuration", LEVELS(cc_configs)           \
	}
#define MODEL                                                                  \
	{                                                                      \
		"model", "model", LEVELS(models)                               \
	}

static const struct design_factor market_factors[] = {CONFIGURATION, MODEL};
static const struct design_factor metric_factors[] = {
	CONFIGURATION, MODEL, {"metric", "metric", LEVELS(metrics)}};
static const struct design_factor efficiency_factors[] = {
	CONFIGURATION, MODEL, {"alpha", "alpha", LEVELS(alphas)}};

static void fill_metric(const struct cc_study *s, const struct design_place *p,
			size_t metric, double *values)
{
	for (size_t i = 0; i < s->nseeds; i++)
		values[i] = *cc_value(s, p->level[0], p->level[1], metric, i);
}

/* By the sum of utilities, or by the mean of ratios if that is asked for. */
static size_t efficiency_metric(const struct cc_study *s, bool inelastic)
{
	if (s->options[MARKET_RATIOS] != 0)
		return inelastic ? CC_RATIO_INELASTIC : CC_RATIO_ELASTIC;
	return inelastic ? CC_INELASTIC : CC_ELASTIC;
}

static void fill_efficiency(const struct cc_study *s,
			    const struct design_place *p, double alpha,
			    double *values)
{
	const double *inelastic = cc_value(s, p->level[0], p->level[1],
					   efficiency_metric(s, true), 0);
	const double *elastic = cc_value(s, p->level[0], p->level[1],
					 efficiency_metric(s, false), 0);

	for (size_t i = 0; i < s->nseeds; i++)
		values[i] = alpha * inelastic[i] + (1 - alpha) * elastic[i];
}

/* All metrics; eff1, eff0 and eff: the mean efficiency at alpha 1, 0, 1/2. */
static size_t market_values(const void *owner, const struct design_place *p,
			    const char *column, double *values)
{
	const struct cc_study *s = owner;
	double alpha = strcmp(column, "eff1") == 0   ? 1
		       : strcmp(column, "eff0") == 0 ? 0
						     : 0.5;
	double inelastic;

	for (size_t m = 0; m < CC_NMETRICS; m++)
		if (strcmp(column, metrics[m].name) == 0) {
			fill_metric(s, p, m, values);
			return s->nseeds;
		}
	if (strncmp(column, "eff", 3) != 0)
		return 0;
	fill_metric(s, p, efficiency_metric(s, true), values);
	inelastic = study_stat_of(values, s->nseeds).mean;
	fill_metric(s, p, efficiency_metric(s, false), values);
	*values = alpha * inelastic +
		  (1 - alpha) * study_stat_of(values, s->nseeds).mean;
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

/* value, and its summaries; first5_... those of the first five seeds. */
static size_t summary_values(const void *owner, const struct design_place *p,
			     const char *column, double *values)
{
	const struct cc_study *s = owner;
	bool five = strncmp(column, "first5_", 7) == 0;

	if (strcmp(p->design->name, "metrics") == 0)
		fill_metric(s, p, p->level[2], values);
	else
		fill_efficiency(s, p, design_number(p, 2), values);
	if (strcmp(column, "value") == 0)
		return s->nseeds;
	return summary_of(column + (five ? 7 : 0), values,
			  five ? cc_first_five(s) : s->nseeds);
}

const struct design cc_designs[CC_NDESIGNS] = {
	{DESIGN("market", market_factors), .values = market_values},
	{DESIGN("metrics", metric_factors), .values = summary_values},
	{DESIGN("efficiency", efficiency_factors), .values = summary_values},
};

#define OPTION(name, option)                                                   \
	PAPER_NUMBER(struct cc_study, name, options[option])

const struct paper_number cc_numbers[] = {
	OPTION("most_cpus", MARKET_MOST),
	OPTION("promise", MARKET_PROMISE),
	OPTION("strict", MARKET_STRICT),
	OPTION("ends", MARKET_ENDS),
	OPTION("window_s", MARKET_WINDOW_S),
	OPTION("one_sided", MARKET_ONE_SIDED),
	OPTION("watched_pct", MARKET_WATCHED_PCT),
	OPTION("charge", MARKET_CHARGE),
	OPTION("ratios", MARKET_RATIOS),
	OPTION("bin_s", MARKET_BIN_S),
	OPTION("varied", MARKET_SENSITIVITY),
	PAPER_NUMBER(struct cc_study, "reject_pct", reject_pct),
	{NULL, 0},
};

/* ---- table 2 ---- */

const char *const cc_pairs[CC_NPAIRS][2] = {
	{"BE", "SAC"}, {"BE", "CAC"}, {"SAC", "CAC"}};
static const enum cc_model pairs[CC_NPAIRS][2] = {
	{CC_BE, CC_SAC}, {CC_BE, CC_CAC}, {CC_SAC, CC_CAC}};

const double cc_paper_t[CC_NPAIRS][2][CC_NCONFIGS] = {
	{{2.48, 2.08, 2.82, 3.94}, {4.52, 1.67, 2.06, 1.79}},
	{{2.99, 4.90, 4.39, 7.09}, {6.30, 2.05, 3.33, 3.74}},
	{{1.71, 3.25, 2.20, 5.91}, {2.35, 0.72, 1.89, 2.60}},
};

double cc_t(const struct cc_study *s, size_t pair, bool utilization,
	    size_t config, size_t n)
{
	size_t metric = utilization ? CC_UTILIZATION : CC_VIOLATIONS;
	struct gof_t t;

	n = n < s->nseeds ? n : s->nseeds;
	if (gof_t_paired(cc_value(s, config, pairs[pair][0], metric, 0),
			 cc_value(s, config, pairs[pair][1], metric, 0), n, &t,
			 NULL) < 0)
		return NAN;
	return t.t;
}

unsigned cc_positive(const struct cc_study *s)
{
	unsigned positive = 0;

	for (size_t pair = 0; pair < CC_NPAIRS; pair++)
		for (size_t c = 0; c < CC_NCONFIGS; c++)
			for (int u = 0; u < 2; u++)
				positive += cc_t(s, pair, u, c, s->nseeds) > 0;
	return positive;
}

size_t cc_first_five(const struct cc_study *s)
{
	return s->nseeds < CC_PAPER_SEEDS ? s->nseeds : CC_PAPER_SEEDS;
}
