/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconfigure.c - see reconfigure.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/ops.h"
#include "plugin/host/reconfigure.h"
#include "plugin/host/outages.h"
#include "plugin/host/preemption.h"
#include "plugin/host/clock.h"

/* Return the least number of jobs that Slurm lets share a processor in a
 * managed partition; 0 = any number.
 */
static uint32_t fewest_jobs(struct host_state *h,
			    const struct libra_host_cluster *from)
{
	const struct libra_host_partition *part;
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < from->npartitions; i++) {
		part = &from->partitions[i];
		if (!libra_host_conf_manages(&h->conf, part->name) ||
		    part->max_jobs == 0)
			continue;
		if (part->max_jobs == 1 && !libra_host_conf_plans(&h->conf))
			host_log(
				h->ops, LIBRA_HOST_ERROR,
				"partition %s has no OverSubscribe=FORCE:n: no "
				"processor is promised to two jobs",
				part->name);
		if (fewest == 0 || part->max_jobs < fewest)
			fewest = part->max_jobs;
	}
	return fewest;
}

static void warn_missing(struct host_state *h,
			 const struct libra_host_cluster *from)
{
	uint32_t i;

	for (size_t k = 0; k < h->conf.npartitions; k++) {
		for (i = 0; i < from->npartitions; i++)
			if (strcmp(from->partitions[i].name,
				   h->conf.partitions[k]) == 0)
				break;
		if (i == from->npartitions)
			host_log(h->ops, LIBRA_HOST_ERROR,
				 "SchedulerParameters: libra_partitions: there "
				 "is no partition %s",
				 h->conf.partitions[k]);
	}
}

/* Log the partitions in which no promise is given: a promised job there would
 * keep others from their promised processors.
 */
static void warn_unpromised(struct host_state *h)
{
	const struct host_partition *p;

	for (uint32_t i = 0; i < h->cluster.npartitions; i++) {
		p = &h->cluster.partitions[i];
		if (p->unpromised)
			host_log(h->ops, LIBRA_HOST_ERROR,
				 "partition %s has %s: no promise is given "
				 "there: take that off, or the partition out "
				 "of libra_partitions or libra_policy",
				 p->name, p->unpromised);
	}
}

static void point_log(struct host_state *h)
{
	h->log.conf = &h->conf;
	h->log.node_names = (const char *const *)h->cluster.names;
	h->log.node_procs = h->cluster.procs;
	h->log.nresources = h->cluster.nresources;
	h->log.node_resources = h->cluster.amounts;
	h->log.resources = h->cluster.resources;
	h->log.nnodes = h->cluster.nnodes;
}

static int new_engine(struct host_state *h, double now_s)
{
	struct libra_error err = {0};

	libra_engine_log_destroy(&h->log);
	host_jobs_clear(&h->jobs);
	host_released_forget(&h->released, 0);
	/* Newer slurmctlds restart to reconfigure, maybe twice in a second. */
	h->log.epoch = (uint64_t)(now_s * 1e3);
	if (h->log.epoch <= *h->last_epoch)
		h->log.epoch = *h->last_epoch + 1;
	*h->last_epoch = h->log.epoch;
	h->jobs.last_offer = 0;
	h->last.scheduled_s = h->last.nodes_s = 0;
	h->log.filling = true;
	h->lost.node = HOST_NO_NODE;
	host_outages_forget(h);
	host_preemption_begin(h);
	point_log(h);
	if (libra_engine_log_create(&h->log, now_s, &err) < 0) {
		host_log(h->ops, LIBRA_HOST_ERROR, "%s", err.text);
		return -1;
	}
	host_learned_load(&h->learned, h->ops, &h->log, h->cluster.whole_nodes,
			  now_s);
	return 0;
}

/* Let the jobs that stay point to the new partitions. */
static void point_jobs(struct host_state *h)
{
	const struct host_partition *part;
	struct tracked_job *t;

	for (t = host_jobs_next(&h->jobs, NULL); t;
	     t = host_jobs_next(&h->jobs, t)) {
		part = t->size.partition;
		if (part)
			t->size.partition = host_cluster_partition(
				&h->cluster, part->name, strlen(part->name));
	}
}

/* Log the time for boots.  A timeout of INFINITE is 65535 in 16 bits: Slurm
 * waits for 65535 s, or in later releases for ever.
 */
static void say_boots(const struct host_state *h, uint32_t boot_s,
		      double counted_s, double margin_s, bool cut)
{
	host_log(h->ops, LIBRA_HOST_INFO,
		 "plans count %.0f s more than libra_margin=%g: nodes "
		 "that are powered down have to boot",
		 counted_s, margin_s);
	if (boot_s >= UINT16_MAX)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "a timeout of INFINITE counts as 65535 s: set "
			 "ResumeTimeout to the longest boot");
	if (cut)
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "there is no room for more: a boot of up to %u s may "
			 "break a promise",
			 boot_s);
}

