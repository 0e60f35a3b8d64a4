/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserve.h - a reserve of the machine: trunk reservation for small jobs.
 *
 * Under load one large job that is accepted costs many small ones.  For a job
 * of n processors that needs c seconds by the deadline d:
 *
 *     work  = n x estimate, its mean over all offers
 *     size  = n c / (0.5 mean work)
 *     load  = offered work per second, over room x processors: the average of
 *             n min(estimate, d - submit), summed over the offers of one
 *             instant, over the average time from one instant with offers to
 *             the next.  The k-th instant counts by max(1 / k, 0.003), once it
 *             is past: a burst is no load.
 *     room  = 1.5; with at most r jobs on a processor 1.5 r / (r + 4)
 *     use   = sum of n_i need_i of the promised jobs with d_i <= d, over
 *             processors x (d - now)
 *     refuse if size > 1, load > 1 and
 *               use > max(0.005, 1 - 0.3 ln(load) ln(size))
 *
 * It refuses nothing before 20 such instants are past.  It gains jobs fulfilled
 * and costs work fulfilled (docs/beyond.md).  It touches no promise.
 *
 * Pure arithmetic on what the caller keeps.
 */
#ifndef LIBRA_RESERVE_H
#define LIBRA_RESERVE_H

#include <stdbool.h>

/* What the offers so far say; all zero at first. */
struct libra_reserve {
	double noffers;
	double mean_work_s;
	double ninstants;	     /* that are past and had offers */
	double last_s;		     /* the last of all */
	double pending_s;	     /* offered at that one */
	double offered_s, between_s; /* the averages */
};

/* The job that asks, in seconds; d and now are instants. */
struct libra_reserve_job {
	double nprocs;
	double estimate_s, need_s;
	double submit_s, deadline_s;
};

/* Would it refuse a job if enough were promised?  If not, nobody need look at
 * what is.  room_share: the 1.5 above, as the policy has it.
 */
bool libra_reserve_may_refuse(const struct libra_reserve *r,
			      const struct libra_reserve_job *job,
			      double room_share, double nprocs);

/* Does the reserve refuse a job?  promised_s: sum of n_i need_i of the promised
 * jobs due by its deadline.
 */
bool libra_reserve_refuses(const struct libra_reserve *r,
			   const struct libra_reserve_job *job,
			   double room_share, double nprocs, double promised_s,
			   double now_s);

/* Would it refuse none of so many equal jobs, offered at one instant?  Never a
 * wrong yes: the last one counts for all, and mean work never falls below
 * theirs.
 */
bool libra_reserve_surely_admits(const struct libra_reserve *r,
				 const struct libra_reserve_job *job,
				 double njobs, double room_share, double nprocs,
				 double promised_s, double now_s);

/* An offer was decided. */
void libra_reserve_learn(struct libra_reserve *r,
			 const struct libra_reserve_job *job, double now_s);

/* The room with at most so many jobs on a processor; 0 = any number. */
double libra_reserve_room(double room_share, double residents);

#endif
