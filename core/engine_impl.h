/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_impl.h - the state of an engine and the functions of a policy.
 *
 * For the core alone.  engine.c owns jobs (slots), time, nodes, offers and
 * actions.  A policy's functions own the rest, in the policy's state: the
 * ledger (share policies), the gang (gang policies), or the queue and the map
 * of busy processors (space policies).
 *
 * One engine is used by one thread at a time: the host holds its lock around
 * each call of engine.h, and so around each function here.  Times and instants
 * are in seconds.
 */
#ifndef LIBRA_ENGINE_IMPL_H
#define LIBRA_ENGINE_IMPL_H

#include "core/engine.h"
#include "core/procmap.h"

enum libra_slot_state {
	LIBRA_SLOT_FREE = 0,
	LIBRA_SLOT_OFFERED,  /* holds capacity or a queue position */
	LIBRA_SLOT_QUEUED,   /* committed; decided later */
	LIBRA_SLOT_STARTING, /* committed, and START is its action: the host has
				taken that, or it waits in the ring */
	LIBRA_SLOT_RUNNING,
};

#define LIBRA_NO_SLOT UINT32_MAX

struct libra_slot {
	struct libra_job job;
	uint64_t ticket;  /* 0 while free */
	uint64_t order;	  /* of offers: 1, 2, ... */
	double offered_s; /* instant of the offer */
	/* A running job: the instant of its start.  A starting job: the instant
	 * of the decision.  A queued job: its planned start, or NAN.
	 */
	double start_s;
	double end_s; /* space policies: expected end of a running job */
	uint32_t nprocs_held; /* processors that have parts of it */
	/* Space policies: the processors of the job on open nodes.  The count
	 * is valid while node_turn equals that of the policy's state, which
	 * counts changes of nodes; 0 = never counted.
	 */
	uint32_t nprocs_open;
	uint32_t node_turn;
	uint32_t from; /* no processor below has parts of it: a search begins
			  here */
	uint32_t next, prev; /* list of offers, or of free slots */
	enum libra_slot_state state;
};

struct libra_node {
	uint32_t first; /* processor */
	uint32_t count;
	enum libra_node_state state;
};

/* Actions that the host has not taken yet. */
struct libra_action_ring {
	struct libra_action *list;
	uint32_t head, n, cap;
};

struct libra_engine {
	const struct libra_policy_type *policy;
	double *params;
	void *state; /* of the policy's ops */
	double now_s;
	double offer_ttl_s;
	uint32_t max_jobs; /* of one processor; UINT32_MAX = any number */
	uint32_t nprocs;
	uint32_t nnodes;
	struct libra_node *nodes;
	bool by_node, compress_later;
	bool guaranteed_only; /* the policy's parameter; false: it has none */
	uint32_t nresources;
	uint64_t *resources; /* nresources for each node */

	struct libra_slot *slots;
	uint32_t nslots; /* slots ever used */
	uint32_t slot_cap;
	uint32_t free_slot;		  /* list of unused slots */
	uint32_t first_offer, last_offer; /* oldest and newest uncommitted */
	uint32_t live;			  /* slots in use */
	uint64_t order;			  /* of the last offer */
	uint32_t generation;

	/* Steps of a search for a deadline: jobs, runs and rows visited, never
	 * time, so that every host finds the same.  A search ends when work has
	 * reached work_end.  search_work is the budget of each search.
	 */
	uint64_t work, work_end, search_work;
	/* Steps since the engine was created for results that later queries
	 * reuse.  Which query pays for them depends on earlier queries, so they
	 * do not count towards a search budget.
	 */
	uint64_t upkeep;

	struct libra_action_ring pending;
};

/* Return the job as if submitted at the engine's own instant.  If the clock was
 * set back a little, now_s is before e->now_s, and a share computed from it
 * until the deadline would be too small.
 */
static inline struct libra_job libra_engine_job_now(
	const struct libra_engine *e, const struct libra_job *job, double now_s)
{
	struct libra_job at = *job;

	if (now_s < e->now_s)
		at.submit_s += e->now_s - now_s;
	return at;
}

