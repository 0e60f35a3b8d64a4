/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - all differences between the releases of Slurm that we build for
 * (22.05 to 26.05).
 *
 * No other file depends on the release.  The public part needs libslurm-dev.
 * The part behind LIBRA_SLURM_INTERNAL needs the source headers of exactly the
 * installed release; its functions are called in slurmctld, with the locks of
 * the select plugin's operation (select_cons_tres_libra.c).
 */
#ifndef LIBRA_BASE_COMPAT_H
#define LIBRA_BASE_COMPAT_H

#include <slurm/slurm_version.h>

#define LIBRA_SLURM(major, minor)                                              \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

#if defined LIBRA_SLURM_NUMBER && LIBRA_SLURM_NUMBER != SLURM_VERSION_NUMBER
#error "Slurm was replaced by another release: run configure again"
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0)
#error "slurm-libra needs Slurm 22.05 or newer"
#endif

/* Renamed between 24.11 and 26.05: configure tests for the name. */
#ifdef HAVE_SLURM_FREE_CONF
#define LIBRA_FREE_CONF slurm_free_conf
#else
#define LIBRA_FREE_CONF slurm_free_ctl_conf
#endif

/* The reason why a job waits, as text.  Slurm's library exports this function
 * without a declaration in a public header; renamed in 24.05.
 */
#if LIBRA_SLURM(24, 5)
#define LIBRA_REASON_TEXT slurm_job_state_reason_string
#define LIBRA_REASON_TEXT_DECLARED                                             \
	extern const char *slurm_job_state_reason_string(                      \
		enum job_state_reason inx)
#else
#define LIBRA_REASON_TEXT slurm_job_reason_string
#define LIBRA_REASON_TEXT_DECLARED                                             \
	extern const char *slurm_job_reason_string(enum job_state_reason inx)
#endif

/* The time limit of a job whose limit was lifted.  scontrol adds TimeLimit=+5
 * to the limit that Slurm shows, before 23.11 also to UNLIMITED as a number, so
 * that slurmctld was asked for 4 minutes.  In these releases the lifted limit
 * is a year, from which the intended change can be derived.
 */
#if LIBRA_SLURM(23, 11)
#define LIBRA_LIFTED_MINUTES INFINITE
#else
#define LIBRA_LIFTED_MINUTES (365u * 24 * 60)
#endif

/* The job id in the answer to a submission, a job's record, and a signal to a
 * job: 26.05 names jobs by step ids.
 */
#if LIBRA_SLURM(26, 5)
#define LIBRA_SUBMITTED_ID(answer) ((answer)->step_id.job_id)
#define LIBRA_LOAD_JOB(msg, id, flags)                                         \
	slurm_load_job((msg),                                                  \
		       ((slurm_step_id_t){.job_id = (id),                      \
					  .step_het_comp = NO_VAL,             \
					  .step_id = NO_VAL}),                 \
		       (flags))
#define LIBRA_KILL_JOB(id, signal)                                             \
	slurm_kill_job(((slurm_step_id_t){.job_id = (id),                      \
					  .step_het_comp = NO_VAL,             \
					  .step_id = NO_VAL}),                 \
		       (signal), 0)
#else
#define LIBRA_SUBMITTED_ID(answer)     ((answer)->job_id)
#define LIBRA_LOAD_JOB(msg, id, flags) slurm_load_job((msg), (id), (flags))
#define LIBRA_KILL_JOB(id, signal)     slurm_kill_job((id), (signal), 0)
#endif

/* The id of the job in a request. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_DESC_ID(desc) ((desc)->step_id.job_id)
#else
#define LIBRA_DESC_ID(desc) ((desc)->job_id)
#endif

/* 23.02 added lists of node counts, 24.05 added segments. */
#if LIBRA_SLURM(23, 2)
#define LIBRA_NODE_COUNTS(desc) ((desc)->job_size_str && *(desc)->job_size_str)
#else
#define LIBRA_NODE_COUNTS(desc) false
#endif
#if LIBRA_SLURM(24, 5)
#define LIBRA_SEGMENTS(desc) libra_host_count16((desc)->segment_size)
#else
#define LIBRA_SEGMENTS(desc) false
#endif

