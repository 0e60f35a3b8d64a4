/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finish.c - the bound by finishes: see finish.h. */
#include "core/gang/finish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_SLOTS 64

static int reserve_tree(struct libra_finishes *f, uint32_t nprocs)
{
	uint32_t leaves = libra_doubled(1, 1, nprocs);
	struct libra_last *last;

	if (f->last)
		return 0;
	last = calloc(2 * (size_t)leaves, sizeof(*last));
	if (!last)
		return -1;
	f->last = last;
	f->leaves = leaves;
	f->nprocs = nprocs;
	return 0;
}

int libra_finishes_reserve(struct libra_finishes *f, uint32_t n,
			   uint32_t nprocs)
{
	uint32_t cap, words;
	bool ok = true;

	if (reserve_tree(f, nprocs) < 0)
		return -1;
	if (n <= f->cap)
		return 0;
	cap = libra_doubled(f->cap, FIRST_SLOTS, n);
	words = (cap + 63) / 64;
	f->of = libra_grown(f->of, cap, sizeof(*f->of), &ok);
	/* Room for one job's neighbours and a new one. */
	f->blockers = libra_grown(f->blockers, (size_t)cap + 1,
				  sizeof(*f->blockers), &ok);
	f->pending = libra_grown(f->pending, words, sizeof(uint64_t), &ok);
	f->met = libra_grown(f->met, words, sizeof(uint64_t), &ok);
	if (!ok)
		return -1;
	memset(&f->of[f->cap], 0, (cap - f->cap) * sizeof(*f->of));
	memset(f->pending, 0, words * sizeof(uint64_t));
	memset(f->met, 0, words * sizeof(uint64_t));
	f->cap = cap;
	return 0;
}

void libra_finishes_fini(struct libra_finishes *f)
{
	free(f->of);
	free(f->blockers);
	free(f->pending);
	free(f->met);
	free(f->last);
	*f = (struct libra_finishes){0};
}

/* ---- the tree ---- */

static inline double later(double a_s, double b_s)
{
	return a_s > b_s ? a_s : b_s;
}

/* Return true if a job is on all processors: then only the root is visited. */
static inline bool is_whole(const struct libra_finishes *f,
			    const struct libra_gang_job *job)
{
	return job->nprocs == f->nprocs;
}

static struct libra_last *node_of(struct libra_finishes *f, uint32_t i)
{
	struct libra_last *node = &f->last[i];

	if (node->epoch != f->epoch)
		*node = (struct libra_last){f->epoch, -INFINITY, -INFINITY};
	return node;
}

static void raise_above(struct libra_finishes *f, uint32_t i, double gone_s)
{
	for (i /= 2; i > 0; i /= 2, f->visits++) {
		struct libra_last *node = node_of(f, i);

		if (node->any_s >= gone_s)
			break; /* so do the nodes above it */
		node->any_s = gone_s;
	}
}

static void raise_node(struct libra_finishes *f, uint32_t i, double gone_s)
{
	struct libra_last *node = node_of(f, i);

	f->visits++;
	node->any_s = later(node->any_s, gone_s);
	node->all_s = later(node->all_s, gone_s);
	raise_above(f, i, gone_s);
}

/* Raise the last gone on a job's processors. */
static void raise_last(struct libra_finishes *f,
		       const struct libra_gang_job *job, double gone_s)
{
	if (is_whole(f, job)) {
		raise_node(f, 1, gone_s);
		return;
	}
	for (uint32_t k = 0; k < job->nparts; k++) {
		uint32_t i = job->parts[k].first + f->leaves;
		uint32_t end = i + job->parts[k].count;

		for (; i < end; i /= 2, end /= 2) {
			if (i % 2)
				raise_node(f, i++, gone_s);
			if (end % 2)
				raise_node(f, --end, gone_s);
		}
	}
}

static double last_above(struct libra_finishes *f, uint32_t i)
{
	double last_s = -INFINITY;

	for (; i > 0; i /= 2, f->visits++)
		last_s = later(last_s, node_of(f, i)->all_s);
	return last_s;
}

/* Return the last gone on a job's processors, of the jobs in the tree. */
static double last_of(struct libra_finishes *f,
		      const struct libra_gang_job *job)
{
	double last_s = -INFINITY;

	if (is_whole(f, job)) {
		f->visits++;
		return node_of(f, 1)->any_s;
	}
	for (uint32_t k = 0; k < job->nparts; k++) {
		uint32_t i = job->parts[k].first + f->leaves;
		uint32_t end = i + job->parts[k].count;

		/* A job that covers a node of the range and more covers an end
		 * of the range.
		 */
		last_s = later(last_s, last_above(f, i));
		if (end - 1 > i)
			last_s = later(last_s, last_above(f, end - 1));
		for (; i < end; i /= 2, end /= 2, f->visits++) {
			if (i % 2)
				last_s = later(last_s, node_of(f, i++)->any_s);
			if (end % 2)
				last_s =
					later(last_s, node_of(f, --end)->any_s);
		}
	}
	return last_s;
}

