/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_jobs.c - lives of jobs as slurmctld tells them, on a clock of our own:
 * suspended ones, arrays over a restart, jobs in turn, changed ones, such as
 * get no promise, released promises, and what is learnt from jobs.
 *
 * Four nodes of two processors, in two partitions; without Slurm.  Speaks TAP.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "plugin/host/promise.h"
#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 32 };

static double now_s = 1e9;
static struct libra_host *host;
static char *records[JOBS];			 /* admin_comment by job id */
static enum libra_host_job_state states[JOBS];	 /* 0 = pending */
static bool taken_out[JOBS];			 /* it was a task of an array */
static enum libra_node_state node_states[NODES]; /* 0 = up */
static uint64_t stamp;
static unsigned asked; /* for the state of a node */
static unsigned woken; /* the scheduler */
static const char *folder;
static uint32_t cpus_per_proc = 1;

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

enum { OPERATOR = 1, OWNER, STRANGER };

static enum libra_host_right right(const void *record, uint32_t user)
{
	static const enum libra_host_right rights[] = {
		[OPERATOR] = LIBRA_RIGHT_OPERATOR,
		[OWNER] = LIBRA_RIGHT_OWNER,
		[STRANGER] = LIBRA_RIGHT_NONE,
	};

	return rights[user];
}

/* Slurm's records are just what we see of them. */
static struct libra_host_job view(const void *record)
{
	return *(const struct libra_host_job *)record;
}

static enum libra_host_job_state job_state(uint32_t id)
{
	return states[id] ? states[id] : LIBRA_JOB_PENDING;
}

static enum libra_node_state node_state(uint32_t node)
{
	asked++;
	return node_states[node] ? node_states[node] : LIBRA_NODE_UP;
}

static uint64_t nodes_stamp(void)
{
	return stamp;
}

static bool ended_by_itself(uint32_t id)
{
	return true;
}

static void wake(void)
{
	woken++;
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.view = view,
	.right = right,
	.now_s = clock_s,
	.write_record = keep,
	.job_state = job_state,
	.node_state = node_state,
	.nodes_stamp = nodes_stamp,
	.ended_by_itself = ended_by_itself,
	.wake = wake,
};

/* slurmctld reads its settings. */
static int configure(const char *params)
{
	static const char *const names[NODES] = {"a", "b", "c", "d"};
	static const uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};
	static const uint8_t all[NODES] = {1, 1, 1, 1};
	static const struct libra_host_partition parts[] = {
		{.name = "main", .max_minutes = UINT32_MAX, .nodes = all},
		{.name = "side", .max_minutes = UINT32_MAX, .nodes = all},
	};
	struct libra_host_cluster site = {
		.sched_params = params,
		.default_partition = "main",
		.state_folder = folder,
		.nnodes = NODES,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 2,
		.partitions = parts,
		.cpus_per_proc = cpus_per_proc,
		.max_array = 100,
	};

	return libra_host_set_cluster(host, &site);
}

/* slurmctld starts: what it knew is in the records alone. */
static int start_host(const char *params)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	return configure(params);
}

static struct libra_host_job job(uint32_t id, uint32_t waiting)
{
	return (struct libra_host_job){
		.job_id = id,
		.comment = records[id],
		.waiting = waiting,
		.whole_array = !taken_out[id],
	};
}

static const char *partition; /* of the next submissions */

static bool submit(uint32_t id, uint32_t ncpus, double estimate_s,
		   double until_s, const char *array)
{
	struct libra_host_request r = {
		.partition = partition,
		.estimate_s = estimate_s,
		.deadline_s = now_s + until_s,
		.ncpus = ncpus,
		.cpus_per_task = 1,
		.array = array,
	};
	struct libra_host_reply reply;
	bool accepted;

	if (libra_host_submit(host, &r, &reply) < 0)
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

/* The scheduler looks at a job. */
static enum libra_host_place place(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);
	enum libra_host_place where = libra_host_place(host, &seen, &p);

	take(id, &p);
	free(p.parts);
	return where;
}

