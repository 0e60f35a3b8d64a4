/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_alarm.c - the SPANK plugin's alarms: deadlines that pass on a node.
 */
#include <math.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "plugin/spank/alarm.h"
#include "tests/enforce/spank_fixture.h"

static int count_threads(void)
{
	FILE *file = popen("cat /proc/$PPID/task/*/comm", "r");
	char name[64];
	int n = 0;

	assert_non_null(file);
	while (fgets(name, sizeof(name), file))
		n += strcmp(name, "libra_alarm\n") == 0;
	assert_int_equal(pclose(file), 0);
	return n;
}

/* Polls; a machine under load is slow. */
static bool becomes(const struct fixture *f, const char *path, long value)
{
	const struct timespec pause = {0, 5000000};

	for (int i = 0; i < 2000; i++) {
		if (get(f, path) == value)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void who_is_late_gives_his_turn_away(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 0.3, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 2);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(count_threads(), 1);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.3);
	libra_alarm_stop();
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(count_threads(), 0);
	assert_string_equal(f->said, "");
}

static void change_on(struct fixture *f, struct spank_change c)
{
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	assert_non_null(node);
	assert_true(spank_node_change(node, &c));
	spank_node_close(node);
}

/* Its deadline was moved by .4 s: nothing happens before. */
static void an_alarm_follows_a_later_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 0.2, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	change_on(f, change(1, 1, 1, 5, now_s + 0.6));
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.6);
	libra_alarm_stop();
}

/* It was late, its deadline is moved, and it is late again. */
static void an_alarm_follows_a_deadline_that_was_over(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 0.1, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	now_s = clock_s();
	change_on(f, change(1, 1, 1, 5, now_s + 1));
	node = spank_node_open(&f->conf, NULL);
	spank_node_renew(node, now_s);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 2);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 1);
	libra_alarm_stop();
}

static void an_alarm_follows_a_nearer_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 500, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	for (uint32_t i = 1; i < 4; i++)
		change_on(f, change(1, i, 1, 5, now_s + 100 - i));
	change_on(f, change(1, 4, 1, 5, now_s + 0.3));
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.3);
	libra_alarm_stop();
}

/* slurmctld's answer. */
static struct spank_change answer;
static atomic_int asked;

static int answer_it(uint32_t job_id, struct spank_change *now)
{
	asked++;
	*now = answer;
	return answer.id == job_id ? 0 : -1;
}

/* Nothing tells the node of its change: it asks before the old deadline. */
static void an_alarm_asks_before_the_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_job j;

	asked = 0;
	answer = change(1, 7, 0.25, 5, now_s + 5000);
	start_on(f, turn(1, now_s + 3, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 4000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() < now_s + 3);
	assert_int_equal(asked, 1);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.deadline_s == now_s + 5000 && j.share == 1);
	assert_int_equal(j.change, 0); /* slurmctld's numbers go on */
	libra_alarm_stop();
	assert_string_equal(f->said, "");
}

/* No answer, or the old numbers: the deadline passes as it was. */
static void an_alarm_without_an_answer_goes_on(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	asked = 0;
	answer = change(99, 0, 1, 5, now_s);
	start_on(f, turn(1, now_s + 0.5, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.5);
	assert_int_equal(asked, 1);
	libra_alarm_stop();
}

/* With shares a deadline that passes is no event; but one that was moved is
 * learnt before.
 */
static void an_alarm_of_a_share_only_asks(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_job j;

	asked = 0;
	/* So far away that the seconds of a slow machine change no weight. */
	answer = change(1, 0, 0.25, 1e5, now_s + 4e5);
	start(f, job(1, 0.5, 1e5, now_s + 0.4), 1, 0, now_s);
	start(f, job(2, 0.5, 1e5, now_s + 2e5), 1, 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_1/cpu.weight", 500));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.deadline_s == now_s + 4e5 && j.share == 0.25);
	libra_alarm_stop();
	assert_int_equal(asked, 1);
}

static void an_alarm_ends_at_once_when_taken_back(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(count_threads(), 1);
	now_s = clock_s();
	libra_alarm_stop();
	assert_true(clock_s() < now_s + 1);
	assert_int_equal(count_threads(), 0);
	libra_alarm_stop();
}

/* Who holds the lock may do so for seconds. */
static void an_alarm_that_waits_for_the_lock_gives_up(void **state)
{
	const struct timespec pause = {0, 20000000};
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_node *node;

	start_on(f, turn(1, now_s - 1, NULL), 1, "0", 0, now_s);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	nanosleep(&pause, NULL);
	now_s = clock_s();
	libra_alarm_stop();
	assert_true(clock_s() < now_s + 1);
	spank_node_close(node);
	assert_string_equal(f->said, "");
}

/* A forked child has no thread to wait for. */
static void a_child_does_not_stop_its_parents_alarm(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	int status;
	pid_t pid;

	start_on(f, turn(1, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	pid = fork();
	if (pid == 0) {
		libra_alarm_stop();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_threads(), 1);
	libra_alarm_stop();
}

static void jobs_without_a_deadline_have_no_alarm(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start(f, job(1, 0, 0, 0), 1, 0, now_s); /* best effort */
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(libra_alarm_set(&f->conf, 77, NULL), 0);
	start_on(f, turn(2, INFINITY, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 2, NULL), 0);
	assert_int_equal(count_threads(), 0);
}

/* A case that fails leaves its alarm to nobody. */
static int stop_and_tear_down(void **state)
{
	libra_alarm_stop();
	return tear_down(state);
}

#define ON_NODE(test)                                                          \
	cmocka_unit_test_setup_teardown(test, set_up, stop_and_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_NODE(who_is_late_gives_his_turn_away),
		ON_NODE(an_alarm_follows_a_later_deadline),
		ON_NODE(an_alarm_follows_a_deadline_that_was_over),
		ON_NODE(an_alarm_follows_a_nearer_deadline),
		ON_NODE(an_alarm_asks_before_the_deadline),
		ON_NODE(an_alarm_without_an_answer_goes_on),
		ON_NODE(an_alarm_of_a_share_only_asks),
		ON_NODE(an_alarm_ends_at_once_when_taken_back),
		ON_NODE(an_alarm_that_waits_for_the_lock_gives_up),
		ON_NODE(a_child_does_not_stop_its_parents_alarm),
		ON_NODE(jobs_without_a_deadline_have_no_alarm),
	};

	/* Notes on groups are root's. */
	if (geteuid() != 0) {
		puts("1..0 # SKIP must be root: it is root's files");
		return 0;
	}
	return cmocka_run_group_tests_name("alarm", tests, NULL, NULL);
}
