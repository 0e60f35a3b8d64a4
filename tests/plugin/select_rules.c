/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_rules.c - what the select plugin says of limits and of ends when
 * memory runs out: every allocation of its own fails in turn.  What cannot be
 * counted is not promised, and no job's end stays pretended.
 *
 * Lists and bitmaps are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/access.h"
#include "plugin/select/limit_groups.h"
#include "plugin/select/limits.h"
#include "plugin/select/forecast.h"
#include "plugin/select/shared_capacity.h"
#include "plugin/select/rules.h"
#include "plugin/select/sockets.h"
#include "plugin/select/pending.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

enum { JOBS = 3, BILLED = 1000, NODES = 2000 };

__typeof__(node_record_count) node_record_count;
__typeof__(node_record_table_ptr) node_record_table_ptr;
__typeof__(job_list) job_list;
__typeof__(part_list) part_list;
__typeof__(default_part_name) default_part_name = "main";
__typeof__(accounting_enforce) accounting_enforce =
	ACCOUNTING_ENFORCE_ASSOCS | ACCOUNTING_ENFORCE_LIMITS;
__typeof__(acct_db_conn) acct_db_conn;
__typeof__(slurmctld_tres_cnt) slurmctld_tres_cnt = 5;

static struct {
	uint64_t bill;	   /* that limits were asked for */
	time_t ends[JOBS]; /* as Slurm's test saw them */
	struct libra_access access;
	uint64_t whole_memory;
} w;

static double weights[5] = {1, 1, 1, 1, 1};
static part_record_t part = {.name = "main", .billing_weights = weights};
static slurmdb_assoc_rec_t account;
static job_record_t jobs[JOBS];
static time_t end; /* of all of them, as Slurm says */

/* ---- host and slurmctld ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	return true;
}

/* Not what Slurm says. */
double libra_host_ends_s(struct libra_host *host, uint32_t job_id)
{
	return (double)(end - 500);
}

extern int assoc_mgr_fill_in_assoc(void *conn, slurmdb_assoc_rec_t *assoc,
				   int enforce, slurmdb_assoc_rec_t **found,
				   bool locked)
{
	*found = &account;
	return SLURM_SUCCESS;
}

extern int assoc_mgr_fill_in_qos(void *conn, slurmdb_qos_rec_t *qos,
				 int enforce, slurmdb_qos_rec_t **found,
				 bool locked)
{
	return SLURM_ERROR;
}

extern void assoc_mgr_get_default_qos_info(slurmdb_assoc_rec_t *assoc,
					   slurmdb_qos_rec_t *qos)
{
	qos->name = (char *)"normal";
}

/* Every job is denied. */
void libra_access_test(const struct libra_access *access,
		       struct libra_host_denial *denial)
{
	w.access = *access;
	*denial = (struct libra_host_denial){.rule = "Rule"};
}

uint64_t libra_whole_memory(const void *partition)
{
	return w.whole_memory;
}

extern double assoc_mgr_tres_weighted(uint64_t *tres, double *by,
				      uint16_t flags, bool locked)
{
	return BILLED;
}

void libra_counted(int at[LIBRA_COUNTED])
{
	for (int i = 0; i < LIBRA_COUNTED; i++)
		at[i] = i < LIBRA_GPUS ? i : -1;
}

void libra_limits_lock(void)
{
}

void libra_limits_unlock(void)
{
}

void libra_limits_order(struct libra_wish *wish, const slurmdb_qos_rec_t *job,
			const slurmdb_qos_rec_t *partition)
{
}

void libra_limits(const struct libra_wish *wish, bool with_promised,
		  struct libra_limits *limits)
{
	w.bill = wish->want[LIBRA_BILLING];
	*limits = (struct libra_limits){
		.run_s = INFINITY, .room = INFINITY, .value = "cpu=8"};
}

bool libra_has_sockets(const node_record_t *node, uint32_t sockets,
		       const struct libra_host_kind *kind)
{
	return true;
}

bool libra_waits_for_place(const job_record_t *job)
{
	return IS_JOB_PENDING(job);
}

bitstr_t *libra_shared_full_after(const job_record_t *job, time_t at)
{
	return NULL;
}

extern job_record_t *find_job_record(uint32_t id)
{
	return NULL;
}

static uint64_t named; /* lists of nodes that Slurm was asked about */

/* All are there. */
extern int node_name2bitmap LIBRA_NODE_BITMAP_PARAMS
{
	named++;
	*nodes = bit_alloc(node_record_count);
	bit_nset(*nodes, 0, node_record_count - 1);
	return SLURM_SUCCESS;
}

