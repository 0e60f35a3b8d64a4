/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.c - steps of free resources for each node. */
#include "core/space/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/space/spans.h"

#define FIRST_STEPS 64

/* Parts of the time for which the block of each node is remembered.  The next
 * NEAR_PARTS x NEAR_S seconds share the same parts.
 */
#define NEAR_PARTS 128
#define NEAR_S	   8192.

/* ---- memory ---- */

bool libra_lanes_init(const struct libra_engine *e, struct libra_lanes *lanes)
{
	uint32_t nnodes = e->nnodes;

	lanes->nnodes = nnodes;
	lanes->first = calloc(nnodes, sizeof(*lanes->first));
	lanes->look = calloc(nnodes, sizeof(*lanes->look));
	lanes->near = calloc((size_t)nnodes * NEAR_PARTS, sizeof(*lanes->near));
	return libra_peaks_init(&lanes->peaks, nnodes) &&
	       libra_steady_init(e, &lanes->steady) && lanes->first &&
	       lanes->look && lanes->near;
}

void libra_lanes_fini(struct libra_lanes *lanes)
{
	free(lanes->first);
	free(lanes->look);
	free(lanes->near);
	libra_peaks_fini(&lanes->peaks);
	libra_steady_fini(&lanes->steady);
	free(lanes->blocks);
	free(lanes->from_s);
	free(lanes->free);
}

/* Two neighbouring blocks of a node have at least as many steps as fit in one;
 * the first block may have steps of the past alone.
 */
static uint64_t blocks_of(const struct libra_lanes *lanes, uint64_t nsteps)
{
	return 2 * (uint64_t)lanes->nnodes + nsteps / (LIBRA_BLOCK_STEPS / 2) +
	       1;
}

int libra_lanes_reserve(struct libra_lanes *lanes, uint64_t n, uint32_t width)
{
	bool ok = true;
	uint32_t cap;
	uint64_t nblocks;
	size_t nsteps;

	if (n <= lanes->cap)
		return 0;
	cap = libra_doubled(lanes->cap, FIRST_STEPS, n);
	nblocks = cap > 0 ? blocks_of(lanes, cap) : 0;
	if (nblocks > UINT32_MAX / LIBRA_BLOCK_STEPS)
		nblocks = 0; /* too many: fails */
	nsteps = nblocks * LIBRA_BLOCK_STEPS;
	lanes->blocks = libra_grown(lanes->blocks, nblocks,
				    sizeof(*lanes->blocks), &ok);
	lanes->from_s =
		libra_grown(lanes->from_s, nsteps, sizeof(*lanes->from_s), &ok);
	lanes->free = libra_grown(lanes->free, nsteps * width,
				  sizeof(*lanes->free), &ok);
	if (!ok)
		return -1;
	lanes->cap = cap;
	lanes->nblocks = (uint32_t)nblocks;
	return 0;
}

void libra_lanes_reset(const struct libra_engine *e, struct libra_lanes *lanes)
{
	uint32_t width = 1 + e->nresources;
	uint8_t procs[LIBRA_PEAK_NODES] = {0};

	lanes->n = e->nnodes;
	lanes->unused = LIBRA_NO_SPAN;
	lanes->forward = lanes->is_full = false;
	lanes->releases++;
	lanes->now_s = e->now_s;
	libra_peaks_reset(&lanes->peaks, e->now_s);
	libra_steady_reset(e, &lanes->steady);
	for (uint32_t i = 0; i < e->nnodes; i++) {
		bool open = e->nodes[i].state == LIBRA_NODE_UP;
		uint32_t step = i * LIBRA_BLOCK_STEPS;

		lanes->first[i] = lanes->look[i] = step;
		lanes->blocks[i] = (struct libra_block){INFINITY, LIBRA_NO_SPAN,
							LIBRA_NO_SPAN, 1, i};
		lanes->from_s[step] = e->now_s;
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)step * width + k] =
				open ? libra_node_all(e, i, k) : 0;
		procs[i % LIBRA_PEAK_NODES] =
			libra_peak(lanes->free[(size_t)step * width]);
		if ((i + 1) % LIBRA_PEAK_NODES == 0 || i + 1 == e->nnodes)
			libra_peaks_fill(&lanes->peaks,
					 i - i % LIBRA_PEAK_NODES, procs);
	}
}

