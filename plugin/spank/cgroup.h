/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.h - groups of processes with a weight, whichever version a node has.
 *
 * Version 1 has cpu.shares in one hierarchy and the CPU time used in another
 * (or the same); version 2 has cpu.weight and cpu.stat in its only one.  Which
 * version a node has is seen from its files.  A group is named by its path
 * below the top of the hierarchy.  No symbolic link is followed there.
 *
 * For root.  Nothing here allocates or keeps a lock.
 */
#ifndef LIBRA_SPANK_CGROUP_H
#define LIBRA_SPANK_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"

enum { LIBRA_CGROUP_PATH = 512 };

struct libra_cgroup {
	int version; /* 1 or 2 */
	int weights; /* top of the hierarchy with the weights */
	int usage;   /* of the one with CPU times; may be the same */
	/* Weights from the least there is to the most that we use: a job of
	 * least weight must still be able to begin, and to end.
	 */
	uint32_t least, most;
	uint32_t greatest;   /* that the kernel takes */
	uint32_t usual;	     /* of a group to which nobody gave one */
	const char *control; /* name of the weight's file */
};

/* Look below a folder, usually /sys/fs/cgroup.
 * Result: 0, or -1 with ENOTSUP: neither version gives weights there.
 */
int libra_cgroup_open(struct libra_cgroup *cg, const char *top,
		      struct libra_error *err);
void libra_cgroup_close(struct libra_cgroup *cg);

/* Make a group and those above it, in every hierarchy that we use.  Those that
 * are there are used.
 */
int libra_cgroup_make(const struct libra_cgroup *cg, const char *path,
		      struct libra_error *err);

/* End the processes of a group and of those below it, except slurmstepd, and
 * remove the groups.  A group that is not there counts as removed.
 * Result: 0, or -1 with EBUSY: something is left after a second, or with try
 *         after 20 ms.
 */
int libra_cgroup_remove(const struct libra_cgroup *cg, const char *path,
			struct libra_error *err);
int libra_cgroup_try_remove(const struct libra_cgroup *cg, const char *path,
			    struct libra_error *err);

bool libra_cgroup_exists(const struct libra_cgroup *cg, const char *path);

int libra_cgroup_set_weight(const struct libra_cgroup *cg, const char *path,
			    uint32_t weight, struct libra_error *err);

/* CPU time that the processes of a group have used, in seconds; 0 if there is
 * no such group.
 */
double libra_cgroup_used_s(const struct libra_cgroup *cg, const char *path);

/* Move a process into a group; 0 is the caller, if it has one thread. */
int libra_cgroup_enter(const struct libra_cgroup *cg, const char *path,
		       pid_t pid, struct libra_error *err);

/* A note is a text that stays with the group as long as it lives; only root can
 * read and write it.
 * Result: of set 0 or -1, of get the text's length or -1.
 */
int libra_cgroup_set_note(const struct libra_cgroup *cg, const char *path,
			  const char *text);
ssize_t libra_cgroup_get_note(const struct libra_cgroup *cg, const char *path,
			      char *text, size_t size);
void libra_cgroup_drop_note(const struct libra_cgroup *cg, const char *path);

/* Open a group as a folder, in the hierarchy with the weights.
 * Result: its descriptor, or -1.
 */
int libra_cgroup_folder(const struct libra_cgroup *cg, const char *path);

/* Find the group that Slurm itself made for a job in the text of
 * /proc/PID/cgroup of one of its processes.  Only version 2 has such: with
 * version 1 Slurm makes none that has a weight.
 * Result: false if there is none.
 */
bool libra_cgroup_of_job(const struct libra_cgroup *cg, const char *text,
			 uint32_t job_id, char path[LIBRA_CGROUP_PATH]);

#endif
