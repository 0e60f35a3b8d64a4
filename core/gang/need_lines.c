/* SPDX-License-Identifier: GPL-2.0-or-later */
/* need_lines.c - see need_lines.h. */
#include "core/gang/need_lines.h"

#include <math.h>

#include "core/gang/parts.h"

/* The origin of need lines is a multiple of this: in a double of that many
 * seconds the last bit is 1e-11 s, in one of the seconds since 1970 2e-7 s.
 */
#define REF_STEP_S 65536.0

static void move(struct libra_gang *g, uint32_t slot)
{
	if (g->jobs[slot].moves)
		return;
	g->moving[g->nmoving++] = slot;
	g->jobs[slot].moves = g->nmoving;
}

static void rest(struct libra_gang *g, uint32_t slot)
{
	uint32_t place = g->jobs[slot].moves, last;

	if (!place)
		return;
	last = g->moving[--g->nmoving];
	g->moving[place - 1] = last;
	g->jobs[last].moves = place;
	g->jobs[slot].moves = 0;
}

/* Compute the need line of an executing job.  Result: when it ends: the
 * estimate is spent then.  If the time until the deadline is less, that falls
 * as fast.
 */
static double draw_executing(const struct libra_gang *g,
			     const struct libra_gang_job *job,
			     struct libra_gang_need_line *claim)
{
	double end_s = job->since_s - g->at.ref_s +
		       (job->estimate_s - job->executed_s);
	double deadline_s = job->deadline_s - g->at.ref_s;

	if (g->at.now_s - g->at.ref_s < end_s) {
		claim->base_s = end_s < deadline_s ? end_s : deadline_s;
		claim->falls = 1;
		return end_s;
	}
	claim->base_s = libra_need(&g->overrun, job->estimate_s,
				   libra_gang_executed_s(job, g->at.now_s),
				   job->deadline_s, g->at.now_s);
	return INFINITY;
}

/* Compute the need line of a held job.  Result: when it ends: the job needs all
 * its remaining time then.
 */
static double draw_standing(const struct libra_gang *g,
			    const struct libra_gang_job *job,
			    struct libra_gang_need_line *claim)
{
	double left_s =
		libra_work_left(&g->overrun, job->estimate_s, job->executed_s);
	double deadline_s = job->deadline_s - g->at.ref_s;

	if (g->at.now_s - g->at.ref_s < deadline_s - left_s) {
		claim->base_s = left_s;
		return deadline_s - left_s;
	}
	claim->base_s = deadline_s;
	claim->falls = 1;
	return INFINITY;
}

/* Store a need line.  Result: true if it has changed. */
static bool set_claim(struct libra_gang *g, uint32_t slot,
		      struct libra_gang_need_line drawn)
{
	struct libra_gang_need_line *claim = &g->need_lines[slot];

	if (drawn.deadline_s == claim->deadline_s &&
	    drawn.base_s == claim->base_s && drawn.falls == claim->falls)
		return false;
	libra_gang_note_change(g, slot);
	if (drawn.falls != claim->falls)
		for (uint32_t w = g->spans[slot].first;
		     w <= g->spans[slot].last; w++)
			g->falling[w] += drawn.falls > 0 ? 1u : -1u;
	*claim = drawn;
	return true;
}

bool libra_gang_draw_need(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_gang_need_line drawn = {.deadline_s = job->deadline_s};
	bool executes = libra_gang_executes(job);
	double until_s = INFINITY;

	g->steps++;
	if (job->late)
		drawn.deadline_s = -INFINITY;
	else if (executes)
		until_s = draw_executing(g, job, &drawn);
	else
		until_s = draw_standing(g, job, &drawn);
	if (libra_least_get(&g->until, slot) != until_s)
		libra_least_set(&g->until, slot, until_s);
	if (executes && !job->late && until_s == INFINITY)
		move(g, slot);
	else
		rest(g, slot);
	return set_claim(g, slot, drawn);
}

void libra_gang_clear_need(struct libra_gang *g, uint32_t slot)
{
	libra_least_set(&g->until, slot, INFINITY);
	rest(g, slot);
	set_claim(g, slot,
		  (struct libra_gang_need_line){.deadline_s = -INFINITY});
}

bool libra_gang_count_from(struct libra_gang *g, double now_s)
{
	double ref_s = floor(now_s / REF_STEP_S) * REF_STEP_S;
	bool another = ref_s != g->at.ref_s;

	g->at.touched_s = now_s;
	g->at.ref_s = ref_s;
	g->at.since_ref_s = now_s - ref_s;
	return another;
}
