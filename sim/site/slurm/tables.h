/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.h - the files beside the page of a study.  The caller tests fp for
 * errors of writing.
 */
#ifndef SIM_SITE_SLURM_TABLES_H
#define SIM_SITE_SLURM_TABLES_H

#include <stdio.h>

#include "sim/site/slurm/study.h"

/* Write as CSV: each group's simulated waits beside the logged ones. */
void slurm_study_write_proof(FILE *fp, const struct slurm_study *s);
/* Write as CSV: each group's waits in each scenario, and each scenario. */
void slurm_study_write_waits(FILE *fp, const struct slurm_study *s);
void slurm_study_write_scenarios(FILE *fp, const struct slurm_study *s);
/* Write as CSV: the points of the figures. */
void slurm_study_write_figures(FILE *fp, const struct slurm_study *s);
/* Write all of these as one JSON object. */
void slurm_study_write_json(FILE *fp, const struct slurm_study *s);

/* Write figures into the page: waits over time and their distribution, measured
 * beside simulated.
 * Result: 0, or -1 with ENOMEM or EIO (gnuplot failed).
 */
int slurm_study_figures(FILE *fp, const struct slurm_study *s,
			struct libra_error *err);

#endif
