/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_requests.c - what is answered to requests: changed jobs, such as get no
 * promise, advice, sizes, and budgets.  Speaks TAP.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/lives.h"

static const struct libra_host_request same = {.times.estimate_s = NAN,
					       .times.deadline_s = NAN};

/* An update.  Result: the answer; the limit and CPUs that Slurm shall count.
 */
static enum libra_host_answer change(struct libra_host_job *job, uint32_t user,
				     struct libra_host_request r,
				     uint32_t *limit, uint32_t *ncpus)
{
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	job->comment = records[job->job_id];
	if (libra_host_modify(host, job, user, &r, &reply) < 0)
		return 0;
	libra_host_flush_records(host);
	answer = reply.answer;
	*limit = reply.minutes;
	*ncpus = reply.ncpus;
	libra_host_reply_fini(&reply);
	return answer;
}

static void changed_runs(void)
{
	struct libra_host_request r = same;
	struct libra_host_job runs;
	uint32_t limit, ncpus;
	char before[1024];

	now_s += 10000;
	start_host("libra_policy=libra,libra_grace=600");
	ok(submit(9, 2, 3600, 7200, NULL) && look(9, 0), "a job starts");
	started(9, false);
	runs = job(9, 0);
	runs.start_s = now_s;
	runs.minutes = 130;
	now_s += 3000;
	r.times.estimate_s = 4000;
	snprintf(before, sizeof(before), "%s", records[9]);
	ok(change(&runs, STRANGER, r, &limit, &ncpus) == LIBRA_HOST_STOCK &&
		   strcmp(before, records[9]) == 0,
	   "to who may not change it, it is none of ours");
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 130 && strcmp(before, records[9]) != 0,
	   "another estimate leaves its limit");
	/* 67 minutes of work; its limit is shown as 130. */
	r.times.minutes = 63;
	r.times.estimate_s = 60 * 63;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "what cannot be counted from the limit is an estimate");
	r.times.minutes = 125;
	r.times.estimate_s = 60 * 125;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "-5 minutes from the limit is none");
	r.times.minutes = 135;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "nor is +5");
	r.times.deadline_s = runs.start_s + 7200;
	r.times.minutes = 118;
	r.times.estimate_s = 60 * 118;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "with a deadline it is meant as it is");
	r = same;
	r.times.minutes = 66;
	r.times.estimate_s = 4000;
	r.times.deadline_s = runs.start_s + 7200;
	change(&runs, OWNER, r, &limit, &ncpus);
	snprintf(before, sizeof(before), "%s", records[9]);
	r = same;
	r.times.deadline_s = runs.start_s + 9000;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE &&
		   strcmp(before, records[9]) == 0,
	   "its owner gives it no more time than Slurm would let him");
	ok(change(&runs, OPERATOR, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 160,
	   "an operator does, reckoned from its start");
	runs.minutes = 160;
	r.times.deadline_s = runs.start_s + 8400;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 150,
	   "less time is the owner's to give");
	runs.minutes = 100;
	r.times.deadline_s = runs.start_s + 9000;
	ok(change(&runs, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   limit == 100,
	   "a shorter limit of its own stays");
	r = same;
	r.size.max_nodes = 1;
	r.change.size = true;
	ok(change(&runs, OPERATOR, r, &limit, &ncpus) == LIBRA_HOST_REFUSED,
	   "it keeps its size");
	libra_host_ended(host, 9);
}

static uint32_t promised(uint32_t id)
{
	struct libra_promise p;

	return libra_admin_comment_parse(records[id], &p) == 0 ? p.nprocs : 0;
}

