/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - numbers and text as files hold them.
 *
 * Numbers are printed with as few digits as read back to the same double,
 * independent of the locale.
 */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <stddef.h>
#include <stdio.h>

#define OUT_NUMBER_SIZE 32

/* The shortest of %.15g, %.16g and %.17g that reads back to the same double.
 * Result: buf; "nan", "inf" and "-inf" for what is no number.
 */
const char *out_number(char buf[OUT_NUMBER_SIZE], double value);

/* Bytes of the UTF-8 character at s; 0 if there is none (or at the end). */
size_t out_utf8(const char *s);

#define OUT_KEY_SIZE 32

/* The name of an option as files have it: with underscores.  Result: key. */
const char *out_key(char key[OUT_KEY_SIZE], const char *option);

/* A CSV field, quoted if it has to be. */
void out_csv_text(FILE *fp, const char *text);
/* A CSV field; empty if the value is no finite number. */
void out_csv_number(FILE *fp, double value);

/* Text in HTML and SVG: markup is escaped, what is not UTF-8 replaced. */
void out_html(FILE *fp, const char *text);

#endif
