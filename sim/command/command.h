/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - the commands of librasim, their messages and common options.
 *
 * Exit status: 0 done, 1 failed, 2 the command line is wrong.  A failure is
 * one line on standard error.
 *
 * main.c calls one command; the files of the folder call the rest.  A command
 * runs in one process and lets modules start workers.  "For parsers" marks
 * functions that a parser of argp calls: they may end the program.
 */
#ifndef SIM_COMMAND_H
#define SIM_COMMAND_H

#include <argp.h>

#include "core/error.h"
#include "sim/workload/workload.h"

enum {
	CMD_DONE = 0,
	CMD_FAILED = 1,
	CMD_USAGE = 2,
};

struct sim_command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv); /* argv[0] is "librasim NAME" */
};

/* All commands; the list ends with a row whose name is NULL. */
extern const struct sim_command sim_commands[];

/* Run a command: parse its line, do its work, and free all memory.
 * Result: the exit status.
 */
int cmd_run(int argc, char **argv);
int cmd_risk(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_explain_wait(int argc, char **argv);
int cmd_what_if(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_when(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_advise(int argc, char **argv);

/* Print "librasim COMMAND: text" and return the exit status CMD_FAILED. */
int cmd_fail(const char *argv0, const struct libra_error *err);

/* Print a note on standard error if a log has odd lines (swf.h). */
void cmd_note_odd(const char *argv0, const struct swf_trace *trace);

/* Parse as argp_parse() does; --help also names the manual page of argv[0]. End
 * the program with CMD_FAILED if memory is out, and with CMD_USAGE if the line
 * is wrong.
 */
void cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
	       int *rest, void *input);

/* For parsers: print one line and exit with CMD_USAGE. */
void cmd_usage(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* For parsers: print an error and exit, with CMD_FAILED if memory ran out and
 * with CMD_USAGE otherwise.
 */
void cmd_bad_value(const struct argp_state *state,
		   const struct libra_error *err) __attribute__((noreturn));

/* For parsers: report that memory ran out, and exit with CMD_FAILED. */
void cmd_no_memory(const char *name) __attribute__((noreturn));

/* The values of an option or an argument that may be repeated. */
struct cmd_texts {
	const char **of; /* texts of the command line; the caller frees the
			    array, not the texts */
	size_t n;
};
/* For parsers: append a text, or end the program if memory is out. */
void cmd_add_text(const struct argp_state *state, struct cmd_texts *texts,
		  const char *text);

/* For parsers: return a whole number from min to max; any other text ends the
 * program (cmd_usage).
 */
uint64_t cmd_count(const struct argp_state *state, const char *option,
		   const char *text, uint64_t min, uint64_t max);

/* For parsers: return "requested" or "allocated"; any other text ends the
 * program (cmd_usage).
 */
enum sim_size cmd_size(const struct argp_state *state, const char *text);

/* For parsers: take the only argument of a command; a second one ends the
 * program (cmd_usage).
 */
void cmd_argument(const struct argp_state *state, const char **taken,
		  char *text);
/* For parsers of a command that must have a trace: take the argument, and at
 * the end of the line report that it is missing.  Call it for keys that the
 * parser does not know.
 * Result: 0, or ARGP_ERR_UNKNOWN for other keys.
 */
error_t cmd_one_trace(const struct argp_state *state, int key, char *arg,
		      const char **trace);
/* For parsers of a command without arguments: report one and exit. */
void cmd_no_argument(const struct argp_state *state, const char *text)
	__attribute__((noreturn));

enum cmd_format {
	CMD_TABLE = 1,
	CMD_CSV,
	CMD_JSON,
};

/* --format and --json: child parsers whose input is an enum cmd_format, set to
 * the default.  The second has no csv.
 */
extern const struct argp cmd_format_argp;
extern const struct argp cmd_format_no_csv_argp;

/* The options that make a workload: a child parser whose input is a struct
 * sim_scenario, set up by sim_scenario_init().
 */
extern const struct argp cmd_scenario_argp;

#endif
