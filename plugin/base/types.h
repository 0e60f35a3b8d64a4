/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.h - the data that the plugins and the host exchange.
 *
 * The data are plain values in the terms of the core: seconds, processors, and
 * jobs and nodes by Slurm's numbers.  No structure of Slurm is used; the
 * plugins convert, with units.h for times and counts.  Unless noted, pointers
 * in a job, request or cluster belong to the plugin and are valid for one call
 * of the host.  Texts that the receiver has to free are marked.
 */
#ifndef LIBRA_BASE_TYPES_H
#define LIBRA_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine.h"

enum libra_host_level {
	LIBRA_HOST_ERROR = 1,
	LIBRA_HOST_INFO,
	LIBRA_HOST_DEBUG,
};

/* Seconds.  Slurm restarts a requeued job after about two minutes: its
 * processors are held that long.
 */
enum { LIBRA_AGAIN_S = 125 };

/* Jobs ahead that count in the forecast of an ordinary job's start. */
enum { LIBRA_FIT_AHEAD = 32 };

/* How the run of a job ended. */
enum libra_host_end {
	LIBRA_END_OVER = 1, /* completed, failed, or at a limit */
	LIBRA_END_CANCELLED,
	LIBRA_END_NODE,	    /* a node failed, and the job is over */
	LIBRA_END_REQUEUED, /* it waits again */
};

/* Slurm's state of a job that has not started. */
enum libra_host_job_state {
	LIBRA_JOB_GONE = 1, /* unknown to Slurm, or over */
	LIBRA_JOB_PENDING,  /* can start */
	LIBRA_JOB_BLOCKED,  /* held, dependent, or begins later */
	LIBRA_JOB_ALIVE,    /* running or suspended */
};

/* A range of cores of one of Slurm's nodes. */
#define LIBRA_ALL_CORES UINT32_MAX

struct libra_host_part {
	uint32_t node, first, count; /* count: or LIBRA_ALL_CORES */
	/* The job's memory on the node, in MB, and its generic resources there
	 * ("gpu:a100:2,nic:1"; NULL = none).  surely: Slurm has allocated them;
	 * false: the job only requests them.
	 */
	uint64_t mem;
	const char *gres;
	bool surely;
};

/* The tasks, CPUs and nodes that a job asks for. */
struct libra_host_size {
	uint32_t ncpus;	 /* of all tasks; 0 = unknown */
	uint32_t ntasks; /* 0 = not given */
	uint32_t cpus_per_task;
	uint32_t threads_per_core;     /* used per core; 0 = all */
	uint32_t tasks_per_node;       /* at most; 0 = any */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	bool task_per_core;	       /* one task per core */
};

/* The memory that a job asks for and will hold, in MB. */
struct libra_host_mem {
	uint64_t per_cpu, per_node;	      /* 0 = not requested */
	uint64_t hold_per_cpu, hold_per_node; /* to be held; 0, 0 = none */
	bool whole; /* all of each node is requested */
};

/* The nodes that a job asks for; the texts are as given, or NULL. */
struct libra_host_nodes {
	const char *constraint, *list, *exclude;
	bool exclusive; /* whole nodes */
	bool one_user;	/* nodes only for its user or MCS label */
};

/* The generic resources that a job asks for: in all, per node, per task, per
 * socket; CPUs and MB per such resource.  Texts are as given, or NULL.
 */
struct libra_host_gres {
	const char *job, *node, *task, *socket, *cpus_per, *mem_per;
	uint32_t sockets; /* per node; 0 = not given */
	/* The cluster's defaults; 0 = none. */
	uint64_t def_cpus_per_gpu, def_mem_per_gpu;
};

/* The victims of a job: jobs that Slurm would preempt. */
struct libra_host_victims {
	const uint32_t *ids;
	uint32_t n;
	double take_s;	/* seconds that preemption may take */
	bool preempted; /* Slurm preempts them if the job may start */
};

