/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_set.h - convert a list of node names to a set of nodes. */
#ifndef SIM_SLURM_NODE_SET_H
#define SIM_SLURM_NODE_SET_H

#include "sim/slurm/site.h"

/* Add the nodes of a list such as n[01-03,07] to a set (model.h), which has a
 * bit for each of site->nodes.
 * Result: false if a name is no node of the site; the others are added.
 */
bool sched_node_set(const struct slurm_site *site, const char *list,
		    uint64_t *set);

#endif
