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
	g->words = (nprocs + 63) / 64;
	g->depth = FIRST_DEPTH;
	g->bound = calloc((size_t)nprocs * g->depth, sizeof(*g->bound));
	g->nbound = calloc(nprocs, sizeof(*g->nbound));
	g->claimed = calloc(g->words, sizeof(*g->claimed));
	if (!g->bound || !g->nbound || !g->claimed ||
	    libra_gang_reserve(g, FIRST_SLOTS) < 0) {
		libra_gang_fini(g);
		return -1;
	}
	return 0;
}

void libra_gang_fini(struct libra_gang *g)
{
	for (uint32_t i = 0; i < g->cap; i++)
		free(g->jobs[i].near);
	free(g->jobs);
	free(g->sets);
	free(g->order);
	free(g->bound);
	free(g->nbound);
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
	g->sets = libra_grown(g->sets, cap, g->words * sizeof(*g->sets), &ok);
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
	g->version += now_s != g->touched_s;
	g->touched_s = now_s;
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

/* ---- promise and end ---- */

static int reserve_depth(struct libra_gang *g, const uint64_t *set)
{
	uint32_t deepest = 0, depth = g->depth, *bound;

	for (uint32_t p = 0; p < g->nprocs; p++)
		if (libra_set_has(set, p) && g->nbound[p] > deepest)
			deepest = g->nbound[p];
	if (deepest < depth)
		return 0;
	depth *= 2;
	bound = malloc((size_t)g->nprocs * depth * sizeof(*bound));
	if (!bound)
		return -1;
	for (uint32_t p = 0; p < g->nprocs; p++)
		memcpy(bound + (size_t)p * depth,
		       g->bound + (size_t)p * g->depth,
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

static bool meet(const struct libra_gang *g, const uint64_t *a,
		 const uint64_t *b)
{
	uint64_t both = 0;

	for (uint32_t i = 0; i < g->words; i++)
		both |= a[i] & b[i];
	return both != 0;
}

/* Room for all that add will do, so that it cannot fail half-way. */
static int reserve_add(struct libra_gang *g, uint32_t slot, const uint64_t *set)
{
	uint32_t n = 0;

	if (libra_gang_reserve(g, slot + 1) < 0 || reserve_depth(g, set) < 0)
		return -1;
	for (uint32_t i = 0; i < g->njobs; i++) {
		struct libra_gang_job *other = &g->jobs[g->order[i]];

		if (!meet(g, set, libra_gang_set(g, g->order[i])))
			continue;
		n++;
		if (reserve_near(other, other->nnear + 1) < 0)
			return -1;
	}
	return reserve_near(&g->jobs[slot], n);
}

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

/* Make a job and all that share a processor with it neighbours. */
static void join(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];
	const uint64_t *set = libra_gang_set(g, slot);

	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];
		struct libra_gang_job *other = &g->jobs[k];

		if (!meet(g, set, libra_gang_set(g, k)))
			continue;
		job->near[job->nnear++] = k;
		other->near[other->nnear++] = slot;
		load_later(job, other);
	}
}

static void bind(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];
	const uint64_t *set = libra_gang_set(g, slot);

	for (uint32_t p = 0; p < g->nprocs; p++) {
		if (!libra_set_has(set, p))
			continue;
		g->bound[(size_t)p * g->depth + g->nbound[p]++] = slot;
		job->nprocs++;
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
	};
	appraise(g, job, now_s);
	memcpy(g->sets + (size_t)slot * g->words, set, g->words * sizeof(*set));
	join(g, slot);
	bind(g, slot);
	insert(g, slot);
	g->version++;
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

void libra_gang_remove(struct libra_gang *g, uint32_t slot)
{
	struct libra_gang_job *job = &g->jobs[slot];
	const uint64_t *set = libra_gang_set(g, slot);

	if (job->late)
		g->nlate--;
	else
		spread(g, job, -job->need_s);
	for (uint32_t i = 0; i < job->nnear; i++) {
		struct libra_gang_job *other = &g->jobs[job->near[i]];

		drop(other->near, &other->nnear, slot);
	}
	for (uint32_t p = 0; p < g->nprocs; p++)
		if (libra_set_has(set, p))
			drop(g->bound + (size_t)p * g->depth, &g->nbound[p],
			     slot);
	drop(g->order, &g->njobs, slot);
	g->version++;
	job->nnear = 0;
	job->nprocs = 0;
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

/* Claim a set unless a part of it is claimed. */
static bool claim(struct libra_gang *g, const uint64_t *set)
{
	if (meet(g, g->claimed, set))
		return false;
	for (uint32_t i = 0; i < g->words; i++)
		g->claimed[i] |= set[i];
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
		bool runs = job->ready && job->nprocs <= left &&
			    claim(g, libra_gang_set(g, slot));

		if (runs)
			left -= job->nprocs;
		changed |= runs != job->reported || job->unreported;
		job->runs = runs;
	}
	return changed;
}

/* ---- for tests ---- */

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

		if (k == slot ||
		    !meet(g, libra_gang_set(g, slot), libra_gang_set(g, k)))
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

const char *libra_gang_check(const struct libra_gang *g, double now_s)
{
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
