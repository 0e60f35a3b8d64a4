/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node.c - see node.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/node.h"
#include "plugin/spank/weights.h"

/* Where Slurm starts its slurmstepds, beside the groups of jobs. */
#define SLURMS_STEPDS "system"

struct spank_node {
	struct spank_store store;
	struct spank_jobs jobs;
	bool lifted;		      /* the caller's group, until it renews */
	char left[LIBRA_CGROUP_PATH]; /* group of a job that has ended and could
					 not be removed yet, or "" */
};

/* --- opening and closing -------------------------------------------------- */

/* Close, and leave everything as it is. */
static void destroy(struct spank_node *node)
{
	spank_store_close(&node->store);
	free(node->jobs.at);
	free(node);
}

/* The caller must be able to release the lock.  Its renewal corrects this. */
static void lift_caller(struct spank_node *node)
{
	const struct spank_store *s = &node->store;
	struct spank_job job;

	if (s->cg.version == 2 && s->conf.caller &&
	    spank_store_get(&s->conf, s->conf.caller, &job) == 0 &&
	    job.group[0])
		node->lifted = libra_cgroup_set_weight(&s->cg, job.group,
						       s->cg.most, NULL) == 0;
}

struct spank_node *spank_node_open(const struct spank_node_conf *conf,
				   struct libra_error *err)
{
	struct spank_node *node = calloc(1, sizeof(*node));

	if (!node) {
		libra_no_memory(err, NULL);
		return NULL;
	}
	if (spank_store_open(&node->store, conf, err) < 0) {
		free(node);
		return NULL;
	}
	lift_caller(node);
	if (!spank_store_lock(&node->store)) {
		destroy(node);
		errno = ECANCELED;
		return NULL;
	}
	spank_store_read(&node->store, &node->jobs);
	return node;
}

/* Slurm removes its own group, if the job's slurmstepd is still there. */
static void remove_left(struct spank_node *node)
{
	struct libra_error err = {0};

	if (node->left[0] &&
	    libra_cgroup_remove(&node->store.cg, node->left, &err) < 0 &&
	    strncmp(node->left, SPANK_TOP "/", strlen(SPANK_TOP "/")) == 0)
		spank_store_report(&node->store, "%s", err.text);
	node->left[0] = '\0';
}

void spank_node_close(struct spank_node *node)
{
	if (!node)
		return;
	if (node->jobs.n == 0)
		spank_store_remove(&node->store);
	/* Release the lock first, as this may take a second. */
	if (node->left[0]) {
		spank_store_unlock(&node->store);
		remove_left(node);
		if (node->jobs.n == 0)
			spank_store_remove_groups(&node->store);
	}
	destroy(node);
}

size_t spank_node_njobs(const struct spank_node *node)
{
	return node->jobs.n;
}

/* --- groups that Slurm made ----------------------------------------------- */

