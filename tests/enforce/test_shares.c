/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_shares.c - the SPANK plugin's jobs and weights, without Slurm.
 *
 * What only a kernel can do (moving, ending and removing) is tested on real
 * cgroups by the scripts beside this.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/enforce/spank_fixture.h"

static void every_start_and_end_renews_all(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	start(f, job(2, 0.25, 50, NOW + 200), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	/* 50 s later job 1 has worked 40 s: 10 / 50 = .2; job 2 has 10 s:
	 * 40 / 150 = .2667; the new one asks for .3.
	 */
	group(f, "libra/n1/job_1", 40);
	group(f, "libra/n1/job_2", 10);
	start(f, job(3, 0.3, 30, NOW + 150), 1, 0, NOW + 50);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 667);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 889);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 1000);
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 3, NOW + 50);
	assert_int_equal(spank_node_njobs(node), 2);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 750);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_false(spank_store_knows(&f->conf, 33));
	assert_true(spank_store_knows(&f->conf, 2));
}

/* Deadlines in 30, 10 and 20 s: the second has its turn, then the third; at
 * NOW + 25 the third is late, and the first comes before it.
 */
static void every_event_gives_the_turn_anew(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start_on(f, turn(1, NOW + 30, NULL), 1, "0", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	start_on(f, turn(2, NOW + 10, NULL), 1, "0", 0, NOW);
	start_on(f, turn(3, NOW + 20, NULL), 2, "0-1", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2);
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 2, NOW + 5);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2000);
	node = spank_node_open(&f->conf, NULL);
	spank_node_renew(node, NOW + 25);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2);
}

static void what_is_known_is_read_without_lock(void **state)
{
	struct fixture *f = *state;
	struct spank_job j;

	start_on(f, turn(1, NOW + 30, NULL), 1, "0", 0, NOW);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.turns && j.deadline_s == NOW + 30);
	/* From its note. */
	put(f, "state/n1/job_1", "libra 1 job=1 user=0 cpus=1 share=0.");
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.turns && j.deadline_s == NOW + 30);
	assert_int_equal(spank_store_get(&f->conf, 2, &j), -1);
	assert_int_equal(errno, ENOENT);
	put(f, "state/n1/job_2",
	    "libra 1 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
	    "group= end\n");
	assert_int_equal(spank_store_get(&f->conf, 2, &j), -1);
}

