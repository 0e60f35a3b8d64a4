/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cli.c - the command libra on a cluster that is written down. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/formula/reserve.h"
#include "tests/unit/cli_site.h"

static void test_nodes_are_numbered_as_the_plugins_do(void **state)
{
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cluster.nprocs, 6);
	assert_int_equal(cluster.nmanaged, 2);
	assert_false(cluster.nodes[1].managed);
	assert_int_equal(cluster.nodes[2].first, 2);
	assert_ptr_equal(cli_cluster_partition(&cluster, NULL),
			 &cluster.parts[0]);
	assert_ptr_equal(cli_cluster_partition(&cluster, "other"),
			 &cluster.parts[1]);
	assert_null(cli_cluster_partition(&cluster, "none"));
	cli_cluster_fini(&cluster);
}

static void test_a_record_tells_progress(void **state)
{
	struct cli_progress now;
	struct cli_part *parts;
	struct cli_cluster cluster;
	double *shares;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	add_job(&cluster, 8, "somebody's note", CLI_JOB_RUNNING);
	add_job(&cluster, 9, JOB7, CLI_JOB_OVER);
	cli_cluster_arrange(&cluster);
	/* In order of submission: the one without a promise is the oldest. */
	assert_int_equal(cluster.jobs[1].id, 7);
	assert_int_equal(cli_job_parts(&cluster, &cluster.jobs[1], &parts), 1);
	assert_near(parts[0].est_left_s, 250, 1e-9);
	assert_near(parts[0].share, 0.25, 1e-12);
	now = cli_job_progress(&cluster, &cluster.jobs[1], parts, 1);
	assert_near(now.done, 350 / 600., 1e-12);
	assert_near(now.slack_s, 750, 1e-9);
	free(parts);
	shares = cli_cluster_shares(&cluster);
	assert_near(shares[0], 0.25, 1e-12);
	assert_near(shares[1], 0.25, 1e-12);
	assert_near(shares[2], 0, 0);
	free(shares);
	cli_cluster_fini(&cluster);
}

static void test_a_requeued_job_has_no_promise(void **state)
{
	struct cli_part *parts;
	struct cli_cluster cluster;
	double *shares;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_WAITING);
	cli_cluster_arrange(&cluster);
	assert_true(cluster.jobs[0].promised);
	assert_int_equal(cluster.jobs[0].promise.offer, 0);
	assert_int_equal(cli_job_parts(&cluster, &cluster.jobs[0], &parts), 0);
	free(parts);
	shares = cli_cluster_shares(&cluster);
	assert_near(shares[0], 0, 0);
	free(shares);
	cli_cluster_fini(&cluster);
}

static void test_records_of_another_cluster(void **state)
{
	static const char *const on[] = {"z:0", "b:0", "a:1-2",
					 "a:2", "a",   "a:0-"};
	struct cli_part *parts;
	struct cli_cluster cluster;
	char text[256];

	make_site(&cluster, SETTINGS);
	for (int i = 0; i < 6; i++) {
		snprintf(text, sizeof(text),
			 "libra:1 offer=5.1 tasks=1 procs=1 estimate=600 "
			 "deadline=2000 submit=800 share=0.5 part=main "
			 "shape=1.0.0.0 left= on=%s",
			 on[i]);
		add_job(&cluster, (uint32_t)i + 1, text, CLI_JOB_RUNNING);
	}
	cli_cluster_arrange(&cluster);
	for (int i = 0; i < 6; i++) {
		assert_true(cluster.jobs[i].promised);
		errno = 0;
		assert_int_equal(
			cli_job_parts(&cluster, &cluster.jobs[i], &parts), -1);
		assert_int_equal(errno, EINVAL);
	}
	cli_cluster_fini(&cluster);
}

static void fails(const struct cli_cluster *cluster,
		  const struct cli_request *r, int code, const char *part)
{
	struct libra_error err = {""};
	struct cli_answer a;

	errno = 0;
	assert_int_equal(cli_what_if_rules(cluster, r, &a, &err), -1);
	assert_int_equal(errno, code);
	assert_one_line(&err);
	assert_contains(err.text, part);
}

/* A rule answers for the policy. */
static void ruled(const struct cli_cluster *cluster,
		  const struct cli_request *r, enum cli_answered by,
		  const char *part)
{
	struct libra_error err = {""};
	struct cli_answer a;
	struct printed p;

	assert_int_equal(cli_what_if_rules(cluster, r, &a, &err), 0);
	assert_int_equal(a.by, by);
	assert_int_equal(cli_print_answer(cluster, r, &a, print_text(&p)),
			 by == CLI_BY_MAX_TIME ? CLI_REFUSED : CLI_NOT_MANAGED);
	printed(&p);
	assert_contains(p.text, part);
	free(p.text);
}

