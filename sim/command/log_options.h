/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_options.h - which part of a log a command takes: the options --side,
 * --partition, --qos and --unit; and
 * --capacity, what the machine had.
 */
#ifndef SIM_LOG_OPTIONS_H
#define SIM_LOG_OPTIONS_H

#include <argp.h>

#include "core/error.h"
#include "sim/log/side.h"
#include "sim/log/swf.h"
#include "sim/workload/workload.h"

struct cmd_log {
	const char *side, *partition, *qos, *capacity;
	enum side_unit unit; /* 0 = CPUs */
	bool strict;
	size_t last; /* not an option: records that are enough; 0 = all */
};

/* A child parser whose input is a struct cmd_log of zeros. */
extern const struct argp cmd_log_argp;

/* Read a log and keep that part of it.
 * Result: 0, or -1 as swf_read(), side_read() and side_choose().
 * Owner:  the caller calls swf_fini(); after an error it need not.
 */
int cmd_log_read(struct swf_trace *trace, const char *path,
		 const struct cmd_log *log, const char *argv0,
		 struct libra_error *err);

/* Read the capacity for a workload that was made of the log; none if there is
 * no such option.
 * Result: 0, or -1 as sim_capacity_read().
 * Owner:  the caller calls sim_capacity_fini() when the workload is done with.
 */
int cmd_log_capacity(struct sim_capacity *capacity, struct sim_workload *w,
		     const struct swf_trace *trace, const struct cmd_log *log,
		     const struct sim_scenario *sc, struct libra_error *err);

/* Read a time: seconds since 1970, or a date in a zone (NULL = UTC).  Without a
 * text (NULL) *at_s stays.
 * Result: 0, or -1 with ENOMEM, or EINVAL: not a time, or unknown zone.
 */
int cmd_instant(const char *option, const char *text, const char *zone,
		int64_t *at_s, struct libra_error *err);

#endif
