/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims_models.c - measuring and judging M1 to M13; see model_claims.h. */
#include "sim/paper/ccgrid2008/claims_models.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/model/stats.h"

const struct model_gof_row model_table1[MODEL_NROWS] = {
	{"trace", MODEL_IAT, NULL, .948, 0, .1161},
	{"HypWeib", MODEL_IAT, "hypweib", .897, .0557, .1337},
	{"Exponential", MODEL_IAT, "exponential", .034, .2406, .2901},
	{"trace", MODEL_RUN, NULL, .944, 0, .1174},
	{"PolyLin", MODEL_RUN, "polylin", .869, .0718, .1371},
	{"Pareto", MODEL_RUN, "gpareto", .818, .1075, .1565},
	{"trace", MODEL_SIZE, NULL, .989, 0, .0861},
	{"BinBin", MODEL_SIZE, "binbin", .982, .0165, .0880},
	{"Zipf", MODEL_SIZE, "zipf", .974, .0644, .1040},
};

enum row {
	ROW_HYPWEIB = 1,
	ROW_POLYLIN = 4,
	ROW_PARETO = 5,
	ROW_BINBIN = 7,
};

/* The paper's parameters of a type. */
static struct model paper_model(const char *name)
{
	struct model m;

	model_init(&m, model_find(name, NULL));
	return m;
}

static int measure_rows(struct model_study *st,
			const struct sim_trace_series *s,
			struct libra_error *err)
{
	for (size_t i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		struct model m;
		char stream[32];

		if (row->model)
			m = paper_model(row->model);
		snprintf(stream, sizeof(stream), "gof/%s/%s",
			 model_series_name(row->series), row->first);
		if (model_gof(&s->of[row->series], row->model ? &m : NULL,
			      st->options, st->seed, stream, &st->rows[i], err))
			return -1;
	}
	return 0;
}

static double share_below(const struct sim_series *s, double limit)
{
	size_t i = 0;

	while (i < s->n && s->sorted[i] < limit)
		i++;
	return (double)i / s->n;
}

static void measure_sizes(struct model_study *st, const struct sim_series *s)
{
	for (size_t i = 0; i < 6; i++)
		st->size_share[i] = 0;
	st->size_rest = st->size_not_power = 0;
	for (size_t i = 0; i < s->n; i++) {
		double l = log2(s->x[i]);
		long e = lround(l);

		if (l != e)
			st->size_not_power += 1.0 / s->n;
		if (e >= 3 && e <= 8)
			st->size_share[e - 3] += 1.0 / s->n;
		else
			st->size_rest += 1.0 / s->n;
	}
}

static void measure_correlations(struct model_study *st,
				 const struct sim_trace_series *s)
{
	/* The first job has no gap before it. */
	size_t skip = s->njobs && isnan(s->gap[0]), n = s->njobs - skip;

	st->corr_iat_run = gof_correlation(s->gap + skip, s->run + skip, n);
	st->corr_iat_size = gof_correlation(s->gap + skip, s->size + skip, n);
	st->corr_run_size = gof_correlation(s->run, s->size, s->njobs);
}

int model_study_init(struct model_study *st, const struct sim_trace_series *s,
		     const double *options, uint64_t seed,
		     struct libra_error *err)
{
	const struct sim_series *iat;

	memset(st, 0, sizeof(*st));
	memcpy(st->options, options, sizeof(st->options));
	st->seed = seed;
	if (!s)
		return 0;
	iat = &s->of[MODEL_IAT];
	st->has_trace = true;
	st->nrecords = s->nrecords;
	st->nchosen = s->nchosen;
	st->iat_mean_s = gsl_stats_mean(iat->x, 1, iat->n);
	st->iat_cv = gof_cv(iat->x, iat->n);
	st->iat_below_10s = share_below(iat, 10);
	st->run_below_30s = share_below(&s->of[MODEL_RUN], 30);
	measure_sizes(st, &s->of[MODEL_SIZE]);
	measure_correlations(st, s);
	if (gof_hurst_rs(iat->x, iat->n, (size_t)options[MODEL_CHECK_MIN_BLOCK],
			 (size_t)options[MODEL_CHECK_MAX_BLOCK], &st->iat_hurst,
			 err))
		return -1;
	return measure_rows(st, s, err);
}

