/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - cells of an experiment, each run with every seed.
 *
 * A cell is a scenario, a policy and its parameters; what is reported of it is
 * the mean of a result column over the seeds, and their spread.  Cells that
 * mean the same may be added more than once: they are run once.
 */
#ifndef SIM_STUDY_H
#define SIM_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/study/grid.h"

struct study {
	const uint64_t *seeds;
	size_t nseeds;
	struct sim_point *points; /* cell by cell, seed by seed */
	struct sim_result *results;
	size_t ncells, cap;
};

/* Owner: the seeds live as long as the study. */
void study_init(struct study *s, const uint64_t *seeds, size_t nseeds);
void study_fini(struct study *s);

/* Add a cell; the seed of the scenario is replaced.
 * Result: the number of the cell, counted from 0, or -1 with ENOMEM.
 * Owner:  params (NULL = defaults) live as long as the study.
 */
long study_add(struct study *s, const struct sim_scenario *scenario,
	       const struct libra_policy_type *policy, const double *params,
	       struct libra_error *err);

/* The result of one cell with one seed (by its place in seeds); checkpoint.h
 * runs them.
 */
const struct sim_result *study_result(const struct study *s, size_t cell,
				      size_t seed);

/* Over the seeds for which the value is a number. */
struct study_stat {
	double mean; /* NAN if n is 0 */
	double sd;   /* of the sample (n - 1); NAN if n < 2 */
	size_t n;
};

struct study_stat study_stat_of(const double *values, size_t n);

/* Result: the column of that name, of those of a run or, for studies, the
 * median slowdown, work and fifths (fifth_1_pct, ...); NULL with ENOENT.
 */
const struct sim_result_column *study_column(const char *name);

#endif
