/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_replay.c - a decision log replays to the same decisions, or says where
 * it does not.
 *
 * Logs come from the plugins' own writer (plugin/host/engine_log.c), and one is
 * written by hand.
 */
#include <errno.h>

#include "plugin/host/engine_log.h"
#include "plugin/plan/plan_log.h"
#include "sim/replay/replay.h"
#include "tests/unit/test.h"

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

struct seen {
	unsigned n;
	unsigned gaps;
	uint64_t gap_line; /* of the first */
	char why[160];
	struct sim_replay_difference first;
	char call[32], field[32];
};

static void see(void *arg, const struct sim_replay_difference *d)
{
	struct seen *seen = arg;

	if (seen->n++ > 0)
		return;
	seen->first = *d;
	snprintf(seen->call, sizeof(seen->call), "%s", d->call);
	snprintf(seen->field, sizeof(seen->field), "%s", d->field);
}

static void see_gap(void *arg, const char *file, uint64_t line, const char *why)
{
	struct seen *seen = arg;

	assert_string_equal(file, "log");
	if (seen->gaps++ > 0)
		return;
	seen->gap_line = line;
	snprintf(seen->why, sizeof(seen->why), "%s", why);
}

static int replay_text(const char *text, size_t len, struct seen *seen,
		       struct sim_replay_counts *counts,
		       struct libra_error *err)
{
	struct sim_replay *r = sim_replay_create(see, see_gap, seen);
	FILE *fp = len ? fmemopen((void *)text, len, "r")
		       : fopen("/dev/null", "r");
	int rc;

	assert_non_null(r);
	assert_non_null(fp);
	*seen = (struct seen){0};
	rc = sim_replay_file(r, fp, "log", err);
	if (counts)
		sim_replay_count(r, counts);
	sim_replay_destroy(r);
	fclose(fp);
	return rc;
}

/* Fail unless this log is replayed without a difference. */
static void alike(const char *text)
{
	struct libra_error err = {""};
	struct seen seen;

	if (replay_text(text, strlen(text), &seen, NULL, &err) < 0)
		fail_msg("%s", err.text);
	if (seen.gaps)
		fail_msg("line %u: %s", (unsigned)seen.gap_line, seen.why);
	if (seen.n)
		fail_msg("line %u: %s: %s: %s != %s", (unsigned)seen.first.line,
			 seen.call, seen.field, seen.first.logged,
			 seen.first.replayed);
}

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

/* ---- logs that the plugins' writer wrote ---- */

static void no_report(void *arg, const char *text)
{
	fail_msg("%s", text);
}

static void no_conf_report(void *arg, const char *text)
{
	fail_msg("%s", text);
}

struct writer {
	struct libra_engine_log log;
	struct libra_host_conf conf;
	char path[32];
	uint64_t tickets[64]; /* 0 = unused */
	bool running[64];
	double now_s;
	uint32_t random;
};

enum { NNODES = 3, SLOTS = 64 };

static const uint32_t node_procs[NNODES] = {4, 2, 4};
static const char *const node_names[NNODES] = {"n1", "n2", "n3"};

/* What nodes have besides, where plans are by node. */
static bool by_node;
static const uint64_t node_memory[NNODES] = {64, 64, 128};
static char resources[][64] = {"mem"};

static uint32_t draw(struct writer *w, uint32_t below)
{
	w->random = w->random * 1664525u + 1013904223u;
	return (w->random >> 8) % below;
}

static void writer_engine(struct writer *w)
{
	struct libra_error err = {""};

	w->log.epoch++;
	if (libra_engine_log_create(&w->log, w->now_s, &err) < 0)
		fail_msg("%s", err.text);
	memset(w->tickets, 0, sizeof(w->tickets));
	memset(w->running, 0, sizeof(w->running));
}

/* Any policy, also one that the plugins would refuse. */
static void set_policy(struct writer *w, const char *name)
{
	w->conf.policy = libra_policy_find(name, NULL);
	assert_non_null(w->conf.policy);
	for (size_t i = 0; i < w->conf.policy->nparams; i++)
		w->conf.params[i] = w->conf.policy->params[i].value;
}

static void writer_init(struct writer *w, const char *policy,
			const char *params, uint32_t seed)
{
	*w = (struct writer){.now_s = 1.7e9 + 1 / 3., .random = seed};
	assert_int_equal(
		libra_host_conf_init(&w->conf, params, no_conf_report, NULL),
		0);
	set_policy(w, policy);
	test_write_file(w->path, "", 0);
	libra_declog_open(&w->log.out, w->path, no_report, NULL);
	w->log.conf = &w->conf;
	w->log.node_names = node_names;
	w->log.node_procs = node_procs;
	w->log.nnodes = NNODES;
	if (by_node) {
		w->log.nresources = 1;
		w->log.node_resources = node_memory;
		w->log.resources = resources;
	}
	writer_engine(w);
}

