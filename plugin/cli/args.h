/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args.h - the command lines of libra's commands.
 *
 * Each run function reads its command line and does the command; argv[0] is
 * "libra COMMAND".  Result: exit status.
 */
#ifndef LIBRA_CLI_ARGS_H
#define LIBRA_CLI_ARGS_H

#include <argp.h>
#include <stdint.h>

#include "core/error.h"
#include "plugin/cli/print.h"

/* The key of --json.  Not -j: in librasim that is the number of processes. */
enum { CLI_OPT_JSON = 0x100 };

/* The options --json, -P and -h of all commands, as the one child of a
 * command's parser; that sets state->child_inputs[0] to the struct cli_output
 * at ARGP_KEY_INIT.
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

/* Parse as argp_parse() does, with no arguments left; --help also names the
 * manual page of argv[0].  End the program if memory is short.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
	       void *input);

/* Print what failed, also into the envelope of --json; errno is the failure's.
 * Result: CLI_FAILED, or CLI_AWAY.
 */
int cli_fail(struct cli_output *o, const struct libra_error *err);

/* Print what is wrong with the command line, and exit. */
void cli_usage(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Read an option's whole number, 1 to 1000000, or exit. */
uint32_t cli_count(const struct argp_state *state, const char *option,
		   const char *text);

#endif