/* A job, as the select plugin sees it. */
struct libra_host_job {
	uint32_t job_id;
	uint32_t user;
	const char *comment;
	uint32_t waiting; /* waiting tasks of an array's record; 0 = a job */
	uint32_t array;	  /* id of its array; 0 = none */
	bool whole_array; /* job_id is the array's: its record, or last task */
	uint32_t minutes; /* time limit, as Slurm counts */
	bool longest;	  /* minutes is an upper bound */
	double start_s;	  /* of its run; 0 = unknown */
	double submit_s;
	double deadline_s; /* at which Slurm cancels it; 0 = none */
	struct libra_host_size size;
	struct libra_host_nodes nodes;
	struct libra_host_mem mem;
	struct libra_host_gres gres;
	struct libra_host_victims victims;
	bool alone;	 /* in effect no other job shares its nodes */
	bool suspended;	 /* started, but suspended */
	bool look_only;	 /* do not request a new promise */
	bool unreported; /* parts are missing: memory ran out */
	const struct libra_host_part *parts; /* its cores, if known */
	size_t nparts;
	const char *partition, *account, *qos; /* or NULL */
};

/* The changes that a user may make to a job. */
enum libra_host_right {
	LIBRA_RIGHT_NONE = 1,
	LIBRA_RIGHT_OWNER,
	LIBRA_RIGHT_OPERATOR, /* may also extend a running job */
};

/* How nodes divide processors among the jobs of a policy. */
enum libra_host_rule {
	LIBRA_RULE_SHARE,    /* by shares; a late job needs a whole processor */
	LIBRA_RULE_YIELD,    /* by shares; a late job gets the remainder */
	LIBRA_RULE_DEADLINE, /* whole processors, by deadline */
};

/* The rule's name for nodes. */
static inline const char *libra_host_rule_name(enum libra_host_rule rule)
{
	return rule == LIBRA_RULE_DEADLINE ? "deadline"
	       : rule == LIBRA_RULE_YIELD  ? "yield"
					   : "share";
}

/* The new content of a job's record. */
struct libra_host_record {
	char *comment; /* admin_comment, to free; NULL = no change */
	/* The members below reach the job's nodes through its environment. */
	enum libra_host_rule rule;
	double share;
	double estimate_s, deadline_s;
	double start_s; /* planned start of a waiting job; 0 = none */
};

/* A rule of a partition or QOS that would never let a job start. */
struct libra_host_denial {
	const char *rule;   /* name, static; NULL = no such rule */
	const char *advice; /* reason and remedy; static */
	bool of_qos;	    /* of the QOS; else of the partition */
	char name[64];	    /* the QOS or partition */
	char value[64];	    /* of the rule; may be cut */
};

/* Limits of accounts and QOS that apply to a request. */
struct libra_host_limits {
	double limit_s; /* longest run that is permitted, in seconds; INFINITY =
			   any, 0 = unknown */
	double room;	/* headroom: jobs like this that may start now, if all
			   promised jobs start, too */
	const char *limit_name; /* limit with that headroom; NULL = no limit */
	char value[48];		/* of that limit ("5", "cpu=8"); may be empty */
	bool never;		/* this limit never permits the job */
};

/* Slurm's rules that apply to a request after the verdict. */
struct libra_host_rules {
	struct libra_host_denial denial;
	bool no_account;       /* Slurm would reject account or QOS */
	bool no_license;       /* unknown licence, or too few exist */
	const char *uncounted; /* as in a request; static */
	bool constrained;      /* not all nodes meet the constraint */
	struct libra_host_limits limits;
	uint32_t max_nodes;   /* per job; 0 = any number */
	uint64_t mem_per_cpu; /* in MB; beyond it Slurm adds CPUs; 0 = any */
	bool memory;	      /* Slurm divides memory among jobs */
	uint64_t def_per_cpu, def_per_node; /* defaults, if none is requested */
	/* Per GPU, if CPUs per task or memory are not requested. */
	uint64_t def_cpus_per_gpu, def_mem_per_gpu;
	/* Cores per socket, where GPUs belong to sockets; 0 = no such node. */
	uint32_t socket_cores;
};

/* Why a node takes no job now and will come back by itself. */
enum libra_host_away_kind {
	LIBRA_AWAY_NOT = 0,
	LIBRA_AWAY_COMPLETING,	/* epilogs are running */
	LIBRA_AWAY_POWERS_DOWN, /* then boots for the next job */
	LIBRA_AWAY_BOOTS,
	LIBRA_AWAY_REBOOT_ASKED, /* reboots when its jobs have ended */
	LIBRA_AWAY_REBOOT,
	LIBRA_AWAY_KINDS
};

