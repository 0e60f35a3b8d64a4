/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cli_status.c - libra status on a cluster that is written down. */
#include "tests/unit/cli_site.h"

/* Slurm lists the waiting rest of an array first, and its tasks as they came.
 */
static void test_tasks_are_listed_in_order(void **state)
{
	static const char *const labels[] = {"9_[12-15]", "9_10", "9_9", "7"};
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	for (uint32_t i = 0; i < 4; i++) {
		add_job(&cluster, 20 - i, JOB7, CLI_JOB_RUNNING);
		free(cluster.jobs[i].label);
		cluster.jobs[i].label = strdup(labels[i]);
		cluster.jobs[i].array_id = i < 3 ? 9 : 0;
	}
	cluster.jobs[3].id = 7;
	cli_cluster_arrange(&cluster);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_text(&p)),
		0);
	printed(&p);
	assert_true(strstr(p.text, "\n7 ") < strstr(p.text, "\n9_9 "));
	assert_true(strstr(p.text, "\n9_9 ") < strstr(p.text, "\n9_10 "));
	assert_true(strstr(p.text, "\n9_10 ") < strstr(p.text, "\n9_[12"));
	free(p.text);
	cli_cluster_fini(&cluster);
}

static void test_status_text_and_json(void **state)
{
	struct printed p;
	struct cli_cluster cluster;
	json_t *json;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	cluster.nodes[2].state = LIBRA_NODE_DRAIN;
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_text(&p)),
		0);
	printed(&p);
	assert_contains(p.text, "Policy libra on 6 processors of 2 nodes");
	assert_contains(p.text, "a                up      0-1: 0.25\n");
	assert_contains(p.text, "c                drain   0-3: 0.00\n");
	assert_contains(p.text, "ada        RUNNING        2  0.25   58%");
	assert_contains(p.text, "12 min 30 s  a:0-1\n");
	free(p.text);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_json(&p)),
		0);
	printed(&p);
	json = json_loads(p.text, 0, NULL);
	assert_non_null(json);
	assert_near(
		json_number_value(json_array_get(
			json_object_get(
				json_array_get(
					json_object_get(
						json_array_get(
							json_object_get(
								json, "groups"),
							0),
						"nodes"),
					0),
				"shares"),
			1)),
		0.25, 1e-12);
	json_decref(json);
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* Slurm sends a powered-down cloud node without a name. */
static void test_hidden_nodes_are_reported(void **state)
{
	struct printed p;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	/* One is in a managed partition, the other in none. */
	for (int i = 1; i <= 2; i++) {
		*cluster.nodes[i].name = '\0';
		cluster.nodes[i].procs = 0;
	}
	cli_cluster_arrange(&cluster);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_text(&p)),
		0);
	printed(&p);
	assert_contains(p.text, "Policy libra on 2 processors of 1 nodes");
	assert_contains(p.text, "\n1 more node is hidden and not counted: ");
	free(p.text);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_json(&p)),
		0);
	printed(&p);
	assert_contains(p.text, "1 more node is hidden and not counted: ");
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* In turn a processor has jobs, not shares: 7 runs there, 8 is held, and two
 * tasks of 9 wait; the first two of its record have begun.
 */
