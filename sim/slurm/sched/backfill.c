/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill.c - one run of backfill: a plan, job by job. */
#include <string.h>

#include "core/bits.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

enum { MANY_TRIES = 10000 };

/* One job in one partition, while backfill looks at it. */
struct trial {
	struct sched_model *m;
	uint32_t at, part;
	struct sched_ask ask;
	int64_t limit_s, full_limit_s;
	int64_t orig_s;	 /* its start in another partition; 0: none */
	int64_t start_s; /* found */
	int64_t later_s; /* where to look next; 0: nowhere */
	int64_t slot_s, slot_end_s;
	bool now_only, counted, checked;
};

/* The whole run. */
struct cycle {
	struct sched_model *m;
	int64_t begin_s, window_end_s;
	uint32_t rejected_array, rejected_part;
	uint32_t array, array_slots;
	uint32_t last; /* no job behind it may still start */
	bool cut;      /* bf_max_job_test may end the run */
	bool over;
};

enum verdict {
	DONE,	   /* with this job */
	AGAIN,	   /* look from later_s on */
	NEXT_TASK, /* of the same array */
};

/* ---- bf_max_job_... ---- */

static uint32_t *counter(const struct sched_buffers *b, struct sched_count *c)
{
	if (c->cycle != b->cycle) {
		c->cycle = b->cycle;
		c->n = 0;
	}
	return &c->n;
}

/* Count a job against the maxima of user, partition and association.
 * Result: false: one of them is reached.
 */
static bool count_job(struct sched_model *m, const struct sched_job *job,
		      uint32_t part)
{
	struct sched_buffers *b = m->buffers;
	const struct sched_params *p = &m->params;
	uint32_t *user = counter(b, &b->by_user[job->owner.user]);
	uint32_t *both = counter(
		b,
		&b->by_user_part[(size_t)job->owner.user * m->nparts + part]);
	uint32_t *assoc = job->owner.assoc == SCHED_NONE
				  ? NULL
				  : counter(b, &b->by_assoc[job->owner.assoc]);
	uint32_t *tested = &m->parts[part].tested;

	if ((p->bf.max_user_part && *both >= p->bf.max_user_part) ||
	    (p->bf.max_part && *tested >= p->bf.max_part) ||
	    (p->bf.max_assoc && assoc && *assoc >= p->bf.max_assoc) ||
	    (p->bf.max_user && *user >= p->bf.max_user))
		return false;
	++*both;
	++*tested;
	++*user;
	if (assoc)
		++*assoc;
	return true;
}

/* ---- one look ---- */

/* Note the nodes that the job may have at all. */
static void set_before(struct trial *t)
{
	const struct sched_model *m = t->m;
	uint64_t *before = m->buffers->before;

	for (uint32_t w = 0; w < m->words; w++) {
		before[w] = m->parts[t->part].nodes[w] & m->machine.up[w];
		if (t->ask.req->excluded)
			before[w] &= ~t->ask.req->excluded[w];
	}
}

/* Return true if the slot behind offers nodes of b->before that slot j lacks.
 */
static bool offers_more(const struct sched_model *m, uint32_t j)
{
	const struct sched_buffers *b = m->buffers;
	const struct sched_slot *slot = &b->plan.slots[j];

	for (uint32_t w = 0; slot->gains && w < m->words; w++)
		if (b->before[w] & slot[1].nodes[w] & ~slot[0].nodes[w])
			return true;
	return false;
}

/* Find where a later start could find other nodes: behind the first slot whose
 * successor offers more.
 * Result: the slots that the job would touch, up to *end; false: one of them
 * has too few nodes.
 */
static bool find_later(struct trial *t, int64_t start_s, int64_t end_s,
		       uint32_t *first, uint32_t *end)
{
	struct sched_model *m = t->m;
	const struct sched_plan *plan = &m->buffers->plan;
	bool suffices = true;
	uint32_t j = 0;

	while (j < plan->n && plan->slots[j].end_s <= start_s)
		j++;
	*first = j;
	for (; j < plan->n && (t->later_s == 0 || suffices); j++) {
		const struct sched_slot *slot = &plan->slots[j];

		if (t->later_s == 0 && j + 1 < plan->n && offers_more(m, j))
			t->later_s = slot->end_s;
		if (slot->begin_s > end_s) {
			if (t->later_s == 0 && j + 2 < plan->n)
				t->later_s = slot[1].end_s;
			break;
		}
		suffices = suffices && slot->count >= t->ask.min_nodes;
	}
	*end = j;
	return suffices;
}

