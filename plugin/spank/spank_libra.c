/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_libra.c - user options, and the shares of jobs on their nodes.
 *
 * On a node, Slurm's entry points do this.  The prolog adds the job with its
 * promise.  Each task is moved to its job's cgroup before it runs as the user.
 * A thread of slurmstepd wakes up near the deadline (alarm.h).  The epilog
 * forgets the job.  Nothing that a user can set (environment, options, names)
 * is read there: the promise comes with the prolog, which only slurmctld sends
 * (PrologFlags=Alloc), the rest from Slurm's own record of the job.
 *
 * In users' commands, --estimate, --budget and --penalty-rate are checked and
 * sent with the request to slurmctld.
 *
 * No entry point ever fails on a node: a share that cannot be given must not
 * fail a job or drain a node.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/spank.h>

#include "plugin/base/compat.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/spank/alarm.h"
#include "plugin/spank/clock.h"
#include "plugin/spank/node.h"
#include "plugin/spank/options.h"

SPANK_PLUGIN(libra, 1)

#define STATE	   "/run/slurm-libra"
#define CGROUP_TOP "/sys/fs/cgroup"

/* --- plugstack.conf ------------------------------------------------------- */

static void report(void *arg, const char *text)
{
	slurm_error("libra: %s", text);
}

static const char *value_of(const char *word, const char *name)
{
	size_t len = strlen(name);

	return strncmp(word, name, len) == 0 ? word + len : NULL;
}

/* The process's own environment is slurmd's, not the job's. */
static struct spank_node_conf read_conf(int ac, char *argv[])
{
	struct spank_node_conf conf = {
		.cgroup_top = CGROUP_TOP,
		.state = STATE,
		.name = getenv("SLURMD_NODENAME"),
		.report = report,
	};
	const char *value;

	for (int i = 0; i < ac; i++) {
		if ((value = value_of(argv[i], "state=")))
			conf.state = value;
		else if ((value = value_of(argv[i], "cgroup=")))
			conf.cgroup_top = value;
		else
			slurm_error("libra: plugstack.conf: unknown option %s; "
				    "known are state=DIR and cgroup=DIR",
				    argv[i]);
	}
	return conf;
}

static struct spank_node *open_node(const struct spank_node_conf *conf,
				    uint32_t job_id)
{
	struct libra_error err = {0};
	struct spank_node *node = spank_node_open(conf, &err);

	if (!node)
		slurm_error("libra: job %u: %s", job_id, err.text);
	return node;
}

/* --- prolog and epilog ---------------------------------------------------- */

static bool number(const char *name, double *value)
{
	const char *text = getenv(name);
	char *end;

	if (!text)
		return false;
	*value = strtod(text, &end);
	return end != text && *end == '\0';
}

/* Read the rule of slurmctld's policy; without a variable it is by shares. */
static void read_rule(struct spank_job *job)
{
	const char *rule = getenv("SPANK_LIBRA_RULE");

	if (!rule || strcmp(rule, "share") == 0)
		return;
	job->turns = strcmp(rule, "deadline") == 0;
	job->yields = strcmp(rule, "yield") == 0;
	if (job->turns || job->yields)
		return;
	slurm_error("libra: job %u: unknown rule %.32s: the job gets a share; "
		    "install the release of slurmctld's plugins here",
		    job->id, rule);
}

/* Read the promise that slurmctld sent.
 * Result: false if the job has no promise.
 */
static bool read_promise(struct spank_job *job)
{
	double id, user, change;

	*job = (struct spank_job){0};
	if (!number("SPANK_LIBRA_SHARE", &job->share) ||
	    !number("SLURM_JOB_ID", &id) || !number("SLURM_JOB_UID", &user))
		return false;
	job->id = (uint32_t)id;
	job->user = (uint32_t)user;
	if (number("SPANK_LIBRA_CHANGE", &change) && change >= 1 &&
	    change < 1e9)
		job->change = (uint32_t)change;
	if (job->share == 0)
		return true;
	read_rule(job);
	return number("SPANK_LIBRA_ESTIMATE", &job->estimate_s) &&
	       number("SPANK_LIBRA_DEADLINE", &job->deadline_s) &&
	       job->share > 0 && job->estimate_s > 0;
}

