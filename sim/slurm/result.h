/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.h - the outcome of a simulation or a comparison, for people and
 * programs.
 */
#ifndef SIM_SLURM_RESULT_H
#define SIM_SLURM_RESULT_H

#include <stdio.h>

#include "sim/output/json.h"
#include "sim/slurm/promises/promises.h"
#include "sim/slurm/simulate.h"
#include "sim/slurm/steps.h"

/* Write all tasks as CSV, sorted by id.  Here and below the caller tests fp for
 * errors of writing.
 */
void sched_write_jobs(const struct sched_load *load, FILE *fp);

/* Print the summary; json: as one object.
 * Result: 0, or -1 with ENOMEM.
 */
int sched_print_result(const struct sched_load *load,
		       const struct sched_figures *figures, bool json,
		       FILE *fp);

/* Write the counts of promises as a member `promises` of the open object. */
void sched_json_promises(struct out_json *j,
			 const struct sched_promise_counts *counts,
			 const struct sched_ignored_list *unable);

/* Print the counts of a comparison; json: as one object.  Result: 0. */
int sched_print_steps(const struct steps *steps, bool json, FILE *fp);

#endif
