/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_access.c - each rule of a partition and of a QOS that keeps a job from
 * ever starting, at its submission and in the queue.  Speaks TAP.
 *
 * Bitmaps and lists are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/access.h"
#include "plugin/select/job_env.h"
#include "plugin/select/limits.h"
#include "tests/plugin/tap.h"

enum { USER = 4000, MEMBER = 4001, QOS = 3, JOB = 9 };

__typeof__(accounting_enforce) accounting_enforce;
__typeof__(last_part_update) last_part_update;
__typeof__(node_record_count) node_record_count;
__typeof__(node_record_table_ptr) node_record_table_ptr;
__typeof__(slurm_conf) slurm_conf = {.slurm_user_id = 64030};

static struct {
	int looked; /* for groups in the directory */
	bool no_account;
	double estimate_s, factor;
	int locks;
} w;

static part_record_t part;
static slurmdb_assoc_usage_t usage;
static slurmdb_assoc_rec_t assoc;
static slurmdb_qos_rec_t qos;
static struct libra_access wish;
static job_record_t job;
static __typeof__(*job.details) details;

/* ---- slurmctld and the directory ---- */

int __wrap_getpwuid_r(uid_t uid, struct passwd *pw, char *buf, size_t size,
		      struct passwd **found);
int __wrap_getgrgid_r(gid_t gid, struct group *gr, char *buf, size_t size,
		      struct group **found);

int __wrap_getpwuid_r(uid_t uid, struct passwd *pw, char *buf, size_t size,
		      struct passwd **found)
{
	w.looked++;
	pw->pw_gid = uid;
	*found = pw;
	return 0;
}

int __wrap_getgrgid_r(gid_t gid, struct group *gr, char *buf, size_t size,
		      struct group **found)
{
	gr->gr_name = (char *)(gid == MEMBER ? "chem" : "other");
	*found = gr;
	return 0;
}

extern int validate_alloc_node(part_record_t *of, char *node)
{
	return node && strcmp(of->allow_alloc_nodes, node) == 0;
}

/* Of 23.02 and later; 22.05 has names. */
extern int part_policy_valid_acct(part_record_t *of, char *account,
				  job_record_t *record)
{
	return w.no_account ? ESLURM_INVALID_ACCOUNT : SLURM_SUCCESS;
}

/* Up to 25.05. */
extern double priority_g_calc_fs_factor(long double used, long double shares);

extern double priority_g_calc_fs_factor(long double used, long double shares)
{
	return w.factor;
}

extern job_record_t *find_job_record(uint32_t id)
{
	return id == JOB ? &job : NULL;
}

double libra_job_env_estimate(const job_record_t *of)
{
	return w.estimate_s;
}

void libra_limits_lock(void)
{
	w.locks++;
}

void libra_limits_unlock(void)
{
	w.locks--;
}

/* ---- cases ---- */

/* A partition without a rule, a job of one node by a user. */
static void reset(void)
{
	memset(&w, 0, sizeof(w));
	part = (part_record_t){
		.name = (char *)"main",
		.state_up = PARTITION_UP,
		.max_nodes = INFINITE,
		.min_nodes = 1,
		.max_time = INFINITE,
		.max_cpus_per_node = INFINITE,
		.total_nodes = 4,
		.total_cpus = 16,
	};
	usage = (slurmdb_assoc_usage_t){.usage_efctv = 0.5, .shares_norm = 0.5};
	assoc = (slurmdb_assoc_rec_t){.acct = (char *)"lab", .usage = &usage};
	qos = (slurmdb_qos_rec_t){.id = QOS,
				  .name = (char *)"low",
				  .usage_thres = (double)NO_VAL};
	wish = (struct libra_access){
		.part = &part,
		.assoc = &assoc,
		.qos = &qos,
		.user = USER,
		.alloc_node = "login",
		.min_nodes = 1,
		.ncpus = 4,
	};
	details = (__typeof__(details)){.min_nodes = 1, .min_cpus = 4};
	job = (job_record_t){
		.job_id = JOB,
		.job_state = JOB_PENDING,
		.user_id = USER,
		.part_ptr = &part,
		.assoc_ptr = &assoc,
		.qos_ptr = &qos,
		.details = &details,
		.alloc_node = (char *)"login",
	};
	accounting_enforce = ACCOUNTING_ENFORCE_ASSOCS;
	last_part_update++;
}

/* Is a submission denied by such a rule (NULL = by none)? */
static bool denied(const char *rule, const char *value)
{
	struct libra_host_denial d;

	libra_access_test(&wish, &d);
	if (!rule || !d.rule)
		return !rule && !d.rule;
	return strcmp(rule, d.rule) == 0 && strcmp(value, d.value) == 0 &&
	       strcmp(d.of_qos ? "low" : "main", d.name) == 0;
}

