/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds.h - holds: nodes for jobs that preempt others, until these jobs start.
 *
 * A victim keeps its nodes until it has ended.  The host may fail to stop a
 * victim, so the schedule expects its end at the end by its estimate.  The
 * preempting job holds those of its resources that no victim uses, and all of
 * them once the victims have ended.  A victim belongs to one hold only.  Holds
 * exist by node only (planned.h).
 *
 * Only core/space calls these functions.  Only libra_hold_add() allocates.
 */
#ifndef LIBRA_SPACE_HOLDS_H
#define LIBRA_SPACE_HOLDS_H

#include "core/space/spans.h"
#include "core/space/planned.h"

/* Add a hold for a job on the parts of a start query: the job must start within
 * query->delay_s from now.  The hold replaces the job's previous one.  If
 * restored is set, the hold was in force before a restart, and nothing has
 * tested whether it fits.
 * Result: 0, or -1 with ENOMEM; then the job has no hold.
 * Cost: O(jobs).
 */
int libra_hold_add(struct libra_engine *e, const struct libra_job *job,
		   const struct libra_start_query *query, bool restored);

/* Decide on the restored holds, after a test whether they fit.  go: drop them;
 * else keep them as other holds.
 * Result: true if a hold was dropped.
 */
bool libra_hold_settle(struct libra_planned_state *s, bool go);

/* Return true if a job has a hold. */
bool libra_hold_has(const struct libra_planned_state *s, uint64_t job_id);

/* Return the instant by which the job must start on its hold, or NAN if it has
 * none.
 */
double libra_hold_until_s(const struct libra_planned_state *s, uint64_t job_id);

/* Drop and free the hold of a job, if it has one (_drop), or all holds
 * (_drop_all).  The next libra_reservations_catch_up() rebuilds the schedule.
 */
void libra_hold_drop(struct libra_planned_state *s, uint64_t job_id);
void libra_hold_drop_all(struct libra_planned_state *s);

/* Drop the holds whose job did not start in time, and those on an open node
 * that has an outage before the job would end.  A hold stays while its nodes
 * are closed: the job starts there when the host opens them.  If a node will
 * not open again, the host cancels the hold.
 */
void libra_hold_expire(struct libra_engine *e);

/* Return true if a victim of the query is already assigned to another job's
 * hold.
 */
bool libra_hold_shares(const struct libra_planned_state *s, uint64_t job_id,
		       const struct libra_start_query *query);

/* Return the instant at which the next hold expires, or INFINITY. */
double libra_hold_next_s(const struct libra_planned_state *s);

/* Return the first instant after after_s at which the job of a hold is expected
 * to end and to free its nodes; or INFINITY.
 */
double libra_hold_end_s(const struct libra_planned_state *s, double after_s);

/* Reserve all holds on a timeline (_procs) or on lanes (_lanes), except the
 * hold of the job in s->asking, as if the victims in gone (NULL: no victims)
 * did not run.
 */
void libra_hold_reserve_procs(struct libra_engine *e, struct libra_timeline *p,
			      const struct libra_start_query *gone);
void libra_hold_reserve_lanes(struct libra_engine *e, struct libra_lanes *lanes,
			      const struct libra_start_query *gone);

/* Return an upper bound of the timeline steps (_steps) or spans (_spans) that
 * all holds need.
 */
uint32_t libra_hold_steps(const struct libra_planned_state *s);
uint64_t libra_hold_spans(const struct libra_planned_state *s);

#endif
