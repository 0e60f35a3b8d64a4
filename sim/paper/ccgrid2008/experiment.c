/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - the market paper: its runs. */
#include "sim/paper/ccgrid2008/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/workers.h"
#include "sim/market/market_run.h"
#include "sim/market/optimum.h"

const struct cc_column cc_columns[CC_NMETRICS] = {
	[CC_VIOLATIONS] = {"violations", "not fulfilled of the admitted jobs"},
	[CC_UTILIZATION] = {"utilization",
			    "CPU time used of all until the last end"},
	[CC_REJECTIONS] = {"rejections", "rejected of the submitted jobs"},
	[CC_CORRELATION] = {"correlation", "of the price with best effort's"},
	[CC_INELASTIC] = {"efficiency_inelastic",
			  "sum of utilities / that of the optimum, alpha 1"},
	[CC_ELASTIC] = {"efficiency_elastic", "the same, alpha 0"},
	[CC_RATIO_INELASTIC] = {"ratio_inelastic",
				"utility / value, mean of the jobs in the "
				"optimum, alpha 1"},
	[CC_RATIO_ELASTIC] = {"ratio_elastic", "the same, alpha 0"},
	[CC_PW] = {"pw", "fulfilled of the admitted jobs"},
	[CC_PA] = {"pa", "admitted of the submitted jobs"},
	[CC_PD] = {"pd", "part of the work done, mean of the admitted jobs"},
	[CC_Q] = {"q", "price / value, mean of the admitted jobs"},
	[CC_OPT_GAP] = {"optimum_gap",
			"(bound - optimum) / bound: its greatest error"},
};

const struct cc_config_type cc_configs[CC_NCONFIGS] = {
	{"pareto-low", "Pareto, low load", MARKET_LOW, MARKET_PARETO},
	{"pareto-high", "Pareto, high load", MARKET_HIGH, MARKET_PARETO},
	{"equal", "equal, high load", MARKET_HIGH, MARKET_EQUAL},
	{"normal", "normal, high load", MARKET_HIGH, MARKET_NORMAL},
};

const char *const cc_model_titles[CC_NMODELS] = {"BE", "SAC", "CAC", "RAC"};

static const char *const policies[CC_NMODELS] = {"market-be", "market-sac",
						 "market-cac", "random-reject"};

/* clang-format off */
const struct cc_variant cc_variants[] = {
	{{{MARKET_PROMISE, 0.5}}, 1},
	{{{MARKET_PROMISE, 0.6}}, 1},
	{{{MARKET_PROMISE, 0.9}}, 1},
	{{{MARKET_MOST, 0}}, 1},
	{{{MARKET_POOLED, 1}}, 1},
	{{{MARKET_ENDS, 1}}, 1},
	{{{MARKET_ENDS, 2}}, 1},
	{{{MARKET_ENDS, 2}, {MARKET_PROMISE, 0.6}}, 2},
	{{{MARKET_STRICT, 1}}, 1},
	{{{MARKET_FLOOR, 1}}, 1},
	{{{MARKET_ONE_SIDED, 0}}, 1},
	{{{MARKET_GUARANTEE, 0}}, 1},
	{{{MARKET_GUARANTEE, 0.8}}, 1},
	{{{MARKET_WATCHED_PCT, 30}}, 1},
	{{{MARKET_WATCHED_PCT, 100}}, 1},
	{{{MARKET_WINDOW_S, 1800}}, 1},
	{{{MARKET_WINDOW_S, 10000}}, 1},
	{{{MARKET_POLYLIN, 1}}, 1},
	{{{MARKET_NORMAL_CV, 0.1}}, 1},
	{{{MARKET_NORMAL_CV, 0.5}}, 1},
	{{{MARKET_PARETO_INDEX, 1.1}}, 1},
	{{{MARKET_PARETO_INDEX, 2.5}}, 1},
	{{{MARKET_RATIOS, 1}}, 1},
	{{{MARKET_CHARGE, 0}}, 1},
	{{{MARKET_CHARGE, 0.25}}, 1},
	/* To the letter: eqs 4 and 5, the formula of efficiency. */
	{{{MARKET_STRICT, 1}, {MARKET_FLOOR, 1}, {MARKET_RATIOS, 1},
	  {MARKET_PROMISE, 0.67}}, 4},
	{{{MARKET_STRICT, 1}, {MARKET_FLOOR, 1}, {MARKET_RATIOS, 1},
	  {MARKET_PROMISE, 0.67}, {MARKET_ENDS, 1}}, 5},
	{{{MARKET_STRICT, 1}, {MARKET_FLOOR, 1}, {MARKET_RATIOS, 1},
	  {MARKET_PROMISE, 0.55}, {MARKET_ENDS, 2}}, 5},
};
/* clang-format on */
const size_t cc_nvariants = sizeof(cc_variants) / sizeof(cc_variants[0]);

