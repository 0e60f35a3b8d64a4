/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ledger.c - rows of processors with equal tasks. */
#include "core/share/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_ROWS  64
#define FIRST_TASKS 8

/* Grow the ring of dirty rows, and move its first element to the front. */
static int grow_dirty(struct libra_ledger *ledger, uint32_t cap)
{
	bool ok = true;
	uint32_t *dirty = libra_grown(NULL, cap, sizeof(*dirty), &ok);

	if (!ok)
		return -1;
	for (uint32_t i = 0; i < ledger->ndirty; i++)
		dirty[i] =
			ledger->dirty[(ledger->dirty_head + i) % ledger->cap];
	free(ledger->dirty);
	ledger->dirty = dirty;
	ledger->dirty_head = 0;
	return 0;
}

/* Reserve memory for n rows more than are in use. */
static int grow_rows(struct libra_ledger *ledger, uint32_t n)
{
	uint64_t need = (uint64_t)ledger->nrows - ledger->nunused + n;
	uint32_t old = ledger->cap, cap;
	bool ok = true;

	if (need <= old)
		return 0;
	cap = libra_doubled(old, FIRST_ROWS, need);
	ledger->rows =
		libra_grown(ledger->rows, cap, sizeof(*ledger->rows), &ok);
	ledger->taken =
		libra_grown(ledger->taken, cap, sizeof(*ledger->taken), &ok);
	ledger->chosen =
		libra_grown(ledger->chosen, cap, sizeof(*ledger->chosen), &ok);
	ledger->added =
		libra_grown(ledger->added, cap, sizeof(*ledger->added), &ok);
	ledger->unused =
		libra_grown(ledger->unused, cap, sizeof(*ledger->unused), &ok);
	if (!ok || libra_procmap_reserve(&ledger->map, cap) < 0 ||
	    libra_least_reserve(&ledger->late_s, cap) < 0 ||
	    libra_limits_reserve(&ledger->limits, cap) < 0 ||
	    grow_dirty(ledger, cap) < 0)
		return -1;
	memset(&ledger->rows[old], 0, (cap - old) * sizeof(*ledger->rows));
	memset(&ledger->taken[old], 0, (cap - old) * sizeof(*ledger->taken));
	ledger->cap = cap;
	return 0;
}

int libra_ledger_init(struct libra_ledger *ledger, uint32_t nprocs)
{
	memset(ledger, 0, sizeof(*ledger));
	if (libra_procmap_init(&ledger->map, nprocs, LIBRA_ROW_EMPTY) < 0 ||
	    grow_rows(ledger, FIRST_ROWS) < 0) {
		libra_ledger_fini(ledger);
		return -1;
	}
	ledger->nrows = LIBRA_ROW_FIRST;
	ledger->added_slot = UINT32_MAX;
	ledger->rows[LIBRA_ROW_EMPTY].pub.nprocs = nprocs;
	ledger->rows[LIBRA_ROW_CLOSED].closed = true;
	return 0;
}

static void *copied(const void *from, size_t n, size_t room, bool *ok)
{
	void *to = calloc(room + 1, 1);

	if (!to)
		*ok = false;
	else if (n > 0)
		memcpy(to, from, n);
	return to;
}

static bool copy_rows(struct libra_ledger *copy,
		      const struct libra_ledger *ledger)
{
	size_t size = (size_t)ledger->cap * sizeof(uint32_t);
	bool ok = true;

	copy->rows = copied(ledger->rows, ledger->cap * sizeof(*ledger->rows),
			    ledger->cap * sizeof(*ledger->rows), &ok);
	ok &= libra_least_copy(&copy->late_s, &ledger->late_s) == 0;
	copy->taken = copied(ledger->taken, size, size, &ok);
	copy->chosen = copied(ledger->chosen, size, size, &ok);
	copy->unused = copied(ledger->unused, size, size, &ok);
	copy->added = copied(ledger->added, size, size, &ok);
	copy->dirty = copied(ledger->dirty, size, size, &ok);
	for (uint32_t i = 0; i < ledger->cap && copy->rows; i++) {
		struct libra_ledger_row *row = &copy->rows[i];

		row->tasks = copied(row->tasks,
				    row->pub.ntasks * sizeof(*row->tasks),
				    row->cap * sizeof(*row->tasks), &ok);
		row->pub.tasks = row->tasks;
	}
	return ok;
}

