/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row.c - how the tasks of a row divide its processors. */
#include "core/share/row.h"

#include <stddef.h>

#include "core/formula/need.h"
#include "core/formula/share.h"

struct libra_task *libra_row_task(const struct libra_ledger_row *row,
				  uint32_t slot)
{
	uint32_t k = libra_row_find(row, slot);

	return k < row->pub.ntasks ? &row->tasks[k] : NULL;
}

struct libra_row_sum libra_row_share(const struct libra_ledger_row *row,
				     const struct libra_division *division,
				     double now_s)
{
	struct libra_row_sum sum = {0};

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		if (task->deadline_s <= now_s) {
			sum.nlate++;
			if (division->late_yields)
				continue;
		}
		sum.share += libra_share(libra_row_est_left(row, task, now_s),
					 task->initial_share, task->deadline_s,
					 now_s);
	}
	return sum;
}

/* Set rates with late_yields: tasks in time have their shares as rates, late
 * tasks divide the rest.
 */
static void yield_rates(struct libra_ledger_row *row, double share,
			uint32_t nlate)
{
	double over = share > 1 ? share : 1;
	double rest = share < 1 ? (1 - share) / nlate : 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		struct libra_task *task = &row->tasks[k];

		if (!task->running)
			continue;
		if (task->deadline_s <= row->pub.since_s)
			task->rate = rest;
		else
			task->rate /= over;
	}
}

/* Two at a time: divisions are most of the cost of an event. */
static void divide_rates(struct libra_task *tasks, uint32_t n, double by)
{
	typedef double two __attribute__((vector_size(16)));
	uint32_t k = 0;

	for (; k + 1 < n; k += 2) {
		two rates = {tasks[k].rate, tasks[k + 1].rate};

		rates /= by;
		tasks[k].rate = rates[0];
		tasks[k + 1].rate = rates[1];
	}
	if (k < n)
		tasks[k].rate /= by;
}

/* Process an event of a row: add the tasks' progress since the last event, and
 * renew the rates.  All processor time is distributed in proportion to the
 * shares of the running tasks.  The sums are for the row's bounds.
 */
static void renew_shares(struct libra_ledger_row *row, bool late_yields,
			 double now_s)
{
	double elapsed_s = now_s - row->pub.since_s;
	double share = 0, work_s = 0, first_s = INFINITY, last_s = -INFINITY;
	uint32_t n = row->pub.ntasks, nlate = 0;
	bool steady = true;

	for (uint32_t k = 0; k < n; k++) {
		struct libra_task *task = &row->tasks[k];
		double deadline_s = task->deadline_s, left_s;

		left_s = task->est_left_s - task->rate * elapsed_s;
		task->est_left_s = left_s;
		task->rate = 0;
		if (!task->running) {
			steady = false;
			continue;
		}
		if (late_yields && deadline_s <= now_s) {
			steady = false;
			nlate++;
			continue;
		}
		task->rate = libra_share(left_s, task->initial_share,
					 deadline_s, now_s);
		share += task->rate;
		work_s += left_s;
		steady &= left_s > 0 && deadline_s > now_s;
		first_s = deadline_s < first_s ? deadline_s : first_s;
		last_s = deadline_s > last_s ? deadline_s : last_s;
	}
	row->pub.since_s = row->renewed_s = now_s;
	if (nlate > 0)
		yield_rates(row, share, nlate);
	else if (share > 0)
		divide_rates(row->tasks, n, share);
	row->steady = steady;
	row->share = row->known = share;
	row->known_s = now_s;
	row->work_s = work_s;
	row->first_s = first_s;
	row->last_s = last_s;
}

/* Return true if the first of two tasks of a row, by index, is served first. */
static bool goes_before(const struct libra_ledger_row *row, uint32_t i,
			uint32_t k)
{
	const struct libra_task *a = &row->tasks[i], *b = &row->tasks[k];
	bool a_late = libra_is_late(a->deadline_s, row->pub.since_s);
	bool b_late = libra_is_late(b->deadline_s, row->pub.since_s);

	if (a_late != b_late)
		return b_late;
	if (a->deadline_s != b->deadline_s)
		return a->deadline_s < b->deadline_s;
	return i < k;
}

void libra_row_advance(struct libra_ledger_row *row, double now_s)
{
	for (uint32_t k = 0; k < row->pub.ntasks; k++)
		row->tasks[k].est_left_s =
			libra_row_est_left(row, &row->tasks[k], now_s);
	row->pub.since_s = now_s;
}

/* Process an event of a ranked row: all time goes to the first running task. */
static void renew_ranked(struct libra_ledger_row *row, double now_s)
{
	uint32_t n = row->pub.ntasks, first = n;

	libra_row_advance(row, now_s);
	row->steady = false;
	row->renewed_s = now_s;
	for (uint32_t k = 0; k < n; k++) {
		row->tasks[k].rate = 0;
		if (row->tasks[k].running &&
		    (first == n || goes_before(row, k, first)))
			first = k;
	}
	if (first < n)
		row->tasks[first].rate = 1;
}

/* Process an event of a row under a policy with its own rule. */
static void renew_divided(struct libra_ledger_row *row,
			  const struct libra_division *division, double now_s)
{
	libra_row_advance(row, now_s);
	row->steady = false;
	division->divide(division, row->tasks, row->pub.ntasks);
}

void libra_row_renew(struct libra_ledger_row *row,
		     const struct libra_division *division, double now_s)
{
	if (division->divide)
		renew_divided(row, division, now_s);
	else if (division->ranked)
		renew_ranked(row, now_s);
	else
		renew_shares(row, division->late_yields, now_s);
}

double libra_row_next_late_s(const struct libra_ledger_row *row)
{
	double next_s = INFINITY;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		double late_s = row->tasks[k].deadline_s + LIBRA_LATE_AFTER_S;

		if (late_s > row->renewed_s && late_s < next_s)
			next_s = late_s;
	}
	return next_s;
}