void cc_variant_name(const struct cc_variant *variant, char *name, size_t size)
{
	size_t n = 0;

	snprintf(name, size, "as in the report");
	for (size_t i = 0; variant && i < variant->n && n < size; i++)
		n += (size_t)snprintf(
			name + n, size - n, "%s%s %g", i ? ", " : "",
			market_options[variant->settings[i].option].name,
			variant->settings[i].value);
}

/* ---- numbers ---- */

double *cc_value(const struct cc_study *s, int config, int model, int metric,
		 size_t seed)
{
	size_t place = (size_t)(config * CC_NMODELS + model) * CC_NMETRICS;

	return &s->values[(place + (size_t)metric) * s->nseeds + seed];
}

/* What a seed's jobs would need of the machine if all were admitted. */
static double *load_at(const struct cc_study *s, enum market_load load,
		       size_t seed)
{
	size_t place = CC_NCONFIGS * CC_NMODELS * CC_NMETRICS + (size_t)load;

	return &s->values[place * s->nseeds + seed];
}

/* Numbers that come one by one; two passes are worth their while. */
static struct cc_stat stat_of(const struct cc_study *s, size_t n,
			      double (*value)(const struct cc_study *s,
					      const void *arg, size_t seed),
			      const void *arg)
{
	struct cc_stat stat = {.mean = NAN, .sd = NAN, .ci = NAN};
	double sum = 0, squares = 0;

	n = n < s->nseeds ? n : s->nseeds;
	for (size_t i = 0; i < n; i++) {
		double v = value(s, arg, i);

		sum += isnan(v) ? 0 : v;
		stat.n += !isnan(v);
	}
	if (stat.n == 0)
		return stat;
	stat.mean = sum / (double)stat.n;
	for (size_t i = 0; i < n; i++) {
		double d = value(s, arg, i) - stat.mean;

		squares += isnan(d) ? 0 : d * d;
	}
	if (stat.n < 2)
		return stat;
	stat.sd = sqrt(squares / (double)(stat.n - 1));
	stat.ci = gof_t_critical(0.05, (double)stat.n - 1, true) * stat.sd /
		  sqrt((double)stat.n);
	return stat;
}

struct place {
	int config, model, metric;
	double alpha;
};

static double metric_at(const struct cc_study *s, const void *arg, size_t seed)
{
	const struct place *p = arg;

	return *cc_value(s, p->config, p->model, p->metric, seed);
}

/* Which of the two efficiencies, at alpha 1 or 0. */
static enum cc_metric efficiency_metric(const struct cc_study *s,
					bool inelastic)
{
	if (s->options[MARKET_RATIOS] != 0)
		return inelastic ? CC_RATIO_INELASTIC : CC_RATIO_ELASTIC;
	return inelastic ? CC_INELASTIC : CC_ELASTIC;
}

static double efficiency_at(const struct cc_study *s, const void *arg,
			    size_t seed)
{
	const struct place *p = arg;

	return p->alpha * *cc_value(s, p->config, p->model,
				    efficiency_metric(s, true), seed) +
	       (1 - p->alpha) * *cc_value(s, p->config, p->model,
					  efficiency_metric(s, false), seed);
}

