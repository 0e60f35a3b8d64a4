/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_claim_rows.c - claims from a text, and what is no text of claims. */
#include <errno.h>
#include <float.h>

#include "sim/paper/claim_rows.h"
#include "tests/unit/test.h"

static void pass(const struct claim *c, const void *study,
		 struct claim_result *r)
{
	claim_verdict(r, true);
}

static void fail_it(const struct claim *c, const void *study,
		    struct claim_result *r)
{
	claim_verdict(r, false);
}

static const struct paper_ask common[] = {{"range", pass}, {NULL, NULL}};
static const struct paper_ask own[] = {{"odd", fail_it}, {NULL, NULL}};
static const struct paper_ask *const asks[] = {common, own};

static const char text[] = "# a remark\n"
			   "let lead = a - b[x=1]\n"
			   "A1 | 5.1 | More | here,\n"
			   "\t\tand there | range .2 pp per step\n"
			   "\t15..<20 pp | lead | lead | x y | {{x}} | 0.5\n"
			   "\t>0.. | - | a\n"
			   "\tat: x=1\n"
			   "\ttell: \" of {{%.1f a}} \"\n"
			   "\n"
			   "A2 |  | Odd | nowhere | odd\n"
			   "\t..<0 | it\n"
			   "\talso: equal | so\n";

static void rows_become_claims(void **state)
{
	struct paper_claims c;
	const struct claim *a;

	assert_int_equal(paper_claims_read(&c, text, asks, NULL), 0);
	assert_int_equal(c.n, 2);
	a = &c.claims[0];
	assert_string_equal(a->id, "A1");
	assert_string_equal(a->where, "5.1");
	assert_string_equal(a->setting, "here, and there");
	assert_ptr_equal(a->check, pass);
	assert_int_equal(a->decimals, 2);
	assert_string_equal(a->unit, "pp per step");
	assert_string_equal(a->at, "x=1");
	assert_string_equal(a->tell, " of {{%.1f a}} ");
	assert_null(a->why);
	a = &c.claims[1];
	assert_string_equal(a->where, "");
	assert_ptr_equal(a->check, fail_it);
	assert_null(a->unit);
	assert_string_equal(a->also, "equal | so");
	assert_int_equal(c.nlets, 1);
	assert_string_equal(c.lets[0].name, "lead");
	assert_string_equal(c.lets[0].text, "a - b[x=1]");
	assert_null(c.lets[1].name);
	paper_claims_fini(&c);
}

static void ranges_become_bounds(void **state)
{
	const struct claim_bound *b;
	struct paper_claims c;

	assert_int_equal(paper_claims_read(&c, text, asks, NULL), 0);
	b = c.claims[0].bound;
	assert_true(b[0].low == 15);
	/* The next double below 20: 20 itself is not within. */
	assert_true(b[0].high < 20 && b[0].high > 20 - 1e-14);
	assert_string_equal(b[0].unit, "pp");
	assert_string_equal(b[0].value, "lead");
	assert_string_equal(b[0].over, "x y");
	assert_string_equal(b[0].label, "{{x}}");
	assert_string_equal(b[0].slack, "0.5");
	assert_true(b[1].low == DBL_MIN && isinf(b[1].high));
	assert_null(b[1].what);
	assert_null(b[1].over);
	assert_null(b[2].value);
	b = c.claims[1].bound;
	assert_true(isinf(b[0].low) && b[0].high == -DBL_MIN);
	assert_string_equal(b[0].what, "it");
	assert_null(b[0].value);
	paper_claims_fini(&c);
}

static void what_is_no_row_is_refused(void **state)
{
	static const char *const bad[] = {
		"\tat: nothing to belong to\n",
		"A1 | 1 | no setting | range\n",
		"A1 | 1 | b | c | unheard-of\n",
		"A1 | 1 | b | c | range | more\n",
		"A1 | 1 | b | c | range\n\tunheard-of: d\n",
		"A1 | 1 | b | c | range\n\t15 pp\n",
		"A1 | 1 | b | c | range\n\t1x..2 pp\n",
		"A1 | 1 | b | c | range\n\t>..2 pp\n",
		"A1 | 1 | b | c | range\n\t1..2 | d | e | f | g | h | i\n",
		"let it be\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {.text = ""};
		struct paper_claims c;

		assert_int_equal(paper_claims_read(&c, bad[i], asks, &err), -1);
		assert_int_equal(errno, EINVAL);
		assert_non_null(strstr(err.text, "not a row of claims"));
		paper_claims_fini(&c);
	}
}

static void more_bounds_than_there_are_places_are_refused(void **state)
{
	char many[600] = "A1 | 1 | b | c | range\n";
	struct paper_claims c;

	for (int i = 0; i < CLAIM_NBOUNDS; i++)
		strcat(many, "\t1..2 | d\n");
	assert_int_equal(paper_claims_read(&c, many, asks, NULL), 0);
	paper_claims_fini(&c);
	strcat(many, "\t1..2 | d\n");
	assert_int_equal(paper_claims_read(&c, many, asks, NULL), -1);
	paper_claims_fini(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_become_claims),
		cmocka_unit_test(ranges_become_bounds),
		cmocka_unit_test(what_is_no_row_is_refused),
		cmocka_unit_test(more_bounds_than_there_are_places_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
