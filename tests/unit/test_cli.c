/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_cli.c - the command libra on a cluster that is written down here.
 *
 * Three nodes of 2, 2 and 4 processors; partition "main" has the first and the
 * last, so that the engine numbers them 0-1 and 2-5.  It is 1000 s.
 */
#include <errno.h>
#include <time.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "tests/unit/test.h"

static void no_report(void *arg, const char *text)
{
	fail_msg("%s", text);
}

static char *copy(const char *text)
{
	char *s = strdup(text);

	assert_non_null(s);
	return s;
}

static void add_job(struct cli_cluster *cluster, uint32_t id,
		    const char *comment, enum cli_job_state state)
{
	struct cli_job *j;
	char label[16];

	cluster->jobs = realloc(cluster->jobs,
				(cluster->njobs + 1) * sizeof(*cluster->jobs));
	assert_non_null(cluster->jobs);
	j = &cluster->jobs[cluster->njobs++];
	snprintf(label, sizeof(label), "%u", id);
	*j = (struct cli_job){
		.id = id,
		.label = copy(label),
		.user = copy("ada"),
		.state_name = copy("RUNNING"),
		.state = state,
		.tasks = 1,
		.comment = comment ? copy(comment) : NULL,
	};
}

static void make_site(struct cli_cluster *cluster, const char *params)
{
	static const char *const names[] = {"a", "b", "c"};
	static const uint32_t procs[] = {2, 2, 4};

	*cluster = (struct cli_cluster){.now_s = 1000, .enabled = true};
	assert_int_equal(libra_host_conf_list_init(&cluster->groups, params,
						   no_report, NULL),
			 0);
	cluster->nodes = calloc(3, sizeof(*cluster->nodes));
	cluster->parts = calloc(2, sizeof(*cluster->parts));
	cluster->nnodes = 3;
	cluster->nparts = 2;
	for (int i = 0; i < 3; i++)
		cluster->nodes[i] = (struct cli_node){.name = copy(names[i]),
						      .procs = procs[i],
						      .cpus = procs[i],
						      .state = LIBRA_NODE_UP};
	for (int i = 0; i < 2; i++)
		cluster->parts[i].nodes = calloc(3, 1);
	cluster->parts[0].name = copy("main");
	cluster->parts[0].is_default = true;
	cluster->parts[0].nodes[0] = cluster->parts[0].nodes[2] = 1;
	cluster->parts[1].name = copy("other");
	cluster->parts[1].nodes[1] = 1;
}

#define SETTINGS "libra_policy=libra,libra_partitions=main"

/* 600 s of work by 2000 s, promised at 800 s (share .5); at 900 s half of it
 * was left on a:0-1, and it has the half of them: 250 s are left, and 1000 s
 * until the deadline.
 */
#define JOB7                                                                   \
	"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=2000 "        \
	"submit=800 share=0.5 part=main shape=1.0.0.0 left=300/0.5/900 "       \
	"on=a:0-1"

static struct cli_request request(double estimate_s, double deadline_s,
				  uint32_t tasks)
{
	return (struct cli_request){
		.estimate_s = estimate_s,
		.deadline_s = deadline_s,
		.tasks = tasks,
		.cpus_per_task = 1,
	};
}

static void test_nodes_are_numbered_as_the_plugins_do(void **state)
{
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cluster.nprocs, 6);
	assert_int_equal(cluster.nmanaged, 2);
	assert_false(cluster.nodes[1].managed);
	assert_int_equal(cluster.nodes[2].first, 2);
	assert_int_equal(cluster.nodes[2].index, 1);
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
	struct libra_error err = {""};
	struct libra_engine *e;
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
	e = cli_cluster_engine(&cluster, &err);
	assert_non_null(e);
	assert_int_equal(libra_engine_free_procs(e), 6);
	libra_engine_destroy(e);
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

/* On 0-1 a quarter is promised.  600 s by 1800 s need 0.75: six fit with
 * nothing to spare; 640 s need 0.8, more than is left on two of them, which
 * have 0.75: not before 1000 + 640 / 0.75.
 */
static void test_what_if_sees_the_promises(void **state)
{
	struct cli_request r = request(600, 1800, 6);
	struct libra_error err = {""};
	struct cli_answer a;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_ACCEPT);
	assert_near(a.verdict.share, 0.75, 1e-12);
	assert_near(a.verdict.late_s, 0, 0);
	r.estimate_s = 640;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_REJECT);
	assert_int_equal(a.verdict.reason, LIBRA_REASON_NO_SHARE);
	assert_near(a.share_needed, 0.8, 1e-12);
	assert_near(a.earliest_s, 1000 + 640 / 0.75, 1e-6);
	/* 854 s and 5 more, in minutes. */
	assert_near(a.try_s, 900, 0);
	r.tasks = 4; /* beside it */
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_ACCEPT);
	r.tasks = 7;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.reason, LIBRA_REASON_TOO_LARGE);
	assert_int_equal(a.nprocs_all, 6);
	cli_cluster_fini(&cluster);
}

