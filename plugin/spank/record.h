/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - a promised job as a node knows it, and its record: one line of
 * text.
 *
 * The functions are pure: no file, no allocation, any thread.  Times are in
 * seconds, instants in seconds of CLOCK_REALTIME.
 */
#ifndef LIBRA_SPANK_RECORD_H
#define LIBRA_SPANK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/spank/cgroup.h"

enum {
	SPANK_CORES = 1024, /* cores of a node that can be told apart */
	SPANK_CORE_WORDS = SPANK_CORES / 64,
	/* Every record and its terminating zero fit into so many bytes. */
	SPANK_RECORD_SIZE = LIBRA_CGROUP_PATH + SPANK_CORES / 4 + 256,
};

struct spank_job {
	uint32_t id;
	uint32_t user;
	uint32_t ncpus;	   /* its CPUs on this node; 0 = its first process
			      has not come yet */
	double share;	   /* promised, of each CPU; 0 = best effort */
	double estimate_s; /* duration on whole processors */
	double deadline_s; /* instant */
	bool turns;	   /* jobs take turns by deadline, without shares */
	bool yields;	   /* by shares; a late job gets what others leave */
	uint32_t change;   /* number of the last change of its promise; 0 =
			      as it began */
	uint64_t cores[SPANK_CORE_WORDS]; /* all 0 = not known */
	char group[LIBRA_CGROUP_PATH];	  /* cgroup that Slurm made for the
					     job; "" = ours */
};

/* Write a record.
 * Result: 0, or -1 with EINVAL: the text is too small, or the group's name has
 *         a blank in it.
 */
int spank_record_format(const struct spank_job *job, char *text, size_t size);

/* Read a record.
 * Result: 0, or -1 with EINVAL (damaged), or ENOTSUP (written by a later
 *         version).
 */
int spank_record_parse(const char *text, struct spank_job *job);

/* A change of a running job's promise, as slurmctld sends it. */
struct spank_change {
	uint32_t id;	 /* of the job */
	uint32_t number; /* 1, 2, ...; 0 = slurmctld's answer (node.h) */
	double share;	 /* 0 = best effort from now on */
	double estimate_s, deadline_s;
};

/* Read the first change of a list "ID/NUMBER/SHARE/ESTIMATE/DEADLINE;...".
 * Result: the rest of the list, or NULL if the list is empty or damaged here.
 */
const char *spank_change_next(const char *text, struct spank_change *change);

/* Read a list of cores ("0-3,8").  If a core is SPANK_CORES or beyond, none is
 * set.
 * Result: the length of the list, or 0 and none set if the text is no list.
 */
uint32_t spank_read_cores(const char *list, uint64_t cores[SPANK_CORE_WORDS]);

#endif
