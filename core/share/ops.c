/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.c - the policy functions of share policies, in the life of a job: offer,
 * commit, change, end, restore; and what hosts read of its shares.
 *
 * Verdicts are made here.  The policy decides which rows suit; ledger.h owns
 * the rows and the rates of their tasks.
 */
#include "core/share/ops.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/formula/share.h"
#include "core/share/bid.h"
#include "core/share/deadline.h"
#include "core/share/select.h"
#include "core/share/trial.h"

/* Return by how much the job would end late on the chosen row where it ends
 * last.
 */
static double late_s(const struct libra_engine *e, const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double most_s = libra_late_alone_s(job, e->now_s);

	for (uint32_t i = 0; i < ledger->nchosen && traits->late_s; i++)
		most_s =
			fmax(most_s,
			     traits->late_s(e, &ledger->rows[ledger->chosen[i]],
					    job, libra_initial_share(job)));
	return most_s;
}

/* Return true if too few open processors have less than max_jobs jobs, for any
 * deadline.
 */
static bool is_crowded(const struct libra_engine *e,
		       const struct libra_job *job)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	uint64_t open = 0, crowded = 0;

	for (uint32_t i = 0; i < ledger->nrows && e->max_jobs < UINT32_MAX;
	     i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];

		if (libra_share_usable(e, row))
			open += row->pub.nprocs;
		else if (!row->closed)
			crowded += row->pub.nprocs;
	}
	return open < job->nprocs && crowded > 0;
}

static void decided(struct libra_engine *e, const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;

	if (traits->decided)
		traits->decided(e, job);
}

static int share_offer(struct libra_engine *e, uint32_t slot,
		       struct libra_verdict *verdict)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_slot *entry = &e->slots[slot];
	struct libra_task task =
		libra_share_task(&entry->job, slot, entry->job.estimate_s);
	enum libra_reason reason;
	int chosen;

	libra_share_observe(e);
	chosen = libra_share_choose_whole(e, &entry->job, false, &reason);
	if (chosen < 0)
		return -1;
	if (chosen > 0) {
		decided(e, &entry->job);
		verdict->answer = LIBRA_REJECT;
		verdict->reason = is_crowded(e, &entry->job)
					  ? LIBRA_REASON_CROWDED
					  : reason;
		return 0;
	}
	verdict->late_s = late_s(e, &entry->job);
	if (libra_ledger_add(&s->ledger, &task) < 0)
		return -1;
	decided(e, &entry->job);
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

/* A walk over the tasks of a job, one for each run of its processors, from the
 * lowest on.  Most jobs are in few of the rows.
 */
struct walk {
	uint32_t run, left;		    /* processors not yet visited */
	const struct libra_ledger_row *row; /* of the last task */
};

static struct walk walk_from(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_slot *entry = &e->slots[slot];

	return (struct walk){
		.run = libra_procmap_find(&libra_share_state(e)->ledger.map,
					  entry->from),
		.left = entry->nprocs_held};
}

static const struct libra_task *next_task(const struct libra_engine *e,
					  uint32_t slot, struct walk *walk)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	const struct libra_procmap *map = &ledger->map;
	const struct libra_task *task = NULL;

	while (!task && walk->left > 0 && walk->run < map->nprocs) {
		uint32_t run = walk->run;

		walk->row = &ledger->rows[map->label[run]];
		walk->run = map->end[run];
		task = libra_row_task(walk->row, slot);
		if (task)
			walk->left -= libra_procmap_count(map, run);
	}
	return task;
}

/* For jobs on at most this many processors rows are found by processor, for
 * others among all rows.
 */
enum { FEW = 16 };

/* Collect the rows of a job on few processors, in their order.
 * Result: how many; 0 if the job has more processors.
 */
static uint32_t few_rows(const struct libra_engine *e, uint32_t slot,
			 uint32_t rows[FEW])
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	struct walk walk = walk_from(e, slot);
	uint32_t n = 0;

	while (walk.left <= FEW && next_task(e, slot, &walk)) {
		uint32_t row = (uint32_t)(walk.row - ledger->rows), i = n;

		while (i > 0 && rows[i - 1] > row)
			i--;
		if (i > 0 && rows[i - 1] == row)
			continue;
		memmove(&rows[i + 1], &rows[i], (n - i) * sizeof(*rows));
		rows[i] = row;
		n++;
	}
	return n;
}

