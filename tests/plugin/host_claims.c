/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_claims.c - offers that no job comes for, on a clock of our own.
 *
 * Two nodes of four processors; without Slurm.  Speaks TAP.
 */
#include <dlfcn.h> /* RTLD_NEXT */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/plugin/machine.h"

static double now_s = 1e9;
static struct libra_host *host;
static uint64_t claimed;  /* the offer that job 7 came for */
static uint64_t all_from; /* for each from this one on a job came; 0 = none */
static bool gone;	  /* the jobs are */

static double clock_s(void)
{
	return now_s;
}

static uint32_t find_claim(uint64_t epoch, uint64_t offer)
{
	if (all_from && offer >= all_from)
		return 1000 + (uint32_t)offer;
	return offer == claimed ? 7 : 0;
}

static enum libra_host_job_state job_state(uint32_t id)
{
	return gone ? LIBRA_JOB_GONE : LIBRA_JOB_PENDING;
}

static char said[256]; /* last, of offers */

static void keep_text(enum libra_host_level level, const char *text)
{
	if (strncmp(text, "offer ", 6) == 0)
		snprintf(said, sizeof(said), "%s", text);
}

static const struct libra_host_ops ops = {
	.log = keep_text,
	.now_s = clock_s,
	.find_claim = find_claim,
	.job_state = job_state,
};

/* The host asks the kernel which threads have ended. */
static struct {
	int n;
	pid_t threads[64];
} asked;

__attribute__((visibility("default"))) int sched_getscheduler(pid_t thread)
{
	static int (*real)(pid_t thread);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "sched_getscheduler");
	if (asked.n < 64)
		asked.threads[asked.n++] = thread;
	return real(thread);
}

/* A submission of a user for all there is, or for one processor. */
struct submission {
	uint32_t user, ncpus;
	const char *array; /* or NULL */
	double estimate_s; /* 600 if it is 0 */
	enum libra_host_answer answer;
	bool offered;
	char record[512];
	pid_t thread; /* in which it was */
};

static void *submit(void *arg)
{
	struct submission *s = arg;
	struct libra_host_request r = {
		.partition = "main",
		.times.estimate_s = s->estimate_s > 0 ? s->estimate_s : 600,
		.times.deadline_s = now_s + 800,
		.size.ncpus = s->ncpus,
		.size.ntasks = s->ncpus,
		.size.cpus_per_task = 1,
		.user = s->user,
		.array = s->array,
	};
	struct libra_host_reply reply;

	s->thread = (pid_t)syscall(SYS_gettid);
	if (libra_host_submit(host, &r, &reply) < 0)
		abort();
	s->answer = reply.answer;
	snprintf(s->record, sizeof(s->record), "%s",
		 reply.record.comment ? reply.record.comment : "");
	s->offered = reply.record.comment &&
		     !strstr(reply.record.comment, ".0 tasks");
	libra_host_reply_fini(&reply);
	return NULL;
}

static struct submission of(uint32_t user, uint32_t ncpus)
{
	return (struct submission){.user = user, .ncpus = ncpus};
}

/* A joined thread is known to the kernel for a moment longer. */
static void join(pthread_t thread, const struct submission *s)
{
	pthread_join(thread, NULL);
	while (syscall(SYS_tgkill, getpid(), s->thread, 0) == 0)
		sched_yield();
}

/* In a thread of its own, as Slurm does; it is over after that. */
static struct submission in_thread(struct submission s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, submit, &s) != 0)
		abort();
	join(thread, &s);
	return s;
}

static struct submission elsewhere(uint32_t user, uint32_t ncpus)
{
	return in_thread(of(user, ncpus));
}

static struct submission here(uint32_t user, uint32_t ncpus)
{
	struct submission s = of(user, ncpus);

	submit(&s);
	return s;
}

/* One that waits in Slurm for as long as we want it to. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t submitted;

static void *submit_and_wait(void *arg)
{
	submit(arg);
	pthread_barrier_wait(&submitted);
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static void begin(void)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	claimed = all_from = 0;
	gone = false;
	now_s += 1e4; /* what users left before is forgotten */
	machine_set(host, "libra_policy=libra", 2, 4);
}

/* A job of the user comes for the offer, and is over some time later. */
static void make_known(uint32_t user)
{
	begin();
	elsewhere(user, 8);
	claimed = 1;
	here(user, 8);
	claimed = 0;
	gone = true;
	now_s += 1e4;
	libra_host_look(host);
	gone = false;
}

static void test_over(void)
{
	begin();
	ok(elsewhere(1, 8).offered, "all there is is offered to one");
	ok(here(2, 8).offered, "and to another, as no job came");
	ok(strcmp(said, "offer 1 to user 1 dropped: Slurm made no job of the "
			"submission") == 0,
	   "which the log tells");
	ok(here(2, 8).offered, "and again, in the same thread");
}