/* ---- blocks ---- */

/* Put an empty block behind another.  Result: false if the blocks have run out.
 */
static bool new_block(struct libra_lanes *lanes, uint32_t behind, uint32_t *new)
{
	struct libra_block *blocks = lanes->blocks;
	uint32_t block = lanes->unused, next = blocks[behind].next;

	if (block != LIBRA_NO_SPAN)
		lanes->unused = blocks[block].next;
	else if (lanes->n < lanes->nblocks)
		block = lanes->n++;
	else
		lanes->is_full = true;
	if (block == LIBRA_NO_SPAN)
		return false;
	blocks[block] = (struct libra_block){blocks[behind].to_s, next, behind,
					     0, blocks[behind].node};
	if (next != LIBRA_NO_SPAN)
		blocks[next].prev = block;
	blocks[behind].next = *new = block;
	return true;
}

/* Remove a block, whose steps are over or elsewhere, from its lane. */
static void free_block(struct libra_lanes *lanes, uint32_t node, uint32_t block)
{
	struct libra_block *blocks = lanes->blocks;
	uint32_t prev = blocks[block].prev, next = blocks[block].next;
	uint32_t step = block * LIBRA_BLOCK_STEPS;
	uint32_t other = prev != LIBRA_NO_SPAN ? prev : next;

	if (prev != LIBRA_NO_SPAN) {
		blocks[prev].next = next;
		blocks[prev].to_s = blocks[block].to_s;
	}
	if (next != LIBRA_NO_SPAN)
		blocks[next].prev = prev;
	if (lanes->first[node] == step)
		lanes->first[node] = other * LIBRA_BLOCK_STEPS;
	if (lanes->look[node] == step)
		lanes->look[node] = other * LIBRA_BLOCK_STEPS;
	blocks[block].node = LIBRA_NO_SPAN;
	blocks[block].next = lanes->unused;
	lanes->unused = block;
}

/* Copy n steps to another place; both may overlap. */
static void move_steps(struct libra_lanes *lanes, uint32_t to, uint32_t from,
		       uint32_t n, uint32_t width)
{
	memmove(&lanes->from_s[to], &lanes->from_s[from],
		n * sizeof(*lanes->from_s));
	memmove(&lanes->free[(size_t)to * width],
		&lanes->free[(size_t)from * width],
		(size_t)n * width * sizeof(*lanes->free));
}

/* Join a block and the next one if that leaves room for a step. */
static void pack(struct libra_lanes *lanes, uint32_t node, uint32_t block,
		 uint32_t width)
{
	struct libra_block *blocks = lanes->blocks;
	uint32_t next = block != LIBRA_NO_SPAN ? blocks[block].next : block;

	if (next == LIBRA_NO_SPAN ||
	    blocks[block].n + blocks[next].n >= LIBRA_BLOCK_STEPS)
		return;
	move_steps(lanes, block * LIBRA_BLOCK_STEPS + blocks[block].n,
		   next * LIBRA_BLOCK_STEPS, blocks[next].n, width);
	blocks[block].n += blocks[next].n;
	free_block(lanes, node, next);
}

/* Remove the blocks of a node that end before now. */
static void drop_past(struct libra_lanes *lanes, uint32_t node)
{
	uint32_t block = lanes->first[node] / LIBRA_BLOCK_STEPS;

	while (lanes->blocks[block].to_s <= lanes->now_s) {
		uint32_t next = lanes->blocks[block].next;

		free_block(lanes, node, block);
		block = next;
	}
}

/* ---- steps ---- */

