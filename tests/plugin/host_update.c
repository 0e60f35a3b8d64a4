/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_update.c - changes of promised jobs: what is refused, and what is left
 * of what was not asked for.
 *
 * Without Slurm.  Speaks TAP.
 */
#include "tests/plugin/site.h"

enum { OPERATOR = 0, OWNER = 7 };

static const char libra[] = "libra_policy=libra,libra_grace=600";

/* Nothing is changed. */
static struct libra_host_request same(void)
{
	return (struct libra_host_request){.times.estimate_s = NAN,
					   .times.deadline_s = NAN};
}

static enum libra_host_answer change(uint32_t id, uint32_t user,
				     struct libra_host_request r)
{
	struct libra_host_reply reply;

	if (libra_host_modify(site.host, &id, user, &r, &reply) != 0)
		return 0;
	site_take_reply(&reply, id);
	while (libra_host_flush_records(site.host))
		;
	return reply.answer;
}

static void waiting(uint32_t id, uint32_t ncpus, double estimate_s,
		    double within_s)
{
	site_submit(id, ncpus, estimate_s, within_s);
	site_place(id);
	site.views[id] = (struct libra_host_job){.size.ncpus = ncpus,
						 .size.ntasks = ncpus,
						 .size.cpus_per_task = 1,
						 .partition = "main"};
}

/* What a promise cannot follow, of a job with one, and of a record. */
static const struct {
	struct libra_host_request r;
	const char *told;
} senseless[] = {
	{{.change.comment = true},
	 "libra: AdminComment holds the job's promise and cannot be changed: "
	 "use Comment"},
	{{.reserved = true},
	 "libra: a promised job cannot enter a reservation: cancel it and "
	 "submit it there"},
	{{.change.end = true},
	 "libra: give TimeLimit= or Deadline= of a promised job, not EndTime= "
	 "or TimeMin="},
	{{.change.resources = true},
	 "libra: a promised job cannot change its memory, GPUs, licenses or "
	 "other resources: cancel it and submit it again"},
	{{.partition = "side"},
	 "libra: a promised job cannot change its partition: cancel it and "
	 "submit it there"},
	{{.size.tasks_per_node = 2, .change.size = true},
	 "libra: only an operator may change a promised job's tasks per node: "
	 "ask one, or cancel the job and submit it again"},
	{{.change.mixed = true, .change.size = true, .size.ncpus = 1},
	 "libra: change the time limit, deadline or size of a promised job in "
	 "one update, and all else in another"},
	{{.size.min_nodes = 2, .size.max_nodes = 1, .change.size = true},
	 "libra: more nodes than the job's maximum: give both, as "
	 "NumNodes=MIN-MAX"},
	{{.times.deadline_s = 1e9},
	 "libra: a promised job needs a positive estimate and a deadline in "
	 "the future: give TimeLimit= above 0 and a later Deadline="},
	{{.times.estimate_s = INFINITY},
	 "libra: a promised job needs a positive estimate and a deadline in "
	 "the future: give TimeLimit= above 0 and a later Deadline="},
	{{.times.estimate_s = -1},
	 "libra: a promised job needs a positive estimate and a deadline in "
	 "the future: give TimeLimit= above 0 and a later Deadline="},
};

static void refuse_all(uint32_t id, const char *what)
{
	char name[64], before[512];

	snprintf(before, sizeof(before), "%s", site.records[id]);
	for (size_t i = 0; i < sizeof(senseless) / sizeof(*senseless); i++) {
		struct libra_host_request r = senseless[i].r;

		/* The engine has words of its own for numbers. */
		if (i >= 8 && site_promise(id).offer)
			continue;
		if (r.times.estimate_s == 0)
			r.times.estimate_s = NAN;
		if (r.times.deadline_s == 0)
			r.times.deadline_s = NAN;
		snprintf(name, sizeof(name), "%s: change %zu makes no sense",
			 what, i + 1);
		site_ok(change(id, OWNER, r) == LIBRA_HOST_UNACCEPTABLE &&
				site_says(senseless[i].told) &&
				strcmp(before, site.records[id]) == 0,
			name);
	}
}

