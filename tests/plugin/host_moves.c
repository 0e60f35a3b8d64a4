/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_moves.c - what plans go round: ordinary jobs, the oldest of them, lost
 * nodes, reservations.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/plugin/plans.h"

static bool may_run(uint32_t id, uint32_t mins, uint32_t first, uint32_t last)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, first, last);

	now_s += 1.5; /* not the same question again */
	return libra_host_may_run(host, &job, NULL, 0);
}

/* Slurm's first choice is a node that a plan needs: it is told so, and of the
 * other one that a second look finds.  n0 and n1 are busy for 20 minutes, when
 * three nodes are planned.
 */
static void test_elsewhere(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job;
	uint8_t in_way[NODES] = {0};

	begin("", true);
	run(10, 20, 0, 1);
	submit(1, 10, 7200, 3);
	place(1);
	now_s += 1.5;
	job = ordinary(11, 60, parts, 2, 2);
	ok(!libra_host_may_run(host, &job, in_way, NODES) && in_way[2] &&
		   !in_way[3] && in_way[0] && in_way[1],
	   "a node that is in use or planned is in the way, another is not");
	job = ordinary(11, 60, parts, 3, 3);
	ok(libra_host_may_run(host, &job, in_way, NODES),
	   "and there the job may start, in the same second");
	job = ordinary(11, 60, parts, 2, 3);
	memset(in_way, 0, sizeof(in_way));
	now_s += 1.5;
	ok(!libra_host_may_run(host, &job, in_way, NODES) && in_way[2] &&
		   !in_way[3],
	   "of two nodes the one is in the way that is");
	memset(in_way, 0, sizeof(in_way));
	ok(!libra_host_may_run(host, &job, in_way, NODES) &&
		   !memchr(in_way, 1, NODES),
	   "the same question in a second is worth no other look");
	ok(!libra_host_may_run(host, &job, NULL, 0), "nor need there be one");
}

/* A job loses its node, and Slurm will start it again. */
static void test_requeued(void)
{
	struct libra_host_job job = {.job_id = 1};

	begin("", true);
	submit(1, 10, 7200, 2);
	place(1);
	start(1);
	job.comment = records[1];
	job_ends(1);
	libra_host_keep(host, &job);
	ok(hear("job 1: promise released: its node was lost"),
	   "a running job that lost its node is told of");
}

static void test_ordinary(void)
{
	struct libra_host_request r;

	begin("libra_refused=queue", true);
	run(10, 20, 0, 1);
	ok(submit(1, 10, 7200, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "plans wait for ordinary jobs to end by their limits");
	place(1);
	ok(may_run(11, 15, 2, 3), "one that ends before the plan may start");
	ok(!may_run(12, 30, 2, 2), "one that does not may not");
	run(11, 15, 2, 3);
	ok(submit(2, 5, 600, 1) == LIBRA_HOST_ORDINARY &&
		   strstr(reply_text, "WITHOUT A PROMISE"),
	   "a refused job may join the queue, and its user reads so");
	r = asking(5, 600, 1);
	r.only_promised = true;
	ok(ask(2, &r) == LIBRA_HOST_REFUSED, "not one who says otherwise");
	minutes[10] = 40;
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(starts[1] > T0 + 2399, "a longer limit moves the plan");
	job_ends(11);
	ok(may_run(12, 30, 2, 2), "and others may use the time");
	job_ends(10);
	now_s += 2;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_HERE, "the plan comes when all have ended");
	libra_host_kept(host, &placement);
	ok(placement.nparts == 4 && placement.parts[0].count == LIBRA_ALL_CORES,
	   "its nodes are kept until it runs");
	ok(!may_run(13, 1, 0, 0), "nobody else may start there");
	start(1);
	libra_host_kept(host, &placement);
	ok(placement.nparts == 0, "then nothing is kept");
}

/* Backfill starts it with a limit that is raised under the same locks: until it
 * is asked for, the longest that it can become counts.
 */
