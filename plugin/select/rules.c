/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.c - see rules.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/select/access.h"
#include "plugin/select/limit_groups.h"
#include "plugin/select/limits.h"
#include "plugin/select/rules.h"
#include "plugin/select/sockets.h"

#pragma weak accounting_enforce
#pragma weak acct_db_conn
#pragma weak default_part_name
#pragma weak job_list
#pragma weak license_validate
#pragma weak node_name2bitmap
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf
#pragma weak slurmctld_tres_cnt

static part_record_t *find_partition(const char *name)
{
	LIBRA_LIST_ITERATOR it;
	part_record_t *part;

	if (!name)
		name = default_part_name;
	if (!name || !part_list)
		return NULL;
	it = list_iterator_create(part_list);
	while ((part = list_next(it)))
		if (strcmp(part->name, name) == 0)
			break;
	list_iterator_destroy(it);
	return part;
}

/* ---- features ---- */

/* Return true if a word is in a list with commas. */
static bool is_in(const char *list, const char *word, size_t len)
{
	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == len && strncmp(list, word, len) == 0)
			return true;
	return false;
}

/* Accept words joined by & or by |.  The meaning of both in one list depends on
 * the release.
 */
static bool is_plain(const char *constraint)
{
	return !constraint[strcspn(constraint, ",*[](){}!")] &&
	       !(strchr(constraint, '|') && strchr(constraint, '&'));
}

static bool node_has(const char *list, const char *constraint)
{
	bool any = strchr(constraint, '|');

	for (; *constraint; constraint += *constraint != '\0') {
		size_t len = strcspn(constraint, "&|");

		if (is_in(list, constraint, len) == any)
			return any;
		constraint += len;
	}
	return !any;
}

/* The answer for the last list of features, as neighbouring nodes mostly have
 * the same list, and a comparison with a long constraint is costly.
 */
struct features {
	const char *list; /* NULL = none, or not yet */
	bool known, has;
};

static bool also_has(struct features *last, const node_record_t *node,
		     const char *constraint)
{
	const char *list =
		node->features_act ? node->features_act : node->features;

	if (!last->known || !list != !last->list ||
	    (list && strcmp(list, last->list) != 0))
		*last = (struct features){list, true,
					  node_has(list, constraint)};
	return last->has;
}

/* Return true if a constraint holds on every node. */
static bool all_have(const part_record_t *part, const char *constraint)
{
	struct features last = {0};

	if (!is_plain(constraint))
		return false;
	for (int i = 0; i < node_record_count; i++)
		if (part->node_bitmap && bit_test(part->node_bitmap, i) &&
		    node_record_table_ptr[i] &&
		    !also_has(&last, node_record_table_ptr[i], constraint))
			return false;
	return true;
}

/* A list may name each node of the cluster, and so many again.  Slurm composes
 * every name, and bounds neither the list nor the names.
 */
enum { NAMED_TWICE = 1024, LIST_LENGTH = 64 * 1024 };

