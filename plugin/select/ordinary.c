/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.c - see ordinary.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/base/units.h"
#include "plugin/select/ordinary.h"

#pragma weak node_record_count
#pragma weak slurm_conf
#pragma weak slurm_job_preempt_mode
#pragma weak slurm_mcs_get_select
#pragma weak node_record_table_ptr

/* Add a core; neighbouring cores become one part. */
static void add_core(struct libra_host_job *seen, struct libra_host_part *parts,
		     uint32_t node, uint32_t core)
{
	struct libra_host_part *last =
		seen->nparts ? &parts[seen->nparts - 1] : NULL;

	if (last && last->node == node && last->first + last->count == core)
		last->count++;
	else
		parts[seen->nparts++] = (struct libra_host_part){
			.node = node, .first = core, .count = 1};
}

/* A list of generic resources on a node, as Slurm writes it. */
enum { GRES_TEXT = 256 };

/* So many of each of n nodes, if Slurm has not chosen yet: at the least, or at
 * the most, with so many tasks there.
 */
static uint64_t least_gres(const gres_job_state_t *gres, uint32_t n)
{
	if (gres->gres_per_node)
		return gres->gres_per_node;
	if (gres->gres_per_job >= n)
		return gres->gres_per_job / n;
	if (gres->gres_per_job)
		return 1;
	return gres->gres_per_task ? gres->gres_per_task
				   : gres->gres_per_socket;
}

static uint64_t most_gres(const job_record_t *job, const gres_job_state_t *gres,
			  uint32_t n, uint32_t tasks)
{
	uint32_t sockets =
		job->details->mc_ptr
			? libra_host_count16(
				  job->details->mc_ptr->sockets_per_node)
			: 1;

	if (gres->gres_per_node)
		return gres->gres_per_node;
	if (gres->gres_per_job)
		return gres->gres_per_job >= n ? gres->gres_per_job - (n - 1)
					       : 1;
	return gres->gres_per_task
		       ? gres->gres_per_task * tasks
		       : gres->gres_per_socket * libra_host_larger(1, sockets);
}

/* What Slurm has chosen of a node for a job that is about to start; nnodes: it
 * has not yet, and the job gets at least this of each of so many, or at most,
 * if tasks are given.
 */
static void write_gres(const job_record_t *job, int node, uint32_t nnodes,
		       uint32_t tasks, char *text)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job->gres_list_req);
	const gres_state_t *state;
	int n = 0;

	while (n < GRES_TEXT && (state = list_next(it))) {
		const gres_job_state_t *gres = state->gres_data;
		uint64_t count = 0;

		if (nnodes && tasks)
			count = most_gres(job, gres, nnodes, tasks);
		else if (nnodes)
			count = least_gres(gres, nnodes);
		else if (gres->gres_cnt_node_select)
			count = gres->gres_cnt_node_select[node];
		if (count)
			n += snprintf(
				text + n, (size_t)(GRES_TEXT - n),
				"%s%s%s%s:%" PRIu64, n ? "," : "",
				state->gres_name, gres->type_name ? ":" : "",
				gres->type_name ? gres->type_name : "", count);
	}
	list_iterator_destroy(it);
}

/* Allocate parts, followed by texts for nnodes nodes (*texts NULL: none).
 * Result: NULL if memory is out.
 */
static struct libra_host_part *new_parts(const job_record_t *job, size_t nparts,
					 size_t nnodes, char **texts)
{
	size_t size = (nparts + 1) * sizeof(struct libra_host_part);
	bool wants = IS_JOB_PENDING(job) && job->gres_list_req;
	char *parts = calloc(1, size + (wants ? nnodes * GRES_TEXT : 0));

	*texts = wants && parts ? parts + size : NULL;
	return (struct libra_host_part *)parts;
}

/* Set the memory and generic resources that a job has, or will get, on its k-th
 * node.
 */
static void add_amounts(const job_record_t *job, const job_resources_t *res,
			uint32_t k, const char *text,
			struct libra_host_part *part)
{
	part->surely = !IS_JOB_PENDING(job);
	if (res->memory_allocated && k < res->nhosts &&
	    (slurm_conf.select_type_param & LIBRA_CR_MEMORY))
		part->mem = res->memory_allocated[k];
	if (!part->surely)
		part->gres = text;
	else if (k < job->gres_detail_cnt && job->gres_detail_str)
		part->gres = job->gres_detail_str[k];
}

