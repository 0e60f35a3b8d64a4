/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.c - see rules.h.
 *
 * Limits are compared with a job's time limit, which a promise lifts: so the
 * longest run that they permit is found here.  Of each limit the first counts
 * that is set: of the QOS of the partition, the job's own QOS, its association.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/host/compat.h"
#include "plugin/select/rules.h"

#pragma weak accounting_enforce
#pragma weak acct_db_conn
#pragma weak default_part_name
#pragma weak job_list
#pragma weak license_validate
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf

static const part_record_t *find_partition(const char *name)
{
	LIBRA_LIST_ITERATOR it;
	const part_record_t *part;

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

/* Is a word one of a list with commas? */
static bool is_in(const char *list, const char *word, size_t len)
{
	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == len && strncmp(list, word, len) == 0)
			return true;
	return false;
}

static bool node_has(const node_record_t *node, const char *constraint)
{
	const char *list =
		node->features_act ? node->features_act : node->features;

	for (; *constraint; constraint += *constraint == '&') {
		size_t len = strcspn(constraint, "&");

		if (!is_in(list, constraint, len))
			return false;
		constraint += len;
	}
	return true;
}

/* Words joined by &, which hold on every node: such a constraint says nothing.
 */
static bool all_have(const part_record_t *part, const char *constraint)
{
	if (constraint[strcspn(constraint, "|,*[](){}!")])
		return false;
	for (int i = 0; i < node_record_count; i++)
		if (part->node_bitmap && bit_test(part->node_bitmap, i) &&
		    node_record_table_ptr[i] &&
		    !node_has(node_record_table_ptr[i], constraint))
			return false;
	return true;
}

/* Has every node the same generic resources? */
static bool nodes_alike(const part_record_t *part)
{
	const node_record_t *first = NULL, *node;

	for (int i = 0; i < node_record_count; i++) {
		node = node_record_table_ptr[i];
		if (!node || !part->node_bitmap ||
		    !bit_test(part->node_bitmap, i))
			continue;
		if (!first)
			first = node;
		if (strcmp(first->gres ? first->gres : "",
			   node->gres ? node->gres : "") != 0)
			return false;
	}
	return true;
}

/* ---- limits ---- */

/* What is known of a submission's limits, in seconds; NAN = none yet. */
struct limits {
	double run_s;	/* of a job */
	double cpu_s;	/* of a job, all CPUs together */
	double group_s; /* of running jobs of a group, what is left of it */
};

static void set_first(double *limit, double value)
{
	if (isnan(*limit))
		*limit = value;
}

static double run_of(uint32_t minutes)
{
	return minutes < NO_VAL ? 60.0 * minutes : NAN;
}

static double cpu_of(const uint64_t *minutes)
{
	return minutes && minutes[TRES_ARRAY_CPU] < NO_VAL64
		       ? 60.0 * (double)minutes[TRES_ARRAY_CPU]
		       : NAN;
}

static double left_of(const uint64_t *minutes, const uint64_t *used_s)
{
	double all = cpu_of(minutes);

	return used_s ? all - (double)used_s[TRES_ARRAY_CPU] : all;
}

static void add_qos(struct limits *l, const slurmdb_qos_rec_t *qos)
{
	if (!qos)
		return;
	set_first(&l->run_s, run_of(qos->max_wall_pj));
	set_first(&l->cpu_s, cpu_of(qos->max_tres_mins_pj_ctld));
	set_first(&l->group_s,
		  left_of(qos->grp_tres_run_mins_ctld,
			  qos->usage ? qos->usage->grp_used_tres_run_secs
				     : NULL));
}

static void add_assoc(struct limits *l, const slurmdb_assoc_rec_t *assoc)
{
	double group_s = l->group_s;

	set_first(&l->run_s, run_of(assoc->max_wall_pj));
	set_first(&l->cpu_s, cpu_of(assoc->max_tres_mins_ctld));
	for (; assoc;
	     assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL)
		group_s = fmin(
			group_s,
			left_of(assoc->grp_tres_run_mins_ctld,
				assoc->usage
					? assoc->usage->grp_used_tres_run_secs
					: NULL));
	set_first(&l->group_s, group_s);
}

