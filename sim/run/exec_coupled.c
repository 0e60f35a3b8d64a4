/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_coupled.c - all parts of a job progress at one rate (coupled, spinning).
 *
 * An engine's row stands for processors with the same tasks, so rates are
 * computed by rows, at every event.  tell() reports the true progress to the
 * engine before it decides anything.  settle() fixes the rate of a job; the
 * loops that call it are the steps of exec.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/share.h"
#include "sim/run/exec.h"

/* Add a job to the live ones; its rate is computed at the next next_s(). */
static int start(struct sim_exec *x, uint32_t slot)
{
	struct sim_exec_job *job = &x->jobs[slot];

	job->rank = x->nstarted++;
	job->since_s = x->now_s;
	job->rate = 0;
	x->live[x->nlive++] = slot;
	x->stale = true;
	return 0;
}

static int reshare(struct sim_exec *x, uint32_t row)
{
	x->stale = true;
	return 0;
}

/* Advance all jobs to now, and report what they have executed. */
static void tell(struct sim_exec *x)
{
	for (uint32_t i = 0; i < x->nlive; i++) {
		struct sim_exec_job *job = &x->jobs[x->live[i]];

		job->executed_s += job->rate * (x->now_s - job->since_s);
		job->since_s = x->now_s;
		libra_engine_progress(
			x->engine, libra_engine_ticket(x->engine, x->live[i]),
			job->executed_s, x->now_s);
	}
}

/* ---- rates ---- */

/* Make room for all rows, and for the rows of each job. */
static int reserve(struct sim_exec *x)
{
	uint32_t n = libra_engine_nrows(x->engine), members = 0;
	uint32_t cap = x->rows_cap ? x->rows_cap : 64;

	while (cap < n)
		cap *= 2;
	if (cap > x->rows_cap) {
		free(x->used);
		free(x->wanted);
		x->rows_cap = 0;
		x->used = calloc(cap, sizeof(*x->used));
		x->wanted = calloc(cap, sizeof(*x->wanted));
		if (!x->used || !x->wanted)
			return -1;
		x->rows_cap = cap;
	}
	for (uint32_t i = 0; i < n; i++)
		members += libra_engine_row(x->engine, i)->ntasks;
	members += x->cap;
	if (members <= x->member_cap)
		return 0;
	free(x->member);
	free(x->first);
	x->member_cap = 0;
	x->member = calloc(2 * members, sizeof(*x->member));
	x->first = calloc(2 * members + 1, sizeof(*x->first));
	if (!x->member || !x->first)
		return -1;
	x->member_cap = 2 * members;
	return 0;
}

/* Every task that runs, and its row. */
#define for_each_task(x, row, task)                                            \
	for (uint32_t row = 0; row < libra_engine_nrows((x)->engine); row++)   \
		for (const struct libra_row *row_ =                            \
			     libra_engine_row((x)->engine, row);               \
		     row_; row_ = NULL)                                        \
			for (const struct libra_task *task = row_->tasks;      \
			     row_->nprocs > 0 &&                               \
			     task < row_->tasks + row_->ntasks;                \
			     task++)                                           \
				if (task->running)

static bool is_late(const struct sim_exec *x, const struct libra_task *task)
{
	return x->late_yields && task->deadline_s <= x->now_s;
}

/* The share of a job now, the same on all of its processors; a late one that
 * yields has none.
 */
static double weight(const struct sim_exec *x, uint32_t slot,
		     const struct libra_task *task)
{
	double left_s = task->estimate_s - x->jobs[slot].executed_s;

	if (is_late(x, task))
		return 0;
	return libra_share(left_s, task->initial_share, task->deadline_s,
			   x->now_s);
}

/* The weight of each job, and the rows that it is on. */
static void collect(struct sim_exec *x)
{
	uint32_t n = libra_engine_nrows(x->engine), at = 0;

	memset(x->used, 0, n * sizeof(*x->used));
	for (uint32_t row = 0; row < n; row++)
		x->wanted[row] = -1;
	for (uint32_t i = 0; i < x->nlive; i++)
		x->first[x->live[i]] = 0;
	for_each_task(x, row, task)
	{
		x->jobs[task->slot].weight = weight(x, task->slot, task);
		x->jobs[task->slot].late = is_late(x, task);
		x->first[task->slot]++;
	}
	for (uint32_t i = 0; i < x->nlive; i++) {
		uint32_t count = x->first[x->live[i]];

		x->first[x->live[i]] = at;
		at += count;
		x->jobs[x->live[i]].full = false;
		x->jobs[x->live[i]].rate = INFINITY;
	}
	/* Counts up again below, to the end of the job's rows. */
	for_each_task(x, row, task) x->member[x->first[task->slot]++] = row;
}

