/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_cons_tres_libra.c - select/cons_tres, led to the promised processors.
 *
 * Slurm's own select_cons_tres.so does the work: this plugin loads it, hands
 * every operation on, and for a job with a promise leaves it no other cores
 * than the promised ones.  It tells the host (libslurm_libra.so) what the
 * cluster is and what happens to jobs.
 *
 * Up to 24.11 commands and slurmd load select plugins too: what only slurmctld
 * has is declared weak, and init() is silent.
 */
#define LIBRA_SLURM_INTERNAL

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/host/compat.h"
#include "plugin/host/host.h"
#include "plugin/times/times.h"
#include "plugin/host/units.h"
#include "plugin/select/room.h"
#include "plugin/select/limits.h"
#include "plugin/select/rules.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/start.h"
#include "plugin/select/changes.h"

#pragma weak acct_db_conn
#pragma weak assoc_mgr_is_user_acct_coord
#pragma weak default_part_name
#pragma weak find_job_record
#pragma weak job_list
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak resv_list
#pragma weak slurm_conf
#pragma weak last_job_update
#pragma weak validate_operator
#pragma weak last_node_update
#pragma weak last_resv_update

const char plugin_name[] = "cons_tres with promised processors";
const char plugin_type[] = "select/cons_tres_libra";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;
const uint32_t plugin_id = LIBRA_PLUGIN_ID;

int init(void);
LIBRA_FINI fini(void);

/* --- the stock plugin ---------------------------------------------------- */

#define DECLARE_OP(result, name, params, args) result(*name) params;

static struct {
	void *handle;
	int (*init)(void);
	LIBRA_FINI (*fini)(void);
	int (*node_init)(void);
	int(*job_test) LIBRA_JOB_TEST_PARAMS;
	int (*job_suspend)(job_record_t *job, bool indf);
	int (*job_resume)(job_record_t *job, bool indf);
	int (*job_fini)(job_record_t *job);
	int (*select_nodeinfo_set)(job_record_t *job);
	LIBRA_OPS(DECLARE_OP)
} stock;

/* Prototypes, then the functions: each hands on what it is given. */
#define FORWARD_OP(result, name, params, args)                                 \
	extern result select_p_##name params;                                  \
	extern result select_p_##name params                                   \
	{                                                                      \
		return stock.name args;                                        \
	}
LIBRA_OPS(FORWARD_OP)

extern int select_p_node_init(void);
extern int select_p_job_test LIBRA_JOB_TEST_PARAMS;
extern int select_p_job_suspend(job_record_t *job, bool indf);
extern int select_p_job_resume(job_record_t *job, bool indf);
extern int select_p_job_fini(job_record_t *job);
extern int select_p_select_nodeinfo_set(job_record_t *job);