static void writer_fini(struct writer *w)
{
	libra_engine_log_destroy(&w->log);
	libra_declog_close(&w->log.out);
	libra_host_conf_fini(&w->conf);
	unlink(w->path);
}

static struct libra_job some_job(struct writer *w, struct libra_where *where)
{
	static const struct libra_range allowed[] = {{0, 3}, {6, 4}};
	struct libra_job job = {
		.submit_s = w->now_s,
		.estimate_s = 30 + draw(w, 4000) / 7.,
		.nprocs = 1 + draw(w, 5),
		.user = draw(w, 3),
	};

	job.deadline_s = w->now_s + job.estimate_s * (1 + draw(w, 400) / 90.);
	*where = (struct libra_where){0};
	if (draw(w, 3) == 0) {
		where->allowed = allowed;
		where->nallowed = 2;
		where->chunk = job.nprocs % 2 ? 1 : 2;
		where->node_max = 4;
		job.where = where;
	}
	return job;
}

static void submit(struct writer *w)
{
	struct libra_where where;
	struct libra_job job = some_job(w, &where);
	struct libra_verdict v;
	uint32_t i = draw(w, SLOTS);

	if (w->tickets[i])
		return;
	if (draw(w, 25) == 0)
		job.estimate_s = -1; /* an offer that fails */
	if (libra_engine_log_offer(&w->log, &job, w->now_s, &v, NULL) < 0)
		return;
	if (v.answer == LIBRA_REJECT) {
		libra_engine_log_earliest(&w->log, &job, 1 + draw(w, 3),
					  w->now_s);
	} else if (draw(w, 8) == 0) {
		libra_engine_log_withdraw(&w->log, v.ticket, w->now_s);
	} else if (draw(w, 10) != 0) { /* else it expires */
		libra_engine_log_commit(&w->log, v.ticket, 100 + i, w->now_s);
		w->tickets[i] = v.ticket;
		w->running[i] = false;
	}
}

static void obey(struct writer *w)
{
	struct libra_action a;

	while (libra_engine_log_next_action(&w->log, &a))
		for (uint32_t i = 0; i < SLOTS; i++)
			if (a.kind == LIBRA_ACTION_START &&
			    w->tickets[i] == a.ticket)
				w->running[i] = libra_engine_log_started(
							&w->log, a.ticket, i,
							w->now_s) == 0;
}

static void change(struct writer *w, uint32_t i)
{
	struct libra_where where;
	struct libra_job job = some_job(w, &where);
	struct libra_verdict v;
	struct libra_error err = {""};

	job.where = NULL;
	libra_engine_log_modify(&w->log, w->tickets[i], &job, w->now_s, &v,
				&err);
}

static void restore(struct writer *w)
{
	struct libra_where where;
	struct libra_job job = some_job(w, &where);
	struct libra_part parts[2] = {{{1, 1}, job.estimate_s / 3, NULL},
				      {{5, 2}, -2.5, NULL}};
	uint64_t ticket;

	job.nprocs = draw(w, 9) ? 3 : 4; /* 4: not what the parts have */
	job.where = NULL;
	job.id = 77;
	libra_engine_log_restore(&w->log, &job, parts, 2, draw(w, 2), w->now_s,
				 &ticket, NULL);
}

/* Some are none. */
static void restore_place(struct writer *w, struct libra_job job)
{
	const uint64_t memory[] = {draw(w, 70)};
	const struct libra_part part = {{draw(w, 9), 2}, 0, memory};
	const struct libra_opening at = {.parts = &part,
					 .nparts = 1,
					 .gone = w->tickets,
					 .ngone = draw(w, 3),
					 .delay_s = draw(w, 300) / 7.};

	job.id = 99;
	job.nprocs = 2;
	libra_plan_log_restore_place(&w->log, &job, &at, w->now_s, NULL);
}

