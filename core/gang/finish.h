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
 * A job that is CROWDED has the bound of k = n alone:
 *
 *     W(i)      = max(0, the last gone - now)
 *
 * Each job lists the first 128 earlier neighbours that come (gang.h), be they
 * late or not.  The job is crowded while it has neighbours that are not listed.
 * A tree over processors gives the last gone, so that no call looks at each
 * pair of a crowd.  Among jobs that all share a processor, as whole-machine
 * jobs do, this bound equals that of the minimum.  Where this bound is larger,
 * the trial of the job that crowds another one tests the larger bound.
 *
 * Between admissions no finish rises, whatever ends early.  Take the subset of
 * the minimum, or all where a job is crowded.  While i runs, now + need(i)
 * stands still, and no gone or need rises.  While i is held, an earlier
 * neighbour b runs: if b is in the sum, the sum falls as time passes; if it is
 * not, gone(b) lies ahead and its distance falls.  One that ends or becomes
 * late leaves.  So nothing need be kept, and a promise that a finish kept at
 * its admission is kept (docs/beyond.md).
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
struct libra_blocker {
	double gone_s;
	double need_s;
};

/* A node of the tree over processors: when the last job that covers it, or a
 * part of it, is gone; and the last that covers it.  Known in its epoch alone.
 */
struct libra_last {
	uint64_t epoch;
	double any_s, all_s;
};

/* Of a job without neighbours libra_finishes_of() says it when asked. */
struct libra_finish {
	double finish_s, gone_s; /* as projected */
	double tried_s;		 /* the finish in the trial of the stamp */
	double tried_gone_s;
	double last_s; /* crowded: when the last before it is gone */
	uint64_t stamp;
	uint32_t rank; /* in the order of the gang */
	bool in_time;  /* finish_s keeps the deadline */
};

struct libra_finishes {
	struct libra_finish *of;	/* by slot */
	struct libra_blocker *blockers; /* scratch: the neighbours of one job */
	/* Ranks whose finish a trial changes, and of them those that the new
	 * job meets; all zero between calls.
	 */
	uint64_t *pending, *met;
	struct libra_last *last; /* the tree, once there is a crowd */
	uint32_t leaves;	 /* of it; a power of two */
	uint32_t nprocs;
	uint64_t epoch;
	uint32_t end;	  /* one past the last word of pending with a mark */
	bool all_pending; /* each rank behind the one looked at */
	uint64_t stamp;
	uint64_t version; /* of the gang, as projected */
	uint64_t ranked;  /* of its order, as ranks are */
	double now_s;	  /* when */
	uint64_t looked;  /* finishes projected since ever: for tests */
	/* Steps since ever: jobs, neighbours, places in sorted lists and nodes
	 * of the tree; of trials, and of projections, which questions share.
	 */
	uint64_t visits, upkeep;
	uint32_t cap;
};

/* A new job, tried on some processors. */
struct libra_trial {
	double deadline_s;
	double need_s;
	const uint32_t *earlier; /* slots that come before it and need
				    something, on its processors */
	uint32_t nearlier;
	uint32_t nidle; /* earlier ones there that are late or need nothing */
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

/* Make room for slots 0..n-1 and for a gang of so many processors.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_finishes_reserve(struct libra_finishes *f, uint32_t n,
			   uint32_t nprocs);
void libra_finishes_fini(struct libra_finishes *f);

/* The finishes of all jobs that are not late; touched at now_s.  Lists of
 * earlier neighbours are left sorted by gone, for the next time.
 * Cost: O(jobs with neighbours x listed neighbours), where lists are nearly in
 * order; if any job is crowded, O(ranges x log processors) for each job more.
 * Nothing if nothing has changed.
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
	if (!libra_gang_has_neighbours(&g->jobs[slot]))
		libra_finishes_alone(&f->of[slot], g, slot, f->now_s);
	return &f->of[slot];
}

/* As below, by what is known without a look at its neighbours: surely not? */
static inline bool libra_finishes_spared(const struct libra_finishes *f,
					 const struct libra_gang *g,
					 uint32_t slot, double need_s)
{
	const struct libra_gang_job *job = &g->jobs[slot];
	double finish_s = libra_gang_has_neighbours(job)
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
 * Cost:   the listed neighbours of all jobs whose finish rises, and of those
 *         behind a job with more later neighbours than are listed.
 */
bool libra_finishes_try(struct libra_finishes *f, const struct libra_gang *g,
			struct libra_trial *t, double most_s, double now_s);

#endif
