/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_node.c - nodes, from `scontrol show node`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

/* ---- nodes ---- */

#define AT(field) offsetof(struct slurm_node, field)

static const struct site_field node_fields[] = {
	{.name = "Boards"},
	{"Sockets", SITE_U32, AT(sockets)},
	{"CoresPerSocket", SITE_U32, AT(cores)},
	{"ThreadsPerCore", SITE_U32, AT(threads)},
	{"CPUTot", SITE_U32, AT(cpus)},
	{"CPUEfctv", SITE_U32, AT(cpus_effective)},
	{"RealMemory", SITE_MB, AT(memory_mb)},
	{"MemSpecLimit", SITE_MB, AT(memory_spec_mb)},
	{"Weight", SITE_U32, AT(weight)},
	{"ActiveFeatures", SITE_TEXT, AT(features)},
	{"State", SITE_TEXT, AT(state)},
	{.name = "CfgTRES"},
	{"Gres", SITE_OWN, 0},
	{.name = "Arch"},
	{.name = "CpuBind"},
	{.name = "CPUAlloc"},
	{.name = "CPULoad"},
	{.name = "AvailableFeatures"},
	{.name = "GresDrain"},
	{.name = "GresUsed"},
	{.name = "NodeAddr"},
	{.name = "NodeHostName"},
	{.name = "BcastAddr"},
	{.name = "Port"},
	{.name = "Version"},
	{.name = "OS"},
	{.name = "AllocMem"},
	{.name = "FreeMem"},
	{.name = "CoreSpecCount"},
	{.name = "CPUSpecList"},
	{.name = "RestrictedCoresPerGPU"},
	{.name = "TmpDisk"},
	{.name = "Owner"},
	{.name = "MCS_label"},
	{.name = "NextState"},
	{.name = "Partitions"},
	{.name = "BootTime"},
	{.name = "SlurmdStartTime"},
	{.name = "LastBusyTime"},
	{.name = "ResumeAfterTime"},
	{.name = "AllocTRES"},
	{.name = "CapWatts"},
	{.name = "CurrentWatts"},
	{.name = "AveWatts"},
	{.name = "LowestJoules"},
	{.name = "ConsumedJoules"},
	{.name = "ExtSensorsJoules"},
	{.name = "ExtSensorsWatts"},
	{.name = "ExtSensorsTemp"},
	{.name = "Reason"},
	{.name = "Comment"},
	{.name = "Extra"},
	{.name = "InstanceId"},
	{.name = "InstanceType"},
	{.name = "ReservationName"},
	{.name = "TLSCertTokenSet"},
	{.name = "TLSCertLastRenewal"},
	{.name = "Topology"},
	{.name = "Parameters"},
};

#undef AT

static void *begin_node(struct site_file *f, struct import_text name)
{
	struct slurm_site *site = f->site;
	struct slurm_node *node = site_append(site, &site->nodes, &site->nnodes,
					      sizeof(*node), 1);

	if (!node)
		return NULL;
	*node = (struct slurm_node){.sockets = 1,
				    .cores = 1,
				    .threads = 1,
				    .weight = 1,
				    .features = "",
				    .state = ""};
	node->name = site_text(site, name);
	node->memory_mb = SLURM_UNLIMITED;
	return node->name ? node : NULL;
}

/* gpu:a100:4(S:0-1),craynetwork:4, where commas may be in the brackets. */
static int set_gres(struct site_file *f, const char *key, void *object,
		    struct import_text list)
{
	struct slurm_node *node = object;
	int64_t *tres = site_alloc(f->site, SLURM_TRES_MAX * sizeof(*tres));
	char name[80];

