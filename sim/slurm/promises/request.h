/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - a job of the model as a question to the engine. */
#ifndef SIM_PROMISES_REQUEST_H
#define SIM_PROMISES_REQUEST_H

#include "core/job.h"
#include "sim/slurm/sched/model.h"

/* The resources of a node besides processors, which are its CPUs unless each
 * node is one processor.
 */
enum { PROMISE_MEMORY, PROMISE_GPUS, PROMISE_RESOURCES };

/* As the plugin (tests/layout/same-numbers.sh). */
enum { PROMISE_TASKS = 1000 };

struct promise_request {
	bool by_node; /* each node is one processor, as all jobs have their
			 nodes alone */
	uint32_t part, nprocs, cpus, nodes; /* nodes: the fewest */
	struct libra_where where;
	struct libra_range *allowed; /* the caller's; one element a node */
	uint64_t per_chunk[PROMISE_RESOURCES], per_node[PROMISE_RESOURCES];
};

/* Return what slurmctld promises no job with, for people; NULL: nothing bars
 * the job from asking for a deadline.
 */
const char *promise_bar(const struct sched_job *job);

/* Return true if a job asks only when it may start: it is held, depends on
 * another or begins later.
 */
bool promise_asks_later(const struct sched_job *job);

/* Return the first partition of a job that takes it, or SCHED_NONE. */
uint32_t promise_part(const struct sched_model *m, const struct sched_job *job);

/* Fill in a request from a job, for promise_part().  first: by node, its first
 * processor.  The caller has set r->by_node and r->allowed.  r->where points
 * into *r, which must not move.
 * Result: NULL, or why the engine cannot plan such a job, for people.
 */
const char *promise_request(const struct sched_model *m,
			    const struct sched_job *job, const uint32_t *first,
			    struct promise_request *r);

/* Return true if the job has its nodes alone. */
bool promise_is_whole(const struct sched_model *m, const struct sched_job *job,
		      uint32_t part);

/* Write the memory and GPUs that a job takes on a node with its CPUs there. */
void promise_amounts(const struct sched_model *m, const struct sched_job *job,
		     uint32_t part, uint32_t node, uint32_t cpus,
		     uint64_t amounts[PROMISE_RESOURCES]);

#endif
