/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band.c - the policies band and demand: examples worked by hand, and
 * the promise that nobody who keeps to the estimate is late, looked at after
 * every event of random workloads.
 */
#include "tests/unit/test.h"

#include <errno.h>

#include "core/gang_ops.h"
#include "sim/run.h"

#define WORKLOADS 1000
#define MOST_JOBS 60

/* ---- a host in a few lines ---- */

struct host {
	struct libra_engine *e;
	double now_s;
};

static void open_host(struct host *h, const char *policy, uint32_t nprocs,
		      const char *off)
{
	const struct libra_policy_type *type = libra_policy_find(policy, NULL);
	double params[16];
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = &nprocs,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};

	assert_non_null(type);
	for (size_t i = 0; i < type->nparams; i++)
		params[i] = off && strcmp(type->params[i].name, off) == 0
				    ? 0
				    : type->params[i].value;
	h->e = libra_engine_create(&conf, NULL);
	h->now_s = 0;
	assert_non_null(h->e);
}

/* Result: the ticket, 0 if refused; dispatched and started. */
static uint64_t submit(struct host *h, uint32_t n, double estimate_s,
		       double deadline_s)
{
	struct libra_job job = {
		.submit_s = h->now_s,
		.estimate_s = estimate_s,
		.deadline_s = h->now_s + deadline_s,
		.nprocs = n,
	};
	struct libra_verdict verdict;

	assert_int_equal(
		libra_engine_offer(h->e, &job, h->now_s, &verdict, NULL), 0);
	if (verdict.answer == LIBRA_ACCEPT)
		assert_int_equal(
			libra_engine_commit(h->e, verdict.ticket, 1, h->now_s),
			0);
	return verdict.ticket;
}

/* Write the actions as "S1 H2 ": kind and number of the ticket's offer. */
static const char *actions(struct host *h)
{
	static char text[256];
	static const char letters[] = "?SR?HG";
	struct libra_action action;

	text[0] = '\0';
	libra_engine_schedule(h->e, h->now_s);
	while (libra_engine_next_action(h->e, &action)) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "%c%u ",
			 letters[action.kind], (unsigned)(action.ticket >> 32));
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(libra_engine_started(
						 h->e, action.ticket, h->now_s),
					 0);
	}
	return text;
}

static uint32_t first_proc(const struct host *h, uint64_t ticket)
{
	struct libra_range range;

	assert_true(libra_engine_placement(h->e, ticket, &range, 1) >= 1);
	return range.first;
}

/* ---- band by hand ---- */

/* A has 60 s by 100: slack 40.  B, 30 s by 50, may go before it: A is held
 * for 30 s and ends at 90.
 */
static void an_earlier_deadline_holds_a_later_one(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "band", 1, "reserve");
	assert_int_not_equal(submit(&h, 1, 60, 100), 0);
	assert_string_equal(actions(&h), "S1 ");
	h.now_s = 10;
	b = submit(&h, 1, 30, 50);
	assert_int_not_equal(b, 0);
	assert_string_equal(actions(&h), "H1 S2 ");
	h.now_s = 40;
	assert_int_equal(libra_engine_departed(h.e, b, 40), 0);
	assert_string_equal(actions(&h), "G1 ");
	libra_engine_destroy(h.e);
}

/* A: 60 s by 100, slack 40, and at 10 still 40.  B of 45 s by 50 would take
 * more: refused.  Of 40 s by 50: accepted.
 */
static void slack_is_all_that_may_be_taken(void **state)
{
	struct host h;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 60, 100);
	actions(&h);
	h.now_s = 10;
	assert_int_equal(submit(&h, 1, 45, 50), 0);
	assert_int_not_equal(submit(&h, 1, 40, 50), 0);
	libra_engine_destroy(h.e);
}

/* On processors 0-1 lies A (40 s by 50).  B, on 1-2 by then, waits for A; C,
 * later than both, needs 2 and 3: its earlier neighbour is B alone, but B's
 * wait for A does not add to C: 30 + 20 = 50 <= 60.
 */