/* Return the step that contains an instant, or the first one of the block of
 * `step` if the instant is earlier.
 */
static inline uint32_t step_from(const struct libra_lanes *lanes, uint32_t step,
				 double at_s)
{
	uint32_t block = step / LIBRA_BLOCK_STEPS, last;

	while (lanes->blocks[block].to_s <= at_s &&
	       lanes->blocks[block].next != LIBRA_NO_SPAN)
		block = lanes->blocks[block].next;
	step = block * LIBRA_BLOCK_STEPS;
	last = step + lanes->blocks[block].n - 1;
	while (step < last && lanes->from_s[step + 1] <= at_s)
		step++;
	return step;
}

/* As step_from(), but begin where the last search of the node for about this
 * instant ended, if that is a later block.
 */
static uint32_t step_near(const struct libra_lanes *lanes, uint32_t node,
			  uint32_t step, double at_s)
{
	int64_t part = at_s < 1e15 ? (int64_t)(at_s / NEAR_S) : 0;
	uint32_t *near =
		&lanes->near[(size_t)(part & (NEAR_PARTS - 1)) * lanes->nnodes +
			     node];

	if (*near < lanes->n && lanes->blocks[*near].node == node &&
	    lanes->from_s[*near * LIBRA_BLOCK_STEPS] <= at_s)
		step = *near * LIBRA_BLOCK_STEPS;
	step = step_from(lanes, step, at_s);
	*near = step / LIBRA_BLOCK_STEPS;
	return step;
}

uint32_t libra_lanes_step_at(const struct libra_lanes *lanes, uint32_t node,
			     double at_s)
{
	uint32_t step = lanes->look[node];

	if (lanes->forward && lanes->from_s[step] > at_s)
		step = lanes->first[node];
	if (!lanes->forward &&
	    lanes->blocks[step / LIBRA_BLOCK_STEPS].to_s <= at_s)
		return step_near(lanes, node, step, at_s);
	return step_from(lanes, step, at_s);
}

/* Move the second half of a full block to a new one behind it.
 * Result: false if the blocks have run out.
 */
static bool halve(struct libra_lanes *lanes, uint32_t block, uint32_t width)
{
	const uint32_t half = LIBRA_BLOCK_STEPS / 2;
	uint32_t more, step = block * LIBRA_BLOCK_STEPS + half;

	if (!new_block(lanes, block, &more))
		return false;
	move_steps(lanes, more * LIBRA_BLOCK_STEPS, step, half, width);
	lanes->blocks[block].n = lanes->blocks[more].n = half;
	lanes->blocks[block].to_s = lanes->from_s[step];
	return true;
}

/* Split a lane at an instant.  Result: the step that begins there; if the
 * blocks have run out, the one that contains it.
 */
static uint32_t split(struct libra_lanes *lanes, uint32_t node, double at_s,
		      uint32_t width)
{
	uint32_t step = libra_lanes_step_at(lanes, node, at_s), block, end,
		 before;

	if (lanes->from_s[step] >= at_s)
		return step;
	block = step / LIBRA_BLOCK_STEPS;
	if (lanes->blocks[block].n == LIBRA_BLOCK_STEPS) {
		if (!halve(lanes, block, width))
			return step;
		before = lanes->blocks[block].prev;
		pack(lanes, node, lanes->blocks[block].next, width);
		pack(lanes, node, before, width);
		return split(lanes, node, at_s, width);
	}
	end = block * LIBRA_BLOCK_STEPS + lanes->blocks[block].n++;
	move_steps(lanes, step + 1, step, end - step, width);
	lanes->from_s[step + 1] = at_s;
	return step + 1;
}

static bool are_equal(const struct libra_lanes *lanes, uint32_t a, uint32_t b,
		      uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if (lanes->free[(size_t)a * width + k] !=
		    lanes->free[(size_t)b * width + k])
			return false;
	return true;
}

