/* SPDX-License-Identifier: GPL-2.0-or-later */
/* free.c - what is free of each node. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/slurm/sched/model.h"

int sched_free_init(const struct sched_model *m, struct sched_free *f)
{
	f->cpus = calloc(m->nnodes + 1, sizeof(*f->cpus));
	f->gpus = calloc(m->nnodes + 1, sizeof(*f->gpus));
	f->jobs = calloc(m->nnodes + 1, sizeof(*f->jobs));
	f->mem_mb = calloc(m->nnodes + 1, sizeof(*f->mem_mb));
	f->idle = calloc(m->words + 1, sizeof(*f->idle));
	f->some = calloc(m->words + 1, sizeof(*f->some));
	return f->cpus && f->gpus && f->jobs && f->mem_mb && f->idle && f->some
		       ? 0
		       : -1;
}

void sched_free_copy(const struct sched_model *m, struct sched_free *to,
		     const struct sched_free *from)
{
	memcpy(to->cpus, from->cpus, m->nnodes * sizeof(*to->cpus));
	memcpy(to->gpus, from->gpus, m->nnodes * sizeof(*to->gpus));
	memcpy(to->jobs, from->jobs, m->nnodes * sizeof(*to->jobs));
	memcpy(to->mem_mb, from->mem_mb, m->nnodes * sizeof(*to->mem_mb));
	memcpy(to->idle, from->idle, m->words * sizeof(*to->idle));
	memcpy(to->some, from->some, m->words * sizeof(*to->some));
}

void sched_free_fini(struct sched_free *f)
{
	free(f->cpus);
	free(f->gpus);
	free(f->jobs);
	free(f->mem_mb);
	free(f->idle);
	free(f->some);
	memset(f, 0, sizeof(*f));
}

static uint64_t memory_of(const struct sched_model *m,
			  const struct sched_run *run, uint32_t i)
{
	if (!m->params.count_memory)
		return 0;
	return run->mem_per_cpu ? run->mem_mb * run->cpus[i] : run->mem_mb;
}

static uint32_t gpus_of(const struct sched_model *m,
			const struct sched_run *run, uint32_t i)
{
	if (run->whole)
		return m->nodes[run->node[i]].gpus;
	return run->gpus ? run->gpus[i] : run->gpus_node;
}

void sched_release(const struct sched_model *m, struct sched_free *f,
		   const struct sched_run *run)
{
	for (uint32_t i = 0; i < run->nnodes; i++) {
		uint32_t n = run->node[i];

		f->cpus[n] += run->cpus[i];
		f->gpus[n] += gpus_of(m, run, i);
		f->mem_mb[n] += memory_of(m, run, i);
		if (--f->jobs[n] == 0)
			libra_bits_put(f->idle, n);
		libra_bits_put(f->some, n);
	}
}

void sched_occupy(const struct sched_model *m, struct sched_free *f,
		  const struct sched_run *run)
{
	for (uint32_t i = 0; i < run->nnodes; i++) {
		uint32_t n = run->node[i];

		f->cpus[n] -= run->cpus[i];
		f->gpus[n] -= gpus_of(m, run, i);
		f->mem_mb[n] -= memory_of(m, run, i);
		if (f->jobs[n]++ == 0)
			libra_bits_drop(f->idle, n);
		if (f->cpus[n] == 0)
			libra_bits_drop(f->some, n);
	}
}
