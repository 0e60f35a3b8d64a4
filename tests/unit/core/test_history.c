/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_history.c - corrected estimates: order statistics by hand, rings, text,
 * and what policies make of a running job's new estimate.
 */
#include "core/history.h"
#include "tests/random.h"
#include "tests/unit/host.h"

#define ME 1001

static struct libra_history *history(double quantile, double floor_s,
				     uint32_t depth)
{
	struct libra_history_conf conf = {quantile, floor_s, depth};
	struct libra_error err = {""};
	struct libra_history *h = libra_history_create(&conf, &err);

	if (!h)
		fail_msg("%s", err.text);
	return h;
}

/* Add ratios in percent, up to a 0. */
static void add(struct libra_history *h, uint32_t user, const int *percent)
{
	for (; *percent; percent++)
		assert_int_equal(libra_history_add(h, user, *percent, 100), 0);
}

/* The correction of 1000 s before they run. */
static double correct(const struct libra_history *h, uint32_t user)
{
	return libra_history_correct(h, user, 1000, 0);
}

/* ---- order statistics ---- */

/* q 0.5: k = ceil(n + 1) / 2, so of 1, 2, 3, 4, 5 ratios the 1st, 2nd, 2nd,
 * 3rd, 3rd least.
 */
static void the_median_by_hand(void **state)
{
	static const int ratios[] = {40, 10, 90, 20, 30};
	static const double expected[] = {400, 400, 400, 400, 300};
	struct libra_history *h = history(0.5, 0, 20);

	assert_near(correct(h, ME), 1000, 0);
	for (int i = 0; i < 5; i++) {
		add(h, ME, (const int[]){ratios[i], 0});
		assert_int_equal(libra_history_known(h, ME), i + 1);
		assert_near(correct(h, ME), expected[i], 1e-6);
	}
	libra_history_destroy(h);
}

/* q 0.9: ceil(0.9 x 9) = 9 of 8 ratios, too few; ceil(0.9 x 10) = 9 of 9, the
 * greatest; of 19 the 18th.
 */
static void too_little_history_corrects_nothing(void **state)
{
	struct libra_history *h = history(0.9, 0, 20);

	for (int i = 1; i <= 8; i++)
		add(h, ME, (const int[]){i, 0});
	assert_near(correct(h, ME), 1000, 0);
	add(h, ME, (const int[]){9, 0});
	assert_near(correct(h, ME), 90, 1e-6);
	for (int i = 10; i <= 19; i++)
		add(h, ME, (const int[]){i, 0});
	assert_near(correct(h, ME), 180, 1e-6);
	libra_history_destroy(h);
}

/* q 0.7 x 10 and 0.95 x 20 are whole numbers, though not in binary. */
static void ranks_are_not_raised_by_rounding(void **state)
{
	struct libra_history *h = history(0.7, 0, 20);

	for (int i = 1; i <= 9; i++)
		add(h, ME, (const int[]){i, 0});
	assert_near(correct(h, ME), 70, 1e-6);
	libra_history_destroy(h);
	h = history(0.95, 0, 20);
	for (int i = 1; i <= 19; i++)
		add(h, ME, (const int[]){i, 0});
	assert_near(correct(h, ME), 190, 1e-6);
	libra_history_destroy(h);
}

/* However small q is, the least ratio is the first. */
static void the_smallest_quantile_takes_the_least(void **state)
{
	struct libra_history *h = history(1e-12, 0, 20);

	assert_near(correct(h, ME), 1000, 0);
	add(h, ME, (const int[]){40, 0});
	assert_near(correct(h, ME), 400, 1e-6);
	add(h, ME, (const int[]){70, 20, 0});
	assert_near(correct(h, ME), 200, 1e-6);
	libra_history_destroy(h);
}

static void the_oldest_ratio_is_forgotten(void **state)
{
	struct libra_history *h = history(0.5, 0, 3);

	add(h, ME, (const int[]){90, 80, 20, 0});
	assert_near(correct(h, ME), 800, 1e-6);
	add(h, ME, (const int[]){30, 0}); /* 80 20 30 */
	assert_near(correct(h, ME), 300, 1e-6);
	add(h, ME, (const int[]){10, 0}); /* 20 30 10 */
	assert_near(correct(h, ME), 200, 1e-6);
	add(h, ME, (const int[]){10, 10, 10, 50, 0}); /* 10 10 50 */
	assert_near(correct(h, ME), 100, 1e-6);
	assert_int_equal(libra_history_known(h, ME), 3);
	libra_history_destroy(h);
}

