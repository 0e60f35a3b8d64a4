/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - compare the model with a recording, run by run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/slurm/node_set.h"
#include "sim/slurm/order.h"
#include "sim/slurm/sched/passes.h"
#include "sim/slurm/steps.h"

enum {
	SAME_S = 5,  /* a start in the recording and in the log */
	TICK_MS = 4, /* time() is as old as the kernel's last tick */
	COMPLETE_MS = 40000,
};

struct by_id {
	uint32_t id, task, job; /* job: the array's or its own */
};

/* A start of the model in the run at hand. */
struct begun {
	uint32_t job, task;
	struct sched_run *run;
};

struct replay {
	struct sched_load *load;
	struct sched_model *m;
	const struct recording *rec;
	struct steps *steps;
	FILE *out;
	struct by_id *ids;
	size_t nids;
	bool *known; /* of each job: submitted */
	struct begun *begun;
	size_t nbegun, begun_cap;
	size_t *run_of; /* of each start: the event that is its run */
	struct sched_run **victims;
	size_t nvictims, victims_cap;
	struct sched_order order;
};

static int id_order(const void *a, const void *b)
{
	const struct by_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static struct by_id *find(const struct replay *r, uint32_t id)
{
	struct by_id key = {.id = id};

	return bsearch(&key, r->ids, r->nids, sizeof(key), id_order);
}

static struct sched_run *running(const struct replay *r, uint32_t id)
{
	for (uint32_t i = 0; i < r->m->running.n; i++)
		if (r->m->tasks[r->m->running.runs[i]->task].id == id)
			return r->m->running.runs[i];
	return NULL;
}

/* Return what time() gave at an event. */
static int64_t second_of(const struct record *e)
{
	return (e->at_ms - TICK_MS) / 1000;
}

/* ---- what the passes ask and say ---- */

static enum sched_reason may_run(struct sched_model *m, struct sched_job *job)
{
	if (job->held)
		return SCHED_HELD;
	if (job->times.begin_s > m->now_s)
		return SCHED_DEPENDENCY;
	/* age counts from here, but not before a pass has seen the job */
	if (job->times.eligible_s == 0)
		job->times.eligible_s = job->times.begin_s
						? job->times.begin_s
						: job->times.submit_s;
	return SCHED_REASON_NONE;
}

static void started(struct sched_model *m, struct sched_run *run,
		    enum sched_loop loop)
{
	struct replay *r = m->hooks.host;
	struct begun *bigger = sim_grown(r->begun, &r->begun_cap, r->nbegun + 1,
					 sizeof(*r->begun));

	(void)loop;
	if (!bigger) {
		m->failed = true;
		return;
	}
	r->begun = bigger;
	r->begun[r->nbegun].job = run->job;
	r->begun[r->nbegun].task = run->task;
	r->begun[r->nbegun++].run = run;
}

static void preempted(struct sched_model *m, struct sched_run *run)
{
	struct replay *r = m->hooks.host;
	struct sched_run **bigger =
		sim_grown(r->victims, &r->victims_cap, r->nvictims + 1,
			  sizeof(struct sched_run *));

	if (!bigger) {
		m->failed = true;
		return;
	}
	r->victims = bigger;
	r->victims[r->nvictims++] = run;
	run->ending = true;
}

/* ---- recorded events ---- */

/* Set when a job may run: dependencies and holds end at the log's Eligible, as
 * a begin time does that the submission does not tell.
 */
static void set_begin(struct replay *r, struct sched_job *job)
{
	const struct slurm_job *rows = r->load->site->jobs;
	uint32_t t = job->tasks.next, end = t + job->tasks.n;

	if (job->depends.n == 0 && !job->held)
		return;
	if (job->depends.n > 0 || job->times.begin_s == 0) {
		while (t < end && rows[r->load->row[t]].eligible_s <= 0)
			t++;
		job->times.begin_s =
			t < end ? rows[r->load->row[t]].eligible_s : INT64_MAX;
	}
	job->held = false;
}

static void count_priority(struct replay *r, const struct sched_job *job,
			   const struct record *e)
{
	if (!r->order.computed)
		return;
	r->steps->priorities++;
	r->steps->equal += job->priority == (uint32_t)e->value;
}

static void submit(struct replay *r, const struct record *e)
{
	const struct by_id *found = find(r, e->id);
	struct sched_job *job;

	if (!found)
		return;
	job = &r->m->jobs[found->job];
	if (!r->known[found->job]) {
		r->known[found->job] = true;
		set_begin(r, job);
		sched_wait(r->m, found->job);
		sched_order_submit(&r->order, found->job, second_of(e));
		count_priority(r, job, e);
	}
	job->priority = (uint32_t)e->value;
	job->priority_part = job->last_part;
}

/* Do a decay run.  slurmctld did the run before it, also the first one, which
 * comes before the recording and changes no usage.
 */
static void decay(struct replay *r, const struct record *e)
{
	r->order.prio.run_s = second_of(e) - e->value;
	r->order.next_s = second_of(e);
	sched_order_run(&r->order, second_of(e));
}

/* Look at each user as sshare does, which sets what has not been set since the
 * last decay run.
 */
static void look_at_users(struct replay *r)
{
	const struct slurm_site *site = r->load->site;

	for (uint32_t a = 0; a < site->nassocs && r->order.computed; a++)
		if (*site->assocs[a].user)
			slurm_prio_fairshare(&r->order.prio, a);
}

static void set_priority(struct replay *r, const struct record *e)
{
	const struct by_id *found = find(r, e->id);
	struct sched_model *m = r->m;

	if (!found)
		return;
	if (m->jobs[found->job].waits && m->jobs[found->job].id == e->id)
		count_priority(r, &m->jobs[found->job], e);
	m->jobs[found->job].priority = (uint32_t)e->value;
	m->jobs[found->job].priority_part = m->jobs[found->job].last_part;
	for (uint32_t i = 0; i < m->nwaiting; i++) {
		struct sched_job *job = &m->jobs[m->waiting[i]];

		if (job->copy && job->id == e->id)
			job->priority = (uint32_t)e->value;
	}
}

/* Return the job that waits with a task: its own, or its array's. */
static uint32_t waits_with(const struct replay *r, const struct by_id *id)
{
	const struct sched_model *m = r->m;

	for (uint32_t i = 0; i < m->nwaiting; i++) {
		const struct sched_job *job = &m->jobs[m->waiting[i]];

		if (job->tasks.next <= id->task &&
		    id->task < job->tasks.next + job->tasks.n)
			return m->waiting[i];
	}
	return SCHED_NONE;
}

/* End a run; nodes that report its end later are completing until then. */
static void end_run(struct replay *r, struct sched_run *run,
		    const struct record *e)
{
	struct sched_model *m = r->m;
	const struct record *end = r->rec->of + r->rec->n;

	for (const struct record *c = e;
	     c < end && c->at_ms < e->at_ms + COMPLETE_MS; c++)
		if (c->kind == RECORD_COMPLETE && c->id == e->id) {
			uint32_t node =
				slurm_site_find_node(r->load->site, c->nodes);

			if (node != SLURM_NONE)
				libra_bits_put(m->machine.completing, node);
		}
	m->jobs[m->jobs[run->job].tasks.base].tasks.running--;
	sched_order_end(&r->order, run, second_of(e));
	sched_run_end(m, run);
}

static void kill_job(struct replay *r, const struct record *e)
{
	struct sched_run *run = running(r, e->id);
	const struct by_id *found = find(r, e->id);
	uint32_t job;

	if (run) {
		end_run(r, run, e);
		return;
	}
	job = found ? waits_with(r, found) : SCHED_NONE;
	if (job != SCHED_NONE)
		sched_unwait(r->m, job);
}

/* Return the second from which the next run of a job may begin. */
static int64_t next_eligible(const struct replay *r, const struct record *e)
{
	const struct slurm_site *site = r->load->site;

	for (size_t i = 0; i < site->njobs; i++)
		if (site->jobs[i].id == e->id &&
		    site->jobs[i].submit_s * 1000 >= e->at_ms - 3000)
			return site->jobs[i].eligible_s;
	return e->at_ms / 1000 + r->m->params.requeue_delay_s;
}

static void requeue(struct replay *r, const struct record *e)
{
	struct sched_run *run = running(r, e->id);
	const struct by_id *by = find(r, e->other);
	uint32_t job, task;
	uint64_t order;

	if (!run)
		return;
	job = run->job;
	task = run->task;
	order = run->order;
	end_run(r, run, e);
	job = sched_requeue(r->m, job, task, order, e->at_ms / 1000);
	if (job != SCHED_NONE) {
		r->m->jobs[job].times.begin_s = next_eligible(r, e);
		r->m->jobs[job].times.eligible_s = 0;
	}
	job = by ? waits_with(r, by) : SCHED_NONE;
	if (job != SCHED_NONE)
		r->m->jobs[job].preempt_s = e->at_ms / 1000;
}

static void complete(struct replay *r, const struct record *e)
{
	uint32_t node = slurm_site_find_node(r->load->site, e->nodes);

	if (node != SLURM_NONE)
		libra_bits_drop(r->m->machine.completing, node);
}

/* Share CPUs of the recorded nodes as the model would; if they do not suffice,
 * take what there is.
 */
static void divide(struct replay *r, const struct sched_job *job, uint32_t part,
		   const uint64_t *nodes)
{
	struct sched_model *m = r->m;
	struct sched_place *p = &m->buffers->place;
	uint32_t n = sched_set_count(nodes, m->words);
	struct sched_ask ask = {.min_nodes = n, .max_nodes = n, .req_nodes = n};
	int64_t cpus = job->req.min_cpus, gpus = job->req.gpus_job;

	sched_ask_init(m, job, part, nodes, &ask);
	if (sched_choose(m, &m->free, &ask, p) && p->n == n)
		return;
	p->n = 0;
	for (uint32_t i = libra_bits_next(nodes, 0, m->nnodes); i < m->nnodes;
	     i = libra_bits_next(nodes, i + 1, m->nnodes)) {
		int64_t of =
			ask.whole ? m->nodes[i].cpus : cpus - (n - p->n - 1);

		if (of > m->free.cpus[i])
			of = m->free.cpus[i];
		p->node[p->n] = i;
		p->gpus[p->n] = m->free.gpus[i] < gpus ? m->free.gpus[i]
						       : (uint32_t)gpus;
		gpus -= p->gpus[p->n];
		p->cpus[p->n++] = of > 0 ? (uint32_t)of : 0;
		cpus -= of > 0 ? of : 0;
	}
}

/* Start what slurmctld started. */
static int start(struct replay *r, const struct record *e)
{
	struct sched_model *m = r->m;
	const struct by_id *found = find(r, e->id);
	uint32_t part = slurm_site_find_partition(r->load->site, e->part);
	uint32_t at = found ? waits_with(r, found) : SCHED_NONE;
	uint64_t *nodes = m->buffers->next;
	struct sched_job *job;
	struct sched_run *run;

	if (at == SCHED_NONE || part == SLURM_NONE)
		return 0;
	job = &m->jobs[at];
	run = calloc(1, sizeof(*run));
	memset(nodes, 0, m->words * sizeof(*nodes));
	sched_node_set(r->load->site, e->nodes, nodes);
	divide(r, job, part, nodes);
	if (!run)
		return -1;
	run->nnodes = m->buffers->place.n;
	run->node = calloc(run->nnodes + 1, sizeof(*run->node));
	run->cpus = calloc(run->nnodes + 1, sizeof(*run->cpus));
	if (!run->node || !run->cpus) {
		sched_run_free(run);
		return -1;
	}
	memcpy(run->node, m->buffers->place.node,
	       run->nnodes * sizeof(*run->node));
	memcpy(run->cpus, m->buffers->place.cpus,
	       run->nnodes * sizeof(*run->cpus));
	job->last_part = (uint16_t)part;
	run->job = at;
	run->task = found->task;
	run->qos = job->owner.qos;
	run->part = part;
	run->priority = job->priority;
	run->start_s = e->value;
	run->end_s = run->start_s + job->limit_s;
	run->order = job->order;
	run->mem_mb = job->req.mem_mb;
	run->mem_per_cpu = job->req.mem_per_cpu;
	run->gpus_node = job->req.gpus_node;
	if (sched_place_gpus(job, &m->buffers->place, run) < 0) {
		sched_run_free(run);
		return -1;
	}
	run->whole = job->req.whole || m->parts[part].exclusive;
	sched_tres_of(m, job, part, &m->buffers->place, run->tres);
	if (sched_run_begin(m, run) < 0) {
		sched_run_free(run);
		return -1;
	}
	sched_order_start(&r->order, run);
	m->jobs[job->tasks.base].tasks.running++;
	sched_next_task(m, at);
	return 0;
}

/* ---- comparing ---- */

/* Take back what the model started and preempted. */
static void undo(struct replay *r)
{
	struct sched_model *m = r->m;

	for (size_t i = 0; i < r->nvictims; i++)
		r->victims[i]->ending = false;
	for (size_t i = r->nbegun; i-- > 0;) {
		struct sched_job *job = &m->jobs[r->begun[i].job];

		m->jobs[job->tasks.base].tasks.running--;
		sched_unwait(m, r->begun[i].job);
		job->order = r->begun[i].run->order;
		sched_run_end(m, r->begun[i].run);
		job->tasks.next--;
		job->tasks.n++;
		sched_wait(m, r->begun[i].job);
	}
	r->nbegun = r->nvictims = 0;
}

static bool same_nodes(struct replay *r, const struct sched_run *run,
		       const struct record *e)
{
	struct sched_model *m = r->m;
	uint64_t *nodes = m->buffers->next;

	memset(nodes, 0, m->words * sizeof(*nodes));
	sched_node_set(r->load->site, e->nodes, nodes);
	if (sched_set_count(nodes, m->words) != run->nnodes)
		return false;
	for (uint32_t i = 0; i < run->nnodes; i++)
		if (!libra_bits_has(nodes, run->node[i]))
			return false;
	return true;
}

static void name_task(const struct sched_model *m, uint32_t task, char text[40])
{
	if (m->tasks[task].array)
		snprintf(text, 40, "%u_%u", m->tasks[task].array,
			 m->tasks[task].index);
	else
		snprintf(text, 40, "%u", m->tasks[task].id);
}

static void print(struct replay *r, const struct record *at, const char *what,
		  uint32_t task, const char *why)
{
	char name[40];

	if (!r->out)
		return;
	name_task(r->m, task, name);
	fprintf(r->out, "%.3f,%s,%s,%s,%s\n",
		(double)(at->at_ms - r->rec->origin_s * 1000) / 1000,
		at->kind == RECORD_MAIN ? "main" : "backfill", name, what, why);
}

/* Return the first event of the same millisecond. */
static size_t first_of(const struct recording *rec, size_t at)
{
	while (at > 0 && rec->of[at - 1].at_ms == rec->of[at].at_ms)
		at--;
	return at;
}

/* Compare what the model started with the starts recorded for this run. */
static void compare(struct replay *r, size_t at)
{
	const struct recording *rec = r->rec;
	struct sched_model *m = r->m;
	bool is_main = rec->of[at].kind == RECORD_MAIN;
	struct step_count *c = is_main ? &r->steps->main : &r->steps->backfill;
	uint64_t starts = 0, found = 0;

	for (size_t i = first_of(rec, at); i < rec->n; i++) {
		const struct by_id *id;
		size_t k;

		if (rec->of[i].kind != RECORD_START || r->run_of[i] != at)
			continue;
		starts++;
		id = find(r, rec->of[i].id);
		for (k = 0; id && k < r->nbegun; k++)
			if (r->begun[k].task == id->task)
				break;
		if (id && k < r->nbegun) {
			found++;
			c->nodes += same_nodes(r, r->begun[k].run, &rec->of[i]);
			r->begun[k].task |= 0x80000000;
		} else if (id) {
			uint32_t job = waits_with(r, id);

			print(r, &rec->of[at], "missing", id->task,
			      job == SCHED_NONE
				      ? "started before"
				      : sched_reason_name(m->jobs[job].reason));
		}
	}
	for (size_t k = 0; k < r->nbegun; k++)
		if (!(r->begun[k].task & 0x80000000))
			print(r, &rec->of[at], "extra", r->begun[k].task, "");
	c->runs++;
	c->right += found == starts && found == r->nbegun;
	c->busy_runs += starts > 0;
	c->busy_right += starts > 0 && found == starts && found == r->nbegun;
	c->starts += starts;
	c->found += found;
	c->extra += r->nbegun - found;
}

static int run_loop(struct replay *r, size_t at)
{
	const struct record *e = &r->rec->of[at];
	struct sched_model *m = r->m;
	int64_t *waited;
	uint32_t n = m->njobs;

	m->now_s = second_of(e);
	waited = calloc(n + 1, sizeof(*waited));
	if (!waited)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		waited[i] = m->jobs[i].preempt_s;
	if (e->kind == RECORD_MAIN)
		sched_main_pass(m, e->value != 0);
	else
		sched_backfill_pass(m);
	compare(r, at);
	undo(r);
	for (uint32_t i = 0; i < n; i++) {
		m->jobs[i].preempt_s = waited[i];
		m->jobs[i].held = m->jobs[i].held && !m->jobs[i].waits;
	}
	free(waited);
	for (size_t i = first_of(r->rec, at); i < r->rec->n; i++)
		if (r->rec->of[i].kind == RECORD_START && r->run_of[i] == at &&
		    start(r, &r->rec->of[i]) < 0)
			return -1;
	return m->failed ? -1 : 0;
}

static int event(struct replay *r, size_t at)
{
	const struct record *e = &r->rec->of[at];
	struct sched_run *run;

	switch (e->kind) {
	case RECORD_END:
		run = running(r, e->id);
		if (run)
			end_run(r, run, e);
		break;
	case RECORD_KILL:
		kill_job(r, e);
		break;
	case RECORD_REQUEUE:
		requeue(r, e);
		break;
	case RECORD_COMPLETE:
		complete(r, e);
		break;
	case RECORD_SUBMIT:
		submit(r, e);
		break;
	case RECORD_DECAY:
		decay(r, e);
		break;
	case RECORD_SSHARE:
		look_at_users(r);
		break;
	case RECORD_PRIORITY:
		set_priority(r, e);
		break;
	case RECORD_START:
		return e->loop == 's' ? start(r, e) : 0;
	case RECORD_MAIN:
	case RECORD_BACKFILL:
		return run_loop(r, at);
	}
	return 0;
}

/* ---- set up ---- */

static void assign_starts(struct replay *r)
{
	size_t last_main = 0, last_backfill = 0;
	const struct recording *rec = r->rec;

	for (size_t i = 0; i < rec->n; i++) {
		/* a run and its first start may have one millisecond */
		for (size_t k = i;
		     k < rec->n && rec->of[k].at_ms == rec->of[i].at_ms; k++) {
			if (rec->of[k].kind == RECORD_MAIN)
				last_main = k;
			if (rec->of[k].kind == RECORD_BACKFILL)
				last_backfill = k;
		}
		if (rec->of[i].kind == RECORD_START)
			r->run_of[i] = rec->of[i].loop == 'm'	? last_main
				       : rec->of[i].loop == 'b' ? last_backfill
								: SIZE_MAX;
	}
}

static int set_up(struct replay *r)
{
	struct sched_model *m = r->m;

	r->ids = calloc(m->ntasks + 1, sizeof(*r->ids));
	r->known = calloc(m->njobs + 1, sizeof(*r->known));
	r->run_of = calloc(r->rec->n + 1, sizeof(*r->run_of));
	if (!r->ids || !r->known || !r->run_of)
		return -1;
	for (uint32_t t = 0; t < m->ntasks; t++) {
		r->ids[t].id = m->tasks[t].id;
		r->ids[t].task = t;
		r->ids[t].job = m->tasks[t].job;
	}
	r->nids = m->ntasks;
	qsort(r->ids, r->nids, sizeof(*r->ids), id_order);
	assign_starts(r);
	m->hooks.host = r;
	m->hooks.may_run = may_run;
	m->hooks.started = started;
	m->hooks.preempted = preempted;
	return 0;
}

/* Compare the starts with those of the log, of which the last of a job counts.
 * Result: 0, or -1 with EINVAL: the log is of another time or cluster.
 */
static int check_log(const struct replay *r, struct libra_error *err)
{
	const struct slurm_job *rows = r->load->site->jobs;
	size_t runs = 0, starts = 0, logged = 0;

	for (size_t i = 0; i < r->rec->n; i++) {
		const struct record *e = &r->rec->of[i];
		const struct by_id *id;

		runs += e->kind == RECORD_MAIN || e->kind == RECORD_BACKFILL;
		if (e->kind != RECORD_START)
			continue;
		starts++;
		id = find(r, e->id);
		if (id && llabs(rows[r->load->row[id->task]].start_s -
				e->at_ms / 1000) <= SAME_S)
			logged++;
	}
	if (runs == 0)
		return libra_errf(err, EINVAL,
				  "the recording has no run of a loop: its "
				  "loops.txt is empty");
	if (logged * 2 < starts)
		return libra_errf(err, EINVAL,
				  "the log has %zu of the %zu starts of the "
				  "recording: give the log of the same jobs",
				  logged, starts);
	return 0;
}

int sched_steps(struct sched_load *load, const struct recording *rec,
		struct steps *steps, FILE *out, struct libra_error *err)
{
	struct replay r = {.load = load,
			   .m = &load->model,
			   .rec = rec,
			   .steps = steps,
			   .out = out};
	int rc = 0;

	memset(steps, 0, sizeof(*steps));
	if (set_up(&r) < 0)
		rc = sim_no_memory(err);
	else
		rc = sched_order_init(&r.order, load, rec->origin_s, err);
	if (rc == 0)
		rc = check_log(&r, err);
	for (size_t i = 0; rc == 0 && i < rec->n; i++)
		if (event(&r, i) < 0)
			rc = sim_no_memory(err);
	free(r.ids);
	free(r.known);
	free(r.run_of);
	free(r.begun);
	free(r.victims);
	sched_order_fini(&r.order);
	return rc;
}
