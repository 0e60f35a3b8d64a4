/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - exact numbers, fields of CSV, text in HTML.
 *
 * printf() and strtod() follow the locale, so the decimal point is put back
 * after each number.
 */
#include "sim/output/text.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* printf() and strtod() follow the locale; files must not. */
static void force_point(char *buf)
{
	const char *point = localeconv()->decimal_point;
	char *at = strcmp(point, ".") ? strstr(buf, point) : NULL;

	if (at) {
		*at = '.';
		memmove(at + 1, at + strlen(point),
			strlen(at + strlen(point)) + 1);
	}
}

const char *out_number(char buf[OUT_NUMBER_SIZE], double value)
{
	if (isnan(value))
		return strcpy(buf, "nan");
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, OUT_NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(buf, NULL) == value)
			break;
	}
	force_point(buf);
	return buf;
}

size_t out_utf8(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = u[0] < 0x80   ? 1
		     : u[0] < 0xc2 ? 0
		     : u[0] < 0xe0 ? 2
		     : u[0] < 0xf0 ? 3
		     : u[0] < 0xf5 ? 4
				   : 0;

	if (u[0] == '\0')
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return len;
}

const char *out_key(char key[OUT_KEY_SIZE], const char *option)
{
	snprintf(key, OUT_KEY_SIZE, "%s", option);
	for (char *c = key; (c = strchr(c, '-'));)
		*c = '_';
	return key;
}

void out_csv_text(FILE *fp, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, fp);
		return;
	}
	putc('"', fp);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', fp);
		putc(*text, fp);
	}
	putc('"', fp);
}

void out_csv_number(FILE *fp, double value)
{
	char buf[OUT_NUMBER_SIZE];

	if (isfinite(value))
		fputs(out_number(buf, value), fp);
}

const char *out_wait(char buf[OUT_WAIT_SIZE], double s)
{
	if (!isfinite(s))
		snprintf(buf, OUT_WAIT_SIZE, "-");
	else if (s < 120)
		snprintf(buf, OUT_WAIT_SIZE, "%.0f s", s);
	else if (s < 7200)
		snprintf(buf, OUT_WAIT_SIZE, "%.0f min", s / 60);
	else
		snprintf(buf, OUT_WAIT_SIZE, "%.1f h", s / 3600);
	return buf;
}

void out_csv_numbers(FILE *fp, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fputc(',', fp);
		out_csv_number(fp, values[i]);
	}
}

/* Return what stands for a character in HTML; NULL for itself. */
static const char *html_escape(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void out_html(FILE *fp, const char *text)
{
	while (*text) {
		const char *escape = html_escape(*text);
		size_t len = out_utf8(text);
		bool control = (unsigned char)*text < 0x20 && *text != '\n' &&
			       *text != '\t';

		if (escape)
			fputs(escape, fp);
		else if (len == 0 || control)
			fputs("\xef\xbf\xbd", fp);
		else
			fwrite(text, 1, len, fp);
		text += len ? len : 1;
	}
}
