/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_ops.c - see slurm_ops.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
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

#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/select/access.h"
#include "plugin/base/node_states.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/power_save.h"
#include "plugin/select/job_env.h"
#include "plugin/select/comment.h"
#include "plugin/select/locks.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/rules.h"
#include "plugin/select/pending.h"
#include "plugin/select/wake.h"

#pragma weak acct_db_conn
#pragma weak assoc_mgr_is_user_acct_coord
#pragma weak find_job_record
#pragma weak job_list
#pragma weak last_job_update
#pragma weak last_node_update
#pragma weak last_resv_update
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak resv_list
#pragma weak slurm_conf
#pragma weak validate_operator

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

static bool starts_again(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->priority && job->restart_cnt &&
	       job->details &&
	       job->details->begin_time - time(NULL) <= LIBRA_AGAIN_S;
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
	       job->details->begin_time > libra_planned_begin(job)) ||
	      job->details->dependency)))
		return LIBRA_JOB_BLOCKED;
	return LIBRA_JOB_PENDING;
}

/* Write the first words of the record of an offer.
 * Result: their length.
 */
static size_t claim_text(char *text, size_t size, uint64_t epoch,
			 uint64_t offer)
{
	return (size_t)snprintf(text, size, "libra:1 offer=%llu.%llu ",
				(unsigned long long)epoch,
				(unsigned long long)offer);
}

/* A submission that Slurm refused may leave a job record for a while: ignore
 * it.
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

static bool reserved(uint8_t *nodes, uint32_t n)
{
	LIBRA_LIST_ITERATOR it;
	const slurmctld_resv_t *resv;
	bool any = false;

	if (!resv_list || list_is_empty(resv_list))
		return false;
	it = list_iterator_create(resv_list);
	while ((resv = list_next(it))) {
		if (resv->end_time <= time(NULL) || !resv->node_bitmap)
			continue;
		if (!any)
			memset(nodes, 0, n);
		any = true;
		for (uint32_t i = 0; i < n; i++)
			nodes[i] |= bit_test(resv->node_bitmap, (int)i) != 0;
	}
	list_iterator_destroy(it);
	return any;
}

static enum libra_host_repeat repeat_of(uint64_t flags)
{
	if (flags & RESERVE_FLAG_HOURLY)
		return LIBRA_HOURLY;
	if (flags & RESERVE_FLAG_DAILY)
		return LIBRA_DAILY;
	if (flags & RESERVE_FLAG_WEEKDAY)
		return LIBRA_WEEKDAYS;
	if (flags & RESERVE_FLAG_WEEKEND)
		return LIBRA_WEEKEND;
	return flags & RESERVE_FLAG_WEEKLY ? LIBRA_WEEKLY : LIBRA_ONCE;
}

/* A floating advance reservation is always a while ahead: it counts as begun.
 */
static bool reservations(
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
		return true;
	/* Slurm's own would end slurmctld. */
	nodes = calloc(n + 1, sizeof(*nodes));
	if (!nodes)
		return false;
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
			.repeat = repeat_of(resv->flags),
		};
		each(arg, &r);
	}
	list_iterator_destroy(it);
	free(nodes);
	return true;
}

/* Does a node that reboots, or is to, take jobs again then? Without ASAP and
 * nextstate=RESUME it takes jobs until it reboots, and is no case of this.
 */
static bool returns(const node_record_t *n)
{
	bool resumes = n->next_state != NO_VAL &&
		       (n->next_state & NODE_STATE_BASE) != NODE_STATE_DOWN;

	if (n->node_state & NODE_STATE_REBOOT_ISSUED)
		return resumes ||
		       (n->next_state == NO_VAL && !IS_NODE_DRAIN(n));
	return resumes && (n->next_state & NODE_RESUME);
}

static enum libra_node_state node_state(uint32_t node)
{
	const node_record_t *n = node_record_table_ptr[node];

	return n ? libra_node_row(n->node_state, false)->counts
		 : LIBRA_NODE_DOWN;
}

static bool has_ended(const job_record_t *job)
{
	return !IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job);
}

/* Return the latest end of the jobs of a node, by their limits.
 * Cost:   the number of Slurm's jobs.
 */
static double jobs_end_s(uint32_t node)
{
	uint32_t left = node_record_table_ptr[node]->run_job_cnt +
			node_record_table_ptr[node]->sus_job_cnt;
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *job;
	double end_s = 0;

	while (left > 0 && (job = list_next(it))) {
		if (has_ended(job) || !job->node_bitmap ||
		    !bit_test(job->node_bitmap, (int)node))
			continue;
		left--;
		if (job->time_limit == INFINITE || IS_JOB_SUSPENDED(job))
			end_s = INFINITY;
		else
			end_s = fmax(end_s, (double)job->end_time);
	}
	list_iterator_destroy(it);
	return end_s;
}

/* Estimate of an epilog, until the first job was measured. */
#define EPILOG_S 30