/* Return the value of the policy's n-th parameter, in the table's unit. */
static inline double libra_engine_param(const struct libra_engine *e, size_t n)
{
	return e->params[n];
}

/* Return false if a job gets no promise, whatever other jobs exist.  Its
 * deadline has passed; or, with guaranteed_only, it would end late if it
 * executed the left_s that remain of its estimate from now on.
 */
static inline bool libra_may_promise(const struct libra_engine *e,
				     double left_s, double deadline_s)
{
	return deadline_s > e->now_s &&
	       (!e->guaranteed_only ||
		libra_in_time(e->now_s + left_s, deadline_s));
}

/* Begin and end a search: only between the two is work bounded. */
static inline void libra_search_begin(struct libra_engine *e)
{
	e->work = 0;
	e->work_end = e->search_work;
}

static inline void libra_search_end(struct libra_engine *e)
{
	e->work_end = UINT64_MAX;
}

static inline bool libra_search_is_spent(const struct libra_engine *e)
{
	return e->work >= e->work_end;
}

/* Append an action about a job for the host.  Never fails:
 * libra_slots_reserve() has made room.
 */
void libra_engine_act(struct libra_engine *e, enum libra_action_kind kind,
		      uint32_t slot, enum libra_reason reason);

/* Free a slot.  Its ticket becomes unknown. */
void libra_slot_free(struct libra_engine *e, uint32_t slot);

/* Policies that plan starts.  Each function is the part of libra_engine_NAME()
 * that depends on the policy: engine.h describes effect, result and cost.
 * restore_waiting may make the slot QUEUED, and changes no other field of the
 * slot; plan_ordinary fills in the verdict as offer does.  place_until,
 * planned_start, latest_start and starts_by return an instant; plan_moves
 * returns a count.
 */
struct libra_plan_ops {
	int (*restore_waiting)(struct libra_engine *e, uint32_t slot,
			       double start_s);
	int (*plan_ordinary)(struct libra_engine *e, uint32_t slot,
			     struct libra_verdict *verdict);
	bool (*may_start)(struct libra_engine *e, const struct libra_job *job,
			  const struct libra_start_query *query);
	void (*forgo)(struct libra_engine *e, uint64_t job_id);
	/* As libra_engine_restore_place(), without EINVAL. */
	int (*restore_place)(struct libra_engine *e,
			     const struct libra_job *job,
			     const struct libra_start_query *query);
	double (*place_until)(const struct libra_engine *e, uint64_t job_id);
	/* The list is checked already.  Result: 0, or -1 with ENOMEM. */
	int (*outages)(struct libra_engine *e, const struct libra_outage *list,
		       uint32_t n);
	double (*planned_start)(const struct libra_engine *e, uint32_t slot);
	double (*latest_start)(const struct libra_engine *e, uint32_t slot);
	double (*starts_by)(const struct libra_engine *e, uint32_t slot);
	uint64_t (*plan_moves)(const struct libra_engine *e);
	bool (*compress)(struct libra_engine *e, uint64_t budget);
	bool (*can_compress)(const struct libra_engine *e);
};

/* Processors as rows that have the same jobs, and the processors of a job.
 * Pointers that are returned belong to the policy's state; they are valid until
 * the next call that changes the engine.
 */
struct libra_rows_ops {
	/* Return the next row with new rates, or UINT32_MAX. */
	uint32_t (*next_reshared)(struct libra_engine *e);
	uint32_t (*nrows)(const struct libra_engine *e);
	const struct libra_row *(*row)(const struct libra_engine *e,
				       uint32_t row);
	uint32_t (*free_procs)(const struct libra_engine *e);
	/* As libra_engine_placement(), instead of map and holds. */
	size_t (*placement)(const struct libra_engine *e, uint32_t slot,
			    struct libra_range *ranges, size_t cap);
	/* The label of each processor, and whether processors with a label hold
	 * a job.
	 */
	const struct libra_procmap *(*map)(const struct libra_engine *e);
	bool (*holds)(const struct libra_engine *e, uint32_t label,
		      uint32_t slot);
};

