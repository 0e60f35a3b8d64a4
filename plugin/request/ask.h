/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - ask the engine for offers and advice for jobs of one size.
 *
 * Callers: plugin/host, in any thread, under the host's lock and Slurm's read
 * locks of jobs and nodes.  If the policy does not plan starts, these functions
 * count the memory of jobs; otherwise the engine does.
 */
#ifndef LIBRA_REQUEST_ASK_H
#define LIBRA_REQUEST_ASK_H

#include "plugin/jobs/job_table.h"
#include "plugin/request/messages.h"

/* Ask for an offer for one job.  After LIBRA_ACCEPT the job table holds the
 * offer; first is as for host_jobs_add().
 * Result: the verdict's answer, or -1 with ENOMEM or EINVAL (numbers out of
 *         range; err has the text); then nothing is held.
 */
int host_ask(struct host_jobs *jobs, const struct libra_job *job,
	     const struct request_size *size, uint64_t first, double now_s,
	     struct libra_verdict *verdict, struct libra_error *err);

/* Ask for offers for equal jobs, one after the other, until one is not
 * accepted.  The nodes' memory is read once.
 * Result: as host_ask(), for the last job.  Earlier offers stay held: the
 *         caller withdraws them.
 */
int host_ask_all(struct host_jobs *jobs, const struct libra_job *job,
		 uint32_t tasks, const struct request_size *size,
		 uint64_t first, double now_s, struct libra_verdict *verdict,
		 struct libra_error *err);

/* Write to mb[] the spare memory, in MB, of Slurm's first n nodes: free of
 * running jobs and of promises.  Other groups' nodes are unchanged.  If memory
 * for counting runs out, nothing is spare.
 * Result: false if no memory is promised, or Slurm does not divide memory.
 */
bool host_spare_memory(const struct host_jobs *jobs, uint64_t *mb, uint32_t n);

/* Set the placement constraint of a job from its size, unless any processors
 * will do.  The job then points to *where, which points into *size: both must
 * outlive the job's use.
 */
void host_set_where(const struct request_size *size, struct libra_job *job,
		    struct libra_where *where);

/* Return the earliest deadline at which the engine would accept all tasks of a
 * request.  The search is bounded by the engine's search budget, and takes
 * milliseconds on a large cluster.
 */
struct host_advice host_ask_advice(struct host_jobs *jobs,
				   const struct libra_job *job, uint32_t tasks,
				   const struct request_size *size,
				   double now_s);

/* If late jobs close their processors under this policy, add a line to a
 * refusal that names these jobs.
 */
void host_report_late(const struct host_jobs *jobs,
		      struct libra_host_reply *reply, double now_s);

/* Add a line to a refusal that names the first node that is away, as the job
 * may be refused because of that node.  Nothing is added if none is away.
 */
void host_report_away(const struct host_cluster *c,
		      struct libra_host_reply *reply);

#endif
