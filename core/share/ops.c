/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.c - admission to time-shared processors. */
#include "core/share/ops.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/bisect.h"
#include "core/formula/share.h"
#include "core/share/bid.h"

/* Deadlines that are tried where only trial tells: up to some 70,000 times the
 * estimate.
 */
#define TRIALS	     64
#define TRIAL_FACTOR 1.2

enum { UNASKED = 0, SUITS, UNFIT, TIED };

/* An array with more room, or the old one and *ok = false. */
static void *grown(void *array, uint32_t cap, size_t size, bool *ok)
{
	void *bigger = realloc(array, cap * size);

	if (!bigger)
		*ok = false;
	return bigger ? bigger : array;
}

static int reserve(struct libra_share_state *s)
{
	uint32_t tasks = s->ledger.task_cap + 1, rows = s->ledger.cap;
	bool ok = true;

	if (s->outlook_cap < tasks) {
		s->outlook = grown(s->outlook, tasks, sizeof(*s->outlook), &ok);
		if (!ok)
			return -1;
		s->outlook_cap = tasks;
	}
	if (s->rows_cap < rows) {
		s->fits = grown(s->fits, rows, sizeof(*s->fits), &ok);
		s->asked = grown(s->asked, rows, sizeof(*s->asked), &ok);
		s->keys = grown(s->keys, rows, sizeof(*s->keys), &ok);
		s->suits = grown(s->suits, rows, sizeof(*s->suits), &ok);
		if (!ok)
			return -1;
		s->rows_cap = rows;
	}
	return 0;
}

static int share_init(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);

	if (libra_ledger_init(&s->ledger, e->nprocs) < 0)
		return -1;
	s->ledger.division.ranked = e->policy->ranked;
	s->node_fits = calloc(e->nnodes, sizeof(*s->node_fits));
	if (!s->node_fits || reserve(s) < 0)
		return -1;
	return traits->init ? traits->init(e) : 0;
}

static void share_fini(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);

	if (traits->fini)
		traits->fini(e);
	libra_ledger_fini(&s->ledger);
	free(s->outlook);
	free(s->fits);
	free(s->asked);
	free(s->keys);
	free(s->suits);
	free(s->node_fits);
}

/* The share a job comes with (eq. 1 at its submission). */
static double initial_share(const struct libra_job *job)
{
	double deadline_s = job->deadline_s - job->submit_s;

	return deadline_s > 0 ? job->estimate_s / deadline_s : INFINITY;
}

static bool usable(const struct libra_engine *e,
		   const struct libra_ledger_row *row)
{
	return row->pub.nprocs > 0 && !row->closed &&
	       row->pub.ntasks < e->max_jobs;
}

/* Count suitable processors in index order into taken[], up to the job's need.
 * A row is asked once, when its first processor comes.
 * Result: processors still missing.
 */
static uint32_t take_by_index(struct libra_engine *e,
			      const struct libra_job *job, double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	const struct libra_procmap *map = &s->ledger.map;
	uint32_t missing = job->nprocs;
	double share;

	memset(s->asked, UNASKED, s->ledger.nrows);
	for (uint32_t i = 0; i < map->nruns && missing > 0; i++) {
		uint32_t index = map->label[i];
		uint32_t n = libra_procmap_count(map, i);
		const struct libra_ledger_row *row = &s->ledger.rows[index];

		if (s->asked[index] == UNASKED)
			s->asked[index] =
				usable(e, row) &&
						traits->suits(e, row, job,
							      new_share, &share)
					? SUITS
					: UNFIT;
		if (s->asked[index] != SUITS)
			continue;
		n = n < missing ? n : missing;
		libra_ledger_choose(&s->ledger, index, n);
		missing -= n;
	}
	return missing;
}

static void sift_down(struct libra_fit *heap, uint32_t n, uint32_t i)
{
	for (;;) {
		uint32_t child = 2 * i + 1;
		struct libra_fit swap = heap[i];

		if (child >= n)
			return;
		if (child + 1 < n && heap[child + 1].key > heap[child].key)
			child++;
		if (heap[child].key <= heap[i].key)
			return;
		heap[i] = heap[child];
		heap[child] = swap;
		i = child;
	}
}

/* Take the greatest off a heap of n; it goes to heap[n - 1]. */
static void pop(struct libra_fit *heap, uint32_t n)
{
	struct libra_fit top = heap[0];

	heap[0] = heap[n - 1];
	heap[n - 1] = top;
	sift_down(heap, n - 1, 0);
}

