/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_load.c - thousands of promises in a host: no call does all that there is
 * to do at once, and all of it is done in the end.
 *
 * Sixteen nodes of four processors; without Slurm.  Speaks TAP.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/base/timing.h"
#include "tests/plugin/machine.h"

enum { JOBS = 3000 };

static double now_s = 1e9;
static struct libra_host *host;
static char *records[JOBS + 1];
static bool gone[JOBS + 1];
static uint32_t written, asked, claims_looked, told;

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
	written++;
}

static enum libra_host_job_state job_state(uint32_t id)
{
	asked++;
	return gone[id] ? LIBRA_JOB_GONE : LIBRA_JOB_PENDING;
}

static uint32_t find_claim(uint64_t epoch, uint64_t offer)
{
	claims_looked++;
	return 0;
}

static bool has_claim(uint32_t id, uint64_t epoch, uint64_t offer)
{
	return records[id]; /* Slurm keeps those of jobs that are gone, too */
}

static void charge(uint32_t id, double rate)
{
	told++;
}

static const struct libra_host_ops ops = {
	.now_s = clock_s,
	.write_record = keep,
	.job_state = job_state,
	.find_claim = find_claim,
	.has_claim = has_claim,
	.charge = charge,
};

static struct libra_host_job job(uint32_t id)
{
	return (struct libra_host_job){.job_id = id, .comment = records[id]};
}

static enum libra_host_place place(uint32_t id, bool look_only)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id);
	enum libra_host_place where;

	seen.look_only = look_only;
	where = libra_host_place(host, &seen, &p);
	machine_take(id, &p, keep);
	return where;
}

/* Each may have a thousandth of a processor. */
static bool submit(uint32_t id)
{
	struct libra_host_request r = machine_asking(1, 60, now_s + 60000);

	r.user = id;
	return machine_submit(host, id, &r, keep) &&
	       place(id, true) == LIBRA_PLACE_HERE;
}

static struct libra_host_counts counts(void)
{
	struct libra_host_counts c;

	libra_host_counts(host, &c);
	return c;
}

static void test_submissions(void)
{
	uint32_t n = 0;

	for (uint32_t id = 1; id <= JOBS; id++)
		n += submit(id);
	ok(n == JOBS && counts().committed == JOBS && counts().offers == 0,
	   "thousands of promises are held");
	ok(claims_looked == 0, "and nobody looked at all jobs for one of them");
}

/* The looks of a second.  Result: how many; and the most that one of them adds
 * to a count.
 */
static uint32_t look_all(const uint32_t *count, uint32_t *most)
{
	uint32_t calls = 0, before;

	for (bool more = true; more && calls < JOBS; calls++) {
		before = *count;
		more = libra_host_look(host);
		*most = *count - before > *most ? *count - before : *most;
	}
	return calls;
}

/* Once a second each job is asked for, and a call asks for few. */
static void test_sweep(void)
{
	uint32_t most = 0, calls;

	look_all(&asked, &most); /* what is left of before */
	now_s += 1;
	asked = most = 0;
	calls = look_all(&asked, &most);
	ok(asked == JOBS, "a second's looks ask Slurm of each job once");
	ok(calls > 10 && most < 200, "and no look asks for many");
}

static void test_gone(void)
{
	uint32_t calls = 0;

	for (uint32_t id = 1; id <= JOBS; id += 2)
		gone[id] = true;
	now_s += 1;
	while (libra_host_look(host) && calls < 10 * JOBS)
		calls++;
	ok(counts().committed == JOBS / 2, "jobs that are gone give back all");
	ok(calls > JOBS / 16, "but few of them in a look");
	ok(claims_looked == 0, "and none is searched for among all jobs");
}

/* A job that Slurm cannot start is wanted less and less often, until something
 * ends.
 */
static void test_tries(void)
{
	struct libra_host_job seen = job(2);
	double waits_s[12];
	int n = 0;

	ok(libra_host_wants(host, &seen) == LIBRA_WANTED, "a job may start");
	for (double since_s = now_s; n < 12; now_s += 0.1) {
		if (libra_host_wants(host, &seen) != LIBRA_WANTED_AGAIN &&
		    !(n == 0 && now_s == since_s))
			continue;
		waits_s[n++] = now_s - since_s;
		since_s = now_s;
		libra_host_tried(host, 2);
	}
	ok(waits_s[1] > 0.15 && waits_s[1] < 0.35 && waits_s[4] > 1.5 &&
		   waits_s[4] < 1.75,
	   "one that cannot is wanted again after 0.2 s, then 0.4 s, ...");
	ok(waits_s[11] > 14.9 && waits_s[11] < 15.2, "15 s at last");
	now_s += 1;
	ok(libra_host_wants(host, &seen) == LIBRA_NOT_WANTED &&
		   !libra_host_may_try(host, 2) && libra_host_may_try(host, 4),
	   "not sooner");
	libra_host_ended(host, 7777);
	ok(libra_host_wants(host, &seen) == LIBRA_WANTED_AGAIN,
	   "but as soon as any job has ended");
}

