/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * risk.h - the risk of deadline delay on one processor (ICPP 2006, section 3).
 *
 * Pure arithmetic on the caller's arrays: no state, no allocation.  Callers:
 * the policy librarisk, and the checks of that paper's numbers.
 */
#ifndef LIBRA_RISK_H
#define LIBRA_RISK_H

#include <stdbool.h>
#include <stddef.h>

/* A standard deviation up to this counts as no risk. */
#define LIBRA_RISK_TOLERANCE 1e-9
/* Remaining work assumed for a task over its estimate. */
#define LIBRA_OVERRUN_WORK_S 1.0

/* The input and result of a projection for one task. */
struct libra_forecast {
	double est_left_s;    /* now; <= 0 = over its estimate */
	double initial_share; /* used while over the estimate */
	double deadline_s;    /* instant */
	double finish_s;      /* result of libra_project */
	double work_s;	      /* scratch */
};

/* Return the delay (eq. 3): the seconds by which a task ends after its
 * deadline; 0 if in time.
 */
double libra_delay_s(double finish_s, double deadline_s);

/* Return the deadline delay (eq. 4): (delay + remaining time) / remaining
 * time; 1 = no delay.
 * Units:  both in seconds, remaining > 0.
 */
double libra_deadline_delay(double delay_s, double remaining_s);

/* Return the risk (eqs 5 and 6): the population standard deviation of n
 * deadline delays, n >= 1.  Two passes, because the printed one-pass form loses
 * 1e-8 to cancellation, more than the tolerance.
 */
double libra_risk(const double *deadline_delay, size_t n);

/* Project the finish of n tasks on one processor if no other task arrives.
 * Time is divided in proportion to the shares, which are renewed at each
 * projected finish.  A task over its estimate counts as 1 s of work.  The tasks
 * are sorted by finish.
 * Cost:   O(n x n).
 */
void libra_project(struct libra_forecast *tasks, size_t n, double now_s);

/* Return true if the risk of the n tasks is zero.  Same answer as libra_risk()
 * of all deadline delays, mostly without a projection: once two delays differ
 * by more than the remaining ones could compensate, the risk is not zero.  The
 * order of the tasks and finish_s have no meaning afterwards.
 * Needs:  share is the sum of the tasks' shares and exceeds 1; no task is past
 *         its deadline at now_s.
 */
bool libra_risk_free(struct libra_forecast *tasks, size_t n, double now_s,
		     double share);

#endif
