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
	double scheduled_s, nodes_s,
		charged_s; /* last schedule, node sync and charge */
	struct host_starvation oldest;
	uint32_t lost_node;   /* node lost last, or HOST_NO_NODE */
	const char *lost_how; /* cause; NULL = the node is away (away.h) */
	double lost_s;
	double clock_set_s; /* when the clock was last set forward */
	bool missed;	    /* a planned start passed before a restart */
	uint64_t moves;	    /* moved reservations, at the last follow */
	double followed_s;  /* records last followed reservations */
	struct host_outages outages;
	uint64_t nodes_stamp; /* ops->nodes_stamp() at nodes_s */
	struct host_refusal refused[HOST_REFUSALS];
	double advised_s; /* a job refused in the queue had last its earliest
			     deadline computed */
	struct host_preemptor preemptors[HOST_PREEMPTORS];
	struct host_kept_file kept_file; /* holds of preemptors */
	bool places_due;	/* holds of the last run are not restored yet */
	bool places_dirty;	/* the file is outdated */
	double places_s;	/* start of the second for places_writes */
	uint32_t places_writes; /* file writes since places_s */
	struct host_left left[HOST_LEFT], all_left;
	/* Trusted users: uid + 1 of each who had a job in the queue, and has
	 * not abandoned several offers since.
	 */
	uint32_t known[HOST_KNOWN];
	bool resized; /* a job has lost nodes (resize.h) */
	bool longest; /* a job started with only a bound of its limit */
	/* Memory was out when a running job was reported: the timeline may lack
	 * jobs, so no promise is given.
	 */
	bool untold;
	bool open;	      /* unclaimed offers may exist */
	uint64_t asked_above; /* last offer whose thread was asked about */
	/* Entries of the job table that this second's sweep has still to check,
	 * beginning at an index; then the last full sweep.
	 */
	uint32_t sweep_left, sweep_at;
	double swept_s, sweep_took_s;	 /* on a steady clock */
	uint32_t charge_left, charge_at; /* entries still to charge */
	uint64_t ends;			 /* ends of jobs, tracked or not */
	/* Jobs that became able to start since libra_host_woken() was last
	 * called.  nwoken > HOST_WOKEN: more than fit.
	 */
	uint32_t woken[HOST_WOKEN], nwoken;
};

#endif
