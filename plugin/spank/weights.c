/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weights.c - which weight each job of a node has: by its share, or by whose
 * turn it is.  See shares.h; pure arithmetic.
 */
#include <math.h>

#include "core/share.h"
#include "plugin/spank/shares.h"

/* A moment before its deadline a job asks for any share; more than this could
 * not be told from weights.
 */
#define GREATEST_SHARE 1e6

/* --- shares --------------------------------------------------------------- */

/* What a job needs of the node: a group's weight counts on all the CPUs on
 * which it has something to run, shared out among them.
 */
static double need(const struct libra_share_job *job, double used_s,
		   double now_s)
{
	double ncpus = job->ncpus ? job->ncpus : 1;
	double share;

	if (job->share == 0 || job->turns)
		return 0;
	share = libra_share(job->estimate_s - used_s / ncpus, job->share,
			    job->deadline_s, now_s);
	return ncpus * fmin(share, GREATEST_SHARE);
}

static void divide(const struct libra_share_job *jobs, const double *used_s,
		   size_t n, double now_s,
		   const struct libra_weight_range *range, uint32_t *weights)
{
	double greatest = 0, weight;

	for (size_t i = 0; i < n; i++)
		greatest = fmax(greatest, need(&jobs[i], used_s[i], now_s));
	for (size_t i = 0; i < n; i++) {
		weights[i] = range->least + (jobs[i].share > 0);
		if (jobs[i].share == 0 || greatest == 0)
			continue;
		weight = round(range->most * need(&jobs[i], used_s[i], now_s) /
			       greatest);
		weights[i] = (uint32_t)fmax(weight, range->least + 1.0);
	}
}

/* --- turns ---------------------------------------------------------------- */

/* One whose first process has not come needs no turn yet. */
static bool waits(const struct libra_share_job *job)
{
	return job->turns && job->share > 0 && job->ncpus > 0;
}

static bool before(const struct libra_share_job *a,
		   const struct libra_share_job *b, double now_s)
{
	bool late_a = now_s >= a->deadline_s, late_b = now_s >= b->deadline_s;

	if (late_a != late_b)
		return late_b;
	if (a->deadline_s != b->deadline_s)
		return a->deadline_s < b->deadline_s;
	return a->id < b->id;
}

/* The first that comes after one (NULL: of all), or NULL. */
static const struct libra_share_job *next_after(
	const struct libra_share_job *one, const struct libra_share_job *jobs,
	size_t n, double now_s)
{
	const struct libra_share_job *next = NULL;

	for (const struct libra_share_job *j = jobs; j < jobs + n; j++)
		if (waits(j) && (!one || before(one, j, now_s)) &&
		    (!next || before(j, next, now_s)))
			next = j;
	return next;
}

/* Take a job's cores if all of them are free. */
static bool claim(const struct libra_share_job *job, uint64_t *claimed)
{
	uint64_t mine[LIBRA_CORE_WORDS], any = 0;

	for (int w = 0; w < LIBRA_CORE_WORDS; w++)
		any |= job->cores[w];
	for (int w = 0; w < LIBRA_CORE_WORDS; w++) {
		mine[w] = any ? job->cores[w] : UINT64_MAX;
		if (mine[w] & claimed[w])
			return false;
	}
	for (int w = 0; w < LIBRA_CORE_WORDS; w++)
		claimed[w] |= mine[w];
	return true;
}

static void take_turns(const struct libra_share_job *jobs, size_t n,
		       double now_s, const struct libra_weight_range *range,
		       uint32_t *weights)
{
	uint64_t claimed[LIBRA_CORE_WORDS] = {0};
	const struct libra_share_job *j = NULL;

	while ((j = next_after(j, jobs, n, now_s)))
		weights[j - jobs] =
			claim(j, claimed)
				? (uint32_t)fmin((double)range->most * j->ncpus,
						 range->greatest)
				: range->least + 1;
}

void libra_weights(const struct libra_share_job *jobs, const double *used_s,
		   size_t n, double now_s,
		   const struct libra_weight_range *range, uint32_t *weights)
{
	divide(jobs, used_s, n, now_s, range, weights);
	take_turns(jobs, n, now_s, range, weights);
}
