/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_engine.c - bytes as the calls of a host, for the policies of slurmctld.
 *
 * The first bytes choose policy, parameters and nodes; each call after them
 * takes some.  The host keeps to core/engine.h: it names processors that it may
 * name, gives outages apart from each other, and may do all else in any order,
 * also with tickets that are void.  After each call all that the engine keeps
 * is found anew (engine_check.h).  Answers are put to the test: what is said to
 * be accepted is offered, what may start is started.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/engine.h"
#include "core/space/planned.h"
#include "tests/fuzz/engine_check.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_NODES = 4, MOST_JOBS = 14, MOST_PARTS = 8, MOST_OUT = 6 };

const char *const fuzz_engine_policies[] = {"planned", "band",	 "librarisk",
					    "libra",   "demand", NULL};
enum { NPOLICIES = 5 };

/* A place that is kept for a job. */
struct place {
	struct libra_job job;
	struct libra_part parts[MOST_PARTS];
	uint32_t nparts;
	uint64_t gone[2];
	uint32_t ngone;
};

struct world {
	const uint8_t *data;
	size_t left;
	struct libra_engine *e;
	struct libra_engine_conf conf;
	struct engine_books books;
	uint32_t node_procs[MOST_NODES], nprocs;
	uint64_t resources[MOST_NODES];
	double params[LIBRA_RESOURCES * 4], now_s;
	uint64_t tickets[MOST_JOBS], next_id; /* also of jobs that are gone */
	struct place place;
	/* Where the next job may run. */
	struct libra_where where;
	struct libra_range allowed;
	uint64_t per_chunk;
	bool restored, settled;
};

/* The next byte; 0 where there is none. */
static uint32_t byte(struct world *w)
{
	if (w->left == 0)
		return 0;
	w->left--;
	return *w->data++;
}

static uint32_t below(struct world *w, uint32_t n)
{
	return byte(w) % n;
}

/* ---- the engine ---- */

static void choose_params(struct world *w)
{
	const struct libra_policy_type *p = w->conf.policy;
	static const double values[] = {0, 0.5, 1, 4, 20, 50};
	bool cluster = below(w, 2), mixed = below(w, 2);

	FUZZ_CHECK(p->nparams <= sizeof(w->params) / sizeof(*w->params));
	for (size_t i = 0; i < p->nparams; i++) {
		double value = cluster ? libra_policy_cluster_value(p, i)
				       : p->params[i].value;

		if (mixed && below(w, 3) == 0)
			value = p->params[i].type == LIBRA_PARAM_SWITCH
					? below(w, 2)
					: values[below(w, 6)];
		w->params[i] =
			fmax(p->params[i].min, fmin(p->params[i].max, value));
	}
	w->conf.params = w->params;
}

static void open_world(struct world *w)
{
	uint32_t wide;

	w->conf.policy = libra_policy_find(
		fuzz_engine_policies[below(w, NPOLICIES)], NULL);
	FUZZ_CHECK(w->conf.policy);
	choose_params(w);
	w->conf.nnodes = 1 + below(w, MOST_NODES);
	wide = below(w, 16) == 0 ? 60 : below(w, 4);
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		w->node_procs[i] = 1 + below(w, wide + 1);
		w->resources[i] = below(w, 5);
		w->nprocs += w->node_procs[i];
	}
	w->conf.node_procs = w->node_procs;
	w->conf.by_node = below(w, 2);
	w->conf.nresources = w->conf.by_node && below(w, 2);
	w->conf.node_resources = w->resources;
	w->conf.compress_later = below(w, 2);
	w->conf.offer_ttl_s = below(w, 2) ? 20 : INFINITY;
	w->conf.max_jobs = below(w, 3) ? 0 : 1 + below(w, 3);
	w->now_s = below(w, 8) ? below(w, 4) : 1e9;
	w->e = libra_engine_create(&w->conf, NULL);
	FUZZ_CHECK(w->e);
	/* So that searches and repairs end before they are done. */
	if (below(w, 8) == 0)
		libra_engine_allow_search(w->e, below(w, 64));
}

/* ---- what calls are about ---- */

static bool is_by_node(const struct world *w)
{
	return w->conf.policy->plans && w->conf.by_node;
}

static uint64_t any_ticket(struct world *w)
{
	return w->tickets[below(w, MOST_JOBS)];
}

static enum libra_slot_state state_of(const struct world *w, uint64_t ticket)
{
	uint32_t slot = libra_ticket_slot(ticket);

