/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * design.h - a study as data: factors, their levels, and results by name.
 *
 * A design is the product of its factors.  A cell has a level of each factor;
 * the levels set the cell's scenario, policy and parameters.  A derived design
 * has no runs: a function of its owner computes its values.
 *
 * Points are chosen by names, never by the index of a cell or parameter.  A
 * choice is a list of words, with the names of designs first:
 *
 *     load,ratio estimates=trace x>=0.4 policy
 *
 * These are all points of the designs load and ratio that have the level
 * "trace" of the factor estimates, levels of x from 0.4 on, and any policy.
 * The last word varies fastest.  "x=1,2" chooses two levels in this order.
 * "t=a-*" chooses all levels whose names begin with "a-".  "step:x" leaves out
 * the first level of x that would be chosen; at each point the word "x-" of
 * design_go() then goes to the level before.  Several choices are separated by
 * "; ".
 *
 * Callers: sim/paper, in one process; workers only run cells.  Tables of
 * designs are constants of the papers.
 */
#ifndef SIM_DESIGN_H
#define SIM_DESIGN_H

#include "sim/study/experiment.h"

#define DESIGN_MAX_FACTORS 6
#define DESIGN_MAX_PARAMS  16
#define DESIGN_NONE	   ((size_t)-1) /* no level, all seeds */

struct design_level {
	const char *name;  /* in choices and files; NULL = the value, as %g */
	const char *title; /* for people; NULL = the name */
	double value;
	const char *param; /* parameter of the policy that is set to value */
};

#define DESIGN_COUNT(of) (sizeof(of) / sizeof((of)[0]))
#define DESIGN_NUMBER(v)                                                       \
	{                                                                      \
		.value = (v)                                                   \
	}
#define DESIGN_LEVEL(name_, title_, value_)                                    \
	{                                                                      \
		.name = name_, .title = title_, .value = value_                \
	}
/* A factor of an array of levels; more may follow. */
#define DESIGN_LEVELS(of) .levels = of, .n = DESIGN_COUNT(of)
#define DESIGN_FACTOR(...)                                                     \
	{                                                                      \
		__VA_ARGS__                                                    \
	}
/* A design of an array of factors; more may follow. */
#define DESIGN(name_, of)                                                      \
	.name = name_, .factors = of, .nfactors = DESIGN_COUNT(of)

/* The arguments of a run.  Each seed of the study replaces the scenario's. */
struct design_cell {
	struct sim_scenario scenario;
	const struct libra_policy_type *policy;
	double params[DESIGN_MAX_PARAMS];
};

struct design_place;

struct design_factor {
	const char *name, *title; /* as in a CSV's heading; "delay" */
	const struct design_level *levels;
	size_t n;
	const char *field; /* field of the scenario that is set to value */
	bool policies;	   /* the levels are policies */
	bool traces;	   /* the levels are logs: value is the index of a trace
			      of the study, 0 = the paper's own.  Points whose
			      log is missing do not exist. */
	/* Set other members of a cell; NULL = none. */
	void (*set)(struct design_cell *cell, const struct design_level *level);
	/* Return the value of a level that depends on other factors; NULL = the
	 * level's value.
	 */
	double (*number)(const struct design_place *p);
};

struct design {
	const char *name;
	const struct design_factor *factors;
	size_t nfactors;
	/* Change a cell after all levels have set theirs; NULL = no change. */
	void (*set)(struct design_cell *cell, const struct design_place *p);
	/* The design has no runs: values() computes all its columns. */
	bool derived;
	/* Write the values of a column at a place: one for each seed, or one
	 * for all.  NULL = only columns of runs exist.
	 * Result: how many; 0 = there is no such column here.
	 */
	size_t (*values)(const void *owner, const struct design_place *p,
			 const char *column, double *values);
	/* Return true if the point exists; choices skip other points.  NULL =
	 * all exist.
	 */
	bool (*there)(const void *owner, const struct design_place *p);
};