static void users_do_not_mix(void **state)
{
	struct libra_history *h = history(0.5, 0, 4);

	for (uint32_t user = 0; user < 1000; user++)
		add(h, user * 65536 + 7,
		    (const int[]){1 + (int)(user % 90), 0});
	for (uint32_t user = 0; user < 1000; user++)
		assert_near(correct(h, user * 65536 + 7), 10 * (1 + user % 90),
			    1e-6);
	assert_near(correct(h, 8), 1000, 0);
	assert_int_equal(libra_history_known(h, 8), 0);
	libra_history_destroy(h);
}

static void never_above_the_estimate_nor_below_the_floor(void **state)
{
	struct libra_history *h = history(0.5, 60, 4);

	add(h, ME, (const int[]){250, 0});
	assert_near(correct(h, ME), 1000, 0);
	add(h, 2, (const int[]){1, 0});
	assert_near(correct(h, 2), 60, 0);
	assert_near(libra_history_correct(h, 2, 50, 0), 50, 0);
	/* No time at all is a ratio, too. */
	assert_int_equal(libra_history_add(h, 3, 0, 100), 0);
	assert_near(correct(h, 3), 60, 0);
	libra_history_destroy(h);
	h = history(0.5, 0, 4);
	assert_int_equal(libra_history_add(h, 3, 0, 100), 0);
	assert_true(correct(h, 3) > 0);
	libra_history_destroy(h);
}

/* Ratios 10, 20, 50, 80 %, q 0.5, 1000 s.  Before: k = 3, 500 s.  Executed
 * 150: of {20, 50, 80} the 2nd; 500: of {80}; 810: none are left.
 */
static void who_exceeds_is_compared_with_those_who_did(void **state)
{
	struct libra_history *h = history(0.5, 0, 20);

	add(h, ME, (const int[]){80, 20, 50, 10, 0});
	assert_near(correct(h, ME), 500, 1e-6);
	assert_near(libra_history_correct(h, ME, 1000, 150), 500, 1e-6);
	assert_near(libra_history_correct(h, ME, 1000, 500), 800, 1e-6);
	assert_near(libra_history_correct(h, ME, 1000, 810), 1000, 0);
	assert_near(libra_history_correct(h, ME, 1000, 2000), 1000, 0);
	libra_history_destroy(h);
}

static void senseless_settings_and_durations_are_refused(void **state)
{
	static const struct libra_history_conf bad[] = {
		{0, 0, 20},
		{1, 0, 20},
		{NAN, 0, 20},
		{0.5, -1, 20},
		{0.5, NAN, 20},
		{0.5, 0, 0},
		{0.5, 0, LIBRA_HISTORY_DEPTH_MAX + 1},
	};
	struct libra_history *h = history(0.5, 0, 4);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};

		errno = 0;
		assert_null(libra_history_create(&bad[i], &err));
		assert_int_equal(errno, EINVAL);
		assert_one_line(&err);
	}
	assert_fails(EINVAL, libra_history_add(h, ME, -1, 10));
	assert_fails(EINVAL, libra_history_add(h, ME, NAN, 10));
	assert_fails(EINVAL, libra_history_add(h, ME, INFINITY, 10));
	assert_fails(EINVAL, libra_history_add(h, ME, 1, 0));
	assert_fails(EINVAL, libra_history_add(h, ME, 1, NAN));
	assert_fails(EINVAL, libra_history_add(h, ME, 1, INFINITY));
	assert_int_equal(libra_history_known(h, ME), 0);
	libra_history_destroy(h);
	libra_history_destroy(NULL);
}

/* 0.5 is content with 1 job, 0.95 needs 19, 0.99 needs 99. */
static void the_usual_depth_is_enough_for_the_quantile(void **state)
{
	assert_int_equal(libra_history_usual(0.5).depth, 20);
	assert_int_equal(libra_history_usual(0.95).depth, 20);
	assert_int_equal(libra_history_usual(0.99).depth, 99);
	assert_int_equal(libra_history_usual(0.99999).depth,
			 LIBRA_HISTORY_DEPTH_MAX);
}

/* ---- properties ---- */

static void a_correction_is_positive_and_never_above(void **state)
{
	static const double quantiles[] = {0.1, 0.5, 0.8, 0.95};
	uint64_t seed = 1;

	for (int q = 0; q < 4; q++) {
		struct libra_history *h = history(quantiles[q], q, 20);

		for (int i = 0; i < 20000; i++) {
			uint32_t user = (uint32_t)(random_unit(&seed) * 30);
			double estimate_s = 1e5 * random_unit(&seed) + 1e-3;
			double executed_s =
				random_unit(&seed) < 0.5
					? 0
					: estimate_s * random_unit(&seed);
			double c = libra_history_correct(h, user, estimate_s,
							 executed_s);

			assert_true(c > 0 && c <= estimate_s);
			assert_true(c > executed_s || c == estimate_s);
			libra_history_add(h, user,
					  estimate_s * 1.2 *
						  random_unit(&seed) *
						  random_unit(&seed),
					  estimate_s);
		}
		libra_history_destroy(h);
	}
}