/* The rows of the i-th live job: now first[] is at their end. */
static uint32_t rows_begin(const struct sim_exec *x, uint32_t i)
{
	return i > 0 ? x->first[x->live[i - 1]] : 0;
}

/* Settle a job's rate; its rows keep the rest. */
static void settle(struct sim_exec *x, uint32_t i, double rate)
{
	struct sim_exec_job *job = &x->jobs[x->live[i]];

	job->rate = rate;
	job->full = true;
	for (uint32_t k = rows_begin(x, i); k < x->first[x->live[i]]; k++) {
		x->used[x->member[k]] += rate;
		x->wanted[x->member[k]] = -1;
	}
}

/* The sum of the weights of a row's unsettled jobs.  It is summed up anew: by
 * subtraction small weights would be lost to rounding.
 */
static double wanted(struct sim_exec *x, uint32_t row)
{
	const struct libra_row *its = libra_engine_row(x->engine, row);

	if (x->wanted[row] >= 0)
		return x->wanted[row];
	x->wanted[row] = 0;
	for (uint32_t k = 0; its->nprocs > 0 && k < its->ntasks; k++) {
		const struct sim_exec_job *job = &x->jobs[its->tasks[k].slot];

		if (its->tasks[k].running && !job->full)
			x->wanted[row] += job->weight;
	}
	return x->wanted[row];
}

/* Return true if a job has a task in a row. */
static bool is_on(const struct sim_exec *x, uint32_t i, uint32_t row)
{
	for (uint32_t k = rows_begin(x, i); k < x->first[x->live[i]]; k++)
		if (x->member[k] == row)
			return true;
	return false;
}

/* The row that is full first when the rates of all jobs rise, at *level x
 * weight.
 */
static uint32_t fullest(struct sim_exec *x, double *level)
{
	uint32_t n = libra_engine_nrows(x->engine), full = UINT32_MAX;

	*level = INFINITY;
	for (uint32_t row = 0; row < n; row++) {
		double weight = wanted(x, row), at;

		if (weight <= 0)
			continue;
		at = fmax(1 - x->used[row], 0) / weight;
		if (at < *level) {
			*level = at;
			full = row;
		}
	}
	return full;
}

/* Raise the rates of all jobs together, to less than most x weight; the fullest
 * row settles its jobs.
 */
static void raise_all(struct sim_exec *x, double most)
{
	double level;
	uint32_t row;

	while ((row = fullest(x, &level)) != UINT32_MAX && level < most)
		for (uint32_t i = 0; i < x->nlive; i++)
			if (!x->jobs[x->live[i]].full && is_on(x, i, row))
				settle(x, i,
				       level * x->jobs[x->live[i]].weight);
}

/* The late jobs of a row that have no rate yet. */
static uint32_t count_late(const struct sim_exec *x, uint32_t row)
{
	const struct libra_row *its = libra_engine_row(x->engine, row);
	uint32_t n = 0;

	for (uint32_t k = 0; its->nprocs > 0 && k < its->ntasks; k++) {
		const struct sim_exec_job *job = &x->jobs[its->tasks[k].slot];

		n += its->tasks[k].running && job->late && !job->full;
	}
	return n;
}

/* Return the rate that jobs in time leave to each late job of a row. */
static double left_for_late(struct sim_exec *x, uint32_t row, uint32_t nlate)
{
	return fmax(1 - x->used[row] - wanted(x, row), 0) / nlate;
}

/* The row that is full first when the rates of late jobs rise, at *rate. */
static uint32_t fullest_of_late(struct sim_exec *x, double *rate)
{
	uint32_t n = libra_engine_nrows(x->engine), full = UINT32_MAX;

	for (uint32_t row = 0; row < n; row++) {
		uint32_t nlate = count_late(x, row);
		double at = nlate ? left_for_late(x, row, nlate) : INFINITY;

		if (nlate == 0 || (full != UINT32_MAX && at >= *rate))
			continue;
		*rate = at;
		full = row;
	}
	return full;
}

/* The others have their shares. */
static void raise_late(struct sim_exec *x)
{
	double rate = 0;
	uint32_t row;

	while ((row = fullest_of_late(x, &rate)) != UINT32_MAX)
		for (uint32_t i = 0; i < x->nlive; i++)
			if (x->jobs[x->live[i]].late &&
			    !x->jobs[x->live[i]].full && is_on(x, i, row))
				settle(x, i, rate);
}

