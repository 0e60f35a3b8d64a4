/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - see clock.h. */
#include <math.h>

#include "plugin/base/units.h"
#include "plugin/base/ops.h"
#include "plugin/engine/away.h"
#include "plugin/host/actions.h"
#include "plugin/host/clock.h"

/* Smaller steps are ignored until their sum reaches this: the engine's time is
 * behind or ahead by less.
 */
#define STEP_S 5.0

/* Return how far the wall clock is ahead of the steady clock. */
static double read_ahead(const struct host_state *h, double *now_s)
{
	double steady_s = host_steady_s(h->ops);

	*now_s = host_clock_s(h->ops);
	return *now_s - steady_s;
}

static void shift_instant(double *instant_s, double by_s)
{
	if (*instant_s != 0)
		*instant_s += by_s;
}

/* Move the instants of all jobs, which are of the former clock. */
static void shift_jobs(struct host_state *h, double by_s)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		shift_instant(&t->since.blocked_s, by_s);
		shift_instant(&t->since.surplus_s, by_s);
		shift_instant(&t->since.overdue_s, by_s);
		shift_instant(&t->since.limited_s, by_s);
		shift_instant(&t->since.barred_s, by_s);
		if (t->state == TRACKED_RUNNING)
			host_jobs_set_stale(&h->jobs, t);
	}
}

static void follow_clock(struct host_state *h, double by_s, double now_s)
{
	const char *way = by_s < 0 ? "back" : "forward";
	const char *anew =
		h->cluster.plans ? "plans are made" : "shares are counted";
	char by[32];

	libra_host_duration_text(fabs(by_s), by);
	if (libra_engine_log_clock(&h->log, now_s - by_s, now_s) == 0)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "the clock was set %s by %s: jobs keep the "
			 "progress that they had made, deadlines stay, and %s "
			 "anew",
			 way, by, anew);
	else
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "the clock was set %s by %s, which policy %s "
			 "cannot follow: restart slurmctld",
			 way, by, h->conf.policy->name);
	if (by_s > 0)
		h->clock_set_s = now_s;
	shift_jobs(h, by_s);
	host_away_shift(&h->cluster, by_s);
	for (uint32_t i = 0; i < HOST_LEFT; i++)
		shift_instant(&h->unclaimed.left[i].since_s, by_s);
	shift_instant(&h->unclaimed.all_left.since_s, by_s);
	host_sync_actions(h, now_s);
}

double host_now(struct host_state *h)
{
	double now_s, ahead_s = read_ahead(h, &now_s), by_s;

	by_s = ahead_s - h->clock_ahead_s;
	/* A pause between the two readings is no step: read again. */
	if (h->log.engine && fabs(by_s) > STEP_S) {
		ahead_s = read_ahead(h, &now_s);
		by_s = ahead_s - h->clock_ahead_s;
	}
	if (!h->log.engine) {
		h->clock_ahead_s = ahead_s;
	} else if (fabs(by_s) > STEP_S) {
		h->clock_ahead_s = ahead_s;
		follow_clock(h, by_s, now_s);
	}
	return now_s;
}