struct libra_host_away {
	enum libra_host_away_kind kind;
	const char *text;   /* "is completing"; static */
	uint32_t expect_s;  /* wait until a first one is measured, in seconds */
	uint32_t longest_s; /* before this the node is not gone, in seconds */
	double jobs_end_s; /* REBOOT_ASKED: latest end of its jobs, by limits */
};

/* All memory of a node, whatever its size. */
#define LIBRA_WHOLE_MEMORY UINT64_MAX

/* Memory of a node, in MB. */
struct libra_host_memory {
	uint64_t all;
	uint64_t free; /* not allocated to running jobs */
};

enum libra_host_repeat {
	LIBRA_ONCE,
	LIBRA_HOURLY,
	LIBRA_DAILY,
	LIBRA_WEEKDAYS, /* Monday to Friday */
	LIBRA_WEEKEND,	/* Saturday and Sunday */
	LIBRA_WEEKLY,
};

/* An advance reservation of Slurm's: nodes reserved between two instants, and
 * again at the same local time.
 */
struct libra_host_reservation {
	double from_s,
		to_s; /* present or next time; from_s 0: moves with the clock */
	const uint8_t *nodes; /* by Slurm's index: 1 = reserved */
	enum libra_host_repeat repeat;
};

struct libra_host_request;

/* Slurm, as the host needs it.  The table must outlive the host.  A member, or
 * the whole table, may be NULL; the comment of a member states the host's
 * default then.  The functions must not call the host.
 *
 * Unless noted, the host calls a function under the host's lock, in the thread
 * that called the host, which has Slurm's locks of jobs, nodes and partitions,
 * to read.  write_record and charge need the write lock of jobs.  log and view
 * are called with or without the host's lock.
 */
