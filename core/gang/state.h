/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - the data of a gang, and functions that read them.
 *
 * gang.h has the rules and changes the data.  The functions here read one job,
 * two jobs, or one run of processors, in O(1) unless a cost is given.  They
 * allocate nothing and cannot fail.  Callers: core/gang and the policies that
 * use it, under the lock of the engine's host.  The gang owns each array below,
 * and libra_gang_fini() frees them all.
 *
 * A run is a range of processors side by side with the same residents.  The
 * residents of a processor (`bound`) are the jobs that are promised it.  A word
 * of processors is 64 of them, as in bits.h.  "Passed" and "touched": see
 * gang.h.
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

/* One side of a job: its neighbours with earlier deadlines, or with later ones.
 * The first LIBRA_GANG_LISTED to be added are listed; the others are counted.
 * So the memory of a side is bounded, and no call visits each pair of a crowd.
 */
enum { LIBRA_GANG_LISTED = 128 };

struct libra_gang_side {
	uint32_t n;	 /* neighbours */
	uint32_t nslots; /* listed neighbours */
	uint32_t cap;
	uint32_t *slots;
	uint64_t listed_at; /* the gang's stamp when the last one was listed */
};

struct libra_gang_job {
	/* The fields that are read most, side by side. */
	double deadline_s; /* instant */
	struct libra_gang_side before, behind;
	bool late;
	bool ready;   /* may run: committed, and not suspended */
	bool runs;    /* has its processors */
	bool started; /* its processes exist */
	double estimate_s;
	double executed_s; /* time for which it has had its processors, up to
			      since_s */
	double since_s;	   /* an executing job: the instant of executed_s */
	uint64_t order;	   /* number of its offer: decides equal deadlines */
	/* The rest. */
	struct libra_range *parts; /* its processors, in index order */
	uint64_t seen;	 /* scratch: the stamp of the last addition that visited
			    it */
	uint64_t joined; /* the stamp when it was added */
	uint32_t nprocs; /* 0 = not in the gang */
	uint32_t nparts, parts_cap;
	uint32_t moves;	 /* its index in `moving` + 1; 0 = not there */
	bool reported;	 /* the host knows it as running */
	bool unreported; /* restored: the host knows it neither as running nor
			    as held */
};

#define LIBRA_GANG_NOBODY UINT32_MAX

/* Size of a short list.  If more jobs are due, its reader visits all jobs. */
enum { LIBRA_GANG_FEW = 32 };

struct libra_gang_short_list {
	uint32_t slots[LIBRA_GANG_FEW];
	uint32_t n;
	bool many; /* incomplete: other jobs may be due too */
};

/* The need of a job as a line over time: base_s - falls x (now - ref_s), and at
 * least 0; falls is 0 or 1.  Lines are stored apart from jobs, so that a
 * decision finds the lines of all jobs in the cache.
 */
struct libra_gang_need_line {
	double deadline_s; /* -INFINITY if it is late */
	double base_s, falls;
};

/* The words that a job's changes concern: from the word of its first processor
 * to that of the processor after its last.
 */
struct libra_gang_span {
	uint32_t first, last;
};

/* The runs of processors and their residents. */
struct libra_gang_runs {
	/* The first processor of each run.  Residents are stored for that one
	 * only.
	 */
	uint64_t *edges;
	uint64_t *used;	 /* processors with jobs */
	uint32_t *bound; /* by run: room for depth slots, nbound used */
	uint32_t *nbound;
	uint32_t depth;
};

/* The instants to which the state of a gang belongs. */
struct libra_gang_times {
	double now_s;	  /* lateness is as of this instant */
	double touched_s; /* needs are as of this instant */
	/* ref_s is the origin of need lines: an instant so near that rounding
	 * loses nothing.  since_ref_s = touched_s - ref_s.
	 */
	double ref_s, since_ref_s;
};