/* Whether the claim can be judged at all. */
static bool has_trace(const struct model_study *st, struct claim_result *r)
{
	if (st->has_trace)
		return true;
	r->status = CLAIM_INFO;
	claim_measured(r, "needs the trace");
	return false;
}

static void check_m1(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;

	if (!has_trace(st, r))
		return;
	claim_range(claim, r, (double)st->nchosen);
	claim_note(r, "%s%zu records in all.", r->note[0] ? " " : "",
		   st->nrecords);
}

static void check_m2(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;

	if (has_trace(st, r))
		claim_range(claim, r, st->iat_mean_s);
}

/* A quantile, or another property, that was computed by hand: equal to the
 * digits given.  half is half a unit of the last one. */
struct property {
	const char *name;
	double value, expected, half;
};

static void check_properties(const struct property *p, size_t n,
			     struct claim_result *r)
{
	bool holds = true;

	for (size_t i = 0; i < n; i++) {
		bool ok = fabs(p[i].value - p[i].expected) <= p[i].half;

		claim_measured(r, "%s%s %.6g", i ? ", " : "", p[i].name,
			       p[i].value);
		if (!ok)
			claim_note(r, "%s should be %g. ", p[i].name,
				   p[i].expected);
		holds = holds && ok;
	}
	claim_verdict(r, holds);
}

/* Do the draws of a model follow its own CDF?  One-sample KS at 1 %. */
static void check_generator(const struct model *m, const struct model_study *st,
			    struct claim_result *r)
{
	enum { DRAWS = 100000 };
	double *x = malloc(DRAWS * sizeof(*x)), ks;
	struct rng_stream rng;

	if (!x) {
		claim_note(r, "Out of memory. ");
		claim_verdict(r, false);
		return;
	}
	rng_stream_init(&rng, st->seed, "claims/generator", 0);
	for (size_t i = 0; i < DRAWS; i++)
		x[i] = model_sample(m, &rng);
	sim_sort(x, DRAWS);
	ks = gof_ks_model(x, DRAWS, m);
	free(x);
	claim_measured(r, "; KS of %d draws %.4f", DRAWS, ks);
	if (ks <= 1.628 / sqrt(DRAWS))
		return;
	claim_note(r, "The draws do not follow the CDF. ");
	claim_verdict(r, false);
}

static void check_m3(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;
	struct model m = paper_model("hypweib");
	double mean = model_mean(&m);
	const struct property p[] = {
		{"mean", mean, 335.9, 0.05},
		{"sd", mean * model_cv(&m), 597, 0.5},
		{"5 %", model_quantile(&m, 0.05), 4.6, 0.05},
		{"25 %", model_quantile(&m, 0.25), 21.5, 0.05},
		{"median", model_quantile(&m, 0.5), 122, 0.5},
		{"75 %", model_quantile(&m, 0.75), 397, 0.5},
		{"95 %", model_quantile(&m, 0.95), 1368, 0.5},
		{"99 %", model_quantile(&m, 0.99), 2822, 0.5},
		{"below 10 s", model_cdf(&m, 10), 0.125, 0.0005},
	};

	check_properties(p, sizeof(p) / sizeof(p[0]), r);
	check_generator(&m, st, r);
	if (st->has_trace)
		claim_note(r, "Below 10 s in the trace: %.1f %%.",
			   100 * st->iat_below_10s);
}

static void check_m4(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;
	struct model m = paper_model("polylin");

	claim_range(claim, r, model_cdf(&m, 30));
	if (st->has_trace)
		claim_note(r, "%sIn the trace %.1f %% of the runs.",
			   r->note[0] ? " " : "", 100 * st->run_below_30s);
}

