/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_steps.c - what nodes have free over time, against a table.
 *
 * Plans by node keep a list of steps for each node (core/space/nodes.h).
 * Here is what each node has of each resource in each second, one by one: jobs
 * take and give, nodes are out or back, time passes.  Lines must say the same,
 * and places for jobs must be those that the table has.
 */
#include "core/engine_impl.h"
#include "core/space/planned_memory.h"
#include "core/space/nodes.h"
#include "core/where.h"
#include "tests/random.h"
#include "tests/unit/host.h"
#include "tests/unit/wrap_memory.h"

#define WORLDS	   600
#define STEPS	   60
#define MOST_NODES 6
#define MOST_PROCS 8
#define MOST_TAKEN 16
#define LAST_S	   64 /* from then on nothing changes any more */

enum { MEMORY, GPUS, KINDS, WIDTH };

struct taken {
	uint32_t spans;
	int from_s, to_s;
};

struct world {
	struct libra_engine *e;
	struct libra_nodes *r;
	struct libra_lanes *line;
	uint32_t node_procs[MOST_NODES], first[MOST_NODES + 1], nnodes;
	uint64_t resources[MOST_NODES * KINDS];
	int64_t free[MOST_NODES][LAST_S + 1][WIDTH];
	struct taken taken[MOST_TAKEN];
	int ntaken, now_s;
	bool is_set; /* steps that are alike need not be one */
	struct libra_where where;
	struct libra_range allowed[2];
	uint64_t per_chunk[KINDS], per_node[KINDS];
	uint64_t random;
};

static int placed, refused, shorts, joints, searches;

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static uint32_t larger_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t smaller_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static int64_t all_of(const struct world *w, uint32_t node, int k)
{
	return k == 0 ? w->node_procs[node]
		      : (int64_t)w->resources[node * KINDS + k - 1];
}

/* Empty the lanes, and the table. */
static void reset(struct world *w)
{
	libra_lanes_reset(w->e, w->line);
	for (uint32_t i = 0; i < w->nnodes; i++)
		for (int t = 0; t <= LAST_S; t++)
			for (int k = 0; k < WIDTH; k++)
				w->free[i][t][k] =
					w->e->nodes[i].state == LIBRA_NODE_UP
						? all_of(w, i, k)
						: 0;
}

static void open_world(struct world *w, uint64_t seed)
{
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("planned", NULL),
		.node_procs = w->node_procs,
		.offer_ttl_s = INFINITY,
		.by_node = true,
		.nresources = KINDS,
		.node_resources = w->resources,
	};

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->nnodes = 1 + draw(w, MOST_NODES);
	for (uint32_t i = 0; i < w->nnodes; i++) {
		w->node_procs[i] = 1 + draw(w, MOST_PROCS);
		w->first[i + 1] = w->first[i] + w->node_procs[i];
		w->resources[i * KINDS + MEMORY] = draw(w, 64);
		w->resources[i * KINDS + GPUS] = draw(w, 2) * draw(w, 5);
	}
	conf.nnodes = w->nnodes;
	w->e = host_engine_with(conf, "machine_reserve=0");
	libra_engine_schedule(w->e, 0);
	for (uint32_t i = 0; i < w->nnodes; i++)
		if (draw(w, 6) == 0)
			libra_engine_node(w->e, i, LIBRA_NODE_DRAIN, 0);
	assert_int_equal(libra_nodes_reserve(w->e, 4 * MOST_TAKEN, UINT32_MAX),
			 0);
	w->r = libra_planned_state(w->e)->nodes;
	w->line = &w->r->trial;
	reset(w);
}

/* ---- the line against the table ---- */

static const int64_t *amounts(const struct world *w, uint32_t span)
{
	return &w->r->amounts[(size_t)span * WIDTH];
}

static bool alike(const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, WIDTH * sizeof(*a)) == 0;
}

/* The blocks of a node follow each other, and two neighbours are more than one
 * block could have: this bounds the memory (blocks_of() in lanes.c).
 */
