/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.h - the instant at which a job's deadline passes, told to its node.
 *
 * A late job comes after all others, so that its deadline is an event for jobs
 * with turns; but nothing begins or ends then.  One thread of a slurmstepd
 * sleeps until the deadline of its job, renews the node's weights, and ends.
 * If it is lost with its slurmstepd, the next event of the node does as much.
 *
 * One alarm for a process, used by one thread of it.
 */
#ifndef LIBRA_SPANK_ALARM_H
#define LIBRA_SPANK_ALARM_H

#include <stdint.h>

#include "plugin/spank/node.h"

/* Set the alarm for a job that is known on the node and has turns; for others,
 * and when it is set already, this does nothing.
 * Owner:  conf is copied, but for what hears reports.
 * Result: 0, or -1 with errno: there is no alarm.
 */
int libra_alarm_set(const struct libra_node_conf *conf, uint32_t job_id);

/* Take the alarm back.  When this returns no thread is left; one that is just
 * waiting for the node's lock gives up.
 */
void libra_alarm_stop(void);

#endif