/* And the job in the queue? */
static bool bars(const char *what)
{
	const char *by = libra_barrier(JOB);

	return w.locks == 0 &&
	       (!what || !by ? !what && !by : strstr(by, what) != NULL);
}

static void test_state(void)
{
	static const struct {
		uint16_t state;
		const char *name;
		bool later, waits; /* is it denied to such a job, too? */
	} states[] = {
		{PARTITION_DOWN, "DOWN", false, true},
		{PARTITION_DRAIN, "DRAIN", true, false},
		{PARTITION_INACTIVE, "INACTIVE", true, true},
	};
	bool now = true, later = true, waits = true;

	reset();
	ok(denied(NULL, NULL) && bars(NULL), "no rule keeps a job off");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		reset();
		part.state_up = states[i].state;
		now = now && denied("State", states[i].name);
		waits = waits && bars(states[i].waits ? "state" : NULL);
		wish.later = true;
		later = later && denied(states[i].later ? "State" : NULL,
					states[i].name);
	}
	ok(now, "nothing is promised in a partition that is not up");
	ok(later, "one that is down takes what begins later");
	ok(waits, "one that drains starts what it has");
}

static void test_users(void)
{
	uid_t listed[] = {5000, 0};

	reset();
	part.flags = PART_FLAG_ROOT_ONLY;
	ok(denied("RootOnly", "YES") && bars("RootOnly"), "RootOnly");
	wish.user = job.user_id = 64030;
	ok(denied(NULL, NULL) && bars(NULL), "is for root and SlurmUser");
	part.flags = PART_FLAG_NO_ROOT;
	wish.user = job.user_id = 0;
	ok(denied("DisableRootJobs", "YES") && bars("DisableRootJobs"),
	   "DisableRootJobs");
	reset();
	part.flags = PART_FLAG_REQ_RESV;
	ok(denied("ReqResv", "YES") && bars("ReqResv"), "ReqResv");
	wish.reserved = true;
	job.resv_name = (char *)"r";
	ok(denied(NULL, NULL) && bars(NULL), "is for jobs in a reservation");
	reset();
	part.allow_alloc_nodes = (char *)"gate";
	ok(denied("AllocNodes", "gate") && bars("AllocNodes"), "AllocNodes");
	wish.alloc_node = job.alloc_node = (char *)"gate";
	ok(denied(NULL, NULL) && bars(NULL), "are these nodes");

	reset();
	part.allow_groups = (char *)"bio,chem";
	ok(denied("AllowGroups", "bio,chem") && bars("AllowGroups") &&
		   w.looked == 0,
	   "AllowGroups of no user");
	libra_set_allowed_uids(&part, listed, 1);
	ok(denied("AllowGroups", "bio,chem") && bars("AllowGroups") &&
		   w.looked == 1,
	   "AllowGroups; the directory is asked once in a while");
	wish.user = job.user_id = MEMBER;
	ok(denied(NULL, NULL) && bars(NULL),
	   "whose primary group is allowed may");
	listed[0] = wish.user = job.user_id = USER;
	ok(denied(NULL, NULL) && bars(NULL), "and who is listed");
	wish.user = job.user_id = 0;
	ok(denied(NULL, NULL) && bars(NULL), "and root");
}

/* Give so much memory to a submission and to the job in the queue. */
static void give_memory(uint64_t memory)
{
	wish.memory = details.orig_pn_min_memory = memory;
	job.bit_flags |= JOB_MEM_SET;
}

/* A job whose memory is above MaxMemPerNode never starts, whether or not it
 * gave any: the first node of the partition has 2000 MB, of which 100 MB are
 * not for jobs, and the largest 4 CPUs.
 */
static void test_memory(void)
{
	static config_record_t config = {.real_memory = 2000};
	static struct node_record node = {.config_ptr = &config,
					  .mem_spec_limit = 100},
				  *table[1] = {&node};

	reset();
	node_record_table_ptr = table;
	part.node_bitmap = bit_alloc(1);
	bit_set(part.node_bitmap, 0);
	part.max_cpu_cnt = 4;
	part.max_mem_per_cpu = 1900;
	give_memory(0);
	ok(denied(NULL, NULL) && bars(NULL), "all memory of a node");
	part.max_mem_per_cpu = 1899;
	ok(denied("MaxMemPerNode", "1899") && bars("MaxMemPerNode"),
	   "but not if MaxMemPerNode is less");
	job.bit_flags = 0;
	ok(bars("MaxMemPerNode"), "so if no memory and no default is given");
	part.def_mem_per_cpu = 1899;
	ok(bars(NULL),
	   "a default may be less, whatever a test left in the job");
	part.def_mem_per_cpu = 1900;
	ok(bars("MaxMemPerNode"), "or more, as in a new partition");
	part.def_mem_per_cpu = 0;
	slurm_conf.def_mem_per_cpu = 1899;
	ok(bars(NULL), "the cluster's default counts where there is no other");
	slurm_conf.def_mem_per_cpu = 0;
	part.max_mem_per_cpu = 1000;
	wish.memory = 500 | MEM_PER_CPU;
	wish.node_cpus = 2;
	ok(denied(NULL, NULL), "MaxMemPerNode of two CPUs");
	wish.node_cpus = 3;
	ok(denied("MaxMemPerNode", "1000"), "more of three");
	wish.node_cpus = 0;
	ok(denied("MaxMemPerNode", "1000"), "and of all CPUs of a node");
	give_memory(NO_VAL64);
	ok(denied(NULL, NULL) && bars(NULL), "memory that is not known");
	FREE_NULL_BITMAP(part.node_bitmap);
	node_record_table_ptr = NULL;
}

