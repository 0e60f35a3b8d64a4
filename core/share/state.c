/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - the memory of share policies, and the tasks that it holds. */
#include "core/share/state.h"

#include <stdlib.h>

#include "core/array.h"
#include "core/share/bid.h"

int libra_share_reserve(struct libra_share_state *s)
{
	uint32_t tasks = s->ledger.task_cap + 1, rows = s->ledger.cap;
	bool ok = true;

	if (s->outlook_cap < tasks) {
		s->outlook = libra_grown(s->outlook, tasks, sizeof(*s->outlook),
					 &ok);
		s->order = libra_grown(s->order, tasks, sizeof(*s->order), &ok);
		if (!ok)
			return -1;
		s->outlook_cap = tasks;
	}
	if (s->rows_cap < rows) {
		s->fits = libra_grown(s->fits, rows, sizeof(*s->fits), &ok);
		s->asked = libra_grown(s->asked, rows, sizeof(*s->asked), &ok);
		s->keys = libra_grown(s->keys, rows, sizeof(*s->keys), &ok);
		s->suits = libra_grown(s->suits, rows, sizeof(*s->suits), &ok);
		if (!ok)
			return -1;
		s->rows_cap = rows;
	}
	return 0;
}

int libra_share_init(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);

	if (libra_ledger_init(&s->ledger, e->nprocs) < 0 ||
	    libra_limits_init(&s->ledger.limits, e->nprocs, traits->limit) < 0)
		return -1;
	s->ledger.division.ranked = e->policy->ranked;
	s->node_fits = calloc(e->nnodes, sizeof(*s->node_fits));
	if (!s->node_fits || libra_share_reserve(s) < 0)
		return -1;
	return traits->init ? traits->init(e) : 0;
}

void libra_share_fini(struct libra_engine *e)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);

	if (traits->fini)
		traits->fini(e);
	libra_ledger_fini(&s->ledger);
	free(s->outlook);
	free(s->order);
	free(s->fits);
	free(s->asked);
	free(s->keys);
	free(s->suits);
	free(s->node_fits);
}

struct libra_task libra_share_task(const struct libra_job *job, uint32_t slot,
				   double est_left_s)
{
	double share = libra_initial_share(job);

	return (struct libra_task){
		.est_left_s = est_left_s,
		.deadline_s = job->deadline_s,
		.estimate_s = job->estimate_s,
		.initial_share = share < INFINITY ? share : 1,
		.bid = libra_bid(job),
		.slot = slot,
	};
}
