/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cli_offers.c - offers that wait for their jobs, in what libra says. */
#include "tests/unit/cli_site.h"

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
		cli_print_status(&cluster, &offers, &every_line,
				 print_text(&p));
		printed(&p);
		assert_contains(p.text, "Offers that wait for their jobs are "
					"not known: ");
		assert_contains(p.text, logs[i].why);
		free(p.text);
		cli_print_status(&cluster, &offers, &every_line,
				 print_json(&p));
		printed(&p);
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
	cli_print_status(&cluster, &offers, &every_line, print_text(&p));
	printed(&p);
	assert_contains(p.text, "4 offers wait for their jobs, on 4 "
				"processors: accepted, but not in the queue\n");
	assert_contains(p.text, "a                up      0-1: 0.25\n"
				"                 offers  0: 0.50  1: 0.75\n"
				"c                up      0-3: 0.00\n"
				"                 offers  0-1: 0.00  2: 0.62  "
				"3: 0.12\n");
	free(p.text);
	cli_print_status(&cluster, &offers, &every_line, print_json(&p));
	printed(&p);
	assert_contains(p.text, "\"waiting\": 4,\n    \"processors\": 4");
	assert_contains(p.text, "\"offered\": [\n      0.5,\n      0.75\n");
	free(p.text);
	cli_offers_fini(&offers);
	/* None: nothing is said, and it is known. */
	assert_int_equal(read_offers(ENGINE(900, ""), &cluster, &offers), 0);
	cli_print_status(&cluster, &offers, &every_line, print_text(&p));
	printed(&p);
	assert_null(strstr(p.text, "ffer"));
	free(p.text);
	cli_print_status(&cluster, &offers, &every_line, print_json(&p));
	printed(&p);
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
	cli_print_status(&cluster, &offers, &every_line, print_text(&p));
	printed(&p);
	assert_contains(p.text, "1 offer waits for its job, on 3 processors");
	assert_contains(p.text, "                 offers  0-2: 1  3: 0\n");
	free(p.text);
	cli_offers_fini(&offers);
	cli_cluster_fini(&cluster);
}

/* No more is read than the time that an offer lives. */
static void test_offers_do_not_cost_the_whole_log(void **state)
{
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
	fp = counted_open(&c);
	assert_int_equal(cli_offers_read(fp, &cluster, &offers), 0);
	fclose(fp);
	assert_int_equal(offers.n, 1);
	assert_true(c.size > 2000000);
	assert_true(c.read < 65536);
	cli_offers_fini(&offers);
	free(c.text);
	cli_cluster_fini(&cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offers_wait_until_they_are_jobs),
		cmocka_unit_test(test_offers_of_this_run_and_clock),
		cmocka_unit_test(test_offers_that_are_not_known),
		cmocka_unit_test(test_status_counts_offers),
		cmocka_unit_test(test_status_counts_offers_in_turn),
		cmocka_unit_test(test_offers_do_not_cost_the_whole_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