/* Return the nodes of a list; NULL if it names unknown nodes, or too many. */
static bitstr_t *nodes_of(const char *list)
{
	uint64_t most = (uint64_t)node_record_count + NAMED_TWICE;
	bitstr_t *nodes = NULL;

	if (strnlen(list, LIST_LENGTH + 1) > LIST_LENGTH ||
	    libra_host_nodes_named(list, most) > most)
		return NULL;
	if (LIBRA_NODE_BITMAP((char *)list, &nodes) != SLURM_SUCCESS)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

const char *libra_usable(const struct libra_host_request *r, uint8_t *usable,
			 uint32_t n)
{
	bitstr_t *named = r->nodes.list ? nodes_of(r->nodes.list) : NULL;
	bitstr_t *left_out =
		r->nodes.exclude ? nodes_of(r->nodes.exclude) : NULL;
	const char *features = r->nodes.constraint;
	const char *unknown = NULL;
	struct features last = {0};

	if (r->nodes.list && !named)
		unknown = "--nodelist";
	else if (r->nodes.exclude && !left_out)
		unknown = "--exclude";
	else if (features && !is_plain(features))
		unknown = "--constraint";
	for (uint32_t i = 0; !unknown && i < n; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		usable[i] = node && (!named || bit_test(named, i)) &&
			    (!left_out || !bit_test(left_out, i)) &&
			    (!features || also_has(&last, node, features)) &&
			    (!r->gres.socket ||
			     libra_has_sockets(node, r->gres.sockets,
					       &r->gpu.near_each));
	}
	FREE_NULL_BITMAP(named);
	FREE_NULL_BITMAP(left_out);
	return unknown;
}

/* ---- accounts ---- */

/* Return the named QOS, or Slurm's default for the association. */
static slurmdb_qos_rec_t *find_qos(const struct libra_host_request *r,
				   slurmdb_assoc_rec_t *assoc)
{
	slurmdb_qos_rec_t wanted = {.name = (char *)r->qos}, *found = NULL;

	if (!r->qos)
		assoc_mgr_get_default_qos_info(assoc, &wanted);
	assoc_mgr_fill_in_qos(acct_db_conn, &wanted, accounting_enforce, &found,
			      true);
	return found;
}

/* Slurm's own rule for a QOS that is named. */
static bool may_use(const slurmdb_assoc_rec_t *assoc,
		    const slurmdb_qos_rec_t *qos)
{
	return qos && assoc->usage && assoc->usage->valid_qos &&
	       (bitoff_t)qos->id < bit_size(assoc->usage->valid_qos) &&
	       bit_test(assoc->usage->valid_qos, qos->id);
}

/* Return the CPUs that Slurm will count, given the memory of each. */
static uint64_t count_cpus(const struct libra_host_request *r,
			   const struct libra_host_rules *rules)
{
	uint64_t n = r->size.ncpus ? r->size.ncpus : 1,
		 most = rules->mem_per_cpu;

	return most && r->mem.per_cpu > most
		       ? n * ((r->mem.per_cpu + most - 1) / most)
		       : n;
}

static uint64_t count_memory(const struct libra_host_request *r,
			     const struct libra_host_rules *rules,
			     uint64_t nodes)
{
	uint64_t ncpus = r->size.ncpus ? r->size.ncpus : 1;

	if (r->mem.per_cpu)
		return r->mem.per_cpu * ncpus;
	if (r->mem.per_node)
		return r->mem.per_node * nodes;
	if (rules->def_per_cpu)
		return rules->def_per_cpu * ncpus;
	return rules->def_per_node * nodes;
}

/* Compute the billing as Slurm does; without weights, the CPUs.
 * Result: false if memory is out.
 */
static bool count_billing(const part_record_t *part, uint64_t *want)
{
	int at[LIBRA_COUNTED];
	uint64_t *tres;

	want[LIBRA_BILLING] = want[LIBRA_CPU];
	if (!part->billing_weights)
		return true;
	tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	if (!tres)
		return false;
	libra_counted(at);
	for (int i = 0; i < LIBRA_COUNTED; i++)
		if (i != LIBRA_BILLING && at[i] >= 0)
			tres[at[i]] = want[i];
	want[LIBRA_BILLING] = (uint64_t)assoc_mgr_tres_weighted(
		tres, part->billing_weights, slurm_conf.priority_flags, true);
	free(tres);
	return true;
}

static void read_limits(const struct libra_host_request *r,
			const part_record_t *part,
			const slurmdb_assoc_rec_t *assoc,
			const slurmdb_qos_rec_t *qos,
			struct libra_host_rules *rules)
{
	struct libra_wish w = {
		.user = r->user,
		.assoc = assoc,
		.jobs = 1,
		.job_id = r->job_id,
	};
	struct libra_limits l;
	bool limited;

	if (r->array)
		w.jobs = libra_host_array_tasks(r->array, LIBRA_ARRAY_TASKS,
						&limited);
	if (w.jobs == 0)
		w.jobs = 1;
	libra_limits_order(&w, qos, part->qos_ptr);
	w.want[LIBRA_NODES] = r->size.min_nodes ? r->size.min_nodes : 1;
	w.want[LIBRA_CPU] = count_cpus(r, rules);
	w.want[LIBRA_MEM] = count_memory(r, rules, w.want[LIBRA_NODES]);
	w.want[LIBRA_GPUS] = r->gpu.all;
	w.node_gpus = r->gpu.per_node;
	if (!count_billing(part, w.want) && !rules->uncounted)
		rules->uncounted = "billing while slurmctld is out of memory: "
				   "try again";
	libra_limits(&w, true, &l);
	/* A group may have used up all; 0 says that nothing is known. */
	rules->limits.limit_s = fmax(1, l.run_s);
	rules->limits.room = l.room;
	rules->limits.limit_name = l.name;
	memcpy(rules->limits.value, l.value, sizeof(rules->limits.value));
	rules->limits.never = l.never;
	rules->max_nodes = l.max_nodes;
}

static slurmdb_assoc_rec_t *find_assoc(const struct libra_host_request *r,
				       const part_record_t *part)
{
	slurmdb_assoc_rec_t wanted = {
		.acct = (char *)r->account,
		.partition = part->name,
		.uid = r->user,
	};
	slurmdb_assoc_rec_t *found = NULL;

	return assoc_mgr_fill_in_assoc(acct_db_conn, &wanted,
				       accounting_enforce, &found,
				       true) == SLURM_SUCCESS
		       ? found
		       : NULL;
}

/* Without slurmdbd assoc_mgr has nothing to look up. */
static bool has_accounts(void)
{
	const char *storage = slurm_conf.accounting_storage_type;

	return (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS) ||
	       (storage && strstr(storage, "slurmdbd"));
}

static void read_account(const struct libra_host_request *r,
			 const struct libra_access *access,
			 const part_record_t *part,
			 struct libra_host_rules *rules)
{
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS))
		return;
	rules->no_account = !access->assoc;
	if (access->assoc && r->qos &&
	    (accounting_enforce & ACCOUNTING_ENFORCE_QOS))
		rules->no_account = !may_use(access->assoc, access->qos);
	if (access->assoc && (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		read_limits(r, part, access->assoc, access->qos, rules);
}

/* Return the lower of two bounds, where 0 = no bound. */
static uint32_t fewer(uint32_t a, uint32_t b)
{
	if (a == 0 || b == 0)
		return libra_host_larger(a, b);
	return a < b ? a : b;
}

/* Return the memory in MB that Slurm compares with MaxMemPerNode and
 * MaxMemPerCPU, also where memory is not divided: with MEM_PER_CPU for each
 * CPU, else for each node; 0 = all of a node.  Slurm ignores memory per GPU
 * there, and compares the default.
 */
static uint64_t tested_memory(const struct libra_host_request *r,
			      const struct libra_host_rules *rules)
{
	if (r->mem.per_cpu)
		return r->mem.per_cpu | MEM_PER_CPU;
	if (r->mem.per_node || r->mem.whole)
		return r->mem.per_node;
	if (rules->def_per_cpu)
		return rules->def_per_cpu | MEM_PER_CPU;
	return rules->def_per_node;
}

/* Return the CPUs of a node by which Slurm multiplies memory per CPU; 0 = all.
 */
static uint32_t tested_cpus(const struct libra_host_request *r,
			    const part_record_t *part)
{
	uint32_t tasks = libra_host_larger(1, r->size.tasks_per_node);

	if (part->max_share == 0 || r->nodes.exclusive)
		return 0;
	if (r->size.ntasks && r->size.max_nodes)
		tasks = libra_host_larger(
			tasks, (r->size.ntasks - 1) / r->size.max_nodes + 1);
	return libra_host_times(tasks,
				libra_host_larger(1, r->size.cpus_per_task));
}

/* Return true if a job asks for more memory than MaxMemPerCPU permits for its
 * CPUs on a node, where Slurm adds CPUs when the job may start.  Memory per CPU
 * is counted by host_count_rules().
 */
static bool adds_cpus(const struct libra_host_request *r,
		      const part_record_t *part,
		      const struct libra_host_rules *rules)
{
	uint64_t memory = tested_memory(r, rules), most = rules->mem_per_cpu;

	if (!most || r->mem.per_cpu)
		return false;
	if (memory & MEM_PER_CPU)
		return (memory & ~MEM_PER_CPU) > most;
	most *= libra_host_times(libra_host_larger(1, r->size.tasks_per_node),
				 libra_host_larger(1, r->size.cpus_per_task));
	if (memory == 0 && tested_cpus(r, part) > 0)
		memory = libra_whole_memory(part);
	return memory > most;
}

/* Return true if --nodelist names nodes that are not in the partition. */
static bool names_others(const struct libra_host_request *r,
			 const part_record_t *part)
{
	bitstr_t *named;
	bool others;

	if (!r->nodes.list || !part->node_bitmap)
		return false;
	named = nodes_of(r->nodes.list);
	others = !named || !bit_super_set(named, part->node_bitmap);
	FREE_NULL_BITMAP(named);
	return others;
}

/* Set what Slurm tests on each node after the verdict, and no promise counts.
 */
static void read_nodes(const struct libra_host_request *r,
		       const part_record_t *part,
		       const struct libra_host_rules *rules,
		       struct libra_access *access)
{
	uint64_t most = rules->mem_per_cpu;

	access->node_memory = r->mem.per_node		      ? r->mem.per_node
			      : most && r->mem.per_cpu > most ? most
							      : r->mem.per_cpu;
	access->one_has_memory = rules->memory;
	access->node_disk = r->layout.tmp_disk;
	access->node_threads = r->size.threads_per_core;
	access->foreign = names_others(r, part);
	access->adds_cpus = adds_cpus(r, part, rules) ? most : 0;
}

static void read_access(const struct libra_host_request *r, part_record_t *part,
			struct libra_host_rules *rules)
{
	struct libra_access access = {
		.part = part,
		.user = r->user,
		.alloc_node = r->alloc_node,
		.min_nodes = r->size.min_nodes,
		.max_nodes = r->size.max_nodes,
		.ncpus = r->size.ncpus,
		.memory = tested_memory(r, rules),
		.node_cpus = tested_cpus(r, part),
		.reserved = r->reserved,
		.later = r->blocked,
	};

	read_nodes(r, part, rules, &access);
	libra_limits_lock();
	if (has_accounts()) {
		access.assoc = find_assoc(r, part);
		access.qos = find_qos(r, access.assoc);
	}
	read_account(r, &access, part, rules);
	libra_access_test(&access, &rules->denial);
	if (part->max_nodes != INFINITE &&
	    !(access.qos && (access.qos->flags & QOS_FLAG_PART_MAX_NODE)))
		rules->max_nodes = fewer(rules->max_nodes, part->max_nodes);
	libra_limits_unlock();
}

void libra_default_qos(const struct libra_host_request *r, char name[64])
{
	const part_record_t *part = find_partition(r->partition);
	const slurmdb_qos_rec_t *qos;

	*name = '\0';
	if (!part || !has_accounts())
		return;
	libra_limits_lock();
	qos = find_qos(r, find_assoc(r, part));
	if (qos && qos->name)
		snprintf(name, 64, "%s", qos->name);
	libra_limits_unlock();
}

/* ---- licences ---- */

static bool any_of_nodes(LIBRA_LIST list)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(list);
	const licenses_t *license;
	bool any = false;

	while ((license = list_next(it)))
		any = any || LIBRA_IS_HRES(license);
	list_iterator_destroy(it);
	return any;
}

