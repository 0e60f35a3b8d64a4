/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.h - rules of Slurm that will be applied to a submission after our
 * verdict.
 */
#ifndef LIBRA_SELECT_RULES_H
#define LIBRA_SELECT_RULES_H

#include "plugin/base/types.h"

struct job_record;

/* Read the rules for a request: rules of struct libra_host_ops.  The caller
 * holds Slurm's read locks of jobs, nodes and partitions, and not the host's
 * lock.
 */
void libra_rules(const struct libra_host_request *request,
		 struct libra_host_rules *rules);

/* Write the QOS of a request that names none: default_qos of struct
 * libra_host_ops.  Locks as for libra_rules().
 */
void libra_default_qos(const struct libra_host_request *request, char name[64]);

/* Read the memory of Slurm's first n nodes, all and free: memory of struct
 * libra_host_ops.  Needs Slurm's locks of jobs and nodes.
 * Result: false if Slurm does not divide memory among jobs.
 * Cost:   the number of Slurm's jobs.
 */
bool libra_memory(struct libra_host_memory *nodes, uint32_t n);

/* Set the memory that a job will have allocated (job->mem.hold_per_cpu or
 * hold_per_node), from Slurm's number (MEM_PER_CPU or per node; 0 = all of the
 * node).
 */
void libra_hold(uint64_t memory, struct libra_host_job *job);

/* Set the default CPUs and memory for each GPU, from the job's partition,
 * unless the job asks for its own.
 */
void libra_with_gpus(const struct job_record *job, struct libra_host_job *seen);

/* Find the nodes that a request may use.  This is usable of struct
 * libra_host_ops, which describes the result.  Needs Slurm's node lock.
 */
const char *libra_usable(const struct libra_host_request *request,
			 uint8_t *usable, uint32_t n);

#endif
