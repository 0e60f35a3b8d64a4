/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_file.h - fitted models as JSON: `model fit` writes, `gen` reads.
 *
 * An object with the trace and the array "models": series, model, method,
 * parameters by name, goodness of fit, and whether it is the best model of its
 * series (least KS difference over the whole sample).
 */
#ifndef SIM_MODEL_FILE_H
#define SIM_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "sim/model/fit.h"
#include "sim/model/model.h"
#include "sim/model/model_gof.h"

/* One fit and how good it is. */
struct model_fit {
	enum model_series series;
	struct fit_result fit;
	struct model_gof gof;
	bool best;
};

/* Write n fits of a trace.  The caller checks ferror(fp). */
void model_file_write(FILE *fp, const char *trace, const char *sha256,
		      uint64_t seed, const struct model_fit *fits, size_t n);

/* Read the best model of each series into set[], indexed by enum model_series;
 * a series that the file does not have keeps its model.
 * Result: 0, or -1 with err.  After an error set[] is unchanged.
 * Errno:  of the system (ENOENT, EACCES), EINVAL (not JSON, or not of this
 *         form), ENOENT or ERANGE of model_check(); the text names the file.
 */
int model_file_read(const char *path, struct model set[MODEL_NSERIES + 1],
		    struct libra_error *err);

#endif
