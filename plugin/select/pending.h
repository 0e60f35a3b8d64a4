/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - tests of a waiting job.
 *
 * The caller holds Slurm's lock of jobs, to read at least.
 */
#ifndef LIBRA_SELECT_PENDING_H
#define LIBRA_SELECT_PENDING_H

#include <stdbool.h>

#include "plugin/base/types.h"

struct job_record;

/* Return true if the job waits only for processors, by Slurm's reason.  A job
 * without a reason counts as well: Slurm's scheduler has not reached it.
 * Without slurmdbd, 23.11 and 24.05 may report an invalid account: that reason
 * is ignored there.
 */
bool libra_waits_for_place(const struct job_record *job);

/* Return whether the job may start or should ask for a promise
 * (libra_host_wants()).  libra_is_wanted() returns false for LIBRA_NOT_WANTED.
 */
enum libra_host_wanted libra_pending_wanted(const struct job_record *job);
bool libra_is_wanted(const struct job_record *job);

#endif
