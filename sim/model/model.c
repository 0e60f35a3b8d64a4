/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - the table of distributions and the functions for all of them.
 *
 * The distributions are in model_time.c (times) and model_size.c (sizes).
 */
#include "sim/model/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/suggest.h"
#include "sim/model/model_types.h"

const struct model_type model_types[] = {
	{
		.name = "hypweib",
		.title = "HypWeib",
		.summary = "mixture of a Weibull and the exponential of a "
			   "Weibull",
		.series = MODEL_IAT,
		.params = model_hypweib_params,
		.nparams = MODEL_HYPWEIB_NPARAMS,
		.cdf = model_hypweib_cdf,
		.quantile = model_hypweib_quantile,
		.sample = model_hypweib_sample,
		.moment = model_hypweib_moment,
	},
	{
		.name = "exponential",
		.title = "Exponential",
		.summary = "gaps of a Poisson process",
		.series = MODEL_IAT,
		.params = model_exponential_params,
		.nparams = MODEL_EXPONENTIAL_NPARAMS,
		.cdf = model_exponential_cdf,
		.quantile = model_exponential_quantile,
		.moment = model_exponential_moment,
	},
	{
		.name = "polylin",
		.title = "PolyLin",
		.summary = "parabola in the logarithm of the time as CDF",
		.series = MODEL_RUN,
		.params = model_polylin_params,
		.nparams = MODEL_POLYLIN_NPARAMS,
		.check = model_polylin_check,
		.cdf = model_polylin_cdf,
		.quantile = model_polylin_quantile,
		.moment = model_polylin_moment,
	},
	{
		.name = "gpareto",
		.title = "Pareto",
		.summary = "generalised Pareto",
		.series = MODEL_RUN,
		.params = model_gpareto_params,
		.nparams = MODEL_GPARETO_NPARAMS,
		.cdf = model_gpareto_cdf,
		.quantile = model_gpareto_quantile,
		.moment = model_gpareto_moment,
	},
	{
		.name = "binbin",
		.title = "BinBin",
		.summary = "histogram over powers of two",
		.series = MODEL_SIZE,
		.params = model_binbin_params,
		.nparams = MODEL_BINBIN_NPARAMS,
		.check = model_binbin_check,
		.weights = model_binbin_weights,
	},
	{
		.name = "zipf",
		.title = "Zipf",
		.summary = "truncated Zipf law over powers of two",
		.series = MODEL_SIZE,
		.params = model_zipf_params,
		.nparams = MODEL_ZIPF_NPARAMS,
		.weights = model_zipf_weights,
	},
};

const size_t model_ntypes = sizeof(model_types) / sizeof(model_types[0]);

static const char *const series_names[] = {
	[MODEL_IAT] = "iat",
	[MODEL_RUN] = "run",
	[MODEL_SIZE] = "size",
};

const char *model_series_name(enum model_series series)
{
	return series_names[series];
}

enum model_series model_series_find(const char *name)
{
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++)
		if (strcmp(series_names[s], name) == 0)
			return s;
	return 0;
}

const struct model_type *model_find(const char *name, struct libra_error *err)
{
	char suggestion[SIM_SUGGESTION_SIZE];
	const char *near = NULL;

	for (size_t i = 0; i < model_ntypes; i++) {
		if (strcmp(model_types[i].name, name) == 0)
			return &model_types[i];
		near = sim_nearer_name(name, near, model_types[i].name);
	}
	libra_errf(
		err, ENOENT, "unknown model '%s'%s", name,
		sim_suggestion(suggestion, near, " (see librasim model list)"));
	return NULL;
}

void model_init(struct model *model, const struct model_type *type)
{
	memset(model, 0, sizeof(*model));
	model->type = type;
	for (size_t i = 0; i < type->nparams; i++)
		model->p[i] = type->params[i].value;
}

/* One "PARAM=VALUE" of a model. */
static int set_param(struct model *model, char *text, struct libra_error *err)
{
	const struct model_type *type = model->type;
	struct libra_error why = {""};
	char *eq = strchr(text, '=');
	int i;

	if (!eq)
		return libra_errf(err, EINVAL,
				  "model %s: '%s' is not PARAM=VALUE",
				  type->name, text);
	*eq = '\0';
	i = libra_param_find(type->params, type->nparams, text, &why);
	if (i < 0 ||
	    libra_param_parse(&type->params[i], eq + 1, &model->p[i], &why))
		return libra_errf(err, errno, "model %s: %s", type->name,
				  why.text);
	return 0;
}

