/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - admission and allocation, driven by a host.
 *
 * The host (the simulator, or slurmctld's plugins) reports events with their
 * times.  The engine answers each call and leaves actions for the host to read.
 * The engine has no clock, thread, lock, file, environment or global, has no
 * callbacks, and never aborts.  The same calls give the same answers, bit for
 * bit, in every host.  The host must not make two calls on one engine at the
 * same time.
 *
 *     offer --> verdict ACCEPT  capacity is held from here on
 *           |-> verdict QUEUE   decided later by schedule (space policies)
 *           `-> verdict REJECT  reason; the engine keeps nothing
 *     commit / withdraw         the submission succeeded / failed
 *     schedule --> actions      START, REJECT, RESHARE, HOLD, RESUME, LATE
 *     started                   the job runs: its tasks draw their shares
 *     progress                  processor time that a job has executed
 *     part_departed, departed   parts of a job, or all of it, have ended
 *     node                      a node opened, drains or is down
 *     clock                     the host's clock was set
 *
 * MODES (core/policy.h).  Space policies run one job on a processor at a time.
 * Share policies divide a processor among several jobs; a row is a set of
 * processors with the same tasks.  Market policies are share policies that
 * divide by bids.  Gang policies run one of several jobs at a time, with all of
 * its parts.
 *
 * POLICIES THAT PLAN are space policies with the trait `plans`. At the offer
 * they answer ACCEPT or REJECT to a job with a deadline.  An accepted job waits
 * with a reservation: a planned start, no later than its latest start (deadline
 * - estimate - margin, where the margin is a parameter).  When the planned
 * start has come, schedule returns START, on processors that are free then.
 * No job is preempted.  The planned start may move until the latest start
 * (never, if the site keeps reported starts).  A promise can break only if a
 * job overruns or a node is lost: the reservations move, and schedule returns
 * LATE for a job whose reservation cannot move within its deadline.
 *
 * An ordinary job has no deadline (INFINITY) and no promise.  Under a policy
 * that plans it runs in one of two ways:
 *
 *   - the engine starts it:
 *       offer --> QUEUE; commit; schedule --> START.  Jobs start in order of
 *       submission, with EASY backfilling round the reservations.  The oldest
 *       job that has waited for the parameter firm_age gets a reservation that
 *       does not move.
 *
 *   - the host starts it:
 *       may_start returns true if the job can run now, by its estimate, without
 *       moving a reservation.  restore (running) enters it when the host has
 *       started it, departed removes it, reestimate follows a new limit.  For a
 *       job that has waited for firm_age the host calls plan_ordinary.
 *
 * A refused job may be offered again without its deadline, as an ordinary job.
 *
 * Order of events at one instant, for hosts that must agree: departures, then
 * nodes, then offers, then schedule.
 *
 * Time: now_s is in seconds on the clock of the jobs.  An instant before that
 * of the last call counts as that of the last call.  Report a clock that was
 * set with clock.
 *
 * Jobs are named by tickets.  A ticket is never used again: a late call about a
 * finished job fails with ENOENT and changes nothing.
 *
 * Memory: an offer doubles the arrays when more jobs are present than ever
 * before.  Other decisions do not allocate.  -1 with ENOMEM changes nothing.
 */
#ifndef LIBRA_ENGINE_H
#define LIBRA_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/job.h"
#include "core/policy.h"
#include "core/task.h"

struct libra_engine;

enum libra_answer {
	LIBRA_ACCEPT = 1,
	LIBRA_QUEUE,
	LIBRA_REJECT,
};

/* Why a job was refused.  libra_reason_name() returns the names. */
enum libra_reason {
	LIBRA_REASON_NONE = 0,
	LIBRA_REASON_TOO_LARGE,	  /* more processors than the machine has */
	LIBRA_REASON_NO_DEADLINE, /* the policy needs one */
	LIBRA_REASON_NO_SHARE,	  /* too few processors with that share left */
	LIBRA_REASON_RISK,	  /* too few processors free of risk */
	LIBRA_REASON_WOULD_MISS,  /* by its estimate it would end too late */
	LIBRA_REASON_EXPIRED, /* an offer not committed within offer_ttl_s */
	LIBRA_REASON_SLACK,   /* it would put too much of the other jobs at risk
			       */
	LIBRA_REASON_NO_BUDGET, /* the policy sells shares: no budget */
	LIBRA_REASON_PRICE,	/* the bid is too low for the price */
	LIBRA_REASON_CONTRACT,	/* a contract would lose its promised share */
	LIBRA_REASON_RANDOM,	/* drawn at random */
	LIBRA_REASON_RESERVE,	/* capacity reserved for smaller jobs */
	LIBRA_REASON_MEMORY,  /* only from a host: nodes have too little memory
				 free */
	LIBRA_REASON_CROWDED, /* too few processors have fewer than max_jobs */
};

struct libra_verdict {
	enum libra_answer answer;
	enum libra_reason reason;
	uint64_t ticket; /* 0 if rejected */
	double share;	 /* of each processor, now; 0 unless a share policy
			    accepted */
	/* If accepted: seconds by which the job would end after its deadline,
	 * by all estimates; 0 = in time.  Above 0 the acceptance is
	 * unguaranteed: best effort, and no promise.
	 */
	double late_s;
};

enum libra_action_kind {
	LIBRA_ACTION_START = 1, /* begin the job on its placement */
	LIBRA_ACTION_REJECT,  /* a queued job or an expired offer is refused */
	LIBRA_ACTION_RESHARE, /* the tasks of a row have new rates */
	LIBRA_ACTION_HOLD,    /* stop all parts of a job; they keep their
				 processors and memory */
	LIBRA_ACTION_RESUME,  /* let all parts continue */
	LIBRA_ACTION_LATE, /* a waiting or just starting job can no longer start
			      by its latest start, after an overrun, the loss of
			      a node or a restart of the host: its promise is
			      broken */
};

struct libra_action {
	enum libra_action_kind kind;
	uint64_t ticket;	  /* all but RESHARE; already void for REJECT */
	uint64_t job_id;	  /* all but RESHARE */
	enum libra_reason reason; /* REJECT */
	uint32_t row;		  /* RESHARE */
};

enum libra_node_state {
	LIBRA_NODE_UP = 1,
	LIBRA_NODE_DRAIN, /* keeps its jobs, takes no new ones */
	LIBRA_NODE_DOWN,  /* as DRAIN; the host reports its jobs departed */
};

struct libra_engine_conf {
	const struct libra_policy_type *policy;
	const double *params; /* policy->nparams values; NULL = defaults */
	const uint32_t *node_procs; /* processors of each node, >= 1 */
	uint32_t nnodes;
	double offer_ttl_s; /* an offer not committed within this time expires;
			       INFINITY = never */
	uint32_t max_jobs;  /* most jobs promised on a processor at a time; 0 =
			       any number (space policies: always 1) */
	/* Policies that plan.  If true, a reservation names its nodes, and jobs
	 * may have placement constraints (where). Nodes may then have other
	 * resources: node_resources has nresources amounts for each node.  If
	 * false, all processors are alike, and reservations cost less.
	 */
	bool by_node;
	/* Policies that plan.  If true, reservations move earlier in
	 * libra_engine_compress() only; if false, each call that reads them
	 * does that first.
	 */
	bool compress_later;
	uint32_t nresources; /* at most LIBRA_RESOURCES */
	const uint64_t *node_resources;
};

/* Create an engine without jobs, all nodes up.
 * Result: the engine, or NULL with EINVAL (conf) or ENOMEM.
 * Owner:  the caller destroys it; conf is copied; the policy must outlive it.
 */
struct libra_engine *libra_engine_create(const struct libra_engine_conf *conf,
					 struct libra_error *err);
void libra_engine_destroy(struct libra_engine *e);

/* Offer a job for admission.  If the answer is ACCEPT or QUEUE, the host must
 * commit or withdraw the ticket.  ACCEPT holds the job's capacity.
 * Result: 0 and the verdict, or -1 with EINVAL (estimate, processors, times,
 *         money or where out of range) or ENOMEM.
 * Cost:   share policies O(rows x tasks + runs); space policies O(1), or
 *         O(queue) if the queue is sorted.  Gang policies project all jobs with
 *         neighbours, O(jobs x 128), once at an instant, and compare placements
 *         in at most the steps of LIBRA_PLACE_WORK, each in O(jobs x 128).
 */
int libra_engine_offer(struct libra_engine *e, const struct libra_job *job,
		       double now_s, struct libra_verdict *verdict,
		       struct libra_error *err);

/* The bound on one call's work: with at most LIBRA_CALL_JOBS jobs on
 * LIBRA_CALL_PROCS processors, no call of a policy that slurmctld can use
 * counts more than LIBRA_CALL_STEPS steps.  A step is one visit to a job,
 * neighbour, run (processors side by side with the same jobs), row or list
 * position; it is not a time.  tests/property/test_cost.c checks every policy.
 */
#define LIBRA_CALL_JOBS	 600u
#define LIBRA_CALL_PROCS 64u
#define LIBRA_CALL_STEPS 1500000u

/* Search budget of an offer to band: LIBRA_PLACE_WORK steps, and
 * LIBRA_PLACE_WORK_A_PROC more for each processor.  When it is spent, the offer
 * takes the best placement found so far; without one the job is refused.
 */
#define LIBRA_PLACE_WORK	500000u
#define LIBRA_PLACE_WORK_A_PROC 64u

/* The default search budget of one search for a deadline (below), in steps:
 * jobs, runs and rows visited; some milliseconds.  Steps are not a time, so the
 * same query has the same answer in every host.  A host may set another
 * budget for later searches, a higher one if no other caller waits.
 */
#define LIBRA_SEARCH_WORK 400000u
void libra_engine_allow_search(struct libra_engine *e, uint64_t work);

/* Return the earliest deadline (an instant) that this job would be promised
 * now.  A nearer one may be accepted without a guarantee.  The result is never
 * too early: an offer with it is accepted.  Gang policies and policies that
 * plan may return one that is later by 1/64 of the time until it, so that less
 * than ten trials suffice.  Space policies that do not plan decide later, and
 * return when the job would end if it started now.  Market policies, where a
 * later deadline also lowers the bid, try a series of deadlines, each 1.2 times
 * as far as the one before, and return the first accepted.
 * Result: an instant; INFINITY if no deadline would be accepted (share
 *         policies: none before 1000 times the estimate); NAN if the search
 *         budget was spent before one was found.
 */
double libra_engine_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job,
				      double now_s);

/* Return true if njobs jobs like this one would be accepted now, offered one
 * after the other.  A trial: only the engine's time changes.
 * Result: false also on ENOMEM, for space policies that do not plan, and for
 *         market policies if njobs > 1.
 */
bool libra_engine_would_accept(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs,
			       double now_s);

/* Return the earliest deadline with which njobs such jobs would all be
 * accepted.  The result is never too early, and too late by at most 1 s or by
 * 0.5 % of the time until it.  If the search budget is spent first, the result
 * is an upper bound, or NAN. For one job, and where no trial is possible, this
 * is libra_engine_earliest_deadline().
 */
double libra_engine_earliest_together(struct libra_engine *e,
				      const struct libra_job *job,
				      uint32_t njobs, double now_s);

/* Return true if libra_engine_earliest_together() is exact for njobs: every
 * nearer deadline would be refused, or accepted without a guarantee.  If false,
 * it is an upper bound.
 */
bool libra_engine_earliest_is_exact(const struct libra_engine *e,
				    uint32_t njobs);

/* Return the deadline to suggest to a user, as a time from now in whole steps
 * of step_s.  It would still be accepted some seconds later.  It is not before
 * earliest_s (an instant, found as above), and mostly less than a step after
 * it.
 * Result: seconds, or INFINITY if none was found.
 */
double libra_engine_advise(struct libra_engine *e, const struct libra_job *job,
			   uint32_t njobs, double earliest_s, double step_s,
			   double now_s);

/* Change the estimate and the deadline of a promised or running job, on its
 * present processors.  The change is accepted only if its processors suit it
 * with the new numbers (gang policies: if it and its later neighbours keep
 * their deadlines).  Otherwise the answer is REJECT, and nothing has changed.
 * Work already executed counts.  Market policies never change a contract.
 * Result: 0 and the verdict (no ticket), or -1 with ENOENT, EINVAL (numbers as
 *         in offer), ENOTSUP (space policies that do not plan) or ENOMEM.
 */
int libra_engine_modify(struct libra_engine *e, uint64_t ticket,
			const struct libra_job *changed, double now_s,
			struct libra_verdict *verdict, struct libra_error *err);

/* Enter a job that was accepted earlier, for example after a restart of the
 * host: without an admission test, on the same processors, with the remaining
 * estimate of each part (below 0: over its estimate).  Jobs restored at one
 * instant share as if they had been there before; enter them in order of
 * submission.  A job that does not run gets a START: at once (share policies),
 * or when its turn comes (gangs).  Gangs: all parts have done equal work, so
 * the largest remainder counts.  The next schedule decides which jobs run; a
 * job that was running gets a HOLD or a RESUME then, whether it was held before
 * or not.
 * Result: 0 and the ticket, or -1 with EINVAL (numbers as in offer; parts out
 *         of order or range, or not nprocs in all), ENOTSUP (space policies
 *         that do not plan), ENOMEM, or EBUSY (policies that plan: a processor
 *         holds another job).
 */
struct libra_part {
	struct libra_range procs;
	double est_left_s;
	/* Reservations by node: amounts of the node's other resources that the
	 * job has, the same with each part on that node; NULL = from its where.
	 */
	const uint64_t *resources;
};

int libra_engine_restore(struct libra_engine *e, const struct libra_job *job,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running, double now_s, uint64_t *ticket,
			 struct libra_error *err);

/* Policies that plan: enter a job that was accepted earlier and waits, with its
 * reported planned start_s (NAN or INFINITY: none).  The job keeps that start
 * if it can, else the engine replans it.  A job without a deadline is one of
 * plan_ordinary.  The next schedule leaves the resulting actions.
 * Result: 0 and the ticket, or -1 with EINVAL (numbers as in offer), ENOTSUP
 *         (other policies) or ENOMEM.
 */
int libra_engine_restore_waiting(struct libra_engine *e,
				 const struct libra_job *job, double start_s,
				 double now_s, uint64_t *ticket,
				 struct libra_error *err);

/* A start query: where an ordinary job would start, and at whose cost. */
struct libra_start_query {
	/* Reservations by node: the processors of the job, with its amounts of
	 * other resources; est_left_s is ignored.  None: any free processors.
	 */
	const struct libra_part *parts;
	uint32_t nparts;
	/* The victims: running jobs that would be stopped to make room for it.
	 * Tickets of other jobs are ignored.
	 */
	const uint64_t *gone; /* tickets */
	uint32_t ngone;
	double delay_s; /* so long after now all victims have ended */
	/* True: the host will stop the victims if the result is true.  With
	 * reservations by node, the engine then holds the job's nodes for
	 * delay_s, or until the job is restored as running.  This needs parts,
	 * and a victim can belong to one hold only.  The hold remains while a
	 * node of it is closed, because the epilog of a stopped job may run
	 * there.  If that node stays closed, the host calls
	 * libra_engine_forgo().
	 */
	bool stops;
	/* Set if time and victims equal those of the last call and nothing else
	 * was called since: its result is reused, and the query costs no more
	 * than one without victims.
	 */
	bool again;
};

/* Policies that plan: return true if an ordinary job can start now on the parts
 * of the query, if its victims did not run, and run for its estimate (and the
 * margin) without moving a reservation.  A query of zeros: on any free
 * processors.  A trial: only the engine's time changes.  But with victims and
 * `stops`, the call replaces the job's hold.
 * Result: false also for other policies.
 * Cost:   O(jobs that run and wait); with victims O(jobs x spans).
 */
bool libra_engine_may_start(struct libra_engine *e, const struct libra_job *job,
			    const struct libra_start_query *query,
			    double now_s);

/* Cancel the hold of a preempting job, because it will not start or its nodes
 * stay closed.  No effect on a job without a hold, and for other policies.
 */
void libra_engine_forgo(struct libra_engine *e, uint64_t job_id, double now_s);

/* Policies with reservations by node: restore a hold from before a restart
 * (`stops` above), for delay_s from now.  List the victims that still run.
 * Nothing is tested: call it when all jobs are restored, before any query.
 * When reservations are next computed, the hold is cancelled if a promise would
 * be late because of it.
 * Result: 0, or -1 with EINVAL (numbers as in restore, or delay_s not above 0),
 *         ENOTSUP (other policies, or no reservations by node), ENOMEM.
 */
int libra_engine_restore_place(struct libra_engine *e,
			       const struct libra_job *job,
			       const struct libra_start_query *query,
			       double now_s, struct libra_error *err);

/* Return the instant until which nodes are held for a job, or NAN if none are.
 */
double libra_engine_place_until(const struct libra_engine *e, uint64_t job_id);

/* Policies that plan: give an ordinary job a reservation, at the earliest start
 * that moves no other one; that start is also its latest start.  A host that
 * starts ordinary jobs itself calls this for the oldest one, for one at a time,
 * so that none starves.  Commit or withdraw the ticket as for an offer.
 * Result: 0 and the verdict (REJECT with WOULD_MISS if it could never start),
 *         or -1 with EINVAL (numbers as in offer, or a deadline), ENOTSUP
 *         (other policies) or ENOMEM.
 */
int libra_engine_plan_ordinary(struct libra_engine *e,
			       const struct libra_job *job, double now_s,
			       struct libra_verdict *verdict,
			       struct libra_error *err);

/* Policies that plan: replace the list of outages.  During an outage a node
 * takes no jobs, for example because the host has reserved it.  Reservations
 * that overlap an outage move within their promises; the next schedule returns
 * LATE for each that cannot.  Outages of one node must not overlap.  List nodes
 * with the same times one after the other.
 *
 * An open node is not used by a reservation during its outage.  A node that the
 * host has closed because of an outage that has begun is expected back at the
 * end of that outage: reservations may use it from then on.  If the node is
 * still closed then, it counts as closed without end: no job starts there
 * before the host opens it, and reservations that counted on it move or become
 * LATE. So open a node at the end of its outage before any other call at that
 * instant, and give no outage for a node that is closed for another reason.
 *
 * Reservations that are not by node count processors and name none: then the
 * host must make sure that no job is left on a node when its outage begins.
 * Result: 0, or -1 with EINVAL (no such node, or from_s is not before to_s),
 *         ENOTSUP (other policies) or ENOMEM, and nothing changed.
 */
struct libra_outage {
	uint32_t node;
	double from_s, to_s; /* INFINITY = for ever */
};

int libra_engine_outages(struct libra_engine *e,
			 const struct libra_outage *list, uint32_t n,
			 double now_s, struct libra_error *err);

/* Return the planned start of a waiting job, and the latest instant to which it
 * may move.  For a job that runs, or has its START, both return the instant of
 * that start.  For a job still unplaced after capacity was lost, both return
 * the latest start.  INFINITY: as things are the job cannot start.
 * Result: an instant, or NAN with ENOENT, or for a job without a reservation.
 */
double libra_engine_planned_start(const struct libra_engine *e,
				  uint64_t ticket);
double libra_engine_latest_start(const struct libra_engine *e, uint64_t ticket);

/* Return how often reservations of waiting jobs have moved, in O(1).  While the
 * count is unchanged, each job that has waited since then has the same planned
 * start.  It may rise although none moved.  It does not count a repair that is
 * not finished, nor what a job's own offer, start and end change.
 * Result: 0 for policies that do not plan.
 */
uint64_t libra_engine_plan_moves(const struct libra_engine *e);

/* Save and load what a policy has learned from offers and ends, such as the
 * averages of its reserve, over a restart of the host.  The numbers have a
 * meaning for the same policy only.  libra_engine_learned() writes at most cap
 * of them; libra_engine_relearn() loads all of them into a new engine.
 * Result: learned: how many there are (0: the policy learns nothing).  relearn:
 *         0, or -1 with EINVAL, and nothing changed, if n differs from that or
 *         a number is not finite.
 */
size_t libra_engine_learned(const struct libra_engine *e, double *values,
			    size_t cap);
int libra_engine_relearn(struct libra_engine *e, const double *values, size_t n,
			 struct libra_error *err);

/* Return what remains of a job's estimate at an instant (below 0: over its
 * estimate). *rate (may be NULL) is how fast that falls now: processor time per
 * time, 0 while the job is held or does not run.  If parts differ, the slowest
 * counts; libra_engine_row() has each part.  Changes nothing.
 * Result: seconds, or NAN with ENOENT.
 */
double libra_engine_left_s(const struct libra_engine *e, uint64_t ticket,
			   double now_s, double *rate);

/* Commit an accepted or queued job: its submission succeeded under this id.
 * Share policies start jobs at once: a START action follows.  Gangs start a job
 * when its turn comes, in schedule.
 * Result: 0, or -1 with ENOENT, or EALREADY if committed.
 */
int libra_engine_commit(struct libra_engine *e, uint64_t ticket, uint64_t id,
			double now_s);

/* Withdraw a job: its submission failed, or it was cancelled before it ran.
 * Its capacity is released and its ticket void.
 * Result: 0, or -1 with ENOENT, or EBUSY if it runs (see departed).
 */
int libra_engine_withdraw(struct libra_engine *e, uint64_t ticket,
			  double now_s);

/* Report that a job with a START runs from now on, on its placement.
 * Result: 0, or -1 with ENOENT, or EINVAL if it had no START.
 */
int libra_engine_started(struct libra_engine *e, uint64_t ticket, double now_s);

/* Report what each part of a running job has executed since it started, in
 * seconds of a whole processor (of the slowest part, if they differ).  A host
 * that can measure this reports it before it makes a query.  Without a report
 * the engine assumes that a job progresses at its rate.  A report corrects the
 * remaining estimate; rates, and which jobs run, stay the same until the next
 * event.  executed_s may be less than in the last report.
 * Result: 0, or -1 with ENOENT, or EINVAL if the job does not run or executed_s
 *         is not a duration.
 */
int libra_engine_progress(struct libra_engine *e, uint64_t ticket,
			  double executed_s, double now_s);

/* Write the remaining estimate of each running job, by its progress, into
 * left_s (the least of its parts; below 0: over its estimate).  left_s has room
 * for libra_engine_nslots() values and gets NAN for a slot without a running
 * job.
 */
void libra_engine_all_left(struct libra_engine *e, double now_s,
			   double *left_s);

/* Replace a running job's estimate, for example when the job has executed more
 * than that and continues.  Unlike modify there is no test, and the promise
 * remains, as in an overrun.  From now on shares, needs and expected ends use
 * the new estimate.
 * Result: 0, or -1 with ENOENT, EINVAL if it does not run or the estimate is
 *         not a duration, or ENOTSUP (market policies never change a contract).
 */
int libra_engine_reestimate(struct libra_engine *e, uint64_t ticket,
			    double estimate_s, double now_s);

/* Suspend or resume a running job on behalf of the host.  Gang policies give
 * its turn to other jobs meanwhile; the job keeps its processors and its
 * promise, and its need still counts.  planned moves the job's end by its
 * reported progress, exactly at the resume.
 * Result: 0, or -1 with ENOENT, EINVAL if it does not run, or ENOTSUP (other
 *         policies: report unchanged progress instead).
 */
int libra_engine_suspend(struct libra_engine *e, uint64_t ticket,
			 bool suspended, double now_s);

/* Report that a running job has ended, with all its remaining parts.  Its
 * ticket is void.
 * Result: 0, or -1 with ENOENT, or EINVAL if it was not running.
 */
int libra_engine_departed(struct libra_engine *e, uint64_t ticket,
			  double now_s);

/* Share policies: report that the job's parts on the processors of one row have
 * ended.  With its last parts the job has departed and its ticket is void.  (A
 * job of a gang cannot continue without a part: report it departed.)
 * Result: processors that still have parts of it, or -1 with ENOENT, or EINVAL
 *         if it was not running.
 */
int64_t libra_engine_part_departed(struct libra_engine *e, uint64_t ticket,
				   uint32_t row, double now_s);

/* Report the state of a node.
 * Result: 0, or -1 with ENOENT (no such node) or ENOMEM.
 */
int libra_engine_node(struct libra_engine *e, uint32_t node,
		      enum libra_node_state state, double now_s);

/* Report that the host's clock was set: the instant was_s on the old clock is
 * now_s on the new one, earlier or later.  Jobs progress until was_s, and not
 * by the jump.  Deadlines stay the same instants, so shares, turns and
 * reservations are computed again.
 * Result: 0, or -1 with EINVAL (not times) or ENOTSUP (policies that queue, or
 *         sell).
 */
int libra_engine_clock(struct libra_engine *e, double was_s, double now_s);

/* Decide all that can be decided now, and expire old offers.  Read the
 * resulting actions with libra_engine_next_action().
 */
void libra_engine_schedule(struct libra_engine *e, double now_s);

/* Policies that plan: move reservations earlier, after capacity has grown by
 * an end, a cancellation, or a node that is back.  Promises hold without it, so
 * a host that answers users (compress_later) makes this call when nothing else
 * is to be done.  The result depends on the calls and their budgets alone, and
 * never on time.
 * Result: true if work is left; false for other policies.
 * Cost:   budget, in steps (jobs, nodes, and 4 steps of the timeline), and at
 *         least one reservation: O(reservations + running jobs), and O(nodes)
 *         if it could start now.  While a promise is broken, the first call
 *         after capacity has grown replans all jobs.
 */
bool libra_engine_compress(struct libra_engine *e, double now_s,
			   uint64_t budget);

/* Return true if compress has work: its last call left some, or a call since
 * then has found that capacity has grown.
 * Cost: O(1).
 */
bool libra_engine_can_compress(const struct libra_engine *e);

/* Return the next instant at which schedule must be called even without an
 * event (a deadline passes), or INFINITY.
 */
double libra_engine_next_event_s(const struct libra_engine *e);

/* Take the next action: START and REJECT, oldest first, then RESHARE once per
 * row whose rates have changed since its last RESHARE. Gang policies: all HOLDs
 * before RESUMEs and STARTs; an action that was undone before it was taken is
 * left out.  HOLD may come for a job that is still starting: hold it as soon as
 * it runs.
 * Result: false if there is none.
 */
bool libra_engine_next_action(struct libra_engine *e,
			      struct libra_action *action);

/* Write the processors that a job has or is promised into ranges: at most cap
 * ranges, in index order.
 * Result: the number of ranges there are (it may exceed cap), 0 if queued, or
 *         -1 with ENOENT.
 */
int64_t libra_engine_placement(const struct libra_engine *e, uint64_t ticket,
			       struct libra_range *ranges, size_t cap);

/* Return the sum of the shares of the other jobs, as admission counts it now,
 * on the fullest of a job's processors.
 * Result: a sum of shares, or NAN with ENOENT, or for policies without shares.
 */
double libra_engine_beside(const struct libra_engine *e, uint64_t ticket);

/* Return true if jobs past their deadlines yield under this share policy: they
 * get what the shares of the others leave.  If false, each counts as a whole
 * processor.
 */
bool libra_engine_late_yields(const struct libra_engine *e);

/* Gang policies: return the instant by which a job has ended, if all jobs
 * promised by now keep to their estimates.  Admission tests this bound
 * (docs/beyond.md).  A job that is late, or cannot be in time by its estimate,
 * has none.
 * Result: an instant, or NAN with ENOENT, without a bound, or for other
 *         policies.
 */
double libra_engine_ends_by(const struct libra_engine *e, uint64_t ticket);

/* Gang policies: return the instant by which a waiting job has started, if all
 * jobs promised by now keep to their estimates.  If it has a bound as in
 * ends_by, the result is that bound minus its need.  Otherwise it is the
 * instant by which all jobs have ended that precede it now, or that will
 * precede it when its deadline has passed.
 * Result: an instant, not before the engine's time; or NAN with ENOENT, or for
 *         other policies.
 */
double libra_engine_starts_by(const struct libra_engine *e, uint64_t ticket);

/* Read the jobs and the ledger.  Pointers are valid until the next call that
 * changes the engine; NULL if there is no such job or row.  The host must not
 * free or change what they point to.
 */
const struct libra_job *libra_engine_job(const struct libra_engine *e,
					 uint64_t ticket);
uint64_t libra_engine_ticket(const struct libra_engine *e,
			     uint32_t slot); /* 0 = unused slot */
uint32_t libra_engine_nslots(const struct libra_engine *e);
uint32_t libra_engine_nrows(
	const struct libra_engine *e); /* rows, used or unused */
const struct libra_row *libra_engine_row(const struct libra_engine *e,
					 uint32_t row);
/* Return the row of a processor; UINT32_MAX if there is no such processor, or
 * the policy has no rows.
 */
uint32_t libra_engine_row_of(const struct libra_engine *e, uint32_t proc);
uint32_t libra_engine_nprocs(const struct libra_engine *e);
uint32_t libra_engine_free_procs(
	const struct libra_engine *e); /* space policies */
const struct libra_policy_type *libra_engine_policy(
	const struct libra_engine *e);

/* Return the slot of a ticket: a small number, for a host's own arrays.  When
 * the job has departed another one may get its slot.
 */
static inline uint32_t libra_ticket_slot(uint64_t ticket)
{
	return (uint32_t)ticket;
}

/* Stable printable names: "accept", "no_share", "start", ... */
const char *libra_answer_name(enum libra_answer answer);
const char *libra_reason_name(enum libra_reason reason);
const char *libra_action_name(enum libra_action_kind kind);

#endif