/* Result: may it start? */
static bool look(uint32_t id, uint32_t waiting)
{
	return place(id, waiting) == LIBRA_PLACE_HERE;
}

static void started(uint32_t id, bool suspended)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, 0);

	seen.suspended = suspended;
	libra_host_started(host, &seen, &p);
	take(id, &p);
	free(p.parts);
}

static void known(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);

	libra_host_restore(host, &seen, &p);
	take(id, &p);
	free(p.parts);
}

/* What the record of a running job tells of its first part, now. */
static double left_s(uint32_t id, double *rate)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part = {0};
	struct libra_promise p;

	libra_host_flush_records(host);
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

static uint32_t committed(void)
{
	struct libra_host_counts counts;

	libra_host_counts(host, &counts);
	return counts.committed;
}

/* Slurm takes a task out of an array, with a copy of its record. */
static void take_out(uint32_t array, uint32_t id)
{
	free(records[id]);
	records[id] = strdup(records[array]);
	taken_out[id] = true;
}

static const char with_ttl[] = "libra_policy=libra,libra_offer_ttl=60";

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

static const struct libra_host_request same = {.estimate_s = NAN,
					       .deadline_s = NAN};

/* An update.  Result: the answer; the limit and CPUs that Slurm shall count.
 */
static enum libra_host_answer change(struct libra_host_job *job, uint32_t user,
				     struct libra_host_request r,
				     uint32_t *limit, uint32_t *ncpus)
{
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	job->comment = records[job->job_id];
	if (libra_host_modify(host, job, user, &r, &reply) < 0)
		return 0;
	libra_host_flush_records(host);
	answer = reply.answer;
	*limit = reply.minutes;
	*ncpus = reply.ncpus;
	libra_host_reply_fini(&reply);
	return answer;
}

static void changed_runs(void)
{
	struct libra_host_request r = same;
	struct libra_host_job runs;
	uint32_t limit, ncpus;
	char before[1024];

	now_s += 10000;
	start_host("libra_policy=libra,libra_grace=600");
	ok(submit(9, 2, 3600, 7200, NULL) && look(9, 0), "a job starts");
	started(9, false);
	runs = job(9, 0);
	runs.start_s = now_s;
	runs.minutes = 130;
	now_s += 3000;
	r.estimate_s = 4000;
	snprintf(before, sizeof(before), "%s", records[9]);
	ok(change(&runs, STRANGER, r, &limit, &ncpus) == LIBRA_HOST_STOCK &&
		   strcmp(before, records[9]) == 0,
	   "to who may not change it, it is none of ours");
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 130 && strcmp(before, records[9]) != 0,
	   "another estimate leaves its limit");
	/* 67 minutes of work; its limit is shown as 130. */
	r.minutes = 63;
	r.estimate_s = 60 * 63;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "what cannot be counted from the limit is an estimate");
	r.minutes = 125;
	r.estimate_s = 60 * 125;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "-5 minutes from the limit is none");
	r.minutes = 135;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "nor is +5");
	r.deadline_s = runs.start_s + 7200;
	r.minutes = 118;
	r.estimate_s = 60 * 118;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "with a deadline it is meant as it is");
	r = same;
	r.minutes = 66;
	r.estimate_s = 4000;
	r.deadline_s = runs.start_s + 7200;
	change(&runs, OWNER, r, &limit, &ncpus);
	snprintf(before, sizeof(before), "%s", records[9]);
	r = same;
	r.deadline_s = runs.start_s + 9000;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE &&
		   strcmp(before, records[9]) == 0,
	   "its owner gives it no more time than Slurm would let him");
	ok(change(&runs, OPERATOR, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 160,
	   "an operator does, reckoned from its start");
	runs.minutes = 160;
	r.deadline_s = runs.start_s + 8400;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 150,
	   "less time is the owner's to give");
	runs.minutes = 100;
	r.deadline_s = runs.start_s + 9000;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 100,
	   "a shorter limit of its own stays");
	r = same;
	r.max_nodes = 1;
	r.resized = true;
	ok(change(&runs, OPERATOR, r, &limit, &ncpus) == LIBRA_HOST_REFUSED,
	   "it keeps its size");
	libra_host_ended(host, 9);
}

