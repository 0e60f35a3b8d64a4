/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.h - predictions between a workload and its engine.
 *
 * A job is offered with a prediction for its estimate; what it took is learnt
 * when it ends; and one that has executed as much as was predicted, and still
 * runs, gets a longer prediction.  The request bounds every prediction and
 * stays what a job may run.  Deadlines were drawn before, from the user's
 * request or the run time.
 *
 * requested    the user's request
 * clairvoyant  the run time
 * last-two     the mean of the run times of the user's two jobs that ended
 *              last, rounded down, at least 1 s; the request while there are
 *              fewer (Tsafrir, Etsion and Feitelson, TPDS 18(6), 2007)
 * quantile     the request times a quantile of the user's last ratios of run
 *              time to request (history.h); the request while they are too few
 *
 * leader       of two quantiles the one that would have done best so far:
 *              leader.h, which stands above this file
 *
 * Corrections give the least of these that exceeds what was executed, and the
 * request at the most:
 * request      the request
 * increments   the first prediction and 1, 5, 15, 30 min, 1, 2, 5, 10, 20, 50
 *              or 100 h
 * double       the first prediction times 2, 4, 8, ...
 * likes        the same quantile of the past jobs that ran longer than so
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/engine.h"
#include "core/history.h"
#include "core/users.h"
#include "sim/base/evq.h"
#include "sim/workload/workload.h"

struct sim_predict {
	int predictor, correction;
	struct libra_history *history; /* of the quantile */
	struct libra_users users;      /* of the last two */
	double (*last)[2];	       /* by user: the run times, NAN = none */
	size_t last_cap;
	/* When the predictions of running jobs are over that have their
	 * processors for themselves, by slot.
	 */
	struct evq over;
	double *left_s; /* by slot, of the others: scratch */
	size_t left_cap;
};

/* The predictor of a workload: its prediction, or that of its correct.
 * Result: 0, or -1 with EINVAL or ENOMEM.
 */
int sim_predict_init(struct sim_predict *p, const struct sim_workload *w,
		     struct libra_error *err);
void sim_predict_fini(struct sim_predict *p);

/* The estimate with which a job is offered; NAN: out of memory. */
double sim_predict_offer(const struct sim_predict *p,
			 const struct sim_job *job);

/* The prediction of a job that was first predicted to take first_s and has
 * executed so much.
 */
double sim_predict_next(const struct sim_predict *p, const struct sim_job *job,
			double first_s, double executed_s);

/* A job has ended.  Result: 0, or -1 with ENOMEM. */
int sim_predict_learn(struct sim_predict *p, const struct sim_job *job);

/* A job with processors of its own begins; it is told of at its end.
 * Result: 0, or -1 with ENOMEM.
 */
int sim_predict_started(struct sim_predict *p, uint32_t slot,
			const struct sim_job *job, double prediction_s,
			double now_s);
void sim_predict_ended(struct sim_predict *p, uint32_t slot);

#endif
