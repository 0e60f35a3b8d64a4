/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_market.c - shares by bid, the price and its bounds, and who is admitted.
 *
 * Machine of most tests: hosts of 2 CPUs.  A job of n hosts with the budget b,
 * the estimate e and the deadline d bids b / (d n) on each and is promised e /
 * d CPUs of each.
 */
#include "tests/unit/host.h"

#include "core/engine.h"
#include "core/formula/price.h"
#include "core/share/bid.h"

static const struct libra_division host = {.cpus = 2, .most = 2};
static const struct libra_division narrow = {.cpus = 2, .most = 1};

/* ---- bids and shares ---- */

/* 100 credits for 4 processors over 50 s: 100 / (4 x 50) = 0.5. */
static void a_budget_is_spent_evenly(void **state)
{
	struct libra_job job = {
		.submit_s = 7, .deadline_s = 57, .budget = 100, .nprocs = 4};

	assert_near(libra_bid(&job), 0.5, 1e-15);
	job.deadline_s = 7;
	assert_near(libra_bid(&job), 0, 0);
	job.deadline_s = INFINITY;
	assert_near(libra_bid(&job), 0, 0);
}

/* Eq. 4: 0.3 / (0.3 + 0.9) of 2 CPUs = 0.5; alone, all. */
static void a_bid_buys_its_part_of_the_price(void **state)
{
	assert_near(libra_bid_rate(&host, 0.3, 0.9), 0.5, 1e-15);
	assert_near(libra_bid_rate(&host, 0.3, 0), 2, 0);
	assert_near(libra_bid_rate(&narrow, 0.3, 0.1), 1, 0); /* not 1.5 */
}

static struct libra_task bidding(double bid)
{
	return (struct libra_task){.bid = bid, .running = true};
}

/* Bids 1, 2, 5 of 8 on 2 CPUs: 0.25, 0.5, 1.25. */
static void a_host_is_divided_by_bids(void **state)
{
	struct libra_task tasks[] = {bidding(1), bidding(2), bidding(5)};

	libra_bid_divide(&host, tasks, 3);
	assert_near(tasks[0].rate, 0.25, 1e-15);
	assert_near(tasks[1].rate, 0.5, 1e-15);
	assert_near(tasks[2].rate, 1.25, 1e-15);
}

/* Bids 1, 2, 7 and 1 CPU at the most: the third takes 1, the rest is divided
 * 1 : 2, so 1/3 and 2/3.
 */
static void what_a_task_cannot_use_goes_to_others(void **state)
{
	struct libra_task tasks[] = {bidding(1), bidding(2), bidding(7)};

	libra_bid_divide(&narrow, tasks, 3);
	assert_near(tasks[0].rate, 1 / 3.0, 1e-15);
	assert_near(tasks[1].rate, 2 / 3.0, 1e-15);
	assert_near(tasks[2].rate, 1, 0);
	/* Two tasks: both are full, whatever they bid. */
	libra_bid_divide(&narrow, tasks + 1, 2);
	assert_near(tasks[1].rate, 1, 0);
	assert_near(tasks[2].rate, 1, 0);
}

/* The same to the letter of eq. 4: 2 CPUs by 1 : 2 : 7 are 0.2, 0.4 and 1.4,
 * and of that the third uses 1.
 */
static void strictly_what_is_not_used_is_lost(void **state)
{
	const struct libra_division strict = {
		.cpus = 2, .most = 1, .strict = true};
	struct libra_task tasks[] = {bidding(1), bidding(2), bidding(7),
				     bidding(5)};

	tasks[3].running = false;
	libra_bid_divide(&strict, tasks, 4);
	assert_near(tasks[0].rate, 0.2, 1e-15);
	assert_near(tasks[1].rate, 0.4, 1e-15);
	assert_near(tasks[2].rate, 1, 0);
	assert_near(tasks[3].rate, 0, 0);
	for (int k = 0; k < 2; k++)
		assert_near(tasks[k].rate,
			    libra_bid_rate(&strict, tasks[k].bid,
					   10 - tasks[k].bid),
			    1e-15);
}

