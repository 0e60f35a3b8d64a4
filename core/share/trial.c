/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - would several equal jobs be accepted one after the other? */
#include "core/share/trial.h"

#include "core/share/ops.h"
#include "core/share/select.h"

static bool try_jobs(struct libra_engine *e, const struct libra_job *job,
		     uint32_t njobs)
{
	struct libra_share_state *s = libra_share_state(e);
	struct libra_task task =
		libra_share_task(job, LIBRA_NO_SLOT - 1, job->estimate_s);
	enum libra_reason reason;

	for (uint32_t i = 0; i < njobs; i++)
		if (libra_share_choose_whole(e, job, true, &reason) != 0 ||
		    libra_ledger_add(&s->ledger, &task) < 0)
			return false;
	return true;
}

bool libra_share_would_accept(struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	struct libra_ledger kept = s->ledger;
	bool accepted;

	if (traits->admits && njobs > 1)
		return false;
	libra_share_observe(e);
	if (libra_ledger_copy(&s->ledger, &kept) < 0) {
		s->ledger = kept;
		return false;
	}
	accepted = try_jobs(e, job, njobs);
	libra_ledger_fini(&s->ledger);
	s->ledger = kept;
	return accepted;
}
