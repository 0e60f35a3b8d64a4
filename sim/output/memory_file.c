/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_file.c - write text into memory through a FILE.
 *
 * A cookie stream (fopencookie) appends to a growing array.  After the first
 * failed allocation all writes fail, and the close frees the array.
 */
#include "sim/output/memory_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

/* A stream's text so far.  Freed by end(), which gives the text to the caller.
 */
struct memory {
	char **text; /* the caller's */
	size_t *size;
	char *data; /* ends with a zero */
	size_t len, cap;
	bool failed;
};

/* Append n bytes.  Result: n, or 0 with ENOMEM. */
static ssize_t add(void *cookie, const char *from, size_t n)
{
	struct memory *m = cookie;
	char *data = m->failed ? NULL
			       : sim_grown(m->data, &m->cap, m->len + n + 1, 1);

	if (!data) {
		m->failed = true;
		errno = ENOMEM;
		return 0;
	}
	m->data = data;
	memcpy(data + m->len, from, n);
	m->len += n;
	data[m->len] = '\0';
	return (ssize_t)n;
}

/* Close: give the text to the caller, or free it after a failure. */
static int end(void *cookie)
{
	struct memory *m = cookie;
	bool failed = m->failed;

	if (failed)
		free(m->data);
	*m->text = failed ? NULL : m->data;
	*m->size = failed ? 0 : m->len;
	free(m);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}

FILE *out_memory(char **text, size_t *size)
{
	static const cookie_io_functions_t functions = {.write = add,
							.close = end};
	struct memory *m = calloc(1, sizeof(*m));
	FILE *fp = NULL;

	*text = NULL;
	*size = 0;
	if (!m)
		return NULL;
	m->text = text;
	m->size = size;
	if (add(m, "", 0) == 0 && !m->failed)
		fp = fopencookie(m, "w", functions);
	if (!fp) {
		free(m->data);
		free(m);
		errno = ENOMEM;
	}
	return fp;
}
