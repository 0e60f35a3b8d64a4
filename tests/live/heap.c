/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.c - loaded into slurmctld (LD_PRELOAD): as long as there is the file
 * that LIBRA_HEAP names, the bytes that are allocated go into another four
 * times a second.  That has the number of the process behind its name: what
 * slurmctld starts has this loaded, too.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *run(void *switch_on)
{
	const struct timespec pause = {.tv_nsec = 250000000};
	char path[4096];

	snprintf(path, sizeof(path), "%s.%d", (char *)switch_on, (int)getpid());

	for (;; nanosleep(&pause, NULL)) {
		struct mallinfo2 info;
		FILE *file;

		if (access(switch_on, F_OK) < 0)
			continue;
		info = mallinfo2(); /* it looks at all that is free */
		file = fopen(path, "w");
		if (!file)
			continue;
		fprintf(file, "%zu\n", info.uordblks + info.hblkhd);
		fclose(file);
	}
	return NULL;
}

static void __attribute__((constructor)) begin(void)
{
	char *path = getenv("LIBRA_HEAP");
	pthread_t thread;

	if (path && pthread_create(&thread, NULL, run, path) == 0)
		pthread_detach(thread);
}
