/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.h - lists of generic resources, as Slurm writes them, in the resources
 * of a cluster (cluster.h).
 *
 * "gpu:a100:2" is two of gpu and two of gpu:a100.  Where a node has one type
 * only, whoever names none takes that; where it has several, nobody can say
 * which he will get: a promise has to name one there.
 */
#ifndef LIBRA_ENGINE_GRES_H
#define LIBRA_ENGINE_GRES_H

#include "plugin/engine/cluster.h"

/* One entry of a list; *at is its text at first.
 * Result: false at the end.  A name that is too long counts as "".
 */
struct host_gres {
	char name[HOST_RESOURCE_NAME]; /* "gpu", or with its type */
	char kind[HOST_RESOURCE_NAME]; /* "gpu" */
	uint64_t count;
};

bool host_gres_next(const char **at, struct host_gres *gres);

/* The only entry of a list.  Result: false if there are several. */
bool host_gres_only(const char *list, struct host_gres *gres);

/* Make the names of a node's list known, as far as there is room. */
void host_gres_names(struct host_cluster *cluster, const char *list);

/* A resource by its name, or UINT32_MAX. */
uint32_t host_gres_find(const struct host_cluster *cluster, const char *name);

/* Add a list so many times to amounts, nresources of them.
 * Result: false if it names what no node has.
 */
bool host_gres_add(const struct host_cluster *cluster, const char *list,
		   uint64_t times, uint64_t *amounts);

/* GPUs of a list, of all types. */
uint64_t host_gres_gpus(const char *list);

/* Are GPUs of a node's list given out in parts, too (shard, mps)? */
bool host_gres_splits(const char *list);

/* Does a node have several types of a kind? */
bool host_gres_mixed(const struct host_cluster *cluster, uint32_t node,
		     const char *kind);

#endif
