/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - distributions of inter-arrival times, run times and job sizes.
 *
 * The workload models of the market paper (CCGrid 2008, section 2: HypWeib,
 * PolyLin, BinBin) and the models that it compares them with, as one const
 * table.  Times are seconds, sizes processors.  Everything here is a pure
 * function of the parameters; random numbers come from the caller's stream.
 * Nothing has to be freed, and no thread or process shares anything.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/base/rng.h"

#define MODEL_MAX_PARAMS 20
#define MODEL_MAX_VALUES 24 /* of a discrete distribution */

/* The three series of numbers that describe a workload. */
enum model_series {
	MODEL_IAT = 1, /* inter-arrival times, s */
	MODEL_RUN,     /* run times, s */
	MODEL_SIZE,    /* processors of a job */
};
#define MODEL_NSERIES 3

/* Return the name of a series, "iat", "run" or "size"; find: the series of a
 * name, or 0.
 */
const char *model_series_name(enum model_series series);
enum model_series model_series_find(const char *name);

/* The probabilities of 2^first, 2^(first + 1), ...: w[i] / total. */
struct model_weights {
	double w[MODEL_MAX_VALUES], total;
	int n, first;
};

/* A type of distribution.  The functions take the parameters in the order of
 * the table and assume that model_check() accepted them.
 */
struct model_type {
	const char *name;  /* as typed: "hypweib" */
	const char *title; /* as printed: "HypWeib" */
	const char *summary;
	enum model_series series;	  /* the series it models by default */
	const struct libra_param *params; /* defaults: the paper's values */
	size_t nparams;
	/* Checks beyond the ranges of the table; NULL if there are none. */
	int (*check)(const double *p, struct libra_error *err);
	/* Discrete types have weights, and no function below. */
	void (*weights)(const double *p, struct model_weights *ws);
	double (*cdf)(const double *p, double x); /* P(X <= x) */
	/* Smallest x with cdf(x) >= u; u in [0, 1]. */
	double (*quantile)(const double *p, double u);
	/* Turn a uniform number in [0, 1) into a draw; NULL: by quantile. */
	double (*sample)(const double *p, double u);
	/* E(X^order), order 1 or 2; INFINITY if there is none. */
	double (*moment)(const double *p, int order);
};

extern const struct model_type model_types[];
extern const size_t model_ntypes;

/* A distribution: a type and its parameters.  A plain value. */
struct model {
	const struct model_type *type;
	double p[MODEL_MAX_PARAMS];
};

/* Find a type by its name.
 * Result: a constant, or NULL with ENOENT; the text suggests the nearest name.
 */
const struct model_type *model_find(const char *name, struct libra_error *err);

/* Set a model to a type with the default parameters of its table. */
void model_init(struct model *model, const struct model_type *type);

/* Read "NAME[:PARAM=VALUE...]"; parameters not named keep their defaults.
 * Result: 0, or -1 with err.
 * Errno:  ENOENT (no such type or parameter), EINVAL (not a number, or a
 *         combination that is no distribution), ERANGE (a parameter is out of
 *         its range), ENOMEM.
 */
int model_parse(struct model *model, const char *spec, struct libra_error *err);

/* Check that the parameters give a distribution: the ranges of the table, then
 * the type's own check.
 * Result: 0, or -1 with ERANGE (a range) or EINVAL (the type's own check).
 */
int model_check(const struct model *model, struct libra_error *err);

/* Return P(X <= x); quantile: the least x with cdf(x) >= u, u in [0, 1]. */
double model_cdf(const struct model *model, double x);
double model_quantile(const struct model *model, double u);

/* Return one draw, which takes one number from the stream. */
double model_sample(const struct model *model, struct rng_stream *rng);

/* Return the mean; INFINITY if there is none, NAN if it cannot be computed. */
double model_mean(const struct model *model);

/* Return the coefficient of variation, standard deviation / mean. */
double model_cv(const struct model *model);

/* Write the values that a discrete model has, in rising order.
 * Result: how many.
 */
size_t model_values(const struct model *model, double values[MODEL_MAX_VALUES]);

/* Return the largest difference of two discrete distributions' cdfs (claim M7
 * in sim/paper/ccgrid2008/claims.txt).
 * Result: NAN if one of them is not discrete.
 */
double model_distance(const struct model *a, const struct model *b);

/* Write "NAME:PARAM=VALUE..." such that model_parse() gives the same doubles.
 * Result: the length of the whole text, as snprintf(); buf has what fits.
 */
int model_print(const struct model *model, char *buf, size_t size);

#endif
