/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - Slurm's scheduler as data: the resources of a site, the requests of
 * jobs, and the resources in use now.  passes.h has the rules that start jobs.
 *
 * Members that end in _s are whole seconds: instants since 1970, or durations.
 * Memory is megabytes.  A number of a node, partition, QOS, association, job or
 * task is its index in the model's array; SCHED_NONE is no index.  A set is an
 * array of bits, one for each index; a set of nodes has m->words words.
 *
 * A struct sched_job is what Slurm calls a job record: one job, or the waiting
 * tasks of an array.  A struct sched_task is one job or one task of an array,
 * from its submission to its end.  A struct sched_run exists while a task runs.
 *
 * Callers: load.c makes the model; simulate.c and steps.c change it.  Nothing
 * is locked: one thread uses a model.  If memory runs out in a pass or in
 * sched_wait() or sched_run_begin(), m->failed is set, and the caller must give
 * up the model.
 */
#ifndef SIM_SCHED_MODEL_H
#define SIM_SCHED_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Resources that the model counts; amounts of SCHED_MEM are megabytes. */
enum sched_tres {
	SCHED_CPU,
	SCHED_MEM,
	SCHED_NODE,
	SCHED_BILLING,
	SCHED_GPU,
	SCHED_NTRES,
};

#define SCHED_UNLIMITED UINT64_MAX
#define SCHED_NONE	UINT32_MAX

/* The reason for which a job waits.  sched_reason_name() has squeue's names. */
enum sched_reason {
	SCHED_REASON_NONE,
	SCHED_BEGIN_TIME,
	SCHED_DEPENDENCY,
	SCHED_NEVER, /* DependencyNeverSatisfied */
	SCHED_HELD,
	SCHED_PRIORITY,
	SCHED_RESOURCES,
	SCHED_NODES_RESERVED, /* a higher job took the partition's nodes */
	/* These four: no partition that the job asks for may run it. */
	SCHED_PARTITION_DOWN,
	SCHED_PARTITION_INACTIVE,
	SCHED_ACCOUNT_NOT_ALLOWED,
	SCHED_QOS_NOT_ALLOWED,
	SCHED_ARRAY_LIMIT,
	SCHED_QOS_LIMIT,
	SCHED_ASSOC_LIMIT,
	SCHED_PARTITION_LIMIT,
	SCHED_NO_SUCH_NODES, /* asks for more than the partition has */
	SCHED_NREASONS,
};

/* The part of slurmctld that started a job. */
enum sched_loop {
	SCHED_NOT_STARTED,
	SCHED_MAIN,
	SCHED_BACKFILL,
	SCHED_SUBMIT,  /* at its submission */
	SCHED_PROMISE, /* at its planned start */
	SCHED_NLOOPS,
};

struct sched_node {
	const char *name;
	uint32_t cpus, threads; /* CPUs, and CPUs of a core */
	uint32_t gpus, weight;
	uint64_t mem_mb;
	bool down;
};

/* Limits on one job, and on several together; SCHED_UNLIMITED: no limit.
 * Limits with `run_mins` are amounts times minutes.  All members are uint64_t.
 * The table of limits.c has a row for each member.
 */
struct sched_limits {
	uint64_t grp_jobs, jobs_account, jobs_user;
	uint64_t max_wall_s;
	uint64_t grp_submit, submit_account, submit_user;
	uint64_t grp_accrue, accrue_account, accrue_user;
	uint64_t grp[SCHED_NTRES], grp_run_mins[SCHED_NTRES];
	uint64_t job[SCHED_NTRES], node[SCHED_NTRES], least[SCHED_NTRES];
	uint64_t account[SCHED_NTRES], user[SCHED_NTRES];
	uint64_t run_mins_account[SCHED_NTRES], run_mins_user[SCHED_NTRES];
};

/* Usage that counts against limits: running jobs (jobs), submitted jobs that
 * have not ended, and waiting jobs whose age grows (accruing).  tres is the
 * amount that running jobs hold of each resource.  run_end - run_now * now_s is
 * that amount times the seconds that are left until their time limits.
 */
struct sched_usage {
	uint64_t jobs, submitted, accruing;
	uint64_t tres[SCHED_NTRES];
	int64_t run_end[SCHED_NTRES], run_now[SCHED_NTRES];
};

