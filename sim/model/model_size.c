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
#define MAX_VALUES   24

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
	{"values", LIBRA_PARAM_INTEGER, "", 6, 1, MAX_VALUES,
	 "How many sizes there are"},
	{"first", LIBRA_PARAM_INTEGER, "log2", 3, 0, MAX_EXPONENT,
	 "The smallest size is 2 to this power"},
};

struct weights {
	double w[MAX_VALUES], total;
	int n, first;
};

static void binbin_weights(const double *p, struct weights *ws)
{
	*ws = (struct weights){.first = (int)p[0]};
	for (int i = 0; i < MODEL_BINBIN_NWEIGHTS; i++) {
		ws->w[i] = p[i + 1];
		ws->total += p[i + 1];
		if (p[i + 1] > 0)
			ws->n = i + 1;
	}
}

static void zipf_weights(const double *p, struct weights *ws)
{
	*ws = (struct weights){.first = (int)p[2], .n = (int)p[1]};
	for (int i = 0; i < ws->n; i++) {
		ws->w[i] = pow(i + 1, -p[0]);
		ws->total += ws->w[i];
	}
}

/* Return P(X <= x) of a distribution by weights. */
static double weights_cdf(const struct weights *ws, double x)
{
	double sum = 0;

	for (int i = 0; i < ws->n; i++) {
		if (x < ldexp(1, ws->first + i))
			return sum / ws->total;
		sum += ws->w[i];
	}
	return 1;
}

/* Return the least value whose CDF is at least u. */
static double weights_quantile(const struct weights *ws, double u)
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

/* Return E(X^order) of a distribution by weights. */
static double weights_moment(const struct weights *ws, int order)
{
	double sum = 0;

	for (int i = 0; i < ws->n; i++)
		sum += ws->w[i] * ldexp(1, order * (ws->first + i));
	return sum / ws->total;
}

static size_t weights_support(const struct weights *ws, double *values)
{
	size_t n = 0;

	for (int i = 0; i < ws->n; i++)
		if (ws->w[i] > 0)
			values[n++] = ldexp(1, ws->first + i);
	return n;
}

int model_binbin_check(const double *p, struct libra_error *err)
{
	struct weights ws;

	binbin_weights(p, &ws);
	if (!(ws.total > 0))
		return libra_errf(err, EINVAL,
				  "model binbin: all weights are 0");
	return 0;
}

double model_binbin_cdf(const double *p, double x)
{
	struct weights ws;

	binbin_weights(p, &ws);
	return weights_cdf(&ws, x);
}

double model_binbin_quantile(const double *p, double u)
{
	struct weights ws;

	binbin_weights(p, &ws);
	return weights_quantile(&ws, u);
}

double model_binbin_moment(const double *p, int order)
{
	struct weights ws;

	binbin_weights(p, &ws);
	return weights_moment(&ws, order);
}

size_t model_binbin_support(const double *p, double *values)
{
	struct weights ws;

	binbin_weights(p, &ws);
	return weights_support(&ws, values);
}

double model_zipf_cdf(const double *p, double x)
{
	struct weights ws;

	zipf_weights(p, &ws);
	return weights_cdf(&ws, x);
}

double model_zipf_quantile(const double *p, double u)
{
	struct weights ws;

	zipf_weights(p, &ws);
	return weights_quantile(&ws, u);
}

double model_zipf_moment(const double *p, int order)
{
	struct weights ws;

	zipf_weights(p, &ws);
	return weights_moment(&ws, order);
}

size_t model_zipf_support(const double *p, double *values)
{
	struct weights ws;

	zipf_weights(p, &ws);
	return weights_support(&ws, values);
}