/* ---- one finish ---- */

/* Insert into blockers[0..n-1], which are sorted by gone. */
static inline void hold(struct libra_finishes *f, uint32_t n,
			struct libra_blocker new)
{
	struct libra_blocker *blockers = f->blockers;

	for (; n > 0 && blockers[n - 1].gone_s > new.gone_s; n--, f->visits++)
		blockers[n] = blockers[n - 1];
	blockers[n] = new;
}

/* Return W: the least bound on how long n neighbours hold a job. */
static double wait_s(const struct libra_blocker *blockers, uint32_t n,
		     double now_s)
{
	double least_s = INFINITY, after_s = 0, until_s;

	for (uint32_t k = n; k-- > 0;) {
		until_s = blockers[k].gone_s - now_s;
		until_s = (until_s > 0 ? until_s : 0) + after_s;
		least_s = until_s < least_s ? until_s : least_s;
		after_s += blockers[k].need_s;
	}
	return after_s < least_s ? after_s : least_s;
}

/* Return W of a crowded job. */
static double wait_crowded_s(double last_s, double now_s)
{
	return last_s > now_s ? last_s - now_s : 0;
}

/* Collect the listed earlier neighbours that need something and are not late.
 */
static uint32_t collect(struct libra_finishes *f, const struct libra_gang *g,
			const struct libra_gang_side *before, bool tried)
{
	uint32_t n = 0;

	f->visits += before->nslots;
	for (uint32_t i = 0; i < before->nslots; i++) {
		uint32_t near = before->slots[i];
		const struct libra_finish *its = &f->of[near];
		bool changed = tried && its->stamp == f->stamp;
		double need_s = libra_gang_need_s(g, near);

		if (need_s > 0)
			hold(f, n++,
			     (struct libra_blocker){changed ? its->tried_gone_s
							    : its->gone_s,
						    need_s});
	}
	return n;
}

/* Return W of a job that is crowded, or becomes so by one more job. */
static double crowd_wait_s(struct libra_finishes *f, const struct libra_gang *g,
			   uint32_t slot, bool tried, struct libra_blocker more,
			   double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	double last_s = f->of[slot].last_s;
	uint32_t n;

	if (libra_gang_is_crowded(&job->before)) {
		if (tried)
			last_s = later(last_s, last_of(f, job));
	} else {
		n = collect(f, g, &job->before, tried);
		last_s = n > 0 ? f->blockers[n - 1].gone_s : -INFINITY;
	}
	return wait_crowded_s(
		more.need_s > 0 ? later(last_s, more.gone_s) : last_s, now_s);
}

/* Return the finish of a job with its earlier neighbours, and with one more if
 * that needs something.  tried: use the finishes of the trial, where they
 * differ.
 */
static double finish_of(struct libra_finishes *f, const struct libra_gang *g,
			uint32_t slot, bool tried, struct libra_blocker more,
			double now_s)
{
	const struct libra_gang_side *before = &g->jobs[slot].before;
	double end_s = now_s + libra_gang_need_s(g, slot);
	uint32_t n = before->n + (more.need_s > 0);

	f->visits += tried; /* else it is one of all jobs */
	if (libra_gang_is_crowded(before) || n > g->listed)
		return end_s + crowd_wait_s(f, g, slot, tried, more, now_s);
	n = collect(f, g, before, tried);
	if (more.need_s > 0)
		hold(f, n++, more);
	return end_s + wait_s(f->blockers, n, now_s);
}

static inline void mark(uint64_t *bits, uint32_t rank)
{
	bits[rank / 64] |= (uint64_t)1 << (rank % 64);
}

/* Mark a rank as pending. */
static inline void mark_pending(struct libra_finishes *f, uint32_t rank)
{
	mark(f->pending, rank);
	f->end = f->end > rank / 64 ? f->end : rank / 64 + 1;
}

static inline bool marked(const uint64_t *bits, uint32_t rank)
{
	return bits[rank / 64] >> (rank % 64) & 1;
}

static void mark_behind(struct libra_finishes *f, uint32_t rank, uint32_t end)
{
	f->visits += (end - rank) / 64;
	libra_bits_fill(f->pending, rank + 1, end);
	f->end = LIBRA_BITS_WORDS(end);
	f->all_pending = true;
}

