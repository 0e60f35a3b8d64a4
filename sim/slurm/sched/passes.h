/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes.h - one run of Slurm's main scheduler, and one of backfill.
 *
 * A pass looks at the jobs that wait, at m->now_s, and starts what it may: it
 * adds runs to the model and calls m->started for each.  Victims of preemption
 * are handed to m->preempted, which has them end later; they keep their nodes
 * during the pass.
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
	SCHED_BUSY,	 /* lacks nodes, now or because others end first */
	SCHED_POLICY,	 /* a limit */
	SCHED_PART_CONF, /* asks for more nodes than the partition allows */
	SCHED_BAD,	 /* no nodes of the partition ever suffice */
};

/* Sets of nodes that are idle when the first 0, 16, 32... runs of the list have
 * ended.
 */
struct sched_ended {
	uint64_t *sets;
	uint32_t cap, filled; /* filled: the number of the last set */
	uint32_t *last;	      /* run of each node that has one */
	uint64_t *set;	      /* for a number of runs between */
	uint32_t between;     /* that number; 0: none */
	uint64_t changes;
	struct sched_free free; /* idle alone */
};

/* Free resources once the first runs of the list have ended. */
struct sched_future {
	uint32_t ended;
	uint64_t changes, used;
	struct sched_free free;
};

enum { SCHED_FUTURES = 24 };

struct sched_slot {
	int64_t begin_s, end_s;
	uint64_t *nodes; /* set of nodes that no reservation has */
	uint32_t count;	 /* of them */
	/* Perhaps the slot behind has more nodes; it has fewer than the one
	 * before.
	 */
	bool gains, loses;
};

/* Backfill's plan: consecutive slots of time. */
struct sched_plan {
	struct sched_slot *slots;
	uint32_t n, cap;
	const uint64_t **some; /* room for a pointer to each slot's nodes */
};

struct sched_count {
	uint64_t cycle; /* the counter is 0 in any other */
	uint32_t n;
};

enum { SCHED_TAKEN = 64 };

/* Idle nodes of a partition, and how many of them reservations take from each
 * instant of b->taken_s on.
 */
struct sched_chances {
	uint32_t idle;
	uint32_t cpus, most_cpus; /* of each node (0: they differ); of one */
	uint32_t taken[SCHED_TAKEN];
};

struct sched_taken {
	uint64_t cycle; /* in any other the node is not taken */
	int64_t from_s;
};

/* Jobs to ask whether they may run. */
struct sched_asking {
	uint32_t *jobs;
	uint32_t n, cap;
};

