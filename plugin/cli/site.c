/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.c - see site.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/formula/share.h"
#include "plugin/cli/site.h"

void cli_clock_text(double at_s, char text[32])
{
	time_t t;
	struct tm tm;

	strcpy(text, "none");
	if (!(fabs(at_s) < 1e15))
		return;
	t = (time_t)ceil(at_s);
	if (localtime_r(&t, &tm))
		strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
}

void cli_duration_text(double duration_s, char text[32])
{
	long long s;
	const char *sign = duration_s <= -0.5 ? "-" : "";

	strcpy(text, "none");
	if (!(fabs(duration_s) < 1e12))
		return;
	s = llround(fabs(duration_s));
	if (s >= 86400)
		snprintf(text, 32, "%s%lld-%02lld:%02lld:%02lld", sign,
			 s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
	else
		snprintf(text, 32, "%s%02lld:%02lld:%02lld", sign, s / 3600,
			 s / 60 % 60, s % 60);
}

/* ---- the cluster ---- */

static bool node_managed(const struct cli_site *site, uint32_t node)
{
	for (uint32_t i = 0; i < site->nparts; i++)
		if (site->parts[i].managed && site->parts[i].nodes[node])
			return true;
	return false;
}

/* As the plugins number them: in Slurm's order, those of managed partitions. */
static void number_nodes(struct cli_site *site)
{
	site->nmanaged = site->nprocs = 0;
	site->cpus_per_proc = 1;
	for (uint32_t i = 0; i < site->nnodes; i++) {
		struct cli_node *n = &site->nodes[i];

		if (n->procs && n->cpus > n->procs)
			site->cpus_per_proc = n->cpus / n->procs;
		n->managed = n->procs > 0 && node_managed(site, i);
		if (!n->managed)
			continue;
		n->first = site->nprocs;
		n->index = site->nmanaged++;
		site->nprocs += n->procs;
	}
}

static int by_submit(const void *a, const void *b)
{
	const struct cli_job *x = a, *y = b;
	double s = x->promised ? x->promise.submit_s : x->submit_s;
	double t = y->promised ? y->promise.submit_s : y->submit_s;

	if (s != t)
		return s < t ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* What a job was promised that has begun and waits, for it was requeued, ended
 * with its run.
 */
static void read_promise(struct cli_job *job)
{
	struct libra_promise *p = &job->promise;

	job->promised = libra_promise_parse(job->comment, p) == 0;
	if (!job->promised || job->state != CLI_JOB_WAITING || p->left_len == 0)
		return;
	p->offer = 0;
	p->on_len = p->left_len = 0;
}

void cli_site_arrange(struct cli_site *site)
{
	for (uint32_t i = 0; i < site->nparts; i++)
		site->parts[i].managed = libra_host_conf_manages(
			&site->conf, site->parts[i].name);
	number_nodes(site);
	for (uint32_t i = 0; i < site->njobs; i++)
		read_promise(&site->jobs[i]);
	if (site->njobs)
		qsort(site->jobs, site->njobs, sizeof(*site->jobs), by_submit);
}

void cli_site_fini(struct cli_site *site)
{
	for (uint32_t i = 0; i < site->nnodes; i++)
		free(site->nodes[i].name);
	for (uint32_t i = 0; i < site->nparts; i++) {
		free(site->parts[i].name);
		free(site->parts[i].nodes);
	}
	for (uint32_t i = 0; i < site->njobs; i++) {
		free(site->jobs[i].label);
		free(site->jobs[i].user);
		free(site->jobs[i].state_name);
		free(site->jobs[i].comment);
	}
	free(site->nodes);
	free(site->parts);
	free(site->jobs);
	libra_host_conf_fini(&site->conf);
	*site = (struct cli_site){0};
}

const struct cli_partition *cli_site_partition(const struct cli_site *site,
					       const char *name)
{
	for (uint32_t i = 0; i < site->nparts; i++)
		if (name ? strcmp(site->parts[i].name, name) == 0
			 : site->parts[i].is_default)
			return &site->parts[i];
	return NULL;
}

/* ---- jobs ---- */

static const struct cli_node *find_node(const struct cli_site *site,
					const char *name, size_t len)
{
	for (uint32_t i = 0; i < site->nnodes; i++)
		if (strlen(site->nodes[i].name) == len &&
		    strncmp(site->nodes[i].name, name, len) == 0)
			return &site->nodes[i];
	return NULL;
}

static bool read_part(const struct cli_site *site,
		      const struct libra_promise *p,
		      const struct libra_promise_part *from,
		      struct cli_part *part)
{
	const struct cli_node *node =
		find_node(site, from->node, from->node_len);

	if (!node || !node->managed || from->first >= node->procs ||
	    from->count > node->procs - from->first)
		return false;
	*part = (struct cli_part){
		.node = (uint32_t)(node - site->nodes),
		.first = from->first,
		.count = from->count,
		.est_left_s = p->estimate_s,
		.begun = from->begun,
	};
	if (from->begun)
		part->est_left_s =
			from->left_s -
			from->rate * fmax(0, site->now_s - from->since_s);
	part->share = libra_share(part->est_left_s,
				  p->estimate_s / (p->deadline_s - p->submit_s),
				  p->deadline_s, site->now_s);
	return true;
}

int64_t cli_job_parts(const struct cli_site *site, const struct cli_job *job,
		      struct cli_part **parts)
{
	const struct libra_promise *p = &job->promise;
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	int64_t n = 0;
	bool sound = true;

	/* A part is at least "n:0". */
	*parts = calloc(p->on_len / 3 + 1, sizeof(**parts));
	if (!*parts) {
		errno = ENOMEM;
		return -1;
	}
	while (sound && libra_promise_part(p, &at, &part)) {
		sound = (size_t)n <= p->on_len / 3 &&
			read_part(site, p, &part, &(*parts)[n]);
		n++;
	}
	if (sound && at.on == p->on_len)
		return n;
	free(*parts);
	*parts = NULL;
	errno = EINVAL;
	return -1;
}

struct cli_progress cli_job_progress(const struct cli_site *site,
				     const struct cli_job *job,
				     const struct cli_part *parts, size_t n)
{
	const struct libra_promise *p = &job->promise;
	struct cli_progress all = {
		.share = n ? 0 : p->share,
		.est_left_s = n ? -INFINITY : p->estimate_s,
	};

	for (size_t i = 0; i < n; i++) {
		all.share = fmax(all.share, parts[i].share);
		all.est_left_s = fmax(all.est_left_s, parts[i].est_left_s);
	}
	all.done = 1 - all.est_left_s / p->estimate_s;
	all.slack_s = p->deadline_s - site->now_s - fmax(0, all.est_left_s);
	return all;
}

double *cli_site_shares(const struct cli_site *site)
{
	double *shares = calloc(site->nprocs + 1u, sizeof(*shares));

	for (uint32_t i = 0; shares && i < site->njobs; i++) {
		const struct cli_job *job = &site->jobs[i];
		struct cli_part *parts;
		int64_t n;

		if (!job->promised || job->state == CLI_JOB_OVER)
			continue;
		n = cli_job_parts(site, job, &parts);
		if (n < 0)
			continue;
		for (int64_t k = 0; k < n; k++)
			for (uint32_t c = 0; c < parts[k].count; c++)
				shares[site->nodes[parts[k].node].first +
				       parts[k].first + c] += parts[k].share;
		free(parts);
	}
	return shares;
}

/* ---- an engine ---- */

static struct libra_job engine_job(const struct cli_job *job)
{
	const struct libra_promise *p = &job->promise;

	return (struct libra_job){
		.id = job->id,
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.nprocs = p->nprocs,
	};
}

/* Put a job where its record says. */
static int restore(const struct cli_site *site, struct libra_engine *e,
		   const struct cli_job *job, struct libra_error *err)
{
	struct libra_job again = engine_job(job);
	struct libra_part *parts;
	struct cli_part *from;
	int64_t n = cli_job_parts(site, job, &from);
	uint64_t ticket;
	int rc = 0;

	if (n < 0)
		return errno == ENOMEM ? -1 : 0; /* of another cluster */
	parts = calloc((size_t)n + 1, sizeof(*parts));
	for (int64_t i = 0; parts && i < n; i++)
		parts[i] = (struct libra_part){
			{site->nodes[from[i].node].first + from[i].first,
			 from[i].count},
			from[i].est_left_s,
		};
	if (!parts)
		rc = libra_errf(err, ENOMEM, "out of memory");
	else if (n)
		rc = libra_engine_restore(e, &again, parts, (uint32_t)n,
					  job->state == CLI_JOB_RUNNING,
					  site->now_s, &ticket, err);
	free(parts);
	free(from);
	return rc;
}

/* Tasks of an array whose places the record does not tell: where the engine
 * would put them now is where they most likely are.
 */
static int place_tasks(const struct cli_site *site, struct libra_engine *e,
		       const struct cli_job *job, uint32_t tasks,
		       struct libra_error *err)
{
	struct libra_job task = engine_job(job);
	struct libra_verdict v;

	task.id = 0;
	task.submit_s = site->now_s;
	for (uint32_t i = 0; i < tasks; i++) {
		if (libra_engine_offer(e, &task, site->now_s, &v, err) < 0)
			return errno == ENOMEM ? -1 : 0;
		if (v.answer == LIBRA_REJECT)
			return 0;
		libra_engine_commit(e, v.ticket, job->id, site->now_s);
	}
	return 0;
}

/* The waiting tasks of an array: the last ones of its record. */
static int restore_tasks(const struct cli_site *site, struct libra_engine *e,
			 const struct cli_job *job, struct libra_error *err)
{
	uint32_t listed = job->promise.tasks, left = job->tasks;
	struct cli_job task = *job;
	size_t at = 0;
	int rc = 0;

	while (rc == 0 && left > 0 &&
	       libra_promise_task(&job->promise, &at, &task.promise)) {
		if (listed-- > job->tasks)
			continue;
		rc = restore(site, e, &task, err);
		left--;
	}
	return rc == 0 ? place_tasks(site, e, job, left, err) : rc;
}

static int fill_engine(const struct cli_site *site, struct libra_engine *e,
		       struct libra_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < site->njobs; i++) {
		const struct cli_job *job = &site->jobs[i];

		if (!job->promised || job->state == CLI_JOB_OVER ||
		    job->promise.offer == 0)
			continue;
		if (job->tasks > 1)
			rc = restore_tasks(site, e, job, err);
		else if (job->promise.on_len)
			rc = restore(site, e, job, err);
	}
	for (uint32_t i = 0; rc == 0 && i < site->nnodes; i++)
		if (site->nodes[i].managed &&
		    site->nodes[i].state != LIBRA_NODE_UP)
			rc = libra_engine_node(e, site->nodes[i].index,
					       site->nodes[i].state,
					       site->now_s);
	return rc;
}

/* As the plugins take it: of all managed partitions the fewest. */
static uint32_t fewest_jobs(const struct cli_site *site)
{
	uint32_t fewest = 0;

	for (uint32_t i = 0; i < site->nparts; i++) {
		const struct cli_partition *p = &site->parts[i];

		if (p->managed && p->max_jobs &&
		    (fewest == 0 || p->max_jobs < fewest))
			fewest = p->max_jobs;
	}
	return fewest;
}

struct libra_engine *cli_site_engine(const struct cli_site *site,
				     struct libra_error *err)
{
	uint32_t *procs = calloc(site->nmanaged + 1u, sizeof(*procs));
	struct libra_engine_conf conf = {
		.policy = site->conf.policy,
		.params = site->conf.params,
		.node_procs = procs,
		.nnodes = site->nmanaged,
		.offer_ttl_s = INFINITY,
		.max_jobs = fewest_jobs(site),
	};
	struct libra_engine *e = NULL;

	for (uint32_t i = 0; procs && i < site->nnodes; i++)
		if (site->nodes[i].managed)
			procs[site->nodes[i].index] = site->nodes[i].procs;
	if (!procs)
		libra_errf(err, ENOMEM, "out of memory");
	else if (site->nmanaged == 0)
		libra_errf(err, ENOENT,
			   "no node is in a managed partition: see "
			   "libra_partitions in slurm.conf");
	else
		e = libra_engine_create(&conf, err);
	free(procs);
	if (e && fill_engine(site, e, err) < 0) {
		libra_engine_destroy(e);
		return NULL;
	}
	return e;
}
