/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_records.c - what the records of tracked jobs say, to the letter, and
 * what is read of them.
 */
#include "plugin/jobs/job_record.h"
#include "plugin/engine/placement.h"
#include "plugin/jobs/released.h"
#include "tests/unit/test.h"

enum { NODES = 20, MOST_NODES = 1000, LONG = 8192 };

static struct host_jobs jobs;
static struct libra_engine_log elog;
static struct libra_host_conf conf;
static struct host_cluster cluster;
static double now_s;

/* Records as they were written. */
static char *written[64];
static unsigned nwritten;

static void keep(uint32_t id, const struct libra_host_record *record)
{
	nwritten++;
	free(written[id]);
	written[id] = strdup(record->comment);
}

static double clock_s(void)
{
	return now_s;
}

static const struct libra_host_ops ops = {.now_s = clock_s,
					  .write_record = keep};

static void report(void *arg, const char *text)
{
	fail_msg("%s", text);
}

/* Nodes n0, n1, ... of three processors; the last has one. */
static void machine_of(uint32_t nnodes, const char *params)
{
	static char names[MOST_NODES][8];
	static const char *at[MOST_NODES];
	static uint32_t procs[MOST_NODES];
	static uint8_t all[MOST_NODES];
	static struct libra_host_partition part = {
		.name = "main", .max_minutes = UINT32_MAX, .nodes = all};
	const struct libra_host_cluster from = {
		.default_partition = "main",
		.nnodes = nnodes,
		.node_names = at,
		.node_procs = procs,
		.npartitions = 1,
		.partitions = &part,
		.cpus_per_proc = 1,
		.max_array = 100,
	};
	struct libra_error err = {""};

	for (uint32_t i = 0; i < nnodes; i++) {
		snprintf(names[i], sizeof(names[i]), "n%u", i % MOST_NODES);
		at[i] = names[i];
		procs[i] = i < nnodes - 1 ? 3 : 1;
		all[i] = 1;
	}
	now_s = 0;
	nwritten = 0;
	assert_int_equal(libra_host_conf_init(&conf, params, report, NULL), 0);
	assert_int_equal(host_cluster_init(&cluster, &from, &conf), 0);
	elog = (struct libra_engine_log){
		.conf = &conf,
		.epoch = 5,
		.node_procs = cluster.procs,
		.node_names = (const char *const *)cluster.names,
		.nnodes = cluster.nnodes,
	};
	libra_declog_open(&elog.out, NULL, report, NULL);
	if (libra_engine_log_create(&elog, 0, &err) < 0)
		fail_msg("%s", err.text);
	memset(&jobs, 0, sizeof(jobs));
	jobs.ops = &ops;
	jobs.cluster = &cluster;
	jobs.log = &elog;
	host_jobs_clear(&jobs);
}

static void machine(const char *params)
{
	machine_of(NODES, params);
}

static void no_machine(void)
{
	host_jobs_clear(&jobs);
	libra_engine_log_destroy(&elog);
	libra_declog_close(&elog.out);
	host_cluster_fini(&cluster);
	libra_host_conf_fini(&conf);
	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		free(written[i]);
		written[i] = NULL;
	}
}

/* A job of 100 s by 1000 from now on. */
static struct tracked_job *offer(uint32_t nprocs, uint64_t first)
{
	struct libra_job job = {
		.submit_s = now_s,
		.estimate_s = 100,
		.deadline_s = now_s + 1000,
		.nprocs = nprocs,
	};
	struct libra_verdict v;
	struct tracked_job *t;