static void test_claimed(void)
{
	struct libra_host_counts counts;

	begin();
	elsewhere(1, 8);
	claimed = 1;
	ok(here(2, 8).answer == LIBRA_HOST_REFUSED,
	   "what a job came for is not offered again");
	libra_host_counts(host, &counts);
	ok(counts.committed == 1 && counts.offers == 0, "it is the job's");
}

/* Nobody has looked at the job before its offer is settled. */
static void test_settled_record(void)
{
	struct libra_host_placement p = {0};
	struct submission s;

	begin();
	s = elsewhere(1, 8);
	claimed = 1;
	libra_host_look(host);
	ok(libra_host_place(
		   host,
		   &(struct libra_host_job){.job_id = 7, .comment = s.record},
		   &p) == LIBRA_PLACE_HERE,
	   "a job whose offer was settled may start");
	ok(p.record.comment && strstr(p.record.comment, " on=n0"),
	   "and its record names its processors, for a restart");
	free(p.record.comment);
	free(p.parts);
}

static void test_in_flight(void)
{
	struct submission slow = of(1, 8);
	pthread_t thread;

	begin();
	pthread_barrier_init(&submitted, NULL, 2);
	pthread_mutex_lock(&gate);
	pthread_create(&thread, NULL, submit_and_wait, &slow);
	pthread_barrier_wait(&submitted);
	ok(here(2, 8).answer == LIBRA_HOST_REFUSED,
	   "a submission that goes on keeps its offer");
	now_s += 1;
	ok(here(2, 8).answer == LIBRA_HOST_REFUSED, "for a second");
	now_s += 0.5;
	ok(here(2, 8).offered, "and not longer");
	pthread_mutex_unlock(&gate);
	join(thread, &slow);
	pthread_barrier_destroy(&submitted);
}

static void test_trust(void)
{
	struct submission last;

	make_known(2);
	for (int i = 0; i < 3; i++)
		elsewhere(1, 8);
	last = elsewhere(1, 8);
	ok(last.answer == LIBRA_HOST_ACCEPTED && !last.offered,
	   "after three left offers a user's job is taken, and offered nothing");
	ok(here(2, 8).offered, "others are offered all");
	now_s += 241;
	ok(elsewhere(1, 8).offered, "in time he is, too");
	elsewhere(1, 8);
	ok(here(1, 8).answer == LIBRA_HOST_ACCEPTED, "once");
	ok(!here(1, 1).offered, "then not");
}

/* One after the other leaves an offer: until a job of a user has come, he is
 * not told apart from them.
 */
static void test_crowd(void)
{
	struct submission last;

	make_known(9);
	for (uint32_t user = 1; user <= 3; user++)
		ok(elsewhere(user, 8).offered, "somebody leaves an offer");
	last = elsewhere(4, 8);
	ok(last.answer == LIBRA_HOST_ACCEPTED && !last.offered,
	   "the next one is taken, and offered nothing");
	ok(elsewhere(9, 8).offered, "who had a job is offered all");
	ok(elsewhere(9, 8).offered, "though he left one, too");
	ok(!elsewhere(9, 8).offered, "but not two");
	now_s += 361;
	ok(elsewhere(4, 8).offered, "in time everybody is");
}

/* Slurm makes a record, asks whether the job could ever run, and refuses it;
 * another one is in the queue, and is cancelled.
 */
static void test_refused(void)
{
	struct submission s;
	struct libra_host_placement p = {0};
	struct libra_host_job job = {.user = 5, .comment = s.record};

	begin();
	for (job.job_id = 11; job.job_id <= 13; job.job_id++) {
		gone = false;
		s = elsewhere(5, 8);
		ok(s.offered, "a job is offered all there is");
		job.look_only = true;
		libra_host_place(host, &job, &p);
		free(p.record.comment);
		gone = true;
		now_s += 2;
		libra_host_look(host);
	}
	ok(strcmp(said, "offer 3 to user 5 dropped: Slurm refused job 13") == 0,
	   "jobs that are gone at once are told");
	ok(!elsewhere(5, 8).offered, "three of them are left");
	begin();
	for (job.job_id = 21; job.job_id <= 24; job.job_id++) {
		gone = false;
		s = elsewhere(5, 8);
		job.look_only = false;
		libra_host_place(host, &job, &p);
		free(p.record.comment);
		gone = true;
		now_s += 2;
		libra_host_look(host);
	}
	ok(elsewhere(5, 8).offered, "who cancels his jobs has left none");
	free(p.parts);
}

