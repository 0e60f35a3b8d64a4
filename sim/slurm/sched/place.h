/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - which nodes a job would get, as select/cons_tres chooses them.
 */
#ifndef SIM_SCHED_PLACE_H
#define SIM_SCHED_PLACE_H

#include "sim/slurm/sched/model.h"

struct sched_ask {
	const struct sched_request *req;
	uint32_t min_nodes, max_nodes, req_nodes;
	const uint64_t *allowed; /* set of nodes */
	bool whole;
	bool any_tasks;	   /* a first look does not cut CPUs to tasks */
	bool least_loaded; /* the emptiest nodes first */
	bool busy_first;   /* nodes with jobs first */
};

struct sched_set; /* consecutive nodes of one weight */

/* The nodes chosen, in order; and room to choose in. */
struct sched_place {
	uint32_t n;
	uint32_t *node, *cpus;
	uint64_t *set;
	/* room */
	uint32_t *usable; /* CPUs of each node for this job */
	uint32_t same;	  /* or of all of them; 0: not the same */
	uint64_t *map;
	struct sched_set *sets;
};

/* Result: 0, or -1 with ENOMEM. */
int sched_place_init(const struct sched_model *m, struct sched_place *p);
void sched_place_fini(struct sched_place *p);

/* Choose nodes for a job among what is free.
 * Result: true with the nodes in p; false if they do not suffice.
 */
bool sched_choose(const struct sched_model *m, const struct sched_free *f,
		  const struct sched_ask *ask, struct sched_place *p);

#endif
