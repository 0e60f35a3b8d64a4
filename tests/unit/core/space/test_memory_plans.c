/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_memory_plans.c - what is left of plans when memory runs out.
 *
 * As test_memory.c, where plans are by node: 6 nodes of 8 processors with 64 GB
 * of memory.  Jobs that are promised, restored, waited for and stopped for,
 * nodes that are out: each call with a failure at its first, second, ...
 * allocation, until none fails.
 */
#include "core/engine_impl.h"
#include "core/space/holds.h"
#include "core/space/nodes.h"
#include "core/space/planned.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define NNODES 6
#define PROCS  8
#define NJOBS  400

static struct libra_engine *open_engine(bool by_node)
{
	static const uint32_t procs[] = {8, 8, 8, 8, 8, 8};
	static const uint64_t memory[] = {64, 64, 64, 64, 64, 64};

	return host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("planned", NULL),
			.node_procs = procs,
			.nnodes = NNODES,
			.offer_ttl_s = INFINITY,
			.by_node = by_node,
			.nresources = by_node,
			.node_resources = by_node ? memory : NULL,
		},
		"machine_reserve=0 margin=5");
}

/* ---- what an engine holds ---- */

static uint32_t free_spans(const struct libra_nodes *r)
{
	uint32_t n = 0;

	for (uint32_t i = r->free_span; i != LIBRA_NO_SPAN;
	     i = r->spans[i].next)
		n++;
	return n;
}

/* Spans that are in use, but for those that were tried last. */
static uint32_t used_spans(const struct libra_engine *e)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t tried = 0;

	if (!r)
		return 0;
	for (uint32_t i = 0; i < r->ntried; i++)
		tried += (uint32_t)libra_spans_count(r, r->tried[i]);
	return r->nspans - free_spans(r) - tried;
}

struct image {
	uint32_t live, nwaiting, nkept, noutages, used;
	double starts[NJOBS], latest[NJOBS];
	enum libra_slot_state states[NJOBS];
	int64_t nranges[NJOBS];
};

static struct image image_of(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	struct image im;

	memset(&im, 0, sizeof(im));
	im.live = e->live;
	im.nwaiting = s->nwaiting;
	im.nkept = s->nholds;
	im.noutages = s->noutages;
	im.used = used_spans(e);
	assert_true(e->nslots <= NJOBS);
	for (uint32_t i = 0; i < e->nslots; i++) {
		uint64_t ticket = e->slots[i].ticket;

		im.states[i] = e->slots[i].state;
		if (im.states[i] == LIBRA_SLOT_FREE)
			continue;
		im.starts[i] = libra_engine_planned_start(e, ticket);
		im.latest[i] = libra_engine_latest_start(e, ticket);
		im.nranges[i] = libra_engine_placement(e, ticket, NULL, 0);
	}
	return im;
}

static void check_image(const struct libra_engine *e,
			const struct image *before)
{
	struct image after = image_of(e);

	assert_memory_equal(&after, before, sizeof(after));
}

/* Say a call with a failure at each of its allocations, then without; bad: what
 * it says where memory has run out.
 */
#define call_with_failures(e, what, call, bad)                                 \
	do {                                                                   \
		struct image before_;                                          \
		int rc_;                                                       \
                                                                               \
		libra_engine_schedule((e), (e)->now_s);                        \
		before_ = image_of(e);                                         \
		for (long at_ = 0;; at_++) {                                   \
			fail_after(at_);                                       \
			rc_ = (call);                                          \
			fail_no_more();                                        \
			if (!failed)                                           \
				break;                                         \
			npoints[what]++;                                       \
			assert_int_equal(rc_, (bad));                          \
			check_image((e), &before_);                            \
		}                                                              \
		assert_int_not_equal(rc_, (bad));                              \
	} while (0)

enum { OFFER, RESTORE, WAITING, OUTAGES, KEEP, TRIAL, ORDINARY, CALLS };

static long npoints[CALLS]; /* failures of each of these calls */

/* ---- life ---- */

static struct libra_job job_of(const struct libra_engine *e, uint32_t i)
{
	return host_job(e->now_s, 20 + i % 30, 100000 + i, 1 + i * 7 % 20);
}

static void offer(struct libra_engine *e, uint32_t i)
{
	struct libra_job job = job_of(e, i);
	struct libra_verdict v;

	call_with_failures(e, OFFER,
			   libra_engine_offer(e, &job, e->now_s, &v, NULL), -1);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_int_equal(libra_engine_commit(e, v.ticket, i, e->now_s), 0);
}

/* An ordinary job, that is to wait no longer than planned. */
static void plan_ordinary(struct libra_engine *e, uint32_t i)
{
	struct libra_job job = job_of(e, i);
	struct libra_verdict v;

	job.deadline_s = INFINITY;
	call_with_failures(
		e, ORDINARY,
		libra_engine_plan_ordinary(e, &job, e->now_s, &v, NULL), -1);
	assert_int_equal(v.answer, LIBRA_ACCEPT);
	assert_int_equal(libra_engine_withdraw(e, v.ticket, e->now_s), 0);
}

