/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.h - what the plugins and the host tell each other.
 *
 * Plain values in the terms of the core: seconds, processors, numbers of jobs
 * and nodes as Slurm has them.  Nothing here knows a structure of Slurm; the
 * plugins translate, with units.h for times and counts.
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

/* Slurm starts a job again only after two minutes, or so: what is promised to
 * it is kept for it.
 */
enum { LIBRA_AGAIN_S = 125 };

/* When an ordinary job would start is asked with so many others before it. */
enum { LIBRA_FIT_AHEAD = 32 };

/* What Slurm knows of a job that has not started. */
enum libra_host_job_state {
	LIBRA_JOB_GONE = 1, /* no such job, or it is over */
	LIBRA_JOB_PENDING,  /* may start */
	LIBRA_JOB_BLOCKED,  /* held, or waits for another job or its begin */
	LIBRA_JOB_ALIVE,    /* runs, or is suspended */
};

/* Neighbouring cores of one of Slurm's nodes. */
#define LIBRA_ALL_CORES UINT32_MAX

struct libra_host_part {
	uint32_t node, first, count; /* or LIBRA_ALL_CORES */
	/* Of a job on its nodes: what it has of the node's memory, in MB, and
	 * of its generic resources ("gpu:a100:2,nic:1"); NULL = none.  surely:
	 * these are those that it has, not what it asked for.
	 */
	uint64_t mem;
	const char *gres;
	bool surely;
};

/* A job as select sees it. */
struct libra_host_job {
	uint32_t job_id;
	uint32_t user;
	const char *comment;
	uint32_t waiting; /* tasks, of an array's record; 0 = a job */
	uint32_t array;	  /* that it is a task of, or the record of; 0 = none */
	bool whole_array; /* has the array's id: the last of its tasks, too */
	uint32_t minutes; /* its time limit, as Slurm counts */
	bool longest;	  /* that is the longest it can become */
	double start_s;	  /* of its run, if it has one; 0 = not known */
	double submit_s;
	uint32_t ncpus, ntasks, cpus_per_task; /* as asked for; 0 = not known */
	uint32_t tasks_per_node, threads_per_core, min_nodes, max_nodes;
	bool task_per_core;
	bool exclusive; /* wants its nodes for itself */
	bool one_user;	/* for its user, or his label; or more than them */
	bool alone;	/* in fact no job of others comes to them */
	bool suspended; /* it runs, but stands still */
	bool look_only; /* do not ask for a promise it has not got */
	bool untold;	/* there was no memory for its parts */
	const struct libra_host_part *parts; /* its cores, where they are known;
						Slurm's */
	size_t nparts;
	/* Jobs that Slurm would preempt for it there, and does if it may start:
	 * ids.
	 */
	const uint32_t *gone;
	uint32_t ngone;
	double gone_s; /* so long that may take */
	bool preempts;
	uint64_t hold_per_cpu, hold_per_node;  /* as of a request */
	uint64_t mem_per_cpu, mem_per_node;    /* as asked for; 0 = not */
	const char *partition, *account, *qos; /* Slurm's; or NULL */
	/* As asked for, or NULL. */
	const char *constraint, *nodelist, *exclude;
	const char *gres_job, *gres_node, *gres_task, *gres_socket,
		*cpus_per_gres, *mem_per_gres;
	uint32_t sockets; /* of each node; 0 = not given */
	/* As of a request, for what it does not say; 0 = none. */
	uint64_t def_cpus_per_gpu, def_mem_per_gpu;
};

/* What a user may do to a job. */
enum libra_host_right {
	LIBRA_RIGHT_NONE = 1,
	LIBRA_RIGHT_OWNER,
	LIBRA_RIGHT_OPERATOR, /* also give it more time while it runs */
};

/* How nodes serve the jobs of a policy. */
enum libra_host_rule {
	LIBRA_RULE_SHARE, /* by shares; a late job needs all of a processor */
	LIBRA_RULE_YIELD, /* by shares; a late job gets what they leave */
	LIBRA_RULE_DEADLINE, /* whole processors, in turn by deadline */
};

/* What they are told. */
static inline const char *libra_host_rule_name(enum libra_host_rule rule)
{
	return rule == LIBRA_RULE_DEADLINE ? "deadline"
	       : rule == LIBRA_RULE_YIELD  ? "yield"
					   : "share";
}