static void changed_sizes(void)
{
	struct libra_host_request r = same;
	struct libra_host_job waits;
	uint32_t limit, ncpus;

	ok(submit(10, 2, 100, 1000, NULL) && look(10, 0), "a job waits");
	waits = job(10, 0);
	waits.size.ncpus = waits.size.ntasks = 2;
	waits.size.cpus_per_task = 1;
	r.change.size = true;
	r.size.cpus_per_task = 2;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   ncpus == 4 && promised(10) == 4,
	   "its tasks get more CPUs");
	waits.size.ncpus = 4;
	waits.size.cpus_per_task = 2;
	r.size.cpus_per_task = 0;
	r.size.min_nodes = 3;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED &&
		   promised(10) == 6,
	   "it gets more nodes, each for a task");
	r.size.max_nodes = 2;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "not more than its most");
	r = same;
	r.size.tasks_per_node = 1;
	r.change.size = true;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "what Slurm would refuse is refused");
	r = same;
	r.partition = "main";
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_STOCK,
	   "its own partition is no change");
	r.partition = "other";
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "another one is refused");
	r = same;
	r.layout.pinned = "ReqNodeList";
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "so are certain nodes");
	r = same;
	r.change.mixed = true;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_STOCK,
	   "what else is asked for is Slurm's");
	r.times.estimate_s = 50;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_UNACCEPTABLE,
	   "but not together with an estimate");
	ok(promised(10) == 6, "nothing of that was taken");
}

static enum libra_host_answer answer_to(struct libra_host_request r)
{
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	r.times.estimate_s = 10;
	r.times.deadline_s = now_s + 1000;
	if (r.size.ncpus == 0)
		r.size.ncpus = 1;
	if (libra_host_submit(host, &r, &reply) < 0)
		return 0;
	answer = reply.answer;
	libra_host_reply_fini(&reply);
	return answer;
}

/* What is said to it. */
static bool says(struct libra_host_request r, const char *part)
{
	struct libra_host_reply reply;
	bool said;

	r.times.estimate_s = 10;
	r.times.deadline_s = now_s + 1000;
	if (r.size.ncpus == 0)
		r.size.ncpus = 1;
	if (libra_host_submit(host, &r, &reply) < 0)
		return false;
	said = reply.text && strstr(reply.text, part);
	if (!said)
		printf("# %s\n", reply.text ? reply.text : "nothing");
	libra_host_reply_fini(&reply);
	return said;
}