static slurmdb_qos_rec_t *find_qos(const struct libra_host_request *r,
				   const slurmdb_assoc_rec_t *assoc)
{
	slurmdb_qos_rec_t wanted = {.name = (char *)r->qos}, *found = NULL;

	if (!r->qos)
		wanted.id = assoc->def_qos_id < NO_VAL ? assoc->def_qos_id : 0;
	if (!r->qos && !wanted.id)
		return NULL;
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

static void read_limits(const struct libra_host_request *r,
			const part_record_t *part,
			const slurmdb_assoc_rec_t *assoc,
			struct libra_host_rules *rules)
{
	struct limits l = {.run_s = NAN, .cpu_s = NAN, .group_s = NAN};
	const slurmdb_qos_rec_t *qos = find_qos(r, assoc);
	double ncpus = r->ncpus ? r->ncpus : 1;

	if (qos && (qos->flags & QOS_FLAG_OVER_PART_QOS))
		add_qos(&l, qos);
	add_qos(&l, part->qos_ptr);
	add_qos(&l, qos);
	add_assoc(&l, assoc);
	rules->limit_s = fmin(INFINITY, l.run_s);
	rules->limit_s = fmin(rules->limit_s, l.cpu_s / ncpus);
	rules->limit_s = fmin(rules->limit_s, l.group_s / ncpus);
	/* A group may have used up all; 0 says that nothing is known. */
	rules->limit_s = fmax(1, rules->limit_s);
}

static void read_account(const struct libra_host_request *r,
			 const part_record_t *part,
			 struct libra_host_rules *rules)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
		.user = READ_LOCK,
	};
	slurmdb_assoc_rec_t wanted = {
		.acct = (char *)r->account,
		.partition = part->name,
		.uid = r->user,
	};
	slurmdb_assoc_rec_t *assoc = NULL;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, accounting_enforce,
				    &assoc, true) != SLURM_SUCCESS)
		assoc = NULL;
	rules->no_account = !assoc;
	if (assoc && r->qos && (accounting_enforce & ACCOUNTING_ENFORCE_QOS))
		rules->no_account = !may_use(assoc, find_qos(r, assoc));
	if (assoc && (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		read_limits(r, part, assoc, rules);
	assoc_mgr_unlock(&locks);
}

/* ---- licences ---- */

static bool has_licenses(const struct libra_host_request *r)
{
	bool valid = true;
	LIBRA_LIST list;

	if (!r->licenses)
		return true;
	list = LIBRA_LICENSES(r->licenses, &valid);
	FREE_NULL_LIST(list);
	return valid;
}

/* ---- memory ---- */

/* What a job that runs has of each of its nodes. */
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

		nodes[i].all =
			node && node->real_memory > node->mem_spec_limit
				? node->real_memory - node->mem_spec_limit
				: 0;
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
		job->hold_per_node = LIBRA_WHOLE_MEMORY;
	else if (memory & MEM_PER_CPU)
		job->hold_per_cpu = memory & ~MEM_PER_CPU;
	else
		job->hold_per_node = memory;
}

static void read_memory(const part_record_t *part,
			struct libra_host_rules *rules)
{
	uint64_t given = part->def_mem_per_cpu ? part->def_mem_per_cpu
					       : slurm_conf.def_mem_per_cpu;

	rules->memory = slurm_conf.select_type_param & LIBRA_CR_MEMORY;
	if (given & MEM_PER_CPU)
		rules->def_per_cpu = given & ~MEM_PER_CPU;
	else if (given != NO_VAL64)
		rules->def_per_node = given;
}

/* ---- all ---- */

void libra_rules(const struct libra_host_request *r,
		 struct libra_host_rules *rules)
{
	const part_record_t *part = find_partition(r->partition);
	uint64_t most;

	*rules = (struct libra_host_rules){.limit_s = INFINITY};
	if (!part)
		return;
	read_memory(part, rules);
	rules->no_license = !has_licenses(r);
	rules->nodes_alike = r->gres && nodes_alike(part);
	rules->constrained = r->constraint && !all_have(part, r->constraint);
	most = part->max_mem_per_cpu ? part->max_mem_per_cpu
				     : slurm_conf.max_mem_per_cpu;
	if (most & MEM_PER_CPU)
		rules->mem_per_cpu = most & ~MEM_PER_CPU;
	if (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS)
		read_account(r, part, rules);
}
