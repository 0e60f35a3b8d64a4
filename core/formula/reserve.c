/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reserve.c - see reserve.h. */
#include "core/formula/reserve.h"

#include <math.h>

#define FIRST_INSTANTS 20
#define LEAST_WEIGHT   0.003
#define SIZE_OF_MEAN   0.5
#define LEAST_USE      0.005
#define STEEPNESS      0.3
#define RESIDENTS_HALF 4 /* so many residents have half the room */

/* The use of the machine above which it refuses a job; INFINITY = never. */
static double most_use(const struct libra_reserve *r,
		       const struct libra_reserve_job *job, double room_share,
		       double nprocs)
{
	double size, load;

	if (r->ninstants < FIRST_INSTANTS)
		return INFINITY;
	size = job->nprocs * job->need_s / (SIZE_OF_MEAN * r->mean_work_s);
	load = r->offered_s / (room_share * nprocs * r->between_s);
	if (!(size > 1 && load > 1))
		return INFINITY;
	return fmax(LEAST_USE, 1 - STEEPNESS * log(load) * log(size));
}

bool libra_reserve_may_refuse(const struct libra_reserve *r,
			      const struct libra_reserve_job *job,
			      double room_share, double nprocs)
{
	return most_use(r, job, room_share, nprocs) < INFINITY;
}

bool libra_reserve_refuses(const struct libra_reserve *r,
			   const struct libra_reserve_job *job,
			   double room_share, double nprocs, double promised_s,
			   double now_s)
{
	return promised_s / (nprocs * (job->deadline_s - now_s)) >
	       most_use(r, job, room_share, nprocs);
}

bool libra_reserve_surely_admits(const struct libra_reserve *r,
				 const struct libra_reserve_job *job,
				 double njobs, double room_share, double nprocs,
				 double promised_s, double now_s)
{
	double work_s = job->nprocs * job->estimate_s;
	struct libra_reserve first = *r, rest = *r;

	promised_s += njobs * job->nprocs * job->need_s;
	libra_reserve_learn(&rest, job, now_s);
	first.mean_work_s = fmin(first.mean_work_s, work_s);
	rest.mean_work_s = fmin(rest.mean_work_s, work_s);
	return !libra_reserve_refuses(&first, job, room_share, nprocs,
				      promised_s, now_s) &&
	       !libra_reserve_refuses(&rest, job, room_share, nprocs,
				      promised_s, now_s);
}

void libra_reserve_learn(struct libra_reserve *r,
			 const struct libra_reserve_job *job, double now_s)
{
	double due_s = job->deadline_s - job->submit_s;
	double offered_s = job->nprocs * fmin(job->estimate_s, due_s);

	if (r->noffers > 0 && now_s > r->last_s) {
		double weight = fmax(LEAST_WEIGHT, 1 / ++r->ninstants);

		r->offered_s += weight * (r->pending_s - r->offered_s);
		r->between_s += weight * (now_s - r->last_s - r->between_s);
		r->pending_s = 0;
	}
	r->pending_s += offered_s;
	r->last_s = now_s;
	r->noffers++;
	r->mean_work_s +=
		(job->nprocs * job->estimate_s - r->mean_work_s) / r->noffers;
}

double libra_reserve_room(double room_share, double residents)
{
	if (residents <= 0)
		return room_share;
	return room_share * residents / (residents + RESIDENTS_HALF);
}
