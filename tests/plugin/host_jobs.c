/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_jobs.c - lives of jobs: suspended ones, arrays over a restart, jobs in
 * turn, released promises, and what is learnt from jobs.  Speaks TAP.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/lives.h"

/* What the record of a running job tells of its first part, now. */
static double left_s(uint32_t id, double *rate)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part = {0};
	struct libra_promise p;

	libra_host_flush_records(host);
	if (libra_admin_comment_parse(records[id], &p) < 0 ||
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
	libra_host_suspended(host, 1, true);
	now_s += 500;
	ok(tells(1, 60, 0), "suspended it makes none");
	ok(!submit(2, 8, 450, 460, NULL), "what it has left stays promised");
	ok(tells(1, 60, 0), "a decision changes nothing in that");
	start_host("libra_policy=libra");
	started(1, true);
	now_s += 100;
	ok(tells(1, 60, 0), "nor does a restart");
	libra_host_suspended(host, 1, false);
	now_s += 10;
	ok(tells(1, 50, 1), "resumed it goes on");
	libra_host_ended(host, 1);
}

/* In turn: who waits behind a suspended job goes on, and gives way again. */
static void suspended_turns(void)
{
	ok(start_host("libra_policy=band") == 0, "a machine with band");
	ok(submit(1, 8, 100, 1000, NULL) && look(1, 0), "a job starts");
	started(1, false);
	ok(submit(2, 8, 100, 2000, NULL) && !look(2, 0), "another one waits");
	now_s += 40;
	libra_host_suspended(host, 1, true);
	ok(look(2, 0), "the first is suspended: it is the other one's turn");
	started(2, false);
	now_s += 30;
	ok(tells(1, 60, 0) && tells(2, 70, 1), "which makes progress");
	start_host("libra_policy=band");
	started(1, true);
	started(2, false);
	submit(3, 8, 10, 20000,
	       NULL); /* after the first call turns are known */
	ok(tells(1, 60, 0) && tells(2, 70, 1), "so it is after a restart");
	libra_host_suspended(host, 1, false);
	now_s += 10;
	ok(tells(1, 50, 1) && tells(2, 70, 0), "resumed it goes first again");
	libra_host_ended(host, 1);
	libra_host_ended(host, 2);
}

/* The processors of the last n tasks of a record. */
static const char *last_processors(uint32_t id, int n)
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
	libra_host_counts(host, &counts);
	ok(counts.running == 1 && counts.committed == 4, "the others wait");
	snprintf(before, sizeof(before), "%s", last_processors(3, 4));
	ok(strchr(before, ';') != NULL, "its record names their processors");

	start_host("libra_policy=libra,libra_offer_ttl=60");
	known(3, 4);
	started(4, false);
	libra_host_counts(host, &counts);
	ok(counts.running == 1 && counts.committed == 4,
	   "all are entered again");
	ok(strcmp(before, last_processors(3, 4)) == 0, "where they were");
	ok(look(3, 4), "and may start");

	/* One task is cancelled. */
	ok(look(3, 3), "the others still may");
	now_s += 61;
	look(3, 3);
	libra_host_counts(host, &counts);
	ok(counts.committed == 3, "a cancelled one releases its in the end");
	ok(!submit(5, 8, 700, 1000, NULL) && submit(5, 8, 500, 1000, NULL),
	   "no more and no less than that");
}

/* Slurm takes a task out of an array, with a copy of its record. */
static void take_out(uint32_t array, uint32_t id)
{
	free(records[id]);
	records[id] = strdup(records[array]);
	taken_out[id] = true;
}

/* What was released is not restored by a restart. */
static void released_promises(void)
{
	now_s += 5000;
	ok(start_host(with_ttl) == 0, "an empty machine");
	ok(submit(9, 8, 600, 1000, NULL), "an offer");
	ok(strcmp(last_processors(9, 1), "") == 0, "names no processors");
	now_s += 61; /* it expires */
	ok(submit(10, 8, 600, 1000, NULL) && look(10, 0), "another has them");
	ok(strcmp(last_processors(10, 1), "") != 0,
	   "its record names processors");
	start_host(with_ttl);
	known(9, 0);
	known(10, 0);
	ok(committed() == 1, "a restart knows one promise");
	ok(place(9, 0) == LIBRA_PLACE_LOST && look(10, 0), "of the other");

	states[10] = LIBRA_JOB_BLOCKED;
	ok(!submit(11, 8, 600, 1000, NULL), "one that is held keeps it");
	now_s += 61;
	ok(submit(11, 8, 600, 1000, NULL) && look(11, 0), "for some time");
	configure(with_ttl);
	known(10, 0);
	ok(committed() == 1, "a reconfigure gives it nothing");
	states[10] = LIBRA_JOB_PENDING;
	known(10, 0);
	ok(committed() == 1, "nor when it may start");
	states[10] = LIBRA_JOB_BLOCKED;
	start_host(with_ttl);
	known(10, 0);
	known(11, 0);
	ok(committed() == 1 && look(11, 0), "nor does a restart");
	states[10] = LIBRA_JOB_PENDING;
	ok(place(10, 0) == LIBRA_PLACE_LOST, "it asks, and there is no room");
}

