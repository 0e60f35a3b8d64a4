/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_swf.c - what the reader takes, and what it refuses with which words.
 *
 * tests/data/bad has a folder per bad input: input.swf, and error with what
 * the message must contain behind the file's name.  What is no plain file is
 * made here.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>

#include "sim/log/swf.h"
#include "tests/unit/test.h"

#define RECORD "1 0 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n"

/* Read a text as if it were a file.  Result: as swf_read(). */
static int read_bytes(struct swf_trace *trace, const void *data, size_t n,
		      struct libra_error *err)
{
	char name[32];
	int rc, saved;

	test_write_file(name, data, n);
	rc = swf_read(trace, name, err);
	saved = errno;
	unlink(name);
	errno = saved;
	return rc;
}

static void read_text(struct swf_trace *trace, const char *text)
{
	struct libra_error err = {""};

	if (read_bytes(trace, text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
}

/* What is accepted. */

static void all_fields_come_to_their_places(void **state)
{
	struct swf_trace t;
	const struct swf_record *r;

	read_text(&t, "; MaxProcs: 128\n"
		      "11 22.5 33 44.25 55 66.125 77 88 99.5 110.75 1 12 13 14 "
		      "15 16 17 18\n");
	assert_int_equal(t.nrecords, 1);
	assert_int_equal(t.first_line, 2);
	r = t.records;
	assert_int_equal(r->number, 11);
	assert_near(r->submit_s, 22.5, 0);
	assert_near(r->wait_s, 33, 0);
	assert_near(r->run_s, 44.25, 0);
	assert_int_equal(r->alloc_procs, 55);
	assert_near(r->cpu_s, 66.125, 0);
	assert_near(r->used_mem_kb, 77, 0);
	assert_int_equal(r->req_procs, 88);
	assert_near(r->request_s, 99.5, 0);
	assert_near(r->req_mem_kb, 110.75, 0);
	assert_int_equal(r->status, 1);
	assert_int_equal(r->user, 12);
	assert_int_equal(r->group, 13);
	assert_int_equal(r->app, 14);
	assert_int_equal(r->queue, 15);
	assert_int_equal(r->partition, 16);
	swf_fini(&t);
}

static void the_header_is_read(void **state)
{
	struct swf_trace t;

	read_text(&t, "; Version: 2.2\n"
		      ";Computer:  IBM SP2  \n"
		      ";   installation:\tSomewhere: else\n"
		      "; Acknowledge:\n"
		      "; Acknowledge: A. Person\n"
		      "; MaxJobs: 73496\n"
		      "; MaxRecords: 59715\n"
		      "; UnixStartTime: 893466664\n"
		      "; MaxNodes: 338 (batch partition; 512 total)\n"
		      "; MaxProcs: 430\n"
		      "; MaxProcs: 512\n"
		      "; Note: in the MaxNodes\n;\tand MaxProcs fields\n"
		      ";\n;;\n" RECORD "; a remark: later\n");
	assert_string_equal(t.version, "2.2");
	assert_string_equal(t.computer, "IBM SP2");
	assert_string_equal(t.installation, "Somewhere: else");
	assert_string_equal(t.acknowledge, "A. Person");
	assert_int_equal(t.max_jobs, 73496);
	assert_int_equal(t.max_records, 59715);
	assert_int_equal(t.unix_start, 893466664);
	assert_int_equal(t.max_nodes, 338);
	assert_int_equal(t.max_procs, 430);
	assert_int_equal(t.first_line, 16);
	swf_fini(&t);
}

/* Other indented lines are entries of their own, see above. */
static void the_copyright_notice_is_kept_whole(void **state)
{
	struct swf_trace t;

	read_text(&t, "; Copyright: Usage:\n"
		      ";   This is brought to you by: nobody\n"
		      ";\tand may be used.  \n"
		      "; MaxProcs: 4\n;   not this\n" RECORD);
	assert_string_equal(t.copyright,
			    "Usage: This is brought to you by: nobody and may "
			    "be used.");
	assert_int_equal(t.max_procs, 4);
	swf_fini(&t);
}

/* An entry without a value must not take the number of the next line. */
static void header_entries_without_a_number_are_absent(void **state)
{
	struct swf_trace t;

	read_text(&t, "; MaxProcs:\n; MaxNodes: unknown\n; MaxJobs: -1\n"
		      "; UnixStartTime: \n" RECORD);
	assert_int_equal(t.max_procs, 0);
	assert_int_equal(t.max_nodes, 0);
	assert_int_equal(t.max_jobs, 0);
	assert_int_equal(t.unix_start, 0);
	assert_null(t.computer);
	swf_fini(&t);
}

static void line_ends_and_blanks_do_not_matter(void **state)
{
	static const char *const texts[] = {
		RECORD "2 7 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1",
		"1 0 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\r\n"
		"2 7 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\r\n",
		"\n" RECORD " \t\n\r\n"
		"\t2\t7\t5 100 4 -1 -1 4 200\t-1 1 3 1 2 1 1 -1 -1 \t\r\n\n",
		RECORD "       2      7     5    100     4    -1    -1     4   "
		       "200    -1     1     3     1     2     1     1    -1 "
		       "                                                    "
		       "                                                    "
		       "                                            -1     \n",
		RECORD "2 7 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1 8 -2.5 9",
		RECORD "2 7.0 5e0 1.0E+2 +4 -1.0 -1 4. 0200 -1 1 3 1 2 1 1 -1 "
		       "-1",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct swf_trace t;

		read_text(&t, texts[i]);
		assert_int_equal(t.nrecords, 2);
		assert_int_equal(t.records[1].number, 2);
		assert_near(t.records[1].submit_s, 7, 0);
		assert_near(t.records[1].run_s, 100, 0);
		assert_int_equal(t.records[1].alloc_procs, 4);
		assert_near(t.records[1].cpu_s, -1, 0);
		assert_int_equal(t.records[1].req_procs, 4);
		assert_near(t.records[1].request_s, 200, 0);
		assert_int_equal(t.records[1].partition, 1);
		swf_fini(&t);
	}
}

/* A random number as text, of a random shape; below 1e12. */
static void random_number(unsigned *seed, char text[64])
{
	static const char *const shapes[] = {
		"%.0f", "%.1f", "%.2f", "%.3f", "%.7f", "%.15g", "%e", "%.17g",
	};
	int digits = rand_r(seed) % 12;
	double x = pow(10, digits) * rand_r(seed) / RAND_MAX;

	snprintf(text, 64, shapes[rand_r(seed) % 8], x);
	if (rand_r(seed) % 16 == 0)
		strcpy(text, "-1");
}

/* Whatever path a number takes, it must be the one that strtod() gives. */
static void numbers_are_those_of_strtod(void **state)
{
	enum { LINES = 4000, CHECKED = 4 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	static double expected[LINES][CHECKED];
	unsigned seed = 1;
	struct swf_trace t;

	for (int i = 0; i < LINES; i++) {
		fprintf(f, "%d 0", i);
		for (int k = 0; k < CHECKED; k++) {
			char number[64];

			random_number(&seed, number);
			expected[i][k] = strtod(number, NULL);
			fprintf(f, "%*s%s", 1 + rand_r(&seed) % 9, "", number);
			if (k == 1)
				fputs(" 7", f);
			if (k == 3)
				fputs(" 8 9", f);
		}
		fputs(" -1 1 3 1 2 1 1 -1 -1\n", f);
	}
	fclose(f);
	read_text(&t, text);
	assert_int_equal(t.nrecords, LINES);
	for (int i = 0; i < LINES; i++) {
		assert_int_equal(t.records[i].number, i);
		assert_true(t.records[i].wait_s == expected[i][0]);
		assert_true(t.records[i].run_s == expected[i][1]);
		assert_int_equal(t.records[i].alloc_procs, 7);
		assert_true(t.records[i].cpu_s == expected[i][2]);
		assert_true(t.records[i].used_mem_kb == expected[i][3]);
		assert_int_equal(t.records[i].req_procs, 8);
		assert_near(t.records[i].request_s, 9, 0);
	}
	swf_fini(&t);
	free(text);
}

static void limits_themselves_are_accepted(void **state)
{
	struct swf_trace t;

	read_text(&t, "9000000000000000 1e12 -1 1000000000000 2147483647 -1 -1 "
		      "-1 0 -1 -1 -1 -1 -1 -1 -1 -1 -1\n");
	assert_true(t.records[0].number == INT64_C(9000000000000000));
	assert_near(t.records[0].submit_s, 1e12, 0);
	assert_near(t.records[0].run_s, 1e12, 0);
	assert_int_equal(t.records[0].alloc_procs, INT32_MAX);
	swf_fini(&t);
}

/* As at a site that adds GPUs, a soft wall time and a class; the first line has
 * none of them.
 */
static void fields_after_the_18_are_counted_and_ignored(void **state)
{
	struct swf_trace t;

	read_text(&t, "1 50 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n"
		      "2 60 5 110 6 -1 -1 8 200 -1 5 3 1 2 1 1 -1 -1 "
		      "48 3600 frontier:excl:6x8\n"
		      "3 70 5 120 6 -1 -1 8 200 -1 5 3 1 2 1 1 -1 -1 -1\r\n");
	assert_int_equal(t.nrecords, 3);
	assert_int_equal(t.extra_fields, 3);
	assert_near(t.records[1].run_s, 110, 0);
	assert_int_equal(t.records[1].req_procs, 8);
	assert_near(t.records[2].run_s, 120, 0);
	swf_fini(&t);
	read_text(&t, "1 50 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n");
	assert_int_equal(t.extra_fields, 0);
	swf_fini(&t);
}

static void oddities_are_counted_and_kept(void **state)
{
	struct swf_trace t;

	read_text(&t, "1 50 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n"
		      "2 40 5 -1 4 -1 -1 4 200 -1 5 3 1 2 1 1 -1 -1\n"
		      "3 40 5 0 -1 -1 -1 -1 200 -1 5 3 1 2 1 1 -1 -1\n"
		      "4 45 5 10 -1 -1 -1 2 -1 -1 1 3 1 2 1 1 -1 -1\n"
		      "5 44 5 10 2 -1 -1 -1 0 -1 1 3 1 2 1 1 -1 -1\n");
	assert_int_equal(t.nrecords, 5);
	assert_int_equal(t.unsorted, 2);
	assert_int_equal(t.no_run, 2);
	assert_int_equal(t.no_procs, 1);
	assert_int_equal(t.no_estimate, 2);
	assert_near(t.records[0].submit_s, 50, 0);
	swf_fini(&t);
}

static void processors_come_from_the_best_source(void **state)
{
	struct swf_trace t;

	read_text(&t, "; MaxNodes: 10\n; MaxProcs: 80\n" RECORD);
	assert_int_equal(swf_procs(&t), 80);
	swf_fini(&t);
	read_text(&t, "; MaxNodes: 10\n" RECORD);
	assert_int_equal(swf_procs(&t), 10);
	swf_fini(&t);
	read_text(&t, "1 0 5 100 9 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n"
		      "2 0 5 100 1 -1 -1 7 200 -1 1 3 1 2 1 1 -1 -1\n");
	assert_int_equal(swf_procs(&t), 9);
	swf_fini(&t);
	read_text(&t, "1 0 5 100 -1 -1 -1 -1 200 -1 1 3 1 2 1 1 -1 -1\n");
	assert_int_equal(swf_procs(&t), 1);
	swf_fini(&t);
}

/* 9,000 records: more than one buffer, and more than the first allocation. */
static char *many_records(size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	fputs("; MaxRecords: 10\n", f);
	for (int i = 0; i < 9000; i++)
		fprintf(f, "%d %d 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1\n",
			i + 1, i * 10);
	fclose(f);
	return text;
}

/* Result: the gzipped bytes, to be freed. */
static unsigned char *gzip(const char *text, size_t size, size_t *packed)
{
	char name[32];
	unsigned char *data = malloc(size + 100);
	gzFile gz;
	FILE *f;

	test_write_file(name, "", 0);
	gz = gzopen(name, "wb");
	assert_int_equal(gzwrite(gz, text, (unsigned)size), (int)size);
	assert_int_equal(gzclose(gz), Z_OK);
	f = fopen(name, "rb");
	*packed = fread(data, 1, size + 100, f);
	fclose(f);
	unlink(name);
	return data;
}

static void check_many(const struct swf_trace *t)
{
	assert_int_equal(t->nrecords, 9000);
	for (int i = 0; i < 9000; i++) {
		assert_int_equal(t->records[i].number, i + 1);
		assert_near(t->records[i].submit_s, i * 10, 0);
	}
}

static void gzipped_and_plain_give_the_same(void **state)
{
	size_t size, packed;
	char *text = many_records(&size);
	unsigned char *data = gzip(text, size, &packed);
	struct swf_trace t;

	read_text(&t, text);
	check_many(&t);
	swf_fini(&t);
	assert_int_equal(read_bytes(&t, data, packed, NULL), 0);
	check_many(&t);
	swf_fini(&t);
	free(data);
	free(text);
}

/* Run swf_read("-") with a pipe that a child fills. */
static int read_pipe(struct swf_trace *t, const char *text, size_t n,
		     uint64_t times, struct libra_error *err)
{
	int ends[2], saved = dup(STDIN_FILENO), rc;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		while (times-- > 0 && write(ends[1], text, n) == (ssize_t)n)
			;
		_exit(0);
	}
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	rc = swf_read(t, "-", err);
	dup2(saved, STDIN_FILENO);
	close(saved);
	waitpid(child, NULL, 0);
	return rc;
}

static void standard_input_is_read(void **state)
{
	size_t size;
	char *text = many_records(&size);
	struct libra_error err = {""};
	struct swf_trace t;
	char hex[65] = "x";

	assert_int_equal(read_pipe(&t, text, size, 1, &err), 0);
	check_many(&t);
	assert_string_equal(t.name, "-");
	swf_fini(&t);
	assert_int_equal(swf_sha256("-", hex, &err), 0);
	assert_string_equal(hex, "");
	assert_int_equal(read_pipe(&t, "x\n", 2, 1, &err), -1);
	assert_contains(err.text, "standard input:1: field 1");
	free(text);
}

/* What is refused. */

static void read_error(const char *folder, const char *name, char text[256])
{
	char path[8192];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/error", folder, name);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(text, 1, 255, f);
	fclose(f);
	assert_true(n > 1);
	text[n - (text[n - 1] == '\n')] = '\0';
}

static void each_bad_input_has_its_message(void **state)
{
	char folder[4096], path[8192], expected[256];
	struct dirent *entry;
	int cases = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s", test_path("tests/data/bad"));
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		struct libra_error err = {""};
		struct swf_trace t;

		if (entry->d_name[0] == '.')
			continue;
		read_error(folder, entry->d_name, expected);
		snprintf(path, sizeof(path), "%s/%s/input.swf", folder,
			 entry->d_name);
		errno = 0;
		if (swf_read(&t, path, &err) == 0)
			fail_msg("%s was accepted", path);
		assert_int_equal(errno, EINVAL);
		assert_one_line(&err);
		assert_true(strncmp(err.text, path, strlen(path)) == 0);
		assert_contains(err.text + strlen(path), expected);
		assert_null(t.records);
		cases++;
	}
	closedir(dir);
	assert_true(cases >= 30);
}

static void refuse_path(const char *path, int code, const char *text)
{
	struct libra_error err = {""};
	struct swf_trace t;
	char hex[65];

	assert_int_equal(swf_read(&t, path, &err), -1);
	assert_int_equal(errno, code);
	assert_one_line(&err);
	assert_contains(err.text, path);
	assert_contains(err.text, text);
	libra_error_clear(&err);
	assert_int_equal(swf_sha256(path, hex, &err), -1);
	assert_int_equal(errno, code);
	assert_contains(err.text, path);
	assert_int_equal(swf_read(&t, path, NULL), -1);
}

static void a_missing_file_is_named(void **state)
{
	refuse_path("/nonexistent/x.swf", ENOENT, "No such file");
}

static void a_directory_is_no_trace(void **state)
{
	refuse_path("/tmp", EISDIR, "is a folder");
}

static void a_file_without_permission_is_named(void **state)
{
	char name[32];
	bool is_root = geteuid() == 0; /* who may read everything */

	test_write_file(name, RECORD, strlen(RECORD));
	chmod(name, 0);
	if (is_root && seteuid(65534) < 0)
		skip();
	refuse_path(name, EACCES, "Permission denied");
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	unlink(name);
}

static void a_truncated_gz_is_damaged_at_every_length(void **state)
{
	size_t size, packed;
	char *text = many_records(&size);
	unsigned char *data = gzip(text, size, &packed);
	struct swf_trace t;

	/* fewer than 3 bytes are not known to be gzip, but are no log */
	for (size_t n = 3; n < packed; n += 1 + packed / 97) {
		struct libra_error err = {""};

		assert_int_equal(read_bytes(&t, data, n, &err), -1);
		assert_int_equal(errno, EIO);
		assert_one_line(&err);
		assert_contains(err.text, "damaged or cut off");
	}
	free(data);
	free(text);
}

static void a_gz_with_a_flipped_bit_is_refused(void **state)
{
	size_t size, packed;
	char *text = many_records(&size);
	unsigned char *data = gzip(text, size, &packed);
	struct libra_error err = {""};
	struct swf_trace t;

	data[packed - 8] ^= 1; /* of the check sum */
	assert_int_equal(read_bytes(&t, data, packed, &err), -1);
	assert_int_equal(errno, EIO);
	assert_contains(err.text, "damaged");
	free(data);
	free(text);
}

/* The text of a line of n bytes: a comment, or a record and blanks. */
static char *long_line(const char *start, char fill, size_t n)
{
	char *text = malloc(n + 2);

	memset(text, fill, n);
	memcpy(text, start, strlen(start));
	text[n] = '\n';
	text[n + 1] = '\0';
	return text;
}

static void a_line_of_64_kib_is_the_longest(void **state)
{
	struct libra_error err = {""};
	struct swf_trace t;
	char *line;

	line = long_line("1 0 5 100 4 -1 -1 4 200 -1 1 3 1 2 1 1 -1 -1", ' ',
			 65536);
	assert_int_equal(read_bytes(&t, line, 65537, &err), 0);
	swf_fini(&t);
	assert_int_equal(read_bytes(&t, line, 65536, &err), 0);
	swf_fini(&t);
	free(line);
	line = long_line("; ", 'x', 65537);
	assert_int_equal(read_bytes(&t, line, 65538, &err), -1);
	assert_contains(err.text, ":1: the line is longer than 65536 bytes");
	free(line);
}

static void a_line_of_a_gigabyte_takes_no_memory(void **state)
{
	struct libra_error err = {""};
	struct rusage before, after;
	struct swf_trace t;
	char *text = malloc(65536);

	memset(text, '7', 65536);
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(read_pipe(&t, text, 65536, 16384, &err), -1);
	getrusage(RUSAGE_SELF, &after);
	assert_contains(err.text, ":1: the line is longer than 65536 bytes");
	assert_true(after.ru_maxrss - before.ru_maxrss < 16 * 1024);
	free(text);
}

/* A header that lies about the number of records must cost nothing. */
static void a_huge_record_count_is_not_believed(void **state)
{
	struct swf_trace t;

	read_text(&t, "; MaxRecords: 9000000000000000\n" RECORD);
	assert_int_equal(t.nrecords, 1);
	swf_fini(&t);
}

/* sha256 of "abc", from FIPS 180-2, appendix B.1. */
static void the_sha256_is_of_the_file_as_stored(void **state)
{
	struct libra_error err = {""};
	char name[32], hex[65];

	test_write_file(name, "abc", 3);
	assert_int_equal(swf_sha256(name, hex, &err), 0);
	assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223"
				 "b00361a396177a9cb410ff61f20015ad");
	unlink(name);
}

