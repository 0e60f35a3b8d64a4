/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - the headroom that limits of accounts and QOS leave to a job.
 *
 * Slurm tests these limits at the start of a job, against the running jobs.  A
 * promise is given before that.  So waiting promised jobs count as running
 * here, and every promised job may start.  If a limit is set several times, the
 * first counts, as in Slurm: that of the partition's QOS, the job's QOS, its
 * association and the parents of that.
 *
 * CPUs, memory, nodes, billing and, if Slurm accounts for them, GPUs of any
 * type are counted.  Limits of other resources (GPUs of one type, licences) are
 * left to Slurm.
 *
 * Callers: rules.c and access.c in the thread of a submission or change, and
 * the select plugin in any thread.  Each caller holds Slurm's lock of jobs, to
 * read at least.  The functions use fixed arrays: no result depends on memory.
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

/* The user of a job, and the resources that it asks for. */
struct libra_wish {
	uint32_t user;
	const slurmdb_assoc_rec_t *assoc;
	const slurmdb_qos_rec_t *qos[2]; /* set by libra_limits_order(); each
					    may be NULL */
	uint32_t jobs;		      /* tasks of an array that start at once */
	uint64_t want[LIBRA_COUNTED]; /* per job; nodes: the least */
	uint64_t node_gpus;	      /* for each node; 0 = none */
	uint32_t job_id;	      /* 0 = not in the queue yet */
};

struct libra_limits {
	double run_s;	  /* longest run that is permitted; INFINITY = any */
	double room;	  /* headroom: such jobs that may start; INFINITY = any
			   */
	const char *name; /* of the limit with that headroom; static */
	char value[48];	  /* of that limit, as sacctmgr shows it */
	bool never;	  /* no job may start, even if no other runs */
	uint32_t max_nodes; /* of each job; 0 = any number */
};

/* Take and release assoc_mgr's read locks of associations, QOS, TRES and users.
 */
void libra_limits_lock(void);
void libra_limits_unlock(void);

/* Compute the headroom of a wish, in *limits.  with_promised: waiting promised
 * jobs count as running.
 * Locks:  the caller has called libra_limits_lock(), and holds Slurm's lock of
 *         jobs, to read, for with_promised.
 * Cost:   for with_promised, the number of Slurm's jobs.
 */
void libra_limits(const struct libra_wish *wish, bool with_promised,
		  struct libra_limits *limits);

/* Set both QOS of a wish in Slurm's order.  Either may be NULL. */
void libra_limits_order(struct libra_wish *wish, const slurmdb_qos_rec_t *job,
			const slurmdb_qos_rec_t *partition);

/* Compute the headroom of a job in the queue.  The caller holds Slurm's lock of
 * jobs.  This function takes assoc_mgr's locks, as the next two do.
 * Result: false if limits are not enforced, or the job has no association; then
 *         *limits has no bound.
 */
bool libra_limits_of(const struct job_record *job, bool with_promised,
		     struct libra_limits *limits);

/* Return true if a job has a record of ours, and a limit has no headroom for
 * its start now.  Slurm tests many limits only after it has found nodes.  A job
 * that cannot start must not ask for a promise, so its caller sets look_only
 * (types.h).
 */
bool libra_limits_hold(const struct job_record *job);

/* Return true if the start of a job without a promise leaves waiting promised
 * jobs the headroom that they need.  If a limit holds back the job even without
 * promised jobs, return true: Slurm reports that limit itself.
 */
bool libra_limits_leave(const struct job_record *job);

#endif
