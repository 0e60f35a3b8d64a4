/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_twins.c - two engines that live through the same jobs decide the same.
 *
 * One is also asked, at any time, which deadline would be promised to one job
 * or to several together: to ask changes nothing.  Or one has closed nodes in
 * front of all others: it decides as one without them, so many processors on.
 * Verdicts, placements, actions and next events are compared, for every policy.
 *
 * Where processors are shared, a job is where the rows say that it is, also
 * when parts of it are gone and nodes were closed; one engine is asked less
 * often.
 *
 * And a deadline that is named is one that is promised, to one job and to
 * several, and not much later than need be.
 */
#include "tests/random.h"
#include "tests/unit/host.h"

enum { JOBS = 300, NODES = 4, PROCS = 4, LIVE = 64 };

struct twin {
	struct libra_engine *e[2];
	uint64_t ticket[LIVE];
	bool running[LIVE];
	double ends_s[LIVE];
	double now_s;
	uint32_t shift; /* processors that the second one has in front */
};

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	return random_below(&seed, n);
}

/* Times of quarters, so that sums are exact. */
static struct libra_job some_job(double now_s)
{
	double estimate_s = 1 + draw(400) / 4.;
	double slack = 1 + draw(16) / 4.;
	struct libra_job job = {
		.submit_s = now_s,
		.estimate_s = estimate_s,
		.deadline_s = now_s + estimate_s * slack,
		.budget = 1 + draw(1000),
		.penalty_rate = draw(8) / 8.,
		.nprocs = 1 + draw(draw(4) ? 4 : NODES * PROCS),
		.user = draw(3),
	};

	return job;
}

static void ask(struct twin *t)
{
	for (uint32_t n = draw(3); n > 0; n--) {
		struct libra_job job = some_job(t->now_s);

		libra_engine_earliest_together(t->e[1], &job, 1 + draw(3),
					       t->now_s);
		libra_engine_earliest_deadline(t->e[1], &job, t->now_s);
	}
}

static void same_place(struct twin *t, uint64_t ticket)
{
	struct libra_range at[2][NODES * PROCS];
	int64_t n[2];

	for (int i = 0; i < 2; i++)
		n[i] = libra_engine_placement(t->e[i], ticket, at[i],
					      NODES * PROCS);
	assert_int_equal(n[0], n[1]);
	for (int64_t i = 0; i < n[0]; i++) {
		assert_int_equal(at[0][i].first + t->shift, at[1][i].first);
		assert_int_equal(at[0][i].count, at[1][i].count);
	}
}

static void begin(struct twin *t, uint64_t ticket)
{
	for (int k = 0; k < LIVE; k++) {
		if (t->ticket[k] != ticket)
			continue;
		for (int i = 0; i < 2; i++)
			assert_int_equal(
				libra_engine_started(t->e[i], ticket, t->now_s),
				0);
		t->running[k] = true;
		t->ends_s[k] = t->now_s + 1 + draw(400) / 4.;
	}
}

static void obey(struct twin *t)
{
	struct libra_action a[2];

	for (;;) {
		bool any = libra_engine_next_action(t->e[0], &a[0]);

		assert_int_equal(any, libra_engine_next_action(t->e[1], &a[1]));
		if (!any)
			return;
		assert_int_equal(a[0].kind, a[1].kind);
		if (a[0].kind == LIBRA_ACTION_RESHARE) {
			if (!t->shift) /* rows of the closed ones differ */
				assert_int_equal(a[0].row, a[1].row);
			continue;
		}
		assert_int_equal(a[0].ticket, a[1].ticket);
		assert_int_equal(a[0].reason, a[1].reason);
		if (a[0].kind == LIBRA_ACTION_START)
			begin(t, a[0].ticket);
		if (a[0].kind == LIBRA_ACTION_REJECT)
			for (int k = 0; k < LIVE; k++)
				if (t->ticket[k] == a[0].ticket)
					t->ticket[k] = 0;
	}
}

static void schedule(struct twin *t)
{
	for (int i = 0; i < 2; i++)
		libra_engine_schedule(t->e[i], t->now_s);
	obey(t);
}

static void end_some(struct twin *t)
{
	for (int k = 0; k < LIVE; k++) {
		if (!t->ticket[k] || !t->running[k] || t->ends_s[k] > t->now_s)
			continue;
		for (int i = 0; i < 2; i++)
			assert_int_equal(libra_engine_departed(t->e[i],
							       t->ticket[k],
							       t->now_s),
					 0);
		t->ticket[k] = 0;
		t->running[k] = false;
		obey(t);
	}
}

static void submit(struct twin *t)
{
	struct libra_job job = some_job(t->now_s);
	struct libra_verdict v[2];
	uint32_t k = draw(LIVE);

	if (t->ticket[k])
		return;
	for (int i = 0; i < 2; i++)
		v[i] = host_offer(t->e[i], job, t->now_s);
	assert_int_equal(v[0].answer, v[1].answer);
	assert_int_equal(v[0].reason, v[1].reason);
	assert_int_equal(v[0].ticket, v[1].ticket);
	assert_near(v[0].share, v[1].share, 0);
	assert_near(v[0].late_s, v[1].late_s, 0);
	if (v[0].answer == LIBRA_REJECT)
		return;
	same_place(t, v[0].ticket);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			libra_engine_commit(t->e[i], v[0].ticket, k, t->now_s),
			0);
	t->ticket[k] = v[0].ticket;
	t->running[k] = false;
}