static void test_limit_just_raised(void)
{
	struct libra_host_part part = {.count = LIBRA_ALL_CORES};
	struct libra_host_job job = {.job_id = 10,
				     .minutes = UINT32_MAX,
				     .longest = true,
				     .start_s = T0,
				     .parts = &part,
				     .nparts = 1};

	begin("", true);
	libra_host_look(host);
	minutes[10] = 60;
	libra_host_started(host, &job, &placement);
	ok(submit(1, 5, 7200, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 3600)) < 1,
	   "a limit that backfill has just raised counts for who comes next");
}

static struct libra_host_job waits(uint32_t id, uint32_t min_nodes)
{
	return (struct libra_host_job){.job_id = id,
				       .minutes = 10,
				       .size.min_nodes = min_nodes,
				       .size.ncpus = 2 * min_nodes,
				       .submit_s = T0 - 10000 + id};
}

/* Jobs with deadlines come for ever; the ordinary one wants all nodes. */
static void test_oldest(void)
{
	struct libra_host_job job = {.job_id = 20};

	begin("libra_firm_age=3600", true);
	old = waits(20, 4);
	old_submit_s = T0;
	submit(1, 60, 36000, 3);
	place(1);
	start(1);
	now_s += 3000;
	libra_host_look(host);
	ok(submit(2, 60, 3 * 3600, 3) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 3600)) < 1,
	   "before its age an ordinary job has no place of its own");
	place(2);
	now_s += 601;
	job_ends(1);
	now_s = T0 + 3602;
	ok(place(2) == LIBRA_PLACE_HERE, "others go before it");
	start(2);
	libra_host_look(host);
	ok(said && strstr(said, "job 20 has waited for longer"),
	   "after that it is planned");
	ok(submit(3, 60, 3 * 3600, 3) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s > T0 + 3600 + 3600 + 599,
	   "and others go behind it");
	place(3);
	ok(libra_host_place(host, &job, &placement) == LIBRA_PLACE_WAIT,
	   "it waits until then");
	now_s += 3500;
	job_ends(2);
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(starts[3] < T0 + 3600 + 3600 + 599,
	   "an early end brings the others forward, and their records say so");
	ok(libra_host_place(host, &job, &placement) == LIBRA_PLACE_HERE &&
		   placement.nparts == 4,
	   "it has its nodes then");
	ok(!placement.record.comment && !records[20], "and no record");
	run(20, 10, 0, 3);
	old.job_id = 0;
	job_ends(20);
	now_s += 2;
	libra_host_look(host);
	ok(place(3) == LIBRA_PLACE_HERE, "the others come when it has ended");
}

/* One task of an array at a time; it gets an id of its own when it starts. */
static void test_oldest_array(void)
{
	struct libra_host_job job = {.job_id = 20, .array = 20, .waiting = 2};
	struct libra_host_part parts[NODES];
	struct libra_host_placement p = {0};
	uint32_t ids[2];

	begin("libra_firm_age=3600", true);
	submit(1, 60, 36000, 3);
	place(1);
	start(1);
	old = (struct libra_host_job){.job_id = 20,
				      .array = 20,
				      .waiting = 2,
				      .minutes = 10,
				      .size.min_nodes = 4,
				      .size.ncpus = 8};
	old_submit_s = T0 - 4000;
	now_s += 59;
	libra_host_look(host);
	ok(libra_host_next_s(host) == INFINITY,
	   "Slurm is asked for the oldest once a minute");
	now_s += 2;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 0 &&
		   libra_host_place(host, &job, &placement) == LIBRA_PLACE_WAIT,
	   "an array waits for the plan of its first task");
	ok(fabs(libra_host_next_s(host) - 3539) < 1,
	   "which is the next thing to come");
	job_ends(1);
	ok(libra_host_due(host, ids, 2) == 1 && ids[0] == 20,
	   "it is due when the nodes are free");
	ok(libra_host_place(host, &job, &placement) == LIBRA_PLACE_HERE &&
		   placement.nparts == 4,
	   "on them");
	job = ordinary(21, 10, parts, 0, 3);
	job.array = 20;
	libra_host_started(host, &job, &p);
	free(p.parts);
	ok(libra_host_due(host, ids, 2) == 0, "then its task runs");
	now_s += 2;
	libra_host_look(host);
	ok(fabs(libra_host_next_s(host) - 598) < 1,
	   "and the next one is planned behind it");
	old.job_id = 0;
	job_ends(21);
	ok(libra_host_due(host, ids, 2) == 1, "which comes then");
}