struct cc_stat cc_stat(const struct cc_study *s, int config, int model,
		       int metric, size_t n)
{
	struct place p = {.config = config, .model = model, .metric = metric};

	return stat_of(s, n, metric_at, &p);
}

struct cc_stat cc_efficiency_stat(const struct cc_study *s, int config,
				  int model, double alpha, size_t n)
{
	struct place p = {.config = config, .model = model, .alpha = alpha};

	return stat_of(s, n, efficiency_at, &p);
}

bool cc_runs(int config, int model)
{
	return model != CC_RAC || config == CC_PARETO_HIGH;
}

double cc_mean(const struct cc_study *s, int config, int model, int metric)
{
	return cc_stat(s, config, model, metric, s->nseeds).mean;
}

double cc_efficiency(const struct cc_study *s, int config, int model,
		     double alpha)
{
	return alpha * cc_mean(s, config, model, efficiency_metric(s, true)) +
	       (1 - alpha) *
		       cc_mean(s, config, model, efficiency_metric(s, false));
}

const enum cc_model cc_pairs[CC_NPAIRS][2] = {
	{CC_BE, CC_SAC}, {CC_BE, CC_CAC}, {CC_SAC, CC_CAC}};

const double cc_paper_t[CC_NPAIRS][2][CC_NCONFIGS] = {
	{{2.48, 2.08, 2.82, 3.94}, {4.52, 1.67, 2.06, 1.79}},
	{{2.99, 4.90, 4.39, 7.09}, {6.30, 2.05, 3.33, 3.74}},
	{{1.71, 3.25, 2.20, 5.91}, {2.35, 0.72, 1.89, 2.60}},
};

double cc_t(const struct cc_study *s, int pair, bool utilization, int config,
	    size_t n)
{
	int metric = utilization ? CC_UTILIZATION : CC_VIOLATIONS;
	struct gof_t t;

	n = n < s->nseeds ? n : s->nseeds;
	if (gof_t_paired(cc_value(s, config, cc_pairs[pair][0], metric, 0),
			 cc_value(s, config, cc_pairs[pair][1], metric, 0), n,
			 &t, NULL) < 0)
		return NAN;
	return t.t;
}

/* ---- one repetition ---- */

struct bench {
	struct market_job *jobs;
	struct market_outcome *outcomes;
	bool *chosen;
	size_t n;
	struct market_optimum optimum;
	struct market_prices demand; /* the price under BE */
};

static int bench_init(struct bench *b, const double *options,
		      struct libra_error *err)
{
	size_t n = market_njobs(options);

	*b = (struct bench){
		.n = n,
		.jobs = calloc(n, sizeof(*b->jobs)),
		.outcomes = calloc(n, sizeof(*b->outcomes)),
		.chosen = calloc(n, sizeof(*b->chosen)),
	};
	if (!b->jobs || !b->outcomes || !b->chosen)
		return libra_errf(err, ENOMEM, "out of memory");
	return 0;
}

static void bench_fini(struct bench *b)
{
	free(b->jobs);
	free(b->outcomes);
	free(b->chosen);
	market_prices_fini(&b->demand);
}

