/* SPDX-License-Identifier: GPL-2.0-or-later */
/* correct.c - the history of users, between a workload and its engine. */
#include "sim/run/correct.h"

#include <stdlib.h>
#include <string.h>

#include "core/formula/need.h"

int sim_correct_init(struct sim_correct *c, double quantile,
		     struct libra_error *err)
{
	struct libra_history_conf conf = libra_history_usual(quantile);

	memset(c, 0, sizeof(*c));
	if (quantile == 0)
		return 0;
	c->history = libra_history_create(&conf, err);
	return c->history ? 0 : -1;
}

void sim_correct_fini(struct sim_correct *c)
{
	libra_history_destroy(c->history);
	free(c->left_s);
}

double sim_correct_offer(const struct sim_correct *c, const struct sim_job *job)
{
	if (!c->history)
		return job->job.estimate_s;
	return libra_history_correct(c->history, job->job.user,
				     job->job.estimate_s, 0);
}

int sim_correct_learn(struct sim_correct *c, const struct sim_job *job)
{
	if (!c->history)
		return 0;
	return libra_history_add(c->history, job->job.user, job->runtime_s,
				 job->job.estimate_s);
}

static int reserve(struct sim_correct *c, uint32_t n)
{
	uint32_t cap = c->cap ? c->cap : 64;
	double *left_s;

	while (cap < n)
		cap *= 2;
	if (cap == c->cap)
		return 0;
	left_s = realloc(c->left_s, cap * sizeof(*left_s));
	if (!left_s)
		return -1;
	c->left_s = left_s;
	c->cap = cap;
	return 0;
}

int sim_correct_exceeded(struct sim_correct *c, struct libra_engine *engine,
			 const struct sim_job *jobs, const uint32_t *job_of,
			 double now_s)
{
	uint32_t nslots = libra_engine_nslots(engine);
	int n = 0;

	if (!c->history)
		return 0;
	if (reserve(c, nslots) < 0)
		return -1;
	libra_engine_all_left(engine, now_s, c->left_s);
	for (uint32_t slot = 0; slot < nslots; slot++) {
		uint64_t ticket = libra_engine_ticket(engine, slot);
		const struct libra_job *job;
		double user_s, next_s;

		/* NAN: none that runs. */
		if (!(c->left_s[slot] < -LIBRA_OVERRUN_AFTER_S))
			continue;
		job = libra_engine_job(engine, ticket);
		user_s = jobs[job_of[slot]].job.estimate_s;
		if (job->estimate_s >= user_s)
			continue;
		next_s = libra_history_correct(c->history, job->user, user_s,
					       job->estimate_s -
						       c->left_s[slot]);
		/* Some policies keep the share that they promised. */
		n += libra_engine_reestimate(engine, ticket, next_s, now_s) ==
		     0;
	}
	return n;
}
