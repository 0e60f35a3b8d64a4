/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_away_band.c - promises of band, and nodes that take no job now, and come
 * back by themselves.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/lives.h"

static struct libra_host_away completing(uint32_t expect_s)
{
	return (struct libra_host_away){
		.kind = LIBRA_AWAY_COMPLETING,
		.text = "is completing",
		.expect_s = expect_s,
		.longest_s = 2,
	};
}

static void pass(int s)
{
	for (; s > 0; s--) {
		now_s += 1;
		while (libra_host_look(host))
			;
	}
}

/* Does a job's record say that it is on a node? */
static bool is_on(uint32_t id, char node)
{
	const char *on = records[id] ? strstr(records[id], " on=") : NULL;
	const char *at = on ? strchr(on + 4, node) : NULL;

	return at && at < on + 4 + strcspn(on + 4, " ");
}

static void begin(void)
{
	memset(aways, 0, sizeof(aways));
	for (int i = 0; i < JOBS; i++) {
		free(records[i]);
		records[i] = NULL;
	}
	start_host("libra_policy=band,libra_offer_ttl=60");
}

static void test_offers(void)
{
	begin();
	aways[0] = completing(30);
	ok(submit(1, 2, 60, 70, NULL) && look(1, 0) && !is_on(1, 'a'),
	   "an idle node goes before one that is completing");
	ok(!submit(2, 8, 60, 70, NULL),
	   "a job that needs all nodes is refused if it cannot wait");
	ok(submit(2, 8, 60, 400, NULL), "and accepted if it can");
	look(2, 0);
	ok(records[2] && strstr(records[2], " estimate=60 "),
	   "its record has the estimate that was asked for");
}

static void test_moves(void)
{
	char node;

	begin();
	submit(1, 2, 60, 200, NULL);
	look(1, 0);
	node = 'a';
	while (node < 'd' && !is_on(1, node))
		node++;
	aways[node - 'a'] = completing(60);
	pass(1);
	look(1, 0);
	pass(1);
	ok(look(1, 0) && !is_on(1, node),
	   "a job that has not started moves to a node that is idle");
	for (int i = 0; i < NODES; i++)
		aways[i] = completing(60);
	pass(1);
	ok(look(1, 0), "or waits, where there is none");
	ok(committed() == 1, "with one promise");
}

/* A node that stays away counts as gone. */
static void test_stuck(void)
{
	begin();
	for (int i = 0; i < NODES; i++)
		aways[i] = completing(10);
	pass(1);
	ok(submit(1, 2, 60, 400, NULL), "a wait that has an end is counted");
	pass(25);
	ok(!submit(2, 2, 60, 400, NULL), "one without an end is none");
	memset(aways, 0, sizeof(aways));
	pass(2);
	ok(submit(2, 2, 60, 400, NULL), "until the nodes are back");
}

int main(void)
{
	host = libra_host_create();
	test_offers();
	test_moves();
	test_stuck();
	return finish_lives();
}
