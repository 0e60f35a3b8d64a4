/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_jobs.c - lives of jobs as slurmctld tells them, on a clock of our own:
 * suspended ones, arrays over a restart, jobs in turn.
 *
 * Four nodes of two processors; without Slurm.  Speaks TAP.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/host/host.h"
#include "plugin/host/promise.h"

enum { NODES = 4, PROCS = 2, JOBS = 32 };

static double now_s = 1e9;
static int cases, failures;
static char *records[JOBS]; /* admin_comment by job id */

static void ok(int good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++cases, name);
	failures += !good;
}

static void log_line(enum libra_host_level level, const char *text)
{
	if (level == LIBRA_HOST_ERROR)
		printf("# %s\n", text);
}

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.now_s = clock_s,
	.keep = keep,
};

/* slurmctld starts: what it knew is in the records alone. */
static int start_host(const char *params)
{
	static const char *const names[NODES] = {"a", "b", "c", "d"};
	static const uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};
	static const uint8_t all[NODES] = {1, 1, 1, 1};
	struct libra_host_partition part = {
		.name = "main", .max_minutes = UINT32_MAX, .nodes = all};
	struct libra_host_site site = {
		.sched_params = params,
		.default_partition = "main",
		.nnodes = NODES,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 1,
		.partitions = &part,
		.cpus_per_proc = 1,
	};

	libra_host_fini();
	libra_host_init(&ops);
	return libra_host_site(&site);
}

static struct libra_host_job job(uint32_t id, uint32_t waiting)
{
	return (struct libra_host_job){
		.job_id = id, .comment = records[id], .waiting = waiting};
}

static bool submit(uint32_t id, uint32_t ncpus, double estimate_s,
		   double until_s, const char *array)
{
	struct libra_host_request r = {
		.estimate_s = estimate_s,
		.deadline_s = now_s + until_s,
		.ncpus = ncpus,
		.cpus_per_task = 1,
		.array = array,
	};
	struct libra_host_reply reply;
	bool accepted;

	if (libra_host_submit(&r, &reply) < 0)
		return false;
	accepted = reply.answer == LIBRA_HOST_ACCEPTED;
	if (accepted)
		keep(id, &reply.record);
	libra_host_reply_fini(&reply);
	return accepted;
}

static void take(uint32_t id, struct libra_host_placement *p)
{
	if (p->record.comment)
		keep(id, &p->record);
	free(p->record.comment);
	p->record.comment = NULL;
}

/* The scheduler looks at a job.  Result: may it start? */
static bool look(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);
	enum libra_host_place where = libra_host_place(&seen, &p);

	take(id, &p);
	free(p.parts);
	return where == LIBRA_PLACE_HERE;
}

static void started(uint32_t id, bool suspended)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, 0);

	seen.suspended = suspended;
	libra_host_started(&seen, &p);
	take(id, &p);
	free(p.parts);
}

static void known(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);

	libra_host_known(&seen, &p);
	take(id, &p);
	free(p.parts);
}

/* What the record of a running job tells of its first part, now. */
static double left_s(uint32_t id, double *rate)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part = {0};
	struct libra_promise p;

	libra_host_write_news();
	if (libra_promise_parse(records[id], &p) < 0 ||
	    !libra_promise_part(&p, &at, &part))
		return NAN;
	*rate = part.rate;
	return part.left_s - part.rate * (now_s - part.since_s);
}

/* Does its record tell so?  It is written at a bounded cost, and may be late.
 */
