/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - see cluster.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formula/share.h"
#include "plugin/cli/cluster.h"
#include "plugin/cli/print.h"

/* ---- nodes and partitions ---- */

static bool node_managed(const struct cli_cluster *cluster, uint32_t node)
{
	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed && cluster->parts[i].nodes[node])
			return true;
	return false;
}

/* Is a processor of the plans a node?  As plugin/engine/cluster.c has it. */
static bool all_whole(const struct cli_cluster *cluster)
{
	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed && !cluster->parts[i].whole_nodes)
			return false;
	return libra_host_conf_plans(&cluster->conf);
}

/* Number the nodes of managed partitions in Slurm's order, as the plugins do.
 */
static void number_nodes(struct cli_cluster *cluster)
{
	cluster->nmanaged = cluster->nprocs = cluster->nhidden = 0;
	cluster->cpus_per_proc = 1;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		struct cli_node *n = &cluster->nodes[i];

		if (!n->whole && n->procs && n->cpus > n->procs)
			cluster->cpus_per_proc = n->cpus / n->procs;
		n->managed = n->procs > 0 && node_managed(cluster, i);
		/* slurmctld sends hidden nodes without name and size. */
		cluster->nhidden += !*n->name && node_managed(cluster, i);
		if (!n->managed)
			continue;
		if (all_whole(cluster)) {
			n->whole = true;
			n->procs = 1;
		}
		n->first = cluster->nprocs;
		cluster->nmanaged++;
		cluster->nprocs += n->procs;
	}
}

static int by_submit(const void *a, const void *b)
{
	const struct cli_job *x = a, *y = b;
	double s = x->promised ? x->promise.submit_s : x->submit_s;
	double t = y->promised ? y->promise.submit_s : y->submit_s;

	if (s != t)
		return s < t ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* The record of an array may list tasks that have begun since: the first ones.
 * (One that was taken out of its array has a copy, and nobody knows which it
 * was.)
 */
static void leave_waiting(const struct cli_job *job, struct libra_promise *p)
{
	struct libra_promise task;
	size_t at = 0;

	if (job->state != CLI_JOB_WAITING || !strstr(job->label, "_[") ||
	    !p->on.text)
		return;
	while (p->tasks > job->tasks && libra_promise_task(p, &at, &task))
		p->tasks--;
	p->on.text += at;
	p->on.len -= at;
}

/* A job that has begun and waits was requeued: its promise ended with its run.
 */
static void read_promise(struct cli_job *job)
{
	struct libra_promise *p = &job->promise;

	job->promised = libra_admin_comment_parse(job->comment, p) == 0;
	if (job->promised)
		leave_waiting(job, p);
	if (!job->promised || job->state != CLI_JOB_WAITING || p->left.len == 0)
		return;
	p->offer = 0;
	p->on.len = p->left.len = 0;
}

void cli_cluster_choose(struct cli_cluster *cluster, size_t group)
{
	cluster->conf = cluster->groups.confs[group];
	for (uint32_t i = 0; i < cluster->nparts; i++)
		cluster->parts[i].managed = libra_host_conf_manages(
			&cluster->conf, cluster->parts[i].name);
	number_nodes(cluster);
}

void cli_cluster_choose_partition(struct cli_cluster *cluster, const char *name)
{
	const struct cli_partition *part = cli_cluster_partition(cluster, name);

	for (size_t i = 0; part && i < cluster->groups.n; i++)
		if (libra_host_conf_manages(&cluster->groups.confs[i],
					    part->name))
			cli_cluster_choose(cluster, i);
}

bool cli_cluster_has(const struct cli_cluster *cluster,
		     const struct cli_job *job)
{
	const struct libra_promise *p = &job->promise;

	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed &&
		    strlen(cluster->parts[i].name) == p->part.len &&
		    strncmp(cluster->parts[i].name, p->part.text,
			    p->part.len) == 0)
			return true;
	return cluster->groups.n <= 1;
}

void cli_cluster_arrange(struct cli_cluster *cluster)
{
	cli_cluster_choose(cluster, 0);
	for (uint32_t i = 0; i < cluster->njobs; i++)
		read_promise(&cluster->jobs[i]);
	if (cluster->njobs)
		qsort(cluster->jobs, cluster->njobs, sizeof(*cluster->jobs),
		      by_submit);
}

