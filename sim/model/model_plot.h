/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model_plot.h - figures of models beside a trace: CDFs and quantiles. */
#ifndef SIM_MODEL_PLOT_H
#define SIM_MODEL_PLOT_H

#include <stddef.h>

#include "core/error.h"
#include "sim/model/model.h"
#include "sim/model/series.h"

#define MODEL_PLOT_MAX 8 /* models in one picture */

/* CDF of a sample and of models over the logarithm of the value.
 * Result: as plot_svg().
 * Errno:  also EINVAL (an empty sample, more than MODEL_PLOT_MAX models).
 * Owner:  the caller frees *svg.
 */
int model_plot_cdf(enum model_series series, const struct sim_series *data,
		   const struct model *models, size_t nmodels, char **svg,
		   struct libra_error *err);

/* Quantile plot: ln of the model's quantile over ln of the sample's.  Models
 * that fit lie on the diagonal.  Result, errno and owner as above.
 */
int model_plot_quantiles(enum model_series series,
			 const struct sim_series *data,
			 const struct model *models, size_t nmodels, char **svg,
			 struct libra_error *err);

#endif
