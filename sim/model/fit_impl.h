/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit_impl.h - the prepared sample and the search, for the files fit*.c alone.
 *
 * fit_model() prepares the sample once, then a closed form or fit_search()
 * reads it.  One thread; nothing outlives the call.
 */
#ifndef SIM_FIT_IMPL_H
#define SIM_FIT_IMPL_H

#include <stddef.h>

#include "core/error.h"
#include "sim/model/fit.h"

/* The numbers of the sample that are equal to `at`, and the interval lo..hi
 * that rounds to it.
 */
struct fit_cell {
	double at, lo, hi; /* the model's probability: F(hi) - F(lo) */
	double count;
};

/* A point of the empirical CDF. */
struct fit_point {
	double x, cdf;
};

struct fit_data {
	struct fit_cell *cells;
	size_t ncells;
	double total;		/* sum of the counts */
	struct fit_point *grid; /* where least squares compare the CDFs */
	size_t ngrid;
	size_t left_out;   /* numbers below the floor or too rare */
	size_t nexponents; /* sizes: how many powers of two from 2^first on */
	int first;
	const double *options; /* FIT_NOPTIONS */
	double defaults[FIT_NOPTIONS];
};

/* Prepare a sorted sample for a type.  options NULL: the defaults.
 * Result: 0, or -1 with ENOMEM or EDOM (no size is frequent enough).
 * Owner:  the caller calls fit_data_fini(); after an error it need not.
 */
int fit_data_init(struct fit_data *data, const struct model_type *type,
		  const double *sorted, size_t n, const double *options,
		  struct libra_error *err);
void fit_data_fini(struct fit_data *data);

/* Return the loss of a model, which a fit minimises.  ml: -log likelihood per
 * number; lsq: root mean square difference of the CDFs.
 */
double fit_loss_ml(const struct model *model, const struct fit_data *data);
double fit_loss_lsq(const struct model *model, const struct fit_data *data);

/* Minimise the loss of r->method over the parameters of r->model by GSL's
 * simplex.  Set the model, loss and iterations of *r.
 * Result: 0, or -1 with ECANCELED (no convergence within the option's
 *         iterations) or ENOMEM.
 */
int fit_search(struct fit_result *r, const struct fit_data *data,
	       struct libra_error *err);

#endif
