/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.c - the priorities of the jobs that wait, during a simulation. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/order.h"
#include "sim/slurm/sched/limits.h"

int sched_order_init(struct sched_order *o, struct sched_load *load,
		     int64_t last_s, struct libra_error *err)
{
	const struct slurm_priority_params *p = &load->site->config.priority;

	memset(o, 0, sizeof(*o));
	o->load = load;
	o->computed = p->multifactor && !p->as_logged;
	if (!o->computed)
		return 0;
	o->limits_age = sched_limits_age(&load->model) &&
			!(p->flags & SLURM_PRIO_ACCRUE_ALWAYS);
	o->next_s = last_s + p->calc_period_s;
	o->gpu = slurm_site_find_tres(load->site, "gres/gpu");
	o->billing = calloc(load->model.ntasks + 1, sizeof(*o->billing));
	if (!o->billing)
		return sim_no_memory(err);
	if (slurm_prio_init(&o->prio, load->site, err) < 0)
		return -1;
	/* rank the users by what they have used before */
	slurm_prio_begin_run(&o->prio, last_s);
	slurm_prio_end_run(&o->prio, last_s);
	return 0;
}

void sched_order_fini(struct sched_order *o)
{
	slurm_prio_fini(&o->prio);
	free(o->billing);
	free(o->runs);
}

/* ---- one job ---- */

/* Compute a job's priority in the partition that a loop tried last. */
static uint32_t compute(struct sched_order *o, struct sched_job *job,
			int64_t now_s)
{
	const struct sched_load *load = o->load;
	const struct slurm_priority_params *p = &load->site->config.priority;
	struct slurm_prio_job in = {
		.assoc = job->owner.assoc,
		.qos = job->owner.qos,
		.partition = job->last_part,
		.cpus = job->tested_cpus ? job->tested_cpus : job->req.min_cpus,
		.nodes = job->req.min_nodes,
		.limit_s = job->limit_s < SLURM_INFINITE
				   ? (uint32_t)job->limit_s
				   : SLURM_INFINITE,
		.accrue_s = p->flags & SLURM_PRIO_ACCRUE_ALWAYS
				    ? job->times.submit_s
			    : o->limits_age ? job->times.accrue_s
					    : job->times.eligible_s,
		.nice = load->nice[job->tasks.base],
		.tres = load->site->jobs[load->row[job->tasks.first]].req,
	};
	struct slurm_factors factors;

	slurm_prio_factors(&o->prio, &in, now_s, &factors);
	job->priority_part = job->last_part;
	return factors.priority;
}

void sched_order_submit(struct sched_order *o, uint32_t job, int64_t at_s)
{
	struct sched_job *of = &o->load->model.jobs[job];

	if (!o->computed)
		return;
	of->priority = compute(o, of, at_s);
}

void sched_order_start(struct sched_order *o, const struct sched_run *run)
{
	const struct sched_load *load = o->load;
	int64_t alloc[SLURM_TRES_MAX];

	if (!o->computed)
		return;
	sched_order_leave(o, run->job);
	/* resources that the model does not have are the log's */
	memcpy(alloc, load->site->jobs[load->row[run->task]].alloc,
	       sizeof(alloc));
	alloc[SLURM_CPU] = (int64_t)run->tres[SCHED_CPU];
	alloc[SLURM_MEM] = (int64_t)run->tres[SCHED_MEM];
	alloc[SLURM_NODE] = (int64_t)run->tres[SCHED_NODE];
	if (o->gpu != SLURM_NONE)
		alloc[o->gpu] = (int64_t)run->tres[SCHED_GPU];
	o->billing[run->task] = slurm_prio_billing(
		&o->prio, run->part, (uint32_t)run->tres[SCHED_CPU], alloc);
}

void sched_order_end(struct sched_order *o, const struct sched_run *run,
		     int64_t at_s)
{
	if (o->computed)
		slurm_prio_charge(
			&o->prio, o->load->model.jobs[run->job].owner.assoc,
			run->qos, o->billing[run->task], run->start_s, at_s);
}

/* ---- limits on age ---- */

void sched_order_leave(struct sched_order *o, uint32_t job)
{
	struct sched_job *of = &o->load->model.jobs[job];

	if (of->times.accrue_s == 0)
		return;
	sched_count_accruing(&o->load->model, of, -1);
	of->times.accrue_s = 0;
}

void sched_order_pass(struct sched_order *o)
{
	struct sched_model *m = &o->load->model;

	for (uint32_t i = 0; o->limits_age && i < m->nwaiting; i++) {
		struct sched_job *job = &m->jobs[m->waiting[i]];

		if (job->times.accrue_s > 0 || job->times.eligible_s == 0)
			continue;
		job->times.accrue_s = sched_limits_accrue(m, job);
		if (job->times.accrue_s > 0)
			sched_count_accruing(m, job, 1);
	}
}

/* ---- a decay run ---- */

static int by_order(const void *a, const void *b)
{
	const struct sched_run *const *x = a, *const *y = b;

	return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

static bool set_priority(struct sched_order *o, uint32_t at, int64_t now_s)
{
	struct sched_job *job = &o->load->model.jobs[at];
	uint32_t priority = compute(o, job, now_s), was = job->priority;

	if (priority > was ||
	    !(o->load->site->config.priority.flags & SLURM_PRIO_INCR_ONLY))
		job->priority = priority;
	return job->priority != was;
}

/* Walk the jobs in the order of slurmctld's list: without Fair Tree a
 * user's usage is the one at his first job that waits.
 */
static void decay_run(struct sched_order *o, int64_t now_s)
{
	struct sched_model *m = &o->load->model;
	bool changed = false, tree = o->prio.fair_tree;
	uint32_t r = 0;

	if (m->running.n > 0) {
		memcpy(o->runs, m->running.runs,
		       m->running.n * sizeof(*o->runs));
		qsort(o->runs, m->running.n, sizeof(*o->runs), by_order);
	}
	slurm_prio_begin_run(&o->prio, now_s);
	for (uint32_t i = 0; i <= m->nwaiting; i++) {
		for (; r < m->running.n &&
		       (i == m->nwaiting ||
			o->runs[r]->order < m->jobs[m->waiting[i]].order);
		     r++)
			sched_order_end(o, o->runs[r], now_s);
		if (!tree && i < m->nwaiting)
			changed |= set_priority(o, m->waiting[i], now_s);
	}
	slurm_prio_end_run(&o->prio, now_s);
	for (uint32_t i = 0; tree && i < m->nwaiting; i++)
		changed |= set_priority(o, m->waiting[i], now_s);
	m->changes += changed;
}

void sched_order_run(struct sched_order *o, int64_t until_s)
{
	struct sched_model *m = &o->load->model;
	int64_t period_s = o->load->site->config.priority.calc_period_s;
	struct sched_run **bigger;

	if (!o->computed || o->next_s > until_s)
		return;
	bigger = sim_grown(o->runs, &o->runs_cap, m->running.n + 1,
			   sizeof(*o->runs));
	if (!bigger) {
		m->failed = true;
		return;
	}
	o->runs = bigger;
	/* usage that only decays may do so in one step */
	if (m->running.n == 0 && m->nwaiting == 0)
		o->next_s += (until_s - o->next_s) / period_s * period_s;
	for (; o->next_s <= until_s; o->next_s += period_s)
		decay_run(o, o->next_s);
}
