/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node.h - the jobs of one node, and the weights that give them their shares.
 *
 * A job is known from its start on the node to its end.  At each of these
 * events, and when its first process comes, every weight of the node is
 * renewed by the core's arithmetic, from what each job has really used of the
 * CPUs.  Between events nothing happens, and nothing runs.
 *
 * Jobs of policies that serve by deadline have turns instead of shares.  On
 * the cores of this node the order is the one of core/gang/gang.h: late jobs
 * last, then by deadline, then by id; in this order a job whose cores are all
 * free takes them and weighs the most, the others hardly anything.  Weights
 * leave no time unused: what a job with its turn does not take goes to the
 * others.
 *
 * What is known of a job is one line, kept twice: in a file of a folder that
 * only root can enter, and as a note on the job's cgroup.  Either is enough, so
 * that neither a full disk nor a lost folder ends a promise.  Events come from
 * processes that know nothing of each other; a lock puts them in a row.
 *
 * Failures are reported, a line each, and never stop a job: what could not be
 * done is done at the next event.
 */
#ifndef LIBRA_SPANK_SHARES_H
#define LIBRA_SPANK_SHARES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "plugin/spank/cgroup.h"

enum {
	LIBRA_CORES = 1024, /* of a node, that can be told apart */
	LIBRA_CORE_WORDS = LIBRA_CORES / 64,
};

/* A job on this node.  Times are seconds, instants of CLOCK_REALTIME. */
struct libra_share_job {
	uint32_t id;
	uint32_t user;
	uint32_t ncpus;	   /* processors of the node that it has; 0 = no
			      process has come yet */
	double share;	   /* of each, as it was promised; 0 = best effort */
	double estimate_s; /* duration on whole processors */
	double deadline_s;
	bool turns; /* served in the order of deadlines, not by shares */
	uint64_t cores[LIBRA_CORE_WORDS]; /* none = not known */
	char group[LIBRA_CGROUP_PATH];	  /* "" = our own */
};

typedef void (*libra_report_f)(void *arg, const char *text);

struct libra_node_conf {
	const char *cgroup_top; /* usually /sys/fs/cgroup */
	const char *state;	/* usually /run/slurm-libra */
	const char *name;	/* of the node, as Slurm calls it */
	libra_report_f report;	/* one line, what failed and what follows */
	void *arg;
	const atomic_bool *stop; /* once true: wait for no lock; or NULL */
	/* The job whose process asks, or 0: held by a weight on a group that
	 * Slurm made for all of it, it could not give the lock back soon.
	 */
	uint32_t caller;
};

struct libra_node;

/* Take a node's lock and read what is known of its jobs.
 * Result: the node, or NULL with EINVAL (a name that is none), ENOTSUP (no
 *         weights here), ECANCELED (stop) or ENOMEM.
 * Owner:  the caller closes it, soon: others wait.
 */
struct libra_node *libra_node_open(const struct libra_node_conf *conf,
				   struct libra_error *err);
void libra_node_close(struct libra_node *node);

/* A job may begin here (ncpus, cores, group are not looked at). */
void libra_node_begin(struct libra_node *node,
		      const struct libra_share_job *job, double now_s);

/* Is a job known here?  Needs no lock and reports nothing. */
bool libra_node_knows(const struct libra_node_conf *conf, uint32_t job_id);

/* What is known of a job.  Needs no lock and reports nothing.
 * Result: 0, or -1 with ENOENT.
 */
int libra_node_read(const struct libra_node_conf *conf, uint32_t job_id,
		    struct libra_share_job *job);

/* The first process of a job is about to come, and Slurm made a group for all
 * of the job, slurmstepd too: it weighs enough to begin beside busy jobs until
 * the process enters, or until this is taken back.  Needs no lock and reports
 * nothing.  where is the text of /proc/self/cgroup.
 * Result: true if the group was lifted.
 */
bool libra_node_lift(const struct libra_node_conf *conf, uint32_t job_id,
		     const char *where, bool back);

/* Once its tasks are there, slurmstepd leaves the group that Slurm made for all
 * of the job, for the one beside it in which Slurm starts it: held by the job's
 * weight it would take minutes to end the job.  Needs no lock and reports
 * nothing.  where is the text of /proc/self/cgroup.
 * Result: true if the process is there now.
 */
bool libra_node_step_aside(const struct libra_node_conf *conf, uint32_t job_id,
			   const char *where, pid_t pid);

/* A process of a job begins: it goes to the job's group.  What the job has
 * here is told by ncpus and by cores, a list as "0-3,8" or NULL.  where is the
 * text of its /proc/PID/cgroup.  The lock is given back: close comes next.
 * Result: 0, or -1 with ENOENT: the job is not known.
 */
int libra_node_enter(struct libra_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *cores, const char *where, pid_t pid,
		     double now_s);

/* A job is over here: what is left of it ends, at the latest with close.  Can
 * be repeated.
 */
void libra_node_end(struct libra_node *node, uint32_t job_id, double now_s);

/* Renew all weights. */
void libra_node_renew(struct libra_node *node, double now_s);

size_t libra_node_njobs(const struct libra_node *node);

/* Weights go from least to most for each CPU of a job, as far as the kernel's
 * greatest.
 */
struct libra_weight_range {
	uint32_t least, most, greatest;
};

/* Weights of n jobs that have used so much CPU time each: in proportion to the
 * shares they need now on all their CPUs, most for each CPU of the one that
 * needs the greatest part of each; or by turns.  Those of best effort get the
 * least.
 */
void libra_weights(const struct libra_share_job *jobs, const double *used_s,
		   size_t n, double now_s,
		   const struct libra_weight_range *range, uint32_t *weights);

/* Records as text, on one line; 0, or -1 with EINVAL, or ENOTSUP: one that a
 * later version has written.
 */
int libra_record_format(const struct libra_share_job *job, char *text,
			size_t size);
int libra_record_parse(const char *text, struct libra_share_job *job);

/* Read a list of cores ("0-3,8").  Cores beyond LIBRA_CORES cannot be told
 * apart: then none is set.
 * Result: how many the list has, or 0 and none set if it is no list.
 */
uint32_t libra_read_cores(const char *list, uint64_t cores[LIBRA_CORE_WORDS]);

#endif