bool libra_parts_of(const job_record_t *job, struct libra_host_job *seen)
{
	const job_resources_t *res = job->job_resrcs;
	struct libra_host_part *parts;
	bitoff_t at = 0;
	uint32_t k = 0;
	char *text;
	size_t first;

	seen->parts = NULL;
	seen->nparts = 0;
	seen->unreported = false;
	if (!res || !res->core_bitmap || !res->node_bitmap)
		return true;
	parts = new_parts(job, (size_t)bit_set_count(res->core_bitmap),
			  (size_t)bit_set_count(res->node_bitmap), &text);
	if (!parts) {
		seen->unreported = true;
		return false;
	}
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		first = seen->nparts;
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (bit_test(res->core_bitmap, at++))
				add_core(seen, parts, (uint32_t)i, (uint32_t)c);
		if (text)
			write_gres(job, i, 0, 0, text);
		for (size_t p = first; p < seen->nparts; p++)
			add_amounts(job, res, k, text, &parts[p]);
		text += text ? GRES_TEXT : 0;
		k++;
	}
	seen->parts = parts;
	return true;
}

static uint32_t cpus_of_core(const node_record_t *node)
{
	return node->cpus > node->tot_cores
		       ? (uint32_t)(node->cpus / node->tot_cores)
		       : 1;
}

/* Return the CPUs of a core that a job uses. */
static uint32_t used_of_core(const struct libra_host_job *seen,
			     const node_record_t *node)
{
	uint32_t per = cpus_of_core(node);

	return seen->size.threads_per_core && seen->size.threads_per_core < per
		       ? seen->size.threads_per_core
		       : per;
}

/* Return a part of a node with that number of cores. */
static struct libra_host_part part_of(const struct libra_host_job *seen,
				      uint32_t node, uint32_t cores,
				      const char *gres)
{
	const node_record_t *of = node_record_table_ptr[node];

	if (cores > of->tot_cores)
		cores = of->tot_cores;
	cores = libra_host_larger(1, cores);
	return (struct libra_host_part){
		.node = node,
		.count = cores,
		.mem = seen->mem.hold_per_node
			       ? seen->mem.hold_per_node
			       : seen->mem.hold_per_cpu * cores *
					 cpus_of_core(of),
		.gres = gres,
	};
}

static bool is_one(const bitstr_t *nodes, int i)
{
	return node_record_table_ptr[i] && bit_test((bitstr_t *)nodes, i) &&
	       node_record_table_ptr[i]->tot_cores;
}

/* Guess the parts of a job before its start, when only the nodes are known: its
 * cores are counted on the first nodes.
 * Result: false if memory is out.
 */
static bool guess_parts(const job_record_t *job, const bitstr_t *nodes,
			struct libra_host_job *seen)
{
	uint32_t left = job->details ? job->details->min_cpus : 1;
	uint32_t n = (uint32_t)bit_set_count((bitstr_t *)nodes), per, cpus;
	char *text;
	struct libra_host_part *parts = new_parts(job, n, 1, &text);

	seen->parts = parts;
	seen->nparts = 0;
	if (text && n)
		write_gres(job, 0, n, 0, text);
	for (int i = 0; parts && i < node_record_count; i++) {
		if (!is_one(nodes, i))
			continue;
		per = used_of_core(seen, node_record_table_ptr[i]);
		parts[seen->nparts] = part_of(seen, (uint32_t)i,
					      libra_host_ceil(left, per), text);
		cpus = parts[seen->nparts++].count * per;
		left -= left > cpus ? cpus : left;
	}
	return parts != NULL;
}

/* Return the most tasks that one of n nodes may get. */
static uint32_t most_tasks(const job_record_t *job, uint32_t n)
{
	uint32_t tasks = libra_host_larger(1, job->details->num_tasks);
	uint32_t most = tasks > n ? tasks - (n - 1) : 1;

	if (job->details->ntasks_per_node &&
	    job->details->ntasks_per_node < most)
		most = job->details->ntasks_per_node;
	return most;
}

/* Return the CPUs that the GPUs of a node require. */
static uint64_t gpu_cpus(const job_record_t *job, uint32_t n, uint32_t tasks)
{
	LIBRA_LIST_ITERATOR it;
	const gres_state_t *state;
	uint64_t most = 0, cpus;

	if (!job->gres_list_req)
		return 0;
	it = list_iterator_create(job->gres_list_req);
	while ((state = list_next(it))) {
		const gres_job_state_t *gres = state->gres_data;

		cpus = most_gres(job, gres, n, tasks) *
		       libra_host_larger(gres->cpus_per_gres,
					 gres->def_cpus_per_gres);
		most = cpus > most ? cpus : most;
	}
	list_iterator_destroy(it);
	return most < UINT16_MAX ? most : UINT16_MAX;
}