static void count(const struct cc_study *s, const struct bench *b,
		  const struct market_truth *truth, double *m)
{
	double accepted = 0, fulfilled = 0, done = 0, q = 0, chosen = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct market_outcome *o = &b->outcomes[i];
		double value = b->jobs[i].job.budget;
		double paid = s->options[MARKET_CHARGE] * o->spent;
		double inelastic = market_inelastic(o->done, paid, value);
		double elastic = market_elastic(o->done, paid, value);

		chosen += b->chosen[i];
		if (!o->accepted)
			continue;
		accepted++;
		fulfilled += o->done >= 1;
		done += o->done;
		q += paid / value;
		m[CC_INELASTIC] += inelastic / b->optimum.value;
		m[CC_ELASTIC] += elastic / b->optimum.value;
		m[CC_RATIO_INELASTIC] += b->chosen[i] ? inelastic / value : 0;
		m[CC_RATIO_ELASTIC] += b->chosen[i] ? elastic / value : 0;
	}
	m[CC_RATIO_INELASTIC] /= chosen;
	m[CC_RATIO_ELASTIC] /= chosen;
	m[CC_PW] = fulfilled / accepted;
	m[CC_PA] = accepted / (double)b->n;
	m[CC_PD] = done / accepted;
	m[CC_Q] = q / accepted;
	m[CC_VIOLATIONS] = 1 - m[CC_PW];
	m[CC_REJECTIONS] = 1 - m[CC_PA];
	m[CC_UTILIZATION] = truth->work / truth->capacity;
	m[CC_OPT_GAP] = 1 - b->optimum.value / b->optimum.bound;
}

/* The parameters of a model's policy, in the order of its table. */
static void fill_params(const struct cc_study *s, int model, size_t seed,
			double *params)
{
	const double *o = s->options;
	const double statistical[] = {
		o[MARKET_CPUS],	    o[MARKET_MOST],	 o[MARKET_LEAST],
		o[MARKET_STRICT],   o[MARKET_GUARANTEE], o[MARKET_ONE_SIDED],
		o[MARKET_WINDOW_S], o[MARKET_FLOOR],	 o[MARKET_WATCHED_PCT]};

	memcpy(params, statistical, sizeof(statistical));
	if (model != CC_RAC)
		return;
	params[4] = s->reject_pct;
	params[5] = (double)(s->seeds[seed] % ((uint64_t)1 << 53));
}

static int run_model(const struct cc_study *s, struct bench *b, int config,
		     int model, size_t seed, struct libra_error *err)
{
	const struct libra_policy_type *policy =
		libra_policy_find(policies[model], err);
	struct market_prices prices = {.price = NULL};
	double params[16], m[CC_NMETRICS] = {0};
	struct market_truth truth;

	if (!policy)
		return -1;
	fill_params(s, model, seed, params);
	if (market_run(b->jobs, b->n, s->options, policy, params, b->outcomes,
		       &truth, &prices, err) < 0) {
		market_prices_fini(&prices);
		return -1;
	}
	count(s, b, &truth, m);
	m[CC_CORRELATION] = gof_correlation(b->demand.price, prices.price,
					    b->demand.n < prices.n ? b->demand.n
								   : prices.n);
	for (int k = 0; k < CC_NMETRICS; k++)
		*cc_value(s, config, model, k, seed) = m[k];
	if (model == CC_BE)
		b->demand = prices;
	else
		market_prices_fini(&prices);
	return 0;
}

static void note_load(const struct cc_study *s, const struct bench *b,
		      enum market_load load, size_t seed)
{
	const double *o = s->options;
	double mean_gap_s = o[load == MARKET_LOW ? MARKET_LOW_MEAN_GAP_S
						 : MARKET_HIGH_MEAN_GAP_S];
	double work = 0;

	for (size_t i = 0; i < b->n; i++)
		work += b->jobs[i].job.nprocs *
			(b->jobs[i].job.deadline_s - b->jobs[i].job.submit_s);
	*load_at(s, load, seed) =
		work / (double)b->n /
		(mean_gap_s * o[MARKET_HOSTS] * o[MARKET_CPUS]);
}