static void look_after(double s)
{
	now_s += s;
	libra_host_look(host);
}

static void forget_olds(void)
{
	memset(olds, 0, sizeof(olds));
}

/* Those that no plan fits, as they want more nodes than there are, stand in
 * nobody's way, however many they are.
 */
static void test_oldest_passed(void)
{
	int n;

	begin("libra_firm_age=3600", true);
	run(10, 60, 0, 0);
	for (uint32_t i = 0; i < OLD; i++)
		olds[i] = waits(20 + i, i < OLD - 1 ? NODES + 1 : NODES);
	look_after(61);
	ok(!hear("no plan is found"), "who cannot be planned is tried again");
	look_after(61);
	ok(hear("job 20 has waited for longer than libra_firm_age, and no plan "
		"is found"),
	   "a minute later it is passed over");
	asked_oldest = 0;
	for (n = 0; n < 60 && libra_host_next_s(host) == INFINITY; n++) {
		look_after(2);
		look_after(61);
	}
	ok(libra_host_next_s(host) < INFINITY && hear("job 43 has waited"),
	   "the last of them is planned");
	ok(asked_oldest <= 2 * OLD, "and Slurm was asked seldom");
	forget_olds();
}

/* A node is away for long: others that fit are planned, and it when it is
 * back.
 */
static void test_oldest_away(void)
{
	begin("libra_firm_age=3600", true);
	run(10, 600, 0, 0);
	olds[0] = waits(20, 4);
	olds[1] = waits(21, 3);
	look_after(61);
	ok(libra_host_next_s(host) < INFINITY, "the oldest is planned");
	nodes[3] = LIBRA_NODE_DOWN;
	look_after(2);
	look_after(2);
	look_after(117);
	ok(!hear("not planned any more"), "it has its plan for two minutes");
	look_after(4);
	ok(hear("job 20 is not planned any more: there have been too few nodes"),
	   "then it has none");
	look_after(61);
	ok(hear("job 21 has waited"), "and another one is planned");
	nodes[3] = LIBRA_NODE_UP;
	olds[1].job_id = 0;
	job_ends(21);
	forget_olds();
}

/* Many that Slurm starts nowhere: each is tried, and the nodes are kept idle
 * for less and less.
 */
static void test_oldest_many_stuck(void)
{
	uint32_t ids[2], idle = 0;

	begin("libra_firm_age=3600", true);
	for (uint32_t i = 0; i < 6; i++)
		olds[i] = waits(20 + i, 4);
	for (int minute = 0; minute < 240; minute++) {
		look_after(30);
		look_after(30);
		idle += libra_host_due(host, ids, 2);
	}
	printf("# idle for %u of 240 minutes\n", idle);
	ok(idle >= 5 && idle < 40, "jobs that do not start keep little idle");
	forget_olds();
}

/* The plan does not know why Slurm does not start it, and gives the nodes back.
 */