static void requests(void)
{
	struct libra_host_counts counts;

	start_host("libra_policy=libra");
	ok(answer_to((struct libra_host_request){
		   .layout.pinned = "--contiguous"}) == LIBRA_HOST_UNACCEPTABLE,
	   "no promise for certain nodes");
	ok(answer_to((struct libra_host_request){.size.ncpus = UINT32_MAX}) ==
		   LIBRA_HOST_REFUSED,
	   "nor for all CPUs that can be told");
	ok(answer_to((struct libra_host_request){
		   .size.min_nodes = 131072, .size.cpus_per_task = 32768}) ==
		   LIBRA_HOST_REFUSED,
	   "nor for more");
	ok(answer_to((struct libra_host_request){.array = "0-1000"}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "nor for a long array");
	ok(answer_to((struct libra_host_request){.array = "7,100"}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "nor for one that Slurm refuses");
	libra_host_counts(host, &counts);
	ok(counts.offers == 0, "and nothing is held");
	ok(answer_to((struct libra_host_request){.array = "7,99"}) ==
		   LIBRA_HOST_ACCEPTED,
	   "but for one that it takes");
}

/* What can never be is refused as such, and says what there is. */
static void senseless(void)
{
	start_host("libra_policy=libra");
	ok(says((struct libra_host_request){.size.min_nodes = 5}, "5 nodes"),
	   "more nodes than there are");
	ok(says((struct libra_host_request){.size.ncpus = 9,
					    .size.cpus_per_task = 9},
		"9 processors on one node"),
	   "a task that is larger than a node");
	ok(says((struct libra_host_request){.blocked = true,
					    .times.begin_s = now_s + 995},
		"earlier --begin"),
	   "a begin that is too late");
	ok(says((struct libra_host_request){.array = "1,1,1"},
		"accepted: share"),
	   "an index that is named thrice is one task");
}

/* Submit; if it is refused with advice, do what it says some seconds later.
 * Result: 0 = no advice, 1 = accepted with it, -1 = refused again.
 */
static int follow_advice(struct libra_host_request r)
{
	struct libra_host_reply reply;
	const char *advice;
	unsigned minutes;
	int result = 0;

	if (libra_host_submit(host, &r, &reply) < 0)
		return 0;
	advice = reply.text ? strstr(reply.text, "now+") : NULL;
	if (advice && sscanf(advice, "now+%uminutes", &minutes) == 1) {
		libra_host_reply_fini(&reply);
		now_s += 1.3;
		r.times.deadline_s = floor(now_s) + 60.0 * minutes;
		if (libra_host_submit(host, &r, &reply) < 0)
			return -1;
		result = reply.answer == LIBRA_HOST_ACCEPTED ? 1 : -1;
	}
	libra_host_reply_fini(&reply);
	return result;
}

/* Two processors are closed by a job past its deadline; the refusal names it.
 */
static void late_is_named(void)
{
	struct libra_host_request r = {
		.partition = partition,
		.times.estimate_s = 60,
		.size.cpus_per_task = 1,
	};
	struct libra_host_reply reply;

	for (int yields = 0; yields <= 1; yields++) {
		now_s += 10000;
		start_host(yields ? "libra_policy=libra,libra_late_yields=yes"
				  : "libra_policy=libra,libra_late_yields=no");
		r.size.ncpus = 4;
		ok(submit(17, 2, 50, 100, NULL) && look(17, 0), "a job starts");
		started(17, false);
		now_s += 110;
		r.times.deadline_s = now_s + 50;
		ok(libra_host_submit(host, &r, &reply) == 0 &&
			   reply.answer == LIBRA_HOST_REFUSED,
		   "another, that is too long, is refused");
		ok(yields == !strstr(reply.text,
				     "libra: 1 job past the deadline closes "
				     "its processors until it ends: 17 "
				     "(libra_late_yields=no)"),
		   yields ? "who yields closes nothing"
			  : "and told who closes processors");
		libra_host_reply_fini(&reply);
		libra_host_ended(host, 17);
	}
}

static void advised(const char *params)
{
	int followed = 0, refused = 0, result;
	uint32_t x = 1;

	start_host(params);
	for (int i = 0; i < 400; i++) {
		uint32_t d[4];

		for (int k = 0; k < 4; k++)
			d[k] = (x = x * 1664525 + 1013904223) >> 16;
		result = follow_advice((struct libra_host_request){
			.times.estimate_s = 60 + d[0] % 900,
			.times.deadline_s = now_s + 60 + d[1] % 1500,
			.size.cpus_per_task = 1,
			.size.ncpus = 1 + d[2] % 3,
			.array = d[3] % 3 == 0 ? "0-5" : NULL,
			.size.min_nodes = d[3] % 3 == 1 ? 2 : 0,
			.size.tasks_per_node = d[3] % 6 == 1 ? 2 : 0,
		});
		followed += result > 0;
		refused += result < 0;
		now_s += d[2] % 40; /* and offers expire */
	}
	printf("# %s: %d followed, %d refused again\n", params, followed,
	       refused);
	/* The reserves of band learn from each offer, and may think again. */
	ok(followed > 40 && refused <= (strstr(params, "band") ? 1 : 0),
	   "what is advised is accepted");
}

/* What a request is promised on nodes of two cores of two CPUs. */
static const struct {
	const char *name;
	struct libra_host_request r;
	struct libra_host_reply counts; /* that Slurm shall count */
	uint32_t procs;
} shapes[] = {
	{"tasks of a CPU share cores",
	 {.size.ntasks = 3, .size.ncpus = 3},
	 .procs = 2},
	{"but not when told",
	 {.size.ntasks = 3, .size.task_per_core = true},
	 .procs = 3},
	{"one task needs whole cores", {.size.cpus_per_task = 3}, .procs = 2},
	{"and so do several",
	 {.size.ntasks = 3, .size.cpus_per_task = 3, .size.ncpus = 9},
	 {.ncpus = 12, .cpus_per_task = 4},
	 6},
	{"one CPU of each core",
	 {.size.ntasks = 2,
	  .size.cpus_per_task = 2,
	  .size.threads_per_core = 1},
	 .procs = 4},
	{"one task a node",
	 {.size.ntasks = 2, .size.ncpus = 2, .size.tasks_per_node = 1},
	 .procs = 2},
	{"three a node",
	 {.size.min_nodes = 2, .size.tasks_per_node = 3},
	 .procs = 4},
	{"as many on each node",
	 {.size.ntasks = 4, .size.ncpus = 4, .size.tasks_per_node = 3},
	 {.ncpus = 6, .ntasks = 6},
	 4},
};

static void threads(void)
{
	struct libra_host_request r;
	struct libra_host_reply reply;
	struct libra_promise p;

	cpus_per_proc = 2;
	start_host("libra_policy=libra");
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		r = shapes[i].r;
		r.times.estimate_s = 10;
		r.times.deadline_s = now_s + 1000;
		ok(libra_host_submit(host, &r, &reply) == 0 &&
			   reply.answer == LIBRA_HOST_ACCEPTED &&
			   libra_admin_comment_parse(reply.record.comment,
						     &p) == 0 &&
			   p.nprocs == shapes[i].procs &&
			   reply.ncpus == shapes[i].counts.ncpus &&
			   reply.ntasks == shapes[i].counts.ntasks &&
			   reply.cpus_per_task ==
				   shapes[i].counts.cpus_per_task,
		   shapes[i].name);
		libra_host_reply_fini(&reply);
	}
	r = (struct libra_host_request){.size.cpus_per_task = 4,
					.size.ncpus = 10};
	ok(answer_to(r) == LIBRA_HOST_UNACCEPTABLE, "no part of a task");
	cpus_per_proc = 1;
}

/* Does its record tell what its user offered? */
static bool worth(uint32_t id, double budget, double penalty_rate)
{
	struct libra_promise p;

	return libra_admin_comment_parse(records[id], &p) == 0 &&
	       p.budget == budget && p.penalty_rate == penalty_rate;
}

static void budgets(void)
{
	struct libra_host_request r = {
		.times.estimate_s = 600,
		.size.ncpus = 8,
		.credits.budget = 250.5,
		.credits.penalty_rate = 0.1,
	};
	struct libra_host_reply reply;
	struct libra_host_job waits;
	uint32_t limit, ncpus;

	now_s += 5000;
	start_host(with_ttl);
	r.times.deadline_s = now_s + 1000;
	if (libra_host_submit(host, &r, &reply) == 0)
		keep(22, &reply.record);
	libra_host_reply_fini(&reply);
	ok(worth(22, 250.5, 0.1), "a record keeps budget and penalty");
	ok(look(22, 0) && worth(22, 250.5, 0.1), "when the job is met, too");
	start_host(with_ttl);
	known(22, 0);
	ok(committed() == 1 && look(22, 0) && worth(22, 250.5, 0.1),
	   "over a restart");
	waits = job(22, 0);
	r = same;
	r.times.estimate_s = 500;
	ok(change(&waits, OWNER, r, &limit, &ncpus) == LIBRA_HOST_ACCEPTED,
	   "its estimate is changed");
	libra_host_flush_records(host);
	ok(worth(22, 250.5, 0.1), "and neither of them");
	states[22] = LIBRA_JOB_BLOCKED;
	start_host(with_ttl);
	known(22, 0);
	states[22] = LIBRA_JOB_PENDING;
	ok(committed() == 0 && look(22, 0) && worth(22, 250.5, 0.1),
	   "nor when it asks anew");
	ok(answer_to((struct libra_host_request){.credits.budget = NAN}) ==
		   LIBRA_HOST_UNACCEPTABLE,
	   "no budget that is no number");
	ok(answer_to((struct libra_host_request){
		   .credits.penalty_rate = NAN}) == LIBRA_HOST_UNACCEPTABLE,
	   "nor such a penalty");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 99;
	libra_host_init(host, &ops);
	changed_runs();
	changed_sizes();
	requests();
	senseless();
	late_is_named();
	advised("libra_policy=libra");
	advised("libra_policy=librarisk");
	advised("libra_policy=demand");
	advised("libra_policy=band");
	threads();
	budgets();
	return finish_lives();
}