/* From 23.02, job_modify() can return a message to the user. */
#if LIBRA_SLURM(23, 2)
#define LIBRA_MODIFY_PARAMS                                                    \
	(job_desc_msg_t * desc, job_record_t * job, uint32_t submit_uid,       \
	 char **err_msg)
#define LIBRA_MODIFY_ERR_MSG err_msg
#define LIBRA_MODIFY(desc, job, uid, err_msg)                                  \
	job_modify(desc, job, uid, err_msg)
#else
#define LIBRA_MODIFY_PARAMS                                                    \
	(job_desc_msg_t * desc, job_record_t * job, uint32_t submit_uid)
#define LIBRA_MODIFY_ERR_MSG		      NULL
#define LIBRA_MODIFY(desc, job, uid, err_msg) job_modify(desc, job, uid)
#endif

/* Renamed in 25.11. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_ONE_TASK_PER_CORE SELECT_ONE_TASK_PER_CORE
#else
#define LIBRA_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#endif

#if LIBRA_SLURM(25, 11)
#define LIBRA_CR_MEMORY SELECT_MEMORY
#define LIBRA_CR_SOCKET SELECT_SOCKET
#else
#define LIBRA_CR_MEMORY CR_MEMORY
#define LIBRA_CR_SOCKET CR_SOCKET
#endif

/* From 25.11, fini() returns nothing. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_FINI void
#define LIBRA_FINI_RETURN
#else
#define LIBRA_FINI	  int
#define LIBRA_FINI_RETURN return SLURM_SUCCESS
#endif

/* The prefix of a generic resource's name in a request. */
#if LIBRA_SLURM(23, 11)
#define LIBRA_GRES_PREFIX "gres/"
#else
#define LIBRA_GRES_PREFIX "gres:"
#endif

/* Ports per node that a request reserves; NO_VAL16 = Slurm's default. */
#if LIBRA_SLURM(24, 5)
#define LIBRA_PORTS(d) ((d)->resv_port_cnt)
#else
#define LIBRA_PORTS(d) NO_VAL16
#endif

#ifdef LIBRA_SLURM_INTERNAL

#include "src/common/node_conf.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/select.h"
#else
#include "src/common/select.h"
#endif

/* Convert a list of nodes to a bitmap. */
#if LIBRA_SLURM(24, 11)
#define LIBRA_NODE_BITMAP(list, nodes)                                         \
	node_name2bitmap(list, false, nodes, NULL)
#define LIBRA_NODE_BITMAP_PARAMS                                               \
	(char *list, bool best_effort, bitstr_t **nodes, hostlist_t **invalid)
#else
#define LIBRA_NODE_BITMAP_PARAMS                                               \
	(char *list, bool best_effort, bitstr_t **nodes)
#define LIBRA_NODE_BITMAP(list, nodes) node_name2bitmap(list, false, nodes)
#endif

/* A node's own SuspendTime, before its partitions'; NO_VAL = none. */
#if LIBRA_SLURM(26, 5)
#define LIBRA_NODE_SUSPEND_TIME(node)                                          \
	((node)->config_ptr ? (node)->config_ptr->suspend_time : NO_VAL)
#else
#define LIBRA_NODE_SUSPEND_TIME(node) NO_VAL
#endif

/* Up to 24.11 Slurm loads all select plugins, and their ids must differ.  From
 * 25.05 it loads one, and only the id of cons_tres may use CR_CPU.
 */
#if LIBRA_SLURM(25, 5)
#define LIBRA_PLUGIN_ID 109
#else
#define LIBRA_PLUGIN_ID 190
#endif

#if LIBRA_SLURM(24, 11)
#define LIBRA_LIST list_t *
#else
#define LIBRA_LIST List
#endif

