/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_events.c - what the decision log reports of promises: each decision, and
 * one end for each promise that a job has, whatever happens.
 */
#include "tests/plugin/site.h"

static const char libra[] = "libra_policy=libra,libra_offer_ttl=5";
static const char planned[] = "libra_policy=planned,libra_offer_ttl=5";

/* A promised job that waits. */
static void met(uint32_t id, uint32_t ncpus, double estimate_s, double within_s)
{
	site_submit(id, ncpus, estimate_s, within_s);
	site_place(id);
}

/* Is this the last event of the log, with this behind it? */
static bool last_is(const char *event, const char *field)
{
	FILE *f = fopen(site.declog, "r");
	char line[4096], last[4096] = "", begin[64];

	snprintf(begin, sizeof(begin), "{\"event\":\"%s\",", event);
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "{\"event\":", 9) == 0)
			strcpy(last, line);
	if (f)
		fclose(f);
	if (strncmp(last, begin, strlen(begin)) == 0 && strstr(last, field))
		return true;
	printf("# last: %s# not:  %s %s\n", last, event, field);
	return false;
}

static void test_decisions(void)
{
	struct libra_host_request r;

	site_begin_logged(libra);
	site_submit(1, 4, 500, 1000);
	ok(last_is("decision", "\"user\":7,\"partition\":\"main\","
			       "\"verdict\":\"accept\",\"reason\":\"none\","
			       "\"estimate_s\":500,"
			       "\"deadline_s\":1000001000,\"took_s\":0}"),
	   "a submission that is accepted is reported with its numbers");
	site_submit(2, 8, 900, 1000);
	ok(last_is("decision",
		   "\"verdict\":\"reject\",\"reason\":\"no_share\""),
	   "one that is refused with its reason");
	site_submit(2, 8, 900, -1);
	ok(last_is("decision", "\"verdict\":\"reject\",\"reason\":\"rule\""),
	   "one that no policy is asked about, too");
	r = site_asking(8, 900, 1000);
	r.blocked = true;
	site_ask(3, &r);
	ok(last_is("decision", "\"verdict\":\"later\""),
	   "a job that is held is told so later");
	site_place(3);
	ok(last_is("decision", "\"verdict\":\"reject\",\"reason\":\"no_share\","
			       "\"id\":3,\"deadline_s\":1000001000,"
			       "\"earliest_s\":"),
	   "and the answer comes when it may start");
	site_submit(4, 4, NAN, INFINITY);
	ok(site_decided("\"event\":\"decision\"") == 5,
	   "a job that asks for no promise is not reported");
}

/* What libra explain tells of a job that waits, or is refused, for others. */
static void test_ahead(void)
{
	struct libra_host_request r;

	site_begin_logged(planned);
	met(1, 4, 600, 9000);
	site_start(1);
	met(2, 2, 300, 9000);
	site_start(2);
	met(3, 8, 600, 9000);
	ok(site_decided("\"free\":8,\"ahead\":[],") == 1,
	   "nobody is before the first job");
	ok(site_decided("\"free\":2,\"ahead\":[[1,4,1000000660],"
			"[2,2,1000000360]],") == 1,
	   "one that waits comes after others, and two processors are free");
	site_submit(4, 8, 600, 700);
	ok(site_decided("\"earliest_s\":1000001320,\"free\":2,\"ahead\":"
			"[[1,4,1000000660],[2,2,1000000360]]}") == 1,
	   "so would one that is refused: who waits can move");
	/* An array asks for each task: the log looks for some of them. */
	site_begin_logged(planned);
	met(1, 8, 600, 9000);
	r = site_asking(8, 60, 90000);
	r.array = "1-30";
	site_ask(2, &r);
	ok(site_decided("\"ahead\":[[") == 20,
	   "of many at one instant only some name those before them");
	site_begin_logged(libra);
	met(1, 6, 600, 9000);
	site_submit(2, 8, 900, 900);
	ok(site_decided("\"ahead\"") == 0, "where shares are given nobody is");
}

static void test_ends(void)
{
	site_begin_logged(libra);
	met(1, 1, 100, 1000);
	ok(last_is("promised",
		   "\"id\":1,\"user\":7,\"partition\":\"main\","
		   "\"nprocs\":1,\"estimate_s\":100,"
		   "\"deadline_s\":1000001000,\"state\":\"waiting\"}"),
	   "a promise is reported once it has a job");
	site_start(1);
	ok(last_is("started", "\"state\":\"running\"}"), "its start");
	site.now_s += 50;
	libra_host_ended(site.host, 1);
	ok(last_is("kept", "\"state\":\"running\",\"ran_s\":"),
	   "a job that ends in time has kept it");
	met(2, 1, 100, 1000);
	site_start(2);
	site.now_s += 1100;
	libra_host_ended(site.host, 2);
	ok(last_is("late", "\"cause\":\"it_ran_for_longer_than_its_estimate\""),
	   "one that runs for too long is late");
	met(3, 1, 100, 1000);
	site_start(3);
	site.ends[3] = LIBRA_END_CANCELLED;
	libra_host_ended(site.host, 3);
	ok(last_is("cancelled", "\"state\":\"running\""), "one is cancelled");
	met(4, 1, 100, 1000);
	site_start(4);
	site.ends[4] = LIBRA_END_NODE;
	libra_host_ended(site.host, 4);
	ok(last_is("lost", "\"cause\":\"node_failed\""), "a node fails");
	met(5, 1, 100, 1000);
	site_start(5);
	site.ends[5] = LIBRA_END_REQUEUED;
	libra_host_ended(site.host, 5);
	ok(last_is("lost", "\"cause\":\"requeued\""), "one is requeued");
	met(6, 1, 100, 1000);
	site.states[6] = LIBRA_JOB_GONE;
	site.now_s += 2;
	site_look();
	ok(last_is("cancelled", "\"id\":6"), "one is cancelled as it waits");
	met(8, 1, 100, 1000);
	site.states[8] = LIBRA_JOB_BLOCKED;
	site.now_s += 2;
	site_look();
	site.now_s += 6;
	site_look();
	ok(last_is("released", "\"cause\":\"it is held, dependent or begins "
			       "later\"}"),
	   "one is held");
}