static void remove_step(struct libra_lanes *lanes, uint32_t node, uint32_t step,
			uint32_t width)
{
	uint32_t block = step / LIBRA_BLOCK_STEPS;
	uint32_t begin = block * LIBRA_BLOCK_STEPS;
	uint32_t prev = lanes->blocks[block].prev;
	uint32_t end = begin + --lanes->blocks[block].n;

	move_steps(lanes, step, step + 1, end - step, width);
	if (end == begin) {
		free_block(lanes, node, block);
		pack(lanes, node, prev, width);
		return;
	}
	if (step == begin && prev != LIBRA_NO_SPAN) {
		lanes->blocks[prev].to_s = lanes->from_s[begin];
		if (lanes->look[node] == begin)
			lanes->look[node] = prev * LIBRA_BLOCK_STEPS;
	}
	pack(lanes, node, block, width);
	pack(lanes, node, prev, width);
}

/* Join the step that begins at an instant to its predecessor if the amounts
 * are equal.  A lane is then the same whether it was rebuilt or changed job by
 * job.
 */
static void join(struct libra_lanes *lanes, uint32_t node, double at_s,
		 uint32_t width)
{
	uint32_t step = libra_lanes_step_at(lanes, node, at_s), prev;

	if (lanes->from_s[step] != at_s || step == lanes->first[node])
		return;
	prev = step - 1;
	if (step % LIBRA_BLOCK_STEPS == 0) {
		uint32_t block = lanes->blocks[step / LIBRA_BLOCK_STEPS].prev;

		prev = block * LIBRA_BLOCK_STEPS + lanes->blocks[block].n - 1;
	}
	if (are_equal(lanes, prev, step, width))
		remove_step(lanes, node, step, width);
}

/* Set the peaks of a node in the slots of [from_s, to_s). */
static void put_peaks(struct libra_lanes *lanes, uint32_t node, double from_s,
		      double to_s, uint32_t width)
{
	int64_t slot = libra_slot_of(&lanes->peaks, from_s);
	int64_t last = libra_slot_of(&lanes->peaks, to_s), most;
	uint32_t step =
		libra_lanes_step_at(lanes, node, (double)slot * LIBRA_SLOT_S);
	uint32_t next = libra_lanes_next(lanes, step);

	for (; slot <= last && slot < lanes->peaks.first + LIBRA_SLOTS;
	     slot++) {
		double end_s = (double)(slot + 1) * LIBRA_SLOT_S;

		most = lanes->free[(size_t)step * width];
		while (next != LIBRA_NO_SPAN && lanes->from_s[next] < end_s) {
			step = next;
			next = libra_lanes_next(lanes, step);
			if (lanes->free[(size_t)step * width] > most)
				most = lanes->free[(size_t)step * width];
		}
		libra_peaks_put(&lanes->peaks, node, slot, most);
		if (next != LIBRA_NO_SPAN && lanes->from_s[next] == end_s) {
			step = next;
			next = libra_lanes_next(lanes, step);
		}
	}
}

static void add_span(const struct libra_nodes *r, struct libra_lanes *lanes,
		     uint32_t span, double from_s, double to_s, int sign)
{
	const int64_t *amount = libra_span_amounts(r, span);
	uint32_t width = r->width, node = r->spans[span].node, step;

	libra_nodes_forget(r, node);
	drop_past(lanes, node);
	if (!(from_s < to_s) || to_s <= lanes->from_s[lanes->first[node]])
		return;
	split(lanes, node, to_s, width);
	step = split(lanes, node, from_s, width);
	for (; step != LIBRA_NO_SPAN && lanes->from_s[step] < to_s;
	     step = libra_lanes_next(lanes, step))
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)step * width + k] -=
				sign * amount[k];
	join(lanes, node, to_s, width);
	join(lanes, node, from_s, width);
	if (lanes->peaks.nranges > 0)
		put_peaks(lanes, node, from_s, to_s, width);
	libra_steady_forget(&lanes->steady, node);
}