/* Find the nodes that no reservation has while the job would run, and where a
 * later start could find others.
 * Result: false: too few.
 */
static bool open_nodes(struct trial *t, int64_t start_s, int64_t end_s)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;
	const struct sched_slot *slots = b->plan.slots;
	uint32_t first, end, n = 0;

	if (!find_later(t, start_s, end_s, &first, &end))
		return false;
	for (uint32_t j = first; j < end; j++) {
		/* a neighbour that is not left out has no node more */
		if ((j + 1 < end && !slots[j].gains) ||
		    (j > first && slots[j - 1].gains && !slots[j].loses))
			continue;
		b->plan.some[n++] = slots[j].nodes;
	}
	sched_set_common(b->allowed, b->before, b->plan.some, n, m->words);
	return sched_set_has(b->allowed, m->words, t->ask.min_nodes);
}

/* Find the earliest start from an instant on.  One now may delay no promise;
 * those that wait are not in the plan.
 */
static bool find_start(struct trial *t, int64_t from_s)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;

	if (!m->hooks.may_take)
		return sched_will_run(m, &t->ask, from_s, t->later_s,
				      t->now_only, &t->start_s);
	memcpy(b->next, b->allowed, m->words * sizeof(*b->next));
	t->ask.allowed = b->next;
	for (int i = 0; i < SCHED_LOOKS; i++) {
		if (!sched_will_run(m, &t->ask, from_s, t->later_s, t->now_only,
				    &t->start_s))
			return false;
		if (from_s > m->now_s || t->start_s > m->now_s ||
		    m->hooks.may_take(m, t->at, t->part, b->nvictims, b->next))
			return true;
	}
	return false;
}

/* Ask where the job would run; the first look takes nodes whole, or without
 * regard to tasks, as Slurm's does.
 */
static bool try_nodes(struct trial *t, int64_t from_s)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;

	sched_ask_init(m, &m->jobs[t->at], t->part, b->allowed, &t->ask);
	sched_find_victims(m, &m->jobs[t->at], t->part);
	if (t->ask.req->tasks_per_node && !t->ask.whole) {
		t->ask.any_tasks = true;
		if (from_s <= m->now_s &&
		    sched_choose(m, &m->free, &t->ask, &b->place)) {
			t->start_s = m->now_s;
			return true;
		}
		t->ask.any_tasks = false;
	}
	return find_start(t, from_s);
}

static void note_cpus(struct trial *t)
{
	const struct sched_place *place = &t->m->buffers->place;
	struct sched_job *job = &t->m->jobs[t->at];

	job->tested_cpus = place->n * place->same;
	for (uint32_t i = 0; t->ask.whole && !place->same && i < place->n; i++)
		job->tested_cpus += place->cpus[i];
}

static void set_slot(struct trial *t)
{
	int64_t step = t->m->params.bf.resolution_s;

	t->slot_s = t->start_s / step * step;
	t->slot_end_s = (t->start_s + t->limit_s + step - 1) / step * step;
}

static enum verdict skip_or_later(const struct trial *t)
{
	return t->later_s && !t->now_only ? AGAIN : DONE;
}

/* Start the job, and take its nodes out of the plan if it has them alone.
 * Result: the outcome of the start.
 */
static enum sched_result start_now(struct cycle *c, struct trial *t)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;
	int64_t step = m->params.bf.resolution_s;
	int64_t end_s = (m->now_s + t->full_limit_s + step - 1) / step * step;
	enum sched_result result;

	result = sched_try_start(m, t->at, t->part, b->allowed, SCHED_BACKFILL);
	if (result != SCHED_STARTED)
		return result;
	b->bf_started++;
	c->rejected_array = 0;
	c->last = b->nqueue;
	sched_chance_start(m);
	if (t->ask.whole && m->params.preempt_mode == SCHED_PREEMPT_OFF &&
	    sched_plan_add(m, &b->plan, 0, end_s, b->place.set) < 0)
		m->failed = true;
	if ((m->params.bf.max_start &&
	     b->bf_started >= m->params.bf.max_start) ||
	    b->bf_tested >= m->params.bf.max_test)
		c->over = true;
	return result;
}

