/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nodes.c - groups of nodes, and what jobs ask of them, by hand. */
#include <errno.h>

#include "sim/workload/nodes.h"
#include "tests/unit/test.h"

static void text_is(const struct sim_nodes *nodes,
		    const struct libra_range *ranges, size_t n,
		    const char *want)
{
	char *text = sim_nodes_text(nodes, ranges, n);

	assert_string_equal(text, want);
	free(text);
}

/* Jobs of so many processors, with memory in KB for each, nodes and GPUs. */
struct request {
	int32_t procs;
	double mem_kb;
	uint32_t nodes, gpus;
};

enum { MOST = 8 };

struct world {
	struct sim_nodes nodes;
	struct sim_workload w;
	struct sim_job jobs[MOST];
	struct swf_record records[MOST];
	struct swf_trace trace;
	struct libra_error err;
};

static int apply(struct world *world, const char *spec,
		 const struct request *requests, size_t n)
{
	memset(world, 0, sizeof(*world));
	assert_int_equal(sim_nodes_parse(&world->nodes, spec, &world->err), 0);
	world->trace.records = world->records;
	world->trace.nrecords = n;
	world->w = (struct sim_workload){
		.jobs = world->jobs, .njobs = n, .records = n, .procs = 16};
	for (size_t i = 0; i < n; i++) {
		world->jobs[i].place = i;
		world->jobs[i].job.id = i + 1;
		world->jobs[i].job.nprocs = (uint32_t)requests[i].procs;
		world->records[i].req_mem_kb = requests[i].mem_kb;
		world->records[i].side_nodes = requests[i].nodes;
		world->records[i].side_gpus = requests[i].gpus;
	}
	return sim_nodes_apply(&world->nodes, &world->w, &world->trace,
			       &world->err);
}

static void groups_become_nodes(void **state)
{
	const struct request one = {.procs = 1, .mem_kb = -1};
	struct world w;

	assert_int_equal(apply(&w, "2x4:mem=3,1x8:gpu=2", &one, 1), 0);
	assert_int_equal(sim_nodes_procs(&w.nodes), 16);
	assert_int_equal(w.nodes.nnodes, 3);
	assert_int_equal(w.nodes.nresources, 2);
	assert_int_equal(w.nodes.node_procs[1], 4);
	assert_int_equal(w.nodes.node_procs[2], 8);
	assert_int_equal(w.nodes.resources[2], 3 * 1024); /* of node 1 */
	assert_int_equal(w.nodes.resources[3], 0);
	assert_int_equal(w.nodes.resources[4], 0);
	assert_int_equal(w.nodes.resources[5], 2);
	assert_ptr_equal(w.w.nodes, &w.nodes);
	assert_null(w.jobs[0].job.where);
	sim_nodes_fini(&w.nodes);
}

static void a_number_divides_the_machine(void **state)
{
	const struct request one = {.procs = 1, .mem_kb = -1};
	struct world w;

	assert_int_equal(apply(&w, "4", &one, 1), 0);
	assert_int_equal(w.nodes.nnodes, 4);
	assert_int_equal(w.nodes.node_procs[3], 4);
	sim_nodes_fini(&w.nodes);
	assert_int_equal(apply(&w, "5", &one, 1), -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(w.err.text, "16 processors");
	assert_one_line(&w.err);
	sim_nodes_fini(&w.nodes);
}

/* Nodes of 4 processors, 1 MB and 1 GPU, and one of 8, 4 MB and 2 GPUs. */
static void jobs_ask_for_what_the_log_says(void **state)
{
	const struct request requests[] = {
		{.procs = 6, .mem_kb = -1, .nodes = 2},
		{.procs = 4, .mem_kb = 100, .gpus = 2}, /* 2 tasks of 2 */
		{.procs = 16, .mem_kb = 512},		/* 2 + 2 + 8 fit */
		{.procs = 12, .mem_kb = 512},		/* just */
		{.procs = 6,
		 .mem_kb = -1,
		 .gpus = 4}, /* 2 tasks of 3, 2 each */
		{.procs = 2, .mem_kb = -1, .gpus = 4}, /* the same */
		{.procs = 9, .mem_kb = -1, .nodes = 1},
		{.procs = 2, .mem_kb = -1, .gpus = 2},
	};
	struct world w;

	assert_int_equal(
		apply(&w, "2x4:mem=1:gpu=1,1x8:mem=4:gpu=2", requests, 8), 0);
	assert_int_equal(w.w.njobs, 4);
	assert_int_equal(w.w.dropped_large, 4);
	assert_true(w.nodes.asked);
	assert_int_equal(w.jobs[0].job.where->max_nodes, 2);
	assert_int_equal(w.jobs[0].job.where->chunk, 1);
	assert_int_equal(w.jobs[1].job.where->chunk, 2);
	assert_int_equal(w.jobs[1].job.where->per_chunk[0], 200);
	assert_int_equal(w.jobs[1].job.where->per_chunk[1], 1);
	assert_int_equal(w.jobs[2].job.id, 4);
	assert_int_equal(w.jobs[2].job.where->per_chunk[0], 512);
	assert_int_equal(w.jobs[3].job.id, 8);
	assert_int_equal(w.jobs[3].job.where->per_chunk[1], 1);
	sim_nodes_fini(&w.nodes);
}

static void nothing_may_be_left(void **state)
{
	const struct request large = {.procs = 2, .mem_kb = 9999};
	struct world w;

	assert_int_equal(apply(&w, "4x4:mem=1", &large, 1), -1);
	assert_int_equal(errno, EINVAL);
	assert_contains(w.err.text, "none of those that ran fits");
	sim_nodes_fini(&w.nodes);
}

static void placements_are_told_node_by_node(void **state)
{
	const struct libra_range spread[] = {{1, 2}, {3, 1}, {4, 4}, {14, 1}};
	const struct libra_range alike[] = {{0, 12}, {12, 4}};
	const struct libra_range apart[] = {{0, 4}, {8, 4}};
	const struct request one = {.procs = 1, .mem_kb = -1};
	struct world w;

	assert_int_equal(apply(&w, "4", &one, 1), 0);
	text_is(&w.nodes, spread, 4, "0:3 1:4 3:1");
	text_is(&w.nodes, alike, 2, "0-3:4");
	text_is(&w.nodes, apart, 2, "0:4 2:4");
	text_is(&w.nodes, NULL, 0, "");
	sim_nodes_fini(&w.nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_become_nodes),
		cmocka_unit_test(a_number_divides_the_machine),
		cmocka_unit_test(jobs_ask_for_what_the_log_says),
		cmocka_unit_test(nothing_may_be_left),
		cmocka_unit_test(placements_are_told_node_by_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
