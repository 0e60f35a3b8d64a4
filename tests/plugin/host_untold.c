/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_untold.c - jobs without a promise that start, or lose nodes, when there
 * is no memory to tell the plans of them: nothing is promised until they have
 * been told again.  Speaks TAP.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/own_memory.h"
#include "tests/plugin/plans.h"

enum { RUNS = 20 };

/* A job of all nodes, of which select could not say more. */
static void run_untold(void)
{
	const struct libra_host_job job = {.job_id = RUNS,
					   .minutes = 60,
					   .start_s = now_s,
					   .unreported = true};
	struct libra_host_placement p = {0};

	minutes[RUNS] = 60;
	libra_host_started(host, &job, &p);
	free(p.parts);
}

/* Result: false where memory is out. */
static bool answers(double within_s)
{
	const struct libra_host_request r = asking(10, within_s, 4);
	struct libra_host_reply reply;
	int rc = libra_host_submit(host, &r, &reply);

	if (rc == 0)
		libra_host_reply_fini(&reply);
	return rc == 0 || errno != ENOMEM;
}

static void test_untold(void)
{
	enum libra_host_place was;

	begin("", false);
	ok(submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED, "one has a promise");
	now_s += 61; /* its offer is over */
	libra_host_look(host);
	*heard = '\0';
	run_untold();
	ok(hear("job 20: the plans do not count it: out of memory"),
	   "that there is no memory for a job is told");
	*heard = '\0';
	run_untold();
	ok(!hear("the plans do not count it"), "once");
	ok(!answers(36000), "nothing is promised then");
	was = place(1);
	ok(was == LIBRA_PLACE_WAIT && !hear("promise lost"),
	   "a job that asks again keeps its promise, and waits");
	ok(libra_host_must_report(host) && !libra_host_must_report(host),
	   "it is asked once whether all are told again");
	run(RUNS, 60, 0, 3);
	ok(!libra_host_must_report(host), "then all are known");
	now_s += 2;
	ok(place(1) == LIBRA_PLACE_WAIT && hear("job 1: promised again"),
	   "then it is promised a start again");
	ok(submit(3, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 61 + 3600)) < 1,
	   "others are, behind the job");
	ok(answers(36000), "as ever");
}

/* Each allocation fails in turn: it is counted, or is to be told again. */
static void test_each(void)
{
	bool good = true, untold;
	long n = 0;

	for (failed = true; failed; n++) {
		begin("", false);
		failed = false;
		countdown = n;
		run(RUNS, 60, 0, 3);
		countdown = -1;
		untold = libra_host_must_report(host);
		good = good && (failed || !untold);
		if (untold)
			run(RUNS, 60, 0, 3);
		good = good && submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		       fabs(reply_start_s - (T0 + 3600)) < 1;
	}
	printf("# %ld allocations\n", n - 1);
	ok(good && n > 3, "whichever fails, plans count it in the end");
}

/* Each allocation fails in turn, while a job whose offer is over asks again. */
static void test_asks_again(void)
{
	enum libra_host_place was;
	bool good = true;
	long n = 0;

	excluded = "z";
	for (failed = true; failed; n++) {
		begin("", false);
		good = good && submit(1, 10, 36000, 4) == LIBRA_HOST_ACCEPTED;
		now_s += 61;
		libra_host_look(host);
		*heard = '\0';
		failed = false;
		countdown = n;
		was = place(1);
		countdown = -1;
		good = good && was != LIBRA_PLACE_LOST && !hear("lost");
		now_s += 1;
		was = place(1);
		good = good &&
		       (was == LIBRA_PLACE_HERE || was == LIBRA_PLACE_WAIT) &&
		       hear("job 1: promised again");
	}
	printf("# %ld allocations\n", n - 1);
	ok(good && n > 3, "whichever fails, the job keeps its promise");
	excluded = NULL;
}

/* Each allocation fails in turn, while a job that excludes node 0 is restored:
 * it is never planned there.
 */
static void test_restored(void)
{
	struct libra_host_request r;
	enum libra_host_place was;
	bool good = true;
	long n = 0;

	excluded = "0";
	for (failed = true; failed; n++) {
		begin("", false);
		r = asking(10, 36000, 1);
		r.nodes.exclude = excluded;
		good = good && ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		       place(1) == LIBRA_PLACE_HERE;
		set_cluster("libra_offer_ttl=61", false); /* another engine */
		failed = false;
		countdown = n;
		restore_job(&(struct libra_host_job){.job_id = 1,
						     .comment = records[1],
						     .nodes.exclude = "0"});
		countdown = -1;
		now_s += 2;
		was = place(1);
		good = good && was == LIBRA_PLACE_HERE &&
		       placement.nparts == 1 && placement.parts[0].node != 0;
	}
	printf("# %ld allocations\n", n - 1);
	ok(good && n > 3, "whichever fails, the job keeps to its nodes");
	excluded = NULL;
}

/* One that has less is told when there is memory for that. */
static void test_smaller(void)
{
	struct libra_host_part parts[NODES];
	struct libra_host_job job;

	begin("", false);
	run(RUNS, 60, 0, 3);
	job = (struct libra_host_job){.job_id = RUNS, .unreported = true};
	smaller = &job;
	libra_host_resized(host, RUNS);
	now_s += 2;
	ok(submit(1, 10, 1800, 2) == LIBRA_HOST_REFUSED,
	   "without memory it keeps what it had");
	job = ordinary(RUNS, 60, parts, 0, 1);
	now_s += 2;
	ok(submit(1, 10, 1800, 2) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - now_s) < 1,
	   "and what it has given back is promised at the next look");
	smaller = NULL;
}

int main(void)
{
	if (!memory_may_fail())
		return 0;
	host = libra_host_create();
	if (!host)
		return 1;
	test_untold();
	test_each();
	test_asks_again();
	test_restored();
	test_smaller();
	return finish_plans();
}
