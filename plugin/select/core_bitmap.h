/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core_bitmap.h - convert a placement into Slurm's bitmaps of cores and nodes.
 *
 * A bitmap is a bitstr_t.  A bitmap of cores has all cores of the cluster, one
 * node after another.  Called under Slurm's node lock, to read at least.
 */
#ifndef LIBRA_SELECT_CORE_BITMAP_H
#define LIBRA_SELECT_CORE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

/* _of:  return a bitmap in which the cores of a placement are set.
 * _but: return a bitmap in which all other cores are set.
 * Result: never NULL, as Slurm's allocations do not fail.
 * Owner:  the caller frees the bitmap.
 */
int64_t *libra_cores_of(const struct libra_host_placement *placement);
int64_t *libra_cores_but(const struct libra_host_placement *placement);

/* Reduce a bitmap of nodes to those of a placement, and raise each of the three
 * counts to their number, if it is lower.
 * Result: false if the bitmap lacked one of these nodes, or the placement is
 *         empty; then the counts are unchanged, but the bitmap is reduced.
 */
bool libra_cores_nodes(const struct libra_host_placement *placement,
		       int64_t *nodes, uint32_t *min_nodes, uint32_t *max_nodes,
		       uint32_t *req_nodes);

#endif
