/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * market.c - admission where jobs buy their shares (CCGrid 2008,
 * section 3): best effort, statistical and capacity admission control, and
 * rejection at random to compare them with.
 *
 * A job takes the processors with the lowest price.  A contract promises it
 * the share estimate / deadline of each of them, on average: fast processors
 * make up for slow ones.  Best effort promises nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/formula/price.h"
#include "core/formula/share.h"
#include "core/policy/policies.h"
#include "core/share/bid.h"
#include "core/share/ops.h"

struct market_state {
	struct libra_share_state share; /* first: share/ops.c sees no
					   more */
	struct libra_price price;
	uint64_t random;
	/* Scratch: what a contract would get and was promised, in CPUs, and
	 * whether the request touches it, by slot. */
	struct contract {
		double gets, promised;
		bool touched;
	} * contracts;
	uint32_t contract_cap;
	struct libra_task *tasks; /* a row's, and the request's */
	uint32_t task_cap;
};

/* Parameters, in the order of the tables. */
enum {
	CPUS = 0,
	MOST,
	LEAST,
	STRICT,
	/* market-sac, market-cac */
	GUARANTEE,
	ONE_SIDED,
	WINDOW_S,
	FLOOR,
	WATCHED_PCT,
	NSTATISTICAL,
	/* random-reject */
	REJECT_PCT = STRICT + 1,
	SEED,
};

/* clang-format off */
#define RESOURCES                                                              \
	{"cpus", LIBRA_PARAM_NUMBER, "CPUs", 1, 0.01, 1e6,                     \
	 "CPUs that make up one processor, such as a host's"},                     \
	{"most", LIBRA_PARAM_NUMBER, "CPUs", 0, 0, 1e6,                        \
	 "CPUs of a processor that one task can use; 0 = all"},        \
	{"least", LIBRA_PARAM_NUMBER, "CPUs", 0, 0, 1e6,                       \
	 "CPUs that a task must get at the present price to be admitted"},     \
	{"strict", LIBRA_PARAM_SWITCH, "", 0, 0, 1,                            \
	 "what a task cannot use of its share is lost, not given to others"}

static const struct libra_param be_params[] = {RESOURCES};

static const struct libra_param statistical_params[NSTATISTICAL] = {
	RESOURCES,
	LIBRA_PARAM_GUARANTEE,
	LIBRA_PARAM_ONE_SIDED("one_sided"),
	LIBRA_PARAM_PRICE_WINDOW(1800),
	LIBRA_PARAM_FLOOR,
	{"watched", LIBRA_PARAM_NUMBER, "%", 100, 1, 100,
	 "the price is the mean of this part of the processors, the cheapest"},
};

static const struct libra_param random_params[] = {
	RESOURCES,
	{"reject", LIBRA_PARAM_NUMBER, "%", 37, 0, 100,
	 "part of the jobs that is rejected"},
	{"seed", LIBRA_PARAM_INTEGER, "", 0, 0, 9007199254740991.0,
	 "of the random numbers; 0 = librasim takes --seed"},
};
/* clang-format on */

static struct market_state *market_state(const struct libra_engine *e)
{
	return e->state;
}

static const struct libra_division *division(const struct libra_engine *e)
{
	return &libra_share_state(e)->ledger.division;
}

static int init(struct libra_engine *e)
{
	double cpus = libra_engine_param(e, CPUS);
	double most = libra_engine_param(e, MOST);

	libra_share_state(e)->ledger.division = (struct libra_division){
		.divide = libra_bid_divide,
		.cpus = cpus,
		.most = most > 0 && most < cpus ? most : cpus,
		.strict = libra_engine_param(e, STRICT) != 0,
	};
	return 0;
}

static int statistical_init(struct libra_engine *e)
{
	libra_price_init(&market_state(e)->price,
			 libra_engine_param(e, WINDOW_S));
	return init(e);
}

static int random_init(struct libra_engine *e)
{
	market_state(e)->random = (uint64_t)libra_engine_param(e, SEED);
	return init(e);
}

static void fini(struct libra_engine *e)
{
	free(market_state(e)->contracts);
	free(market_state(e)->tasks);
}

static bool sells(const struct libra_ledger_row *row)
{
	return row->pub.nprocs > 0 && !row->closed;
}

/* Return the least price of a row that is above another price.
 * Result: INFINITY if there is none; *n gets the processors that have it.
 */
static double next_price(const struct libra_ledger *ledger, double above,
			 uint32_t *n)
{
	double least = INFINITY;

	*n = 0;
	for (uint32_t i = 0; i < ledger->nrows; i++) {
		const struct libra_ledger_row *row = &ledger->rows[i];
		double price;

		if (!sells(row))
			continue;
		price = libra_row_price(row);
		if (price <= above || price > least)
			continue;
		*n = price < least ? row->pub.nprocs : *n + row->pub.nprocs;
		least = price;
	}
	return least;
}

