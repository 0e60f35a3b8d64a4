/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_states.h - the meaning for jobs of each state and flag of Slurm's nodes.
 *
 * A test compares the table with the header of each release of Slurm.  Callers:
 * the select plugin, under Slurm's node lock; the libra command.  The table is
 * constant, and no lock is needed.
 */
#ifndef LIBRA_BASE_NODE_STATES_H
#define LIBRA_BASE_NODE_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct libra_node_row {
	uint32_t bits;	  /* base state, or flag */
	const char *name; /* Slurm's constant, without NODE_STATE_ */
	/* State for the engine, unless the node comes back by itself.  UP: a
	 * job can start now, or as soon as Slurm has prepared the node.
	 */
	enum libra_node_state counts;
	enum libra_host_away_kind away; /* why the node comes back by itself */
	const char *text;		/* for that; follows "node n1" */
};

/* Return the row that applies to a node.  returns: after a reboot the node is
 * neither drained nor down; otherwise it does not come back by itself.
 */
const struct libra_node_row *libra_node_row(uint32_t state, bool returns);

#endif
