/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_libra.c - verdicts at submit time.
 *
 * Slurm's entry points read the request, ask the host, and write the promise
 * into the request.  The plugin is built with libslurm-dev only, and reads no
 * job record.
 *
 * slurmctld calls job_submit() for each submission, also for a test of one, in
 * the thread of the request: from 23.02 on in several threads at a time.  The
 * caller holds Slurm's read locks of jobs, nodes and partitions, so
 * job_submit() writes no job record.  slurmctld calls job_modify() for each
 * update of a job, under the write lock of jobs.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/job_submit/request.h"
#include "plugin/job_submit/texts.h"
#include "plugin/base/text.h"
#include "plugin/base/timing.h"
#include "plugin/base/units.h"

/* These are exported by Slurm's library, but are in no public header. */
extern char *slurm_xstrdup(const char *str);
extern void slurm_xfree(void **item);
extern void *slurm_xrecalloc(void **item, size_t count, size_t size, bool clear,
			     bool try_it, const char *file, int line,
			     const char *func);
extern void slurm_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
extern void slurm_info(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

typedef struct job_record job_record_t;

const char plugin_name[] = "Deadline admission by slurm-libra";
const char plugin_type[] = "job_submit/libra";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
LIBRA_FINI fini(void);
extern int job_submit(job_desc_msg_t *desc, uint32_t submit_uid,
		      char **err_msg);
extern int job_modify LIBRA_MODIFY_PARAMS;

int init(void)
{
	return SLURM_SUCCESS;
}

LIBRA_FINI fini(void)
{
	LIBRA_FINI_RETURN;
}

static void replace(char **field, const char *text)
{
	slurm_xfree((void **)field);
	*field = slurm_xstrdup(text);
}

/* Send lines to the user, behind those of plugins that were called before. */
static void tell(char **err_msg, const char *text)
{
	char *both;

	if (!err_msg || !text)
		return;
	if (!*err_msg || !**err_msg) {
		replace(err_msg, text);
		return;
	}
	both = malloc(strlen(*err_msg) + strlen(text) + 2);
	if (!both)
		return;
	sprintf(both, "%s\n%s", *err_msg, text);
	replace(err_msg, both);
	free(both);
}

/* --- the job's environment on the nodes ----------------------------------- */

/* Our variables: those of users' options, that of an update of an array, and
 * those that carry the promise to the nodes.
 */
enum variable {
	ASK_BUDGET,
	ASK_PENALTY_RATE,
	ASK_ESTIMATE,
	ASKED,
	TOLD, /* the first that carries a promise */
	VARIABLES = TOLD + 6
};

#define VARIABLE(name)                                                         \
	{                                                                      \
		name, sizeof(name) - 1                                         \
	}

static const struct {
	const char *name;
	size_t len;
} variables[VARIABLES] = {
	[ASK_BUDGET] = VARIABLE("LIBRA_ASK_BUDGET"),
	[ASK_PENALTY_RATE] = VARIABLE("LIBRA_ASK_PENALTY_RATE"),
	[ASK_ESTIMATE] = VARIABLE("LIBRA_ASK_ESTIMATE"),
	[ASKED] = VARIABLE("LIBRA_ASKED"),
	[TOLD] = VARIABLE("LIBRA_SHARE"),
	VARIABLE("LIBRA_ESTIMATE"),
	VARIABLE("LIBRA_DEADLINE"),
	VARIABLE("LIBRA_RULE"),
	VARIABLE("LIBRA_CHANGE"),
	VARIABLE("LIBRA_CHANGES"),
};

/* Return the variable that a line sets.  On the nodes every name begins with
 * SPANK_.  Slurm adds this prefix where it is missing, so a request may have
 * both forms.
 * Result: VARIABLES if it is none of ours; else *value is its value.
 */
static enum variable find_variable(const char *line, const char **value)
{
	size_t len;

	if (line && strncmp(line, "SPANK_", 6) == 0)
		line += 6;
	if (!line || strncmp(line, "LIBRA_", 6) != 0)
		return VARIABLES;
	len = strcspn(line, "=");
	*value = line[len] ? line + len + 1 : NULL;
	for (int i = 0; *value && i < VARIABLES; i++)
		if (variables[i].len == len &&
		    memcmp(variables[i].name, line, len) == 0)
			return (enum variable)i;
	return VARIABLES;
}

/* The values of the users' variables in a request, set by spank_libra or by any
 * client; NULL = not set.
 */
struct asked {
	const char *values[TOLD];
	bool forged; /* a line sets a variable of the promise */
};

/* A user may send any number of lines: they are read in one pass. */
static struct asked read_asked(const job_desc_msg_t *desc)
{
	struct asked asked = {.forged = false};
	const char *value;
	enum variable i;

	for (uint32_t k = 0; k < desc->spank_job_env_size; k++) {
		i = find_variable(desc->spank_job_env[k], &value);
		if (i < TOLD && !asked.values[i])
			asked.values[i] = value;
		else if (i >= TOLD && i < VARIABLES)
			asked.forged = true;
	}
	return asked;
}

/* Return true if a text is short enough for one or some numbers: a longer one
 * is costly to read.
 */
static bool is_short(const char *text)
{
	return strnlen(text, 128) < 128;
}

/* Return a number of credits; 0 = not given, NAN = invalid. */
static double asked_credits(const char *value)
{
	double credits;
	char *end;

	if (!value)
		return 0;
	if (!is_short(value))
		return NAN;
	credits = strtod(value, &end);
	return end != value && *end == '\0' && credits >= 0 && credits < 1e12
		       ? credits
		       : NAN;
}

/* Return a user's --estimate, in seconds, or NAN. */
static double asked_estimate(const char *value)
{
	double estimate_s;
	char *end;

	if (!value || !is_short(value))
		return NAN;
	estimate_s = strtod(value, &end);
	return end != value && *end == '\0' && estimate_s > 0 &&
			       isfinite(estimate_s)
		       ? estimate_s
		       : NAN;
}

/* Remove the variables from first to last. */
static void env_remove(job_desc_msg_t *desc, enum variable first,
		       enum variable last)
{
	const char *value;
	uint32_t kept = 0;
	enum variable i;

	for (uint32_t k = 0; k < desc->spank_job_env_size; k++) {
		char **at = &desc->spank_job_env[k];

		i = find_variable(*at, &value);
		if (i >= first && i <= last)
			slurm_xfree((void **)at);
		else
			desc->spank_job_env[kept++] = *at;
	}
	for (uint32_t k = kept; k < desc->spank_job_env_size; k++)
		desc->spank_job_env[k] = NULL;
	desc->spank_job_env_size = kept;
}

static void env_add(job_desc_msg_t *desc, const char *text)
{
	uint32_t n = desc->spank_job_env_size;

	slurm_xrecalloc((void **)&desc->spank_job_env, n + 2, sizeof(char *),
			true, false, __FILE__, __LINE__, __func__);
	desc->spank_job_env[n] = slurm_xstrdup(text);
	desc->spank_job_env_size = n + 1;
}

static void env_set(job_desc_msg_t *desc, const char *name, double value)
{
	char text[64], number[HOST_NUMBER];

	host_print_number(number, value);
	snprintf(text, sizeof(text), "%s=%s", name, number);
	env_add(desc, text);
}

static void env_rule(job_desc_msg_t *desc, enum libra_host_rule rule)
{
	char text[32];

	snprintf(text, sizeof(text), "LIBRA_RULE=%s",
		 libra_host_rule_name(rule));
	env_add(desc, text);
}

/* --- requests ---------------------------------------------------------------
 */

/* Write the promise into the request.  The host has estimate and deadline now,
 * so Slurm must not act on them: it would end a job that runs for longer than
 * its estimate on a share.  If --estimate is given, --time stays a limit.
 */
static void write_promise(job_desc_msg_t *desc, bool estimated,
			  const struct libra_host_reply *reply)
{
	bool limited = estimated && desc->time_limit != NO_VAL &&
		       desc->time_limit < reply->minutes;

	replace(&desc->admin_comment, reply->record.comment);
	if (!limited)
		desc->time_limit = libra_host_to_slurm(reply->minutes);
	desc->time_min = NO_VAL;
	desc->deadline = 0;
	if (reply->signal_s)
		desc->warn_time = (uint16_t)(desc->warn_time + reply->signal_s);
	/* Slurm's schedulers skip the job until then. */
	if (reply->record.start_s > (double)time(NULL) + 1)
		desc->begin_time = (time_t)reply->record.start_s;
}

/* Write the number of nodes, and the generic resources of each. */
static void write_nodes(job_desc_msg_t *desc,
			const struct libra_host_reply *reply)
{
	char text[160];

	if (!reply->nodes)
		return;
	desc->min_nodes = desc->max_nodes = reply->nodes;
	if (libra_host_count(desc->min_cpus) < reply->nodes)
		desc->min_cpus = reply->nodes;
	if (!*reply->gres_node)
		return;
	snprintf(text, sizeof(text), LIBRA_GRES_PREFIX "%s", reply->gres_node);
	replace(&desc->tres_per_job, NULL);
	replace(&desc->tres_per_node, text);
}

/* As many as are promised. */
static void write_cpus(job_desc_msg_t *desc,
		       const struct libra_host_reply *reply)
{
	if (reply->ncpus)
		desc->min_cpus = reply->ncpus;
	if (reply->ncpus && desc->max_cpus < desc->min_cpus)
		desc->max_cpus = desc->min_cpus;
	if (reply->cpus_per_task)
		desc->cpus_per_task = (uint16_t)reply->cpus_per_task;
	if (reply->ntasks)
		desc->num_tasks = reply->ntasks;
	if (reply->tasks_per_node)
		desc->ntasks_per_node = (uint16_t)reply->tasks_per_node;
	if (reply->mem_per_cpu)
		desc->pn_min_memory = reply->mem_per_cpu | MEM_PER_CPU;
	write_nodes(desc, reply);
}

static int refusal(const struct libra_host_reply *reply)
{
	if (reply->account)
		return ESLURM_ACCOUNTING_POLICY;
	if (reply->denied)
		return ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE;
	return reply->answer == LIBRA_HOST_REFUSED
		       ? ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE
		       : ESLURM_INVALID_TIME_LIMIT;
}

/* Log once that there is no engine, as without the select plugin. */
static void miss_engine(const job_desc_msg_t *desc)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	struct libra_host_counts counts;

	if (desc->deadline == 0)
		return;
	libra_host_counts(libra_host_shared(), &counts);
	if (counts.nprocs == 0 && !atomic_flag_test_and_set(&said))
		slurm_error(
			"job_submit/libra: no job gets a promise: SelectType "
			"is not select/cons_tres_libra, or an error above that "
			"begins with \"libra:\" says why");
}

