/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit_data.c - a sample as cells and as CDF; see fit_impl.h.
 *
 * Equal numbers of the sorted sample become one cell, so that a log of whole
 * seconds costs one evaluation for each different time.  Sizes outside of the
 * frequent powers of two are left out.
 */
#include "sim/base/memory.h"
#include "sim/model/fit_impl.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXPONENTS 64

/* Equal times become one cell of the width of the resolution. */
static void cells_of_times(struct fit_data *d, const double *x, size_t n)
{
	double half = d->options[FIT_RESOLUTION_S] / 2;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && x[end] == x[i]; end++)
			;
		d->cells[d->ncells++] = (struct fit_cell){
			.at = x[i],
			.lo = fmax(0, x[i] - half),
			.hi = x[i] + half,
			.count = (double)(end - i),
		};
	}
	d->total = (double)n;
}

/* Equal steps of the logarithm from the floor on; the CDF is that of the whole
 * sample.  A time of 0 has no logarithm, so the first point is at half the
 * resolution or above. */
static void grid_of_times(struct fit_data *d, const double *x, size_t n,
			  double floor_s)
{
	double least = fmax(floor_s, d->options[FIT_RESOLUTION_S] / 2);
	double lo = log(fmax(x[0], least)), hi = log(x[n - 1]);
	size_t points = (size_t)d->options[FIT_GRID], j = 0;

	while (d->left_out < n && x[d->left_out] < floor_s)
		d->left_out++;
	if (!(lo < hi))
		return;
	for (size_t i = 0; i < points; i++) {
		/* The last point exactly, against rounding. */
		double at = i + 1 < points
				    ? exp(lo + (hi - lo) * i / (points - 1))
				    : x[n - 1];

		while (j < n && x[j] <= at)
			j++;
		d->grid[i] = (struct fit_point){at, (double)j / n};
	}
	d->ngrid = points;
}

/* Sizes in powers of two, from the first to the last that is frequent. */
static int cells_of_sizes(struct fit_data *d, const double *x, size_t n,
			  struct libra_error *err)
{
	double count[MAX_EXPONENTS] = {0};
	int first = MAX_EXPONENTS, last = -1;

	for (size_t i = 0; i < n; i++) {
		long e = x[i] >= 1 ? lround(log2(x[i])) : 0;

		count[e < MAX_EXPONENTS ? e : MAX_EXPONENTS - 1]++;
	}
	for (int e = 0; e < MAX_EXPONENTS; e++) {
		if (count[e] <= d->options[FIT_MIN_DENSITY] * n)
			continue;
		first = e < first ? e : first;
		last = e;
	}
	if (last < 0)
		return libra_errf(err, EDOM,
				  "no size has more than %g of the jobs; lower "
				  "min-density",
				  d->options[FIT_MIN_DENSITY]);
	for (int e = first; e <= last; e++) {
		double at = ldexp(1, e);

		d->total += count[e];
		d->cells[d->ncells++] =
			(struct fit_cell){at, at / 2, at, count[e]};
	}
	d->first = first;
	d->nexponents = last - first + 1;
	d->left_out += n - (size_t)d->total;
	return 0;
}

/* Make a point of the CDF for each size. */
static void grid_of_sizes(struct fit_data *d)
{
	double sum = 0;

	for (size_t i = 0; i < d->ncells; i++) {
		sum += d->cells[i].count;
		d->grid[d->ngrid++] =
			(struct fit_point){d->cells[i].at, sum / d->total};
	}
}

int fit_data_init(struct fit_data *d, const struct model_type *type,
		  const double *sorted, size_t n, const double *options,
		  struct libra_error *err)
{
	double floor_s = 0;

	memset(d, 0, sizeof(*d));
	for (size_t i = 0; i < FIT_NOPTIONS; i++)
		d->defaults[i] = fit_options[i].value;
	d->options = options ? options : d->defaults;
	/* Only PolyLin leaves short times to another regime. */
	if (strcmp(type->name, "polylin") == 0)
		floor_s = d->options[FIT_FLOOR_S];
	d->cells = calloc(n > MAX_EXPONENTS ? n : MAX_EXPONENTS,
			  sizeof(*d->cells));
	d->grid = calloc((size_t)d->options[FIT_GRID] + MAX_EXPONENTS,
			 sizeof(*d->grid));
	if (!d->cells || !d->grid) {
		fit_data_fini(d);
		return sim_no_memory(err);
	}
	if (n == 0)
		return 0;
	if (!type->weights) {
		cells_of_times(d, sorted, n);
		grid_of_times(d, sorted, n, floor_s);
		return 0;
	}
	if (cells_of_sizes(d, sorted, n, err)) {
		fit_data_fini(d);
		errno = EDOM;
		return -1;
	}
	grid_of_sizes(d);
	return 0;
}

void fit_data_fini(struct fit_data *d)
{
	free(d->cells);
	free(d->grid);
	d->cells = NULL;
	d->grid = NULL;
}

double fit_loss_ml(const struct model *model, const struct fit_data *d)
{
	double sum = 0, at = NAN, f = 0;

	for (size_t i = 0; i < d->ncells; i++) {
		const struct fit_cell *c = &d->cells[i];
		/* Neighbouring cells share an edge, and the CDF is the cost of
		 * a fit. */
		double lo = c->lo == at ? f : model_cdf(model, c->lo);

		at = c->hi;
		f = model_cdf(model, at);
		sum -= c->count * log(fmax(f - lo, 1e-300));
	}
	return sum / d->total;
}

double fit_loss_lsq(const struct model *model, const struct fit_data *d)
{
	double sum = 0;

	for (size_t i = 0; i < d->ngrid; i++) {
		double r = model_cdf(model, d->grid[i].x) - d->grid[i].cdf;

		sum += r * r;
	}
	return sqrt(sum / d->ngrid);
}
