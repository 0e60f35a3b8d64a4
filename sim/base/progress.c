/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.c - see progress.h. */
#include "sim/base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 40

void progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

void progress_show(void *arg, size_t done, size_t total)
{
	size_t filled = total ? WIDTH * done / total : WIDTH;
	char bar[WIDTH + 1];

	if (!isatty(STDERR_FILENO))
		return;
	if (done >= total) {
		progress_clear();
		return;
	}
	memset(bar, '.', WIDTH);
	memset(bar, '#', filled);
	bar[WIDTH] = '\0';
	fprintf(stderr, "\r[%s] %zu of %zu runs", bar, done, total);
	fflush(stderr);
}