/* ---- cases ---- */

static void test_billing(void)
{
	const struct libra_host_request r = {
		.size.ncpus = 4, .size.max_nodes = 1, .account = "a"};
	struct libra_host_rules rules;

	libra_rules(&r, &rules);
	ok(!rules.uncounted && w.bill == BILLED && memory.blocks == 0,
	   "billing is counted by weights");
	fail_at(0);
	libra_rules(&r, &rules);
	fail_no_more();
	ok(rules.uncounted && strstr(rules.uncounted, "out of memory") &&
		   memory.calls == 1,
	   "without memory for that nothing is promised");
	part.billing_weights = NULL;
	fail_at(0);
	libra_rules(&r, &rules);
	fail_no_more();
	ok(!rules.uncounted && w.bill == 4 && memory.calls == 0,
	   "without weights it is CPUs");
}

/* The partition's rules are read for who submits, from where, and for how many
 * nodes.
 */
static void test_access(void)
{
	const struct libra_host_request r = {
		.user = 7,
		.alloc_node = "login",
		.size.min_nodes = 1,
		.size.max_nodes = 1,
		.size.ncpus = 4,
		.blocked = true,
	};
	struct libra_host_rules rules;

	part.max_nodes = 5;
	libra_rules(&r, &rules);
	ok(rules.denial.rule && w.access.part == &part &&
		   w.access.assoc == &account && w.access.user == 7 &&
		   w.access.min_nodes == 1 && w.access.max_nodes == 1 &&
		   w.access.ncpus == 4 && w.access.later && !w.access.waits &&
		   !w.access.reserved &&
		   strcmp(w.access.alloc_node, "login") == 0,
	   "a partition's rules are asked about a submission");
	ok(rules.max_nodes == 5, "a promise keeps to the partition's MaxNodes");
	ok(strcmp(rules.limits.value, "cpu=8") == 0,
	   "the value of a limit is passed on");
	part.max_nodes = INFINITE;
	libra_rules(&r, &rules);
	ok(rules.max_nodes == 0, "without one to any number");
}

/* The partition's nodes are asked for what Slurm tests after the verdict. */
static void test_nodes(void)
{
	struct libra_host_request r = {.size.max_nodes = 1,
				       .size.ncpus = 1,
				       .size.threads_per_core = 2,
				       .layout.tmp_disk = 30,
				       .mem.per_node = 400,
				       .nodes.list = "n[0-1]"};
	struct libra_host_rules rules;

	node_record_count = 2;
	part.node_bitmap = bit_alloc(2);
	bit_set(part.node_bitmap, 0);
	libra_rules(&r, &rules);
	ok(w.access.node_threads == 2 && w.access.node_disk == 30 &&
		   w.access.node_memory == 400 && !w.access.one_has_memory &&
		   w.access.foreign,
	   "threads, disk and memory of a node, and a node of others");
	bit_set(part.node_bitmap, 1);
	slurm_conf.select_type_param = LIBRA_CR_MEMORY;
	part.max_mem_per_cpu = 300 | MEM_PER_CPU;
	r.mem.per_node = 0;
	r.mem.per_cpu = 350;
	libra_rules(&r, &rules);
	ok(w.access.node_memory == 300 && w.access.one_has_memory &&
		   !w.access.foreign,
	   "memory of a CPU up to MaxMemPerCPU, of one node if it is divided");
	r.nodes.list = "n[0-99999]";
	libra_rules(&r, &rules);
	ok(w.access.foreign, "more nodes than there are, are others'");
	slurm_conf.select_type_param = 0;
	part.max_mem_per_cpu = 0;
	FREE_NULL_BITMAP(part.node_bitmap);
	node_record_count = 0;
	named = 0;
}

static bool adds_cpus(const struct libra_host_request *r)
{
	struct libra_host_rules rules;

	libra_rules(r, &rules);
	return w.access.adds_cpus == 1000;
}