bool spank_node_lift(const struct spank_node_conf *conf, uint32_t job_id,
		     const char *where, bool back)
{
	char path[LIBRA_CGROUP_PATH];
	struct spank_job job;
	struct libra_cgroup cg;
	bool done;

	if (spank_store_get(conf, job_id, &job) < 0 || job.ncpus > 0 ||
	    libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return false;
	done = libra_cgroup_of_job(&cg, where, job_id, path) &&
	       libra_cgroup_set_weight(&cg, path, back ? cg.usual : cg.most,
				       NULL) == 0;
	libra_cgroup_close(&cg);
	return done;
}

bool spank_node_step_aside(const struct spank_node_conf *conf, uint32_t job_id,
			   const char *where, pid_t pid)
{
	char path[LIBRA_CGROUP_PATH + sizeof(SLURMS_STEPDS)];
	struct libra_cgroup cg;
	bool done = false;
	char *name;

	if (!spank_store_knows(conf, job_id) ||
	    libra_cgroup_open(&cg, conf->cgroup_top, NULL) < 0)
		return false;
	if (libra_cgroup_of_job(&cg, where, job_id, path) &&
	    (name = strrchr(path, '/'))) {
		strcpy(name + 1, SLURMS_STEPDS);
		done = libra_cgroup_set_weight(&cg, path, cg.most, NULL) == 0 &&
		       libra_cgroup_enter(&cg, path, pid, NULL) == 0;
	}
	libra_cgroup_close(&cg);
	return done;
}

/* --- renewing ------------------------------------------------------------- */

/* With version 1 Slurm may move processes to a group of its own in the
 * hierarchy that counts CPU time; what they used before stays in ours.
 */
static double used_s(const struct spank_store *s, const struct spank_job *job)
{
	char path[LIBRA_CGROUP_PATH];
	double used =
		libra_cgroup_used_s(&s->cg, spank_store_group(s, job, path));

	if (s->cg.version != 1)
		return used;
	snprintf(path, sizeof(path), "slurm_%.200s/uid_%u/job_%u", s->conf.name,
		 job->user, job->id);
	used += libra_cgroup_used_s(&s->cg, path);
	snprintf(path, sizeof(path), "slurm/uid_%u/job_%u", job->user, job->id);
	return used + libra_cgroup_used_s(&s->cg, path);
}

static int set_weight(const struct spank_store *s, const struct spank_job *job,
		      uint32_t weight, struct libra_error *err)
{
	char path[LIBRA_CGROUP_PATH];

	spank_store_group(s, job, path);
	/* No process has come yet, or Slurm's group is gone already. */
	if ((job->ncpus == 0 || job->group[0]) &&
	    !libra_cgroup_exists(&s->cg, path))
		return 0;
	return libra_cgroup_set_weight(&s->cg, path, weight, err);
}

/* Set all weights, the caller's last: it may be held from then on.  One line
 * reports all that fail: the cause is mostly one.
 */
static void set_weights(const struct spank_node *node, const uint32_t *weights)
{
	const struct spank_store *s = &node->store;
	const struct spank_jobs *jobs = &node->jobs;
	struct libra_error err = {0};
	size_t failed = 0;

	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < jobs->n; i++)
			if ((jobs->at[i].id == s->conf.caller) == last &&
			    set_weight(s, &jobs->at[i], weights[i], &err) < 0)
				failed++;
	if (failed)
		spank_store_report(s,
				   "%zu of %zu weights not renewed: %s; tried "
				   "again when a job begins or ends here",
				   failed, jobs->n, err.text);
}

void spank_node_renew(struct spank_node *node, double now_s)
{
	const struct spank_jobs *jobs = &node->jobs;
	const struct libra_cgroup *cg = &node->store.cg;
	double *used = calloc(jobs->n + 1, sizeof(*used));
	uint32_t *weights = calloc(jobs->n + 1, sizeof(*weights));
	const struct spank_weight_range range = {
		.least = cg->least,
		.most = cg->most,
		.greatest = cg->greatest,
	};

	if (!used || !weights) {
		spank_store_report(&node->store,
				   "out of memory: weights are not renewed");
		goto out;
	}
	for (size_t i = 0; i < jobs->n; i++)
		used[i] = used_s(&node->store, &jobs->at[i]);
	spank_weights(jobs->at, used, jobs->n, now_s, &range, weights);
	set_weights(node, weights);
	node->lifted = false;
out:
	free(used);
	free(weights);
}

/* --- events --------------------------------------------------------------- */

/* Forget the former run of a requeued job; Slurm may have made its group again.
 */
static void end_former(struct spank_node *node, struct spank_job *former,
		       double now_s)
{
	char path[LIBRA_CGROUP_PATH];

	libra_cgroup_drop_note(&node->store.cg,
			       spank_store_group(&node->store, former, path));
	former->group[0] = '\0';
	spank_node_end(node, former->id, now_s);
	remove_left(node);
}

void spank_node_begin(struct spank_node *node, const struct spank_job *job,
		      double now_s)
{
	struct spank_store *s = &node->store;
	struct spank_job *known = spank_jobs_find(&node->jobs, job->id);
	struct libra_error err = {0};

	if (known)
		end_former(node, known, now_s);
	known = spank_jobs_add(&node->jobs, job);
	if (!known) {
		spank_store_report(s,
				   "job %u: out of memory: it will run without "
				   "a share",
				   job->id);
		return;
	}
	known->ncpus = 0;
	memset(known->cores, 0, sizeof(known->cores));
	known->group[0] = '\0';
	/* With version 2 Slurm may make one: seen when a process comes. */
	if (s->cg.version == 1 && spank_store_make_group(s, known, &err) < 0)
		spank_store_report(s,
				   "job %u: %s; tried again at its next step",
				   job->id, err.text);
	spank_store_keep(s, known);
}

