/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang.c - jobs, their neighbours, their order, and runs of processors. */
#include "core/gang/gang.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/gang/need_lines.h"
#include "core/gang/near.h"
#include "core/gang/parts.h"
#include "core/gang/short_list.h"

#define FIRST_SLOTS 64
#define FIRST_DEPTH 4

int libra_gang_init(struct libra_gang *g, uint32_t nprocs)
{
	memset(g, 0, sizeof(*g));
	g->nprocs = nprocs;
	g->words = LIBRA_BITS_WORDS(nprocs);
	g->runs.depth = FIRST_DEPTH;
	g->listed = LIBRA_GANG_LISTED;
	g->runs.bound =
		malloc((size_t)nprocs * g->runs.depth * sizeof(*g->runs.bound));
	g->runs.nbound = calloc(nprocs, sizeof(*g->runs.nbound));
	g->runs.edges = calloc(g->words, sizeof(*g->runs.edges));
	g->runs.used = calloc(g->words, sizeof(*g->runs.used));
	g->claimed = calloc(g->words, sizeof(*g->claimed));
	g->changes = calloc(g->words + 1, sizeof(*g->changes));
	g->falling = calloc(g->words + 1, sizeof(*g->falling));
	if (!g->runs.bound || !g->runs.nbound || !g->runs.edges ||
	    !g->runs.used || !g->claimed || !g->changes || !g->falling ||
	    libra_gang_reserve(g, FIRST_SLOTS) < 0) {
		libra_gang_fini(g);
		return -1;
	}
	libra_bits_put(g->runs.edges, 0);
	return 0;
}

void libra_gang_fini(struct libra_gang *g)
{
	for (uint32_t i = 0; i < g->cap; i++) {
		free(g->jobs[i].before.slots);
		free(g->jobs[i].behind.slots);
		free(g->jobs[i].parts);
	}
	free(g->jobs);
	free(g->need_lines);
	free(g->spans);
	free(g->order);
	free(g->moving);
	free(g->runs.bound);
	free(g->runs.nbound);
	free(g->runs.edges);
	free(g->runs.used);
	free(g->with_neighbours);
	free(g->claimed);
	free(g->changes);
	free(g->falling);
	libra_least_fini(&g->until);
	memset(g, 0, sizeof(*g));
}

int libra_gang_reserve(struct libra_gang *g, uint64_t n)
{
	uint32_t cap, words;
	bool ok = true;

	if (n <= g->cap)
		return 0;
	cap = libra_doubled(g->cap, FIRST_SLOTS, n);
	g->order = libra_grown(g->order, cap, sizeof(*g->order), &ok);
	g->moving = libra_grown(g->moving, cap, sizeof(*g->moving), &ok);
	g->jobs = libra_grown(g->jobs, cap, sizeof(*g->jobs), &ok);
	g->need_lines =
		libra_grown(g->need_lines, cap, sizeof(*g->need_lines), &ok);
	g->spans = libra_grown(g->spans, cap, sizeof(*g->spans), &ok);
	g->with_neighbours =
		libra_grown(g->with_neighbours, LIBRA_BITS_WORDS(cap),
			    sizeof(*g->with_neighbours), &ok);
	if (!ok || libra_least_reserve(&g->until, cap) < 0)
		return -1;
	memset(&g->jobs[g->cap], 0, (cap - g->cap) * sizeof(*g->jobs));
	memset(&g->need_lines[g->cap], 0,
	       (cap - g->cap) * sizeof(*g->need_lines));
	words = LIBRA_BITS_WORDS(g->cap);
	memset(&g->with_neighbours[words], 0,
	       (LIBRA_BITS_WORDS(cap) - words) * sizeof(*g->with_neighbours));
	g->cap = cap;
	return 0;
}

double libra_gang_load_s(const struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_side *before = &g->jobs[slot].before;
	double load_s = libra_gang_need_s(g, slot);
	uint32_t cursor = 0, near;

	while ((near = libra_gang_next_near(g, slot, before, &cursor)) !=
	       LIBRA_GANG_NOBODY)
		load_s += libra_gang_need_s(g, near); /* 0 if it is late */
	return load_s;
}

/* ---- the order ---- */

static void order_changes(struct libra_gang *g, uint32_t from)
{
	g->order_version++;
	g->order_from = from;
}

/* Return how many of the first n in order come before a job, itself included.
 */
