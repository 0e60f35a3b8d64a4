/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sizing.h - a request's tasks and CPUs as processors, a promise's deadline as
 * a time limit.
 *
 * A processor is a core.  Where Slurm counts several CPUs for one, tasks of one
 * CPU share cores, as Slurm packs them on each node.  It packs larger tasks,
 * too (two of three CPUs take three cores of two), but what that needs depends
 * on which tasks meet on a node: of several tasks each gets whole cores, and
 * Slurm is told to count all their CPUs.  Of so many tasks a node each node
 * gets as many, as Slurm of some releases counts them.
 */
#ifndef LIBRA_REQUEST_SIZING_H
#define LIBRA_REQUEST_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* The size of a request in a partition.  The request gets the CPUs and tasks
 * that Slurm shall count, and so does the reply, where they are not as asked
 * for.
 * Result: false, and the user is told, if it has no size.
 */
bool host_measure(const struct host_cluster *cluster,
		  struct libra_host_request *request,
		  const struct host_partition *partition,
		  struct request_size *size, struct libra_host_reply *reply);

/* What Slurm makes of a request: CPUs for its memory, what goes with each GPU,
 * and what it gives to those who ask for none.
 */
void host_count_rules(struct libra_host_request *request,
		      const struct libra_host_rules *rules);

/* GPUs of a request, as Slurm counts them before it knows the nodes. */
void host_sum_gpus(struct libra_host_request *request);

/* Does MaxTime of the partition let a job run as long as it may take: its
 * estimate where starts are planned, else until its deadline?  Result: false,
 * and the user is told.
 */
bool host_fits_max_time(const struct host_cluster *c,
			const struct host_partition *partition,
			double estimate_s, double deadline_s, double now_s,
			struct libra_host_reply *reply);

/* The time limit of a promised job, in Slurm's minutes: not before its deadline
 * and the grace after it, but no longer than the partition's.  With a grace of
 * NAN its estimate.
 */
uint32_t host_limit_minutes(const struct libra_job *job,
			    const struct host_partition *partition,
			    double grace_s, double now_s);

/* Could a request of that size run if all nodes were up and empty?
 * Result: false, and the user is told what there is.
 */
bool host_can_fit(const struct host_cluster *cluster,
		  const struct request_size *size,
		  struct libra_host_reply *reply);

/* The estimate that a change means.  scontrol counts TimeLimit=+5 and -5 from
 * the limit that Slurm shows, which is lifted, and asks for the sum.  Where
 * that can be told it is counted from the estimate; what may be a sum, or may
 * be an estimate that is nearly as long as the limit, is refused unless a
 * deadline is given too.
 * Result: false, and the user is told.
 */
bool host_know_estimate(struct libra_host_request *r, uint32_t limit,
			double user_estimate_s, struct libra_host_reply *reply);

#endif
