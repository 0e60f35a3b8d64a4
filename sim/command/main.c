/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - librasim: choose the command.
 *
 * Owns nothing but the table of commands.  Standard output is closed and
 * checked at the exit of any command, so that a full disk is a failure.
 */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/suggest.h"
#include "sim/base/version.h"
#include "sim/output/file.h"
#include "sim/command/command.h"
#include "revision.h"

const struct sim_command sim_commands[] = {
	{"run", "simulate one workload under one or more policies", cmd_run},
	{"reproduce", "repeat a paper's experiments and write a report",
	 cmd_reproduce},
	{"sweep", "run a grid of scenarios, policies and seeds from a file",
	 cmd_sweep},
	{"risk", "analyze how well results meet objectives, and how reliably",
	 cmd_risk},
	{"import", "make a log of Slurm's accounting", cmd_import},
	{"what-if", "a page on a log: what happened, and what if", cmd_what_if},
	{"compare", "measure how far a simulation and a log are apart",
	 cmd_compare},
	{"explain-wait", "print what keeps a job of a site waiting",
	 cmd_explain_wait},
	{"plot", "draw jobs as they ran: by time, by size, by user", cmd_plot},
	{"when", "bound the wait of a job by the waits of a log", cmd_when},
	{"trace", "check and describe a trace", cmd_trace},
	{"model", "fit workload models to a log, or check the paper's",
	 cmd_model},
	{"gen", "generate a log from workload models", cmd_gen},
	{"replay", "replay a decision log of the Slurm plugins, and compare",
	 cmd_replay},
	{"report", "a page on the promises of a cluster, from its logs",
	 cmd_report},
	{"advise", "choose between a spot market and reservations", cmd_advise},
	{"policies", "list the policies and their parameters", cmd_policies},
	{NULL, NULL, NULL},
};

static void print_help(FILE *fp)
{
	fputs("Usage: librasim COMMAND [OPTION...]\n"
	      "Simulate deadline admission and cluster scheduling on workload "
	      "logs.\n\n"
	      "Commands:\n",
	      fp);
	for (const struct sim_command *c = sim_commands; c->name; c++)
		fprintf(fp, "  %-12s %s\n", c->name, c->summary);
	fputs("\n'librasim COMMAND --help' shows a command's options; "
	      "librasim(1) has the rest.\n",
	      fp);
}

static int unknown_command(const char *name)
{
	char suggestion[SIM_SUGGESTION_SIZE];
	const char *near = NULL;

	for (const struct sim_command *c = sim_commands; c->name; c++)
		near = sim_nearer_name(name, near, c->name);
	fprintf(stderr, "librasim: unknown command '%s'%s\n", name,
		sim_suggestion(suggestion, near, " (see librasim --help)"));
	return CMD_USAGE;
}

/* A full disk is a failure even of --help, so standard output is closed and
 * checked.  A command that failed has printed its error already.
 */
static void close_output(int status, void *unused)
{
	int code = out_flush(stdout) < 0 ? errno : 0;

	if (fclose(stdout) != 0 && code == 0)
		code = errno;
	if (code == 0 || status != CMD_DONE)
		return;
	fprintf(stderr, "librasim: standard output: %s\n", strerror(code));
	_exit(CMD_FAILED);
}

int main(int argc, char **argv)
{
	char name[64];
	char help[] = "--help";

	on_exit(close_output, NULL);
	sim_keep_memory();

	argp_err_exit_status = CMD_USAGE;
	gsl_set_error_handler_off();
	if (argc < 2) {
		print_help(stderr);
		return CMD_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 && argc > 2) {
		argv[1] = argv[2];
		argv[2] = help;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return CMD_DONE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		printf("librasim (slurm-libra) %s%s%s\n", sim_version(),
		       LIBRA_REVISION, LIBRA_FOR_SLURM);
		return CMD_DONE;
	}
	for (const struct sim_command *c = sim_commands; c->name; c++) {
		if (strcmp(argv[1], c->name) != 0)
			continue;
		snprintf(name, sizeof(name), "librasim %s", c->name);
		argv[1] = name;
		return c->run(argc - 1, argv + 1);
	}
	return unknown_command(argv[1]);
}
