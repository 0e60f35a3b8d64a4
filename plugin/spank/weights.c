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

/* The jobs of a node, and where they are. */
struct node_jobs {
	const struct spank_job *jobs;
	const double *used_s;
	size_t n;
	double now_s;
};

static bool has_share(const struct spank_job *job)
{
	return job->share > 0 && !job->turns;
}

static bool gives_way(const struct spank_job *job, double now_s)
{
	return has_share(job) && job->yields && job->deadline_s <= now_s;
}

/* The share of each of its CPUs that a job in time needs now, at most 1: a job
 * that idled until its deadline is near does not get the time of others.
 */
static double own_need(const struct spank_job *job, double used_s, double now_s)
{
	return fmin(libra_share(job->estimate_s - used_s / cpus_of(job),
				job->share, job->deadline_s, now_s),
		    1);
}

static bool knows_cores(const struct spank_job *job)
{
	uint64_t any = 0;

	for (int w = 0; w < SPANK_CORE_WORDS; w++)
		any |= job->cores[w];
	return any != 0;
}

/* A job whose cores are not known may be on each. */
static bool is_on(const struct spank_job *job, uint32_t core)
{
	return !knows_cores(job) || (job->cores[core / 64] >> core % 64 & 1);
}

/* Return the share of a core that is left for each late job there. */
static double rest_of(const struct node_jobs *node, uint32_t core)
{
	double share = 0;
	uint32_t nlate = 0;

	for (size_t i = 0; i < node->n; i++) {
		const struct spank_job *job = &node->jobs[i];

		if (!has_share(job) || !is_on(job, core))
			continue;
		if (gives_way(job, node->now_s))
			nlate++;
		else
			share += own_need(job, node->used_s[i], node->now_s);
	}
	return fmax(1 - share, 0) / (nlate ? nlate : 1);
}

/* Return the need of a late job by the fullest of its cores, as its parts must
 * progress together.
 */
static double late_need(const struct node_jobs *node,
			const struct spank_job *job)
{
	double least = 1;

	for (uint32_t core = 0; core < SPANK_CORES; core++)
		if (is_on(job, core))
			least = fmin(least, rest_of(node, core));
	return least;
}

static double need(const struct node_jobs *node, size_t i)
{
	const struct spank_job *job = &node->jobs[i];

	if (!has_share(job))
		return 0;
	return gives_way(job, node->now_s)
		       ? late_need(node, job)
		       : own_need(job, node->used_s[i], node->now_s);
}

/* The weight of a share of 1 of one CPU.  The kernel divides a group's weight
 * among the CPUs on which the group runs, and limits it as a whole.
 */
static double unit_of(const struct node_jobs *node,
		      const struct spank_weight_range *range)
{
	double share = 0, all = 0;

	for (size_t i = 0; i < node->n; i++) {
		double s = need(node, i);

		share = fmax(share, s);
		all = fmax(all, s * cpus_of(&node->jobs[i]));
	}
	return share > 0 ? fmin(range->most / share, range->greatest / all) : 0;
}

static void divide(const struct node_jobs *node,
		   const struct spank_weight_range *range, uint32_t *weights)
{
	double unit = unit_of(node, range), weight;

	for (size_t i = 0; i < node->n; i++) {
		weights[i] = range->least + (node->jobs[i].share > 0);
		weight = round(unit * need(node, i) * cpus_of(&node->jobs[i]));
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
	const struct node_jobs node = {jobs, used_s, n, now_s};

	divide(&node, range, weights);
	take_turns(jobs, n, now_s, range, weights);
}
