/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - ask slurmctld through struct libra_host_ops, with a default answer if
 * there is none.
 *
 * The table and each of its members may be NULL.  Callers: plugin/host and all
 * below it, under the host's lock and with Slurm's locks as in types.h.
 * host_log(), host_clock_s() and host_steady_s() need no lock.
 */
#ifndef LIBRA_BASE_OPS_H
#define LIBRA_BASE_OPS_H

#include "plugin/base/types.h"

/* Write one line to slurmctld's log, cut after 1023 characters, '?' for control
 * characters.
 */
void host_log(const struct libra_host_ops *ops, enum libra_host_level level,
	      const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Write an error to slurmctld's log; a libra_host_report_f.  ops points to the
 * pointer to the table.
 */
void host_report_error(void *ops, const char *text);

/* Return the current instant, in seconds of the epoch. */
double host_clock_s(const struct libra_host_ops *ops);

/* Return the seconds on a clock that is never set. */
double host_steady_s(const struct libra_host_ops *ops);

/* Return a job's state; default: LIBRA_JOB_PENDING. */
enum libra_host_job_state host_job_state(const struct libra_host_ops *ops,
					 uint32_t job_id);

/* Return what prevents a job from ever starting, or NULL (default). */
const char *host_barrier(const struct libra_host_ops *ops, uint32_t job_id);

/* Write a job's record, unless its comment is NULL.  The caller has Slurm's
 * write lock of jobs.
 */
void host_write_record(const struct libra_host_ops *ops, uint32_t job_id,
		       const struct libra_host_record *record);

#endif