static bool tells(uint32_t id, double left, double rate)
{
	const struct timespec pause = {0, 1000000};
	double got_s, got = NAN;

	for (int i = 0; i < 5000; i++) {
		got_s = left_s(id, &got);
		if (fabs(got_s - left) < 1e-3 && got == rate)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void suspended_jobs(void)
{
	ok(start_host("libra_policy=libra") == 0, "a machine with libra");
	ok(submit(1, 8, 100, 1000, NULL) && look(1, 0), "a job starts");
	started(1, false);
	now_s += 40; /* alone it has whole processors */
	ok(tells(1, 60, 1), "it makes progress");
	libra_host_suspended(1, true);
	now_s += 500;
	ok(tells(1, 60, 0), "suspended it makes none");
	ok(!submit(2, 8, 450, 460, NULL), "what it has left stays promised");
	ok(tells(1, 60, 0), "a decision changes nothing in that");
	start_host("libra_policy=libra");
	started(1, true);
	now_s += 100;
	ok(tells(1, 60, 0), "nor does a restart");
	libra_host_suspended(1, false);
	now_s += 10;
	ok(tells(1, 50, 1), "resumed it goes on");
	libra_host_ended(1);
}

/* The places of the last n tasks of a record. */
static const char *last_places(uint32_t id, int n)
{
	const char *on = strstr(records[id], " on=");
	const char *at = on ? on + strlen(on) : "";

	while (on && n > 0 && at > on + 4)
		if (*--at == ';' && --n == 0)
			return at + 1;
	return on ? on + 4 : "";
}

static void arrays(void)
{
	struct libra_host_counts counts;
	char before[256];

	now_s += 1000;
	ok(start_host("libra_policy=libra,libra_offer_ttl=60") == 0,
	   "a machine again");
	ok(submit(3, 8, 100, 1000, "1-5"), "an array of five");
	ok(look(3, 5), "its first task may start");
	/* Slurm makes a job of its own of the task that starts. */
	free(records[4]);
	records[4] = strdup(records[3]);
	started(4, false);
	libra_host_counts(&counts);
	ok(counts.running == 1 && counts.committed == 4, "the others wait");
	snprintf(before, sizeof(before), "%s", last_places(3, 4));
	ok(strchr(before, ';') != NULL, "its record tells their places");

	start_host("libra_policy=libra,libra_offer_ttl=60");
	known(3, 4);
	started(4, false);
	libra_host_counts(&counts);
	ok(counts.running == 1 && counts.committed == 4,
	   "all are entered again");
	ok(strcmp(before, last_places(3, 4)) == 0, "where they were");
	ok(look(3, 4), "and may start");

	/* One task is cancelled. */
	ok(look(3, 3), "the others still may");
	now_s += 61;
	look(3, 3);
	libra_host_counts(&counts);
	ok(counts.committed == 3, "a cancelled one gives back in the end");
	ok(!submit(5, 8, 700, 1000, NULL) && submit(5, 8, 500, 1000, NULL),
	   "no more and no less than that");
}

static void turns(void)
{
	now_s += 5000;
	ok(start_host("libra_policy=band") == 0, "a machine with band");
	ok(submit(6, 8, 100, 1000, NULL) && look(6, 0), "a job has its turn");
	started(6, false);
	ok(submit(7, 8, 100, 2000, NULL) && !look(7, 0), "a later one waits");
	ok(submit(8, 2, 50, 200, NULL) && look(8, 0),
	   "an earlier one does not");
	started(8, false);
	ok(tells(6, 100, 0), "the first is held");
	now_s += 30;
	ok(tells(6, 100, 0) && tells(8, 20, 1),
	   "while the other makes progress");

	start_host("libra_policy=band");
	known(7, 0);
	started(6, false);
	started(8, false);
	ok(!look(7, 0), "after a restart the later one waits");
	ok(tells(6, 100, 0), "the first is held");
	libra_host_ended(8);
	ok(tells(6, 100, 1), "until the other ends");
	ok(!look(7, 0), "the later one waits on");
	libra_host_ended(6);
	ok(look(7, 0), "and has its turn");
}

int main(void)
{
	libra_host_init(&ops);
	suspended_jobs();
	arrays();
	turns();
	libra_host_fini();
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	printf("1..%d\n", cases);
	return failures != 0;
}
