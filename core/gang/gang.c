/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gang.c - who shares processors with whom, and what that costs. */
#include "core/gang/gang.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_SLOTS 64
#define FIRST_DEPTH 8

int libra_gang_init(struct libra_gang *g, uint32_t nprocs)
{
	memset(g, 0, sizeof(*g));
	g->nprocs = nprocs;
	g->words = LIBRA_BITS_WORDS(nprocs);
	g->depth = FIRST_DEPTH;
	g->bound = malloc((size_t)nprocs * g->depth * sizeof(*g->bound));
	g->nbound = calloc(nprocs, sizeof(*g->nbound));
	g->edges = calloc(g->words, sizeof(*g->edges));
	g->used = calloc(g->words, sizeof(*g->used));
	g->claimed = calloc(g->words, sizeof(*g->claimed));
	if (!g->bound || !g->nbound || !g->edges || !g->used || !g->claimed ||
	    libra_gang_reserve(g, FIRST_SLOTS) < 0) {
		libra_gang_fini(g);
		return -1;
	}
	libra_bits_put(g->edges, 0);
	return 0;
}

void libra_gang_fini(struct libra_gang *g)
{
	for (uint32_t i = 0; i < g->cap; i++) {
		free(g->jobs[i].near);
		free(g->jobs[i].parts);
	}
	free(g->jobs);
	free(g->order);
	free(g->bound);
	free(g->nbound);
	free(g->edges);
	free(g->used);
	free(g->claimed);
	memset(g, 0, sizeof(*g));
}

int libra_gang_reserve(struct libra_gang *g, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= g->cap)
		return 0;
	cap = libra_doubled(g->cap, FIRST_SLOTS, n);
	g->order = libra_grown(g->order, cap, sizeof(*g->order), &ok);
	g->jobs = libra_grown(g->jobs, cap, sizeof(*g->jobs), &ok);
	if (!ok)
		return -1;
	memset(&g->jobs[g->cap], 0, (cap - g->cap) * sizeof(*g->jobs));
	g->cap = cap;
	return 0;
}

/* The need of a job has changed: so has its load, and that of its later
 * neighbours.
 */
static void spread(struct libra_gang *g, struct libra_gang_job *job,
		   double change_s)
{
	job->load_s += change_s;
	for (uint32_t i = 0; i < job->nnear; i++) {
		struct libra_gang_job *other = &g->jobs[job->near[i]];

		if (!other->late && libra_gang_before(job, other))
			other->load_s += change_s;
	}
}

static void make_late(struct libra_gang *g)
{
	uint32_t slot = g->order[0];
	struct libra_gang_job *job = &g->jobs[slot];

	spread(g, job, -job->need_s);
	job->need_s = job->load_s = 0;
	job->late = true;
	/* Those that are late already had their deadlines before. */
	memmove(&g->order[0], &g->order[1],
		(g->njobs - 1) * sizeof(g->order[0]));
	g->order[g->njobs - 1] = slot;
	g->nlate++;
}

double libra_gang_next_late_s(const struct libra_gang *g)
{
	if (g->nlate == g->njobs)
		return INFINITY;
	return g->jobs[g->order[0]].deadline_s + LIBRA_LATE_AFTER_S;
}

/* Count what a job has executed until now. */
static void clock_job(struct libra_gang_job *job, double now_s)
{
	if (job->runs && job->started)
		job->executed_s += now_s - job->since_s;
	job->since_s = now_s;
}

void libra_gang_touch(struct libra_gang *g, double now_s)
{
	if (now_s == g->touched_s && !g->stale)
		return;
	g->version += now_s != g->touched_s;
	g->touched_s = now_s;
	g->stale = false;
	while (libra_gang_next_late_s(g) <= now_s)
		make_late(g);
	for (uint32_t i = 0; i < g->njobs; i++) {
		struct libra_gang_job *job = &g->jobs[g->order[i]];
		double need_s;

		clock_job(job, now_s);
		if (job->late)
			continue;
		need_s = libra_need(&g->overrun, job->estimate_s,
				    job->executed_s, job->deadline_s, now_s);
		if (need_s != job->need_s) {
			spread(g, job, need_s - job->need_s);
			job->need_s = need_s;
			g->version++;
		}
	}
}

/* ---- room ---- */