int libra_ledger_copy(struct libra_ledger *copy,
		      const struct libra_ledger *ledger)
{
	*copy = *ledger;
	memset(&copy->limits, 0, sizeof(copy->limits));
	copy->picks = NULL;
	copy->picks_cap = copy->npicks = 0;
	if (libra_procmap_copy(&copy->map, &ledger->map) < 0) {
		memset(copy, 0, sizeof(*copy));
		return -1;
	}
	if (copy_rows(copy, ledger))
		return 0;
	libra_ledger_fini(copy);
	return -1;
}

void libra_ledger_fini(struct libra_ledger *ledger)
{
	for (uint32_t i = 0; i < ledger->cap && ledger->rows; i++)
		free(ledger->rows[i].tasks);
	free(ledger->rows);
	libra_least_fini(&ledger->late_s);
	free(ledger->taken);
	free(ledger->chosen);
	free(ledger->unused);
	free(ledger->added);
	free(ledger->picks);
	free(ledger->dirty);
	libra_procmap_fini(&ledger->map);
	libra_limits_fini(&ledger->limits);
	memset(ledger, 0, sizeof(*ledger));
}

static int reserve_tasks(struct libra_ledger *ledger,
			 struct libra_ledger_row *row, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= row->cap)
		return 0;
	cap = libra_doubled(row->cap, FIRST_TASKS, n);
	row->tasks = libra_grown(row->tasks, cap, sizeof(*row->tasks), &ok);
	row->pub.tasks = row->tasks;
	if (!ok)
		return -1;
	row->cap = cap;
	if (ledger->task_cap < cap)
		ledger->task_cap = cap;
	return 0;
}

/* Return the row that the n-th call of take_row from now on will return; memory
 * must be reserved (grow_rows).
 */
static uint32_t coming_row(const struct libra_ledger *ledger, uint32_t n)
{
	return n < ledger->nunused ? ledger->unused[ledger->nunused - 1 - n]
				   : ledger->nrows + (n - ledger->nunused);
}

static uint32_t take_row(struct libra_ledger *ledger)
{
	return ledger->nunused > 0 ? ledger->unused[--ledger->nunused]
				   : ledger->nrows++;
}

/* Release a row that has no processors any more. */
static void give_row(struct libra_ledger *ledger, uint32_t index)
{
	ledger->rows[index].pub.nprocs = 0;
	ledger->rows[index].pub.ntasks = 0;
	libra_least_set(&ledger->late_s, index, INFINITY);
	ledger->unused[ledger->nunused++] = index;
}

static void mark_dirty(struct libra_ledger *ledger, uint32_t index)
{
	struct libra_ledger_row *row = &ledger->rows[index];
	uint32_t end;

	if (row->dirty)
		return;
	row->dirty = true;
	end = ledger->dirty_head + ledger->ndirty++;
	ledger->dirty[end < ledger->cap ? end : end - ledger->cap] = index;
}

uint32_t libra_ledger_next_dirty(struct libra_ledger *ledger)
{
	uint32_t index;

	if (ledger->ndirty == 0)
		return UINT32_MAX;
	index = ledger->dirty[ledger->dirty_head];
	if (++ledger->dirty_head == ledger->cap)
		ledger->dirty_head = 0;
	ledger->ndirty--;
	ledger->rows[index].dirty = false;
	return index;
}

/* Update the next late instant of a row whose tasks have changed. */
static void watch_row(struct libra_ledger *ledger, uint32_t index)
{
	if (libra_ledger_watches(ledger))
		libra_least_set(&ledger->late_s, index,
				libra_row_next_late_s(&ledger->rows[index]));
}

