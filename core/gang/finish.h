/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finish.h - the instant by which each job of a gang ends, by its estimate.
 *
 * b are the earlier neighbours of a job i (gang.h) that are not late and need
 * something:
 *
 *     gone(b)   = min(finish(b), deadline(b)): from then on b has ended or is
 *                 late, and holds no job that is not late
 *     W(i)      = min over k = 0..n of max(0, gone_k - now) + sum of need_j,
 *                 j > k, the b sorted by gone; k = 0: the sum of all needs
 *     finish(i) = now + need(i) + W(i)
 *
 * A CROWDED job has only the bound of k = n:
 *
 *     W(i)      = max(0, the last gone - now)
 *
 * Each job lists the first 128 earlier neighbours to be added (near.h), late or
 * not.  A job is crowded while it has unlisted ones.  A tree over processors
 * gives the last gone, so that no call visits each pair of a crowd.  Among jobs
 * that all share a processor, as whole-machine jobs do, this bound equals the
 * minimum.  Elsewhere this bound may be larger.  If an addition makes a job
 * crowded, the trial of that addition already tests the larger bound.
 *
 * THE INVARIANT: between admissions no finish rises, whichever jobs end early.
 * Take the subset of the minimum, or all b if i is crowded.  While i runs, now
 * + need(i) is constant, and no gone or need rises.  While i is held, an
 * earlier neighbour b runs.  If b is in the sum, the sum falls as time passes;
 * if not, gone(b) is ahead and its distance falls.  A job that ends or becomes
 * late leaves.  So no bound has to be stored, and a promise that a finish kept
 * at its admission stays kept (docs/beyond.md).
 *
 * A trial computes what another job would change.  The gang does not change
 * here, except for the order within lists of earlier neighbours.  Callers:
 * policy/band.c and the files band*.c, under the lock of the engine's host.
 * After libra_finishes_reserve() no function allocates or fails.
 *
 * All times are instants unless their names contain "need" or "rise".
 * "Projected at now_s" means that libra_finishes_project(f, g, now_s) was the
 * last call that set finishes, and the gang has not changed since; "touched":
 * see gang.h.
 */
#ifndef LIBRA_FINISH_H
#define LIBRA_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/gang/gang.h"

/* An earlier neighbour, as W needs it. */
struct libra_blocker {
	double gone_s;
	double need_s;
};

/* A node of the tree over processors.  any_s is the last gone among jobs that
 * have any processor below the node; all_s is the last gone among jobs that
 * have all of them.  Both are valid in this epoch only.
 */
struct libra_last {
	uint64_t epoch;
	double any_s, all_s;
};

/* The finish of one job.  For a job without neighbours, libra_finishes_of()
 * computes it at the call.
 */
struct libra_finish {
	double finish_s, gone_s; /* as projected */
	double tried_s;		 /* the finish in the trial `stamp` */
	double tried_gone_s;	 /* gone in that trial */
	double last_s; /* crowded: the last gone of an earlier neighbour */
	uint64_t stamp;
	uint32_t rank; /* index in the order of the gang */
	bool in_time;  /* finish_s keeps the deadline */
};

struct libra_finishes {
	struct libra_finish *of;	/* by slot */
	struct libra_blocker *blockers; /* scratch: the neighbours of one job */
	/* Two sets of ranks, all zero between calls.  pending: the finishes
	 * that a trial must still compute.  met: the neighbours of the new job.
	 */
	uint64_t *pending, *met;
	struct libra_last *last; /* the tree, once a job is crowded */
	uint32_t leaves;	 /* of it; a power of two */
	uint32_t nprocs;
	uint64_t epoch;
	uint32_t end;	  /* one past the last non-zero word of pending */
	bool all_pending; /* every rank after the present one is pending */
	uint64_t stamp;
	uint64_t version; /* the gang's version at the projection */
	uint64_t ranked;  /* the gang's order_version that ranks are of */
	double now_s;	  /* instant of the projection */
	uint64_t looked;  /* finishes projected since init: for tests */
	/* Steps since init: jobs, neighbours, list positions and tree nodes.
	 * visits: of trials; upkeep: of projections, whose cost several queries
	 * share.
	 */
	uint64_t visits, upkeep;
	uint32_t cap;
};

/* A trial of a new job on some processors.  The caller owns the arrays. */
struct libra_trial {
	double deadline_s;
	double need_s;
	const uint32_t *earlier; /* slots on its processors that come before it
				    and need something */
	uint32_t nearlier;
	uint32_t nidle; /* slots there that come before it and are late or need
			   nothing */
	const uint32_t *later; /* slots there that come after it, not late */
	uint32_t nlater;
	/* Results. */
	double finish_s;
	double rise_s;	  /* the sum of the rises of all finishes */
	uint32_t misses;  /* the slot that would miss its deadline, or
			     LIBRA_NOBODY */
	bool misses_here; /* that slot is on the processors of the trial */
};

#define LIBRA_NOBODY UINT32_MAX

/* Reserve memory for slots 0..n-1 and a gang of nprocs processors.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 * Owner:  *f owns the memory, until libra_finishes_fini().
 */
int libra_finishes_reserve(struct libra_finishes *f, uint32_t n,
			   uint32_t nprocs);
void libra_finishes_fini(struct libra_finishes *f);

/* Compute the finishes of all jobs that are not late.  Touched at now_s.
 * Leaves lists of earlier neighbours sorted by gone, for the next time.
 * Cost:   O(jobs with neighbours x listed neighbours) if lists are nearly in
 *         order; if any job is crowded, O(ranges x log processors) more for
 *         each job.  Nothing if nothing has changed.
 */
void libra_finishes_project(struct libra_finishes *f,
			    const struct libra_gang *g, double now_s);

/* Return true if a job that ends at finish_s keeps its deadline. */
static inline bool libra_finishes_keeps(const struct libra_gang_job *job,
					double finish_s)
{
	return finish_s <= job->deadline_s + LIBRA_SLACK_TOLERANCE_S;
}

/* Set the finish of a job without neighbours. */
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

/* Return the finish of a job that is not late.  Projected.
 * Owner:  f; valid until the gang changes.
 */
static inline struct libra_finish *libra_finishes_of(
	const struct libra_finishes *f, const struct libra_gang *g,
	uint32_t slot)
{
	if (!libra_gang_has_neighbours(&g->jobs[slot]))
		libra_finishes_alone(&f->of[slot], g, slot, f->now_s);
	return &f->of[slot];
}

/* Return true if libra_finishes_spoiled() is certainly false, without visiting
 * the job's neighbours.
 */
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

/* Return true if a job that is in time would miss its deadline if a new job,
 * gone at now + need_s, were its neighbour and came before it.  Projected at
 * now_s.
 */
bool libra_finishes_spoiled(struct libra_finishes *f,
			    const struct libra_gang *g, uint32_t slot,
			    double need_s, double now_s);

/* Return true if a new job would end by its deadline, all jobs that are in time
 * would remain so, and rise_s is below most_s.  Visits jobs in the order of the
 * gang and stops at the first failure.  Projected at now_s.
 * Result: true, with the results in *t; or false.  If the failure is a job of
 *         the gang that would miss its deadline, t->misses is its slot.
 * Cost:   the listed neighbours of all jobs whose finish rises, and of those
 *         after a job with unlisted later neighbours.
 */
bool libra_finishes_try(struct libra_finishes *f, const struct libra_gang *g,
			struct libra_trial *t, double most_s, double now_s);

#endif
