/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finish.c - the bound by finishes: see finish.h. */
#include "core/gang/finish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_SLOTS 64

int libra_finishes_reserve(struct libra_finishes *f, uint32_t n)
{
	uint32_t cap, words;
	bool ok = true;

	if (n <= f->cap)
		return 0;
	cap = (uint32_t)libra_doubled(f->cap, FIRST_SLOTS, n);
	words = (cap + 63) / 64;
	f->of = libra_grown(f->of, cap, sizeof(*f->of), &ok);
	/* Of one job: its neighbours and a new one. */
	f->holds = libra_grown(f->holds, cap + 1, sizeof(*f->holds), &ok);
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
	free(f->holds);
	free(f->pending);
	free(f->met);
	*f = (struct libra_finishes){0};
}

/* Insert into holds[0..n-1], which are sorted by gone. */
static inline void hold(struct libra_hold *holds, uint32_t n,
			struct libra_hold new)
{
	while (n > 0 && holds[n - 1].gone_s > new.gone_s) {
		holds[n] = holds[n - 1];
		n--;
	}
	holds[n] = new;
}

/* W: the least bound on how long n neighbours hold a job. */
static double wait_s(const struct libra_hold *holds, uint32_t n, double now_s)
{
	double least_s = INFINITY, after_s = 0, until_s;

	for (uint32_t k = n; k-- > 0;) {
		until_s = holds[k].gone_s - now_s;
		until_s = (until_s > 0 ? until_s : 0) + after_s;
		least_s = until_s < least_s ? until_s : least_s;
		after_s += holds[k].need_s;
	}
	return after_s < least_s ? after_s : least_s;
}

/* The finish of a job with its earlier neighbours, and with one more if it
 * needs something.  tried: with the finishes of the trial, where they differ.
 */
static double finish_of(struct libra_finishes *f, const struct libra_gang *g,
			uint32_t slot, bool tried, struct libra_hold more,
			double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t rank = f->of[slot].rank, n = 0;

	f->visits += tried ? 1 + job->nnear : 0;
	for (uint32_t i = 0; i < job->nnear; i++) {
		const struct libra_finish *its = &f->of[job->near[i]];
		bool changed = tried && its->stamp == f->stamp;
		double need_s;

		if (its->rank > rank)
			continue;
		need_s = libra_gang_need_s(g, job->near[i]);
		if (need_s <= 0) /* or it is late */
			continue;
		hold(f->holds, n++,
		     (struct libra_hold){changed ? its->tried_gone_s
						 : its->gone_s,
					 need_s});
	}
	if (more.need_s > 0)
		hold(f->holds, n++, more);
	return now_s + libra_gang_need_s(g, slot) + wait_s(f->holds, n, now_s);
}

static inline void mark(uint64_t *bits, uint32_t rank)
{
	bits[rank / 64] |= (uint64_t)1 << (rank % 64);
}

static inline bool marked(const uint64_t *bits, uint32_t rank)
{
	return bits[rank / 64] >> (rank % 64) & 1;
}

/* Those behind a job that is gone later have to be looked at. */
static void push(struct libra_finishes *f, const struct libra_gang *g,
		 uint32_t slot)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	uint32_t rank = f->of[slot].rank;

	for (uint32_t i = 0; i < job->nnear; i++) {
		uint32_t near = job->near[i];

		if (f->of[near].rank > rank && !g->jobs[near].late)
			mark(f->pending, f->of[near].rank);
	}
}

/* Result: is it gone at another instant now? */
static bool project_one(struct libra_finishes *f, const struct libra_gang *g,
			uint32_t slot, double now_s)
{
	static const struct libra_hold nobody;
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_finish *its = &f->of[slot];
	double gone_s = its->gone_s;

	its->finish_s = finish_of(f, g, slot, false, nobody, now_s);
	its->gone_s = its->finish_s < job->deadline_s ? its->finish_s
						      : job->deadline_s;
	its->in_time = libra_finishes_keeps(job, its->finish_s);
	f->looked++;
	return its->gone_s != gone_s;
}

/* Those behind the last change of the order, if they were known before it. */
static void rank_all(struct libra_finishes *f, const struct libra_gang *g)
{
	uint32_t from = f->ranked + 1 == g->order_version ? g->order_from : 0;

	if (f->ranked == g->order_version)
		return;
	for (uint32_t i = from; i < g->njobs; i++)
		f->of[g->order[i]].rank = i;
	f->ranked = g->order_version;
}

/* The first rank of a set that is marked, and is no more; its word is not 0. */
static inline uint32_t next_pending(uint64_t *pending, uint32_t word)
{
	uint32_t bit = (uint32_t)__builtin_ctzll(pending[word]);

	pending[word] &= pending[word] - 1;
	return word * 64 + bit;
}

