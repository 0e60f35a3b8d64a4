/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch.c - which jobs run, and which changes the host must get.
 *
 * In the order of the gang a job runs if it is ready and no neighbour before it
 * runs.  So only a job that was changed itself, and neighbours after it, can
 * start or stop running: the others are not visited.
 */
#include <string.h>

#include "core/gang/gang.h"
#include "core/gang/near.h"
#include "core/gang/short_list.h"

void libra_gang_ready(struct libra_gang *g, uint32_t slot, bool ready)
{
	g->jobs[slot].ready = ready;
	libra_gang_short_list_add(&g->dirty, slot);
}

void libra_gang_begin(struct libra_gang *g, uint32_t slot)
{
	libra_gang_run_job(g, slot, g->jobs[slot].runs, true);
}

void libra_gang_report(struct libra_gang *g, uint32_t slot)
{
	g->jobs[slot].unreported = true;
	libra_gang_short_list_add(&g->unreported, slot);
}

static void set_running(struct libra_gang *g, uint32_t slot, bool runs)
{
	struct libra_gang_job *job = &g->jobs[slot];

	if (runs != job->runs)
		libra_gang_run_job(g, slot, runs, job->started);
	if (libra_gang_is_unreported(job))
		libra_gang_short_list_add(&g->unreported, slot);
}

/* ---- all ---- */

/* Claim the processors of a job unless one of them is claimed. */
static bool claim(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++)
		if (libra_bits_any(g->claimed, job->parts[i].first,
				   job->parts[i].first + job->parts[i].count))
			return false;
	libra_gang_put(g, slot, g->claimed);
	return true;
}

static void dispatch_all(struct libra_gang *g)
{
	uint32_t left = g->nprocs;

	g->steps += g->njobs;
	memset(g->claimed, 0, g->words * sizeof(*g->claimed));
	g->unreported.n = 0;
	g->unreported.many = false;
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		struct libra_gang_job *job = &g->jobs[slot];
		bool runs = job->ready && job->nprocs <= left && claim(g, slot);

		if (runs)
			left -= job->nprocs;
		set_running(g, slot, runs);
	}
}

/* ---- those that are asked ---- */

/* The late neighbour with the earlier deadline comes first; a job
 * that is not late comes before each late one.
 */
static bool runs_before(const struct libra_gang *g, uint32_t slot,
			const struct libra_gang_side *side)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t cursor = 0, near;

	while ((near = libra_gang_next_near(g, slot, side, &cursor)) !=
	       LIBRA_GANG_NOBODY)
		if (g->jobs[near].runs &&
		    libra_gang_precedes(&g->jobs[near], job))
			return true;
	return false;
}

static bool is_held(const struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	return runs_before(g, slot, &job->before) ||
	       (job->late && runs_before(g, slot, &job->behind));
}

static void ask_side(struct libra_gang *g, const struct libra_gang_job *job,
		     const struct libra_gang_side *side)
{
	g->dirty.many |= libra_gang_is_crowded(side); /* more than few */
	for (uint32_t i = 0; i < side->nslots && !g->dirty.many; i++) {
		const struct libra_gang_job *other = &g->jobs[side->slots[i]];

		if (other->ready && other->runs == job->runs &&
		    libra_gang_precedes(job, other))
			libra_gang_short_list_add(&g->dirty, side->slots[i]);
	}
}

/* A job has started or stopped running: its later neighbours may have to
 * change.
 */
static void ask_behind(struct libra_gang *g, const struct libra_gang_job *job)
{
	ask_side(g, job, &job->behind);
	ask_side(g, job, &job->before); /* only late jobs come after it there */
}

/* Take the first in the order from the list. */
static uint32_t take_first(struct libra_gang *g)
{
	struct libra_gang_short_list *few = &g->dirty;
	uint32_t first = few->slots[0];

	for (uint32_t i = 1; i < few->n; i++)
		if (libra_gang_precedes(&g->jobs[few->slots[i]],
					&g->jobs[first]))
			first = few->slots[i];
	libra_gang_short_list_drop(few, first);
	return first;
}

/* Dispatch the jobs of the list.  Result: false if it is incomplete. */
static bool dispatch_asked(struct libra_gang *g)
{
	while (g->dirty.n > 0 && !g->dirty.many && !g->unreported.many) {
		uint32_t slot = take_first(g);
		const struct libra_gang_job *job = &g->jobs[slot];
		bool runs = job->ready && !is_held(g, slot);

		if (runs == job->runs)
			continue;
		set_running(g, slot, runs);
		ask_behind(g, job);
	}
	return !g->dirty.many && !g->unreported.many;
}

/* Remove reported jobs from the list. */
static void drop_told(struct libra_gang *g)
{
	struct libra_gang_short_list *few = &g->unreported;
	uint32_t n = 0;

	for (uint32_t i = 0; i < few->n; i++)
		if (libra_gang_is_unreported(&g->jobs[few->slots[i]]))
			few->slots[n++] = few->slots[i];
	few->n = n;
}

bool libra_gang_dispatch(struct libra_gang *g, double now_s)
{
	libra_gang_pass(g, now_s);
	if (!dispatch_asked(g))
		dispatch_all(g);
	g->dirty.n = 0;
	g->dirty.many = false;
	drop_told(g);
	return g->unreported.n > 0 || g->unreported.many;
}

uint32_t libra_gang_next_unreported(struct libra_gang *g)
{
	const struct libra_gang_short_list *few = &g->unreported;
	uint32_t next;

	drop_told(g);
	if (few->n == 0)
		return LIBRA_GANG_NOBODY;
	next = few->slots[0];
	for (uint32_t i = 1; i < few->n; i++) {
		const struct libra_gang_job *a = &g->jobs[few->slots[i]];
		const struct libra_gang_job *b = &g->jobs[next];

		if (a->runs != b->runs ? b->runs : libra_gang_precedes(a, b))
			next = few->slots[i];
	}
	return next;
}
