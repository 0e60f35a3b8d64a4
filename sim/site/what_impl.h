/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_impl.h - what the files of a what-if study share. */
#ifndef SIM_WHAT_IMPL_H
#define SIM_WHAT_IMPL_H

#include <stdbool.h>

#include "sim/site/what.h"

/* A job as it ran, in the log or in a simulation. */
struct lived {
	double arrival_s, wait_s, run_s;
	uint32_t procs;
	double logged_s; /* the wait in the log; negative = not known */
};

/* Measure jobs on r->procs processors, in a time that begins at 0, by size.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_run(struct what_run *r, const struct lived *jobs, size_t n,
		     double span_s, const struct site_sizes *sizes,
		     struct libra_error *err);

/* Measure simulated jobs that have a logged wait, with either wait.  what has
 * machine, span and sizes.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_replay(struct what_replay *replay, const struct lived *jobs,
			size_t n, const struct what *what,
			struct libra_error *err);

/* _log:    measure the log's own jobs.
 * _groups: measure groups of them (partitions, queues, accounts, users), and
 *          how much of their limits they used.
 * Result: 0, or -1 with ENOMEM.
 */
int what_measure_log(struct what *what, const struct swf_trace *trace,
		     uint32_t procs, struct libra_error *err);
int what_measure_groups(struct what *what, const struct swf_trace *trace,
			struct libra_error *err);

/* Return true if a record has a run time and processors. */
bool what_is_job(const struct swf_record *r);

/* Return the processors of a record: those that it got, else those that it
 * asked for.
 */
uint32_t what_procs(const struct swf_record *r);

#endif