#define OP_ENTRY(result, name, params, args)                                   \
	{"select_p_" #name, (void **)&stock.name},

static const struct {
	const char *symbol;
	void **at;
} ops[] = {
	{"init", (void **)&stock.init},
	{"fini", (void **)&stock.fini},
	{"select_p_node_init", (void **)&stock.node_init},
	{"select_p_job_test", (void **)&stock.job_test},
	{"select_p_job_suspend", (void **)&stock.job_suspend},
	{"select_p_job_resume", (void **)&stock.job_resume},
	{"select_p_job_fini", (void **)&stock.job_fini},
	{"select_p_select_nodeinfo_set", (void **)&stock.select_nodeinfo_set},
	LIBRA_OPS(OP_ENTRY)};

/* Programs that link libslurm load us too, and have less of Slurm than its own
 * commands: nothing that init() calls may be missing there.
 */
static void *open_stock(void)
{
	char *dirs = strdup(slurm_conf.plugindir ? slurm_conf.plugindir : "");
	char *save = NULL, *dir;
	char path[4096];
	void *handle = NULL;

	for (dir = dirs ? strtok_r(dirs, ":", &save) : NULL; dir && !handle;
	     dir = strtok_r(NULL, ":", &save)) {
		snprintf(path, sizeof(path), "%s/select_cons_tres.so", dir);
		handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	}
	free(dirs);
	return handle;
}

static int load_stock(void)
{
	const uint32_t *version;

	stock.handle = open_stock();
	if (!stock.handle) {
		error("%s: Slurm's select_cons_tres.so is not in PluginDir (%s)",
		      plugin_type, slurm_conf.plugindir);
		return SLURM_ERROR;
	}
	version = dlsym(stock.handle, "plugin_version");
	if (!version || *version != SLURM_VERSION_NUMBER) {
		error("%s: select_cons_tres.so is of another release of Slurm",
		      plugin_type);
		goto fail;
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		*ops[i].at = dlsym(stock.handle, ops[i].symbol);
		if (*ops[i].at)
			continue;
		error("%s: select_cons_tres.so has no %s", plugin_type,
		      ops[i].symbol);
		goto fail;
	}
	return SLURM_SUCCESS;
fail:
	dlclose(stock.handle);
	stock.handle = NULL;
	return SLURM_ERROR;
}

/* --- what the host asks us ------------------------------------------------ */

static void log_line(enum libra_host_level level, const char *text)
{
	switch (level) {
	case LIBRA_HOST_ERROR:
		error("libra: %s", text);
		break;
	case LIBRA_HOST_INFO:
		info("libra: %s", text);
		break;
	case LIBRA_HOST_DEBUG:
		debug("libra: %s", text);
		break;
	}
}

/* Slurm starts a job again only after two minutes, or so: what is promised to
 * it is kept for it.
 */
#define AGAIN_S 125

static bool starts_again(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->priority && job->restart_cnt &&
	       job->details && job->details->begin_time - time(NULL) <= AGAIN_S;
}

/* The caller of the host holds the job lock, to read at least. */
static enum libra_host_job_state job_state(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || IS_JOB_FINISHED(job))
		return LIBRA_JOB_GONE;
	if (!IS_JOB_PENDING(job))
		return LIBRA_JOB_ALIVE;
	if (job->priority == 0 ||
	    (job->details &&
	     ((job->details->begin_time > time(NULL) && !starts_again(job) &&
	       job->details->begin_time != libra_planned_begin(job)) ||
	      job->details->dependency)))
		return LIBRA_JOB_BLOCKED;
	return LIBRA_JOB_PENDING;
}

/* How the record of a job begins that has an offer.  Result: its length. */
static size_t claim_text(char *text, size_t size, uint64_t epoch,
			 uint64_t offer)
{
	return (size_t)snprintf(text, size, "libra:1 offer=%llu.%llu ",
				(unsigned long long)epoch,
				(unsigned long long)offer);
}

/* One that Slurm could not take may leave a record for a while: that is none.
 */
static bool claims(const job_record_t *job, const char *text, size_t len)
{
	return job->admin_comment && !IS_JOB_FAILED(job) &&
	       strncmp(job->admin_comment, text, len) == 0;
}

static uint32_t find_claim(uint64_t epoch, uint64_t offer)
{
	LIBRA_LIST_ITERATOR it;
	const job_record_t *job;
	uint32_t id = 0;
	char text[64];
	size_t len = claim_text(text, sizeof(text), epoch, offer);

	it = list_iterator_create(job_list);
	while (!id && (job = list_next(it)))
		if (claims(job, text, len))
			id = job->job_id;
	list_iterator_destroy(it);
	return id;
}

static bool has_claim(uint32_t id, uint64_t epoch, uint64_t offer)
{
	const job_record_t *job = find_job_record(id);
	char text[64];

	return job &&
	       claims(job, text, claim_text(text, sizeof(text), epoch, offer));
}

