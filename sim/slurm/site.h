/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - a site as Slurm's own commands print it: settings, partitions,
 * nodes, QOS, associations and jobs, as plain arrays.
 *
 * contrib/site-snapshot writes the folder.  Each file may be plain, .gz or
 * .zst:
 *
 *   config.txt        scontrol show config       partitions.txt, nodes.txt
 *   reservations.txt  scontrol show reservation  qos.txt, assoc.txt, tres.txt
 *   event.txt         sacctmgr -P show event     sshare.txt  sshare -l -a -P
 *   jobs.txt          sacct, as `librasim import --show-command`
 *
 * config.txt, partitions.txt and nodes.txt are needed, and jobs.txt if jobs are
 * to be read.  Without another file its array is empty, with two exceptions.
 * Without tres.txt the TRES are those of config.txt and nodes.txt.  Without
 * sshare.txt the usage of each association is 0.
 *
 * A struct slurm_site owns all texts and arrays below, and slurm_site_fini()
 * frees them.  A text does not move before that, nor does an array to which an
 * element points.  The arrays `jobs` and `nodes` move when elements are added:
 * by slurm_site_read_jobs() and slurm_site_change().
 *
 * An index is the place in an array of the site, from 0; SLURM_NONE is no
 * index.  Members that end in _s are seconds: instants since 1970, or
 * durations.  Members named after a setting of Slurm have its meaning and
 * default.  A key, column, flag or name that the readers do not know is counted
 * in `unknown`, and reading goes on.  A number or an instant that cannot be
 * read fails with EINVAL.
 *
 * Callers: the simulation of a site and its reports.  After reading, only
 * slurm_site_change(), slurm_site_read_jobs() and slurm_prio_rewind()
 * (priority.h) change a site.  No function locks: several threads may read one
 * site while none changes the site.
 */
#ifndef SIM_SLURM_SITE_H
#define SIM_SLURM_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "sim/import/values.h"

/* The member decides which of the three with the value UINT32_MAX is meant. */
#define SLURM_NONE	UINT32_MAX /* no index */
#define SLURM_UNLIMITED INT64_MAX  /* of limits: none is set */
#define SLURM_PARENT	UINT32_MAX /* shares: those of the parent */
#define SLURM_INFINITE	UINT32_MAX /* of times in seconds */

/* ---- trackable resources ---- */

/* The five TRES that Slurm always has, in this order.  Generic resources and
 * licences follow.  Memory is in megabytes.
 */
enum {
	SLURM_CPU,
	SLURM_MEM,
	SLURM_ENERGY,
	SLURM_NODE,
	SLURM_BILLING,
	SLURM_TRES_MAX = 64,
};

struct slurm_tres {
	const char *name; /* "cpu", "gres/gpu", "license/x" */
	uint32_t id;	  /* slurmdbd's; 0 = not in tres.txt */
	bool tracked;	  /* one of the five, or AccountingStorageTRES */
};

/* ---- limits ---- */

/* Amounts by TRES: int64_t[ntres], SLURM_UNLIMITED where no limit is set; NULL:
 * none is set at all.
 */
typedef const int64_t *slurm_amounts;

/* Limits on all jobs of a QOS or an association together.  Limits with `mins`
 * are amounts times minutes, here and below.
 */
struct slurm_group {
	int64_t jobs, jobs_accrue, submit, wall_s;
	slurm_amounts tres, tres_mins, tres_run_mins;
};

/* A QOS.  The end of a limit's name says what the limit bounds: pa all jobs of
 * an account, pu all jobs of a user, pj one job, pn each node of a job.
 * max_wall_s and min_priority bound one job.
 */
struct slurm_qos {
	const char *name;
	uint32_t id;
	uint32_t flags; /* SLURM_QOS_... */
	uint32_t priority;
	double usage_factor;
	double limit_factor;	    /* 0 = none */
	uint32_t grace_s, exempt_s; /* exempt SLURM_INFINITE: the cluster's */
	uint8_t preempt_mode;	    /* SLURM_PREEMPT_... */
	const char *preempt;	    /* as printed; "" = none */
	const uint32_t *preempts;   /* QOS that this one preempts */
	size_t npreempts;
	struct slurm_group grp;
	int64_t max_jobs_pa, max_jobs_pu, max_accrue_pa, max_accrue_pu;
	int64_t max_submit_pa, max_submit_pu, max_wall_s, min_priority;
	slurm_amounts max_tres_pa, max_tres_pj, max_tres_pn, max_tres_pu;
	slurm_amounts max_tres_mins_pj, max_run_mins_pa, max_run_mins_pu;
	slurm_amounts min_tres_pj;
};