static void a_lost_state_folder_is_made_again(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	char command[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(command, sizeof(command), "rm -rf %s", f->state);
	assert_int_equal(system(command), 0);
	start(f, job(2, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 2);
	spank_node_close(node);
	assert_true(get(f, "state/n1/job_1") == -1);
	snprintf(command, sizeof(command), "test -f %s/n1/job_1", f->state);
	assert_int_equal(system(command), 0);
}

/* Groups that are gone (a reboot with a state folder on disk) harm nobody. */
static void a_weight_that_fails_is_told_and_renewed_later(void **state)
{
	struct fixture *f = *state;
	char name[256];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(name, sizeof(name), "%s/libra/n1/job_1/cpu.weight", f->top);
	assert_int_equal(unlink(name), 0);
	start(f, job(2, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_contains(f->said, "1 of 2 weights not renewed");
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	f->said[0] = '\0';
	put(f, "cg/libra/n1/job_1/cpu.weight", "100");
	start(f, job(3, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_string_equal(f->said, "");
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
}

static void a_damaged_record_is_dropped_for_the_note(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "state/n1/job_1", "libra 1 job=1 user=0 cpus=1 share=0.");
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	spank_node_close(node);
}

static void slurms_own_group_is_found_and_used(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100);
	struct spank_node *node;

	folder(f, "cg/system.slice");
	folder(f, "cg/system.slice/n1_slurmstepd.scope");
	group(f, "system.slice/n1_slurmstepd.scope/job_12", 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	assert_int_equal(
		spank_node_enter(node, 12, 1, NULL,
				 "0::/system.slice/n1_slurmstepd.scope/"
				 "job_12/step_batch/slurm\n",
				 4711, NOW),
		0);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/system.slice/n1_slurmstepd.scope/job_12/"
				"cpu.weight"),
			 1000);
	/* The process is where Slurm put it. */
	assert_int_equal(get(f, "cg/system.slice/n1_slurmstepd.scope/job_12/"
				"cgroup.procs"),
			 -1);
}

#define SLURMS "system.slice/slurmstepd.scope"

static void enter_slurms(struct spank_node *node, uint32_t id)
{
	char where[128];

	snprintf(where, sizeof(where), "0::/" SLURMS "/job_%u/step_0\n", id);
	assert_int_equal(spank_node_enter(node, id, 1, "0", where, 4711, NOW),
			 0);
}

static void make_slurms(const struct fixture *f, uint32_t id)
{
	char path[64];

	folder(f, "cg/system.slice");
	folder(f, "cg/" SLURMS);
	snprintf(path, sizeof(path), SLURMS "/job_%u", id);
	group(f, path, 0);
}

/* A step of a held job is in the group that is held. */
static void who_takes_the_lock_is_not_held(void **state)
{
	static const char weight[] = "cg/" SLURMS "/job_12/cpu.weight";
	struct fixture *f = *state;
	struct spank_job held = turn(12, NOW + 20, NULL);
	struct spank_node *node;

	start_on(f, turn(1, NOW + 10, NULL), 1, "0", 0, NOW);
	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &held, NOW);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 2);
	f->conf.caller = 12;
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(get(f, weight), 1000);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
}

#define JOB_12 "0::/" SLURMS "/job_12/step_batch/slurm\n"

static void a_first_step_is_lifted_to_begin(void **state)
{
	static const char weight[] = "cg/" SLURMS "/job_12/cpu.weight";
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100);
	struct spank_node *node;

	make_slurms(f, 12);
	put(f, weight, "100");
	assert_false(spank_node_lift(&f->conf, 12, JOB_12, false));
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_false(spank_node_lift(&f->conf, 12, "0::/\n", false));
	assert_int_equal(get(f, weight), 100);
	assert_true(spank_node_lift(&f->conf, 12, JOB_12, false));
	assert_int_equal(get(f, weight), 1000);
	assert_true(spank_node_lift(&f->conf, 12, JOB_12, true));
	assert_int_equal(get(f, weight), 100);
	/* Once a task has come, its weight is the job's. */
	start(f, job(1, 0.25, 100, NOW + 100), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 500);
	assert_false(spank_node_lift(&f->conf, 12, JOB_12, false));
	assert_int_equal(get(f, weight), 500);
}

static void slurmstepd_leaves_the_group_of_its_job(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0, 0, 0);
	struct spank_node *node;

	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	/* Slurm has no such group. */
	assert_false(spank_node_step_aside(&f->conf, 12, JOB_12, 4711));
	group(f, SLURMS "/system", 0);
	put(f, "cg/" SLURMS "/system/cgroup.procs", "0");
	assert_false(spank_node_step_aside(&f->conf, 13, JOB_12, 4711));
	assert_false(spank_node_step_aside(&f->conf, 12, "0::/\n", 4711));
	assert_true(spank_node_step_aside(&f->conf, 12, JOB_12, 4711));
	assert_int_equal(get(f, "cg/" SLURMS "/system/cgroup.procs"), 4711);
	assert_int_equal(get(f, "cg/" SLURMS "/system/cpu.weight"), 1000);
}

/* No folder can keep its record, and Slurm's group is not there yet. */
static void a_group_is_made_to_keep_what_is_known(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100), known;
	struct spank_node *node;

	assert_int_equal(mkdir(f->state, 0777), 0);
	assert_int_equal(chmod(f->state, 0777), 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_true(spank_store_knows(&f->conf, 12));
	assert_int_equal(spank_store_get(&f->conf, 12, &known), 0);
	assert_string_equal(known.group, "");
	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/" SLURMS "/job_12/cpu.weight"), 1000);
	assert_int_equal(spank_store_get(&f->conf, 12, &known), 0);
	assert_string_equal(known.group, SLURMS "/job_12");
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	spank_node_end(node, 12, NOW);
	spank_node_close(node);
	assert_false(spank_store_knows(&f->conf, 12));
}

