/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.h - lists of generic resources, as Slurm writes them, as resources of a
 * cluster (cluster.h).
 *
 * "gpu:a100:2" counts as two gpu and two gpu:a100.  If a node has a single
 * type, a request without a type gets that type.  If a node has several types,
 * the type that Slurm would choose is unknown: a promise requires a type.
 *
 * Callers: plugin/host and all below it, under the host's lock.  The functions
 * without a cluster need no lock.
 */
#ifndef LIBRA_ENGINE_GRES_H
#define LIBRA_ENGINE_GRES_H

#include "plugin/engine/cluster.h"

/* One entry of a list. */
struct host_gres {
	char name[HOST_RESOURCE_NAME]; /* "gpu", or "gpu:a100" */
	char kind[HOST_RESOURCE_NAME]; /* "gpu" */
	uint64_t count;
};

/* Read the entry at *at, and move *at behind it.  At first *at points to the
 * list (or is NULL).  A kind that is too long is left empty, a type that is too
 * long is left out.
 * Result: false at the end of the list.
 */
bool host_gres_next(const char **at, struct host_gres *gres);

/* Read the only entry of a list.  Result: false if there is none, or several.
 */
bool host_gres_only(const char *list, struct host_gres *gres);

/* Add the names of a node's list to the cluster's resources, up to
 * LIBRA_RESOURCES.
 */
void host_gres_names(struct host_cluster *cluster, const char *list);

/* Return the index of the resource of this name, or UINT32_MAX. */
uint32_t host_gres_find(const struct host_cluster *cluster, const char *name);

/* Add the counts of a list, multiplied by times, to amounts (nresources
 * entries).
 * Result: false if the list names an unknown resource or too large a count;
 *         then amounts may have changed.
 */
bool host_gres_add(const struct host_cluster *cluster, const char *list,
		   uint64_t times, uint64_t *amounts);

/* Return the number of GPUs in a list, of all types. */
uint64_t host_gres_gpus(const char *list);

/* Return true if a node's list has resources that share GPUs among jobs (shard,
 * mps).
 */
bool host_gres_splits(const char *list);

/* Return true if a node has several types of a kind. */
bool host_gres_mixed(const struct host_cluster *cluster, uint32_t node,
		     const char *kind);

#endif
