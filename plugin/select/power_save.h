/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power_save.h - how long a job may wait for a node that Slurm has powered
 * down.
 */
#ifndef LIBRA_SELECT_POWER_SAVE_H
#define LIBRA_SELECT_POWER_SAVE_H

#include <stdint.h>

/* Of each of Slurm's first n nodes the longest that a job may wait for it, in
 * seconds: SuspendTimeout, before the end of which Slurm starts nothing on a
 * node that powers down, and ResumeTimeout for its boot; 0 where a node is not
 * powered down: there is no power saving, or the node is kept out of it by a
 * SuspendTime of INFINITE or by SuspendExcNodes or SuspendExcParts (without a
 * number of nodes).  A node of the cloud begins powered down, whatever
 * SuspendTime says.  The caller holds Slurm's locks of nodes, partitions and
 * its configuration.
 */
void libra_power_save(uint32_t *boot_s, uint32_t n);

/* The longest that a job may wait for a node that is powered down now, or on
 * its way, in seconds; 0 = it is neither.  The same locks.
 */
uint32_t libra_wakes_s(uint32_t node);

#endif
