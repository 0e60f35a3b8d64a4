/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rows.c - the ledger's rows against processors that each keep their own
 * tasks.
 *
 * Whatever is added, started, removed, closed, or told of progress and of the
 * clock, in whatever order: each processor has the tasks, rates and estimates
 * that it has by itself, and no processor is lost.  What was reserved is room
 * enough: adding allocates nothing.
 */
#include <errno.h>

#include "core/share/ledger.h"
#include "tests/random.h"
#include "tests/unit/test.h"

enum { PROCS = 23, MOST = 12, SLOTS = 40, STEPS = 4000 };

/* A processor by itself. */
struct alone {
	struct libra_task task[MOST];
	uint32_t n;
	double since_s, renewed_s;
	bool closed;
};

static struct alone procs[PROCS];
static struct libra_ledger ledger;
static double now_s;
static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	return random_below(&seed, n);
}

static void advance(struct alone *p, double to_s)
{
	for (uint32_t k = 0; k < p->n; k++)
		p->task[k].est_left_s -= p->task[k].rate * (to_s - p->since_s);
	p->since_s = to_s;
}

/* Share = what is left by what is left of the time (IPDPS 2007, eq. 1); at the
 * deadline all; past the estimate as it came.
 */
static double share_of(const struct libra_task *task)
{
	double rest_s = task->deadline_s - now_s;

	return rest_s <= 0	       ? 1
	       : task->est_left_s <= 0 ? task->initial_share
				       : task->est_left_s / rest_s;
}

/* All time to the running task of the earliest deadline, the first of equal
 * ones; late ones behind all others.
 */
static void rank(struct alone *p)
{
	struct libra_task *best = NULL;
	bool best_late = false;

	for (uint32_t k = 0; k < p->n; k++) {
		struct libra_task *task = &p->task[k];
		bool late = task->deadline_s + 1e-6 <= now_s;

		task->rate = 0;
		if (!task->running)
			continue;
		if (!best || (best_late && !late) ||
		    (best_late == late &&
		     task->deadline_s < best->deadline_s)) {
			best = task;
			best_late = late;
		}
	}
	if (best)
		best->rate = 1;
}

/* In proportion to the shares; where the late yield, they have equal parts of
 * what the others' shares leave.
 */
static void divide(struct alone *p, bool late_yields)
{
	double sum = 0, rest;
	uint32_t nlate = 0;

	for (uint32_t k = 0; k < p->n; k++) {
		struct libra_task *task = &p->task[k];

		task->rate = 0;
		if (!task->running)
			continue;
		if (late_yields && task->deadline_s <= now_s) {
			nlate++;
			continue;
		}
		task->rate = share_of(task);
		sum += task->rate;
	}
	rest = sum < 1 ? 1 - sum : 0;
	for (uint32_t k = 0; k < p->n; k++) {
		struct libra_task *task = &p->task[k];

		if (!task->running)
			continue;
		if (nlate == 0)
			task->rate /= sum;
		else if (task->deadline_s <= now_s)
			task->rate = rest / nlate;
		else if (sum > 1)
			task->rate /= sum;
	}
}

static void renew(struct alone *p)
{
	advance(p, now_s);
	if (ledger.division.ranked)
		rank(p);
	else
		divide(p, ledger.division.late_yields);
	p->renewed_s = now_s;
}

static struct libra_task *task_of(struct alone *p, uint32_t slot)
{
	for (uint32_t k = 0; k < p->n; k++)
		if (p->task[k].slot == slot)
			return &p->task[k];
	return NULL;
}

/* When does one of its tasks get late next, after its last event? */
static double late_s(const struct alone *p)
{
	double next_s = INFINITY;

	for (uint32_t k = 0; k < p->n; k++) {
		double late_s = p->task[k].deadline_s + 1e-6;

		if (late_s > p->renewed_s)
			next_s = fmin(next_s, late_s);
	}
	return next_s;
}

static void same_task(const struct libra_task *a, const struct libra_task *b)
{
	assert_int_equal(a->slot, b->slot);
	assert_int_equal(a->running, b->running);
	assert_near(a->est_left_s, b->est_left_s, 1e-6);
	assert_near(a->rate, b->rate, 1e-9);
	assert_near(a->deadline_s, b->deadline_s, 0);
}