/* What a job's record shall say of its promise. */
struct libra_host_record {
	char *comment; /* its admin_comment; NULL = all stays as it is */
	/* For its nodes, by way of its environment there. */
	enum libra_host_rule rule;
	double share;
	double estimate_s, deadline_s;
	double start_s; /* of a job that waits for its planned start; 0 = it
			   need not */
};

/* A rule of a partition, or of a QOS, with which a job would never start. */
struct libra_host_denial {
	const char *rule;   /* its name, static; NULL = no rule does that */
	const char *advice; /* why, and what to do now; static */
	bool of_qos;	    /* else of the partition */
	char name[64];	    /* of the QOS or partition */
	char value[64];	    /* of the rule; a longer one is cut */
};

/* What Slurm holds against a request after the verdict. */
struct libra_host_rules {
	struct libra_host_denial denial;
	bool no_account;       /* it would not take it from this user */
	bool no_license;       /* it does not know them, or has not so many */
	const char *uncounted; /* as of a request; static */
	bool constrained;      /* not every node has what it wants */
	double limit_s;	       /* the longest run it permits; INFINITY = any */
	double room; /* so many such jobs may begin now, with those that
			are promised, */
	const char *limit_name; /* as this limit says; NULL = any number */
	bool never;		/* nor ever */
	uint32_t max_nodes;	/* for each; 0 = any number */
	uint64_t mem_per_cpu; /* at most, in MB: for more it adds CPUs; 0 = any
			       */
	bool memory;	      /* is divided among jobs */
	uint64_t def_per_cpu, def_per_node; /* for who asks for none */
	/* For each GPU, of who asks for no CPUs of a task, and no memory. */
	uint64_t def_cpus_per_gpu, def_mem_per_gpu;
	/* Of a socket, where tasks get GPUs near their cores; 0 = any. */
	uint32_t socket_cores;
};

/* Why a node takes no job now, though Slurm brings it back by itself. */
enum libra_host_away_kind {
	LIBRA_AWAY_NOT = 0,
	LIBRA_AWAY_COMPLETING,	/* its jobs have ended, their epilogs have not
				 */
	LIBRA_AWAY_POWERS_DOWN, /* then a job may start, after a boot */
	LIBRA_AWAY_BOOTS,
	LIBRA_AWAY_REBOOT_ASKED, /* it reboots when its jobs have ended */
	LIBRA_AWAY_REBOOT,
	LIBRA_AWAY_KINDS
};

struct libra_host_away {
	enum libra_host_away_kind kind;
	const char *text;   /* "is completing"; static */
	uint32_t expect_s;  /* so long it takes, before any was measured */
	uint32_t longest_s; /* so long it may take at least, before the node
			       counts as gone */
	double jobs_end_s;  /* REBOOT_ASKED: the instant, by their limits */
};

/* All of a node's memory, however much that is. */
#define LIBRA_WHOLE_MEMORY UINT64_MAX

/* Memory of a node, in MB. */
struct libra_host_memory {
	uint64_t all;
	uint64_t free; /* not of a job that runs */
};

enum libra_host_repeat {
	LIBRA_ONCE,
	LIBRA_HOURLY,
	LIBRA_DAILY,
	LIBRA_WEEKDAYS, /* Monday to Friday */
	LIBRA_WEEKEND,	/* Saturday and Sunday */
	LIBRA_WEEKLY,
};

/* Nodes that are kept for some, from one instant to another; and again at the
 * same local time.
 */
struct libra_host_reservation {
	double from_s, to_s;  /* of this time, or the next; from 0: it floats */
	const uint8_t *nodes; /* Slurm's, each of them: 1 = it is reserved */
	enum libra_host_repeat repeat;
};

struct libra_host_request;