/* Of all that have neighbours, by rank. */
static void project_all(struct libra_finishes *f, const struct libra_gang *g,
			double now_s)
{
	uint32_t nlive = g->njobs - g->nlate, words = (nlive + 63) / 64;

	rank_all(f, g);
	memset(f->pending, 0, words * sizeof(*f->pending));
	for (uint32_t slot = libra_bits_next(g->met, 0, g->cap); slot < g->cap;
	     slot = libra_bits_next(g->met, slot + 1, g->cap))
		if (f->of[slot].rank < nlive)
			mark(f->pending, f->of[slot].rank);
	for (uint32_t w = 0; w < words; w++)
		while (f->pending[w])
			project_one(f, g, g->order[next_pending(f->pending, w)],
				    now_s);
}

/* Those that had no neighbour before this one came, as they were. */
static void project_met(struct libra_finishes *f, const struct libra_gang *g,
			double now_s)
{
	const struct libra_gang_job *added = &g->jobs[g->added];

	for (uint32_t i = 0; i < added->nnear; i++) {
		uint32_t slot = added->near[i];
		const struct libra_gang_job *job = &g->jobs[slot];
		struct libra_finish *its = &f->of[slot];

		if (job->nnear > 1 || job->late)
			continue;
		libra_finishes_alone(its, g, slot, now_s);
	}
}

/* One job has come to those that were projected at this instant: its own
 * finish, and those behind it that it reaches.  The tasks of an array come one
 * by one, and each would have all finishes anew.
 */
static void project_added(struct libra_finishes *f, const struct libra_gang *g,
			  double now_s)
{
	uint32_t words = (g->njobs - g->nlate + 63) / 64, i = g->njobs - 1;

	for (; g->order[i] != g->added; i--)
		f->of[g->order[i]].rank = i;
	f->of[g->added].rank = i;
	f->ranked = g->order_version;
	project_met(f, g, now_s);
	if (g->jobs[g->added].late)
		return;
	memset(f->pending, 0, words * sizeof(*f->pending));
	mark(f->pending, i);
	for (uint32_t w = i / 64; w < words; w++) {
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
	if (f->version == g->version)
		return;
	if (g->added_version == g->version && f->version + 1 == g->version &&
	    f->now_s == now_s)
		project_added(f, g, now_s);
	else
		project_all(f, g, now_s);
	f->version = g->version;
	f->now_s = now_s;
}

bool libra_finishes_spoiled(struct libra_finishes *f,
			    const struct libra_gang *g, uint32_t slot,
			    double need_s, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	if (libra_finishes_spared(f, g, slot, need_s))
		return false;
	return !libra_finishes_keeps(
		job,
		finish_of(f, g, slot, false,
			  (struct libra_hold){now_s + need_s, need_s}, now_s));
}

/* One job whose finish may rise.  Result: false if it would miss. */
static bool try_one(struct libra_finishes *f, const struct libra_gang *g,
		    struct libra_trial *t, uint32_t slot, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	struct libra_finish *its = libra_finishes_of(f, g, slot);
	bool here = marked(f->met, its->rank);
	struct libra_hold more = {fmin(t->finish_s, t->deadline_s),
				  here ? t->need_s : 0};

	its->tried_s = finish_of(f, g, slot, true, more, now_s);
	its->tried_gone_s = fmin(its->tried_s, job->deadline_s);
	its->stamp = f->stamp;
	t->rise_s += its->tried_s - its->finish_s;
	if (its->in_time && !libra_finishes_keeps(job, its->tried_s)) {
		t->misses = slot;
		t->misses_here = here;
		return false;
	}
	if (its->tried_gone_s > its->gone_s && libra_gang_need_s(g, slot) > 0)
		push(f, g, slot);
	return true;
}

bool libra_finishes_try(struct libra_finishes *f, const struct libra_gang *g,
			struct libra_trial *t, double most_s, double now_s)
{
	uint32_t words = (g->njobs - g->nlate + 63) / 64;
	bool good = true;

	f->visits += 1 + t->nearlier;
	t->misses = LIBRA_NOBODY;
	t->misses_here = false;
	t->rise_s = 0;
	for (uint32_t i = 0; i < t->nearlier; i++)
		hold(f->holds, i,
		     (struct libra_hold){
			     libra_finishes_of(f, g, t->earlier[i])->gone_s,
			     libra_gang_need_s(g, t->earlier[i])});
	t->finish_s = now_s + t->need_s + wait_s(f->holds, t->nearlier, now_s);
	if (t->finish_s > t->deadline_s + LIBRA_SLACK_TOLERANCE_S)
		return false;
	f->stamp++;
	memset(f->pending, 0, words * sizeof(*f->pending));
	memset(f->met, 0, words * sizeof(*f->met));
	for (uint32_t i = 0; i < t->nlater; i++) {
		mark(f->pending, f->of[t->later[i]].rank);
		mark(f->met, f->of[t->later[i]].rank);
	}
	/* Later ranks only are marked while a rank is looked at. */
	for (uint32_t w = 0; w < words && good; w++) {
		while (f->pending[w] && good) {
			uint32_t slot = g->order[next_pending(f->pending, w)];

			good = try_one(f, g, t, slot, now_s) &&
			       t->rise_s < most_s;
		}
	}
	return good;
}
