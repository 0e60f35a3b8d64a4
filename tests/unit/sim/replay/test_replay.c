/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_replay.c - a decision log replays to the same decisions, or says where
 * it does not; of logs that are written by hand.
 */
#include <errno.h>

#include "tests/unit/replay.h"

/* Two processors, Libra.  A job of 10 s by 40 s has the share 0.25 (the
 * latest that Libra could give: S = 0.25).  A second one of 90 s by 100 s, of
 * both processors, needs 0.9: 0.25 + 0.9 > 1 on the first.  Ticket 4294967296
 * is the first one of an engine: generation 1 of slot 0.
 */
#define ENGINE                                                                 \
	"{\"call\":\"engine\",\"now_s\":100,\"epoch\":7,\"policy\":\"libra\"," \
	"\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",1],[\"b\",1]],\"offer_ttl_s\":60}\n"
#define OFFER                                                                  \
	"{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,"                  \
	"\"estimate_s\":10,\"deadline_s\":140,\"nprocs\":1,\"user\":3,"        \
	"\"answer\":\"accept\",\"reason\":\"none\",\"ticket\":4294967296,"     \
	"\"share\":0.25,\"placement\":[[0,1]]}\n"
#define COMMIT                                                                 \
	"{\"call\":\"commit\",\"now_s\":100,\"ticket\":4294967296,\"id\":9,"   \
	"\"rc\":0}\n"
#define START                                                                  \
	"{\"action\":\"start\",\"ticket\":4294967296,\"id\":9,"                \
	"\"reason\":\"none\"}\n"
#define STARTED                                                                \
	"{\"call\":\"started\",\"now_s\":101,\"ticket\":4294967296,\"rc\":0}\n"
#define REFUSED                                                                \
	"{\"call\":\"offer\",\"now_s\":101,\"submit_s\":101,"                  \
	"\"estimate_s\":90,\"deadline_s\":201,\"nprocs\":2,\"user\":3,"        \
	"\"answer\":\"reject\",\"reason\":\"no_share\",\"ticket\":0,"          \
	"\"share\":0}\n"

#define GAP "{\"call\":\"gap\",\"lines\":12}\n"
/* The same run in another file, and the next one. */
#define CONTINUES(n)                                                                         \
	"{\"call\":\"engine\",\"now_s\":102,\"epoch\":7,\"policy\":\"libra\","               \
	"\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",1],[\"b\",1]],\"offer_ttl_s\":60," \
	"\"continues\":" #n "}\n"
#define NEXT_ENGINE                                                            \
	"{\"call\":\"engine\",\"now_s\":109,\"epoch\":8,\"policy\":\"libra\"," \
	"\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",1],[\"b\",1]],\"offer_ttl_s\":60}\n"

/* Fail unless the first difference is this one. */
static void differs(const char *text, unsigned line, const char *field,
		    const char *logged, const char *replayed)
{
	struct libra_error err = {""};
	struct seen seen;

	assert_int_equal(replay_text(text, strlen(text), &seen, NULL, &err), 0);
	assert_true(seen.n > 0);
	assert_int_equal(seen.first.line, line);
	assert_string_equal(seen.field, field);
	assert_string_equal(seen.first.logged, logged);
	assert_string_equal(seen.first.replayed, replayed);
}

/* Fail unless the log is no log, for this reason. */
static void damaged(const char *text, const char *why)
{
	struct libra_error err = {""};
	struct seen seen;

	errno = 0;
	assert_int_equal(replay_text(text, strlen(text), &seen, NULL, &err),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, why);
}

static void test_a_log_by_hand(void **state)
{
	struct libra_error err = {""};
	struct sim_replay_counts counts;
	struct seen seen;
	static const char log[] = ENGINE OFFER COMMIT START STARTED REFUSED;

	alike(log);
	assert_int_equal(
		replay_text(log, sizeof(log) - 1, &seen, &counts, &err), 0);
	assert_int_equal(counts.lines, 6);
	assert_int_equal(counts.runs, 1);
	assert_int_equal(counts.actions, 1);
	assert_string_equal(sim_replay_calls[1], "offer");
	assert_int_equal(counts.calls[1], 2);
	assert_int_equal(counts.differences, 0);
}

static void test_other_decisions_are_found(void **state)
{
	differs(ENGINE
		"{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,"
		"\"estimate_s\":10,\"deadline_s\":140,\"nprocs\":1,\"user\":3,"
		"\"answer\":\"reject\",\"reason\":\"no_share\",\"ticket\":0,"
		"\"share\":0}\n",
		2, "answer", "reject", "accept");
	differs(ENGINE
		"{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,"
		"\"estimate_s\":10,\"deadline_s\":140,\"nprocs\":1,\"user\":3,"
		"\"answer\":\"accept\",\"reason\":\"none\","
		"\"ticket\":4294967296,\"share\":0.25000000000000006,"
		"\"placement\":[[0,1]]}\n",
		2, "share", "0.25000000000000006", "0.25");
	differs(ENGINE
		"{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,"
		"\"estimate_s\":10,\"deadline_s\":140,\"nprocs\":1,\"user\":3,"
		"\"answer\":\"accept\",\"reason\":\"none\","
		"\"ticket\":4294967297,\"share\":0.25,"
		"\"placement\":[[1,1]]}\n",
		2, "ticket", "4294967297", "4294967296");
	differs(ENGINE
		"{\"call\":\"offer\",\"now_s\":100,\"submit_s\":100,"
		"\"estimate_s\":10,\"deadline_s\":140,\"nprocs\":1,\"user\":3,"
		"\"answer\":\"accept\",\"reason\":\"none\","
		"\"ticket\":4294967296,\"share\":0.25,"
		"\"placement\":[[1,1]]}\n",
		2, "placement", "[1,1]", "[0,1]");
	differs(ENGINE OFFER COMMIT START START, 5, "action", "start", "none");
	differs(ENGINE OFFER START, 3, "action", "start", "none");
	differs(ENGINE COMMIT, 2, "rc", "0", "-1");
	differs(ENGINE
		"{\"call\":\"earliest\",\"now_s\":100,\"submit_s\":100,"
		"\"estimate_s\":10,\"deadline_s\":105,\"nprocs\":3,\"user\":3,"
		"\"earliest_s\":110}\n",
		2, "earliest_s", "110", "inf");
}

static void test_a_run_goes_on_or_begins_anew(void **state)
{
	struct libra_error err = {""};
	struct sim_replay_counts counts;
	struct seen seen;
	char log[4096];

	/* Rotated: the same epoch, the tickets go on. */
	alike(ENGINE OFFER ENGINE COMMIT START);
	/* Restarted: another epoch, the first ticket again. */
	snprintf(log, sizeof(log), "%s%s%s", ENGINE OFFER COMMIT,
		 "{\"call\":\"engine\",\"now_s\":109,\"epoch\":8,"
		 "\"policy\":\"libra\",\"params\":{\"late_yields\":0},"
		 "\"nodes\":[[\"a\",1],[\"b\",1]],\"offer_ttl_s\":null}\n",
		 OFFER COMMIT);
	alike(log);
	assert_int_equal(replay_text(log, strlen(log), &seen, &counts, &err),
			 0);
	assert_int_equal(counts.runs, 2);
	/* The same run cannot have become another machine. */
	differs(ENGINE "{\"call\":\"engine\",\"now_s\":109,\"epoch\":7,"
		       "\"policy\":\"libra\",\"params\":{\"late_yields\":0},"
		       "\"nodes\":[[\"a\",1],[\"b\",2]],\"offer_ttl_s\":60}\n",
		2, "engine", "another configuration", "that of the run");
}

/* Fail unless the log has a gap there, and so much else. */
static void gap(const char *text, unsigned line, const char *why,
		unsigned passed_over, unsigned calls, unsigned runs)
{
	struct libra_error err = {""};
	struct sim_replay_counts counts;
	struct seen seen;
	uint64_t n = 0;

	if (replay_text(text, strlen(text), &seen, &counts, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(seen.n, 0);
	assert_int_equal(seen.gaps, 1);
	assert_int_equal(counts.gaps, 1);
	assert_int_equal(seen.gap_line, line);
	assert_contains(seen.why, why);
	assert_int_equal(counts.passed_over, passed_over);
	for (int i = 1; i < SIM_REPLAY_NCALLS; i++)
		n += counts.calls[i];
	assert_int_equal(n, calls);
	assert_int_equal(counts.runs, runs);
}

static void test_behind_a_gap_the_next_run_is_compared(void **state)
{
	const char *why =
		"12 lines are missing: slurmctld could not write them";

	gap(ENGINE OFFER GAP, 3, why, 0, 1, 1);
	/* What is behind cannot be judged, right or wrong. */
	gap(ENGINE OFFER GAP COMMIT START STARTED STARTED, 3, why, 4, 1, 1);
	gap(ENGINE OFFER GAP COMMIT START NEXT_ENGINE OFFER COMMIT, 3, why, 2,
	    3, 2);
	/* Rotated in the meantime, the same run is as lost as before. */
	gap(ENGINE OFFER GAP COMMIT ENGINE STARTED NEXT_ENGINE OFFER, 3, why, 3,
	    2, 2);
	gap(ENGINE OFFER GAP COMMIT CONTINUES(16) STARTED NEXT_ENGINE OFFER, 3,
	    why, 3, 2, 2);
	/* The start of the run itself could not be written. */
	gap(GAP OFFER NEXT_ENGINE OFFER, 1, why, 1, 1, 1);
	gap(ENGINE OFFER GAP COMMIT GAP STARTED, 3, why, 3, 1, 1);
	differs(ENGINE GAP NEXT_ENGINE COMMIT, 4, "rc", "0", "-1");
}

static void test_a_run_that_goes_on_has_all_its_lines(void **state)
{
	alike(ENGINE OFFER CONTINUES(2) COMMIT START CONTINUES(5) STARTED);
	gap(CONTINUES(7) COMMIT START NEXT_ENGINE OFFER, 1,
	    "the run began in an older file", 2, 1, 1);
	/* A file of the run was not given, or the log was off for a while. */
	gap(ENGINE OFFER CONTINUES(4) COMMIT, 3,
	    "the run had 4 lines before this one, but 2 were read", 1, 1, 1);
	/* The file of the run that was before. */
	gap(NEXT_ENGINE OFFER CONTINUES(2) COMMIT, 3,
	    "the run began in an older file", 1, 1, 1);
}

static void test_what_is_no_log(void **state)
{
	damaged("", "the log is empty");
	damaged("hello\n", "log:1: damaged");
	damaged("[1]\n", "log:1: damaged: not a JSON object");
	damaged(ENGINE "{\"call\":\"offer\",\"now_s\":1", "log:2: the line is");
	damaged(ENGINE "{\"call\":\"offer\",\"now_s\":1\n", "log:2: damaged");
	damaged(ENGINE "\n", "log:2: damaged");
	damaged(ENGINE OFFER "{\"call\":\"ponder\",\"now_s\":1}\n",
		"log:3: unknown call 'ponder'");
	damaged(ENGINE "{\"call\":\"gap\",\"lines\":-1}\n",
		"log:2: 'lines' is not a whole number");
	damaged(ENGINE "{\"call\":\"gap\"}\n", "log:2: gap without 'lines'");
	damaged(ENGINE GAP "hello\n", "log:3: damaged");
	damaged(OFFER, "log:1: the log does not begin with 'engine'");
	damaged(START, "log:1: the log does not begin with 'engine'");
	damaged(ENGINE "{\"now_s\":1}\n", "log:2: a line without 'call'");
	damaged(ENGINE "{\"call\":\"commit\",\"ticket\":1,\"id\":2,\"rc\":0}\n",
		"commit without 'now_s'");
	damaged(ENGINE "{\"call\":\"commit\",\"now_s\":1,\"ticket\":-1,"
		       "\"id\":2,\"rc\":0}\n",
		"'ticket' is not a whole number");
	damaged(ENGINE "{\"call\":\"commit\",\"now_s\":1,\"ticket\":1,"
		       "\"id\":2,\"rc\":7}\n",
		"'rc' is neither");
	damaged(ENGINE "{\"call\":\"node\",\"now_s\":1,\"node\":0,"
		       "\"state\":\"ill\",\"rc\":0}\n",
		"unknown state of a node 'ill'");
	damaged(ENGINE "{\"call\":\"schedule\",\"now_s\":\"noon\"}\n",
		"'now_s' is not a number");
	damaged(ENGINE "{\"call\":\"offer\",\"now_s\":1,\"submit_s\":1,"
		       "\"estimate_s\":1,\"deadline_s\":5,\"nprocs\":1.5,"
		       "\"user\":0}\n",
		"'nprocs' is not a whole number");
}

static void test_logs_of_another_version(void **state)
{
	damaged("{\"call\":\"engine\",\"version\":2,\"now_s\":1,\"epoch\":1,"
		"\"policy\":\"libra\",\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",1]],"
		"\"offer_ttl_s\":1}\n",
		"the log is of version 2");
	damaged("{\"call\":\"engine\",\"now_s\":1,\"epoch\":1,"
		"\"policy\":\"librra\",\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",1]],"
		"\"offer_ttl_s\":1}\n",
		"librra");
	damaged("{\"call\":\"engine\",\"now_s\":1,\"epoch\":1,"
		"\"policy\":\"libra\",\"params\":{\"late_yields\":0,\"zeal\":1},"
		"\"nodes\":[[\"a\",1]],\"offer_ttl_s\":1}\n",
		"librasim that matches");
	damaged("{\"call\":\"engine\",\"now_s\":1,\"epoch\":1,"
		"\"policy\":\"libra\",\"params\":{\"late_yields\":0},\"nodes\":[[\"a\",0]],"
		"\"offer_ttl_s\":1}\n",
		"log:1: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_log_by_hand),
		cmocka_unit_test(test_other_decisions_are_found),
		cmocka_unit_test(test_a_run_goes_on_or_begins_anew),
		cmocka_unit_test(test_behind_a_gap_the_next_run_is_compared),
		cmocka_unit_test(test_a_run_that_goes_on_has_all_its_lines),
		cmocka_unit_test(test_what_is_no_log),
		cmocka_unit_test(test_logs_of_another_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