static uint32_t promised(uint32_t id)
{
	struct libra_promise p;

	return libra_promise_parse(records[id], &p) == 0 ? p.nprocs : 0;
}

static void changed_sizes(void)
{
	struct libra_host_request r = same;
	struct libra_host_job waits;
	uint32_t limit, ncpus;

	ok(submit(10, 2, 100, 1000, NULL) && look(10, 0), "a job waits");
	waits = job(10, 0);
	waits.ncpus = waits.ntasks = 2;
	waits.cpus_per_task = 1;
	r.resized = true;
	r.cpus_per_task = 2;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   ncpus == 4 && promised(10) == 4,
	   "its tasks get more CPUs");
	waits.ncpus = 4;
	waits.cpus_per_task = 2;
	r.cpus_per_task = 0;
	r.min_nodes = 3;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   promised(10) == 6,
	   "it gets more nodes, each for a task");
	r.max_nodes = 2;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "not more than its most");
	r = same;
	r.tasks_per_node = 1;
	r.resized = true;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "what Slurm would refuse is refused");
	r = same;
	r.partition = "main";
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_STOCK,
	   "its own partition is no change");
	r.partition = "other";
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "another one is refused");
	r = same;
	r.pinned = true;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "so are certain nodes");
	r = same;
	r.mixed = true;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_STOCK,
	   "what else is asked for is Slurm's");
	r.estimate_s = 50;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "but not together with an estimate");
	ok(promised(10) == 6, "nothing of that was taken");
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

static enum libra_host_answer answer_to(struct libra_host_request r)
{
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	r.estimate_s = 10;
	r.deadline_s = now_s + 1000;
	if (r.ncpus == 0)
		r.ncpus = 1;
	if (libra_host_submit(host, &r, &reply) < 0)
		return 0;
	answer = reply.answer;
	libra_host_reply_fini(&reply);
	return answer;
}

/* What is said to it. */
static bool says(struct libra_host_request r, const char *part)
{
	struct libra_host_reply reply;
	bool said;

	r.estimate_s = 10;
	r.deadline_s = now_s + 1000;
	if (r.ncpus == 0)
		r.ncpus = 1;
	if (libra_host_submit(host, &r, &reply) < 0)
		return false;
	said = reply.text && strstr(reply.text, part);
	if (!said)
		printf("# %s\n", reply.text ? reply.text : "nothing");
	libra_host_reply_fini(&reply);
	return said;
}