struct libra_gang {
	uint32_t nprocs, words; /* of a set of processors */
	struct libra_overrun overrun;
	struct libra_gang_times at;
	struct libra_gang_runs runs;
	struct libra_gang_job *jobs;		 /* by slot */
	struct libra_gang_need_line *need_lines; /* likewise */
	struct libra_gang_span *spans;		 /* likewise */
	uint32_t cap;				 /* slots */
	uint32_t *order;			 /* slots by priority */
	uint32_t njobs, nlate;	   /* the last nlate in the order are late */
	uint32_t ncrowded;	   /* jobs with unlisted earlier neighbours */
	uint32_t listed;	   /* LIBRA_GANG_LISTED, or less in a test */
	uint64_t *with_neighbours; /* set of slots */
	uint64_t stamp;
	/* By word of processors, and one entry after the last.  changes counts
	 * the changes of the runs that begin there, except falling needs;
	 * falling is the number of jobs there whose needs fall.
	 */
	uint64_t *changes;
	uint32_t *falling;
	uint64_t *claimed; /* scratch of a dispatch: processors taken so far */
	uint64_t version;  /* changes whenever a result could change */
	uint64_t steps;	   /* jobs and runs visited since init */
	uint64_t added_version; /* version after the last addition, and its slot
				 */
	uint32_t added;
	/* order_version changes whenever the order does; its last change was at
	 * index order_from or after it.
	 */
	uint64_t order_version;
	uint32_t order_from;
	/* By slot: when its need line changes, counted from ref_s. */
	struct libra_least until;
	/* Executing jobs over their estimates, unordered: their need lines
	 * change at each touch.
	 */
	uint32_t *moving;
	uint32_t nmoving;
	/* dirty: jobs that the next dispatch may have to start or stop.
	 * unreported: jobs whose state the host may not know yet.
	 */
	struct libra_gang_short_list dirty, unreported;
};

/* Return true if the host may not know whether the job runs. */
static inline bool libra_gang_is_unreported(const struct libra_gang_job *job)
{
	return job->runs != job->reported || job->unreported;
}

/* Return true if a job has its processors and its processes exist. */
static inline bool libra_gang_executes(const struct libra_gang_job *job)
{
	return job->runs && job->started;
}

/* Return what a job has executed.  Passed at now_s. */
static inline double libra_gang_executed_s(const struct libra_gang_job *job,
					   double now_s)
{
	return libra_gang_executes(job)
		       ? job->executed_s + (now_s - job->since_s)
		       : job->executed_s;
}

/* Return need(j), or 0 if the job is late.  Touched. */
static inline double libra_gang_need_s(const struct libra_gang *g,
				       uint32_t slot)
{
	const struct libra_gang_need_line *line = &g->need_lines[slot];
	double need_s = line->base_s - line->falls * g->at.since_ref_s;

	return need_s > 0 ? need_s : 0;
}

/* Return true if job a comes before job b.  Both late, or both not. */
static inline bool libra_gang_before(const struct libra_gang_job *a,
				     const struct libra_gang_job *b)
{
	if (a->deadline_s != b->deadline_s)
		return a->deadline_s < b->deadline_s;
	return a->order < b->order;
}

/* Return true if job a is before job b in the order. */
static inline bool libra_gang_precedes(const struct libra_gang_job *a,
				       const struct libra_gang_job *b)
{
	return a->late != b->late ? b->late : libra_gang_before(a, b);
}

/* Return true if a side has unlisted neighbours. */
static inline bool libra_gang_is_crowded(const struct libra_gang_side *side)
{
	return side->n != side->nslots;
}

static inline bool libra_gang_has_neighbours(const struct libra_gang_job *job)
{
	return job->before.n + job->behind.n > 0;
}

/* Return the run of a processor, by its first one. */
static inline uint32_t libra_gang_run(const struct libra_gang *g, uint32_t proc)
{
	return libra_bits_last(g->runs.edges, proc);
}

/* Return one past the last processor of a processor's run, or end if less. */
static inline uint32_t libra_gang_run_end(const struct libra_gang *g,
					  uint32_t proc, uint32_t end)
{
	return libra_bits_next(g->runs.edges, proc + 1, end);
}

/* Return the residents of a run: g->runs.nbound[run] slots. */
static inline const uint32_t *libra_gang_bound(const struct libra_gang *g,
					       uint32_t run)
{
	return g->runs.bound + (size_t)run * g->runs.depth;
}

/* Add the processors of a job to a set.  Cost: O(its ranges + words). */
static inline void libra_gang_put(const struct libra_gang *g, uint32_t slot,
				  uint64_t *set)
{
	const struct libra_gang_job *job = &g->jobs[slot];

	for (uint32_t i = 0; i < job->nparts; i++)
		libra_bits_fill(set, job->parts[i].first,
				job->parts[i].first + job->parts[i].count);
}

#endif