struct libra_host_ops {
	/* Write one line to slurmctld's log. NULL = no log. */
	void (*log)(enum libra_host_level level, const char *text);
	double (*now_s)(void); /* NULL = CLOCK_REALTIME */
	/* A clock that is never set.  NULL = CLOCK_BOOTTIME, or now_s if given.
	 */
	double (*steady_s)(void);
	/* Return the state of a job.  NULL = PENDING. */
	enum libra_host_job_state (*job_state)(uint32_t job_id);
	/* Return the job whose record names an offer, unless the job failed; 0
	 * = none.  NULL = unknown: offers wait for their jobs until they
	 * expire.
	 * Cost:   the number of all jobs.
	 */
	uint32_t (*find_claim)(uint64_t epoch, uint64_t offer);
	/* Return true if this job's record names the offer.  NULL = unknown. */
	bool (*has_claim)(uint32_t job_id, uint64_t epoch, uint64_t offer);
	/* Return the name of a rule that prevents a waiting job from starting
	 * until the job or the rule is changed ("MaxNodes of its partition";
	 * static), or NULL.  NULL = no rule does.
	 */
	const char *(*barrier)(uint32_t job_id);
	/* Return the state of a node, by Slurm's number.  NULL = UP. */
	enum libra_node_state (*node_state)(uint32_t node);
	/* Return true if a node takes no job now and comes back by itself; this
	 * has priority over node_state.  NULL = never.
	 */
	bool (*node_away)(uint32_t node, struct libra_host_away *away);
	/* Return the longest wait, in seconds, for a node that is powered down
	 * or on its way down or up, until it can run a job; else 0.  NULL = 0.
	 */
	uint32_t (*wakes_s)(uint32_t node);
	/* Mark which of Slurm's first n nodes are reserved, now or later: 1
	 * each.
	 * Result: false if none is; then *nodes is unchanged.  NULL = none.
	 */
	bool (*reserved)(uint8_t *nodes, uint32_t n);
	/* Call each() for every advance reservation that is not over.
	 * Result: false if memory ran out.  NULL = there are none.
	 */
	bool (*reservations)(
		void (*each)(void *arg,
			     const struct libra_host_reservation *reservation),
		void *arg, double now_s);
	/* A number that changes with the reservations; changes within one
	 * second may share one.  NULL = unknown.
	 */
	uint64_t (*reservations_stamp)(void);
	/* Read the memory of Slurm's first n nodes.
	 * Result: false if memory is not divided among jobs.  NULL = it is not.
	 */
	bool (*memory)(struct libra_host_memory *nodes, uint32_t n);
	/* Mark which of Slurm's first n nodes meet a request's constraint,
	 * nodelist, exclude, sockets and near_each (per socket): 1 each.
	 * Result: NULL, or the option whose text is not understood; static.
	 *         usable == NULL: requests have none of these.
	 */
	const char *(*usable)(const struct libra_host_request *request,
			      uint8_t *nodes, uint32_t n);
	/* A number that changes with nodes or reservations; changes within one
	 * second may share one.  NULL = unknown.
	 */
	uint64_t (*nodes_stamp)(void);
	/* Return true if a job ended by itself or at its time limit, neither
	 * failed nor cancelled.  NULL = no.
	 */
	bool (*ended_by_itself)(uint32_t job_id);
	/* Return how a run that ends just now has ended.  NULL = over. */
	enum libra_host_end (*ended)(uint32_t job_id);
	/* Find the ordinary job that has waited longest, among those that can
	 * start, were submitted before before_s, and pass may().  At equal
	 * times the lowest id.
	 * Result: false if there is none.  NULL = none.
	 */
	bool (*oldest)(bool (*may)(const void *arg, double submit_s,
				   uint32_t job_id, const char *partition),
		       const void *arg, double before_s,
		       struct libra_host_job *job);
	/* Return the time limit of a running job, as Slurm counts; 0 = no such
	 * job.  NULL = limits never change.
	 */
	uint32_t (*job_minutes)(uint32_t job_id);
	/* Read the parts and the time limit that a running job has now.
	 * Result: false if there is no such job.  NULL = unknown.
	 * Owner:  the caller frees job->parts.
	 */
	bool (*running)(uint32_t job_id, struct libra_host_job *job);
	/* Convert Slurm's job record; the texts are those of the record. */
	struct libra_host_job (*view)(const void *record);
	/* Called without the host's lock.  NULL = all users have all rights. */
	enum libra_host_right (*right)(const void *record, uint32_t user);
	/* Called without the host's lock.  NULL = there are no rules. */
	void (*rules)(const struct libra_host_request *request,
		      struct libra_host_rules *rules);
	/* Write the QOS in which a request that names none would run; "" =
	 * unknown.  Called without the host's lock.  NULL = unknown.
	 */
	void (*default_qos)(const struct libra_host_request *request,
			    char name[64]);
	/* Write a record into Slurm's job record and the job's environment.
	 * NULL = records are not written.
	 */
	void (*write_record)(uint32_t job_id,
			     const struct libra_host_record *record);
	/* Set the part of its processors that a running job uses, from 0 to 1,
	 * for accounting.  NULL = not needed.
	 */
	void (*charge)(uint32_t job_id, double rate);
	/* Note that a waiting job can start now: start a pass of the starter
	 * soon.  Any lock may be held.  NULL = nothing is done.
	 */
	void (*wake)(void);
};

struct libra_host_partition {
	const char *name;
	uint32_t max_minutes; /* MaxTime, as Slurm counts */
	uint32_t max_jobs;    /* that may share a processor; 0 = any */
	const uint8_t *nodes; /* nnodes entries: 1 = in the partition */
	bool whole_nodes;     /* no two jobs share a node */
	/* A setting that makes promises impossible, with the reason; static.
	 * NULL = none.
	 */
	const char *unpromised;
};

