/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * future.c - when running jobs will have made room for a job.
 *
 * Running jobs are removed in the order of their limits, those that end within
 * a window at a time; the window is doubled when the job does not fit yet.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/sched/passes.h"

enum {
	WINDOW_S = 30,
	YEAR_S = 365 * 24 * 3600,
	BATCH = 200, /* jobs of a window that are removed without a look */
	STEP = 16,
};

/* Add the nodes that are idle once run i has ended, too. */
static void add_idle(const struct sched_model *m, const struct sched_ended *e,
		     uint32_t i, uint64_t *set)
{
	const struct sched_run *run = m->running.runs[i];

	for (uint32_t k = 0; k < run->nnodes; k++)
		if (e->last[run->node[k]] == i)
			libra_bits_put(set, run->node[k]);
}

static bool fill_ended(struct sched_model *m, struct sched_ended *e)
{
	size_t size = m->words * sizeof(*e->sets);

	if (m->running.n / STEP >= e->cap) {
		size_t cap = e->cap;
		uint64_t *bigger =
			sim_grown(e->sets, &cap, m->running.n / STEP + 1, size);

		if (!bigger) {
			m->failed = true;
			return false;
		}
		e->sets = bigger;
		e->cap = (uint32_t)cap;
	}
	for (uint32_t i = 0; i < m->running.n; i++)
		for (uint32_t k = 0; k < m->running.runs[i]->nnodes; k++)
			e->last[m->running.runs[i]->node[k]] = i;
	memcpy(e->sets, m->free.idle, size);
	e->filled = e->between = 0;
	e->changes = m->running.changes;
	return true;
}

/* Fill the sets up to one. */
static void fill_sets(const struct sched_model *m, struct sched_ended *e,
		      uint32_t to)
{
	while (e->filled < to) {
		uint64_t *set = e->sets + (size_t)e->filled * m->words;
		uint64_t *next = set + m->words;

		memcpy(next, set, m->words * sizeof(*set));
		for (uint32_t k = 0; k < STEP; k++)
			add_idle(m, e, e->filled * STEP + k, next);
		e->filled++;
	}
}

struct search {
	struct sched_model *m;
	const struct sched_ask *ask;
	uint32_t at; /* the next run of the list */
	const struct sched_free *free;
	bool own; /* victims are gone: no state is shared */
	int64_t later_s, end_s, window_s;
	const struct sched_run *last, *next;
	bool more;
};

/* Return the set of nodes that are idle when the first n runs have ended.  One
 * of STEP sets is kept while nothing starts or ends.
 */
static uint64_t *idle_when_ended(struct sched_model *m, uint32_t n)
{
	struct sched_ended *e = &m->buffers->ended;
	uint64_t *set;

	if (e->changes != m->running.changes && !fill_ended(m, e))
		return NULL;
	if (n == m->running.n)
		return m->buffers->empty.idle;
	fill_sets(m, e, n / STEP);
	set = e->sets + (size_t)(n / STEP) * m->words;
	if (n % STEP == 0)
		return set;
	if (e->between > n || e->between <= n - n % STEP) {
		memcpy(e->set, set, m->words * sizeof(*set));
		e->between = n - n % STEP;
	}
	while (e->between < n)
		add_idle(m, e, e->between++, e->set);
	return e->set;
}

/* Return what is free when the first n runs have ended; states are kept while
 * nothing starts or ends, for most jobs ask for the same ones.
 */
static const struct sched_free *when_ended(struct sched_model *m, uint32_t n,
					   bool idle)
{
	struct sched_buffers *b = m->buffers;
	struct sched_future *nearest = NULL, *oldest = &b->futures[0];
	uint32_t from = 0;

	if (n == 0)
		return &m->free;
	if (idle) {
		b->ended.free.idle = idle_when_ended(m, n);
		return b->ended.free.idle ? &b->ended.free : &m->free;
	}
	for (size_t i = 0; i < SCHED_FUTURES; i++) {
		struct sched_future *f = &b->futures[i];
		bool valid = f->used && f->changes == m->running.changes;

		if (valid && f->ended == n) {
			f->used = ++b->futures_used;
			return &f->free;
		}
		if (valid && f->ended < n &&
		    (!nearest || f->ended > nearest->ended))
			nearest = f;
		if (f->used < oldest->used)
			oldest = f;
	}
	if (nearest)
		from = nearest->ended;
	if (oldest != nearest)
		sched_free_copy(m, &oldest->free,
				nearest ? &nearest->free : &m->free);
	for (uint32_t i = from; i < n; i++)
		sched_release(m, &oldest->free, m->running.runs[i]);
	oldest->ended = n;
	oldest->changes = m->running.changes;
	oldest->used = ++b->futures_used;
	return &oldest->free;
}

static bool is_victim(const struct sched_buffers *b,
		      const struct sched_run *run)
{
	for (uint32_t v = 0; v < b->nvictims; v++)
		if (b->victims[v] == run)
			return true;
	return false;
}

/* Return true if a set of idle nodes tells all: the job takes whole nodes, and
 * it does not matter how many jobs others have.
 */
static bool by_idle_nodes(const struct search *s)
{
	return s->ask->whole && !s->m->params.bf.busy_nodes;
}

/* Return how many runs of the list end by an instant. */
static uint32_t ended_by(const struct sched_model *m, int64_t at_s)
{
	uint32_t low = 0, high = m->running.n;

	while (low < high) {
		uint32_t at = low + (high - low) / 2;

		if (m->running.runs[at]->end_s <= at_s)
			low = at + 1;
		else
			high = at;
	}
	return low;
}

