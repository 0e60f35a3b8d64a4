/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_clock.c - a clock that is set is no time that passes.
 *
 * Two hosts with the same jobs, by shares or in turn: the clock of the second
 * is set forward and back, as often as the first one looks at its own.  What
 * both answer afterwards is the same.  Without Slurm.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/machine.h"

enum { JOBS = 8 };

/* One host and its Slurm. */
struct side {
	struct libra_host *host;
	double steady_s, ahead_s; /* the clock is so far ahead */
	char *records[JOBS];
	unsigned lines; /* of slurmctld's log, about a clock */
	char last[256];
};

static struct side *side;

static void log_line(enum libra_host_level level, const char *text)
{
	if (!strstr(text, "clock"))
		return;
	side->lines++;
	snprintf(side->last, sizeof(side->last), "%s", text);
}

static double clock_s(void)
{
	return side->steady_s + side->ahead_s;
}

static double steady_s(void)
{
	return side->steady_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(side->records[id]);
	side->records[id] = strdup(record->comment);
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.now_s = clock_s,
	.steady_s = steady_s,
	.write_record = keep,
};

static int begin(struct side *s, const char *policy)
{
	char params[64];

	*s = (struct side){.host = libra_host_create(), .ahead_s = 1e9};
	side = s;
	if (!s->host)
		return -1;
	libra_host_init(s->host, &ops);
	snprintf(params, sizeof(params), "libra_policy=%s", policy);
	return machine_set(s->host, params, 1, 1);
}

static void end(struct side *s)
{
	libra_host_destroy(s->host);
	for (int i = 0; i < JOBS; i++)
		free(s->records[i]);
}

static enum libra_host_answer submit(struct side *s, uint32_t id,
				     double estimate_s, double deadline_s)
{
	struct libra_host_request r = {.times.estimate_s = estimate_s,
				       .size.ncpus = 1,
				       .size.cpus_per_task = 1};
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	side = s;
	r.times.deadline_s = clock_s() + deadline_s;
	if (libra_host_submit(s->host, &r, &reply) < 0)
		return 0;
	answer = reply.answer;
	if (answer == LIBRA_HOST_ACCEPTED)
		keep(id, &reply.record);
	libra_host_reply_fini(&reply);
	return answer;
}

static enum libra_host_place place(struct side *s, uint32_t id)
{
	struct libra_host_job job = {.job_id = id, .comment = s->records[id]};
	struct libra_host_placement p = {0};
	enum libra_host_place where;

	side = s;
	where = libra_host_place(s->host, &job, &p);
	if (where == LIBRA_PLACE_HERE) {
		if (p.record.comment)
			keep(id, &p.record);
		free(p.record.comment);
		job.comment = s->records[id];
		libra_host_started(s->host, &job, &p);
	}
	if (p.record.comment)
		keep(id, &p.record);
	free(p.record.comment);
	free(p.parts);
	return where;
}

/* Records are written at a bounded cost: not too soon after the last time, and
 * not all where one took long.
 */
static void look(struct side *s)
{
	const struct timespec pause = {0, 1000000};

	side = s;
	libra_host_look(s->host);
	while (libra_host_flush_records(s->host))
		nanosleep(&pause, NULL);
}

/* What a job's record tells that it has left, as of now. */
static double left_s(struct side *s, uint32_t id)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part = {0};
	struct libra_promise p;

	side = s;
	if (libra_admin_comment_parse(s->records[id], &p) < 0 ||
	    !libra_promise_part(&p, &at, &part))
		return NAN;
	return part.left_s - part.rate * (clock_s() - part.since_s);
}

/* Job 1 of 100 s by 400; at 10 the clock jumps by an hour, at 11 it is put
 * right: 89 s are left, of the 389 until its deadline.
 */
static void by_shares(void)
{
	struct side s;
	unsigned before;

	ok(begin(&s, "libra") == 0 &&
		   submit(&s, 1, 100, 400) == LIBRA_HOST_ACCEPTED &&
		   place(&s, 1) == LIBRA_PLACE_HERE,
	   "a job runs");
	s.steady_s += 10;
	look(&s);
	s.ahead_s += 3600;
	look(&s);
	ok(s.lines == 1 && strstr(s.last, "set forward by 1 h"),
	   "an hour forward is told");
	ok(fabs(left_s(&s, 1) - 90) < 1e-3, "its record tells no progress");
	s.steady_s += 1;
	look(&s);
	before = s.lines;
	s.ahead_s -= 3600;
	look(&s);
	ok(s.lines == before + 1 && strstr(s.last, "set back by 1 h"),
	   "back is told, too");
	ok(fabs(left_s(&s, 1) - 89) < 1e-3, "and is none, either");
	s.ahead_s -= 4;
	look(&s);
	s.ahead_s += 4;
	look(&s);
	ok(s.lines == before + 1, "a step of four seconds is not told");
	ok(submit(&s, 2, 301, 389) == LIBRA_HOST_REFUSED,
	   "what is not free is refused");
	ok(submit(&s, 2, 299, 389) == LIBRA_HOST_ACCEPTED,
	   "what is free is promised");
	end(&s);
}

