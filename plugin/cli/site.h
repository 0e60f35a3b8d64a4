/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - what the command libra knows of the cluster.
 *
 * The nodes, partitions and settings as slurmctld tells everybody, and the
 * jobs with the promises that their records carry.  From these alone the
 * shares are added up and an engine is made again; so the command needs no
 * door into slurmctld.  Offers that no job has claimed yet are not in any
 * record, and not seen.
 *
 * Only load.c knows of Slurm; all else runs without it.
 */
#ifndef LIBRA_CLI_SITE_H
#define LIBRA_CLI_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine.h"
#include "plugin/host/conf.h"
#include "plugin/host/promise.h"

struct cli_node {
	char *name;
	uint32_t procs; /* cores: what a share is of */
	uint32_t cpus;	/* that Slurm counts */
	enum libra_node_state state;
	bool managed;	/* in a managed partition */
	uint32_t first; /* the engine's number of its first processor */
	uint32_t index; /* the engine's number of the node */
};

struct cli_partition {
	char *name;
	bool is_default;
	bool managed;
	uint32_t max_jobs; /* that may share a processor; 0 = any number */
	uint8_t *nodes;	   /* as many as there are nodes: 1 = belongs to it */
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
	uint32_t tasks; /* of an array that wait in this record; 1 = no array */
	uint32_t array_id;
	double submit_s;
	char *comment; /* admin_comment; NULL = none */
	bool promised; /* the comment could be read: */
	struct libra_promise promise;
};

struct cli_site {
	double now_s;
	struct libra_host_conf conf;
	struct cli_node *nodes;
	uint32_t nnodes;
	uint32_t nmanaged; /* nodes of the engine */
	uint32_t nprocs;   /* of them */
	uint32_t cpus_per_proc;
	struct cli_partition *parts;
	uint32_t nparts;
	struct cli_job *jobs;
	uint32_t njobs;
	bool enabled; /* slurm.conf names our plugins */
	bool hidden;  /* jobs of others may be hidden from this user */
};

/* Ask slurmctld.
 * Result: 0, or -1; the text says what failed.
 * Owner:  the caller ends it with cli_site_fini(), in any case.
 */
int cli_site_load(struct cli_site *site, struct libra_error *err);

/* Number the managed nodes, read the promises: after the fields are set. */
void cli_site_arrange(struct cli_site *site);
void cli_site_fini(struct cli_site *site);

const struct cli_partition *cli_site_partition(const struct cli_site *site,
					       const char *name);

/* One stretch of processors of a job, as of now. */
struct cli_part {
	uint32_t node;	       /* index of nodes[] */
	uint32_t first, count; /* of the node's processors */
	double est_left_s;     /* of the estimate; below 0 = over it */
	double share;	       /* that it asks for now (eq. 1) */
	bool begun;
};

/* Where a promised job is.
 * Result: parts, or -1 with ENOMEM or EINVAL (not of this cluster, damaged).
 * Owner:  the caller frees *parts.
 */
int64_t cli_job_parts(const struct cli_site *site, const struct cli_job *job,
		      struct cli_part **parts);

/* The job as a whole: its part that is furthest behind. */
struct cli_progress {
	double share;	   /* largest of its parts, now */
	double est_left_s; /* largest */
	double done;	   /* fraction of the estimate; above 1 = over it */
	double slack_s;	   /* how long it could stand still and be in time */
};

struct cli_progress cli_job_progress(const struct cli_site *site,
				     const struct cli_job *job,
				     const struct cli_part *parts, size_t n);

/* Shares promised on each processor of the engine: nprocs values, which the
 * caller frees; NULL with ENOMEM.
 */
double *cli_site_shares(const struct cli_site *site);

/* An engine with the promises of all records, as after a restart.
 * Result: the engine, or NULL; the text says why.
 */
struct libra_engine *cli_site_engine(const struct cli_site *site,
				     struct libra_error *err);

/* "2026-11-20T17:40:03" in local time, or "none". */
void cli_clock_text(double at_s, char text[32]);

/* "1-02:03:04", "-00:00:10", "none". */
void cli_duration_text(double duration_s, char text[32]);

#endif