/* Is a node reserved, now or later? */
static bool reserved(uint32_t node)
{
	LIBRA_LIST_ITERATOR it;
	const slurmctld_resv_t *resv;
	bool found = false;

	if (!resv_list || list_is_empty(resv_list))
		return false;
	it = list_iterator_create(resv_list);
	while (!found && (resv = list_next(it)))
		found = resv->end_time > time(NULL) && resv->node_bitmap &&
			bit_test(resv->node_bitmap, node);
	list_iterator_destroy(it);
	return found;
}

/* One that floats is always a while ahead: as if it had begun. */
static void reservations(
	void (*each)(void *arg,
		     const struct libra_host_reservation *reservation),
	void *arg, double now_s)
{
	uint32_t n = (uint32_t)node_record_count;
	struct libra_host_reservation r;
	const slurmctld_resv_t *resv;
	LIBRA_LIST_ITERATOR it;
	uint8_t *nodes;

	if (!resv_list || list_is_empty(resv_list))
		return;
	nodes = xcalloc(n + 1, sizeof(*nodes));
	it = list_iterator_create(resv_list);
	while ((resv = list_next(it))) {
		if (!resv->node_bitmap || (double)resv->end_time <= now_s)
			continue;
		for (uint32_t i = 0; i < n; i++)
			nodes[i] = bit_test(resv->node_bitmap, (int)i) != 0;
		r = (struct libra_host_reservation){
			.from_s = resv->flags & RESERVE_FLAG_TIME_FLOAT
					  ? 0
					  : (double)resv->start_time,
			.to_s = (double)resv->end_time,
			.nodes = nodes,
		};
		each(arg, &r);
	}
	list_iterator_destroy(it);
	xfree(nodes);
}

/* A node that slurmctld has not heard of since it started counts as up: it
 * mostly is, and a promise on one that is not is asked for again.
 */
static enum libra_node_state node_state(uint32_t node)
{
	const node_record_t *n = node_record_table_ptr[node];

	if (!n || IS_NODE_DOWN(n) || IS_NODE_FUTURE(n))
		return LIBRA_NODE_DOWN;
	if (IS_NODE_DRAIN(n) || IS_NODE_FAIL(n))
		return LIBRA_NODE_DRAIN;
	return LIBRA_NODE_UP;
}

static uint64_t nodes_stamp(void)
{
	return ((uint64_t)last_node_update << 32) + (uint64_t)last_resv_update;
}

/* A job's record shall say what it is promised now. */
static void set_record(job_record_t *job,
		       const struct libra_host_record *record)
{
	time_t was = libra_planned_begin(job);

	xfree(job->admin_comment);
	job->admin_comment = xstrdup(record->comment);
	last_job_update = time(NULL);
	libra_set_begin(job, was);
	libra_changes_set(job, record);
	if (IS_JOB_PENDING(job))
		job->billable_tres = (double)NO_VAL; /* as of no run */
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	job_record_t *job = find_job_record(id);

	if (job)
		set_record(job, record);
}

/* Fairshare charges CPUs, or what a partition's weights make of a job, times
 * wall clock.  A job that works with a part of its processors, or stands still
 * until it has its turn on them, is charged that part.
 */
static void charge(uint32_t id, double rate)
{
	job_record_t *job = find_job_record(id);
	double all;

	if (!job || !IS_JOB_RUNNING(job) || !job->tres_alloc_cnt ||
	    !job->part_ptr)
		return;
	all = job->total_cpus;
	if (job->part_ptr->billing_weights)
		all = assoc_mgr_tres_weighted(job->tres_alloc_cnt,
					      job->part_ptr->billing_weights,
					      slurm_conf.priority_flags, false);
	job->billable_tres = rate * all;
}

static uint32_t job_minutes(uint32_t id)
{
	const job_record_t *job = find_job_record(id);

	return job && !IS_JOB_FINISHED(job) ? job->time_limit : 0;
}