static void make_heap(struct libra_fit *heap, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(heap, n, i);
}

/* Take the rows fits[from..to-1], which are equally good: all of them if they
 * are needed, else their processors in index order.
 * Result: processors still missing.
 */
static uint32_t take_tied(struct libra_share_state *s, uint32_t from,
			  uint32_t to, uint32_t missing)
{
	const struct libra_procmap *map = &s->ledger.map;
	uint64_t n = 0;

	for (uint32_t i = from; i < to; i++)
		n += s->ledger.rows[s->fits[i].row].pub.nprocs;
	for (uint32_t i = from; i < to && n <= missing; i++)
		libra_ledger_choose(&s->ledger, s->fits[i].row,
				    s->ledger.rows[s->fits[i].row].pub.nprocs);
	if (n <= missing)
		return missing - (uint32_t)n;
	if (to - from == 1) {
		libra_ledger_choose(&s->ledger, s->fits[from].row, missing);
		return 0;
	}
	for (uint32_t i = from; i < to; i++)
		s->asked[s->fits[i].row] = TIED;
	for (uint32_t i = 0; i < map->nruns && missing > 0; i++) {
		uint32_t count = libra_procmap_count(map, i);

		if (s->asked[map->label[i]] != TIED)
			continue;
		count = count < missing ? count : missing;
		libra_ledger_choose(&s->ledger, map->label[i], count);
		missing -= count;
	}
	return missing;
}

/* Count suitable processors into taken[], the fullest after acceptance first,
 * equal ones in index order.
 */
static uint32_t take_best_fit(struct libra_engine *e,
			      const struct libra_job *job, double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t n = 0, missing = job->nprocs;
	uint64_t suitable = 0;
	double share;

	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];

		if (!usable(e, row) ||
		    !traits->suits(e, row, job, new_share, &share))
			continue;
		suitable += row->pub.nprocs;
		s->fits[n++] = (struct libra_fit){
			.key = (double)llround(share * 1e9), .row = i};
	}
	if (suitable < missing)
		return missing;
	memset(s->asked, UNASKED, s->ledger.nrows);
	make_heap(s->fits, n);
	while (missing > 0) {
		uint32_t end = n;
		double key = s->fits[0].key;

		while (n > 0 && s->fits[0].key == key)
			pop(s->fits, n--);
		missing = take_tied(s, n, end, missing);
	}
	return 0;
}

/* Ask every row, then choose in the shape that the job needs.
 * Result: as libra_place().
 */
static int take_where(struct libra_engine *e, const struct libra_job *job,
		      double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	struct libra_choice choice = {s->suits, s->keys};

	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];
		double share = 0;

		s->suits[i] = usable(e, row) &&
			      traits->suits(e, row, job, new_share, &share);
		s->keys[i] = traits->best_fit && s->suits[i]
				     ? (double)llround(share * 1e9)
				     : 0;
	}
	return libra_place(e, &s->ledger, job, &choice, s->node_fits);
}

/* Choose processors: taken[] of the ledger.
 * Result: 0, 1 if there are too few that suit, or -1 with ENOMEM.
 */
static int choose(struct libra_engine *e, const struct libra_job *job,
		  double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t missing;

	if (reserve(s) < 0)
		return -1;
	if (job->where)
		return take_where(e, job, new_share);
	missing = traits->best_fit ? take_best_fit(e, job, new_share)
				   : take_by_index(e, job, new_share);
	if (missing > 0)
		libra_ledger_unpick(&s->ledger);
	return missing > 0;
}

/* As choose(), and is it good as a whole? */
static int choose_whole(struct libra_engine *e, const struct libra_job *job,
			bool trial, enum libra_reason *reason)
{
	const struct libra_share_traits *traits = e->policy->traits;
	int chosen = choose(e, job, initial_share(job)), admits;

	*reason = traits->refusal;
	if (chosen != 0 || !traits->admits)
		return chosen;
	admits = traits->admits(e, job, trial, reason);
	if (admits <= 0)
		libra_ledger_unpick(&libra_share_state(e)->ledger);
	return admits < 0 ? -1 : !admits;
}

/* Who shares is about to change. */
static void observe(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;

	if (traits->observe)
		traits->observe(e);
}

