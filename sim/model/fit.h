/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.h - fit the parameters of a model to a sample.
 *
 * Three methods, as in CCGrid 2008, section 2: maximum likelihood, least
 * squares on the CDF, histogram.  Logs hold whole seconds, so the likelihood is
 * that of the interval that a time was rounded from, which also covers a time
 * of 0; only the exponential has its mean in closed form.  Least squares
 * compare the CDFs at equal steps of the logarithm of the time.  PolyLin is
 * fitted by a linear fit from 30 s on, since shorter runs follow another rule;
 * the other models are fitted by a search.  Sizes are first rounded to powers
 * of two.  Results depend on the sample and the options alone.  The caller is
 * `librasim model fit`.
 */
#ifndef SIM_FIT_H
#define SIM_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/model/model.h"

#define FIT_MIN_VALUES 30 /* a smaller sample is refused */

enum fit_method {
	FIT_ML = 1,    /* maximum likelihood */
	FIT_LSQ,       /* least squares on the CDF */
	FIT_HISTOGRAM, /* relative frequencies */
};

/* Return the name of a method, "ml", "lsq" or "histogram"; find: the method of
 * a name, or 0.
 */
const char *fit_method_name(enum fit_method method);
enum fit_method fit_method_find(const char *name);

/* Return true if the type can be fitted by a method; first: the method that the
 * paper uses for the type.
 */
bool fit_has_method(const struct model_type *type, enum fit_method method);
enum fit_method fit_first_method(const struct model_type *type);

/* Options for choices that the paper leaves open, in the order of the table. */
enum fit_option {
	FIT_RESOLUTION_S = 0, /* times are rounded to multiples of this */
	FIT_FLOOR_S,	      /* PolyLin: compared from this time on */
	FIT_GRID,	      /* points of a least squares fit */
	FIT_MIN_DENSITY,      /* sizes rarer than this are left out */
	FIT_MAX_ITERATIONS,   /* of a search */
	FIT_NOPTIONS
};
extern const struct libra_param fit_options[FIT_NOPTIONS];

struct fit_result {
	struct model model;
	enum fit_method method;
	size_t used;	     /* numbers that took part */
	size_t left_out;     /* numbers below the floor or too rare */
	unsigned iterations; /* 0: closed form */
	double loss;	     /* ml: -log likelihood per number; lsq: root mean
				square difference of the CDFs; histogram: 0 */
};

/* Fit a type to a sorted sample.
 * Result: 0, or -1 with *result as it was.
 * Errno:  EINVAL (the type has no such method; a negative number, or one that
 *         is not finite), EDOM (fewer than FIT_MIN_VALUES numbers, or too few
 *         different ones), ECANCELED (no convergence within the iterations),
 *         ERANGE (the best parameters are outside the type's range), ENOMEM.
 * Owner:  options is an array of FIT_NOPTIONS, or NULL for the defaults.
 * Cost:   O(n) to prepare the sample; a search costs O(different numbers) for
 *         each of its iterations.
 */
int fit_model(const struct model_type *type, enum fit_method method,
	      const double *sorted, size_t n, const double *options,
	      struct fit_result *result, struct libra_error *err);

#endif
