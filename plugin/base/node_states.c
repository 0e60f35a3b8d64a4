/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_states.c - see node_states.h.
 */
#include <stddef.h>

#include <slurm/slurm.h>

#include "plugin/base/node_states.h"

#define FLAG(name) NODE_STATE_##name, #name
#define UP	   LIBRA_NODE_UP, LIBRA_AWAY_NOT, NULL
#define DRAIN	   LIBRA_NODE_DRAIN, LIBRA_AWAY_NOT, NULL
#define DOWN	   LIBRA_NODE_DOWN, LIBRA_AWAY_NOT, NULL

/* The first row that matches applies.  States that a release lacks are omitted.
 */
static const struct libra_node_row rows[] = {
	{FLAG(FUTURE), DOWN},
#ifdef NODE_STATE_EXTERNAL
	{FLAG(EXTERNAL), DOWN},
#endif
	{FLAG(REBOOT_ISSUED), LIBRA_NODE_DOWN, LIBRA_AWAY_REBOOT, "reboots"},
	/* Without ASAP or nextstate=RESUME, jobs start until the node is idle.
	 */
	{FLAG(REBOOT_REQUESTED), LIBRA_NODE_UP, LIBRA_AWAY_REBOOT_ASKED,
	 "is to reboot"},
	{FLAG(DOWN), DOWN},
	{FLAG(ERROR), DOWN},
	{FLAG(DRAIN), DRAIN},
	{FLAG(POWER_DRAIN), DRAIN},
	{FLAG(FAIL), DRAIN},
	{FLAG(INVALID_REG), DRAIN},
#ifdef NODE_STATE_BLOCKED
	{FLAG(BLOCKED), DRAIN}, /* by a job with --exclusive=topo */
#endif
	{FLAG(POWERING_DOWN), LIBRA_NODE_DRAIN, LIBRA_AWAY_POWERS_DOWN,
	 "powers down"},
	{FLAG(POWERING_UP), LIBRA_NODE_DRAIN, LIBRA_AWAY_BOOTS, "boots"},
	{FLAG(COMPLETING), LIBRA_NODE_DRAIN, LIBRA_AWAY_COMPLETING,
	 "is completing"},
	/* A job may start there: Slurm boots the node first. */
	{FLAG(POWERED_DOWN), UP},
	{FLAG(POWER_DOWN), UP}, /* requested, for when the node is idle */
	{FLAG(POWER_UP), UP},
	/* Mostly slurmctld has just started and has not heard from the node.
	 * After SlurmdTimeout Slurm sets it down.
	 */
	{FLAG(NO_RESPOND), UP},
	/* Advance reservations define when, and for which jobs. */
	{FLAG(MAINT), UP},
	{FLAG(RES), UP},
	{FLAG(PLANNED), UP},	   /* backfill planned another job there */
	{FLAG(REBOOT_CANCEL), UP}, /* an order, not a state; UNDRAIN, too */
	{FLAG(UNDRAIN), UP},
	{FLAG(CLOUD), UP},
	{FLAG(DYNAMIC_FUTURE), UP},
	{FLAG(DYNAMIC_NORM), UP},
#ifdef NODE_STATE_NET
	{FLAG(NET), UP}, /* counters of a Cray */
#endif
	{FLAG(IDLE), UP},
	{FLAG(MIXED), UP},
	{FLAG(ALLOCATED), UP},
	{FLAG(UNKNOWN), UP}, /* 0: the last row, and of nodes only UP */
};

static bool has(uint32_t state, uint32_t bits)
{
	if (bits & NODE_STATE_FLAGS)
		return state & bits;
	return (state & NODE_STATE_BASE) == bits;
}

/* A node that does not return after its reboot is judged by its other states.
 */
static bool decides(const struct libra_node_row *row, bool returns)
{
	return returns || (row->away != LIBRA_AWAY_REBOOT &&
			   row->away != LIBRA_AWAY_REBOOT_ASKED);
}

const struct libra_node_row *libra_node_row(uint32_t state, bool returns)
{
	const size_t n = sizeof(rows) / sizeof(*rows);

	/* The states of most nodes. */
	if (state == NODE_STATE_IDLE || state == NODE_STATE_ALLOCATED ||
	    state == NODE_STATE_MIXED)
		return &rows[n - 1];
	for (size_t i = 0; i + 1 < n; i++)
		if (has(state, rows[i].bits) && decides(&rows[i], returns))
			return &rows[i];
	return &rows[n - 1];
}
