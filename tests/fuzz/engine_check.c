/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_check.c - see engine_check.h. */
#include <math.h>
#include <string.h>

#include "core/gang/ops.h"
#include "core/space/schedule.h"
#include "core/space/outages.h"
#include "core/space/nodes.h"
#include "core/share/state.h"
#include "core/space/pool.h"
#include "tests/fuzz/engine_check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/gang_check.h"

#define NOBODY UINT32_MAX

static bool is_on_processors(const struct libra_slot *entry)
{
	return entry->state == LIBRA_SLOT_STARTING ||
	       entry->state == LIBRA_SLOT_RUNNING;
}

static uint32_t node_of(const struct libra_engine *e, uint32_t proc)
{
	uint32_t node = 0;

	while (proc >= e->nodes[node].first + e->nodes[node].count)
		node++;
	return node;
}

static bool is_closed(const struct libra_engine *e, uint32_t proc)
{
	return e->nodes[node_of(e, proc)].state != LIBRA_NODE_UP;
}

/* ---- every policy ---- */

/* The processors of a job are in order and as many as it has. */
static void check_placement(const struct libra_engine *e, uint32_t slot,
			    bool fresh, uint32_t *owner)
{
	const struct libra_slot *entry = &e->slots[slot];
	bool alone = e->policy->mode == LIBRA_SPACE;
	struct libra_range at[CHECK_PROCS];
	int64_t n = libra_engine_placement(e, entry->ticket, at, CHECK_PROCS);
	uint32_t count = 0, end = 0;

	FUZZ_CHECK(n >= 0 && n <= CHECK_PROCS);
	for (int64_t i = 0; i < n; i++) {
		FUZZ_CHECK(at[i].count > 0);
		FUZZ_CHECK(i == 0 || at[i].first >= end);
		end = at[i].first + at[i].count;
		FUZZ_CHECK(end <= e->nprocs);
		count += at[i].count;
		for (uint32_t p = at[i].first; p < end; p++) {
			FUZZ_CHECK(!fresh || !is_closed(e, p));
			FUZZ_CHECK(!alone || owner[p] == NOBODY);
			owner[p] = slot;
		}
	}
	if (n > 0)
		FUZZ_CHECK(count == entry->nprocs_held);
	if (alone)
		FUZZ_CHECK((n > 0) == is_on_processors(entry));
}

/* Free are those that nobody has, on nodes that are open. */
static void check_free(const struct libra_engine *e, const uint32_t *owner)
{
	const struct libra_space_state *s = libra_space_state(e);
	uint32_t nfree = 0, nclosed = 0, nrunning = 0;

	for (uint32_t p = 0; p < e->nprocs; p++) {
		bool mine = owner[p] == NOBODY;

		FUZZ_CHECK(libra_bits_has(s->procs.free, p) ==
			   (mine && !is_closed(e, p)));
		FUZZ_CHECK(libra_bits_has(s->procs.closed, p) ==
			   (mine && is_closed(e, p)));
		FUZZ_CHECK(!libra_bits_has(s->procs.free, p) ||
			   p >= s->procs.lowest);
		nfree += mine && !is_closed(e, p);
	}
	FUZZ_CHECK(s->free == nfree);
	FUZZ_CHECK(libra_engine_free_procs(e) == nfree);
	for (uint32_t i = 0; i < e->nnodes; i++)
		nclosed += e->nodes[i].state != LIBRA_NODE_UP;
	FUZZ_CHECK(s->nclosed == nclosed);
	for (uint32_t i = 0; i < s->running.n; i++) {
		const struct libra_running *r = &s->running.jobs[i];

		FUZZ_CHECK(is_on_processors(&e->slots[r->slot]));
		FUZZ_CHECK(r->end_s == e->slots[r->slot].end_s);
		FUZZ_CHECK(r->nprocs == e->slots[r->slot].job.nprocs);
		FUZZ_CHECK(i == 0 || s->running.jobs[i - 1].end_s <= r->end_s);
	}
	for (uint32_t i = 0; i < e->nslots; i++)
		nrunning += is_on_processors(&e->slots[i]);
	FUZZ_CHECK(s->running.n == nrunning);
}