static void compare(struct twin *t)
{
	assert_near(libra_engine_next_event_s(t->e[0]),
		    libra_engine_next_event_s(t->e[1]), 0);
	for (int k = 0; k < LIVE; k++)
		if (t->ticket[k])
			same_place(t, t->ticket[k]);
}

static void live(struct twin *t, bool asked)
{
	for (int n = 0; n < JOBS; n++) {
		t->now_s += draw(40) / 4.;
		end_some(t);
		schedule(t); /* to ask tells the time, too */
		if (asked)
			ask(t);
		submit(t);
		obey(t);
		schedule(t);
		if (asked)
			ask(t);
		compare(t);
	}
	for (int i = 0; i < 2; i++)
		libra_engine_destroy(t->e[i]);
}

static void to_ask_changes_nothing(void **state)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		const char *policy = libra_policies[i]->name;
		struct twin t = {.e = {host_engine(policy, NODES, PROCS),
				       host_engine(policy, NODES, PROCS)}};

		seed = i;
		live(&t, true);
	}
}

/* Without what depends on the size of the machine.  The closed processors are a
 * multiple of the largest block, and of a word of bits.
 */
enum { CLOSED = 32 };

static struct libra_engine *shifted(const struct libra_policy_type *policy,
				    uint32_t nclosed)
{
	uint32_t procs[CLOSED + NODES];
	double params[16];
	struct libra_engine_conf conf = {
		.policy = policy,
		.params = params,
		.node_procs = procs,
		.nnodes = nclosed + NODES,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e;

	for (uint32_t i = 0; i < conf.nnodes; i++)
		procs[i] = PROCS;
	for (size_t i = 0; i < policy->nparams; i++) {
		const char *name = policy->params[i].name;

		params[i] = policy->params[i].value;
		if (strcmp(name, "machine_reserve") == 0 ||
		    strcmp(name, "hold_back") == 0)
			params[i] = 0;
	}
	e = libra_engine_create(&conf, NULL);
	assert_non_null(e);
	for (uint32_t i = 0; i < nclosed; i++)
		assert_int_equal(libra_engine_node(e, i, LIBRA_NODE_DOWN, 0),
				 0);
	return e;
}

static void closed_nodes_in_front_change_nothing(void **state)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		struct twin t;

		/* These plan anew when jobs end beside closed nodes. */
		if (libra_policies[i]->plans ||
		    strcmp(libra_policies[i]->name, "conservative") == 0)
			continue;
		t = (struct twin){.e = {shifted(libra_policies[i], 0),
					shifted(libra_policies[i], CLOSED)},
				  .shift = CLOSED * PROCS};

		seed = 100 + i;
		live(&t, false);
	}
}

/* A job's processors and what is left of it, found by looking everywhere: on
 * all of them it runs, or on none.  Result: how many.
 */
static uint32_t as_rows(const struct libra_engine *e, uint64_t ticket,
			bool runs, double now_s)
{
	struct libra_range at[NODES * PROCS];
	int64_t n = libra_engine_placement(e, ticket, at, NODES * PROCS);
	double most_s = -INFINITY;
	uint32_t found = 0;

	assert_in_range(n, 1, NODES * PROCS);
	for (uint32_t p = 0; p < NODES * PROCS; p++) {
		const struct libra_row *row =
			libra_engine_row(e, libra_engine_row_of(e, p));
		bool named = false, held = false;

		for (int64_t i = 0; i < n; i++)
			named |= p >= at[i].first &&
				 p < at[i].first + at[i].count;
		for (uint32_t k = 0; k < row->ntasks; k++) {
			const struct libra_task *task = &row->tasks[k];

			if (task->slot != libra_ticket_slot(ticket))
				continue;
			held = true;
			assert_int_equal(task->running, runs);
			most_s = fmax(most_s,
				      task->est_left_s -
					      task->rate *
						      (now_s - row->since_s));
		}
		assert_int_equal(held, named);
		found += held;
	}
	assert_true(found > 0);
	assert_near(libra_engine_left_s(e, ticket, now_s, NULL), most_s, 0);
	return found;
}

/* Parts of jobs on all processors. */
static uint32_t count_parts(const struct libra_engine *e)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < NODES * PROCS; p++)
		n += libra_engine_row(e, libra_engine_row_of(e, p))->ntasks;
	return n;
}

/* Of a job that runs a part may be gone, on all processors of a row. */
static void end_part(struct twin *t, int k)
{
	uint32_t row = libra_engine_row_of(t->e[0], draw(NODES * PROCS));
	int64_t left[2];

	for (int i = 0; i < 2; i++)
		left[i] = libra_engine_part_departed(t->e[i], t->ticket[k], row,
						     t->now_s);
	assert_int_equal(left[0], left[1]);
	if (left[0] == 0)
		t->ticket[k] = 0;
	obey(t);
}

