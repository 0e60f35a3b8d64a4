/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_lifecycle.c - jobs as Slurm's scheduler meets them: when each is looked
 * at again, what it loses, and what is written of that.
 *
 * Without Slurm.  Speaks TAP.
 */
#include "plugin/base/units.h"
#include "tests/plugin/site.h"

static const char libra[] = "libra_policy=libra,libra_offer_ttl=60";

static enum libra_host_wanted wants(uint32_t id)
{
	struct libra_host_job seen = site_job(id);

	return libra_host_wants(site.host, &seen);
}

/* All nodes are gone, or back; told, or to be found out. */
static void set_nodes(enum libra_node_state state, bool told)
{
	site.nodes[0] = site.nodes[1] = state;
	site.stamp += told;
}

static void met(uint32_t id, uint32_t ncpus, double estimate_s, double within_s)
{
	site_submit(id, ncpus, estimate_s, within_s);
	site_place(id);
}

/* A job whose nodes are gone asks for others, and loses its promise. */
static void test_lost(void)
{
	unsigned asked;

	site_begin_logged(libra);
	met(1, 8, 600, 1000);
	site_ok(wants(1) == LIBRA_WANTED, "a job that may start is wanted");
	set_nodes(LIBRA_NODE_DOWN, true);
	site_ok(site_place(1) == LIBRA_PLACE_LOST && site_promise(1).lost &&
			site_promise(1).on.len == 0 &&
			site_promise(1).left.len == 0,
		"its nodes are gone, and so is its promise");
	site_ok(site.told[1].estimate_s == 600 &&
			site.told[1].deadline_s == 1e9 + 1000 &&
			site.told[1].share == 0,
		"its record has its numbers, and no share");
	site_ok(site_logged("2 job 1: promise lost: its processors are gone, "
			    "and no others can be promised; it may run as best "
			    "effort\n") == 1,
		"and that is logged");
	site.told[1].estimate_s = 0;
	asked = site_decided("\"call\":\"offer\"");
	site_ok(site_place(1) == LIBRA_PLACE_LOST &&
			site.told[1].estimate_s == 0 &&
			site_logged("promise lost") == 1,
		"once");
	site_ok(site_decided("\"call\":\"offer\"") == asked,
		"the engine is not asked again at once");
	site.now_s += 1;
	site_place(1);
	site_ok(site_decided("\"call\":\"offer\"") == asked + 1,
		"but a second later");
	site_ok(wants(1) == LIBRA_NOT_WANTED,
		"what was lost is not waited for");
	set_nodes(LIBRA_NODE_UP, true);
	site.now_s += 0.5;
	site_ok(site_place(1) == LIBRA_PLACE_HERE && !site_promise(1).lost,
		"when a node is back it is promised again, within a second");
	site_ok(site_logged("2 job 1: promised again\n") == 1,
		"which is logged");
}

/* Another job_submit plugin, behind ours, makes another job of it. */
static void test_changed(void)
{
	static const struct {
		const char *what;
		struct libra_host_job job;
		const char *policy; /* alone; NULL = all */
	} rows[] = {
		{"partition", {.partition = "side"}, NULL},
		{"processors", {.size.ncpus = 5}, NULL},
		{"limit", {.minutes = 11}, "libra_policy=planned"},
	};
	static const char *const policies[] = {"libra_policy=planned",
					       "libra_policy=band", libra};
	const struct libra_host_job same = {
		.partition = "main", .size.ncpus = 4, .minutes = 10};
	char said[128];

	for (size_t i = 0; i < 9; i++) {
		const char *policy = policies[i / 3], *alone;

		alone = rows[i % 3].policy;
		site_begin_logged(policy);
		site_submit(1, 4, 600, 2000);
		site.views[1] = rows[i % 3].job;
		site.views[1].look_only = true;
		snprintf(said, sizeof(said),
			 "promise lost: another job_submit plugin changed its "
			 "%s: name libra last in JobSubmitPlugins",
			 rows[i % 3].what);
		if (alone && strcmp(alone, policy) != 0) {
			site_ok(site_place(1) != LIBRA_PLACE_LOST &&
					!site_promise(1).lost,
				"a limit until the deadline is longer");
			continue;
		}
		site_ok(site_place(1) == LIBRA_PLACE_LOST &&
				site_promise(1).lost && site_logged(said) == 1,
			rows[i % 3].what);
		site_ok(site_counts().committed + site_counts().offers == 0 &&
				site_decided("\"event\":\"lost\"") == 1,
			"its processors are free, and the log says so");
		site.views[1].look_only = false;
		site.now_s += 100;
		site_ok(site_place(1) == LIBRA_PLACE_LOST &&
				site_counts().committed == 0 &&
				site_logged("promise lost") == 1,
			"it is not promised again");
		site_submit(2, 4, 600, 2000);
		site.views[2] = same;
		site_ok(site_place(2) == LIBRA_PLACE_HERE,
			"one that is as it was has its promise");
	}
}

