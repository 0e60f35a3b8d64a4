/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate.c - the loops of slurmctld over a whole log. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/slurm/order.h"
#include "sim/slurm/promises/promises.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"
#include "sim/slurm/simulate.h"

#define NEVER INT64_MAX

enum { DAY_S = 86400 };

enum event_kind { END_RUN, END_VICTIM };

struct event {
	int64_t at_s;
	uint64_t seq;
	enum event_kind kind;
	struct sched_run *run;
};

struct by_id {
	uint32_t id, task, job; /* of an array: its first task */
};

struct moment {
	int64_t at_s;
	uint32_t of;
};

struct world {
	struct sched_load *load;
	struct sched_model *m;
	struct sched_figures *figures;
	struct event *heap;
	size_t nheap, heap_cap;
	uint64_t seq;
	struct by_id *ids;
	size_t nids;
	struct moment *submits, *cancels; /* of jobs; of tasks */
	uint32_t nsubmit, ncancel, next_submit, next_cancel;
	int64_t last_main_s, last_full_s, next_backfill_s;
	int64_t event_s;     /* what a pass sees happened up to it */
	bool short_of_nodes; /* a job, in the last run of a loop */
	bool asked;	     /* the main loop, since its last run */
	bool called;	     /* the main loop, at once */
	uint64_t seen_main, seen_full, seen_backfill; /* m->changes then */
	int64_t wake_s; /* when a job's begin time comes next */
	int64_t limit_phase_s;
	struct sched_order order;
	struct sched_promises *promises; /* NULL: none are made */
};

/* ---- events ---- */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool sooner(const struct event *a, const struct event *b)
{
	return a->at_s != b->at_s ? a->at_s < b->at_s : a->seq < b->seq;
}

static void push(struct world *w, int64_t at_s, enum event_kind kind,
		 struct sched_run *run)
{
	struct event *bigger = sim_grown(w->heap, &w->heap_cap, w->nheap + 1,
					 sizeof(*w->heap));
	struct event e = {at_s, ++w->seq, kind, run};
	size_t i;

