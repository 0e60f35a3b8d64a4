/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconfigure.c - the cluster: nodes and partitions that are managed, and the
 * engine made for them.  See state.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/host.h"
#include "plugin/host/state.h"

const struct host_partition *host_find_partition(const char *name, size_t len)
{
	for (uint32_t i = 0; i < host.nparts; i++)
		if (strlen(host.parts[i].name) == len &&
		    strncmp(host.parts[i].name, name, len) == 0)
			return &host.parts[i];
	return NULL;
}

static void free_partitions(struct host_partition *parts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(parts[i].name);
		free(parts[i].allowed);
	}
	free(parts);
}

void host_free_site(void)
{
	for (uint32_t i = 0; i < host.nnodes; i++)
		free(host.names[i]);
	free_partitions(host.parts, host.nparts);
	free(host.names);
	free(host.procs);
	free(host.first);
	free(host.slurm_node);
	free(host.state);
	free(host.default_partition);
	host.names = NULL;
	host.procs = host.first = host.slurm_node = NULL;
	host.state = NULL;
	host.parts = NULL;
	host.default_partition = NULL;
	host.nnodes = host.nparts = 0;
}

static bool in_managed(const struct libra_host_cluster *site,
		       const struct libra_host_conf *conf, uint32_t node)
{
	for (uint32_t i = 0; i < site->npartitions; i++)
		if (site->partitions[i].nodes[node] &&
		    libra_host_conf_manages(conf, site->partitions[i].name))
			return true;
	return false;
}

static int copy_nodes(const struct libra_host_cluster *site)
{
	uint32_t n = site->nnodes, k = 0;

	host.names = calloc(n + 1, sizeof(*host.names));
	host.procs = calloc(n + 1, sizeof(*host.procs));
	host.first = calloc(n + 1, sizeof(*host.first));
	host.slurm_node = calloc(n + 1, sizeof(*host.slurm_node));
	host.state = calloc(n + 1, sizeof(*host.state));
	if (!host.names || !host.procs || !host.first || !host.slurm_node ||
	    !host.state)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		if (site->node_procs[i] == 0 ||
		    !in_managed(site, &host.conf, i))
			continue;
		host.names[k] = strdup(site->node_names[i]);
		if (!host.names[k])
			return -1;
		host.procs[k] = site->node_procs[i];
		host.first[k + 1] = host.first[k] + host.procs[k];
		host.slurm_node[k] = i;
		host.state[k] = LIBRA_NODE_UP;
		host.nnodes = ++k;
	}
	return 0;
}

static int copy_partition(const struct libra_host_partition *from)
{
	struct host_partition *p = &host.parts[host.nparts];
	struct libra_range *last = NULL;
	bool all = true;

	p->name = strdup(from->name);
	p->allowed = calloc(host.nnodes + 1, sizeof(*p->allowed));
	host.nparts++;
	if (!p->name || !p->allowed)
		return -1;
	p->max_minutes = from->max_minutes;
	for (uint32_t i = 0; i < host.nnodes; i++) {
		if (!from->nodes[host.slurm_node[i]]) {
			all = false;
			continue;
		}
		if (last && last->first + last->count == host.first[i]) {
			last->count += host.procs[i];
			continue;
		}
		last = &p->allowed[p->nallowed++];
		*last = (struct libra_range){host.first[i], host.procs[i]};
	}
	if (all) {
		free(p->allowed);
		p->allowed = NULL;
		p->nallowed = 0;
	}
	return 0;
}

static int copy_partitions(const struct libra_host_cluster *site)
{
	host.parts = calloc(site->npartitions + 1, sizeof(*host.parts));
	if (!host.parts)
		return -1;
	for (uint32_t i = 0; i < site->npartitions; i++)
		if (libra_host_conf_manages(&host.conf,
					    site->partitions[i].name) &&
		    copy_partition(&site->partitions[i]) < 0)
			return -1;
	if (site->default_partition) {
		host.default_partition = strdup(site->default_partition);
		if (!host.default_partition)
			return -1;
	}
	return 0;
}

/* A processor is promised to no more jobs than Slurm puts on it, in whichever
 * managed partition it may be.
 */
static uint32_t fewest_jobs(const struct libra_host_cluster *site)
{
	const struct libra_host_partition *part;
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < site->npartitions; i++) {
		part = &site->partitions[i];
		if (!libra_host_conf_manages(&host.conf, part->name) ||
		    part->max_jobs == 0)
			continue;
		if (part->max_jobs == 1)
			host_say(
				host.ops, LIBRA_HOST_ERROR,
				"partition %s is without OverSubscribe=FORCE:n:"
				" no processor is promised to two jobs",
				part->name);
		if (fewest == 0 || part->max_jobs < fewest)
			fewest = part->max_jobs;
	}
	return fewest;
}

static void warn_missing(const struct libra_host_cluster *site)
{
	uint32_t i;

	for (size_t k = 0; k < host.conf.npartitions; k++) {
		for (i = 0; i < site->npartitions; i++)
			if (strcmp(site->partitions[i].name,
				   host.conf.partitions[k]) == 0)
				break;
		if (i == site->npartitions)
			host_say(
				host.ops, LIBRA_HOST_ERROR,
				"SchedulerParameters: libra_partitions: there is "
				"no partition %s",
				host.conf.partitions[k]);
	}
}

