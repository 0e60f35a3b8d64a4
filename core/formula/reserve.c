/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reserve.c - see reserve.h. */
#include "core/formula/reserve.h"

#include <math.h>

#include "core/formula/log.h"

#define FIRST_INSTANTS 20
#define LEAST_WEIGHT   0.003
#define LEAST_USE      0.005
#define STEEPNESS      0.3
#define RESIDENTS_HALF 4 /* residents that have half the room */

double libra_reserve_offered_s(const struct libra_reserve *r)
{
	double sum_s = 0;

	for (int i = 0; i < LIBRA_RESERVE_OCTAVES; i++)
		sum_s += r->offered_s[i];
	return sum_s;
}

/* Return the room as work between two instants. */
static double room_s(const struct libra_reserve *r,
		     const struct libra_reserve_machine *m)
{
	double share = m->residents > 0
			       ? m->residents / (m->residents + RESIDENTS_HALF)
			       : 1;

	return m->room * share * m->nprocs * r->between_s;
}

/* Return the work up to which jobs fill the room; INFINITY if all jobs do not.
 */
static double filling_work_s(const struct libra_reserve *r, double room)
{
	double sum_s = 0;

	for (int i = 0; i < LIBRA_RESERVE_OCTAVES; i++) {
		if (sum_s + r->offered_s[i] > room)
			return libra_exp2(i + (room - sum_s) / r->offered_s[i]);
		sum_s += r->offered_s[i];
	}
	return INFINITY;
}

/* Return the use of the machine above which the reserve refuses a job; INFINITY
 * = never.
 */
static double most_use(const struct libra_reserve *r,
		       const struct libra_reserve_machine *m,
		       const struct libra_reserve_job *job)
{
	double room, unit_s, size, load;

	if (r->ninstants < FIRST_INSTANTS)
		return INFINITY;
	room = room_s(r, m);
	unit_s = m->unit * r->mean_work_s;
	if (m->residents > 0)
		unit_s = fmin(unit_s, filling_work_s(r, room));
	size = job->nprocs * job->need_s / unit_s;
	load = libra_reserve_offered_s(r) / room;
	if (!(size > 1 && load > 1))
		return INFINITY;
	return fmax(LEAST_USE,
		    1 - STEEPNESS * libra_log(load) * libra_log(size));
}

bool libra_reserve_may_refuse(const struct libra_reserve *r,
			      const struct libra_reserve_machine *m,
			      const struct libra_reserve_job *job)
{
	return most_use(r, m, job) < INFINITY;
}

bool libra_reserve_refuses(const struct libra_reserve *r,
			   const struct libra_reserve_machine *m,
			   const struct libra_reserve_job *job,
			   double promised_s, double now_s)
{
	return promised_s / (m->nprocs * (job->deadline_s - now_s)) >
	       most_use(r, m, job);
}

bool libra_reserve_surely_admits(const struct libra_reserve *r,
				 const struct libra_reserve_machine *m,
				 const struct libra_reserve_job *job,
				 double njobs, double promised_s, double now_s)
{
	double work_s = job->nprocs * job->estimate_s;
	struct libra_reserve first = *r, rest = *r;

	promised_s += njobs * job->nprocs * job->need_s;
	libra_reserve_learn(&rest, job, now_s);
	first.mean_work_s = fmin(first.mean_work_s, work_s);
	rest.mean_work_s = fmin(rest.mean_work_s, work_s);
	return !libra_reserve_refuses(&first, m, job, promised_s, now_s) &&
	       !libra_reserve_refuses(&rest, m, job, promised_s, now_s);
}

static int octave(double work_s)
{
	int exponent;

	if (!(work_s >= 2))
		return 0;
	frexp(work_s, &exponent); /* at least 0.5 x 2^exponent */
	return exponent - 1 < LIBRA_RESERVE_OCTAVES ? exponent - 1
						    : LIBRA_RESERVE_OCTAVES - 1;
}

/* Count a past instant that had offers. */
static void count_instant(struct libra_reserve *r, double between_s)
{
	double weight = fmax(LEAST_WEIGHT, 1 / ++r->ninstants);

	r->between_s += weight * (between_s - r->between_s);
	for (int i = 0; i < LIBRA_RESERVE_OCTAVES; i++) {
		r->offered_s[i] += weight * (r->pending_s[i] - r->offered_s[i]);
		r->pending_s[i] = 0;
	}
}

void libra_reserve_learn(struct libra_reserve *r,
			 const struct libra_reserve_job *job, double now_s)
{
	double due_s = job->deadline_s - job->submit_s;
	double offered_s = job->nprocs * fmin(job->estimate_s, due_s);

	if (r->noffers > 0 && now_s > r->last_s)
		count_instant(r, now_s - r->last_s);
	r->pending_s[octave(offered_s)] += offered_s;
	r->last_s = now_s;
	r->noffers++;
	r->mean_work_s +=
		(job->nprocs * job->estimate_s - r->mean_work_s) / r->noffers;
}
