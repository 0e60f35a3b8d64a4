/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * future.c - when running jobs will have made room for a job.
 *
 * Running jobs are removed in the order of their limits, those that end within
 * a window at a time; the window is doubled when the job does not fit yet.
 */
#include <string.h>

#include "sim/slurm/sched/passes.h"

enum {
	WINDOW_S = 30,
	YEAR_S = 365 * 24 * 3600,
	BATCH = 200, /* jobs of a window that are removed without a look */
};

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
	for (size_t i = 0; i < SCHED_FUTURES; i++) {
		struct sched_future *f = &b->futures[i];
		bool valid = f->used && f->changes == m->run_changes &&
			     f->idle == idle;

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
		(idle ? sched_free_copy_idle : sched_free_copy)(
			m, &oldest->free, nearest ? &nearest->free : &m->free);
	for (uint32_t i = from; i < n; i++)
		if (idle)
			sched_release_idle(&oldest->free, m->runs[i]);
		else
			sched_release(m, &oldest->free, m->runs[i]);
	oldest->ended = n;
	oldest->idle = idle;
	oldest->changes = m->run_changes;
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

/* Remove all that end by an instant, and the victims. */
static void remove_first(struct search *s, int64_t start_s)
{
	struct sched_model *m = s->m;
	struct sched_buffers *b = m->buffers;

	while (s->at < m->nruns && m->runs[s->at]->end_s <= start_s)
		s->at++;
	s->own = b->nvictims > 0;
	if (!s->own) {
		s->free = when_ended(m, s->at, s->ask->whole);
		return;
	}
	sched_free_copy(m, &b->scratch, &m->free);
	for (uint32_t i = 0; i < s->at; i++)
		if (!is_victim(b, m->runs[i]))
			sched_release(m, &b->scratch, m->runs[i]);
	for (uint32_t v = 0; v < b->nvictims; v++)
		sched_release(m, &b->scratch, b->victims[v]);
	s->free = &b->scratch;
}

/* Return the next run that is no victim, from s->at on; NULL: none. */
static const struct sched_run *peek(struct search *s)
{
	struct sched_model *m = s->m;

	while (s->own && s->at < m->nruns &&
	       is_victim(m->buffers, m->runs[s->at]))
		s->at++;
	return s->at < m->nruns ? m->runs[s->at] : NULL;
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
		s->free = when_ended(s->m, s->at, s->ask->whole);
	return true;
}

/* Return the end of the last run whose nodes the choice needs. */
static int64_t last_end(const struct search *s)
{
	struct sched_model *m = s->m;
	const struct sched_run *run = s->last;
	int64_t end_s;

	for (uint32_t i = s->at; i > 0; i--)
		if (sched_run_touches(m->runs[i - 1], m->buffers->place.set) &&
		    !(s->own && is_victim(m->buffers, m->runs[i - 1]))) {
			run = m->runs[i - 1];
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
		if (s->m->params.bf_window_linear)
			s->window_s += s->m->params.bf_window_linear;
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
	busy.busy_first = m->params.bf_busy_nodes;
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
