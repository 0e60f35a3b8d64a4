/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - the state of one simulation, and the events of all orders.
 *
 * For the files of this folder.  events.c has the events that every order
 * needs.  run.c has the project's own order of events, run_sc15.c that of SC
 * 2015.  correct.c gives running jobs longer predictions.  sim_run() creates
 * the state and frees it; one process runs it.
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
	struct sim_exec exec; /* exec.now_s is the clock */
	struct sim_predict predict;
	struct sim_leader *leader; /* predicts instead; NULL: `predict` does */
	struct sim_outcome *outcomes;
	uint32_t *job_of; /* slot -> index in the workload */
	size_t job_of_cap;
	size_t next;	    /* index of the next job to arrive */
	size_t next_change; /* index of the next change of capacity */
	size_t nevents;	    /* arrivals, ends and refusals so far */
	enum libra_mode mode;
	bool full; /* memory ran out while an end was learnt from */
};

/* Return the next instant at which something happens; INFINITY at the end. */
double sim_run_next_s(struct sim_run *r);

/* Return how often processors open or close in the workload. */
size_t sim_run_nchanges(const struct sim_run *r);

/* Offer the next job with its prediction, and commit it unless it is refused.
 * Result: 1 if it was committed, 0 if not, or -1 with err.
 */
int sim_run_offer(struct sim_run *r, struct libra_error *err);

/* Take the engine's actions and carry them out: start, hold, resume and reject
 * jobs, and change rates.
 * Result: 0, or -1 with ENOMEM.
 */
int sim_run_carry_out(struct sim_run *r, struct libra_error *err);

/* Record that the job of an index ends now, and learn its run time.  The caller
 * frees its processors.  Set r->full if memory ran out.
 */
void sim_run_finish(struct sim_run *r, uint32_t index);

/* Give a longer prediction to each running job that has exceeded its prediction
 * by more than after_s.  after_s 0: also to a job whose prediction ends now.
 * Result: how many jobs, or -1 with ENOMEM.
 */
int sim_run_correct(struct sim_run *r, double after_s);

/* Simulate to the end in the order of events of SC 2015; see run.h.
 * Result: 0, or -1 with err.
 */
int sim_run_sc15(struct sim_run *r, struct libra_error *err);

#endif
