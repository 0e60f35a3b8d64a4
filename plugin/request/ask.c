/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - see ask.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin/request/nodes.h"
#include "plugin/request/ask.h"
#include "plugin/engine/away.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/engine/placement.h"
#include "plugin/base/units.h"

/* Late jobs named in a refusal. */
#define MOST_NAMED 5

static bool needs_more(const struct request_size *size)
{
	for (int i = 0; i < LIBRA_RESOURCES; i++)
		if (size->per_node[i] || size->per_chunk[i])
			return true;
	return false;
}

void host_set_where(const struct request_size *size, struct libra_job *job,
		    struct libra_where *where)
{
	*where = (struct libra_where){
		.chunk = size->chunk,
		.node_max = size->node_max,
		.min_nodes = size->min_nodes > 1 ? size->min_nodes : 0,
		.max_nodes = size->max_nodes,
	};
	if (size->partition) {
		where->allowed = size->partition->allowed;
		where->nallowed = size->partition->nallowed;
	}
	if (size->allowed) {
		where->allowed = size->allowed;
		where->nallowed = size->nallowed;
	}
	if (needs_more(size)) {
		where->per_node = size->per_node;
		where->per_chunk = size->per_chunk;
		job->where = where;
	}
	/* Most jobs may use any node: log and engine are spared the constraint.
	 */
	if (where->allowed || where->chunk > 1 || where->node_max ||
	    where->min_nodes || where->max_nodes)
		job->where = where;
}

/* --- memory ----------------------------------------------------------------
 */

/* Memory of the engine's nodes, in MB; all NULL if memory is not divided. */
struct memory {
	uint64_t *all, *free;	     /* free: not allocated and not promised */
	struct libra_range *allowed; /* nodes with enough memory */
	uint32_t nallowed;
	bool spoilt;   /* free is too low, and right for one offer only */
	bool around;   /* leave out nodes that are away (away.h) */
	bool narrowed; /* a node was left out */
};

static void memory_fini(struct memory *m)
{
	free(m->all);
	free(m->free);
	free(m->allowed);
	*m = (struct memory){0};
}

/* Return the memory, in MB, of a job with nprocs processors on a node. */
static uint64_t need_of(const struct host_jobs *jobs,
			const struct request_size *size, const struct memory *m,
			uint32_t node, uint32_t nprocs)
{
	if (size->hold_per_node == LIBRA_WHOLE_MEMORY)
		return m->all[node];
	if (size->hold_per_node)
		return size->hold_per_node;
	return size->hold_per_cpu * nprocs * jobs->cluster->cpus_per_proc;
}

/* Return the number of processors on the node at *at, and move *at behind it.
 */
static uint32_t next_node(const struct libra_host_placement *p, size_t *at,
			  uint32_t *node)
{
	uint32_t n = 0;

	*node = p->parts[*at].node;
	for (; *at < p->nparts && p->parts[*at].node == *node; ++*at)
		n += p->parts[*at].count;
	return n;
}

static bool holds(const struct tracked_job *t)
{
	return (t->state == TRACKED_OFFERED || t->state == TRACKED_COMMITTED) &&
	       (t->size.hold_per_cpu || t->size.hold_per_node);
}

/* Subtract the promised memory of a job that has not started.
 * Result: false if memory for counting ran out.
 */
static bool hold(const struct host_jobs *jobs, const struct tracked_job *t,
		 struct memory *m, struct libra_host_placement *scratch)
{
	uint32_t node, n;
	uint64_t need;
	size_t at = 0;

	if (!holds(t))
		return true;
	if (host_placement_read(jobs->log, jobs->cluster, t->ticket, scratch) <
	    0) {
		if (errno == ENOMEM)
			return false;
		host_log(jobs->ops, LIBRA_HOST_ERROR,
			 "job %u: its promise has no place: no memory is held "
			 "for it",
			 t->job_id);
		return true;
	}
	while (at < scratch->nparts) {
		n = next_node(scratch, &at, &node);
		need = need_of(jobs, &t->size, m, node, n);
		m->free[node] -= need < m->free[node] ? need : m->free[node];
	}
	return true;
}

/* Read the spare memory, if the job needs any.
 * Result: 0, or -1 with ENOMEM.
 */