/* Return the most cores, of per CPUs each, that a job may get on one of n
 * nodes.
 */
static uint32_t most_cores(const struct libra_host_job *seen,
			   const job_record_t *job, uint32_t n, uint32_t per)
{
	uint32_t tasks = most_tasks(job, n);
	uint32_t each = libra_host_larger(1, seen->size.cpus_per_task);
	uint32_t all = libra_host_larger(1, job->details->num_tasks);
	uint32_t cpus = job->details->min_cpus;
	uint32_t cores = each > 1 || seen->size.task_per_core
				 ? tasks * libra_host_ceil(each, per)
				 : libra_host_ceil(tasks, per);

	/* CPUs beyond the needs of its tasks may be on any node. */
	if (cpus > libra_host_times(all, each))
		cores = libra_host_larger(
			cores,
			libra_host_ceil(cpus > n ? cpus - (n - 1) : 1, per));
	if (slurm_conf.select_type_param & LIBRA_CR_SOCKET)
		return UINT32_MAX; /* whole sockets: all of them, maybe */
	cores = libra_host_larger(
		cores,
		libra_host_ceil(libra_host_count16(job->details->pn_min_cpus),
				per));
	return libra_host_larger(
		cores, libra_host_ceil((uint32_t)gpu_cpus(job, n, tasks), per));
}

/* Set the most that a job may get on each node: Slurm preempts others before it
 * chooses the job's cores.
 * Result: false if memory is out.
 */
static bool most_parts(const job_record_t *job, const bitstr_t *nodes,
		       struct libra_host_job *seen)
{
	uint32_t n = (uint32_t)bit_set_count((bitstr_t *)nodes);
	char *text;
	struct libra_host_part *parts = new_parts(job, n, 1, &text);

	seen->parts = parts;
	seen->nparts = 0;
	if (text && n)
		write_gres(job, 0, n, most_tasks(job, n), text);
	for (int i = 0; parts && i < node_record_count; i++)
		if (is_one(nodes, i))
			parts[seen->nparts++] = part_of(
				seen, (uint32_t)i,
				most_cores(
					seen, job, n,
					used_of_core(seen,
						     node_record_table_ptr[i])),
				text);
	return parts != NULL;
}

bool libra_wants_alone(const job_record_t *job)
{
	return job->details &&
	       (job->details->whole_node & ~WHOLE_NODE_REQUIRED) != 0;
}

static bool has_own_nodes(const job_record_t *job)
{
	return (job->details && job->details->whole_node != 0) ||
	       (job->part_ptr &&
		(job->part_ptr->flags &
		 (PART_FLAG_EXCLUSIVE_USER | LIBRA_EXCLUSIVE_TOPO))) ||
	       (job->mcs_label &&
		slurm_mcs_get_select((job_record_t *)job) == 1);
}

/* Slurm gives a node to one label only, and to one job only if that shares with
 * none (it asked for that, or OverSubscribe=NO was set by an update).
 */
bool libra_is_alone(const job_record_t *job)
{
	return has_own_nodes(job) ||
	       (job->details && job->details->share_res == 0);
}

/* ---- victims ---- */

struct gone {
	uint32_t *ids, n, cap;
	bool cut;	/* memory was out for some */
	double grace_s; /* longest grace time of a victim */
};

static void add_gone(struct gone *gone, const job_record_t *job)
{
	uint32_t grace = job->part_ptr ? job->part_ptr->grace_time : 0, *more;

	if (job->qos_ptr)
		grace = libra_host_larger(grace, job->qos_ptr->grace_time);
	gone->grace_s = fmax(gone->grace_s, grace);
	if (gone->n == gone->cap) {
		more = realloc(gone->ids,
			       (2 * gone->cap + 16) * sizeof(*gone->ids));
		if (!more) {
			gone->cut = true;
			return;
		}
		gone->ids = more;
		gone->cap = 2 * gone->cap + 16;
	}
	gone->ids[gone->n++] = job->job_id;
}

/* Slurm preempts all components of a heterogeneous job with their leader. */
static void add_components(struct gone *gone, const job_record_t *leader)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(leader->het_job_list);
	const job_record_t *job;

	while ((job = list_next(it)))
		if (job != leader)
			add_gone(gone, job);
	list_iterator_destroy(it);
}