static void the_sum_of_neighbours_is_enough(void **state)
{
	struct host h;
	const struct libra_gang *g;

	open_host(&h, "band", 4, "reserve");
	g = &libra_gang_state(h.e)->gang;
	assert_int_not_equal(submit(&h, 4, 20, 50), 0);
	assert_int_not_equal(submit(&h, 2, 30, 60), 0);
	assert_int_not_equal(submit(&h, 4, 10, 70), 0);
	assert_string_equal(actions(&h), "S1 ");
	libra_gang_touch((struct libra_gang *)g, 0);
	/* 70 - 10 - 30 - 20: both earlier ones are neighbours. */
	assert_near(libra_gang_slack(&g->jobs[2], 0), 10, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[1], 0), 10, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[0], 0), 30, 1e-9);
	assert_null(libra_gang_check(g, 0));
	libra_engine_destroy(h.e);
}

/* Blocks of 2 on 8 processors: two jobs with equal deadlines avoid each other;
 * the third of 4 takes the free half though 0-3 comes first.
 */
static void blocks_are_aligned_and_spread(void **state)
{
	struct host h;
	uint64_t a, b, c;

	open_host(&h, "band", 8, "reserve");
	a = submit(&h, 2, 10, 100);
	b = submit(&h, 2, 10, 100);
	c = submit(&h, 4, 10, 100);
	assert_int_equal(first_proc(&h, a), 0);
	assert_int_equal(first_proc(&h, b), 2);
	assert_int_equal(first_proc(&h, c), 4);
	assert_string_equal(actions(&h), "S1 S2 S3 ");
	libra_engine_destroy(h.e);
}

/* 100 s by 50: accepted where it is alone until 50, refused beside others;
 * and nobody may go before it.
 */
static void the_cap_gives_a_processor_until_the_deadline(void **state)
{
	struct host h;

	open_host(&h, "band", 2, "reserve");
	assert_int_not_equal(submit(&h, 1, 100, 50), 0);
	assert_int_not_equal(submit(&h, 1, 100, 50), 0);
	assert_int_equal(submit(&h, 1, 1, 40), 0);
	assert_int_equal(submit(&h, 1, 1, 50.5), 0);
	assert_int_not_equal(submit(&h, 1, 1, 51), 0);
	libra_engine_destroy(h.e);
	open_host(&h, "band", 2, "cap");
	assert_int_equal(submit(&h, 1, 100, 50), 0);
	libra_engine_destroy(h.e);
}

/* At its deadline a job is not late yet (it may end just then), a millionth
 * of a second later it is, and yields.
 */
static void late_jobs_yield(void **state)
{
	struct host h;
	double late_s;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 10, 20);
	submit(&h, 1, 10, 60);
	assert_string_equal(actions(&h), "S1 ");
	late_s = libra_engine_next_event_s(h.e);
	assert_near(late_s, 20 + LIBRA_LATE_AFTER_S, 1e-12);
	h.now_s = 20;
	assert_string_equal(actions(&h), "");
	h.now_s = late_s;
	assert_string_equal(actions(&h), "H1 S2 ");
	assert_null(libra_gang_check(&libra_gang_state(h.e)->gang, late_s));
	libra_engine_destroy(h.e);
}

/* Over its estimate by 20 s of 30 in all: the need is max(1, 3). */
static void over_the_estimate_the_rule_counts(void **state)
{
	struct host h;
	const struct libra_gang *g;

	open_host(&h, "band", 1, "reserve");
	g = &libra_gang_state(h.e)->gang;
	submit(&h, 1, 10, 100);
	actions(&h);
	libra_gang_touch((struct libra_gang *)g, 30);
	assert_near(g->jobs[0].need_s, 3, 1e-9);
	libra_gang_touch((struct libra_gang *)g, 98);
	assert_near(g->jobs[0].need_s, 2, 1e-9); /* until the deadline */
	libra_engine_destroy(h.e);
}

