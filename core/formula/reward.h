/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reward.h - the value of a job, and the cost of waiting for it.
 *
 * Pure arithmetic on credits and seconds (IPDPS 2007, sections 5.1 and 5.3).  A
 * job pays its budget if it ends by its deadline.  Each second after that
 * deducts its penalty rate, without a lower bound: the utility may be negative.
 */
#ifndef LIBRA_REWARD_H
#define LIBRA_REWARD_H

/* Return the utility (eqs 8 and 9): budget - delay x penalty rate, delay >= 0.
 * Units:  finish and deadline are instants; a deadline of INFINITY is never
 *         missed.
 */
double libra_utility(double budget, double penalty_rate, double finish_s,
		     double deadline_s);

/* Return the present value of a budget: budget / (1 + discount x remaining).
 * Units:  discount is a fraction per second, remaining_s >= 0.
 */
double libra_present_value(double budget, double discount, double remaining_s);

/* Return what the other jobs may lose while this one runs: the sum of their
 * penalty rates x its remaining time.
 */
double libra_opportunity_cost(double others_rate, double remaining_s);

/* Return (alpha x value - (1 - alpha) x cost) / remaining: credits per second.
 */
double libra_reward(double alpha, double value, double cost,
		    double remaining_s);

/* Return (value - cost) / penalty rate: the seconds that a job may be late
 * before it brings no gain.  Without penalty: INFINITY, or -INFINITY if the
 * cost exceeds the value.
 */
double libra_slack_s(double value, double cost, double penalty_rate);

#endif