/* The cluster, by Slurm's numbers of nodes. */
struct libra_host_cluster {
	const char *sched_params;
	const char *default_partition; /* or NULL */
	const char *state_folder;      /* slurmctld's; NULL = save nothing */
	uint32_t nnodes;
	const char *const *node_names;
	const uint32_t *node_procs;   /* cores */
	const uint32_t *node_cpus;    /* for jobs; NULL = as node_procs */
	const uint64_t *node_mem;     /* in MB; NULL = unknown */
	const char *const *node_gres; /* from slurm.conf; NULL = none */
	/* Boot delay, in seconds, of nodes that power saving may stop; 0 =
	 * never.  NULL = none.
	 */
	const uint32_t *node_boot_s;
	uint32_t npartitions;
	const struct libra_host_partition *partitions;
	uint32_t cpus_per_proc; /* CPUs per processor, as Slurm counts */
	bool task_per_core;	/* for all jobs with tasks of one CPU */
	uint32_t max_array;	/* above all task indices; 0 = any */
};

/* An amount of a kind and type ("" = any) of generic resource. */
struct libra_host_kind {
	char kind[32], type[64];
	uint64_t count;
};

/* The times that a request gives. */
struct libra_host_times {
	double estimate_s; /* NAN = not given, INFINITY = unlimited */
	uint32_t minutes;  /* a change's time limit; 0 = unknown */
	double limit_s;	   /* requested time limit; NAN, INFINITY as above */
	double deadline_s; /* instant; INFINITY = none */
	const char *deadline_by; /* the setting that gave it; static; NULL = the
				    user did */
	double begin_s;		 /* earliest start, an instant; 0 = any */
	uint32_t signal_s; /* --signal so long before the limit; 0 = none */
};

/* The GPUs of a request, and what follows from all its generic resources. */
struct libra_host_gpus {
	struct libra_host_kind near_each; /* from gres.socket */
	uint32_t per_task;		  /* tasks per GPU; 0 = not given */
	/* GPUs of all types: all = of the job on its smallest number of nodes;
	 * per_node = of each node.
	 */
	uint64_t all, per_node;
	uint32_t socket_cores; /* as in libra_host_rules */
	bool near;	       /* requires GPUs near its cores */
	uint32_t cpus;	       /* per node, for its GPUs; 0 = not counted */
	bool any;	       /* requests more than processors and memory */
};

/* How a request restricts its nodes beyond libra_host_nodes. */
struct libra_host_layout {
	uint32_t whole_cores; /* cores of each whole node; 0 = not whole */
	uint64_t tmp_disk;    /* MB per node; 0 = any */
	const char *pinned; /* an option for certain nodes, cores or sharing, or
			       the property of a change; static; NULL = none */
	bool more_nodes;    /* --exclusive=topo: other nodes stay empty */
	bool spread;	    /* --spread-job */
	bool ports;	    /* reserves ports per node, for MPI */
};

/* Further rules of Slurm's that apply to a request. */
struct libra_host_bounds {
	double wide_room; /* several widths: limits.room at the widest;
			     INFINITY = no limit */
	struct libra_host_denial denial;
	bool no_account, no_license; /* Slurm would reject it */
	bool constrained;	     /* not all nodes meet the constraint */
};

/* The properties of a job that a change sets. */
struct libra_host_change {
	bool size;
	bool end; /* EndTime or TimeMin */
	bool memory;
	bool resources; /* others */
	bool comment;	/* the admin_comment */
	bool expands;	/* it gives its nodes to another job */
	bool mixed;	/* properties, too, on which Slurm alone decides */
};

/* 0 = none, NAN = not a number. */
struct libra_host_credits {
	double budget, penalty_rate;
};

/* An option that was not read, because its text is longer than `longest`
 * characters.
 */
struct libra_host_unread {
	const char *option; /* NULL = none */
	uint32_t longest;
};

/* A submission, or a change of a job.  In a change only the given numbers are
 * set.
 */