static void check_m5(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	struct model m = paper_model("polylin");
	const struct property p[] = {
		{"least", model_quantile(&m, 0), 22.5, 0.05},
		{"greatest", model_quantile(&m, 1), 104918, 0.5},
		{"5 %", model_quantile(&m, 0.05), 28, 0.5},
		{"25 %", model_quantile(&m, 0.25), 74, 0.5},
		{"median", model_quantile(&m, 0.5), 307, 0.5},
		{"75 %", model_quantile(&m, 0.75), 1941, 0.5},
		{"90 %", model_quantile(&m, 0.9), 9875, 0.5},
		{"95 %", model_quantile(&m, 0.95), 22198, 0.5},
		{"99 %", model_quantile(&m, 0.99), 62434, 0.5},
		{"mean", model_mean(&m), 3958, 0.5},
		{"CV", model_cv(&m), 2.8, 0.05},
	};

	check_properties(p, sizeof(p) / sizeof(p[0]), r);
	check_generator(&m, study, r);
}

static void check_m6(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;
	bool holds = true;

	if (!has_trace(st, r))
		return;
	for (size_t i = 0; i < 6; i++) {
		double paper = paper_model("binbin").p[1 + i];

		claim_measured(r, "%.4f ", st->size_share[i]);
		holds = holds && claim_within(&claim->bound[0],
					      st->size_share[i] - paper);
	}
	claim_measured(r, "rest %.2f %%", 100 * st->size_rest);
	claim_verdict(r, holds && claim_within(&claim->bound[1],
					       100 * st->size_rest));
	claim_note(r, "Literally %.1f %% of the sizes are no power of two.",
		   100 * st->size_not_power);
}

static void check_m7(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	struct model a = paper_model("binbin"), b = paper_model("zipf");

	claim_range(claim, r, model_distance(&a, &b));
}

static void check_m8(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;

	if (!has_trace(st, r))
		return;
	claim_measured(r, "KS %.4f > %.4f", st->rows[ROW_PARETO].ks,
		       st->rows[ROW_POLYLIN].ks);
	claim_verdict(r, claim_within(&claim->bound[0],
				      st->rows[ROW_PARETO].ks -
					      st->rows[ROW_POLYLIN].ks));
}

static void check_m9(const struct claim *claim, const void *study,
		     struct claim_result *r)
{
	const struct model_study *st = study;
	struct model m = paper_model("hypweib");

	if (!has_trace(st, r))
		return;
	claim_range(claim, r, st->iat_cv);
	claim_note(r, "%sHypWeib itself has %.2f.", r->note[0] ? " " : "",
		   model_cv(&m));
}

static void check_m10(const struct claim *claim, const void *study,
		      struct claim_result *r)
{
	const struct model_study *st = study;

	if (has_trace(st, r))
		claim_range(claim, r, st->iat_hurst);
}

static void check_m11(const struct claim *claim, const void *study,
		      struct claim_result *r)
{
	const struct model_study *st = study;
	double worst;

	if (!has_trace(st, r))
		return;
	worst = fmax(fabs(st->corr_iat_run),
		     fmax(fabs(st->corr_iat_size), fabs(st->corr_run_size)));
	claim_measured(r, "gap, run %.3f; gap, size %.3f; run, size %.3f",
		       st->corr_iat_run, st->corr_iat_size, st->corr_run_size);
	claim_verdict(r, claim_within(&claim->bound[0], worst));
}

static void check_m12(const struct claim *claim, const void *study,
		      struct claim_result *r)
{
	const struct model_study *st = study;
	struct claim_scan scan = {0};

	if (!has_trace(st, r))
		return;
	/* Differences in units of their tolerance, so that one scan holds all
	 * three columns. */
	for (size_t i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		const struct model_gof *m = &st->rows[i];
		const char *series = model_series_name(row->series);
		const struct {
			const char *name;
			double off;
		} columns[] = {
			{"success", m->success - row->success},
			{"KS", m->ks - row->ks},
			{"mean KS", m->mean_ks - row->mean_ks},
		};

		for (size_t k = 0; k < 3; k++)
			claim_scan_add(&scan,
				       columns[k].off / claim->bound[k].high,
				       -1, 1, "%s %s %s", row->first, series,
				       columns[k].name);
	}
	claim_scan_end(claim, &scan, r);
}

