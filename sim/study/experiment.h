/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.h - cells of an experiment, each run with every seed.
 *
 * A cell is a scenario, a policy and its parameters.  Reports show the mean of
 * a result column over the seeds, and the spread.  Equal cells may be added
 * more than once: they are run once (grid.h).
 */
#ifndef SIM_STUDY_H
#define SIM_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "sim/study/grid.h"

struct study {
	const uint64_t *seeds;
	size_t nseeds;
	struct sim_point *points;   /* cell by cell, seed by seed */
	struct sim_result *results; /* of the points; NULL = not run */
	size_t ncells, cap;
};

/* Make an empty study.
 * Owner:  the seeds must live as long as the study; the caller calls
 *         study_fini().
 */
void study_init(struct study *s, const uint64_t *seeds, size_t nseeds);
void study_fini(struct study *s);

/* Add a cell: a point for each seed, which replaces the scenario's seed.
 * Result: the index of the cell, or -1 with ENOMEM.
 * Owner:  params (NULL = defaults) must live as long as the study.
 */
long study_add(struct study *s, const struct sim_scenario *scenario,
	       const struct libra_policy_type *policy, const double *params,
	       struct libra_error *err);

/* Return the result of a cell with the seed of an index, after
 * checkpoint_run().  The study owns it.
 */
const struct sim_result *study_result(const struct study *s, size_t cell,
				      size_t seed);

/* Statistics over the seeds; values that are NAN are left out. */
struct study_stat {
	double mean; /* NAN if n is 0 */
	double sd;   /* of the sample (n - 1); NAN if n < 2 */
	size_t n;
};

/* Return the statistics of n values. */
struct study_stat study_stat_of(const double *values, size_t n);

/* Find a column by its name: a column of a run, or one of studies alone
 * (median_slowdown, used_pct, work_fulfilled_pct, fifth_1_pct to fifth_5_pct).
 * Result: a constant, or NULL with ENOENT.
 */
const struct sim_result_column *study_column(const char *name);

#endif