static struct libra_host_job view(const job_record_t *job, bool look_only)
{
	/* Its type has another name from release to release. */
	const __typeof__(*job->details) *details = job->details;
	const __typeof__(*details->mc_ptr) *mc =
		details ? details->mc_ptr : NULL;

	struct libra_host_job seen = {
		.job_id = job->job_id,
		.user = job->user_id,
		.comment = job->admin_comment,
		.waiting = LIBRA_ARRAY_WAITING(job),
		.array = job->array_job_id,
		.whole_array = job->job_id == job->array_job_id,
		.minutes = libra_host_from_slurm(job->time_limit),
		.start_s = (double)job->start_time,
		.ncpus = details ? details->min_cpus : 0,
		.ntasks = details ? details->num_tasks : 0,
		.cpus_per_task = details && details->cpus_per_task < NO_VAL16
					 ? details->cpus_per_task
					 : 0,
		.tasks_per_node = details ? details->ntasks_per_node : 0,
		.min_nodes = details ? details->min_nodes : 0,
		.threads_per_core = mc && mc->threads_per_core < NO_VAL16
					    ? mc->threads_per_core
					    : 0,
		.task_per_core = mc && mc->ntasks_per_core == 1,
		.suspended = IS_JOB_SUSPENDED(job),
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
		.account = job->account,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.constraint = details ? details->features : NULL,
		.nodelist = details ? details->req_nodes : NULL,
		.exclude = details ? details->exc_nodes : NULL,
		.gres_node = job->tres_per_node,
		.look_only = look_only,
	};

	if (details && details->pn_min_memory != NO_VAL64) {
		if (details->pn_min_memory & MEM_PER_CPU)
			seen.mem_per_cpu =
				details->pn_min_memory & ~MEM_PER_CPU;
		else
			seen.mem_per_node = details->pn_min_memory;
	}
	if (details && (slurm_conf.select_type_param & LIBRA_CR_MEMORY))
		libra_hold(details->pn_min_memory, &seen);
	return seen;
}

/* One that waits for nothing but a place.  Slurm gives no reason to a job that
 * its scheduler has not come to; without slurmdbd 23.11 and 24.05 give none.
 */
static bool waits_for_place(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->priority && job->details &&
	       job->part_ptr && !job->het_job_id && !libra_planned_begin(job) &&
	       (job->state_reason == WAIT_RESOURCES ||
		job->state_reason == WAIT_PRIORITY ||
		job->state_reason == WAIT_NO_REASON);
}

static bool oldest(bool (*has)(const void *arg, const char *partition),
		   const void *arg, double before_s,
		   struct libra_host_job *seen)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *job, *found = NULL;

	while ((job = list_next(it)))
		if (waits_for_place(job) &&
		    (double)job->details->submit_time < before_s &&
		    (!found ||
		     job->details->submit_time < found->details->submit_time) &&
		    has(arg, job->part_ptr->name))
			found = job;
	list_iterator_destroy(it);
	if (found)
		*seen = view(found, false);
	return found != NULL;
}

static struct libra_host_job view_record(const void *record)
{
	return view(record, false);
}

/* Slurm's own rule for updates; 22.05 asks us before it applies it. */
static enum libra_host_right right(const void *record, uint32_t user)
{
	const job_record_t *job = record;

	if (validate_operator(user))
		return LIBRA_RIGHT_OPERATOR;
	if (job->user_id == user || LIBRA_COORDINATES(user, job->account))
		return LIBRA_RIGHT_OWNER;
	return LIBRA_RIGHT_NONE;
}

/* Its state is set before job_fini() tells us of its end.  A job that fails
 * says nothing about those that do not, and may fail at once.
 */
static bool ended_by_itself(uint32_t id)
{
	const job_record_t *job = find_job_record(id);

	return job && (IS_JOB_COMPLETE(job) || IS_JOB_TIMEOUT(job));
}