/* Room for one job more on each processor of a set. */
static int reserve_depth(struct libra_gang *g, const uint64_t *set)
{
	uint32_t deepest = 0, depth = g->depth, *bound, end;

	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		uint32_t n = g->nbound[libra_gang_run(g, p)];

		deepest = n > deepest ? n : deepest;
		end = libra_gang_run_end(g, p, g->nprocs);
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
		       g->nbound[p] * sizeof(*bound));
	free(g->bound);
	g->bound = bound;
	g->depth = depth;
	return 0;
}

static int reserve_near(struct libra_gang_job *job, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= job->near_cap)
		return 0;
	cap = libra_doubled(job->near_cap, FIRST_DEPTH, n);
	job->near = libra_grown(job->near, cap, sizeof(*job->near), &ok);
	if (!ok)
		return -1;
	job->near_cap = cap;
	return 0;
}

static int reserve_parts(struct libra_gang *g, struct libra_gang_job *job,
			 const uint64_t *set)
{
	uint32_t n = 0, end;
	bool ok = true;

	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		end = libra_bits_next_not(set, p, g->nprocs);
		n++;
	}
	if (n <= job->parts_cap)
		return 0;
	n = libra_doubled(job->parts_cap, 1, n);
	job->parts = libra_grown(job->parts, n, sizeof(*job->parts), &ok);
	if (!ok)
		return -1;
	job->parts_cap = n;
	return 0;
}

/* Room for all that add will do, so that it cannot fail half-way; the jobs on
 * the processors have the stamp then.
 */
static int reserve_add(struct libra_gang *g, uint32_t slot, const uint64_t *set)
{
	uint32_t n = 0, end;

	if (libra_gang_reserve(g, slot + 1) < 0 || reserve_depth(g, set) < 0)
		return -1;
	g->stamp++;
	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		uint32_t run = libra_gang_run(g, p);

		end = libra_gang_run_end(g, p, g->nprocs);
		for (uint32_t i = 0; i < g->nbound[run]; i++) {
			struct libra_gang_job *other =
				&g->jobs[libra_gang_bound(g, run)[i]];

			if (other->seen == g->stamp)
				continue;
			other->seen = g->stamp;
			n++;
			if (reserve_near(other, other->nnear + 1) < 0)
				return -1;
		}
	}
	if (reserve_parts(g, &g->jobs[slot], set) < 0)
		return -1;
	return reserve_near(&g->jobs[slot], n);
}

/* ---- promise and end ---- */

static void insert(struct libra_gang *g, uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t low = job->late ? g->njobs - g->nlate : 0;
	uint32_t at = job->late ? g->njobs : g->njobs - g->nlate;

	while (at > low && libra_gang_before(job, &g->jobs[g->order[at - 1]]))
		at--;
	memmove(&g->order[at + 1], &g->order[at],
		(g->njobs - at) * sizeof(g->order[0]));
	g->order[at] = slot;
	g->njobs++;
	g->nlate += job->late;
}

/* Of two neighbours the earlier one's need is in the later one's load. */
static void load_later(struct libra_gang_job *a, struct libra_gang_job *b)
{
	if (a->late || b->late)
		return;
	if (libra_gang_before(a, b))
		b->load_s += a->need_s;
	else
		a->load_s += b->need_s;
}

/* A job by itself: is it late, what does it need? */
static void appraise(const struct libra_gang *g, struct libra_gang_job *job,
		     double now_s)
{
	job->late = libra_is_late(job->deadline_s, now_s);
	job->need_s =
		job->late ? 0
			  : libra_need(&g->overrun, job->estimate_s,
				       job->executed_s, job->deadline_s, now_s);
	job->load_s = job->need_s;
}

void libra_gang_clock(struct libra_gang *g, double now_s)
{
	uint32_t n = g->njobs;

	g->njobs = g->nlate = 0;
	g->version++;
	g->touched_s = now_s;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = g->order[i];

		g->jobs[slot].since_s = now_s;
		appraise(g, &g->jobs[slot], now_s);
		insert(g, slot);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct libra_gang_job *job = &g->jobs[g->order[i]];

		for (uint32_t k = 0; k < job->nnear; k++)
			if (libra_gang_before(&g->jobs[job->near[k]], job))
				load_later(job, &g->jobs[job->near[k]]);
	}
}

/* Make a job and all that share a processor with it, which have the stamp,
 * neighbours.
 */
static void join(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];
		struct libra_gang_job *other = &g->jobs[k];

		if (other->seen != g->stamp)
			continue;
		job->near[job->nnear++] = k;
		other->near[other->nnear++] = slot;
		load_later(job, other);
	}
}

