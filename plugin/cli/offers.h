/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offers.h - the offers that hold processors while no job is in the queue.
 *
 * They are in no record, and slurmctld tells nobody of them.  But each line of
 * the decision log is written as the engine is called; so what the log's end
 * has offered, and neither given to a job that is in the queue nor withdrawn,
 * is what slurmctld holds.  (Slurm makes a job even for sbatch --test-only, and
 * for some that it refuses then; such a job is in no list.)
 */
#ifndef LIBRA_CLI_OFFERS_H
#define LIBRA_CLI_OFFERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/cli/cluster.h"

struct cli_offers {
	bool known;
	uint32_t n;	 /* a submitted array has one for each task */
	uint32_t nprocs; /* of the engine, that one or more are on */
	double *shares;	 /* offered on each of them; where jobs take turns, or
			    are planned, the number of offers */
	struct libra_error why; /* it is not known; "" = not to be told */
};

/* Count the offers of the present group.  What is older than libra_offer_ttl
 * has expired, so that no more of the log is read.
 * Result: 0, or -1 with errno and offers->why: the log is damaged, or lines are
 *         missing (ENODATA).
 * Owner:  the caller ends it with cli_offers_fini(), in any case.
 */
int cli_offers_read(FILE *log, const struct cli_cluster *cluster,
		    struct cli_offers *offers);
void cli_offers_fini(struct cli_offers *offers);

#endif
