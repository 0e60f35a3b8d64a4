/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_out.c - atomic files, numbers that read back, CSV, JSON, tables.
 */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <sys/stat.h>

#include "sim/base/rng.h"
#include "sim/output/file.h"
#include "sim/output/json.h"
#include "sim/output/memory_file.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "tests/unit/test.h"

static char dir[] = "/tmp/libra-out-XXXXXX";

static int make_dir(void **state)
{
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	return rmdir(dir);
}

static const char *in_dir(const char *name)
{
	static char path[2][256];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static size_t count_files(void)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(d);
	return n;
}

static void assert_file(const char *path, const char *expected)
{
	char text[256];
	FILE *fp = fopen(path, "r");
	size_t n;

	assert_non_null(fp);
	n = fread(text, 1, sizeof(text) - 1, fp);
	text[n] = '\0';
	fclose(fp);
	assert_string_equal(text, expected);
}

static void a_file_appears_when_it_is_committed(void **state)
{
	struct out_file f;

	assert_int_equal(out_open(&f, in_dir("a"), NULL), 0);
	fputs("new", f.fp);
	assert_int_equal(access(in_dir("a"), F_OK), -1);
	assert_int_equal(out_commit(&f, NULL), 0);
	assert_file(in_dir("a"), "new");
	assert_int_equal(count_files(), 1);
	unlink(in_dir("a"));
}

static void an_aborted_file_leaves_the_old_one(void **state)
{
	struct out_file f;

	assert_int_equal(out_open(&f, in_dir("a"), NULL), 0);
	fputs("old", f.fp);
	assert_int_equal(out_commit(&f, NULL), 0);
	assert_int_equal(out_open(&f, in_dir("a"), NULL), 0);
	fputs("new", f.fp);
	fflush(f.fp);
	assert_file(in_dir("a"), "old");
	out_abort(&f);
	assert_file(in_dir("a"), "old");
	assert_int_equal(count_files(), 1);
	unlink(in_dir("a"));
}

