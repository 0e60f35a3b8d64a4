/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_alike.c - plans by node against plans by count, on random workloads.
 *
 * Where nodes are alike and each job has whole ones, or where jobs ask for
 * processors of any node, names of nodes must not matter: two engines, one with
 * plans by node, one without, live through the same early ends, overruns,
 * cancellations, changes, trials and restarts, and give the same verdicts,
 * plans, deadlines and starts, to the last bit.  By node no processor is given
 * out twice.  In some worlds of whole nodes reservations move earlier in
 * slices, and nodes close, some of them for a known time: there each job has
 * the same processors, too.
 */
#include "tests/random.h"
#include "tests/unit/host.h"

#define WORLDS	   400
#define MOST_JOBS  150
#define MOST_NODES 8
#define MOST_PROCS (MOST_NODES * 4)

enum { MEMORY, GPUS, KINDS };
enum side { COUNT, NODE, SIDES };
enum life { NONE, WAITS, RUNS, ENDED };

struct item {
	struct libra_job job;
	uint64_t tickets[SIDES];
	enum life life;
	bool firm;
	double end_s, started_s;
};

struct world {
	struct libra_engine_conf conf;
	struct libra_engine *e[SIDES];
	double params[16], now_s;
	bool later;
	double back_s[MOST_NODES]; /* of closed ones; 0: open */
	uint32_t node_procs[MOST_NODES], nprocs;
	uint64_t resources[MOST_NODES * KINDS];
	uint64_t gpus[KINDS];
	struct libra_where where;
	struct item items[MOST_JOBS];
	int nitems, starts, refused, moved, restarts;
	uint64_t random;
};

static uint32_t draw(struct world *w, uint32_t n)
{
	return random_below(&w->random, n);
}

static void open_engines(struct world *w)
{
	for (int side = 0; side < SIDES; side++) {
		struct libra_engine_conf conf = w->conf;

		conf.by_node = side == NODE;
		conf.nresources = side == NODE ? KINDS : 0;
		w->e[side] = libra_engine_create(&conf, NULL);
		assert_non_null(w->e[side]);
	}
}

static void close_engines(struct world *w)
{
	for (int side = 0; side < SIDES; side++)
		libra_engine_destroy(w->e[side]);
}

static void open_world(struct world *w, uint64_t seed)
{
	const struct libra_policy_type *p = libra_policy_find("planned", NULL);
	uint32_t whole;

	memset(w, 0, sizeof(*w));
	w->random = seed * 0x9e3779b97f4a7c15 + 1;
	whole = draw(w, 3);
	w->conf = (struct libra_engine_conf){
		.policy = p,
		.params = w->params,
		.node_procs = w->node_procs,
		.nnodes = 1 + draw(w, MOST_NODES),
		.offer_ttl_s = INFINITY,
		.node_resources = w->resources,
	};
	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		w->node_procs[i] = whole ? 1 : 1 + draw(w, 4);
		w->nprocs += w->node_procs[i];
		w->resources[i * KINDS + MEMORY] = 64;
		w->resources[i * KINDS + GPUS] = 4;
	}
	/* What each node has: by count there is no such thing. */
	w->gpus[GPUS] = whole ? 4 : 0;
	w->later = w->conf.compress_later = whole && draw(w, 2);
	w->where = (struct libra_where){.per_node = w->gpus};
	for (size_t i = 0; i < p->nparams; i++)
		w->params[i] = p->params[i].value;
	*host_param(p, w->params, "hold_back") = 20 * draw(w, 2);
	*host_param(p, w->params, "pull_forward") = draw(w, 4) > 0;
	*host_param(p, w->params, "pull_hold_back") = 20 * draw(w, 2);
	*host_param(p, w->params, "hard_starts") = draw(w, 4) == 0;
	*host_param(p, w->params, "replan") = draw(w, 5) > 0;
	*host_param(p, w->params, "margin") = 5 * draw(w, 2);
	*host_param(p, w->params, "machine_reserve") =
		0; /* it does not live through a restart */
	open_engines(w);
}