/* BE, SAC and CAC; or RAC alone, whose part of rejections is CAC's. */
static int repeat(const struct cc_study *s, struct bench *b, int config,
		  size_t seed, bool rac, struct libra_error *err)
{
	const struct cc_config_type *c = &cc_configs[config];

	market_prices_fini(&b->demand);
	if (market_draw(s->options, c->load, c->values, s->seeds[seed], b->jobs,
			err) < 0 ||
	    market_optimum(b->jobs, b->n, s->options, &b->optimum, b->chosen,
			   err) < 0)
		return -1;
	if (!rac && c->values == MARKET_PARETO)
		note_load(s, b, c->load, seed);
	for (int model = CC_BE; model <= CC_CAC; model++) {
		if (rac && model != CC_BE)
			continue; /* its price is what is compared with */
		if (run_model(s, b, config, model, seed, err) < 0)
			return -1;
	}
	return rac ? run_model(s, b, config, CC_RAC, seed, err) : 0;
}

/* One bar for all studies of a report. */
struct progress {
	const struct sim_paper_run *run;
	size_t done, total;
};

static void show(void *arg, size_t done, size_t total)
{
	struct progress *p = arg;

	if (p->run->progress)
		p->run->progress(p->run->progress_arg, p->done + done,
				 p->total);
}

/* All configurations of one seed; then RAC. */
#define STEPS (CC_NCONFIGS + 1)

struct repetitions {
	const struct cc_study *study;
	bool rac;
};

/* A piece of the work: one configuration with one seed, or RAC with one. */
static int run_piece(struct sim_workers *workers, void *arg, size_t piece,
		     void *shared, struct libra_error *err)
{
	const struct repetitions *r = arg;
	struct cc_study s = *r->study;
	int config = r->rac ? CC_PARETO_HIGH : (int)(piece % CC_NCONFIGS);
	size_t seed = r->rac ? piece : piece / CC_NCONFIGS;
	struct bench bench;
	int rc = bench_init(&bench, s.options, err), saved;

	s.values = shared;
	if (rc == 0)
		rc = repeat(&s, &bench, config, seed, r->rac, err);
	saved = errno;
	bench_fini(&bench);
	errno = saved;
	sim_workers_step(workers);
	return rc;
}

static int run_pieces(const struct cc_study *s, bool rac, size_t size,
		      struct progress *progress, struct libra_error *err)
{
	struct repetitions repetitions = {.study = s, .rac = rac};
	size_t n = s->nseeds * (rac ? 1 : CC_NCONFIGS);
	struct sim_pieces pieces = {
		.n = n,
		.nsteps = n,
		.run = run_piece,
		.arg = &repetitions,
		.results = s->values,
		.size = size,
	};
	int rc = sim_workers_run(&pieces, progress->run->workers, show,
				 progress, err);

	progress->done += n;
	return rc;
}

static void sum_loads(struct cc_study *s)
{
	for (int load = MARKET_LOW; load <= MARKET_HIGH; load++) {
		s->load[load] = 0;
		for (size_t i = 0; i < s->nseeds; i++)
			s->load[load] += *load_at(s, load, i);
		s->load[load] /= (double)s->nseeds;
	}
}

/* Run a study whose options and seeds are set. */
static int measure(struct cc_study *s, struct progress *progress,
		   struct libra_error *err)
{
	size_t n = s->nseeds * (CC_NCONFIGS * CC_NMODELS * CC_NMETRICS + 2);
	size_t size = n * sizeof(*s->values);

	s->values = calloc(n, sizeof(*s->values));
	if (!s->values)
		return libra_errf(err, ENOMEM, "out of memory");
	if (run_pieces(s, false, size, progress, err) < 0)
		return -1;
	sum_loads(s);
	s->reject_pct = s->options[MARKET_REJECT_PCT];
	if (s->reject_pct == 0)
		s->reject_pct =
			100 * cc_mean(s, CC_PARETO_HIGH, CC_CAC, CC_REJECTIONS);
	return run_pieces(s, true, size, progress, err);
}

/* ---- sensitivity ---- */