/* Of whole nodes a job has all processors, however few nodes were promised. */
static void test_unchanged_nodes(void)
{
	site_begin("libra_policy=planned");
	site.whole_nodes = true;
	site_restart("libra_policy=planned");
	site_submit(1, 1, 600, 2000);
	site.views[1] = (struct libra_host_job){.partition = "main",
						.size.ncpus = 4,
						.size.min_nodes = 1,
						.minutes = 10};
	site_ok(site_place(1) == LIBRA_PLACE_HERE && !site_promise(1).lost,
		"more tasks than nodes are no change");
	site_submit(2, 1, 600, 2000);
	site.views[2] = site.views[1];
	site.views[2].size.min_nodes = 2;
	site_ok(site_place(2) == LIBRA_PLACE_LOST, "more nodes are");
}

/* The limit that a job has is not known to be another one. */
static void test_unchanged_limit(void)
{
	const double year_s = 365 * 86400.0;

	site_begin("libra_policy=planned");
	site_submit(1, 4, 600, 2000);
	site.views[1] =
		(struct libra_host_job){.minutes = 1000, .longest = true};
	site_ok(site_place(1) == LIBRA_PLACE_HERE && !site_promise(1).lost,
		"backfill's shorter limit hides the job's own");
	site_submit(2, 4, year_s, 2 * year_s);
	site.views[2].minutes = libra_host_from_slurm((uint32_t)(year_s / 60));
	site_ok(site_place(2) == LIBRA_PLACE_HERE && !site_promise(2).lost,
		"a year may be how Slurm lifts a limit");
}

/* A held job has no offer yet: what it asks for later is what was checked. */
static void test_changed_held(void)
{
	struct libra_host_request r;

	site_begin_logged(libra);
	r = site_asking(4, 500, 1000);
	r.blocked = true;
	site_ask(1, &r);
	site_ask(2, &r);
	site.views[1].size.ncpus = 5;
	site_ok(site_place(1) == LIBRA_PLACE_LOST && site_promise(1).lost &&
			site_counts().committed == 0 &&
			site_logged("plugin changed its processors") == 1,
		"a held job that was changed gets no promise");
	site_ok(wants(1) == LIBRA_NOT_WANTED, "nor asks again");
	site_ok(site_place(2) == LIBRA_PLACE_HERE && !site_promise(2).lost,
		"one that is as it was gets its promise");
}

/* One that waits for others has a place where it will run. */
static void test_held(void)
{
	site_begin("libra_policy=band");
	met(1, 8, 100, 400);
	met(2, 8, 100, 1000);
	site_ok(site_place(1) == LIBRA_PLACE_HERE &&
			site_place(2) == LIBRA_PLACE_WAIT,
		"of two for the same processors one waits");
	site_ok(site.at.nparts == 2 && site.at.parts[0].node == 0 &&
			site.at.parts[1].node == 1 &&
			site.at.parts[1].first == 0 &&
			site.at.parts[1].count == 4,
		"and has a place");
}

