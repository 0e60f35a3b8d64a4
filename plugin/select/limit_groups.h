/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_groups.h - the jobs with which a job has limits together.
 */
#ifndef LIBRA_SELECT_LIMIT_GROUPS_H
#define LIBRA_SELECT_LIMIT_GROUPS_H

#include "plugin/select/limits.h"

/* Where Slurm keeps what we count; -1 = nowhere.  Its lock of TRES. */
void libra_counted(int at[LIBRA_COUNTED]);

/* Jobs that have limits together, and what they have now: of an association; of
 * a QOS, or of one user or account in it.
 */
struct libra_group {
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *qos;
	const char *account;
	bool of_user;
	uint32_t jobs, submitted;
	const uint64_t *used, *run_s;
	/* Promised, and waiting: */
	double more_jobs, more[LIBRA_COUNTED], more_run_s[LIBRA_COUNTED];
};

enum { LIBRA_LEVELS = 16, LIBRA_GROUPS = 6 + LIBRA_LEVELS };

struct libra_groups {
	struct libra_group g[LIBRA_GROUPS];
	int n;
	int at[LIBRA_COUNTED]; /* libra_counted() */
};

/* Those of a wish: of each QOS three (all, the user's, the account's), then its
 * associations from the lowest up.  Locks as for libra_limits().
 * Result: how many are of QOS.
 */
int libra_groups_find(struct libra_groups *groups,
		      const struct libra_wish *wish, bool with_promised);

#endif
