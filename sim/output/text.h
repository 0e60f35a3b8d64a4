/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - numbers and text as files hold them.
 *
 * Numbers are printed with as few digits as read back to the same double,
 * independent of the locale.  Nothing is allocated; errors of a stream are the
 * caller's to check.
 */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <stddef.h>
#include <stdio.h>

#define OUT_NUMBER_SIZE 32

/* The shortest of %.15g, %.16g and %.17g that reads back to the same double.
 * Result: buf; "nan", "inf" or "-inf" if the value is not finite.
 */
const char *out_number(char buf[OUT_NUMBER_SIZE], double value);

/* Return the number of bytes of the UTF-8 character at s; 0 at the NUL, or if
 * the bytes there are no valid character.
 */
size_t out_utf8(const char *s);

#define OUT_KEY_SIZE 32

/* Write the name of an option as files have it, with underscores for hyphens.
 * Result: key.
 */
const char *out_key(char key[OUT_KEY_SIZE], const char *option);

#define OUT_WAIT_SIZE 32

/* Write seconds for people, in s, min or h; "-" if not finite.  Result: buf. */
const char *out_wait(char buf[OUT_WAIT_SIZE], double s);

/* Write a CSV field, in quotes if it contains a comma, a quote or a line end.
 */
void out_csv_text(FILE *fp, const char *text);
/* Write a number as a CSV field; nothing if it is not finite. */
void out_csv_number(FILE *fp, double value);
/* Write n numbers as CSV fields, with a comma before each. */
void out_csv_numbers(FILE *fp, const double *values, size_t n);

/* Write text into HTML or SVG: markup is escaped, and a control character or a
 * byte that is no UTF-8 is replaced by U+FFFD.
 */
void out_html(FILE *fp, const char *text);

#endif
