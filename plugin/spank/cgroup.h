/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.h - cgroups with a CPU weight, for version 1 and version 2.
 *
 * Version 1 has cpu.shares in one hierarchy and the used CPU time in another
 * (or the same).  Version 2 has cpu.weight and cpu.stat in its only hierarchy.
 * The version is found by the files of the node.  A group is named by its path
 * below the top of the hierarchy.  No symbolic link is followed there.
 *
 * The caller is root.  No function allocates memory or takes a lock.  Unless
 * stated otherwise a function of type int returns 0, or -1 with errno.  err may
 * be NULL.
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
	int usage;   /* top of that with CPU times; may be the same */
	/* Range of the weights that we set: a job of least weight must still be
	 * able to begin, and to end.
	 */
	uint32_t least, most;
	uint32_t greatest;   /* weight that the kernel accepts */
	uint32_t usual;	     /* weight of a new group */
	const char *control; /* name of the weight's file */
};

/* Open the cgroups below a folder, usually /sys/fs/cgroup.
 * Result: 0, or -1 with ENOTSUP: neither version gives weights there.
 * Owner:  the caller closes *cg.
 */
int libra_cgroup_open(struct libra_cgroup *cg, const char *top,
		      struct libra_error *err);
void libra_cgroup_close(struct libra_cgroup *cg);

/* Make a group and its parents in every hierarchy that we use, unless they
 * exist.
 */
int libra_cgroup_make(const struct libra_cgroup *cg, const char *path,
		      struct libra_error *err);

/* Kill the processes of a group and of its subgroups, except slurmstepd, and
 * remove the groups.  A group that does not exist counts as removed.
 * Result: 0, or -1 with EBUSY: a process is left after 1 s (remove) or 20 ms
 *         (try_remove).
 */
int libra_cgroup_remove(const struct libra_cgroup *cg, const char *path,
			struct libra_error *err);
int libra_cgroup_try_remove(const struct libra_cgroup *cg, const char *path,
			    struct libra_error *err);

bool libra_cgroup_exists(const struct libra_cgroup *cg, const char *path);

int libra_cgroup_set_weight(const struct libra_cgroup *cg, const char *path,
			    uint32_t weight, struct libra_error *err);

/* Return the CPU time, in seconds, that the processes of a group have used; 0
 * if there is no such group.
 */
double libra_cgroup_used_s(const struct libra_cgroup *cg, const char *path);

/* Move a process into a group.  pid 0: the caller, which must have one thread.
 */
int libra_cgroup_enter(const struct libra_cgroup *cg, const char *path,
		       pid_t pid, struct libra_error *err);

/* Set, get and drop the note of a group: a text (extended attribute) that
 * exists as long as the group.  Only root can read and write it.
 * Result: of set 0 or -1; of get the length of the text, or -1.
 */
int libra_cgroup_set_note(const struct libra_cgroup *cg, const char *path,
			  const char *text);
ssize_t libra_cgroup_get_note(const struct libra_cgroup *cg, const char *path,
			      char *text, size_t size);
void libra_cgroup_drop_note(const struct libra_cgroup *cg, const char *path);

/* Open a group as a folder, in the hierarchy with the weights.
 * Result: a descriptor, which the caller closes, or -1.
 */
int libra_cgroup_folder(const struct libra_cgroup *cg, const char *path);

/* Find the group that Slurm made for a job, in the text of /proc/PID/cgroup of
 * one of the job's processes.  Only version 2 has such a group: with version 1
 * Slurm makes none that has a weight.
 * Result: false if there is none.
 */
bool libra_cgroup_of_job(const struct libra_cgroup *cg, const char *text,
			 uint32_t job_id, char path[LIBRA_CGROUP_PATH]);

#endif
