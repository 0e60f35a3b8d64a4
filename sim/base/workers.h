/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.h - pieces of work, done by several processes.
 *
 * Pieces are independent.  Each worker process takes the next piece and writes
 * its results to their own place in shared memory, so the results do not depend
 * on the number of workers.  A worker is a fork of the caller: it sees all data
 * that the caller has prepared, and there are no threads.
 *
 * No worker outlives the caller, even if the caller is killed.
 */
#ifndef SIM_WORKERS_H
#define SIM_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "sim/base/progress.h"

/* The process that does a piece; run() gets it to report progress. */
struct sim_workers;

struct sim_pieces {
	size_t n;
	size_t nsteps; /* steps of the progress, summed over all pieces */
	/* Do one piece, and write its results into results.  That memory is
	 * shared, and is a copy of the caller's results at first; any other
	 * change of memory is lost with the process.
	 * Result: 0, or -1 with errno and text.
	 */
	int (*run)(struct sim_workers *w, void *arg, size_t piece,
		   void *results, struct libra_error *err);
	void *arg;
	void *results; /* the caller's: size bytes */
	size_t size;
};

/* Report that a step of a piece is done.
 * Result: false if another piece has failed: return from run() then.
 */
bool sim_workers_step(struct sim_workers *w);

/* Report that `done` of `total` of the present step is done.  A sim_progress_f
 * whose argument is the struct sim_workers.
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
