/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_options.h - which part of a log a command takes: the options --side,
 * --partition, --qos and --unit.
 */
#ifndef SIM_LOG_OPTIONS_H
#define SIM_LOG_OPTIONS_H

#include <argp.h>

#include "core/error.h"
#include "sim/log/side.h"
#include "sim/log/swf.h"

struct cmd_log {
	const char *side, *partition, *qos;
	enum side_unit unit; /* 0 = CPUs */
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

#endif