enum {
	SLURM_QOS_DENY_ON_LIMIT = 1 << 0,
	SLURM_QOS_NO_RESERVE = 1 << 1,
	SLURM_QOS_NO_DECAY = 1 << 2,
	SLURM_QOS_USAGE_FACTOR_SAFE = 1 << 3,
	SLURM_QOS_PART_MIN_NODE = 1 << 4,
	SLURM_QOS_PART_MAX_NODE = 1 << 5,
	SLURM_QOS_PART_TIME = 1 << 6,
	SLURM_QOS_PART_QOS = 1 << 7,
	SLURM_QOS_REQUIRES_RESERVATION = 1 << 8,
	SLURM_QOS_ENFORCE_USAGE_THRESHOLD = 1 << 9,
	SLURM_QOS_RELATIVE = 1 << 10,
	SLURM_QOS_OVER_PART_QOS = 1 << 11,
};

enum {
	SLURM_PREEMPT_CLUSTER, /* of QOS and partitions: as the cluster */
	SLURM_PREEMPT_OFF,
	SLURM_PREEMPT_CANCEL,
	SLURM_PREEMPT_REQUEUE,
	SLURM_PREEMPT_SUSPEND,
	SLURM_PREEMPT_WITHIN = 1 << 4, /* a bit beside the mode */
	SLURM_PREEMPT_GANG = 1 << 5,   /* a bit beside the mode */
};

/* An account, or a user of an account.  A parent comes before its children in
 * the array, whatever the order of the file; entry 0 is the root account.
 */
struct slurm_assoc {
	uint32_t id;
	uint32_t parent;	 /* SLURM_NONE: root */
	uint32_t shares;	 /* or SLURM_PARENT */
	uint32_t priority;	 /* 0 = none */
	const char *account;	 /* its name; of a user: the account's name */
	const char *user;	 /* "" = an account */
	const char *partition;	 /* "" = any */
	const char *parent_name; /* as printed */
	double usage;		 /* RawUsage of sshare.txt, 0 without */
	struct slurm_group grp;
	int64_t max_jobs, max_accrue, max_submit, max_wall_s, min_priority;
	slurm_amounts max_tres_pj, max_tres_mins_pj, max_tres_pn, max_run_mins;
};

/* ---- nodes, partitions ---- */

/* A node.  If nodes.txt names a node twice, reading fails with EINVAL.  tres is
 * what the node has of each TRES: cpus_effective, memory_mb, and the generic
 * resources that Gres= lists, without their types.
 */
struct slurm_node {
	const char *name;
	uint32_t sockets;	 /* of the whole node */
	uint32_t cores;		 /* of a socket */
	uint32_t threads;	 /* of a core */
	uint32_t cpus;		 /* CPUTot */
	uint32_t cpus_effective; /* without specialized ones */
	int64_t memory_mb, memory_spec_mb;
	uint32_t weight;
	const char *features; /* ActiveFeatures: a,b,c; "" = none */
	const int64_t *tres;  /* by TRES; never NULL */
	bool down;	      /* DOWN, DRAIN, FAIL, FUTURE, NOT_RESPONDING */
	const char *state;    /* as printed */
};

/* DefMemPer... and MaxMemPer..., in MB. */
struct slurm_mem {
	int64_t def_cpu, def_node, max_cpu, max_node;
};

/* Comma lists as printed.  An empty allow list allows all; an empty deny list
 * denies none.
 */
struct slurm_access {
	const char *allow_accounts, *deny_accounts, *allow_qos, *deny_qos;
	const char *allow_groups;
	bool changed;  /* slurm_site_change() set a list */
	bool new_time; /* and MaxTime of the partition */
};

/* A partition.  State DRAIN counts as up, because waiting jobs start there.
 * tres is TRES= as printed; of a TRES that is not tracked, tres is the sum of
 * the nodes.  The TRES factor of a priority is a share of tres.
 */
