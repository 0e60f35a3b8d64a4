/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test.h - what all unit tests share.
 *
 * Includes cmocka with what it needs.  cmocka 1.1.5 compares floating point
 * numbers as float; use assert_near().  Files are found under the folder of
 * the environment variable srcdir (the top of the source tree), else ".".
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <math.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/error.h"

/* Fail unless |a - b| <= tol; NAN is near to nothing, INFINITY to itself. */
#define assert_near(a, b, tol)                                                 \
	test_assert_near((a), (b), (tol), #a, __FILE__, __LINE__)

static inline void test_assert_near(double a, double b, double tol,
				    const char *what, const char *file,
				    int line)
{
	if (a == b || fabs(a - b) <= tol)
		return;
	print_error("%s = %.17g, not within %g of %.17g\n", what, a, tol, b);
	_fail(file, line);
}

/* Fail unless the text contains a part. */
#define assert_contains(text, part)                                            \
	test_assert_contains((text), (part), __FILE__, __LINE__)

static inline void test_assert_contains(const char *text, const char *part,
					const char *file, int line)
{
	if (*part && strstr(text, part))
		return;
	print_error("\"%s\" does not contain \"%s\"\n", text, part);
	_fail(file, line);
}

/* Fail if a message is not one non-empty line. */
#define assert_one_line(err)                                                   \
	do {                                                                   \
		assert_true((err)->text[0] != '\0');                           \
		assert_null(strchr((err)->text, '\n'));                        \
	} while (0)

/* The path of a file of the source tree, in a static buffer. */
static inline const char *test_path(const char *name)
{
	static char path[4096];
	const char *top = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/%s", top ? top : ".", name);
	return path;
}

/* Write a new temporary file.  name is a buffer that receives the path; the
 * caller unlinks it.
 */
static inline void test_write_file(char name[32], const void *data, size_t n)
{
	FILE *f;
	int fd;

	strcpy(name, "/tmp/libra-test-XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	f = fdopen(fd, "wb");
	assert_non_null(f);
	assert_true(n == 0 || fwrite(data, n, 1, f) == 1);
	assert_int_equal(fclose(f), 0);
}

/* The sample mean and variance. */
struct test_moments {
	double mean, var;
	size_t n;
};

static inline struct test_moments test_moments(const double *x, size_t n)
{
	struct test_moments m = {0, 0, n};

	for (size_t i = 0; i < n; i++)
		m.mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		m.var += (x[i] - m.mean) * (x[i] - m.mean) / (double)(n - 1);
	return m;
}

/* A mean must be within three standard errors. */
#define assert_mean_near(m, expected)                                          \
	assert_near((m).mean, (expected), 3 * sqrt((m).var / (double)(m).n))

#endif
