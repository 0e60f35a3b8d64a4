/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - see cluster.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/power_save.h"
#include "plugin/select/cluster.h"

#pragma weak default_part_name
#pragma weak node_record_count
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf
#pragma weak slurm_mcs_get_select

struct site {
	struct libra_host_cluster pub;
	const char **names;
	uint32_t *procs, *cpus, *boot_s;
	uint64_t *mem;
	const char **gres;
	struct libra_host_partition *parts;
};

static void site_fini(struct site *site)
{
	for (uint32_t i = 0; i < site->pub.npartitions; i++)
		free((void *)site->parts[i].nodes);
	free(site->names);
	free(site->procs);
	free(site->cpus);
	free(site->boot_s);
	free(site->mem);
	free(site->gres);
	free(site->parts);
}

/* Slurm keeps some of its cores from all jobs, or from those without GPUs. */
static bool keeps_cores(const node_record_t *node)
{
	return node->core_spec_cnt || node->node_spec_bitmap ||
	       LIBRA_GPU_CORES(node);
}

static bool any_keeps_cores(const part_record_t *part)
{
	for (int i = 0; part->node_bitmap && i < node_record_count; i++)
		if (bit_test(part->node_bitmap, i) &&
		    node_record_table_ptr[i] &&
		    keeps_cores(node_record_table_ptr[i]))
			return true;
	return false;
}

static bool is_capped(uint32_t cpus)
{
	return cpus && cpus < NO_VAL;
}

/* Return the setting of a partition that excludes promises, or NULL.  If jobs
 * have whole nodes, the setting does not matter.
 */
static const char *unpromised(const part_record_t *part)
{
#define KEEPS_OFF ", by which a job keeps others from its nodes"
	job_record_t any = {0};

	if (part->flags & LIBRA_EXCLUSIVE_TOPO)
		return "ExclusiveTopo=YES" KEEPS_OFF;
	if (is_capped(part->max_cpus_per_node))
		return "MaxCPUsPerNode, which no promise counts";
	if (is_capped(LIBRA_SOCKET_CPUS(part)))
		return "MaxCPUsPerSocket, which no promise counts";
	if (part->max_share == 0)
		return NULL;
	if (part->flags & PART_FLAG_EXCLUSIVE_USER)
		return "ExclusiveUser=YES" KEEPS_OFF;
	if (slurm_conf.mcs_plugin &&
	    strcmp(slurm_conf.mcs_plugin, "mcs/none") != 0 &&
	    slurm_mcs_get_select(&any) == 1)
		return "MCSParameters=select" KEEPS_OFF;
	if (any_keeps_cores(part))
		return "nodes with CoreSpecCount, CpuSpecList or "
		       "RestrictedCoresPerGPU, and which cores they keep no "
		       "promise knows";
	return NULL;
#undef KEEPS_OFF
}

static bool add_partition(struct site *site, const part_record_t *part)
{
	struct libra_host_partition *p = &site->parts[site->pub.npartitions];
	uint8_t *nodes = calloc(site->pub.nnodes + 1, 1);

	if (!nodes)
		return false;
	for (uint32_t i = 0; i < site->pub.nnodes; i++)
		nodes[i] = part->node_bitmap && bit_test(part->node_bitmap, i);
	p->name = part->name;
	p->max_minutes = part->max_time;
	/* Without FORCE only jobs that ask for sharing share. */
	p->max_jobs = part->max_share & SHARED_FORCE
			      ? part->max_share & ~SHARED_FORCE
			      : 1;
	p->nodes = nodes;
	p->whole_nodes = part->max_share == 0; /* OverSubscribe=EXCLUSIVE */
	p->unpromised = unpromised(part);
	site->pub.npartitions++;
	return true;
}

static bool add_partitions(struct site *site)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(part_list);
	part_record_t *part;
	bool ok = true;

	while (ok && (part = list_next(it)))
		ok = add_partition(site, part);
	list_iterator_destroy(it);
	return ok;
}