static void test_oldest_stuck(void)
{
	uint32_t ids[2];

	begin("libra_firm_age=3600", true);
	old = waits(20, 4);
	old_submit_s = T0 - 4000;
	now_s += 61;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 1 && ids[0] == 20,
	   "it may start at once");
	ok(!may_run(11, 60, 0, 0), "and nobody else where it would");
	now_s += 2;
	libra_host_look(host);
	now_s += 117;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 1, "it has two minutes for that");
	now_s += 2;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 0 &&
		   hear("job 20 is not planned any more"),
	   "then it is not planned any more");
	ok(may_run(11, 60, 0, 0), "and others may run");
	now_s += 590;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 0, "for ten minutes");
	now_s += 61;
	libra_host_look(host);
	ok(libra_host_due(host, ids, 2) == 1, "then it is tried again");
	old.job_id = 0;
}

/* What it asks of nodes is in its plan. */
static void test_oldest_nodes(void)
{
	begin("libra_firm_age=3600", false);
	run(10, 60, 0, 0);
	old = waits(20, 1);
	old_submit_s = T0 - 4000;
	old.nodes.list = "01";
	now_s += 61;
	libra_host_look(host);
	ok(fabs(libra_host_next_s(host) - (3600 - 61)) < 1,
	   "it has all nodes that it names");
	begin("libra_firm_age=3600", false);
	old.nodes.list = NULL;
	old.nodes.exclusive = true;
	old.size.ncpus = 1;
	for (uint32_t i = 0; i < NODES; i++)
		run(10 + i, 60 - 10 * i, i, i);
	now_s += 61;
	libra_host_look(host);
	ok(fabs(libra_host_next_s(host) - (30 * 60 - 61)) < 1,
	   "and a whole one where it wants that");
	old = (struct libra_host_job){0};
}

/* Who waits behind it does not come forward over its place. */
static void test_oldest_restart(void)
{
	char dir[] = "/tmp/host_plans.XXXXXX", file[64];
	struct libra_host_part parts[NODES];
	struct libra_host_placement p = {0};
	struct libra_host_job job;

	state_folder = mkdtemp(dir);
	snprintf(file, sizeof(file), "%s/libra_firm", dir);
	begin("libra_firm_age=3600", true);
	run(10, 60, 0, 0);
	olds[1] = waits(19, NODES + 1); /* passed over */
	old = waits(20, 4);
	old_submit_s = T0 - 4000;
	look_after(61);
	look_after(61);
	look_after(2);
	ok(access(file, F_OK) == 0, "the plan of the oldest is noted");
	ok(submit(1, 60, 36000, 3) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 4200)) < 3,
	   "others go behind it");
	place(1);
	flush();
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s += 10;
	set_cluster("libra_firm_age=3600", true);
	restore(1);
	job = ordinary(10, 60, parts, 0, 0);
	job.start_s = T0;
	libra_host_started(host, &job, &p);
	free(p.parts);
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(fabs(starts[1] - (T0 + 4200)) < 20, "after a restart, too");
	job_ends(10);
	now_s += 2;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_WAIT, "it is first");
	old.job_id = 0;
	run(20, 10, 0, 3);
	now_s += 2;
	libra_host_look(host);
	ok(access(file, F_OK) < 0, "then nothing is noted any more");
	libra_host_fini(host);
	snprintf(file, sizeof(file), "rm -rf %s", dir);
	ok(system(file) == 0, "all is removed");
	state_folder = NULL;
}

static void restart(double at_s)
{
	flush();
	libra_host_fini(host);
	libra_host_init(host, &ops);
	now_s = at_s;
	*heard = '\0';
	set_cluster("", true);
}

static void look(double at_s)
{
	now_s = at_s;
	libra_host_look(host);
	flush();
}

/* 2 and 5 were to start at 600, 4 at 1200 and 3 at 1800; 2 by 700 and 4 by 1300
 * at the latest.
 */