/* The promise itself, before a job runs and after it has run for a while:
 * ratios from no common distribution, 40000 jobs; 3 standard errors.
 */
static void at_least_q_of_the_jobs_keep_to_it(void **state)
{
	struct libra_history *h = history(0.8, 0, 20);
	uint64_t seed = 7;
	int kept = 0, kept_later = 0, later = 0, n = 40000;

	for (int i = 0; i < n; i++) {
		double u = random_unit(&seed);
		double run_s = u < 0.5 ? 20 * u : 1000 * u * u;

		kept += run_s <= correct(h, ME) + 1e-5;
		if (run_s > 5) {
			later++;
			kept_later +=
				run_s <=
				libra_history_correct(h, ME, 1000, 5) + 1e-5;
		}
		assert_int_equal(libra_history_add(h, ME, run_s, 1000), 0);
	}
	assert_true(kept >= 0.8 * n - 3 * sqrt(0.16 * n));
	assert_true(kept <= 0.9 * n);
	assert_true(kept_later >= 0.8 * later - 3 * sqrt(0.16 * later));
	libra_history_destroy(h);
}

/* ---- text ---- */

static char *save(const struct libra_history *h)
{
	size_t n = libra_history_save(h, NULL, 0);
	char *text = malloc(n + 1);

	assert_non_null(text);
	assert_int_equal(libra_history_save(h, text, n + 1), n);
	assert_int_equal(strlen(text), n);
	return text;
}