/* Return the mean price of the cheapest processors, where a job would go.
 * Cost:   O(rows) for each price there is among them.
 */
static double market_price(const struct libra_engine *e)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double price = -1, spent = 0, watched = 0, left;

	for (uint32_t i = 0; i < ledger->nrows; i++)
		if (sells(&ledger->rows[i]))
			watched += ledger->rows[i].pub.nprocs;
	watched *= libra_engine_param(e, WATCHED_PCT) / 100;
	for (left = watched; left > 0;) {
		uint32_t n;

		price = next_price(ledger, price, &n);
		if (n == 0)
			break; /* rounding */
		spent += price * (n < left ? n : left);
		left -= n;
	}
	return watched > 0 ? spent / watched : 0;
}

/* Record the present price until now. */
static void observe(struct libra_engine *e)
{
	struct libra_price *price = &market_state(e)->price;

	if (e->now_s != price->since_s)
		libra_price_hold(price, market_price(e), e->now_s);
}

/* The least resources of the contract, at the present price. */
static bool suits(const struct libra_engine *e,
		  const struct libra_ledger_row *row,
		  const struct libra_job *job, double new_share, double *share)
{
	double bid = libra_bid(job), price = libra_row_price(row);

	*share = bid > 0 ? -price / bid : 0; /* the cheapest first */
	return libra_bid_rate(division(e), bid, price) >=
	       libra_engine_param(e, LEAST);
}

static int be_admits(struct libra_engine *e, const struct libra_job *job,
		     bool trial, enum libra_reason *reason)
{
	*reason = LIBRA_REASON_NO_BUDGET;
	return libra_bid(job) > 0;
}

/* Return true if the job can pay the price of its promised share if that rises
 * to its bound; or, stricter, if it would still get the share (eq. 5). Its own
 * bid is part of what divides the processor, so paying the price of a share
 * gets less than that share.
 */
static bool affords_bound(const struct libra_engine *e,
			  const struct libra_job *job)
{
	double bid = libra_bid(job), mean, sd, bound;

	libra_price_stats(&market_state(e)->price, &mean, &sd);
	bound = libra_price_bound(mean, sd, libra_engine_param(e, GUARANTEE),
				  libra_engine_param(e, ONE_SIDED) != 0);
	if (libra_engine_param(e, FLOOR) == 0)
		return bid >=
		       libra_bid_promise(job) / division(e)->cpus * bound;
	return libra_bid_rate(division(e), bid, bound) >=
	       libra_bid_promise(job) - LIBRA_SHARE_TOLERANCE;
}

static int sac_admits(struct libra_engine *e, const struct libra_job *job,
		      bool trial, enum libra_reason *reason)
{
	if (!be_admits(e, job, trial, reason))
		return 0;
	*reason = LIBRA_REASON_PRICE;
	return affords_bound(e, job);
}

/* Reserve a contract for every slot, all empty, and the longest row. */
static int reserve_contracts(struct libra_engine *e)
{
	struct market_state *s = market_state(e);
	uint32_t ntasks = s->share.ledger.task_cap + 1;
	bool ok = true;

	if (s->contract_cap < e->slot_cap)
		s->contracts = libra_grown(s->contracts, e->slot_cap,
					   sizeof(*s->contracts), &ok);
	if (s->task_cap < ntasks)
		s->tasks =
			libra_grown(s->tasks, ntasks, sizeof(*s->tasks), &ok);
	if (!ok)
		return -1;
	s->contract_cap = e->slot_cap;
	s->task_cap = ntasks;
	if (e->nslots > 0)
		memset(s->contracts, 0, e->nslots * sizeof(*s->contracts));
	return 0;
}

/* Add what the contracts on a row get on n of its processors.  With a bid, the
 * request is there too.
 * Result: what the request gets.
 */
static double sum_part(struct libra_engine *e,
		       const struct libra_ledger_row *row, uint32_t n,
		       double bid)
{
	struct market_state *s = market_state(e);
	uint32_t ntasks = row->pub.ntasks;

	for (uint32_t k = 0; k < ntasks; k++) {
		s->tasks[k] = row->tasks[k];
		s->tasks[k].running = true; /* or will be soon */
	}
	s->tasks[ntasks] = (struct libra_task){.bid = bid, .running = bid > 0};
	libra_bid_divide(division(e), s->tasks, ntasks + 1);
	for (uint32_t k = 0; k < ntasks; k++) {
		struct contract *c = &s->contracts[s->tasks[k].slot];

		c->gets += n * s->tasks[k].rate;
		c->promised += n * s->tasks[k].initial_share;
		c->touched |= bid > 0 && s->tasks[k].deadline_s > e->now_s;
	}
	return n * s->tasks[ntasks].rate;
}