/* Two nodes, of which the partition has the smaller, or both. */
static void test_nodes(void)
{
	static config_record_t small = {
		.real_memory = 2000, .tmp_disk = 10, .threads = 1};
	static config_record_t large = {
		.real_memory = 4000, .tmp_disk = 30, .threads = 2};
	static struct node_record nodes[] = {{.config_ptr = &small},
					     {.config_ptr = &large}},
				  *table[] = {nodes, nodes + 1};

	reset();
	node_record_table_ptr = table;
	node_record_count = 2;
	part.node_bitmap = bit_alloc(2);
	part.nodes = (char *)"n[0-1]";
	wish.node_memory = wish.node_disk = wish.node_threads = 9000;
	ok(denied(NULL, NULL), "nothing is known of a partition without nodes");
	reset();
	part.node_bitmap = bit_alloc(2);
	bit_nset(part.node_bitmap, 0, 1);
	wish.node_memory = 2001;
	ok(denied("RealMemory", "2000"), "each node must have the memory");
	wish.node_memory = 4001;
	ok(denied("RealMemory", "2000"), "whatever the largest has");
	wish.one_has_memory = true;
	wish.node_memory = 2001;
	ok(denied(NULL, NULL), "or one, where memory is divided");
	wish.node_memory = 4001;
	ok(denied("RealMemory", "4000"), "if the largest has it");
	wish.node_memory = 4000;
	wish.node_disk = 11;
	ok(denied("TmpDisk", "10"), "each node must have the disk");
	wish.node_disk = 10;
	wish.node_threads = 2;
	ok(denied("ThreadsPerCore", "1"), "and the threads");
	bit_clear(part.node_bitmap, 0);
	ok(denied(NULL, NULL), "but not nodes of another partition");
	part.nodes = (char *)"n1";
	wish.foreign = true;
	ok(denied("Nodes", "n1"), "no job has nodes of another partition");
	part.nodes = (char *)"rack1-node[1-9],rack2-node[1-9],rack3-node[1-9],"
			     "rack4-node[10-19]";
	ok(denied("Nodes", "rack1-node[1-9],rack2-node[1-9],rack3-node[1-9],"
			   "rack4-node[1..."),
	   "a long list is cut, with a mark");
	reset();
	wish.adds_cpus = 1000;
	ok(denied("MaxMemPerCPU", "1000") && bars(NULL), "MaxMemPerCPU");
	FREE_NULL_BITMAP(part.node_bitmap);
	node_record_count = 0;
	node_record_table_ptr = NULL;
}

static void test_size(void)
{
	reset();
	part.max_nodes = 2;
	wish.min_nodes = wish.max_nodes = details.min_nodes =
		details.max_nodes = 3;
	ok(denied("MaxNodes", "2") && bars("MaxNodes"), "MaxNodes");
	qos.flags = QOS_FLAG_PART_MAX_NODE;
	ok(denied(NULL, NULL) && bars(NULL), "which a QOS may lift");
	reset();
	part.min_nodes = 2;
	wish.min_nodes = 0;
	ok(denied("MinNodes", "2") && bars("MinNodes"),
	   "MinNodes, of one node or of any number");
	qos.flags = QOS_FLAG_PART_MIN_NODE;
	ok(denied("MinNodes", "2") && bars(NULL),
	   "a QOS lifts that, but Slurm gives more nodes");
	wish.max_nodes = 1;
	ok(denied(NULL, NULL), "unless --nodes says so");
	reset();
	part.max_cpus_per_node = 0;
	ok(denied("MaxCPUsPerNode", "0") && bars("MaxCPUsPerNode"),
	   "MaxCPUsPerNode");
	reset();
	part.max_mem_per_cpu = 1000;
	give_memory(1001);
	ok(denied("MaxMemPerNode", "1000") && bars("MaxMemPerNode"),
	   "MaxMemPerNode");
	give_memory(1000);
	ok(denied(NULL, NULL) && bars(NULL), "of which a job may have all");
	reset();
	part.max_mem_per_cpu = 1 | MEM_PER_CPU;
	give_memory(1001);
	ok(denied(NULL, NULL) && bars(NULL),
	   "above MaxMemPerCPU it has more CPUs");
	test_memory();
	test_nodes();
	reset();
	part.total_nodes = 0;
	ok(denied(NULL, NULL) && bars("number of nodes"),
	   "a partition that has become too small");
	reset();
	part.total_cpus = 3;
	ok(denied(NULL, NULL) && bars("number of CPUs"), "or has fewer CPUs");
	reset();
	part.max_time = 10;
	job.time_limit = INFINITE;
	w.estimate_s = 600;
	ok(denied(NULL, NULL) && bars(NULL),
	   "a promised job may keep to MaxTime");
	w.estimate_s = 601;
	ok(bars("MaxTime"), "which is not enough for it");
	qos.flags = QOS_FLAG_PART_TIME_LIMIT;
	ok(bars(NULL), "a QOS may lift it");
	qos.flags = 0;
	job.limit_set.time = ADMIN_SET_LIMIT;
	ok(bars(NULL), "and an administrator");
}

