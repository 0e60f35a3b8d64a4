/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_restore.c - what a restart makes of records that are whole, damaged, or
 * of another cluster, and what is said of each.
 *
 * Two nodes of four processors; without Slurm.  Speaks TAP.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/machine.h"

enum { JOBS = 16 };

static struct libra_host *host;
static double now_s = 1e9;
static char *records[JOBS];
static char said[2048]; /* errors, with ; behind each */

static double clock_s(void)
{
	return now_s;
}

static void keep_text(enum libra_host_level level, const char *text)
{
	size_t len = strlen(said);

	if (level == LIBRA_HOST_ERROR)
		snprintf(said + len, sizeof(said) - len, "%s;", text);
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = record->comment ? strdup(record->comment) : NULL;
}

static const struct libra_host_ops ops = {
	.log = keep_text,
	.now_s = clock_s,
	.write_record = keep,
};

static void begin(uint32_t nnodes)
{
	libra_host_fini(host);
	libra_host_init(host, &ops);
	machine_set(host, "libra_policy=libra", nnodes, 4);
	said[0] = '\0';
}

static struct libra_host_job job(uint32_t id, uint32_t waiting)
{
	return (struct libra_host_job){
		.job_id = id,
		.comment = records[id],
		.waiting = waiting,
		.whole_array = true,
	};
}

static bool submit(uint32_t id, uint32_t ncpus, double estimate_s,
		   const char *array)
{
	struct libra_host_request r = {
		.times.estimate_s = estimate_s,
		.times.deadline_s = now_s + 1000,
		.size.ncpus = ncpus,
		.size.cpus_per_task = 1,
		.array = array,
	};

	return machine_submit(host, id, &r, keep);
}

static bool look(uint32_t id, uint32_t waiting, bool *written)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);
	bool here = libra_host_place(host, &seen, &p) == LIBRA_PLACE_HERE;

	*written = machine_take(id, &p, keep);
	return here;
}

/* Result: was another record written for it? */
static bool restore(struct libra_host_job seen)
{
	struct libra_host_placement p = {0};

	libra_host_restore(host, &seen, &p);
	return machine_take(seen.job_id, &p, keep);
}

static uint32_t committed(void)
{
	return machine_committed(host);
}

static const char *on(uint32_t id)
{
	const char *at = records[id] ? strstr(records[id], " on=") : NULL;

	return at ? at + 4 : "none";
}

static void say(uint32_t id, const char *comment)
{
	free(records[id]);
	records[id] = comment ? strdup(comment) : NULL;
}

static void test_damage(void)
{
	begin(2);
	say(1, NULL);
	restore(job(1, 0));
	say(1, "a note");
	restore(job(1, 0));
	ok(said[0] == '\0', "of comments of others nothing is said");
	say(1, "libra:1 offer=1.1 tasks=1");
	restore(job(1, 0));
	ok(strcmp(said, "job 1: the promise in its admin_comment is damaged or "
			"of another version: the job has no promise any "
			"more;") == 0,
	   "of a damaged record it is");
	ok(committed() == 0, "and it holds nothing");
}

static void test_elsewhere(void)
{
	bool written;

	begin(2);
	ok(submit(1, 8, 900, NULL) && look(1, 0, &written),
	   "a job has both nodes");
	ok(strcmp(on(1), "n0:0-3,n1:0-3") == 0, "as its record says");
	begin(1);
	ok(restore(job(1, 0)) && strcmp(on(1), "") == 0,
	   "where there is one its record names none from then on");
	ok(strcmp(said, "job 1: its record cannot be restored: it names "
			"processors that are not managed;"
			"job 1: 1 of 1 promises cannot be restored;") == 0,
	   "which is said");
	ok(committed() == 0 && submit(2, 4, 900, NULL), "and it holds nothing");
}

/* What the engine refuses is said in its words. */
static void test_refused(void)
{
	char text[512];
	bool written;

	begin(2);
	submit(1, 2, 900, NULL);
	look(1, 0, &written);
	snprintf(text, sizeof(text), "%s,n1:0", records[1]);
	say(1, text);
	begin(2);
	restore(job(1, 0));
	ok(strncmp(said, "job 1: its record cannot be restored: ", 38) == 0 &&
		   !strstr(said, "not managed"),
	   "a processor too many is refused in the engine's words");
	ok(committed() == 0, "and nothing is held");
}