enum sched_preempt {
	SCHED_PREEMPT_OFF,
	SCHED_PREEMPT_REQUEUE,
	SCHED_PREEMPT_CANCEL,
};

struct sched_qos {
	const char *name;
	struct sched_limits limits;
	struct sched_usage used;
	uint32_t priority;
	uint64_t *preempts; /* set of QOS whose jobs it may preempt */
	enum sched_preempt preempt_mode;
	uint32_t exempt_s, grace_s;
	bool no_reserve, part_max_nodes, part_min_nodes, over_part, deny;
	uint64_t limited; /* set of its limits: sched_limits_note() */
	/* by number of user and account; sched_model_init() allocates both */
	struct sched_usage *by_user, *by_account;
};

struct sched_assoc {
	uint32_t parent; /* SCHED_NONE: the root */
	uint32_t user, account;
	struct sched_limits limits;
	struct sched_usage used;
	uint64_t limited; /* set of the limits that it has */
};

struct sched_part {
	const char *name;
	uint64_t *nodes; /* set of nodes */
	uint32_t nnodes, tier, min_nodes, max_nodes;
	uint64_t max_time_s, default_time_s; /* SCHED_UNLIMITED: no limit */
	uint32_t qos;			     /* SCHED_NONE: no QOS of its own */
	bool exclusive, least_loaded;
	enum sched_reason closed; /* to all jobs; SCHED_REASON_NONE: open */
	double priority;	  /* what the partition adds to a job's */
	double billing[SCHED_NTRES];
	bool has_billing;
	enum sched_preempt preempt_mode;
	uint32_t grace_s, overtime_s;
	/* State of one pass.  failed: a job closed the partition to the jobs
	 * behind it.  cleared: the pass has removed the nodes of the partition
	 * from b->avail.
	 */
	bool failed, cleared;
	uint32_t closed_by;	  /* if failed: that job */
	uint32_t tested, planned; /* tasks that were tested; reservations */
};

/* The bf_... parameters of SchedulerParameters; max_test is bf_max_job_test,
 * and so on.  interval_s 0: backfill does not run.  0 of another maximum than
 * max_test: no maximum.
 */
struct sched_backfill_params {
	uint32_t interval_s, window_s, resolution_s;
	uint32_t max_test, max_start, max_user, max_part;
	uint32_t max_user_part, max_assoc, max_array;
	uint32_t min_prio_reserve, min_age_reserve_s, part_reserve;
	uint32_t window_linear;
	bool one_resv, running_reserve, busy_nodes;
};

/* EnforcePartLimits: a job is refused if any, or each, of its partitions cannot
 * run it.
 */
enum sched_enforce { SCHED_ENFORCE_NO, SCHED_ENFORCE_ANY, SCHED_ENFORCE_ALL };

struct sched_params {
	/* main loop */
	uint32_t queue_depth, part_depth, sched_interval_s, batch_delay_s;
	uint32_t max_start;
	struct sched_backfill_params bf;
	/* count_memory: memory is allocated to jobs (CR_..._MEMORY) */
	bool assoc_limit_stop, least_loaded, count_memory;
	/* the rest */
	bool preempt_by_qos, preempt_by_part, preempt_strict, preempt_youngest;
	enum sched_preempt preempt_mode;
	uint32_t preempt_reorder, exempt_s;
	uint32_t limit_check_s, kill_wait_s, requeue_delay_s;
	bool main_at_end; /* an Epilog: the main loop runs at each end */
	uint32_t overtime_s;
	enum sched_enforce enforce_parts;
};

enum { SCHED_MAX_PARTS = 8 };

enum sched_depend {
	SCHED_AFTER = 1,
	SCHED_AFTEROK,
	SCHED_AFTERANY,
	SCHED_AFTERNOTOK,
	SCHED_SINGLETON,
	SCHED_AFTERCORR,
};

/* One dependency on a job or array. */
struct sched_dep {
	enum sched_depend kind;
	uint32_t id; /* of a job or array */
};

