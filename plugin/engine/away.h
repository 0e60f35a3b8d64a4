/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * away.h - nodes that take no job now, and come back by themselves.
 *
 * Slurm starts nothing on a node while the epilog of a job runs there, while
 * the node boots, powers down or reboots.  How long that takes is measured for
 * each node and for the cluster: the longest time, which decays towards shorter
 * ones.  A node is expected back after that time, and if it is not, after twice
 * that time, and so on.  A node that stays away for longer than twice the
 * measured time, and for longer than Slurm may take at all, counts as gone
 * until Slurm reports it as back.  An epilog of BRIEF_S seconds or less is left
 * to the margin.
 *
 * Policies that plan have such a node closed, with an outage until it is
 * expected back (plugin/host/outages.h).  For other policies the node stays
 * open: offers go to other nodes first, and a job that finds no place there has
 * the wait in its estimate.
 */
#ifndef LIBRA_ENGINE_AWAY_H
#define LIBRA_ENGINE_AWAY_H

#include "plugin/engine/cluster.h"

#define HOST_AWAY_BRIEF_S 2.0

enum { HOST_AWAY_TEXT = 160 };

/* What became of a node in one look at it. */
enum host_away_news {
	HOST_AWAY_SAME = 0,
	HOST_AWAY_LEFT,	    /* it is away from now on */
	HOST_AWAY_LATER,    /* it takes longer than it was expected to */
	HOST_AWAY_GONE,	    /* it counts as gone from now on */
	HOST_AWAY_RETURNED, /* it is back */
};

/* Follow one node.  state: as Slurm has it, without seen; seen: NULL if the
 * node is not away.
 * Result: the state that the engine shall have; *news what is new.
 */
enum libra_node_state host_away_follow(struct host_cluster *cluster,
				       uint32_t node,
				       enum libra_node_state state,
				       const struct libra_host_away *seen,
				       double now_s, enum host_away_news *news);

/* The clock was set by so much. */
void host_away_shift(struct host_cluster *cluster, double by_s);

/* Is a node away, and expected back? */
bool host_away_is(const struct host_cluster *cluster, uint32_t node);

/* May a closed node be back by an instant?  A node that is completing may be,
 * however long that takes already: Slurm ends the epilog, or drains the node.
 */
bool host_away_may_return(const struct host_cluster *cluster, uint32_t node,
			  double by_s);

/* The longest time until one of the nodes is expected back; 0 = none is away.
 */
double host_away_longest_s(const struct host_cluster *cluster, double now_s);

/* The first node of a placement, in the engine's numbers, that is away; or
 * HOST_NO_NODE.
 */
uint32_t host_away_of(const struct host_cluster *cluster,
		      const struct libra_host_placement *placement);

/* Write a sentence without its end: "node n1 is completing since 12:03:10, and
 * is expected back by 12:04:10".
 */
void host_away_text(const struct host_cluster *cluster, uint32_t node,
		    char text[HOST_AWAY_TEXT]);

/* Write the cause of a broken promise, as a record has it:
 * "node_is_completing_since_12:03:10:n1".
 */
void host_away_cause(const struct host_cluster *cluster, uint32_t node,
		     char *text, size_t size);

#endif