static void test_restored(void)
{
	char params[128];

	site_begin_logged(planned);
	snprintf(params, sizeof(params), "%s,libra_log=%s", planned,
		 site.declog);
	met(1, 8, 600, 1000);
	site_start(1);
	met(2, 8, 600, 2000);
	site_restart(params);
	site_restore(2);
	ok(last_is("restored", "\"id\":2,"), "a plan is restored");
	site_start(1);
	ok(site_decided("\"event\":\"restored\"") == 2 &&
		   site_decided("\"event\":\"started\"") == 1,
	   "and a job that runs, which does not start again");
}

static void test_plans(void)
{
	site_begin_logged(planned);
	met(1, 8, 600, 1000);
	site_start(1);
	met(2, 8, 600, 2000);
	site_look();
	ok(site_decided("\"event\":\"moved\"") == 0,
	   "a plan that stays is not reported");
	site.now_s += 700;
	site_look();
	site.now_s += 100;
	site_look();
	ok(site_decided("\"event\":\"moved\"") >= 1, "one that moves later is");
	site.now_s += 800;
	site_look();
	ok(site_decided("\"event\":\"broken\"") == 1 &&
		   site_decided("\"cause\":\"a_job_before_it_runs_for_longer_"
				"than_it_was_to\"") >= 1,
	   "and one that cannot be kept, once, with the cause");
	libra_host_ended(site.host, 1);
	site_look();
	site_place(2);
	site_start(2);
	site.now_s += 600;
	libra_host_ended(site.host, 2);
	ok(last_is("late", "\"cause\":\"a_job_before_it_runs"),
	   "the end of the late job has that, too");
}

/* ---- each promise has one end ---- */

static uint64_t drawn = 1;

static uint32_t draw(uint32_t n)
{
	drawn = drawn * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(drawn >> 33) % n;
}

static void change_job(uint32_t id)
{
	static const enum libra_host_end ends[] = {
		LIBRA_END_OVER, LIBRA_END_CANCELLED, LIBRA_END_NODE,
		LIBRA_END_REQUEUED};
	struct libra_promise p = site_promise(id);
	bool runs = site.states[id] == LIBRA_JOB_ALIVE;

	if (runs && draw(2)) {
		site.ends[id] = ends[draw(4)];
		libra_host_ended(site.host, id);
		site.states[id] = site.ends[id] == LIBRA_END_REQUEUED
					  ? LIBRA_JOB_PENDING
					  : LIBRA_JOB_GONE;
	} else if (runs) {
		return;
	} else if (!p.offer || site.states[id] == LIBRA_JOB_GONE) {
		free(site.records[id]);
		site.records[id] = NULL;
		site.states[id] = LIBRA_JOB_PENDING;
		site_submit(id, 1 + draw(4), 10 + draw(200), 20 + draw(900));
	} else if (draw(8) == 0) {
		site.states[id] = LIBRA_JOB_GONE;
	} else if (draw(8) == 0) {
		site.states[id] =
			draw(2) ? LIBRA_JOB_BLOCKED : LIBRA_JOB_PENDING;
	} else if (site_place(id) == LIBRA_PLACE_HERE) {
		site_start(id);
	}
}

static unsigned count_ends(void)
{
	static const char *const ends[] = {"kept",     "late",	    "lost",
					   "released", "cancelled", "replaced"};
	char text[64];
	unsigned n = 0;

	for (size_t i = 0; i < 6; i++) {
		snprintf(text, sizeof(text), "{\"event\":\"%s\"", ends[i]);
		n += site_decided(text);
	}
	return n;
}

static void test_balance(const char *params)
{
	struct libra_host_counts counts;
	unsigned promised, ends;
	char name[128];

	site_begin_logged(params);
	for (int i = 0; i < 4000; i++) {
		change_job(1 + draw(SITE_JOBS - 1));
		site.now_s += draw(4) ? 0 : draw(20);
		if (draw(50) == 0) {
			site.nodes[draw(SITE_NODES)] =
				draw(3) ? LIBRA_NODE_UP : LIBRA_NODE_DOWN;
			site.stamp++;
		}
		if (draw(4) == 0)
			site_look();
	}
	counts = site_counts();
	promised = site_decided("{\"event\":\"promised\"") +
		   site_decided("{\"event\":\"restored\"");
	ends = count_ends();
	if (promised - ends != counts.committed + counts.running)
		printf("# %u promised, %u ended, %u wait, %u run\n", promised,
		       ends, counts.committed, counts.running);
	snprintf(name, sizeof(name), "each promise has one end: %s", params);
	ok(promised > 300 && ends > 300 &&
		   promised - ends == counts.committed + counts.running,
	   name);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_decisions();
	test_ahead();
	test_ends();
	test_restored();
	test_plans();
	test_balance(libra);
	test_balance(planned);
	test_balance("libra_policy=band,libra_offer_ttl=5");
	site_end();
	return finish();
}