static void test_woken(void)
{
	uint32_t ids[8];

	libra_host_woken(host, ids, 8);
	ok(libra_host_woken(host, ids, 8) == 0, "nobody is woken twice");
	submit(1);
	gone[1] = false;
	ok(libra_host_woken(host, ids, 8) == 1 && ids[0] == 1,
	   "a new job is named that may start");
	for (uint32_t id = 3; id <= 41; id += 2)
		submit(id);
	ok(libra_host_woken(host, ids, 8) > 8, "or that they are many");
}

/* Records of running jobs are stale when their clock is set: they are written
 * some at a time, all of them.
 */
static void test_flush(void)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;
	uint32_t calls = 0, n = 0;
	bool more = true;

	for (uint32_t id = 2; id <= JOBS; id += 2) {
		seen = job(id);
		libra_host_started(host, &seen, &p);
		n += p.record.comment != NULL;
		free(p.record.comment);
	}
	free(p.parts);
	for (more = true; more; calls++)
		more = libra_host_flush_records(host);
	for (uint32_t id = 2; id <= JOBS; id += 2)
		libra_host_suspended(host, id, true);
	written = calls = 0;
	for (more = true; more; calls++)
		more = libra_host_flush_records(host);
	ok(n == JOBS / 2 && counts().running == JOBS / 2, "they run");
	ok(written >= JOBS / 2, "each record that changed is written");
	ok(calls > 4, "in several calls");
}

/* They share their processors: each is charged less than Slurm would, which is
 * said of few of them in a look.
 */
static void test_charge(void)
{
	uint32_t most = 0, calls = 0;

	for (uint32_t id = 2; id <= JOBS; id += 2)
		libra_host_suspended(host, id, false);
	for (int second = 0; second < 2; second++) {
		now_s += 1;
		told = 0;
		calls = look_all(&told, &most);
	}
	ok(told == JOBS / 2 && calls < JOBS,
	   "what each is charged is said in a second's looks");
	ok(most > 0 && most <= 64, "and no look does that for many");
}

static void test_times(void)
{
	struct libra_host_watch watch = {0};
	struct host_times times = {0};

	/* A hundred from 1 us to 100 us, in bins of a quarter of an octave. */
	for (int i = 1; i <= 100; i++) {
		watch.cpu_s = 1e-6 * i;
		host_times_add(&times, LIBRA_CALL_END, &watch);
	}
	ok(times.cpu[LIBRA_CALL_END].n == 100 &&
		   times.cpu[LIBRA_CALL_END].most_s == 100 * 1e-6,
	   "times are counted");
	ok(host_time_quantile(&times.cpu[LIBRA_CALL_END], 0.5) >= 50e-6 &&
		   host_time_quantile(&times.cpu[LIBRA_CALL_END], 0.5) <=
			   50e-6 * 1.19,
	   "half of them are below the median, which is a fifth too long at "
	   "most");
	ok(host_time_quantile(&times.cpu[LIBRA_CALL_END], 0.99) <= 100e-6,
	   "and no quantile is longer than the longest");
	ok(host_time_quantile(&times.cpu[LIBRA_CALL_TEST], 0.5) == 0,
	   "of none it is 0");
}

static void test_timed(void)
{
	struct libra_host_watch watch = {0};

	libra_host_watch_start(&watch);
	libra_host_watch_stop(&watch);
	ok(!watch.on && watch.wall_s == 0 && watch.cpu_s == 0,
	   "calls are not timed");
	libra_host_time_calls(true);
	libra_host_watch_stop(&watch);
	ok(watch.wall_s == 0, "nor is one that began before they were");
	libra_host_watch_start(&watch);
	libra_host_watch_stop(&watch);
	ok(watch.on && watch.wall_s > 0 && watch.cpu_s > 0,
	   "where that is wanted they are");
	libra_host_time_calls(false);
}

int main(void)
{
	host = libra_host_create();
	libra_host_init(host, &ops);
	ok(host && machine_set(host,
			       "libra_policy=librarisk,libra_partitions=main",
			       16, 4) == 0,
	   "a host");
	test_submissions();
	test_sweep();
	test_gone();
	test_tries();
	test_woken();
	test_flush();
	test_charge();
	test_times();
	test_timed();
	libra_host_destroy(host);
	for (uint32_t id = 0; id <= JOBS; id++)
		free(records[id]);
	return finish();
}