static void who_does_not_run_gets_nothing(void **state)
{
	struct libra_task tasks[] = {bidding(1), bidding(3)};

	tasks[1].running = false;
	libra_bid_divide(&host, tasks, 2);
	assert_near(tasks[0].rate, 2, 0);
	assert_near(tasks[1].rate, 0, 0);
}

static void without_bids_all_get_the_same(void **state)
{
	struct libra_task tasks[] = {bidding(0), bidding(0)};

	libra_bid_divide(&host, tasks, 2);
	assert_near(tasks[0].rate, 1, 0);
	assert_near(tasks[1].rate, 1, 0);
}

/* ---- the price ---- */

/* 10 s at 2, 30 s at 4: mean 3.5, variance (10 x 1.5^2 + 30 x 0.5^2) / 40 =
 * 0.75.
 */
static void the_price_is_averaged_over_time(void **state)
{
	struct libra_price p;
	double mean, sd;

	libra_price_init(&p, 6400);
	libra_price_stats(&p, &mean, &sd);
	assert_near(mean, 0, 0);
	assert_near(sd, 0, 0);
	libra_price_hold(&p, 99, 1000); /* begins here */
	libra_price_hold(&p, 2, 1010);
	libra_price_hold(&p, 4, 1040);
	libra_price_hold(&p, 77, 1040); /* no time */
	libra_price_stats(&p, &mean, &sd);
	assert_near(mean, 3.5, 1e-12);
	assert_near(sd, sqrt(0.75), 1e-12);
}

/* A window of 64 s has steps of 1 s.  At 100 s it knows the last 63 to 64 s. */
static void what_is_older_than_the_window_is_forgotten(void **state)
{
	struct libra_price p;
	double mean, sd;

	libra_price_init(&p, 64);
	libra_price_hold(&p, 0, 0);
	libra_price_hold(&p, 1000, 30);
	libra_price_hold(&p, 5, 100);
	libra_price_stats(&p, &mean, &sd);
	assert_near(mean, 5, 1e-12);
	assert_near(sd, 0, 0);
	libra_price_hold(&p, 7, 132); /* half of the window */
	libra_price_stats(&p, &mean, &sd);
	assert_near(mean, 6, 0.05);
	libra_price_hold(&p, 3, 1e9); /* long ago */
	libra_price_stats(&p, &mean, &sd);
	assert_near(mean, 3, 1e-9);
}

/* g = 0.6: Cantelli sqrt(0.6 / 0.4) = 1.2247, Chebyshev 1 / sqrt(0.4) =
 * 1.5811; g = 0 is the mean, and one sd to both sides says nothing.
 */
static void the_bound_is_so_many_deviations_above_the_mean(void **state)
{
	assert_near(libra_price_bound(10, 2, 0.6, true), 12.449489742783178,
		    1e-12);
	assert_near(libra_price_bound(10, 2, 0.6, false), 13.162277660168380,
		    1e-12);
	assert_near(libra_price_bound(10, 2, 0, true), 10, 0);
	assert_near(libra_price_bound(10, 2, 0, false), 12, 0);
	assert_near(libra_price_bound(10, 0, 0.9, true), 10, 0);
}

/* ---- admission ---- */

enum { NHOSTS = 4, MAX_PARAMS = 9 };