/* The host measured 5 s in 30: 55 s are left of 60. */
static void measured_progress_counts(void **state)
{
	struct host h;
	const struct libra_gang *g;
	uint64_t a;

	open_host(&h, "band", 1, "reserve");
	g = &libra_gang_state(h.e)->gang;
	a = submit(&h, 1, 60, 100);
	assert_int_equal(libra_engine_progress(h.e, a, 5, 0), -1);
	assert_int_equal(errno, EINVAL); /* does not run yet */
	actions(&h);
	assert_int_equal(libra_engine_progress(h.e, a, 5, 30), 0);
	assert_near(g->jobs[0].need_s, 55, 1e-9);
	assert_near(libra_gang_slack(&g->jobs[0], 30), 15, 1e-9);
	assert_int_equal(libra_engine_progress(h.e, a, -1, 30), -1);
	assert_int_equal(libra_engine_progress(h.e, a + 1, 5, 30), -1);
	assert_int_equal(errno, ENOENT);
	libra_engine_destroy(h.e);
}

/* What was changed and changed back before anybody asked is not told. */
static void only_the_last_word_is_told(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "band", 1, "reserve");
	submit(&h, 1, 60, 200);
	actions(&h);
	b = submit(&h, 1, 30, 50);
	libra_engine_schedule(h.e, h.now_s);
	assert_int_equal(libra_engine_withdraw(h.e, b, h.now_s), 0);
	assert_string_equal(actions(&h), "");
	libra_engine_destroy(h.e);
}

static void closed_processors_take_no_jobs(void **state)
{
	const uint32_t nodes[] = {2, 2};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("band", NULL),
		.node_procs = nodes,
		.nnodes = 2,
		.offer_ttl_s = INFINITY,
	};
	struct host h = {.e = libra_engine_create(&conf, NULL)};

	assert_int_equal(libra_engine_node(h.e, 0, LIBRA_NODE_DRAIN, 0), 0);
	assert_int_equal(first_proc(&h, submit(&h, 2, 10, 100)), 2);
	assert_int_equal(submit(&h, 3, 10, 100), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 0);
	assert_int_equal(libra_engine_node(h.e, 0, LIBRA_NODE_UP, 0), 0);
	assert_int_equal(libra_engine_free_procs(h.e), 2);
	assert_int_not_equal(submit(&h, 3, 10, 100), 0);
	libra_engine_destroy(h.e);
}

static void the_earliest_deadline_is_accepted(void **state)
{
	struct host h;
	struct libra_job job = {.estimate_s = 30, .nprocs = 2};
	double at_s;

	open_host(&h, "band", 2, "cap");
	submit(&h, 2, 60, 80);
	actions(&h);
	job.submit_s = h.now_s = 10;
	at_s = libra_engine_earliest_deadline(h.e, &job, 10);
	/* Before the first it has 20 s of slack; behind it 10 + 50 + 30. */
	assert_true(at_s >= 90 && at_s <= 91);
	assert_int_not_equal(submit(&h, 2, 30, at_s - 10), 0);
	libra_engine_destroy(h.e);
}

/* ---- demand by hand ---- */

/* 60 s by 100 on 0.  40 s by 50 fits before it there (40 + 60 <= 100) with
 * slack 0, and on 1 with slack 10: most slack first.
 */
static void demand_takes_most_slack_first(void **state)
{
	struct host h;
	uint64_t b;

	open_host(&h, "demand", 2, NULL);
	assert_int_equal(first_proc(&h, submit(&h, 1, 60, 100)), 0);
	b = submit(&h, 1, 40, 50);
	assert_int_equal(first_proc(&h, b), 1);
	/* 41 s by 50 fits beside nobody; 40 s by 50 once more, on 0. */
	assert_int_equal(submit(&h, 1, 41, 50), 0);
	assert_int_equal(first_proc(&h, submit(&h, 1, 40, 50)), 0);
	libra_engine_destroy(h.e);
}