/* Put the job into the plan.
 * Result: NEXT_TASK if another task of its array may get a place.
 */
static enum verdict reserve(struct cycle *c, struct trial *t)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;
	struct sched_job *job = &m->jobs[t->at];
	const struct sched_job *base = &m->jobs[job->tasks.base];
	struct sched_part *part = &m->parts[t->part];
	uint64_t tres[SCHED_NTRES];

	if (!m->params.assoc_limit_stop) {
		enum sched_reason limit;

		sched_tres_of(m, job, t->part, NULL, tres);
		tres[SCHED_NODE] = sched_set_count(b->place.set, m->words);
		limit = sched_limits_after(m, job, t->part, tres);
		if (limit != SCHED_REASON_NONE) {
			job->reason = limit;
			return DONE;
		}
	}
	if (job->owner.qos != SCHED_NONE && m->qos[job->owner.qos].no_reserve)
		return DONE;
	if (m->params.bf.part_reserve &&
	    part->planned++ >= m->params.bf.part_reserve)
		return DONE;
	c->rejected_array = 0;
	if (!m->params.bf.one_resv || t->orig_s == 0) {
		if (sched_plan_add(m, &b->plan, t->slot_s, t->slot_end_s,
				   b->place.set) < 0)
			m->failed = true;
		if (t->slot_s < c->window_end_s)
			sched_chance_take(m, t->slot_s);
	}
	job->planned_s =
		t->orig_s && t->orig_s < t->start_s ? t->orig_s : t->start_s;
	if (!job->array || job->tasks.n == 0)
		return DONE;
	if (c->array != job->array) {
		c->array = job->array;
		c->array_slots = 1;
	} else {
		c->array_slots++;
	}
	return c->array_slots < m->params.bf.max_array &&
			       c->array_slots < job->tasks.n &&
			       (!base->tasks.throttle ||
				c->array_slots + base->tasks.running <
					base->tasks.throttle)
		       ? NEXT_TASK
		       : DONE;
}

/* After a start was found: start the job now, reserve its place, or look on. */
static enum verdict use_start(struct cycle *c, struct trial *t)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;
	int64_t now_s = m->now_s;

	for (uint32_t w = 0; w < m->words && t->start_s <= now_s; w++)
		if (b->place.set[w] & m->machine.completing[w]) {
			t->start_s = now_s + 1;
			t->later_s = 0;
		}
	if (t->start_s <= now_s) {
		/* the choice is needed if the start fails */
		uint64_t *set = b->current;
		enum sched_result result;

		memcpy(set, b->place.set, m->words * sizeof(*set));
		result = start_now(c, t);
		if (result == SCHED_STARTED)
			return m->jobs[t->at].waits ? NEXT_TASK : DONE;
		memcpy(b->place.set, set, m->words * sizeof(*set));
		if (result == SCHED_POLICY && !m->params.assoc_limit_stop)
			return DONE;
		if (result == SCHED_POLICY)
			t->start_s = t->later_s ? t->later_s : now_s + 500;
		else
			t->later_s = 0;
	}
	if (t->start_s > now_s && t->now_only)
		return DONE;
	if (t->later_s && t->start_s > t->later_s)
		return AGAIN;
	if (!t->checked)
		set_slot(t);
	if (t->start_s > c->begin_s + (int64_t)m->params.bf.window_s)
		return DONE;
	if (!t->checked && sched_plan_overlaps(m, &b->plan, t->slot_s,
					       t->slot_end_s, b->place.set)) {
		t->later_s = t->start_s;
		return AGAIN;
	}
	return reserve(c, t);
}

/* Look for a start from an instant on. */
static enum verdict look(struct cycle *c, struct trial *t, int64_t from_s)
{
	struct sched_model *m = t->m;
	struct sched_buffers *b = m->buffers;
	int64_t now_s = m->now_s;

	t->later_s = 0;
	if (c->window_end_s < from_s)
		return DONE;
	if (!open_nodes(t, from_s,
			t->limit_s + (from_s > now_s ? from_s : now_s)) ||
	    (t->ask.req->required &&
	     !sched_set_within(t->ask.req->required, b->allowed, m->words)))
		return skip_or_later(t);
	if (!t->counted) {
		t->counted = true;
		b->bf_tested++;
	}
	if (!try_nodes(t, from_s))
		return skip_or_later(t);
	note_cpus(t);
	if (from_s > t->start_s)
		t->start_s = from_s;
	t->checked = false;
	if (t->start_s > now_s) {
		set_slot(t);
		if (sched_plan_overlaps(m, &b->plan, t->slot_s, t->slot_end_s,
					b->place.set)) {
			t->later_s = t->start_s;
			if (from_s == t->start_s)
				t->later_s += m->params.bf.resolution_s;
			return AGAIN;
		}
		t->checked = true;
	}
	return use_start(c, t);
}

