/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_size.c - distributions of job sizes over powers of two: BinBin, Zipf.
 *
 * Both are a list of weights for the values 2^first, 2^(first + 1), ..., so
 * they differ only in how the weights come about.
 */
#include "sim/model/model_types.h"

#include <errno.h>
#include <math.h>

#define MAX_EXPONENT 24

#define WEIGHT(n, v)                                                           \
	{                                                                      \
		"w" #n, LIBRA_PARAM_NUMBER, "", v, 0, 1e12,                    \
			"Weight of the value number " #n                       \
			"; only proportions matter"                            \
	}

const struct libra_param model_binbin_params[] = {
	{"first", LIBRA_PARAM_INTEGER, "log2", 3, 0, MAX_EXPONENT,
	 "The smallest size is 2 to this power"},
	WEIGHT(1, 0.508),
	WEIGHT(2, 0.144),
	WEIGHT(3, 0.126),
	WEIGHT(4, 0.137),
	WEIGHT(5, 0.048),
	WEIGHT(6, 0.035),
	WEIGHT(7, 0),
	WEIGHT(8, 0),
	WEIGHT(9, 0),
	WEIGHT(10, 0),
	WEIGHT(11, 0),
	WEIGHT(12, 0),
	WEIGHT(13, 0),
	WEIGHT(14, 0),
	WEIGHT(15, 0),
	WEIGHT(16, 0),
};

const struct libra_param model_zipf_params[] = {
	{"exponent", LIBRA_PARAM_NUMBER, "", 1.4, 0, 100,
	 "Weights fall with the rank to this power"},
	{"values", LIBRA_PARAM_INTEGER, "", 6, 1, MODEL_MAX_VALUES,
	 "How many sizes there are"},
	{"first", LIBRA_PARAM_INTEGER, "log2", 3, 0, MAX_EXPONENT,
	 "The smallest size is 2 to this power"},
};

void model_binbin_weights(const double *p, struct model_weights *ws)
{
	*ws = (struct model_weights){.first = (int)p[0]};
	for (int i = 0; i < MODEL_BINBIN_NWEIGHTS; i++) {
		ws->w[i] = p[i + 1];
		ws->total += p[i + 1];
		if (p[i + 1] > 0)
			ws->n = i + 1;
	}
}

void model_zipf_weights(const double *p, struct model_weights *ws)
{
	*ws = (struct model_weights){.first = (int)p[2], .n = (int)p[1]};
	for (int i = 0; i < ws->n; i++) {
		ws->w[i] = pow(i + 1, -p[0]);
		ws->total += ws->w[i];
	}
}

double model_weights_cdf(const struct model_weights *ws, double x)
{
	double sum = 0;

	for (int i = 0; i < ws->n; i++) {
		if (x < ldexp(1, ws->first + i))
			return sum / ws->total;
		sum += ws->w[i];
	}
	return 1;
}

double model_weights_quantile(const struct model_weights *ws, double u)
{
	double sum = 0;

	for (int i = 0; i < ws->n - 1; i++) {
		sum += ws->w[i];
		/* The same quotient as in the CDF, so that the two agree at
		 * each jump. */
		if (ws->w[i] > 0 && u <= sum / ws->total)
			return ldexp(1, ws->first + i);
	}
	return ldexp(1, ws->first + ws->n - 1);
}

double model_weights_moment(const struct model_weights *ws, int order)
{
	double sum = 0;

	for (int i = 0; i < ws->n; i++)
		sum += ws->w[i] * ldexp(1, order * (ws->first + i));
	return sum / ws->total;
}

size_t model_weights_values(const struct model_weights *ws, double *values)
{
	size_t n = 0;

	for (int i = 0; i < ws->n; i++)
		if (ws->w[i] > 0)
			values[n++] = ldexp(1, ws->first + i);
	return n;
}

int model_binbin_check(const double *p, struct libra_error *err)
{
	struct model_weights ws;

	model_binbin_weights(p, &ws);
	if (!(ws.total > 0))
		return libra_errf(err, EINVAL,
				  "model binbin: all weights are 0");
	return 0;
}
