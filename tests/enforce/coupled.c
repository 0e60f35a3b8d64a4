/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coupled.c - one task of a job whose tasks wait for each other.
 *
 *   coupled SECONDS QUANTUM TASKS FILE OUT
 *
 * Uses so much CPU time, exactly, and after each quantum of it meets the other
 * tasks in a file that they share.  When it is done it adds a line to OUT: when
 * it began and ended, in seconds of the machine's clock.  One task alone meets
 * nobody.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/enforce/coupled.h"

static struct meeting *open_meeting(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	void *at;

	if (fd < 0 || ftruncate(fd, sizeof(struct meeting)) < 0)
		return NULL;
	at = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE,
		  MAP_SHARED, fd, 0);
	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

int main(int argc, char *argv[])
{
	double begin_s = clock_s(CLOCK_REALTIME), left_s, quantum_s;
	struct meeting *m;
	unsigned ntasks;
	FILE *out;

	if (argc != 6 || (left_s = atof(argv[1])) <= 0 ||
	    (quantum_s = atof(argv[2])) <= 0 || atoi(argv[3]) < 1) {
		fputs("Usage: coupled SECONDS QUANTUM TASKS FILE OUT\n",
		      stderr);
		return 2;
	}
	ntasks = (unsigned)atoi(argv[3]);
	m = open_meeting(argv[4]);
	if (!m) {
		perror(argv[4]);
		return 1;
	}
	/* What starting took counts too. */
	left_s -= clock_s(CLOCK_PROCESS_CPUTIME_ID);
	for (; left_s > 0; left_s -= quantum_s) {
		burn(left_s < quantum_s ? left_s : quantum_s);
		if (ntasks > 1)
			meet(m, ntasks, false);
	}
	out = fopen(argv[5], "a");
	if (!out ||
	    fprintf(out, "%.3f %.3f\n", begin_s, clock_s(CLOCK_REALTIME)) < 0 ||
	    fclose(out) != 0) {
		perror(argv[5]);
		return 1;
	}
	return 0;
}
