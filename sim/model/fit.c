/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.c - the methods of each type, and the closed forms.
 *
 * A table names the methods of each type, the paper's first.  The search is
 * fit_search.c; the sample as cells and CDF is fit_data.c.
 */
#include "sim/model/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>

#include "sim/model/fit_impl.h"

const struct libra_param fit_options[FIT_NOPTIONS] = {
	[FIT_RESOLUTION_S] = {"resolution", LIBRA_PARAM_NUMBER, "s", 1, 1e-6,
			      3600, "Multiples to which times are rounded"},
	[FIT_FLOOR_S] = {"floor", LIBRA_PARAM_NUMBER, "s", 30, 0, 1e9,
			 "Times below which PolyLin is not compared"},
	[FIT_GRID] = {"grid", LIBRA_PARAM_INTEGER, "", 1000, 10, 100000,
		      "Points at which a least squares fit compares"},
	[FIT_MIN_DENSITY] = {"min-density", LIBRA_PARAM_NUMBER, "", 0.03, 0,
			     0.5, "Share below which a size is left out"},
	[FIT_MAX_ITERATIONS] = {"max-iterations", LIBRA_PARAM_INTEGER, "", 5000,
				1, 1e6, "Steps after which a search gives up"},
};

static const char *const method_names[] = {
	[FIT_ML] = "ml", [FIT_LSQ] = "lsq", [FIT_HISTOGRAM] = "histogram"};

const char *fit_method_name(enum fit_method method)
{
	return method_names[method];
}

enum fit_method fit_method_find(const char *name)
{
	for (int m = FIT_ML; m <= FIT_HISTOGRAM; m++)
		if (strcmp(method_names[m], name) == 0)
			return m;
	return 0;
}

/* The mean is the exponential's likeliest parameter. */
static int exponential_ml(struct fit_result *r, const struct fit_data *data,
			  struct libra_error *err)
{
	double sum = 0;

	for (size_t i = 0; i < data->ncells; i++)
		sum += data->cells[i].at * data->cells[i].count;
	r->model.p[0] = sum / data->total;
	r->loss = 1 + log(r->model.p[0]);
	return 0;
}

/* Linear least squares for the parabola: the paper's fit. */
static int parabola(double *p, const struct fit_data *data)
{
	gsl_matrix *x = gsl_matrix_alloc(data->ngrid, 3);
	gsl_matrix *cov = gsl_matrix_alloc(3, 3);
	gsl_vector *y = gsl_vector_alloc(data->ngrid), *c = gsl_vector_alloc(3);
	gsl_multifit_linear_workspace *ws =
		gsl_multifit_linear_alloc(data->ngrid, 3);
	double chisq;
	int rc = GSL_ENOMEM;

	if (x && cov && y && c && ws) {
		for (size_t i = 0; i < data->ngrid; i++) {
			double lx = log(data->grid[i].x);

			gsl_matrix_set(x, i, 0, lx * lx);
			gsl_matrix_set(x, i, 1, lx);
			gsl_matrix_set(x, i, 2, 1);
			gsl_vector_set(y, i, data->grid[i].cdf);
		}
		rc = gsl_multifit_linear(x, y, c, cov, &chisq, ws);
	}
	for (int k = 0; rc == 0 && k < 3; k++)
		p[k] = gsl_vector_get(c, k);
	gsl_multifit_linear_free(ws);
	gsl_vector_free(c);
	gsl_vector_free(y);
	gsl_matrix_free(cov);
	gsl_matrix_free(x);
	return rc;
}

/* The paper's linear fit; where its parabola does not rise from 0 to 1, a
 * search among those that do. */
static int polylin_lsq(struct fit_result *r, const struct fit_data *data,
		       struct libra_error *err)
{
	int rc = parabola(r->model.p, data);

	if (rc)
		return libra_errf(err, rc == GSL_ENOMEM ? ENOMEM : EDOM,
				  "model polylin: least squares fit: %s",
				  gsl_strerror(rc));
	if (model_check(&r->model, NULL))
		return fit_search(r, data, err);
	r->loss = fit_loss_lsq(&r->model, data);
	return 0;
}

/* Set the weights of BinBin to the relative frequencies of the sizes. */
static int binbin_histogram(struct fit_result *r, const struct fit_data *data,
			    struct libra_error *err)
{
	double *p = r->model.p;