static void test_status_of_jobs_in_turn(void **state)
{
	static const char array[] =
		"libra:1 offer=5.3 tasks=4 procs=1 estimate=600 deadline=2000 "
		"submit=800 share=1 part=main shape=1.0.0.0 left= "
		"on=c:0;c:1;c:2;c:1";
	static const char held[] =
		"libra:1 offer=5.2 tasks=1 procs=2 estimate=600 deadline=3000 "
		"submit=700 share=1 part=main shape=1.0.0.0 left=300/0/900 "
		"on=a:0-1";
	struct cli_cluster cluster;
	struct cli_job task;
	struct printed p;

	make_site(&cluster, "libra_policy=band,libra_partitions=main");
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	add_job(&cluster, 8, held, CLI_JOB_RUNNING);
	add_job(&cluster, 9, array, CLI_JOB_WAITING);
	free(cluster.jobs[2].label);
	cluster.jobs[2].label = copy("9_[4,6-8:2%2]");
	cluster.jobs[2].reason = copy("Resources");
	cluster.jobs[2].array_id = 9;
	cluster.jobs[2].tasks = 2;
	cli_cluster_arrange(&cluster);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_text(&p)),
		0);
	printed(&p);
	assert_contains(p.text, "JOBS PROMISED EACH PROCESSOR, IN TURN");
	assert_contains(p.text, "a                up      0-1: 2\n");
	assert_contains(p.text,
			"c                up      0: 0  1-2: 1  3: 0\n");
	assert_contains(p.text, "RUNNING        2  runs");
	assert_contains(p.text, "RUNNING        2  held");
	assert_contains(p.text, "1 waits    0%");
	assert_contains(p.text, "c:2;c:1  (waits: Resources)\n");
	free(p.text);
	for (uint32_t i = 0; i < 3; i++)
		if (cluster.jobs[i].id == 9) {
			const struct cli_job *job = &cluster.jobs[i];

			assert_true(cli_job_task(job, 6, &task));
			assert_memory_equal(task.promise.on.text, "c:1", 3);
			assert_int_equal(task.promise.on.len, 3);
			assert_true(cli_job_task(job, 4, &task));
			assert_memory_equal(task.promise.on.text, "c:2", 3);
			/* Not in the record any more: nowhere yet. */
			assert_true(cli_job_task(job, 8, &task));
			assert_int_equal(task.promise.on.len, 0);
			assert_false(cli_job_task(job, 5, &task));
			assert_false(cli_job_task(job, 7, &task));
			assert_false(cli_job_task(job, 9, &task));
		} else {
			assert_false(cli_job_task(&cluster.jobs[i], 7, &task));
		}
	cli_cluster_fini(&cluster);
}

/* Whole nodes are the processors of a plan. */
static void test_plans_are_shown_by_their_starts(void **state)
{
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, "libra_policy=planned,libra_partitions=main");
	cluster.parts[0].whole_nodes = true;
	add_job(&cluster, 7,
		"libra:1 offer=1.1 tasks=1 procs=2 estimate=600 "
		"deadline=4000 submit=900 share=1 part=main shape=1.0.0.0 "
		"left=600/1/900,600/1/900 on=a:0,c:0",
		CLI_JOB_RUNNING);
	add_job(&cluster, 8,
		"libra:1 offer=1.2 tasks=1 procs=1 estimate=600 "
		"deadline=4000 submit=901 share=1 part=main shape=1.0.0.0 "
		"start=1500.25 left= on=",
		CLI_JOB_WAITING);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cluster.nprocs, 2);
	assert_int_equal(
		cli_print_status(&cluster, NULL, &every_line, print_text(&p)),
		CLI_DONE);
	printed(&p);
	assert_contains(p.text, "Policy planned on 2 processors of 2 nodes");
	assert_contains(p.text, " runs ");
	assert_contains(p.text, "(planned start 00:25:01)");
	assert_null(strstr(p.text, "SHARE"));
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* ---- 80 columns, and lines that can be read ---- */

/* A cluster of n nodes of 8 processors, all in "main". */
static void make_large(struct cli_cluster *cluster, const char *params,
		       uint32_t n)
{
	char name[16];

	make_site(cluster, params);
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		free(cluster->nodes[i].name);
	free(cluster->nodes);
	cluster->nodes = calloc(n, sizeof(*cluster->nodes));
	cluster->nnodes = n;
	for (uint32_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "node%03u", i + 1);
		cluster->nodes[i] = (struct cli_node){.name = copy(name),
						      .procs = 8,
						      .cpus = 8,
						      .state = LIBRA_NODE_UP};
	}
	for (int i = 0; i < 2; i++) {
		free(cluster->parts[i].nodes);
		cluster->parts[i].nodes = calloc(n, 1);
		memset(cluster->parts[i].nodes, i == 0, n);
	}
}

