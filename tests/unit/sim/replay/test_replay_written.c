/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_replay_written.c - what the plugins' own writer
 * (plugin/engine/engine_log.c) wrote of random calls replays to the same
 * decisions, and what is changed or lost in it is found.
 */
#include "plugin/engine/engine_log.h"
#include "plugin/engine/plan_log.h"
#include "tests/unit/replay.h"

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
	const struct libra_start_query at = {.parts = &part,
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
				 &(struct libra_start_query){
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
	switch (draw(w, 18)) {
	case 17:
		for (i = draw(w, 4); i > 0; i--)
			libra_engine_log_compress(
				&w->log, 10 + draw(w, 2) * 300, w->now_s);
		break;
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

/* Slices without another call between them are one line, though the host asks
 * after each whether a schedule is due.
 */
static void test_slices_are_one_line(void **state)
{
	struct libra_error err = {""};
	struct libra_verdict v = {0};
	struct writer w;
	uint64_t first = 0;
	char *log = NULL, calls[32];
	size_t cap = 0;
	FILE *fp;
	int n = 0;
	bool more = true;

	by_node = true;
	writer_init(&w, "planned", "", 1);
	by_node = false;
	for (int i = 0; i < 8; i++) {
		struct libra_job job = {
			.submit_s = w.now_s,
			.estimate_s = 100,
			.deadline_s = w.now_s + 1e5,
			.nprocs = 5,
		};

		assert_int_equal(
			libra_engine_log_offer(&w.log, &job, w.now_s, &v, &err),
			0);
		assert_int_equal(v.answer, LIBRA_ACCEPT);
		first = i == 0 ? v.ticket : first;
		libra_engine_log_commit(&w.log, v.ticket, 100 + i, w.now_s);
	}
	libra_engine_log_turn(&w.log, w.now_s);
	libra_engine_log_withdraw(&w.log, first, w.now_s);
	libra_engine_log_turn(&w.log, w.now_s);
	for (; more; n++) {
		more = libra_engine_log_compress(&w.log, 1, w.now_s);
		libra_engine_log_turn(&w.log, w.now_s);
	}
	assert_true(n > 2);
	libra_declog_empty(&w.log.out);
	fp = fopen(w.path, "r");
	assert_non_null(fp);
	assert_true(getdelim(&log, &cap, '\0', fp) > 0);
	fclose(fp);
	snprintf(calls, sizeof(calls), "\"calls\":%d", n);
	assert_contains(log, calls);
	assert_null(strstr(strstr(log, "\"compress\",") + 1, "\"compress\","));
	alike(log);
	free(log);
	writer_fini(&w);
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
		cmocka_unit_test(test_generated_logs_replay),
		cmocka_unit_test(test_slices_are_one_line),
		cmocka_unit_test(test_places_replay),
		cmocka_unit_test(test_generated_logs_have_everything),
		cmocka_unit_test(test_one_digit_is_found),
		cmocka_unit_test(test_a_lost_offer_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
