/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_options.h - options for a part of a log (--side, --partition, --qos,
 * --unit), and for the capacity of its machine (--capacity).
 */
#ifndef SIM_LOG_OPTIONS_H
#define SIM_LOG_OPTIONS_H

#include <argp.h>

#include "core/error.h"
#include "sim/log/side.h"
#include "sim/log/swf.h"
#include "sim/workload/workload.h"

struct cmd_log {
	const char *side, *partition, *qos, *capacity; /* NULL = not given */
	enum side_unit unit;			       /* 0 = CPUs */
	bool strict; /* a negative value in the log is an error */
	size_t last; /* not an option: records that the caller needs; 0 = all */
};

/* A child parser whose input is a struct cmd_log of zeros. */
extern const struct argp cmd_log_argp;

/* Read a log and keep the part that the options name.  Print a note if the log
 * is odd; with strict, fail for a negative value.
 * Result: 0, or -1 as swf_read(), side_read() and side_choose().
 * Owner:  the caller calls swf_fini(); after an error it need not.
 */
int cmd_log_read(struct swf_trace *trace, const char *path,
		 const struct cmd_log *log, const char *argv0,
		 struct libra_error *err);

/* Read the capacity for a workload that was made of the log, and set
 * w->capacity.  Without --capacity there is none.
 * Result: 0, or -1 as sim_capacity_read().
 * Owner:  the caller calls sim_capacity_fini() after the last use of the
 *         workload.
 */
int cmd_log_capacity(struct sim_capacity *capacity, struct sim_workload *w,
		     const struct swf_trace *trace, const struct cmd_log *log,
		     const struct sim_scenario *sc, struct libra_error *err);

/* Read an instant: seconds since 1970, or a date in a zone (NULL = UTC).  text
 * NULL: *at_s does not change.  option is for messages.
 * Result: 0, or -1 with ENOMEM, or EINVAL: not a time, or unknown zone.
 */
int cmd_instant(const char *option, const char *text, const char *zone,
		int64_t *at_s, struct libra_error *err);

#endif
