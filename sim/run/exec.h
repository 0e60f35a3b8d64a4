/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.h - the ground truth: what jobs really execute on their processors.
 *
 * The engine promises, and says which part of a processor each job gets; here
 * the hidden run times are worked off.  Three models for jobs on time-shared
 * processors:
 *
 * independent  Every part of a job makes progress on its own, at the rate of
 *              its processor's ledger; the job ends with its last part.  The
 *              papers' model.
 * coupled      All parts of a job progress at one rate, so a job i has one
 * share w_i (eq.  1, from what it has really executed).  The rates of all jobs
 * rise together, that of job i as t x w_i, until a processor is full; its jobs
 * keep their rates and the others go on rising, until every job has a full
 * processor (weighted max-min).  So time that one part cannot use goes to the
 * other jobs there.  Where late jobs yield, the rates of those in time first
 * rise to their shares; then those of the late rise together, as far as there
 * is room; then the first go on.  Under a policy that serves by priority
 * (ranked), jobs in turn take what is left on all of their processors.
 *
 * spinning     A processor divides its time by the shares (or gives it to the
 * first by priority; late jobs that yield get what the shares leave, in equal
 * parts), and a part that waits for another one wastes its time: the job's rate
 * is the least of its parts' rates.
 *
 * With the last two, shares and rates are recomputed at each start and end on
 * any processor (ranked, or where late jobs yield: also at each passed
 * deadline) and hold until the next.
 * Where a job has its processors for itself while it runs (space and gang
 * policies) the three models are the same.
 */
#ifndef SIM_EXEC_H
#define SIM_EXEC_H

#include <math.h>

#include "core/engine.h"
#include "core/formula/need.h"
#include "sim/base/evq.h"
#include "sim/workload/scenario.h"

/* The state of a job, by the engine's slot. */
struct sim_exec_job {
	double runtime_s;
	double executed_s; /* until since_s */
	double since_s;
	double rate;
	uint32_t rank; /* in order of starts */
	bool lives, runs;
	/* Scratch while rates are computed. */
	double weight;
	bool full, late; /* late: it yields */
};

struct sim_exec;

struct sim_exec_type {
	/* Start, resume and stop a job. */
	int (*start)(struct sim_exec *x, uint32_t slot);
	int (*resume)(struct sim_exec *x, uint32_t slot);
	void (*hold)(struct sim_exec *x, uint32_t slot);
	/* A row has new rates. */
	int (*reshare)(struct sim_exec *x, uint32_t row);
	/* Before anything happens at x->now_s: report the progress to the
	 * engine.
	 */
	void (*tell)(struct sim_exec *x);
	/* Return the instant of the next end, or INFINITY if there is none. */
	double (*next_s)(struct sim_exec *x);
	/* End one or more parts that end until an instant, at x->now_s.  Call
	 * x->ended() for each job whose last part has ended.
	 * Needs:  next_s() is not after the instant.
	 * Result: false if no part ended, which is an error in the program.
	 */
	bool (*end)(struct sim_exec *x, double until_s);
};

struct sim_exec {
	const struct sim_exec_type *type;
	struct libra_engine *engine;
	double now_s; /* the simulation's clock */
	void (*ended)(void *arg, uint32_t slot);
	void *arg;
	struct sim_exec_job *jobs;
	uint32_t cap; /* slots */
	struct evq ends;
	/* For coupled jobs: the live ones in order of starts, and scratch. */
	uint32_t *live;
	uint32_t nlive, nstarted;
	bool stale; /* rates must be recomputed */
	bool spins;
	bool late_yields; /* see libra_engine_late_yields(); not where ranked */
	double *used;	  /* per row: used by jobs whose rates are settled */
	double *wanted;	  /* wanted by the others; -1 = sum it up again */
	uint32_t rows_cap;
	uint32_t *first, *member; /* the rows of each live job */
	uint32_t member_cap;
};

/* Prepare for a policy's engine.  The caller sets ended, arg and now_s. */
void sim_exec_init(struct sim_exec *x, struct libra_engine *engine,
		   enum sim_execution execution);
void sim_exec_fini(struct sim_exec *x);

/* Room for a slot.  Result: 0, or -1 with ENOMEM. */
int sim_exec_admit(struct sim_exec *x, uint32_t slot, double runtime_s);

/* Return the instant at which a part ends that has had work_s left since
 * since_s: since_s if it is done, INFINITY if it does not run.  next_s() and
 * end() of a model both ask this, of the same numbers: then a part whose end
 * next_s() has reported is one that end() ends, however times are rounded.
 */
static inline double sim_exec_end_s(double since_s, double work_s, double rate)
{
	if (rate <= 0)
		return INFINITY;
	return libra_is_done(work_s) ? since_s : since_s + work_s / rate;
}

extern const struct sim_exec_type sim_exec_dedicated, sim_exec_independent,
	sim_exec_coupled;

#endif