	assert_int_equal(libra_engine_log_offer(&elog, &job, now_s, &v, NULL),
			 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	t = host_jobs_add(&jobs, v.ticket,
			  first ? first : host_jobs_first_offer(&jobs, 1));
	t->job = job;
	t->user_estimate_s = 100;
	t->share = v.share;
	t->size = (struct request_size){.chunk = 1};
	return t;
}

static void commit(struct tracked_job *t, uint32_t id)
{
	assert_int_equal(libra_engine_log_commit(&elog, t->ticket, id, now_s),
			 0);
	t->state = TRACKED_COMMITTED;
	host_jobs_link(&jobs, t, id);
}

static void run(struct tracked_job *t, uint32_t id)
{
	struct libra_action action;

	libra_engine_log_turn(&elog, now_s);
	while (libra_engine_log_next_action(&elog, &action))
		continue;
	assert_int_equal(libra_engine_log_started(&elog, t->ticket, id, now_s),
			 0);
	host_jobs_run(&jobs, t, id);
}

#define assert_record(t, tasks, text)                                          \
	do {                                                                   \
		char *comment_ = host_job_comment(&jobs, t, tasks);            \
		assert_string_equal(comment_, text);                           \
		free(comment_);                                                \
	} while (0)

/* Five processors from the first on; two of the nodes have a second job, which
 * makes rows of their own.
 *
 * Job 7 alone, from 0 to 10, has all of its processors: 90 s are left of 100.
 * Then job 8 comes to the first four: shares 90 / 990 and 100 / 1000 of it
 * = 10/21 and 11/21 of the time.
 */
static void a_record_tells_each_row(void **state)
{
	struct tracked_job *a, *b;
	struct libra_promise p;
	char want[512];

	machine("libra_policy=libra");
	a = offer(5, 0);
	assert_record(a, 1,
		      "libra:1 offer=5.1 tasks=1 procs=5 estimate=100 "
		      "deadline=1000 submit=0 share=0.1 part= shape=1.0.0.0 "
		      "left= on=");
	commit(a, 7);
	a->size.partition = &cluster.partitions[0];
	a->size.node_max = 3;
	a->size.min_nodes = 1;
	a->size.max_nodes = 2;
	assert_record(a, 1,
		      "libra:1 offer=5.1 tasks=1 procs=5 estimate=100 "
		      "deadline=1000 submit=0 share=0.1 part=main "
		      "shape=1.3.1.2 left= on=n0:0-2,n1:0-1");
	run(a, 7);
	now_s = 10;
	b = offer(4, 0);
	commit(b, 8);
	run(b, 8);
	a = host_jobs_find(&jobs, 7, true);
	b = host_jobs_find(&jobs, 8, true);
	host_job_promise(&jobs, a, 3, &p);
	assert_int_equal(p.tasks, 3);
	assert_int_equal(p.offer, 1);
	snprintf(want, sizeof(want),
		 "libra:1 offer=5.1 tasks=1 procs=5 estimate=100 "
		 "deadline=1000 submit=0 share=0.1 part=main shape=1.3.1.2 "
		 "left=90/%.17g/10,90/%.17g/10,100/1/0 on=n0:0-2,n1:0,n1:1",
		 (90. / 990) / (90. / 990 + 100. / 1000),
		 (90. / 990) / (90. / 990 + 100. / 1000));
	assert_record(a, 1, want);
	/* The second in its rows, asked later: as of the rows' last event. */
	now_s = 11;
	snprintf(want, sizeof(want),
		 "libra:1 offer=5.2 tasks=1 procs=4 estimate=100 "
		 "deadline=1010 submit=10 share=0.1 part= shape=1.0.0.0 "
		 "left=100/%.17g/10,100/%.17g/10 on=n0:0-2,n1:0",
		 (100. / 1000) / (90. / 990 + 100. / 1000),
		 (100. / 1000) / (90. / 990 + 100. / 1000));
	assert_record(b, 1, want);
	/* Suspended: what it has left of each part, at no rate, as of now. */
	a->suspended = true;
	a->executed_s = 30;
	assert_record(a, 1,
		      "libra:1 offer=5.1 tasks=1 procs=5 estimate=100 "
		      "deadline=1000 submit=0 share=0.1 part=main "
		      "shape=1.3.1.2 left=70/0/11,70/0/11,70/0/11 "
		      "on=n0:0-2,n1:0,n1:1");
	no_machine();
}

/* Of an array that waits, in the order of its tasks; the record of a task that
 * runs is its own.
 */
static void an_array_tells_its_tasks(void **state)
{
	struct libra_host_record record;
	struct tracked_job *t;
	uint64_t first;

	machine("libra_policy=libra");
	first = host_jobs_first_offer(&jobs, 3);
	for (int i = 0; i < 3; i++) {
		/* 60 s of 100 on each: no two of them on one processor. */
		struct libra_job job = {
			.estimate_s = 60, .deadline_s = 100, .nprocs = 2};
		struct libra_verdict v;

		assert_int_equal(
			libra_engine_log_offer(&elog, &job, 0, &v, NULL), 0);
		t = host_jobs_add(&jobs, v.ticket, first);
		t->job = job;
		t->share = v.share;
		t->size.chunk = 1;
		commit(t, 7);
	}
	t = host_jobs_find(&jobs, 7, false);
	host_job_record(&jobs, t, &record);
	assert_string_equal(record.comment,
			    "libra:1 offer=5.1 tasks=3 procs=2 estimate=60 "
			    "deadline=100 submit=0 share=0.6 part= "
			    "shape=1.0.0.0 left= "
			    "on=n0:0-1;n0:2,n1:0;n1:1-2");
	assert_near(record.share, 0.6, 1e-15);
	assert_int_equal(record.rule, LIBRA_RULE_YIELD);
	assert_near(record.estimate_s, 60, 0);
	assert_near(record.deadline_s, 100, 0);
	free(record.comment);
	run(t, 9);
	host_job_record(&jobs, t, &record);
	assert_string_equal(record.comment,
			    "libra:1 offer=5.2 tasks=1 procs=2 estimate=60 "
			    "deadline=100 submit=0 share=0.6 part= "
			    "shape=1.0.0.0 left=60/1/0 on=n0:0-1");
	free(record.comment);
	t = host_jobs_find(&jobs, 7, false);
	assert_int_equal(t->offer, 3);
	host_job_record(&jobs, t, &record);
	assert_contains(record.comment, "offer=5.1 tasks=2 ");
	assert_contains(record.comment, " on=n0:2,n1:0;n1:1-2");
	free(record.comment);
	no_machine();
}

static void jobs_in_turn_have_the_whole_share(void **state)
{
	struct libra_host_record record;
	struct tracked_job *t;

	machine("libra_policy=band");
	t = offer(1, 0);
	commit(t, 7);
	t->share = 0.25;
	host_job_record(&jobs, t, &record);
	assert_int_equal(record.rule, LIBRA_RULE_DEADLINE);
	assert_near(record.share, 1, 0);
	free(record.comment);
	run(t, 7);
	now_s = 3;
	/* Its turn began at 0. */
	host_job_record(&jobs, t, &record);
	assert_contains(record.comment, " left=97/1/3 on=n0:0");
	free(record.comment);
	no_machine();
}

static void planned_jobs_tell_their_starts(void **state)
{
	struct libra_host_record record;
	struct tracked_job *t;
	double latest_s;
	uint64_t first;

	machine("libra_policy=planned,libra_margin=0");
	cluster.plans = true;
	/* 58 processors: one job on 30 from 0 to 100, the next must wait. */
	t = offer(30, 0);
	t->start_s = 55;
	assert_record(t, 1,
		      "libra:1 offer=5.1 tasks=1 procs=30 estimate=100 "
		      "deadline=1000 submit=0 share=1 part= shape=1.0.0.0 "
		      "start=0 left= on=");
	commit(t, 7);
	first = host_jobs_first_offer(&jobs, 2);
	for (int i = 0; i < 2; i++)
		commit(offer(30, first), 8);
	t = host_jobs_find(&jobs, 8, false);
	host_job_record(&jobs, t, &record);
	assert_contains(record.comment, " start=100;200 left= on=");
	assert_near(record.start_s, 100, 0);
	free(record.comment);
	/* The array offered next: its last task starts first. */
	first = host_jobs_first_offer(&jobs, 3);
	t = offer(58, first);
	offer(58, first);
	offer(20, first);
	assert_record(t, 3,
		      "libra:1 offer=5.5 tasks=3 procs=58 estimate=100 "
		      "deadline=1000 submit=0 share=1 part= shape=1.0.0.0 "
		      "start=300;400;0 left= on=");
	assert_near(host_job_planned_starts(&jobs, t, 3, &latest_s), 0, 0);
	assert_near(latest_s, 900, 0);
	no_machine();
}

/* Handed over, or flushed, once. */
static void stale_records_are_written_once(void **state)
{
	struct libra_host_record record = {0};
	struct tracked_job *t, *other;

	machine("libra_policy=libra");
	t = offer(1, 0);
	commit(t, 7);
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 0);
	host_jobs_set_stale(&jobs, t);
	other = offer(1, 0); /* of no job yet */
	other->stale = true;
	t = host_jobs_find(&jobs, 7, false);
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 1);
	assert_contains(written[7], " offer=5.1 ");
	assert_false(t->stale);
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 1);
	host_job_hand_over(t, &jobs, &record);
	assert_null(record.comment);
	host_jobs_set_stale(&jobs, t);
	host_job_hand_over(t, &jobs, &record);
	assert_string_equal(record.comment, written[7]);
	assert_false(t->stale);
	free(record.comment);
	/* The last flush took long: the next one waits twenty times that,
	 * unless somebody asked.
	 */
	host_jobs_set_stale(&jobs, t);
	jobs.flush_took_s = 1000;
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 1);
	host_jobs_set_stale_soon(&jobs, t);
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 2);
	/* All is written: the next need not wait. */
	assert_near(jobs.flush_took_s, 0, 0);
	assert_true(jobs.flushed_at_s > 0);
	jobs.flushed_at_s -= 30;
	jobs.flush_took_s = 2;
	host_jobs_set_stale(&jobs, t);
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 2);
	jobs.flushed_at_s -= 10;
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 3);
	/* Nobody promised an ordinary job anything. */
	t->ordinary = true;
	host_jobs_set_stale(&jobs, t);
	jobs.flush_took_s = 0;
	host_jobs_flush(&jobs);
	assert_int_equal(nwritten, 3);
	record.comment = NULL;
	host_job_hand_over(t, &jobs, &record);
	assert_null(record.comment);
	no_machine();
}

