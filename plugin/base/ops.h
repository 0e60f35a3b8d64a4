/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.h - what slurmctld tells the host, with an answer where it does not.
 *
 * Each function calls one of struct libra_host_ops and knows what to assume
 * where that is NULL; so may the table be.
 */
#ifndef LIBRA_BASE_OPS_H
#define LIBRA_BASE_OPS_H

#include "plugin/base/types.h"

/* One line of slurmctld's log. */
void host_log(const struct libra_host_ops *ops, enum libra_host_level level,
	      const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* An error of a part that knows no slurmctld: a libra_host_report_f.  Its
 * argument points to the pointer to the table.
 */
void host_report_error(void *ops, const char *text);

/* Now, in seconds of the epoch. */
double host_clock_s(const struct libra_host_ops *ops);

/* Seconds on a clock that nobody sets, from some beginning. */
double host_steady_s(const struct libra_host_ops *ops);

/* Where it is not known, a job may start. */
enum libra_host_job_state host_job_state(const struct libra_host_ops *ops,
					 uint32_t job_id);

/* What keeps a waiting job from starting, or NULL (libra_host_ops.barrier). */
const char *host_barrier(const struct libra_host_ops *ops, uint32_t job_id);

/* Have a job's record written, if it has a text. */
void host_write_record(const struct libra_host_ops *ops, uint32_t job_id,
		       const struct libra_host_record *record);

#endif