struct sched_buffers {
	struct sched_place place;
	struct sched_free scratch, empty;
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

struct sched_buffers *sched_buffers_new(const struct sched_model *m);
void sched_buffers_free(struct sched_buffers *b);

/* Run the main scheduler; full: the whole queue, not default_queue_depth jobs.
 * Result: the number of jobs that started.
 */
uint32_t sched_main_pass(struct sched_model *m, bool full);

/* Run backfill.
 * Result: the number of jobs that started.
 */
uint32_t sched_backfill_pass(struct sched_model *m);

/* Start a job that does not wait for its turn (srun, if nothing is before it).
 * Result: true if it started.
 */
bool sched_submit_pass(struct sched_model *m, uint32_t job);

/* ---- parts of both ---- */

/* Return why a partition never runs a job that asks for it. */
static inline enum sched_reason sched_closed(const struct sched_model *m,
					     const struct sched_job *job,
					     uint32_t part)
{
	uint32_t p = 0;

	if (m->parts[part].closed != SCHED_REASON_NONE)
		return m->parts[part].closed;
	if (!job->refused_by.account && !job->refused_by.qos)
		return SCHED_REASON_NONE;
	while (p + 1 < job->nparts && job->parts[p] != part)
		p++;
	return job->refused_by.qos >> p & 1	  ? SCHED_QOS_NOT_ALLOWED
	       : job->refused_by.account >> p & 1 ? SCHED_ACCOUNT_NOT_ALLOWED
						  : SCHED_REASON_NONE;
}

/* Fill b->queue with the jobs that may run now, in order. */
void sched_build_queue(struct sched_model *m);

/* Return true if the last pass left a job in the queue that lacks nodes. */
bool sched_queue_lacks_nodes(const struct sched_model *m);

/* Have the next pass ask a job that waits whether it may run. */
void sched_queue_ask(struct sched_model *m, uint32_t job);

/* Find node counts.  Result: SCHED_STARTED: they are set; else why not. */
enum sched_result sched_node_counts(const struct sched_model *m,
				    const struct sched_job *job, uint32_t part,
				    struct sched_ask *ask);

/* Fill the rest of a question for nodes of a set. */
void sched_ask_init(const struct sched_model *m, const struct sched_job *job,
		    uint32_t part, const uint64_t *allowed,
		    struct sched_ask *ask);

/* Compute what a job would hold; place NULL: what it asks for. */
void sched_tres_of(const struct sched_model *m, const struct sched_job *job,
		   uint32_t part, const struct sched_place *place,
		   uint64_t tres[SCHED_NTRES]);

/* How often a job looks for nodes that no promise needs. */
enum { SCHED_LOOKS = 4 };

/* Start the next task of a job on the nodes of b->place.
 * Result: false without memory: m->failed is set.
 */
bool sched_begin(struct sched_model *m, uint32_t job, uint32_t part,
		 enum sched_loop loop);

/* Start a job on nodes of the set, or preempt others for it. */
enum sched_result sched_try_start(struct sched_model *m, uint32_t job,
				  uint32_t part, const uint64_t *allowed,
				  enum sched_loop loop);

/* Return what preemption does to a run. */
enum sched_preempt sched_preempt_mode(const struct sched_model *m,
				      const struct sched_run *run);

/* Return how long a run goes on after it was preempted. */
uint32_t sched_grace_s(const struct sched_model *m,
		       const struct sched_run *run);

/* List the runs that a job may preempt, in the order in which they go, in
 * b->victims.
 */
void sched_find_victims(struct sched_model *m, const struct sched_job *job,
			uint32_t part);

/* Return true if one QOS or partition goes before another because it may
 * preempt it.
 */
bool sched_preempts(const struct sched_model *m, uint32_t qos, uint32_t part,
		    uint32_t other_qos, uint32_t other_part);

/* Find the earliest start of a job on a set of nodes, from start_s and, if it
 * is not 0, up to later_s, as select/cons_tres does.
 * Result: true with the start and, in b->place, the nodes.
 */
bool sched_will_run(struct sched_model *m, const struct sched_ask *ask,
		    int64_t start_s, int64_t later_s, bool now_only,
		    int64_t *found_s);

/* ---- the plan ---- */

int sched_plan_begin(const struct sched_model *m, struct sched_plan *plan,
		     int64_t begin_s, int64_t end_s);
int sched_plan_add(const struct sched_model *m, struct sched_plan *plan,
		   int64_t start_s, int64_t end_s, const uint64_t *nodes);
bool sched_plan_overlaps(const struct sched_model *m,
			 const struct sched_plan *plan, int64_t start_s,
			 int64_t end_s, const uint64_t *nodes);

/* ---- jobs that may still start (chance.c) ---- */

/* Count the idle nodes. */
void sched_chance_begin(struct sched_model *m);

/* Take the nodes of b->place from an instant on. */
void sched_chance_take(struct sched_model *m, int64_t from_s);

/* A job started on the nodes of b->place. */
void sched_chance_start(struct sched_model *m);

/* Return false if backfill need not plan a job that has no reservation: it
 * cannot start any more, and the plan would leave no trace in it.
 */
bool sched_chance_left(const struct sched_model *m,
		       const struct sched_entry *entry);

/* ---- sets of nodes ---- */

static inline uint32_t sched_set_count(const uint64_t *set, uint32_t words)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < words; w++)
		n += libra_bits_count(set[w]);
	return n;
}

/* Return true if a set has n nodes. */
static inline bool sched_set_has(const uint64_t *set, uint32_t words,
				 uint32_t n)
{
	uint32_t has = 0;

	for (uint32_t w = 0; w < words && has < n; w++)
		has += libra_bits_count(set[w]);
	return has >= n;
}

/* Set what n sets and one more have in common. */
void sched_set_common(uint64_t *to, const uint64_t *with,
		      const uint64_t *const *sets, uint32_t n, uint32_t words);

static inline bool sched_set_within(const uint64_t *inner,
				    const uint64_t *outer, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (inner[w] & ~outer[w])
			return false;
	return true;
}

static inline bool sched_set_equal(const uint64_t *a, const uint64_t *b,
				   uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		if (a[w] != b[w])
			return false;
	return true;
}

static inline bool sched_run_touches(const struct sched_run *run,
				     const uint64_t *set)
{
	for (uint32_t i = 0; i < run->nnodes; i++)
		if (set[run->node[i] / 64] >> (run->node[i] % 64) & 1)
			return true;
	return false;
}

#endif
