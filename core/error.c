/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error.c - see error.h. */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int libra_errf(struct libra_error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (err && err->text[0] == '\0') {
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	errno = code;
	return -1;
}

int libra_no_memory(struct libra_error *err, const char *what)
{
	return libra_errf(err, ENOMEM, "out of memory%s%s", what ? " for " : "",
			  what ? what : "");
}

void libra_error_clear(struct libra_error *err)
{
	if (err)
		err->text[0] = '\0';
}
