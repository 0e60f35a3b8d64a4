/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - pieces of work, done by several processes.
 *
 * Pieces are independent.  Each worker process takes the next piece and writes
 * its results to their own place in shared memory, so the results do not depend
 * on the number of workers.
 *
 * No worker outlives the caller, even if the caller is killed.
 */
#ifndef SIM_WORKERS_H
#define SIM_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/base/progress.h"

/* The worker process that a piece is done by. */
struct sim_workers;

struct sim_pieces {
	size_t n;
	size_t nsteps; /* of the progress, in all pieces together */
	/* Do one piece: write its results into results, which is shared and
	 * begins as the caller's; other changes are lost.
	 * Result: 0, or -1 with errno and text.
	 */
	int (*run)(struct sim_workers *w, void *arg, size_t piece,
		   void *results, struct libra_error *err);
	void *arg;
	void *results; /* the caller's: size bytes */
	size_t size;
};

/* Report that a step of a piece is done.
 * Result: false if another piece has failed: then stop.
 */
bool sim_workers_step(struct sim_workers *w);

/* A sim_progress_f; workers is the struct sim_workers.  Report what part of the
 * step is done that is under way.
 */
void sim_workers_part(void *workers, double done, double total);

/* Do all pieces with nworkers processes (0 or 1 = in this process).  progress
 * (NULL = none) is called in this process, a few times a second and at the end,
 * with the steps that are done, parts of steps included.
 * Result: 0, or -1: a piece failed (its errno and text), a worker died (EIO),
 *         ENOMEM.  Then all workers are gone and the results are as they were.
 */
int sim_workers_run(const struct sim_pieces *pieces, unsigned nworkers,
		    sim_progress_f *progress, void *arg,
		    struct libra_error *err);

#endif