/* Where its group could not be removed the first time. */
static void an_end_can_be_repeated(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	char name[160];

	folder(f, "cg/libra/n1/job_7");
	assert_true(spank_store_knows(&f->conf, 7));
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 7, NOW);
	spank_node_close(node);
	snprintf(name, sizeof(name), "%s/libra/n1/job_7", f->top);
	assert_int_equal(access(name, F_OK), -1);
	assert_false(spank_store_knows(&f->conf, 7));
	assert_string_equal(f->said, "");
}

/* What was written half when its writer was killed. */
static void an_end_leaves_no_file(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(1, 0.5, 50, NOW + 100);
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	spank_node_begin(node, &j, NOW);
	put(f, "state/n1/.job_1", "libra 1 jo");
	spank_node_end(node, 1, NOW);
	spank_node_close(node);
	assert_int_equal(access(f->state, F_OK), -1);
}

static void cores_that_are_no_list_are_told(void **state)
{
	struct fixture *f = *state;

	start_on(f, turn(1, NOW + 30, NULL), 2, "1020-1030", 0, NOW);
	assert_contains(f->said,
			"job 1: its cores here are not known (1020-1030;");
	start_on(f, turn(2, NOW + 40, NULL), 1, "0", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 10000);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
}

/* Slurm forks while a thread of ours has the lock. */
static void a_child_does_not_keep_the_lock(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	double begin_s;
	int status;
	pid_t pid;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	spank_node_close(node);
	begin_s = clock_s();
	node = spank_node_open(&f->conf, NULL);
	assert_true(clock_s() < begin_s + 2);
	spank_node_close(node);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_string_equal(f->said, "");
}

static void a_host_without_weights_says_so(void **state)
{
	struct fixture *f = *state;
	struct libra_error err = {0};

	put(f, "cg/cgroup.controllers", "cpuset memory\n");
	assert_null(spank_node_open(&f->conf, &err));
	assert_int_equal(errno, ENOTSUP);
	assert_one_line(&err);
	assert_contains(err.text, "shares are not enforced");
}

/* Shares .5 and .5; then the first has to do 100 s in 400 s: .25 to .5. */
static void a_changed_promise_changes_the_weights(void **state)
{
	struct fixture *f = *state;
	struct spank_change c = change(1, 1, 0.25, 100, NOW + 400);
	struct spank_node *node;
	struct spank_job j;

	start(f, job(1, 0.5, 100, NOW + 200), 1, 0, NOW);
	start(f, job(2, 0.5, 100, NOW + 200), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	node = spank_node_open(&f->conf, NULL);
	assert_true(spank_node_change(node, &c));
	spank_node_renew(node, NOW);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 500);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.change == 1 && j.deadline_s == NOW + 400);
	assert_string_equal(f->said, "");
}

/* A message that comes late, or a second time. */
static void an_older_change_is_refused(void **state)
{
	struct fixture *f = *state;
	struct spank_change newer = change(1, 2, 0.25, 100, NOW + 400);
	struct spank_change older = change(1, 1, 1, 100, NOW + 100);
	struct spank_change other = change(9, 1, 1, 100, NOW + 100);
	struct spank_node *node;
	struct spank_job j;

	start(f, job(1, 0.5, 100, NOW + 200), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	assert_true(spank_node_change(node, &newer));
	assert_false(spank_node_change(node, &newer));
	assert_false(spank_node_change(node, &older));
	assert_false(spank_node_change(node, &other));
	spank_node_close(node);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.change == 2 && j.share == 0.25);
	assert_int_equal(spank_store_get(&f->conf, 9, &j), -1);
}