static const struct libra_host_ops host_ops = {
	.view = view_record,
	.right = right,
	.rules = libra_rules,
	.memory = libra_memory,
	.usable = libra_usable,
	.write_record = keep,
	.log = log_line,
	.job_state = job_state,
	.job_minutes = job_minutes,
	.oldest = oldest,
	.find_claim = find_claim,
	.has_claim = has_claim,
	.node_state = node_state,
	.reserved = reserved,
	.reservations = reservations,
	.nodes_stamp = nodes_stamp,
	.ended_by_itself = ended_by_itself,
	.charge = charge,
	.wake = libra_start_wake,
};

/* --- the cluster ---------------------------------------------------------- */

struct site {
	struct libra_host_cluster pub;
	const char **names;
	uint32_t *procs;
	uint64_t *mem;
	const char **gres;
	struct libra_host_partition *parts;
};

static void site_fini(struct site *site)
{
	for (uint32_t i = 0; i < site->pub.npartitions; i++)
		free((void *)site->parts[i].nodes);
	free(site->names);
	free(site->procs);
	free(site->mem);
	free(site->gres);
	free(site->parts);
}

static bool add_partition(struct site *site, const part_record_t *part)
{
	struct libra_host_partition *p = &site->parts[site->pub.npartitions];
	uint8_t *nodes = calloc(site->pub.nnodes + 1, 1);

	if (!nodes)
		return false;
	for (uint32_t i = 0; i < site->pub.nnodes; i++)
		nodes[i] = part->node_bitmap && bit_test(part->node_bitmap, i);
	p->name = part->name;
	p->max_minutes = part->max_time;
	/* Without FORCE only jobs that ask for it share. */
	p->max_jobs = part->max_share & SHARED_FORCE
			      ? part->max_share & ~SHARED_FORCE
			      : 1;
	p->nodes = nodes;
	p->whole_nodes = part->max_share == 0; /* OverSubscribe=EXCLUSIVE */
	site->pub.npartitions++;
	return true;
}

static bool add_partitions(struct site *site)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(part_list);
	part_record_t *part;
	bool ok = true;

	while (ok && (part = list_next(it)))
		ok = add_partition(site, part);
	list_iterator_destroy(it);
	return ok;
}

static bool site_init(struct site *site)
{
	uint32_t n = (uint32_t)node_record_count;
	const node_record_t *node;

	*site = (struct site){0};
	site->names = calloc(n + 1, sizeof(*site->names));
	site->procs = calloc(n + 1, sizeof(*site->procs));
	site->mem = calloc(n + 1, sizeof(*site->mem));
	site->gres = calloc(n + 1, sizeof(*site->gres));
	site->parts =
		calloc((size_t)list_count(part_list) + 1, sizeof(*site->parts));
	if (!site->names || !site->procs || !site->mem || !site->gres ||
	    !site->parts)
		return false;
	site->pub.nnodes = n;
	site->pub.cpus_per_proc = 1;
	for (uint32_t i = 0; i < n; i++) {
		node = node_record_table_ptr[i];
		site->names[i] = node ? node->name : "";
		site->procs[i] = node ? node->tot_cores : 0;
		site->mem[i] =
			node && node->real_memory > node->mem_spec_limit
				? node->real_memory - node->mem_spec_limit
				: 0;
		if (node && node->config_ptr)
			site->gres[i] = node->config_ptr->gres;
		if (node && node->tot_cores && node->cpus > node->tot_cores)
			site->pub.cpus_per_proc = node->cpus / node->tot_cores;
	}
	site->pub.task_per_core =
		slurm_conf.select_type_param & LIBRA_ONE_TASK_PER_CORE;
	site->pub.sched_params = slurm_conf.sched_params;
	site->pub.state_folder = slurm_conf.state_save_location;
	site->pub.default_partition = default_part_name;
	site->pub.max_array = slurm_conf.max_array_sz;
	site->pub.node_names = site->names;
	site->pub.node_procs = site->procs;
	site->pub.node_mem = site->mem;
	site->pub.node_gres = site->gres;
	site->pub.partitions = site->parts;
	return add_partitions(site);
}

