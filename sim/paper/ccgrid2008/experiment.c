/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - the market paper: its runs. */
#include "sim/paper/ccgrid2008/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
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

#define R(value_, title_)                                                      \
	{                                                                      \
		.title = title_, .value = value_                               \
	}
const struct design_level cc_readings[CC_NREADINGS] = {
	R(0, "as in the report"),
	R(1, "as in the report"),
	R(2, "promise 0.5"),
	R(3, "promise 0.6"),
	R(4, "promise 0.9"),
	R(5, "most 0"),
	R(6, "pooled 1"),
	R(7, "ends 1"),
	R(8, "ends 2"),
	R(9, "ends 2, promise 0.6"),
	R(10, "strict 1"),
	R(11, "floor 1"),
	R(12, "one-sided 0"),
	R(13, "guarantee 0"),
	R(14, "guarantee 0.8"),
	R(15, "watched 30"),
	R(16, "watched 100"),
	R(17, "window 1800"),
	R(18, "window 10000"),
	R(19, "polylin 1"),
	R(20, "normal-cv 0.1"),
	R(21, "normal-cv 0.5"),
	R(22, "pareto-index 1.1"),
	R(23, "pareto-index 2.5"),
	R(24, "ratios 1"),
	R(25, "charge 0"),
	R(26, "charge 0.25"),
	/* To the letter: eqs 4 and 5, the formula of efficiency. */
	R(27, "strict 1, floor 1, ratios 1, promise 0.67"),
	R(28, "strict 1, floor 1, ratios 1, promise 0.67, ends 1"),
	R(29, "strict 1, floor 1, ratios 1, promise 0.55, ends 2"),
};

/* Set the options that a title names. */
static void set_options(const char *title, double *options)
{
	char name[32];
	double value;
	int n;

	while (sscanf(title, " %31s %lf%n", name, &value, &n) == 2) {
		options[libra_param_find(market_options, MARKET_NOPTIONS, name,
					 NULL)] = value;
		title += n + strspn(title + n, ",");
	}
}

/* ---- numbers ---- */

double *cc_value(const struct cc_runs *r, size_t config, size_t model,
		 size_t metric, size_t seed)
{
	size_t place = (config * CC_NMODELS + model) * CC_NMETRICS;

	return &r->values[(place + metric) * r->nseeds + seed];
}

/* Return the place of the load that a seed's jobs offer. */
static double *load_at(const struct cc_runs *r, enum market_load load,
		       size_t seed)
{
	size_t place = CC_NCONFIGS * CC_NMODELS * CC_NMETRICS + (size_t)load;

	return &r->values[place * r->nseeds + seed];
}

/* ---- one repetition ---- */

/* One repetition: its jobs, and the results of the policy that ran last. */
struct bench {
	struct market_job *jobs;
	struct market_outcome *outcomes;
	bool *chosen;
	size_t n;
	struct market_optimum optimum;
	struct market_prices demand; /* the price under BE */
};

/* Allocate the jobs and outcomes of one repetition. */
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
		return sim_no_memory(err);
	return 0;
}

static void bench_fini(struct bench *b)
{
	free(b->jobs);
	free(b->outcomes);
	free(b->chosen);
	market_prices_fini(&b->demand);
}