static void change_node(struct twin *t)
{
	uint32_t node = draw(NODES);
	bool up = draw(2);

	for (int i = 0; i < 2; i++)
		assert_int_equal(
			libra_engine_node(t->e[i], node,
					  up ? LIBRA_NODE_UP : LIBRA_NODE_DRAIN,
					  t->now_s),
			0);
	obey(t);
}

static void jobs_are_where_their_rows_are(void **state)
{
	for (size_t i = 0; libra_policies[i]; i++) {
		const char *policy = libra_policies[i]->name;
		struct twin t = {0};

		if (libra_policies[i]->mode != LIBRA_SHARE)
			continue;
		seed = 200 + i;
		for (int side = 0; side < 2; side++)
			t.e[side] = host_engine(policy, NODES, PROCS);
		for (int n = 0; n < 2 * JOBS; n++) {
			int k = (int)draw(LIVE);
			uint32_t found;

			t.now_s += draw(40) / 4.;
			end_some(&t);
			schedule(&t);
			submit(&t);
			obey(&t);
			if (t.ticket[k] && t.running[k])
				end_part(&t, k);
			if (draw(8) == 0)
				change_node(&t);
			schedule(&t);
			found = 0;
			for (k = 0; k < LIVE; k++) {
				if (!t.ticket[k])
					continue;
				found += as_rows(t.e[0], t.ticket[k],
						 t.running[k], t.now_s);
				if (draw(8) == 0)
					as_rows(t.e[1], t.ticket[k],
						t.running[k], t.now_s);
			}
			for (int side = 0; side < 2; side++)
				assert_int_equal(count_parts(t.e[side]), found);
		}
		for (int side = 0; side < 2; side++)
			libra_engine_destroy(t.e[side]);
	}
}

/* Offer so many jobs by a deadline, and take all back.  Result: are all
 * accepted, and in time?  librarisk names what it accepts as a bet, too: any
 * deadline, where a processor is empty.
 */
static bool all_accepted(struct libra_engine *e, struct libra_job job,
			 uint32_t n, double deadline_s, double now_s, bool bets)
{
	struct libra_verdict v[4];
	uint32_t k = 0;
	bool good = true;

	job.deadline_s = deadline_s;
	for (; k < n && good; k++) {
		v[k] = host_offer(e, job, now_s);
		good = v[k].answer == LIBRA_ACCEPT &&
		       (bets || v[k].late_s <= 1e-6);
	}
	while (k-- > 0)
		if (v[k].answer == LIBRA_ACCEPT)
			assert_int_equal(
				libra_engine_withdraw(e, v[k].ticket, now_s),
				0);
	return good;
}

/* What is named for n jobs is promised; and what is a second and one percent
 * nearer is not, where the rule has no gaps.
 */
static unsigned answers_hold(const char *policy, bool exact, bool bets)
{
	struct twin t = {.e = {host_engine(policy, NODES, PROCS),
			       host_engine(policy, NODES, PROCS)}};
	unsigned named = 0;

	for (int n = 0; n < JOBS; n++) {
		struct libra_job job;
		uint32_t many = 1 + draw(3);
		double at_s, rest_s;

		t.now_s += draw(40) / 4.;
		end_some(&t);
		submit(&t);
		obey(&t);
		schedule(&t);
		job = some_job(t.now_s);
		for (int i = 0; i < 2; i++) {
			at_s = libra_engine_earliest_together(t.e[i], &job,
							      many, t.now_s);
			if (!isfinite(at_s))
				continue;
			named++;
			if (!all_accepted(t.e[i], job, many, at_s, t.now_s,
					  bets))
				fail_msg("%s: %u by %.17g at %.17g", policy,
					 many, at_s, t.now_s);
			rest_s = at_s - t.now_s;
			at_s = t.now_s + 0.99 * (rest_s - 1);
			if (exact && all_accepted(t.e[i], job, many, at_s,
						  t.now_s, bets))
				fail_msg("%s: %u already by %.17g", policy,
					 many, at_s);
		}
	}
	for (int i = 0; i < 2; i++)
		libra_engine_destroy(t.e[i]);
	return named;
}

static void deadlines_that_are_named_are_promised(void **state)
{
	seed = 18;
	assert_true(answers_hold("libra", true, false) > JOBS);
	assert_true(answers_hold("librarisk", false, true) > JOBS);
	assert_true(answers_hold("demand", false, false) > JOBS);
	assert_true(answers_hold("band", false, false) > JOBS);
	assert_true(answers_hold("planned", false, false) > JOBS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(to_ask_changes_nothing),
		cmocka_unit_test(closed_nodes_in_front_change_nothing),
		cmocka_unit_test(jobs_are_where_their_rows_are),
		cmocka_unit_test(deadlines_that_are_named_are_promised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
