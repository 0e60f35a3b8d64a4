/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes.h - one run of Slurm's main scheduler, and one of backfill.
 *
 * A pass takes place at m->now_s and lasts no time.  The pass looks at
 * waiting jobs in order, adds a run to the model for each job that starts, and
 * calls m->hooks.started.  The pass hands victims of preemption to
 * m->hooks.preempted; the host ends the victims later, and they keep their
 * nodes until then.  A job that stays has the reason in its member `reason`.
 *
 * Callers: the simulation, the replay of recordings, and promises.  Functions
 * that run out of memory set m->failed, unless their comment differs; the model
 * is then of no use.  b is m->buffers.  The functions below share the buffers
 * of a model: each function without a const model may overwrite b->place,
 * b->scratch, b->victims and the sets.  Times are seconds.
 */
#ifndef SIM_SCHED_PASSES_H
#define SIM_SCHED_PASSES_H

#include "core/bits.h"
#include "sim/slurm/sched/model.h"
#include "sim/slurm/sched/place.h"

/* One job in one of its partitions, its priority there, and the reason that it
 * had when the last pass left it there (enum sched_reason).
 */
struct sched_entry {
	uint32_t job;
	uint16_t part, reason;
	double priority;
};

enum sched_result {
	SCHED_STARTED,
	SCHED_BUSY,	 /* the partition suffices, but not its free nodes */
	SCHED_POLICY,	 /* a limit of a QOS or an association */
	SCHED_PART_CONF, /* least nodes above what job and partition allow */
	SCHED_BAD,	 /* the empty partition does not suffice */
};

/* Sets of nodes that are idle when the first 0, 16, 32... runs of m->running
 * have ended.  The sets are valid while `changes` equals m->running.changes.
 */
struct sched_ended {
	uint64_t *sets;
	uint32_t cap, filled; /* filled: the number of the last set */
	uint32_t *last;	      /* the last run of each node that has one */
	uint64_t *set;	      /* for a number of runs between two sets */
	uint32_t between;     /* that number; 0: none */
	uint64_t changes;
	struct sched_free free; /* only `idle` is set: one of the sets */
};

/* Free resources once the first runs of m->running have ended.  Many jobs ask
 * for the same number of runs, so SCHED_FUTURES answers are kept.  A new answer
 * replaces the least recently used one.  An answer is valid while `changes`
 * equals m->running.changes.  used: b->futures_used at the last use; 0: never.
 */
struct sched_future {
	uint32_t ended; /* the number of runs */
	uint64_t changes, used;
	struct sched_free free;
};

enum { SCHED_FUTURES = 24 };

struct sched_slot {
	int64_t begin_s, end_s;
	uint64_t *nodes; /* set of nodes that are up and not reserved */
	uint32_t count;	 /* the number of nodes in the set */
	/* gains: a reservation ends at end_s.  loses: one begins at begin_s.
	 * If the first of two slots does not gain and the second does not lose,
	 * both have the same nodes.
	 */
	bool gains, loses;
};

/* Backfill's plan: slots of time without a gap, sorted by time.  Later runs of
 * backfill reuse the memory of the slots.
 */
struct sched_plan {
	struct sched_slot *slots;
	uint32_t n, cap;
	const uint64_t **some; /* room for a pointer to each slot's nodes */
};

/* A counter of one run of backfill.  A run has a number (b->cycle), so no run
 * has to clear the counters.
 */
struct sched_count {
	uint64_t cycle; /* in any other run the counter is 0 */
	uint32_t n;
};

enum { SCHED_TAKEN = 64 };

/* Idle nodes of a partition.  taken[i] of them are reserved from instant
 * b->taken_s[i] on.  If a run needs more than SCHED_TAKEN instants, nodes count
 * as free for longer than they are, and backfill plans some jobs in vain.
 */
struct sched_chances {
	uint32_t idle; /* at the beginning, less those of jobs that started */
	/* cpus: CPUs of each node, 0: they differ; most_cpus: of the largest */
	uint32_t cpus, most_cpus;
	uint32_t taken[SCHED_TAKEN];
};

/* The earliest reservation of a node that is idle now. */
struct sched_taken {
	uint64_t cycle; /* in any other run the node is not taken */
	int64_t from_s;
};

/* Jobs that the next pass asks hooks.may_run for. */
struct sched_asking {
	uint32_t *jobs;
	uint32_t n, cap;
};

