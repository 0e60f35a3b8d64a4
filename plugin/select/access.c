/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.c - see access.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <grp.h>
#include <math.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/select/access.h"
#include "plugin/select/job_env.h"
#include "plugin/select/limits.h"
#include "plugin/select/reasons.h"

#pragma weak accounting_enforce
#pragma weak find_job_record
#pragma weak last_part_update
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak slurm_conf
#pragma weak validate_alloc_node

typedef struct libra_host_denial denial_t;

static bool put(char *value, size_t size, const char *text)
{
	int len = snprintf(value, size, "%s", text ? text : "");

	if (len >= (int)size && size > 3)
		memcpy(value + size - 4, "...", 4);
	return true;
}

static bool put_number(char *value, size_t size, uint32_t n)
{
	snprintf(value, size, "%u", (unsigned)n);
	return true;
}

static part_record_t *part_of(const struct libra_access *access)
{
	return access->part;
}

/* ---- users ---- */

static bool is_slurm_user(uint32_t user)
{
	return user == 0 || user == slurm_conf.slurm_user_id;
}

/* Return true if a word is in a list with commas. */
static bool is_in(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == len && strncmp(list, word, len) == 0)
			return true;
	return false;
}

/* Is a user's primary group one of AllowGroups? Slurm's list of users may lack
 * those, where the directory does not list the members of a group.  If a name
 * is too long for the buffer the user may be in the group.
 */
static bool has_group(const char *groups, uint32_t user)
{
	struct passwd pw, *found_user = NULL;
	struct group gr, *found = NULL;
	char buf[8192];
	int rc;

	rc = getpwuid_r(user, &pw, buf, sizeof(buf), &found_user);
	if (rc != 0 || !found_user)
		return rc == ERANGE;
	rc = getgrgid_r(pw.pw_gid, &gr, buf, sizeof(buf), &found);
	if (rc != 0 || !found)
		return rc == ERANGE;
	return is_in(groups, gr.gr_name);
}

/* Ask the directory again only after a while, or if partitions changed. */
enum { ANSWERS = 64, ANSWER_S = 30 };

static struct {
	pthread_mutex_t lock;
	struct answer {
		const part_record_t *part;
		uint32_t user;
		time_t changed, at;
		bool in;
	} list[ANSWERS];
} answers = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

static bool in_primary_group(const part_record_t *part, uint32_t user)
{
	struct answer *at = &answers.list[user % ANSWERS], answer;
	time_t now = time(NULL);

	pthread_mutex_lock(&answers.lock);
	answer = *at;
	pthread_mutex_unlock(&answers.lock);
	if (answer.part == part && answer.user == user &&
	    answer.changed == last_part_update && answer.at <= now &&
	    now - answer.at < ANSWER_S)
		return answer.in;
	answer = (struct answer){
		.part = part,
		.user = user,
		.changed = last_part_update,
		.at = now,
		.in = has_group(part->allow_groups, user),
	};
	pthread_mutex_lock(&answers.lock);
	*at = answer;
	pthread_mutex_unlock(&answers.lock);
	return answer.in;
}

static bool bars_groups(const struct libra_access *a, char *value, size_t size)
{
	const part_record_t *part = part_of(a);

	if (!part->allow_groups || is_slurm_user(a->user) ||
	    libra_is_allowed_uid(part, a->user) ||
	    (libra_has_allowed_uids(part) && in_primary_group(part, a->user)))
		return false;
	return put(value, size, part->allow_groups);
}

static bool bars_root(const struct libra_access *a, char *value, size_t size)
{
	return a->user == 0 && (part_of(a)->flags & PART_FLAG_NO_ROOT) &&
	       put(value, size, "YES");
}

static bool bars_users(const struct libra_access *a, char *value, size_t size)
{
	return (part_of(a)->flags & PART_FLAG_ROOT_ONLY) &&
	       !is_slurm_user(a->user) && put(value, size, "YES");
}

static bool bars_host(const struct libra_access *a, char *value, size_t size)
{
	return part_of(a)->allow_alloc_nodes &&
	       !validate_alloc_node(part_of(a), (char *)a->alloc_node) &&
	       put(value, size, part_of(a)->allow_alloc_nodes);
}

/* ---- the partition ---- */

