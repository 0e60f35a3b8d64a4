/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h - a chain of jobs with one deadline, each after the one before.
 *
 * The rule: the last link has the chain's deadline.  The deadline of each other
 * link is that of its successor less the successor's time limit, or less the
 * estimate of its promise.  So each link has all the time that the later ones
 * leave.
 *
 * If memory is short, the command ends (print.h).
 */
#ifndef LIBRA_CLI_CHAIN_H
#define LIBRA_CLI_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/cli/cluster.h"
#include "plugin/cli/print.h"

struct chain_link {
	unsigned line; /* of the file; 0 = a job was named */
	char **words;  /* of sbatch, and NULL at the end; NULL = a job */
	char *job;     /* its id, as users write it; NULL = not submitted */
	double limit_s;
	double deadline_s; /* by the rule */
};

struct chain {
	struct chain_link *links;
	size_t n;
	double deadline_s; /* NAN = not known yet */
};

/* Read the command lines of sbatch, one in a line, without the links'
 * deadlines and dependencies.  name is for messages.
 * Result: 0, or -1 with EINVAL and a text that names the line.
 */
int chain_read(struct chain *chain, FILE *from, const char *name,
	       struct libra_error *err);

/* Add a job as the last link. */
void chain_add_job(struct chain *chain, const char *job);
void chain_fini(struct chain *chain);

/* Give each link its deadline.
 * Result: the time that the links take one after the other.
 */
double chain_split(struct chain *chain);

/* Submit the links, or with test_only ask for each of them alone.  If one is
 * refused, cancel those that were submitted, and print which it was and the
 * earliest deadline of the chain that is known.  If SIGHUP, SIGINT or SIGTERM
 * comes, cancel the links once sbatch has answered, and end by that signal.
 * Result: CLI_DONE, CLI_REFUSED (also by Slurm itself), or CLI_FAILED with a
 *         text: sbatch cannot be run.
 */
int chain_submit(struct chain *chain, bool test_only, struct cli_output *o,
		 struct libra_error *err);

/* Ask accounting (sacct) for a job that has ended; id: as users write it.
 * Result: the text that *job points into, for the caller to free; NULL if
 *         accounting has no such job, or no end of it.
 * Cost:   a process.
 */
char *chain_ask_accounts(const char *id, struct cli_job *job);

/* Print the state of each link and of the whole, for people or programs.  A
 * chain without limits and deadline gets those of its jobs.
 * Result: CLI_DONE (in time), CLI_REFUSED (late, or a link has failed), or
 *         CLI_FAILED with a text: also if the last link is not known.
 */
int chain_print(struct chain *chain, const struct cli_cluster *cluster,
		struct cli_output *o, struct libra_error *err);

#endif
