/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.h - what really happens to jobs on their processors.
 *
 * The engine promises and says who gets which part of a processor; here the
 * hidden run times are worked off.  Three models for jobs on time-shared
 * processors:
 *
 * independent  Every part of a job makes progress on its own, at the rate of
 *              its processor's ledger; the job ends with its last part.  The
 *              papers' model.
 * coupled      All parts of a job go at one rate, so a job i has one share
 *              w_i (eq. 1, from what it has really executed).  All jobs are
 *              raised together, job i to t x w_i, until a processor is full;
 *              its jobs keep their rates, the others go on being raised, until
 *              every job has a full processor (weighted max-min).  So time
 *              that a part cannot use goes to the other jobs there.  Under a
 *              policy that serves by priority (ranked) jobs take what is left
 *              on all their processors one after the other.
 * spinning     A processor divides its time by the shares (or gives it to the
 *              first by priority), and a part that waits for another burns
 *              what it gets: the job's rate is the least of its parts'.
 *
 * In the last two shares and rates are found anew at each start and end
 * anywhere (ranked: and passed deadline), and hold until the next.  Where a
 * job has its processors for itself while it runs (space and gang policies)
 * the three are the same.
 */
#ifndef SIM_EXEC_H
#define SIM_EXEC_H

#include "core/engine.h"
#include "core/formula/need.h"
#include "core/formula/risk.h"
#include "sim/base/evq.h"
#include "sim/workload/scenario.h"

/* What a model keeps of a job, by the engine's slot. */
struct sim_exec_job {
	double runtime_s;
	double executed_s; /* until since_s */
	double since_s;
	double rate;
	uint32_t rank; /* in order of starts */
	bool lives, runs;
	/* Scratch of a filling. */
	double weight;
	bool full;
};

struct sim_exec;

struct sim_exec_type {
	/* The job begins, goes on, stands still. */
	int (*start)(struct sim_exec *x, uint32_t slot);
	int (*resume)(struct sim_exec *x, uint32_t slot);
	void (*hold)(struct sim_exec *x, uint32_t slot);
	/* A row has new rates. */
	int (*reshare)(struct sim_exec *x, uint32_t row);
	/* Before anything happens at x->now_s: tell the engine the progress. */
	void (*tell)(struct sim_exec *x);
	/* The instant of the next end; INFINITY if none. */
	double (*next_s)(struct sim_exec *x);
	/* Let the next that end depart; x->ended() is called for jobs. */
	void (*end)(struct sim_exec *x);
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
	/* Coupled: the live jobs in order of starts, and the filling. */
	uint32_t *live;
	uint32_t nlive, nstarted;
	bool stale; /* the rates have to be found anew */
	bool spins;
	double *used;	/* per row: by jobs that have their rates */
	double *wanted; /* by the others; -1 = sum it up anew */
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

/* For the models: is so little work left that it takes no time? */
static inline bool sim_exec_done(double work_s, double rate, double now_s)
{
	return work_s <= LIBRA_WORK_TOLERANCE_S ||
	       (rate > 0 && now_s + work_s / rate <= now_s);
}

extern const struct sim_exec_type sim_exec_dedicated, sim_exec_independent,
	sim_exec_coupled;

#endif