	(void)key;
	if (!tres)
		return sim_no_memory(f->err);
	if (site_is_none(list))
		list.n = 0;
	while (list.n > 0) {
		size_t n = 0, colon = 0, last = 0;
		int64_t count = 1;

		for (; n < list.n && list.at[n] != ',' && list.at[n] != '(';
		     n++)
			if (list.at[n] == ':') {
				colon = colon ? colon : n;
				last = n;
			}
		if (last && site_amount((struct import_text){list.at + last + 1,
							     n - last - 1},
					false, &count))
			last = colon;
		else
			last = colon ? colon : n;
		/* All types of a resource count as the resource. */
		snprintf(name, sizeof(name), "gres/%.*s",
			 (int)(last < 60 ? last : 60), list.at);
		if (last > 0) {
			uint32_t i = site_add_tres(
				f->site,
				(struct import_text){name, strlen(name)}, 0,
				false);

			if (i == SLURM_NONE)
				return site_fail(f,
						 "more than %d kinds of "
						 "resources",
						 SLURM_TRES_MAX);
			tres[i] += count < INT64_MAX / 1024 ? count : 0;
		}
		for (bool inside = false;
		     n < list.n && (inside || list.at[n] != ','); n++)
			inside = list.at[n] == '('   ? true
				 : list.at[n] == ')' ? false
						     : inside;
		n += n < list.n;
		list.at += n;
		list.n -= n;
	}
	node->tres = tres;
	return 0;
}

static bool has_state(const char *state, const char *word)
{
	return strcasestr(state, word) != NULL;
}

/* Amounts of Gres= and CfgTRES= in one array; processors and memory as well. */
static int end_node(struct site_file *f, void *object)
{
	struct slurm_node *node = object;
	int64_t *tres;

	if (node->cpus == 0 || node->memory_mb == SLURM_UNLIMITED ||
	    !*node->state)
		return site_fail(f,
				 "node %.80s has no CPUTot=, RealMemory= or "
				 "State= before this line: the file was cut "
				 "off, run site-snapshot again",
				 node->name);
	tres = site_alloc(f->site, SLURM_TRES_MAX * sizeof(*tres));
	if (!tres)
		return sim_no_memory(f->err);
	if (node->tres)
		memcpy(tres, node->tres, SLURM_TRES_MAX * sizeof(*tres));
	if (node->cpus_effective == 0)
		node->cpus_effective = node->cpus;
	if (node->memory_spec_mb == SLURM_UNLIMITED)
		node->memory_spec_mb = 0;
	tres[SLURM_CPU] = node->cpus_effective;
	tres[SLURM_MEM] = node->memory_mb;
	tres[SLURM_NODE] = 1;
	node->tres = tres;
	node->down = has_state(node->state, "DOWN") ||
		     has_state(node->state, "DRAIN") ||
		     has_state(node->state, "FAIL") ||
		     has_state(node->state, "FUTURE") ||
		     has_state(node->state, "NOT_RESPONDING");
	return 0;
}

static int by_node_name(const void *a, const void *b, void *arg)
{
	const struct slurm_node *nodes = arg;
	uint32_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return strcmp(nodes[x].name, nodes[y].name);
}

static int sort_nodes(struct slurm_site *site, const char *folder,
		      struct libra_error *err)
{
	struct slurm_node *nodes = site->nodes;
	uint32_t *by_name = malloc(site->nnodes * sizeof(*by_name));

	site->store->by_name = by_name;
	if (!by_name)
		return sim_no_memory(err);
	for (uint32_t i = 0; i < site->nnodes; i++)
		by_name[i] = i;
	qsort_r(by_name, site->nnodes, sizeof(*by_name), by_node_name, nodes);
	for (size_t i = 1; i < site->nnodes; i++)
		if (strcmp(nodes[by_name[i - 1]].name,
			   nodes[by_name[i]].name) == 0)
			return libra_errf(err, EINVAL,
					  "%s/nodes.txt: node %.80s comes "
					  "twice: keep one output of `scontrol "
					  "show node`",
					  folder, nodes[by_name[i]].name);
	return 0;
}

/* ---- changes ---- */

static bool is_like(const struct slurm_site *site, const struct slurm_node *a,
		    const struct slurm_node *b)
{
	return !b->down && a->cpus == b->cpus && a->memory_mb == b->memory_mb &&
	       a->weight == b->weight &&
	       strcmp(a->features, b->features) == 0 &&
	       memcmp(a->tres, b->tres, site->ntres * sizeof(*a->tres)) == 0;
}

