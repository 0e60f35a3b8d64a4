/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_boots.c - promises where Slurm powers nodes down, which then have to
 * boot.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

/* Slurm counts a limit from when the node has booted. */
static void test_boots(void)
{
	boot_s[2] = 200;
	heard[0] = '\0';
	begin("libra_margin=10", true);
	ok(hear("plans count 200 s more than libra_margin=10: "),
	   "nodes that are powered down have to boot");
	sleeper = 2;
	sleeper_s = 200;
	ok(submit(1, 10, 600 + 199, 4) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "boot for up to 3 min 20 s: try "
				      "--deadline=now+15minutes"),
	   "a deadline that has no room for that is refused");
	ok(submit(1, 10, 600 + 201, 4) == LIBRA_HOST_ACCEPTED,
	   "one that has is not");
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600 + 210)) < 1,
	   "and the next plan begins so much later");
	set_cluster("libra_margin=10", true);
	ok(place(1) == LIBRA_PLACE_HERE,
	   "which is counted once, however often the settings are read");
	begin("libra_margin=10", true);
	sleeper = NODES;
	ok(submit(1, 10, 600 + 199, 4) == LIBRA_HOST_ACCEPTED,
	   "where all are awake one starts at once");
	now_s += 61; /* the offer is over */
	libra_host_look(host);
	sleeper = 2;
	ok(place(1) != LIBRA_PLACE_HERE,
	   "where one sleeps it is not promised that when it asks again");
	sleeper = NODES;
	now_s += 2;
	ok(place(1) == LIBRA_PLACE_HERE, "and is where it is awake");
	boot_s[2] = 0;
}

/* A near deadline of who may not have the node that sleeps. */
static void test_sleepers(void)
{
	struct libra_host_request r;

	boot_s[2] = 200;
	begin("libra_margin=10", false);
	sleeper = 2;
	sleeper_s = 200;
	r = asking(10, 600 + 199, 1);
	ok(ask(1, &r) == LIBRA_HOST_REFUSED,
	   "a node that sleeps is too late for who may have it");
	r.nodes.exclude = "2";
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED, "and not for who leaves it out");
	r.nodes.exclude = NULL;
	r.mem.per_node = r.mem.hold_per_node = 1001;
	ok(ask(2, &r) == LIBRA_HOST_ACCEPTED,
	   "nor for whom it has too little memory");
	r.mem.per_node = r.mem.hold_per_node = 1000;
	ok(ask(3, &r) == LIBRA_HOST_REFUSED, "but for whom it has enough");
	r.mem.per_node = r.mem.hold_per_node = 0;
	r.gres.node = "gpu:h100:1";
	ok(ask(3, &r) == LIBRA_HOST_ACCEPTED, "nor for whose GPUs it has not");
	r.gres.node = NULL;
	nodes[2] = LIBRA_NODE_DRAIN;
	ok(ask(4, &r) == LIBRA_HOST_ACCEPTED, "nor where it is drained");
	nodes[2] = LIBRA_NODE_UP;
	boot_s[2] = 0;
	sleeper = NODES;
}

/* Slurm's record is just what we see of it. */
static struct libra_host_job view(const void *record)
{
	return *(const struct libra_host_job *)record;
}

static enum libra_host_answer modify(uint32_t mins, double within_s,
				     const char *exclude)
{
	struct libra_host_request r = {
		.times.estimate_s = mins ? 60.0 * mins : NAN,
		.times.limit_s = 60.0 * mins,
		.times.deadline_s = within_s ? now_s + within_s : NAN,
	};
	struct libra_host_job seen = {.job_id = 1,
				      .comment = records[1],
				      .minutes = minutes[1],
				      .size.ncpus = 1,
				      .nodes.exclude = exclude};
	enum libra_host_answer answer;
	struct libra_host_reply reply;

	libra_host_modify(host, &seen, 0, &r, &reply);
	answer = reply.answer;
	free(reply_text);
	reply_text = strdup(reply.text ? reply.text : "");
	libra_host_reply_fini(&reply);
	return answer;
}

