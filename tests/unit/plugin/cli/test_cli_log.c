/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cli_log.c - what libra reads in a decision log. */
#include "tests/unit/cli_site.h"

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

/* What is said of job 7 by a log: a text to be freed. */
static char *told(const char *log, const struct cli_cluster *cluster,
		  const struct cli_job *job, struct cli_history *h)
{
	struct libra_error err = {""};
	struct printed p;

	assert_int_equal(read_log(log, cluster, job, 7, h, &err), 0);
	cli_print_job(cluster, job, 7, h, "", print_text(&p));
	printed(&p);
	return p.text;
}

/* Job 7 runs, and has a record. */
static void make_job7(struct cli_cluster *cluster, const char *record)
{
	make_site(cluster, SETTINGS);
	add_job(cluster, 7, record, CLI_JOB_RUNNING);
	cli_cluster_arrange(cluster);
}

static const char *event(const struct cli_history *h, size_t i)
{
	return json_string_value(
		json_object_get(json_array_get(h->events, i), "what"));
}

static void test_history_by_record_and_by_id(void **state)
{
	static const char log[] = RUN OTHER ITS COMMIT STARTED REFUSED;
	struct cli_history h;
	struct cli_cluster cluster;
	char *text;

	make_job7(&cluster, JOB7);
	for (int by_id = 0; by_id <= 1; by_id++) {
		text = told(log, &cluster, by_id ? NULL : &cluster.jobs[0], &h);
		assert_non_null(h.offer);
		assert_string_equal(h.policy, "libra");
		assert_near(h.beside, 0.25, 1e-12); /* on processor 1 */
		assert_int_equal(json_array_size(h.events), 3);
		assert_string_equal(event(&h, 2), "started");
		assert_contains(text, "0.25 was promised to others, 0.75");
		free(text);
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
	static const char log[] = RUN OTHER ITS COMMIT STARTED CHANGED
		"{\"call\":\"modify\",\"now_s\":860,\"ticket\":2,"
		"\"estimate_s\":900,\"deadline_s\":1850,\"rc\":0,"
		"\"answer\":\"reject\",\"reason\":\"no_share\"}\n";
	struct cli_history h;
	struct cli_cluster cluster;
	struct printed p;
	char *text;

	make_job7(&cluster, record);
	for (int by_id = 0; by_id <= 1; by_id++) {
		text = told(log, &cluster, by_id ? NULL : &cluster.jobs[0], &h);
		assert_contains(text, "share 0.50 of 2 processors: 10 min of "
				      "work in 20 min");
		assert_contains(text,
				"share 0.65 of 2 processors: 11 min 40 s of "
				"work in 16 min 40 s");
		assert_contains(text, "0.30 was promised to others, 0.95");
		assert_contains(text, "change accepted");
		assert_contains(text, "change refused (no_share)");
		free(text);
		cli_history_fini(&h);
	}
	/* Without a log the old numbers are not known, and not made up. */
	cli_print_job(&cluster, &cluster.jobs[0], 7, NULL, "no log",
		      print_text(&p));
	printed(&p);
	assert_contains(p.text, ", with other numbers\n");
	assert_contains(p.text, "11 min 40 s of work in 16 min 40 s");
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
	struct cli_history h;
	struct cli_cluster cluster;
	char *text, at[32], end[64];

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	text = told(log, &cluster, NULL, &h);
	assert_contains(text, "2 processors, in turn by deadline: 10 min of "
			      "work in 20 min");
	cli_clock_text(1700, 1000, at);
	snprintf(end, sizeof(end),
		 "policy band; with all that was promised "
		 "before it, it ends by ");
	assert_contains(text, end);
	assert_contains(text, at);
	assert_null(strstr(text, "nan"));
	free(text);
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
}

/* The free processors, and the jobs that come before. */
static void test_a_planned_job_is_told_who_is_before(void **state)
{
	static const char log[] =
		"{\"call\":\"offer\",\"now_s\":800,\"submit_s\":800,"
		"\"estimate_s\":600,\"deadline_s\":2000,\"nprocs\":2,"
		"\"user\":3,\"answer\":\"accept\",\"reason\":\"none\","
		"\"share\":1,\"ticket\":2,\"policy\":\"planned\","
		"\"free\":1,\"ahead\":[[3,4,900],[0,1,860]],"
		"\"placement\":[[0,2]]}\n" COMMIT;
	static const char refused[] =
		"{\"call\":\"offer\",\"now_s\":900,\"submit_s\":900,"
		"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,"
		"\"user\":3,\"answer\":\"reject\",\"reason\":\"would_miss\","
		"\"ticket\":0,\"policy\":\"planned\"}\n"
		"{\"call\":\"earliest\",\"now_s\":900,\"submit_s\":900,"
		"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,"
		"\"user\":3,\"earliest_s\":1090,\"free\":0,"
		"\"ahead\":[[7,2,1000]]}\n";
	FILE *fp = fmemopen((void *)refused, sizeof(refused) - 1, "r");
	struct libra_error err = {""};
	struct cli_history h;
	struct cli_cluster cluster;
	struct printed p;
	char *text;

	make_site(&cluster, SETTINGS);
	cli_cluster_arrange(&cluster);
	text = told(log, &cluster, NULL, &h);
	assert_contains(text, "policy planned; 1 processor was free then, and "
			      "it comes after job 3 (4 processors until "
			      "00:15:00), another submission (1 processor "
			      "until 00:14:20)\n");
	free(text);
	cli_history_fini(&h);
	cli_cluster_fini(&cluster);
	cli_print_refusals(fp, UINT32_MAX, 3, 1000, print_text(&p), &err);
	printed(&p);
	assert_contains(p.text,
			"00:15:00  refused (would_miss): 2 processors for 90 s "
			"by 00:15:40; 0 processors were free then, and it "
			"comes after job 7 (2 processors until 00:16:40); "
			"earliest deadline then: 00:18:10 UTC (a nearer");
	free(p.text);
	fclose(fp);
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

/* What is read is what the log has since the verdict, twice: from the end to
 * it, and from it to the end; whatever came before.
 */
static void test_a_job_does_not_cost_the_whole_log(void **state)
{
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
	make_job7(&cluster, JOB7);
	for (int by_id = 0; by_id <= 1; by_id++) {
		fp = counted_open(&c);
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

static void test_refusals(void **state)
{
	static const char log[] = RUN OTHER REFUSED;
	FILE *fp = fmemopen((void *)log, sizeof(log) - 1, "r");
	struct libra_error err = {""};
	struct printed p;

	assert_int_equal(cli_print_refusals(fp, UINT32_MAX, 3, 1000,
					    print_text(&p), &err),
			 0);
	printed(&p);
	assert_contains(p.text, "refused (no_share): 2 processors for 90 s");
	assert_contains(p.text, "a share of 2.25 each");
	assert_contains(p.text, "earliest deadline then");
	free(p.text);
	rewind(fp);
	assert_int_equal(
		cli_print_refusals(fp, 4, 3, 1000, print_text(&p), &err), 0);
	printed(&p);
	assert_contains(p.text, "No refusal");
	free(p.text);
	fclose(fp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history_by_record_and_by_id),
		cmocka_unit_test(test_a_change_is_told_beside_the_verdict),
		cmocka_unit_test(test_a_job_in_turn_is_told_as_such),
		cmocka_unit_test(test_a_planned_job_is_told_who_is_before),
		cmocka_unit_test(test_history_over_runs),
		cmocka_unit_test(test_tasks_of_one_place_are_told_apart),
		cmocka_unit_test(test_a_damaged_log_and_an_unknown_job),
		cmocka_unit_test(test_a_job_does_not_cost_the_whole_log),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