static const char *state_name(uint16_t state)
{
	switch (state) {
	case PARTITION_DOWN:
		return "DOWN";
	case PARTITION_DRAIN:
		return "DRAIN";
	case PARTITION_INACTIVE:
		return "INACTIVE";
	default:
		return "UP";
	}
}

/* A draining partition starts the jobs in its queue.  A job that may not start
 * now gets no promise until it may.
 */
static bool bars_state(const struct libra_access *a, char *value, size_t size)
{
	uint16_t need = PARTITION_UP,
		 state = part_of(a)->state_up & PARTITION_UP;

	if (a->waits)
		need = PARTITION_SCHED;
	else if (a->later)
		need = PARTITION_SUBMIT;
	return (state & need) != need && put(value, size, state_name(state));
}

static bool bars_unreserved(const struct libra_access *a, char *value,
			    size_t size)
{
	return (part_of(a)->flags & PART_FLAG_REQ_RESV) && !a->reserved &&
	       put(value, size, "YES");
}

static bool has_flag(const struct libra_access *a, uint32_t flag)
{
	return a->qos && (a->qos->flags & flag);
}

static bool bars_many_nodes(const struct libra_access *a, char *value,
			    size_t size)
{
	uint32_t most = part_of(a)->max_nodes;

	return (a->min_nodes > most || a->max_nodes > most) &&
	       !has_flag(a, QOS_FLAG_PART_MAX_NODE) &&
	       put_number(value, size, most);
}

/* At a submission Slurm raises the number of nodes, if --nodes allows that. */
static bool bars_few_nodes(const struct libra_access *a, char *value,
			   size_t size)
{
	uint32_t least = part_of(a)->min_nodes;
	bool raised = !a->waits && (a->max_nodes == 0 || a->max_nodes >= least);

	if (libra_host_larger(1, a->min_nodes) >= least ||
	    (!raised && has_flag(a, QOS_FLAG_PART_MIN_NODE)))
		return false;
	return put_number(value, size, least);
}

/* At a submission the engine refuses a job larger than the partition. */
static bool bars_size(const struct libra_access *a, char *value, size_t size)
{
	return a->waits && a->min_nodes > part_of(a)->total_nodes &&
	       put_number(value, size, part_of(a)->total_nodes);
}

static bool bars_cpus(const struct libra_access *a, char *value, size_t size)
{
	return a->waits && a->ncpus > part_of(a)->total_cpus &&
	       put_number(value, size, part_of(a)->total_cpus);
}

static bool bars_node_cpus(const struct libra_access *a, char *value,
			   size_t size)
{
	uint64_t each = part_of(a)->max_cpus_per_node;

	return each < NO_VAL && a->ncpus > each * part_of(a)->total_nodes &&
	       put_number(value, size, (uint32_t)each);
}

uint64_t libra_whole_memory(const void *partition)
{
	const part_record_t *part = partition;
	bitoff_t first = part->node_bitmap ? bit_ffs(part->node_bitmap) : -1;
	const struct node_record *node;

	if (first < 0)
		return 0;
	node = node_record_table_ptr[first];
	return node->config_ptr->real_memory - node->mem_spec_limit;
}

/* Slurm adds CPUs to a job that is above MaxMemPerCPU.  For all CPUs of a node
 * older releases take the first node of the partition: there a job that could
 * start may be refused, but none is promised that could not.
 */
static bool bars_memory(const struct libra_access *a, char *value, size_t size)
{
	const part_record_t *part = part_of(a);
	uint64_t most = part->max_mem_per_cpu, memory = a->memory;

	if (!most)
		most = slurm_conf.max_mem_per_cpu;
	if (!most || (most & MEM_PER_CPU) || memory == NO_VAL64)
		return false;
	if (memory == 0)
		memory = libra_whole_memory(part);
	else if (memory & MEM_PER_CPU)
		memory = (memory & ~MEM_PER_CPU) *
			 (a->node_cpus ? a->node_cpus : part->max_cpu_cnt);
	return memory > most && put_number(value, size, (uint32_t)most);
}

static bool bars_cpu_memory(const struct libra_access *a, char *value,
			    size_t size)
{
	return a->adds_cpus && put_number(value, size, (uint32_t)a->adds_cpus);
}

