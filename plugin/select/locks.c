/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks.c - see locks.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdbool.h>

#include "src/common/slurm_xlator.h"
#include "src/common/log.h"
#include "src/slurmctld/locks.h"

#include "plugin/select/locks.h"

/* Slurm's header has it for developers only. */
extern bool verify_lock(lock_datatype_t datatype, lock_level_t level);
#pragma weak verify_lock

void libra_need_job_lock(const char *where)
{
	if (verify_lock && !verify_lock(JOB_LOCK, WRITE_LOCK))
		error("libra: %s is called without Slurm's write lock of jobs",
		      where);
}