/* The pointer types of lists and iterators differ between releases. */
#define LIBRA_LIST_ITERATOR struct listIterator *

/* The cores that job_test() must not use: a bitmap of all cores, or a struct
 * with such a bitmap and one bitmap per node.
 *
 * libra_exc_add(): exclude `cores` (of all nodes), too.  The result is valid
 * until libra_exc_free(store).  `cores` is changed, and stays the caller's.
 */
#if LIBRA_SLURM(23, 11)
#define LIBRA_EXC	resv_exc_t *
#define LIBRA_EXC_STORE resv_exc_t

/* Return the cores of one node out of all, with those that an advance
 * reservation excludes.
 */
static inline bitstr_t *libra_exc_node(int i, bitstr_t *all,
				       bitstr_t *const *reserved)
{
	const node_record_t *node = node_record_table_ptr[i];
	bitoff_t at = cr_get_coremap_offset((uint32_t)i);
	bitstr_t *cores;

	if (!node || !node->tot_cores)
		return NULL;
	cores = bit_alloc(node->tot_cores);
	for (int c = 0; c < node->tot_cores; c++)
		if (bit_test(all, at + c))
			bit_set(cores, c);
	if (reserved && reserved[i])
		bit_or(cores, reserved[i]);
	return cores;
}

static inline LIBRA_EXC libra_exc_add(LIBRA_EXC_STORE *store, LIBRA_EXC exc,
				      bitstr_t *cores)
{
	*store = exc ? *exc : (resv_exc_t){0};
	store->exc_cores =
		xcalloc(node_record_count, sizeof(*store->exc_cores));
	for (int i = 0; i < node_record_count; i++)
		store->exc_cores[i] =
			libra_exc_node(i, cores, exc ? exc->exc_cores : NULL);
	if (exc && exc->core_bitmap)
		bit_or(cores, exc->core_bitmap);
	store->core_bitmap = cores;
	return store;
}

static inline void libra_exc_free(LIBRA_EXC_STORE *store)
{
	for (int i = 0; i < node_record_count; i++)
		FREE_NULL_BITMAP(store->exc_cores[i]);
	xfree(store->exc_cores);
}
#else
#define LIBRA_EXC	bitstr_t *
#define LIBRA_EXC_STORE bitstr_t *

static inline LIBRA_EXC libra_exc_add(LIBRA_EXC_STORE *store, LIBRA_EXC exc,
				      bitstr_t *cores)
{
	if (exc)
		bit_or(cores, exc);
	*store = cores;
	return cores;
}

static inline void libra_exc_free(LIBRA_EXC_STORE *store)
{
	*store = NULL;
}
#endif

#if LIBRA_SLURM(24, 11)
#define LIBRA_WILL_RUN_PARAM , will_run_data_t *will_run
#define LIBRA_WILL_RUN_ARG   , will_run
#define LIBRA_NO_WILL_RUN    , NULL
#define LIBRA_WILL_START(job)                                                  \
	(will_run && will_run->start ? will_run->start : (job)->start_time)
#define LIBRA_WILL_NOT_START_BEFORE(job, begin)                                \
	do {                                                                   \
		if (will_run && will_run->start < (begin))                     \
			will_run->start = (begin);                             \
		if ((job)->start_time < (begin))                               \
			(job)->start_time = (begin);                           \
	} while (0)
#else
#define LIBRA_WILL_NOT_START_BEFORE(job, begin)                                \
	do {                                                                   \
		if ((job)->start_time < (begin))                               \
			(job)->start_time = (begin);                           \
	} while (0)
#define LIBRA_WILL_START(job) ((job)->start_time)
#define LIBRA_WILL_RUN_PARAM
#define LIBRA_WILL_RUN_ARG
#define LIBRA_NO_WILL_RUN
#endif

