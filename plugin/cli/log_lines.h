/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log_lines.h - the lines of a decision log, from its end or from a place.
 *
 * A log has years of lines and a question concerns a few of them, mostly the
 * last.  So lines are read from the end, and looked at as text: most need not
 * be parsed.  A last line that is not written to its end yet is left out; lines
 * that were appended after the log was opened are not seen.  Where memory ends,
 * the command does (print.h).
 */
#ifndef LIBRA_CLI_LOG_LINES_H
#define LIBRA_CLI_LOG_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/error.h"

struct cli_log {
	FILE *fp; /* the caller's, or a copy of it */
	bool copy;
	off_t end;  /* of its last whole line */
	off_t from; /* data holds the file from here on, */
	size_t len; /* so much of it that was not returned */
	char *data;
	size_t cap;
};

struct cli_log_line {
	const char *text; /* without its newline; good until the next call */
	size_t len;
	off_t at; /* its place in the log */
};

/* Result: the file, for fclose(), or NULL with errno. */
FILE *cli_log_open(const char *path);

/* Take a file.  One that cannot be sought in (a pipe) is copied.
 * Result: 0, or -1 with errno and a text.
 * Owner:  the file stays the caller's, who ends the log with cli_log_fini().
 */
int cli_log_init(struct cli_log *log, FILE *fp, struct libra_error *err);
void cli_log_fini(struct cli_log *log);

/* The line before the one last returned; the last one at first.
 * Result: 1, 0 at the beginning, or -1 with errno and a text.
 */
int cli_log_before(struct cli_log *log, struct cli_log_line *line,
		   struct libra_error *err);

/* Go to a place; then the line there, and so on.  Ends cli_log_before().
 * Result: as above; 0 at the end.
 */
int cli_log_seek(struct cli_log *log, off_t at, struct libra_error *err);
int cli_log_after(struct cli_log *log, struct cli_log_line *line,
		  struct libra_error *err);

/* Is it a line of this call ("offer")? */
bool cli_log_is(const struct cli_log_line *line, const char *call);

/* Is it a report of what became of a promise (job_table.h)? */
bool cli_log_is_event(const struct cli_log_line *line);

/* Does it have a field, as it is written: "id":7? */
bool cli_log_has(const struct cli_log_line *line, const char *field);

/* When the call was: its field now_s, or NAN (of an action). */
double cli_log_time(const struct cli_log_line *line);

/* Result: the object, or NULL with EINVAL and a text. */
json_t *cli_log_parse(const struct cli_log_line *line, struct libra_error *err);

#endif
