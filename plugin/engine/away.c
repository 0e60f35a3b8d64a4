/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * away.c - see away.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plugin/base/units.h"
#include "plugin/engine/away.h"

/* Nodes are checked once a second. */
#define SEEN_S 1.0

/* ---- measured times ---- */

static double decayed(double usual_s, double took_s, double part)
{
	if (took_s >= usual_s)
		return took_s;
	return usual_s + (took_s - usual_s) * part;
}

/* The time of an epilog is added behind ordinary jobs.  Each change moves
 * reservations, so the time follows a longer epilog at once, and falls only
 * when epilogs take half as long.
 */
static void set_epilog(struct host_cluster *c)
{
	double usual_s = c->usual_s[LIBRA_AWAY_COMPLETING];

	if (usual_s <= HOST_AWAY_BRIEF_S)
		usual_s = 0;
	if (usual_s > c->epilog_s || usual_s < c->epilog_s / 2)
		c->epilog_s = ceil(usual_s);
}

static void measure(struct host_cluster *c, struct host_away *n, double now_s)
{
	double took_s = fmax(0, now_s - n->since_s);

	n->usual_s[n->kind] = decayed(n->usual_s[n->kind], took_s, 0.25);
	c->usual_s[n->kind] = decayed(c->usual_s[n->kind], took_s, 0.05);
	if (n->kind == LIBRA_AWAY_COMPLETING)
		set_epilog(c);
}

static double usual_s(const struct host_cluster *c, const struct host_away *n,
		      const struct libra_host_away *seen)
{
	if (n->usual_s[n->kind] > 0)
		return n->usual_s[n->kind];
	if (c->usual_s[n->kind] > 0)
		return c->usual_s[n->kind];
	return seen->expect_s;
}

/* ---- one node ---- */

/* A node that waits for its jobs before a reboot has the time of a reboot.  For
 * an overdue node the time is doubled, up to the longest time.
 */
static double expected_back(const struct host_cluster *c,
			    const struct host_away *n,
			    const struct libra_host_away *seen, double now_s)
{
	double usual = usual_s(c, n, seen), most_s, back_s;

	if (n->kind == LIBRA_AWAY_REBOOT_ASKED) {
		usual = c->usual_s[LIBRA_AWAY_REBOOT] > 0
				? c->usual_s[LIBRA_AWAY_REBOOT]
				: seen->expect_s;
		return fmax(now_s, seen->jobs_end_s) + c->epilog_s + usual +
		       SEEN_S;
	}
	most_s = fmax(2 * usual, seen->longest_s);
	while (n->since_s + usual + SEEN_S <= now_s && usual < most_s)
		usual = fmin(fmax(2 * usual, SEEN_S), most_s);
	back_s = n->since_s + usual + SEEN_S;
	return back_s > now_s ? back_s : INFINITY;
}

/* While a node's jobs run, its expected return follows the clock: report only a
 * change by more than some seconds.
 */
static bool is_later(const struct host_away *n, double back_s)
{
	double least_s = n->kind == LIBRA_AWAY_REBOOT_ASKED ? 60 : SEEN_S;

	return back_s > n->back_s + least_s || back_s < n->back_s - least_s;
}

static bool is_brief(const struct host_cluster *c, const struct host_away *n,
		     const struct libra_host_away *seen, double now_s)
{
	return n->kind == LIBRA_AWAY_COMPLETING &&
	       now_s - n->since_s <= HOST_AWAY_BRIEF_S &&
	       usual_s(c, n, seen) <= HOST_AWAY_BRIEF_S;
}

static void leave(struct host_away *n, const struct libra_host_away *seen,
		  double now_s)
{
	n->kind = seen->kind;
	n->text = seen->text;
	n->since_s = now_s;
	n->back_s = -INFINITY;
	n->brief = true;
}

/* Result: the node's state for the engine. */
static enum libra_node_state close_for(const struct host_cluster *c,
				       const struct host_away *n)
{
	if (isinf(n->back_s))
		return LIBRA_NODE_DRAIN;
	return c->plans ? LIBRA_NODE_DRAIN : LIBRA_NODE_UP;
}