void check_engine(const struct libra_engine *e, struct engine_books *books,
		  bool restored)
{
	uint32_t owner[CHECK_PROCS], live = 0, offers = 0;

	FUZZ_CHECK(e->nprocs <= CHECK_PROCS && e->nslots <= CHECK_SLOTS);
	for (uint32_t p = 0; p < e->nprocs; p++)
		owner[p] = NOBODY;
	for (uint32_t i = e->first_offer; i != LIBRA_NO_SLOT;
	     i = e->slots[i].next, offers++)
		FUZZ_CHECK(e->slots[i].state == LIBRA_SLOT_OFFERED);
	for (uint32_t i = 0; i < e->nslots; i++) {
		const struct libra_slot *entry = &e->slots[i];
		bool fresh;

		FUZZ_CHECK((entry->ticket != 0) ==
			   (entry->state != LIBRA_SLOT_FREE));
		offers -= entry->state == LIBRA_SLOT_OFFERED;
		live += entry->ticket != 0;
		if (entry->ticket == 0) {
			books->placed[i] = 0;
			continue;
		}
		fresh = !restored && books->placed[i] != entry->ticket;
		check_placement(e, i, fresh, owner);
		books->placed[i] =
			libra_engine_placement(e, entry->ticket, NULL, 0) > 0
				? entry->ticket
				: 0;
	}
	FUZZ_CHECK(e->live == live && offers == 0);
	FUZZ_CHECK(e->pending.n <= e->pending.cap);
	if (e->policy->mode == LIBRA_SPACE)
		check_free(e, owner);
}

/* ---- plans ---- */

static void check_order(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	uint32_t firm = 0, late = 0, untold = 0, pending = 0;

	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_reservation *plan = &s->waiting[i];
		const struct libra_slot *entry = &e->slots[plan->slot];

		FUZZ_CHECK(entry->state == LIBRA_SLOT_OFFERED ||
			   entry->state == LIBRA_SLOT_QUEUED);
		FUZZ_CHECK(plan->order == entry->order);
		FUZZ_CHECK(plan->nprocs == entry->job.nprocs);
		FUZZ_CHECK(i == 0 ||
			   s->waiting[i - 1].latest_s <= plan->latest_s);
		firm += plan->firm;
		late += plan->late;
		untold += plan->unreported;
		pending += plan->unplaced;
	}
	FUZZ_CHECK(s->nfirm == firm && s->nlate == late);
	FUZZ_CHECK(s->nunreported == untold && s->nunplaced == pending);
}

/* Each span is free, or of one job or place. */
static void check_spans(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_nodes *r = s->nodes;
	uint64_t n = 0;

	for (uint32_t i = r->free_span; i != LIBRA_NO_SPAN;
	     i = r->spans[i].next)
		n++;
	for (uint32_t i = 0; i < e->nslots; i++) {
		const struct libra_slot *entry = &e->slots[i];

		n += libra_spans_count(r, r->held[i]);
		if (entry->ticket && is_on_processors(entry))
			FUZZ_CHECK(libra_spans_procs(r, r->held[i]) ==
				   entry->job.nprocs);
		else
			FUZZ_CHECK(r->held[i] == LIBRA_NO_SPAN);
	}
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		FUZZ_CHECK(!r->by_count ||
			   s->waiting[i].spans == LIBRA_NO_SPAN);
		n += libra_spans_count(r, s->waiting[i].spans);
	}
	for (uint32_t i = 0; i < r->ntried; i++)
		n += libra_spans_count(r, r->tried[i]);
	FUZZ_CHECK(s->nholds > 0 ? n <= r->nspans : n == r->nspans);
	FUZZ_CHECK(!r->now.is_full && !r->trial.is_full);
}

