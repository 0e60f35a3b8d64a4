/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.h - check that the caller holds Slurm's write lock of jobs.
 *
 * A slurmctld that was configured with --enable-developer has verify_lock(),
 * which knows the locks of the calling thread.  The live tests load one into
 * any slurmctld (tests/live/verify_lock.c).  In other slurmctlds nothing is
 * checked.
 */
#ifndef LIBRA_SELECT_LOCKS_H
#define LIBRA_SELECT_LOCKS_H

/* Log an error if the calling thread does not hold Slurm's write lock of jobs.
 * where: the name of the function that needs the lock.
 */
void libra_need_job_lock(const char *where);

#endif
