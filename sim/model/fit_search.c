/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit_search.c - parameters by search; see fit_impl.h.
 *
 * The simplex of GSL walks over unbounded numbers; a recipe per type maps them
 * to parameters that are always a distribution, and says where to begin.
 */
#include "sim/base/memory.h"
#include "sim/model/fit_impl.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>

#define MAX_FREE   5
#define MAX_STARTS 3

static const double simplex_size =
	1e-6; /* size at which a search has converged */

/* How the search walks: free numbers, and their meaning for a type of model. */
struct walk {
	const char *type;
	size_t nfree, nstarts;
	/* Where start number 0, 1, ... begins; may also set fixed parameters.
	 */
	void (*start)(double *free, struct model *model,
		      const struct fit_data *d, size_t start);
	void (*set)(struct model *model, const double *free);
};

static double logit(double p)
{
	return log(p / (1 - p));
}

static double unlogit(double x)
{
	return 1 / (1 + exp(-x));
}

/* Smallest time at which the sample's CDF reaches u. */
static double sample_quantile(const struct fit_data *d, double u)
{
	double sum = 0;

	for (size_t i = 0; i < d->ncells; i++) {
		sum += d->cells[i].count;
		if (sum >= u * d->total)
			return d->cells[i].at;
	}
	return d->cells[d->ncells - 1].at;
}

/* Split the sample at a quantile.  The moments of the lower part start the
 * plain Weibull, those of the upper part the Weibull in the exponent. */
static void hypweib_start(double *free, struct model *model,
			  const struct fit_data *d, size_t start)
{
	static const double split[MAX_STARTS] = {0.3, 0.1, 0.6};
	double at = sample_quantile(d, split[start]);
	double n1 = 0, s1 = 0, n2 = 0, s2 = 0, q2 = 0, mean, sd;

	for (size_t i = 0; i < d->ncells; i++) {
		double x = d->cells[i].at, n = d->cells[i].count;

		if (x <= at) {
			n1 += n;
			s1 += n * x;
		} else {
			double y = log(fmax(x, 1.5));

			n2 += n;
			s2 += n * y;
			q2 += n * y * y;
		}
	}
	mean = n2 > 0 ? s2 / n2 : 1;
	sd = n2 > 0 ? sqrt(fmax(q2 / n2 - mean * mean, 1e-4)) : 1;
	free[0] = logit(split[start]);
	free[1] = log(fmax(s1 / n1, d->options[FIT_RESOLUTION_S] / 2));
	free[2] = 0;
	free[3] = log(mean * 1.08);
	/* Shape and CV of a Weibull: about k = CV^-1.086. */
	free[4] = log(pow(sd / mean, -1.086));
}

static void hypweib_set(struct model *m, const double *free)
{
	m->p[0] = unlogit(free[0]);
	for (int i = 1; i < 5; i++)
		m->p[i] = exp(free[i]);
}

static void exponential_start(double *free, struct model *m,
			      const struct fit_data *d, size_t start)
{
	free[0] = log(fmax(sample_quantile(d, 0.63),
			   d->options[FIT_RESOLUTION_S] / 2));
}

static void exponential_set(struct model *m, const double *free)
{
	m->p[0] = exp(free[0]);
}

static void gpareto_start(double *free, struct model *m,
			  const struct fit_data *d, size_t start)
{
	static const double shape[MAX_STARTS] = {1, 0.1, 3};

	/* The median of shape 1 is the scale. */
	free[0] = shape[start];
	free[1] = log(fmax(sample_quantile(d, 0.5),
			   d->options[FIT_RESOLUTION_S] / 2));
}

static void gpareto_set(struct model *m, const double *free)
{
	m->p[0] = free[0];
	m->p[1] = exp(free[1]);
}

static void zipf_start(double *free, struct model *m, const struct fit_data *d,
		       size_t start)
{
	free[0] = 1;
	m->p[1] = (double)d->nexponents;
	m->p[2] = d->first;
}

static void zipf_set(struct model *m, const double *free)
{
	/* Sizes that grow more frequent want an exponent below 0, which the
	 * type does not have: the square ends in 0, without a plateau on which
	 * the simplex would never settle. */
	m->p[0] = fmin(free[0] * free[0], 100);
}

/* Every parabola that rises from 0 at x0 to 1 at x1 is z + bend z (1 - z), z =
 * (x - x0) / (x1 - x0), with a bend in [-1, 1]. */
static void polylin_start(double *free, struct model *m,
			  const struct fit_data *d, size_t start)
{
	double x0 = log(d->grid[0].x), x1 = log(d->grid[d->ngrid - 1].x);

	free[0] = x0;
	free[1] = log(fmax(x1 - x0, 1e-3));
	free[2] = 0.5;
}

/* Set the parameters of PolyLin by three unbounded numbers: place, width and
 * bend.
 */
static void polylin_set(struct model *m, const double *free)
{
	double w = exp(free[1]), bend = tanh(free[2]);

	/* Just inside the bound, so that rounding does not turn the summit
	 * into one below 1. */
	bend = fmin(fmax(bend, -0.9999), 0.9999);
	m->p[0] = -bend / (w * w);
	m->p[1] = (1 + bend) / w + 2 * bend * free[0] / (w * w);
	m->p[2] =
		-(1 + bend) * free[0] / w - bend * free[0] * free[0] / (w * w);
}

