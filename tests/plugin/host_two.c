/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_two.c - two hosts in one process.
 *
 * Two machines of four nodes of two processors, one with policy libra and one
 * with band, live through a few hundred submissions, starts, pauses and ends,
 * each with its own clock and drawn from its own seed.  What a host answers and
 * logs is the same alone, step by step in turn with the other, and in a thread
 * beside the other.  Speaks TAP.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 64, STEPS = 600 };

enum stage { NONE, WAITING, RUNNING, PAUSED };

/* One host and its Slurm. */
struct side {
	const char *policy;
	struct libra_host *host;
	double now_s;
	unsigned seed;
	uint32_t next_id;
	enum stage stages[JOBS];
	char *records[JOBS];
	char log_path[40];
	char *answers; /* one line for each question */
	size_t answers_len;
	FILE *out;
	uint32_t accepted, refused, held;
};

/* Whose host is called: the functions that it calls have no argument. */
static _Thread_local struct side *side;

static void log_line(enum libra_host_level level, const char *text)
{
	if (level == LIBRA_HOST_ERROR)
		fprintf(side->out, "error: %s\n", text);
}

static double clock_s(void)
{
	return side->now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(side->records[id % JOBS]);
	side->records[id % JOBS] = strdup(record->comment);
}

static enum libra_host_job_state job_state(uint32_t id)
{
	switch (side->stages[id % JOBS]) {
	case WAITING:
		return LIBRA_JOB_PENDING;
	case RUNNING:
	case PAUSED:
		return LIBRA_JOB_ALIVE;
	default:
		return LIBRA_JOB_GONE;
	}
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.now_s = clock_s,
	.job_state = job_state,
	.write_record = keep,
};

/* From lo to hi. */
static uint32_t draw(uint32_t lo, uint32_t hi)
{
	return lo + (uint32_t)rand_r(&side->seed) % (hi - lo + 1);
}

static void submit(void)
{
	uint32_t id = side->next_id++ % JOBS;
	struct libra_host_request r = {
		.times.estimate_s = draw(50, 500),
		.size.ncpus = draw(1, NODES * PROCS),
		.size.cpus_per_task = 1,
	};
	struct libra_host_reply reply;

	r.times.deadline_s = side->now_s + r.times.estimate_s * draw(1, 5);
	if (side->stages[id] != NONE)
		return;
	if (libra_host_submit(side->host, &r, &reply) < 0)
		return;
	fprintf(side->out, "submit %u: %d %s\n", id, reply.answer,
		reply.text ? reply.text : "");
	side->refused += reply.answer == LIBRA_HOST_REFUSED;
	if (reply.answer == LIBRA_HOST_ACCEPTED) {
		side->accepted++;
		side->stages[id] = WAITING;
		keep(id, &reply.record);
	}
	libra_host_reply_fini(&reply);
}

static void take(uint32_t id, struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++)
		fprintf(side->out, " %u:%u+%u", p->parts[i].node,
			p->parts[i].first, p->parts[i].count);
	fprintf(side->out, "\n");
	if (p->record.comment)
		keep(id, &p->record);
	free(p->record.comment);
	free(p->parts);
}

static void look(uint32_t id)
{
	/* Job 0 would be no job to Slurm. */
	struct libra_host_job job = {.job_id = id + JOBS,
				     .comment = side->records[id]};
	struct libra_host_placement p = {0}, at = {0};
	enum libra_host_place where = libra_host_place(side->host, &job, &p);

	fprintf(side->out, "look %u: %d %u", id, where, p.minutes);
	take(id, &p);
	side->held += where == LIBRA_PLACE_WAIT;
	if (where != LIBRA_PLACE_HERE)
		return;
	side->stages[id] = RUNNING;
	job.comment = side->records[id];
	libra_host_started(side->host, &job, &at);
	fprintf(side->out, "start %u:", id);
	take(id, &at);
}