extern int select_p_node_init(void)
{
	int rc = stock.node_init();
	struct site site;

	if (rc != SLURM_SUCCESS)
		return rc;
	libra_room_fini();
	libra_host_init(libra_host_shared(), &host_ops);
	libra_host_say_times(libra_host_shared());
	if (!site_init(&site) ||
	    libra_host_set_cluster(libra_host_shared(), &site.pub) < 0)
		error("libra: no job is managed: see the lines above");
	site_fini(&site);
	if (!libra_start_begin())
		error("libra: no thread: promised jobs start when Slurm looks "
		      "at them");
	return rc;
}

/* --- jobs ------------------------------------------------------------------
 */

static void take_record(job_record_t *job,
			struct libra_host_placement *placement)
{
	if (!placement->record.comment)
		return;
	set_record(job, &placement->record);
	free(placement->record.comment);
	placement->record.comment = NULL;
}

/* A bitmap of all cores, with all set but those of a placement. */
static bitstr_t *all_but(const struct libra_host_placement *p)
{
	bitstr_t *cores = libra_cores_of(p);

	bit_not(cores);
	return cores;
}

/* Leave the nodes of a placement alone.  Result: how many it has, or 0 if one
 * of them is not to be had.
 */
static uint32_t narrow(bitstr_t *nodes, const struct libra_host_placement *p)
{
	bitstr_t *wanted = bit_alloc(node_record_count);
	uint32_t n;

	for (size_t i = 0; i < p->nparts; i++)
		bit_set(wanted, p->parts[i].node);
	n = (uint32_t)bit_set_count(wanted);
	bit_and(nodes, wanted);
	if ((uint32_t)bit_set_count(nodes) != n)
		n = 0;
	FREE_NULL_BITMAP(wanted);
	return n;
}

/* Of the call that we are in: under the job write lock it is the only one. */
static struct libra_host_watch watch;

static void begin_call(void)
{
	watch = (struct libra_host_watch){0};
	libra_host_watch_start(&watch);
}

static void end_call(enum libra_host_call call)
{
	libra_host_watch_stop(&watch);
	libra_host_took(libra_host_shared(), call, &watch);
}

/* What Slurm does is not our time. */
static int stock_test LIBRA_JOB_TEST_PARAMS
{
	int rc;

	libra_host_watch_stop(&watch);
	rc = stock.job_test LIBRA_JOB_TEST_ARGS;
	libra_host_watch_start(&watch);
	return rc;
}

/* Where the host wants the job.  Kept over calls: job_test() runs under the
 * job write lock, one at a time.
 */
static struct libra_host_placement placement;

/* Let Slurm end a waiting job at its next look: state DEADLINE, as a job of its
 * own that can no longer end in time.
 */
static void end_as_late(job_record_t *job)
{
	job->deadline = time(NULL);
	job->time_min = 1;
}

/* Cores that one without a promise may not use now, or NULL: such as are kept
 * for those that are due, and such as promised jobs may still need.
 */
static bitstr_t *not_for(const job_record_t *job)
{
	bitstr_t *full = libra_room_full(job), *kept = NULL;

	libra_host_kept(libra_host_shared(), &placement);
	if (placement.nparts)
		kept = libra_cores_of(&placement);
	if (full && kept)
		bit_or(kept, full);
	if (!kept)
		return full;
	FREE_NULL_BITMAP(full);
	return kept;
}

/* One without a promise: Slurm finds a place for it, and the host says whether
 * it may have that now.
 */
