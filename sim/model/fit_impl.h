/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit_impl.h - what the files behind fit.h share: the prepared sample, and the
 * search.
 */
#ifndef SIM_FIT_IMPL_H
#define SIM_FIT_IMPL_H

#include <stddef.h>

#include "core/error.h"
#include "sim/model/fit.h"

/* Equal numbers of the sample, and the interval that they were rounded from. */
struct fit_cell {
	double at, lo, hi; /* the model's P is F(hi) - F(lo) */
	double count;
};

/* A point of the empirical CDF. */
struct fit_point {
	double x, cdf;
};

struct fit_data {
	struct fit_cell *cells;
	size_t ncells;
	double total; /* sum of the counts */
	struct fit_point *grid;
	size_t ngrid;
	size_t left_out;
	size_t nexponents; /* sizes: powers of two from 2^first on */
	int first;
	const double *options; /* FIT_NOPTIONS */
	double defaults[FIT_NOPTIONS];
};

/* Prepare a sorted sample for a type.
 * Errno:  ENOMEM, EDOM (no size is frequent enough).
 * Owner:  the caller calls fit_data_fini(); after an error it need not.
 */
int fit_data_init(struct fit_data *data, const struct model_type *type,
		  const double *sorted, size_t n, const double *options,
		  struct libra_error *err);
void fit_data_fini(struct fit_data *data);

/* -log likelihood per number; root mean square difference of the CDFs. */
double fit_loss_ml(const struct model *model, const struct fit_data *data);
double fit_loss_lsq(const struct model *model, const struct fit_data *data);

/* Minimise the loss of r->method over the parameters of r->model by GSL's
 * simplex; sets model, loss and iterations.
 * Errno:  ECANCELED (no convergence), ENOMEM.
 */
int fit_search(struct fit_result *r, const struct fit_data *data,
	       struct libra_error *err);

#endif
