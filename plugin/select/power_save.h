/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power_save.h - how long a job may wait for a node that Slurm has powered
 * down.
 *
 * The caller holds Slurm's locks of nodes, partitions and its configuration, to
 * read at least.
 */
#ifndef LIBRA_SELECT_POWER_SAVE_H
#define LIBRA_SELECT_POWER_SAVE_H

#include <stdint.h>

/* Read the longest wait for each of Slurm's first n nodes, in seconds:
 * SuspendTimeout, during which Slurm starts nothing on a node that powers down,
 * plus ResumeTimeout for the boot.  The wait is 0 if the node is never powered
 * down: there is no power saving, or SuspendTime is INFINITE, or
 * SuspendExcNodes or SuspendExcParts (without a number of nodes) exclude the
 * node.  A cloud node starts powered down, whatever SuspendTime is.
 */
void libra_power_save(uint32_t *boot_s, uint32_t n);

/* Return the longest wait, in seconds, for a node that is powered down, powers
 * down or boots now; 0 for other nodes.
 */
uint32_t libra_wakes_s(uint32_t node);

#endif
