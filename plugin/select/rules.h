/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.h - what Slurm will hold against a submission after our verdict.
 */
#ifndef LIBRA_SELECT_RULES_H
#define LIBRA_SELECT_RULES_H

#include "plugin/base/types.h"

struct job_record;

/* One of struct libra_host_ops.  The caller holds Slurm's locks of a
 * submission, and none of the host.
 */
void libra_rules(const struct libra_host_request *request,
		 struct libra_host_rules *rules);

/* Another one: the memory of the first n nodes, and what of it is free. */
bool libra_memory(struct libra_host_memory *nodes, uint32_t n);

/* What a job has of it, as Slurm writes that. */
void libra_hold(uint64_t memory, struct libra_host_job *job);

/* What goes with each GPU of a job that does not say it. */
void libra_with_gpus(const struct job_record *job, struct libra_host_job *seen);

/* As libra_host_ops.usable, under Slurm's node lock. */
bool libra_usable(const struct libra_host_request *request, uint8_t *usable,
		  uint32_t n);

#endif
