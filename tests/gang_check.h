/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang_check.h - compute a gang's state again and compare it. */
#ifndef TESTS_GANG_CHECK_H
#define TESTS_GANG_CHECK_H

#include <math.h>
#include <string.h>

#include "core/gang/gang.h"
#include "core/gang/near.h"

/* Return true if a side lists only existing neighbours, each once, and counts
 * all of them.
 */
static inline bool check_side(const struct libra_gang *g, uint32_t slot,
			      const struct libra_gang_side *side)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i], listed = 0;
		const struct libra_gang_job *other = &g->jobs[k];
		bool before = libra_gang_before(other, job);

		for (uint32_t at = 0; at < side->nslots; at++)
			listed += side->slots[at] == k;
		if (k != slot && before == (side == &job->before) &&
		    libra_gang_meet(other, job))
			n++;
		else if (listed > 0)
			return false;
		if (listed > 1)
			return false;
	}
	return side->n == n && side->nslots <= n &&
	       side->nslots <= LIBRA_GANG_LISTED;
}

static inline const char *check_job(const struct libra_gang *g, uint32_t rank,
				    double now_s)
{
	uint32_t slot = g->order[rank], nnear = 0;
	const struct libra_gang_job *job = &g->jobs[slot];
	double need_s = libra_need(&g->overrun, job->estimate_s,
				   libra_gang_executed_s(job, now_s),
				   job->deadline_s, now_s);

	if (job->late != (rank >= g->njobs - g->nlate))
		return "late jobs are not last";
	if (job->late != (libra_is_late(job->deadline_s, now_s)))
		return "a job is late and not marked, or marked and not late";
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];
		const struct libra_gang_job *other = &g->jobs[k];

		if (k == slot || !libra_gang_meet(job, other))
			continue;
		nnear++;
		if (job->runs && other->runs)
			return "two jobs run on one processor";
	}
	if (fabs(libra_gang_need_s(g, slot) - need_s) > LIBRA_SLACK_TOLERANCE_S)
		return "what a job claims is not what it needs";
	if (g->need_lines[slot].deadline_s !=
	    (job->late ? -INFINITY : job->deadline_s))
		return "what a job claims is not when it is due";
	if (!check_side(g, slot, &job->before) ||
	    !check_side(g, slot, &job->behind))
		return "a job does not know its neighbours";
	if (libra_bits_has(g->with_neighbours, slot) != (nnear > 0))
		return "it is not known who has neighbours";
	return NULL;
}

/* Check that each run lists the jobs on it, and differs from the run before. */
static inline const char *check_runs(const struct libra_gang *g)
{
	uint32_t before = 0, next, n = 0;

	for (uint32_t run = 0; run < g->nprocs; before = run, run = next) {
		const uint32_t *bound = libra_gang_bound(g, run);

		next = libra_gang_run_end(g, run, g->nprocs);
		n += g->runs.nbound[run] * (next - run);
		if (libra_bits_any(g->runs.used, run, next) !=
		    (g->runs.nbound[run] > 0))
			return "a processor is used by nobody";
		if (run > 0 && g->runs.nbound[before] == g->runs.nbound[run] &&
		    memcmp(libra_gang_bound(g, before), bound,
			   g->runs.nbound[run] * sizeof(*bound)) == 0)
			return "two runs are one";
	}
	for (uint32_t i = 0; i < g->njobs; i++)
		n -= g->jobs[g->order[i]].nprocs;
	return n == 0 ? NULL : "not all processors of a job are bound";
}

/* Check the number of falling needs in each word. */
static inline bool check_falling(const struct libra_gang *g)
{
	bool good = true;

	for (uint32_t w = 0; w <= g->words && good; w++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < g->njobs; i++) {
			uint32_t slot = g->order[i];

			n += g->need_lines[slot].falls > 0 &&
			     g->spans[slot].first <= w &&
			     g->spans[slot].last >= w;
		}
		good = n == g->falling[w];
	}
	return good;
}

/* Return NULL, or a text that says what is wrong.  Touched at now_s. */
static inline const char *gang_check(const struct libra_gang *g, double now_s)
{
	const char *runs = check_runs(g);

	if (runs)
		return runs;
	if (!check_falling(g))
		return "needs fall that nobody knows of";
	for (uint32_t i = 0; i < g->njobs; i++) {
		const char *wrong = check_job(g, i, now_s);

		if (wrong)
			return wrong;
		if (i > 0 &&
		    g->jobs[g->order[i]].late ==
			    g->jobs[g->order[i - 1]].late &&
		    !libra_gang_before(&g->jobs[g->order[i - 1]],
				       &g->jobs[g->order[i]]))
			return "jobs are not in order";
	}
	return NULL;
}

#endif
