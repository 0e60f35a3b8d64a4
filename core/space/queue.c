/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the arrays of waiting and running jobs. */
#include "core/space/queue.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_JOBS 128

int libra_queue_reserve(struct libra_queue *q, uint32_t n)
{
	/* Reserve twice the jobs: holes are closed when half of the memory is
	 * holes.
	 */
	uint64_t need = 2 * (uint64_t)n + LIBRA_QUEUE_BLOCK;
	bool ok = true;

	if (need <= q->cap)
		return 0;
	n = libra_doubled(q->cap, FIRST_JOBS, need);
	q->nprocs = libra_grown(q->nprocs, n, sizeof(*q->nprocs), &ok);
	q->estimate_s =
		libra_grown(q->estimate_s, n, sizeof(*q->estimate_s), &ok);
	q->key = libra_grown(q->key, n, sizeof(*q->key), &ok);
	q->serial = libra_grown(q->serial, n, sizeof(*q->serial), &ok);
	q->slot = libra_grown(q->slot, n, sizeof(*q->slot), &ok);
	q->least = libra_grown(q->least, n / LIBRA_QUEUE_BLOCK,
			       sizeof(*q->least), &ok);
	if (!ok)
		return -1;
	q->cap = n;
	return 0;
}

void libra_queue_fini(struct libra_queue *q)
{
	free(q->nprocs);
	free(q->estimate_s);
	free(q->key);
	free(q->serial);
	free(q->slot);
	free(q->least);
	memset(q, 0, sizeof(*q));
}

static void renew_least(struct libra_queue *q, uint32_t place, uint32_t to)
{
	uint32_t from = place / LIBRA_QUEUE_BLOCK;

	for (uint32_t b = from; b * LIBRA_QUEUE_BLOCK < to; b++) {
		uint32_t begin = b * LIBRA_QUEUE_BLOCK;
		uint32_t end = begin + LIBRA_QUEUE_BLOCK;
		uint32_t least = LIBRA_QUEUE_HOLE;

		end = end < q->end ? end : q->end;
		for (uint32_t i = begin; i < end; i++)
			least = q->nprocs[i] < least ? q->nprocs[i] : least;
		q->least[b] = least;
	}
}

static void move(struct libra_queue *q, uint32_t to, uint32_t from, uint32_t n)
{
	if (n == 0)
		return;
	memmove(&q->nprocs[to], &q->nprocs[from], n * sizeof(*q->nprocs));
	memmove(&q->estimate_s[to], &q->estimate_s[from],
		n * sizeof(*q->estimate_s));
	memmove(&q->key[to], &q->key[from], n * sizeof(*q->key));
	memmove(&q->serial[to], &q->serial[from], n * sizeof(*q->serial));
	memmove(&q->slot[to], &q->slot[from], n * sizeof(*q->slot));
}

/* Move the jobs together at the front. */
static void close_holes(struct libra_queue *q)
{
	uint32_t n = 0;

	for (uint32_t i = q->head; i < q->end; i++)
		if (q->nprocs[i] != LIBRA_QUEUE_HOLE)
			move(q, n++, i, 1);
	q->head = 0;
	q->end = n;
	renew_least(q, 0, n);
}

static bool after(const struct libra_queue *q, uint32_t place, double key,
		  uint64_t serial)
{
	if (q->key[place] != key)
		return q->key[place] > key;
	return q->serial[place] > serial;
}

/* Return the first place whose job comes after (key, serial), or end.  A hole
 * keeps the key of its removed job.
 */
