/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.h - the alarm at the deadline of a job, on its node.
 *
 * The alarm is one thread of the job's slurmstepd, which sleeps until shortly
 * before the deadline.  Then the thread asks slurmctld for the present promise:
 * the promise may have changed, and no event of the node since has brought the
 * change.  At the deadline the thread renews the node's weights, if jobs take
 * turns or late jobs yield, as the job is late from then on.  A new record of
 * the job wakes the thread, too.
 * If slurmstepd dies with its alarm, the next event of the node renews the
 * weights.
 *
 * A process has one alarm.  One thread of slurmstepd sets and stops it.
 */
#ifndef LIBRA_SPANK_ALARM_H
#define LIBRA_SPANK_ALARM_H

#include <stdint.h>

#include "plugin/spank/node_store.h"

/* Ask slurmctld for the present promise of a job; id and number of *now are not
 * read.  The call may last for Slurm's MessageTimeout.
 * Result: 0, or -1 if the promise is unknown.
 */
typedef int (*spank_ask_f)(uint32_t job_id, struct spank_change *now);

/* Set the alarm for a job that is known on the node and has a share.  For other
 * jobs, and if the alarm is set already, do nothing.  ask may be NULL.
 * Result: 0, or -1 with errno; then there is no alarm.
 * Owner:  conf's texts are copied; report and arg must outlive the alarm.
 */
int libra_alarm_set(const struct spank_node_conf *conf, uint32_t job_id,
		    spank_ask_f ask);

/* Cancel the alarm and wait for the end of its thread.  A thread that waits for
 * the node's lock ends at once.  A thread that asks slurmctld ends with the
 * answer, or after Slurm's MessageTimeout.
 */
void libra_alarm_stop(void);

#endif