#define LIBRA_JOB_TEST_PARAMS                                                  \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes,             \
	 uint32_t max_nodes, uint32_t req_nodes, uint16_t mode,                \
	 LIBRA_LIST candidates, LIBRA_LIST * preemptees,                       \
	 LIBRA_EXC exc LIBRA_WILL_RUN_PARAM)

#define LIBRA_JOB_TEST_ARGS                                                    \
	(job, nodes, min_nodes, max_nodes, req_nodes, mode, candidates,        \
	 preemptees, exc LIBRA_WILL_RUN_ARG)

#define LIBRA_TEST_ORDINARY_PARAMS                                             \
	(job_record_t * job, struct libra_host_job * seen, bitstr_t * nodes,   \
	 uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes,           \
	 uint16_t mode, LIBRA_LIST candidates, LIBRA_LIST * preemptees,        \
	 LIBRA_EXC exc LIBRA_WILL_RUN_PARAM)

/* How Slurm would preempt a job. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif

/* The generic resources that Slurm has chosen. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/gres.h"
#else
#include "src/common/gres.h"
#endif

/* How a job shares its nodes: numbers up to 23.11, then bits.  The bits of this
 * mask mean whole nodes; the others name the users that may share them.
 */
#if LIBRA_SLURM(24, 5)
#define LIBRA_WHOLE_NODE WHOLE_NODE_REQUIRED
#else
#define LIBRA_WHOLE_NODE UINT8_MAX
#endif

/* The memory of a node that jobs may have, in MB. */
#define LIBRA_NODE_MEMORY(node)                                                \
	((node)->real_memory > (node)->mem_spec_limit                          \
		 ? (node)->real_memory - (node)->mem_spec_limit                \
		 : 0)

/* Cores of a node only for jobs with GPUs; CPUs per socket of a partition;
 * nodes for external jobs.
 */
#if LIBRA_SLURM(24, 5)
#define LIBRA_GPU_CORES(node) ((node)->gpu_spec != NULL)
#else
#define LIBRA_GPU_CORES(node) false
#endif
#if LIBRA_SLURM(23, 2)
#define LIBRA_SOCKET_CPUS(part) ((part)->max_cpus_per_socket)
#else
#define LIBRA_SOCKET_CPUS(part) 0
#endif
#if LIBRA_SLURM(25, 5)
#define LIBRA_IS_EXTERNAL(node) IS_NODE_EXTERNAL((node))
#else
#define LIBRA_IS_EXTERNAL(node) false
#endif

/* Return true if the partition's topology places jobs of several nodes in a way
 * that promises do not count.  From 25.05 topology.yaml can set a topology per
 * partition.
 */
#if LIBRA_SLURM(25, 5)
#include "src/interfaces/topology.h"
#pragma weak topology_g_get
#if LIBRA_SLURM(25, 11)
#define LIBRA_TOPOLOGY_FREE topology_g_topoinfo_free
#pragma weak topology_g_topoinfo_free
#else
#define LIBRA_TOPOLOGY_FREE topology_g_topology_free
#pragma weak topology_g_topology_free
#endif
static inline bool libra_places_oddly(const part_record_t *part)
{
	dynamic_plugin_data_t *topology = NULL;
	bool odd;

	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, part->topology_name,
			   &topology) != SLURM_SUCCESS ||
	    !topology)
		return true;
	odd = topology->plugin_id != TOPOLOGY_PLUGIN_FLAT &&
	      topology->plugin_id != TOPOLOGY_PLUGIN_TREE;
	LIBRA_TOPOLOGY_FREE(topology);
	return odd;
}
#else
static inline bool libra_places_oddly(const part_record_t *part)
{
	const char *plugin = slurm_conf.topology_plugin;

	(void)part;
	return plugin && (strstr(plugin, "block") || strstr(plugin, "ring") ||
			  strstr(plugin, "torus3d"));
}
#endif

/* The flag of partitions with ExclusiveTopo: nodes near a job's stay empty. */
#ifdef PART_FLAG_EXCLUSIVE_TOPO
#define LIBRA_EXCLUSIVE_TOPO PART_FLAG_EXCLUSIVE_TOPO
#else
#define LIBRA_EXCLUSIVE_TOPO 0
#endif

