/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_limits.c - limits of accounts, and jobs that Slurm starts again.
 *
 * Two nodes of four processors; without Slurm.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/machine.h"

enum { JOBS = 16 };

static double now_s = 1e9;
static struct libra_host *host;
static struct libra_host_rules slurms;
static char records[JOBS][512];
static uint32_t asked_cpus, asked_id, times_asked;
static const char *asked_qos;
static enum libra_node_state nodes[2] = {LIBRA_NODE_UP, LIBRA_NODE_UP};

static double clock_s(void)
{
	return now_s;
}

static void rules(const struct libra_host_request *r,
		  struct libra_host_rules *out)
{
	*out = slurms;
	times_asked++;
	asked_cpus = r->size.ncpus;
	asked_id = r->job_id;
	asked_qos = r->qos;
}

static void write_record(uint32_t id, const struct libra_host_record *record)
{
	snprintf(records[id], sizeof(records[id]), "%s", record->comment);
}

static enum libra_node_state node_state(uint32_t node)
{
	return nodes[node];
}

static struct libra_host_job job(uint32_t id)
{
	return (struct libra_host_job){.job_id = id,
				       .user = 7,
				       .comment = records[id],
				       .size.ncpus = 4};
}

static struct libra_host_job view(const void *record)
{
	struct libra_host_job seen = job(*(const uint32_t *)record);

	seen.partition = "main";
	seen.qos = "own";
	return seen;
}

static enum libra_host_right right(const void *record, uint32_t user)
{
	return user ? LIBRA_RIGHT_OWNER : LIBRA_RIGHT_OPERATOR;
}

static double charged[JOBS];

static void charge(uint32_t id, double rate)
{
	charged[id] = rate;
}

static const struct libra_host_ops ops = {
	.charge = charge,
	.now_s = clock_s,
	.rules = rules,
	.write_record = write_record,
	.node_state = node_state,
	.view = view,
	.right = right,
};

static char said[1024];
static uint32_t minutes;
static bool of_accounts;

static void take_reply(struct libra_host_reply *reply, uint32_t id)
{
	snprintf(said, sizeof(said), "%s", reply->text ? reply->text : "");
	minutes = reply->minutes;
	of_accounts = reply->account;
	if (id && reply->record.comment)
		snprintf(records[id], sizeof(records[id]), "%s",
			 reply->record.comment);
	libra_host_reply_fini(reply);
}

static bool only_promised, queue_refused; /* the user says so */
static const char *too_long;
static const char *partition = "main";

static enum libra_host_answer submit(uint32_t id, uint32_t ncpus,
				     double estimate_s, double within_s)
{
	struct libra_host_request r = {
		.partition = partition,
		.times.estimate_s = estimate_s,
		.times.deadline_s = now_s + within_s,
		.size.ncpus = ncpus,
		.size.ntasks = ncpus,
		.size.cpus_per_task = 1,
		.user = 7,
		.only_promised = only_promised,
		.queue_refused = queue_refused,
		.unread.option = too_long,
		.unread.longest = 1024,
	};
	struct libra_host_reply reply;

	if (libra_host_submit(host, &r, &reply) < 0)
		abort();
	take_reply(&reply, id);
	return reply.answer;
}

static enum libra_host_place place(uint32_t id)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id);
	enum libra_host_place where = libra_host_place(host, &seen, &p);

	machine_take(id, &p, write_record);
	return where;
}

static void start(uint32_t id)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id);

	libra_host_started(host, &seen, &p);
	machine_take(id, &p, write_record);
}

static uint32_t committed(void)
{
	return machine_committed(host);
}

static void begin(const char *params)
{
	now_s += 5000;
	slurms = (struct libra_host_rules){.limits.limit_s = INFINITY};
	nodes[0] = nodes[1] = LIBRA_NODE_UP;
	libra_host_destroy(host);
	host = libra_host_create();
	libra_host_init(host, &ops);
	ok(host && machine_set(host, params, 2, 4) == 0, "an empty machine");
}

static const char plain[] = "libra_policy=libra,libra_offer_ttl=60";

