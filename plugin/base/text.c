/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - see text.h.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/text.h"

#define FIRST_SIZE 256

/* Reserve space for `more` bytes and a NUL. */
static bool reserve(struct host_text *t, size_t more)
{
	size_t cap = t->cap ? t->cap : FIRST_SIZE;
	char *text;

	if (t->len + more < t->cap)
		return true;
	while (cap <= t->len + more)
		cap *= 2;
	text = realloc(t->text, cap);
	if (!text)
		return false;
	t->text = text;
	t->cap = cap;
	return true;
}

bool host_text_add_list(struct host_text *t, const char *form, va_list args)
{
	size_t left = t->cap - t->len;
	va_list again;
	int n;

	if (t->cut)
		return false;
	va_copy(again, args);
	n = vsnprintf(left ? t->text + t->len : NULL, left, form, args);
	t->cut = n < 0 || !reserve(t, (size_t)n);
	if (!t->cut && (size_t)n >= left)
		vsnprintf(t->text + t->len, (size_t)n + 1, form, again);
	va_end(again);
	if (!t->cut)
		t->len += (size_t)n;
	return !t->cut;
}

bool host_text_add(struct host_text *t, const char *form, ...)
{
	va_list args;
	bool good;

	va_start(args, form);
	good = host_text_add_list(t, form, args);
	va_end(args);
	return good;
}

bool host_text_add_bytes(struct host_text *t, const char *bytes, size_t n)
{
	t->cut = t->cut || !reserve(t, n);
	if (t->cut)
		return false;
	memcpy(t->text + t->len, bytes, n);
	t->len += n;
	t->text[t->len] = '\0';
	return true;
}

/* Result: the length, without a NUL. */
static size_t write_whole(char to[20], unsigned long long v)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + v % 10);
	while (v /= 10);
	memcpy(to, digits + n, sizeof(digits) - n);
	return sizeof(digits) - n;
}

bool host_text_add_whole(struct host_text *t, unsigned long long v)
{
	char digits[20];

	return host_text_add_bytes(t, digits, write_whole(digits, v));
}

/* Below this number, printf writes no exponent with 17 digits. */
#define PLAIN 1e15

/* This many digits distinguish every double from its neighbours. */
enum { DIGITS = 17 };

/* From this number on, at most 60 bits follow the binary point, so that ten
 * times the fraction fits into 64 bits.
 */
#define LEAST (1.0 / 256)

/* Write n digits of the fraction left / 2^bits, rounded as by printf: to
 * nearest, ties to even.  The digits are too many for a double to round up to
 * 1.
 */
static void write_fraction(char *to, int n, uint64_t left, int bits)
{
	const uint64_t one = (uint64_t)1 << bits;

	for (int i = 0; i < n; i++) {
		left *= 10;
		to[i] = (char)('0' + (left >> bits));
		left &= one - 1;
	}
	if (left < one / 2 || (left == one / 2 && (to[n - 1] - '0') % 2 == 0))
		return;
	while (to[n - 1] == '9')
		to[--n] = '0';
	to[n - 1]++;
}

/* Write a number in [LEAST, PLAIN) that is not whole.
 * Result: the length, without a NUL.
 */
static size_t write_real(char to[HOST_NUMBER], double v)
{
	size_t len, leading = 0;
	int exponent, bits, n;
	uint64_t all;

	all = (uint64_t)ldexp(frexp(v, &exponent), 53);
	bits = 53 - exponent;
	len = write_whole(to, all >> bits);
	n = DIGITS - (int)len;
	/* Leading zeros are no significant digits. */
	if (v < 1) {
		for (double tenth = 0.1; v < tenth; tenth /= 10)
			leading++;
		n = DIGITS + (int)leading;
	}
	to[len++] = '.';
	write_fraction(to + len, n, all & (((uint64_t)1 << bits) - 1), bits);
	len += (size_t)n;
	while (to[len - 1] == '0')
		len--;
	return len;
}

size_t host_print_number(char to[HOST_NUMBER], double v)
{
	size_t len;

	if (signbit(v) || !(v < PLAIN) || (v < LEAST && v != 0))
		return (size_t)snprintf(to, HOST_NUMBER, "%.17g", v);
	if (v != floor(v))
		len = write_real(to, v);
	else
		len = write_whole(to, (unsigned long long)v);
	to[len] = '\0';
	return len;
}

bool host_text_add_number(struct host_text *t, double v)
{
	char digits[HOST_NUMBER];

	return host_text_add_bytes(t, digits, host_print_number(digits, v));
}

void host_text_empty(struct host_text *t)
{
	t->len = 0;
	t->cut = false;
}

void host_text_fini(struct host_text *t)
{
	free(t->text);
	*t = (struct host_text){0};
}
