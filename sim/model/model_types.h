/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_types.h - the functions in the table of model.h.
 *
 * Only model*.c include this header.  struct model_type describes arguments and
 * results: p are checked parameters in the order of the table, x and quantiles
 * are seconds or processors, u is in [0, 1].
 */
#ifndef SIM_MODEL_TYPES_H
#define SIM_MODEL_TYPES_H

#include <stddef.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/model/model.h"

/* Equation 1 as a mixture: X with probability weight, else exp(Y), where X ~
 * Weibull(scale1, shape1), Y ~ Weibull(scale2, shape2). */
#define MODEL_HYPWEIB_NPARAMS 5
extern const struct libra_param model_hypweib_params[MODEL_HYPWEIB_NPARAMS];
double model_hypweib_cdf(const double *p, double x);
double model_hypweib_quantile(const double *p, double u);
double model_hypweib_sample(const double *p, double u);
double model_hypweib_moment(const double *p, int order);

/* F = 1 - exp(-x / mean). */
#define MODEL_EXPONENTIAL_NPARAMS 1
extern const struct libra_param
	model_exponential_params[MODEL_EXPONENTIAL_NPARAMS];
double model_exponential_cdf(const double *p, double x);
double model_exponential_quantile(const double *p, double u);
double model_exponential_moment(const double *p, int order);

/* Equation 2: F = a x^2 + b x + c, x = ln(t / s), cut off at 0 and 1 on its
 * rising branch; with floor_s > 0 given that t >= floor_s. */
#define MODEL_POLYLIN_NPARAMS 4
extern const struct libra_param model_polylin_params[MODEL_POLYLIN_NPARAMS];
int model_polylin_check(const double *p, struct libra_error *err);
double model_polylin_cdf(const double *p, double x);
double model_polylin_quantile(const double *p, double u);
double model_polylin_moment(const double *p, int order);

/* F = 1 - (1 + shape (x - threshold) / scale)^(-1 / shape). */
#define MODEL_GPARETO_NPARAMS 3
extern const struct libra_param model_gpareto_params[MODEL_GPARETO_NPARAMS];
double model_gpareto_cdf(const double *p, double x);
double model_gpareto_quantile(const double *p, double u);
double model_gpareto_moment(const double *p, int order);

/* Equation 3: the value 2^(first + i) with a probability proportional to the
 * weight i, i from 0. */
#define MODEL_BINBIN_NWEIGHTS 16
#define MODEL_BINBIN_NPARAMS  (MODEL_BINBIN_NWEIGHTS + 1)
extern const struct libra_param model_binbin_params[MODEL_BINBIN_NPARAMS];
int model_binbin_check(const double *p, struct libra_error *err);
void model_binbin_weights(const double *p, struct model_weights *ws);

/* The value 2^(first + i) with a probability proportional to (i + 1)^-exponent,
 * i from 0 to values - 1. */
#define MODEL_ZIPF_NPARAMS 3
extern const struct libra_param model_zipf_params[MODEL_ZIPF_NPARAMS];
void model_zipf_weights(const double *p, struct model_weights *ws);

/* The functions of a type for the weights of a discrete one; values as those of
 * model_values().
 */
double model_weights_cdf(const struct model_weights *ws, double x);
double model_weights_quantile(const struct model_weights *ws, double u);
double model_weights_moment(const struct model_weights *ws, int order);
size_t model_weights_values(const struct model_weights *ws, double *values);

#endif
