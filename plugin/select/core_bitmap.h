/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core_bitmap.h - a placement as Slurm's bitmaps: all cores of the cluster, one
 * node after another, and its nodes.
 *
 * A bitmap is a bitstr_t.  For the select plugin, under Slurm's node lock.
 */
#ifndef LIBRA_SELECT_CORE_BITMAP_H
#define LIBRA_SELECT_CORE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

/* A bitmap of all cores: those of a placement set, or all but those.
 * Owner: the caller frees it.
 */
int64_t *libra_cores_of(const struct libra_host_placement *placement);
int64_t *libra_cores_but(const struct libra_host_placement *placement);

/* Leave the nodes of a placement alone, and let a job have as many.
 * Result: false if one of them is not to be had.
 */
bool libra_cores_nodes(const struct libra_host_placement *placement,
		       int64_t *nodes, uint32_t *min_nodes, uint32_t *max_nodes,
		       uint32_t *req_nodes);

#endif