	return libra_engine_job(w->e, ticket) ? w->e->slots[slot].state
					      : LIBRA_SLOT_FREE;
}

/* A ticket whose job is in this state, or any. */
static uint64_t ticket_in(struct world *w, enum libra_slot_state state)
{
	uint32_t first = below(w, MOST_JOBS);

	for (uint32_t i = 0; i < MOST_JOBS; i++) {
		uint64_t ticket = w->tickets[(first + i) % MOST_JOBS];

		if (state_of(w, ticket) == state)
			return ticket;
	}
	return w->tickets[first];
}

/* Room for one ticket more, where no job of it lives; NULL if there is none. */
static uint64_t *room(struct world *w)
{
	for (uint32_t i = 0; i < MOST_JOBS; i++)
		if (state_of(w, w->tickets[i]) == LIBRA_SLOT_FREE)
			return &w->tickets[i];
	return NULL;
}

static double duration(struct world *w)
{
	static const double units[] = {1, 1, 1, 2, 4, 10, 0.25, 1.0 / 3};
	uint32_t unit = below(w, 8);

	return (1 + below(w, 16)) * units[unit];
}

static const struct libra_where *choose_where(struct world *w, uint32_t nprocs)
{
	bool may = w->conf.policy->mode != LIBRA_SPACE || is_by_node(w);

	if (!may || below(w, 3))
		return NULL;
	w->where = (struct libra_where){0};
	if (below(w, 2)) {
		w->allowed.first = below(w, w->nprocs);
		w->allowed.count = 1 + below(w, w->nprocs - w->allowed.first);
		w->where.allowed = &w->allowed;
		w->where.nallowed = 1;
	}
	if (below(w, 2) && nprocs % 2 == 0)
		w->where.chunk = 2;
	w->where.node_max = below(w, 3) ? 0 : 1 + below(w, 4);
	w->where.min_nodes = below(w, 3);
	w->where.max_nodes = below(w, 3) ? 0 : w->where.min_nodes + below(w, 2);
	w->per_chunk = below(w, 3);
	if (w->conf.nresources > 0)
		w->where.per_chunk = &w->per_chunk;
	return &w->where;
}

static struct libra_job draw_job(struct world *w)
{
	static const double factors[] = {1, 1.5, 2, 3, 6, 20, 0.5, 100};
	struct libra_job job = {.id = ++w->next_id, .submit_s = w->now_s};
	uint32_t kind = below(w, 16);

	job.nprocs = 1 + below(w, kind == 0 ? w->nprocs + 1 : w->nprocs);
	job.estimate_s = duration(w);
	job.deadline_s =
		kind < 4 ? INFINITY
			 : w->now_s + job.estimate_s * factors[below(w, 8)];
	job.user = below(w, 3);
	job.where = choose_where(w, job.nprocs);
	return job;
}

/* ---- offers ---- */

static bool accepts(struct world *w, const struct libra_job *job,
		    struct libra_verdict *v, uint64_t **at)
{
	*at = room(w);
	if (!*at)
		return true;
	FUZZ_CHECK(libra_engine_offer(w->e, job, w->now_s, v, NULL) == 0);
	if (v->answer == LIBRA_REJECT)
		return false;
	**at = v->ticket;
	return true;
}

static void offer(struct world *w)
{
	struct libra_job job = draw_job(w);
	struct libra_verdict v;
	uint64_t *at;

	if (accepts(w, &job, &v, &at) && at && below(w, 4)) {
		check_engine(w->e, &w->books, false);
		FUZZ_CHECK(libra_engine_commit(w->e, v.ticket, job.id,
					       w->now_s) == 0);
	}
}

static void plan_ordinary(struct world *w)
{
	struct libra_job job = draw_job(w);
	struct libra_verdict v;
	uint64_t *at = room(w);
	int rc;

	if (!at)
		return;
	job.deadline_s = INFINITY;
	rc = libra_engine_plan_ordinary(w->e, &job, w->now_s, &v, NULL);
	FUZZ_CHECK((rc == 0) == w->conf.policy->plans);
	if (rc == 0 && v.answer != LIBRA_REJECT)
		*at = v.ticket;
}

/* The rule of the paper puts a job where it is late if others are, as much. */
static bool may_be_equally_late(const struct world *w)
{
	int i = libra_param_find(w->conf.policy->params,
				 w->conf.policy->nparams, "equal_delays", NULL);

	return i >= 0 && w->params[i] != 0;
}