struct libra_host_ops {
	void (*log)(enum libra_host_level level, const char *text);
	double (*now_s)(void); /* NULL = CLOCK_REALTIME */
	/* A clock that nobody sets.  NULL = CLOCK_BOOTTIME, or the one above
	 * where that is given.
	 */
	double (*steady_s)(void);
	/* NULL = not known: jobs are pending, nodes are up. */
	enum libra_host_job_state (*job_state)(uint32_t job_id);
	/* The job whose record names an offer, if it has not failed; 0 = none
	 * does.  NULL = not known: offers wait for their jobs until they
	 * expire.
	 */
	uint32_t (*find_claim)(uint64_t epoch, uint64_t offer);
	/* Is it this job?  The above looks at all of them.  NULL = not known.
	 */
	bool (*has_claim)(uint32_t job_id, uint64_t epoch, uint64_t offer);
	/* What keeps a waiting job from starting until somebody changes the
	 * job or a rule ("MaxNodes of its partition"; static).  Result: NULL if
	 * nothing does.  NULL = nothing ever does.
	 */
	const char *(*barrier)(uint32_t job_id);
	enum libra_node_state (*node_state)(uint32_t node);
	/* Does a node take no job now, and come back by itself?  That goes
	 * before its state.  NULL = no node does.
	 */
	bool (*node_away)(uint32_t node, struct libra_host_away *away);
	/* So long a job may wait for a node that is powered down, or on its
	 * way, in seconds; 0 = it is neither.  NULL = none is.
	 */
	uint32_t (*wakes_s)(uint32_t node);
	/* Which of Slurm's first n nodes are reserved, now or later: 1 each.
	 * Result: false if none is, and *nodes is as it was.  NULL = none.
	 */
	bool (*reserved)(uint8_t *nodes, uint32_t n);
	/* Tell of each reservation that is not over.  Result: false without
	 * memory.  NULL = there is none.
	 */
	bool (*reservations)(
		void (*each)(void *arg,
			     const struct libra_host_reservation *reservation),
		void *arg, double now_s);
	/* Another number after one of these was changed, though maybe the same
	 * for all that happens within a second.  NULL = not known.
	 */
	uint64_t (*reservations_stamp)(void);
	/* The memory of Slurm's first n nodes.  Result: false if it is not
	 * divided among jobs.  NULL = it is not.
	 */
	bool (*memory)(struct libra_host_memory *nodes, uint32_t n);
	/* Which of Slurm's first n nodes have what a request's constraint says,
	 * stand in its nodelist and not in its exclude, and have its sockets
	 * with its near_each near each: 1 each.  Result: false if that cannot
	 * be told.  NULL = of a request that says nothing.
	 */
	bool (*usable)(const struct libra_host_request *request, uint8_t *nodes,
		       uint32_t n);
	/* Another number after nodes or reservations were changed, though maybe
	 * the same for all that happens within a second.  NULL = not known.
	 */
	uint64_t (*nodes_stamp)(void);
	/* Is a job over that did what it was to do, or would have with more
	 * time: neither failed nor cancelled?  NULL = no.
	 */
	bool (*ended_by_itself)(uint32_t job_id);
	/* The ordinary job that has waited longest of those that may start, and
	 * were submitted before an instant, and of which may() says so: in
	 * *job; of equal instants the lowest id.  Result: false if there is
	 * none.  NULL = none.
	 */
	bool (*oldest)(bool (*may)(const void *arg, double submit_s,
				   uint32_t job_id, const char *partition),
		       const void *arg, double before_s,
		       struct libra_host_job *job);
	/* The time limit of a job that runs, as Slurm counts; 0 = no such job.
	 * NULL = limits do not change.
	 */
	uint32_t (*job_minutes)(uint32_t job_id);
	/* What a job that runs has now.  Result: false if there is none such.
	 * Owner: the caller frees job->parts.  NULL = not known.
	 */
	bool (*running)(uint32_t job_id, struct libra_host_job *job);
	/* Slurm's job record; the comment is good while that stays. */
	struct libra_host_job (*view)(const void *record);
	/* Called without the lock.  NULL = everybody may do everything. */
	enum libra_host_right (*right)(const void *record, uint32_t user);
	/* Called without the lock.  NULL = it takes everything. */
	void (*rules)(const struct libra_host_request *request,
		      struct libra_host_rules *rules);
	void (*write_record)(uint32_t job_id,
			     const struct libra_host_record *record);
	/* A running job works with this part of its processors.  NULL = that is
	 * nobody's business.
	 */
	void (*charge)(uint32_t job_id, double rate);
	/* A waiting job may start from now on: to be looked at soon. */
	void (*wake)(void);
};

struct libra_host_partition {
	const char *name;
	uint32_t max_minutes; /* longest time limit, as Slurm counts */
	uint32_t max_jobs;    /* that may share a processor; 0 = any number */
	const uint8_t *nodes; /* nnodes of them: 1 = belongs to it */
	bool whole_nodes;     /* no two jobs are on a node of it */
	/* A setting, and why nothing can be promised where it is; NULL = none.
	 * Lives on.
	 */
	const char *unpromised;
};