/* How long until the planned start that a job's record tells. */
static double starts_in_s(struct side *s, uint32_t id)
{
	struct libra_promise p;

	side = s;
	return libra_admin_comment_parse(s->records[id], &p) < 0
		       ? NAN
		       : libra_promise_start(&p, 0) - clock_s();
}

/* Job 1 of 120 s runs, and job 2 waits for it and the margin of 60 s: 10 s
 * later for 170 s, whatever the clock says.
 */
static void by_plans(void)
{
	struct side s;

	ok(begin(&s, "planned") == 0 &&
		   submit(&s, 1, 120, 9000) == LIBRA_HOST_ACCEPTED &&
		   place(&s, 1) == LIBRA_PLACE_HERE &&
		   submit(&s, 2, 60, 9000) == LIBRA_HOST_ACCEPTED &&
		   place(&s, 2) == LIBRA_PLACE_WAIT &&
		   fabs(starts_in_s(&s, 2) - 180) < 1,
	   "planned: a job runs, and one waits for it");
	s.steady_s += 10;
	s.ahead_s -= 3600;
	look(&s);
	ok(s.lines == 1 && strstr(s.last, "set back by 1 h") &&
		   strstr(s.last, "plans are made anew"),
	   "planned: an hour back is told");
	ok(fabs(starts_in_s(&s, 2) - 170) < 1,
	   "planned: the plan comes back with it");
	s.steady_s += 10;
	s.ahead_s += 3600;
	look(&s);
	ok(s.lines == 2 && strstr(s.last, "set forward by 1 h"),
	   "planned: it is put right");
	ok(fabs(starts_in_s(&s, 2) - 160) < 1, "planned: and so is the plan");
	end(&s);
}

/* Two jobs live for 42 s, and every 7 s the clock is an hour wrong for a
 * moment. Result: the first deadline, in steps of 10 s, that a third job gets.
 */
static int live(struct side *s, const char *policy, double wrong_s,
		double left[2])
{
	int k = 0;

	begin(s, policy);
	submit(s, 1, 100, 400);
	place(s, 1);
	submit(s, 2, 60, 200);
	place(s, 2);
	look(s);
	for (int i = 0; i < 6; i++) {
		s->steady_s += 7;
		s->ahead_s += wrong_s;
		look(s);
		s->ahead_s -= wrong_s;
		look(s);
	}
	left[0] = left_s(s, 1);
	left[1] = left_s(s, 2);
	left[1] = left_s(s, 2);
	while (k < 29 && submit(s, 3, 300 - 10 * k, 300) != LIBRA_HOST_ACCEPTED)
		k++;
	printf("# %s: %.3f and %.3f s left, %d s would fit\n", policy, left[0],
	       left[1], 300 - 10 * k);
	end(s);
	return k;
}

/* A jump is an event: shares are found anew, as when a job begins, so that one
 * job may be further and the other less far than without.
 */
static bool same(const double a[2], const double b[2], int first, int other)
{
	return fabs(a[0] + a[1] - b[0] - b[1]) < 1e-3 &&
	       fabs(a[0] - b[0]) < 1 && abs(first - other) <= 1;
}

static void alike(const char *policy)
{
	double steady[2], set[2];
	struct side s;
	char name[96];
	int first, k;

	first = live(&s, policy, 0, steady);
	snprintf(name, sizeof(name), "%s: a third job is promised something",
		 policy);
	ok(first > 0 && first < 29, name);
	k = live(&s, policy, 3600, set);
	snprintf(name, sizeof(name),
		 "%s: and nearly the same where the clock was set forward and "
		 "back",
		 policy);
	ok(same(steady, set, first, k), name);
	k = live(&s, policy, -86400, set);
	snprintf(name, sizeof(name), "%s: or back by a day and forward",
		 policy);
	ok(same(steady, set, first, k), name);
}

int main(void)
{
	by_shares();
	by_plans();
	alike("libra");
	alike("band");
	return finish();
}