static void plan_four(void)
{
	static const struct {
		uint32_t id, nodes;
		double within_s;
	} jobs[] = {{1, 4, 3600},
		    {2, 2, 1300},
		    {5, 2, 36000},
		    {4, 4, 1900},
		    {3, 4, 36000}};

	begin("", true);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		submit(jobs[i].id, 10, jobs[i].within_s, jobs[i].nodes);
		place(jobs[i].id);
		if (jobs[i].id == 1)
			start(1);
	}
	look(T0 + 2);
	ok(starts[2] == T0 + 600 && starts[5] == T0 + 600 &&
		   starts[4] == T0 + 1200 && starts[3] == T0 + 1800,
	   "four are planned");
}

/* What became of a promise whose planned start passed without a slurmctld. */
static void test_missed(void)
{
	plan_four();
	restart(T0 + 800);
	restore(2);
	restore(3);
	restore(4);
	restore(5);
	look(T0 + 800);
	ok(hear("job 2: promise broken: slurmctld restarted after its planned "
		"start; it cannot end by its deadline"),
	   "a planned start that passed before a restart: the broken promise is "
	   "told, with the cause");
	ok(NULL != strstr(records[2],
			  " late=100 broken=slurmctld_restarted_after_its_"
			  "planned_start "),
	   "its record says so, before it starts");
	ok(hear("job 5: slurmctld restarted after its planned start: it is "
		"planned to start at ") &&
		   hear(", in time for its deadline"),
	   "one that is in time all the same is told, too");
	ok(!strstr(records[5], " broken=") && starts[5] == T0 + 800,
	   "with its new start and no word of a broken promise");
	ok(hear("job 4: promise broken: slurmctld restarted after the planned "
		"start of a job before it"),
	   "and one that has to wait for those");
	ok(!hear("job 3: ") && starts[3] == T0 + 1400,
	   "one whose promise holds, and its start had not passed, just moves");
	restart(T0 + 810);
	for (uint32_t i = 2; i <= 5; i++)
		restore(i);
	look(T0 + 810);
	ok(!hear("job 2: promise broken") && strstr(records[2], " late=110 ") &&
		   strstr(records[2], " broken=slurmctld_restarted_after_its"),
	   "the next restart does not tell it again, and knows it");
	place(2);
	start(2);
	flush();
	ok(NULL != strstr(records[2], " broken=slurmctld_restarted_after_its"),
	   "nor is it forgotten when the job runs");
	place(5);
	start(5);
	job_ends(2);
	job_ends(5);
	look(T0 + 900);
	ok(hear("job 4: its promise holds again: it is planned to start at ") &&
		   !strstr(records[4], " broken=") &&
		   !strstr(records[4], " late="),
	   "a promise that holds again is told, and its record says so");
	ok(place(4) == LIBRA_PLACE_HERE, "it starts");
}

/* Slurm may fail to start what is due. */
static void test_not_started(void)
{
	begin("", true);
	*heard = '\0';
	submit(1, 10, 700, 4);
	ok(place(1) == LIBRA_PLACE_HERE, "a job may start");
	look(T0 + 99);
	ok(!hear("promise broken"), "while it can be in time all is well");
	look(T0 + 102);
	ok(hear("job 1: promise broken: Slurm did not start it in time"),
	   "then it is told");
	ok(NULL != strstr(records[1],
			  " late=2 broken=Slurm_did_not_start_it_in_time "),
	   "and its record says so");
	*heard = '\0';
	look(T0 + 104);
	ok(!hear("promise broken"), "once");
}

static void test_nodes(void)
{
	begin("", true);
	submit(1, 10, 1500, 2);
	place(1);
	start(1);
	submit(2, 10, 1300, 4);
	place(2);
	ok(place(2) == LIBRA_PLACE_WAIT, "a job waits for all nodes");
	nodes[3] = LIBRA_NODE_DOWN;
	now_s += 2;
	libra_host_look(host);
	flush();
	ok(said && strstr(said, "job 2: promise broken: node lost: n3"),
	   "a lost node that breaks a promise is told at once, by name");
	ok(strstr(records[2], " broken=node_lost:n3 ") &&
		   strstr(records[2], " late="),
	   "the record says it too");
	nodes[3] = LIBRA_NODE_UP;
	now_s += 700;
	job_ends(1);
	now_s += 2;
	libra_host_look(host);
	ok(place(2) == LIBRA_PLACE_HERE, "the job runs as soon as it can");
}