static void compare_blocks(const struct world *w, uint32_t node)
{
	const struct libra_block *blocks = w->line->blocks;
	uint32_t block = w->line->first[node] / LIBRA_BLOCK_STEPS, next;

	assert_int_equal(w->line->first[node] % LIBRA_BLOCK_STEPS, 0);
	assert_int_equal(blocks[block].prev, LIBRA_NO_SPAN);
	for (;; block = next) {
		next = blocks[block].next;
		assert_in_range(blocks[block].n, 1, LIBRA_BLOCK_STEPS);
		if (next == LIBRA_NO_SPAN)
			break;
		assert_int_equal(blocks[next].prev, block);
		assert_true(blocks[block].to_s ==
			    w->line->from_s[next * LIBRA_BLOCK_STEPS]);
		assert_true(blocks[block].n + blocks[next].n >=
			    LIBRA_BLOCK_STEPS);
		joints++;
	}
	assert_true(blocks[block].to_s == INFINITY);
}

static void compare(struct world *w)
{
	bool is_short = false;

	for (uint32_t i = 0; i < w->nnodes; i++) {
		uint32_t step = w->line->first[i], next;

		assert_int_equal(w->line->look[i], step);
		for (int t = w->now_s; t <= LAST_S; t++) {
			while ((next = libra_lanes_next(w->line, step)) !=
				       LIBRA_NO_SPAN &&
			       w->line->from_s[next] <= t)
				step = next;
			assert_true(w->line->from_s[step] <= t);
			assert_true(alike(&w->line->free[step * WIDTH],
					  w->free[i][t]));
			/* It begins where something changes, and ends so. */
			if (!w->is_set && t > w->now_s)
				assert_int_equal(w->line->from_s[step] == t,
						 !alike(w->free[i][t - 1],
							w->free[i][t]));
			for (int k = 0; k < WIDTH; k++)
				is_short |= w->free[i][t][k] < 0;
		}
		assert_int_equal(libra_lanes_next(w->line, step),
				 LIBRA_NO_SPAN);
		compare_blocks(w, i);
	}
	assert_int_equal(libra_lanes_is_short(w->e, w->line), is_short);
	shorts += is_short;
}

static void take(struct world *w, const struct taken *taken, int sign)
{
	const struct libra_span *spans = w->r->spans;

	libra_lanes_add(w->e, w->line, taken->spans, taken->from_s, taken->to_s,
			sign);
	for (uint32_t span = taken->spans; span != LIBRA_NO_SPAN;
	     span = spans[span].next)
		for (int t = taken->from_s; t < taken->to_s; t++)
			for (int k = 0; k < WIDTH; k++)
				w->free[spans[span].node][t][k] -=
					sign * amounts(w, span)[k];
}

static void keep(struct world *w, struct taken taken)
{
	take(w, &taken, 1);
	w->taken[w->ntaken++] = taken;
}

static void give_one(struct world *w)
{
	struct taken *it = &w->taken[draw(w, (uint32_t)w->ntaken)];

	take(w, it, -1);
	libra_spans_free(w->r, &it->spans);
	*it = w->taken[--w->ntaken];
}

static void set_one(struct world *w, uint32_t within_s)
{
	uint32_t node = draw(w, w->nnodes);
	int from_s = w->now_s + (int)draw(w, within_s);
	int to_s = from_s + 1 + (int)draw(w, 20);
	bool all = draw(w, 2);

	to_s = to_s < LAST_S ? to_s : LAST_S;
	if (from_s >= to_s)
		return;
	libra_lanes_set(w->e, w->line, node, from_s,
			to_s == LAST_S ? INFINITY : to_s, all);
	for (int t = from_s; t < to_s || (t == LAST_S && to_s == LAST_S); t++)
		for (int k = 0; k < WIDTH; k++)
			w->free[node][t][k] = all ? all_of(w, node, k) : 0;
	w->is_set = true;
}

/* ---- places ---- */