/* The deadline that is named is accepted, and no bet. */
static void ask_earliest(struct world *w)
{
	struct libra_job job = draw_job(w);
	double deadline_s =
		libra_engine_earliest_deadline(w->e, &job, w->now_s);
	struct libra_verdict v;
	uint64_t *at;

	job.deadline_s = deadline_s;
	check_engine(w->e, &w->books, false);
	if (!isfinite(deadline_s) || !room(w))
		return;
	FUZZ_CHECK(accepts(w, &job, &v, &at));
	FUZZ_CHECK(v.late_s == 0 || may_be_equally_late(w));
}

/* The advice is accepted, too. */
static void ask_advice(struct world *w)
{
	struct libra_job job = draw_job(w);
	uint32_t njobs = 1 + below(w, 3);
	double earliest_s =
		libra_engine_earliest_together(w->e, &job, njobs, w->now_s);
	double rel_s = libra_engine_advise(w->e, &job, njobs, earliest_s,
					   1 + below(w, 4), w->now_s);

	if (!isfinite(rel_s))
		return;
	FUZZ_CHECK(!isfinite(earliest_s) || w->now_s + rel_s >= earliest_s);
	job.deadline_s = w->now_s + rel_s;
	FUZZ_CHECK(libra_engine_would_accept(w->e, &job, njobs, w->now_s));
}

/* So many are accepted one after the other, or they are not. */
static void ask_several(struct world *w)
{
	struct libra_job job = draw_job(w);
	uint32_t njobs = 1 + below(w, 3), n = 0;
	bool would = libra_engine_would_accept(w->e, &job, njobs, w->now_s);
	struct libra_verdict v;
	uint64_t *at = NULL, tickets[3];

	/* While a repair goes on nothing is promised. */
	if (w->conf.policy->plans && libra_planned_state(w->e)->nunplaced > 0)
		return;
	check_engine(w->e, &w->books, false);
	while (n < njobs && room(w) && accepts(w, &job, &v, &at))
		tickets[n++] = v.ticket;
	if (room(w) && job.deadline_s < INFINITY)
		FUZZ_CHECK(would == (n == njobs));
	while (n-- > 0 && below(w, 4))
		libra_engine_withdraw(w->e, tickets[n], w->now_s);
}

/* ---- jobs on processors ---- */

static bool is_choice(const struct world *w,
		      const struct libra_start_query *gone, uint32_t proc)
{
	const struct libra_procs *procs = &libra_space_state(w->e)->procs;

	if (w->conf.policy->mode != LIBRA_SPACE ||
	    libra_bits_has(procs->free, proc))
		return true;
	for (uint32_t i = 0; i < gone->ngone; i++)
		if (libra_procs_count(procs, libra_ticket_slot(gone->gone[i]),
				      (struct libra_range){proc, 1}) > 0)
			return true;
	return false;
}

/* Processors for a job from one on: those that nobody has, or that jobs have
 * which would be gone, on open nodes; where processors are shared any.
 * Result: false if they are too few, or in too many parts.
 */
static bool choose_from(const struct world *w, uint32_t first,
			const struct libra_start_query *gone, uint32_t nprocs,
			struct libra_part *parts, uint32_t *nparts)
{
	bool in_part = false;
	uint32_t n = 0;

	for (uint32_t p = first; p < w->nprocs && nprocs > 0; p++) {
		bool good = is_choice(w, gone, p);

		if (good && !in_part && n == MOST_PARTS)
			return false;
		if (good && !in_part)
			parts[n++] = (struct libra_part){.procs = {p, 0}};
		if (good)
			parts[n - 1].procs.count++;
		nprocs -= good;
		in_part = good;
	}
	*nparts = n;
	return nprocs == 0;
}

static bool choose_parts(struct world *w, const struct libra_start_query *gone,
			 uint32_t nprocs, struct libra_part *parts,
			 uint32_t *nparts)
{
	return choose_from(w, below(w, 4), gone, nprocs, parts, nparts) ||
	       choose_from(w, 0, gone, nprocs, parts, nparts);
}

static bool is_kept(const struct world *w)
{
	return w->place.nparts > 0 &&
	       !isnan(libra_engine_place_until(w->e, w->place.job.id));
}

/* As after a restart: a job that runs, or starts, wherever it is.  Places are
 * kept when all jobs are restored.
 */
