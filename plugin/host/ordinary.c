/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.c - see ordinary.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/request/ask.h"
#include "plugin/engine/gres.h"
#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/request/sizing.h"
#include "plugin/base/units.h"
#include "plugin/request/resources.h"
#include "plugin/host/ordinary.h"
#include "plugin/host/outages.h"
#include "plugin/engine/plan_log.h"
#include "plugin/host/preemption.h"
#include "plugin/host/clock.h"
#include "plugin/host/actions.h"

/* Stands for no time limit: longer than any schedule. */
#define FOR_EVER_S (10 * 365 * 86400.0)

/* Return the time until a job's nodes are free: its limit and the epilog. */
static double limit_s(const struct host_cluster *c, uint32_t minutes)
{
	double s = libra_host_minutes_s(minutes);

	return s > 0 && s < FOR_EVER_S ? s + c->epilog_s : FOR_EVER_S;
}

/* Read the memory and generic resources of a part.  A resource of unknown type
 * counts once for each type.
 */
static void read_amounts(const struct host_cluster *c,
			 const struct libra_host_part *from, uint32_t node,
			 uint64_t *amounts)
{
	const char *list = from->gres;
	struct host_gres gres;
	size_t len;

	amounts[0] = from->mem == LIBRA_WHOLE_MEMORY
			     ? c->amounts[(size_t)node * c->nresources]
			     : from->mem;
	host_gres_add(c, from->gres, 1, amounts);
	while (!from->surely && host_gres_next(&list, &gres)) {
		len = strlen(gres.kind);
		if (strcmp(gres.kind, gres.name) != 0 ||
		    !host_gres_mixed(c, node, gres.kind))
			continue;
		for (uint32_t i = 1; i < c->nresources; i++)
			if (strncmp(c->resources[i], gres.kind, len) == 0 &&
			    c->resources[i][len] == ':')
				amounts[i] += gres.count;
	}
	/* Resources that are not counted on this node (cluster.c) are free. */
	for (uint32_t i = 1; i < c->nresources; i++)
		if (c->amounts[(size_t)node * c->nresources + i] == 0)
			amounts[i] = 0;
}

/* Allocate the parts of a job, followed by their amounts.
 * Result: NULL if memory is out.
 */
static struct libra_part *new_parts(const struct host_state *h,
				    const struct libra_host_job *job)
{
	size_t n = job->nparts + 1;

	return calloc(n, sizeof(struct libra_part) +
				 h->cluster.nresources * sizeof(uint64_t));
}

/* Read the parts of a job on nodes of this group, in the engine's numbers and
 * order; parts may be NULL.  If no other job can use its nodes, the job has all
 * their processors.  open: skip nodes that are closed or out.
 * Result: the number of processors; *nparts is that of the parts.
 */
static uint32_t own_parts(const struct host_state *h,
			  const struct libra_host_job *job, bool open,
			  struct libra_part *parts, uint32_t *nparts)
{
	const struct host_cluster *c = &h->cluster;
	uint32_t procs = 0, last = HOST_NO_NODE, n = 0;
	bool whole = c->whole_nodes || job->alone;

	for (size_t i = 0; i < job->nparts; i++) {
		const struct libra_host_part *from = &job->parts[i];
		uint32_t node = host_cluster_of_slurm(c, from->node), count;

		if (node == HOST_NO_NODE ||
		    (open && (c->state[node] != LIBRA_NODE_UP ||
			      host_outages_is_out(h, node))))
			continue;
		if (whole && node == last)
			continue;
		last = node;
		count = whole ? c->procs[node] : from->count;
		if (parts) {
			uint64_t *amounts =
				(uint64_t *)&parts[job->nparts + 1] +
				(size_t)n * c->nresources;

			parts[n].procs = (struct libra_range){
				c->first[node] + (whole ? 0 : from->first),
				count,
			};
			parts[n].resources = amounts;
			memset(amounts, 0, c->nresources * sizeof(*amounts));
			read_amounts(c, from, node, amounts);
		}
		n++;
		procs += count;
	}
	if (nparts)
		*nparts = n;
	return procs;
}

struct libra_job host_ordinary_job(const struct host_state *h,
				   const struct libra_host_job *job,
				   uint32_t nprocs, double now_s)
{
	return (struct libra_job){
		.id = job->job_id,
		.submit_s = now_s,
		.estimate_s = limit_s(&h->cluster, job->minutes),
		.deadline_s = INFINITY,
		.nprocs = nprocs,
		.user = job->user,
	};
}

/* Return true if the same question was answered a moment ago, so that the
 * engine and its log need not be asked.
 */