/* By node some jobs say that they want GPUs. */
static struct libra_job of_side(const struct world *w, struct libra_job job,
				int side)
{
	if (side == NODE && w->gpus[GPUS] && job.nprocs % 2)
		job.where = &w->where;
	return job;
}

#define assert_same(a, b) assert_true(is_same((a), (b)))

static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* ---- what happens ---- */

static struct libra_job make_job(struct world *w)
{
	struct libra_job job = {
		.submit_s = w->now_s,
		.estimate_s = 1 + draw(w, 60),
		.nprocs = 1 + draw(w, w->nprocs),
	};

	if (draw(w, 2))
		job.nprocs = 1 + draw(w, (w->nprocs + 3) / 4);
	job.deadline_s = w->now_s + job.estimate_s / 2 + draw(w, 300);
	return job;
}

static void try_job(struct world *w, const struct libra_job *job)
{
	double earliest_s[SIDES];
	bool would[SIDES];

	for (int side = 0; side < SIDES; side++) {
		struct libra_job own = of_side(w, *job, side);

		would[side] = libra_engine_would_accept(w->e[side], &own, 2,
							w->now_s);
		earliest_s[side] = libra_engine_earliest_deadline(
			w->e[side], &own, w->now_s);
	}
	assert_int_equal(would[COUNT], would[NODE]);
	assert_same(earliest_s[COUNT], earliest_s[NODE]);
}

static void offer(struct world *w)
{
	struct libra_job job = make_job(w);
	struct libra_verdict v[SIDES];
	struct item *it = &w->items[w->nitems];
	bool firm = draw(w, 8) == 0;

	if (w->nitems == MOST_JOBS)
		return;
	if (draw(w, 4) == 0)
		try_job(w, &job);
	if (firm)
		job.deadline_s = INFINITY;
	*it = (struct item){.job = job, .life = WAITS, .firm = firm};
	for (int side = 0; side < SIDES; side++) {
		struct libra_job own = of_side(w, job, side);
		int rc = firm ? libra_engine_plan_ordinary(w->e[side], &own,
							   w->now_s, &v[side],
							   NULL)
			      : libra_engine_offer(w->e[side], &own, w->now_s,
						   &v[side], NULL);

		assert_int_equal(rc, 0);
		it->tickets[side] = v[side].ticket;
	}
	assert_int_equal(v[COUNT].answer, v[NODE].answer);
	assert_int_equal(v[COUNT].reason, v[NODE].reason);
	assert_same(v[COUNT].late_s, v[NODE].late_s);
	if (v[COUNT].answer == LIBRA_REJECT) {
		w->refused++;
		return;
	}
	w->nitems++;
	for (int side = 0; side < SIDES; side++)
		assert_int_equal(
			libra_engine_commit(w->e[side], it->tickets[side],
					    (uint64_t)w->nitems, w->now_s),
			0);
}

static struct item *any(struct world *w, enum life life)
{
	struct item *it =
		w->nitems ? &w->items[draw(w, (uint32_t)w->nitems)] : NULL;

	return it && it->life == life ? it : NULL;
}

static void cancel(struct world *w)
{
	struct item *it = any(w, WAITS);

	for (int side = 0; it && side < SIDES; side++)
		assert_int_equal(libra_engine_withdraw(w->e[side],
						       it->tickets[side],
						       w->now_s),
				 0);
	if (it)
		it->life = ENDED;
}

static void change(struct world *w)
{
	struct item *it = any(w, draw(w, 2) ? WAITS : RUNS);
	struct libra_verdict v[SIDES];
	struct libra_job changed;

	if (!it || it->firm)
		return;
	changed = it->job;
	changed.estimate_s = 1 + draw(w, 60);
	changed.deadline_s = w->now_s + changed.estimate_s + draw(w, 300);
	for (int side = 0; side < SIDES; side++)
		assert_int_equal(
			libra_engine_modify(w->e[side], it->tickets[side],
					    &changed, w->now_s, &v[side], NULL),
			0);
	assert_int_equal(v[COUNT].answer, v[NODE].answer);
	if (v[COUNT].answer == LIBRA_ACCEPT)
		it->job = changed;
}