/* Add the values of our own options to a request. */
static void take_asked(struct libra_host_request *r, const struct asked *asked)
{
	double estimate_s = asked_estimate(asked->values[ASK_ESTIMATE]);

	r->credits.budget = asked_credits(asked->values[ASK_BUDGET]);
	r->credits.penalty_rate =
		asked_credits(asked->values[ASK_PENALTY_RATE]);
	if (!isnan(estimate_s))
		r->times.estimate_s = estimate_s;
}

static int submit(job_desc_msg_t *desc, char **err_msg)
{
	job_desc_msg_t copy = *desc;
	const struct libra_text *too_long = libra_texts_cut(&copy);
	const struct asked asked = read_asked(desc);
	struct libra_host_request request = libra_request(&copy, too_long);
	bool estimated = !isnan(asked_estimate(asked.values[ASK_ESTIMATE]));
	struct libra_host_reply reply;
	int rc = SLURM_SUCCESS;

	take_asked(&request, &asked);
	if (asked.forged)
		env_remove(desc, TOLD, VARIABLES - 1);
	if (libra_host_submit(libra_host_shared(), &request, &reply) < 0) {
		slurm_error("job_submit/libra: out of memory: a job goes on "
			    "without a promise");
		return SLURM_SUCCESS;
	}
	tell(err_msg, reply.text);
	/* scrontab shows no line where a job is refused. */
	if (reply.answer == LIBRA_HOST_UNACCEPTABLE && desc->deadline &&
	    (desc->bitflags & CRON_JOB)) {
		libra_host_reply_fini(&reply);
		desc->deadline = 0;
		return submit(desc, err_msg);
	}
	switch (reply.answer) {
	case LIBRA_HOST_STOCK:
		miss_engine(desc);
		break;
	case LIBRA_HOST_BEST_EFFORT:
		env_set(desc, "LIBRA_SHARE", 0);
		break;
	case LIBRA_HOST_ORDINARY:
		desc->deadline = 0;
		break;
	case LIBRA_HOST_ACCEPTED:
		write_promise(desc, estimated, &reply);
		write_cpus(desc, &reply);
		env_set(desc, "LIBRA_SHARE", reply.record.share);
		env_set(desc, "LIBRA_ESTIMATE", reply.record.estimate_s);
		env_set(desc, "LIBRA_DEADLINE", reply.record.deadline_s);
		env_rule(desc, reply.record.rule);
		break;
	case LIBRA_HOST_REFUSED:
	case LIBRA_HOST_UNACCEPTABLE:
		rc = refusal(&reply);
		break;
	}
	libra_host_reply_fini(&reply);
	return rc;
}

