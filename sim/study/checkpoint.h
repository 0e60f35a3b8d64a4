/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.h - run a long study that can be stopped and resumed.
 *
 * Points are run in slices of 60; after each slice the results are appended to
 * a file.  Points whose results are in the file (the same scenario, policy,
 * parameters, log and version) are not run again.  A file that is damaged or
 * belongs to another study is no error: points without a usable result are run.
 *
 * The caller is sim/paper, in the process that starts the workers.
 */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include "sim/study/experiment.h"

struct checkpoint {
	const char *path;	  /* the file; NULL = keep no results */
	const char *folder;	  /* of the file; made with the first results */
	size_t done, total;	  /* points so far, summed over all studies */
	sim_progress_f *progress; /* called with both; NULL = none */
	void *arg;
};

/* Run all cells of a study with nworkers processes, and store the results in
 * the study.  log identifies the trace, for example by its sha256.
 * Result: 0, or -1 as sim_grid_run(), or with errno of writing the file.
 *         Results of slices that ended are kept.
 */
int checkpoint_run(struct checkpoint *r, struct study *s,
		   const struct swf_trace *trace, const char *log,
		   unsigned nworkers, struct libra_error *err);

#endif
