/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site.c - read the files of a site in the order in which they need others. */
#include "sim/slurm/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

int slurm_site_read(struct slurm_site *site, const char *folder, bool jobs,
		    struct libra_error *err)
{
	/* TRES name what the others count; nodes may add some that are not
	 * tracked, before amounts are read.
	 */
	memset(site, 0, sizeof(*site));
	site->config.cluster = site->config.version = "";
	site->store = calloc(1, sizeof(*site->store));
	if (!site->store)
		return sim_no_memory(err);
	if (site_read_config(site, folder, err) < 0 ||
	    site_read_tres(site, folder, err) < 0 ||
	    site_read_nodes(site, folder, err) < 0 ||
	    site_read_priority(site, err) < 0 ||
	    site_read_qos(site, folder, err) < 0 ||
	    site_read_partitions(site, folder, err) < 0 ||
	    site_read_reservations(site, folder, err) < 0 ||
	    site_read_assocs(site, folder, err) < 0 ||
	    site_read_shares(site, folder, err) < 0 ||
	    site_read_outages(site, folder, err) < 0)
		return -1;
	for (uint32_t i = 0; i < site->npartitions; i++)
		site->partitions[i].index = i;
	return jobs ? site_read_jobs(site, folder, err) : 0;
}

int slurm_site_read_with(struct slurm_site *site, const char *folder,
			 const char *log, struct libra_error *err)
{
	int rc = slurm_site_read(site, folder, !log, err);

	return rc == 0 && log ? slurm_site_read_jobs(site, log, err) : rc;
}

uint32_t slurm_site_cpus(const struct slurm_site *site)
{
	uint32_t cpus = 0;

	for (size_t i = 0; i < site->nnodes; i++)
		if (!site->nodes[i].down)
			cpus += site->nodes[i].cpus_effective;
	return cpus;
}
