/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.c - what the user reads.  See state.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/host/state.h"
#include "plugin/host/units.h"

void host_reply_text(struct libra_host_reply *reply, const char *fmt, ...)
{
	va_list ap;
	char *line = NULL, *both = NULL;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	if (line && reply->text &&
	    asprintf(&both, "%s\n%s", reply->text, line) >= 0) {
		free(reply->text);
		free(line);
		reply->text = both;
	} else if (line && !reply->text) {
		reply->text = line;
	} else {
		free(line);
	}
}

int host_unacceptable(struct libra_host_reply *reply, const char *text)
{
	reply->answer = LIBRA_HOST_UNACCEPTABLE;
	host_reply_text(reply, "libra: %s", text);
	return 0;
}

static void clock_text(double at_s, char text[32])
{
	time_t t = (time_t)ceil(at_s);
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		strcpy(text, "?");
}

void host_refuse(struct libra_host_reply *reply, const struct libra_job *job,
		 enum libra_reason reason, const struct request_size *shape,
		 double now_s)
{
	char asked[32], best[32], need[64] = "";
	double at_s;

	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = reason;
	clock_text(job->deadline_s, asked);
	if (!libra_host_conf_in_turn(&host.conf))
		snprintf(need, sizeof(need), " need%s a share of %.2f each",
			 job->nprocs == 1 ? "s" : "",
			 job->estimate_s / (job->deadline_s - now_s));
	host_reply_text(reply,
			"libra: refused (%s): %u processor%s for %.0f s by "
			"%s%s",
			libra_reason_name(reason), job->nprocs,
			job->nprocs == 1 ? "" : "s", job->estimate_s, asked,
			need);
	if (reason == LIBRA_REASON_TOO_LARGE) {
		host_reply_text(reply, "libra: there are %u processors",
				host_cluster_nprocs(&host.cluster));
		return;
	}
	at_s = host_earliest(job, shape, now_s);
	if (!isfinite(at_s)) {
		host_reply_text(reply, "libra: no deadline would do now");
		return;
	}
	/* A minute to read this and to submit again. */
	clock_text(at_s, best);
	host_reply_text(reply, "libra: earliest deadline now: %s", best);
	clock_text(at_s + 60.0, best);
	host_reply_text(reply, "libra: try --deadline=%s", best);
}

/* The time limit a promised job gets: none before its deadline and grace. */
uint32_t host_limit_minutes(const struct libra_job *job,
			    const struct host_partition *part, double now_s)
{
	uint32_t minutes = UINT32_MAX; /* INFINITE */

	if (isfinite(host.conf.grace_s) && isfinite(job->deadline_s))
		minutes = libra_host_minutes(job->deadline_s - now_s +
					     host.conf.grace_s);
	if (part && part->max_minutes < minutes)
		minutes = part->max_minutes;
	return minutes;
}

void host_accept(struct libra_host_reply *reply, const struct libra_job *job,
		 const struct libra_verdict *verdict, uint32_t tasks)
{
	char by[32], each[32] = "", what[96];
	const char *s = job->nprocs == 1 ? "" : "s";

	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->record.in_turn = libra_host_conf_in_turn(&host.conf);
	reply->record.share =
		libra_host_conf_in_turn(&host.conf) ? 1 : verdict->share;
	if (tasks > 1)
		snprintf(each, sizeof(each), "%u tasks, each ", tasks);
	/* Rates are handed out so that a job ends at its deadline; over-booked
	 * processors (share above 1) can do no better than the estimate.
	 */
	clock_text(fmax(job->deadline_s, job->submit_s + job->estimate_s), by);
	if (libra_host_conf_in_turn(&host.conf))
		snprintf(what, sizeof(what),
			 "%u processor%s, in turn by deadline", job->nprocs, s);
	else
		snprintf(what, sizeof(what), "share %.2f of %u processor%s",
			 verdict->share, job->nprocs, s);
	host_reply_text(reply, "libra: accepted: %s%s, finish expected by %s%s",
			each, what, by,
			job->submit_s + job->estimate_s > job->deadline_s
				? "\nlibra: that is after the deadline: it is "
				  "met only if the job is shorter than its "
				  "estimate"
				: "");
}
