/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_sync.c - what happens by itself: nodes, held jobs, offers that nobody
 * came for, suspended jobs, charges and the clock.
 *
 * Without Slurm.  Speaks TAP.
 */
#include "tests/plugin/site.h"

static const char libra[] = "libra_policy=libra,libra_offer_ttl=60";

static void met(uint32_t id, uint32_t ncpus, double estimate_s, double within_s)
{
	site_submit(id, ncpus, estimate_s, within_s);
	site_place(id);
}

/* Eight processors for all of the time until a deadline: are they free? */
static bool all_free(void)
{
	struct libra_host_request r = site_asking(8, 999, 1000);
	bool is = site_ask(0, &r) == LIBRA_HOST_ACCEPTED;

	site.now_s += 61; /* it expires */
	site_look();
	return is;
}

static void test_offers(void)
{
	site_begin_logged(libra);
	site_submit(0, 8, 999, 1000);
	site.now_s += 59.5;
	site_look();
	site_ok(site_counts().offers == 1, "an offer lives for a minute");
	site.now_s += 1;
	site_look();
	site_ok(site_counts().offers == 0 &&
			site_logged(
				"2 offer 1 expired: no job came for it\n") == 1,
		"and expires, which is logged");
	site_ok(all_free(), "it leaves nothing behind");
}

/* Once a second what is due is done, and the log says so. */
static void test_schedule(void)
{
	unsigned n;

	site_begin_logged(libra);
	met(1, 1, 100, 1000);
	site_look();
	n = site_decided("\"call\":\"schedule\"");
	site.now_s += 0.9;
	site_look();
	site_ok(site_decided("\"call\":\"schedule\"") == n,
		"nothing is due within a second");
	site.now_s += 0.1;
	site_look();
	site_look();
	site_ok(site_decided("\"call\":\"schedule\"") == n + 1, "then once");
}

/* A planned start is due when it comes, and not sooner. */
static void test_due(void)
{
	unsigned n;

	site_begin_logged("libra_policy=planned,libra_machine_reserve=no,"
			  "libra_hold_back=0,libra_margin=0");
	met(1, 8, 60, 1000);
	site_start(1);
	met(2, 8, 60, 1000);
	site.now_s += 59.5;
	site_look();
	n = site_decided("\"call\":\"schedule\"");
	site.now_s += 0.25;
	site_look();
	site_ok(site_decided("\"call\":\"schedule\"") == n,
		"while a start is planned nothing is due");
	site.now_s += 0.25;
	site_look();
	site_ok(site_decided("\"call\":\"schedule\"") > n,
		"when it comes it is, within the second");
}

static void test_nodes(void)
{
	unsigned n;

	site_begin_logged(libra);
	met(1, 8, 100, 1000);
	site_place(1);
	site.asked_nodes = 0;
	site_place(1);
	site_ok(site.asked_nodes == 0, "nodes are asked for once a second");
	site.now_s += 0.9;
	site_place(1);
	site_ok(site.asked_nodes == 0, "not sooner");
	site.now_s += 0.1;
	site_place(1);
	site_ok(site.asked_nodes == 2, "both of them");
	site.stamp++;
	site_place(1);
	site_ok(site.asked_nodes == 4, "or when something has changed");
	site_place(1);
	site_ok(site.asked_nodes == 4, "once");
	n = site_decided("\"call\":\"node\"");
	site.nodes[1] = LIBRA_NODE_DRAIN;
	site.stamp++;
	site_look();
	site_look();
	site_ok(site_decided("\"call\":\"node\"") == n + 1,
		"a drain is told to the engine once");
	site.nodes[1] = LIBRA_NODE_UP;
	site.reserved[0] = true;
	site.stamp++;
	site_ok(site_submit(2, 8, 10, 1000) == LIBRA_HOST_REFUSED &&
			site_submit(2, 4, 10, 1000) == LIBRA_HOST_ACCEPTED,
		"a node that is reserved is none for promises");
	site.reserved[0] = false;
	site.stamp++;
	site_ok(site_submit(2, 8, 10, 1000) == LIBRA_HOST_ACCEPTED,
		"until it is free again");
}

