/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - counts from the events of decision logs, for Prometheus.
 *
 * The counts are one JSON object, which is saved between calls (follow.h).  If
 * memory is out, the command ends (print.h).
 */
#ifndef LIBRA_CLI_METRICS_H
#define LIBRA_CLI_METRICS_H

#include <jansson.h>

#include "plugin/cli/events/follow.h"

enum { CLI_METRICS_VERSION = 1 };

/* Count the events that a log got since the last call.
 * Result: 0, or -1 with errno and a text.
 */
int cli_metrics_read(json_t *counts, const struct cli_followed *log,
		     struct libra_error *err);

/* Count the waits in the lines that Slurm's job completion log, or a file of
 * sacct (past.h), got since the last call.  Damaged lines are counted as
 * errors.
 * Result: 0, or -1 with errno and a text.
 */
int cli_metrics_read_waits(json_t *counts, const char *path,
			   struct libra_error *err);

/* Print the counts in Prometheus' text format, or as OpenMetrics. */
void cli_metrics_print(const json_t *counts, bool openmetrics, FILE *out);

#endif