static int test_ordinary LIBRA_TEST_ORDINARY_PARAMS
{
	bool now = SELECT_IS_MODE_RUN_NOW(mode);
	bitstr_t *kept = now ? not_for(job) : NULL;
	LIBRA_EXC_STORE narrowed;
	int rc;

	if (now && !libra_limits_leave(job)) {
		FREE_NULL_BITMAP(kept);
		return ESLURM_NODES_BUSY;
	}
	rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
			candidates, preemptees,
			kept ? libra_exc_add(&narrowed, exc, kept)
			     : exc LIBRA_WILL_RUN_ARG);
	if (kept)
		libra_exc_free(&narrowed);
	FREE_NULL_BITMAP(kept);
	if (rc != SLURM_SUCCESS ||
	    libra_ordinary_may(job, seen, nodes,
			       now ? 0 : LIBRA_WILL_START(job)))
		return rc;
	if (now)
		free_job_resources(&job->job_resrcs);
	return ESLURM_NODES_BUSY;
}

static int test_job LIBRA_JOB_TEST_PARAMS
{
	bool look_only = SELECT_IS_MODE_TEST_ONLY(mode);
	struct libra_host_job seen =
		view(job, look_only || libra_limits_hold(job));
	enum libra_host_place where =
		libra_host_place(libra_host_shared(), &seen, &placement);
	LIBRA_EXC_STORE narrowed;
	bitstr_t *cores;
	uint32_t n;
	int rc;

	take_record(job, &placement);
	libra_host_flush_records(libra_host_shared());
	if ((where == LIBRA_PLACE_STOCK || where == LIBRA_PLACE_LOST) &&
	    !look_only)
		libra_room_memory(job, &seen, nodes);
	/* "Could it ever run" is asked of the whole machine. */
	if (!look_only &&
	    (where == LIBRA_PLACE_STOCK || where == LIBRA_PLACE_LOST))
		return test_ordinary(job, &seen, nodes, min_nodes, max_nodes,
				     req_nodes, mode, candidates, preemptees,
				     exc LIBRA_WILL_RUN_ARG);
	if (look_only)
		return stock_test(job, nodes, min_nodes, max_nodes, req_nodes,
				  mode, candidates, preemptees,
				  exc LIBRA_WILL_RUN_ARG);
	if (where == LIBRA_PLACE_WAIT && SELECT_IS_MODE_WILL_RUN(mode) &&
	    libra_planned_begin(job)) {
		rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes,
				mode, candidates, preemptees,
				exc LIBRA_WILL_RUN_ARG);
		LIBRA_WILL_NOT_START_BEFORE(job, libra_planned_begin(job));
		return rc;
	}
	if (where == LIBRA_PLACE_END)
		end_as_late(job);
	if (where != LIBRA_PLACE_HERE)
		return ESLURM_NODES_BUSY;
	/* Its time limit was reckoned from its submission. */
	if (SELECT_IS_MODE_RUN_NOW(mode) && job->time_limit > placement.minutes)
		job->time_limit = placement.minutes;
	n = narrow(nodes, &placement);
	if (n == 0)
		return ESLURM_NODES_BUSY;
	if (max_nodes < n)
		max_nodes = n;
	if (min_nodes < n)
		min_nodes = n;
	if (req_nodes < n)
		req_nodes = n;
	cores = all_but(&placement);
	rc = stock_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
			candidates, preemptees,
			libra_exc_add(&narrowed, exc, cores)
				LIBRA_WILL_RUN_ARG);
	libra_exc_free(&narrowed);
	FREE_NULL_BITMAP(cores);
	if (rc != SLURM_SUCCESS)
		debug("libra: %pJ: cons_tres cannot use the promised cores",
		      job);
	return rc;
}

extern int select_p_job_test LIBRA_JOB_TEST_PARAMS
{
	int rc;

	begin_call();
	rc = test_job LIBRA_JOB_TEST_ARGS;
	end_call(LIBRA_CALL_TEST);
	return rc;
}

/* Does the job run on the promised cores?  Cores of a job are numbered over
 * its own nodes.
 */
