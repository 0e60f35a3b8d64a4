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
	assert_int_equal(cli_print_status(&cluster, NULL, print_text(&p)), 0);
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
	assert_int_equal(cli_print_status(&cluster, NULL, print_text(&p)), 0);
	printed(&p);
	assert_contains(p.text, "Policy libra on 6 processors of 2 nodes");
	assert_contains(p.text, "a                up      0-1: 0.25\n");
	assert_contains(p.text, "c                drain   0-3: 0.00\n");
	assert_contains(p.text, "ada        RUNNING        2  0.25   58%");
	assert_contains(p.text, "00:12:30  a:0-1\n");
	free(p.text);
	assert_int_equal(cli_print_status(&cluster, NULL, print_json(&p)), 0);
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
	assert_int_equal(cli_print_status(&cluster, NULL, print_text(&p)), 0);
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
			assert_memory_equal(task.promise.on, "c:1", 3);
			assert_int_equal(task.promise.on_len, 3);
			assert_true(cli_job_task(job, 4, &task));
			assert_memory_equal(task.promise.on, "c:2", 3);
			/* Not in the record any more: nowhere yet. */
			assert_true(cli_job_task(job, 8, &task));
			assert_int_equal(task.promise.on_len, 0);
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
	struct cli_answer answer;
	struct libra_error err = {""};
	const struct cli_request request = {.estimate_s = 60,
					    .deadline_s = 9000,
					    .tasks = 1,
					    .cpus_per_task = 1};
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
	assert_int_equal(cli_print_status(&cluster, NULL, print_text(&p)),
			 CLI_DONE);
	printed(&p);
	assert_contains(p.text, "Policy planned on 2 processors of 2 nodes");
	assert_contains(p.text, " runs ");
	assert_contains(p.text, "(planned start 1970-01-01T00:25:01)");
	assert_null(strstr(p.text, "SHARE"));
	assert_int_equal(cli_what_if(&cluster, &request, &answer, &err), -1);
	assert_contains(err.text, "ask it with sbatch --test-only");
	free(p.text);
	cli_cluster_fini(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasks_are_listed_in_order),
		cmocka_unit_test(test_status_text_and_json),
		cmocka_unit_test(test_status_of_jobs_in_turn),
		cmocka_unit_test(test_plans_are_shown_by_their_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
