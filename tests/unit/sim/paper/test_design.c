/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_design.c - points and values by name, and the texts made of them.
 *
 * The design's values are 100 policy + 10 x + seed, so that each result says
 * where it was looked up.
 */
#include <math.h>

#include "sim/paper/steps.h"
#include "tests/unit/test.h"

static const struct design_level policies[] = {
	DESIGN_LEVEL("edf", "EDF", 1), DESIGN_LEVEL("libra", "Libra", 2)};
static const struct design_level numbers[] = {
	DESIGN_NUMBER(1), DESIGN_NUMBER(2), DESIGN_NUMBER(4)};
static const struct design_level tuned[] = {
	{"a-1", NULL, 1, "a"}, {"b-1", NULL, 1, "b"}, {"a-2", NULL, 2, "a"}};
static const struct design_factor factors[] = {
	{"policy", "policy", DESIGN_LEVELS(policies), NULL},
	{"x", "delay", DESIGN_LEVELS(numbers), NULL},
};
static const struct design_factor tuning[] = {
	{"policy", "policy", DESIGN_LEVELS(policies), NULL},
	{"tuned", "tuned", DESIGN_LEVELS(tuned), NULL},
};

static size_t values(const void *owner, const struct design_place *p,
		     const char *column, double *value)
{
	double at = 0;

	if (strcmp(column, "y") != 0)
		return 0;
	for (size_t f = 0; f < p->design->nfactors; f++)
		at = 10 * at + design_number(p, f);
	for (size_t i = 0; i < p->results->nseeds; i++)
		value[i] = 10 * at + (double)p->results->seeds[i];
	return p->results->nseeds;
}

/* EDF was not run with x = 2. */
static bool is_there(const void *owner, const struct design_place *p)
{
	return design_number(p, 0) != 1 || design_number(p, 1) != 2;
}

static const struct design designs[] = {
	{DESIGN("main", factors), .derived = true, .values = values},
	{DESIGN("other", tuning), .derived = true, .values = values},
	{DESIGN("partly", factors), .derived = true, .values = values,
	 .there = is_there},
};

static const uint64_t seeds[] = {1, 2, 6}; /* mean 3, sd sqrt(7) */
static struct libra_error wrong;
static struct design_results results = {
	.designs = designs,
	.ndesigns = 3,
	.seeds = seeds,
	.nseeds = 3,
	.wrong = &wrong,
};
static const struct paper_text text = {.html = false};

static int begin(void **state)
{
	wrong.text[0] = '\0';
	results.given = NULL;
	return 0;
}

static double value(const char *at, const char *expression)
{
	struct design_place p = design_nowhere(&results);

	design_go(&p, at);
	return paper_value(&p, &text, expression);
}

static const char *said(const char *at, const char *what)
{
	static char buf[256];
	struct design_place p = design_nowhere(&results);

	design_go(&p, at);
	paper_format(buf, sizeof(buf), &p, &text, what);
	return buf;
}

/* ---- points ---- */

static char visited[256];

static bool visit(const struct design_place *p, void *arg)
{
	char name[32];

	for (size_t f = 0; f < p->design->nfactors; f++) {
		design_name(p, f, false, name, sizeof(name));
		strcat(visited, name);
		strcat(visited, f + 1 < p->design->nfactors ? " " : ",");
	}
	return true;
}

static const char *points(const char *over)
{
	struct design_place p = design_nowhere(&results);

	visited[0] = '\0';
	assert_true(design_each(&p, over, visit, NULL));
	return visited;
}

static void the_last_word_varies_fastest(void **state)
{
	assert_string_equal(points("main policy x"),
			    "edf 1,edf 2,edf 4,libra 1,libra 2,libra 4,");
	assert_string_equal(points("main x=1,4 policy"),
			    "edf 1,libra 1,edf 4,libra 4,");
}

static void levels_are_chosen_by_name_number_and_order(void **state)
{
	assert_string_equal(points("main policy=libra,edf x=4"),
			    "libra 4,edf 4,");
	assert_string_equal(points("main policy=edf x>=2"), "edf 2,edf 4,");
	assert_string_equal(points("main policy=edf x<=2"), "edf 1,edf 2,");
	assert_string_equal(points("main policy=edf x<2"), "edf 1,");
	assert_string_equal(points("main policy=edf step:x"), "edf 2,edf 4,");
	assert_string_equal(points("other policy=edf tuned=a-*"),
			    "edf a-1,edf a-2,");
	assert_string_equal(points("main policy=edf x=1;other policy=edf "
				   "tuned=b-1"),
			    "edf 1,edf b-1,");
}

static void points_that_are_not_there_are_passed_over(void **state)
{
	assert_string_equal(points("partly policy x"),
			    "edf 1,edf 4,libra 1,libra 2,libra 4,");
}

