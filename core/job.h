/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - all that a policy may know of a job.
 *
 * There is no real run time here: only the simulator's own job has one, so
 * that no policy can peek.  Times are seconds, absolute, on one clock of the
 * host's choice; a duration is named so.
 */
#ifndef LIBRA_JOB_H
#define LIBRA_JOB_H

#include <stdint.h>

struct libra_job {
	uint64_t id;	   /* the host's id; 0 until it is known */
	double submit_s;   /* instant of submission */
	double estimate_s; /* duration on whole processors, > 0 */
	double deadline_s; /* instant; INFINITY = none */
	uint32_t nprocs;   /* processors, >= 1 */
	uint32_t user;	   /* the host's number for the user */
};

#endif