struct slurm_partition {
	const char *name;
	uint32_t index;	       /* in its array */
	const uint32_t *nodes; /* ascending indices */
	size_t nnodes;
	bool is_default, up, inactive, exclusive_user, lln;
	bool exclusive;		/* OverSubscribe=EXCLUSIVE: whole nodes */
	uint32_t oversubscribe; /* jobs for each resource; 1 = NO */
	bool oversubscribe_forced;
	uint8_t preempt_mode;	   /* SLURM_PREEMPT_... */
	uint32_t job_factor, tier; /* PriorityJobFactor, PriorityTier */
	/* SLURM_INFINITE: no limit; of default_s: max_time_s is the default. */
	uint32_t max_time_s, default_s;
	/* overtime_s SLURM_NONE: the cluster's; SLURM_INFINITE - 1: no end. */
	uint32_t grace_s, overtime_s;
	uint32_t min_nodes, max_nodes; /* max UINT32_MAX: unlimited */
	int64_t max_cpus_node;
	struct slurm_mem mem; /* SLURM_UNLIMITED: the cluster's */
	uint32_t qos;	      /* or SLURM_NONE */
	struct slurm_access access;
	const double *billing; /* TRESBillingWeights by TRES (of memory, for a
				  MB); NULL: a CPU counts 1 */
	const int64_t *tres;   /* by TRES; never NULL */
};

/* A time in which a node, or the cluster, takes no job, by sacctmgr's events.
 */
struct slurm_outage {
	uint32_t node;	      /* SLURM_NONE: the cluster */
	int64_t from_s, to_s; /* to 0: not ended */
	const char *state;
};

/* An advance reservation. */
struct slurm_reservation {
	const char *name, *flags, *users, *accounts; /* as printed, or "" */
	int64_t from_s, to_s;
	const uint32_t *nodes;
	size_t nnodes;
};

/* ---- settings ---- */

/* The bf_... parameters of SchedulerParameters, with Slurm's defaults.  A
 * member max_... of 0 is no maximum.  interval_s -1: backfill does not run.  If
 * the site does not set them, max_time_s is interval_s and node_space_size is
 * max_job_test.
 */
struct slurm_backfill_params {
	int64_t interval_s, window_s, resolution_s;
	int64_t max_time_s, max_job_test, max_job_start;
	int64_t max_job_user, max_job_user_part, max_job_part;
	int64_t max_job_assoc, max_job_array_resv;
	int64_t min_age_reserve_s, min_prio_reserve;
	int64_t job_part_count_reserve, node_space_size;
	int64_t yield_interval_us, yield_sleep_us;
	bool go_on, one_resv_per_job, running_job_reserve;
	bool busy_nodes, licenses, hetjob_immediate;
};

/* The other parameters of SchedulerParameters, with Slurm's defaults; again a
 * maximum of 0 is none.  sched_interval_s -1: no regular run of the main
 * scheduler.
 */
struct slurm_sched_params {
	struct slurm_backfill_params bf;
	int64_t batch_sched_delay_s, sched_interval_s, sched_min_interval_us;
	int64_t default_queue_depth, partition_job_depth;
	int64_t sched_max_job_start, max_sched_time_s, max_rpc_cnt;
	int64_t preempt_reorder_count;
	bool assoc_limit_stop, defer, defer_batch, pack_serial_at_end;
	bool preempt_strict_order, preempt_youngest_first;
	bool time_min_as_soft_limit, reduce_completing_frag;
};

enum {
	SLURM_PRIO_ACCRUE_ALWAYS = 1 << 0,
	SLURM_PRIO_CALCULATE_RUNNING = 1 << 1,
	SLURM_PRIO_DEPTH_OBLIVIOUS = 1 << 2,
	SLURM_PRIO_NO_FAIR_TREE = 1 << 3,
	SLURM_PRIO_INCR_ONLY = 1 << 4,
	SLURM_PRIO_MAX_TRES = 1 << 5,
	SLURM_PRIO_MAX_TRES_GRES = 1 << 6,
	SLURM_PRIO_NO_NORMAL_ASSOC = 1 << 7,
	SLURM_PRIO_NO_NORMAL_PART = 1 << 8,
	SLURM_PRIO_NO_NORMAL_QOS = 1 << 9,
	SLURM_PRIO_NO_NORMAL_TRES = 1 << 10,
	SLURM_PRIO_SMALL_RELATIVE_TO_TIME = 1 << 11,
};

enum slurm_usage_reset {
	SLURM_RESET_NONE,
	SLURM_RESET_NOW, /* once, when slurmctld starts */
	SLURM_RESET_DAILY,
	SLURM_RESET_WEEKLY,
	SLURM_RESET_MONTHLY,
	SLURM_RESET_QUARTERLY,
	SLURM_RESET_YEARLY,
};

