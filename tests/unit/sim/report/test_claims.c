/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_claims.c - judging a table of claims, and the tools of its functions.
 */
#include <jansson.h>

#include "sim/output/text.h"
#include "sim/report/claims.h"
#include "tests/unit/test.h"

static void in_range(const struct claim *c, const void *study,
		     struct claim_result *r)
{
	claim_range(c, r, *(const double *)study);
}

static void reported(const struct claim *c, const void *study,
		     struct claim_result *r)
{
	r->status = CLAIM_INFO;
	claim_measured(r, "%s", c->id);
}

static const struct claim claims[] = {
	{.id = "A1",
	 .where = "1",
	 .text = "one \"claim\"",
	 .setting = "here",
	 .check = in_range,
	 .bound = {{.what = "", .low = 1, .high = 3, .unit = "pp"}},
	 .decimals = 1},
	{.id = "A2",
	 .where = "2",
	 .text = "another",
	 .setting = "there",
	 .check = in_range,
	 .bound = {{.what = "", .low = 3, .high = 4}},
	 .decimals = 2},
	{.id = "A3",
	 .where = "3",
	 .text = "an input",
	 .setting = "",
	 .check = reported,
	 .also = "reported"},
};

static void a_table_is_judged_row_by_row(void **state)
{
	struct claim_result r[3];
	double study = 2.385;

	memset(r, 0xee, sizeof(r));
	claims_judge(claims, 3, &study, r);
	assert_int_equal(r[0].status, CLAIM_PASS);
	assert_string_equal(r[0].measured, "2.4 pp");
	assert_string_equal(r[0].note, "");
	assert_int_equal(r[1].status, CLAIM_FAIL);
	assert_string_equal(r[1].measured, "2.38");
	assert_string_equal(r[1].note, "2.38 is below 3.00.");
	assert_int_equal(r[2].status, CLAIM_INFO);
	assert_string_equal(r[2].measured, "A3");
	for (int s = CLAIM_PASS; s <= CLAIM_INFO; s++)
		assert_int_equal(claims_count(r, 3, s), 1);
}

static const struct claim plain = {.bound = {{.what = ""}}};
static const struct claim points = {.bound = {{.what = "", .unit = "pp"}},
				    .decimals = 1};

static void what_is_no_number_does_not_hold(void **state)
{
	struct claim_result r = {0};
	struct claim_scan s = {0};
	struct claim any = {.bound = {{.low = -INFINITY, .high = INFINITY}}};

	claim_range(&any, &r, NAN);
	assert_int_equal(r.status, CLAIM_FAIL);
	assert_string_equal(r.note, "It could not be measured.");
	memset(&r, 0, sizeof(r));
	claim_scan_add(&s, 1, 0, 2, "x");
	claim_scan_add(&s, NAN, -INFINITY, INFINITY, "y");
	any.decimals = 1;
	claim_scan_end(&any, &s, &r);
	assert_int_equal(r.status, CLAIM_FAIL);
	assert_string_equal(r.measured, "+1.0 (x) to +1.0 (x)");
	assert_contains(r.note, "1 of 2 places: y.");
}

static void a_scan_names_its_ends_and_where_it_breaks(void **state)
{
	struct claim_result r = {0};
	struct claim_scan s = {0};

	for (int i = 0; i <= 9; i++)
		claim_scan_add(&s, i - 4.5, -2, 9, "x %d", i);
	claim_scan_end(&points, &s, &r);
	assert_int_equal(r.status, CLAIM_FAIL);
	assert_string_equal(r.measured, "-4.5 pp (x 0) to +4.5 pp (x 9)");
	assert_string_equal(r.note, "It does not hold in 3 of 10 places: x 0; "
				    "x 1; x 2.");
}

static void a_long_list_of_places_is_cut(void **state)
{
	struct claim_result r = {0};
	struct claim_scan s = {0};

	for (int i = 0; i < 1000; i++)
		claim_scan_add(&s, i, -1, -1, "place %d", i);
	claim_scan_end(&plain, &s, &r);
	assert_string_equal(r.note,
			    "It does not hold in 1000 of 1000 places: place 0; "
			    "place 1; place 2; place 3; place 4; and more.");
}

static void an_empty_scan_proves_nothing(void **state)
{
	struct claim_result r = {0};
	struct claim_scan s = {0};

	claim_scan_end(&plain, &s, &r);
	assert_int_equal(r.status, CLAIM_FAIL);
	assert_string_equal(r.measured, "nothing to measure");
}

static void bounds_belong_to_the_range(void **state)
{
	struct claim_result r = {0};

	static const struct claim one = {.bound = {{.low = 1, .high = 1}}};

	claim_range(&one, &r, 1);
	assert_int_equal(r.status, CLAIM_PASS);
	claim_range(&one, &r, nextafter(1, 2));
	assert_int_equal(r.status, CLAIM_FAIL);
}

static const char *expected(const struct claim *c)
{
	static char text[CLAIM_EXPECTED_SIZE];

	return claim_expected(c, text);
}