/* Return true if the cluster has the licences of a request; *of_nodes: some
 * belong to certain nodes.
 */
static bool has_licenses(const struct libra_host_request *r, bool *of_nodes)
{
	bool valid = true;
	LIBRA_LIST list;

	*of_nodes = false;
	if (!r->licenses)
		return true;
	list = LIBRA_LICENSES(r->licenses, &valid);
	if (list)
		*of_nodes = any_of_nodes(list);
	FREE_NULL_LIST(list);
	return valid;
}

/* ---- memory ---- */

/* Subtract the memory that a running job has on each of its nodes. */
static void take_memory(const job_record_t *job,
			struct libra_host_memory *nodes, uint32_t n)
{
	const job_resources_t *res = job->job_resrcs;
	uint32_t k = 0;

	if (!res || !res->memory_allocated || !res->node_bitmap ||
	    !(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) ||
	      IS_JOB_COMPLETING(job)))
		return;
	for (uint32_t i = 0; i < n && k < res->nhosts; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		if (nodes[i].free > res->memory_allocated[k])
			nodes[i].free -= res->memory_allocated[k];
		else
			nodes[i].free = 0;
		k++;
	}
}

bool libra_memory(struct libra_host_memory *nodes, uint32_t n)
{
	LIBRA_LIST_ITERATOR it;
	const job_record_t *job;

	if (!(slurm_conf.select_type_param & LIBRA_CR_MEMORY))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		nodes[i].all = node ? LIBRA_NODE_MEMORY(node) : 0;
		nodes[i].free = nodes[i].all;
	}
	it = list_iterator_create(job_list);
	while ((job = list_next(it)))
		take_memory(job, nodes, n);
	list_iterator_destroy(it);
	return true;
}

