/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rooms.c - random workloads under planned with plans by node, and a
 * validator.
 *
 * Nodes of several sizes with memory and GPUs; jobs that ask for tasks of
 * several processors, memory and GPUs of each task or each node, certain nodes,
 * so many of them, whole ones; ordinary jobs that a host puts somewhere; early
 * ends, cancellations, trials; in some worlds nodes that close.
 *
 * Ordinary jobs are stopped for other ordinary ones, which then start there.
 *
 * Always: on no node is more in use of anything than there is, each job has the
 * shape that it asked for, and nothing of a closed node is given out.  While no
 * node closes: whoever was accepted starts by its latest start, nobody's start
 * becomes later as another job ends or is cancelled, and what would_accept and
 * earliest_deadline said came true.  Where nodes close, in some worlds few
 * nodes may be looked at for all that is lost: what is late is told all the
 * same, and the repair comes to an end.
 */
#include "core/engine_impl.h"
#include "tests/property/moves.h"
#include "tests/property/spans.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORLDS	   600
#define MOST_JOBS  120
#define MOST_NODES 6
#define MOST_PROCS (MOST_NODES * 8)

enum { MEMORY, GPUS, KINDS };
enum life { NONE, WAITS, RUNS, ENDED };

struct item {
	struct libra_job job;
	struct libra_where where;
	struct libra_range allowed[MOST_NODES];
	uint64_t per_chunk[KINDS], per_node[KINDS], ticket;
	bool nodes[MOST_NODES]; /* that it may have */
	uint32_t procs[MOST_NODES];
	uint64_t used[MOST_NODES][KINDS];
	enum life life;
	bool ordinary, bet, late;
	double runtime_s, started_s, planned_s;
};

struct world {
	struct libra_engine *e;
	struct libra_engine_conf conf;
	double params[16], now_s;
	uint32_t node_procs[MOST_NODES], first[MOST_NODES + 1];
	uint64_t resources[MOST_NODES * KINDS];
	bool closed[MOST_NODES], loose, hurried;
	struct item items[MOST_JOBS];
	struct moves moves;
	int nitems, kept, refused, pending, let_in, kept_out;
	uint64_t random;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_world(struct world *w, uint64_t seed)
{
	const struct libra_policy_type *p = libra_policy_find("planned", NULL);

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	w->conf = (struct libra_engine_conf){
		.policy = p,
		.params = w->params,
		.node_procs = w->node_procs,
		.nnodes = 1 + draw(w, MOST_NODES),
		.offer_ttl_s = INFINITY,
		.by_node = true,
		.nresources = KINDS,
		.node_resources = w->resources,
	};
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		w->node_procs[i] = 1 + draw(w, 8);
		w->first[i + 1] = w->first[i] + w->node_procs[i];
		w->resources[i * KINDS + MEMORY] = 8 + draw(w, 57);
		w->resources[i * KINDS + GPUS] = draw(w, 2) * draw(w, 5);
	}
	for (size_t i = 0; i < p->nparams; i++)
		w->params[i] = p->params[i].value;
	w->loose = draw(w, 4) == 0;
	*host_param(p, w->params, "machine_reserve") = draw(w, 2);
	*host_param(p, w->params, "hold_back") = 20 * draw(w, 2);
	*host_param(p, w->params, "pull_forward") = draw(w, 2);
	*host_param(p, w->params, "pull_hold_back") = 20 * draw(w, 2);
	*host_param(p, w->params, "hard_starts") = draw(w, 4) == 0;
	*host_param(p, w->params, "replan") = draw(w, 5) > 0;
	w->e = libra_engine_create(&w->conf, NULL);
	assert_non_null(w->e);
	w->hurried = w->loose && draw(w, 2);
	if (w->hurried)
		libra_engine_allow_search(w->e, draw(w, 40));
}

/* ---- the books ---- */