static void same_row(const struct libra_ledger_row *row, struct alone *p)
{
	struct libra_row_sum sum =
		libra_row_share(row, &ledger.division, now_s);
	double share = 0;
	uint32_t nlate = 0;

	assert_int_equal(row->pub.ntasks, p->n);
	assert_int_equal(row->closed, p->closed);
	assert_true(row->pub.ntasks <= row->cap);
	if (p->n == 0)
		return;
	assert_ptr_equal(row->pub.tasks, row->tasks);
	assert_near(row->pub.since_s, p->since_s, 0);
	for (uint32_t k = 0; k < p->n; k++) {
		struct libra_task at_now = p->task[k];
		bool late = at_now.deadline_s <= now_s;

		same_task(&row->tasks[k], &p->task[k]);
		at_now.est_left_s -= at_now.rate * (now_s - p->since_s);
		nlate += late;
		if (!late || !ledger.division.late_yields)
			share += share_of(&at_now);
	}
	assert_near(sum.share, share, 1e-6 * fmax(share, 1));
	assert_int_equal(sum.nlate, nlate);
}

/* All processors, and that each row has just those that are labelled so. */
static void same(const struct libra_ledger *l)
{
	uint32_t count[PROCS * 8] = {0}, unused = 0, most = 0;
	double next_s = INFINITY;

	for (uint32_t i = 0; i < PROCS; i++) {
		uint32_t row = libra_procmap_label(&l->map, i);

		assert_in_range(row, 0, l->nrows - 1);
		assert_int_equal(row < LIBRA_ROW_FIRST, procs[i].n == 0);
		same_row(&l->rows[row], &procs[i]);
		count[row]++;
		next_s = fmin(next_s, late_s(&procs[i]));
	}
	for (uint32_t i = 0; i < l->nrows; i++) {
		assert_int_equal(l->rows[i].pub.nprocs, count[i]);
		assert_int_equal(l->taken[i], 0);
		unused += i >= LIBRA_ROW_FIRST && count[i] == 0;
		most = l->rows[i].cap > most ? l->rows[i].cap : most;
	}
	assert_int_equal(l->nunused, unused);
	for (uint32_t i = 0; i < l->nunused; i++)
		assert_int_equal(count[l->unused[i]], 0);
	assert_true(l->task_cap >= most);
	assert_near(libra_ledger_next_late_s(l),
		    libra_ledger_watches(l) ? next_s : INFINITY, 0);
}

/* Choose a part of some rows; the first processors, or ranges.  Result: are
 * there any?
 */
static bool choose(bool *chosen, bool pick)
{
	bool any = false;

	for (uint32_t tries = 1 + draw(4); tries > 0; tries--) {
		uint32_t at = draw(PROCS), n = 0;
		uint32_t row = libra_procmap_label(&ledger.map, at);
		uint32_t most = 1 + draw(ledger.rows[row].pub.nprocs);

		if (procs[at].closed || procs[at].n == MOST ||
		    ledger.taken[row] > 0)
			continue;
		for (uint32_t i = pick ? at : 0; i < PROCS && n < most; i++) {
			if (libra_procmap_label(&ledger.map, i) == row) {
				chosen[i] = true;
				n++;
			} else if (pick) {
				break;
			}
		}
		if (pick)
			assert_int_equal(libra_ledger_pick(&ledger, row, at, n),
					 0);
		else
			libra_ledger_choose(&ledger, row, n);
		any = true;
	}
	return any;
}

static void add(uint32_t slot)
{
	double estimate_s = 1 + draw(200), deadline_rel_s = 10 + draw(300);
	struct libra_task task = {
		.est_left_s = estimate_s,
		.deadline_s = now_s + deadline_rel_s,
		.estimate_s = estimate_s,
		.initial_share = estimate_s / deadline_rel_s,
		.slot = slot,
	};
	const struct libra_ledger_row *rows;
	bool chosen[PROCS] = {false};
	const uint32_t *head;

	for (uint32_t i = 0; i < PROCS; i++)
		if (task_of(&procs[i], slot))
			return;
	if (!choose(chosen, draw(3) == 0))
		return;
	assert_int_equal(libra_ledger_reserve(&ledger), 0);
	rows = ledger.rows;
	head = ledger.map.head;
	assert_int_equal(libra_ledger_add(&ledger, &task), 0);
	assert_ptr_equal(ledger.rows, rows);
	assert_ptr_equal(ledger.map.head, head);
	for (uint32_t i = 0; i < PROCS; i++)
		if (chosen[i]) {
			/* An empty row has no history. */
			if (procs[i].n == 0)
				procs[i].since_s =
					ledger.rows[libra_procmap_label(
							    &ledger.map, i)]
						.pub.since_s;
			procs[i].task[procs[i].n++] = task;
		}
}

static void start(uint32_t slot)
{
	libra_ledger_start(&ledger, slot, now_s);
	for (uint32_t i = 0; i < PROCS; i++) {
		struct libra_task *task = task_of(&procs[i], slot);

		if (!task)
			continue;
		task->running = true;
		renew(&procs[i]);
	}
}

static void take_off(struct alone *p, struct libra_task *task)
{
	bool running = task->running;

	p->n--;
	memmove(task, task + 1,
		(size_t)(&p->task[p->n] - task) * sizeof(*task));
	if (running)
		renew(p);
	if (p->n == 0)
		p->renewed_s = 0;
}