void libra_lanes_back(const struct libra_engine *e, struct libra_lanes *lanes)
{
	lanes->forward = false;
	memcpy(lanes->look, lanes->first, e->nnodes * sizeof(*lanes->look));
}

void libra_lanes_advance(const struct libra_engine *e,
			 struct libra_lanes *lanes)
{
	lanes->now_s = e->now_s;
	libra_peaks_advance(&lanes->peaks, e->now_s);
}

static bool is_short(const struct libra_lanes *lanes, uint32_t node,
		     uint32_t width)
{
	uint32_t step = libra_lanes_step_at(lanes, node, lanes->now_s);

	for (; step != LIBRA_NO_SPAN; step = libra_lanes_next(lanes, step))
		for (uint32_t k = 0; k < width; k++)
			if (lanes->free[(size_t)step * width + k] < 0)
				return true;
	return false;
}

bool libra_lanes_is_short(const struct libra_engine *e,
			  const struct libra_lanes *lanes)
{
	for (uint32_t i = 0; i < e->nnodes; i++)
		if (is_short(lanes, i, 1 + e->nresources))
			return true;
	return lanes->is_full;
}

void libra_lanes_set(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t node, double from_s, double to_s, bool all)
{
	uint32_t width = 1 + e->nresources, step;

	drop_past(lanes, node);
	if (to_s <= lanes->from_s[lanes->first[node]])
		return;
	lanes->releases += all;
	if (to_s < INFINITY)
		split(lanes, node, to_s, width);
	step = split(lanes, node, from_s, width);
	for (; step != LIBRA_NO_SPAN && lanes->from_s[step] < to_s;
	     step = libra_lanes_next(lanes, step))
		for (uint32_t k = 0; k < width; k++)
			lanes->free[(size_t)step * width + k] =
				all ? libra_node_all(e, node, k) : 0;
	if (lanes->peaks.nranges > 0)
		put_peaks(lanes, node, from_s, to_s, width);
	libra_steady_forget(&lanes->steady, node);
}

void libra_lanes_add(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s, int sign)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	lanes->releases += sign < 0;
	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next)
		add_span(r, lanes, spans, from_s, to_s, sign);
}

void libra_lanes_add_open(const struct libra_engine *e,
			  struct libra_lanes *lanes, uint32_t spans,
			  double from_s, double end_s, int sign)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;

	lanes->releases += sign < 0;
	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next)
		add_span(r, lanes, spans,
			 fmax(from_s,
			      libra_node_back_s(e, r->spans[spans].node)),
			 end_s, sign);
}

/* ---- steady nodes ---- */

static bool has_less(const struct libra_lanes *lanes, uint32_t step,
		     uint32_t than, uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if (lanes->free[(size_t)step * width + k] <
		    lanes->free[(size_t)than * width + k])
			return true;
	return false;
}

static void read_lane(const struct libra_engine *e, struct libra_lanes *lanes,
		      uint32_t node)
{
	uint32_t width = 1 + e->nresources;
	uint32_t step = libra_lanes_step_at(lanes, node, e->now_s);
	uint32_t next = libra_lanes_next(lanes, step);
	int64_t procs = lanes->free[(size_t)step * width];
	double to_s = next == LIBRA_NO_SPAN ? INFINITY : lanes->from_s[next];

	while (next != LIBRA_NO_SPAN && !has_less(lanes, next, step, width))
		next = libra_lanes_next(lanes, next);
	if (next != LIBRA_NO_SPAN || procs < 0 || procs > lanes->steady.most)
		procs = lanes->steady.most + 1;
	libra_steady_note(&lanes->steady, node, (uint32_t)procs, to_s);
}

void libra_lanes_find_steady(const struct libra_engine *e,
			     struct libra_lanes *lanes)
{
	const uint64_t *stale = lanes->steady.stale;
	uint32_t reads = LIBRA_STEADY_READS;

