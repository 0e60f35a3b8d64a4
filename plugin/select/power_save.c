/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * power_save.c - see power_save.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/power_save.h"

#pragma weak node_name2bitmap
#pragma weak node_record_table_ptr
#pragma weak part_list
#pragma weak slurm_conf

static bool has_node(const part_record_t *part, uint32_t node)
{
	return part->node_bitmap && bit_test(part->node_bitmap, node);
}

/* Is it a word of a list? "name:2" is two of its nodes, whichever. */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name), n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == len && strncmp(list, name, n) == 0)
			return true;
	}
	return false;
}

/* Return the nodes that are never powered down, or NULL. */
static bitstr_t *named_nodes(void)
{
	char *list = slurm_conf.suspend_exc_nodes;
	bitstr_t *nodes = NULL;

	if (!list || strchr(list, ':'))
		return NULL;
	if (LIBRA_NODE_BITMAP(list, &nodes) != SLURM_SUCCESS)
		FREE_NULL_BITMAP(nodes);
	return nodes;
}

/* A timeout of a partition replaces the cluster's.  Of several the longest
 * counts; INFINITE is the longest.
 */
struct power {
	uint32_t suspend_s, off_s, boot_s;
	bool suspend_said, off_said, boot_said, kept;
};

static void ask_partition(const part_record_t *part, struct power *p)
{
	if (part->suspend_time != NO_VAL) {
		if (!p->suspend_said || part->suspend_time > p->suspend_s)
			p->suspend_s = part->suspend_time;
		p->suspend_said = true;
	}
	if (part->resume_timeout != NO_VAL16) {
		if (!p->boot_said || part->resume_timeout > p->boot_s)
			p->boot_s = part->resume_timeout;
		p->boot_said = true;
	}
	if (part->suspend_timeout != NO_VAL16) {
		if (!p->off_said || part->suspend_timeout > p->off_s)
			p->off_s = part->suspend_timeout;
		p->off_said = true;
	}
	p->kept =
		p->kept || is_listed(slurm_conf.suspend_exc_parts, part->name);
}

static struct power power_of(uint32_t node)
{
	struct power p = {.suspend_s = slurm_conf.suspend_time,
			  .off_s = slurm_conf.suspend_timeout,
			  .boot_s = slurm_conf.resume_timeout};
	LIBRA_LIST_ITERATOR it = list_iterator_create(part_list);
	const part_record_t *part;

	while ((part = list_next(it)))
		if (has_node(part, node))
			ask_partition(part, &p);
	list_iterator_destroy(it);
	return p;
}

/* Slurm starts nothing on a node that powers down, which may have begun just
 * before the job needs the node.
 */
static uint32_t boot_of(const node_record_t *node, uint32_t i,
			const bitstr_t *never)
{
	struct power p = power_of(i);
	uint32_t own_s = LIBRA_NODE_SUSPEND_TIME(node);

	p.kept = p.kept || (never && bit_test((bitstr_t *)never, i));
	if (own_s != NO_VAL)
		p.suspend_s = own_s;
	if (p.kept || (!IS_NODE_CLOUD(node) && p.suspend_s == INFINITE))
		return 0;
	return p.off_s + p.boot_s;
}

void libra_power_save(uint32_t *boot_s, uint32_t n)
{
	bitstr_t *never;

	memset(boot_s, 0, n * sizeof(*boot_s));
	if (!slurm_conf.suspend_program || !slurm_conf.resume_program)
		return;
	never = named_nodes();
	for (uint32_t i = 0; i < n; i++)
		if (node_record_table_ptr[i])
			boot_s[i] = boot_of(node_record_table_ptr[i], i, never);
	FREE_NULL_BITMAP(never);
}

uint32_t libra_wakes_s(uint32_t node)
{
	const node_record_t *n = node_record_table_ptr[node];
	struct power p;

	if (!n || !(IS_NODE_POWERED_DOWN(n) || IS_NODE_POWERING_DOWN(n) ||
		    IS_NODE_POWER_DOWN(n) || IS_NODE_POWERING_UP(n)))
		return 0;
	p = power_of(node);
	return IS_NODE_POWERED_DOWN(n) || IS_NODE_POWERING_UP(n)
		       ? p.boot_s
		       : p.off_s + p.boot_s;
}
