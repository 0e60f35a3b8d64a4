/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - the text that goes with a failed call.
 *
 * Functions of the core return 0, or -1 with errno; the text that a user
 * should read goes into a struct libra_error of the caller.  Every function
 * that takes one accepts NULL.  The first error wins: a second message does
 * not overwrite an unread one.
 */
#ifndef LIBRA_ERROR_H
#define LIBRA_ERROR_H

#define LIBRA_ERROR_TEXT_SIZE 512

struct libra_error {
	char text[LIBRA_ERROR_TEXT_SIZE]; /* one line, no newline; "" = none */
};

/* Set errno to code, write the message, and fail: for "return libra_errf()".
 * Result: always -1.
 */
int libra_errf(struct libra_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same where there is no memory for something (NULL = not said). */
int libra_no_memory(struct libra_error *err, const char *what);

/* Forget the message. */
void libra_error_clear(struct libra_error *err);

#endif