/* The same of a job that waits, when its numbers are changed. */
static void test_updates(void)
{
	struct libra_host_ops viewing = ops;

	viewing.view = view;
	boot_s[2] = 200;
	libra_host_fini(host);
	libra_host_init(host, &viewing);
	set_cluster("libra_margin=10", false);
	submit(1, 10, 3600, 1);
	ok(place(1) == LIBRA_PLACE_HERE, "a job has its promise");
	sleeper = 2;
	sleeper_s = 200;
	ok(modify(0, 600 + 199, NULL) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "boot for up to 3 min 20 s: try "),
	   "a deadline too near for a boot is refused");
	ok(modify(60, 0, NULL) == LIBRA_HOST_REFUSED, "so is a longer run");
	ok(modify(0, 600 + 199, "2") == LIBRA_HOST_ACCEPTED,
	   "not to who leaves that node out");
	ok(modify(0, 600 + 150, NULL) == LIBRA_HOST_REFUSED,
	   "a nearer one is refused");
	ok(modify(0, 600 + 199.5, NULL) == LIBRA_HOST_ACCEPTED,
	   "a later one is not, however near: it has that promise");
	ok(modify(0, 600 + 201, NULL) == LIBRA_HOST_ACCEPTED,
	   "nor one that has room for it");
	boot_s[2] = 0;
	sleeper = NODES;
	libra_host_fini(host);
	libra_host_init(host, &ops);
}

/* Slurm starts nothing on a node that powers down until it is off. */
static void test_powers_down(void)
{
	boot_s[2] = 230;
	begin("libra_margin=10", true);
	sleeper = 2;
	sleeper_s = 230;
	ok(submit(1, 10, 600 + 229, 4) == LIBRA_HOST_REFUSED &&
		   strstr(reply_text, "boot for up to 3 min 50 s: try "
				      "--deadline=now+15minutes"),
	   "that a node powers down counts");
	sleeper_s = 200;
	ok(submit(1, 10, 600 + 199, 4) == LIBRA_HOST_REFUSED,
	   "when it is off its boot alone does");
	ok(submit(1, 10, 600 + 229, 4) == LIBRA_HOST_ACCEPTED,
	   "for which there is room then");
	ok(submit(2, 10, 36000, 4) == LIBRA_HOST_ACCEPTED &&
		   fabs(reply_start_s - (T0 + 600 + 240)) < 1,
	   "and plans count both");
	boot_s[2] = 0;
	sleeper = NODES;
}

/* After the settings were read again. */
static void start_again(uint32_t id)
{
	const struct libra_host_job job = {.job_id = id,
					   .comment = records[id],
					   .start_s = T0,
					   .minutes = minutes[id]};
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	machine_take(id, &p, keep);
}

/* Another boot time makes another engine: all is planned again, and no promise
 * is lost.  One that has less room than plans have now counts as late until the
 * job before it has ended in time.
 */
static void test_changed(void)
{
	begin("libra_margin=10", true);
	submit(1, 10, 3600, 4);
	place(1);
	start(1);
	submit(2, 10, 1300, 4);
	place(2);
	submit(3, 10, 36000, 4);
	place(3);
	boot_s[2] = 200;
	now_s += 60;
	set_cluster("libra_margin=10", true);
	start_again(1);
	restore(2);
	restore(3);
	libra_host_look(host);
	flush();
	ok(place(2) == LIBRA_PLACE_WAIT && place(3) == LIBRA_PLACE_WAIT &&
		   fabs(starts[2] - (T0 + 600 + 210)) < 1 &&
		   fabs(starts[3] - (T0 + 2 * (600 + 210))) < 1,
	   "with another boot time all are planned again, in their order");
	ok(strstr(records[2], " late=110 ") && !strstr(records[3], " late="),
	   "who has no room for that is told");
	now_s = T0 + 600;
	job_ends(1);
	ok(place(2) == LIBRA_PLACE_HERE, "and starts in time all the same");
	start(2);
	flush();
	ok(!strstr(records[2], " late="), "which is told, too");
	boot_s[2] = 0;
}

/* What is counted is said, not what would have been. */
static void test_limits(void)
{
	boot_s[2] = 200;
	*heard = '\0';
	begin("libra_margin=999900", true);
	ok(hear("plans count 100 s more than libra_margin=999900: ") &&
		   hear("a boot of up to 200 s may break a promise"),
	   "a margin has an end, and that is said");
	*heard = '\0';
	begin("libra_margin=10", true);
	ok(!hear("may break"), "where there is room for all it is not");
	*heard = '\0';
	begin("libra_margin=56.4", true);
	ok(!hear("may break"), "whatever a sum of them is rounded to");
	boot_s[2] = UINT16_MAX + 30;
	*heard = '\0';
	begin("libra_margin=10", true);
	ok(hear("plans count 65565 s more than libra_margin=10: ") &&
		   hear("a timeout of INFINITE counts as 65535 s: "),
	   "of an endless ResumeTimeout, too");
	boot_s[2] = 0;
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	test_boots();
	test_powers_down();
	test_sleepers();
	test_updates();
	test_changed();
	test_limits();
	return finish_plans();
}