struct slurm_priority_params {
	bool multifactor; /* else priority/basic: first come, first served */
	bool as_logged;	  /* not computed: jobs keep the log's Priority */
	uint32_t flags;	  /* SLURM_PRIO_... */
	bool favor_small;
	uint32_t half_life_s; /* 0 = no decay */
	uint32_t calc_period_s, max_age_s;
	enum slurm_usage_reset reset;
	uint32_t dampening; /* FairShareDampeningFactor */
	uint32_t age, assoc, fairshare, job_size, partition, qos; /* weights */
	const double *tres; /* PriorityWeightTRES by TRES, of a MB; NULL: 0 */
};

struct slurm_config {
	const char *cluster, *version; /* "" = not printed */
	struct slurm_sched_params sched;
	struct slurm_priority_params priority;
	bool backfill;			/* SchedulerType=sched/backfill */
	bool preempt_qos, preempt_part; /* PreemptType */
	uint8_t preempt_mode;		/* SLURM_PREEMPT_... */
	uint32_t preempt_exempt_s;	/* SLURM_INFINITE: none */
	bool select_memory;		/* CR_*_MEMORY: memory is allocated */
	bool select_cpus;		/* CR_CPU: threads, else whole cores */
	bool select_nodes;		/* select/linear: whole nodes */
	bool lln, pack_nodes;		/* CR_LLN, CR_PACK_NODES */
	bool enforce_limits, enforce_assoc;
	bool enforce_all_parts, enforce_any_part; /* EnforcePartLimits */
	bool epilog;				  /* an Epilog is configured */
	struct slurm_mem mem;			  /* SLURM_UNLIMITED: none */
	uint32_t overtime_s, kill_wait_s, max_array;
	int64_t printed_s, boot_s; /* instants; 0 = not said */
};

/* ---- jobs ---- */

/* Texts of a job; "" where the log has none. */
struct slurm_job_texts {
	const char *user_name, *account, *partition, *name, *node_list;
	const char *submit_line, *constraints, *reservation, *flags, *reason;
};

/* One row of the log: one run of a job.  A requeued job has a row for each run,
 * in the order of the log.  Waiting tasks of an array may share a row.
 */
struct slurm_job {
	int64_t id;	  /* JobIDRaw */
	int64_t array_id; /* JobID of its array; 0 = in no array */
	uint32_t task;	  /* in the array; SLURM_NONE: none, or several */
	int64_t submit_s, eligible_s, start_s, end_s; /* 0 = none */
	uint32_t elapsed_s, suspended_s;
	uint32_t limit_s; /* or SLURM_INFINITE, SLURM_LIMIT_OF_PARTITION */
	uint32_t assoc;	  /* SLURM_NONE: not among the associations */
	uint32_t user;	  /* number of user_name, from 1; 0 = no name */
	uint32_t qos;	  /* or SLURM_NONE */
	const uint32_t *partitions; /* indices, in the order of the log */
	uint32_t npartitions;	    /* 0: none is known; partitions is NULL */
	uint32_t req_nodes, req_cpus, nodes, cpus; /* last two: allocated */
	const int64_t *req, *alloc; /* by TRES, 0 where not said; never NULL */
	int64_t priority;	    /* -1 = not in the log */
	uint8_t state;		    /* enum import_state */
	struct slurm_job_texts text;
};

#define SLURM_LIMIT_OF_PARTITION (SLURM_INFINITE - 1)

/* ---- the site ---- */

/* A text that the readers do not know, such as "partitions.txt: key Foo" (the
 * last part cut to 80 bytes), and how often.  Jobs and associations of another
 * cluster are counted here as well.
 */
struct slurm_unknown {
	const char *what;
	uint64_t n;
};

/* The share of the jobs that ask for a deadline, and the deadline.  Reading
 * sets both to 0, and slurm_site_change() sets them (promises=).
 */
struct slurm_promises {
	double share;  /* 0 to 1; 0: none asks */
	double within; /* times the time limit, from the submission */
};

