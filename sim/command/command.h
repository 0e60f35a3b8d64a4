/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - the commands of librasim, and what they share.
 *
 * Exit status: 0 done, 1 failed, 2 the command line is wrong.  A failure is
 * one line on standard error.
 */
#ifndef SIM_COMMAND_H
#define SIM_COMMAND_H

#include <argp.h>

#include "core/error.h"
#include "core/policy.h"
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

/* Ends with a row whose name is NULL. */
extern const struct sim_command sim_commands[];

int cmd_run(int argc, char **argv);
int cmd_risk(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_advise(int argc, char **argv);

/* Print "librasim COMMAND: text" and return the exit status CMD_FAILED. */
int cmd_fail(const char *argv0, const struct libra_error *err);

/* For parsers: print one line and exit with CMD_USAGE. */
void cmd_usage(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* Read a whole number; a wrong one ends the program (cmd_usage). */
uint64_t cmd_count(const struct argp_state *state, const char *option,
		   const char *text, uint64_t min, uint64_t max);

/* The options that make a workload: a child parser whose input is a struct
 * sim_scenario, set up by sim_scenario_init().
 */
extern const struct argp cmd_scenario_argp;

/* A choice of policies with their parameters, from --policy and --set. */
struct cmd_policy {
	const struct libra_policy_type *type;
	double *params;
};

struct cmd_policies {
	struct cmd_policy *list;
	size_t n;
};

/* Add the policies of a comma-separated list.
 * Result: 0, or -1 with ENOENT, EINVAL (named twice) or ENOMEM.
 */
int cmd_policies_add(struct cmd_policies *policies, const char *names,
		     struct libra_error *err);

/* "PARAM=VALUE" for all chosen policies that have it, "POLICY.PARAM=VALUE" for
 * one.
 * Result: 0, or -1 with EINVAL, ENOENT or ERANGE.
 */
int cmd_policies_set(struct cmd_policies *policies, const char *assignment,
		     struct libra_error *err);
void cmd_policies_fini(struct cmd_policies *policies);

#endif