/* Begin a run at a processor. */
static void split_run(struct libra_gang *g, uint32_t proc)
{
	uint32_t run;

	if (proc == g->nprocs || libra_bits_has(g->edges, proc))
		return;
	run = libra_gang_run(g, proc);
	memcpy(g->bound + (size_t)proc * g->depth, libra_gang_bound(g, run),
	       g->nbound[run] * sizeof(*g->bound));
	g->nbound[proc] = g->nbound[run];
	libra_bits_put(g->edges, proc);
}

/* A run that has the same jobs as the one before it is one with that.  Jobs are
 * listed in the order in which they came, on all processors.
 */
static void join_runs(struct libra_gang *g, uint32_t run)
{
	uint32_t before;

	if (run == 0 || run == g->nprocs)
		return;
	before = libra_gang_run(g, run - 1);
	if (g->nbound[before] == g->nbound[run] &&
	    memcmp(libra_gang_bound(g, before), libra_gang_bound(g, run),
		   g->nbound[run] * sizeof(*g->bound)) == 0)
		libra_bits_drop(g->edges, run);
}

static void bind(struct libra_gang *g, uint32_t slot, const uint64_t *set)
{
	struct libra_gang_job *job = &g->jobs[slot];
	uint32_t end = 0;

	for (uint32_t p = libra_bits_next(set, 0, g->nprocs); p < g->nprocs;
	     p = libra_bits_next(set, end, g->nprocs)) {
		end = libra_bits_next_not(set, p, g->nprocs);
		job->parts[job->nparts++] = (struct libra_range){p, end - p};
		job->nprocs += end - p;
		libra_bits_fill(g->used, p, end);
		split_run(g, p);
		split_run(g, end);
		for (uint32_t run = p; run < end;
		     run = libra_gang_run_end(g, run, end))
			g->bound[(size_t)run * g->depth + g->nbound[run]++] =
				slot;
	}
}

int libra_gang_add(struct libra_gang *g, uint32_t slot, uint64_t order,
		   double estimate_s, double executed_s, double deadline_s,
		   const uint64_t *set, double now_s)
{
	struct libra_gang_job *job;

	if (reserve_add(g, slot, set) < 0)
		return -1;
	job = &g->jobs[slot];
	*job = (struct libra_gang_job){
		.deadline_s = deadline_s,
		.estimate_s = estimate_s,
		.executed_s = executed_s,
		.since_s = now_s,
		.order = order,
		.near = job->near,
		.near_cap = job->near_cap,
		.parts = job->parts,
		.parts_cap = job->parts_cap,
	};
	appraise(g, job, now_s);
	join(g, slot);
	bind(g, slot, set);
	insert(g, slot);
	g->added_version = ++g->version;
	g->added = slot;
	return 0;
}

static void drop(uint32_t *list, uint32_t *n, uint32_t slot)
{
	uint32_t i = 0;

	while (i < *n && list[i] != slot)
		i++;
	if (i == *n)
		return;
	memmove(&list[i], &list[i + 1], (*n - i - 1) * sizeof(*list));
	--*n;
}

static void unbind(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++) {
		uint32_t first = job->parts[i].first, next;
		uint32_t end = first + job->parts[i].count;

		for (uint32_t run = first; run < end; run = next) {
			next = libra_gang_run_end(g, run, end);
			drop(g->bound + (size_t)run * g->depth, &g->nbound[run],
			     slot);
			if (g->nbound[run] == 0)
				libra_bits_clear(g->used, run, next);
		}
		join_runs(g, first);
		join_runs(g, end);
	}
	job->nparts = job->nprocs = 0;
}

void libra_gang_remove(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];

	if (job->late)
		g->nlate--;
	else
		spread(g, job, -job->need_s);
	for (uint32_t i = 0; i < job->nnear; i++) {
		struct libra_gang_job *other = &g->jobs[job->near[i]];

		drop(other->near, &other->nnear, slot);
	}
	unbind(g, slot);
	drop(g->order, &g->njobs, slot);
	g->version++;
	job->nnear = 0;
}

/* ---- change ---- */