static int memory_init(struct memory *m, const struct host_jobs *jobs,
		       const struct request_size *size)
{
	const struct host_cluster *c = jobs->cluster;
	uint32_t n = c->slurm_node[c->nnodes - 1] + 1;
	struct libra_host_placement scratch = {0};
	struct libra_host_memory *nodes;
	const struct tracked_job *t;
	bool good = true;

	*m = (struct memory){0};
	if ((size->hold_per_cpu == 0 && size->hold_per_node == 0) || c->plans ||
	    !jobs->ops || !jobs->ops->memory)
		return 0;
	nodes = calloc(n, sizeof(*nodes));
	m->all = calloc(c->nnodes, sizeof(*m->all));
	m->free = calloc(c->nnodes, sizeof(*m->free));
	m->allowed = calloc(c->nnodes, sizeof(*m->allowed));
	if (!nodes || !m->all || !m->free || !m->allowed) {
		free(nodes);
		memory_fini(m);
		errno = ENOMEM;
		return -1;
	}
	if (jobs->ops->memory(nodes, n)) {
		for (uint32_t i = 0; i < c->nnodes; i++) {
			m->all[i] = nodes[c->slurm_node[i]].all;
			m->free[i] = nodes[c->slurm_node[i]].free;
		}
		for (t = host_jobs_next(jobs, NULL); t && good;
		     t = host_jobs_next(jobs, t))
			good = hold(jobs, t, m, &scratch);
	} else {
		memory_fini(m);
	}
	free(scratch.parts);
	free(nodes);
	if (good)
		return 0;
	memory_fini(m);
	errno = ENOMEM;
	return -1;
}

/* As memory_init(); if the policy does not plan starts, offers also avoid nodes
 * that are away.  Engines that plan avoid such nodes themselves.
 */
static int memory_begin(struct memory *m, const struct host_jobs *jobs,
			const struct request_size *size, double now_s)
{
	const struct host_cluster *c = jobs->cluster;

	if (memory_init(m, jobs, size) < 0)
		return -1;
	m->around = !c->plans && host_away_longest_s(c, now_s) > 0;
	if (!m->around || m->allowed)
		return 0;
	m->allowed = calloc(c->nnodes, sizeof(*m->allowed));
	if (m->allowed)
		return 0;
	errno = ENOMEM;
	return -1;
}

/* Restore what the last offer has subtracted. */
static int memory_renew(struct memory *m, const struct host_jobs *jobs,
			const struct request_size *size, double now_s)
{
	memory_fini(m);
	return memory_begin(m, jobs, size, now_s);
}

bool host_spare_memory(const struct host_jobs *jobs, uint64_t *mb, uint32_t n)
{
	const struct request_size any = {.hold_per_node = 1};
	const struct host_cluster *c = jobs->cluster;
	const struct tracked_job *t = host_jobs_next(jobs, NULL);
	struct memory m;
	bool unknown;

	while (t && !holds(t))
		t = host_jobs_next(jobs, t);
	if (!t)
		return false;
	unknown = memory_init(&m, jobs, &any) < 0;
	if (!unknown && !m.free)
		return false;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (c->slurm_node[i] < n)
			mb[c->slurm_node[i]] = unknown ? 0 : m.free[i];
	memory_fini(&m);
	return true;
}

static bool in_partition(const struct request_size *size, uint32_t proc)
{
	const struct host_partition *part = size->partition;

	if (!part || !part->allowed)
		return true;
	for (uint32_t i = 0; i < part->nallowed; i++)
		if (proc - part->allowed[i].first < part->allowed[i].count)
			return true;
	return false;
}

static bool has_too_little(const struct memory *m, const struct host_jobs *jobs,
			   const struct request_size *size, uint32_t node)
{
	return m->free &&
	       (m->free[node] == 0 ||
		m->free[node] < need_of(jobs, size, m, node, size->chunk));
}

/* Leave out nodes that have too little memory for one task, or are away.
 * Result: the number of nodes of the partition with too little memory.
 */
static uint32_t narrow(struct memory *m, const struct host_jobs *jobs,
		       const struct request_size *size)
{
	const struct host_cluster *c = jobs->cluster;
	struct libra_range *last;
	uint32_t out = 0;

	m->nallowed = 0;
	m->narrowed = false;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		bool little, away = m->around && host_away_is(c, i);

		if (!in_partition(size, c->first[i]))
			continue;
		little = has_too_little(m, jobs, size, i);
		out += little;
		m->narrowed = m->narrowed || little || away;
		if (little || away)
			continue;
		last = m->nallowed ? &m->allowed[m->nallowed - 1] : NULL;
		if (last && last->first + last->count == c->first[i])
			last->count += c->procs[i];
		else
			m->allowed[m->nallowed++] =
				(struct libra_range){c->first[i], c->procs[i]};
	}
	return out;
}

