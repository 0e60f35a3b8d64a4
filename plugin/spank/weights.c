/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weights.c - see weights.h.
 */
#include <math.h>

#include "core/formula/share.h"
#include "plugin/spank/weights.h"

/* --- shares --------------------------------------------------------------- */

static uint32_t cpus_of(const struct spank_job *job)
{
	return job->ncpus ? job->ncpus : 1;
}

/* The share of each of its CPUs that a job needs now, at most 1: a job that
 * idled until its deadline is near does not get the time of others.
 */
static double need(const struct spank_job *job, double used_s, double now_s)
{
	if (job->share == 0 || job->turns)
		return 0;
	return fmin(libra_share(job->estimate_s - used_s / cpus_of(job),
				job->share, job->deadline_s, now_s),
		    1);
}

/* The weight of a share of 1 of one CPU.  The kernel divides a group's weight
 * among the CPUs on which the group runs, and limits it as a whole.
 */
static double unit_of(const struct spank_job *jobs, const double *used_s,
		      size_t n, double now_s,
		      const struct spank_weight_range *range)
{
	double share = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		double s = need(&jobs[i], used_s[i], now_s);

		share = fmax(share, s);
		all = fmax(all, s * cpus_of(&jobs[i]));
	}
	return share > 0 ? fmin(range->most / share, range->greatest / all) : 0;
}

static void divide(const struct spank_job *jobs, const double *used_s, size_t n,
		   double now_s, const struct spank_weight_range *range,
		   uint32_t *weights)
{
	double unit = unit_of(jobs, used_s, n, now_s, range), weight;

	for (size_t i = 0; i < n; i++) {
		weights[i] = range->least + (jobs[i].share > 0);
		weight = round(unit * need(&jobs[i], used_s[i], now_s) *
			       cpus_of(&jobs[i]));
		if (weight > weights[i])
			weights[i] = (uint32_t)weight;
	}
}

/* --- turns ---------------------------------------------------------------- */

/* A job whose first process has not come needs no turn yet. */
static bool waits(const struct spank_job *job)
{
	return job->turns && job->share > 0 && job->ncpus > 0;
}

static bool before(const struct spank_job *a, const struct spank_job *b,
		   double now_s)
{
	bool late_a = now_s >= a->deadline_s, late_b = now_s >= b->deadline_s;

	if (late_a != late_b)
		return late_b;
	if (a->deadline_s != b->deadline_s)
		return a->deadline_s < b->deadline_s;
	return a->id < b->id;
}

/* The job that comes next after one (NULL: the first of all), or NULL. */
static const struct spank_job *next_after(const struct spank_job *one,
					  const struct spank_job *jobs,
					  size_t n, double now_s)
{
	const struct spank_job *next = NULL;

	for (const struct spank_job *j = jobs; j < jobs + n; j++)
		if (waits(j) && (!one || before(one, j, now_s)) &&
		    (!next || before(j, next, now_s)))
			next = j;
	return next;
}

/* Take a job's cores if all of them are free.  A job whose cores are not known
 * has its turn and takes none: otherwise no other job would ever have one.
 */
static bool claim(const struct spank_job *job, uint64_t *claimed)
{
	for (int w = 0; w < SPANK_CORE_WORDS; w++)
		if (job->cores[w] & claimed[w])
			return false;
	for (int w = 0; w < SPANK_CORE_WORDS; w++)
		claimed[w] |= job->cores[w];
	return true;
}

static void take_turns(const struct spank_job *jobs, size_t n, double now_s,
		       const struct spank_weight_range *range,
		       uint32_t *weights)
{
	uint64_t claimed[SPANK_CORE_WORDS] = {0};
	const struct spank_job *j = NULL;

	while ((j = next_after(j, jobs, n, now_s)))
		weights[j - jobs] =
			claim(j, claimed)
				? (uint32_t)fmin((double)range->most * j->ncpus,
						 range->greatest)
				: range->least + 1;
}

void spank_weights(const struct spank_job *jobs, const double *used_s, size_t n,
		   double now_s, const struct spank_weight_range *range,
		   uint32_t *weights)
{
	divide(jobs, used_s, n, now_s, range, weights);
	take_turns(jobs, n, now_s, range, weights);
}
