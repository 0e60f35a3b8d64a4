/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.h - the measures of one run, and their columns.
 *
 * One table of columns feeds the terminal's table, CSV, JSON and the manual.  A
 * result is a plain value: worker processes copy it through shared memory, and
 * checkpoints write it to files.
 */
#ifndef SIM_RESULT_H
#define SIM_RESULT_H

#include <stddef.h>
#include <stdint.h>

enum { SIM_QUINTILES = 5 };

struct sim_result {
	uint64_t submitted;	/* simulated jobs that have a deadline */
	uint64_t accepted;	/* promised a start: all but the rejected */
	uint64_t fulfilled;	/* done by their deadline (+ 1e-6 s) */
	double fulfilled_pct;	/* of submitted */
	double reliability_pct; /* fulfilled of accepted */
	double mean_slowdown;	/* response / run time, fulfilled jobs only */
	double mean_wait_s;	/* start - submit, accepted jobs */
	double mean_bounded_slowdown; /* max(1, response / max(10 s, run
					 time)), accepted jobs */
	double utilization_pct;	      /* work of accepted jobs / (processors x
					 makespan) */
	double makespan_s;	      /* last end - first submission */
	double budget;		      /* credits: of all simulated jobs */
	double utility;		   /* credits: earned with the accepted jobs */
	double profit_pct;	   /* utility of budget */
	double work_fulfilled_pct; /* processors x run time, of submitted */
	/* Columns of some runs: struct sim_result_column.when. */
	uint64_t killed;     /* accepted, and ended at their estimate */
	uint64_t guaranteed; /* accepted, and in time by their estimates */
	uint64_t guaranteed_fulfilled;
	uint64_t ordinary; /* jobs without a deadline that ran */
	double ordinary_wait_s, ordinary_longest_s; /* their waits */
	uint64_t lucky; /* refused, and done by their deadline nevertheless */
	/* For studies (sim_workload.studied), else NAN; no columns. */
	double median_slowdown;		    /* of the fulfilled jobs */
	double quintile_pct[SIM_QUINTILES]; /* fulfilled, of the jobs of each
					       fifth by work, least first */
};

/* A column: all are doubles or counts of struct sim_result. */
struct sim_result_column {
	const char *name; /* as in CSV and JSON */
	const char *unit;
	size_t offset;
	int is_count; /* uint64_t, else double */
	const char *help;
	enum sim_result_when {
		SIM_RESULT_ALWAYS,
		SIM_RESULT_ENFORCED, /* jobs end at their estimates */
		SIM_RESULT_ORDINARY, /* some run without a promise */
		SIM_RESULT_NEAR,     /* some estimates exceed deadlines */
	} when;
};

extern const struct sim_result_column sim_result_columns[];
extern const size_t sim_result_ncolumns;
/* Columns that only some runs have: see `when`. */
extern const struct sim_result_column sim_result_extras[];
extern const size_t sim_result_nextras;

/* Return the value of a column; a count as double, exact below 2^53. */
double sim_result_value(const struct sim_result *result,
			const struct sim_result_column *column);

#endif
