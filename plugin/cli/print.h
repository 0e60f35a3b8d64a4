/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.h - the output of a command, times as text, JSON, and the end of the
 * command if memory is out.
 */
#ifndef LIBRA_CLI_PRINT_H
#define LIBRA_CLI_PRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct cli_cluster;

/* Where and how a command prints.  For programs (json, parsable) the commands
 * only set data, rows, errors and warnings, and cli_finish() prints them: in
 * Slurm's envelope, or the rows as columns.
 */
struct cli_output {
	FILE *out;
	const char *name; /* "libra status" */
	bool json, parsable, no_header;
	json_t *data;	     /* object; NULL = the command has failed */
	json_t *rows;	     /* array of objects */
	const char *columns; /* names of the rows' members: "a,b,c" */
	json_t *errors;	     /* array; NULL = none */
	json_t *warnings;    /* array; NULL = none */
};

/* Add an error or a warning to the envelope.  Prints nothing. */
void cli_error(struct cli_output *o, const char *text);
void cli_warning(struct cli_output *o, const char *text);

/* Return true if the output is for programs: no text for people. */
bool cli_for_programs(const struct cli_output *o);

/* Print data, rows, errors and warnings for programs, and free them.
 * cluster: the one that slurmctld was asked for; its names may be NULL.
 * Result: status, or CLI_FAILED if the output cannot be written.
 */
int cli_finish(struct cli_output *o, const struct cli_cluster *cluster,
	       int status);

/* Print that memory is out, and exit with CLI_FAILED: half an answer would be
 * wrong.
 */
void cli_no_memory(void) __attribute__((noreturn));

/* Set up the heap, and make jansson call cli_no_memory() when memory is out.
 * main() calls this first.
 */
void cli_memory_begin(void);

/* Write an instant without its zone, for output that names the zone elsewhere;
 * the day is left out if it is that of now_s (libra_host_clock_text()).
 */
void cli_clock_text(double at_s, double now_s, char text[32]);

/* Read the instant behind a word in a message of slurmctld, in one of two
 * forms: "2026-11-20T17:40:03+0100", or "17:40:03 UTC+01:00", perhaps with a
 * day before it.  If the line has several zones, the last one counts.  now_s:
 * when the line was written, or some seconds before.
 * Result: the instant, or before_s if the line has none.
 */
double cli_instant_after(const char *line, const char *word, double now_s,
			 double before_s);

/* Write an instant in at most 11 columns: "17:40" if its day is that of now_s,
 * "11-20 17:40" if it is some days from now_s, else the date.
 */
void cli_short_clock(double at_s, double now_s, char text[32]);

/* Print len bytes of a text in width columns.  A text that is cut ends with
 * '+', as in sacct.
 */
void cli_print_cut(const char *text, size_t len, int width, FILE *out);

/* Return a JSON number, or null if the value is infinite or NAN. */
json_t *cli_json_number(double value);

/* Set NAME_s to an instant in seconds, and NAME to "2026-11-20T17:40:03+01:00",
 * rounded up to the second.  Both are null if the value is infinite or none.
 */
void cli_json_time(json_t *object, const char *name, double at_s);

/* The same for a list of instants, which the object takes over. */
void cli_json_times(json_t *object, const char *name, json_t *list);

/* Return a member of an object; INFINITY or "" if the object has no member of
 * this name and type.  Owner of the text: line.
 */
double cli_json_double(const json_t *line, const char *name);
const char *cli_json_text(const json_t *line, const char *name);

/* Return true for the name of a gang policy (jobs take turns on processors);
 * false for other and unknown names.
 */
bool cli_in_turn(const char *policy);

#endif
