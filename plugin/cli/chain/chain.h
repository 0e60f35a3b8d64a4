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
	unsigned line; /* of the file; 0 = the link is an existing job */
	char **words;  /* sbatch's command line, ends with NULL; NULL = the link
			  is an existing job */
	char *job;     /* id, as users write it; NULL = not submitted */
	double limit_s;	   /* time limit, of a promised job its estimate; NAN =
			    not known yet */
	double deadline_s; /* by the rule: an instant */
};

struct chain {
	struct chain_link *links;
	size_t n;
	double deadline_s; /* NAN = not known yet */
};

/* Read a file of sbatch command lines, one for each link, which must not have
 * --deadline or --dependency.  name: of the file, for messages.
 * Result: 0, or -1 with EINVAL and a text that names the line.
 * Owner:  the caller calls chain_fini(), after an error as well.
 */
int chain_read(struct chain *chain, FILE *from, const char *name,
	       struct libra_error *err);

/* Add an existing job as the last link; the text is copied. */
void chain_add_job(struct chain *chain, const char *job);
void chain_fini(struct chain *chain);

/* Set the deadline of each link by the rule.
 * Result: the sum of the links' time limits, in seconds.
 */
double chain_split(struct chain *chain);

/* Submit the links by sbatch, or with test_only ask about each link alone.  If
 * a link is refused, cancel the links that were submitted, and print the
 * refused link and the earliest deadline that the chain could have, if known.
 * At SIGHUP, SIGINT or SIGTERM, cancel the links once sbatch has answered, and
 * end the command by that signal.
 * Result: CLI_DONE, CLI_REFUSED (by the policy or by Slurm), or CLI_FAILED with
 *         a text (sbatch cannot be run).
 */
int chain_submit(struct chain *chain, bool test_only, struct cli_output *o,
		 struct libra_error *err);

/* Ask accounting (sacct) for a job that has ended, and fill in *job; id: as
 * users write it.
 * Result: a text, or NULL if accounting does not have the job or its end.
 * Owner:  the caller frees the text; pointers in *job point into it.
 * Cost:   a process.
 */
char *chain_ask_accounts(const char *id, struct cli_job *job);

/* Print the state of each link and of the chain, for people or programs.
 * Limits and a deadline that the chain lacks are taken from its jobs.
 * Result: CLI_DONE (in time so far), CLI_REFUSED (late, or a link has failed),
 *         or CLI_FAILED with a text (such as: Slurm does not know the last
 *         link).
 */
int chain_print(struct chain *chain, const struct cli_cluster *cluster,
		struct cli_output *o, struct libra_error *err);

#endif
