/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - one simulation under way, for the orders of events.
 *
 * events.c has what every order needs; run.c has the project's own order,
 * run_sc15.c another;
 * correct.c gives running jobs longer predictions.
 */
#ifndef SIM_RUN_EVENTS_H
#define SIM_RUN_EVENTS_H

#include "sim/run/exec.h"
#include "sim/run/predict.h"
#include "sim/run/metrics.h"
#include "sim/run/leader.h"

struct sim_run {
	const struct sim_workload *w;
	struct libra_engine *engine;
	struct sim_exec exec; /* has the clock */
	struct sim_predict predict;
	struct sim_leader *leader; /* predicts instead; NULL = predict does */
	struct sim_outcome *outcomes;
	uint32_t *job_of; /* slot -> index in the workload */
	size_t job_of_cap;
	size_t next;	    /* arrival */
	size_t next_change; /* of the capacity */
	size_t nevents;	    /* arrivals, ends and refusals so far */
	enum libra_mode mode;
	bool full; /* no memory to learn from an end */
};

/* The next instant at which something happens; INFINITY = all is over. */
double sim_run_next_s(struct sim_run *r);

/* How often processors come or go in the workload. */
size_t sim_run_nchanges(const struct sim_run *r);

/* Offer the next job with its prediction, and commit it unless it is refused.
 * Result: 1 if it was committed, 0 if not, or -1 with err.
 */
int sim_run_offer(struct sim_run *r, struct libra_error *err);

/* Carry out what the engine has decided. */
int sim_run_carry_out(struct sim_run *r, struct libra_error *err);

/* The job of an index has ended, now; its processors are another matter. */
void sim_run_finish(struct sim_run *r, uint32_t index);

/* Give running jobs longer predictions that are over by more than after_s, or
 * by as much if that is 0.
 * Result: how many, or -1 with ENOMEM.
 */
int sim_run_correct(struct sim_run *r, double after_s);

/* The order of events of SC 2015; see run.h. */
int sim_run_sc15(struct sim_run *r, struct libra_error *err);

#endif
