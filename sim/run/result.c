/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.c - the columns of a result. */
#include "sim/run/result.h"

#define COUNT(field, text)                                                     \
	{                                                                      \
#field, "jobs", offsetof(struct sim_result, field), 1, text    \
	}
#define VALUE(field, unit, text)                                               \
	{                                                                      \
#field, unit, offsetof(struct sim_result, field), 0, text      \
	}

const struct sim_result_column sim_result_columns[] = {
	COUNT(submitted, "simulated jobs"),
	COUNT(accepted, "jobs that were promised a start"),
	COUNT(fulfilled, "jobs that ended by their deadline"),
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

double sim_result_value(const struct sim_result *result,
			const struct sim_result_column *column)
{
	const char *at = (const char *)result + column->offset;

	return column->is_count ? (double)*(const uint64_t *)at
				: *(const double *)at;
}