/* One that waits for its promise ends when it is too late. */
static void test_late(void)
{
	struct libra_host_request r;

	site_begin_logged(libra);
	met(1, 8, 900, 1000);
	r = site_asking(4, 500, 1000);
	r.blocked = true;
	site_ask(2, &r);
	site_ok(site_place(2) == LIBRA_PLACE_WAIT && !site_promise(2).lost &&
			site.at.nparts == 0,
		"there is no room: it waits, and has no place");
	site_ok(wants(2) == LIBRA_NOT_WANTED, "and is not wanted at once");
	site.now_s += 14.9;
	site_ok(wants(2) == LIBRA_NOT_WANTED, "nor soon, as nothing happened");
	site.now_s += 0.1;
	site_ok(wants(2) == LIBRA_WANTED_AGAIN, "but now and then");
	site_place(2);
	site_start(1);
	libra_host_ended(site.host, 1);
	site.now_s += 0.9;
	site_ok(wants(2) == LIBRA_NOT_WANTED, "something became free: not yet");
	site.now_s += 0.2;
	site_ok(wants(2) == LIBRA_WANTED_AGAIN, "but in a second");
	met(3, 8, 960, 970);
	site.now_s = 1e9 + 500;
	site_ok(site_place(2) == LIBRA_PLACE_WAIT,
		"while it could be in time it waits");
	site.now_s += 2;
	site_ok(site_place(2) == LIBRA_PLACE_END, "then it ends");
	site.views[2].look_only = true;
	site_ok(site_place(2) == LIBRA_PLACE_WAIT,
		"but not when Slurm asks whether it could ever run");
	site_ok(wants(9) == LIBRA_NOT_WANTED, "a job of Slurm's is not ours");
}

/* Job 1 is an array of so many tasks, and Slurm asks where it may start. */
static void place_array(const char *array, uint32_t ntasks, double deadline_s)
{
	struct libra_host_request r = site_asking(1, 100, deadline_s);

	r.array = array;
	site_ask(1, &r);
	site.views[1].waiting = ntasks;
	site_place(1);
}

/* Nobody can start it where it was promised, and its deadline has passed. */
static void test_overdue(void)
{
	site_begin_logged(libra);
	place_array("1-3", 3, 200);
	site.now_s += 200;
	site_ok(site_place(1) == LIBRA_PLACE_HERE, "at its deadline it waits");
	site.now_s += 1;
	site_ok(site_place(1) == LIBRA_PLACE_HERE, "and after it");
	site.now_s += 60;
	site_ok(site_place(1) == LIBRA_PLACE_HERE, "for a while");
	site.now_s += 1;
	site_ok(site_place(1) == LIBRA_PLACE_LOST &&
			site_counts().committed == 0,
		"then all of its tasks release what they have");
	site_ok(site_logged("2 job 1: its deadline has passed, and Slurm "
			    "cannot start it on its promised processors\n") ==
			1,
		"and that is logged");
	site.now_s += 100;
	site_ok(site_place(1) == LIBRA_PLACE_LOST &&
			site_logged("its deadline has passed") == 1,
		"once");
}

/* The same where Slurm does not even ask: its partition is closed. */
static void test_unasked(void)
{
	site_begin_logged(libra);
	place_array("1-3", 3, 200);
	site.now_s += 201;
	site_look();
	site.now_s += 59;
	site_look();
	site_ok(site_counts().committed == 3, "nobody asks: not at once");
	site.now_s += 2;
	site_look();
	site_ok(site_counts().committed == 0,
		"but in the end they release what they have");
	site_ok(site_logged("2 job 1: its deadline has passed, and Slurm "
			    "cannot start it on its promised processors\n") ==
			1,
		"and that is logged once");
	site_ok(site_promise(1).on.len == 0, "no processors in its record");
	site_ok(site_place(1) == LIBRA_PLACE_LOST && site_promise(1).lost,
		"asked then, it is lost");
}

