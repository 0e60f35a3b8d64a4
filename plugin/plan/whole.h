/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whole.h - the size of a request where starts are planned.
 *
 * A plan counts processors and names none, so any that are free must do.  Where
 * no two jobs are on a node (OverSubscribe=EXCLUSIVE) a processor of the plan
 * is a node with all that it has: cores, memory, generic resources.  Elsewhere
 * it is a core, and a job must be content with single cores anywhere.
 */
#ifndef LIBRA_PLAN_WHOLE_H
#define LIBRA_PLAN_WHOLE_H

#include "plugin/host/cluster.h"
#include "plugin/host/types.h"

/* As host_measure(), for policies that plan. */
bool host_whole_measure(const struct host_cluster *cluster,
			struct libra_host_request *request,
			const struct host_partition *partition,
			struct request_size *size,
			struct libra_host_reply *reply);

#endif