static void occupy(struct world *w, struct item *it)
{
	struct libra_range at[MOST_PROCS];
	int64_t n = libra_engine_placement(w->e, it->ticket, at, MOST_PROCS);
	uint32_t chunk = it->where.chunk ? it->where.chunk : 1, all = 0;
	uint32_t nnodes = 0;

	for (int64_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < at[i].count; k++) {
			uint32_t node = 0;

			while (at[i].first + k >= w->first[node + 1])
				node++;
			it->procs[node]++;
			all++;
		}
	assert_int_equal(all, it->job.nprocs);
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		if (it->procs[i] == 0)
			continue;
		nnodes++;
		assert_false(w->closed[i]);
		assert_true(it->nodes[i]);
		assert_int_equal(it->procs[i] % chunk, 0);
		if (it->where.node_max)
			assert_true(it->procs[i] <= it->where.node_max);
		for (int k = 0; k < KINDS; k++)
			it->used[i][k] =
				it->per_node[k] == LIBRA_ALL
					? w->resources[i * KINDS + k]
					: it->per_node[k] +
						  it->procs[i] / chunk *
							  it->per_chunk[k];
	}
	assert_true(nnodes >= it->where.min_nodes);
	if (it->where.max_nodes)
		assert_true(nnodes <= it->where.max_nodes);
}

static void validate(const struct world *w)
{
	assert_spans_owned(w->e);
	assert_reserved(w->e);
	assert_counted(w->e);
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		uint64_t used[KINDS] = {0};
		uint32_t procs = 0;

		for (int j = 0; j < w->nitems; j++) {
			const struct item *it = &w->items[j];

			if (it->life != RUNS)
				continue;
			procs += it->procs[i];
			for (int k = 0; k < KINDS; k++)
				used[k] += it->used[i][k];
		}
		assert_true(procs <= w->node_procs[i]);
		for (int k = 0; k < KINDS; k++)
			assert_true(used[k] <= w->resources[i * KINDS + k]);
	}
}

static void look_at_moves(struct world *w)
{
	uint64_t tickets[MOST_JOBS];
	int n = 0;

	for (int i = 0; i < w->nitems; i++)
		if (w->items[i].life == WAITS)
			tickets[n++] = w->items[i].ticket;
	moves_look(&w->moves, w->e, tickets, n);
}

/* ---- what happens ---- */

static void ask(struct world *w, struct item *it)
{
	uint32_t chunk = 1 + draw(w, 3), n = 1 + draw(w, 5);

	*it = (struct item){.life = WAITS};
	it->where.chunk = chunk;
	if (draw(w, 2))
		it->where.node_max = chunk * (1 + draw(w, 2));
	if (draw(w, 3) == 0)
		it->where.max_nodes = 1 + draw(w, 3);
	if (draw(w, 4) == 0)
		it->where.min_nodes = 1 + draw(w, n);
	if (it->where.max_nodes && it->where.min_nodes > it->where.max_nodes)
		it->where.min_nodes = it->where.max_nodes;
	if (draw(w, 2))
		it->per_chunk[MEMORY] = draw(w, 12);
	if (draw(w, 3) == 0)
		it->per_chunk[GPUS] = draw(w, 3);
	if (draw(w, 3) == 0)
		it->per_node[GPUS] = draw(w, 4);
	if (draw(w, 3) == 0)
		it->per_node[MEMORY] = draw(w, 4) ? draw(w, 30) : LIBRA_ALL;
	if (it->per_node[MEMORY] == LIBRA_ALL)
		it->per_chunk[MEMORY] = 0;
	it->where.per_chunk = it->per_chunk;
	it->where.per_node = it->per_node;
	it->where.allowed = draw(w, 3) ? NULL : it->allowed;
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		it->nodes[i] = !it->where.allowed || draw(w, 2);
		if (it->where.allowed && it->nodes[i])
			it->allowed[it->where.nallowed++] =
				(struct libra_range){w->first[i],
						     w->node_procs[i]};
	}
	it->job = (struct libra_job){
		.submit_s = w->now_s,
		.estimate_s = 1 + draw(w, 60),
		.nprocs = n * chunk,
		.where = &it->where,
	};
	it->job.deadline_s = w->now_s + it->job.estimate_s / 2 + draw(w, 200);
	it->runtime_s = 1 + draw(w, (uint32_t)it->job.estimate_s);
}