/* ---- the promise ---- */

/* A generator of our own: the same numbers everywhere. */
static double draw(uint64_t *seed, double low, double high)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* Nobody overruns; estimates are often far too long, deadlines sometimes
 * shorter than the estimate, never than the run time.
 */
static void random_workload(struct sim_workload *w, uint64_t seed)
{
	double now_s = 0, load;

	memset(w, 0, sizeof(*w));
	w->procs = 1 + (uint32_t)draw(&seed, 0, 40);
	w->njobs = (size_t)draw(&seed, 5, MOST_JOBS);
	w->jobs = calloc(w->njobs, sizeof(*w->jobs));
	assert_non_null(w->jobs);
	load = draw(&seed, 1, 60);
	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job *job = &w->jobs[i];
		double size = draw(&seed, 0, 1);

		if (draw(&seed, 0, 1) < 0.8)
			now_s += draw(&seed, 0, load);
		job->job.id = i + 1;
		job->job.submit_s = now_s;
		job->job.nprocs = 1 + (uint32_t)(size * size * (w->procs - 1));
		job->runtime_s = draw(&seed, 1, 100);
		job->job.estimate_s = job->runtime_s;
		if (draw(&seed, 0, 1) < 0.8)
			job->job.estimate_s *= draw(&seed, 1, 10);
		job->deadline_rel_s = job->runtime_s * draw(&seed, 1, 12);
		job->job.deadline_s = now_s + job->deadline_rel_s;
	}
}

/* Result: how many were accepted. */
static size_t assert_promises(const struct sim_workload *w, const char *policy,
			      uint64_t seed)
{
	struct sim_outcome outcomes[MOST_JOBS];
	struct sim_result result;
	size_t accepted = 0;

	assert_int_equal(sim_run(w, libra_policy_find(policy, NULL), NULL,
				 &result, outcomes, NULL),
			 0);
	for (size_t i = 0; i < w->njobs; i++) {
		accepted += outcomes[i].accepted;
		if (outcomes[i].accepted == outcomes[i].fulfilled)
			continue;
		print_error("%s, seed %llu: job %zu ends at %.9f, promised "
			    "%.9f\n",
			    policy, (unsigned long long)seed, i + 1,
			    outcomes[i].finish_s, w->jobs[i].job.deadline_s);
		fail();
	}
	return accepted;
}

static void who_keeps_to_the_estimate_is_in_time(void **state)
{
	size_t accepted = 0, jobs = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;

		random_workload(&w, seed);
		for (int x = SIM_INDEPENDENT; x <= SIM_SPINNING; x++) {
			w.execution = (enum sim_execution)x;
			accepted += assert_promises(&w, "band", seed);
			jobs += w.njobs;
		}
		/* demand promises for independent parts alone. */
		w.execution = SIM_INDEPENDENT;
		assert_promises(&w, "demand", seed);
		free(w.jobs);
	}
	/* Neither trivial nor hopeless. */
	assert_true(accepted > jobs / 4 && accepted < jobs);
}

/* The same jobs driven here, to look inside after every event. */
struct watched {
	struct host h;
	const struct sim_workload *w;
	uint32_t job_of[MOST_JOBS];
	double left_s[MOST_JOBS];
	uint64_t ticket[MOST_JOBS];
	bool runs[MOST_JOBS];
	double previous_s[MOST_JOBS]; /* slack, by slot */
	uint64_t owner[MOST_JOBS];    /* of that slack */
};

static void obey(struct watched *d)
{
	struct libra_action action;

	while (libra_engine_next_action(d->h.e, &action)) {
		uint32_t i = d->job_of[libra_ticket_job(action.ticket)];

		d->runs[i] = action.kind != LIBRA_ACTION_HOLD;
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(d->h.e, action.ticket, d->h.now_s);
	}
}

