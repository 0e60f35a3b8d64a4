/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gang.h - jobs whose parts run together, in the order of their deadlines.
 *
 * A job keeps the processors it was promised until it ends; on a processor one
 * job runs at a time, and all parts of a job run or are held together.  The
 * order is the same on every processor:
 *
 *     priority(j) = (late(j), deadline_j, order of offers); late jobs last
 *     need(j)     = estimate - executed; once executed > estimate + 1e-6 s
 *                   max(overrun_floor, overrun x executed); never more than
 *                   deadline - now, never less than 0
 *     late(j)     = now >= deadline_j + 1e-6 s
 *     dispatch    = in order of priority: run a job if no processor of it is
 *                   claimed, and claim them; else hold it
 *
 * Two jobs that share a processor are neighbours.  For a job that is not late
 *
 *     load(j)  = need(j) + needs of its earlier neighbours that are not late
 *     slack(j) = deadline_j - now - load(j)
 *
 * (finish.h has a tighter bound, with an invariant of the same kind: band takes
 * that unless its parameter finishes is off.)
 *
 * THE INVARIANT: as long as every job keeps to its estimate, slack(j) never
 * falls by the passing of time, by an end, or by a dispatch.  A job stands
 * still only while an earlier neighbour runs, so in every instant at least one
 * of the needs in load(j) falls as fast as time passes; ends only take needs
 * away.  Only a new earlier neighbour adds to load(j), and admission adds none
 * whose need exceeds slack(j).  So slack(j) >= 0 at admission means that j
 * ends by its deadline, whatever ends early.  An overrun breaks this, for the
 * job itself and its neighbours alone.  A change of a job's numbers keeps to
 * the same two rules as an admission.
 *
 * COST: who is late, and so who runs, is known at every instant that is told.
 * What a job needs is a line, which falls as time passes or stays: it is drawn
 * anew when the job begins to execute or ceases to, and at an instant that is
 * known before.  Only who exceeds its estimate is looked at each time, and all
 * are each 18 hours.  So what a start, an end or a look at needs costs does not
 * grow with the jobs that execute, and it matters to no result when, or
 * whether, anybody has looked.
 *
 * For the core alone: no clock, no actions here.
 */
#ifndef LIBRA_GANG_H
#define LIBRA_GANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/bits.h"
#include "core/formula/need.h"
#include "core/job.h"
#include "core/least.h"

/* The neighbours of a job whose deadlines are earlier than its own, or those
 * whose deadlines are later.  The first LIBRA_GANG_LISTED that come are listed;
 * the others are only counted, so that a crowd costs no more memory than that,
 * and no call looks at each pair of a crowd.
 */
enum { LIBRA_GANG_LISTED = 128 };

struct libra_gang_side {
	uint32_t n;	 /* neighbours */
	uint32_t nslots; /* of them, those that are listed */
	uint32_t cap;
	uint32_t *slots;
	uint64_t listed_at; /* the gang's stamp when the last one was listed */
};

struct libra_gang_job {
	/* All that is looked at mostly, side by side. */
	double deadline_s; /* instant */
	struct libra_gang_side before, behind;
	bool late;
	bool ready;   /* may run: the submission went through, and nobody has
			 suspended it */
	bool runs;    /* has its processors */
	bool started; /* its processes exist */
	double estimate_s;
	double executed_s; /* until since_s */
	double since_s;	   /* it executes since then, if it does */
	uint64_t order;	   /* of offers: ties of deadlines */
	/* The rest. */
	struct libra_range *parts; /* its processors, in index order */
	uint64_t seen;	 /* scratch: the stamp of the addition that met it */
	uint64_t joined; /* the stamp when it was added */
	uint32_t nprocs; /* 0 = not in the gang */
	uint32_t nparts, parts_cap;
	uint32_t moves;	 /* one more than where it is among those; 0 = not */
	bool reported;	 /* as running, to the host */
	bool unreported; /* neither as running nor as held: restored */
};

#define LIBRA_GANG_NOBODY UINT32_MAX

/* So many are kept in a list; of more all jobs are looked through. */
enum { LIBRA_GANG_FEW = 32 };

struct libra_gang_few {
	uint32_t slots[LIBRA_GANG_FEW];
	uint32_t n;
	bool many; /* there may be others */
};

/* What offers ask of all jobs, close together: so it is all in a cache, and
 * leaves others there.  It needs base_s less falls (0 or 1) times what has
 * passed since ref_s, and never less than nothing.
 */
struct libra_gang_claim {
	double deadline_s; /* -INFINITY if it is late */
	double base_s, falls;
};

/* The words of processors whose runs a job is on, or ends before. */
struct libra_gang_span {
	uint32_t first, last;
};