static void share_remove(struct libra_engine *e, uint32_t slot)
{
	struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	uint32_t rows[FEW], n;

	libra_share_observe(e);
	n = few_rows(e, slot, rows);
	for (uint32_t i = 0; i < n; i++)
		libra_ledger_remove(ledger, slot, rows[i], e->now_s);
	if (n == 0)
		libra_ledger_remove(ledger, slot, UINT32_MAX, e->now_s);
}

static uint32_t share_part_departed(struct libra_engine *e, uint32_t slot,
				    uint32_t row)
{
	libra_share_observe(e);
	return libra_ledger_remove(&libra_share_state(e)->ledger, slot, row,
				   e->now_s);
}

static void share_started(struct libra_engine *e, uint32_t slot)
{
	struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	uint32_t rows[FEW], n = 0;

	if (ledger->added_slot != slot)
		n = few_rows(e, slot, rows);
	for (uint32_t i = 0; i < n; i++)
		libra_ledger_start_in(ledger, rows[i], slot, e->now_s);
	if (n == 0)
		libra_ledger_start(ledger, slot, e->now_s);
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
	struct walk walk = walk_from(e, slot);
	const struct libra_task *task;
	double most_s = -INFINITY;

	while ((task = next_task(e, slot, &walk))) {
		double left_s = libra_row_est_left(walk.row, task, now_s);

		if (left_s <= most_s)
			continue;
		most_s = left_s;
		*rate = task->rate;
	}
	return most_s;
}

static double share_beside(const struct libra_engine *e, uint32_t slot)
{
	const struct libra_division *division =
		&libra_share_state(e)->ledger.division;
	struct walk walk = walk_from(e, slot);
	const struct libra_task *task;
	double most = 0, share;

	if (e->policy->ranked)
		return NAN;
	while ((task = next_task(e, slot, &walk))) {
		share = libra_row_share(walk.row, division, e->now_s).share;
		share -= libra_share(
			libra_row_est_left(walk.row, task, e->now_s),
			task->initial_share, task->deadline_s, e->now_s);
		most = fmax(most, share);
	}
	return most;
}

static bool late_tasks_yield(const struct libra_engine *e)
{
	return e->policy->ranked ||
	       libra_share_state(e)->ledger.division.late_yields;
}

/* Promises are made at offers; but a late task has to yield. */
static void share_schedule(struct libra_engine *e)
{
	if (late_tasks_yield(e))
		libra_ledger_renew_late(&libra_share_state(e)->ledger,
					e->now_s);
}

/* Policies that sell shares have a history of prices that cannot be moved. */
static int share_clock(struct libra_engine *e, double now_s)
{
	const struct libra_share_traits *traits = e->policy->traits;

	if (traits->admits) {
		errno = ENOTSUP;
		return -1;
	}
	libra_ledger_clock(&libra_share_state(e)->ledger, e->now_s, now_s);
	return 0;
}

static double share_next_event_s(const struct libra_engine *e)
{
	return late_tasks_yield(e)
		       ? libra_ledger_next_late_s(&libra_share_state(e)->ledger)
		       : INFINITY;
}

/* Pick the processors of a range, in whichever rows they are. */
static int pick_range(struct libra_ledger *ledger, struct libra_range range)
{
	const struct libra_procmap *map = &ledger->map;
	uint32_t end = range.first + range.count;

	for (uint32_t a = range.first, b; a < end; a = b) {
		uint32_t run = libra_procmap_find(map, a);

		b = map->end[run] < end ? map->end[run] : end;
		if (libra_ledger_pick(ledger, map->label[run], a, b - a) < 0)
			return -1;
	}
	return 0;
}

/* Reserve all first: if an addition failed half-way, rows would stay split. */
static int reserve_parts(struct libra_ledger *ledger,
			 const struct libra_part *parts, uint32_t nparts)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (pick_range(ledger, parts[i].procs) < 0) {
			libra_ledger_unpick(ledger);
			return -1;
		}
	return libra_ledger_reserve_each(ledger);
}