static void restore(struct world *w)
{
	static const uint64_t none[LIBRA_RESOURCES];
	struct libra_job job = draw_job(w);
	struct libra_part parts[MOST_PARTS];
	uint32_t nparts, left = below(w, 16);
	bool running = below(w, 3);
	uint64_t *at = room(w);

	job.where = NULL;
	if (w->conf.policy->needs_deadline && job.deadline_s == INFINITY)
		job.deadline_s = w->now_s + job.estimate_s;
	if (!at || job.nprocs > w->nprocs || is_kept(w) ||
	    !choose_parts(w, &(struct libra_start_query){0}, job.nprocs, parts,
			  &nparts))
		return;
	for (uint32_t i = 0; i < nparts; i++) {
		parts[i].est_left_s = left < 4 ? -(double)left : left;
		parts[i].resources = none;
	}
	FUZZ_CHECK(libra_engine_restore(w->e, &job, parts, nparts, running,
					w->now_s, at, NULL) == 0);
	w->restored = true;
}

static void restore_waiting(struct world *w)
{
	struct libra_job job = draw_job(w);
	static const double never[] = {NAN, INFINITY};
	double start_s =
		below(w, 4) ? w->now_s + below(w, 32) - 4 : never[below(w, 2)];
	uint64_t *at = room(w), ticket = 0;
	int rc;

	if (!at || job.nprocs > w->nprocs)
		return;
	rc = libra_engine_restore_waiting(w->e, &job, start_s, w->now_s,
					  &ticket, NULL);
	FUZZ_CHECK((rc == 0) == w->conf.policy->plans);
	if (rc == 0)
		*at = ticket;
}

/* Promises that are broken, and could be kept yet if there were room. */
static uint32_t nlate(const struct world *w)
{
	const struct libra_planned_state *s = libra_planned_state(w->e);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++)
		n += s->waiting[i].late &&
		     s->waiting[i].promised_s >= w->e->now_s;
	return n;
}

static void settle(struct world *w)
{
	libra_engine_schedule(w->e, w->now_s);
	check_engine(w->e, &w->books, false);
	check_plans(w->e, true);
}

/* A host starts an ordinary job where it may: no promise is broken by it. */
static void start_ordinary(struct world *w)
{
	struct libra_job job = draw_job(w);
	struct libra_start_query opening = {0};
	struct libra_part parts[MOST_PARTS];
	uint64_t *at;
	uint32_t late;
	bool named = below(w, 2);

	job.deadline_s = INFINITY;
	job.where = NULL;
	if (!w->conf.policy->plans || job.nprocs > w->nprocs)
		return;
	settle(w);
	at = room(w);
	if (!choose_parts(w, &opening, job.nprocs, parts, &opening.nparts)) {
		FUZZ_CHECK(libra_engine_free_procs(w->e) >= job.nprocs ||
			   !libra_engine_may_start(
				   w->e, &job, &(struct libra_start_query){0},
				   w->now_s));
		return;
	}
	opening.parts = parts;
	if (!is_by_node(w) && !named)
		opening.nparts = 0;
	if (!at || !libra_engine_may_start(w->e, &job, &opening, w->now_s))
		return;
	late = nlate(w);
	for (uint32_t i = 0; i < MOST_PARTS; i++)
		parts[i].est_left_s = job.estimate_s;
	if (opening.nparts == 0)
		choose_parts(w, &opening, job.nprocs, parts, &opening.nparts);
	for (uint32_t i = 0; i < opening.nparts; i++)
		parts[i].est_left_s = job.estimate_s;
	FUZZ_CHECK(libra_engine_restore(w->e, &job, parts, opening.nparts, true,
					w->now_s, at, NULL) == 0);
	check_engine(w->e, &w->books, true);
	settle(w);
	FUZZ_CHECK(nlate(w) <= late);
}

/* ---- places ---- */

/* Others are stopped for a job, or would be. */
static void preempt(struct world *w)
{
	struct libra_job job = draw_job(w);
	struct place *place = &w->place;
	struct libra_start_query opening = {.parts = place->parts,
					    .gone = place->gone,
					    .delay_s = 1 + below(w, 8),
					    .stops = below(w, 4) > 0};
	bool restores = below(w, 4) == 0;

	job.deadline_s = INFINITY;
	job.where = NULL;
	if (!w->conf.policy->plans || job.nprocs > w->nprocs || is_kept(w))
		return;
	for (int i = 0; i < 2; i++) {
		uint64_t ticket = ticket_in(w, LIBRA_SLOT_RUNNING);

		if (state_of(w, ticket) == LIBRA_SLOT_RUNNING &&
		    (i == 0 || ticket != place->gone[0]))
			place->gone[opening.ngone++] = ticket;
	}
	place->ngone = opening.ngone;
	place->nparts = 0;
	if (opening.ngone == 0 || !choose_parts(w, &opening, job.nprocs,
						place->parts, &opening.nparts))
		return;
	place->job = job;
	if (restores)
		libra_engine_restore_place(w->e, &job, &opening, w->now_s,
					   NULL);
	else
		libra_engine_may_start(w->e, &job, &opening, w->now_s);
	place->nparts = opening.nparts;
}