/* Nobody has looked at a job that was held since it was released. */
static void released_records(void)
{
	now_s += 5000;
	start_host(with_ttl);
	ok(submit(16, 8, 600, 1000, NULL) && look(16, 0), "a job is promised");
	states[16] = LIBRA_JOB_BLOCKED;
	look(17, 0);
	ok(!submit(17, 8, 600, 1000, NULL), "and held");
	now_s += 61;
	ok(submit(17, 8, 600, 1000, NULL) && look(17, 0),
	   "it releases it to another");
	libra_host_flush_records(host);
	ok(strcmp(last_processors(16, 1), "") == 0,
	   "its record names no processors");
	states[16] = LIBRA_JOB_PENDING;
	start_host(with_ttl);
	known(16, 0);
	known(17, 0);
	ok(committed() == 1 && look(17, 0), "a restart gives it none");
	libra_host_ended(host, 17);

	now_s += 5000;
	start_host(with_ttl);
	ok(submit(18, 8, 600, 1000, NULL) && look(18, 0),
	   "another is promised");
	states[18] = LIBRA_JOB_BLOCKED;
	start_host(with_ttl);
	known(18, 0);
	ok(committed() == 0 && submit(19, 8, 600, 1000, NULL) && look(19, 0),
	   "held, a restart gives it to others");
	states[18] = LIBRA_JOB_PENDING;
	start_host(with_ttl);
	known(18, 0);
	known(19, 0);
	ok(committed() == 1 && look(19, 0), "and the next one not back");

	now_s += 5000;
	start_host(with_ttl);
	ok(submit(20, 8, 600, 1000, NULL) && look(20, 0), "one is promised");
	states[20] = LIBRA_JOB_BLOCKED;
	submit(21, 8, 1100, 1000, NULL);
	now_s += 61;
	submit(21, 8, 1100, 1000, NULL);
	states[20] = LIBRA_JOB_PENDING;
	now_s += 1;
	ok(look(20, 0), "held and released before that was written");
	libra_host_flush_records(host);
	ok(strcmp(last_processors(20, 1), "") != 0,
	   "its record names processors");
}

static void tasks_taken_out(void)
{
	now_s += 5000;
	start_host(with_ttl);
	ok(submit(12, 2, 600, 1000, "1-4") && look(12, 4), "an array of four");
	take_out(12, 13); /* as by scontrol hold */
	start_host(with_ttl);
	known(12, 3);
	known(13, 0);
	ok(committed() == 3, "one taken out has not what the others have");
	ok(look(13, 0) && committed() == 4, "it asks");
	start_host(with_ttl);
	known(12, 3);
	known(13, 0);
	ok(committed() == 4, "and then has its own");

	ok(look(12, 2) && look(12, 3), "one task too few, for a moment");
	now_s += 61;
	ok(look(12, 2) && committed() == 4, "is no reason to release it later");

	/* The others are cancelled; the last one has the array's id. */
	started(12, false);
	states[12] = LIBRA_JOB_ALIVE;
	now_s += 2;
	ok(!submit(14, 8, 900, 1000, NULL) && committed() == 3, "one runs");
	now_s += 61;
	look(13, 0);
	ok(committed() == 1, "the others' promises come back");
	start_host(with_ttl);
	known(13, 0);
	ok(submit(15, 2, 600, 1000, "1-2") && look(15, 2), "an array of two");
	take_out(15, 14);
	started(14, false);
	start_host(with_ttl);
	started(14, false);
	known(15, 0);
	ok(committed() == 1 && look(15, 0), "its last task has its promise");
}

static void partitions(void)
{
	now_s += 5000;
	start_host(with_ttl);
	partition = "side";
	ok(submit(16, 8, 600, 1000, NULL) && look(16, 0), "a partition's job");
	partition = NULL;
	configure(
		"libra_policy=libra,libra_offer_ttl=60,libra_partitions=main");
	known(16, 0);
	ok(place(16, 0) == LIBRA_PLACE_STOCK && committed() == 0,
	   "the partition given up, it is Slurm's");
	start_host("libra_policy=libra,libra_partitions=main");
	known(16, 0);
	started(16, false);
	ok(submit(17, 8, 600, 1000, NULL), "after a restart, too");
}

static void nodes(void)
{
	now_s += 5000;
	start_host(with_ttl);
	ok(submit(18, 2, 600, 1000, NULL) && look(18, 0), "a job is looked at");
	asked = 0;
	for (int i = 0; i < 100; i++)
		look(18, 0);
	ok(asked == 0, "a hundred times: nodes are left alone");
	for (int i = 0; i < NODES; i++)
		node_states[i] = LIBRA_NODE_DRAIN;
	ok(!submit(19, 1, 1, 1000, NULL), "a submission is told of drains");
	ok(!look(18, 0), "and so is who waits");
	for (int i = 0; i < NODES; i++)
		node_states[i] = LIBRA_NODE_UP;
	stamp++;
	ok(look(18, 0), "a change is followed at once");
	node_states[0] = node_states[1] = LIBRA_NODE_DOWN;
	node_states[2] = node_states[3] = LIBRA_NODE_DOWN;
	now_s += 1;
	ok(!look(18, 0), "and one untold within a second");
	memset(node_states, 0, sizeof(node_states));
}