/* What is held for longer than an offer lives is released. */
static void test_held(void)
{
	site_begin(libra);
	met(1, 8, 999, 1000);
	site.states[1] = LIBRA_JOB_BLOCKED;
	site_look();
	site.now_s += 40;
	site_look();
	site.states[1] = LIBRA_JOB_PENDING;
	site.now_s += 2;
	site_look();
	site.states[1] = LIBRA_JOB_BLOCKED;
	site.now_s += 2;
	site_look();
	site.now_s += 60;
	site_look();
	site_ok(site_counts().committed == 1,
		"held twice, it keeps its promise for a minute each");
	site.now_s += 1;
	site_look();
	site_ok(site_counts().committed == 0 &&
			site_logged("3 job 1 released its promise\n") == 1 &&
			site_logged("a limit of its account") == 0,
		"and no longer");
	site_look();
	site_ok(site_promise(1).on.len == 0,
		"its record names no processors any more");
	site_ok(all_free(), "which are free");
	met(2, 8, 999, 1000);
	site.states[2] = LIBRA_JOB_GONE;
	site.now_s += 2;
	site_look();
	site_ok(site_counts().committed == 0 &&
			site_logged("3 job 2 released its promise\n") == 1,
		"what is gone releases it at once");
	site_ok(all_free(), "all of it");
}

/* Asking for all jobs takes a second each: not at every refusal. */
static void test_sweep(void)
{
	site_begin(libra);
	met(1, 4, 990, 1000);
	met(2, 4, 990, 1000);
	site_look();
	site.asking_s = 0.25;
	site.asked_jobs = 0;
	site_submit(0, 8, 990, 1000);
	site_ok(site.asked_jobs >= 2, "a refusal has all jobs asked for");
	site.asking_s = 0;
	site.asked_jobs = 0;
	/* The sweep took 0.5 s: the next comes after ten. */
	site.now_s += 0.3;
	site.states[1] = site.states[2] = LIBRA_JOB_GONE;
	site_ok(site_submit(0, 8, 980, 1000) == LIBRA_HOST_REFUSED &&
			site.asked_jobs == 0,
		"the next one does not, if that took long");
	site_look();
	site.now_s += 11;
	site_look();
	site_ok(site_counts().committed == 0, "what is gone is found later");
	met(3, 8, 990, 1000);
	site_look();
	site.states[3] = LIBRA_JOB_GONE;
	site_ok(site_submit(0, 8, 990, 1000) == LIBRA_HOST_ACCEPTED,
		"and ten seconds later at once");
}

static void overwrite(uint32_t id, const char *text)
{
	free(site.records[id]);
	site.records[id] = strdup(text);
}

/* Has a job its record, and was that written once? */
static bool is_again(uint32_t id)
{
	struct libra_promise p;
	unsigned before = site.writes[id];

	site.now_s += 1;
	site_look();
	site.now_s += 1;
	site_look();
	return site.writes[id] == before + 1 &&
	       libra_admin_comment_parse(site.records[id], &p) == 0 &&
	       p.on.len + p.start.len > 0;
}