/* Find the rates of the model coupled by weighted max-min. */
static void fill(struct sim_exec *x)
{
	bool late = false;

	for (uint32_t i = 0; i < x->nlive; i++)
		late |= x->jobs[x->live[i]].late;
	if (late) {
		raise_all(x, 1);
		raise_late(x);
	}
	raise_all(x, INFINITY);
}

/* Return true if job a has a higher priority than job b: see serve(). */
static bool before(const struct sim_exec *x, uint32_t a, uint32_t b)
{
	const struct libra_job *p =
		libra_engine_job(x->engine, libra_engine_ticket(x->engine, a));
	const struct libra_job *q =
		libra_engine_job(x->engine, libra_engine_ticket(x->engine, b));
	bool p_late = libra_is_late(p->deadline_s, x->now_s);
	bool q_late = libra_is_late(q->deadline_s, x->now_s);

	if (p_late != q_late)
		return q_late;
	if (p->deadline_s != q->deadline_s)
		return p->deadline_s < q->deadline_s;
	return x->jobs[a].rank < x->jobs[b].rank;
}

/* Find the rates of a ranked policy: each job in turn takes what is left. */
static void serve(struct sim_exec *x)
{
	for (uint32_t done = 0; done < x->nlive; done++) {
		uint32_t next = UINT32_MAX;
		double rate = 1;

		for (uint32_t i = 0; i < x->nlive; i++)
			if (!x->jobs[x->live[i]].full &&
			    (next == UINT32_MAX ||
			     before(x, x->live[i], x->live[next])))
				next = i;
		for (uint32_t k = rows_begin(x, next);
		     k < x->first[x->live[next]]; k++)
			rate = fmin(rate, 1 - x->used[x->member[k]]);
		settle(x, next, rate);
	}
}

/* The part of a row's time that goes to a job. */
static double divide(struct sim_exec *x, uint32_t row,
		     const struct sim_exec_job *job)
{
	uint32_t nlate = x->late_yields ? count_late(x, row) : 0;

	if (job->late)
		return left_for_late(x, row, nlate);
	return job->weight /
	       (nlate > 0 ? fmax(wanted(x, row), 1) : wanted(x, row));
}

/* A job progresses at the least rate of its parts; the rest is wasted. */
static void spin(struct sim_exec *x)
{
	bool ranked = libra_engine_policy(x->engine)->ranked;

	for_each_task(x, row, task)
	{
		struct sim_exec_job *job = &x->jobs[task->slot];
		double rate = ranked ? task->rate : divide(x, row, job);

		job->rate = fmin(job->rate, rate);
	}
}

/* Compute the rates of all live jobs.  Result: 0, or -1 with ENOMEM. */
static int find_rates(struct sim_exec *x)
{
	if (reserve(x) < 0)
		return -1;
	x->late_yields = !libra_engine_policy(x->engine)->ranked &&
			 libra_engine_late_yields(x->engine);
	collect(x);
	if (x->spins)
		spin(x);
	else if (libra_engine_policy(x->engine)->ranked)
		serve(x);
	else
		fill(x);
	x->stale = false;
	return 0;
}

/* ---- ends ---- */

static double end_s(const struct sim_exec_job *job)
{
	return sim_exec_end_s(job->since_s, job->runtime_s - job->executed_s,
			      job->rate);
}

/* Return the next end; NAN if memory is out. */
static double next_s(struct sim_exec *x)
{
	double next = INFINITY;

	if (x->stale && find_rates(x) < 0)
		return NAN;
	for (uint32_t i = 0; i < x->nlive; i++) {
		double at_s = end_s(&x->jobs[x->live[i]]);

		next = at_s < next ? at_s : next;
	}
	return next;
}

/* End the first job in order of starts; the engine knows the progress. */
static bool end(struct sim_exec *x, double until_s)
{
	uint32_t i = 0, slot;

	while (i < x->nlive && end_s(&x->jobs[x->live[i]]) > until_s)
		i++;
	if (i == x->nlive)
		return false;
	slot = x->live[i];
	memmove(&x->live[i], &x->live[i + 1],
		(x->nlive - i - 1) * sizeof(*x->live));
	x->nlive--;
	x->stale = true;
	libra_engine_departed(x->engine, libra_engine_ticket(x->engine, slot),
			      x->now_s);
	x->ended(x->arg, slot);
	return true;
}

const struct sim_exec_type sim_exec_coupled = {
	.start = start,
	.reshare = reshare,
	.tell = tell,
	.next_s = next_s,
	.end = end,
};