void libra_hold(uint64_t memory, struct libra_host_job *job)
{
	if (memory == 0 || memory == NO_VAL64)
		job->mem.hold_per_node = LIBRA_WHOLE_MEMORY;
	else if (memory & MEM_PER_CPU)
		job->mem.hold_per_cpu = memory & ~MEM_PER_CPU;
	else
		job->mem.hold_per_node = memory;
}

static void read_memory(const part_record_t *part,
			struct libra_host_rules *rules)
{
	uint64_t given = part->def_mem_per_cpu ? part->def_mem_per_cpu
					       : slurm_conf.def_mem_per_cpu;

	rules->memory = slurm_conf.select_type_param & LIBRA_CR_MEMORY;
	if (given == NO_VAL64)
		return;
	if (given & MEM_PER_CPU)
		rules->def_per_cpu = given & ~MEM_PER_CPU;
	else
		rules->def_per_node = given;
}

/* Slurm's defaults for GPUs: a partition's, else the cluster's. */
static uint64_t default_of(const part_record_t *part, uint16_t type)
{
	LIBRA_LIST const lists[] = {part->job_defaults_list,
				    slurm_conf.job_defaults_list};
	const job_defaults_t *entry;
	uint64_t value = NO_VAL64;
	LIBRA_LIST_ITERATOR it;

	for (size_t i = 0; i < 2 && value == NO_VAL64; i++) {
		if (!lists[i])
			continue;
		it = list_iterator_create(lists[i]);
		while ((entry = list_next(it)))
			if (entry->type == type)
				value = entry->value;
		list_iterator_destroy(it);
	}
	return value == NO_VAL64 ? 0 : value;
}

