/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.h - times as text, JSON in and out, and the end of memory.
 */
#ifndef LIBRA_CLI_PRINT_H
#define LIBRA_CLI_PRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Say that memory ran out, and exit: half an answer would be a wrong one. */
void cli_no_memory(void) __attribute__((noreturn));

/* From here on JSON that finds no memory does that. */
void cli_json_begin(void);

/* "2026-11-20T17:40:03" in local time, or "none". */
void cli_clock_text(double at_s, char text[32]);

/* "1-02:03:04", "-00:00:10", "none". */
void cli_duration_text(double duration_s, char text[32]);

/* A JSON number, or null if the value is infinite or none. */
json_t *cli_json_number(double value);

/* Print a JSON value and free it.  Result: exit status of a command. */
int cli_json_print(json_t *json, FILE *out);

/* A member of an object; INFINITY or "" if there is none of that type. */
double cli_json_double(const json_t *line, const char *name);
const char *cli_json_text(const json_t *line, const char *name);

/* Do the jobs of this policy have whole processors in turn?  "" and a name that
 * is not known: no.
 */
bool cli_in_turn(const char *policy);

#endif