static bool refused_just_now(const struct host_state *h,
			     const struct libra_host_job *job, double now_s)
{
	const struct host_refusal *r = &h->refused[job->job_id % HOST_REFUSALS];

	return r->job_id == job->job_id && r->changes == h->log.changes &&
	       job->minutes >= r->minutes && fabs(now_s - r->at_s) < 1.0;
}

/* Find the tickets of the victims.
 * Result: their number.
 */
static uint32_t find_gone(const struct host_state *h,
			  const struct libra_host_job *job, uint64_t *tickets)
{
	const struct tracked_job *t;
	uint32_t n = 0;

	for (uint32_t i = 0; i < job->victims.n; i++) {
		t = host_jobs_find(&h->jobs, job->victims.ids[i], true);
		if (t)
			tickets[n++] = t->ticket;
	}
	return n;
}

/* Return true if the parts of a job on one node would delay a reservation
 * there.  The engine was asked about all parts at this instant, so this
 * question changes nothing, and is not logged.
 */
static bool is_in_way(struct host_state *h, const struct libra_job *job,
		      const struct libra_start_query *query, double now_s)
{
	struct libra_job there = *job;

	there.nprocs = 0;
	for (uint32_t i = 0; i < query->nparts; i++)
		there.nprocs += query->parts[i].procs.count;
	return !libra_engine_may_start(h->log.engine, &there, query, now_s);
}

/* Mark the nodes on which a job that may not start would delay a reservation:
 * its own nodes, and all others on which its least part would.
 */
static void mark_in_way(struct host_state *h, const struct libra_job *job,
			const struct libra_start_query *query, bool alone,
			double now_s, uint8_t *in_way, uint32_t nslurm)
{
	const struct host_cluster *c = &h->cluster;
	const struct libra_part *parts = query->parts;
	struct libra_part least = parts[0];
	struct libra_start_query there = *query;
	uint32_t node, k, n = query->nparts;

	there.stops = false;
	there.again = true;

	for (uint32_t i = 0; i < n; i += k) {
		node = host_cluster_node_of(c, parts[i].procs.first);
		for (k = 1; i + k < n &&
			    parts[i + k].procs.first < c->first[node + 1];)
			k++;
		if (parts[i].procs.count < least.procs.count)
			least = parts[i];
		there.parts = &parts[i];
		there.nparts = k;
		if (c->slurm_node[node] < nslurm &&
		    is_in_way(h, job, &there, now_s))
			in_way[c->slurm_node[node]] = 1;
	}
	/* On other nodes Slurm would choose other victims, still unknown. */
	if (query->ngone > 0)
		return;
	there.parts = &least;
	there.nparts = 1;
	for (node = 0; node < c->nnodes; node++) {
		least.procs.first = c->first[node];
		if (alone)
			least.procs.count = c->procs[node];
		if (c->slurm_node[node] < nslurm &&
		    least.procs.count <= c->procs[node] &&
		    is_in_way(h, job, &there, now_s))
			in_way[c->slurm_node[node]] = 1;
	}
}

static bool any_waits(const struct host_state *h)
{
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t))
		if (!t->ordinary && t->state != TRACKED_RUNNING)
			return true;
	return false;
}

/* Return true if a job would run beyond the outage of one of its nodes, as a
 * job in a FLEX advance reservation may, and mark such nodes.  The engine is
 * not asked about nodes that are out, as no reservation begins before the
 * outage ends.  If no promised job waits, return false.
 */
static bool outlives_outage(const struct host_state *h,
			    const struct libra_host_job *job, double now_s,
			    uint8_t *in_way, uint32_t nslurm)
{
	double end_s = now_s + limit_s(&h->cluster, job->minutes);
	bool any = false;

	for (size_t i = 0; i < job->nparts; i++) {
		uint32_t slurm_node = job->parts[i].node;
		uint32_t node = host_cluster_of_slurm(&h->cluster, slurm_node);

		if (node == HOST_NO_NODE ||
		    !(end_s > host_outages_end_s(h, node)))
			continue;
		if (!any && !any_waits(h))
			return false;
		any = true;
		if (in_way && slurm_node < nslurm)
			in_way[slurm_node] = 1;
	}
	return any;
}

