/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_assign.c - reservations by count, and with nodes (core/space/assign.h).
 */
#include "core/engine_impl.h"
#include "core/space/spans.h"
#include "tests/unit/rooms.h"

/* Spans that are free, of a job that runs or waits, or of a trial. */
static uint64_t count_spans(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;
	uint64_t n = libra_spans_count(r, r->free_span);

	for (uint32_t i = 0; i < e->nslots; i++)
		n += libra_spans_count(r, r->held[i]);
	for (uint32_t i = 0; i < s->nwaiting; i++)
		n += libra_spans_count(r, s->waiting[i].spans);
	for (uint32_t i = 0; i < r->ntried; i++)
		n += libra_spans_count(r, r->tried[i]);
	return n;
}

/* Three nodes of one processor are open, and taken until 1e5; a job that waits
 * has nodes, because another one asked for a certain node.  An hour later a
 * change of the first is refused: reservations are by count then, and the one
 * that is put back keeps its start and gives its nodes back.
 */
static void test_put_back(void **state)
{
	const uint32_t ones[] = {1, 1, 1, 1};
	struct libra_engine *e = host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("planned", NULL),
			.node_procs = ones,
			.nnodes = 4,
			.offer_ttl_s = INFINITY,
			.by_node = true,
			.compress_later = true,
		},
		PLAIN);
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_range first = {0, 1};
	const struct libra_where where = {.allowed = &first, .nallowed = 1};
	const struct libra_outage out = {3, 0, 1e6};
	struct libra_job job = host_job(2, 10, 2e5, 2);
	struct libra_verdict v;
	uint64_t waits, runs;
	double start_s;

	(void)state;
	libra_engine_node(e, 3, LIBRA_NODE_DRAIN, 0);
	assert_int_equal(libra_engine_outages(e, &out, 1, 0, NULL), 0);
	runs = submit(e, 3, 1e5, 2e5, NULL, 0);
	host_pass(e, 0);
	assert_true(host_runs(e, runs));
	assert_int_equal(submit(e, 1, 10, 20, &where, 1), 0);
	waits = host_submit(e, job, 2);
	start_s = libra_engine_planned_start(e, waits);
	assert_true(start_s >= 1e5 && libra_nodes_are_named(s));
	job.deadline_s = 5000;
	assert_int_equal(libra_engine_modify(e, waits, &job, 4000, &v, NULL),
			 0);
	assert_int_equal(v.answer, LIBRA_REJECT);
	assert_false(libra_nodes_are_named(s));
	assert_int_equal(s->waiting[0].spans, LIBRA_NO_SPAN);
	assert_start(e, waits, start_s);
	assert_int_equal(count_spans(e), s->nodes->nspans);
	assert_int_equal(libra_engine_departed(e, runs, start_s), 0);
	host_pass(e, start_s);
	assert_true(host_runs(e, waits));
	assert_int_equal(count_spans(e), s->nodes->nspans);
	libra_engine_destroy(e);
}

#define WIDE_NODES 1000

/* Where so many jobs of the whole machine wait, 10 s each, offer one that has
 * to start before them. Result: true if it is accepted.  If not, all keep their
 * starts, and the deadline that is named then is kept.
 */
static bool goes_first(uint32_t nplans, bool compress_later)
{
	static uint32_t twos[WIDE_NODES];
	static uint64_t waits[WIDE_NODES];
	const double due_s = 1e6;
	struct libra_engine *e;
	struct libra_job job = host_job(0, 10, 30, 2 * WIDE_NODES);
	bool first;

	for (uint32_t i = 0; i < WIDE_NODES; i++)
		twos[i] = 2;
	e = host_engine_with(
		(struct libra_engine_conf){
			.policy = libra_policy_find("planned", NULL),
			.node_procs = twos,
			.nnodes = WIDE_NODES,
			.offer_ttl_s = INFINITY,
			.by_node = true,
			.compress_later = compress_later,
		},
		PLAIN);
	assert_true(submit(e, 2 * WIDE_NODES, 10, due_s, NULL, 0) != 0);
	host_pass(e, 0);
	for (uint32_t i = 0; i < nplans; i++)
		waits[i] = submit(e, 2 * WIDE_NODES, 10, due_s, NULL, 0);
	first = host_submit(e, job, 0) != 0;
	for (uint32_t i = 0; i < nplans && !first; i++)
		assert_start(e, waits[i], 10 * (i + 1));
	if (!first) {
		job.deadline_s = libra_engine_earliest_deadline(e, &job, 0);
		assert_near(job.deadline_s, 10 * (nplans + 2), 1);
		assert_true(host_submit(e, job, 0) != 0);
	}
	libra_engine_destroy(e);
	return first;
}

/* A host waits for other jobs to move only if they are few. */
static void test_many_plans_stay(void **state)
{
	(void)state;
	assert_true(goes_first(10, false));
	assert_true(goes_first(10, true));
	assert_true(goes_first(400, false));
	assert_false(goes_first(400, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put_back),
		cmocka_unit_test(test_many_plans_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
