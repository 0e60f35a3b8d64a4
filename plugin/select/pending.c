/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending.c - see pending.h. */
#define LIBRA_SLURM_INTERNAL

#include "src/common/slurm_xlator.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/pending.h"

#pragma weak accounting_enforce

bool libra_waits_for_place(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && job->priority && job->details &&
	       job->part_ptr && !job->het_job_id &&
	       (job->state_reason == WAIT_RESOURCES ||
		job->state_reason == WAIT_PRIORITY ||
		job->state_reason == WAIT_NO_REASON ||
		(job->state_reason == FAIL_ACCOUNT &&
		 !(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS)));
}

enum libra_host_wanted libra_pending_wanted(const job_record_t *job)
{
	const struct libra_host_job seen = {
		.job_id = job->job_id,
		.comment = job->admin_comment,
		.waiting = LIBRA_ARRAY_WAITING(job),
	};

	if (!IS_JOB_PENDING(job) || job->priority == 0 || !job->admin_comment)
		return LIBRA_NOT_WANTED;
	return libra_host_wants(libra_host_shared(), &seen);
}

bool libra_is_wanted(const job_record_t *job)
{
	return libra_pending_wanted(job) != LIBRA_NOT_WANTED;
}
