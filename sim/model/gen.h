/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gen.h - draw jobs from workload models, and write them as a trace.
 *
 * Inter-arrival time, run time and size of a job are independent (CCGrid 2008,
 * section 2: no notable correlation).  Each has a stream of its own, so
 * changing one model does not change the draws of another.  The caller is
 * `librasim gen`.
 */
#ifndef SIM_GEN_H
#define SIM_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/model/model.h"

/* Options in the order of the table. */
enum gen_option {
	GEN_PROCS = 0,	   /* of the machine; 0 = the largest size */
	GEN_ARRIVAL_DELAY, /* factor on inter-arrival times */
	GEN_MAX_TIME_S,	   /* longer gaps and runs are drawn again */
	GEN_DECIMALS,	   /* of the seconds written */
	GEN_USERS,	   /* equally frequent; 0 = none is written */
	GEN_ESTIMATES,	   /* write the run time as the estimate */
	GEN_NOPTIONS
};
extern const struct libra_param gen_options[GEN_NOPTIONS];

struct gen_plan {
	struct model model[MODEL_NSERIES + 1]; /* index enum model_series */
	double options[GEN_NOPTIONS];
	size_t njobs;
	uint64_t seed;
};

struct gen_job {
	double submit_s; /* the first job's is 0 */
	double run_s;	 /* > 0 */
	int32_t procs;	 /* >= 1 */
	int32_t user;	 /* from 1; -1 without users */
};

/* Set the paper's models and the defaults of the table; 1000 jobs, seed 1. */
void gen_plan_init(struct gen_plan *plan);

/* Check that jobs can be drawn by a plan.
 * Result: 0, or -1 with err.
 * Errno:  EINVAL (no job; a model of sizes that does not give whole
 *         processors), ERANGE (a parameter; sizes above the machine's
 *         processors; a model of times with less than 1 % below max-time).
 */
int gen_plan_check(const struct gen_plan *plan, struct libra_error *err);

/* Draw plan->njobs jobs of a checked plan, in order of submission.  Times in
 * seconds are rounded to the decimals of the plan, run times to at least one
 * unit.  The same plan gives the same jobs.  Nothing is allocated.
 * Owner: jobs has plan->njobs elements of the caller's.
 */
void gen_jobs(const struct gen_plan *plan, struct gen_job *jobs);

/* Write them in the Standard Workload Format, with models, parameters and seed
 * in the header; check ferror(fp) for errors.
 */
void gen_write(const struct gen_plan *plan, const struct gen_job *jobs,
	       FILE *fp);

#endif