static void requests(void)
{
	struct libra_host_counts counts;

	start_host("libra_policy=libra");
	ok(answer_to((struct libra_host_request){.pinned = true}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "no promise for certain nodes");
	ok(answer_to((struct libra_host_request){.ncpus = UINT32_MAX}) ==
		   LIBRA_HOST_REFUSED,
	   "nor for all CPUs that can be told");
	ok(answer_to((struct libra_host_request){.min_nodes = 131072,
						 .cpus_per_task = 32768}) ==
		   LIBRA_HOST_REFUSED,
	   "nor for more");
	ok(answer_to((struct libra_host_request){.array = "0-1000"}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "nor for a long array");
	ok(answer_to((struct libra_host_request){.array = "7,100"}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "nor for one that Slurm refuses");
	libra_host_counts(host, &counts);
	ok(counts.offers == 0, "and nothing is held");
	ok(answer_to((struct libra_host_request){.array = "7,99"}) ==
		   LIBRA_HOST_ACCEPTED,
	   "but for one that it takes");
}

/* What can never be is refused as such, and says what there is. */
static void senseless(void)
{
	start_host("libra_policy=libra");
	ok(says((struct libra_host_request){.min_nodes = 5}, "5 nodes"),
	   "more nodes than there are");
	ok(says((struct libra_host_request){.ncpus = 9, .cpus_per_task = 9},
		"9 processors on one node"),
	   "a task that is larger than a node");
	ok(says((struct libra_host_request){.blocked = true,
					    .begin_s = now_s + 995},
		"earlier --begin"),
	   "a begin that is too late");
	ok(says((struct libra_host_request){.array = "1,1,1"},
		"accepted: share"),
	   "an index that is named thrice is one task");
}

/* Submit; if it is refused with advice, do what it says some seconds later.
 * Result: 0 = no advice, 1 = accepted with it, -1 = refused again.
 */
static int follow_advice(struct libra_host_request r)
{
	struct libra_host_reply reply;
	const char *advice;
	unsigned minutes;
	int result = 0;

	if (libra_host_submit(host, &r, &reply) < 0)
		return 0;
	advice = reply.text ? strstr(reply.text, "now+") : NULL;
	if (advice && sscanf(advice, "now+%uminutes", &minutes) == 1) {
		libra_host_reply_fini(&reply);
		now_s += 1.3;
		r.deadline_s = floor(now_s) + 60.0 * minutes;
		if (libra_host_submit(host, &r, &reply) < 0)
			return -1;
		result = reply.answer == LIBRA_HOST_ACCEPTED ? 1 : -1;
	}
	libra_host_reply_fini(&reply);
	return result;
}

/* Two processors are closed by a job past its deadline; the refusal names it.
 */
static void late_is_named(void)
{
	struct libra_host_request r = {
		.partition = partition,
		.estimate_s = 60,
		.cpus_per_task = 1,
	};
	struct libra_host_reply reply;

	for (int yields = 0; yields <= 1; yields++) {
		now_s += 10000;
		start_host(yields ? "libra_policy=libra,libra_late_yields=yes"
				  : "libra_policy=libra,libra_late_yields=no");
		r.ncpus = 4;
		ok(submit(17, 2, 50, 100, NULL) && look(17, 0), "a job starts");
		started(17, false);
		now_s += 110;
		r.deadline_s = now_s + 50;
		ok(libra_host_submit(host, &r, &reply) == 0 &&
			   reply.answer == LIBRA_HOST_REFUSED,
		   "another, that is too long, is refused");
		ok(yields == !strstr(reply.text,
				     "libra: 1 job past the deadline closes "
				     "its processors until it ends: 17 "
				     "(libra_late_yields=no)"),
		   yields ? "who yields closes nothing"
			  : "and told who closes processors");
		libra_host_reply_fini(&reply);
		libra_host_ended(host, 17);
	}
}

static void advised(const char *params)
{
	int followed = 0, refused = 0, result;
	uint32_t x = 1;

	start_host(params);
	for (int i = 0; i < 400; i++) {
		uint32_t d[4];

		for (int k = 0; k < 4; k++)
			d[k] = (x = x * 1664525 + 1013904223) >> 16;
		result = follow_advice((struct libra_host_request){
			.estimate_s = 60 + d[0] % 900,
			.deadline_s = now_s + 60 + d[1] % 1500,
			.cpus_per_task = 1,
			.ncpus = 1 + d[2] % 3,
			.array = d[3] % 3 == 0 ? "0-5" : NULL,
			.min_nodes = d[3] % 3 == 1 ? 2 : 0,
			.tasks_per_node = d[3] % 6 == 1 ? 2 : 0,
		});
		followed += result > 0;
		refused += result < 0;
		now_s += d[2] % 40; /* and offers expire */
	}
	printf("# %s: %d followed, %d refused again\n", params, followed,
	       refused);
	/* The reserves of band learn from each offer, and may think again. */
	ok(followed > 40 && refused <= (strstr(params, "band") ? 1 : 0),
	   "what is advised is accepted");
}

/* What a request is promised on nodes of two cores of two CPUs. */
static const struct {
	const char *name;
	struct libra_host_request r;
	struct libra_host_reply counts; /* that Slurm shall count */
	uint32_t procs;
} shapes[] = {
	{"tasks of a CPU share cores", {.ntasks = 3, .ncpus = 3}, .procs = 2},
	{"but not when told", {.ntasks = 3, .task_per_core = true}, .procs = 3},
	{"one task needs whole cores", {.cpus_per_task = 3}, .procs = 2},
	{"and so do several",
	 {.ntasks = 3, .cpus_per_task = 3, .ncpus = 9},
	 {.ncpus = 12, .cpus_per_task = 4},
	 6},
	{"one CPU of each core",
	 {.ntasks = 2, .cpus_per_task = 2, .threads_per_core = 1},
	 .procs = 4},
	{"one task a node",
	 {.ntasks = 2, .ncpus = 2, .tasks_per_node = 1},
	 .procs = 2},
	{"three a node", {.min_nodes = 2, .tasks_per_node = 3}, .procs = 4},
	{"as many on each node",
	 {.ntasks = 4, .ncpus = 4, .tasks_per_node = 3},
	 {.ncpus = 6, .ntasks = 6},
	 4},
};

/* Does its record tell what its user offered? */
static bool worth(uint32_t id, double budget, double penalty_rate)
{
	struct libra_promise p;

	return libra_promise_parse(records[id], &p) == 0 &&
	       p.budget == budget && p.penalty_rate == penalty_rate;
}

static void budgets(void)
{
	struct libra_host_request r = {
		.estimate_s = 600,
		.ncpus = 8,
		.budget = 250.5,
		.penalty_rate = 0.1,
	};
	struct libra_host_reply reply;
	struct libra_host_job waits;
	uint32_t limit, ncpus;

	now_s += 5000;
	start_host(with_ttl);
	r.deadline_s = now_s + 1000;
	if (libra_host_submit(host, &r, &reply) == 0)
		keep(22, &reply.record);
	libra_host_reply_fini(&reply);
	ok(worth(22, 250.5, 0.1), "a record keeps budget and penalty");
	ok(look(22, 0) && worth(22, 250.5, 0.1), "when the job is met, too");
	start_host(with_ttl);
	known(22, 0);
	ok(committed() == 1 && look(22, 0) && worth(22, 250.5, 0.1),
	   "over a restart");
	waits = job(22, 0);
	r = same;
	r.estimate_s = 500;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "its estimate is changed");
	libra_host_flush_records(host);
	ok(worth(22, 250.5, 0.1), "and neither of them");
	states[22] = LIBRA_JOB_BLOCKED;
	start_host(with_ttl);
	known(22, 0);
	states[22] = LIBRA_JOB_PENDING;
	ok(committed() == 0 && look(22, 0) && worth(22, 250.5, 0.1),
	   "nor when it asks anew");
	ok(answer_to((struct libra_host_request){.budget = NAN}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "no budget that is no number");
	ok(answer_to((struct libra_host_request){.penalty_rate = NAN}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "nor such a penalty");
}

static void threads(void)
{
	struct libra_host_request r;
	struct libra_host_reply reply;
	struct libra_promise p;

	cpus_per_proc = 2;
	start_host("libra_policy=libra");
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		r = shapes[i].r;
		r.estimate_s = 10;
		r.deadline_s = now_s + 1000;
		ok(libra_host_submit(host, &r, &reply) == 0 &&
			   reply.answer == LIBRA_HOST_ACCEPTED &&
			   libra_promise_parse(reply.record.comment, &p) == 0 &&
			   p.nprocs == shapes[i].procs &&
			   reply.ncpus == shapes[i].counts.ncpus &&
			   reply.ntasks == shapes[i].counts.ntasks &&
			   reply.cpus_per_task ==
				   shapes[i].counts.cpus_per_task,
		   shapes[i].name);
		libra_host_reply_fini(&reply);
	}
	r = (struct libra_host_request){.cpus_per_task = 4, .ncpus = 10};
	ok(answer_to(r) == LIBRA_HOST_UNACCEPTABLE, "no part of a task");
	cpus_per_proc = 1;
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
	changed_runs();
	changed_sizes();
	overdue();
	requests();
	senseless();
	late_is_named();
	advised("libra_policy=libra");
	advised("libra_policy=librarisk");
	advised("libra_policy=demand");
	advised("libra_policy=band");
	threads();
	budgets();
	reconfigured();
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	return finish();
}
