/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - see cluster.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/engine/cluster.h"
#include "plugin/engine/gres.h"

static void free_partitions(struct host_cluster *c)
{
	for (uint32_t i = 0; i < c->npartitions; i++) {
		free(c->partitions[i].name);
		free(c->partitions[i].allowed);
	}
	free(c->partitions);
}

void host_cluster_fini(struct host_cluster *c)
{
	for (uint32_t i = 0; i < c->nnodes; i++)
		free(c->names[i]);
	free_partitions(c);
	free(c->names);
	free(c->procs);
	free(c->cpus);
	free(c->first);
	free(c->slurm_node);
	free(c->state);
	free(c->reserved);
	free(c->away);
	free(c->default_partition);
	free(c->amounts);
	*c = (struct host_cluster){0};
}

static bool in_managed(const struct libra_host_cluster *from,
		       const struct libra_host_conf *conf, uint32_t node)
{
	for (uint32_t i = 0; i < from->npartitions; i++)
		if (from->partitions[i].nodes[node] &&
		    libra_host_conf_manages(conf, from->partitions[i].name))
			return true;
	return false;
}

uint32_t host_cluster_boot_s(const struct libra_host_cluster *from,
			     const struct libra_host_conf *conf)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < from->nnodes && from->node_boot_s; i++)
		if (from->node_procs[i] > 0 && from->node_boot_s[i] > most &&
		    in_managed(from, conf, i))
			most = from->node_boot_s[i];
	return most;
}

/* A policy that plans has whole nodes if all its partitions do. */
static bool all_whole(const struct libra_host_cluster *from,
		      const struct libra_host_conf *conf)
{
	bool any = false;

	for (uint32_t i = 0; i < from->npartitions; i++) {
		if (!libra_host_conf_manages(conf, from->partitions[i].name))
			continue;
		if (!from->partitions[i].whole_nodes)
			return false;
		any = true;
	}
	return any && libra_host_conf_plans(conf);
}

/* Set the next node's CPUs, and the least CPUs and memory of all nodes. */
static void note_node(struct host_cluster *c,
		      const struct libra_host_cluster *from, uint32_t node)
{
	uint32_t cpus = from->node_cpus
				? from->node_cpus[node]
				: from->node_procs[node] * c->cpus_per_proc;

	c->cpus[c->nnodes] = cpus;
	if (c->nnodes == 0 || cpus < c->node_cpus)
		c->node_cpus = cpus;
	if (from->node_mem &&
	    (c->nnodes == 0 || from->node_mem[node] < c->node_mem))
		c->node_mem = from->node_mem[node];
}

static int copy_nodes(struct host_cluster *c,
		      const struct libra_host_cluster *from,
		      const struct libra_host_conf *conf)
{
	uint32_t n = from->nnodes, k = 0;

	c->names = calloc(n + 1, sizeof(*c->names));
	c->procs = calloc(n + 1, sizeof(*c->procs));
	c->cpus = calloc(n + 1, sizeof(*c->cpus));
	c->first = calloc(n + 1, sizeof(*c->first));
	c->slurm_node = calloc(n + 1, sizeof(*c->slurm_node));
	c->state = calloc(n + 1, sizeof(*c->state));
	c->reserved = calloc(n + 1, sizeof(*c->reserved));
	c->away = calloc(n + 1, sizeof(*c->away));
	if (!c->names || !c->procs || !c->cpus || !c->first || !c->slurm_node ||
	    !c->state || !c->reserved || !c->away)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		if (from->node_procs[i] == 0 || !in_managed(from, conf, i))
			continue;
		c->names[k] = strdup(from->node_names[i]);
		if (!c->names[k])
			return -1;
		c->procs[k] = c->whole_nodes ? 1 : from->node_procs[i];
		note_node(c, from, i);
		c->first[k + 1] = c->first[k] + c->procs[k];
		c->slurm_node[k] = i;
		c->state[k] = LIBRA_NODE_UP;
		c->nnodes = ++k;
	}
	return 0;
}

/* Slurm gives no whole GPU while a part of it is in use, and only Slurm knows
 * which parts belong to it.  So if jobs share nodes, such GPUs are not counted.
 */
static void leave_out_gpus(const struct host_cluster *c, uint64_t *of_node)
{
	for (uint32_t i = 1; i < c->nresources; i++)
		if (strcmp(c->resources[i], "gpu") == 0 ||
		    strncmp(c->resources[i], "gpu:", 4) == 0)
			of_node[i] = 0;
}

/* Copy memory and generic resources, up to LIBRA_RESOURCES.  A request for
 * others is refused with a line for the user.
 */
static int copy_resources(struct host_cluster *c,
			  const struct libra_host_cluster *from)
{
	if (!c->plans)
		return 0;
	snprintf(c->resources[0], HOST_RESOURCE_NAME, "mem");
	c->nresources = 1;
	for (uint32_t i = 0; i < c->nnodes && from->node_gres; i++)
		host_gres_names(c, from->node_gres[c->slurm_node[i]]);
	c->amounts = calloc((size_t)c->nnodes * c->nresources + 1,
			    sizeof(*c->amounts));
	if (!c->amounts)
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		uint64_t *of_node = &c->amounts[(size_t)i * c->nresources];
		uint32_t slurm = c->slurm_node[i];

		of_node[0] = from->node_mem ? from->node_mem[slurm] : 0;
		if (from->node_gres)
			host_gres_add(c, from->node_gres[slurm], 1, of_node);
		if (from->node_gres && !c->whole_nodes &&
		    host_gres_splits(from->node_gres[slurm]))
			leave_out_gpus(c, of_node);
	}
	return 0;
}