	memset(p, 0, sizeof(r->model.p));
	p[0] = data->first;
	if (data->nexponents > r->model.type->nparams - 1)
		return libra_errf(err, EDOM,
				  "model binbin: the sizes span %zu powers of "
				  "two, but it has %zu weights: raise "
				  "--min-density",
				  data->nexponents, r->model.type->nparams - 1);
	for (size_t i = 0; i < data->ncells; i++)
		p[1 + (int)log2(data->cells[i].at) - data->first] =
			data->cells[i].count / data->total;
	return 0;
}

/* Which methods a type has, its paper's first; NULL function: by search. */
static const struct recipe {
	const char *type;
	enum fit_method method;
	int (*fit)(struct fit_result *r, const struct fit_data *data,
		   struct libra_error *err);
} recipes[] = {
	{"hypweib", FIT_ML, fit_search},
	{"hypweib", FIT_LSQ, fit_search},
	{"exponential", FIT_ML, exponential_ml},
	{"exponential", FIT_LSQ, fit_search},
	{"polylin", FIT_LSQ, polylin_lsq},
	{"gpareto", FIT_ML, fit_search},
	{"gpareto", FIT_LSQ, fit_search},
	{"binbin", FIT_HISTOGRAM, binbin_histogram},
	{"zipf", FIT_ML, fit_search},
	{"zipf", FIT_LSQ, fit_search},
};

#define NRECIPES (sizeof(recipes) / sizeof(recipes[0]))

/* method 0: the first one. */
static const struct recipe *find_recipe(const struct model_type *type,
					enum fit_method method)
{
	for (size_t i = 0; i < NRECIPES; i++)
		if (strcmp(recipes[i].type, type->name) == 0 &&
		    (!method || recipes[i].method == method))
			return &recipes[i];
	return NULL;
}

bool fit_has_method(const struct model_type *type, enum fit_method method)
{
	return method && find_recipe(type, method);
}

enum fit_method fit_first_method(const struct model_type *type)
{
	return find_recipe(type, 0)->method;
}

/* Refuse a sample that is too small, negative or infinite. */
static int check_sample(const struct model_type *type, const double *sorted,
			size_t n, struct libra_error *err)
{
	if (n && (!(sorted[0] >= 0) || !isfinite(sorted[n - 1])))
		return libra_errf(err, EINVAL,
				  "model %s: the sample has a number that is "
				  "negative or infinite",
				  type->name);
	if (n < FIT_MIN_VALUES)
		return libra_errf(err, EDOM,
				  "model %s: %zu numbers are too few to fit: "
				  "at least %d are needed",
				  type->name, n, FIT_MIN_VALUES);
	return 0;
}

/* Check that enough numbers are left above the floor and frequent enough. */
static int check_data(const struct model_type *type, enum fit_method method,
		      const struct fit_data *data, size_t n,
		      struct libra_error *err)
{
	size_t need = method == FIT_HISTOGRAM ? 1 : type->weights ? 2 : 5;
	size_t left = n - data->left_out;

	if (left < FIT_MIN_VALUES)
		return libra_errf(err, EDOM,
				  "model %s: %zu numbers remain to fit after "
				  "%zu were left out: at least %d are needed",
				  type->name, left, data->left_out,
				  FIT_MIN_VALUES);
	if (data->ncells < need || data->ngrid == 0)
		return libra_errf(err, EDOM,
				  "model %s: the sample has too few different "
				  "numbers (%zu)",
				  type->name, data->ncells);
	return 0;
}

int fit_model(const struct model_type *type, enum fit_method method,
	      const double *sorted, size_t n, const double *options,
	      struct fit_result *result, struct libra_error *err)
{
	const struct recipe *recipe = find_recipe(type, method);
	struct fit_result r = {.method = method};
	struct fit_data data;
	int rc;

	if (!method || !recipe)
		return libra_errf(
			err, EINVAL,
			"model %s cannot be fitted by method %s (see librasim model list)",
			type->name, method ? fit_method_name(method) : "0");
	if (check_sample(type, sorted, n, err))
		return -1;
	gsl_set_error_handler_off(); /* the default one aborts */
	if (fit_data_init(&data, type, sorted, n, options, err))
		return -1;
	model_init(&r.model, type);
	rc = check_data(type, method, &data, n, err);
	if (rc == 0)
		rc = recipe->fit(&r, &data, err);
	if (rc == 0)
		rc = model_check(&r.model, err);
	r.used = n - data.left_out;
	r.left_out = data.left_out;
	fit_data_fini(&data);
	if (rc == 0)
		*result = r;
	return rc;
}