static void test_what_if_knows_nodes_and_tasks(void **state)
{
	struct cli_request r = request(600, 1800, 2);
	struct libra_error err = {""};
	struct cli_answer a;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	r.cpus_per_task = 3; /* two threes: only one node has three */
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.job.nprocs, 6);
	assert_int_equal(a.verdict.answer, LIBRA_REJECT);
	r.cpus_per_task = 2;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_ACCEPT);
	r.min_nodes = 3;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_REJECT);
	r = request(600, 1800, 5);
	cluster.nodes[0].state = LIBRA_NODE_DRAIN;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_REJECT);
	cli_cluster_fini(&cluster);
}

static void fails(const struct cli_cluster *cluster,
		  const struct cli_request *r, int code, const char *part)
{
	struct libra_error err = {""};
	struct cli_answer a;

	errno = 0;
	assert_int_equal(cli_what_if(cluster, r, &a, &err), -1);
	assert_int_equal(errno, code);
	assert_one_line(&err);
	assert_contains(err.text, part);
}

static void test_what_if_says_what_is_wrong(void **state)
{
	struct cli_request r = request(600, 900, 1);
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	fails(&cluster, &r, EINVAL, "in the past");
	r = request(INFINITY, 1800, 1);
	fails(&cluster, &r, EINVAL, "and not unlimited");
	r = request(600, 1800, 1);
	r.partition = "other";
	fails(&cluster, &r, EINVAL, "other is not managed");
	r.partition = "none";
	fails(&cluster, &r, ENOENT, "no partition none");
	r.partition = NULL;
	cluster.hidden = true;
	fails(&cluster, &r, EPERM, "hidden");
	cli_cluster_fini(&cluster);
	make_site(&cluster, "libra_partitions=nowhere");
	cli_cluster_arrange(&cluster);
	fails(&cluster, &r, EINVAL, "not managed");
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
	cli_clock_text(1795194603.25, text);
	assert_string_equal(text, "2026-11-20T17:10:04");
	cli_clock_text(INFINITY, text);
	assert_string_equal(text, "none");
	cli_duration_text(93784, text);
	assert_string_equal(text, "1-02:03:04");
	cli_duration_text(-61, text);
	assert_string_equal(text, "-00:01:01");
	cli_duration_text(-0.2, text);
	assert_string_equal(text, "00:00:00");
	cli_duration_text(NAN, text);
	assert_string_equal(text, "none");
}

/* Print into a string, which the caller frees. */
struct printed {
	char *text;
	size_t len;
	FILE *fp;
};

