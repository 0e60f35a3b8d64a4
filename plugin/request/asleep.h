/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asleep.h - nodes that are powered down, and deadlines too near for their
 * boot.
 */
#ifndef LIBRA_REQUEST_ASLEEP_H
#define LIBRA_REQUEST_ASLEEP_H

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Is a deadline too near for a job that has to start at once, while a node that
 * it may have, and has room for a task of it, is powered down and has to boot?
 * Plans that may wait have room for that.
 * Result: how long it may wait for such a node, in seconds; 0 = no.
 */
uint32_t host_boots_too_late(const struct host_cluster *cluster,
			     const struct libra_host_ops *ops,
			     const struct request_size *size,
			     const struct libra_job *job, double now_s);

#endif
