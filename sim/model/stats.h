/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - statistics of samples: how well a model fits, and others.
 *
 * The statistics of CCGrid 2008: Kolmogorov-Smirnov tests (section 2, table 1),
 * the Hurst exponent by R/S, coefficient of variation and correlation (section
 * 2), and the paired t test (section 4.3, table 2).  Pure functions on the
 * caller's arrays, which they do not change; random numbers come from the
 * caller's stream.
 */
#ifndef SIM_STATS_H
#define SIM_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/base/rng.h"
#include "sim/model/model.h"

/* Return the largest difference of the empirical CDFs of two sorted samples.
 * Result: in [0, 1]; NAN if a sample is empty.
 */
double gof_ks_two(const double *a, size_t na, const double *b, size_t nb);

/* Return the largest difference between the empirical CDF of a sorted sample
 * and the CDF of a model.  With a discrete model the jumps of both are
 * compared.
 * Result: in [0, 1]; NAN if n is 0.
 */
double gof_ks_model(const double *sorted, size_t n, const struct model *model);

/* Return the tail of the Kolmogorov distribution, P(K > lambda). */
double gof_kolmogorov_tail(double lambda);

/* Return the critical difference of two samples of na and nb numbers at a level
 * such as 0.05, with the correction for small samples of M.  A.  Stephens
 * (1970): lambda / (sqrt(m) + 0.12 + 0.11 / sqrt(m)), m = na nb / (na + nb).
 * 100 and 100 at 0.05: 0.188.
 * Result: NAN if the level is not in (0, 1) or a sample is empty.
 */
double gof_ks_critical(double level, double na, double nb);

struct gof_bootstrap {
	double success;	 /* share of the draws whose difference is at most the
			    critical one */
	double mean_ks;	 /* mean difference of the draws */
	double critical; /* the critical difference used */
};

/* Repeat the two-sample test as in table 1: each draw takes one sample from the
 * model (or, with model NULL, from the data) and one from the data, with
 * replacement.
 * Result: 0 with *result, or -1.
 * Errno:  EINVAL (n, draws or size 0; level not in (0, 1)), ENOMEM.
 * Cost:   O(draws x size x log size).
 */
int gof_bootstrap(const double *data, size_t n, const struct model *model,
		  size_t draws, size_t size, double level,
		  struct rng_stream *rng, struct gof_bootstrap *result,
		  struct libra_error *err);

/* Return the coefficient of variation, with the sample standard deviation (n -
 * 1).
 * Result: NAN for fewer than two numbers or a mean of 0.
 */
double gof_cv(const double *x, size_t n);

/* Return Pearson's correlation.
 * Result: NAN for fewer than two pairs or a constant series.
 */
double gof_correlation(const double *x, const double *y, size_t n);

/* Compute the Hurst exponent by rescaled range: the slope of ln(R/S) over
 * ln(block), for blocks of min_block, 2 min_block, 4 min_block, ... up to
 * max_block numbers, R/S averaged over the n / block whole blocks.  Blocks
 * without variation are left out.  White noise has 0.5 (in short blocks a
 * little more).
 * Result: 0, or -1.
 * Errno:  EINVAL (min_block below 4, or fewer than 3 sizes of blocks that fit
 *         into n), ENOMEM.
 */
int gof_hurst_rs(const double *x, size_t n, size_t min_block, size_t max_block,
		 double *h, struct libra_error *err);

struct gof_t {
	double t;	   /* mean difference / its standard error */
	double df;	   /* pairs - 1 */
	double difference; /* mean of a - b */
	double p_one;	   /* P(T > t): one-sided, a above b */
	double p_two;	   /* P(|T| > |t|) */
};

/* Make the paired t test of the null hypothesis that the mean of a - b is 0.
 * Result: 0 with *result, or -1.
 * Errno:  EINVAL (fewer than two pairs), EDOM (all differences are equal: no
 *         t value).
 */
int gof_t_paired(const double *a, const double *b, size_t n,
		 struct gof_t *result, struct libra_error *err);

/* Return the critical t value.  With 4 degrees of freedom at 0.05 it is 2.1318
 * one-sided, as the paper uses it, and 2.7764 two-sided.
 * Result: NAN if the level is not in (0, 1) or df is not positive.
 */
double gof_t_critical(double level, double df, bool two_sided);

#endif
