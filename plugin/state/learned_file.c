/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_file.c - see learned_file.h.
 *
 * The file is one line: version, policy, what a processor is, the numbers.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/state/learned_file.h"
#include "plugin/host/ops.h"
#include "plugin/state/state_file.h"

/* What slurmctld loses if it is killed. */
#define SAVE_AFTER_S 60.0

#define FILE_VERSION 1

void host_learned_begin(struct host_learned *learned, const char *folder,
			const char *label)
{
	host_learned_end(learned);
	if (!folder || asprintf(&learned->path, "%s/libra_learned%s%s", folder,
				label ? "." : "", label ? label : "") < 0)
		learned->path = NULL;
}

void host_learned_end(struct host_learned *learned)
{
	free(learned->path);
	*learned = (struct host_learned){0};
}

/* The numbers of a text that a NUL ends.
 * Result: how many, or -1 if it is damaged.
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

/* Result: how many numbers there are; 0: they are another policy's, or of other
 * processors; -1: the text is damaged.
 */
static int read_line(const char *text, const struct libra_engine_log *log,
		     bool whole_nodes, double *values)
{
	char policy[32], procs[8];
	int version, at = 0, n;

	if (sscanf(text, "libra_learned %d %31s %7s%n", &version, policy, procs,
		   &at) != 3 ||
	    version != FILE_VERSION)
		return -1;
	n = read_numbers(text + at, values);
	return n > 0 && strcmp(policy, log->conf->policy->name) == 0 &&
			       strcmp(procs, kind(whole_nodes)) == 0
		       ? n
	       : n < 0 ? -1
		       : 0;
}

/* Result: the text, ended by a NUL, or NULL with errno. */
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

static void refuse(const struct host_learned *learned,
		   const struct libra_host_ops *ops, const char *why)
{
	host_say(ops, LIBRA_HOST_ERROR,
		 "%s: %s: the reserve learns anew how many jobs come",
		 learned->path, why);
	host_state_file_put_aside(learned->path, ops);
}

void host_learned_load(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       struct libra_engine_log *log, bool whole_nodes,
		       double now_s)
{
	struct libra_error err = {0};
	double values[HOST_MOST_LEARNED];
	char *text;
	int n;

	if (!learned->path || libra_engine_learned(log->engine, NULL, 0) == 0)
		return;
	text = read_text(learned->path);
	if (!text) {
		if (errno != ENOENT)
			refuse(learned, ops, strerror(errno));
		return;
	}
	n = read_line(text, log, whole_nodes, values);
	free(text);
	if (n < 0)
		refuse(learned, ops, "damaged");
	else if (n > 0 && libra_engine_log_relearn(log, values, (size_t)n,
						   now_s, &err) < 0)
		refuse(learned, ops, err.text);
	else if (n > 0)
		memcpy(learned->saved, values, (size_t)n * sizeof(*values));
	learned->saved_s = now_s;
}

static int write_values(const struct host_learned *learned,
			const struct libra_engine_log *log, bool whole_nodes,
			const double *values, size_t n, bool safe)
{
	char line[64 + 32 * HOST_MOST_LEARNED];
	size_t len = (size_t)snprintf(line, 64, "libra_learned %d %.31s %s",
				      FILE_VERSION, log->conf->policy->name,
				      kind(whole_nodes));

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(line + len, 32, " %.17g", values[i]);
	line[len++] = '\n';
	return host_state_file_write(learned->path, line, len, safe);
}

void host_learned_save(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       const struct libra_engine_log *log, bool whole_nodes,
		       bool safe, double now_s)
{
	double values[HOST_MOST_LEARNED];
	size_t n;
	int rc;

	if (!learned->path || !log->engine ||
	    (!safe && fabs(now_s - learned->saved_s) < SAVE_AFTER_S))
		return;
	learned->saved_s = now_s;
	n = libra_engine_learned(log->engine, values, HOST_MOST_LEARNED);
	if (n == 0 || n > HOST_MOST_LEARNED ||
	    memcmp(values, learned->saved, n * sizeof(*values)) == 0)
		return;
	rc = write_values(learned, log, whole_nodes, values, n, safe);
	/* Said once: a full disk is full for long. */
	if (rc < 0 && !learned->failing)
		host_say(ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: what the reserve has "
			 "learned may be lost",
			 learned->path, strerror(errno));
	learned->failing = rc < 0;
	if (rc == 0)
		memcpy(learned->saved, values, n * sizeof(*values));
}
