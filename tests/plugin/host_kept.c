/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_kept.c - places that are kept for jobs which others were stopped for,
 * over a restart of slurmctld.  Speaks TAP.
 */
#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/plugin/plans.h"

static char folder[] = "/tmp/host_kept.XXXXXX";
static char file[64];
static enum libra_host_job_state states[JOBS]; /* 0 = pending */

static enum libra_host_job_state job_state(uint32_t id)
{
	return id < JOBS && states[id] ? states[id] : LIBRA_JOB_PENDING;
}

/* slurmctld begins: with nothing, or with what is in its state folder. */
static void boot(const char *tokens)
{
	static struct libra_host_ops own;

	own = ops;
	own.job_state = job_state;
	libra_host_fini(host);
	libra_host_init(host, &own);
	set_cluster(tokens, true);
}

static double start_after(double s)
{
	now_s += s;
	libra_host_look(host);
	flush();
	return starts[1];
}

/* May a job start for some minutes on n0, where job 10 is, or n1, where job 11
 * is; and is that one stopped for it?
 */
static bool may_on(uint32_t node, uint32_t id, uint32_t mins, bool stops)
{
	const uint32_t victim = 10 + node;
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, node, node);

	job.victims.ids = &victim;
	job.victims.n = stops;
	job.victims.take_s = 60;
	job.victims.preempted = stops;
	return libra_host_may_run(host, &job, NULL, 0);
}

static bool may(uint32_t id, bool stops)
{
	return may_on(1, id, 50, stops);
}

static void restore_running(uint32_t id, uint32_t mins, uint32_t node)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job = ordinary(id, mins, parts, node, node);
	struct libra_host_placement p = {0};

	job.start_s = T0;
	libra_host_started(host, &job, &p);
	free(p.parts);
}

/* Slurm tells of all jobs. */
static void tell(bool victim)
{
	restore(1);
	restore_running(10, 20, 0);
	if (victim)
		restore_running(11, 60, 1);
}

static void restart_after(double s, bool victim)
{
	now_s += s;
	heard[0] = '\0';
	boot("");
	tell(victim);
}

/* Job 10 has n0 for 20 minutes and 11 n1 for 60; a plan for all nodes is behind
 * both, and could be at T0 + 1200 without 11.
 */
static void lay(double within_s)
{
	memset(states, 0, sizeof(states));
	unlink(file);
	begin("", true);
	heard[0] = '\0';
	boot("");
	run(10, 20, 0, 0);
	run(11, 60, 1, 1);
	ok(submit(1, 10, within_s, 4) == LIBRA_HOST_ACCEPTED &&
		   reply_start_s == T0 + 3600,
	   "a plan for all nodes, behind two jobs");
	place(1);
	ok(may(20, true), "job 11 is stopped for job 20");
	ok(access(file, F_OK) == 0, "whose place is noted");
}

/* Where the place ends, if job 20 starts as late as it may. */
#define KEPT_S (T0 + 60 + 3000)

static void test_restart(void)
{
	lay(36000);
	job_ends(11);
	ok(start_after(2) == KEPT_S, "the plan is behind it");
	restart_after(10, false);
	ok(start_after(2) == KEPT_S, "and after a restart");
	ok(hear("job 20: the processors for which jobs were preempted"),
	   "which says so");
	ok(submit(2, 5, 2000, 4) == LIBRA_HOST_REFUSED,
	   "nobody is promised the place");
	ok(!may(21, false), "nor does anybody else start there");
	ok(may(20, false), "but the job that it is kept for");
	ok(!may_on(0, 20, 10, true), "for which nobody else is stopped");
	run(20, 50, 1, 1);
	ok(access(file, F_OK) < 0, "when that runs nothing is noted any more");
	ok(start_after(2) < KEPT_S, "and plans come forward to its end");
}

static void test_without(void)
{
	lay(36000);
	unlink(file);
	restart_after(10, false);
	ok(start_after(2) == T0 + 1200, "without the file it is forgotten");
}