/* Forty of them: what their records say when they have released, unless they
 * are promised something again, or were written in another way.
 */
static void released_jobs_name_no_processors(void **state)
{
	struct host_released released = {0};
	struct tracked_job *t;

	machine("libra_policy=libra");
	for (uint32_t id = 1; id <= 40; id++) {
		t = offer(1, 0);
		commit(t, id);
		host_release(&released, &jobs, t, id == 39, NULL, 0);
		assert_null(host_jobs_find(&jobs, id, false));
		assert_int_equal(released.n, id);
		assert_true(released.n <= released.cap);
	}
	/* A second task of the same job, and one that has no record. */
	t = offer(1, 0);
	commit(t, 40);
	host_release(&released, &jobs, t, false, NULL, 0);
	t = offer(1, 0);
	commit(t, 41);
	t->ordinary = true;
	host_release(&released, &jobs, t, false, NULL, 0);
	assert_int_equal(released.n, 40);
	host_released_forget(&released, 3);
	host_released_forget(&released, 1000);
	assert_int_equal(released.n, 39);
	assert_true(host_released_is_lost(&released, 39));
	assert_false(host_released_is_lost(&released, 38));
	assert_false(host_released_is_lost(&released, 3));
	commit(offer(1, 0), 4);
	t = offer(1, 0);
	commit(t, 5);
	run(t, 5);
	host_released_flush(&released, &jobs);
	assert_int_equal(nwritten, 37);
	assert_null(written[3]);
	assert_null(written[4]);
	assert_null(written[5]);
	assert_non_null(strstr(written[39], " promise=lost "));
	assert_null(strstr(written[38], " promise=lost "));
	assert_string_equal(written[40],
			    "libra:1 offer=5.40 tasks=1 procs=1 estimate=100 "
			    "deadline=1000 submit=0 share=0.1 part= "
			    "shape=1.0.0.0 left= on=");
	assert_int_equal(released.n, 0);
	assert_null(released.jobs);
	host_released_flush(&released, &jobs);
	assert_int_equal(nwritten, 37);
	no_machine();
}