/* Memory of the passes.  Sets have m->words words.
 *
 * avail:   the nodes of the main pass that no job ahead closed
 * allowed: the nodes of the partition that the job may take now
 * next:    the nodes that hooks.may_take leaves
 * current: the choice of backfill, while it starts the job
 * before:  the nodes of the partition that the job may take at any time
 */
struct sched_buffers {
	struct sched_place place;	  /* the last choice of nodes */
	struct sched_free scratch, empty; /* empty: all nodes are free */
	struct sched_future futures[SCHED_FUTURES];
	uint64_t futures_used;
	struct sched_ended ended;
	uint64_t *avail, *allowed, *next, *current, *before;
	struct sched_entry *queue, *merge;
	uint32_t nqueue, queue_cap;
	struct sched_asking asking;
	struct sched_run **victims;
	uint32_t nvictims, victims_cap;
	struct sched_plan plan;
	struct sched_chances *chances; /* of each partition */
	struct sched_taken *taken;     /* of each node */
	int64_t taken_s[SCHED_TAKEN];  /* ascending */
	uint32_t ntaken;
	uint64_t cycle;
	struct sched_count *by_user, *by_assoc, *by_user_part;
	uint32_t bf_tested, bf_started;
};

/* Allocate buffers for a model whose nodes are all free; b->empty keeps that
 * state.  sched_model_init() calls this, and sched_model_fini() frees.
 * Result: the buffers, or NULL with ENOMEM; m->failed is not set.
 * Owner:  the caller, who calls sched_buffers_free(); NULL is allowed there.
 */
struct sched_buffers *sched_buffers_new(const struct sched_model *m);
void sched_buffers_free(struct sched_buffers *b);

/* Run the main scheduler.  full: test the whole queue, else one task more than
 * default_queue_depth, as Slurm does.
 *
 * A job that does not start closes its partition to the jobs behind it if the
 * result is SCHED_BUSY, or SCHED_POLICY with assoc_limit_stop; two rules bound
 * this.  A job that names enough nodes (--nodelist) closes these nodes instead.
 * A job below bf_min_age_reserve or bf_min_prio_reserve closes no partition.  A
 * job for which the jobs ahead left too few nodes always closes its partition.
 * A job that is SCHED_BAD in its only partition is held from then on.
 *
 * Result: the number of tasks that started.
 */
uint32_t sched_main_pass(struct sched_model *m, bool full);

/* Run backfill: plan the queue job by job, and start those whose planned start
 * is now.  Set planned_s of each job of the queue; 0: no start is planned.
 * Jobs behind the last one that may still start in this run are not planned.
 * Result: the number of tasks that started.
 * Cost:   grows with the jobs of the queue, the slots of the plan and the
 *         running jobs.
 */
uint32_t sched_backfill_pass(struct sched_model *m);

/* Try to start a job at its submission, as Slurm does for srun.  The job
 * must wait, and hooks.may_run must allow the job.  The partitions are tried in
 * order.  A waiting job with the same or a higher priority in one of them ends
 * the attempt; held and promised jobs do not.
 * Result: true if a task started; false: the job waits for a pass.
 */
bool sched_submit_pass(struct sched_model *m, uint32_t job);

/* Refuse a job at its submission, before it waits, if slurmctld would: for a
 * partition (EnforcePartLimits), or a limit (DenyOnLimit).  Its tasks are done
 * then, with the reason.
 * Result: the number of refused tasks; 0: the job is not refused.
 */
uint32_t sched_refuse(struct sched_model *m, struct sched_job *job);

/* ---- parts of both ---- */

/* Return the reason why a partition of a job cannot run the job: the state of
 * the partition, its lists of QOS and accounts, or its MaxTime.
 * SCHED_REASON_NONE: the partition can.  part must be one of job->parts.
 */
static inline enum sched_reason sched_closed(const struct sched_model *m,
					     const struct sched_job *job,
					     uint32_t part)
{
	uint32_t p = 0;

	if (m->parts[part].closed != SCHED_REASON_NONE)
		return m->parts[part].closed;
	if (!job->refused_by.account && !job->refused_by.qos &&
	    !job->refused_by.time)
		return SCHED_REASON_NONE;
	while (p + 1 < job->nparts && job->parts[p] != part)
		p++;
	return job->refused_by.qos >> p & 1	  ? SCHED_QOS_NOT_ALLOWED
	       : job->refused_by.account >> p & 1 ? SCHED_ACCOUNT_NOT_ALLOWED
	       : job->refused_by.time >> p & 1	  ? SCHED_PARTITION_LIMIT
						  : SCHED_REASON_NONE;
}