/* What only policies that plan can do; to others it is an error, and logged. */
static void plan(struct writer *w)
{
	struct libra_where where;
	struct libra_job job = some_job(w, &where);
	double start_s = draw(w, 2) ? NAN : w->now_s + draw(w, 900) / 7.;
	struct libra_verdict v;
	uint64_t ticket;

	job.where = NULL;
	if (draw(w, 2))
		libra_plan_log_restore_waiting(&w->log, &job, start_s, w->now_s,
					       &ticket, NULL);
	if (draw(w, 3) == 0) {
		const struct libra_outage out[] = {
			{0, w->now_s + draw(w, 700) / 7., w->now_s + 300},
			{draw(w, NNODES + 1), w->now_s, w->now_s + 100 / 7.},
		};

		libra_plan_log_outages(&w->log, out, draw(w, 3), w->now_s,
				       NULL);
	}
	job.deadline_s = INFINITY;
	libra_plan_log_may_start(&w->log, &job,
				 &(struct libra_opening){
					 .gone = w->tickets,
					 .ngone = draw(w, 3),
					 .stops = draw(w, 2),
					 .delay_s = draw(w, 300) / 7.,
				 },
				 w->now_s);
	if (draw(w, 4) == 0)
		libra_plan_log_forgo(&w->log, job.id, w->now_s);
	if (draw(w, 4) == 0)
		restore_place(w, job);
	if (draw(w, 2) &&
	    libra_plan_log_plan_ordinary(&w->log, &job, w->now_s, &v, NULL) ==
		    0 &&
	    v.answer == LIBRA_ACCEPT)
		libra_engine_log_commit(&w->log, v.ticket, 88, w->now_s);
}

static void step(struct writer *w)
{
	uint32_t i = draw(w, SLOTS);

	w->now_s += draw(w, 1000) / 13.;
	switch (draw(w, 17)) {
	case 16:
		if (w->tickets[i])
			libra_engine_log_suspend(&w->log, w->tickets[i],
						 draw(w, 2), w->now_s);
		break;
	case 15:
		plan(w);
		break;
	case 0:
		libra_engine_log_node(&w->log, draw(w, NNODES + 1),
				      LIBRA_NODE_UP + draw(w, 3), w->now_s);
		break;
	case 1:
		if (w->tickets[i])
			change(w, i);
		break;
	case 2:
		restore(w);
		break;
	case 3:
		libra_engine_log_schedule(&w->log, w->now_s);
		break;
	case 4:
		if (w->tickets[i])
			libra_engine_log_progress(&w->log, w->tickets[i],
						  draw(w, 100) / 7., w->now_s);
		break;
	case 5:
		if (w->tickets[i])
			libra_engine_log_reestimate(&w->log, w->tickets[i],
						    1 + draw(w, 1000) / 7.,
						    w->now_s);
		break;
	case 6:
		i = draw(w, 2000);
		libra_engine_log_clock(&w->log, w->now_s, w->now_s - i);
		w->now_s -= i;
		break;
	case 7:
	case 8:
	case 9:
		if (w->running[i])
			libra_engine_log_departed(&w->log, w->tickets[i],
						  w->now_s);
		else if (w->tickets[i])
			libra_engine_log_withdraw(&w->log, w->tickets[i],
						  w->now_s);
		w->tickets[i] = 0;
		w->running[i] = false;
		break;
	default:
		submit(w);
	}
	obey(w);
}

/* What was learned goes on; one number more is refused, and logged. */
static void start_again(struct writer *w)
{
	double learned[100] = {0};
	size_t n = libra_engine_learned(w->log.engine, learned, 99);

	libra_engine_log_destroy(&w->log);
	writer_engine(w);
	libra_engine_log_relearn(&w->log, learned, n + 1, w->now_s, NULL);
	libra_engine_log_relearn(&w->log, learned, n, w->now_s, NULL);
}

/* A log of a thousand steps with a restart in the middle; the caller frees. */
static char *generate(const char *policy, const char *params, uint32_t seed)
{
	struct writer w;
	char *text = NULL;
	size_t cap = 0;
	FILE *fp;

	writer_init(&w, policy, params, seed);
	for (int i = 0; i < 1000; i++) {
		step(&w);
		if (i == 600)
			start_again(&w);
		/* Rotated, and told another name that is the same. */
		if (i % 300 == 299)
			libra_engine_log_opening(&w.log, w.now_s);
		if (i % 400 == 399) {
			libra_declog_move(&w.log.out, w.path, no_report, NULL);
			libra_engine_log_opening(&w.log, w.now_s);
		}
	}
	fp = fopen(w.path, "r");
	assert_non_null(fp);
	assert_true(getdelim(&text, &cap, '\0', fp) > 0);
	fclose(fp);
	writer_fini(&w);
	return text;
}

/* Result: of this call so many succeeded. */
static int count_good(const char *log, const char *call)
{
	const char *line = log;
	char *text;
	int n = 0;

	for (; (line = strstr(line, call)); line++) {
		text = strndup(line, strcspn(line, "\n"));
		assert_non_null(text);
		n += strstr(text, "\"rc\":0") != NULL;
		free(text);
	}
	return n;
}