bool host_ordinary_may_run(struct host_state *h,
			   const struct libra_host_job *job, uint8_t *in_way,
			   uint32_t nslurm)
{
	struct host_refusal *refused = &h->refused[job->job_id % HOST_REFUSALS];
	double now_s = host_now(h);
	struct libra_start_query query = {0};
	struct libra_part *parts;
	struct libra_job again;
	uint64_t *gone;
	uint32_t n;
	bool asked, may;

	if (outlives_outage(h, job, now_s, in_way, nslurm))
		return false;
	n = own_parts(h, job, true, NULL, NULL);
	if (n == 0)
		return true;
	if (job->victims.n == 0 && refused_just_now(h, job, now_s) &&
	    !(in_way && memchr(in_way, 1, nslurm)))
		return false;
	again = host_ordinary_job(h, job, n, now_s);
	parts = new_parts(h, job);
	gone = calloc(job->victims.n + 1u, sizeof(*gone));
	if (!parts || !gone) {
		free(parts);
		free(gone);
		return false;
	}
	own_parts(h, job, true, parts, &query.nparts);
	query.parts = parts;
	query.gone = gone;
	query.ngone = find_gone(h, job, gone);
	query.delay_s = query.ngone > 0 ? job->victims.take_s : 0;
	query.stops = job->victims.preempted && query.ngone > 0;
	asked = !query.stops || host_preemption_may_stop(h, job, now_s);
	may = asked && libra_plan_log_may_start(&h->log, &again, &query, now_s);
	if (may && query.stops)
		host_preemption_note(h, &again, &query, now_s);
	if (asked && !may && in_way)
		mark_in_way(h, &again, &query, job->alone, now_s, in_way,
			    nslurm);
	free(parts);
	free(gone);
	if (job->victims.n > 0)
		return may;
	*refused = (struct host_refusal){
		.job_id = may ? 0 : job->job_id,
		.minutes = job->minutes,
		.changes = h->log.changes,
		.at_s = now_s,
	};
	return may;
}

#define NO_MEMORY "out of memory: all that run are looked at again"

/* Note that memory was out for a report.
 * Result: true if that was noted, and logged, before.
 */
static bool note_unreported(struct host_state *h)
{
	bool was = h->unreported;

	h->unreported = true;
	return was;
}

/* Report a running job to the engine.
 * Result: 0 and the ticket, or -1 with errno.
 */
static int restore(struct host_state *h, const struct libra_host_job *job,
		   struct libra_job *again, struct libra_part *parts,
		   double now_s, uint64_t *ticket, struct libra_error *err)
{
	double left_s = again->estimate_s;
	uint32_t n;

	if (job->start_s > 0)
		left_s -= fmax(0, now_s - job->start_s);
	again->nprocs = own_parts(h, job, false, parts, &n);
	for (uint32_t i = 0; i < n; i++)
		parts[i].est_left_s = left_s;
	return libra_engine_log_restore(&h->log, again, parts, n, true, now_s,
					ticket, err);
}

/* Report and track a running job.  After a restart a job that is alone on its
 * nodes may be found beside another of its user: then report only its own
 * cores.
 */
static void enter(struct host_state *h, const struct libra_host_job *job,
		  struct libra_part *parts, double now_s)
{
	struct libra_host_job own = *job;
	struct libra_error err = {0};
	struct tracked_job *t = NULL;
	struct libra_job again = host_ordinary_job(h, job, 0, now_s);
	uint64_t ticket;
	int rc = restore(h, job, &again, parts, now_s, &ticket, &err);
	bool no_memory;

	own.alone = false;
	if (rc < 0 && errno == EBUSY && job->alone)
		rc = restore(h, &own, &again, parts, now_s, &ticket, &err);
	if (rc == 0) {
		t = host_jobs_add(&h->jobs, ticket,
				  host_jobs_first_offer(&h->jobs, 1));
		if (!t)
			libra_engine_log_departed(&h->log, ticket, now_s);
	}
	no_memory = rc == 0 ? !t : errno == ENOMEM;
	if (!t) {
		if (no_memory && note_unreported(h))
			return;
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: the plans do not count it: %s", job->job_id,
			 no_memory ? NO_MEMORY : err.text);
		return;
	}
	t->job = again;
	t->user_estimate_s = again.estimate_s;
	t->ordinary = true;
	host_jobs_run(&h->jobs, t, job->job_id);
	host_preemption_started(h, job, now_s);
}

/* Start the aged reservation of an array: the running task has an id of its own
 * now.
 * Result: false if the job is no such task.
 */
static bool begin_planned(struct host_state *h,
			  const struct libra_host_job *job, double now_s)
{
	struct tracked_job *t =
		job->array ? host_jobs_find(&h->jobs, job->array, false) : NULL;

	if (!t || !t->ordinary || !t->may_start ||
	    libra_engine_log_started(&h->log, t->ticket, job->job_id, now_s) <
		    0)
		return false;
	host_jobs_run(&h->jobs, t, job->job_id);
	h->oldest.guard.given_up = 0;
	host_preemption_started(h, job, now_s);
	host_sync_actions(h, now_s);
	return true;
}

