/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.h - a grid of scenarios x policies x seeds, read from a file.
 *
 * The file names the log, the policies and the seeds, and for each number of a
 * scenario one or several values; every combination is a point:
 *
 *     trace = "SDSC-SP2-1998-4.2-cln.swf.gz"
 *     last = 3000
 *     policies = {libra, librarisk}
 *     set = {"edf.admission=no"}
 *     seeds = {1, 2, 3}
 *     arrival_delay = {0.1, 0.3, 1}
 *     high_urgency = {20, 100}
 *
 * A sweep can be stopped and resumed.  Each row of its table begins with the
 * key of its point (point.h), and points whose rows exist are not run again.
 *
 * The caller is `librasim sweep` (sim/command/sweep_job.h).
 */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include <stddef.h>
#include <stdio.h>

#include "core/error.h"
#include "sim/run/policies.h"
#include "sim/study/grid.h"

#define SWEEP_MAX_FIELDS 32

struct sweep {
	char *trace; /* as given: a path, or a name to search for */
	struct sim_policies policies;
	struct sim_scenario base;
	size_t swept[SWEEP_MAX_FIELDS]; /* indices of scenario fields that
					   have several values */
	size_t nswept;
	struct sim_point *points; /* by combination of values, then policy,
				     then seed; the last field varies fastest
				     among combinations */
	size_t npoints;
};

/* Read the file of a sweep and make its points.
 * Result: 0, or -1 with errno of the system or EINVAL; the text names file and
 *         line.
 * Owner:  the caller calls sweep_fini(), also after an error.
 */
int sweep_read(struct sweep *s, const char *path, struct libra_error *err);
void sweep_fini(struct sweep *s);

/* The table of an earlier run: its lines, in order of keys. */
struct sweep_rows {
	char **line;
	size_t n;
};

/* Read the table of an earlier run.  A missing file gives no rows.
 * Result: 0, or -1 with ENOMEM, errno of the system, or EINVAL if the table
 *         does not have the columns of this sweep; the caller must not
 *         overwrite it then.
 * Owner:  the caller calls sweep_rows_fini().
 */
int sweep_rows_read(struct sweep_rows *rows, const struct sweep *s,
		    const char *path, struct libra_error *err);
void sweep_rows_fini(struct sweep_rows *rows);

/* Return the line with a key, or NULL.  Cost: O(log rows). */
const char *sweep_rows_find(const struct sweep_rows *rows, const char *key);

/* Write the first line of the table, or the row of a point. */
void sweep_heading(FILE *fp, const struct sweep *s);
void sweep_row(FILE *fp, const struct sweep *s, const struct sim_point *point,
	       const char *key, const struct sim_result *result);

#endif