static void check_m13(const struct claim *claim, const void *study,
		      struct claim_result *r)
{
	const struct model_study *st = study;

	if (has_trace(st, r))
		claim_range(claim, r,
			    fmin(st->rows[ROW_HYPWEIB].success,
				 fmin(st->rows[ROW_POLYLIN].success,
				      st->rows[ROW_BINBIN].success)));
}

#define TRACE "records with allocated processors"
#define MODEL "the model"
#define ANY   CLAIM_ANY

/* clang-format off */
const struct claim model_claims[MODEL_NCLAIMS] = {
	{.id = "M1", "2", "the Blue Horizon trace has 223,402 jobs", TRACE, check_m1,
	 {{.what = "", 223402 * 0.995, 223402 * 1.005, "jobs"}}},
	{.id = "M2", "2", "the mean inter-arrival time is 378.648 s", TRACE, check_m2,
	 {{.what = "", 378.648 * 0.99, 378.648 * 1.01, "s"}}, .decimals = 2},
	{.id = "M3", "2", "inter-arrival times are a HypWeib mixture of weight 0.29",
	 MODEL, check_m3,
	 .also = "mean 335.9 s, sd 597, quantiles 4.6, 21.5, 122, 397, 1368, "
		 "2822, 12.5 % below 10 s; draws follow the CDF"},
	{.id = "M4", "2", "runs below 30 s are less than 7 % of the jobs", MODEL,
	 check_m4, {{.what = "F(30 s) of PolyLin", -ANY, 0.07}}, .decimals = 4},
	{.id = "M5", "2", "run times have a parabola in ln t as CDF", MODEL, check_m5,
	 .also = "support 22.5 to 104,918 s, quantiles 28, 74, 307, 1941, "
		 "9875, 22,198, 62,434, mean 3958 s, CV 2.8; draws follow the "
		 "CDF"},
	{.id = "M6", "2", "sizes are 8 to 256 with .508 .144 .126 .137 .048 .035",
	 "sizes rounded in log2", check_m6,
	 {{.what = "each", -0.005, 0.005}, {.what = "rest", -ANY, 2, "%"}}},
	{.id = "M7", "2", "Zipf(1.4) fits sizes a little worse than BinBin",
	 "truncated to six values", check_m7,
	 {{.what = "largest CDF difference", 0.0625, 0.0635}}, .decimals = 4},
	{.id = "M8", "2", "Pareto fits run times less well than PolyLin", TRACE,
	 check_m8, {{.what = "KS(Pareto) - KS(PolyLin)", CLAIM_ABOVE_0, ANY}}},
	{.id = "M9", "2", "the CV of the inter-arrival times is 3.86", TRACE,
	 check_m9, {{.what = "", 3.86 - 0.3, 3.86 + 0.3}}, .decimals = 2},
	{.id = "M10", "2", "the Hurst exponent of the inter-arrival times is 0.735",
	 "R/S, blocks of 16 to 16,384 unless told", check_m10,
	 {{.what = "", 0.65, 0.8}}, .decimals = 3},
	{.id = "M11", "2",
	 "inter-arrival time, run time and size are not notably correlated",
	 "Pearson", check_m11, {{.what = "all", -ANY, 0.15}}},
	{.id = "M12", "table 1", "goodness of fit", "repeated two-sample KS test",
	 check_m12,
	 {{.what = "success", -0.03, 0.03}, {.what = "KS of all", -0.006, 0.006},
	  {.what = "mean KS", -0.005, 0.005}}, .unit = "tolerances", .decimals = 2},
	{.id = "M13", "2", "all three models pass in 87 % of the draws or more",
	 "repeated two-sample KS test", check_m13,
	 {{.what = "lowest success", 0.865, ANY}}, .decimals = 3},
};
/* clang-format on */
