/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fairshare.h - the fair-share factor: Fair Tree, classic, and classic with
 * DEPTH_OBLIVIOUS.  Only priority.c calls these functions.
 */
#ifndef SIM_SLURM_FAIRSHARE_H
#define SIM_SLURM_FAIRSHARE_H

#include "sim/slurm/priority.h"

/* Rank all users by Fair Tree, and set usage[].factor of each. */
void slurm_fairshare_tree(struct slurm_prio *p);

/* Set the effective usage and the factor of accounts.  slurm_prio_fairshare()
 * sets those of a user, at its next call for that user.
 */
void slurm_fairshare_accounts(struct slurm_prio *p);

/* Return the first instant after at_s at which usage is reset; 0: never. */
int64_t slurm_fairshare_next_reset(enum slurm_usage_reset reset, int64_t at_s);

#endif
