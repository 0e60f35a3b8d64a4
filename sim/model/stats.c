/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.c - Kolmogorov-Smirnov, t and R/S statistics; see stats.h.
 *
 * Distributions and their inverses are GSL's.  Only the bootstrap allocates,
 * for the length of the call.
 */
#include "sim/model/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>

#include "sim/base/memory.h"
#include "sim/model/series.h"

double gof_ks_two(const double *a, size_t na, const double *b, size_t nb)
{
	size_t i = 0, j = 0;
	double d = 0;

	if (na == 0 || nb == 0)
		return NAN;
	while (i < na && j < nb) {
		double x = fmin(a[i], b[j]);

		/* Past all equal numbers of both before comparing. */
		while (i < na && a[i] == x)
			i++;
		while (j < nb && b[j] == x)
			j++;
		d = fmax(d, fabs((double)i / na - (double)j / nb));
	}
	return d;
}

/* Compare a sorted sample with a continuous model, on both sides of each jump.
 */
static double ks_continuous(const double *x, size_t n, const struct model *m)
{
	double d = 0;

	for (size_t i = 0, end; i < n; i = end) {
		double f = model_cdf(m, x[i]);

		for (end = i + 1; end < n && x[end] == x[i]; end++)
			;
		d = fmax(d, fabs(f - (double)i / n));
		d = fmax(d, fabs(f - (double)end / n));
	}
	return d;
}

/* Compare a sorted sample with a discrete model, at the jumps of both. */
static double ks_discrete(const double *x, size_t n, const struct model *m)
{
	double at[MODEL_MAX_VALUES], d = 0;
	size_t nat = model_values(m, at), k = 0;

	for (size_t i = 0, end; i < n; i = end) {
		/* Jumps of the model between the numbers of the sample. */
		for (; k < nat && at[k] < x[i]; k++)
			d = fmax(d, fabs(model_cdf(m, at[k]) - (double)i / n));
		for (end = i + 1; end < n && x[end] == x[i]; end++)
			;
		d = fmax(d, fabs(model_cdf(m, x[i]) - (double)end / n));
	}
	return d;
}

double gof_ks_model(const double *sorted, size_t n, const struct model *model)
{
	if (n == 0)
		return NAN;
	return model->type->weights ? ks_discrete(sorted, n, model)
				    : ks_continuous(sorted, n, model);
}

double gof_kolmogorov_tail(double lambda)
{
	double sum = 0;

	/* The series converges fast from 0.2 on; below, the tail is 1 to 12
	 * digits. */
	if (lambda < 0.2)
		return 1;
	for (int k = 1; k <= 100; k++) {
		double term = exp(-2.0 * k * k * lambda * lambda);

		sum += k % 2 ? term : -term;
		if (term < 1e-17)
			break;
	}
	return fmin(1, 2 * sum);
}

