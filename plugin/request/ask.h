/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - questions to the engine about one job of a size.
 */
#ifndef LIBRA_REQUEST_ASK_H
#define LIBRA_REQUEST_ASK_H

#include "plugin/jobs/job_table.h"
#include "plugin/request/messages.h"

/* One offer, held for the job that comes for it; first as for host_jobs_add().
 * Result: the verdict's answer, or -1 with errno; then nothing is held.
 */
int host_ask(struct host_jobs *jobs, const struct libra_job *job,
	     const struct request_size *size, uint64_t first, double now_s,
	     struct libra_verdict *verdict, struct libra_error *err);

/* The same for so many equal jobs, one after the other, as long as they are
 * accepted: what nodes have is looked at once.
 * Result: of the last one; the others stay held.
 */
int host_ask_all(struct host_jobs *jobs, const struct libra_job *job,
		 uint32_t tasks, const struct request_size *size,
		 uint64_t first, double now_s, struct libra_verdict *verdict,
		 struct libra_error *err);

/* What is spare of the memory of Slurm's first n nodes, in MB: neither of a job
 * that runs nor promised to one that does not yet.  Other nodes are left alone.
 * Without memory to count it nothing is.
 * Result: false if none is promised, or Slurm does not say what it has.
 */
bool host_spare_memory(const struct host_jobs *jobs, uint64_t *mb, uint32_t n);

/* Where a job of a size may be, in the terms of the core.  For one call: the
 * job points to where, and that to size.
 */
void host_set_where(const struct request_size *size, struct libra_job *job,
		    struct libra_where *where);

/* Which deadline would be accepted for all tasks of a request? */
struct host_advice host_ask_advice(struct host_jobs *jobs,
				   const struct libra_job *job, uint32_t tasks,
				   const struct request_size *size,
				   double now_s);

/* A refusal, by a policy under which jobs past their deadlines close their
 * processors: name those that do.
 */
void host_report_late(const struct host_jobs *jobs,
		      struct libra_host_reply *reply, double now_s);

#endif
