/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starter.h - start promised jobs when it is their time.
 *
 * Slurm's main scheduler stops at the first job of a partition that cannot
 * start, looks at so many jobs only, and holds the nodes of a partition with a
 * higher tier for what waits there; backfill comes each bf_interval, and plans
 * nothing over the start of another job.  None of that is a reason for a
 * promised job to wait, so a thread of ours tries those that may start, by
 * Slurm's own functions and under its locks.
 *
 * Threads: begin and end are called by one thread, which holds no lock of Slurm
 * at the end.  wake.h wakes the thread from any other.
 */
#ifndef LIBRA_SELECT_STARTER_H
#define LIBRA_SELECT_STARTER_H

#include <stdbool.h>

/* Begin to look; it is begun once, and again where a shutdown has ended it, but
 * slurmctld goes on: as a backup, or with the settings that it had.
 * Result: false if there is no thread.
 */
bool libra_starter_begin(void);

/* No look any more; no lock of Slurm's is held. */
void libra_starter_end(void);

#endif
