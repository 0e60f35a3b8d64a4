/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - a job of the model as a question to the engine. */
#ifndef SIM_PROMISES_REQUEST_H
#define SIM_PROMISES_REQUEST_H

#include "core/job.h"
#include "sim/slurm/sched/model.h"

/* The engine's resources of a node, beside processors.  A processor is a CPU,
 * or with by_node a whole node.
 */
enum { PROMISE_MEMORY, PROMISE_GPUS, PROMISE_RESOURCES };

/* The most tasks of a job that asks; equal in the plugin
 * (tests/layout/same-numbers.sh).
 */
enum { PROMISE_TASKS = 1000 };

/* A job as the engine plans it.  where.per_chunk and where.per_node point to
 * the arrays of these names, and where.allowed to the caller's array.
 */
struct promise_request {
	bool by_node;	       /* a processor is a node: no jobs share a node */
	uint32_t part;	       /* the partition */
	uint32_t nprocs, cpus; /* without by_node the same number */
	uint32_t nodes;	       /* the least number of nodes */
	struct libra_where where;
	struct libra_range *allowed; /* the caller's; one element a node */
	uint64_t per_chunk[PROMISE_RESOURCES], per_node[PROMISE_RESOURCES];
};

/* Return the option of a job that bars promises, as text for people; NULL: the
 * job may ask for a deadline.
 */
const char *promise_bar(const struct sched_job *job);

/* Return true if a job cannot start yet and therefore asks later (later.h). */
bool promise_asks_later(const struct sched_job *job);

/* Return the first partition that is open to the job (sched_closed()), or
 * SCHED_NONE.
 */
uint32_t promise_part(const struct sched_model *m, const struct sched_job *job);

/* Fill in *r for a job in its promise_part().  first[i] is the first processor
 * of node i, and first[nnodes] the number of processors.  The caller has set
 * r->by_node and r->allowed.  *r must not move afterwards: r->where points into
 * it.
 * Result: NULL, or the reason why the engine cannot plan the job, as text for
 *         people.
 */
const char *promise_request(const struct sched_model *m,
			    const struct sched_job *job, const uint32_t *first,
			    struct promise_request *r);

/* Return true if the job gets whole nodes in this partition. */
bool promise_is_whole(const struct sched_model *m, const struct sched_job *job,
		      uint32_t part);

/* Compute the memory (MB) and GPUs that a job with these CPUs takes on a node.
 */
void promise_amounts(const struct sched_model *m, const struct sched_job *job,
		     uint32_t part, uint32_t node, uint32_t cpus,
		     uint64_t amounts[PROMISE_RESOURCES]);

#endif