struct slurm_site {
	struct slurm_config config;
	struct slurm_tres *tres;
	size_t ntres;
	struct slurm_node *nodes;
	size_t nnodes;
	struct slurm_partition *partitions;
	size_t npartitions;
	struct slurm_qos *qos;
	size_t nqos;
	struct slurm_assoc *assocs;
	size_t nassocs;
	struct slurm_outage *outages; /* by from_s */
	size_t noutages;
	struct slurm_reservation *reservations;
	size_t nreservations;
	struct slurm_job *jobs; /* by submit_s, then as in the log */
	size_t njobs;
	uint32_t nusers; /* above the number of each job's user */
	struct slurm_promises promises;
	struct slurm_unknown *unknown;
	size_t nunknown;
	struct slurm_store *store; /* owns texts and amounts */
};

/* Read the folder; jobs: read jobs.txt as well.  *site is overwritten, and need
 * not be set.  Times are UTC and name no zone, as site-snapshot asks for them.
 * Rows of another cluster are left out.
 * Result: 0, or -1 with err.  The text names the file and what to do.
 * Errno:  ENOENT (a needed file is missing, or has no node or partition), EIO
 *         (a damaged file), another of the system, ENOMEM, or EINVAL (the text
 *         is not what Slurm prints).
 * Owner:  the caller calls slurm_site_fini(), after an error as well.
 */
int slurm_site_read(struct slurm_site *site, const char *folder, bool jobs,
		    struct libra_error *err);

/* Free all memory of a site and set *site to zeros.  A site of zeros is
 * allowed.
 */
void slurm_site_fini(struct slurm_site *site);

/* Read jobs from another file ("-": standard input) and add them to the jobs of
 * the site, which are then sorted by submission.  Pointers to jobs become
 * invalid, and indices of jobs change.  After an error the rows before it are
 * among the jobs, not sorted.
 * Result: 0, or -1 with err, as slurm_site_read().
 */
int slurm_site_read_jobs(struct slurm_site *site, const char *path,
			 struct libra_error *err);

/* Read the folder, and the jobs from the file `log`; NULL: from jobs.txt of the
 * folder.  Result, errno and owner are those of slurm_site_read().
 */
int slurm_site_read_with(struct slurm_site *site, const char *folder,
			 const char *log, struct libra_error *err);

/* Return the instant (s) of the first submission; 0: no job has one. */
int64_t slurm_site_first_s(const struct slurm_site *site);

/* Return the number of CPUs that jobs can use (cpus_effective) of the nodes
 * that are not down.
 */
uint32_t slurm_site_cpus(const struct slurm_site *site);

/* Compute the wait of a job, in seconds: from its eligible time, or else from
 * its submission, to its start.
 *
 * Result: true with *from_s, where the wait began, and *wait_s.  False: the log
 *         lacks one of the times, or the start comes first; *from_s and *wait_s
 *         are then of no use.
 */
bool slurm_job_waited(const struct slurm_job *job, int64_t *from_s,
		      int64_t *wait_s);

/* Change a setting of the site, or its nodes or jobs: KEY=VALUE, as
 * librasim-slurm(7) lists them under CHANGES.  A change of `nodes` makes
 * pointers to nodes invalid; indices stay.  slurm_site_setting() still returns
 * the text of config.txt.  After an error the site may be changed in part, and
 * `unknown` may have counted a name of the change.
 * Result: 0, or -1 with ENOMEM, or EINVAL (no such key, value, or name) and a
 *         text for the user.
 */
int slurm_site_change(struct slurm_site *site, const char *change,
		      struct libra_error *err);

/* Return a setting of config.txt as printed; NULL: config.txt does not have the
 * setting.  Capital letters of the name do not matter.
 * Owner:  the site.
 */
const char *slurm_site_setting(const struct slurm_site *site, const char *name);

/* Return the index of a node, partition, QOS or TRES ("gres/gpu") with a name;
 * SLURM_NONE: the site has none.  Capital letters matter for nodes and
 * partitions only.
 * Cost:   nodes by bisection, the others by a look at each.
 */
uint32_t slurm_site_find_node(const struct slurm_site *site, const char *name);
uint32_t slurm_site_find_partition(const struct slurm_site *site,
				   const char *name);
uint32_t slurm_site_find_qos(const struct slurm_site *site, const char *name);
uint32_t slurm_site_find_tres(const struct slurm_site *site, const char *name);

/* Return the index of the association that Slurm takes: that of the user and
 * account for the partition, else that for any partition.  partition "" asks
 * for the latter only, and user "" for the account's own.  Capital letters
 * matter.  SLURM_NONE: the user has none in the account.
 */
uint32_t slurm_site_find_assoc(const struct slurm_site *site,
			       const char *account, const char *user,
			       const char *partition);

#endif
