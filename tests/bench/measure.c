/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure.c - measure RUNS COMMAND...: times and memory of a program.
 *
 * Runs it so many times, output thrown away, and prints five numbers: median
 * elapsed and processor seconds, the least of both, and the peak memory in KiB.
 * Exit status 1 if a run fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS 1000

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void become(char **command)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0)
		_exit(127);
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

/* Result: 0, or -1 if the command failed. */
static int run_once(char **command, double *wall_s, double *cpu_s, long *kib)
{
	double start_s = now_s();
	struct rusage used;
	pid_t child = fork();
	int status;

	if (child == 0)
		become(command);
	if (child < 0 || wait4(child, &status, 0, &used) < 0)
		return -1;
	*wall_s = now_s() - start_s;
	*cpu_s = seconds(&used.ru_utime) + seconds(&used.ru_stime);
	*kib = used.ru_maxrss > *kib ? used.ru_maxrss : *kib;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *sorted, int n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	static double wall_s[MAX_RUNS], cpu_s[MAX_RUNS];
	int n = argc > 2 ? atoi(argv[1]) : 0;
	long kib = 0;

	if (n < 1 || n > MAX_RUNS) {
		fprintf(stderr, "usage: measure RUNS COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < n; i++)
		if (run_once(argv + 2, &wall_s[i], &cpu_s[i], &kib) < 0)
			return 1;
	qsort(wall_s, (size_t)n, sizeof(*wall_s), by_value);
	qsort(cpu_s, (size_t)n, sizeof(*cpu_s), by_value);
	printf("%.4f %.4f %.4f %.4f %ld\n", median(wall_s, n), median(cpu_s, n),
	       wall_s[0], cpu_s[0], kib);
	return 0;
}
