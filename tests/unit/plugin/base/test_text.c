/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_text.c - texts that are composed piece by piece. */
#include "plugin/base/text.h"

#include <math.h>
#include <string.h>

#include "tests/unit/test.h"

static void pieces_are_joined(void **state)
{
	struct host_text t = {0};

	assert_true(host_text_add(&t, "%s", ""));
	assert_int_equal(t.len, 0);
	assert_true(host_text_add(&t, "a=%d", 7));
	assert_true(host_text_add_bytes(&t, ";xyz", 1));
	assert_true(host_text_add(&t, "%.3g", 0.5));
	assert_string_equal(t.text, "a=7;0.5");
	assert_int_equal(t.len, 7);
	host_text_empty(&t);
	assert_true(host_text_add_bytes(&t, "bc", 2));
	assert_string_equal(t.text, "bc");
	assert_int_equal(t.len, 2);
	host_text_fini(&t);
	assert_null(t.text);
	assert_int_equal(t.len, 0);
}

/* Whatever is there already, a piece that is longer than the room is whole. */
static void there_is_room_for_any_length(void **state)
{
	char long_one[1025];

	for (int before = 0; before < 600; before++) {
		struct host_text t = {0};
		size_t n = (size_t)(1024 - before);

		memset(long_one, 'x', n);
		long_one[n] = '\0';
		for (int i = 0; i < before; i++)
			assert_true(i % 2 ? host_text_add(&t, "%c", 'a')
					  : host_text_add_bytes(&t, "a", 1));
		assert_true(before % 2 ? host_text_add(&t, "%s", long_one)
				       : host_text_add_bytes(&t, long_one, n));
		assert_int_equal(t.len, 1024);
		assert_true(t.len < t.cap);
		assert_int_equal(strlen(t.text), 1024);
		assert_int_equal(strspn(t.text, "a"), before);
		host_text_fini(&t);
	}
}

static void assert_as_printf(double v)
{
	struct host_text t = {0};
	char expected[64];

	assert_true(host_text_add_number(&t, v));
	snprintf(expected, sizeof(expected), "%.17g", v);
	assert_string_equal(t.text, expected);
	host_text_fini(&t);
}

/* The text is that of printf, whatever the way. */
static void numbers_are_as_printf_prints_them(void **state)
{
	const double numbers[] = {
		0,
		-0.0,
		1,
		600,
		1795662562,
		1e15 - 1,
		1e15,
		1e17,
		-3,
		0.1,
		1795590562.5314379,
		999999999999999.5,
		0.00390625,
		0.0039062500000000009,
		0.01,
		0.99999999999999989,
		9.9999999999999982,
		0.1875,
		1.0000000000000002,
		INFINITY,
		-INFINITY,
		NAN,
		4.9e-324,
	};
	const unsigned long long wholes[] = {0, 9, 10, 46561740466375,
					     UINT64_MAX};
	char expected[64];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_as_printf(numbers[i]);
	for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		struct host_text t = {0};

		assert_true(host_text_add_whole(&t, wholes[i]));
		snprintf(expected, sizeof(expected), "%llu", wholes[i]);
		assert_string_equal(t.text, expected);
		host_text_fini(&t);
	}
	(void)state;
}

static uint64_t next_bits(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Of any bits; of any number of them behind the point, where halves have to be
 * rounded; and as jobs have them: seconds of a clock, parts of a processor.
 */
static void any_number_is_as_printf_prints_it(void **state)
{
	uint64_t at = 88172645463325252u, bits;
	double v;

	for (int i = 0; i < 100000; i++) {
		bits = next_bits(&at);
		memcpy(&v, &bits, sizeof(v));
		assert_as_printf(v);
		v = ldexp((double)(bits >> 11), -(int)(next_bits(&at) % 70));
		assert_as_printf(v);
		v = ldexp((double)(bits % 100000000000u),
			  -(int)(next_bits(&at) % 50));
		assert_as_printf(v);
		assert_as_printf((double)(bits % 10000000) /
				 (double)(1 + next_bits(&at) % 1000));
	}
	(void)state;
}

static void one_that_is_cut_stays_so(void **state)
{
	struct host_text t = {.cut = true};

	assert_false(host_text_add(&t, "a"));
	assert_false(host_text_add_bytes(&t, "a", 1));
	assert_int_equal(t.len, 0);
	host_text_empty(&t);
	assert_true(host_text_add(&t, "a"));
	host_text_fini(&t);
}

static void no_control_character_is_logged(void **state)
{
	char text[] = "gpu:\n[2026] error\t\x1b[2J\x7f \xc3\xa4";

	host_text_defuse(text);
	assert_string_equal(text, "gpu:?[2026] error??[2J? \xc3\xa4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(there_is_room_for_any_length),
		cmocka_unit_test(numbers_are_as_printf_prints_them),
		cmocka_unit_test(any_number_is_as_printf_prints_it),
		cmocka_unit_test(one_that_is_cut_stays_so),
		cmocka_unit_test(no_control_character_is_logged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
