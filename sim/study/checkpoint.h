/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.h - a long study that can be stopped and taken up again.
 *
 * Points are run in slices; after each the results go to the end of a file.
 * What the file has of a point (the same scenario, policy, parameters, log and
 * version) is not run again.  A file that is damaged or of something else is
 * no error: what cannot be used is run.
 */
#ifndef SIM_RESUME_H
#define SIM_RESUME_H

#include "sim/study/experiment.h"

struct resume {
	const char *path;   /* the file; NULL = do not keep anything */
	size_t done, total; /* points so far, of all studies */
	sim_progress_f *progress;
	void *arg;
};

/* As study_run().  log names the trace, as by its sha256. */
int resume_run(struct resume *r, struct study *s, const struct swf_trace *trace,
	       const char *log, unsigned nworkers, struct libra_error *err);

#endif
