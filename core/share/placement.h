/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - choose processors for a job with a placement constraint.
 *
 * For jobs with a struct libra_where.  The policy decides which rows suit, the
 * ledger which allowed processors are in them; where.h assigns nodes; each node
 * gives its best processors.
 */
#ifndef LIBRA_PLACEMENT_H
#define LIBRA_PLACEMENT_H

#include "core/engine_impl.h"
#include "core/share/ledger.h"
#include "core/where.h"

/* The suitable rows and their order: greater keys first. */
struct libra_choice {
	const bool *suits; /* per row */
	const double *key; /* per row */
};

/* Choose processors: they become picks of the ledger, for the caller to add or
 * unpick.
 * Result: 0, 1 if too few suitable processors meet the constraint, or -1 with
 *         ENOMEM; for 1 and -1 nothing is picked.
 * Owner:  the caller; fits has room for all nodes of the engine.
 * Cost:   O(nodes x log nodes + runs), and per node taken O(its runs squared).
 */
int libra_place(const struct libra_engine *e, struct libra_ledger *ledger,
		const struct libra_job *job, const struct libra_choice *choice,
		struct libra_node_fit *fits);

#endif