extern int job_submit(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg)
{
	struct libra_host_watch watch = {0};
	int rc, saved = errno;

	libra_host_watch_start(&watch);
	rc = submit(desc, err_msg);
	libra_host_watch_stop(&watch);
	libra_host_took(libra_host_shared(), LIBRA_CALL_SUBMIT, &watch);
	errno = saved;
	return rc;
}

/* Slurm passes the one request of an update of an array for each of its jobs,
 * with what was written into it for the job before.  So the original values are
 * kept in a variable of the request.
 */
#define ASKED_FORM "%" PRIu32 "/%" PRId64 "/%" PRIu32 "/%" PRIu32 "/%" PRIu32
#define ASKED_READ "%" SCNu32 "/%" SCNd64 "/%" SCNu32 "/%" SCNu32 "/%" SCNu32

static void keep_asked(job_desc_msg_t *d)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "LIBRA_ASKED=" ASKED_FORM "/%" PRIu16 "/%" PRIu64,
		 d->time_limit, (int64_t)d->deadline, d->min_cpus, d->max_cpus,
		 d->num_tasks, d->cpus_per_task, d->pn_min_memory);
	env_add(d, text);
}

static void restore_asked(job_desc_msg_t *d, const char *text)
{
	job_desc_msg_t was = *d;
	int64_t deadline;

	if (text && is_short(text) &&
	    sscanf(text, ASKED_READ "/%" SCNu16 "/%" SCNu64, &was.time_limit,
		   &deadline, &was.min_cpus, &was.max_cpus, &was.num_tasks,
		   &was.cpus_per_task, &was.pn_min_memory) == 7) {
		was.deadline = (time_t)deadline;
		*d = was;
	}
	if (text)
		env_remove(d, ASKED, ASKED);
}