/* No processor is in use twice. */
static void validate(const struct world *w)
{
	bool taken[MOST_PROCS] = {false};
	struct libra_range at[MOST_PROCS], other[MOST_PROCS];

	for (int i = 0; i < w->nitems; i++) {
		int64_t n =
			w->items[i].life == RUNS
				? libra_engine_placement(
					  w->e[NODE], w->items[i].tickets[NODE],
					  at, MOST_PROCS)
				: 0;

		if (n > 0 && w->later) {
			assert_int_equal(libra_engine_placement(
						 w->e[COUNT],
						 w->items[i].tickets[COUNT],
						 other, MOST_PROCS),
					 n);
			assert_memory_equal(at, other, (size_t)n * sizeof(*at));
		}
		for (int64_t k = 0; k < n; k++)
			for (uint32_t p = 0; p < at[k].count; p++) {
				assert_false(taken[at[k].first + p]);
				taken[at[k].first + p] = true;
			}
	}
}

static struct item *item_of(struct world *w, uint64_t id)
{
	assert_true(id > 0 && id <= (uint64_t)w->nitems);
	return &w->items[id - 1];
}

static void start(struct world *w, struct item *it)
{
	it->life = RUNS;
	it->started_s = w->now_s;
	/* Early, in time, or over its estimate. */
	it->end_s = w->now_s +
		    it->job.estimate_s *
			    (draw(w, 12) == 0 ? 1.3 : (1 + draw(w, 4)) / 4.0);
	for (int side = 0; side < SIDES; side++)
		assert_int_equal(libra_engine_started(w->e[side],
						      it->tickets[side],
						      w->now_s),
				 0);
	w->starts++;
}

static void compare_plans(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		const struct item *it = &w->items[i];

		if (it->life != WAITS)
			continue;
		assert_same(libra_engine_planned_start(w->e[COUNT],
						       it->tickets[COUNT]),
			    libra_engine_planned_start(w->e[NODE],
						       it->tickets[NODE]));
		assert_same(libra_engine_latest_start(w->e[COUNT],
						      it->tickets[COUNT]),
			    libra_engine_latest_start(w->e[NODE],
						      it->tickets[NODE]));
	}
}

static void carry_out(struct world *w)
{
	struct libra_action a[SIDES];
	bool more[SIDES];

	for (int side = 0; side < SIDES; side++)
		libra_engine_schedule(w->e[side], w->now_s);
	for (;;) {
		for (int side = 0; side < SIDES; side++)
			more[side] =
				libra_engine_next_action(w->e[side], &a[side]);
		assert_int_equal(more[COUNT], more[NODE]);
		if (!more[COUNT])
			break;
		assert_int_equal(a[COUNT].kind, a[NODE].kind);
		assert_int_equal(a[COUNT].job_id, a[NODE].job_id);
		if (a[COUNT].kind == LIBRA_ACTION_START)
			start(w, item_of(w, a[COUNT].job_id));
	}
	validate(w);
	compare_plans(w);
	assert_same(libra_engine_next_event_s(w->e[COUNT]),
		    libra_engine_next_event_s(w->e[NODE]));
}

static void finish(struct world *w)
{
	for (int i = 0; i < w->nitems; i++) {
		struct item *it = &w->items[i];

		if (it->life != RUNS || it->end_s > w->now_s)
			continue;
		for (int side = 0; side < SIDES; side++)
			assert_int_equal(libra_engine_departed(
						 w->e[side], it->tickets[side],
						 w->now_s),
					 0);
		it->life = ENDED;
	}
}

/* ---- nodes and slices ---- */

static void compress(struct world *w)
{
	uint64_t budget = 1 + draw(w, 60);
	bool more[SIDES] = {true, true};

	while (more[COUNT] && libra_engine_can_compress(w->e[COUNT])) {
		for (int side = 0; side < SIDES; side++)
			more[side] = libra_engine_compress(w->e[side], w->now_s,
							   budget);
		assert_int_equal(more[COUNT], more[NODE]);
	}
	assert_false(libra_engine_can_compress(w->e[NODE]));
}