static FILE *print_begin(struct printed *p)
{
	p->fp = open_memstream(&p->text, &p->len);
	assert_non_null(p->fp);
	return p->fp;
}

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
		cli_print_status(&cluster, NULL, false, print_begin(&p)), 0);
	fclose(p.fp);
	assert_true(strstr(p.text, "\n7 ") < strstr(p.text, "\n9_9 "));
	assert_true(strstr(p.text, "\n9_9 ") < strstr(p.text, "\n9_10 "));
	assert_true(strstr(p.text, "\n9_10 ") < strstr(p.text, "\n9_[12"));
	free(p.text);
	cli_cluster_fini(&cluster);
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
		assert_int_equal(cli_print_status(&cluster, NULL, false,
						  print_begin(&p)),
				 0);
		fclose(p.fp);
		assert_contains(p.text, paper ? "0-1: 1.25\n" : "0-1: 0.25\n");
		assert_contains(p.text, paper ? " 1.00  200%" : " rest  200%");
		assert_contains(p.text, "by its estimate 00:00:01 late");
		free(p.text);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "", false,
			      print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text,
				paper ? "share 1.00, "
				      : "it gets what the shares of others");
		assert_contains(p.text, "it ends 00:00:01 after its deadline");
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
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "", false,
			      print_begin(&p));
		fclose(p.fp);
		assert_true(bet == !strstr(p.text,
					   "  broken     its promise: node "
					   "lost: n_3; by its estimate it ends "
					   "00:01:40 after its deadline\n"));
		assert_true(bet == !strstr(p.text, ", or as soon as it can\n"));
		assert_true(bet == !!strstr(p.text, "accepted as a bet"));
		assert_true(bet == !!strstr(p.text, "no promise: by its"));
		free(p.text);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "", true,
			      print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, bet ? "\"broken\": null"
					    : "\"broken\": \"node lost: n_3\"");
		free(p.text);
		cli_print_status(&cluster, NULL, false, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, bet ? "(bet: by its estimate 00:01:40"
					    : "(promise broken: by its");
		free(p.text);
		cli_cluster_fini(&cluster);
	}
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

	cli_clock_text(1500, at);
	cli_clock_text(4300, latest);
	for (int hard = 0; hard < 2; hard++) {
		make_site(&cluster, settings[hard]);
		add_job(&cluster, 7, waits, CLI_JOB_WAITING);
		cli_cluster_arrange(&cluster);
		cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "", false,
			      print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, "  planned    to start at ");
		assert_contains(p.text, at);
		if (hard)
			assert_contains(p.text, ", and not later\n");
		else
			assert_contains(p.text, latest);
		assert_true(hard == !strstr(p.text, latest));
		free(p.text);
		cli_print_status(&cluster, NULL, false, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, at);
		free(p.text);
		cli_cluster_fini(&cluster);
	}
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
		cli_print_status(&cluster, NULL, false, print_begin(&p)), 0);
	fclose(p.fp);
	assert_contains(p.text, "Policy libra on 6 processors of 2 nodes");
	assert_contains(p.text, "a                up      0-1: 0.25\n");
	assert_contains(p.text, "c                drain   0-3: 0.00\n");
	assert_contains(p.text, "ada        RUNNING        2  0.25   58%");
	assert_contains(p.text, "00:12:30  a:0-1\n");
	free(p.text);
	assert_int_equal(
		cli_print_status(&cluster, NULL, true, print_begin(&p)), 0);
	fclose(p.fp);
	json = json_loads(p.text, 0, NULL);
	assert_non_null(json);
	assert_near(json_number_value(json_array_get(
			    json_object_get(
				    json_array_get(
					    json_object_get(json, "nodes"), 0),
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
	assert_int_equal(
		cli_print_status(&cluster, NULL, false, print_begin(&p)), 0);
	fclose(p.fp);
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

static void test_answers_text_and_json(void **state)
{
	struct cli_request r = request(600, 1800, 7);
	struct libra_error err = {""};
	struct cli_answer a;
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(cli_print_answer(&cluster, &a, false, print_begin(&p)),
			 CLI_FAILED);
	fclose(p.fp);
	assert_contains(p.text, "would be refused (too_large): 7 processors");
	assert_contains(p.text, "there are 6 processors");
	assert_contains(p.text, "nothing is reserved");
	free(p.text);
	r.tasks = 6;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(cli_print_answer(&cluster, &a, true, print_begin(&p)),
			 CLI_DONE);
	fclose(p.fp);
	assert_contains(p.text, "\"answer\": \"accept\"");
	assert_contains(p.text, "\"reserved\": false");
	assert_contains(p.text, "\"late_s\": 0.0");
	free(p.text);
	cli_cluster_fini(&cluster);
	/* 900 s of work in 800 s: 100 s late, alone. */
	make_site(&cluster, "libra_policy=librarisk");
	cli_cluster_arrange(&cluster);
	r.estimate_s = 900;
	assert_int_equal(cli_what_if(&cluster, &r, &a, &err), 0);
	assert_int_equal(a.verdict.answer, LIBRA_ACCEPT);
	assert_near(a.verdict.late_s, 100, 1e-9);
	assert_int_equal(cli_print_answer(&cluster, &a, false, print_begin(&p)),
			 CLI_DONE);
	fclose(p.fp);
	assert_contains(p.text, "would be accepted as a bet: share 1.12 of 6");
	assert_contains(p.text, "it ends 00:01:40 after its deadline");
	free(p.text);
	cli_cluster_fini(&cluster);
}

/* ---- the decision log ---- */

#define RUN                                                                    \
	"{\"call\":\"engine\",\"now_s\":700,\"epoch\":5,\"policy\":\"libra\"," \
	"\"params\":{},\"nodes\":[[\"a\",2],[\"c\",4]],\"offer_ttl_s\":60}\n"
#define OTHER                                                                  \
	"{\"call\":\"offer\",\"now_s\":750,\"submit_s\":750,"                  \
	"\"estimate_s\":100,\"deadline_s\":1150,\"nprocs\":1,\"user\":3,"      \
	"\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.25,"            \
	"\"ticket\":1,\"placement\":[[1,1]]}\n"
#define ITS                                                                    \
	"{\"call\":\"offer\",\"now_s\":800,\"submit_s\":800,"                  \
	"\"estimate_s\":600,\"deadline_s\":2000,\"nprocs\":2,\"user\":3,"      \
	"\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.5,"             \
	"\"ticket\":2,\"policy\":\"libra\",\"beside\":0.25,"                   \
	"\"placement\":[[0,2]]}\n"
#define CHANGED                                                                \
	"{\"call\":\"modify\",\"now_s\":850,\"ticket\":2,\"submit_s\":800,"    \
	"\"estimate_s\":700,\"deadline_s\":1850,\"nprocs\":2,\"user\":3,"      \
	"\"rc\":0,\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.65,"   \
	"\"policy\":\"libra\",\"beside\":0.3}\n"
#define COMMIT                                                                 \
	"{\"call\":\"commit\",\"now_s\":801,\"ticket\":2,\"id\":7,\"rc\":0}\n"
#define STARTED "{\"call\":\"started\",\"now_s\":802,\"ticket\":2,\"rc\":0}\n"
#define DEPARTED                                                               \
	"{\"call\":\"departed\",\"now_s\":803,\"ticket\":%d,\"rc\":0}\n"
#define REFUSED                                                                \
	"{\"call\":\"offer\",\"now_s\":900,\"submit_s\":900,"                  \
	"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,\"user\":3,"        \
	"\"answer\":\"reject\",\"reason\":\"no_share\",\"share\":0,"           \
	"\"ticket\":0}\n"                                                      \
	"{\"call\":\"earliest\",\"now_s\":900,\"submit_s\":900,"               \
	"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,\"user\":3,"        \
	"\"earliest_s\":1020}\n"

static int read_log(const char *log, const struct cli_cluster *cluster,
		    const struct cli_job *job, uint32_t id,
		    struct cli_history *h, struct libra_error *err)
{
	FILE *fp = fmemopen((void *)log, strlen(log), "r");
	int rc;

	assert_non_null(fp);
	rc = cli_history_read(fp, cluster, job, id, h, err);
	fclose(fp);
	return rc;
}

static const char *event(const struct cli_history *h, size_t i)
{
	return json_string_value(
		json_object_get(json_array_get(h->events, i), "what"));
}

static void test_history_by_record_and_by_id(void **state)
{
	static const char log[] = RUN OTHER ITS COMMIT STARTED REFUSED;
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	for (int by_id = 0; by_id <= 1; by_id++) {
		assert_int_equal(read_log(log, &cluster,
					  by_id ? NULL : &cluster.jobs[0], 7,
					  &h, &err),
				 0);
		assert_non_null(h.offer);
		assert_string_equal(h.policy, "libra");
		assert_near(h.beside, 0.25, 1e-12); /* on processor 1 */
		assert_int_equal(json_array_size(h.events), 3);
		assert_string_equal(event(&h, 2), "started");
		cli_print_job(&cluster, by_id ? NULL : &cluster.jobs[0], 7, &h,
			      "", false, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, "0.25 was promised to others, 0.75");
		free(p.text);
		cli_history_fini(&h);
	}
	cli_cluster_fini(&cluster);
}

/* The verdict has its own numbers and instant, and so has the change. */
static void test_a_change_is_told_beside_the_verdict(void **state)
{
	static const char record[] =
		"libra:1 offer=5.1 tasks=1 procs=2 estimate=700 deadline=1850 "
		"submit=800 share=0.65 part=main shape=1.0.0.0 changed=850 "
		"left=400/0.5/900 on=a:0-1";
	static const char log[] = RUN OTHER ITS COMMIT STARTED CHANGED;
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;
	struct printed p;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, record, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	for (int by_id = 0; by_id <= 1; by_id++) {
		const struct cli_job *job = by_id ? NULL : &cluster.jobs[0];

		assert_int_equal(read_log(log, &cluster, job, 7, &h, &err), 0);
		cli_print_job(&cluster, job, 7, &h, "", false, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, "share 0.50 of 2 processors: 600 s of "
					"work in 1200 s");
		assert_contains(p.text, "share 0.65 of 2 processors: 700 s of "
					"work in 1000 s");
		assert_contains(p.text, "0.30 was promised to others, 0.95");
		assert_contains(p.text, "change accepted");
		free(p.text);
		cli_history_fini(&h);
	}
	/* Without a log the old numbers are not known, and not made up. */
	cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "no log", false,
		      print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, ", with other numbers\n");
	assert_contains(p.text, "700 s of work in 1000 s");
	assert_null(strstr(p.text, "600 s"));
	free(p.text);
	cli_cluster_fini(&cluster);
}

static void test_a_job_in_turn_is_told_as_such(void **state)
{
	static const char log[] =
		"{\"call\":\"offer\",\"now_s\":800,\"submit_s\":800,"
		"\"estimate_s\":600,\"deadline_s\":2000,\"nprocs\":2,"
		"\"user\":3,\"answer\":\"accept\",\"reason\":\"none\","
		"\"share\":1,\"ticket\":2,\"policy\":\"band\","
		"\"ends_s\":1700,\"placement\":[[0,2]]}\n" COMMIT;
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;
	struct printed p;
	char at[32], end[64];

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(read_log(log, &cluster, NULL, 7, &h, &err), 0);
	cli_print_job(&cluster, NULL, 7, &h, "", false, print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, "2 processors, in turn by deadline: 600 s of "
				"work in 1200 s");
	cli_clock_text(1700, at);
	snprintf(end, sizeof(end),
		 "policy band; with all that was promised "
		 "before it, it ends by ");
	assert_contains(p.text, end);
	assert_contains(p.text, at);
	assert_null(strstr(p.text, "nan"));
	free(p.text);
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
}

/* A ticket is of one run; a restored job has another. */
static void test_history_over_runs(void **state)
{
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(
		read_log(RUN OTHER ITS COMMIT
			 "{\"call\":\"engine\",\"now_s\":850,\"epoch\":6}\n"
			 "{\"call\":\"restore\",\"now_s\":851,\"submit_s\":800,"
			 "\"id\":7,\"rc\":0,\"ticket\":1}\n"
			 "{\"call\":\"departed\",\"now_s\":852,\"ticket\":2,"
			 "\"rc\":0}\n"
			 "{\"call\":\"departed\",\"now_s\":853,\"ticket\":1,"
			 "\"rc\":0}\n"
			 "{\"call\":\"started\",\"now_s\":854,\"ticket\":1,"
			 "\"rc\":0}\n",
			 &cluster, NULL, 7, &h, &err),
		0);
	assert_int_equal(json_array_size(h.events), 4);
	assert_string_equal(event(&h, 1), "committed");
	assert_string_equal(event(&h, 2), "restored");
	assert_string_equal(event(&h, 3), "departed");
	cli_history_fini(&h);
	/* Its offer was in a run before this file: not another's ticket. */
	assert_int_equal(
		read_log(
			ITS
			"{\"call\":\"engine\",\"now_s\":850,\"epoch\":6}\n" COMMIT,
			&cluster, NULL, 7, &h, &err),
		0);
	assert_null(h.offer);
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
}

/* Two tasks of an array with the same numbers and processors: each is known by
 * the id that it started with.
 */
static void test_tasks_of_one_place_are_told_apart(void **state)
{
#define TASK(ticket, beside)                                                   \
	"{\"call\":\"offer\",\"now_s\":800,\"submit_s\":800,"                  \
	"\"estimate_s\":600,\"deadline_s\":2000,\"nprocs\":2,\"user\":3,"      \
	"\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.5,"             \
	"\"ticket\":" #ticket ",\"policy\":\"libra\",\"beside\":" #beside ","  \
	"\"placement\":[[0,2]]}\n"
	static const char log[] = RUN TASK(2, 0) TASK(
		3,
		0.5) "{\"call\":\"commit\",\"now_s\":801,\"ticket\":2,\"id\":6,"
		     "\"rc\":0}\n"
		     "{\"call\":\"commit\",\"now_s\":801,\"ticket\":3,\"id\":6,"
		     "\"rc\":0}\n"
		     "{\"call\":\"started\",\"now_s\":802,\"ticket\":2,\"id\":7,"
		     "\"rc\":0}\n";
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cluster.jobs[0].array_id = 6;
	cli_cluster_arrange(&cluster);
	assert_int_equal(read_log(log, &cluster, &cluster.jobs[0], 7, &h, &err),
			 0);
	assert_near(h.beside, 0, 0);
	assert_int_equal(json_array_size(h.events), 3);
	assert_string_equal(event(&h, 2), "started");
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
}

static void test_a_damaged_log_and_an_unknown_job(void **state)
{
	char text[80];
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	assert_int_equal(
		read_log(RUN "nonsense\n", &cluster, NULL, 7, &h, &err), -1);
	snprintf(text, sizeof(text), "the decision log is damaged at byte %zu",
		 strlen(RUN));
	assert_string_equal(err.text, text);
	cli_history_fini(&h);
	err.text[0] = '\0';
	assert_int_equal(read_log(RUN OTHER, &cluster, NULL, 7, &h, &err), 0);
	assert_null(h.offer);
	cli_history_fini(&h);
	/* The last line may not be written to its end yet. */
	assert_int_equal(read_log(RUN ITS COMMIT "{\"call\":\"comm", &cluster,
				  NULL, 7, &h, &err),
			 0);
	assert_non_null(h.offer);
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
}

/* ---- how much of a log is read ---- */

/* A log in memory that counts what is read of it. */
struct counted {
	char *text;
	size_t size, at, read;
};

static ssize_t counted_read(void *cookie, char *data, size_t n)
{
	struct counted *c = cookie;

	n = n < c->size - c->at ? n : c->size - c->at;
	memcpy(data, c->text + c->at, n);
	c->at += n;
	c->read += n;
	return (ssize_t)n;
}

static int counted_seek(void *cookie, off64_t *at, int whence)
{
	struct counted *c = cookie;
	off64_t from = whence == SEEK_SET   ? 0
		       : whence == SEEK_CUR ? (off64_t)c->at
					    : (off64_t)c->size;

	c->at = (size_t)(from + *at);
	*at = (off64_t)c->at;
	return 0;
}

/* The lines of so many jobs that came, ran and went, after those of job 7. */
static void write_others(FILE *fp, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(fp,
			"{\"call\":\"offer\",\"now_s\":%d,\"submit_s\":%d,"
			"\"estimate_s\":100,\"deadline_s\":%d,\"nprocs\":1,"
			"\"user\":3,\"answer\":\"accept\",\"reason\":\"none\","
			"\"share\":0.25,\"ticket\":%d,\"policy\":\"libra\","
			"\"beside\":0,\"placement\":[[1,1]]}\n"
			"{\"call\":\"commit\",\"now_s\":%d,\"ticket\":%d,"
			"\"id\":%d,\"rc\":0}\n"
			"{\"call\":\"departed\",\"now_s\":%d,\"ticket\":%d,"
			"\"rc\":0}\n",
			900 + i, 900 + i, 1300 + i, 100 + i, 900 + i, 100 + i,
			100 + i, 901 + i, 100 + i);
}

/* What is read is what the log has since the verdict, twice: from the end to
 * it, and from it to the end; whatever came before.
 */
static void test_a_job_does_not_cost_the_whole_log(void **state)
{
	static const cookie_io_functions_t io = {.read = counted_read,
						 .seek = counted_seek};
	struct libra_error err = {""};
	struct counted c = {NULL};
	struct cli_history h;
	struct cli_cluster cluster;
	FILE *fp = open_memstream(&c.text, &c.size);
	size_t since;

	fputs(RUN, fp);
	write_others(fp, 20000);
	fflush(fp);
	since = c.size;
	fputs(ITS COMMIT STARTED, fp);
	write_others(fp, 500);
	fclose(fp);
	since = c.size - since;
	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	for (int by_id = 0; by_id <= 1; by_id++) {
		c.at = c.read = 0;
		fp = fopencookie(&c, "r", io);
		assert_int_equal(
			cli_history_read(fp, &cluster,
					 by_id ? NULL : &cluster.jobs[0], 7, &h,
					 &err),
			0);
		fclose(fp);
		assert_non_null(h.offer);
		assert_int_equal(json_array_size(h.events), 3);
		assert_true(c.size > 20 * since);
		assert_true(c.read >= 2 * since);
		assert_true(c.read < 3 * since + 65536);
		cli_history_fini(&h);
	}
	free(c.text);
	cli_cluster_fini(&cluster);
}

/* ---- offers that wait for their jobs ---- */

#define ENGINE(at, more)                                                       \
	"{\"call\":\"engine\",\"now_s\":" #at ",\"version\":1,"                \
	"\"epoch\":5" more "}\n"
#define OFFER(at, n, amount, on)                                               \
	"{\"call\":\"offer\",\"now_s\":" #at ",\"answer\":\"accept\","         \
	"\"reason\":\"none\",\"share\":" #amount ",\"ticket\":" #n             \
	",\"policy\":\"libra\",\"placement\":[" on "]}\n"
#define ENDS(call, at, n)                                                      \
	"{\"call\":\"" call "\",\"now_s\":" #at ",\"ticket\":" #n ",\"rc\":0}\n"
#define COMMITS(at, n, job, rc)                                                \
	"{\"call\":\"commit\",\"now_s\":" #at ",\"ticket\":" #n                \
	",\"id\":" #job ",\"rc\":" #rc "}\n"

static int read_offers(const char *log, const struct cli_cluster *cluster,
		       struct cli_offers *offers)
{
	FILE *fp = fmemopen((void *)log, strlen(log), "r");
	int rc;

	assert_non_null(fp);
	rc = cli_offers_read(fp, cluster, offers);
	fclose(fp);
	return rc;
}

/* Of a policy with shares, at 1000 s, with job 7 in the queue: 1 is older than
 * 60 s, 3 is its, 5, 6 and 9 are over (6 as expired), or begun; 7 could not be
 * committed, 8 is of a job that is not there, 10 came later.  Of the engine's
 * processors 0 has 2, 1 has 2 and 4, 4 has 2 and 8, and 5 has 7.
 */
static const char *const waiting[] = {
	ENGINE(900, ""),
	OFFER(939, 1, 0.9, "[0,6]"),
	OFFER(950, 2, 0.5, "[0,2],[4,1]"),
	OFFER(960, 3, 0.5, "[0,6]"),
	COMMITS(960, 3, 7, 0),
	OFFER(970, 4, 0.25, "[1,1]"),
	OFFER(980, 5, 0.5, "[0,6]"),
	COMMITS(980, 5, 97, 0),
	ENDS("withdraw", 981, 5),
	OFFER(985, 6, 0.5, "[0,6]"),
	"{\"call\":\"schedule\",\"now_s\":990}\n",
	"{\"action\":\"reject\",\"ticket\":6,\"id\":0,\"reason\":\"expired\"}\n",
	OFFER(990, 7, 0.125, "[5,1]"),
	COMMITS(990, 7, 7, -1),
	OFFER(991, 8, 0.125, "[4,1]"),
	COMMITS(991, 8, 99, 0),
	OFFER(992, 9, 0.5, "[0,6]"),
	COMMITS(992, 9, 98, 0),
	ENDS("started", 993, 9),
	"{\"call\":\"offer\",\"now_s\":995,\"answer\":\"reject\",\"ticket\":0}\n",
	OFFER(1001, 10, 0.5, "[0,6]"),
	NULL,
};

static int read_waiting(const struct cli_cluster *cluster,
			struct cli_offers *offers)
{
	char text[4096] = "";

	for (int i = 0; waiting[i]; i++)
		strcat(text, waiting[i]);
	return read_offers(text, cluster, offers);
}

static void test_offers_wait_until_they_are_jobs(void **state)
{
	static const double shares[] = {0.5, 0.75, 0, 0, 0.625, 0.125};
	struct cli_offers offers;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	add_job(&cluster, 99, NULL, CLI_JOB_OVER);
	cli_cluster_arrange(&cluster);
	assert_int_equal(read_waiting(&cluster, &offers), 0);
	assert_true(offers.known);
	assert_int_equal(offers.n, 4);
	assert_int_equal(offers.nprocs, 4);
	for (int i = 0; i < 6; i++)
		assert_near(offers.shares[i], shares[i], 1e-12);
	cli_offers_fini(&offers);
	/* Who may not see the jobs of others does not take them to be gone. */
	cluster.hidden = true;
	assert_int_equal(read_waiting(&cluster, &offers), 0);
	assert_int_equal(offers.n, 3);
	cli_offers_fini(&offers);
	cli_cluster_fini(&cluster);
}

/* Its offers are of its own run alone, at the times of its present clock. */
static void test_offers_of_this_run_and_clock(void **state)
{
	static const struct {
		const char *log;
		uint32_t n;
	} logs[] = {
		{ENGINE(900, "") OFFER(980, 1, 0.5, "[0,1]") ENGINE(990, ""),
		 0},
		/* Tickets begin anew: it is not the old one that is over. */
		{ENGINE(900, "") OFFER(980, 1, 0.5, "[0,1]") ENGINE(990, "")
			 OFFER(991, 1, 0.5, "[0,1]"),
		 1},
		{ENGINE(400, "") OFFER(439, 1, 0.5, "[0,1]") OFFER(
			 500, 2, 0.5,
			 "[0,1]") "{\"call\":\"clock\",\"now_s\":990,\"was_s\":510,\"rc\":0}\n",
		 1},
		{ENGINE(900, "") OFFER(3900, 1, 0.5, "[0,1]") OFFER(
			 4000, 2, 0.5,
			 "[0,1]") "{\"call\":\"clock\",\"now_s\":990,\"was_s\":4010,\"rc\":0}\n",
		 1},
		/* A processor that this cluster does not have. */
		{ENGINE(900, "") OFFER(980, 1, 0.5, "[6,1],[-1,2],[0,7]"), 1},
	};
	struct cli_offers offers;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		assert_int_equal(read_offers(logs[i].log, &cluster, &offers),
				 0);
		assert_int_equal(offers.n, logs[i].n);
		cli_offers_fini(&offers);
	}
	cli_cluster_fini(&cluster);
}

/* What cannot be known is not said to be none. */
static void test_offers_that_are_not_known(void **state)
{
	static const struct {
		const char *log, *why;
		int error;
	} logs[] = {
		{ENGINE(990, ",\"continues\":7"), "does not go back 60 s",
		 ENODATA},
		{OFFER(980, 1, 0.5, "[0,1]"), "does not go back 60 s", ENODATA},
		{"\n", "is damaged at byte 0", EINVAL},
		{ENGINE(900, "") "{\"call\":\"gap\",\"lines\":2}\n",
		 "lines are missing", ENODATA},
	};
	struct cli_offers offers;
	struct printed p;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		assert_int_equal(read_offers(logs[i].log, &cluster, &offers),
				 -1);
		assert_int_equal(errno, logs[i].error);
		assert_false(offers.known);
		cli_print_status(&cluster, &offers, false, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, "Offers that wait for their jobs are "
					"not known: ");
		assert_contains(p.text, logs[i].why);
		free(p.text);
		cli_print_status(&cluster, &offers, true, print_begin(&p));
		fclose(p.fp);
		assert_contains(p.text, "\"offers\": null");
		assert_contains(p.text, "\"offered\": null");
		free(p.text);
		cli_offers_fini(&offers);
	}
	cli_cluster_fini(&cluster);
}

static void test_status_counts_offers(void **state)
{
	struct cli_offers offers;
	struct printed p;
	struct cli_cluster cluster;

	make_site(&cluster, SETTINGS);
	add_job(&cluster, 7, JOB7, CLI_JOB_RUNNING);
	cli_cluster_arrange(&cluster);
	assert_int_equal(read_waiting(&cluster, &offers), 0);
	cli_print_status(&cluster, &offers, false, print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, "4 offers wait for their jobs, on 4 "
				"processors: accepted, but not in the queue\n");
	assert_contains(p.text, "a                up      0-1: 0.25\n"
				"                 offers  0: 0.50  1: 0.75\n"
				"c                up      0-3: 0.00\n"
				"                 offers  0-1: 0.00  2: 0.62  "
				"3: 0.12\n");
	free(p.text);
	cli_print_status(&cluster, &offers, true, print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, "\"waiting\": 4,\n  \"processors\": 4");
	assert_contains(p.text, "\"offered\": [\n    0.5,\n    0.75\n");
	free(p.text);
	cli_offers_fini(&offers);
	/* None: nothing is said, and it is known. */
	assert_int_equal(read_offers(ENGINE(900, ""), &cluster, &offers), 0);
	cli_print_status(&cluster, &offers, false, print_begin(&p));
	fclose(p.fp);
	assert_null(strstr(p.text, "ffer"));
	free(p.text);
	cli_print_status(&cluster, &offers, true, print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, "\"waiting\": 0");
	free(p.text);
	cli_offers_fini(&offers);
	cli_cluster_fini(&cluster);
}

/* In turn the offers of each processor are counted. */
static void test_status_counts_offers_in_turn(void **state)
{
	struct cli_offers offers;
	struct printed p;
	struct cli_cluster cluster;

	make_site(&cluster, "libra_policy=band,libra_partitions=main");
	cli_cluster_arrange(&cluster);
	assert_int_equal(read_offers(ENGINE(900, "")
					     OFFER(980, 1, 0.5, "[2,3]"),
				     &cluster, &offers),
			 0);
	cli_print_status(&cluster, &offers, false, print_begin(&p));
	fclose(p.fp);
	assert_contains(p.text, "1 offer waits for its job, on 3 processors");
	assert_contains(p.text, "                 offers  0-2: 1  3: 0\n");
	free(p.text);
	cli_offers_fini(&offers);
	cli_cluster_fini(&cluster);
}

/* No more is read than the time that an offer lives. */
static void test_offers_do_not_cost_the_whole_log(void **state)
{
	static const cookie_io_functions_t io = {.read = counted_read,
						 .seek = counted_seek};
	struct counted c = {NULL};
	struct cli_offers offers;
	struct cli_cluster cluster;
	FILE *fp = open_memstream(&c.text, &c.size);

	fputs(RUN, fp);
	write_others(fp, 20000);
	fputs(OFFER(20899, 1, 0.5, "[0,1]"), fp);
	fclose(fp);
	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	cluster.now_s = 20900;
	cluster.hidden = true; /* its jobs are written nowhere */
	fp = fopencookie(&c, "r", io);
	assert_int_equal(cli_offers_read(fp, &cluster, &offers), 0);
	fclose(fp);
	assert_int_equal(offers.n, 1);
	assert_true(c.size > 2000000);
	assert_true(c.read < 65536);
	cli_offers_fini(&offers);
	free(c.text);
	cli_cluster_fini(&cluster);
}

static void test_refusals(void **state)
{
	static const char log[] = RUN OTHER REFUSED;
	FILE *fp = fmemopen((void *)log, sizeof(log) - 1, "r");
	struct libra_error err = {""};
	struct printed p;

	assert_int_equal(cli_print_refusals(fp, UINT32_MAX, 3, false,
					    print_begin(&p), &err),
			 0);
	fclose(p.fp);
	assert_contains(p.text, "refused (no_share): 2 processors for 90 s");
	assert_contains(p.text, "a share of 2.25 each");
	assert_contains(p.text, "earliest deadline then");
	free(p.text);
	rewind(fp);
	assert_int_equal(
		cli_print_refusals(fp, 4, 3, false, print_begin(&p), &err), 0);
	fclose(p.fp);
	assert_contains(p.text, "No refusal");
	free(p.text);
	fclose(fp);
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
	assert_string_equal(conf.policy->name, "band");
	assert_int_equal(conf.npartitions, 1);
	assert_non_null(conf.log_path);
	libra_host_conf_fini(&conf);
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
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

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
	assert_int_equal(cli_print_status(&cluster, NULL, false, out),
			 CLI_DONE);
	fclose(out);
	assert_contains(text, "Policy planned on 2 processors of 2 nodes");
	assert_contains(text, " runs ");
	assert_contains(text, "(planned start 1970-01-01T00:25:01)");
	assert_null(strstr(text, "SHARE"));
	assert_int_equal(cli_what_if(&cluster, &request, &answer, &err), -1);
	assert_contains(err.text, "ask it with sbatch --test-only");
	free(text);
	cli_cluster_fini(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes_are_numbered_as_the_plugins_do),
		cmocka_unit_test(test_a_record_tells_progress),
		cmocka_unit_test(test_a_requeued_job_has_no_promise),
		cmocka_unit_test(test_records_of_another_cluster),
		cmocka_unit_test(test_what_if_sees_the_promises),
		cmocka_unit_test(test_what_if_knows_nodes_and_tasks),
		cmocka_unit_test(test_what_if_says_what_is_wrong),
		cmocka_unit_test(test_numbers_of_nodes),
		cmocka_unit_test(test_times_for_people),
		cmocka_unit_test(test_tasks_are_listed_in_order),
		cmocka_unit_test(test_a_late_job_is_shown_with_the_rest),
		cmocka_unit_test(test_a_broken_promise_is_explained),
		cmocka_unit_test(test_a_planned_start_is_explained),
		cmocka_unit_test(test_status_text_and_json),
		cmocka_unit_test(test_status_of_jobs_in_turn),
		cmocka_unit_test(test_plans_are_shown_by_their_starts),
		cmocka_unit_test(test_answers_text_and_json),
		cmocka_unit_test(test_history_by_record_and_by_id),
		cmocka_unit_test(test_a_change_is_told_beside_the_verdict),
		cmocka_unit_test(test_a_job_in_turn_is_told_as_such),
		cmocka_unit_test(test_history_over_runs),
		cmocka_unit_test(test_tasks_of_one_place_are_told_apart),
		cmocka_unit_test(test_a_damaged_log_and_an_unknown_job),
		cmocka_unit_test(test_a_job_does_not_cost_the_whole_log),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_offers_wait_until_they_are_jobs),
		cmocka_unit_test(test_offers_of_this_run_and_clock),
		cmocka_unit_test(test_offers_that_are_not_known),
		cmocka_unit_test(test_status_counts_offers),
		cmocka_unit_test(test_status_counts_offers_in_turn),
		cmocka_unit_test(test_offers_do_not_cost_the_whole_log),
		cmocka_unit_test(test_the_example_is_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
