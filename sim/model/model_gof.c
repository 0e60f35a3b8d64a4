/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_gof.c - the repeated KS test of a model.
 *
 * The table of options, and the calls of stats.h with them.
 */
#include "sim/model/model_gof.h"

#include "sim/base/rng.h"
#include "sim/model/stats.h"

const struct libra_param model_check_options[MODEL_CHECK_NOPTIONS] = {
	/* The paper has 1000; ten times as many measure the same with a third
	 * of the error. */
	[MODEL_CHECK_DRAWS] = {"draws", LIBRA_PARAM_INTEGER, "", 10000, 1, 1e7,
			       "Repetitions of the KS test"},
	[MODEL_CHECK_SAMPLE] = {"sample", LIBRA_PARAM_INTEGER, "", 100, 1, 1e6,
				"Numbers in each sample of the KS test"},
	[MODEL_CHECK_LEVEL] = {"level", LIBRA_PARAM_NUMBER, "", 0.05, 1e-6, 0.5,
			       "Level of significance"},
	[MODEL_CHECK_MIN_BLOCK] = {"min-block", LIBRA_PARAM_INTEGER, "", 16, 4,
				   1e6, "Shortest block of the R/S analysis"},
	[MODEL_CHECK_MAX_BLOCK] = {"max-block", LIBRA_PARAM_INTEGER, "", 16384,
				   4, 1e9, "Longest block of the R/S analysis"},
};

int model_gof(const struct sim_series *series, const struct model *model,
	      const double *options, uint64_t seed, const char *stream,
	      struct model_gof *result, struct libra_error *err)
{
	struct gof_bootstrap boot;
	struct rng_stream rng;

	rng_stream_init(&rng, seed, stream, 0);
	if (gof_bootstrap(series->sorted, series->n, model,
			  (size_t)options[MODEL_CHECK_DRAWS],
			  (size_t)options[MODEL_CHECK_SAMPLE],
			  options[MODEL_CHECK_LEVEL], &rng, &boot, err))
		return -1;
	result->success = boot.success;
	result->mean_ks = boot.mean_ks;
	result->ks = model ? gof_ks_model(series->sorted, series->n, model) : 0;
	return 0;
}