void libra_with_gpus(const struct job_record *job, struct libra_host_job *seen)
{
	if (!job->part_ptr || !job->details)
		return;
	if (job->details->orig_cpus_per_task == NO_VAL16)
		seen->gres.def_cpus_per_gpu =
			default_of(job->part_ptr, JOB_DEF_CPU_PER_GPU);
	if (!(job->bit_flags & JOB_MEM_SET))
		seen->gres.def_mem_per_gpu =
			default_of(job->part_ptr, JOB_DEF_MEM_PER_GPU);
}

/* Cores of a socket, where nodes have said that their GPUs are near some: the
 * most of any node.
 */
static uint32_t socket_cores(const part_record_t *part)
{
	uint32_t most = 0;

	for (int i = 0; part->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(part->node_bitmap, i) &&
		    node->tot_sockets > 1 && node->gres &&
		    strstr(node->gres, "(S:"))
			most = libra_host_larger(
				most, node->tot_cores / node->tot_sockets);
	}
	return most;
}

/* ---- what is left to Slurm ---- */

static bool may_have_several_nodes(const struct libra_host_request *r)
{
	return r->size.max_nodes != 1 &&
	       (r->size.ncpus > 1 || r->size.min_nodes > 1);
}

static const char *uncounted(const struct libra_host_request *r,
			     const part_record_t *part)
{
	/* A job with whole nodes has their ports. */
	if (r->layout.ports && part->max_share != 0 && !r->nodes.exclusive)
		return "ports of nodes that jobs share: leave --resv-ports out";
	if (may_have_several_nodes(r) && libra_places_oddly(part))
		return "how TopologyPlugin places jobs of several nodes: give "
		       "--nodes=1";
	if (r->extra && slurm_conf.sched_params &&
	    strstr(slurm_conf.sched_params, "extra_constraints"))
		return "constraints of --extra: leave it out";
	return NULL;
}

/* ---- all ---- */

void libra_rules(const struct libra_host_request *r,
		 struct libra_host_rules *rules)
{
	part_record_t *part = find_partition(r->partition);
	uint64_t most;
	bool of_nodes;

	*rules = (struct libra_host_rules){
		.limits.limit_s = INFINITY,
	};
	if (!part)
		return;
	read_memory(part, rules);
	rules->def_cpus_per_gpu = default_of(part, JOB_DEF_CPU_PER_GPU);
	rules->def_mem_per_gpu = default_of(part, JOB_DEF_MEM_PER_GPU);
	if (LIBRA_TASKS_NEAR_GPUS && r->gres.task)
		rules->socket_cores = socket_cores(part);
	most = part->max_mem_per_cpu ? part->max_mem_per_cpu
				     : slurm_conf.max_mem_per_cpu;
	if (most & MEM_PER_CPU)
		rules->mem_per_cpu = most & ~MEM_PER_CPU;
	rules->no_license = !has_licenses(r, &of_nodes);
	rules->uncounted = of_nodes ? "licenses of certain nodes (hierarchical "
				      "resources): leave them out"
				    : uncounted(r, part);
	rules->constrained =
		r->nodes.constraint && !all_have(part, r->nodes.constraint);
	read_access(r, part, rules);
}