/* ---- one job ---- */

static void begin_trial(struct cycle *c, struct trial *t)
{
	struct sched_model *m = c->m;
	const struct sched_job *job = &m->jobs[t->at];
	const struct sched_params *p = &m->params;
	const struct sched_part *part = &m->parts[t->part];

	t->m = m;
	t->ask.req = &job->req;
	t->counted = false;
	t->orig_s = job->planned_s;
	t->full_limit_s = job->limit_s;
	if (part->max_time_s < (uint64_t)t->full_limit_s)
		t->full_limit_s = (int64_t)part->max_time_s;
	t->limit_s = t->full_limit_s;
	if (job->time_min_s && job->time_min_s < t->limit_s)
		t->limit_s = job->time_min_s;
	if (job->owner.qos != SCHED_NONE && m->qos[job->owner.qos].no_reserve &&
	    p->preempt_mode != SCHED_PREEMPT_OFF)
		t->limit_s = 60;
	t->now_only =
		(p->bf.min_prio_reserve &&
		 job->priority < p->bf.min_prio_reserve) ||
		(p->bf.min_age_reserve_s && job->times.eligible_s &&
		 m->now_s - job->times.eligible_s <
			 (int64_t)p->bf.min_age_reserve_s) ||
		(p->bf.one_resv && job->planned_s) ||
		(p->bf.part_reserve && part->planned >= p->bf.part_reserve);
}

/* Return false if the rest of an array was turned away, or has no task that
 * may run.
 */
static bool array_goes_on(struct cycle *c, struct sched_job *job, uint32_t part)
{
	const struct sched_job *base = &c->m->jobs[job->tasks.base];

	if (!job->array)
		return true;
	if (c->rejected_array == job->array && c->rejected_part == part)
		return false;
	c->rejected_array = job->array;
	c->rejected_part = part;
	if (base->tasks.throttle &&
	    base->tasks.running >= base->tasks.throttle) {
		job->reason = SCHED_ARRAY_LIMIT;
		return false;
	}
	return true;
}

static void one_job(struct cycle *c, uint32_t at, uint32_t part)
{
	struct sched_model *m = c->m;
	struct trial t = {.at = at, .part = part};
	enum verdict verdict = NEXT_TASK;

	begin_trial(c, &t);
	m->jobs[at].last_part = (uint16_t)part;
	while (verdict == NEXT_TASK && !c->over) {
		struct sched_job *job = &m->jobs[at];
		int64_t from_s = m->now_s;
		enum sched_reason limit;

		if (!job->waits || !array_goes_on(c, job, part))
			return;
		limit = m->params.assoc_limit_stop
				? SCHED_REASON_NONE
				: sched_limits_before(m, job, part);
		if (limit != SCHED_REASON_NONE) {
			job->reason = limit;
			return;
		}
		if (!count_job(m, job, part) ||
		    sched_node_counts(m, job, part, &t.ask) != SCHED_STARTED)
			return;
		set_before(&t);
		t.counted = false;
		verdict = AGAIN;
		for (uint32_t i = 0; i < MANY_TRIES && verdict == AGAIN; i++) {
			verdict = look(c, &t, from_s);
			from_s = t.later_s;
		}
	}
}

/* Take the nodes that running jobs have alone out of the plan. */
static void reserve_running(struct cycle *c)
{
	struct sched_model *m = c->m;
	uint64_t *nodes = m->buffers->next;
	int64_t step = m->params.bf.resolution_s;

	if (!m->params.bf.running_reserve ||
	    m->params.preempt_mode != SCHED_PREEMPT_OFF)
		return;
	for (uint32_t i = 0; i < m->running.n; i++) {
		const struct sched_run *run = m->running.runs[i];

		if (!run->whole)
			continue;
		memset(nodes, 0, m->words * sizeof(*nodes));
		for (uint32_t k = 0; k < run->nnodes; k++)
			libra_bits_put(nodes, run->node[k]);
		if (sched_plan_add(m, &m->buffers->plan, 0,
				   (run->end_s + step - 1) / step * step,
				   nodes) < 0)
			m->failed = true;
	}
}

