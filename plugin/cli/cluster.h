/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - the cluster, as the libra command sees it.
 *
 * The command reads nodes, partitions and settings, which slurmctld shows to
 * everybody, and jobs with the promises in their records.  From these it adds
 * up shares.  It does not ask the plugins in slurmctld.  An accepted submission
 * that is not a job yet is in no record (offers.h finds it in the decision
 * log).
 *
 * If partitions have policies of their own, one group of partitions is present
 * at a time: members and results are those of the present group.
 *
 * Only load.c calls Slurm.  The command has one thread and no locks.  If memory
 * is out, the functions of load.c fail and the others end the command
 * (print.h).
 */
#ifndef LIBRA_CLI_CLUSTER_H
#define LIBRA_CLI_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine.h"
#include "plugin/base/conf_list.h"
#include "plugin/engine/admin_comment.h"

struct cli_node {
	char *name;
	uint32_t procs; /* cores: shares are of these */
	uint32_t cpus;	/* as Slurm counts */
	enum libra_node_state state;
	const char
		*away;	/* "is completing": no job starts there now; or NULL */
	bool managed;	/* in a managed partition */
	bool whole;	/* it is one processor of a plan */
	uint32_t first; /* the engine's number of its first processor */
};

struct cli_partition {
	char *name;
	bool is_default;
	bool managed;
	uint32_t max_minutes; /* MaxTime; UINT32_MAX = unlimited */
	bool whole_nodes;     /* no two jobs are on a node of it */
	uint8_t *nodes; /* as many as there are nodes: 1 = belongs to it */
};

enum cli_job_state {
	CLI_JOB_WAITING = 1,
	CLI_JOB_RUNNING, /* or suspended */
	CLI_JOB_OVER,
};

struct cli_job {
	uint32_t id;
	char *label; /* as users write it: "12", "12_3", "12_[4-6]" */
	char *user;
	char *state_name; /* Slurm's */
	enum cli_job_state state;
	char *reason;	/* why it waits, as Slurm says; NULL = it does not */
	uint32_t tasks; /* of an array that wait in this record; 1 = no array */
	uint32_t array_id;
	double submit_s;
	uint32_t uid, cpus, priority; /* 0 = held */
	char *part;		      /* "main", or "main,short" */
	double limit_s;		      /* INFINITY = none */
	double eligible_s;	      /* INFINITY = not yet */
	double start_s, end_s;	      /* expected, until it is over; 0 = none */
	char *comment;		      /* AdminComment; NULL = none */
	bool promised;		      /* its comment is a record: */
	struct libra_promise promise;
};

struct cli_cluster {
	double now_s;
	struct libra_host_conf_list groups;
	struct libra_host_conf conf; /* of the present one; groups owns it */
	struct cli_node *nodes;
	uint32_t nnodes;
	uint32_t nmanaged; /* nodes of the engine */
	uint32_t nhidden;  /* nodes of its partitions without a name */
	uint32_t nprocs;   /* of them */
	uint32_t cpus_per_proc;
	struct cli_partition *parts;
	uint32_t nparts;
	struct cli_job *jobs;
	uint32_t njobs;
	char *name;	     /* ClusterName; NULL = slurmctld was not asked */
	char *slurm_release; /* slurmctld's, as "24.11.5"; or NULL */
	bool enabled;	     /* JobSubmitPlugins names libra */
	bool wrong;	     /* a libra_ token of slurm.conf is not valid */
	bool hidden;	     /* jobs of others may be hidden from this user */
};

/* Ask slurmctld.
 * Result: 0, or -1 with errno and a text; CLI_NO_ANSWER: it does not answer.
 * Owner:  the caller ends it with cli_cluster_fini(), in any case.
 */
int cli_cluster_load(struct cli_cluster *cluster, struct libra_error *err);

/* Read all but the jobs, of which slurmctld may have many.
 * Result: as cli_cluster_load().
 */
int cli_cluster_load_site(struct cli_cluster *cluster, struct libra_error *err);

/* Ask slurmctld for its SchedulerParameters, and nothing else but its names.
 * Result: the text, or NULL as cli_cluster_load().
 * Owner:  the caller frees it, and ends the cluster, in any case.
 */
char *cli_load_settings(struct cli_cluster *cluster, struct libra_error *err);

/* Read the promises from the jobs' comments and sort the jobs by submission.
 * The first group becomes the present one.
 */
void cli_cluster_arrange(struct cli_cluster *cluster);

/* Make a group the present one, and number its nodes. */
void cli_cluster_choose(struct cli_cluster *cluster, size_t group);

/* Make the group of a partition (NULL: the default one) the present one.  If no
 * group manages the partition, nothing changes.
 */
void cli_cluster_choose_partition(struct cli_cluster *cluster,
				  const char *name);

/* Return true if a promised job belongs to the present group. */
bool cli_cluster_has(const struct cli_cluster *cluster,
		     const struct cli_job *job);
void cli_cluster_fini(struct cli_cluster *cluster);

/* Return the partition of a name (NULL: the default one), or NULL. */
const struct cli_partition *cli_cluster_partition(
	const struct cli_cluster *cluster, const char *name);

/* Neighbouring processors of a job, as of now. */
struct cli_part {
	uint32_t node;	       /* index of nodes[] */
	uint32_t first, count; /* of the node's processors */
	double est_left_s;     /* of the estimate; below 0 = over it */
	double share;	       /* needed now (ICPP 2006, eq. 1); 0 = late, and
				  yields */
	double rate;	       /* work per time; 0 = held, or not begun */
	bool begun;
};

/* Find a job by its label, its id or that of its array: "12", "12_3".  task:
 * the job, if it is in its array's record.
 * Result: the job or task, and its *id; NULL if there is none.
 */
const struct cli_job *cli_find_job(const struct cli_cluster *cluster,
				   const char *text, struct cli_job *task,
				   uint32_t *id);

/* Return true if a text is a job id as cli_find_job() takes it. */
bool cli_is_job_id(const char *text);

/* Read the processors of a promised job.
 * Result: the number of parts, or -1 with EINVAL (not of this cluster, or
 *         damaged).
 * Owner:  the caller frees *parts.
 */
int64_t cli_job_parts(const struct cli_cluster *cluster,
		      const struct cli_job *job, struct cli_part **parts);

/* Write a waiting task of an array into *task, as a job.  The texts stay the
 * array's.
 * Result: false if the record is of no array, or of one without that task.
 */
bool cli_job_task(const struct cli_job *array, uint32_t index,
		  struct cli_job *task);

/* Return the earliest planned start of a promise, of whichever task; NAN =
 * none.
 */
double cli_planned_start(const struct libra_promise *promise);

/* The job as a whole, as late as its latest part. */
struct cli_progress {
	double share;	   /* largest of its parts, now */
	double rate;	   /* least; 0 = held, or not begun */
	double est_left_s; /* largest */
	double done;	   /* part of the estimate; above 1 = over it */
	double slack_s;	   /* time that it can stand still and be in time */
};

struct cli_progress cli_job_progress(const struct cli_cluster *cluster,
				     const struct cli_job *job,
				     const struct cli_part *parts, size_t n);

/* Return true if a job is late and yields to the shares of others. */
bool cli_gives_way(const struct cli_cluster *cluster,
		   const struct libra_promise *promise);

/* Return true if jobs have whole processors in turn, not shares. */
bool cli_cluster_in_turn(const struct cli_cluster *cluster);

/* Add up what is promised on each processor of the engine: the shares, or the
 * number of jobs if they take turns.
 * Result: nprocs values, which the caller frees.
 */
double *cli_cluster_shares(const struct cli_cluster *cluster);

#endif