int model_parse(struct model *model, const char *spec, struct libra_error *err)
{
	char *copy = strdup(spec), *save = NULL, *word;
	const struct model_type *type;
	struct model parsed;
	int rc = -1;

	if (!copy)
		return sim_no_memory(err);
	word = strtok_r(copy, ":", &save);
	type = model_find(word ? word : "", err);
	if (!type)
		goto out;
	model_init(&parsed, type);
	while ((word = strtok_r(NULL, ":", &save)))
		if (set_param(&parsed, word, err))
			goto out;
	if (model_check(&parsed, err))
		goto out;
	*model = parsed;
	rc = 0;
out:
	free(copy);
	return rc;
}

int model_check(const struct model *model, struct libra_error *err)
{
	const struct model_type *type = model->type;

	for (size_t i = 0; i < type->nparams; i++) {
		const struct libra_param *par = &type->params[i];
		double v = model->p[i];

		if (!(v >= par->min && v <= par->max))
			return libra_errf(err, ERANGE,
					  "model %s: %s must be from %g to "
					  "%g, not %g",
					  type->name, par->name, par->min,
					  par->max, v);
		if (par->type == LIBRA_PARAM_INTEGER && v != floor(v))
			return libra_errf(err, EINVAL,
					  "model %s: %s must be a whole "
					  "number, not %g",
					  type->name, par->name, v);
	}
	return type->check ? type->check(model->p, err) : 0;
}

double model_cdf(const struct model *model, double x)
{
	struct model_weights ws;

	if (!model->type->weights)
		return model->type->cdf(model->p, x);
	model->type->weights(model->p, &ws);
	return model_weights_cdf(&ws, x);
}

double model_quantile(const struct model *model, double u)
{
	struct model_weights ws;

	if (!model->type->weights)
		return model->type->quantile(model->p, u);
	model->type->weights(model->p, &ws);
	return model_weights_quantile(&ws, u);
}

double model_sample(const struct model *model, struct rng_stream *rng)
{
	double u = rng_uniform(rng);

	return model->type->sample ? model->type->sample(model->p, u)
				   : model_quantile(model, u);
}

static double moment(const struct model *model, int order)
{
	struct model_weights ws;

	if (!model->type->weights)
		return model->type->moment(model->p, order);
	model->type->weights(model->p, &ws);
	return model_weights_moment(&ws, order);
}

double model_mean(const struct model *model)
{
	return moment(model, 1);
}

double model_cv(const struct model *model)
{
	double m1 = moment(model, 1);
	double m2 = moment(model, 2);

	if (isinf(m2))
		return INFINITY;
	return sqrt(fmax(0, m2 - m1 * m1)) / m1;
}

size_t model_values(const struct model *model, double values[MODEL_MAX_VALUES])
{
	struct model_weights ws;

	model->type->weights(model->p, &ws);
	return model_weights_values(&ws, values);
}

double model_distance(const struct model *a, const struct model *b)
{
	double x[2 * MODEL_MAX_VALUES], d = 0;
	size_t n;

	if (!a->type->weights || !b->type->weights)
		return NAN;
	n = model_values(a, x);
	n += model_values(b, x + n);
	/* Both are steps, so the supremum is at one of the jumps. */
	for (size_t i = 0; i < n; i++)
		d = fmax(d, fabs(model_cdf(a, x[i]) - model_cdf(b, x[i])));
	return d;
}

int model_print(const struct model *model, char *buf, size_t size)
{
	const struct model_type *type = model->type;
	int n = snprintf(buf, size, "%s", type->name);

	for (size_t i = 0; i < type->nparams; i++) {
		char num[40];

		/* Leave out defaults without meaning: empty classes of a
		 * histogram, a threshold of 0.
		 */
		if (model->p[i] == type->params[i].value && model->p[i] == 0)
			continue;
		for (int digits = 6; digits <= 17; digits++) {
			snprintf(num, sizeof(num), "%.*g", digits, model->p[i]);
			if (strtod(num, NULL) == model->p[i])
				break;
		}
		n += snprintf(buf + n, (size_t)n < size ? size - n : 0,
			      ":%s=%s", type->params[i].name, num);
	}
	return n;
}