	if (!bigger) {
		w->m->failed = true;
		return;
	}
	w->heap = bigger;
	for (i = w->nheap++; i > 0 && sooner(&e, &w->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = e;
}

static struct event pop(struct world *w)
{
	struct event top = w->heap[0], last = w->heap[--w->nheap];
	size_t i = 0;

	while (2 * i + 1 < w->nheap) {
		size_t child = 2 * i + 1;

		if (child + 1 < w->nheap &&
		    sooner(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!sooner(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return top;
}

/* ---- dependencies ---- */

static int id_order(const void *a, const void *b)
{
	const struct by_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Look at the tasks that a dependency names.
 * Result: NONE: satisfied; DEPENDENCY: not yet; NEVER.
 */
static enum sched_reason ask_tasks(const struct sched_model *m,
				   enum sched_depend kind, uint32_t first,
				   uint32_t n)
{
	enum sched_reason reason = SCHED_REASON_NONE;

	for (uint32_t i = first; i < first + n; i++) {
		const struct sched_task *task = &m->tasks[i];
		bool well = task->outcome == SCHED_COMPLETED;

		if (kind == SCHED_AFTER && (task->start_s > 0 || task->done))
			continue;
		if (!task->done) {
			reason = SCHED_DEPENDENCY;
			continue;
		}
		if ((kind == SCHED_AFTEROK && !well) ||
		    (kind == SCHED_AFTERNOTOK && well))
			return SCHED_NEVER;
	}
	return reason;
}

static enum sched_reason ask_singleton(const struct sched_model *m,
				       const struct sched_job *job)
{
	if (job->owner.name == 0)
		return SCHED_REASON_NONE;
	for (uint32_t i = 0; i < m->nwaiting; i++) {
		const struct sched_job *other = &m->jobs[m->waiting[i]];

		if (other->owner.name == job->owner.name &&
		    other->owner.user == job->owner.user && other->id < job->id)
			return SCHED_DEPENDENCY;
	}
	for (uint32_t i = 0; i < m->running.n; i++) {
		const struct sched_job *other =
			&m->jobs[m->running.runs[i]->job];

		if (other->owner.name == job->owner.name &&
		    other->owner.user == job->owner.user)
			return SCHED_DEPENDENCY;
	}
	return SCHED_REASON_NONE;
}

static enum sched_reason ask_dep(const struct world *w,
				 const struct sched_job *job,
				 const struct sched_dep *dep)
{
	struct by_id key = {.id = dep->id};
	const struct by_id *found;
	const struct sched_job *other;

	if (dep->kind == SCHED_SINGLETON)
		return ask_singleton(w->m, job);
	found = bsearch(&key, w->ids, w->nids, sizeof(key), id_order);
	if (!found) /* before the log: it has ended */
		return SCHED_REASON_NONE;
	other = &w->m->jobs[found->job];
	if (other->array && other->id == dep->id)
		return ask_tasks(w->m, dep->kind, other->tasks.first,
				 other->tasks.total);
	return ask_tasks(w->m, dep->kind, found->task, 1);
}

static enum sched_reason ask_deps(const struct world *w,
				  const struct sched_job *job)
{
	enum sched_reason worst = SCHED_REASON_NONE;

	for (uint32_t d = 0; d < job->depends.n; d++) {
		enum sched_reason reason = ask_dep(w, job, &job->depends.on[d]);

		if (job->depends.any && reason == SCHED_REASON_NONE)
			return reason;
		if (reason == SCHED_NEVER || worst == SCHED_REASON_NONE)
			worst = reason;
	}
	return worst;
}

/* ---- what the passes ask and say ---- */

static enum sched_reason may_run(struct sched_model *m, struct sched_job *job)
{
	struct world *w = m->hooks.host;
	enum sched_reason reason;

	if (job->promised)
		return SCHED_BEGIN_TIME;
	if (job->held && m->now_s < job->times.held_until_s)
		return SCHED_HELD;
	if (job->held && job->times.held_until_s == 0)
		return SCHED_HELD;
	if (m->now_s < job->times.begin_s)
		return SCHED_BEGIN_TIME;
	job->held = false;
	if (job->depends.n > 0) {
		reason = ask_deps(w, job);
		if (reason != SCHED_REASON_NONE)
			return reason;
	}
	if (job->times.eligible_s == 0)
		job->times.eligible_s =
			job->depends.n > 0
				? m->now_s
				: later(job->times.submit_s,
					later(job->times.begin_s,
					      job->times.held_until_s));
	return SCHED_REASON_NONE;
}

/* Return the second in which slurmctld sees that a limit has passed. */
static int64_t limit_check(const struct world *w, int64_t limit_s)
{
	int64_t step = w->m->params.limit_check_s;
	int64_t late = (limit_s - w->limit_phase_s) % step;

	return limit_s + (late ? step - late : 0);
}

static void note_watched(struct world *w, uint32_t task,
			 enum sched_watched what, enum sched_loop loop,
			 int64_t at_s)
{
	struct sched_watch *watch = w->load->watch;

	if (watch && watch->task == task)
		sched_watch_note(watch, w->m, what, loop, at_s);
}

/* Have the watch look at what a pass left waiting. */
static void look_watched(struct world *w, enum sched_loop loop)
{
	struct sched_watch *watch = w->load->watch;
	uint32_t at = watch ? sched_watch_job(watch, w->m) : SCHED_NONE;
	const struct sched_job *job;
	uint32_t d = 0;

	if (at == SCHED_NONE)
		return;
	job = &w->m->jobs[at];
	while (d < job->depends.n &&
	       ask_dep(w, job, &job->depends.on[d]) == SCHED_REASON_NONE)
		d++;
	sched_watch_pass(watch, w->m, loop,
			 d < job->depends.n ? d : SCHED_NONE);
}

static void started(struct sched_model *m, struct sched_run *run,
		    enum sched_loop loop)
{
	struct world *w = m->hooks.host;
	struct sched_task *task = &m->tasks[run->task];
	int64_t end_s = m->now_s + task->runtime_s;

	task->eligible_s = later(m->jobs[run->job].times.eligible_s,
				 m->jobs[run->job].tasks.slot_s);
	task->start_s = m->now_s;
	task->loop = loop;
	task->part = run->part;
	w->figures->started[loop]++;
	note_watched(w, run->task, SCHED_WATCH_STARTED, loop, m->now_s);
	sched_order_start(&w->order, run);
	sched_promises_started(w->promises, run);
	if (task->outcome == SCHED_TIMEOUT)
		end_s = limit_check(w, run->end_s +
					       m->parts[run->part].overtime_s);
	if (task->cancel_s > 0)
		end_s = task->cancel_s > m->now_s ? task->cancel_s : m->now_s;
	push(w, end_s, END_RUN, run);
}

static void preempted(struct sched_model *m, struct sched_run *run)
{
	struct world *w = m->hooks.host;

	run->ending = true;
	push(w, m->now_s + sched_grace_s(m, run), END_VICTIM, run);
}

static bool may_take(struct sched_model *m, uint32_t job, uint32_t part,
		     uint32_t ngone, uint64_t *open)
{
	struct world *w = m->hooks.host;

	return sched_promises_may_take(w->promises, job, part, ngone, open);
}

/* ---- what happens ---- */

static void count_end(struct world *w, const struct sched_task *task)
{
	if (task->end_s > w->figures->last_s)
		w->figures->last_s = task->end_s;
}

/* Return true if the message of an end calls the main loop: that of an Epilog,
 * or of a step that slurmctld had to end.
 */
static bool calls_main(const struct sched_model *m,
		       const struct sched_task *task, bool victim)
{
	return m->params.main_at_end || victim ||
	       task->outcome == SCHED_TIMEOUT ||
	       task->outcome == SCHED_CANCELLED;
}

static void end_run(struct world *w, struct sched_run *run, int64_t at_s,
		    bool victim)
{
	struct sched_model *m = w->m;
	uint32_t job = run->job, number = run->task;
	uint64_t order = run->order;
	struct sched_task *task = &m->tasks[number];
	struct sched_job *base = &m->jobs[m->jobs[job].tasks.base];
	bool again =
		victim && sched_preempt_mode(m, run) == SCHED_PREEMPT_REQUEUE;

	task->end_s = at_s;
	task->preempted += victim;
	w->figures->preempted += victim;
	if (victim)
		note_watched(w, number, SCHED_WATCH_PREEMPTED,
			     SCHED_NOT_STARTED, at_s);
	if (base->tasks.throttle && base->tasks.running >= base->tasks.throttle)
		base->tasks.slot_s = at_s;
	base->tasks.running--;
	sched_order_end(&w->order, run, at_s);
	sched_promises_ended(w->promises, run, at_s);
	sched_run_end(m, run);
	w->asked = true;
	w->called = w->called || calls_main(m, task, victim);
	if (!again) {
		sched_count_submitted(m, &m->jobs[job], -1);
		task->done = true;
		if (victim)
			task->outcome = SCHED_CANCELLED;
		count_end(w, task);
		return;
	}
	job = sched_requeue(m, job, number, order, at_s);
	if (job == SCHED_NONE) {
		m->failed = true;
		return;
	}
	m->jobs[job].times.begin_s = at_s + m->params.requeue_delay_s;
	m->jobs[job].times.eligible_s = 0;
	sched_order_submit(&w->order, job, at_s);
	if (m->jobs[job].times.begin_s < w->wake_s)
		w->wake_s = m->jobs[job].times.begin_s;
}

/* Take the ends up to a second; of a run with two the first counts. */
static void take_ends(struct world *w, int64_t before_s)
{
	while (w->nheap > 0 && w->heap[0].at_s < before_s) {
		struct event e = pop(w);

		if (e.kind == END_VICTIM)
			for (size_t i = 0; i < w->nheap; i++)
				if (w->heap[i].run == e.run)
					w->heap[i].run = NULL;
		if (e.kind == END_RUN && e.run && e.run->ending)
			for (size_t i = 0; i < w->nheap; i++)
				if (w->heap[i].run == e.run)
					w->heap[i].run = NULL;
		if (e.run)
			end_run(w, e.run, e.at_s, e.kind == END_VICTIM);
	}
}

/* Slurm took each job of the log, so one over a limit is taken, too. */
static void submit(struct world *w, const struct sched_job *job)
{
	if (sched_limits_submission(w->m, job) != SCHED_REASON_NONE) {
		w->figures->over_submit++;
		sched_ignore(&w->load->ignored, "MaxSubmitJobs");
	}
	sched_count_submitted(w->m, job, job->tasks.n);
}

static void take_submits(struct world *w, int64_t before_s)
{
	struct sched_model *m = w->m;

	while (w->next_submit < w->nsubmit) {
		uint32_t at = w->submits[w->next_submit].of;
		struct sched_job *job = &m->jobs[at];
		int64_t wake_s = job->times.begin_s > job->times.held_until_s
					 ? job->times.begin_s
					 : job->times.held_until_s;

		if (job->times.submit_s >= before_s)
			return;
		w->next_submit++;
		w->figures->refused += sched_refuse(m, job);
		if (job->tasks.n == 0) /* or cancelled in the same second */
			continue;
		submit(w, job);
		sched_wait(m, at);
		sched_order_submit(&w->order, at, job->times.submit_s);
		w->asked = true;
		if (wake_s > job->times.submit_s && wake_s < w->wake_s)
			w->wake_s = wake_s;
		m->now_s = job->times.submit_s;
		if (!sched_promises_offer(w->promises, at) && !job->batch &&
		    job->depends.n == 0) {
			if (may_run(m, job) == SCHED_REASON_NONE)
				sched_submit_pass(m, at);
		}
	}
}

static void cancel(struct sched_model *m, uint32_t at)
{
	struct world *w = m->hooks.host;
	struct sched_task *task = &m->tasks[at];
	struct sched_job *job = &m->jobs[task->job];

	task->done = true;
	task->end_s = m->now_s;
	task->outcome = SCHED_CANCELLED;
	task->reason = job->reason;
	note_watched(w, at, SCHED_WATCH_CANCELLED, SCHED_NOT_STARTED, m->now_s);
	m->changes++;
	w->asked = true;
	sched_promises_cancel(w->promises, at);
	if (job->waits)
		sched_count_submitted(m, job, -1);
	if (job->tasks.n == 1)
		sched_order_leave(&w->order, task->job);
	sched_drop_task(m, task->job);
}

/* Cancel tasks that were cancelled while they waited. */
static void take_cancels(struct world *w, int64_t before_s)
{
	struct sched_model *m = w->m;

	while (w->next_cancel < w->ncancel) {
		struct sched_task *task =
			&m->tasks[w->cancels[w->next_cancel].of];

		if (task->cancel_s >= before_s)
			return;
		w->next_cancel++;
		w->asked = true;
		if (task->start_s > 0 || task->done)
			continue;
		m->now_s = task->cancel_s;
		cancel(m, w->cancels[w->next_cancel - 1].of);
	}
}

/* Count a begin time that has come as a change. */
static void take_begins(struct world *w, int64_t now_s)
{
	struct sched_model *m = w->m;

	if (w->wake_s > now_s)
		return;
	m->changes++;
	w->wake_s = NEVER;
	for (uint32_t i = 0; i < m->nwaiting; i++) {
		const struct sched_job *job = &m->jobs[m->waiting[i]];

		if (job->times.begin_s > now_s &&
		    job->times.begin_s < w->wake_s)
			w->wake_s = job->times.begin_s;
		if (job->times.held_until_s > now_s &&
		    job->times.held_until_s < w->wake_s)
			w->wake_s = job->times.held_until_s;
	}
}

/* ---- the clock ---- */

static int64_t next_event(const struct world *w)
{
	int64_t next = NEVER;

	if (w->nheap > 0)
		next = w->heap[0].at_s;
	if (w->next_submit < w->nsubmit &&
	    w->m->jobs[w->submits[w->next_submit].of].times.submit_s < next)
		next = w->m->jobs[w->submits[w->next_submit].of].times.submit_s;
	if (w->next_cancel < w->ncancel &&
	    w->m->tasks[w->cancels[w->next_cancel].of].cancel_s < next)
		next = w->m->tasks[w->cancels[w->next_cancel].of].cancel_s;
	if (sched_promises_next_s(w->promises) < next)
		next = sched_promises_next_s(w->promises);
	/* nothing comes any more: priorities do not matter */
	if (w->order.computed && w->m->nwaiting > 0 &&
	    (next != NEVER || w->wake_s != NEVER) && w->order.next_s < next)
		next = w->order.next_s;
	return next;
}

/* Return the last instant of a run for the full queue; slurmctld also counts
 * runs that find nothing new.
 */
static int64_t last_full(const struct world *w, int64_t now_s)
{
	int64_t every_s = w->m->params.sched_interval_s;

	if (every_s == 0)
		return w->last_full_s;
	return w->last_full_s + (now_s - w->last_full_s) / every_s * every_s;
}

/* Return when the main loop runs next: as asked for, or for the full queue;
 * NEVER: nothing would be new.
 */
static int64_t next_main(const struct world *w, int64_t now_s, bool *full)
{
	const struct sched_params *p = &w->m->params;
	int64_t full_s = NEVER, asked_s = NEVER, last_s = last_full(w, now_s);

	if (p->sched_interval_s &&
	    (w->seen_full != w->m->changes || w->wake_s != NEVER))
		full_s = last_s + p->sched_interval_s;
	if (w->seen_full == w->m->changes && w->wake_s != NEVER &&
	    full_s < w->wake_s)
		full_s += (w->wake_s - full_s + p->sched_interval_s - 1) /
			  p->sched_interval_s * p->sched_interval_s;
	if (w->asked)
		asked_s =
			later(later(w->last_main_s, last_s) + p->batch_delay_s,
			      now_s + 1);
	if (w->called)
		asked_s = now_s;
	*full = full_s <= asked_s;
	return *full ? full_s : asked_s;
}

/* Return when backfill runs next; NEVER: nothing would be new.  While a job
 * lacks nodes each run of a loop is news for backfill, so its runs that would
 * find nothing new keep the interval.  Otherwise backfill looks each second
 * whether something has happened, also without a job that waits.
 */
static int64_t next_backfill(const struct world *w, int64_t now_s)
{
	int64_t every_s = w->m->params.bf.interval_s;
	int64_t next_s = w->next_backfill_s;
	int64_t news_s = later(w->event_s + 1, now_s);

	if (every_s == 0)
		return NEVER;
	if (w->seen_backfill == w->m->changes) {
		if (w->wake_s == NEVER)
			return NEVER;
		news_s = later(news_s, w->wake_s);
	}
	if (w->short_of_nodes && next_s < news_s)
		next_s += (news_s - next_s + every_s - 1) / every_s * every_s;
	return later(next_s, news_s);
}

static void run_main(struct world *w, int64_t now_s, bool full)
{
	struct sched_model *m = w->m;
	bool called = w->called && !full;

	m->now_s = now_s;
	w->asked = false;
	w->called = false;
	if (!called)
		w->last_main_s = now_s;
	w->last_full_s = last_full(w, now_s);
	if ((full ? w->seen_full : w->seen_main) == m->changes)
		return;
	sched_main_pass(m, full);
	w->short_of_nodes = sched_queue_lacks_nodes(m);
	sched_order_pass(&w->order);
	look_watched(w, SCHED_MAIN);
	w->figures->main_runs++;
	w->seen_main = m->changes;
	if (full)
		w->seen_full = m->changes;
}

static void run_backfill(struct world *w, int64_t now_s)
{
	struct sched_model *m = w->m;

	m->now_s = now_s;
	/* what a pass starts is news for the next one */
	w->seen_backfill = m->changes;
	sched_backfill_pass(m);
	w->short_of_nodes = sched_queue_lacks_nodes(m);
	sched_order_pass(&w->order);
	look_watched(w, SCHED_BACKFILL);
	w->figures->backfill_runs++;
	w->next_backfill_s = now_s + m->params.bf.interval_s;
}

/* Run what comes next.  Result: false: nothing comes any more. */
static bool step(struct world *w, int64_t *now_s)
{
	struct sched_model *m = w->m;
	bool full;
	int64_t event_s = next_event(w);
	int64_t main_s = next_main(w, *now_s, &full);
	int64_t backfill_s = next_backfill(w, *now_s);
	int64_t next;

	if (m->nwaiting == 0 && !w->asked)
		main_s = NEVER;
	next = main_s < backfill_s ? main_s : backfill_s;
	if (event_s == NEVER && next == NEVER)
		return false;
	if (event_s < next) { /* a pass sees what happened before it */
		*now_s = w->event_s = later(*now_s, event_s);
		sched_order_run(&w->order, event_s);
		take_ends(w, event_s + 1);
		take_cancels(w, event_s + 1);
		take_submits(w, event_s + 1);
		m->now_s = *now_s;
		sched_promises_start(w->promises);
		if (w->load->progress)
			w->load->progress(w->load->progress_arg, w->next_submit,
					  w->nsubmit);
		return true;
	}
	*now_s = next;
	take_begins(w, next);
	if (main_s <= backfill_s)
		run_main(w, next, full);
	else
		run_backfill(w, next);
	return true;
}

/* ---- set up ---- */

static int moment_order(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

static int list_moments(struct world *w)
{
	struct sched_model *m = w->m;

	w->submits = calloc(m->njobs + 1, sizeof(*w->submits));
	w->cancels = calloc(m->ntasks + 1, sizeof(*w->cancels));
	w->ids = calloc(m->ntasks + m->njobs + 1, sizeof(*w->ids));
	if (!w->submits || !w->cancels || !w->ids)
		return -1;
	for (uint32_t j = 0; j < m->njobs; j++) {
		w->submits[w->nsubmit++] =
			(struct moment){m->jobs[j].times.submit_s, j};
		if (m->jobs[j].array)
			w->ids[w->nids++] = (struct by_id){
				m->jobs[j].id, m->jobs[j].tasks.first, j};
	}
	for (uint32_t t = 0; t < m->ntasks; t++) {
		const struct sched_task *task = &m->tasks[t];

		if (task->cancel_s > 0)
			w->cancels[w->ncancel++] =
				(struct moment){task->cancel_s, t};
		if (task->id != task->array)
			w->ids[w->nids++] =
				(struct by_id){task->id, t, task->job};
	}
	qsort(w->submits, w->nsubmit, sizeof(*w->submits), moment_order);
	qsort(w->cancels, w->ncancel, sizeof(*w->cancels), moment_order);
	qsort(w->ids, w->nids, sizeof(*w->ids), id_order);
	return 0;
}

static uint32_t phase_of(double begin_s, uint32_t period_s)
{
	return period_s ? (uint32_t)begin_s % period_s : 0;
}

/* The background loop wakes at whole seconds; the threads of backfill and of
 * decay sleep from the instant at which slurmctld began: the nearest second.
 */
void sched_phases_draw(const struct sched_load *load, uint64_t seed,
		       struct sched_phases *phases)
{
	const struct sched_params *p = &load->model.params;
	struct rng_stream stream;
	double begin_s;

	rng_stream_init(&stream, seed, "slurm-phases", 0);
	begin_s = rng_uniform(&stream) * DAY_S;
	phases->main_s = phase_of(begin_s, p->sched_interval_s);
	phases->limits_s = phase_of(begin_s, p->limit_check_s);
	phases->backfill_s = phase_of(begin_s + 0.5, p->bf.interval_s);
	phases->decay_s = phase_of(begin_s + 0.5,
				   load->site->config.priority.calc_period_s);
}

/* Note why what waits at the end waits. */
static void note_waiting(struct world *w)
{
	struct sched_model *m = w->m;

	for (uint32_t i = 0; i < m->nwaiting; i++) {
		const struct sched_job *job = &m->jobs[m->waiting[i]];

		w->figures->waiting += job->tasks.n;
		for (uint32_t t = job->tasks.next, n = 0; n < job->tasks.n; t++)
			if (!m->tasks[t].done) {
				m->tasks[t].reason = job->reason;
				n++;
			}
	}
}

int sched_simulate(struct sched_load *load, const struct sched_phases *phases,
		   struct sched_figures *figures, struct libra_error *err)
{
	struct world w = {.load = load, .m = &load->model, .figures = figures};
	struct sched_model *m = w.m;
	const struct slurm_promises *promises = &load->site->promises;
	int64_t now_s;
	int rc = 0;

	memset(figures, 0, sizeof(*figures));
	if (list_moments(&w) < 0)
		rc = sim_no_memory(err);
	else
		rc = sched_order_init(
			&w.order, load,
			w.submits[0].at_s + phases->decay_s -
				load->site->config.priority.calc_period_s,
			err);
	if (rc == 0 && promises->share > 0) {
		w.promises =
			sched_promises_new(m, promises->share, promises->within,
					   &figures->unable, err);
		m->hooks.may_take = may_take;
		rc = w.promises ? 0 : -1;
	}
	if (rc == 0) {
		now_s = w.submits[0].at_s;
		figures->first_s = now_s;
		w.last_full_s =
			now_s - m->params.sched_interval_s + phases->main_s;
		w.last_main_s = now_s - m->params.batch_delay_s;
		w.next_backfill_s = now_s + phases->backfill_s;
		w.limit_phase_s = now_s + phases->limits_s;
		w.wake_s = NEVER;
		w.event_s = now_s;
		w.seen_main = w.seen_full = w.seen_backfill = m->changes;
		m->hooks.host = &w;
		m->lasting = true;
		m->hooks.may_run = may_run;
		m->hooks.started = started;
		m->hooks.preempted = preempted;
		m->hooks.cancel = cancel;
		while (!m->failed && step(&w, &now_s))
			;
		note_waiting(&w);
		if (m->failed)
			rc = sim_no_memory(err);
	}
	free(w.submits);
	free(w.cancels);
	free(w.ids);
	free(w.heap);
	sched_promises_free(w.promises);
	sched_order_fini(&w.order);
	return rc;
}
