/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizing.h - convert tasks and CPUs to processors, and deadlines to time
 * limits.
 *
 * A processor is a core.  If a core has several CPUs, tasks of one CPU share
 * cores, as Slurm packs such tasks on each node.  Slurm packs larger tasks, too
 * (two tasks of three CPUs take three cores of two), but the number of cores
 * then depends on which tasks share a node.  So each of several larger tasks
 * gets whole cores, and the reply asks Slurm to count all CPUs of these cores.
 * With --ntasks-per-node each node gets that number, as some releases of Slurm
 * count.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 * host_count_rules() and host_sum_gpus() are also called without it and need no
 * lock.
 */
#ifndef LIBRA_REQUEST_SIZING_H
#define LIBRA_REQUEST_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Set the size of a request in a partition.  If Slurm has to count other CPUs
 * or tasks than the user asked for, the request and the reply get these.
 * Result: false with a line for the user if the request has no size.
 */
bool host_measure(const struct host_cluster *cluster,
		  struct libra_host_request *request,
		  const struct host_partition *partition,
		  struct request_size *size, struct libra_host_reply *reply);

/* Add Slurm's rules to a request: CPUs for its memory, CPUs and memory per GPU,
 * and the default memory.
 */
void host_count_rules(struct libra_host_request *request,
		      const struct libra_host_rules *rules);

/* Copy the headroom that limits of accounts leave into the request. */
void host_take_limits(struct libra_host_request *request,
		      const struct libra_host_rules *rules);

/* Copy all that Slurm forbids and limits into the request. */
void host_take_rules(struct libra_host_request *request,
		     const struct libra_host_rules *rules);

/* If host_count_rules() added CPUs for memory, let Slurm count the same, and
 * add a line for the user.
 */
void host_report_memory(const struct libra_host_request *asked,
			const struct libra_host_request *counted,
			struct libra_host_reply *reply);

/* Add up the GPUs of a request, as Slurm does before it knows the nodes. */
void host_sum_gpus(struct libra_host_request *request);

/* Return true if MaxTime of the partition lets a job run until its deadline or,
 * if the policy plans starts, for its estimate.
 * Result: false with a line for the user.
 */
bool host_fits_max_time(const struct host_cluster *c,
			const struct host_partition *partition,
			double estimate_s, double deadline_s, double now_s,
			struct libra_host_reply *reply);

/* Return a promised job's time limit in Slurm's minutes: until the deadline and
 * the grace after it, but at most the partition's MaxTime.  grace_s NAN: the
 * job's estimate.
 */
uint32_t host_limit_minutes(const struct libra_job *job,
			    const struct host_partition *partition,
			    double grace_s, double now_s);

/* Return true if a request could run with all nodes up and empty.
 * Result: false with a line for the user that states the capacity.
 */
bool host_can_fit(const struct host_cluster *cluster,
		  const struct request_size *size,
		  struct libra_host_reply *reply);

/* Determine the new estimate from a change of the time limit.  scontrol adds
 * TimeLimit=+5 or -5 to the limit that Slurm shows, which is lifted, and sends
 * the sum.  If the sum is recognised, the change applies to the estimate.  If a
 * number could be a sum or an estimate near the limit, it is rejected unless a
 * deadline is given, too.
 * Result: false with a line for the user.
 */
bool host_know_estimate(struct libra_host_request *r, uint32_t limit,
			double user_estimate_s, struct libra_host_reply *reply);

#endif
