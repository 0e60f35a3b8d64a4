/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizing.h - convert tasks and CPUs to processors, and deadlines to time
 * limits.
 *
 * A processor is a core.  If a core has several CPUs, tasks of one CPU share
 * cores, as Slurm packs such tasks on each node.  Slurm packs larger tasks,
 * too: two tasks of three CPUs take three cores of two CPUs.  But then the
 * number of cores depends on which tasks share a node.  So if a request has
 * several larger tasks, each one gets whole cores, and the reply asks Slurm to
 * count all CPUs of these cores.  If a request has --ntasks-per-node=N, each of
 * its nodes counts as one with N tasks, as in some releases of Slurm.
 *
 * Callers: plugin/host, in any thread, under the host's lock, but
 * host_count_rules(), host_take_rules(), host_take_limits() and host_sum_gpus()
 * need no lock.  No function needs a lock of Slurm.  If memory is out for a
 * line to the user, that line is missing (messages.h); nothing else depends on
 * memory.
 */
#ifndef LIBRA_REQUEST_SIZING_H
#define LIBRA_REQUEST_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Set the size of a request in a partition.  If Slurm has to count other CPUs
 * or tasks than the user asked for, set these numbers in the request and in the
 * reply, with a line for the user.
 * Result: false with a line for the user if the request has no size.
 */
bool host_measure(const struct host_cluster *cluster,
		  struct libra_host_request *request,
		  const struct host_partition *partition,
		  struct request_size *size, struct libra_host_reply *reply);

/* Add to a request the numbers that Slurm derives by its rules: CPUs for memory
 * above MaxMemPerCPU, default CPUs and memory per GPU, and the memory that
 * Slurm will allocate.
 */
void host_count_rules(struct libra_host_request *request,
		      const struct libra_host_rules *rules);

/* Copy the headroom that limits of accounts leave, and the largest number of
 * nodes, into the request.
 */
void host_take_limits(struct libra_host_request *request,
		      const struct libra_host_rules *rules);

/* Copy into the request the rules that would forbid the job, and the same as
 * host_take_limits().
 */
void host_take_rules(struct libra_host_request *request,
		     const struct libra_host_rules *rules);

/* If host_count_rules() has added CPUs for memory, set these CPUs in the reply,
 * so that Slurm counts the same, and add a line for the user.
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

/* Return a promised job's time limit in Slurm's minutes.  The limit lasts until
 * the deadline and the grace time after it (INFINITY: for ever), but at most
 * MaxTime of the partition.  If grace_s is NAN, the limit is the job's
 * estimate.
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

/* Determine the new estimate from a change of the time limit of a promised job.
 * The limit that Slurm shows may be longer than the estimate.  For TimeLimit=+5
 * or -5 scontrol adds to that limit, and sends the sum.  A sum with an
 * unlimited limit is recognised, and its addend changes the estimate.  Any
 * other number may be a sum or a new estimate: it counts as the new estimate,
 * but is rejected if it is larger than the limit less the user's estimate,
 * unless a deadline is given, too.
 * Result: false with a line for the user if the number is rejected.
 */
bool host_know_estimate(struct libra_host_request *r, uint32_t limit,
			double user_estimate_s, struct libra_host_reply *reply);

#endif
