/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submitters.c - many users' submissions at one time, by Slurm's own library:
 * no sbatch has to be started for each.
 *
 * Usage: submitters SUBMITTERS EACH NAME PARTITION MINUTES DEADLINE_IN
 * PROCESSORS
 *
 *        submitters SUBMITTERS cancel <IDS
 *
 * MINUTES is the time limit, DEADLINE_IN the seconds from now to the deadline;
 * 0 is no deadline. Prints how many were accepted, how many refused, and the
 * seconds they took.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/base/compat.h"

struct what {
	char *name, *partition;
	uint32_t minutes, nprocs;
	long deadline_in_s;
};

static double clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int submit(const struct what *what)
{
	char script[] = "#!/bin/sh\nsleep 1\n", dir[] = "/";
	char out[] = "/dev/null", path[] = "PATH=/usr/bin:/bin";
	char *env[] = {path, NULL};
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t desc;
	int rc;

	slurm_init_job_desc_msg(&desc);
	desc.name = what->name;
	desc.script = script;
	desc.work_dir = dir;
	desc.std_out = desc.std_err = out;
	desc.environment = env;
	desc.env_size = 1;
	desc.partition = what->partition;
	desc.time_limit = what->minutes;
	if (what->deadline_in_s)
		desc.deadline = time(NULL) + what->deadline_in_s;
	desc.num_tasks = desc.min_cpus = what->nprocs;
	desc.licenses = getenv("SUBMIT_LICENSES"); /* or NULL */
	desc.user_id = getuid();
	desc.group_id = getgid();
	rc = slurm_submit_batch_job(&desc, &answer);
	if (answer)
		slurm_free_submit_response_response_msg(answer);
	return rc;
}

/* One submitter, in a process of its own; says by bytes what it was told. */
static void run(const struct what *what, int each, int to)
{
	for (int i = 0; i < each; i++) {
		const char *byte = submit(what) == SLURM_SUCCESS ? "a" : "r";

		if (write(to, byte, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

/* The jobs that one of n is to cancel, of the ids in a file that all have read.
 */
static void cancel(const uint32_t *ids, int nids, int n, int self)
{
	for (int i = self; i < nids; i += n)
		LIBRA_KILL_JOB(ids[i], SIGKILL);
	_exit(0);
}

static int cancel_all(int n)
{
	static uint32_t ids[1 << 17];
	int nids = 0;

	while (nids < 1 << 17 && scanf("%u", &ids[nids]) == 1)
		nids++;
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			cancel(ids, nids, n, i);
	while (wait(NULL) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	long accepted = 0, refused = 0;
	struct what what;
	int n, each, fds[2];
	double at_s;
	char byte;

	slurm_init(NULL);
	if (argc == 3 && strcmp(argv[2], "cancel") == 0)
		return cancel_all(atoi(argv[1]));
	if (argc != 8 || pipe(fds) < 0)
		return 2;
	n = atoi(argv[1]);
	each = atoi(argv[2]);
	what = (struct what){
		.name = argv[3],
		.partition = argv[4],
		.minutes = (uint32_t)atoi(argv[5]),
		.deadline_in_s = atol(argv[6]),
		.nprocs = (uint32_t)atoi(argv[7]),
	};
	at_s = clock_s();
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			run(&what, each, fds[1]);
	close(fds[1]);
	while (read(fds[0], &byte, 1) == 1) {
		accepted += byte == 'a';
		refused += byte == 'r';
	}
	while (wait(NULL) > 0)
		;
	printf("%ld %ld %.3f\n", accepted, refused, clock_s() - at_s);
	return accepted + refused == (long)n * each ? 0 : 1;
}
