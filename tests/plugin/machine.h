/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - a cluster of equal nodes, and TAP, for the tests of the host.
 */
#ifndef LIBRA_TEST_MACHINE_H
#define LIBRA_TEST_MACHINE_H

#include <stdio.h>

#include "plugin/host/host.h"

enum { MACHINE_NODES = 128 };

static int cases, failures;

static inline void ok(int good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++cases, name);
	failures += !good;
}

/* At the end of main(): how many there were.  Result: for exit(). */
static inline int finish(void)
{
	printf("1..%d\n", cases);
	return failures != 0;
}

/* A host gets nodes n0, n1, ... of nprocs processors in one partition.
 * Result: as libra_host_set_cluster().
 */
static inline int machine_set(struct libra_host *host, const char *params,
			      uint32_t nnodes, uint32_t nprocs)
{
	char text[MACHINE_NODES][8];
	const char *names[MACHINE_NODES];
	uint32_t procs[MACHINE_NODES];
	uint8_t all[MACHINE_NODES];
	struct libra_host_partition part = {
		.name = "main", .max_minutes = UINT32_MAX, .nodes = all};
	struct libra_host_cluster cluster = {
		.sched_params = params,
		.default_partition = part.name,
		.nnodes = nnodes,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 1,
		.partitions = &part,
		.cpus_per_proc = 1,
	};

	for (uint32_t i = 0; i < nnodes; i++) {
		snprintf(text[i], sizeof(text[i]), "n%u", i % 1000);
		names[i] = text[i];
		procs[i] = nprocs;
		all[i] = 1;
	}
	return libra_host_set_cluster(host, &cluster);
}

#endif