/* Job i of so many users, which runs or waits. */
static void add_many(struct cli_cluster *cluster, uint32_t n, uint32_t users)
{
	char text[256], user[32];

	for (uint32_t i = 1; i <= n; i++) {
		struct cli_job *j;
		bool runs = i % 10 == 0;

		snprintf(text, sizeof(text),
			 "libra:1 offer=5.%u tasks=1 procs=1 estimate=600 "
			 "deadline=%u submit=800 share=0.01 part=main "
			 "shape=1.0.0.0 %s%u",
			 i, 1500 + i,
			 runs ? "left=300/0.5/900 on=node003:"
			      : "left= on= start=",
			 runs ? i / 10 % 8 : 2000 + i);
		add_job(cluster, i, text,
			runs ? CLI_JOB_RUNNING : CLI_JOB_WAITING);
		j = &cluster->jobs[i - 1];
		free(j->user);
		free(j->state_name);
		snprintf(user, sizeof(user), "someone%06u", i % users);
		j->user = copy(user);
		j->state_name = copy(runs ? "RUNNING" : "PENDING");
	}
	cli_cluster_arrange(cluster);
}

/* Result: the number of lines, of which none is wider than 80 columns. */
static int lines_of(const char *text)
{
	int n = 0;

	for (const char *end; *text; text = end + 1, n++) {
		end = strchr(text, '\n');
		assert_non_null(end);
		if (end - text > 80)
			fail_msg("%.*s", (int)(end - text), text);
	}
	return n;
}

static void test_many_jobs_are_summed_up(void **state)
{
	static const char *const policies[] = {
		"libra_policy=libra,libra_partitions=main",
		"libra_policy=band,libra_partitions=main",
		"libra_policy=planned,libra_partitions=main"};
	struct cli_cluster cluster;
	struct printed p;

	for (int i = 0; i < 3; i++) {
		make_large(&cluster, policies[i], 400);
		add_many(&cluster, 5000, 300);
		cli_print_status(&cluster, NULL, NULL, print_text(&p));
		printed(&p);
		assert_in_range(lines_of(p.text), 18, 50);
		assert_contains(p.text, " jobs in 284 more such lines\n"
					"5000 jobs: ");
		assert_contains(p.text,
				"\nsomeone00+ main        PENDING       17 ");
		free(p.text);
		/* Each has a line on demand. */
		cli_print_status(&cluster, NULL, &every_line, print_text(&p));
		printed(&p);
		assert_contains(p.text, "\n4999         someone000 PENDING ");
		free(p.text);
		cli_cluster_fini(&cluster);
	}
}

/* 600 s from 1000 on are late for deadlines of before 1600; those of job 10 are
 * 250 s.
 */
static void test_sums_add_up(void **state)
{
	struct cli_cluster cluster;
	struct printed p;

	make_large(&cluster, SETTINGS, 3);
	add_many(&cluster, 120, 1);
	cli_print_status(&cluster, NULL, NULL, print_text(&p));
	printed(&p);
	assert_contains(p.text,
			"someone00+ main        PENDING      108      108     "
			"90 00:25              -99 s\n");
	assert_contains(p.text,
			"someone00+ main        RUNNING       12       12      "
			"0 00:25         4 min 20 s\n"
			"120 jobs: ");
	free(p.text);
	cli_cluster_fini(&cluster);
}