/* Slurm adds CPUs for much memory, but after the verdict. */
static void test_more_cpus(void)
{
	struct libra_host_request r = {.size.max_nodes = 1, .size.ncpus = 2};

	part.max_mem_per_cpu = 1000 | MEM_PER_CPU;
	part.def_mem_per_cpu = 1000 | MEM_PER_CPU;
	ok(!adds_cpus(&r), "default memory up to MaxMemPerCPU adds no CPUs");
	part.def_mem_per_cpu = 1001 | MEM_PER_CPU;
	ok(adds_cpus(&r), "more does");
	r.mem.per_cpu = 900;
	ok(!adds_cpus(&r), "but not if the job gives its own");
	r.mem.per_cpu = 1500;
	ok(!adds_cpus(&r), "whose CPUs are counted");
	r.mem.per_cpu = 0;
	part.def_mem_per_cpu = 2000;
	ok(adds_cpus(&r), "so does more per node");
	r.size.cpus_per_task = 2;
	ok(!adds_cpus(&r), "for which a task has too few CPUs");
	r.mem.per_node = 2001;
	ok(adds_cpus(&r), "or for which the job asks");
	r.mem.per_node = 0;
	part.def_mem_per_cpu = 0;
	r.size.cpus_per_task = 0;
	w.whole_memory = 1001;
	part.max_share = 1;
	ok(adds_cpus(&r), "and without a default all of a node");
	r.nodes.exclusive = true;
	ok(!adds_cpus(&r), "but not if the job has all CPUs of it");
	w.whole_memory = 0;
	part.max_mem_per_cpu = part.max_share = 0;
}

/* The memory and CPUs of a node by which Slurm tests MaxMemPerNode. */
static void test_node_memory(void)
{
	static const struct {
		struct libra_host_request r;
		uint64_t def, memory;
		uint32_t cpus;
		const char *what;
	} rows[] = {
		{.cpus = 1, .what = "all memory, as none is given"},
		{.def = 500, .memory = 500, .cpus = 1, .what = "the default"},
		{.def = 500, .r.mem.whole = true, .cpus = 1, .what = "--mem=0"},
		{.r.mem.per_node = 500,
		 .memory = 500,
		 .cpus = 1,
		 .what = "--mem"},
		{.r.mem.per_cpu = 250,
		 .r.size.cpus_per_task = 2,
		 .memory = 250 | MEM_PER_CPU,
		 .cpus = 2,
		 .what = "--mem-per-cpu of a task"},
		{.r.mem.per_cpu = 250,
		 .r.size.cpus_per_task = 2,
		 .r.size.tasks_per_node = 3,
		 .memory = 250 | MEM_PER_CPU,
		 .cpus = 6,
		 .what = "of the tasks on a node"},
		{.def = 250 | MEM_PER_CPU,
		 .r.size.ntasks = 5,
		 .r.size.max_nodes = 2,
		 .memory = 250 | MEM_PER_CPU,
		 .cpus = 3,
		 .what = "the default of 5 tasks on 2 nodes"},
		{.r.mem.per_cpu = 250,
		 .r.nodes.exclusive = true,
		 .memory = 250 | MEM_PER_CPU,
		 .cpus = 0,
		 .what = "of a whole node"},
		{.def = 500,
		 .r.gres.mem_per = "gpu:1",
		 .memory = 500,
		 .cpus = 1,
		 .what = "the default beside --mem-per-gpu"},
	};
	struct libra_host_rules rules;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		part.def_mem_per_cpu = rows[i].def;
		part.max_share = 1;
		libra_rules(&rows[i].r, &rules);
		ok(w.access.memory == rows[i].memory &&
			   w.access.node_cpus == rows[i].cpus,
		   rows[i].what);
	}
	part.def_mem_per_cpu = part.max_share = 0;
}

static int look(void *arg, bitstr_t *cores, time_t *start)
{
	for (int i = 0; i < JOBS; i++)
		w.ends[i] = jobs[i].end_time;
	*start = time(NULL) + 1;
	return SLURM_SUCCESS;
}

static void test_ends(void)
{
	const struct libra_forecast_test test = {.test = look};
	time_t start;
	bool kept = true, pretended = true;

	ok(libra_forecast(&jobs[0], &test, true, &start) == SLURM_SUCCESS &&
		   memory.blocks == 0,
	   "a start is found beside pretended ends");
	for (int i = 0; i < JOBS; i++) {
		kept = kept && jobs[i].end_time == end;
		pretended = pretended && w.ends[i] != end;
		w.ends[i] = 0;
	}
	ok(kept && pretended, "and each job has its own end again");
	fail_at(FAIL_ALL);
	ok(libra_forecast(&jobs[0], &test, true, &start) == ENOMEM &&
		   libra_forecast_empty(&test) == ENOMEM && w.ends[0] == 0,
	   "without memory for them Slurm is not asked: no start is known");
	fail_no_more();
}