/* Return 1 if each node has enough memory for a ticket, 0 if not, -1 with
 * ENOMEM.  A node that has too little counts as full in the next offer.
 */
static int has_enough(struct memory *m, const struct host_jobs *jobs,
		      const struct request_size *size, uint64_t ticket)
{
	struct libra_host_placement p = {0};
	int enough = 1;
	uint32_t node, n;
	size_t at = 0;

	if (host_placement_read(jobs->log, jobs->cluster, ticket, &p) < 0) {
		p.nparts = 0;
		errno = ENOMEM;
		enough = -1;
	}
	while (at < p.nparts) {
		n = next_node(&p, &at, &node);
		if (need_of(jobs, size, m, node, n) <= m->free[node])
			continue;
		m->free[node] = 0;
		m->spoilt = true;
		enough = 0;
	}
	free(p.parts);
	return enough;
}

/* --- questions ------------------------------------------------------------ */

/* Ask the engine for an offer on nodes with enough memory. */
static int offer(struct host_jobs *jobs, const struct libra_job *job,
		 const struct request_size *size, struct memory *m,
		 double now_s, struct libra_verdict *verdict,
		 struct libra_error *err)
{
	struct libra_where where;
	struct libra_job placed;
	int enough;

	for (;;) {
		placed = *job;
		host_set_where(size, &placed, &where);
		m->narrowed = false;
		jobs->no_memory =
			m->free || m->around ? narrow(m, jobs, size) : 0;
		if (m->narrowed) {
			where.allowed = m->allowed;
			where.nallowed = m->nallowed;
			placed.where = &where;
		}
		if (m->narrowed && m->nallowed == 0) {
			*verdict = (struct libra_verdict){
				.answer = LIBRA_REJECT,
				.reason = LIBRA_REASON_MEMORY};
			return 0;
		}
		if (libra_engine_log_offer(jobs->log, &placed, now_s, verdict,
					   err) < 0)
			return -1;
		if (verdict->answer != LIBRA_ACCEPT || !m->free)
			return 0;
		enough = has_enough(m, jobs, size, verdict->ticket);
		if (enough > 0)
			return 0;
		libra_engine_log_withdraw(jobs->log, verdict->ticket, now_s);
		if (enough < 0) {
			errno = ENOMEM;
			return -1;
		}
	}
}

/* Ask for an offer on nodes that are not away.  If there is none, use any node
 * and add the longest wait to the estimate; *wait_s is that wait.
 */
static int offer_around(struct host_jobs *jobs, struct libra_job *job,
			const struct request_size *size, struct memory *m,
			double now_s, double *wait_s,
			struct libra_verdict *verdict, struct libra_error *err)
{
	int rc = offer(jobs, job, size, m, now_s, verdict, err);

	*wait_s = 0;
	if (rc < 0 || !m->around || verdict->answer == LIBRA_ACCEPT)
		return rc;
	*wait_s = host_away_longest_s(jobs->cluster, now_s);
	job->estimate_s += *wait_s;
	m->around = false;
	rc = offer(jobs, job, size, m, now_s, verdict, err);
	m->around = true;
	return rc;
}

static int ask(struct host_jobs *jobs, const struct libra_job *asked,
	       const struct request_size *size, struct memory *m,
	       uint64_t first, double now_s, struct libra_verdict *verdict,
	       struct libra_error *err)
{
	struct libra_host_placement scratch = {0};
	struct libra_job job = *asked;
	struct tracked_job *t;
	double wait_s;

	if (offer_around(jobs, &job, size, m, now_s, &wait_s, verdict, err) < 0)
		return -1;
	if (verdict->answer != LIBRA_ACCEPT)
		return (int)verdict->answer;
	t = host_jobs_add(jobs, verdict->ticket, first);
	if (!t) {
		libra_engine_log_withdraw(jobs->log, verdict->ticket, now_s);
		errno = ENOMEM;
		return -1;
	}
	t->job = job;
	t->user_estimate_s = asked->estimate_s;
	t->wait_s = wait_s;
	t->size = *size;
	t->size.allowed = NULL; /* owned by the caller */
	t->share = verdict->share;
	t->late_s = verdict->late_s;
	/* If this job could not be counted, count again for the next one. */
	if (m->free && !hold(jobs, t, m, &scratch))
		m->spoilt = true;
	free(scratch.parts);
	return LIBRA_ACCEPT;
}