static uint32_t parts_of(const char *on, const char *left, double at_s,
			 struct libra_part *parts, uint32_t cap)
{
	struct libra_promise p = {
		.estimate_s = 100,
		.on.text = on,
		.on.len = strlen(on),
		.left.text = left,
		.left.len = strlen(left),
	};

	return host_record_parts(&cluster, &p, at_s, parts, cap);
}

/* n1 has 3 to 5, the last node 57 alone. */
static void records_are_read_as_processors(void **state)
{
	static const char *const foreign[] = {"n0:3",	   "n0:0-3", "n0:2-3",
					      "n19:1",	   "n20:0",  "n:0",
					      "n0:0,n0:9", "n0:0x",  "n0:0;x"};
	struct libra_part parts[4];

	machine("libra_policy=libra");
	assert_int_equal(parts_of("n0:0-2,n1:1,n19:0", "", 5, parts, 4), 3);
	assert_int_equal(parts[0].procs.first, 0);
	assert_int_equal(parts[0].procs.count, 3);
	assert_near(parts[0].est_left_s, 100, 0);
	assert_int_equal(parts[1].procs.first, 4);
	assert_int_equal(parts[1].procs.count, 1);
	assert_int_equal(parts[2].procs.first, 57);
	/* 60 at 10 that fell by 0.5 a second are 55 at 20; a clock that was set
	 * back changes nothing.  The second part has not begun.
	 */
	assert_int_equal(parts_of("n0:2,n1:0", "60/0.5/10", 20, parts, 4), 2);
	assert_near(parts[0].est_left_s, 55, 0);
	assert_near(parts[1].est_left_s, 100, 0);
	parts_of("n0:2,n1:0", "60/0.5/10", 2, parts, 4);
	assert_near(parts[0].est_left_s, 60, 0);
	assert_int_equal(parts_of("n0:0,n0:1", "", 5, parts, 2), 2);
	assert_int_equal(parts_of("n0:0,n0:1,n0:2", "", 5, parts, 2), 0);
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (parts_of(foreign[i], "", 5, parts, 4) != 0)
			fail_msg("%s was read", foreign[i]);
	no_machine();
}