static int64_t profile_at(const struct libra_timeline *p, double at_s)
{
	uint32_t i = 0;

	while (i + 1 < p->n && p->steps[i + 1].from_s <= at_s)
		i++;
	return p->steps[i].free;
}

/* When a closed node is expected back. */
static double back_s(const struct libra_engine *e, uint32_t node)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->noutages; i++)
		if (s->outages[i].node == node &&
		    s->outages[i].from_s <= e->now_s &&
		    s->outages[i].to_s > e->now_s)
			return s->outages[i].to_s;
	return INFINITY;
}

static bool is_out(const struct libra_engine *e, uint32_t node, double at_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->noutages; i++)
		if (s->outages[i].node == node &&
		    s->outages[i].from_s <= at_s && at_s < s->outages[i].to_s)
			return true;
	return false;
}

/* Processors of a node that may be used at an instant, less those of jobs that
 * run; by count an outage takes all of them, whatever runs there.
 */
static int64_t free_of_node(const struct libra_engine *e, uint32_t node,
			    double at_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_node *its = &e->nodes[node];
	int64_t n = its->count, taken = 0;

	if (its->state != LIBRA_NODE_UP && at_s < back_s(e, node))
		return 0;
	for (uint32_t i = 0; i < s->space.running.n; i++)
		if (at_s < s->space.running.jobs[i].end_s)
			taken += libra_procs_count(
				&s->space.procs, s->space.running.jobs[i].slot,
				(struct libra_range){its->first, its->count});
	if (!is_out(e, node, at_s))
		return n - taken;
	return libra_nodes_are_named(s) ? 0 : -taken;
}

/* What is free at an instant, counted from jobs, plans and outages. */
static int64_t free_at(const struct libra_engine *e, double at_s)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	int64_t n = 0;

	for (uint32_t i = 0; i < e->nnodes; i++)
		n += free_of_node(e, i, at_s);
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_reservation *plan = &s->waiting[i];

		if (plan->start_s <= at_s &&
		    at_s < plan->start_s + plan->duration_s)
			n -= plan->nprocs;
	}
	return n;
}

/* The profile as drawn, against what is counted, at each instant at which one
 * of them changes.
 */
static void check_profile(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_timeline *p = &s->space.timeline;
	const struct libra_runlist *running = &s->space.running;

	FUZZ_CHECK(p->n > 0 && p->n <= p->cap);
	FUZZ_CHECK(profile_at(p, e->now_s) == free_at(e, e->now_s));
	for (uint32_t i = 0; i < p->n; i++)
		if (p->steps[i].from_s >= e->now_s)
			FUZZ_CHECK(p->steps[i].free ==
				   free_at(e, p->steps[i].from_s));
	for (uint32_t i = 0; i < running->n; i++)
		if (running->jobs[i].end_s >= e->now_s)
			FUZZ_CHECK(profile_at(p, running->jobs[i].end_s) ==
				   free_at(e, running->jobs[i].end_s));
	for (uint32_t i = 0; i < s->nwaiting; i++)
		if (s->waiting[i].start_s >= e->now_s &&
		    s->waiting[i].start_s < INFINITY)
			FUZZ_CHECK(profile_at(p, s->waiting[i].start_s) ==
				   free_at(e, s->waiting[i].start_s));
}

static void same_free(const struct libra_engine *e, struct libra_lanes *a,
		      struct libra_lanes *b, uint32_t node, double at_s)
{
	uint32_t width = 1 + e->nresources;
	int64_t one[1 + LIBRA_RESOURCES], other[1 + LIBRA_RESOURCES];
	int64_t need[1 + LIBRA_RESOURCES];
	double since_s;

	for (uint32_t i = 0; i <= LIBRA_RESOURCES; i++)
		need[i] = INT64_MIN;
	libra_lanes_fits(a, node, at_s, at_s, need, width, one, &since_s);
	libra_lanes_fits(b, node, at_s, at_s, need, width, other, &since_s);
	FUZZ_CHECK(memcmp(one, other, width * sizeof(*one)) == 0);
}

