/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * predict.h - predictions between a workload and its engine.
 *
 * A job is offered with a prediction as its estimate.  When a job ends, its run
 * time is learnt.  A job that has executed its prediction and still runs gets a
 * longer prediction.  The user's request bounds every prediction, and remains
 * the time that a job may run.  Deadlines are drawn before, from the request or
 * the run time.  The caller is the simulation (events.h); times are in seconds.
 *
 * requested    the user's request
 * clairvoyant  the run time
 * last-two     the mean of the run times of the user's two jobs that ended
 *              last, rounded down, at least 1 s; the request while there are
 *              fewer (Tsafrir, Etsion and Feitelson, TPDS 18(6), 2007)
 * quantile     the request times a quantile of the user's last ratios of run
 *              time to request (history.h); the request while they are too few
 *
 * leader       the better of two quantiles so far: leader.h, which calls this
 *              file
 *
 * A correction gives the least number of its list that exceeds the executed
 * time, and at most the request:
 *
 * request      the request
 * increments   the first prediction and 1, 5, 15, 30 min, 1, 2, 5, 10, 20, 50
 *              or 100 h
 * double       the first prediction times 2, 4, 8, ...
 * likes        the same quantile of the past jobs that ran longer than the job
 *              has executed
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
	int predictor, correction;     /* enum sim_predictor, sim_correction */
	struct libra_history *history; /* for quantile */
	struct libra_users users;      /* for last-two */
	double (*last)[2];	       /* by user: the run times, NAN = none */
	size_t last_cap;
	/* By slot, for running jobs that have their processors for themselves:
	 * the instant at which the prediction ends.
	 */
	struct evq over;
	double *left_s; /* scratch by slot, for other jobs */
	size_t left_cap;
};

/* Prepare the predictor and correction of a workload: those of w->prediction,
 * or the quantile w->correct.
 * Result: 0, or -1 with EINVAL or ENOMEM.
 * Owner:  the caller calls sim_predict_fini(), after an error too.
 */
int sim_predict_init(struct sim_predict *p, const struct sim_workload *w,
		     struct libra_error *err);
void sim_predict_fini(struct sim_predict *p);

/* Return the estimate with which a job is offered; NAN if memory is out. */
double sim_predict_offer(const struct sim_predict *p,
			 const struct sim_job *job);

/* Return the corrected prediction of a job that was first predicted to take
 * first_s and has executed executed_s.
 */
double sim_predict_next(const struct sim_predict *p, const struct sim_job *job,
			double first_s, double executed_s);

/* Learn the run time of a job that has ended.  Result: 0, or -1 with ENOMEM. */
int sim_predict_learn(struct sim_predict *p, const struct sim_job *job);

/* Record the start now_s and the prediction of a job with processors of its
 * own, so that the end of the prediction is found.  ended: forget it.
 * Result: 0, or -1 with ENOMEM.
 */
int sim_predict_started(struct sim_predict *p, uint32_t slot,
			const struct sim_job *job, double prediction_s,
			double now_s);
void sim_predict_ended(struct sim_predict *p, uint32_t slot);

#endif
