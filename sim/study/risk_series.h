/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk_series.h - risk analysis of results in files.
 *
 * Results with the same values in certain columns are one scenario; a series is
 * the results of one policy in one scenario.  Each policy must have the same
 * number of results, two or more, in every scenario: otherwise they cannot be
 * compared.  The caller is `librasim risk`.
 */
#ifndef SIM_RISK_SERIES_H
#define SIM_RISK_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/study/risk_analysis.h"

#define RISK_MAX_NAMES 16

struct risk_names {
	char *copy; /* the text that names point into, or NULL; the caller frees
		       it */
	const char *name[RISK_MAX_NAMES];
	size_t n;
};

struct risk_request {
	struct risk_names objectives; /* columns, or sla, reliability, profit */
	struct risk_names by;	      /* columns that distinguish scenarios */
	bool by_given; /* else: set and scenario, if they exist */
	double weights[RISK_MAX_NAMES]; /* of the objectives */
	char **paths;
	size_t npaths;
};

struct risk_series {
	char *scenario; /* values of the by columns, "A,workload" */
	char *outer;	/* the same without the last value */
	char *policy;
	double *value[RISK_MAX_NAMES]; /* of each objective */
	size_t n;
	struct risk_point separate[RISK_MAX_NAMES], integrated;
};

/* The series, scenario by scenario in order of appearance. */
struct risk_analysis {
	struct risk_series *series;
	size_t n;
};

/* Read the files and analyze them.  If q->by was not given, set it.
 * Result: 0, or -1 with ENOMEM, errno of the system or EINVAL: the results
 *         cannot be analyzed; the text has the reason.
 * Owner:  *a is all zeros before the call; the caller calls
 *         risk_analysis_fini(), after an error too.
 */
int risk_analysis_read(struct risk_analysis *a, struct risk_request *q,
		       struct libra_error *err);
void risk_analysis_fini(struct risk_analysis *a);

/* Return the mean of a policy over all scenarios that agree with the scenario
 * of the series `like` in all columns but the last.
 * Owner:  the texts of the result are those of `like`; nothing is to be freed.
 */
struct risk_series risk_series_mean(const struct risk_analysis *a,
				    const struct risk_request *q,
				    const struct risk_series *like);

/* Return true if a series is the first one of a mean over several scenarios. */
bool risk_series_has_mean(const struct risk_analysis *a, size_t index);

#endif
