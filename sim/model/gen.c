/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen.c - drawing jobs and writing them; see gen.h.
 *
 * A time longer than the plan allows is drawn again from the same stream, so
 * later jobs move to other numbers of that stream but not of the others.
 */
#include "sim/model/gen.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

const struct libra_param gen_options[GEN_NOPTIONS] = {
	[GEN_PROCS] =
		{"procs", LIBRA_PARAM_INTEGER, "", 0, 0, 2147483647,
		 "Processors of the machine; 0: those of the largest job"},
	[GEN_ARRIVAL_DELAY] = {"arrival-delay", LIBRA_PARAM_NUMBER, "", 1, 0,
			       1e6, "Factor on the inter-arrival times"},
	[GEN_MAX_TIME_S] = {"max-time", LIBRA_PARAM_NUMBER, "s", 31536000, 1,
			    1e9,
			    "Draw longer gaps and run times again: a Pareto "
			    "distribution has no upper limit"},
	[GEN_DECIMALS] = {"decimals", LIBRA_PARAM_INTEGER, "", 0, 0, 6,
			  "Decimals of the seconds"},
	[GEN_USERS] = {"users", LIBRA_PARAM_INTEGER, "", 0, 0, 1000000,
		       "Number of users, equally frequent; 0: write none"},
	[GEN_ESTIMATES] = {"estimates", LIBRA_PARAM_SWITCH, "", 0, 0, 1,
			   "Write the run time as the user's estimate, too"},
};

void gen_plan_init(struct gen_plan *plan)
{
	static const char *const types[] = {
		[MODEL_IAT] = "hypweib",
		[MODEL_RUN] = "polylin",
		[MODEL_SIZE] = "binbin",
	};

	*plan = (struct gen_plan){.njobs = 1000, .seed = 1};
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++)
		model_init(&plan->model[s], model_find(types[s], NULL));
	for (size_t i = 0; i < GEN_NOPTIONS; i++)
		plan->options[i] = gen_options[i].value;
}

/* The greatest value of a discrete model. */
static double largest(const struct model *model)
{
	double at[MODEL_MAX_VALUES];
	size_t n = model_values(model, at);

	return at[n - 1];
}

/* Return the processors of the machine: the option, else the largest size. */
static double procs_of(const struct gen_plan *plan)
{
	double procs = plan->options[GEN_PROCS];

	return procs > 0 ? procs : largest(&plan->model[MODEL_SIZE]);
}

/* Check that enough draws of a model of times are within the limit. */
static int check_times(const struct gen_plan *plan, enum model_series series,
		       struct libra_error *err)
{
	const struct model *m = &plan->model[series];
	double below = model_cdf(m, plan->options[GEN_MAX_TIME_S]);

	if (below >= 0.01)
		return 0;
	return libra_errf(err, ERANGE,
			  "model %s for %s: only a share of %.2g of the draws "
			  "is at most %g s: raise --max-time",
			  m->type->name, model_series_name(series), below,
			  plan->options[GEN_MAX_TIME_S]);
}

int gen_plan_check(const struct gen_plan *plan, struct libra_error *err)
{
	const struct model *size = &plan->model[MODEL_SIZE];

	if (plan->njobs == 0)
		return libra_errf(err, EINVAL, "the number of jobs is 0");
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++)
		if (model_check(&plan->model[s], err))
			return -1;
	if (!size->type->weights)
		return libra_errf(err, EINVAL,
				  "model %s does not give whole processors: "
				  "use binbin or zipf for sizes",
				  size->type->name);
	if (largest(size) > procs_of(plan))
		return libra_errf(err, ERANGE,
				  "model %s has jobs of %.0f processors, but "
				  "the machine has %.0f (--procs)",
				  size->type->name, largest(size),
				  procs_of(plan));
	if (check_times(plan, MODEL_IAT, err) ||
	    check_times(plan, MODEL_RUN, err))
		return -1;
	return 0;
}

/* A time of at most max-time; gen_plan_check() made sure that there are enough.
 */
static double draw_time(const struct gen_plan *plan, enum model_series series,
			struct rng_stream *rng)
{
	double x;

	do
		x = model_sample(&plan->model[series], rng);
	while (!(x <= plan->options[GEN_MAX_TIME_S]));
	return x;
}

void gen_jobs(const struct gen_plan *plan, struct gen_job *jobs)
{
	double unit = pow(10, -plan->options[GEN_DECIMALS]), at = 0;
	double users = plan->options[GEN_USERS];
	struct rng_stream iat, run, size, user;

	rng_stream_init(&iat, plan->seed, "gen/iat", 0);
	rng_stream_init(&run, plan->seed, "gen/run", 0);
	rng_stream_init(&size, plan->seed, "gen/size", 0);
	rng_stream_init(&user, plan->seed, "gen/user", 0);
	for (size_t i = 0; i < plan->njobs; i++) {
		struct gen_job *j = &jobs[i];

		/* Round the sum, not each gap, so that errors do not add up. */
		if (i > 0)
			at += draw_time(plan, MODEL_IAT, &iat) *
			      plan->options[GEN_ARRIVAL_DELAY];
		j->submit_s = round(at / unit) * unit;
		j->run_s = draw_time(plan, MODEL_RUN, &run);
		j->run_s = fmax(1, round(j->run_s / unit)) * unit;
		j->procs =
			(int32_t)model_sample(&plan->model[MODEL_SIZE], &size);
		j->user = -1;
		if (users > 0)
			j->user = 1 + (int32_t)(rng_uniform(&user) * users);
	}
}

/* Write the header: models, seed and options. */
static void write_header(const struct gen_plan *plan, FILE *fp)
{
	fprintf(fp, "; Version: 2.2\n");
	fprintf(fp, "; Computer: none, drawn from models by librasim gen\n");
	fprintf(fp, "; MaxJobs: %zu\n; MaxRecords: %zu\n", plan->njobs,
		plan->njobs);
	fprintf(fp, "; MaxProcs: %.0f\n", procs_of(plan));
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++) {
		char spec[1024];

		model_print(&plan->model[s], spec, sizeof(spec));
		fprintf(fp, "; Note: %s %s\n", model_series_name(s), spec);
	}
	fprintf(fp, "; Note: seed %" PRIu64, plan->seed);
	for (size_t i = 0; i < GEN_NOPTIONS; i++)
		fprintf(fp, ", %s %.15g", gen_options[i].name,
			plan->options[i]);
	fputc('\n', fp);
}

void gen_write(const struct gen_plan *plan, const struct gen_job *jobs,
	       FILE *fp)
{
	int digits = (int)plan->options[GEN_DECIMALS];

	write_header(plan, fp);
	for (size_t i = 0; i < plan->njobs; i++) {
		const struct gen_job *j = &jobs[i];

		fprintf(fp, "%zu %.*f -1 %.*f %d -1 -1 %d ", i + 1, digits,
			j->submit_s, digits, j->run_s, j->procs, j->procs);
		if (plan->options[GEN_ESTIMATES] > 0)
			fprintf(fp, "%.*f", digits, j->run_s);
		else
			fprintf(fp, "-1");
		fprintf(fp, " -1 1 %d -1 -1 -1 -1 -1 -1\n", j->user);
	}
}
