/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weigh.c - busy processes as jobs of a node, without Slurm.
 *
 *   weigh SECONDS SHARE...
 *
 * Each share is a job of one busy process, in the groups that this host has;
 * 0 is best effort.  Prints what part of their CPU time each gets, ends the
 * first one, and prints it for the rest; then all end, and what is left is
 * told.  All of them must be bound to one CPU by the caller.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/node.h"

enum { MOST = 16 };

static void hear(void *arg, const char *text)
{
	printf("reported: %s\n", text);
}

static const struct spank_node_conf conf = {
	.cgroup_top = "/sys/fs/cgroup",
	.state = "/run/slurm-libra-weigh",
	.name = "w1",
	.report = hear,
};

static double clock_s(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static struct spank_node *open_node(void)
{
	struct libra_error err = {0};
	struct spank_node *node = spank_node_open(&conf, &err);

	if (node)
		return node;
	printf("%s\n", err.text);
	exit(1);
}

static pid_t start(uint32_t id, double share)
{
	double now_s = clock_s(CLOCK_REALTIME);
	struct spank_job job = {.id = id,
				.share = share,
				.estimate_s = share * 1e6,
				.deadline_s = now_s + 1e6};
	struct spank_node *node = open_node();
	pid_t pid;

	spank_node_begin(node, &job, now_s);
	spank_node_close(node);
	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	node = open_node();
	spank_node_enter(node, id, 1, "0", "0::/\n", 0, now_s);
	spank_node_close(node);
	for (;;)
		;
}

static double used_s(pid_t pid)
{
	clockid_t id;

	return clock_getcpuclockid(pid, &id) == 0 ? clock_s(id) : 0;
}

static void divide(const pid_t *pids, int first, int n, double seconds)
{
	const struct timespec pause = {0, 50000000};
	double before[MOST], used[MOST], sum = 0;
	double end_s = clock_s(CLOCK_MONOTONIC) + seconds;

	for (int i = first; i < n; i++)
		before[i] = used_s(pids[i]);
	while (clock_s(CLOCK_MONOTONIC) < end_s)
		nanosleep(&pause, NULL);
	for (int i = first; i < n; i++) {
		used[i] = used_s(pids[i]) - before[i];
		sum += used[i];
	}
	printf("parts");
	for (int i = first; i < n; i++)
		printf(" %.4f", used[i] / sum);
	printf("\n");
}

static void end(uint32_t id, pid_t pid)
{
	struct spank_node *node = open_node();

	spank_node_end(node, id, clock_s(CLOCK_REALTIME));
	spank_node_close(node);
	waitpid(pid, NULL, 0);
}

int main(int argc, char *argv[])
{
	double seconds = argc > 2 ? atof(argv[1]) : 0;
	int n = argc - 2;
	struct libra_cgroup cg;
	pid_t pids[MOST];

	if (seconds <= 0 || n > MOST) {
		fputs("Usage: weigh SECONDS SHARE...\n", stderr);
		return 2;
	}
	for (int i = 0; i < n; i++)
		pids[i] = start((uint32_t)i + 1, atof(argv[i + 2]));
	if (libra_cgroup_open(&cg, conf.cgroup_top, NULL) < 0)
		return 1;
	printf("cgroup version %d\n", cg.version);
	divide(pids, 0, n, seconds);
	end(1, pids[0]);
	if (n > 1)
		divide(pids, 1, n, seconds);
	for (int i = 1; i < n; i++)
		end((uint32_t)i + 1, pids[i]);
	printf("left: %s, %s\n",
	       libra_cgroup_exists(&cg, "libra") ? "groups" : "no group",
	       access(conf.state, F_OK) == 0 ? "files" : "no file");
	libra_cgroup_close(&cg);
	return 0;
}