static struct libra_task new_task(const struct libra_job *job, uint32_t slot,
				  double est_left_s)
{
	double share = initial_share(job);

	return (struct libra_task){
		.est_left_s = est_left_s,
		.deadline_s = job->deadline_s,
		.estimate_s = job->estimate_s,
		.initial_share = share < INFINITY ? share : 1,
		.bid = libra_bid(job),
		.slot = slot,
	};
}

static int share_offer(struct libra_engine *e, uint32_t slot,
		       struct libra_verdict *verdict)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_slot *entry = &e->slots[slot];
	struct libra_task task =
		new_task(&entry->job, slot, entry->job.estimate_s);
	enum libra_reason reason;
	int chosen;

	observe(e);
	chosen = choose_whole(e, &entry->job, false, &reason);
	if (chosen < 0)
		return -1;
	if (chosen > 0) {
		verdict->answer = LIBRA_REJECT;
		verdict->reason = reason;
		return 0;
	}
	if (libra_ledger_add(&s->ledger, &task) < 0)
		return -1;
	entry->nprocs_held = entry->job.nprocs;
	verdict->answer = LIBRA_ACCEPT;
	verdict->share = libra_share(task.est_left_s, task.initial_share,
				     task.deadline_s, e->now_s);
	return 0;
}

/* Time-shared jobs start at once. */
static void share_commit(struct libra_engine *e, uint32_t slot)
{
	e->slots[slot].state = LIBRA_SLOT_STARTING;
	libra_engine_act(e, LIBRA_ACTION_START, slot, LIBRA_REASON_NONE);
}

static void share_remove(struct libra_engine *e, uint32_t slot)
{
	observe(e);
	libra_ledger_remove(&libra_share_state(e)->ledger, slot, UINT32_MAX,
			    e->now_s);
}

static uint32_t share_part_departed(struct libra_engine *e, uint32_t slot,
				    uint32_t row)
{
	observe(e);
	return libra_ledger_remove(&libra_share_state(e)->ledger, slot, row,
				   e->now_s);
}

static void share_started(struct libra_engine *e, uint32_t slot)
{
	libra_ledger_start(&libra_share_state(e)->ledger, slot, e->now_s);
}

static void share_progress(struct libra_engine *e, uint32_t slot,
			   double executed_s)
{
	libra_ledger_progress(&libra_share_state(e)->ledger, slot, executed_s,
			      e->now_s);
}

static double share_left_s(const struct libra_engine *e, uint32_t slot,
			   double now_s, double *rate)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double most_s = -INFINITY;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];
		const struct libra_task *task = libra_row_task(row, slot);
		double left_s;

		if (!task)
			continue;
		left_s = libra_row_est_left(row, task, now_s);
		if (left_s <= most_s)
			continue;
		most_s = left_s;
		*rate = task->rate;
	}
	return most_s;
}

/* Promises are made at offers; but a late task has to yield. */
static void share_schedule(struct libra_engine *e)
{
	if (e->policy->ranked)
		libra_ledger_renew_late(&libra_share_state(e)->ledger,
					e->now_s);
}

static double share_next_event_s(const struct libra_engine *e)
{
	return e->policy->ranked
		       ? libra_ledger_next_late_s(&libra_share_state(e)->ledger)
		       : INFINITY;
}

/* Pick the processors of a range, whatever is on them. */
static int pick_range(struct libra_ledger *ledger, struct libra_range range)
{
	const struct libra_procmap *map = &ledger->map;
	uint32_t end = range.first + range.count;

	for (uint32_t i = 0; i < map->nruns; i++) {
		uint32_t a = map->first[i], b = map->first[i + 1];

		a = a < range.first ? range.first : a;
		b = b > end ? end : b;
		if (a < b &&
		    libra_ledger_pick(ledger, map->label[i], a, b - a) < 0)
			return -1;
	}
	return 0;
}

/* No test: a promise was made, and stands. */
static int share_restore(struct libra_engine *e, uint32_t slot,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_slot *entry = &e->slots[slot];

	observe(e);
	for (uint32_t i = 0; i < nparts; i++) {
		struct libra_task task =
			new_task(&entry->job, slot, parts[i].est_left_s);

		if (pick_range(&s->ledger, parts[i].procs) == 0 &&
		    libra_ledger_add(&s->ledger, &task) == 0)
			continue;
		libra_ledger_unpick(&s->ledger);
		libra_ledger_remove(&s->ledger, slot, UINT32_MAX, e->now_s);
		return -1;
	}
	entry->nprocs_held = entry->job.nprocs;
	s->ledger.added_slot = UINT32_MAX; /* only the last part's rows */
	if (running)
		libra_ledger_start(&s->ledger, slot, e->now_s);
	return 0;
}

