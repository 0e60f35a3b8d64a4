/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finish.h - when each job of a gang has ended at the latest, by its estimate.
 *
 * b are the earlier neighbours of a job i (gang.h) that are not late and need
 * something:
 *
 *     gone(b)   = min(finish(b), deadline(b)): from then on b has ended or is
 *                 late, and holds nobody who is not late
 *     W(i)      = min over k = 0..n of max(0, gone_k - now) + sum of need_j,
 *                 j > k, the b sorted by gone; k = 0: the sum of all needs
 *     finish(i) = now + need(i) + W(i)
 *
 * Between admissions no finish rises, whatever ends early.  Take the subset of
 * the minimum.  While i runs, now + need(i) stands still, and no gone or need
 * rises.  While i is held, an earlier neighbour b runs: if b is in the sum, the
 * sum falls as time passes; if it is not, gone(b) lies ahead and its distance
 * falls.  One that ends or becomes late leaves.  So nothing need be kept, and
 * a promise that a finish kept at its admission is kept (docs/beyond.md).
 *
 * A trial asks what another job would do to the finishes.  Nothing of the gang
 * changes here; all times are instants unless their names say need.
 */
#ifndef LIBRA_FINISH_H
#define LIBRA_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/gang/gang.h"

/* A neighbour that comes before, as W sees it. */
struct libra_hold {
	double gone_s;
	double need_s;
};

/* Of a job without neighbours libra_finishes_of() says it when asked. */
struct libra_finish {
	double finish_s, gone_s; /* as projected */
	double tried_s;		 /* the finish in the trial of the stamp */
	double tried_gone_s;
	uint64_t stamp;
	uint32_t rank; /* in the order of the gang */
	bool in_time;  /* finish_s keeps the deadline */
};

struct libra_finishes {
	struct libra_finish *of;  /* by slot */
	struct libra_hold *holds; /* scratch: the neighbours of one job */
	uint64_t *pending;	  /* ranks whose finish a trial changes */
	uint64_t *met;		  /* of them, those that the new job meets */
	uint64_t stamp;
	uint64_t version; /* of the gang, as projected */
	uint64_t ranked;  /* of its order, as ranks are */
	double now_s;	  /* when */
	uint64_t looked;  /* finishes projected since ever: for tests */
	uint64_t visits;  /* neighbours looked at by trials since ever */
	uint32_t cap;
};

/* A new job, tried on some processors. */
struct libra_trial {
	double deadline_s;
	double need_s;
	const uint32_t *earlier; /* slots that come before it and need
				    something, on its processors */
	uint32_t nearlier;
	const uint32_t
		*later; /* those behind it, not late, on its processors */
	uint32_t nlater;
	/* Results. */
	double finish_s;
	double rise_s;	  /* by how much all finishes rise together */
	uint32_t misses;  /* the slot that would miss its deadline, or
			     LIBRA_NOBODY */
	bool misses_here; /* it is on the processors of the trial */
};

#define LIBRA_NOBODY UINT32_MAX

/* Make room for slots 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_finishes_reserve(struct libra_finishes *f, uint32_t n);
void libra_finishes_fini(struct libra_finishes *f);

/* The finishes of all jobs that are not late; touched at now_s.
 * Cost: the neighbours of all jobs that have any, sorted; nothing if nothing
 * has changed.
 */
void libra_finishes_project(struct libra_finishes *f,
			    const struct libra_gang *g, double now_s);

static inline bool libra_finishes_keeps(const struct libra_gang_job *job,
					double finish_s)
{
	return finish_s <= job->deadline_s + LIBRA_SLACK_TOLERANCE_S;
}

/* One that waits for nobody. */
static inline void libra_finishes_alone(struct libra_finish *its,
					const struct libra_gang *g,
					uint32_t slot, double now_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	its->finish_s = now_s + libra_gang_need_s(g, slot);
	its->gone_s = its->finish_s < job->deadline_s ? its->finish_s
						      : job->deadline_s;
	its->in_time = libra_finishes_keeps(job, its->finish_s);
}

/* Of one that is not late, as projected. */
static inline struct libra_finish *libra_finishes_of(
	const struct libra_finishes *f, const struct libra_gang *g,
	uint32_t slot)
{
	if (g->jobs[slot].nnear == 0)
		libra_finishes_alone(&f->of[slot], g, slot, f->now_s);
	return &f->of[slot];
}

/* As below, by what is known without a look at its neighbours: surely not? */
static inline bool libra_finishes_spared(const struct libra_finishes *f,
					 const struct libra_gang *g,
					 uint32_t slot, double need_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	double finish_s = job->nnear > 0
				  ? f->of[slot].finish_s
				  : f->now_s + libra_gang_need_s(g, slot);

	/* A neighbour adds no more than what it needs. */
	return finish_s + need_s <= job->deadline_s ||
	       !libra_finishes_keeps(job, finish_s);
}

/* Would a job in time miss its deadline if a new one, gone at now + need_s,
 * were its neighbour and came before it?  Projected at now_s.
 */
bool libra_finishes_spoiled(struct libra_finishes *f,
			    const struct libra_gang *g, uint32_t slot,
			    double need_s, double now_s);

/* Would a new job end by its deadline, and everybody who was in time still be?
 * Projected at now_s.  Finishes are looked at in the order of the gang; it
 * stops, with a result of false, where all that they rise is not below most_s.
 * Result: true, with the results of the trial; or false, with the one who
 *         misses, if it is that.
 * Cost:   the neighbours of all jobs whose finish rises.
 */
bool libra_finishes_try(struct libra_finishes *f, const struct libra_gang *g,
			struct libra_trial *t, double most_s, double now_s);

#endif
