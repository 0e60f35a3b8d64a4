/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_states.h - what each state and flag of a node in Slurm means for jobs.
 *
 * A test holds the table against the header of every release of Slurm.
 */
#ifndef LIBRA_BASE_NODE_STATES_H
#define LIBRA_BASE_NODE_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/base/types.h"

struct libra_node_row {
	uint32_t bits;	  /* the base state, or the flag */
	const char *name; /* Slurm's constant, without NODE_STATE_ */
	/* Of a node that does not come back by itself: how it counts.  UP: a
	 * job may start there now, or as soon as Slurm has seen to it.
	 */
	enum libra_node_state counts;
	enum libra_host_away_kind away; /* why it comes back by itself */
	const char *text;		/* of that, after "node n1" */
};

/* The row that decides of a node.  A node whose reboot leaves it drained or
 * down (returns: false) does not come back by itself.
 */
const struct libra_node_row *libra_node_row(uint32_t state, bool returns);

#endif
