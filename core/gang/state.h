/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the jobs of a gang, and what is read from them without a change.
 *
 * gang.h has the rules and changes the jobs.  The functions here look at one
 * job, at two, or at one run of processors; each costs O(1) where no other cost
 * is given.
 */
#ifndef LIBRA_GANG_STATE_H
#define LIBRA_GANG_STATE_H

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

struct libra_gang_short_list {
	uint32_t slots[LIBRA_GANG_FEW];
	uint32_t n;
	bool many; /* there may be others */
};

/* What offers ask of all jobs, close together: so it is all in a cache, and
 * leaves others there.  It needs base_s less falls (0 or 1) times what has
 * passed since ref_s, and never less than nothing.
 */
struct libra_gang_need_line {
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
	struct libra_gang_job *jobs;	     /* by slot */
	struct libra_gang_need_line *claims; /* likewise */
	struct libra_gang_span *spans;	     /* likewise */
	uint32_t cap;			     /* slots */
	uint32_t *order;		     /* slots by priority */
	uint32_t njobs, nlate; /* in order; the last nlate are late */
	uint32_t ncrowded;     /* jobs with earlier neighbours not listed */
	uint32_t listed;       /* LIBRA_GANG_LISTED, or less in a test */
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
	struct libra_gang_short_list
		asked; /* may they run?  For the next dispatch */
	struct libra_gang_short_list
		untold; /* the host has not been told, maybe */
};

static inline bool libra_gang_is_unreported(const struct libra_gang_job *job)
{
	return job->runs != job->reported || job->unreported;
}

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
	const struct libra_gang_need_line *claim = &g->claims[slot];
	double need_s = claim->base_s - claim->falls * g->since_ref_s;

	return need_s > 0 ? need_s : 0;
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

#endif