struct libra_gang {
	uint32_t nprocs, words; /* of a set of processors */
	struct libra_overrun overrun;
	struct libra_gang_job *jobs;	 /* by slot */
	struct libra_gang_claim *claims; /* likewise */
	struct libra_gang_span *spans;	 /* likewise */
	uint32_t cap;			 /* slots */
	uint32_t *order;		 /* slots by priority */
	uint32_t njobs, nlate;		 /* in order; the last nlate are late */
	uint32_t ncrowded; /* jobs with earlier neighbours not listed */
	uint32_t listed;   /* LIBRA_GANG_LISTED, or less in a test */
	/* Processors with the same jobs side by side are a run: edges has the
	 * first one of each, and what is bound is kept for that one alone.
	 */
	uint64_t *edges;
	uint64_t *used;	 /* processors with jobs */
	uint64_t *met;	 /* slots of jobs that have neighbours */
	uint32_t *bound; /* by run: depth slots, nbound used */
	uint32_t *nbound;
	uint32_t depth;
	uint64_t stamp;
	/* By word of processors, and one behind them: so often has anything
	 * changed about the runs that begin there, but that needs fall; those
	 * of so many jobs do.
	 */
	uint64_t *changes;
	uint32_t *falling;
	uint64_t *claimed; /* scratch of a dispatch */
	uint64_t version;  /* another one whenever an answer could be another */
	uint64_t steps;	   /* jobs and runs looked at, since ever */
	uint64_t added_version; /* after the last addition, of the slot added */
	uint32_t added;
	/* Another one whenever the order is; the last time from that place on.
	 */
	uint64_t order_version;
	uint32_t order_from;
	double now_s;	  /* who is late is known until then */
	double touched_s; /* needs are known then */
	/* Claims count from this instant: near enough that they are exact.  How
	 * long ago it was when they were touched.
	 */
	double ref_s, since_ref_s;
	/* By slot: when its claim will be another, since ref_s. */
	struct libra_least until;
	/* Who has executed for all its estimate, in no order: its claim is
	 * another at each touch.
	 */
	uint32_t *moving;
	uint32_t nmoving;
	struct libra_gang_few asked;  /* may they run?  For the next dispatch */
	struct libra_gang_few untold; /* the host has not been told, maybe */
};

int libra_gang_init(struct libra_gang *g, uint32_t nprocs);
void libra_gang_fini(struct libra_gang *g);

/* Make room for slots 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_gang_reserve(struct libra_gang *g, uint32_t n);

/* Time has passed: bring lateness and the order up to now. */
void libra_gang_pass(struct libra_gang *g, double now_s);

/* Bring needs up to now, too. */
void libra_gang_touch(struct libra_gang *g, double now_s);

/* Time has passed until an instant, and that is now_s from now on: who is late
 * is found anew.
 */
void libra_gang_clock(struct libra_gang *g, double now_s);

/* Promise the processors of a set to a slot, which has executed so much
 * already and may be late; passed at now_s.  No test.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_gang_add(struct libra_gang *g, uint32_t slot, uint64_t order,
		   double estimate_s, double executed_s, double deadline_s,
		   const uint64_t *set, double now_s);
void libra_gang_remove(struct libra_gang *g, uint32_t slot);

/* May a job have these numbers instead of its own, where it is?  Then its own
 * slack is not negative, nor that of a later neighbour that was not before.
 * Touched at now_s.
 */
bool libra_gang_may_change(const struct libra_gang *g, uint32_t slot,
			   double estimate_s, double deadline_s, double now_s);
void libra_gang_change(struct libra_gang *g, uint32_t slot, double estimate_s,
		       double deadline_s, double now_s);

/* Passed: a job has executed so much by now, or has this estimate; no test. */
void libra_gang_progress(struct libra_gang *g, uint32_t slot,
			 double executed_s);
void libra_gang_reestimate(struct libra_gang *g, uint32_t slot,
			   double estimate_s);

/* May a job run, do its processes exist?  Passed; who runs is for the next
 * dispatch to say.
 */
void libra_gang_ready(struct libra_gang *g, uint32_t slot, bool ready);
void libra_gang_begin(struct libra_gang *g, uint32_t slot);

/* A job was restored: it is told of, whether it runs or not. */
void libra_gang_report(struct libra_gang *g, uint32_t slot);

/* Who runs from now on; result: whether anybody is to be told of. */
bool libra_gang_dispatch(struct libra_gang *g, double now_s);

static inline bool libra_gang_is_untold(const struct libra_gang_job *job)
{
	return job->runs != job->reported || job->unreported;
}

/* Of few that are to be told of: first who is held, then who runs, each by
 * priority.
 * Result: LIBRA_GANG_NOBODY if there is none.
 */
