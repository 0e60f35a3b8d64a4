/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * market.c - work plans of a computational market.
 *
 * The table of options, the checks, and the draws.  Each kind of draw has a
 * stream named market-..., so that an option changes only the numbers it is
 * about.  Only the split of budgets allocates, a sum for each user.
 */
#include "sim/market/market.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "core/policy/policies.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/model/model.h"

/* clang-format off */
const struct libra_param market_options[MARKET_NOPTIONS] = {
	{"hosts", LIBRA_PARAM_INTEGER, "", 15, 1, 10000,
	 "hosts of the market"},
	{"cpus", LIBRA_PARAM_NUMBER, "CPUs", 2, 0.01, 1e6, "CPUs of a host"},
	{"users", LIBRA_PARAM_INTEGER, "", 10, 1, 10000,
	 "users, with a budget each"},
	{"jobs", LIBRA_PARAM_INTEGER, "", 5, 1, 10000, "jobs of a user"},
	{"budget", LIBRA_PARAM_NUMBER, "credits", 100, 1e-6, 1e9,
	 "of a user, split by value x run time x processors"},
	{"min-procs", LIBRA_PARAM_INTEGER, "", 4, 1, 10000,
	 "smallest job, in hosts"},
	{"max-procs", LIBRA_PARAM_INTEGER, "", 10, 1, 10000,
	 "largest job, in hosts"},
	{"min-run", LIBRA_PARAM_NUMBER, "s", 120, 1e-3, 1e7,
	 "shortest run time"},
	{"max-run", LIBRA_PARAM_NUMBER, "s", 960, 1e-3, 1e7,
	 "longest run time"},
	{"polylin", LIBRA_PARAM_SWITCH, "", 0, 0, 1,
	 "run times by PolyLin within these limits, instead of uniform"},
	{"low-min-gap", LIBRA_PARAM_NUMBER, "s", 90, 0, 1e7,
	 "shortest inter-arrival time under low load"},
	{"low-mean-gap", LIBRA_PARAM_NUMBER, "s", 153.66, 1e-3, 1e7,
	 "mean inter-arrival time under low load"},
	{"high-min-gap", LIBRA_PARAM_NUMBER, "s", 30, 0, 1e7,
	 "shortest inter-arrival time under high load"},
	{"high-mean-gap", LIBRA_PARAM_NUMBER, "s", 92.36, 1e-3, 1e7,
	 "mean inter-arrival time under high load"},
	{"max-gap", LIBRA_PARAM_NUMBER, "s", 480, 1e-3, 1e8,
	 "longer inter-arrival times count as so long"},
	{"normal-cv", LIBRA_PARAM_NUMBER, "", 0.25, 1e-3, 10,
	 "coefficient of variation of normal values (mean 1, positive)"},
	{"pareto-index", LIBRA_PARAM_NUMBER, "", 1.5, 0.1, 100,
	 "index of Pareto values (minimum 1)"},
	{"promise", LIBRA_PARAM_NUMBER, "CPUs", 0.75, 0.01, 1e6,
	 "CPUs of each host that a job is promised for its run time; its work "
	 "is as much"},
	{"most", LIBRA_PARAM_NUMBER, "CPUs", 1, 0, 1e6,
	 "CPUs of a host that a job can use; 0 = all of them"},
	{"strict", LIBRA_PARAM_SWITCH, "", 0, 0, 1,
	 "what a job cannot use of its share is lost, not the others'"},
	{"least", LIBRA_PARAM_NUMBER, "CPUs", 0, 0, 1e6,
	 "CPUs of a host that a job must get at the present price"},
	{"pooled", LIBRA_PARAM_SWITCH, "", 0, 0, 1,
	 "the parts of a job share its work, instead of each having its own"},
	{"ends", LIBRA_PARAM_INTEGER, "", 0, 0, 2,
	 "a part of a job ends when its work is done (0), when all of the job "
	 "is (1), or at the deadline (2)"},
	{"charge", LIBRA_PARAM_NUMBER, "", 0.12, 0, 1,
	 "what a run up to the deadline costs, as a part of the job's value"},
	LIBRA_PARAM_GUARANTEE,
	LIBRA_PARAM_ONE_SIDED("one-sided"),
	LIBRA_PARAM_PRICE_WINDOW(600),
	LIBRA_PARAM_FLOOR,
	{"watched", LIBRA_PARAM_NUMBER, "%", 50, 1, 100,
	 "part of the hosts, the cheapest first, whose mean is the price"},
	{"reject", LIBRA_PARAM_NUMBER, "%", 0, 0, 100,
	 "random rejections; 0 = as many as CAC's with Pareto values under "
	 "high load"},
	{"ratios", LIBRA_PARAM_SWITCH, "", 0, 0, 1,
	 "efficiency is the mean of the jobs' ratios to the optimum, as printed, "
	 "not the ratio of the sums"},
	{"bin", LIBRA_PARAM_NUMBER, "s", 300, 1, 1e7,
	 "averages of the price for the demand correlation"},
	{"sensitivity", LIBRA_PARAM_INTEGER, "", 40, 0, 1000,
	 "seeds at the most for the table over these options; 0 = no table"},
};
/* clang-format on */

