/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims_models.h - what CCGrid 2008, section 2, says of its workload models.
 *
 * Claims M1 to M13 and table 1: the paper's numbers, and ours on a trace.  The
 * claims speak of the Blue Horizon log; on another log they are measured all
 * the same and mostly fail.
 */
#ifndef SIM_MODEL_CLAIMS_H
#define SIM_MODEL_CLAIMS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/model/model.h"
#include "sim/model/model_gof.h"
#include "sim/model/series.h"
#include "sim/report/claims.h"

/* A row of table 1: two samples, and the paper's numbers. */
struct model_gof_row {
	const char *first;
	enum model_series series; /* of the trace, the second sample */
	const char *model;	  /* type name; NULL: the trace with itself */
	double success, ks, mean_ks;
};

#define MODEL_NROWS 9
extern const struct model_gof_row model_table1[MODEL_NROWS];

/* What was measured; NAN what needs a trace and has none. */
struct model_study {
	bool has_trace;
	double options[MODEL_CHECK_NOPTIONS];
	uint64_t seed;
	struct model_gof rows[MODEL_NROWS];
	size_t nrecords, nchosen;
	double iat_mean_s, iat_cv, iat_hurst;
	double iat_below_10s; /* shares of the trace */
	double run_below_30s;
	double size_share[6], size_rest; /* rounded in log2: 8 to 256; others */
	double size_not_power;
	double corr_iat_run, corr_iat_size, corr_run_size;
};

/* Measure all that the claims need; series may be NULL.
 * Errno:  EINVAL (a log too short for the Hurst exponent), ENOMEM.
 */
int model_study_init(struct model_study *study,
		     const struct sim_trace_series *series,
		     const double *options, uint64_t seed,
		     struct libra_error *err);

/* M1 to M13; the study of their functions is a struct model_study. */
#define MODEL_NCLAIMS 13
extern const struct claim model_claims[MODEL_NCLAIMS];

#endif
