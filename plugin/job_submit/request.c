/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - see request.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/job_submit/request.h"

/* CPUs of all tasks together. */
static uint32_t count_cpus(const job_desc_msg_t *d, uint32_t per_task)
{
	uint32_t nodes = libra_host_count(d->min_nodes);
	uint32_t per_node = libra_host_count16(d->ntasks_per_node);
	uint32_t n = libra_host_count(d->min_cpus);

	n = libra_host_larger(
		n, libra_host_times(libra_host_count(d->num_tasks), per_task));
	return libra_host_larger(
		n,
		libra_host_times(libra_host_times(nodes, per_node), per_task));
}

static bool given(const char *text)
{
	return text && *text;
}

/* Return true if a job begins later, or after other jobs. */
static bool begins_later(const job_desc_msg_t *d)
{
	return d->begin_time > time(NULL) || given(d->dependency);
}

/* Return a list of generic resources, or NULL.  "none" refuses the defaults of
 * the nodes.
 */
static const char *gres_list(const char *text)
{
	text = libra_host_gres_asked(text);
	return text && !strstr(text, "none") ? text : NULL;
}

static const char *shared_option(uint16_t shared)
{
	switch (shared) {
	case NO_VAL16:
	case JOB_SHARED_OK:
	case JOB_SHARED_NONE:
		return NULL;
	case JOB_SHARED_USER:
		return "--exclusive=user";
	case JOB_SHARED_MCS:
		return "--exclusive=mcs";
	default:
		return "--exclusive=topo";
	}
}

/* Return the first option that restricts the choice of cores or sharing in a
 * way that promises do not count, or NULL.
 */
static const char *pinned(const job_desc_msg_t *d)
{
	uint32_t tasks =
		libra_host_larger(1, libra_host_count16(d->ntasks_per_node));
	uint32_t cpus =
		libra_host_larger(1, libra_host_count16(d->cpus_per_task));

	if (d->contiguous && d->contiguous != NO_VAL16)
		return "--contiguous";
	if (d->core_spec && d->core_spec != NO_VAL16)
		return d->core_spec & CORE_SPEC_THREAD ? "--thread-spec"
						       : "--core-spec";
	if (libra_host_count16(d->ntasks_per_socket))
		return "--ntasks-per-socket";
	if (libra_host_count16(d->sockets_per_node) &&
	    !gres_list(d->tres_per_socket))
		return "--sockets-per-node";
	if (libra_host_count16(d->cores_per_socket))
		return "--cores-per-socket";
	if (libra_host_count16(d->pn_min_cpus) > tasks * cpus)
		return "--mincpus";
	return shared_option(d->shared);
}

/* Does it want generic resources? */
static bool wants_gres(const job_desc_msg_t *d)
{
	const char *const texts[] = {d->tres_per_job, d->tres_per_node,
				     d->tres_per_socket, d->tres_per_task};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (gres_list(texts[i]))
			return true;
	return false;
}

/* Parts of GPUs. */
static bool wants_parts(const job_desc_msg_t *d)
{
	const char *const texts[] = {d->tres_per_job, d->tres_per_node,
				     d->tres_per_socket, d->tres_per_task};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i] &&
		    (strstr(texts[i], "shard") || strstr(texts[i], "mps")))
			return true;
	return false;
}

/* Return a request's option that Slurm tests after it has chosen nodes, and
 * that no promise counts, with what to do instead; or NULL.  The user reads the
 * text behind "a promise does not count".
 */
static const char *uncounted(const job_desc_msg_t *d)
{
	if (d->bitflags & CRON_JOB)
		return "runs of scrontab, which come again and again and have "
		       "no deadline: let the script call sbatch";
	if (libra_host_count(d->req_switch))
		return "switches: leave --switches out";
	if (LIBRA_NODE_COUNTS(d))
		return "lists of numbers of nodes: give one, --nodes=N";
	if (LIBRA_SEGMENTS(d))
		return "segments of nodes: leave --segment out";
	if (wants_parts(d))
		return "parts of GPUs (shard, mps): give --gres=gpu:N";
	if (d->tres_per_task && strstr(d->tres_per_task, "license"))
		return "licenses in --tres-per-task: give --licenses";
	if (given(d->prefer))
		return "preferred features: leave --prefer out, or give "
		       "--constraint";
	if (d->qos && strchr(d->qos, ','))
		return "which of several QOS a job starts in: give one";
	return NULL;
}

/* Return the rest of the first word of the job's comment with this beginning,
 * or NULL.  For users of sites without our SPANK options.
 */
static const char *said_behind(const job_desc_msg_t *d, const char *beginning)
{
	static const char between[] = " ,;";
	const char *at = d->comment ? d->comment : "";
	size_t len = strlen(beginning);

	for (at += strspn(at, between); *at; at += strspn(at, between)) {
		if (strncmp(at, beginning, len) == 0)
			return at + len;
		at += strcspn(at, between);
	}
	return NULL;
}

/* Is a word one of the job's comment? */
static bool says(const job_desc_msg_t *d, const char *word)
{
	const char *end = said_behind(d, word);

	return end && (!*end || strchr(" ,;", *end));
}

