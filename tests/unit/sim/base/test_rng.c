/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_rng.c - the generator against published numbers, and its streams
 * against each other.  All seeds are fixed; bounds are three standard errors.
 */
#include <gsl/gsl_randist.h>

#include "sim/base/rng.h"
#include "tests/unit/test.h"

enum { N = 100000 };

/* The sequence of the seed 1234567, as many implementations list it. */
static void splitmix64_gives_the_published_numbers(void **state)
{
	uint64_t x = 1234567;

	assert_true(rng_splitmix64(&x) == UINT64_C(6457827717110365317));
	assert_true(rng_splitmix64(&x) == UINT64_C(3203168211198807973));
	assert_true(rng_splitmix64(&x) == UINT64_C(9817491932198370423));
	assert_true(rng_splitmix64(&x) == UINT64_C(4593380528125082431));
	assert_true(rng_splitmix64(&x) == UINT64_C(16408922859458223821));
}

/* From the state 1, 2, 3, 4.  The first three can be followed by hand:
 * rotl(2 * 5, 7) * 9 = 10 * 128 * 9 = 11520; then s[1] = 1 ^ 2 ^ 3 = 0
 * gives 0; then s[1] = 262149 (0x40005) gives rotl(1310745, 7) * 9 =
 * 1509978240.
 */
static void xoshiro_gives_the_published_numbers(void **state)
{
	static const uint64_t expected[] = {
		UINT64_C(11520),
		UINT64_C(0),
		UINT64_C(1509978240),
		UINT64_C(1215971899390074240),
		UINT64_C(1216172134540287360),
		UINT64_C(607988272756665600),
		UINT64_C(16172922978634559625),
		UINT64_C(8476171486693032832),
		UINT64_C(10595114339597558777),
		UINT64_C(2904607092377533576),
	};
	struct rng_stream s;

	rng_stream_init(&s, 0, "", 0);
	for (uint64_t i = 0; i < 4; i++)
		s.state[i] = i + 1;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_true(gsl_rng_get(&s.gsl) == expected[i]);
}

static void gsl_seeds_it_through_splitmix64(void **state)
{
	gsl_rng *a = gsl_rng_alloc(rng_type);
	struct rng_stream s;
	uint64_t x = 1234567;

	assert_non_null(a);
	gsl_rng_set(a, 1234567);
	rng_stream_init(&s, 0, "", 0);
	for (int i = 0; i < 4; i++)
		s.state[i] = rng_splitmix64(&x);
	for (int i = 0; i < 10; i++)
		assert_true(gsl_rng_get(a) == gsl_rng_get(&s.gsl));
	gsl_rng_free(a);
}

static void a_double_has_53_bits_and_is_below_one(void **state)
{
	struct rng_stream s;
	bool odd = false;

	rng_stream_init(&s, 0, "", 0);
	for (int i = 0; i < N; i++) {
		double u = rng_uniform(&s);
		double scaled = u * 0x1p53;

		assert_true(u >= 0 && u < 1);
		assert_true(scaled == floor(scaled));
		odd |= fmod(scaled, 2) != 0;
	}
	assert_true(odd);
	s.state[1] = 0;
	assert_true(rng_uniform(&s) == 0);
	/* All bits set: rotl(s[1] * 5, 7) * 9 = -1, with the inverses of 9
	 * and 5 modulo 2^64.
	 */
	s.state[1] = -UINT64_C(0x8e38e38e38e38e39);
	s.state[1] = s.state[1] >> 7 | s.state[1] << 57;
	s.state[1] *= UINT64_C(0xcccccccccccccccd);
	assert_true(rng_uniform(&s) == 1 - 0x1p-53);
}

static void uniform_draws_have_their_moments(void **state)
{
	static double x[N];
	struct rng_stream s;
	struct test_moments m;

	rng_stream_init(&s, 42, "uniform", 0);
	for (int i = 0; i < N; i++)
		x[i] = rng_uniform(&s);
	m = test_moments(x, N);
	assert_mean_near(m, 0.5);
	/* var(x - 1/2)^2 = 1/80 - 1/144 = 1/180 */
	assert_near(m.var, 1.0 / 12, 3 * sqrt(1.0 / 180 / N));
}

