/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.h - the ground truth: the progress of jobs on their processors.
 *
 * The engine decides which part of a processor each job gets.  Here jobs
 * execute their hidden run times at these parts.  There are three models for
 * jobs on time-shared processors.
 *
 * independent: Every part of a job makes progress on its own, at the rate of
 * its processor's ledger.  The job ends with its last part.  This is the
 * papers' model.
 *
 * coupled: All parts of a job progress at one rate.  A job i has one share w_i
 * (eq. 1, from what it has really executed).  The rates of all jobs rise
 * together, that of job i as t x w_i, until a processor is full.  The jobs on
 * that processor keep their rates, and the other rates go on rising, until
 * every job has a full processor (weighted max-min).  So time that one part
 * cannot use goes to other jobs on its processor.  If late jobs yield, the
 * rates rise in three steps: jobs in time up to their shares, then late jobs
 * together as far as there is room, then the jobs in time again.  Under a
 * policy that serves by priority (ranked), jobs take in turn the time that is
 * left on all of their processors.
 *
 * spinning: A processor divides its time by the shares; if ranked, the first
 * job by priority gets all of it.  Late jobs that yield get equal parts of the
 * time that the shares leave.  A part that waits for another part wastes its
 * time: the job's rate is the least rate of its parts.
 *
 * In the models coupled and spinning, shares and rates are computed at each
 * start and end on any processor, and are constant until the next one.  If
 * ranked, or if late jobs yield, they are also computed at each deadline that
 * passes.
 *
 * Under space and gang policies a running job has its processors for itself,
 * and the three models are the same (exec_dedicated.c).
 *
 * The caller is the simulation (events.h), in one process.  Instants and times
 * are in seconds, rates in processors.
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
	double runtime_s;  /* hidden from the engine */
	double executed_s; /* on each of its processors, up to since_s */
	double since_s;
	double rate;   /* executed seconds per second, 0 to 1 */
	uint32_t rank; /* in order of starts */
	bool runs;     /* has its processors now */
	/* Scratch while rates are computed. */
	double weight;
	bool full, late; /* late: it yields */
};

struct sim_exec;

/* The functions of a model.  A function that returns int returns 0, or -1 with
 * ENOMEM.  start and tell are NULL in a model that does not need them.
 */
struct sim_exec_type {
	/* Start, resume and stop a job at x->now_s. */
	int (*start)(struct sim_exec *x, uint32_t slot);
	int (*resume)(struct sim_exec *x, uint32_t slot);
	void (*hold)(struct sim_exec *x, uint32_t slot);
	/* Follow new rates of a row. */
	int (*reshare)(struct sim_exec *x, uint32_t row);
	/* Report the progress of all jobs to the engine.  Called first at each
	 * instant x->now_s.
	 */
	void (*tell)(struct sim_exec *x);
	/* Return the instant of the next end; INFINITY if there is none, NAN if
	 * memory is out.
	 */
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
	double now_s;				 /* the simulation's clock */
	void (*ended)(void *arg, uint32_t slot); /* a job has ended */
	void *arg;
	struct sim_exec_job *jobs;
	uint32_t cap;	 /* slots */
	struct evq ends; /* instants of ends, by slot or by row */
	/* For coupled jobs: the started ones that have not ended, in order of
	 * starts; and scratch.
	 */
	uint32_t *live;
	uint32_t nlive, nstarted;
	bool stale;	  /* rates must be recomputed */
	bool spins;	  /* the model spinning */
	bool late_yields; /* see libra_engine_late_yields(); not where ranked */
	double *used;	  /* per row: sum of the rates that are settled */
	double *wanted;	  /* per row: sum of the other weights; -1 = unknown */
	uint32_t rows_cap;
	/* The rows of the job live[i] are member[] from first[live[i - 1]] (0
	 * for i = 0) up to first[live[i]].
	 */
	uint32_t *first, *member;
	uint32_t member_cap;
};

/* Choose the model for an engine's policy and an option.  The caller then sets
 * ended, arg and now_s, and calls sim_exec_fini() at the end.
 */
void sim_exec_init(struct sim_exec *x, struct libra_engine *engine,
		   enum sim_execution execution);
void sim_exec_fini(struct sim_exec *x);

/* Reserve memory for a slot, and set its hidden run time.  Call it before the
 * job can start.
 * Result: 0, or -1 with ENOMEM.
 */
int sim_exec_admit(struct sim_exec *x, uint32_t slot, double runtime_s);

/* Return the instant at which a part ends that has had work_s left since
 * since_s: since_s if it is done, INFINITY if it does not run.  Both next_s()
 * and end() of a model call this with the same numbers.  So end() ends each
 * part that next_s() has reported, however times are rounded.
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