static void tell_nodes(struct world *w)
{
	struct libra_outage out[MOST_NODES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->conf.nnodes; i++)
		if (w->back_s[i] > 0 && w->back_s[i] < INFINITY)
			out[n++] = (struct libra_outage){
				i, fmax(w->now_s, 1) - 1, w->back_s[i]};
	for (int side = 0; side < SIDES; side++) {
		for (uint32_t i = 0; i < w->conf.nnodes; i++)
			libra_engine_node(w->e[side], i,
					  w->back_s[i] > 0 ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
					  w->now_s);
		assert_int_equal(libra_engine_outages(w->e[side], out, n,
						      w->now_s, NULL),
				 0);
	}
}

static void close_or_open(struct world *w)
{
	uint32_t node = draw(w, w->conf.nnodes);

	if (w->back_s[node] > 0)
		w->back_s[node] = 0;
	else
		w->back_s[node] =
			draw(w, 2) ? INFINITY : w->now_s + 1 + draw(w, 60);
	tell_nodes(w);
}

/* Some nodes are not back in time. */
static void bring_back(struct world *w)
{
	bool any = false;

	for (uint32_t i = 0; i < w->conf.nnodes; i++) {
		if (w->back_s[i] == 0 || w->back_s[i] > w->now_s)
			continue;
		w->back_s[i] = draw(w, 4) ? 0 : INFINITY;
		any = true;
	}
	if (any)
		tell_nodes(w);
}

/* ---- restarts ---- */

static void restore(struct world *w, struct item *it, struct world *was)
{
	double left_s = it->started_s + it->job.estimate_s - w->now_s;

	for (int side = 0; side < SIDES; side++) {
		struct libra_job own = of_side(w, it->job, side);
		struct libra_engine *old = was->e[side];
		uint64_t ticket = it->tickets[side];
		struct libra_range at[MOST_PROCS];
		struct libra_part parts[MOST_PROCS];
		int64_t n = libra_engine_placement(old, ticket, at, MOST_PROCS);
		double start_s = libra_engine_planned_start(old, ticket);

		for (int64_t k = 0; k < n; k++)
			parts[k] = (struct libra_part){at[k], left_s, NULL};
		assert_int_equal(
			it->life == RUNS
				? libra_engine_restore(w->e[side], &own, parts,
						       (uint32_t)n, true,
						       w->now_s,
						       &it->tickets[side], NULL)
				: libra_engine_restore_waiting(
					  w->e[side], &own, start_s, w->now_s,
					  &it->tickets[side], NULL),
			0);
	}
}

static void restart(struct world *w)
{
	static struct world was;

	was = *w;
	open_engines(w);
	if (w->later)
		tell_nodes(w);
	for (int i = 0; i < w->nitems; i++) {
		/* The id is what actions name. */
		w->items[i].job.id = (uint64_t)i + 1;
		if (w->items[i].life == RUNS || w->items[i].life == WAITS)
			restore(w, &w->items[i], &was);
	}
	close_engines(&was);
	w->restarts++;
}

static void live(struct world *w)
{
	for (int step = 0; step < 400; step++) {
		double next_s = libra_engine_next_event_s(w->e[COUNT]);

		w->now_s = fmin(next_s, w->now_s + 1 + draw(w, 6));
		bring_back(w);
		finish(w);
		switch (draw(w, 8)) {
		case 0:
		case 1:
		case 2:
		case 3:
			offer(w);
			break;
		case 4:
			cancel(w);
			break;
		case 5:
			change(w);
			break;
		case 6:
			if (draw(w, 20) == 0)
				restart(w);
			break;
		case 7:
			if (w->later && draw(w, 4) == 0)
				close_or_open(w);
			else if (w->later)
				compress(w);
			break;
		}
		carry_out(w);
	}
}

static void test_worlds(void **state)
{
	static struct world w;
	int starts = 0, refused = 0, restarts = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		open_world(&w, seed);
		live(&w);
		starts += w.starts;
		refused += w.refused;
		restarts += w.restarts;
		close_engines(&w);
	}
	/* Of something. */
	assert_true(starts > 10 * WORLDS);
	assert_true(refused > 5 * WORLDS);
	assert_true(restarts > WORLDS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