/* Fill an unused row with the tasks of another, without processors yet. */
static void copy_row(struct libra_ledger *ledger, uint32_t from, uint32_t to)
{
	struct libra_ledger_row *source = &ledger->rows[from];
	struct libra_ledger_row *row = &ledger->rows[to];

	row->pub.ntasks = source->pub.ntasks;
	row->pub.since_s = source->pub.since_s;
	row->closed = source->closed;
	row->slots = source->slots;
	row->renewed_s = source->renewed_s;
	libra_least_set(&ledger->late_s, to,
			libra_least_get(&ledger->late_s, from));
	row->steady = false;
	libra_limits_forget(&ledger->limits, to);
	if (source->pub.ntasks > 0)
		memcpy(row->tasks, source->tasks,
		       source->pub.ntasks * sizeof(*row->tasks));
	/* A host that reads the old row must begin to read the new one. */
	if (source->pub.ntasks > 0)
		mark_dirty(ledger, to);
}

/* Return true if the choice takes only a part of the row, so that it must be
 * split.
 */
static bool splits(const struct libra_ledger *ledger, uint32_t index)
{
	uint32_t taken = ledger->taken[index];

	return taken > 0 && (index < LIBRA_ROW_FIRST ||
			     taken < ledger->rows[index].pub.nprocs);
}

int libra_ledger_pick(struct libra_ledger *ledger, uint32_t row, uint32_t first,
		      uint32_t count)
{
	uint32_t cap = libra_doubled(ledger->picks_cap, FIRST_ROWS,
				     (uint64_t)ledger->npicks + 1);
	bool ok = true;

	if (ledger->npicks == ledger->picks_cap)
		ledger->picks = libra_grown(ledger->picks, cap,
					    sizeof(*ledger->picks), &ok);
	if (!ok)
		return -1;
	ledger->picks_cap = cap;
	ledger->picks[ledger->npicks++] =
		(struct libra_pick){{first, count}, row};
	libra_ledger_choose(ledger, row, count);
	return 0;
}

void libra_ledger_unpick(struct libra_ledger *ledger)
{
	while (ledger->nchosen > 0)
		ledger->taken[ledger->chosen[--ledger->nchosen]] = 0;
	ledger->npicks = 0;
}

/* Move the chosen processors of a row into another one. */
static void move_chosen(struct libra_ledger *ledger, uint32_t from, uint32_t to)
{
	uint32_t n = ledger->taken[from];

	if (ledger->npicks == 0)
		libra_procmap_take(&ledger->map, from, n, to);
	for (uint32_t i = 0; i < ledger->npicks; i++)
		if (ledger->picks[i].row == from)
			libra_procmap_set(&ledger->map,
					  ledger->picks[i].procs.first,
					  ledger->picks[i].procs.count, to);
	ledger->rows[from].pub.nprocs -= n;
	ledger->rows[to].pub.nprocs = n;
}

/* Reserve all first, so that nothing fails half-way. */
int libra_ledger_reserve(struct libra_ledger *ledger)
{
	uint32_t nsplit = 0;

	for (uint32_t i = 0; i < ledger->nchosen; i++)
		nsplit += splits(ledger, ledger->chosen[i]);
	if (grow_rows(ledger, nsplit) < 0)
		return -1;
	nsplit = 0;
	for (uint32_t i = 0; i < ledger->nchosen; i++) {
		uint32_t index = ledger->chosen[i], target = index;

		if (splits(ledger, index))
			target = coming_row(ledger, nsplit++);
		if (reserve_tasks(ledger, &ledger->rows[target],
				  ledger->rows[index].pub.ntasks + 1) < 0)
			return -1;
	}
	return 0;
}

int libra_ledger_reserve_each(struct libra_ledger *ledger)
{
	uint32_t n = ledger->npicks, most = 0;
	int result = 0;

	for (uint32_t i = 0; i < ledger->nchosen; i++) {
		uint32_t ntasks = ledger->rows[ledger->chosen[i]].pub.ntasks;

		most = ntasks > most ? ntasks : most;
	}
	/* Each pick may split its row. */
	if (grow_rows(ledger, n) < 0)
		result = -1;
	for (uint32_t i = 0; i < n && result == 0; i++)
		result = reserve_tasks(
			ledger, &ledger->rows[coming_row(ledger, i)], most + 1);
	for (uint32_t i = 0; i < ledger->nchosen && result == 0; i++)
		result = reserve_tasks(ledger, &ledger->rows[ledger->chosen[i]],
				       most + 1);
	libra_ledger_unpick(ledger);
	return result;
}

