/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec.c - choice of the model, and the state that models share.
 *
 * Arrays by slot double as slots grow; all memory is freed at the end of the
 * simulation.
 */
#include "sim/run/exec.h"

#include <stdlib.h>
#include <string.h>

void sim_exec_init(struct sim_exec *x, struct libra_engine *engine,
		   enum sim_execution execution)
{
	memset(x, 0, sizeof(*x));
	evq_init(&x->ends);
	x->engine = engine;
	x->spins = execution == SIM_SPINNING;
	if (libra_engine_policy(engine)->mode != LIBRA_SHARE)
		x->type = &sim_exec_dedicated;
	else if (execution == SIM_COUPLED || execution == SIM_SPINNING)
		x->type = &sim_exec_coupled;
	else
		x->type = &sim_exec_independent;
}

void sim_exec_fini(struct sim_exec *x)
{
	evq_fini(&x->ends);
	free(x->jobs);
	free(x->live);
	free(x->used);
	free(x->wanted);
	free(x->first);
	free(x->member);
}

int sim_exec_admit(struct sim_exec *x, uint32_t slot, double runtime_s)
{
	uint32_t cap = x->cap ? x->cap : 64;
	struct sim_exec_job *jobs;
	uint32_t *live;

	while (cap <= slot)
		cap *= 2;
	if (cap > x->cap) {
		jobs = realloc(x->jobs, cap * sizeof(*jobs));
		if (!jobs)
			return -1;
		x->jobs = jobs;
		live = realloc(x->live, cap * sizeof(*live));
		if (!live)
			return -1;
		x->live = live;
		x->cap = cap;
	}
	x->jobs[slot] = (struct sim_exec_job){.runtime_s = runtime_s};
	return 0;
}