static void test_what_if_says_what_is_wrong(void **state)
{
	struct cli_request r = request(600, 900, 1);
	struct cli_cluster cluster;
	struct libra_error err = {""};
	struct cli_answer a;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	fails(&cluster, &r, EINVAL, "in the past");
	r = request(INFINITY, 1800, 1);
	fails(&cluster, &r, EINVAL, "and not unlimited");
	r = request(600, 1800, 1);
	r.partition = "other";
	ruled(&cluster, &r, CLI_BY_NO_MANAGER, "other is not managed");
	r.partition = "none";
	fails(&cluster, &r, ENOENT, "no partition none");
	r.partition = NULL;
	cluster.parts[0].max_minutes = 13; /* of 800 s until the deadline */
	ruled(&cluster, &r, CLI_BY_MAX_TIME, "MaxTime of partition main");
	cluster.parts[0].max_minutes = 14;
	assert_int_equal(cli_what_if_rules(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.by, CLI_BY_POLICY);
	cli_cluster_fini(&cluster);
	make_site(&cluster, "libra_partitions=nowhere");
	cli_cluster_arrange(&cluster);
	ruled(&cluster, &r, CLI_BY_NO_MANAGER, "not managed");
	cli_cluster_fini(&cluster);
}

static void test_numbers_of_nodes(void **state)
{
	uint32_t min = 0, max = 0;

	assert_int_equal(cli_parse_nodes("3", &min, &max), 0);
	assert_int_equal(min, 3);
	assert_int_equal(max, 0);
	assert_int_equal(cli_parse_nodes("2-4", &min, &max), 0);
	assert_int_equal(min, 2);
	assert_int_equal(max, 4);
	assert_int_equal(cli_parse_nodes("", &min, &max), -1);
	assert_int_equal(cli_parse_nodes("0", &min, &max), -1);
	assert_int_equal(cli_parse_nodes("4-2", &min, &max), -1);
	assert_int_equal(cli_parse_nodes("2-", &min, &max), -1);
	assert_int_equal(cli_parse_nodes("2x", &min, &max), -1);
	assert_int_equal(cli_parse_nodes("-1", &min, &max), -1);
	assert_int_equal(min, 2);
}

static void test_times_for_people(void **state)
{
	char text[32];

	setenv("TZ", "UTC", 1);
	tzset();
	cli_clock_text(1795194603.25, 1795194000, text);
	assert_string_equal(text, "17:10:04");
	cli_clock_text(INFINITY, 0, text);
	assert_string_equal(text, "none");
	cli_short_clock(1795194603, 1795194000, text);
	assert_string_equal(text, "17:10");
	cli_short_clock(1795194603, 1795094000, text);
	assert_string_equal(text, "11-20 17:10");
	cli_short_clock(1795194603, 0, text);
	assert_string_equal(text, "2026-11-20");
}

/* slurmctld's words are read in its zone, whatever ours is. */
static void test_instants_of_slurmctld(void **state)
{
	static const struct {
		const char *line;
		double now_s, at_s;
	} lines[] = {
		{"earliest: 2026-11-20T17:10:04+0100 (a", 0, 1795191004},
		{"start 17:10:04 (17:20:00 at the latest), by 18:00:00 UTC",
		 1795194000, 1795194604},
		{"start 17:10:04, by 18:00:00 UTC+01:00", 1795190000,
		 1795191004},
		{"start 2026-11-20 17:10:04, by 18:00:00 UTC-02:30 (x)", 0,
		 1795203604},
		/* It was written behind midnight, and asked for before. */
		{"start 00:05:00 UTC", 1795219190, 1795219500},
		{"start none", 1795194000, -1},
		{"no word", 1795194000, -1},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_near(cli_instant_after(lines[i].line,
					      i ? "start " : "earliest: ",
					      lines[i].now_s, -1),
			    lines[i].at_s, 0);
}

/* By its estimate 0.4 s late, and past its deadline: it yields, so that nothing
 * is promised to it any more.
 */
static void test_a_late_job_is_shown_with_the_rest(void **state)
{
	static const char late[] =
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=100 deadline=900 "
		"submit=800 share=1 part=main shape=1.0.0.0 late=0.4 "
		"left=-50/0.5/900 on=a:0-1";
	static const char *const settings[] = {SETTINGS, SETTINGS
					       ",libra_late_yields=no"};
	struct cli_cluster cluster;
	struct printed p;

	for (int paper = 0; paper < 2; paper++) {
		make_site(&cluster, settings[paper]);
		add_job(&cluster, 7, late, CLI_JOB_RUNNING);
		add_job(&cluster, 8, JOB7, CLI_JOB_RUNNING);
		cli_cluster_arrange(&cluster);
		assert_int_equal(cli_print_status(&cluster, NULL, &every_line,
						  print_text(&p)),
				 0);
		printed(&p);
		assert_contains(p.text, paper ? "0-1: 1.25\n" : "0-1: 0.25\n");
		assert_contains(p.text, paper ? " 1.00  200%" : " rest  200%");
		assert_contains(p.text, "by its estimate 1 s late");
		free(p.text);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "",
			      print_text(&p));
		printed(&p);
		assert_contains(p.text,
				paper ? "share 1.00, "
				      : "it gets what the shares of others");
		assert_contains(p.text, "it ends 1 s after its deadline");
		free(p.text);
		cli_cluster_fini(&cluster);
	}
}

/* It was promised, and cannot be kept; planned bets are none. */
static void test_a_broken_promise_is_explained(void **state)
{
	static const char *const waits[] = {
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=5000 "
		"submit=800 share=1 part=main shape=1.0.0.0 late=100 "
		"broken=node_lost:n_3 start=4500 left= on=",
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=5000 "
		"submit=4500 share=1 part=main shape=1.0.0.0 late=100 "
		"start=4500 left= on="};
	struct cli_cluster cluster;
	struct printed p;

	for (int bet = 0; bet < 2; bet++) {
		make_site(&cluster, "libra_policy=planned");
		add_job(&cluster, 7, waits[bet], CLI_JOB_WAITING);
		cli_cluster_arrange(&cluster);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "",
			      print_text(&p));
		printed(&p);
		assert_true(bet == !strstr(p.text,
					   "  broken     its promise: node "
					   "lost: n_3; by its estimate it ends "
					   "100 s after its deadline\n"));
		assert_true(bet == !strstr(p.text, ", or as soon as it can\n"));
		assert_true(bet == !!strstr(p.text, "accepted as a bet"));
		assert_true(bet == !!strstr(p.text, "no promise: by its"));
		free(p.text);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "",
			      print_json(&p));
		printed(&p);
		assert_contains(p.text, bet ? "\"broken\": null"
					    : "\"broken\": \"node lost: n_3\"");
		free(p.text);
		cli_print_status(&cluster, NULL, &every_line, print_text(&p));
		printed(&p);
		assert_contains(p.text, bet ? "(bet: by its estimate 100 s"
					    : "(promise broken: by its");
		free(p.text);
		cli_cluster_fini(&cluster);
	}
}

