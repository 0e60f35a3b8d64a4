/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report.c - pages and their figures.
 */
#include <errno.h>
#include <jansson.h>

#include "sim/report/plot.h"
#include "sim/base/version.h"
#include "sim/report/report.h"
#include "tests/unit/test.h"

static const uint64_t seeds[] = {1, 2};
static struct swf_trace trace = {.nrecords = 7};
static struct report_source source = {
	.paper = "paper1999",
	.title = "A <b>title</b>",
	.citation = "A. Author & B. Author",
	.command = "librasim reproduce paper1999 --seeds 1,2",
	.seeds = seeds,
	.nseeds = 2,
	.trace = &trace,
	.sha256 = "00ff",
};

static struct {
	FILE *fp;
	char *text;
	size_t size;
} page;

static int begin(void **state)
{
	static char name[] = "/some/where/log.swf.gz", thanks[] = "Thanks <3";

	trace.name = name;
	trace.acknowledge = thanks;
	page.fp = open_memstream(&page.text, &page.size);
	return page.fp ? 0 : -1;
}

static int end(void **state)
{
	free(page.text);
	return 0;
}

/* The page so far, complete. */
static const char *text(void)
{
	fclose(page.fp);
	return page.text;
}

static size_t occurrences(const char *in, const char *what)
{
	size_t n = 0;

	for (; (in = strstr(in, what)); in++)
		n++;
	return n;
}

static void a_page_is_complete_and_escaped(void **state)
{
	report_begin(page.fp, &source, "Head < line");
	report_section(page.fp, "s", "A & B");
	report_text(page.fp, "%s %d", "<script>", 5);
	report_notice(page.fp, "Mind", "a > b");
	report_end(page.fp, &source);
	assert_contains(text(), "<!DOCTYPE html>");
	assert_contains(page.text, "<title>Head &lt; line</title>");
	assert_contains(page.text, "A. Author &amp; B. Author");
	assert_contains(page.text, "<p>&lt;script&gt; 5</p>");
	assert_contains(page.text, "a &gt; b");
	assert_contains(page.text, "</html>\n");
	assert_null(strstr(page.text, "<script"));
	assert_null(strstr(page.text, "http"));
}

static void claims_have_a_filter_and_all_their_text(void **state)
{
	static const struct claim claims[] = {
		{.id = "Z1",
		 .where = "1",
		 .text = "first",
		 .setting = "",
		 .also = "x < 1"},
		{.id = "Z2",
		 .where = "2",
		 .text = "second",
		 .setting = "set",
		 .also = "x > 1"},
	};
	struct claim_result r[2] = {
		{CLAIM_PASS, "0.5", ""},
		{CLAIM_FAIL, "0.7", "0.7 < 1"},
	};
	static const char *const ids[] = {"Z2", "Z9", NULL};

	report_claims(page.fp, claims, r, 2);
	report_excerpt(page.fp, claims, r, 2, ids);
	assert_int_equal(occurrences(text(), "class=\"f\" type=\"radio\""), 4);
	assert_contains(page.text, "<tr class=\"pass\" id=\"claim-Z1\">");
	assert_contains(page.text, "<tr class=\"fail\" id=\"claim-Z2\">");
	assert_contains(page.text, "x &lt; 1");
	assert_int_equal(occurrences(page.text, "0.7 &lt; 1"), 2);
	assert_int_equal(occurrences(page.text, "first"), 1);
}

static void a_tile_stays_within_its_frame(void **state)
{
	report_tile(page.fp, "#123456", "X", 120, "of", NAN, "none");
	assert_contains(text(), "width:100.00%");
	assert_contains(page.text, "width:0.00%");
	assert_null(strstr(page.text, "width:nan"));
}

static void the_manifest_names_what_matters(void **state)
{
	struct out_json j;
	json_t *root, *log;

	out_json_init(&j, page.fp);
	report_manifest(&j, NULL, &source);
	root = json_loads(text(), 0, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "command")),
			    source.command);
	assert_string_equal(json_string_value(json_object_get(root, "version")),
			    sim_version());
	assert_int_equal(json_array_size(json_object_get(root, "seeds")), 2);
	log = json_object_get(root, "trace");
	assert_string_equal(json_string_value(json_object_get(log, "name")),
			    "log.swf.gz");
	assert_string_equal(json_string_value(json_object_get(log, "sha256")),
			    "00ff");
	assert_true(json_is_false(json_object_get(log, "synthetic")));
	json_decref(root);
}