static void rooms(void)
{
	begin(plain);
	slurms.limits.limit_name = "MaxJobs";
	slurms.limits.room = 2;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ACCEPTED, "room for two: one");
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ACCEPTED,
	   "another, beside an offer that is no job yet");
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE, "no third");
	ok(strstr(said, "the limit MaxJobs of") && strstr(said, "wait until") &&
		   of_accounts,
	   "its user reads which limit, and what to do");
	slurms.limits.room = 8;
	ok(submit(0, 4, 60, 1000) == LIBRA_HOST_ACCEPTED, "room for eight");
	slurms.limits.room = 7;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ACCEPTED,
	   "one of four counts as four of one: 1 + 1 + 4 are open");
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE, "so no eighth");
	slurms.limits.room = 0;
	slurms.limits.never = true;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE &&
		   strstr(said, "lets no such job run"),
	   "it is no use to wait for what cannot be");

	begin("libra_policy=planned,libra_refused=queue");
	slurms.limits.limit_name = "GrpJobs";
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ORDINARY &&
		   strstr(said, "GrpJobs") && strstr(said, "WITHOUT A PROMISE"),
	   "where refused jobs queue it may, and reads that");
	only_promised = true;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE,
	   "not if its user wants a promise or nothing");
	only_promised = false;
	slurms.limits.never = true;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE,
	   "but not to wait for ever");
	begin("libra_policy=planned");
	slurms.limits.limit_name = "GrpJobs";
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE,
	   "where they are refused it may not");
	queue_refused = true;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ORDINARY,
	   "unless its user says so");
	queue_refused = false;

	begin(plain);
	slurms.max_nodes = 1;
	ok(submit(0, 8, 60, 1000) == LIBRA_HOST_REFUSED, "two nodes are more "
							 "than one");
	ok(submit(0, 4, 60, 1000) == LIBRA_HOST_ACCEPTED, "one is not");
	slurms = (struct libra_host_rules){.limits.limit_s = 1200};
	ok(submit(0, 1, 60, 1300) == LIBRA_HOST_UNACCEPTABLE && of_accounts,
	   "a deadline after what is permitted");
	ok(submit(0, 1, 60, 1100) == LIBRA_HOST_ACCEPTED && minutes == 20,
	   "one before: so long is its time limit");
}

/* They may cost the number of all jobs, under Slurm's locks. */
static void spared(void)
{
	begin(plain);
	times_asked = 0;
	ok(submit(0, 1, 60, INFINITY) == LIBRA_HOST_STOCK && times_asked == 0,
	   "a job without a deadline has no rules looked up");
	partition = "other";
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_STOCK && times_asked == 0,
	   "nor has one of a partition that is not ours");
	partition = "main";
	too_long = "--comment";
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_UNACCEPTABLE &&
		   times_asked == 0 && strstr(said, "1024"),
	   "nor has a text that Slurm does not take");
	too_long = NULL;
	ok(submit(0, 1, 60, 1000) == LIBRA_HOST_ACCEPTED && times_asked == 1,
	   "what may be promised has");
}

static enum libra_host_answer change(uint32_t id, uint32_t user,
				     double within_s, const char *qos)
{
	struct libra_host_request r = {
		.times.estimate_s = NAN,
		.times.deadline_s = within_s > 0 ? now_s + within_s : NAN,
		.qos = qos,
		.change.mixed = qos != NULL,
		.user = user,
	};
	struct libra_host_reply reply;

	if (libra_host_modify(host, &id, user, &r, &reply) < 0)
		abort();
	take_reply(&reply, 0);
	return reply.answer;
}

static void updates(void)
{
	begin(plain);
	ok(submit(1, 4, 60, 1000) == LIBRA_HOST_ACCEPTED &&
		   place(1) == LIBRA_PLACE_HERE,
	   "a job waits");
	slurms.limits.limit_s = 1200;
	ok(change(1, 7, 1300, NULL) == LIBRA_HOST_UNACCEPTABLE,
	   "its user moves its deadline after what is permitted");
	ok(asked_cpus == 4 && asked_id == 1 && strcmp(asked_qos, "own") == 0,
	   "asked is for the job as it is");
	ok(change(1, 7, 1100, NULL) == LIBRA_HOST_ACCEPTED && minutes == 20,
	   "before that he may, and so long is its time limit");
	ok(change(1, 0, 1300, NULL) == LIBRA_HOST_ACCEPTED && minutes > 20,
	   "an operator may at any time: Slurm applies no limits to him");
	slurms.limits.limit_s = 600;
	ok(change(1, 7, 0, "short") == LIBRA_HOST_UNACCEPTABLE &&
		   strcmp(asked_qos, "short") == 0,
	   "a QOS that ends it before its deadline");
	slurms.limits.limit_s = INFINITY;
	ok(change(1, 7, 0, "short") == LIBRA_HOST_STOCK, "one that does not");
	slurms.limits.limit_name = "GrpTRES";
	ok(change(1, 7, 0, "full") == LIBRA_HOST_UNACCEPTABLE, "a full one");
	ok(change(1, 7, 1000, NULL) == LIBRA_HOST_ACCEPTED,
	   "where it is that does not matter");
}

