/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * models.h - what CCGrid 2008, section 2, says of its workload models: table 1
 * and what claims M1 to M13 ask, measured on a trace.
 *
 * The claims speak of the Blue Horizon log; on another log they are measured
 * all the same and mostly fail.
 */
#ifndef SIM_CCGRID2008_MODELS_H
#define SIM_CCGRID2008_MODELS_H

#include "sim/model/model_gof.h"
#include "sim/model/series.h"
#include "sim/paper/steps.h"

#define CC_NMODEL_CLAIMS 13 /* M1 to M13 come first */
#define CC_NSAMPLES	 9  /* rows of table 1 */

/* What was measured beside numbers that have names; nothing without a trace. */
struct cc_models {
	double options[MODEL_CHECK_NOPTIONS];
	struct model_gof rows[CC_NSAMPLES];
	double size_share[6]; /* rounded in log2: 8 to 256 */
};

/* A study of these claims alone, measured and judged; series may be NULL.
 * Result: NULL with errno: EINVAL (a log too short for the Hurst exponent),
 *         ENOMEM.
 * Owner:  the caller calls sim_paper_study_destroy(); seed lives as long.
 */
struct sim_paper_study *cc_models_judge(const struct sim_trace_series *series,
					const double *options,
					const uint64_t *seed,
					struct libra_error *err);

#endif