static void a_link_is_followed(void **state)
{
	struct out_file f;
	struct stat st;

	assert_int_equal(out_open(&f, in_dir("a"), NULL), 0);
	assert_int_equal(out_commit(&f, NULL), 0);
	assert_int_equal(symlink("a", in_dir("link")), 0);
	assert_int_equal(out_open(&f, in_dir("link"), NULL), 0);
	fputs("through", f.fp);
	assert_int_equal(out_commit(&f, NULL), 0);
	assert_int_equal(lstat(in_dir("link"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_file(in_dir("a"), "through");
	unlink(in_dir("a"));
	unlink(in_dir("link"));
}

static void a_device_is_written_not_replaced(void **state)
{
	struct out_file f;
	struct stat st;

	assert_int_equal(out_open(&f, "/dev/null", NULL), 0);
	fputs("gone", f.fp);
	assert_int_equal(out_commit(&f, NULL), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void a_full_disk_is_an_error(void **state)
{
	struct libra_error err = {.text = ""};
	struct out_file f;

	assert_int_equal(out_open(&f, "/dev/full", &err), 0);
	fputs("too much", f.fp);
	assert_int_equal(out_commit(&f, &err), -1);
	assert_int_equal(errno, ENOSPC);
	assert_one_line(&err);
	assert_contains(err.text, "/dev/full");
}

static void a_folder_or_a_missing_folder_is_refused(void **state)
{
	struct libra_error err = {.text = ""};
	struct out_file f;

	assert_int_equal(out_open(&f, dir, &err), -1);
	assert_int_equal(errno, EISDIR);
	assert_one_line(&err);
	libra_error_clear(&err);
	assert_int_equal(out_open(&f, in_dir("no/a"), &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_contains(err.text, "no/a");
	out_abort(&f);
}

static void a_set_appears_as_a_whole(void **state)
{
	struct out_set set;

	assert_int_equal(out_set_init(&set, in_dir("x/y"), NULL), 0);
	for (int i = 0; i < 20; i++) {
		char name[16];
		FILE *fp;

		snprintf(name, sizeof(name), "f%d", i);
		fp = out_set_open(&set, name, NULL);
		assert_non_null(fp);
		fprintf(fp, "%d", i);
	}
	assert_int_equal(access(in_dir("x/y/f0"), F_OK), -1);
	assert_int_equal(out_set_commit(&set, NULL), 0);
	assert_file(in_dir("x/y/f19"), "19");
	for (int i = 0; i < 20; i++) {
		char name[16];

		snprintf(name, sizeof(name), "x/y/f%d", i);
		assert_int_equal(unlink(in_dir(name)), 0);
	}
	assert_int_equal(rmdir(in_dir("x/y")), 0);
	assert_int_equal(rmdir(in_dir("x")), 0);
}

static void a_set_that_fails_leaves_no_file(void **state)
{
	struct libra_error err = {.text = ""};
	struct out_set set;
	FILE *fp;

	assert_int_equal(out_set_init(&set, dir, NULL), 0);
	fp = out_set_open(&set, "a", NULL);
	fputs("a", fp);
	assert_null(out_set_open(&set, "no/b", &err));
	assert_int_equal(errno, ENOENT);
	out_set_abort(&set);
	assert_int_equal(count_files(), 0);
	libra_error_clear(&err);
	assert_int_equal(out_set_init(&set, "/dev/null/x", &err), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_one_line(&err);
	libra_error_clear(&err);
	assert_int_equal(out_set_init(&set, "", &err), -1);
	assert_int_equal(errno, EINVAL);
}

static void what_cannot_be_written_is_known_before(void **state)
{
	struct libra_error err = {.text = ""};

	assert_int_equal(out_check_folder(in_dir("x/y"), NULL), 0);
	assert_int_equal(out_check_folder("x/y", NULL), 0);
	assert_int_equal(access(in_dir("x"), F_OK), -1);
	assert_int_equal(out_check_folder("/dev/null/x", &err), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_one_line(&err);
	libra_error_clear(&err);
	assert_int_equal(out_check_folder("/dev/null", &err), -1);
	libra_error_clear(&err);
	assert_int_equal(out_check_folder("", &err), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(out_check(in_dir("f"), NULL), 0);
	assert_int_equal(out_check("/dev/null", NULL), 0);
	assert_int_equal(count_files(), 0);
	libra_error_clear(&err);
	assert_int_equal(out_check(in_dir("no/f"), &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_one_line(&err);
}

static void numbers_are_short_and_read_back(void **state)
{
	char buf[OUT_NUMBER_SIZE];
	struct rng_stream rng;

	assert_string_equal(out_number(buf, 0.1), "0.1");
	assert_string_equal(out_number(buf, 3000), "3000");
	assert_string_equal(out_number(buf, -0.0), "-0");
	assert_string_equal(out_number(buf, 0.1 + 0.2), "0.30000000000000004");
	assert_string_equal(out_number(buf, 1e300), "1e+300");
	assert_string_equal(out_number(buf, NAN), "nan");
	assert_string_equal(out_number(buf, -INFINITY), "-inf");
	rng_stream_init(&rng, 1, "numbers", 0);
	for (int i = 0; i < 100000; i++) {
		double v = ldexp(rng_uniform(&rng) - 0.5, i % 600 - 300);

		assert_true(strtod(out_number(buf, v), NULL) == v);
	}
}

/* What a printer writes. */
static char *printed(void (*print)(FILE *fp))
{
	static char text[1024];
	FILE *fp = fmemopen(text, sizeof(text), "w");

	assert_non_null(fp);
	print(fp);
	fclose(fp);
	return text;
}

static void csv(FILE *fp)
{
	out_csv_text(fp, "plain");
	putc(',', fp);
	out_csv_text(fp, "a \"b\", c");
	putc(',', fp);
	out_csv_number(fp, 2.385);
	putc(',', fp);
	out_csv_number(fp, NAN);
	putc(',', fp);
}

static void csv_fields_are_quoted_if_they_must_be(void **state)
{
	assert_string_equal(printed(csv), "plain,\"a \"\"b\"\", c\",2.385,,");
}

static void html(FILE *fp)
{
	out_html(fp, "a<b & \"c\" 'd' \xc3\xa9 \xe9 \x01 \xe2\x82");
}

static void html_is_escaped(void **state)
{
	assert_string_equal(printed(html),
			    "a&lt;b &amp; &quot;c&quot; &#39;d&#39; \xc3\xa9 "
			    "\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd\xef\xbf"
			    "\xbd");
}

static void utf8_is_recognised(void **state)
{
	assert_int_equal(out_utf8(""), 0);
	assert_int_equal(out_utf8("a"), 1);
	assert_int_equal(out_utf8("\xc3\xa9"), 2);
	assert_int_equal(out_utf8("\xe2\x82\xac"), 3);
	assert_int_equal(out_utf8("\xf0\x9f\x98\x80"), 4);
	assert_int_equal(out_utf8("\xc0\x80"), 0);	   /* overlong */
	assert_int_equal(out_utf8("\xe0\x80\x80"), 0);	   /* overlong */
	assert_int_equal(out_utf8("\xed\xa0\x80"), 0);	   /* surrogate */
	assert_int_equal(out_utf8("\xf4\x90\x80\x80"), 0); /* too large */
	assert_int_equal(out_utf8("\xe2\x82"), 0);	   /* cut short */
}

static void json(FILE *fp)
{
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "te\"xt", "line\nbreak \\ \xc3\xa9 \xe9");
	out_json_number(&j, "number", 0.1 + 0.2);
	out_json_number(&j, "none", NAN);
	out_json_count(&j, "count", UINT64_C(9007199254740993));
	out_json_array(&j, "empty");
	out_json_end(&j);
	out_json_array(&j, "list");
	out_json_bool(&j, NULL, true);
	out_json_object(&j, NULL);
	out_json_end(&j);
	out_json_end(&j);
	out_json_end(&j);
}

static void json_is_read_by_another_program(void **state)
{
	json_t *root = json_loads(printed(json), 0, NULL), *list;

	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "te\"xt")),
			    "line\nbreak \\ \xc3\xa9 \xef\xbf\xbd");
	assert_true(json_real_value(json_object_get(root, "number")) ==
		    0.1 + 0.2);
	assert_true(json_is_null(json_object_get(root, "none")));
	assert_true(json_integer_value(json_object_get(root, "count")) ==
		    INT64_C(9007199254740993));
	assert_int_equal(json_array_size(json_object_get(root, "empty")), 0);
	list = json_object_get(root, "list");
	assert_int_equal(json_array_size(list), 2);
	assert_true(json_is_true(json_array_get(list, 0)));
	json_decref(root);
}

static void table(FILE *fp)
{
	static const struct out_column columns[] = {{"name", OUT_LEFT},
						    {"value", OUT_RIGHT}};
	struct out_table t;

	out_table_init(&t, columns, 2);
	out_table_cell(&t, "caf\xc3\xa9 %d", 1);
	out_table_number(&t, 2, 2.385);
	out_table_cell(&t, "x");
	out_table_number(&t, 1, NAN);
	assert_int_equal(out_table_print(&t, fp), 0);
	out_table_fini(&t);
}

static void tables_are_aligned(void **state)
{
	assert_string_equal(printed(table), "name    value\n"
					    "------  -----\n"
					    "caf\xc3\xa9 1   2.38\n"
					    "x           -\n");
}

static void a_text_is_written_as_a_file(void **state)
{
	char *text, expected[8];
	size_t size;
	FILE *fp = out_memory(&text, &size);

	assert_non_null(fp);
	assert_int_equal(fclose(fp), 0);
	assert_string_equal(text, "");
	assert_int_equal(size, 0);
	free(text);
	fp = out_memory(&text, &size);
	assert_non_null(fp);
	for (int i = 0; i < 20000; i++)
		fprintf(fp, "%06d", i);
	assert_int_equal(fclose(fp), 0);
	assert_int_equal(size, 120000);
	assert_int_equal(strlen(text), 120000);
	for (int i = 0; i < 20000; i++) {
		snprintf(expected, sizeof(expected), "%06d", i);
		assert_memory_equal(text + 6 * i, expected, 6);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_committed),
		cmocka_unit_test(an_aborted_file_leaves_the_old_one),
		cmocka_unit_test(a_link_is_followed),
		cmocka_unit_test(a_device_is_written_not_replaced),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(a_folder_or_a_missing_folder_is_refused),
		cmocka_unit_test(a_set_appears_as_a_whole),
		cmocka_unit_test(a_set_that_fails_leaves_no_file),
		cmocka_unit_test(what_cannot_be_written_is_known_before),
		cmocka_unit_test(numbers_are_short_and_read_back),
		cmocka_unit_test(csv_fields_are_quoted_if_they_must_be),
		cmocka_unit_test(html_is_escaped),
		cmocka_unit_test(utf8_is_recognised),
		cmocka_unit_test(json_is_read_by_another_program),
		cmocka_unit_test(a_text_is_written_as_a_file),
		cmocka_unit_test(tables_are_aligned),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
