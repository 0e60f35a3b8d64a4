/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask_start.c - ask slurmctld when a job of the queue would start: no command
 * of Slurm's asks that of somebody else's job, its library does for everybody.
 *
 * Usage: ask_start JOB
 *
 * Prints the start in seconds of the epoch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/base/compat.h"

int main(int argc, char **argv)
{
	will_run_response_msg_t *answer = NULL;
	job_desc_msg_t desc;
	char dir[] = "/";

	if (argc != 2)
		return 2;
	slurm_init(NULL);
	slurm_init_job_desc_msg(&desc);
	LIBRA_DESC_ID(&desc) = (uint32_t)strtoul(argv[1], NULL, 10);
	desc.user_id = getuid();
	desc.group_id = getgid();
	desc.work_dir = dir;
	desc.min_nodes = 1;
	if (slurm_job_will_run2(&desc, &answer) != SLURM_SUCCESS) {
		slurm_perror("ask_start");
		return 1;
	}
	if (!answer)
		return 1;
	printf("%ld\n", (long)answer->start_time);
	return 0;
}