static void test_nodes_that_are_alike_share_a_line(void **state)
{
	struct cli_cluster cluster;
	struct printed p;

	make_large(&cluster, SETTINGS, 12);
	add_many(&cluster, 10, 1);
	cluster.nodes[8].state = LIBRA_NODE_DRAIN;
	cli_print_status(&cluster, NULL, NULL, print_text(&p));
	printed(&p);
	assert_contains(p.text,
			"\nnode[001-002]    up      0-7: 0.00\n"
			"node003          up      0: 0.00  1: 0.49  2-7: 0.00\n"
			"node[004-008]    up      0-7: 0.00\n"
			"node009          drain   0-7: 0.00\n"
			"node[010-012]    up      0-7: 0.00\n");
	free(p.text);
	cli_cluster_fini(&cluster);
	/* Every other one is drained: they are summed up. */
	make_large(&cluster, SETTINGS, 40);
	add_many(&cluster, 10, 1);
	for (int i = 0; i < 40; i += 2)
		cluster.nodes[i].state = LIBRA_NODE_DRAIN;
	cli_print_status(&cluster, NULL, NULL, print_text(&p));
	printed(&p);
	assert_contains(p.text, "\n20 nodes         up      160 processors: "
				"0.00 to 0.00, 0.00 in the mean\n"
				"20 nodes         drain   160 processors: "
				"0.00 to 0.49, 0.00 in the mean\n");
	assert_in_range(lines_of(p.text), 10, 18);
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* ---- which jobs, in which order ---- */

/* The labels of the jobs, each with a blank behind. */
static void order_is(struct cli_cluster *cluster, struct cli_selection s,
		     const char *keys, const char *order)
{
	char text[128] = "";
	struct cli_row *rows;
	uint32_t n;

	if (keys)
		assert_int_equal(cli_sort_parse(keys, &s), 0);
	n = cli_select_rows(cluster, &s, &rows);
	for (uint32_t i = 0; i < n; i++) {
		strcat(text, rows[i].job->label);
		strcat(text, " ");
	}
	assert_string_equal(text, order);
	free(rows);
}

static void test_jobs_are_selected_and_sorted(void **state)
{
	static const char waits[] =
		"libra:1 offer=5.%d tasks=1 procs=%d estimate=%d deadline=%d "
		"submit=800 share=0.5 part=%s shape=1.0.0.0 %sleft= on=";
	static const struct {
		const char *user;
		int procs, estimate, deadline;
		const char *part, *start;
	} jobs[] = {
		{"ada", 4, 100, 5000, "main", "start=1500 "},
		{"bob", 1, 900, 4000, "short", ""},
		{"ada", 2, 100, 6000, "short", "start=1200 "},
		{"adam", 8, 2950, 6000, "main", "start=1300 "},
	};
	struct cli_selection s;
	struct cli_cluster cluster;
	char text[256];

	make_site(&cluster, "libra_policy=planned");
	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), waits, i + 1, jobs[i].procs,
			 jobs[i].estimate, jobs[i].deadline, jobs[i].part,
			 jobs[i].start);
		add_job(&cluster, (uint32_t)i + 1, text, CLI_JOB_WAITING);
		free(cluster.jobs[i].user);
		cluster.jobs[i].user = copy(jobs[i].user);
	}
	cli_cluster_arrange(&cluster);
	s = (struct cli_selection){0};
	order_is(&cluster, s, NULL, "1 2 3 4 ");
	order_is(&cluster, s, "-job", "4 3 2 1 ");
	order_is(&cluster, s, "user,-procs", "1 3 4 2 ");
	order_is(&cluster, s, "deadline,-job", "2 1 4 3 ");
	order_is(&cluster, s, "slack", "4 2 1 3 ");
	order_is(&cluster, s, "start", "3 4 1 2 ");
	order_is(&cluster, s, "-partition,state", "2 3 1 4 ");
	s.users = "ada";
	order_is(&cluster, s, NULL, "1 3 ");
	s.partitions = "none,short";
	order_is(&cluster, s, "+procs", "3 ");
	s.users = "bob,adam";
	s.partitions = NULL;
	order_is(&cluster, s, NULL, "2 4 ");
	cli_cluster_fini(&cluster);
}

static void test_keys_of_an_order(void **state)
{
	static const char *const wrong[] = {
		"",	"job,",	 ",job",
		"jobs", "--job", "job,job,job,job,job,job,job,job"};
	struct cli_selection s;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		errno = 0;
		assert_int_equal(cli_sort_parse(wrong[i], &s), -1);
		assert_int_equal(errno, EINVAL);
	}
}

static void test_a_partition_without_promises_has_no_status(void **state)
{
	const struct cli_selection s = {.partitions = "other"};
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cli_print_status(&cluster, NULL, &s, print_text(&p)),
			 CLI_NOT_MANAGED);
	printed(&p);
	assert_string_equal(p.text, "Partition other is not managed: no "
				    "promise is given there\n");
	free(p.text);
	cli_cluster_fini(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks_are_listed_in_order),
		cmocka_unit_test(test_status_text_and_json),
		cmocka_unit_test(test_hidden_nodes_are_reported),
		cmocka_unit_test(test_status_of_jobs_in_turn),
		cmocka_unit_test(test_plans_are_shown_by_their_starts),
		cmocka_unit_test(test_many_jobs_are_summed_up),
		cmocka_unit_test(test_sums_add_up),
		cmocka_unit_test(test_nodes_that_are_alike_share_a_line),
		cmocka_unit_test(test_jobs_are_selected_and_sorted),
		cmocka_unit_test(test_keys_of_an_order),
		cmocka_unit_test(
			test_a_partition_without_promises_has_no_status),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
