/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_lines.h - the lines of a decision log, from its end or from an offset.
 *
 * A log may have years of lines, and a question needs a few of them, mostly the
 * last.  Therefore lines are read from the end and tested as text; only those
 * that are needed are parsed.  A last line without a newline is still being
 * written and is left out.  Lines appended after cli_log_init() are not read.
 * If memory is out, the command ends (print.h).
 */
#ifndef LIBRA_CLI_LOG_LINES_H
#define LIBRA_CLI_LOG_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/error.h"

struct cli_log {
	FILE *fp;  /* the caller's, or a copy of it */
	bool copy; /* cli_log_fini() closes fp */
	off_t end; /* offset behind the last whole line */
	/* data: a piece of the file.  from: its offset.  len: the bytes of the
	 * piece that were not returned yet.
	 */
	off_t from;
	size_t len;
	char *data;
	size_t cap;
};

struct cli_log_line {
	const char *text; /* without its newline; valid until the next call */
	size_t len;
	off_t at; /* offset of the line in the log */
};

/* Open a log for reading.
 * Result: the file, which the caller closes by fclose(), or NULL with errno.
 */
FILE *cli_log_open(const char *path);

/* Begin to read a file.  A pipe, or another file without fseek(), is copied.
 * Result: 0, or -1 with errno and a text.
 * Owner:  the caller closes fp, and ends *log with cli_log_fini() before.
 */
int cli_log_init(struct cli_log *log, FILE *fp, struct libra_error *err);
void cli_log_fini(struct cli_log *log);

/* Read the line before the one last returned; the first call reads the last
 * line.
 * Result: 1 with *line, 0 at the beginning, or -1 with errno and a text.
 */
int cli_log_before(struct cli_log *log, struct cli_log_line *line,
		   struct libra_error *err);

/* Go to an offset (_seek); then read the line there, and at the next call the
 * line behind it (_after).  cli_log_before() must not be called any more.
 * Result: cli_log_seek(): 0, or -1 with errno and a text.  cli_log_after(): 1
 *         with *line, 0 at the end, or -1 with errno and a text.
 */
int cli_log_seek(struct cli_log *log, off_t at, struct libra_error *err);
int cli_log_after(struct cli_log *log, struct cli_log_line *line,
		  struct libra_error *err);

/* Return true if a line is of this call ("offer"). */
bool cli_log_is(const struct cli_log_line *line, const char *call);

/* Return true if a line reports what happened to a promise (job_table.h). */
bool cli_log_is_event(const struct cli_log_line *line);

/* Return true if a line has this text as a field ("\"id\":7"). */
bool cli_log_has(const struct cli_log_line *line, const char *field);

/* Return the whole number of a line's first field with this name ("\"id\":"),
 * or 0.
 */
uint64_t cli_log_number(const struct cli_log_line *line, const char *field);

/* Return the instant of a line, its field now_s; NAN: the line has none. */
double cli_log_time(const struct cli_log_line *line);

/* Parse a line.
 * Result: the object, which the caller owns, or NULL with EINVAL and a text.
 */
json_t *cli_log_parse(const struct cli_log_line *line, struct libra_error *err);

#endif
