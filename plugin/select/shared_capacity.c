/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared_capacity.c - see shared_capacity.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/shared_capacity.h"

#pragma weak job_list
#pragma weak node_record_count
#pragma weak node_record_table_ptr

/* Return a job's part of a node's memory: all of it without --mem and a
 * default.
 */
static uint64_t memory_of(const struct libra_host_job *seen,
			  const node_record_t *node)
{
	if (seen->mem.hold_per_cpu)
		return seen->mem.hold_per_cpu * (seen->size.ncpus < node->cpus
							 ? seen->size.ncpus
							 : node->cpus);
	return seen->mem.hold_per_node == LIBRA_WHOLE_MEMORY
		       ? LIBRA_NODE_MEMORY(node)
		       : seen->mem.hold_per_node;
}

void libra_shared_memory(const job_record_t *job,
			 const struct libra_host_job *seen, bitstr_t *nodes)
{
	uint32_t n = (uint32_t)node_record_count;
	uint64_t *spare;

	if (seen->mem.hold_per_cpu == 0 && seen->mem.hold_per_node == 0)
		return;
	spare = calloc(n + 1, sizeof(*spare));
	/* Without memory what is promised is unknown: the job waits. */
	if (!spare)
		bit_clear_all(nodes);
	else if (libra_host_spare_memory(libra_host_shared(), spare, n)) {
		for (uint32_t i = 0; i < n; i++) {
			const node_record_t *node = node_record_table_ptr[i];

			if (!node || !bit_test(nodes, i) ||
			    memory_of(seen, node) <= spare[i])
				continue;
			debug("libra: %pJ leaves %s alone: its memory is "
			      "promised",
			      job, node->name);
			bit_clear(nodes, i);
		}
	}
	free(spare);
}

/* The number of jobs on each core of all nodes, under Slurm's job write lock.
 * A job that starts is added.  After an end all jobs are counted again, at most
 * once a second, as that costs their number.
 */
static struct {
	uint16_t *jobs;
	bitoff_t ncores;
	bool stale;
	time_t at;
} counted;

/* Cores of a job are numbered over its own nodes. */
static void count_job(const job_record_t *job, uint16_t *jobs)
{
	const job_resources_t *res = job->job_resrcs;
	bitoff_t at = 0, first, size;

	if (!res || !res->core_bitmap || !res->node_bitmap ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return;
	size = bit_size(res->core_bitmap);
	for (int i = 0; i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		first = cr_get_coremap_offset((uint32_t)i);
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (at < size && bit_test(res->core_bitmap, at++))
				jobs[first + c]++;
	}
}

static bool count_jobs(void)
{
	bitoff_t n = cr_get_coremap_offset((uint32_t)node_record_count);
	LIBRA_LIST_ITERATOR it;
	const job_record_t *job;

	if (counted.jobs && counted.ncores == n &&
	    (!counted.stale || counted.at == time(NULL)))
		return true;
	if (!counted.jobs || counted.ncores != n) {
		libra_shared_fini();
		counted.jobs = calloc((size_t)n + 1, sizeof(*counted.jobs));
		counted.ncores = n;
	}
	if (!counted.jobs)
		return false;
	memset(counted.jobs, 0, (size_t)n * sizeof(*counted.jobs));
	counted.at = time(NULL);
	counted.stale = false;
	it = list_iterator_create(job_list);
	while ((job = list_next(it)))
		count_job(job, counted.jobs);
	list_iterator_destroy(it);
	return true;
}

void libra_shared_started(const job_record_t *job)
{
	if (counted.jobs &&
	    counted.ncores ==
		    cr_get_coremap_offset((uint32_t)node_record_count))
		count_job(job, counted.jobs);
}

void libra_shared_ended(void)
{
	counted.stale = true;
}

/* Return the number of jobs from which on a core is crowded; 0 = never. */
static uint32_t most_jobs(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	if (!part || !(part->max_share & SHARED_FORCE) ||
	    !libra_host_manages(libra_host_shared(), part->name))
		return 0;
	return (part->max_share & ~SHARED_FORCE) / 2;
}

static bitstr_t *with_so_many(const uint16_t *jobs, bitoff_t n, uint32_t most)
{
	bitstr_t *full = NULL;

	for (bitoff_t i = 0; i < n; i++) {
		if (jobs[i] < most)
			continue;
		if (!full)
			full = bit_alloc(n);
		bit_set(full, i);
	}
	return full;
}

/* If memory is out for the counts, the job waits. */
static bitstr_t *all_cores(bitoff_t n)
{
	bitstr_t *all = bit_alloc(n);

	bit_set_all(all);
	return all;
}

bitstr_t *libra_shared_full(const job_record_t *job)
{
	uint32_t most = most_jobs(job);

	if (most == 0)
		return NULL;
	if (count_jobs())
		return with_so_many(counted.jobs, counted.ncores, most);
	return all_cores(counted.ncores);
}

bitstr_t *libra_shared_full_after(const job_record_t *job, time_t at)
{
	bitoff_t n = cr_get_coremap_offset((uint32_t)node_record_count);
	uint32_t most = most_jobs(job);
	LIBRA_LIST_ITERATOR it;
	const job_record_t *other;
	bitstr_t *full;
	uint16_t *jobs;

	if (most == 0)
		return NULL;
	jobs = calloc((size_t)n + 1, sizeof(*jobs));
	if (!jobs)
		return all_cores(n);
	it = list_iterator_create(job_list);
	while ((other = list_next(it)))
		if (other->end_time > at)
			count_job(other, jobs);
	list_iterator_destroy(it);
	full = with_so_many(jobs, n, most);
	free(jobs);
	return full;
}

time_t libra_shared_first_end(const bitstr_t *nodes)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *job;
	time_t first = 0;

	while ((job = list_next(it)))
		if ((IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
		    job->node_bitmap && (!first || job->end_time < first) &&
		    bit_overlap_any((bitstr_t *)nodes, job->node_bitmap))
			first = job->end_time;
	list_iterator_destroy(it);
	return first;
}

void libra_shared_fini(void)
{
	free(counted.jobs);
	counted.jobs = NULL;
	counted.ncores = 0;
}