/* The lambda whose tail is the level. */
static double kolmogorov_critical(double level)
{
	double lo = 0.2, hi = 20;

	while (hi - lo > 1e-12) {
		double mid = (lo + hi) / 2;

		if (gof_kolmogorov_tail(mid) > level)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

double gof_ks_critical(double level, double na, double nb)
{
	double root = sqrt(na * nb / (na + nb));

	if (!(level > 0 && level < 1) || !(na > 0 && nb > 0))
		return NAN;
	return kolmogorov_critical(level) / (root + 0.12 + 0.11 / root);
}

/* One sample, sorted: of the model, or of the data. */
static void draw(double *out, size_t size, const double *data, size_t n,
		 const struct model *model, struct rng_stream *rng)
{
	for (size_t i = 0; i < size; i++)
		out[i] = model ? model_sample(model, rng)
			       : data[(size_t)(rng_uniform(rng) * n)];
	sim_sort(out, size);
}

int gof_bootstrap(const double *data, size_t n, const struct model *model,
		  size_t draws, size_t size, double level,
		  struct rng_stream *rng, struct gof_bootstrap *result,
		  struct libra_error *err)
{
	double critical = gof_ks_critical(level, size, size);
	double *a, *b, sum = 0;
	size_t passed = 0;

	if (n == 0 || draws == 0 || isnan(critical))
		return libra_errf(err, EINVAL,
				  "a repeated KS test needs data, draws, a "
				  "sample size and a level between 0 and 1");
	a = malloc(2 * size * sizeof(*a));
	if (!a)
		return sim_no_memory(err);
	b = a + size;
	for (size_t i = 0; i < draws; i++) {
		double d;

		draw(a, size, data, n, model, rng);
		draw(b, size, data, n, NULL, rng);
		d = gof_ks_two(a, size, b, size);
		sum += d;
		passed += d <= critical;
	}
	free(a);
	result->success = (double)passed / draws;
	result->mean_ks = sum / draws;
	result->critical = critical;
	return 0;
}

double gof_cv(const double *x, size_t n)
{
	double mean;

	if (n < 2)
		return NAN;
	mean = gsl_stats_mean(x, 1, n);
	return mean != 0 ? gsl_stats_sd_m(x, 1, n, mean) / mean : NAN;
}

double gof_correlation(const double *x, const double *y, size_t n)
{
	return n < 2 ? NAN : gsl_stats_correlation(x, 1, y, 1, n);
}

/* Rescaled range of one block; NAN without variation. */
static double rescaled_range(const double *x, size_t n)
{
	double mean = 0, sum = 0, squares = 0, lo = 0, hi = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i];
	mean /= n;
	for (size_t i = 0; i < n; i++) {
		sum += x[i] - mean;
		squares += (x[i] - mean) * (x[i] - mean);
		lo = fmin(lo, sum);
		hi = fmax(hi, sum);
	}
	return squares > 0 ? (hi - lo) / sqrt(squares / n) : NAN;
}

/* Mean rescaled range of all whole blocks; NAN if none varies. */
static double mean_rescaled_range(const double *x, size_t n, size_t block)
{
	size_t count = 0;
	double sum = 0;

	for (size_t i = 0; i + block <= n; i += block) {
		double rs = rescaled_range(x + i, block);

		if (isnan(rs))
			continue;
		sum += rs;
		count++;
	}
	return count ? sum / count : NAN;
}

int gof_hurst_rs(const double *x, size_t n, size_t min_block, size_t max_block,
		 double *h, struct libra_error *err)
{
	double lx[64], ly[64], c0, c1, cov00, cov01, cov11, sumsq;
	size_t points = 0;

	if (min_block < 4)
		return libra_errf(err, EINVAL,
				  "blocks for the Hurst exponent must have at "
				  "least 4 numbers, not %zu",
				  min_block);
	for (size_t b = min_block; b <= max_block && b <= n; b *= 2) {
		double rs = mean_rescaled_range(x, n, b);

		if (isnan(rs))
			continue;
		lx[points] = log(b);
		ly[points++] = log(rs);
		if (b > n / 2)
			break; /* b * 2 must not wrap */
	}
	if (points < 3)
		return libra_errf(err, EINVAL,
				  "the Hurst exponent needs 3 sizes of blocks "
				  "from %zu to %zu; %zu numbers give %zu",
				  min_block, max_block, n, points);
	gsl_fit_linear(lx, 1, ly, 1, points, &c0, &c1, &cov00, &cov01, &cov11,
		       &sumsq);
	*h = c1;
	return 0;
}

int gof_t_paired(const double *a, const double *b, size_t n,
		 struct gof_t *result, struct libra_error *err)
{
	double mean = 0, squares = 0;

	if (n < 2)
		return libra_errf(err, EINVAL,
				  "a paired t test needs two pairs, not %zu",
				  n);
	for (size_t i = 0; i < n; i++)
		mean += (a[i] - b[i]) / n;
	for (size_t i = 0; i < n; i++)
		squares += pow(a[i] - b[i] - mean, 2);
	if (squares == 0)
		return libra_errf(
			err, EDOM,
			"all differences are equal: the t value is undefined");
	result->difference = mean;
	result->df = (double)n - 1;
	result->t = mean / sqrt(squares / (n - 1) / n);
	result->p_one = gsl_cdf_tdist_Q(result->t, result->df);
	result->p_two = 2 * gsl_cdf_tdist_Q(fabs(result->t), result->df);
	return 0;
}

double gof_t_critical(double level, double df, bool two_sided)
{
	if (!(level > 0 && level < 1) || !(df > 0))
		return NAN;
	return gsl_cdf_tdist_Qinv(two_sided ? level / 2 : level, df);
}