/* Return false if too few nodes are idle even when all runs of the search have
 * ended.
 */
static bool has_hope(const struct search *s, int64_t start_s)
{
	struct sched_model *m = s->m;
	const struct sched_ask *ask = s->ask;
	int64_t until_s = s->later_s > start_s ? s->later_s : start_s;
	uint32_t n = s->later_s ? ended_by(m, until_s) : m->running.n;
	uint32_t needed = (ask->req->min_cpus + m->machine.most_cpus - 1) /
			  (m->machine.most_cpus ? m->machine.most_cpus : 1);
	uint32_t found = 0;
	const uint64_t *idle;

	if (needed < ask->min_nodes)
		needed = ask->min_nodes;
	idle = when_ended(m, n, true)->idle;
	for (uint32_t w = 0; w < m->words && found < needed; w++)
		found += libra_bits_count(ask->allowed[w] & idle[w]);
	return found >= needed;
}

/* Remove all that end by an instant, and the victims. */
static void remove_first(struct search *s, int64_t start_s)
{
	struct sched_model *m = s->m;
	struct sched_buffers *b = m->buffers;

	s->at = ended_by(m, start_s);
	s->own = b->nvictims > 0;
	if (!s->own) {
		s->free = when_ended(m, s->at, by_idle_nodes(s));
		return;
	}
	sched_free_copy(m, &b->scratch, &m->free);
	for (uint32_t i = 0; i < s->at; i++)
		if (!is_victim(b, m->running.runs[i]))
			sched_release(m, &b->scratch, m->running.runs[i]);
	for (uint32_t v = 0; v < b->nvictims; v++)
		sched_release(m, &b->scratch, b->victims[v]);
	s->free = &b->scratch;
}

/* Return the next run that is no victim, from s->at on; NULL: none. */
static const struct sched_run *peek(struct search *s)
{
	struct sched_model *m = s->m;

	while (s->own && s->at < m->running.n &&
	       is_victim(m->buffers, m->running.runs[s->at]))
		s->at++;
	return s->at < m->running.n ? m->running.runs[s->at] : NULL;
}

/* Remove the runs of one window.
 * Result: true if the job is to be tested then.
 */
static bool remove_window(struct search *s)
{
	uint32_t removed = 0;

	s->last = s->next = NULL;
	while (true) {
		const struct sched_run *run = peek(s);

		if (!run || (s->later_s && run->end_s > s->later_s)) {
			s->more = false;
			break;
		}
		s->at++;
		if (!sched_run_touches(run, s->ask->allowed))
			continue;
		if (s->end_s == 0)
			s->end_s =
				run->end_s + WINDOW_S - run->end_s % WINDOW_S;
		s->last = run;
		if (s->own)
			sched_release(s->m, &s->m->buffers->scratch, run);
		s->next = peek(s);
		if (!s->next) {
			s->more = false;
			break;
		}
		if (s->next->end_s > s->end_s + s->window_s)
			break;
		if (removed++ > BATCH)
			return false;
	}
	if (s->last && !s->own)
		s->free = when_ended(s->m, s->at, by_idle_nodes(s));
	return true;
}

/* Return the end of the last run whose nodes the choice needs. */
static int64_t last_end(const struct search *s)
{
	struct sched_model *m = s->m;
	const struct sched_run *run = s->last;
	int64_t end_s;

	for (uint32_t i = s->at; i > 0; i--)
		if (sched_run_touches(m->running.runs[i - 1],
				      m->buffers->place.set) &&
		    !(s->own &&
		      is_victim(m->buffers, m->running.runs[i - 1]))) {
			run = m->running.runs[i - 1];
			break;
		}
	end_s = run->end_s;
	if (end_s > m->now_s)
		return end_s;
	end_s += m->params.overtime_s ? m->params.overtime_s
				      : m->params.kill_wait_s;
	return end_s > m->now_s ? end_s : m->now_s + 1;
}

static void widen(struct search *s)
{
	do {
		if (s->window_s > YEAR_S)
			break;
		if (s->m->params.bf.window_linear)
			s->window_s += s->m->params.bf.window_linear;
		else
			s->window_s *= 2;
	} while (s->next && s->next->end_s > s->end_s + s->window_s);
}

bool sched_will_run(struct sched_model *m, const struct sched_ask *ask,
		    int64_t start_s, int64_t later_s, bool now_only,
		    int64_t *found_s)
{
	struct sched_buffers *b = m->buffers;
	struct search s = {.m = m,
			   .ask = ask,
			   .later_s = later_s,
			   .window_s = WINDOW_S,
			   .more = true};
	struct sched_ask busy = *ask;

	*found_s = m->now_s;
	if (b->nvictims == 0 && by_idle_nodes(&s) && !has_hope(&s, start_s))
		return false;
	if (start_s <= m->now_s) {
		if (sched_choose(m, &m->free, ask, &b->place))
			return true;
		if (b->nvictims == 0 && now_only)
			return false;
	} else if (b->nvictims == 0 && now_only) {
		return false;
	}
	remove_first(&s, start_s);
	if (sched_choose(m, s.free, ask, &b->place))
		return true;
	busy.busy_first = m->params.bf.busy_nodes;
	while (s.more) {
		if (!remove_window(&s))
			continue;
		if (!s.last)
			break;
		if (sched_choose(m, s.free, &busy, &b->place)) {
			*found_s = last_end(&s);
			return true;
		}
		widen(&s);
	}
	return false;
}
