/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_in.c - values of jobs from a table, instead of drawn ones.
 *
 * The table is read as a whole, its rows sorted by job and compared with their
 * neighbours, and each job of the workload then finds its row by bisection.
 * The table is freed before the return.
 */
#include "sim/workload/jobs_in.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/output/table_file.h"

enum {
	DEADLINE,
	ESTIMATE,
	URGENCY,
	BUDGET,
	PENALTY,
	MOST_PROCS,
	SPEEDUP,
	NCOLUMNS
};

static const struct {
	const char *name, *range;
	double above, below; /* neither allowed */
} columns[NCOLUMNS] = {
	[DEADLINE] = {"deadline_s", "above 0 and finite", 0, INFINITY},
	[ESTIMATE] = {"estimate_s", "above 0 and finite", 0, INFINITY},
	[URGENCY] = {"high_urgency", "0 or 1", -1, 2},
	[BUDGET] = {"budget", "at least 0 and finite", -5e-324, INFINITY},
	[PENALTY] = {"penalty_rate", "at least 0 and finite", -5e-324,
		     INFINITY},
	[MOST_PROCS] = {"max_procs", "a whole number, at least 1", 0,
			UINT32_MAX},
	[SPEEDUP] = {"speedup", "from 0 to 1", -5e-324, 1 + 0x1p-52},
};

/* One row: a job and its values; NAN where a column is missing. */
struct job_row {
	uint64_t job;
	size_t number; /* of the row */
	double value[NCOLUMNS];
};

static bool fits(size_t c, double v)
{
	return v > columns[c].above && v < columns[c].below &&
	       ((c != URGENCY && c != MOST_PROCS) || v == rint(v));
}

/* Read one value of a row; NAN if the table lacks the column. */
static int read_value(const char *path, const struct table_row *row, size_t c,
		      bool ordinary, double *value, struct libra_error *err)
{
	const char *text = table_row_text(row, columns[c].name);
	char *end;

	*value = NAN;
	if (!text)
		return 0;
	/* The deadline of a job without one. */
	if (c == DEADLINE && !*text && ordinary) {
		*value = INFINITY;
		return 0;
	}
	*value = strtod(text, &end);
	if (end == text || *end || !fits(c, *value))
		return libra_errf(err, EINVAL,
				  "%s: row %zu: %s must be %s, not '%s'%s",
				  path, row->number, columns[c].name,
				  columns[c].range, text,
				  c == DEADLINE && !*text
					  ? "; jobs without a deadline need "
					    "--ordinary 0"
					  : "");
	return 0;
}

/* Read the job and the values of a row. */
static int read_row(const char *path, const struct table_row *row,
		    bool ordinary, struct job_row *g, struct libra_error *err)
{
	const char *text = table_row_text(row, "job");
	char *end;

	g->number = row->number;
	errno = 0;
	g->job = text ? strtoull(text, &end, 10) : 0;
	if (!text || end == text || *end || errno)
		return libra_errf(err, EINVAL,
				  "%s: row %zu: job must be a whole number, "
				  "not '%s'",
				  path, row->number, text ? text : "");
	for (size_t c = 0; c < NCOLUMNS; c++)
		if (read_value(path, row, c, ordinary, &g->value[c], err) < 0)
			return -1;
	return 0;
}

static int by_job(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Sort, and keep one of the rows that agree about a job.
 * Result: how many are left, or 0 with the error.
 */
static size_t sort_rows(const char *path, struct job_row *g, size_t n,
			struct libra_error *err)
{
	size_t kept = 0;

	qsort(g, n, sizeof(*g), by_job);
	for (size_t i = 1; i < n; i++) {
		if (g[i].job != g[kept].job) {
			g[++kept] = g[i];
			continue;
		}
		for (size_t c = 0; c < NCOLUMNS; c++) {
			double x = g[kept].value[c], y = g[i].value[c];

			if (x == y || (isnan(x) && isnan(y)))
				continue;
			libra_errf(err, EINVAL,
				   "%s: rows %zu and %zu differ: job %llu has "
				   "two values of %s",
				   path, g[kept].number, g[i].number,
				   (unsigned long long)g[i].job,
				   columns[c].name);
			return 0;
		}
	}
	return kept + 1;
}

/* Set the values of a job from its row. */
static void take(struct sim_workload *w, struct sim_job *job,
		 const struct job_row *g)
{
	const double *v = g->value;

	if (!isnan(v[DEADLINE])) {
		job->deadline_rel_s = v[DEADLINE];
		job->job.deadline_s = job->job.submit_s + v[DEADLINE];
		job->ordinary = v[DEADLINE] == INFINITY;
	}
	if (!isnan(v[ESTIMATE]))
		job->job.estimate_s = v[ESTIMATE];
	if (!isnan(v[URGENCY]))
		job->high_urgency = v[URGENCY] == 1;
	if (!isnan(v[BUDGET]))
		job->job.budget = v[BUDGET];
	if (!isnan(v[PENALTY]))
		job->job.penalty_rate = v[PENALTY];
	if (isnan(v[MOST_PROCS]))
		return;
	job->most_procs = (uint32_t)fmin(v[MOST_PROCS], w->procs);
	job->speedup = isnan(v[SPEEDUP]) ? 0 : v[SPEEDUP];
	w->has_widths = w->has_widths || job->most_procs > job->job.nprocs;
}

static int same_job(const void *a, const void *b)
{
	uint64_t x = ((const struct job_row *)a)->job;
	uint64_t y = ((const struct job_row *)b)->job;

	return (x > y) - (x < y);
}

/* Find the row of each job, and take its values. */
static int take_all(struct sim_workload *w, const char *path,
		    const struct job_row *list, size_t n,
		    struct libra_error *err)
{
	for (size_t i = 0; i < w->njobs; i++) {
		struct job_row key = {.job = w->jobs[i].job.id};
		const struct job_row *g =
			bsearch(&key, list, n, sizeof(key), same_job);

		if (!g)
			return libra_errf(err, EINVAL,
					  "%s: job %llu has no row", path,
					  (unsigned long long)key.job);
		take(w, &w->jobs[i], g);
	}
	return 0;
}

static bool has_column(const struct table_row *row)
{
	for (size_t c = 0; c < NCOLUMNS; c++)
		if (table_row_text(row, columns[c].name))
			return true;
	return false;
}

int sim_jobs_in_read(struct sim_workload *w, const char *path,
		     struct libra_error *err)
{
	struct table_file f;
	struct job_row *list;
	size_t n;
	int rc = 0;

	if (table_file_read(&f, path, "job", err) < 0)
		return -1;
	list = calloc(f.nrows, sizeof(*list));
	if (!list)
		rc = sim_no_memory(err);
	else if (!has_column(&f.rows[0]))
		rc = libra_errf(
			err, EINVAL,
			"%s: no column is named deadline_s, estimate_s, "
			"high_urgency, budget, penalty_rate or max_procs",
			path);
	for (size_t i = 0; rc == 0 && i < f.nrows; i++)
		rc = read_row(path, &f.rows[i], w->has_ordinary, &list[i], err);
	if (rc == 0) {
		n = sort_rows(path, list, f.nrows, err);
		rc = n ? take_all(w, path, list, n, err) : -1;
	}
	table_file_fini(&f);
	free(list);
	return rc;
}