/* Would a row suit its own job with other numbers? */
static bool still_suits(struct libra_engine *e, struct libra_ledger_row *row,
			uint32_t slot, const struct libra_job *changed)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_task *task = libra_row_task(row, slot), saved = *task;
	uint32_t after = row->pub.ntasks - 1 - (uint32_t)(task - row->tasks);
	struct libra_job rest = *changed;
	double share, left_s = libra_row_est_left(row, task, e->now_s) +
			       changed->estimate_s - task->estimate_s;
	bool suits;

	if (changed->deadline_s <= e->now_s)
		return false;
	rest.submit_s = e->now_s;
	rest.estimate_s = left_s > 0 ? left_s : LIBRA_OVERRUN_WORK_S;
	memmove(task, task + 1, after * sizeof(*task));
	row->pub.ntasks--;
	row->steady = false;
	suits = traits->suits(e, row, &rest, initial_share(&rest), &share);
	row->pub.ntasks++;
	memmove(task + 1, task, after * sizeof(*task));
	*task = saved;
	return suits;
}

/* Give a job's tasks its changed numbers.
 * Result: its share from now on; 0 if it has no tasks.
 */
static double change_tasks(struct libra_engine *e, uint32_t slot,
			   const struct libra_job *changed)
{
	struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double share = 0;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		struct libra_task *task =
			libra_row_task(&ledger->rows[i], slot);

		if (!task)
			continue;
		task->est_left_s += changed->estimate_s - task->estimate_s;
		task->estimate_s = changed->estimate_s;
		task->deadline_s = changed->deadline_s;
		task->initial_share = new_task(changed, slot, 0).initial_share;
		libra_ledger_renew(ledger, i, e->now_s);
		share = libra_share(task->est_left_s, task->initial_share,
				    task->deadline_s, e->now_s);
	}
	return share;
}

static int share_modify(struct libra_engine *e, uint32_t slot,
			const struct libra_job *changed,
			struct libra_verdict *verdict)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_ledger *ledger = &libra_share_state(e)->ledger;

	if (traits->admits) {
		verdict->answer = LIBRA_REJECT;
		verdict->reason = traits->refusal;
		return 0;
	}
	if (reserve(libra_share_state(e)) < 0)
		return -1;
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		if (!libra_row_task(&ledger->rows[i], slot) ||
		    still_suits(e, &ledger->rows[i], slot, changed))
			continue;
		verdict->answer = LIBRA_REJECT;
		verdict->reason = traits->refusal;
		return 0;
	}
	verdict->share = change_tasks(e, slot, changed);
	verdict->answer = LIBRA_ACCEPT;
	return 0;
}

static void share_all_left(struct libra_engine *e, double *left_s)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];

		for (uint32_t k = 0; k < row->pub.ntasks; k++) {
			const struct libra_task *task = &row->tasks[k];
			double *least_s = &left_s[task->slot];

			if (task->running)
				*least_s = fmin(*least_s, /* NAN: no matter */
						libra_row_est_left(row, task,
								   e->now_s));
		}
	}
}

static int share_reestimate(struct libra_engine *e, uint32_t slot,
			    double estimate_s)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_job changed = e->slots[slot].job;

	if (traits->admits) {
		errno = ENOTSUP;
		return -1;
	}
	changed.estimate_s = estimate_s;
	change_tasks(e, slot, &changed);
	return 0;
}

static int share_node(struct libra_engine *e, const struct libra_node *node,
		      bool closed)
{
	return libra_ledger_close(&libra_share_state(e)->ledger, node->first,
				  node->count, closed);
}

/* The room of every row that has any, as a heap.
 * Result: how many rows.
 */
static uint32_t collect_rooms(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];

		s->keys[i] = usable(e, row) ? traits->room(e, row) : -1;
		if (s->keys[i] > LIBRA_SHARE_TOLERANCE)
			s->fits[n++] = (struct libra_fit){s->keys[i], i};
	}
	make_heap(s->fits, n);
	return n;
}

/* The least room among the processors that a job would get if it were given
 * those that have most.
 * Result: < 0 if there are not so many with any.
 */