/* Compute all metrics of a run from the outcomes. */
static void count(const struct cc_runs *r, const struct bench *b,
		  const struct market_truth *truth, double *m)
{
	double accepted = 0, fulfilled = 0, done = 0, q = 0, chosen = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct market_outcome *o = &b->outcomes[i];
		double value = b->jobs[i].job.budget;
		double paid = r->options[MARKET_CHARGE] * o->spent;
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

static void set_cell(const struct cc_runs *r, size_t seed,
		     struct design_cell *cell)
{
	for (size_t i = 0; i < cell->policy->nparams; i++)
		cell->params[i] = cell->policy->params[i].value;
	for (size_t i = 0; i < DESIGN_COUNT(settings); i++)
		design_param(cell, settings[i].param,
			     r->options[settings[i].option]);
	design_param(cell, "reject", r->reject_pct);
	design_param(cell, "seed",
		     (double)(r->seeds[seed] % ((uint64_t)1 << 53)));
}

/* Run one policy on the jobs of a bench, and store its metrics. */
static int run_model(const struct cc_runs *r, struct bench *b, size_t config,
		     size_t model, size_t seed, struct libra_error *err)
{
	struct design_cell cell = {
		.policy = libra_policy_find(policies[model], err)};
	struct market_prices prices = {.price = NULL};
	double m[CC_NMETRICS] = {0};
	struct market_truth truth;

	if (!cell.policy)
		return -1;
	set_cell(r, seed, &cell);
	if (market_run(b->jobs, b->n, r->options, cell.policy, cell.params,
		       b->outcomes, &truth, &prices, err) < 0) {
		market_prices_fini(&prices);
		return -1;
	}
	count(r, b, &truth, m);
	m[CC_CORRELATION] = gof_correlation(b->demand.price, prices.price,
					    b->demand.n < prices.n ? b->demand.n
								   : prices.n);
	for (size_t k = 0; k < CC_NMETRICS; k++)
		*cc_value(r, config, model, k, seed) = m[k];
	if (model == CC_BE)
		b->demand = prices;
	else
		market_prices_fini(&prices);
	return 0;
}

/* Store the offered load of a work plan. */
static void note_load(const struct cc_runs *r, const struct bench *b,
		      enum market_load load, size_t seed)
{
	const double *o = r->options;
	double mean_gap_s = o[load == MARKET_LOW ? MARKET_LOW_MEAN_GAP_S
						 : MARKET_HIGH_MEAN_GAP_S];
	double work = 0;

	for (size_t i = 0; i < b->n; i++)
		work += b->jobs[i].job.nprocs *
			(b->jobs[i].job.deadline_s - b->jobs[i].job.submit_s);
	*load_at(r, load, seed) =
		work / (double)b->n /
		(mean_gap_s * o[MARKET_HOSTS] * o[MARKET_CPUS]);
}

/* BE, SAC and CAC; or RAC alone, whose part of rejections is CAC's. */
static int repeat(const struct cc_runs *r, struct bench *b, size_t config,
		  size_t seed, bool rac, struct libra_error *err)
{
	enum market_load load = configs[config].load;

	market_prices_fini(&b->demand);
	if (market_draw(r->options, load, configs[config].values,
			r->seeds[seed], b->jobs, err) < 0 ||
	    market_optimum(b->jobs, b->n, r->options, &b->optimum, b->chosen,
			   err) < 0)
		return -1;
	if (!rac && configs[config].values == MARKET_PARETO)
		note_load(r, b, load, seed);
	for (size_t model = CC_BE; model <= CC_CAC; model++) {
		if (rac && model != CC_BE)
			continue; /* its price is what is compared with */
		if (run_model(r, b, config, model, seed, err) < 0)
			return -1;
	}
	return rac ? run_model(r, b, config, CC_RAC, seed, err) : 0;
}

/* One bar for all studies of a report. */
struct all_steps {
	const struct sim_paper_run *run;
	size_t done, total;
};

static void show(void *arg, double done, double total)
{
	struct all_steps *p = arg;

	if (p->run->progress)
		p->run->progress(p->run->progress_arg, (double)p->done + done,
				 (double)p->total);
}

/* All configurations of one seed; then RAC. */
#define STEPS (CC_NCONFIGS + 1)

struct repetitions {
	const struct cc_runs *runs;
	bool rac;
};

/* A piece of the work: one configuration with one seed, or RAC with one. */
static int run_piece(struct sim_workers *workers, void *arg, size_t piece,
		     void *shared, struct libra_error *err)
{
	const struct repetitions *all = arg;
	struct cc_runs r = *all->runs;
	size_t config = all->rac ? CC_PARETO_HIGH : piece % CC_NCONFIGS;
	size_t seed = all->rac ? piece : piece / CC_NCONFIGS;
	struct bench bench;
	int rc = bench_init(&bench, r.options, err), saved;

	r.values = shared;
	if (rc == 0)
		rc = repeat(&r, &bench, config, seed, all->rac, err);
	saved = errno;
	bench_fini(&bench);
	errno = saved;
	sim_workers_step(workers);
	return rc;
}

/* Run all repetitions in worker processes. */
static int run_pieces(const struct cc_runs *r, bool rac, size_t size,
		      struct all_steps *progress, struct libra_error *err)
{
	struct repetitions repetitions = {.runs = r, .rac = rac};
	size_t n = r->nseeds * (rac ? 1 : CC_NCONFIGS);
	struct sim_pieces pieces = {
		.n = n,
		.nsteps = n,
		.run = run_piece,
		.arg = &repetitions,
		.results = r->values,
		.size = size,
	};
	int rc = sim_workers_run(&pieces, progress->run->workers, show,
				 progress, err);

	progress->done += n;
	return rc;
}

static double mean_of(const struct cc_runs *r, const double *values)
{
	return study_stat_of(values, r->nseeds).mean;
}

/* Run all repetitions that have options and seeds. */
static int measure(struct cc_runs *r, struct all_steps *progress,
		   struct libra_error *err)
{
	size_t n = r->nseeds * (CC_NCONFIGS * CC_NMODELS * CC_NMETRICS + 2);
	size_t size = n * sizeof(*r->values);

	r->values = calloc(n, sizeof(*r->values));
	if (!r->values)
		return sim_no_memory(err);
	if (run_pieces(r, false, size, progress, err) < 0)
		return -1;
	for (int load = MARKET_LOW; load <= MARKET_HIGH; load++)
		r->load[load] = mean_of(r, load_at(r, load, 0));
	r->reject_pct = r->options[MARKET_REJECT_PCT];
	if (r->reject_pct == 0)
		r->reject_pct =
			100 * mean_of(r, cc_value(r, CC_PARETO_HIGH, CC_CAC,
						  CC_REJECTIONS, 0));
	return run_pieces(r, true, size, progress, err);
}

/* ---- the workload models: M1 to M13 ---- */

/* Measure the workload models on the paper's log, if it is there. */
static int measure_models(struct cc_study *s, struct libra_error *err)
{
	double options[MODEL_CHECK_NOPTIONS];
	struct sim_trace_series series;
	int rc;

	for (int i = 0; i < MODEL_CHECK_NOPTIONS; i++)
		options[i] = model_check_options[i].value;
	if (s->common.source.synthetic)
		return cc_models_measure(s, NULL, options, err);
	if (sim_series_init(&series, &s->common.source.trace,
			    SIM_SIZE_ALLOCATED, err) < 0)
		return -1;
	rc = cc_models_measure(s, &series, options, err);
	sim_series_fini(&series);
	return rc;
}

/* ---- all ---- */

/* The report's options, and those of each reading. */
static int set_up(struct cc_study *s, struct libra_error *err)
{
	const struct sim_paper_run *run = s->common.run;
	const double *o = run->params;
	size_t some = (size_t)o[MARKET_SENSITIVITY];

	if (market_check(o, err) < 0)
		return -1;
	for (size_t i = 0; i < CC_NREADINGS; i++) {
		struct cc_runs *r = &s->runs[i];

		r->seeds = run->seeds;
		r->nseeds = i && some < run->nseeds ? some : run->nseeds;
		memcpy(r->options, o, sizeof(r->options));
		if (i > 1)
			set_options(cc_readings[i].title, r->options);
		if (market_check(r->options, NULL) < 0)
			r->nseeds = 0;
	}
	return 0;
}

/* Texts call them by these names. */
static void set_numbers(struct sim_paper_study *s, const struct cc_runs *r)
{
	const double *o = r->options;

	sim_paper_set(s, "reject_pct", r->reject_pct);
	sim_paper_set(s, "low_load", r->load[MARKET_LOW]);
	sim_paper_set(s, "high_load", r->load[MARKET_HIGH]);
	sim_paper_set(s, "low_scale", /* of gaps */
		      market_gap_scale(o[MARKET_LOW_MIN_GAP_S],
				       o[MARKET_LOW_MEAN_GAP_S],
				       o[MARKET_MAX_GAP_S]));
	sim_paper_set(s, "high_scale",
		      market_gap_scale(o[MARKET_HIGH_MIN_GAP_S],
				       o[MARKET_HIGH_MEAN_GAP_S],
				       o[MARKET_MAX_GAP_S]));
	sim_paper_set(s, "rates_error", cc_rates_error());
	sim_paper_set(s, "eq18_error", cc_eq18_error());
	sim_paper_set(s, "critical_one",
		      gof_t_critical(0.05, CC_PAPER_SEEDS - 1, false));
	sim_paper_set(s, "critical_two",
		      gof_t_critical(0.05, CC_PAPER_SEEDS - 1, true));
}

int cc_measure(void *study, struct libra_error *err)
{
	struct cc_study *s = study;
	struct all_steps progress = {.run = s->common.run};

	if (set_up(s, err) < 0 || measure_models(s, err) < 0)
		return -1;
	for (size_t i = 0; i < CC_NREADINGS; i++)
		progress.total += STEPS * s->runs[i].nseeds;
	for (size_t i = 0; i < CC_NREADINGS; i++)
		if (s->runs[i].nseeds &&
		    measure(&s->runs[i], &progress, err) < 0)
			return -1;
	set_numbers(&s->common, &s->runs[0]);
	return 0;
}

void cc_fini(void *study)
{
	struct cc_study *s = study;

	for (size_t i = 0; i < CC_NREADINGS; i++)
		free(s->runs[i].values);
}
