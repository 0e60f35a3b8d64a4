/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.h - promises of the scenarios, and what they cost the other jobs.
 *
 * Nothing is written if no scenario makes promises.
 */
#ifndef SIM_SITE_SLURM_PROMISES_H
#define SIM_SITE_SLURM_PROMISES_H

#include <stdio.h>

#include "sim/output/json.h"
#include "sim/site/slurm/study.h"

/* Return true if a scenario makes promises. */
bool slurm_study_promises(const struct slurm_study *s);

/* Each scenario's counts, and each group's waits, as CSV. */
void slurm_study_write_promises(FILE *fp, const struct slurm_study *s);

/* The same of one scenario, as a member of its object. */
void slurm_study_json_promises(struct out_json *j, const struct slurm_study *s,
			       size_t run);

/* A section of the page.  Result: 0, or -1 with ENOMEM. */
int slurm_study_show_promises(FILE *fp, const struct slurm_study *s);

#endif
