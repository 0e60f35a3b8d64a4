/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_slurm.c - to be preloaded: what the command libra asks slurmctld for.
 *
 * FAKE_SLURM_PARAMS is SchedulerParameters, FAKE_SLURM_AWAY a slurmctld that
 * does not answer, FAKE_SLURM_SUBMIT other JobSubmitPlugins than libra,
 * FAKE_SLURM_HIDDEN PrivateData=jobs.
 * FAKE_SLURM_JOBS names a file with a line for each job: its id, the id of its
 * array or 0, the array's tasks or -, its state's number, and its AdminComment.
 * Each is of 2 processors and 10 min, in main, in the order of the ids; job 13
 * is held.
 * There are the nodes a, b and c of 2, 2 and 4 processors and the partitions
 * main, of all, and short, of c; and it is 2000000000.  The jobs are those of
 * ada, bob and cy in turn, by their ids: the C library's own look-up ends a
 * program that has no memory.
 */
#define _GNU_SOURCE
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 3, PARTS = 2, MOST_JOBS = 6000, LINE = 512 };

static int32_t all_nodes[] = {0, NODES - 1, -1};
static int32_t last_node[] = {NODES - 1, NODES - 1, -1};
static node_info_t nodes[NODES];
static partition_info_t parts[PARTS];
static slurm_job_info_t jobs[MOST_JOBS];
static char lines[MOST_JOBS][LINE];
static slurm_conf_t conf;

void slurm_init(const char *file)
{
	(void)file;
}

int slurm_load_ctl_conf(time_t since, slurm_conf_t **to)
{
	char *submit = getenv("FAKE_SLURM_SUBMIT");

	(void)since;
	if (getenv("FAKE_SLURM_AWAY")) {
		errno = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
		return SLURM_ERROR;
	}
	conf.sched_params = getenv("FAKE_SLURM_PARAMS");
	conf.job_submit_plugins = submit ? submit : (char *)"libra";
	conf.cluster_name = (char *)"fake";
	conf.version = (char *)"24.11.5";
	conf.private_data = getenv("FAKE_SLURM_HIDDEN") ? PRIVATE_DATA_JOBS : 0;
	conf.slurm_user_id = 1;
	*to = &conf;
	return SLURM_SUCCESS;
}

void slurm_free_ctl_conf(slurm_conf_t *which)
{
	(void)which;
}

void slurm_free_conf(slurm_conf_t *which)
{
	(void)which;
}

int slurm_load_node(time_t since, node_info_msg_t **to, uint16_t flags)
{
	static const char *const names[NODES] = {"a", "b", "c"};
	static node_info_msg_t msg = {.record_count = NODES,
				      .node_array = nodes};

	(void)since;
	(void)flags;
	for (int i = 0; i < NODES; i++) {
		nodes[i].name = (char *)names[i];
		nodes[i].sockets = 1;
		nodes[i].cores = nodes[i].cpus = i < 2 ? 2 : 4;
		nodes[i].node_state = NODE_STATE_IDLE;
	}
	*to = &msg;
	return SLURM_SUCCESS;
}

void slurm_free_node_info_msg(node_info_msg_t *msg)
{
	(void)msg;
}

int slurm_load_partitions(time_t since, partition_info_msg_t **to,
			  uint16_t flags)
{
	static partition_info_msg_t msg = {.record_count = PARTS,
					   .partition_array = parts};

	(void)since;
	(void)flags;
	parts[0].name = (char *)"main";
	parts[0].flags = PART_FLAG_DEFAULT;
	parts[0].max_share = SHARED_FORCE | 8;
	parts[0].max_time = 300;
	parts[0].node_inx = all_nodes;
	parts[1] = parts[0];
	parts[1].name = (char *)"short";
	parts[1].flags = 0;
	parts[1].node_inx = last_node;
	*to = &msg;
	return SLURM_SUCCESS;
}

void slurm_free_partition_info_msg(partition_info_msg_t *msg)
{
	(void)msg;
}

static void read_job(slurm_job_info_t *job, char *line)
{
	char *save = NULL, *tasks;

	line[strcspn(line, "\n")] = '\0';
	job->job_id = (uint32_t)atoi(strtok_r(line, " ", &save));
	job->array_job_id = (uint32_t)atoi(strtok_r(NULL, " ", &save));
	job->array_task_id = job->job_id;
	job->user_id = job->job_id % 3;
	tasks = strtok_r(NULL, " ", &save);
	job->array_task_str = strcmp(tasks, "-") == 0 ? NULL : tasks;
	job->job_state = (uint32_t)atoi(strtok_r(NULL, " ", &save));
	job->admin_comment = strtok_r(NULL, "", &save);
	job->partition = (char *)"main";
	job->num_cpus = 2;
	job->time_limit = 10;
	job->priority = job->job_id == 13 ? 0 : 1000 - job->job_id;
	job->eligible_time = 1999999900;
	job->start_time = 1999999900;
	if (job->job_state > JOB_SUSPENDED) {
		job->start_time = 1999999800;
		job->end_time = 1999999900;
	}
	job->state_reason =
		job->job_state == JOB_PENDING ? WAIT_RESOURCES : WAIT_NO_REASON;
}

int slurm_load_jobs(time_t since, job_info_msg_t **to, uint16_t flags)
{
	static job_info_msg_t msg = {.job_array = jobs};
	FILE *f = fopen(getenv("FAKE_SLURM_JOBS"), "r");

	(void)since;
	(void)flags;
	while (f && msg.record_count < MOST_JOBS &&
	       fgets(lines[msg.record_count], LINE, f)) {
		read_job(&jobs[msg.record_count], lines[msg.record_count]);
		msg.record_count++;
	}
	if (f)
		fclose(f);
	*to = &msg;
	return f ? SLURM_SUCCESS : SLURM_ERROR;
}

void slurm_free_job_info_msg(job_info_msg_t *msg)
{
	(void)msg;
}

struct passwd *getpwuid(uid_t uid)
{
	static const char *const names[] = {"ada", "bob", "cy"};
	static struct passwd user;

	user.pw_name = (char *)names[uid % 3];
	user.pw_uid = uid;
	return &user;
}

int clock_gettime(clockid_t clock, struct timespec *to)
{
	(void)clock;
	*to = (struct timespec){.tv_sec = 2000000000};
	return 0;
}