enum libra_node_state host_away_follow(struct host_cluster *c, uint32_t node,
				       enum libra_node_state state,
				       const struct libra_host_away *seen,
				       double now_s, enum host_away_news *news)
{
	struct host_away *n = &c->away[node];
	enum libra_host_away_kind was = n->kind;
	double back_s;

	*news = HOST_AWAY_SAME;
	if (was != LIBRA_AWAY_NOT && (!seen || seen->kind != was)) {
		if (!seen && state == LIBRA_NODE_UP)
			measure(c, n, now_s);
		if (!n->brief)
			*news = HOST_AWAY_RETURNED;
		n->kind = LIBRA_AWAY_NOT;
	}
	if (!seen)
		return state;
	if (n->kind == LIBRA_AWAY_NOT)
		leave(n, seen, now_s);
	if (n->brief && is_brief(c, n, seen, now_s))
		return LIBRA_NODE_UP;
	back_s = expected_back(c, n, seen, now_s);
	if (n->brief) {
		*news = HOST_AWAY_LEFT;
		n->back_s = back_s;
	} else if (is_later(n, back_s)) {
		*news = isinf(back_s) ? HOST_AWAY_GONE : HOST_AWAY_LATER;
		n->back_s = back_s;
	}
	n->brief = false;
	return close_for(c, n);
}

void host_away_shift(struct host_cluster *c, double by_s)
{
	for (uint32_t i = 0; i < c->nnodes; i++) {
		c->away[i].since_s += by_s;
		c->away[i].back_s += by_s;
	}
}

/* ---- what others ask ---- */

bool host_away_is(const struct host_cluster *c, uint32_t node)
{
	const struct host_away *n = &c->away[node];

	return n->kind != LIBRA_AWAY_NOT && !n->brief && isfinite(n->back_s);
}

bool host_away_may_return(const struct host_cluster *c, uint32_t node,
			  double by_s)
{
	const struct host_away *n = &c->away[node];

	return n->kind == LIBRA_AWAY_COMPLETING ||
	       (host_away_is(c, node) && n->back_s <= by_s);
}

double host_away_longest_s(const struct host_cluster *c, double now_s)
{
	double longest_s = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		if (host_away_is(c, i))
			longest_s = fmax(longest_s, c->away[i].back_s - now_s);
	return longest_s;
}

uint32_t host_away_of(const struct host_cluster *c,
		      const struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++)
		if (host_away_is(c, p->parts[i].node))
			return p->parts[i].node;
	return HOST_NO_NODE;
}

static void time_text(double at_s, char text[16])
{
	time_t t = (time_t)at_s;
	struct tm tm;

	if (!localtime_r(&t, &tm) || strftime(text, 16, "%H:%M:%S", &tm) == 0)
		strcpy(text, "?");
}

void host_away_text(const struct host_cluster *c, uint32_t node,
		    char text[HOST_AWAY_TEXT])
{
	const struct host_away *n = &c->away[node];
	char since[32], back[32];

	libra_host_clock_text(floor(n->since_s), n->since_s,
			      isinf(n->back_s) ? NAN : n->back_s, since);
	libra_host_clock_text(n->back_s, n->since_s, NAN, back);
	if (isinf(n->back_s))
		snprintf(text, HOST_AWAY_TEXT, "node %.64s %s since %s",
			 c->names[node], n->text, since);
	else
		snprintf(text, HOST_AWAY_TEXT,
			 "node %.64s %s since %s, and is expected back by %s",
			 c->names[node], n->text, since, back);
}

void host_away_cause(const struct host_cluster *c, uint32_t node, char *text,
		     size_t size)
{
	const struct host_away *n = &c->away[node];
	char since[16];

	time_text(n->since_s, since);
	snprintf(text, size, "node %s since %s:%s", n->text, since,
		 c->names[node]);
}
