/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width.h - requests for any of several numbers of nodes (--nodes=MIN-MAX).
 *
 * --time is for MIN nodes.  The user says with --comment=libra_speedup=S which
 * part of it more nodes divide among them (core/width.h).  Without that the job
 * is as long on any number, and MIN nodes are free first.  The functions depend
 * only on their arguments.
 */
#ifndef LIBRA_REQUEST_WIDTH_H
#define LIBRA_REQUEST_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Return true if a request has several widths: its user says that it is
 * faster on more nodes, and its processors are not counted by a number of tasks
 * that is the same on all of them, unless it has whole nodes.  A job that is
 * promised later, and each task of an array, has MIN nodes.
 */
bool host_has_widths(const struct host_cluster *c,
		     const struct libra_host_request *request);

/* If a request has several widths, lower the widest to the number of nodes of
 * its partition.
 * Result: true if several are left.
 */
bool host_bound_widths(const struct host_cluster *c,
		       struct libra_host_request *request);

/* Return the request on so many nodes: tasks, CPUs, and the time, in whole
 * minutes.
 * Needs:  a request with several widths.
 */
struct libra_host_request host_at_width(
	const struct libra_host_request *request, uint32_t nodes);

/* Return true if the rules and limits of Slurm that were read for a request at
 * one width permit it.
 */
bool host_is_permitted(const struct libra_host_request *at_width);

/* Let Slurm count so many nodes, tasks and CPUs, and tell the user. */
void host_report_width(const struct libra_host_request *asked,
		       const struct libra_host_request *at_width,
		       struct libra_host_reply *reply);

#endif