void host_ordinary_place(struct host_state *h, const struct libra_host_job *job,
			 double now_s)
{
	struct libra_part *parts;

	if (own_parts(h, job, false, NULL, NULL) == 0)
		return;
	parts = new_parts(h, job);
	if (!parts) {
		if (!note_unreported(h))
			host_log(
				h->ops, LIBRA_HOST_ERROR,
				"job %u: the plans do not count it: " NO_MEMORY,
				job->job_id);
		return;
	}
	enter(h, job, parts, now_s);
	free(parts);
}

void host_ordinary_enter(struct host_state *h, const struct libra_host_job *job)
{
	double now_s = host_now(h);

	if (!h->log.engine || host_jobs_find(&h->jobs, job->job_id, true))
		return;
	if (job->unreported && !h->unreported)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "job %u: the plans do not count it: " NO_MEMORY,
			 job->job_id);
	h->unreported = h->unreported || job->unreported;
	h->longest = h->longest || job->longest;
	if (own_parts(h, job, false, NULL, NULL) == 0 ||
	    begin_planned(h, job, now_s))
		return;
	host_ordinary_place(h, job, now_s);
	host_sync_actions(h, now_s);
}

int host_ordinary_changed(struct host_state *h, struct tracked_job *t,
			  double now_s)
{
	/* The starvation guard reserves again with the new numbers. */
	if (t->state == TRACKED_COMMITTED)
		host_jobs_withdraw(&h->jobs, t, NULL, now_s);
	return 0;
}

void host_ordinary_limits(struct host_state *h, double now_s)
{
	struct tracked_job *t;
	uint32_t minutes;
	double estimate_s;

	h->longest = false;
	if (!h->ops || !h->ops->job_minutes)
		return;
	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		if (!t->ordinary || t->state != TRACKED_RUNNING)
			continue;
		minutes = h->ops->job_minutes(t->job_id);
		estimate_s = limit_s(&h->cluster, minutes);
		if (minutes == 0 || estimate_s == t->job.estimate_s ||
		    libra_engine_log_reestimate(&h->log, t->ticket, estimate_s,
						now_s) < 0)
			continue;
		t->job.estimate_s = t->user_estimate_s = estimate_s;
	}
}

/* ---- its size ---- */

struct request_size host_ordinary_size(const struct host_state *h,
				       const struct libra_host_job *job,
				       const struct request_size *where)
{
	struct libra_host_request r = {
		.size.ncpus = job->size.ncpus,
		.size.ntasks = job->size.ntasks,
		.size.cpus_per_task = job->size.cpus_per_task,
		.size.tasks_per_node = job->size.tasks_per_node,
		.size.threads_per_core = job->size.threads_per_core,
		.size.task_per_core = job->size.task_per_core,
		.size.min_nodes = job->size.min_nodes,
		.mem.hold_per_cpu = job->mem.hold_per_cpu,
		.mem.hold_per_node = job->mem.hold_per_node,
		.gres.job = job->gres.job,
		.gres.node = job->gres.node,
		.gres.task = job->gres.task,
		.gres.cpus_per = job->gres.cpus_per,
		.gres.mem_per = job->gres.mem_per,
		.gres.def_cpus_per_gpu = job->gres.def_cpus_per_gpu,
		.gres.def_mem_per_gpu = job->gres.def_mem_per_gpu,
		.size.max_nodes = job->size.max_nodes,
		.nodes.exclusive = job->nodes.exclusive || job->alone,
	};
	struct libra_host_reply reply = {0};
	struct request_size size = {.chunk = 1};

	/* Slurm gives a job no memory for cores that it only keeps from others.
	 */
	if (job->alone && !job->nodes.exclusive && r.mem.hold_per_cpu) {
		r.mem.hold_per_cpu = 0;
		r.mem.hold_per_node = LIBRA_WHOLE_MEMORY;
	}
	host_resources_expand(&h->cluster, &r, where, &reply);
	if (!host_measure(&h->cluster, &r, NULL, &size, &reply))
		size.nprocs = (job->size.ncpus + h->cluster.cpus_per_proc - 1) /
			      h->cluster.cpus_per_proc;
	size.allowed = where->allowed;
	size.nallowed = where->nallowed;
	host_resources_measure(&h->cluster, &r, &size, &reply);
	host_reply_fini(&reply);
	return size;
}
