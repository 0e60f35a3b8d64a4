/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cells.h - waits, as page and tables write them. */
#ifndef SIM_SITE_SLURM_CELLS_H
#define SIM_SITE_SLURM_CELLS_H

#include <stdio.h>

#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/site/what.h"

enum {
	SLURM_DURATION = 32,
	STUDY_GROUPS_SHOWN = 12, /* of a kind, in a table of the page */
};

/* Write a wait for people.  Result: buf. */
const char *slurm_study_duration(char buf[SLURM_DURATION], double s);

/* A wait in a table of the page, and its change if there is any to show. */
void slurm_study_wait_cell(struct out_table *t, double s, double was_s);

/* Numbers, with a comma before each. */
void slurm_study_csv_numbers(FILE *fp, const double *values, size_t n);

/* Mean, half and 90 % of waits, with a comma before each. */
void slurm_study_csv_waits(FILE *fp, const struct what_waits *w);

/* Number, mean, half and 90 % of waits: as members of the open object, and as
 * an object of their own.
 */
void slurm_study_json_wait_members(struct out_json *j,
				   const struct what_waits *w);
void slurm_study_json_waits(struct out_json *j, const char *key,
			    const struct what_waits *w);

#endif
