/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.h - run a long study that can be stopped and resumed.
 *
 * Points are run in slices; after each slice the results are appended to a
 * file.  Points whose results are in the file (the same scenario, policy,
 * parameters, log and version) are not run again.  A file that is damaged or
 * belongs to another study is no error: what cannot be used is run.
 */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include "sim/study/experiment.h"

struct checkpoint {
	const char *path;   /* the file; NULL = keep nothing */
	const char *folder; /* of the file; made with the first results */
	size_t done, total; /* points so far, of all studies */
	sim_progress_f *progress;
	void *arg;
};

/* Run all cells of a study; result as sim_grid_run().  log names the trace, as
 * by its sha256.
 */
int checkpoint_run(struct checkpoint *r, struct study *s,
		   const struct swf_trace *trace, const char *log,
		   unsigned nworkers, struct libra_error *err);

#endif
