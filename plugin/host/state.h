/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - all that a host knows of a group of partitions, for the acts, which
 * need most of it.
 *
 * It declares no function: each part has a header of its own, and what is below
 * the acts takes its part alone.  The parts point to each other, so a state
 * stays where it is.  Who calls an act holds the host's lock.
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

/* A job that was refused when it asked again. */
struct host_refusal {
	uint32_t job_id;
	bool barred;	  /* it could not start, and released its promise */
	uint32_t minutes; /* of an ordinary one, that it asked for */
	uint64_t changes; /* log.changes of then */
	double at_s;
};

/* An ordinary job that others were preempted for, and since when; job_id 0 =
 * none.  While a place is kept for it: until when, the jobs that go for it, and
 * all but the instants as the file has it; or NULL.
 */
enum { HOST_PREEMPTORS = 256 };

struct host_preemptor {
	uint32_t job_id;
	double since_s, until_s;
	uint32_t *gone, ngone;
	uint32_t *nodes, nnodes; /* of its place, for each part */
	char *place;
};

/* Offers that a user left: no job came for them. */
struct host_left {
	uint32_t user;
	double count, since_s; /* so many at that time */
};

/* Slurm's reservations: plugin/host/outages.h. */
struct host_outages {
	struct libra_outage *told; /* as the engine has them, by their times */
	struct libra_outage *list; /* as last read, by their times */
	struct libra_outage *next; /* to be told: these, and nodes away */
	uint8_t *out;		   /* of each node: 1 = it is out now */
	uint32_t ntold, n, cap, next_cap;
	double read_s, until_s; /* read then, and true until then */
	uint64_t stamp;		/* Slurm's, and since when it is that */
	double stamp_s;
	bool floats;	      /* one moves with the clock */
	bool short_of_memory; /* the list is not complete */
};

/* The line of old ordinary jobs, of which one at a time is planned
 * (starvation.h).
 */
struct host_starvation {
	double asked_s;	   /* Slurm was asked for the oldest, last */
	double submit_s;   /* of the one that is planned */
	uint32_t tried_id; /* no plan was found for it then; 0 = for nobody */
	/* Up to this one they are passed over, until an instant. */
	double passed_s, until_s;
	uint32_t passed_id;
	uint32_t given_up; /* planned, and not started, since one was */
};

struct host_state {
	const struct libra_host_ops *ops;
	struct libra_host_conf conf;
	struct host_cluster cluster;
	struct libra_engine_log log;
	struct host_jobs jobs;
	struct host_released released;
	struct host_history *history; /* of all groups */
	struct host_learned learned;
	struct host_firm firm;
	uint64_t *last_epoch; /* likewise */
	double clock_ahead_s; /* of a clock that nobody sets */
	double scheduled_s, nodes_s, charged_s; /* last done */
	struct host_starvation oldest;
	uint32_t lost_node;   /* the last that went; HOST_NO_NODE */
	const char *lost_how; /* NULL = it is away (away.h) */
	double lost_s;
	double clock_set_s; /* forward, last */
	bool missed;	    /* planned starts passed before a restart */
	uint64_t moves;	    /* of plans, as jobs last followed them */
	double followed_s;  /* and when */
	struct host_outages outages;
	uint64_t nodes_stamp; /* ops->nodes_stamp() of then */
	struct host_refusal refused[HOST_REFUSALS];
	struct host_preemptor preemptors[HOST_PREEMPTORS];
	struct host_kept_file kept_file; /* of their places */
	bool places_due;	/* of the last run: to be restored from there */
	bool places_dirty;	/* the file has others */
	double places_s;	/* a second of it began */
	uint32_t places_writes; /* since then */
	struct host_left left[HOST_LEFT], all_left;
	/* Users (plus 1) of whom a job came, and who did not leave
	 * several offers since.
	 */
	uint32_t known[HOST_KNOWN];
	bool resized; /* jobs have lost nodes (plugin/host/resize.h) */
	bool longest; /* jobs began whose limits are known as bounds alone */
	/* Jobs may run that the plans do not count, for lack of memory: nothing
	 * is promised.
	 */
	bool untold;
	bool open;	      /* there may be offers that no job has come for */
	uint64_t asked_above; /* the kernel was asked up to this one, last */
	/* Jobs that the sweep of this second has not looked at yet, from the
	 * one at an index on; and the last sweep of all of them.
	 */
	uint32_t sweep_left, sweep_at;
	double swept_s, sweep_took_s;	 /* on a steady clock */
	uint32_t charge_left, charge_at; /* likewise, of charges */
	uint64_t ends;			 /* of any jobs: room for others */
	/* Jobs that may start since they were last asked for: too many, if
	 * there are more than fit.
	 */
	uint32_t woken[HOST_WOKEN], nwoken;
};

#endif
