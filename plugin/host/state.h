/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - struct host_state: the state of one group of partitions.
 *
 * The state owns the group's engine (log), its job table (jobs), settings,
 * nodes and files.  groups.c creates and frees each state.  Members point to
 * each other, so a state must not be moved or copied.
 *
 * The functions of plugin/host take a whole state, and are called under the
 * host's lock.  Folders below plugin/host get only the members that they need.
 *
 * Instants are seconds of the epoch, as host_now() returns them (clock.h);
 * unless stated otherwise 0 = never.
 */
#ifndef LIBRA_HOST_STATE_H
#define LIBRA_HOST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/engine/cluster.h"
#include "plugin/base/conf.h"
#include "plugin/engine/engine_log.h"
#include "plugin/state/history_file.h"
#include "plugin/jobs/job_table.h"
#include "plugin/state/reservations_file.h"
#include "plugin/state/kept_file.h"
#include "plugin/state/learned_file.h"
#include "plugin/jobs/released.h"

enum {
	HOST_REFUSALS = 1024,
	HOST_LEFT = 256,
	HOST_KNOWN = 4096,
	HOST_WOKEN = 1024
};

/* A job that was refused, so that the same question is not asked again at once.
 */
struct host_refusal {
	uint32_t job_id;
	bool barred;	  /* a rule bars its start: it released its promise */
	uint32_t minutes; /* time limit of an ordinary job */
	uint64_t changes; /* log.changes at that time */
	double at_s;
};

/* An ordinary job for which others were preempted (preemption.h).  The members
 * from until_s on describe the hold of its processors; place is NULL if the job
 * has no hold.
 */
enum { HOST_PREEMPTORS = 256 };

struct host_preemptor {
	uint32_t job_id;	 /* 0 = the entry is free */
	double since_s, until_s; /* first preemption; end of the hold */
	uint32_t *gone, ngone;	 /* job ids of the victims */
	uint32_t *nodes, nnodes; /* node of each part of the hold */
	char *place;		 /* the hold in the file, but for instants */
};

/* Abandoned offers of a user, which no job claimed (unclaimed.h). */
struct host_left {
	uint32_t user;
	double count, since_s; /* count at that instant; decays since */
};

/* Slurm's advance reservations, and nodes that are away (outages.h). */
struct host_outages {
	struct libra_outage *told; /* reported to the engine, by time */
	struct libra_outage *list; /* reservations as last read, by time */
	struct libra_outage *next; /* to report: list and nodes away */
	uint8_t *out;		   /* for each node: 1 = out at read_s */
	uint32_t ntold, n, cap, next_cap;
	double read_s, until_s; /* list was read then; valid until then */
	uint64_t stamp;		/* Slurm's, unchanged since stamp_s */
	double stamp_s;
	bool floats;	      /* a reservation moves with the clock */
	bool short_of_memory; /* the list is not complete */
};

/* The starvation guard's queue of old ordinary jobs, of which one at a time has
 * an aged reservation (starvation.h).
 */
struct host_starvation {
	double asked_s;	   /* last question to Slurm; 0 = ask at once */
	double submit_s;   /* of the job that has the reservation */
	uint32_t tried_id; /* found no reservation once; 0 = none */
	/* The queue up to this job is skipped until until_s. */
	double passed_s, until_s;
	uint32_t passed_id;
	uint32_t given_up; /* reservations given up since the last start */
};

/* When the host last did what it does again and again. */
struct host_last {
	double scheduled_s, nodes_s,
		charged_s;    /* schedule, node sync, charge */
	uint64_t nodes_stamp; /* ops->nodes_stamp() at nodes_s */
	double followed_s;    /* records followed moved reservations */
	uint64_t moves;	      /* moved reservations at that time */
	double advised_s;     /* a job refused in the queue had its earliest
				 deadline computed */
};

/* The node that was lost last. */
struct host_lost {
	uint32_t node;	 /* or HOST_NO_NODE */
	const char *how; /* cause; NULL = the node is away (away.h) */
	double at_s;
};

/* Jobs for which others were preempted, and the file of their holds. */
struct host_preemption {
	struct host_preemptor jobs[HOST_PREEMPTORS];
	struct host_kept_file file;
	bool due;	 /* holds of the last run are not restored yet */
	bool dirty;	 /* the file is outdated */
	double second_s; /* start of the second for writes */
	uint32_t writes; /* file writes since second_s */
};

/* Offers that users left, and users who are trusted (unclaimed.h). */
struct host_unclaimed {
	struct host_left left[HOST_LEFT], all_left;
	/* Trusted users: uid + 1 of each who had a job in the queue, and has
	 * not abandoned several offers since.
	 */
	uint32_t known[HOST_KNOWN];
	bool open;	      /* unclaimed offers may exist */
	uint64_t asked_above; /* last offer whose thread was asked about */
};

/* Work on the job table that is done in parts: entries that are left, beginning
 * at an index; the last full round, and what it took, on a steady clock.
 */
struct host_round {
	uint32_t left, at;
	double last_s, took_s;
};

/* Jobs that became able to start since libra_host_woken() was last called.
 * n > HOST_WOKEN: more than fit.
 */
struct host_woken {
	uint32_t jobs[HOST_WOKEN], n;
};

struct host_state {
	const struct libra_host_ops *ops;
	struct libra_host_conf conf;
	struct host_cluster cluster;
	struct libra_engine_log log;
	struct host_jobs jobs;
	struct host_released released;
	struct host_history *history; /* shared by all groups; not owned */
	struct host_learned learned;
	struct host_firm firm;
	uint64_t *last_epoch; /* shared by all groups; not owned */
	double clock_ahead_s; /* wall clock minus steady clock */
	double clock_set_s;   /* when the clock was last set forward */
	struct host_last last;
	struct host_lost lost;
	struct host_outages outages;
	struct host_starvation oldest;
	struct host_refusal refused[HOST_REFUSALS];
	struct host_preemption preemption;
	struct host_unclaimed unclaimed;
	bool missed;  /* a planned start passed before a restart */
	bool resized; /* a job has lost nodes (resize.h) */
	bool longest; /* a job started with only a bound of its limit */
	/* Memory was out when a running job was reported: the timeline may lack
	 * jobs, so no promise is given.
	 */
	bool untold;
	struct host_round sweep;  /* of this second */
	struct host_round charge; /* without its times */
	uint64_t ends;		  /* ends of jobs, tracked or not */
	struct host_woken wakes;
};

#endif