static void sum_up(const struct cc_study *s, struct cc_sensitivity *out)
{
	const enum cc_config high[] = {CC_PARETO_HIGH, CC_EQUAL, CC_NORMAL};

	claims_judge(cc_claims, CC_NCLAIMS, s, out->results);
	out->be_low = cc_efficiency(s, CC_PARETO_LOW, CC_BE, 0.5);
	out->cac_low = cc_efficiency(s, CC_PARETO_LOW, CC_CAC, 0.5);
	for (int i = 0; i < 3; i++) {
		out->be_high += cc_efficiency(s, high[i], CC_BE, 0.5) / 3;
		out->be_inelastic += cc_efficiency(s, high[i], CC_BE, 1) / 3;
		out->be_elastic += cc_efficiency(s, high[i], CC_BE, 0) / 3;
		out->cac_high += cc_efficiency(s, high[i], CC_CAC, 0.5) / 3;
	}
	out->be_violations = cc_mean(s, CC_PARETO_HIGH, CC_BE, CC_VIOLATIONS);
	out->sac_violations = cc_mean(s, CC_PARETO_HIGH, CC_SAC, CC_VIOLATIONS);
	out->be_equal = cc_mean(s, CC_EQUAL, CC_BE, CC_VIOLATIONS);
	out->sac_equal = cc_mean(s, CC_EQUAL, CC_SAC, CC_VIOLATIONS);
	out->cac_violations = cc_mean(s, CC_PARETO_HIGH, CC_CAC, CC_VIOLATIONS);
	out->rejections = cc_mean(s, CC_PARETO_HIGH, CC_CAC, CC_REJECTIONS);
	out->low_rejections = cc_mean(s, CC_PARETO_LOW, CC_CAC, CC_REJECTIONS);
	for (int pair = 0; pair < CC_NPAIRS; pair++)
		for (int c = 0; c < CC_NCONFIGS; c++)
			for (int u = 0; u < 2; u++)
				out->positive +=
					cc_t(s, pair, u, c, s->nseeds) > 0;
}

/* One point, with the first seeds.
 * Result: 1, 0 if these options do not go together, or -1.
 */
static int try_variant(const struct cc_study *s,
		       const struct cc_variant *variant,
		       struct cc_sensitivity *out, struct progress *progress,
		       struct libra_error *err)
{
	size_t most = (size_t)s->options[MARKET_SENSITIVITY];
	struct cc_study v = {
		.seeds = s->seeds,
		.nseeds = most < s->nseeds ? most : s->nseeds,
	};
	int rc;

	memcpy(v.options, s->options, sizeof(v.options));
	for (size_t i = 0; variant && i < variant->n; i++)
		v.options[variant->settings[i].option] =
			variant->settings[i].value;
	if (market_check(v.options, NULL) < 0) {
		progress->done += STEPS * v.nseeds;
		return 0;
	}
	out->variant = variant;
	rc = measure(&v, progress, err);
	if (rc == 0)
		sum_up(&v, out);
	free(v.values);
	return rc < 0 ? -1 : 1;
}

/* The report's own point first, then each variant, all with the same seeds. */
static int vary(struct cc_study *s, struct progress *progress,
		struct libra_error *err)
{
	if (s->options[MARKET_SENSITIVITY] == 0)
		return 0;
	s->sensitivity = calloc(cc_nvariants + 1, sizeof(*s->sensitivity));
	if (!s->sensitivity)
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t i = 0; i <= cc_nvariants; i++) {
		int tried = try_variant(s, i ? &cc_variants[i - 1] : NULL,
					&s->sensitivity[s->nsensitivity],
					progress, err);

		if (tried < 0)
			return -1;
		s->nsensitivity += (size_t)tried;
	}
	return 0;
}

/* ---- the workload models: M1 to M13 ---- */

static int measure_models(struct cc_study *s, struct libra_error *err)
{
	double options[MODEL_CHECK_NOPTIONS];
	struct sim_trace_series series;
	int rc;

	for (int i = 0; i < MODEL_CHECK_NOPTIONS; i++)
		options[i] = model_check_options[i].value;
	if (s->paper.source.synthetic)
		return model_study_init(&s->models, NULL, options, s->seeds[0],
					err);
	if (sim_series_init(&series, &s->paper.source.trace, SIM_SIZE_ALLOCATED,
			    err) < 0)
		return -1;
	rc = model_study_init(&s->models, &series, options, s->seeds[0], err);
	sim_series_fini(&series);
	return rc;
}

