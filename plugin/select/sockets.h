/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets.h - GPUs of each socket of a node.
 */
#ifndef LIBRA_SELECT_SOCKETS_H
#define LIBRA_SELECT_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct node_record;

/* Has an empty node as many sockets with so many generic resources near each?
 * Those that are near no core are near all.  The caller holds Slurm's node
 * lock.
 */
bool libra_has_sockets(const struct node_record *node, uint32_t sockets,
		       const struct libra_host_kind *gres);

#endif
