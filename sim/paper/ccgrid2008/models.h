/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * models.h - table 1 and the claims M1 to M13 of CCGrid 2008, section 2, about
 * workload models, measured on a trace.
 *
 * The claims are about the Blue Horizon log.  On another log they are measured
 * in the same way and mostly fail.
 */
#ifndef SIM_CCGRID2008_MODELS_H
#define SIM_CCGRID2008_MODELS_H

#include "sim/model/model_gof.h"
#include "sim/model/series.h"
#include "sim/paper/steps.h"

#define CC_NMODEL_CLAIMS 13 /* M1 to M13 come first */
#define CC_NSAMPLES	 9  /* rows of table 1 */

/* Measured arrays; numbers with names are in the study.  All zeros without a
 * trace. */
struct cc_models {
	double options[MODEL_CHECK_NOPTIONS];
	struct model_gof rows[CC_NSAMPLES];
	double size_share[6]; /* rounded in log2: 8 to 256 */
};

/* Make a study of these claims alone, measured and judged.  series NULL: check
 * the models without a trace.
 * Result: NULL with errno: EINVAL (a log too short for the Hurst exponent),
 *         ENOMEM.
 * Owner:  the caller calls sim_paper_study_destroy(); seed must live as long as
 *         the study.
 */
struct sim_paper_study *cc_models_judge(const struct sim_trace_series *series,
					const double *options,
					const uint64_t *seed,
					struct libra_error *err);

#endif