static void draw_where(struct world *w)
{
	memset(&w->where, 0, sizeof(w->where));
	if (draw(w, 3) == 0) {
		uint32_t node = draw(w, w->nnodes);

		w->allowed[0] = (struct libra_range){0, w->first[node + 1]};
		w->where.allowed = w->allowed;
		w->where.nallowed = 1;
		if (node + 2 < w->nnodes) {
			w->allowed[1] = (struct libra_range){
				w->first[node + 2], w->node_procs[node + 2]};
			w->where.nallowed = 2;
		}
	}
	w->where.chunk = draw(w, 2) ? 0 : 1 + draw(w, 3);
	w->where.node_max = draw(w, 4) ? 0 : 1 + draw(w, 6);
	w->where.min_nodes = draw(w, 4) ? 0 : draw(w, 3);
	w->where.max_nodes =
		draw(w, 4) ? 0 : w->where.min_nodes + 1 + draw(w, 2);
	w->per_chunk[MEMORY] = draw(w, 2) * draw(w, 20);
	w->per_chunk[GPUS] = draw(w, 3) == 0;
	w->per_node[MEMORY] = draw(w, 4) ? draw(w, 20) : LIBRA_ALL;
	w->per_node[GPUS] = draw(w, 4) == 0;
	if (draw(w, 3))
		w->where.per_chunk = w->per_chunk;
	if (draw(w, 3))
		w->where.per_node = w->per_node;
}

static uint64_t asked_each(const struct world *w, int k)
{
	return w->where.per_chunk ? w->where.per_chunk[k] : 0;
}

static uint64_t asked_once(const struct world *w, uint32_t node, int k)
{
	uint64_t n = w->where.per_node ? w->where.per_node[k] : 0;

	return n == LIBRA_ALL ? (uint64_t)all_of(w, node, k + 1) : n;
}

/* What so many tasks take of a node. */
static bool is_taken(const struct world *w, uint32_t node, uint32_t chunks,
		     const int64_t *amount)
{
	for (int k = 0; k < KINDS; k++) {
		uint64_t n = asked_once(w, node, k);

		if (!w->where.per_node || w->where.per_node[k] != LIBRA_ALL)
			n += chunks * asked_each(w, k);
		if (amount[k + 1] != (int64_t)n)
			return false;
	}
	return true;
}

/* Processors of a node in whole tasks, by trying one more each time. */
static uint32_t usable(const struct world *w, uint32_t node, int from_s,
		       int to_s, int64_t *least)
{
	uint32_t chunk = w->where.chunk > 1 ? w->where.chunk : 1, n = 0;

	for (int k = 0; k < WIDTH; k++) {
		least[k] = INT64_MAX;
		for (int t = from_s; t < to_s; t++)
			if (w->free[node][t][k] < least[k])
				least[k] = w->free[node][t][k];
	}
	for (uint32_t tasks = 1;; tasks++) {
		if ((int64_t)(tasks * chunk) > least[0] ||
		    (w->where.node_max && tasks * chunk > w->where.node_max))
			return n;
		for (int k = 0; k < KINDS; k++) {
			uint64_t wants = asked_once(w, node, k) +
					 tasks * asked_each(w, k);

			if ((int64_t)wants > least[k + 1])
				return n;
		}
		n = tasks * chunk;
	}
}

static bool is_allowed(const struct world *w, uint32_t node)
{
	for (uint32_t i = 0; i < w->where.nallowed; i++)
		if (w->first[node] >= w->allowed[i].first &&
		    w->first[node] < w->allowed[i].first + w->allowed[i].count)
			return true;
	return !w->where.allowed;
}