/* A job that was to start at 4400 has to start now: it ends the later the
 * longer it waits.
 */
static void test_a_lateness_is_that_of_now(void **state)
{
	static const char waits[] =
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=5000 "
		"submit=800 share=1 part=main shape=1.0.0.0 late=1 "
		"broken=node_is_completing_since_12:03:10:n_3 start=4400 left= "
		"on=a:0-1";
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, "libra_policy=planned");
	add_job(&cluster, 7, waits, CLI_JOB_WAITING);
	cli_cluster_arrange(&cluster);
	cluster.now_s = 4492;
	cluster.nodes[0].away = "is completing";
	cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "", print_text(&p));
	printed(&p);
	assert_contains(p.text,
			"its promise: node is completing since 12:03:10: n_3; "
			"by its estimate it ends 92 s after its deadline");
	assert_contains(p.text, "  waits      node a is completing: Slurm "
				"starts no job there now\n");
	free(p.text);
	cli_print_status(&cluster, NULL, &every_line, print_text(&p));
	printed(&p);
	assert_contains(p.text, "promise broken: by its estimate 92 s");
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* 600 s by 5000 s with a margin of 100 s: it must start by 4300. */
static void test_a_planned_start_is_explained(void **state)
{
	static const char waits[] =
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=5000 "
		"submit=800 share=1 part=main shape=1.0.0.0 start=1500 left= "
		"on=";
	static const char *const settings[] = {
		"libra_policy=planned,libra_margin=100",
		"libra_policy=planned,libra_margin=100,libra_hard_starts=yes"};
	struct cli_cluster cluster;
	char at[32], latest[32];
	struct printed p;

	cli_clock_text(1500, 1000, at);
	cli_clock_text(4300, 1000, latest);
	for (int hard = 0; hard < 2; hard++) {
		make_site(&cluster, settings[hard]);
		add_job(&cluster, 7, waits, CLI_JOB_WAITING);
		cli_cluster_arrange(&cluster);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "",
			      print_text(&p));
		printed(&p);
		assert_contains(p.text, "  planned    to start at ");
		assert_contains(p.text, at);
		if (hard)
			assert_contains(p.text, ", and not later\n");
		else
			assert_contains(p.text, latest);
		assert_true(hard == !strstr(p.text, latest));
		free(p.text);
		cli_print_status(&cluster, NULL, &every_line, print_text(&p));
		printed(&p);
		assert_contains(p.text, at);
		free(p.text);
		cli_cluster_fini(&cluster);
	}
}

