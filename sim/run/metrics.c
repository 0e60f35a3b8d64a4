/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.c - the columns of result.h, from the outcomes of the jobs.
 *
 * One pass sums all columns.  Medians and fifths need scratch memory for all
 * jobs, and are computed only for studies.
 */
#include "sim/run/metrics.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/width.h"

double sim_bounded_slowdown(double response_s, double runtime_s)
{
	double slowdown = response_s / (runtime_s > SIM_SLOWDOWN_BOUND_S
						? runtime_s
						: SIM_SLOWDOWN_BOUND_S);

	return slowdown > 1 ? slowdown : 1;
}

static double work_of(const struct sim_job *job)
{
	return job->runtime_s * job->job.nprocs;
}

/* Return the processor time that a job takes; it grows with its processors. */
static double use_of(const struct sim_job *job,
		     const struct sim_outcome *outcome)
{
	if (!outcome->width)
		return work_of(job);
	return outcome->width *
	       libra_width_time_s(job->runtime_s, job->job.nprocs,
				  outcome->width, job->speedup);
}

/* Measure the median slowdown of fulfilled jobs. */
static void measure_median(const struct sim_workload *w,
			   const struct sim_outcome *outcomes, double *scratch,
			   struct sim_result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < w->njobs; i++)
		if (outcomes[i].fulfilled)
			scratch[n++] = (outcomes[i].finish_s -
					w->jobs[i].job.submit_s) /
				       w->jobs[i].runtime_s;
	/* Selected, not sorted: sorting took a tenth of a short run. */
	result->median_slowdown =
		n == 0 ? NAN
		       : (gsl_stats_select(scratch, 1, n, (n - 1) / 2) +
			  gsl_stats_select(scratch, 1, n, n / 2)) /
				 2;
}

/* Cut the fifths at values of work, so that equal jobs are in the same one. */
static void measure_fifths(const struct sim_workload *w,
			   const struct sim_outcome *outcomes, double *scratch,
			   struct sim_result *result)
{
	size_t n = w->njobs, ndue = 0, jobs[SIM_QUINTILES] = {0};
	size_t fulfilled[SIM_QUINTILES] = {0};
	double cut[SIM_QUINTILES - 1];

	for (size_t i = 0; i < n; i++)
		if (!w->jobs[i].ordinary)
			scratch[ndue++] = work_of(&w->jobs[i]);
	for (size_t q = 0; ndue > 0 && q + 1 < SIM_QUINTILES; q++)
		cut[q] = gsl_stats_select(scratch, 1, ndue,
					  (q + 1) * ndue / SIM_QUINTILES);
	for (size_t i = 0; i < n; i++) {
		double work = work_of(&w->jobs[i]);
		size_t q = 0;

		if (w->jobs[i].ordinary)
			continue;
		/* Cuts are in order: no branch that is hard to predict. */
		for (size_t k = 0; k + 1 < SIM_QUINTILES; k++)
			q += work >= cut[k];
		jobs[q]++;
		fulfilled[q] += outcomes[i].fulfilled;
	}
	for (size_t q = 0; q < SIM_QUINTILES; q++)
		result->quintile_pct[q] =
			100 * (double)fulfilled[q] / (double)jobs[q];
}

/* One that ran without a promise. */
static void measure_ordinary(const struct sim_job *job,
			     const struct sim_outcome *outcome,
			     struct sim_result *result)
{
	double wait_s = outcome->start_s - job->job.submit_s;

	result->lucky += outcome->lucky;
	if (!job->ordinary)
		return;
	result->ordinary++;
	result->ordinary_wait_s += wait_s;
	result->ordinary_longest_s = fmax(result->ordinary_longest_s, wait_s);
}

/* NAN is before any; fmax() is a call. */
static double later(double a_s, double b_s)
{
	return a_s >= b_s ? a_s : b_s;
}

/* Sum the outcomes of all jobs, and divide. */
static void measure(const struct sim_workload *w,
		    const struct sim_outcome *outcomes,
		    struct sim_result *result)
{
	double wait_s = 0, slowdown = 0, bounded = 0, work = 0;
	double due = 0, done = 0; /* work */
	double end_s = NAN;	  /* nothing has ended */

	memset(result, 0, sizeof(*result));
	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];
		const struct sim_outcome *outcome = &outcomes[i];
		double response_s = outcome->finish_s - job->job.submit_s;

		if (!job->ordinary) {
			result->submitted++;
			result->budget += job->job.budget;
			due += work_of(job);
		}
		if (outcome->ordinary && !isnan(outcome->finish_s)) {
			measure_ordinary(job, outcome, result);
			work += use_of(job, outcome);
			end_s = later(end_s, outcome->finish_s);
		}
		if (!outcome->accepted)
			continue;
		result->killed += job->killed;
		result->accepted++;
		result->guaranteed += outcome->guaranteed;
		result->guaranteed_fulfilled +=
			outcome->guaranteed && outcome->fulfilled;
		result->utility += outcome->utility;
		wait_s += outcome->start_s - job->job.submit_s;
		bounded += sim_bounded_slowdown(response_s, job->runtime_s);
		work += use_of(job, outcome);
		end_s = later(end_s, outcome->finish_s);
		if (!outcome->fulfilled)
			continue;
		result->fulfilled++;
		done += work_of(job);
		slowdown += response_s / job->runtime_s;
	}
	result->ordinary_wait_s /= (double)result->ordinary;
	result->fulfilled_pct =
		100 * (double)result->fulfilled / (double)result->submitted;
	result->reliability_pct =
		100 * (double)result->fulfilled / (double)result->accepted;
	result->profit_pct = 100 * result->utility / result->budget;
	result->mean_slowdown = slowdown / (double)result->fulfilled;
	result->mean_wait_s = wait_s / (double)result->accepted;
	result->mean_bounded_slowdown = bounded / (double)result->accepted;
	result->makespan_s = end_s - w->jobs[0].job.submit_s;
	result->work_fulfilled_pct = 100 * done / due;
	result->utilization_pct = 100 * work / (result->makespan_s * w->procs);
}

int sim_measure(const struct sim_workload *w,
		const struct sim_outcome *outcomes, struct sim_result *result)
{
	double *scratch;

	measure(w, outcomes, result);
	result->median_slowdown = NAN;
	for (size_t q = 0; q < SIM_QUINTILES; q++)
		result->quintile_pct[q] = NAN;
	if (!w->studied)
		return 0;
	scratch = calloc(w->njobs + 1, sizeof(*scratch));
	if (!scratch)
		return -1;
	measure_median(w, outcomes, scratch, result);
	measure_fifths(w, outcomes, scratch, result);
	free(scratch);
	return 0;
}