static uint32_t place_after(const struct libra_queue *q, double key,
			    uint64_t serial)
{
	uint32_t low = q->head, high = q->end;

	if (low < high && !after(q, high - 1, key, serial))
		return high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (after(q, middle, key, serial))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

uint32_t libra_queue_insert(struct libra_queue *q, uint32_t slot, double key,
			    uint64_t serial, uint32_t nprocs, double estimate_s)
{
	uint32_t low, block;

	if (q->live == 0)
		q->head = q->end = 0;
	else if (q->end == q->cap)
		close_holes(q);
	low = place_after(q, key, serial);
	move(q, low + 1, low, q->end - low);
	q->nprocs[low] = nprocs;
	q->estimate_s[low] = estimate_s;
	q->key[low] = key;
	q->serial[low] = serial;
	q->slot[low] = slot;
	q->live++;
	block = low / LIBRA_QUEUE_BLOCK;
	if (low != q->end++)
		renew_least(q, low, q->end);
	else if (low % LIBRA_QUEUE_BLOCK == 0 || nprocs < q->least[block])
		q->least[block] = nprocs;
	return low;
}

void libra_queue_remove(struct libra_queue *q, uint32_t place)
{
	uint32_t nprocs = q->nprocs[place];

	q->nprocs[place] = LIBRA_QUEUE_HOLE;
	q->live--;
	if (place != q->head) {
		/* A larger job does not change the least of its block. */
		if (nprocs <= q->least[place / LIBRA_QUEUE_BLOCK])
			renew_least(q, place, place + 1);
		return;
	}
	/* Blocks before the head are never read: their least may be outdated.
	 */
	while (q->head < q->end && q->nprocs[q->head] == LIBRA_QUEUE_HOLE)
		q->head++;
}

uint32_t libra_queue_next(const struct libra_queue *q, uint32_t place,
			  uint32_t nprocs)
{
	while (place < q->end) {
		uint32_t block = place / LIBRA_QUEUE_BLOCK;
		uint32_t end = (block + 1) * LIBRA_QUEUE_BLOCK;

		if (q->least[block] > nprocs) {
			place = end;
			continue;
		}
		end = end < q->end ? end : q->end;
		for (; place < end; place++)
			if (q->nprocs[place] <= nprocs)
				return place;
	}
	return q->end;
}

uint32_t libra_queue_find(const struct libra_queue *q, uint32_t slot)
{
	for (uint32_t i = q->head; i < q->end; i++)
		if (q->slot[i] == slot && q->nprocs[i] != LIBRA_QUEUE_HOLE)
			return i;
	return q->end;
}

uint32_t libra_queue_place(const struct libra_queue *q, double key,
			   uint64_t serial)
{
	return place_after(q, key, serial) - 1;
}

int libra_runlist_reserve(struct libra_runlist *list, uint32_t n)
{
	uint32_t cap;
	bool ok = true;

	if (n <= list->cap)
		return 0;
	cap = libra_doubled(list->cap, FIRST_JOBS, n);
	list->jobs = libra_grown(list->jobs, cap, sizeof(*list->jobs), &ok);
	if (!ok)
		return -1;
	list->cap = cap;
	return 0;
}

void libra_runlist_fini(struct libra_runlist *list)
{
	free(list->jobs);
	memset(list, 0, sizeof(*list));
}

/* Return true if a job ends before (end_s, nprocs).  No branches, as they
 * would be unpredictable.
 */
static bool ends_before(const struct libra_running *job, double end_s,
			uint32_t nprocs)
{
	return (job->end_s < end_s) |
	       ((job->end_s == end_s) & (job->nprocs < nprocs));
}

static uint32_t run_place(const struct libra_running *jobs, uint32_t n,
			  double end_s, uint32_t nprocs)
{
	uint32_t low = 0;

	while (n > 0) {
		uint32_t half = n - n / 2;
		bool before = ends_before(&jobs[low + half - 1], end_s, nprocs);

		low += half & -(uint32_t)before;
		n -= half;
	}
	return low;
}

void libra_runlist_add(struct libra_runlist *list, double end_s,
		       uint32_t nprocs, uint32_t slot)
{
	uint32_t place = run_place(list->jobs, list->n, end_s, nprocs);

	memmove(&list->jobs[place + 1], &list->jobs[place],
		(list->n - place) * sizeof(*list->jobs));
	list->jobs[place] = (struct libra_running){end_s, nprocs, slot};
	list->n++;
}

void libra_runlist_remove(struct libra_runlist *list, double end_s,
			  uint32_t nprocs, uint32_t slot)
{
	uint32_t place = run_place(list->jobs, list->n, end_s, nprocs);

	while (place < list->n && list->jobs[place].slot != slot)
		place++;
	if (place == list->n)
		return;
	list->n--;
	memmove(&list->jobs[place], &list->jobs[place + 1],
		(list->n - place) * sizeof(*list->jobs));
}