static double start_of(const struct cli_job *array, uint32_t index)
{
	struct cli_job task;

	assert_true(cli_job_task(array, index, &task));
	return cli_planned_start(&task.promise);
}

/* Tasks start in order of their indices, whatever the order in the record. */
static void test_tasks_have_planned_starts_of_their_own(void **state)
{
	struct cli_job array = {.label = (char[]){"9_[2-4]"},
				.state = CLI_JOB_WAITING,
				.tasks = 3,
				.promised = true};
	json_t *list;

	(void)state;
	assert_int_equal(
		libra_admin_comment_parse(
			"libra:1 offer=1.1 tasks=3 procs=4 estimate=60 "
			"deadline=900 submit=1 share=1 part=main "
			"shape=1.0.0.0 start=300;100;200.5 left= on= ",
			&array.promise),
		0);
	assert_true(cli_planned_start(&array.promise) == 100);
	assert_true(start_of(&array, 2) == 100);
	assert_true(start_of(&array, 3) == 200.5);
	assert_true(start_of(&array, 4) == 300);
	/* One has begun since the record was written. */
	array.label = (char[]){"9_[3-4]"};
	array.tasks = 2;
	assert_true(start_of(&array, 3) == 200.5);
	assert_true(start_of(&array, 4) == 300);
	list = cli_planned_starts(&array);
	assert_int_equal(json_array_size(list), 3);
	assert_true(json_real_value(json_array_get(list, 1)) == 200.5);
	json_decref(list);
	array.promise.start.len = 0;
	assert_true(isnan(start_of(&array, 3)));
}

/* The answer of a rule, for programs. */
static void test_answers_text_and_json(void **state)
{
	struct cli_request r = request(600, 1800, 7);
	struct libra_error err = {""};
	struct cli_answer a;
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	cluster.parts[0].max_minutes = 13;
	assert_int_equal(cli_what_if_rules(&cluster, &r, &a, &err), 0);
	assert_int_equal(cli_print_answer(&cluster, &r, &a, print_json(&p)),
			 CLI_REFUSED);
	printed(&p);
	assert_contains(p.text, "\"answer\": \"reject\"");
	assert_contains(p.text, "\"reason\": \"max_time\"");
	assert_contains(p.text, "\"reserved\": false");
	assert_contains(p.text, "\"share_needed\": 0.75");
	assert_contains(p.text, "nothing is reserved");
	free(p.text);
	cli_cluster_fini(&cluster);
}

static void test_counts_processors(void **state)
{
	struct cli_request r = request(600, 1800, 5);
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	cluster.cpus_per_proc = 2;
	assert_int_equal(cli_request_procs(&cluster, &r), 3);
	r.cpus_per_task = 3; /* two cores each */
	assert_int_equal(cli_request_procs(&cluster, &r), 10);
	r.min_nodes = 6;
	assert_int_equal(cli_request_procs(&cluster, &r), 12);
	cli_cluster_fini(&cluster);
}

/* slurmctld would find nothing to complain of in slurm.conf.example. */
static void test_the_example_is_sound(void **state)
{
	static const char name[] = "SchedulerParameters=";
	FILE *fp = fopen(test_path("slurm.conf.example"), "r");
	struct libra_host_conf conf;
	bool found = false;
	char line[1024];

	assert_non_null(fp);
	while (!found && fgets(line, sizeof(line), fp))
		found = strncmp(line, name, strlen(name)) == 0;
	fclose(fp);
	assert_true(found);
	line[strcspn(line, "\n")] = '\0';
	assert_int_equal(libra_host_conf_init(&conf, line + strlen(name),
					      no_report, NULL),
			 0);
	assert_string_equal(conf.policy->name, "planned");
	assert_int_equal(conf.npartitions, 1);
	assert_non_null(conf.log_path);
	libra_host_conf_fini(&conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes_are_numbered_as_the_plugins_do),
		cmocka_unit_test(test_a_record_tells_progress),
		cmocka_unit_test(test_a_requeued_job_has_no_promise),
		cmocka_unit_test(test_records_of_another_cluster),
		cmocka_unit_test(test_what_if_says_what_is_wrong),
		cmocka_unit_test(test_numbers_of_nodes),
		cmocka_unit_test(test_times_for_people),
		cmocka_unit_test(test_instants_of_slurmctld),
		cmocka_unit_test(test_a_late_job_is_shown_with_the_rest),
		cmocka_unit_test(test_a_broken_promise_is_explained),
		cmocka_unit_test(test_a_lateness_is_that_of_now),
		cmocka_unit_test(test_a_planned_start_is_explained),
		cmocka_unit_test(test_tasks_have_planned_starts_of_their_own),
		cmocka_unit_test(test_answers_text_and_json),
		cmocka_unit_test(test_counts_processors),
		cmocka_unit_test(test_the_example_is_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
