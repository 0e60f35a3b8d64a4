/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs_in.h - values of jobs from a table, instead of drawn ones.
 *
 * A log has no deadlines.  A user with deadlines, or with the jobs of another
 * run, gives a table of the form that `librasim run --jobs-out` writes.  The
 * caller is `librasim run`, after the workload is made.
 */
#ifndef SIM_JOBS_IN_H
#define SIM_JOBS_IN_H

#include "core/error.h"
#include "sim/workload/workload.h"

/* Read the values of a workload's jobs from a table (CSV or JSON,
 * table_file.h): the column job, which is field 1 of the record, and any of
 *   deadline_s    after submission, > 0      budget, penalty_rate   >= 0
 *   estimate_s    > 0                        high_urgency           0 or 1
 *   max_procs     >= 1: the job may have any number of processors from its own
 *                 to this one    speedup     0 to 1 (core/width.h)
 * An empty deadline_s is a job without a deadline, if the workload may have
 * such jobs (has_ordinary).  Other columns, and rows of other jobs, are
 * ignored.  A job may have several rows that agree (one for each policy, for
 * example).  Times are in seconds.
 * Result: 0, or -1 with EINVAL (a value out of range, rows that differ, a job
 *         without a row or a deadline, none of the columns), or as
 *         table_file_read(); the text names the file and the row.
 */
int sim_jobs_in_read(struct sim_workload *w, const char *path,
		     struct libra_error *err);

#endif