/* The name of the job is the user's own text. */
static void log_refused(const job_desc_msg_t *desc,
			const struct libra_host_reply *reply)
{
	char text[1024];

	snprintf(text, sizeof(text), "update of job %.64s refused: %s",
		 desc->job_id_str ? desc->job_id_str : "?",
		 reply->text ? reply->text : "");
	host_text_defuse(text);
	slurm_info("job_submit/libra: %s", text);
}

/* user_text NULL: this release of Slurm shows no text to the user. */
static int modify(job_desc_msg_t *desc, void *job, uint32_t submit_uid,
		  char **user_text)
{
	struct asked asked = read_asked(desc);
	const struct libra_text *too_long;
	struct libra_host_request change;
	struct libra_host_reply reply;
	job_desc_msg_t copy;
	int rc = SLURM_SUCCESS;

	restore_asked(desc, asked.values[ASKED]);
	copy = *desc;
	too_long = libra_texts_cut(&copy);
	if (!too_long && !libra_touches_promise(&copy))
		return SLURM_SUCCESS;
	change = libra_change(&copy, too_long);
	take_asked(&change, &asked);
	if (libra_host_modify(libra_host_shared(), job, submit_uid, &change,
			      &reply) < 0)
		return ENOMEM;
	/* To scontrol any text is an error. */
	if (reply.answer != LIBRA_HOST_ACCEPTED)
		tell(user_text, reply.text);
	if (reply.answer == LIBRA_HOST_ACCEPTED) {
		/* Slurm holds the job write lock during an update. */
		libra_host_flush_records(libra_host_shared());
		keep_asked(desc);
		desc->time_limit = libra_host_to_slurm(reply.minutes);
		desc->deadline = 0;
		write_cpus(desc, &reply);
	} else if (reply.answer != LIBRA_HOST_STOCK) {
		rc = refusal(&reply);
		log_refused(desc, &reply);
	}
	libra_host_reply_fini(&reply);
	return rc;
}

/* Clear errno, which Slurm would take for a reason to refuse the update. */
extern int job_modify LIBRA_MODIFY_PARAMS
{
	struct libra_host_watch watch = {0};
	int rc;

	libra_host_watch_start(&watch);
	rc = modify(desc, job, submit_uid, LIBRA_MODIFY_ERR_MSG);
	libra_host_watch_stop(&watch);
	libra_host_took(libra_host_shared(), LIBRA_CALL_MODIFY, &watch);
	errno = 0;
	return rc;
}
