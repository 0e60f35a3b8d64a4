/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.h - the rules of a partition and of a QOS that keep a job from ever
 * starting.
 *
 * Slurm accepts such a job and lets it wait until somebody changes the job or
 * the rule (EnforcePartLimits=NO).  A promise to it would close the processors
 * to everybody else.  The table in access.c has a row for each rule.
 *
 * Nothing here changes anything of Slurm, so that a submission under read locks
 * may ask.  Slurm's own validate_group() writes to the partition, and is not
 * used.
 */
#ifndef LIBRA_SELECT_ACCESS_H
#define LIBRA_SELECT_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <slurm/slurmdb.h>

#include "plugin/base/types.h"

struct job_record;

/* Who wants to use a partition, and for what. */
struct libra_access {
	void *part;		    /* part_record_t, which has no tag */
	slurmdb_assoc_rec_t *assoc; /* NULL = none is known */
	slurmdb_qos_rec_t *qos;	    /* likewise */
	uint32_t user;
	const char *alloc_node;	       /* that the job is submitted from */
	uint32_t min_nodes, max_nodes; /* 0 = not given */
	uint32_t ncpus;		       /* 0 = not known */
	uint32_t minutes;	       /* 0 = not to be tested here */
	bool reserved;		       /* it names a reservation */
	bool waits;		       /* in the queue: it was submitted */
	bool later; /* it may not start now, and is promised nothing yet */
};

/* Find the first rule that keeps a job from starting.
 * Result: in *denial; rule is NULL if no rule does.
 * Locks:  assoc_mgr's of associations and QOS, and Slurm's of partitions, are
 *         held to read.
 * Cost:   the length of the partition's lists; for a user in none of
 *         AllowGroups the search for the primary group, as Slurm does, once in
 *         a while.
 */
void libra_access_test(const struct libra_access *access,
		       struct libra_host_denial *denial);

/* The same of a waiting job.  assoc_mgr's locks are taken here.
 * Result: the name of the rule, static; or NULL.
 */
const char *libra_access_denied(const struct job_record *job);

/* One of struct libra_host_ops: the rule, or Slurm's reason to let the job
 * wait, if that does not end by itself.
 * Locks: Slurm's of jobs and partitions are held to read.
 */
const char *libra_barrier(uint32_t job_id);

#endif