/* Add the longest boot to the margin of reservations: Slurm counts the run of a
 * job from the end of the boot.
 */
static void plan_boots(struct host_state *h,
		       const struct libra_host_cluster *from,
		       struct libra_host_conf *conf)
{
	uint32_t boot_s = host_cluster_boot_s(from, conf);
	const struct libra_param *params = conf->policy->params;

	if (boot_s == 0)
		return;
	for (size_t i = 0; i < conf->policy->nparams; i++) {
		double was = conf->params[i];

		if (strcmp(params[i].name, "margin") != 0)
			continue;
		conf->params[i] = fmin(was + boot_s, params[i].max);
		say_boots(h, boot_s, conf->params[i] - was, was,
			  was + boot_s > params[i].max);
	}
}

/* Set the new cluster.
 * Result: 0, or -1 with errno; *kept is true if the engine may stay.
 */
static int change_cluster(struct host_state *h,
			  const struct libra_host_cluster *from,
			  struct libra_host_conf *conf, bool running,
			  bool *kept)
{
	uint32_t max_jobs = h->log.max_jobs;
	struct host_cluster old = h->cluster;
	int rc;

	*kept = running && libra_host_conf_same_engine(&h->conf, conf);
	libra_host_conf_fini(&h->conf);
	h->conf = *conf;
	*conf = (struct libra_host_conf){0};
	rc = host_cluster_init(&h->cluster, from, &h->conf);
	memcpy(h->cluster.usual_s, old.usual_s, sizeof(old.usual_s));
	h->cluster.epilog_s = old.epilog_s;
	h->log.max_jobs = fewest_jobs(h, from);
	*kept = *kept && rc == 0 && max_jobs == h->log.max_jobs &&
		old.whole_nodes == h->cluster.whole_nodes &&
		host_cluster_same_nodes(&old, &h->cluster);
	if (*kept) {
		memcpy(h->cluster.state, old.state,
		       old.nnodes * sizeof(*old.state));
		memcpy(h->cluster.away, old.away,
		       old.nnodes * sizeof(*old.away));
		point_jobs(h);
	} else {
		host_jobs_clear(&h->jobs);
		host_released_forget(&h->released, 0);
	}
	host_cluster_fini(&old);
	return rc;
}

/* The timeline counts processors of all nodes of a group, so all its partitions
 * must have the same nodes.
 */
static int check_plans(struct host_state *h)
{
	for (uint32_t i = 0; h->cluster.plans && i < h->cluster.npartitions;
	     i++) {
		if (!h->cluster.partitions[i].allowed)
			continue;
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "SchedulerParameters: libra_policy=%s: partition %s "
			 "has not all nodes of its group: give each set of "
			 "nodes a group of its own, as %s:%s",
			 h->conf.policy->name, h->cluster.partitions[i].name,
			 h->conf.policy->name, h->cluster.partitions[i].name);
		errno = EINVAL;
		return -1;
	}
	return 0;
}

int host_reconfigure(struct host_state *h,
		     const struct libra_host_cluster *from,
		     struct libra_host_conf *conf, bool running)
{
	double now_s = host_now(h);
	bool kept;

	/* A new engine may have another policy or other processors. */
	host_learned_save(&h->learned, h->ops, &h->log, h->cluster.whole_nodes,
			  true, now_s);
	host_learned_begin(&h->learned, from->state_folder, conf->label);
	host_firm_begin(&h->firm, h->ops, from->state_folder, conf->label);
	host_preemption_save(h);
	host_kept_file_begin(&h->preemption.file, from->state_folder,
			     conf->label);
	plan_boots(h, from, conf);
	if (change_cluster(h, from, conf, running, &kept) < 0)
		return -1;
	libra_declog_move(&h->log.out, h->conf.log_path, host_report_error,
			  &h->ops);
	point_log(h);
	warn_missing(h, from);
	warn_unpromised(h);
	if (h->cluster.nnodes == 0) {
		host_log(h->ops, LIBRA_HOST_ERROR,
			 "no node is in a managed partition: see "
			 "libra_partitions%s%s",
			 h->conf.label ? " and libra_policy, partition " : "",
			 h->conf.label ? h->conf.label : "");
		errno = ENOENT;
		return -1;
	}
	if (check_plans(h) < 0)
		return -1;
	if (kept)
		libra_engine_log_opening(&h->log, now_s);
	else if (new_engine(h, now_s) < 0)
		return -1;
	host_log(h->ops, LIBRA_HOST_INFO,
		 "policy %s on %u processors of %u nodes%s%s%s",
		 h->conf.policy->name, host_cluster_nprocs(&h->cluster),
		 h->cluster.nnodes, h->conf.label ? " of partition " : "",
		 h->conf.label ? h->conf.label : "",
		 kept ? ", ledger kept" : "");
	return 0;
}