/* Mark the later neighbours of a job whose gone rose as pending. */
static void push(struct libra_finishes *f, const struct libra_gang *g,
		 uint32_t slot)
{
	const struct libra_gang_side *behind = &g->jobs[slot].behind;

	if (f->all_pending)
		return;
	if (libra_gang_is_crowded(behind)) {
		mark_behind(f, f->of[slot].rank, g->njobs - g->nlate);
		return;
	}
	f->visits += behind->nslots;
	for (uint32_t i = 0; i < behind->nslots; i++)
		if (!g->jobs[behind->slots[i]].late)
			mark_pending(f, f->of[behind->slots[i]].rank);
}

/* Sort the list of a job that is not crowded by gone, equal ones by rank.
 * Mostly it is sorted already.
 */
static void sort_before(struct libra_finishes *f,
			const struct libra_gang_side *before)
{
	uint32_t *slots = before->slots;

	for (uint32_t i = 1; i < before->nslots; i++) {
		uint32_t slot = slots[i], at = i;
		const struct libra_finish *its = &f->of[slot];

		for (; at > 0; at--, f->visits++) {
			const struct libra_finish *that = &f->of[slots[at - 1]];

			if (that->gone_s < its->gone_s ||
			    (that->gone_s == its->gone_s &&
			     that->rank < its->rank))
				break;
			slots[at] = slots[at - 1];
		}
		slots[at] = slot;
	}
}

/* Compute one finish.  Result: true if its gone has changed. */
static bool project_one(struct libra_finishes *f, const struct libra_gang *g,
			uint32_t slot, double now_s)
{
	static const struct libra_blocker nobody;
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_finish *its = &f->of[slot];
	double gone_s = its->gone_s;

	if (libra_gang_is_crowded(&job->before))
		its->last_s = last_of(f, job);
	else
		sort_before(f, &job->before);
	its->finish_s = finish_of(f, g, slot, false, nobody, now_s);
	its->gone_s = its->finish_s < job->deadline_s ? its->finish_s
						      : job->deadline_s;
	its->in_time = libra_finishes_keeps(job, its->finish_s);
	f->looked++;
	f->visits++;
	if (g->ncrowded > 0 && libra_gang_need_s(g, slot) > 0)
		raise_last(f, job, its->gone_s);
	return its->gone_s != gone_s;
}

/* Update ranks from the last change of the order, if those before are known. */
static void rank_all(struct libra_finishes *f, const struct libra_gang *g)
{
	uint32_t from = f->ranked + 1 == g->order_version ? g->order_from : 0;

	if (f->ranked == g->order_version)
		return;
	f->visits += g->njobs - from;
	for (uint32_t i = from; i < g->njobs; i++)
		f->of[g->order[i]].rank = i;
	f->ranked = g->order_version;
}

/* Remove the lowest rank from a set and return it.  Word w must not be 0. */
static inline uint32_t next_pending(uint64_t *pending, uint32_t word)
{
	uint32_t bit = (uint32_t)__builtin_ctzll(pending[word]);

	pending[word] &= pending[word] - 1;
	return word * 64 + bit;
}

/* Compute the finishes of all jobs with neighbours, by rank. */
static void project_all(struct libra_finishes *f, const struct libra_gang *g,
			double now_s)
{
	uint32_t nlive = g->njobs - g->nlate, words = (nlive + 63) / 64;

	rank_all(f, g);
	f->epoch++;
	f->visits += (words + g->cap / 64) / 8;
	for (uint32_t slot = libra_bits_next(g->with_neighbours, 0, g->cap);
	     slot < g->cap;
	     slot = libra_bits_next(g->with_neighbours, slot + 1, g->cap))
		if (f->of[slot].rank < nlive)
			mark(f->pending, f->of[slot].rank);
	for (uint32_t w = 0; w < words; w++)
		while (f->pending[w])
			project_one(f, g, g->order[next_pending(f->pending, w)],
				    now_s);
}

/* Set the finishes of the jobs whose first neighbour is the added one, as they
 * were alone.
 */
static void project_met(struct libra_finishes *f, const struct libra_gang *g,
			double now_s)
{
	const struct libra_gang_job *added = &g->jobs[g->added];

	const struct libra_gang_side *sides[] = {&added->before,
						 &added->behind};

	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < sides[k]->nslots; i++) {
			uint32_t slot = sides[k]->slots[i];
			const struct libra_gang_job *job = &g->jobs[slot];

			if (job->before.n + job->behind.n == 1 && !job->late)
				libra_finishes_alone(&f->of[slot], g, slot,
						     now_s);
		}
}

/* Update the projection after one job was added at the same instant: its own
 * finish, and the later ones that it reaches.  The tasks of an array come one
 * by one, and each would otherwise compute all finishes.
 */
