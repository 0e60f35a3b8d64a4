/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold.c - two jobs on the same CPUs of which one is held: how well.
 *
 *   hold SECONDS CPU CPU
 *
 * Holds by extremes of weight, as spank_libra.so does, or by SIGSTOP, and
 * prints a line for each experiment: what each job got done, beside what one
 * gets done alone (rounds of work, in percent), and how soon the held one goes
 * on once the other is gone, with and without an event that renews or resumes.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "plugin/spank/cgroup.h"
#include "tests/enforce/coupled.h"

enum { MOST_PARTS = 2, JOBS = 2 };
enum how { ALONE, EQUAL, WEIGHTS, SIGNALS };

static const char *const how_names[] = {"alone", "equal", "weights", "signals"};
static const char *const groups[] = {"libra-hold/first", "libra-hold/second"};

/* What parts of a job do. */
struct work {
	const char *name;
	unsigned nparts;
	double quantum_s[MOST_PARTS];
	bool spin;
	int cpu;		 /* of the first part */
	const struct work *held; /* what the other one does, if not the same */
};

struct job {
	struct meeting meeting;
	atomic_uint rounds; /* of the first part */
};

static struct libra_cgroup cg;
static int cpus[MOST_PARTS];
static struct job *jobs;
static pid_t pids[JOBS][MOST_PARTS];

static void fail(const char *what)
{
	fprintf(stderr, "hold: %s\n", what);
	exit(1);
}

static void part_of(struct job *job, const struct work *w, unsigned part)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpus[w->cpu + (int)part], &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		_exit(1);
	for (;;) {
		burn(w->quantum_s[part]);
		if (w->nparts > 1)
			meet(&job->meeting, w->nparts, w->spin);
		if (part == 0)
			atomic_fetch_add(&job->rounds, 1);
	}
}

static void start(int j, const struct work *w)
{
	memset(&jobs[j], 0, sizeof(jobs[j]));
	for (unsigned p = 0; p < w->nparts; p++) {
		pids[j][p] = fork();
		if (pids[j][p] < 0)
			fail("cannot fork");
		if (pids[j][p] > 0)
			continue;
		if (libra_cgroup_enter(&cg, groups[j], 0, NULL) < 0)
			_exit(1);
		part_of(&jobs[j], w, p);
	}
}

static void signal_all(int j, const struct work *w, int sig)
{
	for (unsigned p = 0; p < w->nparts; p++)
		kill(pids[j][p], sig);
}

static void end(int j, const struct work *w)
{
	signal_all(j, w, SIGKILL);
	for (unsigned p = 0; p < w->nparts; p++)
		waitpid(pids[j][p], NULL, 0);
}

static void weigh(int j, uint32_t weight)
{
	if (libra_cgroup_set_weight(&cg, groups[j], weight, NULL) < 0)
		fail("cannot set a weight");
}

/* The second is held, the first runs. */
static void hold(enum how how, const struct work *w, const struct work *held)
{
	weigh(0, how == WEIGHTS ? cg.most * w->nparts : cg.most);
	weigh(1, how == WEIGHTS ? cg.least + 1 : cg.most);
	if (how == SIGNALS)
		signal_all(1, held, SIGSTOP);
}

static void pause_s(double seconds)
{
	struct timespec ts = {
		(time_t)seconds,
		(long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&ts, NULL);
}

/* Until the held one has used a few ms more; -1 if not within 2 s. */
static double goes_on_ms(void)
{
	double begin_s = clock_s(CLOCK_MONOTONIC), used_s;
	clockid_t id;

	if (clock_getcpuclockid(pids[1][0], &id) != 0)
		fail("cannot read a clock");
	used_s = clock_s(id);
	while (clock_s(CLOCK_MONOTONIC) < begin_s + 2) {
		if (clock_s(id) > used_s + 0.005)
			return (clock_s(CLOCK_MONOTONIC) - begin_s) * 1e3;
		pause_s(0.0005);
	}
	return -1;
}

static void resume(enum how how, const struct work *w)
{
	if (how == WEIGHTS)
		weigh(1, cg.most * w->nparts);
	if (how == SIGNALS)
		signal_all(1, w, SIGCONT);
}

static double try(const struct work *w, enum how how, double seconds,
		  double alone)
{
	const struct work *held = w->held ? w->held : w;
	double rounds[JOBS], without, with;

	start(0, w);
	if (how != ALONE)
		start(1, held);
	hold(how, w, held);
	pause_s(0.3);
	for (int j = 0; j < JOBS; j++)
		rounds[j] = atomic_load(&jobs[j].rounds);
	pause_s(seconds);
	for (int j = 0; j < JOBS; j++)
		rounds[j] =
			(atomic_load(&jobs[j].rounds) - rounds[j]) / seconds;
	end(0, w);
	if (how == ALONE) {
		printf("%-10s %-8s %7.2f rounds a second\n", w->name,
		       how_names[how], rounds[0]);
		return rounds[0];
	}
	without = goes_on_ms();
	resume(how, held);
	with = goes_on_ms();
	end(1, held);
	printf("%-10s %-8s %6.2f %% %6.2f %% %7.1f ms %7.1f ms\n", w->name,
	       how_names[how], 100 * rounds[0] / alone, 100 * rounds[1] / alone,
	       without, with);
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct work one = {"one", 1, {.05}, false, 1, NULL};
	static const struct work works[] = {
		{"busy", 1, {.01}, false, 0, NULL},
		{"pair-50", 2, {.05, .05}, false, 0, NULL},
		{"pair-5", 2, {.005, .005}, false, 0, NULL},
		{"pair-1", 2, {.001, .001}, false, 0, NULL},
		{"uneven-50", 2, {.05, .025}, false, 0, NULL},
		{"uneven+one", 2, {.05, .025}, false, 0, &one},
		{"spin-50", 2, {.05, .05}, true, 0, NULL},
		{"spin-1", 2, {.001, .001}, true, 0, NULL},
	};
	double seconds = argc == 4 ? atof(argv[1]) : 0, alone;

	if (seconds <= 0) {
		fputs("Usage: hold SECONDS CPU CPU\n", stderr);
		return 2;
	}
	cpus[0] = atoi(argv[2]);
	cpus[1] = atoi(argv[3]);
	jobs = mmap(NULL, sizeof(*jobs) * JOBS, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (jobs == MAP_FAILED ||
	    libra_cgroup_open(&cg, "/sys/fs/cgroup", NULL) < 0 ||
	    libra_cgroup_make(&cg, groups[0], NULL) < 0 ||
	    libra_cgroup_make(&cg, groups[1], NULL) < 0 ||
	    libra_cgroup_set_weight(&cg, "libra-hold", cg.greatest, NULL) < 0)
		fail("cannot make cgroups");
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# work, how: done by the runner, by the held one; it goes on "
	       "without an event, with one\n");
	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++) {
		alone = try(&works[i], ALONE, seconds, 0);
		for (int how = EQUAL; how <= SIGNALS; how++)
			try(&works[i], (enum how)how, seconds, alone);
	}
	libra_cgroup_remove(&cg, groups[0], NULL);
	libra_cgroup_remove(&cg, groups[1], NULL);
	libra_cgroup_remove(&cg, "libra-hold", NULL);
	return 0;
}
