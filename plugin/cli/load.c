/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - ask slurmctld for the cluster, with libslurm alone.
 */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/cli/cli.h"
#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/base/node_states.h"

/* Slurm's library exports it, and no public header declares it. */
extern const char *slurm_job_state_string(uint32_t state);
LIBRA_REASON_TEXT_DECLARED;

static int fail(struct libra_error *err, const char *what)
{
	return libra_errf(err, CLI_NO_ANSWER, "%s: %s", what,
			  slurm_strerror(errno));
}

static void note_wrong(void *arg, const char *text)
{
	*(bool *)arg = true;
}

static bool lists(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; list && *list; list += *list == ',') {
		size_t n = strcspn(list, ",");

		if (n == len && strncmp(list, name, n) == 0)
			return true;
		list += n;
	}
	return false;
}

static slurm_conf_t *ask_conf(struct libra_error *err)
{
	slurm_conf_t *conf = NULL;

	if (slurm_load_ctl_conf(0, &conf) == SLURM_SUCCESS)
		return conf;
	libra_errf(err, CLI_NO_ANSWER,
		   "slurmctld does not answer: %s (is it running, and does "
		   "SLURM_CONF name its slurm.conf?)",
		   slurm_strerror(errno));
	return NULL;
}

/* Copy a text that may be NULL.  Result: false without memory. */
static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

static bool copy_names(struct cli_cluster *cluster, const slurm_conf_t *conf)
{
	return copy_text(&cluster->name, conf->cluster_name) &&
	       copy_text(&cluster->slurm_release, conf->version);
}

char *cli_load_settings(struct cli_cluster *cluster, struct libra_error *err)
{
	slurm_conf_t *conf;
	char *text = NULL;

	*cluster = (struct cli_cluster){0};
	slurm_init(NULL);
	conf = ask_conf(err);
	if (!conf)
		return NULL;
	if (copy_names(cluster, conf))
		text = strdup(conf->sched_params ? conf->sched_params : "");
	LIBRA_FREE_CONF(conf);
	if (!text)
		libra_no_memory(err, NULL);
	return text;
}

static int load_conf(struct cli_cluster *cluster, struct libra_error *err)
{
	slurm_conf_t *conf = ask_conf(err);
	int rc;

	if (!conf)
		return -1;
	cluster->enabled = lists(conf->job_submit_plugins, "libra");
	cluster->hidden = (conf->private_data & PRIVATE_DATA_JOBS) &&
			  getuid() != 0 && getuid() != conf->slurm_user_id;
	rc = libra_host_conf_list_init(&cluster->groups, conf->sched_params,
				       note_wrong, &cluster->wrong);
	if (rc == 0 && !copy_names(cluster, conf))
		rc = -1;
	LIBRA_FREE_CONF(conf);
	return rc < 0 ? libra_no_memory(err, NULL) : 0;
}

/* A node that comes back by itself counts as up: *away tells what it waits for.
 */
static enum libra_node_state node_state(uint32_t state, const char **away)
{
	const struct libra_node_row *row = libra_node_row(state, true);
	bool asked = row->away == LIBRA_AWAY_REBOOT_ASKED;

	*away = row->away == LIBRA_AWAY_NOT ? NULL : row->text;
	/* Only ASAP keeps jobs off before the node reboots. */
	if (asked && !(state & NODE_STATE_DRAIN))
		*away = NULL;
	if (asked)
		return libra_node_row(state, false)->counts;
	return *away && row->counts != LIBRA_NODE_DOWN ? LIBRA_NODE_UP
						       : row->counts;
}

