/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fairshare.h - the fair-share factor: Fair Tree, classic, and classic with
 * DEPTH_OBLIVIOUS.  Part of priority.h, which says when each is called.
 */
#ifndef SIM_SLURM_FAIRSHARE_H
#define SIM_SLURM_FAIRSHARE_H

#include "sim/slurm/priority.h"

/* Rank all users by Fair Tree, and set their factors. */
void slurm_fairshare_tree(struct slurm_prio *p);

/* Set the effective usage and the factor of accounts.  Those of a user are set
 * when slurm_prio_fairshare() is next called for it.
 */
void slurm_fairshare_accounts(struct slurm_prio *p);

/* Return the instant at which the next period after that of at_s begins; 0:
 * usage is never reset.
 */
int64_t slurm_fairshare_next_reset(enum slurm_usage_reset reset, int64_t at_s);

#endif
