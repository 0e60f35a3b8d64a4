/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_read.c - what hosts read: jobs, placements, rows, names. */
#include <errno.h>
#include <math.h>

#include "core/engine_impl.h"
#include "core/slots.h"

int64_t libra_engine_placement(const struct libra_engine *e, uint64_t ticket,
			       struct libra_range *ranges, size_t cap)
{
	uint32_t slot = libra_slot_find(e, ticket), left;
	const struct libra_procmap *map;
	size_t n = 0;
	bool open = false; /* does the last range end where this run begins? */

	if (slot == LIBRA_NO_SLOT)
		return -1;
	if (e->policy->ops->rows.placement)
		return (int64_t)e->policy->ops->rows.placement(e, slot, ranges,
							       cap);
	map = e->policy->ops->rows.map(e);
	left = e->slots[slot].nprocs_held;
	for (uint32_t run = libra_procmap_find(map, e->slots[slot].from);
	     left > 0 && run < map->nprocs; run = map->end[run]) {
		uint32_t count = libra_procmap_count(map, run);

		if (!e->policy->ops->rows.holds(e, map->label[run], slot)) {
			open = false;
			continue;
		}
		/* A job never gets more processors, so the search may begin
		 * here.
		 */
		if (n == 0)
			e->slots[slot].from = run;
		if (!open)
			n++;
		if (n <= cap && !open)
			ranges[n - 1] = (struct libra_range){run, count};
		else if (n <= cap)
			ranges[n - 1].count += count;
		open = true;
		left -= count;
	}
	return (int64_t)n;
}

double libra_engine_ends_by(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot != LIBRA_NO_SLOT && e->policy->ops->ends_by
		       ? e->policy->ops->ends_by(e, slot)
		       : NAN;
}

double libra_engine_starts_by(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot != LIBRA_NO_SLOT && e->policy->ops->plan.starts_by
		       ? e->policy->ops->plan.starts_by(e, slot)
		       : NAN;
}

const struct libra_job *libra_engine_job(const struct libra_engine *e,
					 uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	return slot == LIBRA_NO_SLOT ? NULL : &e->slots[slot].job;
}

uint64_t libra_engine_ticket(const struct libra_engine *e, uint32_t slot)
{
	return slot < e->nslots ? e->slots[slot].ticket : 0;
}

uint32_t libra_engine_nslots(const struct libra_engine *e)
{
	return e->nslots;
}

uint32_t libra_engine_nrows(const struct libra_engine *e)
{
	return e->policy->ops->rows.nrows ? e->policy->ops->rows.nrows(e) : 0;
}

const struct libra_row *libra_engine_row(const struct libra_engine *e,
					 uint32_t row)
{
	if (row >= libra_engine_nrows(e))
		return NULL;
	return e->policy->ops->rows.row(e, row);
}

uint32_t libra_engine_row_of(const struct libra_engine *e, uint32_t proc)
{
	if (e->policy->mode != LIBRA_SHARE || proc >= e->nprocs)
		return UINT32_MAX;
	return libra_procmap_label(e->policy->ops->rows.map(e), proc);
}

uint32_t libra_engine_nprocs(const struct libra_engine *e)
{
	return e->nprocs;
}

uint32_t libra_engine_free_procs(const struct libra_engine *e)
{
	return e->policy->ops->rows.free_procs(e);
}

const struct libra_policy_type *libra_engine_policy(
	const struct libra_engine *e)
{
	return e->policy;
}

const char *libra_answer_name(enum libra_answer answer)
{
	static const char *const names[] = {"none", "accept", "queue",
					    "reject"};

	return (unsigned)answer < 4 ? names[answer] : "unknown";
}

const char *libra_reason_name(enum libra_reason reason)
{
	static const char *const names[] = {
		[LIBRA_REASON_NONE] = "none",
		[LIBRA_REASON_TOO_LARGE] = "too_large",
		[LIBRA_REASON_NO_DEADLINE] = "no_deadline",
		[LIBRA_REASON_NO_SHARE] = "no_share",
		[LIBRA_REASON_RISK] = "risk",
		[LIBRA_REASON_WOULD_MISS] = "would_miss",
		[LIBRA_REASON_EXPIRED] = "expired",
		[LIBRA_REASON_SLACK] = "slack",
		[LIBRA_REASON_NO_BUDGET] = "no_budget",
		[LIBRA_REASON_PRICE] = "price",
		[LIBRA_REASON_CONTRACT] = "contract",
		[LIBRA_REASON_RANDOM] = "random",
		[LIBRA_REASON_RESERVE] = "reserve",
		[LIBRA_REASON_MEMORY] = "memory",
		[LIBRA_REASON_CROWDED] = "crowded",
	};

	return (size_t)reason < sizeof(names) / sizeof(names[0]) ? names[reason]
								 : "unknown";
}

const char *libra_action_name(enum libra_action_kind kind)
{
	static const char *const names[] = {
		"none", "start", "reject", "reshare", "hold", "resume", "late"};

	return (unsigned)kind < 7 ? names[kind] : "unknown";
}

static double *learned(const struct libra_engine *e, size_t *n)
{
	*n = 0;
	return e->policy->ops->learned ? e->policy->ops->learned(e, n) : NULL;
}

size_t libra_engine_learned(const struct libra_engine *e, double *values,
			    size_t cap)
{
	size_t n;
	const double *have = learned(e, &n);

	for (size_t i = 0; i < n && i < cap; i++)
		values[i] = have[i];
	return n;
}

int libra_engine_relearn(struct libra_engine *e, const double *values, size_t n,
			 struct libra_error *err)
{
	size_t want;
	double *have = learned(e, &want);

	if (n != want)
		return libra_errf(err, EINVAL,
				  "%s has learned %zu numbers, not %zu",
				  e->policy->name, want, n);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return libra_errf(err, EINVAL,
					  "%s cannot have learned %g",
					  e->policy->name, values[i]);
	for (size_t i = 0; i < n; i++)
		have[i] = values[i];
	return 0;
}