static void a_parameter_is_a_number_by_its_name(void **state)
{
	static const struct libra_param params[] = {{.name = "max"},
						    {.name = "max-gap"}};
	static const double set[] = {7, 480};
	const struct paper_text t = {
		.params = params, .nparams = 2, .values = set};
	struct design_place p = design_nowhere(&results);

	assert_near(paper_value(&p, &t, "max_gap / 60"), 8, 0);
	assert_near(paper_value(&p, &t, "max + 1"), 8, 0);
	assert_string_equal(wrong.text, "");
	paper_value(&p, &t, "max_ga");
	assert_contains(wrong.text, "max_ga");
}

static void a_number_has_the_name_that_it_was_given(void **state)
{
	struct sim_paper_study study = {.designs = results};
	const struct paper_text t = {.numbers = &study.numbers};
	struct design_place p = design_nowhere(&results);

	sim_paper_set(&study, "records", 3000);
	sim_paper_set(&study, "gap_s", 2131);
	assert_near(paper_value(&p, &t, "gap_s * records"), 6393000, 0);
	paper_value(&p, &t, "gap");
	assert_contains(wrong.text, "gap");
	wrong.text[0] = '\0';
	while (study.numbers.n < PAPER_NUMBERS)
		sim_paper_set(&study, "more", 0);
	assert_string_equal(wrong.text, "");
	sim_paper_set(&study, "too many", 0);
	assert_contains(wrong.text, "too many");
}

/* Two logs, of which the second one was not run. */
static void a_log_that_is_not_there_has_no_points(void **state)
{
	static const struct design_level logs[] = {
		DESIGN_LEVEL("own", NULL, 0), DESIGN_LEVEL("other", NULL, 1)};
	static const struct design_factor of_logs[] = {
		{"log", "log", DESIGN_LEVELS(logs), .traces = true},
		{"urgent", "urgent", DESIGN_LEVELS(numbers), "high-urgency"},
		{"policy", "policy", DESIGN_LEVELS(policies),
		 .policies = true}};
	static const struct design of[] = {{DESIGN("logs", of_logs)}};
	struct study studies[2];
	struct design_results r = {.designs = of,
				   .ndesigns = 1,
				   .studies = studies,
				   .seeds = seeds,
				   .nseeds = 3,
				   .wrong = &wrong};
	struct design_place p = design_nowhere(&r);
	struct sim_scenario base;

	study_init(&studies[0], seeds, 3);
	study_init(&studies[1], seeds, 3);
	sim_scenario_init(&base);
	assert_int_equal(design_add_cells(&r, &base, NULL), 0);
	assert_int_equal(studies[0].ncells, 6);
	assert_int_equal(studies[1].ncells, 6);
	visited[0] = '\0';
	assert_true(design_each(&p, "logs log urgent=4 policy", visit, NULL));
	assert_string_equal(visited, "own 4 edf,own 4 libra,");
	assert_true(design_go(&p, "logs log=other urgent=4 policy=edf"));
	assert_int_equal(design_trace(&p), 1);
	assert_near(paper_value(&p, &text, "high_urgency"), 4, 0);
	assert_near(paper_value(&p, &text, "deadline_ratio"), 4, 0);
	assert_true(isnan(paper_value(&p, &text, "fulfilled_pct")));
	assert_string_equal(wrong.text, "");
	design_fini(&r);
	study_fini(&studies[0]);
	study_fini(&studies[1]);
}

static void what_is_not_said_is_as_given(void **state)
{
	results.given = "policy=libra";
	assert_string_equal(points("main x=1"), "libra 1,");
	assert_near(value("main x=1", "y"), 213, 0);
	assert_near(value("main x=1", "y[policy=edf]"), 113, 0);
}

static void an_unknown_name_is_noted(void **state)
{
	static const char *const names[][2] = {
		{"nowhere policy=edf", "nowhere"},
		{"main policy=fcfs x=1", "fcfs"},
		{"main p=edf", "p"},
		{"main policy=edf x<=", "x<="},
		{"main policy=edf x>2", "x>2"},
		{"main policy=edf x<=2a", "x<=2a"},
	};
	struct design_place p = design_nowhere(&results);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		wrong.text[0] = '\0';
		assert_false(design_go(&p, names[i][0]));
		assert_contains(wrong.text, names[i][1]);
		assert_one_line(&wrong);
	}
	wrong.text[0] = '\0';
	assert_true(isnan(value("main policy=edf x=1", "z")));
	assert_contains(wrong.text, "'z'");
	wrong.text[0] = '\0';
	assert_true(isnan(value("main policy=edf", "y")));
	assert_contains(wrong.text, "'y'");
}

/* ---- expressions ---- */

