/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_layout.h - generic resources of a job, or of each task, as equal numbers
 * of some nodes that it may have: the fewest that have room for them.
 *
 * Each writes nodes, tasks and resources into the request, and into the reply
 * for Slurm.
 * Result: false, and the user is told, if they cannot be divided evenly.
 */
#ifndef LIBRA_REQUEST_TASK_LAYOUT_H
#define LIBRA_REQUEST_TASK_LAYOUT_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* --gpus=N (gres_job) as so many of each of some nodes; over nodes that are up
 * if that can be.
 */
bool host_divide_job(const struct host_cluster *cluster,
		     struct libra_host_request *request,
		     const struct request_size *where,
		     struct libra_host_reply *reply);

/* Equal tasks with GPUs each: of these Slurm is told how many a node has, and
 * gives them GPUs that are far from their cores, too.  Where all tasks of any
 * nodes have GPUs near nothing need be divided.
 */
bool host_divide_near(const struct host_cluster *cluster,
		      struct libra_host_request *request,
		      const struct request_size *where,
		      struct libra_host_reply *reply);

/* Of each task, where jobs have whole nodes: as so many of each node. */
bool host_divide_whole(const struct host_cluster *cluster,
		       struct libra_host_request *request,
		       const struct request_size *where,
		       struct libra_host_reply *reply);

#endif
