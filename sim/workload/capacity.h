/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capacity.h - the processors of the machine over time.
 *
 * Read from the output of `sacctmgr show event`, or from a table with
 * processors.  Only the number of processors out of service counts at each
 * instant, not which nodes they are on, because a simulation does not place
 * jobs as the log did.  The machine is divided into parts, one for each number
 * of processors (its level) that is out of service at some time.  A part is
 * closed while at least as many processors as its level are out of service.
 *
 * A part that closes takes no new jobs; jobs that run there end as the log has
 * it.  (A job that its node killed has the shorter run time in the log, and its
 * next run is a job of its own.)
 *
 * Commands with --capacity read it; the simulation (sim/run) applies the
 * changes.
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
	bool opens; /* else the part closes */
};

struct sim_capacity {
	uint32_t *part_procs; /* processors; the last part is never closed */
	uint32_t nparts;
	struct sim_change *changes; /* in order of time */
	size_t nchanges;
	/* For messages. */
	size_t events;	/* events read */
	uint32_t least; /* processors in service at the worst time */
	double out_s;	/* processor seconds out of service */
};

/* The relation of the events' clock to the simulation's, and sizes. */
struct sim_capacity_conf {
	uint32_t procs;	     /* of the machine */
	uint32_t node_procs; /* of a node, if the file does not have them */
	int64_t unix_start;  /* the log's 0, in seconds since 1970; 0 = unknown:
				the times of the file count from the log's 0 */
	double begin_s;	     /* the simulation's 0 on the log's clock */
	double factor;	     /* multiplies all times, as those of arrivals */
};

/* Read a file of events.  The columns NodeName, TimeStart, TimeEnd, State, with
 * | between them, are sacctmgr's: each event takes its node out of service.
 * The columns TRES or CPUs may give the size of the node.  The columns from_s,
 * to_s, procs, with commas, are a table of processors out of service; an empty
 * to_s means for ever.
 * Result: 0, or -1 with ENOMEM, errno of the system, or EINVAL: other columns,
 *         a time that cannot be read, or more processors out of service than
 *         exist.
 * Owner:  the caller calls sim_capacity_fini(); after an error it need not.
 */
int sim_capacity_read(struct sim_capacity *c, const char *path,
		      const struct sim_capacity_conf *conf,
		      struct libra_error *err);
void sim_capacity_fini(struct sim_capacity *c);

#endif