static uint32_t place_of(const struct libra_gang *g, uint32_t n,
			 const struct libra_gang_job *job)
{
	uint32_t low = 0;

	/* Mostly the job comes last. */
	if (n > 0 && libra_gang_precedes(&g->jobs[g->order[n - 1]], job))
		return n;
	while (low < n) {
		uint32_t middle = low + (n - low) / 2;

		if (libra_gang_precedes(job, &g->jobs[g->order[middle]]))
			n = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void insert(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t at = place_of(g, g->njobs, job);

	memmove(&g->order[at + 1], &g->order[at],
		(g->njobs - at) * sizeof(*g->order));
	g->order[at] = slot;
	g->njobs++;
	g->nlate += job->late;
	order_changes(g, at);
}

static void take_out(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t at = place_of(g, g->njobs, job) - 1;

	g->njobs--;
	memmove(&g->order[at], &g->order[at + 1],
		(g->njobs - at) * sizeof(*g->order));
	g->nlate -= job->late;
	order_changes(g, at);
}

/* Remove a slot from a list that has it once; the rest keeps its order. */
static void drop(uint32_t *list, uint32_t *n, uint32_t slot)
{
	uint32_t i = 0;

	while (list[i] != slot)
		i++;
	memmove(&list[i], &list[i + 1], (*n - i - 1) * sizeof(*list));
	--*n;
}

/* ---- time ---- */

static void ask_side(struct libra_gang *g, const struct libra_gang_side *side)
{
	g->dirty.many |= libra_gang_is_crowded(side); /* more than few */
	for (uint32_t i = 0; i < side->nslots && !g->dirty.many; i++)
		libra_gang_short_list_add(&g->dirty, side->slots[i]);
}

/* Mark a job and its neighbours for the next dispatch. */
static void ask_around(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	libra_gang_short_list_add(&g->dirty, slot);
	ask_side(g, &job->before);
	ask_side(g, &job->behind);
}

static void make_late(struct libra_gang *g, uint32_t slot)
{
	g->jobs[slot].late = true;
	g->nlate++;
	libra_gang_draw_need(g, slot);
	ask_around(g, slot);
}

static void swap_ends(uint32_t *slots, uint32_t first, uint32_t end)
{
	for (; first + 1 < end; first++) {
		uint32_t slot = slots[first];

		slots[first] = slots[--end];
		slots[end] = slot;
	}
}

/* Move the first n in order, which are late now, to the end.  The deadlines of
 * the jobs that were late already are earlier.
 */
static void move_late(struct libra_gang *g, uint32_t n)
{
	g->steps += g->njobs;
	swap_ends(g->order, 0, n);
	swap_ends(g->order, n, g->njobs);
	swap_ends(g->order, 0, g->njobs);
	order_changes(g, 0);
}

double libra_gang_next_late_s(const struct libra_gang *g)
{
	if (g->nlate == g->njobs)
		return INFINITY;
	return g->jobs[g->order[0]].deadline_s + LIBRA_LATE_AFTER_S;
}

void libra_gang_pass(struct libra_gang *g, double now_s)
{
	uint32_t n = 0, late = g->nlate;

	if (now_s == g->at.now_s)
		return;
	g->version++;
	g->at.now_s = now_s;
	while (n + late < g->njobs &&
	       libra_is_late(g->jobs[g->order[n]].deadline_s, now_s))
		make_late(g, g->order[n++]);
	if (n > 0)
		move_late(g, n);
}

/* ---- room ---- */

void libra_gang_touch(struct libra_gang *g, double now_s)
{
	uint32_t slot;

	libra_gang_pass(g, now_s);
	if (now_s == g->at.touched_s)
		return;
	g->steps += 1 + g->nmoving;
	if (libra_gang_count_from(g, now_s))
		for (uint32_t i = 0; i < g->njobs; i++)
			g->version += libra_gang_draw_need(g, g->order[i]);
	while ((slot = libra_least_next(&g->until, 0, g->at.since_ref_s)) <
	       g->cap)
		g->version += libra_gang_draw_need(g, slot);
	for (uint32_t i = g->nmoving; i-- > 0;)
		g->version += libra_gang_draw_need(g, g->moving[i]);
}

void libra_gang_run_job(struct libra_gang *g, uint32_t slot, bool runs,
			bool started)
{
	struct libra_gang_job *job = &g->jobs[slot];

	job->executed_s = libra_gang_executed_s(job, g->at.now_s);
	job->since_s = g->at.now_s;
	job->runs = runs;
	job->started = started;
	g->version += libra_gang_draw_need(g, slot);
}

void libra_gang_progress(struct libra_gang *g, uint32_t slot, double executed_s)
{
	g->jobs[slot].executed_s = executed_s;
	g->jobs[slot].since_s = g->at.now_s;
	g->version += libra_gang_draw_need(g, slot);
}

void libra_gang_reestimate(struct libra_gang *g, uint32_t slot,
			   double estimate_s)
{
	g->jobs[slot].estimate_s = estimate_s;
	g->version += libra_gang_draw_need(g, slot);
}

/* Reserve room for one more resident on each processor of a job's parts. */
static int reserve_depth(struct libra_gang *g, const struct libra_gang_job *job)
{
	uint32_t deepest = 0, depth = g->runs.depth, *bound;

	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t p = job->parts[i].first;
		uint32_t end = p + job->parts[i].count;

		for (; p < end; p = libra_gang_run_end(g, p, end))
			if (g->runs.nbound[libra_gang_run(g, p)] > deepest)
				deepest = g->runs.nbound[libra_gang_run(g, p)];
	}
	if (deepest < depth)
		return 0;
	depth *= 2;
	bound = malloc((size_t)g->nprocs * depth * sizeof(*bound));
	if (!bound)
		return -1;
	for (uint32_t p = 0; p < g->nprocs;
	     p = libra_gang_run_end(g, p, g->nprocs))
		memcpy(bound + (size_t)p * depth, libra_gang_bound(g, p),
		       g->runs.nbound[p] * sizeof(*bound));
	free(g->runs.bound);
	g->runs.bound = bound;
	g->runs.depth = depth;
	return 0;
}

/* Give the residents of a run the stamp, and room for one more neighbour; count
 * those that did not have the stamp.
 */
static int stamp_run(struct libra_gang *g, uint32_t run, uint32_t *n)
{
	const uint32_t *bound = libra_gang_bound(g, run);

	/* All jobs are neighbours already. */
	if (*n == g->njobs)
		return 0;
	g->steps += 1 + g->runs.nbound[run];
	for (uint32_t i = 0; i < g->runs.nbound[run]; i++) {
		struct libra_gang_job *other = &g->jobs[bound[i]];

		if (other->seen == g->stamp)
			continue;
		other->seen = g->stamp;
		++*n;
		if (libra_gang_reserve_sides(other, other->before.n + 1,
					     other->behind.n + 1) < 0)
			return -1;
	}
	return 0;
}

/* Reserve memory for all that add will do, so that it cannot fail half-way; the
 * *n jobs on the processors have the stamp then.
 */
static int reserve_add(struct libra_gang *g, struct libra_gang_job *job,
		       uint32_t *met)
{
	*met = 0;
	if (reserve_depth(g, job) < 0)
		return -1;
	g->stamp++;
	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t p = job->parts[i].first;
		uint32_t end = p + job->parts[i].count;

		for (; p < end; p = libra_gang_run_end(g, p, end))
			if (stamp_run(g, libra_gang_run(g, p), met) < 0)
				return -1;
	}
	return libra_gang_reserve_sides(job, *met, *met);
}

