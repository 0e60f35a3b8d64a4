/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserve.h - a reserve of the machine: trunk reservation for small jobs.
 *
 * Under load one large job that is accepted costs many small ones.  For a job
 * of n processors that needs c seconds by the deadline d:
 *
 *     work  = n x estimate, its mean over all offers
 *     size  = n c / unit
 *     unit  = 0.5 mean work (planned: 0.6); with at most r jobs on a processor
 *             no more than the work up to which the offered jobs fill the room
 *             by themselves
 *     load  = offered work per second, over room x processors: the average of
 *             n min(estimate, d - submit), summed over the offers of one
 *             instant, over the average time from one instant with offers to
 *             the next.  The k-th instant counts by max(1 / k, 0.003), once it
 *             is past: a burst is no load.
 *     room  = 1.5; with at most r jobs on a processor 1.5 r / (r + 4)
 *     use   = sum of n_i need_i of the promised jobs with d_i <= d, over
 *             processors x (d - now); planned adds half of what those due later
 *             use before d by their plans
 *     refuse if size > 1, load > 1 and
 *               use > max(0.005, 1 - 0.3 ln(load) ln(size))
 *
 * The offered work is kept by the octave of a job's work, and spread evenly
 * over the logarithms of an octave where the unit falls into it.
 *
 * It refuses nothing before 20 such instants are past.  It gains jobs fulfilled
 * and costs work fulfilled (docs/beyond.md).  It touches no promise.
 *
 * Pure arithmetic on what the caller keeps.
 */
#ifndef LIBRA_RESERVE_H
#define LIBRA_RESERVE_H

#include <stdbool.h>

/* Octaves of work, 1 to 2 processor seconds the first; what is less or more
 * counts to the first and the last.
 */
#define LIBRA_RESERVE_OCTAVES 40

/* What the offers so far say; all zero at first. */
struct libra_reserve {
	double noffers;
	double mean_work_s;
	double ninstants; /* that are past and had offers */
	double last_s;	  /* the last of all */
	double between_s; /* the average */
	/* By octave: the averages of what is offered, and what was at the last
	 * instant.
	 */
	double offered_s[LIBRA_RESERVE_OCTAVES];
	double pending_s[LIBRA_RESERVE_OCTAVES];
};

/* What jobs may have. */
struct libra_reserve_machine {
	double nprocs;
	double room;	  /* the 1.5 above, as the policy has it */
	double unit;	  /* of the mean work: the 0.5 above, likewise */
	double residents; /* the most jobs on a processor; 0 = any number */
};

/* The job that asks, in seconds; d and now are instants. */
struct libra_reserve_job {
	double nprocs;
	double estimate_s, need_s;
	double submit_s, deadline_s;
};

/* Would it refuse a job if enough were promised?  If not, nobody need look at
 * what is.
 */
bool libra_reserve_may_refuse(const struct libra_reserve *r,
			      const struct libra_reserve_machine *m,
			      const struct libra_reserve_job *job);

/* Does the reserve refuse a job?  promised_s: what is promised by its deadline,
 * the numerator of use.
 */
bool libra_reserve_refuses(const struct libra_reserve *r,
			   const struct libra_reserve_machine *m,
			   const struct libra_reserve_job *job,
			   double promised_s, double now_s);

/* Would it refuse none of so many equal jobs, offered at one instant?  Never a
 * wrong yes: the last one counts for all, and mean work never falls below
 * theirs.
 */
bool libra_reserve_surely_admits(const struct libra_reserve *r,
				 const struct libra_reserve_machine *m,
				 const struct libra_reserve_job *job,
				 double njobs, double promised_s, double now_s);

/* Offered work of all sizes, the average for an instant. */
double libra_reserve_offered_s(const struct libra_reserve *r);

/* An offer was decided. */
void libra_reserve_learn(struct libra_reserve *r,
			 const struct libra_reserve_job *job, double now_s);

#endif
