/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - a cluster of equal nodes for the tests of the host, which are
 * TAP.
 */
#ifndef LIBRA_TEST_MACHINE_H
#define LIBRA_TEST_MACHINE_H

#include <stdio.h>
#include <stdlib.h>

#include "plugin/host/host.h"
#include "tests/plugin/tap.h"

enum { MACHINE_NODES = 256 };

struct machine {
	const char *params;
	uint32_t nnodes, nprocs;
	bool whole_nodes;
	const char *state_folder; /* may be NULL */
};

/* A host gets nodes n0, n1, ... of nprocs processors in one partition.
 * Result: as libra_host_set_cluster().
 */
static inline int machine_make(struct libra_host *host, const struct machine *m)
{
	char text[MACHINE_NODES][8];
	const char *names[MACHINE_NODES];
	uint32_t procs[MACHINE_NODES];
	uint8_t all[MACHINE_NODES];
	struct libra_host_partition part = {.name = "main",
					    .max_minutes = UINT32_MAX,
					    .nodes = all,
					    .whole_nodes = m->whole_nodes};
	struct libra_host_cluster cluster = {
		.sched_params = m->params,
		.default_partition = part.name,
		.state_folder = m->state_folder,
		.nnodes = m->nnodes,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 1,
		.partitions = &part,
		.cpus_per_proc = 1,
	};

	for (uint32_t i = 0; i < m->nnodes; i++) {
		snprintf(text[i], sizeof(text[i]), "n%u", i % 1000);
		names[i] = text[i];
		procs[i] = m->nprocs;
		all[i] = 1;
	}
	return libra_host_set_cluster(host, &cluster);
}

/* Nodes that are shared, and nothing that is kept. */
static inline int machine_set(struct libra_host *host, const char *params,
			      uint32_t nnodes, uint32_t nprocs)
{
	const struct machine m = {
		.params = params, .nnodes = nnodes, .nprocs = nprocs};

	return machine_make(host, &m);
}

/* A request of so many CPUs, each a part of its own, in the one partition. */
static inline struct libra_host_request machine_asking(uint32_t ncpus,
						       double estimate_s,
						       double deadline_s)
{
	return (struct libra_host_request){
		.partition = "main",
		.times.estimate_s = estimate_s,
		.times.deadline_s = deadline_s,
		.size.ncpus = ncpus,
		.size.cpus_per_task = 1,
	};
}

/* As struct libra_host_ops has it. */
typedef void (*machine_keep_f)(uint32_t id,
			       const struct libra_host_record *record);

/* A submission; what the job is promised is kept.  Result: accepted. */
static inline bool machine_submit(struct libra_host *host, uint32_t id,
				  const struct libra_host_request *request,
				  machine_keep_f keep)
{
	struct libra_host_reply reply;
	bool accepted;

	if (libra_host_submit(host, request, &reply) < 0)
		return false;
	accepted = reply.answer == LIBRA_HOST_ACCEPTED;
	if (accepted)
		keep(id, &reply.record);
	libra_host_reply_fini(&reply);
	return accepted;
}

/* The end of a placement, whose record is kept.  Result: it had one. */
static inline bool machine_take(uint32_t id, struct libra_host_placement *p,
				machine_keep_f keep)
{
	bool any = p->record.comment != NULL;

	if (any)
		keep(id, &p->record);
	free(p->record.comment);
	free(p->parts);
	*p = (struct libra_host_placement){0};
	return any;
}

static inline uint32_t machine_committed(struct libra_host *host)
{
	struct libra_host_counts counts;

	libra_host_counts(host, &counts);
	return counts.committed;
}

#endif
