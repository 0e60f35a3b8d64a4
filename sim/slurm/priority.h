/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority.h - multifactor priority and fair-share as slurmctld computes them.
 *
 * Usage changes at two kinds of instants: at the end of a job, and at the
 * decay runs, each PriorityCalcPeriod from slurmctld's start.  A decay run
 *
 *   1. slurm_prio_begin_run()
 *   2. for each job in the order of slurmctld's list of jobs:
 *        one that runs: slurm_prio_charge()
 *        with NO_FAIR_TREE, one that waits: slurm_prio_factors()
 *   3. slurm_prio_end_run()
 *   4. with Fair Tree, for each job that waits: slurm_prio_factors()
 *
 * Between runs factors are frozen: a submission takes those of the last run.
 * Nothing is allocated after slurm_prio_init().
 */
#ifndef SIM_SLURM_PRIORITY_H
#define SIM_SLURM_PRIORITY_H

#include "sim/slurm/site.h"

/* Usage of an association, and what fair-share makes of it. */
struct slurm_usage {
	long double raw;       /* RawUsage: decayed billing seconds */
	long double wall_s;    /* decayed wall time of its jobs: GrpWall */
	long double norm;      /* NormUsage */
	long double effective; /* EffectvUsage; < 0: slurm_prio_fairshare() must
				  compute it first */
	long double level;     /* LevelFS; Fair Tree only */
	double shares;	       /* NormShares */
	double factor;	       /* FairShare */
	uint32_t level_shares; /* shares of it and its siblings */
	uint32_t fs_parent;    /* skips accounts with the parent's shares */
	uint32_t first, n;     /* its children by fs_parent in kids[] */
	bool is_user;	       /* of a user, not of an account */
	bool has_parents;      /* it uses the shares of its parent */
};

struct slurm_prio {
	const struct slurm_site *site;
	struct slurm_usage *usage; /* by association */
	uint32_t *kids;
	/* Scratch of slurm_prio_end_run(), which visits the tree depth first:
	 * the accounts above the present association, the root first.
	 */
	struct slurm_level {
		uint32_t account, at; /* at: the next of its children */
		long double previous; /* LevelFS of the last child */
		bool tied; /* the account's LevelFS equals that before it */
	} * levels;
	double decay;  /* of a second */
	int64_t run_s; /* instant of the last decay run; 0 = none yet */
	bool fair_tree;
	uint32_t nusers; /* user associations */
	uint32_t max_job_factor, max_qos, max_assoc;
	uint32_t nnodes, cpus;	/* of the cluster */
	double power_of, power; /* the last decay**seconds */
};

/* Properties of a job on which its priority depends. */
struct slurm_prio_job {
	uint32_t assoc, partition, qos; /* or SLURM_NONE */
	uint32_t cpus, nodes; /* requested; an exclusive job has those of
				 its nodes once a scheduler has tested it */
	uint32_t limit_s;     /* or SLURM_INFINITE */
	int64_t accrue_s;     /* age counts from here; 0 = not yet */
	int64_t nice, site;   /* the site factor plugin's */
	const int64_t *tres;  /* requested, by TRES */
};

/* Weighted, as sprio prints them. */
struct slurm_factors {
	double age, assoc, fairshare, job_size, partition, qos;
	double tres; /* the sum of */
	double by_tres[SLURM_TRES_MAX];
	double total; /* before it is cut to a whole number */
	uint32_t priority;
};

/* Set the usage of the site's associations, which sshare printed after its log,
 * back to the log's first submission: take off what the log's jobs added, undo
 * the decay.  It is 0 if more than three half-lives or a reset lie between,
 * and stays as it is if sshare was printed before.
 * Result: 0, or -1 with ENOMEM.
 */
int slurm_prio_rewind(struct slurm_site *site, struct libra_error *err);

/* Begin with the usage of the site's associations.  The site must outlive *p.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls slurm_prio_fini().
 */
int slurm_prio_init(struct slurm_prio *p, const struct slurm_site *site,
		    struct libra_error *err);
void slurm_prio_fini(struct slurm_prio *p);

/* Begin a decay run: reset usage if its period is over; with NO_FAIR_TREE set
 * the effective usage of accounts; then let usage decay.
 */
void slurm_prio_begin_run(struct slurm_prio *p, int64_t now_s);

/* End a decay run: rank users by Fair Tree. */
void slurm_prio_end_run(struct slurm_prio *p, int64_t now_s);

/* Charge a job for its time since the last run, or its start if that is later,
 * until to_s: the run's instant, or the job's end.  billing is
 * slurm_prio_billing() of what it was allocated.
 */
void slurm_prio_charge(struct slurm_prio *p, uint32_t assoc, uint32_t qos,
		       double billing, int64_t start_s, int64_t to_s);

/* Return the billing of a job in a partition, which is its usage per second.
 * alloc: what it was allocated, by TRES.
 */
double slurm_prio_billing(const struct slurm_prio *p, uint32_t partition,
			  uint32_t cpus, const int64_t *alloc);

/* Return the fair-share factor of an association.  With NO_FAIR_TREE the first
 * call for a user after a decay run also sets the user's effective usage.
 */
double slurm_prio_fairshare(struct slurm_prio *p, uint32_t assoc);

/* Compute a job's factors at a decay run, or at its submission. */
void slurm_prio_factors(struct slurm_prio *p, const struct slurm_prio_job *job,
			int64_t now_s, struct slurm_factors *factors);

#endif
