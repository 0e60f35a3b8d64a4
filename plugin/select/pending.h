/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - questions about a job that waits.
 *
 * The caller holds Slurm's lock of jobs, to read at least.
 */
#ifndef LIBRA_SELECT_PENDING_H
#define LIBRA_SELECT_PENDING_H

#include <stdbool.h>

#include "plugin/base/types.h"

struct job_record;

/* Return true if the job waits for a place alone.  Slurm gives no reason to a
 * job that its scheduler has not reached; without slurmdbd 23.11 and 24.05 give
 * none, or an invalid account, which is no reason there.
 */
bool libra_waits_for_place(const struct job_record *job);

/* Return what the host wants of the job: may it start, or does it ask again for
 * a promise? libra_is_wanted() returns false for LIBRA_NOT_WANTED.
 */
enum libra_host_wanted libra_pending_wanted(const struct job_record *job);
bool libra_is_wanted(const struct job_record *job);

#endif
