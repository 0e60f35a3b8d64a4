/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.c - cells, seeds, means.
 *
 * The arrays of points and results grow by cells.  The tables of columns are
 * those of run/result.h, and one more for measures that only studies compute.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

#include "sim/study/experiment.h"

void study_init(struct study *s, const uint64_t *seeds, size_t nseeds)
{
	memset(s, 0, sizeof(*s));
	s->seeds = seeds;
	s->nseeds = nseeds;
}

void study_fini(struct study *s)
{
	free(s->points);
	free(s->results);
	memset(s, 0, sizeof(*s));
}

long study_add(struct study *s, const struct sim_scenario *scenario,
	       const struct libra_policy_type *policy, const double *params,
	       struct libra_error *err)
{
	struct sim_point *point;

	if (s->ncells == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 64;

		point = realloc(s->points, cap * s->nseeds * sizeof(*point));
		if (!point)
			return sim_no_memory(err);
		s->points = point;
		s->cap = cap;
	}
	point = &s->points[s->ncells * s->nseeds];
	for (size_t i = 0; i < s->nseeds; i++) {
		point[i].scenario = *scenario;
		point[i].scenario.seed = s->seeds[i];
		point[i].policy = policy;
		point[i].params = params;
	}
	return (long)s->ncells++;
}

const struct sim_result *study_result(const struct study *s, size_t cell,
				      size_t seed)
{
	return &s->results[cell * s->nseeds + seed];
}

struct study_stat study_stat_of(const double *values, size_t n)
{
	struct study_stat stat = {.mean = NAN, .sd = NAN};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(values[i])) {
			sum += values[i];
			stat.n++;
		}
	if (stat.n > 0)
		stat.mean = sum / (double)stat.n;
	for (size_t i = 0; i < n; i++)
		if (isfinite(values[i]))
			squares += (values[i] - stat.mean) *
				   (values[i] - stat.mean);
	if (stat.n > 1)
		stat.sd = sqrt(squares / (double)(stat.n - 1));
	return stat;
}

#define COLUMN(name_, field)                                                   \
	{                                                                      \
		.name = name_, .offset = offsetof(struct sim_result, field)    \
	}

/* Columns of studies that are not in the table of a run. */
static const struct sim_result_column more_columns[] = {
	COLUMN("median_slowdown", median_slowdown),
	/* The utilization of the run; utilization_pct is the log's. */
	COLUMN("used_pct", utilization_pct),
	COLUMN("work_fulfilled_pct", work_fulfilled_pct),
	COLUMN("fifth_1_pct", quintile_pct[0]),
	COLUMN("fifth_2_pct", quintile_pct[1]),
	COLUMN("fifth_3_pct", quintile_pct[2]),
	COLUMN("fifth_4_pct", quintile_pct[3]),
	COLUMN("fifth_5_pct", quintile_pct[4]),
};

static const struct sim_result_column *find_column(
	const struct sim_result_column *columns, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(columns[i].name, name) == 0)
			return &columns[i];
	return NULL;
}

const struct sim_result_column *study_column(const char *name)
{
	const struct sim_result_column *found =
		find_column(sim_result_columns, sim_result_ncolumns, name);

	if (!found)
		found = find_column(
			more_columns,
			sizeof(more_columns) / sizeof(more_columns[0]), name);
	if (!found)
		found = find_column(sim_result_extras, sim_result_nextras,
				    name);
	if (!found)
		errno = ENOENT;
	return found;
}
