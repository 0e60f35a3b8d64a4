/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holds.h - places that are kept for jobs which others are stopped for, until
 * they start there.
 *
 * Who is to be stopped has its place until it is gone, or else until its end,
 * as it may yet stay; the job has what is left of its own beyond that, and all
 * of it then.  Nobody goes for two jobs.  Where plans are not by node there
 * are no such places.
 */
#ifndef LIBRA_SPACE_HOLDS_H
#define LIBRA_SPACE_HOLDS_H

#include "core/space/spans.h"
#include "core/space/planned.h"

/* Keep a place for a job, in the place of what it had before.  restored: as
 * before a restart, and nobody has looked whether it is free.
 * Result: 0, or -1 with ENOMEM; then it has none.
 * Cost:   O(jobs).
 */
int libra_hold_add(struct libra_engine *e, const struct libra_job *job,
		   const struct libra_start_query *opening, bool restored);

/* Those that were restored are as good as others from now on, or they all go.
 * Result: whether any goes.
 */
bool libra_hold_settle(struct libra_planned_state *s, bool go);

bool libra_hold_has(const struct libra_planned_state *s, uint64_t job_id);

/* Until when the job may come to its place; NAN = it has none. */
double libra_hold_until_s(const struct libra_planned_state *s, uint64_t job_id);
void libra_hold_drop(struct libra_planned_state *s, uint64_t job_id);
void libra_hold_drop_all(struct libra_planned_state *s);

/* Drop the places whose time is over, and those on an open node that has an
 * outage before their end.  A place stays while its nodes are closed: the job
 * starts there when the host opens them.  If a node is not to open again, the
 * host forgoes the place.
 */
void libra_hold_expire(struct libra_engine *e);

/* Is one of those that would be gone to go for another job already? */
bool libra_hold_shares(const struct libra_planned_state *s, uint64_t job_id,
		       const struct libra_start_query *opening);

/* When the next goes, or INFINITY. */
double libra_hold_next_s(const struct libra_planned_state *s);

/* The first end of a place after an instant, or INFINITY. */
double libra_hold_end_s(const struct libra_planned_state *s, double after_s);

/* Lay all but that of the job that asks, as if some (or NULL) were gone. */
void libra_hold_lay_procs(struct libra_engine *e, struct libra_timeline *p,
			  const struct libra_start_query *gone);
void libra_hold_lay_line(struct libra_engine *e, struct libra_lanes *lanes,
			 const struct libra_start_query *gone);

/* Steps of a profile, and spans, that all of them may need. */
uint32_t libra_hold_steps(const struct libra_planned_state *s);
uint64_t libra_hold_spans(const struct libra_planned_state *s);

#endif