static void remove_slot(uint32_t slot)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < PROCS; i++) {
		struct libra_task *task = task_of(&procs[i], slot);

		if (task) {
			take_off(&procs[i], task);
			n++;
		}
	}
	assert_int_equal(libra_ledger_remove(&ledger, slot, UINT32_MAX, now_s),
			 n);
}

/* From one row alone. */
static void remove_here(uint32_t at)
{
	uint32_t row = libra_procmap_label(&ledger.map, at), slot, n = 0;
	bool here[PROCS];

	if (procs[at].n == 0)
		return;
	slot = procs[at].task[draw(procs[at].n)].slot;
	for (uint32_t i = 0; i < PROCS; i++)
		here[i] = libra_procmap_label(&ledger.map, i) == row;
	for (uint32_t i = 0; i < PROCS; i++)
		if (here[i]) {
			take_off(&procs[i], task_of(&procs[i], slot));
			n++;
		}
	assert_int_equal(libra_ledger_remove(&ledger, slot, row, now_s), n);
}

static void progress(uint32_t slot)
{
	double executed_s = draw(150);

	libra_ledger_progress(&ledger, slot, executed_s, now_s);
	for (uint32_t i = 0; i < PROCS; i++) {
		struct libra_task *task = task_of(&procs[i], slot);

		if (!task)
			continue;
		advance(&procs[i], now_s);
		task->est_left_s = task->estimate_s - executed_s;
	}
}

static void close_some(void)
{
	uint32_t first = draw(PROCS), count = 1 + draw(PROCS - first);
	bool closed = draw(2);

	assert_int_equal(libra_ledger_close(&ledger, first, count, closed), 0);
	for (uint32_t i = first; i < first + count; i++)
		procs[i].closed = closed;
}

static void clock_step(void)
{
	double was_s = now_s;

	now_s += draw(60);
	libra_ledger_clock(&ledger, was_s, now_s);
	for (uint32_t i = 0; i < PROCS; i++) {
		if (procs[i].n == 0)
			continue;
		advance(&procs[i], was_s);
		procs[i].since_s = now_s;
		renew(&procs[i]);
	}
}

static void renew_late(void)
{
	if (!libra_ledger_watches(&ledger))
		return;
	for (uint32_t i = 0; i < PROCS; i++)
		if (late_s(&procs[i]) <= now_s)
			renew(&procs[i]);
	libra_ledger_renew_late(&ledger, now_s);
}

/* A copy is the same, and lives apart. */
static void copy(void)
{
	struct libra_ledger other;

	assert_int_equal(libra_ledger_copy(&other, &ledger), 0);
	same(&other);
	for (uint32_t i = 0; i < PROCS; i++)
		libra_ledger_remove(&other, procs[i].task[0].slot, UINT32_MAX,
				    now_s);
	libra_ledger_fini(&other);
}

static void step(void)
{
	uint32_t slot = draw(SLOTS);

	now_s += draw(4) == 0 ? draw(30) : 0.25 * draw(8);
	switch (draw(16)) {
	case 0:
		close_some();
		break;
	case 1:
		progress(slot);
		break;
	case 2:
		if (draw(8) == 0)
			clock_step();
		break;
	case 3:
		renew_late();
		break;
	case 4:
		if (draw(8) == 0)
			copy();
		break;
	case 5:
		remove_here(draw(PROCS));
		break;
	case 6:
	case 7:
	case 8:
		remove_slot(slot);
		break;
	case 9:
	case 10:
	case 11:
		start(slot);
		break;
	default:
		add(slot);
		if (draw(2))
			start(slot);
	}
}

static void live(struct libra_division division)
{
	memset(procs, 0, sizeof(procs));
	now_s = 0;
	assert_int_equal(libra_ledger_init(&ledger, PROCS), 0);
	ledger.division = division;
	for (int i = 0; i < STEPS; i++) {
		step();
		same(&ledger);
		while (draw(3) &&
		       libra_ledger_next_dirty(&ledger) != UINT32_MAX)
			continue;
	}
	libra_ledger_fini(&ledger);
}

static void shares_are_divided_on_each_processor(void **state)
{
	seed = 1;
	live((struct libra_division){0});
}

static void the_late_yield_on_each_processor(void **state)
{
	seed = 2;
	live((struct libra_division){.late_yields = true});
}

static void the_first_by_deadline_runs_on_each_processor(void **state)
{
	seed = 3;
	live((struct libra_division){.ranked = true});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_divided_on_each_processor),
		cmocka_unit_test(the_late_yield_on_each_processor),
		cmocka_unit_test(the_first_by_deadline_runs_on_each_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
