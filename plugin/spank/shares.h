/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares.h - the jobs of one node, and the weights that give them their shares.
 *
 * A job is known from its start on the node to its end.  At each of these
 * events, and when its first process comes, every weight of the node is
 * renewed by the core's arithmetic, from what each job has really used of the
 * CPUs.  Between events nothing happens, and nothing runs.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "plugin/spank/cgroup.h"

/* A job on this node.  Times are seconds, instants of CLOCK_REALTIME. */
struct libra_share_job {
	uint32_t id;
	uint32_t user;
	uint32_t ncpus;	   /* processors of the node that it has; 0 = no
			      process has come yet */
	double share;	   /* of each, as it was promised; 0 = best effort */
	double estimate_s; /* duration on whole processors */
	double deadline_s;
	char group[LIBRA_CGROUP_PATH]; /* "" = our own */
};

typedef void (*libra_report_f)(void *arg, const char *text);

struct libra_node_conf {
	const char *cgroup_top; /* usually /sys/fs/cgroup */
	const char *state;	/* usually /run/slurm-libra */
	const char *name;	/* of the node, as Slurm calls it */
	libra_report_f report;	/* one line, what failed and what follows */
	void *arg;
};

struct libra_node;

/* Take a node's lock and read what is known of its jobs.
 * Result: the node, or NULL with EINVAL (a name that is none), ENOTSUP (no
 *         weights here) or ENOMEM.
 * Owner:  the caller closes it, soon: others wait.
 */
struct libra_node *libra_node_open(const struct libra_node_conf *conf,
				   struct libra_error *err);
void libra_node_close(struct libra_node *node);

/* A job may begin here (ncpus, group are not looked at). */
void libra_node_begin(struct libra_node *node,
		      const struct libra_share_job *job, double now_s);

/* Is a job known here?  Needs no lock and reports nothing. */
bool libra_node_knows(const struct libra_node_conf *conf, uint32_t job_id);

/* A process of a job begins: it goes to the job's group.  where is the text of
 * its /proc/PID/cgroup.  The lock is given back: close comes next.
 * Result: 0, or -1 with ENOENT: the job is not known.
 */
int libra_node_enter(struct libra_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *where, pid_t pid, double now_s);

/* A job is over here: what is left of it ends. */
void libra_node_end(struct libra_node *node, uint32_t job_id, double now_s);

/* Renew all weights. */
void libra_node_renew(struct libra_node *node, double now_s);

size_t libra_node_njobs(const struct libra_node *node);

/* Weights of n jobs that have used so much CPU time each: in proportion to the
 * shares they need now on all their CPUs, the greatest being most; those of
 * best effort get the least.
 */
void libra_weights(const struct libra_share_job *jobs, const double *used_s,
		   size_t n, double now_s, uint32_t least, uint32_t most,
		   uint32_t *weights);

/* Records as text, on one line; 0, or -1 with EINVAL. */
int libra_record_format(const struct libra_share_job *job, char *text,
			size_t size);
int libra_record_parse(const char *text, struct libra_share_job *job);

/* Numbers in a list of cores ("0-3,8"), or 0 if it is no list. */
uint32_t libra_count_cores(const char *list);

#endif
