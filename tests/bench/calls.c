/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls POLICY JOBS NODES CPUS [LOG]: what calls of slurmctld cost in
 * a host without Slurm.
 *
 * So many jobs of one processor are submitted within a second, start a
 * thousandth of a second after one another, and end as fast, when a fifth more
 * has been submitted beside them; the looks of our
 * thread are between them, ten a second and on until nothing is left to do.  A
 * call is what a plugin does under Slurm's locks: records that are stale are
 * written in it.  Prints for each kind how many, and microseconds of the
 * processor: median, mean, 99th percentile, worst.  LOG is a decision log.
 */
#include <string.h>

#include "plugin/base/clock.h"
#include "plugin/base/timing.h"
#include "tests/plugin/machine.h"

enum { LOOK_EVERY = 100, MOST_LOOKS = 1000 };

struct calls {
	double *us;
	size_t n, cap;
};

static const char *const phases[] = {"submit", "start", "beside", "end"};
static const char *const names[LIBRA_CALLS] = {
	[LIBRA_CALL_SUBMIT] = "submit", [LIBRA_CALL_TEST] = "test",
	[LIBRA_CALL_SET] = "set",	[LIBRA_CALL_END] = "end",
	[LIBRA_CALL_LOOK] = "look",
};

static struct calls calls[LIBRA_CALLS];
static double now_s = 1e9, began_s;
static struct libra_host *host;
static uint32_t njobs, nbeside;
static char **records;
static enum libra_host_job_state *states;

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
}

static enum libra_host_job_state job_state(uint32_t id)
{
	return states[id];
}

static void charge(uint32_t id, double rate)
{
}

static const struct libra_host_ops ops = {
	.now_s = clock_s,
	.write_record = keep,
	.job_state = job_state,
	.charge = charge,
};

static void begin(void)
{
	began_s = libra_host_read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void end(enum libra_host_call call)
{
	double us = 1e6 *
		    (libra_host_read_clock(CLOCK_THREAD_CPUTIME_ID) - began_s);
	struct calls *c = &calls[call];

	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 1024;
		c->us = realloc(c->us, c->cap * sizeof(*c->us));
		if (!c->us)
			exit(1);
	}
	c->us[c->n++] = us;
}

static struct libra_host_job job(uint32_t id)
{
	return (struct libra_host_job){
		.job_id = id,
		.comment = records[id],
		.size.ncpus = 1,
		.size.ntasks = 1,
		.size.cpus_per_task = 1,
		.start_s = states[id] == LIBRA_JOB_ALIVE ? now_s : 0,
	};
}

static bool test(uint32_t id, bool look_only)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id);
	enum libra_host_place where;

	seen.look_only = look_only;
	begin();
	where = libra_host_place(host, &seen, &p);
	machine_take(id, &p, keep);
	libra_host_flush_records(host);
	end(LIBRA_CALL_TEST);
	return where == LIBRA_PLACE_HERE;
}

static void look(void)
{
	bool more = true;

	for (int i = 0; more && i < MOST_LOOKS; i++) {
		begin();
		more = libra_host_look(host);
		end(LIBRA_CALL_LOOK);
	}
}

static bool submit_one(uint32_t id)
{
	struct libra_host_request r = machine_asking(1, 600, now_s + 72000);
	bool accepted;

	r.user = id;
	begin();
	accepted = machine_submit(host, id, &r, keep);
	libra_host_flush_records(host);
	end(LIBRA_CALL_SUBMIT);
	if (accepted)
		states[id] = LIBRA_JOB_PENDING;
	return accepted;
}

static bool start_one(uint32_t id)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;

	if (states[id] != LIBRA_JOB_PENDING || !test(id, false))
		return false;
	states[id] = LIBRA_JOB_ALIVE;
	seen = job(id);
	begin();
	libra_host_started(host, &seen, &p);
	machine_take(id, &p, keep);
	libra_host_flush_records(host);
	end(LIBRA_CALL_SET);
	return true;
}

static bool end_one(uint32_t id)
{
	if (states[id] != LIBRA_JOB_ALIVE)
		return false;
	states[id] = LIBRA_JOB_GONE;
	begin();
	libra_host_ended(host, id);
	libra_host_flush_records(host);
	end(LIBRA_CALL_END);
	return true;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void print(const char *phase, uint32_t n, uint32_t of)
{
	printf("%s: %u of %u\n", phase, n, of);
	for (int i = 0; i < LIBRA_CALLS; i++) {
		struct calls *c = &calls[i];
		double sum = 0;

		if (c->n == 0)
			continue;
		qsort(c->us, c->n, sizeof(*c->us), by_size);
		for (size_t k = 0; k < c->n; k++)
			sum += c->us[k];
		printf("  %-6s %6zu  median %8.1f  mean %8.1f  p99 %8.1f  "
		       "most %8.1f us\n",
		       names[i], c->n, c->us[c->n / 2], sum / (double)c->n,
		       c->us[(size_t)(0.99 * (double)(c->n - 1))],
		       c->us[c->n - 1]);
		c->n = 0;
	}
}

/* Of the jobs from one on, so many. */
static void run(const char *phase, bool (*one)(uint32_t id), uint32_t first,
		uint32_t of, double apart_s)
{
	uint32_t n = 0;

	for (uint32_t id = first; id < first + of; id++, now_s += apart_s) {
		if (!one(id))
			continue;
		n++;
		if (id % LOOK_EVERY == 0)
			look();
		if (one == submit_one)
			test(id, true);
	}
	for (int i = 0; i < 20; i++, now_s += 0.1)
		look();
	print(phase, n, of);
}

int main(int argc, char **argv)
{
	char params[512];

	if (argc < 5 || atoi(argv[3]) < 1 || atoi(argv[3]) > MACHINE_NODES) {
		fprintf(stderr, "usage: calls POLICY JOBS NODES CPUS [LOG]\n");
		return 2;
	}
	njobs = (uint32_t)strtoul(argv[2], NULL, 10);
	nbeside = njobs / 5;
	records = calloc(njobs + nbeside + 1, sizeof(*records));
	states = calloc(njobs + nbeside + 1, sizeof(*states));
	host = libra_host_create();
	if (!records || !states || !host)
		return 1;
	snprintf(params, sizeof(params),
		 "libra_policy=%s,libra_partitions=main%s%s", argv[1],
		 argc > 5 ? ",libra_log=" : "", argc > 5 ? argv[5] : "");
	libra_host_init(host, &ops);
	if (machine_set(host, params, (uint32_t)strtoul(argv[3], NULL, 10),
			(uint32_t)strtoul(argv[4], NULL, 10)) < 0)
		return 1;
	run(phases[0], submit_one, 1, njobs, 1.0 / njobs);
	run(phases[1], start_one, 1, njobs, 1e-3);
	run(phases[2], submit_one, njobs + 1, nbeside, 1e-3);
	run(phases[3], end_one, 1, njobs, 1e-3);
	libra_host_destroy(host);
	for (uint32_t id = 0; id <= njobs + nbeside; id++)
		free(records[id]);
	for (int i = 0; i < LIBRA_CALLS; i++)
		free(calls[i].us);
	free(records);
	free(states);
	return 0;
}
