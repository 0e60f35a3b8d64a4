/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordinary.c - see ordinary.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/job_resources.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/host/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/ordinary.h"

#pragma weak node_record_count
#pragma weak slurm_conf
#pragma weak node_record_table_ptr

bitstr_t *libra_cores_of(const struct libra_host_placement *p)
{
	bitoff_t size = cr_get_coremap_offset((uint32_t)node_record_count);
	bitstr_t *cores = bit_alloc(size);
	bitoff_t at, end;

	for (size_t i = 0; i < p->nparts; i++) {
		at = cr_get_coremap_offset(p->parts[i].node);
		end = cr_get_coremap_offset(p->parts[i].node + 1);
		if (p->parts[i].count != LIBRA_ALL_CORES) {
			at += p->parts[i].first;
			end = at + p->parts[i].count;
		}
		if (end > at)
			bit_nset(cores, at, end - 1);
	}
	return cores;
}

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

/* As much of each node as it asks for, in whatever way. */
static const char *asked_gres(const job_record_t *job)
{
	const char *const lists[] = {job->tres_per_node, job->tres_per_job,
				     job->tres_per_task, job->tres_per_socket};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (lists[i] && strstr(lists[i], "gres"))
			return lists[i];
	return NULL;
}

/* What it has on its k-th node, or, before it has anything, asks for. */
static void add_amounts(const job_record_t *job, const job_resources_t *res,
			uint32_t k, struct libra_host_part *part)
{
	part->surely = !IS_JOB_PENDING(job);
	if (res->memory_allocated && k < res->nhosts &&
	    (slurm_conf.select_type_param & LIBRA_CR_MEMORY))
		part->mem = res->memory_allocated[k];
	if (!part->surely)
		part->gres = asked_gres(job);
	else if (k < job->gres_detail_cnt && job->gres_detail_str)
		part->gres = job->gres_detail_str[k];
}

void libra_parts_of(const job_record_t *job, struct libra_host_job *seen)
{
	const job_resources_t *res = job->job_resrcs;
	struct libra_host_part *parts;
	bitoff_t at = 0;
	uint32_t k = 0;
	size_t first;

	seen->parts = NULL;
	seen->nparts = 0;
	if (!res || !res->core_bitmap || !res->node_bitmap)
		return;
	parts = calloc((size_t)bit_set_count(res->core_bitmap) + 1,
		       sizeof(*parts));
	if (!parts)
		return;
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		first = seen->nparts;
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (bit_test(res->core_bitmap, at++))
				add_core(seen, parts, (uint32_t)i, (uint32_t)c);
		for (size_t p = first; p < seen->nparts; p++)
			add_amounts(job, res, k, &parts[p]);
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
	struct libra_host_part *parts = calloc(n + 1, sizeof(*parts));

	seen->parts = parts;
	seen->nparts = 0;
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
			.gres = asked_gres(job)};
	}
}

bool libra_ordinary_may(const job_record_t *job, struct libra_host_job *seen,
			const bitstr_t *nodes, time_t start)
{
	bool may;

	if (start == 0)
		libra_parts_of(job, seen);
	else if (start <= time(NULL) + 1)
		guess_parts(job, nodes, seen);
	else
		return true; /* later, as things are */
	may = libra_host_may_run(libra_host_shared(), seen);
	free((void *)seen->parts);
	seen->parts = NULL;
	seen->nparts = 0;
	return may;
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
