/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node.h - the promised jobs of one node, and the events that renew their
 * weights.
 *
 * A node knows a job from its prolog to its epilog.  When the job's first
 * process begins, at its epilog, after a change of a promise, and at a deadline
 * (alarm.h), all weights of the node are computed again (weights.h), from the
 * CPU time that each job has used.  Between events no code runs.
 *
 * Each event is a process of its own (slurmd's prolog or epilog, a task,
 * slurmstepd), as root.  The jobs are kept in files and cgroups (node_store.h).
 * A lock file serialises events: spank_node_open() takes it, spank_node_close()
 * releases it.
 *
 * A failure is reported in one line, and never stops a job.  The next event
 * tries again.
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

/* Take a node's lock and read the records of its jobs.  If the lock is not free
 * within 5 s, this is reported, and the event goes on without the lock.
 * Result: the node, or NULL with EINVAL (bad name or folder), ENOTSUP (no
 *         weights here), ECANCELED (conf->stop) or ENOMEM.
 * Owner:  the caller closes the node, soon, as other events wait; NULL is
 *         accepted.
 */
struct spank_node *spank_node_open(const struct spank_node_conf *conf,
				   struct libra_error *err);
void spank_node_close(struct spank_node *node);

/* Add a job, at its prolog.  job's ncpus, cores and group are not read.
 * Weights are not renewed.
 */
void spank_node_begin(struct spank_node *node, const struct spank_job *job,
		      double now_s);

/* Move a new process of a job to the job's group.  The first process sets the
 * job's ncpus and cores on this node (a list as "0-3,8", or NULL).  where: the
 * text of its /proc/PID/cgroup.  The lock is released: close the node next.
 * Result: 0, or -1 with ENOENT: the job is not known.
 */
int spank_node_enter(struct spank_node *node, uint32_t job_id, uint32_t ncpus,
		     const char *cores, const char *where, pid_t pid,
		     double now_s);

/* Forget a job, at its epilog, and renew all weights.  Its remaining processes
 * are killed, at the latest by close.  Can be repeated.
 */
void spank_node_end(struct spank_node *node, uint32_t job_id, double now_s);

/* Apply slurmctld's change of a running job's promise.  If the job is not known
 * here, or the change is not newer, do nothing.  Number 0: the present promise,
 * as slurmctld answered.  Weights are not renewed.
 * Result: true if the record changed.
 */
bool spank_node_change(struct spank_node *node,
		       const struct spank_change *change);

/* Compute and set all weights. */
void spank_node_renew(struct spank_node *node, double now_s);

size_t spank_node_njobs(const struct spank_node *node);

/* The next two functions need no lock and report nothing.  where: the text of
 * /proc/self/cgroup.
 */

/* Give the group that Slurm made for all processes of a job, slurmstepd
 * included, the greatest weight, so that the first process can begin beside
 * busy jobs.  back: set the usual weight again.
 * Result: true if the weight was set.
 */
bool spank_node_lift(const struct spank_node_conf *conf, uint32_t job_id,
		     const char *where, bool back);

/* When the tasks have begun, move slurmstepd from the job's group, which Slurm
 * made, to the group beside it in which Slurm starts slurmstepd.  Under the
 * job's weight slurmstepd would need minutes to end the job.
 * Result: true if slurmstepd was moved.
 */
bool spank_node_step_aside(const struct spank_node_conf *conf, uint32_t job_id,
			   const char *where, pid_t pid);

#endif
