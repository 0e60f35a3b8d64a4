/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guard.c - see guard.h. */
#include "core/guard.h"

#include <math.h>

/* Skipped jobs are considered again when no job was skipped for this time. */
#define PASS_S 600.0
/* After a reservation was given up no other job gets one for this time, twice
 * as long each time, up to an hour, so that nodes do not stay idle.
 */
#define REST_S 60.0
#define MOST_S 3600.0

bool libra_guard_looks(struct libra_guard *g, double age_s, double now_s)
{
	double rest_s = fmin(fmax(1, age_s / 60), REST_S);

	if (g->given_up > 0)
		rest_s = fmin(MOST_S, ldexp(REST_S, (int)g->given_up - 1));
	if (fabs(now_s - g->asked_s) < rest_s)
		return false;
	g->asked_s = now_s;
	return true;
}

/* If the clock was set back, until_s may be far away: it is over then. */
bool libra_guard_skips(const struct libra_guard *g, double submit_s,
		       uint64_t id)
{
	double left_s = g->until_s - g->asked_s;

	return left_s > 0 && left_s <= PASS_S &&
	       (submit_s < g->passed_s ||
		(submit_s == g->passed_s && id <= g->passed_id));
}

/* Skip the queue up to a job. */
static void pass_over(struct libra_guard *g, double submit_s, uint64_t id,
		      double now_s)
{
	g->passed_s = submit_s;
	g->passed_id = id;
	g->until_s = now_s + PASS_S;
	g->tried_id = 0;
}

bool libra_guard_failed(struct libra_guard *g, double submit_s, uint64_t id,
			double now_s)
{
	if (g->tried_id != id) {
		g->tried_id = id;
		return false;
	}
	pass_over(g, submit_s, id, now_s);
	if (g->given_up == 0)
		g->asked_s = 0; /* look for the next one at once */
	return true;
}

void libra_guard_reserved(struct libra_guard *g)
{
	g->tried_id = 0;
	g->asked_s = 0; /* look for the next one at once after it */
}

void libra_guard_gave_up(struct libra_guard *g, double submit_s, uint64_t id,
			 double now_s)
{
	pass_over(g, submit_s, id, now_s);
	g->given_up++;
	g->asked_s = now_s;
}