/* Tasks that were cancelled leave promises over. */
static void test_trim(void)
{
	site_begin(libra);
	place_array("1-4", 4, 10000);
	site_ok(site_counts().committed == 4 && site_promise(1).tasks == 4,
		"four tasks");
	site.views[1].waiting = 2;
	site_place(1);
	site.now_s += 60;
	site_place(1);
	site_ok(site_counts().committed == 4, "two are gone: not yet");
	site.now_s += 1;
	site_place(1);
	site_look();
	site_ok(site_counts().committed == 2 && site_promise(1).tasks == 2,
		"two promises are left, and its record says so");
	site.views[1].waiting = 0;
	site.now_s += 100;
	site_place(1);
	site_ok(site_counts().committed == 2,
		"a number that is not known trims nothing");
}

static void test_limit(void)
{
	site_begin("libra_policy=libra,libra_grace=600");
	met(1, 1, 60, 1200);
	site.now_s += 60;
	site_ok(site_place(1) == LIBRA_PLACE_HERE && site.at.minutes == 29 &&
			site.at.nparts == 1 && site.at.parts[0].count == 1,
		"a job's limit is what is left until its deadline, with grace");
	site_start(1);
	site_ok(site.at.nparts == 1 && site.at.parts[0].count == 1,
		"and its processors are told when it runs");
	site_begin("libra_policy=planned");
	met(1, 1, 60, 1200);
	site_ok(site_place(1) == LIBRA_PLACE_HERE &&
			site.at.minutes == UINT32_MAX,
		"where starts are planned it keeps its own");
}

static void test_starts(void)
{
	site_begin(libra);
	site.records[5] = strdup("libra:1 offer=0.0 tasks=1 procs=2 "
				 "estimate=60 deadline=1000001000 "
				 "submit=1000000000 shape=1.0.0.0 share=0.1");
	site_start(5);
	site_ok(site_logged("1 job 5 runs without a promise\n") == 1 &&
			site.at.nparts == 0,
		"a job that nobody placed runs, and that is an error");
	free(site.records[5]);
	site.records[5] = strdup(
		"libra:1 offer=0.0 tasks=1 procs=2 "
		"estimate=60 deadline=1000001000 "
		"submit=1000000000 shape=1.0.0.0 share=0.1 promise=lost");
	site_start(5);
	site_ok(site_logged("runs without") == 1,
		"but not of one that lost its promise");
	free(site.records[5]);
	site.records[5] = strdup("libra:9 what=ever");
	site_start(5);
	site_ok(site_logged("1 job 5: the promise in its admin_comment is "
			    "damaged") == 1,
		"a damaged record is told");
	free(site.records[5]);
	site.records[5] = strdup("a word of the site");
	site_start(5);
	site_ok(site_logged("damaged") == 1, "a site's own word is not");
	met(1, 8, 600, 1000);
	site_start(1);
	site_start(1);
	site_ok(site_counts().running == 1, "what runs is told of twice");
	site_look();
	site_ok(site_promise(1).left.len > 0,
		"its record has what is left of it");
	libra_host_ended(site.host, 1);
	libra_host_ended(site.host, 1);
	site_ok(site_counts().running == 0 &&
			site_submit(2, 8, 999, 1000) == LIBRA_HOST_ACCEPTED,
		"over, it holds nothing");
}

/* A partition that is not ours any more. */
static void test_unmanaged(void)
{
	struct libra_host_request r = site_asking(4, 600, 1000);
	struct libra_host_job seen;

	site_begin(libra);
	r.partition = "side";
	site_ask(1, &r);
	site_place(1);
	site_restart("libra_policy=libra,libra_partitions=main");
	site_ok(wants(1) == LIBRA_NOT_WANTED, "its jobs are not wanted");
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 0, "nor kept a promise");
	site_start(1);
	site_ok(site_counts().running == 0 && !site_logged("without"),
		"and run as Slurm's");
}