static void test_senseless(void)
{
	struct libra_host_request r = same();

	site_begin(libra);
	waiting(1, 2, 100, 1000);
	refuse_all(1, "a promised job");
	ok(change(1, OPERATOR,
		  (struct libra_host_request){.size.tasks_per_node = 2,
					      .change.size = true,
					      .times.estimate_s = NAN,
					      .times.deadline_s = NAN}) ==
			   LIBRA_HOST_ACCEPTED &&
		   site_promise(1).node_max == 2,
	   "an operator may change its tasks per node");
	site_submit(2, 8, 990, 1000);
	r = site_asking(2, 100, 1000);
	r.blocked = true;
	site_ask(3, &r);
	refuse_all(3, "a job that waits for a promise");
	site_ok(change(3, OWNER, same()) == LIBRA_HOST_STOCK,
		"what asks for nothing is Slurm's");
	r = same();
	r.partition = "main";
	site_ok(change(3, OWNER, r) == LIBRA_HOST_STOCK,
		"and so is where it is");
	r = same();
	r.change.memory = true;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_STOCK,
		"memory is Slurm's where a promise holds none");
	site.views[1].mem.hold_per_cpu = 100;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_UNACCEPTABLE,
		"and stays where it does");
}

static struct libra_host_request numbers(double estimate_s, double within_s)
{
	struct libra_host_request r = same();

	if (estimate_s > 0)
		r.times.estimate_s = estimate_s;
	if (within_s > 0)
		r.times.deadline_s = site.now_s + within_s;
	return r;
}

/* Where the limit is the estimate, what counts from it is the new estimate. */
static void test_counted(void)
{
	struct libra_host_request r = same();

	site_begin(libra);
	waiting(1, 2, 198, 1000);
	r.times.minutes = 5;
	r.times.estimate_s = 300;
	site.views[1].minutes = 5;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_UNACCEPTABLE &&
			site_promise(1).estimate_s == 198,
		"5 minutes may be one more than a lifted limit of 4");
	site.views[1].minutes = 4;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).estimate_s == 300,
		"but where that is the estimate, that is what is meant");
}

/* New numbers for a job that waits: it stays where it is if it can. */
static void test_numbers(void)
{
	site_begin(libra);
	waiting(1, 2, 100, 1000);
	site.now_s += 10;
	site_ok(change(1, OWNER, numbers(198, 0)) == LIBRA_HOST_ACCEPTED &&
			site_says("libra: accepted: share 0.20 of 2 "
				  "processors, finish expected by "
				  "02:03:20 UTC") &&
			site.reply.minutes == 27,
		"another estimate: its share, and its limit as of now");
	site_ok(site_promise(1).estimate_s == 198 &&
			site_promise(1).user_estimate_s == 198 &&
			site_promise(1).deadline_s == 1e9 + 1000 &&
			site_near(site_promise(1).share, 0.2) &&
			site_promise(1).changed_s == 1e9 + 10,
		"are in its record, and when that was");
	site_ok(site.told[1].estimate_s == 198 &&
			site_near(site.told[1].share, 0.2),
		"as its nodes shall have them");
	site_ok(change(1, OWNER, numbers(0, 1980)) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).estimate_s == 198 &&
			site_promise(1).deadline_s == 1e9 + 1990 &&
			site_near(site_promise(1).share, 0.1),
		"another deadline alone");
	site_ok(site_counts().committed == 1 && site_counts().offers == 0,
		"it has one promise");
	site_ok(change(1, OWNER, numbers(1981, 0)) == LIBRA_HOST_REFUSED &&
			site_promise(1).estimate_s == 198 &&
			site_near(site_promise(1).share, 0.1) &&
			site_counts().committed == 1 &&
			site_counts().offers == 0,
		"what cannot be is refused, and all is as it was");
	site_start(1);
	libra_host_ended(site.host, 1);
	site_ok(site_submit(2, 8, 1000, 1000) == LIBRA_HOST_ACCEPTED,
		"and nothing else is held");
}