/* Who was stopped is gone, and the job starts in its place, which is free. */
static void take_place(struct world *w)
{
	struct place *place = &w->place;
	uint64_t *at;

	if (!is_kept(w) || !room(w))
		return;
	if (below(w, 4) == 0) {
		libra_engine_forgo(w->e, place->job.id, w->now_s);
		FUZZ_CHECK(!is_kept(w));
		return;
	}
	for (uint32_t i = 0; i < place->ngone; i++)
		libra_engine_departed(w->e, place->gone[i], w->now_s);
	settle(w);
	if (!is_kept(w))
		return;
	at = room(w);
	for (uint32_t i = 0; i < place->nparts; i++)
		place->parts[i].est_left_s = place->job.estimate_s;
	if (libra_engine_restore(w->e, &place->job, place->parts, place->nparts,
				 true, w->now_s, at, NULL) == 0)
		w->restored = true;
	else
		FUZZ_CHECK(errno == EBUSY);
}

/* ---- in the life of a job ---- */

static void change(struct world *w)
{
	uint64_t ticket = ticket_in(w, below(w, 2) ? LIBRA_SLOT_RUNNING
						   : LIBRA_SLOT_QUEUED);
	struct libra_job changed = draw_job(w);
	struct libra_verdict v;

	libra_engine_modify(w->e, ticket, &changed, w->now_s, &v, NULL);
}

static void start_any(struct world *w)
{
	libra_engine_started(w->e, ticket_in(w, LIBRA_SLOT_STARTING), w->now_s);
}

static void end_any(struct world *w)
{
	libra_engine_departed(w->e, ticket_in(w, LIBRA_SLOT_RUNNING), w->now_s);
}

static void end_part(struct world *w)
{
	uint64_t ticket = ticket_in(w, LIBRA_SLOT_RUNNING);

	libra_engine_part_departed(
		w->e, ticket, libra_engine_row_of(w->e, below(w, w->nprocs)),
		w->now_s);
}

static void withdraw_any(struct world *w)
{
	libra_engine_withdraw(w->e, any_ticket(w), w->now_s);
}

static void commit_any(struct world *w)
{
	libra_engine_commit(w->e, ticket_in(w, LIBRA_SLOT_OFFERED), w->next_id,
			    w->now_s);
}

static void reestimate_any(struct world *w)
{
	libra_engine_reestimate(w->e, ticket_in(w, LIBRA_SLOT_RUNNING),
				duration(w), w->now_s);
}

static void progress_any(struct world *w)
{
	libra_engine_progress(w->e, ticket_in(w, LIBRA_SLOT_RUNNING),
			      below(w, 20), w->now_s);
}

static void suspend_any(struct world *w)
{
	libra_engine_suspend(w->e, ticket_in(w, LIBRA_SLOT_RUNNING),
			     below(w, 2), w->now_s);
}

/* ---- time and nodes ---- */

static void act(struct world *w)
{
	struct libra_action action;
	uint32_t n = 0, started = below(w, 4);

	/* It may be an action that nobody reads for now. */
	while (libra_engine_next_action(w->e, &action)) {
		FUZZ_CHECK(++n < 10000);
		if (action.kind == LIBRA_ACTION_START && started > 0)
			libra_engine_started(w->e, action.ticket, w->now_s);
	}
}

/* Some time, or until the engine wants to be asked, or backwards. */
static void pass(struct world *w)
{
	uint32_t how = below(w, 16);
	double next_s = libra_engine_next_event_s(w->e);

	if (how < 3 && isfinite(next_s) && next_s - w->now_s < 1e4)
		w->now_s = fmax(next_s, w->now_s);
	else if (how == 3)
		w->now_s -= below(w, 4);
	else
		w->now_s += duration(w) / (how < 8 ? 4 : 1);
	libra_engine_schedule(w->e, w->now_s);
	w->settled = true;
}

static void compress(struct world *w)
{
	libra_engine_compress(w->e, w->now_s, 1 + below(w, 200));
}