static bool bars_time(const struct libra_access *a, char *value, size_t size)
{
	return a->minutes > part_of(a)->max_time &&
	       !has_flag(a, QOS_FLAG_PART_TIME_LIMIT) &&
	       put_number(value, size, part_of(a)->max_time);
}

/* ---- its nodes ---- */

static bool bars_nodelist(const struct libra_access *a, char *value,
			  size_t size)
{
	return a->foreign && put(value, size, part_of(a)->nodes);
}

static uint64_t memory_of(const config_record_t *node)
{
	return node->real_memory;
}

static uint64_t disk_of(const config_record_t *node)
{
	return node->tmp_disk;
}

static uint64_t threads_of(const config_record_t *node)
{
	return node->threads;
}

/* Write what the smallest node of the partition has, or the largest, and return
 * true if that is less than a job needs.
 */
static bool lacks(const struct libra_access *a, uint64_t need, bool largest,
		  uint64_t (*amount_of)(const config_record_t *node),
		  char *value, size_t size)
{
	const bitstr_t *nodes = part_of(a)->node_bitmap;
	uint64_t found = UINT64_MAX, has_of;

	for (int i = 0; need && nodes && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || !node->config_ptr ||
		    !bit_test((bitstr_t *)nodes, i))
			continue;
		has_of = amount_of(node->config_ptr);
		if (found == UINT64_MAX || (has_of > found) == largest)
			found = has_of;
	}
	return need > found && put_number(value, size, (uint32_t)found);
}

static bool bars_any_memory(const struct libra_access *a, char *value,
			    size_t size)
{
	return !a->one_has_memory &&
	       lacks(a, a->node_memory, false, memory_of, value, size);
}

static bool bars_all_memory(const struct libra_access *a, char *value,
			    size_t size)
{
	return a->one_has_memory &&
	       lacks(a, a->node_memory, true, memory_of, value, size);
}

static bool bars_disk(const struct libra_access *a, char *value, size_t size)
{
	return lacks(a, a->node_disk, false, disk_of, value, size);
}

static bool bars_threads(const struct libra_access *a, char *value, size_t size)
{
	return lacks(a, a->node_threads, false, threads_of, value, size);
}

/* ---- accounts and QOS ---- */

static bool bars_account(const struct libra_access *a, char *value, size_t size)
{
	return part_of(a)->allow_accounts &&
	       !libra_is_allowed_account(part_of(a), a->assoc) &&
	       put(value, size, part_of(a)->allow_accounts);
}

static bool denies_account(const struct libra_access *a, char *value,
			   size_t size)
{
	return !part_of(a)->allow_accounts && part_of(a)->deny_accounts &&
	       !libra_is_allowed_account(part_of(a), a->assoc) &&
	       put(value, size, part_of(a)->deny_accounts);
}

static bool has_qos(const bitstr_t *list, const slurmdb_qos_rec_t *qos)
{
	return qos && (bitoff_t)qos->id < bit_size((bitstr_t *)list) &&
	       bit_test((bitstr_t *)list, (bitoff_t)qos->id);
}

static bool bars_qos(const struct libra_access *a, char *value, size_t size)
{
	const bitstr_t *allowed = part_of(a)->allow_qos_bitstr;

	return allowed && !has_qos(allowed, a->qos) &&
	       put(value, size, part_of(a)->allow_qos);
}

static bool denies_qos(const struct libra_access *a, char *value, size_t size)
{
	const bitstr_t *denied = part_of(a)->deny_qos_bitstr;

	return !part_of(a)->allow_qos_bitstr && denied &&
	       has_qos(denied, a->qos) &&
	       put(value, size, part_of(a)->deny_qos);
}

static bool bars_qos_unreserved(const struct libra_access *a, char *value,
				size_t size)
{
	return has_flag(a, QOS_FLAG_REQ_RESV) && !a->reserved &&
	       put(value, size, "RequiresReservation");
}

/* Slurm sets the reason of a job in the queue, and computes the usage of an
 * association that had no job.
 */
