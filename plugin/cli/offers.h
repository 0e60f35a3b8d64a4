/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offers.h - accepted offers that hold processors without a job in the queue.
 *
 * No record and no call of Slurm shows these offers.  But the decision log has
 * a line for each call of the engine.  An offer counts here if no later line of
 * the log withdraws it or commits it to a job that is in the queue.  (Slurm
 * also creates a job for sbatch --test-only, and for some submissions that it
 * then refuses.  Such a job is in no list of jobs, so its offer counts.)
 *
 * Only the libra command includes this; it has one thread and no locks.
 */
#ifndef LIBRA_CLI_OFFERS_H
#define LIBRA_CLI_OFFERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/cli/cluster.h"

struct cli_offers {
	bool known;	 /* the members below are set */
	uint32_t n;	 /* offers; an array has one for each task */
	uint32_t nprocs; /* processors with at least one offer */
	/* By processor of the engine: the sum of offered shares; with a gang
	 * policy or planned starts the number of offers.
	 */
	double *shares;
	struct libra_error why; /* if not known: the reason; "" = do not print
				   one */
};

/* Count the offers of the present group.  Only the last libra_offer_ttl seconds
 * of the log are read, because older offers have expired.
 * Result: 0, or -1 with errno and offers->why (the log is damaged; ENODATA:
 *         lines are missing).
 * Owner:  the caller ends *offers with cli_offers_fini(), after an error as
 *         well.
 */
int cli_offers_read(FILE *log, const struct cli_cluster *cluster,
		    struct cli_offers *offers);
void cli_offers_fini(struct cli_offers *offers);

#endif