/* No test: the promise was made earlier. */
static int share_restore(struct libra_engine *e, uint32_t slot,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_slot *entry = &e->slots[slot];

	libra_share_observe(e);
	if (reserve_parts(&s->ledger, parts, nparts) < 0)
		return -1;
	for (uint32_t i = 0; i < nparts; i++) {
		struct libra_task task = libra_share_task(&entry->job, slot,
							  parts[i].est_left_s);

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

/* Return true if a row would suit its own job with other numbers. */
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
	suits = traits->suits(e, row, &rest, libra_initial_share(&rest),
			      &share);
	row->pub.ntasks++;
	memmove(task + 1, task, after * sizeof(*task));
	*task = saved;
	return suits;
}

/* Set the changed numbers in a job's tasks.
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
		task->initial_share =
			libra_share_task(changed, slot, 0).initial_share;
		libra_ledger_renew(ledger, i, e->now_s);
		share = libra_share(task->est_left_s, task->initial_share,
				    task->deadline_s, e->now_s);
	}
	return share;
}

/* Return by how much a changed job would end late with its processors to
 * itself.
 */
static double changed_late_s(const struct libra_engine *e, uint32_t slot,
			     const struct libra_job *changed)
{
	double rate, left_s = share_left_s(e, slot, e->now_s, &rate);

	return libra_late_s(e->now_s + fmax(left_s, 0), changed->deadline_s);
}

/* Return true if a job may be promised its changed deadline, as far as that
 * depends on the job alone.
 */
static bool may_promise_changed(const struct libra_engine *e, uint32_t slot,
				const struct libra_job *changed)
{
	double rate, left_s = share_left_s(e, slot, e->now_s, &rate);

	left_s += changed->estimate_s - e->slots[slot].job.estimate_s;
	return libra_may_promise(e, fmax(left_s, 0), changed->deadline_s);
}

static int share_modify(struct libra_engine *e, uint32_t slot,
			const struct libra_job *changed,
			struct libra_verdict *verdict)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_ledger *ledger = &libra_share_state(e)->ledger;

	verdict->answer = LIBRA_REJECT;
	verdict->reason = traits->refusal;
	if (traits->admits)
		return 0;
	if (e->guaranteed_only && !may_promise_changed(e, slot, changed)) {
		verdict->reason = LIBRA_REASON_WOULD_MISS;
		return 0;
	}
	if (libra_share_reserve(libra_share_state(e)) < 0)
		return -1;
	for (uint32_t i = LIBRA_ROW_FIRST; i < ledger->nrows; i++) {
		if (!libra_row_task(&ledger->rows[i], slot) ||
		    still_suits(e, &ledger->rows[i], slot, changed))
			continue;
		return 0;
	}
	verdict->share = change_tasks(e, slot, changed);
	verdict->late_s = changed_late_s(e, slot, changed);
	verdict->reason = LIBRA_REASON_NONE;
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
				*least_s =
					fmin(*least_s, /* fmin() ignores NAN */
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

/* A query adds to the histories of prices and random numbers. */
static bool share_tries_ahead(const struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;

	return !traits->observe && !traits->admits;
}

static bool share_is_exact(const struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;

	return traits->room != NULL && !traits->admits;
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

static double *share_learned(const struct libra_engine *e, size_t *n)
{
	const struct libra_share_traits *traits = e->policy->traits;

	*n = traits->learned_size / sizeof(double);
	return (double *)((char *)e->state + traits->learned);
}

const struct libra_policy_ops libra_share_ops = {
	.init = libra_share_init,
	.fini = libra_share_fini,
	.offer = share_offer,
	.commit = share_commit,
	.withdraw = share_remove,
	.started = share_started,
	.departed = share_remove,
	.progress = share_progress,
	.all_left = share_all_left,
	.reestimate = share_reestimate,
	.learned = share_learned,
	.left_s = share_left_s,
	.beside = share_beside,
	.late_yields = late_tasks_yield,
	.schedule = share_schedule,
	.clock = share_clock,
	.next_event_s = share_next_event_s,
	.part_departed = share_part_departed,
	.restore = share_restore,
	.modify = share_modify,
	.node = share_node,
	.search.earliest_deadline = libra_share_earliest_deadline,
	.search.would_accept = libra_share_would_accept,
	.search.surely_accepts = libra_share_surely_accepts,
	.search.tries_ahead = share_tries_ahead,
	.search.is_exact = share_is_exact,
	.rows.next_reshared = share_next_reshared,
	.rows.nrows = share_nrows,
	.rows.row = share_row,
	.rows.free_procs = share_free_procs,
	.rows.map = share_map,
	.rows.holds = share_holds,
};