/* As sum_part(), with the request on the taken processors of the row. */
static double sum_row(struct libra_engine *e,
		      const struct libra_ledger_row *row, uint32_t taken,
		      double bid)
{
	double gets = 0;

	if (taken < row->pub.nprocs)
		sum_part(e, row, row->pub.nprocs - taken, 0);
	if (taken > 0)
		gets = sum_part(e, row, taken, bid);
	return gets;
}

/* Return whether eq. 6 holds: no contract that the request touches, nor the
 * request itself, gets less than it was promised, summed over its processors.
 * Time that a task cannot use counts for the tasks that get it.  Late contracts
 * have nothing left to lose.
 */
static int keeps_contracts(struct libra_engine *e, const struct libra_job *job)
{
	const struct libra_ledger *ledger = &libra_share_state(e)->ledger;
	double gets = 0;

	if (reserve_contracts(e) < 0)
		return -1;
	for (uint32_t i = 0; i < ledger->nrows; i++)
		if (ledger->rows[i].pub.nprocs > 0)
			gets += sum_row(e, &ledger->rows[i], ledger->taken[i],
					libra_bid(job));
	if (gets <
	    job->nprocs * (libra_bid_promise(job) - LIBRA_SHARE_TOLERANCE))
		return 0;
	for (uint32_t i = 0; i < e->nslots; i++) {
		const struct contract *c = &market_state(e)->contracts[i];

		if (c->touched &&
		    c->gets < c->promised * (1 - LIBRA_SHARE_TOLERANCE))
			return 0;
	}
	return 1;
}

static int cac_admits(struct libra_engine *e, const struct libra_job *job,
		      bool trial, enum libra_reason *reason)
{
	if (!sac_admits(e, job, trial, reason))
		return 0;
	*reason = LIBRA_REASON_CONTRACT;
	return keeps_contracts(e, job);
}

/* A random number from [0, 100): splitmix64, 53 bits. */
static double draw_pct(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return 100 * ((double)(z >> 11) / 9007199254740992.0);
}

/* A trial draws nothing.  After the draw nothing may fail: a repeated offer
 * would draw again.
 */
static int random_admits(struct libra_engine *e, const struct libra_job *job,
			 bool trial, enum libra_reason *reason)
{
	if (!be_admits(e, job, trial, reason))
		return 0;
	*reason = LIBRA_REASON_RANDOM;
	if (trial)
		return 1;
	if (libra_ledger_reserve(&libra_share_state(e)->ledger) < 0)
		return -1;
	return draw_pct(&market_state(e)->random) >=
	       libra_engine_param(e, REJECT_PCT);
}

/* ---- the policies: how they admit, and with which parameters ---- */

#define BY_PRICE .refusal = LIBRA_REASON_PRICE, .best_fit = true, .suits = suits

#define SELLS_SHARES(its_params, its_traits)                                   \
	.mode = LIBRA_SHARE, .needs_deadline = true, .needs_budget = true,     \
	.params = its_params,                                                  \
	.nparams = sizeof(its_params) / sizeof((its_params)[0]),               \
	.ops = &libra_share_ops, .traits = &(its_traits),                      \
	.state_size = sizeof(struct market_state)

static const struct libra_share_traits be_traits = {
	BY_PRICE,
	.init = init,
	.admits = be_admits,
};

static const struct libra_share_traits sac_traits = {
	BY_PRICE,
	.init = statistical_init,
	.observe = observe,
	.admits = sac_admits,
};

static const struct libra_share_traits cac_traits = {
	.init = statistical_init,
	.fini = fini,
	.observe = observe,
	.admits = cac_admits,
	BY_PRICE,
};

static const struct libra_share_traits random_traits = {
	BY_PRICE,
	.init = random_init,
	.admits = random_admits,
};

const struct libra_policy_type libra_policy_market_be = {
	.name = "market-be",
	.summary = "shares by bid; best effort, promises nothing",
	.source = "CCGrid 2008, section 3",
	SELLS_SHARES(be_params, be_traits),
};

const struct libra_policy_type libra_policy_market_sac = {
	.name = "market-sac",
	.summary =
		"shares by bid; accepts a job that can pay the highest price "
		"to be expected",
	.source = "CCGrid 2008, section 3",
	SELLS_SHARES(statistical_params, sac_traits),
};

const struct libra_policy_type libra_policy_market_cac = {
	.name = "market-cac",
	.summary = "as market-sac, but only if every contract keeps its "
		   "promised share",
	.source = "CCGrid 2008, section 3",
	SELLS_SHARES(statistical_params, cac_traits),
};

const struct libra_policy_type libra_policy_random_reject = {
	.name = "random-reject",
	.summary = "shares by bid; rejects at random, for comparison",
	.source = "CCGrid 2008, section 4.3",
	SELLS_SHARES(random_params, random_traits),
};