static void offer(struct world *w)
{
	struct item *it = &w->items[w->nitems];
	struct libra_verdict v;
	bool trial, said = false;
	double start_s;

	if (w->nitems == MOST_JOBS)
		return;
	ask(w, it);
	trial = !w->hurried && draw(w, 2);
	if (trial)
		said = libra_engine_would_accept(w->e, &it->job, 1, w->now_s);
	if (draw(w, 4) == 0) {
		double earliest_s = libra_engine_earliest_deadline(
			w->e, &it->job, w->now_s);

		trial = isfinite(earliest_s) && !w->hurried;
		said = true;
		if (isfinite(earliest_s))
			it->job.deadline_s = earliest_s;
	}
	if (libra_engine_offer(w->e, &it->job, w->now_s, &v, NULL) < 0)
		fail_msg("no offer");
	if (trial)
		assert_int_equal(v.answer == LIBRA_ACCEPT, said);
	if (v.answer == LIBRA_REJECT) {
		w->refused++;
		return;
	}
	it->ticket = v.ticket;
	it->bet = v.late_s > 0;
	start_s = libra_engine_planned_start(w->e, it->ticket);
	assert_true(start_s >= w->now_s);
	if (!it->bet)
		assert_true(start_s + it->job.estimate_s <=
			    it->job.deadline_s + 1e-6);
	w->nitems++;
	assert_int_equal(libra_engine_commit(w->e, v.ticket, 7, w->now_s), 0);
}

/* Who has the processors of a node: indices of items and 1, or 0. */
static void find_owners(const struct world *w, uint32_t node, int owner[8])
{
	struct libra_range at[MOST_PROCS];

	memset(owner, 0, 8 * sizeof(*owner));
	for (int j = 0; j < w->nitems; j++) {
		int64_t k = w->items[j].life == RUNS
				    ? libra_engine_placement(w->e,
							     w->items[j].ticket,
							     at, MOST_PROCS)
				    : 0;

		for (int64_t i = 0; i < k; i++)
			for (uint32_t p = 0; p < at[i].count; p++)
				if (at[i].first + p >= w->first[node] &&
				    at[i].first + p < w->first[node + 1])
					owner[at[i].first + p -
					      w->first[node]] = j + 1;
	}
}

/* An ordinary job on a node, of that many processors. */
static struct item *ask_ordinary(struct world *w, uint32_t n, double estimate_s,
				 const uint64_t *amounts, uint32_t node)
{
	struct item *it = &w->items[w->nitems];

	*it = (struct item){.ordinary = true};
	it->job = (struct libra_job){.id = 1000 + (uint64_t)w->nitems,
				     .submit_s = w->now_s,
				     .estimate_s = estimate_s,
				     .deadline_s = INFINITY,
				     .nprocs = n};
	it->runtime_s = 1 + draw(w, (uint32_t)estimate_s);
	it->procs[node] = n;
	memcpy(it->used[node], amounts, sizeof(it->used[node]));
	return it;
}

static void start_there(struct world *w, struct item *it,
			const struct libra_part *parts)
{
	assert_int_equal(libra_engine_restore(w->e, &it->job, parts,
					      it->job.nprocs, true, w->now_s,
					      &it->ticket, NULL),
			 0);
	it->life = RUNS;
	it->started_s = w->now_s;
	w->nitems++;
}

/* A host puts an ordinary job on the first processors that are free. */
static void start_ordinary(struct world *w)
{
	uint32_t node = draw(w, w->conf.nnodes), n = 0;
	int owner[8];
	uint64_t amounts[KINDS];
	struct libra_part parts[8];
	struct item *it;

	if (w->nitems == MOST_JOBS || w->closed[node])
		return;
	find_owners(w, node, owner);
	amounts[MEMORY] = draw(w, 20);
	amounts[GPUS] = draw(w, 2);
	for (uint32_t i = 0; i < w->node_procs[node] && n < 3; i++)
		if (!owner[i])
			parts[n++] = (struct libra_part){
				{w->first[node] + i, 1}, 30, amounts};
	if (n == 0)
		return;
	it = ask_ordinary(w, n, 30, amounts, node);
	if (libra_engine_may_start(
		    w->e, &it->job,
		    &(struct libra_start_query){.parts = parts, .nparts = n},
		    w->now_s))
		start_there(w, it, parts);
}

