/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_time.c - distributions of times: HypWeib, exponential, PolyLin, Pareto.
 *
 * Weibull parameters are in the order (scale, shape); logarithms are natural.
 */
#include "sim/model/model_types.h"

#include <errno.h>
#include <math.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>

#define LEAST 1e-9
#define MOST  1e12

const struct libra_param model_hypweib_params[] = {
	{"weight", LIBRA_PARAM_NUMBER, "", 0.29, 0, 1,
	 "Share of the short times, those of the plain Weibull"},
	{"scale1", LIBRA_PARAM_NUMBER, "s", 16.1489, LEAST, MOST,
	 "Scale of the plain Weibull"},
	{"shape1", LIBRA_PARAM_NUMBER, "", 1.3462, LEAST, 1000,
	 "Shape of the plain Weibull"},
	{"scale2", LIBRA_PARAM_NUMBER, "ln s", 5.93123, LEAST, 100,
	 "Scale of the Weibull in the exponent"},
	{"shape2", LIBRA_PARAM_NUMBER, "", 4.95969, LEAST, 1000,
	 "Shape of the Weibull in the exponent"},
};

const struct libra_param model_exponential_params[] = {
	{"mean", LIBRA_PARAM_NUMBER, "s", 378.648, LEAST, MOST, "Mean"},
};

const struct libra_param model_polylin_params[] = {
	{"a", LIBRA_PARAM_NUMBER, "", -0.0125, -1000, 1000,
	 "Factor of the squared logarithm"},
	{"b", LIBRA_PARAM_NUMBER, "", 0.3018, -1000, 1000,
	 "Factor of the logarithm"},
	{"c", LIBRA_PARAM_NUMBER, "", -0.8184, -MOST, MOST, "Constant"},
	{"floor_s", LIBRA_PARAM_NUMBER, "s", 0, 0, MOST,
	 "Times below this are left out; 0 keeps all"},
};

const struct libra_param model_gpareto_params[] = {
	{"shape", LIBRA_PARAM_NUMBER, "", 1.77332, -100, 100,
	 "Shape; the mean is infinite from 1 on"},
	{"scale", LIBRA_PARAM_NUMBER, "s", 213.171, LEAST, MOST, "Scale"},
	{"threshold", LIBRA_PARAM_NUMBER, "s", 0, 0, MOST, "Smallest time"},
};

double model_hypweib_cdf(const double *p, double x)
{
	double f = 0;

	if (x > 0)
		f += p[0] * gsl_cdf_weibull_P(x, p[1], p[2]);
	if (x > 1)
		f += (1 - p[0]) * gsl_cdf_weibull_P(log(x), p[3], p[4]);
	return f;
}