static bool as_promised(const job_record_t *job,
			const struct libra_host_placement *p)
{
	const job_resources_t *res = job->job_resrcs;
	bitstr_t *cores;
	bitoff_t at = 0, all;
	bool same = true;

	if (!res || !res->core_bitmap || !res->node_bitmap)
		return false;
	cores = all_but(p);
	for (int i = 0; same && i < node_record_count; i++) {
		if (!bit_test(res->node_bitmap, i))
			continue;
		all = cr_get_coremap_offset((uint32_t)i);
		for (int c = 0; c < node_record_table_ptr[i]->tot_cores; c++)
			if (bit_test(res->core_bitmap, at++) ==
			    bit_test(cores, all + c))
				same = false;
	}
	FREE_NULL_BITMAP(cores);
	return same;
}

static void set_job(job_record_t *job)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = view(job, false);

	if (IS_JOB_PENDING(job)) {
		libra_host_restore(libra_host_shared(), &seen, &p);
		take_record(job, &p);
	} else if (job->node_bitmap) {
		libra_room_started(job);
		libra_parts_of(job, &seen);
		libra_host_started(libra_host_shared(), &seen, &p);
		free((void *)seen.parts);
		take_record(job, &p);
		if (p.nparts && !as_promised(job, &p))
			error("libra: %pJ does not run where it was promised to",
			      job);
		libra_changes_known(job);
	}
	free(p.parts);
	libra_host_flush_records(libra_host_shared());
	libra_changes_send(job);
}

/* Called when a job starts, and for every job after node_init(). */
extern int select_p_select_nodeinfo_set(job_record_t *job)
{
	int rc = stock.select_nodeinfo_set(job);

	if (rc != SLURM_SUCCESS || IS_JOB_FINISHED(job))
		return rc;
	begin_call();
	set_job(job);
	end_call(LIBRA_CALL_SET);
	return rc;
}

static void set_suspended(const job_record_t *job, bool suspended)
{
	begin_call();
	libra_host_suspended(libra_host_shared(), job->job_id, suspended);
	libra_host_flush_records(libra_host_shared());
	end_call(LIBRA_CALL_END);
}

extern int select_p_job_suspend(job_record_t *job, bool indf)
{
	int rc = stock.job_suspend(job, indf);

	if (rc == SLURM_SUCCESS)
		set_suspended(job, true);
	return rc;
}

extern int select_p_job_resume(job_record_t *job, bool indf)
{
	int rc = stock.job_resume(job, indf);

	if (rc == SLURM_SUCCESS)
		set_suspended(job, false);
	return rc;
}

/* Of one that goes back into the queue as its node failed. */
static bool goes_back(const job_record_t *job)
{
	return job->batch_flag && job->details && job->details->requeue &&
	       IS_JOB_NODE_FAILED(job);
}

extern int select_p_job_fini(job_record_t *job)
{
	struct libra_host_job seen;

	begin_call();
	libra_room_ended();
	libra_host_ended(libra_host_shared(), job->job_id);
	if (goes_back(job)) {
		seen = view(job, false);
		libra_host_keep(libra_host_shared(), &seen);
	}
	libra_host_flush_records(libra_host_shared());
	libra_changes_send(job);
	end_call(LIBRA_CALL_END);
	return stock.job_fini(job);
}

/* --- the plugin -------------------------------------------------------------
 */

int init(void)
{
	if (load_stock() != SLURM_SUCCESS)
		return SLURM_ERROR;
	if (stock.init() == SLURM_SUCCESS)
		return SLURM_SUCCESS;
	dlclose(stock.handle);
	stock.handle = NULL;
	return SLURM_ERROR;
}

LIBRA_FINI fini(void)
{
	if (stock.handle) {
		libra_start_end();
		libra_host_fini(libra_host_shared());
		stock.fini();
		dlclose(stock.handle);
		stock.handle = NULL;
		libra_room_fini();
		free(placement.parts);
		placement = (struct libra_host_placement){0};
	}
	LIBRA_FINI_RETURN;
}