static void reserve(uint32_t first, uint32_t n, double from_s, double to_s)
{
	for (uint32_t i = 0; i < NODES; i++)
		reserved_nodes[i] = i >= first && i < first + n;
	reserved_from_s = from_s;
	reserved_to_s = to_s;
	reserved_stamp++;
	now_s += 2;
	libra_host_look(host);
	flush();
}

static void test_reservations(void)
{
	begin("", true);
	submit(1, 10, 36000, 4);
	place(1);
	start(1);
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "a plan behind a job");
	place(2);
	ok(submit(3, 10, 2100, 4) == LIBRA_HOST_ACCEPTED, "and another one");
	place(3);
	reserve(0, NODES, T0 + 1000, T0 + 3000);
	ok(fabs(starts[2] - (T0 + 3000)) < 1,
	   "a reservation of all nodes moves it behind that");
	no_memory = true;
	reserve(0, NODES, T0 + 1000, T0 + 3000);
	no_memory = false;
	ok(fabs(starts[2] - (T0 + 3000)) < 1,
	   "where it stays if there is no memory to read of it again");
	ok(said && strstr(said, "job 3: promise broken: node reserved: n0"),
	   "a promise that cannot be kept is told, with the cause");
	ok(submit(4, 5, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600)) < 1,
	   "before it others have their place");
	reserve(0, NODES, 0, 0);
	ok(starts[2] < T0 + 1600, "when it is deleted plans come forward");
	begin("", true);
	reserve(3, 1, T0 + 100000, T0 + 200000);
	ok(submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s < T0 + 10,
	   "nodes of a reservation of some are of use until then");
	now_s = T0 + 99700;
	libra_host_look(host);
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_REFUSED,
	   "not to who would reach it");
	ok(submit(2, 10, 36000, 3) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s < now_s + 1,
	   "the others are");
	ok(submit(3, 10, 360000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 200000)) < 1,
	   "and all are when it is over");
	ok(may_run(11, 4, 3, 3) && !may_run(12, 10, 3, 3),
	   "an ordinary job runs there until then");
	now_s = T0 + 100001;
	libra_host_look(host);
	ok(may_run(13, 600, 3, 3), "and then those whom it is for");
	reserve(0, 0, 0, 0);
}

/* In a FLEX reservation a job may run past its end. */
static void test_flex(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job;
	uint8_t in_way[NODES] = {0};

	begin("", true);
	reserve(0, 1, T0, T0 + 1200);
	ok(may_run(10, 60, 0, 0),
	   "where nobody waits a job may outlive the reservation of its node");
	run(11, 5, 0, 0);
	ok(submit(1, 10, 2400, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 1200)) < 1,
	   "a plan behind the reservation");
	place(1);
	job_ends(11);
	ok(may_run(12, 10, 0, 0), "a job that is over before may start there");
	ok(!may_run(12, 60, 0, 0), "one that is not waits");
	ok(!may_run(12, 60, 0, 1), "also if it has another node, too");
	ok(!may_run(12, UINT32_MAX, 0, 0), "and so does one without a limit");
	job = ordinary(12, 60, parts, 0, 0);
	ok(!libra_host_may_run(host, &job, in_way, NODES) && in_way[0] &&
		   !in_way[1],
	   "that node is in its way");
	now_s = T0 + 1201;
	libra_host_look(host);
	ok(place(1) == LIBRA_PLACE_HERE, "then the plan comes");
	start(1);
	job_ends(1);
	reserve(0, 1, now_s, now_s + 1200);
	ok(may_run(12, 60, 0, 0), "and when nobody waits the job may start");
	reserve(0, 0, 0, 0);
}

