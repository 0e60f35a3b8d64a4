/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_memory.c - what is left when memory runs out.
 *
 * Each call of the core is repeated with a failure at its first, second, ...
 * allocation (wrap_memory.h), until none fails: -1 and ENOMEM each time, and
 * nothing changed.  An engine that is destroyed has freed all that it had.
 * Plans by node are in test_memory_plans.c.
 */
#include <inttypes.h>

#include "core/array.h"
#include "core/engine_impl.h"
#include "core/gang/ops.h"
#include "core/history.h"
#include "core/policy/policies.h"
#include "core/share/ops.h"
#include "core/space/queue_ops.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

/* ---- What an engine holds, written out ---- */

struct image {
	char text[1 << 21];
	size_t n;
};

static void put(struct image *im, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct image *im, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(im->text + im->n, sizeof(im->text) - im->n, fmt, ap);
	va_end(ap);
	assert_true(n >= 0 && im->n + (size_t)n < sizeof(im->text));
	im->n += (size_t)n;
}

static void put_map(struct image *im, const struct libra_procmap *map)
{
	for (uint32_t run = 0; run < map->nprocs; run = map->end[run])
		put(im, "run %u %u\n", run, map->label[run]);
}

static void put_ledger(struct image *im, const struct libra_ledger *l)
{
	put_map(im, &l->map);
	put(im, "dirty %u\n", l->ndirty);
	for (uint32_t i = 0; i < l->nrows; i++) {
		const struct libra_ledger_row *row = &l->rows[i];

		put(im, "row %u: %u procs since %a closed %d dirty %d\n", i,
		    row->pub.nprocs, row->pub.since_s, row->closed, row->dirty);
		assert_int_equal(l->taken[i], 0);
		for (uint32_t k = 0; k < row->pub.ntasks; k++)
			put(im, " %u %a %a %a %d\n", row->tasks[k].slot,
			    row->tasks[k].est_left_s, row->tasks[k].rate,
			    row->tasks[k].deadline_s, row->tasks[k].running);
	}
}