/* Find the jobs of a list that end for another job.  A suspended job keeps its
 * memory and resumes, so it does not count.
 */
static void find_gone(LIBRA_LIST preempted, struct gone *gone)
{
	LIBRA_LIST_ITERATOR it;
	job_record_t *job;
	uint16_t mode;

	*gone = (struct gone){0};
	if (!preempted || list_count(preempted) == 0)
		return;
	it = list_iterator_create(preempted);
	while ((job = list_next(it))) {
		mode = slurm_job_preempt_mode(job);
		if (mode != PREEMPT_MODE_REQUEUE && mode != PREEMPT_MODE_CANCEL)
			continue;
		add_gone(gone, job);
		if (job->het_job_list)
			add_components(gone, job);
	}
	list_iterator_destroy(it);
}

enum { CLEAR_S = 60, EPILOG_S = 300 };

double libra_cleared_s(void)
{
	bool epilog = slurm_conf.epilog || slurm_conf.epilog_slurmctld;

	return (double)slurm_conf.kill_wait + (epilog ? EPILOG_S : CLEAR_S);
}

bool libra_ordinary_may(const job_record_t *job, struct libra_host_job *seen,
			const bitstr_t *nodes, LIBRA_LIST preempted,
			time_t start, uint8_t *in_way)
{
	uint32_t n = (uint32_t)node_record_count;
	struct gone gone;
	bool may;

	if (start > time(NULL) + 1)
		return true; /* later than now */
	/* If others are preempted first, Slurm has chosen no cores yet. */
	if (preempted && list_count(preempted) > 0 && job->details)
		may = most_parts(job, nodes, seen);
	else if (start == 0)
		may = libra_parts_of(job, seen);
	else
		may = guess_parts(job, nodes, seen);
	/* Backfill first tests each job as if it shared with none. */
	if (start != 0)
		seen->alone = has_own_nodes(job);
	find_gone(preempted, &gone);
	seen->victims.ids = gone.ids;
	seen->victims.n = gone.n;
	seen->victims.take_s = gone.grace_s + libra_cleared_s();
	seen->victims.preempted = start == 0;
	/* An answer for a part of the cores or victims would be wrong. */
	may = may && !gone.cut &&
	      libra_host_may_run(libra_host_shared(), seen, in_way, n);
	free(gone.ids);
	seen->victims.ids = NULL;
	seen->victims.n = 0;
	free((void *)seen->parts);
	seen->parts = NULL;
	seen->nparts = 0;
	return may;
}

static bool is_promised(const job_record_t *job)
{
	const char *record = job->admin_comment;

	return record && strncmp(record, "libra:", 6) == 0 &&
	       !strstr(record, " promise=lost ");
}

LIBRA_LIST libra_ordinary_spare(LIBRA_LIST candidates)
{
	LIBRA_LIST_ITERATOR it;
	LIBRA_LIST spare;
	job_record_t *job;

	if (!candidates)
		return NULL;
	spare = list_create(NULL);
	it = list_iterator_create(candidates);
	while ((job = list_next(it)))
		if (!is_promised(job))
			list_append(spare, job);
	list_iterator_destroy(it);
	return spare;
}

bool libra_ordinary_around(bitstr_t *nodes, const uint8_t *in_way)
{
	bool any = false;

	for (int i = 0; i < node_record_count; i++) {
		if (!in_way[i] || !bit_test(nodes, i))
			continue;
		bit_clear(nodes, i);
		any = true;
	}
	return any && bit_set_count(nodes) > 0;
}

time_t libra_planned_begin(const job_record_t *job)
{
	const char *at = job->admin_comment
				 ? strstr(job->admin_comment, " start=")
				 : NULL;
	double first_s = INFINITY;
	char *end;

	if (!at || strncmp(job->admin_comment, "libra:", 6) != 0)
		return 0;
	for (at += strlen(" start="); *at; at = end + 1) {
		first_s = fmin(first_s, strtod(at, &end));
		if (end == at || *end != ';')
			break;
	}
	return first_s > 0 && first_s < 1e11 ? (time_t)first_s : 0;
}

void libra_set_begin(job_record_t *job, time_t was)
{
	time_t begin = libra_planned_begin(job);

	if (!IS_JOB_PENDING(job) || !job->details || (!begin && !was) ||
	    (job->details->begin_time > time(NULL) &&
	     job->details->begin_time != was))
		return;
	job->details->begin_time = begin;
	/* Drop the start that a scheduler has estimated before. */
	job->start_time = 0;
}