/* All designs of a study. */
struct design_results {
	const struct design *designs;
	size_t ndesigns;
	const void *owner;     /* for values() */
	const char *given;     /* words for factors that a choice leaves
				  open, such as "reading=adopted" */
	struct study *studies; /* one for each trace; the caller's */
	long **cell;	       /* by design and index: the study's cell */
	double **params;       /* owned: parameters that are not defaults */
	size_t nparams;
	const uint64_t *seeds;
	size_t nseeds;
	struct libra_error *wrong; /* the first name that was not found */
};

/* A point, or a place with open factors.  A plain value. */
struct design_place {
	const struct design_results *results;
	const struct design *design;	   /* NULL = in no design */
	size_t level[DESIGN_MAX_FACTORS];  /* DESIGN_NONE = open */
	size_t before[DESIGN_MAX_FACTORS]; /* the level before, in a choice */
	size_t seed;			   /* DESIGN_NONE = the mean over all */
	char letter;			   /* of a figure's panel */
};

/* Make the cells of all designs with runs, from the scenario base, and add them
 * to the studies of their traces.
 * Result: 0, or -1 with ENOMEM, or EINVAL: an unknown policy or field.
 * Owner:  the caller calls design_fini(), after an error too.
 */
int design_add_cells(struct design_results *r, const struct sim_scenario *base,
		     struct libra_error *err);
void design_fini(struct design_results *r);

/* Return a place in no design, with all factors and the seed open. */
struct design_place design_nowhere(const struct design_results *r);

/* Return the index of the trace of a place; 0 without a factor for logs. */
size_t design_trace(const struct design_place *p);

/* Set a parameter of a cell's policy, or a field of its scenario, by its name.
 * Result: false if there is none of that name.
 */
bool design_param(struct design_cell *cell, const char *name, double value);
bool design_field(struct design_cell *cell, const char *name, double value);

/* Move a place by words as above, each of which names one level.  If the design
 * changes, factors that both designs have keep their levels.
 * Result: false if a name is unknown; then results->wrong has it.
 */
bool design_go(struct design_place *p, const char *words);

/* Call each() for each point of the choice `over`, until each() returns false.
 * Open factors are taken from the place `from`.
 * Result: false if each() did, or if a name is unknown.
 */
typedef bool design_each_f(const struct design_place *p, void *arg);
bool design_each(const struct design_place *from, const char *over,
		 design_each_f *each, void *arg);

/* Return a factor's index in the place's design; DESIGN_NONE if it has none. */
size_t design_factor(const struct design_place *p, const char *name);

/* Return the level of a factor at a place (NULL = open) or its value (NAN =
 * open).  name: write its name or title into text.
 */
const struct design_level *design_level(const struct design_place *p,
					size_t factor);
double design_number(const struct design_place *p, size_t factor);
void design_name(const struct design_place *p, size_t factor, bool title,
		 char *text, size_t size);

/* Return the scenario of a place's run with the first seed, or NULL if there is
 * no run.  The study owns it.
 */
const struct sim_scenario *design_scenario(const struct design_place *p);

/* Compute the mean and spread of a column over the seeds, or the value of the
 * place's seed.  A run that was not made has NAN.
 * Result: false if there is no such column, a factor is open or memory is out.
 */
bool design_stat(const struct design_place *p, const char *column,
		 struct study_stat *stat);

/* A value that has a name. */
struct design_value {
	const char *name;
	double value;
};

/* Find the value of a name in a list of n, for functions values().
 * Result: 1 with *value, or 0 if there is no such name.
 */
size_t design_pick(const struct design_value *of, size_t n, const char *name,
		   double *value);

/* Set results->wrong to ENOMEM, unless it has an error.  A value that is
 * missing for want of memory then makes the study fail.
 */
void design_no_memory(const struct design_results *r);

/* Set results->wrong to "there is no WHAT 'NAME'", unless it has an error. */
void design_wrong(const struct design_results *r, const char *what,
		  const char *name);

#endif