static void project_added(struct libra_finishes *f, const struct libra_gang *g,
			  double now_s)
{
	uint32_t i = g->njobs - 1;

	for (; g->order[i] != g->added; i--, f->visits++)
		f->of[g->order[i]].rank = i;
	f->of[g->added].rank = i;
	f->ranked = g->order_version;
	project_met(f, g, now_s);
	if (g->jobs[g->added].late)
		return;
	f->all_pending = false;
	f->end = 0;
	mark_pending(f, i);
	for (uint32_t w = i / 64; w < f->end; w++) {
		while (f->pending[w]) {
			uint32_t slot = g->order[next_pending(f->pending, w)];

			if (project_one(f, g, slot, now_s) || slot == g->added)
				push(f, g, slot);
		}
	}
}

void libra_finishes_project(struct libra_finishes *f,
			    const struct libra_gang *g, double now_s)
{
	uint64_t visits = f->visits;

	if (f->version == g->version)
		return;
	if (g->added_version == g->version && f->version + 1 == g->version &&
	    f->now_s == now_s && g->ncrowded == 0 &&
	    !libra_gang_is_crowded(&g->jobs[g->added].behind))
		project_added(f, g, now_s);
	else
		project_all(f, g, now_s);
	f->version = g->version;
	f->now_s = now_s;
	f->upkeep += f->visits - visits;
	f->visits = visits;
}

bool libra_finishes_spoiled(struct libra_finishes *f,
			    const struct libra_gang *g, uint32_t slot,
			    double need_s, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	if (libra_finishes_spared(f, g, slot, need_s))
		return false;
	return !libra_finishes_keeps(
		job, finish_of(f, g, slot, false,
			       (struct libra_blocker){now_s + need_s, need_s},
			       now_s));
}

/* Compute one finish that may rise.  Result: false if the job would miss its
 * deadline.
 */
static bool try_one(struct libra_finishes *f, const struct libra_gang *g,
		    struct libra_trial *t, uint32_t slot, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_finish *its = libra_finishes_of(f, g, slot);
	bool here = marked(f->met, its->rank);
	struct libra_blocker more = {fmin(t->finish_s, t->deadline_s),
				     here ? t->need_s : 0};

	its->tried_s = finish_of(f, g, slot, true, more, now_s);
	its->tried_gone_s =
		its->tried_s < job->deadline_s ? its->tried_s : job->deadline_s;
	its->stamp = f->stamp;
	t->rise_s += its->tried_s - its->finish_s;
	if (its->in_time && !libra_finishes_keeps(job, its->tried_s)) {
		t->misses = slot;
		t->misses_here = here;
		return false;
	}
	if (its->tried_gone_s > its->gone_s && libra_gang_need_s(g, slot) > 0) {
		push(f, g, slot);
		if (g->ncrowded > 0)
			raise_last(f, job, its->tried_gone_s);
	}
	return true;
}

/* Return the new job's own finish, after the earlier jobs. */
static double new_finish_s(struct libra_finishes *f, const struct libra_gang *g,
			   const struct libra_trial *t, double now_s)
{
	double end_s = now_s + t->need_s, last_s = -INFINITY;
	bool crowded = t->nearlier + t->nidle > g->listed;

	f->visits += 1 + t->nearlier;
	for (uint32_t i = 0; i < t->nearlier; i++) {
		struct libra_blocker its = {
			libra_finishes_of(f, g, t->earlier[i])->gone_s,
			libra_gang_need_s(g, t->earlier[i])};

		if (!crowded)
			hold(f, i, its);
		last_s = later(last_s, its.gone_s);
	}
	return end_s + (crowded ? wait_crowded_s(last_s, now_s)
				: wait_s(f->blockers, t->nearlier, now_s));
}

bool libra_finishes_try(struct libra_finishes *f, const struct libra_gang *g,
			struct libra_trial *t, double most_s, double now_s)
{
	uint32_t w = UINT32_MAX;
	bool good = true;

	t->misses = LIBRA_NOBODY;
	t->misses_here = false;
	t->rise_s = 0;
	t->finish_s = new_finish_s(f, g, t, now_s);
	if (t->finish_s > t->deadline_s + LIBRA_SLACK_TOLERANCE_S)
		return false;
	f->stamp++;
	f->epoch++;
	f->all_pending = false;
	f->end = 0;
	for (uint32_t i = 0; i < t->nlater; i++) {
		uint32_t rank = f->of[t->later[i]].rank;

		mark_pending(f, rank);
		mark(f->met, rank);
		w = rank / 64 < w ? rank / 64 : w;
	}
	/* A visit marks later ranks only. */
	for (; w < f->end && good; w += good) {
		f->visits += w % 8 == 7;
		while (f->pending[w] && good) {
			uint32_t slot = g->order[next_pending(f->pending, w)];

			good = try_one(f, g, t, slot, now_s) &&
			       t->rise_s < most_s;
		}
	}
	for (; w < f->end; w++)
		f->pending[w] = 0; /* the trial ended early */
	for (uint32_t i = 0; i < t->nlater; i++)
		f->met[f->of[t->later[i]].rank / 64] = 0;
	return good;
}
