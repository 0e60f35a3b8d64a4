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

#include "core/gang/state.h"

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

/* Of few that are to be told of: first who is held, then who runs, each by
 * priority.
 * Result: LIBRA_GANG_NOBODY if there is none.
 */
uint32_t libra_gang_next_unreported(struct libra_gang *g);

/* Give a job its processors or take them, and note whether its processes exist.
 */
void libra_gang_run_job(struct libra_gang *g, uint32_t slot, bool runs,
			bool started);

/* The next instant at which a job will be late; INFINITY if none. */
double libra_gang_next_late_s(const struct libra_gang *g);

/* load(j) of a job that is not late; touched. */
double libra_gang_load_s(const struct libra_gang *g, uint32_t slot);

/* Its slack; touched at now_s. */
static inline double libra_gang_slack(const struct libra_gang *g, uint32_t slot,
				      double now_s)
{
	return g->jobs[slot].deadline_s - now_s - libra_gang_load_s(g, slot);
}

/* For tests: find everything anew and compare; touched at now_s.
 * Result: NULL, or what is wrong.
 */
const char *libra_gang_check(const struct libra_gang *g, double now_s);

#endif
