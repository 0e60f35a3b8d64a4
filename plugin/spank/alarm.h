/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.h - renew a node's weights when the deadline of a job passes.
 *
 * Late jobs come after all others, so that a deadline is an event for jobs with
 * turns; but nothing begins or ends then.  One thread of the job's slurmstepd
 * sleeps until the deadline, renews the node's weights, and ends.  If it is
 * lost with its slurmstepd, the next event of the node does the same.
 *
 * There is one alarm for a process, used by one of its threads.
 */
#ifndef LIBRA_SPANK_ALARM_H
#define LIBRA_SPANK_ALARM_H

#include <stdint.h>

#include "plugin/spank/node_store.h"

/* Set the alarm for a job that is known on the node and has turns.  For other
 * jobs, and when it is set already, this does nothing.
 * Result: 0, or -1 with errno: there is no alarm.
 * Owner:  conf's texts are copied; report and arg must outlive the alarm.
 */
int libra_alarm_set(const struct spank_node_conf *conf, uint32_t job_id);

/* Cancel the alarm.  When this returns its thread has ended; one that waits for
 * the node's lock stops waiting.
 */
void libra_alarm_stop(void);

#endif
