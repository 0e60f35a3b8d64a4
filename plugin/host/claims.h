/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.h - offers that no job came for.
 *
 * What Slurm refuses after our verdict never becomes a job, and nobody tells
 * us.  Its offer is dropped as soon as its submission is over; and who leaves
 * several such offers gets none for a while before his job is in the queue.
 */
#ifndef LIBRA_HOST_CLAIMS_H
#define LIBRA_HOST_CLAIMS_H

#include <stdbool.h>

#include "plugin/host/state.h"

/* Commit the offers whose job has come, drop those whose submission is over.
 * The caller holds the job lock, to read at least.  Result: how many dropped.
 */
uint32_t host_claims_settle(struct host_state *h, double now_s);

/* May a user have an offer before his job is in the queue?  Not if he has too
 * many open ones, or left too many.
 */
bool host_claims_trusts(const struct host_state *h, uint32_t user,
			double now_s);

/* All offers above a number were made for a submission of this thread. */
void host_claims_note(struct host_state *h, uint64_t above);

#endif
