/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - would several equal jobs be accepted one after the other? */
#include "core/share/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/fit.h"
#include "core/share/select.h"

static bool try_jobs(struct libra_engine *e, const struct libra_job *job,
		     uint32_t njobs)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	struct libra_task task =
		libra_share_task(job, LIBRA_NO_SLOT - 1, job->estimate_s);
	enum libra_reason reason;

	for (uint32_t i = 0; i < njobs; i++) {
		if (libra_search_is_spent(e) ||
		    libra_share_choose_whole(e, job, true, &reason) != 0 ||
		    libra_ledger_add(&s->ledger, &task) < 0)
			return false;
		if (traits->decided)
			traits->decided(e, job);
	}
	return true;
}

bool libra_share_would_accept(struct libra_engine *e,
			      const struct libra_job *job, uint32_t njobs)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	struct libra_ledger kept = s->ledger;
	char *learned = (char *)e->state + traits->learned;
	void *known;
	bool accepted;

	if (traits->admits && njobs > 1)
		return false;
	libra_share_observe(e);
	known = malloc(traits->learned_size + 1);
	if (!known || libra_ledger_copy(&s->ledger, &kept) < 0) {
		s->ledger = kept;
		free(known);
		return false;
	}
	memcpy(known, learned, traits->learned_size);
	accepted = try_jobs(e, job, njobs);
	memcpy(learned, known, traits->learned_size);
	free(known);
	libra_ledger_fini(&s->ledger);
	s->ledger = kept;
	return accepted;
}

/* Largest rounding error of a row's remaining share. */
#define ROUNDING 1e-9

static double room_takes(const struct libra_engine *e,
			 const struct libra_ledger_row *row,
			 const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;
	double room = fmin(traits->room(e, row), 1);

	return room > LIBRA_LEAST_ROOM
		       ? (room - ROUNDING) / libra_initial_share(job)
		       : 0;
}

static double takes(const struct libra_engine *e,
		    const struct libra_ledger_row *row,
		    const struct libra_job *job)
{
	const struct libra_share_traits *traits = e->policy->traits;
	double more = traits->takes ? traits->takes(e, row, job)
				    : room_takes(e, row, job);

	more = floor(more);
	if (e->max_jobs < UINT32_MAX)
		more = fmin(more, e->max_jobs - row->pub.ntasks);
	return more;
}

/* Collect the rows that take any of the jobs, those that take least on top.
 * Result: how many; *nprocs of them all.
 */
static uint32_t collect(struct libra_engine *e, const struct libra_job *job,
			uint64_t *nprocs)
{
	struct libra_share_state *s = libra_share_state(e);
	uint32_t n = 0;

	*nprocs = 0;
	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];
		double most =
			libra_share_usable(e, row) ? takes(e, row, job) : 0;

		e->work += 1 + row->pub.ntasks;
		if (!(most >= 1))
			continue;
		s->fits[n++] = (struct libra_fit){-most, i};
		*nprocs += row->pub.nprocs;
	}
	libra_fit_heap(s->fits, n);
	return n;
}

/* Whichever rows the first jobs take, they fill no more processors than those
 * that take least: test whether enough remain for the last job.
 */
bool libra_share_surely_accepts(struct libra_engine *e,
				const struct libra_job *job, uint32_t njobs)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	double parts = (double)(njobs - 1) * job->nprocs;
	uint64_t left;
	uint32_t n;

	if (traits->admits || !(traits->takes || traits->room) || job->where ||
	    libra_share_reserve(s) < 0 ||
	    (traits->surely_admits && !traits->surely_admits(e, job, njobs)))
		return false;
	n = collect(e, job, &left);
	while (n > 0 && left >= job->nprocs) {
		struct libra_fit least = s->fits[0];
		double nprocs = s->ledger.rows[least.row].pub.nprocs;
		double filled = fmin(nprocs, floor(parts / -least.key));

		/* A job uses a processor only once. */
		if (-least.key >= njobs)
			break;
		left -= (uint64_t)filled;
		parts += filled * least.key;
		if (filled < nprocs)
			break;
		libra_fit_pop(s->fits, n--);
	}
	return left >= job->nprocs;
}