/* A job that runs on a node. */
static uint64_t restore(struct libra_engine *e, uint64_t id, uint32_t node)
{
	struct libra_part part = {{node * PROCS, PROCS}, 1000, NULL};
	struct libra_job job = host_job(e->now_s, 1000, INFINITY, PROCS);
	uint64_t ticket = 0;

	job.id = id;
	call_with_failures(e, RESTORE,
			   libra_engine_restore(e, &job, &part, 1, true,
						e->now_s, &ticket, NULL),
			   -1);
	return ticket;
}

static void restore_waiting(struct libra_engine *e, uint32_t i)
{
	struct libra_job job = job_of(e, i);
	uint64_t ticket;

	call_with_failures(e, WAITING,
			   libra_engine_restore_waiting(
				   e, &job, e->now_s + 10000 + 100 * i,
				   e->now_s, &ticket, NULL),
			   -1);
}

static void outages(struct libra_engine *e, uint32_t n)
{
	struct libra_outage list[NJOBS];

	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct libra_outage){i % NNODES,
						1e6 + 100 * (i / NNODES),
						1e6 + 100 * (i / NNODES) + 50};
	call_with_failures(e, OUTAGES,
			   libra_engine_outages(e, list, n, e->now_s, NULL),
			   -1);
	assert_int_equal(libra_planned_state(e)->noutages, n);
}

static void try_jobs(struct libra_engine *e, uint32_t n)
{
	struct libra_job job = host_job(e->now_s, 10, 1e7, 1);
	struct image before;

	libra_engine_schedule(e, e->now_s);
	before = image_of(e);
	call_with_failures(e, TRIAL,
			   libra_engine_would_accept(e, &job, n, e->now_s), 0);
	check_image(e, &before);
}

/* Others are stopped for a job on a node. */
static bool keep(struct libra_engine *e, uint64_t id, uint32_t node,
		 const uint64_t *gone)
{
	const struct libra_part part = {{node * PROCS, PROCS}, 0, NULL};
	struct libra_start_query at = {.parts = &part,
				       .nparts = 1,
				       .gone = gone,
				       .ngone = 1,
				       .delay_s = 60,
				       .stops = true};
	struct libra_job job = host_job(e->now_s, 10, INFINITY, PROCS);

	job.id = id;
	return libra_engine_may_start(e, &job, &at, e->now_s);
}

static void close_node(struct libra_engine *e, uint32_t node, bool closed)
{
	libra_engine_node(e, node, closed ? LIBRA_NODE_DRAIN : LIBRA_NODE_UP,
			  e->now_s);
	libra_engine_schedule(e, e->now_s);
}

/* All go; no span is anybody's then. */
static void end_all(struct libra_engine *e)
{
	for (uint32_t i = 0; i < e->nslots; i++) {
		uint64_t ticket = e->slots[i].ticket;

		if (e->slots[i].state == LIBRA_SLOT_RUNNING)
			libra_engine_departed(e, ticket, e->now_s);
		else if (e->slots[i].state != LIBRA_SLOT_FREE)
			libra_engine_withdraw(e, ticket, e->now_s);
	}
	assert_int_equal(e->live, 0);
	assert_int_equal(used_spans(e), 0);
}

static void calls_change_nothing_without_memory(bool by_node)
{
	struct libra_engine *e = open_engine(by_node);
	uint64_t runs[2];

	memset(npoints, 0, sizeof(npoints));
	host_pass(e, 0);
	runs[0] = restore(e, 1, 0);
	runs[1] = restore(e, 2, 1);
	for (uint32_t i = 0; i < 150; i++) {
		if (i % 3 < 2)
			offer(e, i);
		else
			restore_waiting(e, i);
		if (i % 5 == 0)
			plan_ordinary(e, i);
		if (i % 25 == 5)
			outages(e, i);
		if (i % 25 == 10)
			try_jobs(e, 2 * i);
		if (i == 60 || i == 120)
			close_node(e, 2, i == 60);
		host_pass(e, e->now_s + 1);
	}
	outages(e, 3);
	outages(e, 0);
	if (by_node) {
		call_with_failures(e, KEEP, keep(e, 77, 0, &runs[0]), false);
		call_with_failures(e, KEEP, keep(e, 78, 1, &runs[1]), false);
		assert_int_equal(libra_planned_state(e)->nholds, 2);
		assert_int_equal(libra_engine_departed(e, runs[0], e->now_s),
				 0);
		restore(e, 77, 0);
		assert_int_equal(libra_planned_state(e)->nholds, 1);
		libra_engine_forgo(e, 78, e->now_s);
	}
	end_all(e);
	libra_engine_destroy(e);
}

static void by_count_a_call_that_fails_changes_nothing(void **state)
{
	calls_change_nothing_without_memory(false);
	for (int i = 0; i < CALLS; i++)
		assert_true(npoints[i] > 0 || i == KEEP || i == ORDINARY);
}

static void by_node_a_call_that_fails_changes_nothing(void **state)
{
	calls_change_nothing_without_memory(true);
	for (int i = 0; i < CALLS; i++)
		assert_true(npoints[i] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(by_count_a_call_that_fails_changes_nothing),
		freed_test(by_node_a_call_that_fails_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
