/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_impl.h - measures of jobs, for what.c, what_log.c and apart.c. */
#ifndef SIM_WHAT_IMPL_H
#define SIM_WHAT_IMPL_H

#include <stdbool.h>

#include "sim/site/what.h"

/* A job as it ran, in the log or in a simulation. */
struct lived {
	double arrival_s; /* after the first submission */
	double wait_s, run_s;
	uint32_t procs;
	double logged_s; /* wait in the log; negative = not known */
};

/* Measure n jobs on r->procs processors, all together and by size.  Utilization
 * and buckets cover the time from 0 to span_s.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_run(struct what_run *r, const struct lived *jobs, size_t n,
		     double span_s, const struct site_sizes *sizes,
		     struct libra_error *err);

/* Measure the simulated jobs that have a logged wait: once with the logged,
 * once with the simulated one.  what->measured.procs, span_s and sizes must be
 * set.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_replay(struct what_replay *replay, const struct lived *jobs,
			size_t n, const struct what *what,
			struct libra_error *err);

/* Measure the log's jobs with a wait: all of them (_log), and each partition,
 * queue, account and user (_groups); _groups sets limit_used as well.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_log(struct what *what, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err);
int what_measure_groups(struct what *what, const struct swf_trace *trace,
			struct libra_error *err);

/* Return true if a record has a run time and processors. */
bool what_is_job(const struct swf_record *r);

/* Return the processors of a record: allocated, or else requested. */
uint32_t what_procs(const struct swf_record *r);

#endif
