/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_plot.h - figures of models beside a trace: CDFs and quantiles.
 *
 * For `librasim model`.  The curves live as long as the call.
 */
#ifndef SIM_MODEL_PLOT_H
#define SIM_MODEL_PLOT_H

#include <stddef.h>

#include "core/error.h"
#include "sim/model/model.h"
#include "sim/model/series.h"

#define MODEL_PLOT_MAX 8 /* models in one picture */

/* Draw the CDF of a sample and of models over the logarithm of the value.
 * Result: 0 with *svg, NULL without gnuplot, or -1 as plot_svg().
 * Errno:  also EINVAL (an empty sample, more than MODEL_PLOT_MAX models).
 * Owner:  the caller frees *svg.
 */
int model_plot_cdf(enum model_series series, const struct sim_series *data,
		   const struct model *models, size_t nmodels, char **svg,
		   struct libra_error *err);

/* Draw ln of the model's quantile over ln of the sample's.  The points of a
 * model that fits are on the diagonal.  Result, errno, owner: as
 * model_plot_cdf().
 */
int model_plot_quantiles(enum model_series series,
			 const struct sim_series *data,
			 const struct model *models, size_t nmodels, char **svg,
			 struct libra_error *err);

#endif
