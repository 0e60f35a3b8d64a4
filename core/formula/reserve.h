/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserve.h - a reserve of the machine: trunk reservation for small jobs.
 *
 * Under load, accepting one large job costs many small ones.  For a job of n
 * processors that needs c seconds by the deadline d:
 *
 *     work  = n x estimate, its mean over all offers
 *     size  = n c / unit
 *     unit  = 0.5 mean work (planned: 0.6).  With at most r jobs on a
 *             processor, unit is at most the work w for which the offered jobs
 *             of work w or less alone make the load 1
 *     load  = offered work per second, over room x processors: the average of
 *             n min(estimate, d - submit), summed over the offers of one
 *             instant, over the average time from one instant with offers to
 *             the next.  The k-th instant counts with weight max(1 / k, 0.003),
 *             once it is past, so that a burst is no load.
 *     room  = 1.5; with at most r jobs on a processor 1.5 r / (r + 4)
 *             (planned: 0.4, and more while jobs end before their estimates)
 *     use   = sum of n_i need_i of the promised jobs with d_i <= d, over
 *             processors x (d - now).  The policy planned adds half of the
 *             work that jobs due after d do before d by their reservations
 *     refuse if size > 1, load > 1 and
 *               use > max(0.005, 1 - 0.3 ln(load) ln(size))
 *
 * Offered work is stored by octave of a job's work.  Within an octave, offered
 * work counts as spread evenly over the logarithm of a job's work.
 *
 * No job is refused before 20 such instants are past.  The reserve lets more
 * jobs and less work be fulfilled (docs/beyond.md).  It never changes a
 * promise.
 *
 * Pure arithmetic on the caller's state: nothing is allocated and nothing
 * fails.  Callers: the policies band, demand and planned.  Work is in processor
 * seconds, times in seconds.
 */
#ifndef LIBRA_RESERVE_H
#define LIBRA_RESERVE_H

#include <stdbool.h>

/* Octaves of work; the first is 1 to 2 processor seconds.  Smaller and larger
 * work counts in the first and the last.
 */
#define LIBRA_RESERVE_OCTAVES 40

/* Statistics of the offers so far; all zero at first. */
struct libra_reserve {
	double noffers;
	double mean_work_s;
	double ninstants; /* past instants that had offers */
	double last_s;	  /* the last instant with an offer */
	double between_s; /* average time between such instants */
	/* By octave: the average offered work, and the work at the last
	 * instant.
	 */
	double offered_s[LIBRA_RESERVE_OCTAVES];
	double pending_s[LIBRA_RESERVE_OCTAVES];
};

/* The machine and the policy's constants. */
struct libra_reserve_machine {
	double nprocs;
	double room; /* the 1.5 or 0.4 above; the policy sets it */
	double unit; /* fraction of mean work: the 0.5 or 0.6 above; the policy
			sets it */
	double residents; /* most jobs on a processor; 0 = any number */
};

/* The offered job, in seconds; submit and deadline are instants. */
struct libra_reserve_job {
	double nprocs;
	double estimate_s, need_s;
	double submit_s, deadline_s;
};

/* Return true if the reserve refuses the job at some use of the machine.  If
 * false, the caller need not compute promised_s.
 */
bool libra_reserve_may_refuse(const struct libra_reserve *r,
			      const struct libra_reserve_machine *m,
			      const struct libra_reserve_job *job);

/* Return true if the reserve refuses the job.  promised_s is the work promised
 * by its deadline, the numerator of use.
 */
bool libra_reserve_refuses(const struct libra_reserve *r,
			   const struct libra_reserve_machine *m,
			   const struct libra_reserve_job *job,
			   double promised_s, double now_s);

/* Return true if the reserve certainly refuses none of njobs equal jobs,
 * offered at one instant.  Never wrongly true: each job is tested with the use
 * that the last one finds, and with a mean work no larger than it will be.
 */
bool libra_reserve_surely_admits(const struct libra_reserve *r,
				 const struct libra_reserve_machine *m,
				 const struct libra_reserve_job *job,
				 double njobs, double promised_s, double now_s);

/* Return the average offered work of an instant, of all sizes. */
double libra_reserve_offered_s(const struct libra_reserve *r);

/* Add a decided offer to the statistics, whether it was accepted or refused. */
void libra_reserve_learn(struct libra_reserve *r,
			 const struct libra_reserve_job *job, double now_s);

#endif