/* The resources that a job asks for.  load.c frees the sets. */
struct sched_request {
	uint32_t min_nodes, max_nodes; /* max 0: not given, as few as fit */
	uint32_t min_cpus, ntasks;     /* ntasks 0: not said */
	uint32_t cpus_per_task, tasks_per_node;
	uint32_t mincpus; /* of each node */
	/* GPUs of each node; if gpus_job is set, this many on all nodes
	 * together, at least gpus_task for each task.
	 */
	uint32_t gpus_node, gpus_job, gpus_task;
	uint64_t mem_mb; /* of a CPU (mem_per_cpu) or a node; 0: not counted */
	bool mem_per_cpu, whole, contiguous;
	uint64_t *required, *excluded; /* sets of nodes; NULL: none */
	const char *unpromised; /* option that bars a promise; NULL: none */
};

/* The tasks of a job.  A job without an array has one.  The n waiting tasks are
 * those of m->tasks from number `next` on that are not done.
 */
struct sched_job_tasks {
	uint32_t next, n;      /* waiting */
	uint32_t first, total; /* all */
	uint32_t base; /* the job whose members throttle and running count */
	uint32_t throttle, running; /* most tasks at a time, 0: any; now */
	int64_t slot_s; /* last end of a task that let another start, by %n */
};

/* The owner of a job.  assoc and qos may be SCHED_NONE; user is below
 * m->nusers.  account is the index of the account's association; m->nassocs:
 * none.
 */
struct sched_owner {
	uint32_t assoc, qos, user, account;
	uint32_t name; /* number of the job's name, for singletons; 0: none */
};

struct sched_job_times {
	int64_t submit_s, eligible_s; /* eligible 0: not yet */
	int64_t accrue_s; /* age counts from here, under limits; 0: not yet */
	int64_t begin_s, held_until_s; /* 0: none; of a held job: for good */
};

struct sched_depends {
	uint32_t n;
	bool any;	      /* one of them suffices */
	struct sched_dep *on; /* load.c frees it */
};

struct sched_job {
	uint32_t id, array; /* array: its JobID; 0: in no array */
	struct sched_job_tasks tasks;
	struct sched_owner owner;
	uint8_t nparts;
	uint16_t parts[SCHED_MAX_PARTS]; /* in the order of --partition */
	struct {
		uint8_t account, qos, time;
	} refused_by; /* bit p: a list or MaxTime of parts[p] */
	struct sched_request req;
	int64_t limit_s, time_min_s; /* time_min_s 0: none */
	struct sched_job_times times;
	uint32_t priority;
	uint16_t priority_part; /* the partition for which priority holds */
	uint16_t last_part;	/* the partition that a loop tried last */
	uint32_t tested_cpus;	/* CPUs of the nodes found last; 0: none yet */
	uint32_t fits_part; /* 1 + a partition whose nodes suffice; 0: not known
			     */
	struct sched_depends depends;
	enum sched_reason reason;
	int64_t planned_s; /* start that backfill plans; 0: none */
	/* waits: a task waits.  held: the job waits, but passes skip it; the
	 * main pass sets this for a job that can never start.  batch: submitted
	 * by sbatch.
	 */
	bool waits, held, batch;
	bool queued; /* in the queue that passes keep (queue.c) */
	bool copy;   /* a requeued task of an array: its array owns the sets */
	bool promised; /* a promise starts the job, or asks later: not passes */
	bool preempting;   /* victims end for it: passes skip it until the next
			      queue */
	int64_t preempt_s; /* when victims were told to end; 0: never */
	uint64_t order;	   /* in Slurm's list of jobs; 0: not there yet */
	uint32_t position; /* in the list of waiting jobs */
};

enum sched_outcome {
	SCHED_COMPLETED,
	SCHED_FAILED,
	SCHED_TIMEOUT,
	SCHED_CANCELLED,
};

/* The answer to a task that would ask for a deadline. */
enum sched_promise {
	SCHED_PROMISE_NONE,   /* does not ask */
	SCHED_PROMISE_UNABLE, /* slurmctld promises no such job */
	SCHED_PROMISE_LATER,  /* asks when it may start; no answer yet */
	SCHED_PROMISE_REFUSED,
	SCHED_PROMISE_EXPIRED, /* cancelled: refused until it was too late */
	SCHED_PROMISE_GIVEN,
};

