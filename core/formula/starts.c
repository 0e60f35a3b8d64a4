/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts.c - a list of steps, in order of time.
 */
#include "core/formula/starts.h"

#include <math.h>
#include <string.h>

#include "core/array.h"

#define FIRST_STEPS 64

static int grow(struct libra_starts *plan, size_t need)
{
	uint32_t cap;
	bool ok = true;

	if (need <= plan->cap)
		return 0;
	cap = libra_doubled((uint32_t)plan->cap, FIRST_STEPS, need);
	plan->steps = libra_grown(plan->steps, cap, sizeof(*plan->steps), &ok);
	if (!ok)
		return -1;
	plan->cap = cap;
	return 0;
}

int libra_starts_begin(struct libra_starts *plan, double now_s, int64_t procs)
{
	if (grow(plan, 1) < 0)
		return -1;
	plan->steps[0] = (struct libra_starts_step){now_s, procs};
	plan->n = 1;
	return 0;
}

void libra_starts_fini(struct libra_starts *plan)
{
	free(plan->steps);
	*plan = (struct libra_starts){0};
}

/* The first step at or after an instant; n if there is none. */
static size_t step_at(const struct libra_starts *plan, double at_s)
{
	size_t low = 0, high = plan->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->steps[middle].at_s < at_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Take processors from a step until an instant, where a step is made. */
static int take(struct libra_starts *plan, size_t from, double end_s,
		int64_t procs)
{
	size_t end = plan->n;

	if (isfinite(end_s)) {
		end = step_at(plan, end_s);
		if (grow(plan, plan->n + 1) < 0)
			return -1;
	}
	if (isfinite(end_s) &&
	    (end == plan->n || plan->steps[end].at_s > end_s)) {
		memmove(plan->steps + end + 1, plan->steps + end,
			(plan->n - end) * sizeof(*plan->steps));
		plan->steps[end] = (struct libra_starts_step){
			end_s, plan->steps[end - 1].free};
		plan->n++;
	}
	for (size_t i = from; i < end; i++)
		plan->steps[i].free -= procs;
	return 0;
}

int libra_starts_running(struct libra_starts *plan, int64_t procs, double end_s)
{
	return end_s > plan->steps[0].at_s ? take(plan, 0, end_s, procs) : 0;
}

double libra_starts_add(struct libra_starts *plan, int64_t procs, double run_s)
{
	size_t from = 0;

	while (from < plan->n) {
		double end_s = plan->steps[from].at_s + run_s;
		size_t i = from;

		while (i < plan->n && plan->steps[i].at_s < end_s &&
		       plan->steps[i].free >= procs)
			i++;
		if (i == plan->n || plan->steps[i].at_s >= end_s) {
			double start_s = plan->steps[from].at_s;

			return take(plan, from, end_s, procs) < 0 ? NAN
								  : start_s;
		}
		from = i + 1;
	}
	return INFINITY;
}