/* By scancel --admin-comment: Slurm asks nobody. */
static void overwritten(const char *settings)
{
	struct libra_host_placement p = {0};
	unsigned writes;

	site_begin(settings);
	met(1, 8, 100, 4000);
	site_start(1);
	met(2, 8, 100, 4000);
	site_look();
	site.now_s += 5;
	site_look();
	writes = site.writes[1] + site.writes[2];
	site.now_s += 5;
	site_look();
	site_ok(site.writes[1] + site.writes[2] == writes,
		"a record that is as it was is left alone");
	overwrite(1, "seen by ops");
	site_ok(is_again(1), "of a job that runs it is written again");
	overwrite(2, "");
	site_ok(is_again(2), "and of one that waits");
	overwrite(2, "libra:1 forged");
	site_ok(is_again(2), "whatever the text looks like");
	overwrite(1, "the end");
	libra_host_record(site.host, 1, &p);
	site_ok(p.record.comment &&
			strncmp(p.record.comment, "libra:1 ", 8) == 0,
		"it can be had before the job ends");
	free(p.record.comment);
	libra_host_ended(site.host, 1);
	libra_host_record(site.host, 1, &p);
	site_ok(!p.record.comment, "a job that is over has none");
	overwrite(2, "seen by ops");
	site.states[2] = LIBRA_JOB_GONE;
	site.now_s += 5;
	site_look();
	site_ok(strcmp(site.records[2], "seen by ops") == 0,
		"nor one that is gone");
}

/* Its tasks have one record; one that runs has its own. */
static void test_overwritten_tasks(void)
{
	struct libra_host_request r = site_asking(1, 100, 4000);
	unsigned writes;

	site_begin(libra);
	r.array = "1-3";
	site_ok(site_ask(5, &r) == LIBRA_HOST_ACCEPTED, "an array");
	site.views[5].waiting = 3;
	site_place(5);
	site_look();
	writes = site.writes[5];
	site.now_s += 5;
	site_look();
	site_ok(site.writes[5] == writes, "has its record");
	overwrite(5, "seen by ops");
	site_ok(is_again(5) && strstr(site.records[5], " tasks=3 "),
		"and gets it again");
}

/* 600 s by 1000; after 10 s it stands still for 300 s: 590 s are left of 690.
 */
static void test_suspended(void)
{
	site_begin(libra);
	met(1, 8, 600, 1000);
	site_start(1);
	site.now_s += 10;
	libra_host_suspended(site.host, 1, true);
	libra_host_suspended(site.host, 1, true);
	site.now_s += 300;
	site_look();
	site_ok(site_submit(0, 8, 110, 690) == LIBRA_HOST_REFUSED,
		"a suspended job keeps what it has left");
	site_ok(site_submit(0, 8, 90, 690) == LIBRA_HOST_ACCEPTED,
		"and no more");
	site.now_s += 90; /* 590 s are left of 600 */
	site_look();
	libra_host_suspended(site.host, 1, false);
	libra_host_suspended(site.host, 1, false);
	site.now_s += 100;
	site_look();
	site_ok(site_submit(0, 8, 20, 500) == LIBRA_HOST_REFUSED &&
			site_submit(0, 8, 9, 500) == LIBRA_HOST_ACCEPTED,
		"when it goes on it makes progress: 490 s of 500");
	site_look();
	site_ok(strstr(site.records[1], "left=") != NULL,
		"which its record has");
	libra_host_suspended(site.host, 9, true);
	libra_host_ended(site.host, 1);
	site_ok(site_counts().running == 0, "it ends as any");
}

/* Slurm charges the part of the processors that a job had. */
static void test_charges(void)
{
	site_begin(libra);
	met(1, 8, 600, 1800);
	met(2, 8, 600, 1800);
	site_start(1);
	site_start(2);
	site.now_s += 1;
	site_look();
	site_ok(site.charges == 0, "at its start nothing is told");
	site.now_s += 0.4;
	site_look();
	site_ok(site.charges == 0, "nor before there is a mean");
	site.now_s += 0.6;
	site_look();
	site_ok(site.charges == 2 && site_near(site.charged[1], 0.5) &&
			site_near(site.charged[2], 0.5),
		"two jobs have halves");
	for (int i = 0; i < 5; i++) {
		site.now_s += 1;
		site_look();
	}
	site_ok(site.charges == 2, "what stays so is not told again");
	libra_host_suspended(site.host, 2, true);
	site.now_s += 2;
	site_look();
	site_ok(site.charges == 2,
		"what stands still is charged nothing new, and keeps its half");
	site_begin("libra_policy=planned");
	met(1, 8, 600, 1800);
	site_start(1);
	for (int i = 0; i < 5; i++) {
		site.now_s += 1;
		site_look();
	}
	site_ok(site.charges == 0, "planned jobs have all, as Slurm charges");
}

