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

#include "plugin/host/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/ordinary.h"

#pragma weak node_record_count
#pragma weak slurm_conf
#pragma weak slurm_job_preempt_mode
#pragma weak slurm_mcs_get_select
#pragma weak node_record_table_ptr

/* Neighbouring cores become one part. */
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

/* So many of each node at the least, if Slurm has not chosen yet. */
static uint64_t least_gres(const gres_job_state_t *gres, uint32_t nnodes)
{
	if (gres->gres_per_node)
		return gres->gres_per_node;
	if (gres->gres_per_job >= nnodes)
		return gres->gres_per_job / nnodes;
	if (gres->gres_per_job)
		return 1;
	return gres->gres_per_task ? gres->gres_per_task
				   : gres->gres_per_socket;
}

/* What Slurm has chosen of a node for a job that is about to start; nnodes: it
 * has not yet, and the job gets at least this of each of so many.
 */
static void write_gres(const job_record_t *job, int node, uint32_t nnodes,
		       char *text)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job->gres_list_req);
	const gres_state_t *state;
	int n = 0;

	while (n < GRES_TEXT && (state = list_next(it))) {
		const gres_job_state_t *gres = state->gres_data;
		uint64_t count = 0;

		if (nnodes)
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

/* Parts, and behind them texts for so many nodes, or none. */
static struct libra_host_part *new_parts(const job_record_t *job, size_t nparts,
					 size_t nnodes, char **texts)
{
	size_t size = (nparts + 1) * sizeof(struct libra_host_part);
	bool wants = IS_JOB_PENDING(job) && job->gres_list_req;
	char *parts = calloc(1, size + (wants ? nnodes * GRES_TEXT : 0));

	*texts = wants && parts ? parts + size : NULL;
	return (struct libra_host_part *)parts;
}

/* What it has on its k-th node, or, before it has anything, will have. */
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

void libra_parts_of(const job_record_t *job, struct libra_host_job *seen)
{
	const job_resources_t *res = job->job_resrcs;
	struct libra_host_part *parts;
	bitoff_t at = 0;
	uint32_t k = 0;
	char *text;
	size_t first;

	seen->parts = NULL;
	seen->nparts = 0;
	if (!res || !res->core_bitmap || !res->node_bitmap)
		return;
	parts = new_parts(job, (size_t)bit_set_count(res->core_bitmap),
			  (size_t)bit_set_count(res->node_bitmap), &text);
	if (!parts)
		return;
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		first = seen->nparts;
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (bit_test(res->core_bitmap, at++))
				add_core(seen, parts, (uint32_t)i, (uint32_t)c);
		if (text)
			write_gres(job, i, 0, text);
		for (size_t p = first; p < seen->nparts; p++)
			add_amounts(job, res, k, text, &parts[p]);
		text += text ? GRES_TEXT : 0;
		k++;
	}
	seen->parts = parts;
}

/* Before a start only the nodes are known: its cores are counted on the first
 * of them, as plans do not care where they are.
 */
static void guess_parts(const job_record_t *job, const bitstr_t *nodes,
			struct libra_host_job *seen)
{
	uint32_t left = job->details ? job->details->min_cpus : 1;
	uint32_t n = (uint32_t)bit_set_count((bitstr_t *)nodes), cores, per;
	char *text;
	struct libra_host_part *parts = new_parts(job, n, 1, &text);

	seen->parts = parts;
	seen->nparts = 0;
	if (text && n)
		write_gres(job, 0, n, text);
	for (int i = 0; parts && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !bit_test((bitstr_t *)nodes, i) ||
		    !node->tot_cores)
			continue;
		per = node->cpus > node->tot_cores
			      ? (uint32_t)(node->cpus / node->tot_cores)
			      : 1;
		cores = (left + per - 1) / per;
		if (cores > node->tot_cores)
			cores = node->tot_cores;
		if (cores < 1)
			cores = 1;
		left -= left > cores * per ? cores * per : left;
		parts[seen->nparts++] = (struct libra_host_part){
			.node = (uint32_t)i,
			.count = cores,
			.mem = seen->hold_per_node
				       ? seen->hold_per_node
				       : seen->hold_per_cpu * cores * per,
			.gres = text};
	}
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

/* Slurm leaves a node to one label, and to a job that shares with nobody (which
 * has asked for that, or got it of OverSubscribe=NO in an update).
 */
bool libra_is_alone(const job_record_t *job)
{
	return has_own_nodes(job) ||
	       (job->details && job->details->share_res == 0);
}

/* Those of a list that end for a job on these nodes: who is suspended keeps
 * his memory, and comes back.  Result: their ids, the caller's, or NULL.
 */
static uint32_t *gone_of(LIBRA_LIST preempted, const bitstr_t *nodes,
			 uint32_t *n)
{
	LIBRA_LIST_ITERATOR it;
	uint32_t *ids;
	job_record_t *job;
	uint16_t mode;

	*n = 0;
	if (!preempted || list_count(preempted) == 0)
		return NULL;
	ids = calloc((size_t)list_count(preempted), sizeof(*ids));
	it = list_iterator_create(preempted);
	while (ids && (job = list_next(it))) {
		mode = slurm_job_preempt_mode(job);
		if ((mode == PREEMPT_MODE_REQUEUE ||
		     mode == PREEMPT_MODE_CANCEL) &&
		    job->node_bitmap &&
		    bit_overlap_any((bitstr_t *)nodes, job->node_bitmap))
			ids[(*n)++] = job->job_id;
	}
	list_iterator_destroy(it);
	return ids;
}

bool libra_ordinary_may(const job_record_t *job, struct libra_host_job *seen,
			const bitstr_t *nodes, LIBRA_LIST preempted,
			time_t start, uint8_t *in_way)
{
	uint32_t n = (uint32_t)node_record_count, *gone;
	bool may;

	/* Where others have to go first Slurm has chosen no cores yet. */
	if (start == 0 && (!preempted || list_count(preempted) == 0))
		libra_parts_of(job, seen);
	else if (start == 0)
		guess_parts(job, nodes, seen);
	else if (start <= time(NULL) + 1)
		guess_parts(job, nodes, seen);
	else
		return true; /* later, as things are */
	/* Backfill asks of each job first as if it shared with nobody. */
	if (start != 0)
		seen->alone = has_own_nodes(job);
	gone = gone_of(preempted, nodes, &seen->ngone);
	seen->gone = gone;
	seen->preempts = start == 0;
	may = libra_host_may_run(libra_host_shared(), seen, in_way, n);
	free(gone);
	seen->gone = NULL;
	seen->ngone = 0;
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
	/* What a scheduler thought of before is told no more. */
	job->start_time = 0;
}