bool libra_gang_may_change(const struct libra_gang *g, uint32_t slot,
			   double estimate_s, double deadline_s, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_gang_job with = *job;

	with.estimate_s = estimate_s;
	with.deadline_s = deadline_s;
	appraise(g, &with, now_s);
	for (uint32_t i = 0; i < job->nnear; i++) {
		const struct libra_gang_job *other = &g->jobs[job->near[i]];
		double slack_s = libra_gang_slack(other, now_s), change_s;

		if (other->late)
			continue;
		if (libra_gang_before(other, &with)) {
			with.load_s += other->need_s;
			continue;
		}
		change_s = with.need_s;
		if (!job->late && libra_gang_before(job, other))
			change_s -= job->need_s;
		if (slack_s >= -LIBRA_SLACK_TOLERANCE_S &&
		    slack_s - change_s < -LIBRA_SLACK_TOLERANCE_S)
			return false;
	}
	return !with.late &&
	       libra_gang_slack(&with, now_s) >= -LIBRA_SLACK_TOLERANCE_S;
}

void libra_gang_change(struct libra_gang *g, uint32_t slot, double estimate_s,
		       double deadline_s, double now_s)
{
	struct libra_gang_job *job = &g->jobs[slot];

	if (job->late)
		g->nlate--;
	else
		spread(g, job, -job->need_s);
	drop(g->order, &g->njobs, slot);
	g->version++;
	job->estimate_s = estimate_s;
	job->deadline_s = deadline_s;
	appraise(g, job, now_s);
	for (uint32_t i = 0; i < job->nnear; i++)
		load_later(job, &g->jobs[job->near[i]]);
	insert(g, slot);
}

/* ---- who runs ---- */

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

bool libra_gang_dispatch(struct libra_gang *g, double now_s)
{
	bool changed = false;
	uint32_t left = g->nprocs;

	libra_gang_touch(g, now_s);
	memset(g->claimed, 0, g->words * sizeof(*g->claimed));
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		struct libra_gang_job *job = &g->jobs[slot];
		bool runs = job->ready && job->nprocs <= left && claim(g, slot);

		if (runs)
			left -= job->nprocs;
		changed |= runs != job->reported || job->unreported;
		job->runs = runs;
	}
	return changed;
}

/* ---- for tests ---- */

static bool meet(const struct libra_gang_job *a, const struct libra_gang_job *b)
{
	uint32_t i = 0, k = 0;

	while (i < a->nparts && k < b->nparts) {
		uint32_t a_end = a->parts[i].first + a->parts[i].count;
		uint32_t b_end = b->parts[k].first + b->parts[k].count;

		if (a_end <= b->parts[k].first)
			i++;
		else if (b_end <= a->parts[i].first)
			k++;
		else
			return true;
	}
	return false;
}

static const char *check_job(const struct libra_gang *g, uint32_t rank,
			     double now_s)
{
	uint32_t slot = g->order[rank], nnear = 0;
	const struct libra_gang_job *job = &g->jobs[slot];
	double load_s = job->need_s;

	if (job->late != (rank >= g->njobs - g->nlate))
		return "late jobs are not last";
	if (job->late != (libra_is_late(job->deadline_s, now_s)))
		return "a job is late and not marked, or marked and not late";
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];
		const struct libra_gang_job *other = &g->jobs[k];

		if (k == slot || !meet(job, other))
			continue;
		nnear++;
		if (i < rank && !other->late)
			load_s += other->need_s;
		if (job->runs && other->runs)
			return "two jobs run on one processor";
	}
	if (nnear != job->nnear)
		return "a job does not know its neighbours";
	if (!job->late && fabs(load_s - job->load_s) > LIBRA_SLACK_TOLERANCE_S)
		return "a load is not the sum of its needs";
	return NULL;
}

/* Is each run's list that of the jobs on it, and unlike its neighbour's? */
static const char *check_runs(const struct libra_gang *g)
{
	uint32_t before = 0, next, n = 0;

	for (uint32_t run = 0; run < g->nprocs; before = run, run = next) {
		const uint32_t *bound = libra_gang_bound(g, run);

		next = libra_gang_run_end(g, run, g->nprocs);
		n += g->nbound[run] * (next - run);
		if (libra_bits_any(g->used, run, next) != (g->nbound[run] > 0))
			return "a processor is used by nobody";
		if (run > 0 && g->nbound[before] == g->nbound[run] &&
		    memcmp(libra_gang_bound(g, before), bound,
			   g->nbound[run] * sizeof(*bound)) == 0)
			return "two runs are one";
	}
	for (uint32_t i = 0; i < g->njobs; i++)
		n -= g->jobs[g->order[i]].nprocs;
	return n == 0 ? NULL : "not all processors of a job are bound";
}

const char *libra_gang_check(const struct libra_gang *g, double now_s)
{
	const char *runs = check_runs(g);

	if (runs)
		return runs;
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
