/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node.h - the promised jobs of one node, and the events that renew their
 * weights.
 *
 * A job is known from its prolog on the node to its epilog.  At these two
 * events, and when its first process comes, all weights of the node are
 * computed anew (weights.h), from the CPU time that each job has really used.
 * Between events nothing runs.
 *
 * What is known survives the process that handles an event: node_store.h.
 *
 * Failures are reported, one line each, and never stop a job: what could not be
 * done is done at the next event.
 */
#ifndef LIBRA_SPANK_NODE_H
#define LIBRA_SPANK_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/error.h"
#include "plugin/spank/node_store.h"
#include "plugin/spank/record.h"

struct spank_node;

/* Take a node's lock and read what is known of its jobs.
 * Result: the node, or NULL with EINVAL (bad name or folder), ENOTSUP (no
 *         weights here), ECANCELED (conf->stop) or ENOMEM.
 * Owner:  the caller closes it, soon: others wait.
 */
struct spank_node *spank_node_open(const struct spank_node_conf *conf,
				   struct libra_error *err);
void spank_node_close(struct spank_node *node);

/* The prolog of a job: it may begin here.  job's ncpus, cores and group are
 * not looked at.
 */
void spank_node_begin(struct spank_node *node, const struct spank_job *job,
		      double now_s);

/* A process of a job begins: move it to the job's group.  The first one says
 * what the job has here: ncpus, and cores, a list as "0-3,8" or NULL.  where is
 * the text of its /proc/PID/cgroup.  This releases the lock: close comes next.
 * Result: 0, or -1 with ENOENT: the job is not known.
 */
int spank_node_enter(struct spank_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *cores, const char *where, pid_t pid,
		     double now_s);

/* The epilog of a job: end what is left of it, at the latest with close.  Can
 * be repeated.
 */
void spank_node_end(struct spank_node *node, uint32_t job_id, double now_s);

/* slurmctld has changed the promise of a running job.  Jobs that are not known
 * here, and changes that are not newer than what is known, are left alone.
 * Number 0 is what slurmctld says now, when asked.
 * Result: true if something changed; renew comes later.
 */
bool spank_node_change(struct spank_node *node,
		       const struct spank_change *change);

/* Compute and set all weights. */
void spank_node_renew(struct spank_node *node, double now_s);

size_t spank_node_njobs(const struct spank_node *node);

/* The next two need no lock and report nothing; where is the text of
 * /proc/self/cgroup.
 */

/* Slurm made one group for all of a job, its slurmstepd too, and the job's
 * first process is about to come.  Give the group enough weight to begin beside
 * busy jobs; with back, take that back.
 * Result: true if the weight was set.
 */
bool spank_node_lift(const struct spank_node_conf *conf, uint32_t job_id,
		     const char *where, bool back);

/* Once its tasks are there, move slurmstepd out of the group that Slurm made
 * for all of the job, into the group beside it in which Slurm starts it: held
 * by the job's weight it would take minutes to end the job.
 * Result: true if the process is there now.
 */
bool spank_node_step_aside(const struct spank_node_conf *conf, uint32_t job_id,
			   const char *where, pid_t pid);

#endif