struct sched_task {
	uint32_t id, array, index; /* JobIDRaw; JobID as ARRAY_INDEX */
	uint32_t job;
	int64_t runtime_s;
	enum sched_outcome outcome;
	uint32_t priority;
	int64_t cancel_s; /* it is cancelled, waiting or running; 0: never */
	enum sched_promise promise;
	int64_t deadline_s; /* that it asked for; 0: none */
	/* The result of a simulation; an instant 0: it never happened. */
	bool done; /* ended or cancelled */
	int64_t eligible_s, start_s, end_s;
	enum sched_loop loop;
	enum sched_reason reason;
	uint32_t preempted; /* how often */
	uint32_t part;	    /* in which it started */
};

/* A running task, and the resources that the task holds.  sched_run_free()
 * frees node, cpus and gpus.
 */
struct sched_run {
	uint32_t job, task, qos, part, priority;
	int64_t start_s, end_s; /* end_s: start and limit */
	uint64_t order;		/* in Slurm's list of jobs */
	uint32_t nnodes;
	uint32_t *node, *cpus; /* of each: its number, the CPUs held there */
	uint64_t mem_mb;       /* of each CPU (mem_per_cpu) or of each node */
	uint32_t *gpus;	       /* of each node; NULL: gpus_node */
	uint32_t gpus_node;
	bool mem_per_cpu, whole;
	uint64_t tres[SCHED_NTRES];
	uint32_t usable; /* memory of sched_try_start(): rank as a victim */
	bool ending;	 /* preempted, and not over yet: set by the host */
	bool promised;	 /* must not be a victim */
};

/* Free resources of each node.  A node that is down counts as free here:
 * m->machine.up decides.
 */
struct sched_free {
	uint32_t *cpus, *gpus, *jobs;
	uint64_t *mem_mb;
	uint64_t *idle; /* set of nodes without a job */
	uint64_t *some; /* set of nodes with a free CPU */
};

/* The state of all nodes.  sched_model_init() sets all members; the host adds
 * and removes completing nodes.
 */
struct sched_machine {
	uint64_t *up;	      /* set of nodes */
	uint64_t *completing; /* set of nodes that still end a job */
	bool one_weight;      /* all nodes have the same weight */
	bool alike;	      /* same CPUs, threads, GPUs and memory */
	uint32_t most_cpus;   /* of a node */
};

/* The runs.  The model owns them. */
struct sched_running {
	struct sched_run **runs; /* by end_s, then order */
	uint32_t n, cap;
	uint64_t changes; /* grows with each start or end */
};

struct sched_model;

/* Functions of the host of the model: the simulation, or the replay of a
 * recording.  Passes call all but `cancel`, which promises call.  Passes do not
 * read `host`.  During a pass the functions must not call sched_run_end(),
 * sched_requeue() or another pass.
 */
struct sched_hooks {
	/* Return the reason why a waiting job may not start even at its turn
	 * (a begin time, a dependency, a hold); SCHED_REASON_NONE: it may.  If
	 * m->lasting is set, SCHED_REASON_NONE holds as long as the job waits,
	 * except for singletons and held jobs, which are asked again.  The
	 * host clears job->held when a hold ends: passes do not.
	 */
	enum sched_reason (*may_run)(struct sched_model *m,
				     struct sched_job *job);
	/* A run has begun; the model has counted it. */
	void (*started)(struct sched_model *m, struct sched_run *run,
			enum sched_loop loop);
	/* A run is a victim: set run->ending, and call sched_run_end() after
	 * the pass.
	 */
	void (*preempted)(struct sched_model *m, struct sched_run *run);
	/* Cancel a waiting task now. */
	void (*cancel)(struct sched_model *m, uint32_t task);
	/* Return true if a start of a job now on b->place delays no promise,
	 * once the first ngone of b->victims have ended there.  Else take the
	 * nodes that promises need out of the set `open`, unless open is NULL.
	 * may_take may be NULL: there is no promise.
	 */
	bool (*may_take)(struct sched_model *m, uint32_t job, uint32_t part,
			 uint32_t ngone, uint64_t *open);
	void *host;
};

struct sched_model {
	uint32_t nnodes, words;
	struct sched_node *nodes;
	uint32_t nparts, nqos, nassocs, nusers, naccounts;
	struct sched_part *parts;
	struct sched_qos *qos;
	struct sched_assoc *assocs;
	struct sched_params params;
	struct sched_machine machine;

