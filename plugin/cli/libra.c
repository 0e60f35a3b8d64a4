/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libra.c - the command libra: its commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "revision.h"

static const struct {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"status", "promised shares by node, jobs with a deadline",
	 cli_run_status},
	{"explain", "why a job was accepted or refused", cli_run_explain},
	{"chain", "jobs one after the other, with one deadline", cli_run_chain},
	{"metrics", "counts for Prometheus, from the decision log",
	 cli_run_metrics},
	{"notify", "run a program when a promise changes", cli_run_notify},
	{"report", "a page on promises: kept, late, refused, estimates",
	 cli_run_report},
	{"settings", "check the libra_ settings of slurm.conf",
	 cli_run_settings},
	{"what-if", "a verdict without submitting", cli_run_what_if},
	{"when", "when waiting jobs will start", cli_run_when},
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *out)
{
	fputs("Usage: libra COMMAND [OPTION...]\n"
	      "Look at the deadline promises of a Slurm cluster.\n\n"
	      "Commands:\n",
	      out);
	for (int i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name,
			commands[i].summary);
	fputs("\n'libra COMMAND --help' shows a command's options; libra(1) "
	      "has the rest.\n",
	      out);
}

static bool is(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run(const char *name, int argc, char **argv)
{
	char full[64];
	int rc;

	for (int i = 0; i < NCOMMANDS; i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		snprintf(full, sizeof(full), "libra %s", name);
		argv[0] = full;
		rc = commands[i].run(argc, argv);
		if (fflush(stdout) == 0 && !ferror(stdout))
			return rc;
		fprintf(stderr, "%s: standard output: %s\n", full,
			strerror(errno));
		return CLI_FAILED;
	}
	fprintf(stderr, "libra: unknown command '%s' (see libra --help)\n",
		name);
	return CLI_USAGE;
}

int main(int argc, char **argv)
{
	char help[] = "--help";

	argp_err_exit_status = CLI_USAGE;
	cli_memory_begin();
	if (argc < 2) {
		print_help(stderr);
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 && argc > 2) {
		argv[1] = argv[2];
		argv[2] = help;
	}
	if (is(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return CLI_DONE;
	}
	if (is(argv[1], "--version", "-V")) {
		puts("libra (slurm-libra) " LIBRA_VERSION LIBRA_REVISION
			     LIBRA_FOR_SLURM);
		return CLI_DONE;
	}
	return run(argv[1], argc - 1, argv + 1);
}