static void first_draws_of_many_streams_are_uniform(void **state)
{
	static double x[N];
	struct rng_stream s;
	struct test_moments m;
	double chi2 = 0;
	int bins[100] = {0};

	for (int i = 0; i < N; i++) {
		rng_stream_init(&s, 7, "class", (uint64_t)i);
		x[i] = rng_uniform(&s);
		bins[(int)(x[i] * 100)]++;
	}
	m = test_moments(x, N);
	assert_mean_near(m, 0.5);
	assert_near(m.var, 1.0 / 12, 3 * sqrt(1.0 / 180 / N));
	for (int i = 0; i < 100; i++)
		chi2 += (bins[i] - N / 100.0) * (bins[i] - N / 100.0) /
			(N / 100.0);
	assert_near(chi2, 99, 3 * sqrt(2 * 99.0));
}

static void normal_draws_of_many_streams_are_normal(void **state)
{
	static double x[N];
	struct rng_stream s;
	struct test_moments m;

	for (int i = 0; i < N; i++) {
		rng_stream_init(&s, 7, "deadline", (uint64_t)i);
		x[i] = gsl_ran_ugaussian(&s.gsl);
	}
	m = test_moments(x, N);
	assert_mean_near(m, 0);
	assert_near(m.var, 1, 3 * sqrt(2.0 / N));
}

/* Correlation of the first draws of two families of streams. */
static double correlation(uint64_t seed_a, const char *name_a, uint64_t from_a,
			  uint64_t seed_b, const char *name_b, uint64_t from_b)
{
	double sum = 0;

	for (uint64_t i = 0; i < N; i++) {
		struct rng_stream a, b;

		rng_stream_init(&a, seed_a, name_a, from_a + i);
		rng_stream_init(&b, seed_b, name_b, from_b + i);
		sum += (rng_uniform(&a) - 0.5) * (rng_uniform(&b) - 0.5);
	}
	return sum * 12 / N;
}

static void streams_are_independent(void **state)
{
	double bound = 3 / sqrt(N);

	assert_near(correlation(1, "class", 0, 2, "class", 0), 0, bound);
	assert_near(correlation(1, "class", 0, 1, "deadline", 0), 0, bound);
	assert_near(correlation(1, "class", 0, 1, "class", 1), 0, bound);
	assert_near(
		correlation(1, "class", 0, UINT64_C(1) << 32 | 1, "class", 0),
		0, bound);
	/* seed and index must not be interchangeable */
	assert_near(correlation(0, "a", 1, 1, "a", 0), 0, bound);
	/* the same one is fully correlated, so that the test can fail */
	assert_near(correlation(1, "class", 0, 1, "class", 0), 1, 0.02);
}

static void the_same_arguments_give_the_same_stream(void **state)
{
	struct rng_stream a, b;

	rng_stream_init(&a, 3, "class", 5);
	rng_uniform(&a);
	rng_stream_init(&a, 3, "class", 5);
	rng_stream_init(&b, 3, "class", 5);
	for (int i = 0; i < 100; i++)
		assert_true(gsl_rng_get(&a.gsl) == gsl_rng_get(&b.gsl));
}

static void a_normal_draw_is_that_of_gsl(void **state)
{
	struct rng_stream a, b;

	for (uint64_t i = 0; i < 1000; i++) {
		rng_stream_init(&a, i, "normal", 7);
		rng_stream_init(&b, i, "normal", 7);
		for (int k = 0; k < 3; k++)
			assert_true(rng_normal(&a) ==
				    gsl_ran_ugaussian(&b.gsl));
	}
}

/* Whole blocks, a part of one, and none. */
static void normal_draws_at_once_are_those_one_by_one(void **state)
{
	uint64_t index[1000], family = rng_family(3, "normal");
	double z[1000];
	struct rng_stream s;

	for (size_t n = 0; n <= 1000; n += 125) {
		for (size_t i = 0; i < n; i++)
			index[i] = n + 3 * i;
		rng_normals(family, index, z, n);
		for (size_t i = 0; i < n; i++) {
			rng_stream_begin(&s, family, index[i]);
			assert_true(z[i] == rng_normal(&s));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_normal_draw_is_that_of_gsl),
		cmocka_unit_test(normal_draws_at_once_are_those_one_by_one),
		cmocka_unit_test(splitmix64_gives_the_published_numbers),
		cmocka_unit_test(xoshiro_gives_the_published_numbers),
		cmocka_unit_test(gsl_seeds_it_through_splitmix64),
		cmocka_unit_test(a_double_has_53_bits_and_is_below_one),
		cmocka_unit_test(uniform_draws_have_their_moments),
		cmocka_unit_test(first_draws_of_many_streams_are_uniform),
		cmocka_unit_test(normal_draws_of_many_streams_are_normal),
		cmocka_unit_test(streams_are_independent),
		cmocka_unit_test(the_same_arguments_give_the_same_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
