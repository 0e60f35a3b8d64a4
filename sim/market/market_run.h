/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * market_run.h - simulate a market: one work plan under one policy.
 *
 * Hosts divide their CPUs at the rates of the engine's ledger.  A job ends when
 * its work is done, and at the latest at its deadline: then it is stopped, with
 * the work that is done by then (CCGrid 2008, section 4.1).  Each of its parts
 * has its own work, or (pooled) the parts work on until together they have done
 * all.  Events at one instant: ends, deadlines, then arrivals in order.
 *
 * The market paper calls it in worker processes; a run shares nothing with
 * another.
 */
#ifndef SIM_MARKET_RUN_H
#define SIM_MARKET_RUN_H

#include "core/engine.h"
#include "sim/market/market.h"

/* The outcome of a job; outcomes have the order of the work plan. */
struct market_outcome {
	bool accepted;
	enum libra_reason reason;
	double finish_s; /* NAN if rejected */
	double done;	 /* part of the work, 0 to 1; 1 = fulfilled */
	double spent;	 /* credits: bid x time, summed over all parts */
};

/* The price over time: the credits that the tasks of a host spend in a second,
 * as the mean over the hosts and over each bin of time.  The first bin begins
 * with the first submission.
 */
struct market_prices {
	double bin_s;
	double *price;
	size_t n, cap;
};

void market_prices_fini(struct market_prices *prices);

struct market_truth {
	double work;	 /* CPU seconds done by all jobs */
	double end_s;	 /* the last end */
	double span_s;	 /* from the first submission to end_s */
	double capacity; /* CPU seconds of all hosts in span_s */
};

/* Simulate n jobs under a policy.  Of the options it uses hosts, cpus, pooled,
 * ends and bin.
 * Result: 0, or -1 with ENOMEM or EINVAL (parameters).
 * Owner:  outcomes has n elements of the caller's.  prices is NULL, or empty;
 *         then the caller calls market_prices_fini(), after an error too.
 */
int market_run(const struct market_job *jobs, size_t n, const double *options,
	       const struct libra_policy_type *policy, const double *params,
	       struct market_outcome *outcomes, struct market_truth *truth,
	       struct market_prices *prices, struct libra_error *err);

#endif