	struct sched_job *jobs;
	uint32_t njobs, jobs_cap;
	struct sched_task *tasks;
	uint32_t ntasks;

	/* state */
	int64_t now_s;
	struct sched_free free;
	uint32_t *waiting, nwaiting, waiting_cap; /* jobs, by their order */
	uint64_t last_order;			  /* in Slurm's list of jobs */
	struct sched_running running;
	uint64_t changes; /* grows with each start, end, new or removed job */
	bool lasting;	  /* see hooks.may_run */
	struct sched_hooks hooks;
	bool failed; /* out of memory */
	/* buffers of the passes, allocated once */
	struct sched_buffers *buffers;
};

/* Allocate the state of a model whose nodes, partitions, QOS, associations and
 * their numbers are filled in, and whose machine and state are 0.  All nodes
 * are free then, and no job waits.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls sched_model_fini() once, after an error as well.
 *         sched_model_fini() frees the state and the runs, not the input.
 */
int sched_model_init(struct sched_model *m, struct libra_error *err);
void sched_model_fini(struct sched_model *m);

/* Return the name of a reason as squeue prints it, or the name of a loop in
 * files, "" for SCHED_NOT_STARTED.  Both are constants.
 */
const char *sched_reason_name(enum sched_reason reason);
const char *sched_loop_name(enum sched_loop loop);

/* Add a job to the waiting jobs, in the order of Slurm's list, or remove the
 * job.  A job whose `order` is 0 gets one.  sched_wait(): the job must not wait
 * already; if memory runs out, m->failed is set.  sched_unwait() does nothing
 * if the job does not wait.
 */
void sched_wait(struct sched_model *m, uint32_t job);
void sched_unwait(struct sched_model *m, uint32_t job);

/* Remove a task from a waiting job.  With its last task the job stops waiting.
 * sched_next_task(): the next task has started, and the rest of an array moves
 * to the end of Slurm's list.  sched_drop_task(): the caller has set `done` of
 * one of the tasks.
 */
void sched_next_task(struct sched_model *m, uint32_t job);
void sched_drop_task(struct sched_model *m, uint32_t job);

/* Let a task wait again after its run was removed, at the place `order` in
 * Slurm's list.  A task of an array becomes a job of its own, which has no
 * dependency.  The caller sets the job's eligible and begin times.  Do not call
 * this during a pass: m->jobs may move, so pointers to jobs become invalid.
 * Result: the job; or SCHED_NONE with ENOMEM, and m->failed is not set.
 */
uint32_t sched_requeue(struct sched_model *m, uint32_t job, uint32_t task,
		       uint64_t order, int64_t submit_s);

/* Begin a run: take its resources and count the run for limits.  All members
 * of *run are set by the caller.  The caller also counts the run in
 * tasks.running of the job's base.
 * Result: 0, or -1 without memory; m->failed is set.
 * Owner:  the model; after an error the caller, who calls sched_run_free().
 */
int sched_run_begin(struct sched_model *m, struct sched_run *run);

/* End a run that has begun: give its resources back, stop counting the run for
 * limits, and free *run.  The caller lowers tasks.running of the job's base.
 */
void sched_run_end(struct sched_model *m, struct sched_run *run);

/* Free a run that the model does not have.  NULL is allowed. */
void sched_run_free(struct sched_run *run);

/* Give the resources of a run back to f, or take the resources from f.  The
 * limits and the list of runs do not change.  Cost: the nodes of the run.
 */
void sched_release(const struct sched_model *m, struct sched_free *f,
		   const struct sched_run *run);
void sched_occupy(const struct sched_model *m, struct sched_free *f,
		  const struct sched_run *run);

/* Allocate free resources for the nodes of a model, all 0.  m->words must be
 * set.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls sched_free_fini(), after an error as well.
 */
int sched_free_init(const struct sched_model *m, struct sched_free *f);

/* Copy free resources; both were allocated for this model. */
void sched_free_copy(const struct sched_model *m, struct sched_free *to,
		     const struct sched_free *from);
void sched_free_fini(struct sched_free *f);

#endif
