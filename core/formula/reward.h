/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reward.h - what a job is worth, and what waiting for it costs.
 *
 * Pure arithmetic on credits and seconds (IPDPS 2007, sections 5.1 and 5.3).  A
 * job pays its budget if it ends by its deadline; each second after that takes
 * its penalty rate off, without a lower bound: the utility may be negative.
 */
#ifndef LIBRA_REWARD_H
#define LIBRA_REWARD_H

/* Eqs 8 and 9: budget - delay x penalty rate, delay >= 0.
 * Units: finish and deadline are instants; a deadline of INFINITY is never
 *        missed.
 */
double libra_utility(double budget, double penalty_rate, double finish_s,
		     double deadline_s);

/* The budget as it counts today: budget / (1 + discount x remaining).
 * Units: discount is a fraction per second, remaining_s >= 0.
 */
double libra_present_value(double budget, double discount, double remaining_s);

/* What the other jobs may lose while this one runs: the sum of their penalty
 * rates x its remaining time.
 */
double libra_opportunity_cost(double others_rate, double remaining_s);

/* (alpha x value - (1 - alpha) x cost) / remaining: credits per second. */
double libra_reward(double alpha, double value, double cost,
		    double remaining_s);

/* (value - cost) / penalty rate: how many seconds a job may be late before it
 * is no gain any more.  A job without penalty: INFINITY, or -INFINITY if its
 * cost exceeds its value.
 */
double libra_slack_s(double value, double cost, double penalty_rate);

#endif
