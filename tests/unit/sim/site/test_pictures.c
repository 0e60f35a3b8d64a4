/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pictures.c - jobs from three kinds of files, and their pictures. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/site/gantt.h"
#include "sim/site/measure.h"
#include "sim/site/pictures.h"
#include "tests/unit/test.h"

static char path[] = "/tmp/libra-pictures-XXXXXX";
static char *const paths = path;

static void write_file(const char *text)
{
	FILE *fp = fopen(path, "w");

	assert_non_null(fp);
	fputs(text, fp);
	assert_int_equal(fclose(fp), 0);
}

/* ---- sources ---- */

#define HEADING "job,submit_s,procs,start_s,finish_s,fulfilled,policy\n"

/* From 10 to 20 the first two run together, on five processors; the third was
 * refused; the fourth is of another policy.
 */
static void a_jobs_table_has_those_that_started(void **state)
{
	struct site_jobs jobs;

	write_file(HEADING "1,0,2,0,20,1,libra\n2,5,3,10,30,0,libra\n"
			   "3,6,4,,,0,libra\n1,0,2,0,20,1,band\n");
	assert_int_equal(site_source(path), SITE_TABLE);
	assert_int_equal(site_jobs_of_table(&jobs, path, 0, NULL), 0);
	assert_int_equal(jobs.n, 2);
	assert_int_equal(jobs.procs, 5);
	assert_false(jobs.users);
	assert_true(jobs.promises);
	assert_int_equal(jobs.list[0].promise, SITE_KEPT);
	assert_int_equal(jobs.list[1].promise, SITE_LATE);
	assert_near(jobs.list[1].submit_s, 5, 0);
	assert_near(jobs.list[1].start_s, 10, 0);
	assert_near(jobs.list[1].end_s, 30, 0);
	site_jobs_fini(&jobs);
	assert_int_equal(site_jobs_of_table(&jobs, path, 8, NULL), 0);
	assert_int_equal(jobs.procs, 8);
	site_jobs_fini(&jobs);
	write_file(HEADING "3,6,4,,,0,libra\n");
	assert_int_equal(site_jobs_of_table(&jobs, path, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

#define RUN(at, epoch)                                                         \
	"{\"call\":\"engine\",\"now_s\":" #at                                  \
	",\"version\":1,\"epoch\":" #epoch                                     \
	",\"policy\":\"libra\",\"params\":{},\"nodes\":[[\"a\",2],[\"b\",4]]}\n"
#define OFFER(at, ticket, deadline, places)                                    \
	"{\"call\":\"offer\",\"now_s\":" #at ",\"submit_s\":" #at              \
	",\"estimate_s\":10,\"deadline_s\":" #deadline                         \
	",\"nprocs\":2,\"user\":7,\"answer\":\"accept\",\"ticket\":" #ticket   \
	",\"placement\":" places "}\n"
#define CALL(call, at, ticket, more)                                           \
	"{\"call\":\"" call "\",\"now_s\":" #at ",\"ticket\":" #ticket more    \
	",\"rc\":0}\n"

/* Ticket 1 ends in time; 2 too late, by its modified deadline; 3 is refused a
 * start (withdrawn); 4 runs through a restart of slurmctld, as ticket 1 there,
 * and is still running; 5 has no deadline.
 */
static void a_decision_log_has_promises_and_places(void **state)
{
	struct site_jobs jobs;
	const struct site_job *j;

	write_file(
		RUN(100, 7) OFFER(100, 1, 130, "[[0,1],[2,1]]") CALL(
			"commit", 101, 1,
			",\"id\":11") CALL("started", 102, 1,
					   "") OFFER(103, 2, 150,
						     "[[4,2]]") CALL("commit",
								     103, 2,
								     ",\"id\":12")
			CALL("started", 104, 2, "") CALL(
				"modify", 105, 2,
				",\"deadline_s\":"
				"110") "{\"call\":\"offer\",\"now_s\":105,\"answer\":\"reject\"}\n"
				       "{\"action\":\"reshare\",\"ticket\":1,\"share\":0.5}\n" OFFER(
					       106, 3, 150,
					       "[[0,2]]") CALL("withdraw", 107,
							       3,
							       "") OFFER(107, 4,
									 200,
									 "[[1,1]]")
					       CALL("commit", 107, 4, ",\"id\":14") CALL(
						       "started", 108, 4,
						       "") CALL("departed", 120,
								1,
								"") CALL("departed",
									 121, 2,
									 "")
						       RUN(125,
							   8) "{\"call\":\"restore\",\"now_s\":125,\"submit_s\":107,"
							      "\"estimate_s\":10,\"deadline_s\":200,\"nprocs\":2,\"user\":7,"
							      "\"id\":14,\"running\":true,\"parts\":[[1,1,5]],\"rc\":0,"
							      "\"ticket\":1}\n" OFFER(
								      130, 2,
								      null,
								      "[[0,1]]")
								      CALL("started",
									   131,
									   2,
									   "")
									      CALL("departed",
										   140,
										   2,
										   ""));
	assert_int_equal(site_source(path), SITE_DECISIONS);
	assert_int_equal(site_jobs_of_decisions(&jobs, &paths, 1, NULL), 0);
	assert_int_equal(jobs.procs, 6);
	assert_true(jobs.users);
	assert_int_equal(jobs.n, 4);
	j = jobs.list;
	assert_near(j[0].start_s, 102, 0);
	assert_near(j[0].end_s, 120, 0);
	assert_int_equal(j[0].promise, SITE_KEPT);
	assert_int_equal(j[0].user, 1);
	assert_int_equal(j[0].nranges, 2);
	assert_int_equal(jobs.ranges[j[0].first_range + 1].first, 2);
	assert_near(j[1].end_s, 121, 0);
	assert_int_equal(j[1].promise, SITE_LATE);
	assert_near(j[2].start_s, 131, 0);
	assert_int_equal(j[2].promise, SITE_NO_PROMISE);
	assert_near(j[3].start_s, 108, 0);
	assert_near(j[3].end_s, 140, 0);
	assert_int_equal(j[3].promise, SITE_OPEN);
	site_jobs_fini(&jobs);
}

static void a_damaged_decision_log_is_named(void **state)
{
	struct libra_error err = {""};
	struct site_jobs jobs;

	write_file(RUN(100, 7) "{\"call\":\n");
	assert_int_equal(site_jobs_of_decisions(&jobs, &paths, 1, &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(err.text, ":2: damaged"));
	write_file(RUN(100, 7));
	err.text[0] = '\0';
	assert_int_equal(site_jobs_of_decisions(&jobs, &paths, 1, &err), -1);
	assert_non_null(strstr(err.text, "no job of it started"));
	write_file("; MaxProcs: 4\n");
	assert_int_equal(site_source(path), SITE_LOG);
	assert_int_equal(site_source("-"), SITE_LOG);
	assert_int_equal(site_source("/nonexistent"), SITE_LOG);
}

/* ---- pictures ---- */

static struct swf_record records[] = {
	{.submit_s = 0, .wait_s = 0, .run_s = 100, .alloc_procs = 4, .user = 7},
	{.submit_s = 50,
	 .wait_s = 50,
	 .run_s = 100,
	 .alloc_procs = 2,
	 .user = 8},
};
static struct swf_trace trace = {
	.name = "two", .records = records, .nrecords = 2, .max_procs = 4};

static void check_sizes(uint32_t procs, const char *a, const char *b,
			const char *c, const char *d)
{
	const char *const want[SITE_SIZES] = {a, b, c, d};
	struct site_sizes sizes;

	site_sizes_init(&sizes, procs);
	for (size_t i = 0; i < SITE_SIZES; i++) {
		assert_string_equal(sizes.names[i], want[i]);
		assert_int_equal(site_size(&sizes, sizes.most[i]), i);
	}
	assert_int_equal(site_size(&sizes, sizes.most[2] + 1), 3);
}

static void classes_of_sizes_are_of_the_machine(void **state)
{
	check_sizes(1, "1", "2", "3", "4+");
	check_sizes(4, "1", "2", "3-4", "5+");
	check_sizes(256, "1-4", "5-16", "17-64", "65+");
	check_sizes(93312, "1-16", "17-256", "257-4096", "4097+");
	check_sizes(INT32_MAX, "1-256", "257-32768", "32769-8388608",
		    "8388609+");
}

/* Two jobs on four processors, 200 s; 120 points are the first half. */
static void pictures_are_those_worked_out(void **state)
{
	struct picture *p = malloc(sizeof(*p));
	struct site_jobs jobs;

	assert_int_equal(site_jobs_of_log(&jobs, &trace, 0, NULL), 0);
	assert_int_equal(picture_make(p, PICTURE_USAGE, &jobs, NAN, NAN, NULL),
			 0);
	assert_near(p->y[0][0], 100, 1e-9);
	assert_near(p->y[0][119], 100, 1e-9);
	assert_near(p->y[0][120], 50, 1e-9);
	assert_near(p->y[0][239], 50, 1e-9);
	assert_int_equal(picture_make(p, PICTURE_QUEUE, &jobs, NAN, NAN, NULL),
			 0);
	assert_near(p->y[0][59], 0, 1e-9);
	assert_near(p->y[0][60], 1, 1e-9);
	assert_near(p->y[0][120], 0, 1e-9);
	assert_int_equal(picture_make(p, PICTURE_WAITS, &jobs, NAN, NAN, NULL),
			 0);
	assert_int_equal(p->plot.nticks, 2);
	assert_string_equal(p->ticks[0].name, "2");
	assert_string_equal(p->ticks[1].name, "3-4");
	assert_near(p->y[0][0], 50.0 / 60, 1e-9);
	assert_near(p->y[0][1], 1.0 / 60, 1e-9);
	/* The slowdown of 2 processors is 1.5, of 3 to 4 it is 1. */
	assert_int_equal(
		picture_make(p, PICTURE_SLOWDOWN, &jobs, NAN, NAN, NULL), 0);
	assert_int_equal(p->plot.nseries, 2);
	assert_string_equal(p->names[0], "2 processors");
	assert_string_equal(p->names[1], "3-4 processors");
	assert_near(p->y[0][0], 1.5, 1e-9);
	assert_near(p->y[1][239], 1, 1e-9);
	/* User 7 has had 400 processor seconds, 8 has had 200. */
	assert_int_equal(picture_make(p, PICTURE_USERS, &jobs, NAN, NAN, NULL),
			 0);
	assert_int_equal(p->plot.nseries, 2);
	assert_string_equal(p->names[0], "user 7");
	assert_near(p->y[0][10], 100, 1e-9);
	assert_near(p->y[1][10], 100, 1e-9);
	assert_near(p->y[0][130], 0, 1e-9);
	assert_near(p->y[1][130], 50, 1e-9);
	/* Another part of the time. */
	assert_int_equal(picture_make(p, PICTURE_USAGE, &jobs, 100, 200, NULL),
			 0);
	assert_near(p->y[0][0], 50, 1e-9);
	assert_int_equal(picture_make(p, PICTURE_USAGE, &jobs, 500, 600, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	site_jobs_fini(&jobs);
	free(p);
}

/* The points are as many for any number of jobs; nine users are seven and the
 * others.
 */
static void any_number_of_jobs_makes_the_same_number_of_points(void **state)
{
	enum { N = 100000 };
	struct swf_record *r = calloc(N, sizeof(*r));
	struct swf_trace t = {
		.name = "many", .records = r, .nrecords = N, .max_procs = 64};
	struct picture *p = malloc(sizeof(*p));
	struct gantt g = {.from_s = NAN, .to_s = NAN, .colour = GANTT_USER};
	struct site_jobs jobs;
	char *svg = NULL;
	size_t size;
	FILE *fp = open_memstream(&svg, &size);

	for (size_t i = 0; i < N; i++)
		r[i] = (struct swf_record){.submit_s = 10.0 * (double)i,
					   .wait_s = (double)(i % 100),
					   .run_s = 100,
					   .alloc_procs = 1 + (int)(i % 7),
					   .user = (int)(i % 9)};
	assert_int_equal(site_jobs_of_log(&jobs, &t, 0, NULL), 0);
	g.jobs = &jobs;
	assert_int_equal(gantt_svg(&g, fp, NULL), 0);
	assert_int_equal(fclose(fp), 0);
	assert_true(size < 1000000);
	assert_non_null(strstr(svg, ">others<"));
	for (int k = PICTURE_USAGE; picture_name(k); k++) {
		assert_int_equal(picture_find(picture_name(k)), k);
		assert_int_equal(picture_make(p, k, &jobs, NAN, NAN, NULL), 0);
		for (size_t i = 0; i < p->plot.nseries; i++)
			assert_true(p->series[i].n <= PICTURE_POINTS);
	}
	assert_int_equal(p->plot.nseries, 8);
	assert_string_equal(p->names[7], "others");
	site_jobs_fini(&jobs);
	free(svg);
	free(p);
	free(r);
}

/* Six processors, one a row: those of the job are 0, 4 and 5. */
static void a_gantt_chart_shows_where_jobs_ran(void **state)
{
	struct libra_range ranges[] = {{0, 1}, {4, 2}};
	struct site_job job = {.submit_s = 0,
			       .start_s = 0,
			       .end_s = 10,
			       .procs = 3,
			       .user = 1,
			       .promise = SITE_LATE,
			       .nranges = 2};
	struct site_jobs jobs = {.list = &job,
				 .n = 1,
				 .procs = 6,
				 .users = true,
				 .promises = true,
				 .placed = true,
				 .dated = true,
				 .ranges = ranges,
				 .nranges = 2,
				 .name = (char *)"<six>"};
	struct gantt g = {.jobs = &jobs,
			  .from_s = NAN,
			  .to_s = 20,
			  .colour = GANTT_PROMISE};
	char *svg = NULL;
	size_t size;
	FILE *fp = open_memstream(&svg, &size);

	assert_int_equal(gantt_svg(&g, fp, NULL), 0);
	assert_int_equal(fclose(fp), 0);
	assert_non_null(strstr(svg, "d=\"M100.00 322h450.00v50h-450.00z"
				    "M100.00 72h450.00v100h-450.00z\""));
	assert_non_null(strstr(svg, ">promise late<"));
	assert_non_null(strstr(svg, ">00:00:10<"));
	assert_non_null(strstr(svg, ">time (UTC), from 1 Jan 1970<"));
	assert_non_null(strstr(svg, "&lt;six&gt;"));
	free(svg);
	jobs.promises = jobs.users = false;
	assert_int_equal(gantt_svg(&g, stderr, NULL), -1);
	g.colour = GANTT_USER;
	assert_int_equal(gantt_svg(&g, stderr, NULL), -1);
	assert_int_equal(errno, EINVAL);
}

/* Two processors, 150 high each.  The first job has both; the second shares one
 * of them, from 10 to 20; the third comes when both have gone.
 */
static void jobs_that_share_a_processor_share_its_row(void **state)
{
	struct libra_range ranges[] = {{0, 2}, {1, 1}, {1, 1}};
	struct site_job list[] = {
		{.end_s = 20, .procs = 2, .nranges = 1},
		{.start_s = 10,
		 .end_s = 30,
		 .procs = 1,
		 .first_range = 1,
		 .nranges = 1},
		{.start_s = 30,
		 .end_s = 40,
		 .procs = 1,
		 .first_range = 2,
		 .nranges = 1},
	};
	struct site_jobs jobs = {.list = list,
				 .n = 3,
				 .procs = 2,
				 .placed = true,
				 .ranges = ranges,
				 .nranges = 3,
				 .name = (char *)"two"};
	struct gantt g = {.jobs = &jobs,
			  .from_s = NAN,
			  .to_s = NAN,
			  .colour = GANTT_SIZE};
	char *svg = NULL;
	size_t size;
	FILE *fp = open_memstream(&svg, &size);

	assert_int_equal(gantt_svg(&g, fp, NULL), 0);
	assert_int_equal(fclose(fp), 0);
	assert_non_null(strstr(svg, "d=\"M100.00 222h450.00v150h-450.00z"
				    "M100.00 147h450.00v75h-450.00z\""));
	assert_non_null(strstr(svg, "d=\"M325.00 72h450.00v75h-450.00z\""));
	assert_non_null(strstr(svg, "d=\"M775.00 72h225.00v150h-225.00z\""));
	assert_non_null(strstr(svg, ">Jobs that shared a processor share"));
	free(svg);
}

/* Names of the ticks and the title, in one line. */
static const char *axis_text(double from_s, double to_s, double unix_start,
			     size_t at_most)
{
	static char text[400];
	struct axis_time t = {from_s, to_s, unix_start > 0, unix_start};
	struct axis a;
	size_t n = 0;

	axis_of_time(&a, &t, at_most);
	for (size_t i = 0; i < a.n; i++) {
		assert_true(a.ticks[i].at >= from_s && a.ticks[i].at <= to_s);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s, ",
				      a.ticks[i].name);
	}
	snprintf(text + n, sizeof(text) - n, "%s", a.title);
	return text;
}

/* 845,478,000 is 16 October 1996, 15:00. */
static void ticks_are_round(void **state)
{
	struct axis a;

	assert_string_equal(axis_text(0, 200, 0, 5),
			    "0, 1, 2, 3, minutes since the log began");
	assert_string_equal(axis_text(1800, 4 * 3600, 0, 5),
			    "1, 2, 3, 4, hours since the log began");
	assert_string_equal(axis_text(86400, 86400 * 9, 0, 5),
			    "2, 4, 6, 8, days since the log began");
	assert_string_equal(axis_text(0, 86400 * 1000.0, 0, 5),
			    "0, 200, 400, 600, 800, 1000, days since the log "
			    "began");
	assert_string_equal(axis_text(0, 86400, 845478000, 5),
			    "18:00, 17 Oct, 06:00, 12:00, time (UTC), from 16 "
			    "Oct 1996");
	assert_string_equal(axis_text(100, 86400 * 4, 845478000, 5),
			    "17 Oct, 18 Oct, 19 Oct, 20 Oct, day (UTC), from "
			    "16 Oct 1996");
	/* Mondays */
	assert_string_equal(axis_text(0, 86400 * 28, 845478000, 5),
			    "21 Oct, 28 Oct, 4 Nov, 11 Nov, day (UTC), from 16 "
			    "Oct 1996");
	assert_string_equal(
		axis_text(0, 86400 * 300.0, 845478000, 5),
		"Nov 1996, Jan 1997, Mar 1997, May 1997, Jul 1997, month");
	assert_string_equal(axis_text(0, 86400 * 365.0 * 12, 845478000, 6),
			    "1998, 2000, 2002, 2004, 2006, 2008, year");
	axis_of_numbers(&a, 93312, 5);
	assert_int_equal(a.n, 5);
	assert_string_equal(a.names[4], "80000");
	axis_of_numbers(&a, 1, 5);
	assert_int_equal(a.n, 2);
}

static void durations_are_those_that_people_write(void **state)
{
	static const struct {
		double s;
		const char *text;
	} rows[] = {{0.2, "0 s"},
		    {119, "119 s"},
		    {1200, "20 min"},
		    {7500, "2 h 5 min"},
		    {4 * 86400 + 7200, "4 d 2 h"}};
	char text[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		axis_duration(text, sizeof(text), rows[i].s);
		assert_string_equal(text, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_jobs_table_has_those_that_started),
		cmocka_unit_test(a_decision_log_has_promises_and_places),
		cmocka_unit_test(a_damaged_decision_log_is_named),
		cmocka_unit_test(classes_of_sizes_are_of_the_machine),
		cmocka_unit_test(pictures_are_those_worked_out),
		cmocka_unit_test(
			any_number_of_jobs_makes_the_same_number_of_points),
		cmocka_unit_test(a_gantt_chart_shows_where_jobs_ran),
		cmocka_unit_test(jobs_that_share_a_processor_share_its_row),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(durations_are_those_that_people_write),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 99;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
