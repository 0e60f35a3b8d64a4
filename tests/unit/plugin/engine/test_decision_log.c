/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_decision_log.c - lines of the decision log to the letter, on files that
 * are moved, full, or none.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "plugin/engine/engine_log.h"
#include "tests/unit/test.h"

static char dir[32], path[64];
static char said[4][512];
static unsigned nsaid;

static void report(void *arg, const char *text)
{
	assert_ptr_equal(arg, dir);
	assert_in_range(nsaid, 0, 3);
	snprintf(said[nsaid++], sizeof(said[0]), "%s", text);
}

static int set_up(void **state)
{
	strcpy(dir, "/tmp/libra-test-XXXXXX");
	nsaid = 0;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/log", dir);
	return 0;
}

static int tear_down(void **state)
{
	char other[64];

	unlink(path);
	rmdir(path);
	snprintf(other, sizeof(other), "%s/old", dir);
	unlink(other);
	return rmdir(dir);
}

/* All of a file, in a static buffer. */
static const char *text_of(const char *name)
{
	static char text[1 << 14];
	FILE *f = fopen(name, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

#define assert_file(text) assert_string_equal(text_of(path), text)

static void line(struct libra_declog *log, const char *call, double now_s)
{
	libra_declog_begin(log, call, now_s);
	libra_declog_end(log);
}

static void fields_are_json(void **state)
{
	static const struct libra_range ranges[] = {{0, 3}, {6, 4}};
	struct libra_declog log;

	libra_declog_open(&log, path, report, dir);
	libra_declog_begin(&log, "try", 0.1);
	libra_declog_number(&log, "a", 1.0 / 3);
	libra_declog_number(&log, "b", INFINITY);
	libra_declog_number(&log, "c", NAN);
	libra_declog_whole(&log, "d", 18446744073709551615ull);
	libra_declog_text(&log, "e", "a \"b\\\x1f\t\x7f");
	libra_declog_ranges(&log, "f", ranges, 2);
	libra_declog_ranges(&log, "g", ranges, 0);
	libra_declog_end(&log);
	line(&log, "next", 2);
	assert_int_equal(log.lines, 2);
	assert_file("{\"call\":\"try\",\"now_s\":0.10000000000000001,"
		    "\"a\":0.33333333333333331,\"b\":null,\"c\":null,"
		    "\"d\":18446744073709551615,"
		    "\"e\":\"a \\\"b\\\\\\u001f\\u0009\x7f\","
		    "\"f\":[[0,3],[6,4]],\"g\":[]}\n"
		    "{\"call\":\"next\",\"now_s\":2}\n");
	libra_declog_close(&log);
	assert_null(log.path);
	assert_int_equal(log.fd, -1);
	/* Appended to, when it is opened again. */
	libra_declog_open(&log, path, report, dir);
	line(&log, "third", 3);
	assert_non_null(strstr(text_of(path), "third"));
	assert_non_null(strstr(text_of(path), "next"));
	libra_declog_close(&log);
	assert_int_equal(nsaid, 0);
}

/* Lines of any length, to and beyond where the buffer grows. */
static void long_lines_are_whole(void **state)
{
	static char word[8192], want[8300];
	struct libra_declog log;

	for (size_t n = 900; n < 8000; n += n < 1100 ? 1 : 997) {
		memset(word, 'x', n);
		word[n] = '\0';
		libra_declog_open(&log, path, report, dir);
		libra_declog_begin(&log, "c", 1);
		libra_declog_raw(&log, ",\"t\":\"%s\"", word);
		libra_declog_end(&log);
		snprintf(want, sizeof(want),
			 "{\"call\":\"c\",\"now_s\":1,\"t\":\"%s\"}\n", word);
		assert_file(want);
		libra_declog_close(&log);
		unlink(path);
	}
}

static void without_a_path_there_is_no_log(void **state)
{
	struct libra_declog log;

	libra_declog_open(&log, NULL, report, dir);
	line(&log, "a", 1);
	assert_int_equal(log.lines, 1);
	assert_null(log.line.text);
	assert_false(libra_declog_check(&log, 100));
	libra_declog_close(&log);
	assert_int_equal(nsaid, 0);
}

static void a_moved_log_is_opened_again(void **state)
{
	struct libra_declog log;
	char old[64];

	snprintf(old, sizeof(old), "%s/old", dir);
	libra_declog_open(&log, path, report, dir);
	line(&log, "a", 10);
	assert_false(libra_declog_check(&log, 10));
	assert_int_equal(rename(path, old), 0);
	/* Looked at once a second at the most, also when the clock is back. */
	assert_false(libra_declog_check(&log, 10.5));
	assert_false(libra_declog_check(&log, 9.5));
	line(&log, "b", 10.5);
	assert_true(libra_declog_check(&log, 11));
	assert_false(libra_declog_check(&log, 12));
	line(&log, "c", 12);
	assert_file("{\"call\":\"c\",\"now_s\":12}\n");
	assert_string_equal(text_of(old), "{\"call\":\"a\",\"now_s\":10}\n"
					  "{\"call\":\"b\",\"now_s\":10.5}\n");
	/* Another file of the same run: its lines are counted on. */
	libra_declog_move(&log, old, report, dir);
	line(&log, "d", 13);
	assert_int_equal(log.lines, 4);
	assert_non_null(strstr(text_of(old), "\"d\""));
	assert_null(strstr(text_of(path), "\"d\""));
	unlink(old);
	assert_true(libra_declog_check(&log, 14));
	libra_declog_close(&log);
	assert_int_equal(nsaid, 0);
}

/* A line that is held is written before the next one, and into the file that it
 * belongs to; one that is discarded is not written.
 */
static void a_held_line_is_written_in_order(void **state)
{
	struct libra_declog log;
	char old[64];

	snprintf(old, sizeof(old), "%s/old", dir);
	libra_declog_open(&log, path, report, dir);
	libra_declog_begin(&log, "a", 1);
	libra_declog_hold(&log);
	assert_file("");
	libra_declog_discard(&log);
	libra_declog_begin(&log, "b", 2);
	libra_declog_hold(&log);
	line(&log, "c", 3);
	assert_file("{\"call\":\"b\",\"now_s\":2}\n"
		    "{\"call\":\"c\",\"now_s\":3}\n");
	assert_int_equal(log.lines, 2);
	libra_declog_begin(&log, "d", 4);
	libra_declog_hold(&log);
	assert_int_equal(rename(path, old), 0);
	assert_true(libra_declog_check(&log, 5));
	assert_file("");
	assert_non_null(strstr(text_of(old), "\"d\""));
	libra_declog_begin(&log, "e", 6);
	libra_declog_hold(&log);
	libra_declog_close(&log);
	assert_file("{\"call\":\"e\",\"now_s\":6}\n");
	assert_int_equal(nsaid, 0);
}

/* Told once, and again only when it had been well for a minute. */
static void what_cannot_be_opened_is_told_once(void **state)
{
	struct libra_declog log;
	char want[256];

	assert_int_equal(mkdir(path, 0700), 0);
	libra_declog_open(&log, path, report, dir);
	snprintf(want, sizeof(want),
		 "decision log %s: cannot be opened: Is a directory; "
		 "decisions go on without it",
		 path);
	assert_int_equal(nsaid, 1);
	assert_string_equal(said[0], want);
	line(&log, "a", 100);
	line(&log, "b", 101);
	assert_false(libra_declog_check(&log, 102));
	assert_int_equal(nsaid, 1);
	assert_int_equal(log.lost, 2);
	assert_int_equal(rmdir(path), 0);
	assert_true(libra_declog_check(&log, 103));
	line(&log, "c", 103);
	assert_int_equal(log.lost, 0);
	line(&log, "d", 104);
	assert_file("{\"call\":\"gap\",\"lines\":2}\n"
		    "{\"call\":\"c\",\"now_s\":103}\n"
		    "{\"call\":\"d\",\"now_s\":104}\n");
	libra_declog_close(&log);
}

static void what_is_no_file_is_refused(void **state)
{
	struct libra_declog log;
	char want[256];
	int reader;

	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	libra_declog_open(&log, path, report, dir);
	assert_int_equal(log.fd, -1);
	assert_int_equal(nsaid, 1);
	snprintf(want, sizeof(want),
		 "decision log %s: is not a regular file: Invalid argument; "
		 "decisions go on without it",
		 path);
	assert_string_equal(said[0], want);
	line(&log, "a", 1);
	assert_int_equal(log.lost, 1);
	libra_declog_close(&log);
	close(reader);
}

/* A daemon has closed its standard input: the log may be descriptor 0. */
static void descriptor_0_is_one(void **state)
{
	int saved = dup(0);
	struct libra_declog log;

	assert_true(saved > 0);
	close(0);
	libra_declog_open(&log, path, report, dir);
	assert_int_equal(log.fd, 0);
	line(&log, "a", 1);
	assert_false(libra_declog_check(&log, 10));
	assert_file("{\"call\":\"a\",\"now_s\":1}\n");
	libra_declog_close(&log);
	assert_int_equal(fcntl(0, F_GETFD), -1);
	assert_int_equal(dup2(saved, 0), 0);
	close(saved);
	assert_int_equal(nsaid, 0);
}

static void room_for(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A line has 24 bytes.  Room for half of the second one: it is not there, nor
 * is the third; when there is room the fourth tells of both.
 */
static void a_full_disk_leaves_whole_lines(void **state)
{
	struct libra_declog log;

	signal(SIGXFSZ, SIG_IGN);
	libra_declog_open(&log, path, report, dir);
	line(&log, "a", 1000);
	room_for(37);
	line(&log, "b", 1001);
	assert_int_equal(nsaid, 1);
	assert_contains(said[0], ": cannot be written: No space left on");
	assert_file("{\"call\":\"a\",\"now_s\":1000}\n");
	line(&log, "c", 1002);
	assert_int_equal(nsaid, 1);
	assert_int_equal(log.lost, 2);
	room_for(RLIM_INFINITY);
	line(&log, "d", 1003);
	assert_file("{\"call\":\"a\",\"now_s\":1000}\n"
		    "{\"call\":\"gap\",\"lines\":2}\n"
		    "{\"call\":\"d\",\"now_s\":1003}\n");
	/* Full again within the minute, and after it: that is told again, as
	 * what no byte of a line can be written for.
	 */
	room_for(1);
	line(&log, "e", 1004);
	room_for(RLIM_INFINITY);
	line(&log, "f", 1060.9);
	room_for(1);
	line(&log, "g", 1060.95);
	assert_int_equal(nsaid, 1);
	room_for(RLIM_INFINITY);
	line(&log, "h", 1061);
	room_for(1);
	line(&log, "i", 1062);
	assert_int_equal(nsaid, 2);
	assert_contains(said[1], ": cannot be written: File too large");
	room_for(RLIM_INFINITY);
	assert_int_equal(log.lost, 1);
	assert_int_equal(log.lines, 9);
	libra_declog_close(&log);
}

static const uint32_t node_procs[] = {2, 1};
static const char *const node_names[] = {"n1", "n2"};

static void log_init(struct libra_engine_log *log, struct libra_host_conf *conf,
		     const char *params)
{
	*log = (struct libra_engine_log){
		.conf = conf,
		.node_names = node_names,
		.node_procs = node_procs,
		.nnodes = 2,
		.epoch = 7,
	};
	assert_int_equal(libra_host_conf_init(conf, params, report, dir), 0);
	libra_declog_open(&log->out, path, report, dir);
}

static void log_fini(struct libra_engine_log *log, struct libra_host_conf *conf)
{
	libra_engine_log_destroy(log);
	libra_declog_close(&log->out);
	libra_host_conf_fini(conf);
}

/* What was written since the last time. */
static const char *news(long *at)
{
	const char *text = text_of(path) + *at;

	*at += (long)strlen(text);
	return text;
}

#define assert_log(text) assert_string_equal(news(&at), text)

/* A job of 10 s by 40: a share of 0.25.  On the processor of the smallest rest
 * both times, where it is beside 0 and 0.25.
 */
static void offers_are_told_to_the_letter(void **state)
{
	static const struct libra_range allowed[] = {{0, 2}};
	struct libra_where where = {
		.chunk = 1, .node_max = 2, .min_nodes = 1, .max_nodes = 3};
	struct libra_job job = {
		.estimate_s = 10, .deadline_s = 40, .nprocs = 1, .user = 5};
	struct libra_host_conf conf;
	struct libra_engine_log log;
	struct libra_verdict v;
	uint64_t first;
	long at = 0;

	log_init(&log, &conf, "libra_policy=libra");
	log.nnodes = 0;
	assert_int_equal(libra_engine_log_create(&log, 0, NULL), -1);
	assert_log("");
	log.nnodes = 2;
	log.changes = 0;
	log.max_jobs = 3;
	assert_int_equal(libra_engine_log_create(&log, 0, NULL), 0);
	assert_int_equal(log.changes, 1);
	assert_log("{\"call\":\"engine\",\"now_s\":0,\"version\":1,\"epoch\":7,"
		   "\"policy\":\"libra\",\"params\":{\"late_yields\":1},"
		   "\"nodes\":[[\"n1\",2],[\"n2\",1]],\"offer_ttl_s\":60,"
		   "\"max_jobs\":3}\n");
	assert_int_equal(libra_engine_log_offer(&log, &job, 0, &v, NULL), 0);
	first = v.ticket;
	assert_log("{\"call\":\"offer\",\"now_s\":0,\"submit_s\":0,"
		   "\"estimate_s\":10,\"deadline_s\":40,\"nprocs\":1,"
		   "\"user\":5,\"answer\":\"accept\",\"reason\":\"none\","
		   "\"share\":0.25,\"ticket\":4294967296,\"policy\":\"libra\","
		   "\"beside\":0,\"placement\":[[0,1]]}\n");
	job.id = 9;
	job.budget = 2;
	job.penalty_rate = 0.5;
	where.allowed = allowed;
	where.nallowed = 1;
	job.where = &where;
	assert_int_equal(libra_engine_log_offer(&log, &job, 0, &v, NULL), 0);
	assert_log("{\"call\":\"offer\",\"now_s\":0,\"submit_s\":0,"
		   "\"estimate_s\":10,\"deadline_s\":40,\"budget\":2,"
		   "\"penalty_rate\":0.5,\"nprocs\":1,\"user\":5,\"id\":9,"
		   "\"where\":{\"chunk\":1,\"node_max\":2,\"min_nodes\":1,"
		   "\"max_nodes\":3,\"allowed\":[[0,2]]},"
		   "\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.25,"
		   "\"ticket\":8589934593,\"policy\":\"libra\","
		   "\"beside\":0.25,\"placement\":[[0,1]]}\n");
	/* 40 s by 40 on both processors of the first node. */
	job = (struct libra_job){
		.estimate_s = 40, .deadline_s = 40, .nprocs = 3};
	assert_int_equal(libra_engine_log_offer(&log, &job, 0, &v, NULL), 0);
	assert_log("{\"call\":\"offer\",\"now_s\":0,\"submit_s\":0,"
		   "\"estimate_s\":40,\"deadline_s\":40,\"nprocs\":3,"
		   "\"user\":0,\"answer\":\"reject\",\"reason\":\"no_share\","
		   "\"share\":0,\"ticket\":0,\"policy\":\"libra\"}\n");
	errno = 0;
	job.estimate_s = -1;
	assert_int_equal(libra_engine_log_offer(&log, &job, 0, &v, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_log("{\"call\":\"offer\",\"now_s\":0,\"submit_s\":0,"
		   "\"estimate_s\":-1,\"deadline_s\":40,\"nprocs\":3,"
		   "\"user\":0,\"rc\":-1}\n");
	assert_int_equal(libra_engine_log_placement(&log, first), 1);
	assert_int_equal(log.nranges, 1);
	assert_int_equal(libra_engine_log_placement(&log, 12345), -1);
	assert_int_equal(log.nranges, 0);
	log_fini(&log, &conf);
}

static void verdicts_are_told_to_the_letter(void **state)
{
	struct libra_verdict v = {
		.answer = LIBRA_ACCEPT, .share = 0.5, .late_s = 7, .ticket = 3};
	struct libra_declog log;
	long at = 0;

	libra_declog_open(&log, path, report, dir);
	libra_declog_begin(&log, "offer", 1);
	libra_engine_log_verdict(&log, 0, &v);
	libra_declog_end(&log);
	assert_log("{\"call\":\"offer\",\"now_s\":1,\"answer\":\"accept\","
		   "\"reason\":\"none\",\"share\":0.5,\"late_s\":7,"
		   "\"ticket\":3}\n");
	libra_declog_close(&log);
}

static uint64_t offered(struct libra_engine_log *log, double now_s)
{
	struct libra_job job = {.submit_s = now_s,
				.estimate_s = 10,
				.deadline_s = now_s + 40,
				.nprocs = 1};
	struct libra_verdict v;

	assert_int_equal(libra_engine_log_offer(log, &job, now_s, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	return v.ticket;
}

/* Say whether a call told that something may have become free, and that a turn
 * may have changed; and forget it.
 */
static unsigned flags(struct libra_engine_log *log)
{
	unsigned both = (unsigned)log->changes | (log->turn ? 2 : 0);

	log->changes = 0;
	log->turn = false;
	return both;
}

enum { NEITHER = 0, FREED = 1, BOTH = 3, TURN = 2 };

/* The life of a job: what each call leaves in the log, gives back, and says of
 * turns.  An unknown ticket fails as it does in the engine.
 */
static void calls_are_told_to_the_letter(void **state)
{
	struct libra_job changed = {
		.estimate_s = 20, .deadline_s = 40, .nprocs = 1};
	struct libra_host_conf conf;
	struct libra_engine_log log;
	struct libra_action action;
	struct libra_verdict v;
	uint64_t ticket;
	long at = 0;

	log_init(&log, &conf, "libra_policy=libra");
	assert_int_equal(libra_engine_log_create(&log, 0, NULL), 0);
	ticket = offered(&log, 0);
	news(&at);
	flags(&log);
	assert_int_equal(libra_engine_log_commit(&log, ticket, 9, 1), 0);
	assert_int_equal(flags(&log), TURN);
	assert_log("{\"call\":\"commit\",\"now_s\":1,\"ticket\":4294967296,"
		   "\"id\":9,\"rc\":0}\n");
	while (libra_engine_log_next_action(&log, &action))
		continue;
	assert_int_equal(flags(&log), NEITHER);
	assert_log("{\"action\":\"start\",\"ticket\":4294967296,\"id\":9,"
		   "\"reason\":\"none\"}\n");
	assert_int_equal(libra_engine_log_started(&log, ticket, 10, 2), 0);
	assert_log("{\"call\":\"started\",\"now_s\":2,\"ticket\":4294967296,"
		   "\"id\":10,\"rc\":0}\n");
	while (libra_engine_log_next_action(&log, &action))
		continue;
	assert_log("{\"action\":\"reshare\",\"group\":2}\n");
	assert_int_equal(libra_engine_log_progress(&log, ticket, 1.5, 4), 0);
	assert_log("{\"call\":\"progress\",\"now_s\":4,"
		   "\"ticket\":4294967296,\"executed_s\":1.5,\"rc\":0}\n");
	assert_int_equal(libra_engine_log_reestimate(&log, ticket, 12, 4), 0);
	assert_log("{\"call\":\"reestimate\",\"now_s\":4,"
		   "\"ticket\":4294967296,\"estimate_s\":12,\"rc\":0}\n");
	assert_int_equal(flags(&log), NEITHER);
	assert_int_equal(
		libra_engine_log_modify(&log, ticket, &changed, 4, &v, NULL),
		0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_int_equal(flags(&log), BOTH);
	/* 20 - 1.5 s of work in 36 s. */
	assert_log("{\"call\":\"modify\",\"now_s\":4,\"ticket\":4294967296,"
		   "\"submit_s\":0,\"estimate_s\":20,\"deadline_s\":40,"
		   "\"nprocs\":1,\"user\":0,\"rc\":0,\"answer\":\"accept\","
		   "\"reason\":\"none\",\"share\":0.51388888888888884,"
		   "\"beside\":0}\n");
	changed.estimate_s = 400;
	assert_int_equal(
		libra_engine_log_modify(&log, ticket, &changed, 4, &v, NULL),
		0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_null(strstr(news(&at), "beside"));
	flags(&log);
	libra_engine_log_schedule(&log, 5);
	assert_int_equal(flags(&log), NEITHER);
	assert_int_equal(libra_engine_log_clock(&log, 5, 6), 0);
	assert_int_equal(flags(&log), BOTH);
	assert_int_equal(libra_engine_log_node(&log, 1, LIBRA_NODE_DRAIN, 6),
			 0);
	assert_int_equal(flags(&log), BOTH);
	assert_int_equal(libra_engine_log_departed(&log, ticket, 7), 0);
	assert_int_equal(flags(&log), BOTH);
	errno = 0;
	assert_int_equal(libra_engine_log_withdraw(&log, ticket, 7), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(flags(&log), BOTH);
	assert_log("{\"call\":\"schedule\",\"now_s\":5}\n"
		   "{\"call\":\"clock\",\"now_s\":6,\"was_s\":5,\"rc\":0}\n"
		   "{\"call\":\"node\",\"now_s\":6,\"node\":1,"
		   "\"state\":\"drain\",\"rc\":0}\n"
		   "{\"call\":\"departed\",\"now_s\":7,"
		   "\"ticket\":4294967296,\"rc\":0}\n"
		   "{\"call\":\"withdraw\",\"now_s\":7,"
		   "\"ticket\":4294967296,\"rc\":-1}\n");
	log_fini(&log, &conf);
}

/* Two tasks that are restored, on one processor each; then what is asked of
 * more, and an offer that nobody took.
 */
static void restored_jobs_are_told_to_the_letter(void **state)
{
	static const struct libra_part parts[] = {
		{.procs = {0, 1}, .est_left_s = 6.5},
		{.procs = {2, 1}, .est_left_s = 10}};
	struct libra_job job = {
		.id = 4, .estimate_s = 10, .deadline_s = 40, .nprocs = 2};
	struct libra_host_conf conf;
	struct libra_engine_log log;
	struct libra_action action;
	uint64_t ticket;
	long at = 0;

	log_init(&log, &conf, "libra_policy=libra");
	assert_int_equal(libra_engine_log_create(&log, 0, NULL), 0);
	news(&at);
	assert_int_equal(libra_engine_log_restore(&log, &job, parts, 2, true, 1,
						  &ticket, NULL),
			 0);
	assert_int_equal(ticket, 4294967296);
	assert_log("{\"call\":\"restore\",\"now_s\":1,\"submit_s\":0,"
		   "\"estimate_s\":10,\"deadline_s\":40,\"nprocs\":2,"
		   "\"user\":0,\"id\":4,\"running\":true,"
		   "\"parts\":[[0,1,6.5],[2,1,10]],\"rc\":0,"
		   "\"ticket\":4294967296}\n");
	/* Its ranges are read, though there was room for none. */
	assert_int_equal(log.cap, 0);
	assert_int_equal(libra_engine_log_placement(&log, ticket), 2);
	assert_int_equal(log.nranges, 2);
	assert_int_equal(log.ranges[1].first, 2);
	job.nprocs = 9;
	assert_int_equal(libra_engine_log_restore(&log, &job, parts, 2, false,
						  1, &ticket, NULL),
			 -1);
	assert_contains(news(&at), "\"running\":false,\"parts\":"
				   "[[0,1,6.5],[2,1,10]],\"rc\":-1}\n");
	/* Nothing is held on the second processor: 10 s in 10. */
	job = (struct libra_job){.submit_s = 1, .estimate_s = 10, .nprocs = 1};
	assert_near(libra_engine_log_earliest(&log, &job, 1, 1), 11, 1e-6);
	assert_null(strstr(news(&at), "\"jobs\""));
	libra_engine_log_earliest(&log, &job, 2, 1);
	assert_contains(news(&at), "\"user\":0,\"jobs\":2,\"earliest_s\":");
	/* It expires: room may have become free. */
	offered(&log, 2);
	flags(&log);
	libra_engine_log_schedule(&log, 2 + conf.offer_ttl_s + 1);
	news(&at);
	while (libra_engine_log_next_action(&log, &action) &&
	       action.kind != LIBRA_ACTION_REJECT)
		continue;
	assert_int_equal(flags(&log), FREED);
	assert_contains(news(&at), "{\"action\":\"reject\",\"ticket\":");
	log_fini(&log, &conf);
}

/* Only where jobs take turns, when a turn may have changed, and not while
 * records are read.
 */
static void a_turn_is_decided_once(void **state)
{
	static const char *const policies[] = {"libra_policy=libra",
					       "libra_policy=band",
					       "libra_policy=planned"};

	for (size_t i = 0; i < 3; i++) {
		struct libra_host_conf conf;
		struct libra_engine_log log;
		long at = 0;

		log_init(&log, &conf, policies[i]);
		assert_int_equal(libra_engine_log_create(&log, 0, NULL), 0);
		assert_int_equal(
			libra_engine_log_commit(&log, offered(&log, 0), 9, 1),
			0);
		news(&at);
		log.filling = true;
		libra_engine_log_turn(&log, 1);
		assert_log("");
		log.filling = false;
		libra_engine_log_turn(&log, 1);
		assert_log(i == 0 ? ""
				  : "{\"call\":\"schedule\",\"now_s\":1}\n");
		libra_engine_log_turn(&log, 1);
		assert_log("");
		log_fini(&log, &conf);
		unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fields_are_json, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(long_lines_are_whole, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_a_path_there_is_no_log,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_moved_log_is_opened_again,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_held_line_is_written_in_order,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_cannot_be_opened_is_told_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_file_is_refused,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(descriptor_0_is_one, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk_leaves_whole_lines,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(offers_are_told_to_the_letter,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(verdicts_are_told_to_the_letter,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(calls_are_told_to_the_letter,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			restored_jobs_are_told_to_the_letter, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(a_turn_is_decided_once, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