/* The nodes by the rule: how many processors of each. */
static bool find_nodes(const struct world *w,
		       const struct libra_reservation *plan, uint32_t *procs)
{
	struct libra_node_fit fits[MOST_NODES];
	struct libra_job job = {.nprocs = plan->nprocs, .where = &w->where};
	int from_s = (int)plan->start_s;
	int to_s = from_s + (int)plan->duration_s;
	uint32_t n = 0, used;

	for (uint32_t i = 0; i < w->nnodes; i++) {
		int64_t least[WIDTH];
		uint32_t most = usable(w, i, from_s, to_s, least);
		int since_s = from_s;
		double key = most;

		procs[i] = 0;
		if (most == 0 || !is_allowed(w, i))
			continue;
		while (since_s > w->now_s &&
		       alike(w->free[i][since_s - 1], w->free[i][from_s]))
			since_s--;
		if (most >= plan->nprocs)
			key = 2e9 - (double)least[0];
		for (int k = 0; k < KINDS; k++)
			if (all_of(w, i, k + 1) > 0 && asked_each(w, k) == 0 &&
			    (!w->where.per_node || w->where.per_node[k] == 0))
				key -= 1e10;
		fits[n++] = (struct libra_node_fit){.key = key,
						    .node = i,
						    .nprocs = most,
						    .since_s = since_s};
	}
	used = libra_where_nodes(&job, fits, n);
	for (uint32_t i = 0; i < used; i++)
		procs[fits[i].node] = fits[i].nprocs;
	return used > 0;
}

/* A place for a job at an instant; it is taken. */
static void place(struct world *w, int at_s, bool plain)
{
	uint32_t procs[MOST_NODES], chunk, left = 0;
	struct libra_reservation plan = {.start_s = at_s,
					 .shape = w->e->nslots};
	struct taken taken;

	if (plain)
		w->where = (struct libra_where){0};
	else
		draw_where(w);
	chunk = w->where.chunk > 1 ? w->where.chunk : 1;
	plan.duration_s =
		1 + draw(w, draw(w, 4) ? 8 : (uint32_t)(LAST_S - at_s));
	plan.nprocs = chunk * (1 + draw(w, 12 / chunk));
	if (plain) {
		plan.nprocs = 1 + draw(w, 2);
		plan.duration_s = fmin(1 + draw(w, 3), LAST_S - at_s);
	}
	libra_nodes_shape(w->e, w->e->nslots, &w->where);
	taken = (struct taken){libra_nodes_fit(w->e, w->line, &plan, at_s),
			       at_s, at_s + (int)plan.duration_s};
	if (!find_nodes(w, &plan, procs)) {
		assert_int_equal(taken.spans, LIBRA_NO_SPAN);
		refused++;
		return;
	}
	assert_int_not_equal(taken.spans, LIBRA_NO_SPAN);
	assert_int_equal(libra_spans_procs(w->r, taken.spans), plan.nprocs);
	for (uint32_t i = taken.spans; i != LIBRA_NO_SPAN;
	     i = w->r->spans[i].next) {
		uint32_t node = w->r->spans[i].node;

		assert_int_equal(amounts(w, i)[0], procs[node]);
		assert_true(
			is_taken(w, node, procs[node] / chunk, amounts(w, i)));
		left++;
	}
	assert_int_equal(libra_spans_count(w->r, taken.spans), left);
	assert_true(libra_lanes_has(w->e, w->line, taken.spans, taken.from_s,
				    taken.to_s));
	keep(w, taken);
	placed++;
}

/* Several in order of their starts, each looked for behind the last. */
static void place_forward(struct world *w)
{
	bool plain = draw(w, 2);
	int at_s = w->now_s;

	w->line->forward = true;
	for (int n = 0; n < (plain ? 10 : 4) && w->ntaken < MOST_TAKEN; n++) {
		at_s += (int)draw(w, plain ? 3 : 6);
		if (at_s < LAST_S)
			place(w, at_s, plain);
	}
	libra_lanes_back(w->e, w->line);
}

static bool are_same(const struct world *w, uint32_t a, uint32_t b)
{
	const struct libra_span *spans = w->r->spans;

	for (; a != LIBRA_NO_SPAN && b != LIBRA_NO_SPAN;
	     a = spans[a].next, b = spans[b].next)
		if (spans[a].node != spans[b].node ||
		    !alike(amounts(w, a), amounts(w, b)))
			return false;
	return a == b;
}