/* Slurm starts a job again in two minutes. */
static void test_keep(void)
{
	struct libra_host_job seen;

	site_begin(libra);
	met(1, 4, 400, 1000);
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 1 && !site_logged("keeps a promise"),
		"who has a promise needs none");
	site_start(1);
	site.now_s += 100;
	libra_host_ended(site.host, 1);
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 1 &&
			site_logged("2 job 1 waits for Slurm to start it "
				    "again, and keeps a promise until then\n"),
		"one that ran for nothing keeps one");
	libra_host_flush_records(site.host);
	/* 400 s and a wait of 125 s in 900 s. */
	site_ok(site_near(site_promise(1).share, 525.0 / 900),
		"that has its wait in it");
	site_ok(site_place(1) == LIBRA_PLACE_HERE, "it may start");
	site_start(1);
	site_look();
	site_ok(site_near(site_promise(1).share, 400.0 / 900) &&
			site_promise(1).estimate_s == 400,
		"and then has its own estimate");
	libra_host_ended(site.host, 1);
	met(2, 8, 890, 900);
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(site_logged("2 job 1 waits for Slurm to start it again, and "
			    "there is no room to promise it anything until "
			    "then: it asks again\n") == 1,
		"where there is no room it reads so");
	libra_host_ended(site.host, 2);

	free(site.records[3]);
	site.records[3] = strdup("libra:1 offer=0.0 tasks=1 procs=2 "
				 "estimate=60 deadline=1000001000 "
				 "submit=1000000000 shape=1.0.0.0 share=0.1");
	site_begin(libra);
	site.records[3] = strdup(
		"libra:1 offer=1.1 tasks=1 procs=2 "
		"estimate=60 deadline=1000001000 "
		"submit=1000000000 shape=1.0.0.0 share=0.1 promise=lost");
	seen = site_job(3);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 0, "what was lost is not kept");
	free(site.records[3]);
	site.records[3] = strdup("libra:1 offer=0.0 tasks=1 procs=2 "
				 "estimate=60 deadline=1000001000 "
				 "submit=1000000000 shape=1.0.0.0 share=0.1");
	seen = site_job(3);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 0, "nor what had no promise");
	site_begin("libra_policy=planned");
	met(1, 4, 360, 1000);
	site_start(1);
	libra_host_ended(site.host, 1);
	seen = site_job(1);
	libra_host_keep(site.host, &seen);
	site_ok(site_counts().committed == 0 && !site_logged("waits for Slurm"),
		"plans have begin times of their own");
}

/* Slurm cannot start it: it is tried again when something has ended. */
static void test_tries(void)
{
	site_begin(libra);
	met(1, 4, 100, 1000);
	met(2, 4, 100, 1000);
	site_start(2);
	site_ok(libra_host_may_try(site.host, 1) &&
			libra_host_may_try(site.host, 9),
		"who was never tried may be, and who is not ours");
	for (int i = 0; i < 20; i++)
		libra_host_tried(site.host, 1);
	libra_host_tried(site.host, 9);
	site.now_s += 14.9;
	site_ok(!libra_host_may_try(site.host, 1) &&
			wants(1) == LIBRA_NOT_WANTED,
		"tried often, it is not tried for 15 s");
	site.now_s += 0.2;
	site_ok(libra_host_may_try(site.host, 1) &&
			wants(1) == LIBRA_WANTED_AGAIN,
		"then again");
	libra_host_tried(site.host, 1);
	site.now_s += 0.3;
	site_ok(!libra_host_may_try(site.host, 1), "and then not");
	libra_host_ended(site.host, 2);
	site_ok(libra_host_may_try(site.host, 1),
		"until a job has ended: after 0.2 s");
	libra_host_tried(site.host, 1);
	site.now_s += 0.3;
	site.nodes[1] = LIBRA_NODE_DRAIN;
	site.stamp++;
	site_look();
	site_ok(libra_host_may_try(site.host, 1), "or a node has changed");
}