static void add_to_row(struct libra_ledger *ledger, uint32_t index,
		       const struct libra_task *task)
{
	uint32_t target = index;
	struct libra_ledger_row *row;

	if (splits(ledger, index)) {
		target = take_row(ledger);
		copy_row(ledger, index, target);
		move_chosen(ledger, index, target);
	}
	row = &ledger->rows[target];
	row->tasks[row->pub.ntasks++] = *task;
	row->slots |= libra_row_slot_bit(task->slot);
	row->steady = false;
	ledger->added[ledger->nadded++] = target;
	watch_row(ledger, target);
	if (index < LIBRA_ROW_FIRST)
		libra_limits_added(ledger, target);
}

int libra_ledger_add(struct libra_ledger *ledger, const struct libra_task *task)
{
	int result = libra_ledger_reserve(ledger);

	ledger->nadded = 0;
	ledger->added_slot = task->slot;
	for (uint32_t i = 0; i < ledger->nchosen && result == 0; i++)
		add_to_row(ledger, ledger->chosen[i], task);
	libra_ledger_unpick(ledger);
	return result;
}

void libra_ledger_renew(struct libra_ledger *ledger, uint32_t row, double now_s)
{
	libra_row_renew(&ledger->rows[row], &ledger->division, now_s);
	watch_row(ledger, row);
	mark_dirty(ledger, row);
	libra_limits_changed(ledger, row, now_s);
}

void libra_ledger_start_in(struct libra_ledger *ledger, uint32_t index,
			   uint32_t slot, double now_s)
{
	struct libra_ledger_row *row = &ledger->rows[index];
	uint32_t k = libra_row_find(row, slot);

	if (k == row->pub.ntasks)
		return;
	row->tasks[k].running = true; /* at rate 0 until now */
	libra_ledger_renew(ledger, index, now_s);
}

/* Mostly a job starts right after it was added, and its rows are known. */
void libra_ledger_start(struct libra_ledger *ledger, uint32_t slot,
			double now_s)
{
	if (ledger->added_slot == slot) {
		for (uint32_t i = 0; i < ledger->nadded; i++)
			libra_ledger_start_in(ledger, ledger->added[i], slot,
					      now_s);
		return;
	}
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++)
		libra_ledger_start_in(ledger, i, slot, now_s);
}

void libra_ledger_progress(struct libra_ledger *ledger, uint32_t slot,
			   double executed_s, double now_s)
{
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		struct libra_ledger_row *row = &ledger->rows[i];
		uint32_t k = libra_row_find(row, slot);

		if (row->pub.nprocs == 0 || k == row->pub.ntasks)
			continue;
		if (row->pub.since_s != now_s)
			libra_row_advance(row, now_s);
		row->tasks[k].est_left_s =
			row->tasks[k].estimate_s - executed_s;
		row->steady = false;
		libra_limits_changed(ledger, i, now_s);
	}
}

void libra_ledger_renew_late(struct libra_ledger *ledger, double now_s)
{
	const struct libra_least *late_s = &ledger->late_s;

	for (uint32_t i = libra_least_next(late_s, 0, now_s); i < late_s->cap;
	     i = libra_least_next(late_s, i + 1, now_s))
		libra_ledger_renew(ledger, i, now_s);
}

void libra_ledger_clock(struct libra_ledger *ledger, double was_s, double now_s)
{
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		struct libra_ledger_row *row = &ledger->rows[i];

		if (row->pub.nprocs == 0)
			continue;
		libra_row_advance(row, was_s);
		row->pub.since_s = now_s;
		libra_ledger_renew(ledger, i, now_s);
	}
	libra_limits_reset(&ledger->limits);
}

/* Return the processors of a row without tasks to the empty rows. */
static void release(struct libra_ledger *ledger, uint32_t index)
{
	struct libra_ledger_row *row = &ledger->rows[index];
	uint32_t into = row->closed ? LIBRA_ROW_CLOSED : LIBRA_ROW_EMPTY;

	libra_procmap_merge(&ledger->map, index, into);
	ledger->rows[into].pub.nprocs += row->pub.nprocs;
	give_row(ledger, index);
}

