/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - the engine of planned, and what runs on the model's nodes: for the
 * files of this folder.
 */
#ifndef SIM_PROMISES_FOLLOW_H
#define SIM_PROMISES_FOLLOW_H

#include "core/engine.h"
#include "sim/slurm/promises/promises.h"
#include "sim/slurm/promises/request.h"

/* A task that has processors or a promise. */
struct seat {
	uint64_t ticket;       /* 0: none */
	struct sched_run *run; /* that counts until the promised one begins */
};

/* The ordinary task that has waited longest: its plan does not move. */
struct aged {
	double age_s;
	uint32_t task;	/* SCHED_NONE: none has a plan */
	bool begins;	/* on the planned processors */
	int64_t next_s; /* to look for one */
	/* those no younger than this job are passed over for a time */
	int64_t passed_s, until_s;
};

struct sched_promises {
	struct sched_model *m;
	struct libra_engine *engine;
	double share, within;
	uint64_t family;    /* of the draws */
	uint32_t *first;    /* processor of each node, and of one more */
	uint64_t *taken;    /* set of processors */
	struct seat *seats; /* of each task */
	struct promise_request request;
	struct libra_part *parts;
	uint64_t *amounts; /* of each part */
	struct libra_range *ranges;
	size_t room; /* of parts and ranges */
	uint64_t *gone;
	uint32_t gone_cap;
	int64_t called_s;
	uint64_t moves;
	struct aged aged;
};

/* Return the processors that stand for CPUs of a node. */
uint32_t promise_procs(const struct sched_promises *p, uint32_t cpus);

/* Return a task as a job without a deadline. */
struct libra_job promise_job(const struct sched_promises *p, uint32_t at,
			     uint32_t task, uint32_t nprocs);

/* Set p->parts[n]: so many CPUs of a node. */
void promise_set_part(struct sched_promises *p, uint32_t n,
		      const struct sched_job *job, uint32_t part, uint32_t node,
		      uint32_t cpus, struct libra_range procs);

/* Take the processors of a task that is to start, and set b->place to them; set
 * them free.
 */
void promise_set_place(struct sched_promises *p, uint32_t task);
void promise_give_back(struct sched_promises *p, uint32_t task);

#endif