/* It has not gone yet, or slurmctld had not saved that it has. */
static void test_victim_there(void)
{
	lay(36000);
	restart_after(10, true);
	ok(start_after(2) == T0 + 3600, "who is stopped may be there yet");
	ok(!may(21, true), "it goes for nobody else");
	job_ends(11);
	ok(start_after(2) == KEPT_S, "when it is gone the place is kept");
	ok(may(20, true), "the job may ask again");
}

static bool dropped(const char *why)
{
	bool none = start_after(2) == T0 + 1200;

	return none && hear("job 20: its hold on processors has ended") &&
	       hear(why) && access(file, F_OK) < 0;
}

static void test_gone(void)
{
	static const struct {
		enum libra_host_job_state state;
		const char *why;
	} ends[] = {
		{LIBRA_JOB_GONE, "it is gone"},
		{LIBRA_JOB_BLOCKED,
		 "it is held, or has to wait for its time or a job"},
		{LIBRA_JOB_ALIVE, "it has started"},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		lay(36000);
		states[20] = ends[i].state;
		restart_after(10, false);
		ok(dropped(ends[i].why), ends[i].why);
	}
	lay(36000);
	restart_after(61, false);
	ok(dropped("its time is over"), "its time is over");
	lay(36000);
	restart_after(50, false);
	ok(start_after(2) == KEPT_S, "it is kept for a minute");
	ok(start_after(10) == T0 + 1200 && start_after(2) == T0 + 1200 &&
		   access(file, F_OK) < 0,
	   "and no longer");
}

/* Job 11 has ended, and its epilog goes on: Slurm does not have the node back.
 */
static void test_completing(void)
{
	lay(36000);
	job_ends(11);
	aways[1] = (struct libra_host_away){
		.kind = LIBRA_AWAY_COMPLETING,
		.text = "is completing",
		.expect_s = 5,
		.longest_s = 2,
	};
	ok(start_after(1) == KEPT_S, "the place stays while n1 is completing");
	restart_after(3, false);
	ok(start_after(2) == KEPT_S, "and over a restart");
	ok(hear("job 20: the processors for which jobs were preempted"),
	   "which says so");
	start_after(8);
	start_after(12);
	ok(hear("when it is back is not known"), "it takes very long");
	ok(!may_on(0, 20, 10, true), "nobody else is stopped for job 20");
	aways[1].kind = LIBRA_AWAY_NOT;
	ok(start_after(2) == KEPT_S, "when n1 is back the place is still kept");
	ok(!may(21, false) && may(20, false), "for job 20 alone");
	ok(!hear("its hold on processors has ended"), "and was all the time");
	nodes[1] = LIBRA_NODE_DRAIN;
	start_after(2);
	ok(hear("job 20: its hold on processors has ended: its nodes are "
		"closed") &&
		   access(file, F_OK) < 0,
	   "a node that is drained is not waited for");
	nodes[1] = LIBRA_NODE_UP;
	lay(36000);
	aways[1] = (struct libra_host_away){
		.kind = LIBRA_AWAY_REBOOT,
		.text = "reboots",
		.expect_s = 600,
	};
	start_after(2);
	ok(hear("job 20: its hold on processors has ended"),
	   "nor one that is back too late");
	aways[1].kind = LIBRA_AWAY_NOT;
}