/* Apply the changes of promises that slurmctld sends with each prolog and
 * epilog on the nodes concerned.
 * Result: true if a job of this node has changed.
 */
static bool read_changes(struct spank_node *node)
{
	const char *text = getenv("SPANK_LIBRA_CHANGES");
	struct spank_change change;
	bool any = false;

	while ((text = spank_change_next(text, &change)))
		any |= spank_node_change(node, &change);
	return any;
}

int slurm_spank_job_prolog(spank_t spank, int ac, char *argv[])
{
	struct spank_node_conf conf = read_conf(ac, argv);
	struct spank_job job;
	struct spank_node *node;

	if (!read_promise(&job))
		return ESPANK_SUCCESS;
	node = open_node(&conf, job.id);
	if (node) {
		spank_node_begin(node, &job, spank_now_s());
		if (read_changes(node))
			spank_node_renew(node, spank_now_s());
	}
	spank_node_close(node);
	return ESPANK_SUCCESS;
}

int slurm_spank_job_epilog(spank_t spank, int ac, char *argv[])
{
	struct spank_node_conf conf = read_conf(ac, argv);
	struct spank_node *node;
	double id;

	if (!number("SLURM_JOB_ID", &id) ||
	    !spank_store_knows(&conf, (uint32_t)id))
		return ESPANK_SUCCESS;
	node = open_node(&conf, (uint32_t)id);
	if (node) {
		read_changes(node);
		spank_node_end(node, (uint32_t)id, spank_now_s());
	}
	spank_node_close(node);
	return ESPANK_SUCCESS;
}

/* --- tasks ---------------------------------------------------------------- */

static void read_groups(char *text, size_t size)
{
	int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

int slurm_spank_task_init_privileged(spank_t spank, int ac, char *argv[])
{
	struct spank_node_conf conf = read_conf(ac, argv);
	struct spank_node *node;
	char where[4096], *cores = NULL;
	uint16_t ncpus = 0;
	uint32_t id;

	if (spank_get_item(spank, S_JOB_ID, &id) != ESPANK_SUCCESS ||
	    !spank_store_knows(&conf, id))
		return ESPANK_SUCCESS;
	read_groups(where, sizeof(where));
	if (spank_get_item(spank, S_JOB_ALLOC_CORES, &cores) != ESPANK_SUCCESS)
		cores = NULL;
	spank_get_item(spank, S_JOB_NCPUS, &ncpus);
	conf.caller = id;
	node = open_node(&conf, id);
	if (node)
		spank_node_enter(node, id, ncpus, cores, where, 0,
				 spank_now_s());
	spank_node_close(node);
	return ESPANK_SUCCESS;
}

/* slurmstepd begins in the group that Slurm has just made for the job, with the
 * usual weight: beside busy jobs it would take seconds to begin.  The first
 * task corrects the weight; if none comes, the end of the step does.  The
 * extern step never has a task, and is left alone.
 */
static void lift(spank_t spank, int ac, char *argv[], bool back)
{
	static bool lifted;
	struct spank_node_conf conf;
	uint32_t id, step;
	char where[4096];

	if (back && !lifted)
		return;
	lifted = false;
	if (spank_get_item(spank, S_JOB_ID, &id) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_STEPID, &step) != ESPANK_SUCCESS ||
	    step == SLURM_EXTERN_CONT)
		return;
	conf = read_conf(ac, argv);
	read_groups(where, sizeof(where));
	lifted = spank_node_lift(&conf, id, where, back) && !back;
}

/* --- deadlines ------------------------------------------------------------ */

/* slurmctld's record of the job has the promise as it is now.  Only slurmctld
 * and operators write it, and root may always read it.
 */