/* Who has a job after a restart is known, though he submitted none since. */
static void test_restored(void)
{
	struct submission s, last;
	struct libra_host_placement p = {0};
	struct libra_host_job job = {
		.job_id = 31, .user = 9, .comment = s.record};

	begin();
	s = elsewhere(9, 8);
	libra_host_place(host, &job, &p);
	snprintf(s.record, sizeof(s.record), "%s", p.record.comment);
	free(p.record.comment);
	p.record.comment = NULL;
	begin();
	libra_host_restore(host, &job, &p);
	free(p.record.comment);
	p.record.comment = NULL;
	libra_host_started(host, &job, &p);
	free(p.record.comment);
	free(p.parts);
	libra_host_ended(host, 31);
	for (uint32_t user = 1; user <= 3; user++)
		ok(elsewhere(user, 8).offered, "three leave an offer");
	last = elsewhere(4, 8);
	ok(!last.offered, "the next one is offered nothing");
	ok(elsewhere(9, 8).offered, "who had a job before the restart is");
}

/* So many at one time, in threads that go on: not more of one user; others'
 * are not counted.
 */
enum { OPEN = 16, CROWD = 40 };

struct crowd {
	struct submission slow[CROWD];
	pthread_t thread[CROWD];
	uint32_t n;
};

/* So many, each of its own user, or all of the first. */
static void open_all(struct crowd *c, uint32_t n, bool one_user)
{
	c->n = n;
	begin();
	pthread_barrier_init(&submitted, NULL, 2);
	pthread_mutex_lock(&gate);
	for (uint32_t i = 0; i < n; i++) {
		c->slow[i] = of(one_user ? 1 : 1 + i, 1);
		c->slow[i].estimate_s = 10;
		pthread_create(&c->thread[i], NULL, submit_and_wait,
			       &c->slow[i]);
		pthread_barrier_wait(&submitted);
	}
}

static void end_all(struct crowd *c)
{
	pthread_mutex_unlock(&gate);
	for (uint32_t i = 0; i < c->n; i++)
		join(c->thread[i], &c->slow[i]);
	pthread_barrier_destroy(&submitted);
}

static struct submission one_more(uint32_t user)
{
	struct submission s = of(user, 1);

	s.estimate_s = 10;
	submit(&s);
	return s;
}

static void test_many_open(void)
{
	struct submission last;
	struct crowd c;

	open_all(&c, OPEN, true);
	ok(c.slow[OPEN - 1].offered, "sixteen at one time are offered");
	ok(one_more(2).offered, "another user is, too");
	last = one_more(1);
	ok(last.answer == LIBRA_HOST_ACCEPTED && !last.offered,
	   "the seventeenth is not");
	end_all(&c);
}

static uint32_t offers(void)
{
	struct libra_host_counts counts;

	libra_host_counts(host, &counts);
	return (uint32_t)counts.offers;
}

/* How many threads were asked about, and each once. */
static int asked_about(void)
{
	for (int i = 0; i < asked.n; i++)
		for (int k = 0; k < i; k++)
			if (asked.threads[k] == asked.threads[i])
				return -1;
	return asked.n;
}

/* What is asked of the kernel does not grow with what is open. */
static void test_few_questions(void)
{
	struct crowd c;

	open_all(&c, CROWD, false);
	asked.n = 0;
	libra_host_look(host);
	ok(asked_about() == CROWD, "a look asks of all forty threads");
	asked.n = 0;
	one_more(100);
	ok(asked_about() == 16, "a submission of sixteen");
	one_more(100);
	ok(asked_about() == 32, "the next one of others");
	end_all(&c);
	ok(offers() == CROWD + 1, "all have ended: their offers are open");
	here(101, 1); /* the one before was of this thread, too */
	ok(offers() == CROWD - 16, "a submission drops sixteen");
	libra_host_look(host);
	ok(offers() == 0, "a look drops all others");
}

/* Jobs came for all that a user had, and others' submissions wait. */
static void test_crowd_of_others(void)
{
	struct submission brief = of(100, 1);
	struct crowd c;
	int n = 0;

	open_all(&c, CROWD, false);
	brief.estimate_s = 10;
	all_from = CROWD + 1;
	for (int i = 0; i < 60; i++)
		n += in_thread(brief).offered;
	ok(n == 60, "who submits beside a crowd is offered as much as alone");
	end_all(&c);
}

/* The tasks of an array came in one thread. */
static void test_array_is_one_question(void)
{
	struct submission s = of(1, 1);

	begin();
	s.array = "1-5";
	s.estimate_s = 10;
	s = in_thread(s);
	ok(s.offered && offers() == 5, "five tasks are offered");
	asked.n = 0;
	libra_host_look(host);
	ok(asked.n == 1 && offers() == 0, "one question drops them");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_over();
	test_claimed();
	test_settled_record();
	test_in_flight();
	test_trust();
	test_crowd();
	test_refused();
	test_restored();
	test_many_open();
	test_few_questions();
	test_crowd_of_others();
	test_array_is_one_question();
	libra_host_destroy(host);
	return finish();
}