/* Return the part of the time that more nodes divide among them. */
static double speedup(const job_desc_msg_t *d)
{
	const char *text = said_behind(d, "libra_speedup=");
	char *end;
	double value;

	if (!text)
		return 0;
	value = strtod(text, &end);
	return end != text && (!*end || strchr(" ,;", *end)) && value >= 0 &&
			       value <= 1
		       ? value
		       : NAN;
}

/* Read a request.  d has no text that is too long; too_long: the first that was
 * removed, or NULL.
 */
struct libra_host_request libra_request(const job_desc_msg_t *d,
					const struct libra_text *too_long)
{
	struct libra_host_request r = {
		.partition = d->partition,
		.times.estimate_s = libra_host_minutes_s(d->time_limit),
		.times.limit_s = libra_host_minutes_s(d->time_limit),
		.times.deadline_s = libra_host_instant_s(d->deadline),
		.times.begin_s = (double)d->begin_time,
		.size.ntasks = libra_host_count(d->num_tasks),
		.size.cpus_per_task = libra_host_count16(d->cpus_per_task),
		.size.threads_per_core =
			libra_host_count16(d->threads_per_core),
		.size.task_per_core = d->ntasks_per_core == 1,
		.size.tasks_per_node = libra_host_count16(d->ntasks_per_node),
		.size.min_nodes = libra_host_count(d->min_nodes),
		.size.max_nodes = libra_host_count(d->max_nodes),
		.speedup = speedup(d),
		.user = d->user_id,
		.array = d->array_inx,
		/* scrontab leaves the offset at 0. */
		.component = d->het_job_offset != NO_VAL &&
			     !(d->bitflags & CRON_JOB),
		.blocked = d->priority == 0 || begins_later(d),
		.reserved = given(d->reservation),
		.layout.pinned = pinned(d),
		.nodes.exclusive = d->shared == JOB_SHARED_NONE,
		.nodes.one_user = d->shared == JOB_SHARED_USER ||
				  d->shared == JOB_SHARED_MCS,
		.layout.more_nodes =
			d->shared != NO_VAL16 && d->shared > JOB_SHARED_MCS,
		.change.expands =
			d->dependency && strstr(d->dependency, "expand:"),
		.times.signal_s = libra_host_count16(d->warn_signal)
					  ? libra_host_count16(d->warn_time)
					  : 0,
		.layout.spread = d->bitflags & SPREAD_JOB,
		.gpu.any = wants_gres(d),
		.gres.job = gres_list(d->tres_per_job),
		.gres.node = gres_list(d->tres_per_node),
		.gres.task = gres_list(d->tres_per_task),
		.gres.cpus_per = gres_list(d->cpus_per_tres),
		.gres.mem_per = gres_list(d->mem_per_tres),
		.gpu.per_task = libra_host_count16(d->ntasks_per_tres),
		.cpus_asked = libra_host_count16(d->cpus_per_task) > 0,
		.gres.socket = gres_list(d->tres_per_socket),
		.gres.sockets = libra_host_count16(d->sockets_per_node),
		.gpu.near = d->bitflags & GRES_ENFORCE_BIND,
		.alloc_node = d->alloc_node,
		.account = d->account,
		.qos = d->qos,
		.nodes.constraint = given(d->features) ? d->features : NULL,
		.nodes.list = given(d->req_nodes) ? d->req_nodes : NULL,
		.nodes.exclude = given(d->exc_nodes) ? d->exc_nodes : NULL,
		.licenses = given(d->licenses) ? d->licenses : NULL,
		.layout.ports = libra_host_count16(LIBRA_PORTS(d)) > 0,
		.extra = given(d->extra) ? d->extra : NULL,
		.layout.tmp_disk = libra_host_count(d->pn_min_tmp_disk),
		.uncounted = uncounted(d),
		.unread.option = too_long ? too_long->option : NULL,
		.unread.longest = too_long ? too_long->longest : 0,
		.queue_refused = says(d, "libra_refused=queue"),
		.only_promised = says(d, "libra_refused=reject"),
	};

	if (d->pn_min_memory != NO_VAL64 && (d->pn_min_memory & MEM_PER_CPU))
		r.mem.per_cpu = d->pn_min_memory & ~MEM_PER_CPU;
	else if (d->pn_min_memory != NO_VAL64)
		r.mem.per_node = d->pn_min_memory;
	/* Slurm reads --mem-per-cpu=0 as --mem=0. */
	r.mem.whole = d->pn_min_memory == 0 || d->pn_min_memory == MEM_PER_CPU;

	if (r.size.cpus_per_task == 0)
		r.size.cpus_per_task = 1;
	r.size.ncpus = count_cpus(d, r.size.cpus_per_task);
	return r;
}

static bool touches_size(const job_desc_msg_t *d)
{
	return libra_host_count(d->min_cpus) ||
	       libra_host_count(d->num_tasks) ||
	       libra_host_count(d->min_nodes) ||
	       libra_host_count(d->max_nodes) ||
	       libra_host_count16(d->cpus_per_task) ||
	       libra_host_count16(d->ntasks_per_node) ||
	       libra_host_count16(d->pn_min_cpus);
}