static void test_whole(void)
{
	struct libra_host_job other;
	bool written;
	char before[512];

	begin(2);
	submit(1, 4, 900, NULL);
	look(1, 0, &written);
	snprintf(before, sizeof(before), "%s", records[1]);
	begin(2);
	ok(restore(job(1, 0)) && committed() == 1, "a restart knows it");
	ok(strcmp(on(1), "n0:0-3") == 0, "where it was");
	ok(strcmp(records[1], before) != 0, "by another number");
	ok(!submit(2, 8, 900, NULL) && submit(2, 4, 900, NULL),
	   "and what it holds is not given away");
	ok(!restore(job(1, 0)) && committed() == 1, "it is entered once");
	/* Its comment is lost: who has the promise writes it anew. */
	snprintf(before, sizeof(before), "%s", records[1]);
	say(1, "libra:1 lost");
	ok(look(1, 0, &written) && written && strcmp(records[1], before) == 0,
	   "a comment that was lost is written again");
	/* One that ran and waits again was requeued: that was its promise. */
	begin(2);
	say(3, "libra:1 offer=4.1 tasks=1 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part= "
	       "shape=1.0.0.0 left=900/1/1000000000 on=n0:0-3");
	ok(!restore(job(3, 0)) && committed() == 0,
	   "what a requeued job was promised is not");
	say(3, "libra:1 offer=4.1 tasks=1 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part=other "
	       "shape=1.0.0.0 left= on=n0:0-3");
	ok(!restore(job(3, 0)) && committed() == 0,
	   "nor that of another partition");
	say(3, "libra:1 offer=4.1 tasks=1 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part= "
	       "shape=1.0.0.0 promise=lost left= on=n0:0-3");
	ok(!restore(job(3, 0)) && committed() == 0, "nor what was lost");
	say(3, "libra:1 offer=4.0 tasks=1 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part= "
	       "shape=1.0.0.0 left= on=n0:0-3");
	ok(!restore(job(3, 0)) && committed() == 0, "nor what never was");
	say(3, "libra:1 offer=4.1 tasks=2 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part= "
	       "shape=1.0.0.0 left= on=n0:0-3;n1:0-3");
	other = job(3, 0);
	other.whole_array = false;
	ok(restore(other) && strcmp(on(3), "") == 0 && committed() == 0,
	   "nor the array's, for a task that was taken out");
	say(3, "libra:1 offer=4.1 tasks=2 procs=4 estimate=900 "
	       "deadline=1000001000 submit=1000000000 share=0.9 part= "
	       "shape=1.0.0.0 left= on=n0:0-3;n1:0-3");
	restore(job(3, 1));
	ok(committed() == 1 && strcmp(on(3), "n1:0-3") == 0,
	   "the array's last task has its own");
}

/* Five tasks on whole nodes, by turns: the first two have begun. */
static void test_array(void)
{
	bool written;
	char text[512];
	const char *rest;

	begin(2);
	submit(1, 2, 450, "1-5");
	ok(look(1, 5, &written) && committed() == 5, "five tasks are promised");
	rest = on(1);
	for (int i = 0; i < 2; i++)
		rest = strchr(rest, ';') + 1;
	snprintf(text, sizeof(text), "%s", rest);
	begin(2);
	restore(job(1, 3));
	ok(committed() == 3 && strcmp(on(1), text) == 0,
	   "a restart gives the three that wait theirs");
	ok(said[0] == '\0', "and has nothing to say");
	begin(2);
	restore(job(1, 4));
	ok(committed() == 3 &&
		   strcmp(said, "job 1: 1 of 4 promises cannot be restored;") ==
			   0,
	   "one that no record tells of is missed");
}

/* As by scontrol hold of a task: it gets an id, and a copy of the record. */
static void test_taken_out(void)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;
	bool written;
	char text[512];

	begin(2);
	submit(1, 2, 800, "1-3");
	look(1, 3, &written);
	snprintf(text, sizeof(text), "%s", on(1));
	say(2, records[1]);
	seen = job(2, 0);
	seen.whole_array = false;
	ok(restore(seen) && committed() == 3, "a task that is taken out");
	ok(strlen(on(2)) > 4 && strncmp(text, on(2), strlen(on(2))) == 0 &&
		   text[strlen(on(2))] == ';',
	   "has what the first was promised");
	ok(look(1, 2, &written) && committed() == 3, "the others may start");
	now_s += 120;
	look(1, 2, &written);
	ok(committed() == 3, "it is none of the array's any more");
	libra_host_started(host, &seen, &p);
	ok(committed() == 2 && p.nparts == 1,
	   "it starts where it was promised");
	machine_take(2, &p, keep);
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_damage();
	test_elsewhere();
	test_refused();
	test_whole();
	test_array();
	test_taken_out();
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	return finish();
}
