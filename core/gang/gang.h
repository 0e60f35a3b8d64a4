/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gang.h - jobs whose parts run together, in the order of their deadlines.
 *
 * A job keeps the processors it was promised until it ends.  On a processor one
 * job runs at a time, and all parts of a job run or are held together.  The
 * order is the same on every processor:
 *
 *     priority(j) = (late(j), deadline_j, order of offers); late jobs last
 *     need(j)     = estimate - executed; once executed > estimate + 1e-6 s
 *                   max(overrun_floor, overrun x executed); never more than
 *                   deadline - now, never less than 0
 *     late(j)     = now >= deadline_j + 1e-6 s
 *     dispatch    = in order of priority: run a job if no processor of it is
 *                   taken by a job before it, and take them; else hold it
 *
 * Two jobs that share a processor are neighbours.  For a job that is not late
 *
 *     load(j)  = need(j) + needs of its earlier neighbours that are not late
 *     slack(j) = deadline_j - now - load(j)
 *
 * (finish.h has a tighter bound, with an invariant of the same kind.  The
 * policy band uses it unless its parameter finishes is off.)
 *
 * THE INVARIANT: as long as every job keeps to its estimate, slack(j) never
 * falls by the passing of time, by an end, or by a dispatch.  A job is held
 * only while an earlier neighbour runs, so at every instant at least one of the
 * needs in load(j) falls as fast as time passes; an end only removes needs.
 * Only a new earlier neighbour adds to load(j), and admission adds none whose
 * need exceeds slack(j).  So if slack(j) >= 0 at admission, j ends by its
 * deadline, whichever jobs end early.  An overrun breaks this, for the job
 * itself and its neighbours only.  A change of a job's numbers follows the same
 * two rules as an admission.
 *
 * PRECONDITIONS: "passed at now_s" means that libra_gang_pass(g, now_s) was the
 * last call to set the time.  Lateness and the order, and so the running jobs,
 * are then those of now_s.  "Touched at now_s" means that libra_gang_touch(g,
 * now_s) was the last such call.  Then needs, too, are those of now_s.
 *
 * COST: a job's need is a line (need_lines.h) that falls as time passes or is
 * constant.  The line is computed when the job begins or stops executing, and
 * at the end of the line, an instant known in advance.  Each touch computes
 * only the lines of jobs over their estimates, and all lines once in 65,536 s
 * (18 hours).  So the cost of a start, an end or a reading of needs does not
 * grow with the number of executing jobs.  Reading needs changes no later
 * result.
 *
 * For the core alone, without a lock (engine.h): the caller passes the time and
 * leaves the actions for the host.
 */
#ifndef LIBRA_GANG_H
#define LIBRA_GANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/gang/state.h"

/* Create a gang without jobs.
 * Result: 0, or -1 with ENOMEM and nothing to free.
 */
int libra_gang_init(struct libra_gang *g, uint32_t nprocs);
void libra_gang_fini(struct libra_gang *g);

/* Reserve memory for slots 0..n-1.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_gang_reserve(struct libra_gang *g, uint64_t n);

/* Advance to now_s: update lateness and the order. */
void libra_gang_pass(struct libra_gang *g, double now_s);

/* Advance to now_s, and update needs too. */
void libra_gang_touch(struct libra_gang *g, double now_s);

/* Follow a clock that was set: the instant of the last pass is now_s from now
 * on.  Lateness is computed again.
 */
void libra_gang_clock(struct libra_gang *g, double now_s);

/* Promise the processors of a set to a slot, which has already executed
 * executed_s and may be late.  No admission test.  Passed at now_s.
 * Result: 0, or -1 with ENOMEM and nothing changed.
 */
int libra_gang_add(struct libra_gang *g, uint32_t slot, uint64_t order,
		   double estimate_s, double executed_s, double deadline_s,
		   const uint64_t *set, double now_s);

/* Remove a job and free its processors, after its end or a withdrawal. */
void libra_gang_remove(struct libra_gang *g, uint32_t slot);

/* Return true if a job may change to these numbers on its processors.  Its own
 * slack must not become negative, and no later neighbour's slack may fall from
 * 0 or more to below 0.  Touched at now_s.
 */
bool libra_gang_may_change(const struct libra_gang *g, uint32_t slot,
			   double estimate_s, double deadline_s, double now_s);

/* Change a job to these numbers.  No test.  Passed at now_s. */
void libra_gang_change(struct libra_gang *g, uint32_t slot, double estimate_s,
		       double deadline_s, double now_s);

/* Set what a job has executed by now, or its estimate.  No test.  Passed. */
void libra_gang_progress(struct libra_gang *g, uint32_t slot,
			 double executed_s);
void libra_gang_reestimate(struct libra_gang *g, uint32_t slot,
			   double estimate_s);

/* Set that a job may run (ready), or that its processes exist (begin).  Passed.
 * The next dispatch decides which jobs run.
 */
void libra_gang_ready(struct libra_gang *g, uint32_t slot, bool ready);
void libra_gang_begin(struct libra_gang *g, uint32_t slot);

/* Mark a restored job as unreported, so that the host gets an action for it,
 * whether it runs or not.
 */
void libra_gang_report(struct libra_gang *g, uint32_t slot);

/* Decide which jobs run from now on.
 * Result: true if a job is unreported: the host needs an action for it.
 */
bool libra_gang_dispatch(struct libra_gang *g, double now_s);

/* Return the next unreported job: first jobs to hold, then jobs to run, each by
 * priority.  Call this only if the list of unreported jobs is complete
 * (unreported.many is false, short_list.h); else visit all jobs.
 * Result: a slot, or LIBRA_GANG_NOBODY if there is none.
 */
uint32_t libra_gang_next_unreported(struct libra_gang *g);

/* Set whether a job has its processors (runs), and whether its processes exist.
 */
void libra_gang_run_job(struct libra_gang *g, uint32_t slot, bool runs,
			bool started);

/* Return the next instant at which a job becomes late; INFINITY if none. */
double libra_gang_next_late_s(const struct libra_gang *g);

/* Return load(j) of a job that is not late.  Touched. */
double libra_gang_load_s(const struct libra_gang *g, uint32_t slot);

/* Return slack(j) of a job that is not late.  Touched at now_s. */
static inline double libra_gang_slack(const struct libra_gang *g, uint32_t slot,
				      double now_s)
{
	return g->jobs[slot].deadline_s - now_s - libra_gang_load_s(g, slot);
}

#endif
