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

/* Set the effective usage and the factor of accounts; users follow when they
 * are looked at.
 */
void slurm_fairshare_accounts(struct slurm_prio *p);

/* The first instant of the period after the one of at_s; 0 = none. */
int64_t slurm_fairshare_next_reset(enum slurm_usage_reset reset, int64_t at_s);

#endif