/* Add the last n nodes of the site to the partitions of a node. */
static int join_partitions(struct slurm_site *site, uint32_t like, uint32_t n)
{
	for (size_t p = 0; p < site->npartitions; p++) {
		struct slurm_partition *part = &site->partitions[p];
		uint32_t *nodes;
		size_t i = 0;

		while (i < part->nnodes && part->nodes[i] != like)
			i++;
		if (i == part->nnodes)
			continue;
		nodes = site_alloc(site, (part->nnodes + n) * sizeof(*nodes));
		if (!nodes)
			return -1;
		memcpy(nodes, part->nodes, part->nnodes * sizeof(*nodes));
		for (i = 0; i < n; i++)
			nodes[part->nnodes + i] =
				(uint32_t)(site->nnodes - n + i);
		part->nodes = nodes;
		part->nnodes += n;
		if (site_count_partition(site, part) < 0)
			return -1;
	}
	return 0;
}

static int add_nodes(struct site_file *f, uint32_t like, uint32_t n)
{
	struct slurm_site *site = f->site;

	for (uint32_t i = 0; i < n; i++) {
		struct slurm_node *node = site_append(
			site, &site->nodes, &site->nnodes, sizeof(*node), 1);
		char name[160];

		if (!node)
			return -1;
		*node = site->nodes[like];
		snprintf(name, sizeof(name), "%.100s+%zu", node->name,
			 site->nnodes);
		node->name = site_text(
			site, (struct import_text){name, strlen(name)});
		if (!node->name)
			return -1;
		node->down = false;
	}
	free(site->store->by_name);
	if (sort_nodes(site, "the site", f->err) < 0)
		return -1;
	return join_partitions(site, like, n) < 0 ? -1 : 1;
}

int site_change_nodes(struct site_file *f, struct import_text value)
{
	struct slurm_site *site = f->site;
	struct import_text count, rest = value;
	uint32_t like = 0;
	char text[200], *end;
	long n;

	site_next(&rest, ':', &count);
	snprintf(text, sizeof(text), "%.*s", (int)(count.n < 20 ? count.n : 20),
		 count.at);
	n = strtol(text, &end, 10);
	if ((*text != '+' && *text != '-') || *end || n == 0 || n > 100000)
		return 0;
	while (like < site->nnodes && site->nodes[like].down)
		like++;
	if (rest.n > 5 && strncmp(rest.at, "like=", 5) == 0) {
		snprintf(text, sizeof(text), "%.*s",
			 (int)(rest.n < 150 ? rest.n - 5 : 150), rest.at + 5);
		like = slurm_site_find_node(site, text);
	} else if (rest.n > 0) {
		return 0;
	}
	if (like >= site->nnodes)
		return 0;
	if (n > 0)
		return add_nodes(f, like, (uint32_t)n);
	for (size_t i = site->nnodes; i-- > 0 && n < 0;)
		if (is_like(site, &site->nodes[like], &site->nodes[i])) {
			site->nodes[i].down = true;
			n++;
		}
	return n == 0;
}

static int fail_missing(const char *folder, const char *file,
			struct libra_error *err)
{
	return libra_errf(err, ENOENT,
			  "%s has no %s, or nothing is in it: give a folder "
			  "that site-snapshot wrote",
			  folder, file);
}

int site_read_nodes(struct slurm_site *site, const char *folder,
		    struct libra_error *err)
{
	static const struct site_records records = {
		"NodeName",
		node_fields,
		sizeof(node_fields) / sizeof(node_fields[0]),
		begin_node,
		set_gres,
		end_node};

	if (site_read_records(site, folder, "nodes.txt", &records, err) < 0)
		return -1;
	if (site->nnodes == 0)
		return fail_missing(folder, "nodes.txt", err);
	return sort_nodes(site, folder, err);
}