/* Where it waits there is no room for more: it goes elsewhere, or stays. */
static void test_elsewhere(void)
{
	char on[64];

	site_begin(libra);
	waiting(1, 4, 500, 1000);
	waiting(2, 4, 500, 1000);
	snprintf(on, sizeof(on), "%.*s", (int)site_promise(1).on.len,
		 site_promise(1).on.text);
	site_ok(site_promise(2).on.len == site_promise(1).on.len &&
			strncmp(on, site_promise(2).on.text,
				site_promise(2).on.len) == 0,
		"two jobs share four processors");
	site_ok(change(2, OWNER, numbers(900, 0)) == LIBRA_HOST_ACCEPTED &&
			site_near(site_promise(2).share, 0.9) &&
			site_promise(2).estimate_s == 900 &&
			strncmp(on, site_promise(2).on.text,
				site_promise(2).on.len) != 0,
		"a longer one gets others");
	site_ok(site_counts().committed == 2 && site_counts().offers == 0,
		"and leaves its own");
	site_ok(site_submit(3, 4, 500, 1000) == LIBRA_HOST_ACCEPTED &&
			site_submit(4, 1, 500, 1000) == LIBRA_HOST_REFUSED,
		"to another one");
	site_ok(change(2, OWNER, numbers(0, 800)) == LIBRA_HOST_REFUSED &&
			site_near(site_promise(2).share, 0.9) &&
			site_promise(2).deadline_s == 1e9 + 1000,
		"a deadline too near is refused");
}

static void test_smaller(void)
{
	struct libra_host_request r = same();

	site_begin(libra);
	waiting(1, 4, 400, 1000);
	r.change.size = true;
	r.size.ncpus = r.size.ntasks = 2;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site.reply.ncpus == 2 && site_promise(1).nprocs == 2 &&
			site_promise(1).estimate_s == 400 &&
			site_promise(1).deadline_s == 1e9 + 1000 &&
			site_promise(1).user_estimate_s == 400,
		"half of its size, with the same numbers");
	site_ok(site_submit(2, 8, 600, 1000) == LIBRA_HOST_ACCEPTED &&
			site_submit(3, 6, 400, 1000) == LIBRA_HOST_ACCEPTED &&
			site_submit(4, 1, 1, 1000) == LIBRA_HOST_REFUSED,
		"and the other half is free");
	site_ok(site_place(1) == LIBRA_PLACE_HERE && site.at.nparts > 0,
		"it may start where it is now");
}

/* What is not asked for stays: its nodes; and an estimate may make it a bet. */
static void test_what_stays(void)
{
	struct libra_host_request r;

	site_begin("libra_policy=librarisk,libra_grace=600");
	r = site_asking(2, 100, 1000);
	r.size.ntasks = 2;
	r.size.max_nodes = 1;
	site_ask(1, &r);
	site_place(1);
	site.views[1] = (struct libra_host_job){.size.ncpus = 2,
						.size.ntasks = 2,
						.size.cpus_per_task = 1,
						.partition = "main"};
	r = same();
	r.change.size = true;
	r.size.ncpus = r.size.ntasks = 3;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site_promise(1).nprocs == 3 &&
			site_promise(1).max_nodes == 1,
		"a new size keeps the most nodes of the old one");
	site_ok(site_promise(1).late_s == 0 &&
			change(1, OWNER, numbers(1200, 0)) ==
				LIBRA_HOST_ACCEPTED &&
			site_near(site_promise(1).late_s, 200),
		"an estimate behind the deadline makes it a bet, and says so");
}

static void running(uint32_t id, uint32_t minutes)
{
	site_start(id);
	site.views[id].start_s = site.now_s;
	site.views[id].minutes = minutes;
}

