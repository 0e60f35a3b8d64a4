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

/* A processor is promised to no more jobs than Slurm puts on it, in whichever
 * managed partition it may be.
 */
static uint32_t fewest_jobs(const struct libra_host_cluster *from)
{
	const struct libra_host_partition *part;
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < from->npartitions; i++) {
		part = &from->partitions[i];
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

static void warn_missing(const struct libra_host_cluster *from)
{
	uint32_t i;

	for (size_t k = 0; k < host.conf.npartitions; k++) {
		for (i = 0; i < from->npartitions; i++)
			if (strcmp(from->partitions[i].name,
				   host.conf.partitions[k]) == 0)
				break;
		if (i == from->npartitions)
			host_say(
				host.ops, LIBRA_HOST_ERROR,
				"SchedulerParameters: libra_partitions: there is "
				"no partition %s",
				host.conf.partitions[k]);
	}
}

static void point_log(void)
{
	host.log.conf = &host.conf;
	host.log.node_names = (const char *const *)host.cluster.names;
	host.log.node_procs = host.cluster.procs;
	host.log.nnodes = host.cluster.nnodes;
}

static int new_engine(double now_s)
{
	struct libra_error err = {0};

	libra_engine_log_destroy(&host.log);
	host_jobs_clear(&host.jobs);
	host_released_forget(&host.released, 0);
	host.log.epoch = (uint64_t)now_s;
	if (host.log.epoch <= host.last_epoch)
		host.log.epoch = host.last_epoch + 1;
	host.last_epoch = host.log.epoch;
	host.jobs.last_offer = 0;
	host.scheduled_s = host.nodes_s = 0;
	point_log();
	if (libra_engine_log_create(&host.log, now_s, &err) < 0) {
		host_say(host.ops, LIBRA_HOST_ERROR, "%s", err.text);
		return -1;
	}
	return 0;
}

/* Jobs that stay point to the new partitions. */
static void point_jobs(void)
{
	const struct host_partition *part;
	struct tracked_job *t;

	for (t = host_jobs_next(&host.jobs, NULL); t;
	     t = host_jobs_next(&host.jobs, t)) {
		part = t->size.partition;
		if (part)
			t->size.partition = host_cluster_partition(
				&host.cluster, part->name, strlen(part->name));
	}
}

/* Put the new cluster in place; *kept tells whether the engine may stay. */
static int change_cluster(const struct libra_host_cluster *from,
			  struct libra_host_conf *conf, bool *kept)
{
	uint32_t max_jobs = host.log.max_jobs;
	struct host_cluster old = host.cluster;
	int rc;

	*kept = host.ready && libra_host_conf_same_engine(&host.conf, conf);
	libra_host_conf_fini(&host.conf);
	host.conf = *conf;
	rc = host_cluster_init(&host.cluster, from, &host.conf);
	host.log.max_jobs = fewest_jobs(from);
	*kept = *kept && rc == 0 && max_jobs == host.log.max_jobs &&
		host_cluster_same_nodes(&old, &host.cluster);
	if (*kept) {
		memcpy(host.cluster.state, old.state,
		       old.nnodes * sizeof(*old.state));
		point_jobs();
	} else {
		host_jobs_clear(&host.jobs);
		host_released_forget(&host.released, 0);
	}
	host_cluster_fini(&old);
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

int libra_host_set_cluster(const struct libra_host_cluster *from)
{
	struct libra_host_conf conf;
	double now_s;
	bool kept;
	int rc = -1;

	pthread_mutex_lock(&host.lock);
	if (libra_host_conf_init(&conf, from->sched_params, host_report_error,
				 &host.ops) < 0)
		goto out;
	now_s = host_clock_s(host.ops);
	if (change_cluster(from, &conf, &kept) < 0)
		goto out;
	libra_declog_move(&host.log.out, host.conf.log_path, host_report_error,
			  &host.ops);
	point_log();
	warn_missing(from);
	warn_queue(from->sched_params);
	host_history_begin(&host.history, from->state_folder,
			   host.conf.correct);
	if (host.cluster.nnodes == 0) {
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
		 host.conf.policy->name, host_cluster_nprocs(&host.cluster),
		 host.cluster.nnodes, kept ? ", ledger kept" : "");
out:
	host.ready = rc == 0;
	pthread_mutex_unlock(&host.lock);
	return rc;
}