/* A limit holds the tasks of an array back. */
static void test_limited(void)
{
	struct libra_host_request r;

	site_begin(libra);
	r = site_asking(4, 600, 1000);
	r.array = "1-2";
	site_ask(1, &r);
	site.views[1].waiting = 2;
	site_place(1);
	libra_host_limited(site.host, 1, "a limit of its account or QOS");
	site.now_s += 30;
	libra_host_limited(site.host, 1, "a limit of its account or QOS");
	site.now_s += 31;
	site_look();
	site_ok(site_counts().committed == 0,
		"a minute after the first time both release their promises");
	site_ok(site_logged("2 job 1 released its promise: a limit of its "
			    "account or QOS does not let it start; it asks "
			    "again when it may\n") == 2,
		"and the log says why");
	site_ok(site_place(1) == LIBRA_PLACE_HERE &&
			site_counts().committed == 2,
		"they ask again");
	libra_host_limited(site.host, 1, "a limit of its account or QOS");
	libra_host_limited(site.host, 1, NULL);
	site.now_s += 61;
	site_look();
	site_ok(site_counts().committed == 2, "what is over does not count");
}

/* A rule of its partition keeps a job from ever starting. */
static void look_after(double s)
{
	site.now_s += s;
	site_look();
}

static void test_barred(void)
{
	static const char rule[] = "MaxNodes of its partition";

	site_begin("libra_policy=band");
	met(1, 8, 100, 1000);
	site_place(1);
	site.barriers[1] = rule;
	look_after(1);
	look_after(4);
	site.barriers[1] = NULL;
	look_after(1);
	site.barriers[1] = rule;
	look_after(1);
	look_after(4);
	site_ok(site_counts().committed == 1,
		"a rule of a moment costs no promise");
	look_after(1);
	site_ok(site_counts().committed == 0,
		"one of five seconds has it released");
	site_ok(site_logged("2 job 1 released its promise: MaxNodes of its "
			    "partition does not let it start; it asks again "
			    "when it may\n") == 1,
		"and the log says why");
	site_ok(site_promise(1).on.len == 0 && !site_promise(1).lost,
		"the record names no processors, and nothing is lost");
	site_ok(site_submit(2, 8, 50, 60) == LIBRA_HOST_ACCEPTED,
		"others have all processors");
	site_ok(wants(1) == LIBRA_NOT_WANTED &&
			site_place(1) == LIBRA_PLACE_WAIT &&
			site_counts().committed == 0,
		"the job asks again after a while");
	site.barriers[1] = NULL;
	site.now_s += 15;
	site_ok(wants(1) == LIBRA_WANTED_AGAIN, "but it does");
	site_place(1);
	site_ok(site_counts().committed == 1, "and has a promise again");
}

/* What keeps a waiting job off keeps a submission off, too. */
static void test_denied(void)
{
	static const char said[] =
		"libra: partition main has MaxNodes=1: give fewer --nodes";

	site_begin("libra_policy=band,libra_refused=queue");
	site.rules.denial = (struct libra_host_denial){
		.rule = "MaxNodes",
		.advice = ": give fewer --nodes",
		.name = "main",
		.value = "1",
	};
	site_ok(site_submit(1, 4, 100, 1000) == LIBRA_HOST_UNACCEPTABLE &&
			site_says(said) && site.reply.denied,
		"a submission that a rule forbids is refused");
	site_ok(site_counts().offers == 0, "nothing is held for it");
	site.rules.denial.of_qos = true;
	site_submit(1, 4, 100, 1000);
	site_ok(strncmp(site.text, "libra: QOS main has", 19) == 0,
		"a QOS is named as such");
	site_ok(site_submit(1, 4, NAN, INFINITY) == LIBRA_HOST_STOCK,
		"without a deadline it is Slurm's own");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_lost();
	test_changed();
	test_unchanged_nodes();
	test_unchanged_limit();
	test_changed_held();
	test_held();
	test_late();
	test_overdue();
	test_unasked();
	test_trim();
	test_limit();
	test_starts();
	test_unmanaged();
	test_keep();
	test_tries();
	test_limited();
	test_barred();
	test_denied();
	site_end();
	return finish();
}