bool spank_node_change(struct spank_node *node,
		       const struct spank_change *change)
{
	struct spank_job *job = spank_jobs_find(&node->jobs, change->id);

	if (!job || (change->number && change->number <= job->change))
		return false;
	if (change->number)
		job->change = change->number;
	job->share = change->share;
	job->estimate_s = change->estimate_s;
	job->deadline_s = change->deadline_s;
	spank_store_keep(&node->store, job);
	return true;
}

/* Set the CPUs and cores of a job on this node, given by its first process. */
static void set_cpus(const struct spank_store *s, struct spank_job *job,
		     uint32_t ncpus, const char *cores)
{
	uint32_t n = spank_read_cores(cores, job->cores);
	uint64_t any = 0;

	for (int w = 0; w < SPANK_CORE_WORDS; w++)
		any |= job->cores[w];
	if (job->turns && any == 0)
		spank_store_report(
			s,
			"job %u: its cores here are not known (%.64s; "
			"a list of cores from 0 to %d is needed): it "
			"is never held, and holds no other job",
			job->id, cores ? cores : "Slurm gave none",
			SPANK_CORES - 1);
	if (n > 0)
		ncpus = n;
	job->ncpus = ncpus ? ncpus : 1;
}

static void report_no_share(const struct spank_store *s, uint32_t job_id,
			    const struct libra_error *err)
{
	spank_store_report(s, "job %u: %s; it runs without its share", job_id,
			   err->text);
}

int spank_node_enter(struct spank_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *cores, const char *where, pid_t pid,
		     double now_s)
{
	struct spank_store *s = &node->store;
	struct spank_job *job = spank_jobs_find(&node->jobs, job_id);
	struct libra_error err = {0};
	char path[LIBRA_CGROUP_PATH] = "", old[LIBRA_CGROUP_PATH];
	bool new;

	if (!job) {
		errno = ENOENT;
		return -1;
	}
	libra_cgroup_of_job(&s->cg, where, job_id, path);
	new = job->ncpus == 0 || node->lifted;
	if (strcmp(path, job->group) != 0) {
		libra_cgroup_drop_note(&s->cg, spank_store_group(s, job, old));
		new = true;
	}
	if (job->ncpus == 0)
		set_cpus(s, job, ncpus, cores);
	strcpy(job->group, path);
	spank_store_group(s, job, path);
	if (!libra_cgroup_exists(&s->cg, path))
		new = true;
	if (spank_store_make_group(s, job, &err) < 0)
		report_no_share(s, job_id, &err);
	if (new) {
		spank_store_keep(s, job);
		spank_node_renew(node, now_s);
	}
	/* From here on a process of least weight hardly runs: it must not hold
	 * what others wait for.
	 */
	spank_store_unlock(s);
	if (!err.text[0] && !job->group[0] &&
	    libra_cgroup_enter(&s->cg, path, pid, &err) < 0)
		report_no_share(s, job_id, &err);
	return 0;
}

/* Give the group the greatest weight first, as its end takes CPU time, too. */
static void end_group(struct spank_node *node, const char *path)
{
	const struct libra_cgroup *cg = &node->store.cg;

	if (libra_cgroup_exists(cg, path))
		libra_cgroup_set_weight(cg, path, cg->most, NULL);
	if (libra_cgroup_try_remove(cg, path, NULL) == 0)
		return;
	remove_left(node);
	strcpy(node->left, path);
}

void spank_node_end(struct spank_node *node, uint32_t job_id, double now_s)
{
	struct spank_job *job = spank_jobs_find(&node->jobs, job_id);
	struct spank_job gone = {.id = job_id};
	char path[LIBRA_CGROUP_PATH];

	if (job)
		gone = *job;
	spank_store_forget(&node->store, &gone);
	if (job)
		*job = node->jobs.at[--node->jobs.n];
	spank_node_renew(node, now_s);
	/* Slurm's group: where slurmstepd was killed, nobody else ends it.  And
	 * ours, which may be there too.
	 */
	if (gone.group[0])
		end_group(node, gone.group);
	gone.group[0] = '\0';
	end_group(node, spank_store_group(&node->store, &gone, path));
}
