/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chance.c - which jobs could still start in this run of backfill.
 *
 * A job on whole nodes starts on nodes that are idle and that no reservation
 * takes before its end.  During a run these only become fewer.  So no job has
 * to be planned behind the last job that has enough of them.
 */
#include <string.h>

#include "core/bits.h"
#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/passes.h"

static void find_cpus(const struct sched_model *m, uint32_t part)
{
	const uint64_t *nodes = m->parts[part].nodes;
	struct sched_chances *c = &m->buffers->chances[part];

	for (uint32_t i = libra_bits_next(nodes, 0, m->nnodes); i < m->nnodes;
	     i = libra_bits_next(nodes, i + 1, m->nnodes)) {
		uint32_t cpus = m->nodes[i].cpus;

		c->cpus = c->most_cpus == 0 || c->cpus == cpus ? cpus : 0;
		if (cpus > c->most_cpus)
			c->most_cpus = cpus;
	}
}

void sched_chance_begin(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;

	b->ntaken = 0;
	for (uint32_t p = 0; p < m->nparts; p++) {
		const uint64_t *nodes = m->parts[p].nodes;
		struct sched_chances *c = &b->chances[p];

		if (c->most_cpus == 0)
			find_cpus(m, p);
		c->idle = 0;
		for (uint32_t w = 0; w < m->words; w++)
			c->idle += libra_bits_count(m->free.idle[w] & nodes[w] &
						    m->machine.up[w]);
	}
}

/* Return the number of an instant, or of the next one if there is no room for
 * it; SCHED_TAKEN: there is none.
 */
static uint32_t instant(struct sched_model *m, int64_t at_s)
{
	struct sched_buffers *b = m->buffers;
	uint32_t at = b->ntaken, more;

	while (at > 0 && b->taken_s[at - 1] >= at_s)
		at--;
	if ((at < b->ntaken && b->taken_s[at] == at_s) ||
	    b->ntaken == SCHED_TAKEN)
		return at;
	more = b->ntaken++ - at;
	memmove(b->taken_s + at + 1, b->taken_s + at,
		more * sizeof(*b->taken_s));
	b->taken_s[at] = at_s;
	for (uint32_t p = 0; p < m->nparts; p++) {
		uint32_t *taken = b->chances[p].taken;

		memmove(taken + at + 1, taken + at, more * sizeof(*taken));
		taken[at] = 0;
	}
	return at;
}

/* Count a node at an instant, or no longer. */
static void count(struct sched_model *m, uint32_t node, uint32_t at, int sign)
{
	for (uint32_t p = 0; p < m->nparts; p++)
		if (libra_bits_has(m->parts[p].nodes, node))
			m->buffers->chances[p].taken[at] += (uint32_t)sign;
}

/* Take an idle node.  Result: false: there is no room for the instant. */
static bool take(struct sched_model *m, uint32_t node, int64_t from_s,
		 uint32_t *at)
{
	struct sched_buffers *b = m->buffers;
	struct sched_taken *t = &b->taken[node];
	bool taken = t->cycle == b->cycle;

	if (taken && t->from_s <= from_s)
		return true;
	if (*at == SCHED_TAKEN)
		*at = instant(m, from_s);
	if (*at == SCHED_TAKEN)
		return false;
	if (taken)
		count(m, node, instant(m, t->from_s), -1);
	t->cycle = b->cycle;
	t->from_s = b->taken_s[*at];
	count(m, node, *at, 1);
	return true;
}

void sched_chance_take(struct sched_model *m, int64_t from_s)
{
	uint32_t at = SCHED_TAKEN;

	for (uint32_t w = 0; w < m->words; w++) {
		uint64_t word = m->buffers->place.set[w] & m->free.idle[w];

		for (; word; word &= word - 1)
			if (!take(m, w * 64 + (uint32_t)__builtin_ctzll(word),
				  from_s, &at))
				return;
	}
}

void sched_chance_start(struct sched_model *m)
{
	struct sched_buffers *b = m->buffers;

	for (uint32_t i = 0; i < b->place.n; i++) {
		uint32_t node = b->place.node[i];
		struct sched_taken *t = &b->taken[node];

		if (m->free.jobs[node] != 1) /* it was not idle before */
			continue;
		for (uint32_t p = 0; p < m->nparts; p++)
			b->chances[p].idle -=
				libra_bits_has(m->parts[p].nodes, node);
		if (t->cycle == b->cycle)
			count(m, node, instant(m, t->from_s), -1);
		t->cycle = 0;
	}
}

/* Return the fewest nodes that a job takes. */
static uint32_t fewest_nodes(const struct sched_request *req, uint32_t cpus)
{
	uint32_t n = (req->min_cpus + cpus - 1) / cpus;

	return n > req->min_nodes ? n : req->min_nodes;
}

/* Return true if enough idle nodes are open until the job's end. */
static bool fits(const struct sched_model *m, const struct sched_job *job,
		 uint32_t part)
{
	const struct sched_buffers *b = m->buffers;
	const struct sched_chances *c = &b->chances[part];
	uint32_t needed = fewest_nodes(&job->req, c->most_cpus);
	int64_t limit_s = job->limit_s;
	uint32_t open = c->idle;

	if (open < needed)
		return false;
	if (m->parts[part].max_time_s < (uint64_t)limit_s)
		limit_s = (int64_t)m->parts[part].max_time_s;
	if (job->time_min_s && job->time_min_s < limit_s)
		limit_s = job->time_min_s;
	for (uint32_t i = 0;
	     i < b->ntaken && b->taken_s[i] <= m->now_s + limit_s; i++)
		open -= c->taken[i];
	return open >= needed;
}

/* Return true if a plan would note something in the job: CPUs with which it
 * counts from now on, or a limit that holds it.
 */
static bool leaves_trace(const struct sched_model *m,
			 const struct sched_job *job, uint32_t part)
{
	const struct sched_request *req = &job->req;
	const struct sched_part *p = &m->parts[part];
	uint32_t cpus = m->buffers->chances[part].cpus, nodes;
	uint64_t tres[SCHED_NTRES];
	enum sched_reason limit;

	if (cpus == 0 || req->gpus_job ||
	    (req->max_nodes && req->max_nodes != req->min_nodes) ||
	    p->min_nodes > req->min_nodes)
		return true;
	nodes = fewest_nodes(req, cpus);
	if (req->tasks_per_node && req->ntasks > nodes * req->tasks_per_node)
		return true;
	if (nodes * cpus !=
	    (job->tested_cpus ? job->tested_cpus : req->min_cpus))
		return true;
	if (m->params.assoc_limit_stop)
		return false;
	sched_tres_of(m, job, part, NULL, tres);
	tres[SCHED_NODE] = nodes;
	limit = sched_limits_after(m, job, part, tres);
	return limit != SCHED_REASON_NONE && limit != job->reason;
}

bool sched_chance_left(const struct sched_model *m,
		       const struct sched_entry *entry)
{
	const struct sched_job *job = &m->jobs[entry->job];
	uint32_t part = entry->part;

	if (!(job->req.whole || m->parts[part].exclusive) ||
	    m->buffers->chances[part].most_cpus == 0)
		return true;
	return fits(m, job, part) || leaves_trace(m, job, part);
}