static void test_running(void)
{
	struct libra_host_request r;

	site_begin(libra);
	waiting(1, 8, 500, 1000);
	running(1, 27);
	waiting(2, 8, 400, 1000);
	site.now_s += 100;
	site_ok(change(1, OWNER, numbers(900, 0)) == LIBRA_HOST_REFUSED &&
			site.reply.reason == LIBRA_REASON_NO_SHARE &&
			site_says("libra: refused (no_share): too much of its "
				  "processors is promised to other jobs: its "
				  "old promise holds; a later Deadline or a "
				  "shorter TimeLimit may do") &&
			site_promise(1).estimate_s == 500,
		"a job that runs is not moved: it is told what is in the way");
	site_ok(change(1, OPERATOR, numbers(0, 1100)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 30,
		"an operator moves its deadline: 1200 s and 600 s of grace "
		"from its start");
	site.views[1].minutes = 30;
	site.views[1].start_s = 0;
	site_ok(change(1, OPERATOR, numbers(0, 1100)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 30,
		"the same deadline leaves its limit");
	site_ok(change(1, OPERATOR, numbers(0, 1200)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 30,
		"a start that is not known is now");
	site.views[1].start_s = 1e9;
	site.views[1].minutes = 31;
	site_ok(change(1, OWNER, numbers(0, 1300)) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: only an operator may move the "
				  "deadline of a running job, as the site ends "
				  "jobs libra_grace after it: ask one"),
		"its owner does not");
	r = same();
	r.change.size = true;
	r.size.ncpus = 2;
	site_ok(change(1, OPERATOR, r) == LIBRA_HOST_REFUSED &&
			site_says("libra: a promised job cannot change its "
				  "size while it runs: cancel it and submit it "
				  "again") &&
			site_promise(1).nprocs == 8,
		"nobody changes its size");
	site.rules.limits.limit_s = 60;
	site_ok(change(1, OWNER, numbers(510, 0)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 31,
		"limits of accounts are for what has not begun");

	site_begin("libra_policy=planned");
	waiting(1, 8, 600, 9000);
	running(1, 10);
	site_ok(change(1, OWNER, numbers(1200, 0)) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: only an operator may give a running "
				  "job a longer TimeLimit: ask one, or give a "
				  "shorter one"),
		"where starts are planned a longer limit is answered as one");
}

/* Limits that were rounded at another instant are the same. */
static void test_rounded(void)
{
	site_begin(libra);
	waiting(1, 1, 100, 1000);
	running(1, 26); /* and not 27 */
	site_ok(change(1, OWNER, numbers(0, 880)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 24,
		"a minute less at its start is a minute less");
	site.views[1].minutes = 24;
	site_ok(change(1, OWNER, numbers(0, 820)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 23,
		"and stays that");
	site.views[1].minutes = 20;
	site_ok(change(1, OPERATOR, numbers(0, 2000)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 20,
		"one of its own stays what it is");
	site_ok(change(1, OPERATOR, numbers(0, 400)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 17,
		"but for a deadline before it");
	site_begin("libra_policy=libra");
	waiting(1, 1, 100, 1000);
	running(1, SITE_INFINITE);
	site_ok(change(1, OWNER, numbers(0, 2000)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == SITE_INFINITE,
		"who ends no jobs gives no limit");
}

static enum libra_host_answer sized(uint32_t id, bool resized, bool account,
				    bool qos)
{
	struct libra_host_request r = numbers(resized ? 0 : 90, 0);

	r.change.size = resized;
	r.size.ncpus = r.size.ntasks = resized ? 2 : 0;
	r.account = account ? "a" : NULL;
	r.qos = qos ? "q" : NULL;
	return change(id, OWNER, r);
}

static void test_limits(void)
{
	site_begin(libra);
	waiting(1, 2, 100, 1000);
	site.rules.limits.limit_s = 1000;
	site_ok(change(1, OWNER, numbers(110, 0)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 16,
		"limits of accounts permit all the time until its deadline, "
		"and are its limit");
	site_ok(change(1, OWNER, numbers(0, 1001)) == LIBRA_HOST_UNACCEPTABLE,
		"a second more they do not");
	site.rules.limits.limit_s = 999;
	site_ok(change(1, OWNER, numbers(90, 0)) == LIBRA_HOST_UNACCEPTABLE &&
			site_promise(1).estimate_s == 110,
		"nor an estimate where the deadline is behind them");
	site.rules.limits.limit_s = 0;
	site_ok(change(1, OWNER, numbers(90, 0)) == LIBRA_HOST_ACCEPTED,
		"what is not known is no limit");
	site.rules.limits.limit_s = 1200;
	site_ok(sized(1, true, false, false) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 20,
		"they are the limit of a new size, too");
	site.rules = (struct libra_host_rules){.limits.limit_s = INFINITY,
					       .limits.limit_name = "GrpTRES"};
	site.rules.limits.room = 0.5;
	site_ok(sized(1, false, false, false) == LIBRA_HOST_ACCEPTED,
		"an estimate needs no room");
	site_ok(sized(1, true, false, false) == LIBRA_HOST_UNACCEPTABLE &&
			sized(1, false, true, false) ==
				LIBRA_HOST_UNACCEPTABLE &&
			sized(1, false, false, true) == LIBRA_HOST_UNACCEPTABLE,
		"a size, an account and a QOS do");
	site.rules.limits.room = 1;
	site_ok(sized(1, true, false, false) == LIBRA_HOST_ACCEPTED &&
			sized(1, false, true, false) == LIBRA_HOST_ACCEPTED,
		"room for one is enough");
}

/* A limit of CPUs is held against all that a new size makes of the job: Slurm
 * would refuse it when the engine has changed.
 */
static void test_limit_of_cpus(void)
{
	struct libra_host_request r = {.times.estimate_s = NAN,
				       .times.deadline_s = NAN,
				       .change.size = true};

	site_begin(libra);
	waiting(1, 2, 100, 1000);
	site.views[1].size.tasks_per_node = 2;
	site.most_cpus = 3;
	r.size.ntasks = 4;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_UNACCEPTABLE &&
			strstr(site.text, "the limit MaxTRES of your ") &&
			site_promise(1).nprocs == 2,
		"more tasks than a limit of CPUs permits");
	r.size.ntasks = 0;
	r.size.cpus_per_task = 2;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_UNACCEPTABLE,
		"more CPUs for each of its tasks");
	r.size.cpus_per_task = 0;
	r.size.min_nodes = 2;
	site_ok(change(1, OWNER, r) == LIBRA_HOST_UNACCEPTABLE,
		"more nodes, with as many tasks on each");
	site.views[1].size.tasks_per_node = 0;
	r = (struct libra_host_request){.times.estimate_s = NAN,
					.times.deadline_s = NAN,
					.change.size = true,
					.size.ntasks = 3};
	site_ok(change(1, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site.reply.ncpus == 3,
		"as many as it permits");
	r.size.ntasks = 4;
	site_ok(change(1, OPERATOR, r) == LIBRA_HOST_ACCEPTED &&
			site.reply.ncpus == 4,
		"to operators Slurm applies none");
	site.most_cpus = 0;
}

/* Submit a job of two processors, which Slurm holds; 100 s pass. */
static void hold_one(void)
{
	struct libra_host_request r;

	site_begin(libra);
	r = site_asking(2, 100, 1000);
	r.blocked = true;
	r.credits.budget = 3;
	site_ask(3, &r);
	site.states[3] = LIBRA_JOB_BLOCKED;
	site.views[3] = (struct libra_host_job){
		.size.ncpus = 2, .size.ntasks = 2, .size.cpus_per_task = 1};
	site.now_s += 100;
}

/* A job that waits for a promise: what it asks for is in its record alone. */
static void test_records(void)
{
	struct libra_host_request r;
	unsigned written;

	hold_one();
	written = site.writes[3];
	site_ok(change(3, OWNER, numbers(200, 0)) == LIBRA_HOST_ACCEPTED &&
			site.writes[3] == written + 1 &&
			site.reply.minutes == 25 && site_says(""),
		"a held job's estimate is changed");
	site_ok(site_promise(3).estimate_s == 200 &&
			site_promise(3).user_estimate_s == 200 &&
			site_promise(3).deadline_s == 1e9 + 1000 &&
			site_promise(3).budget == 3 &&
			site_promise(3).nprocs == 2 &&
			site_promise(3).offer == 0 &&
			site.told[3].estimate_s == 200 &&
			site.told[3].deadline_s == 1e9 + 1000 &&
			site.told[3].rule == LIBRA_RULE_YIELD,
		"in its record, and nothing else");
	r = same();
	r.times.begin_s = 1e9 + 801;
	site_ok(change(3, OWNER, r) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: even if it started at its StartTime "
				  "the job would end 1 s after its deadline: "
				  "give an earlier StartTime, a shorter "
				  "TimeLimit or a later Deadline"),
		"it may not begin too late");
	r = numbers(0, 2000);
	r.change.size = true;
	r.size.ncpus = r.size.ntasks = 6;
	r.size.min_nodes = 2;
	r.size.max_nodes = 2;
	site_ok(change(3, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site_promise(3).nprocs == 6 &&
			site_promise(3).min_nodes == 2 &&
			site_promise(3).max_nodes == 2 &&
			site_promise(3).chunk == 1 &&
			site_promise(3).deadline_s == 1e9 + 2100 &&
			site.reply.ncpus == 6,
		"and so are its size and its deadline");
	r = same();
	r.change.size = true;
	r.size.ntasks = 3;
	r.size.cpus_per_task = 2;
	site_ok(change(3, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site_promise(3).chunk == 2 &&
			site_promise(3).nprocs == 6,
		"three tasks of two");
	r.size.ntasks = 6;
	r.size.cpus_per_task = 1;
	site_ok(change(3, OWNER, r) == LIBRA_HOST_ACCEPTED &&
			site_promise(3).chunk == 1,
		"and six of one");
	site.rules.limits.limit_s = 1999;
	site_ok(change(3, OWNER, numbers(100, 0)) == LIBRA_HOST_UNACCEPTABLE,
		"limits of accounts hold for it");
	site.rules.limits.limit_s = 2040;
	site_ok(change(3, OWNER, numbers(100, 0)) == LIBRA_HOST_ACCEPTED &&
			site.reply.minutes == 34,
		"and are its limit");
	site.rules.limits.limit_s = INFINITY;
	site.states[3] = LIBRA_JOB_PENDING;
	site_ok(site_place(3) == LIBRA_PLACE_HERE &&
			site_promise(3).estimate_s == 100 &&
			site_promise(3).nprocs == 6,
		"released it is promised what its record says");
	site.states[3] = LIBRA_JOB_ALIVE;
	site_restart(libra);
	site_ok(change(3, OWNER, numbers(300, 0)) == LIBRA_HOST_STOCK,
		"what runs and is not known is Slurm's");
	site.states[3] = LIBRA_JOB_GONE;
	site_ok(change(3, OWNER, numbers(300, 0)) == LIBRA_HOST_STOCK,
		"and what is over, too");
}

/* What waits to be started again has that wait in its estimate. */
static void test_again(void)
{
	struct libra_host_job seen;

	site_begin(libra);
	waiting(1, 4, 400, 1000);
	site_start(1);
	libra_host_ended(site.host, 1);
	site.states[1] = LIBRA_JOB_PENDING;
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(change(1, OWNER, numbers(500, 0)) == LIBRA_HOST_ACCEPTED &&
			site_near(site_promise(1).share, 0.625) &&
			site_promise(1).user_estimate_s == 500,
		"500 s and a wait of 125 s are in time");
	site_place(1);
	site_start(1);
	site_look();
	site_ok(site_near(site_promise(1).share, 0.5) &&
			site_promise(1).estimate_s == 500,
		"when it starts that is over");
}

/* Of an update in numbers that are none the engine is not asked. */
static void test_no_numbers(void)
{
	site_begin(libra);
	waiting(1, 4, 400, 1000);
	site_ok(change(1, OWNER, numbers(INFINITY, 0)) ==
				LIBRA_HOST_UNACCEPTABLE &&
			strncmp(site.text, "libra: ", 7) == 0 &&
			strlen(site.text) > 20 &&
			site_promise(1).estimate_s == 400,
		"an estimate without end is refused, with a word");
	site_ok(change(1, OWNER, numbers(0, 1e-9)) != LIBRA_HOST_ACCEPTED &&
			site_promise(1).deadline_s == 1e9 + 1000,
		"and so is a deadline that is now");
}

/* What was lost and is changed asks with its new numbers. */
static void test_lost(void)
{
	site_begin(libra);
	waiting(1, 8, 900, 1000);
	site.nodes[0] = LIBRA_NODE_DOWN;
	site.stamp++;
	site_ok(site_place(1) == LIBRA_PLACE_LOST && site_promise(1).lost &&
			site_promise(1).on.len == 0,
		"a node is lost, and the promise with it");
	site_ok(change(1, OWNER, numbers(800, 0)) == LIBRA_HOST_ACCEPTED &&
			site.told[1].share == 0 && site_promise(1).lost &&
			site_promise(1).estimate_s == 800,
		"its estimate is changed, and it has no share");
	site.nodes[0] = LIBRA_NODE_UP;
	site.stamp++;
	site.now_s += 20;
	site_ok(site_place(1) == LIBRA_PLACE_HERE &&
			site_near(site_promise(1).share, 800.0 / 980),
		"the node is back: it is promised again");
}

static void test_arrays(void)
{
	struct libra_host_request r = site_asking(1, 100, 1000);

	site_begin(libra);
	r.array = "1-3";
	site_ask(1, &r);
	site.views[1].waiting = 3;
	site_place(1);
	site_ok(site_counts().committed == 3, "an array waits");
	site_ok(change(1, OWNER, numbers(50, 0)) == LIBRA_HOST_UNACCEPTABLE &&
			site_says("libra: change the waiting tasks of an array "
				  "one by one, as jobs ARRAY_TASK"),
		"its tasks are not changed together");
	site_ok(change(1, OWNER, same()) == LIBRA_HOST_STOCK,
		"what asks for nothing may be");
	site.views[1].waiting = 1;
	site_ok(change(1, OWNER, numbers(50, 0)) == LIBRA_HOST_ACCEPTED,
		"the last one is a job");
}

/* What a new size leaves out stays as Slurm has it. */
static const struct {
	const char *name;
	struct libra_host_request r;
	uint32_t nprocs;
	uint32_t ncpus;
} sizes[] = {
	{"more CPUs", {.size.ncpus = 6}, 6, 6},
	{"more tasks", {.size.ntasks = 6}, 6, 6},
	{"more CPUs for each task", {.size.cpus_per_task = 2}, 8, 8},
	{"fewer tasks alone leave CPUs", {.size.ntasks = 2}, 4, 4},
	{"fewer CPUs alone leave tasks", {.size.ncpus = 2}, 2, 2},
	{"two tasks of two", {.size.ntasks = 2, .size.cpus_per_task = 2}, 4, 4},
	{"CPUs and two for each task",
	 {.size.ncpus = 6, .size.cpus_per_task = 2},
	 8,
	 8},
	{"more nodes", {.size.min_nodes = 2}, 4, 4},
	{"CPUs and nodes", {.size.ncpus = 3, .size.min_nodes = 2}, 4, 4},
	{"three on each of two nodes",
	 {.size.min_nodes = 2, .size.tasks_per_node = 3},
	 6,
	 6},
};

static void test_sizes(void)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct libra_host_request r = sizes[i].r;

		site_begin(libra);
		waiting(1, 4, 100, 1000);
		r.times.estimate_s = r.times.deadline_s = NAN;
		r.change.size = true;
		site_ok(change(1, OPERATOR, r) == LIBRA_HOST_ACCEPTED &&
				site.reply.ncpus == sizes[i].ncpus &&
				site_promise(1).nprocs == sizes[i].nprocs,
			sizes[i].name);
		if (site_promise(1).nprocs != sizes[i].nprocs ||
		    site.reply.ncpus != sizes[i].ncpus)
			printf("# %u processors, %u CPUs\n",
			       site_promise(1).nprocs, site.reply.ncpus);
	}
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_senseless();
	test_counted();
	test_numbers();
	test_elsewhere();
	test_smaller();
	test_what_stays();
	test_running();
	test_rounded();
	test_limits();
	test_limit_of_cpus();
	test_records();
	test_again();
	test_no_numbers();
	test_lost();
	test_arrays();
	test_sizes();
	site_end();
	return finish();
}