/* Places that are kept over a restart, some in the way of what follows. */
static void test_places_replay(void **state)
{
	char *log;

	by_node = true;
	log = generate("planned", "", 7);
	by_node = false;
	assert_true(count_good(log, "\"call\":\"restore_place\"") > 2);
	alike(log);
	free(log);
}

static void test_generated_logs_replay(void **state)
{
	static const struct {
		const char *policy, *params;
	} confs[] = {
		{"libra", ""},
		{"librarisk", ""},
		{"demand", ""},
		{"librarisk", "libra_offer_ttl=600"},
		{"band", ""},
		{"libra", "libra_offer_ttl=2"},
		{"band", "libra_offer_ttl=600"},
		{"planned", ""},
		{"planned", "libra_offer_ttl=600"},
	};
	size_t n = sizeof(confs) / sizeof(confs[0]);

	for (uint32_t i = 0; i < n; i++) {
		char *log = generate(confs[i].policy, confs[i].params,
				     20060814 + i);

		assert_contains(log, "\"answer\":\"accept\"" + 9);
		alike(log);
		free(log);
	}
}

/* Every call and both answers are in these logs, or they would prove little. */
static void test_generated_logs_have_everything(void **state)
{
	static const char *const policies[] = {"libra", "band"};
	static const char *const own[2][2] = {{"reshare", "reshare"},
					      {"hold", "resume"}};
	struct libra_error err = {""};
	struct sim_replay_counts counts;
	struct seen seen;
	char action[32];

	for (int p = 0; p < 2; p++) {
		char *log = generate(policies[p], "", 1);

		assert_int_equal(
			replay_text(log, strlen(log), &seen, &counts, &err), 0);
		for (int i = 0; i < SIM_REPLAY_NCALLS; i++)
			assert_true(counts.calls[i] > 0 ||
				    (p == 0 && strcmp(sim_replay_calls[i],
						      "suspend") == 0));
		assert_int_equal(counts.runs, 2);
		assert_contains(log, "\"answer\":\"accept\"");
		assert_contains(log, "\"answer\":\"reject\"");
		assert_contains(log, "\"rc\":-1");
		assert_contains(log, "\"allowed\":[[0,3],[6,4]]");
		assert_contains(log, "\"action\":\"reject\"");
		for (int i = 0; i < 2; i++) {
			snprintf(action, sizeof(action), "\"action\":\"%s\"",
				 own[p][i]);
			assert_contains(log, action);
		}
		free(log);
	}
}

/* Change a late digit of each share of an accepted job: each is found. */
static void test_one_digit_is_found(void **state)
{
	char *log = generate("librarisk", "", 7), *at = log, *end;
	struct libra_error err = {""};
	unsigned line = 1, tried = 0;
	struct seen seen;

	for (; *at; at = strchr(at, '\n') + 1, line++) {
		char *share = strstr(at, "\"share\":0.");
		char *eol = strchr(at, '\n'), was;

		if (!share || share > eol || tried == 30)
			continue;
		/* The 15th: the last one may read back to the same. */
		end = share + strcspn(share, ",}") - 1;
		if (end > share + 24)
			end = share + 24;
		was = *end;
		*end = was == '5' ? '4' : '5';
		assert_int_equal(
			replay_text(log, strlen(log), &seen, NULL, &err), 0);
		assert_int_equal(seen.n, 1);
		assert_int_equal(seen.first.line, line);
		assert_string_equal(seen.field, "share");
		*end = was;
		tried++;
	}
	assert_int_equal(tried, 30);
	free(log);
}

/* A line that is lost, wherever, does not go unnoticed if it changed what was
 * decided later: an accepted and committed job.
 */
static void test_a_lost_offer_is_found(void **state)
{
	char *log = generate("libra", "", 9);
	char *at = strstr(log, "\"answer\":\"accept\""), *line = at;
	struct libra_error err = {""};
	struct seen seen;

	while (line[-1] != '\n')
		line--;
	at = strchr(at, '\n') + 1;
	memmove(line, at, strlen(at) + 1);
	assert_int_equal(replay_text(log, strlen(log), &seen, NULL, &err), 0);
	assert_true(seen.n > 0);
	free(log);
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
		cmocka_unit_test(test_generated_logs_replay),
		cmocka_unit_test(test_places_replay),
		cmocka_unit_test(test_generated_logs_have_everything),
		cmocka_unit_test(test_one_digit_is_found),
		cmocka_unit_test(test_a_lost_offer_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
