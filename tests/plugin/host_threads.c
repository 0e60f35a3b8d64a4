/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_threads.c - many submissions at once, without Slurm.
 *
 * Sixteen threads submit, match, start and end jobs on a machine of 1,000
 * processors.  The same is then done with 500 and with 5,000 jobs promised, to
 * measure what one submission costs.  Speaks TAP; run it under ThreadSanitizer
 * too.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/plugin/machine.h"

enum { NODES = 125, PROCS = 8, THREADS = 16, ROUNDS = 200 };

static atomic_uint next_id = 1;
static atomic_uint errors;
static struct libra_host *host;

static void log_line(enum libra_host_level level, const char *text)
{
	if (level != LIBRA_HOST_ERROR)
		return;
	atomic_fetch_add(&errors, 1);
	printf("# %s\n", text);
}

/* Of this thread alone: what else the machine does is no cost of ours. */
static double used_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static double real_s(void)
{
	return (double)time(NULL);
}

static const struct libra_host_ops ops = {.log = log_line};

/* Deadlines so many times as far: as many jobs more have room. */
static double patience = 1;

static struct libra_host_request request(unsigned *seed)
{
	return (struct libra_host_request){
		.times.estimate_s = 60.0 + rand_r(seed) % 3600,
		.times.deadline_s =
			real_s() + patience * (7200.0 + rand_r(seed) % 7200),
		.size.ncpus = 1 + (unsigned)rand_r(seed) % 16,
		.size.cpus_per_task = 1,
	};
}

/* One job's life, until it runs.  Result: its id, or 0 if it was refused. */
static uint32_t begin_job(unsigned *seed, double *submit_s, double *start_s)
{
	struct libra_host_request r = request(seed);
	struct libra_host_reply reply;
	struct libra_host_placement p = {0};
	struct libra_host_job job = {0};
	double at_s = used_s();

	if (libra_host_submit(host, &r, &reply) < 0)
		return 0;
	*submit_s = used_s() - at_s;
	at_s = used_s();
	if (reply.answer == LIBRA_HOST_ACCEPTED) {
		job.job_id = atomic_fetch_add(&next_id, 1);
		job.comment = reply.record.comment;
		if (libra_host_place(host, &job, &p) != LIBRA_PLACE_HERE)
			atomic_fetch_add(&errors, 1);
		free(p.record.comment);
		libra_host_started(host, &job, &p);
		if (p.nparts == 0)
			atomic_fetch_add(&errors, 1);
		free(p.record.comment);
		free(p.parts);
	}
	*start_s = used_s() - at_s;
	libra_host_reply_fini(&reply);
	return job.job_id;
}

static void *live(void *arg)
{
	unsigned seed = (unsigned)(size_t)arg;
	uint32_t mine[8] = {0};
	double submit_s, start_s;

	for (int i = 0; i < ROUNDS; i++) {
		if (mine[i % 8])
			libra_host_ended(host, mine[i % 8]);
		mine[i % 8] = begin_job(&seed, &submit_s, &start_s);
		libra_host_flush_records(host);
	}
	for (int i = 0; i < 8; i++)
		if (mine[i])
			libra_host_ended(host, mine[i]);
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_times(const char *what, double *took_s, int n)
{
	qsort(took_s, (size_t)n, sizeof(took_s[0]), by_size);
	printf("# %s: median %.1f us, 99th percentile %.1f us, most %.1f us\n",
	       what, 1e6 * took_s[n / 2], 1e6 * took_s[n * 99 / 100],
	       1e6 * took_s[n - 1]);
}

/* Microseconds of a submission beside njobs promised ones, 99th percentile. */
static double measure(uint32_t njobs)
{
	enum { TRIES = 1000 };
	static double took_s[TRIES], start_s[TRIES];
	struct libra_host_counts counts = {0};
	unsigned seed = 7;
	uint32_t id;
	int n = 0;

	patience = njobs / 500.0;
	for (uint32_t i = 0; i < 10 * njobs && counts.running < njobs; i++) {
		begin_job(&seed, &took_s[0], &start_s[0]);
		libra_host_counts(host, &counts);
	}
	printf("# %u jobs run on %u processors\n", counts.running,
	       counts.nprocs);
	for (int i = 0; i < TRIES; i++) {
		id = begin_job(&seed, &took_s[n], &start_s[n]);
		n++;
		if (id)
			libra_host_ended(host, id);
	}
	print_times("a submission", took_s, n);
	print_times("its match and start", start_s, n);
	for (id = 1; id < atomic_load(&next_id); id++)
		libra_host_ended(host, id);
	return 1e6 * took_s[n * 99 / 100];
}

int main(void)
{
	pthread_t threads[THREADS];
	struct libra_host_counts counts;
	double took_us;

	host = libra_host_create();
	if (!host)
		return 99;
	libra_host_init(host, &ops);
	ok(machine_set(host, "libra_policy=libra", NODES, PROCS) == 0,
	   "a machine is described");
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, live, (void *)(i + 1));
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	libra_host_counts(host, &counts);
	ok(counts.offers + counts.committed + counts.running == 0,
	   "all jobs of sixteen threads came and went");
	ok(atomic_load(&errors) == 0, "nothing was complained about");
	took_us = measure(500);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	took_us = 0; /* a checker's time is no measure */
#endif
	/* 50 to 150 us alone: other tests run beside this one. */
	ok(took_us <= 1000, "a submission costs at most 1000 microseconds");
	measure(5000);
	libra_host_destroy(host);
	return finish();
}