/* The header's invariant.  grows: nothing was admitted since last time. */
static void look_inside(struct watched *d, bool grows)
{
	const struct libra_gang *g = &libra_gang_state(d->h.e)->gang;
	const char *wrong;

	libra_gang_touch((struct libra_gang *)g, d->h.now_s);
	wrong = libra_gang_check(g, d->h.now_s);
	if (wrong)
		print_error("at %.9f: %s\n", d->h.now_s, wrong);
	assert_null(wrong);
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t slot = g->order[i];
		double slack_s = libra_gang_slack(&g->jobs[slot], d->h.now_s);

		assert_true(slack_s >= -LIBRA_SLACK_TOLERANCE_S);
		if (grows && d->owner[slot] == g->jobs[slot].order)
			assert_true(slack_s >= d->previous_s[slot] - 1e-7);
		d->previous_s[slot] = slack_s;
		d->owner[slot] = g->jobs[slot].order;
	}
}

static double next_end_s(const struct watched *d, uint32_t *which)
{
	double soonest_s = INFINITY;

	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i] && d->left_s[i] < soonest_s) {
			soonest_s = d->left_s[i];
			*which = i;
		}
	return d->h.now_s + soonest_s;
}

static void pass(struct watched *d, double until_s)
{
	for (uint32_t i = 0; i < d->w->njobs; i++)
		if (d->runs[i])
			d->left_s[i] -= until_s - d->h.now_s;
	d->h.now_s = until_s;
}

static void arrive(struct watched *d, uint32_t i)
{
	const struct sim_job *job = &d->w->jobs[i];

	d->ticket[i] = submit(&d->h, job->job.nprocs, job->job.estimate_s,
			      job->job.deadline_s - d->h.now_s);
	if (d->ticket[i])
		d->job_of[libra_ticket_job(d->ticket[i])] = i;
	d->left_s[i] = job->runtime_s;
}

static void drive(struct watched *d)
{
	uint32_t next = 0, which = 0;

	for (;;) {
		double end_s = next_end_s(d, &which);
		bool ends = next == d->w->njobs ||
			    end_s <= d->w->jobs[next].job.submit_s;

		if (ends && end_s == INFINITY)
			return;
		pass(d, ends ? end_s : d->w->jobs[next].job.submit_s);
		look_inside(d, true);
		if (ends) {
			d->runs[which] = false;
			libra_engine_departed(d->h.e, d->ticket[which],
					      d->h.now_s);
		} else {
			arrive(d, next++);
		}
		libra_engine_schedule(d->h.e, d->h.now_s);
		obey(d);
		look_inside(d, ends);
	}
}

static void slack_never_falls_but_by_admission(void **state)
{
	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		struct sim_workload w;
		struct watched d = {.w = &w};

		random_workload(&w, seed);
		open_host(&d.h, "band", w.procs, seed % 2 ? "reserve" : NULL);
		drive(&d);
		assert_int_equal(libra_engine_free_procs(d.h.e), w.procs);
		libra_engine_destroy(d.h.e);
		free(w.jobs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_earlier_deadline_holds_a_later_one),
		cmocka_unit_test(slack_is_all_that_may_be_taken),
		cmocka_unit_test(the_sum_of_neighbours_is_enough),
		cmocka_unit_test(blocks_are_aligned_and_spread),
		cmocka_unit_test(the_cap_gives_a_processor_until_the_deadline),
		cmocka_unit_test(late_jobs_yield),
		cmocka_unit_test(over_the_estimate_the_rule_counts),
		cmocka_unit_test(measured_progress_counts),
		cmocka_unit_test(only_the_last_word_is_told),
		cmocka_unit_test(closed_processors_take_no_jobs),
		cmocka_unit_test(the_earliest_deadline_is_accepted),
		cmocka_unit_test(demand_takes_most_slack_first),
		cmocka_unit_test(who_keeps_to_the_estimate_is_in_time),
		cmocka_unit_test(slack_never_falls_but_by_admission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
