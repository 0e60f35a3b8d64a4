/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenario.h - the numbers that define one simulated workload.
 *
 * They choose the records, repair them, and set the distributions of drawn
 * values.  One table of fields feeds options, checks, sweeps, reports and the
 * manual.  A scenario is a plain value: copies are independent, and nothing is
 * allocated.
 */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/workload/prediction.h"

enum sim_deadline_model {
	SIM_DEADLINE_RUN = 1,  /* factor x real run time: the papers' */
	SIM_DEADLINE_ESTIMATE, /* factor x estimate */
	SIM_DEADLINE_USER,     /* factor x mean run time of the user's jobs of
				  the workload, not below the run time */
};

/* The bases f and g: a job's budget and penalty rate are multiples of these. */
enum sim_budget_base {
	SIM_BUDGET_RUN_PROCS = 1, /* run time x processors */
	SIM_BUDGET_RUN,		  /* run time */
};

enum sim_penalty_base {
	SIM_PENALTY_PROCS = 1, /* processors, per second */
	SIM_PENALTY_ONE,       /* 1, per second */
	SIM_PENALTY_RUN_HOURS, /* run time in hours, per second */
	SIM_PENALTY_RUN,       /* run time in seconds, per second */
};

/* The models of execution on time-shared processors: run/exec.h. */
enum sim_execution {
	SIM_INDEPENDENT = 1,
	SIM_COUPLED,
	SIM_SPINNING,
};

enum sim_size {
	SIM_SIZE_REQUESTED = 1, /* field 8, else 5 */
	SIM_SIZE_ALLOCATED,	/* field 5, else 8 */
};

/* The definition of one workload. */
struct sim_scenario {
	uint32_t procs;	     /* of the machine; 0 = the trace's */
	uint32_t node_procs; /* of each of its nodes, which are equal; 0 = no
				nodes: jobs take processors anywhere */
	size_t last; /* the last so many records, unfiltered; 0, or more than
			there are = all */
	bool keep_unrun;       /* run time <= 0: 1 s instead of dropped */
	bool kill_at_estimate; /* run time = min(run time, estimate) */
	bool few_nodes;	       /* a job takes the fewest nodes that hold it */
	enum sim_size size;
	double arrival_delay;  /* factor on inter-arrival times */
	double inaccuracy_pct; /* 0 = estimates are exact, 100 = the trace's */
	double high_urgency_pct; /* jobs of the high urgency class */
	double deadline_mean;	 /* mean factor of the high urgency class */
	double deadline_ratio;	 /* low urgency mean / high urgency mean */
	double deadline_cv;	 /* of both, before redrawing factors <= 1 */
	/* Deadlines of jobs longer than the mean run time are divided by it,
	 * those of shorter jobs multiplied.
	 */
	double deadline_bias;
	/* Factors of budgets and of penalty rates: the mean of the low urgency
	 * class; the high class's mean / that; the rest as of deadlines.
	 * Factors <= 0 are drawn again.
	 */
	double budget_mean, budget_ratio, budget_cv, budget_bias;
	double penalty_mean, penalty_ratio, penalty_cv, penalty_bias;
	enum sim_budget_base budget_base;
	enum sim_penalty_base penalty_base;
	enum sim_deadline_model deadline_model;
	enum sim_execution execution; /* of time-shared jobs */
	double correct; /* estimates by this quantile of the user's own past
			   (run/predict.h); 0 = as they are */
	double ordinary_pct; /* part of the jobs that have no deadline; refused
				jobs also wait in their queue, without a
				promise.  -1 = there is no such queue */
	struct sim_prediction prediction;
	uint64_t seed;
};

/* Set the papers' default scenario, for all records of a trace, with seed 1. */
void sim_scenario_init(struct sim_scenario *sc);

/* Choose the model of deadlines, and set its mean factors: 4 for high and 16
 * for low urgency; for estimates 1.5 and 4.
 */
void sim_scenario_deadlines(struct sim_scenario *sc,
			    enum sim_deadline_model model);

/* Return the name of a model, "run", ...; find: the model, or 0. */
const char *sim_deadline_model_name(enum sim_deadline_model model);
enum sim_deadline_model sim_deadline_model_find(const char *name);

/* Return the name of a model, "independent", ...; find: the model, or 0 for
 * another name or NULL.
 */
const char *sim_execution_name(enum sim_execution execution);
enum sim_execution sim_execution_find(const char *name);

/* Return "requested" or "allocated"; find: the choice, or 0. */
const char *sim_size_name(enum sim_size size);
enum sim_size sim_size_find(const char *name);

/* Quantiles of corrected estimates: the default of the option, and the range.
 */
#define SIM_CORRECT_USUAL 0.9
#define SIM_CORRECT_MIN	  0.01
#define SIM_CORRECT_MAX	  0.99

/* The numbers that a user may set: one table for options, checks, reports and
 * the manual.
 */
struct sim_scenario_field {
	const char *name; /* of the option, without "--" */
	const char *arg;  /* its argument, as shown in help */
	const char *unit; /* "%", "" */
	size_t offset;	  /* of a double in struct sim_scenario */
	double min, max;  /* both allowed */
	const char *help;
};

extern const struct sim_scenario_field sim_scenario_fields[];
extern const size_t sim_scenario_nfields;

/* Return or set the value of a field, by its index in the table.  Setting
 * checks nothing.
 */
double sim_scenario_value(const struct sim_scenario *sc, size_t field);
void sim_scenario_set(struct sim_scenario *sc, size_t field, double value);

/* The other members of a scenario as whole numbers, except correct and
 * ordinary_pct.
 */
#define SIM_SCENARIO_NWHOLE 16
extern const char *const sim_scenario_whole_names[SIM_SCENARIO_NWHOLE];
void sim_scenario_whole(const struct sim_scenario *sc,
			uint64_t value[SIM_SCENARIO_NWHOLE]);

/* Compare scenarios in a total order.
 * Result: negative, 0 if all numbers are equal, or positive.
 */
int sim_scenario_compare(const struct sim_scenario *a,
			 const struct sim_scenario *b);

/* Check all ranges.  Result: 0, or -1 with EINVAL; the text names the number.
 */
int sim_scenario_check(const struct sim_scenario *sc, struct libra_error *err);

/* Return the name of a base, "run-procs", "procs", ...; find: the base, or 0.
 */
const char *sim_budget_base_name(enum sim_budget_base base);
const char *sim_penalty_base_name(enum sim_penalty_base base);
enum sim_budget_base sim_budget_base_find(const char *name);
enum sim_penalty_base sim_penalty_base_find(const char *name);

#endif
