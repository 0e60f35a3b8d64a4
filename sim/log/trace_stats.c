/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_stats.c - one pass over the records, one sort of the ratios.
 *
 * Means and counts are summed in one pass for each group of fields.  The
 * quantiles need all ratios of estimate to run time, which are sorted in an
 * array that lives as long as the call.
 */
#include "sim/log/trace_stats.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

/* Measure span and gaps of the submissions. */
static void measure_arrivals(const struct swf_record *r, size_t n,
			     struct trace_stats *st)
{
	double squares = 0, first_s = INFINITY, last_s = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		first_s = fmin(first_s, r[i].submit_s);
		last_s = fmax(last_s, r[i].submit_s);
	}
	st->span_s = last_s - first_s;
	st->mean_gap_s = n > 1 ? st->span_s / (double)(n - 1) : NAN;
	for (size_t i = 1; i < n; i++) {
		double d = r[i].submit_s - r[i - 1].submit_s - st->mean_gap_s;

		squares += d * d;
	}
	st->gap_cv = n > 1 && st->mean_gap_s > 0
			     ? sqrt(squares / (double)(n - 1)) / st->mean_gap_s
			     : NAN;
}

/* Measure sizes, run times and the work of the jobs. */
static void measure_jobs(const struct swf_record *r, size_t n, uint32_t machine,
			 struct trace_stats *st)
{
	double run = 0, procs = 0, work = 0;

	for (size_t i = 0; i < n; i++) {
		int32_t size =
			r[i].req_procs > 0 ? r[i].req_procs : r[i].alloc_procs;

		run += r[i].run_s;
		procs += size;
		st->max_procs = fmax(st->max_procs, size);
		st->ran += r[i].run_s > 0;
		if (r[i].run_s > 0 && r[i].alloc_procs > 0)
			work += r[i].run_s * r[i].alloc_procs;
	}
	st->mean_run_s = run / (double)n;
	st->mean_procs = procs / (double)n;
	st->utilization = st->span_s > 0 ? work / (st->span_s * machine) : NAN;
}

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Different users; unknown ones (-1) do not count. */
static int count_users(const struct swf_record *r, size_t n,
		       struct trace_stats *st)
{
	int32_t *user = calloc(n, sizeof(*user));

	if (!user)
		return -1;
	for (size_t i = 0; i < n; i++)
		user[i] = r[i].user;
	qsort(user, n, sizeof(*user), by_number);
	for (size_t i = 0; i < n; i++)
		st->users += user[i] >= 0 && (i == 0 || user[i] != user[i - 1]);
	free(user);
	return 0;
}

/* Count the error of one estimate. */
static void add_estimate(const struct swf_record *r, struct trace_stats *st)
{
	double ratio = r->request_s / r->run_s;

	st->over_share += ratio > 1;
	st->over_4 += ratio > 4;
	st->over_16 += ratio > 16;
	if (ratio >= 1)
		return;
	st->overruns++;
	st->overrun_max_s = fmax(st->overrun_max_s, r->run_s - r->request_s);
	st->overrun_max_ratio = fmax(st->overrun_max_ratio, 1 / ratio);
}

/* Measure the errors of all estimates.  Result: 0, or -1 with ENOMEM. */
static int measure_estimates(const struct swf_record *r, size_t n,
			     struct trace_stats *st)
{
	static const double part[] = {0.5, 0.75, 0.9, 1};
	double *ratio = calloc(n, sizeof(*ratio));

	if (!ratio)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (r[i].run_s <= 0 || r[i].request_s <= 0)
			continue;
		add_estimate(&r[i], st);
		ratio[st->estimated++] = r[i].request_s / r[i].run_s;
	}
	gsl_sort(ratio, 1, st->estimated);
	for (size_t i = 0; i < 4; i++)
		st->ratio[i] =
			st->estimated
				? gsl_stats_quantile_from_sorted_data(
					  ratio, 1, st->estimated, part[i])
				: NAN;
	st->over_share /= (double)st->estimated;
	st->over_4 /= (double)st->estimated;
	st->over_16 /= (double)st->estimated;
	free(ratio);
	return 0;
}

int trace_stats(const struct swf_trace *trace, size_t n,
		struct trace_stats *stats, struct libra_error *err)
{
	const struct swf_record *r = trace->records;

	memset(stats, 0, sizeof(*stats));
	if (n > 0 && n < trace->nrecords)
		r += trace->nrecords - n;
	else
		n = trace->nrecords;
	stats->records = n;
	measure_arrivals(r, n, stats);
	measure_jobs(r, n, swf_procs(trace), stats);
	if (count_users(r, n, stats) < 0 || measure_estimates(r, n, stats) < 0)
		return sim_no_memory(err);
	return 0;
}
