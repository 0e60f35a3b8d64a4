/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - every difference between the Slurm releases we build for.
 *
 * 22.05 to 26.05.  Nothing else in the project asks for the release.  The
 * public part needs libslurm-dev; the part behind LIBRA_SLURM_INTERNAL needs
 * Slurm's source headers of exactly the installed release.
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

/* Renamed between 24.11 and 26.05: configure looks which it is. */
#ifdef HAVE_SLURM_FREE_CONF
#define LIBRA_FREE_CONF slurm_free_conf
#else
#define LIBRA_FREE_CONF slurm_free_ctl_conf
#endif

/* Why a job waits, as text.  Slurm's library exports it, and no public header
 * declares it; renamed in 24.05.
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

/* The time limit of a job that has none any more.  scontrol counts TimeLimit=+5
 * from the limit that Slurm shows, and before 23.11 from UNLIMITED as from any
 * number: slurmctld was asked for 4 minutes.  So there it is a year, from which
 * one can tell what was meant.
 */
#if LIBRA_SLURM(23, 11)
#define LIBRA_LIFTED_MINUTES INFINITE
#else
#define LIBRA_LIFTED_MINUTES (365u * 24 * 60)
#endif

/* The id in the answer to a submission, one job's record, and a signal to it:
 * 26.05 names jobs as it does steps.
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

/* The id of the job that a request is about. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_DESC_ID(desc) ((desc)->step_id.job_id)
#else
#define LIBRA_DESC_ID(desc) ((desc)->job_id)
#endif

/* Lists of numbers of nodes are of 23.02, segments of 24.05. */
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

/* job_modify() can speak to the user from 23.02. */
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

/* fini() returns nothing from 25.11. */
#if LIBRA_SLURM(25, 11)
#define LIBRA_FINI void
#define LIBRA_FINI_RETURN
#else
#define LIBRA_FINI	  int
#define LIBRA_FINI_RETURN return SLURM_SUCCESS
#endif

/* How a generic resource's name begins in a request. */
#if LIBRA_SLURM(23, 11)
#define LIBRA_GRES_PREFIX "gres/"
#else
#define LIBRA_GRES_PREFIX "gres:"
#endif

/* Ports of each node that a request reserves; NO_VAL16 = as Slurm counts. */
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

/* The nodes of a list. */
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

/* A node's own, before what partitions say; NO_VAL = none. */
#if LIBRA_SLURM(26, 5)
#define LIBRA_NODE_SUSPEND_TIME(node)                                          \
	((node)->config_ptr ? (node)->config_ptr->suspend_time : NO_VAL)
#else
#define LIBRA_NODE_SUSPEND_TIME(node) NO_VAL
#endif

/* Up to 24.11 every select plugin found is loaded and ids must differ; from
 * 25.05 one is, and only the id of cons_tres may use CR_CPU.
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

/* Lists and their iterators lost their pointer types on the way. */
#define LIBRA_LIST_ITERATOR struct listIterator *

/* What job_test() may not use: a bitmap of all cores, or a struct with it and
 * with one bitmap a node.
 *
 * libra_exc_add(): what may not be used, and `cores` (of all nodes) besides.
 * The store is of one call, and freed after it; `cores` changes, and stays the
 * caller's.
 */
#if LIBRA_SLURM(23, 11)
#define LIBRA_EXC	resv_exc_t *
#define LIBRA_EXC_STORE resv_exc_t

/* The cores of one node, from those of all; what a reservation keeps from the
 * job stays kept.
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

/* How a job would be preempted. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif

/* What Slurm has chosen of generic resources. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/gres.h"
#else
#include "src/common/gres.h"
#endif

/* How a job wants its nodes: numbers up to 23.11, then bits.  Those of the
 * first mask say whether it has all of each, the others for whom it keeps them.
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

/* Cores that are for jobs with GPUs, of a node; CPUs of a socket, of a
 * partition; nodes that are for external jobs.
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

/* topology.yaml is of 25.05, and has a topology of its own for partitions: does
 * that place jobs of several nodes as no promise counts?
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

/* By partition: nodes of a job are its user's alone, or others are empty. */
#ifdef PART_FLAG_EXCLUSIVE_TOPO
#define LIBRA_EXCLUSIVE_TOPO PART_FLAG_EXCLUSIVE_TOPO
#else
#define LIBRA_EXCLUSIVE_TOPO 0
#endif

/* Labels of users, accounts or groups. */
#if LIBRA_SLURM(23, 2)
#include "src/interfaces/mcs.h"
#else
#include "src/common/slurm_mcs.h"
#endif

/* Allocate nodes to a job, and start it there. */
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

/* From 24.05 a node that has near a job's cores the GPUs of some of its tasks
 * there, and not of all, is given to those tasks alone; but where it is told
 * how many a node has.
 */
#define LIBRA_TASKS_NEAR_GPUS LIBRA_SLURM(24, 5)

/* Backfill tries and starts a job with --time-min with that as its limit; does
 * it raise it to what the user asked for when the job has started, whatever was
 * tested?
 */
#if LIBRA_SLURM(25, 5)
#define LIBRA_RAISES_TIME_MIN true
#else
#define LIBRA_RAISES_TIME_MIN                                                  \
	(xstrcasestr(slurm_conf.sched_params, "time_min_as_soft_limit") != NULL)
#endif

/* What a request's licences are; *valid: are there so many? */
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

/* Is a licence of certain nodes alone (a hierarchical resource)? */
#if LIBRA_SLURM(25, 5)
#define LIBRA_IS_HRES(license) ((license)->id.hres_id != NO_VAL16)
#else
#define LIBRA_IS_HRES(license) ((void)(license), false)
#endif

/* The users that a partition's AllowGroups stand for: a list that ends with 0,
 * then one with a count.
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

/* For tests: n of them, and a 0. */
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
 * writes to the log at each call; then accounts with those below them.
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

/* Are MaxTRESRunMinsPerUser and -PerAccount more than numbers? */
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

/* The operations of a select plugin that are forwarded as they are:
 * X(result, name, parameters, arguments).  Those we look at ourselves
 * (node_init, job_test, job_suspend, job_resume, job_resized,
 * job_fini, select_nodeinfo_set) are not among them.
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

/* The state of a job became a field of its own with accessors in 24.05; the
 * IS_JOB_* macros hide it.  A record's hash of tasks is the same throughout:
 * while one of them is tried it has that one's task id, and counts it.
 */
#define LIBRA_ARRAY_WAITING(job)                                               \
	((job)->array_recs ? (job)->array_recs->task_cnt : 0)

#endif /* LIBRA_SLURM_INTERNAL */
#endif