static bool node_away(uint32_t node, struct libra_host_away *away)
{
	const node_record_t *n = node_record_table_ptr[node];
	const struct libra_node_row *row;

	if (!n)
		return false;
	row = libra_node_row(n->node_state, returns(n));
	if (row->away == LIBRA_AWAY_NOT)
		return false;
	*away = (struct libra_host_away){.kind = row->away, .text = row->text};
	switch (row->away) {
	case LIBRA_AWAY_COMPLETING:
		away->expect_s = slurm_conf.epilog ? EPILOG_S : 0;
		away->longest_s = (uint32_t)libra_cleared_s();
		break;
	case LIBRA_AWAY_REBOOT_ASKED:
		away->jobs_end_s = jobs_end_s(node);
		away->expect_s = slurm_conf.resume_timeout;
		break;
	case LIBRA_AWAY_REBOOT:
		away->expect_s = slurm_conf.resume_timeout;
		break;
	case LIBRA_AWAY_POWERS_DOWN: /* the margin covers the boot */
		away->expect_s = slurm_conf.suspend_timeout;
		break;
	default:
		away->expect_s = libra_wakes_s(node);
	}
	return true;
}

static uint64_t reservations_stamp(void)
{
	return (uint64_t)last_resv_update;
}

static uint64_t nodes_stamp(void)
{
	return ((uint64_t)last_node_update << 32) + (uint64_t)last_resv_update;
}

void libra_set_record(job_record_t *job, const struct libra_host_record *record)
{
	time_t was = libra_planned_begin(job);

	libra_need_job_lock(__func__);
	/* If the former record is lost, a later begin time was its planned
	 * start.
	 */
	if (libra_comment_set(job, record->comment) && job->details)
		was = job->details->begin_time;
	last_job_update = time(NULL);
	libra_set_begin(job, was);
	libra_job_env_set(job, record);
	if (IS_JOB_PENDING(job))
		job->billable_tres = (double)NO_VAL; /* as of no run */
}

void libra_take_record(job_record_t *job,
		       struct libra_host_placement *placement)
{
	if (!placement->record.comment)
		return;
	libra_set_record(job, &placement->record);
	free(placement->record.comment);
	placement->record.comment = NULL;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	job_record_t *job = find_job_record(id);

	if (job)
		libra_set_record(job, record);
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

/* Slurm ends a job with its advance reservation, unless that is FLEX or recurs.
 * Count whole minutes, so that the job ends before.
 */
static uint32_t minutes_reserved(const job_record_t *job)
{
	const slurmctld_resv_t *resv = job->resv_ptr;
	time_t from = IS_JOB_PENDING(job) ? time(NULL) : job->start_time, to;

	if (!resv || slurm_conf.resv_over_run == INFINITE16 ||
	    repeat_of(resv->flags) != LIBRA_ONCE ||
	    (resv->flags & (RESERVE_FLAG_FLEX | RESERVE_FLAG_ANY_NODES |
			    RESERVE_FLAG_TIME_FLOAT)))
		return INFINITE;
	to = resv->end_time + 60 * (time_t)slurm_conf.resv_over_run;
	if ((to - from) / 60 >= NO_VAL)
		return INFINITE;
	return to - from >= 60 ? (uint32_t)((to - from) / 60) : 1;
}

static uint32_t minutes_of(const job_record_t *job)
{
	uint32_t reserved = minutes_reserved(job);

	return reserved < job->time_limit ? reserved : job->time_limit;
}

static uint32_t job_minutes(uint32_t id)
{
	const job_record_t *job = find_job_record(id);

	return job && !IS_JOB_FINISHED(job) ? minutes_of(job) : 0;
}

/* Backfill may test and start a job with a shorter limit than it has in the
 * end: one that waits, or has just started, and whose limit can be such.
 */
static bool is_shortened(const job_record_t *job)
{
	if (!IS_JOB_PENDING(job) && job->start_time + 1 < time(NULL))
		return false;
	if (job->time_limit == 1 && slurm_conf.preempt_mode && job->qos_ptr &&
	    (job->qos_ptr->flags & QOS_FLAG_NO_RESERVE))
		return true;
	return job->time_min && !job->deadline &&
	       job->time_limit == job->time_min && LIBRA_RAISES_TIME_MIN;
}

/* Return the longest that a shortened time limit may have been. */
static uint32_t longest_minutes(const job_record_t *job)
{
	uint32_t reserved;

	if (!is_shortened(job))
		return minutes_of(job);
	reserved = minutes_reserved(job);
	if (!job->part_ptr || job->limit_set.time == ADMIN_SET_LIMIT ||
	    (job->qos_ptr && (job->qos_ptr->flags & QOS_FLAG_PART_TIME_LIMIT)))
		return reserved;
	return reserved < job->part_ptr->max_time ? reserved
						  : job->part_ptr->max_time;
}

struct libra_host_job libra_view(const job_record_t *job, bool look_only)
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
		.minutes = libra_host_from_slurm(longest_minutes(job)),
		.longest = is_shortened(job),
		.start_s = (double)job->start_time,
		.submit_s = details ? (double)details->submit_time : 0,
		.deadline_s = job->deadline == (time_t)NO_VAL
				      ? 0
				      : (double)job->deadline,
		.size.ncpus = details ? details->min_cpus : 0,
		.size.ntasks = details ? details->num_tasks : 0,
		.size.cpus_per_task =
			details && details->cpus_per_task < NO_VAL16
				? details->cpus_per_task
				: 0,
		.size.tasks_per_node = details ? details->ntasks_per_node : 0,
		.size.min_nodes = details ? details->min_nodes : 0,
		.size.max_nodes =
			details ? libra_host_count(details->max_nodes) : 0,
		.nodes.exclusive =
			details && (details->whole_node & LIBRA_WHOLE_NODE) ==
					   WHOLE_NODE_REQUIRED,
		.nodes.one_user = libra_wants_alone(job),
		.alone = libra_is_alone(job),
		.size.threads_per_core = mc && mc->threads_per_core < NO_VAL16
						 ? mc->threads_per_core
						 : 0,
		.size.task_per_core = mc && mc->ntasks_per_core == 1,
		.suspended = IS_JOB_SUSPENDED(job),
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
		.account = job->account,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.nodes.constraint = details ? details->features : NULL,
		.nodes.list = details ? details->req_nodes : NULL,
		.nodes.exclude = details ? details->exc_nodes : NULL,
		.gres.job = libra_host_gres_asked(job->tres_per_job),
		.gres.node = libra_host_gres_asked(job->tres_per_node),
		.gres.task = libra_host_gres_asked(job->tres_per_task),
		.gres.socket = libra_host_gres_asked(job->tres_per_socket),
		.gres.sockets =
			mc ? libra_host_count16(mc->sockets_per_node) : 0,
		.gres.cpus_per = libra_host_gres_asked(job->cpus_per_tres),
		.gres.mem_per = libra_host_gres_asked(job->mem_per_tres),
		.look_only = look_only,
	};

	if (details && details->pn_min_memory != NO_VAL64) {
		if (details->pn_min_memory & MEM_PER_CPU)
			seen.mem.per_cpu =
				details->pn_min_memory & ~MEM_PER_CPU;
		else
			seen.mem.per_node = details->pn_min_memory;
	}
	if (details && (slurm_conf.select_type_param & LIBRA_CR_MEMORY))
		libra_hold(details->pn_min_memory, &seen);
	libra_with_gpus(job, &seen);
	return seen;
}