/* A search by starts, one later than the other, finds what each start alone
 * has: no node is passed over too long.
 */
static void search(struct world *w)
{
	struct libra_reservation plan = {.shape = w->e->nslots};
	uint32_t alone = LIBRA_NO_SPAN, found = LIBRA_NO_SPAN, chunk;
	int at_s = w->now_s;

	draw_where(w);
	chunk = w->where.chunk > 1 ? w->where.chunk : 1;
	plan.nprocs = chunk * (1 + draw(w, 24 / chunk));
	plan.duration_s = 1 + draw(w, 12);
	libra_nodes_shape(w->e, w->e->nslots, &w->where);
	libra_nodes_search(w->e);
	w->line->forward = true;
	for (; found == LIBRA_NO_SPAN && at_s < LAST_S;
	     at_s += 1 + (int)draw(w, 3)) {
		plan.start_s = at_s;
		found = libra_nodes_fit_later(w->e, w->line, &plan, at_s);
		alone = libra_nodes_fit(w->e, w->line, &plan, at_s);
		if (alone == LIBRA_NO_SPAN)
			assert_int_equal(found, LIBRA_NO_SPAN);
		else
			assert_true(are_same(w, found, alone));
		libra_spans_free(w->r, &alone);
		searches++;
	}
	libra_spans_free(w->r, &found);
	libra_lanes_back(w->e, w->line);
}

/* ---- jobs on their processors ---- */

/* Processors that a job has, in two parts: it is as if it had asked. */
static void restore(struct world *w)
{
	uint32_t all = w->first[w->nnodes], used = 0, spans;
	uint32_t at = draw(w, all), n = 1 + draw(w, all - at);
	struct libra_part parts[2] = {{{at, n}, 0, NULL}};
	uint64_t says[KINDS] = {draw(w, 9), draw(w, 3)};
	int until_s = w->now_s + 1 + (int)draw(w, 40);
	bool said = draw(w, 2);

	until_s = until_s < LAST_S ? until_s : LAST_S;
	if (n > 1 && draw(w, 2)) {
		parts[0].procs.count = n / 2;
		parts[1].procs = (struct libra_range){at + n / 2, n - n / 2};
	}
	for (int i = 0; i < 2; i++)
		parts[i].resources = said ? says : NULL;
	draw_where(w);
	libra_nodes_shape(w->e, w->e->nslots, &w->where);
	spans = libra_nodes_spans(w->e, w->e->nslots, parts,
				  parts[1].procs.count ? 2 : 1);
	for (uint32_t i = spans; i != LIBRA_NO_SPAN; i = w->r->spans[i].next) {
		uint32_t node = w->r->spans[i].node;
		uint32_t low = larger_of(at, w->first[node]);
		uint32_t high = smaller_of(at + n, w->first[node + 1]);
		uint32_t chunk = w->where.chunk > 1 ? w->where.chunk : 1;

		assert_true(low < high);
		assert_int_equal(amounts(w, i)[0], high - low);
		if (said)
			for (int k = 0; k < KINDS; k++)
				assert_int_equal(amounts(w, i)[k + 1], says[k]);
		else
			assert_true(is_taken(w, node, (high - low) / chunk,
					     amounts(w, i)));
		used += high - low;
	}
	assert_int_equal(used, n);
	keep(w, (struct taken){spans, w->now_s, until_s});
}

