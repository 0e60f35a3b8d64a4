/* SPDX-License-Identifier: GPL-2.0-or-later */
/* models.c - the workload models: what M1 to M13 and table 1 are about. */
#include "sim/paper/ccgrid2008/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/memory.h"
#include "sim/model/stats.h"
#include "sim/paper/ccgrid2008/experiment.h"

#define L(...) DESIGN_LEVEL(__VA_ARGS__)

/* ---- table 1 ---- */

/* Two samples: draws of a model, or the trace itself, and a series of the
 * trace, which is the title.
 */
const struct design_level cc_samples[CC_NSAMPLES] = {
	L("trace", "iat", 0),	    L("HypWeib", "iat", 1),
	L("Exponential", "iat", 2), L("trace", "run", 3),
	L("PolyLin", "run", 4),	    L("Pareto", "run", 5),
	L("trace", "size", 6),	    L("BinBin", "size", 7),
	L("Zipf", "size", 8),
};

/* The model (NULL: the trace), the series, and the paper's numbers. */
static const struct {
	const char *model;
	enum model_series series;
	struct model_gof paper;
} table_1[CC_NSAMPLES] = {
	{NULL, MODEL_IAT, {.948, 0, .1161}},
	{"hypweib", MODEL_IAT, {.897, .0557, .1337}},
	{"exponential", MODEL_IAT, {.034, .2406, .2901}},
	{NULL, MODEL_RUN, {.944, 0, .1174}},
	{"polylin", MODEL_RUN, {.869, .0718, .1371}},
	{"gpareto", MODEL_RUN, {.818, .1075, .1565}},
	{NULL, MODEL_SIZE, {.989, 0, .0861}},
	{"binbin", MODEL_SIZE, {.982, .0165, .0880}},
	{"zipf", MODEL_SIZE, {.974, .0644, .1040}},
};

/* The paper's parameters of a type. */
static struct model paper_model(const char *name)
{
	struct model m;

	model_init(&m, model_find(name, NULL));
	return m;
}

/* Measure the goodness of fit of each row of table 1. */
static int measure_rows(struct cc_models *st, const struct sim_trace_series *s,
			uint64_t seed, struct libra_error *err)
{
	for (size_t i = 0; i < CC_NSAMPLES; i++) {
		enum model_series series = table_1[i].series;
		struct model m;
		char stream[32];

		if (table_1[i].model)
			m = paper_model(table_1[i].model);
		snprintf(stream, sizeof(stream), "gof/%s/%s",
			 model_series_name(series), cc_samples[i].name);
		if (model_gof(&s->of[series], table_1[i].model ? &m : NULL,
			      st->options, seed, stream, &st->rows[i], err))
			return -1;
	}
	return 0;
}

/* success, ks, mean_ks; and the paper's: success_paper, ... */
size_t cc_fit_values(const void *owner, const struct design_place *p,
		     const char *column, double *value)
{
	const struct cc_study *s = owner;
	const struct model_gof *paper = &table_1[p->level[0]].paper;
	struct model_gof row = {NAN, NAN, NAN};

	if (!s->common.source.synthetic)
		row = s->models.rows[p->level[0]];
	return design_pick(
		(const struct design_value[]){
			{"success", row.success},
			{"success_paper", paper->success},
			{"ks", row.ks},
			{"ks_paper", paper->ks},
			{"mean_ks", row.mean_ks},
			{"mean_ks_paper", paper->mean_ks},
		},
		6, column, value);
}

/* ---- the models themselves ---- */

/* mean, cv; q05 is the quantile 0.05, below_10 the part below 10; zipf how far
 * the CDF is from Zipf's.
 */
size_t cc_model_values(const void *owner, const struct design_place *p,
		       const char *column, double *value)
{
	struct model m = paper_model(design_level(p, 0)->name);
	struct model zipf = paper_model("zipf");

	if (strcmp(column, "mean") == 0)
		*value = model_mean(&m);
	else if (strcmp(column, "cv") == 0)
		*value = model_cv(&m);
	else if (strcmp(column, "zipf") == 0)
		*value = model_distance(&m, &zipf);
	else if (column[0] == 'q')
		*value = model_quantile(&m, strtod(column + 1, NULL) / 100);
	else if (strncmp(column, "below_", 6) == 0)
		*value = model_cdf(&m, strtod(column + 6, NULL));
	else
		return 0;
	return 1;
}

/* ---- the trace ---- */

/* share of the jobs, and share_paper. */
size_t cc_size_values(const void *owner, const struct design_place *p,
		      const char *column, double *value)
{
	const struct cc_study *s = owner;
	size_t i = p->level[0];

	return design_pick(
		(const struct design_value[]){
			{"share", s->models.size_share[i]},
			{"share_paper", paper_model("binbin").p[1 + i]},
		},
		2, column, value);
}

static double share_below(const struct sim_series *s, double limit)
{
	size_t i = 0;

	while (i < s->n && s->sorted[i] < limit)
		i++;
	return (double)i / s->n;
}

/* Measure how many jobs have each size. */
static void measure_sizes(struct cc_study *study, const struct sim_series *s)
{
	double rest = 0, not_power = 0;

	for (size_t i = 0; i < s->n; i++) {
		double l = log2(s->x[i]);
		long e = lround(l);

		if (l != e)
			not_power += 1.0 / s->n;
		if (e >= 3 && e <= 8)
			study->models.size_share[e - 3] += 1.0 / s->n;
		else
			rest += 1.0 / s->n;
	}
	sim_paper_set(&study->common, "size_rest", rest);
	sim_paper_set(&study->common, "size_not_power", not_power);
}