static int load_nodes(struct cli_cluster *cluster, struct libra_error *err)
{
	node_info_msg_t *msg = NULL;
	bool ok;

	if (slurm_load_node(0, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return fail(err, "cannot ask slurmctld for the nodes");
	cluster->nodes =
		calloc(msg->record_count + 1u, sizeof(*cluster->nodes));
	ok = cluster->nodes != NULL;
	for (uint32_t i = 0; ok && i < msg->record_count; i++) {
		const node_info_t *from = &msg->node_array[i];
		struct cli_node *n = &cluster->nodes[i];

		n->name = strdup(from->name ? from->name : "");
		n->procs =
			from->name ? (uint32_t)from->cores * from->sockets : 0;
		n->cpus = from->cpus;
		n->state = node_state(from->node_state, &n->away);
		cluster->nnodes++;
		ok = n->name != NULL;
	}
	slurm_free_node_info_msg(msg);
	return ok ? 0 : libra_no_memory(err, NULL);
}

static bool copy_partition(struct cli_cluster *cluster,
			   const partition_info_t *from)
{
	struct cli_partition *p = &cluster->parts[cluster->nparts++];

	p->name = strdup(from->name);
	p->nodes = calloc(cluster->nnodes + 1u, 1);
	p->is_default = from->flags & PART_FLAG_DEFAULT;
	p->whole_nodes = from->max_share == 0;
	p->max_minutes = from->max_time;
	if (!p->name || !p->nodes)
		return false;
	/* Pairs of first and last index; a negative number ends the list. */
	for (const int32_t *at = from->node_inx; at && at[0] >= 0; at += 2)
		for (int32_t i = at[0]; i <= at[1]; i++)
			if ((uint32_t)i < cluster->nnodes)
				p->nodes[i] = 1;
	return true;
}

static int load_partitions(struct cli_cluster *cluster, struct libra_error *err)
{
	partition_info_msg_t *msg = NULL;
	bool ok;

	if (slurm_load_partitions(0, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return fail(err, "cannot ask slurmctld for the partitions");
	cluster->parts =
		calloc(msg->record_count + 1u, sizeof(*cluster->parts));
	ok = cluster->parts != NULL;
	for (uint32_t i = 0; ok && i < msg->record_count; i++)
		ok = copy_partition(cluster, &msg->partition_array[i]);
	slurm_free_partition_info_msg(msg);
	return ok ? 0 : libra_no_memory(err, NULL);
}

static char *label_of(const slurm_job_info_t *from)
{
	char *text = NULL;
	int rc;

	if (from->array_task_str && *from->array_task_str)
		rc = asprintf(&text, "%u_[%s]", from->array_job_id,
			      from->array_task_str);
	else if (from->array_job_id)
		rc = asprintf(&text, "%u_%u", from->array_job_id,
			      from->array_task_id);
	else
		rc = asprintf(&text, "%u", from->job_id);
	return rc < 0 ? NULL : text;
}

/* Names that were looked up: that takes long where it asks another host. */
struct users {
	struct {
		uint32_t uid;
		const char *name; /* a job's; NULL = free */
	} slots[256];
};

static char *look_up(uint32_t uid)
{
	struct passwd *pw;
	char *text = NULL;

	errno = 0;
	pw = getpwuid(uid);
	if (!pw && errno == ENOMEM)
		return NULL;
	if (pw)
		return strdup(pw->pw_name);
	return asprintf(&text, "%u", uid) < 0 ? NULL : text;
}

static char *user_of(struct users *users, uint32_t uid)
{
	unsigned slot = uid % 256;
	char *name;

	if (users->slots[slot].name && users->slots[slot].uid == uid)
		return strdup(users->slots[slot].name);
	name = look_up(uid);
	users->slots[slot].uid = uid;
	users->slots[slot].name = name;
	return name;
}

static enum cli_job_state job_state(uint32_t state)
{
	switch (state & JOB_STATE_BASE) {
	case JOB_PENDING:
		return CLI_JOB_WAITING;
	case JOB_RUNNING:
	case JOB_SUSPENDED:
		return CLI_JOB_RUNNING;
	default:
		return CLI_JOB_OVER;
	}
}

static bool copy_job(struct cli_cluster *cluster, struct users *users,
		     const slurm_job_info_t *from)
{
	struct cli_job *j = &cluster->jobs[cluster->njobs++];
	bool limited, sound;

	*j = (struct cli_job){
		.id = from->job_id,
		.array_id = from->array_job_id,
		.label = label_of(from),
		.user = user_of(users, from->user_id),
		.state_name = strdup(slurm_job_state_string(from->job_state)),
		.state = job_state(from->job_state),
		.tasks = 1,
		.submit_s = (double)from->submit_time,
		.uid = from->user_id,
		.cpus = from->num_cpus,
		.priority = from->priority,
		.limit_s = from->time_limit == NO_VAL
				   ? INFINITY
				   : libra_host_minutes_s(from->time_limit),
		.eligible_s = from->eligible_time ? (double)from->eligible_time
						  : INFINITY,
		.start_s = (double)from->start_time,
		.end_s = (double)from->end_time,
	};
	sound = copy_text(&j->part, from->partition ? from->partition : "");
	if (from->array_task_str && *from->array_task_str) {
		errno = 0;
		j->tasks = libra_host_array_tasks(from->array_task_str,
						  UINT32_MAX - 1, &limited);
		sound = sound && errno != ENOMEM;
	}
	if (from->admin_comment && *from->admin_comment) {
		j->comment = strdup(from->admin_comment);
		sound = sound && j->comment;
	}
	if (j->state == CLI_JOB_WAITING &&
	    from->state_reason != WAIT_NO_REASON) {
		j->reason = strdup(LIBRA_REASON_TEXT(
			(enum job_state_reason)from->state_reason));
		sound = sound && j->reason;
	}
	return sound && j->label && j->user && j->state_name;
}

static int load_jobs(struct cli_cluster *cluster, struct libra_error *err)
{
	job_info_msg_t *msg = NULL;
	struct users users = {0};
	bool ok;

	if (slurm_load_jobs(0, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return fail(err, "cannot ask slurmctld for the jobs");
	cluster->jobs = calloc(msg->record_count + 1u, sizeof(*cluster->jobs));
	ok = cluster->jobs != NULL;
	for (uint32_t i = 0; ok && i < msg->record_count; i++)
		ok = copy_job(cluster, &users, &msg->job_array[i]);
	slurm_free_job_info_msg(msg);
	return ok ? 0 : libra_no_memory(err, NULL);
}

static void set_now(struct cli_cluster *cluster)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	cluster->now_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int cli_cluster_load_site(struct cli_cluster *cluster, struct libra_error *err)
{
	*cluster = (struct cli_cluster){0};
	slurm_init(NULL);
	if (load_conf(cluster, err) < 0 || load_nodes(cluster, err) < 0 ||
	    load_partitions(cluster, err) < 0)
		return -1;
	set_now(cluster);
	cli_cluster_arrange(cluster);
	return 0;
}

int cli_cluster_load(struct cli_cluster *cluster, struct libra_error *err)
{
	if (cli_cluster_load_site(cluster, err) < 0)
		return -1;
	/* The list of jobs has all that happened before this instant. */
	set_now(cluster);
	if (load_jobs(cluster, err) < 0)
		return -1;
	cli_cluster_arrange(cluster);
	return 0;
}