static const struct walk walks[] = {
	{"hypweib", 5, 3, hypweib_start, hypweib_set},
	{"exponential", 1, 1, exponential_start, exponential_set},
	{"gpareto", 2, 3, gpareto_start, gpareto_set},
	{"zipf", 1, 1, zipf_start, zipf_set},
	{"polylin", 3, 1, polylin_start, polylin_set},
};

/* Find the walk of a type; NULL if the type is not searched. */
static const struct walk *find_walk(const struct model_type *type)
{
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		if (strcmp(walks[i].type, type->name) == 0)
			return &walks[i];
	return NULL;
}

/* The argument of the function that GSL minimises. */
struct objective {
	const struct walk *walk;
	const struct fit_data *data;
	double (*loss)(const struct model *model, const struct fit_data *d);
	struct model model;
};

/* Return the loss for GSL at a point of the walk. */
static double objective(const gsl_vector *v, void *arg)
{
	struct objective *o = arg;
	double loss;

	o->walk->set(&o->model, v->data);
	loss = o->loss(&o->model, o->data);
	/* The simplex needs an order: NAN counts as worst. */
	return isfinite(loss) ? loss : 1e300;
}

/* One search from v, which takes the result.
 * Result: GSL's code; GSL_CONTINUE without convergence.
 */
static int minimise(gsl_multimin_fminimizer *min, gsl_multimin_function *f,
		    gsl_vector *v, gsl_vector *step, double *loss,
		    unsigned *iterations, unsigned limit)
{
	int rc;

	gsl_vector_set_all(step, 0.3);
	rc = gsl_multimin_fminimizer_set(min, f, v, step);
	if (rc)
		return rc;
	do {
		rc = gsl_multimin_fminimizer_iterate(min);
		if (rc)
			break;
		rc = gsl_multimin_test_size(gsl_multimin_fminimizer_size(min),
					    simplex_size);
	} while (rc == GSL_CONTINUE && ++*iterations < limit);
	gsl_vector_memcpy(v, min->x);
	*loss = min->fval;
	return rc;
}

/* Search from all starts, then once more from the best result, since a simplex
 * may collapse early.  A start that fails does no harm if another one
 * converges. best has nfree elements.
 */
static int search_all(struct objective *o, gsl_multimin_fminimizer *min,
		      gsl_vector *v, gsl_vector *step, struct fit_result *r,
		      double *best, unsigned limit)
{
	gsl_multimin_function f = {objective, o->walk->nfree, o};
	size_t size = v->size * sizeof(double);

	r->loss = 1e300; /* what the objective gives for no distribution */
	for (size_t s = 0; s <= o->walk->nstarts; s++) {
		double loss;
		int rc;

		if (s < o->walk->nstarts)
			o->walk->start(v->data, &o->model, o->data, s);
		else
			memcpy(v->data, best, size);
		rc = minimise(min, &f, v, step, &loss, &r->iterations, limit);
		if (rc == GSL_CONTINUE)
			return rc;
		if (rc == 0 && loss < r->loss) {
			r->loss = loss;
			memcpy(best, v->data, size);
		}
		if (s + 1 == o->walk->nstarts && r->loss == 1e300)
			return rc ? rc : GSL_EFAILED;
	}
	return 0;
}

int fit_search(struct fit_result *r, const struct fit_data *data,
	       struct libra_error *err)
{
	struct objective o = {
		.walk = find_walk(r->model.type),
		.data = data,
		.loss = r->method == FIT_ML ? fit_loss_ml : fit_loss_lsq,
		.model = r->model,
	};
	size_t n = o.walk->nfree;
	unsigned limit = (unsigned)data->options[FIT_MAX_ITERATIONS];
	gsl_multimin_fminimizer *min = gsl_multimin_fminimizer_alloc(
		gsl_multimin_fminimizer_nmsimplex2, n);
	gsl_vector *v = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
	double best[MAX_FREE] = {0};
	int rc = GSL_ENOMEM, bad = 0;

	r->iterations = 0;
	if (min && v && step && data->nexponents) {
		/* The values of sizes are not searched for. */
		o.walk->start(best, &o.model, data, 0);
		bad = model_check(&o.model, err);
	}
	if (!bad && min && v && step)
		rc = search_all(&o, min, v, step, r, best, limit);
	gsl_vector_free(step);
	gsl_vector_free(v);
	if (min)
		gsl_multimin_fminimizer_free(min);
	if (bad)
		return -1;
	if (rc == GSL_ENOMEM)
		return sim_no_memory(err);
	if (rc)
		return libra_errf(err, ECANCELED,
				  "model %s: the fit did not converge in %u "
				  "iterations (%s); raise max-iterations or "
				  "try another method",
				  r->model.type->name, r->iterations,
				  rc == GSL_CONTINUE ? "limit reached"
						     : gsl_strerror(rc));
	o.walk->set(&o.model, best);
	r->model = o.model;
	return 0;
}
