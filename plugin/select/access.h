/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access.h - test the rules of a partition and of a QOS that bar a job from
 * ever starting.
 *
 * Slurm accepts such a job and lets it wait until the job or the rule is
 * changed (EnforcePartLimits=NO).  A promise to such a job would close its
 * processors to all others.  The table in access.c has a row for each rule.
 *
 * These functions change nothing of Slurm, so that a submission may call them
 * under read locks.  Slurm's own validate_group() writes to the partition, and
 * is not used.
 */
#ifndef LIBRA_SELECT_ACCESS_H
#define LIBRA_SELECT_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <slurm/slurmdb.h>

#include "plugin/base/types.h"

struct job_record;

/* A user and a job that would use a partition. */
struct libra_access {
	void *part;		    /* part_record_t, which has no tag */
	slurmdb_assoc_rec_t *assoc; /* NULL = unknown */
	slurmdb_qos_rec_t *qos;	    /* NULL = unknown */
	uint32_t user;
	const char *alloc_node;	       /* host of the submission */
	uint32_t min_nodes, max_nodes; /* 0 = not given */
	uint32_t ncpus;		       /* 0 = not known */
	/* MB of each node, or of each CPU with MEM_PER_CPU; 0 = all of a node,
	 * NO_VAL64 = not known.
	 */
	uint64_t memory;
	uint32_t node_cpus; /* of a node, for memory of each CPU; 0 = all */
	uint32_t minutes;   /* time limit; 0 = do not test it */
	/* A node must have this memory and disk, in MB; 0 = do not test it. */
	uint64_t node_memory, node_disk;
	uint32_t node_threads; /* per core */
	bool one_has_memory;   /* one node with node_memory is enough */
	bool foreign; /* --nodelist has nodes that the partition lacks */
	/* MB of a CPU, beyond which Slurm would add CPUs to this job; 0 = it
	 * adds none.
	 */
	uint64_t adds_cpus;
	bool reserved; /* in an advance reservation */
	bool waits;    /* the job is in the queue */
	bool later;    /* held or dependent: no promise yet */
};

/* Find the first rule that bars a job from starting.
 * Result: in *denial; rule is NULL if no rule does.
 * Locks:  the caller holds assoc_mgr's read locks of associations and QOS, and
 *         Slurm's of partitions.
 * Cost:   the length of the partition's lists; for a user in none of
 *         AllowGroups a look-up of the primary group once in a while, as in
 *         Slurm.
 */
void libra_access_test(const struct libra_access *access,
		       struct libra_host_denial *denial);

/* Return the memory, in MB, by which Slurm tests a job that asks for all memory
 * of its nodes: that of the first node of a partition (part_record_t); 0 if the
 * partition has none.
 * Locks:  Slurm's of partitions and nodes, to read.
 */
uint64_t libra_whole_memory(const void *part);

/* Return the first rule that bars a waiting job, or NULL.
 * Result: the name of the rule; static.
 * Locks:  Slurm's lock of jobs and partitions, to read; takes assoc_mgr's.
 */
const char *libra_access_denied(const struct job_record *job);

/* Return the rule that bars a waiting job, or Slurm's reason to let the job
 * wait if that ends only by a change of the job or a rule; else NULL.  This is
 * barrier of struct libra_host_ops, called under the host's lock.
 * Locks:  as for libra_access_denied().
 */
const char *libra_barrier(uint32_t job_id);

#endif