static void test_accounts(void)
{
	char *other[] = {(char *)"other", NULL};
	char *lab[] = {(char *)"lab", NULL};

	reset();
	part.allow_accounts = (char *)"other";
	part.allow_account_array = other;
	w.no_account = true;
	ok(denied("AllowAccounts", "other") && bars("AllowAccounts"),
	   "AllowAccounts");
	part.allow_account_array = lab;
	w.no_account = false;
	ok(denied(NULL, NULL) && bars(NULL), "of the job's account");
	reset();
	part.deny_accounts = (char *)"lab";
	part.deny_account_array = lab;
	w.no_account = true;
	ok(denied("DenyAccounts", "lab") && bars("DenyAccounts"),
	   "DenyAccounts");
	part.deny_account_array = other;
	w.no_account = false;
	ok(denied(NULL, NULL) && bars(NULL), "of another");
}

static void test_qos(void)
{
	bitstr_t *list = bit_alloc(QOS + 1);

	reset();
	part.allow_qos = (char *)"high";
	part.allow_qos_bitstr = list;
	ok(denied("AllowQos", "high") && bars("AllowQos"), "AllowQos");
	wish.qos = job.qos_ptr = NULL;
	ok(denied("AllowQos", "high") && bars("AllowQos"), "without a QOS");
	reset();
	part.allow_qos_bitstr = list;
	bit_set(list, QOS);
	ok(denied(NULL, NULL) && bars(NULL), "of the job's QOS");
	reset();
	part.deny_qos = (char *)"low";
	part.deny_qos_bitstr = list;
	ok(denied("DenyQos", "low") && bars("DenyQos"), "DenyQos");
	qos.id = QOS + 1;
	ok(denied(NULL, NULL) && bars(NULL), "of another");
	FREE_NULL_BITMAP(list);

	reset();
	qos.flags = QOS_FLAG_REQ_RESV;
	ok(denied("Flags", "RequiresReservation") &&
		   bars("RequiresReservation"),
	   "RequiresReservation");
	reset();
	qos.flags = QOS_FLAG_ENFORCE_USAGE_THRES;
	qos.usage_thres = 0.25;
	w.factor = usage.fs_factor = 0.125;
	ok(denied("UsageThreshold", "0.25"), "UsageThreshold");
	w.factor = usage.fs_factor = 0.5;
	ok(denied(NULL, NULL), "of an account that used less");
	w.factor = usage.fs_factor = 0;
	usage.usage_efctv = NO_VAL;
	ok(denied(NULL, NULL), "or whose usage is not known");
}

/* What no rule of the table says. */
static void test_reasons(void)
{
	reset();
	job.state_reason = WAIT_RESOURCES;
	ok(bars(NULL), "a reason that passes keeps no job off");
	job.state_reason = WAIT_PART_DOWN;
	ok(bars(NULL), "nor does one that is out of date");
	job.state_reason = FAIL_BAD_CONSTRAINTS;
	ok(bars("FAIL_BAD_CONSTRAINTS"), "one that stays does");
	job.job_state = JOB_RUNNING;
	ok(bars(NULL), "unless the job runs");
	job.job_state = JOB_PENDING;
	job.state_reason = FAIL_ACCOUNT;
	ok(bars("FAIL_ACCOUNT"), "so does an invalid account");
	accounting_enforce = 0;
	ok(bars(NULL), "where there are accounts");
	job.part_ptr = NULL;
	ok(bars(NULL) && !libra_barrier(JOB + 1),
	   "a job without a partition, or that is gone, is asked about");
}

int main(void)
{
	test_state();
	test_users();
	test_size();
	test_accounts();
	test_qos();
	test_reasons();
	return finish();
}
