/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets.h - count generic resources (GPUs) near each socket of a node.
 */
#ifndef LIBRA_SELECT_SOCKETS_H
#define LIBRA_SELECT_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct node_record;

/* Return true if an empty node has as many sockets (0 = 1) with the given
 * generic resources near each.  A resource that is near no core counts as near
 * all.  The caller holds Slurm's node lock, to read at least.
 */
bool libra_has_sockets(const struct node_record *node, uint32_t sockets,
		       const struct libra_host_kind *gres);

#endif