/* A mean is of a minute, and then of another. */
static void test_means(void)
{
	site_begin(libra);
	met(1, 8, 600, 1800);
	met(2, 8, 600, 1800);
	site_start(1);
	site_look();
	site.now_s += 60;
	site_look();
	site_ok(site.charges == 0, "alone for a minute it has all");
	site_start(2);
	site.now_s += 10;
	site_look();
	/* Beside 600 s of the other, 540 s are left of it. */
	site_ok(site_near(site.charged[1], 540.0 / 1140),
		"the next minute begins at the end of that one");
}

/* A pause between two readings of clocks is no step of one. */
static void test_clock(void)
{
	site_begin_logged(libra);
	met(1, 8, 600, 1000);
	site_start(1);
	site.now_s += 10;
	site_look();
	site.pause_s = 10;
	site_look();
	site_ok(site_logged("clock") == 0, "a late reading is read again");
	site.steady_s += 5;
	site_look();
	site_ok(site_logged("clock") == 0, "five seconds are left alone");
	site.steady_s += 0.5;
	site.now_s += 0.5;
	site_look();
	site_ok(site_logged("1 the clock was set forward by 6 s: jobs keep the "
			    "progress that they had made, deadlines stay, and "
			    "shares are counted anew\n") == 1,
		"a little more is not");
	site_look();
	site_ok(site_logged("clock") == 1, "and is told once");
	site.steady_s -= 100;
	site.now_s -= 100;
	site_look();
	site_ok(site_logged("1 the clock was set back by 100 s: ") == 1 &&
			site_decided("\"call\":\"clock\"") == 2,
		"back as well, to the engine, too");
	site_begin("libra_policy=planned");
	site.steady_s += 3600;
	site.now_s += 3600;
	site_look();
	site_ok(site_logged("1 the clock was set forward by 1 h: jobs keep "
			    "the progress that they had made, deadlines stay, "
			    "and plans are made anew\n") == 1,
		"plans follow");
}

/* What is held, limited, left over or late is so for as long as before. */
static void test_steps(void)
{
	struct libra_host_request r;

	site_begin(libra);
	met(1, 1, 10, 100000);
	met(2, 1, 10, 100000);
	r = site_asking(1, 10, 100000);
	r.array = "1-2";
	site_ask(3, &r);
	site.views[3].waiting = 2;
	site_place(3);
	site.views[3].waiting = 1;
	met(4, 1, 10, 20);
	site.now_s += 21;
	site_place(4);
	site.states[1] = LIBRA_JOB_BLOCKED;
	libra_host_limited(site.host, 2, "a limit");
	site_place(3);
	site_look();
	site_ok(site_counts().committed == 5, "four jobs wait for something");
	site.now_s += 3600;
	site.steady_s += 3600;
	site_look();
	site_place(3);
	site_place(4);
	site.now_s += 30;
	site_look();
	site_place(3);
	site_place(4);
	site_ok(site_counts().committed == 5,
		"an hour of the clock is not that long");
	site.now_s += 32;
	site_look();
	site_place(3);
	site_place(4);
	site_look();
	site_ok(site_counts().committed == 1, "a minute is");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_offers();
	test_schedule();
	test_due();
	test_nodes();
	test_held();
	test_sweep();
	overwritten(libra);
	overwritten("libra_policy=planned,libra_machine_reserve=no,"
		    "libra_hold_back=0,libra_margin=0");
	test_overwritten_tasks();
	test_suspended();
	test_charges();
	test_means();
	test_clock();
	test_steps();
	site_end();
	return finish();
}
