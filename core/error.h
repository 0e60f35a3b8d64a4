/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - the message of a failed call.
 *
 * Functions of the core return 0, or -1 with errno.  The message for the user
 * goes into a struct libra_error of the caller.  Every function that takes one
 * accepts NULL. The first error stays: a second message does not overwrite it
 * until libra_error_clear().
 */
#ifndef LIBRA_ERROR_H
#define LIBRA_ERROR_H

#define LIBRA_ERROR_TEXT_SIZE 512

struct libra_error {
	char text[LIBRA_ERROR_TEXT_SIZE]; /* one line, no newline; "" = none */
};

/* Set errno to code and write the message, as in "return libra_errf(...)".
 * Result: always -1.
 */
int libra_errf(struct libra_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fail with ENOMEM and a message about `what` (NULL = not named). */
int libra_no_memory(struct libra_error *err, const char *what);

/* Clear the message. */
void libra_error_clear(struct libra_error *err);

#endif