double model_hypweib_quantile(const double *p, double u)
{
	double x1 = gsl_cdf_weibull_Pinv(u, p[1], p[2]);
	double x2 = exp(gsl_cdf_weibull_Pinv(u, p[3], p[4]));
	double lo, hi;

	if (p[0] == 1)
		return x1;
	if (p[0] == 0)
		return x2;
	if (u <= 0)
		return 0;
	if (u >= 1)
		return INFINITY;
	/* The mixture's quantile lies between those of its parts, so a
	 * bisection always has its bracket. */
	lo = fmin(x1, x2);
	hi = fmax(x1, x2);
	for (int i = 0; i < 200 && hi - lo > 1e-14 * hi; i++) {
		double mid = lo + (hi - lo) / 2;

		if (model_hypweib_cdf(p, mid) < u)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* Draw by composition: u chooses the part of the mixture, and u scaled to that
 * part is uniform. */
double model_hypweib_sample(const double *p, double u)
{
	if (u < p[0])
		return gsl_cdf_weibull_Pinv(u / p[0], p[1], p[2]);
	return exp(gsl_cdf_weibull_Pinv((u - p[0]) / (1 - p[0]), p[3], p[4]));
}

struct exp_weibull {
	double order, scale, shape;
};

/* E(exp(order Y)) over t = (Y / scale)^shape, which is exponential. */
static double exp_weibull_integrand(double t, void *arg)
{
	const struct exp_weibull *w = arg;

	return exp(w->order * w->scale * pow(t, 1 / w->shape) - t);
}

/* E(exp(order Y)) of Y ~ Weibull(scale, shape). */
static double exp_weibull_moment(int order, double scale, double shape)
{
	struct exp_weibull w = {order, scale, shape};
	gsl_function f = {exp_weibull_integrand, &w};
	gsl_integration_workspace *ws;
	double result, abserr;
	int rc;

	if (shape < 1 || (shape == 1 && order * scale >= 1))
		return INFINITY;
	ws = gsl_integration_workspace_alloc(1000);
	if (!ws)
		return NAN;
	rc = gsl_integration_qagiu(&f, 0, 0, 1e-9, 1000, ws, &result, &abserr);
	gsl_integration_workspace_free(ws);
	return rc ? NAN : result;
}

double model_hypweib_moment(const double *p, int order)
{
	double m = 0;

	if (p[0] > 0)
		m += p[0] * pow(p[1], order) * tgamma(1 + order / p[2]);
	if (p[0] < 1)
		m += (1 - p[0]) * exp_weibull_moment(order, p[3], p[4]);
	return m;
}

double model_exponential_cdf(const double *p, double x)
{
	return x > 0 ? gsl_cdf_exponential_P(x, p[0]) : 0;
}

double model_exponential_quantile(const double *p, double u)
{
	return u < 1 ? gsl_cdf_exponential_Pinv(u, p[0]) : INFINITY;
}

double model_exponential_moment(const double *p, int order)
{
	return order == 1 ? p[0] : 2 * p[0] * p[0];
}

/* Where the rising branch of the parabola takes the value v; NAN if it never
 * does. */
static double polylin_root(const double *p, double v)
{
	double disc = p[1] * p[1] - 4 * p[0] * (p[2] - v);

	if (disc < 0)
		return NAN;
	/* The first form needs no division by a, which may be 0. */
	if (p[1] > 0)
		return 2 * (v - p[2]) / (p[1] + sqrt(disc));
	return (-p[1] + sqrt(disc)) / (2 * p[0]);
}

/* The parabola cut off at 0 and 1. */
static double polylin_value(const double *p, double t)
{
	double x;

	if (!(t > 0))
		return 0;
	x = log(t);
	if (x <= polylin_root(p, 0))
		return 0;
	if (x >= polylin_root(p, 1))
		return 1;
	return (p[0] * x + p[1]) * x + p[2];
}

int model_polylin_check(const double *p, struct libra_error *err)
{
	double x0 = polylin_root(p, 0), x1 = polylin_root(p, 1);

	/* NAN fails too. */
	if (!(x0 < x1) || !(fabs(x0) < 700) || !(fabs(x1) < 700))
		return libra_errf(err, EINVAL,
				  "model polylin: a = %g, b = %g, c = %g is no "
				  "distribution: the parabola must rise from 0 "
				  "to 1",
				  p[0], p[1], p[2]);
	if (p[3] > 0 && log(p[3]) >= x1)
		return libra_errf(err, EINVAL,
				  "model polylin: floor_s = %g leaves nothing: "
				  "the largest time is %g s",
				  p[3], exp(x1));
	return 0;
}

double model_polylin_cdf(const double *p, double t)
{
	double low = p[3] > 0 ? polylin_value(p, p[3]) : 0;

	return fmax(0, (polylin_value(p, t) - low) / (1 - low));
}

double model_polylin_quantile(const double *p, double u)
{
	double low = p[3] > 0 ? polylin_value(p, p[3]) : 0;

	return exp(polylin_root(p, low + (1 - low) * u));
}

/* The antiderivative of t^order dF at t = exp(x), dF = (2 a x + b) dx. */
static double polylin_moment_at(const double *p, int order, double x)
{
	return exp(order * x) *
	       ((2 * p[0] * x + p[1]) / order - 2 * p[0] / (order * order));
}

double model_polylin_moment(const double *p, int order)
{
	double low = p[3] > 0 ? polylin_value(p, p[3]) : 0;
	double x0 = polylin_root(p, low), x1 = polylin_root(p, 1);

	return (polylin_moment_at(p, order, x1) -
		polylin_moment_at(p, order, x0)) /
	       (1 - low);
}

double model_gpareto_cdf(const double *p, double x)
{
	double z = (x - p[2]) / p[1];

	if (z <= 0)
		return 0;
	if (fabs(p[0]) < 1e-12)
		return -expm1(-z);
	if (p[0] * z <= -1)
		return 1;
	return -expm1(-log1p(p[0] * z) / p[0]);
}

double model_gpareto_quantile(const double *p, double u)
{
	double e = -log1p(-u);

	if (fabs(p[0]) < 1e-12)
		return p[2] + p[1] * e;
	return p[2] + p[1] * expm1(p[0] * e) / p[0];
}

double model_gpareto_moment(const double *p, int order)
{
	double mean, var;

	if (p[0] * order >= 1)
		return INFINITY;
	mean = p[2] + p[1] / (1 - p[0]);
	if (order == 1)
		return mean;
	var = pow(p[1] / (1 - p[0]), 2) / (1 - 2 * p[0]);
	return var + mean * mean;
}