void cli_cluster_fini(struct cli_cluster *cluster)
{
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		free(cluster->nodes[i].name);
	for (uint32_t i = 0; i < cluster->nparts; i++) {
		free(cluster->parts[i].name);
		free(cluster->parts[i].nodes);
	}
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		free(cluster->jobs[i].label);
		free(cluster->jobs[i].user);
		free(cluster->jobs[i].state_name);
		free(cluster->jobs[i].comment);
		free(cluster->jobs[i].part);
		free(cluster->jobs[i].reason);
	}
	free(cluster->nodes);
	free(cluster->parts);
	free(cluster->jobs);
	free(cluster->name);
	free(cluster->slurm_release);
	libra_host_conf_list_fini(&cluster->groups);
	*cluster = (struct cli_cluster){0};
}

const struct cli_partition *cli_cluster_partition(
	const struct cli_cluster *cluster, const char *name)
{
	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (name ? strcmp(cluster->parts[i].name, name) == 0
			 : cluster->parts[i].is_default)
			return &cluster->parts[i];
	return NULL;
}

/* ---- jobs ---- */

static const struct cli_node *find_node(const struct cli_cluster *cluster,
					const char *name, size_t len)
{
	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (strncmp(cluster->nodes[i].name, name, len) == 0 &&
		    !cluster->nodes[i].name[len])
			return &cluster->nodes[i];
	return NULL;
}

bool cli_gives_way(const struct cli_cluster *cluster,
		   const struct libra_promise *p)
{
	return libra_host_conf_rule(&cluster->conf) == LIBRA_RULE_YIELD &&
	       p->deadline_s <= cluster->now_s;
}

static bool read_part(const struct cli_cluster *cluster,
		      const struct libra_promise *p,
		      const struct libra_promise_part *from,
		      struct cli_part *part)
{
	const struct cli_node *node =
		find_node(cluster, from->node, from->node_len);

	if (!node || !node->managed || from->first >= node->procs ||
	    from->count > node->procs - from->first)
		return false;
	*part = (struct cli_part){
		.node = (uint32_t)(node - cluster->nodes),
		.first = from->first,
		.count = from->count,
		.est_left_s = p->estimate_s,
		.begun = from->begun,
	};
	if (from->begun) {
		part->rate = from->rate;
		part->est_left_s =
			from->left_s -
			from->rate * fmax(0, cluster->now_s - from->since_s);
	}
	if (!cli_gives_way(cluster, p))
		part->share = libra_share(part->est_left_s,
					  p->estimate_s /
						  (p->deadline_s - p->submit_s),
					  p->deadline_s, cluster->now_s);
	return true;
}

int64_t cli_job_parts(const struct cli_cluster *cluster,
		      const struct cli_job *job, struct cli_part **parts)
{
	const struct libra_promise *p = &job->promise;
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	int64_t n = 0;
	bool sound = true;

	/* A part is at least "n:0". */
	*parts = calloc(p->on.len / 3 + 1, sizeof(**parts));
	if (!*parts)
		cli_no_memory();
	while (sound && libra_promise_part(p, &at, &part)) {
		sound = (size_t)n <= p->on.len / 3 &&
			read_part(cluster, p, &part, &(*parts)[n]);
		n++;
	}
	if (sound && at.on == p->on.len)
		return n;
	free(*parts);
	*parts = NULL;
	errno = EINVAL;
	return -1;
}

struct cli_progress cli_job_progress(const struct cli_cluster *cluster,
				     const struct cli_job *job,
				     const struct cli_part *parts, size_t n)
{
	const struct libra_promise *p = &job->promise;
	struct cli_progress all = {
		.share = n ? 0 : p->share,
		.est_left_s = n ? -INFINITY : p->estimate_s,
	};

	for (size_t i = 0; i < n; i++) {
		all.share = fmax(all.share, parts[i].share);
		all.rate = i ? fmin(all.rate, parts[i].rate) : parts[i].rate;
		all.est_left_s = fmax(all.est_left_s, parts[i].est_left_s);
	}
	all.done = 1 - all.est_left_s / p->estimate_s;
	all.slack_s = p->deadline_s - cluster->now_s - fmax(0, all.est_left_s);
	return all;
}

bool cli_cluster_in_turn(const struct cli_cluster *cluster)
{
	return libra_host_conf_in_turn(&cluster->conf);
}

double *cli_cluster_shares(const struct cli_cluster *cluster)
{
	double *shares = calloc(cluster->nprocs + 1u, sizeof(*shares));
	bool in_turn = cli_cluster_in_turn(cluster);

	if (!shares)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];
		struct cli_part *parts;
		int64_t n;

		if (!job->promised || job->state == CLI_JOB_OVER)
			continue;
		n = cli_job_parts(cluster, job, &parts);
		if (n < 0)
			continue;
		for (int64_t k = 0; k < n; k++)
			for (uint32_t c = 0; c < parts[k].count; c++)
				shares[cluster->nodes[parts[k].node].first +
				       parts[k].first + c] +=
					in_turn ? 1 : parts[k].share;
		free(parts);
	}
	return shares;
}
