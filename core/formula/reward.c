/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reward.c - utility, present value, cost, reward and slack of a job. */
#include "core/formula/reward.h"

#include <math.h>

double libra_utility(double budget, double penalty_rate, double finish_s,
		     double deadline_s)
{
	double delay_s = finish_s - deadline_s;

	return delay_s > 0 ? budget - delay_s * penalty_rate : budget;
}

double libra_present_value(double budget, double discount, double remaining_s)
{
	return budget / (1 + discount * remaining_s);
}

double libra_opportunity_cost(double others_rate, double remaining_s)
{
	return others_rate * remaining_s;
}

double libra_reward(double alpha, double value, double cost, double remaining_s)
{
	return (alpha * value - (1 - alpha) * cost) / remaining_s;
}

double libra_slack_s(double value, double cost, double penalty_rate)
{
	if (penalty_rate > 0)
		return (value - cost) / penalty_rate;
	return value >= cost ? INFINITY : -INFINITY;
}
