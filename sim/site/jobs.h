/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.h - jobs as they ran: from a log, from the jobs table of a simulation,
 * or from slurmctld's decision log.
 *
 * Only jobs that started are in the list.  Times are seconds of the source's
 * clock.
 */
#ifndef SIM_SITE_JOBS_H
#define SIM_SITE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/job.h"
#include "sim/log/swf.h"

/* Outcomes of a job's promise. */
enum site_promise {
	SITE_NO_PROMISE = 0,
	SITE_KEPT,
	SITE_LATE,
	SITE_OPEN, /* the job still runs at the end of the source */
};

struct site_job {
	int64_t number; /* in the source; 0 = none */
	double submit_s, start_s, end_s;
	double deadline_s; /* instant; 0 = none */
	double promised_s; /* instant of the promised finish; 0 = none */
	uint32_t procs;
	/* Number of the user in a log; -1 = not known.  In a decision log: 1
	 * for the first user in the log, 2 for the next one, ...
	 */
	int32_t user;
	enum site_promise promise;
	/* Part of site_jobs.ranges: the job's processors, if `placed`. */
	size_t first_range, nranges;
};

enum { SITE_REASON_SIZE = 24 };

/* A job that was refused when it came. */
struct site_refusal {
	int64_t number; /* 0 = none */
	double at_s;
	uint32_t procs;
	int32_t user;
	double earliest_s; /* instant: the earliest deadline that would have
			      been accepted; 0 = not known */
	char reason[SITE_REASON_SIZE]; /* with blanks for '_'; may be empty */
};

struct site_jobs {
	struct site_job *list;
	size_t n, cap;
	struct site_refusal *refused; /* in any order */
	size_t nrefused, refused_cap;
	size_t unstarted;  /* jobs that were not refused, and never ran */
	uint32_t procs;	   /* of the machine */
	bool dated;	   /* instant + unix_start is seconds since 1970 */
	double unix_start; /* 0 if not dated */
	/* The fields of jobs that the source has. */
	bool users;
	bool promises;
	bool placed; /* the jobs' processors, in ranges */
	struct libra_range *ranges;
	size_t nranges;
	char *name; /* for titles: computer, policy, or "Promised jobs" */
};

/* Kinds of files. */
enum site_source {
	SITE_LOG = 1,	/* Standard Workload Format, or any other file */
	SITE_TABLE,	/* of librasim run --jobs-out */
	SITE_DECISIONS, /* decision log of slurmctld */
	SITE_NO_MEMORY, /* the kind is not known; errno is ENOMEM */
};

/* Return the kind of a file, by the start of its first line.  Standard input
 * ("-"), pipes, and files that cannot be read count as logs; nothing is read
 * from them, and the reader of the log reports the error.
 */
enum site_source site_source(const char *path);

/* Read the jobs of a log: records that have a wait, a run time and processors.
 * procs: of the machine (0 = as in the log).
 * Result of this and the next two: 0, or -1 with errno of the system, ENOMEM,
 *         or EINVAL (another kind of file, or no job started).  The text of the
 *         error names the file.
 * Owner:  the caller calls site_jobs_fini() after success, and need not after
 *         an error.
 */
int site_jobs_of_log(struct site_jobs *jobs, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err);

/* Read the jobs of the first policy in a jobs table.  procs: of the machine
 * (0 = the largest number of processors in use at once).
 */
int site_jobs_of_table(struct site_jobs *jobs, const char *path, uint32_t procs,
		       struct libra_error *err);

/* Read the promised jobs of a decision log from its n files, oldest first.  A
 * job that was restored after a restart of slurmctld is one job.  A job that
 * was not restored ends at the restart.
 */
int site_jobs_of_decisions(struct site_jobs *jobs, char *const *paths, size_t n,
			   struct libra_error *err);

void site_jobs_fini(struct site_jobs *jobs);

/* Return the largest number of processors in use at once, at least 1; -1 with
 * ENOMEM.
 */
int64_t site_most_procs(const struct site_jobs *jobs);

/* Return the processor seconds that a job used between two instants. */
double site_work(const struct site_job *job, double from_s, double to_s);

/* For the three readers above: add a job.  Result: 0, or -1 with ENOMEM. */
int site_jobs_add(struct site_jobs *jobs, const struct site_job *job,
		  struct libra_error *err);

/* For the readers: add a refusal.  reason: a name of enum libra_reason, cut to
 * SITE_REASON_SIZE, or NULL.  Result: 0, or -1 with ENOMEM.
 */
int site_jobs_refuse(struct site_jobs *jobs, const struct site_refusal *refusal,
		     const char *reason, struct libra_error *err);

/* Set the error "no job runs in that time", with the times that would do.
 * Result: -1 with EINVAL, always.
 */
int site_jobs_outside(const struct site_jobs *jobs, struct libra_error *err);

/* For the readers: set the error that no job of a file started.
 * Result: -1 with EINVAL, always.
 */
int site_jobs_none(const char *name, struct libra_error *err);

#endif
