/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - the cluster, as the libra command reads it from slurmctld.
 *
 * The command reads nodes, partitions, settings and jobs, and takes the
 * promises from the jobs' records.  It does not ask the plugins in slurmctld.
 * An accepted submission that is not a job yet has no record; offers.h finds it
 * in the decision log.
 *
 * If the settings have several groups of partitions, one is the present group:
 * `managed`, `conf` and all results are about that group.
 *
 * Only load.c calls Slurm.  The command has one thread and no locks.  If memory
 * is out, the functions of load.c fail, and the others end the command
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
	uint32_t procs; /* the engine's: cores, or 1 if `whole` */
	uint32_t cpus;	/* Slurm's CPUs */
	enum libra_node_state state;
	/* Why no job starts on the node now, "is completing"; NULL: no reason.
	 */
	const char *away;
	bool managed;	/* in a managed partition */
	bool whole;	/* the policy plans whole nodes */
	uint32_t first; /* the engine's number of its first processor */
};

struct cli_partition {
	char *name;
	bool is_default;
	bool managed;
	uint32_t max_minutes; /* MaxTime; UINT32_MAX = unlimited */
	bool whole_nodes;     /* no two jobs share a node */
	uint8_t *nodes;	      /* by node: 1 = in the partition */
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
	char *reason;	/* Slurm's, why it waits; NULL = it does not wait */
	uint32_t tasks; /* waiting tasks of an array; 1 = no array */
	uint32_t array_id;
	double submit_s;
	uint32_t uid, cpus;
	uint32_t priority;     /* 0 = held */
	char *part;	       /* "main", or "main,short" */
	double limit_s;	       /* INFINITY = none */
	double eligible_s;     /* INFINITY = not yet */
	double start_s, end_s; /* expected, or of a job that is over; 0 = none
				*/
	char *comment;	       /* AdminComment; NULL = none */
	bool promised;	       /* the comment is a record ... */
	struct libra_promise promise; /* ... with this content; texts point to
					 the comment */
};

struct cli_cluster {
	double now_s;
	struct libra_host_conf_list groups;
	struct libra_host_conf conf; /* of the present group; groups owns it */
	struct cli_node *nodes;
	uint32_t nnodes;
	uint32_t nmanaged; /* managed nodes; these are the engine's */
	uint32_t nprocs;   /* processors of the managed nodes */
	uint32_t nhidden;  /* nodes of managed partitions that slurmctld does
			      not show: their names are empty */
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

/* Read all from slurmctld.  cli_cluster_arrange() must follow.
 * Result: 0, or -1 with errno and a text; errno CLI_NO_ANSWER: slurmctld does
 *         not answer.
 * Owner:  the caller ends *cluster with cli_cluster_fini(), after an error as
 *         well.
 */
int cli_cluster_load(struct cli_cluster *cluster, struct libra_error *err);

/* The same without the jobs, of which slurmctld may have many. */
int cli_cluster_load_site(struct cli_cluster *cluster, struct libra_error *err);

/* Read only SchedulerParameters, and the cluster's name and release.
 * Result: the text of SchedulerParameters, or NULL with errno and a text.
 * Owner:  the caller frees the text, and ends *cluster with cli_cluster_fini(),
 *         after an error as well.
 */
char *cli_load_settings(struct cli_cluster *cluster, struct libra_error *err);

/* Read the promises from the jobs' comments, sort the jobs by submission, and
 * make the first group the present one.
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

/* Consecutive processors of a job, and its work there, as of cluster->now_s. */
struct cli_part {
	uint32_t node;	       /* index of nodes[] */
	uint32_t first, count; /* of the node's processors */
	double est_left_s;     /* of the estimate; below 0: it is exceeded */
	double share; /* needed now (ICPP 2006, eq. 1); 0: cli_gives_way() */
	double rate;  /* work per time, 0 to 1; 0 = held, or not begun */
	bool begun;
};

/* Find a job by its label, its id, or its array's id and index: "12", "12_3".
 * If the job is a task in its array's record, the task is written to *task.
 * Result: the job (or task), and its *id; NULL if there is none.
 */
const struct cli_job *cli_find_job(const struct cli_cluster *cluster,
				   const char *text, struct cli_job *task,
				   uint32_t *id);

/* Return true if a text is a job id as cli_find_job() takes it. */
bool cli_is_job_id(const char *text);

/* Read the processors of a promised job.
 * Result: the number of parts, or -1 with EINVAL (a node is not managed in the
 *         present group, or the record is damaged).
 * Owner:  the caller frees *parts; it is NULL after an error.
 */
int64_t cli_job_parts(const struct cli_cluster *cluster,
		      const struct cli_job *job, struct cli_part **parts);

/* Write a waiting task of an array into *task, as a job.  Its texts are those
 * of the array.
 * Result: false if the job is no array, or has no such task.
 */
bool cli_job_task(const struct cli_job *array, uint32_t index,
		  struct cli_job *task);

/* Return the earliest planned start of a promise, over all tasks of an array;
 * NAN = none.
 */
double cli_planned_start(const struct libra_promise *promise);

/* The progress of a job: that of its slowest part. */
struct cli_progress {
	double share;	   /* largest of its parts, now */
	double rate;	   /* least; 0 = held, or not begun */
	double est_left_s; /* largest */
	double done;	   /* share of the estimate; above 1: it is exceeded */
	double slack_s;	   /* longest time without progress that would let it
			      end in time, at full speed afterwards */
};

/* Compute the progress of a job from its n parts (cli_job_parts()). */
struct cli_progress cli_job_progress(const struct cli_cluster *cluster,
				     const struct cli_job *job,
				     const struct cli_part *parts, size_t n);

/* Return true if a job is past its deadline and the policy's rule is that such
 * a job has no share.
 */
bool cli_gives_way(const struct cli_cluster *cluster,
		   const struct libra_promise *promise);

/* Return true if jobs have whole processors in turn, not shares. */
bool cli_cluster_in_turn(const struct cli_cluster *cluster);

/* Add up the promised shares on each processor of the engine, or with
 * cli_cluster_in_turn() the number of promised jobs.
 * Result: cluster->nprocs values, which the caller frees.
 */
double *cli_cluster_shares(const struct cli_cluster *cluster);

#endif