static void the_origin_is_acknowledged(void **state)
{
	report_provenance(page.fp, &source);
	assert_contains(text(), "Thanks &lt;3");
	assert_contains(page.text, "00ff");
	assert_null(strstr(page.text, "/some/where"));
}

static void a_table_becomes_html(void **state)
{
	static const struct out_column columns[] = {{"a<", OUT_LEFT},
						    {"b", OUT_RIGHT}};
	struct out_table t;

	out_table_init(&t, columns, 2);
	out_table_cell(&t, "x & y");
	out_table_number(&t, 1, 2.385);
	report_table(page.fp, "Title", &t, false);
	out_table_fini(&t);
	assert_contains(text(), "<summary>Title</summary>");
	assert_contains(page.text, "<th>a&lt;</th><th class=\"num\">b</th>");
	assert_contains(page.text, "<td>x &amp; y</td><td class=\"num\">2.4");
}

/* ---- figures ---- */

static const double x[] = {0, 0.5, 1, 2}, y[] = {1, NAN, 3, 2.385};
static const struct plot_series series[] = {
	{.name = "one \"two\"", .x = x, .y = y, .spread = x, .n = 4},
	{.name = "empty", .x = x, .y = y, .n = 0, .style = 1},
};
static const struct plot plot = {
	.id = "p1",
	.title = "A & B",
	.xlabel = "x",
	.ylabel = "y",
	.kind = PLOT_LINES,
	.xmin = NAN,
	.xmax = NAN,
	.ymin = 0,
	.ymax = NAN,
	.series = series,
	.nseries = 2,
};

static void a_figure_fits_into_a_page(void **state)
{
	char *svg, *again;

	assert_int_equal(plot_svg(&plot, &svg, NULL), 0);
	if (!svg)
		skip();
	assert_int_equal(strncmp(svg, "<svg ", 5), 0);
	assert_contains(svg, "</svg>");
	assert_contains(svg, "<title>A &amp; B</title>");
	assert_contains(svg, "id='p1-gpPt0'");
	assert_null(strstr(svg, "id='gp"));
	assert_null(strstr(svg, "'black'"));
	assert_null(strstr(svg, "\"black\""));
	assert_null(strstr(svg, " color='white'"));
	assert_int_equal(plot_svg(&plot, &again, NULL), 0);
	assert_string_equal(svg, again);
	free(svg);
	free(again);
}

static void every_kind_is_drawn_and_nothing_too(void **state)
{
	for (int kind = PLOT_LINES; kind <= PLOT_STEPS; kind++)
		for (size_t n = 0; n <= 2; n++) {
			struct plot p = plot;
			char *svg;

			p.kind = kind;
			p.nseries = n;
			p.key = kind == PLOT_POINTS;
			assert_int_equal(plot_svg(&p, &svg, NULL), 0);
			if (!svg)
				skip();
			assert_contains(svg, "</svg>");
			free(svg);
		}
}

static void without_gnuplot_there_is_no_figure_and_no_error(void **state)
{
	char *path = strdup(getenv("PATH")), *svg = path;

	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(plot_svg(&plot, &svg, NULL), 0);
	setenv("PATH", path, 1);
	free(path);
	assert_null(svg);
}

/* A range that is no range. */
static void gnuplot_s_complaint_is_passed_on(void **state)
{
	struct libra_error err = {.text = ""};
	struct plot p = plot;
	char *svg;

	assert_int_equal(plot_svg(&plot, &svg, NULL), 0);
	if (!svg)
		skip();
	free(svg);
	p.xlog = true;
	p.xmin = p.xmax = -5;
	assert_int_equal(plot_svg(&p, &svg, &err), -1);
	assert_int_equal(errno, EIO);
	assert_one_line(&err);
	assert_null(svg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_page_is_complete_and_escaped,
						begin, end),
		cmocka_unit_test_setup_teardown(
			claims_have_a_filter_and_all_their_text, begin, end),
		cmocka_unit_test_setup_teardown(a_tile_stays_within_its_frame,
						begin, end),
		cmocka_unit_test_setup_teardown(the_manifest_names_what_matters,
						begin, end),
		cmocka_unit_test_setup_teardown(the_origin_is_acknowledged,
						begin, end),
		cmocka_unit_test_setup_teardown(a_table_becomes_html, begin,
						end),
		cmocka_unit_test(a_figure_fits_into_a_page),
		cmocka_unit_test(every_kind_is_drawn_and_nothing_too),
		cmocka_unit_test(
			without_gnuplot_there_is_no_figure_and_no_error),
		cmocka_unit_test(gnuplot_s_complaint_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