static void carry_out(struct world *w);

/* Those that are to go have no life meanwhile. */
static void end_gone(struct world *w, bool stop)
{
	for (int j = 0; j < w->nitems; j++) {
		struct item *it = &w->items[j];

		if (it->life != NONE)
			continue;
		it->life = stop ? ENDED : RUNS;
		if (stop)
			assert_int_equal(libra_engine_departed(w->e, it->ticket,
							       w->now_s),
					 0);
	}
}

/* An ordinary job starts in the places of all ordinary ones on a node.  What
 * was said while they were there comes true when they have gone; where no plan
 * comes forward a refusal does, too.
 */
static void start_instead(struct world *w)
{
	uint32_t node = draw(w, w->conf.nnodes), n = 0, ngone = 0;
	int owner[8];
	uint64_t gone[8], amounts[KINDS];
	struct libra_part parts[8];
	struct libra_start_query at = {.parts = parts, .gone = gone};
	bool may, pulls;
	struct item *it;

	if (w->nitems == MOST_JOBS || w->closed[node])
		return;
	find_owners(w, node, owner);
	amounts[MEMORY] = draw(w, 30);
	amounts[GPUS] = draw(w, 3);
	for (uint32_t i = 0; i < w->node_procs[node]; i++) {
		it = owner[i] ? &w->items[owner[i] - 1] : NULL;
		if (!it || !it->ordinary)
			continue;
		if (it->life == RUNS)
			gone[ngone++] = it->ticket;
		it->life = NONE; /* known */
		parts[n++] = (struct libra_part){
			{w->first[node] + i, 1}, 0, amounts};
	}
	if (n == 0)
		return;
	it = ask_ordinary(w, n, 1 + draw(w, 90), amounts, node);
	for (uint32_t i = 0; i < n; i++)
		parts[i].est_left_s = it->job.estimate_s;
	at.nparts = n;
	at.ngone = ngone;
	at.delay_s = 5;
	at.stops = true;
	may = libra_engine_may_start(w->e, &it->job, &at, w->now_s);
	at.ngone = 0;
	at.stops = false;
	if (!may) {
		pulls = w->loose || *host_param(w->conf.policy, w->params,
						"pull_forward") > 0;
		end_gone(w, !pulls);
		if (pulls)
			return;
		w->kept_out++;
		assert_false(
			libra_engine_may_start(w->e, &it->job, &at, w->now_s));
		return;
	}
	end_gone(w, true);
	w->let_in++;
	carry_out(w); /* what is due, but nothing in its place */
	find_owners(w, node, owner);
	n = 0;
	for (uint32_t i = 0; i < w->node_procs[node] && n < it->job.nprocs; i++)
		if (!owner[i])
			parts[n++].procs.first = w->first[node] + i;
	start_there(w, it, parts);
	validate(w);
}

static void carry_out(struct world *w)
{
	struct libra_action action;

	libra_engine_schedule(w->e, w->now_s);
	while (libra_engine_next_action(w->e, &action)) {
		struct item *it = NULL;

		for (int i = 0; i < w->nitems; i++)
			if (w->items[i].ticket == action.ticket)
				it = &w->items[i];
		assert_non_null(it);
		if (action.kind == LIBRA_ACTION_LATE) {
			assert_true(w->loose);
			it->late = true;
			continue;
		}
		assert_int_equal(action.kind, LIBRA_ACTION_START);
		occupy(w, it);
		it->life = RUNS;
		it->started_s = w->now_s;
		assert_int_equal(
			libra_engine_started(w->e, it->ticket, w->now_s), 0);
		if (it->bet || it->late)
			continue;
		assert_true(w->now_s + it->job.estimate_s <=
			    it->job.deadline_s + 1e-6);
		w->kept++;
	}
	validate(w);
	look_at_moves(w);
	w->pending += libra_planned_state(w->e)->nunplaced > 0;
}

