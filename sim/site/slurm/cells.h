/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cells.h - waits as text in pages, CSV and JSON. */
#ifndef SIM_SITE_SLURM_CELLS_H
#define SIM_SITE_SLURM_CELLS_H

#include <stdio.h>

#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/site/what.h"

enum {
	SLURM_DURATION = 32,
	STUDY_GROUPS_SHOWN = 12, /* most groups of a kind in a page's table */
};

/* Write s seconds for people, in s, min or h; "-" if not finite.  Result: buf.
 */
const char *slurm_study_duration(char buf[SLURM_DURATION], double s);

/* Add a cell with a wait and, if was_s is at least WHAT_LEAST_WAIT_S, its
 * change in %.
 */
void slurm_study_wait_cell(struct out_table *t, double s, double was_s);

/* Write mean, median and 90 % quantile as CSV, with a comma before each. */
void slurm_study_csv_waits(FILE *fp, const struct what_waits *w);

/* Write number, mean, median and 90 % quantile: as members of the open object,
 * or as an object named `key`.
 */
void slurm_study_json_wait_members(struct out_json *j,
				   const struct what_waits *w);
void slurm_study_json_waits(struct out_json *j, const char *key,
			    const struct what_waits *w);

#endif