int host_ask_all(struct host_jobs *jobs, const struct libra_job *job,
		 uint32_t tasks, const struct request_size *size,
		 uint64_t first, double now_s, struct libra_verdict *verdict,
		 struct libra_error *err)
{
	int answer = LIBRA_ACCEPT;
	struct memory m;

	if (memory_begin(&m, jobs, size, now_s) < 0) {
		memory_fini(&m);
		errno = ENOMEM;
		return -1;
	}
	for (uint32_t i = 0; i < tasks && answer == LIBRA_ACCEPT; i++) {
		answer = m.spoilt ? memory_renew(&m, jobs, size, now_s) : 0;
		if (answer == 0)
			answer = ask(jobs, job, size, &m, first, now_s, verdict,
				     err);
	}
	memory_fini(&m);
	return answer;
}

int host_ask(struct host_jobs *jobs, const struct libra_job *job,
	     const struct request_size *size, uint64_t first, double now_s,
	     struct libra_verdict *verdict, struct libra_error *err)
{
	return host_ask_all(jobs, job, 1, size, first, now_s, verdict, err);
}

/* What has no end is taken to last for ten years; Slurm says one of a job. */
#define ENDLESS_S (364 * 86400.0)

struct host_advice host_ask_advice(struct host_jobs *jobs,
				   const struct libra_job *job, uint32_t tasks,
				   const struct request_size *size,
				   double now_s)
{
	struct libra_where where;
	struct libra_job placed = *job;
	struct host_advice advice = {
		.nodes = host_count_allowed(jobs->cluster, size),
		.closed = host_count_closed(jobs->cluster, size),
	};
	double longest_s = INFINITY;

	host_set_where(size, &placed, &where);
	if (!jobs->cluster->plans)
		placed.estimate_s += host_away_longest_s(jobs->cluster, now_s);
	advice.earliest_s =
		libra_engine_log_earliest(jobs->log, &placed, tasks, now_s);
	advice.try_s = libra_engine_advise(jobs->log->engine, &placed, tasks,
					   advice.earliest_s, 60, now_s);
	advice.bound =
		!libra_engine_earliest_is_exact(jobs->log->engine, tasks);
	/* A job with a share may run until its deadline. */
	if (size->partition && !jobs->cluster->plans)
		longest_s = libra_host_minutes_s(size->partition->max_minutes);
	advice.endless = isfinite(advice.earliest_s) &&
			 advice.earliest_s - now_s > ENDLESS_S;
	if (advice.endless || advice.earliest_s - now_s > longest_s)
		advice.earliest_s = advice.try_s = INFINITY;
	if (advice.try_s > longest_s)
		advice.try_s = INFINITY;
	return advice;
}

/* Return true if late jobs close their processors, the rule of the papers. */
static bool late_close(const struct libra_host_conf *conf)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 "late_yields", NULL);

	return i >= 0 && conf->params[i] == 0;
}

void host_report_late(const struct host_jobs *jobs,
		      struct libra_host_reply *reply, double now_s)
{
	char ids[MOST_NAMED * 12] = "";
	uint32_t n = 0;
	size_t len = 0;

	if (!late_close(jobs->log->conf))
		return;
	for (const struct tracked_job *t = host_jobs_next(jobs, NULL); t;
	     t = host_jobs_next(jobs, t)) {
		if (t->state != TRACKED_RUNNING || t->job.deadline_s > now_s)
			continue;
		if (n++ < MOST_NAMED)
			len += (size_t)snprintf(ids + len, sizeof(ids) - len,
						"%s%u", n > 1 ? ", " : "",
						t->job_id);
	}
	if (n == 0)
		return;
	host_reply_text(reply,
			"libra: %u job%s past the deadline close%s %s "
			"processors until %s: %s%s (libra_late_yields=no)",
			n, n == 1 ? "" : "s", n == 1 ? "s" : "",
			n == 1 ? "its" : "their",
			n == 1 ? "it ends" : "they end", ids,
			n > MOST_NAMED ? ", ..." : "");
}

void host_report_away(const struct host_cluster *c,
		      struct libra_host_reply *reply)
{
	char text[HOST_AWAY_TEXT], more[48] = "";
	uint32_t first = HOST_NO_NODE, n = 0;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!host_away_is(c, i))
			continue;
		if (n++ == 0)
			first = i;
	}
	if (n == 0)
		return;
	if (n > 1)
		snprintf(more, sizeof(more), "; %u more wait, too", n - 1);
	host_away_text(c, first, text);
	host_reply_text(reply, "libra: %s%s", text, more);
}