/* --- what others may have put in the way ---------------------------------- */

static void a_state_folder_of_others_is_refused(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	assert_int_equal(mkdir(f->state, 0777), 0);
	assert_int_equal(chmod(f->state, 0777), 0);
	node = spank_node_open(&f->conf, NULL);
	assert_non_null(node); /* jobs run on */
	assert_contains(f->said, "continuing without a lock");
	spank_node_close(node);
}

static void records_of_others_are_not_read(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(1, 0.5, 50, NOW + 100);
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_true(spank_store_knows(&f->conf, 1));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_int_equal(chmod(f->state, 0755), 0);
	assert_false(spank_store_knows(&f->conf, 1));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), -1);
	assert_int_equal(errno, ENOENT);
}

/* A later version's record, and what is none: told, and left. */
static void what_cannot_be_read_is_left(void **state)
{
	struct fixture *f = *state;
	struct spank_job j;
	struct spank_node *node;
	char name[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "state/n1/job_2", "libra 9 job=2 other\n");
	snprintf(name, sizeof(name), "%s/n1/job_3", f->state);
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_int_equal(spank_store_get(&f->conf, 3, &j), -1);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	assert_contains(f->said, "job 2: its record in");
	assert_contains(f->said, "written by a later version");
	assert_contains(f->said, "job 3: its record in");
	assert_int_equal(access(name, F_OK), 0);
	spank_node_end(node, 2, NOW);
	spank_node_end(node, 3, NOW);
	spank_node_close(node);
	assert_int_equal(access(name, F_OK), -1);
	assert_false(spank_store_knows(&f->conf, 2));
}

static void a_link_is_not_followed(void **state)
{
	struct fixture *f = *state;
	char victim[160], link_name[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "victim", "precious");
	snprintf(victim, sizeof(victim), "%s/victim", f->dir);
	/* A record, its new version, and the lock. */
	snprintf(link_name, sizeof(link_name), "%s/n1/job_2", f->state);
	assert_int_equal(symlink(victim, link_name), 0);
	snprintf(link_name, sizeof(link_name), "%s/n1/.job_2", f->state);
	assert_int_equal(symlink(victim, link_name), 0);
	snprintf(link_name, sizeof(link_name), "%s/n1/lock", f->state);
	assert_int_equal(unlink(link_name), 0);
	assert_int_equal(symlink(victim, link_name), 0);
	start(f, job(2, 0.5, 50, NOW + 100), 1, 0, NOW);
	assert_contains(f->said, "continuing without a lock");
	snprintf(link_name, sizeof(link_name), "grep -qx precious %s/victim",
		 f->dir);
	assert_int_equal(system(link_name), 0);
}

static void a_linked_state_folder_is_refused(void **state)
{
	struct fixture *f = *state;
	char target[160];
	struct stat st;

	folder(f, "elsewhere");
	snprintf(target, sizeof(target), "%s/elsewhere", f->dir);
	assert_int_equal(chmod(target, 0700), 0);
	assert_int_equal(symlink(target, f->state), 0);
	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(target, sizeof(target), "%s/elsewhere/n1", f->dir);
	assert_int_equal(stat(target, &st), -1);
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	static const char *const names[] = {"",	   "..",  "a/b", "../x",
					    ".n1", "a b", "n\n", NULL};
	struct fixture *f = *state;

	for (int i = 0; i < 8; i++) {
		struct libra_error err = {0};

		f->conf.name = names[i];
		assert_null(spank_node_open(&f->conf, &err));
		assert_int_equal(errno, EINVAL);
	}
	f->conf.name = "n1";
	f->conf.state = "relative";
	assert_null(spank_node_open(&f->conf, NULL));
}

