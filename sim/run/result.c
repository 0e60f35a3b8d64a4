/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.c - the columns of a result.
 *
 * Each row of the table has the name of files, the unit, the place in struct
 * sim_result and the help text.
 */
#include "sim/run/result.h"

#define COUNT(field, text)                                                     \
	{                                                                      \
#field, "jobs", offsetof(struct sim_result, field), 1, text,   \
			SIM_RESULT_ALWAYS                                      \
	}
#define VALUE(field, unit, text)                                               \
	{                                                                      \
#field, unit, offsetof(struct sim_result, field), 0, text,     \
			SIM_RESULT_ALWAYS                                      \
	}

const struct sim_result_column sim_result_columns[] = {
	COUNT(submitted, "simulated jobs that have a deadline"),
	COUNT(accepted, "jobs that were promised a start"),
	COUNT(fulfilled, "jobs that were done by their deadline"),
	VALUE(fulfilled_pct, "%", "fulfilled of submitted"),
	VALUE(reliability_pct, "%", "fulfilled of accepted"),
	VALUE(mean_slowdown, "",
	      "response time / run time, mean of the fulfilled jobs"),
	VALUE(mean_wait_s, "s",
	      "start - submission, mean of the accepted jobs"),
	VALUE(mean_bounded_slowdown, "",
	      "response time / run time (both at least 10 s), at least 1, mean "
	      "of the accepted jobs"),
	VALUE(utilization_pct, "%",
	      "processor time of the accepted jobs of all until the last end"),
	VALUE(makespan_s, "s", "last end - first submission"),
	VALUE(budget, "credits", "budgets of all simulated jobs"),
	VALUE(utility, "credits",
	      "budgets of the accepted jobs less what their delays cost"),
	VALUE(profit_pct, "%", "utility of budget"),
	VALUE(work_fulfilled_pct, "%",
	      "processors x run time of the fulfilled jobs, of the submitted"),
};

const size_t sim_result_ncolumns =
	sizeof(sim_result_columns) / sizeof(sim_result_columns[0]);

#define AT(field) offsetof(struct sim_result, field)

const struct sim_result_column sim_result_extras[] = {
	{"killed", "jobs", AT(killed), 1,
	 "accepted jobs that were ended at their estimate, not done",
	 SIM_RESULT_ENFORCED},
	{"guaranteed", "jobs", AT(guaranteed), 1,
	 "accepted jobs that are in time by their estimates; the others are "
	 "unguaranteed",
	 SIM_RESULT_NEAR},
	{"guaranteed_fulfilled", "jobs", AT(guaranteed_fulfilled), 1,
	 "those of them that were done by their deadline: promises kept",
	 SIM_RESULT_NEAR},
	{"ordinary", "jobs", AT(ordinary), 1,
	 "jobs without a deadline that ran", SIM_RESULT_ORDINARY},
	{"ordinary_wait_s", "s", AT(ordinary_wait_s), 0,
	 "start - submission, mean of the jobs without a deadline",
	 SIM_RESULT_ORDINARY},
	{"ordinary_longest_s", "s", AT(ordinary_longest_s), 0,
	 "the longest of these waits", SIM_RESULT_ORDINARY},
	{"lucky", "jobs", AT(lucky), 1,
	 "jobs that were refused, waited without a promise and were done by "
	 "their deadline",
	 SIM_RESULT_ORDINARY},
};

const size_t sim_result_nextras =
	sizeof(sim_result_extras) / sizeof(sim_result_extras[0]);

double sim_result_value(const struct sim_result *result,
			const struct sim_result_column *column)
{
	const char *at = (const char *)result + column->offset;

	return column->is_count ? (double)*(const uint64_t *)at
				: *(const double *)at;
}
