/* SPDX-License-Identifier: GPL-2.0-or-later */
/* holds.c - see holds.h. */
#include "core/space/holds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/space/outages.h"

struct libra_hold {
	uint64_t job_id;
	double by_s; /* the job starts by then, or the hold expires */
	double to_s;
	uint32_t spans, ngone;
	uint64_t *gone;	 /* tickets */
	uint32_t *slots; /* scratch, ngone elements */
	uint32_t *held;	 /* scratch, ngone elements */
	bool restored;	 /* and not tested since */
};

/* ---- add and drop ---- */

static void fini(struct libra_planned_state *s, struct libra_hold *k)
{
	libra_spans_free(s->nodes, &k->spans);
	free(k->gone);
	free(k->slots);
	free(k->held);
}

static void drop(struct libra_planned_state *s, uint32_t i)
{
	fini(s, &s->holds[i]);
	memmove(&s->holds[i], &s->holds[i + 1],
		(--s->nholds - i) * sizeof(*s->holds));
	s->must_repair = true;
	s->capacity_grew = true;
}

void libra_hold_drop(struct libra_planned_state *s, uint64_t job_id)
{
	for (uint32_t i = s->nholds; i-- > 0;)
		if (s->holds[i].job_id == job_id)
			drop(s, i);
}

void libra_hold_drop_all(struct libra_planned_state *s)
{
	while (s->nholds > 0)
		drop(s, s->nholds - 1);
	free(s->holds);
	s->holds = NULL;
}

bool libra_hold_settle(struct libra_planned_state *s, bool go)
{
	bool any = false;

	for (uint32_t i = s->nholds; i-- > 0;) {
		bool goes = s->holds[i].restored && go;

		s->holds[i].restored = false;
		any |= goes;
		if (goes)
			drop(s, i);
	}
	return any;
}

/* Return true if an open node has an outage before until_s.  On a closed node
 * an outage that has begun does not count, as its end is when the node is
 * expected back.
 */
static bool is_out(const struct libra_engine *e, uint32_t node, double until_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	bool closed = e->nodes[node].state != LIBRA_NODE_UP;

	for (uint32_t i = 0; i < s->noutages; i++) {
		const struct libra_outage *out = &s->outages[i];

		if (out->node == node && out->from_s < until_s &&
		    out->to_s > e->now_s &&
		    !(closed && out->from_s <= e->now_s))
			return true;
	}
	return false;
}

static bool any_is_out(const struct libra_engine *e, const struct libra_hold *k)
{
	const struct libra_span *spans = libra_planned_state(e)->nodes->spans;

	for (uint32_t span = k->spans; span != LIBRA_NO_SPAN;
	     span = spans[span].next)
		if (is_out(e, spans[span].node, k->to_s))
			return true;
	return false;
}

void libra_hold_expire(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = s->nholds; i-- > 0;)
		if (s->holds[i].by_s <= e->now_s || any_is_out(e, &s->holds[i]))
			drop(s, i);
}

static bool goes_for(const struct libra_hold *k, uint64_t ticket)
{
	for (uint32_t i = 0; i < k->ngone; i++)
		if (k->gone[i] == ticket)
			return true;
	return false;
}

bool libra_hold_shares(const struct libra_planned_state *s, uint64_t job_id,
		       const struct libra_start_query *query)
{
	for (uint32_t i = 0; i < s->nholds; i++)
		for (uint32_t j = 0; j < query->ngone; j++)
			if (s->holds[i].job_id != job_id &&
			    goes_for(&s->holds[i], query->gone[j]))
				return true;
	return false;
}

double libra_hold_until_s(const struct libra_planned_state *s, uint64_t job_id)
{
	for (uint32_t i = 0; i < s->nholds; i++)
		if (s->holds[i].job_id == job_id)
			return s->holds[i].by_s;
	return NAN;
}

bool libra_hold_has(const struct libra_planned_state *s, uint64_t job_id)
{
	return !isnan(libra_hold_until_s(s, job_id));
}

static bool init(struct libra_hold *k, const struct libra_start_query *query)
{
	size_t n = query->ngone;

	k->gone = malloc((n + 1) * sizeof(*k->gone));
	k->slots = malloc((n + 1) * sizeof(*k->slots));
	k->held = malloc((n + 1) * sizeof(*k->held));
	if (!k->gone || !k->slots || !k->held)
		return false;
	memcpy(k->gone, query->gone, n * sizeof(*k->gone));
	k->ngone = query->ngone;
	return true;
}

int libra_hold_add(struct libra_engine *e, const struct libra_job *job,
		   const struct libra_start_query *query, bool restored)
{
	struct libra_planned_state *s = libra_planned_state(e);
	struct libra_hold k = {.job_id = job->id,
			       .by_s = e->now_s + query->delay_s,
			       .spans = LIBRA_NO_SPAN,
			       .restored = restored};
	struct libra_hold *more;

	libra_hold_drop(s, job->id);
	more = realloc(s->holds, (s->nholds + 1) * sizeof(*more));
	if (more)
		s->holds = more;
	if (!more || !init(&k, query)) {
		fini(s, &k);
		errno = ENOMEM;
		return -1;
	}
	k.to_s = k.by_s + job->estimate_s + s->rules.margin_s;
	k.spans = libra_nodes_spans(e, e->nslots, query->parts, query->nparts);
	s->holds[s->nholds++] = k;
	s->must_repair = true;
	return 0;
}

