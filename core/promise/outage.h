/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outage.h - stretches of time in which nodes take no job.
 *
 * A node that is open takes none from the beginning of an outage to its end: no
 * plan may lie over it.  One that is closed, and is so because of an outage
 * that has begun, is back at its end: plans may begin there then.  Where plans
 * are not by node they count how many are out: then the host must see to it
 * that no job is left on a node when its outage begins.
 */
#ifndef LIBRA_PROMISE_OUTAGE_H
#define LIBRA_PROMISE_OUTAGE_H

#include "core/promise/rooms.h"

/* Replace all.  Result: 0, or -1 with ENOMEM and nothing changed. */
int libra_outages_set(struct libra_engine *e, const struct libra_outage *list,
		      uint32_t n);
void libra_outages_fini(struct libra_promise_state *s);

/* Take the outages from a profile of the jobs that run, and, where plans are by
 * node, from the line of each node.
 */
void libra_outages_lay(const struct libra_engine *e, struct libra_profile *p);
void libra_outages_lay_line(const struct libra_engine *e,
			    struct libra_line *line);

#endif