static int copy_partition(struct host_cluster *c,
			  const struct libra_host_partition *from)
{
	struct host_partition *p = &c->partitions[c->npartitions];
	struct libra_range *last = NULL;
	bool all = true;

	p->name = strdup(from->name);
	p->unpromised = from->unpromised;
	p->allowed = calloc(c->nnodes + 1, sizeof(*p->allowed));
	c->npartitions++;
	if (!p->name || !p->allowed)
		return -1;
	p->max_minutes = from->max_minutes;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!from->nodes[c->slurm_node[i]]) {
			all = false;
			continue;
		}
		if (last && last->first + last->count == c->first[i]) {
			last->count += c->procs[i];
			continue;
		}
		last = &p->allowed[p->nallowed++];
		*last = (struct libra_range){c->first[i], c->procs[i]};
	}
	if (all) {
		free(p->allowed);
		p->allowed = NULL;
		p->nallowed = 0;
	}
	return 0;
}

static int copy_partitions(struct host_cluster *c,
			   const struct libra_host_cluster *from,
			   const struct libra_host_conf *conf)
{
	c->partitions = calloc(from->npartitions + 1, sizeof(*c->partitions));
	if (!c->partitions)
		return -1;
	for (uint32_t i = 0; i < from->npartitions; i++)
		if (libra_host_conf_manages(conf, from->partitions[i].name) &&
		    copy_partition(c, &from->partitions[i]) < 0)
			return -1;
	if (from->default_partition) {
		c->default_partition = strdup(from->default_partition);
		if (!c->default_partition)
			return -1;
	}
	return 0;
}

int host_cluster_init(struct host_cluster *c,
		      const struct libra_host_cluster *from,
		      const struct libra_host_conf *conf)
{
	*c = (struct host_cluster){
		.cpus_per_proc = from->cpus_per_proc ? from->cpus_per_proc : 1,
		.task_per_core = from->task_per_core,
		.max_array = from->max_array,
		.whole_nodes = all_whole(from, conf),
		.plans = libra_host_conf_plans(conf),
	};
	if (c->plans)
		c->boot_s = host_cluster_boot_s(from, conf);
	if (copy_nodes(c, from, conf) == 0 && copy_resources(c, from) == 0 &&
	    copy_partitions(c, from, conf) == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

uint32_t host_cluster_nprocs(const struct host_cluster *c)
{
	return c->nnodes ? c->first[c->nnodes] : 0;
}

bool host_cluster_same_nodes(const struct host_cluster *a,
			     const struct host_cluster *b)
{
	if (a->nnodes != b->nnodes || a->nresources != b->nresources)
		return false;
	for (uint32_t i = 0; i < a->nresources; i++)
		if (strcmp(a->resources[i], b->resources[i]) != 0)
			return false;
	if (a->nresources &&
	    memcmp(a->amounts, b->amounts,
		   sizeof(*a->amounts) * a->nnodes * a->nresources) != 0)
		return false;
	for (uint32_t i = 0; i < a->nnodes; i++)
		if (a->procs[i] != b->procs[i] ||
		    strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

static bool is_named(const char *name, const char *text, size_t len)
{
	return strncmp(name, text, len) == 0 && name[len] == '\0';
}

const struct host_partition *host_cluster_partition(
	const struct host_cluster *c, const char *name, size_t len)
{
	for (uint32_t i = 0; i < c->npartitions; i++)
		if (is_named(c->partitions[i].name, name, len))
			return &c->partitions[i];
	return NULL;
}

const struct host_partition *host_cluster_managed(const struct host_cluster *c,
						  const char *names,
						  bool *several)
{
	const struct host_partition *found = NULL;
	const char *end;
	uint32_t n = 0;

	if (!names || !*names)
		names = c->default_partition;
	for (; names && *names; names = *end ? end + 1 : end) {
		end = strchrnul(names, ',');
		n++;
		if (!found)
			found = host_cluster_partition(c, names,
						       (size_t)(end - names));
	}
	*several = found && n > 1;
	return found;
}

uint32_t host_cluster_node_of(const struct host_cluster *c, uint32_t proc)
{
	uint32_t lo = 0, hi = c->nnodes;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->first[mid] <= proc)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

uint32_t host_cluster_find_node(const struct host_cluster *c, const char *name,
				size_t len)
{
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (is_named(c->names[i], name, len))
			return i;
	return HOST_NO_NODE;
}

uint32_t host_cluster_of_slurm(const struct host_cluster *c,
			       uint32_t slurm_node)
{
	uint32_t lo = 0, hi = c->nnodes;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->slurm_node[mid] < slurm_node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < c->nnodes && c->slurm_node[lo] == slurm_node ? lo
								 : HOST_NO_NODE;
}

bool host_cluster_nodes_up(const struct host_cluster *c,
			   const struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++) {
		const struct host_away *away = &c->away[p->parts[i].node];

		if (c->state[p->parts[i].node] != LIBRA_NODE_UP &&
		    (away->kind == LIBRA_AWAY_NOT || isinf(away->back_s)))
			return false;
	}
	return true;
}

void host_cluster_slurm_nodes(const struct host_cluster *c,
			      struct libra_host_placement *p)
{
	for (size_t i = 0; i < p->nparts; i++) {
		p->parts[i].node = c->slurm_node[p->parts[i].node];
		if (c->whole_nodes)
			p->parts[i].count = LIBRA_ALL_CORES;
	}
}