/* MCS labels of users, accounts or groups. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/mcs.h"
#else
#include "src/common/slurm_mcs.h"
#endif

/* Allocate nodes to a job and start the job. */
#include "src/slurmctld/node_scheduler.h"
#if LIBRA_SLURM(24, 5)
#include "src/slurmctld/proc_req.h"
#else
#include "src/slurmctld/srun_comm.h"
#endif
#if LIBRA_SLURM(24, 11)
#define LIBRA_SELECT_NODES(job)                                                \
	select_nodes(&(job_node_select_t){.job_ptr = (job)}, false, false,     \
		     SLURMDB_JOB_FLAG_SCHED)
#define LIBRA_SELECT_NODES_PARAMS                                              \
	(job_node_select_t * selected, bool test_only, bool submission,        \
	 uint32_t scheduler)
#define LIBRA_SELECT_NODES_JOB (selected->job_ptr)
#else
#define LIBRA_SELECT_NODES(job)                                                \
	select_nodes(job, false, NULL, NULL, false, SLURMDB_JOB_FLAG_SCHED)
#define LIBRA_SELECT_NODES_PARAMS                                              \
	(job_record_t * selected, bool test_only, bitstr_t **nodes,            \
	 char **err_msg, bool submission, uint32_t scheduler)
#define LIBRA_SELECT_NODES_JOB selected
#endif

/* From 24.05 Slurm may give a node to fewer tasks than fit: if only some of a
 * job's tasks there have GPUs near their cores, these tasks alone.  A given
 * number of tasks per node prevents that.
 */
#define LIBRA_TASKS_NEAR_GPUS LIBRA_SLURM(24, 5)

/* Backfill tests and starts a job with --time-min with that limit.  True if
 * Slurm then raises the limit to the requested one, whatever was tested.
 */
#if LIBRA_SLURM(25, 5)
#define LIBRA_RAISES_TIME_MIN true
#else
#define LIBRA_RAISES_TIME_MIN                                                  \
	(xstrcasestr(slurm_conf.sched_params, "time_min_as_soft_limit") != NULL)
#endif

/* Parse a request's licences; *valid: that many exist. */
#if LIBRA_SLURM(26, 5)
#define LIBRA_LICENSES(text, valid)                                            \
	license_validate((char *)(text), true, true, false, NULL, (valid),     \
			 &(bool){false})
#elif LIBRA_SLURM(25, 5)
#define LIBRA_LICENSES(text, valid)                                            \
	license_validate((char *)(text), true, true, false, NULL, (valid))
#else
#define LIBRA_LICENSES(text, valid)                                            \
	license_validate((char *)(text), true, true, NULL, (valid))
#endif

/* Return true for a licence of certain nodes only (a hierarchical resource). */
#if LIBRA_SLURM(25, 5)
#define LIBRA_IS_HRES(license) ((license)->id.hres_id != NO_VAL16)
#else
#define LIBRA_IS_HRES(license) ((void)(license), false)
#endif

/* The users of a partition's AllowGroups: a list that ends with 0; from 23.02 a
 * list with a count.
 */
static inline bool libra_has_allowed_uids(const part_record_t *part)
{
#if LIBRA_SLURM(23, 2)
	return part->allow_uids_cnt > 0;
#else
	return part->allow_uids != NULL;
#endif
}

static inline bool libra_is_allowed_uid(const part_record_t *part, uid_t user)
{
#if LIBRA_SLURM(23, 2)
	for (int i = 0; i < part->allow_uids_cnt; i++)
#else
	for (int i = 0; part->allow_uids && part->allow_uids[i]; i++)
#endif
		if (part->allow_uids[i] == user)
			return true;
	return false;
}

