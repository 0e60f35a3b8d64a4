/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_swf_last.c - the last records of a log, read without the others: they
 * are those that reading all gives, and a bad line is told wherever it stands.
 */
#include <dirent.h>
#include <errno.h>
#include <zlib.h>

#include "sim/log/swf.h"
#include "tests/unit/test.h"

#define A "1 10 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1"
#define B "2 20 5 110.5 4 17.25 -1 4 200 -1 1 3 1 2 1 1 -1 -1"
#define C "3 15 5 120 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1"

static void write_gz(char name[32], const char *text, size_t n)
{
	gzFile gz;

	test_write_file(name, "", 0);
	gz = gzopen(name, "wb");
	assert_int_equal(gzwrite(gz, text, (unsigned)n), (int)n);
	assert_int_equal(gzclose(gz), Z_OK);
}

/* The last records of a file are the last of all; what the header says, and
 * the processors, are the same.
 */
static void check_file(const char *name, size_t last, size_t *held)
{
	struct swf_trace all, some;
	size_t n;

	assert_int_equal(swf_read(&all, name, NULL), 0);
	assert_int_equal(swf_read_last(&some, name, last, NULL), 0);
	n = last > 0 && last < all.nrecords ? last : all.nrecords;
	assert_true(some.nrecords >= n);
	assert_memory_equal(some.records + some.nrecords - n,
			    all.records + all.nrecords - n,
			    n * sizeof(*all.records));
	assert_int_equal(swf_procs(&some), swf_procs(&all));
	assert_int_equal(some.max_procs, all.max_procs);
	assert_int_equal(some.max_nodes, all.max_nodes);
	assert_int_equal(some.unix_start, all.unix_start);
	assert_int_equal(some.queues.n, all.queues.n);
	assert_int_equal(some.extra_fields, all.extra_fields);
	*held = some.nrecords;
	swf_fini(&some);
	swf_fini(&all);
}

/* Result: how many records are held, of a plain file and of a gzipped one. */
static size_t check_text(const char *text, size_t last)
{
	size_t plain, packed;
	char name[32];

	test_write_file(name, text, strlen(text));
	check_file(name, last, &plain);
	unlink(name);
	write_gz(name, text, strlen(text));
	check_file(name, last, &packed);
	unlink(name);
#ifdef HAVE_LIBDEFLATE
	assert_int_equal(packed, plain);
#endif
	return plain;
}

static void the_last_records_are_the_last_of_all(void **state)
{
	static const char *const texts[] = {
		"; MaxProcs: 8\n" A "\n" B "\n" C "\n",
		"; MaxNodes: 8\n" A "\n" B "\n" C,
		"; MaxProcs: 8\r\n" A "\r\n" B "\r\n\r\n" C "\r\n",
		"\n; MaxProcs: 8\n  " A " \n; UnixStartTime: 7\n" B
		"\n; Queue: 1 short\n\t\n" C "\n\n ; the end\n;\n  ",
		"; MaxNodes: 8\n" A " 48 word\n; MaxProcs: 9\n" B "\n" C "\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		for (size_t last = 1; last <= 3; last++)
			assert_int_equal(check_text(texts[i], last), last);
		assert_int_equal(check_text(texts[i], 0), 3);
		assert_int_equal(check_text(texts[i], 4), 3);
		assert_int_equal(check_text(texts[i], SIZE_MAX), 3);
	}
}

/* The largest request is the machine's size, and may be any record's. */
static void without_a_size_all_records_are_held(void **state)
{
	assert_int_equal(check_text("1 1 5 9 99 -1 -1 4 9 -1 1 3 1 2 1 1 -1 "
				    "-1\n" B "\n" C "\n",
				    1),
			 3);
	assert_int_equal(check_text("; MaxProcs: 0\n" A "\n; MaxProcs: 8\n" B
				    "\n" C "\n",
				    1),
			 3);
}

/* A text with all of a file between a header and three records. */
static char *wrapped(const char *path, size_t *size)
{
	static char buf[128 * 1024];
	char *text = NULL;
	FILE *f = fopen(path, "r"), *to = open_memstream(&text, size);
	size_t n;

	assert_non_null(f);
	n = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	fputs("; MaxProcs: 8\n" A "\n", to);
	fwrite(buf, 1, n, to);
	fputs("\n" A "\n" B "\n" C "\n", to);
	fclose(to);
	return text;
}

static void same_error(const char *name)
{
	struct libra_error all = {""}, some = {""};
	struct swf_trace t;
	int rc = swf_read(&t, name, &all);
	int code = errno;

	if (rc == 0) /* bad as a whole file, not by a line */
		swf_fini(&t);
	assert_int_equal(swf_read_last(&t, name, 2, &some), rc);
	assert_string_equal(some.text, all.text);
	if (rc < 0) {
		assert_int_equal(errno, code);
		assert_null(t.records);
	} else {
		swf_fini(&t);
	}
}

static void a_bad_line_is_told_where_it_is_not_kept(void **state)
{
	char folder[4096], path[8192], name[32];
	struct dirent *entry;
	int cases = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s", test_path("tests/data/bad"));
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		size_t size;
		char *text;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/input.swf", folder,
			 entry->d_name);
		text = wrapped(path, &size);
		test_write_file(name, text, size);
		same_error(name);
		unlink(name);
		write_gz(name, text, size);
		same_error(name);
		unlink(name);
		free(text);
		cases++;
	}
	closedir(dir);
	assert_true(cases >= 30);
}

static void empty_files_are_refused_alike(void **state)
{
	static const char *const texts[] = {"", "\n", "; only\n; comments",
					    "x"};
	char name[32];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		test_write_file(name, texts[i], strlen(texts[i]));
		same_error(name);
		unlink(name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_records_are_the_last_of_all),
		cmocka_unit_test(without_a_size_all_records_are_held),
		cmocka_unit_test(a_bad_line_is_told_where_it_is_not_kept),
		cmocka_unit_test(empty_files_are_refused_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