/* Return true if an update changes resources other than processors and memory;
 * an empty text removes them.  Slurm may have put the CPUs of a task into
 * tres_per_task.
 */
static bool touches_resources(const job_desc_msg_t *d)
{
	const char *const texts[] = {
		d->tres_per_job,  d->tres_per_node, d->tres_per_socket,
		d->cpus_per_tres, d->mem_per_tres,  d->licenses,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i])
			return true;
	return (d->tres_per_task &&
		(!*d->tres_per_task || gres_list(d->tres_per_task))) ||
	       d->pn_min_tmp_disk != NO_VAL;
}

bool libra_touches_promise(const job_desc_msg_t *d)
{
	return d->time_limit != NO_VAL || d->deadline != 0 || touches_size(d) ||
	       d->end_time != 0 || d->time_min != NO_VAL ||
	       d->threads_per_core != NO_VAL16 || uncounted(d) ||
	       given(d->extra) || touches_resources(d) ||
	       d->pn_min_memory != NO_VAL64 || given(d->partition) ||
	       pinned(d) || given(d->req_nodes) || given(d->exc_nodes) ||
	       d->shared == JOB_SHARED_NONE || given(d->features) ||
	       given(d->reservation) || d->admin_comment || given(d->qos) ||
	       given(d->account) || begins_later(d);
}

/* Return true if a size is 0: it counts as not given, and Slurm may refuse it.
 */
static bool asks_for_none(const job_desc_msg_t *d)
{
	return d->num_tasks == 0 || d->min_cpus == 0 || d->min_nodes == 0 ||
	       d->cpus_per_task == 0 || d->ntasks_per_node == 0 ||
	       d->pn_min_cpus == 0;
}

/* Return true if an update asks for anything else.  Slurm tests that after us,
 * and may refuse the whole update.
 */
static bool mixed(const job_desc_msg_t *d)
{
	const char *const texts[] = {
		d->account,	     d->acctg_freq,    d->admin_comment,
		d->array_inx,	     d->burst_buffer,  d->batch_features,
		d->cluster_features, d->clusters,      d->comment,
		d->container,	     d->cpus_per_tres, d->dependency,
		d->exc_nodes,	     d->extra,	       d->features,
		d->licenses,	     d->mail_user,     d->mcs_label,
		d->mem_per_tres,     d->name,	       d->network,
		d->partition,	     d->prefer,	       d->qos,
		d->req_nodes,	     d->reservation,   d->std_err,
		d->std_in,	     d->std_out,       d->tres_bind,
		d->tres_freq,	     d->tres_per_job,  d->tres_per_node,
		d->tres_per_socket,  d->tres_per_task, d->wckey,
		d->work_dir,
	};

	/* Empty ones are asked for, too. */
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i])
			return true;
	return asks_for_none(d) || (d->bitflags & RESET_ACCRUE_TIME) ||
	       d->begin_time != 0 || d->end_time != 0 ||
	       d->time_min != NO_VAL || d->priority != NO_VAL ||
	       d->nice != NO_VAL || d->requeue != NO_VAL16 ||
	       d->shared != NO_VAL16 || d->pn_min_memory != NO_VAL64 ||
	       d->pn_min_tmp_disk != NO_VAL || d->delay_boot != NO_VAL ||
	       d->req_switch != NO_VAL || d->reboot != NO_VAL16;
}

/* Return the first property that a promised job cannot change, or NULL. */
static const char *fixed(const job_desc_msg_t *d,
			 const struct libra_host_request *r)
{
	if (d->threads_per_core != NO_VAL16)
		return "ThreadsPerCore";
	if (r->nodes.exclusive)
		return "OverSubscribe";
	if (r->nodes.constraint)
		return "Features";
	if (r->nodes.list)
		return "ReqNodeList";
	if (r->nodes.exclude)
		return "ExcNodeList";
	return libra_host_count16(d->pn_min_cpus) ? "MinCPUsNode" : NULL;
}

struct libra_host_request libra_change(const job_desc_msg_t *d,
				       const struct libra_text *too_long)
{
	struct libra_host_request r = libra_request(d, too_long);

	if (d->deadline == 0)
		r.times.deadline_s = NAN;
	r.times.minutes = libra_host_count(d->time_limit);
	r.change.size = touches_size(d);
	r.change.mixed = mixed(d);
	r.change.resources = touches_resources(d);
	r.change.memory = d->pn_min_memory != NO_VAL64;
	r.blocked = begins_later(d);
	r.change.comment = d->admin_comment != NULL;
	r.size.ncpus = libra_host_count(d->min_cpus);
	r.size.cpus_per_task = libra_host_count16(d->cpus_per_task);
	r.change.end = d->end_time != 0 || d->time_min != NO_VAL;
	if (!r.layout.pinned)
		r.layout.pinned = fixed(d, &r);
	return r;
}
