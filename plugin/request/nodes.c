/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - see nodes.h.
 */
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/request/nodes.h"

static bool has(const struct libra_range *ranges, uint32_t n, uint32_t proc)
{
	for (uint32_t i = 0; i < n; i++)
		if (proc >= ranges[i].first &&
		    proc - ranges[i].first < ranges[i].count)
			return true;
	return false;
}

bool host_may_have(const struct host_cluster *c,
		   const struct request_size *size, uint32_t node)
{
	const struct host_partition *p = size->partition;
	uint32_t proc = c->first[node];

	if (size->allowed)
		return has(size->allowed, size->nallowed, proc);
	return !p || !p->allowed || has(p->allowed, p->nallowed, proc);
}

uint32_t host_count_allowed(const struct host_cluster *c,
			    const struct request_size *size)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		n += host_may_have(c, size, i);
	return n;
}

uint32_t host_count_closed(const struct host_cluster *c,
			   const struct request_size *size)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		n += host_may_have(c, size, i) && c->state[i] != LIBRA_NODE_UP;
	return n;
}

uint64_t host_most_allowed(const struct host_cluster *c,
			   const struct request_size *size, uint32_t resource)
{
	uint64_t most = 0, n;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		n = c->amounts[(size_t)i * c->nresources + resource];
		if (host_may_have(c, size, i) && n > most)
			most = n;
	}
	return most;
}

bool host_counts_gpus(const struct host_cluster *c,
		      const struct request_size *size,
		      const struct host_gres *gres)
{
	uint32_t resource = host_gres_find(c, gres->kind);

	return strcmp(gres->kind, "gpu") != 0 || gres->count == 0 ||
	       resource == UINT32_MAX ||
	       host_most_allowed(c, size, resource) > 0;
}

uint64_t host_chunks_of(const struct host_cluster *c,
			const struct request_size *size, uint32_t node)
{
	uint64_t n = c->procs[node], has_of, left;

	if (size->node_max && n > size->node_max)
		n = size->node_max;
	n /= libra_host_larger(1, size->chunk);
	for (uint32_t i = 0; i < c->nresources; i++) {
		has_of = c->amounts[(size_t)node * c->nresources + i];
		if (size->per_node[i] == LIBRA_ALL)
			continue;
		if (size->per_node[i] > has_of)
			return 0;
		left = has_of - size->per_node[i];
		if (size->per_chunk[i] && left / size->per_chunk[i] < n)
			n = left / size->per_chunk[i];
	}
	return n;
}