static void act(uint32_t id)
{
	bool pauses = side->stages[id] == RUNNING;

	switch (side->stages[id]) {
	case NONE:
		break;
	case WAITING:
		look(id);
		break;
	case RUNNING:
	case PAUSED:
		if (draw(1, 4) > 1) {
			libra_host_ended(side->host, id + JOBS);
			side->stages[id] = NONE;
			break;
		}
		libra_host_suspended(side->host, id + JOBS, pauses);
		side->stages[id] = pauses ? PAUSED : RUNNING;
		break;
	}
}

static void step(struct side *s)
{
	side = s;
	s->now_s += draw(0, 40);
	if (draw(1, 3) == 1)
		submit();
	else
		act(draw(0, JOBS - 1));
	libra_host_flush_records(s->host);
}

static int begin(struct side *s, const char *policy)
{
	char params[96];
	int fd;

	*s = (struct side){.policy = policy,
			   .now_s = 1e9,
			   .seed = 11,
			   .host = libra_host_create(),
			   .log_path = "/tmp/host_two.XXXXXX"};
	side = s;
	fd = mkstemp(s->log_path);
	s->out = open_memstream(&s->answers, &s->answers_len);
	if (fd < 0 || !s->out || !s->host)
		return -1;
	close(fd);
	libra_host_init(s->host, &ops);
	snprintf(params, sizeof(params), "libra_policy=%s,libra_log=%s", policy,
		 s->log_path);
	return machine_set(s->host, params, NODES, PROCS);
}

/* The answers, then the decision log: for the caller to free. */
static char *end(struct side *s)
{
	FILE *log = fopen(s->log_path, "r");
	char line[4096];

	side = s;
	libra_host_destroy(s->host);
	fprintf(s->out, "decisions\n");
	while (log && fgets(line, sizeof(line), log))
		fputs(line, s->out);
	if (log)
		fclose(log);
	unlink(s->log_path);
	fclose(s->out);
	for (int i = 0; i < JOBS; i++)
		free(s->records[i]);
	return s->answers;
}

static void *live(void *arg)
{
	for (int i = 0; i < STEPS; i++)
		step(arg);
	return NULL;
}

/* What libra does, and what band does, each alone. */
static char *alone[2];
static const char *const policies[2] = {"libra", "band"};

static void run_alone(void)
{
	char name[64];
	struct side s;

	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "a host with %s", policies[i]);
		ok(begin(&s, policies[i]) == 0, name);
		live(&s);
		printf("# accepted %u, refused %u, held %u times\n", s.accepted,
		       s.refused, s.held);
		snprintf(name, sizeof(name), "%s accepts and refuses",
			 policies[i]);
		ok(s.accepted > 20 && s.refused > 20, name);
		alone[i] = end(&s);
	}
	ok(!strstr(alone[0], "error") && !strstr(alone[1], "error"),
	   "without an error");
	ok(strcmp(alone[0], alone[1]) != 0, "their answers differ");
}

static void compare(struct side sides[2], const char *how)
{
	char name[64], *now;

	for (int i = 0; i < 2; i++) {
		now = end(&sides[i]);
		snprintf(name, sizeof(name), "%s answers %s as alone",
			 policies[i], how);
		ok(strcmp(now, alone[i]) == 0, name);
		free(now);
	}
}

static void run_in_turn(void)
{
	struct side sides[2];

	ok(begin(&sides[0], policies[0]) == 0 &&
		   begin(&sides[1], policies[1]) == 0,
	   "two hosts");
	for (int i = 0; i < STEPS; i++)
		for (int k = 0; k < 2; k++)
			step(&sides[(i + k) % 2]);
	compare(sides, "in turn");
}

static void run_in_threads(void)
{
	struct side sides[2];
	pthread_t other;

	ok(begin(&sides[0], policies[0]) == 0 &&
		   begin(&sides[1], policies[1]) == 0 &&
		   pthread_create(&other, NULL, live, &sides[1]) == 0,
	   "two threads");
	live(&sides[0]);
	pthread_join(other, NULL);
	compare(sides, "in a thread");
}

int main(void)
{
	run_alone();
	run_in_turn();
	run_in_threads();
	free(alone[0]);
	free(alone[1]);
	return finish();
}