static double room_for(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_choice choice = {s->suits, s->keys};
	uint32_t n = collect_rooms(e), nprocs = job->nprocs;

	memset(s->suits, 0, s->ledger.nrows * sizeof(*s->suits));
	while (n > 0) {
		struct libra_fit top = s->fits[0];
		uint32_t have = s->ledger.rows[top.row].pub.nprocs;
		bool enough = have >= nprocs;

		s->suits[top.row] = true;
		if (job->where)
			enough = libra_place(e, &s->ledger, job, &choice,
					     s->node_fits) == 0;
		libra_ledger_unpick(&s->ledger);
		if (enough)
			return top.key;
		nprocs -= have < nprocs ? have : nprocs - 1;
		pop(s->fits, n--);
	}
	return -1;
}

static bool would_accept(struct libra_engine *e, const struct libra_job *job)
{
	int chosen = choose(e, job, initial_share(job));

	libra_ledger_unpick(&libra_share_state(e)->ledger);
	return chosen == 0;
}

/* A deadline behind all others, and far enough for all that is promised. */
static double surely_accepted(const struct libra_engine *e,
			      const struct libra_job *job)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double sum_s = job->estimate_s, last_s = e->now_s;

	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];

		for (uint32_t k = 0; k < row->pub.ntasks; k++) {
			sum_s += row->tasks[k].estimate_s;
			last_s = fmax(last_s, row->tasks[k].deadline_s);
		}
	}
	return last_s + 2 * sum_s;
}

/* The first of a row of deadlines with which the job would be admitted. */
static double try_deadlines(struct libra_engine *e, const struct libra_job *job)
{
	struct libra_job trial = *job;
	double duration_s = job->estimate_s;

	observe(e);
	for (int i = 0; i < TRIALS; i++, duration_s *= TRIAL_FACTOR) {
		enum libra_reason reason;

		trial.deadline_s = job->submit_s + duration_s;
		if (trial.deadline_s <= e->now_s)
			continue;
		if (choose_whole(e, &trial, true, &reason) == 0) {
			libra_ledger_unpick(&libra_share_state(e)->ledger);
			return trial.deadline_s;
		}
	}
	return INFINITY;
}

static double share_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;
	double room, deadline_s;

	if (traits->admits)
		return try_deadlines(e, job);
	if (reserve(libra_share_state(e)) < 0)
		return INFINITY;
	if (!traits->room)
		return libra_bisect_deadline(e, job, surely_accepted(e, job),
					     would_accept);
	room = room_for(e, job);
	if (room < 0)
		return INFINITY;
	deadline_s = job->submit_s + job->estimate_s / room;
	/* The sum may have lost some of the quotient: never promise too much.
	 */
	while (job->estimate_s / (deadline_s - job->submit_s) > room)
		deadline_s = nextafter(deadline_s, INFINITY);
	return deadline_s > e->now_s ? deadline_s : e->now_s;
}

static uint32_t share_next_reshared(struct libra_engine *e)
{
	return libra_ledger_next_dirty(&libra_share_state(e)->ledger);
}

static uint32_t share_nrows(const struct libra_engine *e)
{
	return libra_share_state(e)->ledger.nrows;
}

static const struct libra_row *share_row(const struct libra_engine *e,
					 uint32_t row)
{
	return &libra_share_state(e)->ledger.rows[row].pub;
}

static uint32_t share_free_procs(const struct libra_engine *e)
{
	return libra_share_state(e)->ledger.rows[LIBRA_ROW_EMPTY].pub.nprocs;
}

static const struct libra_procmap *share_map(const struct libra_engine *e)
{
	return &libra_share_state(e)->ledger.map;
}

static bool share_holds(const struct libra_engine *e, uint32_t label,
			uint32_t slot)
{
	return libra_row_task(&libra_share_state(e)->ledger.rows[label],
			      slot) != NULL;
}

const struct libra_policy_ops libra_share_ops = {
	.init = share_init,
	.fini = share_fini,
	.offer = share_offer,
	.commit = share_commit,
	.withdraw = share_remove,
	.started = share_started,
	.departed = share_remove,
	.progress = share_progress,
	.all_left = share_all_left,
	.reestimate = share_reestimate,
	.left_s = share_left_s,
	.schedule = share_schedule,
	.next_event_s = share_next_event_s,
	.part_departed = share_part_departed,
	.restore = share_restore,
	.modify = share_modify,
	.node = share_node,
	.earliest_deadline = share_earliest_deadline,
	.next_reshared = share_next_reshared,
	.nrows = share_nrows,
	.row = share_row,
	.free_procs = share_free_procs,
	.map = share_map,
	.holds = share_holds,
};
