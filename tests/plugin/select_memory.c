/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_memory.c - what becomes of jobs without a promise when memory runs out
 * in the select plugin: every allocation of its own fails in turn.  Whose place
 * is not known waits, as it may be in the way of a promise.
 *
 * Lists and bitmaps are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/shared_capacity.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

/* More than there is room for at first. */
enum { NODES = 4, CORES = 2, OTHERS = 20 };

__typeof__(node_record_count) node_record_count = NODES;
__typeof__(node_record_table_ptr) node_record_table_ptr;
__typeof__(job_list) job_list;

static struct {
	int asked;	/* the host */
	size_t nparts;	/* that it was shown */
	uint32_t ngone; /* likewise */
} w;

static node_record_t nodes[NODES];
static node_record_t *table[NODES];
static part_record_t part = {.name = "main", .max_share = SHARED_FORCE | 4};
static __typeof__(*((job_record_t *)0)->details) details = {.min_cpus = 4,
							    .num_tasks = 4};
static job_resources_t has;
static job_record_t job = {.job_id = 7,
			   .part_ptr = &part,
			   .details = &details,
			   .job_resrcs = &has};
static job_record_t others[OTHERS];

/* ---- host and slurmctld ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

bool libra_host_may_run(struct libra_host *host,
			const struct libra_host_job *seen, uint8_t *in_way,
			uint32_t nnodes)
{
	w.asked++;
	w.nparts = seen->nparts;
	w.ngone = seen->victims.n;
	return true;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	return true;
}

/* On the second node all is promised. */
bool libra_host_spare_memory(struct libra_host *host, uint64_t *spare,
			     uint32_t nnodes)
{
	for (uint32_t i = 0; i < nnodes; i++)
		spare[i] = i == 1 ? 0 : 1000;
	return true;
}

extern uint16_t slurm_job_preempt_mode(job_record_t *of)
{
	return PREEMPT_MODE_REQUEUE;
}

extern uint32_t cr_get_coremap_offset(uint32_t node)
{
	return node * CORES;
}

/* ---- cases ---- */

static bitstr_t *bitmap(bitoff_t n, bool all)
{
	bitstr_t *b = bit_alloc(n);

	if (all)
		bit_set_all(b);
	return b;
}

static void setup(void)
{
	node_record_table_ptr = table;
	for (int i = 0; i < NODES; i++) {
		nodes[i].name = "n";
		nodes[i].tot_cores = nodes[i].cpus = CORES;
		nodes[i].real_memory = 1000;
		table[i] = &nodes[i];
	}
	has.node_bitmap = bitmap(NODES, true);
	has.core_bitmap = bitmap((bitoff_t)NODES * CORES, true);
	job.job_state = JOB_RUNNING;
	job_list = list_create(NULL);
	for (int i = 0; i < OTHERS; i++)
		others[i].job_id = 100 + (uint32_t)i;
}

/* Ask the host with the k-th allocation failed, for each of them. */
static void try_may(const char *name, LIBRA_LIST stopped, time_t start,
		    size_t nparts, uint32_t ngone, int least)
{
	bitstr_t *all = bitmap(NODES, true);
	struct libra_host_job seen;
	uint8_t in_way[NODES] = {0};
	bool waits = true, may = false, failed = true;
	int n = 0;

	for (int k = 0; failed; k++) {
		seen = (struct libra_host_job){.job_id = 7};
		w.asked = 0;
		fail_at(k);
		may = libra_ordinary_may(&job, &seen, all, stopped, start,
					 in_way);
		failed = memory.calls > k;
		if (failed)
			waits = waits && !may && w.asked == 0;
		n += failed;
		waits = waits && memory.blocks == 0 && !seen.parts &&
			!seen.victims.ids;
	}
	fail_no_more();
	printf("# %s: %d allocations\n", name, n);
	ok(waits && n >= least, name);
	ok(may && w.nparts == nparts && w.ngone == ngone,
	   "with memory the host is shown all of it");
	bit_free(all);
}

static void test_may(void)
{
	LIBRA_LIST stopped = list_create(NULL);

	try_may("who would start now", NULL, 0, (size_t)NODES, 0, 1);
	try_may("who would soon", NULL, time(NULL), (size_t)NODES, 0, 1);
	for (int i = 0; i < OTHERS; i++)
		list_append(stopped, &others[i]);
	try_may("who would stop others", stopped, 0, (size_t)NODES, OTHERS, 3);
	FREE_NULL_LIST(stopped);
}

static void test_memory_of_nodes(void)
{
	struct libra_host_job seen = {.size.ncpus = 1, .mem.hold_per_node = 10};
	bitstr_t *on = bitmap(NODES, true);

	libra_shared_memory(&job, &seen, on);
	ok(bit_set_count(on) == NODES - 1 && !bit_test(on, 1),
	   "a node whose memory is promised is left alone");
	seen.mem.hold_per_node = LIBRA_WHOLE_MEMORY;
	bit_set_all(on);
	libra_shared_memory(&job, &seen, on);
	ok(bit_set_count(on) == NODES - 1 && !bit_test(on, 1),
	   "a job without --mem may have a node of which none is promised");
	bit_set_all(on);
	fail_at(0);
	libra_shared_memory(&job, &seen, on);
	fail_no_more();
	ok(bit_set_count(on) == 0 && memory.blocks == 0,
	   "all are where nobody can say which");
	bit_free(on);
}

/* Two of four jobs that may share a core are ordinary ones. */
static void test_cores(void)
{
	bitstr_t *full;

	fail_at(0);
	full = libra_shared_full(&job);
	fail_no_more();
	ok(full && bit_set_count(full) == NODES * CORES,
	   "without a count all cores have as many jobs as may");
	FREE_NULL_BITMAP(full);
	list_append(job_list, &job);
	full = libra_shared_full(&job);
	ok(!full, "one job is not too many");
	list_append(job_list, &job);
	libra_shared_fini();
	full = libra_shared_full(&job);
	ok(full && bit_set_count(full) == NODES * CORES, "two are");
	FREE_NULL_BITMAP(full);
	fail_at(0);
	full = libra_shared_full_after(&job, 0);
	fail_no_more();
	ok(full && bit_set_count(full) == NODES * CORES,
	   "nor can one say of later");
	FREE_NULL_BITMAP(full);
	libra_shared_fini();
	ok(memory.blocks == 0, "all memory is given back");
}

/* The job of test_cores() runs twice on all nodes. */
static void test_first_end(void)
{
	bitstr_t *on = bitmap(NODES, false);

	job.node_bitmap = has.node_bitmap;
	job.end_time = 7000;
	ok(libra_shared_first_end(on) == 0, "on no node no job ends");
	bit_set(on, 1);
	ok(libra_shared_first_end(on) == 7000,
	   "on one of its nodes a job does");
	job.job_state = JOB_COMPLETE;
	ok(libra_shared_first_end(on) == 0, "which runs");
	job.job_state = JOB_RUNNING;
	job.node_bitmap = NULL;
	bit_free(on);
}

int main(void)
{
	setup();
	test_may();
	test_memory_of_nodes();
	test_cores();
	test_first_end();
	return finish();
}