	libra_steady_forget_ended(e, &lanes->steady);
	for (uint32_t w = 0; w < lanes->steady.words && reads > 0; w++)
		for (; reads > 0 && stale[w] != 0; reads--)
			read_lane(e, lanes,
				  w * 64 + (uint32_t)__builtin_ctzll(stale[w]));
}

/* ---- amounts ---- */

static bool has_amounts(const struct libra_lanes *lanes, uint32_t step,
			const int64_t *amount, uint32_t width)
{
	for (uint32_t k = 0; k < width; k++)
		if (lanes->free[(size_t)step * width + k] < amount[k])
			return false;
	return true;
}

/* Return the first instant behind a step without `need` at which the node may
 * have it; look no further than the step's block.
 */
static double lacks_until(const struct libra_lanes *lanes, uint32_t step,
			  const int64_t *need, uint32_t width)
{
	const struct libra_block *block =
		&lanes->blocks[step / LIBRA_BLOCK_STEPS];
	uint32_t end = step - step % LIBRA_BLOCK_STEPS + block->n;

	do
		step++;
	while (step < end && !has_amounts(lanes, step, need, width));
	return step < end ? lanes->from_s[step] : block->to_s;
}

/* Return the begin of a step, or INFINITY if there is none. */
static double begin_of(const struct libra_lanes *lanes, uint32_t step)
{
	return step == LIBRA_NO_SPAN ? INFINITY : lanes->from_s[step];
}

bool libra_lanes_fits(struct libra_lanes *lanes, uint32_t node, double from_s,
		      double to_s, const int64_t *need, uint32_t width,
		      int64_t *free, double *at_s)
{
	uint32_t step;

	if (lanes->forward) {
		step = step_from(lanes, lanes->look[node], from_s);
		lanes->look[node] = step - step % LIBRA_BLOCK_STEPS;
	} else {
		step = libra_lanes_step_at(lanes, node, from_s);
	}
	*at_s = lanes->from_s[step];
	lanes->first_to_s = begin_of(lanes, libra_lanes_next(lanes, step));
	for (uint32_t k = 0; k < width; k++)
		free[k] = INT64_MAX;
	do {
		const int64_t *has = &lanes->free[(size_t)step * width];

		if (!has_amounts(lanes, step, need, width)) {
			*at_s = lacks_until(lanes, step, need, width);
			return false;
		}
		for (uint32_t k = 0; k < width; k++)
			free[k] = has[k] < free[k] ? has[k] : free[k];
		step = libra_lanes_next(lanes, step);
		lanes->last_to_s = begin_of(lanes, step);
	} while (lanes->last_to_s < to_s);
	return true;
}

double libra_lanes_find_before(const struct libra_lanes *lanes, uint32_t node,
			       const int64_t *amount, uint32_t width,
			       double from_s, double duration_s,
			       double before_s)
{
	uint32_t step = libra_lanes_step_at(lanes, node, from_s), next;
	double at_s = from_s;

	for (; at_s < before_s; step = next) {
		next = libra_lanes_next(lanes, step);
		if (!has_amounts(lanes, step, amount, width))
			at_s = next == LIBRA_NO_SPAN ? INFINITY
						     : lanes->from_s[next];
		else if (next == LIBRA_NO_SPAN ||
			 lanes->from_s[next] >=
				 fmin(at_s + duration_s, before_s))
			return at_s;
	}
	return INFINITY;
}

bool libra_lanes_has(const struct libra_engine *e, struct libra_lanes *lanes,
		     uint32_t spans, double from_s, double to_s)
{
	const struct libra_nodes *r = libra_planned_state(e)->nodes;
	int64_t free[1 + LIBRA_RESOURCES];
	double at_s;

	for (; spans != LIBRA_NO_SPAN; spans = r->spans[spans].next)
		if (!libra_lanes_fits(lanes, r->spans[spans].node, from_s, to_s,
				      libra_span_amounts(r, spans), r->width,
				      free, &at_s))
			return false;
	return true;
}
