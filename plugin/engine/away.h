/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * away.h - nodes that take no job now, and come back by themselves.
 *
 * Slurm starts nothing on a node while the epilog of a job runs there, or while
 * the node boots, powers down or reboots.  The host measures how long that
 * takes, for each node and for the cluster.  A longer time replaces the
 * measured one at once; a shorter time lowers the measured one by a part of the
 * difference.  A node is expected back after the measured time.  If the node is
 * not back then, the expected time is doubled, again and again.  A node that
 * stays away for longer than twice the measured time, and for longer than
 * libra_host_away.longest_s, counts as gone until Slurm reports it as back.  An
 * epilog of at most HOST_AWAY_BRIEF_S seconds is ignored: margins cover it.
 *
 * For policies that plan, such a node is closed, with an outage until it is
 * expected back (plugin/host/outages.h).  For other policies the node stays
 * open: offers use other nodes first, and a job that fits nowhere else has the
 * wait added to its estimate.
 *
 * The data are members of struct host_cluster (away, usual_s, epilog_s).
 *
 * Callers: plugin/host and plugin/request, in any thread, under the host's
 * lock.  No function needs a lock of Slurm, or memory.  Nodes are numbered as
 * in cluster.h; instants are those of host_now().
 */
#ifndef LIBRA_ENGINE_AWAY_H
#define LIBRA_ENGINE_AWAY_H

#include "plugin/engine/cluster.h"

#define HOST_AWAY_BRIEF_S 2.0

enum { HOST_AWAY_TEXT = 192 };

/* The change since the node was last checked. */
enum host_away_news {
	HOST_AWAY_SAME = 0,
	HOST_AWAY_LEFT,	    /* the node is away from now on */
	HOST_AWAY_LATER,    /* the expected return has moved */
	HOST_AWAY_GONE,	    /* the node counts as gone from now on */
	HOST_AWAY_RETURNED, /* the node is back */
};

/* Compare a node with Slurm's present view, and store the result.  state:
 * Slurm's state of the node as if it were not away.  seen: why the node is
 * away; NULL if it is not.
 * Result: the state to report to the engine (UP for policies that do not plan,
 *         while the node is expected back); and the change in *news.
 */
enum libra_node_state host_away_follow(struct host_cluster *cluster,
				       uint32_t node,
				       enum libra_node_state state,
				       const struct libra_host_away *seen,
				       double now_s, enum host_away_news *news);

/* Move all instants by by_s, because the clock was set. */
void host_away_shift(struct host_cluster *cluster, double by_s);

/* Return true if a node is away and expected back. */
bool host_away_is(const struct host_cluster *cluster, uint32_t node);

/* Return true if a closed node may be back by an instant, as expected now.  A
 * completing node always may: Slurm ends the epilog or drains the node.
 */
bool host_away_may_return(const struct host_cluster *cluster, uint32_t node,
			  double by_s);

/* Return the longest wait until a node is expected back, in seconds; 0 if no
 * node is away.
 */
double host_away_longest_s(const struct host_cluster *cluster, double now_s);

/* Return the first node of a placement (engine's numbers) that is away, or
 * HOST_NO_NODE.
 */
uint32_t host_away_of(const struct host_cluster *cluster,
		      const struct libra_host_placement *placement);

/* Write a sentence without its full stop: "node n1 is completing since
 * 12:03:10, and is expected back by 12:04:10 UTC".
 */
void host_away_text(const struct host_cluster *cluster, uint32_t node,
		    char text[HOST_AWAY_TEXT]);

/* Write the cause of a broken promise, "node is completing since 12:03:10:n1".
 * The caller joins its words by _ for a record.
 */
void host_away_cause(const struct host_cluster *cluster, uint32_t node,
		     char *text, size_t size);

#endif