/* Time that nobody says. */
static void wait_for(struct world *w)
{
	w->now_s += duration(w);
}

static void set_clock(struct world *w)
{
	double was_s = w->now_s;

	w->now_s += below(w, 2) ? -duration(w) : duration(w);
	libra_engine_clock(w->e, was_s, w->now_s);
}

static void set_node(struct world *w)
{
	static const enum libra_node_state states[] = {
		LIBRA_NODE_UP, LIBRA_NODE_UP, LIBRA_NODE_DRAIN,
		LIBRA_NODE_DOWN};
	uint32_t node = below(w, w->conf.nnodes);

	FUZZ_CHECK(libra_engine_node(w->e, node, states[below(w, 4)],
				     w->now_s) == 0);
}

/* Those of one node are apart from each other. */
static void set_outages(struct world *w)
{
	struct libra_outage list[MOST_OUT];
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		double at_s = w->now_s + below(w, 24) - 8;

		for (uint32_t k = below(w, 3); k > 0 && n < MOST_OUT; k--) {
			list[n].node = i;
			list[n].from_s = at_s;
			list[n].to_s = at_s + duration(w);
			if (below(w, 16) == 0)
				list[n].to_s = INFINITY;
			at_s = list[n++].to_s + 1;
			if (at_s == INFINITY)
				break;
		}
	}
	libra_engine_outages(w->e, list, n, w->now_s, NULL);
}

/* What else a host reads. */
static void read_all(struct world *w)
{
	uint64_t ticket = any_ticket(w);
	double left_s[CHECK_SLOTS], values[8];
	size_t n = libra_engine_learned(w->e, values, 8);

	FUZZ_CHECK(w->e->nslots <= CHECK_SLOTS);
	libra_engine_all_left(w->e, w->now_s, left_s);
	libra_engine_left_s(w->e, ticket, w->now_s, NULL);
	libra_engine_beside(w->e, ticket);
	libra_engine_ends_by(w->e, ticket);
	libra_engine_starts_by(w->e, ticket);
	libra_engine_planned_start(w->e, ticket);
	libra_engine_latest_start(w->e, ticket);
	if (n <= 8)
		FUZZ_CHECK(libra_engine_relearn(w->e, values, n, NULL) == 0);
}

/* ---- calls ---- */

/* How often each is drawn. */
struct call {
	const char *name;
	void (*run)(struct world *w);
	uint32_t weight;
};

#define CALL(run, weight)                                                      \
	{                                                                      \
#run, run, weight                                              \
	}

static const struct call calls[] = {
	CALL(offer, 6),
	CALL(pass, 4),
	CALL(act, 3),
	CALL(end_any, 2),
	CALL(start_any, 2),
	CALL(withdraw_any, 1),
	CALL(commit_any, 2),
	CALL(ask_several, 1),
	CALL(ask_advice, 1),
	CALL(ask_earliest, 1),
	CALL(change, 2),
	CALL(restore, 1),
	CALL(set_node, 2),
	CALL(set_outages, 2),
	CALL(set_clock, 1),
	CALL(wait_for, 1),
	CALL(restore_waiting, 1),
	CALL(end_part, 1),
	CALL(reestimate_any, 1),
	CALL(suspend_any, 1),
	CALL(preempt, 1),
	CALL(take_place, 1),
	CALL(read_all, 1),
	CALL(start_ordinary, 1),
	CALL(progress_any, 1),
	CALL(plan_ordinary, 1),
	CALL(compress, 2),
};

static const struct call *choose_call(struct world *w)
{
	const struct call *call = calls;
	uint32_t all = 0, n;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		all += calls[i].weight;
	n = below(w, all);
	for (; n >= call->weight; call++)
		n -= call->weight;
	return call;
}

static void check(struct world *w)
{
	check_engine(w->e, &w->books, w->restored);
	if (w->conf.policy->plans)
		check_plans(w->e, w->settled);
	else if (w->conf.policy->mode == LIBRA_GANG)
		check_gang(w->e);
	else
		check_ledger(w->e);
	w->restored = w->settled = false;
}

void fuzz_engine(const uint8_t *data, size_t size)
{
	struct world w = {.data = data, .left = size};
	bool trace = getenv("LIBRA_FUZZ_TRACE");

	open_world(&w);
	while (w.left > 0) {
		const struct call *call = choose_call(&w);

		if (trace)
			fprintf(stderr, "%.17g %s\n", w.now_s, call->name);
		call->run(&w);
		check(&w);
	}
	libra_engine_destroy(w.e);
}