static void finish(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		struct item *it = &w->items[i];

		if (it->life != RUNS ||
		    it->started_s + it->runtime_s > w->now_s)
			continue;
		assert_int_equal(
			libra_engine_departed(w->e, it->ticket, w->now_s), 0);
		it->life = ENDED;
	}
}

static void cancel(struct world *w)
{
	struct item *it =
		w->nitems ? &w->items[draw(w, (uint32_t)w->nitems)] : NULL;

	if (!it || it->life != WAITS)
		return;
	assert_int_equal(libra_engine_withdraw(w->e, it->ticket, w->now_s), 0);
	it->life = ENDED;
}

static void close_node(struct world *w)
{
	uint32_t i = draw(w, w->conf.nnodes);

	w->closed[i] = !w->closed[i];
	assert_int_equal(libra_engine_node(w->e, i,
					   w->closed[i] ? LIBRA_NODE_DRAIN
							: LIBRA_NODE_UP,
					   w->now_s),
			 0);
}

/* The clock is set back: as far from what runs as before, and further from all
 * deadlines.
 */
static void set_clock(struct world *w)
{
	double by_s = draw(w, 20);

	assert_int_equal(libra_engine_clock(w->e, w->now_s, w->now_s - by_s),
			 0);
	w->now_s -= by_s;
	for (int i = 0; i < w->nitems; i++)
		w->items[i].started_s -= by_s;
}

/* What has become free leaves no one a later start. */
static void look_forward(struct world *w)
{
	for (int i = 0; i < w->nitems; i++)
		if (w->items[i].life == WAITS)
			w->items[i].planned_s = libra_engine_planned_start(
				w->e, w->items[i].ticket);
	finish(w);
	if (draw(w, 3) == 0)
		cancel(w);
	carry_out(w);
	for (int i = 0; i < w->nitems && !w->loose; i++) {
		const struct item *it = &w->items[i];
		double start_s = it->started_s;

		if (it->life == WAITS)
			start_s = libra_engine_planned_start(w->e, it->ticket);
		if (it->planned_s > 0 && it->life != ENDED)
			assert_true(start_s <= it->planned_s);
	}
}

static void live(struct world *w)
{
	for (int step = 0; step < 400; step++) {
		double next_s = libra_engine_next_event_s(w->e);

		w->now_s = fmin(next_s, w->now_s + 1 + draw(w, 6));
		if (w->now_s == next_s && draw(w, 2))
			w->now_s = next_s;
		look_forward(w);
		if (w->loose && draw(w, 40) == 0)
			close_node(w);
		if (draw(w, 60) == 0)
			set_clock(w);
		switch (draw(w, 6)) {
		case 0:
		case 1:
		case 2:
			offer(w);
			break;
		case 3:
			start_ordinary(w);
			break;
		case 4:
			start_instead(w);
			break;
		}
		carry_out(w);
	}
	for (int i = 0; i < MOST_JOBS * MOST_JOBS; i++)
		if (libra_planned_state(w->e)->nunplaced > 0)
			carry_out(w);
	assert_int_equal(libra_planned_state(w->e)->nunplaced, 0);
}

static void test_worlds(void **state)
{
	static struct world w;
	int kept = 0, refused = 0, pending = 0, still = 0;
	int let_in = 0, kept_out = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		open_world(&w, seed);
		live(&w);
		kept += w.kept;
		refused += w.refused;
		pending += w.pending;
		still += w.moves.still;
		let_in += w.let_in;
		kept_out += w.kept_out;
		libra_engine_destroy(w.e);
	}
	/* Of something. */
	assert_true(kept > 10 * WORLDS);
	assert_true(refused > 10 * WORLDS);
	assert_true(pending > WORLDS / 40);
	assert_true(still > 10 * WORLDS);
	assert_true(let_in > WORLDS);
	assert_true(kept_out > WORLDS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
