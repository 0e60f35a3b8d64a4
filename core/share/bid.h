/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bid.h - divide processors by bids (CCGrid 2008, section 3).
 *
 * A job spends its budget evenly until its deadline, the same amount on each of
 * its processors.  The price of a processor is the sum of what all tasks on it
 * spend.  A task gets the fraction of the processor that its bid is of the
 * price (eq. 4).  A processor may represent a host of several CPUs.  Pure
 * arithmetic; no allocation.
 */
#ifndef LIBRA_BID_H
#define LIBRA_BID_H

#include <stdint.h>

#include "core/job.h"
#include "core/share/row.h"

/* Return the bid of a job: credits per second on each of its processors; 0 if
 * it has no budget, or no finite time to spend it in.
 */
double libra_bid(const struct libra_job *job);

/* Return the CPUs of each processor that a job is promised: what it needs to
 * end by its deadline.
 */
double libra_bid_promise(const struct libra_job *job);

/* Return the CPUs of one processor that a bid buys if the other tasks spend
 * price: eq. 4 (or, if price is a bound, the floor of eq. 5), and at most
 * what one task can use.
 */
double libra_bid_rate(const struct libra_division *division, double bid,
		      double price);

/* Return what all tasks of a row spend per second, on each of its processors.
 */
double libra_row_price(const struct libra_ledger_row *row);

/* Set the rates of a processor's running tasks by their bids, or equal rates if
 * no task bids.  The part that a task cannot use goes to the other tasks; if
 * division->strict, it is lost.
 */
void libra_bid_divide(const struct libra_division *division,
		      struct libra_task *tasks, uint32_t n);

#endif