/* The list has the jobs of highest priority, wherever Slurm's list has them. */
static void test_ahead(void)
{
	enum { WAIT = 40, CAP = 32 };
	static job_record_t waiting[WAIT];
	static __typeof__(*waiting[0].details) details;
	const job_record_t *ahead[CAP + 1] = {NULL};
	__typeof__(job_list) all = job_list;
	bool right = true;
	size_t n;

	job_list = list_create(NULL);
	for (uint32_t i = 0; i < WAIT; i++) {
		waiting[i].job_id = 100 + i;
		waiting[i].priority = i / 2;
		waiting[i].job_state = JOB_PENDING;
		waiting[i].details = &details;
		list_append(job_list, &waiting[i]);
	}
	n = libra_forecast_ahead(&jobs[0], ahead, CAP);
	for (uint32_t i = 0; i < n && i < CAP; i++)
		right = right && ahead[i]->priority == (WAIT - 1 - i) / 2 &&
			ahead[i]->job_id == 138 - 2 * (i / 2) + i % 2;
	ok(n == CAP && right && !ahead[CAP],
	   "the jobs ahead are those of highest priority, in order");
	list_destroy(job_list);
	job_list = all;
}

/* Milliseconds of a question about all nodes. */
static double usable_ms(const struct libra_host_request *r, uint8_t *nodes,
			bool *known)
{
	clock_t from = clock();

	*known = !libra_usable(r, nodes, NODES);
	return 1000.0 * (double)(clock() - from) / CLOCKS_PER_SEC;
}

/* As long as Slurm takes it, and the word that is looked for is the last. */
static void test_constraint(uint8_t *nodes)
{
	static char features[800], constraint[1024];
	struct libra_host_request r = {.nodes.constraint = constraint};
	double least = INFINITY;
	bool known = true, all = true;

	for (int i = 0; i < 99; i++)
		snprintf(features + 7 * i, 9, "f%05d,", i);
	strcat(features, "z");
	for (size_t i = 0; i < sizeof(constraint) - 1; i++)
		constraint[i] = i % 2 ? '&' : 'z';
	for (int i = 0; i < NODES; i++)
		node_record_table_ptr[i]->features = features;
	for (int i = 0; i < 3; i++)
		least = fmin(least, usable_ms(&r, nodes, &known));
	for (int i = 0; i < NODES; i++)
		all = all && nodes[i];
	printf("# %.2f ms\n", least);
	ok(known && all && least < 10,
	   "a long constraint is compared with each list of features once");
	node_record_table_ptr[1]->features = "f00000,f00001";
	libra_usable(&r, nodes, NODES);
	ok(nodes[0] && !nodes[1] && nodes[2], "and with each that differs");
}

static void test_lists(void)
{
	static const char *const lists[] = {
		"n[0-999999999]", "n[0-99]x[0-99]x[0-99]",
		"a,n[0-9999999999999999999999],b", "n[0-99999,0-99999]"};
	static struct node_record records[NODES], *table[NODES];
	static uint8_t nodes[NODES];
	static char text[100000];
	struct libra_host_request r = {0};
	const char *list, *exclude;

	node_record_count = NODES;
	node_record_table_ptr = table;
	for (int i = 0; i < NODES; i++)
		table[i] = &records[i];
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		r.nodes.list = lists[i];
		list = libra_usable(&r, nodes, NODES);
		r = (struct libra_host_request){.nodes.exclude = lists[i]};
		exclude = libra_usable(&r, nodes, NODES);
		ok(list && exclude && strcmp(list, "--nodelist") == 0 &&
			   strcmp(exclude, "--exclude") == 0 && named == 0,
		   lists[i]);
	}
	memset(text, 'n', sizeof(text) - 1);
	r.nodes.exclude = text;
	ok(libra_usable(&r, nodes, NODES) && named == 0,
	   "Slurm is not asked for so many nodes, nor about so long a text");
	r = (struct libra_host_request){.nodes.list = "n[0-1999],n[0-9]"};
	ok(!libra_usable(&r, nodes, NODES) && named == 1 && nodes[7],
	   "but for all that there are, and some twice");
	r.nodes.list = NULL;
	test_constraint(nodes);
}

int main(void)
{
	static bitstr_t *on;

	end = time(NULL) + 1000;
	on = bit_alloc(1);
	part_list = list_create(NULL);
	list_append(part_list, &part);
	job_list = list_create(NULL);
	for (int i = 0; i < JOBS; i++) {
		jobs[i].job_id = 1 + (uint32_t)i;
		jobs[i].job_state = JOB_RUNNING;
		jobs[i].node_bitmap = on;
		jobs[i].end_time = end;
		list_append(job_list, &jobs[i]);
	}
	test_billing();
	test_access();
	test_nodes();
	test_more_cpus();
	test_node_memory();
	test_ends();
	test_lists();
	test_ahead();
	return finish();
}