/* Questions about jobs that are not submitted. */
struct libra_search_ops {
	double (*earliest_deadline)(struct libra_engine *e,
				    const struct libra_job *job);
	/* Return true if njobs such jobs would be accepted, one after the
	 * other; false also if the search budget is spent.  Changes nothing.
	 */
	bool (*would_accept)(struct libra_engine *e,
			     const struct libra_job *job, uint32_t njobs);
	/* Return true if would_accept would certainly return true.  Never
	 * wrongly true; the bound costs about one decision for any njobs. NULL:
	 * always false.
	 */
	bool (*surely_accepts)(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs);
	/* Return true if the caller may set e->now_s to a later instant, call
	 * would_accept and set e->now_s back.  The policy then keeps no state
	 * of the later instant.
	 */
	bool (*tries_ahead)(const struct libra_engine *e);
	/* Return true if earliest_deadline is exact; else it is an upper bound.
	 */
	bool (*is_exact)(const struct libra_engine *e);
};

/* The functions of a policy: each is the part of libra_engine_NAME() that
 * depends on the policy.  Before a call the engine has checked the arguments
 * and set e->now_s.  Only a function that returns int may fail: -1 with errno,
 * and nothing changed.  NULL if a mode does not need the function.
 */
struct libra_policy_ops {
	int (*init)(struct libra_engine *e);
	void (*fini)(struct libra_engine *e);
	/* Fill in answer, reason and share of the verdict.  If accepted, hold
	 * the capacity.
	 */
	int (*offer)(struct libra_engine *e, uint32_t slot,
		     struct libra_verdict *verdict);
	void (*commit)(struct libra_engine *e, uint32_t slot);
	/* Release the capacity of an offered, queued or starting job. */
	void (*withdraw)(struct libra_engine *e, uint32_t slot);
	void (*started)(struct libra_engine *e, uint32_t slot);
	void (*progress)(struct libra_engine *e, uint32_t slot,
			 double executed_s);
	/* Write the remaining estimate of each running job; the other values
	 * are NAN already.
	 */
	void (*all_left)(struct libra_engine *e, double *left_s);
	/* The slot keeps its old estimate until this call has succeeded.
	 * Result: 0, or -1 with ENOTSUP.
	 */
	int (*reestimate)(struct libra_engine *e, uint32_t slot,
			  double estimate_s);
	void (*suspend)(struct libra_engine *e, uint32_t slot, bool suspended);
	void (*departed)(struct libra_engine *e, uint32_t slot);
	/* The slot is STARTING or RUNNING; the policy may make it QUEUED. */
	int (*restore)(struct libra_engine *e, uint32_t slot,
		       const struct libra_part *parts, uint32_t nparts,
		       bool running);
	int (*modify)(struct libra_engine *e, uint32_t slot,
		      const struct libra_job *changed,
		      struct libra_verdict *verdict);
	/* Return what the policy has learned, *n numbers; owned by the policy.
	 */
	double *(*learned)(const struct libra_engine *e, size_t *n);
	/* Result: processors that the job was removed from. */
	uint32_t (*part_departed)(struct libra_engine *e, uint32_t slot,
				  uint32_t row);
	/* Called with now_s >= e->now_s. */
	double (*left_s)(const struct libra_engine *e, uint32_t slot,
			 double now_s, double *rate);
	double (*beside)(const struct libra_engine *e, uint32_t slot);
	bool (*late_yields)(const struct libra_engine *e); /* NULL: false */
	double (*ends_by)(const struct libra_engine *e, uint32_t slot);
	void (*schedule)(struct libra_engine *e);
	/* e->now_s becomes now_s after the call.
	 * Result: 0, or -1 with ENOTSUP.
	 */
	int (*clock)(struct libra_engine *e, double now_s);
	double (*next_event_s)(const struct libra_engine *e);
	int (*node)(struct libra_engine *e, const struct libra_node *node,
		    bool closed);
	/* Take the next action from the policy's state.  Result: false if none.
	 */
	bool (*next_action)(struct libra_engine *e,
			    struct libra_action *action);
	struct libra_plan_ops plan;
	struct libra_rows_ops rows;
	struct libra_search_ops search;
};

#endif
