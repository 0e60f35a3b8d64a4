/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capacity.h - the processors of the machine over time.
 *
 * Read from what `sacctmgr show event` prints, or from a table of its own.
 * What counts is how many processors are out of service at each instant: the
 * machine is divided into parts, one for each level that this number reaches,
 * and a part is closed while at least so many are out.  Which nodes they were
 * makes no difference: a simulation does not put a job where it was.
 *
 * A part that closes takes no new jobs; those that run there end as the log has
 * it.  (A job that was killed by its node has the shorter run time there, and
 * its next run is a job of its own.)
 */
#ifndef SIM_CAPACITY_H
#define SIM_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct sim_change {
	double at_s; /* on the simulation's clock; before 0 = from the start */
	uint32_t part;
	bool opens;
};

struct sim_capacity {
	uint32_t *part_procs; /* processors; the last part is never closed */
	uint32_t nparts;
	struct sim_change *changes; /* in order of time */
	size_t nchanges;
	/* For people. */
	size_t events;	/* read */
	uint32_t least; /* processors in service at the worst time */
	double out_s;	/* processor seconds out of service */
};

/* How the events' clock becomes the simulation's, and what a node has. */
struct sim_capacity_conf {
	uint32_t procs;	     /* of the machine */
	uint32_t node_procs; /* of a node, where the file does not say */
	int64_t unix_start;  /* instant of the log's 0; 0 = not known: the file
				counts from there, too */
	double begin_s;	     /* of the simulation's 0, on the log's clock */
	double factor;	     /* on all times, as on arrivals */
};

/* Read a file of events.  With the columns NodeName, TimeStart, TimeEnd, State
 * (| between them; TRES or CPUs may be there) it is sacctmgr's: each event
 * takes its node out of service.  With from_s, to_s, procs (a comma between
 * them) it is a table of processors that are out of service; an empty to_s is
 * for ever.
 * Result: 0, or -1 with errno of the system, or EINVAL: no such columns, a time
 *         that cannot be read, more out of service than there are.
 * Owner:  the caller calls sim_capacity_fini(); after an error it need not.
 */
int sim_capacity_read(struct sim_capacity *c, const char *path,
		      const struct sim_capacity_conf *conf,
		      struct libra_error *err);
void sim_capacity_fini(struct sim_capacity *c);

#endif