/* The peaks do not exclude a node that has the processors of a step. */
static void check_peaks(const struct libra_engine *e, struct libra_lanes *line,
			uint32_t node, uint32_t step)
{
	size_t width = 1 + e->nresources;
	double from_s = line->from_s[step], until_s[LIBRA_PEAK_NODES];
	uint32_t first = node - node % LIBRA_PEAK_NODES;

	FUZZ_CHECK(!libra_peaks_lack(&line->peaks, first,
				     line->free[step * width], from_s,
				     nextafter(from_s, INFINITY), until_s) ||
		   until_s[node - first] == -INFINITY);
}

static void draw_waiting(struct libra_engine *e, int sign)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->nwaiting; i++)
		libra_schedule_change(e, LIBRA_TRIAL, &s->waiting[i],
				      s->waiting[i].start_s,
				      s->waiting[i].spans, sign);
}

/* All drawn once more, in the draft for trials. */
static void check_drawn(struct libra_engine *e)
{
	struct libra_planned_state *s = libra_planned_state(e);
	const struct libra_timeline *p = &s->space.timeline, *q = &s->trial;
	struct libra_lanes *line =
		libra_nodes_are_named(s) ? &s->nodes->now : NULL;
	bool base;

	libra_schedule_rebuild(e, LIBRA_TRIAL, NULL);
	base = line && s->nodes->trial_is_base;
	draw_waiting(e, 1);
	for (uint32_t i = 0; i < p->n; i++)
		FUZZ_CHECK(p->steps[i].from_s < e->now_s ||
			   p->steps[i].free ==
				   profile_at(q, p->steps[i].from_s));
	for (uint32_t i = 0; i < q->n; i++)
		FUZZ_CHECK(q->steps[i].free ==
			   profile_at(p, q->steps[i].from_s));
	for (uint32_t node = 0; line && node < e->nnodes; node++) {
		struct libra_lanes *again = &s->nodes->trial;

		for (uint32_t i = line->first[node]; i != LIBRA_NO_SPAN;
		     i = libra_lanes_next(line, i)) {
			check_peaks(e, line, node, i);
			if (line->from_s[i] >= e->now_s)
				same_free(e, line, again, node,
					  line->from_s[i]);
		}
		for (uint32_t i = again->first[node]; i != LIBRA_NO_SPAN;
		     i = libra_lanes_next(again, i))
			same_free(e, line, again, node, again->from_s[i]);
	}
	/* So that later calls change what this one has drawn. */
	if (base) {
		draw_waiting(e, -1);
		s->nodes->trial_is_base = true;
	}
}

/* By count an outage takes the processors of jobs on its nodes twice: a host
 * leaves none there.
 */
static bool runs_into_outage(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	for (uint32_t i = 0; i < s->noutages; i++) {
		const struct libra_node *node = &e->nodes[s->outages[i].node];

		for (uint32_t k = 0; k < s->space.running.n; k++)
			if (libra_procs_count(
				    &s->space.procs,
				    s->space.running.jobs[k].slot,
				    (struct libra_range){node->first,
							 node->count}) > 0)
				return true;
	}
	return false;
}

/* After a schedule: all fits, who is due has started, who is not said to be
 * late is in time.
 */
