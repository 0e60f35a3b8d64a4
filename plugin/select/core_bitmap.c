/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core_bitmap.c - see core_bitmap.h.
 */
#define LIBRA_SLURM_INTERNAL

#include "src/common/slurm_xlator.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/core_bitmap.h"

#pragma weak node_record_count

bitstr_t *libra_cores_of(const struct libra_host_placement *p)
{
	bitoff_t size = cr_get_coremap_offset((uint32_t)node_record_count);
	bitstr_t *cores = bit_alloc(size);
	bitoff_t at, end;

	for (size_t i = 0; i < p->nparts; i++) {
		at = cr_get_coremap_offset(p->parts[i].node);
		end = cr_get_coremap_offset(p->parts[i].node + 1);
		if (p->parts[i].count != LIBRA_ALL_CORES) {
			at += p->parts[i].first;
			end = at + p->parts[i].count;
		}
		if (end > at)
			bit_nset(cores, at, end - 1);
	}
	return cores;
}

bitstr_t *libra_cores_but(const struct libra_host_placement *p)
{
	bitstr_t *cores = libra_cores_of(p);

	bit_not(cores);
	return cores;
}

static void at_least(uint32_t *count, uint32_t n)
{
	if (*count < n)
		*count = n;
}

bool libra_cores_nodes(const struct libra_host_placement *p, bitstr_t *nodes,
		       uint32_t *min_nodes, uint32_t *max_nodes,
		       uint32_t *req_nodes)
{
	bitstr_t *wanted = bit_alloc(node_record_count);
	uint32_t n;

	for (size_t i = 0; i < p->nparts; i++)
		bit_set(wanted, p->parts[i].node);
	n = (uint32_t)bit_set_count(wanted);
	bit_and(nodes, wanted);
	FREE_NULL_BITMAP(wanted);
	if (n == 0 || (uint32_t)bit_set_count(nodes) != n)
		return false;
	at_least(max_nodes, n);
	at_least(min_nodes, n);
	at_least(req_nodes, n);
	return true;
}