uint32_t libra_gang_next_untold(struct libra_gang *g);

/* Put a job on such a list, or take it off; for gang.c. */
void libra_gang_few_add(struct libra_gang_few *few, uint32_t slot);
void libra_gang_few_drop(struct libra_gang_few *few, uint32_t slot);

/* It has its processors from now on, or not, or its processes exist; for
 * dispatch.c.
 */
void libra_gang_run_job(struct libra_gang *g, uint32_t slot, bool runs,
			bool started);

/* The next instant at which a job will be late; INFINITY if none. */
double libra_gang_next_late_s(const struct libra_gang *g);

/* Does it execute? */
static inline bool libra_gang_executes(const struct libra_gang_job *job)
{
	return job->runs && job->started;
}

/* What a job has executed; passed at now_s. */
static inline double libra_gang_executed_s(const struct libra_gang_job *job,
					   double now_s)
{
	return libra_gang_executes(job)
		       ? job->executed_s + (now_s - job->since_s)
		       : job->executed_s;
}

/* What a job needs: need(j), or 0 if it is late; touched. */
static inline double libra_gang_need_s(const struct libra_gang *g,
				       uint32_t slot)
{
	const struct libra_gang_claim *claim = &g->claims[slot];
	double need_s = claim->base_s - claim->falls * g->since_ref_s;

	return need_s > 0 ? need_s : 0;
}

/* load(j) of a job that is not late; touched. */
double libra_gang_load_s(const struct libra_gang *g, uint32_t slot);

/* Its slack; touched at now_s. */
static inline double libra_gang_slack(const struct libra_gang *g, uint32_t slot,
				      double now_s)
{
	return g->jobs[slot].deadline_s - now_s - libra_gang_load_s(g, slot);
}

/* Does job a come before job b?  Both late, or both not. */
static inline bool libra_gang_before(const struct libra_gang_job *a,
				     const struct libra_gang_job *b)
{
	if (a->deadline_s != b->deadline_s)
		return a->deadline_s < b->deadline_s;
	return a->order < b->order;
}

/* Is job a before job b in the order? */
static inline bool libra_gang_precedes(const struct libra_gang_job *a,
				       const struct libra_gang_job *b)
{
	return a->late != b->late ? b->late : libra_gang_before(a, b);
}

/* Are there neighbours that the list of a side does not have? */
static inline bool libra_gang_is_crowded(const struct libra_gang_side *side)
{
	return side->n != side->nslots;
}

static inline bool libra_gang_has_neighbours(const struct libra_gang_job *job)
{
	return job->before.n + job->behind.n > 0;
}

/* Do two jobs share a processor? */
bool libra_gang_meet(const struct libra_gang_job *a,
		     const struct libra_gang_job *b);

/* As below, of a side that is crowded: all jobs are looked through. */
uint32_t libra_gang_next_unlisted(const struct libra_gang *g, uint32_t slot,
				  const struct libra_gang_side *side,
				  uint32_t *cursor);

/* The next neighbour of a job on one of its sides; *cursor is 0 at first.
 * Result: LIBRA_GANG_NOBODY behind the last one.
 * Cost:   all of them O(neighbours), of a crowded side O(jobs x ranges).
 */
static inline uint32_t libra_gang_next_near(const struct libra_gang *g,
					    uint32_t slot,
					    const struct libra_gang_side *side,
					    uint32_t *cursor)
{
	if (libra_gang_is_crowded(side))
		return libra_gang_next_unlisted(g, slot, side, cursor);
	return *cursor < side->n ? side->slots[(*cursor)++] : LIBRA_GANG_NOBODY;
}

/* The run that a processor lies in, by its first one. */
static inline uint32_t libra_gang_run(const struct libra_gang *g, uint32_t proc)
{
	return libra_bits_last(g->edges, proc);
}

/* One past the last processor of the run that a processor lies in, or end. */
static inline uint32_t libra_gang_run_end(const struct libra_gang *g,
					  uint32_t proc, uint32_t end)
{
	return libra_bits_next(g->edges, proc + 1, end);
}

/* What is bound to a run. */
static inline const uint32_t *libra_gang_bound(const struct libra_gang *g,
					       uint32_t run)
{
	return g->bound + (size_t)run * g->depth;
}

/* Put the processors of a job into a set. */
static inline void libra_gang_put(const struct libra_gang *g, uint32_t slot,
				  uint64_t *set)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++)
		libra_bits_fill(set, job->parts[i].first,
				job->parts[i].first + job->parts[i].count);
}

/* For tests: find everything anew and compare; touched at now_s.
 * Result: NULL, or what is wrong.
 */
const char *libra_gang_check(const struct libra_gang *g, double now_s);

#endif