/* The cluster, as Slurm numbers its nodes. */
struct libra_host_cluster {
	const char *sched_params;
	const char *default_partition; /* may be NULL */
	const char *state_folder;      /* of slurmctld; NULL = keep nothing */
	uint32_t nnodes;
	const char *const *node_names;
	const uint32_t *node_procs;   /* what a share is of: cores */
	const uint32_t *node_cpus;    /* for jobs; NULL = all of these */
	const uint64_t *node_mem;     /* in MB; NULL = not known */
	const char *const *node_gres; /* as slurm.conf has it; NULL = none */
	/* Seconds that a job may wait for a node that powers down, or has; 0 =
	 * it never does.  NULL = none does.
	 */
	const uint32_t *node_boot_s;
	uint32_t npartitions;
	const struct libra_host_partition *partitions;
	uint32_t cpus_per_proc; /* CPUs that Slurm counts for one of them */
	bool task_per_core;	/* so do all jobs of one-CPU tasks */
	uint32_t max_array;	/* tasks have lower indices; 0 = any */
};

/* So many of a kind of generic resource, and of a type of it ("" = any). */
struct libra_host_kind {
	char kind[32], type[64];
	uint64_t count;
};

/* A submission; or a change, of which only the numbers that are given. */
struct libra_host_request {
	const char *partition; /* one or more, with commas; NULL = default */
	double estimate_s;     /* NAN = not given, INFINITY = unlimited */
	uint32_t minutes;      /* a change's time limit; 0 = not known */
	double limit_asked_s;  /* the time limit that is asked for, likewise */
	double deadline_s;     /* instant; INFINITY = none */
	double begin_s;	       /* instant; not before that; 0 = any time */
	/* Credits; 0 = none, NAN = no such number. */
	double budget, penalty_rate;
	uint32_t ncpus;	 /* all tasks together */
	uint32_t ntasks; /* 0 = not given */
	uint32_t cpus_per_task;
	uint32_t threads_per_core;     /* of a core, to be used; 0 = all */
	uint32_t tasks_per_node;       /* at most; 0 = any */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	uint32_t user;
	const char *array;			/* expression, or NULL */
	const char *account, *qos, *constraint; /* or NULL */
	const char *nodelist, *exclude;		/* of nodes, or NULL */
	/* Generic resources: in all, of each node, of each task, of each
	 * socket; CPUs and MB for each of them; or NULL.
	 */
	const char *gres_job, *gres_node, *gres_task, *gres_socket,
		*cpus_per_gres, *mem_per_gres;
	uint32_t sockets;		  /* of each node; 0 = not given */
	struct libra_host_kind near_each; /* gres_socket, when it is read */
	uint32_t tasks_per_gpu;		  /* 0 = not given */
	/* GPUs of any type: in all, on as many nodes as it wants at least, and
	 * those that go with each node.
	 */
	uint64_t gpus, node_gpus;
	/* Of the cluster, for who says nothing of them; 0 = none. */
	uint64_t def_cpus_per_gpu, def_mem_per_gpu;
	uint32_t socket_cores; /* where its tasks get GPUs near; 0 = any */
	bool cpus_asked;       /* for each task */
	bool gres_near;	       /* only with cores that are near */
	uint32_t gres_cpus;    /* of each node, for these; 0 = not counted */
	uint32_t whole_cores;  /* of each node, all of it; 0 = not counted */
	uint64_t mem_per_cpu, mem_per_node;   /* in MB; 0 = not asked for */
	uint64_t hold_per_cpu, hold_per_node; /* to be kept; 0, 0 = none */
	bool whole_memory;		      /* is asked for */
	double limit_s;		/* its run may take no longer; 0 = not known */
	double room;		/* so many of them may begin, */
	const char *limit_name; /* as this limit says; NULL = any number */
	bool never;		/* it would not let one begin at any time */
	uint32_t job_id;	/* of a job in the queue; 0 = a submission */
	const char *licenses;	/* or NULL */
	const char *extra;	/* or NULL */
	const char *uncounted;	/* what no promise counts, and what to do */
	/* An option whose text is longer than longest characters, and was not
	 * read; NULL = none is.
	 */
	const char *too_long;
	uint32_t longest;
	const char *alloc_node; /* that it comes from, or NULL */
	struct libra_host_denial denial;
	bool no_account, no_license; /* Slurm would not take it */
	bool constrained;	     /* not every node has what it wants */
	bool more_cpus;		     /* Slurm adds CPUs for its memory */
	bool gres;		     /* wants more than processors and memory */
	bool task_per_core;	     /* no two of them on one */
	bool component;		     /* of a heterogeneous job */
	bool blocked;		     /* held, dependent, or begins later */
	bool distrusted;    /* promised nothing before it is in the queue */
	bool reserved;	    /* in a reservation */
	bool queue_refused; /* the user's own libra_refused=queue */
	bool only_promised; /* libra_refused=reject */
	bool pinned;	    /* wants certain nodes, or to share oddly */
	bool exclusive;	    /* wants whole nodes */
	bool one_user;	    /* wants them for its user, or his label */
	bool more_nodes;    /* and others to be empty, too */
	bool expands;	    /* is to give its nodes to another job */
	bool spread;	    /* wants as many nodes as there are */
	bool ports;	    /* wants some of each node, for MPI */
	bool resized;	    /* a change of the size */
	bool mixed;	    /* a change that asks Slurm for more */
	bool ends;	    /* a change of when it ends, or may */
	bool memory;	    /* a change of that */
	bool resources;	    /* a change of others, besides processors */
	bool comment; /* a change of the record, where promises are kept */
};

