/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offers.h - the offers that hold processors while no job is in the queue.
 *
 * No record has these offers, and no call of Slurm returns them.  But the
 * decision log has a line for each call of the engine.  An offer is held if the
 * end of the log has it, and no later line withdraws it or commits it to a job
 * that is in the queue.  (Slurm also creates a job for sbatch --test-only, and
 * for some submissions that it then refuses.  No list of jobs has that job, so
 * its offer counts as held.)
 *
 * For the libra command, which has one thread and no locks.
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
	double *shares;	 /* of each processor of the engine: the sum of offered
			    shares; the number of offers under a policy with
			    turns or planned starts */
	struct libra_error why; /* if not known: the reason; "" = none to print
				 */
};

/* Count the offers of the present group.  Only the last libra_offer_ttl seconds
 * of the log are read, because older offers have expired.
 * Result: 0, or -1 with errno and offers->why: the log is damaged, or lines are
 *         missing (ENODATA).
 * Owner:  the caller ends it with cli_offers_fini(), in any case.
 */
int cli_offers_read(FILE *log, const struct cli_cluster *cluster,
		    struct cli_offers *offers);
void cli_offers_fini(struct cli_offers *offers);

#endif
