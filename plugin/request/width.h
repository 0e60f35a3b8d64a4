/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width.h - requests for any of several numbers of nodes (--nodes=MIN-MAX).
 *
 * --time is the run time on MIN nodes.  --comment=libra_speedup=S is the part
 * of that time which more nodes divide among them (core/width.h).  Without S
 * the job takes as long on any number of nodes, so the job gets MIN nodes.
 *
 * Callers: answer.c and submit.c in the thread of a submission, under the
 * host's lock; host_at_width() and host_is_permitted() need no lock.  No
 * function needs a lock of Slurm.  The functions depend only on their
 * arguments, and only host_report_width() needs memory, for its line to the
 * user.
 */
#ifndef LIBRA_REQUEST_WIDTH_H
#define LIBRA_REQUEST_WIDTH_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/types.h"

/* Return true if a request has several widths.  The user has given S and MIN <
 * MAX, and the policy plans starts.  The number of tasks must grow with the
 * nodes, unless the job has whole nodes.  An array, a job that is promised
 * later, and a job with --nodelist, --gpus or --ntasks-per-gpu have MIN nodes.
 */
bool host_has_widths(const struct host_cluster *c,
		     const struct libra_host_request *request);

/* If a request has several widths, lower MAX to the number of nodes of its
 * partition, but not below MIN.
 * Result: true if the request still has several widths.
 */
bool host_bound_widths(const struct host_cluster *c,
		       struct libra_host_request *request);

/* Return a copy of the request for so many nodes, with its tasks, its CPUs and
 * its estimate, in whole minutes.
 * Needs:  a request with several widths.
 */
struct libra_host_request host_at_width(
	const struct libra_host_request *request, uint32_t nodes);

/* Return true if Slurm's rules and limits permit a request at one width.  The
 * rules were read for this width (host_take_rules()).
 */
bool host_is_permitted(const struct libra_host_request *at_width);

/* If the request was accepted, set its nodes, tasks and CPUs in the reply, so
 * that Slurm counts these, and add a line for the user.
 */
void host_report_width(const struct libra_host_request *asked,
		       const struct libra_host_request *at_width,
		       struct libra_host_reply *reply);

#endif
