/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_gof.h - goodness of fit: how well a model describes a series.
 *
 * Repeats the two-sample Kolmogorov-Smirnov test on small samples, as table 1
 * of CCGrid 2008 does.  Callers: `librasim model` and the market paper.
 */
#ifndef SIM_MODEL_GOF_H
#define SIM_MODEL_GOF_H

#include <stdint.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/model/model.h"
#include "sim/model/series.h"

/* Parameters of the measurement, in the order of the table. */
enum model_check_option {
	MODEL_CHECK_DRAWS = 0, /* repetitions of the KS test */
	MODEL_CHECK_SAMPLE,    /* numbers in each sample */
	MODEL_CHECK_LEVEL,     /* of significance */
	MODEL_CHECK_MIN_BLOCK, /* of the Hurst exponent */
	MODEL_CHECK_MAX_BLOCK,
	MODEL_CHECK_NOPTIONS
};
extern const struct libra_param model_check_options[MODEL_CHECK_NOPTIONS];

/* How well one model fits. */
struct model_gof {
	double success; /* share of the draws that pass */
	double ks; /* difference over the whole sample; 0 without a model */
	double mean_ks; /* mean difference of the draws */
};

/* Measure how well a model fits a series; model NULL: compare the series with
 * itself.  seed and stream name the random numbers.  options has a value for
 * each row of model_check_options.
 * Result: 0, or -1 with EINVAL (a value of options, an empty series) or ENOMEM.
 * Cost:   O(draws x sample x log sample).
 */
int model_gof(const struct sim_series *series, const struct model *model,
	      const double *options, uint64_t seed, const char *stream,
	      struct model_gof *result, struct libra_error *err);

#endif