/* All nodes for a time, of which the first ends within a day, and then again
 * and again: a job gets the first hole between that is long enough, and one for
 * which none is nothing.  T0 is a Sunday, 01:46:40.
 */
static void test_recurring(void)
{
	static const struct {
		enum libra_host_repeat repeat;
		double from_s, to_s;
		unsigned fits, does_not; /* minutes */
		double start_s;
		const char *name;
	} kinds[] = {
		{LIBRA_HOURLY, 600, 1200, 50, 51, 1200, "hourly"},
		{LIBRA_DAILY, 3600, 7200, 1380, 1381, 7200, "daily"},
		{LIBRA_WEEKDAYS, 90000, 93600, 4260, 4261, 5 * 86400 + 7200,
		 "on weekdays: from Friday to Monday"},
		{LIBRA_WEEKEND, 3600, 7200, 8580, 8581, 7200,
		 "at weekends: from Sunday to Saturday"},
		{LIBRA_WEEKLY, 3600, 7200, 10020, 10021, 7200, "weekly"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		begin("", true);
		reserved_repeat = LIBRA_ONCE;
		reserve(0, NODES, T0 + kinds[i].from_s, T0 + kinds[i].to_s);
		ok(submit(1, kinds[i].does_not, 1e7, 4) ==
				   LIBRA_HOST_ACCEPTED &&
			   reply_start_s <= T0 + kinds[i].to_s,
		   kinds[i].name);
		begin("", true);
		reserved_repeat = kinds[i].repeat;
		reserve(0, NODES, T0 + kinds[i].from_s, T0 + kinds[i].to_s);
		ok(submit(1, kinds[i].fits, 1e7, 4) == LIBRA_HOST_ACCEPTED &&
			   fabs(reply_start_s - (T0 + kinds[i].start_s)) < 1,
		   "what fits between goes there");
		ok(submit(2, kinds[i].does_not, 1e8, 4) == LIBRA_HOST_REFUSED,
		   "what does not is not promised, however late");
	}
	reserved_repeat = LIBRA_ONCE;
	reserve(0, 0, 0, 0);
}

/* Slurm is asked for them when they may have changed, and when one begins or is
 * over.
 */
static void test_reread(void)
{
	unsigned was;

	begin("", true);
	reserve(0, NODES, T0 + 1000, T0 + 3000);
	for (int i = 0; i < 3; i++) {
		now_s += 2;
		libra_host_look(host);
	}
	was = reserved_read;
	for (int i = 0; i < 10; i++) {
		now_s += 2;
		libra_host_look(host);
	}
	ok(reserved_read == was, "they are read once and again, not for ever");
	reserved_stamp++;
	now_s += 2;
	libra_host_look(host);
	ok(reserved_read == was + 1, "when one has changed they are");
	now_s += 2;
	libra_host_look(host);
	ok(reserved_read == was + 2, "and after the second of that");
	now_s += 2;
	libra_host_look(host);
	was = reserved_read;
	now_s = T0 + 1001;
	libra_host_look(host);
	ok(reserved_read == was + 1, "when one begins");
	was = reserved_read;
	now_s = T0 + 3001;
	libra_host_look(host);
	ok(reserved_read == was + 1, "and ends");
	now_s -= 500;
	libra_host_look(host);
	ok(reserved_read == was + 2, "and after the clock was set back");
	reserve(0, 0, 0, 0);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	host = libra_host_create();
	if (!host)
		return 1;
	test_ordinary();
	test_limit_just_raised();
	test_elsewhere();
	test_oldest();
	test_oldest_array();
	test_oldest_passed();
	test_oldest_away();
	test_oldest_many_stuck();
	test_oldest_stuck();
	test_oldest_nodes();
	test_oldest_restart();
	test_missed();
	test_not_started();
	test_nodes();
	test_requeued();
	test_reservations();
	test_flex();
	test_recurring();
	test_reread();
	return finish_plans();
}
