/* SPDX-License-Identifier: GPL-2.0-or-later */
/* select.c - take the rows that suit a job, in the order of the policy. */
#include "core/share/select.h"

#include <math.h>
#include <string.h>

#include "core/share/placement.h"

/* The state of a row in a decision. */
enum { UNASKED = 0, SUITS, UNFIT, TIED };

static struct libra_search search_for(const struct libra_engine *e,
				      const struct libra_job *job,
				      double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_search search = {.now_s = e->now_s};

	if (traits->number)
		search.number = traits->number(e, job, new_share);
	return search;
}

/* Return the next run that may suit, from a processor on. */
static inline uint32_t next_run(struct libra_share_state *s,
				struct libra_search *search, uint32_t proc)
{
	return s->ledger.limits.of ? libra_limits_next(&s->ledger, search, proc)
				   : proc;
}

/* Return true if a row suits, and, if best is not NULL, has the sum of shares
 * *best.
 */
static inline bool ask(const struct libra_engine *e,
		       const struct libra_ledger_row *row,
		       const struct libra_job *job, double new_share,
		       const double *best)
{
	const struct libra_share_traits *traits = e->policy->traits;
	double share;

	return libra_share_usable(e, row) &&
	       (!best || traits->as_empty(e, row, job)) &&
	       traits->suits(e, row, job, new_share, &share) &&
	       (!best || round(share * 1e9) == *best);
}

/* Count suitable processors in index order into taken[], up to the job's need.
 * A row is tested once, at its first processor.
 * Result: processors still missing.
 */
static uint32_t take_by_index(struct libra_engine *e,
			      const struct libra_job *job, double new_share,
			      const double *best)
{
	struct libra_share_state *s = libra_share_state(e);
	const struct libra_procmap *map = &s->ledger.map;
	struct libra_search search = search_for(e, job, new_share);
	uint32_t missing = job->nprocs;

	memset(s->asked, UNASKED, s->ledger.nrows);
	for (uint32_t run = next_run(s, &search, 0);
	     run < map->nprocs && missing > 0;
	     run = next_run(s, &search, map->end[run])) {
		uint32_t index = map->label[run];
		uint32_t n = libra_procmap_count(map, run);

		if (s->asked[index] == UNASKED)
			s->asked[index] = ask(e, &s->ledger.rows[index], job,
					      new_share, best)
						  ? SUITS
						  : UNFIT;
		if (s->asked[index] != SUITS)
			continue;
		search.found = true;
		n = n < missing ? n : missing;
		libra_ledger_choose(&s->ledger, index, n);
		missing -= n;
	}
	return missing;
}

/* Take the rows fits[from..to-1], which are equally good: all of them if they
 * are needed, else their processors in index order.
 * Result: processors still missing.
 */
static uint32_t take_tied(struct libra_share_state *s, uint32_t from,
			  uint32_t to, uint32_t missing)
{
	const struct libra_procmap *map = &s->ledger.map;
	uint64_t n = 0;

	for (uint32_t i = from; i < to; i++)
		n += s->ledger.rows[s->fits[i].row].pub.nprocs;
	for (uint32_t i = from; i < to && n <= missing; i++)
		libra_ledger_choose(&s->ledger, s->fits[i].row,
				    s->ledger.rows[s->fits[i].row].pub.nprocs);
	if (n <= missing)
		return missing - (uint32_t)n;
	if (to - from == 1) {
		libra_ledger_choose(&s->ledger, s->fits[from].row, missing);
		return 0;
	}
	for (uint32_t i = from; i < to; i++)
		s->asked[s->fits[i].row] = TIED;
	for (uint32_t run = 0; run < map->nprocs && missing > 0;
	     run = map->end[run]) {
		uint32_t count = libra_procmap_count(map, run);

		if (s->asked[map->label[run]] != TIED)
			continue;
		count = count < missing ? count : missing;
		libra_ledger_choose(&s->ledger, map->label[run], count);
		missing -= count;
	}
	return missing;
}

/* Return true if unchosen processors suit as well as the chosen ones. */
static bool more_are_left(const struct libra_share_state *s)
{
	for (uint32_t i = s->ledger.nchosen; i-- > 0;) {
		uint32_t row = s->ledger.chosen[i];

		if (s->ledger.taken[row] < s->ledger.rows[row].pub.nprocs)
			return true;
	}
	return s->ledger.taken[LIBRA_ROW_EMPTY] <
	       s->ledger.rows[LIBRA_ROW_EMPTY].pub.nprocs;
}

