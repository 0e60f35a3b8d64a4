/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.c - see messages.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/host/messages.h"

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

void host_reply_fini(struct libra_host_reply *reply)
{
	free(reply->text);
	free(reply->record.comment);
	reply->text = NULL;
	reply->record.comment = NULL;
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
		 enum libra_reason reason, bool in_turn, double now_s)
{
	char asked[32], need[64] = "";

	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = reason;
	clock_text(job->deadline_s, asked);
	if (!in_turn)
		snprintf(need, sizeof(need), " need%s a share of %.2f each",
			 job->nprocs == 1 ? "s" : "",
			 job->estimate_s / (job->deadline_s - now_s));
	host_reply_text(reply,
			"libra: refused (%s): %u processor%s for %.0f s by "
			"%s%s",
			libra_reason_name(reason), job->nprocs,
			job->nprocs == 1 ? "" : "s", job->estimate_s, asked,
			need);
}

void host_reply_size(struct libra_host_reply *reply, uint32_t nprocs)
{
	host_reply_text(reply, "libra: there are %u processors", nprocs);
}

void host_reply_earliest(struct libra_host_reply *reply, double earliest_s)
{
	char best[32];

	if (!isfinite(earliest_s)) {
		host_reply_text(reply,
				"libra: no deadline would be accepted now");
		return;
	}
	clock_text(earliest_s, best);
	host_reply_text(reply, "libra: earliest deadline now: %s", best);
	/* A minute to read this and to submit again. */
	clock_text(earliest_s + 60.0, best);
	host_reply_text(reply, "libra: try --deadline=%s", best);
}

void host_accept(struct libra_host_reply *reply, const struct libra_job *job,
		 const struct libra_verdict *verdict, bool in_turn,
		 uint32_t tasks)
{
	char by[32], each[32] = "", what[96];
	const char *s = job->nprocs == 1 ? "" : "s";

	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->record.in_turn = in_turn;
	reply->record.share = in_turn ? 1 : verdict->share;
	if (tasks > 1)
		snprintf(each, sizeof(each), "%u tasks, each ", tasks);
	/* Rates are handed out so that a job ends at its deadline; over-booked
	 * processors (share above 1) can do no better than the estimate.
	 */
	clock_text(fmax(job->deadline_s, job->submit_s + job->estimate_s), by);
	if (in_turn)
		snprintf(what, sizeof(what),
			 "%u processor%s, in turn by deadline", job->nprocs, s);
	else
		snprintf(what, sizeof(what), "share %.2f of %u processor%s",
			 verdict->share, job->nprocs, s);
	host_reply_text(
		reply, "libra: accepted: %s%s, finish expected by %s%s", each,
		what, by,
		job->submit_s + job->estimate_s > job->deadline_s
			? "\nlibra: that is after the deadline: the job meets "
			  "it only if it takes less than its estimate"
			: "");
}
