/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bid.h - processors that are divided by bids (CCGrid 2008, section 3).
 *
 * A job spends its budget evenly until its deadline, the same on each of its
 * processors; the price of a processor is what all tasks on it spend together,
 * and each gets the part of it that its bid is of the price (eq. 4).  A
 * processor may stand for a host of several CPUs.  Pure arithmetic.
 */
#ifndef LIBRA_BID_H
#define LIBRA_BID_H

#include <stdint.h>

#include "core/job.h"
#include "core/share/row.h"

/* What a job spends per second on each of its processors.
 * Result: 0 if it has no budget, or no time to spend it in.
 */
double libra_bid(const struct libra_job *job);

/* CPUs of each processor that a job is promised: what it needs to be done by
 * its deadline.
 */
double libra_bid_promise(const struct libra_job *job);

/* CPUs of one processor that a bid buys where the others spend price: eq. 4
 * (or, with a bound on the price, the floor of eq. 5), and never more than one
 * task can use.
 */
double libra_bid_rate(const struct libra_division *division, double bid,
		      double price);

/* What all tasks of a row spend per second, on each of its processors. */
double libra_row_price(const struct libra_ledger_row *row);

/* Divide a processor among its running tasks by their bids, equally if nobody
 * bids.  What a task cannot use goes to the others; strictly, it is lost.
 */
void libra_bid_divide(const struct libra_division *division,
		      struct libra_task *tasks, uint32_t n);

#endif