static uint32_t remove_from_row(struct libra_ledger *ledger, uint32_t index,
				uint32_t slot, double now_s)
{
	struct libra_ledger_row *row = &ledger->rows[index];
	uint32_t k = libra_row_find(row, slot), nprocs = row->pub.nprocs;
	bool running;

	if (k == row->pub.ntasks)
		return 0;
	running = row->tasks[k].running;
	row->steady = false;
	row->pub.ntasks--;
	memmove(&row->tasks[k], &row->tasks[k + 1],
		(row->pub.ntasks - k) * sizeof(*row->tasks));
	row->slots = 0;
	for (k = 0; k < row->pub.ntasks; k++)
		row->slots |= libra_row_slot_bit(row->tasks[k].slot);
	/* A task that never ran does not change the others' progress. */
	if (running)
		libra_ledger_renew(ledger, index, now_s);
	else {
		watch_row(ledger, index);
		libra_limits_changed(ledger, index, now_s);
	}
	if (row->pub.ntasks == 0)
		release(ledger, index);
	return nprocs;
}

uint32_t libra_ledger_remove(struct libra_ledger *ledger, uint32_t slot,
			     uint32_t row, double now_s)
{
	uint32_t n = 0;

	if (row != UINT32_MAX)
		return remove_from_row(ledger, row, slot, now_s);
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++)
		n += remove_from_row(ledger, i, slot, now_s);
	return n;
}

/* Open or close all of a row, or its processors within a range. */
static void close_part(struct libra_ledger *ledger, uint32_t index,
		       uint32_t target, uint32_t first, uint32_t end,
		       bool closed)
{
	struct libra_procmap *map = &ledger->map;

	for (uint32_t a = first, b; a < end; a = b) {
		uint32_t run = libra_procmap_find(map, a);

		b = map->end[run] < end ? map->end[run] : end;
		if (map->label[run] != index)
			continue;
		libra_procmap_set(map, a, b - a, target);
		ledger->rows[index].pub.nprocs -= b - a;
		ledger->rows[target].pub.nprocs += b - a;
	}
	ledger->rows[target].closed = closed;
}

/* Release a row that lost all its processors to another one. */
static void drop_if_bare(struct libra_ledger *ledger, uint32_t index)
{
	if (ledger->rows[index].pub.nprocs > 0)
		return;
	give_row(ledger, index);
	mark_dirty(ledger, index);
}

int libra_ledger_close(struct libra_ledger *ledger, uint32_t first,
		       uint32_t count, bool closed)
{
	uint32_t end = first + count, nrows = ledger->nrows;
	uint32_t from = closed ? LIBRA_ROW_EMPTY : LIBRA_ROW_CLOSED;
	uint32_t to = closed ? LIBRA_ROW_CLOSED : LIBRA_ROW_EMPTY;

	/* Each row is split at most once; rows that lost all their processors
	 * on the way are reused for others.
	 */
	if (grow_rows(ledger, nrows) < 0)
		return -1;
	for (uint32_t i = LIBRA_ROW_FIRST; i < nrows; i++) {
		uint32_t coming = coming_row(ledger, i - LIBRA_ROW_FIRST);

		if (reserve_tasks(ledger, &ledger->rows[i], ledger->task_cap) <
			    0 ||
		    reserve_tasks(ledger, &ledger->rows[coming],
				  ledger->task_cap) < 0)
			return -1;
	}
	ledger->added_slot = UINT32_MAX;
	close_part(ledger, from, to, first, end, closed);
	for (uint32_t i = LIBRA_ROW_FIRST; i < nrows; i++) {
		uint32_t target;

		if (ledger->rows[i].pub.nprocs == 0 ||
		    ledger->rows[i].closed == closed)
			continue;
		target = take_row(ledger);
		copy_row(ledger, i, target);
		close_part(ledger, i, target, first, end, closed);
		/* None, or all, of its processors are in the range. */
		drop_if_bare(ledger, target);
		drop_if_bare(ledger, i);
	}
	libra_limits_reset(&ledger->limits);
	return 0;
}