/* For tests: set n users; users[n] is 0. */
static inline void libra_set_allowed_uids(part_record_t *part, uid_t *users,
					  int n)
{
	part->allow_uids = users;
#if LIBRA_SLURM(23, 2)
	part->allow_uids_cnt = n;
#else
	(void)n;
#endif
}

/* AllowAccounts and DenyAccounts: names up to 22.05, where Slurm's own test
 * writes a log line at each call; then accounts with their descendants.
 */
#if LIBRA_SLURM(23, 2)
#pragma weak part_policy_valid_acct
static inline bool libra_is_allowed_account(part_record_t *part,
					    const slurmdb_assoc_rec_t *assoc)
{
	return part_policy_valid_acct(part, assoc ? assoc->acct : NULL, NULL) ==
	       SLURM_SUCCESS;
}
#else
static inline bool libra_is_listed(char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static inline bool libra_is_allowed_account(part_record_t *part,
					    const slurmdb_assoc_rec_t *assoc)
{
	const char *account = assoc ? assoc->acct : NULL;

	if (part->allow_account_array && part->allow_account_array[0])
		return account &&
		       libra_is_listed(part->allow_account_array, account);
	return !account || !libra_is_listed(part->deny_account_array, account);
}
#endif

/* The fairshare factor that Slurm compares with UsageThreshold. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_FAIR_SHARE(assoc) ((assoc)->usage->fs_factor)
#else
extern double priority_g_calc_fs_factor(long double usage_efctv,
					long double shares_norm);
#pragma weak priority_g_calc_fs_factor
#define LIBRA_FAIR_SHARE(assoc)                                                \
	priority_g_calc_fs_factor((assoc)->usage->usage_efctv,                 \
				  (assoc)->usage->shares_norm)
#endif

/* True if Slurm enforces MaxTRESRunMinsPerUser and -PerAccount. */
#define LIBRA_RUN_MINS_PER_USER LIBRA_SLURM(24, 5)
#if LIBRA_RUN_MINS_PER_USER
#define LIBRA_RUN_SECS(used) ((used)->tres_run_secs)
#else
#define LIBRA_RUN_SECS(used) NULL
#endif

#if LIBRA_SLURM(23, 11)
#define LIBRA_COORDINATES(uid, account)                                        \
	assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, false)
#define LIBRA_COORDINATES_PARAMS                                               \
	(void *conn, uint32_t uid, char *account, bool locked)
#else
#define LIBRA_COORDINATES(uid, account)                                        \
	assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account)
#define LIBRA_COORDINATES_PARAMS (void *conn, uint32_t uid, char *account)
#endif

/* The operations of a select plugin that are forwarded unchanged: X(result,
 * name, parameters, arguments).  The plugin handles these itself: node_init,
 * job_test, job_suspend, job_resume, job_resized, job_fini,
 * select_nodeinfo_set.
 */
#define LIBRA_OPS_ALWAYS(X)                                                    \
	X(int, job_begin, (job_record_t * job), (job))                         \
	X(int, job_ready, (job_record_t * job), (job))                         \
	X(int, job_expand, (job_record_t * from, job_record_t * to),           \
	  (from, to))                                                          \
	X(int, select_nodeinfo_set_all, (void), ())

#if LIBRA_SLURM(26, 5)
#define LIBRA_OPS_NEW(X) X(void, job_mem_reduce, (job_record_t * job), (job))
#else
#define LIBRA_OPS_NEW(X)
#endif