static bool bars_usage(const struct libra_access *a, char *value, size_t size)
{
	if (a->waits || !has_flag(a, QOS_FLAG_ENFORCE_USAGE_THRES) ||
	    !a->assoc || !a->assoc->usage ||
	    fabs(a->qos->usage_thres - (double)NO_VAL) < 1 ||
	    fabs((double)a->assoc->usage->usage_efctv - (double)NO_VAL) < 1 ||
	    LIBRA_FAIR_SHARE(a->assoc) >= a->qos->usage_thres)
		return false;
	snprintf(value, size, "%g", a->qos->usage_thres);
	return true;
}

/* ---- the table ---- */

#define OTHER_PARTITION "give another partition with --partition"
#define ANY_NODE	" on its smallest node, and a promise may be on any node: "

static const struct rule {
	const char *name;
	const char *called; /* of a job in the queue */
	bool of_qos;
	bool (*bars)(const struct libra_access *access, char *value,
		     size_t size);
	const char *advice; /* for a submission: why, and what to do now */
} rules[] = {
	{"State", "the state of its partition", false, bars_state,
	 ": no job starts there, and nobody knows until when: "
	 "wait until sinfo lists it as up, or " OTHER_PARTITION},
	{"DisableRootJobs", "DisableRootJobs of its partition", false,
	 bars_root, ": submit as another user, or " OTHER_PARTITION},
	{"RootOnly", "RootOnly of its partition", false, bars_users,
	 ", and you are not root: " OTHER_PARTITION},
	{"ReqResv", "ReqResv of its partition", false, bars_unreserved,
	 ", and the job has no reservation, in which nothing is "
	 "promised: give --reservation without --deadline, or " OTHER_PARTITION},
	{"AllowGroups", "AllowGroups of its partition", false, bars_groups,
	 ", and you are in none of these groups: ask an "
	 "administrator, or " OTHER_PARTITION},
	{"AllocNodes", "AllocNodes of its partition", false, bars_host,
	 ": submit from one of these nodes, or " OTHER_PARTITION},
	{"AllowAccounts", "AllowAccounts of its partition", false, bars_account,
	 ", and your account is none of these: give another one with "
	 "--account, or " OTHER_PARTITION},
	{"DenyAccounts", "DenyAccounts of its partition", false, denies_account,
	 ", and your account is one of these: give another one with "
	 "--account, or " OTHER_PARTITION},
	{"AllowQos", "AllowQos of its partition", false, bars_qos,
	 ", and your QOS is none of these: give another one with "
	 "--qos, or " OTHER_PARTITION},
	{"DenyQos", "DenyQos of its partition", false, denies_qos,
	 ", and your QOS is one of these: give another one with "
	 "--qos, or " OTHER_PARTITION},
	{"MaxNodes", "MaxNodes of its partition", false, bars_many_nodes,
	 ": give fewer --nodes, or " OTHER_PARTITION},
	{"MinNodes", "MinNodes of its partition", false, bars_few_nodes,
	 ": give at least so many --nodes, or " OTHER_PARTITION},
	{"TotalNodes", "the number of nodes of its partition", false, bars_size,
	 ": give fewer --nodes, or " OTHER_PARTITION},
	{"TotalCPUs", "the number of CPUs of its partition", false, bars_cpus,
	 ": give fewer --ntasks, or " OTHER_PARTITION},
	{"MaxCPUsPerNode", "MaxCPUsPerNode of its partition", false,
	 bars_node_cpus, ": give fewer --ntasks, or " OTHER_PARTITION},
	{"MaxMemPerNode", "MaxMemPerNode of its partition", false, bars_memory,
	 " MB: give --mem of at most so much, or " OTHER_PARTITION},
	{"MaxMemPerCPU", "MaxMemPerCPU of its partition", false,
	 bars_cpu_memory,
	 " MB, the job asks for more (by --mem, or by the default for jobs "
	 "without it), and Slurm would add CPUs that are not promised: give "
	 "--mem-per-cpu, or more --cpus-per-task"},
	{"Nodes", "the nodes of its partition", false, bars_nodelist,
	 ", and --nodelist names others: name some of these, or " OTHER_PARTITION},
	{"RealMemory", "the memory of its nodes", false, bars_all_memory,
	 " MB on its largest node: ask for no more with --mem or "
	 "--mem-per-cpu, or " OTHER_PARTITION},
	{"RealMemory", "the memory of its nodes", false, bars_any_memory,
	 " MB" ANY_NODE "ask for no more with --mem or --mem-per-cpu, "
	 "or " OTHER_PARTITION},
	{"TmpDisk", "the disk of its nodes", false, bars_disk,
	 " MB" ANY_NODE "ask for no more with --tmp, or " OTHER_PARTITION},
	{"ThreadsPerCore", "the threads of its nodes", false, bars_threads,
	 ANY_NODE "give no more --threads-per-core, or " OTHER_PARTITION},
	{"MaxTime", "MaxTime of its partition", false, bars_time,
	 ": give a shorter --time, or " OTHER_PARTITION},
	{"Flags", "RequiresReservation of its QOS", true, bars_qos_unreserved,
	 ", and in a reservation nothing is promised: give --reservation "
	 "without --deadline, or another QOS with --qos"},
	{"UsageThreshold", "UsageThreshold of its QOS", true, bars_usage,
	 ", and the fairshare factor of your account is below it: wait "
	 "until older usage counts less, or give another QOS with --qos"},
};