/* The file has one text in place of another one. */
static void edit(const char *from, const char *to)
{
	char text[512] = "", *at;
	FILE *fp = fopen(file, "r");
	size_t n = fp ? fread(text, 1, sizeof(text) - 1, fp) : 0;

	if (fp)
		fclose(fp);
	at = n > 0 ? strstr(text, from) : NULL;
	ok(at != NULL, "the file is as expected");
	fp = fopen(file, "w");
	if (!fp || !at)
		return;
	fprintf(fp, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	fclose(fp);
}

static void test_other_nodes(void)
{
	lay(36000);
	edit("\nn1 ", "\nn9 ");
	restart_after(10, false);
	ok(dropped("node n9 is gone"), "a node that is gone");
	lay(36000);
	edit("\nn1 0 1 ", "\nn1 0 2 ");
	restart_after(10, false);
	ok(dropped("n1 is gone, or has become smaller"),
	   "a node that has become smaller");
	lay(36000);
	edit("\nn1 0 1 0 ", "\nn1 0 1 2001 ");
	restart_after(10, false);
	ok(dropped("n1 is gone, or has become smaller"), "has less memory");
	lay(36000);
	edit(" gpu ", " tpu ");
	restart_after(10, false);
	ok(start_after(2) == KEPT_S, "what it has nothing of may be gone");
	lay(36000);
	nodes[1] = LIBRA_NODE_DRAIN;
	restart_after(10, false);
	start_after(2);
	start_after(2);
	ok(hear("job 20: its hold on processors has ended: its nodes are "
		"closed") &&
		   access(file, F_OK) < 0,
	   "nor is one on a node that is closed");
}

static void test_damaged(void)
{
	char bad[80];

	snprintf(bad, sizeof(bad), "%s.bad", file);
	lay(36000);
	edit("end 1\n", "");
	restart_after(10, false);
	ok(start_after(2) == T0 + 1200 &&
		   hear("damaged: the holds of preempting jobs are lost"),
	   "what is damaged is refused, and said");
	ok(access(file, F_OK) < 0 && access(bad, F_OK) == 0, "it is put aside");
	unlink(bad);
	lay(36000);
	edit("libra_kept 1", "libra_kept 2");
	restart_after(10, false);
	ok(start_after(2) == T0 + 1200 && hear("damaged"),
	   "and so is what is of a later release");
	unlink(bad);
}

/* The place would be in the way for 500 minutes. */
static void test_promise_first(void)
{
	lay(4300);
	edit("limit=3000", "limit=30000");
	restart_after(10, false);
	ok(start_after(2) == T0 + 1200, "a promise comes before a place");
	ok(!hear("promise broken"), "and holds");
	start_after(2);
	ok(hear("a promise needs them") && access(file, F_OK) < 0,
	   "it is said, and forgotten");
}

/* For five minutes and the victim's minute others may be stopped for it, from
 * before the restart on.
 */
static void test_noted(void)
{
	lay(36000);
	for (int i = 0; i < 5; i++) {
		now_s += 50;
		may(20, true);
	}
	restart_after(10, true);
	ok(may(20, true), "others may be stopped for the job after a restart");
	now_s += 110;
	ok(!may(20, true), "but not for longer than without one");
	ok(may(21, true), "for another one they may");
}

static ino_t inode(void)
{
	struct stat st;

	return stat(file, &st) == 0 ? st.st_ino : 0;
}

static void test_written(void)
{
	ino_t first;
	struct stat st;

	lay(36000);
	stat(file, &st);
	ok((st.st_mode & 07777) == 0600, "the file is the user's alone");
	first = inode();
	for (int i = 0; i < 4; i++) {
		now_s += 1;
		may(20, true);
		may(20, false);
		libra_host_look(host);
	}
	ok(inode() == first, "it is not written for each question");
	now_s += 10;
	may(20, true);
	ok(inode() != first, "but when the place is kept longer");
	restart_after(55, false);
	ok(start_after(0.5) == KEPT_S + 14, "which is what a restart finds");
}

/* Job 20's place moves between two minutes that it asks for, so many times. */
static void ask_often(int times)
{
	for (int i = 0; i < times; i++)
		may_on(1, 20, 50 + i % 2, true);
}

/* What comes when it was written often is written by a look to come. */
static void test_often(void)
{
	ino_t last;

	for (int ends = 0; ends < 2; ends++) {
		lay(36000);
		now_s += 2;
		ask_often(10);
		last = inode();
		may_on(0, 21, 15, true);
		ok(inode() == last, "the file is not written without end");
		now_s += 1;
		if (ends)
			libra_host_fini(host);
		else
			libra_host_look(host);
		ok(inode() != last,
		   ends ? "but where slurmctld ends" : "but at the next look");
		restart_after(1, true);
		start_after(1);
		ok(hear("job 21: the processors") &&
			   hear("job 20: the processors"),
		   "a restart has both");
	}
}

/* While there is no descriptor left for the file it stays. */
static void test_unreadable(void)
{
	struct rlimit was, few;

	lay(36000);
	getrlimit(RLIMIT_NOFILE, &was);
	few = (struct rlimit){3, was.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	restart_after(5, false);
	start_after(2);
	start_after(2);
	setrlimit(RLIMIT_NOFILE, &was);
	ok(hear("not in force until it can be read") && access(file, F_OK) == 0,
	   "a file that cannot be read is not taken away");
	heard[0] = '\0';
	ok(start_after(2) == KEPT_S && !hear("cannot be read"),
	   "and is read when it can be");
}

/* slurmctld was away until the start of a promise was over: nobody can help
 * that, and a place is not given up for it.
 */
static void test_too_late(void)
{
	lay(36000);
	ok(submit(2, 10, 630, 1) == LIBRA_HOST_ACCEPTED,
	   "another job is to start within half a minute");
	place(2);
	now_s += 45;
	heard[0] = '\0';
	boot("");
	tell(false);
	restore(2);
	ok(start_after(2) == KEPT_S && hear("held for it until"),
	   "a place stays though a promise is late without it, too");
}

/* Whatever stands in the way of the file, Slurm has its answer. */
static void test_full_disk(void)
{
	char beside[80];

	snprintf(beside, sizeof(beside), "%s.new", file);
	lay(36000);
	ok(mkdir(beside, 0700) == 0, "the disk takes nothing");
	heard[0] = '\0';
	now_s += 10;
	ok(may(20, true), "others are stopped all the same");
	ok(hear("libra_kept cannot be written") && access(file, F_OK) < 0,
	   "it is said, and what is no longer true is gone");
	heard[0] = '\0';
	now_s += 10;
	ok(may(20, true) && !hear("cannot be written"), "it is said once");
	rmdir(beside);
	now_s += 10;
	ok(may(20, true) && access(file, F_OK) == 0,
	   "it is written when that is possible");
}

/* Without a restart, as where nodes are added: the engine is another one. */
static void test_reconfigure(void)
{
	lay(36000);
	job_ends(11);
	start_after(2);
	set_cluster("libra_firm_age=7200", true);
	tell(false);
	ok(start_after(2) == KEPT_S, "a new engine has the places, too");
	set_cluster("libra_firm_age=7200", true);
	ok(start_after(2) == KEPT_S && access(file, F_OK) == 0,
	   "one that stays has them as they were");
	states[20] = LIBRA_JOB_GONE;
	ok(start_after(2) == T0 + 1200 && access(file, F_OK) < 0,
	   "who is cancelled needs none");
}

int main(void)
{
	host = libra_host_create();
	state_folder = mkdtemp(folder);
	if (!host || !state_folder)
		return 1;
	snprintf(file, sizeof(file), "%s/libra_kept", folder);
	test_restart();
	test_without();
	test_victim_there();
	test_gone();
	test_completing();
	test_other_nodes();
	test_damaged();
	test_promise_first();
	test_noted();
	test_written();
	test_often();
	test_unreadable();
	test_too_late();
	test_full_disk();
	test_reconfigure();
	libra_host_fini(host);
	unlink(file);
	snprintf(file, sizeof(file), "%s/libra_learned", folder);
	unlink(file);
	snprintf(file, sizeof(file), "%s/libra_learned.bad", folder);
	unlink(file);
	ok(rmdir(folder) == 0, "nothing else is left");
	return finish_plans();
}