static void load(struct libra_history *h, const char *text)
{
	struct libra_error err = {""};

	if (libra_history_load(h, text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
}

static const char two_users[] = "libra-history 1\n"
				"user 1001 200000000 1000000000 50000000\n"
				"user 7 333333334\n"
				"end 2\n";

static void the_text_is_as_documented(void **state)
{
	struct libra_history *h = history(0.5, 0, 3);
	char *text = save(h), some[8];

	assert_string_equal(text, "libra-history 1\nend 0\n");
	load(h, text);
	free(text);
	add(h, ME, (const int[]){90, 20, 100, 5, 0});
	assert_int_equal(libra_history_add(h, 7, 1, 3), 0);
	text = save(h);
	assert_string_equal(text, two_users);
	assert_int_equal(libra_history_save(h, some, sizeof(some)),
			 strlen(text));
	assert_string_equal(some, "libra-h");
	free(text);
	libra_history_destroy(h);
}

/* What was loaded answers and goes on as what was saved. */
static void a_round_trip_changes_nothing(void **state)
{
	struct libra_history *a = history(0.8, 1, 20);
	struct libra_history *b = history(0.8, 1, 20);
	uint64_t seed = 3;
	char *text, *again;

	add(b, 99999, (const int[]){10, 0}); /* will be gone */
	for (int i = 0; i < 3000; i++)
		libra_history_add(a, (uint32_t)(100 * random_unit(&seed)),
				  random_unit(&seed) * 1e4, 1e4);
	text = save(a);
	load(b, text);
	again = save(b);
	assert_string_equal(text, again);
	assert_int_equal(libra_history_known(b, 99999), 0);
	for (int i = 0; i < 3000; i++) {
		uint32_t user = (uint32_t)(110 * random_unit(&seed));
		double run_s = random_unit(&seed) * 1e4,
		       x = random_unit(&seed) * 100;

		assert_true(libra_history_correct(a, user, 1e4, x) ==
			    libra_history_correct(b, user, 1e4, x));
		libra_history_add(a, user, run_s, 1e4);
		libra_history_add(b, user, run_s, 1e4);
	}
	free(text);
	free(again);
	libra_history_destroy(a);
	libra_history_destroy(b);
}

static void a_shorter_history_takes_the_last_ratios(void **state)
{
	struct libra_history *h = history(0.5, 0, 2);

	load(h, two_users); /* 1 and 0.05 of user 1001 */
	assert_int_equal(libra_history_known(h, 1001), 2);
	assert_near(libra_history_correct(h, 1001, 100, 0), 100, 0);
	assert_near(libra_history_correct(h, 1001, 100, 50), 100, 0);
	assert_near(libra_history_correct(h, 7, 300, 0), 100, 1e-6);
	libra_history_destroy(h);
}

/* A history that refuses a text is what it was. */
static void refuse_text(const char *text, size_t size, const char *part)
{
	struct libra_history *h = history(0.5, 0, 3);
	struct libra_error err = {""};
	char *before, *after;

	add(h, 5, (const int[]){50, 60, 0});
	before = save(h);
	errno = 0;
	if (libra_history_load(h, text, size, &err) != -1)
		fail_msg("taken: %.*s", (int)size, text);
	assert_int_equal(errno, EINVAL);
	assert_one_line(&err);
	assert_contains(err.text, part);
	after = save(h);
	assert_string_equal(before, after);
	free(before);
	free(after);
	libra_history_destroy(h);
}

static void damaged_text_is_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} bad[] = {
		{"libra-history 2\nend 0\n", "another version"},
		{"libra-history 1 \nend 0\n", "line 1"},
		{"\nlibra-history 1\nend 0\n", "line 1"},
		{"libra-history 1\nend 1\n", "line 2"},
		{"libra-history 1\nend 0\n\n", "line 2"},
		{"libra-history 1\nend 0", "line 2"},
		{"libra-history 1\nuser 1 5\nend 1\nend 1\n", "line 3"},
		{"libra-history 1\nuser 1\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 \nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 5 \nend 1\n", "line 2"},
		{"libra-history 1\nuser 1  5\nend 1\n", "line 2"},
		{"libra-history 1\nuser  1 5\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 0\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 -5\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 0.5\nend 1\n", "line 2"},
		{"libra-history 1\nuser -1 5\nend 1\n", "line 2"},
		{"libra-history 1\nuser 4294967296 5\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 1000000000000001\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 99999999999999999999999999\nend 1\n",
		 "line 2"},
		{"libra-history 1\nuser 1 5\r\nend 1\n", "line 2"},
		{"libra-history 1\nuser 1 5\nuser 1 6\nend 2\n", "line 3"},
		{"libra-history 1\nuser 1 5\nuser 2 6\nend 1\n", "line 4"},
		{"libra-history 1\nuser 1 5\nusers\nend 1\n", "line 3"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuse_text(bad[i].text, strlen(bad[i].text), bad[i].part);
	/* Cut off anywhere, and with a byte that does not belong there. */
	for (size_t n = 0; n < strlen(two_users); n++)
		refuse_text(two_users, n, "line");
	for (size_t n = 0; n < strlen(two_users); n++) {
		char text[sizeof(two_users)];

		memcpy(text, two_users, sizeof(text));
		text[n] = '\0';
		refuse_text(text, strlen(two_users), "line");
	}
}

/* ---- running jobs ---- */

static double left(struct libra_engine *e, double now_s, uint64_t ticket)
{
	double left_s[4];

	assert_true(libra_engine_nslots(e) <= 4);
	libra_engine_all_left(e, now_s, left_s);
	return left_s[libra_ticket_slot(ticket)];
}

static bool takes(struct libra_engine *e, struct libra_job job, double now_s)
{
	struct libra_verdict verdict = host_offer(e, job, now_s);

	if (verdict.answer == LIBRA_REJECT)
		return false;
	assert_int_equal(libra_engine_withdraw(e, verdict.ticket, now_s), 0);
	return true;
}

/* 10 s were said, by 100; alone it has executed 20 s at 20.  Over its estimate
 * it counts with its first share, 0.1; with 40 s it has 20 s in 80, 0.25.
 */
static void shares_follow_a_new_estimate(void **state)
{
	struct libra_engine *e = host_engine("libra", 1, 1);
	uint64_t ticket = host_submit(e, host_job(0, 10, 100, 1), 0);

	assert_near(left(e, 4, ticket), 6, 1e-9);
	assert_near(left(e, 20, ticket), -10, 1e-9);
	assert_true(takes(e, host_job(20, 80, 100, 1), 20));
	assert_int_equal(libra_engine_reestimate(e, ticket, 40, 20), 0);
	assert_near(left(e, 20, ticket), 20, 1e-9);
	assert_near(libra_engine_job(e, ticket)->estimate_s, 40, 0);
	assert_false(takes(e, host_job(20, 80, 100, 1), 20));
	assert_true(takes(e, host_job(20, 70, 100, 1), 20));
	assert_near(left(e, 25, ticket), 15, 1e-9);
	libra_engine_destroy(e);
}

/* The same job under band and demand: a tenth of 20 s is needed by their own
 * rule, 20 s with the new estimate.  70 s by 105 have room before: 72 <= 85;
 * then 90 > 85.
 */
static void needs_follow_a_new_estimate(void **state)
{
	static const char *const policies[] = {"band", "demand"};

	for (int i = 0; i < 2; i++) {
		struct libra_engine *e = host_engine(policies[i], 1, 1);
		uint64_t ticket = host_submit(e, host_job(0, 10, 100, 1), 0);

		host_pass(e, 0);
		assert_near(left(e, 20, ticket), -10, 1e-9);
		assert_true(takes(e, host_job(20, 70, 85, 1), 20));
		assert_int_equal(libra_engine_reestimate(e, ticket, 40, 20), 0);
		assert_near(left(e, 20, ticket), 20, 1e-9);
		assert_false(takes(e, host_job(20, 70, 85, 1), 20));
		assert_true(takes(e, host_job(20, 70, 91, 1), 20));
		libra_engine_destroy(e);
	}
}

/* 4 processors.  A (3, 10 s) is over its estimate at 15; B (4) waits for it
 * and is expected to start now: C (1, 20 s) would delay it.  A is given 40 s:
 * C is done before.
 */
static void backfilling_follows_a_new_estimate(void **state)
{
	static const char *const policies[] = {"easy", "conservative"};

	for (int i = 0; i < 2; i++) {
		struct libra_engine *e = host_engine(policies[i], 1, 4);
		uint64_t a = host_submit(e, host_job(0, 10, 1000, 3), 0), b, c;

		host_pass(e, 0);
		b = host_submit(e, host_job(1, 100, 1000, 4), 1);
		host_pass(e, 15);
		c = host_submit(e, host_job(15, 20, 1000, 1), 15);
		host_pass(e, 15);
		assert_false(host_runs(e, b));
		assert_false(host_runs(e, c));
		assert_near(left(e, 15, a), -5, 1e-9);
		assert_true(isnan(left(e, 15, b)));
		assert_fails(EINVAL, libra_engine_reestimate(e, b, 50, 15));
		assert_int_equal(libra_engine_reestimate(e, a, 40, 15), 0);
		assert_near(left(e, 15, a), 25, 1e-9);
		host_pass(e, 15);
		assert_true(host_runs(e, c));
		assert_false(host_runs(e, b));
		assert_int_equal(libra_engine_departed(e, c, 35), 0);
		assert_int_equal(libra_engine_departed(e, a, 38), 0);
		host_pass(e, 38);
		assert_true(host_runs(e, b));
		libra_engine_destroy(e);
	}
}

static void contracts_and_strangers_keep_their_estimates(void **state)
{
	static const char *const policies[] = {"market-be", "market-cac"};

	for (int i = 0; i < 2; i++) {
		struct libra_engine *e = host_engine(policies[i], 1, 2);
		uint64_t ticket = host_submit(e, host_job(0, 10, 100, 1), 0);

		assert_int_not_equal(ticket, 0);
		assert_fails(ENOTSUP,
			     libra_engine_reestimate(e, ticket, 20, 5));
		assert_near(libra_engine_job(e, ticket)->estimate_s, 10, 0);
		assert_fails(EINVAL, libra_engine_reestimate(e, ticket, 0, 5));
		assert_fails(EINVAL,
			     libra_engine_reestimate(e, ticket, NAN, 5));
		assert_fails(ENOENT,
			     libra_engine_reestimate(e, ticket + 1, 20, 5));
		libra_engine_destroy(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_by_hand),
		cmocka_unit_test(too_little_history_corrects_nothing),
		cmocka_unit_test(ranks_are_not_raised_by_rounding),
		cmocka_unit_test(the_smallest_quantile_takes_the_least),
		cmocka_unit_test(the_oldest_ratio_is_forgotten),
		cmocka_unit_test(users_do_not_mix),
		cmocka_unit_test(never_above_the_estimate_nor_below_the_floor),
		cmocka_unit_test(who_exceeds_is_compared_with_those_who_did),
		cmocka_unit_test(senseless_settings_and_durations_are_refused),
		cmocka_unit_test(the_usual_depth_is_enough_for_the_quantile),
		cmocka_unit_test(a_correction_is_positive_and_never_above),
		cmocka_unit_test(at_least_q_of_the_jobs_keep_to_it),
		cmocka_unit_test(the_text_is_as_documented),
		cmocka_unit_test(a_round_trip_changes_nothing),
		cmocka_unit_test(a_shorter_history_takes_the_last_ratios),
		cmocka_unit_test(damaged_text_is_refused),
		cmocka_unit_test(shares_follow_a_new_estimate),
		cmocka_unit_test(needs_follow_a_new_estimate),
		cmocka_unit_test(backfilling_follows_a_new_estimate),
		cmocka_unit_test(contracts_and_strangers_keep_their_estimates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