/* ---- promise and end ---- */

void libra_gang_clock(struct libra_gang *g, double now_s)
{
	uint32_t n = g->njobs;

	g->dirty.many = true;
	g->njobs = g->nlate = 0;
	g->version++;
	for (uint32_t i = 0; i < n; i++) {
		struct libra_gang_job *job = &g->jobs[g->order[i]];

		job->executed_s = libra_gang_executed_s(job, g->at.now_s);
		job->since_s = now_s;
	}
	g->at.now_s = now_s;
	libra_gang_count_from(g, now_s);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = g->order[i];

		g->jobs[slot].late =
			libra_is_late(g->jobs[slot].deadline_s, now_s);
		libra_gang_draw_need(g, slot);
		insert(g, slot);
	}
}

/* Make a job and the n jobs with the stamp, which share a processor with it,
 * neighbours.
 */
static void join(struct libra_gang *g, uint32_t slot, uint32_t n)
{
	uint32_t left = n;

	for (uint32_t i = 0; i < g->njobs && left > 0; i++) {
		uint32_t k = g->order[i];

		g->steps++;
		if (g->jobs[k].seen != g->stamp)
			continue;
		libra_gang_pair(g, slot, k);
		libra_bits_put(g->with_neighbours, k);
		left--;
	}
	if (n > 0)
		libra_bits_put(g->with_neighbours, slot);
}

/* Begin a run at a processor. */
static void split_run(struct libra_gang *g, uint32_t proc)
{
	uint32_t run;

	if (proc == g->nprocs || libra_bits_has(g->runs.edges, proc))
		return;
	run = libra_gang_run(g, proc);
	memcpy(g->runs.bound + (size_t)proc * g->runs.depth,
	       libra_gang_bound(g, run),
	       g->runs.nbound[run] * sizeof(*g->runs.bound));
	g->runs.nbound[proc] = g->runs.nbound[run];
	libra_bits_put(g->runs.edges, proc);
}

/* Join a run with the one before it if their residents are equal.  On all
 * processors residents are listed in the order in which they came.
 */
static void join_runs(struct libra_gang *g, uint32_t run)
{
	uint32_t before;

	if (run == 0 || run == g->nprocs)
		return;
	before = libra_gang_run(g, run - 1);
	if (g->runs.nbound[before] == g->runs.nbound[run] &&
	    memcmp(libra_gang_bound(g, before), libra_gang_bound(g, run),
		   g->runs.nbound[run] * sizeof(*g->runs.bound)) == 0)
		libra_bits_drop(g->runs.edges, run);
}

