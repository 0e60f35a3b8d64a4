/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_layout.h - divide the generic resources of a job, or of its tasks,
 * evenly over the fewest allowed nodes that have enough.
 *
 * Each function writes nodes, tasks and resources into the request, and into
 * the reply for Slurm.  The request may then point to text in the reply.
 * Result: false with a line for the user if there is no even division.
 *
 * Callers: resources.h, under the host's lock.
 */
#ifndef LIBRA_REQUEST_TASK_LAYOUT_H
#define LIBRA_REQUEST_TASK_LAYOUT_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Divide --gpus=N (gres.job), over nodes that are up if possible. */
bool host_divide_job(const struct host_cluster *cluster,
		     struct libra_host_request *request,
		     const struct request_size *where,
		     struct libra_host_reply *reply);

/* Divide equal tasks with GPUs, and give Slurm the number of tasks per node:
 * then Slurm also uses GPUs far from a task's cores.  If there is no even
 * division, but the tasks of each node always have their GPUs near their cores,
 * return true without a division.
 */
bool host_divide_near(const struct host_cluster *cluster,
		      struct libra_host_request *request,
		      const struct request_size *where,
		      struct libra_host_reply *reply);

/* Divide the GPUs of tasks, if jobs have whole nodes. */
bool host_divide_whole(const struct host_cluster *cluster,
		       struct libra_host_request *request,
		       const struct request_size *where,
		       struct libra_host_reply *reply);

#endif
