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

/* What became of a job's deadline; also the colour of a picture. */
enum site_promise {
	SITE_NO_PROMISE = 0,
	SITE_KEPT,
	SITE_LATE,
	SITE_OPEN, /* still running at the end of the source */
};

struct site_job {
	int64_t number; /* in its source; 0 = none */
	double submit_s, start_s, end_s;
	double deadline_s; /* instant; 0 = none */
	double promised_s; /* instant of the promised finish; 0 = none */
	uint32_t procs;
	int32_t user; /* of a decision log: numbered as they come */
	enum site_promise promise;
	/* Where it ran, if the source says so: of site_jobs.ranges. */
	size_t first_range, nranges;
};

enum { SITE_REASON_SIZE = 24 };

/* A job that was refused when it came. */
struct site_refusal {
	int64_t number; /* 0 = none */
	double at_s;
	uint32_t procs;
	int32_t user;
	double earliest_s; /* instant of the deadline that would have done; 0 =
			      not known */
	char reason[SITE_REASON_SIZE]; /* with blanks; may be empty */
};

struct site_jobs {
	struct site_job *list;
	size_t n, cap;
	struct site_refusal *refused; /* in any order */
	size_t nrefused, refused_cap;
	size_t unstarted;  /* jobs that were not refused, and never ran */
	uint32_t procs;	   /* of the machine */
	bool dated;	   /* instants are seconds since 1970 ... */
	double unix_start; /* ... after this is added */
	bool users;	   /* known */
	bool promises;	   /* known */
	bool placed;	   /* ranges are known */
	struct libra_range *ranges;
	size_t nranges;
	char *name;
};

/* Kinds of files. */
enum site_source {
	SITE_LOG = 1,	/* Standard Workload Format, or any other file */
	SITE_TABLE,	/* of librasim run --jobs-out */
	SITE_DECISIONS, /* decision log of slurmctld */
	SITE_NO_MEMORY, /* unknown, as memory is out: errno is ENOMEM */
};

/* Return the kind of a file, by its first characters.  Standard input ("-"),
 * pipes, and files that cannot be read count as logs and are not read here: the
 * reader of the log reports the error.
 */
enum site_source site_source(const char *path);

/* Read the jobs of a log: records that have a wait, a run time and processors.
 * procs: of the machine (0 = as in the log).
 * Result of this and the next two: 0, or -1 with errno of the system, ENOMEM,
 *         or EINVAL (another kind of file, or no job started); the text names
 *         file and line.
 * Owner:  the caller calls site_jobs_fini(); after an error it need not.
 */
int site_jobs_of_log(struct site_jobs *jobs, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err);

/* Read the jobs of a jobs table.  procs: of the machine (0 = the largest number
 * of processors that were in use at once).
 */
int site_jobs_of_table(struct site_jobs *jobs, const char *path, uint32_t procs,
		       struct libra_error *err);

/* Read the jobs of the n files of a decision log, oldest first.  A job that was
 * restored after a restart of slurmctld is one job; a job that was not restored
 * ends with the restart.
 */
int site_jobs_of_decisions(struct site_jobs *jobs, char *const *paths, size_t n,
			   struct libra_error *err);

void site_jobs_fini(struct site_jobs *jobs);

/* Return the largest number of processors that were in use at once; -1 with
 * ENOMEM.
 */
int64_t site_most_procs(const struct site_jobs *jobs);

/* Return the processor seconds of a job between two instants; 0 if the job did
 * not run then.
 */
double site_work(const struct site_job *job, double from_s, double to_s);

/* The functions below are for the three readers above. */

/* Add a job.  Result: 0, or -1 with ENOMEM. */
int site_jobs_add(struct site_jobs *jobs, const struct site_job *job,
		  struct libra_error *err);

/* Add a refusal, with its reason.  Result: 0, or -1 with ENOMEM. */
int site_jobs_refuse(struct site_jobs *jobs, const struct site_refusal *refusal,
		     const char *reason, struct libra_error *err);

/* Set the error "no job runs in that time", with the time in which jobs run.
 * Result: -1 with EINVAL, always.
 */
int site_jobs_outside(const struct site_jobs *jobs, struct libra_error *err);

/* Set the error that no job of a file started.  Result: -1 with EINVAL, always.
 */
int site_jobs_none(const char *name, struct libra_error *err);

#endif
