/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.h - the numbers beside the page; the reader of fp finds errors. */
#ifndef SIM_SITE_SLURM_TABLES_H
#define SIM_SITE_SLURM_TABLES_H

#include <stdio.h>

#include "sim/site/slurm/study.h"

/* Each group beside the log. */
void slurm_study_write_proof(FILE *fp, const struct slurm_study *s);
/* Each group in each scenario, and each scenario. */
void slurm_study_write_waits(FILE *fp, const struct slurm_study *s);
void slurm_study_write_scenarios(FILE *fp, const struct slurm_study *s);
/* The points of the figures. */
void slurm_study_write_figures(FILE *fp, const struct slurm_study *s);
/* All of it. */
void slurm_study_write_json(FILE *fp, const struct slurm_study *s);

/* Draw waits over time and their distribution, measured beside simulated.
 * Result: 0, or -1 with ENOMEM or EIO (gnuplot failed).
 */
int slurm_study_figures(FILE *fp, const struct slurm_study *s,
			struct libra_error *err);

#endif