/* All processors but every third: 39 parts, and each is read back. */
static void many_parts_are_written(void **state)
{
	struct libra_host_placement p = {0};
	struct libra_range allowed[NODES];
	struct libra_where where = {.allowed = allowed, .nallowed = NODES - 1};
	struct libra_job job = {.estimate_s = 100,
				.deadline_s = 1000,
				.nprocs = 2 * (NODES - 1),
				.where = &where};
	struct libra_part parts[64];
	struct libra_verdict v;
	struct tracked_job *t;
	struct libra_promise read;
	char *text;

	machine("libra_policy=libra");
	for (uint32_t i = 0; i < NODES - 1; i++)
		allowed[i] = (struct libra_range){3 * i + 1, 2};
	assert_int_equal(libra_engine_log_offer(&elog, &job, 0, &v, NULL), 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_int_equal(host_placement_read(&elog, &cluster, v.ticket, &p), 0);
	assert_int_equal(p.nparts, NODES - 1);
	assert_true(p.nparts <= p.cap);
	for (uint32_t i = 0; i < p.nparts; i++) {
		assert_int_equal(p.parts[i].node, i);
		assert_int_equal(p.parts[i].first, 1);
		assert_int_equal(p.parts[i].count, 2);
	}
	assert_int_equal(host_placement_read(&elog, &cluster, 12345, &p), -1);
	assert_int_equal(p.nparts, 0);
	free(p.parts);
	t = host_jobs_add(&jobs, v.ticket, 1);
	t->job = job;
	t->size.chunk = 1;
	commit(t, 7);
	text = host_job_comment(&jobs, t, 1);
	assert_int_equal(libra_admin_comment_parse(text, &read), 0);
	assert_int_equal(host_record_parts(&cluster, &read, 0, parts, 64),
			 NODES - 1);
	for (uint32_t i = 0; i < NODES - 1; i++)
		assert_memory_equal(&parts[i].procs, &allowed[i],
				    sizeof(allowed[i]));
	free(text);
	no_machine();
}

/* ---- records of very many processors ---- */

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

/* A job on some processors of most nodes, and on these alone. */
static struct tracked_job *scattered(uint32_t nnodes, uint32_t id,
				     uint64_t first,
				     struct libra_range allowed[MOST_NODES])
{
	struct libra_where where = {.allowed = allowed};
	struct libra_job job = {.submit_s = now_s,
				.estimate_s = 100 + draw(1000) / 7.0,
				.deadline_s = now_s + 4000 + draw(4000) / 3.0,
				.where = &where};
	struct libra_verdict v;
	struct tracked_job *t;

	for (uint32_t i = 0; i < nnodes - 1; i++) {
		uint32_t from = draw(3), count = 1 + draw(3 - from);

		if (draw(8) == 0)
			continue;
		allowed[where.nallowed++] =
			(struct libra_range){3 * i + from, count};
		job.nprocs += count;
	}
	assert_int_equal(libra_engine_log_offer(&elog, &job, now_s, &v, NULL),
			 0);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	t = host_jobs_add(&jobs, v.ticket, first);
	t->job = job;
	t->job.where = NULL;
	t->share = v.share;
	t->size.chunk = 1;
	commit(t, id);
	return t;
}

/* What the engine says that a job has left on a processor. */
static double left_on(const struct tracked_job *t, uint32_t proc, double at_s)
{
	const struct libra_row *row = libra_engine_row(
		elog.engine, libra_engine_row_of(elog.engine, proc));

	for (uint32_t i = 0; i < row->ntasks; i++)
		if (row->tasks[i].slot == libra_ticket_slot(t->ticket))
			return row->tasks[i].est_left_s -
			       row->tasks[i].rate * (at_s - row->since_s);
	return NAN;
}

/* Read, a record names these processors, in order, each with its work; and
 * written again it is the same text.
 */
static void reads_back(const struct tracked_job *t,
		       const struct libra_range *allowed, bool runs)
{
	static struct libra_part parts[3 * MOST_NODES];
	char *text = host_job_comment(&jobs, t, 1), *again;
	uint32_t n, proc = allowed->first, end = proc + allowed->count;
	struct libra_promise read;

	assert_int_equal(libra_admin_comment_parse(text, &read), 0);
	assert_true(read.on.len + read.left.len > LONG || !runs);
	again = libra_admin_comment_format(&read);
	assert_string_equal(again, text);
	n = host_record_parts(&cluster, &read, now_s + 1, parts,
			      3 * MOST_NODES);
	assert_true(n > 0);
	for (uint32_t i = 0; i < n; i++) {
		if (proc == end) {
			proc = (++allowed)->first;
			end = proc + allowed->count;
		}
		assert_int_equal(parts[i].procs.first, proc);
		proc += parts[i].procs.count;
		assert_true(proc <= end);
		assert_near(parts[i].est_left_s,
			    runs ? left_on(t, proc - 1, now_s + 1)
				 : t->job.estimate_s,
			    1e-9);
	}
	assert_int_equal(proc, end);
	free(again);
	free(text);
}

/* Jobs that share some processors, on up to 3,000: their records have up to
 * 100,000 characters.
 */
static void long_records_read_back(void **state)
{
	static struct libra_range allowed[3][MOST_NODES + 1];
	struct tracked_job *t;

	for (seed = 1; seed < 100; seed += 11) {
		uint32_t nnodes = 300 + draw(MOST_NODES - 300);

		memset(allowed, 0, sizeof(allowed));
		machine_of(nnodes, "libra_policy=libra");
		for (uint32_t i = 0; i < 3; i++, now_s += draw(100) / 7.0) {
			t = scattered(nnodes, i + 1,
				      host_jobs_first_offer(&jobs, 1),
				      allowed[i]);
			reads_back(t, allowed[i], false);
			run(t, i + 1);
		}
		for (uint32_t i = 0; i < 3; i++)
			reads_back(host_jobs_find(&jobs, i + 1, true),
				   allowed[i], true);
		no_machine();
	}
}

/* Of an array's tasks as many are named as there is room for, each whole. */
static void long_arrays_end_early(void **state)
{
	static struct libra_range allowed[MOST_NODES + 1];
	enum { TASKS = 10, ROOM = 32768 };
	struct libra_promise read, task;
	uint32_t n = 0, procs;
	size_t at = 0, longest = 0;
	uint64_t first;
	char *text;

	machine_of(MOST_NODES, "libra_policy=libra");
	seed = 5;
	first = host_jobs_first_offer(&jobs, TASKS);
	for (uint32_t i = 0; i < TASKS; i++)
		scattered(MOST_NODES, 7, first, allowed);
	text = host_job_comment(&jobs, host_jobs_find(&jobs, 7, false), TASKS);
	assert_int_equal(libra_admin_comment_parse(text, &read), 0);
	for (struct tracked_job *t = host_jobs_find_offer(&jobs, first);
	     libra_promise_task(&read, &at, &task);
	     t = host_jobs_next_offer(&jobs, t), n++) {
		struct libra_promise_at part_at = {0};
		struct libra_promise_part part;

		for (procs = 0; libra_promise_part(&task, &part_at, &part);)
			procs += part.count;
		assert_int_equal(part_at.on, task.on.len);
		assert_int_equal(procs, t->job.nprocs);
		longest = fmax(longest, task.on.len);
	}
	assert_true(n > 1 && n < TASKS);
	assert_true(read.on.len >= ROOM && read.on.len < ROOM + 1 + longest);
	free(text);
	no_machine();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_tells_each_row),
		cmocka_unit_test(an_array_tells_its_tasks),
		cmocka_unit_test(jobs_in_turn_have_the_whole_share),
		cmocka_unit_test(planned_jobs_tell_their_starts),
		cmocka_unit_test(stale_records_are_written_once),
		cmocka_unit_test(released_jobs_name_no_processors),
		cmocka_unit_test(records_are_read_as_processors),
		cmocka_unit_test(many_parts_are_written),
		cmocka_unit_test(long_records_read_back),
		cmocka_unit_test(long_arrays_end_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