/* Do the nodes that the engine knows still stand as they did? */
static bool same_nodes(uint32_t nnodes, char *const *names,
		       const uint32_t *procs)
{
	if (nnodes != host.nnodes)
		return false;
	for (uint32_t i = 0; i < nnodes; i++)
		if (procs[i] != host.procs[i] ||
		    strcmp(names[i], host.names[i]) != 0)
			return false;
	return true;
}

static void point_log(void)
{
	host.log.conf = &host.conf;
	host.log.node_names = (const char *const *)host.names;
	host.log.node_procs = host.procs;
	host.log.nnodes = host.nnodes;
}

static int new_engine(double now_s)
{
	struct libra_error err = {0};

	libra_engine_log_destroy(&host.log);
	host_clear_entries();
	host.log.epoch = (uint64_t)now_s;
	if (host.log.epoch <= host.last_epoch)
		host.log.epoch = host.last_epoch + 1;
	host.last_epoch = host.log.epoch;
	host.last_offer = 0;
	host.scheduled_s = host.nodes_s = 0;
	point_log();
	if (libra_engine_log_create(&host.log, now_s, &err) < 0) {
		host_say(host.ops, LIBRA_HOST_ERROR, "%s", err.text);
		return -1;
	}
	return 0;
}

static int take_site(const struct libra_host_cluster *site)
{
	if (copy_nodes(site) < 0 || copy_partitions(site) < 0) {
		errno = ENOMEM;
		return -1;
	}
	host.cpus_per_proc = site->cpus_per_proc ? site->cpus_per_proc : 1;
	host.task_per_core = site->task_per_core;
	host.max_array = site->max_array;
	return 0;
}

/* What the host knew of the cluster, while the new is put in place. */
struct old_site {
	uint32_t nnodes, nparts;
	char **names;
	uint32_t *procs;
	enum libra_node_state *state;
	struct host_partition *parts;
};

static struct old_site put_aside(void)
{
	struct old_site old = {
		.nnodes = host.nnodes,
		.nparts = host.nparts,
		.names = host.names,
		.procs = host.procs,
		.state = host.state,
		.parts = host.parts,
	};

	host.nnodes = host.nparts = 0;
	host.names = NULL;
	host.procs = NULL;
	host.state = NULL;
	host.parts = NULL;
	host_free_site();
	return old;
}

static void free_old(struct old_site *old)
{
	for (uint32_t i = 0; i < old->nnodes; i++)
		free(old->names[i]);
	free_partitions(old->parts, old->nparts);
	free(old->names);
	free(old->procs);
	free(old->state);
}

/* Entries that stay point to the new partitions. */
static void point_entries(void)
{
	const struct host_partition *part;

	for (uint32_t i = 0; i < host.nentries; i++) {
		part = host.entries[i].shape.part;
		if (host.entries[i].state != ENTRY_FREE && part)
			host.entries[i].shape.part = host_find_partition(
				part->name, strlen(part->name));
	}
}

/* Put the new site in place; *kept tells whether the engine may stay. */
static int change_site(const struct libra_host_cluster *site,
		       struct libra_host_conf *conf, bool *kept)
{
	uint32_t max_jobs = host.log.max_jobs;
	struct old_site old = put_aside();
	int rc;

	*kept = host.ready && libra_host_conf_same_engine(&host.conf, conf);
	libra_host_conf_fini(&host.conf);
	host.conf = *conf;
	rc = take_site(site);
	host.log.max_jobs = fewest_jobs(site);
	*kept = *kept && rc == 0 && max_jobs == host.log.max_jobs &&
		same_nodes(old.nnodes, old.names, old.procs);
	if (*kept) {
		memcpy(host.state, old.state, old.nnodes * sizeof(*old.state));
		point_entries();
	} else {
		host_clear_entries();
	}
	free_old(&old);
	return rc;
}

/* Slurm's main scheduler stops at a job that waits for its turn. */
static void warn_queue(const char *sched_params)
{
	if (host.conf.policy->mode == LIBRA_GANG &&
	    !(sched_params && strstr(sched_params, "bf_min_age_reserve=")))
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "SchedulerParameters: policy %s without "
			 "bf_min_age_reserve=2592000: jobs whose turn has come "
			 "wait behind others for the backfill scheduler",
			 host.conf.policy->name);
}

int libra_host_set_cluster(const struct libra_host_cluster *site)
{
	struct libra_host_conf conf;
	double now_s;
	bool kept;
	int rc = -1;

	pthread_mutex_lock(&host.lock);
	if (libra_host_conf_init(&conf, site->sched_params, host_report_error,
				 &host.ops) < 0)
		goto out;
	now_s = host_clock_s(host.ops);
	if (change_site(site, &conf, &kept) < 0)
		goto out;
	libra_declog_move(&host.log.out, host.conf.log_path, host_report_error,
			  &host.ops);
	point_log();
	warn_missing(site);
	warn_queue(site->sched_params);
	host_learn_begin(site->state_folder);
	if (host.nnodes == 0) {
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "no node is in a managed partition");
		errno = ENOENT;
		goto out;
	}
	if (kept)
		libra_engine_log_opening(&host.log, now_s);
	else if (new_engine(now_s) < 0)
		goto out;
	rc = 0;
	host_say(host.ops, LIBRA_HOST_INFO,
		 "policy %s on %u processors of %u nodes%s",
		 host.conf.policy->name, host.first[host.nnodes], host.nnodes,
		 kept ? ", ledger kept" : "");
out:
	host.ready = rc == 0;
	pthread_mutex_unlock(&host.lock);
	return rc;
}