static void put_queue(struct image *im, const struct libra_space_state *s)
{
	for (uint32_t w = 0; w * 64 < s->procs.nprocs; w++)
		put(im, "word %" PRIx64 " %" PRIx64 "\n", s->procs.free[w],
		    s->procs.closed[w]);
	for (uint32_t i = 0; i < s->procs.cap; i++)
		if (s->procs.first[i] < s->procs.nprocs)
			put(im, " %u %u\n", i, s->procs.first[i]);
	put(im, "free %u queue %u running %u\n", s->free, s->queue.live,
	    s->running.n);
	for (uint32_t i = s->queue.head; i < s->queue.end; i++)
		put(im, " %u %u\n", s->queue.slot[i], s->queue.nprocs[i]);
	for (uint32_t i = 0; i < s->running.n; i++)
		put(im, " %u %a\n", s->running.jobs[i].slot,
		    s->running.jobs[i].end_s);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void put_side(struct image *im, const struct libra_gang_side *side)
{
	uint32_t slots[LIBRA_GANG_LISTED], n = side->nslots;

	/* A projection sorts them. */
	memcpy(slots, side->slots, n * sizeof(*slots));
	qsort(slots, n, sizeof(*slots), by_number);
	put(im, " %u of", side->n);
	for (uint32_t k = 0; k < n; k++)
		put(im, " %u", slots[k]);
}

/* Who is bound where; what was executed moves with the clock. */
static void put_gang(struct image *im, const struct libra_gang *g)
{
	put(im, "jobs %u late %u\n", g->njobs, g->nlate);
	for (uint32_t i = 0; i < g->njobs; i++) {
		const struct libra_gang_job *job = &g->jobs[g->order[i]];

		put(im, " %u %a %d:", g->order[i], job->deadline_s, job->runs);
		put_side(im, &job->before);
		put_side(im, &job->behind);
	}
	for (uint32_t run = 0; run < g->nprocs;
	     run = libra_gang_run_end(g, run, g->nprocs)) {
		put(im, " run %u:", run);
		for (uint32_t k = 0; k < g->runs.nbound[run]; k++)
			put(im, " %u", libra_gang_bound(g, run)[k]);
	}
}

static struct image images[2]; /* before a call and after it */
static int nimages;

static struct image *image_of(const struct libra_engine *e)
{
	struct image *im = &images[nimages++];

	im->n = 0;
	put(im, "live %u actions %u\n", e->live, e->pending.n);
	for (uint32_t i = 0; i < e->nslots; i++)
		if (e->slots[i].state != LIBRA_SLOT_FREE)
			put(im, "slot %u: %d\n", i, e->slots[i].state);
	if (e->policy->mode == LIBRA_SHARE)
		put_ledger(im, &libra_share_state(e)->ledger);
	else if (e->policy->mode == LIBRA_GANG)
		put_gang(im, &libra_gang_state(e)->gang);
	else
		put_queue(im, libra_space_state(e));
	return im;
}

static void check_image(const struct libra_engine *e, struct image *before)
{
	struct image *after = image_of(e);

	assert_string_equal(after->text, before->text);
	nimages--;
}

/* ---- Creating ---- */

static void an_engine_is_created_or_not(void **state)
{
	static const uint32_t procs[] = {4, 4, 4};

	for (size_t p = 0; libra_policies[p]; p++) {
		struct libra_engine_conf conf = {
			.policy = libra_policies[p],
			.node_procs = procs,
			.nnodes = 3,
			.offer_ttl_s = INFINITY,
		};
		long points = 0;

		for (;; points++) {
			struct libra_error err = {""};
			struct libra_engine *e;

			fail_after(points);
			e = libra_engine_create(&conf, &err);
			fail_no_more();
			if (!failed) {
				assert_non_null(e);
				libra_engine_destroy(e);
				break;
			}
			assert_null(e);
			assert_int_equal(errno, ENOMEM);
			assert_one_line(&err);
		}
		assert_true(points >= 6);
	}
}

/* ---- Offers ---- */

/* One offer with a failure at each of its allocations; look: at what the engine
 * holds, each time.
 * Result: how many there were.
 */
static long offer_with_failures(struct libra_engine *e, struct libra_job job,
				bool look, struct libra_verdict *v)
{
	struct image *before = look ? image_of(e) : NULL;

	for (long points = 0;; points++) {
		struct libra_error err = {""};
		int rc;

		fail_after(points);
		rc = libra_engine_offer(e, &job, job.submit_s, v, &err);
		fail_no_more();
		if (!failed) {
			nimages -= look;
			assert_int_equal(rc, 0);
			return points;
		}
		assert_int_equal(rc, -1);
		assert_int_equal(errno, ENOMEM);
		assert_one_line(&err);
		if (look)
			check_image(e, before);
	}
}

/* Jobs of other sizes split rows and runs; they pile up, so that every array
 * grows, most of them several times.
 */
static void an_offer_that_finds_no_memory_changes_nothing(void **state)
{
	for (size_t p = 0; libra_policies[p]; p++) {
		struct libra_engine *e =
			host_engine(libra_policies[p]->name, 4, 100);
		long points = 0;

		for (uint32_t i = 0; i < 140; i++) {
			struct libra_job job = host_job(i, 1 + i % 7, 5000 + i,
							1 + i * 37 % 90);
			struct libra_verdict v;

			points += offer_with_failures(e, job, true, &v);
			if (v.answer == LIBRA_REJECT)
				continue;
			assert_int_equal(libra_engine_commit(e, v.ticket, i, i),
					 0);
			host_pass(e, i);
		}
		assert_true(points >= 10);
		libra_engine_destroy(e);
	}
}

/* Who asks again because memory ran out hears what he would have heard: no lot
 * is drawn twice.
 */
static void an_offer_that_is_repeated_has_the_same_answer(void **state)
{
	for (size_t p = 0; libra_policies[p]; p++) {
		const char *name = libra_policies[p]->name;
		struct libra_engine *e = host_engine(name, 4, 100);
		struct libra_engine *calm = host_engine(name, 4, 100);

		for (uint32_t i = 0; i < 140; i++) {
			struct libra_job job = host_job(i, 1 + i % 7, 5000 + i,
							1 + i * 37 % 90);
			struct libra_verdict v, expected;

			offer_with_failures(e, job, false, &v);
			assert_int_equal(libra_engine_offer(calm, &job, i,
							    &expected, NULL),
					 0);
			assert_int_equal(v.answer, expected.answer);
			assert_int_equal(v.reason, expected.reason);
			if (v.answer == LIBRA_REJECT)
				continue;
			libra_engine_commit(e, v.ticket, i, i);
			host_pass(e, i);
			libra_engine_commit(calm, expected.ticket, i, i);
			host_pass(calm, i);
		}
		libra_engine_destroy(e);
		libra_engine_destroy(calm);
	}
}

/* ---- Trials ---- */

/* Nobody is told yes for want of memory; 8 processors have room for all. */
static void a_trial_without_memory_says_no(void **state)
{
	for (size_t p = 0; libra_policies[p]; p++) {
		struct libra_engine *e =
			host_engine(libra_policies[p]->name, 2, 4);
		struct libra_job job = host_job(0, 1, 100000, 1);
		bool would = libra_engine_would_accept(e, &job, 300, 0), may;

		for (long points = 0;; points++) {
			struct image *before = image_of(e);

			fail_after(points);
			may = libra_engine_would_accept(e, &job, 300, 0);
			fail_no_more();
			check_image(e, before);
			nimages--;
			if (!failed)
				break;
			assert_false(may);
		}
		assert_int_equal(may, would);
		libra_engine_destroy(e);
	}
}

/* ---- Restores ---- */

static void restore_with_failures(const char *policy)
{
	struct libra_engine *e = host_engine(policy, 4, 20);
	long points = 0;

	for (uint32_t i = 0; i < 140; i++) {
		struct libra_job job = host_job(0, 9, 5000 + i, 5);
		struct libra_part parts[] = {{{i % 60, 3}, 9, NULL},
					     {{70, 2}, i, NULL}};
		uint64_t ticket;
		int rc = -1;

		for (long at = 0; rc < 0; at++, points++) {
			struct image *before = image_of(e);

			fail_after(at);
			rc = libra_engine_restore(e, &job, parts, 2, i % 2, 1,
						  &ticket, NULL);
			fail_no_more();
			assert_int_equal(rc, failed ? -1 : 0);
			if (failed) {
				assert_int_equal(errno, ENOMEM);
				check_image(e, before);
			}
			nimages--;
		}
	}
	assert_true(points > 160);
	libra_engine_destroy(e);
}

/* By shares, no row is split for it either. */
static void a_restore_that_finds_no_memory_changes_nothing(void **state)
{
	static const char *const names[] = {"band", "libra", "librarisk",
					    "demand"};

	for (size_t p = 0; p < sizeof(names) / sizeof(names[0]); p++)
		restore_with_failures(names[p]);
}

/* ---- Places ---- */

enum { NHOSTS = 60 };

/* The place of a job on a node of its own.  Result: allocations that failed. */
static long place_with_failures(struct libra_engine *e, uint32_t node)
{
	struct libra_job job = host_job(0, 9, INFINITY, 4);
	const struct libra_part part = {{4 * node, 4}, 0, NULL};
	const uint64_t nobody = 4711;
	const struct libra_start_query at = {.parts = &part,
					     .nparts = 1,
					     .gone = &nobody,
					     .ngone = 1,
					     .delay_s = 50};
	int rc = -1;
	long points;

	job.id = node + 1;
	for (points = -1; rc < 0; points++) {
		failed = false;
		countdown = points + 1;
		errno = 0;
		rc = libra_engine_restore_place(e, &job, &at, 0, NULL);
		countdown = -1;
		assert_int_equal(rc, failed ? -1 : 0);
		assert_int_equal(isnan(libra_engine_place_until(e, job.id)),
				 failed);
		if (failed)
			assert_int_equal(errno, ENOMEM);
	}
	return points;
}

/* All nodes, one after the other, so that what is kept for them grows. */
static void a_place_that_finds_no_memory_is_not_kept(void **state)
{
	uint32_t procs[NHOSTS];
	struct libra_engine *e;
	long points = 0;

	for (uint32_t i = 0; i < NHOSTS; i++)
		procs[i] = 4;
	e = host_rooms_engine(procs, NHOSTS, NULL, 0,
			      "machine_reserve=0 margin=0");
	for (uint32_t i = 0; i < NHOSTS; i++) {
		points += place_with_failures(e, i);
		host_pass(e, 0);
	}
	/* All are kept: others have a place when these are over. */
	assert_near(libra_engine_planned_start(
			    e, host_submit(e, host_job(0, 9, 5000, 4), 0)),
		    59, 0);
	assert_true(points > 3 * NHOSTS);
	libra_engine_destroy(e);
}

/* ---- Nodes ---- */

static void a_node_event_that_finds_no_memory_changes_nothing(void **state)
{
	for (size_t p = 0; libra_policies[p]; p++) {
		struct libra_engine *e =
			host_engine(libra_policies[p]->name, 8, 40);
		long points = 0;

		for (uint32_t i = 0; i < 60; i++)
			host_submit(e, host_job(0, 1, 5000 + i, 1 + i % 50), 0);
		host_pass(e, 0);
		for (uint32_t node = 0; node < 8; node++) {
			int rc = -1;

			for (long at = 0; rc < 0; at++, points++) {
				struct image *before = image_of(e);

				fail_after(at);
				rc = libra_engine_node(e, node,
						       LIBRA_NODE_DRAIN, 1);
				fail_no_more();
				assert_int_equal(rc, failed ? -1 : 0);
				if (failed)
					assert_int_equal(errno, ENOMEM);
				if (failed)
					check_image(e, before);
				nimages--;
			}
		}
		assert_true(points >= 8);
		libra_engine_destroy(e);
	}
}

/* Between offers nothing is allocated: what runs out then does no harm. */
static void decisions_allocate_nothing(void **state)
{
	for (size_t p = 0; libra_policies[p]; p++) {
		struct libra_engine *e =
			host_engine(libra_policies[p]->name, 4, 25);
		uint64_t t[100];

		for (uint32_t i = 0; i < 100; i++) {
			struct libra_verdict v = host_offer(
				e, host_job(0, 2, 4000 + i, 1 + i % 60), 0);

			t[i] = v.ticket;
		}
		fail_after(0);
		for (uint32_t i = 0; i < 100; i++)
			if (t[i])
				libra_engine_commit(e, t[i], i, 0);
		for (uint32_t now = 0; now < 120; now++) {
			host_pass(e, now);
			for (uint32_t i = 0; i < 100; i++)
				if (t[i] && i % 7 == now % 7)
					libra_engine_departed(e, t[i], now);
		}
		fail_no_more();
		assert_false(failed);
		libra_engine_destroy(e);
	}
}

/* ---- History ---- */

static void a_history_that_finds_no_memory_is_what_it_was(void **state)
{
	struct libra_history_conf conf = libra_history_usual(0.5);
	struct libra_history *h = libra_history_create(&conf, NULL);
	struct libra_history *other = libra_history_create(&conf, NULL);
	char before[4096], after[4096];

	assert_true(h && other);
	for (uint32_t user = 0; user < 40; user++) {
		int rc = -1;

		for (long at = 0; rc < 0; at++) {
			fail_after(at);
			rc = libra_history_add(h, user, 1, 1 + user);
			fail_no_more();
			assert_int_equal(rc, failed ? -1 : 0);
			assert_int_equal(libra_history_known(h, user),
					 failed ? 0 : 1);
		}
	}
	assert_true(libra_history_save(h, before, sizeof(before)) <
		    sizeof(before));
	for (int rc = -1, at = 0; rc < 0; at++) {
		fail_after(at);
		rc = libra_history_load(other, before, strlen(before), NULL);
		fail_no_more();
		assert_int_equal(rc, failed ? -1 : 0);
		assert_true(!failed || errno == ENOMEM);
		libra_history_save(other, after, sizeof(after));
		assert_string_equal(after, failed ? "libra-history 1\nend 0\n"
						  : before);
	}
	/* A correction asks for no memory. */
	fail_after(0);
	assert_near(libra_history_correct(h, 4, 100, 0), 20, 1e-6);
	fail_no_more();
	assert_false(failed);
	libra_history_destroy(h);
	libra_history_destroy(other);
}

/* A size of 32 bits that has no double would be 0, and frees the array. */
static void an_array_beyond_32_bits_stays_as_it_is(void **state)
{
	char *array = malloc(4);
	bool ok = true;

	assert_true(libra_doubled(0, 64, 65) == 128);
	assert_true(libra_doubled(128, 64, 128) == 128);
	assert_true(libra_doubled(64, 64, 1u << 31) == 1u << 31);
	assert_true(libra_doubled(64, 64, (1u << 31) + 1) == 0);
	assert_true(libra_doubled(0, 1, UINT64_MAX) == 0);
	errno = 0;
	assert_ptr_equal(libra_grown(array, 0, 8, &ok), array);
	assert_false(ok);
	assert_int_equal(errno, ENOMEM);
	ok = true;
	errno = 0;
	assert_ptr_equal(libra_grown(array, SIZE_MAX / 8 + 1, 8, &ok), array);
	assert_false(ok);
	assert_int_equal(errno, ENOMEM);
	free(array);
}

/* Jobs that the search budget cannot try take no memory, and leave none. */
static void ask_about_many(const char *policy, bool by_node)
{
	static const uint32_t njobs[] = {1000000, INT32_MAX, 1u << 31,
					 (1u << 31) + 1, UINT32_MAX};
	uint32_t procs[64];
	struct libra_engine_conf conf = {
		.policy = libra_policy_find(policy, NULL),
		.node_procs = procs,
		.nnodes = 64,
		.offer_ttl_s = INFINITY,
		.by_node = by_node,
	};
	struct libra_job job = host_job(0, 600, 7200, 1);
	struct libra_engine *e;

	for (int i = 0; i < 64; i++)
		procs[i] = 1;
	e = libra_engine_create(&conf, NULL);
	assert_non_null(e);
	for (int i = 0; i < 5; i++) {
		double at_s =
			libra_engine_earliest_together(e, &job, njobs[i], 0);

		libra_engine_advise(e, &job, njobs[i], at_s, 60, 0);
		assert_true(nbytes < 4u << 20);
	}
	assert_true(host_submit(e, job, 0) != 0);
	libra_engine_destroy(e);
}

static void a_query_about_many_jobs_takes_little_memory(void **state)
{
	static const char *const policies[] = {"libra", "librarisk", "demand",
					       "band", "planned"};

	for (int i = 0; i < 5; i++)
		ask_about_many(policies[i], false);
	ask_about_many("planned", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(an_engine_is_created_or_not),
		freed_test(an_offer_that_finds_no_memory_changes_nothing),
		freed_test(an_offer_that_is_repeated_has_the_same_answer),
		freed_test(a_trial_without_memory_says_no),
		freed_test(a_restore_that_finds_no_memory_changes_nothing),
		freed_test(a_node_event_that_finds_no_memory_changes_nothing),
		freed_test(a_place_that_finds_no_memory_is_not_kept),
		freed_test(decisions_allocate_nothing),
		freed_test(a_history_that_finds_no_memory_is_what_it_was),
		freed_test(an_array_beyond_32_bits_stays_as_it_is),
		freed_test(a_query_about_many_jobs_takes_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