/* Measure the correlations of gap, run time and size. */
static void measure_correlations(struct sim_paper_study *study,
				 const struct sim_trace_series *s)
{
	/* The first job has no gap before it. */
	size_t skip = s->njobs && isnan(s->gap[0]), n = s->njobs - skip;

	sim_paper_set(study, "corr_iat_run",
		      gof_correlation(s->gap + skip, s->run + skip, n));
	sim_paper_set(study, "corr_iat_size",
		      gof_correlation(s->gap + skip, s->size + skip, n));
	sim_paper_set(study, "corr_run_size",
		      gof_correlation(s->run, s->size, s->njobs));
}

/* Measure mean, variation and Hurst exponent of the gaps. */
static int measure_gaps(struct cc_study *study, const struct sim_series *iat,
			struct libra_error *err)
{
	const double *options = study->models.options;
	double hurst;

	if (gof_hurst_rs(iat->x, iat->n, (size_t)options[MODEL_CHECK_MIN_BLOCK],
			 (size_t)options[MODEL_CHECK_MAX_BLOCK], &hurst, err))
		return -1;
	sim_paper_set(&study->common, "iat_mean_s",
		      gsl_stats_mean(iat->x, 1, iat->n));
	sim_paper_set(&study->common, "iat_cv", gof_cv(iat->x, iat->n));
	sim_paper_set(&study->common, "iat_below_10s", share_below(iat, 10));
	sim_paper_set(&study->common, "iat_hurst", hurst);
	return 0;
}

int cc_models_measure(struct cc_study *study, const struct sim_trace_series *s,
		      const double *options, struct libra_error *err)
{
	memcpy(study->models.options, options, sizeof(study->models.options));
	/* Counts of the log: its records, and those with processors. */
	sim_paper_set(&study->common, "nrecords", s ? (double)s->nrecords : 0);
	sim_paper_set(&study->common, "nchosen", s ? (double)s->nchosen : 0);
	if (!s)
		return 0;
	sim_paper_set(&study->common, "run_below_30s",
		      share_below(&s->of[MODEL_RUN], 30));
	measure_sizes(study, &s->of[MODEL_SIZE]);
	measure_correlations(&study->common, s);
	if (measure_gaps(study, &s->of[MODEL_IAT], err))
		return -1;
	return measure_rows(&study->models, s, study->common.designs.seeds[0],
			    err);
}

/* ---- how the claims are asked ---- */

/* Return true if there is a trace.  Otherwise set the claim to information. */
static bool is_there(const void *study, struct claim_result *r)
{
	const struct sim_paper_study *s = study;

	if (!s->source.synthetic)
		return true;
	r->status = CLAIM_INFO;
	claim_measured(r, "needs the trace");
	return false;
}

void cc_on_trace(const struct claim *c, const void *study,
		 struct claim_result *r)
{
	if (is_there(study, r))
		(c->tell ? paper_ask_all : paper_ask_range)(c, study, r);
}

/* Do the draws of a model follow its own CDF?  One-sample KS at 1 %. */
void cc_draws(const struct claim *c, const void *study, struct claim_result *r)
{
	enum { DRAWS = 100000 };
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	double *x = malloc(DRAWS * sizeof(*x)), ks = INFINITY;
	struct rng_stream rng;
	struct model m;

	paper_ask_all(c, study, r);
	design_go(&p, c->at);
	m = paper_model(design_level(&p, 0)->name);
	rng_stream_init(&rng, s->designs.seeds[0], "claims/generator", 0);
	for (size_t i = 0; x && i < DRAWS; i++)
		x[i] = model_sample(&m, &rng);
	if (x) {
		sim_sort(x, DRAWS);
		ks = gof_ks_model(x, DRAWS, &m);
	}
	free(x);
	claim_measured(r, "; KS of %d draws %.4f", DRAWS, ks);
	if (ks <= 1.628 / sqrt(DRAWS))
		return;
	claim_note(r, "The draws do not follow the CDF. ");
	claim_verdict(r, false);
}

/* Differences in units of their tolerance, so that one scan holds all. */
struct tolerances {
	const struct sim_paper_study *s;
	const struct claim_bound *bound;
	struct claim_scan scan;
};

/* Compare the numbers at a point with their tolerances. */
static bool add_differences(const struct design_place *p, void *arg)
{
	struct tolerances *t = arg;
	char label[96];

	for (const struct claim_bound *b = t->bound; b->value; b++) {
		paper_format(label, sizeof(label), p, &t->s->text, b->label);
		claim_scan_add(&t->scan,
			       paper_value(p, &t->s->text, b->value) / b->high,
			       -1, 1, "%s", label);
	}
	return true;
}

void cc_tolerances(const struct claim *c, const void *study,
		   struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	struct tolerances t = {.s = s, .bound = c->bound};

	if (!is_there(study, r))
		return;
	design_each(&p, c->bound[0].over, add_differences, &t);
	claim_scan_end(c, &t.scan, r);
}

/* ---- without a market ---- */

struct sim_paper_study *cc_models_judge(const struct sim_trace_series *series,
					const double *options,
					const uint64_t *seed,
					struct libra_error *err)
{
	struct cc_study *s = calloc(1, sizeof(*s));

	if (!s)
		return sim_no_memory(err), NULL;
	s->common.paper = &sim_paper_ccgrid2008;
	s->common.source.synthetic = !series;
	if (sim_paper_names(&s->common, seed, 1, err) == 0 &&
	    cc_models_measure(s, series, options, err) == 0) {
		s->common.claims.n = CC_NMODEL_CLAIMS;
		if (sim_paper_judge(&s->common, err) == 0)
			return &s->common;
	}
	sim_paper_study_destroy(&s->common);
	return NULL;
}
