/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.c - predictors and corrections.
 *
 * Predictors that learn keep numbers by user: the last two run times here, or
 * ratios of run time to request in the core's history.  All memory is freed by
 * sim_predict_fini().
 */
#include "sim/run/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

#define LEAST_RUN_S 1
#define MINUTE_S    60.0
#define HOUR_S	    3600.0

int sim_predict_init(struct sim_predict *p, const struct sim_workload *w,
		     struct libra_error *err)
{
	struct libra_history_conf conf = {
		.quantile = w->prediction.quantile,
		.depth = (uint32_t)w->prediction.depth,
		.floor_s = LIBRA_HISTORY_FLOOR_S,
	};

	memset(p, 0, sizeof(*p));
	evq_init(&p->over);
	p->predictor = w->prediction.predictor;
	p->correction = w->prediction.correction;
	if (w->correct > 0) {
		conf = libra_history_usual(w->correct);
		p->predictor = SIM_PREDICT_QUANTILE;
		p->correction = SIM_CORRECTION_LIKES;
	}
	if (p->predictor != SIM_PREDICT_QUANTILE)
		return 0;
	p->history = libra_history_create(&conf, err);
	return p->history ? 0 : -1;
}

void sim_predict_fini(struct sim_predict *p)
{
	libra_history_destroy(p->history);
	libra_users_fini(&p->users);
	evq_fini(&p->over);
	free(p->last);
	free(p->left_s);
}

/* ---- predictors ---- */

/* Return the mean of the user's last two run times; the request without two. */
static double last_two(const struct sim_predict *p, const struct sim_job *job)
{
	uint32_t user = libra_users_find(&p->users, job->job.user);
	double mean_s;

	if (user == LIBRA_NO_USER || isnan(p->last[user][1]))
		return job->job.estimate_s;
	mean_s = floor((p->last[user][0] + p->last[user][1]) / 2);
	return fmin(fmax(mean_s, LEAST_RUN_S), job->job.estimate_s);
}

double sim_predict_offer(const struct sim_predict *p, const struct sim_job *job)
{
	switch (p->predictor) {
	case SIM_PREDICT_CLAIRVOYANT:
		return job->runtime_s;
	case SIM_PREDICT_LAST_TWO:
		return last_two(p, job);
	case SIM_PREDICT_QUANTILE:
		return libra_history_correct(p->history, job->job.user,
					     job->job.estimate_s, 0);
	}
	return job->job.estimate_s;
}

/* Room for one user more. */
static int grow_last(struct sim_predict *p)
{
	size_t old = p->last_cap;
	double(*last)[2] =
		sim_grown(p->last, &p->last_cap, p->users.n + 1, sizeof(*last));

	if (!last)
		return -1;
	p->last = last;
	for (size_t i = old; i < p->last_cap; i++)
		last[i][0] = last[i][1] = NAN;
	return 0;
}

int sim_predict_learn(struct sim_predict *p, const struct sim_job *job)
{
	uint32_t user;

	if (p->predictor == SIM_PREDICT_QUANTILE)
		return libra_history_add(p->history, job->job.user,
					 job->runtime_s, job->job.estimate_s);
	if (p->predictor != SIM_PREDICT_LAST_TWO)
		return 0;
	if (grow_last(p) < 0)
		return -1;
	user = libra_users_need(&p->users, job->job.user);
	if (user == LIBRA_NO_USER)
		return -1;
	p->last[user][1] = p->last[user][0];
	p->last[user][0] = job->runtime_s;
	return 0;
}

/* ---- corrections ---- */

/* Return first_s with the least increment that exceeds executed_s. */
static double with_increment(double first_s, double executed_s)
{
	static const double increments[] = {
		1 * MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S,
		1 * HOUR_S,   2 * HOUR_S,   5 * HOUR_S,	   10 * HOUR_S,
		20 * HOUR_S,  50 * HOUR_S,  100 * HOUR_S,
	};

	for (size_t i = 0; i < sizeof(increments) / sizeof(*increments); i++)
		if (first_s + increments[i] > executed_s)
			return first_s + increments[i];
	return INFINITY;
}

/* Return first_s doubled until it exceeds executed_s. */
static double doubled(double first_s, double executed_s)
{
	double next_s = 2 * first_s;

	while (next_s <= executed_s)
		next_s *= 2;
	return next_s;
}

double sim_predict_next(const struct sim_predict *p, const struct sim_job *job,
			double first_s, double executed_s)
{
	double request_s = job->job.estimate_s, next_s = request_s;

	switch (p->correction) {
	case SIM_CORRECTION_INCREMENTS:
		next_s = with_increment(first_s, executed_s);
		break;
	case SIM_CORRECTION_DOUBLE:
		next_s = doubled(first_s, executed_s);
		break;
	case SIM_CORRECTION_LIKES:
		next_s = libra_history_correct(p->history, job->job.user,
					       request_s, executed_s);
		break;
	}
	return fmin(next_s, request_s);
}

int sim_predict_started(struct sim_predict *p, uint32_t slot,
			const struct sim_job *job, double prediction_s,
			double now_s)
{
	if (p->predictor <= SIM_PREDICT_CLAIRVOYANT ||
	    prediction_s >= job->job.estimate_s)
		return 0;
	return evq_set(&p->over, slot, now_s + prediction_s);
}

void sim_predict_ended(struct sim_predict *p, uint32_t slot)
{
	evq_drop(&p->over, slot);
}
