/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - admission and allocation, driven by a host.
 *
 * The host (the simulator, or slurmctld's plugins) says what happens and when;
 * the engine answers and leaves actions to be read.  It has no clock, thread,
 * file, environment or global, calls nothing back, and never aborts.  The same
 * calls give the same answers, bit for bit, in every host.
 *
 *     offer --> verdict ACCEPT  capacity is held from here on
 *           |-> verdict QUEUE   decided later by schedule (space policies)
 *           `-> verdict REJECT  reason; the engine keeps nothing
 *     commit / withdraw         the submission went through / failed
 *     schedule --> actions      START, REJECT, RESHARE, HOLD, RESUME, LATE
 *     started                   the job runs: its tasks draw their shares
 *     progress                  what a job has really executed
 *     part_departed, departed   parts of a job, or all of it, are gone
 *     node                      processors come and go
 *     clock                     the host's clock was set
 *
 * POLICIES THAT PLAN (space policies with the trait `plans`).  They answer
 * ACCEPT or REJECT at the offer of a job with a deadline.  An accepted job
 * waits with a planned start, no later than its latest start (deadline -
 * estimate - margin); schedule says START when it has come, on processors that
 * are free then, and nobody is preempted.  The planned start is a hint: it may
 * move until the latest start (never, if the site keeps told starts).  What may
 * break a promise is a job that overruns, and a node that goes: the plans move,
 * and where one cannot move within its deadline schedule says LATE.
 *
 * Beside them run ordinary jobs, those without a deadline (INFINITY), in one of
 * two ways:
 *     the engine starts them   offer --> QUEUE; commit; schedule --> START, in
 *                              order of submission, with EASY backfilling round
 *                              the plans; the oldest that has waited for the
 *                              parameter firm_age gets a plan that does not
 * move the host starts them     may_start says whether one can run now, by its
 *                              estimate, before the plans need its processors;
 *                              restore (running) enters it where the host has
 *                              started it, departed takes it out, reestimate
 *                              follows a new limit.  For one that has waited
 * for firm_age the host asks plan_ordinary. A job that was refused may be
 * offered again without its deadline: it has no promise then.
 *
 * Order of events at one instant, for hosts that must agree: departures, then
 * nodes, then offers, then schedule.
 *
 * Time: now_s is in seconds on the clock of the jobs.  An earlier instant than
 * the last one counts as the last one; a clock that was set is told by clock.
 *
 * Jobs are named by tickets.  A ticket is never used again: a late call about a
 * finished job fails with ENOENT and changes nothing.
 *
 * Memory: the arrays grow with the most jobs seen at one time, by doubling, at
 * an offer.  Otherwise a decision allocates nothing.  -1 with ENOMEM leaves
 * everything as it was.
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

/* Why a job was refused.  Names: libra_reason_name(). */
enum libra_reason {
	LIBRA_REASON_NONE = 0,
	LIBRA_REASON_TOO_LARGE,	  /* more processors than there are */
	LIBRA_REASON_NO_DEADLINE, /* the policy needs one */
	LIBRA_REASON_NO_SHARE,	  /* too few processors with that share left */
	LIBRA_REASON_RISK,	  /* too few processors free of risk */
	LIBRA_REASON_WOULD_MISS,  /* by its estimate it would end too late */
	LIBRA_REASON_EXPIRED,	  /* an offer that nobody committed in time */
	LIBRA_REASON_SLACK,	  /* it would put too much of others at risk */
	LIBRA_REASON_NO_BUDGET,	  /* the policy sells shares: no budget */
	LIBRA_REASON_PRICE,	  /* the bid is too low for the price */
	LIBRA_REASON_CONTRACT,	  /* a contract would lose its promised share */
	LIBRA_REASON_RANDOM,	  /* drawn at random */
	LIBRA_REASON_RESERVE,	  /* room that is kept for smaller jobs */
	LIBRA_REASON_MEMORY,  /* of a host: nodes have too little memory free */
	LIBRA_REASON_CROWDED, /* too few processors have fewer than max_jobs */
};

struct libra_verdict {
	enum libra_answer answer;
	enum libra_reason reason;
	uint64_t ticket; /* 0 if rejected */
	double share; /* of each processor, now; 0 unless accepted to share */
	/* Accepted: by all estimates it ends so long after its deadline; 0 = in
	 * time.  Above 0 it is a bet: best effort, and no promise.
	 */
	double late_s;
};

enum libra_action_kind {
	LIBRA_ACTION_START = 1, /* begin the job on its placement */
	LIBRA_ACTION_REJECT,	/* a queued job or a stale offer is refused */
	LIBRA_ACTION_RESHARE,	/* the tasks of a row have new rates */
	LIBRA_ACTION_HOLD,	/* stop all parts of a job; they keep their
				   place and memory */
	LIBRA_ACTION_RESUME,	/* let them go on */
	LIBRA_ACTION_LATE,	/* a job that waits, or starts next, cannot
				   start by its latest start any more, after an
				   overrun, the loss of a node or a restart of
				   the host: its promise does not hold */
};

struct libra_action {
	enum libra_action_kind kind;
	uint64_t ticket; /* all but RESHARE; of REJECT it is void already */
	uint64_t job_id; /* all but RESHARE */
	enum libra_reason reason; /* REJECT */
	uint32_t row;		  /* RESHARE */
};

enum libra_node_state {
	LIBRA_NODE_UP = 1,
	LIBRA_NODE_DRAIN, /* keeps its jobs, takes no new ones */
	LIBRA_NODE_DOWN,  /* as drain; the host reports the jobs departed */
};

struct libra_engine_conf {
	const struct libra_policy_type *policy;
	const double *params; /* policy->nparams values; NULL = defaults */
	const uint32_t *node_procs; /* processors of each node, >= 1 */
	uint32_t nnodes;
	double offer_ttl_s; /* an offer not committed for so long expires;
			       INFINITY = never */
	uint32_t max_jobs;  /* that a processor may be promised to at a time;
			       0 = any number (space policies: always 1) */
	/* Policies that plan: nodes matter, and a plan names them, as jobs may
	 * have a where.  Nodes may have other resources then, as many of each
	 * as stands in node_resources (nresources for each node).  Else all
	 * processors are alike, and plans cost less.
	 */
	bool by_node;
	uint32_t nresources; /* at most LIBRA_RESOURCES */
	const uint64_t *node_resources;
};

/* Result: the engine, or NULL with EINVAL (conf) or ENOMEM.
 * Owner:  the caller destroys it; conf is copied, the policy must live on.
 */
struct libra_engine *libra_engine_create(const struct libra_engine_conf *conf,
					 struct libra_error *err);
void libra_engine_destroy(struct libra_engine *e);

/* Ask for a job.  An accepted or queued job must be committed or withdrawn.
 * Result: 0 and the verdict, or -1 with EINVAL (estimate, processors, times,
 *         money or where out of range) or ENOMEM.
 * Cost:   share policies O(rows x tasks + runs), space policies O(1) or
 *         O(queue) where the queue is sorted.  Gang policies project all jobs
 *         with neighbours, O(jobs x 128), once at an instant, and compare
 *         places in at most the steps of LIBRA_PLACE_WORK, each place in
 *         O(jobs x 128).
 */
int libra_engine_offer(struct libra_engine *e, const struct libra_job *job,
		       double now_s, struct libra_verdict *verdict,
		       struct libra_error *err);

/* Beside LIBRA_CALL_JOBS jobs on LIBRA_CALL_PROCS processors no call of a
 * policy that slurmctld can use counts more steps than LIBRA_CALL_STEPS.  A
 * step is a look at a job, neighbour, run, row or place in a list; it is no
 * time. tests/property/test_cost.c holds every policy to it.
 */
#define LIBRA_CALL_JOBS	 600u
#define LIBRA_CALL_PROCS 64u
#define LIBRA_CALL_STEPS 1500000u

/* The most steps in which an offer to band compares places, and so many more
 * for each processor.  Then the offer takes the best place that it has found;
 * without one it is refused.
 */
#define LIBRA_PLACE_WORK	500000u
#define LIBRA_PLACE_WORK_A_PROC 64u

/* The most that one search for a deadline, as below, may look at: jobs, runs
 * and rows; some milliseconds where nothing else is said.  It is no time, so
 * that the same question has the same answer in every host.  One who keeps
 * nobody waiting may allow more.
 */
#define LIBRA_SEARCH_WORK 400000u
void libra_engine_allow_search(struct libra_engine *e, uint64_t work);

/* The earliest deadline (an instant) that this job would be promised now: a
 * nearer one may be accepted as a bet.  Never too early: an offer with it is
 * accepted; gangs and policies that plan may name one that is later by 1/64 of
 * the time until it, so that it costs them less than ten refusals.  INFINITY:
 * none would be, or, by shares, none before 1000 times the estimate.
 * For space policies: the end of a start now (they decide later).  For market
 * policies, where a later deadline also thins the bid: the first that would be
 * accepted of a series, each 1.2 times as far as the one before.
 * NAN: the search has ended with none found, which does not say that there is
 * none.
 */
double libra_engine_earliest_deadline(struct libra_engine *e,
				      const struct libra_job *job,
				      double now_s);

/* Would so many such jobs be accepted now, offered one after the other?  A
 * trial that changes nothing but the engine's time. Result: false also with
 * ENOMEM, for space policies, and for market policies if there are several
 * jobs.
 */
bool libra_engine_would_accept(struct libra_engine *e,
			       const struct libra_job *job, uint32_t njobs,
			       double now_s);

/* The earliest deadline with which so many such jobs would all be accepted.
 * Never too early; and at most 1 s or 0.5 % of the time until it too late,
 * unless the search ends before: then it is an upper bound, or NAN.  As
 * libra_engine_earliest_deadline() for one job, and where no trial can be made.
 */
double libra_engine_earliest_together(struct libra_engine *e,
				      const struct libra_job *job,
				      uint32_t njobs, double now_s);

/* Is what libra_engine_earliest_together() finds for so many jobs exact: would
 * every nearer deadline be refused, or be a bet?  Else it is an upper bound.
 */
bool libra_engine_earliest_is_exact(const struct libra_engine *e,
				    uint32_t njobs);

/* What to tell a user: the time from now to a deadline that would be accepted,
 * also some seconds later, in whole steps; not before the earliest one, as
 * found above, and mostly less than a step behind it.
 * Result: seconds, or INFINITY if none was found.
 */
double libra_engine_advise(struct libra_engine *e, const struct libra_job *job,
			   uint32_t njobs, double earliest_s, double step_s,
			   double now_s);

/* Change the estimate and the deadline of a promised or running job, where it
 * is.  Accepted only if its processors suit it with the new numbers (gang
 * policies: if it and its later neighbours keep their deadlines); else REJECT,
 * and nothing has changed.  What it has done already counts.  Market policies
 * never change a contract.
 * Result: 0 and the verdict (no ticket), or -1 with ENOENT, EINVAL (numbers as
 *         in offer) or ENOTSUP (space policies).
 */
int libra_engine_modify(struct libra_engine *e, uint64_t ticket,
			const struct libra_job *changed, double now_s,
			struct libra_verdict *verdict, struct libra_error *err);

/* Enter a job that was accepted earlier, as after a restart of the host:
 * without a test, on the same processors, with what each part has left of its
 * estimate (below 0: over it).  Jobs restored at one instant share as if they
 * had been there before; enter them in order of submission.  A job that does
 * not run gets a START: at once (share policies), or when its turn comes
 * (gangs). Gangs: the parts have done equal work, so the most that is left
 * counts; the next schedule decides who runs, and a job that was running gets a
 * HOLD or a RESUME then, whether it was held before or not. Result: 0 and the
 * ticket, or -1 with EINVAL (numbers as in offer; parts out of order or range,
 * or not nprocs in all), ENOTSUP (space policies that do not plan), ENOMEM, or
 * EBUSY (policies that plan: a processor holds another job).
 */
struct libra_part {
	struct libra_range procs;
	double est_left_s;
	/* Plans by node: what the job has of the other resources of the node,
	 * the same with each part on it; NULL = as its where says.
	 */
	const uint64_t *resources;
};

int libra_engine_restore(struct libra_engine *e, const struct libra_job *job,
			 const struct libra_part *parts, uint32_t nparts,
			 bool running, double now_s, uint64_t *ticket,
			 struct libra_error *err);

/* Policies that plan: enter a job that was accepted earlier and waits, with the
 * planned start that was told; NAN or INFINITY if there is none.  It keeps that
 * start if it can, else it is planned anew.  A job without a deadline is one of
 * plan_ordinary.  The next schedule says what came of it.
 * Result: 0 and the ticket, or -1 with EINVAL (numbers as in offer), ENOTSUP
 *         (other policies), ENOMEM.
 */
int libra_engine_restore_waiting(struct libra_engine *e,
				 const struct libra_job *job, double start_s,
				 double now_s, uint64_t *ticket,
				 struct libra_error *err);

/* Policies that plan: may a job without a promise start now, on any processors
 * that are free, and run for its estimate (and the margin), so that no plan has
 * to move?  A trial that changes nothing but the engine's time.
 * Result: false also for other policies.
 * Cost:   O(jobs that run and wait).
 */
bool libra_engine_may_start(struct libra_engine *e, const struct libra_job *job,
			    double now_s);

/* Where such a job would start. */
struct libra_start_query {
	/* Where plans are by node: its processors, with what it would have of
	 * other resources; est_left_s is not looked at.  None: on any.
	 */
	const struct libra_part *parts;
	uint32_t nparts;
	/* Jobs that run, and would be stopped to make room for it; others are
	 * not looked at.
	 */
	const uint64_t *gone; /* tickets */
	uint32_t ngone;
	double delay_s; /* so much later they are gone, at the latest */
	/* They are, if it may: where plans are by node its place is kept for so
	 * long, or until the job is restored as one that runs.  The place stays
	 * while a node of it is closed, as the epilog of a stopped job may run
	 * there; if that node stays closed, the host calls libra_engine_forgo.
	 * It needs parts, and nobody is stopped for two jobs.
	 */
	bool stops;
	/* The last call had the same instant and jobs; nothing else was asked
	 * since, and this costs no more than without them.
	 */
	bool again;
};

/* The same, there.
 * Cost: O(jobs x spans) with jobs that would be gone.
 */
bool libra_engine_may_start_on(struct libra_engine *e,
			       const struct libra_job *job,
			       const struct libra_start_query *opening,
			       double now_s);

/* A job that others were to be stopped for does not come, or its nodes stay
 * closed: no place is kept for it any more.  Without effect on another one, and
 * for other policies.
 */
void libra_engine_forgo(struct libra_engine *e, uint64_t job_id, double now_s);

/* Policies whose plans are by node: keep a place that was kept before a restart
 * (stops, above), for delay_s from now on; of those that were stopped for it
 * the ones that still run are gone.  Nothing is tested: call it when all jobs
 * are restored, before anything else is asked.  It is given up at once where a
 * promise would be late then.
 * Result: 0, or -1 with EINVAL (numbers as in restore, or delay_s is no
 *         duration), ENOTSUP (other policies, or plans), ENOMEM.
 */
int libra_engine_restore_place(struct libra_engine *e,
			       const struct libra_job *job,
			       const struct libra_start_query *opening,
			       double now_s, struct libra_error *err);

/* The instant until which a place is kept for a job; NAN: none is. */
double libra_engine_place_until(const struct libra_engine *e, uint64_t job_id);

/* Policies that plan: give a job without a deadline a plan, at the earliest
 * start that moves no other one; from then on that is its latest start.  A host
 * that starts ordinary jobs itself asks that for the oldest of them, for one at
 * a time, so that none starves.  To be committed or withdrawn as an offer.
 * Result: 0 and the verdict (REJECT with WOULD_MISS if it could never start),
 *         or -1 with EINVAL (numbers as in offer, or a deadline), ENOTSUP
 * (other policies) or ENOMEM.
 */
int libra_engine_plan_ordinary(struct libra_engine *e,
			       const struct libra_job *job, double now_s,
			       struct libra_verdict *verdict,
			       struct libra_error *err);

/* Policies that plan: nodes take no jobs from one instant to another, as where
 * a host has reserved them.  Plans go round that: those that lie over it move
 * within their promises, and of one that cannot the next schedule says LATE.
 * What is given takes the place of all outages before.  Outages of one node do
 * not overlap.  List nodes with the same times one after the other.
 *
 * An open node takes no part in plans over its outage.  A node that the host
 * has closed because of an outage that has begun is expected back at the end of
 * it: plans may use the node from then on.  If the node is still closed then,
 * the outage gives nothing any more: nothing starts there before the host opens
 * the node, and plans that counted on it move or are LATE.  So open a node at
 * the end of its outage before anything else is asked at that instant; of a
 * node that is closed for another reason give no outage.
 *
 * Plans that are not by node count processors and name none: then the host must
 * see to it that no job is left on a node when its outage begins.
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

/* When a job that waits is to start, as its policy plans now, and the latest
 * instant to which the plan may move it; of a job that runs, or was told to,
 * the instant of that for both.  Where a repair after a loss has not come to a
 * job yet, the latest for both.  INFINITY: never, as things are.
 * Result: NAN with ENOENT, or where nothing is planned.
 */
double libra_engine_planned_start(const struct libra_engine *e,
				  uint64_t ticket);
double libra_engine_latest_start(const struct libra_engine *e, uint64_t ticket);

/* A count of the times that plans of waiting jobs have moved, in constant time:
 * as long as it is the same, each job that waits since then has the start that
 * it had.  It may rise where none moved; a pending repair and what a job's own
 * offer, start and end bring are not counted.
 * Result: 0 where nothing is planned.
 */
uint64_t libra_engine_plan_moves(const struct libra_engine *e);

/* What a policy has learned from offers and ends, as the averages of its
 * reserves: numbers that mean something to the same policy alone, for a host to
 * keep over a restart.  libra_engine_learned() writes at most cap of them;
 * libra_engine_relearn() puts all of them into a new engine.
 * Result: how many there are (0: the policy learns nothing); or 0, or -1 with
 *         EINVAL, and nothing changed, where it is another number of them or
 * one is not finite.
 */
size_t libra_engine_learned(const struct libra_engine *e, double *values,
			    size_t cap);
int libra_engine_relearn(struct libra_engine *e, const double *values, size_t n,
			 struct libra_error *err);

/* What is left of a job's estimate at an instant (below 0: it is over it), and
 * how fast that falls now: processor time per time, 0 while it is held or does
 * not run.  Of its slowest part, where they differ: rows have it part by
 * part.  Changes nothing.  rate may be NULL.
 * Result: seconds, or NAN with ENOENT.
 */
double libra_engine_left_s(const struct libra_engine *e, uint64_t ticket,
			   double now_s, double *rate);

/* The submission went through under this id.  Share policies start jobs at
 * once: a START action follows.  Gangs start when their turn comes: schedule.
 * Result: 0, or -1 with ENOENT, or EALREADY if committed.
 */
int libra_engine_commit(struct libra_engine *e, uint64_t ticket, uint64_t id,
			double now_s);

/* The submission failed, or the job was cancelled before it ran.
 * Result: 0, or -1 with ENOENT, or EBUSY if it runs (see departed).
 */
int libra_engine_withdraw(struct libra_engine *e, uint64_t ticket,
			  double now_s);

/* The job runs from now on, on its placement.
 * Result: 0, or -1 with ENOENT, or EINVAL if it was not to start.
 */
int libra_engine_started(struct libra_engine *e, uint64_t ticket, double now_s);

/* What each part of a running job has executed since it started, in seconds of
 * a whole processor (of the slowest part, if they differ).  Hosts that can
 * measure it report it before they ask for something; without a report the
 * engine assumes that a job progresses at its rate.  A report corrects what is
 * left of the estimate; rates, and who runs, stay as they are until the next
 * event.  It may be less than the last one.
 * Result: 0, or -1 with ENOENT, or EINVAL if it does not run or the time is no
 *         duration.
 */
int libra_engine_progress(struct libra_engine *e, uint64_t ticket,
			  double executed_s, double now_s);

/* What each running job has left of its estimate, by its progress (the part
 * that has least); below 0: it is over it.  left_s has room for
 * libra_engine_nslots() values; NAN where no job runs.
 */
void libra_engine_all_left(struct libra_engine *e, double now_s,
			   double *left_s);

/* A running job's estimate is known better, as when it has executed more than
 * that and goes on.  Unlike modify there is no test, and the promise stands, as
 * it does when a job overruns.  Shares, needs and expected ends are counted by
 * the new estimate from now on.
 * Result: 0, or -1 with ENOENT, EINVAL if it does not run or the estimate is
 *         no duration, or ENOTSUP: market policies never change a contract.
 */
int libra_engine_reestimate(struct libra_engine *e, uint64_t ticket,
			    double estimate_s, double now_s);

/* A running job stands still at its host's word, or goes on.  Gang policies
 * give its turn to others meanwhile; it keeps its processors and its promise,
 * and its need counts on.
 * Result: 0, or -1 with ENOENT, EINVAL if it does not run, or ENOTSUP: other
 *         policies, to which progress says that there is none.
 */
int libra_engine_suspend(struct libra_engine *e, uint64_t ticket,
			 bool suspended, double now_s);

/* A running job has ended, with all parts that it still had.
 * Result: 0, or -1 with ENOENT, or EINVAL if it was not running.
 */
int libra_engine_departed(struct libra_engine *e, uint64_t ticket,
			  double now_s);

/* Share policies: the job's parts on the processors of one row are gone.
 * With its last parts the job has departed and its ticket is void.  (A job of
 * a gang cannot go on without a part: report it departed.)
 * Result: processors that still have parts of it, or -1 with ENOENT, or EINVAL
 *         if it was not running.
 */
int64_t libra_engine_part_departed(struct libra_engine *e, uint64_t ticket,
				   uint32_t row, double now_s);

/* Result: 0, or -1 with ENOENT (no such node) or ENOMEM. */
int libra_engine_node(struct libra_engine *e, uint32_t node,
		      enum libra_node_state state, double now_s);

/* The host's clock was set: what was was_s on it is now_s, earlier or later.
 * Jobs make the progress of the time until was_s, and none by the jump;
 * deadlines stay the instants that they are, so that shares, turns and plans
 * are found anew.
 * Result: 0, or -1 with EINVAL (no times) or ENOTSUP (policies that queue, or
 *         sell).
 */
int libra_engine_clock(struct libra_engine *e, double was_s, double now_s);

/* Decide what can be decided now; stale offers expire. */
void libra_engine_schedule(struct libra_engine *e, double now_s);

/* The next instant at which schedule must be called though nothing else
 * happens (a deadline passes); INFINITY = none.
 */
double libra_engine_next_event_s(const struct libra_engine *e);

/* Take the next action: START and REJECT, oldest first, then RESHARE once per
 * row whose rates have changed since it was last taken.  Gang policies: all
 * HOLDs before RESUMEs and STARTs; what was undone before it was taken is left
 * out.  HOLD may come for a job that is still starting: it is held as soon as
 * it runs.
 * Result: false if there is none.
 */
bool libra_engine_next_action(struct libra_engine *e,
			      struct libra_action *action);

/* Where a job is, or was promised to be: at most cap ranges in index order.
 * Result: the number of ranges there are (it may exceed cap), 0 if queued, or
 *         -1 with ENOENT.
 */
int64_t libra_engine_placement(const struct libra_engine *e, uint64_t ticket,
			       struct libra_range *ranges, size_t cap);

/* What is promised to others, now, on the fullest of a job's processors: the
 * sum of their shares, as admission counts it. Result: NAN with ENOENT, or
 * where there are no shares.
 */
double libra_engine_beside(const struct libra_engine *e, uint64_t ticket);

/* Where processors are divided: do jobs past their deadlines yield, to get what
 * the shares of the others leave?  Else each counts as a whole processor.
 */
bool libra_engine_late_yields(const struct libra_engine *e);

/* When a job in turn has ended at the latest, if all that were promised by now
 * keep to their estimates; what admission tested (docs/beyond.md).  A job that
 * is late, or cannot be in time by its estimate, has no such end.
 * Result: an instant, or NAN with ENOENT, or where jobs do not take turns.
 */
double libra_engine_ends_by(const struct libra_engine *e, uint64_t ticket);

/* When a job that waits for its turn starts at the latest, if all that were
 * promised by now keep to their estimates: where it has an end as above, so
 * long before that as it needs; else when all that come before it, or may once
 * its deadline has passed, have ended. Result: an instant, not before the
 * engine's; or NAN with ENOENT, or where jobs do not take turns.
 */
double libra_engine_starts_by(const struct libra_engine *e, uint64_t ticket);

/* The jobs and the ledger, to read.  Pointers are good until the next call
 * that changes the engine.
 */
const struct libra_job *libra_engine_job(const struct libra_engine *e,
					 uint64_t ticket);
uint64_t libra_engine_ticket(const struct libra_engine *e,
			     uint32_t slot); /* 0 = unused slot */
uint32_t libra_engine_nslots(const struct libra_engine *e);
uint32_t libra_engine_nrows(const struct libra_engine *e); /* rows, used or
								not */
const struct libra_row *libra_engine_row(const struct libra_engine *e,
					 uint32_t row);
/* The row that a processor is in; UINT32_MAX: none such, or no rows. */
uint32_t libra_engine_row_of(const struct libra_engine *e, uint32_t proc);
uint32_t libra_engine_nprocs(const struct libra_engine *e);
uint32_t libra_engine_free_procs(const struct libra_engine *e); /* space */
const struct libra_policy_type *libra_engine_policy(
	const struct libra_engine *e);

/* The slot of a ticket: a small number, for a host's own arrays.  When the job
 * has departed another one may get its slot.
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
