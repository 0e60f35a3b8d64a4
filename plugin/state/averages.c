/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * averages.c - see averages.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/state/averages.h"
#include "plugin/state/state_file.h"

#define FILE_VERSION 1

bool host_averages_path(char path[HOST_STATE_PATH], const char *folder,
			const char *label)
{
	return host_state_path(path, folder, "libra_learned", label);
}

/* Read the averages from a text with a NUL at its end.
 * Result: their number, or -1 if the text is damaged.
 */
static int read_numbers(const char *text, double *values)
{
	char *end;
	int n = 0;

	for (; *text == ' '; text = end) {
		if (n == HOST_MOST_LEARNED)
			return -1;
		values[n++] = strtod(text, &end);
		if (end == text || !isfinite(values[n - 1]))
			return -1;
	}
	return strcmp(text, "\n") == 0 ? n : -1;
}

static const char *kind(bool whole_nodes)
{
	return whole_nodes ? "node" : "core";
}

/* Result: the number of averages; 0: of another policy or kind of processor;
 *         -1: damaged.
 */
static int read_line(const char *text, const char *name, bool whole_nodes,
		     double *values)
{
	char policy[32], procs[8];
	int version, at = 0, n;

	if (sscanf(text, "libra_learned %d %31s %7s%n", &version, policy, procs,
		   &at) != 3 ||
	    version != FILE_VERSION)
		return -1;
	n = read_numbers(text + at, values);
	return n > 0 && strcmp(policy, name) == 0 &&
			       strcmp(procs, kind(whole_nodes)) == 0
		       ? n
	       : n < 0 ? -1
		       : 0;
}

/* Result: the text with a NUL at its end, or NULL with errno. */
static char *read_text(const char *path)
{
	size_t size = 0;
	char *text = host_state_file_read(path, &size), *more;

	if (!text)
		return NULL;
	more = realloc(text, size + 1);
	if (!more) {
		free(text);
		errno = ENOMEM;
		return NULL;
	}
	more[size] = '\0';
	return more;
}

int host_averages_read(const char *path, const char *policy, bool whole_nodes,
		       double *values)
{
	char *text = read_text(path);
	int n;

	if (!text)
		return -1;
	n = read_line(text, policy, whole_nodes, values);
	free(text);
	if (n < 0)
		errno = EBADMSG;
	return n;
}

int host_averages_write(const char *path, const char *policy, bool whole_nodes,
			const double *values, size_t n, bool safe)
{
	char line[64 + 32 * HOST_MOST_LEARNED];
	size_t len = (size_t)snprintf(line, 64, "libra_learned %d %.31s %s",
				      FILE_VERSION, policy, kind(whole_nodes));

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(line + len, 32, " %.17g", values[i]);
	line[len++] = '\n';
	return host_state_file_write(path, line, len, safe);
}