static void bind(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t p = job->parts[i].first;
		uint32_t end = p + job->parts[i].count;

		job->nprocs += end - p;
		libra_bits_fill(g->runs.used, p, end);
		split_run(g, p);
		split_run(g, end);
		for (uint32_t run = p; run < end;
		     run = libra_gang_run_end(g, run, end))
			g->runs.bound[(size_t)run * g->runs.depth +
				      g->runs.nbound[run]++] = slot;
	}
}

int libra_gang_add(struct libra_gang *g, uint32_t slot, uint64_t order,
		   double estimate_s, double executed_s, double deadline_s,
		   const uint64_t *set, double now_s)
{
	struct libra_gang_job *job;
	uint32_t met;

	if (libra_gang_reserve(g, slot + 1) < 0)
		return -1;
	job = &g->jobs[slot];
	if (libra_gang_set_parts(g, slot, set) < 0 ||
	    reserve_add(g, job, &met) < 0) {
		job->nparts = 0;
		return -1;
	}
	*job = (struct libra_gang_job){
		.deadline_s = deadline_s,
		.estimate_s = estimate_s,
		.executed_s = executed_s,
		.since_s = now_s,
		.order = order,
		.late = libra_is_late(deadline_s, now_s),
		.joined = g->stamp,
		.before = {.slots = job->before.slots, .cap = job->before.cap},
		.behind = {.slots = job->behind.slots, .cap = job->behind.cap},
		.parts = job->parts,
		.nparts = job->nparts,
		.parts_cap = job->parts_cap,
	};
	libra_gang_draw_need(g, slot);
	libra_gang_note_change(g, slot); /* the residents have changed too */
	join(g, slot, met);
	bind(g, slot);
	insert(g, slot);
	g->added_version = ++g->version;
	g->added = slot;
	return 0;
}

static void unbind(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	libra_gang_note_change(g, slot);
	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t first = job->parts[i].first, next;
		uint32_t end = first + job->parts[i].count;

		for (uint32_t run = first; run < end; run = next) {
			next = libra_gang_run_end(g, run, end);
			drop(g->runs.bound + (size_t)run * g->runs.depth,
			     &g->runs.nbound[run], slot);
			if (g->runs.nbound[run] == 0)
				libra_bits_clear(g->runs.used, run, next);
		}
		join_runs(g, first);
		join_runs(g, end);
	}
	job->nparts = job->nprocs = 0;
}

void libra_gang_remove(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	if (job->runs)
		ask_around(g, slot);
	libra_gang_short_list_drop(&g->dirty, slot);
	libra_gang_short_list_drop(&g->unreported, slot);
	libra_gang_clear_need(g, slot);
	libra_gang_leave(g, slot);
	unbind(g, slot);
	take_out(g, slot);
	g->version++;
}

/* ---- change ---- */

bool libra_gang_may_change(const struct libra_gang *g, uint32_t slot,
			   double estimate_s, double deadline_s, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	double need_s = libra_need(&g->overrun, estimate_s,
				   libra_gang_executed_s(job, now_s),
				   deadline_s, now_s);
	struct libra_gang_job with = *job;
	double load_s = need_s;

	with.deadline_s = deadline_s;
	for (uint32_t i = 0; i < g->njobs - g->nlate; i++) {
		uint32_t near = g->order[i];
		const struct libra_gang_job *other = &g->jobs[near];
		double slack_s, change_s;

		if (near == slot || !libra_gang_meet(other, job))
			continue;
		if (libra_gang_before(other, &with)) {
			load_s += libra_gang_need_s(g, near);
			continue;
		}
		slack_s = libra_gang_slack(g, near, now_s);
		change_s = need_s;
		if (!job->late && libra_gang_before(job, other))
			change_s -= libra_gang_need_s(g, slot);
		if (slack_s >= -LIBRA_SLACK_TOLERANCE_S &&
		    slack_s - change_s < -LIBRA_SLACK_TOLERANCE_S)
			return false;
	}
	return !libra_is_late(deadline_s, now_s) &&
	       deadline_s - now_s - load_s >= -LIBRA_SLACK_TOLERANCE_S;
}

void libra_gang_change(struct libra_gang *g, uint32_t slot, double estimate_s,
		       double deadline_s, double now_s)
{
	struct libra_gang_job *job = &g->jobs[slot];

	take_out(g, slot);
	ask_around(g, slot);
	g->version++;
	libra_gang_change_sides(g, slot, deadline_s);
	job->estimate_s = estimate_s;
	job->late = libra_is_late(deadline_s, now_s);
	libra_gang_draw_need(g, slot);
	insert(g, slot);
	order_changes(g, 0);
}
