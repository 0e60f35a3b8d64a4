/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_slurm.c - to be preloaded: what the command libra asks slurmctld for.
 *
 * FAKE_SLURM_PARAMS is SchedulerParameters, FAKE_SLURM_STATE StateSaveLocation.
 * FAKE_SLURM_JOBS names a file with a line for each job: its id, the id of its
 * array or 0, the array's tasks or -, its state's number, and its AdminComment.
 * There are the nodes a, b and c of 2, 2 and 4 processors and the partition
 * main, and it is 2000000000.  All users are ada: the C library's own look-up
 * ends a program that has no memory.
 */
#define _GNU_SOURCE
#include <slurm/slurm.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 3, MOST_JOBS = 16, LINE = 2048 };

static int32_t all_nodes[] = {0, NODES - 1, -1};
static node_info_t nodes[NODES];
static partition_info_t part;
static slurm_job_info_t jobs[MOST_JOBS];
static char lines[MOST_JOBS][LINE];
static slurm_conf_t conf;

void slurm_init(const char *file)
{
	(void)file;
}

int slurm_load_ctl_conf(time_t since, slurm_conf_t **to)
{
	(void)since;
	conf.sched_params = getenv("FAKE_SLURM_PARAMS");
	conf.state_save_location = getenv("FAKE_SLURM_STATE");
	conf.job_submit_plugins = (char *)"libra";
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
	static partition_info_msg_t msg = {.record_count = 1,
					   .partition_array = &part};

	(void)since;
	(void)flags;
	part.name = (char *)"main";
	part.flags = PART_FLAG_DEFAULT;
	part.max_share = SHARED_FORCE | 8;
	part.node_inx = all_nodes;
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
	tasks = strtok_r(NULL, " ", &save);
	job->array_task_str = strcmp(tasks, "-") == 0 ? NULL : tasks;
	job->job_state = (uint32_t)atoi(strtok_r(NULL, " ", &save));
	job->admin_comment = strtok_r(NULL, "", &save);
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
	static struct passwd ada = {.pw_name = (char *)"ada"};

	ada.pw_uid = uid;
	return &ada;
}

int clock_gettime(clockid_t clock, struct timespec *to)
{
	(void)clock;
	*to = (struct timespec){.tv_sec = 2000000000};
	return 0;
}