/* How many runs are on file. */
static int learnt(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "user ", 5) == 0)
			for (const char *s = line + 5; *s; s++)
				n += *s == ' ';
	if (f)
		fclose(f);
	return n;
}

static void run(uint32_t id)
{
	ok(submit(id, 1, 1000, 9000, NULL) && look(id, 0), "a job runs");
	started(id, false);
	now_s += 100;
	libra_host_ended(host, id);
}

static void learning(void)
{
	static const char params[] = "libra_policy=libra,libra_correct=0.5";
	char top[] = "/tmp/host_jobs.XXXXXX", below[64], path[96], bad[128];
	FILE *f;

	ok(mkdtemp(top) != NULL, "a folder");
	snprintf(below, sizeof(below), "%s/state", top);
	snprintf(path, sizeof(path), "%s/libra_history", below);
	snprintf(bad, sizeof(bad), "%s.bad", path);
	folder = below;
	now_s += 5000;
	start_host(params);
	run(20);
	look(20, 0); /* it is written, but there is no folder */
	ok(mkdir(below, 0700) == 0 && learnt(path) == 0, "and is not written");
	now_s += 50;
	look(20, 0);
	ok(learnt(path) == 0, "nor at once");
	now_s += 50;
	look(20, 0);
	ok(learnt(path) == 1, "but in a minute");
	libra_host_fini(host);

	f = fopen(path, "w");
	ok(f && fputs("damaged\n", f) > 0 && fclose(f) == 0, "damage");
	start_host(params);
	run(21);
	libra_host_fini(host);
	ok(learnt(path) == 1 && access(bad, F_OK) == 0, "is put aside");
	unlink(path);
	ok(mkfifo(path, 0600) == 0, "a pipe in its place");
	start_host(params);
	run(22);
	libra_host_fini(host);
	ok(learnt(path) == 1, "stops nothing");
	unlink(path);
	unlink(bad);
	rmdir(below);
	rmdir(top);
	folder = NULL;
}

static void turns(void)
{
	now_s += 5000;
	ok(start_host("libra_policy=band") == 0, "a machine with band");
	ok(submit(6, 8, 100, 1000, NULL) && look(6, 0), "a job has its turn");
	started(6, false);
	woken = 0;
	ok(submit(7, 8, 100, 2000, NULL) && !look(7, 0), "a later one waits");
	ok(woken == 0, "and nobody is woken for it");
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
	libra_host_ended(host, 8);
	ok(tells(6, 100, 1), "until the other ends");
	ok(!look(7, 0), "the later one waits on");
	woken = 0;
	libra_host_ended(host, 6);
	ok(woken == 1, "the scheduler is woken when its turn comes");
	ok(look(7, 0), "and has its turn");
	ok(woken == 1, "once");
}

/* Slurm cannot start it there, for a reason that we do not know. */
static void overdue(void)
{
	struct libra_host_counts counts;

	start_host("libra_policy=librarisk,libra_offer_ttl=60");
	ok(submit(11, 1, 100, 200, NULL) && look(11, 0), "a job is to start");
	now_s += 201;
	ok(look(11, 0), "after its deadline, too");
	now_s += 61;
	ok(!look(11, 0) && strstr(records[11], "lost"),
	   "not started, it releases it and may go elsewhere");
	now_s += 1;
	libra_host_counts(host, &counts);
	ok(!look(11, 0) && counts.committed == 0, "and comes not again");
}

static int open_files(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* slurmctld calls init() of the host at each reconfigure, too. */
static void reconfigured(void)
{
	char path[] = "/tmp/host_jobs.XXXXXX", params[96];
	int before, fd = mkstemp(path);

	snprintf(params, sizeof(params), "libra_policy=libra,libra_log=%s",
		 path);
	start_host(params);
	ok(fd >= 0 && submit(23, 1, 10, 1000, NULL) && look(23, 0),
	   "a job with a decision log");
	before = open_files();
	for (int i = 0; i < 3; i++) {
		libra_host_init(host, &ops);
		configure(params);
	}
	ok(open_files() == before, "reconfigured, it is one open file");
	ok(committed() == 1, "and the job has its promise");
	libra_host_fini(host);
	close(fd);
	unlink(path);
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 99;
	libra_host_init(host, &ops);
	suspended_jobs();
	suspended_turns();
	arrays();
	released_promises();
	released_records();
	tasks_taken_out();
	partitions();
	nodes();
	learning();
	turns();
	overdue();
	reconfigured();
	return finish_lives();
}