static void fini_can_be_called_twice(void **state)
{
	struct swf_trace t;

	read_text(&t, "; Computer: X\n" RECORD);
	swf_fini(&t);
	swf_fini(&t);
	assert_null(t.records);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_fields_come_to_their_places),
		cmocka_unit_test(the_header_is_read),
		cmocka_unit_test(the_copyright_notice_is_kept_whole),
		cmocka_unit_test(header_entries_without_a_number_are_absent),
		cmocka_unit_test(line_ends_and_blanks_do_not_matter),
		cmocka_unit_test(numbers_are_those_of_strtod),
		cmocka_unit_test(limits_themselves_are_accepted),
		cmocka_unit_test(fields_after_the_18_are_counted_and_ignored),
		cmocka_unit_test(oddities_are_counted_and_kept),
		cmocka_unit_test(processors_come_from_the_best_source),
		cmocka_unit_test(gzipped_and_plain_give_the_same),
		cmocka_unit_test(standard_input_is_read),
		cmocka_unit_test(each_bad_input_has_its_message),
		cmocka_unit_test(a_missing_file_is_named),
		cmocka_unit_test(a_directory_is_no_trace),
		cmocka_unit_test(a_file_without_permission_is_named),
		cmocka_unit_test(a_truncated_gz_is_damaged_at_every_length),
		cmocka_unit_test(a_gz_with_a_flipped_bit_is_refused),
		cmocka_unit_test(a_line_of_64_kib_is_the_longest),
		cmocka_unit_test(a_line_of_a_gigabyte_takes_no_memory),
		cmocka_unit_test(a_huge_record_count_is_not_believed),
		cmocka_unit_test(the_sha256_is_of_the_file_as_stored),
		cmocka_unit_test(fini_can_be_called_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
