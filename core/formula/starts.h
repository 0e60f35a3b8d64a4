/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts.h - plan jobs in their order, each at the earliest instant at which
 * enough processors are free for as long as it runs (conservative
 * backfilling).
 */
#ifndef LIBRA_STARTS_H
#define LIBRA_STARTS_H

#include <stddef.h>
#include <stdint.h>

/* How many processors are free from each instant on. */
struct libra_starts_step {
	double at_s;
	int64_t free;
};

struct libra_starts {
	struct libra_starts_step *steps;
	size_t n, cap;
};

/* Begin a plan of a machine without jobs; all zero before the first call.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls libra_starts_fini().
 */
int libra_starts_begin(struct libra_starts *plan, double now_s, int64_t procs);
void libra_starts_fini(struct libra_starts *plan);

/* Take the processors of a running job until an instant after the plan's
 * beginning.  Jobs may run on more processors than the machine has.
 * Result: 0, or -1 with ENOMEM.
 */
int libra_starts_running(struct libra_starts *plan, int64_t procs,
			 double end_s);

/* Plan a job, and take its processors.
 * Units:  run_s > 0; INFINITY is fine.
 * Result: its start; INFINITY if it never fits; NAN with ENOMEM.
 */
double libra_starts_add(struct libra_starts *plan, int64_t procs, double run_s);

#endif