static const struct rule *find_rule(const struct libra_access *access,
				    char *value, size_t size)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].bars(access, value, size))
			return &rules[i];
	return NULL;
}

void libra_access_test(const struct libra_access *access, denial_t *denial)
{
	const struct rule *rule;

	*denial = (denial_t){0};
	rule = find_rule(access, denial->value, sizeof(denial->value));
	if (!rule)
		return;
	denial->rule = rule->name;
	denial->advice = rule->advice;
	denial->of_qos = rule->of_qos;
	put(denial->name, sizeof(denial->name),
	    rule->of_qos ? access->qos->name : part_of(access)->name);
}

/* ---- jobs in the queue ---- */

/* A job may keep to a limit of time that is long enough for its estimate. */
static uint32_t minutes_needed(const job_record_t *job)
{
	double estimate_s = libra_job_env_estimate(job);

	return estimate_s > 0 && job->limit_set.time != ADMIN_SET_LIMIT
		       ? libra_host_minutes(estimate_s)
		       : 0;
}

/* Return the memory by which Slurm tests a job, as in struct libra_access.  If
 * the job gave none that is the default: pn_min_memory may be of an earlier
 * partition, or 0 since a test with memory per GPU.  Memory per CPU is left to
 * Slurm, which sets the reason of the job.
 */
static uint64_t tested_memory(const job_record_t *job)
{
	uint64_t memory = job->part_ptr->def_mem_per_cpu;

	if (job->bit_flags & JOB_MEM_SET)
		memory = job->details->orig_pn_min_memory;
	else if (!memory)
		memory = slurm_conf.def_mem_per_cpu;
	return memory & MEM_PER_CPU ? NO_VAL64 : memory;
}

const char *libra_access_denied(const job_record_t *job)
{
	struct libra_access a = {
		.part = job->part_ptr,
		.user = job->user_id,
		.alloc_node = job->alloc_node,
		.reserved = job->resv_name && *job->resv_name,
		.minutes = minutes_needed(job),
		.waits = true,
	};
	char value[sizeof(((denial_t *)0)->value)];
	const struct rule *rule;

	if (!a.part || !job->details)
		return NULL;
	a.min_nodes = job->details->min_nodes;
	a.max_nodes = libra_host_count(job->details->max_nodes);
	a.ncpus = job->details->min_cpus;
	a.memory = tested_memory(job);
	libra_limits_lock();
	a.assoc = job->assoc_ptr;
	a.qos = job->qos_ptr;
	rule = find_rule(&a, value, sizeof(value));
	libra_limits_unlock();
	return rule ? rule->called : NULL;
}

/* Without slurmdbd Slurm 23.11 and 24.05 say for a while that every account is
 * invalid.
 */
static bool is_believed(uint32_t reason)
{
	return reason != FAIL_ACCOUNT ||
	       (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS);
}

const char *libra_barrier(uint32_t job_id)
{
	const job_record_t *job = find_job_record(job_id);
	const struct libra_wait_reason *reason;
	const char *rule;

	if (!job || !IS_JOB_PENDING(job))
		return NULL;
	rule = libra_access_denied(job);
	if (rule)
		return rule;
	reason = libra_wait_reason(job->state_reason);
	return reason && reason->fate == LIBRA_FATE_BARS &&
			       is_believed(reason->number)
		       ? reason->names
		       : NULL;
}