static bool site_init(struct site *site)
{
	uint32_t n = (uint32_t)node_record_count;
	const node_record_t *node;

	*site = (struct site){0};
	site->names = calloc(n + 1, sizeof(*site->names));
	site->procs = calloc(n + 1, sizeof(*site->procs));
	site->cpus = calloc(n + 1, sizeof(*site->cpus));
	site->boot_s = calloc(n + 1, sizeof(*site->boot_s));
	site->mem = calloc(n + 1, sizeof(*site->mem));
	site->gres = calloc(n + 1, sizeof(*site->gres));
	site->parts =
		calloc((size_t)list_count(part_list) + 1, sizeof(*site->parts));
	if (!site->names || !site->procs || !site->cpus || !site->mem ||
	    !site->gres || !site->parts || !site->boot_s)
		return false;
	site->pub.nnodes = n;
	site->pub.cpus_per_proc = 1;
	for (uint32_t i = 0; i < n; i++) {
		node = node_record_table_ptr[i];
		site->names[i] = node ? node->name : "";
		site->procs[i] = node ? node->tot_cores : 0;
		site->mem[i] = node ? LIBRA_NODE_MEMORY(node) : 0;
		if (node && node->config_ptr)
			site->gres[i] = node->config_ptr->gres;
		if (node && node->tot_cores && node->cpus > node->tot_cores)
			site->pub.cpus_per_proc = node->cpus / node->tot_cores;
	}
	for (uint32_t i = 0; i < n; i++) {
		node = node_record_table_ptr[i];
		site->cpus[i] = site->procs[i] * site->pub.cpus_per_proc;
		if (node && keeps_cores(node) && node->cpus_efctv &&
		    node->cpus_efctv < site->cpus[i])
			site->cpus[i] = node->cpus_efctv;
	}
	site->pub.task_per_core =
		slurm_conf.select_type_param & LIBRA_ONE_TASK_PER_CORE;
	site->pub.sched_params = slurm_conf.sched_params;
	site->pub.state_folder = slurm_conf.state_save_location;
	site->pub.default_partition = default_part_name;
	site->pub.max_array = slurm_conf.max_array_sz;
	site->pub.node_names = site->names;
	site->pub.node_procs = site->procs;
	site->pub.node_cpus = site->cpus;
	site->pub.node_mem = site->mem;
	site->pub.node_gres = site->gres;
	site->pub.node_boot_s = site->boot_s;
	libra_power_save(site->boot_s, n);
	site->pub.partitions = site->parts;
	return add_partitions(site);
}

/* --- what was reported to the host ------------------------------------------
 */

/* The last report as a text, so that it can be compared after Slurm has
 * replaced its tables; NULL = none.
 */
static char *told;

static const char *or_none(const char *text)
{
	return text ? text : "";
}

static void print_partition(FILE *out, const struct site *site,
			    const struct libra_host_partition *p)
{
	fprintf(out, "%s %u %u %d %s ", p->name, p->max_minutes, p->max_jobs,
		p->whole_nodes, or_none(p->unpromised));
	for (uint32_t i = 0; i < site->pub.nnodes; i++)
		fputc(p->nodes[i] ? '1' : '0', out);
	fputc('\n', out);
}

/* Format a report.
 * Result: NULL if memory is out.
 * Owner:  the caller frees the text.
 */
static char *print_site(const struct site *site)
{
	const struct libra_host_cluster *c = &site->pub;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s %u %d %s\n", or_none(c->default_partition),
		c->cpus_per_proc, c->task_per_core, or_none(c->sched_params));
	for (uint32_t i = 0; i < c->nnodes; i++)
		fprintf(out, "%s %u %u %u %llu %s\n", c->node_names[i],
			c->node_procs[i], c->node_cpus[i], c->node_boot_s[i],
			(unsigned long long)c->node_mem[i],
			or_none(c->node_gres[i]));
	for (uint32_t i = 0; i < c->npartitions; i++)
		print_partition(out, site, &c->partitions[i]);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

bool libra_cluster_set(void)
{
	struct site site;
	bool ok = site_init(&site);

	if (!ok)
		error("libra: out of memory: the cluster is looked at again");
	errno = 0;
	if (ok && libra_host_set_cluster(libra_host_shared(), &site.pub) < 0) {
		ok = errno != ENOMEM;
		error("libra: no job is managed: see the lines above");
	}
	free(told);
	told = ok ? print_site(&site) : NULL;
	site_fini(&site);
	return ok;
}

bool libra_cluster_changed(void)
{
	struct site site;
	char *now = site_init(&site) ? print_site(&site) : NULL;
	bool changed = !now || !told || strcmp(now, told) != 0;

	free(now);
	site_fini(&site);
	return changed;
}

void libra_cluster_fini(void)
{
	free(told);
	told = NULL;
}
