/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.c - cells, seeds, means.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
			return libra_errf(err, ENOMEM, "out of memory");
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

int study_run(struct study *s, const struct swf_trace *trace, unsigned nworkers,
	      sim_progress_f *progress, void *arg, struct libra_error *err)
{
	size_t n = s->ncells * s->nseeds;

	free(s->results);
	s->results = calloc(n ? n : 1, sizeof(*s->results));
	if (!s->results)
		return libra_errf(err, ENOMEM, "out of memory");
	return sim_grid_run(trace, s->points, n, s->results, nworkers, progress,
			    arg, err);
}

const struct sim_result *study_result(const struct study *s, size_t cell,
				      size_t seed)
{
	return &s->results[cell * s->nseeds + seed];
}

double study_value(const struct sim_result *result,
		   const struct sim_result_column *column)
{
	const char *at = (const char *)result + column->offset;
	uint64_t count;
	double value;

	if (column->is_count) {
		memcpy(&count, at, sizeof(count));
		return (double)count;
	}
	memcpy(&value, at, sizeof(value));
	return value;
}

struct study_stat study_stat(const struct study *s, size_t cell,
			     const struct sim_result_column *column)
{
	struct study_stat stat = {.mean = NAN, .sd = NAN};
	double sum = 0, squares = 0;

	for (size_t i = 0; i < s->nseeds; i++) {
		double v = study_value(study_result(s, cell, i), column);

		if (isfinite(v)) {
			sum += v;
			stat.n++;
		}
	}
	if (stat.n > 0)
		stat.mean = sum / (double)stat.n;
	for (size_t i = 0; i < s->nseeds; i++) {
		double v = study_value(study_result(s, cell, i), column);

		if (isfinite(v))
			squares += (v - stat.mean) * (v - stat.mean);
	}
	if (stat.n > 1)
		stat.sd = sqrt(squares / (double)(stat.n - 1));
	return stat;
}

const struct sim_result_column *study_column(const char *name)
{
	for (size_t i = 0; i < sim_result_ncolumns; i++)
		if (strcmp(sim_result_columns[i].name, name) == 0)
			return &sim_result_columns[i];
	errno = ENOENT;
	return NULL;
}
