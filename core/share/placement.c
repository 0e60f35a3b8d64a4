/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement.c - see placement.h. */
#include "core/share/placement.h"

#include <math.h>

/* A walk over the parts of runs that are in a range and allowed. */
struct walk {
	const struct libra_procmap *map;
	const struct libra_where *where;
	uint32_t end;	/* of the range */
	uint32_t at;	/* next processor */
	uint32_t run;	/* that holds it */
	uint32_t allow; /* allowed range that ends after it */
};

static void walk_begin(struct walk *walk, const struct libra_procmap *map,
		       const struct libra_where *where, uint32_t first,
		       uint32_t end)
{
	*walk = (struct walk){
		map, where, end, first, libra_procmap_find(map, first), 0};
}

/* Advance to the next part.
 * Result: false at the end.
 */
static bool walk_next(struct walk *walk, struct libra_range *part,
		      uint32_t *row)
{
	const struct libra_where *w = walk->where;
	uint32_t end = walk->end;

	if (w->allowed) {
		while (walk->allow < w->nallowed &&
		       w->allowed[walk->allow].first +
				       w->allowed[walk->allow].count <=
			       walk->at)
			walk->allow++;
		if (walk->allow == w->nallowed)
			return false;
		if (walk->at < w->allowed[walk->allow].first)
			walk->at = w->allowed[walk->allow].first;
		if (end > w->allowed[walk->allow].first +
				  w->allowed[walk->allow].count)
			end = w->allowed[walk->allow].first +
			      w->allowed[walk->allow].count;
	}
	if (walk->at >= end)
		return false;
	while (walk->map->end[walk->run] <= walk->at)
		walk->run = walk->map->end[walk->run];
	if (end > walk->map->end[walk->run])
		end = walk->map->end[walk->run];
	*row = walk->map->label[walk->run];
	*part = (struct libra_range){walk->at, end - walk->at};
	walk->at = end;
	return true;
}

static struct libra_node_fit fit_of(const struct libra_engine *e,
				    const struct libra_ledger *ledger,
				    const struct libra_where *where,
				    const struct libra_choice *choice,
				    uint32_t index)
{
	const struct libra_node *node = &e->nodes[index];
	struct libra_node_fit fit = {.key = -INFINITY, .node = index};
	struct libra_range part;
	struct walk walk;
	uint32_t row;

	walk_begin(&walk, &ledger->map, where, node->first,
		   node->first + node->count);
	while (walk_next(&walk, &part, &row)) {
		if (!choice->suits[row])
			continue;
		fit.nprocs += part.count;
		fit.key = fmax(fit.key, choice->key[row]);
	}
	fit.nprocs = libra_where_whole(where, fit.nprocs);
	return fit;
}

/* Pick n processors of a node, the best rows first, in index order. */
static int pick_node(const struct libra_engine *e, struct libra_ledger *ledger,
		     const struct libra_where *where,
		     const struct libra_choice *choice,
		     const struct libra_node_fit *fit)
{
	const struct libra_node *node = &e->nodes[fit->node];
	uint32_t want = fit->nprocs, row;
	double key = INFINITY; /* INFINITY is also a valid key */
	bool found = false;

	while (want > 0) {
		double next = -INFINITY;
		struct libra_range part;
		struct walk walk;

		walk_begin(&walk, &ledger->map, where, node->first,
			   node->first + node->count);
		while (walk_next(&walk, &part, &row)) {
			if (!choice->suits[row] || choice->key[row] > key)
				continue;
			if (choice->key[row] < key || !found) {
				next = fmax(next, choice->key[row]);
				continue;
			}
			part.count = part.count < want ? part.count : want;
			want -= part.count;
			if (part.count > 0 &&
			    libra_ledger_pick(ledger, row, part.first,
					      part.count) < 0)
				return -1;
		}
		key = next;
		found = true;
	}
	return 0;
}

int libra_place(const struct libra_engine *e, struct libra_ledger *ledger,
		const struct libra_job *job, const struct libra_choice *choice,
		struct libra_node_fit *fits)
{
	uint32_t n = 0, used;

	for (uint32_t i = 0; i < e->nnodes; i++) {
		fits[n] = fit_of(e, ledger, job->where, choice, i);
		n += fits[n].nprocs > 0;
	}
	used = libra_where_nodes(job, fits, n);
	if (used == 0)
		return 1;
	for (uint32_t i = 0; i < used; i++) {
		if (pick_node(e, ledger, job->where, choice, &fits[i]) == 0)
			continue;
		libra_ledger_unpick(ledger);
		return -1;
	}
	return 0;
}