static struct libra_engine *make(const char *policy, const char *param,
				 double value)
{
	static const uint32_t nodes[NHOSTS] = {1, 1, 1, 1};
	const struct libra_policy_type *type = libra_policy_find(policy, NULL);
	double params[MAX_PARAMS];
	struct libra_engine_conf conf = {
		.policy = type,
		.params = params,
		.node_procs = nodes,
		.nnodes = NHOSTS,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e;

	assert_true(type->nparams <= MAX_PARAMS);
	for (size_t i = 0; i < type->nparams; i++)
		params[i] = strcmp(type->params[i].name, "cpus") == 0
				    ? 2
				    : type->params[i].value;
	if (param)
		*host_param(type, params, param) = value;
	e = libra_engine_create(&conf, NULL);
	assert_non_null(e);
	return e;
}

/* A job that is to be promised a share and to bid so much on each host. */
static struct libra_job job_of(uint32_t nprocs, double promise, double bid,
			       double now_s)
{
	return (struct libra_job){
		.submit_s = now_s,
		.estimate_s = 100 * promise,
		.deadline_s = now_s + 100,
		.budget = bid * 100 * nprocs,
		.nprocs = nprocs,
	};
}

/* Offer and, if accepted, start.  Result: LIBRA_REASON_NONE if accepted. */
static enum libra_reason submit(struct libra_engine *e, struct libra_job job,
				uint64_t *ticket)
{
	struct libra_verdict verdict;

	assert_int_equal(
		libra_engine_offer(e, &job, job.submit_s, &verdict, NULL), 0);
	if (verdict.answer == LIBRA_REJECT)
		return verdict.reason;
	assert_int_equal(
		libra_engine_commit(e, verdict.ticket, 1, job.submit_s), 0);
	assert_int_equal(libra_engine_started(e, verdict.ticket, job.submit_s),
			 0);
	if (ticket)
		*ticket = verdict.ticket;
	return LIBRA_REASON_NONE;
}

static double rate_on(const struct libra_engine *e, uint32_t row,
		      uint64_t ticket)
{
	const struct libra_row *g = libra_engine_row(e, row);

	for (uint32_t k = 0; k < g->ntasks; k++)
		if (g->tasks[k].slot == libra_ticket_slot(ticket))
			return g->tasks[k].rate;
	return NAN;
}

/* Job 1 takes hosts 0 and 1, job 2 the empty 2 and 3, job 3 the cheaper of
 * these: where 1 bids 3 and 2 bids 1, those of job 2.  There it gets 2 x 2 / 3
 * CPUs, and job 2 the rest.
 */
static void best_effort_takes_the_cheapest_hosts(void **state)
{
	struct libra_engine *e = make("market-be", NULL, 0);
	struct libra_range range;
	uint64_t t1, t2, t3;

	assert_int_equal(submit(e, job_of(2, 1, 3, 0), &t1), 0);
	assert_int_equal(submit(e, job_of(2, 1, 1, 0), &t2), 0);
	assert_int_equal(submit(e, job_of(2, 1, 2, 0), &t3), 0);
	assert_int_equal(libra_engine_placement(e, t3, &range, 1), 1);
	assert_int_equal(range.first, 2);
	assert_int_equal(range.count, 2);
	for (uint32_t g = 0; g < libra_engine_nrows(e); g++) {
		double rate = rate_on(e, g, t3);

		if (isnan(rate))
			continue;
		assert_near(rate, 4 / 3.0, 1e-12);
		assert_near(rate_on(e, g, t2), 2 / 3.0, 1e-12);
	}
	libra_engine_destroy(e);
}

/* Prices of 4, 3, 2 and 1: a bid of 1e-12 is 1e-12 of the price, but it is put
 * where the price is 1.
 */
static void a_tiny_bid_takes_the_cheapest_host_too(void **state)
{
	struct libra_engine *e = make("market-be", NULL, 0);
	struct libra_range range;
	uint64_t ticket;

	for (int price = 4; price >= 1; price--)
		assert_int_equal(submit(e, job_of(1, 1, price, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(1, 1, 1e-12, 0), &ticket), 0);
	assert_int_equal(libra_engine_placement(e, ticket, &range, 1), 1);
	assert_int_equal(range.first, 3);
	libra_engine_destroy(e);
}

/* At a price of 3, a bid of 1 gets 2 x 1 / 4 = 0.5 CPUs. */
static void best_effort_asks_for_the_least_resources(void **state)
{
	struct libra_engine *e = make("market-be", "least", 0.51);

	assert_int_equal(submit(e, job_of(4, 1, 3, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(1, 1, 1, 0), NULL),
			 LIBRA_REASON_PRICE);
	assert_int_equal(submit(e, job_of(1, 1, 1.1, 0), NULL), 0);
	libra_engine_destroy(e);
}

static void nothing_is_sold_without_money(void **state)
{
	static const char *const policies[] = {"market-be", "market-sac",
					       "market-cac", "random-reject"};

	for (int i = 0; i < 4; i++) {
		struct libra_engine *e = make(policies[i], NULL, 0);

		assert_int_equal(submit(e, job_of(1, 1, 0, 0), NULL),
				 LIBRA_REASON_NO_BUDGET);
		libra_engine_destroy(e);
	}
}

/* The price is 4 for 10 s.  A promise of 1 of 2 CPUs costs 4 / 2 = 2. */
static void statistical_admission_asks_for_the_bound(void **state)
{
	struct libra_engine *e = make("market-sac", NULL, 0);

	assert_int_equal(submit(e, job_of(4, 1, 4, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(1, 1, 1.99, 10), NULL),
			 LIBRA_REASON_PRICE);
	assert_int_equal(submit(e, job_of(1, 1, 2.01, 10), NULL), 0);
	libra_engine_destroy(e);
}

/* As before, but 1 CPU must be had at a price of 4: 2 b / (b + 4) >= 1 from b =
 * 4 on (eq. 5).
 */
static void the_floor_asks_for_the_share_itself(void **state)
{
	struct libra_engine *e = make("market-sac", "floor", 1);

	assert_int_equal(submit(e, job_of(4, 1, 4, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(1, 1, 3.99, 10), NULL),
			 LIBRA_REASON_PRICE);
	assert_int_equal(submit(e, job_of(1, 1, 4.01, 10), NULL), 0);
	libra_engine_destroy(e);
}

/* 10 s at 0 (nobody), 10 s at 4: mean 2, sd 2, bound 2 + 1.2247 x 2 = 4.449;
 * half a host costs 2.2247.
 */
static void a_restless_price_costs_more(void **state)
{
	struct libra_engine *e = make("market-sac", NULL, 0);
	uint64_t ticket;

	assert_int_equal(submit(e, job_of(4, 1, 1, 0), &ticket), 0);
	libra_engine_departed(e, ticket, 0);
	assert_int_equal(submit(e, job_of(4, 1, 4, 10), NULL), 0);
	assert_int_equal(submit(e, job_of(1, 1, 2.22, 20), NULL),
			 LIBRA_REASON_PRICE);
	assert_int_equal(submit(e, job_of(1, 1, 2.23, 20), NULL), 0);
	libra_engine_destroy(e);
}

/* Eq. 6.  Job 1 (bid 2) is promised 1.2 CPUs of each of 4 hosts: 4.8.  Job 2
 * (bid 2) on 2 hosts leaves it 2 + 2 + 1 + 1 = 6; it gets 1 + 1 itself and is
 * promised 0.9.  Job 3 (bid 2) on the other 2 would leave job 1 with 4 x 1 = 4:
 * refused.  With a bid of 1, it would have 1 + 1 + 4/3 + 4/3 = 4.67: refused;
 * with 0.8, 2 + 2 x 2 x 2 / 2.8 = 4.857: taken, if 2 x 0.8 / 2.8 = 0.571 is
 * enough for it.
 */
static void capacity_admission_keeps_every_contract(void **state)
{
	struct libra_engine *e = make("market-cac", NULL, 0);

	assert_int_equal(submit(e, job_of(4, 1.2, 2, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(2, 0.9, 2, 0), NULL), 0);
	assert_int_equal(submit(e, job_of(2, 0.5, 2, 0), NULL),
			 LIBRA_REASON_CONTRACT);
	assert_int_equal(submit(e, job_of(2, 0.5, 1, 0), NULL),
			 LIBRA_REASON_CONTRACT);
	assert_int_equal(submit(e, job_of(2, 0.58, 0.8, 0), NULL),
			 LIBRA_REASON_CONTRACT);
	assert_int_equal(submit(e, job_of(2, 0.57, 0.8, 0), NULL), 0);
	libra_engine_destroy(e);
}

/* Host by host, job 3 above would leave job 1 less than its 1.2 CPUs on two
 * of them; summed over its hosts it has enough.
 */
static void fast_hosts_make_up_for_slow_ones(void **state)
{
	struct libra_engine *e = make("market-cac", NULL, 0);
	uint64_t t1;
	double least = 2, sum = 0;

	assert_int_equal(submit(e, job_of(4, 1.2, 2, 0), &t1), 0);
	assert_int_equal(submit(e, job_of(2, 0.9, 2, 0), NULL), 0);
	for (uint32_t g = 0; g < libra_engine_nrows(e); g++) {
		double rate = rate_on(e, g, t1);

		if (isnan(rate))
			continue;
		least = fmin(least, rate);
		sum += rate * libra_engine_row(e, g)->nprocs;
	}
	assert_near(least, 1, 1e-12);
	assert_near(sum, 6, 1e-12);
	libra_engine_destroy(e);
}

/* A refusal leaves nothing behind: the same offer fits after a departure. */
static void a_refused_job_leaves_no_trace(void **state)
{
	struct libra_engine *e = make("market-cac", NULL, 0);
	uint64_t t1, t2;

	assert_int_equal(submit(e, job_of(4, 1.5, 1, 0), &t1), 0);
	assert_int_equal(submit(e, job_of(4, 0.5, 1, 0), NULL),
			 LIBRA_REASON_CONTRACT);
	assert_int_equal(libra_engine_free_procs(e), 0);
	assert_int_equal(libra_engine_departed(e, t1, 0), 0);
	assert_int_equal(libra_engine_free_procs(e), NHOSTS);
	assert_int_equal(submit(e, job_of(4, 0.5, 1, 0), &t2), 0);
	libra_engine_destroy(e);
}

static unsigned count_rejections(double pct, double seed, unsigned n)
{
	static const uint32_t nodes[] = {1};
	const double params[] = {2, 0, 0, 0, pct, seed};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find("random-reject", NULL),
		.params = params,
		.node_procs = nodes,
		.nnodes = 1,
		.offer_ttl_s = INFINITY,
	};
	struct libra_engine *e = libra_engine_create(&conf, NULL);
	unsigned rejected = 0;

	assert_non_null(e);
	for (unsigned i = 0; i < n; i++) {
		struct libra_job job = job_of(1, 1, 1, i);
		struct libra_verdict verdict;

		assert_int_equal(libra_engine_offer(e, &job, i, &verdict, NULL),
				 0);
		if (verdict.answer == LIBRA_ACCEPT) {
			libra_engine_withdraw(e, verdict.ticket, i);
			continue;
		}
		assert_int_equal(verdict.reason, LIBRA_REASON_RANDOM);
		rejected++;
	}
	libra_engine_destroy(e);
	return rejected;
}

/* 37 % of 10,000: sd 48. */
static void lots_reject_their_part(void **state)
{
	unsigned n = count_rejections(37, 5, 10000);

	assert_in_range(n, 3700 - 145, 3700 + 145);
	assert_int_equal(count_rejections(37, 5, 10000), n);
	assert_int_not_equal(count_rejections(37, 6, 10000), n);
	assert_int_equal(count_rejections(0, 5, 100), 0);
	assert_int_equal(count_rejections(100, 5, 100), 100);
}

/* What is said to be accepted is accepted; and asking changes nothing. */
static void a_proposed_deadline_is_accepted(void **state)
{
	static const char *const policies[] = {"market-be", "market-sac",
					       "market-cac"};

	for (int i = 0; i < 3; i++) {
		struct libra_engine *e = make(policies[i], NULL, 0);
		struct libra_job job = job_of(4, 1, 1, 10);
		double deadline_s;

		assert_int_equal(submit(e, job_of(4, 1, 2, 0), NULL), 0);
		deadline_s = libra_engine_earliest_deadline(e, &job, 10);
		assert_near(libra_engine_earliest_deadline(e, &job, 10),
			    deadline_s, 0);
		if (deadline_s < INFINITY) {
			job.deadline_s = deadline_s;
			assert_int_equal(submit(e, job, NULL), 0);
		}
		libra_engine_destroy(e);
	}
}

static void a_contract_is_not_changed(void **state)
{
	struct libra_engine *e = make("market-cac", NULL, 0);
	struct libra_job job = job_of(1, 1, 1, 0);
	struct libra_verdict verdict;
	uint64_t ticket;

	assert_int_equal(submit(e, job, &ticket), 0);
	job.deadline_s = 1000;
	assert_int_equal(
		libra_engine_modify(e, ticket, &job, 0, &verdict, NULL), 0);
	assert_int_equal(verdict.answer, LIBRA_REJECT);
	assert_near(libra_engine_job(e, ticket)->deadline_s, 100, 0);
	libra_engine_destroy(e);
}

static void money_must_be_a_sensible_number(void **state)
{
	static const double bad[] = {-1, NAN, INFINITY, 1e16};
	struct libra_engine *e = make("market-be", NULL, 0);

	for (int i = 0; i < 4; i++) {
		struct libra_job job = job_of(1, 1, 1, 0);
		struct libra_error err = {.text = ""};
		struct libra_verdict verdict;

		job.budget = bad[i];
		assert_int_equal(libra_engine_offer(e, &job, 0, &verdict, &err),
				 -1);
		assert_contains(err.text, "budget");
		assert_one_line(&err);
	}
	libra_engine_destroy(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_is_spent_evenly),
		cmocka_unit_test(a_bid_buys_its_part_of_the_price),
		cmocka_unit_test(a_host_is_divided_by_bids),
		cmocka_unit_test(what_a_task_cannot_use_goes_to_others),
		cmocka_unit_test(strictly_what_is_not_used_is_lost),
		cmocka_unit_test(who_does_not_run_gets_nothing),
		cmocka_unit_test(without_bids_all_get_the_same),
		cmocka_unit_test(the_price_is_averaged_over_time),
		cmocka_unit_test(what_is_older_than_the_window_is_forgotten),
		cmocka_unit_test(
			the_bound_is_so_many_deviations_above_the_mean),
		cmocka_unit_test(best_effort_takes_the_cheapest_hosts),
		cmocka_unit_test(a_tiny_bid_takes_the_cheapest_host_too),
		cmocka_unit_test(best_effort_asks_for_the_least_resources),
		cmocka_unit_test(nothing_is_sold_without_money),
		cmocka_unit_test(statistical_admission_asks_for_the_bound),
		cmocka_unit_test(the_floor_asks_for_the_share_itself),
		cmocka_unit_test(a_restless_price_costs_more),
		cmocka_unit_test(capacity_admission_keeps_every_contract),
		cmocka_unit_test(fast_hosts_make_up_for_slow_ones),
		cmocka_unit_test(a_refused_job_leaves_no_trace),
		cmocka_unit_test(lots_reject_their_part),
		cmocka_unit_test(a_proposed_deadline_is_accepted),
		cmocka_unit_test(a_contract_is_not_changed),
		cmocka_unit_test(money_must_be_a_sensible_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
