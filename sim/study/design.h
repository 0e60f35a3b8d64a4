/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * design.h - a study as data: factors, their levels, and results by name.
 *
 * A design is the product of its factors.  Each of its cells is a scenario, a
 * policy and parameters, which the levels set; or the design is derived, and a
 * function of its owner has its values.  Nobody knows the order of a cell or a
 * parameter: points are chosen in words, design first,
 *
 *     load,ratio estimates=trace x>=0.4 policy
 *
 * is every point of the designs load and ratio with that level of the factor
 * estimates, x from 0.4 on, and all policies; the last word varies fastest.
 * "x=1,2" are two levels in this order, "t=a-*" all whose name begins so.
 * "step:x" begins with the second level chosen, and "x-" is then the one
 * before.  Several choices are separated by "; ".
 */
#ifndef SIM_DESIGN_H
#define SIM_DESIGN_H

#include "sim/study/experiment.h"

#define DESIGN_MAX_FACTORS 6
#define DESIGN_MAX_PARAMS  16
#define DESIGN_NONE	   ((size_t)-1) /* no level, all seeds */

struct design_level {
	const char *name;  /* in words and files; NULL = the value, as %g */
	const char *title; /* for people; NULL = the name */
	double value;
	const char *param; /* of the policy, which gets the value */
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

/* What a run is made of. */
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
	const char *field; /* of a scenario, which gets the level's value */
	bool policies;	   /* its levels are policies */
	bool traces;	   /* they are logs: which of the study's it is run on;
			      0 = the paper's own.  Where a log is not there,
			      there are no points. */
	void (*set)(struct design_cell *cell, const struct design_level *level);
	/* NULL, or the value where it hangs on other factors. */
	double (*number)(const struct design_place *p);
};

struct design {
	const char *name;
	const struct design_factor *factors;
	size_t nfactors;
	/* NULL, or the last word on a cell. */
	void (*set)(struct design_cell *cell, const struct design_place *p);
	/* Nothing is run for it: values() has all its columns, if any. */
	bool derived;
	/* NULL, or the values of a column, one for each seed or one in all.
	 * Result: how many; 0 = there is no such column here.
	 */
	size_t (*values)(const void *owner, const struct design_place *p,
			 const char *column, double *values);
	/* NULL, or: is there such a point?  Choices pass over others. */
	bool (*there)(const void *owner, const struct design_place *p);
};

/* All designs of a study. */
struct design_results {
	const struct design *designs;
	size_t ndesigns;
	const void *owner;     /* for values() */
	const char *given;     /* words for factors that a choice leaves
				  open, such as "reading=adopted" */
	struct study *studies; /* one for each trace */
	long **cell;	       /* of each design */
	double **params;       /* of cells that are not all defaults */
	size_t nparams;
	const uint64_t *seeds;
	size_t nseeds;
	struct libra_error *wrong; /* the first name that was not found */
};

struct design_place {
	const struct design_results *results;
	const struct design *design;
	size_t level[DESIGN_MAX_FACTORS]; /* DESIGN_NONE = open */
	size_t before[DESIGN_MAX_FACTORS];
	size_t seed; /* DESIGN_NONE = the mean over all */
	char letter; /* of a figure's panel */
};

/* Add the cells of all designs that are run to the studies of their traces.
 * Result: 0, or -1 with ENOMEM, or EINVAL: an unknown policy or field.
 * Owner:  the caller calls design_fini(), after an error too.
 */
int design_add_cells(struct design_results *r, const struct sim_scenario *base,
		     struct libra_error *err);
void design_fini(struct design_results *r);

/* A place in no design. */
struct design_place design_nowhere(const struct design_results *r);

/* The trace that a place is run on; 0 where none is said. */
size_t design_trace(const struct design_place *p);

/* Set a parameter by its name, if the policy has it; a number of the scenario.
 * Result: false if there is none of that name.
 */
bool design_param(struct design_cell *cell, const char *name, double value);
bool design_field(struct design_cell *cell, const char *name, double value);

/* Go to another point: words as above, each with one level; levels of factors
 * that both designs have stay.
 * Result: false if a name is unknown (see results->wrong).
 */
bool design_go(struct design_place *p, const char *words);

/* Call for each point of a choice, until it returns false.
 * Result: false if it did, or if a name is unknown.
 */
typedef bool design_each_f(const struct design_place *p, void *arg);
bool design_each(const struct design_place *from, const char *over,
		 design_each_f *each, void *arg);

/* Result: the factor's index in the place's design; DESIGN_NONE = none. */
size_t design_factor(const struct design_place *p, const char *name);

/* The level of a factor at a place (NULL = open), its value and its names. */
const struct design_level *design_level(const struct design_place *p,
					size_t factor);
double design_number(const struct design_place *p, size_t factor);
void design_name(const struct design_place *p, size_t factor, bool title,
		 char *text, size_t size);

/* The scenario that is run at a place, with the first seed; NULL = none. */
const struct sim_scenario *design_scenario(const struct design_place *p);

/* A column's mean over the seeds and its spread, or one seed's value.
 * Result: false if there is no such column, or a factor is open.
 */
bool design_stat(const struct design_place *p, const char *column,
		 struct study_stat *stat);

/* A value that has a name. */
struct design_value {
	const char *name;
	double value;
};

/* The value of a name, for values().
 * Result: 1, or 0 if there is no such name.
 */
size_t design_pick(const struct design_value *of, size_t n, const char *name,
		   double *value);

/* Note that memory has run out: what is missing is no answer. */
void design_no_memory(const struct design_results *r);

/* Note a name that is not found. */
void design_wrong(const struct design_results *r, const char *what,
		  const char *name);

#endif
