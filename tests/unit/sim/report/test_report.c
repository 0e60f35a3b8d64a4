/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_report.c - pages and their figures.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>

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

/* A line with its mark where the figures have both, else the mark alone. */
static void keys_look_like_the_figures(void **state)
{
	static const char *const names[] = {"a<", "b"};
	static const int styles[] = {0, 1};

	report_legend(page.fp, names, styles, 2, PLOT_LINES);
	assert_contains(text(),
			"<path d=\"M0 6h28\"/><path d=\"M10 2h8v8h-8z\"/>");
	assert_contains(page.text, "stroke-dasharray");
	assert_contains(page.text, "</svg>a&lt;</span>");
}

static void keys_of_marks_have_no_line(void **state)
{
	static const char *const names[] = {"a"};
	static const int styles[] = {0};

	report_legend(page.fp, names, styles, 1, PLOT_POINTS);
	assert_null(strstr(text(), "M0 6h28"));
	assert_contains(page.text, "M10 2h8v8h-8z");
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
	for (int kind = PLOT_LINES; kind <= PLOT_AREAS; kind++)
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

static void categories_are_named_on_the_axis(void **state)
{
	static const struct plot_tick ticks[] = {
		{0, "requested"}, {1, "known"}, {2, "last two"}};
	struct plot p = plot;
	char *svg;

	p.ticks = ticks;
	p.nticks = 3;
	p.ylog = true;
	p.ymin = NAN;
	assert_int_equal(plot_svg(&p, &svg, NULL), 0);
	if (!svg)
		skip();
	assert_contains(svg, "requested");
	assert_contains(svg, "last two");
	assert_null(strstr(svg, ">1.5</text>"));
	assert_null(strstr(svg, "rotate(-35"));
	free(svg);
	p.width = 120; /* names would run into each other */
	assert_int_equal(plot_svg(&p, &svg, NULL), 0);
	assert_contains(svg, "rotate(-35");
	free(svg);
}

/* ---- colours ---- */

/* What dichromats see, in linear RGB: Machado, Oliveira and Fernandes, IEEE
 * TVCG 15(6), 2009, severity 1; the first is everybody else.
 */
static const double sights[4][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868},
	 {0.114503, 0.786281, 0.099216},
	 {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968},
	 {0.280085, 0.672501, 0.047413},
	 {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779},
	 {-0.078411, 0.930809, 0.147602},
	 {0.004733, 0.691367, 0.303900}},
};

static void linear_rgb(const char *colour, double rgb[3])
{
	long value = strtol(colour + 1, NULL, 16);

	for (int i = 0; i < 3; i++) {
		double c = (double)(value >> (16 - 8 * i) & 0xff) / 255;

		rgb[i] = c <= 0.04045 ? c / 12.92
				      : pow((c + 0.055) / 1.055, 2.4);
	}
}

static double lab_part(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* of a colour as one kind of sight has it, D65. */
static void seen(const char *colour, int sight, double lab[3])
{
	double rgb[3], to[3], f[3];

	linear_rgb(colour, rgb);
	for (int i = 0; i < 3; i++) {
		to[i] = 0;
		for (int k = 0; k < 3; k++)
			to[i] += sights[sight][i][k] * rgb[k];
		to[i] = fmin(fmax(to[i], 0), 1);
	}
	f[0] = lab_part(
		(0.4124564 * to[0] + 0.3575761 * to[1] + 0.1804375 * to[2]) /
		0.95047);
	f[1] = lab_part(0.2126729 * to[0] + 0.7151522 * to[1] +
			0.0721750 * to[2]);
	f[2] = lab_part(
		(0.0193339 * to[0] + 0.1191920 * to[1] + 0.9503041 * to[2]) /
		1.08883);
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

/* The smallest distance of two of the first n colours. */
static double nearest(int n, int sight)
{
	double least = INFINITY;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++) {
			double a[3], b[3];

			seen(plot_colour(i), sight, a);
			seen(plot_colour(k), sight, b);
			least = fmin(least, sqrt(pow(a[0] - b[0], 2) +
						 pow(a[1] - b[1], 2) +
						 pow(a[2] - b[2], 2)));
		}
	return least;
}

static double luminance(const char *colour)
{
	double rgb[3];

	linear_rgb(colour, rgb);
	return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
}

/* 2.3 in L*a*b* is what one notices side by side. */
static void colours_are_apart_for_the_colour_blind(void **state)
{
	for (int sight = 0; sight < 4; sight++) {
		assert_true(nearest(5, sight) > 25);
		assert_true(nearest(8, sight) > 15);
	}
}

static void colours_show_on_light_and_dark_pages(void **state)
{
	for (int i = 0; i < 8; i++) {
		double l = luminance(plot_colour(i));

		assert_true(luminance("#fdfdfc") / l > 2);
		assert_true(l / luminance("#14181b") > 2.5);
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
		cmocka_unit_test_setup_teardown(keys_look_like_the_figures,
						begin, end),
		cmocka_unit_test_setup_teardown(keys_of_marks_have_no_line,
						begin, end),
		cmocka_unit_test(a_figure_fits_into_a_page),
		cmocka_unit_test(every_kind_is_drawn_and_nothing_too),
		cmocka_unit_test(categories_are_named_on_the_axis),
		cmocka_unit_test(colours_are_apart_for_the_colour_blind),
		cmocka_unit_test(colours_show_on_light_and_dark_pages),
		cmocka_unit_test(
			without_gnuplot_there_is_no_figure_and_no_error),
		cmocka_unit_test(gnuplot_s_complaint_is_passed_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