enum libra_host_answer {
	LIBRA_HOST_STOCK = 1, /* not ours: leave it to Slurm */
	LIBRA_HOST_ACCEPTED,
	LIBRA_HOST_REFUSED,	 /* by the policy */
	LIBRA_HOST_UNACCEPTABLE, /* no sensible request */
	LIBRA_HOST_BEST_EFFORT,	 /* Slurm's, at the least share there is */
	LIBRA_HOST_ORDINARY,	 /* Slurm's, without a promise or a deadline */
};

struct libra_host_reply {
	enum libra_host_answer answer;
	char *text; /* for the user; may have several lines; or NULL */
	struct libra_host_record record;
	uint32_t minutes; /* the time limit the job shall have */
	/* That Slurm shall count; 0 = as asked for. */
	uint32_t ncpus, cpus_per_task, ntasks;
	uint64_t mem_per_cpu;	 /* in MB, likewise */
	bool account;		 /* it is refused by a rule of accounts */
	bool denied;		 /* by a rule of its partition or QOS */
	uint32_t nodes;		 /* exactly so many; 0 = as asked for */
	uint32_t tasks_per_node; /* likewise */
	/* Generic resources of each node instead of those in all; "" = as asked
	 * for.
	 */
	char gres_node[128];
	char gres_whole[128]; /* of each whole node, beside those of tasks */
	enum libra_reason reason;
};

enum libra_host_place {
	LIBRA_PLACE_STOCK = 1, /* no promised job */
	LIBRA_PLACE_HERE,      /* on exactly these processors */
	LIBRA_PLACE_WAIT,      /* not now */
	LIBRA_PLACE_END,       /* its deadline cannot be met any more */
	LIBRA_PLACE_LOST,      /* promised once, not any more: where it can */
};

struct libra_host_placement {
	struct libra_host_part
		*parts; /* owned by the caller, kept over calls */
	size_t nparts, cap;
	struct libra_host_record record; /* the caller frees the comment */
	uint32_t minutes; /* the longest time limit, where it is HERE */
};

/* Shall Slurm look at a waiting job now? */
enum libra_host_wanted {
	LIBRA_NOT_WANTED = 0,
	LIBRA_WANTED,	    /* it may start */
	LIBRA_WANTED_AGAIN, /* that was tried in vain; or it asks for a promise
			     */
};

/* Calls of Slurm's, each as long as it is in our code. */
enum libra_host_call {
	LIBRA_CALL_SUBMIT, /* job_submit() */
	LIBRA_CALL_MODIFY, /* job_modify() */
	LIBRA_CALL_TEST,   /* select: where may a job start? */
	LIBRA_CALL_SET,	   /* select: it runs, or is restored */
	LIBRA_CALL_END,	   /* select: it ended, was suspended or resumed */
	LIBRA_CALL_LOOK, /* our thread that starts jobs, under Slurm's locks */
	LIBRA_CALL_HOLD, /* the same with what Slurm does for us meanwhile */
	LIBRA_CALLS
};

/* Zeros are the beginning.  It may be started and stopped several times. */
struct libra_host_watch {
	double wall_s, cpu_s;
	bool on; /* calls were timed when it was last started */
};

struct libra_host_counts {
	uint32_t nprocs, offers, committed, running;
};

#endif
