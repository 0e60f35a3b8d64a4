/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args.h - the command lines of libra's commands.
 *
 * libra.c calls one run function.  argv[0] is "libra COMMAND".  The run
 * function reads its command line, does the command, and returns the exit
 * status.
 */
#ifndef LIBRA_CLI_ARGS_H
#define LIBRA_CLI_ARGS_H

#include <argp.h>
#include <stdint.h>

#include "core/error.h"
#include "plugin/cli/print.h"

/* The key of --json.  Not -j: in librasim that is the number of processes. */
enum { CLI_OPT_JSON = 0x100 };

/* The options --json, -P and -h of all commands, as the only child of a
 * command's parser.  At ARGP_KEY_INIT the parser sets state->child_inputs[0] to
 * its struct cli_output.
 */
extern const struct argp_child cli_output_options[];

int cli_run_chain(int argc, char **argv);
int cli_run_explain(int argc, char **argv);
int cli_run_metrics(int argc, char **argv);
int cli_run_notify(int argc, char **argv);
int cli_run_report(int argc, char **argv);
int cli_run_settings(int argc, char **argv);
int cli_run_status(int argc, char **argv);
int cli_run_what_if(int argc, char **argv);
int cli_run_when(int argc, char **argv);

/* Parse as argp_parse() does; arguments that the parser does not take are an
 * error.  --help also names the manual page of argv[0].  After an error, and
 * without memory, the command ends.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
	       void *input);

/* Print err->text, or if it is empty the text of errno, on standard error and
 * add it to the envelope of --json.
 * Result: CLI_AWAY if errno is CLI_NO_ANSWER, else CLI_FAILED.
 */
int cli_fail(struct cli_output *o, const struct libra_error *err);

/* Print an error of the command line on standard error, and exit with
 * CLI_USAGE.
 */
void cli_usage(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Return an option's whole number, 1 to 1000000; for other texts, exit with
 * CLI_USAGE.
 */
uint32_t cli_count(const struct argp_state *state, const char *option,
		   const char *text);

#endif
