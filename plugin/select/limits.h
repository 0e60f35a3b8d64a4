/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - what the limits of accounts and QOS leave to a job.
 *
 * Slurm compares them when a job is to start, with what runs then.  A promise
 * is given before that, so jobs that are promised something and wait count as
 * if they ran: whatever was promised may start.  Of each limit the first counts
 * that is set, as Slurm has it: of the QOS of the partition, the job's own QOS,
 * its association and those above.
 *
 * Counted are CPUs, memory, nodes, billing and, where Slurm accounts for them,
 * GPUs of any type; limits of other things (one type of GPUs, licences) are
 * left to Slurm.
 */
#ifndef LIBRA_SELECT_LIMITS_H
#define LIBRA_SELECT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include <slurm/slurmdb.h>

struct job_record;

enum {
	LIBRA_CPU,
	LIBRA_MEM,
	LIBRA_NODES,
	LIBRA_BILLING,
	LIBRA_GPUS,
	LIBRA_COUNTED
};

/* Whose job it is, and what it wants. */
struct libra_wish {
	uint32_t user;
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *qos[2]; /* in the order in which they count */
	uint32_t jobs;			 /* of an array, so many at once */
	uint64_t want[LIBRA_COUNTED];	 /* of each; of nodes the fewest */
	uint64_t node_gpus;		 /* that go with each node; 0 = none */
	uint32_t job_id; /* is in the queue by now; 0 = is submitted */
};

struct libra_limits {
	double run_s; /* the longest run that is permitted; INFINITY = any */
	double room;  /* so many such jobs may begin; INFINITY = any number */
	const char *name;   /* of the limit that says so; static */
	bool never;	    /* not even were there no other job */
	uint32_t max_nodes; /* of each job; 0 = any number */
};

/* Read locks of assoc_mgr's associations, QOS, TRES and users. */
void libra_limits_lock(void);
void libra_limits_unlock(void);

/* The caller holds these, and Slurm's lock of jobs if promised ones that wait
 * are to count.
 */
void libra_limits(const struct libra_wish *wish, bool with_promised,
		  struct libra_limits *limits);

/* Both QOS of a wish, as Slurm orders them.  Either may be NULL. */
void libra_limits_order(struct libra_wish *wish, const slurmdb_qos_rec_t *job,
			const slurmdb_qos_rec_t *partition);

/* Those of a job in the queue.  It takes assoc_mgr's locks by itself.
 * Result: false if none are enforced, or it has no association; *limits are
 *         then those of a job without any.
 */
bool libra_limits_of(const struct job_record *job, bool with_promised,
		     struct libra_limits *limits);

/* Does one hold back a job with a record of ours? Slurm itself looks at many of
 * them only when it has found a place, and who cannot start shall not be
 * promised that (again).
 */
bool libra_limits_hold(const struct job_record *job);

/* Does a job without a promise leave promised ones the room that they will
 * need? If it has none itself, that is for Slurm to say.
 */
bool libra_limits_leave(const struct job_record *job);

#endif