static int ask(uint32_t job_id, struct spank_change *now)
{
	job_info_msg_t *msg = NULL;
	struct libra_promise p;
	int rc = -1;

	if (LIBRA_LOAD_JOB(&msg, job_id, SHOW_ALL) != SLURM_SUCCESS)
		return -1;
	for (uint32_t i = 0; i < msg->record_count; i++) {
		const slurm_job_info_t *job = &msg->job_array[i];

		if (job->job_id != job_id ||
		    libra_admin_comment_parse(job->admin_comment, &p) < 0 ||
		    (p.offer == 0 && !p.lost))
			continue;
		*now = (struct spank_change){
			.share = p.lost ? 0 : p.share,
			.estimate_s = p.estimate_s,
			.deadline_s = p.deadline_s,
		};
		rc = 0;
	}
	slurm_free_job_info_msg(msg);
	return rc;
}

/* In slurmstepd itself, when all of its tasks are forked. */
int slurm_spank_task_post_fork(spank_t spank, int ac, char *argv[])
{
	struct spank_node_conf conf = read_conf(ac, argv);
	char where[4096];
	uint32_t id;

	if (spank_get_item(spank, S_JOB_ID, &id) != ESPANK_SUCCESS)
		return ESPANK_SUCCESS;
	read_groups(where, sizeof(where));
	spank_node_step_aside(&conf, id, where, getpid());
	if (libra_alarm_set(&conf, id, ask) < 0)
		slurm_error("libra: job %u: no alarm at its deadline: %m; seen "
			    "when a job begins or ends here",
			    id);
	return ESPANK_SUCCESS;
}

/* Before the plugin is unloaded. */
int slurm_spank_exit(spank_t spank, int ac, char *argv[])
{
	libra_alarm_stop();
	lift(spank, ac, argv, true);
	return ESPANK_SUCCESS;
}

/* --- slurmd, and users' commands ------------------------------------------ */

/* Log, once for each slurmd, whether the node has weights. */
static void tell_node(const struct spank_node_conf *conf)
{
	struct libra_error err = {0};
	struct libra_cgroup cg;

	if (libra_cgroup_open(&cg, conf->cgroup_top, &err) < 0) {
		slurm_error("libra: %s; keep this node out of the partitions "
			    "named by libra_partitions",
			    err.text);
		return;
	}
	slurm_info("libra: shares by %s (cgroup version %d)", cg.control,
		   cg.version);
	libra_cgroup_close(&cg);
}

/* The values of the user's options, until all are read. */
static char asked[LIBRA_NOPTIONS][32];

static int take_option(int val, const char *text, int remote)
{
	struct libra_error err = {0};
	double value;

	if (remote)
		return ESPANK_SUCCESS;
	if (libra_option_parse(&libra_options[val], text, &value, &err) < 0) {
		slurm_error("%s", err.text);
		return ESPANK_BAD_ARG;
	}
	snprintf(asked[val], sizeof(asked[val]), "%.17g", value);
	return ESPANK_SUCCESS;
}

int slurm_spank_init_post_opt(spank_t spank, int ac, char *argv[])
{
	for (int i = 0; i < LIBRA_NOPTIONS; i++)
		if (asked[i][0] &&
		    spank_job_control_setenv(spank, libra_options[i].variable,
					     asked[i], 1) != ESPANK_SUCCESS) {
			slurm_error("--%s cannot be sent to slurmctld",
				    libra_options[i].name);
			return -1;
		}
	return ESPANK_SUCCESS;
}

static void register_options(spank_t spank)
{
	for (int i = 0; i < LIBRA_NOPTIONS; i++) {
		struct spank_option option = {
			.name = libra_options[i].name,
			.arginfo = libra_options[i].arg,
			.usage = libra_options[i].help,
			.has_arg = 1,
			.val = i,
			.cb = take_option,
		};

		if (spank_option_register(spank, &option) != ESPANK_SUCCESS)
			slurm_error("libra: cannot register --%s", option.name);
	}
}

int slurm_spank_init(spank_t spank, int ac, char *argv[])
{
	struct spank_node_conf conf;

	switch (spank_context()) {
	case S_CTX_REMOTE:
		lift(spank, ac, argv, false);
		register_options(spank);
		break;
	case S_CTX_ALLOCATOR:
	case S_CTX_LOCAL:
		register_options(spank);
		break;
	case S_CTX_SLURMD:
		conf = read_conf(ac, argv);
		tell_node(&conf);
		break;
	default:
		break;
	}
	return ESPANK_SUCCESS;
}
