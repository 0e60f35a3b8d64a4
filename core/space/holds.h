/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds.h - holds: nodes for jobs that preempt others, until these jobs start.
 *
 * A victim keeps its nodes until it is gone; as it may yet stay, its expected
 * end is the limit.  The preempting job holds those of its resources that no
 * victim uses, and all of them once the victims are gone.  A victim belongs to
 * one hold only.  Holds exist by node only.
 *
 * For core/space alone.
 */
#ifndef LIBRA_SPACE_HOLDS_H
#define LIBRA_SPACE_HOLDS_H

#include "core/space/spans.h"
#include "core/space/planned.h"

/* Add a hold for a job on the parts of a start query, for opening->delay_s
 * seconds from now on.  It replaces the job's previous hold.  restored: the
 * hold was in force before a restart, and nothing has tested whether it fits.
 * Result: 0, or -1 with ENOMEM; then the job has no hold.
 * Cost: O(jobs).
 */
int libra_hold_add(struct libra_engine *e, const struct libra_job *job,
		   const struct libra_start_query *opening, bool restored);

/* End the trial period of restored holds: if go is false, they stay, like all
 * other holds; if go is true, drop them.
 * Result: true if a hold was dropped.
 */
bool libra_hold_settle(struct libra_planned_state *s, bool go);

/* Return true if a job has a hold. */
bool libra_hold_has(const struct libra_planned_state *s, uint64_t job_id);

/* Return the instant by which the job must start on its hold, or NAN if it has
 * none.
 */
double libra_hold_until_s(const struct libra_planned_state *s, uint64_t job_id);

/* Drop and free the hold of a job, if it has one; drop all holds.  The schedule
 * is rebuilt at the next catch-up.
 */
void libra_hold_drop(struct libra_planned_state *s, uint64_t job_id);
void libra_hold_drop_all(struct libra_planned_state *s);

/* Drop the holds whose time is over, and those on an open node that has an
 * outage before the job would end.  A hold stays while its nodes are closed:
 * the job starts there when the host opens them.  If a node will not open
 * again, the host cancels the hold.
 */
void libra_hold_expire(struct libra_engine *e);

/* Return true if a victim of the query is already assigned to another job's
 * hold.
 */
bool libra_hold_shares(const struct libra_planned_state *s, uint64_t job_id,
		       const struct libra_start_query *opening);

/* Return the instant at which the next hold expires, or INFINITY. */
double libra_hold_next_s(const struct libra_planned_state *s);

/* Return the first instant after after_s at which a hold would return its
 * nodes, as its job would end; or INFINITY.
 */
double libra_hold_end_s(const struct libra_planned_state *s, double after_s);

/* Reserve all holds, except that of the job in s->asking, on a timeline or on
 * lanes, as if the victims in gone (NULL: none) did not run.
 */
void libra_hold_lay_procs(struct libra_engine *e, struct libra_timeline *p,
			  const struct libra_start_query *gone);
void libra_hold_lay_line(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_start_query *gone);

/* Return the number of timeline steps, or of spans, that all holds need at
 * most.
 */
uint32_t libra_hold_steps(const struct libra_planned_state *s);
uint64_t libra_hold_spans(const struct libra_planned_state *s);

#endif