static bool is_older(const job_record_t *a, const job_record_t *b)
{
	time_t a_s = a->details->submit_time, b_s = b->details->submit_time;

	return a_s < b_s || (a_s == b_s && a->job_id < b->job_id);
}

static bool oldest(bool (*may)(const void *arg, double submit_s,
			       uint32_t job_id, const char *partition),
		   const void *arg, double before_s,
		   struct libra_host_job *seen)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *job, *found = NULL;

	while ((job = list_next(it)))
		if (libra_waits_for_place(job) && !libra_planned_begin(job) &&
		    (double)job->details->submit_time < before_s &&
		    (!found || is_older(job, found)) &&
		    may(arg, (double)job->details->submit_time, job->job_id,
			job->part_ptr->name))
			found = job;
	list_iterator_destroy(it);
	if (found)
		*seen = libra_view(found, false);
	return found != NULL;
}

static bool running(uint32_t id, struct libra_host_job *seen)
{
	const job_record_t *job = find_job_record(id);

	if (!job || IS_JOB_FINISHED(job) || IS_JOB_PENDING(job))
		return false;
	*seen = libra_view(job, false);
	(void)libra_parts_of(job, seen); /* else it is unreported */
	return true;
}

/* Of a job that is about to be changed: no scheduler looks at it. */
static struct libra_host_job view_record(const void *record)
{
	const job_record_t *job = record;
	struct libra_host_job seen = libra_view(job, false);

	seen.minutes = libra_host_from_slurm(job->time_limit);
	seen.longest = false;
	return seen;
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

/* A job that is requeued is pending again before its end is reported. */
static enum libra_host_end ended(uint32_t id)
{
	const job_record_t *job = find_job_record(id);

	if (!job)
		return LIBRA_END_OVER;
	if (IS_JOB_PENDING(job) || IS_JOB_REQUEUED(job))
		return LIBRA_END_REQUEUED;
	if (IS_JOB_NODE_FAILED(job))
		return LIBRA_END_NODE;
	return IS_JOB_CANCELLED(job) ? LIBRA_END_CANCELLED : LIBRA_END_OVER;
}

const struct libra_host_ops libra_slurm_ops = {
	.view = view_record,
	.running = running,
	.right = right,
	.rules = libra_rules,
	.default_qos = libra_default_qos,
	.memory = libra_memory,
	.usable = libra_usable,
	.write_record = keep,
	.log = log_line,
	.job_state = job_state,
	.barrier = libra_barrier,
	.job_minutes = job_minutes,
	.oldest = oldest,
	.find_claim = find_claim,
	.has_claim = has_claim,
	.node_state = node_state,
	.node_away = node_away,
	.wakes_s = libra_wakes_s,
	.reserved = reserved,
	.reservations = reservations,
	.reservations_stamp = reservations_stamp,
	.nodes_stamp = nodes_stamp,
	.ended_by_itself = ended_by_itself,
	.ended = ended,
	.charge = charge,
	.wake = libra_wake,
};