static bool is_looked_at(const struct sched_model *m,
			 const struct sched_entry *e)
{
	const struct sched_job *job = &m->jobs[e->job];

	return job->waits && !job->held && !job->preempting &&
	       sched_closed(m, job, e->part) == SCHED_REASON_NONE;
}

/* Return the limit that keeps backfill from looking for a start. */
static enum sched_reason limit_of(const struct sched_model *m,
				  const struct sched_entry *e)
{
	return m->params.assoc_limit_stop
		       ? SCHED_REASON_NONE
		       : sched_limits_before(m, &m->jobs[e->job], e->part);
}

/* Return true if the plan of a job may matter. */
static bool matters(const struct cycle *c, const struct sched_entry *e)
{
	const struct sched_model *m = c->m;
	const struct sched_job *job = &m->jobs[e->job];
	enum sched_reason limit;

	if (!is_looked_at(m, e))
		return false;
	if (c->cut && (job->nparts > 1 || job->array))
		return true;
	if (!c->cut && !sched_chance_left(m, e))
		return false;
	limit = limit_of(m, e);
	if (limit != SCHED_REASON_NONE)
		return c->cut && limit != job->reason;
	return !c->cut || sched_chance_left(m, e);
}

/* Note what keeps a job without planning it. */
static void glance(struct cycle *c, struct sched_entry *e)
{
	struct sched_job *job = &c->m->jobs[e->job];
	enum sched_reason limit;

	if (!is_looked_at(c->m, e))
		return;
	job->last_part = (uint16_t)e->part;
	if (array_goes_on(c, job, e->part)) {
		limit = limit_of(c->m, e);
		if (limit != SCHED_REASON_NONE)
			job->reason = limit;
	}
	e->reason = (uint16_t)job->reason;
}

/* Return true if so many tests are possible that their number ends the run. */
static bool may_be_cut(const struct sched_model *m)
{
	const struct sched_buffers *b = m->buffers;
	uint64_t tests = 0;

	for (uint32_t i = 0; i < b->nqueue; i++)
		tests += m->jobs[b->queue[i].job].array
				 ? m->jobs[b->queue[i].job].tasks.n
				 : 1;
	return tests > m->params.bf.max_test;
}

/* Plan job by job, as long as one behind may start. */
static void plan_queue(struct cycle *c)
{
	struct sched_model *m = c->m;
	struct sched_buffers *b = m->buffers;
	bool all = m->params.preempt_by_qos || m->params.preempt_by_part;
	uint32_t i;

	c->cut = may_be_cut(m);
	c->last = b->nqueue;
	sched_chance_begin(m);
	for (i = 0; i < b->nqueue && !c->over; i++) {
		struct sched_entry *e = &b->queue[i];

		while (!all && c->last > i &&
		       !matters(c, &b->queue[c->last - 1]))
			c->last--;
		if (b->bf_tested >= m->params.bf.max_test)
			return;
		if (c->last <= i)
			break;
		if (!is_looked_at(m, e))
			continue;
		one_job(c, e->job, e->part);
		e->reason = (uint16_t)m->jobs[e->job].reason;
	}
	for (; i < b->nqueue && !c->over; i++)
		glance(c, &b->queue[i]);
}

uint32_t sched_backfill_pass(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;
	int64_t step = m->params.bf.resolution_s;
	struct cycle c = {.m = m, .begin_s = m->now_s};

	b->cycle++;
	b->bf_tested = b->bf_started = 0;
	sched_build_queue(m);
	if (b->nqueue == 0)
		return 0;
	c.window_end_s =
		(m->now_s + (int64_t)m->params.bf.window_s) / step * step;
	if (sched_plan_begin(m, &b->plan, m->now_s / step * step,
			     c.window_end_s) < 0) {
		m->failed = true;
		return 0;
	}
	reserve_running(&c);
	for (uint32_t p = 0; p < m->nparts; p++)
		m->parts[p].tested = m->parts[p].planned = 0;
	for (uint32_t i = 0; i < b->nqueue; i++)
		m->jobs[b->queue[i].job].planned_s = 0;
	plan_queue(&c);
	return b->bf_started;
}
