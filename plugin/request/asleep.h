/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asleep.h - deadlines that are too near because a node has to boot first.
 *
 * Callers: plugin/host, in any thread, under the host's lock.
 */
#ifndef LIBRA_REQUEST_ASLEEP_H
#define LIBRA_REQUEST_ASLEEP_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Return the boot delay, in seconds, with which a job that starts now would
 * miss its deadline, or 0.  The delay is the longest of the nodes that the job
 * may use and that have room for one of its tasks.  For later starts the margin
 * covers the delay.
 */
uint32_t host_boots_too_late(const struct host_cluster *cluster,
			     const struct libra_host_ops *ops,
			     const struct request_size *size,
			     const struct libra_job *job, double now_s);

#endif