static void limited(void)
{
	begin(plain);
	ok(submit(1, 8, 600, 1000) == LIBRA_HOST_ACCEPTED &&
		   place(1) == LIBRA_PLACE_HERE,
	   "a job with all there is");
	libra_host_limited(host, 1, "a limit");
	now_s += 40;
	libra_host_limited(host, 1, "a limit");
	ok(submit(2, 8, 500, 900) == LIBRA_HOST_REFUSED,
	   "a limit holds it back: it keeps that for a while");
	libra_host_limited(host, 1, NULL);
	now_s += 40;
	ok(submit(2, 8, 500, 900) == LIBRA_HOST_REFUSED,
	   "and longer, if that was over once");
	libra_host_limited(host, 1, "a limit");
	now_s += 61;
	ok(submit(2, 8, 500, 800) == LIBRA_HOST_ACCEPTED,
	   "then others may have it");
	libra_host_flush_records(host);
	ok(!strstr(records[1], " on=n"), "its record names no processors");
}

/* By the deadline 1000 s away a job of 600 s that ran for nothing. */
static void again(void)
{
	char deadline[32];
	struct libra_host_job seen;

	begin(plain);
	ok(submit(1, 4, 600, 1000) == LIBRA_HOST_ACCEPTED &&
		   place(1) == LIBRA_PLACE_HERE,
	   "a job");
	snprintf(deadline, sizeof(deadline), "deadline=%.0f ", now_s + 1000);
	start(1);
	now_s += 100;
	libra_host_flush_records(host);
	ok(strstr(records[1], " left=") != NULL, "that runs");
	nodes[0] = LIBRA_NODE_DOWN;
	libra_host_ended(host, 1);
	seen = job(1);
	libra_host_keep(host, &seen);
	ok(committed() == 1, "its node fails, and it is kept a promise");
	libra_host_flush_records(host);
	ok(strstr(records[1], " on=n1:0-3") && !strstr(records[1], " left=6"),
	   "on the other node");
	ok(strstr(records[1], deadline) != NULL, "with its own deadline");
	/* 600 s and a wait of 125 s in 900 s are a share of 0.806. */
	ok(submit(0, 4, 200, 1000) == LIBRA_HOST_REFUSED,
	   "which others may not take");
	ok(submit(0, 4, 190, 1000) == LIBRA_HOST_ACCEPTED, "but the rest");
	now_s += 120;
	ok(place(1) == LIBRA_PLACE_HERE, "two minutes later it may start");
	start(1);
	libra_host_flush_records(host);
	ok(strstr(records[1], deadline) && strstr(records[1], " share=0.7692"),
	   "in 780 s, as it has its own deadline back");

	/* No room for it: 600 s in 700 s, less 125. */
	begin(plain);
	submit(1, 4, 600, 800);
	place(1);
	start(1);
	now_s += 100;
	libra_host_flush_records(host);
	libra_host_ended(host, 1);
	seen = job(1);
	libra_host_keep(host, &seen);
	ok(committed() == 0, "one that would be late is kept nothing");
	now_s += 2;
	ok(place(1) == LIBRA_PLACE_HERE, "it asks again when it may start");
}

static void charges(void)
{
	begin(plain);
	submit(1, 8, 600, 1800);
	place(1);
	submit(2, 8, 600, 1800);
	place(2);
	start(1);
	libra_host_look(host);
	now_s += 10;
	libra_host_look(host);
	ok(charged[1] == 0, "alone it is charged what Slurm charges");
	start(2);
	now_s += 1;
	libra_host_look(host);
	now_s += 10;
	libra_host_look(host);
	ok(fabs(charged[1] - 15.5 / 21) < 0.01,
	   "10 s alone and 11 s of halves are 15.5 s of 21 s");
	ok(fabs(charged[2] - 0.5) < 0.01, "and halves are a half");
	libra_host_ended(host, 1);
	now_s += 10;
	libra_host_look(host);
	ok(fabs(charged[2] - 0.75) < 0.01, "alone again: 15 s of 20 s");
	now_s += 300;
	libra_host_look(host);
	now_s += 10;
	libra_host_look(host);
	ok(fabs(charged[2] - 1) < 1e-6, "what was longer ago is forgotten");
}

int main(void)
{
	charges();
	rooms();
	spared();
	updates();
	limited();
	again();
	libra_host_destroy(host);
	return finish();
}
