/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_arrays.c - plans for the tasks of an array: their starts, its record,
 * and its begin time.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

static void test_array(void)
{
	struct libra_host_request r;
	struct libra_host_job job = {.job_id = 1, .waiting = 3};

	begin("", true);
	r = asking(10, 7200, 4);
	r.array = "0-2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "3 tasks, each 4 nodes"),
	   "an array has a plan for each task");
	job.comment = records[1];
	libra_host_place(host, &job, &placement);
	if (placement.record.comment)
		keep(1, &placement.record);
	free(placement.record.comment);
	ok(strstr(records[1], " start=1000000000;1000000600;1000001200 ") !=
		   NULL,
	   "its record names them all");
	records[2] = strdup(records[1]);
	minutes[2] = 10;
	job = (struct libra_host_job){.job_id = 2,
				      .comment = records[2],
				      .start_s = now_s,
				      .minutes = 10};
	libra_host_started(host, &job, &placement);
	free(placement.record.comment);
	flush();
	ok(strstr(records[1], " start=1000000600;1000001200 ") &&
		   fabs(starts[1] - (T0 + 600)) < 1,
	   "when one has started, those of the others");
}

/* One task takes what is held back, and begins before the first. */
static void test_array_begins(void)
{
	struct libra_host_request r = asking(9, 1260, 1);

	begin("libra_hold_back=25", true);
	run(9, 10, 0, 1);
	run(8, 2, 2, 2);
	r.array = "0-4";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(records[1], ";1000000660;1000000000 "),
	   "of five tasks the last begins first");
	ok(fabs(starts[1] - T0) < 1, "the job begins at the earliest start");
	ok(strstr(reply_text, "start 01:46:40 (01:58:40 at") != NULL,
	   "the user reads that one, and the latest of all");
	begin("libra_hard_starts=1", true);
	r = asking(10, 7200, 4);
	r.array = "0-2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED &&
		   strstr(reply_text, "start 01:46:40 (02:06:40 at"),
	   "where no start moves, the latest is that of the last task");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	host = libra_host_create();
	if (!host)
		return 1;
	now_s = T0;
	test_array();
	test_array_begins();
	return finish_plans();
}