/* ---- the report ---- */

static int judge(void *study, struct libra_error *err)
{
	struct cc_study *s = study;
	struct sim_paper_study *paper = &s->paper;

	paper->nclaims = model_nclaims + CC_NCLAIMS;
	s->claims = calloc(paper->nclaims, sizeof(*s->claims));
	paper->results = calloc(paper->nclaims, sizeof(*paper->results));
	if (!s->claims || !paper->results)
		return libra_errf(err, ENOMEM, "out of memory");
	memcpy(s->claims, model_claims, model_nclaims * sizeof(*s->claims));
	memcpy(s->claims + model_nclaims, cc_claims, sizeof(cc_claims));
	paper->claims = s->claims;
	claims_judge(model_claims, model_nclaims, &s->models, paper->results);
	claims_judge(cc_claims, CC_NCLAIMS, s, paper->results + model_nclaims);
	return 0;
}

static void summarize(const void *study, struct out_table *t)
{
	static const enum cc_metric rows[] = {CC_VIOLATIONS, CC_REJECTIONS,
					      CC_UTILIZATION, CC_INELASTIC,
					      CC_ELASTIC};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		out_table_cell(t, "%s", cc_columns[rows[i]].name);
		for (int m = 0; m < CC_NMODELS; m++)
			out_table_number(
				t, 3,
				cc_mean(study, CC_PARETO_HIGH, m, rows[i]));
	}
}

static int set_up(void *study, struct libra_error *err)
{
	struct cc_study *s = study;

	s->seeds = s->paper.run->seeds;
	s->nseeds = s->paper.run->nseeds;
	memcpy(s->options, s->paper.run->params, sizeof(s->options));
	return market_check(s->options, err);
}

static int measure_all(void *study, struct libra_error *err)
{
	struct cc_study *s = study;
	size_t most = (size_t)s->options[MARKET_SENSITIVITY];
	size_t varied = most < s->nseeds ? most : s->nseeds;
	struct progress progress = {
		.run = s->paper.run,
		.total = STEPS * s->nseeds,
	};

	if (varied > 0)
		progress.total += STEPS * varied * (cc_nvariants + 1);
	if (measure_models(s, err) < 0 || measure(s, &progress, err) < 0)
		return -1;
	return vary(s, &progress, err);
}

static void fini(void *study)
{
	struct cc_study *s = study;

	free(s->values);
	free(s->sensitivity);
	free(s->claims);
}

static const struct out_column columns[] = {
	{"Pareto, high load", OUT_LEFT},
	{"BE", OUT_RIGHT},
	{"SAC", OUT_RIGHT},
	{"CAC", OUT_RIGHT},
	{"RAC", OUT_RIGHT},
};

static const struct sim_paper_steps steps = {
	.size = sizeof(struct cc_study),
	.set_up = set_up,
	.measure = measure_all,
	.judge = judge,
	.npictures = CC_NPICTURES,
	.draw = cc_draw,
	.files = cc_files,
	.nfiles = CC_NFILES,
	.headline = "A computational market: best effort, statistical and "
		    "capacity admission",
	.write_page = cc_write_page,
	.write_readings = cc_write_readings,
	.without_log = "claims about it are not judged.",
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.summarize = summarize,
	.fini = fini,
};

const struct sim_paper sim_paper_ccgrid2008 = {
	.name = "ccgrid2008",
	.title = "Admission Control in a Computational Market",
	.citation =
		"T. Sandholm, K. Lai and S. Clearwater, Admission Control in "
		"a Computational Market, CCGrid 2008",
	.trace = "SDSC-BLUE-2000-4.2-cln.swf.gz",
	.seeds = 200,
	.params = market_options,
	.nparams = MARKET_NOPTIONS,
	.steps = &steps,
};