static void a_group_that_is_a_link_is_not_entered(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(5, 0.5, 50, NOW + 100);
	struct spank_node *node;
	char target[160], link_name[200];

	group(f, "precious", 0);
	snprintf(target, sizeof(target), "%s/precious", f->top);
	snprintf(link_name, sizeof(link_name), "%s/libra/n1/job_5", f->top);
	assert_int_equal(symlink(target, link_name), 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_enter(node, 5, 1, NULL, "", 4711, NOW);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/precious/cpu.weight"), 100);
	assert_int_equal(get(f, "cg/precious/cgroup.procs"), -1);
	assert_contains(f->said, "without its share");
}

/* --- many at once --------------------------------------------------------- */

/* Sixteen processes, each with four jobs: nothing is lost, and when all are
 * over nothing is left.
 */
static void events_of_many_processes_do_not_mix(void **state)
{
	enum { PROCESSES = 16, EACH = 4 };
	struct fixture *f = *state;
	struct spank_node *node;
	int status, failed = 0;
	char command[160];

	for (uint32_t i = 1; i <= PROCESSES * EACH; i++) {
		char path[64];

		snprintf(path, sizeof(path), "libra/n1/job_%u", i);
		group(f, path, 0);
	}
	for (uint32_t p = 0; p < PROCESSES; p++) {
		if (fork())
			continue;
		for (uint32_t k = 1; k <= EACH; k++) {
			struct spank_job j =
				job(p * EACH + k, 0.01, 1, NOW + 100);

			node = spank_node_open(&f->conf, NULL);
			if (!node)
				_exit(1);
			spank_node_begin(node, &j, NOW);
			spank_node_close(node);
			node = spank_node_open(&f->conf, NULL);
			if (!node || spank_node_enter(node, j.id, 1, NULL, "",
						      1, NOW) < 0)
				_exit(1);
			spank_node_close(node);
		}
		_exit(f->said[0] ? 2 : 0);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), PROCESSES * EACH);
	for (uint32_t i = 1; i <= PROCESSES * EACH; i++) {
		snprintf(command, sizeof(command), "rm -r %s/libra/n1/job_%u",
			 f->top, i);
		assert_int_equal(system(command), 0);
		spank_node_end(node, i, NOW);
	}
	spank_node_close(node);
	snprintf(command, sizeof(command), "test ! -e %s", f->state);
	assert_int_equal(system(command), 0);
	assert_string_equal(f->said, "");
}

#define ON_NODE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_NODE(every_start_and_end_renews_all),
		ON_NODE(every_event_gives_the_turn_anew),
		ON_NODE(what_is_known_is_read_without_lock),
		ON_NODE(a_lost_state_folder_is_made_again),
		ON_NODE(a_weight_that_fails_is_told_and_renewed_later),
		ON_NODE(a_damaged_record_is_dropped_for_the_note),
		ON_NODE(slurms_own_group_is_found_and_used),
		ON_NODE(who_takes_the_lock_is_not_held),
		ON_NODE(a_first_step_is_lifted_to_begin),
		ON_NODE(slurmstepd_leaves_the_group_of_its_job),
		ON_NODE(a_group_is_made_to_keep_what_is_known),
		ON_NODE(an_end_can_be_repeated),
		ON_NODE(an_end_leaves_no_file),
		ON_NODE(cores_that_are_no_list_are_told),
		ON_NODE(a_child_does_not_keep_the_lock),
		ON_NODE(records_of_others_are_not_read),
		ON_NODE(what_cannot_be_read_is_left),
		ON_NODE(a_host_without_weights_says_so),
		ON_NODE(a_changed_promise_changes_the_weights),
		ON_NODE(an_older_change_is_refused),
		ON_NODE(a_state_folder_of_others_is_refused),
		ON_NODE(a_link_is_not_followed),
		ON_NODE(a_linked_state_folder_is_refused),
		ON_NODE(names_that_lead_elsewhere_are_refused),
		ON_NODE(a_group_that_is_a_link_is_not_entered),
		ON_NODE(events_of_many_processes_do_not_mix),
	};

	/* Notes on groups are root's. */
	if (geteuid() != 0) {
		puts("1..0 # SKIP must be root: it is root's files");
		return 0;
	}
	return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