static void check_settled(const struct libra_engine *e)
{
	const struct libra_planned_state *s = libra_planned_state(e);
	/* By the parameters a job over its estimate may need nothing more. */
	bool overruns = s->space.running.n > 0 &&
			s->space.running.jobs[0].end_s <= e->now_s;

	if (s->nunplaced > 0 ||
	    (!libra_nodes_are_named(s) && runs_into_outage(e)))
		return;
	FUZZ_CHECK(libra_timeline_least(&s->space.timeline) >= 0);
	if (libra_nodes_are_named(s))
		FUZZ_CHECK(!libra_lanes_is_short(e, &s->nodes->now));
	for (uint32_t i = 0; i < s->nwaiting; i++) {
		const struct libra_reservation *plan = &s->waiting[i];
		bool queued = e->slots[plan->slot].state == LIBRA_SLOT_QUEUED;

		FUZZ_CHECK(!queued || plan->start_s > e->now_s || overruns);
		FUZZ_CHECK(plan->start_s <= fmax(plan->latest_s, e->now_s) +
						    LIBRA_DEADLINE_TOLERANCE_S);
		FUZZ_CHECK(plan->late == libra_reservation_breaks(plan));
	}
}

void check_plans(struct libra_engine *e, bool settled)
{
	const struct libra_planned_state *s = libra_planned_state(e);

	check_order(e);
	if (s->nodes)
		check_spans(e);
	/* Drawn at the next question. */
	if (s->must_repair || s->turn_s <= e->now_s ||
	    (s->nodes && s->nodes->must_rebuild))
		return;
	if (s->nholds == 0)
		check_profile(e);
	check_drawn(e);
	if (settled)
		check_settled(e);
}

/* ---- gangs ---- */

void check_gang(struct libra_engine *e)
{
	const struct libra_gang_state *s = libra_gang_state(e);
	const char *wrong;

	libra_gang_catch_up(e);
	wrong = gang_check(&s->gang, e->now_s);
	if (wrong)
		fprintf(stderr, "the gang: %s\n", wrong);
	FUZZ_CHECK(!wrong);
	for (uint32_t p = 0; p < e->nprocs; p++)
		FUZZ_CHECK(libra_bits_has(s->closed, p) == is_closed(e, p));
}

/* ---- the ledger ---- */

static void check_row(const struct libra_engine *e,
		      const struct libra_ledger *ledger, uint32_t at)
{
	const struct libra_ledger_row *row = &ledger->rows[at];
	struct libra_row_sum sum =
		libra_row_share(row, &ledger->division, e->now_s);
	double low, high, rates = 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++) {
		const struct libra_task *task = &row->tasks[k];

		FUZZ_CHECK(e->slots[task->slot].ticket != 0);
		FUZZ_CHECK(libra_row_find(row, task->slot) == k);
		FUZZ_CHECK(task->running ==
			   (e->slots[task->slot].state == LIBRA_SLOT_RUNNING));
		FUZZ_CHECK(task->rate >= 0);
		rates += task->rate;
	}
	FUZZ_CHECK(rates <= 1 + 1e-9);
	if (row->pub.ntasks > 0 && libra_row_bounds(row, e->now_s, &low, &high))
		FUZZ_CHECK(low <= sum.share + LIBRA_BOUNDS_MARGIN &&
			   sum.share <= high + LIBRA_BOUNDS_MARGIN);
}

void check_ledger(const struct libra_engine *e)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	uint32_t count[CHECK_SLOTS] = {0}, held[CHECK_SLOTS] = {0};

	FUZZ_CHECK(ledger->nrows <= CHECK_SLOTS && ledger->nchosen == 0);
	for (uint32_t p = 0; p < e->nprocs; p++) {
		uint32_t at = libra_procmap_label(&ledger->map, p);
		const struct libra_ledger_row *row = &ledger->rows[at];

		FUZZ_CHECK(at < ledger->nrows);
		FUZZ_CHECK(row->closed == is_closed(e, p));
		count[at]++;
		for (uint32_t k = 0; k < row->pub.ntasks; k++)
			held[row->tasks[k].slot]++;
	}
	for (uint32_t i = 0; i < ledger->nrows; i++) {
		FUZZ_CHECK(ledger->rows[i].pub.nprocs == count[i]);
		check_row(e, ledger, i);
	}
	for (uint32_t i = 0; i < e->nslots; i++)
		FUZZ_CHECK(held[i] ==
			   (e->slots[i].ticket ? e->slots[i].nprocs_held : 0));
}