static void expressions_follow_the_rules(void **state)
{
	static const struct {
		const char *expression;
		double value;
	} rows[] = {
		{"1 + 2 * 3 - 4 / 2", 5},
		{"(1 + 2) * -3", -9},
		{"max(1, min(5, 3)) + abs(-2) + ceil(0.2)", 6},
		{"2 > 1", 1},
		{"2 <= 1", 0},
		{"(1 = 1) * 7", 7},
		{"y", 113},
		{"y[policy=libra] - y", 100},
		{"y[other tuned=a-2]", 123},
		{"x + seeds", 4},
		{"least(x: y)", 113},
		{"most(policy x: y)", 243},
		{"mean(x=1,2: y)", 118},
		{"count(main policy x: y > 140)", 4},
		{"most(policy: most(x: y) - least(x: y))", 30},
		{"greatest(y)", 116},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_near(value("main policy=edf x=1", rows[i].expression),
			    rows[i].value, 1e-12);
	assert_string_equal(wrong.text, "");
	/* 1, 2, 6: sd sqrt(7), that of the mean sqrt(7 / 3) */
	assert_near(value("main policy=edf x=1", "sd(y)"), sqrt(7), 1e-12);
	assert_near(value("main policy=edf x=1", "se(y)"), sqrt(7.0 / 3),
		    1e-12);
	/* The seeds have the same deviations everywhere. */
	assert_near(value("main policy=edf x=1", "sd(y - y[x=2])"), 0, 1e-12);
}

static void a_broken_expression_is_noted(void **state)
{
	static const char *const broken[] = {"1 +", "(1", "y)", "1 2", ""};

	for (size_t i = 0; i < 5; i++) {
		wrong.text[0] = '\0';
		value("main policy=edf x=1", broken[i]);
		assert_true(wrong.text[0]);
	}
}

/* ---- texts ---- */

static void texts_have_numbers_names_and_blocks(void **state)
{
	static const char at[] = "main policy=edf x=1";

	assert_string_equal(said(at, "{{%.1f y}} of {{policy}}"),
			    "113.0 of EDF");
	assert_string_equal(said(at, "{{%+.1f+- y}}"), "+113.0 \xc2\xb1 +2.6");
	assert_string_equal(said(at, "{{policy.name[policy=libra]}} {{@x}} "
				     "{{x}}"),
			    "libra delay 1");
	assert_string_equal(said(at, "{{if x > 1}}more{{else}}one{{end}}."),
			    "one.");
	assert_string_equal(said(at, "{{if x = 1}}{{if x > 3}}a{{else}}b"
				     "{{end}}c{{end}}d"),
			    "bcd");
	assert_string_equal(said(at, "{{each x|, }}{{%g y}}{{end}}."),
			    "113, 123, 143.");
	assert_string_equal(said(at, "{{each x|, }}{{if x = 2}}{{else}}{{x}}"
				     "{{end}}{{end}}."),
			    "1, 4.");
	assert_string_equal(said("other tuned=b-1", "{{tuned.param}}"), "b");
	assert_string_equal(wrong.text, "");
	said(at, "{{no such word}}");
	assert_contains(wrong.text, "no such word");
}

static void a_table_is_points_and_columns(void **state)
{
	struct design_place p = design_nowhere(&results);
	char *csv = NULL;
	size_t size;
	FILE *fp = open_memstream(&csv, &size);

	paper_csv(fp, &p, &text, "main policy=edf x",
		  "policy title=policy.title x y twice=2*y seeds=n");
	fclose(fp);
	assert_string_equal(csv, "policy,title,x,y,twice,seeds\n"
				 "edf,EDF,1,113,226,3\nedf,EDF,2,123,246,3\n"
				 "edf,EDF,4,143,286,3\n");
	free(csv);
}

static void a_table_for_people_repeats_columns(void **state)
{
	struct design_place p = design_nowhere(&results);
	struct paper_block b;

	paper_block_read(&b, &p, &text,
			 "fold: Of {{%.0f seeds}}\nrows: main x=1,2\n"
			 "x < {{x}}\neach policy: {{policy}} > {{%.0f y}}\n");
	assert_string_equal(b.title, "Of 3");
	assert_true(b.fold);
	assert_int_equal(b.table.ncolumns, 3);
	assert_string_equal(b.columns[2].name, "Libra");
	assert_int_equal(b.table.n, 6);
	assert_string_equal(b.table.cells[5], "223");
	paper_block_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_last_word_varies_fastest, begin),
		cmocka_unit_test_setup(
			levels_are_chosen_by_name_number_and_order, begin),
		cmocka_unit_test_setup(what_is_not_said_is_as_given, begin),
		cmocka_unit_test_setup(
			points_that_are_not_there_are_passed_over, begin),
		cmocka_unit_test_setup(a_number_has_the_name_that_it_was_given,
				       begin),
		cmocka_unit_test_setup(a_log_that_is_not_there_has_no_points,
				       begin),
		cmocka_unit_test_setup(a_parameter_is_a_number_by_its_name,
				       begin),
		cmocka_unit_test_setup(an_unknown_name_is_noted, begin),
		cmocka_unit_test_setup(expressions_follow_the_rules, begin),
		cmocka_unit_test_setup(a_broken_expression_is_noted, begin),
		cmocka_unit_test_setup(texts_have_numbers_names_and_blocks,
				       begin),
		cmocka_unit_test_setup(a_table_is_points_and_columns, begin),
		cmocka_unit_test_setup(a_table_for_people_repeats_columns,
				       begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
