/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - choose processors for a job that cannot run just anywhere.
 *
 * For jobs with a struct libra_where: which of the allowed processors suit is
 * read from the ledger, where.h spreads the job over nodes, and of each node
 * the best processors are taken.  What suits is the policy's business.
 */
#ifndef LIBRA_PLACEMENT_H
#define LIBRA_PLACEMENT_H

#include "core/engine_impl.h"
#include "core/share/ledger.h"
#include "core/where.h"

/* Which rows suit, and how well: greater keys first. */
struct libra_choice {
	const bool *suits; /* per row */
	const double *key; /* per row */
};

/* Choose: picks of the ledger, to be added or unpicked.
 * Result: 0, 1 if there are too few suitable processors in that shape, or -1
 *         with ENOMEM; then nothing is picked.
 * Owner:  fits has room for all nodes of the engine.
 * Cost:   O(nodes x log nodes + runs), and per node taken O(its runs squared).
 */
int libra_place(const struct libra_engine *e, struct libra_ledger *ledger,
		const struct libra_job *job, const struct libra_choice *choice,
		struct libra_node_fit *fits);

#endif
