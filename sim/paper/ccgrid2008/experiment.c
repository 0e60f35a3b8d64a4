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

static const char *const policies[CC_NMODELS] = {"market-be", "market-sac",
						 "market-cac", "random-reject"};

static const struct {
	enum market_load load;
	enum market_values values;
} configs[CC_NCONFIGS] = {
	[CC_PARETO_LOW] = {MARKET_LOW, MARKET_PARETO},
	[CC_PARETO_HIGH] = {MARKET_HIGH, MARKET_PARETO},
	[CC_EQUAL] = {MARKET_HIGH, MARKET_EQUAL},
	[CC_NORMAL] = {MARKET_HIGH, MARKET_NORMAL},
};

/* clang-format off */
static const struct cc_variant variants[] = {
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
#define NVARIANTS DESIGN_COUNT(variants)

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

double *cc_value(const struct cc_study *s, size_t config, size_t model,
		 size_t metric, size_t seed)
{
	size_t place = (config * CC_NMODELS + model) * CC_NMETRICS;

	return &s->values[(place + metric) * s->nseeds + seed];
}

/* What a seed's jobs would need of the machine if all were admitted. */
static double *load_at(const struct cc_study *s, enum market_load load,
		       size_t seed)
{
	size_t place = CC_NCONFIGS * CC_NMODELS * CC_NMETRICS + (size_t)load;

	return &s->values[place * s->nseeds + seed];
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

/* Parameters of the policies, and the options that they are. */
static const struct {
	const char *param;
	enum market_option option;
} settings[] = {
	{"cpus", MARKET_CPUS},		 {"most", MARKET_MOST},
	{"least", MARKET_LEAST},	 {"strict", MARKET_STRICT},
	{"guarantee", MARKET_GUARANTEE}, {"one_sided", MARKET_ONE_SIDED},
	{"window", MARKET_WINDOW_S},	 {"floor", MARKET_FLOOR},
	{"watched", MARKET_WATCHED_PCT},
};

static void set_cell(const struct cc_study *s, size_t seed,
		     struct design_cell *cell)
{
	for (size_t i = 0; i < cell->policy->nparams; i++)
		cell->params[i] = cell->policy->params[i].value;
	for (size_t i = 0; i < DESIGN_COUNT(settings); i++)
		design_param(cell, settings[i].param,
			     s->options[settings[i].option]);
	design_param(cell, "reject", s->reject_pct);
	design_param(cell, "seed",
		     (double)(s->paper.run->seeds[seed] % ((uint64_t)1 << 53)));
}

static int run_model(const struct cc_study *s, struct bench *b, size_t config,
		     size_t model, size_t seed, struct libra_error *err)
{
	struct design_cell cell = {
		.policy = libra_policy_find(policies[model], err)};
	struct market_prices prices = {.price = NULL};
	double m[CC_NMETRICS] = {0};
	struct market_truth truth;

	if (!cell.policy)
		return -1;
	set_cell(s, seed, &cell);
	if (market_run(b->jobs, b->n, s->options, cell.policy, cell.params,
		       b->outcomes, &truth, &prices, err) < 0) {
		market_prices_fini(&prices);
		return -1;
	}
	count(s, b, &truth, m);
	m[CC_CORRELATION] = gof_correlation(b->demand.price, prices.price,
					    b->demand.n < prices.n ? b->demand.n
								   : prices.n);
	for (size_t k = 0; k < CC_NMETRICS; k++)
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
static int repeat(const struct cc_study *s, struct bench *b, size_t config,
		  size_t seed, bool rac, struct libra_error *err)
{
	enum market_load load = configs[config].load;

	market_prices_fini(&b->demand);
	if (market_draw(s->options, load, configs[config].values,
			s->paper.run->seeds[seed], b->jobs, err) < 0 ||
	    market_optimum(b->jobs, b->n, s->options, &b->optimum, b->chosen,
			   err) < 0)
		return -1;
	if (!rac && configs[config].values == MARKET_PARETO)
		note_load(s, b, load, seed);
	for (size_t model = CC_BE; model <= CC_CAC; model++) {
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
	size_t config = r->rac ? CC_PARETO_HIGH : piece % CC_NCONFIGS;
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
			sim_paper_value(&s->paper,
					"market configuration=pareto-high "
					"model=CAC",
					"100 * rejections");
	return run_pieces(s, true, size, progress, err);
}

/* ---- sensitivity ---- */

/* One point, with the first seeds.
 * Result: 1, 0 if these options do not go together, or -1.
 */
static int try_variant(const struct cc_study *s,
		       const struct cc_variant *variant,
		       struct cc_sensitivity *out, struct progress *progress,
		       struct libra_error *err)
{
	size_t most = (size_t)s->options[MARKET_SENSITIVITY];
	struct cc_study v = *s;
	int rc;

	v.paper.designs.owner = &v;
	v.nseeds = most < s->nseeds ? most : s->nseeds;
	v.paper.designs.nseeds = v.nseeds;
	v.values = NULL;
	for (size_t i = 0; variant && i < variant->n; i++)
		v.options[variant->settings[i].option] =
			variant->settings[i].value;
	if (market_check(v.options, NULL) < 0) {
		progress->done += STEPS * v.nseeds;
		return 0;
	}
	out->variant = variant;
	rc = measure(&v, progress, err);
	if (rc == 0) {
		claims_judge(v.paper.claims.claims + MODEL_NCLAIMS, CC_NCLAIMS,
			     &v, out->results);
		for (size_t i = 0; i < CC_NSUMMARY; i++)
			out->values[i] =
				sim_paper_value(&v.paper, "", cc_summary[i]);
		out->positive = cc_positive(&v);
	}
	free(v.values);
	return rc < 0 ? -1 : 1;
}

/* The report's own point first, then each variant, all with the same seeds. */
static int vary(struct cc_study *s, struct progress *progress,
		struct libra_error *err)
{
	if (s->options[MARKET_SENSITIVITY] == 0)
		return 0;
	s->sensitivity = calloc(NVARIANTS + 1, sizeof(*s->sensitivity));
	if (!s->sensitivity)
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t i = 0; i <= NVARIANTS; i++) {
		int tried = try_variant(s, i ? &variants[i - 1] : NULL,
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
		return model_study_init(&s->models, NULL, options,
					s->paper.run->seeds[0], err);
	if (sim_series_init(&series, &s->paper.source.trace, SIM_SIZE_ALLOCATED,
			    err) < 0)
		return -1;
	rc = model_study_init(&s->models, &series, options,
			      s->paper.run->seeds[0], err);
	sim_series_fini(&series);
	return rc;
}

int cc_measure(void *study, struct libra_error *err)
{
	struct cc_study *s = study;
	size_t most = (size_t)s->options[MARKET_SENSITIVITY];
	size_t varied = most < s->nseeds ? most : s->nseeds;
	struct progress progress = {
		.run = s->paper.run,
		.total = STEPS * s->nseeds,
	};

	if (varied > 0)
		progress.total += STEPS * varied * (NVARIANTS + 1);
	if (measure_models(s, err) < 0 || measure(s, &progress, err) < 0)
		return -1;
	return vary(s, &progress, err);
}