/* ---- instants ---- */

double libra_hold_next_s(const struct libra_planned_state *s)
{
	double next_s = INFINITY;

	for (uint32_t i = 0; i < s->nholds; i++)
		next_s = fmin(next_s, s->holds[i].by_s);
	return next_s;
}

double libra_hold_end_s(const struct libra_planned_state *s, double after_s)
{
	double end_s = INFINITY;

	for (uint32_t i = 0; i < s->nholds; i++)
		if (s->holds[i].to_s > after_s)
			end_s = fmin(end_s, s->holds[i].to_s);
	return end_s;
}

/* ---- reserve ---- */

/* Write the slots of the victims that still run to k->slots, by expected ends.
 */
static uint32_t find_there(const struct libra_engine *e, struct libra_hold *k,
			   const struct libra_start_query *gone)
{
	const struct libra_runlist *running = &libra_space_state(e)->running;
	uint32_t n = 0;

	for (uint32_t i = 0; i < running->n && n < k->ngone; i++) {
		uint32_t slot = running->jobs[i].slot;

		if (goes_for(k, e->slots[slot].ticket) &&
		    !libra_is_victim(e, slot, gone))
			k->slots[n++] = slot;
	}
	return n;
}

/* Called for a stretch of time in which n victims, those in slots, still run.
 */
typedef void piece_fn(struct libra_engine *e, const struct libra_hold *k,
		      const uint32_t *slots, uint32_t n, double from_s,
		      double to_s, void *arg);

static void each_piece(struct libra_engine *e,
		       const struct libra_start_query *gone, piece_fn *lay,
		       void *arg)
{
	struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nholds; i++) {
		struct libra_hold *k = &s->holds[i];
		uint32_t n;
		double from_s = e->now_s;

		if (s->asking && k->job_id == *s->asking)
			continue;
		n = find_there(e, k, gone);
		for (uint32_t j = 0; j <= n; j++) {
			double to_s = j < n ? fmin(e->slots[k->slots[j]].end_s,
						   k->to_s)
					    : k->to_s;

			if (to_s > from_s)
				lay(e, k, &k->slots[j], n - j, from_s, to_s,
				    arg);
			from_s = fmax(from_s, to_s);
		}
	}
}

static uint32_t beyond(struct libra_engine *e, const struct libra_hold *k,
		       const uint32_t *slots, uint32_t n)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	for (uint32_t i = 0; i < n; i++)
		k->held[i] = r->held[slots[i]];
	return libra_spans_beyond(e, k->spans, k->held, n);
}

/* On a closed node, reserve only from the instant at which it is expected
 * back.
 */
static void lay_procs(struct libra_engine *e, const struct libra_hold *k,
		      const uint32_t *slots, uint32_t n, double from_s,
		      double to_s, void *profile)
{
	struct libra_nodes *r = libra_planned_state(e)->nodes;
	uint32_t spans = beyond(e, k, slots, n);
	int64_t procs = 0;

	for (uint32_t i = spans; i != LIBRA_NO_SPAN; i = r->spans[i].next) {
		int64_t more = libra_span_amounts(r, i)[0];
		double back_s = libra_node_back_s(e, r->spans[i].node);

		if (back_s <= from_s)
			procs += more;
		else if (more > 0)
			libra_timeline_add(profile, back_s, to_s, -more);
	}
	libra_spans_free(r, &spans);
	if (procs > 0)
		libra_timeline_add(profile, from_s, to_s, -procs);
}

static void lay_line(struct libra_engine *e, const struct libra_hold *k,
		     const uint32_t *slots, uint32_t n, double from_s,
		     double to_s, void *lanes)
{
	uint32_t spans = beyond(e, k, slots, n);

	libra_lanes_add_open(e, lanes, spans, from_s, to_s, 1);
	libra_spans_free(libra_planned_state(e)->nodes, &spans);
}

void libra_hold_reserve_procs(struct libra_engine *e, struct libra_timeline *p,
			      const struct libra_start_query *gone)
{
	each_piece(e, gone, lay_procs, p);
}

void libra_hold_reserve_lanes(struct libra_engine *e, struct libra_lanes *lanes,
			      const struct libra_start_query *gone)
{
	each_piece(e, gone, lay_line, lanes);
}

/* ---- memory ---- */

uint32_t libra_hold_steps(const struct libra_planned_state *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nholds; i++)
		n += 2 * (s->holds[i].ngone + 1);
	return n;
}

uint64_t libra_hold_spans(const struct libra_planned_state *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nholds; i++)
		n += libra_spans_count(s->nodes, s->holds[i].spans) *
		     (s->holds[i].ngone + 2);
	return n;
}