/* Choose rows that suit as well as one without tasks, which come first.  If
 * there are more than enough, take them in index order without testing the
 * others.
 * Result: false if nothing is chosen, and all rows must be tested.
 */
static bool take_as_empty(struct libra_engine *e, const struct libra_job *job,
			  double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	double share, best;

	if (!traits->as_empty ||
	    !traits->suits(e, &s->ledger.rows[LIBRA_ROW_EMPTY], job, new_share,
			   &share))
		return false;
	best = round(share * 1e9);
	if (take_by_index(e, job, new_share, &best) == 0 && more_are_left(s))
		return true;
	libra_ledger_unpick(&s->ledger);
	return false;
}

/* Count suitable processors into taken[], the fullest after acceptance first,
 * equal ones in index order.
 */
static uint32_t take_best_fit(struct libra_engine *e,
			      const struct libra_job *job, double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t n = 0, missing = job->nprocs;
	uint64_t suitable = 0;
	double share;

	if (take_as_empty(e, job, new_share))
		return 0;
	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];

		e->work += row->pub.ntasks;
		if (!libra_share_usable(e, row) ||
		    !traits->suits(e, row, job, new_share, &share))
			continue;
		suitable += row->pub.nprocs;
		s->fits[n++] =
			(struct libra_fit){.key = round(share * 1e9), .row = i};
	}
	if (suitable < missing)
		return missing;
	memset(s->asked, UNASKED, s->ledger.nrows);
	libra_fit_heap(s->fits, n);
	while (missing > 0) {
		uint32_t end = n;
		double key = s->fits[0].key;

		while (n > 0 && s->fits[0].key == key)
			libra_fit_pop(s->fits, n--);
		missing = take_tied(s, n, end, missing);
	}
	return 0;
}

/* Test every row, then choose processors that meet the constraint.
 * Result: as libra_place().
 */
static int take_where(struct libra_engine *e, const struct libra_job *job,
		      double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	struct libra_choice choice = {s->suits, s->keys};

	for (uint32_t i = 0; i < s->ledger.nrows; i++) {
		const struct libra_ledger_row *row = &s->ledger.rows[i];
		double share = 0;

		s->suits[i] = libra_share_usable(e, row) &&
			      traits->suits(e, row, job, new_share, &share);
		s->keys[i] = traits->best_fit && s->suits[i]
				     ? round(share * 1e9)
				     : 0;
	}
	return libra_place(e, &s->ledger, job, &choice, s->node_fits);
}

int libra_share_choose(struct libra_engine *e, const struct libra_job *job,
		       double new_share)
{
	const struct libra_share_traits *traits = e->policy->traits;
	struct libra_share_state *s = libra_share_state(e);
	uint32_t missing;

	if (libra_share_reserve(s) < 0)
		return -1;
	e->work += s->ledger.nrows; /* whether tested or known */
	if (job->where)
		return take_where(e, job, new_share);
	missing = traits->best_fit ? take_best_fit(e, job, new_share)
				   : take_by_index(e, job, new_share, NULL);
	if (missing > 0)
		libra_ledger_unpick(&s->ledger);
	return missing > 0;
}

/* Choose, then test the choice as a whole. */
int libra_share_choose_whole(struct libra_engine *e,
			     const struct libra_job *job, bool trial,
			     enum libra_reason *reason)
{
	const struct libra_share_traits *traits = e->policy->traits;
	int chosen, admits;

	*reason = LIBRA_REASON_WOULD_MISS;
	if (e->guaranteed_only &&
	    !libra_may_promise(e, job->estimate_s, job->deadline_s))
		return 1;
	*reason = LIBRA_REASON_RESERVE;
	if (traits->reserves && traits->reserves(e, job))
		return 1;
	*reason = traits->refusal;
	chosen = libra_share_choose(e, job, libra_initial_share(job));
	if (chosen != 0 || !traits->admits)
		return chosen;
	admits = traits->admits(e, job, trial, reason);
	if (admits <= 0)
		libra_ledger_unpick(&libra_share_state(e)->ledger);
	return admits < 0 ? -1 : !admits;
}