struct libra_host_request {
	const char *partition; /* list, or NULL = default */
	uint32_t user;
	uint32_t job_id;	      /* in the queue; 0 = a submission */
	const char *array;	      /* --array, or NULL */
	const char *account, *qos;    /* or NULL */
	const char *licenses, *extra; /* or NULL */
	const char *alloc_node;	      /* of the submission, or NULL */
	struct libra_host_times times;
	struct libra_host_size size;
	struct libra_host_nodes nodes;
	struct libra_host_layout layout;
	struct libra_host_mem mem;
	struct libra_host_gres gres;
	struct libra_host_gpus gpu;
	struct libra_host_limits limits;
	struct libra_host_bounds bounds;
	struct libra_host_change change;
	struct libra_host_credits credits;
	/* The part of the run time that more nodes than min_nodes divide among
	 * them (core/width.h).  0 = none, or not given; NAN = not a number from
	 * 0 to 1.
	 */
	double speedup;
	const char *uncounted; /* an option that promises do not count, and the
				  remedy */
	struct libra_host_unread unread;
	bool cpus_asked;    /* per task */
	bool component;	    /* of a heterogeneous job */
	bool blocked;	    /* held (not in a change), dependent, or begins
			       later */
	bool distrusted;    /* no promise before it is in the queue */
	bool reserved;	    /* in a reservation of Slurm's */
	bool queue_refused; /* user's own libra_refused=queue */
	bool only_promised; /* user's own libra_refused=reject */
};

enum libra_host_answer {
	LIBRA_HOST_STOCK = 1, /* not managed: leave it to Slurm */
	LIBRA_HOST_ACCEPTED,
	LIBRA_HOST_REFUSED,	 /* refused by the policy */
	LIBRA_HOST_UNACCEPTABLE, /* invalid request */
	LIBRA_HOST_BEST_EFFORT,	 /* no promise; runs at the least share */
	LIBRA_HOST_ORDINARY,	 /* no promise; Slurm drops the deadline */
};

struct libra_host_reply {
	enum libra_host_answer answer;
	char *text; /* for the user, of one or more lines; or NULL */
	struct libra_host_record record;
	uint32_t minutes;  /* time limit of the job */
	uint32_t signal_s; /* seconds from the deadline to the time limit: send
			      --signal earlier by these */
	/* For Slurm; 0 = as requested. */
	uint32_t ncpus, cpus_per_task, ntasks;
	uint64_t mem_per_cpu;	 /* in MB; 0 = as requested */
	bool account;		 /* a rule of accounts has refused it */
	bool denied;		 /* a rule of partition or QOS refused it */
	uint32_t nodes;		 /* exactly; 0 = as requested */
	uint32_t tasks_per_node; /* 0 = as requested */
	/* Generic resources per node, in place of those in all; "" = as
	 * requested.
	 */
	char gres_node[128];
	char gres_whole[128]; /* per whole node, besides those of tasks */
	enum libra_reason reason;
};

enum libra_host_place {
	LIBRA_PLACE_STOCK = 1, /* not promised */
	LIBRA_PLACE_HERE,      /* start on exactly these processors */
	LIBRA_PLACE_WAIT,      /* do not start now */
	LIBRA_PLACE_END,       /* the deadline can no longer be met */
	LIBRA_PLACE_LOST,      /* the promise is lost: start anywhere */
};

struct libra_host_placement {
	struct libra_host_part
		*parts; /* owned by the caller; reused by later calls */
	size_t nparts, cap;
	struct libra_host_record record; /* the caller frees its comment */
	uint32_t minutes; /* HERE: upper bound of the time limit */
};

/* Whether Slurm should consider a waiting job now. */
enum libra_host_wanted {
	LIBRA_NOT_WANTED = 0,
	LIBRA_WANTED,	    /* the job can start */
	LIBRA_WANTED_AGAIN, /* a start has failed, or a promise is to be
			       requested */
};

/* Calls by Slurm that are timed while they are in our code. */
enum libra_host_call {
	LIBRA_CALL_SUBMIT, /* job_submit() */
	LIBRA_CALL_MODIFY, /* job_modify() */
	LIBRA_CALL_TEST,   /* select: test whether a job can start */
	LIBRA_CALL_SET,	   /* select: it runs, or is restored */
	LIBRA_CALL_END,	   /* select: it ended, was suspended or resumed */
	LIBRA_CALL_LOOK,   /* slice of the starter, without Slurm's work */
	LIBRA_CALL_HOLD,   /* the same slice, with Slurm's work */
	LIBRA_CALLS
};

/* Zero-initialise.  May be started and stopped several times. */
struct libra_host_watch {
	double wall_s, cpu_s;
	bool on; /* timing was on at the last start */
};

struct libra_host_counts {
	uint32_t nprocs, offers, committed, running;
};

#endif