/* Fill b->queue with the jobs that hooks.may_run allows, an entry for each of
 * their partitions, in the order in which passes test them.  Closed partitions
 * have entries, too.  A job that hooks.may_run refuses, or whose partitions are
 * all closed, gets that reason.  With m->lasting and without preemption, only
 * jobs of sched_queue_ask(), singletons and held jobs are asked again.
 */
void sched_build_queue(struct sched_model *m);

/* Return true if the last pass left a waiting job in the queue with the reason
 * SCHED_RESOURCES, SCHED_PRIORITY or SCHED_NODES_RESERVED.
 */
bool sched_queue_lacks_nodes(const struct sched_model *m);

/* Have the next sched_build_queue() ask hooks.may_run for a waiting job.
 * sched_wait() calls this for each job if m->lasting is set.
 */
void sched_queue_ask(struct sched_model *m, uint32_t job);

/* Set the three node counts of a question, from the request, the partition and
 * the limits of QOS and associations.  job->reason is not set.
 *
 * Result: SCHED_STARTED: the counts are possible.  SCHED_POLICY: a limit is
 *         below the least count.  SCHED_PART_CONF: the most nodes that request
 *         or partition allow are below the least count.
 */
enum sched_result sched_node_counts(const struct sched_model *m,
				    const struct sched_job *job, uint32_t part,
				    struct sched_ask *ask);

/* Set all other members of a question.  The job's request and the set allowed
 * must live as long as the question.
 */
void sched_ask_init(const struct sched_model *m, const struct sched_job *job,
		    uint32_t part, const uint64_t *allowed,
		    struct sched_ask *ask);

/* Compute the resources that a job would hold on the nodes of a place.  NULL:
 * no place is known; the job's least nodes count, with the CPUs of the last
 * test that found nodes, or else the requested CPUs.
 */
void sched_tres_of(const struct sched_model *m, const struct sched_job *job,
		   uint32_t part, const struct sched_place *place,
		   uint64_t tres[SCHED_NTRES]);

/* The most choices of nodes that are tried for one job at one instant.  A
 * second choice is made if promises need nodes of the first (hooks.may_take).
 */
enum { SCHED_LOOKS = 4 };

/* Give a run of a job with gpus_job the GPUs of a place.
 * Result: 0, or -1 with ENOMEM.
 */
int sched_place_gpus(const struct sched_job *job,
		     const struct sched_place *place, struct sched_run *run);

/* Start the next task of a waiting job at m->now_s on the nodes of b->place,
 * and call hooks.started.  No limit and no promise is tested.
 * Result: true; false if memory runs out, and no task has started.
 */
bool sched_begin(struct sched_model *m, uint32_t job, uint32_t part,
		 enum sched_loop loop);

/* Start the next task of a job on nodes of the set `allowed`, or hand victims
 * to hooks.preempted.  Limits and promises are tested.  `allowed` must not be
 * b->next.  job->reason is SCHED_REASON_NONE after a start, else the reason.
 * job->tested_cpus and job->fits_part may change.
 *
 * Result: SCHED_STARTED, or why not.  SCHED_BUSY also if victims end for the
 *         job, or if memory runs out.
 */
enum sched_result sched_try_start(struct sched_model *m, uint32_t job,
				  uint32_t part, const uint64_t *allowed,
				  enum sched_loop loop);

/* Return what preemption does to a run, by its partition (PreemptType
 * partition_prio), its QOS, or the cluster.
 */
enum sched_preempt sched_preempt_mode(const struct sched_model *m,
				      const struct sched_run *run);

/* Return the GraceTime of a run: seconds from its preemption to its end. */
uint32_t sched_grace_s(const struct sched_model *m,
		       const struct sched_run *run);

/* List in b->victims the runs that a job may preempt in a partition, in the
 * order in which Slurm would end them.  Runs of promised jobs, runs that
 * already end, runs within PreemptExemptTime, runs whose mode is
 * SCHED_PREEMPT_OFF, and runs on no node of the partition are left out.
 * Without preemption the list is empty.
 */
void sched_find_victims(struct sched_model *m, const struct sched_job *job,
			uint32_t part);

/* Return true if jobs of a QOS and partition may preempt jobs of the other QOS
 * and partition.  Both QOS may be SCHED_NONE.
 */
bool sched_preempts(const struct sched_model *m, uint32_t qos, uint32_t part,
		    uint32_t other_qos, uint32_t other_part);

