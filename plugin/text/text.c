/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - see text.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/text/text.h"

#define FIRST_SIZE 256

/* Room for so much more, and a 0 behind it. */
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

bool host_text_add_whole(struct host_text *t, unsigned long long v)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + v % 10);
	while (v /= 10);
	return host_text_add_bytes(t, digits + n, sizeof(digits) - n);
}

/* Of so many digits printf shows no power of ten. */
#define PLAIN 1e15

bool host_text_add_number(struct host_text *t, double v)
{
	if (signbit(v) || !(v < PLAIN) || v != floor(v))
		return host_text_add(t, "%.17g", v);
	return host_text_add_whole(t, (unsigned long long)v);
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