#if !LIBRA_SLURM(25, 5)
#define LIBRA_OPS_TO_24_11(X)                                                  \
	X(int, state_save, (char *dir), (dir))                                 \
	X(int, state_restore, (char *dir), (dir))                              \
	X(int, job_init, (LIBRA_LIST jobs), (jobs))                            \
	X(bitstr_t *, step_pick_nodes,                                         \
	  (job_record_t * job, select_jobinfo_t * info, uint32_t n,            \
	   bitstr_t * *avail),                                                 \
	  (job, info, n, avail))                                               \
	X(int, step_start, (step_record_t * step), (step))                     \
	X(int, step_finish, (step_record_t * step, bool killing),              \
	  (step, killing))                                                     \
	X(int, select_nodeinfo_pack,                                           \
	  (select_nodeinfo_t * info, buf_t * buf, uint16_t version),           \
	  (info, buf, version))                                                \
	X(int, select_nodeinfo_unpack,                                         \
	  (select_nodeinfo_t * *info, buf_t * buf, uint16_t version),          \
	  (info, buf, version))                                                \
	X(select_nodeinfo_t *, select_nodeinfo_alloc, (void), ())              \
	X(int, select_nodeinfo_free, (select_nodeinfo_t * info), (info))       \
	X(int, select_nodeinfo_get,                                            \
	  (select_nodeinfo_t * info, enum select_nodedata_type what,           \
	   enum node_states state, void *data),                                \
	  (info, what, state, data))                                           \
	X(select_jobinfo_t *, select_jobinfo_alloc, (void), ())                \
	X(int, select_jobinfo_free, (select_jobinfo_t * info), (info))         \
	X(int, select_jobinfo_set,                                             \
	  (select_jobinfo_t * info, enum select_jobdata_type what,             \
	   void *data),                                                        \
	  (info, what, data))                                                  \
	X(int, select_jobinfo_get,                                             \
	  (select_jobinfo_t * info, enum select_jobdata_type what,             \
	   void *data),                                                        \
	  (info, what, data))                                                  \
	X(select_jobinfo_t *, select_jobinfo_copy, (select_jobinfo_t * info),  \
	  (info))                                                              \
	X(int, select_jobinfo_pack,                                            \
	  (select_jobinfo_t * info, buf_t * buf, uint16_t version),            \
	  (info, buf, version))                                                \
	X(int, select_jobinfo_unpack,                                          \
	  (select_jobinfo_t * *info, buf_t * buf, uint16_t version),           \
	  (info, buf, version))                                                \
	X(int, get_info_from_plugin,                                           \
	  (enum select_plugindata_info what, job_record_t * job, void *data),  \
	  (what, job, data))
#else
#define LIBRA_OPS_TO_24_11(X)
#endif

#if !LIBRA_SLURM(23, 11)
#define LIBRA_OPS_TO_23_02(X)                                                  \
	X(bitstr_t *, resv_test,                                               \
	  (resv_desc_msg_t * resv, uint32_t n, bitstr_t * avail,               \
	   bitstr_t * *cores),                                                 \
	  (resv, n, avail, cores))
#else
#define LIBRA_OPS_TO_23_02(X)
#endif

#if !LIBRA_SLURM(23, 2)
#define LIBRA_OPS_TO_22_05(X)                                                  \
	X(int, job_signal, (job_record_t * job, int sig), (job, sig))          \
	X(char *, select_jobinfo_sprint,                                       \
	  (select_jobinfo_t * info, char *buf, size_t size, int mode),         \
	  (info, buf, size, mode))                                             \
	X(char *, select_jobinfo_xstrdup, (select_jobinfo_t * info, int mode), \
	  (info, mode))                                                        \
	X(int, update_node_config, (int index), (index))
#else
#define LIBRA_OPS_TO_22_05(X)
#endif

#define LIBRA_OPS(X)                                                           \
	LIBRA_OPS_ALWAYS(X)                                                    \
	LIBRA_OPS_NEW(X)                                                       \
	LIBRA_OPS_TO_24_11(X)                                                  \
	LIBRA_OPS_TO_23_02(X)                                                  \
	LIBRA_OPS_TO_22_05(X)

/* From 24.05 the state of a job has accessors; the IS_JOB_* macros hide them.
 * An array's record contains the same hash of tasks in all releases: while
 * Slurm tries one task, the record has that task's id and counts the task.
 */
#define LIBRA_ARRAY_WAITING(job)                                               \
	((job)->array_recs ? (job)->array_recs->task_cnt : 0)

#endif /* LIBRA_SLURM_INTERNAL */
#endif
