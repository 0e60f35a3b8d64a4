/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_groups.h - find the groups of jobs that share a limit with a job.
 *
 * Called by limits.c under its locks.
 */
#ifndef LIBRA_SELECT_LIMIT_GROUPS_H
#define LIBRA_SELECT_LIMIT_GROUPS_H

#include "plugin/select/limits.h"

/* Read the index of each counted resource in Slurm's arrays of TRES; -1 = none.
 * The caller holds assoc_mgr's lock of TRES.
 */
void libra_counted(int at[LIBRA_COUNTED]);

/* Jobs that share limits, and what these use now: the jobs of an association,
 * of a QOS, or of one user or account within a QOS.  The pointers are Slurm's.
 */
struct libra_group {
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *qos;
	const char *account;
	bool of_user;
	uint32_t jobs, submitted;
	const uint64_t *used, *run_s;
	/* Waiting promised jobs of the group, and their needs. */
	double more_jobs, more[LIBRA_COUNTED], more_run_s[LIBRA_COUNTED];
};

enum { LIBRA_LEVELS = 16, LIBRA_GROUPS = 6 + LIBRA_LEVELS };

struct libra_groups {
	struct libra_group g[LIBRA_GROUPS];
	int n;
	int at[LIBRA_COUNTED]; /* libra_counted() */
};

/* Find the groups of a wish: three for each QOS (all jobs, the user's, the
 * account's), then its associations from the lowest up.  with_promised: also
 * count the waiting promised jobs of each group.
 * Locks:  as for libra_limits().
 * Cost:   for with_promised, the number of Slurm's jobs.
 * Result: how many of the groups are of QOS.
 */
int libra_groups_find(struct libra_groups *groups,
		      const struct libra_wish *wish, bool with_promised);

#endif
