/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - which nodes a job would get, as select/cons_tres chooses them.
 *
 * A choice reads the model and the free resources and changes neither.  Sets of
 * nodes have a bit for each node and m->words words.  Memory is megabytes.
 */
#ifndef SIM_SCHED_PLACE_H
#define SIM_SCHED_PLACE_H

#include "sim/slurm/sched/model.h"

/* The question: a request, and the nodes that the choice may take.  The caller
 * owns req and allowed.  The choice leaves out nodes of `allowed` that are down
 * or that the request excludes.  Completing nodes are not left out.
 */
struct sched_ask {
	const struct sched_request *req;
	uint32_t min_nodes, max_nodes;
	uint32_t req_nodes;	 /* the number that Slurm tries to reach */
	const uint64_t *allowed; /* set of nodes */
	/* The job gets all CPUs, memory and GPUs of its nodes, so only nodes
	 * without a job are taken.
	 */
	bool whole;
	bool any_tasks; /* CPUs are not cut to --ntasks-per-node */
	/* The order among nodes of one weight; if both are set, busy_first.  A
	 * request for contiguous nodes ignores both.
	 */
	bool least_loaded; /* the nodes with most usable CPUs first */
	bool busy_first;   /* the nodes with jobs first */
};

struct sched_set; /* consecutive nodes of one weight */

/* The chosen nodes in the order of the choice, the CPUs on each, and memory for
 * the choice.  The arrays have room for all nodes of the model.
 */
struct sched_place {
	uint32_t n;
	uint32_t *node, *cpus;
	uint32_t *gpus; /* of each, if the request has gpus_job */
	uint64_t *set;	/* the chosen nodes as a set */
	/* memory of sched_choose() */
	uint32_t *usable; /* CPUs of each node for this job */
	uint32_t same;	  /* CPUs of each usable node; 0: they differ */
	uint32_t *open;	  /* GPUs of each node for this job, with gpus_job */
	uint64_t *map;	  /* set of nodes that are still to be had */
	struct sched_set *sets;
};

/* Allocate a place for the nodes of a model.  m->words must be set.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls sched_place_fini() once, after an error as well.
 */
int sched_place_init(const struct sched_model *m, struct sched_place *p);
void sched_place_fini(struct sched_place *p);

/* Choose nodes for a job from the free resources f.  No memory is allocated,
 * and f is not changed.  A choice has all nodes that the request requires.
 * Result: true with the nodes in p, at most ask->max_nodes.  False: the nodes
 *         do not suffice, and p holds nothing of use.
 * Cost:   grows with the usable nodes; for least_loaded and busy_first also
 *         with the product of usable and chosen nodes.
 */
bool sched_choose(const struct sched_model *m, const struct sched_free *f,
		  const struct sched_ask *ask, struct sched_place *p);

#endif