/* Check that the lower one of two options is not the greater one. */
static int check_order(const double *options, enum market_option low,
		       enum market_option high, struct libra_error *err)
{
	if (options[low] <= options[high])
		return 0;
	return libra_errf(err, EINVAL, "%s is %g, above %s of %g",
			  market_options[low].name, options[low],
			  market_options[high].name, options[high]);
}

int market_check(const double *options, struct libra_error *err)
{
	static const enum market_option ordered[][2] = {
		{MARKET_MIN_PROCS, MARKET_MAX_PROCS},
		{MARKET_MAX_PROCS, MARKET_HOSTS},
		{MARKET_MIN_RUN_S, MARKET_MAX_RUN_S},
		{MARKET_LOW_MIN_GAP_S, MARKET_LOW_MEAN_GAP_S},
		{MARKET_HIGH_MIN_GAP_S, MARKET_HIGH_MEAN_GAP_S},
		{MARKET_LOW_MEAN_GAP_S, MARKET_MAX_GAP_S},
		{MARKET_HIGH_MEAN_GAP_S, MARKET_MAX_GAP_S},
	};

	for (int i = 0; i < MARKET_NOPTIONS; i++) {
		const struct libra_param *p = &market_options[i];

		if (!(options[i] >= p->min && options[i] <= p->max))
			return libra_errf(err, ERANGE,
					  "%s must be from %g to %g, not %g",
					  p->name, p->min, p->max, options[i]);
	}
	for (size_t i = 0; i < sizeof(ordered) / sizeof(ordered[0]); i++)
		if (check_order(options, ordered[i][0], ordered[i][1], err) < 0)
			return -1;
	if (options[MARKET_MOST] > 0 &&
	    check_order(options, MARKET_PROMISE, MARKET_MOST, err) < 0)
		return -1;
	return check_order(options, MARKET_PROMISE, MARKET_CPUS, err);
}

size_t market_njobs(const double *options)
{
	return (size_t)options[MARKET_USERS] * (size_t)options[MARKET_JOBS];
}

/* ---- inter-arrival times ---- */

static double cut_gap(double min_s, double scale, double max_s, double z)
{
	double gap_s = min_s + scale * z;

	return gap_s < max_s ? gap_s : max_s;
}

/* By the midpoint rule over the quantiles. */
static double mean_gap(const struct model *model, const double *quantiles,
		       size_t n, double min_s, double scale, double max_s)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += cut_gap(min_s, scale, max_s, quantiles[i]);
	return sum / (double)n;
}