/* Find when a job could start on nodes of ask->allowed, as select/cons_tres
 * does.  The model's resources do not change; b->scratch and the futures do.
 *
 * If start_s is not after m->now_s, the free nodes are tested first, with all
 * victims in place.  Then b->victims and the runs that end by start_s count as
 * ended.  The caller lists the victims before, or sets b->nvictims to 0.  If
 * the job does not fit then, the later runs count as ended in the order of
 * their ends, up to later_s; later_s 0: all of them.  now_only: if there is no
 * victim, only the first test is made.
 *
 * Result: true with *found_s, and the nodes in b->place.  *found_s is m->now_s
 *         if the job fits by start_s, so *found_s may be before start_s.  Else
 *         *found_s is the end of the last run on these nodes; a run past its
 *         limit is expected to end after m->now_s.  False: no start was found.
 * Cost:   a choice of nodes for each window of ends; windows grow.
 */
bool sched_will_run(struct sched_model *m, const struct sched_ask *ask,
		    int64_t start_s, int64_t later_s, bool now_only,
		    int64_t *found_s);

/* ---- the plan ---- */

/* Begin a plan of one slot, in which all nodes that are up are free.  A plan is
 * 0 before its first use.
 * Result: 0, or -1 without memory; m->failed is not set, here and below.
 * Owner:  sched_buffers_free() frees the slots of b->plan.
 */
int sched_plan_begin(const struct sched_model *m, struct sched_plan *plan,
		     int64_t begin_s, int64_t end_s);

/* Reserve nodes from start_s until before end_s.  A reservation lasts for at
 * least bf_resolution.  The part of a reservation outside the plan is dropped.
 * Result: 0, or -1 without memory; the plan is then of no use.
 */
int sched_plan_add(const struct sched_model *m, struct sched_plan *plan,
		   int64_t start_s, int64_t end_s, const uint64_t *nodes);

/* Return true if one of the nodes is reserved, or down, at some time from
 * start_s until before end_s.  Outside the plan no node is reserved or down.
 */
bool sched_plan_overlaps(const struct sched_model *m,
			 const struct sched_plan *plan, int64_t start_s,
			 int64_t end_s, const uint64_t *nodes);

/* ---- jobs that may still start (chance.c) ---- */

/* Count the idle nodes of each partition, and forget all reservations.  Each
 * run of backfill calls this first.
 */
void sched_chance_begin(struct sched_model *m);

/* Count the idle nodes of b->place as reserved from an instant on. */
void sched_chance_take(struct sched_model *m, int64_t from_s);

/* Subtract the nodes of b->place, on which a job has just started, from the
 * counts.  Nodes that had a job before are not counted.
 */
void sched_chance_start(struct sched_model *m);

/* Return false if backfill can skip a job: the job takes whole nodes, too few
 * idle nodes are left until its end, and planning would change neither its
 * reason nor its counted CPUs.  Other jobs always have a chance.
 */
bool sched_chance_left(const struct sched_model *m,
		       const struct sched_entry *entry);

/* ---- sets of nodes ---- */

/* Return the number of nodes of a set. */
static inline uint32_t sched_set_count(const uint64_t *set, uint32_t words)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < words; w++)
		n += libra_bits_count(set[w]);
	return n;
}

/* Return true if a set has at least n nodes. */
static inline bool sched_set_has(const uint64_t *set, uint32_t words,
				 uint32_t n)
{
	uint32_t has = 0;

	for (uint32_t w = 0; w < words && has < n; w++)
		has += libra_bits_count(set[w]);
	return has >= n;
}

/* Set *to to the nodes that the set `with` and all of n sets have.  `to` may be
 * `with`.
 */
void sched_set_common(uint64_t *to, const uint64_t *with,
		      const uint64_t *const *sets, uint32_t n, uint32_t words);

/* Return true if all nodes of inner are in outer. */
static inline bool sched_set_within(const uint64_t *inner,
				    const uint64_t *outer, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (inner[w] & ~outer[w])
			return false;
	return true;
}

/* Return true if two sets have the same nodes. */
static inline bool sched_set_equal(const uint64_t *a, const uint64_t *b,
				   uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (a[w] != b[w])
			return false;
	return true;
}

/* Return true if a run has a node of a set. */
static inline bool sched_run_touches(const struct sched_run *run,
				     const uint64_t *set)
{
	for (uint32_t i = 0; i < run->nnodes; i++)
		if (set[run->node[i] / 64] >> (run->node[i] % 64) & 1)
			return true;
	return false;
}

#endif
