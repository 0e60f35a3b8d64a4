/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - struct host_state: the state of one group of partitions.
 *
 * The state owns the group's engine (log), its job table (jobs), settings,
 * nodes and files.  groups.c creates and frees each state.  If there is no
 * memory for a state, there is no group (groups.h).  Members point to each
 * other, so a state must not be moved or copied.
 *
 * The functions of plugin/host take a whole state, and are called under the
 * host's lock, which protects all members.  Folders below plugin/host get only
 * the members that they need.
 *
 * Instants are seconds of the epoch, as host_now() returns them (clock.h);
 * unless stated otherwise 0 = never.  Tables of users and refusals are indexed
 * by a remainder: a new entry replaces an older one.
 */
#ifndef LIBRA_HOST_STATE_H
#define LIBRA_HOST_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/guard.h"
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

/* A job that the engine refused.  While nothing has changed, the same question
 * is not asked again.
 */
struct host_refusal {
	uint32_t job_id;
	bool barred;	  /* the job released its promise: it cannot start */
	uint32_t minutes; /* time limit of an ordinary job */
	uint64_t changes; /* log.changes at that time */
	double at_s;
};

/* An ordinary job for which others were preempted (preemption.h).  until_s, and
 * the members from gone to place, describe the hold of its processors.  place
 * is NULL if the job has no hold.
 */
enum { HOST_PREEMPTORS = 256 };

struct host_preemptor {
	uint32_t job_id;	 /* 0 = the entry is free */
	double since_s, until_s; /* first preemption; end of the hold */
	uint32_t *gone, ngone;	 /* job ids of the victims */
	uint32_t *nodes, nnodes; /* node of each part of the hold */
	char *place; /* text of the hold in the file, without its instants */
};

/* Abandoned offers of a user, which no job claimed (unclaimed.h). */
struct host_left {
	uint32_t user;
	double count, since_s; /* count at since_s; it decays with time */
};

/* Slurm's advance reservations, and nodes that are away (outages.h). */
struct host_outages {
	struct libra_outage *told; /* reported to the engine, by time */
	struct libra_outage *list; /* reservations as last read, by time */
	struct libra_outage *next; /* to report: list and nodes away */
	uint8_t *out;		   /* for each node: 1 = out at read_s */
	uint32_t ntold, n, cap, next_cap;
	double read_s, until_s; /* list was read then; valid until then */
	uint64_t stamp;		/* ops->reservations_stamp(), unchanged */
	double stamp_s;		/* since this instant */
	bool floats;		/* a reservation moves with the clock */
	bool short_of_memory;	/* the list is not complete */
};

/* The starvation guard: ordinary jobs in order of submission, of which one at a
 * time has an aged reservation (starvation.h).
 */
struct host_starvation {
	struct libra_guard guard;
	double submit_s; /* submission of the job with the reservation */
};

/* The last times of work that the host repeats. */
struct host_last {
	/* The schedule and the work of a second; the last read of nodes'
	 * states; the start of a round of charges.
	 */
	double scheduled_s, nodes_s, charged_s;
	uint64_t nodes_stamp; /* ops->nodes_stamp() at nodes_s */
	double followed_s;    /* planned starts were compared */
	uint64_t moves;	      /* libra_engine_plan_moves() at followed_s */
	double advised_s;     /* an earliest deadline was computed for a job
				 that was refused in the queue */
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
	bool due;	 /* holds of the last engine are not restored yet */
	bool dirty;	 /* the file is outdated */
	double second_s; /* start of the second for writes */
	uint32_t writes; /* file writes since second_s */
};

/* Offers that users abandoned, and users who are trusted (unclaimed.h). */
struct host_unclaimed {
	struct host_left left[HOST_LEFT], all_left;
	/* Trusted users: uid + 1 of each who had a job in the queue, and has
	 * not abandoned several offers since.
	 */
	uint32_t known[HOST_KNOWN];
	bool open;	      /* unclaimed offers may exist */
	uint64_t asked_above; /* ops->find_claim() was asked about offers up to
				 this one; the next call goes on behind it */
};

/* A round over the job table that is done in parts.  left entries, from index
 * at on, are still to be handled.  last_s and took_s are the end and the
 * duration of the last full round, on a steady clock.
 */
struct host_round {
	uint32_t left, at;
	double last_s, took_s;
};

/* Jobs that became able to start since libra_host_woken() was last called.  n >
 * HOST_WOKEN: too many for the list.
 */
struct host_woken {
	uint32_t jobs[HOST_WOKEN], n;
};

struct host_state {
	const struct libra_host_ops *ops;
	struct libra_host_conf conf;
	struct host_cluster cluster; /* managed nodes and partitions */
	struct libra_engine_log log; /* the engine and its decision log */
	struct host_jobs jobs;
	struct host_released released; /* records to write */
	struct host_history *history;  /* shared by all groups; not owned */
	struct host_learned learned;   /* file of learned values */
	struct host_firm firm;	       /* file of the aged reservation */
	uint64_t *last_epoch;	       /* shared by all groups; not owned */
	double clock_ahead_s;	       /* wall clock minus steady clock */
	double clock_set_s;	       /* when the clock was last set forward */
	struct host_last last;
	struct host_lost lost;
	struct host_outages outages;
	struct host_starvation oldest;
	struct host_refusal refused[HOST_REFUSALS];
	struct host_preemption preemption;
	struct host_unclaimed unclaimed;
	bool missed;  /* a planned start passed before a restart */
	bool resized; /* a job has lost nodes (resize.h) */
	bool longest; /* of a running job only a bound of its limit is known */
	/* There was no memory to report a running job: the timeline may lack
	 * jobs, so no promise is given.
	 */
	bool unreported;
	struct host_round sweep;  /* the sweep of this second (sweep.h) */
	struct host_round charge; /* host_charge(); last_s, took_s unused */
	uint64_t ends;		  /* counts ends of all jobs, also untracked */
	struct host_woken wakes;
};

#endif
