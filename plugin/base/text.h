/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - compose a text piece by piece.
 *
 * Records and log lines are composed under Slurm's locks, so a piece that has
 * room is printed once, without a stream.  A text of zeros is empty.  A text
 * belongs to one thread at a time; no function needs a lock.
 */
#ifndef LIBRA_BASE_TEXT_H
#define LIBRA_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct host_text {
	char *text; /* owned; NULL, or ends with a NUL */
	size_t len, cap;
	bool cut; /* memory ran out: the text is incomplete */
};

/* Append.  Result: false if memory has run out; then later calls append
 * nothing.
 */
bool host_text_add(struct host_text *text, const char *form, ...)
	__attribute__((format(printf, 2, 3)));
bool host_text_add_list(struct host_text *text, const char *form, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Append n bytes. */
bool host_text_add_bytes(struct host_text *text, const char *bytes, size_t n);

/* Append as "%llu" and "%.17g" do.  The usual numbers of jobs are printed
 * without printf, which takes 1.5 microseconds for an instant.
 */
bool host_text_add_whole(struct host_text *text, unsigned long long v);
bool host_text_add_number(struct host_text *text, double v);

/* Print a number likewise.  Result: the length. */
#define HOST_NUMBER 32
size_t host_print_number(char to[HOST_NUMBER], double v);

/* Write '?' for each control character: a user's bytes must not begin a line
 * in a log, nor steer the terminal of its reader.
 */
static inline void host_text_defuse(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '\x7f')
			*text = '?';
}

/* Make the text empty, and keep its memory. */
void host_text_empty(struct host_text *text);

void host_text_fini(struct host_text *text);

#endif