/* What is printed as expected is made of the bounds: no text stands beside. */
static void a_changed_bound_changes_the_text_and_the_verdict(void **state)
{
	struct claim c = {.bound = {{.what = "A - B",
				     .low = 5,
				     .high = CLAIM_ANY,
				     .unit = "pp"}}};
	struct claim_result r = {0};

	assert_string_equal(expected(&c), "A - B >= 5 pp");
	claim_range(&c, &r, 5.5);
	assert_int_equal(r.status, CLAIM_PASS);
	c.bound[0].low = 6;
	assert_string_equal(expected(&c), "A - B >= 6 pp");
	claim_range(&c, &r, 5.5);
	assert_int_equal(r.status, CLAIM_FAIL);
}

static void bounds_of_each_kind_have_their_words(void **state)
{
	static const struct {
		double low, high;
		const char *what, *text;
	} rows[] = {
		{-CLAIM_ANY, 1, "x", "x <= 1 s"},
		{CLAIM_ABOVE_0, CLAIM_ANY, "x", "x > 0"},
		{-CLAIM_ANY, CLAIM_BELOW_0, "x", "x < 0"},
		{0, CLAIM_ANY, "x", "x >= 0"},
		{-3, 3, "x", "x within 3 s"},
		{-1, 6, "x", "x from -1 to 6 s"},
		{1.5, 2.5, "", "1.5 to 2.5 s"},
		{24, 24, "x", "x 24 s"},
		{16.5, 0x1.1ffffffffffffp4, "", "16.5 to below 18 s"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct claim c = {.bound = {{.what = rows[i].what,
					     .low = rows[i].low,
					     .high = rows[i].high,
					     .unit = "s"}}};

		assert_string_equal(expected(&c), rows[i].text);
	}
}

static void bounds_and_words_are_joined(void **state)
{
	static const struct claim c = {
		.bound = {{.what = "a", .low = 1, .high = 2},
			  {.low = 3, .high = 4}, /* not told */
			  {.what = "b", .low = -1, .high = 1}},
		.also = "reported",
	};

	assert_string_equal(expected(&c), "a from 1 to 2; b within 1; "
					  "reported");
}

static void text_that_does_not_fit_ends_with_dots(void **state)
{
	char buf[24] = "";

	claim_append(buf, sizeof(buf), "%s", "short");
	assert_string_equal(buf, "short");
	claim_append(buf, sizeof(buf), "%s", " and then much too long");
	assert_string_equal(buf, "short and then much...");
	for (size_t n = 5; n < 40; n++) {
		char tight[40] = "";

		/* Two-byte characters are never cut in half. */
		claim_append(tight, n, "%s",
			     "\xc3\xa9\xc3\xa9\xc3\xa9 "
			     "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
			     "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
		assert_true(strlen(tight) < n);
		for (const char *p = tight; *p; p += out_utf8(p))
			assert_true(out_utf8(p) > 0);
	}
}

static void json_has_one_object_per_claim(void **state)
{
	struct claim_result r[3];
	double study = 2.385;
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);
	struct out_json j;
	json_t *root, *row;

	claims_judge(claims, 3, &study, r);
	out_json_init(&j, fp);
	claims_json(&j, NULL, claims, r, 3);
	fclose(fp);
	root = json_loads(text, 0, NULL);
	free(text);
	assert_int_equal(json_array_size(root), 3);
	row = json_array_get(root, 0);
	assert_string_equal(json_string_value(json_object_get(row, "id")),
			    "A1");
	assert_string_equal(json_string_value(json_object_get(row, "claim")),
			    "one \"claim\"");
	assert_string_equal(json_string_value(json_object_get(row, "status")),
			    "pass");
	assert_null(json_object_get(row, "note"));
	row = json_array_get(root, 1);
	assert_string_equal(json_string_value(json_object_get(row, "note")),
			    "2.38 is below 3.00.");
	json_decref(root);
}

static void the_summary_counts_and_gives_reasons(void **state)
{
	struct claim_result r[3];
	double study = 2.385;
	char text[512];
	FILE *fp = fmemopen(text, sizeof(text), "w");

	claims_judge(claims, 3, &study, r);
	strcpy(r[1].note, "a reason that is long enough to need a second line "
			  "because it does not fit into one");
	claims_print(fp, claims, r, 3);
	fclose(fp);
	assert_string_equal(
		text,
		"Claims: 1 pass, 1 fail, 1 for information\n"
		"  A2   another\n"
		"       a reason that is long enough to need a second line "
		"because it does not\n"
		"       fit into one\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_judged_row_by_row),
		cmocka_unit_test(what_is_no_number_does_not_hold),
		cmocka_unit_test(a_scan_names_its_ends_and_where_it_breaks),
		cmocka_unit_test(a_long_list_of_places_is_cut),
		cmocka_unit_test(an_empty_scan_proves_nothing),
		cmocka_unit_test(bounds_belong_to_the_range),
		cmocka_unit_test(
			a_changed_bound_changes_the_text_and_the_verdict),
		cmocka_unit_test(bounds_of_each_kind_have_their_words),
		cmocka_unit_test(bounds_and_words_are_joined),
		cmocka_unit_test(text_that_does_not_fit_ends_with_dots),
		cmocka_unit_test(json_has_one_object_per_claim),
		cmocka_unit_test(the_summary_counts_and_gives_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
