/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.h - promises in the scenarios, and the waits of the other jobs with
 * and without these promises.
 *
 * If no scenario makes promises, the page has no such section.
 */
#ifndef SIM_SITE_SLURM_PROMISES_H
#define SIM_SITE_SLURM_PROMISES_H

#include <stdio.h>

#include "sim/output/json.h"
#include "sim/site/slurm/study.h"

/* Return true if a scenario makes promises. */
bool slurm_study_promises(const struct slurm_study *s);

/* Write the counts of each scenario with promises, and the waits of the other
 * jobs by group, as CSV.
 */
void slurm_study_write_promises(FILE *fp, const struct slurm_study *s);

/* Write the same of one scenario as members of the open object; nothing if the
 * scenario makes no promises.
 */
void slurm_study_json_promises(struct out_json *j, const struct slurm_study *s,
			       size_t run);

/* Write the section of the page.  Result: 0, or -1 with ENOMEM. */
int slurm_study_show_promises(FILE *fp, const struct slurm_study *s);

#endif