double market_gap_scale(double min_s, double mean_s, double max_s)
{
	enum { POINTS = 1000, STEPS = 50 };
	static const char name[] = "hypweib";
	double quantiles[POINTS], low = 0, high = 1;
	struct model model;

	model_init(&model, model_find(name, NULL));
	for (int i = 0; i < POINTS; i++)
		quantiles[i] = model_quantile(&model, (i + 0.5) / POINTS);
	while (mean_gap(&model, quantiles, POINTS, min_s, high, max_s) <
		       mean_s &&
	       high < 1e9)
		high *= 2;
	for (int i = 0; i < STEPS; i++) {
		double mid = (low + high) / 2;

		if (mean_gap(&model, quantiles, POINTS, min_s, mid, max_s) <
		    mean_s)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

/* Set the submissions of all jobs by gaps from HypWeib, shifted, scaled and
 * cut.
 */
static void draw_gaps(const double *options, enum market_load load,
		      uint64_t seed, struct market_job *jobs, size_t n)
{
	bool low = load == MARKET_LOW;
	double min_s =
		options[low ? MARKET_LOW_MIN_GAP_S : MARKET_HIGH_MIN_GAP_S];
	double mean_s =
		options[low ? MARKET_LOW_MEAN_GAP_S : MARKET_HIGH_MEAN_GAP_S];
	double scale =
		market_gap_scale(min_s, mean_s, options[MARKET_MAX_GAP_S]);
	double at_s = 0;
	struct rng_stream rng;
	struct model model;

	model_init(&model, model_find("hypweib", NULL));
	rng_stream_init(&rng, seed, "market-gap", 0);
	for (size_t i = 0; i < n; i++) {
		jobs[i].job.submit_s = at_s;
		at_s += cut_gap(min_s, scale, options[MARKET_MAX_GAP_S],
				model_sample(&model, &rng));
	}
}

/* ---- sizes, run times, values, users ---- */

/* Draw a run time within its bounds, uniformly or by PolyLin. */
static double draw_run(const double *options, struct rng_stream *rng)
{
	double min_s = options[MARKET_MIN_RUN_S];
	double max_s = options[MARKET_MAX_RUN_S];
	double u = rng_uniform(rng), low, high;
	struct model model;

	if (options[MARKET_POLYLIN] == 0)
		return min_s + u * (max_s - min_s);
	model_init(&model, model_find("polylin", NULL));
	low = model_cdf(&model, min_s);
	high = model_cdf(&model, max_s);
	return fmin(fmax(model_quantile(&model, low + u * (high - low)), min_s),
		    max_s);
}

/* Draw the relative value of a job. */
static double draw_value(const double *options, enum market_values values,
			 struct rng_stream *rng)
{
	double value;

	switch (values) {
	case MARKET_EQUAL:
		break;
	case MARKET_NORMAL:
		do
			value = 1 + gsl_ran_gaussian(&rng->gsl,
						     options[MARKET_NORMAL_CV]);
		while (value <= 0);
		return value;
	case MARKET_PARETO:
		return pow(1 - rng_uniform(rng),
			   -1 / options[MARKET_PARETO_INDEX]);
	}
	return 1;
}

/* Draw size, run time and value of each job. */
static void draw_jobs(const double *options, enum market_values values,
		      uint64_t seed, struct market_job *jobs, size_t n)
{
	double min = options[MARKET_MIN_PROCS], max = options[MARKET_MAX_PROCS];
	struct rng_stream size, run, value;

	rng_stream_init(&size, seed, "market-size", 0);
	rng_stream_init(&run, seed, "market-run", 0);
	rng_stream_init(&value, seed, "market-value", (uint64_t)values);
	for (size_t i = 0; i < n; i++) {
		struct libra_job *job = &jobs[i].job;
		double run_s = draw_run(options, &run);

		job->id = i + 1;
		job->nprocs = (uint32_t)(min + floor(rng_uniform(&size) *
						     (max - min + 1)));
		job->estimate_s = options[MARKET_PROMISE] * run_s;
		job->deadline_s = job->submit_s + run_s;
		jobs[i].value = draw_value(options, values, &value);
	}
}

/* Every user has the same number of jobs, in an order by lot. */
static void draw_users(const double *options, uint64_t seed,
		       struct market_job *jobs, size_t n)
{
	struct rng_stream rng;

	rng_stream_init(&rng, seed, "market-user", 0);
	for (size_t i = 0; i < n; i++)
		jobs[i].job.user = (uint32_t)(i / (size_t)options[MARKET_JOBS]);
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)(rng_uniform(&rng) * (double)i);
		uint32_t user = jobs[i - 1].job.user;

		jobs[i - 1].job.user = jobs[k].job.user;
		jobs[k].job.user = user;
	}
}

static double weight(const struct market_job *job)
{
	return job->value * (job->job.deadline_s - job->job.submit_s) *
	       job->job.nprocs;
}

/* Split each user's budget over the jobs.  Result: 0, or -1 with ENOMEM. */
static int split_budgets(const double *options, struct market_job *jobs,
			 size_t n, struct libra_error *err)
{
	double *sum = calloc((size_t)options[MARKET_USERS], sizeof(*sum));

	if (!sum)
		return sim_no_memory(err);
	for (size_t i = 0; i < n; i++)
		sum[jobs[i].job.user] += weight(&jobs[i]);
	for (size_t i = 0; i < n; i++)
		jobs[i].job.budget = options[MARKET_BUDGET] * weight(&jobs[i]) /
				     sum[jobs[i].job.user];
	free(sum);
	return 0;
}

int market_draw(const double *options, enum market_load load,
		enum market_values values, uint64_t seed,
		struct market_job *jobs, struct libra_error *err)
{
	size_t n = market_njobs(options);

	for (size_t i = 0; i < n; i++)
		jobs[i] = (struct market_job){.value = 0};
	draw_gaps(options, load, seed, jobs, n);
	draw_jobs(options, values, seed, jobs, n);
	draw_users(options, seed, jobs, n);
	return split_budgets(options, jobs, n, err);
}

/* ---- utility ---- */

double market_inelastic(double done, double paid, double value)
{
	return (done >= 1 ? value : 0) - paid;
}

double market_elastic(double done, double paid, double value)
{
	return (done < 1 ? done : 1) * value - paid;
}
