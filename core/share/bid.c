/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bid.c - divide processors by bids. */
#include "core/share/bid.h"

double libra_bid(const struct libra_job *job)
{
	double duration_s = job->deadline_s - job->submit_s;

	if (!(duration_s > 0) || duration_s == INFINITY)
		return 0;
	return job->budget / duration_s / job->nprocs;
}

double libra_bid_promise(const struct libra_job *job)
{
	return job->estimate_s / (job->deadline_s - job->submit_s);
}

double libra_bid_rate(const struct libra_division *division, double bid,
		      double price)
{
	double rate = division->cpus;

	if (bid + price > 0)
		rate *= bid / (bid + price);
	return rate < division->most ? rate : division->most;
}

double libra_row_price(const struct libra_ledger_row *row)
{
	double sum = 0;

	for (uint32_t k = 0; k < row->pub.ntasks; k++)
		sum += row->tasks[k].bid;
	return sum;
}

/* A running task has the rate UNSETTLED until its rate is decided. */
#define UNSETTLED (-1.0)

/* Return the weight of a task among the unsettled ones. */
static double weight(const struct libra_task *task, double bids, uint32_t n)
{
	return bids > 0 ? task->bid / bids : 1.0 / n;
}

/* Give each unsettled task that cannot use its whole part what it can use.
 * Result: CPUs given; 0 if all can use theirs.
 */
static double settle_full(const struct libra_division *division,
			  struct libra_task *tasks, uint32_t n, double bids,
			  uint32_t unsettled, double cpus)
{
	double given = 0;

	for (uint32_t k = 0; k < n; k++) {
		if (tasks[k].rate != UNSETTLED ||
		    weight(&tasks[k], bids, unsettled) * cpus < division->most)
			continue;
		tasks[k].rate = division->most;
		given += division->most;
	}
	return given;
}

/* Apply eq. 4 as printed. */
static void divide_strictly(const struct libra_division *division,
			    struct libra_task *tasks, uint32_t n)
{
	double bids = 0;
	uint32_t running = 0;

	for (uint32_t k = 0; k < n; k++)
		if (tasks[k].running) {
			bids += tasks[k].bid;
			running++;
		}
	for (uint32_t k = 0; k < n; k++) {
		double rate = 0;

		if (tasks[k].running)
			rate = weight(&tasks[k], bids, running) *
			       division->cpus;
		tasks[k].rate = rate < division->most ? rate : division->most;
	}
}

void libra_bid_divide(const struct libra_division *division,
		      struct libra_task *tasks, uint32_t n)
{
	double cpus = division->cpus, bids, given;
	uint32_t unsettled;

	if (division->strict) {
		divide_strictly(division, tasks, n);
		return;
	}
	for (uint32_t k = 0; k < n; k++)
		tasks[k].rate = tasks[k].running ? UNSETTLED : 0;
	do {
		bids = 0;
		unsettled = 0;
		for (uint32_t k = 0; k < n; k++)
			if (tasks[k].rate == UNSETTLED) {
				bids += tasks[k].bid;
				unsettled++;
			}
		given = settle_full(division, tasks, n, bids, unsettled, cpus);
		cpus -= given;
	} while (given > 0);
	for (uint32_t k = 0; k < n; k++)
		if (tasks[k].rate == UNSETTLED)
			tasks[k].rate =
				weight(&tasks[k], bids, unsettled) * cpus;
}