/* What one has beyond two others, of each node. */
static void look_beyond(struct world *w)
{
	uint32_t others[2], beyond, spans, n = draw(w, 3);
	int64_t left[MOST_NODES][WIDTH] = {{0}};

	if (w->ntaken == 0)
		return;
	spans = w->taken[draw(w, (uint32_t)w->ntaken)].spans;
	for (uint32_t i = spans; i != LIBRA_NO_SPAN; i = w->r->spans[i].next)
		memcpy(left[w->r->spans[i].node], amounts(w, i),
		       sizeof(left[0]));
	for (uint32_t k = 0; k < n; k++) {
		others[k] = w->taken[draw(w, (uint32_t)w->ntaken)].spans;
		for (uint32_t i = others[k]; i != LIBRA_NO_SPAN;
		     i = w->r->spans[i].next)
			for (int j = 0; j < WIDTH; j++) {
				int64_t *its = &left[w->r->spans[i].node][j];

				*its -= amounts(w, i)[j];
				*its = *its > 0 ? *its : 0;
			}
	}
	beyond = libra_spans_beyond(w->e, spans, others, n);
	assert_int_equal(libra_spans_count(w->r, beyond),
			 libra_spans_count(w->r, spans));
	for (uint32_t i = beyond; i != LIBRA_NO_SPAN; i = w->r->spans[i].next)
		assert_true(alike(left[w->r->spans[i].node], amounts(w, i)));
	libra_spans_free(w->r, &beyond);
}

/* Does it have what some spans have, over a stretch of time? */
static void ask(struct world *w)
{
	int from_s = w->now_s + (int)draw(w, (uint32_t)(LAST_S - w->now_s));
	int to_s = from_s + 1 + (int)draw(w, (uint32_t)(LAST_S - from_s));
	bool has = true;
	uint32_t spans;

	if (w->ntaken == 0)
		return;
	spans = w->taken[draw(w, (uint32_t)w->ntaken)].spans;
	for (uint32_t i = spans; i != LIBRA_NO_SPAN; i = w->r->spans[i].next)
		for (int t = from_s; t < to_s; t++)
			for (int k = 0; k < WIDTH; k++)
				has &= amounts(w, i)[k] <=
				       w->free[w->r->spans[i].node][t][k];
	assert_int_equal(libra_lanes_has(w->e, w->line, spans, from_s, to_s),
			 has);
}

static void step(struct world *w)
{
	uint32_t what = draw(w, 30);

	if (w->now_s < LAST_S / 2 && draw(w, 6) == 0) {
		w->now_s += 1 + (int)draw(w, 3);
		w->e->now_s = w->now_s;
		libra_lanes_advance(w->e, w->line);
	}
	if (w->ntaken == MOST_TAKEN || (what < 6 && w->ntaken > 0))
		give_one(w);
	else if (what == 6 && draw(w, 6) == 0)
		set_one(w, 20);
	else if (what == 7)
		restore(w);
	else if (what < 12 && !w->is_set)
		place_forward(w);
	else if (!w->is_set)
		place(w, w->now_s + (int)draw(w, 20), false);
	look_beyond(w);
	ask(w);
	search(w);
	compare(w);
}

static void lines_are_what_the_table_says(void **state)
{
	static struct world w;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < STEPS; i++)
			step(&w);
		while (w.ntaken > 0)
			give_one(&w);
		compare(&w);
		libra_engine_destroy(w.e);
	}
	assert_true(placed > 5000 && refused > 5000 && shorts > 1000);
	assert_true(joints > 500 && searches > 5000);
}

/* Searches begin at the block found last.  That block may be freed, belong to
 * another node, begin too late, or be of lanes that were emptied.
 */
static void steps_of_many_blocks_are_found(void **state)
{
	static struct world w;
	int most = 0;

	for (uint64_t seed = 0; seed < WORLDS; seed++) {
		open_world(&w, seed);
		for (int i = 0; i < 4 * STEPS; i++) {
			int before = joints;

			if (i == 2 * STEPS)
				reset(&w);
			if (w.now_s < LAST_S / 2 && draw(&w, 20) == 0) {
				w.e->now_s = ++w.now_s;
				libra_lanes_advance(w.e, w.line);
			}
			set_one(&w, LAST_S);
			if (draw(&w, 4) == 0)
				restore(&w);
			while (w.ntaken > 0)
				give_one(&w);
			compare(&w);
			assert_false(w.line->is_full);
			most = most > joints - before ? most : joints - before;
		}
		libra_engine_destroy(w.e);
	}
	assert_true(most >= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		freed_test(lines_are_what_the_table_says),
		freed_test(steps_of_many_blocks_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
