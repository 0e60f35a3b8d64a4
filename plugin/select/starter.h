/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starter.h - the thread that starts promised jobs on time.
 *
 * Slurm's main scheduler stops at the first job of a partition that cannot
 * start, tests a limited number of jobs, and keeps nodes for waiting jobs of
 * partitions with a higher tier.  Backfill runs every bf_interval, and lets no
 * job delay the planned start of another one.  A promised job must not wait for
 * any of these.  So a thread of ours starts the jobs that may start, by Slurm's
 * own functions.
 *
 * In each pass the thread takes Slurm's locks (jobs and nodes to write, the
 * others to read) for short slices.  The thread also brings the host up to date
 * (libra_host_look()) and writes records.  A pass begins at a planned start,
 * after libra_wake() (wake.h), and a second after the last one at the latest.
 *
 * node_init() calls libra_starter_begin() under Slurm's locks.  fini() calls
 * libra_starter_end() without.
 */
#ifndef LIBRA_SELECT_STARTER_H
#define LIBRA_SELECT_STARTER_H

#include <stdbool.h>

/* Start the thread, unless it runs.  While slurmctld shuts down the thread does
 * nothing.  If slurmctld goes on after that, because it becomes a backup or a
 * reconfigure has failed, the thread goes on, too.
 * Result: false if the thread could not be created; then Slurm alone starts
 *         jobs.
 */
bool libra_starter_begin(void);

/* End the thread and wait for its end.  The caller must hold no lock of Slurm.
 */
void libra_starter_end(void);

#endif
