/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.h - what a node does when the deadline of a job is near.
 *
 * One thread of the job's slurmstepd sleeps until shortly before the deadline.
 * Then it asks slurmctld for the promise: it may have been changed, and nothing
 * may have begun or ended here since.  At the deadline it renews the node's
 * weights, if the job has turns: late jobs come after all others.  A new record
 * of the job wakes it too.  If it is lost with its slurmstepd, the next event
 * of the node does the same.
 *
 * There is one alarm for a process, used by one of its threads.
 */
#ifndef LIBRA_SPANK_ALARM_H
#define LIBRA_SPANK_ALARM_H

#include <stdint.h>

#include "plugin/spank/node_store.h"

/* Ask slurmctld what a job is promised now; the numbers of the change are not
 * looked at.  It may take as long as Slurm's messages take.
 * Result: 0, or -1: nothing is known.
 */
typedef int (*spank_ask_f)(uint32_t job_id, struct spank_change *now);

/* Set the alarm for a job that is known on the node and was promised a share.
 * For other jobs, and when it is set already, this does nothing.  ask may be
 * NULL.
 * Result: 0, or -1 with errno: there is no alarm.
 * Owner:  conf's texts are copied; report and arg must outlive the alarm.
 */
int libra_alarm_set(const struct spank_node_conf *conf, uint32_t job_id,
		    spank_ask_f ask);

/* Cancel the alarm.  When this returns its thread has ended; one that waits for
 * the node's lock stops waiting; one that asks slurmctld waits for the answer,
 * or for Slurm's MessageTimeout.
 */
void libra_alarm_stop(void);

#endif
