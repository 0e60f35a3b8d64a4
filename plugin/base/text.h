/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - a text that is composed piece by piece.
 *
 * Records and lines of the log are written under Slurm's locks: a piece is
 * printed once where it has room, and nothing is opened for it.
 */
#ifndef LIBRA_BASE_TEXT_H
#define LIBRA_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct host_text {
	char *text; /* NULL, or ends with a 0 */
	size_t len, cap;
	bool cut; /* there was no memory for all of it */
};

/* Append.  Result: false if memory has ended: nothing is appended any more. */
bool host_text_add(struct host_text *text, const char *form, ...)
	__attribute__((format(printf, 2, 3)));
bool host_text_add_list(struct host_text *text, const char *form, va_list args)
	__attribute__((format(printf, 2, 0)));

/* As it is. */
bool host_text_add_bytes(struct host_text *text, const char *bytes, size_t n);

/* As "%llu" and as "%.17g" print them, without printf as far as jobs have such
 * numbers: it takes 1.5 microseconds for an instant.
 */
bool host_text_add_whole(struct host_text *text, unsigned long long v);
bool host_text_add_number(struct host_text *text, double v);

/* The same, of a number alone.  Result: the length. */
#define HOST_NUMBER 32
size_t host_print_number(char to[HOST_NUMBER], double v);

/* Begin anew with the same memory. */
void host_text_empty(struct host_text *text);

void host_text_fini(struct host_text *text);

#endif
